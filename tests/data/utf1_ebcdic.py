"""All scalar values in UTF-1 and in UTF-EBCDIC, for tests/utf1_ebcdic.rs.

    python3 tests/data/utf1_ebcdic.py UTF-1 | UTF-EBCDIC >FILE

Computed in another way than the program does:

* UTF-1 (ISO/IEC 10646-1:1993, Annex G) has no two forms of a value, and the order of its forms is that of the values.
  So the forms are listed in their order, and numbered from A0 on; nothing is divided.
* UTF-EBCDIC (UTR #16): strings of binary digits, and a permutation made from Python's cp037 and the rules by which the
  report's table is made: [ ] ^ as code page 1047 has them (AD, BD, 5F), line feed at 15 and next line at 25, and the I8
  bytes A0 to FF in the bytes that are left, in ascending order.
"""

import itertools
import sys

FOLLOWING = [*range(0x21, 0x7F), *range(0xA0, 0x100)]


def utf1():
    forms = itertools.chain(
        ((byte,) for byte in range(0xA0)),
        ((0xA0, byte) for byte in range(0xA0, 0x100)),
        itertools.product(range(0xA1, 0xF6), FOLLOWING),
        itertools.product(range(0xF6, 0xFC), FOLLOWING, FOLLOWING),
        itertools.product(range(0xFC, 0x100), FOLLOWING, FOLLOWING, FOLLOWING, FOLLOWING),
    )
    for value, form in zip(range(0x110000), forms):
        if not 0xD800 <= value <= 0xDFFF:
            yield bytes(form)


def permutation():
    table = list(bytes(range(0xA0)).decode("latin-1").encode("cp037"))
    table[0x0A], table[0x85] = 0x15, 0x25
    table[ord("[")], table[ord("]")], table[ord("^")] = 0xAD, 0xBD, 0x5F
    return table + sorted(set(range(256)) - set(table))


def utf_ebcdic():
    table = permutation()
    assert sorted(table) == list(range(256))
    for value in range(0x110000):
        if 0xD800 <= value <= 0xDFFF:
            continue
        if value < 0xA0:
            yield bytes([table[value]])
            continue
        first, bits = next(
            (first, bits)
            for first, bits in [("110", 10), ("1110", 14), ("11110", 18), ("111110", 22)]
            if value < 1 << bits
        )
        digits = f"{value:0{bits}b}"
        cut = 8 - len(first)
        units = [first + digits[:cut]]
        units += ["101" + digits[at : at + 5] for at in range(cut, bits, 5)]
        yield bytes(table[int(unit, 2)] for unit in units)


sys.stdout.buffer.write(b"".join({"UTF-1": utf1, "UTF-EBCDIC": utf_ebcdic}[sys.argv[1]]()))
