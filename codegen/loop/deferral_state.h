/* deferral_state -- what the files of deferral share; nobody else includes it. */
#ifndef OCCC_DEFERRAL_STATE_H
#define OCCC_DEFERRAL_STATE_H

#include "deferral.h"
#include "edit.h"
#include "llvm_compat.h"
#include "loop_copy.h"
#include "loop_memory.h"

#define STRAIGHT     128u /* iterations, fewer of which become straight code */
#define SMALL_PLACES 15u  /* what values of small groups have, but for their sign */
#define SMALL        (UINT64_C(1) << SMALL_PLACES)

static inline unsigned width_of(LLVMValueRef value) {
    return LLVMGetIntTypeWidth(LLVMTypeOf(value));
}

static inline uint64_t power(unsigned exponent) {
    return UINT64_C(1) << exponent;
}

/* Check -- one that depends on data. */
typedef struct DeferredCheck {
    LLVMValueRef branch, condition;
} DeferredCheck;

typedef ARRAY_OF(DeferredCheck) DeferredChecks;

/* Group -- values of which the size is kept: one, or neighbours in a row. Of these the one ahead
 * sees all that the others see, but for the first elements of a strip. */
typedef struct DeferredGroup {
    LLVMValueRef value;                 /* the one ahead */
    const LoopAccess *ahead, *behind;   /* or NULL: not of a row */
    const struct DeferredGroup *leader; /* the group whose `sizes` has those of this one too */
    LLVMValueRef sizes;                 /* in the copy, when it has ended */
    bool is_small;                      /* they are to fit 16 bits, or 15 if they are natural */
} DeferredGroup;

/* Sum -- a value that becomes itself plus terms, each time round. */
typedef struct DeferredSum {
    LLVMValueRef phi;
    ARRAY_OF(LLVMValueRef) terms;
    bool is_open; /* its terms are being looked at */
} DeferredSum;

/* Flag -- up when a check has failed; those of one type and form are gathered in one value. */
typedef struct DeferredFlag {
    LLVMTypeRef type;
    bool is_sign;      /* its sign tells; else: that it is not 0 */
    LLVMValueRef most; /* 2^n - 1: that it is above, which gathered values are then; or NULL */
    LLVMValueRef seen;
    ARRAY_OF(DeferredCheck) checks;
} DeferredFlag;

typedef struct DeferredSides {
    LLVMValueRef left, right;
} DeferredSides;

/* Difference -- left - right, computed when a condition holds or when it does not, and not below
 * zero then. */
typedef struct DeferredDifference {
    LLVMValueRef condition;
    LLVMTypeRef type;
    DeferredSides sides[2]; /* by whether it holds; NULL: none is computed */
} DeferredDifference;

/* Size -- of a result, and what it may be at most. */
typedef struct DeferredSize {
    LLVMValueRef size, most;
} DeferredSize;

typedef struct Deferral {
    Arena *arena;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    bool may_be_long;   /* one more copy of the loop is not too much */
    bool makes_vectors; /* where they are simple; else LLVM does */
    CountedLoop loop;
    LoopMemory memory;
    DeferredChecks checks; /* those that depend on data */
    DeferredChecks guards; /* those that do not depend on data */

    ARRAY_OF(DeferredGroup) groups;
    NameMap group_of; /* value -> index + 1 */
    ARRAY_OF(DeferredSum) sums;
    NameMap sum_of;                /* value on the way from a phi to what it becomes -> index + 1 */
    LLVMValueRef laned;            /* phi of a sum that its lanes tell of; or NULL */
    LLVMValueRef lanes;            /* what they were, in the copy */
    ARRAY_OF(LLVMValueRef) ranged; /* results that must be in the range of their type */
    ARRAY_OF(DeferredFlag) flags;
    ARRAY_OF(DeferredDifference) differences;
    NameMap planned;
    bool is_natural;                /* values of which sizes are kept are taken to be at least 0 */
    NameMap products;               /* of numbers of 16 bits -> the operand that is natural */
    ARRAY_OF(LLVMValueRef) factors; /* of such products, that are fixed */
    bool is_variable;               /* bounds depend on more than the sizes */
    unsigned slack;    /* values of w bits are to fit w - slack, which was known beforehand; or 0 */
    LLVMValueRef half; /* else, values are to lie in -half .. half - 1; NULL: they are measured */
    LLVMValueRef unit; /* the size of all values for now; or NULL */
    ARRAY_OF(DeferredSize) results;

    LLVMTypeRef wide; /* in which bounds are computed */
    NameMap starts;   /* phis of the header -> what they are when a strip begins */
    NameMap bounds;   /* value -> its bound */
    NameMap undone;   /* operations that are taken back when a check fails */
    LLVMValueRef count, is_within;
} Deferral;

