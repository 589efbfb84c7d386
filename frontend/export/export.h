/* export -- `occc export`: what the processes of a program say to each other, for other tools.
 *
 * Owns:   the command: which PROC, where the text goes.
 * Leaves: the text to promela.h, csp.h. */
#ifndef OCCC_EXPORT_H
#define OCCC_EXPORT_H

#include "driver.h"

/* export_run -- exit status. */
int export_run(Arena *arena, const Options *options, const Installation *installation);

#endif
