"""The kinds of mistakes of mistake.py.

MISTAKES: each takes the maker and the scope and gives (sound lines, wrong lines, numbers of the wrong lines where the error
may be, beginnings of the ids it may have). What is done to the text of a whole program is in damage.py."""

from expression import INTS, Array, Record, is_int, is_real

OTHER = {"INT": "INT64", "BYTE": "INT16", "INT16": "INT", "INT32": "INT", "INT64": "INT", "BOOL": "INT", "REAL32": "REAL64",
         "REAL64": "INT", "UINT": "INT", "UINT16": "INT", "UINT32": "UINT64", "UINT64": "INT64"}


def body(lines, depth=1):
    return ["  " * depth + line for line in lines]


def swap(sound, line, number, ids):
    """`sound` with another line at `number`."""
    return sound, sound[:number] + [line] + sound[number + 1:], {number}, ids


def value_of(maker, scope, kind, depth=2):
    return maker.scalar(scope, kind, depth)


def variable(maker, kind):
    """(specification, name)"""
    name = maker.fresh("z")
    return f"{kind} {name}:", name


# -- names


def undefined_name(maker, scope):
    spec, name = variable(maker, maker.rng.choice(INTS))
    kind = spec.split()[0]
    e = value_of(maker, scope, kind)
    sound = [spec, f"{name} := {e.text}"]
    wrong = maker.rng.choice([f"{name}q := {e.text}", f"{name} := {e.operand} PLUS nowhere", f"{name} := other ({e.text})",
                              f"{name} := elsewhere[0]"])
    return swap(sound, wrong, 1, ("names-",))


def undefined_routine(maker, scope):
    name = maker.fresh("proc")
    sound = [f"PROC {name} ()", "  SKIP", ":", f"{name} ()"]
    return swap(sound, f"{name}x ()", 3, ("names-",))


def scope_ended(maker, scope):
    spec, name = variable(maker, "INT")
    other, outer = variable(maker, "INT")
    sound = [other, "SEQ", f"  {spec}", f"  {name} := 1", f"  {outer} := 2"]
    return swap(sound, f"  {outer} := {name}", 4, ("names-",))


def recursion_without_rec(maker, scope):
    name = maker.fresh("proc")
    sound = [f"REC PROC {name} (VAL INT n)", "  IF", "    n > 0", f"      {name} (n - 1)", "    TRUE", "      SKIP", ":",
             f"{name} (3)"]
    return sound, [sound[0][4:]] + sound[1:], {3}, ("names-",)


def keyword_as_name(maker, scope):
    word = maker.rng.choice(["SEQ", "PROC", "MOBILE", "CLONE", "STEP", "CLOCK"])
    return ["INT step:", "step := 0"], [f"INT {word}:", "SKIP"], {0}, ("syntax-", "layout-")


def twice_in_a_list(maker, scope):
    name = maker.fresh("proc")
    sound = [f"PROC {name} (VAL INT a, b)", "  INT c:", "  c := a", ":", f"{name} (1, 2)"]
    return swap(sound, f"PROC {name} (VAL INT a, a)", 0, ("names-",))


# -- types


def assigned_type(maker, scope):
    kind = maker.rng.choice(list(OTHER))
    spec, name = variable(maker, kind)
    right, wrong = value_of(maker, scope, kind), value_of(maker, scope, OTHER[kind])
    sound = [spec, f"{name} := {right.text}"]
    other = [f"{OTHER[kind]} other{name}:", f"other{name} := {wrong.text}", ]
    more = [spec, other[0], "SEQ", "  " + other[1], f"  {name} := {right.text}"]
    if maker.chance(0.5):
        return swap(more, f"  {name} := other{name}", 4, ("types-",))
    return swap([spec, other[0], "SEQ", f"  {name} := {right.text}"], f"  {name} := {OTHER[kind]} other{name}", 3, ("types-",)) \
        if kind not in ("REAL64", "REAL32") else swap(sound, f"{name} := TRUE", 1, ("types-",))


def mixed_operands(maker, scope):
    kind = maker.rng.choice(INTS)
    one, a = variable(maker, kind)
    other = OTHER.get(kind, "INT")  # of UINTs
    two, b = variable(maker, other)
    three, c = variable(maker, "BOOL")
    operator = maker.rng.choice(["+", "-", "*", "PLUS", "/\\", "><", "/"])
    sound = [one, two, three, "SEQ", f"  {a}, {b} := 1 ({kind}), 1 ({other})", f"  {a} := {a} {operator} {a}",
             f"  {c} := {a} = {a}"]
    if maker.chance(0.5):
        return swap(sound, f"  {a} := {a} {operator} {b}", 5, ("types-",))
    return swap(sound, f"  {c} := {b} {maker.rng.choice(['=', '<', '>=', '<>', 'AFTER'])} {a}", 6, ("types-",))


def operator_of_other_types(maker, scope):
    spec, name = variable(maker, "BOOL")
    real, r = variable(maker, "REAL32")
    sound = [spec, real, "SEQ", f"  {name} := TRUE", f"  {r} := 1.0 (REAL32)", f"  {name} := NOT {name}"]
    wrong = maker.rng.choice([f"  {name} := {name} < {name}", f"  {name} := - {name}", f"  {r} := {r} PLUS {r}",
                              f"  {r} := {r} /\\ {r}", f"  {r} := ~ {r}", f"  {name} := NOT {r}", f"  {name} := {name} AND {r}",
                              f"  {r} := {r} << 1", f"  {name} := {name} + {name}", f"  {name} := {r} AFTER {r}"])
    return swap(sound, wrong, 5, ("types-",))


