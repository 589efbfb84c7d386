/* activity_relacy -- runtime/core/activity.c under the memory model of C11: work that a worker
 * publishes is done by the others, whoever falls asleep meanwhile, while he himself looks at it no
 * more; and what a worker does while it is solo needs no atomics. */
/* CONTROLS: fence seq */
#include "../../runtime/core/activity.c"

#include <string.h>

enum { WORKERS = 3, PUBLISHER = 0, ITEMS = 3, SOLO_SLOT = 0 };

static struct {
    Activity activity;
    uint32_t tokens[WORKERS];
    bool is_searcher[WORKERS];
    bool is_solo[WORKERS];
    int32_t shared; /* the publisher's deque: how many batches */
    int32_t left;   /* items not yet done */
} crew;

static bool is_there_anything(void) {
    return atomic_get_acquire(&crew.shared) > 0;
}

static void wake_one(void) {
    int number = activity_wake_one(&crew.activity);
    if (number >= 0) {
        atomic_set_release(&crew.tokens[number], 1u);
    }
}

static bool take_one(void) {
    int32_t seen = atomic_get_acquire(&crew.shared);
    while (seen > 0 && !atomic_cas(&crew.shared, &seen, seen - 1)) {
    }
    return seen > 0;
}

/* In the kernel, until the token comes; false: nothing is left. */
static bool sleep_for_token(unsigned number) {
    while (atomic_swap(&crew.tokens[number], 0u) == 0) {
        if (atomic_get_acquire(&crew.left) == 0) {
            return false;
        }
        relacy_wait();
    }
    return true;
}

/* As sharing.c: true when an item was taken. */
static bool search(unsigned number) {
    bool *is_searcher = &crew.is_searcher[number];
    *is_searcher = *is_searcher || activity_begin_search(&crew.activity);
    if (*is_searcher && take_one()) {
        *is_searcher = false;
        activity_end_search(&crew.activity);
        if (is_there_anything()) {
            wake_one();
        }
        return true;
    }
    bool was_searcher = *is_searcher;
    *is_searcher = false;
    if (!activity_sleep(&crew.activity, number, was_searcher)) {
        crew.is_solo[number] = true; /* the publisher sleeps: there is nothing more */
        relacy_check(atomic_get_acquire(&crew.left) == 0);
        return false;
    }
    *is_searcher =
        (is_there_anything() && activity_get_up(&crew.activity, number)) || sleep_for_token(number);
    return false;
}

static void work(unsigned number) {
    crew.is_searcher[number] = sleep_for_token(number);
    while (atomic_get_acquire(&crew.left) > 0) {
        if (search(number)) {
            (void)atomic_add(&crew.left, -1);
        }
    }
}

/* Its own processes compute meanwhile. */
static void publish(void) {
    relacy_write(SOLO_SLOT, 1);
    activity_leave_solo(&crew.activity);
    for (int i = 0; i < ITEMS; i++) {
        (void)atomic_add(&crew.shared, 1);
        wake_one();
    }
    while (atomic_get_acquire(&crew.left) > 0) {
        relacy_wait();
    }
}

static void thread(unsigned number) {
    if (number == PUBLISHER) {
        publish();
    } else {
        work(number);
    }
    bool is_asleep = activity_is_asleep(&crew.activity, number);
    bool *is_solo = &crew.is_solo[number];
    *is_solo = *is_solo ||
               (!is_asleep && !activity_sleep(&crew.activity, number, crew.is_searcher[number]));
    if (*is_solo) {
        relacy_write(SOLO_SLOT, relacy_read(SOLO_SLOT) + 1);
    }
}

static void before(void) {
    memset(&crew, 0, sizeof crew);
    relacy_word(&crew.activity.word, sizeof crew.activity.word);
    relacy_word(&crew.activity.broken, sizeof crew.activity.broken);
    activity_init(&crew.activity, WORKERS);
    crew.left = ITEMS;
    relacy_word(&crew.shared, sizeof crew.shared);
    relacy_word(&crew.left, sizeof crew.left);
    for (int i = 0; i < WORKERS; i++) {
        relacy_word(&crew.tokens[i], sizeof crew.tokens[i]);
    }
}

static void after(void) {
    relacy_check(atomic_get_seq(&crew.left) == 0);
    int solo = relacy_read(SOLO_SLOT); /* 1: the last to be woken was not there any more */
    relacy_check(solo == 1 || solo == 2);
}

const RelacyTest relacy_test = {"activity", before, thread, after};
