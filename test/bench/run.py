#!/usr/bin/env python3
"""Run the benchmarks beside their Go and C twins in the same minutes, pinned to one CPU, and print the ratios.

    make bench                 all of them
    make bench BENCH=alt       one

A benchmark is <name>.occ, with go/<name>.go and c/<name>.c doing the same work. Each prints lines
'RESULT name microseconds count' (and 'CHECK value', which must agree). Medians of ROUNDS runs, taken in turns."""

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import generate

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = 5
LIMIT_SECONDS = 120
# Sequential programs: worth knowing with and without run-time checks.
UNCHECKED = ["matmul", "nbody", "spectral", "mandelbrot", "fannkuch", "sort", "search", "fft", "queens", "stencil", "histogram", "knapsack", "base64", "permutation", "merge", "loops", "trees"]
# Programs that wait: the processor time they take is shown too.
CPU_TOO = ["sleepers"]
ORDER = ["commstime", "ring", "rings", "start", "waiters", "fork", "fibonacci", "skynet", "mobile", "blocked", "claim", "sync", "clock", "alt", "alt_stressed", "alt_waiting", "triangle", "sleepers", "sieve", "mandelbrot", "farm", "spectral", "nbody", "matmul", "fannkuch", "sort", "search", "maps", "trees", "fft", "queens", "stencil", "histogram", "knapsack", "base64", "permutation", "merge", "loops", "compile"]
LOOPS = "compile 100 loops -O2"
HELLO_C = '#include <stdio.h>\nint main(void) {\n    puts("hello, world");\n    return 0;\n}\n'
HELLO_GO = 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello, world") }\n'
HELLO_COURSE = (
    '#INCLUDE "course.module"\nPROC main (CHAN BYTE out!)\n  out.string ("hello, world*n", 0, out!)\n:\n'
)


class Peers:
    """The compilers we are measured against; those that are missing are said once and left out."""

    def __init__(self, arguments, folder):
        self.occc = os.path.abspath(arguments.occc)
        self.folder = folder
        self.go = shutil.which("go")
        self.clang = shutil.which(arguments.clang) or shutil.which("gcc")
        self.environment = dict(
            os.environ, GOMAXPROCS="1", GOCACHE=os.path.abspath(arguments.cache), CGO_ENABLED="0", NO_COLOR="1"
        )
        if not self.go:
            print("skipped: Go is not installed (apt install golang-go)")
        if not self.clang:
            print("skipped: no C compiler")

    def build(self, command, what):
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment)
        if done.returncode != 0:
            print(f"skipped: {what} does not compile:\n{(done.stdout + done.stderr)[:600]}")
            return False
        return True

    def programs(self, name):
        """column -> path of the built program."""
        out = lambda column: os.path.join(self.folder, f"{name}.{column}")
        occ = [self.occc, "-O2", "-I", HERE, os.path.join(HERE, f"{name}.occ"), "-o"]
        found = {}
        if self.build([*occ, out("occ")], f"{name}.occ"):
            found["occ"] = out("occ")
        if name in UNCHECKED and self.build([*occ, out("unchecked"), "--no-checks"], f"{name}.occ --no-checks"):
            found["unchecked"] = out("unchecked")
        go = os.path.join(HERE, "go", f"{name}.go")
        if self.go and os.path.exists(go) and self.build([self.go, "build", "-o", out("go"), go], go):
            found["go"] = out("go")
        c = os.path.join(HERE, "c", f"{name}.c")
        flags = ["-O2", "-fno-math-errno", "-o", out("c"), c, "-lm"]
        if self.clang and os.path.exists(c) and self.build([self.clang, *flags], c):
            found["c"] = out("c")
        return found


def pinned(command):
    """The command on one CPU: the last one we may use, which is the quieter one."""
    if not shutil.which("taskset"):
        return command
    return ["taskset", "-c", str(max(os.sched_getaffinity(0))), *command]