def names_of_one_declaration(maker, scope):
    """The wrong expression has no other names than its target has."""
    kind = maker.rng.choice(INTS)
    a, b, c, d = (maker.fresh("z") for _ in range(4))
    sound = [f"{kind} {a}, {b}:", f"BOOL {c}, {d}:", "SEQ", f"  {a}, {b} := 1 ({kind}), 2 ({kind})", f"  {c}, {d} := TRUE, FALSE",
             f"  {a} := {a} PLUS {b}"]
    wrong = maker.rng.choice([f"{a} := {a} = {b}", f"{a} := {b} < {b}", f"{a}, {b} := {b}, {a} > {b}", f"{a} := {b} AFTER {a}",
                              f"{c} := {a} PLUS {a}", f"{c}, {d} := {d}, {a} /\\ {b}", f"{a} := {c} = {d}", f"{a} := {c} AND {d}",
                              f"{a} := {a} PLUS ({a} = {b})", f"{c} := {c} AND ({a} PLUS {b})", f"{c} := {c} = {a}", f"{d} := NOT {b}"])
    return swap(sound, "  " + wrong, 5, ("types-",))


def condition_no_bool(maker, scope):
    spec, name = variable(maker, "INT")
    if maker.chance(0.5):
        sound = [spec, "SEQ", f"  {name} := 1", "  IF", f"    {name} = 1", "      SKIP", "    TRUE", "      SKIP"]
        return swap(sound, f"    {name}", 4, ("types-",))
    sound = [spec, "SEQ", f"  {name} := 1", f"  WHILE {name} < 1", f"    {name} := 2"]
    return swap(sound, f"  WHILE {name} + 1", 3, ("types-",))


def subscript_type(maker, scope):
    kind = maker.rng.choice(["BYTE", "INT16", "INT64", "BOOL", "REAL32"])
    spec, name = variable(maker, f"[4]{maker.rng.choice(INTS)}")
    index, i = variable(maker, kind)
    one = {"BOOL": "FALSE", "REAL32": "1.0 (REAL32)"}.get(kind, f"1 ({kind})")
    sound = [spec, index, "SEQ", f"  {i} := {one}", f"  {name}[1] := {name}[0]"]
    return swap(sound, f"  {name}[{i}] := {name}[0]", 4, ("types-",))


def not_an_array(maker, scope):
    spec, name = variable(maker, "INT")
    sound = [spec, f"{name} := 3"]
    return swap(sound, maker.rng.choice([f"{name}[0] := 3", f"{name} := SIZE {name}", f"[{name} FROM 0 FOR 1] := [1]"]), 1, ("types-",))


def subscript_range(maker, scope):
    size = maker.rng.randint(1, 9)
    spec, name = variable(maker, f"[{size}]{maker.rng.choice(INTS)}")
    sound = [spec, "SEQ", f"  {name}[{size - 1}] := 1 ({spec.split(']')[1].split()[0]})"]
    far = maker.rng.choice([size, size + 1, 1000, -1])
    return swap(sound, sound[2].replace(f"[{size - 1}]", f"[{far}]", 1), 2, ("types-subscript",))


def segment_range(maker, scope):
    size = maker.rng.randint(3, 9)
    one, a = variable(maker, f"[{size}]INT")
    two, b = variable(maker, "[2]INT")
    sound = [one, two, "SEQ", f"  {a} := [q = 0 FOR {size} | q]", f"  {b} := [{a} FROM {size - 2} FOR 2]"]
    wrong = maker.rng.choice([f"  {b} := [{a} FROM {size - 1} FOR 2]", f"  {b} := [{a} FROM -1 FOR 2]", f"  {b} := [{a} FROM 1 FOR -2]",
                              f"  {b} := [{a} FOR {size + 1}]", f"  {b} := [{a} FROM {size + 1}]"])
    return swap(sound, wrong, 4, ("types-",))


def array_size(maker, scope):
    one, a = variable(maker, "[3]INT")
    two, b = variable(maker, "[4]INT")
    sound = [one, two, "SEQ", f"  {a} := [1, 2, 3]", f"  {b} := [1, 2, 3, 4]", f"  {a} := [{b} FOR 3]"]
    wrong = maker.rng.choice([f"  {a} := {b}", f"  {a} := [1, 2]", f"  {a} := [{b} FROM 2 FOR 2]", f"  {a} := [{b} FROM 0]"])
    return swap(sound, wrong, 5, ("types-",))


def table_of_two_types(maker, scope):
    spec, name = variable(maker, "[2]INT")
    sound = [spec, f"{name} := [1, 2]"]
    return swap(sound, maker.rng.choice([f"{name} := [1, TRUE]", f"{name} := [1, 2 (INT16)]", f"{name} := [[1], [2]]"]), 1, ("types-",))


def constant_overflow(maker, scope):
    kind = maker.rng.choice(["BYTE", "INT16", "INT", "INT64"])
    most = {"BYTE": 255, "INT16": 32767, "INT": 2147483647, "INT64": 9223372036854775807}[kind]
    spec, name = variable(maker, kind)
    sound = [spec, f"{name} := {most} ({kind})"]
    wrong = [f"{name} := {most + 1} ({kind})", f"{name} := {most} ({kind}) + (1 ({kind}))", f"{name} := (MOSTPOS {kind}) + (1 ({kind}))",
             f"{name} := (2 ({kind})) * (MOSTPOS {kind})", f"{name} := (MOSTNEG {kind}) - (1 ({kind}))"]
    wrong = [w for w in wrong if not w.startswith(f"{name} := {most} (")]
    return swap(sound, maker.rng.choice(wrong), 1, ("types-", "lexical-number-range"))


def constant_division(maker, scope):
    spec, name = variable(maker, "INT")
    sound = [spec, f"{name} := 7 / 2"]
    return swap(sound, maker.rng.choice([f"{name} := 7 / 0", f"{name} := 7 \\ (3 - 3)", f"{name} := 7 << 33", f"{name} := 7 >> (-1)"]), 1,
                ("types-",))


def constant_conversion(maker, scope):
    spec, name = variable(maker, "BYTE")
    sound = [spec, f"{name} := BYTE 255"]
    return swap(sound, maker.rng.choice([f"{name} := BYTE 256", f"{name} := BYTE (-1)", f"{name} := BYTE (INT16 40000)"]), 1, ("types-",))


