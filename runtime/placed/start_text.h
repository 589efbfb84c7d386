/* start_text -- what a START carries: the environment of a placement as bytes, and back.
 *
 * Owns:   the copy of an environment, and the ends in it.
 * Leaves: sending it, and the process, to placement.c.
 * Holds:  both sides walk the names of the PLACED PAR in the same order; names that the component
 *         does not use are not sent. For each name: counts of open dimensions, then the value or
 *         its bytes. For each channel its number and who closed it; number 0: a channel of the
 *         program, and its address. For a clock its ClockText. In the copy the Join's count is
 *         PLACED_COPY. */
#ifndef RT_START_TEXT_H
#define RT_START_TEXT_H

#include "machine.h"
#include "placed_clock.h"
#include "remote_end.h"

typedef struct StartHead {
    const PlacedComponent *component;
    void *agent; /* on the parent's machine; so are the next two */
    void *scope;
    const ClockHome *clocks;
    int32_t index;
} StartHead;

/* Copy -- a copy of an environment, with all that it leads to. */
struct Copy {
    Copy *next;
    Process *process; /* that runs with it; NULL: it has ended */
    uint32_t parent;  /* machine of the parent */
    bool is_lost;     /* its virtual machine is lost: the program does not wait for it */
    void *agent, *scope;
    void *environment;
    struct Piece *pieces; /* the rest of its memory */
};

/* The number of channels of the name, and the array of their addresses; 0: it is no channel. */
size_t start_text_channels(const PlacedName *name, void *environment);
Channel **start_text_channel(const PlacedName *name, void *environment);

Message *start_text_make(Machine *machine, uint32_t to, const StartHead *head);
const StartHead *start_text_head(const Message *message);
Copy *start_text_read(Machine *machine, const Message *message);
void start_text_free(Copy *copy);

#endif
