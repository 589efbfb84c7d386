#!/usr/bin/env python3
"""Whether the library has the published names: each of the routines in published.txt is called with the parameters it is
published with, each constant has the value of the system's headers. What is missing is printed, a line for each.

    published.py OCCC CC LIBRARY FOLDER
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(__file__)
VALUES = {"INT": "0", "[]BYTE": '"x"', "[]ENVIRONMENT": "environments", "[][]BYTE": '["/bin/true", "argument "]', "ENVIRONMENT": "environment"}
LENGTHS = ("INT", "BYTE")


def call(module, number, name, kinds):
    """A PROC that calls it."""
    parameters, actuals = [], []
    for kind in kinds:
        one = f"p{len(parameters)}"
        how, _, of = kind.partition(":")
        if kind == "KILL":
            parameters += ["CHAN BOOL kill?", "CHAN INT response!"]
            actuals += ["kill?", "response!"]
        elif kind == "NAMES":
            parameters.append(f"MOBILE []MOBILE []BYTE {one}")
            actuals.append(one)
        elif how in ("IN", "CHAN"):
            end = "?" if how == "IN" else "!"
            parameters.append(f"CHAN {of} {one}{end}")
            actuals.append(one + end)
        elif how == "VAR":
            parameters.append(f"{of} {one}")
            actuals.append(one)
        else:
            actuals.append(VALUES[kind])
    head = f'#INCLUDE "{module}.module"\n' + ('#INCLUDE "sock.module"\n' if module == "http" else "")
    values = ""
    if "[]ENVIRONMENT" in kinds:
        values += "  [2]ENVIRONMENT environments:\n"
    if "ENVIRONMENT" in kinds:
        values += "  ENVIRONMENT environment:\n"
    return head, f"PROC try.{number} ({', '.join(parameters)})\n{values}  {name} ({', '.join(actuals)})\n:\n"


def compiles(occc, folder, text):
    """What the compiler says of it; nothing: it compiles."""
    path = os.path.join(folder, "published.occ")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([occc, "check", path], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stderr or done.stdout).splitlines()[0]


def routines(occc, folder):
    """What is wrong with the routines."""
    with open(os.path.join(HERE, "published.txt"), encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    main = "PROC main (CHAN BYTE screen!)\n  SKIP\n:\n"
    calls = {}
    for number, (module, name, *kinds) in enumerate(rows):
        calls.setdefault(module, []).append((name, *call(module, number, name, kinds)))
    for module, all_of_it in calls.items():
        for head in (all_of_it[0][1], all_of_it[0][1].replace(f"{module}.module", f"{module}lib.module")):
            if compiles(occc, folder, head + "".join(body for _, _, body in all_of_it) + main):
                for name, _, body in all_of_it:
                    said = compiles(occc, folder, head + body + main)
                    if said:
                        yield f"{name}: {said}"
    print(len(rows), "routines")


def constants(compiler, library, folder):
    """The constants of the system that have another value than in its headers, or no name there."""
    pattern = re.compile(r"^VAL INT ((?:[RWXF]\.OK|(?:O|S|F|FD|SEEK|AF|PF|SOCK|IPPROTO|IPPORT|SOL|SO|INADDR|MSG|SHUT)\.[A-Z0-9.]+)) IS ", re.M)
    names = []
    for part in ("filelib.inc", "sock.inc"):
        with open(os.path.join(library, part), encoding="utf-8") as file:
            names += pattern.findall(file.read())
    path = os.path.join(folder, "published.c")
    with open(path, "w", encoding="utf-8") as file:
        for header in ("stdio", "unistd", "fcntl", "sys/stat", "sys/socket", "netinet/in"):
            file.write(f"#include <{header}.h>\n")
        file.write("int main(void) {\n")
        for name in names:
            file.write(f'    printf("{name} %d\\n", (int)({name.replace(".", "_")}));\n')
        file.write("}\n")
    subprocess.run([compiler, "-D_GNU_SOURCE", path, "-o", path[:-2]], check=True)
    real = dict(line.split() for line in subprocess.run([path[:-2]], capture_output=True, text=True, check=True).stdout.splitlines())
    return names, real


def main():
    occc, compiler, library, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    faults = list(routines(occc, folder))
    names, real = constants(compiler, library, folder)
    source = '#INCLUDE "course.module"\n#INCLUDE "file.module"\n#INCLUDE "sock.module"\nPROC main (CHAN BYTE screen!)\n  SEQ\n'
    for name in names:
        source += f'    out.string ("{name} ", 0, screen!)\n    out.int ({name}, 0, screen!)\n    screen ! \'*n\'\n'
    path = os.path.join(folder, "constants.occ")
    with open(path, "w", encoding="utf-8") as file:
        file.write(source + ":\n")
    ours = subprocess.run([occc, "run", path], capture_output=True, text=True, check=True).stdout
    for line in ours.splitlines():
        name, value = line.split()
        if real[name] != value:
            faults.append(f"{name}: {value} here, {real[name]} there")
    with open(os.path.join(HERE, "published_constants.txt"), encoding="utf-8") as file:
        faults += [f"{name}: no such constant" for name in file.read().split() if name not in names]
    print(len(names), "constants")
    print("\n".join(faults + [f"{len(faults)} are missing or differ"]))


main()
