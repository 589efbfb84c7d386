/* Processes of channel_test.c: every way two processes can come to a channel. */
#include "inlined.h" /* first: it has the convention */

#include "channel_test.h"
#include "world.h"

SITE(site_input, WAIT_INPUT, "c");
SITE(site_output, WAIT_OUTPUT, "c");
SITE(site_join, WAIT_JOIN, NULL);
SITE(site_timer, WAIT_TIMER, NULL);

/* A macro: what may park must return to the process itself. */
#define DO_DELAY(me, kind)                                                                         \
    do {                                                                                           \
        if ((kind) == DELAY_YIELD) {                                                               \
            me = occ_reschedule(me).me;                                                            \
        } else if ((kind) == DELAY_SLEEP) {                                                        \
            me = occ_timer_wait(me, occ_time_now(me) + 100, &site_timer).me;                       \
        }                                                                                          \
    } while (0)

static unsigned char byte_of(int message, size_t at) {
    return (unsigned char)(message * 31 + (int)at * 7);
}

PROCESS sender(Process *me, void *environment, int32_t index) {
    Rendezvous *r = environment;
    unsigned char message[MESSAGE_MAX];
    (void)index;
    for (int m = 0; m < MESSAGES; m++) {
        DO_DELAY(me, r->sender_delay);
        for (size_t i = 0; i < r->size_bytes; i++) {
            message[i] = byte_of(m, i);
        }
        if (r->is_slow_output) {
            me = occ_channel_output(me, &r->channel, message, (int64_t)r->size_bytes, &site_output)
                     .me;
        } else {
            me = inline_output(me, &r->channel, message, r->size_bytes, &site_output);
        }
        r->sent++;
        memset(message, 0xEE, sizeof message); /* it must have gone by now */
    }
}

PROCESS receiver(Process *me, void *environment, int32_t index) {
    Rendezvous *r = environment;
    unsigned char message[MESSAGE_MAX];
    (void)index;
    for (int m = 0; m < MESSAGES; m++) {
        DO_DELAY(me, r->receiver_delay);
        memset(message, 0xDD, sizeof message);
        if (r->is_slow_input) {
            me =
                occ_channel_input(me, &r->channel, message, (int64_t)r->size_bytes, &site_input).me;
        } else {
            me = inline_input(me, &r->channel, message, r->size_bytes, &site_input);
        }
        for (size_t i = 0; i < MESSAGE_MAX; i++) {
            expect(message[i] == (i < r->size_bytes ? byte_of(m, i) : 0xDD));
        }
        r->received++;
        expect(r->sent == r->received || r->sent == r->received - 1); /* they meet */
    }
}

static void start_two(Process *me, Rendezvous *r, void *first, void *second) {
    inline_start(me, &r->join, first, r->block_bytes, 0);
    inline_start(me, &r->join, second, r->block_bytes, 1);
}

BODY(rendezvous_body) {
    Rendezvous *r = environment;
    (void)index;
    r->join = (Join){3, NULL};
    if (r->receiver_first) {
        start_two(me, r, (void *)receiver, (void *)sender);
    } else {
        start_two(me, r, (void *)sender, (void *)receiver);
    }
    me = inline_join(me, &r->join, &site_join);
    expect(r->received == MESSAGES && r->sent == MESSAGES && r->channel.word == 0);
}

BODY(two_readers_body) {
    Rendezvous *r = environment;
    (void)index;
    r->join = (Join){3, NULL};
    start_two(me, r, (void *)receiver, (void *)receiver);
    inline_join(me, &r->join, &site_join);
}

BODY(two_writers_body) {
    Rendezvous *r = environment;
    (void)index;
    r->join = (Join){3, NULL};
    start_two(me, r, (void *)sender, (void *)sender);
    inline_join(me, &r->join, &site_join);
}

BODY(partner_never_body) {
    Rendezvous *r = environment;
    (void)index;
    r->join = (Join){2, NULL};
    inline_start(me, &r->join, (void *)sender, r->block_bytes, 0);
    inline_join(me, &r->join, &site_join);
}
