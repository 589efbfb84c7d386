"""A client of `occc play`: what its page asks for, and what must not get out. `try_play.py OCCC SECRET`"""

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.parse

OCCC, SECRET = sys.argv[1:3]

HEAD = '#INCLUDE "course.module"\n'
GREET = HEAD + 'PROC main (CHAN BYTE keyboard?, screen!)\n  BYTE c:\n  SEQ\n    out.string ("hello ", 0, screen!)\n' \
    + '    WHILE keyboard ? c\n      screen ! c\n:\n'
WRONG = "PROC main (CHAN BYTE screen!)\n  screen ! x\n:\n"
LOST = "PROC main (CHAN BYTE screen!)\n  CHAN INT c:\n  INT x:\n  c ? x\n:\n"
FOREVER = "PROC main (CHAN BYTE screen!)\n  INITIAL INT i IS 0:\n  WHILE TRUE\n    i := (i + 1) /\\ 255\n:\n"
WRITER = "PROC main (CHAN BYTE screen!)\n  WHILE TRUE\n    SEQ i = 0 FOR 1000\n      screen ! 'x'\n:\n"
GREEDY = "PROC main (CHAN BYTE screen!)\n  MOBILE []BYTE m:\n  SEQ\n    m := MOBILE [2000000000]BYTE\n" \
    + "    SEQ i = 0 FOR 2000000000\n      m[i] := 'x'\n:\n"
NETWORK = HEAD + "PROC source (CHAN INT out!)\n  SEQ i = 0 FOR 3\n    out ! i\n:\n" \
    + "PROC sink (CHAN INT in?, CHAN BYTE screen!)\n  SEQ i = 0 FOR 3\n    INT x:\n    SEQ\n      in ? x\n      out.int (x, 0, screen!)\n:\n" \
    + "PROC main (CHAN BYTE screen!)\n  CHAN INT values:\n  PAR\n    source (values!)\n    sink (values?, screen!)\n:\n"


def main_of(modules, declarations, body):
    """A program whose main does `body`, a line for each of its words."""
    lines = [f'#INCLUDE "{name}.module"' for name in ("course", *modules)]
    lines += ["PROC main (CHAN BYTE screen!)", *("  " + one for one in declarations), "  SEQ", *("    " + one for one in body), ":"]
    return "\n".join(lines) + "\n"


READER = main_of(["file"], ["MOBILE []BYTE text:", "INT result:"],
                 [f'file.read.all ("{SECRET}", text, result)', "out.int (result, 0, screen!)", 'out.string (text, 0, screen!)'])
STARTER = main_of(["process"], ["MOBILE []MOBILE []BYTE command:", "MOBILE []BYTE output, errors:", "INT status, result:"],
                  ["command := MOBILE [2]MOBILE []BYTE", f'command[0], command[1] := "/bin/cat", "{SECRET}"',
                   'process.run (command, "", 1000, 3000000, output, errors, status, result)', "out.int (result, 0, screen!)",
                   "out.string (output, 0, screen!)"])
MAKER = main_of(["file"], ["INT result:"], ['file.write.all ("more", "x", result)', "out.int (result, 0, screen!)"])
CALLER = main_of(["net"], ["CONNECTION! c:", "LISTENER! l:", "INT result:"],
                 ['net.connect ("127.0.0.1:%d", c, result)', "out.int (result, 0, screen!)", "screen ! ' '",
                  'net.listen ("127.0.0.1:0", l, result)', "out.int (result, 0, screen!)"])
INCLUDER = f'#INCLUDE "{SECRET}"\n' + WRONG


class Playground:
    def __init__(self):
        self.process = subprocess.Popen([OCCC, "play"], stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline())[1])

    def get(self, path, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers=fields)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def ask(self, what, text, **fields):
        """The frames of the answer: letter -> bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", what, body=text.encode(), headers=fields)
        answer = connection.getresponse()
        data, frames = answer.read(), {}
        if answer.status != 200:
            return {"E": str(answer.status).encode()}
        while data:
            head, data = data.split(b"\n", 1)
            length = int(head[2:])
            kind = head[:1].decode()
            frames[kind] = frames.get(kind, b"") + data[:length]
            data = data[length:]
        return frames


def words(frames):
    short = {kind: bytes_ if len(bytes_) < 200 else b"%d bytes" % len(bytes_) for kind, bytes_ in sorted(frames.items())}
    return ", ".join(f"{kind} {bytes_.decode().strip()}" for kind, bytes_ in short.items())


def say(title, frames):
    leak = any(b"do not tell" in bytes_ for bytes_ in frames.values())
    print(f"{title}: {words(frames)}{' THE SECRET IS OUT' if leak else ''}", flush=True)


def try_page(play):
    status, page = play.get("/")
    print("page:", status, b"<textarea" in page)
    print("examples:", b"const examples" in play.get("/examples.js")[1])
    print("outside:", play.get("/../server")[0], play.get("/%2e%2e/server")[0])
    print("another name:", play.get("/", Host="evil.example:80")[0])
    print("another page:", words(play.ask("/run", GREET, Origin="http://evil.example")))


def try_programs(play):
    say("run", play.ask("/run?input=" + urllib.parse.quote("wörld"), GREET))
    frames = play.ask("/run", WRONG)
    print("wrong:", "names-unknown" in frames["D"].decode(), sorted(frames))
    frames = play.ask("/run", LOST)
    print("deadlock:", "deadlock" in frames["R"].decode(), frames["E"].decode())
    frames = play.ask("/graph", NETWORK)
    print("graph:", sorted(frames), frames["S"].decode().count("values") > 0)
    frames = play.ask("/trace", NETWORK)
    print("trace:", sorted(frames), frames["O"].decode(), "<svg" in frames["S"].decode())
    say("too long", play.ask("/run", "-" * 300000))


def try_attacks(play):
    say("reads a file", play.ask("/run", READER))
    say("starts a program", play.ask("/run", STARTER))
    say("makes a file", play.ask("/run", MAKER))
    say("connects and listens", play.ask("/run", CALLER % play.port))
    frames = play.ask("/run", INCLUDER)
    print("includes a file:", "D" in frames, "THE SECRET IS OUT" if b"do not tell" in frames["D"] else "nothing of it")
    frames = play.ask("/run", GREEDY)
    print("wants much memory:", "memory" in frames["R"].decode() or frames["E"].decode())
    answers = {}
    threads = [threading.Thread(target=lambda text=text: answers.update({text: play.ask("/run", text)})) for text in (WRITER, FOREVER, FOREVER + "\n", LOST)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    frames = answers[WRITER]
    print("writes for ever:", len(frames["O"]) <= 1100000, "dropped" in frames["R"].decode(), frames["E"].decode())
    say("computes for ever", answers[FOREVER])
    print("four at once, all ended:", len(answers) == 4)


def rest(play):
    """Nothing is left: no program, no folder."""
    left = [name for name in os.listdir(os.environ.get("TMPDIR", "/tmp")) if name.startswith("occc-play-")]
    print("left behind:", left)
    play.process.send_signal(signal.SIGTERM)
    print("ended by", play.process.wait(10))


if __name__ == "__main__":
    PLAY = Playground()
    try_page(PLAY)
    try_programs(PLAY)
    try_attacks(PLAY)
    rest(PLAY)
