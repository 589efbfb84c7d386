"""Clients of the server of secure.occ: Python's and openssl's, and some with bad manners."""

import os
import select
import socket
import ssl
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from certificates import Certificates
from served import Served, receive, say

MUCH = bytes(range(256)) * 20_000


def context_of(authorities, version=None):
    context = ssl.create_default_context(cafile=authorities)
    if version:
        context.minimum_version = context.maximum_version = version
    return context


def connect(server, context):
    return context.wrap_socket(server.connect(), server_hostname="localhost")


def send_much(server, context):
    """What is written comes back while more is written: by one thread, for those of OpenSSL may not share a connection."""
    client = connect(server, context)
    client.setblocking(False)
    sent, got = 0, bytearray()
    while len(got) < len(MUCH):
        waits = True
        if sent < len(MUCH):
            try:
                sent += client.send(MUCH[sent:sent + 16384])
                waits = False
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                pass
        try:
            part = client.recv(65536)
            if not part:
                break
            got += part
            waits = False
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass
        if waits:
            select.select([client], [client] if sent < len(MUCH) else [], [], 20)
    client.settimeout(20)
    client.unwrap().close()  # says the end, and waits for the other's
    return got == MUCH


with tempfile.TemporaryDirectory() as folder:
    made = Certificates(folder)
    made.signed("good")
    made.of_itself("alone", "localhost", "DNS:localhost")
    ca = made.path("ca.pem")
    for key in (made.path("alone.key"), made.path("good.pem"), made.path("none.key")):
        done = subprocess.run([sys.argv[1], "serve", made.path("good.pem"), key], capture_output=True, text=True, timeout=30, check=False)
        say(done.stdout.strip())
    with Served(sys.argv[1], "serve", *made.pair("good")) as server:
        before = server.descriptors()
        for name, version in (("1.2", ssl.TLSVersion.TLSv1_2), ("1.3", ssl.TLSVersion.TLSv1_3)):
            say(f"much over {name}:", "whole" if send_much(server, context_of(ca, version)) else "broken", "|", server.says())
        context = context_of(ca, ssl.TLSVersion.TLSv1_2)
        context.set_alpn_protocols(["two", "one"])
        first = connect(server, context)
        second = context.wrap_socket(server.connect(), server_hostname="localhost", session=first.session)
        say("protocol:", first.selected_alpn_protocol(), "| reused:", second.session_reused)
        first.unwrap().close()
        second.unwrap().close()
        say(server.says(), "|", server.says())
        context.set_alpn_protocols(["three"])
        try:
            connect(server, context)
        except ssl.SSLError as error:
            say("no protocol:", "refused" if "no application protocol" in str(error) else error, "|", server.says())
        done = subprocess.run(["openssl", "s_client", "-connect", server.where, "-servername", "localhost", "-CAfile", ca, "-verify_return_error",
                               "-quiet", "-no_ign_eof"], input="Hello\n", capture_output=True, text=True, timeout=20, check=False)
        say("openssl s_client:", "good" if done.returncode == 0 else done.stderr, "|", server.says().replace("connection truncated", ""))
        client = connect(server, context_of(ca))
        client.sendall(b"x")
        receive(client, 1)
        client.shutdown(socket.SHUT_WR)  # of the socket alone
        say("truncated |", server.says())
        silent = server.connect()
        say("says nothing |", server.says())
        silent.close()
        plain = server.connect()
        plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
        say("no TLS |", server.says())
        plain.close()
        client.close()
        say("nothing left" if server.settles_at(before) else "descriptors are left")
