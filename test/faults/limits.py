#!/usr/bin/env python3
"""Run programs and the compiler under limits of the machine: address space and data of many sizes, from the start and set
while they run, descriptors, threads, stack, size of files. Each run ends by itself, either as without the limit or with one
message that says where (file:line of who asked, once the program has begun), a documented status, and nothing lost of
what was written before. The compiler leaves no half-written file."""

import argparse
import concurrent.futures
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

TIMEOUT = 60
MB = 1 << 20
SIZES = [*range(10, 40), *range(40, 100, 5), *range(100, 201, 10)]
SHORT_SIZES = [10, 14, 20, 32, 36, 60, 160]
LETTERS = "pbfrwtmczxal"
WORKERS = ("1", "2", "10")
# These print what they measure: their status only is compared, as that of others whose output differs from run to run.
TIMED = {"fork", "skynet", "start", "mobile", "clock", "sieve", "04-commstime"}
TOO_LONG = {"38-toolset", "14-thermostat"}
PLACE = re.compile(r"(?:\S+:\d+:\d+: error: (?:out of memory: |no thread |no descriptor )|occ: cannot start: )[^\n]*\n(?:  in [^\n]*\n)?")
# the linker says what it misses in its own words
COMPLAINT = re.compile(r"(?:occc|\S+:\d+:\d+): [^\n]*\n(?:    [^\n]*\n)*|(?:[^\n]*\n)+occc: error: linker command failed [^\n]*\n")
KINDS = {"as": resource.RLIMIT_AS, "data": resource.RLIMIT_DATA, "nofile": resource.RLIMIT_NOFILE, "stack": resource.RLIMIT_STACK,
         "fsize": resource.RLIMIT_FSIZE, "core": resource.RLIMIT_CORE}


def limits_of(limits):
    def apply():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for kind, value in limits.items():
            resource.setrlimit(KINDS[kind], (value, value))
    return apply


def run(command, limits, workers="1", text=b"", folder=None):
    try:
        done = subprocess.run(command, input=text, capture_output=True, timeout=TIMEOUT, preexec_fn=limits_of(limits), cwd=folder or os.path.dirname(command[0]),
                              env={**os.environ, "OCC_WORKERS": workers})
    except subprocess.TimeoutExpired:
        return None, b"", ""
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def is_loaders(status, errors):
    return status == 127 and "error while loading shared libraries" in errors


def judge(plain, result, is_timed):
    """None, or what is wrong with the result of a program."""
    status, output, errors = result
    if status is None:
        return "it hangs"
    if is_loaders(status, errors) or (status == plain[0] and (is_timed or output == plain[1])):
        return None
    if status != 3 or not PLACE.fullmatch(errors):
        return f"status {status}, {errors[-300:]!r}"
    if not is_timed and not plain[1].startswith(output):
        return f"its output is not the beginning of what is right: {output[-80:]!r}"
    return None


# ---- programs ----

def tries_of_program(path, sizes):
    name = os.path.basename(path)
    is_timed = name in TIMED or len({run([path], {}, workers)[1] for workers in WORKERS for _ in range(3)}) > 1
    for workers in WORKERS:
        plain = run([path], {}, workers)
        for kind in ("as", "data"):
            for size in sizes:
                yield f"{name} on {workers}, {kind} {size} MB", lambda w=workers, p=plain, l={kind: size * MB}: judge(p, run([path], l, w), is_timed)
        for size in (0, 1, 10, 100) if not is_timed else ():
            yield f"{name} on {workers}, files of {size} bytes", lambda p=plain, s=size: judge_file(path, p, s, os.path.dirname(path))
        for size in (64, 256, 1024):
            yield f"{name} on {workers}, stack of {size} KB", lambda w=workers, p=plain, l={"stack": size << 10}: judge(p, run([path], l, w), is_timed)
        for number in range(3, 8) if name != "calls" else (): # what its own pipes miss is its own error
            yield f"{name} on {workers}, {number} descriptors", lambda w=workers, p=plain, l={"nofile": number}: judge(p, run([path], l, w), is_timed)


def judge_file(path, plain, size, folder):
    """Standard output is a file that may not grow beyond size."""
    name = os.path.join(folder, f"output {size}")
    with open(name, "wb") as file:
        done = subprocess.run([path], stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE, timeout=TIMEOUT,
                              preexec_fn=limits_of({"fsize": size}), env={**os.environ, "OCC_WORKERS": "1"})
    output, errors = open(name, "rb").read(), done.stderr.decode(errors="replace")
    if done.returncode == plain[0] and output == plain[1]:
        return None
    is_told = done.returncode == 3 and re.fullmatch(r"occ: [^\n]*File too large\n", errors)
    return None if is_told and output == plain[1][:size] else f"status {done.returncode}, {errors[-300:]!r}, {len(output)} bytes"


# ---- demands without end ----

def judge_demand(result, lines, letter):
    status, output, errors = result
    if is_loaders(status, errors) or (status == 3 and errors.startswith("occ: cannot start: ")):
        return None
    if status == 0 and re.fullmatch(rb"begun\n\d+\n", output):
        return None # it had enough
    if status != 3 or not PLACE.fullmatch(errors):
        return f"status {status}, {errors[-300:]!r}"
    line = lines[int(errors.split(":")[1]) - 1]
    if letter not in line.partition("-- asks: ")[2]:
        return f"the report names a line that did not ask: {errors[:200]!r}"
    return None if output == b"begun\n" else f"output {output!r}"


