/* proof -- see the header: the search. */
#include "proof_state.h"

#define SEARCH_DEPTH 6u
#define SEARCH_STEPS 400u
#define PACE_DEPTH   8u /* where a value is compared with a counter */
#define PACE_STEPS   2000u
#define ASIDE_DEPTH  3u /* of questions that only help to answer another */
#define ASIDE_STEPS  80u
#define NESTING      6u
#define VISITS       2u  /* of a block, in one chain of inductions */
#define FACTS_SEEN   64u /* the nearest ones, going up the dominators */

Prover *prover_create(Arena *arena, FlowGraph *graph) {
    Prover *prover = arena_new(arena, Prover);
    prover->arena = arena;
    prover->graph = graph;
    prover->exact.arena = arena;
    return prover;
}

const FlowGraph *prover_graph(const Prover *prover) {
    return prover->graph;
}

FlowBlock *proof_block_of(const Prover *prover, LLVMValueRef value) {
    return LLVMIsAInstruction(value) != NULL
               ? flow_graph_block(prover->graph, LLVMGetInstructionParent(value))
               : NULL;
}

bool proof_is_known(const Prover *prover, LLVMValueRef value, const FlowBlock *at) {
    const FlowBlock *block = proof_block_of(prover, value);
    return LLVMIsAInstruction(value) == NULL || (block != NULL && flow_dominates(block, at));
}

/* ---- an upper bound of a goal ---- */

static int64_t greatest_common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* n * x + c <= 0 for whole x exactly when x + c / n <= 0, rounded up. */
static void tighten(LinearForm *goal) {
    int64_t divisor = 0;
    for (unsigned i = 0; i < goal->count; i++) {
        divisor = greatest_common_divisor(divisor, goal->terms[i].factor);
    }
    if (divisor <= 1) {
        return;
    }
    for (unsigned i = 0; i < goal->count; i++) {
        goal->terms[i].factor /= divisor;
    }
    int64_t quotient = goal->constant / divisor;
    goal->constant = quotient + (goal->constant % divisor > 0 ? 1 : 0);
}

static bool is_at_most_zero(const LinearForm *goal) {
    int64_t greatest = goal->constant;
    for (unsigned i = 0; i < goal->count; i++) {
        int64_t low, high, most;
        if (!proof_range(goal->terms[i].value, &low, &high) ||
            __builtin_mul_overflow(goal->terms[i].factor, goal->terms[i].factor > 0 ? high : low,
                                   &most) ||
            __builtin_add_overflow(greatest, most, &greatest)) {
            return false;
        }
    }
    return greatest <= 0;
}

/* ---- by facts ---- */

/* Does the goal follow from the fact, if what is left without their common value is at most 0? */
static bool follows_without(Prover *prover, const LinearForm *goal, const LinearForm *fact,
                            const LinearTerm *common, const Point *at, unsigned depth) {
    int64_t wanted = form_factor(goal, common->value);
    if ((wanted > 0) != (common->factor > 0) || wanted == 0) {
        return false;
    }
    int64_t divisor = greatest_common_divisor(wanted, common->factor);
    int64_t times = wanted / divisor > 0 ? wanted / divisor : -(wanted / divisor);
    int64_t scale =
        common->factor / divisor > 0 ? common->factor / divisor : -(common->factor / divisor);
    LinearForm rest = form_constant(0);
    return form_add(&rest, goal, scale) && form_add(&rest, fact, -times) &&
           rest.count <= goal->count + 1 && proof_search(prover, &rest, at, depth - 1);
}

static bool follows_from(Prover *prover, const LinearForm *goal, const LinearForm *fact,
                         const Point *at, unsigned depth) {
    for (unsigned i = 0; i < fact->count; i++) {
        if (follows_without(prover, goal, fact, &fact->terms[i], at, depth)) {
            return true;
        }
    }
    return false;
}

static bool is_same(const LinearForm *left, const LinearForm *right, int64_t factor) {
    LinearForm rest = *left;
    return form_add(&rest, right, -factor) && rest.count == 0 && rest.constant == 0;
}

