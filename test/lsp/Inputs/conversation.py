"""What an editor and `occc lsp` say to each other: conversation.py OCCC FOLDER. Prints the checks that failed; then "done"."""

import os
import pathlib
import sys
import time

from lsp_client import Client

GOOD = "PROC main (CHAN BYTE out!)\n  INT x:\n  SEQ\n    x := 1\n    out ! BYTE x\n:\n"


def expect(what, is_so):
    if not is_so:
        print("FAILED:", what)


def point(line, character):
    return {"line": line, "character": character}


def edit(line, start, end, text):
    return {"range": {"start": point(line, start), "end": point(line, end)}, "text": text}


def codes(client, uri):
    return [each["code"] for each in client.published(uri)]


def life(occc, folder):
    client = Client(occc)
    expect("the server tells its name", client.initialized["serverInfo"]["name"] == "occc")
    expect("an unknown request is refused", client.ask("textDocument/unheardOf", {})["code"] == -32601)
    expect("a text that is not open is refused", client.at("hover", "file:///nowhere.occ", 0, 0)["code"] == -32602)
    client.tell("$/unheardOf", {})
    client.send({"id": 7777})
    expect("shutdown, then exit, is status 0", client.quit() == 0)
    client = Client(occc)
    client.server.stdin.close()
    expect("an editor that is gone is status 1", client.server.wait(10) == 1)


def noise(occc, folder):
    client = Client(occc)
    client.server.stdin.write(b"Content-Length: 5\r\n\r\n{]{]{")
    client.server.stdin.flush()
    expect("what is no JSON is answered by an error", client.answer(None)["error"]["code"] == -32700)
    client.send({"method": "textDocument/didOpen", "params": None})
    client.send({"method": "textDocument/didChange", "params": {"textDocument": 3, "contentChanges": {"text": []}}})
    client.send({"id": 99, "method": "textDocument/hover", "params": [1, 2]})
    expect("wrong parameters are answered by an error", "error" in client.answer(99))
    uri = client.open(f"{folder}/a.occ", GOOD)
    expect("and the next text is checked", codes(client, uri) == [])
    expect("a position that is none is refused", "code" in client.at("hover", uri, "one", None))
    expect("a position beyond the end is none of a name", client.at("hover", uri, 10**8, 10**8) is None)
    client.quit()


def edits(occc, folder):
    client = Client(occc)
    uri = client.open(f"{folder}/a.occ", GOOD)
    expect("a good text has no diagnostics", codes(client, uri) == [])
    client.change(uri, edit(3, 4, 5, "y"))
    expect("an edit is checked", codes(client, uri) == ["names-unknown"])
    client.change(uri, edit(3, 4, 5, ""), edit(3, 4, 4, "x"))
    expect("several edits in one message", codes(client, uri) == [])
    client.change(uri, edit(0, 0, 0, "-- \u00e9\U0001d11e\u20ac\n"), edit(0, 6, 6, "!\n"))
    expect("columns count UTF-16", codes(client, uri)[0].startswith(("syntax", "lexical", "layout")))
    client.change(uri, {"text": GOOD})
    client.change(uri, edit(4, 17, 4, ""), edit(99, 0, 120, 0 * "x"))
    client.change(uri, {"text": GOOD.replace("\n", "\r\n")})
    expect("lines may end in CR LF", codes(client, uri) == [])
    client.change(uri, {"text": 'PROC main (CHAN BYTE out!)\n  VAL []BYTE s IS "\u00e9\U0001d11e":\n  SEQ i = 0 FOR SIZE s\n    out ! s[i]\n:\n'})
    found = client.at("references", uri, 3, 10, context={"includeDeclaration": True})
    starts = [(each["range"]["start"]["line"], each["range"]["start"]["character"]) for each in found]
    expect("places behind other characters", starts == [(1, 13), (2, 21), (3, 10)])
    client.close(uri)
    client.take()
    expect("closing clears the diagnostics", client.diagnostics[uri] == (None, []))
    client.quit()


