"""What a server of HTTP/1.1 must make of a stream of bytes, by RFC 9112, where the server answers as test/net/Inputs/mirror.occ does.

`verdicts (stream)` gives the answers in order. A request that is sound has one answer; for one that is not, an answer names every
status that a fault in it allows: a head may have several faults, and the standard does not say which is found first."""

import re
from dataclasses import dataclass, field

LONGEST_HEAD, MOST_FIELDS, LONGEST_BODY, PASSED = 16384, 64, 100_000, 262_144

TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
METHODS = set(b"GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH".split())
# what registries of methods beyond RFC 9110 have, which a server may know or not
OTHER_METHODS = set(b"""COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK BIND REBIND UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE
    M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PURGE MKCALENDAR LINK UNLINK SOURCE""".split())
UNRESERVED = rb"A-Za-z0-9._~!$&'()*+,;=:@%-"
TARGET = re.compile(rb"/[%s/]*(\?[%s/?]*)?" % (UNRESERVED, UNRESERVED))
URL = re.compile(rb"(?i:http)://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[%s/]*)?(\?[%s/?]*)?" % (UNRESERVED, UNRESERVED))
PLACE = re.compile(rb"[A-Za-z0-9.-]+:[0-9]{1,4}")
# what no target has in it; some of what is left is no URI, which a server may take all the same
NEVER_IN_TARGET = re.compile(rb"[\0-\x20\x7f]")
FIELD = re.compile(rb"(%s):[ \t]*([\x21-\x7e\x80-\xff]?|[\x21-\x7e\x80-\xff][\x20-\x7e\x80-\xff\t]*[\x21-\x7e\x80-\xff])[ \t]*" % TOKEN)
# with white space behind the number there is no telling: some servers pass over what follows
CHUNK = re.compile(rb"([0-9A-Fa-f]+)(?:([ \t][\t\x20-\x7e\x80-\xff]*)|;[\t\x20-\x7e\x80-\xff]*)?")


@dataclass
class Answer:
    statuses: set
    body: bytes = None       # of a 200; None: any
    head_only: bool = False  # there is no body, whatever its length
    cut: bool = False        # the body may end anywhere, and the connection with it
    last: bool = False       # the connection ends here
    may_be_last: bool = False
    doubts: set = field(default_factory=set)  # or one of these, and then the connection ends
    is_open: bool = False    # the standard leaves open what this is, and so what comes behind it


@dataclass
class Head:
    faults: set = field(default_factory=set)
    doubts: set = field(default_factory=set)  # a server may refuse it with one of these
    method: bytes = b""
    target: bytes = b""
    x: bytes = b""
    is_old: bool = False
    keeps: bool = True
    expects: bool = False
    is_chunked: bool = False
    length: int = 0
    may_close: bool = False  # a field that some servers take for Connection
    is_open: bool = False    # chunks that some servers take and others do not


def members(values):
    """Of fields whose values are lists."""
    return [part.strip(b" \t").lower() for value in values for part in value.split(b",")]


def read_request_line(head, line):
    words = line.split(b" ")
    if not re.fullmatch(TOKEN, words[0]):
        head.faults |= {400, 501}
    elif words[0] not in METHODS:
        (head.doubts if words[0] in OTHER_METHODS else head.faults).add(501)
    if len(words) != 3 or not words[1]:
        head.faults |= {400, 501, 505}
    version = re.fullmatch(rb"HTTP/([0-9])\.([0-9])", words[-1])
    if not version:
        head.faults |= {400, 505}
    elif version[1] != b"1":
        head.faults.add(505)
    else:
        head.is_old = version[2] == b"0"
    head.method, head.target = words[0], words[1] if len(words) > 1 else b""
    read_target(head)


def read_target(head):
    target = head.target
    form = (PLACE.fullmatch(target) if head.method == b"CONNECT" else
            TARGET.fullmatch(target) or URL.fullmatch(target) or head.method == b"OPTIONS" and target == b"*")
    if not target or NEVER_IN_TARGET.search(target):
        head.faults.add(400)
    elif not form:
        head.doubts.add(400)


def read_framing(head, fields):
    def values(name):
        return [value for key, value in fields if key.lower() == name]

    connection = members(values(b"connection"))
    head.keeps = b"close" not in connection and (not head.is_old or b"keep-alive" in connection)
    head.may_close = bool(values(b"proxy-connection"))
    head.x = next(iter(values(b"x")), b"")
    hosts, codings, lengths = values(b"host"), values(b"transfer-encoding"), values(b"content-length")
    if len(hosts) > 1 or (not hosts and not head.is_old):
        head.faults.add(400)
    elif hosts and not re.fullmatch(rb"[%s\[\]]*" % UNRESERVED, hosts[0]):
        head.doubts.add(400)
    head.expects = not head.is_old and b"100-continue" in [value.lower() for value in values(b"expect")]
    if codings:
        head.is_chunked = True
        if len(codings) > 1 or codings[0].lower() != b"chunked":
            head.faults |= {400, 501}
        if lengths or head.is_old:
            head.faults.add(400)
    elif lengths:
        if len(lengths) > 1 or not re.fullmatch(rb"[0-9]+", lengths[0]) or int(lengths[0]) >= 1 << 63:
            head.faults |= {400, 413}
        else:
            head.length = int(lengths[0])
    if head.method == b"CONNECT" and (codings or lengths):
        head.doubts |= {400, 501}  # a body that means nothing


