/* deferral -- see the header. Before checks are removed loops are found, afterwards strips are made
 * for those that still have some. */
#include "deferral.h"

#include "deferral_state.h"
#include "llvm_compat.h"
#include "loop_cell.h"
#include "proof.h"
#include "redundant.h"
#include "while_loop.h"

#include <llvm-c/DebugInfo.h>

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
    bool proves, may_be_long, makes_vectors;
    ARRAY_OF(Candidate) candidates;
};

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
            if (LLVMIsATruncInst(each) != NULL || difference_negated(each) != NULL ||
                proof_checked_operation(each, &opcode, &is_signed)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_looked_at(LLVMValueRef function) {
    return !LLVMIsDeclaration(function) && !compat_is_left_alone(function) &&
           has_checked_operation(function);
}

void deferrals_count_loops(LLVMModuleRef module) {
    LLVMBuilderRef builder = edit_open(module);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (is_looked_at(function)) {
            while_loops_count(function, builder);
        }
    }
    edit_close(builder);
}

Deferrals *deferrals_open(LLVMModuleRef module, LLVMTargetDataRef layout, bool proves,
                          bool may_be_long, bool makes_vectors) {
    Arena *arena = arena_create();
    Deferrals *deferrals = arena_new(arena, Deferrals);
    deferrals->arena = arena;
    deferrals->module = module;
    deferrals->layout = layout;
    deferrals->proves = proves;
    deferrals->may_be_long = may_be_long;
    deferrals->makes_vectors = makes_vectors;
    deferrals->builder = edit_open(module);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (is_looked_at(function)) {
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
    if (branches.count > 0 && deferrals->proves) {
        redundant_checks_remove_of(deferrals->module, branches.items, branches.count);
    }
}

static void close_candidate(Deferrals *deferrals, const Candidate *candidate) {
    Arena *arena = arena_create();
    Deferral deferral = {.arena = arena,
                         .layout = deferrals->layout,
                         .builder = deferrals->builder,
                         .may_be_long = deferrals->may_be_long,
                         .makes_vectors = deferrals->makes_vectors};
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
        Deferral first;
        bool has_first = deferral_plan_first(&deferral, &first);
        strips_build(&deferral, has_first ? &first : NULL);
    }
    arena_destroy(arena);
}

bool deferrals_close(Deferrals *deferrals) {
    bool is_changed = deferrals->candidates.count > 0;
    show_and_prove(deferrals);
    for (size_t i = 0; i < deferrals->candidates.count; i++) {
        close_candidate(deferrals, &deferrals->candidates.items[i]);
    }
    edit_close(deferrals->builder);
    arena_destroy(deferrals->arena);
    return is_changed;
}
