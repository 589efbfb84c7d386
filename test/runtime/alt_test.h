/* alt_test -- what the test and its processes share. */
#ifndef ALT_TEST_H
#define ALT_TEST_H

#include "layout.h"

enum { CHANNELS = 8, ROUNDS_MAX = 4096, MANY = 10000 };

typedef enum Delay { DELAY_NONE, DELAY_YIELD, DELAY_SLEEP } Delay;

/* One choice and what came of it. */
typedef struct Choice {
    uint32_t chosen;
    int32_t value;
} Choice;

/* A process that outputs `count` values to one channel, each after a delay. */
typedef struct Talker {
    struct Scene *scene;
    Channel *channel;
    int count;
    int first_value;
    Delay delay;
    int32_t delay_us;
    bool is_slow;   /* by occ_channel_output */
    bool is_alting; /* by an ALT of one output guard */
    int done;
} Talker;

/* A process that chooses `rounds` times among the guards. */
typedef struct Scene {
    Join join;
    Channel channels[CHANNELS];
    AltGuard guards[CHANNELS]; /* the fill of each round; timers: relative to now */
    uint32_t guard_count;
    bool is_pri;
    int rounds;
    int start_after_yields; /* of the chooser */
    Choice choices[ROUNDS_MAX];
    int round;
    Talker talkers[CHANNELS];
    int talker_count;
    bool chooser_first;
    int more_choosers;     /* that do the same: an error of the program */
    int plain_input_after; /* then the chooser inputs once from this channel; -1: no */
    int32_t plain_value;
} Scene;

#ifndef TEST_INLINED_H /* bodies, for world_run: see WORLD_BODY */
void scene_body(void);
void many_guards_body(void);
void triangle_body(void);
#endif

#endif
