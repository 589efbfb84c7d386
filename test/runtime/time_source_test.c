/* Ticks: AFTER across the wrap of the language's time, virtual time, order of deadlines. */
#define _GNU_SOURCE

#include "deadline_queue.h"
#include "random.h"
#include "time_source.h"
#include "world.h"

static void test_time_source__after_is_strict_and_wraps(void) {
    Ticks now = {5000};
    expect(ticks_after(now, 5000).us == 5001 && !ticks_reached(now, ticks_after(now, 5000)));
    expect(ticks_reached(now, ticks_after(now, 4999)));
    Ticks late = {INT64_C(0x17FFFFFFF)}; /* the language's time is INT32_MAX */
    expect(ticks_to_int(late) == INT32_MAX);
    expect(ticks_after(late, INT32_MIN).us == late.us + 2);
    expect(ticks_after(late, INT32_MIN + 9).us == late.us + 11);
    expect(ticks_reached(late, ticks_after(late, INT32_MAX - 1)));
    /* exactly half a round ahead counts as past, one less as future */
    expect(ticks_reached((Ticks){0}, ticks_after((Ticks){0}, INT32_MIN)));
    expect(ticks_after((Ticks){0}, INT32_MAX).us == INT64_C(0x80000000));
}

static void test_time_source__real_time_goes_on(void) {
    TimeSource source;
    time_source_init(&source, false);
    Ticks first = time_source_now(&source);
    expect(first.us >= 0 && first.us < 1000000);
    usleep(2000);
    Ticks second = time_source_now(&source);
    expect(second.us - first.us >= 2000);
    int64_t clock = time_source_clock_ns(&source, second);
    expect(clock - time_source_clock_ns(&source, first) == (second.us - first.us) * 1000);
}

static void test_time_source__far_deadlines_need_no_reading(void) {
    TimeSource source;
    time_source_init(&source, false);
    Ticks due = {0};
    for (int i = 0; i < 1000; i++) { /* whatever the coarse clock says, never later than it is */
        int32_t now = ticks_to_int(time_source_now(&source));
        expect(!time_source_is_before(&source, now - 1, &due));
        expect(!time_source_is_before(&source, now + 1000, &due)); /* it may be so far behind */
        expect(time_source_is_before(&source, now + 1000000, &due));
        expect(due.us == (int64_t)now + 1000001);
    }
    time_source_init(&source, true);
    expect(!time_source_is_before(&source, 1000000, &due)); /* where readings count */
}

static void test_time_source__virtual_time_stands_still_and_jumps(void) {
    TimeSource source;
    time_source_init(&source, true);
    for (int i = 0; i < VIRTUAL_PATIENCE; i++) {
        expect(time_source_now(&source).us == 0);
    }
    expect(time_source_now(&source).us == 1 && time_source_now(&source).us == 2);
    time_source_jump(&source, (Ticks){1000});
    expect(time_source_now(&source).us == 1000);
    time_source_jump(&source, (Ticks){500});
    expect(time_source_now(&source).us == 1000);
}

static void test_deadline_queue__equal_deadlines_in_order_of_arrival(void) {
    DeadlineQueue queue = {0};
    static Process processes[4];
    Alt *alt = calloc(1, sizeof *alt);
    Alt *lost = calloc(1, sizeof *lost);
    alt->state = ALT_WAITING;
    alt->process = &processes[1];
    lost->state = ALT_WON;
    lost->process = &processes[3];
    expect(deadline_queue_add_process(&queue, (Ticks){10}, &processes[0]));
    expect(deadline_queue_add_alt(&queue, (Ticks){10}, alt));
    expect(deadline_queue_add_alt(&queue, (Ticks){10}, lost));
    expect(deadline_queue_add_process(&queue, (Ticks){10}, &processes[2]));
    deadline_queue_check(&queue);
    expect(deadline_queue_take_due(&queue, (Ticks){9}) == NULL);
    expect(deadline_queue_take_due(&queue, (Ticks){10}) == &processes[0]);
    expect(deadline_queue_take_due(&queue, (Ticks){10}) == &processes[1]);
    expect(alt->state == ALT_WON && alt->winner == NULL && alt->deadline_position == 0);
    expect(deadline_queue_take_due(&queue, (Ticks){10}) == &processes[2]); /* lost is skipped */
    expect(deadline_queue_is_empty(&queue));
    deadline_queue_remove_alt(&queue, lost); /* not there any more: nothing */
    free(alt);
    free(lost);
    deadline_queue_free(&queue);
}

/* Over the wrap of a key's range and of its sequence numbers the order stays what it was. */
static void test_deadline_queue__keys_are_renewed(void) {
    DeadlineQueue queue = {0};
    static Process processes[6];
    int64_t far = INT64_C(1) << 60; /* 36 000 years */
    expect(deadline_queue_add_process(&queue, (Ticks){far}, &processes[0]));
    queue.sequence = (UINT32_C(1) << SEQUENCE_BITS) - 2;
    for (int i = 1; i < 5; i++) {
        expect(deadline_queue_add_process(&queue, (Ticks){far}, &processes[i]));
    }
    expect(queue.sequence < 10 && deadline_queue_first(&queue).us == far);
    for (int i = 0; i < 5; i++) {
        expect(deadline_queue_take_due(&queue, (Ticks){far}) == &processes[i]);
    }
    /* one that is always renewed keeps the queue from being empty; base must move along */
    int64_t step = INT64_C(1) << 31;
    int64_t now = 0;
    expect(deadline_queue_add_process(&queue, (Ticks){0}, &processes[0]));
    for (int i = 1; i < 1000; i++) { /* 24 days */
        expect(deadline_queue_add_process(&queue, (Ticks){now + step}, &processes[i % 6]));
        expect(deadline_queue_take_due(&queue, (Ticks){now}) == &processes[(i - 1) % 6]);
        now += step;
        expect(deadline_queue_first(&queue).us == now);
    }
    expect(queue.base_us > 0);
    deadline_queue_free(&queue);
}

