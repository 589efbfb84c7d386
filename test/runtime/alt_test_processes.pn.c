/* Processes of alt_test.c: talkers, choosers, ALTs that face each other. */
#include "inlined.h" /* first: it has the convention */

#include "alt_test.h"
#include "world.h"

SITE(site_input, WAIT_INPUT, "c");
SITE(site_output, WAIT_OUTPUT, "c");
SITE(site_alt, WAIT_ALT, NULL);
SITE(site_join, WAIT_JOIN, NULL);
SITE(site_timer, WAIT_TIMER, NULL);

typedef struct OneGuard {
    Alt alt;
    AltGuard guard;
} OneGuard;

PROCESS talker(Process *me, void *environment, int32_t index) {
    Talker *t = &((Scene *)environment)->talkers[index];
    for (int i = 0; i < t->count; i++) {
        int32_t value = t->first_value + i;
        if (t->delay == DELAY_YIELD) {
            me = occ_reschedule(me).me;
        } else if (t->delay == DELAY_SLEEP) {
            me = occ_timer_wait(me, occ_time_now(me) + t->delay_us, &site_timer).me;
        }
        if (t->is_alting) {
            OneGuard one;
            one.alt = (Alt){.count = 1, .is_pri = 1};
            one.guard = (AltGuard){t->channel, GUARD_OUTPUT, 0, 0};
            me = occ_alt_select(me, &one.alt, &site_alt).me;
            expect(one.alt.chosen == 0);
        }
        if (t->is_slow) {
            me = occ_channel_output(me, t->channel, &value, sizeof value, &site_output).me;
        } else {
            me = inline_output(me, t->channel, &value, sizeof value, &site_output);
        }
        t->done++;
    }
}

typedef struct Record {
    Alt alt;
    AltGuard guards[CHANNELS];
} Record;

static void fill(Record *record, const Scene *scene, int32_t now) {
    memset(record, 0x55, sizeof *record); /* nothing but what compiled code stores */
    record->alt.state = 0;
    record->alt.count = scene->guard_count;
    record->alt.is_pri = scene->is_pri;
    record->alt.flags = 0;
    for (uint32_t i = 0; i < scene->guard_count; i++) {
        record->guards[i] = scene->guards[i];
        if (record->guards[i].kind == GUARD_TIMER) {
            int32_t deadline = now + (int32_t)(intptr_t)scene->guards[i].object;
            record->guards[i].object = (void *)(intptr_t)deadline;
        }
    }
}

static bool is_channel_guard(const AltGuard *guard) {
    return guard->kind == GUARD_INPUT;
}

/* After an ALT: no channel of its guards holds a trace of it. */
static void expect_withdrawn(const Record *record) {
    for (uint32_t i = 0; i < record->alt.count; i++) {
        if (is_channel_guard(&record->guards[i])) {
            const Channel *channel = record->guards[i].object;
            expect(channel_pointer(channel->word) != &record->alt);
        }
    }
    expect(record->alt.deadline_position == 0);
}

PROCESS chooser(Process *me, void *environment, int32_t index) {
    Scene *scene = environment;
    Record record;
    (void)index;
    for (int i = 0; i < scene->start_after_yields; i++) {
        me = occ_reschedule(me).me;
    }
    for (int round = 0; round < scene->rounds; round++) {
        int32_t value = -1;
        fill(&record, scene, occ_time_now(me));
        me = occ_alt_select(me, &record.alt, &site_alt).me;
        uint32_t chosen = record.alt.chosen;
        expect(chosen < record.alt.count);
        expect_withdrawn(&record);
        if (is_channel_guard(&record.guards[chosen])) {
            Channel *channel = record.guards[chosen].object;
            me = inline_input(me, channel, &value, sizeof value, &site_input);
        }
        scene->choices[round] = (Choice){chosen, value};
        scene->round++;
    }
    if (scene->plain_input_after >= 0) {
        Channel *channel = &scene->channels[scene->plain_input_after];
        me = inline_input(me, channel, &scene->plain_value, sizeof(int32_t), &site_input);
    }
}

