"""Asks the program of texts-agree-with-python.occ, and Python, the same."""

import random
import re
import struct
import subprocess
import sys

QUESTIONS = "flcswnrtuLidgFvU"
SPACES = b" \t\n\r\v\f"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def packed(text):
    return struct.pack("<i", len(text)) + text


def bytes_of(pick):
    kind = pick.randrange(5)
    if kind == 0:
        return bytes(pick.choice(b"ab ") for _ in range(pick.randrange(40)))
    if kind == 1:
        return bytes(pick.randrange(256) for _ in range(pick.randrange(60)))
    if kind == 2:
        return "".join(chr(pick.choice((65, 0xE9, 0x7FF, 0x800, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF, 0x20AC))) for _ in range(pick.randrange(20))).encode()
    if kind == 3:
        return bytes(pick.choice(b" \t\r\n\x0bxY,\xc3\xa9\xed\xa0\x80\xf4\x90") for _ in range(pick.randrange(50)))
    return b"a" * pick.randrange(3000)


def whole(pick, base):
    edges = [0, 1, -1, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**40]
    n = pick.choice(edges + [pick.randrange(-(2**64), 2**64), pick.randrange(-1000, 1000)])
    digits, rest = "", abs(n)
    while rest or not digits:
        rest, digit = divmod(rest, base)
        digits = DIGITS[digit] + digits
    text = ("-" if n < 0 else pick.choice(["", "+"])) + "0" * pick.choice([0, 0, 3]) + digits
    return pick.choice([text] * 6 + ["", "-", "+-1", text + " ", " " + text, text + ".", "1_0", text.upper()])


def real(pick):
    text = pick.choice([repr(struct.unpack("<d", pick.randbytes(8))[0]), repr(pick.uniform(-1e6, 1e6)), str(pick.randrange(10**18)), "1e400", "-1e400", "5e-324",
                        "1e-400", "", ".", "1.", ".5", "1e", "1e+", "e5", "0x10", "inf", "-Infinity", "NaN", "1_0", "1 ", "- 1", "0.1", "-0.0", "1E22", "123456789012345680.0"])
    return text


def in_words(value, problem):
    return f"{value} {problem}".encode()


def to_whole(text, base, low, high):
    if text == "":
        return 0, "empty"
    if not re.fullmatch(r"[+-]?[0-9a-zA-Z]+", text) or any(DIGITS.index(c) >= base for c in text.lower().lstrip("+-")):
        return 0, "not a number"
    n = int(text, base)
    return (n, "") if low <= n <= high else (high if n > high else low, "out of range")


def based(n, base):
    digits, rest = "", abs(n)
    while rest or not digits:
        rest, digit = divmod(rest, base)
        digits = DIGITS[digit] + digits
    return ("-" if n < 0 else "") + digits


def to_real(text):
    if text == "":
        return 0.0, "empty"
    if not re.fullmatch(r"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|inf|infinity|nan)", text, re.I):
        return 0.0, "not a number"
    x = float(text)
    return x, "out of range" if x in (float("inf"), float("-inf")) and "n" not in text.lower() else ""


def of_real(x):
    if x != x:
        return "NaN"
    if x in (float("inf"), float("-inf")):
        return "Inf" if x > 0 else "-Inf"
    mantissa, _, exponent = f"{x!r}".replace("e", "E").partition("E")
    if exponent == "" and -5 <= (0 if x == 0 else int(f"{x:e}".split("e")[1])) <= 15:
        return mantissa
    digits, exponent = next(f"{x:.{p}e}" for p in range(17) if float(f"{x:.{p}e}") == x).split("e")
    if -5 <= int(exponent) <= 15:
        return f"{x:.{max(1, len(digits.replace('-', '').replace('.', '')) - 1 - int(exponent))}f}"
    return digits + ("" if "." in digits else ".0") + "E" + exponent


def repaired(text):
    """One U+FFFD for each byte that belongs to no code point; Python would join some."""
    result, at, bad, count = "", 0, -1, 0
    while at < len(text):
        for size in (1, 2, 3, 4):
            try:
                result += text[at:at + size].decode()
                break
            except UnicodeDecodeError:
                continue
        else:
            size, result, bad = 1, result + "\ufffd", at if bad < 0 else bad
        at, count = at + size, count + 1
    return result.encode(), bad, count


def expected(question, a, b, n):
    if question in "idgF":
        a = a.decode()
    if question == "i":
        value, problem = to_whole(a, n, -(2**63), 2**63 - 1)
        return in_words(based(value, n), problem)
    if question == "d":
        return in_words(*to_whole(a, 10, -(2**31), 2**31 - 1))
    if question == "g":
        x, problem = to_real(a)
        return in_words(of_real(x), problem)
    if question == "F":
        x = to_real(a)[0]
        return (of_real(x) if x != x or x in (float("inf"), float("-inf")) else f"{x:.{max(n, 0)}f}").encode()
    if question == "v":
        _, bad, count = repaired(a)
        return str(bad * 10000 + count).encode()
    none = b == b""
    lines = re.split(rb"\r?\n", a)
    return {
        "f": lambda: str(a.find(b)).encode(),
        "l": lambda: str(a.rfind(b)).encode(),
        "c": lambda: str(0 if none else a.count(b)).encode(),
        "s": lambda: b"<>".join([a] if none else a.split(b)),
        "w": lambda: b"<>".join(a.split()),
        "n": lambda: b"<>".join(lines[:-1] if lines[-1] == b"" else lines),
        "r": lambda: a if none else a.replace(b, b"xyz"),
        "t": lambda: a.strip(SPACES),
        "u": a.upper,
        "L": a.lower,
        "U": lambda: repaired(a)[0],
    }[question]()


def main():
    pick = random.Random(20)
    with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        for number in range(4000):
            question = QUESTIONS[number % len(QUESTIONS)]
            n = pick.choice([2, 3, 10, 16, 36])
            a, b = bytes_of(pick), pick.choice([b"a", b" ", b",", b"aa", b"ab", b"\n", b"", bytes_of(pick), b"a" * 500])
            if question in "id":
                a = whole(pick, n if question == "i" else 10).encode()
            if question in "gF":
                a, n = real(pick).encode(), pick.choice([-1, 0, 1, 2, 17, 400, 1100, 1101, 2000])
            program.stdin.write(question.encode() + packed(a) + packed(b) + struct.pack("<i", n))
            program.stdin.flush()
            size = struct.unpack("<i", program.stdout.read(4))[0]
            answer = program.stdout.read(size)
            if answer != expected(question, a, b, n):
                print(question, a, b, n, "gives", answer, "and not", expected(question, a, b, n))
                return
        program.stdin.close()
        if program.wait() == 0:
            print(f"{len(QUESTIONS)} routines, 4000 answers, all as in Python")


main()
