/* preemption -- a process that computes lets the others run.
 *
 * Owns:   which loops look whether their worker is asked for attention, and the look: one test of
 *         Worker.mode, and a call that yields when the bit is set (language.md 1.5).
 * Leaves: setting the bit and yielding to the runtime, the loops to sequence.c and replicator.c.
 * Holds:  a loop that communicates in each iteration has no look: it parks sooner or later, or its
 *         device looks. A counted loop whose whole work is known and small has none. One of small
 *         iterations and unknown count runs in blocks and looks between them, so that the inner
 *         loop still vectorises. Every other loop looks at each back-edge. A yield changes the
 *         worker and its queue, so both are loaded again. A routine that never waits yields too
 *         (occ_yield_c), so its caller keeps neither over the call. */
#include "emit.h"
#include "layout_offsets.h"

/* Work is counted in executed AST nodes, roughly. */
#define WORK_UNKNOWN       UINT64_MAX
#define WORK_SMALL         UINT64_C(4000000) /* of a whole loop: far below 0.1 time slices */
#define WORK_BLOCK         UINT64_C(1048576) /* of the iterations between two looks */
#define WORK_FINE          UINT64_C(2048)    /* an iteration below this gets no look of its own */
#define WORK_OF_PREDEFINED UINT64_C(16)
#define CALLS_FOLLOWED     3u

static uint64_t work_add(uint64_t a, uint64_t b) {
    return a > WORK_UNKNOWN - b ? WORK_UNKNOWN : a + b;
}

static uint64_t work_times(uint64_t a, uint64_t b) {
    return b != 0 && a > WORK_UNKNOWN / b ? WORK_UNKNOWN : a * b;
}

/* Followed -- a routine whose body is looked through, and what a call of it takes in there. */
typedef struct Followed {
    const struct Followed *caller; /* NULL: none */
    const Node *routine;           /* NULL: a PAR, whose branches call anything anew */
    uint64_t work;
    unsigned depth; /* calls that were followed to it */
} Followed;

/* Work -- the sum while a node's children are visited. */
typedef struct Work {
    uint64_t sum;
    const Followed *calls;
} Work;

static uint64_t work_of(Node *node, const Followed *calls);

static void add_child(Node **child, void *context) {
    Work *work = context;
    if (work->sum > WORK_SMALL) {
        return; /* the sum cannot become small again, and a tree of calls is large */
    }
    work->sum = work_add(work->sum, work_of(*child, work->calls));
}

static uint64_t work_of_children(Node *node, const Followed *calls) {
    Work work = {1, calls};
    node_visit_children(node, add_child, &work);
    return work.sum;
}

/* A routine that calls itself looks for attention where the last of its copies calls the first
 * (recursion.c): the result counts the work of so many levels, until that look. */
static Followed follow(Node *routine, const Followed *calls, unsigned levels) {
    Followed here = {calls, routine, 1, calls == NULL ? 0 : calls->depth + 1};
    Node *body = routine->kind == NODE_PROC ? routine->proc.body : routine->function.body;
    for (unsigned i = 0; i < levels && here.work <= WORK_SMALL; i++) {
        here.work = work_of(body, &here);
    }
    return here;
}

static bool is_routine(const Node *node) {
    return node != NULL && (node->kind == NODE_PROC || node->kind == NODE_FUNCTION);
}

/* A call takes what its body takes, as far as calls are followed. */
static uint64_t work_of_callee(const Symbol *callee, const Followed *calls) {
    if (callee->kind == SYMBOL_PREDEFINED) {
        return WORK_OF_PREDEFINED;
    }
    Node *routine = callee->definition;
    bool is_anew = false;
    for (const Followed *at = calls; at != NULL; at = at->caller) {
        if (at->routine == routine) {
            return is_anew ? WORK_UNKNOWN : at->work;
        }
        is_anew = is_anew || at->routine == NULL;
    }
    bool is_near = calls == NULL || calls->depth < CALLS_FOLLOWED;
    return is_near && is_routine(routine)
               ? follow(routine, calls, recursion_copies(routine, false)).work
               : WORK_UNKNOWN;
}

static uint64_t work_of_call(Node *node, const Node *callee, const Followed *calls) {
    uint64_t actuals = work_of_children(node, calls);
    return callee->kind != NODE_NAME || callee->name.symbol == NULL
               ? WORK_UNKNOWN
               : work_add(actuals, work_of_callee(callee->name.symbol, calls));
}

static const Node *replicator_of(const Node *node) {
    switch (node->kind) {
    case NODE_SEQ: return node->seq.replicator;
    case NODE_IF: return node->if_.replicator;
    case NODE_CONSTRUCTOR: return node->constructor.replicator;
    case NODE_PAR: return node->par.replicator;
    case NODE_ALT: return node->alt.replicator;
    default: return NULL;
    }
}

