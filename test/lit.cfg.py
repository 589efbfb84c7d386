"""lit configuration of the project's own tests (test/README.md says how to run them)."""

import os
import platform
import shutil
import subprocess
import sys

import lit.formats

config.name = "occc"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".occ", ".test"]
config.excludes = ["Inputs", "bench", "tools", "runtime", "stress", "faults", "README.md"]
config.test_source_root = os.path.dirname(__file__)

root = os.path.dirname(config.test_source_root)
build = lit_config.params.get("build", os.path.join(root, "build"))
llvm = lit_config.params.get("llvm", "/usr/lib/llvm-19")
config.test_exec_root = os.path.join(build, "lit")

occc = os.path.join(build, "bin", "occc")


def tool(name):
    """A tool of LLVM by its plain name, from the version the project is built with."""
    inside = os.path.join(llvm, "bin", name)
    return inside if os.path.exists(inside) else name + "-19"


# %run: compile into a private cache and run; a hung program is ended after 30 seconds.
# %check, %check-err: FileCheck with the test file itself as the list of expectations.
# %everywhere: run with 1, 2 and 10 workers and several seeds; the output of all.
# %exact: the output is the CHECK lines, blank for blank, and nothing else.
# Longer names first: lit replaces in this order.
substitutions = [
    ("%check-prefix", tool("FileCheck") + " %s --check-prefix"),
    ("%check", tool("FileCheck") + " %s"),
    ("%exact", tool("FileCheck") + " %s --match-full-lines --strict-whitespace --implicit-check-not='{{.}}'"),
    ("%filecheck", tool("FileCheck")),
    ("%not", tool("not")),
    ("%everywhere", f"{sys.executable} {root}/test/tools/run_everywhere.py {occc}"),
    ("%split-file", tool("split-file")),
    ("%dwarfdump", tool("llvm-dwarfdump")),
    ("%readelf", tool("llvm-readelf")),
    ("%nm", tool("llvm-nm")),
    ("%objdump", tool("llvm-objdump")),
    ("%clang", tool("clang")),
    ("%python", sys.executable),
    ("%llvm", llvm),
    ("%llc", tool("llc")),
    ("%root", root),
    ("%build", build),
    ("%occc", occc),
    ("%confine", os.path.join(build, "lib", "occ", "play", "confine")),
    ("%play", os.path.join(build, "lib", "occ", "play")),
    ("%run", "timeout 30 " + occc + " run"),
]
config.substitutions.extend(substitutions)

# An MPI that the compiler was made with, and a launcher for it.
if shutil.which("mpirun") and os.path.exists(os.path.join(build, "lib", "occ", "mpi.o")):
    config.available_features.add("mpi")
    config.environment["OMPI_ALLOW_RUN_AS_ROOT"] = config.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"

# The environment is the same everywhere: no colour, no user settings, a cache of our own.
config.environment["NO_COLOR"] = "1"
config.environment["LC_ALL"] = "C"
config.environment["OCC_COUNT_MOBILES"] = "1"
config.environment["XDG_CACHE_HOME"] = os.path.join(build, "lit", "cache")
config.environment["PATH"] = os.environ.get("PATH", "/usr/bin:/bin")
for name in ("OCC_SEED", "OCC_TIME", "OCC_PAINT", "OCC_TRACE", "OCC_WORKERS", "OCC_WATCH"):
    config.environment.pop(name, None)
# --param workers=10: every program runs with so many (make check-stress)
workers = lit_config.params.get("workers", "")
if workers:
    config.environment["OCC_WORKERS"] = workers
    config.available_features.add("workers")

# --param seed=7: every choice that is free is made with this seed, so that an order a test must not expect shows
if lit_config.params.get("seed"):
    config.environment["OCC_SEED"] = lit_config.params["seed"]

if lit_config.params.get("profiles"):  # of a compiler that counts what it runs: make coverage
    config.environment["LLVM_PROFILE_FILE"] = lit_config.params["profiles"] + "/%8m.profraw"

if lit_config.params.get("runtime_profiles"):  # of a runtime that counts as it runs, however it ends: make coverage-runtime
    config.environment["LLVM_PROFILE_FILE"] = lit_config.params["runtime_profiles"] + "/%c%8m.profraw"
    config.environment["CC"] = tool("clang") + " -fprofile-instr-generate"

if lit_config.params.get("sanitize"):
    config.available_features.add("sanitize")
    # Programs hold an instrumented runtime, so they are linked with its libraries. The runtime's own memcpy and its
    # kin go first: libasan's need more stack than a process has.
    memory = os.path.join(build, "obj", "runtime", "arch", platform.machine(), "memory.S.o")
    config.environment["CC"] = "gcc -fsanitize=address,undefined " + memory
    # The compiler frees nothing one by one (arenas), so leaks say nothing.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:detect_stack_use_after_return=0:exitcode=99"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1:halt_on_error=1:exitcode=99"
for name in ("vim", "nvim", "node", "emacs", "gdb", "go", "perf", "strace", "mandoc", "scdoc", "pkg-config", "bash", "zsh", "fish", "man", "chromium", "chromedriver", "kate-syntax-highlighter", "dot", "mkdocs", "spin"):
    if shutil.which(name):
        config.available_features.add(name)
if shutil.which("node") and subprocess.run(["node", "--experimental-websocket", "-e", "WebSocket"], capture_output=True, check=False).returncode == 0:
    config.available_features.add("node-websocket")
if os.path.exists(os.path.join(llvm, "lib", "clang", "19", "lib", "linux", f"libclang_rt.fuzzer-{platform.machine()}.a")):
    config.available_features.add("fuzzer")  # of clang: make fuzz-http fuzz-json
play = os.path.join(build, "lib", "occ", "play")
confine = os.path.join(play, "confine")
if os.path.exists(confine) and subprocess.run([confine, "compile", "/tmp", play, "/bin/true"], capture_output=True, check=False).returncode == 0:
    config.available_features.add("landlock")
with open("/proc/sys/kernel/core_pattern", encoding="ascii") as pattern:
    if pattern.read().startswith("core"):
        config.available_features.add("core-files")
config.available_features.add(platform.machine())
