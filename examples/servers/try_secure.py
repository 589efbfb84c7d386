"""Clients of secure.occ: curl, Python's own, and http.get in a program that is made here beside the server's."""

import http.client
import os
import ssl
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "test", "tools"))
from certificates import Certificates
from served import Served, say

LARGE = bytes(range(256)) * 117187 + b"x" * 128
FETCH = """#INCLUDE "course.module"
#INCLUDE "proc.module"
#INCLUDE "http.module"
PROC main (CHAN BYTE screen!)
  MOBILE []BYTE body:
  INT status, result:
  SEQ
    http.get (proc.argument (1), 100000000, 20000000, status, body, result)
    IF
      result < 0
        out.string (http.text (result), 0, screen!)
      TRUE
        SEQ
          out.int (status, 0, screen!)
          out.string (", ", 0, screen!)
          out.int (SIZE body, 0, screen!)
          out.string (" bytes", 0, screen!)
:
"""


def fetch(folder, url, authorities):
    return subprocess.run([f"{folder}/fetch", url], env={**os.environ, "SSL_CERT_FILE": authorities}, capture_output=True, text=True,
                          timeout=30, check=False).stdout


with tempfile.TemporaryDirectory() as folder:
    made = Certificates(folder)
    made.signed("good", names="DNS:localhost")
    os.mkdir(f"{folder}/root")
    for name, content in (("root/index.html", b"<p>Hello, world!</p>"), ("root/large", LARGE), ("fetch.occ", FETCH.encode())):
        with open(f"{folder}/{name}", "wb") as file:
            file.write(content)
    subprocess.run([sys.argv[2], f"{folder}/fetch.occ", "-o", f"{folder}/fetch"], check=True, timeout=60)
    with Served(sys.argv[1], *made.pair("good"), f"{folder}/root") as server:
        port = server.place()[1]
        ca = made.path("ca.pem")
        curl = subprocess.run(["curl", "-s", "--cacert", ca, f"https://localhost:{port}/"], capture_output=True, text=True, timeout=30, check=False)
        say("curl:", curl.stdout)
        context = ssl.create_default_context(cafile=ca)
        context.set_alpn_protocols(["h2", "http/1.1"])
        client = http.client.HTTPSConnection("localhost", port, timeout=20, context=context)

        def ask(method, target, **fields):
            client.request(method, target, headers=fields)
            answer = client.getresponse()
            return answer, answer.read()

        answer, body = ask("GET", "/large")
        say(f"/large: {answer.status}, {len(body)} bytes", "as they are" if body == LARGE else "of others")
        answer, body = ask("HEAD", "/large")
        say(f"HEAD /large: {answer.status}, {answer.getheader('content-length')} bytes are told")
        answer, body = ask("GET", "/large", Range="bytes=5-9")
        say(f"bytes=5-9 of /large: {answer.status}, {len(body)} bytes", "as they are" if body == LARGE[5:10] else "of others")
        answer, body = ask("GET", "/none")
        say(f"/none: {answer.status}")
        try:
            ssl.create_default_context().wrap_socket(server.connect(), server_hostname="localhost")
        except ssl.SSLCertVerificationError as error:
            say("who does not believe it:", "certificate verify failed" if "certificate verify failed" in str(error) else error)
        say(f"{client.sock.version()}, {client.sock.selected_alpn_protocol()}")
        say("http.get:", fetch(folder, f"https://localhost:{port}/large", ca))
        say("http.get, who does not believe it:", fetch(folder, f"https://localhost:{port}/", "/etc/ssl/certs/ca-certificates.crt"))
        say("http.get, another name:", fetch(folder, f"https://127.0.0.1:{port}/", ca))
