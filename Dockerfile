# The program and nothing else: docker build -t oxiconv . && docker run --rm -i oxiconv -f latin1 < old.txt > new.txt
FROM rust:1-slim AS build
COPY . /source
RUN cd /source && cargo rustc --locked --release --bin oxiconv -- -C target-feature=+crt-static

FROM scratch
COPY --from=build /source/target/release/oxiconv /bin/oxiconv
WORKDIR /work
ENTRYPOINT ["/bin/oxiconv"]
