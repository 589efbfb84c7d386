"""Clients of gateway.occ, curl among them, and three servers of HTTP behind it that can be stopped, and begun again at the same
port: `try_gateway.py GATEWAY HELLO`, where HELLO is hello.occ."""

import http.client
import http.server
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import PATIENCE, Served, say

LONG = 200_000


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def die(self, told):
        """Half of an answer, and no more."""
        self.send_response(200)
        self.send_header("Content-Length", str(told))
        self.end_headers()
        self.wfile.write(b"x" * (told // 2))
        self.close_connection = True

    def do_GET(self):
        if self.path == "/name":
            self.answer(200, str(self.server.server_port).encode())
        elif self.path == "/fields":
            fields = self.headers
            has = "a" if "Proxy-Connection" in fields or "X-One" in fields or "close" in fields.get("Connection", "") else "no"
            said = f"X-Kept: {fields['X-Kept']}, X-Forwarded-For: {fields['X-Forwarded-For']}, {has} Connection"
            self.answer(200, said.encode())
        elif self.path.startswith("/die/"):
            self.die(int(self.path[5:]))
        elif self.path == "/once":
            self.answer(200)
            self.close_connection = True  # without a word
        else:
            self.answer(int(self.path[1:]) if self.path[1:].isdigit() else 200)

    do_HEAD = do_GET

    def do_POST(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(200, body)


class Backend(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port=0):
        self.begun = []
        super().__init__(("127.0.0.1", port), Handler)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def process_request(self, request, address):
        self.begun.append(request)
        super().process_request(request, address)

    def stop(self):
        self.shutdown()
        self.server_close()
        for request in self.begun:
            self.shutdown_request(request)


class Client(http.client.HTTPConnection):
    def ask(self, method, path, **more):
        """The status, and the body; what went wrong, and nothing."""
        try:
            self.request(method, path, **more)
            answer = self.getresponse()
            return answer.status, answer.read()
        except (http.client.HTTPException, OSError) as error:
            return type(error).__name__, b""


def client_of(gateway):
    return Client(*gateway.place(), timeout=PATIENCE)


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)


def name_of(gateway):
    return client_of(gateway).ask("GET", "/name")[1]


def try_requests(gateway):
    with ThreadPoolExecutor(10) as pool:
        names = list(pool.map(lambda _: name_of(gateway), range(30)))
    say(f"requests of {len(names)} clients reach {len(set(names))} servers")
    client = client_of(gateway)
    client.connect()
    ours = client.sock
    statuses = [client.ask("GET", "/name")[0] for _ in range(3)]
    say("3 requests of one client on", "1 connection:" if client.sock is ours else "several connections:", *statuses)
    body = os.urandom(LONG)
    told, chunked = client.ask("POST", "/", body=body), client.ask("POST", "/", body=iter([body[:70_000], body[70_000:]]), encode_chunked=True)
    say(f"a body of {LONG} bytes, told and in chunks:", *[status if got == body else "another" for status, got in (told, chunked)])
    fields = {"X-Kept": "yes", "X-One": "1", "Connection": "X-One", "Proxy-Connection": "keep-alive"}
    say("fields:", client.ask("GET", "/fields", headers=fields)[1].decode())
    say("an answer without a body:", client.ask("GET", "/204")[0], client.ask("GET", "/304")[0], client.ask("HEAD", "/name")[0])


def try_faults(gateway, backends):
    client = client_of(gateway)
    say("a server that dies within a short answer:", client.ask("GET", "/die/1000")[0])
    status, _ = client_of(gateway).ask("GET", "/die/2000000")
    say("a server that dies within a long answer:", "cut off" if status in ("IncompleteRead", "ConnectionResetError") else status)
    client = client_of(gateway)
    client.ask("GET", "/once")
    time.sleep(0.1)
    say("a server that closes what it kept:", client.ask("GET", "/name")[0])
    for backend in backends[:2]:
        backend.stop()
    statuses = {client_of(gateway).ask("GET", "/name")[0] for _ in range(20)}
    say("two of three are gone:", *[f"{status}," for status in statuses], "20 times")
    backends[2].stop()
    until(lambda: client_of(gateway).ask("GET", "/name")[0] == 502)
    say("all are gone:", client_of(gateway).ask("GET", "/name")[0])
    Backend(backends[1].server_port)
    until(lambda: client_of(gateway).ask("GET", "/name")[0] == 200)
    say("one has come back:", client_of(gateway).ask("GET", "/name")[0])


with Served(sys.argv[2]) as hello, Served(sys.argv[1], "127.0.0.1:0", hello.where) as gateway:
    curl = subprocess.run(["curl", "-s", "-S", f"http://{gateway.where}/"], capture_output=True, text=True, timeout=PATIENCE)
    say("curl:", curl.stdout + curl.stderr)
backends = [Backend() for _ in range(3)]
with Served(sys.argv[1], "127.0.0.1:0", *[f"127.0.0.1:{backend.server_port}" for backend in backends]) as gateway:
    try_requests(gateway)
    try_faults(gateway, backends)
    say("the gateway", "lives" if gateway.lives() else "is gone")