/* The most that executing the node once may take. */
static uint64_t work_of(Node *node, const Followed *calls) {
    if (node->constant != NULL) {
        return 1;
    }
    switch (node->kind) {
    case NODE_WHILE:
    case NODE_WHILE_INPUT:
    case NODE_ELSEWHERE: return WORK_UNKNOWN;
    case NODE_CALL: return work_of_call(node, node->call.callee, calls);
    case NODE_FUNCTION_CALL: return work_of_call(node, node->function_call.callee, calls);
    default: break;
    }
    const Followed branches = {calls, NULL, 0, calls == NULL ? 0 : calls->depth};
    uint64_t once = work_of_children(node, node->kind == NODE_PAR ? &branches : calls);
    const Node *replicator = replicator_of(node);
    if (replicator == NULL) {
        return once;
    }
    const Constant *count = replicator->replicator.count->constant;
    return count == NULL || count->integer < 0 ? WORK_UNKNOWN
                                               : work_times(once, (uint64_t)count->integer);
}

/* Does the process communicate or wait on every path? */
static bool communicates(const Node *process) {
    switch (process->kind) {
    case NODE_INPUT: return !process->input.is_timer;
    case NODE_OUTPUT:
    case NODE_INPUT_CASE:
    case NODE_EXTENDED_INPUT:
    case NODE_DELAY:
    case NODE_ALT:
    case NODE_SYNC:
    case NODE_NEXT: return true;
    case NODE_BLOCK: return communicates(process->block.process);
    case NODE_CLAIM: return communicates(process->claim.process);
    case NODE_FORKING: return communicates(process->forking.process);
    case NODE_SEQ:
        for (size_t i = 0; process->seq.replicator == NULL && i < process->seq.body.count; i++) {
            if (communicates(process->seq.body.items[i])) {
                return true;
            }
        }
        return false;
    default: return false;
    }
}

/* A process that waits holds its objects, or a caller of its routine does: their counts stay. */
static void mark_yield(Emitter *emitter) {
    LLVMValueRef call = LLVMGetLastInstruction(LLVMGetInsertBlock(emitter->builder));
    while (LLVMIsACallInst(call) == NULL) {
        call = LLVMGetPreviousInstruction(call);
    }
    emit_mark_keeps_counts(emitter, call);
}

void emit_look_for_attention(Emitter *emitter) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef yield = emit_block(emitter, "loop.yield");
    LLVMBasicBlockRef go_on = emit_block(emitter, "loop.on");
    LLVMValueRef field = emit_field(emitter, emit_worker(emitter), OFFSET_Worker_mode, "");
    LLVMValueRef mode = LLVMBuildLoad2(builder, emitter->i32, field, "mode");
    LLVMSetVolatile(mode, 1);
    LLVMValueRef bit = LLVMBuildAnd(builder, mode, emit_i32(emitter, LAYOUT_MODE_URGENT), "");
    LLVMValueRef none = LLVMBuildIsNull(builder, bit, "");
    LLVMValueRef branch = LLVMBuildCondBr(builder, none, go_on, yield);
    emit_branch_weights(emitter, branch, 1u << 20, 1);
    emit_enter(emitter, yield);
    if (emitter->routine->may_wait && emitter->options->optimisation > 0) {
        emit_runtime_call(emitter, RT_yield, NULL);
        mark_yield(emitter);
    } else {
        emit_runtime_call(emitter, RT_yield_c, NULL);
        mark_yield(emitter);
        emit_set_me(emitter, emit_me(emitter), NULL, NULL);
    }
    emit_continue(emitter, go_on);
}

/* A loop of unknown count looks at each back-edge, or once per block. */
static LoopLook look_of_iteration(uint64_t once, unsigned *block) {
    if (once > WORK_FINE) {
        return LOOK_ALWAYS;
    }
    *block = 1; /* a power of two, so that vectors fill a block */
    while (*block * once <= WORK_BLOCK / 2) {
        *block *= 2;
    }
    return LOOK_IN_BLOCKS;
}

/* Calls of the routine itself are on its block, but in the last of its copies. */
static uint64_t work_of_iteration(const Emitter *emitter, Node *loop) {
    Node *own = emitter->routine->node;
    if (emitter->routine->is_process || !is_routine(own)) {
        return work_of_children(loop, NULL);
    }
    const Followed here = follow(own, NULL, recursion_copies(own, false) - 1);
    return work_of_children(loop, &here);
}

LoopLook loop_look_while(const Emitter *emitter, Node *while_, unsigned *block) {
    return communicates(while_->while_.process)
               ? LOOK_NEVER
               : look_of_iteration(work_of_iteration(emitter, while_), block);
}

LoopLook loop_look_counted(const Emitter *emitter, Node *loop, unsigned *block) {
    const Node *replicator = replicator_of(loop);
    if (loop->kind == NODE_SEQ && loop->seq.body.count > 0 &&
        communicates(loop->seq.body.items[0])) {
        return LOOK_NEVER;
    }
    uint64_t once = work_of_iteration(emitter, loop);
    const Constant *count = replicator->replicator.count->constant;
    if (count != NULL && count->integer >= 0 &&
        work_times(once, (uint64_t)count->integer) <= WORK_SMALL) {
        return LOOK_NEVER;
    }
    return look_of_iteration(once, block);
}
