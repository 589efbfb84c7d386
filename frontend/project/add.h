/* add -- `occc add PATH|GIT`: another package that this one depends on.
 *
 * Owns:   the line in occ.toml.
 * Leaves: repositories, occ.lock and vendor/ to dependency.h.
 * Holds:  what is in occ.toml stays as it is, but for the new line. What has :// in it, begins with
 *         git@ or ends in .git is a repository; everything else is a folder. */
#ifndef OCCC_ADD_H
#define OCCC_ADD_H

#include "options.h"

int add_run(Arena *arena, const Options *options);

#endif
