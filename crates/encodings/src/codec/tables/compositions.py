#!/usr/bin/env python3
"""Prints the table compositions.txt: the primary composites of Unicode (canonical compositions, section 3.11), as Python's
library has them, a composite and its two parts in hexadecimal a line. Left out are Hangul syllables, which are computed,
and U+2000 to U+2FFF, which the file systems of macOS leave alone."""
import unicodedata

for cp in range(0x80, 0x110000):
    parts = unicodedata.decomposition(chr(cp)).split()
    if len(parts) == 2 and parts[0][0] != "<" and not 0x2000 <= cp < 0x3000:
        if unicodedata.normalize("NFC", chr(cp)) == chr(cp):
            print(f"{cp:X}", *(part.lstrip("0") for part in parts))