BODY(scene_body) {
    Scene *scene = environment;
    (void)index;
    scene->join = (Join){2 + scene->talker_count + scene->more_choosers, NULL};
    for (int i = 0; i < scene->more_choosers; i++) {
        inline_start(me, &scene->join, (void *)chooser, WORLD_BLOCK, 0);
    }
    if (scene->chooser_first) {
        inline_start(me, &scene->join, (void *)chooser, WORLD_BLOCK, 0);
    }
    for (int i = 0; i < scene->talker_count; i++) {
        inline_start(me, &scene->join, (void *)talker, WORLD_BLOCK, i);
    }
    if (!scene->chooser_first) {
        inline_start(me, &scene->join, (void *)chooser, WORLD_BLOCK, 0);
    }
    me = inline_join(me, &scene->join, &site_join);
    for (int i = 0; i < CHANNELS; i++) {
        expect(scene->channels[i].word == 0);
    }
}

/* ---- ten thousand guards ---- */

typedef struct Many {
    Join join;
    Channel *channels;
    uint32_t ready;
} Many;

PROCESS many_talker(Process *me, void *environment, int32_t index) {
    Many *many = environment;
    int32_t value = index;
    inline_output(me, &many->channels[index], &value, sizeof value, &site_output);
}

BODY(many_guards_body) {
    Many many = {{2, NULL}, calloc(MANY, sizeof(Channel)), MANY - 1};
    Alt *alt = calloc(1, sizeof(Alt) + MANY * sizeof(AltGuard));
    int32_t value = 0;
    (void)environment;
    (void)index;
    for (int round = 0; round < 20; round++) {
        many.join = (Join){2, NULL};
        alt->state = 0;
        alt->count = MANY;
        for (uint32_t i = 0; i < MANY; i++) {
            alt->guards[i] = (AltGuard){&many.channels[i], GUARD_INPUT, 0, (int32_t)i};
        }
        inline_start(me, &many.join, (void *)many_talker, WORLD_BLOCK, MANY - 1 - round * 400);
        me = occ_alt_select(me, alt, &site_alt).me;
        expect(alt->chosen == (uint32_t)(MANY - 1 - round * 400));
        me = inline_input(me, alt->guards[alt->chosen].object, &value, sizeof value, &site_input);
        expect(value == (int32_t)alt->chosen);
        me = inline_join(me, &many.join, &site_join);
        for (uint32_t i = 0; i < MANY; i++) {
            expect(many.channels[i].word == 0);
        }
    }
    free(alt);
    free(many.channels);
}

/* ---- ALT to ALT in a ring: each chooses between its left and its right neighbour ---- */

enum { RING = 3, TRANSFERS = 500 };

typedef struct Ring {
    Join join;
    Channel channels[RING]; /* from i to i + 1 */
    int received[RING];
    int sent[RING];
} Ring;

PROCESS ring_member(Process *me, void *environment, int32_t index) {
    Ring *ring = environment;
    Channel *left = &ring->channels[(index + RING - 1) % RING];
    Channel *right = &ring->channels[index];
    while (ring->received[index] < TRANSFERS || ring->sent[index] < TRANSFERS) {
        struct {
            Alt alt;
            AltGuard guards[2];
        } record;
        record.alt = (Alt){.count = 2};
        bool may_input = ring->received[index] < TRANSFERS;
        bool may_output = ring->sent[index] < TRANSFERS;
        record.guards[0] = (AltGuard){left, may_input ? GUARD_INPUT : GUARD_OFF, 0, 0};
        record.guards[1] = (AltGuard){right, may_output ? GUARD_OUTPUT : GUARD_OFF, 0, 0};
        me = occ_alt_select(me, &record.alt, &site_alt).me;
        int32_t value = ring->sent[index];
        if (record.alt.chosen == 0) {
            me = inline_input(me, left, &value, sizeof value, &site_input);
            expect(value == ring->received[index]); /* in order, none lost */
            ring->received[index]++;
        } else {
            me = inline_output(me, right, &value, sizeof value, &site_output);
            ring->sent[index]++;
        }
    }
}

BODY(triangle_body) {
    Ring ring = {{RING + 1, NULL}, {{0}}, {0}, {0}};
    (void)environment;
    (void)index;
    for (int i = 0; i < RING; i++) {
        inline_start(me, &ring.join, (void *)ring_member, WORLD_BLOCK, i);
    }
    me = inline_join(me, &ring.join, &site_join);
    for (int i = 0; i < RING; i++) {
        expect(ring.received[i] == TRANSFERS && ring.sent[i] == TRANSFERS);
        expect(ring.channels[i].word == 0);
    }
}
