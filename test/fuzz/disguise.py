"""The same program in another dress: names that hide others, fields and tags named like variables, lines broken where they may be,
comments, blank lines, and conditions of the preprocessor that change nothing.

Every name that a generator makes (letters and a number) is declared where it first stands, and visible at most until the first line
that stands further left; so two names may become one when the earlier is not used where the later is visible."""

import re

NAME = re.compile(r"(?<![#.A-Za-z0-9])([A-Za-z]+)(\d+)(?![.A-Za-z0-9])")
TOKEN = re.compile(r'"(?:\*.|[^"*])*"|\'(?:\*#..|\*.|[^\'])\'|[A-Za-z][A-Za-z0-9.]*|#[0-9A-F]+|\d+(?:\.\d+(?:E[+-]\d+)?)?'
                   r"|<%|%>|<@|\+\+|!!|:=|::|<>|<=|>=|<<|>>|><|/\\|\\/|\[\]|\S")
# a line may be broken after these
BREAKS = set("+ - * / \\ /\\ \\/ >< ~ << >> = <> < <= > >= , ; := IS RETYPES RESHAPES FROM FOR STEP AND OR NOT AFTER PLUS MINUS TIMES REM BITAND "
             "BITOR BITNOT SIZE ROUND TRUNC <% %> <@ ++ !!".split())
WORDS = ("INT", "UINT", "REAL", "MULBY", "DIVBY", "DMULBY", "DDIVBY")
COMMENTS = ["--", "-- ( [ \" '", "--{{{", "-- SEQ", "--  :", "-- #IF", "--x := y"]
# marks of where processes begin and end, at the ends of lines (statement.py)
MARKS = re.compile(r"(?:[\x01\x02]\d+\x03)*$")


def margin(line):
    return len(line) - len(line.lstrip(" "))


class Names:
    """Where each name is declared, used and at most visible: numbers of lines."""

    def __init__(self, lines):
        self.first, self.uses, self.end, self.kind = {}, {}, {}, {}
        for number, line in enumerate(lines):
            for m in NAME.finditer(MARKS.sub("", line)):
                name = m.group()
                if m.group(1) in WORDS:
                    continue
                if name not in self.first:
                    self.first[name] = number
                    self.declare(name, m.group(1), number, lines)
                self.uses.setdefault(name, []).append(number)

    def declare(self, name, stem, number, lines):
        line, column = MARKS.sub("", lines[number]), margin(lines[number])
        self.kind[name] = {"h": "field", "tag": "tag"}.get(stem, "name")
        last = number
        is_heading = re.match(r"\s*(?:\w+ )*?(?:PROC|FUNCTION) ", line) or " FUNCTION " in line
        is_formal = is_heading and re.search(r"\(.*\b" + name + r"\b", line)
        if is_formal and line.rstrip().endswith(")"):
            while last + 1 < len(lines) and not (margin(lines[last]) == column and lines[last].strip().startswith(":")):
                last += 1
        elif not is_formal:
            while last + 1 < len(lines) and margin(lines[last + 1]) >= column:
                last += 1
        self.end[name] = last

    def may_share(self, a, b):
        early, late = sorted((a, b), key=lambda n: self.first[n])
        if self.first[early] == self.first[late]:
            return False
        return not any(self.first[late] <= use <= self.end[late] for use in self.uses[early])


def renamed(rng, lines):
    """Lines in which names share one spelling."""
    names = Names(lines)
    order = [n for n in names.first if names.kind[n] == "name"]
    groups, spelled = {}, {}
    rng.shuffle(order)
    for name in order:
        for other in rng.sample(list(groups), min(6, len(groups))) if rng.random() < 0.6 else ():
            if all(names.may_share(name, member) for member in groups[other]):
                groups[other].append(name)
                spelled[name] = other
                break
        else:
            groups[name] = [name]
    for kind in ("field", "tag"):
        mine = [n for n in names.first if names.kind[n] == kind]
        for name, other in zip(mine, rng.sample(order, min(len(order), len(mine)))):
            if rng.random() < 0.5:
                spelled[name] = other
    return moved(lines, [NAME.sub(lambda m: spelled.get(m.group(), m.group()), line) for line in lines])


def moved(old, new):
    """The lines of a VALOF in brackets stand where its bracket stands now."""
    found, opened = [], []
    for before, after in zip(old, new):
        shift = sum(by for _, by in opened)
        found.append(" " * (margin(before) + shift) + after.lstrip(" "))
        if opened and before.lstrip().startswith(")") and margin(before) == opened[-1][0]:
            opened.pop()
        if ":= (INITIAL" in before:
            opened.append((before.index(":= (INITIAL") + 3, found[-1].index(":= (INITIAL") - before.index(":= (INITIAL") - shift))
    return found


