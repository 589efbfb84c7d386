"""The Debug Adapter Protocol over gdb: `occc debug --dap` loads this behind processes.py and stepping.py.

The editor speaks on the descriptors that OCC_DAP names; gdb's own input never ends and its output goes to standard
error. A thread reads requests and gives each to gdb's main thread. The threads of the protocol are the processes of the
program: those that wait have stacks of their own. What the program prints comes through a pseudo-terminal. Commands
that run the program come back at once, and gdb's events say what became of it."""

import json
import os
import pty
import subprocess
import tempfile
import threading
import traceback

import gdb

INPUT, OUTPUT = (os.fdopen(int(number), mode, buffering=0) for number, mode in zip(os.environ["OCC_DAP"].split(","), ("rb", "wb")))
COMPILER = os.environ["OCC_DAP_COMPILER"]
RUNNING = 1  # the thread of the protocol that stands for whoever runs; process n is n + 1
LOCK = threading.Lock()


class Refused(Exception):
    pass


class Session:
    def __init__(self):
        self.sent = 0
        self.breakpoints = {}  # of each source
        self.functions = []
        self.deadlock = None
        self.frames = {}  # by number: (thread, index)
        self.has_started = False
        self.stops_on_entry = False

    def send(self, message):
        with LOCK:
            self.sent += 1
            body = json.dumps({"seq": self.sent, **message}).encode()
            OUTPUT.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def event(self, name, **body):
        self.send({"type": "event", "event": name, "body": body})


SESSION = Session()


# ---- the program ----


