"""Clients of echo.occ: one, ten thousand at once, and one that sends much before it reads."""

import os
import socket
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import Served, raise_limit, receive, say

MANY = 10_000
OTHERS = 50  # descriptors for all else
MUCH = 20_000_000

most = raise_limit() - OTHERS
with Served(sys.argv[1]) as server:
    client = server.connect()
    client.sendall(b"hello")
    say("one client:", receive(client, 5).decode())

    clients = [server.connect() for _ in range(min(MANY, most))]
    for number, one in enumerate(clients):
        one.sendall(b"client %5d" % number)
    answers = [receive(one, 12) == b"client %5d" % number for number, one in enumerate(clients)]
    limit = "" if most >= MANY else ", as many as the limit of descriptors allows"
    say(f"{len(clients)} clients at once{limit}: {'all have' if all(answers) else f'only {sum(answers)} have'} their answers")

    def send():
        client.sendall(b"x" * MUCH)
        client.shutdown(socket.SHUT_WR)

    thread = threading.Thread(target=send)
    thread.start()
    say(len(receive(client, 2 * MUCH)), "bytes came back")
    thread.join()
    say("the server", "lives" if server.lives() else "is gone")
