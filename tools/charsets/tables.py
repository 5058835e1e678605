"""Published tables of character sets, read into one form.

A `Table` is what a charset reads and writes: `reads` from bytes to code points, `writes` from code points to bytes, and
`fits`, the best fits, from code points to the bytes of another character. The sources are UCM files (ICU's format,
http://site.icu-project.org/charts/charset) and charmaps (POSIX 6.4, as glibc has them). A row of charsets.tsv may correct
a table: see `Table.correct`.
"""

import gzip
import re
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent


class Wrong(Exception):
    """An error in a source or a row."""


@dataclass
class Table:
    reads: dict = field(default_factory=dict)
    writes: dict = field(default_factory=dict)
    fits: dict = field(default_factory=dict)
    # Leads and trails, where the source gives the shape of its codes: two sets of bytes.
    shape: tuple = None

    def copy(self):
        return Table(dict(self.reads), dict(self.writes), dict(self.fits), self.shape)

    def add(self, other):
        """Adds the codes of another table. A character that both have keeps its code."""
        self.reads.update(other.reads)
        self.writes = {**other.writes, **self.writes}
        self.shape = self.shape or other.shape

    def both(self, code, cps):
        """Maps a code and characters to each other, whatever they were before."""
        self.undefine(code)
        self.reads[code] = cps
        self.writes[cps] = code
        self.fits.pop(cps, None)

    def undefine(self, code):
        cps = self.reads.pop(code, None)
        if cps is not None and self.writes.get(cps) == code:
            del self.writes[cps]

    def correct(self, words):
        """Applies corrections: 80=20AC, <80=20AC, >20AC=80, -80, and ranges of codes of the same length."""
        for word in words:
            found = re.fullmatch(r"([<>-]?)([0-9A-F]+)(?:\.\.([0-9A-F]+))?(?:=([0-9A-F+]+))?", word)
            if not found:
                raise Wrong(f"not a correction: {word}")
            how, first, last, to = found.groups()
            if how == ">":
                self.writes[(int(first, 16),)] = bytes.fromhex(to)
                self.fits.pop((int(first, 16),), None)
                continue
            for number, code in enumerate(codes(first, last or first)):
                if how == "-":
                    self.undefine(code)
                    continue
                cps = tuple(int(cp, 16) for cp in to.split("+"))
                cps = (*cps[:-1], cps[-1] + number)
                if how == "<":
                    self.undefine(code)
                    self.reads[code] = cps
                else:
                    self.both(code, cps)


def codes(first, last):
    """The codes of a range: in the last byte for pairs, so that no trail byte is left."""
    length = len(first) // 2
    return [n.to_bytes(length, "big") for n in range(int(first, 16), int(last, 16) + 1)]


MAPPING = re.compile(r"((?:<U[0-9A-F]+>\+?)+)\s+((?:\\x[0-9A-Fa-f]{2}\+?)+)\s*(?:\|(\d))?")


def ucm(text):
    """Reads a UCM file: flag 0 both ways, 1 best fit, 3 only read, 4 only written; 2 is the substitution character."""
    table, states, inside = Table(), [], False
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if line == "CHARMAP":
            inside = True
        elif line == "END CHARMAP":
            inside = False
        elif inside and line:
            found = MAPPING.fullmatch(line)
            if not found:
                raise Wrong(f"not a mapping: {line}")
            cps = tuple(int(cp, 16) for cp in found[1].replace("+", "")[2:-1].split("><U"))
            code = bytes.fromhex(found[2].replace("\\x", "").replace("+", ""))
            flag = int(found[3] or 0)
            if flag in (0, 3):
                table.reads.setdefault(code, cps)
            if flag in (0, 4):
                table.writes.setdefault(cps, code)
            if flag == 1:
                table.fits.setdefault(cps, code)
        elif line.startswith("<icu:state>"):
            states.append(line.partition(">")[2].strip())
    table.fits = {cps: code for cps, code in table.fits.items() if cps not in table.writes}
    table.shape = shape_of(states)
    return table


def shape_of(states):
    """The leads and the trails of a UCM whose states are the first byte and the second byte of a pair."""
    parsed = []
    for state in states:
        parts = []
        for part in state.split(","):
            found = re.fullmatch(r"\s*([0-9a-fA-F]+)(?:-([0-9a-fA-F]+))?(?::([0-9a-fA-F]+))?(?:\.(\w*))?\s*", part)
            if found:
                first, last, then, action = found.groups()
                parts.append((int(first, 16), int(last or first, 16), int(then or "0", 16), action))
        parsed.append(parts)
    if len(parsed) < 2:
        return None
    leads, trails = set(), set()
    for first, last, then, action in parsed[0]:
        ends = action is None and 0 < then < len(parsed) and all(t == 0 for _, _, t, _ in parsed[then])
        if ends:
            leads.update(range(first, last + 1))
            for low, high, _, how in parsed[then]:
                if how != "i":
                    trails.update(range(low, high + 1))
    return (leads, trails) if leads else None


