/* program_end -- screen and error channel as a placement on another machine has them. */
#ifndef RT_PROGRAM_END_H
#define RT_PROGRAM_END_H

#include "start_text.h"

size_t program_end_bytes(void);
/* ProgramChannel -- the channel of the program, and what stands for it in a placement. */
typedef struct ProgramChannel {
    Channel
        *here; /* its CLAIMs are those of the turn that it has (shared_end.h); NULL: it has none */
    uint64_t address; /* on the machine of the placement's parent */
} ProgramChannel;

/* In that memory: what a placement has for it. */
Channel *program_end_make(void *memory, Machine *machine, const Copy *copy,
                          const ProgramChannel *channel);
bool program_end_is(const Channel *channel);

#endif
