/* counted_loop -- innermost loops that count from one number up to another, and what changes in
 * them.
 *
 * Holds:  the header alone asks whether to go on (counter < limit, or <=); every other way out of
 *         the loop is a check whose failure reports an error. The loop describes the function as it
 *         is: after a change of its instructions it is found anew. */
#ifndef OCCC_COUNTED_LOOP_H
#define OCCC_COUNTED_LOOP_H

#include "flow_graph.h"

/* What a value depends on, within the loop. */
typedef enum LoopNature {
    NATURE_FIXED,   /* on nothing: each time round it is the same */
    NATURE_COUNTED, /* on the counter */
    NATURE_DATA     /* on memory, or on the last time round */
} LoopNature;

typedef struct CountedLoop {
    Arena *arena;
    FlowGraph *graph;
    FlowBlock *header, *latch, *before; /* before: where the loop is entered from */
    LLVMBasicBlockRef body, exit;       /* where the header leads */
    ARRAY_OF(FlowBlock *) blocks;       /* the header first, in reverse post-order */
    LLVMValueRef counter, limit;
    bool is_signed;      /* the comparison of both */
    bool includes_limit; /* it is counter <= limit */
    NameMap inside;      /* LLVMBasicBlockRef -> FlowBlock */
    NameMap natures;     /* LLVMValueRef -> LoopNature + 1 */
} CountedLoop;

/* counted_loop_find -- the innermost counted loop with this header, if there is one. */
bool counted_loop_find(Arena *arena, FlowGraph *graph, FlowBlock *header, CountedLoop *loop);
bool loop_has_block(const CountedLoop *loop, LLVMBasicBlockRef block);
/* loop_is_always -- the block is run each time round. */
bool loop_is_always(const CountedLoop *loop, LLVMBasicBlockRef block);
bool loop_always_runs_all(const CountedLoop *loop); /* its blocks, each time round */
LoopNature loop_nature(const CountedLoop *loop, LLVMValueRef value);
/* loop_check -- is the branch a check that the loop goes on behind? `when`: its condition then. */
bool loop_check(const CountedLoop *loop, LLVMValueRef branch, bool *when);
/* loop_start -- what the header's phi is on entry; loop_last: what it becomes. */
LLVMValueRef loop_start(const CountedLoop *loop, LLVMValueRef phi);
LLVMValueRef loop_last(const CountedLoop *loop, LLVMValueRef phi);
/* loop_value_at -- computes a value that does not depend on data, for this counter, where the
 * builder stands. */
LLVMValueRef loop_value_at(const CountedLoop *loop, LLVMBuilderRef builder, LLVMValueRef value,
                           LLVMValueRef counter);

#endif
