/* PAR of any size, with small and large blocks, comes to its end; recursion takes segments and
 * gives them back; sleepers wake in time whatever the others do. */
#define _GNU_SOURCE

#include "scheduler_test.h"
#include "interrupt.h"
#include "scheduler.h"
#include "world.h"

static void test_scheduler__par_of_any_size(void) {
    static const int32_t counts[] = {0, 1, 2, 10, 1000, 100000};
    static const size_t blocks[] = {512, 4096, 4112, 20000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            for (int yields = 0; yields < 3; yields += 2) {
                ParPlan plan = {counts[c], blocks[b], yields, -1};
                if (counts[c] * (int64_t)blocks[b] <= 100000000) {
                    world_run(WORLD_BODY(par_body), &plan);
                    expect(plan.sum == (int64_t)counts[c] * (counts[c] - 1) / 2);
                }
            }
        }
    }
}

static void test_scheduler__tree_of_pars(void) {
    TreePlan plan = {12, 0};
    world_run(WORLD_BODY(tree_body), &plan);
    expect(plan.leaves == 4096);
}

static void test_scheduler__recursion_on_segments(void) {
    for (int code = 0; code < 12; code++) {
        static const size_t blocks[] = {1024, 4096, 8192};
        SegmentPlan plan = {3000, blocks[code % 3], code / 3 % 2 == 1, code / 6 == 1, -1};
        world_run(WORLD_BODY(segment_body), &plan);
        expect(plan.result == plan.depth);
    }
    SegmentPlan deep = {200000, 512, false, false, -1};
    world_run(WORLD_BODY(segment_body), &deep);
    expect(deep.result == deep.depth);
    SegmentPlan two = {500, 1024, true, false, -1};
    world_run(WORLD_BODY(two_descents_body), &two);
}

static void test_scheduler__painted_blocks_are_measured(void) {
    setenv("OCC_PAINT", "1", 1);
    ParPlan par = {20, 1024, 1, -1};
    world_run(WORLD_BODY(par_body), &par);
    expect(par.sum == 190 && rt_root.paint.blocks >= 20 && rt_root.paint.overflows == 0);
    SegmentPlan plan = {50, 1024, true, false, -1};
    world_run(WORLD_BODY(segment_body), &plan);
    expect(plan.result == 50 && rt_root.paint.blocks >= 50 && rt_root.paint.overflows == 0);
    unsetenv("OCC_PAINT");
}

static void test_scheduler__sleeper_beside_busy_processes(void) {
    BusyPlan plan = {50, 1000, 0, 0, false};
    world_run(WORLD_BODY(busy_body), &plan);
    expect(plan.is_done && plan.communications > 1000);
    expect(plan.latest_us < 1000000); /* a second: the machine may be busy with others */
}

static void test_scheduler__many_sleepers(void) {
    setenv("OCC_TIME", "virtual", 1);
    SleeperPlan plan = {20000, 3, 1000, true, 0, false, false};
    world_run(WORLD_BODY(sleepers_body), &plan);
    expect(plan.woken == 60000);
    unsetenv("OCC_TIME");
    SleeperPlan real = {2000, 3, 10, false, 0, false, false};
    world_run(WORLD_BODY(sleepers_body), &real);
    expect(real.woken == 6000);
    real = (SleeperPlan){2000, 3, 10, false, 0, true, false};
    world_run(WORLD_BODY(sleepers_body), &real);
    expect(real.woken == 6000);
}

static void program_sleepers_without_memory(void) {
    SleeperPlan plan = {20000, 1, 1000, false, 0, false, true};
    world_run(WORLD_BODY(sleepers_body), &plan);
}

static void program_alting_sleepers_without_memory(void) {
    SleeperPlan plan = {20000, 1, 1000, false, 0, true, true};
    world_run(WORLD_BODY(sleepers_body), &plan);
}

/* The place where it sleeps is named. */
static void test_scheduler__no_memory_to_sleep_is_an_error(void) {
    world_expect_end(program_sleepers_without_memory, 3, "out of memory");
    world_expect_end(program_alting_sleepers_without_memory, 3, "scheduler_test_processes.pn.c");
}

int main(void) {
    setenv("OCC_SEED", "1", 1);
    interrupt_begin();
    test_scheduler__par_of_any_size();
    test_scheduler__tree_of_pars();
    test_scheduler__recursion_on_segments();
    test_scheduler__painted_blocks_are_measured();
    test_scheduler__sleeper_beside_busy_processes();
    test_scheduler__many_sleepers();
    test_scheduler__no_memory_to_sleep_is_an_error();
    return 0;
}
