"""Run tests, some at a time, and write results in the one form every part of `make check` uses (JUnit XML, as lit does)."""

import concurrent.futures
import os
import time
from xml.sax.saxutils import escape, quoteattr


def write_report(path, suite, results):
    """results: a list of (name, seconds, failure text or None)."""
    failures = sum(1 for _, _, failure in results if failure is not None)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
        out.write(
            f'<testsuite name={quoteattr(suite)} tests="{len(results)}" '
            f'failures="{failures}" skipped="0">\n'
        )
        for name, seconds, failure in results:
            out.write(f'<testcase classname={quoteattr(suite)} name={quoteattr(name)} time="{seconds:.2f}"')
            if failure is None:
                out.write("/>\n")
            else:
                clean = "".join(c for c in failure if c in "\n\t" or ord(c) >= 32)
                out.write(f">\n<failure>{escape(clean)}</failure>\n</testcase>\n")
        out.write("</testsuite>\n</testsuites>\n")


def run_tests(path, suite, tests, check, jobs=1):
    """check (test) gives (what to say of it, failure text or None); tests are files. Each is told when it ends; the report
    is in their order. Returns whether all passed."""

    def timed(test):
        started = time.monotonic()
        said, failure = check(test)
        seconds = time.monotonic() - started
        name = os.path.basename(test)
        print(f"{'FAIL' if failure else 'ok':5} {name:32} {said} {seconds:6.1f} s" + (f"\n{failure}" if failure else ""), flush=True)
        return name, seconds, failure

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(timed, tests))
    write_report(path, suite, results)
    return not any(failure for _, _, failure in results)