/* The goal minus one is not 0, by a fact: if it is at most 0, then it is below. */
static bool follows_from_difference(Prover *prover, const LinearForm *goal,
                                    const LinearForm *different, const Point *at, unsigned depth) {
    LinearForm weaker = *goal;
    weaker.constant--;
    return (is_same(&weaker, different, 1) || is_same(&weaker, different, -1)) &&
           proof_search(prover, &weaker, at, depth - 1);
}

static bool follows_from_fact(Prover *prover, const LinearForm *goal, const Fact *fact,
                              const Point *at, unsigned depth) {
    return fact->is_difference ? follows_from_difference(prover, goal, &fact->form, at, depth)
                               : follows_from(prover, goal, &fact->form, at, depth);
}

static bool follows_from_any(Prover *prover, const LinearForm *goal, const Facts *facts,
                             const Point *at, unsigned depth) {
    for (size_t i = 0; facts != NULL && i < facts->count; i++) {
        if (follows_from_fact(prover, goal, &facts->items[i], at, depth)) {
            return true;
        }
    }
    return false;
}

static bool follows_from_hypotheses(Prover *prover, const LinearForm *goal, const Point *at,
                                    unsigned depth) {
    for (unsigned i = prover->count; i > prover->first; i--) {
        const Hypothesis *hypothesis = &prover->hypotheses[i - 1];
        if (flow_dominates(hypothesis->block, at->block) &&
            follows_from(prover, goal, &hypothesis->form, at, depth)) {
            return true;
        }
    }
    return false;
}

static bool follows_from_callers(Prover *prover, const LinearForm *goal, const Point *at,
                                 unsigned depth) {
    LinearForm fact;
    for (size_t i = 0; proof_fact_of_callers(prover, i, &fact); i++) {
        if (follows_from(prover, goal, &fact, at, depth)) {
            return true;
        }
    }
    return false;
}

static bool follows_from_branches(Prover *prover, const LinearForm *goal, const Point *at,
                                  unsigned depth) {
    unsigned seen = 0;
    for (FlowBlock *block = proof_informed(prover, at->block); block != NULL && seen < FACTS_SEEN;
         block = proof_informed(prover, block->dominator)) {
        const Facts *facts = proof_facts(prover, block);
        seen += (unsigned)facts->count;
        if (follows_from_any(prover, goal, facts, at, depth)) {
            return true;
        }
    }
    return false;
}

/* ---- by definitions ---- */

/* The goal with `other` in place of the value. */
static bool follows_with(Prover *prover, const LinearForm *goal, LLVMValueRef value,
                         LLVMValueRef other, const Point *at, unsigned depth) {
    LinearForm replaced = *goal;
    int64_t factor = form_remove(&replaced, value);
    return proof_add(prover, &replaced, other, factor, at->block) &&
           proof_search(prover, &replaced, at, depth - 1);
}

static bool follows_when(Prover *prover, const LinearForm *goal, LLVMValueRef select, bool is_true,
                         const Point *at, unsigned depth) {
    Facts facts = {0};
    for (size_t i = 0; at->extra != NULL && i < at->extra->count; i++) {
        array_push(prover->arena, &facts, at->extra->items[i]);
    }
    proof_add_condition(prover, &facts, LLVMGetOperand(select, 0), is_true, at->block);
    Point then = {at->block, &facts};
    return follows_with(prover, goal, select, LLVMGetOperand(select, is_true ? 1 : 2), &then,
                        depth);
}

static bool follows_from_definition(Prover *prover, const LinearForm *goal, LLVMValueRef value,
                                    const Point *at, unsigned depth) {
    Facts bounds = {0};
    proof_add_bounds(prover, &bounds, value, at, depth);
    if (follows_from_any(prover, goal, &bounds, at, depth)) {
        return true;
    }
    if (LLVMIsASelectInst(value) != NULL) {
        return follows_when(prover, goal, value, true, at, depth) &&
               follows_when(prover, goal, value, false, at, depth);
    }
    LLVMValueRef choices[2];
    return proof_choices(prover, value, at, depth, choices) == 2 &&
           follows_with(prover, goal, value, choices[0], at, depth) &&
           follows_with(prover, goal, value, choices[1], at, depth);
}

