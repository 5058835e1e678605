#!/usr/bin/env python3
"""Says what is wrong with charsets.tsv, run by hand.

    tools/charsets/check.py            names without a row, rows without a source, rows with the same content
    tools/charsets/check.py --iconv    also each row that glibc has against the installed iconv, code by code

Exits with 1 if a name of a list has no row and is not in names/left-out.txt, or a row has no source.
"""

import ctypes
import sys
from collections import defaultdict

import generate
from tables import HERE, Sources, Wrong


def left_out():
    lines = (HERE / "names" / "left-out.txt").read_text().splitlines()
    return {line.split("\t")[0] for line in lines if line and not line.startswith("#")}


def names_without_row(rows):
    """The names of the lists that no row has."""
    index = generate.name_rows([row for row in rows if not row.structure.startswith("set")])
    skipped = left_out()
    for vendor, lines in sorted(generate.vendor_lists().items()):
        for names in lines.values():
            for name in names:
                if name not in skipped and generate.loose(name) not in index:
                    yield f"{vendor}: {name} has no row"


def lines_without_row(rows):
    """The converters of the lists that no row says it is."""
    said = {who for row in rows for who in row.who}
    skipped = left_out()
    for vendor, lines in sorted(generate.vendor_lists().items()):
        for first in lines:
            if f"{vendor}:{first}" not in said and first not in skipped:
                yield f"{vendor}: no row is {first}"


def rows_without_source(rows, by_name, sources):
    for row in rows:
        if row.structure == "code":
            continue
        if not row.tables:
            yield f"{row.name}: no source"
            continue
        try:
            generate.resolve(row, by_name, sources)
        except (Wrong, KeyError, FileNotFoundError) as wrong:
            yield f"{row.name}: {wrong}"
            continue
        for code in row.table.reads:
            if not 0 < len(code) <= 4:
                yield f"{row.name}: a code of {len(code)} bytes"
                break


def same_content(rows):
    """Rows of one structure that read and write the same."""
    seen = defaultdict(list)
    for row in rows:
        if row.table and not row.structure.startswith("set"):
            seen[row.structure, frozenset(row.table.reads.items()), frozenset(row.table.writes.items())].append(row.name)
    return [names for names in seen.values() if len(names) > 1]


class Iconv:
    """iconv(3) between a charset and UCS-4LE, one sequence at a time."""

    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.iconv_open.restype = ctypes.c_void_p
        self.libc.iconv.restype = ctypes.c_size_t
        self.libc.iconv.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p] * 4

    def open(self, to, source):
        cd = self.libc.iconv_open(to.encode(), source.encode())
        return None if cd in (None, ctypes.c_void_p(-1).value) else cd

    def convert(self, cd, text):
        """The result with all state written, or None if anything is ill-formed, unmappable or incomplete."""
        self.libc.iconv(cd, None, None, None, None)
        source, result = ctypes.create_string_buffer(text, len(text)), ctypes.create_string_buffer(64)
        at, to = ctypes.c_void_p(ctypes.addressof(source)), ctypes.c_void_p(ctypes.addressof(result))
        left, room = ctypes.c_size_t(len(text)), ctypes.c_size_t(64)
        refs = [ctypes.byref(item) for item in (at, left, to, room)]
        if self.libc.iconv(cd, *refs) != 0 or self.libc.iconv(cd, None, None, refs[2], refs[3]) != 0:
            return None
        return result.raw[: 64 - room.value] or None


def differences(row, iconv, name):
    """How many codes of a row the installed iconv reads or writes in another way: what the row has, and single bytes."""
    reader, writer = iconv.open("UCS-4LE", name), iconv.open(name, "UCS-4LE")
    if reader is None or writer is None:
        return None
    host = row.structure == "host"
    shifted = lambda code: b"\x0e" + code + b"\x0f" if host and len(code) == 2 else code
    read = write = 0
    single = [bytes([byte]) for byte in range(256) if not host or byte not in (0x0E, 0x0F)]
    for code in {*row.table.reads, *single}:
        got = iconv.convert(reader, shifted(code))
        cps = got and tuple(int.from_bytes(got[at:at + 4], "little") for at in range(0, len(got), 4))
        read += row.table.reads.get(code) != cps
    for cps, code in row.table.writes.items():
        got = iconv.convert(writer, b"".join(cp.to_bytes(4, "little") for cp in cps))
        write += got != shifted(code)
    return read, write


def main():
    sources = Sources()
    rows = generate.rows_of(HERE / "charsets.tsv")
    by_name = {row.name: row for row in rows}
    wrong = [*rows_without_source(rows, by_name, sources), *names_without_row(rows), *lines_without_row(rows)]
    for line in wrong:
        print(line)
    for names in same_content(rows):
        print("same content:", ", ".join(names))
    if "--iconv" in sys.argv[1:]:
        iconv = Iconv()
        for row in rows:
            names = [who.partition(":")[2] for who in row.who if who.startswith("glibc:")]
            if row.table and names and not row.structure.startswith("composing"):
                found = differences(row, iconv, names[0])
                if found is None:
                    print(f"{row.name}: iconv has no {names[0]}")
                elif found != (0, 0):
                    print(f"{row.name}: {found[0]} codes read and {found[1]} written in another way by {names[0]}")
    print(f"{len(rows)} rows, {len(wrong)} faults")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
