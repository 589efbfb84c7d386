"""Clients of live.occ: a client of WebSockets by hand."""

import http.client
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import Served, say
from websocket_client import CLOSE, TEXT, Client

def pictures(client, count):
    return [json.loads(client.receive()[1]) for _ in range(count)]

def meals(picture):
    return sum(one["meals"] for one in picture["philosophers"])

with Served(sys.argv[1], sys.argv[2]) as server:
    page = http.client.HTTPConnection(*server.place())
    page.request("GET", "/")
    answer = page.getresponse()
    say(f"the page: {answer.status} {answer.getheader('content-type')}, {'draws' if b'new WebSocket' in answer.read() else 'nothing'}")
    page.request("GET", "/live")
    answer = page.getresponse()
    say(f"not a WebSocket: {answer.status}")
    answer.read()
    page.close()
    before = server.descriptors() + 1  # several workers: one to ring a bell with

    one = Client(server.connect(), "/live")
    seen = pictures(one, 20)
    say(f"pictures of {len(seen[0]['philosophers'])} philosophers, who {'eat' if meals(seen[-1]) > meals(seen[0]) else 'starve'}")
    together = any(picture["philosophers"][i]["state"] == "eating" == picture["philosophers"][i - 1]["state"] for picture in seen for i in range(5))
    say("two neighbours eat" if together else "never two neighbours at once")

    def paced(text, wanted):
        one.send(TEXT, text)
        return any(picture["pace"] == wanted for picture in pictures(one, 20))

    say("a slower pace is " + ("kept" if paced(b'{"pace": 100}', 100) else "not kept"))
    still = all(paced(text, 100) for text in (b'{"pace": -1}', b'{"pace": 1001}', b"[", b'{"pace": "fast"}', b'"'))
    say("a pace that is none is " + ("passed over" if still else "taken"))

    more = [Client(server.connect(), "/live") for _ in range(2)]
    count = sum(len(pictures(client, 3)) == 3 for client in [one] + more)
    say("three see it at once" if count == 3 else f"{count} see it at once")

    silent = server.connect()
    sleeper = Client(silent, "/live")
    begin = time.monotonic()
    pictures(one, 10)
    say("one that never reads is " + ("no hindrance" if time.monotonic() - begin < 10 else "a hindrance"))
    silent.close()
    sleeper.input.close()

    one.send(CLOSE, b"\x03\xe8")
    say("closed with", one.closed())
    for client in [one] + more:
        client.input.close()
        client.connection.close()
    say("no descriptor is left" if server.settles_at(before) else f"{server.descriptors() - before} descriptors are left")
