#!/usr/bin/env python3
"""Makes the tables and the rows of the charsets from charsets.tsv and the published tables.

    tools/charsets/generate.py           writes the files under crates/encodings/src/
    tools/charsets/generate.py --check   writes nothing; fails if a file under crates/encodings/src/ would change

ARCHITECTURE.md, "Charsets", describes the files.
"""

import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from tables import HERE, Sources, Table, Wrong

ROOT = HERE.parent.parent
CRATE = ROOT / "crates" / "encodings" / "src"
SETS = CRATE / "codec" / "set"
ROWS = CRATE / "encoding" / "charsets"

# Where lists give one name to two charsets, the first of these decides what the plain name means.
PRECEDENCE = ["glibc", "libiconv", "icu", "python", "whatwg", "recode", "windows", "java", "databases", "macos", "ibm"]

# The groups of --list on a terminal, in its order: a row's group is SCRIPT/FAMILY.
SCRIPTS = ["Unicode", "Western European", "Central European", "Baltic and North European", "Turkish", "Vietnamese",
           "Cyrillic", "Greek", "Armenian and Georgian", "Hebrew", "Arabic", "Indic", "Thai and Lao", "Japanese", "Korean",
           "Simplified Chinese", "Traditional Chinese", "Several scripts", "Symbols"]
FAMILIES = ["UTF", "UCS", "relatives of UTF-8", "extended UTF-8", "with surrogates", "compressed", "escapes in ASCII",
            "Windows", "ISO 8859", "KOI", "DOS", "Macintosh", "Shift_JIS", "EUC", "Big5", "GB 18030 and GBK", "mail",
            "7 bits", "EBCDIC", "sets", "other", "variants"]

# Names of families: no table has one without a vendor after it.
FAMILY_NAMES = {"ebcdic"}

CELLS = 32
UNDEFINED = 0xFFFF
SEQUENCE = 0xFFFE


@dataclass
class Row:
    name: str
    structure: str
    tables: list
    who: list
    aliases: list
    summary: str
    source: str
    year: str
    flags: dict
    group: str = ""
    archive: bool = False
    table: Table = None
    code: str = ""
    names: list = field(default_factory=list)

    def is_published_table(self):
        """Whether it is one table as it was published, without corrections and without code of its own."""
        return (self.structure in ("single", "multi", "host") and len(self.tables) == 1
                and not self.tables[0].startswith("set:"))


def rows_of(path):
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        columns = line.split("\t")
        columns += [""] * (10 - len(columns))
        if len(columns) != 10:
            raise Wrong(f"{path.name}:{number}: {len(columns)} columns, not 10")
        name, structure, tables, who, aliases, summary, source, year, flags, group = columns
        pairs = dict(flag.partition("=")[::2] for flag in flags.split())
        rows.append(
            Row(name, structure, tables.split(), who.split(), aliases.split(), summary, source, year, pairs, group))
    return rows


def archive_rows(sources, used):
    """A row for each table of the archive that no other row is."""
    for name in sources.archive_names():
        if name in used:
            continue
        table = sources.table(f"ucm:{name}")
        lengths = {len(code) for code in table.reads}
        text = sources.text("ucm.tar.xz", name)
        host = "EBCDIC_STATEFUL" in text or re.search(r"<icu:state>.*\be:1\.s", text)
        structure = "host" if host else "single" if lengths == {1} else "multi"
        if structure == "multi" and {code[0] for code in table.reads if len(code) == 1} & {
                code[0] for code in table.reads if len(code) == 2}:
            print(f"no row: {name}: escape sequences, which it lacks, tell its codes apart", file=sys.stderr)
            continue
        year = re.search(r"-((?:19|20)\d\d)$", name)
        yield Row(name, structure, [f"ucm:{name}"], [], [], "", "", year[1] if year else "", {}, archive=True)


def resolve(row, rows, sources):
    """Reads the table of a row, with its corrections."""
    if row.table is None and row.tables:
        source, *corrections = row.tables
        first, *others = [resolve(rows[part[4:]], rows, sources) if part.startswith("set:") else sources.table(part)
                          for part in source.split("+")]
        table = first.copy()
        for other in others:
            table.add(other)
        table.correct(corrections)
        for which, at in (("leads", 0), ("trails", 1)):
            if which in row.flags:
                shape = list(table.shape or (set(), set()))
                shape[at] = {b for part in row.flags[which].split(",") for b in byte_range(part)}
                table.shape = tuple(shape)
        # Nothing ill-formed is written, whatever another program does.
        table.writes = {cps: code for cps, code in table.writes.items() if code in table.reads}
        row.table = table
    return row.table


