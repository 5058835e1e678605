#!/usr/bin/env python3
"""Makes the model of letter pairs under crates/detect/src/language/ from running text in many languages.

    texts OUT              gets the text from Debian's packages (see README.md)
    generate.py TRAIN      reads TRAIN/LL.txt (UTF-8, NFC, one sentence a line) and writes the model
    generate.py TRAIN --check    writes nothing; fails if the model would change

A text is a sequence of symbols. The first nine are the same in all languages (`FIXED`); the others are the language's
alphabet: its letters in lower case, and the marks that it uses, by frequency. The model holds the cost of each symbol
after each other one, minus the binary logarithm of its probability, in sixteenths of a bit. An ideograph or a Korean
syllable is one symbol, and its own cost comes from a second table, in bits.
"""

import argparse
import math
import sys
import unicodedata
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
TARGET = HERE.parent.parent / "crates" / "detect" / "src" / "language"

# The symbols of all languages; crates/detect/src/language/pair_model.rs has the same list.
BLANK, OPENING, CLOSING, SENTENCE, PUNCTUATION, DIGIT, OTHER, LETTER, IDEOGRAPH = range(9)
FIXED = 9
MARKS = {OPENING: "([{<", CLOSING: ")]}>", SENTENCE: ".,;:!?"}

# The most symbols in an alphabet, and the least share of the text and number of times of each.
MOST = 110
SHARE = 1 / 30_000
TIMES = 6
# Text read of each language, in characters.
ENOUGH = {"Hans": 6_000_000, "Hant": 6_000_000, "Jpan": 6_000_000, "Kore": 6_000_000}
ENOUGH_LETTERS = 3_000_000
# Sixteenths of a bit.
UNIT = 16
# How much the frequency of single symbols counts against that of pairs, in pairs.
BACKING = 8.0

IDEOGRAPHS = range(0x4E00, 0xA000)
SYLLABLES = range(0xAC00, 0xD7A4)
INNER = {"Hans": IDEOGRAPHS, "Hant": IDEOGRAPHS, "Jpan": IDEOGRAPHS, "Kore": SYLLABLES}


def fold(c):
    """Lower case, one character for one, as crates/detect/src/language/fold.rs has it."""
    low = c.lower()
    return low if len(low) == 1 else c


def is_letter(c):
    return unicodedata.category(c)[0] in "LM"


def symbols_of(text, script):
    """The alphabet of a text."""
    counts = Counter(text)
    total = sum(counts.values())
    folded = Counter()
    for c, n in counts.items():
        folded[fold(c)] += n
    alphabet = []
    for c, n in folded.most_common():
        if ord(c) < 0x80 and not (script == "Latn" and c.isalpha()):
            continue
        if ord(c) < 0xA0 and not c.isalpha() or c == "\ufeff" or 0xD800 <= ord(c) <= 0xF8FF or ord(c) > 0xFFFF:
            continue
        if script in INNER and (ord(c) in IDEOGRAPHS or ord(c) in SYLLABLES):
            continue
        wanted = n >= TIMES and n >= total * SHARE
        if script == "Latn" and c.isascii():
            wanted = True
        if wanted:
            alphabet.append(c)
    if script == "Latn":
        missing = [c for c in "abcdefghijklmnopqrstuvwxyz" if c not in alphabet]
        alphabet += missing
    latin = [c for c in alphabet if c.isascii()]
    others = [c for c in alphabet if not c.isascii()][: MOST - len(latin)]
    return sorted(latin + others)


def classes(counts, alphabet, script):
    """A translation table from characters to symbols, as characters."""
    index = {c: FIXED + i for i, c in enumerate(alphabet)}
    inner = INNER.get(script, ())
    table = {}
    for c in counts:
        low = fold(c)
        if low in index:
            s = index[low]
        elif ord(c) <= 0x20:
            s = BLANK
        elif c.isascii() and c.isdigit():
            s = DIGIT
        elif ord(c) in inner:
            s = IDEOGRAPH
        elif is_letter(c):
            s = LETTER
        elif ord(c) < 0x80:
            s = next((s for s, marks in MARKS.items() if c in marks), PUNCTUATION)
        else:
            s = OTHER
        table[ord(c)] = chr(s)
    return table


def cost(p):
    return min(255, max(0, round(-math.log2(p) * UNIT)))


def pairs_of(symbols, size):
    pairs = Counter(zip(symbols, symbols[1:]))
    single = Counter(symbols)
    total = sum(single.values()) + 0.5 * size
    p = [(single[chr(b)] + 0.5) / total for b in range(size)]
    after = Counter()
    for (a, _), n in pairs.items():
        after[a] += n
    out = bytearray()
    for a in range(size):
        all_after = after[chr(a)] + BACKING
        for b in range(size):
            out.append(cost((pairs[(chr(a), chr(b))] + BACKING * p[b]) / all_after))
    return out


def inner_of(text, characters):
    """Four bits each: the cost of a character among all of its kind, in bits, less four."""
    counts = Counter(c for c in text if ord(c) in characters)
    total = sum(counts.values()) + 0.2 * len(characters)
    costs = [min(15, max(0, round(-math.log2((counts[chr(c)] + 0.2) / total)) - 4)) for c in characters]
    return bytes(costs[i] | (costs[i + 1] if i + 1 < len(costs) else 0) << 4 for i in range(0, len(costs), 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    rows, pairs, inner = [], bytearray(), bytearray()
    for line in (HERE / "languages.tsv").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        tag, name, script, *called = line.split("\t")
        path = args.texts / f"{called[0] if called else tag}.txt"
        if not path.exists():
            print(f"{tag}: no text, left out", file=sys.stderr)
            continue
        text = path.read_text("utf-8")[: ENOUGH.get(script, ENOUGH_LETTERS)]
        text = unicodedata.normalize("NFC", text)
        if tag == "ro":
            # Romanian has a comma below; charsets of its time have a cedilla, which pair_model.rs takes for it.
            text = text.translate(str.maketrans("şţŞŢ", "șțȘȚ"))
        alphabet = symbols_of(text, script)
        symbols = text.translate(classes(set(text), alphabet, script))
        rows.append(f"{tag}\t{name}\t{script}\t{''.join(alphabet)}\n")
        pairs += pairs_of(symbols, FIXED + len(alphabet))
        if script in INNER:
            inner += inner_of(text, INNER[script])
        print(f"{tag}: {len(text)} characters, {len(alphabet)} symbols", file=sys.stderr)
    made = {
        "languages.txt": "".join(rows).encode(),
        "pairs.bin": bytes(pairs),
        "ideographs.bin": bytes(inner),
    }
    for name, data in made.items():
        path = TARGET / name
        if args.check:
            if path.read_bytes() != data:
                sys.exit(f"{path} differs")
        else:
            path.write_bytes(data)
            print(f"{name}: {len(data)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