def broken_text(occc, folder):
    """A text that cannot be read: the rest of it answers, and what is edited does too."""
    client = Client(occc)
    text = GOOD + "PROC other (CHAN INT in?)\n  INT value:\n  SEQ\n    in ? value\n:\n"
    uri = client.open(f"{folder}/a.occ", text)
    expect("a good text", codes(client, uri) == [])
    client.change(uri, edit(3, 4, 10, "x := ((("), edit(4, 0, 0, "    x x x\n"))
    expect("it is wrong now", len(codes(client, uri)) > 0)
    hover = client.at("hover", uri, 10, 10)
    expect("hover below the wrong lines", hover and "INT value" in hover["contents"]["value"])
    place = client.at("definition", uri, 10, 10)
    expect("definition below the wrong lines", place and place["range"]["start"] == point(8, 6))
    symbols = [each["name"] for each in client.about("documentSymbol", uri)]
    expect("symbols of both PROCs", symbols == ["main", "other"])
    items = [each["label"] for each in client.at("completion", uri, 3, 9)]
    expect("completion in the wrong line", "x" in items and "out" in items and "value" not in items)
    expect("folds", len(client.about("foldingRange", uri)) >= 4)
    expect("nothing is formatted", client.about("formatting", uri, options={}) == [])
    client.quit()


def several_files(occc, folder):
    """Buffers go before files, also those that nobody has saved."""
    client = Client(occc)
    (pathlib.Path(folder) / "old.inc").write_text("VAL INT size IS 3:\n")
    text = '#INCLUDE "old.inc"\n#INCLUDE "new.inc"\nPROC main (CHAN BYTE out!)\n  out ! BYTE (size + more)\n:\n'
    uri = client.open(f"{folder}/a.occ", text)
    expect("a file that is not there", "directive-no-file" in codes(client, uri))
    new = client.open(f"{folder}/new.inc", "VAL INT more IS 2:\n")
    client.diagnostics.clear()
    expect("is there when an editor holds it", codes(client, uri) == [])
    place = client.at("definition", uri, 3, 22)
    expect("a definition in it", place and place["uri"] == new)
    expect("the file of a directive", client.at("definition", uri, 0, 12)["uri"].endswith("/old.inc"))
    old = client.open(f"{folder}/old.inc", "VAL REAL32 size IS 3.0:\n")
    client.diagnostics.clear()
    expect("its text is the editor's", codes(client, uri) != [])
    client.close(old)
    client.diagnostics.clear()
    expect("until it is closed", codes(client, uri) == [])
    renamed = client.at("rename", uri, 3, 22, newName="extra")["changes"]
    expect("renaming changes both", {key: len(edits) for key, edits in renamed.items()} == {uri: 1, new: 1})
    client.quit()


def waiting(occc, folder):
    """A text that takes long: requests are answered all the same, and can be cancelled."""
    client = Client(occc)
    uri = client.open(f"{folder}/a.occ", GOOD)
    client.published(uri)
    many = "".join(f"PROC p{i} (VAL INT n)\n  INT x:\n  x := n\n:\n" for i in range(20000))
    client.change(uri, {"text": many + GOOD})
    first = client.start("textDocument/hover", {"textDocument": {"uri": uri}, "position": point(0, 6)})
    second = client.start("textDocument/hover", {"textDocument": {"uri": uri}, "position": point(0, 6)})
    client.tell("$/cancelRequest", {"id": first})
    start = time.monotonic()
    expect("a request that is cancelled is refused", client.answer(first).get("error", {}).get("code") == -32800)
    client.answer(second)
    expect("an answer comes in time", time.monotonic() - start < 5)
    client.quit()


def main(occc, folder):
    os.makedirs(folder, exist_ok=True)
    for part in (life, noise, edits, broken_text, several_files, waiting):
        part(occc, folder)
    print("done")


if __name__ == "__main__":
    main(*sys.argv[1:])
