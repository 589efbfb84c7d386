"""Whether each kind of node of the compiler stands in some case of matrix.py, and each part of one below which a place can stand has one.

A kind that is new stands in neither list: then lit says what to add. The kinds and their parts are those of frontend/tree/ast.def,
what a case is made of is read off the tree that the compiler prints."""

import os
import re
import subprocess

DEFINED = os.path.join(os.path.dirname(__file__), "..", "..", "frontend", "tree", "ast.def")

# Kinds that no way is made of, and why.
APART = {
    "TYPE_BUFFERED PROCESSOR ASM DYNCALL ADDROF": "refused: not supported",
    "OFFSETOF TYPEHASHOF LIMIT REAL BYTE STRING": "constants",
    "PRAGMA": "takes a name out of the checks",
    "STOP": "uses nothing",
    "ELSEWHERE": "the body of a routine of another unit: in the contexts `unit`",
    "CLOCKS": "made of the clocks that a NEXT without names is given",
    "BROKEN": "does not parse",
}

# Parts below which no place can stand, and why.
WITHOUT = {
    "ABBREVIATION.type_expr ALLOCATION.type_expr CONVERSION.type_expr DECLARATION.type_expr FORMAL.type_expr PLACE.type_expr": "types",
    "DATA_TYPE RECORD FIELD_DEF CHAN_TYPE PROC_TYPE PROTOCOL TAG TAG_FROM TYPE_ARRAY TYPE_CHANNEL TYPE_PORT TYPE_MOBILE TYPE_COUNTED":
        "types and what they are made of",
    "DECLARATION.names FORMAL.def FUNCTION.def PROC.def REPLICATOR.def": "new names",
    "FORK.callee FUNCTION_CALL.callee VARIANT.tag FUNCTION.results": "names of what is no place",
    "INTEGER.decoration OPTION.values PLACE.at TABLE.decoration": "constants",
    "PAR.enrols ENROLL.clocks": "an element has been given a name by then: BLOCK, ABBREVIATION",
    "ALLOCATION.aligned": "refused: not supported",
}


def kinds():
    """NODE (KIND, ...) with the parts that are children."""
    with open(DEFINED, encoding="ascii") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    found = {}
    for kind, fields in re.findall(r"^NODE\(([A-Z_]+),\s*\w+,\s*\"[^\"]*\",(.*?)\)\s*$", text, re.S | re.M):
        found[kind] = re.findall(r"(?:CHILD|OPTIONAL|LIST)\((\w+)\)", fields)
    return found


LINE = re.compile(r"( *)(?:(\w+)(\[\])?:)? ?([A-Z][A-Z_]*)?(.*)")


def seen(occc, lines, places):
    """The kinds of nodes in the program, and (kind, part) for each part that has a place below."""
    command = [occc, "--stop-after=types", "--print-after=types", "-w", "-x", "occam", "-"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=300, check=False)
    made, above, way = set(), set(), []  # way: (kind, which part of the one before it is), from the root; no kind: a list
    for line in done.stdout.splitlines():
        depth, part, is_list, kind, rest = LINE.match(line).groups()
        del way[len(depth) // 2 :]
        if not part and way and not way[-1][0]:
            part = way[-1][1]
        way.append((None if is_list else kind, part))
        made.add(kind)
        if kind == "NAME" and any(f'name="{place}"' in rest for place in places):
            nodes = [each for each in way if each[0]]
            above |= {(outer[0], inner[1]) for outer, inner in zip(nodes, nodes[1:])}
    return made, above


def complaints(occc, lines, places):
    made, above = seen(occc, lines, places)
    apart = {kind for names in APART for kind in names.split()}
    without = {pair for names in WITHOUT for pair in names.split()}
    defined = kinds()
    found = [f"no way is made of {kind}: add one to matrix_ways.py, or a reason to APART in matrix_kinds.py"
             for kind in defined if kind not in made | apart]
    found += [f"{kind} is in APART of matrix_kinds.py, but ways are made of it" for kind in sorted(apart & made)]
    found += [f"no way has a place below {kind}.{part}: add one to matrix_ways.py, or a reason to WITHOUT in matrix_kinds.py"
              for kind, parts in defined.items() if kind in made for part in parts
              if (kind, part) not in above and not without & {kind, f"{kind}.{part}"}]
    found += [f"{pair} is in WITHOUT of matrix_kinds.py, but has places below" for pair in sorted(without) if tuple(pair.split(".")) in above]
    return found