def filler(rng, column):
    """Lines that are nothing."""
    pick = rng.random()
    if pick < 0.3:
        return [""] if rng.random() < 0.5 else [" " * rng.randint(0, 20)]
    return [" " * rng.randint(0, column + 9) + rng.choice(COMMENTS)]


def broken(rng, line):
    """The line in several."""
    column, spans = margin(line), list(TOKEN.finditer(line))
    places = [m.end() for i, m in enumerate(spans[:-1]) if m.group() in BREAKS and i > 0 and spans[i + 1].group() != ":"]
    if not places or line.lstrip().startswith("#"):
        return [line]
    parts, start = [], 0
    for place in sorted(rng.sample(places, rng.randint(1, min(3, len(places))))):
        parts.append((" " * (column + rng.choice([0, 0, 1, 2, 4, 7])) if start else "") + line[start:place].lstrip(" " if start else ""))
        if rng.random() < 0.2:
            parts += filler(rng, column)
        start = place
    return parts + [" " * (column + rng.choice([0, 1, 2, 3])) + line[start:].lstrip(" ")]


# a variable in a process, or a field
VARIABLE = re.compile(r"\s+(?:\[\d+\])*(?:BOOL|U?INT(?:16|32|64)?|BYTE|REAL32|REAL64) ([A-Za-z]+\d+):$")


def told(rng, line):
    """What may be said of a variable behind its declaration, and changes nothing."""
    m = VARIABLE.match(line)
    if not m:
        return []
    words = ["PLACE {0} IN VECSPACE:", "PLACE {0} IN WORKSPACE:", "PLACE {0} AT WORKSPACE 3:", "PLACE {0} AT #8000:", "#PRAGMA SHARED {0}",
             "#PRAGMA PERMITALIASES {0}", "#PRAGMA DEFINED {0}"]
    return [" " * margin(line) + rng.choice(words).format(m.group(1))]


def respelled(rng, line):
    """The same in the words of older programs."""
    if line.lstrip().startswith("#") or '"' in line:
        return line
    line = re.sub(r"\bCHAN (?!OF |TYPE )", lambda m: "CHAN OF " if rng.random() < 0.5 else m.group(), line)
    line = re.sub(r"(\[[A-Za-z0-9]+) FROM 0 FOR ", lambda m: m.group(1) + " FOR " if rng.random() < 0.5 else m.group(), line)
    return re.sub(r"(?<![\w*])#([0-9A-F]+)\b", lambda m: "$" + m.group(1) if rng.random() < 0.3 else m.group(), line)


def without_effect(rng):
    """Directives that leave nothing."""
    wrong = rng.choice(["  x := := 1", "SEQ SEQ", "PROC", "))"])
    return rng.choice([["#IF FALSE", wrong, "#ENDIF"], ["#IF DEFINED (NOT.SO)", wrong, "#ELSE", "#ENDIF"],
                       ["#IF (VERSION > \"0\") AND (NOT TRUE)", wrong, "#ELIF TRUE", "#ELSE", wrong, "#ENDIF"], ["#COMMENT \"x\""]])


def disguise(rng, lines):
    """The lines of a program, dressed otherwise; marks stay with what they mark."""
    if rng.random() < 0.7:
        lines = renamed(rng, lines)
    often = rng.choice([0.0, 0.03, 0.1, 0.4])
    found, record = [], None  # record: the margin of RECORD while its fields are passed
    for line in lines:
        mark = MARKS.search(line).group()
        plain = line[:len(line) - len(mark)]
        plain = respelled(rng, plain) if often else plain
        if plain.strip():
            is_inside = record is not None and margin(plain) > record
            record = margin(plain) if re.search(r"\bRECORD$", plain) else record if is_inside else None
        opens = "VALOF" in plain or ":= (INITIAL" in plain
        parts = broken(rng, plain) if rng.random() < often and not opens else [plain]
        begin = "".join(m for m in re.findall(r"[\x01\x02]\d+\x03", mark) if m[0] == "\x01")
        parts = [p + (" " + rng.choice(COMMENTS) if rng.random() < often / 3 and p.strip() else "") for p in parts]
        parts[0] += begin
        parts[-1] += "".join(m for m in re.findall(r"[\x01\x02]\d+\x03", mark) if m[0] == "\x02")
        if rng.random() < often / 2:
            found += filler(rng, margin(plain))
        if rng.random() < often / 20 and margin(plain) < 12:
            found += without_effect(rng)
        found += parts
        found += told(rng, plain) if rng.random() < often / 2 and record is None else []
    return found
