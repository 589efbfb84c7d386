/* end_table -- how behaviours have ended: each distinct end once, with its shortest schedule.
 *
 * Owns:   telling ends apart, counting them, keeping the choices that lead to each.
 * Leaves: printing them to frontend/explore/ends.h.
 * Holds:  two behaviours have the same end when exit status and report are equal and, if they
 *         finish, all output too. In common memory, under its lock. */
#ifndef RT_END_TABLE_H
#define RT_END_TABLE_H

#include "search.h"

void end_table_begin(ExploreRegion *region);
/* Add the end of a run. status: as from wait; text: its output, or the report; text_bytes: its full
 * size, of which at most EXPLORE_TEXT_BYTES are there. */
ExploreEnd *end_table_add(const SearchRun *run, int status, const char *text, size_t text_bytes);
/* This run is the one that was looked for (--until): keep it separately. */
void end_table_find(const SearchRun *run, int status, const char *text, size_t text_bytes);
/* Did something other than its own last step end the run? */
bool end_is_cut_short(const SearchRun *run, int status);

#endif
