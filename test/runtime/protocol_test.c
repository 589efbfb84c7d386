/* protocol_test -- the code of deque.h, activity.c and lock.h, every interleaving of whose atomics
 * may come: fibres, seeds (fibre.h). What fails prints the seed that repeats it. */
#define RT_DETERMINISTIC
#include "fibre.h"

#include "../../runtime/core/activity.c"
#include "deque.h"
#include "lock.h"

#include <string.h>

enum { SEEDS = 4000 };

/* ---- deque: one owner, two thieves ---- */

enum { BATCHES = 12 };

static struct {
    Deque deque;
    int batches[BATCHES];
    int out[BATCHES];
    bool owner_is_done;
    bool is_broken; /* the owner takes without looking at thieves: the control */
} queue;

static void come_out(const void *batch) {
    queue.out[(const int *)batch - queue.batches]++;
}

static void *take_without_care(void) {
    Deque *deque = &queue.deque;
    int64_t bottom = atomic_get_relaxed(&deque->bottom) - 1;
    if (atomic_get_relaxed(&deque->top) > bottom) {
        return NULL;
    }
    void *entry = atomic_get_relaxed(deque_slot(deque, bottom));
    atomic_set_relaxed(&deque->bottom, bottom);
    return entry;
}

static void own(int number) {
    (void)number;
    Random random;
    random_seed(&random, fibres.seed);
    for (int next = 0; next < BATCHES;) {
        if (random_below(&random, 2) == 0) {
            fibre_check(deque_push(&queue.deque, &queue.batches[next++]));
            continue;
        }
        void *batch = queue.is_broken ? take_without_care() : deque_take(&queue.deque);
        if (batch != NULL) {
            come_out(batch);
        }
    }
    atomic_set_relaxed(&queue.owner_is_done, true);
}

static void steal(int number) {
    (void)number;
    void *batch;
    for (;;) {
        bool is_done = atomic_get_relaxed(&queue.owner_is_done);
        DequeSteal result = deque_steal(&queue.deque, &batch);
        if (result == DEQUE_GOT) {
            come_out(batch);
        } else if (result == DEQUE_EMPTY && is_done) {
            return;
        }
    }
}

static bool run_deque(uint64_t seed, bool is_broken) {
    memset(&queue, 0, sizeof queue);
    queue.is_broken = is_broken;
    fibre_add(own);
    fibre_add(steal);
    fibre_add(steal);
    fibre_run(seed);
    for (int i = 0; i < BATCHES; i++) {
        if (queue.out[i] != 1) {
            return false;
        }
    }
    return true;
}

static void test_deque__every_batch_comes_out_once(uint64_t seed) {
    fibre_check(run_deque(seed, false));
}

static void test_deque__the_harness_finds_a_careless_owner(void) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        if (!run_deque(seed, true)) {
            return;
        }
    }
    fibre_check(!"a broken deque was not found out");
}

/* ---- activity: work that appears is done, whoever sleeps ---- */

enum { WORKERS = 4, ITEMS = 10 };

static struct {
    Activity activity;
    uint32_t tokens[WORKERS];
    bool is_searcher[WORKERS];
    int mine[WORKERS];
    int shared[WORKERS]; /* a deque: how many batches; changed by atomics */
    int left;            /* items not yet done */
} crew;

static bool is_there_anything(void) {
    for (int i = 0; i < WORKERS; i++) {
        if (atomic_get_acquire(&crew.shared[i]) > 0) {
            return true;
        }
    }
    return false;
}

static void wake_one(void) {
    int number = activity_wake_one(&crew.activity);
    if (number >= 0) {
        fibre_check(atomic_get_acquire(&crew.tokens[number]) == 0);
        atomic_set_release(&crew.tokens[number], 1u);
    }
}

static bool take_one(int *from) {
    int seen = atomic_get_acquire(from);
    while (seen > 0 && !atomic_cas(from, &seen, seen - 1)) {
    }
    return seen > 0;
}

/* Sleep in the kernel: until the token comes, or the program ends. */
static bool sleep_for_token(int number) {
    while (atomic_swap(&crew.tokens[number], 0u) == 0) {
        if (atomic_get_acquire(&crew.left) == 0) {
            return false;
        }
    }
    return true;
}

