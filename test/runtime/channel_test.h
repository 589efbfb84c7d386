/* channel_test -- what the test and its processes share. */
#ifndef CHANNEL_TEST_H
#define CHANNEL_TEST_H

#include "layout.h"

enum { MESSAGE_MAX = 300, MESSAGES = 20 };

typedef enum Delay { DELAY_NONE, DELAY_YIELD, DELAY_SLEEP } Delay;

typedef struct Rendezvous {
    Join join;
    Channel channel;
    size_t size_bytes;
    bool is_slow_input;  /* by occ_channel_input, not inlined */
    bool is_slow_output; /* by occ_channel_output */
    bool receiver_first;
    Delay sender_delay;
    Delay receiver_delay;
    size_t block_bytes;
    int received;
    int sent;
} Rendezvous;

#ifndef TEST_INLINED_H /* bodies, for world_run: see WORLD_BODY */
void rendezvous_body(void);
void two_readers_body(void);
void two_writers_body(void);
void partner_never_body(void);
#endif

#endif
