/* giant -- routines without loops, too long for passes that take more than linear time. */
#ifndef OCCC_GIANT_H
#define OCCC_GIANT_H

#include "emit.h"

/* Giants -- how much of the unit they are. */
typedef enum Giants {
    GIANTS_NONE,
    GIANTS_SOME, /* marked: passes leave them as they are */
    GIANTS_HUGE, /* so long that code for the whole unit is made the short way too */
} Giants;

/* giants_mark -- before the first pass. */
Giants giants_mark(Emitter *emitter);
/* giants_mark_rest -- once variables are values and loops have gone away: routines that now have
 * none, and are still too long. */
void giants_mark_rest(Emitter *emitter);

#endif
