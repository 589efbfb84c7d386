/* deferral_term -- what a value of the loop is, when its size is asked.
 *
 * Owns:   which operations are exact, which limits operations leave, sums over the iterations.
 * Holds:  a sum over the iterations is a value that becomes itself plus and minus terms, each time
 *         round, in branches perhaps not all of them. */
#include "deferral_state.h"

#include "proof.h"

#define SUM_DEPTH    64u
#define SMALL_WIDTH  8u  /* types whose whole range counts as small */
#define ROOM_OF_SUMS 12u /* bits that sums of a strip of values have more than those */

static bool is_integer(LLVMValueRef value) {
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
}

/* ---- what a value is ---- */

static bool is_exact_plain(LLVMValueRef value, LLVMOpcode opcode) {
    switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: return LLVMGetNSW(value);
    case LLVMShl: return LLVMGetNSW(value) && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL;
    default: return false;
    }
}

/* Signed + - * that is checked, or has been proved not to wrap. */
static bool find_operation(LLVMValueRef value, Term *term) {
    bool is_signed;
    LLVMValueRef operation = proof_operation(value, &term->opcode, &is_signed);
    if (operation == NULL || (operation == value && !is_exact_plain(value, term->opcode))) {
        return false;
    }
    term->left = LLVMGetOperand(operation, 0);
    term->right = LLVMGetOperand(operation, 1);
    return is_signed;
}

/* The greatest size that the value's operation alone leaves; 0: no less than its type. */
static uint64_t limit_of(LLVMValueRef value) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    LLVMValueRef last = LLVMGetOperand(value, (unsigned)LLVMGetNumOperands(value) - 1);
    bool is_constant = LLVMIsAConstantInt(last) != NULL;
    int64_t number = is_constant ? LLVMConstIntGetSExtValue(last) : 0;
    switch (opcode) {
    case LLVMZExt: return power(width_of(last)) - 1;
    case LLVMSExt: return power(width_of(last) - 1);
    case LLVMAnd: return number > 0 ? (uint64_t)number : 0;
    case LLVMLShr:
        return number > 0 && number < width_of(value) ? power(width_of(value) - (unsigned)number)
                                                      : 0;
    case LLVMSRem: return number > 0 ? (uint64_t)number : 0;
    case LLVMSDiv: return number > 1 ? power(width_of(value) - 1) / (uint64_t)number : 0;
    default: return 0;
    }
}

static bool is_of_sum(const Deferral *deferral, LLVMValueRef value) {
    return name_map_find(&deferral->sum_of, &value, sizeof value) != NULL;
}

/* Is it an operation of a sum over the iterations, or a comparison, or for a report alone? */
static bool is_use_of_sum(const Deferral *deferral, LLVMValueRef user) {
    LLVMOpcode opcode;
    bool is_signed;
    bool is_call = proof_checked_operation(user, &opcode, &is_signed);
    for (LLVMUseRef use = LLVMGetFirstUse(user); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef part = LLVMGetUser(use);
        bool is_outside = !loop_has_block(&deferral->loop, LLVMGetInstructionParent(part));
        bool is_flag = is_call && LLVMGetIndices(part)[0] != 0;
        if (!is_outside && !is_flag && !(is_call && is_of_sum(deferral, part)) &&
            !is_of_sum(deferral, user)) {
            return LLVMIsAICmpInst(user) != NULL;
        }
    }
    return true;
}

/* Nothing is done with the value but to add it to sums, which hold that many of its size. */
static bool is_summed_only(const Deferral *deferral, LLVMValueRef value, uint64_t limit) {
    unsigned width = width_of(value);
    if (width <= ROOM_OF_SUMS || limit > power(width - ROOM_OF_SUMS)) {
        return false;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (loop_has_block(&deferral->loop, LLVMGetInstructionParent(user)) &&
            !is_use_of_sum(deferral, user)) {
            return false;
        }
    }
    return true;
}

/* A bound known beforehand costs nothing in the loop, but what is summed up must be small. */
static bool is_limited(const Deferral *deferral, LLVMValueRef value, Term *term) {
    if (LLVMGetNumOperands(value) == 0) {
        return false;
    }
    term->limit = limit_of(value);
    return term->limit != 0 && (deferral->sums.count == 0 || term->limit <= power(SMALL_WIDTH) ||
                                is_summed_only(deferral, value, term->limit));
}

/* What is read at one place during a strip is one value: nothing is written there. */
static bool is_fixed_place(const Deferral *deferral, LLVMValueRef value) {
    const LoopAccess *access = loop_access_of(&deferral->memory, value);
    return access != NULL && !access->moves && !access->is_scattered;
}

