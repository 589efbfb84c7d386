/* proof_bound -- what operations without an exact form imply: quotients, remainders, bits, minimum
 * and maximum.
 *
 * Holds:  numbers are read as signed; an unsigned operation implies something only where its
 *         operands are proved not to be negative. */
#include "proof_state.h"

#include "intrinsic.h"

/* Question -- the value whose bounds are wanted, and where. */
typedef struct Question {
    Prover *prover;
    Facts *facts;
    LLVMValueRef value;
    const Point *at;
    unsigned depth;
} Question;

/* ---- helpers of the rules ---- */

static bool is_at_least(const Question *question, LLVMValueRef value, int64_t least) {
    int64_t constant;
    if (proof_constant(value, &constant)) {
        return constant >= least;
    }
    LinearForm goal = form_constant(least);
    return (least == 0 && proof_is_natural(value)) ||
           (question->depth > 0 &&
            proof_add(question->prover, &goal, value, -1, question->at->block) &&
            proof_search(question->prover, &goal, question->at, question->depth - 1));
}

/* factor * value + other_factor * other + constant <= 0; other may be NULL. */
static void add_bound(const Question *question, int64_t factor, int64_t other_factor,
                      LLVMValueRef other, int64_t constant) {
    LinearForm fact = form_constant(constant);
    FlowBlock *at = question->at->block;
    if (form_add_value(&fact, question->value, factor) &&
        (other == NULL || proof_add(question->prover, &fact, other, other_factor, at))) {
        array_push(question->prover->arena, question->facts, (Fact){.form = fact});
    }
}

static void add_natural(const Question *question) {
    add_bound(question, -1, 0, NULL, 0);
}

/* ---- quotients and remainders ---- */

/* value = whole / divisor, towards zero. */
static void add_quotient(const Question *question, LLVMValueRef whole, int64_t divisor,
                         bool is_signed) {
    if (is_signed) {
        add_bound(question, divisor, -1, whole, 1 - divisor);
        add_bound(question, -divisor, 1, whole, 1 - divisor);
    }
    if (is_at_least(question, whole, 0)) {
        add_bound(question, divisor, -1, whole, 0);
        add_bound(question, -divisor, 1, whole, 1 - divisor);
        add_natural(question);
    }
}

/* value = whole >> bits: the quotient towards minus infinity. */
static void add_shifted(const Question *question, LLVMValueRef whole, int64_t bits,
                        bool is_signed) {
    int64_t divisor = INT64_C(1) << bits;
    if (is_signed || is_at_least(question, whole, 0)) {
        add_bound(question, divisor, -1, whole, 0);
        add_bound(question, -divisor, 1, whole, 1 - divisor);
    }
}

static void add_remainder(const Question *question, LLVMValueRef whole, LLVMValueRef divisor,
                          bool is_signed) {
    bool is_natural = is_at_least(question, whole, 0);
    bool is_positive = is_at_least(question, divisor, 1);
    if (is_positive) {
        add_bound(question, 1, -1, divisor, 1);
    }
    if (is_natural || (is_positive && !is_signed)) {
        add_natural(question);
    } else if (is_positive) {
        add_bound(question, -1, -1, divisor, 1);
    }
    if (is_natural && (is_signed || is_positive)) {
        add_bound(question, 1, -1, whole, 0);
    }
}

/* The AND of two numbers is at most each of them. */
static void add_shared_bits(const Question *question, LLVMValueRef operand) {
    if (is_at_least(question, operand, 0)) {
        add_natural(question);
        add_bound(question, 1, -1, operand, 0);
    }
}

/* ---- minimum and maximum ---- */

typedef enum Choice { CHOICE_NONE, CHOICE_SMIN, CHOICE_SMAX, CHOICE_UMIN, CHOICE_UMAX } Choice;

static Choice choice_of(LLVMValueRef value) {
    static const char *const names[] = {NULL, "llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax"};
    unsigned called = intrinsic_called(value);
    for (unsigned i = 1; called != 0 && i < sizeof names / sizeof *names; i++) {
        if (called == intrinsic_number(names[i])) {
            return (Choice)i;
        }
    }
    return CHOICE_NONE;
}

static void add_choice(const Question *question, Choice choice, LLVMValueRef operand) {
    bool is_signed = choice == CHOICE_SMIN || choice == CHOICE_SMAX;
    bool is_min = choice == CHOICE_SMIN || choice == CHOICE_UMIN;
    if (choice == CHOICE_NONE) {
        return;
    }
    if (!is_signed && !is_at_least(question, operand, 0)) {
        return;
    }
    add_bound(question, is_min ? 1 : -1, is_min ? -1 : 1, operand, 0);
    if (choice == CHOICE_UMIN) {
        add_natural(question);
    }
}

unsigned proof_choices(Prover *prover, LLVMValueRef value, const Point *at, unsigned depth,
                       LLVMValueRef choices[2]) {
    Choice choice = choice_of(value);
    if (choice == CHOICE_NONE) {
        return 0;
    }
    choices[0] = LLVMGetOperand(value, 0);
    choices[1] = LLVMGetOperand(value, 1);
    Question question = {prover, NULL, value, at, depth};
    bool is_signed = choice == CHOICE_SMIN || choice == CHOICE_SMAX;
    bool is_known = is_signed || (is_at_least(&question, choices[0], 0) &&
                                  is_at_least(&question, choices[1], 0));
    return is_known ? 2 : 0;
}

/* ---- the entry ---- */

void proof_add_bounds(Prover *prover, Facts *facts, LLVMValueRef value, const Point *at,
                      unsigned depth) {
    if (LLVMIsAInstruction(value) == NULL || LLVMGetNumOperands(value) < 2) {
        return;
    }
    Question question = {prover, facts, value, at, depth};
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    LLVMValueRef left = LLVMGetOperand(value, 0);
    LLVMValueRef right = LLVMGetOperand(value, 1);
    int64_t constant = 0;
    bool is_number = proof_constant(right, &constant) && constant > 0;
    switch (opcode) {
    case LLVMSDiv:
    case LLVMUDiv:
        if (is_number) {
            add_quotient(&question, left, constant, opcode == LLVMSDiv);
        }
        break;
    case LLVMAShr:
    case LLVMLShr:
        if (is_number && constant < 31) {
            add_shifted(&question, left, constant, opcode == LLVMAShr);
        }
        break;
    case LLVMSRem:
    case LLVMURem: add_remainder(&question, left, right, opcode == LLVMSRem); break;
    case LLVMAnd:
        add_shared_bits(&question, left);
        add_shared_bits(&question, right);
        break;
    case LLVMCall:
        add_choice(&question, choice_of(value), left);
        add_choice(&question, choice_of(value), right);
        break;
    default: break;
    }
}
