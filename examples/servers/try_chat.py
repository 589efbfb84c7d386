"""Clients of chat.occ: three people in two rooms, and one who does not read."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import Served, say

MANY = 300


class Person:
    def __init__(self, server, name):
        self.name = name
        self.socket = server.connect()
        self.lines = self.socket.makefile("r")
        self.types(name)
        self.hears()  # where it is

    def types(self, text):
        self.socket.sendall(text.encode() + b"\n")

    def hears(self):
        return self.lines.readline().strip()

    def goes_to(self, room):
        self.types("/join " + room)
        assert self.hears() == "you are in " + room

    def hears_nothing(self):
        self.socket.setblocking(False)
        try:
            return self.socket.recv(1) == b"?"
        except BlockingIOError:
            return True
        finally:
            self.socket.settimeout(20)



with Served(sys.argv[1]) as server:
    before = server.descriptors()
    bob = Person(server, "bob")
    eve = Person(server, "eve")
    assert bob.hears() == "eve is here"
    eve.goes_to("cellar")
    assert bob.hears() == "eve has gone"
    ann = Person(server, "ann")
    say("bob hears:", bob.hears())
    ann.types("hello, garden\r")
    say("bob hears:", bob.hears())
    say("eve hears", "nothing" if eve.hears_nothing() else "something")
    bob.goes_to("cellar")
    say("eve hears:", eve.hears())
    say("ann hears:", ann.hears())
    bob.types("hello, cellar")
    say("eve hears:", eve.hears())
    bob.types("/quit")
    say("eve hears:", eve.hears())
    say("bob hears", bob.hears() or "the end")

    lazy = Person(server, "lazy")
    assert ann.hears() == "lazy is here"
    eve.goes_to("garden")
    assert ann.hears() == "eve is here"
    for number in range(MANY):
        eve.types(f"{number} " + "x" * 400)
    heard = [int(ann.hears().split()[1]) for _ in range(MANY)]
    say("eve talks while another does not read:", len(heard) if heard == list(range(MANY)) else heard)
    for person in (ann, eve, lazy):
        person.lines.close()
        person.socket.close()
    bob.lines.close()
    bob.socket.close()
    say("descriptors as before:", server.settles_at(before + 2))  # two to wait with
