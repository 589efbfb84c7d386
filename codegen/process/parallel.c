/* parallel -- PAR: environments, branches, their order.
 *
 * Owns:   the environment record of a PAR, the routine of each branch, which start when.
 * Leaves: new processes and the join to start.c, the run queue to run_queue.c, blocks and the end
 *         of a process to the runtime.
 * Holds:  the environment lies in the parent's frame and begins with the Join; it outlives the
 *         branches because the parent parks at the join. The parent runs the last component (the
 *         last replication) itself; so n components need n-1 new processes, and a PAR of one
 *         component none. */
#include "emit_clock.h"
#include "emit_sharing.h"
#include "layout_offsets.h"
#include "name_map.h"
#include "start.h"

#include <string.h>

enum { STARTED_IN_PLACE = 16, POINTER_BYTES = 8 };

/* ParFrame -- the names that branches take from outside, and where their values lie. */
typedef struct ParFrame {
    Node *par;
    LLVMValueRef environment; /* Join, then the captured values, 8 bytes each */
    LLVMValueRef site;        /* of the join */
    ARRAY_OF(Symbol *) names; /* captured by any started branch */
    NameMap places;           /* Symbol * -> size_t, its place in names plus 1 */
    unsigned *offsets;        /* of each name's first value in the environment */
    bool is_deferred;         /* branches are started when the parent has come to the end */
} ParFrame;

/* ---- the environment ---- */

static size_t *place_of(ParFrame *frame, const Symbol *symbol) {
    void **slot = name_map_at(&frame->places, &symbol, sizeof symbol);
    if (*slot == NULL) {
        *slot = arena_new(frame->places.arena, size_t);
    }
    return *slot;
}

static void add_names(Emitter *emitter, ParFrame *frame, size_t component) {
    const ParInfo *info = frame->par->par.info;
    for (size_t i = 0; i < info->captured[component].count; i++) {
        Symbol *symbol = info->captured[component].items[i];
        size_t *place = place_of(frame, symbol);
        if (*place == 0) {
            array_push(emitter->arena, &frame->names, symbol);
            *place = frame->names.count;
        }
    }
}

static LLVMTypeRef in_memory(Emitter *emitter, LLVMTypeRef type) {
    return type == emitter->i1 ? emitter->i8 : type;
}

static void fill_environment(Emitter *emitter, ParFrame *frame) {
    LLVMValueRef values[CAPTURE_MAX];
    for (size_t i = 0; i < frame->names.count; i++) {
        size_t count = capture_values(emitter, frame->names.items[i], values);
        for (size_t k = 0; k < count; k++) {
            LLVMValueRef value = values[k];
            if (LLVMTypeOf(value) == emitter->i1) {
                value = LLVMBuildZExt(emitter->builder, value, emitter->i8, "");
            }
            unsigned offset = frame->offsets[i] + 8 * (unsigned)k;
            LLVMBuildStore(emitter->builder, value,
                           emit_field(emitter, frame->environment, offset, ""));
        }
    }
}

static void layout_environment(Emitter *emitter, ParFrame *frame) {
    LLVMTypeRef types[CAPTURE_MAX];
    unsigned size = SIZE_Join;
    frame->offsets = arena_new_array(emitter->arena, unsigned, frame->names.count);
    for (size_t i = 0; i < frame->names.count; i++) {
        frame->offsets[i] = size;
        size += 8 * (unsigned)capture_types(emitter, frame->names.items[i], types);
    }
    frame->environment =
        emit_alloca(emitter, LLVMArrayType2(emitter->i64, size / 8), "par.environment");
    frame->site =
        emit_par_site(emitter, frame->par, frame->names.items, frame->offsets, frame->names.count);
}

