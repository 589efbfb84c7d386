/* explain -- `occc explain [id...]`: what a message means, a wrong example and the mended one.
 *
 * Owns:   finding the page of an id, showing it, the list of all.
 * Leaves: the pages themselves to docs/explain/<id>.md, installed as lib/occ/explain. */
#ifndef OCCC_EXPLAIN_H
#define OCCC_EXPLAIN_H

#include "backend.h"
#include "options.h"

/* explain_run -- the pages of options->topics, or the list of all; exit status. */
int explain_run(Arena *arena, const Options *options, const Installation *installation);

#endif