def negative_count(maker, scope):
    word = maker.rng.choice(["SEQ", "PAR"])
    i = maker.fresh("i")
    sound = [f"{word} {i} = 0 FOR 3", "  SKIP"]
    return swap(sound, maker.rng.choice([f"{word} {i} = 0 FOR -1", f"{word} {i} = 0 FOR 2 - 3"]), 0, ("types-replicator",))


def count_type(maker, scope):
    spec, name = variable(maker, "INT64")
    i = maker.fresh("i")
    sound = [spec, "SEQ", f"  {name} := 3 (INT64)", f"  SEQ {i} = 0 FOR INT {name}", "    SKIP"]
    return swap(sound, f"  SEQ {i} = 0 FOR {name}", 3, ("types-",))


def conversion_without_rounding(maker, scope):
    spec, name = variable(maker, "REAL32")
    other, x = variable(maker, "INT")
    double, d = variable(maker, "REAL64")
    sound = [spec, other, double, "SEQ", f"  {x}, {d} := 3, 2.0 (REAL64)", f"  {name} := REAL32 ROUND {x}"]
    return swap(sound, maker.rng.choice([f"  {name} := REAL32 {x}", f"  {name} := REAL32 {d}", f"  {x} := INT {d}",
                                         f"  {x} := INT ROUND {x}", f"  {d} := REAL64 ROUND TRUE"]), 5, ("types-",))


def conversion_of_an_array(maker, scope):
    spec, name = variable(maker, "[2]INT")
    other, x = variable(maker, "INT64")
    sound = [spec, other, "SEQ", f"  {name} := [1, 2]", f"  {x} := INT64 {name}[0]"]
    return swap(sound, f"  {x} := INT64 {name}", 4, ("types-",))


def shift_count_type(maker, scope):
    spec, name = variable(maker, "BYTE")
    sound = [spec, "SEQ", f"  {name} := 1", f"  {name} := {name} << (INT {name})"]
    return swap(sound, f"  {name} := {name} << {name}", 3, ("types-",))


def field_name(maker, scope):
    kind, field = maker.fresh("REC"), maker.fresh("h")
    spec, name = variable(maker, kind)
    sound = [f"DATA TYPE {kind}", "  RECORD", f"    INT {field}, other:", ":", spec, "SEQ", f"  {name}[{field}] := 1", f"  {name}[other] := 2"]
    wrong = maker.rng.choice([f"  {name}[nofield] := 2", f"  {name}[0] := 2", f"  {name}[other] := TRUE", f"  {name} := [1]",
                              f"  {name} := [1, 2, 3]", f"  {name}[other][0] := 2"])
    return swap(sound, wrong, 7, ("types-", "names-"))


def named_type(maker, scope):
    kind = maker.fresh("LENGTH")
    spec, name = variable(maker, kind)
    other, x = variable(maker, "INT")
    sound = [f"DATA TYPE {kind} IS INT:", spec, other, "SEQ", f"  {name}, {x} := 3, 4", f"  {name} := {kind} {x}"]
    return swap(sound, maker.rng.choice([f"  {name} := {x}", f"  {x} := {name}", f"  {x} := {name} + {x}"]), 5, ("types-",))


def retypes_size(maker, scope):
    spec, name = variable(maker, "INT")
    sound = [spec, "SEQ", f"  {name} := 5", f"  VAL [4]BYTE b RETYPES {name}:", f"  {name}.use := b[0]"]
    sound = [spec, "BYTE use:", "SEQ", f"  {name} := 5", f"  VAL [4]BYTE b RETYPES {name}:", "  use := b[0]"]
    wrong = maker.rng.choice([f"  VAL [3]BYTE b RETYPES {name}:", f"  VAL [8]BYTE b RETYPES {name}:", f"  VAL [2][3]BYTE b RETYPES {name}:"])
    if wrong.startswith("  VAL [2]"):
        sound[5] = "  use := 1"
    return swap(sound, wrong, 4, ("types-retypes",))


def reshapes_count(maker, scope):
    spec, name = variable(maker, "[6]INT")
    sound = [spec, "SEQ", f"  [2][3]INT b RESHAPES {name}:", "  b[1][2] := 0"]
    return swap(sound, maker.rng.choice([f"  [2][4]INT b RESHAPES {name}:", f"  [3][3]INT b RESHAPES {name}:"]), 2, ("types-",))


def assignment_count(maker, scope):
    spec, name = variable(maker, "INT")
    other, x = variable(maker, "INT")
    sound = [spec, other, f"{name}, {x} := 1, 2"]
    return swap(sound, maker.rng.choice([f"{name}, {x} := 1", f"{name}, {x} := 1, 2, 3", f"{name} := 1, 2"]), 2, ("types-",))


def read_only(maker, scope):
    spec, name = variable(maker, "INT")
    which = maker.rng.randrange(4)
    if which == 0:
        sound = [spec, f"VAL INT k IS {maker.rng.randint(0, 9)}:", f"{name} := k"]
        return swap(sound, "k := 1", 2, ("types-",))
    if which == 1:
        sound = [spec, "SEQ k = 0 FOR 3", f"  {name} := k"]
        return swap(sound, "  k := 1", 2, ("types-",))
    if which == 2:
        p = maker.fresh("proc")
        sound = [f"PROC {p} (VAL INT k, INT r)", "  r := k", ":", spec, f"{p} (1, {name})"]
        return swap(sound, "  k := 1", 1, ("types-",))
    p = maker.fresh("proc")
    sound = [f"PROC {p} (INT r)", "  r := 1", ":", spec, "SEQ", f"  {name} := 0", f"  {p} ({name})"]
    return swap(sound, maker.rng.choice([f"  {p} (1)", f"  {p} ({name} + 1)"]), 6, ("types-",))


def actual_count(maker, scope):
    p = maker.fresh("proc")
    sound = [f"PROC {p} (VAL INT a, VAL BOOL b)", "  IF", "    b", "      ASSERT (a = a)", "    TRUE", "      SKIP", ":", f"{p} (1, TRUE)"]
    return swap(sound, maker.rng.choice([f"{p} (1)", f"{p} ()", f"{p} (1, TRUE, 2)"]), 7, ("types-actual",))