/* The names of one component: a PAR of hundreds has hundreds of names, most of one or two. */
static void bind_environment(Emitter *emitter, ParFrame *frame, size_t component,
                             LLVMValueRef environment) {
    LLVMTypeRef types[CAPTURE_MAX];
    LLVMValueRef values[CAPTURE_MAX];
    const ParInfo *info = frame->par->par.info;
    for (size_t i = 0; i < info->captured[component].count; i++) {
        Symbol *symbol = info->captured[component].items[i];
        size_t count = capture_types(emitter, symbol, types);
        unsigned first = frame->offsets[*place_of(frame, symbol) - 1];
        for (size_t k = 0; k < count; k++) {
            unsigned offset = first + 8 * (unsigned)k;
            LLVMValueRef slot = emit_field(emitter, environment, offset, "");
            LLVMTypeRef memory = in_memory(emitter, types[k]);
            values[k] = LLVMBuildLoad2(emitter->builder, memory, slot, symbol->name->bytes);
            if (memory != types[k]) {
                values[k] = LLVMBuildTrunc(emitter->builder, values[k], types[k], "");
            }
        }
        if (count > 0) { /* a timer has no value */
            capture_bind(emitter, symbol, values);
            debug_variable(emitter, symbol, emit_find_binding(emitter, symbol), 4 + (unsigned)i);
        }
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
    state.is_process = index == NULL; /* the parent calls the last one of a replicated PAR */
    debug_routine(emitter, process->at, proc_name);
    bind_environment(emitter, frame, component, LLVMGetParam(function, 1));
    if (index != NULL) {
        Binding *binding = emit_bind_value(emitter, index, LLVMGetParam(function, 2));
        debug_variable(emitter, index, binding, 3);
    }
    emit_clocks_enter(emitter, &frame->par->par.enrols);
    emit_process(emitter, process);
    emit_clocks_end(emitter, &frame->par->par.enrols);
    emit_return_me(emitter);
    emit_routine_end(emitter);
    return function;
}

/* ---- PRI PAR: components of one after the other lower priority ---- */

/* The process is to have the priority of me, lowered by so many levels. */
static void emit_prioritise(Emitter *emitter, LLVMValueRef process, LLVMValueRef levels) {
    LLVMValueRef arguments[] = {process, levels};
    emit_runtime_call(emitter, RT_prioritise, arguments);
}

/* The parent runs the last component, with its priority: so first the others may begin. What it had
 * before is given to end_own_component. */
static LLVMValueRef begin_own_component(Emitter *emitter, const ParFrame *frame,
                                        LLVMValueRef levels) {
    if (frame->par->par.form != PAR_PRI) {
        return NULL;
    }
    LLVMValueRef field = emit_field(emitter, emit_me(emitter), OFFSET_Process_priority, "");
    LLVMValueRef before = LLVMBuildLoad2(emitter->builder, emitter->i8, field, "priority");
    emit_prioritise(emitter, emit_me(emitter), levels);
    emit_runtime_call(emitter, RT_reschedule, NULL);
    return before;
}

static void end_own_component(Emitter *emitter, LLVMValueRef before) {
    if (before != NULL) {
        LLVMBuildStore(emitter->builder, before,
                       emit_field(emitter, emit_me(emitter), OFFSET_Process_priority, ""));
    }
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
    emit_jump(emitter, done);
    emit_enter(emitter, done);
}

/* The component of the given number of a PAR. */
static void emit_start(Emitter *emitter, const ParFrame *frame, LLVMValueRef body,
                       LLVMValueRef block_size, LLVMValueRef index, LLVMValueRef number) {
    LLVMValueRef process =
        emit_new_process(emitter, body, block_size, NULL, frame->environment, index);
    if (frame->par->par.form == PAR_PRI) {
        emit_prioritise(emitter, process, number);
    }
    if (!frame->is_deferred) {
        emit_enqueue(emitter, process);
    } else if (!emitter->routine->node->proc.info->meets) {
        emit_defer(emitter, process);
    } else {
        emit_defer_unless_off(emitter, process);
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

/* A loop over the table: in place, the code of thousands of them would keep LLVM for minutes. */
static void start_from_table(Emitter *emitter, const ParFrame *frame, LLVMValueRef table,
                             size_t count) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef start = emit_block(emitter, "par.start");
    LLVMBasicBlockRef all = emit_block(emitter, "par.all");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    emit_jump(emitter, start);
    emit_enter(emitter, start);
    LLVMValueRef number = LLVMBuildPhi(builder, emitter->i32, "started");
    LLVMValueRef body = table_word(emitter, table, number, 0);
    LLVMValueRef block_size = table_word(emitter, table, number, POINTER_BYTES);
    emit_start(emitter, frame, body, block_size, emit_i32(emitter, LAYOUT_INDEX_NONE), number);
    LLVMValueRef next = LLVMBuildAdd(builder, number, emit_i32(emitter, 1), "");
    LLVMValueRef values[] = {emit_i32(emitter, 0), next};
    LLVMBasicBlockRef blocks[] = {before, LLVMGetInsertBlock(builder)};
    LLVMAddIncoming(number, values, blocks, 2);
    LLVMValueRef is_last =
        LLVMBuildICmp(builder, LLVMIntEQ, next, emit_i32(emitter, (int64_t)count), "");
    LLVMBuildCondBr(builder, is_last, all, start);
    emit_enter(emitter, all);
}

static void start_branches(Emitter *emitter, const ParFrame *frame, const LLVMValueRef *branches,
                           size_t count) {
    if (count > STARTED_IN_PLACE) {
        start_from_table(emitter, frame, branch_table(emitter, branches, count), count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        emit_start(emitter, frame, branches[i], emit_block_size(emitter, branches[i]),
                   emit_i32(emitter, LAYOUT_INDEX_NONE), emit_i32(emitter, (int64_t)i));
    }
}

/* ---- clocks ---- */

/* Registrations for the branches: all of PAR ENROLL c, those that stand under ENROLL c of a PAR. */
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

static void emit_plain_par(Emitter *emitter, ParFrame *frame) {
    const NodeList *body = &frame->par->par.body;
    for (size_t i = 0; i + 1 < body->count; i++) {
        add_names(emitter, frame, i);
    }
    layout_environment(emitter, frame);
    LLVMValueRef *branches = arena_new_array(emitter->arena, LLVMValueRef, body->count);
    for (size_t i = 0; i + 1 < body->count; i++) {
        branches[i] = emit_branch(emitter, frame, i, NULL);
    }
    emit_join_begin(emitter, frame->environment, emit_i32(emitter, (int64_t)body->count),
                    frame->site);
    lend_clocks(emitter, frame->par, emit_i64(emitter, (int64_t)body->count));
    fill_environment(emitter, frame);
    start_branches(emitter, frame, branches, body->count - 1);
    LLVMValueRef levels = emit_i32(emitter, (int64_t)body->count - 1);
    emit_clocks_enter(emitter, &frame->par->par.enrols);
    LLVMValueRef before = begin_own_component(emitter, frame, levels);
    emit_process(emitter, body->items[body->count - 1]);
    emit_clocks_end(emitter, &frame->par->par.enrols);
    if (!emit_is_terminated(emitter)) {
        emit_join_all(emitter, frame->environment, frame->site, frame->is_deferred);
        end_own_component(emitter, before);
    }
}

static void emit_call_branch(Emitter *emitter, const ParFrame *frame, LLVMValueRef branch,
                             LLVMValueRef index) {
    LLVMValueRef arguments[] = {emit_me(emitter), frame->environment, index};
    LLVMValueRef call =
        LLVMBuildCall2(emitter->builder, LLVMGlobalGetValueType(branch), branch, arguments, 3, "");
    LLVMSetInstructionCallConv(call, CALL_PRESERVE_NONE);
    emit_set_me(emitter, call, NULL, NULL);
}

/* All replications but the last, whose index is the result. */
static LLVMValueRef start_replications(Emitter *emitter, const ParFrame *frame,
                                       const ReplicatorLoop *loop, LLVMValueRef branch,
                                       LLVMValueRef last) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef test = emit_block(emitter, "par.next");
    LLVMBasicBlockRef start = emit_block(emitter, "par.start");
    LLVMBasicBlockRef own = emit_block(emitter, "par.own");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    emit_jump(emitter, test);
    emit_enter(emitter, test);
    LLVMValueRef iteration = LLVMBuildPhi(builder, emitter->i32, "started");
    LLVMValueRef distance = LLVMBuildMul(builder, iteration, loop->step, "");
    LLVMValueRef index = LLVMBuildAdd(builder, loop->base, distance, "index");
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, iteration, last, ""), start, own);
    emit_enter(emitter, start);
    emit_start(emitter, frame, branch, emit_block_size(emitter, branch), index, iteration);
    LLVMValueRef next = LLVMBuildAdd(builder, iteration, emit_i32(emitter, 1), "");
    LLVMValueRef values[] = {emit_i32(emitter, 0), next};
    LLVMBasicBlockRef blocks[] = {before, LLVMGetInsertBlock(builder)};
    LLVMAddIncoming(iteration, values, blocks, 2);
    emit_jump(emitter, test);
    emit_enter(emitter, own);
    return index;
}

