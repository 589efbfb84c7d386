"""The reference machine of generate.py: values, arithmetic and processes as the language defines them.

Owns what a program means; knows nothing of its text. A process is a Python generator that yields what it waits for:
("par", processes), ("out", channel, message), ("in", channel) or ("alt", channels). Integers are Python's, reals are
floats (REAL32 rounded after every operation), arrays and records are lists, changed in place."""

import math
import struct
from collections import deque

RANGE = {"BYTE": (0, 255), "INT16": (-2**15, 2**15 - 1), "INT": (-2**31, 2**31 - 1), "INT32": (-2**31, 2**31 - 1),
         "INT64": (-2**63, 2**63 - 1), "UINT": (0, 2**32 - 1), "UINT16": (0, 2**16 - 1), "UINT32": (0, 2**32 - 1), "UINT64": (0, 2**64 - 1)}
WIDTH = {"BYTE": 8, "INT16": 16, "INT": 32, "INT32": 32, "INT64": 64, "UINT": 32, "UINT16": 16, "UINT32": 32, "UINT64": 64}
STEPS = 60000


class OccamError(Exception):
    """A run-time error; `name` is that of runtime/include/occ/error.def."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name
        self.places = []  # the processes and functions that it stops, the innermost first


class TooLong(Exception):
    """The program is no good: it runs for too long."""


# -- integers


def wrap(kind, value):
    low, high = RANGE[kind]
    return (value - low) % (high - low + 1) + low


def checked(kind, value, error="overflow"):
    low, high = RANGE[kind]
    if not low <= value <= high:
        raise OccamError(error)
    return value


def unsigned(kind, value):
    return value % (1 << WIDTH[kind])


def divide(kind, a, b):
    if b == 0:
        raise OccamError("divide-by-zero")
    quotient = abs(a) // abs(b)
    return checked(kind, quotient if (a < 0) == (b < 0) else -quotient)


def remainder(_, a, b):
    if b == 0:
        raise OccamError("divide-by-zero")
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


def shift(kind, operator, a, count):
    if not 0 <= count <= WIDTH[kind]:
        raise OccamError("shift-count")
    bits = unsigned(kind, a)
    return wrap(kind, bits << count if operator == "<<" else bits >> count)


INTEGER = {
    "+": lambda k, a, b: checked(k, a + b), "-": lambda k, a, b: checked(k, a - b), "*": lambda k, a, b: checked(k, a * b),
    "/": divide, "\\": remainder,
    "PLUS": lambda k, a, b: wrap(k, a + b), "MINUS": lambda k, a, b: wrap(k, a - b), "TIMES": lambda k, a, b: wrap(k, a * b),
    "/\\": lambda k, a, b: wrap(k, a & b), "\\/": lambda k, a, b: wrap(k, a | b), "><": lambda k, a, b: wrap(k, a ^ b),
    "<<": lambda k, a, b: shift(k, "<<", a, b), ">>": lambda k, a, b: shift(k, ">>", a, b),
}
COMPARE = {"=": lambda a, b: a == b, "<>": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
           ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


# -- reals


def single(value):
    """`value` as a REAL32."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def fit(kind, value):
    return single(value) if kind == "REAL32" else value


def quotient_of(a, b):
    if b != 0:
        return a / b
    if a == 0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def real_remainder(a, b):
    return math.nan if a != a or b != b or math.isinf(a) or b == 0 else math.remainder(a, b)


REAL = {"\\": real_remainder, "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": quotient_of}


def real_of(kind, value, mode):
    """The integer `value` as a real: ROUND or TRUNC."""
    digits = 24 if kind == "REAL32" else 53
    size, extra = abs(value), max(0, abs(value).bit_length() - digits)
    kept, lost = size >> extra, size & ((1 << extra) - 1)
    half = 1 << extra >> 1
    if mode == "ROUND" and extra and (lost > half or (lost == half and kept & 1)):
        kept += 1
    return math.copysign(float(kept << extra), -1.0 if value < 0 else 1.0)


def integer_of(kind, value, mode):
    if value != value or math.isinf(value):
        raise OccamError("real-conversion")
    return checked(kind, round(value) if mode == "ROUND" else int(value), "real-conversion")


