"""Every manifest in a file of cases, each between lines `=== what is expected`: the first line `occc build` says.

    try_manifests.py OCCC CASES FOLDER"""

import os
import subprocess
import sys

occc, cases, folder = sys.argv[1:]
os.makedirs(folder + "/src", exist_ok=True)
with open(folder + "/src/main.occ", "w") as file:
    file.write("PROC main (CHAN BYTE screen!)\n  SKIP\n:\n")
wrong = 0
count = 0
for case in open(cases).read().split("=== ")[1:]:
    expected, text = case.split("\n", 1)
    with open(folder + "/occ.toml", "w") as file:
        file.write(text.replace("<TAB>", "\t"))
    done = subprocess.run([occc, "build"], cwd=folder, capture_output=True, text=True)
    said = (done.stderr + done.stdout).split("\n")[0]
    good = expected in said and done.returncode == (0 if expected.startswith("p:") or "up to date" in expected else 1)
    count += 1
    if not good:
        wrong += 1
        print(f"expected {expected!r}, got {done.returncode} {said!r} for:\n{text}")
print(f"{count} manifests, {wrong} wrong")
