/* The kernel says once, in one place, which of many descriptors are ready, whatever kind they are.
 */
#define _GNU_SOURCE

#include "readiness.h"
#include "world.h"

#include <fcntl.h>
#include <time.h>

enum { PIPES = 300, MS_NS = 1000000 };

/* A watch that counts, and wants no more, or the same again. */
typedef struct Counter {
    Watch watch;
    int count;
    bool wants_again;
} Counter;

static Readiness readiness;

static void count(Worker *worker, Watch *watch) {
    (void)worker;
    Counter *counter = (Counter *)(void *)watch;
    counter->count++;
    if (!counter->wants_again) {
        readiness_want(&readiness, watch, 0);
    }
}

static void begin(Counter *counter, int fd, int wanted) {
    *counter = (Counter){{NULL, fd, 0, NULL, count}, 0, false};
    readiness_want(&readiness, &counter->watch, wanted);
}

static void turn(int64_t timeout_ns) {
    bool went_on = readiness_ask(NULL, &readiness);
    readiness_wait(&readiness, went_on ? 0 : timeout_ns);
    readiness_advance(NULL, &readiness);
}

static void open_pipe(int *ends) {
    expect(pipe(ends) == 0);
}

static void close_pipe(const int *ends) {
    close(ends[0]);
    close(ends[1]);
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / MS_NS;
}

static void test_readiness__tells_whose_pipe_has_bytes(void) {
    static int ends[PIPES][2];
    static Counter counters[PIPES];
    for (int i = 0; i < PIPES; i++) {
        open_pipe(ends[i]);
        begin(&counters[i], ends[i][0], OS_READABLE);
    }
    turn(0);
    for (int i = 0; i < PIPES; i += 3) {
        expect(counters[i].count == 0 && write(ends[i][1], "x", 1) == 1);
    }
    for (int round = 0; round < 10; round++) {
        turn(0); /* at most OS_WATCH_MAX at a time */
    }
    for (int i = 0; i < PIPES; i++) {
        expect(counters[i].count == (i % 3 == 0));
    }
    expect(readiness.waiting == PIPES - PIPES / 3);
    for (int i = 0; i < PIPES; i++) {
        readiness_want(&readiness, &counters[i].watch, 0);
        close_pipe(ends[i]);
    }
    expect(!readiness_is_waited_for(&readiness));
}

static void test_readiness__several_wait_for_one(void) {
    int ends[2];
    Counter one;
    Counter other;
    Counter writer;
    open_pipe(ends);
    begin(&one, ends[0], OS_READABLE);
    begin(&other, ends[0], OS_READABLE);
    begin(&writer, ends[1], OS_WRITABLE);
    turn(-1);
    expect(one.count == 0 && other.count == 0 && writer.count == 1);
    expect(write(ends[1], "x", 1) == 1);
    other.wants_again = true;
    turn(-1);
    expect(one.count == 1 && other.count == 1);
    turn(-1);
    expect(one.count == 1 && other.count == 2);
    readiness_want(&readiness, &other.watch, 0);
    close_pipe(ends);
}

static void test_readiness__the_end_is_told(void) {
    int ends[2];
    Counter reader;
    open_pipe(ends);
    begin(&reader, ends[0], OS_READABLE);
    close(ends[1]);
    turn(-1);
    expect(reader.count == 1);
    close(ends[0]);
    open_pipe(ends);
    begin(&reader, ends[1], OS_WRITABLE);
    close(ends[0]);
    turn(-1);
    expect(reader.count == 1);
    close(ends[1]);
}

/* At its end, and nobody wants it: who waits for something else is not woken over and over. */
static void test_readiness__what_is_not_wanted_does_not_wake(void) {
    int ends[2];
    Counter reader;
    open_pipe(ends);
    begin(&reader, ends[0], OS_READABLE);
    turn(0);
    readiness_want(&readiness, &reader.watch, 0);
    close(ends[1]);
    turn(-1); /* it was asked: told once */
    int64_t before = now_ms();
    turn(50 * MS_NS);
    expect(reader.count == 0 && now_ms() - before >= 49);
    close(ends[0]);
}

/* Kept: each change is told once, without asking; what has come meanwhile shows in the pulse; who
 * doubts is told again. */
static void test_readiness__a_kept_descriptor_is_asked_about_once(void) {
    int ends[2];
    Kept kept = {.pulse = 0};
    Counter reader = {{NULL, 0, 0, &kept, count}, 0, false};
    open_pipe(ends);
    reader.watch.fd = ends[0];
    readiness_want(&readiness, &reader.watch, OS_READABLE);
    turn(0);
    expect(reader.count == 0 && write(ends[1], "x", 1) == 1);
    turn(-1);
    expect(reader.count == 1 && kept.pulse == 1 && !kept.has_ended);
    readiness_want(&readiness, &reader.watch, OS_READABLE);
    turn(0);
    expect(reader.count == 1 && kept.pulse == 1); /* the byte is still there */
    readiness_want(&readiness, &reader.watch, 0);
    kept.is_doubted = true;
    readiness_want(&readiness, &reader.watch, OS_READABLE);
    turn(-1);
    expect(reader.count == 2 && kept.pulse == 2);
    expect(write(ends[1], "y", 1) == 1); /* nobody wants it */
    turn(0);
    expect(reader.count == 2 && kept.pulse == 3);
    close(ends[1]);
    turn(-1);
    expect(kept.pulse == 4 && kept.has_ended);
    readiness_drop(&readiness, ends[0]);
    close(ends[0]);
}

static void test_readiness__a_plain_file_is_always_ready(void) {
    int file = open("/proc/self/exe", O_RDONLY);
    int nothing = open("/dev/null", O_RDONLY);
    int closed = dup(nothing);
    expect(file >= 0 && nothing >= 0 && close(closed) == 0);
    Counter counters[3];
    begin(&counters[0], file, OS_READABLE);
    begin(&counters[1], nothing, OS_READABLE);
    begin(&counters[2], closed, OS_READABLE);
    counters[0].wants_again = true;
    turn(-1);
    expect(counters[0].count == 1 && counters[1].count == 1 && counters[2].count == 1);
    turn(-1);
    expect(counters[0].count == 2 && counters[1].count == 1);
    readiness_want(&readiness, &counters[0].watch, 0);
    close(file);
    close(nothing);
}

static void test_readiness__a_bell_ends_the_wait_each_time(void) {
    int bell = os_bell_create();
    readiness_hear(&readiness, bell);
    for (int i = 0; i < 3; i++) {
        os_bell_ring(bell);
        turn(-1);
    }
    int64_t before = now_ms();
    turn(20 * MS_NS);
    expect(now_ms() - before >= 19);
}

int main(void) {
    readiness_begin(&readiness);
    test_readiness__tells_whose_pipe_has_bytes();
    test_readiness__several_wait_for_one();
    test_readiness__a_kept_descriptor_is_asked_about_once();
    test_readiness__the_end_is_told();
    test_readiness__what_is_not_wanted_does_not_wake();
    test_readiness__a_plain_file_is_always_ready();
    test_readiness__a_bell_ends_the_wait_each_time();
    readiness_end(&readiness);
    return 0;
}
