"""Clients of echo.occ: one, a thousand at once, and one that sends much before it reads."""

import os
import socket
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import Served, raise_limit, receive, say

MANY = 1000
MUCH = 20_000_000

raise_limit()
with Served(sys.argv[1]) as server:
    client = server.connect()
    client.sendall(b"hello")
    say("one client:", receive(client, 5).decode())

    clients = [server.connect() for _ in range(MANY)]
    for number, one in enumerate(clients):
        one.sendall(b"client %4d" % number)
    answers = [receive(one, 11) == b"client %4d" % number for number, one in enumerate(clients)]
    say(f"{MANY} clients: {sum(answers)} answers")

    def send():
        client.sendall(b"x" * MUCH)
        client.shutdown(socket.SHUT_WR)

    thread = threading.Thread(target=send)
    thread.start()
    say(len(receive(client, 2 * MUCH)), "bytes came back")
    thread.join()
    say("the server", "lives" if server.lives() else "is gone")