def bits_of(kind, value):
    """What the program prints of a value: an unsigned number, or nan."""
    if kind in ("REAL32", "REAL64"):
        if value != value:
            return "nan"
        code = "<f", "<I" if kind == "REAL32" else ""
        code = ("<f", "<i") if kind == "REAL32" else ("<d", "<q")
        value = struct.unpack(code[1], struct.pack(code[0], value))[0]
    return f"{int(value) % 2**64:X}"


# -- storage


class Env(dict):
    """Names in scope; an inner scope is laid over an outer one."""

    def __init__(self, outer=None):
        super().__init__()
        self.outer = outer

    def __missing__(self, name):
        return self.outer[name]


class Segment:
    """A part of an array under another name."""

    def __init__(self, array, start, count):
        if start < 0 or count < 0 or start + count > len(array):
            raise OccamError("segment")
        self.array, self.start, self.count = array, start, count

    def __len__(self):
        return self.count

    def __iter__(self):
        return (self.array[self.start + i] for i in range(self.count))

    def __getitem__(self, i):
        return self.array[self.start + i]

    def __setitem__(self, i, value):
        self.array[self.start + i] = value


class Slot:
    """One place in an array or record (or the box of a variable, index 0)."""

    def __init__(self, array, index=0):
        self.array, self.index = array, index

    def get(self):
        return self.array[self.index]

    def set(self, value):
        """Arrays are changed in place: other names may stand for their parts."""
        old = self.array[self.index]
        if isinstance(old, (list, Segment)):
            if len(old) != len(value):
                raise OccamError("size-mismatch")
            for i, part in enumerate(copy(value)):
                Slot(old, i).set(part)
        else:
            self.array[self.index] = value


def copy(value):
    return [copy(part) for part in value] if isinstance(value, (list, Segment)) else value


def box(value):
    return Slot([value])


def index(array, i):
    if not 0 <= i < len(array):
        raise OccamError("index")
    return i


# -- processes


class Channel:
    def __init__(self):
        self.writer = self.reader = self.alt = None


class Process:
    def __init__(self, body, parent=None):
        self.body, self.parent, self.children = body, parent, 0


class Machine:
    """Runs a program; `alone` says whether the process that runs is the only one there is."""

    def __init__(self):
        self.ready = deque()
        self.alive = 0
        self.steps = 0

    def step(self):
        self.steps += 1
        if self.steps > STEPS:
            raise TooLong()

    def run(self, body):
        self.start(Process(body), None)
        while self.ready:
            self.step()
            process, answer = self.ready.popleft()
            try:
                request = process.body.send(answer)
            except StopIteration:
                self.end(process)
                continue
            getattr(self, "do_" + request[0])(process, *request[1:])
        if self.alive:
            raise OccamError("deadlock")

    @property
    def alone(self):
        return self.alive == 1

    def start(self, process, answer):
        self.alive += 1
        self.ready.append((process, answer))

    def end(self, process):
        self.alive -= 1
        if process.parent is not None:
            process.parent.children -= 1
            if process.parent.children == 0:
                self.ready.append((process.parent, None))

    def do_par(self, process, bodies):
        process.children = len(bodies)
        for body in bodies:
            self.start(Process(body, process), None)
        if not bodies:
            self.ready.append((process, None))

    def do_out(self, process, channel, message):
        if channel.reader is not None:
            self.ready.append((channel.reader, message))
            channel.reader = None
        elif channel.alt is not None:
            waiting, channels = channel.alt
            number = next(i for i, c in enumerate(channels) if c is channel)
            for other in channels:
                if other is not None:
                    other.alt = None
            self.ready.append((waiting, (number, message)))
        else:
            channel.writer = (process, message)
            return
        self.ready.append((process, None))

    def do_in(self, process, channel):
        if channel.writer is None:
            channel.reader = process
            return
        writer, message = channel.writer
        channel.writer = None
        self.ready.append((process, message))
        self.ready.append((writer, None))

    def do_alt(self, process, channels):
        """Channels, None where the guard is off; answers (number of the guard, message)."""
        for number, channel in enumerate(channels):
            if channel is not None and channel.writer is not None:
                writer, message = channel.writer
                channel.writer = None
                self.ready.append((process, (number, message)))
                self.ready.append((writer, None))
                return
        if all(channel is None for channel in channels):
            raise OccamError("no-guard")
        for channel in channels:
            if channel is not None:
                channel.alt = (process, channels)