def run_once(program, environment, with_cpu=False):
    """({name: microseconds per operation}, check value) of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        pinned([program]), capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment
    )
    if done.returncode != 0:
        raise RuntimeError(f"{program}: exit status {done.returncode}\n{done.stderr[-1000:]}")
    values = {}
    for name, microseconds, count in re.findall(r"^RESULT (\S+) (\d+) (\d+)$", done.stdout, re.M):
        values[name] = (int(microseconds) / int(count), int(count))
    if with_cpu:
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        values["CPU of it all"] = (seconds * 1e6, 1)
    check = re.search(r"^CHECK\s+(.*)$", done.stdout, re.M)
    return values, check[1].strip() if check else None


def show(value, count):
    return f"{value * 1000:10.1f} ns" if count > 1 else f"{value / 1000:10.1f} ms"


def table_line(name, cells, ratios):
    print(f"{name:24}" + "".join(f"{cell:>16}" for cell in cells) + "".join(f"{ratio:>9}" for ratio in ratios))


def heading():
    table_line("benchmark", ["occam", "Go", "C"], ["/Go", "/C"])


def ratio(ours, theirs):
    return f"{ours / theirs:.2f}" if ours is not None and theirs else "-"


def measure(peers, name):
    programs = peers.programs(name)
    samples, counts, checks = {}, {}, {}
    for _ in range(ROUNDS):
        for column, program in programs.items():
            try:
                values, check = run_once(program, peers.environment, name in CPU_TOO)
            except (RuntimeError, subprocess.TimeoutExpired) as failure:
                print(f"failed: {failure}")
                continue
            checks.setdefault(column, check)
            for result, (value, count) in values.items():
                samples.setdefault((result, column), []).append(value)
                counts[result, column] = count
    if len(set(checks.values())) > 1:
        print(f"WRONG: {name}: the programs do not agree: {checks}")
    for result in dict.fromkeys(result for result, _ in samples):
        medians = {column: statistics.median(values) for (r, column), values in samples.items() if r == result}
        cell = lambda column: (
            show(medians[column], counts[result, column]) if column in medians else "-"
        )
        for column, title in (("occ", result), ("unchecked", result + " --no-checks")):
            if column in medians:
                ratios = [ratio(medians[column], medians.get("go")), ratio(medians[column], medians.get("c"))]
                table_line(title, [cell(column), cell("go"), cell("c")], ratios)
    return not samples


def resident_bytes(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+) kB", status.read())[1]) * 1024


def measure_memory(peers, name):
    """Growth of the resident set between the program's two MEMORY lines, for each of its processes."""
    cells = {}
    for column, program in peers.programs(name).items():
        seen = {}
        with subprocess.Popen([program], stdout=subprocess.PIPE, text=True, env=peers.environment) as process:
            for line in process.stdout:
                words = line.split()
                if words[:1] == ["MEMORY"]:
                    seen[words[1]] = resident_bytes(process.pid)
                    count = int(words[2])
        if process.returncode == 0 and len(seen) == 2:
            cells[column] = (seen["after"] - seen["before"]) / count
    text = lambda column: f"{cells[column]:10.0f} B" if column in cells else "-"
    if cells:
        table_line("blocked process", [text("occ"), text("go"), text("c")], [ratio(cells.get("occ"), cells.get("go")), "-"])
    return not cells