static void emit_replicated_par(Emitter *emitter, ParFrame *frame) {
    LLVMBuilderRef builder = emitter->builder;
    Node *replicator = frame->par->par.replicator;
    add_names(emitter, frame, 0);
    layout_environment(emitter, frame);
    LLVMValueRef branch = emit_branch(emitter, frame, 0, replicator->replicator.def->def.symbol);
    ReplicatorLoop loop;
    memset(&loop, 0, sizeof loop);
    emit_replicator_values(emitter, replicator, &loop);
    LLVMBasicBlockRef some = emit_block(emitter, "par.some");
    LLVMBasicBlockRef none = emit_block(emitter, "par.none");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, loop.count, ""), none, some);
    emit_enter(emitter, some);
    emit_join_begin(emitter, frame->environment, loop.count, frame->site);
    lend_clocks(emitter, frame->par, LLVMBuildZExt(builder, loop.count, emitter->i64, ""));
    fill_environment(emitter, frame);
    LLVMValueRef last = LLVMBuildSub(builder, loop.count, emit_i32(emitter, 1), "last");
    LLVMValueRef index = start_replications(emitter, frame, &loop, branch, last);
    LLVMValueRef priority = begin_own_component(emitter, frame, last);
    emit_call_branch(emitter, frame, branch, index);
    emit_join_end(emitter, frame->environment, frame->site);
    end_own_component(emitter, priority);
    emit_jump(emitter, none);
    emit_enter(emitter, none);
}

