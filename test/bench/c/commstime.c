/* commstime: the twin of commstime.occ. */
#include "bench.h"
#include "coroutine.h"

enum { ROUNDS = 1000000 };

static Channel a, b, c, d;
static int parallel;
static int joining;
static Task *joiner;

static void first(void *unused) {
    (void)unused;
    channel_out(&a, 0);
    for (int i = 0; i < ROUNDS; i++) {
        channel_out(&a, channel_in(&b));
    }
}

static void branch(void *value) {
    channel_out(&c, (int)(size_t)value);
    if (--joining == 0 && joiner) {
        ready(joiner);
        joiner = NULL;
    }
}

static void delta(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int x = channel_in(&a);
        if (parallel) {
            joining = 1;
            start(branch, (void *)(size_t)x);
            channel_out(&d, x);
            if (joining) {
                joiner = current;
                park();
            }
        } else {
            channel_out(&c, x);
            channel_out(&d, x);
        }
    }
    channel_in(&a);
}

static void next(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        channel_out(&b, channel_in(&c) + 1);
    }
}

static void run(const char *name, int with_parallel_delta) {
    parallel = with_parallel_delta;
    start(first, NULL);
    start(delta, NULL);
    start(next, NULL);
    long began = now_us();
    for (int i = 0; i < ROUNDS; i++) {
        channel_in(&d);
    }
    result(name, now_us() - began, 4L * ROUNDS);
    for (int i = 0; i < 100 && head; i++) {
        ready(current);
        park();
    }
}

int main(void) {
    coroutines_begin();
    run("commstime.seq", 0);
    run("commstime.par", 1);
    return 0;
}
