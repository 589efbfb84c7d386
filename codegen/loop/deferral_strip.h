/* deferral_strip -- what the files that build the blocks of strips share; nobody else includes it.
 */
#ifndef OCCC_DEFERRAL_STRIP_H
#define OCCC_DEFERRAL_STRIP_H

#include "deferral_state.h"

/* Form -- strips of one form. */
typedef struct Form {
    Deferral *deferral;
    bool is_natural;
    LLVMBasicBlockRef go, test;
    LLVMBasicBlockRef otherwise; /* when it does not do */
    LoopCopy copy;
    LLVMBasicBlockRef before; /* the copy */
    CompatVectors vectors;    /* of it: what is known of the old loop goes when strips are built */
    unsigned grain;
} Form;

/* Common -- what the forms have in common: a copy of the loop that is run when a strip has passed
 * (it writes) or has not (it takes back). */
typedef struct Common {
    LLVMBasicBlockRef begin;
    LLVMValueRef is_natural; /* phi: the form that leads here */
} Common;

typedef struct Strips {
    LLVMBasicBlockRef strips, begin, first, passed, checked; /* first: of what is tried */
    Form forms[2];
    size_t form_count;
    Common writing, undoing; /* begin is NULL: not needed */
    LLVMValueRef left, stop;
    LLVMValueRef tries_natural;            /* when a strip begins; NULL: there is no such form */
    LLVMValueRef stays_natural;            /* phi in `passed` */
    LLVMValueRef tries_small, stays_small; /* the same of sums of small numbers */
    NameMap ends;                          /* phis of the header -> phis in `passed` */
    bool is_single; /* all there is to do is one strip, and what is left over */
} Strips;

/* strip_start -- what the phi of the header is when a strip begins; strip_first_phi: of the header.
 */
LLVMValueRef strip_start(const Deferral *deferral, LLVMValueRef phi);
LLVMValueRef strip_first_phi(const Deferral *deferral);
void strip_add_way(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from);
void strip_branch_likely(const Deferral *deferral, LLVMValueRef condition, LLVMBasicBlockRef likely,
                         LLVMBasicBlockRef otherwise);
LLVMTypeRef strip_flag_type(const Deferral *deferral);
LLVMValueRef strip_flag(const Deferral *deferral, bool value);

/* ---- deferral_begin.c ---- */

/* strip_begin -- the loop is entered by strips; how many iterations the next has, and what must
 * hold of them, else `checked`. `single`: all of them, if they are one strip; `is_block`: the loop
 * is one of a block. */
void strip_begin(Deferral *deferral, Strips *at, uint64_t single, bool is_block);

#endif
