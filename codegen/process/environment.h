/* environment -- the names used in parts of a routine that are routines of their own: branches of a
 * PAR, parts of a long SEQ or IF.
 *
 * Holds:  their values lie in a record in the frame of the routine, 8 bytes each, filled once: what
 *         may change is there by its address (capture.c). */
#ifndef OCCC_ENVIRONMENT_H
#define OCCC_ENVIRONMENT_H

#include "../../frontend/base/name_map.h"
#include "emit.h"

typedef struct Environment {
    LLVMValueRef record;
    ARRAY_OF(Symbol *) names; /* captured by any part */
    NameMap places;    /* Symbol * -> size_t, its place in names plus 1; arena set by users */
    unsigned *offsets; /* of each name's first value in the record */
} Environment;

/* environment_add -- the names of one part. */
void environment_add(Emitter *emitter, Environment *environment, const ParInfo *info, size_t part);
/* environment_lay_out -- when all parts are added; `header`: bytes before the values. */
void environment_lay_out(Emitter *emitter, Environment *environment, unsigned header);
void environment_fill(Emitter *emitter, Environment *environment);
/* environment_bind -- in the routine of the part, whose second parameter is the record: bind the
 * names of the part. Debuggers see them as parameters from `argument` on. */
void environment_bind(Emitter *emitter, Environment *environment, const ParInfo *info, size_t part,
                      unsigned argument);

#endif