def read_head(data):
    """Of a head without its empty line."""
    head = Head()
    request, *lines = data.split(b"\r\n")
    if b"\0" in data or b"\r" in data.replace(b"\r\n", b"") or b"\n" in data.replace(b"\r\n", b""):
        head.faults.add(400)
    read_request_line(head, request)
    fields = [FIELD.fullmatch(line) for line in lines]
    if not all(fields):
        head.faults.add(400)
    if re.search(rb"(?i)\n(content-length|transfer-encoding):[^\r]*\t", data):
        head.doubts |= {400, 501}  # white space that is allowed, and never there
    if len(lines) > MOST_FIELDS:
        head.faults.add(431)
    read_framing(head, [(found[1], found[2]) for found in fields if found])
    return head


def read_chunks(head, data, at):
    """(parts so far, behind them, whether it is sound and whole)."""
    parts = []
    while True:
        end = data.find(b"\r\n", at)
        found = CHUNK.fullmatch(data[at:end]) if end >= 0 else None
        if not found or int(found[1], 16) >= 1 << 63:
            return parts, at, False
        size, at = int(found[1], 16), end + 2
        head.is_open |= bool(found[2])
        if size == 0:
            return parts, *read_trailer(data, at)
        parts.append(data[at:at + size])
        if data[at + size:at + size + 2] != b"\r\n":
            return parts, at, False
        at += size + 2


def read_trailer(data, at):
    while True:
        end = data.find(b"\r\n", at)
        if end < 0:
            return at, False
        if end == at:
            return end + 2, True
        if not FIELD.fullmatch(data[at:end]):
            return at, False
        at = end + 2


def read_body(head, data, at):
    """(the body, behind it, whether it is sound and whole)."""
    if head.is_chunked:
        parts, at, is_sound = read_chunks(head, data, at)
        return b"".join(parts), at, is_sound
    body = data[at:at + head.length]
    return body, at + len(body), len(body) == head.length


def answer_of(head, body, is_sound):
    """What mirror.occ answers, and what the library does behind it."""
    is_head = head.method == b"HEAD"
    if re.match(rb"/parts", head.target):
        return Answer({200}, body, is_head, cut=not is_sound, last=not is_sound or not head.keeps or head.is_old)
    if re.match(rb"/none", head.target):
        too_long = not head.is_chunked and head.length > PASSED or len(body) > PASSED
        return Answer({200}, b"none", is_head, last=not is_sound or too_long or not head.keeps, may_be_last=head.expects)
    if head.length > LONGEST_BODY and not head.is_chunked:
        return Answer({413}, head_only=is_head, last=head.length > PASSED or not is_sound or not head.keeps, may_be_last=head.expects)
    if len(body) > LONGEST_BODY:
        return Answer({413, 400} if not is_sound else {413}, head_only=is_head, last=not is_sound or not head.keeps,
                      may_be_last=len(body) > PASSED)
    if not is_sound:
        return Answer({400}, head_only=is_head, last=True)
    return Answer({200}, b"\n".join([head.method, head.target, head.x, body]), is_head, last=not head.keeps)


def may_become_head(data):
    """What cannot is refused as soon as that is seen, which may be before it is too long."""
    lines = data.split(b"\r\n")
    return not any(re.search(rb"[\x00-\x08\x0a-\x1f\x7f]", line) or line[:1] in (b" ", b"\t") for line in lines)


def verdicts(data):
    answers, at = [], 0
    while True:
        while data[at:at + 2] == b"\r\n":
            at += 2
        if at == len(data):
            return answers
        end = data.find(b"\r\n\r\n", at)
        size = (end + 4 if end >= 0 else len(data)) - at
        if end < 0 or size > LONGEST_HEAD:
            refused = {400} if size < LONGEST_HEAD else {431} if may_become_head(data[at:at + size]) else {400, 431}
            return answers + [Answer(refused, last=True)]
        head = read_head(data[at:end])
        if head.faults:
            return answers + [Answer(head.faults | head.doubts, last=True)]
        body, at, is_sound = read_body(head, data, end + 4)
        answer = answer_of(head, body, is_sound)
        answer.doubts, answer.is_open = head.doubts, head.is_open
        answer.may_be_last |= head.may_close
        answers.append(answer)
        if answer.last:
            return answers
