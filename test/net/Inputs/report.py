"""A report of a server with a client for each further word, which it sends first: report.py SERVER [WORD..]"""

import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from served import Served

with Served(sys.argv[1]) as server:
    clients = [server.connect() for _ in sys.argv[2:] or [""]]
    for client, word in zip(clients, sys.argv[2:]):
        client.sendall(word.encode())
    time.sleep(0.5)
    server.process.send_signal(signal.SIGQUIT)
    time.sleep(0.5)
