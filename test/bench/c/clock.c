/* The twin of clock.occ: pthread_barrier_wait in threads; those of 10 000 would be too many for
 * most machines. */
#include "bench.h"

#include <pthread.h>

enum { THREADS_MAX = 1000 };

static pthread_barrier_t barrier;
static int phases;

static void *member(void *unused) {
    (void)unused;
    for (int i = 0; i < phases; i++) {
        (void)pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void measure(const char *name, int members, int total) {
    pthread_t threads[THREADS_MAX];
    phases = total / members;
    pthread_barrier_init(&barrier, NULL, (unsigned)members);
    long start = now_us();
    for (int i = 0; i < members; i++) {
        if (pthread_create(&threads[i], NULL, member, NULL) != 0) {
            return;
        }
    }
    for (int i = 0; i < members; i++) {
        pthread_join(threads[i], NULL);
    }
    result(name, now_us() - start, (long)phases * members);
    pthread_barrier_destroy(&barrier);
}

int main(void) {
    measure("clock.10", 10, 200000);
    measure("clock.100", 100, 200000);
    measure("clock.1000", 1000, 200000);
    return 0;
}
