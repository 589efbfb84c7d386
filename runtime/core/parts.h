/* parts -- which of the processes that a sample sees belong together.
 *
 * Owns:   who has met whom over a channel since the sample began, directly or through others.
 * Leaves: reporting meetings to channel.c, when to ask and what follows to solo.c.
 * Holds:  only the solo worker uses it. Process addresses are only names, never followed: a process
 *         may end and another get its block; the guess is then wrong, but nothing breaks. */
#ifndef RT_PARTS_H
#define RT_PARTS_H

#include "layout.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PARTS_SLOTS = 1024, /* a power of two */
    PARTS_LIMIT = 512,  /* processes that are distinguished: later ones belong to no part */
    PARTS_MEETINGS = 8  /* with fewer nothing is concluded */
};

/* PartSlot -- a process, and a slot nearer to the leader of its part; the leader's is its own. */
typedef struct PartSlot {
    const Process *process; /* NULL: free */
    uint16_t nearer;
    uint16_t meetings; /* a leader's: of the whole part */
} PartSlot;

typedef struct Parts {
    PartSlot slots[PARTS_SLOTS];
    uint32_t processes;
    uint32_t meetings;
} Parts;

/* A sample begins. */
void parts_begin(Parts *parts);
/* Two processes have met. */
void parts_meet(Parts *parts, const Process *one, const Process *other);
/* A number shared by all processes of a part, and no others; -1: the process has met nobody. */
int parts_of(const Parts *parts, const Process *process);
/* Have the meetings been those of several parts, none of them with nearly all? */
bool parts_are_apart(const Parts *parts);

#endif
