/* sieve: the twin of sieve.occ. */
#include "bench.h"
#include "coroutine.h"

enum { PRIMES = 5000, LAST = 48611 };

static Channel link_[PRIMES];

static void generate(void *out) {
    for (int n = 2; n <= LAST; n++) {
        channel_out(out, n);
    }
    channel_out(out, 0);
}

static void filter(void *in) {
    Channel *c = in;
    int prime = channel_in(c);
    int n = prime;
    while (n != 0) {
        n = channel_in(c);
        if (n == 0 || n % prime != 0) {
            channel_out(c + 1, n);
        }
    }
}

int main(void) {
    coroutines_begin();
    long began = now_us();
    start(generate, &link_[0]);
    for (int i = 0; i < PRIMES - 1; i++) {
        start(filter, &link_[i]);
    }
    int p = channel_in(&link_[PRIMES - 1]);
    channel_in(&link_[PRIMES - 1]);
    long took = now_us() - began;
    printf("CHECK %d\n", p);
    result("sieve", took, 1);
    return 0;
}
