/* deferral -- see the header.
 *
 *   strips:   enough iterations left for a strip? else checked (not asked where all are one strip)
 *   begin:    what is written lies apart from what is read? else checked
 *   strip:    the loop without checks, gathering sizes and flags
 *   test:     could no check fail? then the next strip; else, what was written is undone, checked
 *   checked:  the loop as it was, for what is left
 *
 * A strip can be begun again when it writes nothing that it reads. If it does, as in
 * v[i] := v[i] + x, the sum is taken back first; where that is not possible the strip is run
 * without writing, and once more when the test says so. */
#include "deferral.h"

#include "deferral_state.h"
#include "llvm_compat.h"
#include "loop_cell.h"
#include "proof.h"
#include "redundant.h"

#define STRIP_LEAST       16    /* below that a strip of its own takes longer than its checks */
#define STRIP             1024u /* iterations at most: so many sizes are a sum's bound */
#define WEIGHT_OF_SUCCESS 1023
#define WEIGHT_OF_FAILURE 1

/* Candidate -- a loop whose checks on data are out of sight. */
typedef struct Candidate {
    FlowGraph *graph;
    FlowBlock *header;
    ARRAY_OF(DeferredCheck) checks;
} Candidate;

struct Deferrals {
    Arena *arena;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    ARRAY_OF(Candidate) candidates;
};

/* ---- building ---- */

static LLVMBasicBlockRef new_block(const Deferral *deferral, const char *name) {
    LLVMBasicBlockRef header = deferral->loop.header->block;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(deferral->loop.limit));
    return LLVMInsertBasicBlockInContext(context, header, name);
}

static LLVMValueRef start_of(const Deferral *deferral, LLVMValueRef phi) {
    return name_map_find(&deferral->starts, &phi, sizeof phi);
}

static LLVMValueRef first_phi(const Deferral *deferral) {
    return LLVMGetFirstInstruction(deferral->loop.header->block);
}

LLVMValueRef deferral_gather(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before,
                             LLVMValueRef first, LLVMValueRef part) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(copy->entry));
    LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(part), "gathered");
    loop_copy_at_end(copy);
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(builder);
    LLVMValueRef now = LLVMBuildOr(builder, phi, part, "");
    LLVMAddIncoming(phi, &first, &before, 1);
    LLVMAddIncoming(phi, &now, &latch, 1);
    return phi;
}

static void branch_likely(const Deferral *deferral, LLVMValueRef condition,
                          LLVMBasicBlockRef likely, LLVMBasicBlockRef otherwise) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(condition));
    LLVMValueRef branch = LLVMBuildCondBr(deferral->builder, condition, likely, otherwise);
    compat_set_branch_weights(context, branch, WEIGHT_OF_SUCCESS, WEIGHT_OF_FAILURE);
}

/* ---- strips ---- */

typedef struct Strips {
    LLVMBasicBlockRef strips, begin, go, sized, test, checked;
    LLVMBasicBlockRef passed; /* where a strip leads to that passed */
    LLVMValueRef left, stop;
    NameMap ends; /* phis of the header -> what they are then, if there is one strip only */
} Strips;

static bool is_constant(LLVMValueRef value) {
    return LLVMIsAConstantInt(value) != NULL;
}

/* So few iterations, known beforehand, that they are one strip; 0: there may be several. */
static uint64_t single_count(const CountedLoop *loop) {
    LLVMValueRef start = loop_start(loop, loop->counter);
    if (!is_constant(start) || !is_constant(loop->limit)) {
        return 0;
    }
    int64_t count = LLVMConstIntGetSExtValue(loop->limit) - LLVMConstIntGetSExtValue(start);
    return count >= STRIP_LEAST && count <= (int64_t)STRIP ? (uint64_t)count : 0;
}

static void enter_strips(const CountedLoop *loop, const Strips *at) {
    LLVMValueRef leads = LLVMGetBasicBlockTerminator(loop->before->block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(leads); i++) {
        if (LLVMGetSuccessor(leads, i) == loop->header->block) {
            LLVMSetSuccessor(leads, i, at->strips);
        }
    }
}

/* All that there is to do is one strip. */
static void begin_single(Deferral *deferral, Strips *at, uint64_t count) {
    const CountedLoop *loop = &deferral->loop;
    LLVMPositionBuilderAtEnd(deferral->builder, at->strips);
    LLVMBuildBr(deferral->builder, at->begin);
    for (LLVMValueRef phi = first_phi(deferral); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        *name_map_at(&deferral->starts, &phi, sizeof phi) = loop_start(loop, phi);
    }
    deferral->count = LLVMConstInt(LLVMTypeOf(loop->counter), count, 0);
    at->stop = loop->limit;
    at->passed = new_block(deferral, "strip.done");
    LLVMPositionBuilderAtEnd(deferral->builder, at->passed);
    LLVMBuildBr(deferral->builder, at->checked);
}

