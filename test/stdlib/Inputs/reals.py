"""Random reals as an occam program that prints them, or as the text it must print (argument: program or text)."""

import random
import struct
import sys

HEAD = """#INCLUDE "course.module"
VAL []INT64 bits IS [{bits}]:
VAL []INT bits32 IS [{bits32}]:
PROC main (CHAN BYTE out!)
  SEQ
    SEQ i = 0 FOR SIZE bits
      VAL REAL64 x RETYPES bits[i]:
      SEQ
        out.real64 (x, 0, 0, out!)
        out ! '*n'
        out.real64 (x, 0, 5, out!)
        out ! '*n'
        out.real64 (x, 1, 8, out!)
        out ! '*n'
    SEQ i = 0 FOR SIZE bits32
      VAL REAL32 x RETYPES bits32[i]:
      SEQ
        out.real32 (x, 0, 0, out!)
        out ! '*n'
        out.real32 (x, 12, 0, out!)
        out ! '*n'
:
"""


def exponent(text):
    mantissa, _, power = text.partition("e")
    return f"{mantissa}E{power}"


def free(x, digits):
    mantissa, _, power = f"{x:.{digits - 1}e}".partition("e")
    sign = "-" if mantissa[0] == "-" else ""
    figures = mantissa.lstrip("-").replace(".", "").rstrip("0") or "0"
    power = int(power)
    if -4 <= power < digits:
        if power < 0:
            return f"{sign}0.{'0' * (-power - 1)}{figures}"
        figures = figures.ljust(power + 1, "0")
        return f"{sign}{figures[: power + 1]}.{figures[power + 1 :] or '0'}"
    return f"{sign}{figures[0]}.{figures[1:] or '0'}E{power:+03d}"


def fixed(x, ip, dp):
    text = f"{abs(x):.{dp}f}"
    whole = text.split(".")[0]
    return " " * max(0, ip - len(whole)) + ("-" if struct.pack(">d", x)[0] & 128 else " ") + text


def main():
    source = random.Random(7)
    wide = [struct.unpack("<d", struct.pack("<Q", source.getrandbits(64)))[0] for _ in range(60)]
    wide += [source.uniform(-1000, 1000) for _ in range(60)] + [n / 8 for n in range(-20, 20)]
    wide = [x for x in wide if x - x == 0]
    short = [struct.unpack("<f", struct.pack("<I", source.getrandbits(32)))[0] for _ in range(60)]
    short = [x for x in short if x - x == 0] + [0.5, 1.5, 2.5, 8388607.5]
    if sys.argv[1] == "program":
        print(
            HEAD.format(
                bits=", ".join(str(struct.unpack("<q", struct.pack("<d", x))[0]) for x in wide),
                bits32=", ".join(str(struct.unpack("<i", struct.pack("<f", x))[0]) for x in short),
            )
        )
        return
    for x in wide:
        print(free(x, 17))
        print(exponent(f"{x:.5e}"))
        print(fixed(x, 1, 8))
    for x in short:
        print(free(x, 9))
        print(fixed(x, 12, 0))


main()
