/* program_end -- screen and error channel as a placement on another machine has them. */
#ifndef RT_PROGRAM_END_H
#define RT_PROGRAM_END_H

#include "start_text.h"

size_t program_end_bytes(void);
/* In that memory: its channel; `address`: of the channel, on the machine of the placement's parent.
 */
Channel *program_end_make(void *memory, Machine *machine, const Copy *copy, uint64_t address);

#endif
