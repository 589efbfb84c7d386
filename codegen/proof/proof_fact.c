/* proof_fact -- what branches imply.
 *
 * Owns:   conditions as inequalities, the facts of an edge.
 * Holds:  an unsigned comparison implies something only where its greater side is not negative. A
 *         fact is kept only if its values are computed on every path to the block it is for. */
#include "proof_state.h"

#define CONDITION_DEPTH 6u

static void add_condition(Prover *prover, Facts *facts, LLVMValueRef condition, bool is_true,
                          FlowBlock *at, unsigned depth);

/* ---- comparisons ---- */

static void keep(Prover *prover, Facts *facts, const Fact *fact, const FlowBlock *at) {
    for (unsigned i = 0; i < fact->form.count; i++) {
        if (!proof_is_known(prover, fact->form.terms[i].value, at)) {
            return;
        }
    }
    if (fact->form.count > 0) {
        array_push(prover->arena, facts, *fact);
    }
}

/* left + distance <= right, where right is a sum, and a sum is at most the greatest of its type.
 * The fact with the sum's parts does not tell that, since each part may be anything. */
static void add_end_of_type(Prover *prover, Facts *facts, LLVMValueRef left, int64_t distance,
                            LLVMValueRef right, FlowBlock *at) {
    LinearForm sum = form_constant(0);
    Fact fact = {.form = form_constant(distance - INT32_MAX)};
    if (LLVMGetIntTypeWidth(LLVMTypeOf(right)) == 32 && LLVMIsAInstruction(right) != NULL &&
        proof_add(prover, &sum, right, 1, at) && sum.count > 1 &&
        proof_add(prover, &fact.form, left, 1, at)) {
        keep(prover, facts, &fact, at);
    }
}

/* left + distance <= right */
static void add_order(Prover *prover, Facts *facts, LLVMValueRef left, int64_t distance,
                      LLVMValueRef right, FlowBlock *at) {
    Fact fact = {.form = form_constant(distance)};
    if (proof_add(prover, &fact.form, left, 1, at) &&
        proof_add(prover, &fact.form, right, -1, at)) {
        keep(prover, facts, &fact, at);
    }
    add_end_of_type(prover, facts, left, distance, right, at);
}

static void add_difference(Prover *prover, Facts *facts, LLVMValueRef left, LLVMValueRef right,
                           FlowBlock *at) {
    Fact fact = {.form = form_constant(0), .is_difference = true};
    if (proof_add(prover, &fact.form, left, 1, at) &&
        proof_add(prover, &fact.form, right, -1, at)) {
        keep(prover, facts, &fact, at);
    }
}

static bool is_natural(Prover *prover, LLVMValueRef value, FlowBlock *at) {
    LinearForm below = form_constant(0);
    return proof_is_natural(value) ||
           (proof_add(prover, &below, value, -1, at) && proof_ask(prover, &below, at));
}

/* left + distance <= right, compared unsigned: if right is not negative, nor is left. */
static void add_unsigned_order(Prover *prover, Facts *facts, LLVMValueRef left, int64_t distance,
                               LLVMValueRef right, FlowBlock *at) {
    if (!is_natural(prover, right, at)) {
        return;
    }
    add_order(prover, facts, left, distance, right, at);
    Fact natural = {.form = form_constant(0)};
    if (proof_add(prover, &natural.form, left, -1, at)) {
        keep(prover, facts, &natural, at);
    }
}

LLVMIntPredicate proof_contrary(LLVMIntPredicate predicate) {
    switch (predicate) {
    case LLVMIntEQ: return LLVMIntNE;
    case LLVMIntNE: return LLVMIntEQ;
    case LLVMIntSLT: return LLVMIntSGE;
    case LLVMIntSLE: return LLVMIntSGT;
    case LLVMIntSGT: return LLVMIntSLE;
    case LLVMIntSGE: return LLVMIntSLT;
    case LLVMIntULT: return LLVMIntUGE;
    case LLVMIntULE: return LLVMIntUGT;
    case LLVMIntUGT: return LLVMIntULE;
    default: return LLVMIntULT;
    }
}

LLVMIntPredicate proof_swapped(LLVMIntPredicate predicate) {
    switch (predicate) {
    case LLVMIntSLT: return LLVMIntSGT;
    case LLVMIntSLE: return LLVMIntSGE;
    case LLVMIntSGT: return LLVMIntSLT;
    case LLVMIntSGE: return LLVMIntSLE;
    case LLVMIntULT: return LLVMIntUGT;
    case LLVMIntULE: return LLVMIntUGE;
    case LLVMIntUGT: return LLVMIntULT;
    case LLVMIntUGE: return LLVMIntULE;
    default: return predicate;
    }
}