def actual_type(maker, scope):
    p = maker.fresh("proc")
    kind = maker.rng.choice(["INT", "INT16", "[3]INT", "[]INT"])
    spec, name = variable(maker, "[3]INT" if "[" in kind else kind)
    other, x = variable(maker, maker.rng.choice(["REAL32", "BOOL", "[4]INT64", "INT64"]))
    mode = maker.rng.choice(["", "VAL ", "RESULT "])
    use = f"ASSERT ((SIZE a) = 3)" if "[" in kind else "ASSERT (a = a)"
    if mode == "RESULT ":
        use = "a[0] := 1" if "[" in kind else f"a := 1 ({kind})"
    sound = [f"PROC {p} ({mode}{kind} a)", f"  {use}", ":", spec, other, f"{p} ({name})"]
    return swap(sound, f"{p} ({x})", 5, ("types-",))


def function_result(maker, scope):
    f = maker.fresh("fun")
    spec, name = variable(maker, "INT")
    sound = [f"INT, BOOL FUNCTION {f} (VAL INT a) IS a PLUS 1, a = 1:", spec, "BOOL b:", "INT w:", f"{name}, b := {f} (1)"]
    return swap(sound, maker.rng.choice([f"{name} := {f} (1)", f"{name}, b, w := {f} (1)",
                                         f"{name} := 1 + {f} (1)", f"{f} (1)"]), 4, ("types-", "names-"))


def side_effect(maker, scope):
    f = maker.fresh("fun")
    spec, name = variable(maker, "INT")
    sound = [spec, f"INT FUNCTION {f} (VAL INT a)", "  INT r:", "  VALOF", "    r := a", "    RESULT r", ":", f"{name} := {f} (1)"]
    if maker.chance(0.5):
        return swap(sound, f"    {name} := a", 4, ("types-valof",))
    wrong = sound[:4] + maker.rng.choice([["    PAR", "      r := a", "      SKIP"], ["    TIMER t:", "    t ? r"],
                                          ["    CHAN INT c:", "    c ! a"]]) + sound[5:]
    return sound, wrong, {4, 5}, ("types-valof",)


def function_formal(maker, scope):
    f = maker.fresh("fun")
    spec, name = variable(maker, "INT")
    sound = [f"INT FUNCTION {f} (VAL INT a) IS a PLUS 1:", spec, "SEQ", f"  {name} := 0", f"  {name} := {f} ({name})"]
    return swap(sound, f"INT FUNCTION {f} (INT a) IS a PLUS 1:", 0, ("types-function",))


def case_duplicate(maker, scope):
    spec, name = variable(maker, "INT")
    sound = [spec, "SEQ", f"  {name} := 1", f"  CASE {name}", "    1, 2", "      SKIP", "    3", "      SKIP", "    ELSE", "      SKIP"]
    return swap(sound, maker.rng.choice(["    2", "    3, 3", "    TRUE", "    3 (INT64)", "    1 + 1"]), 6, ("types-",))


def case_selector(maker, scope):
    spec, name = variable(maker, "REAL32")
    sound = [spec, "SEQ", f"  {name} := 1.0", f"  CASE INT ROUND {name}", "    1", "      SKIP", "    ELSE", "      SKIP"]
    return swap(sound, f"  CASE {name}", 3, ("types-",))


# -- usage


def race(maker, scope):
    spec, name = variable(maker, maker.rng.choice(INTS))
    kind = spec.split()[0]
    other, x = variable(maker, kind)
    e, f = value_of(maker, scope, kind), value_of(maker, scope, kind)
    sound = [spec, other, "SEQ", f"  {name}, {x} := 0 ({kind}), 0 ({kind})", "  PAR", f"    {name} := {e.text}", "    SEQ",
             f"      {x} := {f.text}"]
    wrong = maker.rng.choice([f"      {name} := {f.text}", f"      {x} := {name}", f"      {x}, {name} := {f.operand}, 0 ({kind})"])
    return sound, sound[:7] + [wrong], {5, 7}, ("usage-parallel",)


def race_by_call(maker, scope):
    spec, name = variable(maker, "INT")
    p = maker.fresh("proc")
    sound = [spec, "SEQ", f"  {name} := 0", f"  PROC {p} ()", f"    {name} := {name} PLUS 1", "  :", "  PAR", "    SKIP", f"    {p} ()"]
    wrong = sound[:7] + [maker.rng.choice([f"    {p} ()", f"    {name} := 1", f"    ASSERT ({name} = 0)"])] + sound[8:]
    return sound, wrong, {7, 8}, ("usage-parallel",)


def race_replicated(maker, scope):
    size = maker.rng.randint(3, 9)
    spec, name = variable(maker, f"[{size}]INT")
    other, x = variable(maker, "INT")
    i = maker.fresh("i")
    sound = [spec, other, "SEQ", f"  {x} := 0", f"  {name} := [q = 0 FOR {size} | q]", f"  PAR {i} = 0 FOR {size - 1}", f"    {name}[{i}] := {i}"]
    wrong = maker.rng.choice([f"    {x} := {i}", f"    {name}[0] := {i}", f"    {name}[{i}] := {name}[{i} + 1]", f"    {name}[{i} / 2] := {i}",
                              f"    {name}[{i}], {x} := {i}, {i}", f"    [{name} FROM {i} FOR 2] := [0, {i}]", f"    {name}[{i} \\ 2] := {i}"])
    return swap(sound, wrong, 6, ("usage-parallel", "usage-unproved") if size == 3 else ("usage-parallel",)) \
        if size > 3 else race_by_call(maker, scope)


def race_of_segments(maker, scope):
    spec, name = variable(maker, "[8]INT")
    p = maker.fresh("proc")
    sound = [f"PROC {p} ([]INT a)", "  SEQ i = 0 FOR SIZE a", "    a[i] := i", ":", spec, "PAR", f"  {p} ([{name} FOR 4])",
             f"  {p} ([{name} FROM 4 FOR 4])"]
    wrong = maker.rng.choice([f"  {p} ([{name} FROM 3 FOR 4])", f"  {p} ({name})", f"  {name}[3] := 0", f"  {p} ([{name} FROM 0 FOR 1])"])
    return sound, sound[:7] + [wrong], {6, 7}, ("usage-parallel",)


