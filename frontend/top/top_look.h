/* top_look -- the processes of a program that runs, read from outside of it.
 *
 * Owns:   finding the runtime's data in the program (its symbols rt_root and occ_runtime_map),
 *         reading memory of another process.
 * Leaves: adding up to top.c.
 * Holds:  only what the kernel lets a debugger read is read, and nothing is written. What is read
 *         may have changed meanwhile: every address is looked at before it is followed. */
#ifndef OCCC_TOP_LOOK_H
#define OCCC_TOP_LOOK_H

#include "array.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A place in the program's text, copied. */
typedef struct TopSite {
    uint64_t address;
    const char *file;
    const char *proc;
    const char *object;
    uint32_t line;
    uint32_t column;
    unsigned reason; /* WaitReason */
    bool is_call;    /* of the routine `object`, which waits in it */
} TopSite;

typedef struct TopProcess {
    const TopSite *site; /* NULL: it runs or is ready */
    uint64_t bytes;      /* of its block */
} TopProcess;

/* Messages at a place since the last look. */
typedef struct TopCount {
    const TopSite *site;
    uint64_t messages;
} TopCount;

typedef struct TopLook {
    Arena *arena; /* of this look */
    ARRAY_OF(TopProcess) processes;
    ARRAY_OF(TopCount) counts;
    bool is_recorded; /* OCC_TOP=1 or OCC_TRACE: messages are counted */
    unsigned workers;
    uint64_t resident_bytes;
} TopLook;

typedef struct TopProgram TopProgram;

/* top_open -- NULL after a message. */
TopProgram *top_open(Arena *arena, pid_t pid);
/* top_look -- false: the program has ended. */
bool top_look(TopProgram *program, TopLook *look);
const char *top_name(const TopProgram *program);

#endif
