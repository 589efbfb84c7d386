/* program_hash -- is the program the same one on all machines? Addresses of its code are sent. */
#ifndef RT_PROGRAM_HASH_H
#define RT_PROGRAM_HASH_H

#include <stdint.h>

/* Of the file that this process runs, byte by byte. */
uint64_t program_hash(void);

#endif
