/* usage_call -- what the files of usage_call.c share: a summary in terms of one call. */
#ifndef OCCC_USAGE_CALL_H
#define OCCC_USAGE_CALL_H

#include "usage_phase.h"

/* A marked number of the callee, and what stands for it in the caller. */
typedef struct CallNumber {
    const void *name;
    uint32_t row;
    const IndexExpr *number;
} CallNumber;

typedef struct UsageCall {
    UsageWalk *walk;
    const Symbol *callee;
    const Node *node;
    const NodeList *formals;
    const NodeList *actuals;
    unsigned loop_depth;
    const ProcInfo *info; /* of the callee; NULL: it goes on to no other phase */
    const UsagePhase *before;
    const IndexLoop *from; /* the chain of the callee, and its copy: same lengths */
    const IndexLoop *to;
    ARRAY_OF(CallNumber) numbers;
} UsageCall;

/* ---- usage_actual.c ---- */
/* usage_call_is_deep -- in more loops than anything could be proved of. */
bool usage_call_is_deep(const UsageCall *call, const IndexLoop *loop);
/* usage_call_region -- in terms of an actual, what is not known is the whole of it; a free name
 * keeps its unknowns. */
IndexRegion usage_call_region(UsageCall *call, const IndexRegion *region, bool is_free);
/* usage_call_locks -- what the callee claims, inside of what is claimed round the call. */
const UsageLock *usage_call_locks(UsageCall *call, const UsageLock *lock);
/* usage_call_phases -- where the caller is after what the callee has done so far; now, when it has
 * ended. */
const UsagePhase *usage_call_phases(UsageCall *call, const UsagePhase *outer,
                                    const UsagePhase *list, bool is_now);
/* usage_call_block -- the clock in whose block it is, as the caller knows it. */
const Symbol *usage_call_block(const UsageCall *call, const Symbol *block);

#endif
