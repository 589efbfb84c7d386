"""A server under test: started, asked where it listens, ended; for the clients of lit tests.

    with Served(sys.argv[1]) as server:
        client = server.connect()
"""

import os
import queue
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

PATIENCE = 20


class Served:
    """The program says "listening on HOST:PORT", or a path, in its first line."""

    def __init__(self, *command, descriptors=None):
        def prepare():
            signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # a shell in the background ignores it
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=prepare)
        self.lines = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.where = self.says().rpartition(" ")[2]

    def _listen(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))

    def says(self):
        """The next line on its screen."""
        return self.lines.get(timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def connect(self):
        if "/" in self.where:
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(PATIENCE)
            client.connect(self.where)
            return client
        return socket.create_connection(self.place(), timeout=PATIENCE)

    def place(self):
        """Its host and port."""
        host, _, port = self.where.rpartition(":")
        return host.strip("[]"), int(port)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def settles_at(self, wanted):
        """Are there, soon, at most so many descriptors?"""
        for _ in range(200):
            if self.descriptors() <= wanted:
                return True
            time.sleep(0.05)
        return False

    def memory_kb(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def lives(self):
        return self.process.poll() is None


def receive(client, count):
    """Exactly so many bytes."""
    parts = []
    while count > 0:
        part = client.recv(min(count, 65536))
        if not part:
            break
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def raise_limit():
    """As many descriptors as this user may have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


def say(*words):
    print(*words)
    sys.stdout.flush()
