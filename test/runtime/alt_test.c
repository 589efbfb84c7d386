/* An ALT takes the guard it must, whenever its partner comes; it leaves no trace in the others; and
 * nothing is lost or invented, whoever wins, an ALT at the other end included. */
#define _GNU_SOURCE

#include "alt_test.h"
#include "alt_look.h"
#include "random.h"
#include "world.h"

static Scene scene; /* large */

static void begin(uint32_t guard_count, bool is_pri) {
    memset(&scene, 0, sizeof scene);
    scene.guard_count = guard_count;
    scene.is_pri = is_pri;
    scene.rounds = 1;
    scene.plain_input_after = -1;
    for (uint32_t i = 0; i < guard_count; i++) {
        scene.guards[i] = (AltGuard){&scene.channels[i], GUARD_INPUT, 0, 0};
    }
}

static Talker *add_talker(int channel, int count, Delay delay) {
    Talker *talker = &scene.talkers[scene.talker_count++];
    talker->scene = &scene;
    talker->channel = &scene.channels[channel];
    talker->count = count;
    talker->first_value = 100 * (channel + 1);
    talker->delay = delay;
    talker->delay_us = 100;
    return talker;
}

static void add_guard(uint16_t kind, intptr_t object) {
    scene.guards[scene.guard_count++] = (AltGuard){(void *)object, kind, 0, 0};
}

static void run(void) {
    world_run(WORLD_BODY(scene_body), &scene);
    expect(scene.round == scene.rounds);
}

static void expect_choice(int round, uint32_t chosen, int32_t value) {
    expect(scene.choices[round].chosen == chosen && scene.choices[round].value == value);
}

/* ---- the arrival matrix ---- */

static void test_alt__one_partner_whenever_it_comes(void) {
    for (unsigned code = 0; code < 3 * 2 * 2 * 2 * 2 * 4; code++) {
        for (uint32_t guards = 1; guards <= 4; guards++) {
            uint32_t partner = code / 48 % guards;
            begin(guards, (code & 1) != 0);
            Talker *talker = add_talker((int)partner, 1, (Delay)(code / 16 % 3));
            scene.chooser_first = (code & 2) != 0;
            talker->is_slow = (code & 4) != 0;
            talker->is_alting = (code & 8) != 0;
            run();
            expect_choice(0, partner, (int32_t)(100 * (partner + 1)));
        }
    }
}

static void test_alt__partners_before_and_after_are_all_served(void) {
    for (int is_pri = 0; is_pri < 2; is_pri++) {
        for (int alting = 0; alting < 2; alting++) {
            begin(4, is_pri != 0);
            scene.rounds = 40;
            for (int i = 0; i < 4; i++) {
                add_talker(i, 10, (Delay)(i % 3))->is_alting = alting != 0;
            }
            run();
            int next[4] = {100, 200, 300, 400};
            for (int round = 0; round < 40; round++) {
                uint32_t chosen = scene.choices[round].chosen;
                expect(scene.choices[round].value == next[chosen]++);
            }
            expect(next[0] == 110 && next[1] == 210 && next[2] == 310 && next[3] == 410);
        }
    }
}

/* Two come while the ALT waits, before it runs: one wins, the other is there the next time. */
static void test_alt__second_comer_is_not_lost(void) {
    begin(2, true);
    scene.chooser_first = true;
    scene.rounds = 2;
    add_talker(1, 1, DELAY_NONE);
    add_talker(0, 1, DELAY_NONE);
    run();
    expect_choice(0, 1, 200);
    expect_choice(1, 0, 100);
}

/* ---- who is taken ---- */

static void test_alt__pri_takes_the_textually_first(void) {
    for (int first = 0; first < 4; first++) {
        begin(4, true);
        scene.start_after_yields = 2;
        scene.rounds = 4 - first;
        for (int i = 3; i >= first; i--) {
            add_talker(i, 1, DELAY_NONE);
        }
        run();
        for (int i = first; i < 4; i++) {
            expect_choice(i - first, (uint32_t)i, 100 * (i + 1));
        }
    }
}

