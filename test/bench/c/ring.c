/* ring: the twin of ring.occ. */
#include "bench.h"
#include "coroutine.h"

enum { SIZE = 1000, ROUNDS = 2000 };

static Channel ring[SIZE];

static void node(void *in) {
    Channel *c = in;
    for (int i = 0; i < ROUNDS; i++) {
        channel_out(c + 1, channel_in(c) + 1);
    }
}

int main(void) {
    coroutines_begin();
    for (int i = 0; i < SIZE - 1; i++) {
        start(node, &ring[i]);
    }
    long began = now_us();
    int token = 0;
    for (int i = 0; i < ROUNDS; i++) {
        channel_out(&ring[0], token + 1);
        token = channel_in(&ring[SIZE - 1]);
    }
    result("ring", now_us() - began, token);
    return 0;
}