def race_of_fields(maker, scope):
    kind = maker.fresh("REC")
    spec, name = variable(maker, kind)
    sound = [f"DATA TYPE {kind}", "  RECORD", "    INT a:", "    [4]INT b:", ":", spec, "PAR", f"  {name}[a] := 1", f"  {name}[b][1] := 2"]
    wrong = maker.rng.choice([f"  {name}[a] := 2", f"  {name}[b] := [{name}[a], 2, 3, 4]", f"  {name} := [1, [1, 2, 3, 4]]"])
    return sound, sound[:8] + [wrong], {7, 8}, ("usage-parallel",)


def channel_two_outputs(maker, scope):
    c, x = maker.fresh("c"), maker.fresh("z")
    sound = [f"CHAN INT {c}:", f"INT {x}:", "PAR", f"  {c} ! 1", f"  {c} ? {x}"]
    if maker.chance(0.5):
        return sound, sound + [f"  {c} ! 2"], {3, 5}, ("usage-parallel",)
    return sound, [sound[0], f"INT {x}, y:"] + sound[2:] + [f"  {c} ? y"], {4, 5}, ("usage-parallel",)


def channels_of_an_array(maker, scope):
    c, i = maker.fresh("c"), maker.fresh("i")
    sound = [f"[4]CHAN INT {c}:", "PAR", f"  PAR {i} = 0 FOR 4", f"    {c}[{i}] ! {i}", f"  SEQ {i} = 0 FOR 4", "    INT x:",
             f"    {c}[{i}] ? x"]
    wrong = maker.rng.choice([f"    {c}[{i} / 2] ! {i}", f"    {c}[0] ! {i}", f"    {c}[({i} + 1) \\ 3] ! {i}"])
    return swap(sound, wrong, 3, ("usage-parallel",))


# -- aliasing


def alias_of_a_name(maker, scope):
    spec, name = variable(maker, "INT")
    other, x = variable(maker, "INT")
    sound = [spec, other, "SEQ", f"  {name} := 1", f"  y IS {name}:", "  SEQ", "    y := 2", f"    {x} := y"]
    wrong = maker.rng.choice([f"    {x} := {name}", f"    {name} := 1", f"    {x}, {name} := 1, 2", f"    {x} := y PLUS {name}"])
    return swap(sound, wrong, 7, ("alias-",))


def alias_of_a_value(maker, scope):
    spec, name = variable(maker, "[4]INT")
    sound = [spec, "INT i:", "SEQ", f"  i, {name} := 1, [1, 2, 3, 4]", f"  VAL y IS {name}[i]:", f"  {name}[2] := y"]
    sound = [spec, "INT i:", "SEQ", f"  i, {name} := 1, [1, 2, 3, 4]", f"  VAL y IS {name}[1]:", "  SEQ", f"    {name}[2] := y", "    i := 3"]
    which = maker.rng.randrange(3)
    if which == 0:
        return swap(sound, f"    {name}[1] := y", 6, ("alias-",))
    if which == 1:
        return swap(sound, f"    {name} := [y, y, y, y]", 6, ("alias-",))
    sound = sound[:4] + [f"  y IS {name}[i]:", "  SEQ", "    y := 1", "    y := y + 1"]
    return swap(sound, "    i := 3", 7, ("alias-",))


def alias_of_actuals(maker, scope):
    p = maker.fresh("proc")
    mode = maker.rng.choice(["", "VAL "])
    spec, name = variable(maker, "[4]INT")
    sound = [f"PROC {p} ([]INT a, {mode}[]INT b)", "  a[0] := b[0]", ":", spec, "SEQ", f"  {name} := [1, 2, 3, 4]",
             f"  {p} ([{name} FOR 2], [{name} FROM 2])"]
    return swap(sound, maker.rng.choice([f"  {p} ({name}, {name})", f"  {p} ([{name} FOR 3], [{name} FROM 2])",
                                         f"  {p} ([{name} FROM 1 FOR 1], {name})"]), 6, ("alias-",))


def alias_of_a_free_name(maker, scope):
    p = maker.fresh("proc")
    spec, name = variable(maker, "INT")
    sound = [spec, "INT other:", "SEQ", f"  {name}, other := 1, 2", f"  PROC {p} (INT a)", f"    a := {name}", "  :", f"  {p} (other)"]
    return swap(sound, f"  {p} ({name})", 7, ("alias-",))


def alias_in_an_assignment(maker, scope):
    spec, name = variable(maker, "[8]INT")
    sound = [spec, "INT i:", "SEQ", f"  {name} := [q = 0 FOR 8 | q]", "  i := 1", f"  [{name} FOR 3] := [{name} FROM 4 FOR 3]"]
    return swap(sound, maker.rng.choice([f"  [{name} FOR 3] := [{name} FROM 2 FOR 3]", "  i, i := 1, 2", f"  {name}[1], {name}[1] := 1, 2",
                                         f"  i, {name}[i] := 1, 2", f"  {name}, {name}[3] := [q = 0 FOR 8 | q], 1"]), 5, ("alias-", "usage-target"))


# -- channels and protocols


def item_type(maker, scope):
    c, x = maker.fresh("c"), maker.fresh("z")
    kind = maker.rng.choice(["INT", "BYTE", "INT16", "REAL64"])
    other = OTHER[kind]
    one = {"REAL64": "1.0 (REAL64)"}.get(kind, f"1 ({kind})")
    two = f"1 ({other})"
    sound = [f"CHAN {kind} {c}:", f"{kind} {x}:", f"{other} w:", "PAR", f"  {c} ! {one}", f"  {c} ? {x}"]
    if maker.chance(0.5):
        return swap(sound, f"  {c} ! {two}", 4, ("types-",))
    return swap(sound, f"  {c} ? w", 5, ("types-",))


