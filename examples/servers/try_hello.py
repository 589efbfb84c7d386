"""Clients of hello.occ: Python's own, one that sends 32 requests at once, and curl."""

import http.client
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import Served, say


def ask(client, method, target, body=None, shown=None, **words):
    client.request(method, target, body, **words)
    answer = client.getresponse()
    text = answer.read().decode()
    say(f"{method} {shown or target}: {answer.status} {answer.getheader('content-type')} {text.strip()}")


with Served(sys.argv[1]) as server:
    place = server.place()
    client = http.client.HTTPConnection(*place)
    ask(client, "GET", "/")
    ask(client, "GET", "/greet?name=Grace+Hopper")
    ask(client, "POST", "/length", b"x" * 100_000)
    ask(client, "POST", "/length", iter([b"y" * 100_000] * 3), "/length in chunks", encode_chunked=True)
    ask(client, "GET", "/count?to=5")
    ask(client, "GET", "/nothing")
    client.request("HEAD", "/")
    answer = client.getresponse()
    say(f"HEAD /: {answer.status} length {answer.getheader('content-length')}, {'a body' if answer.read() else 'no body'}")

    many = server.connect()
    many.sendall(b"".join(b"GET /greet?name=%d HTTP/1.1\r\nHost: here\r\n%s\r\n" % (i, b"Connection: close\r\n" if i == 31 else b"") for i in range(32)))
    got = many.makefile("rb").read()
    numbers = [int(number) for number in re.findall(rb"Hello, (\d+)!", got)]
    say(f"32 requests at once: {len(numbers)} answers{' in order' if numbers == list(range(32)) else ''}")

    curl = subprocess.run(["curl", "-s", "http://%s:%d/" % place], capture_output=True, text=True, timeout=30, check=False)
    say("curl:", curl.stdout)
