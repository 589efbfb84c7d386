#!/usr/bin/env python3
"""Texts for json_fuzz.c and json_form_fuzz.c to begin with.

usage: json_seeds.py FOLDER"""

import sys

FIELDS = b'"a":1,"b":2,"c":3,"d":1.5,"e":2,"f":true,"g":-9,"h":8,"i":"abc","j":"text","k":[1,2,3],"n":["x",""]'

TEXTS = [
    b'{%s,"l":{%s,"m":[]},"m":[null,{%s,"m":[]}]}' % (FIELDS, FIELDS, FIELDS),
    b'{"name": "\\u00e9\\n\\ud834\\udd1e", "parts": [1, -2.5e3, true, false, null, "", [], {}]}',
    b"[9223372036854775807, -9223372036854775808, 0.1, 1e308, -0.0, 5e-324]",
    b'{"a": {"b": {"c": [[[[]]]]}}, "d": "\\u0000\\/\\b"}',
    b'"text"',
    b"[1, 2",
    b'{"a": 1, "a": 2}',
]

for number, text in enumerate(TEXTS):
    with open(f"{sys.argv[1]}/{number}", "wb") as file:
        file.write(text)
