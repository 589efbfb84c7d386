/* link_units -- do the linked units fit together, and which of them is the program?
 *
 * Holds: an object compiled with -c whose last PROC could be a main PROC has a record for it under
 *        a name of its own; the program is the one that no other unit uses. */
#ifndef OCCC_LINK_UNITS_H
#define OCCC_LINK_UNITS_H

#include "link.h"
#include "link_input.h"

#define PROGRAM_SYMBOL "occ_program"

/* link_units_check -- NULL, or what does not fit, naming both units. */
const char *link_units_check(Arena *arena, const LinkInput *input);
/* link_units_main -- *symbols: the program's record; if there may be many programs, the records of
 * all. Returns NULL, or why there is no program. */
const char *link_units_main(Arena *arena, const LinkInput *input, bool may_be_many,
                            LinkWords *symbols);

#endif
