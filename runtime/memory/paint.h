/* paint -- proof by test that no process goes below its computed bound (OCC_PAINT=1).
 *
 * Owns:   filling a block with a pattern when it is handed out, finding the deepest byte that was
 *         written when it is given back (or when the program ends), the line of results.
 * Leaves: handing out to block.c, which in this mode gives every block its own allocation with a
 *         painted margin below, so that both hand-out and return pass through C.
 * Holds:  overflow counts the blocks with a written byte below the bound; 0 is the only right
 *         answer. slack is what the bound promised and the process did not use: the reserve of
 *         routines on its deepest path that were not called or did not use all of theirs (a call
 *         that never parked leaves its 8 bytes for the frame register; an ALT that was ready at
 *         once has pushed less), the words of the initial stack when the body needs fewer, and
 *         rounding up to 16 bytes. A byte that happens to be written with the pattern is taken for
 *         untouched: it can only make the slack look larger. */
#ifndef RT_PAINT_H
#define RT_PAINT_H

#include "layout.h"

enum { PAINT_MARGIN_BYTES = 256, PAINT_BYTE = 0xA5 };

typedef struct PaintRecord {
    uint64_t blocks;
    uint64_t overflows;
    size_t slack_min;
    size_t slack_max;
} PaintRecord;

void paint_begin(PaintRecord *record);
void paint_block(char *low, size_t size_bytes);
/* Count a block that has been used. */
void paint_measure(PaintRecord *record, const Process *process, size_t margin_bytes);
/* "occ: stack paint: N blocks, overflow 0, slack min..max" */
void paint_print(const PaintRecord *record);

#endif