/* Depth first, a recursion needs the memory of one path, and each block is warm; in the order of
 * the queue all of the tree would be alive at once. So a branch of a recursive PROC is started when
 * its parent has come to the end of the PAR, or when nothing else is ready, the newest first. Where
 * it never waits but for the ends of its PARs nobody can tell the difference. */
static bool may_defer(const Emitter *emitter, const Node *par) {
    const Node *routine = emitter->routine->node;
    bool is_plain =
        par->par.form == PAR_PLAIN && par->par.replicator == NULL && par->par.enrols.count == 0;
    return is_plain && routine != NULL && routine->kind == NODE_PROC &&
           routine->proc.info->is_recursive_used;
}

void emit_par(Emitter *emitter, Node *par) {
    if (par->par.form == PAR_PLACED) {
        emit_not_supported(emitter, par->at, "PLACED PAR");
        return;
    }
    const NodeList *body = &par->par.body;
    if (body->count == 0) {
        return;
    }
    if (par->par.replicator == NULL && body->count == 1 && par->par.enrols.count == 0 &&
        node_enroll(body->items[0]) == NULL) {
        emit_process(emitter, body->items[0]);
        return;
    }
    ParFrame frame;
    memset(&frame, 0, sizeof frame);
    frame.par = par;
    frame.places.arena = emitter->arena;
    frame.is_deferred = may_defer(emitter, par);
    if (par->par.replicator != NULL) {
        emit_replicated_par(emitter, &frame);
    } else {
        emit_plain_par(emitter, &frame);
    }
}
