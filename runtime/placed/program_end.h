/* program_end -- the screen and error channels of a placement on another machine. */
#ifndef RT_PROGRAM_END_H
#define RT_PROGRAM_END_H

#include "start_text.h"

size_t program_end_bytes(void);
/* ProgramChannel -- a channel of the program, and what stands for it in a placement. */
typedef struct ProgramChannel {
    Channel
        *here; /* its CLAIMs are those of the turn that it has (shared_end.h); NULL: it has none */
    uint64_t address; /* on the machine of the placement's parent */
} ProgramChannel;

/* Make what a placement has for the channel, in that memory. */
Channel *program_end_make(void *memory, Machine *machine, const Copy *copy,
                          const ProgramChannel *channel);
bool program_end_is(const Channel *channel);

#endif