def run_and_limit(path, letter, workers, limit):
    """The limit is set when the program has begun, and has all its workers' memory."""
    program = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limits_of({}),
                               env={**os.environ, "OCC_WORKERS": workers})
    head = program.stdout.readline()
    used = int(open(f"/proc/{program.pid}/statm").read().split()[0]) * os.sysconf("SC_PAGESIZE")
    resource.prlimit(program.pid, resource.RLIMIT_AS, (used + limit, used + limit))
    try:
        output, errors = program.communicate(letter.encode(), timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        program.kill()
        return None, b"", ""
    return program.returncode, head + output, errors.decode(errors="replace")


def tries_of_demands(path, source, sizes):
    lines = open(source).read().split("\n")
    for letter in LETTERS:
        for workers in WORKERS:
            for kind in ("as", "data"):
                for size in sizes:
                    yield (f"demand {letter} on {workers}, {kind} {size} MB",
                           lambda t=letter, w=workers, l={kind: size * MB}: judge_demand(run([path], l, w, t.encode()), lines, t))
            # blocks lie in an area that is reserved from the start; other memory is not
            for more in (0, 1, 20) if letter not in "pbfrwt" else ():
                yield (f"demand {letter} on {workers}, {more} MB more while running",
                       lambda t=letter, w=workers, m=more: judge_demand(run_and_limit(path, t, w, m * MB), lines, t))


# ---- the compiler ----

def judge_compiler(command, limits, folder):
    made = command[command.index("-o") + 1]
    before = set(os.listdir(folder))
    status, _, errors = run(command, limits, folder=folder)
    if status is None:
        return "it hangs"
    left = set(os.listdir(folder)) - before - {made}
    if status == 0:
        is_there = os.path.exists(os.path.join(folder, made))
        return f"it leaves {left}" if left else None if is_there else "status 0 and no output"
    if is_loaders(status, errors) or "cannot load the code generator" in errors:
        return None
    if left or made in os.listdir(folder):
        return f"status {status}, and it leaves {left or made}"
    if status not in (1, 70) or not COMPLAINT.fullmatch(errors):
        return f"status {status}, {errors[-300:]!r}"
    return None


def tries_of_compiler(occc, source, step):
    base = {"as": [size * MB for size in (20, 40, 60, 80, 100, 130, 160, 180, 200, 220, 250, 300, 400, 600)],
            "stack": [size << 10 for size in (64, 128, 256, 512, 1024)], "fsize": [0, 1, 512, 4096, 20000, 200000],
            "nofile": list(range(3, 14))}
    for kind, values in base.items():
        for value in values[::step]:
            for options in (["-fsyntax-only"], ["-c"], []):
                def attempt(l={kind: value}, o=options):
                    with tempfile.TemporaryDirectory() as folder:
                        return judge_compiler([occc, "-w", *o, source, "-o", "made"], l, folder) if o != ["-fsyntax-only"] else judge_syntax(occc, source, l)
                yield f"occc {' '.join(options)}, {kind} {value}", attempt


def judge_syntax(occc, source, limits):
    status, _, errors = run([occc, "-w", "-fsyntax-only", source], limits)
    if status == 0 or is_loaders(status, errors):
        return None
    return None if status in (1, 70) and COMPLAINT.fullmatch(errors) else f"status {status}, {errors[-300:]!r}"


# ---- all ----

def compile_program(occc, path, folder):
    made = os.path.join(folder, os.path.splitext(os.path.basename(path))[0])
    done = subprocess.run([occc, "-w", "-I", os.path.dirname(path), path, "-o", made], capture_output=True)
    return made if done.returncode == 0 else None


def programs_of(root):
    for folder in ("test/stress", "examples"):
        for name in sorted(os.listdir(os.path.join(root, folder))):
            if name.endswith(".occ") and os.path.splitext(name)[0] not in TOO_LONG:
                yield os.path.join(root, folder, name)
    for name in ("fork", "skynet", "start", "mobile", "clock", "sieve"):
        yield os.path.join(root, "test/bench", name + ".occ")


def tries_of(options, folder):
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(os.path.dirname(here))
    sizes = SHORT_SIZES if options.short else SIZES
    source = os.path.join(here, "demands.occ")
    demands = compile_program(options.occc, source, folder)
    if options.short:
        yield from tries_of_demands(demands, source, [14, 44, 90])
        yield from tries_of_compiler(options.occc, os.path.join(here, "channels.occ"), 4)
        programs = [os.path.join(root, "test/stress", name) for name in ("calls.occ", "mixed.occ")]
    else:
        yield from tries_of_compiler(options.occc, os.path.join(here, "channels.occ"), 1)
        yield from tries_of_demands(demands, source, sizes[::3])
        programs = programs_of(root)
    for path in options.programs or programs:
        made = compile_program(options.occc, path, folder)
        if made is not None:
            yield from tries_of_program(made, sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--short", action="store_true", help="a few sizes and programs")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    options.occc = os.path.abspath(options.occc)
    begin, total, wrong = time.time(), 0, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tries = ((name, pool.submit(attempt)) for name, attempt in list(tries_of(options, folder)))
        for name, result in list(tries):
            total += 1
            complaint = result.result()
            if complaint:
                wrong += 1
                print(f"{name}: {complaint}", flush=True)
    print(f"{total} runs under limits in {time.time() - begin:.0f} s, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