static void begin_strips(Deferral *deferral, Strips *at) {
    const CountedLoop *loop = &deferral->loop;
    LLVMBuilderRef builder = deferral->builder;
    LLVMBasicBlockRef before = loop->before->block;
    LLVMPositionBuilderAtEnd(builder, at->strips);
    for (LLVMValueRef phi = first_phi(deferral); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef now = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
        LLVMValueRef start = loop_start(loop, phi);
        LLVMAddIncoming(now, &start, &before, 1);
        *name_map_at(&deferral->starts, &phi, sizeof phi) = now;
    }
    LLVMValueRef counter = start_of(deferral, loop->counter);
    LLVMIntPredicate predicate = loop->is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMValueRef some = LLVMBuildICmp(builder, predicate, counter, loop->limit, "");
    at->left = LLVMBuildSub(builder, loop->limit, counter, "left");
    LLVMValueRef least = LLVMConstInt(LLVMTypeOf(counter), deferral_grain(deferral), 0);
    LLVMValueRef many = LLVMBuildICmp(builder, LLVMIntUGE, at->left, least, "");
    LLVMValueRef enough = LLVMBuildAnd(builder, some, many, "");
    LLVMBuildCondBr(builder, enough, at->begin, at->checked);
}

/* How many iterations the next strip has. */
static void measure_strip(Deferral *deferral, Strips *at) {
    LLVMBuilderRef builder = deferral->builder;
    const CountedLoop *loop = &deferral->loop;
    LLVMValueRef counter = start_of(deferral, loop->counter);
    LLVMTypeRef type = LLVMTypeOf(counter);
    LLVMPositionBuilderAtEnd(builder, at->begin);
    LLVMValueRef most = LLVMConstInt(type, STRIP, 0);
    LLVMValueRef is_long = LLVMBuildICmp(builder, LLVMIntUGT, at->left, most, "");
    LLVMValueRef some = LLVMBuildSelect(builder, is_long, most, at->left, "");
    uint64_t grain = deferral_grain(deferral);
    LLVMValueRef mask = LLVMConstInt(type, ~(grain - 1), 1);
    deferral->count = LLVMBuildAnd(builder, some, mask, "count");
    at->stop = LLVMBuildAdd(builder, counter, deferral->count, "stop");
    LLVMSetNSW(at->stop, loop->is_signed);
    LLVMSetNUW(at->stop, !loop->is_signed);
}

static void begin_strip(Deferral *deferral, Strips *at) {
    const CountedLoop *loop = &deferral->loop;
    LLVMBuilderRef builder = deferral->builder;
    LLVMValueRef counter = start_of(deferral, loop->counter);
    LLVMPositionBuilderAtEnd(builder, at->begin);
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(counter), 1, 0);
    LLVMValueRef last = LLVMBuildSub(builder, at->stop, one, "");
    LLVMValueRef holds = guard_test(deferral, counter, last);
    LLVMValueRef apart = loop_memory_is_apart(loop, &deferral->memory, deferral->layout, builder,
                                              counter, deferral->count);
    holds = deferral_both(deferral, holds, apart);
    if (holds != NULL) {
        branch_likely(deferral, holds, at->go, at->checked);
    } else {
        LLVMBuildBr(builder, at->go);
    }
}

/* Behind the guards: what is read here the first iteration reads too. */
static void size_strip(Deferral *deferral, Strips *at) {
    LLVMPositionBuilderAtEnd(deferral->builder, at->go);
    LLVMValueRef holds = range_begin(deferral);
    if (holds != NULL) {
        branch_likely(deferral, holds, at->sized, at->checked);
    } else {
        LLVMBuildBr(deferral->builder, at->sized);
    }
}

/* What the copy has come to is what the next strip begins with. */
static void pass_on(Deferral *deferral, Strips *at, const LoopCopy *copy, LLVMBasicBlockRef from) {
    for (LLVMValueRef phi = first_phi(deferral); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef now = loop_copy_of(copy, phi);
        if (at->passed == at->strips) {
            LLVMAddIncoming(start_of(deferral, phi), &now, &from, 1);
        } else {
            *name_map_at(&at->ends, &phi, sizeof phi) = now;
        }
    }
}

static LoopCopy copy_of_kind(Deferral *deferral, LoopCopyKind kind) {
    return (LoopCopy){.loop = &deferral->loop,
                      .kind = kind,
                      .undone = &deferral->undone,
                      .builder = deferral->builder};
}

