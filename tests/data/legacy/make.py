#!/usr/bin/env python3
"""Makes the tables that tests/legacy.rs compares with, from glibc's iconv (through libc) and Python's codecs.

    tests/data/legacy/make.py            rewrites the files beside it

Needs Linux with glibc and its gconv modules; what is checked in was made with glibc 2.36 and Python 3.11.

* single-byte.txt   NAME, then the characters of 80 to FF; U+FFFD where there is none
* NAME.txt          a row a line: what its codes begin with, in hexadecimal (- : nothing), then the characters of all
                    last bytes from 40 (80 where nothing comes before) to FE; U+FFFD where there is none
* exceptions.txt    where encoding is not the inverse of decoding
* composing.txt     sequences of a letter and marks that are one character
* gb18030.txt       four-byte codes: number of the first (81 30 81 30 is 0), first code point, how many
* iso-2022-jp.txt   text and its bytes

Not from glibc: macintosh (its table has U+0394 and U+E01E where Apple's, and all others, have U+2206 and U+F8FF) and
GB18030 (glibc 2.36 has the edition of 2005), which is Python's, the edition of 2000, with the published changes.
"""
import ctypes
import pathlib

HERE = pathlib.Path(__file__).parent
HOLE = "\ufffd"
libc = ctypes.CDLL("libc.so.6")
libc.iconv_open.restype = ctypes.c_void_p
libc.iconv_open.argtypes = [ctypes.c_char_p] * 2
libc.iconv.restype = ctypes.c_size_t
libc.iconv.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p] * 4


class Iconv:
    def __init__(self, to, source):
        self.cd = libc.iconv_open(to.encode(), source.encode())
        assert self.cd not in (None, 2**64 - 1), (to, source)

    def __call__(self, data):
        """What `data` converts to, or None where anything in it is ill-formed, incomplete or unmappable."""
        libc.iconv(self.cd, None, None, None, None)
        size = 16 + 8 * len(data)
        source, target = ctypes.create_string_buffer(data, len(data)), ctypes.create_string_buffer(size)
        at = ctypes.c_void_p(ctypes.addressof(source))
        to = ctypes.c_void_p(ctypes.addressof(target))
        left, room = ctypes.c_size_t(len(data)), ctypes.c_size_t(size)
        rest = ctypes.byref(to), ctypes.byref(room)
        if libc.iconv(self.cd, ctypes.byref(at), ctypes.byref(left), *rest) != 0 or left.value:
            return None
        if libc.iconv(self.cd, None, None, *rest) != 0:
            return None
        return target.raw[: size - room.value]


def decoder(name):
    iconv = Iconv("UTF-8", name)
    return lambda data: (lambda text: None if text is None else text.decode())(iconv(data))


def encoder(name):
    iconv = Iconv(name, "UTF-8")
    return lambda text: iconv(text.encode())


def scalar_values():
    return (chr(cp) for cp in range(0x110000) if not 0xD800 <= cp < 0xE000)


def python(name):
    def decode(data):
        try:
            return data.decode(name)
        except UnicodeDecodeError:
            return None

    return decode


SINGLE = {f"windows-125{i}": None for i in range(9)}
SINGLE |= {"windows-874": None}
SINGLE |= {f"ISO-8859-{i}": None for i in range(2, 17) if i != 12}
SINGLE |= {"KOI8-R": None, "KOI8-U": None, "IBM866": None, "macintosh": "mac_roman"}
DOUBLE = {"CP932": [b""], "EUC-JP": [b"", b"\x8f"], "GBK": [b""], "BIG5": [b""], "CP949": [b""]}
EXCEPTIONS = {"CP932", "EUC-JP", "BIG5"}

# The codes whose characters the editions of 2005 (the first) and of 2022 changed, and the new characters. The private
# ones that they had took over the four-byte codes that the new ones had. From the standards, and so in ICU-22357.
CHANGES = {"A8BC": "1E3F"}
CHANGES |= {"A6D9": "FE10", "A6DA": "FE12", "A6DB": "FE11", "A6DC": "FE13", "A6DD": "FE14", "A6DE": "FE15"}
CHANGES |= {"A6DF": "FE16", "A6EC": "FE17", "A6ED": "FE18", "A6F3": "FE19"}
CHANGES |= {"FE59": "9FB4", "FE61": "9FB5", "FE66": "9FB6", "FE67": "9FB7", "FE6D": "9FB8", "FE7E": "9FB9"}
CHANGES |= {"FE90": "9FBA", "FEA0": "9FBB"}