def byte_range(part):
    first, _, last = part.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


class Pool:
    """What all sets share: blocks of cells, and rows of blocks."""

    def __init__(self):
        self.blocks, self.planes, self.block_numbers = [], [], {}
        self.rows, self.row_numbers = [], {}
        self.set_rows, self.extras, self.sets, self.prefixed = [], [], [], []
        self.pure = {}
        self.block([UNDEFINED] * CELLS)

    def block(self, cells, planes=0):
        key = (tuple(cells), planes)
        if key not in self.block_numbers:
            self.block_numbers[key] = len(self.blocks)
            self.blocks.append(key[0])
            self.planes.append(planes)
        return self.block_numbers[key]

    def row(self, cells, planes):
        blocks = tuple(
            self.block(cells[at:at + CELLS], sum(1 << i for i in range(CELLS) if planes[at + i]))
            for at in range(0, 256, CELLS))
        if blocks not in self.row_numbers:
            self.row_numbers[blocks] = len(self.rows)
            self.rows.append(blocks)
        return self.row_numbers[blocks]

    def add(self, reads, writes, fits, shape, pairs):
        """Adds a set of codes up to FFFF, and returns its number."""
        cells, planes, sequences, wide = [UNDEFINED] * (65536 if pairs else 256), bytearray(65536 if pairs else 256), [], 0
        for code, cps in reads.items():
            if len(cps) == 1:
                cells[code] = cps[0] & 0xFFFF
                if cps[0] >> 16 not in (0, 2):
                    raise Wrong(f"U+{cps[0]:X} is in neither plane")
                if cells[code] in (UNDEFINED, SEQUENCE):
                    # Two noncharacters, which two tables for GB 18030 have.
                    cells[code] = UNDEFINED
                    continue
                planes[code] = cps[0] >> 17
                wide |= planes[code]
            elif len(cps) == 2:
                cells[code] = SEQUENCE
                sequences.append((code, *cps))
            else:
                raise Wrong(f"{code:X} has {len(cps)} characters")
        set_rows = tuple(self.row(cells[at:at + 256], planes[at:at + 256]) for at in range(0, len(cells), 256))
        only_read = sorted(code for code, cps in reads.items() if writes.get(cps) != code and cells[code] < SEQUENCE)
        only_written = sorted((cps[0], code) for cps, code in writes.items() if reads.get(code) != cps and len(cps) == 1)
        fit_blocks = defaultdict(lambda: [UNDEFINED] * CELLS)
        for cps, code in fits.items():
            if len(cps) == 1 and code != UNDEFINED:
                fit_blocks[cps[0] // CELLS][cps[0] % CELLS] = code
        extras = list(only_read)
        for cp, code in only_written:
            extras += [cp & 0xFFFF, cp >> 16, code]
        for at, block in sorted(fit_blocks.items()):
            extras += [at, self.block(block)]
        for code, first, second in sorted(sequences):
            extras += [code, first, second]
        if pairs:
            leads, trails = shape
            extras += bits(leads) + bits(trails)
        key = (set_rows, tuple(extras))
        if key not in self.pure:
            self.pure[key] = len(self.sets)
            self.sets.append((len(self.set_rows), len(self.extras), len(only_read), len(only_written), len(fit_blocks),
                              len(sequences), wide, int(pairs)))
            self.set_rows += set_rows
            self.extras += extras
        return self.pure[key]

    def add_table(self, table, lengths, prefix=b""):
        """Adds the codes of some lengths after a prefix."""
        def code_of(code):
            return int.from_bytes(code[len(prefix):], "big")

        def ours(code):
            return code.startswith(prefix) and len(code) - len(prefix) in lengths
        reads = {code_of(code): cps for code, cps in table.reads.items() if ours(code)}
        writes = {cps: code_of(code) for cps, code in table.writes.items() if ours(code)}
        fits = {cps: code_of(code) for cps, code in table.fits.items() if ours(code)}
        pairs = 2 in lengths
        shape = None
        if pairs:
            leads = {code >> 8 for code in reads if code > 0xFF}
            trails = {code & 0xFF for code in reads if code > 0xFF}
            if table.shape and not prefix:
                # No byte is a lead and a character by itself.
                leads |= table.shape[0] - {code for code in reads if code < 0x100}
                trails |= table.shape[1]
            # A set of 94 by 94 codes has that shape, whatever is assigned.
            if all(byte in range(0xA1, 0xFF) for byte in (*(leads - {0x8E, 0x8F}), *trails)):
                leads, trails = leads | set(range(0xA1, 0xFF)), set(range(0xA1, 0xFF))
                leads -= {code for code in reads if code < 0x100}
            shape = (leads, trails)
        return self.add(reads, writes, fits, shape, pairs)


def bits(bytes_of):
    words = [0] * 16
    for byte in bytes_of:
        words[byte >> 4] |= 1 << (byte & 15)
    return words


def structure_of(row, pool):
    """Adds the sets of a row, and returns its structure as Rust."""
    table = row.table
    kind, _, argument = row.structure.partition(":")
    if kind == "single" or kind == "composing" or (kind == "set" and all(len(code) == 1 for code in table.reads)):
        number = pool.add_table(table, (1,))
        if kind == "composing":
            return f"Structure::Composing(CodedSet({number}), &compositions::{argument})"
        return f"CodedSet({number})" if kind == "set" else f"Structure::Single(CodedSet({number}))"
    if kind == "set" and argument != "multi":
        return f"CodedSet({pool.add_table(table, (1, 2))})"
    if kind == "host":
        single, pairs = pool.add_table(table, (1,)), pool.add_table(table, (2,))
        # In a 7-bit set with shifts there are codes below 40.
        low = min(min(code) for code in table.reads if len(code) == 2)
        return (f"Structure::Host(Host {{ single: CodedSet({single}), pairs: CodedSet({pairs}), "
                f"low: {0x40 if low >= 0x40 else 0x21:#x}, shifts: Shifts::{argument or 'Ibm'} }})")
    if kind == "extension":
        alphabet, extension = pool.add_table(table, (1,)), pool.add_table(table, (1,), b"\x1B")
        return f"Structure::Extension(CodedSet({alphabet}), CodedSet({extension}))"
    if kind in ("multi", "set"):
        main = pool.add_table(table, (1, 2))
        prefixes = sorted({code[:-2] for code in (*table.reads, *table.writes.values()) if len(code) > 2})
        first = len(pool.prefixed)
        for prefix in prefixes:
            number = pool.add_table(table, (2,), prefix)
            pool.prefixed.append((int.from_bytes(prefix, "big"), number))
        low = all((bytes([byte]) in table.reads) for byte in range(0x30)) and not any(
            byte < 0x30 for code in (*table.reads, *table.writes.values()) if len(code) > 1 for byte in code)
        multi = f"Multi {{ set: CodedSet({main}), prefixed: ({first}, {len(prefixes)}), low: {str(low).lower()} }}"
        return f"(CodedSet({main}), ({first}, {len(prefixes)}))" if kind == "set" else f"Structure::Multi({multi})"
    raise Wrong(f"{row.name}: no such structure: {row.structure}")


WORDS = {"single": "one byte", "multi": "one byte or more", "host": "bytes and pairs, with shifts", "set": "",
         "composing": "one byte, composing", "extension": "one or two bytes"}


def loose(name):
    """The form in which names are compared: without case, and without - _ and blanks except between digits."""
    kept = []
    for part in re.split(r"[-_\s]+", name.lower()):
        if kept and part and kept[-1][-1].isdigit() and part[0].isdigit():
            kept.append("-")
        if part:
            kept.append(part)
    return "".join(kept)


def vendor_lists():
    lists = {}
    for path in (HERE / "names").glob("*.tsv"):
        lines = [line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]
        lists[path.stem] = {line[0]: [name for name in line if name] for line in lines}
    return lists


def name_rows(rows):
    """Gives each row its names, and returns what each name means: a dictionary from compared forms to row numbers."""
    lists = vendor_lists()
    claims = []  # (rank, row, name, vendor)
    rows_by_converter = {}
    for number, row in enumerate(rows):
        claims.append((-2, number, row.name, None))
        for alias in row.aliases:
            claims.append((-1, number, alias, None))
        for who in row.who:
            vendor, _, converter = who.partition(":")
            if vendor not in lists:
                raise Wrong(f"{row.name}: no list of {vendor}")
            if converter not in lists[vendor]:
                raise Wrong(f"{row.name}: {vendor} has no {converter}")
            other = rows_by_converter.setdefault(who, row)
            if other is not row:
                raise Wrong(f"{row.name}: {other.name} is {who} already")
            rank = PRECEDENCE.index(vendor)
            for alias in lists[vendor][converter]:
                claims.append((rank, number, alias, vendor))
    claims.sort(key=lambda claim: claim[0])
    exact, meaning = {}, {}
    named = [claim for claim in claims if loose(claim[2]) not in FAMILY_NAMES]
    for rank, number, name, _ in named:
        if rank == -2 and name.lower() in exact:
            raise Wrong(f"two rows are called {name}")
        exact.setdefault(name.lower(), (number, rank))
        meaning.setdefault(loose(name), (number, rank))
    index = {name: number for name, (number, _) in meaning.items()}
    # Names that mean another row exactly than they mean loosely, to the same program: an index entry begins with =.
    for name, (number, rank) in exact.items():
        winner, winners_rank = meaning[loose(name)]
        if winner != number and rank == winners_rank:
            index["=" + name] = number
    exact = {name: index.get("=" + name, index[loose(name)]) for name in exact}
    for _, number, name, vendor in claims:
        plain = exact.get(name.lower())
        if vendor and plain != number:
            index.setdefault(f"{loose(name)}@{vendor}", number)
    for rank, number, name, _ in named:
        row = rows[number]
        if exact[name.lower()] == number and name.lower() not in {known.lower() for known in [row.name, *row.names]}:
            if loose(name) not in {loose(known) for known in [row.name, *row.names]} or "=" + name.lower() in index:
                row.names.append(name)
    return index


def vendor_tables(rows, index):
    """What IBM, Microsoft and others have under the number of a code page: the newest of their tables in the archive."""
    newest = {}
    for number, row in enumerate(rows):
        for source in row.tables[:1] if len(row.tables) == 1 else []:
            found = re.fullmatch(r"ucm:(ibm|windows|java|macos|aix|solaris)-([A-Za-z0-9.]+?)(?:_[A-Z0-9]+)?-(\S+)", source)
            if found:
                vendor, page, year = found.groups()
                # aix-IBM_943-4.3.6: the name of a vendor is that of no table.
                if page.lower() == "ibm":
                    continue
                newest.setdefault((vendor, page.lower()), []).append((year, number))
    for (vendor, page), found in sorted(newest.items()):
        number = max(found)[1]
        # Apple's numbers are not those of code pages.
        numbers = [page, f"cp{page}"] if vendor != "macos" else []
        pages = [*numbers, f"{vendor}-{page}", f"{vendor}{page}"] if page[0].isdigit() else [page]
        for name in pages:
            key = loose(name)
            if index.setdefault(key, number) != number:
                index.setdefault(f"{key}@{vendor}", number)


def main():
    check = sys.argv[1:] == ["--check"]
    sources = Sources()
    rows = rows_of(HERE / "charsets.tsv")
    by_name = {row.name: row for row in rows}
    used = {row.tables[0][4:] for row in rows if len(row.tables) == 1 and row.tables[0].startswith("ucm:")
            and not row.structure.startswith("set")}
    written = set(re.findall(r"^    ([A-Z0-9_]+) \{$", (CRATE / "encoding" / "registry.rs").read_text(), re.M))
    for row in rows:
        if row.structure == "code" and identifier(row) not in written:
            print(f"registry.rs has no {identifier(row)}", file=sys.stderr)
    rows = [row for row in rows if row.structure != "code" or identifier(row) in written]
    hand = sorted((row for row in rows if row.structure == "code"), key=lambda row: "legacy" in row.flags)
    sets = [row for row in rows if row.structure.startswith("set")]
    plain = [row for row in rows if row.structure.partition(":")[0] not in ("code", "set")]
    archive = list(archive_rows(sources, used | set(by_name)))
    pool = Pool()
    for row in (*sets, *plain):
        resolve(row, by_name, sources)
        try:
            row.code = structure_of(row, pool)
        except Wrong as wrong:
            raise Wrong(f"{row.name}: {wrong}") from None
    main_sizes = [len(part) for part in (pool.blocks, pool.rows, pool.set_rows, pool.extras, pool.sets, pool.prefixed)]
    for row in archive:
        resolve(row, by_name, sources)
        try:
            row.code = structure_of(row, pool)
        except Wrong as wrong:
            print(f"no row: {row.name}: {wrong}", file=sys.stderr)
    archive = [row for row in archive if row.code]
    every = [*hand, *plain, *archive]
    core = sum("legacy" not in row.flags for row in hand)
    index = name_rows(every)
    vendor_tables(every, index)
    files = {**set_files(pool, main_sizes, sets), **row_files(every, len(hand), len(hand) + len(plain), core, index)}
    stale = [path for path, content in files.items() if not path.exists() or path.read_bytes() != content]
    if check:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not what {Path(__file__).name} makes", file=sys.stderr)
        sys.exit(bool(stale))
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[path])
    print(f"{len(every)} rows, {len(pool.sets)} sets, {sum(len(files[p]) for p in files if p.suffix == '.bin')} bytes of "
          f"tables, {len(index)} names")


