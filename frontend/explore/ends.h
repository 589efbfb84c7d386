/* ends -- how behaviours have ended: each distinct end once, with its shortest schedule.
 *
 * Owns:   telling ends apart, counting them, keeping the choices that lead to each; writing them as
 *         a list for OCC_CHOICES (runtime/explore/choice.h).
 * Leaves: what is printed of them to explore.c.
 * Holds:  two behaviours have the same end when exit status and report are the same, and of those
 * that finish all that was printed. */
#ifndef OCCC_ENDS_H
#define OCCC_ENDS_H

#include "program.h"
#include "search.h"

typedef enum EndKind {
    END_FINISHED,
    END_DEADLOCK,
    END_ERROR,
    END_WORLD,   /* exit status 3 */
    END_CRASH,   /* another status, or a signal */
    END_ENDLESS, /* it has used too much processor time without an event */
    END_DEEP     /* it had too many steps: its end is not known */
} EndKind;

/* Choice -- at a step with several events: which, of how many. */
typedef struct EndChoice {
    ExploreEvent event;
    uint32_t chosen;
    uint32_t count;
} EndChoice;

typedef struct End {
    EndKind kind;
    int status;        /* as wait gives it */
    const char *text;  /* the report, or what was printed */
    size_t text_bytes; /* of the whole */
    uint64_t count;
    size_t steps; /* of the shortest schedule */
    EndChoice *choices;
    size_t choice_count;
    const char *schedule; /* the file it was written to; or NULL */
} End;

typedef struct Ends {
    Arena *arena;
    ARRAY_OF(End) items;
} Ends;

/* ends_add -- the run that has just been done had this end. */
End *ends_add(Ends *ends, const Program *program, const Search *search, int status);
bool end_is_bad(const End *end);
/* end_is_cut_short -- did something end the run while others could still go on? */
bool end_is_cut_short(const ExploreRegion *region, int status);
const char *end_words(const End *end);
/* end_write -- its schedule into the file; false: that cannot be written. */
bool end_write(const End *end, const ExploreRegion *region, const char *path, const char *program);

#endif
