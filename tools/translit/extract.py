#!/usr/bin/env python3
"""Reads the facts of others into tables that are checked in: it runs once for each new version of a source.

    tools/translit/extract.py compatibility   from Python's unicodedata: UnicodeData.txt
    tools/translit/extract.py digits          from Python's unicodedata: UnicodeData.txt
    tools/translit/extract.py latin-ascii     from ICU's uconv: CLDR's Latin-ASCII
    tools/translit/extract.py locales         from glibc's locale sources, /usr/share/i18n/locales

Each writes the file of its name. Review the difference before you keep it."""

import re
import subprocess
import sys
import unicodedata
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = Path("/usr/share/i18n/locales")
# Letters that compose by rule, and those whose forms are given by their sources in other ways.
SKIPPED = [(0xD800, 0xDFFF), (0xAC00, 0xD7A3), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0x20000, 0x3FFFF), (0xF0000, 0x10FFFF)]


def characters():
    for cp in range(0x80, 0x110000):
        if not any(low <= cp <= high for low, high in SKIPPED):
            yield cp


def write(name, head, rows):
    text = "".join(f"# {line}\n" for line in head) + "".join("\t".join(row) + "\n" for row in rows)
    (HERE / f"{name}.tsv").write_text(text)


def hexes(text):
    return " ".join(f"{ord(char):04X}" for char in text)


def compatibility():
    rows = []
    for cp in characters():
        parts = unicodedata.decomposition(chr(cp)).split()
        if parts and parts[0].startswith("<"):
            mapping = "".join(chr(int(part, 16)) for part in parts[1:])
            rows.append((f"{cp:04X}", parts[0].strip("<>"), hexes(mapping)))
    version = unicodedata.unidata_version
    write("compatibility", [
        f"Compatibility mappings of UnicodeData.txt, Unicode {version}: character, tag, mapping.",
    ], rows)


def digits():
    rows = [(f"{cp:04X}", str(unicodedata.decimal(chr(cp)))) for cp in characters()
            if unicodedata.category(chr(cp)) == "Nd" and not unicodedata.decomposition(chr(cp))]
    write("digits", [
        f"Decimal digits of UnicodeData.txt, Unicode {unicodedata.unidata_version}: character, value.",
    ], rows)


def latin_ascii():
    cps = [cp for cp in characters() if cp not in (0x85, 0x2028, 0x2029)]
    text = "\n".join(map(chr, cps)).encode()
    run = subprocess.run(["uconv", "-f", "utf-8", "-t", "utf-8", "-x", "Latin-ASCII"], input=text, capture_output=True, check=True)
    rows = []
    for cp, form in zip(cps, run.stdout.decode().split("\n"), strict=True):
        char = chr(cp)
        plain = "".join(one for one in unicodedata.normalize("NFKD", char) if not unicodedata.combining(one))
        if form not in (char, plain) and form.isascii():
            rows.append((f"{cp:04X}", hexes(form)))
    version = subprocess.run(["uconv", "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    write("latin-ascii", [
        f"CLDR's transform Latin-ASCII, as ICU {version} has it, without what decomposition gives: character, form.",
        "CLDR's data: Unicode License v3.",
    ], rows)


CODE = re.compile(r"<U([0-9A-Fa-f]{4,8})>")


def section(name, seen):
    """The rules of the section LC_CTYPE of a locale, after those that it copies."""
    rules, inside = [], False
    category = translit = False
    for line in (SOURCES / name).read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if line == "LC_CTYPE":
            category = True
        elif line.startswith("END LC_CTYPE"):
            category = False
        if not category or not line or line.startswith("%"):
            continue
        if line.startswith("copy"):
            other = line.split('"')[1]
            if other not in seen:
                rules += section(other, seen | {other})
        elif line == "translit_start":
            translit = True
        elif line == "translit_end":
            translit = False
        elif translit and not line.startswith(("include", "default_missing")):
            source, _, targets = line.partition(" ") if " " in line else line.partition("\t")
            source = CODE.sub(lambda code: chr(int(code[1], 16)), source)
            # What follows the last alternative is a comment.
            form = r'(?:"(?:[^"]*)"|<U[0-9A-Fa-f]+>|[^\s;"%])'
            match = re.match(rf"\s*({form}(?:;{form})*)", targets)
            forms = re.findall(form, match[1])
            forms = [CODE.sub(lambda code: chr(int(code[1], 16)), one.strip('"') if len(one) > 1 else one) for one in forms]
            rules.append((source, forms))
    return rules


def locales():
    rows = []
    have = {}
    for path in sorted(SOURCES.iterdir()):
        name = path.name
        if name.startswith(("translit_", "iso14651", "i18n", "cns")):
            continue
        rules = section(name, {name})
        if rules:
            have[name] = rules
        else:
            rows.append((name, "-"))
    owners = {}
    for name, rules in have.items():
        key = tuple((source, tuple(forms)) for source, forms in rules)
        owners.setdefault(key, []).append(name)
    for key, names in owners.items():
        # The rules are listed once, for a locale that has them in its own file.
        own = [name for name in names if 'translit_start' in (SOURCES / name).read_text(encoding="utf-8")]
        main = min(own or names, key=lambda name: ("@" in name, name))
        for source, forms in key:
            rows.append((main, hexes(source), *(hexes(form) for form in forms)))
        for name in names:
            if name != main:
                rows.append((name, "=", main))
    version = subprocess.run(["ldd", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0].split()[-1]
    rows.sort(key=lambda row: row[0])
    write("locales", [
        f"The rules of LC_CTYPE in the locales of glibc {version}: locale, character or two, forms in order of preference.",
        "`=` names the locale that has the same rules; `-` says that it has none. glibc claims no copyright in these data.",
    ], rows)


if __name__ == "__main__":
    {"compatibility": compatibility, "digits": digits, "latin-ascii": latin_ascii, "locales": locales}[sys.argv[1]]()