def sequential_items(maker, scope):
    p, c = maker.fresh("PR"), maker.fresh("c")
    sound = [f"PROTOCOL {p} IS INT; BOOL; INT::[]BYTE:", f"CHAN {p} {c}:", "INT x, n:", "BOOL b:", "[9]BYTE s:", "PAR",
             f"  {c} ! 1; TRUE; 3::\"abc\"", f"  {c} ? x; b; n::s"]
    if maker.chance(0.5):
        wrong = maker.rng.choice([f"  {c} ! 1; TRUE", f"  {c} ! 1", f"  {c} ! 1; TRUE; \"abc\"",
                                  f"  {c} ! 1; TRUE; 3::\"abc\"; 2", f"  {c} ! 1; TRUE; 4::\"abc\"",
                                  f"  {c} ! 1; TRUE; 'a'::7"])
        return swap(sound, wrong, 6, ("types-",))
    wrong = maker.rng.choice([f"  {c} ? x; b", f"  {c} ? x; b; s", f"  {c} ? x; b; n::s; x", f"  {c} ? x",
                              f"  {c} ? CASE"])
    return swap(sound, wrong, 7, ("types-",))


def variants(maker, scope):
    p, c = maker.fresh("PR"), maker.fresh("c")
    sound = [f"PROTOCOL {p}", "  CASE", "    number; INT", "    flag; BOOL", "    end", ":", f"CHAN {p} {c}:", "PAR",
             f"  {c} ! number; 3", f"  {c} ? CASE", "    INT x:", "    number; x", "      SKIP", "    BOOL b:", "    flag; b", "      SKIP",
             "    end", "      SKIP"]
    if maker.chance(0.5):
        wrong = maker.rng.choice([f"  {c} ! number", f"  {c} ! nothing; 3", f"  {c} ! 3", f"  {c} ! number; TRUE", f"  {c} ! end; 3",
                                  f"  {c} ! flag; 3", f"  {c} ! number; 3; 4", f"  {c} ! number; end"])
        return swap(sound, wrong, 8, ("types-", "names-"))
    at, wrong = maker.rng.choice([(11, "    numbr; x"), (11, "    number"), (16, "    number"), (14, "    flag; b; b"),
                                  (16, "    stop"), (9, f"  {c} ? x")])
    if at == 9:
        return sound, sound[:9] + ["  INT x:", f"  {c} ? x"], {10}, ("types-",)
    if wrong == "    number" and at == 16:
        return sound, sound[:16] + ["    INT w:", "    number; w", "      SKIP"], {17}, ("types-variant",)
    return swap(sound, wrong, at, ("types-", "names-"))


def direction(maker, scope):
    p = maker.fresh("proc")
    sound = [f"PROC {p} (CHAN INT in?, out!)", "  INT x:", "  SEQ", "    in ? x", "    out ! x", ":", "CHAN INT a, b:", "INT y:", "PAR",
             f"  {p} (a?, b!)", "  a ! 1", "  b ? y"]
    which = maker.rng.randrange(3)
    if which == 0:
        return swap(sound, "    in ! 3", 3, ("types-",))
    if which == 1:
        return swap(sound, "    out ? x", 4, ("types-",))
    return swap(sound, maker.rng.choice([f"  {p} (a!, b!)", f"  {p} (a?, b?)", f"  {p} (a, b?)"]), 9, ("types-",))


def protocol_of_a_parameter(maker, scope):
    p = maker.fresh("proc")
    sound = [f"PROC {p} (CHAN INT in?)", "  INT x:", "  in ? x", ":", "CHAN INT a:", "CHAN BYTE b:", "PAR", f"  {p} (a?)", "  a ! 1"]
    wrong = sound[:7] + [f"  {p} (b?)", "  b ! 1"]
    return sound, wrong, {7}, ("types-",)


def no_channel(maker, scope):
    spec, name = variable(maker, "INT")
    c = maker.fresh("c")
    sound = [spec, f"CHAN INT {c}:", "PAR", f"  {c} ! 1", f"  {c} ? {name}"]
    at, wrong = maker.rng.choice([(3, f"  {name} ! 1"), (4, f"  {name} ? {name}"), (3, f"  {c} := 1"), (4, f"  {name} := {c}"),
                                  (4, f"  {c} ? AFTER {name}")])
    return swap(sound, wrong, at, ("types-",))


def guard(maker, scope):
    c, x = maker.fresh("c"), maker.fresh("z")
    sound = [f"CHAN INT {c}:", f"INT {x}:", "TIMER t:", "PAR", f"  {c} ! 1", "  ALT", f"    {c} ? {x}", "      SKIP",
             "    FALSE & t ? AFTER 3", "      SKIP"]
    at, wrong = maker.rng.choice([(6, f"    {x} ? {x}"), (6, f"    3 & {c} ? {x}"), (8, "    t ? AFTER TRUE"), (6, f"    {c} ? TRUE"),
                                  (8, "    FALSE & t ? AFTER 3 (INT64)"), (6, f"    {x} & {c} ? {x}")])
    return swap(sound, wrong, at, ("types-", "syntax-"))


# -- occam-pi


def shared_without_claim(maker, scope):
    c = maker.fresh("c")
    sound = [f"SHARED! CHAN INT {c}:", "PAR", "  PAR i = 0 FOR 2", f"    CLAIM {c} ! i", "  SEQ i = 0 FOR 2", "    INT x:", f"    {c} ? x"]
    return swap(sound, f"    {c} ! i", 3, ("types-",))


def claim_twice(maker, scope):
    c = maker.fresh("c")
    sound = [f"SHARED! CHAN INT {c}:", "PAR", f"  CLAIM {c}!", "    SEQ", f"      {c} ! 1", f"      {c} ! 2", "  SEQ i = 0 FOR 2", "    INT x:",
             f"    {c} ? x"]
    return swap(sound, f"      CLAIM {c} ! 2", 5, ("types-",))


