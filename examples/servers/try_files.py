"""Clients of files.occ: Python's own, and curl."""

import http.client
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import Served, say

LARGE = bytes(range(256)) * 117187 + b"x" * 128
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def fill(folder):
    root = os.path.join(folder, "root")
    os.makedirs(f"{root}/folder")
    for name, content in (("index.html", b"<p>Hello, world!</p"), ("large", LARGE), ("text.txt", LETTERS.encode()), ("a b.txt", b"a b"),
                          ("unreadable", b"no"), ("../secret", b"secret")):
        with open(f"{root}/{name}", "wb") as file:
            file.write(content)
    os.symlink("text.txt", f"{root}/inside")
    os.symlink("../secret", f"{root}/outside")
    os.mkfifo(f"{root}/pipe")
    os.unlink(f"{root}/unreadable")
    os.symlink("/etc/shadow", f"{root}/unreadable")
    return root


with tempfile.TemporaryDirectory() as folder, Served(sys.argv[1], fill(folder)) as server:
    client = http.client.HTTPConnection(*server.place(), timeout=20)

    def ask(target, method="GET", **fields):
        client.request(method, target, headers={name.replace("_", "-"): value for name, value in fields.items()})
        answer = client.getresponse()
        return answer, answer.read()

    answer, body = ask("/")
    say(f"/: {answer.status} {answer.getheader('content-type')}, {len(body)} bytes")
    ask("/nothing")  # what is not in the system's memory: now it has all that it ever has
    before = server.descriptors() - 1
    answer, body = ask("/large")
    say(f"/large: {answer.status} {answer.getheader('content-type')}, {len(body)} bytes {'as they are' if body == LARGE else 'of others'}")
    for asked in ("bytes=5-9", "bytes=20-", "bytes=-3", "bytes=26-", "bytes=1-2,4-5"):
        answer, body = ask("/text.txt", Range=asked)
        say(f"{asked} of /text.txt: {answer.status} {answer.getheader('content-range')} {body.decode()}")
    answer, body = ask("/text.txt", If_Modified_Since=answer.getheader("last-modified"))
    say("not since then:", answer.status)
    answer, body = ask("/text.txt", "HEAD")
    say(f"HEAD /text.txt: {answer.status}, {answer.getheader('content-length')} bytes are told, {len(body)} come")
    for target in ("/a%20b.txt", "/folder", "/folder/", "/inside", "/outside", "/../secret", "/%2e%2e/secret", "//etc/passwd", "/pipe", "/unreadable"):
        answer, body = ask(target)
        place = answer.getheader("location")
        say(f"{target}: {answer.status}" + (f" to {place}" if place else ""))
    answer, body = ask("/text.txt", "POST")
    say(f"POST /text.txt: {answer.status}, {answer.getheader('allow')} are allowed")
    url = "http://%s:%d/text.txt" % server.place()
    say("curl:", subprocess.run(["curl", "-s", url], capture_output=True, text=True, timeout=30, check=False).stdout)
    client.close()
    say("no descriptor is left" if server.settles_at(before) else "descriptors are left")