/* ---- by induction ---- */

static LLVMValueRef value_from(LLVMValueRef phi, const FlowBlock *before) {
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetIncomingBlock(phi, i) == before->block) {
            return LLVMGetIncomingValue(phi, i);
        }
    }
    return NULL;
}

static bool is_phi_of(LLVMValueRef value, const FlowBlock *block) {
    return LLVMIsAPHINode(value) != NULL && LLVMGetInstructionParent(value) == block->block;
}

/* Does the goal hold at the end of `before`, on the edge into the block? */
static bool holds_on_edge(Prover *prover, const LinearForm *goal, FlowBlock *before,
                          const FlowBlock *block, unsigned depth) {
    LinearForm earlier = form_constant(goal->constant);
    for (unsigned i = 0; i < goal->count; i++) {
        LLVMValueRef value = goal->terms[i].value;
        if (is_phi_of(value, block)) {
            value = value_from(value, before);
        }
        if (value == NULL || !proof_add(prover, &earlier, value, goal->terms[i].factor, before)) {
            return false;
        }
    }
    Facts facts = {0};
    proof_add_edge(prover, &facts, before, block);
    Point end = {before, &facts};
    return proof_search(prover, &earlier, &end, depth - 1);
}

/* May the question be moved from the block to the edges into it? */
static bool is_settled_at(const Prover *prover, const LinearForm *goal, const FlowBlock *block) {
    for (unsigned i = 0; i < goal->count; i++) {
        LLVMValueRef value = goal->terms[i].value;
        const FlowBlock *home = proof_block_of(prover, value);
        bool is_earlier = LLVMIsAInstruction(value) == NULL ||
                          (home != NULL && home != block && flow_dominates(home, block));
        if (!is_earlier && !is_phi_of(value, block)) {
            return false;
        }
    }
    unsigned visits = 0;
    for (unsigned i = prover->first; i < prover->count; i++) {
        visits += prover->hypotheses[i].block == block;
    }
    return visits < VISITS && prover->count < HYPOTHESES;
}

static bool holds_by_induction(Prover *prover, const LinearForm *goal, FlowBlock *block,
                               unsigned depth) {
    if (!is_settled_at(prover, goal, block)) {
        return false;
    }
    prover->hypotheses[prover->count++] = (Hypothesis){block, *goal};
    bool holds = true;
    for (size_t i = 0; holds && i < block->before.count; i++) {
        holds = holds_on_edge(prover, goal, block->before.items[i], block, depth);
    }
    prover->count--;
    return holds;
}

/* ---- by comparison with a counter ---- */

static bool follows_from_pace(Prover *prover, const LinearForm *goal, const LinearTerm *term,
                              const Point *at, unsigned depth) {
    LinearForm fact;
    if (!prover->may_pace || prover->count > prover->first || term->factor < 0 ||
        !proof_pace(prover, term->value, &fact)) {
        return false;
    }
    prover->may_pace = false;
    bool keeps = proof_search(prover, &fact, at, depth - 1);
    prover->may_pace = true;
    return keeps && follows_from(prover, goal, &fact, at, depth);
}

/* ---- the search ---- */

static bool follows_from_values(Prover *prover, const LinearForm *goal, const Point *at,
                                unsigned depth) {
    for (unsigned i = 0; i < goal->count; i++) {
        LLVMValueRef value = goal->terms[i].value;
        if (LLVMIsAPHINode(value) == NULL &&
            follows_from_definition(prover, goal, value, at, depth)) {
            return true;
        }
    }
    for (unsigned i = 0; i < goal->count; i++) {
        LLVMValueRef value = goal->terms[i].value;
        FlowBlock *block = LLVMIsAPHINode(value) != NULL ? proof_block_of(prover, value) : NULL;
        if (block != NULL && (follows_from_pace(prover, goal, &goal->terms[i], at, depth) ||
                              holds_by_induction(prover, goal, block, depth))) {
            return true;
        }
    }
    return false;
}

