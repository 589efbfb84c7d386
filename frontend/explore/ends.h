/* ends -- how behaviours have ended, as they are shown.
 *
 * Owns:   the kinds of ends, their order and words; writing a schedule as a list for OCC_CHOICES
 *         (runtime/explore/choice.h).
 * Leaves: finding them to the program (runtime/explore/end_table.h), the summary to explore.c. */
#ifndef OCCC_ENDS_H
#define OCCC_ENDS_H

#include "array.h"
#include "program.h"

#include <stdio.h>

typedef enum EndKind {
    END_DEADLOCK,
    END_ERROR,
    END_WORLD,   /* exit status 3 */
    END_CRASH,   /* another status, or a signal */
    END_ENDLESS, /* it has used too much processor time without an event */
    END_FINISHED,
    END_DEEP /* it had too many steps: its end is not known */
} EndKind;

typedef struct End {
    EndKind kind;
    const ExploreEnd *found;
    const char *text;      /* the report, or what was printed */
    const char *schedule;  /* the file it was written to; or NULL */
    const ExploreEnd *way; /* of the behaviour that is shown, which another search may have found */
    const ExploreRegion *region; /* of that search */
    const char *shortness;       /* how short that behaviour is, in words; or NULL */
} End;

typedef struct Ends {
    ARRAY_OF(End) items;
} Ends;

/* ends_collect -- those in the record; bad ones first, then by their steps and text. */
void ends_collect(Ends *ends, Arena *arena, const ExploreRegion *region);
/* ends_count -- of that kind. */
size_t ends_count(const Ends *ends, EndKind kind);
/* ends_find -- of the behaviour that --until has found; false: none was. */
bool ends_find(const ExploreRegion *region, End *end);
bool end_is_bad(const End *end);
const char *end_words(const End *end);
/* end_write -- its schedule into the file; false: that cannot be written. */
bool end_write(const End *end, const char *path, const char *program);
/* end_write_round -- the same of a behaviour without end, in which the choices from `first` to `last`
 * come again and again; `what` says what it is. */
bool end_write_round(const End *end, uint32_t first, uint32_t last, const char *path,
                     const char *program, const char *what);
/* end_write_choices -- the first lines of it, at most so many; how many there are. */
uint32_t end_write_choices(const End *end, FILE *file, uint32_t most);

#endif
