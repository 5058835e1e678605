# What the scripts that make packages share, for `source`. All packages for a target hold the same program. It is
# compiled once, and it is static, so it needs no library of the system on which it is installed.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
host=$(rustc --print host-tuple)
# The date of all files. Nor do their modes depend on the machine.
umask 022
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
# To try these scripts, PROFILE can be another of Cargo's profiles, and LEVEL less compression.
profile=${PROFILE:-release}
packages=$PWD/target/packages
mkdir -p "$packages"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a command that compiles, cargo or maturin, for a target: static TARGET COMMAND...
static() {
  local target=$1 variable
  # For another processor, Debian's C compiler for it links.
  if [[ $target != "$host" && $target = *-linux-gnu ]]; then
    variable=CARGO_TARGET_$(tr a-z- A-Z_ <<<"$target")_LINKER
    [ -n "${!variable:-}" ] || export "$variable=${target%%-*}-linux-gnu-gcc"
  fi
  RUSTFLAGS='-C target-feature=+crt-static' "${@:2}" --locked --profile "$profile" --target "$target"
}

# Builds the program for a target, and sets `program` to its path.
build_program() {
  static "$1" cargo build --bin oxiconv
  program=${CARGO_TARGET_DIR:-target}/$1/${profile/#dev/debug}/oxiconv
  [[ $1 != *-windows-* ]] || program+=.exe
}

# Copies files to a folder of the package: put MODE FOLDER FILE...
put() {
  mkdir -p "$root/$2"
  install -m "$1" "${@:3}" "$root/$2/"
}

# Writes the SHA-256 of a package beside it.
checksum() {
  local command=(sha256sum)
  command -v sha256sum >/dev/null || command=(shasum -a 256)
  (cd "$packages" && "${command[@]}" "$1" | tee "$1.sha256")
}
