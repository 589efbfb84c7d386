#!/usr/bin/env python3
"""Ask `occc lsp` about a file, as the file itself says, and print what it answers.

    lsp_ask.py OCCC FILE [OPTION...]

A comment line `--   ^ hover` asks about the place above the ^, in the line above (other such lines left out); what is
asked is hover, definition, type, references, highlights, rename NEW, complete PREFIX, signature, actions.
A line `-- ASK: what` asks about the file: diagnostics, symbols, folds, tokens, hints, format, search WORDS.
Each answer begins with the line number of what was asked about (from 1)."""

import re
import sys

from lsp_client import Client

PLACE = re.compile(r"^( *--) *\^ (\w+) ?(.*)$")
WHOLE = re.compile(r"^-- ASK: (\w+) ?(.*)$")


def place(at):
    return f"{at['line'] + 1}:{at['character'] + 1}"


def span(value):
    return f"{place(value['start'])}-{place(value['end'])}"


def where(value):
    return f"{value['uri'].rsplit('/', 1)[-1]}:{span(value['range'])}" if value else "nowhere"


def refused(answer):
    return isinstance(answer, dict) and "code" in answer and "message" in answer


class Asking:
    def __init__(self, client, uri, lines):
        self.client, self.uri, self.lines = client, uri, lines

    def hover(self, line, column, _):
        answer = self.client.at("hover", self.uri, line, column)
        yield span(answer["range"]) if answer else "nothing"
        if answer:
            yield from filter(None, answer["contents"]["value"].split("\n"))

    def definition(self, line, column, _):
        yield where(self.client.at("definition", self.uri, line, column))

    def type(self, line, column, _):
        yield where(self.client.at("typeDefinition", self.uri, line, column))

    def references(self, line, column, _):
        answer = self.client.at("references", self.uri, line, column, context={"includeDeclaration": True})
        yield from map(where, answer or [])

    def highlights(self, line, column, _):
        for value in self.client.at("documentHighlight", self.uri, line, column) or []:
            yield f"{span(value['range'])} {['', 'text', 'read', 'write'][value['kind']]}"

    def rename(self, line, column, new):
        answer = self.client.at("rename", self.uri, line, column, newName=new)
        if refused(answer):
            yield f"refused: {answer['message']}"
            return
        for uri, edits in sorted(answer["changes"].items()):
            for edit in sorted(edits, key=lambda each: (each["range"]["start"]["line"], each["range"]["start"]["character"])):
                yield f"{uri.rsplit('/', 1)[-1]}:{span(edit['range'])} {edit['newText']}"

    def complete(self, line, column, prefix):
        for item in self.client.at("completion", self.uri, line, column):
            if item["label"].startswith(prefix):
                edit = item.get("textEdit")
                yield f"{item['label']} | {item.get('detail', '')} | {span(edit['range']) if edit else item.get('insertText', '')}"

    def signature(self, line, column, _):
        answer = self.client.at("signatureHelp", self.uri, line, column)
        if not answer:
            yield "nothing"
            return
        chosen = answer["signatures"][0]
        yield chosen["label"]
        if answer["activeParameter"] < len(chosen["parameters"]):
            yield "now: " + chosen["parameters"][answer["activeParameter"]]["label"]

    def actions(self, line, column, _):
        here = {"line": line, "character": column}
        for action in self.client.about("codeAction", self.uri, range={"start": here, "end": here}, context={"diagnostics": []}):
            yield f"{action['kind']}: {action['title']}"
            for edit in action["edit"]["changes"][self.uri]:
                yield f"  {span(edit['range'])} '{edit['newText']}'"

    # -- the whole file

    def diagnostics(self, _):
        for each in self.client.published(self.uri):
            yield f"{span(each['range'])} {['', 'error', 'warning', 'note'][each['severity']]} {each['code']}: {each['message']}"
            for other in each["relatedInformation"]:
                yield f"  {where(other['location'])} {other['message']}"

    def symbols(self, _):
        def tree(values, depth):
            for value in values:
                yield f"{'  ' * depth}{value['name']} {span(value['range'])} {span(value['selectionRange'])} {value['detail'].splitlines()[0]}"
                yield from tree(value.get("children", []), depth + 1)

        yield from tree(self.client.about("documentSymbol", self.uri), 0)

    def folds(self, _):
        for fold in self.client.about("foldingRange", self.uri):
            yield f"{fold['startLine'] + 1}-{fold['endLine'] + 1} {fold.get('kind', 'block')}"

    def tokens(self, _):
        legend = self.client.initialized["capabilities"]["semanticTokensProvider"]["legend"]
        data = self.client.about("semanticTokens/full", self.uri)["data"]
        line = column = 0
        for i in range(0, len(data), 5):
            down, right, length, kind, bits = data[i : i + 5]
            line, column = line + down, right if down else column + right
            marks = [name for k, name in enumerate(legend["tokenModifiers"]) if bits >> k & 1]
            yield " ".join([f"{line + 1}:{column + 1}", self.lines[line][column : column + length], legend["tokenTypes"][kind], *marks])

    def hints(self, _):
        all_lines = {"start": {"line": 0, "character": 0}, "end": {"line": 10**6, "character": 0}}
        for hint in self.client.about("inlayHint", self.uri, range=all_lines):
            yield f"{place(hint['position'])} '{hint['label']}'"

    def format(self, _):
        for edit in self.client.about("formatting", self.uri, options={"tabSize": 2, "insertSpaces": True}):
            yield f"{span(edit['range'])} '{edit['newText']}'"

    def search(self, words):
        for found in self.client.ask("workspace/symbol", {"query": words}):
            yield f"{found['name']} {where(found['location'])}"


def main(occc, path, *options):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    client = Client(occc, *options)
    asking = Asking(client, client.open(path, text), text.split("\n"))
    above = 0
    for number, line in enumerate(asking.lines):
        found, whole = PLACE.match(line), WHOLE.match(line)
        if found:
            answer = getattr(asking, found[2])(above, line.index("^"), found[3])
            title = f"{found[2]} {above + 1}:"
        elif whole:
            answer = getattr(asking, whole[1])(whole[2])
            title = f"{whole[1]}:"
        else:
            above = number
            continue
        print(title, *answer, sep="\n  ")
    if client.quit() != 0:
        print("the server failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