/* ---- deferral_plan.c: is it to be done, and how? ---- */

void deferral_begin(Deferral *deferral);
/* deferral_is_plain -- does the loop consist of instructions that vectors can be made of? */
bool deferral_is_plain(const CountedLoop *loop);
/* deferral_suits -- is the loop one of which vectors might be made without its checks? */
bool deferral_suits(Deferral *deferral);
/* deferral_plan -- false: its checks cannot be tested together, or not cheaply. */
bool deferral_plan(Deferral *deferral);
/* deferral_plan_first -- the same loop for fewer numbers, at less cost: with products of numbers of
 * 16 bits, or the sizes of natural numbers alone; false: there is nothing to gain. */
bool deferral_plan_first(const Deferral *deferral, Deferral *first);
/* deferral_depends_on -- might the value depend on `part` within the loop? A choice between
 * branches may depend on anything. */
bool deferral_depends_on(const Deferral *deferral, LLVMValueRef value, LLVMValueRef part);
/* deferral_grain -- a strip is a multiple of so many iterations. */
uint64_t deferral_grain(const Deferral *deferral);
/* deferral_fewest -- fewer iterations, where it is not known beforehand how many there are, take
 * longer as a strip than with their checks. */
uint64_t deferral_fewest(const Deferral *deferral);

/* ---- deferral_term.c: what a value is ---- */

/* Term -- the value and what it is made of. */
typedef enum TermKind {
    TERM_NONE,
    TERM_FIXED,
    TERM_SUM,
    TERM_OPERATION,
    TERM_LIMITED, /* by its type or operation */
    TERM_SIZED    /* its size is gathered */
} TermKind;

typedef struct Term {
    TermKind kind;
    LLVMOpcode opcode;
    LLVMValueRef left, right;
    uint64_t limit;
} Term;

Term term_of(const Deferral *deferral, LLVMValueRef value);
/* term_degree -- how many values whose size is not known are multiplied with each other? */
unsigned term_degree(Deferral *deferral, LLVMValueRef value);
/* term_find_sums -- false: a value of the last time round is used in another way. */
bool term_find_sums(Deferral *deferral);

/* ---- deferral_bound.c: how large results can be ---- */

LLVMValueRef bound_number(const Deferral *deferral, uint64_t number);
/* bound_all -- computes whether all results are in range: deferral->is_within, or NULL. */
void bound_all(Deferral *deferral);
/* bound_greatest_size -- the k for which values in -2^k .. 2^k keep all results in range, if these
 * are linear in them; *is_within: is there one? */
LLVMValueRef bound_greatest_size(Deferral *deferral, LLVMValueRef *is_within);
/* bound_extreme -- the one for which `a predicate b` holds; a may be NULL. */
LLVMValueRef bound_extreme(const Deferral *deferral, LLVMIntPredicate predicate, LLVMValueRef a,
                           LLVMValueRef b);

/* ---- deferral_range.c: results in range because what they are made of is small ---- */

/* range_plan -- false: no bound can be given. */
bool range_plan(Deferral *deferral, LLVMValueRef result);
/* range_settle -- when every result is known. */
void range_settle(Deferral *deferral);
/* range_cost -- operations for each iteration. */
unsigned range_cost(const Deferral *deferral);
/* range_forget -- as if nothing had been planned. */
void range_forget(Deferral *deferral);
/* range_begin -- settles sizes for a strip that is to begin, where the builder stands, and computes
 * whether any will do; NULL: nothing is settled there. */
