/* start: the twin of start.occ. */
#include "bench.h"
#include "coroutine.h"

enum { WIDTH = 1000, WAVES = 2000 };

static int joining;
static Task *joiner;
static int done[WIDTH];

static void body(void *place) {
    ++*(int *)place;
    if (--joining == 0) {
        ready(joiner);
    }
}

int main(void) {
    coroutines_begin();
    long began = now_us();
    for (int wave = 0; wave < WAVES; wave++) {
        joining = WIDTH;
        joiner = current;
        for (int i = 0; i < WIDTH; i++) {
            start(body, &done[i]);
        }
        park();
    }
    long took = now_us() - began;
    long sum = 0;
    for (int i = 0; i < WIDTH; i++) {
        sum += done[i];
    }
    result("start", took, sum);
    return 0;
}