def cpu_milliseconds(command, environment):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(pinned(command), capture_output=True, text=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {(done.stdout + done.stderr)[-1000:]}")
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def text_bytes(path):
    """Bytes of code of an object."""
    done = subprocess.run(["size", "-A", path], capture_output=True, text=True, check=True)
    return sum(int(size) for size in re.findall(r"^\.text\S*\s+(\d+)", done.stdout, re.M))


def compile_cases(peers):
    """(title, column, command): each compiles and links a whole program."""
    lines = 10000
    sources = {
        "hello.c": HELLO_C,
        "hello.go": HELLO_GO,
        "course.occ": HELLO_COURSE,
        "long.occ": generate.program("occ", lines),
        "long.c": generate.program("c", lines),
        "long.go": generate.program("go", lines),
        "loops.occ": generate.loops("occ"),
        "loops.c": generate.loops("c"),
    }
    for name, text in sources.items():
        with open(os.path.join(peers.folder, name), "w", encoding="utf-8") as out:
            out.write(text)
    at = lambda name: os.path.join(peers.folder, name)
    hello = os.path.join(HERE, "..", "..", "examples", "01-hello.occ")
    out = ["-o", at("compiled")]
    yield "compile hello", "occ", [peers.occc, hello, *out]
    yield "compile hello+course", "occ", [peers.occc, at("course.occ"), *out]
    yield "check hello", "occ", [peers.occc, "-fsyntax-only", hello]
    yield "compile 10000 lines -O0", "occ", [peers.occc, "-O0", at("long.occ"), *out]
    yield "compile 10000 lines -O2", "occ", [peers.occc, "-w", "-O2", at("long.occ"), *out]
    yield LOOPS, "occ", [peers.occc, "-w", "-c", "-O2", at("loops.occ"), "-o", at("loops.occ.o")]
    yield "check 10000 lines", "occ", [peers.occc, "-fsyntax-only", at("long.occ")]
    if peers.go:
        for title in ("compile hello", "compile hello+course"):
            yield title, "go", [peers.go, "build", *out, at("hello.go")]
        # Go caches by content: the program differs in each round
        yield "compile 10000 lines -O0", "go", [peers.go, "build", *out, at("long.go")]
    if peers.clang:
        for title in ("compile hello", "compile hello+course"):
            yield title, "c", [peers.clang, "-O2", at("hello.c"), *out]
        yield "compile 10000 lines -O0", "c", [peers.clang, "-O0", at("long.c"), *out]
        yield "compile 10000 lines -O2", "c", [peers.clang, "-O2", at("long.c"), *out]
        yield LOOPS, "c", [peers.clang, "-c", "-O2", at("loops.c"), "-o", at("loops.c.o")]
        yield "check hello", "c", [peers.clang, "-fsyntax-only", at("hello.c")]
        yield "check 10000 lines", "c", [peers.clang, "-fsyntax-only", at("long.c")]


def show_text_bytes(peers, columns):
    sizes = {column: text_bytes(os.path.join(peers.folder, f"loops.{column}.o")) for column in columns}
    text = lambda column: f"{sizes[column]:10d} B" if column in sizes else "-"
    table_line("text bytes of 100 loops", [text("occ"), "-", text("c")], ["-", ratio(sizes.get("occ"), sizes.get("c"))])


def touch_go(command, number):
    """Make a Go source differ from what Go's cache knows."""
    if command[-1].endswith(".go"):
        with open(command[-1], "a", encoding="utf-8") as source:
            source.write(f"\n// {number}\n")


def measure_compile(peers):
    samples = {}
    cases = list(compile_cases(peers))
    failed = set()
    for number in range(ROUNDS):
        for title, column, command in cases:
            if (title, column) in failed:
                continue
            try:
                touch_go(command, number)
                took = cpu_milliseconds(command, peers.environment)
                samples.setdefault((title, column), []).append(took)
            except RuntimeError as failure:
                failed.add((title, column))
                print(f"failed: {failure}")
    for title in dict.fromkeys(title for title, _, _ in cases):
        medians = {c: statistics.median(v) for (t, c), v in samples.items() if t == title}
        text = lambda column: f"{medians[column]:10.1f} ms" if column in medians else "-"
        ratios = [ratio(medians.get("occ"), medians.get(column)) for column in ("go", "c")]
        table_line(title, [text("occ"), text("go"), text("c")], ratios)
        if title == LOOPS:
            show_text_bytes(peers, medians)
    return not samples


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--cache", default="build/bench-cache", help="where Go keeps its standard library")
    parser.add_argument("names", nargs="*", help=f"of {' '.join(ORDER)}; all when none is given")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(ORDER)
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are: {' '.join(ORDER)}")
    if not os.path.exists(arguments.occc):
        parser.error(f"{arguments.occc} is not built")
    failed = False
    with tempfile.TemporaryDirectory(prefix="occ-bench-") as folder:
        peers = Peers(arguments, folder)
        print(f"one CPU, median of {ROUNDS} runs; C with {os.path.basename(peers.clang or '-')} -O2; compile times in CPU ms")
        heading()
        for name in arguments.names or ORDER:
            if name == "blocked":
                failed |= measure_memory(peers, name)
            elif name == "compile":
                failed |= measure_compile(peers)
            else:
                failed |= measure(peers, name)
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