LLVMValueRef range_begin(Deferral *deferral);
/* range_peek -- are some of the values that the strip will keep sizes of natural numbers? NULL:
 * none can be seen before. */
LLVMValueRef range_peek(Deferral *deferral);
/* range_gather -- sizes of the groups, in the copy. `before`: what stands in front of it. */
void range_gather(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before);
/* range_test -- are all results in range? NULL: there are none. */
LLVMValueRef range_test(Deferral *deferral);

/* ---- deferral_row.c: sizes of elements that one iteration reads beside each other ---- */

typedef ARRAY_OF(LLVMValueRef) RowValues;
/* row_is_same -- do both read at constant distances from one address? */
bool row_is_same(const Deferral *deferral, LLVMValueRef a, LLVMValueRef b);
/* row_take_runs -- takes elements that fill vectors out of the list: they become NULL there, and
 * the first of each vector goes into `firsts`. */
void row_take_runs(const Deferral *deferral, RowValues *values, RowValues *firsts);
/* row_has_runs -- are there any among those whose size is gathered? */
bool row_has_runs(const Deferral *deferral);
LLVMTypeRef row_type(LLVMValueRef first);
/* row_load -- the vector that begins with this element. */
LLVMValueRef row_load(const Deferral *deferral, const LoopCopy *copy, LLVMValueRef first);
LLVMValueRef row_splat(const Deferral *deferral, LLVMValueRef value, LLVMTypeRef type);
/* row_reduce -- all elements of the vector by this operation of LLVM. */
LLVMValueRef row_reduce(const Deferral *deferral, const char *name, LLVMValueRef vector);

/* ---- deferral_flag.c: checks themselves, gathered ---- */

bool flag_plan(Deferral *deferral, DeferredCheck check);
/* flag_cost -- of a check, in operations for each iteration. */
unsigned flag_cost(LLVMValueRef operation);
void flag_gather(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before);
LLVMValueRef flag_test(Deferral *deferral);
/* flag_of_form -- the flag of this form; a new one if there is none. */
DeferredFlag *flag_of_form(Deferral *deferral, DeferredFlag flag);

/* ---- deferral_lane.c: a sum whose lanes tell whether it was in range ---- */

/* lane_plan -- is there one, the only sum? */
void lane_plan(Deferral *deferral);
/* lane_tells -- is it the sum's operation? */
bool lane_tells(const Deferral *deferral, LLVMValueRef operation);
void lane_gather(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before);
/* lane_test -- NULL: there is no such sum. */
LLVMValueRef lane_test(const Deferral *deferral);
/* lane_total -- what the phi of the header has come to in the copy, this sum or another value. */
LLVMValueRef lane_total(const Deferral *deferral, const LoopCopy *copy, LLVMValueRef phi);

/* ---- deferral_difference.c: differences whose greater side has been asked for ---- */

/* difference_plan -- false: it is not known of the check, or it is of something else. */
bool difference_plan(Deferral *deferral, const DeferredCheck *check);
/* difference_negated -- x of the check of -x, which is x <> MOSTNEG; NULL: it is no such check. */
LLVMValueRef difference_negated(LLVMValueRef comparison);
/* difference_part -- the differences of this type into `part`, by OR. */
LLVMValueRef difference_part(Deferral *deferral, const LoopCopy *copy, LLVMTypeRef type,
                             LLVMValueRef part);

/* deferral_saturating -- left + right or left - right, which stops at the ends of its type. */
LLVMValueRef deferral_saturating(Deferral *deferral, LLVMOpcode opcode, bool is_signed,
                                 LLVMValueRef left, LLVMValueRef right);

/* ---- deferral_small.c: sums of small natural numbers ---- */

/* SmallBlocks -- of such a strip; the builder goes on at the end of the last. */
typedef struct SmallBlocks {
    LLVMBasicBlockRef before, loop, test;
} SmallBlocks;

/* small_suits -- is all the loop does to sum up the INTs of a row? It has been planned for natural
 * numbers. */
