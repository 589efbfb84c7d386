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

/* diag_is_of_statement -- a slip inside of one statement: all other lines are what they seem. */
bool diag_is_of_statement(DiagId id);
/* diag_follow_check -- true when this error follows from another; otherwise it is remembered. */
bool diag_follow_check(DiagFollow *follow, Arena *arena, const SourceMap *sources, DiagId id,
                       Location where, const char *message);

#endif
