/* giant -- routines without loops that are too long for passes of more than linear time. */
#ifndef OCCC_GIANT_H
#define OCCC_GIANT_H

#include "emit.h"

/* Giants -- how much of the unit is in such routines. */
typedef enum Giants {
    GIANTS_NONE,
    GIANTS_SOME, /* some are marked: passes leave them as they are */
    GIANTS_HUGE, /* so long that code for the whole unit is made the quick way too */
} Giants;

/* giants_mark -- before the first pass. */
Giants giants_mark(Emitter *emitter);
/* giants_mark_rest -- when variables have become values and some loops have gone: mark routines
 * that now have no loop and are still too long. */
void giants_mark_rest(Emitter *emitter);

#endif
