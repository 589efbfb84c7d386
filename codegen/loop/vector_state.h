/* vector_state -- what the files of vector loops share; nobody else includes it. */
#ifndef OCCC_VECTOR_STATE_H
#define OCCC_VECTOR_STATE_H

#include "vector_loop.h"

#define VECTOR_WORDS   6u /* parameters that are passed in registers */
#define VECTOR_RESULTS 6u /* the same of results, two in each */

/* VectorRow -- elements that follow one another, of the row of one address. */
typedef struct VectorRow {
    LLVMValueRef address, base, stem; /* stem: the index without a number that is added */
    LLVMOpcode widening;              /* of the index; 0: none */
    LLVMTypeRef element;
    int64_t distance; /* the number */
    int slope;        /* 1 or -1 */
} VectorRow;

/* VectorTerm -- what goes into a sum or an OR. */
typedef struct VectorTerm {
    LLVMOpcode opcode;
    LLVMValueRef value;
} VectorTerm;

/* VectorSum -- a phi of the header that gathers terms. */
typedef struct VectorSum {
    LLVMValueRef phi;
    ARRAY_OF(VectorTerm) terms;
    LLVMValueRef last;   /* what it becomes */
    LLVMValueRef *parts; /* the same of its vectors */
    uint64_t first;      /* what each lane begins with */
    bool is_or;
    bool is_used; /* behind the loop */
} VectorSum;

typedef struct VectorLoop {
    Arena *arena;
    LLVMBuilderRef builder;
    const Deferral *deferral;
    const LoopCopy *copy;
    LLVMBasicBlockRef header, body, before;
    unsigned results;
    unsigned lanes, parts; /* of a vector; vectors side by side */
    ARRAY_OF(VectorSum) sums;
    LLVMValueRef gatherer, seen;   /* phi that gathers what a sum becomes, and its OR; or NULL */
    ARRAY_OF(VectorRow) rows;      /* parameters: each begins elsewhere */
    ARRAY_OF(LLVMValueRef) inputs; /* parameters behind these and the end: what does not change */
    NameMap planned;               /* values of which vectors can be made */

    LLVMValueRef routine;
    LLVMBasicBlockRef frame, loop, out; /* its blocks */
    LLVMValueRef place, next;           /* 0, lanes * parts, ...; all is built before the latter */
    NameMap values;                     /* of the copy -> its vectors */
} VectorLoop;

/* ---- vector_plan.c: which loops ---- */

/* vector_plan_loop -- false: vectors are not made of it here. Its blocks may be one then. */
bool vector_plan_loop(VectorLoop *loop, CompatVectors vectors, unsigned grain);
bool vector_is_inside(const VectorLoop *loop, LLVMValueRef value);
/* vector_start -- what the phi of the copy's header is when the strip begins. */
LLVMValueRef vector_start(const VectorLoop *loop, LLVMValueRef phi);

/* ---- vector_row.c: where elements are ---- */

/* vector_plan_row -- of a load or store; false: its elements do not follow one another. */
bool vector_plan_row(VectorLoop *loop, LLVMValueRef access);
/* vector_begin -- where the row begins, computed in the caller. */
LLVMValueRef vector_begin(const VectorLoop *loop, const VectorRow *row);
void vector_load(VectorLoop *loop, LLVMValueRef load);
void vector_store(VectorLoop *loop, LLVMValueRef store);

/* ---- vector_value.c: values as vectors ---- */

bool vector_plan(VectorLoop *loop, LLVMValueRef value);
LLVMValueRef vector_of_number(const VectorLoop *loop, LLVMTypeRef type, uint64_t number);
LLVMTypeRef vector_type(const VectorLoop *loop, LLVMValueRef value);
/* vector_parts -- the value as vectors that are worked at side by side. */
LLVMValueRef *vector_parts(VectorLoop *loop, LLVMValueRef value);
LLVMValueRef *vector_new_parts(VectorLoop *loop, LLVMValueRef value);

#endif