/* As sharing.c: true when there is something, or the worker is solo. */
static bool search_or_sleep(int number, bool *is_solo) {
    bool *is_searcher = &crew.is_searcher[number];
    if (!*is_searcher) {
        *is_searcher = activity_begin_search(&crew.activity);
    }
    for (int i = 0; *is_searcher && i < WORKERS; i++) {
        if (take_one(&crew.shared[i])) {
            crew.mine[number]++;
            *is_searcher = false;
            activity_end_search(&crew.activity);
            if (is_there_anything()) {
                wake_one();
            }
            return true;
        }
    }
    bool was_searcher = *is_searcher;
    *is_searcher = false;
    if (!activity_sleep(&crew.activity, (unsigned)number, was_searcher)) {
        *is_solo = true;
        return true;
    }
    if (is_there_anything() && activity_get_up(&crew.activity, (unsigned)number)) {
        *is_searcher = true;
        return false;
    }
    *is_searcher = sleep_for_token(number);
    return !*is_searcher;
}

static int count_awake(void) {
    uint64_t asleep = atomic_get_seq(&crew.activity.word) & crew.activity.all;
    return WORKERS - __builtin_popcountll(asleep);
}

static void do_item(int number, bool is_solo) {
    crew.mine[number]--;
    fibre_check(!is_solo || count_awake() == 1);
    (void)atomic_add(&crew.left, -1);
}

static void work(int number) {
    bool is_solo = number == 0;
    if (number != 0) {
        crew.is_searcher[number] = sleep_for_token(number);
    }
    while (atomic_get_acquire(&crew.left) > 0) {
        if (crew.mine[number] > 1 && is_solo) {
            is_solo = false;
            activity_leave_solo(&crew.activity);
        }
        if (crew.mine[number] > 1 && activity_wants_work(&crew.activity)) {
            crew.mine[number]--;
            (void)atomic_add(&crew.shared[number], 1);
            wake_one();
        }
        if (crew.mine[number] > 0) {
            do_item(number, is_solo);
        } else if (take_one(&crew.shared[number])) {
            crew.mine[number]++;
        } else {
            fibre_check(!is_solo); /* solo with nothing to do while something is left: it is lost */
            while (!search_or_sleep(number, &is_solo)) {
            }
        }
    }
}

static void test_activity__work_is_done_and_solo_is_alone(uint64_t seed) {
    memset(&crew, 0, sizeof crew);
    activity_init(&crew.activity, WORKERS);
    crew.mine[0] = ITEMS;
    crew.left = ITEMS;
    for (int i = 0; i < WORKERS; i++) {
        fibre_add(work);
    }
    fibre_run(seed);
    fibre_check(crew.left == 0);
}

/* ---- lock ---- */

static struct {
    Lock lock;
    int inside;
    int times;
} room;

void os_futex_wait(uint32_t *word, uint32_t value, int64_t timeout_ns) {
    (void)timeout_ns;
    while (atomic_get_acquire(word) == value) {
    }
}

void os_futex_wake(uint32_t *word, int count) {
    (void)word;
    (void)count;
}

static void visit(int number) {
    (void)number;
    for (int i = 0; i < 5; i++) {
        lock_take(&room.lock);
        fibre_check(++room.inside == 1);
        rt_atomic_point();
        room.times++;
        fibre_check(--room.inside == 0);
        lock_release(&room.lock);
    }
}

static void test_lock__one_at_a_time(uint64_t seed) {
    memset(&room, 0, sizeof room);
    for (int i = 0; i < 3; i++) {
        fibre_add(visit);
    }
    fibre_run(seed);
    fibre_check(room.times == 15 && room.lock.waiting == 0 && room.lock.word == 0);
}

int main(void) {
    fibre_each_seed(test_deque__every_batch_comes_out_once, SEEDS);
    test_deque__the_harness_finds_a_careless_owner();
    fibre_each_seed(test_activity__work_is_done_and_solo_is_alone, SEEDS);
    fibre_each_seed(test_lock__one_at_a_time, SEEDS);
    return 0;
}