/* ---- many sleepers ---- */

enum { CROWD = 20000, ALTS = 50 };

typedef struct Crowd {
    DeadlineQueue queue;
    Process *processes;
    int64_t *due; /* of each process; -1: it does not sleep */
    int64_t *came;
    Alt *alts[ALTS];
    int64_t arrivals;
    size_t asleep;
} Crowd;

static void crowd_sleep(Crowd *crowd, size_t i, int64_t due) {
    crowd->due[i] = due;
    crowd->came[i] = crowd->arrivals++;
    crowd->asleep++;
    expect(deadline_queue_add_process(&crowd->queue, (Ticks){due}, &crowd->processes[i]));
}

/* All that are due leave, and nobody else; in order of deadlines and arrivals. */
static size_t crowd_wake(Crowd *crowd, int64_t now, Random *random, int64_t longest) {
    int64_t last_due = -1;
    int64_t last_came = -1;
    size_t woken = 0;
    Process *process;
    while ((process = deadline_queue_take_due(&crowd->queue, (Ticks){now})) != NULL) {
        size_t i = (size_t)(process - crowd->processes);
        expect(crowd->due[i] >= 0 && crowd->due[i] <= now);
        expect(crowd->due[i] > last_due ||
               (crowd->due[i] == last_due && crowd->came[i] > last_came));
        last_due = crowd->due[i];
        last_came = crowd->came[i];
        crowd->due[i] = -1;
        crowd->asleep--;
        woken++;
        if (longest > 0) {
            crowd_sleep(crowd, i, now + 1 + (int64_t)random_below(random, (uint32_t)longest));
        }
    }
    return woken;
}

static void crowd_move_alt(Crowd *crowd, Alt *alt, int64_t due) {
    deadline_queue_remove_alt(&crowd->queue, alt);
    expect(deadline_queue_add_alt(&crowd->queue, (Ticks){due}, alt));
}

static void crowd_begin(Crowd *crowd) {
    *crowd = (Crowd){0};
    crowd->processes = calloc(CROWD, sizeof *crowd->processes);
    crowd->due = calloc(CROWD, sizeof *crowd->due);
    crowd->came = calloc(CROWD, sizeof *crowd->came);
    for (size_t i = 0; i < ALTS; i++) {
        crowd->alts[i] = calloc(1, sizeof **crowd->alts);
        crowd->alts[i]->state = ALT_WON; /* taken out without a word */
        crowd->alts[i]->process = &crowd->processes[0];
    }
}

static void crowd_end(Crowd *crowd) {
    for (size_t i = 0; i < ALTS; i++) {
        free(crowd->alts[i]);
    }
    deadline_queue_free(&crowd->queue);
    free(crowd->processes);
    free(crowd->due);
    free(crowd->came);
}

/* Of many the later ones wait in slots: the order is that of a few, whatever ALTs come and go, and
 * when keys are renewed. */
static void test_deadline_queue__many_sleepers_keep_the_order(void) {
    Crowd crowd;
    Random random;
    random_seed(&random, 7);
    crowd_begin(&crowd);
    const int64_t longest = 400000; /* more than the slots reach */
    for (size_t i = 0; i < CROWD; i++) {
        crowd_sleep(&crowd, i, 1 + (int64_t)random_below(&random, (uint32_t)longest));
    }
    expect(crowd.queue.later.count > CROWD / 3);
    size_t woken = 0;
    for (int64_t now = 0; now < 3 * longest; now += 1 + (int64_t)random_below(&random, 500)) {
        woken += crowd_wake(&crowd, now, &random, longest);
        Alt *alt = crowd.alts[random_below(&random, ALTS)];
        crowd_move_alt(&crowd, alt,
                       now + 1 + (int64_t)random_below(&random, 2 * (uint32_t)longest));
        if (now % 97 == 0) {
            deadline_queue_check(&crowd.queue);
        }
        if (now % 1009 == 0) {
            crowd.queue.sequence = (UINT32_C(1) << SEQUENCE_BITS) - 3;
        }
        expect(crowd.asleep == CROWD);
    }
    expect(woken > 3 * CROWD);
    (void)crowd_wake(&crowd, 10 * longest, &random, 0);
    expect(crowd.asleep == 0 && deadline_queue_is_empty(&crowd.queue));
    crowd_end(&crowd);
}

int main(void) {
    test_time_source__after_is_strict_and_wraps();
    test_time_source__real_time_goes_on();
    test_time_source__far_deadlines_need_no_reading();
    test_time_source__virtual_time_stands_still_and_jumps();
    test_deadline_queue__equal_deadlines_in_order_of_arrival();
    test_deadline_queue__keys_are_renewed();
    test_deadline_queue__many_sleepers_keep_the_order();
    return 0;
}
