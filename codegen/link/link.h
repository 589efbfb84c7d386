/* link -- objects to program: stack bounds of the whole program, then the system's linker.
 *
 * Owns:   the sizes of process blocks, the table for backtraces, the check that versions agree, the
 *         command that runs the linker.
 * Leaves: which inputs there are and where the runtime lies to the driver.
 * Holds:  the executable appears whole or not at all; an interrupted link leaves nothing behind. */
#ifndef OCCC_LINK_H
#define OCCC_LINK_H

#include "../../frontend/base/arena.h"
#include "../../frontend/base/array.h"

#include <stdbool.h>
#include <stdint.h>

typedef ARRAY_OF(const char *) LinkWords;

typedef struct LinkOptions {
    const char *output;
    LinkWords inputs;    /* files and words for the linker (-lm, -Wl,...), in order */
    LinkWords optional;  /* objects and libraries that are linked if something wants them */
    LinkWords search;    /* directories of -L */
    const char *runtime; /* libocc-runtime.a */
    bool has_programs;   /* several main PROCs are allowed; OCC_TEST chooses one at run time */
    bool is_verbose;     /* print the command */
    bool is_dry;         /* print it and run nothing */
} LinkOptions;

/* RoutineSize -- the deepest stack of a routine with all that it calls, and the block of a process
 * that runs it. */
typedef struct RoutineSize {
    const char *name; /* its symbol */
    uint64_t stack_bytes;
    uint64_t process_bytes;
} RoutineSize;

typedef ARRAY_OF(RoutineSize) RoutineSizes;

/* link_routine_sizes -- of the routines of an object whose calls all stay in it. NULL, or why it
 * cannot be read. */
const char *link_routine_sizes(Arena *arena, const char *object, RoutineSizes *sizes);
/* link_program -- NULL, or why there is no program. */
const char *link_program(Arena *arena, const LinkOptions *options);

#endif