# A name or a range of names, a code, and what follows, where older charmaps have the code point.
CHARMAP_LINE = re.compile(r"(%IRREVERSIBLE%)?(<\S+>(?:\.\.<\S+>)?)\s+((?:[/\\]x[0-9A-Fa-f]{2})+)(.*)")

CODE_POINT = re.compile(r"<U([0-9A-F]{4,8})>")


def charmap(text):
    """Reads a charmap. What it calls irreversible is only read."""
    escape, table, inside = "\\", Table(), False
    for line in text.splitlines():
        if line.startswith("<escape_char>"):
            escape = line.split()[1]
        elif line.strip() == "CHARMAP":
            inside = True
        elif line.strip() == "END CHARMAP":
            break
        elif inside and (found := CHARMAP_LINE.match(line)):
            only_read, names, code, after = found.groups()
            # A mnemonic may begin with U too, as in <U:>.
            cps = [int(cp, 16) for cp in CODE_POINT.findall(names) or CODE_POINT.findall(after)]
            if not cps:
                continue
            code = bytes.fromhex(code.replace(escape + "x", ""))
            # RFC 1345 gives characters that a set lacks the code 00.
            if code == b"\0" and cps != [0]:
                continue
            if len(cps) > 1 and ".." not in names:
                table.reads.setdefault(code, tuple(cps))
                if not only_read:
                    table.writes.setdefault(tuple(cps), code)
                continue
            for number in range(cps[-1] - cps[0] + 1 if ".." in names else 1):
                one = (int.from_bytes(code, "big") + number).to_bytes(len(code), "big")
                table.reads.setdefault(one, (cps[0] + number,))
                if not only_read:
                    table.writes.setdefault((cps[0] + number,), one)
    return table


def left_half(table, prefix):
    """The codes after a prefix whose bytes are from A0 on, with the highest bits cleared: a set of ISO 2022."""
    codes = set(table.reads) | set(table.writes.values())
    length = max(len(code) for code in codes if code.startswith(prefix) and min(code[len(prefix):] or b"\0") >= 0xA0)

    def ours(code):
        rest = code[len(prefix):]
        return code.startswith(prefix) and len(code) == length and min(rest) >= 0xA0

    def left(code):
        return bytes(byte & 0x7F for byte in code[len(prefix):])

    return Table({left(code): cps for code, cps in table.reads.items() if ours(code)},
                 {cps: left(code) for cps, code in table.writes.items() if ours(code)})


class Sources:
    """The published tables, by name."""

    def __init__(self):
        self.read = {}
        self.archives = {}

    def text(self, archive, member):
        if archive not in self.archives:
            with tarfile.open(HERE / "sources" / archive) as tar:
                self.archives[archive] = {
                    Path(file.name).stem if archive == "ucm.tar.xz" else Path(file.name).name:
                    tar.extractfile(file).read() for file in tar if file.isfile()}
        try:
            return self.archives[archive][member].decode("latin-1")
        except KeyError:
            raise Wrong(f"{archive} has no {member}") from None

    def archive_names(self):
        self.text("ucm.tar.xz", "ibm-1047_P100-1995")
        return sorted(self.archives["ucm.tar.xz"])

    def table(self, source):
        """The table of `ucm:NAME`, `charmap:NAME` or `table:FILE`; of `bytes:charmap:NAME` the codes of one
        byte, of `pairs:charmap:NAME` those of two, and of `left:charmap:NAME/8F` the codes after 8F in the left half."""
        if source not in self.read:
            kind, _, name = source.partition(":")
            if kind == "bytes":
                whole = self.table(name)
                self.read[source] = Table({code: cps for code, cps in whole.reads.items() if len(code) == 1},
                                          {cps: code for cps, code in whole.writes.items() if len(code) == 1})
            elif kind == "pairs":
                # A character that also has a code of one byte is written as a pair by a table of pairs alone.
                reads = {code: cps for code, cps in self.table(name).reads.items() if len(code) == 2}
                self.read[source] = Table(reads, {cps: code for code, cps in reversed(reads.items())})
            elif kind == "left":
                whole, _, prefix = name.partition("/")
                self.read[source] = left_half(self.table(whole), bytes.fromhex(prefix))
            elif kind == "ucm":
                self.read[source] = ucm(self.text("ucm.tar.xz", name))
            elif kind == "charmap":
                self.read[source] = charmap(self.text("charmaps.tar.xz", name))
            elif kind == "table":
                self.read[source] = ucm((HERE / "tables" / f"{name}.ucm").read_text("latin-1"))
            else:
                raise Wrong(f"not a source: {source}")
        return self.read[source]
