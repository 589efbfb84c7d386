/* end_table -- how behaviours have ended: each distinct end once, with its shortest schedule.
 *
 * Owns:   telling ends apart, counting them, keeping the choices that lead to each.
 * Leaves: what is printed of them to frontend/explore/ends.h.
 * Holds:  two behaviours have the same end when exit status and report are the same, and of those
 *         that finish all that was printed. In common memory, under its lock. */
#ifndef RT_END_TABLE_H
#define RT_END_TABLE_H

#include "search.h"

void end_table_begin(ExploreRegion *region);
/* The run had that end: status as wait gives it; text is what it printed, or the report, text_bytes
 * are those of the whole, of which EXPLORE_TEXT_BYTES are there at most. */
ExploreEnd *end_table_add(const SearchRun *run, int status, const char *text, size_t text_bytes);
/* That run is the one that was looked for (--until): it is kept by itself. */
void end_table_find(const SearchRun *run, int status, const char *text, size_t text_bytes);
/* Has something else than its own last step ended the run? */
bool end_is_cut_short(const SearchRun *run, int status);

#endif
