/* top -- `occc top PID`: what the processes of a running program do, as a table, once a second.
 *
 * Owns:   the command, and the table.
 * Leaves: looking into the program to top_look.h.
 * Holds:  on a terminal it goes on until the program ends; elsewhere one table is written, after a
 *         second in which messages are counted. The program is not stopped and notices nothing. So
 *         what is seen is never quite of one moment: whatever does not fit together is left out. */
#ifndef OCCC_TOP_H
#define OCCC_TOP_H

#include "options.h"

/* top_run -- exit status. */
int top_run(Arena *arena, const Options *options);

#endif
