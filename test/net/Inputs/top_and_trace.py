"""A server with one client, seen by `occc top` and in its trace: top_and_trace.py OCCC SERVER TRACE"""

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from served import Served, say

occc, server, trace = sys.argv[1:]
os.environ["OCC_TRACE"] = trace
with Served(server) as served:
    client = served.connect()
    time.sleep(0.5)
    say(subprocess.run([occc, "top", str(served.process.pid)], capture_output=True, text=True, check=False).stdout)
    served.process.terminate()
    served.process.wait(20)
    say(subprocess.run([occc, "trace", trace], capture_output=True, text=True, check=False).stdout)
