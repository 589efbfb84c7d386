/* backtrace -- unwinding by known frame sizes. See backtrace.h. */
#include "backtrace.h"

#include "arch.h"
#include "block.h"
#include "worker.h"

#include <string.h>

static const OccStackRow *row_of(uintptr_t pc) {
    const OccStackRow *best = NULL;
    size_t count = &occ_stack_table_count != NULL ? occ_stack_table_count : 0;
    for (size_t i = 0; i < count; i++) {
        const OccStackRow *row = &occ_stack_table[i];
        uintptr_t start = (uintptr_t)row->function;
        if (start <= pc && (best == NULL || start > (uintptr_t)best->function)) {
            best = row;
        }
    }
    return best;
}

typedef struct Unwinder {
    uintptr_t pc;
    const uintptr_t *sp;
} Unwinder;

/* Step over the runtime's own return addresses; false at the end of the chain. */
static bool skip_runtime(Unwinder *unwinder) {
    for (;;) {
        if (unwinder->pc == (uintptr_t)occ_process_end ||
            unwinder->pc == (uintptr_t)occ_process_start) {
            return false;
        }
        if (unwinder->pc == rt_arch_segment_return || unwinder->pc == rt_arch_segment_c_return) {
            unwinder->sp = (const uintptr_t *)*unwinder->sp;
        } else if (unwinder->pc == (uintptr_t)rt_arch_yield_resumed) {
            unwinder->sp += ARCH_YIELD_KEPT;
        } else if (unwinder->pc != (uintptr_t)rt_arch_alt_resumed) {
            return true;
        }
        unwinder->pc = *unwinder->sp++;
    }
}

/* A call and the part of the stack that is its own. */
typedef struct Extent {
    const OccStackRow *row; /* NULL: the chain has ended */
    const char *low;
    const char *high;
} Extent;

static Unwinder unwinder_of(const Process *process) {
    const uintptr_t *sp = process->sp;
    return (Unwinder){sp[1], sp + 2};
}

static Extent step(Unwinder *unwinder) {
    if (!skip_runtime(unwinder)) {
        return (Extent){NULL, NULL, NULL};
    }
    /* the call may be a routine's last instruction: look before its return address */
    Extent extent = {.row = row_of(unwinder->pc - 1), .low = (const char *)unwinder->sp};
    if (extent.row != NULL) {
        unwinder->sp += extent.row->frame_bytes / sizeof(uintptr_t);
        extent.high = (const char *)unwinder->sp;
        unwinder->pc = *unwinder->sp++;
    }
    return extent;
}

static bool holds(const Extent *extent, const void *address) {
    return extent->low <= (const char *)address && (const char *)address < extent->high;
}

static size_t gather(Unwinder unwinder, Extent extent, Frame *frames, size_t limit) {
    size_t count = 0;
    while (extent.row != NULL && count < limit) {
        frames[count++].row = extent.row;
        extent = step(&unwinder);
    }
    return count;
}

size_t backtrace(const Process *process, Frame *frames, size_t limit) {
    Unwinder unwinder = unwinder_of(process);
    Extent innermost = step(&unwinder);
    return gather(unwinder, innermost, frames, limit);
}

size_t backtrace_around(const Process *process, const void *address, Frame *frames, size_t limit) {
    Unwinder unwinder = unwinder_of(process);
    for (Extent at = step(&unwinder); at.row != NULL; at = step(&unwinder)) {
        if (holds(&at, address)) {
            return gather(unwinder, at, frames, limit);
        }
    }
    return backtrace(process, frames, limit);
}

/* `outer.inner` is one of inner. */
static bool is_of(const OccStackRow *row, const char *proc) {
    RoutineName name = backtrace_name(row);
    int length = (int)strlen(proc);
    const char *last = name.text + name.length - length;
    bool is_last = length <= name.length && strncmp(last, proc, (size_t)length) == 0 &&
                   (length == name.length || last[-1] == '.');
    return length == 0 || is_last;
}

const char *backtrace_frame_end(const Process *process, const void *address, const char *proc) {
    Unwinder unwinder = unwinder_of(process);
    for (Extent at = step(&unwinder); at.row != NULL; at = step(&unwinder)) {
        if (holds(&at, address)) {
            return is_of(at.row, proc) ? at.high : NULL;
        }
    }
    return NULL;
}

Process *backtrace_parent(const Process *process) {
    const BlockStore *blocks = &rt_root.blocks;
    Process *block = process->join != NULL ? block_find(blocks, process->join) : NULL;
    return block != NULL && (block->flags & PROCESS_IS_SEGMENT) != 0 ? block->data : block;
}

static int length_without_suffix(const char *name, int length, const char *suffix) {
    int end = length;
    while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') {
        end--;
    }
    int size = (int)strlen(suffix);
    bool has_suffix = end >= size && strncmp(name + end - size, suffix, (size_t)size) == 0;
    return has_suffix ? end - size : length;
}

/* A unit may have dots in its name, so a symbol alone does not say where the unit ends. Symbols of
 * other units lose what stands before their first dot. */
static const char *without_unit(const OccStackRow *row) {
    const char *unit = rt_root.program != NULL ? rt_root.program->name : "";
    size_t length = strlen(unit);
    if (length > 0 && strncmp(row->name, unit, length) == 0 && row->name[length] == '.') {
        return row->name + length + 1;
    }
    const char *dot = strchr(row->name, '.');
    return dot != NULL && dot[1] != '\0' ? dot + 1 : row->name;
}

static bool is_helper(const char *name) {
    return strncmp(name, "occ.", strlen("occ.")) == 0;
}

RoutineName backtrace_name(const OccStackRow *row) {
    int full = (int)strlen(row->name);
    RoutineName name = {row->name, length_without_suffix(row->name, full, "$loop"), false, false,
                        false};
    int cut = full - name.length;
    name.is_loop = cut > 0;
    name.is_hidden = is_helper(name.text) || is_helper(without_unit(row)) ||
                     length_without_suffix(name.text, name.length, ".segment") < name.length ||
                     length_without_suffix(name.text, name.length, ".fork") < name.length ||
                     length_without_suffix(name.text, name.length, "$rendezvous") < name.length;
    name.text = without_unit(row);
    name.length = length_without_suffix(name.text, (int)strlen(name.text) - cut, "$copy");
    for (;;) { /* a branch in a branch: .par1.par2 */
        int whole = length_without_suffix(name.text, name.length, "$part"); /* of a long SEQ */
        int length = length_without_suffix(name.text, whole, ".par");
        if (length == name.length) {
            return name;
        }
        name.is_loop = name.is_loop || whole < name.length;
        name.is_branch = name.is_branch || length < whole;
        name.length = length;
    }
}

size_t backtrace_innermost(const Frame *frames, size_t count) {
    size_t i = 0;
    while (i < count && backtrace_name(frames[i].row).is_hidden) {
        i++;
    }
    return i;
}