def fork_of_a_variable(maker, scope):
    p = maker.fresh("proc")
    spec, name = variable(maker, "INT")
    sound = [f"PROC {p} (VAL INT a)", "  ASSERT (a = a)", ":", spec, "SEQ", f"  {name} := 1", "  FORKING", f"    FORK {p} ({name})"]
    return sound, [f"PROC {p} (INT a)"] + sound[1:], {7}, ("types-fork",)


def clone_of_a_plain_value(maker, scope):
    spec, name = variable(maker, "MOBILE []INT")
    other, x = variable(maker, "INT")
    sound = [spec, other, "SEQ", f"  {name} := MOBILE [3]INT", f"  {x} := SIZE {name}"]
    return swap(sound, maker.rng.choice([f"  {x} := CLONE {x}", f"  {name} := MOBILE [3]BYTE", f"  {name} := MOBILE [2][2]INT", f"  {x} := {name}",
                                         f"  {name} := 3"]), 4, ("types-",))


def bundle_direction(maker, scope):
    kind = maker.fresh("BUN")
    sound = [f"CHAN TYPE {kind}", "  MOBILE RECORD", "    CHAN INT ask?:", "    CHAN INT reply!:", ":", f"{kind}! c:", f"{kind}? s:", "SEQ",
             f"  c, s := MOBILE {kind}", "  PAR", "    INT x:", "    SEQ", "      c[ask] ! 1", "      c[reply] ? x", "    INT y:", "    SEQ",
             "      s[ask] ? y", "      s[reply] ! y"]
    at, wrong = maker.rng.choice([(12, "      c[reply] ! 1"), (13, "      c[ask] ? x"), (16, "      s[reply] ? y"), (17, "      s[ask] ! y"),
                                  (12, "      c[none] ! 1"), (12, "      c[ask] ! TRUE")])
    return swap(sound, wrong, at, ("types-", "names-"))


def operator_types(maker, scope):
    kind = maker.fresh("REC")
    spec, name = variable(maker, kind)
    sound = [f"DATA TYPE {kind}", "  RECORD", "    INT a, b:", ":", f"{kind} FUNCTION \"+\" (VAL {kind} x, y) IS [x[a] PLUS y[a], 0]({kind}):",
             spec, "SEQ", f"  {name} := [1, 2]", f"  {name} := {name} + {name}"]
    return swap(sound, maker.rng.choice([f"  {name} := {name} - {name}", f"  {name} := {name} + 1", f"  {name} := - {name}",
                                         f"  {name}[a] := {name} + {name}"]), 8, ("types-",))


# -- text


def precedence(maker, scope):
    spec, name = variable(maker, "INT")
    sound = [spec, f"{name} := 1 + (2 * 3)"]
    return swap(sound, maker.rng.choice([f"{name} := 1 + 2 * 3", f"{name} := 1 + 2 + 3", f"{name} := - 1 + 2", f"{name} := INT 'a' + 2",
                                         f"{name} := 1 + INT 'a'", f"{name} := SIZE [1, 2] - 1"]), 1, ("syntax-",))


def and_or_mixed(maker, scope):
    spec, name = variable(maker, "BOOL")
    sound = [spec, f"{name} := (TRUE AND FALSE) OR TRUE"]
    return swap(sound, maker.rng.choice([f"{name} := TRUE AND FALSE OR TRUE", f"{name} := NOT TRUE AND FALSE", f"{name} := 1 = 1 AND TRUE"]), 1,
                ("syntax-",))


def words_of_other_languages(maker, scope):
    spec, name = variable(maker, "INT")
    sound = [spec, "SEQ", f"  {name} := 1", "  IF", f"    {name} = 1", f"      {name} := 2", "    TRUE", "      SKIP"]
    at, wrong = maker.rng.choice([(2, f"  {name} = 1"), (4, f"    {name} == 1"), (4, f"    {name} != 1"), (5, f"      {name}++"),
                                  (5, f"      {name} += 1"), (4, f"    {name} = 1 && TRUE"), (5, f"      {name} := 2;"), (2, f"  {name} <- 1"),
                                  (5, f"      {name} := {name} % 2"), (7, "      skip"), (6, "    ELSE"), (3, "  if"), (5, f"      return {name}"),
                                  (2, f"  {name} := 1 // one"), (5, f"      {name} := 0x12"), (6, "    true")])
    return swap(sound, wrong, at, ())


def broken_literal(maker, scope):
    spec, name = variable(maker, "BYTE")
    sound = [spec, f"{name} := 'a'"]
    return swap(sound, maker.rng.choice([f"{name} := 'ab'", f"{name} := 'a", f"{name} := ''", f"{name} := '*#GG'", f"{name} := 1.0E5 (BYTE)",
                                         f"{name} := #fg", f"{name} := \"a", f"{name} := '*q'", f"{name} := 300"]), 1, ())


# -- declarations and headings


def declared_type(maker, scope):
    """The declaration is wrong, and every use of it right: the first use shows it."""
    kind = maker.rng.choice([k for k in OTHER if k in INTS])
    other = maker.rng.choice(["BOOL", OTHER[kind]])
    e = value_of(maker, scope, kind)
    typed = f"({e.text}) \\/ (MOSTPOS {kind})"  # a number by itself may be of any type
    z, w, p, c = maker.fresh("z"), maker.fresh("z"), maker.fresh("proc"), maker.fresh("c")
    forms = [
        ([f"{kind} {z}:", f"{z} := {typed}"], 0, {1}),
        ([f"INITIAL {kind} {z} IS {typed}:", f"{z} := {z}"], 0, {0}),
        ([f"VAL {kind} {z} IS {typed}:", f"{kind} {w}:", f"{w} := {z}"], 0, {0}),
        ([f"[3]{kind} {z}:", f"{z}[1] := {typed}"], 0, {1}),
        ([f"{kind} {z}:", "SEQ", f"  {z} := {e.text}", f"  {kind} {w} IS {z}:", f"  {w} := {w}"], 3, {3}),
        ([f"PROC {p} ({kind} a)", f"  a := 1 ({kind})", ":", f"{kind} {z}:", f"{p} ({z})"], 3, {4}),
        ([f"{kind} FUNCTION {p} (VAL {kind} a) IS a:", f"{kind} {z}:", f"{z} := {p} (1 ({kind}))"], 1, {2}),
        ([f"CHAN {kind} {c}:", "PAR", f"  {c} ! {e.text}", f"  {kind} {z}:", f"  {c} ? {z}"], 3, {4}),
        ([f"PROTOCOL PR{z} IS {kind}; BOOL:", f"CHAN PR{z} {c}:", "PAR", f"  {c} ! {e.text}; TRUE", f"  {kind} {z}:", "  BOOL w:", f"  {c} ? {z}; w"], 4, {6}),
        ([f"DATA TYPE REC{z}", "  RECORD", f"    {kind} a:", "    BOOL b:", ":", f"REC{z} {w}:", f"{w}[a] := {typed}"], 2, {6})]
    sound, number, at = maker.rng.choice(forms)
    wrong = sound[number].replace(kind, other, 1)
    return sound, sound[:number] + [wrong] + sound[number + 1:], at, ("types-",)


