/* program_hash -- do all machines run the same program? Addresses of its code are sent. */
#ifndef RT_PROGRAM_HASH_H
#define RT_PROGRAM_HASH_H

#include <stdint.h>

/* The hash of the program's file. */
uint64_t program_hash(void);

#endif
