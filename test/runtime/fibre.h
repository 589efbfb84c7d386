/* fibre -- workers as fibres of one thread: every atomic operation is a scheduling point.
 *
 * Owns:   fibres, the seeded choice of who goes on, the loop over seeds.
 * Leaves: what the fibres do to the tests, which define RT_DETERMINISTIC before they include
 *         anything of the runtime, and include the .c files whose atomics they want to see.
 * Holds:  a seed fixes a run: FIBRE_SEED=n runs that one alone, FIBRE_TIMES=n n times as many. The
 *         order of memory is that of one thread; orders that are too weak are for Relacy and TSan
 *         to find (test/relacy). */
#ifndef TEST_FIBRE_H
#define TEST_FIBRE_H

#include "atomic.h"
#include "random.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { FIBRES_MAX = 8, FIBRE_STACK_BYTES = 64 * 1024, FIBRE_STEPS_MAX = 1000000 };

typedef void FibreBody(int number);

static struct {
    ucontext_t main;
    ucontext_t contexts[FIBRES_MAX]; /* where they begin */
    jmp_buf places[FIBRES_MAX];      /* where they are: without the system call of a context */
    bool has_begun[FIBRES_MAX];
    char *stacks[FIBRES_MAX];
    FibreBody *bodies[FIBRES_MAX];
    bool is_done[FIBRES_MAX];
    int count;
    int current; /* -1: no fibre runs */
    Random random;
    uint64_t seed;
    long steps;
    bool is_stopped;
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

static _Noreturn void fibre_go_on(int number) {
    fibres.current = number;
    if (number < 0) {
        (void)setcontext(&fibres.main);
    } else if (fibres.has_begun[number]) {
        longjmp(fibres.places[number], 1);
    }
    fibres.has_begun[number] = true;
    (void)setcontext(&fibres.contexts[number]);
    abort();
}

static _Noreturn void fibre_end(void) {
    fibres.is_done[fibres.current] = true;
    fibre_go_on(fibre_choose());
}

/* All others end where they are, at their next scheduling point; the caller ends now. */
static _Noreturn __attribute__((unused)) void fibre_stop(void) {
    fibres.is_stopped = true;
    fibre_end();
}

/* Somebody, perhaps the caller, goes on. */
void rt_atomic_point(void) {
    if (fibres.current < 0) {
        return; /* setting up */
    }
    if (fibres.is_stopped) {
        fibre_end();
    }
    fibre_check(++fibres.steps < FIBRE_STEPS_MAX); /* a livelock */
    int to = fibre_choose();
    if (to != fibres.current && setjmp(fibres.places[fibres.current]) == 0) {
        fibre_go_on(to);
    }
}

static void fibre_main(int number) {
    fibres.bodies[number](number);
    fibre_end();
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
    fibres.has_begun[number] = false;
    makecontext(context, (void (*)(void))(uintptr_t)fibre_main, 1, number);
}

/* Run all fibres that have been added to their ends. */
static inline void fibre_run(uint64_t seed) {
    fibres.seed = seed;
    fibres.steps = 0;
    fibres.is_stopped = false;
    random_seed(&fibres.random, seed);
    int first = fibre_choose();
    fibres.current = first;
    fibres.has_begun[first] = true;
    (void)swapcontext(&fibres.main, &fibres.contexts[first]);
    fibres.count = 0;
}

/* test (seed) for each of `count` seeds, for FIBRE_TIMES as many, or for FIBRE_SEED alone. */
static inline void fibre_each_seed(void (*test)(uint64_t seed), uint64_t count) {
    const char *only = getenv("FIBRE_SEED");
    const char *times = getenv("FIBRE_TIMES");
    uint64_t first = only != NULL ? strtoull(only, NULL, 10) : 1;
    uint64_t seeds = only != NULL ? 1 : count * (times != NULL ? strtoull(times, NULL, 10) : 1);
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        test(seed);
    }
}

#endif