static void test_alt__pri_skip_in_textual_order(void) {
    begin(0, true);
    add_guard(GUARD_SKIP, 0);
    add_guard(GUARD_INPUT, (intptr_t)&scene.channels[1]);
    scene.start_after_yields = 1;
    scene.plain_input_after = 1;
    add_talker(1, 1, DELAY_NONE);
    run();
    expect(scene.choices[0].chosen == 0 && scene.plain_value == 200);

    begin(0, true);
    add_guard(GUARD_INPUT, (intptr_t)&scene.channels[1]);
    add_guard(GUARD_SKIP, 0);
    scene.start_after_yields = 1;
    add_talker(1, 1, DELAY_NONE);
    run();
    expect_choice(0, 0, 200);
}

static void test_alt__pri_takes_an_expired_timer_before_a_later_channel(void) {
    begin(0, true);
    add_guard(GUARD_TIMER, -5);
    add_guard(GUARD_INPUT, (intptr_t)&scene.channels[1]);
    scene.start_after_yields = 1;
    scene.plain_input_after = 1;
    add_talker(1, 1, DELAY_NONE);
    run();
    expect(scene.choices[0].chosen == 0 && scene.plain_value == 200);
}

static void test_alt__fair_channel_beats_skip_and_expired_timer(void) {
    for (int i = 0; i < 50; i++) { /* wherever the look begins */
        begin(0, false);
        add_guard(GUARD_SKIP, 0);
        add_guard(GUARD_TIMER, -5);
        add_guard(GUARD_INPUT, (intptr_t)&scene.channels[2]);
        add_guard(GUARD_SKIP, 0);
        scene.start_after_yields = 1;
        add_talker(2, 1, DELAY_NONE);
        run();
        expect_choice(0, 2, 300);
    }
}

static void test_alt__skip_beats_waiting(void) {
    begin(2, false);
    add_guard(GUARD_SKIP, 0);
    run();
    expect_choice(0, 2, -1);
}

static void test_alt__off_guards_are_never_taken(void) {
    for (int i = 0; i < 20; i++) {
        begin(3, i % 2 == 0);
        scene.guards[0].kind = GUARD_OFF;
        scene.guards[2].kind = GUARD_OFF;
        scene.start_after_yields = 2;
        scene.plain_input_after = 0;
        add_talker(0, 1, DELAY_NONE);
        add_talker(1, 1, DELAY_SLEEP);
        run();
        expect_choice(0, 1, 200);
        expect(scene.plain_value == 100);
    }
}

static void test_alt__fair_choice_is_uniform(void) {
    begin(4, false);
    scene.rounds = ROUNDS_MAX;
    scene.start_after_yields = 1;
    for (int i = 0; i < 4; i++) {
        add_talker(i, ROUNDS_MAX / 4, DELAY_NONE);
    }
    run();
    int counts[4] = {0};
    for (int round = 0; round < 2000; round++) { /* all four are ready in these */
        counts[scene.choices[round].chosen]++;
    }
    for (int i = 0; i < 4; i++) {
        expect(counts[i] > 400 && counts[i] < 600);
    }
}

static void test_alt__same_seed_same_choices(void) {
    static Choice first[200];
    for (int run_number = 0; run_number < 3; run_number++) {
        setenv("OCC_SEED", run_number == 2 ? "8" : "7", 1);
        begin(4, false);
        scene.rounds = 200;
        for (int i = 0; i < 4; i++) {
            add_talker(i, 50, DELAY_NONE);
        }
        run();
        bool is_same = memcmp(first, scene.choices, sizeof first) == 0;
        expect(run_number == 0 || is_same == (run_number == 1));
        memcpy(first, scene.choices, sizeof first);
    }
    setenv("OCC_SEED", "1", 1);
}

/* ---- timers ---- */

static void test_alt__nearest_timer_ends_the_wait(void) {
    for (int is_pri = 0; is_pri < 2; is_pri++) {
        begin(1, is_pri != 0);
        add_guard(GUARD_TIMER, 5000);
        add_guard(GUARD_TIMER, 2000);
        add_guard(GUARD_TIMER, 9000);
        scene.plain_input_after = 0; /* the timeout has left the channel as it was */
        add_talker(0, 1, DELAY_SLEEP)->delay_us = 8000;
        run();
        expect_choice(0, 2, -1);
        expect(scene.plain_value == 100);
    }
}