Term term_of(const Deferral *deferral, LLVMValueRef value) {
    const CountedLoop *loop = &deferral->loop;
    Term term = {TERM_NONE, LLVMAdd, NULL, NULL, 0};
    if (!is_integer(value) || width_of(value) > 64) {
        return term;
    }
    if (loop_nature(loop, value) == NATURE_FIXED || is_fixed_place(deferral, value)) {
        term.kind = TERM_FIXED;
    } else if (name_map_find(&deferral->sum_of, &value, sizeof value) != NULL) {
        term.kind = TERM_SUM;
    } else if (find_operation(value, &term)) {
        term.kind = TERM_OPERATION;
    } else if (LLVMIsAPHINode(value) == NULL && is_limited(deferral, value, &term)) {
        term.kind = TERM_LIMITED;
    } else if (LLVMIsASExtInst(value) != NULL && width_of(LLVMGetOperand(value, 0)) > 1) {
        term = (Term){TERM_OPERATION, LLVMSExt, LLVMGetOperand(value, 0), NULL, 0};
    } else {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
        bool is_carried = block == loop->header->block && value != loop->counter;
        bool is_sized =
            !is_carried && loop_is_always(loop, block) && width_of(value) >= SMALL_WIDTH;
        term.kind = is_sized ? TERM_SIZED : TERM_NONE;
    }
    return term;
}

/* ---- sums over the iterations ---- */

static bool leads_to(Deferral *deferral, DeferredSum *sum, LLVMValueRef value, unsigned depth);

static bool merge_leads_to(Deferral *deferral, DeferredSum *sum, LLVMValueRef phi, unsigned depth) {
    bool leads = LLVMGetInstructionParent(phi) != deferral->loop.header->block;
    for (unsigned i = 0; leads && i < LLVMCountIncoming(phi); i++) {
        leads = leads_to(deferral, sum, LLVMGetIncomingValue(phi, i), depth);
    }
    return leads;
}

static bool operation_leads_to(Deferral *deferral, DeferredSum *sum, LLVMValueRef value,
                               unsigned depth) {
    Term term;
    LLVMValueRef other = NULL;
    if (!find_operation(value, &term) || (term.opcode != LLVMAdd && term.opcode != LLVMSub)) {
        return false;
    }
    if (leads_to(deferral, sum, term.left, depth)) {
        other = term.right;
    } else if (term.opcode == LLVMAdd && leads_to(deferral, sum, term.right, depth)) {
        other = term.left;
    }
    if (other != NULL) {
        array_push(deferral->arena, &sum->terms, other);
    }
    return other != NULL;
}

/* Is the value the phi and terms added to it? */
static bool leads_to(Deferral *deferral, DeferredSum *sum, LLVMValueRef value, unsigned depth) {
    uintptr_t index = deferral->sums.count + 1; /* of the sum that is being looked for */
    if (value == sum->phi ||
        (uintptr_t)name_map_find(&deferral->sum_of, &value, sizeof value) == index) {
        return true;
    }
    if (depth == 0 || loop_nature(&deferral->loop, value) != NATURE_DATA) {
        return false;
    }
    bool leads = LLVMIsAPHINode(value) != NULL
                     ? merge_leads_to(deferral, sum, value, depth - 1)
                     : operation_leads_to(deferral, sum, value, depth - 1);
    if (leads) {
        *name_map_at(&deferral->sum_of, &value, sizeof value) = (void *)index;
    }
    return leads;
}

static bool find_sum(Deferral *deferral, LLVMValueRef phi) {
    DeferredSum sum = {.phi = phi};
    uintptr_t index = deferral->sums.count + 1;
    if (!leads_to(deferral, &sum, loop_last(&deferral->loop, phi), SUM_DEPTH) ||
        sum.terms.count == 0) {
        return false;
    }
    *name_map_at(&deferral->sum_of, &phi, sizeof phi) = (void *)index;
    array_push(deferral->arena, &deferral->sums, sum);
    return true;
}

/* Does what is computed from the value get into memory? Then no vectors can be made. */
static bool is_stored(const Deferral *deferral, LLVMValueRef phi) {
    NameMap seen = {.arena = deferral->arena};
    ARRAY_OF(LLVMValueRef) stack = {0};
    array_push(deferral->arena, &stack, phi);
    while (stack.count > 0) {
        LLVMValueRef value = stack.items[--stack.count];
        for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!loop_has_block(&deferral->loop, LLVMGetInstructionParent(user))) {
                continue;
            }
            if (LLVMIsAStoreInst(user) != NULL) {
                return true;
            }
            void **slot = name_map_at(&seen, &user, sizeof user);
            if (*slot == NULL) {
                *slot = user;
                array_push(deferral->arena, &stack, user);
            }
        }
    }
    return false;
}

