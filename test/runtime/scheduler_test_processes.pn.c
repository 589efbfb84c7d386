/* Processes of scheduler_test.c: PAR in all sizes, recursion on segments, sleepers, busy ones. */
#include "inlined.h" /* first: it has the convention */

#include "scheduler_test.h"
#include "world.h"

#include <sys/resource.h>

SITE(site_input, WAIT_INPUT, "c");
SITE(site_output, WAIT_OUTPUT, "c");
SITE(site_join, WAIT_JOIN, NULL);
SITE(site_timer, WAIT_TIMER, NULL);
SITE(site_alt, WAIT_ALT, NULL);

/* ---- PAR ---- */

typedef struct Par {
    Join join;
    int64_t sum;
    size_t block_bytes;
    int yields;
} Par;

PROCESS branch(Process *me, void *environment, int32_t index) {
    Par *par = environment;
    expect(((uintptr_t)__builtin_frame_address(0)) % 16 == 0); /* movaps works */
    for (int i = 0; i < par->yields; i++) {
        me = occ_reschedule(me).me;
    }
    par->sum += index;
}

BODY(par_body) {
    ParPlan *plan = environment;
    Par par = {{plan->count + 1, NULL}, 0, plan->block_bytes, plan->yields};
    (void)index;
    for (int32_t i = 0; i < plan->count; i++) {
        inline_start(me, &par.join, (void *)branch, plan->block_bytes, i);
    }
    me = inline_join(me, &par.join, &site_join);
    expect(par.join.count == 0);
    plan->sum = par.sum;
}

typedef struct Tree {
    Join join;
    int depth;
    int64_t leaves[2];
} Tree;

/* Each process starts one half and does the other itself, in a PAR of its own. */
PROCESS tree(Process *me, void *environment, int32_t index) {
    Tree *parent = environment;
    if (parent->depth == 0) {
        parent->leaves[index] = 1;
        return;
    }
    Tree own = {{3, NULL}, parent->depth - 1, {0, 0}};
    inline_start(me, &own.join, (void *)tree, WORLD_BLOCK, 0);
    inline_start(me, &own.join, (void *)tree, WORLD_BLOCK, 1);
    inline_join(me, &own.join, &site_join);
    parent->leaves[index] = own.leaves[0] + own.leaves[1];
}

BODY(tree_body) {
    TreePlan *plan = environment;
    Tree root = {{2, NULL}, plan->depth, {0, 0}};
    (void)index;
    inline_start(me, &root.join, (void *)tree, WORLD_BLOCK, 0);
    me = inline_join(me, &root.join, &site_join);
    plan->leaves = root.leaves[0];
}

/* ---- recursion on segments ---- */

typedef struct Level {
    int64_t depth;
    int64_t result;
    size_t block_bytes;
    bool waits;
} Level;

OCC_PN __attribute__((noinline)) static void descend(Process *me, void *environment) {
    Level *level = environment;
    expect(((uintptr_t)__builtin_frame_address(0)) % 16 == 0);
    if (level->depth == 0) {
        level->result = 0;
        return;
    }
    Level next = {level->depth - 1, -1, level->block_bytes, level->waits};
    if (level->waits && level->depth % 3 == 0) {
        me = occ_reschedule(me).me;
    }
    me = occ_call_on_segment(me, (void *)descend, &next, (int64_t)level->block_bytes, NULL).me;
    if (level->waits && level->depth % 5 == 0) {
        me = occ_reschedule(me).me;
    }
    level->result = next.result + 1;
}

__attribute__((noinline)) static void descend_c(Process *me, void *environment) {
    Level *level = environment;
    if (level->depth == 0) {
        level->result = 0;
        return;
    }
    Level next = {level->depth - 1, -1, level->block_bytes, false};
    occ_call_on_segment_c(me, (void *)descend_c, &next, (int64_t)level->block_bytes, NULL);
    level->result = next.result + 1;
}

BODY(segment_body) {
    SegmentPlan *plan = environment;
    Level top = {plan->depth, -1, plan->block_bytes, plan->waits};
    (void)index;
    if (plan->is_c) {
        occ_call_on_segment_c(me, (void *)descend_c, &top, (int64_t)plan->block_bytes, NULL);
    } else {
        me = occ_call_on_segment(me, (void *)descend, &top, (int64_t)plan->block_bytes, NULL).me;
    }
    plan->result = top.result;
}

