#!/usr/bin/env python3
"""Let the k-th call of each system call, and the k-th allocation, fail in running programs and in the compiler, for
each k: every run ends by itself, either as if nothing had happened or with one message and a documented status.

strace injects errors of system calls; fail_heap.c, preloaded, those of malloc. What the dynamic loader asks for before a
program begins, and when the compiler opens its code generator, is not ours. EINTR may never show at all."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

TIMEOUT = 20
# errors a system call may give at any moment, in any order of things
ERRORS = {
    "mmap": ["ENOMEM"], "mprotect": ["ENOMEM"], "munmap": [], "clone3": ["EAGAIN"],
    "timer_create": ["EAGAIN"], "timer_settime": [], "sigaltstack": ["ENOMEM"],
    "write": ["EINTR", "EIO", "ENOSPC"], "writev": ["EINTR", "EIO"], "read": ["EINTR", "EIO"], "openat": ["EMFILE", "ENFILE"],
    "epoll_create1": ["EMFILE"], "epoll_ctl": ["ENOMEM"], "epoll_wait": ["EINTR"], "epoll_pwait": ["EINTR"], "epoll_pwait2": ["EINTR"],
    "eventfd2": ["EMFILE"], "pipe2": ["EMFILE"], "futex": ["EINTR", "EAGAIN"], "clock_nanosleep": ["EINTR"], "ppoll": ["EINTR", "ENOMEM"],
    "poll": ["EINTR"], "sched_setaffinity": ["EPERM"], "sched_getaffinity": ["EINVAL"], "getrandom": ["ENOSYS"], "prctl": ["EPERM"],
    "fcntl": ["EINVAL"], "dup": ["EMFILE"], "dup2": ["EBADF"], "wait4": ["EINTR"], "waitid": ["EINTR"], "memfd_create": ["EMFILE"],
    "lseek": ["ESPIPE"], "newfstatat": ["EIO"], "fstat": ["EIO"], "ftruncate": ["EIO"], "rename": ["EACCES"], "unlink": ["EACCES"],
}
MESSAGE = re.compile(r"error: |occc: |cannot |no memory|out of memory|unable ", re.I)


class Case:
    """A command, what it prints and how it ends when nothing fails; `statuses` are those it may fail with."""

    def __init__(self, name, command, statuses, environment=None, passed_over=()):
        self.name, self.command, self.statuses, self.passed_over = name, command, statuses, passed_over
        self.environment = {**os.environ, **(environment or {})}
        self.plain = self.run(command)

    def run(self, command, environment=None):
        try:
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL,
                                  env={**self.environment, **(environment or {})})
        except subprocess.TimeoutExpired:
            return None, b"", b""
        return done.returncode, done.stdout, done.stderr

    def judge(self, result, is_silent):
        """None, or what is wrong."""
        status, output, errors = result
        text = errors.decode(errors="replace")
        if status is None:
            return "it hangs"
        if (status, output) == self.plain[:2]:
            return None
        if status == 127 or "cannot load the code generator" in text:
            return None # the loader's
        if is_silent:
            return f"it shows: status {status}, {text[-300:]!r}"
        if status not in self.statuses:
            return f"status {status}, {text[-300:]!r}"
        if not MESSAGE.search(text):
            return f"status {status} without a message: {text[-300:]!r}"
        return None


def count_calls(case, folder, *settings):
    """How often each system call is made."""
    log = os.path.join(folder, "calls")
    case.run(["strace", "-f", "-qq", "-o", log, *(f"-E{setting}" for setting in settings), *case.command])
    counts = {}
    for line in open(log, errors="replace"):
        found = re.match(r"\d+\s+(\w+)\(", line)
        if found:
            counts[found[1]] = counts.get(found[1], 0) + 1
    return counts


def injections(case, folder, most):
    loader = count_calls(case, folder, "LD_TRACE_LOADED_OBJECTS=1")
    for call, count in sorted(count_calls(case, folder).items()):
        for error in ERRORS.get(call, []) if call not in case.passed_over else []:
            for k in range(loader.get(call, 0) + 1, min(count, most) + 1):
                yield call, error, k


def try_calls(case, folder, most):
    tried, wrong = 0, []
    for call, error, k in injections(case, folder, most):
        command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={k}", *case.command]
        complaint = case.judge(case.run(command), error == "EINTR")
        tried += 1
        if complaint:
            wrong.append(f"{case.name}: {call} {k} gives {error}: {complaint}")
    return tried, wrong


def try_heap(case, library, most):
    """The k-th allocation fails, for k up to the first run in which none did."""
    wrong = []
    for k in range(1, most + 1):
        result = case.run(case.command, {"LD_PRELOAD": library, "FAIL_HEAP": str(k)})
        complaint = case.judge(result, False)
        if complaint:
            wrong.append(f"{case.name}: allocation {k} fails: {complaint}")
        if result[:2] == case.plain[:2] and b"FAIL_HEAP" not in result[2]:
            return k, wrong
    return most, wrong


def cases(options, folder):
    here = os.path.dirname(os.path.abspath(__file__))
    for path in options.programs or sorted(os.path.join(here, name) for name in os.listdir(here) if name.endswith(".occ")):
        name = os.path.splitext(os.path.basename(path))[0]
        program = os.path.join(folder, name)
        subprocess.run([options.occc, "-w", path, "-o", program], check=True)
        for workers in ("1", "2"):
            yield Case(f"{name} on {workers}", [program], {1, 3}, {"OCC_WORKERS": workers})
        yield Case(f"occc -fsyntax-only {name}", [options.occc, "-fsyntax-only", "-w", path], {1, 70})
    # LLVM's memory and threads are LLVM's
    yield Case("occc -c", [options.occc, "-c", "-w", path, "-o", os.path.join(folder, "object.o")], {1, 70}, passed_over=("futex", "mmap", "mprotect", "brk", "clone3"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--most", type=int, default=1000, help="of each system call, and of allocations")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    options.occc = os.path.abspath(options.occc)
    total, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "fail_heap.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fail_heap.c")
        subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        for case in cases(options, folder):
            heap, faults = try_heap(case, library, options.most)
            calls, more = try_calls(case, folder, options.most)
            total += heap + calls
            wrong += faults + more
            print(f"{case.name}: {heap} allocations, {calls} system calls, {len(faults) + len(more)} wrong", flush=True)
            print("\n".join(faults + more), end="\n" if faults + more else "", flush=True)
    print(f"{total} injections, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