static void test_alt__channel_before_the_timeout(void) {
    begin(1, false);
    scene.rounds = 5;
    add_guard(GUARD_TIMER, 100000);
    add_talker(0, 5, DELAY_SLEEP);
    run();
    for (int i = 0; i < 5; i++) {
        expect_choice(i, 0, 100 + i);
    }
}

/* The partner comes at the very tick of the timeout: one of the two is taken, nothing is lost. */
static void test_alt__partner_at_the_tick_of_the_timeout(void) {
    for (int us = 98; us <= 103; us++) {
        begin(1, false);
        add_guard(GUARD_TIMER, 100);
        add_talker(0, 1, DELAY_SLEEP)->delay_us = us;
        scene.chooser_first = us % 2 == 0;
        scene.rounds = 3;
        run();
        int messages = 0;
        for (int i = 0; i < 3; i++) {
            messages += scene.choices[i].value == 100;
        }
        expect(messages == 1);
    }
}

/* ---- the rest ---- */

static void test_alt__same_channel_in_two_guards(void) {
    for (int is_pri = 0; is_pri < 2; is_pri++) {
        for (int first = 0; first < 2; first++) {
            begin(0, is_pri != 0);
            add_guard(GUARD_INPUT, (intptr_t)&scene.channels[0]);
            add_guard(GUARD_INPUT, (intptr_t)&scene.channels[0]);
            scene.chooser_first = first != 0;
            scene.rounds = 3;
            add_talker(0, 3, DELAY_YIELD);
            run();
            for (int i = 0; i < 3; i++) {
                expect(scene.choices[i].value == 100 + i);
                expect(is_pri == 0 || scene.choices[i].chosen == 0);
            }
        }
    }
}

static void program_all_off(void) {
    begin(2, false);
    scene.guards[0].kind = GUARD_OFF;
    scene.guards[1].kind = GUARD_OFF;
    run();
}

static void program_no_guards(void) {
    begin(0, true);
    run();
}

static void program_nobody_comes(void) {
    begin(3, false);
    run();
}

/* Whoever holds both ends of a channel meets nobody there. */
static void begin_with_both_ends(void) {
    begin(0, false);
    add_guard(GUARD_INPUT, (intptr_t)&scene.channels[0]);
    add_guard(GUARD_OUTPUT, (intptr_t)&scene.channels[0]);
}

static void program_both_ends_alone(void) {
    begin_with_both_ends();
    run();
}

static void test_alt__both_ends_of_a_channel_are_off(void) {
    begin_with_both_ends();
    add_guard(GUARD_TIMER, 100);
    run();
    expect_choice(0, 2, -1);
    world_expect_end(program_both_ends_alone, 1, "every guard of this ALT is off");
}

/* What an ALT that takes the guard at `chosen` offers beside it. */
static const AltGuard *offered(const AltGuard *guards, uint32_t count, bool is_pri,
                               uint32_t chosen) {
    static _Alignas(16) char record[sizeof(Alt) + CHANNELS * sizeof(AltGuard)];
    Alt *alt = (Alt *)(void *)record;
    *alt = (Alt){.count = count, .is_pri = is_pri, .flags = ALT_HAS_GROUPS};
    memcpy(alt->guards, guards, count * sizeof *guards);
    rt_alt_keep_better(alt, chosen);
    return alt->guards;
}

/* A PRI ALT that takes its SKIP, the last guard, offers what may still beat it: not what stands
 * behind a timer that has expired meanwhile. */
