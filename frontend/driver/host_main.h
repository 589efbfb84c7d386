/* host_main -- programs of the INMOS toolset, whose PROC talks with a server of the host.
 *
 * Owns:   which PROC is such a program: PROC main (CHAN OF SP fs, ts[, []INT memory]); the PROC
 *         that starts it beside the server of the library, as text that is read like any other.
 * Leaves: the server to stdlib/hostio.server.occ, finding the main PROC to check.h. */
#ifndef OCCC_HOST_MAIN_H
#define OCCC_HOST_MAIN_H

#include "ast.h"
#include "compiler.h"

/* host_main_find -- note in `compiler` that the last PROC of the unit is such a program, if it is.
 */
void host_main_find(Compiler *compiler, const Node *unit);
/* host_main_add -- when it is, append a PROC that runs it. Other units do not see that one. */
void host_main_add(Compiler *compiler, Node *unit);

#endif