bool proof_search(Prover *prover, const LinearForm *goal, const Point *at, unsigned depth) {
    if (prover->steps == 0) {
        return false;
    }
    prover->steps--;
    LinearForm tight = *goal;
    tighten(&tight);
    if (is_at_most_zero(&tight)) {
        return true;
    }
    return depth > 0 && tight.count > 0 &&
           (follows_from_hypotheses(prover, &tight, at, depth) ||
            follows_from_any(prover, &tight, at->extra, at, depth) ||
            follows_from_branches(prover, &tight, at, depth) ||
            follows_from_callers(prover, &tight, at, depth) ||
            follows_from_values(prover, &tight, at, depth) ||
            proof_holds_for_callers(prover, &tight));
}

/* Shallow searches first: most proofs are short. */
static bool ask(Prover *prover, const LinearForm *goal, FlowBlock *at, unsigned depth,
                unsigned steps) {
    Point point = {at, NULL};
    for (unsigned now = 0; now <= depth; now++) {
        prover->steps = steps;
        if (proof_search(prover, goal, &point, now)) {
            return true;
        }
    }
    return false;
}

bool proof_ask(Prover *prover, const LinearForm *goal, FlowBlock *at) {
    if (prover->nesting >= NESTING) {
        return is_at_most_zero(goal);
    }
    unsigned steps = prover->steps;
    unsigned first = prover->first;
    prover->first = prover->count;
    prover->nesting++;
    proof_begin_aside(prover);
    bool holds = ask(prover, goal, at, ASIDE_DEPTH, ASIDE_STEPS);
    proof_end_aside(prover);
    prover->nesting--;
    prover->first = first;
    prover->steps = steps;
    return holds;
}

bool proof_ask_anew(Prover *prover, const LinearForm *goal, FlowBlock *at, unsigned depth,
                    unsigned steps) {
    unsigned steps_left = prover->steps;
    unsigned first = prover->first;
    bool may_pace = prover->may_pace;
    prover->first = prover->count;
    prover->may_pace = false;
    bool holds = ask(prover, goal, at, depth, steps);
    prover->may_pace = may_pace;
    prover->first = first;
    prover->steps = steps_left;
    return holds;
}

/* Has the loop of one of the values a counter? Then a longer search may be worth it. */
static bool has_pace(const Prover *prover, const LinearForm *goal) {
    LinearForm fact;
    for (unsigned i = 0; i < goal->count; i++) {
        if (goal->terms[i].factor > 0 && proof_pace(prover, goal->terms[i].value, &fact)) {
            return true;
        }
    }
    return false;
}

bool prover_at_most_zero(Prover *prover, const LinearForm *goal, FlowBlock *at) {
    proof_begin_answer(prover);
    if (ask(prover, goal, at, SEARCH_DEPTH, SEARCH_STEPS) ||
        (proof_look_at_callers(prover) && ask(prover, goal, at, SEARCH_DEPTH, SEARCH_STEPS))) {
        return true;
    }
    prover->may_pace = has_pace(prover, goal);
    bool holds = prover->may_pace && ask(prover, goal, at, PACE_DEPTH, PACE_STEPS);
    prover->may_pace = false;
    return holds;
}

bool prover_at_most(Prover *prover, LLVMValueRef a, int64_t distance, LLVMValueRef b,
                    FlowBlock *at) {
    LinearForm goal = form_constant(distance);
    return proof_add(prover, &goal, a, 1, at) && proof_add(prover, &goal, b, -1, at) &&
           prover_at_most_zero(prover, &goal, at);
}

bool prover_at_least(Prover *prover, LLVMValueRef a, int64_t constant, FlowBlock *at) {
    LinearForm goal = form_constant(constant);
    return proof_add(prover, &goal, a, -1, at) && prover_at_most_zero(prover, &goal, at);
}

bool prover_not_above(Prover *prover, LLVMValueRef a, int64_t constant, FlowBlock *at) {
    LinearForm goal = form_constant(-constant);
    return proof_add(prover, &goal, a, 1, at) && prover_at_most_zero(prover, &goal, at);
}
