/* Samples say that processes compute, or only communicate, or only sleep: not that a hiccup of the
 * machine was work. */
#include "grain.h"

#include "world.h"

enum { HICCUP_NS = 400000 };

static void test_grain__long_processes_are_coarse_at_once(void) {
    Grain computing = {.parks = 1};
    expect(grain_sample_is_over(&computing, GRAIN_BUSY_NS));
    expect(grain_is_coarse(&computing, GRAIN_BUSY_NS));
    Grain communicating = {.parks = SAMPLE_PARKS};
    expect(grain_sample_is_over(&communicating, 50 * SAMPLE_PARKS));
    expect(!grain_is_coarse(&communicating, 50 * SAMPLE_PARKS));
}

static void test_grain__a_hiccup_among_sleepers_is_no_work(void) {
    for (uint32_t parks = 1; parks <= SAMPLE_SLEEPS; parks *= 2) {
        Grain sleeping = {.parks = parks, .sleeps = parks, .worlds = parks};
        int64_t busy_ns = HICCUP_NS + 600 * (int64_t)parks;
        expect(grain_sample_is_over(&sleeping, busy_ns) == (parks == SAMPLE_SLEEPS));
        expect(parks < SAMPLE_SLEEPS || !grain_is_coarse(&sleeping, busy_ns));
    }
}

static void test_grain__sleepers_that_end_are_sleepers(void) {
    Grain ending = {.parks = 64, .sleeps = 12, .ends = 50};
    expect(grain_is_sleepy(&ending));
    Grain starting = {.parks = 64, .sleeps = 1, .ends = 62};
    expect(!grain_is_sleepy(&starting));
    Grain communicating = {.parks = 64, .sleeps = 12};
    expect(!grain_is_sleepy(&communicating));
    Grain ended = {.parks = 1, .ends = 1};
    expect(!grain_is_sleepy(&ended));
}

static void test_grain__sleepers_that_compute_are_coarse(void) {
    int64_t each_ns = 50000;
    uint32_t parks = (uint32_t)(GRAIN_LONG_NS / each_ns);
    Grain grain = {.parks = parks, .sleeps = parks, .worlds = parks};
    expect(grain_sample_is_over(&grain, each_ns * parks));
    expect(grain_is_coarse(&grain, each_ns * parks));
    grain.parks = grain.sleeps = grain.worlds = GRAIN_PARKS;
    expect(grain_is_measured(&grain, each_ns * GRAIN_PARKS));
    expect(!grain_is_fine(&grain, each_ns * GRAIN_PARKS, GRAIN_BACK_NS));
}

/* What a park costs several workers that only sleep: they must find out before they have lost more
 * than GRAIN_SLEEPY_NS. */
static void test_grain__sleepers_alone_go_back(void) {
    int64_t each_ns = 4500;
    Grain grain = {.parks = GRAIN_PARKS - 1, .sleeps = GRAIN_PARKS - 1, .worlds = GRAIN_PARKS - 1};
    expect(!grain_is_measured(&grain, each_ns * grain.parks));
    grain.parks = grain.sleeps = grain.worlds = GRAIN_PARKS;
    expect(grain_is_measured(&grain, each_ns * grain.parks));
    expect(grain_is_fine(&grain, each_ns * grain.parks, GRAIN_BACK_NS));
}

int main(void) {
    test_grain__long_processes_are_coarse_at_once();
    test_grain__a_hiccup_among_sleepers_is_no_work();
    test_grain__sleepers_that_end_are_sleepers();
    test_grain__sleepers_that_compute_are_coarse();
    test_grain__sleepers_alone_go_back();
    return 0;
}
