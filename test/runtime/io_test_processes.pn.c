/* Processes of io_test.c: what programs do with keyboard, screen and error. */
#include "inlined.h" /* first: it has the convention */

#include "io_test.h"
#include "world.h"

SITE(site_input, WAIT_INPUT, "keyboard");
SITE(site_output, WAIT_OUTPUT, "screen");
SITE(site_c, WAIT_INPUT, "c");
SITE(site_alt, WAIT_ALT, NULL);
SITE(site_join, WAIT_JOIN, NULL);
SITE(site_timer, WAIT_TIMER, NULL);
SITE(site_stop, ERROR_STOP, NULL);

enum { KEYBOARD, SCREEN, ERROR };

#define PUT(me, channel, byte)                                                                     \
    do {                                                                                           \
        unsigned char put_byte = (unsigned char)(byte);                                            \
        me = inline_output(me, channel, &put_byte, 1, &site_output);                               \
    } while (0)

#define PUT_TEXT(me, channel, text)                                                                \
    for (const char *put_at = text; *put_at != '\0'; put_at++) {                                   \
        PUT(me, channel, *put_at);                                                                 \
    }

BODY(bytes_body) {
    Channel **io = environment;
    (void)index;
    for (int i = 0; i < 255; i++) { /* NUL and all the others */
        PUT(me, io[SCREEN], i);
    }
    PUT(me, io[SCREEN], 255); /* flush, not written */
    PUT(me, io[ERROR], 255);  /* a byte */
    PUT(me, io[SCREEN], 'x');
}

BODY(order_body) {
    Channel **io = environment;
    (void)index;
    PUT_TEXT(me, io[SCREEN], "one ");
    PUT_TEXT(me, io[ERROR], "two ");
    PUT_TEXT(me, io[SCREEN], "three ");
    PUT_TEXT(me, io[ERROR], "four ");
    PUT_TEXT(me, io[SCREEN], "five");
}

BODY(long_output_body) {
    Channel **io = environment;
    (void)index;
    for (int i = 0; i < LONG_OUTPUT; i++) {
        PUT(me, io[SCREEN], i % 251);
    }
}

BODY(hello_then_stop_body) {
    Channel **io = environment;
    (void)index;
    PUT_TEXT(me, io[SCREEN], "before");
    occ_error(me, &site_stop, 0, 0, 0);
}

BODY(hello_then_deadlock_body) {
    Channel **io = environment;
    Channel c = {0};
    int32_t value;
    (void)index;
    PUT_TEXT(me, io[SCREEN], "before");
    inline_input(me, &c, &value, sizeof value, &site_c);
}

BODY(hello_then_spin_body) {
    Channel **io = environment;
    (void)index;
    PUT_TEXT(me, io[SCREEN], "before");
    PUT(me, io[SCREEN], 255);
    PUT_TEXT(me, io[SCREEN], "more");
    for (volatile int i = 0; true; i++) {
    }
}

BODY(hello_then_crash_body) {
    Channel **io = environment;
    (void)index;
    PUT_TEXT(me, io[SCREEN], "before");
    *(volatile int *)8 = 1;
}

BODY(hello_then_sleep_body) {
    Channel **io = environment;
    (void)index;
    PUT_TEXT(me, io[SCREEN], "before");
    occ_timer_wait(me, occ_time_now(me) + 100000000, &site_timer);
}

BODY(echo_body) {
    Channel **io = environment;
    (void)index;
    for (int ends = 0; ends < 3;) {
        unsigned char byte;
        me = inline_input(me, io[KEYBOARD], &byte, 1, &site_input);
        ends += byte == 255;
        PUT(me, io[SCREEN], byte == 255 ? '.' : byte);
    }
}

/* ---- a process that waits for a device does not stop the others ---- */

typedef struct Pair {
    Join join;
    Channel channel;
    Channel **io;
    int ticks;
    int32_t done;
} Pair;

