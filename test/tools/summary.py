#!/usr/bin/env python3
"""Add up the reports of one `make check` and print the line 'N passed, N failed'."""

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
    for name in expected:
        if not os.path.exists(os.path.join(folder, name + ".xml")):
            print(f"  {name:12} left no report")
            total_failed += 1
    print(f"{total_passed} passed, {total_failed} failed")
    return 1 if total_failed else 0


if __name__ == "__main__":
    sys.exit(main())
