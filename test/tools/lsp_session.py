#!/usr/bin/env python3
"""Sessions of real editors with `occc lsp`: recorded once, and said again without the editor.

    lsp_session.py record FILE FOLDER OCCC [WORD...]   stand between an editor and the server; FILE gets what the editor says, a line each, with
                                                      FOLDER as ${FOLDER}
    lsp_session.py replay FILE FOLDER OCCC             say it again, and print for each request its method and the answer"""

import json
import os
import pathlib
import subprocess
import sys
import threading


def frames(stream):
    while True:
        length = None
        while line := stream.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if length is None:
            return
        yield stream.read(length)


def send(stream, body):
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()


def record(path, folder, *command):
    server = subprocess.Popen(command, stdin=subprocess.PIPE)
    with open(path, "w", encoding="utf-8") as file:
        for body in frames(sys.stdin.buffer):
            print(json.dumps(json.loads(body)).replace(folder, "${FOLDER}"), file=file, flush=True)
            send(server.stdin, body)
            if json.loads(body).get("method") == "exit":
                break
    server.stdin.close()
    return server.wait()


class Listener:
    """What the server says: answers by number, and which version of a text has had diagnostics."""

    def __init__(self, stream):
        self.answers, self.checked = {}, {}
        self.news = threading.Condition()
        threading.Thread(target=self.listen, args=(stream,), daemon=True).start()

    def listen(self, stream):
        for body in frames(stream):
            message = json.loads(body)
            with self.news:
                if message.get("method") == "textDocument/publishDiagnostics":
                    params = message["params"]
                    self.checked[params["uri"], params.get("version")] = [each["code"] for each in params["diagnostics"]]
                elif "method" not in message:
                    self.answers[message["id"]] = message
                self.news.notify_all()

    def wait(self, table, key):
        with self.news:
            return table[key] if self.news.wait_for(lambda: key in table, 30) else "nothing came"


def replay(path, folder, occc):
    server = subprocess.Popen([occc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    listener = Listener(server.stdout)
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        message = json.loads(line.replace("${FOLDER}", folder))
        if message.get("method") == "initialize":
            message["params"]["processId"] = os.getpid()
        send(server.stdin, json.dumps(message).encode())
        method = message.get("method", "")
        if "id" in message and method:
            answer = listener.wait(listener.answers, message["id"])
            print(method, json.dumps(answer.get("result", answer) if isinstance(answer, dict) else answer, sort_keys=True).replace(folder, "."))
        elif method in ("textDocument/didOpen", "textDocument/didChange"):
            text = message["params"]["textDocument"]
            print(method, *listener.wait(listener.checked, (text["uri"], text["version"])))
    server.stdin.close()
    print("status", server.wait(20))
    return 0


if __name__ == "__main__":
    sys.exit({"record": record, "replay": replay}[sys.argv[1]](*sys.argv[2:]))
