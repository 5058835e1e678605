#!/usr/bin/env python3
"""Makes the tables of transliteration from the tables next to it.

    tools/translit/generate.py           writes the files under crates/transcode/src/transliteration/
    tools/translit/generate.py --check   writes nothing; fails if a file there would change

The tables, best first: where two of them have a character, the first one counts.

    reviewed.tsv        written by hand: punctuation, currency, arrows, mathematics, boxes, and what the others get wrong
    cyrillic.tsv        written by hand: ISO 9 and GOST 7.79, system B
    greek.tsv           written by hand: ISO 843
    digits.tsv          decimal digits of other scripts
    compatibility.tsv   compatibility mappings of Unicode, each written as its tag says (below)
    latin-ascii.tsv     CLDR's Latin-ASCII
    locales.tsv         the rules of glibc's locales

extract.py says where the last four come from. Canonical decompositions are not here: the program computes them."""

import re
import sys
import unicodedata
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent.parent / "crates" / "transcode" / "src" / "transliteration"

# The mapping says all that the character says.
PLAIN = {"font", "wide", "narrow", "small", "vertical", "noBreak", "initial", "medial", "final", "isolated", "compat", "square"}
NUMBER = re.compile(r"[0-9A-F]{4,6}(\.\.[0-9A-F]{4,6})?$")


class Wrong(Exception):
    pass


def rows(name):
    for number, line in enumerate((HERE / name).read_text().split("\n"), 1):
        if line and not line.startswith("# "):
            yield f"{name}:{number}", line.split("\t")


def text(hexes):
    return "".join(chr(int(one, 16)) for one in hexes.split())


def by_hand(name):
    """Characters and their forms; None for a character that has none."""
    forms = {}
    for where, (key, *cells) in rows(name):
        cells = [cell for cell in cells if not cell.startswith("# ")]
        if NUMBER.match(key):
            low, _, high = key.partition("..")
            chars = [chr(cp) for cp in range(int(low, 16), int(high or low, 16) + 1)]
        elif len(key) == 1:
            chars = [key]
        elif len(key) == 4 and key[1:3] == "..":
            chars = [chr(cp) for cp in range(ord(key[0]), ord(key[3]) + 1)]
        else:
            raise Wrong(f"{where}: {key!r} is not a character")
        if not cells:
            raise Wrong(f"{where}: no form")
        cells = ["\n" if cell == "000A" else "" if cell == "''" else cell for cell in cells]
        for char in chars:
            if char in forms:
                raise Wrong(f"{where}: {char!r} is there already")
            forms[char] = None if cells == ["none"] else cells
    return forms


def plain_ascii(string, table):
    """The string in ASCII, if each of its characters has a form there."""
    parts = []
    for char in string:
        if not char.isascii():
            own = table.get(char, False)
            if own:
                char = next((form for form in own if form.isascii()), None)
            elif own is None:
                return None
            else:
                base, *marks = unicodedata.normalize("NFD", char)
                letter = unicodedata.category(base).startswith("L")
                drops = marks and letter and all(unicodedata.combining(mark) >= 202 for mark in marks)
                char = plain_ascii(base, table) if drops else None
            if char is None:
                return None
        parts.append(char)
    return "".join(parts)


def compatible(tag, mapping):
    """How a compatibility mapping is written, in the characters of the mapping; None if it says something else."""
    if mapping[0] == " " and len(mapping) > 1 or any(0x1100 <= ord(char) < 0x1200 for char in mapping):
        return None
    if tag in PLAIN:
        return mapping
    if tag == "circle":
        return f"({mapping})"
    if tag == "fraction":
        # After a whole number, it is a fraction of its own.
        return f" {mapping}"
    if tag in ("super", "sub") and len(mapping) == 1:
        known = mapping.isdigit() or unicodedata.name(mapping).split()[0] in ("LATIN", "GREEK", "CYRILLIC", "MODIFIER")
        return ("^" if tag == "super" else "_") + mapping if known else None
    return None


def general():
    """Every character that has a form, with the letter of its table and its forms."""
    table, origin = {}, {}

    def add(letter, forms):
        for char, own in forms.items():
            if char not in table:
                table[char], origin[char] = own, letter

    add("r", by_hand("reviewed.tsv"))
    add("y", by_hand("cyrillic.tsv"))
    add("g", by_hand("greek.tsv"))
    add("d", {text(cp): [value] for _, (cp, value) in rows("digits.tsv")})
    latin = {text(cp): [text(form)] for _, (cp, form) in rows("latin-ascii.tsv")}
    mapped = {text(cp): (tag, text(mapping)) for _, (cp, tag, mapping) in rows("compatibility.tsv")}
    # What a mapping consists of may have a form in CLDR's table.
    known = latin | {char: own for char, own in table.items()}
    pending = dict(mapped)
    for _ in range(4):
        for char, (tag, mapping) in list(pending.items()):
            if char not in table and not any(one in pending for one in mapping):
                form = compatible(tag, mapping)
                if form is not None:
                    plain = plain_ascii(form, known)
                    own = [form] if form.isascii() or plain is None else [form, plain]
                    table[char], origin[char] = own, "k"
                    known[char] = own
                del pending[char]
            elif char in table:
                del pending[char]
    if pending:
        raise Wrong(f"mappings of mappings: {pending}")
    add("c", latin)
    return {char: (origin[char], own) for char, own in table.items() if own}


def cell(form):
    if "\t" in form or "␤" in form:
        raise Wrong(f"{form!r} cannot be written")
    return form.replace("\n", "␤")


def table_text():
    lines = (f"{ord(char):X}\t{origin}\t" + "\t".join(map(cell, forms)) + "\n" for char, (origin, forms) in sorted(general().items()))
    return "".join(lines)


def locales_text():
    own, same, without = {}, {}, []
    for where, (name, key, *forms) in rows("locales.tsv"):
        if key == "=":
            same.setdefault(forms[0], []).append(name)
            continue
        if key == "-":
            without.append(name)
            continue
        source = text(key)
        if len(source) > 2:
            raise Wrong(f"{where}: more than two characters")
        # Of rules for the same characters, the first one counts.
        own.setdefault(name, {}).setdefault(source, [text(form) for form in forms])
    out = []
    for name, rules in sorted(own.items()):
        out.append("\t".join(["@" + name, *sorted(same.pop(name, []))]))
        for source, forms in sorted(rules.items()):
            out.append(" ".join(f"{ord(char):X}" for char in source) + "\t" + "\t".join(map(cell, forms)))
    if same:
        raise Wrong(f"locales without rules: {same}")
    out.append("\t".join(["~" + without[0], *without[1:]]))
    return "\n".join(out) + "\n"


def main():
    check = "--check" in sys.argv[1:]
    changed = False
    for name, made in (("table.txt", table_text()), ("locales.txt", locales_text())):
        path = TARGET / name
        if path.exists() and path.read_text() == made:
            continue
        changed = True
        if check:
            print(f"{path.relative_to(HERE.parent.parent)} is not what tools/translit/generate.py makes", file=sys.stderr)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(made)
    return 1 if check and changed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as wrong:
        sys.exit(f"generate.py: {wrong}")