static void test_alt__what_is_offered_beside_a_skip(void) {
    int32_t now = ticks_to_int(time_source_now(&rt_root.time));
    for (int is_over = 0; is_over < 2; is_over++) {
        int32_t due = is_over ? now - 1000 : now + 1000000;
        AltGuard guards[] = {{&scene.channels[0], GUARD_INPUT, 0, 0},
                             {(void *)(intptr_t)due, GUARD_TIMER, 0, 0},
                             {&scene.channels[1], GUARD_INPUT, 0, 0},
                             {&scene.channels[2], GUARD_CLOSED, 0, 0},
                             {NULL, GUARD_SKIP, 0, 0}};
        const AltGuard *left = offered(guards, 5, true, 4);
        expect(left[0].kind == GUARD_INPUT && left[1].kind == GUARD_TIMER);
        expect(left[2].kind == (is_over ? GUARD_OFF : GUARD_INPUT));
        expect(left[3].kind == (is_over ? GUARD_OFF : GUARD_CLOSED));
    }
}

/* The end that CLOSED watches goes with it, or closing would be an error; other channels do not. */
static void test_alt__what_is_not_offered_takes_its_end_along(void) {
    AltGuard guards[] = {{&scene.channels[0], GUARD_INPUT, 0, 0},
                         {&scene.channels[1], GUARD_INPUT, 0, 0},
                         {(void *)2, GUARD_GROUP, 0, 1}, /* PRI ALT of the next two */
                         {NULL, GUARD_SKIP, 0, 0},
                         {&scene.channels[0], GUARD_CLOSED, 0, 0}};
    const AltGuard *left = offered(guards, 5, false, 3);
    expect(left[0].kind == GUARD_OFF && left[1].kind == GUARD_INPUT);
    expect(left[4].kind == GUARD_OFF);
}

static void program_two_choose_an_input(void) {
    begin(1, false);
    scene.more_choosers = 1;
    run();
}

static void program_two_choose_an_output(void) {
    begin(1, false);
    scene.guards[0].kind = GUARD_OUTPUT;
    scene.more_choosers = 1;
    run();
}

/* The second one finds the first in the word, whose way the guard goes as well. */
static void test_alt__two_on_one_end_are_an_error(void) {
    world_expect_end(program_two_choose_an_input, 1, "two processes input from one channel");
    world_expect_end(program_two_choose_an_output, 1, "two processes output on one channel");
}

static void test_alt__nothing_to_choose_from(void) {
    world_expect_end(program_all_off, 1, "every guard of this ALT is off");
    world_expect_end(program_no_guards, 1, "every guard of this ALT is off");
    world_expect_end(program_nobody_comes, 2, "ALT (3 guards)");
}

/* Compiled code takes the upper half of the state, and then moves it on. */
static void test_alt__place_of_compiled_code_is_known(void) {
    Random random;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        random_seed(&random, seed);
        uint32_t number = (uint32_t)(random.state >> 32);
        (void)random_next(&random);
        expect(random_last(&random) == number);
    }
}

int main(void) {
    setenv("OCC_TIME", "virtual", 1);
    setenv("OCC_SEED", "1", 1);
    test_alt__one_partner_whenever_it_comes();
    test_alt__partners_before_and_after_are_all_served();
    test_alt__second_comer_is_not_lost();
    test_alt__pri_takes_the_textually_first();
    test_alt__pri_skip_in_textual_order();
    test_alt__pri_takes_an_expired_timer_before_a_later_channel();
    test_alt__fair_channel_beats_skip_and_expired_timer();
    test_alt__skip_beats_waiting();
    test_alt__off_guards_are_never_taken();
    test_alt__fair_choice_is_uniform();
    test_alt__same_seed_same_choices();
    test_alt__place_of_compiled_code_is_known();
    test_alt__nearest_timer_ends_the_wait();
    test_alt__channel_before_the_timeout();
    test_alt__partner_at_the_tick_of_the_timeout();
    test_alt__same_channel_in_two_guards();
    test_alt__nothing_to_choose_from();
    test_alt__two_on_one_end_are_an_error();
    test_alt__both_ends_of_a_channel_are_off();
    test_alt__what_is_offered_beside_a_skip();
    test_alt__what_is_not_offered_takes_its_end_along();
    world_run(WORLD_BODY(many_guards_body), NULL);
    world_run(WORLD_BODY(triangle_body), NULL);
    return 0;
}
