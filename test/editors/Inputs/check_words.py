"""check_words.py ROOT: the editors' grammars have the keywords of the language, each once, and are well formed. Prints what is wrong; then "done"."""

import collections
import json
import re
import sys
import xml.etree.ElementTree

root = sys.argv[1]


def read(path):
    with open(f"{root}/{path}", encoding="utf-8") as file:
        return file.read()


wanted = set(re.findall(r'^(?:KEYWORD|CONTEXTUAL)\(\w+, "([^"]+)"', read("frontend/token/token.def"), re.M))
grammar = json.loads(read("docs/editors/vscode/syntaxes/occam.tmLanguage.json"))
patterns = [each["match"] for each in grammar["repository"]["words"]["patterns"]]
kate = xml.etree.ElementTree.fromstring(read("docs/editors/kate/occam.xml"))
vim = read("docs/editors/vim/syntax/occam.vim")
emacs = read("docs/editors/emacs/occam-mode.el")
lists = {
    "vim": [word for line in re.findall(r"^syntax keyword occam(?!Todo)\w+ (.*)$", vim, re.M) for word in line.split()],
    "emacs": [word for block in re.findall(r"\(defconst occam--\w+-words\s+'\(([^)]*)\)", emacs) for word in re.findall(r'"([^"]+)"', block)],
    "kate": [item.text for item in kate.iter("item")],
    "vscode": [word.replace("\\.", ".") for pattern in patterns for word in re.search(r"\(\?:([^)]*)\)", pattern)[1].split("|")],
}
for editor, words in lists.items():
    twice = [word for word, count in collections.Counter(words).items() if count > 1]
    if set(words) != wanted or twice:
        print(f"{editor}: missing {sorted(wanted - set(words))}, extra {sorted(set(words) - wanted)}, twice {twice}")
line = "  MOBILE.CHAN x, INT.y, INT16 z, SEQ1"
found = sorted(match[0] for pattern in patterns for match in re.finditer(pattern, line))
if found != ["INT16", "MOBILE.CHAN"]:
    print(f"the words of {line!r} are {found}")
for path in ("vscode/package.json", "vscode/language-configuration.json", "kate/lsp.json"):
    json.loads(read(f"docs/editors/{path}"))
package = json.loads(read("docs/editors/vscode/package.json"))
matcher = re.compile(package["contributes"]["problemMatchers"][0]["pattern"]["regexp"])
if not matcher.match("a/b.occ:3:5: error[names-unknown]: 'y' is not declared"):
    print("the problem matcher does not know the compiler's messages")
print("done")
