"""More clients than a server has descriptors: few_descriptors.py SERVER [FIRST]"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from served import Served, receive, say

MANY = 40
FEW = 20
FIRST = sys.argv[2].encode() if len(sys.argv) > 2 else b""


def cpu(server):
    with open(f"/proc/{server.process.pid}/stat") as stat:
        return sum(int(word) for word in stat.read().split()[13:15])


def is_served(client):
    client.settimeout(0.05)
    try:
        return receive(client, 5) == b"hello"
    except TimeoutError:
        return False


with Served(sys.argv[1], descriptors=FEW) as server:
    clients = [server.connect() for _ in range(MANY)]
    for client in clients:
        client.sendall(FIRST + b"hello")
    time.sleep(0.3)
    used = cpu(server)
    waiting = []
    served = 0
    for client in clients:
        if is_served(client):
            served += 1
            client.close() if served > FEW else waiting.append(client)
        else:
            waiting.append(client)
    say("served at first:", "some" if 0 < served < FEW else served)
    time.sleep(0.5)
    used = cpu(server) - used
    for client in clients[:served]:
        client.close()
    deadline = time.time() + 15
    left = clients[served:]
    while left and time.time() < deadline:
        for client in list(left):
            if is_served(client):
                served += 1
                client.close()
                left.remove(client)
    say("served after others have gone:", served)
    say("no work meanwhile:", used <= 10)
    say("the server", "lives" if server.lives() else "is gone")
