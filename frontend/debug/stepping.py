"""Steps that stay in one process, in gdb: `occc debug` loads this behind processes.py.

    process next              to the next line of this PROC in this process, whatever others do meanwhile
    process step              the same, into a PROC that the line calls
    process finish            until this PROC has returned, in this process

A step of gdb's own follows the thread, which takes another process as soon as this one waits. Here every line where the
step may end has a breakpoint for its time, which counts only on the stack of this process."""

import gdb


def stack_of_thread():
    """(low, high) of the block whose stack the thread is on; None: that of the scheduler, or of C."""
    sp = int(gdb.newest_frame().read_register("rsp"))
    for address, size in blocks():
        if address + DESCRIPTOR - size <= sp < address + DESCRIPTOR:
            return address + DESCRIPTOR - size, address + DESCRIPTOR
    return None


def own_frame():
    """The innermost frame of the text."""
    frame = gdb.newest_frame()
    while frame is not None and is_inner(frame):
        frame = frame.older()
    if frame is None:
        raise gdb.GdbError("No PROC of the text runs here.")
    return frame


def lines_of(frame):
    """Addresses where another line of its routine begins."""
    block = frame.block()
    while block.function is None and block.superblock is not None:
        block = block.superblock
    here = frame.find_sal().line
    return [each.pc for each in frame.find_sal().symtab.linetable()
            if block.start <= each.pc < block.end and each.line not in (0, here)]


def callees_of(frame):
    """Routines of the text that the line calls, behind their prologues."""
    sal, pcs = frame.find_sal(), []
    entries = sorted(frame.find_sal().symtab.linetable(), key=lambda each: each.pc)
    for first, then in zip(entries, entries[1:]):
        if first.line != sal.line or then.pc <= first.pc:
            continue
        for instruction in frame.architecture().disassemble(first.pc, then.pc - 1):
            words = instruction["asm"].split()
            if words[0].startswith("call") and words[1].startswith("0x"):
                symbol = gdb.block_for_pc(int(words[1], 16))
                if symbol is not None and symbol.function is not None and "$" not in symbol.function.name:
                    pcs += [each.pc for each in symbol.function.symtab.linetable()
                            if symbol.start < each.pc < symbol.end and each.line][:1]
    return pcs


class Stop(gdb.Breakpoint):
    """For the time of a step; only on one stack."""

    def __init__(self, pc, low, high):
        super().__init__(f"*{pc:#x}", internal=True)
        self.low, self.high = low, high

    def stop(self):
        return self.low <= int(gdb.newest_frame().read_register("rsp")) < self.high


def stops_for(kind):
    stack, frame = stack_of_thread(), own_frame()
    if stack is None:
        raise gdb.GdbError("No process runs on this thread.")
    pcs = set() if kind == "finish" else set(lines_of(frame))
    if kind == "step":
        pcs.update(callees_of(frame))
    older = frame.older()
    if older is not None and not is_inner(older):
        pcs.add(older.pc())
    return [Stop(pc, *stack) for pc in sorted(pcs)]


class ProcessStep(gdb.Command):
    def __init__(self, kind):
        self.kind = kind
        self.__doc__ = f"process {kind}: a step that stays in this process."
        super().__init__(f"process {kind}", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        SELECTION.release()
        stops = stops_for(self.kind)
        try:
            gdb.execute("continue")
        finally:
            for each in stops:
                each.delete()


for kind in ("next", "step", "finish"):
    ProcessStep(kind)