def single_byte():
    with open(HERE / "single-byte.txt", "w", encoding="utf-8") as out:
        for name, other in SINGLE.items():
            decode = python(other) if other else decoder(name)
            assert all(decode(bytes([b])) == chr(b) for b in range(0x80)), name
            out.write(name + " " + "".join(decode(bytes([b])) or HOLE for b in range(0x80, 0x100)) + "\n")


def rows(name, decode, prefixes):
    with open(HERE / f"{name}.txt", "w", encoding="utf-8") as out:
        singles = [decode(bytes([b])) for b in range(0x80, 0xFF)]
        out.write("- " + "".join(c or HOLE for c in singles) + "\n")
        assert decode(b"\xff") is None
        assert all(decode(bytes([b])) == chr(b) for b in range(0x80)), name
        for prefix in prefixes:
            for lead in range(0x80, 0x100):
                if not prefix and singles[lead - 0x80 : lead - 0x7F] != [None]:
                    continue
                start = prefix + bytes([lead])
                row = [decode(start + bytes([b])) for b in range(0x40, 0xFF)]
                assert all(c is None or len(c) == 1 for c in row), start
                if any(row):
                    out.write(start.hex().upper() + " " + "".join(c or HOLE for c in row) + "\n")


def exceptions():
    with open(HERE / "exceptions.txt", "w", encoding="utf-8") as out:
        for name in sorted(DOUBLE):
            decode, encode = decoder(name), encoder(name)
            codes = {c: encode(c) for c in scalar_values()}
            codes = {c: code for c, code in codes.items() if code}
            for c, code in codes.items():
                if decode(code) != c:
                    out.write(f"{name} only-written {ord(c):04X} {code.hex().upper()}\n")
            for a in range(0x81, 0xFF):
                for b in range(0x40, 0xFF):
                    c = decode(bytes([a, b]))
                    if c and len(c) == 1 and codes.get(c) != bytes([a, b]):
                        assert c in codes
                        out.write(f"{name} only-read {a:02X}{b:02X}\n")


def composing():
    with open(HERE / "composing.txt", "w", encoding="utf-8") as out:
        for name in ("windows-1255", "windows-1258"):
            decode, encode = decoder(name), encoder(name)
            one = {bytes([b]) for b in range(0x100) if decode(bytes([b]))}
            two = {a + b for a in one for b in one if len(decode(a + b)) == 1}
            three = {a + b for a in two for b in one if len(decode(a + b)) == 1}
            for code in sorted(two | three):
                out.write(f"{name} decode {code.hex().upper()} {ord(decode(code)):04X}\n")
            for c in scalar_values():
                code = encode(c)
                if code and (len(code) > 1 or decode(code) != c):
                    out.write(f"{name} encode {ord(c):04X} {code.hex().upper()}\n")


def gb18030():
    old = python("gb18030")
    taken = {bytes.fromhex(code): chr(int(cp, 16)) for code, cp in CHANGES.items()}
    # Python's table already has the change of 2005 or not, by its version: undo nothing, just set the result.
    private = {c: old(code) for code, c in taken.items() if old(code) != c}
    rows("GB18030", lambda data: taken.get(data) or old(data), [b""])
    ranges = []
    for number in range(126 * 10 * 126 * 10):
        a, b, c, d = number // 12600, number // 1260 % 10, number // 10 % 126, number % 10
        text = old(bytes([0x81 + a, 0x30 + b, 0x81 + c, 0x30 + d]))
        if not text:
            continue
        cp = ord(private.get(text, text))
        if ranges and ranges[-1][0] + ranges[-1][2] == number and ranges[-1][1] + ranges[-1][2] == cp:
            ranges[-1][2] += 1
        else:
            ranges.append([number, cp, 1])
    with open(HERE / "gb18030.txt", "w", encoding="utf-8") as out:
        for number, cp, count in ranges:
            out.write(f"{number} {cp:04X} {count}\n")


def iso_2022_jp():
    texts = ["abc", "日本語", "a日b本c", "日\n本\r\n語", "¥100\n", "¥\\‾~", "¥日¥a日", "日 本\t", "日", "¥", "Ａ１！〜−", "\x7f日\x7f"]
    encode = encoder("ISO-2022-JP")
    with open(HERE / "iso-2022-jp.txt", "w", encoding="utf-8") as out:
        for text in texts:
            code = encode(text)
            if code is None:
                raise SystemExit(f"{text!r} is unmappable")
            out.write(f"{text.encode().hex().upper()} {code.hex().upper()}\n")


single_byte()
for name, prefixes in DOUBLE.items():
    rows(name, decoder(name), prefixes)
exceptions()
composing()
gb18030()
iso_2022_jp()