PROCESS ticker(Process *me, void *environment, int32_t index) {
    Pair *pair = environment;
    (void)index;
    while (!pair->done) {
        me = occ_timer_wait(me, occ_time_now(me) + 1000, &site_timer).me;
        if (++pair->ticks == 20) { /* told where the test waits for it */
            PUT_TEXT(me, pair->io[ERROR], "ticked");
        }
    }
}

PROCESS spewer(Process *me, void *environment, int32_t index) {
    Pair *pair = environment;
    (void)index;
    for (int i = 0; i < LONG_OUTPUT; i++) {
        PUT(me, pair->io[SCREEN], i % 251);
    }
    pair->done = 1;
}

BODY(slow_reader_body) {
    Pair pair = {{3, NULL}, {0}, environment, 0, 0};
    (void)index;
    inline_start(me, &pair.join, (void *)ticker, WORLD_BLOCK, 0);
    inline_start(me, &pair.join, (void *)spewer, WORLD_BLOCK, 1);
    inline_join(me, &pair.join, &site_join);
}

PROCESS key_reader(Process *me, void *environment, int32_t index) {
    Pair *pair = environment;
    unsigned char byte;
    (void)index;
    me = inline_input(me, pair->io[KEYBOARD], &byte, 1, &site_input);
    pair->done = 1;
    PUT(me, pair->io[SCREEN], byte);
}

BODY(slow_typist_body) {
    Pair pair = {{3, NULL}, {0}, environment, 0, 0};
    (void)index;
    inline_start(me, &pair.join, (void *)ticker, WORLD_BLOCK, 0);
    inline_start(me, &pair.join, (void *)key_reader, WORLD_BLOCK, 1);
    inline_join(me, &pair.join, &site_join);
}

/* ---- busy processes do not starve the keyboard ---- */

PROCESS busy_sender(Process *me, void *environment, int32_t index) {
    Pair *pair = environment;
    int32_t value = 1;
    (void)index;
    while (value != 0) {
        value = !pair->done;
        me = inline_output(me, &pair->channel, &value, sizeof value, &site_output);
    }
}

PROCESS busy_receiver(Process *me, void *environment, int32_t index) {
    Pair *pair = environment;
    int32_t value = 1;
    (void)index;
    while (value != 0) {
        me = inline_input(me, &pair->channel, &value, sizeof value, &site_c);
    }
}

BODY(busy_typist_body) {
    Pair pair = {{4, NULL}, {0}, environment, 0, 0};
    (void)index;
    inline_start(me, &pair.join, (void *)busy_sender, WORLD_BLOCK, 0);
    inline_start(me, &pair.join, (void *)busy_receiver, WORLD_BLOCK, 1);
    inline_start(me, &pair.join, (void *)key_reader, WORLD_BLOCK, 2);
    inline_join(me, &pair.join, &site_join);
}

/* ---- the keyboard in an ALT ---- */

BODY(alt_typist_body) {
    Channel **io = environment;
    (void)index;
    for (int ends = 0; ends < 2;) {
        struct {
            Alt alt;
            AltGuard guards[2];
        } record;
        record.alt = (Alt){.count = 2, .is_pri = 1};
        record.guards[0] = (AltGuard){io[KEYBOARD], GUARD_INPUT, 0, 0};
        int32_t deadline = occ_time_now(me) + 50000;
        record.guards[1] = (AltGuard){(void *)(intptr_t)deadline, GUARD_TIMER, 1, 0};
        me = occ_alt_select(me, &record.alt, &site_alt).me;
        if (record.alt.chosen == 1) {
            PUT(me, io[SCREEN], 't');
            continue;
        }
        unsigned char byte;
        me = inline_input(me, io[KEYBOARD], &byte, 1, &site_input);
        ends += byte == 255;
        PUT(me, io[SCREEN], byte == 255 ? '.' : byte);
    }
}
