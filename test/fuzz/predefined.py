"""What the predefined routines on words compute, and random calls of them.

`SINGLE` and `SEVERAL` give each routine its operands and its meaning in Python's integers; a small operand is one that counts bits."""

import math

from expression import Expr
from machine import OccamError, checked, fit, wrap


def word(value):
    return value % 2**32


def pair(high, low):
    return word(high) << 32 | word(low)


def halves(value):
    return [wrap("INT", value >> 32), wrap("INT", value)]


def reversed_bits(value, count):
    return wrap("INT", int(format(word(value) % 2**count, "b").zfill(count)[::-1], 2) if count else 0)


def rotated(value, count):
    return wrap("INT", word(value) << count | word(value) >> (32 - count))


def cyclic(bits, data, crc, generator):
    """`bits` of `data`, the highest first, shifted through `crc`."""
    crc, data = word(crc), word(data)
    for i in range(bits):
        leaves = crc >> 31
        crc = word(crc << 1) | data >> (31 - i) & 1
        crc ^= word(generator) if leaves else 0
    return wrap("INT", crc)


def fraction_product(a, b):
    product = a * b
    whole, rest = product >> 31, product & (2**31 - 1)
    whole += rest > 2**30 or (rest == 2**30 and whole & 1)
    return checked("INT", whole)


def quotient(high, low, divisor):
    if word(high) >= word(divisor):
        raise OccamError("overflow")
    return [wrap("INT", x) for x in divmod(pair(high, low), word(divisor))]


def normalised(high, low):
    value = pair(high, low)
    places = 64 - value.bit_length()
    return [places] + halves(value << places)


def summed(a, b, carry):
    total = word(a) + word(b) + (carry & 1)
    return [total >> 32, wrap("INT", total)]


def difference(a, b, borrow):
    total = word(a) - word(b) - (borrow & 1)
    return [int(total < 0), wrap("INT", total)]


# operands: w any word, n a count up to 32, m one up to 64, s a small word
SINGLE = {
    "ASHIFTRIGHT": ("wn", lambda a, n: a >> n), "ROTATELEFT": ("wn", rotated), "ROTATERIGHT": ("wn", lambda a, n: rotated(a, 32 - n)),
    "ASHIFTLEFT": ("sk", lambda a, n: checked("INT", a << n)), "BITREVWORD": ("w", lambda a: reversed_bits(a, 32)),
    "BITREVNBITS": ("wn", reversed_bits), "BITCOUNT": ("ws", lambda a, sum_: bin(word(a)).count("1") + sum_),
    "CRCWORD": ("www", lambda d, c, g: cyclic(32, d, c, g)), "CRCBYTE": ("www", lambda d, c, g: cyclic(8, d, c, g)),
    "LONGADD": ("ssw", lambda a, b, c: checked("INT", a + b + (c & 1))), "LONGSUB": ("ssw", lambda a, b, c: checked("INT", a - b - (c & 1))),
    "FRACMUL": ("ws", fraction_product)}
SEVERAL = {
    "LONGSUM": ("www", summed), "LONGDIFF": ("www", difference),
    "LONGPROD": ("www", lambda a, b, c: halves(word(a) * word(b) + word(c))), "LONGDIV": ("pwd", quotient),
    "SHIFTLEFT": ("wwm", lambda h, l, n: halves(pair(h, l) << n)), "SHIFTRIGHT": ("wwm", lambda h, l, n: halves(pair(h, l) >> n)),
    "NORMALISE": ("ww", normalised)}


def root(x):
    return math.nan if x != x or x < 0 else math.sqrt(x)


def whole(x):
    return x if x != x or math.isinf(x) else math.copysign(float(round(x)), x)


def scaled(x, n):
    return x if x != x else math.ldexp(x, n)


# r a real, x another, s a small count; with a D before the name for REAL64
REAL = {"ABS": ("r", abs), "MINUSX": ("r", lambda x: -x), "MULBY2": ("r", lambda x: x * 2), "DIVBY2": ("r", lambda x: x / 2), "SQRT": ("r", root),
        "FPINT": ("r", whole), "COPYSIGN": ("rr", math.copysign), "SCALEB": ("rp", scaled)}


def real(maker, scope, kind, depth):
    """A call that gives a real."""
    name = maker.rng.choice(list(REAL))
    kinds, meaning = REAL[name]
    made = [maker.real(scope, kind, depth) if k == "r" else operand(maker, scope, k, depth) for k in kinds]

    def value(env):
        try:
            return fit(kind, meaning(*(a.value(env) for a in made)))
        except OverflowError:
            return math.copysign(math.inf, made[0].value(env))
    return Expr(f"{'D' if kind == 'REAL64' else ''}{name} ({', '.join(a.text for a in made)})", value, frozenset().union(*(a.reads for a in made)), atom=True)


def operand(maker, scope, kind, depth):
    """One operand; `p` is below every `d`."""
    if kind == "w":
        return maker.integer(scope, "INT", depth)
    if kind == "d":
        e = maker.masked(maker.integer(scope, "INT", depth), "INT", 127)
        return Expr(f"{e.operand} \\/ 128", lambda env: e.value(env) | 128, e.reads, -128, 255)
    most = {"n": 31, "m": 63, "k": 15, "s": 1023, "p": 127}[kind]
    e = maker.masked(maker.integer(scope, "INT", depth), "INT", most)
    return e if e.low >= 0 or kind == "s" else maker.binary("INT", "/\\", e, maker.constant("INT", most), 0, most)


def arguments(maker, scope, kinds, depth):
    made = [operand(maker, scope, kind, depth) for kind in kinds]
    return made, ", ".join(a.text for a in made), frozenset().union(*(a.reads for a in made))


def single(maker, scope, depth):
    """A call that gives one INT."""
    name = maker.rng.choice(list(SINGLE))
    kinds, meaning = SINGLE[name]
    made, text, reads = arguments(maker, scope, kinds, depth)
    return Expr(f"{name} ({text})", lambda env: meaning(*(a.value(env) for a in made)), reads, -2**31, 2**31 - 1, True)


def several(maker, scope, depth):
    """(text, values, number of results) of a call that gives several."""
    name = maker.rng.choice(list(SEVERAL))
    kinds, meaning = SEVERAL[name]
    made, text, _ = arguments(maker, scope, kinds, depth)
    return f"{name} ({text})", lambda env: meaning(*(a.value(env) for a in made)), 3 if name == "NORMALISE" else 2