static void copy_strip(Deferral *deferral, Strips *at) {
    LLVMBuilderRef builder = deferral->builder;
    bool is_twice = deferral->memory.again == AGAIN_READING && deferral->undone.count == 0;
    LoopCopy copy = copy_of_kind(deferral, is_twice ? LOOP_COPY_READING : LOOP_COPY_WHOLE);
    loop_copy(&copy, &deferral->starts, at->stop, at->sized, at->test);
    range_gather(deferral, &copy, at->sized);
    flag_gather(deferral, &copy, at->sized);
    LLVMPositionBuilderAtEnd(builder, at->sized);
    LLVMBuildBr(builder, copy.entry);

    LLVMBasicBlockRef passed = at->passed;
    LLVMBasicBlockRef failed = at->checked;
    if (is_twice) {
        LoopCopy writing = copy_of_kind(deferral, LOOP_COPY_WHOLE);
        loop_copy(&writing, &deferral->starts, at->stop, at->test, at->passed);
        pass_on(deferral, at, &writing, writing.entry);
        passed = writing.entry;
    } else {
        pass_on(deferral, at, &copy, at->test);
    }
    if (deferral->undone.count > 0) {
        LoopCopy undoing = copy_of_kind(deferral, LOOP_COPY_UNDOING);
        loop_copy(&undoing, &deferral->starts, at->stop, at->test, at->checked);
        failed = undoing.entry;
    }
    LLVMPositionBuilderAtEnd(builder, at->test);
    LLVMValueRef holds = deferral_both(deferral, range_test(deferral), flag_test(deferral));
    LLVMTypeRef flag = LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(at->stop)));
    branch_likely(deferral, holds != NULL ? holds : LLVMConstInt(flag, 1, 0), passed, failed);
}

/* What the phi of the header is when the loop as it was begins: where the strips left off. */
static LLVMValueRef start_of_checked(Deferral *deferral, const Strips *at, LLVMValueRef phi) {
    LLVMValueRef start = start_of(deferral, phi);
    if (at->passed == at->strips) {
        return start;
    }
    LLVMPositionBuilderBefore(deferral->builder, LLVMGetBasicBlockTerminator(at->checked));
    LLVMValueRef merged = LLVMBuildPhi(deferral->builder, LLVMTypeOf(phi), "");
    LLVMValueRef block = LLVMBasicBlockAsValue(at->checked);
    for (LLVMUseRef use = LLVMGetFirstUse(block); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(use));
        LLVMValueRef end = name_map_find(&at->ends, &phi, sizeof phi);
        LLVMAddIncoming(merged, from == at->passed ? &end : &start, &from, 1);
    }
    return merged;
}

/* The loop as it was now begins where the strips left off. */
static void enter_checked(Deferral *deferral, Strips *at) {
    const CountedLoop *loop = &deferral->loop;
    LLVMBuilderRef builder = deferral->builder;
    LLVMPositionBuilderAtEnd(builder, at->checked);
    LLVMBuildBr(builder, loop->header->block);
    LLVMValueRef phi = first_phi(deferral);
    while (LLVMIsAPHINode(phi) != NULL) {
        LLVMValueRef next = LLVMGetNextInstruction(phi);
        LLVMValueRef start = start_of_checked(deferral, at, phi);
        LLVMPositionBuilderBefore(builder, first_phi(deferral));
        LLVMValueRef made = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
        LLVMValueRef last = loop_last(loop, phi);
        LLVMAddIncoming(made, &start, &at->checked, 1);
        LLVMAddIncoming(made, &last, &loop->latch->block, 1);
        LLVMReplaceAllUsesWith(phi, made);
        LLVMInstructionEraseFromParent(phi);
        phi = next;
    }
}

static void build_strips(Deferral *deferral) {
    Strips at = {.strips = new_block(deferral, "strips"),
                 .begin = new_block(deferral, "strip.begin"),
                 .go = new_block(deferral, "strip.go"),
                 .sized = new_block(deferral, "strip.sized"),
                 .test = new_block(deferral, "strip.test"),
                 .checked = new_block(deferral, "strip.checked"),
                 .ends = {.arena = deferral->arena}};
    at.passed = at.strips;
    uint64_t single = single_count(&deferral->loop);
    enter_strips(&deferral->loop, &at);
    if (single != 0) {
        begin_single(deferral, &at, single);
    } else {
        begin_strips(deferral, &at);
        measure_strip(deferral, &at);
    }
    begin_strip(deferral, &at);
    size_strip(deferral, &at);
    copy_strip(deferral, &at);
    enter_checked(deferral, &at);
}

/* ---- candidates ---- */

static bool depends_on_data(const CountedLoop *loop, LLVMValueRef branch) {
    bool when;
    return loop_check(loop, branch, &when) &&
           loop_nature(loop, LLVMGetCondition(branch)) == NATURE_DATA;
}

