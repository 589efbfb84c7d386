#!/usr/bin/env python3
"""Add up the reports of one `make check`, say what was skipped and why, and print the line 'N passed, N failed'."""

import collections
import glob
import os
import sys
import xml.etree.ElementTree as ElementTree


def counts(path):
    """(passed, failed) of one report; a report that cannot be read is a failure."""
    try:
        suites = ElementTree.parse(path).getroot().iter("testsuite")
    except ElementTree.ParseError:
        return 0, 1
    passed = failed = 0
    for suite in suites:
        bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        failed += bad
        passed += int(suite.get("tests", 0)) - bad - int(suite.get("skipped", 0))
    return passed, failed


def print_skipped(path):
    """What was skipped, by what is missing here."""
    missing = collections.Counter()
    for skipped in ElementTree.parse(path).getroot().iter("skipped"):
        words = skipped.get("message", "")
        if words.startswith("Missing required feature(s): "):
            missing.update(words.split(": ", 1)[1].split(", "))
    if missing:
        print("  skipped for want of " + ", ".join(f"{name} ({count})" for name, count in sorted(missing.items())))


def main():
    folder = sys.argv[1]
    expected = ["units", "lit", "asan", "lint"]
    total_passed = total_failed = 0
    for path in sorted(glob.glob(os.path.join(folder, "*.xml"))):
        passed, failed = counts(path)
        name = os.path.basename(path)[: -len(".xml")]
        print(f"  {name:12} {passed:6} passed {failed:4} failed")
        total_passed += passed
        total_failed += failed
        if name == "lit" and failed + passed > 0:
            print_skipped(path)
    for name in expected:
        if not os.path.exists(os.path.join(folder, name + ".xml")):
            print(f"  {name:12} left no report")
            total_failed += 1
    print(f"{total_passed} passed, {total_failed} failed")
    return 1 if total_failed else 0


if __name__ == "__main__":
    sys.exit(main())
