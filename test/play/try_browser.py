"""The page of `occc play` in Chromium: `try_browser.py OCCC FOLDER`"""

import re
import subprocess
import sys
import urllib.parse

OCCC, FOLDER = sys.argv[1:3]

GREET = '#INCLUDE "course.module"\nPROC main (CHAN BYTE screen!)\n  out.string ("hello from a page", 0, screen!)\n:\n'
WRONG = "PROC main (CHAN BYTE screen!)\n  screen ! x\n:\n"
NETWORK = "PROC source (CHAN INT out!)\n  out ! 1\n:\nPROC sink (CHAN INT in?)\n  INT x:\n  in ? x\n:\n" \
    "PROC main (CHAN BYTE screen!)\n  CHAN INT values:\n  PAR\n    source (values!)\n    sink (values?)\n:\n"


def page(port, text, what):
    """The page as it stands when all is done."""
    kept = urllib.parse.urlencode({"text": text, "do": what}, quote_via=urllib.parse.quote)
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={FOLDER}/browser", "--virtual-time-budget=30000",
               "--dump-dom", f"http://127.0.0.1:{port}/#{kept}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=90, check=False).stdout


def main():
    server = subprocess.Popen([OCCC, "play"], stdout=subprocess.PIPE, text=True)
    port = int(re.search(r":(\d+)/", server.stdout.readline())[1])
    try:
        shown = page(port, GREET, "run")
        done = "done" if 'data-done="run"' in shown else "not done"
        print(f"run: {done}, {re.search('<p id=.end.>(.*?)<', shown)[1]}, {re.search('class=.output.>(.*?)<', shown)[1]}")
        print("wrong:", re.search(r"<li class=.error.>(.*?)<", page(port, WRONG, "run"))[1])
        shown = page(port, NETWORK, "graph")
        print("graph: a picture with", ", ".join(name for name in ("source", "sink", "values") if re.search(f"<text.*?{name}", shown)))
    finally:
        server.kill()


main()
