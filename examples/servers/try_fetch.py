"""Servers for fetch.occ: what it says of their pages, in the order of PAGES, and how many it asked for at a time."""

import http.server
import socket
import subprocess
import sys
import threading
import time

PAGES = ("/one", "/chunked", "/until-the-end", "/none", "/slow", "/too-large", "/no-http")
WORKERS = 4


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    now = most = 0
    lock = threading.Lock()

    def log_message(self, *_):
        pass

    def give(self, status, body, *fields):
        self.send_response(status)
        for name, value in fields or [("Content-Length", len(body))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        with Pages.lock:
            Pages.now += 1
            Pages.most = max(Pages.most, Pages.now)
        time.sleep(0.1)
        with Pages.lock:  # before the client can go on
            Pages.now -= 1
        if self.path == "/one":
            self.give(200, b"one")
        elif self.path == "/chunked":
            self.give(200, b"1000\r\n" + b"x" * 4096 + b"\r\n" + b"483e0\r\n" + b"y" * 295904 + b"\r\n0\r\n\r\n", ("Transfer-Encoding", "chunked"))
        elif self.path == "/until-the-end":
            self.give(200, b"z" * 70000, ("Connection", "close"))
        elif self.path == "/slow":
            time.sleep(4)
        elif self.path == "/too-large":
            self.give(200, b"", ("Content-Length", 2000000))
        elif self.path == "/no-http":
            self.wfile.write(b"hello\r\n\r\n")
        else:
            self.give(404, b"not there")
        self.close_connection = True


with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server, socket.socket() as nobody:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    nobody.bind(("127.0.0.1", 0))
    base = f"http://127.0.0.1:{server.server_address[1]}"
    names = {f"{base}{page}": page for page in PAGES}
    names[f"http://127.0.0.1:{nobody.getsockname()[1]}/"] = "nobody there"
    names["ftp://127.0.0.1/"] = "ftp://127.0.0.1/"
    done = subprocess.run([sys.argv[1], *names], capture_output=True, text=True, timeout=30, check=False)
    said = dict(line.rsplit(": ", 1) for line in done.stdout.splitlines())
    for url, name in names.items():
        print(f"{name}: {said.get(url)}")
    print(f"{len(said)} fetched, {'no' if Pages.most <= WORKERS else 'sometimes'} more than {WORKERS} at a time")
    server.shutdown()
