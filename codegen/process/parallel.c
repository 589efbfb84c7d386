/* parallel -- PAR: branches, their order.
 *
 * Owns:   the routine of each branch, starting them.
 * Leaves: the record of what branches use to environment.h, their order to par_order.c, new
 *         processes and the join to start.c, the run queue to run_queue.c, blocks and the end of a
 *         process to the runtime.
 * Holds:  the environment lies in the parent's frame and begins with the Join; it outlives the
 *         branches because the parent parks at the join. The parent runs one component (one
 *         replication) itself; so n components need n-1 new processes, and a PAR of one component
 *         none. */
#include "emit_clock.h"
#include "emit_sharing.h"
#include "environment.h"
#include "layout_offsets.h"
#include "placement.h"
#include "start.h"

#include <string.h>

enum { STARTED_IN_PLACE = 16, POINTER_BYTES = 8 };

/* ParFrame -- a PAR that is being emitted. */
typedef struct ParFrame {
    Node *par;
    Environment environment; /* begins with the Join */
    LLVMValueRef site;       /* of the join */
    LLVMValueRef placed;     /* PLACED PAR: its record (placement.h); else NULL */
    StartOrder order;
    LLVMValueRef chain;     /* START_FIRST: a link to the first of the started processes */
    LLVMValueRef chain_end; /* where the link to the next one belongs */
} ParFrame;

static void lay_out(Emitter *emitter, ParFrame *frame) {
    Environment *environment = &frame->environment;
    environment_lay_out(emitter, environment, SIZE_Join);
    frame->site = emit_par_site(emitter, frame->par, environment->names.items, environment->offsets,
                                environment->names.count);
    if (frame->par->par.form == PAR_PLACED) {
        frame->placed = placement_of_par(emitter, frame->par, environment);
    }
}

/* ---- a branch as a routine: (me, environment, index), preserve_none ---- */

