/* fibre -- workers as fibres of one thread: every atomic operation is a scheduling point.
 *
 * Owns:   fibres, the seeded choice of who goes on, the loop over seeds.
 * Leaves: what the fibres do to the tests, which define RT_DETERMINISTIC before they include
 *         anything of the runtime, and include the .c files whose atomics they want to see.
 * Holds:  a seed fixes a run: FIBRE_SEED=n runs that one alone. The order of memory is that of one
 *         thread; orders that are too weak are for TSan and other machines to find. */
#ifndef TEST_FIBRE_H
#define TEST_FIBRE_H

#include "base/atomic.h"
#include "base/random.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { FIBRES_MAX = 8, FIBRE_STACK_BYTES = 64 * 1024, FIBRE_STEPS_MAX = 200000 };

typedef void FibreBody(int number);

static struct {
    ucontext_t main;
    ucontext_t contexts[FIBRES_MAX];
    char *stacks[FIBRES_MAX];
    FibreBody *bodies[FIBRES_MAX];
    bool is_done[FIBRES_MAX];
    int count;
    int current; /* -1: no fibre runs */
    Random random;
    uint64_t seed;
    long steps;
} fibres = {.current = -1};

#define fibre_check(condition)                                                                     \
    ((condition) ? (void)0                                                                         \
                 : (fprintf(stderr, "%s:%d: FIBRE_SEED=%llu: expected: %s\n", __FILE__, __LINE__,  \
                            (unsigned long long)fibres.seed, #condition),                          \
                    abort()))

static int fibre_choose(void) {
    int alive[FIBRES_MAX];
    int count = 0;
    for (int i = 0; i < fibres.count; i++) {
        if (!fibres.is_done[i]) {
            alive[count++] = i;
        }
    }
    return count == 0 ? -1 : alive[random_below(&fibres.random, (uint32_t)count)];
}

/* Somebody, perhaps the caller, goes on. */
void rt_atomic_point(void) {
    if (fibres.current < 0) {
        return; /* setting up */
    }
    fibre_check(++fibres.steps < FIBRE_STEPS_MAX); /* a livelock */
    int from = fibres.current;
    int to = fibre_choose();
    if (to != from) {
        fibres.current = to;
        (void)swapcontext(&fibres.contexts[from], &fibres.contexts[to]);
    }
}

static void fibre_main(int number) {
    fibres.bodies[number](number);
    fibres.is_done[number] = true;
    int to = fibre_choose();
    fibres.current = to;
    (void)setcontext(to < 0 ? &fibres.main : &fibres.contexts[to]);
}

static inline void fibre_add(FibreBody *body) {
    int number = fibres.count++;
    if (fibres.stacks[number] == NULL) {
        fibres.stacks[number] = malloc(FIBRE_STACK_BYTES);
    }
    ucontext_t *context = &fibres.contexts[number];
    (void)getcontext(context);
    context->uc_stack.ss_sp = fibres.stacks[number];
    context->uc_stack.ss_size = FIBRE_STACK_BYTES;
    context->uc_link = NULL;
    fibres.bodies[number] = body;
    fibres.is_done[number] = false;
    makecontext(context, (void (*)(void))(uintptr_t)fibre_main, 1, number);
}

/* Run all fibres that have been added to their ends. */
static inline void fibre_run(uint64_t seed) {
    fibres.seed = seed;
    fibres.steps = 0;
    random_seed(&fibres.random, seed);
    fibres.current = fibre_choose();
    (void)swapcontext(&fibres.main, &fibres.contexts[fibres.current]);
    fibres.count = 0;
}

/* test (seed) for each of `count` seeds, or for FIBRE_SEED alone. */
static inline void fibre_each_seed(void (*test)(uint64_t seed), uint64_t count) {
    const char *only = getenv("FIBRE_SEED");
    uint64_t first = only != NULL ? strtoull(only, NULL, 10) : 1;
    for (uint64_t seed = first; seed < first + (only != NULL ? 1 : count); seed++) {
        test(seed);
    }
}

#endif
