/* giant -- see the header.
 *
 * A test that a program has generated may be one PROC of 15 000 calls, assignments or choices. LLVM
 * sees it as one routine, and jump threading, loop unrolling, scheduling and register allocation
 * take time with the square of its length. Without a loop each call runs a statement at most once,
 * so slower code matters little beside the time to compile it; it gets code as at -O0, in which no
 * value lives longer than a statement. Where there is a loop, that loop may be what the program is
 * about.
 *
 * Holds: sizes are instructions as emitted, before any pass: a statement is some 10 to 50. */
#include "giant.h"

#include "llvm_compat.h"
#include "loop_shape.h"

enum { GIANT_LEAST = 20000, REST_LEAST = 7000, HUGE_LEAST = 100000 };

static unsigned long count_instructions(LLVMValueRef function) {
    unsigned long count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
             each = LLVMGetNextInstruction(each)) {
            count++;
        }
    }
    return count;
}

static bool has_loop(Emitter *emitter, LLVMValueRef function) {
    const FlowGraph *graph = flow_graph_create(emitter->arena, function);
    for (size_t i = 0; i < graph->order.count; i++) {
        if (loop_is_header(graph->order.items[i])) {
            return true;
        }
    }
    return false;
}

/* Mark the routines; returns their total length. */
static unsigned long mark(Emitter *emitter, unsigned long least) {
    unsigned long all = 0;
    for (LLVMValueRef function = LLVMGetFirstFunction(emitter->module); function;
         function = LLVMGetNextFunction(function)) {
        unsigned long size = count_instructions(function);
        if (size > least && !has_loop(emitter, function)) {
            compat_leave_alone(emitter->context, function);
            all += size;
        }
    }
    return all;
}

Giants giants_mark(Emitter *emitter) {
    unsigned long all = mark(emitter, GIANT_LEAST);
    return all > HUGE_LEAST ? GIANTS_HUGE : all > 0 ? GIANTS_SOME : GIANTS_NONE;
}

void giants_mark_rest(Emitter *emitter) {
    mark(emitter, REST_LEAST);
}
