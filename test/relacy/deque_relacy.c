/* deque_relacy -- runtime/core/deque.h under the memory model of C11: a batch comes out once, and
 * who gets it sees what its owner wrote. THREADS: the owner and two thieves. */
/* CONTROLS: fence release */
#include "deque.h"

#include <string.h>

enum { BATCHES = 4, ATTEMPTS = 4 };

static Deque deque;
static int batches[BATCHES];
static int came_out[BATCHES];

static void before(void) {
    memset(&deque, 0, sizeof deque);
    memset(came_out, 0, sizeof came_out);
    relacy_word(&deque.top, sizeof deque.top);
    relacy_word(&deque.bottom, sizeof deque.bottom);
    for (int i = 0; i < BATCHES; i++) {
        relacy_word(&deque.entries[i], sizeof deque.entries[i]);
    }
}

static void comes_out(const void *batch) {
    unsigned number = (unsigned)((const int *)batch - batches);
    relacy_check(relacy_read(number) == (int)number + 1);
    relacy_check(++came_out[number] == 1);
}

static void own(void) {
    for (unsigned next = 0; next < BATCHES; next++) {
        relacy_write(next, (int)next + 1);
        relacy_check(deque_push(&deque, &batches[next]));
        void *batch = next % 2 == 1 ? deque_take(&deque) : NULL;
        if (batch != NULL) {
            comes_out(batch);
        }
    }
}

static void thread(unsigned number) {
    if (number == 0) {
        own();
        return;
    }
    for (int i = 0; i < ATTEMPTS; i++) {
        void *batch = NULL;
        if (deque_steal(&deque, &batch) == DEQUE_GOT) {
            comes_out(batch);
        }
    }
}

static void after(void) {
    for (void *batch = deque_take(&deque); batch != NULL; batch = deque_take(&deque)) {
        comes_out(batch);
    }
    for (int i = 0; i < BATCHES; i++) {
        relacy_check(came_out[i] == 1);
    }
}

const RelacyTest relacy_test = {"deque", before, thread, after};
