"""An echo under strace, which lets every third call of one kind fail: injected.py SERVER [FIRST]"""

import os
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from served import Served, receive, say

FIRST = sys.argv[2].encode() if len(sys.argv) > 2 else b""
KINDS = {"read": "read,recvfrom", "write": "sendto,sendmsg", "accept4": "accept4",
         "epoll": "epoll_wait,epoll_pwait,epoll_pwait2"}
SIZE = 300_000


def is_whole(server, buffer=None):
    client = server.connect()
    if buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    message = bytes(i * 7 % 251 for i in range(SIZE))
    thread = threading.Thread(target=client.sendall, args=(FIRST + message,))
    thread.start()
    answer = receive(client, SIZE)
    thread.join()
    client.close()
    return answer == message


def show(name, whole):
    say(f"{name}: {'whole' if whole else 'broken'}")


def injected(kind, error):
    rule = f"inject={KINDS[kind]}:error={error}:when=2+3"
    with Served(sys.argv[1]) as server:
        words = ["strace", "-f", "-o", "/dev/null", "-e", f"trace={KINDS[kind]}", "-e", rule]
        tracer = subprocess.Popen([*words, "-p", str(server.process.pid)], stderr=subprocess.PIPE)
        tracer.stderr.readline()  # "attached"
        show(f"{kind} {error}", is_whole(server) and is_whole(server))
        tracer.terminate()


for kind, error in (("read", "EINTR"), ("read", "EAGAIN"), ("write", "EINTR"), ("write", "EAGAIN"),
                    ("accept4", "EINTR"), ("accept4", "ECONNABORTED"), ("accept4", "EMFILE"), ("epoll", "EINTR")):
    injected(kind, error)
with Served(sys.argv[1]) as server:
    show("small buffers", is_whole(server, 2000))
