/* new -- `occc new [KIND] NAME`: a package to begin with.
 *
 * Owns:   the kinds, the files of each, the folder.
 * Holds:  what is made builds, passes its tests and runs at once. Nothing that is there is
 *         overwritten. */
#ifndef OCCC_NEW_H
#define OCCC_NEW_H

#include "options.h"

/* A file of a kind: in its path and text @NAME@ is the package's name. */
typedef struct NewFile {
    const char *path;
    const char *text;
} NewFile;

typedef struct NewKind {
    const char *name;
    const char *what;
    const NewFile *files; /* the last has no path */
} NewKind;

int new_run(Arena *arena, const Options *options);
/* new_kinds -- the last has no name (new_kind.c). */
const NewKind *new_kinds(void);

#endif
