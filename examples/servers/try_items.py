"""Clients of items.occ: Python's own and curl."""

import http.client
import json
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import Served, say


def ask(client, method, target, body=None):
    client.request(method, target, body)
    answer = client.getresponse()
    say(f"{method} {target}: {answer.status} {answer.read().decode()}")


with Served(sys.argv[1]) as server:
    place = server.place()
    client = http.client.HTTPConnection(*place)
    ask(client, "GET", "/items")
    ask(client, "POST", "/items", json.dumps({"name": "tea", "price": 2.5, "count": 3, "more": None}))
    ask(client, "POST", "/items", json.dumps({"count": 1, "price": 1, "name": "milk"}))
    ask(client, "GET", "/items/2")
    ask(client, "PUT", "/items/2", json.dumps({"name": "milk", "price": 1, "count": "x"}))
    ask(client, "PUT", "/items/2", json.dumps({"name": "milk"}))
    ask(client, "PUT", "/items/2", json.dumps({"name": "mü", "price": 1.25, "count": 9}))
    ask(client, "PUT", "/items/9", json.dumps({"name": "milk", "price": 1, "count": 1}))
    ask(client, "DELETE", "/items/1")
    ask(client, "DELETE", "/items/1")
    ask(client, "PATCH", "/items")
    ask(client, "POST", "/items", '{"name":')
    ask(http.client.HTTPConnection(*place), "POST", "/items", "x" * 100_000)
    curl = subprocess.run(["curl", "-s", "http://%s:%d/items" % place], capture_output=True, text=True, timeout=30, check=False)
    say("curl:", curl.stdout)
    server.process.send_signal(signal.SIGTERM)
    say("SIGTERM: ends with", server.process.wait(30))