bool proof_is_plain_access(LLVMValueRef access) {
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

static void add_comparison(Prover *prover, Facts *facts, LLVMValueRef comparison, bool is_true,
                           FlowBlock *at) {
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
    LLVMValueRef left = LLVMGetOperand(comparison, 0);
    LLVMValueRef right = LLVMGetOperand(comparison, 1);
    switch (is_true ? predicate : proof_contrary(predicate)) {
    case LLVMIntEQ:
        add_order(prover, facts, left, 0, right, at);
        add_order(prover, facts, right, 0, left, at);
        break;
    case LLVMIntSLT: add_order(prover, facts, left, 1, right, at); break;
    case LLVMIntSLE: add_order(prover, facts, left, 0, right, at); break;
    case LLVMIntSGT: add_order(prover, facts, right, 1, left, at); break;
    case LLVMIntSGE: add_order(prover, facts, right, 0, left, at); break;
    case LLVMIntULT: add_unsigned_order(prover, facts, left, 1, right, at); break;
    case LLVMIntULE: add_unsigned_order(prover, facts, left, 0, right, at); break;
    case LLVMIntUGT: add_unsigned_order(prover, facts, right, 1, left, at); break;
    case LLVMIntUGE: add_unsigned_order(prover, facts, right, 0, left, at); break;
    case LLVMIntNE: add_difference(prover, facts, left, right, at); break;
    }
}

/* ---- conditions made of others ---- */

static bool is_flag(LLVMValueRef value, bool is_true) {
    return LLVMIsAConstantInt(value) != NULL && LLVMIsNull(value) != is_true;
}

/* AND and OR become phis: of a constant on all edges but one, and of a condition on that edge. If
 * the value is not that constant, control came over that edge. */
static void add_choice(Prover *prover, Facts *facts, LLVMValueRef phi, bool is_true, FlowBlock *at,
                       unsigned depth) {
    unsigned count = LLVMCountIncoming(phi);
    unsigned open = count;
    for (unsigned i = 0; i < count; i++) {
        if (!is_flag(LLVMGetIncomingValue(phi, i), !is_true)) {
            if (open < count) {
                return;
            }
            open = i;
        }
    }
    FlowBlock *from =
        open < count ? flow_graph_block(prover->graph, LLVMGetIncomingBlock(phi, open)) : NULL;
    FlowBlock *to = proof_block_of(prover, phi);
    if (from == NULL || to == NULL || flow_dominates(to, from)) {
        return;
    }
    add_condition(prover, facts, LLVMGetIncomingValue(phi, open), is_true, at, depth);
    for (; from != NULL && !flow_dominates(from, to); from = from->dominator) {
        const Facts *there = proof_facts(prover, from);
        for (size_t i = 0; i < there->count; i++) {
            keep(prover, facts, &there->items[i], at);
        }
    }
}

static void add_negated(Prover *prover, Facts *facts, LLVMValueRef xor, bool is_true, FlowBlock *at,
                        unsigned depth) {
    if (is_flag(LLVMGetOperand(xor, 1), true)) {
        add_condition(prover, facts, LLVMGetOperand(xor, 0), !is_true, at, depth);
    }
}

static void add_condition(Prover *prover, Facts *facts, LLVMValueRef condition, bool is_true,
                          FlowBlock *at, unsigned depth) {
    if (depth == 0 || LLVMIsAInstruction(condition) == NULL) {
        return;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(condition);
    switch (opcode) {
    case LLVMICmp:
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(condition, 0))) == LLVMIntegerTypeKind) {
            add_comparison(prover, facts, condition, is_true, at);
        }
        break;
    case LLVMAnd:
    case LLVMOr:
        if (is_true == (opcode == LLVMAnd)) {
            add_condition(prover, facts, LLVMGetOperand(condition, 0), is_true, at, depth - 1);
            add_condition(prover, facts, LLVMGetOperand(condition, 1), is_true, at, depth - 1);
        }
        break;
    case LLVMXor: add_negated(prover, facts, condition, is_true, at, depth - 1); break;
    case LLVMPHI: add_choice(prover, facts, condition, is_true, at, depth - 1); break;
    default: break;
    }
}

void proof_add_condition(Prover *prover, Facts *facts, LLVMValueRef condition, bool is_true,
                         FlowBlock *at) {
    add_condition(prover, facts, condition, is_true, at, CONDITION_DEPTH);
}

/* ---- edges ---- */

void proof_add_edge(Prover *prover, Facts *facts, FlowBlock *from, const FlowBlock *to) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(from->block);
    if (LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch)) {
        return;
    }
    LLVMBasicBlockRef then = LLVMGetSuccessor(branch, 0);
    if (then != LLVMGetSuccessor(branch, 1)) {
        proof_add_condition(prover, facts, LLVMGetCondition(branch), then == to->block, from);
    }
}

/* BlockFacts -- what the edge into a block implies. */
typedef struct BlockFacts {
    Facts facts;
    bool is_whole;    /* all facts are there */
    FlowBlock *above; /* the nearest dominator that may have facts, or NULL */
} BlockFacts;

static BlockFacts *block_facts(Prover *prover, FlowBlock *block) {
    BlockFacts *known = block->facts;
    if (known == NULL) {
        known = arena_new(prover->arena, BlockFacts);
        known->above = block->dominator;
        block->facts = known; /* a question asked meanwhile finds what is there so far */
        if (block->before.count == 1) {
            proof_add_edge(prover, &known->facts, block->before.items[0], block);
        }
        known->is_whole = true;
    }
    return known;
}

const Facts *proof_facts(Prover *prover, FlowBlock *block) {
    return &block_facts(prover, block)->facts;
}

FlowBlock *proof_informed(Prover *prover, FlowBlock *block) {
    FlowBlock *first = block; /* those between here and there are whole and have no facts */
    FlowBlock *there = block;
    while (there != NULL && block_facts(prover, there)->facts.count == 0) {
        const BlockFacts *known = there->facts;
        there = known->above;
        first = known->is_whole ? first : there;
    }
    while (first != there) {
        BlockFacts *known = first->facts;
        first = known->above;
        known->above = there;
    }
    return there;
}
