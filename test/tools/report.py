"""Write results in the one form every part of `make check` uses (JUnit XML, as lit does)."""

from xml.sax.saxutils import escape, quoteattr


def write_report(path, suite, results):
    """results: a list of (name, seconds, failure text or None)."""
    failures = sum(1 for _, _, failure in results if failure is not None)
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
