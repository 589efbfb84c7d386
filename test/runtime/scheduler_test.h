/* scheduler_test -- what the test and its processes share. */
#ifndef SCHEDULER_TEST_H
#define SCHEDULER_TEST_H

#include "layout.h"

typedef struct ParPlan {
    int32_t count;
    size_t block_bytes;
    int yields;
    int64_t sum;
} ParPlan;

typedef struct TreePlan {
    int depth;
    int64_t leaves;
} TreePlan;

typedef struct SegmentPlan {
    int64_t depth;
    size_t block_bytes;
    bool waits;
    bool is_c;
    int64_t result;
} SegmentPlan;

typedef struct BusyPlan {
    int sleeps;
    int32_t sleep_us;
    int32_t latest_us;
    int64_t communications;
    bool is_done;
} BusyPlan;

typedef struct SleeperPlan {
    int32_t count;
    int rounds;
    int32_t unit_us;
    bool is_virtual;
    int64_t woken;
    bool by_alt;   /* of one timer guard */
    bool is_short; /* no memory is left for those that sleep */
} SleeperPlan;

#ifndef TEST_INLINED_H /* bodies, for world_run: see WORLD_BODY */
void par_body(void);
void tree_body(void);
void segment_body(void);
void two_descents_body(void);
void busy_body(void);
void sleepers_body(void);
#endif

#endif