GENERATED = "// Generated by tools/charsets/generate.py from tools/charsets/charsets.tsv. Do not edit.\n\n"


def set_files(pool, main_sizes, sets):
    def le16(words):
        return b"".join(word.to_bytes(2, "little") for word in words)
    parts = {
        "blocks": ([le16(block) for block in pool.blocks], main_sizes[0]),
        "planes": ([plane.to_bytes(4, "little") for plane in pool.planes], main_sizes[0]),
        "rows": ([le16(row) for row in pool.rows], main_sizes[1]),
        "set_rows": ([le16([row]) for row in pool.set_rows], main_sizes[2]),
        "extras": ([le16([extra]) for extra in pool.extras], main_sizes[3]),
    }
    files = {}
    for name, (items, main_size) in parts.items():
        files[SETS / f"{name}.bin"] = b"".join(items[:main_size])
        files[SETS / f"{name}_archive.bin"] = b"".join(items[main_size:])
    def records(items):
        return "".join(f"    record([{', '.join(map(str, item))}]),\n" for item in items)
    def prefixes(items):
        return "".join(f"    (0x{prefix:X}, CodedSet({number})),\n" for prefix, number in items)
    code = [GENERATED, "use super::coded_set::{CodedSet, Record, record};\n\n"]
    for suffix, part, pre in (("MAIN", slice(0, main_sizes[4]), slice(0, main_sizes[5])),
                              ("ARCHIVE", slice(main_sizes[4], None), slice(main_sizes[5], None))):
        gate = '#[cfg(feature = "archive")]\n' if suffix == "ARCHIVE" else ""
        code += [f"{gate}#[rustfmt::skip]\npub(super) static {suffix}: [Record; {len(pool.sets[part])}] = [\n",
                 records(pool.sets[part]), "];\n",
                 f"{gate}#[rustfmt::skip]\npub(super) static PREFIXED_{suffix}: [(u16, CodedSet); {len(pool.prefixed[pre])}] = [\n",
                 prefixes(pool.prefixed[pre]), "];\n"]
    code.append("\n")
    # Those that only rows build on need no name.
    users = [CRATE / "encoding" / "registry.rs", *(CRATE / "codec").rglob("*.rs")]
    sources = "".join(path.read_text() for path in users if path != SETS / "records.rs")
    used = " ".join(re.findall(r"\bset::(\w+|\{[^}]*\})", sources))
    for row in (row for row in sets if re.search(rf"\b{row.name}\b", used)):
        kind = "CodedSet" if row.code.startswith("CodedSet") else "(CodedSet, (u16, u16))"
        code.append(f"/// {row.summary}: {row.source}.\npub const {row.name}: {kind} = {row.code};\n")
    files[SETS / "records.rs"] = "".join(code).encode()
    return files


