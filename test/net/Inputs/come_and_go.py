"""Clients that reset connections in every state; and many that come and go. come_and_go.py SERVER [FIRST [MANY]]"""

import os
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from served import Served, receive, say

MANY = int(sys.argv[3]) if len(sys.argv) > 3 else 10000
FIRST = sys.argv[2].encode() if len(sys.argv) > 2 else b""


def reset(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def pour(client):
    """Until the server, whose answers nobody reads, takes no more."""
    client.settimeout(0.3)
    try:
        while True:
            client.send(b"x" * 65536)
    except TimeoutError:
        pass


def come(server):
    client = server.connect()
    client.sendall(FIRST + b"hello")
    assert receive(client, 5) == b"hello"
    return client


with Served(sys.argv[1]) as server:
    come(server).close()
    time.sleep(0.2)
    before = server.descriptors() + 1  # several workers: one to ring a bell with

    def nothing_left():
        return "nothing left" if server.settles_at(before) else f"{server.descriptors()}, not {before}"

    for _ in range(50):
        reset(server.connect())
    say("before it is accepted:", nothing_left())
    clients = [come(server) for _ in range(50)]
    for client in clients:
        reset(client)
    say("while it is read:", nothing_left())
    for _ in range(50):
        client = come(server)
        client.sendall(b"more")
        reset(client)
    say("after a part:", nothing_left())
    for _ in range(3):
        client = come(server)
        pour(client)
        reset(client)
    say("while it is written:", nothing_left())
    for _ in range(20):
        client = come(server)
        client.shutdown(socket.SHUT_WR)
        reset(client)
    say("after a half-close:", nothing_left())

    def many(count):
        for number in range(count):
            client = come(server)
            reset(client) if number % 2 else client.close()

    many(MANY // 10)
    memory = server.memory_kb()
    many(MANY - MANY // 10)
    grown = server.memory_kb() - memory
    stays = "memory stays" if grown < 1000 else f"memory grew by {grown} KB"
    say(f"{MANY} came and went: {nothing_left()}, {stays}")
    say("the server", "lives" if server.lives() else "is gone")
