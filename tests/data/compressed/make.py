#!/usr/bin/env python3
"""Makes the files of this folder: Python's gzip and zlib, and zstd(1), are the oracles of tests/compressed.rs."""

import gzip
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent

# Repetitions of different lengths and distances, letters of several frequencies, and ill-formed bytes: blocks of zstd
# with Huffman codes and sequences, and a deflate block with dynamic codes.
words = "gzip zstd text encoding byte line Grüße façade naïve 日本語 Ελλάδα кириллица".split()
lines = [
    " ".join(words[(line * 7 + at * at) % len(words)] for at in range(3 + line % 9)) + f" {line * line}\n"
    for line in range(60)
]
text = "".join(lines).encode()
text = text.replace(" 1369\n".encode(), b" caf\xE9 \xE2\x82 1369\n")
(HERE / "text.txt").write_bytes(text)

with (HERE / "text.txt.gz").open("wb") as to, gzip.GzipFile("text.txt", "wb", 9, to, 0) as file:
    file.write(text)
zstd = ["zstd", "-q", "-c", "-19", "--check", str(HERE / "text.txt")]
(HERE / "text.txt.zst").write_bytes(subprocess.run(zstd, check=True, capture_output=True).stdout)

# 1 MiB of "a": one member, a thousandth of that in length.
(HERE / "long.gz").write_bytes(gzip.compress(b"a" * (1 << 20), 9, mtime=0))
