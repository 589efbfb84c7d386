#!/usr/bin/env python3
"""Servers under load, beside Go and nginx: the server on CPU 0, its clients (load.c, and wrk for HTTP) on CPU 1, the peers in turns, medians.
bare and ring are bare.c, which does nothing but take and send, through epoll and io_uring: what the kernel and the client allow at all.

    make bench-net                     all of them
    python3 test/bench/net/run.py --occc build/bin/occc --rounds 1 --seconds 0.5

Messages a second and their time (p50, p99) mean something only when nothing else runs; processor time for each message, of the server and of
its client, and memory for each connection always do. A peer that is missing is left out, and that is said."""

import argparse
import os
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
LOADS = [("echo", 1), ("echo", 64), ("echo", 1000), ("open", 16)]
HTTP_LOADS = [("http", 64), ("http 16 at once", 64), ("file", 64)]
IDLE = 10000
TICKS = os.sysconf("SC_CLK_TCK")


NGINX = """daemon off; master_process off; pid {cache}/nginx.pid; error_log {cache}/nginx.errors;
events {{ worker_connections 1024; }}
http {{ access_log off; default_type text/plain; keepalive_requests 1000000000;
  server {{ listen 127.0.0.1:{port}; root {cache}/www; location = / {{ return 200 "Hello, world!"; }} }} }}
"""


def servers(http, file, echo=None):
    """A peer: the command of its server for each load."""
    return {"http": http, "http 16 at once": http, "file": file} | ({"echo": echo, "open": echo} if echo else {})


def build(occc, cache):
    """The peers: name, and its servers."""
    os.makedirs(f"{cache}/www", exist_ok=True)
    with open(f"{cache}/www/hello.txt", "w") as file:
        file.write("Hello, world!")
    subprocess.run(["cc", "-O2", "-o", f"{cache}/load", f"{HERE}/load.c"], check=True)
    for name in ("echo", "hello", "files"):
        subprocess.run([occc, "-O2", "-o", f"{cache}/{name}-occ", f"{ROOT}/examples/servers/{name}.occ"], check=True)
    subprocess.run(["cc", "-O2", "-o", f"{cache}/bare", f"{HERE}/bare.c"], check=True)
    peers = {"occ": servers([f"{cache}/hello-occ"], [f"{cache}/files-occ", f"{cache}/www"], [f"{cache}/echo-occ"])}
    if shutil.which("go"):
        for name in ("echo", "hello"):
            subprocess.run(["go", "build", "-o", f"{cache}/{name}-go", f"{HERE}/{name}.go"], check=True)
        peers["go"] = servers([f"{cache}/hello-go"], [f"{cache}/hello-go", f"{cache}/www"], [f"{cache}/echo-go"])
    else:
        print("Go is missing: left out")
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if os.path.exists(nginx):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        with open(f"{cache}/nginx.conf", "w") as file:
            file.write(NGINX.format(cache=os.path.abspath(cache), port=port))
        words = ["sh", "-c", f"echo listening on :{port}; exec {nginx} -c {os.path.abspath(cache)}/nginx.conf"]
        peers["nginx"] = servers(words, words)
    else:
        print("nginx is missing: left out")
    for name, door in (("bare", []), ("ring", ["ring"])):
        peers[name] = {way: [f"{cache}/bare", kind, *door] for way, kind in (("echo", "echo"), ("open", "echo"), ("http", "http"))}
    return peers


def run_client(words):
    """What it printed, and its processor time in us."""
    client = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    said = client.stdout.read()
    _, status, used = os.wait4(client.pid, 0)
    if status:
        sys.exit(f"{words} failed")
    return said, (used.ru_utime + used.ru_stime) * 1e6


class Server:
    def __init__(self, command):
        environment = dict(os.environ, GOMAXPROCS="1", OCC_WORKERS="1")
        self.process = subprocess.Popen(["taskset", "-c", "0", *command], stdout=subprocess.PIPE, env=environment)
        self.port = self.process.stdout.readline().decode().strip().rpartition(":")[2]
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", int(self.port))).close()
                break
            except OSError:
                time.sleep(0.02)

    def cpu_us(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            return sum(int(word) for word in stat.read().split()[13:15]) * 1e6 / TICKS

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return 1024 * next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def end(self):
        self.process.kill()
        self.process.wait()


def http_once(commands, _cache, way, count, seconds):
    server = Server(commands[way])
    page = f"http://127.0.0.1:{server.port}/" + ("hello.txt" if way == "file" else "")
    words = ["taskset", "-c", "1", "wrk", "-t1", f"-c{count}", f"-d{max(1, round(seconds))}s", "--latency", page]
    if way.endswith("at once"):
        words += ["-s", f"{HERE}/pipeline.lua"]
    said, client_us = run_client(words)
    if "Non-2xx" in said or "Socket errors" in said:
        sys.exit(f"wrk found errors:\n{said}")
    p50, p99 = (float(number) * {"us": 1, "ms": 1e3, "s": 1e6}[unit] for number, unit in re.findall(r" (?:50|99)% +([\d.]+)(us|ms|s)", said))
    total = int(re.search(r"(\d+) requests in", said)[1])
    cpu = server.cpu_us() / total
    server.end()
    return float(re.search(r"Requests/sec: +([\d.]+)", said)[1]), p50, p99, cpu, client_us / total


def load_once(commands, cache, way, count, seconds):
    server = Server(commands[way])
    words = ["taskset", "-c", "1", f"{cache}/load", way, server.port, str(count), str(seconds)]
    said, client_us = run_client(words)
    rate, p50, p99, total = (float(word) for word in said.split())
    cpu = server.cpu_us() / total
    server.end()
    return rate, p50, p99, cpu, client_us / total


def idle_bytes(command, count):
    """Memory for each of so many connections that say a word, and no more."""
    server = Server(command)
    before = server.memory()
    clients = []
    for _ in range(count):
        client = socket.create_connection(("127.0.0.1", int(server.port)))
        client.sendall(b"x")
        client.recv(1)
        clients.append(client)
    used = server.memory() - before
    server.end()
    for client in clients:
        client.close()
    return used / count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--occc", default=os.path.join(ROOT, "build/bin/occc"))
    parser.add_argument("--cache", default="/tmp/occ-bench-net")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--only", default="", help="rows that begin so")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    peers = build(options.occc, options.cache)
    print(f"{'':20}{'':6}{'a second':>10}{'p50 us':>9}{'p99 us':>9}{'CPU us each':>13}{'its client':>12}")
    loads = [(load_once, way, count) for way, count in LOADS]
    if shutil.which("wrk"):
        loads += [(http_once, way, count) for way, count in HTTP_LOADS]
    else:
        print("wrk is missing: HTTP is left out")
    for once, way, count in (load for load in loads if load[1].startswith(options.only)):
        results = {name: [] for name, commands in peers.items() if way in commands}
        for _ in range(options.rounds):
            for name, commands in ((name, peers[name]) for name in results):
                results[name].append(once(commands, options.cache, way, count, options.seconds))
        for name, rows in results.items():
            rate, p50, p99, cpu, client = (statistics.median(column) for column in zip(*rows))
            print(f"{way + ', ' + str(count):20}{name:6}{rate:10.0f}{p50:9.0f}{p99:9.0f}{cpu:13.2f}{client:12.2f}")
        sys.stdout.flush()
    count = min(IDLE, most - 100)
    for name, commands in peers.items() if "idle".startswith(options.only) else ():
        if "echo" in commands:
            print(f"{'idle, ' + str(count):20}{name:6}{idle_bytes(commands['echo'], count):10.0f} bytes a connection")


if __name__ == "__main__":
    main()
