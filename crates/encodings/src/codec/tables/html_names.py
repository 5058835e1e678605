#!/usr/bin/env python3
"""Prints the table html-names.txt: the named character references of HTML, as Python's library has them from the
standard (html.spec.whatwg.org, section 13.5), a name and its code point in hexadecimal a line, sorted by name.
Left out are those without a semicolon and those that stand for two code points."""
from html.entities import html5

for name, text in sorted(html5.items(), key=lambda item: item[0][:-1].encode()):
    if name.endswith(";") and len(text) == 1:
        print(f"{name[:-1]} {ord(text):X}")
