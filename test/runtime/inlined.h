/* inlined -- the code that the compiler puts into every process, for processes of tests.
 *
 * The same steps as codegen/channel/rendezvous.c, codegen/scheduling/run_queue.c and start.c:
 * channel operations, dequeue, insert, start of a branch, join. Included only by companions
 * (*.pn.c), compiled by clang.
 *
 * me is a variable of each process and is set anew by everything that may park. */
#ifndef TEST_INLINED_H
#define TEST_INLINED_H

#include "layout.h"
#include "occ/runtime.h"
#include "runqueue.h"

#define PROCESS static OCC_PN __attribute__((noinline)) void
/* A body that the test starts: declared there as void name (void). */
#define BODY(name)                                                                                 \
    OCC_PN void name(Process *me, void *environment, int32_t index);                               \
    OCC_PN void name(Process *me, void *environment, int32_t index)
#define ALWAYS static inline __attribute__((always_inline))

#define SITE(name, kind_, object_)                                                                 \
    static const Site name = {__FILE__, "test", object_, __LINE__, 1, kind_, 0}

ALWAYS void inline_enqueue(Worker *worker, Process *process) {
    process->next = NULL;
    if (worker->head != NULL) {
        worker->tail->next = process;
    } else {
        *(Process *volatile *)&worker->head = process;
    }
    worker->tail = process;
    process->worker = worker;
}

ALWAYS int inline_is_alone(const Process *me) {
    return *(volatile uint32_t *)&me->worker->mode == 0;
}

ALWAYS int inline_is_own(const Process *me, const Channel *channel) {
    return (uint16_t) * (volatile uint32_t *)&me->worker->mode == channel->owner;
}

ALWAYS Process *inline_park(Process *me, void *object, const Site *site) {
    Worker *worker = me->worker;
    me->next = object;
    me->wait = site;
    Process *next;
    if ((*(volatile uint32_t *)&worker->mode & ~(uint32_t)MODE_SHARED) == 0 &&
        (next = worker->head) != NULL) {
        worker->head = next->next;
        return occ_switch(me, next, worker, next->next).me;
    }
    return occ_park(me).me;
}

ALWAYS Process *inline_input(Process *me, Channel *channel, void *into, size_t size_bytes,
                             const Site *site) {
    uintptr_t word = inline_is_own(me, channel) ? channel->word : TAG_CLOSED;
    if (word == 0) {
        me->data = into;
        channel->word = (uintptr_t)me + TAG_INPUT_WAITING;
        return inline_park(me, channel, site);
    }
    if ((word & TAG_MASK) == TAG_OUTPUT_WAITING) {
        Process *partner = (Process *)(word - TAG_OUTPUT_WAITING);
        __builtin_memcpy(into, partner->data, size_bytes);
        channel->word = 0;
        inline_enqueue(me->worker, partner);
        return me;
    }
    return occ_channel_input(me, channel, into, (int64_t)size_bytes, site).me;
}

ALWAYS Process *inline_output(Process *me, Channel *channel, void *from, size_t size_bytes,
                              const Site *site) {
    uintptr_t word = inline_is_own(me, channel) ? channel->word : TAG_CLOSED;
    if (word == 0) {
        me->data = from;
        channel->word = (uintptr_t)me + TAG_OUTPUT_WAITING;
        return inline_park(me, channel, site);
    }
    if ((word & TAG_MASK) == TAG_INPUT_WAITING) {
        Process *partner = (Process *)(word - TAG_INPUT_WAITING);
        __builtin_memcpy(partner->data, from, size_bytes);
        channel->word = 0;
        inline_enqueue(me->worker, partner);
        return me;
    }
    return occ_channel_output(me, channel, from, (int64_t)size_bytes, site).me;
}

ALWAYS void inline_start(Process *me, Join *join, void *body, size_t size_bytes, int32_t index) {
    Worker *worker = me->worker;
    Process *process = NULL;
    if (size_bytes <= (size_t)SIZE_CLASS_LIMIT * SIZE_CLASS_UNIT &&
        (process = worker->free[size_bytes / SIZE_CLASS_UNIT]) != NULL) {
        worker->free[size_bytes / SIZE_CLASS_UNIT] = process->next;
    } else {
        process = occ_block_allocate(me, (int64_t)size_bytes, NULL);
    }
    void **stack = (void **)(void *)process;
    stack[-1] = body;
    stack[-2] = (void *)(uintptr_t)occ_process_start;
    process->sp = stack - 3;
    process->data = join; /* the environment begins with the join */
    process->join = join;
    process->index = index;
    inline_enqueue(worker, process);
}

ALWAYS Process *inline_join(Process *me, Join *join, const Site *site) {
    if (!inline_is_alone(me)) {
        return occ_join(me, join, site).me;
    }
    if (--join->count != 0) {
        join->waiter = me;
        return inline_park(me, join, site);
    }
    return me;
}

#endif
