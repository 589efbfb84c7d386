/* diag_follow -- errors that are consequences of errors reported before. */
#ifndef OCCC_DIAG_FOLLOW_H
#define OCCC_DIAG_FOLLOW_H

#include "array.h"
#include "diag.h"

/* An error that was shown. */
typedef struct DiagSaid {
    DiagId id;
    Location where;
    const char *message;
} DiagSaid;

typedef struct DiagFollow {
    ARRAY_OF(DiagSaid) structure;  /* where blocks were found wrong */
    ARRAY_OF(Location) components; /* lines above a block that could not be read */
    ARRAY_OF(DiagSaid) said;
} DiagFollow;

/* diag_is_of_statement -- a slip inside one statement, which does not affect other lines. */
bool diag_is_of_statement(DiagId id);
/* diag_follow_check -- true if this error follows from another; otherwise remembers it. */
bool diag_follow_check(DiagFollow *follow, Arena *arena, const SourceMap *sources, DiagId id,
                       Location where, const char *message);

#endif
