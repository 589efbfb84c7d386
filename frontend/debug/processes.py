"""Processes of occam programs in gdb: `occc debug` loads this. Works on a running program and on a core.

    info processes            all of them, those alike in one line
    process N                 look at process N: bt, frame, info locals are its own from frame 1 on
    process off               back to the thread
    process apply all bt      (or: process apply 3 7 bt) a command for each
    info channel EXPRESSION   who waits in a channel, and who may hold its ends
    catch deadlock            stop when the program is about to report a deadlock
    catch communicate EXPR    stop when somebody comes to a channel

What it knows is in the runtime: the blocks (runtime/memory/block.h), where each process waits (Process.wait), its
saved context at Process.sp (runtime/arch/arch.h). The runtime's own DWARF is read; nothing is called in the program."""

import collections

import gdb
from gdb.unwinder import Unwinder

DESCRIPTOR = 64  # bytes of a Process, at the end of its block
FRAMES_MOST = 100
LOWEST = 16  # no stack is there
Process = collections.namedtuple("Process", "number address low sp site state")


def value(text):
    return gdb.parse_and_eval(text)


def pointer(name, address):
    return gdb.Value(address).cast(gdb.lookup_type(name).pointer())


def has_runtime():
    try:
        value("rt_root.blocks.chunk_count")
        return True
    except gdb.error:
        return False


def need_runtime():
    if not has_runtime():
        raise gdb.GdbError("There is no occam program here, or it has not begun.")


def constant(name, otherwise):
    try:
        return int(value(name))
    except gdb.error:
        return otherwise


# ---- all processes ----


