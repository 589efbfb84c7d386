"""SIGTERM under load: ask_to_end.py SERVER"""

import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from served import Served, receive, say

MANY = 20

with Served(sys.argv[1]) as server:
    silent = server.connect()
    clients = [server.connect() for _ in range(MANY)]
    for client in clients:
        client.sendall(b"hello")
    time.sleep(0.2)
    asked = time.time()
    server.process.send_signal(signal.SIGTERM)
    say(sum(receive(client, 5) == b"hello" for client in clients), "of", MANY, "answers")
    try:
        server.connect()
        say("connected")
    except ConnectionRefusedError:
        say("connection refused")
    say(server.says())
    status = server.process.wait(20)
    say("status", status, "in time" if time.time() - asked < 5 else "late")
    silent.close()
