/* program -- the program that is explored: started once, it runs all behaviours.
 *
 * Owns:   its process, the memory shared with it (occ/explore.h).
 * Leaves: what it has found to explore.c.
 * Holds:  its standard input is a file, ours if that is one, else all that could be read from it,
 *         or nothing. */
#ifndef OCCC_PROGRAM_H
#define OCCC_PROGRAM_H

#include "arena.h"
#include "occ/explore.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct Program {
    ExploreRegion *region;
    size_t region_bytes;
    int region_file;
    pid_t process;
    int life;        /* ends with the program */
    int errors_file; /* what it writes to 2 before its first run */
} Program;

/* program_make -- the shared memory, for what is wanted. These end the compiler with a message
 * where the system does not give what it takes. */
Program *program_make(Arena *arena);
void program_start(Program *program, Arena *arena, const char *path, char **words);
/* program_has_ended -- within so many milliseconds. */
bool program_has_ended(Program *program, int milliseconds);
/* program_end -- wait for it; its exit status, or -1. is_killed: first end all its processes. */
int program_end(Program *program, bool is_killed);
/* program_errors -- the beginning of what it wrote to 2 before its first run. */
const char *program_errors(Program *program, Arena *arena);
/* program_forget -- after its end: what it has found is gone. */
void program_forget(Program *program);

#endif