def chunk_blocks():
    store = value("rt_root.blocks")
    unit = constant("SIZE_CLASS_UNIT", 16)
    for i in range(int(store["chunk_count"])):
        chunk = store["chunks"][i]
        base, carved = int(chunk["base"]), int(chunk["carved_bytes"])
        block, spacing = int(chunk["block_bytes"]), int(chunk["spacing_bytes"])
        for offset in range(unit // 2, carved, spacing):
            yield base + offset + block - DESCRIPTOR, block


def large_blocks():
    head = value("&rt_root.blocks.large")
    link = head["next"]
    while int(link) not in (0, int(head)):
        large = link.cast(gdb.lookup_type("LargeBlock").pointer())
        yield int(large["process"]), int(large["block_bytes"])
        link = link["next"]


def blocks():
    yield from chunk_blocks()
    yield from large_blocks()


def ready_addresses():
    """Those in the queues of workers: what they have in `wait` is old."""
    ready = set()
    for i in range(int(value("rt_root.worker_count"))):
        worker = value(f"rt_root.workers[{i}]")
        if not int(worker):
            continue
        for first in (worker["head"], worker["deferred"], worker["older"]):
            while int(first) and int(first) not in ready:
                ready.add(int(first))
                first = first["next"]
        top, bottom = int(worker["batches"]["top"]), int(worker["batches"]["bottom"])
        for at in range(top, bottom):
            batch = worker["batches"]["entries"][at % constant("DEQUE_ENTRIES", 256)]
            first = batch.cast(gdb.lookup_type("Process").pointer())
            while int(first) and int(first) not in ready:
                ready.add(int(first))
                first = first["next"]
    return ready


def thread_stacks():
    """Stack pointers of the frames of all threads: the process whose block they lie in runs. Behind the scheduler's
    search for the next one, and the report of a deadlock, is one that has parked."""
    found, selected = [], gdb.selected_thread()
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        try:
            frame, own = gdb.newest_frame(), []
            while frame is not None and frame.is_valid() and len(own) < FRAMES_MOST:
                if frame.name() in ("rt_scheduler_next", "rt_deadlock"):
                    own = []
                    break
                own.append(int(frame.read_register("rsp")))
                frame = frame.older()
            found += own
        except gdb.error:
            pass
        finally:
            selected.switch()
    return found


def processes():
    need_runtime()
    SELECTION.release()
    ready, stacks = ready_addresses(), thread_stacks()
    segment = constant("PROCESS_IS_SEGMENT", 1)
    result, number = [], 0
    for address, size in blocks():
        process = pointer("Process", address).dereference()
        sp = int(process["sp"])
        if sp == 0 or int(process["flags"]) & segment:
            continue
        low = address + DESCRIPTOR - size
        number += 1
        site = process["wait"]
        if any(low <= at < address + DESCRIPTOR for at in stacks):
            state, site = "runs", None
        elif address in ready or int(site) == 0:
            state, site = "ready", None
        else:
            state, site = "waits", site.dereference()
        result.append(Process(number, address, low, sp, site, state))
    return result


def numbered(number):
    for process in processes():
        if process.number == number:
            return process
    raise gdb.GdbError(f"There is no process {number}; info processes lists them.")


# ---- words ----


def text(char_pointer):
    return char_pointer.string() if int(char_pointer) else ""


def reason(site):
    words = value(f"'runtime/report/deadlock_line.c'::reasons[{int(site['kind'])}]").string()
    name = text(site["object"])
    if int(site["flags"]) & 16:  # SITE_CALL
        return f"{words}, in {name}"
    return f"{words} '{name}'" if name else words


def place(site):
    return f"{text(site['file'])}:{int(site['line'])}:{int(site['column'])}"


def describe(process):
    """(PROC, what it does): what is alike is one line."""
    if process.site is not None:
        return text(process.site["proc"]), f"waits: {reason(process.site)}  {place(process.site)}"
    return "", process.state


class InfoProcesses(gdb.Command):
    """List the processes of an occam program, those alike in one line."""

    def __init__(self):
        super().__init__("info processes", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        groups = collections.OrderedDict()
        for process in processes():
            groups.setdefault(describe(process), []).append(process.number)
        if not groups:
            print("There are no processes: the program has not begun, or has ended.")
        for (proc, what), numbers in groups.items():
            first = f"#{numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} x #{numbers[0]}..#{numbers[-1]}"
            print(f"{first:<16} {proc:<20} {what}".rstrip())


# ---- the frames of a process that waits ----


class Selection:
    """The process whose saved context stands behind the newest frame of the thread."""

    def __init__(self):
        self.process = None

    def release(self):
        if self.process is not None:
            self.process = None
            gdb.invalidate_cached_frames()

    def select(self, process):
        self.process = process
        gdb.invalidate_cached_frames()


SELECTION = Selection()


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class ProcessUnwinder(Unwinder):
    """A parked process has the frame register at sp[0], its return address at sp[1]; all else is dead."""

    def __init__(self):
        super().__init__("occam-process")

    def __call__(self, pending):
        process = SELECTION.process
        if process is None:
            return None
        sp, pc = pending.read_register("rsp"), pending.read_register("rip")
        if int(sp) != SELECTION.thread_sp:
            return None
        words = gdb.Value(process.sp).cast(gdb.lookup_type("unsigned long").pointer())
        # gdb takes a caller below its callee for a damaged stack; the block may lie anywhere, so the callee lies lowest
        info = pending.create_unwind_info(FrameId(gdb.Value(LOWEST).cast(sp.type), pc))
        info.add_saved_register("rbp", words[0])
        info.add_saved_register("rip", words[1])
        info.add_saved_register("rsp", gdb.Value(process.sp + 16).cast(gdb.lookup_type("unsigned long")))
        return info


def is_inner(frame):
    """A routine of the runtime or of the compiler, not of the text."""
    name = frame.name()
    return name is None or "$" in name or name.startswith(("occ_", "rt_")) or frame.find_sal().symtab is None


def select(process):
    if process.state == "runs":
        raise gdb.GdbError(f"Process {process.number} runs: it is that of a thread; bt shows it.")
    SELECTION.release()
    SELECTION.thread_sp = int(gdb.newest_frame().read_register("rsp"))
    SELECTION.select(process)
    frame = gdb.newest_frame().older()
    while frame is not None and frame.older() is not None and is_inner(frame):
        frame = frame.older()
    if frame is not None:
        frame.select()


class ProcessCommand(gdb.Command):
    """process N: look at a process. process off: at the thread again. process: which one that is."""

    def __init__(self):
        super().__init__("process", gdb.COMMAND_STACK, prefix=True)

    def invoke(self, argument, from_tty):
        if argument == "off":
            SELECTION.release()
        elif argument:
            process = numbered(int(argument.lstrip("#"), 0))
            select(process)
            proc, what = describe(process)
            print(f"#{process.number} {proc} {what}")
            gdb.execute("frame")
        elif SELECTION.process is None:
            print("No process is looked at: process N, info processes.")
        else:
            print(f"#{SELECTION.process.number} {' '.join(describe(SELECTION.process))}")


class ProcessApply(gdb.Command):
    """process apply all COMMAND, process apply N... COMMAND: a command for each process that waits or is ready."""

    def __init__(self):
        super().__init__("process apply", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = argument.split()
        chosen = []
        while words and (words[0] == "all" or words[0].lstrip("#").isdigit()):
            chosen.append(words.pop(0).lstrip("#"))
        if not chosen or not words:
            raise gdb.GdbError("process apply all COMMAND, or: process apply N... COMMAND")
        for process in processes():
            if process.state == "runs" or not ("all" in chosen or str(process.number) in chosen):
                continue
            print("\n#{} {} {}".format(process.number, *describe(process)))
            select(process)
            try:
                gdb.execute(" ".join(words))
            finally:
                SELECTION.release()


# ---- channels ----


def words_of(process):
    size = process.address - process.sp
    if size <= 0 or size > 1 << 20:
        return []
    data = gdb.selected_inferior().read_memory(process.sp, size - size % 8).tobytes()
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]


def address_of(expression):
    """A channel by its name, which gdb takes for the record, or by its address."""
    found = value(expression)
    if found.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        found = found.referenced_value()
    is_record = found.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT
    return int(found.address if is_record else found)


class InfoChannel(gdb.Command):
    """info channel EXPRESSION: who waits in the channel, and which processes have its address."""

    def __init__(self):
        super().__init__("info channel", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        address = address_of(argument)
        every = processes()
        word = int(pointer("Channel", address)["word"])
        print(f"channel {address:#x}: {'nobody waits in it' if word == 0 else 'somebody waits in it, or it is closed'}")
        for process in every:
            if process.state == "waits" and int(pointer("Process", process.address)["next"]) == address:
                print(f"  #{process.number} {' '.join(describe(process))}")
            elif process.state != "runs" and address in words_of(process):
                print(f"  #{process.number} {' '.join(describe(process))}  has it")


class CatchDeadlock(gdb.Command):
    """catch deadlock: stop when the program is about to report a deadlock and end."""

    def __init__(self):
        super().__init__("catch deadlock", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument, from_tty):
        gdb.Breakpoint("rt_deadlock", internal=False)


class CatchCommunicate(gdb.Command):
    """catch communicate EXPRESSION: stop when somebody comes to the channel, or the message has gone."""

    def __init__(self):
        super().__init__("catch communicate", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument, from_tty):
        address = address_of(argument)
        gdb.Breakpoint(f"*(unsigned long *) {address:#x}", gdb.BP_WATCHPOINT, gdb.WP_WRITE)


def forget(event):
    SELECTION.process = None


gdb.unwinder.register_unwinder(None, ProcessUnwinder(), replace=True)
gdb.events.cont.connect(forget)
for command in (InfoProcesses, ProcessCommand, ProcessApply, InfoChannel, CatchDeadlock, CatchCommunicate):
    command()
gdb.execute("set pagination off")
