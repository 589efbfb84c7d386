/* bench.h -- time and the RESULT line, as in result.inc. */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <time.h>

static inline long now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static inline void result(const char *name, long microseconds, long count) {
    printf("RESULT %s %ld %ld\n", name, microseconds, count);
}

#endif
