"""What the server offers for a folder and its texts: refactor.py OCCC FOLDER. Prints the checks that failed; then "done"."""

import os
import pathlib
import re
import sys
import time

from lsp_client import Client

SIZES = re.compile(r"stack (\d+) bytes, process (\d+)$")
LIBRARY = """INT FUNCTION twice (VAL INT x) IS x + x:
PROC put (VAL INT n, CHAN INT out!)
  out ! twice (n)
:
"""
PROGRAM = """#INCLUDE "lib.inc"
PROC use (CHAN INT in, VAL INT start)
  INT x, y, sum:
  SEQ
    in ? x
    SEQ
      x := start + 1
      y := start + 2
    sum := x + y
    sum := twice (sum)
    result ! sum
:
PROC main (CHAN BYTE screen!)
  CHAN INT c:
  PAR
    put (3, c!)
    use (c?, 1)
:
"""


def expect(what, is_so):
    if not is_so:
        print("FAILED:", what)


def point(line, character):
    return {"line": line, "character": character}


def actions(client, uri, first, start, last, end):
    return client.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "context": {"diagnostics": []},
                                                  "range": {"start": point(first, start), "end": point(last, end)}})


def applied(text, edits):
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(at):
        return starts[at["line"]] + at["character"]
    for edit in sorted(edits, key=lambda each: -offset(each["range"]["start"])):
        text = text[:offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text


def chosen(offered, words):
    found = [each for each in offered if words in each["title"]]
    return found[0] if len(found) == 1 else None


def folder_index(occc, folder):
    """Texts that are not open are found, and renamed along."""
    client = Client(occc, folder=folder)
    uri = client.open(f"{folder}/main.occ", PROGRAM.replace("result ! sum", "SKIP"))
    deadline = time.time() + 20
    found = []
    while time.time() < deadline and len(found) < 2:
        found = client.ask("workspace/symbol", {"query": "twice"})
        time.sleep(0.1)
    names = {each["location"]["uri"].rsplit("/", 1)[-1] for each in found}
    expect(f"a symbol of a text that is not open is found: {names}", "lib.inc" in names)
    other = client.ask("workspace/symbol", {"query": "other.user"})
    expect("and one of a text that nobody includes", [each["name"] for each in other] == ["other.user"])
    uses = client.ask("textDocument/references", {"textDocument": {"uri": uri}, "position": point(9, 13),
                                                  "context": {"includeDeclaration": True}})
    files = {each["uri"].rsplit("/", 1)[-1] for each in uses}
    expect(f"references are in three texts: {files}", files == {"main.occ", "lib.inc", "other.occ"})
    changes = client.ask("textDocument/rename", {"textDocument": {"uri": uri}, "position": point(9, 13),
                                                 "newName": "double"})["changes"]
    expect("renaming changes three texts", {each.rsplit("/", 1)[-1] for each in changes} == files)
    os.unlink(f"{folder}/other.occ")
    client.tell("workspace/didChangeWatchedFiles", {"changes": []})
    expect("a file that is gone is forgotten", client.ask("workspace/symbol", {"query": "other.user"}) == [])
    client.quit()


def calls(occc, folder):
    client = Client(occc, folder=folder, capabilities={"workspace": {"codeLens": {"refreshSupport": True}}})
    uri = client.open(f"{folder}/main.occ", PROGRAM.replace("result ! sum", "SKIP"))
    client.published(uri)
    item = client.ask("textDocument/prepareCallHierarchy", {"textDocument": {"uri": uri}, "position": point(1, 6)})[0]
    expect("the item is the PROC", item["name"] == "use")
    incoming = client.ask("callHierarchy/incomingCalls", {"item": item})
    expect(f"main calls it: {incoming}", [each["from"]["name"] for each in incoming] == ["main"] and
           incoming[0]["fromRanges"][0]["start"] == point(16, 4))
    outgoing = client.ask("callHierarchy/outgoingCalls", {"item": item})
    expect("it calls the FUNCTION of the other file", [each["to"]["name"] for each in outgoing] == ["twice"] and
           outgoing[0]["to"]["uri"].endswith("lib.inc"))
    lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
    titles = {(each["range"]["start"]["line"], each["command"]["title"]) for each in lenses}
    expect(f"lenses: {titles}", titles == {(1, "1 use"), (12, "run"), (12, "graph")})
    while client.take().get("method") != "workspace/codeLens/refresh":
        pass
    lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
    sizes = {each["range"]["start"]["line"]: SIZES.match(each["command"]["title"]) for each in lenses if "stack" in each["command"]["title"]}
    expect(f"lenses with sizes: {sizes}", sorted(sizes) == [1, 12] and all(sizes.values()))
    stack, process = zip(*(map(int, sizes[line].groups()) for line in (1, 12)))
    expect("a PROC that calls another needs more", stack[1] > stack[0] and all(each > own for each, own in zip(process, stack)))
    hover = client.at("hover", uri, 1, 6)["contents"]["value"]
    expect(f"the size when hovering: {hover}", f"*PROC, stack {stack[0]} bytes, process {process[0]}*" in hover)
    client.quit()


def refactoring(occc, folder):
    client = Client(occc, folder=folder)
    uri = client.open(f"{folder}/main.occ", PROGRAM)
    client.published(uri)
    offered = actions(client, uri, 10, 4, 10, 4)
    declared = chosen(offered, "declare CHAN INT result:")
    expect("a channel that is not declared", declared and "  CHAN INT result:\n  INT x, y, sum:\n" in
           applied(PROGRAM, declared["edit"]["changes"][uri]))
    text = PROGRAM.replace("    result ! sum\n", "")
    client.change(uri, {"text": text})
    client.published(uri)
    directed = chosen(actions(client, uri, 1, 19, 1, 19), "say the direction: in?")
    expect("the direction of a formal", directed and "CHAN INT in?, VAL" in
           applied(text, directed["edit"]["changes"][uri]))
    parallel = chosen(actions(client, uri, 5, 5, 5, 5), "at the same time")
    expect("a SEQ of independent assignments becomes a PAR", parallel and "    PAR\n      x := start + 1" in
           applied(text, parallel["edit"]["changes"][uri]))
    expect("a SEQ that communicates does not", not chosen(actions(client, uri, 3, 3, 3, 3), "at the same time"))
    shared = text.replace("y := start + 2", "y := x + 2")
    client.change(uri, {"text": shared})
    client.published(uri)
    expect("nor one whose parts use one another", not chosen(actions(client, uri, 5, 5, 5, 5), "at the same time"))
    extracted = chosen(actions(client, uri, 8, 0, 10, 0), "make a PROC of these lines")
    changed = applied(shared, extracted["edit"]["changes"][uri]) if extracted else ""
    expect(f"a PROC of two lines: {changed}", "PROC extracted (INT sum, VAL INT x, VAL INT y)\n  SEQ\n    sum := x + y\n"
           "    sum := twice (sum)\n:\nPROC use" in changed.replace("VAL INT x, VAL INT y, INT sum", "INT sum, VAL INT x, VAL INT y")
           and "    extracted (" in changed)
    pathlib.Path(f"{folder}/after.occ").write_text(changed)
    expect("lines that leave their block are none", not chosen(actions(client, uri, 7, 0, 9, 0), "make a PROC"))
    client.quit()


if __name__ == "__main__":
    folder = os.path.abspath(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    for part in (folder_index, calls, refactoring):
        pathlib.Path(f"{folder}/lib.inc").write_text(LIBRARY)
        pathlib.Path(f"{folder}/other.occ").write_text('#INCLUDE "lib.inc"\nPROC other.user (INT x)\n  x := twice (x)\n:\n')
        part(sys.argv[1], folder)
    print("done")
