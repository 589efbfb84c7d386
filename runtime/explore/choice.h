/* choice -- who decides what happens next, when more than one thing can.
 *
 * Owns:   OCC_CHOICES, a list of choices in a file; whether OCC_EXPLORE asks for every behaviour.
 * Leaves: what can happen to gate.h, exploring to runner.h.
 * Holds:  after the end of the list the first event is taken, or the choices behind "again" once
 *         more. A list that does not fit the program ends it with a message and status 3.
 *
 * The file: "occ-choices 1", then a line for each step at which more than one event was possible:
 * chosen/count, counted from 1; the rest of the line is a comment, as is a line that begins with
 * '#'. After the last choice those behind a line "again" are repeated for ever. */
#ifndef RT_CHOICE_H
#define RT_CHOICE_H

/* Before the root process: read the list. In a program that is explored this returns once for each
 * run, in a process of its own. */
void choice_begin(void);

#endif