bool small_suits(const Deferral *deferral);
/* small_suits_count -- the same of what is known of the iterations of a strip. */
bool small_suits_count(const Deferral *deferral);
/* small_peek -- are the first elements of the row and the last small? */
LLVMValueRef small_peek(Deferral *deferral, LLVMValueRef row);
/* small_build -- the strip; whether it will do, and what the sum is then. */
LLVMValueRef small_build(Deferral *deferral, LLVMValueRef row, SmallBlocks *at, LLVMValueRef *sum);

/* ---- deferral_product.c: products of numbers of 16 bits ---- */

/* product_plan -- marks those that would do, in groups that have been planned. */
void product_plan(Deferral *deferral);
/* product_is_of_elements -- are some of two elements, of which one has to be natural? */
bool product_is_of_elements(const Deferral *deferral);
/* product_begin -- do factors that are fixed have so many bits? NULL: there are none. */
LLVMValueRef product_begin(Deferral *deferral);
/* product_factors -- these factors -> what they are in products. */
void product_factors(Deferral *deferral, NameMap *small);

/* ---- deferral_order.c: in which order strips go through rows ---- */

/* order_rows -- `rows`: addresses that go through a row -> what they are when a strip up to `stop`
 * begins, or when it ends, where the row falls and may be read from the other end. False: they are
 * left as they are. */
bool order_rows(Deferral *deferral, LLVMValueRef stop, NameMap *rows);
/* order_side_by_side -- has more vectors worked at side by side, where little is done with each;
 * and vectors made first of a strip of few iterations, the only one of its loop. */
void order_side_by_side(const Deferral *deferral, const LoopCopy *copy);
/* order_vectors -- how many elements in a vector, and vectors side by side. */
CompatVectors order_vectors(const Deferral *deferral);
/* order_leave -- the loop is seldom run: it stays as it is. */
void order_leave(LLVMBasicBlockRef latch);

/* ---- deferral_guard.c: checks that do not depend on data, asked before a strip ---- */

/* guard_plan -- false: one has another form. */
bool guard_plan(Deferral *deferral);
/* guard_test -- do they hold from the first to the last? NULL: there are none. */
LLVMValueRef guard_test(Deferral *deferral, LLVMValueRef first, LLVMValueRef last);

/* ---- deferral_count.c: how many iterations a strip has ---- */

/* count_most -- at most. */
uint64_t count_most(const Deferral *deferral);
/* count_end -- what the counter is when the last iteration is over. Where that is the greatest
 * number there is, strips leave it to the loop as it was. */
LLVMValueRef count_end(const CountedLoop *loop, LLVMBuilderRef builder);
/* count_single -- so few iterations, known beforehand, that they are one strip; 0: there may be
 * several. */
uint64_t count_single(const Deferral *deferral);
/* count_suits -- do vectors fill so many iterations, which are not so few that LLVM makes straight
 * code of them? */
bool count_suits(uint64_t grain, uint64_t count);
/* count_block -- does the loop run over one of several blocks of iterations? They are made as short
 * as a strip then. */
bool count_block(const Deferral *deferral);

/* ---- deferral_strip.c: the blocks around strips ---- */

/* strips_build -- gives the loop strips, in two forms if `natural` is not NULL. */
void strips_build(Deferral *deferral, Deferral *natural);

/* deferral_without_not -- the condition without NOTs; *is_contrary is turned for each. */
LLVMValueRef deferral_without_not(LLVMValueRef condition, bool *is_contrary);
/* deferral_gather -- a value of the copy that all of `parts` go into by OR, beginning with
 * `first`; what it is when the copy has ended. */
LLVMValueRef deferral_gather(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before,
                             LLVMValueRef first, LLVMValueRef part);
/* deferral_operation -- the checked operation whose flag is the check's condition; NULL: none. */
LLVMValueRef deferral_operation(LLVMValueRef condition);
/* deferral_both -- a AND b, either of which may be NULL. */
LLVMValueRef deferral_both(Deferral *deferral, LLVMValueRef a, LLVMValueRef b);

#endif
