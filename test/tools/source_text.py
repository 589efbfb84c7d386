"""C text without its comments and literals, line by line as it was."""

import os
import re
import subprocess

PATTERN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def without_comments_and_literals(text):
    return PATTERN.sub(lambda match: '""' if match[0][0] in "\"'" else re.sub(r"[^\n]", "", match[0]), text)


def our_files(*suffixes, folders=("frontend/", "codegen/", "runtime/")):
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *folders], capture_output=True, text=True, check=True
    )
    return sorted(name for name in listed.stdout.splitlines() if name.endswith(suffixes) and os.path.exists(name))


def read(path):
    with open(path, encoding="utf-8") as text:
        return text.read()
