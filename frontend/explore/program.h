/* program -- the program that is explored: started once, run as often as is wanted.
 *
 * Owns:   its process, the record shared with it (occ/explore.h), what a run has printed.
 * Leaves: which runs are wanted to search.h.
 * Holds:  a run begins where the program began; nothing of an earlier one is left. Its standard
 * input is a file, ours if that is one, else all that could be read from it, or nothing. */
#ifndef OCCC_PROGRAM_H
#define OCCC_PROGRAM_H

#include "arena.h"
#include "occ/explore.h"

#include <stdbool.h>
#include <sys/types.h>

enum { PROGRAM_TEXT_BYTES = 65536 };

typedef struct Program {
    ExploreRegion *region;
    pid_t process;
    int orders;
    int answers;
    int output_file; /* what it writes to 1 and 2 */
    int errors_file;
    char output[PROGRAM_TEXT_BYTES + 1];
    char errors[PROGRAM_TEXT_BYTES + 1];
    size_t output_bytes; /* of all it has written to 1 */
} Program;

/* program_start -- ends the compiler with a message where the system does not give what it takes.
 */
Program *program_start(Arena *arena, const char *path, char **words);
/* program_run -- one run by region->prefix and sleepers; its wait status. False: the program has
 * gone, which has been reported. */
bool program_run(Program *program, int *status);
/* program_read -- what the run has printed: the first bytes of it, ended by a zero. */
void program_read(Program *program);
void program_end(Program *program);

#endif