typedef struct TwoDescents {
    Join join;
    SegmentPlan *plan;
    int64_t results[2];
} TwoDescents;

PROCESS descending(Process *me, void *environment, int32_t index) {
    TwoDescents *two = environment;
    Level top = {two->plan->depth, -1, two->plan->block_bytes, true};
    occ_call_on_segment(me, (void *)descend, &top, (int64_t)two->plan->block_bytes, NULL);
    two->results[index] = top.result;
}

BODY(two_descents_body) {
    TwoDescents two = {{3, NULL}, environment, {-1, -1}};
    (void)index;
    inline_start(me, &two.join, (void *)descending, WORLD_BLOCK, 0);
    inline_start(me, &two.join, (void *)descending, WORLD_BLOCK, 1);
    me = inline_join(me, &two.join, &site_join);
    expect(two.results[0] == two.plan->depth && two.results[1] == two.plan->depth);
}

/* ---- sleepers beside busy processes ---- */

typedef struct Busy {
    Join join;
    Channel channel;
    BusyPlan *plan;
} Busy;

PROCESS busy_sender(Process *me, void *environment, int32_t index) {
    Busy *busy = environment;
    int32_t value = 1;
    (void)index;
    while (value != 0) {
        value = busy->plan->is_done ? 0 : 1;
        me = inline_output(me, &busy->channel, &value, sizeof value, &site_output);
    }
}

PROCESS busy_receiver(Process *me, void *environment, int32_t index) {
    Busy *busy = environment;
    int32_t value = 1;
    (void)index;
    while (value != 0) {
        me = inline_input(me, &busy->channel, &value, sizeof value, &site_input);
        busy->plan->communications++;
    }
}

PROCESS busy_sleeper(Process *me, void *environment, int32_t index) {
    Busy *busy = environment;
    (void)index;
    for (int i = 0; i < busy->plan->sleeps; i++) {
        int32_t due = occ_time_now(me) + busy->plan->sleep_us;
        me = occ_timer_wait(me, due, &site_timer).me;
        int32_t late = occ_time_now(me) - due;
        busy->plan->latest_us = late > busy->plan->latest_us ? late : busy->plan->latest_us;
    }
    busy->plan->is_done = true;
}

BODY(busy_body) {
    Busy busy = {{4, NULL}, {0}, environment};
    (void)index;
    inline_start(me, &busy.join, (void *)busy_sender, WORLD_BLOCK, 0);
    inline_start(me, &busy.join, (void *)busy_receiver, WORLD_BLOCK, 1);
    inline_start(me, &busy.join, (void *)busy_sleeper, WORLD_BLOCK, 2);
    inline_join(me, &busy.join, &site_join);
}

/* ---- many sleepers ---- */

typedef struct Sleepers {
    Join join;
    SleeperPlan *plan;
} Sleepers;

ALWAYS Process *inline_alt_on_time(Process *me, int32_t due) {
    struct {
        Alt alt;
        AltGuard guard;
    } one = {{.count = 1}, {(void *)(intptr_t)due, GUARD_TIMER, 0, 0}};
    return occ_alt_select(me, &one.alt, &site_alt).me;
}

PROCESS sleeper(Process *me, void *environment, int32_t index) {
    SleeperPlan *plan = ((Sleepers *)environment)->plan;
    for (int round = 0; round < plan->rounds; round++) {
        int32_t wait = 1 + (int32_t)(((uint32_t)index * 2654435761U + (uint32_t)round) % 1000);
        int32_t due = occ_time_now(me) + wait * plan->unit_us;
        me = plan->by_alt ? inline_alt_on_time(me, due) : occ_timer_wait(me, due, &site_timer).me;
        int32_t now = occ_time_now(me);
        expect(now - due > 0);
        plan->woken++;
        expect(!plan->is_virtual || now - due == 1);
    }
}

BODY(sleepers_body) {
    Sleepers sleepers = {{0, NULL}, environment};
    (void)index;
    sleepers.join.count = sleepers.plan->count + 1;
    for (int32_t i = 0; i < sleepers.plan->count; i++) {
        inline_start(me, &sleepers.join, (void *)sleeper, 2048, i);
    }
    if (sleepers.plan->is_short) {
        struct rlimit none = {0, 0};
        expect(setrlimit(RLIMIT_AS, &none) == 0);
    }
    inline_join(me, &sleepers.join, &site_join);
}
