"""The page of `occc play` in Chromium: `try_browser.py OCCC FOLDER`"""

import os
import re
import subprocess
import sys
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from browser import Browser  # noqa: E402

OCCC, FOLDER = sys.argv[1:3]

GREET = '#INCLUDE "course.module"\nPROC main (CHAN BYTE screen!)\n  out.string ("hello from a page", 0, screen!)\n:\n'
WRONG = "PROC main (CHAN BYTE screen!)\n  screen ! x\n:\n"
NETWORK = "PROC source (CHAN INT out!)\n  out ! 1\n:\nPROC sink (CHAN INT in?)\n  INT x:\n  in ? x\n:\n" \
    "PROC main (CHAN BYTE screen!)\n  CHAN INT values:\n  PAR\n    source (values!)\n    sink (values?)\n:\n"


def main():
    server = subprocess.Popen([OCCC, "play"], stdout=subprocess.PIPE, text=True)
    port = int(re.search(r":(\d+)/", server.stdout.readline())[1])

    def page(text, what):
        kept = urllib.parse.urlencode({"text": text, "do": what}, quote_via=urllib.parse.quote)
        return browser.page(f"http://127.0.0.1:{port}/#{kept}", f"document.body.dataset.done === '{what}'")

    browser = None
    try:
        browser = Browser(FOLDER)
        shown = page(GREET, "run")
        done = "done" if 'data-done="run"' in shown else "not done"
        print(f"run: {done}, {re.search('<p id=.end.>(.*?)<', shown)[1]}, {re.search('class=.output.>(.*?)<', shown)[1]}")
        print("wrong:", re.search(r"<li class=.error.>(.*?)<", page(WRONG, "run"))[1])
        shown = page(NETWORK, "graph")
        print("graph: a picture with", ", ".join(name for name in ("source", "sink", "values") if re.search(f"<text.*?{name}", shown)))
        shown = page(NETWORK, "trace")
        print("trace: a picture with", ", ".join(sorted(set(re.findall(r"<text[^>]*>(source|sink|out|values)\b", shown)))))
    finally:
        server.kill()
        if browser:
            browser.close()


main()
