"""A client of live.occ: a browser without a window, which makes two pictures of the page.

    try_live_browser.py SERVER FOLDER BROWSER [PICTURE]"""

import os
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import PATIENCE, Served, say

COLOURS = {(0x99, 0xBB, 0xDD), (0xFF, 0xCC, 0x66), (0x66, 0xBB, 0x66)}  # of a process that thinks, is hungry, eats
LEAST = 2000  # pixels of a disc


def unfiltered(kind, line, before, size):
    """A line of a PNG as it was; `size` bytes a pixel."""
    for i, byte in enumerate(line):
        left = line[i - size] if i >= size else 0
        above = before[i]
        corner = before[i - size] if i >= size else 0
        guess = left + above - corner
        nearest = min((left, above, corner), key=lambda one: abs(guess - one))
        line[i] = (byte + (0, left, above, (left + above) // 2, nearest)[kind]) & 255
    return line


def read_picture(path):
    """The lines of a PNG with 8 bits a colour: lists of (red, green, blue)."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", data[at + 8:at + 18])
        elif kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    size = {2: 3, 6: 4}[colours]
    if depth != 8:
        sys.exit("another kind of PNG")
    bytes_, lines, before = zlib.decompress(packed), [], bytearray(width * size)
    for y in range(height):
        begin = y * (width * size + 1)
        before = unfiltered(bytes_[begin], bytearray(bytes_[begin + 1:begin + 1 + width * size]), before, size)
        lines.append([tuple(before[x * size:x * size + 3]) for x in range(width)])
    return lines


def discs(lines):
    """How many discs there are in the colours of processes; words in them leave small islands."""
    coloured = {(x, y) for y, line in enumerate(lines) for x, pixel in enumerate(line) if pixel in COLOURS}
    count = 0
    while coloured:
        border, size = [coloured.pop()], 1
        while border:
            x, y = border.pop()
            near = coloured & {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
            coloured -= near
            border += near
            size += len(near)
        count += size > LEAST
    return count


def photograph(browser, where, folder, name):
    """Once the page has drawn something: a busy machine takes longer."""
    path = os.path.join(folder, name)
    for patience_ms in (1500, 5000, 15000):
        words = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", f"--timeout={patience_ms}",
                 "--window-size=640,640", f"--screenshot={path}", f"http://{where}/"]
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=3 * PATIENCE, check=False)
        if discs(read_picture(path)) > 0:
            break
    return path


with Served(sys.argv[1], sys.argv[2]) as server, tempfile.TemporaryDirectory() as folder:
    pictures = [photograph(sys.argv[3], server.where, folder, name) for name in ("one.png", "two.png")]
    texts = [open(picture, "rb").read() for picture in pictures]
    say(f"in a browser: {discs(read_picture(pictures[0]))} processes, {'another picture' if texts[0] != texts[1] else 'the same picture'} later")
    if len(sys.argv) > 4:
        with open(sys.argv[4], "wb") as file:
            file.write(texts[0])
