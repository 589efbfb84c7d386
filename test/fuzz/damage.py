"""What mistake.py does to the text of a whole program.

Each takes a generator of numbers and the lines of a sound program and gives (the lines, numbers counted from 1 where the error may
be), or None when there is nothing to damage."""

import re


def lines_like(rng, lines, pattern):
    found = [i for i, line in enumerate(lines) if re.match(pattern, line)]
    return rng.choice(found) if found else None


def replaced(lines, i, line, at=None):
    return lines[:i] + [line] + lines[i + 1:], at or {i + 1}


def column(line):
    return len(line) - len(line.lstrip(" "))


def one_column_too_far(rng, lines):
    i = lines_like(rng, lines, r" +(\S.* := .*|SEQ|SKIP|PAR|IF)$")
    return i and replaced(lines, i, " " + lines[i])


def one_column_short(rng, lines):
    i = lines_like(rng, lines, r" +(\S.* := .*|SKIP)$")
    return i and replaced(lines, i, lines[i][1:])


def tab(rng, lines):
    i = lines_like(rng, lines, r" +\S.* := .*$")
    return replaced(lines, i, "\t" + lines[i].lstrip()) \
        if i and column(lines[i]) > 10 and column(lines[i + 1]) == column(lines[i]) else None


def assign_lost(rng, lines):
    i = lines_like(rng, lines, r" +[a-z]\S* := [a-z0-9(].*$")
    return replaced(lines, i, lines[i].replace(":= ", "", 1)) if i and lines[i][-1] != ":" else None


def colon_lost(rng, lines):
    i = lines_like(rng, lines, r" +(INT|BYTE|BOOL|INT64|CHAN \S+|INITIAL INT|VAL INT) [a-z]\S*( IS \S+)?:$")
    return i and replaced(lines, i, lines[i][:-1], {i + 1, i + 2})


def bracket_lost(rng, lines):
    i = lines_like(rng, lines, r" +[a-z]\S* := .*\(.*\)$")
    return i and replaced(lines, i, lines[i][:-1], {i + 1, i + 2})


def bracket_added(rng, lines):
    i = lines_like(rng, lines, r" +[a-z]\S* := [^\[]*$")
    return i and replaced(lines, i, lines[i] + rng.choice(")]"))


def operand_lost(rng, lines):
    i = lines_like(rng, lines, r" +[a-z][a-z0-9]* := [a-z0-9]+ [-+*/] \S+$")
    return i and replaced(lines, i, lines[i][:lines[i].rindex(" ")], {i + 1, i + 2})


def lower_case(rng, lines):
    i = lines_like(rng, lines, r" *(SEQ|PAR|IF|SKIP|WHILE .*|CASE .*|ALT|PRI ALT|PROC .*)$")
    if not i:
        return None
    word = lines[i].split()[0]
    return replaced(lines, i, lines[i].replace(word, word.lower(), 1))


def misspelt_keyword(rng, lines):
    i = lines_like(rng, lines, r" *(SEQ|PAR|IF|SKIP|WHILE .*|CASE .*|ALT)$")
    if not i:
        return None
    word = lines[i].split()[0]
    wrong = word[:-1] if rng.random() < 0.5 and len(word) > 2 else word + word[-1]
    return replaced(lines, i, lines[i].replace(word, wrong, 1))


def odd_character(rng, lines):
    i = lines_like(rng, lines, r" +\S.* := .*$")
    if not i:
        return None
    at = rng.randrange(column(lines[i]), len(lines[i]))
    if "'" in lines[i][:at + 2] or '"' in lines[i]:
        return None
    return replaced(lines, i, lines[i][:at] + rng.choice("{}`_\x7f\xe9") + lines[i][at:])


def body_lost(rng, lines):
    """A condition, a loop or a guard with nothing below it."""
    found = [i for i in range(len(lines) - 2) if re.match(r" +(TRUE|WHILE .*|SEQ \S+ = .*)$", lines[i])
             and column(lines[i + 1]) == column(lines[i]) + 2 and column(lines[i + 2]) <= column(lines[i])
             and re.match(r" *(SKIP|\S+ := .*)$", lines[i + 1])]
    if not found:
        return None
    i = rng.choice(found)
    return lines[:i + 1] + lines[i + 2:], {i + 1, i + 2}


def end_of_a_routine_lost(rng, lines):
    found = [i for i in range(len(lines) - 1) if re.match(r" *:$", lines[i])]
    if not found:
        return None
    i = rng.choice(found)
    head = next((k for k in range(i - 1, -1, -1) if column(lines[k]) == column(lines[i])), i)
    return lines[:i] + lines[i + 1:], {head + 1, i, i + 1, i + 2}


# -- blocks and lines at another column


def is_code(line):
    return line.strip() and not line.strip().startswith(("--", "#"))


def end_of_block(lines, i):
    """The number of the line behind the block of line i."""
    end = i + 1
    while end < len(lines) and (not lines[end].strip() or column(lines[end]) > column(lines[i])):
        end += 1
    return end


def places(lines, i):
    """Where something may be said of line i or its block at another column: from the line above it to the end of the block around it."""
    around = next((k for k in range(i + 1, len(lines)) if lines[k].strip() and column(lines[k]) < column(lines[i])), len(lines))
    return set(range(i, around + 2))


def moved(lines, i, end, by):
    """The lines i to end - 1 at another column."""
    parts = [" " * by + line if by > 0 else line[min(-by, column(line)):] for line in lines[i:end]]
    return lines[:i] + [part if part.strip() else "" for part in parts] + lines[end:], places(lines, i)


def moved_block(rng, lines):
    """A heading and all below it, two columns too far left or right."""
    found = [i for i in range(1, len(lines) - 1) if is_code(lines[i]) and column(lines[i]) >= 2 and end_of_block(lines, i) > i + 1]
    if not found:
        return None
    i = rng.choice(found)
    return moved(lines, i, end_of_block(lines, i), rng.choice([-2, 2]))


def moved_line(rng, lines):
    """One line, two columns too far left or right."""
    found = [i for i in range(1, len(lines) - 1) if is_code(lines[i]) and column(lines[i]) >= 2]
    if not found:
        return None
    i = rng.choice(found)
    return moved(lines, i, i + 1, rng.choice([-2, 2]))


DAMAGES = [one_column_too_far, one_column_short, tab, assign_lost, colon_lost, bracket_lost, bracket_added, operand_lost, lower_case,
           misspelt_keyword, odd_character, body_lost, end_of_a_routine_lost, moved_block, moved_line]
# what they leave may be another program, sound or with other things wrong in it
MOVES = ("moved_block", "moved_line")
