"""Servers with good and bad certificates, and with bad manners, for the client of secure.occ."""

import os
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from certificates import Certificates
from served import receive, say


def listen(serve, times=1):
    """A thread serves so many connections of a new listener; its port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run():
        for _ in range(times):
            client, _ = listener.accept()
            client.settimeout(20)
            try:
                serve(client)
            except OSError:
                pass
            client.close()

    threading.Thread(target=run, daemon=True).start()
    return listener.getsockname()[1]


def ask(port, authorities, version=3, times=1, host="localhost"):
    """What the client says, without the first line of each answer when that is no more than success."""
    done = subprocess.run([sys.argv[1], "ask", f"{host}:{port}", authorities, str(version), str(times)], capture_output=True, text=True,
                          timeout=30, check=False)
    return " | ".join(line for line in done.stdout.split("\n") if line.strip() and line.strip() not in ("trust:", "connect:")) + done.stderr


def context_of(pair):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*pair)
    context.set_alpn_protocols(["two"])
    return context


def echo(pair):
    context = context_of(pair)

    def serve(client):
        with context.wrap_socket(client, server_side=True) as secure:
            secure.sendall(receive(secure, 6))
            while secure.recv(100):
                pass
            secure.unwrap()

    return serve


def truncate(pair):
    context = context_of(pair)

    def serve(client):
        secure = context.wrap_socket(client, server_side=True)
        secure.sendall(receive(secure, 6))
        secure.shutdown(socket.SHUT_WR)  # of the socket alone
        client.recv(100)

    return serve


with tempfile.TemporaryDirectory() as folder:
    made = Certificates(folder)
    made.signed("good")
    made.signed("expired", last="20200201000000Z")
    made.signed("early", first="20480101000000Z")
    made.signed("other", names="DNS:example.org")
    made.of_itself("alone", "localhost", "DNS:localhost")
    ca = made.path("ca.pem")
    for version in (2, 3):
        say(f"good, 1.{version}:", ask(listen(echo(made.pair("good")), 2), ca, version, 2))
    say("good, by address:", ask(listen(echo(made.pair("good"))), ca, host="127.0.0.1"))
    for name in ("expired", "early", "other", "alone"):
        say(f"{name}:", ask(listen(echo(made.pair(name))), ca))
    say("other, by address:", ask(listen(echo(made.pair("other"))), ca, host="127.0.0.1"))
    say("unknown authority:", ask(listen(echo(made.pair("good"))), made.path("alone.pem")))
    say("alone, believed:", ask(listen(echo(made.pair("alone"))), made.path("alone.pem")))
    say("truncated:", ask(listen(truncate(made.pair("good"))), ca))
    say("no TLS:", ask(listen(lambda client: client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")), ca))
    say("says nothing:", ask(listen(lambda client: client.recv(100000) and client.recv(1)), ca))
    say("gone:", ask(listen(lambda client: client.recv(1)), ca).replace("connection reset", "connection truncated"))
    say("no such file:", ask(1, made.path("none.pem")))
    say("no certificate:", ask(1, made.path("good.key")))
    port = socket.create_server(("127.0.0.1", 0)).getsockname()[1]
    peer = subprocess.Popen(["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", made.pair("good")[0], "-key", made.pair("good")[1],
                             "-rev", "-quiet"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            threading.Event().wait(0.02)
    say("openssl s_server:", ask(port, ca).split(" | ")[0])
    peer.kill()
    peer.wait()