def identifier(row):
    """The identifier of a row that is written by hand."""
    return row.flags.get("const", re.sub("[^A-Z0-9]+", "_", row.name.upper()))


def group_lines(rows):
    """A line for each group: script, family, numbers of rows."""
    numbers = defaultdict(list)
    for number, row in enumerate(rows):
        script, _, family = row.group.partition("/")
        if script not in SCRIPTS or family not in FAMILIES:
            raise Wrong(f"{row.name}: no such group: '{row.group}'")
        numbers[SCRIPTS.index(script), FAMILIES.index(family)].append(number)
    return "".join(f"{SCRIPTS[script]}\t{FAMILIES[family]}\t{' '.join(map(str, members))}\n"
                   for (script, family), members in sorted(numbers.items()))


def row_files(every, hand, main_count, core, index):
    text, lines = bytearray(), []
    for row in every:
        lists = []
        for who in row.who:
            vendor = who.partition(":")[0]
            if vendor not in lists:
                lists.append(vendor)
        structure = row.flags.get("structure", "").replace("_", " ") or WORDS.get(row.structure.partition(":")[0], "")
        line = "\t".join([row.name, row.summary, row.source, row.year, structure, " ".join(lists),
                          row.flags.get("common", "").replace("~", " "), " ".join(row.names)])
        lines.append((len(text), len(line.encode())))
        text += line.encode() + b"\n"
    main_text = lines[main_count][0] if main_count < len(lines) else len(text)
    files = {ROWS / "text.txt": bytes(text[:main_text]), ROWS / "text_archive.txt": bytes(text[main_text:])}
    files[ROWS / "groups.txt"] = group_lines(every[:main_count]).encode()
    detected = []
    for number, row in enumerate(every):
        if "detect" in row.flags:
            detected.append(f"{number} {row.flags['detect']} {row.group}\n")
    files[ROWS / "candidates.txt"] = "".join(detected).encode()
    # Scripts look for a name in the list of iconv as it is spelled there.
    shown = {name.upper() for row in every for name in [row.name, *row.names]}
    lists = vendor_lists()
    listed = {name.upper() for vendor in ("glibc", "libiconv") for names in lists[vendor].values() for name in names}
    spellings = sorted(name for name in listed - shown if loose(name) in index)
    files[ROWS / "spellings.txt"] = "".join(f"{name}\n" for name in spellings).encode()
    parts = {"names_core": [], "names": [], "names_archive": []}
    for key, number in sorted(index.items(), key=lambda item: item[0].encode()):
        entry = f"{key} {number}\n"
        part = "names_core" if number < core else "names" if number < main_count else "names_archive"
        parts[part].append(entry)
    for part, entries in parts.items():
        files[ROWS / f"{part}.txt"] = "".join(entries).encode()
    rows = " ".join(row.code for row in every)
    used = ", ".join(word for word in ("CodedSet", "Host", "Multi", "Shifts", "Structure", "compositions") if word in rows)
    code = [GENERATED, f"use crate::codec::{{{used}}};\nuse crate::encoding::{{Encoding, charset}};\n\n"]
    for name, first, last, gate in (("MAIN", hand, main_count, ""),
                                    ("ARCHIVE", main_count, len(every), '#[cfg(feature = "archive")]\n')):
        code.append(f"{gate}#[rustfmt::skip]\npub static {name}: [Encoding; {last - first}] = [\n")
        code += [f"    charset({at}, {length}, {row.code}),\n"
                 for (at, length), row in zip(lines[first:last], every[first:last])]
        code.append("];\n\n")
    code.append("/// Well-known charsets as constants.\n#[rustfmt::skip]\nimpl Encoding {\n")
    for number, row in enumerate(every[hand:main_count]):
        if "const" in row.flags:
            code.append(f"    /// {row.name}: {row.summary}.\n    pub const {row.flags['const']}: &'static Self = &MAIN[{number}];\n")
    code.append("}\n")
    files[ROWS / "charset_rows.rs"] = "".join(code).encode()
    code = [GENERATED, "use crate::encoding::row_text::RowText;\n\n"]
    constants, registered = [], []
    for (at, length), row in zip(lines[:hand], every):
        gate = '#[cfg(feature = "legacy")]\n' if "legacy" in row.flags else ""
        name = identifier(row)
        code.append(f"{gate}pub const {name}: RowText = RowText::new({at}, {length});\n")
        inner = gate and "    " + gate
        if "const" in row.flags:
            constants.append(f"    /// {row.name}: {row.summary}.\n{inner}    pub const {name}: &'static Self = &registry::{name};\n")
        registered.append(f"{inner}    &registry::{name},\n")
    code.append(f"\n/// How many there are with all features.\npub const HAND_COUNT: usize = {hand};\n")
    files[ROWS / "hand.rs"] = "".join(code).encode()
    code = [GENERATED, "use crate::encoding::{Encoding, registry};\n\n",
            "/// The rows written by hand, in the order of the index of names.\n#[rustfmt::skip]\n",
            "pub static HAND: &[&Encoding] = &[\n", *registered, "];\n\n",
            "/// The encodings as constants.\n#[rustfmt::skip]\nimpl Encoding {\n", *constants, "}\n"]
    files[ROWS / "order.rs"] = "".join(code).encode()
    return files


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"{Path(__file__).name}: {wrong}")
