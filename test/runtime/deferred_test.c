/* The branches of recursive PARs are a stack with two ends: whatever the order of taking, the
 * newest and the oldest come off their ends, each once; those that are kept waiting all start. */
#include "deferred.h"
#include "random.h"
#include "runqueue.h"
#include "world.h"

enum { COUNT = 2000, STEPS = 20000 };

static Process branches[COUNT];

/* The same as an array, oldest first. */
static struct {
    Process *items[STEPS];
    size_t first;
    size_t end;
} expected;

static Process *spare[COUNT];
static size_t spare_count;

/* As compiled code does. */
static void push(Worker *worker, Process *branch) {
    branch->next = worker->deferred;
    worker->deferred = branch;
    expected.items[expected.end++] = branch;
}

static void begin(Worker *worker) {
    memset(worker, 0, sizeof *worker);
    memset(&expected, 0, sizeof expected);
    spare_count = 0;
    for (size_t i = 0; i < COUNT; i++) {
        spare[spare_count++] = &branches[i];
    }
}

static void take(Worker *worker, bool newest) {
    Process *branch = newest ? deferred_take_newest(worker) : deferred_take_oldest(worker);
    if (expected.first == expected.end) {
        expect(branch == NULL && deferred_is_empty(worker));
        return;
    }
    expect(branch == expected.items[newest ? --expected.end : expected.first++]);
    spare[spare_count++] = branch;
}

static void put_back(Worker *worker) {
    Process *branch = deferred_take_oldest(worker);
    if (branch != NULL) {
        void *batch = branch_batch(branch);
        expect(batch_is_branch(batch) && batch_first(batch) == branch && !batch_is_branch(branch));
        deferred_put_back(worker, branch);
    }
}

static void test_deferred__both_ends_in_any_order(void) {
    static Worker worker;
    Random random;
    random_seed(&random, 3);
    for (uint32_t pushes = 1; pushes < 6; pushes++) { /* of 6 steps: it grows, or is mostly empty */
        begin(&worker);
        while (expected.end < STEPS - 1) {
            uint32_t step = random_below(&random, 6);
            if (step < pushes && spare_count > 0) {
                push(&worker, spare[--spare_count]);
            } else if (random_below(&random, 8) == 0) {
                put_back(&worker);
            } else {
                take(&worker, random_below(&random, 3) != 0);
            }
            if (spare_count == 0) {
                break;
            }
        }
        while (expected.first < expected.end) {
            take(&worker, random_below(&random, 2) != 0);
        }
        take(&worker, true);
        take(&worker, false);
    }
}

static void test_deferred__branch_of_a_par(void) {
    static Worker worker;
    Join mine = {2, NULL};
    Join other = {2, NULL};
    begin(&worker);
    branches[0].join = &mine;
    branches[1].join = &other;
    push(&worker, &branches[0]);
    push(&worker, &branches[1]);
    expect(deferred_take_branch(&worker, &mine) == NULL);
    expect(deferred_take_branch(&worker, &other) == &branches[1]);
    put_back(&worker); /* it is among the older ones then */
    expect(deferred_take_branch(&worker, &mine) == &branches[0]);
    expect(deferred_take_branch(&worker, &mine) == NULL);
}

static void test_deferred__all_start_oldest_first(void) {
    static Worker worker;
    begin(&worker);
    for (size_t i = 0; i < COUNT; i++) {
        push(&worker, &branches[i]);
        if (i % 100 == 7) {
            put_back(&worker);
        }
    }
    deferred_start_all(&worker);
    expect(deferred_is_empty(&worker));
    for (size_t i = 0; i < COUNT; i++) {
        expect(runqueue_take(&worker) == &branches[i]);
    }
}

int main(void) {
    test_deferred__both_ends_in_any_order();
    test_deferred__branch_of_a_par();
    test_deferred__all_start_oldest_first();
    return 0;
}
