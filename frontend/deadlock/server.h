/* server -- #PRAGMA SERVER ask?, answer!: whether a PROC keeps the rule of a server.
 *
 * Owns:   what is said.
 * Leaves: servers in skeletons to skeleton.h, the search to search.h.
 * Holds:  a PROC keeps it when each request is taken and answered in its time, for ever, whatever
 *         other clients do: among clients that may ask at any time, and stop asking, none waits when
 *         nothing more happens. What else it is given is always ready. */
#ifndef OCCC_SERVER_H
#define OCCC_SERVER_H

#include "compiler.h"
#include "symbol.h"

/* server_check -- of each PROC that says so. */
void server_check(Compiler *compiler, const Node *unit);

#endif
