"""A client of `occc lsp`: what an editor says and hears, for tests and measurements."""

import json
import os
import pathlib
import queue
import subprocess
import threading


class Gone(Exception):
    """The server has ended, or did not answer in time."""


class Client:
    def __init__(self, occc, *options, timeout=20, capabilities=None, folder=None):
        self.server = subprocess.Popen([occc, "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.timeout = timeout
        self.incoming = queue.Queue()
        self.number = 0
        self.versions = {}
        self.diagnostics = {}  # by URI: (version, list), the last ones
        self.answers = {}
        threading.Thread(target=self._read, daemon=True).start()
        if capabilities is None:
            capabilities = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
        self.initialized = self.ask("initialize", {"processId": os.getpid(), "rootUri": folder and pathlib.Path(folder).absolute().as_uri(), "capabilities": capabilities})
        self.tell("initialized", {})

    def _read(self):
        stream = self.server.stdout
        while True:
            length = None
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if length is None:
                self.incoming.put(None)
                return
            self.incoming.put(json.loads(stream.read(length)))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def start(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def take(self):
        """One message of the server."""
        try:
            message = self.incoming.get(timeout=self.timeout)
        except queue.Empty:
            raise Gone(f"nothing came for {self.timeout} s") from None
        if message is None:
            raise Gone(f"the server ended with status {self.server.wait()}")
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.diagnostics[params["uri"]] = (params.get("version"), params["diagnostics"])
        elif "id" in message and "method" not in message:
            self.answers[message["id"]] = message
        return message

    def answer(self, number):
        while number not in self.answers:
            self.take()
        return self.answers.pop(number)

    def ask(self, method, params):
        message = self.answer(self.start(method, params))
        if "error" in message:
            return message["error"]
        return message["result"]

    # -- documents

    def open(self, path, text):
        uri = path if "://" in path or path.startswith("untitled:") else pathlib.Path(path).absolute().as_uri()
        self.versions[uri] = 1
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "occam", "version": 1, "text": text}})
        return uri

    def change(self, uri, *changes):
        self.versions[uri] += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": list(changes)})

    def close(self, uri):
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def published(self, uri):
        """The diagnostics of the text as it is now."""
        while self.diagnostics.get(uri, (None,))[0] != self.versions[uri]:
            self.take()
        return self.diagnostics[uri][1]

    def at(self, method, uri, line, character, **more):
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}, **more})

    def about(self, method, uri, **more):
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, **more})

    def quit(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.server.wait(self.timeout)