/* Chain -- the operations between a phi of the header and what it becomes. */
typedef struct Chain {
    LLVMValueRef phi;
    NameMap seen;     /* value -> the phi, if it depends on that; else the value */
    unsigned kinds;   /* of operations, of which LLVM keeps one in lanes of a vector */
    LLVMOpcode first; /* one of them */
    bool is_broken;   /* a value of another origin may take the place of what was made so far */
} Chain;

static void add_to_chain(Chain *chain, LLVMValueRef value) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    opcode = opcode == LLVMSub ? LLVMAdd : opcode;
    bool is_choice = opcode == LLVMPHI || opcode == LLVMSelect || opcode == LLVMExtractValue;
    if (!is_choice && (chain->kinds == 0 || opcode != chain->first)) {
        chain->first = opcode;
        chain->kinds++;
    }
}

static bool follows(const Deferral *deferral, Chain *chain, LLVMValueRef value) {
    const CountedLoop *loop = &deferral->loop;
    void **slot = name_map_at(&chain->seen, &value, sizeof value);
    if (value == chain->phi || *slot != NULL) {
        return value == chain->phi || *slot == chain->phi;
    }
    *slot = value;
    bool is_phi = LLVMIsAInstruction(value) != NULL && LLVMIsAPHINode(value) != NULL;
    bool is_of_header = is_phi && LLVMGetInstructionParent(value) == loop->header->block;
    if (loop_nature(loop, value) != NATURE_DATA || is_of_header) {
        return false;
    }
    bool depends = false;
    bool is_other = false;
    unsigned count = is_phi ? LLVMCountIncoming(value) : (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef part = is_phi ? LLVMGetIncomingValue(value, i) : LLVMGetOperand(value, i);
        bool is_part = follows(deferral, chain, part);
        depends = depends || is_part;
        is_other = is_other || !is_part;
    }
    if (depends) {
        chain->is_broken = chain->is_broken || (is_phi && is_other);
        *name_map_at(&chain->seen, &value, sizeof value) = chain->phi;
        add_to_chain(chain, value);
    }
    return depends;
}

/* Does the phi become what several operations make of it, as random numbers do, or a sum that may
 * begin anew? Vectors are made of one operation. */
static bool is_recurrence(const Deferral *deferral, LLVMValueRef phi) {
    Chain chain = {.phi = phi, .seen.arena = deferral->arena};
    follows(deferral, &chain, loop_last(&deferral->loop, phi));
    return chain.kinds > 1 || (chain.kinds == 1 && chain.is_broken);
}

bool term_find_sums(Deferral *deferral) {
    const CountedLoop *loop = &deferral->loop;
    LLVMValueRef phi = LLVMGetFirstInstruction(loop->header->block);
    for (; LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
        if (LLVMCountIncoming(phi) != 2 || !is_integer(phi)) {
            return false;
        }
        if (phi != loop->counter && is_stored(deferral, phi)) {
            return false;
        }
        bool is_other = phi != loop->counter && !find_sum(deferral, phi);
        if (is_other && (width_of(phi) <= SMALL_WIDTH || is_recurrence(deferral, phi))) {
            return false; /* a BOOL or BYTE of the last time round decides what is done: no vectors
                           */
        }
    }
    return true;
}

/* How many values whose size is not known are multiplied with each other? */
unsigned term_degree(Deferral *deferral, LLVMValueRef value) {
    Term term = term_of(deferral, value);
    unsigned most = 0;
    if (term.kind == TERM_SUM) {
        uintptr_t index = (uintptr_t)name_map_find(&deferral->sum_of, &value, sizeof value);
        const DeferredSum *sum = &deferral->sums.items[index - 1];
        for (size_t i = 0; i < sum->terms.count; i++) {
            unsigned each = term_degree(deferral, sum->terms.items[i]);
            most = each > most ? each : most;
        }
    }
    if (term.kind == TERM_OPERATION) {
        unsigned left = term_degree(deferral, term.left);
        bool is_monadic = term.right == NULL || term.opcode == LLVMShl;
        unsigned right = is_monadic ? 0 : term_degree(deferral, term.right);
        most = term.opcode == LLVMMul ? left + right : left > right ? left : right;
    }
    return term.kind == TERM_SIZED ? 1 : most;
}
