"""damage.py OCCC TRACE: a trace that is cut, or has other bytes, is refused or read, and never ends the compiler otherwise."""

import random
import subprocess
import sys

occc, path = sys.argv[1:]
with open(path, "rb") as file:
    whole = file.read()
random.seed(1)
TIMES = 400
for n in range(TIMES):
    data = bytearray(whole)
    if n % 4 == 0:
        data = data[: random.randrange(len(data))]
    for _ in range(random.randrange(1, 6)):
        if data:
            data[random.randrange(min(len(data), 1000))] = random.randrange(256)
    with open(path + ".damaged", "wb") as file:
        file.write(data)
    for form in ("-", path + ".json"):
        done = subprocess.run([occc, "trace", path + ".damaged", "-o", form], capture_output=True, check=False, timeout=20)
        assert done.returncode in (0, 1), (n, done.returncode, done.stderr)
print(f"{TIMES} damaged files, none ended occc but by a status of 0 or 1")
