/* Two processes meet in a channel, whoever comes first, however late, by whatever path, with
 * messages of every kind of size; two on one end are reported; a partner who never comes is a
 * deadlock. */
#define _GNU_SOURCE

#include "channel_test.h"
#include "channel.h"
#include "world.h"

static void test_channel__arrival_matrix(void) {
    static const size_t sizes[] = {0, 1, 2, 4, 8, 16, 17, 64, 100, 256, 300};
    int runs = 0;
    for (unsigned code = 0; code < 8 * 9; code++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            Rendezvous r = {0};
            r.size_bytes = sizes[s];
            r.is_slow_input = (code & 1) != 0;
            r.is_slow_output = (code & 2) != 0;
            r.receiver_first = (code & 4) != 0;
            r.sender_delay = (Delay)(code / 8 % 3);
            r.receiver_delay = (Delay)(code / 24 % 3);
            r.block_bytes = s % 2 == 0 ? 4096 : 8192; /* of a slab, large */
            world_run(WORLD_BODY(rendezvous_body), &r);
            runs++;
        }
    }
    expect(runs == 8 * 9 * 11);
}

static Rendezvous *plain(void) {
    static Rendezvous r;
    r = (Rendezvous){.size_bytes = 4, .block_bytes = WORLD_BLOCK};
    return &r;
}

static void program_two_readers(void) {
    world_run(WORLD_BODY(two_readers_body), plain());
}

static void program_two_writers(void) {
    world_run(WORLD_BODY(two_writers_body), plain());
}

static void program_partner_never(void) {
    world_run(WORLD_BODY(partner_never_body), plain());
}

static void test_channel__two_on_one_end_are_an_error(void) {
    world_expect_end(program_two_readers, 1, "two processes input from one channel 'c'");
    world_expect_end(program_two_writers, 1, "two processes output on one channel 'c'");
}

static void test_channel__partner_never_is_a_deadlock(void) {
    world_expect_end(program_partner_never, 2,
                     "occ: deadlock: 2 of 2 processes are blocked and nothing can wake them");
    world_expect_end(program_partner_never, 2, "output to 'c'");
    world_expect_end(program_partner_never, 2, "end of PAR (1 component still running)");
}

int main(void) {
    setenv("OCC_TIME", "virtual", 1);
    test_channel__arrival_matrix();
    test_channel__two_on_one_end_are_an_error();
    test_channel__partner_never_is_a_deadlock();
    return 0;
}