static void hide_checks(Deferrals *deferrals, const CountedLoop *loop, Candidate *candidate) {
    for (size_t i = 0; i < loop->blocks.count; i++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->blocks.items[i]->block);
        bool when;
        if (depends_on_data(loop, branch) && loop_check(loop, branch, &when)) {
            DeferredCheck check = {branch, LLVMGetCondition(branch)};
            array_push(deferrals->arena, &candidate->checks, check);
            LLVMSetCondition(branch, LLVMConstInt(LLVMTypeOf(check.condition), when, 0));
        }
    }
}

/* Finds the loop with its variables in registers. */
static bool find_loop(Deferrals *deferrals, FlowGraph *graph, FlowBlock *header,
                      CountedLoop *loop) {
    bool is_found = counted_loop_find(deferrals->arena, graph, header, loop);
    while (is_found && deferral_is_plain(loop) && loop_cells_promote(loop, deferrals->builder)) {
        is_found = counted_loop_find(deferrals->arena, graph, header, loop);
    }
    return is_found;
}

static void look_at_function(Deferrals *deferrals, LLVMValueRef function) {
    FlowGraph *graph = flow_graph_create(deferrals->arena, function);
    for (size_t i = 0; i < graph->order.count; i++) {
        Deferral deferral = {.arena = deferrals->arena, .layout = deferrals->layout};
        Candidate candidate = {.graph = graph, .header = graph->order.items[i]};
        if (find_loop(deferrals, graph, candidate.header, &deferral.loop) &&
            deferral_suits(&deferral)) {
            hide_checks(deferrals, &deferral.loop, &candidate);
        }
        if (candidate.checks.count > 0) {
            array_push(deferrals->arena, &deferrals->candidates, candidate);
        }
    }
}

/* Operations of which results may be out of range; subscripts out of data make no vectors. */
static bool has_checked_operation(LLVMValueRef function) {
    LLVMOpcode opcode;
    bool is_signed;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;
             each = LLVMGetNextInstruction(each)) {
            if (LLVMIsATruncInst(each) != NULL ||
                proof_checked_operation(each, &opcode, &is_signed)) {
                return true;
            }
        }
    }
    return false;
}

Deferrals *deferrals_open(LLVMModuleRef module, LLVMTargetDataRef layout) {
    Arena *arena = arena_create();
    Deferrals *deferrals = arena_new(arena, Deferrals);
    deferrals->arena = arena;
    deferrals->module = module;
    deferrals->layout = layout;
    deferrals->builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function) && has_checked_operation(function)) {
            look_at_function(deferrals, function);
        }
    }
    return deferrals;
}

/* ---- the end ---- */

static void show_checks(const Candidate *candidate) {
    for (size_t i = 0; i < candidate->checks.count; i++) {
        LLVMSetCondition(candidate->checks.items[i].branch, candidate->checks.items[i].condition);
    }
}

/* Those that never fail are no reason for strips: all that is known may prove them, for the others
 * among them are asked. */
static void show_and_prove(Deferrals *deferrals) {
    ARRAY_OF(LLVMValueRef) branches = {0};
    for (size_t i = 0; i < deferrals->candidates.count; i++) {
        const Candidate *candidate = &deferrals->candidates.items[i];
        show_checks(candidate);
        for (size_t j = 0; j < candidate->checks.count; j++) {
            array_push(deferrals->arena, &branches, candidate->checks.items[j].branch);
        }
    }
    if (branches.count > 0) {
        redundant_checks_remove_of(deferrals->module, branches.items, branches.count);
    }
}

static void close_candidate(Deferrals *deferrals, const Candidate *candidate) {
    Arena *arena = arena_create();
    Deferral deferral = {
        .arena = arena, .layout = deferrals->layout, .builder = deferrals->builder};
    bool is_counted = counted_loop_find(arena, candidate->graph, candidate->header, &deferral.loop);
    deferral_begin(&deferral);
    for (size_t i = 0; i < candidate->checks.count; i++) {
        LLVMValueRef branch = candidate->checks.items[i].branch;
        DeferredCheck check = {branch, LLVMGetCondition(branch)};
        if (LLVMIsAConstantInt(check.condition) == NULL) {
            array_push(arena, &deferral.checks, check);
        }
    }
    if (deferral.checks.count > 0 && is_counted && deferral_suits(&deferral) &&
        deferral_plan(&deferral)) {
        build_strips(&deferral);
    }
    arena_destroy(arena);
}

bool deferrals_close(Deferrals *deferrals) {
    bool is_changed = deferrals->candidates.count > 0;
    show_and_prove(deferrals);
    for (size_t i = 0; i < deferrals->candidates.count; i++) {
        close_candidate(deferrals, &deferrals->candidates.items[i]);
    }
    LLVMDisposeBuilder(deferrals->builder);
    arena_destroy(deferrals->arena);
    return is_changed;
}