def heading(maker, scope):
    """One slip in the first line of a construct or definition: its block and its end are fine."""
    p, f, i, z = maker.fresh("proc"), maker.fresh("fun"), maker.fresh("i"), maker.fresh("z")
    proc = [f"PROC {p} (VAL INT a, INT b)", "  b := a", ":", f"INT {z}:", f"{p} (1, {z})"]
    function = [f"INT FUNCTION {f} (VAL INT a)", "  INT r:", "  VALOF", "    r := a", "    RESULT r", ":", f"INT {z}:", f"{z} := {f} (1)"]
    loop = [f"SEQ {i} = 0 FOR 3", f"  INT {z}:", f"  {z} := {i}"]
    bounded = [f"INT {z}:", "SEQ", f"  {z} := 0", f"  WHILE {z} < 3", f"    {z} := {z} + 1"]
    case = [f"INT {z}:", "SEQ", f"  {z} := 0", f"  CASE {z}", "    0", f"      {z} := 1", "    ELSE", "      SKIP"]
    record = [f"DATA TYPE REC{z}", "  RECORD", "    INT a:", "    BOOL b:", ":", f"REC{z} {z}:", f"{z}[a] := 1"]
    protocol = [f"PROTOCOL PR{z}", "  CASE", "    one; INT", "    two", ":", f"CHAN PR{z} {z}:", "PAR", f"  {z} ! two", f"  {z} ? CASE", "    INT x:",
                "    one; x", "      SKIP", "    two", "      SKIP"]
    sound, number, wrong = maker.rng.choice(
        [(proc, 0, w) for w in (f"PROC {p} (VAL INT a, INT b", f"PROC {p} VAL INT a, INT b)", f"PROC {p} (VAL INT a INT b)", f"PROC {p} (VAL INT a, INT b):",
                                f"PROC {p} (VAL a, INT b)", f"PROC {p} (VAL INT a, b INT)", f"PROC {p} (VAL INT a; INT b)", f"PROC ({p} VAL INT a, INT b)",
                                f"PROC {p} [VAL INT a, INT b]", f"PROC {p} (VAL INT a,, INT b)", f"proc {p} (VAL INT a, INT b)", f"PROC {p} (VAL INT a, INT b,)",
                                f"{p} (VAL INT a, INT b)", f"PROC {p} (VAL int a, INT b)", f"PROC (VAL INT a, INT b)", f"PROC {p} (VAL INT a, INT b) IS")]
        + [(function, 0, w) for w in (f"INT FUNCTION {f} (VAL INT a", f"INT FUNCTION (VAL INT a)", f"FUNCTION {f} (VAL INT a)", f"INT {f} (VAL INT a)",
                                      f"INT FUNCTION {f} (VAL INT a):", f"INT function {f} (VAL INT a)", f"INT FUNCTION {f} VAL INT a)", f"INT, FUNCTION {f} (VAL INT a)")]
        + [(loop, 0, w) for w in (f"SEQ {i} = 0 TO 3", f"SEQ {i} = 0", f"SEQ {i} FOR 3", f"SEQ {i} := 0 FOR 3", f"SEQ {i} = FOR 3", f"SEQ {i} = 0 FOR",
                                  f"SEQ {i} = 0 FOR 3:", f"SEQ {i} = [0 FOR 3]", f"SEQ {i} IN 0 FOR 3", f"seq {i} = 0 FOR 3", f"FOR {i} = 0 FOR 3", f"SEQ {i} = 0 FOR 3 STEP")]
        + [(bounded, 3, "  " + w) for w in ("WHILE", f"WHILE {z} <", f"WHILE ({z} < 3", f"WHILE {z} < 3:", f"while {z} < 3", f"WHILE {z} < 3 DO", f"WHLE {z} < 3", f"WHILE {z} := 3")]
        + [(case, 3, "  " + w) for w in ("CASE", f"CASE {z}:", f"case {z}", f"CASE ({z}", f"CASE {z} OF", f"SWITCH {z}", f"CASE {z} =", f"CSE {z}")]
        + [(record, 0, w) for w in (f"DATA REC{z}", f"TYPE REC{z}", f"DATA TYPE REC{z}:", f"DATA TYPE REC{z} IS", "DATA TYPE", f"data TYPE REC{z}")]
        + [(record, 1, "  " + w) for w in ("RECORD:", "record", "STRUCT", "RECRD")]
        + [(protocol, 0, w) for w in (f"PROTOCOL PR{z}:", f"PROTOCOL PR{z} IS", "PROTOCOL", f"protocol PR{z}")]
        + [(protocol, 1, "  " + w) for w in ("CASE:", "case", "CASE one", "CSE")])
    return sound, sound[:number] + [wrong] + sound[number + 1:], {number, number + 1, number + 2}, ()  # it may go on


MISTAKES = [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == __name__
            and f.__name__ not in ("body", "swap", "value_of", "variable")]