static LLVMValueRef declare_branch(Emitter *emitter) {
    Routine *routine = emitter->routine;
    size_t length;
    const char *name =
        arena_format(emitter->arena, "%s.par%zu", LLVMGetValueName2(routine->function, &length),
                     ++routine->branch_count);
    LLVMTypeRef parameters[] = {emitter->ptr, emitter->ptr, emitter->i32};
    LLVMTypeRef type = LLVMFunctionType(emitter->ptr, parameters, 3, 0);
    LLVMValueRef function = LLVMAddFunction(emitter->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(function, CALL_PRESERVE_NONE);
    return function;
}

static LLVMValueRef emit_branch(Emitter *emitter, ParFrame *frame, size_t component,
                                Symbol *index) {
    Node *process = frame->par->par.body.items[component];
    LLVMValueRef function = declare_branch(emitter);
    const char *proc_name = emitter->routine->proc_name;
    Routine state;
    emit_routine_begin(emitter, &state, function, emitter->routine->node, proc_name, true);
    /* the parent calls one branch of a replicated or PLACED PAR */
    state.is_process = index == NULL && frame->placed == NULL;
    debug_routine(emitter, process->at, proc_name);
    environment_bind(emitter, &frame->environment, frame->par->par.info, component, 4);
    if (index != NULL) {
        Binding *binding = emit_bind_value(emitter, index, LLVMGetParam(function, 2));
        debug_variable(emitter, index, binding, 3);
    }
    emit_clocks_enter(emitter, &frame->par->par.enrols);
    if (process->kind == NODE_PROCESSOR) {
        placement_branch(emitter, frame->par, component, frame->placed, &frame->environment);
    } else {
        emit_process(emitter, process);
    }
    emit_clocks_end(emitter, &frame->par->par.enrols);
    emit_return_me(emitter);
    emit_routine_end(emitter);
    return function;
}

/* ---- start ---- */

static void emit_defer_unless_off(Emitter *emitter, LLVMValueRef process) {
    LLVMBasicBlockRef defer = emit_block(emitter, "start.defer");
    LLVMBasicBlockRef now = emit_block(emitter, "start.now");
    LLVMBasicBlockRef done = emit_block(emitter, "start.done");
    LLVMValueRef off = emit_load_field(emitter, emitter->i32, emit_worker(emitter),
                                       OFFSET_Worker_deferred_off, "off");
    LLVMBuildCondBr(emitter->builder, LLVMBuildIsNull(emitter->builder, off, ""), defer, now);
    emit_enter(emitter, defer);
    emit_defer(emitter, process);
    emit_jump(emitter, done);
    emit_enter(emitter, now);
    emit_enqueue(emitter, process);
    emit_continue(emitter, done);
}

/* Start the component with the given number. */
static void emit_start(Emitter *emitter, ParFrame *frame, LLVMValueRef body,
                       LLVMValueRef block_size, LLVMValueRef index, LLVMValueRef number) {
    LLVMValueRef process = emit_new_process(emitter, body, block_size, NULL,
                                            frame->environment.record, index, frame->site);
    LLVMValueRef arguments[] = {process, number};
    switch (frame->order) {
    case START_FIRST:
        LLVMBuildStore(emitter->builder, process, frame->chain_end);
        frame->chain_end = emit_field(emitter, process, OFFSET_Process_next, "");
        break;
    case START_LOWER: emit_runtime_call(emitter, RT_start_lower, arguments); break;
    case START_LAST: emit_enqueue(emitter, process); break;
    case START_DEFERRED:
        if (emitter->routine->node->proc.info->meets) {
            emit_defer_unless_off(emitter, process);
        } else {
            emit_defer(emitter, process);
        }
        break;
    }
}

/* None is put in the queue before all are made: making one may call the runtime. */
static void start_begin(Emitter *emitter, ParFrame *frame) {
    if (frame->order == START_FIRST) {
        frame->chain = emit_alloca(emitter, emitter->ptr, "par.chain");
        frame->chain_end = frame->chain;
    }
}

static void start_end(Emitter *emitter, ParFrame *frame) {
    if (frame->order == START_FIRST) {
        emit_put_first(emitter, frame->chain, frame->chain_end);
    }
}

/* ---- many branches ---- */

/* A constant of the unit: for each branch the body and where its block size is. */
static LLVMValueRef branch_table(Emitter *emitter, const LLVMValueRef *branches, size_t count) {
    LLVMValueRef *words = arena_new_array(emitter->arena, LLVMValueRef, 2 * count);
    for (size_t i = 0; i < count; i++) {
        words[2 * i] = branches[i];
        words[2 * i + 1] = emit_block_size(emitter, branches[i]);
    }
    LLVMValueRef table = LLVMConstArray2(emitter->ptr, words, 2 * count);
    return emit_constant_global(emitter, table, "par.branches");
}

static LLVMValueRef table_word(Emitter *emitter, LLVMValueRef table, LLVMValueRef number,
                               unsigned offset) {
    LLVMTypeRef row = LLVMArrayType2(emitter->ptr, 2);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(emitter->builder, row, table, &number, 1, "");
    return emit_load_pointer(emitter, at, offset, "");
}

/* StartLoop -- over the components from `first` to before `end`. */
typedef struct StartLoop {
    LLVMValueRef number; /* of the component */
    LLVMValueRef link;   /* of the chain, at the head of the loop */
    LLVMBasicBlockRef test, after;
} StartLoop;

static StartLoop start_loop_begin(Emitter *emitter, ParFrame *frame, LLVMValueRef first,
                                  LLVMValueRef end) {
    LLVMBuilderRef builder = emitter->builder;
    StartLoop loop = {.test = emit_block(emitter, "par.next"),
                      .after = emit_block(emitter, "par.started")};
    LLVMBasicBlockRef start = emit_block(emitter, "par.start");
    start_begin(emitter, frame);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    emit_continue(emitter, loop.test);
    loop.number = LLVMBuildPhi(builder, emitter->i32, "component");
    LLVMAddIncoming(loop.number, &first, &before, 1);
    if (frame->chain_end != NULL) {
        loop.link = LLVMBuildPhi(builder, emitter->ptr, "link");
        LLVMAddIncoming(loop.link, &frame->chain_end, &before, 1);
        frame->chain_end = loop.link;
    }
    LLVMValueRef is_one = LLVMBuildICmp(builder, LLVMIntULT, loop.number, end, "");
    LLVMBuildCondBr(builder, is_one, start, loop.after);
    emit_enter(emitter, start);
    return loop;
}

static void start_loop_end(Emitter *emitter, ParFrame *frame, const StartLoop *loop) {
    LLVMValueRef next = LLVMBuildAdd(emitter->builder, loop->number, emit_i32(emitter, 1), "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(emitter->builder);
    LLVMAddIncoming(loop->number, &next, &from, 1);
    if (loop->link != NULL) {
        LLVMAddIncoming(loop->link, &frame->chain_end, &from, 1);
        frame->chain_end = loop->link;
    }
    emit_jump(emitter, loop->test);
    emit_enter(emitter, loop->after);
}

/* A loop over the table: straight code for thousands of branches takes LLVM minutes to compile. */
static void start_from_table(Emitter *emitter, ParFrame *frame, LLVMValueRef table, size_t count) {
    StartLoop loop =
        start_loop_begin(emitter, frame, emit_i32(emitter, 0), emit_i32(emitter, (int64_t)count));
    LLVMValueRef body = table_word(emitter, table, loop.number, 0);
    LLVMValueRef block_size = table_word(emitter, table, loop.number, POINTER_BYTES);
    LLVMValueRef last = emit_i32(emitter, LAYOUT_INDEX_COMPONENTS - 1);
    LLVMValueRef is_told = LLVMBuildICmp(emitter->builder, LLVMIntULT, loop.number, last, "");
    LLVMValueRef told = LLVMBuildSelect(emitter->builder, is_told, loop.number, last, "");
    LLVMValueRef index =
        LLVMBuildAdd(emitter->builder, told, emit_i32(emitter, LAYOUT_INDEX_NONE), "");
    emit_start(emitter, frame, body, block_size, index, loop.number);
    start_loop_end(emitter, frame, &loop);
    start_end(emitter, frame);
}

static void start_branches(Emitter *emitter, ParFrame *frame, const LLVMValueRef *branches,
                           size_t count) {
    if (count > STARTED_IN_PLACE) {
        start_from_table(emitter, frame, branch_table(emitter, branches, count), count);
        return;
    }
    start_begin(emitter, frame);
    for (size_t i = 0; i < count; i++) {
        emit_start(emitter, frame, branches[i], emit_block_size(emitter, branches[i]),
                   emit_i32(emitter, LAYOUT_INDEX_NONE + (int64_t)i),
                   emit_i32(emitter, (int64_t)i + 1));
    }
    start_end(emitter, frame);
}

/* ---- clocks ---- */

/* Registrations for the branches: all of PAR ENROLL c, or those under ENROLL c in a PAR. */
static void lend_clocks(Emitter *emitter, const Node *par, LLVMValueRef branches) {
    emit_clocks_lend(emitter, &par->par.enrols, branches);
    NodeList named = {NULL, 0, 0};
    ARRAY_OF(int64_t) counts = {NULL, 0, 0};
    for (size_t i = 0; i < par->par.body.count; i++) {
        const Node *enroll = node_enroll(par->par.body.items[i]);
        for (size_t k = 0; enroll != NULL && k < enroll->enroll.clocks.count; k++) {
            Node *clock = enroll->enroll.clocks.items[k];
            size_t at = 0;
            while (at < named.count && named.items[at]->name.symbol != clock->name.symbol) {
                at++;
            }
            if (at == named.count) {
                array_push(emitter->arena, &named, clock);
                array_push(emitter->arena, &counts, 0);
            }
            counts.items[at]++;
        }
    }
    for (size_t i = 0; i < named.count; i++) {
        NodeList one = {&named.items[i], 1, 1};
        LLVMValueRef count = emit_i64(emitter, counts.items[i]);
        emit_clocks_lend(emitter, &one,
                         par->par.replicator == NULL
                             ? count
                             : LLVMBuildMul(emitter->builder, count, branches, ""));
    }
}

/* ---- the two shapes of PAR ---- */

static void emit_call_branch(Emitter *emitter, const ParFrame *frame, LLVMValueRef branch,
                             LLVMValueRef index) {
    LLVMValueRef arguments[] = {emit_me(emitter), frame->environment.record, index};
    LLVMValueRef call = emit_call_of(emitter, branch, arguments, 3);
    LLVMSetInstructionCallConv(call, CALL_PRESERVE_NONE);
    emit_set_me(emitter, call, NULL, NULL);
}

static void emit_scope(Emitter *emitter, const ParFrame *frame, bool begins) {
    if (frame->placed != NULL) {
        placement_scope(emitter, frame->placed, &frame->environment, begins);
    }
}

/* Is the component one that the parent does not run itself? */
static bool is_branch(const ParFrame *frame, size_t component, size_t own) {
    return component != own || frame->par->par.body.items[component]->kind == NODE_PROCESSOR;
}

static void emit_own_component(Emitter *emitter, const ParFrame *frame, size_t own,
                               LLVMValueRef branch) {
    if (branch != NULL) {
        emit_call_branch(emitter, frame, branch, emit_i32(emitter, LAYOUT_INDEX_NONE));
    } else {
        emit_clocks_enter(emitter, &frame->par->par.enrols);
        emit_process(emitter, frame->par->par.body.items[own]);
        emit_clocks_end(emitter, &frame->par->par.enrols);
    }
}

static void emit_plain_par(Emitter *emitter, ParFrame *frame) {
    const NodeList *body = &frame->par->par.body;
    size_t own = par_own_component(emitter, frame->par);
    LLVMValueRef own_branch = NULL;
    LLVMValueRef *branches = arena_new_array(emitter->arena, LLVMValueRef, body->count);
    for (size_t i = 0; i < body->count; i++) {
        if (is_branch(frame, i, own)) {
            environment_add(emitter, &frame->environment, frame->par->par.info, i);
        }
    }
    lay_out(emitter, frame);
    size_t count = 0;
    for (size_t i = 0; i < body->count; i++) {
        if (i != own) {
            branches[count++] = emit_branch(emitter, frame, i, NULL);
        } else if (is_branch(frame, i, own)) {
            own_branch = emit_branch(emitter, frame, i, NULL);
        }
    }
    emit_join_begin(emitter, frame->environment.record, emit_i32(emitter, (int64_t)body->count),
                    frame->site);
    lend_clocks(emitter, frame->par, emit_i64(emitter, (int64_t)body->count));
    environment_fill(emitter, &frame->environment);
    emit_scope(emitter, frame, true);
    start_branches(emitter, frame, branches, count);
    emit_own_component(emitter, frame, own, own_branch);
    if (!emit_is_terminated(emitter)) {
        bool is_deferred = frame->order == START_DEFERRED;
        emit_join_all(emitter, frame->environment.record, frame->site, is_deferred);
        emit_scope(emitter, frame, false);
    }
}

static LLVMValueRef index_of(Emitter *emitter, const ReplicatorLoop *loop, LLVMValueRef number) {
    LLVMValueRef distance = LLVMBuildMul(emitter->builder, number, loop->step, "");
    return LLVMBuildAdd(emitter->builder, loop->base, distance, "index");
}

/* Start all replications but one, whose index is returned. */
static LLVMValueRef start_replications(Emitter *emitter, ParFrame *frame,
                                       const ReplicatorLoop *replications, LLVMValueRef branch) {
    bool is_first_own = frame->order == START_FIRST || frame->order == START_LOWER;
    LLVMValueRef zero = emit_i32(emitter, 0);
    LLVMValueRef one = emit_i32(emitter, 1);
    LLVMValueRef last = LLVMBuildSub(emitter->builder, replications->count, one, "last");
    StartLoop loop = start_loop_begin(emitter, frame, is_first_own ? one : zero,
                                      is_first_own ? replications->count : last);
    emit_start(emitter, frame, branch, emit_block_size(emitter, branch),
               index_of(emitter, replications, loop.number), loop.number);
    start_loop_end(emitter, frame, &loop);
    start_end(emitter, frame);
    return is_first_own ? replications->base : index_of(emitter, replications, last);
}

static void emit_replicated_par(Emitter *emitter, ParFrame *frame) {
    LLVMBuilderRef builder = emitter->builder;
    Node *replicator = frame->par->par.replicator;
    environment_add(emitter, &frame->environment, frame->par->par.info, 0);
    lay_out(emitter, frame);
    LLVMValueRef branch = emit_branch(emitter, frame, 0, replicator->replicator.def->def.symbol);
    ReplicatorLoop loop;
    memset(&loop, 0, sizeof loop);
    emit_replicator_values(emitter, replicator, &loop);
    LLVMBasicBlockRef some = emit_block(emitter, "par.some");
    LLVMBasicBlockRef none = emit_block(emitter, "par.none");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, loop.count, ""), none, some);
    emit_enter(emitter, some);
    emit_join_begin(emitter, frame->environment.record, loop.count, frame->site);
    lend_clocks(emitter, frame->par, LLVMBuildZExt(builder, loop.count, emitter->i64, ""));
    environment_fill(emitter, &frame->environment);
    emit_scope(emitter, frame, true);
    LLVMValueRef own_index = start_replications(emitter, frame, &loop, branch);
    emit_call_branch(emitter, frame, branch, own_index);
    emit_join_end(emitter, frame->environment.record, frame->site);
    emit_scope(emitter, frame, false);
    emit_continue(emitter, none);
}

void emit_par(Emitter *emitter, Node *par) {
    const NodeList *body = &par->par.body;
    if (body->count == 0) {
        return;
    }
    if (par->par.replicator == NULL && body->count == 1 && par->par.enrols.count == 0 &&
        node_enroll(body->items[0]) == NULL && body->items[0]->kind != NODE_PROCESSOR) {
        emit_process(emitter, body->items[0]);
        return;
    }
    ParFrame frame;
    memset(&frame, 0, sizeof frame);
    frame.par = par;
    frame.environment.places.arena = emitter->arena;
    frame.order = par_order(emitter, par);
    if (par->par.replicator != NULL) {
        emit_replicated_par(emitter, &frame);
    } else {
        emit_plain_par(emitter, &frame);
    }
}
