"""Clients of proxy.occ, and three servers behind it: one can be stopped, and begun again at the same port."""

import collections
import os
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import PATIENCE, Served, receive, say

MUCH = bytes(range(250)) * 20_000


class Backend:
    """Says its name, then gives back what it gets."""

    def __init__(self, name, port=0):
        self.name = name
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            with client:
                client.sendall(self.name.encode())
                while part := client.recv(65536):
                    client.sendall(part)
        except OSError:
            pass

    def stop(self):
        self.listener.shutdown(socket.SHUT_RDWR)  # its thread goes on with an error
        self.listener.close()


def ask(server):
    """The name of the server that is behind the proxy this time."""
    with server.connect() as client:
        name = client.recv(1).decode()
        client.shutdown(socket.SHUT_WR)
        client.recv(1)
        return name


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)


backends = [Backend(name) for name in "abc"]
with Served(sys.argv[1], ":0", *(f"127.0.0.1:{backend.port}" for backend in backends)) as server:
    ask(server)  # now it has all that it ever has
    before = min(server.descriptors() for _ in range(30) if not time.sleep(0.01))
    counts = collections.Counter(ask(server) for _ in range(30))
    say("30 asked:", ", ".join(f"{count} of {name}" for name, count in sorted(counts.items())))
    stay = [server.connect() for _ in range(3)]
    say("three that stay are of", {1: "one", 2: "two", 3: "three"}[len({client.recv(1) for client in stay})])
    for client in stay:
        client.close()
    client = server.connect()
    sender = threading.Thread(target=lambda: (client.sendall(MUCH), client.shutdown(socket.SHUT_WR)))
    sender.start()
    got = receive(client, len(MUCH) + 2)
    say(f"{len(MUCH)} bytes to and fro:", "as they are" if got[1:] == MUCH else "others")
    sender.join()
    client.close()
    backends[1].stop()
    names = [ask(server) for _ in range(20)]
    say(f"without b: {sum(name in ('a', 'c') for name in names)} answers,", "some of b" if "b" in names else "none of b")
    again = Backend("b", backends[1].port)
    until(lambda: ask(server) == "b")
    say("b is back" if "b" in [ask(server) for _ in range(6)] else "b is not back")
    for backend in (backends[0], again, backends[2]):
        backend.stop()
    say("nobody there:", ask(server) or "closed")
    say("no descriptor is left" if server.settles_at(before) else "descriptors are left")
