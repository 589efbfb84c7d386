"""Plays worm.occ in a terminal of its own (a pty)."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time


def resize(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


class Terminal:
    def __init__(self, program):
        self.master, self.slave = pty.openpty()
        resize(self.slave, 40, 12)
        self.before = termios.tcgetattr(self.slave)
        self.shown = ""
        self.game = subprocess.Popen([program], stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True)

    def await_text(self, pattern):
        """What is shown from the match on is kept for the next question."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            match = re.search(pattern, self.shown, re.S)
            if match:
                self.shown = self.shown[match.end():]
                return match
            if select.select([self.master], [], [], 0.1)[0]:
                self.shown += os.read(self.master, 4096).decode()
        raise SystemExit(f"never shown: {pattern}, but {self.shown!r}")

    def type(self, keys):
        os.write(self.master, keys)

    def heads(self):
        """Where the head is drawn next."""
        match = self.await_text(r"\x1b\[(\d+);(\d+)H\x1b\[38;5;2m#")
        return int(match[2]), int(match[1])

    def direction(self):
        x, y = self.heads()
        to_x, to_y = self.heads()
        return {(1, 0): "right", (-1, 0): "left", (0, -1): "up", (0, 1): "down"}.get((to_x - x, to_y - y), "nowhere")

    def finish(self, what):
        score = self.await_text(r"\x1b\[\?1049lscore (\d+)")[1]
        status = self.game.wait(timeout=20)
        same = termios.tcgetattr(self.slave) == self.before
        print(f"{what}: score {score}, status {status}, the terminal is {'as it was' if same else 'another'}", flush=True)
        os.close(self.master)
        os.close(self.slave)


def turned(terminal, key, wanted):
    terminal.type(key)
    for _ in range(3):
        if terminal.direction() == wanted:
            return wanted
    return f"not {wanted}"


one = Terminal(sys.argv[1])
one.await_text(r"\x1b\[\?1049h")
print("the board is", one.await_text(r"(40 by 12)")[1], flush=True)
print("the worm goes", ", ".join([one.direction(), turned(one, b"\x1b[A", "up"), turned(one, b"\x1bOD", "left")]), flush=True)
resize(one.slave, 50, 20)
os.kill(one.game.pid, signal.SIGWINCH)
print("the board is", one.await_text(r"(50 by 20)")[1], flush=True)
one.type(b"q")
one.finish("q")
wall = Terminal(sys.argv[1])
wall.finish("into the wall")
interrupted = Terminal(sys.argv[1])
interrupted.await_text("by 12")
interrupted.type(b"\x03")
interrupted.finish("^C")
print(subprocess.run([sys.argv[1]], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=False).stderr.strip())
