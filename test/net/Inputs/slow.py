"""Clients that read nothing, or say nothing, of calls.occ: slow.py SERVER"""

import os
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from served import Served, receive, say


with Served(sys.argv[1]) as server:
    client = server.connect()
    client.sendall(b"e")
    client.sendall(b"x")
    receive(client, 1)
    memory = server.memory_kb()
    pouring = server.connect()
    pouring.sendall(b"p")
    time.sleep(0.5)
    grown = server.memory_kb() - memory
    say("poured while nobody reads:", "memory stays" if grown < 2000 else f"{grown} KB")
    pouring.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    pouring.close()
    say(server.says())
    late = server.connect()
    late.sendall(b"d")
    say(server.says())
    half_open = server.connect()
    half_open.sendall(b"hx")
    say(server.says())
    client.shutdown(socket.SHUT_WR)
    say(server.says())