def compiled(program):
    """A text is compiled with -g first."""
    if not program.endswith(".occ"):
        return program
    made = os.path.join(tempfile.mkdtemp(prefix="occc-dap-"), os.path.basename(program)[:-4])
    result = subprocess.run([COMPILER, "-g", program, "-o", made], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    SESSION.event("output", category="stderr", output=result.stderr)
    if result.returncode != 0:
        raise Refused(f"{program} does not compile")
    return made


def show_output(master):
    while True:
        try:
            text = os.read(master, 4096)
        except OSError:
            return
        if not text:
            return
        SESSION.event("output", category="stdout", output=text.decode(errors="replace").replace("\r\n", "\n"))


def launch(arguments):
    program = compiled(os.path.abspath(arguments["program"]))
    gdb.execute(f"file {program}")
    if arguments.get("args"):
        gdb.execute("set args " + " ".join("'" + each.replace("'", "'\\''") + "'" for each in arguments["args"]))
    gdb.execute("cd " + arguments.get("cwd", os.path.dirname(program)))
    for name, text in (arguments.get("env") or {}).items():
        gdb.execute(f"set environment {name} {text}")
    gdb.execute("set environment OCC_WORKERS " + str(arguments.get("workers", 1)))
    master, slave = pty.openpty()
    gdb.execute(f"set inferior-tty {os.ttyname(slave)}")
    SESSION.slave, SESSION.shower = slave, threading.Thread(target=show_output, args=(master,), daemon=True)
    SESSION.shower.start()
    SESSION.stops_on_entry = bool(arguments.get("stopOnEntry"))
    SESSION.event("initialized")


def go(command):
    """gdb comes back at once; what becomes of it is an event."""
    SELECTION.release()
    SESSION.frames.clear()
    SESSION.reason = "pause"
    gdb.execute(command)


def end_step():
    for each in SESSION.stops:
        each.delete()
    SESSION.stops = []


def tell_stop():
    end_step()
    SESSION.event("stopped", reason=SESSION.reason, threadId=RUNNING, allThreadsStopped=True)


def tell_end():
    """What the program has printed comes first: when nobody holds the terminal, its reader gets the rest, then the end."""
    end_step()
    if SESSION.slave is not None:
        os.close(SESSION.slave)
        SESSION.slave = None
        SESSION.shower.join(2)
    SESSION.event("exited", exitCode=SESSION.status)
    SESSION.event("terminated")


def note_stop(event):
    if isinstance(event, gdb.SignalEvent):
        SESSION.reason = "pause" if event.stop_signal == "SIGINT" else "exception"
    elif isinstance(event, gdb.BreakpointEvent):
        is_deadlock = SESSION.deadlock is not None and SESSION.deadlock in event.breakpoints
        is_step = all(each in SESSION.stops for each in event.breakpoints)
        SESSION.reason = "exception" if is_deadlock else "step" if is_step else "breakpoint"
    gdb.post_event(tell_stop)


def note_exit(event):
    SESSION.status = getattr(event, "exit_code", 1)
    gdb.post_event(tell_end)


# ---- where it stops ----


def set_breakpoints(arguments):
    path = arguments["source"]["path"]
    for old in SESSION.breakpoints.pop(path, []):
        old.delete()
    answer, made = [], []
    for wanted in arguments.get("breakpoints", []):
        try:
            new = gdb.Breakpoint(source=path, line=wanted["line"])
            if wanted.get("condition"):
                new.condition = wanted["condition"]
        except gdb.error as error:
            answer.append({"verified": False, "message": str(error)})
            continue
        made.append(new)
        answer.append({"id": new.number, "verified": not new.pending, "line": wanted["line"]})
    SESSION.breakpoints[path] = made
    return {"breakpoints": answer}


def set_function_breakpoints(arguments):
    for old in SESSION.functions:
        old.delete()
    SESSION.functions = [gdb.Breakpoint(function=each["name"]) for each in arguments.get("breakpoints", [])]
    return {"breakpoints": [{"id": each.number, "verified": not each.pending} for each in SESSION.functions]}


def set_exception_breakpoints(arguments):
    wants = "deadlock" in arguments.get("filters", [])
    if wants and SESSION.deadlock is None:
        SESSION.deadlock = gdb.Breakpoint("rt_deadlock")
    elif not wants and SESSION.deadlock is not None:
        SESSION.deadlock.delete()
        SESSION.deadlock = None


# ---- what there is while it is stopped ----


def threads(arguments):
    if not has_runtime() or gdb.selected_inferior().pid == 0:
        return {"threads": [{"id": RUNNING, "name": "the program"}]}
    found = [{"id": RUNNING, "name": "runs"}]
    for process in processes():
        if process.state != "runs":
            found.append({"id": process.number + 1, "name": " ".join(("#%d" % process.number,) + describe(process))})
    return {"threads": found}


def stand_at(thread):
    if thread == RUNNING:
        SELECTION.release()
        gdb.newest_frame().select()
    else:
        select(numbered(thread - 1))
    return gdb.selected_frame() if thread != RUNNING else gdb.newest_frame()


def stack_trace(arguments):
    frame, found = stand_at(arguments["threadId"]), []
    while frame is not None and len(found) < FRAMES_MOST:
        if not is_inner(frame):
            sal = frame.find_sal()
            number = len(SESSION.frames) + 1
            SESSION.frames[number] = (arguments["threadId"], frame.level())
            path = sal.symtab.fullname()
            found.append({"id": number, "name": frame.name(), "line": sal.line, "column": 0,
                          "source": {"name": os.path.basename(path), "path": path}})
        frame = frame.older()
    start = arguments.get("startFrame", 0)
    return {"stackFrames": found[start:][: arguments.get("levels") or None], "totalFrames": len(found)}


def frame_of(number):
    thread, level = SESSION.frames[number]
    frame = stand_at(thread) if thread != RUNNING else (SELECTION.release() or gdb.newest_frame())
    while frame is not None and frame.level() != level:
        frame = frame.older() if frame.level() < level else frame.newer()
    if frame is None:
        raise Refused("the frame is gone")
    frame.select()
    return frame


def scopes(arguments):
    return {"scopes": [{"name": "Names", "variablesReference": arguments["frameId"], "expensive": False}]}


def shown(found):
    try:
        return found.format_string(max_elements=20)
    except gdb.error as error:
        return f"<{error}>"


def variables(arguments):
    frame = frame_of(arguments["variablesReference"])
    block, seen, found = frame.block(), set(), []
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if (symbol.is_variable or symbol.is_argument) and symbol.name not in seen:
                seen.add(symbol.name)
                found.append({"name": symbol.name, "value": shown(symbol.value(frame)), "type": str(symbol.type),
                              "variablesReference": 0})
        if block.function:
            break
        block = block.superblock
    return {"variables": found}


def evaluate(arguments):
    if arguments.get("frameId"):
        frame_of(arguments["frameId"])
    if arguments.get("context") == "repl":
        return {"result": gdb.execute(arguments["expression"], to_string=True), "variablesReference": 0}
    expression = arguments["expression"]
    is_name = all(each.isalnum() or each == "." for each in expression)
    return {"result": shown(value(f"'{expression}'" if is_name and "." in expression else expression)), "variablesReference": 0}


# ---- requests ----


def initialize(arguments):
    return {"supportsConfigurationDoneRequest": True, "supportsFunctionBreakpoints": True,
            "supportsConditionalBreakpoints": True, "supportsEvaluateForHovers": True, "supportsTerminateRequest": True,
            "exceptionBreakpointFilters": [{"filter": "deadlock", "label": "Deadlock", "default": True}]}


def begin(arguments):
    SESSION.has_started = True
    after(go, "start" if SESSION.stops_on_entry else "run")


def after(work, *arguments):
    """When the answer to this request is out."""
    gdb.post_event(lambda: work(*arguments))


def step(kind):
    def run(arguments):
        SELECTION.release()
        SESSION.stops = stops_for(kind) if stack_of_thread() else []
        after(go, "continue")
    return run


def resume(arguments):
    after(go, "continue")
    return {"allThreadsContinued": True}


def pause(arguments):
    gdb.execute("interrupt")


def end(arguments):
    if gdb.selected_inferior().pid:
        gdb.execute("kill")
    SESSION.event("terminated")


def disconnect(arguments):
    if gdb.selected_inferior().pid:
        gdb.execute("kill")
    after(gdb.execute, "quit")


REQUESTS = {"initialize": initialize, "launch": launch, "setBreakpoints": set_breakpoints, "configurationDone": begin,
            "setFunctionBreakpoints": set_function_breakpoints, "setExceptionBreakpoints": set_exception_breakpoints,
            "threads": threads, "stackTrace": stack_trace, "scopes": scopes, "variables": variables, "evaluate": evaluate,
            "continue": resume, "next": step("next"), "stepIn": step("step"), "stepOut": step("finish"),
            "pause": pause, "terminate": end, "disconnect": disconnect}


def answer(request):
    response = {"type": "response", "request_seq": request["seq"], "command": request["command"], "success": True}
    try:
        response["body"] = REQUESTS[request["command"]](request.get("arguments") or {})
    except KeyError as error:
        response.update(success=False, message=f"not known: {error}")
    except (gdb.error, gdb.GdbError, Refused, OSError) as error:
        response.update(success=False, message=str(error))
    except Exception:  # a fault of the adapter: the editor shall see it
        response.update(success=False, message=traceback.format_exc())
    SESSION.send(response)


def read_requests():
    while True:
        length = None
        while line := INPUT.readline().strip():
            name, _, text = line.partition(b":")
            length = int(text) if name.lower() == b"content-length" else length
        body = b""
        while length is not None and len(body) < length:
            more = INPUT.read(length - len(body))
            if not more:
                length = None
                break
            body += more
        if length is None:
            break
        request = json.loads(body)
        if request.get("type") == "request":
            gdb.post_event(lambda request=request: answer(request))
    gdb.post_event(lambda: disconnect({}))


for setting in ("confirm off", "breakpoint pending on", "print address off", "disable-randomization off"):
    gdb.execute("set " + setting)
SESSION.reason, SESSION.status, SESSION.stops, SESSION.slave = "pause", 0, [], None
gdb.events.stop.connect(note_stop)
gdb.events.exited.connect(note_exit)
threading.Thread(target=read_requests, daemon=True).start()
