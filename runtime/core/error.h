/* error -- the program is wrong: say what, where, in which process, and end.
 *
 * Owns:   the wording of a run-time error from error.def, the process path.
 * Leaves: ending to ending.h, names and frames to backtrace.h.
 * Holds:  everything that was output is written before the report. The report is
 *             prog.occ:41:5: error: index 9 out of range 0..7 for 'buf'
 *               in PROC buffer [3], called from stage; branch of network; branch of main
 *         [3] is the replicator's value of a branch of a replicated PAR. Exit status 1; 3 when
 *         memory was wanted. Of a closed channel both sides are named:
 *             prog.occ:20:7: note: it was closed here, in PROC source */
#ifndef RT_ERROR_H
#define RT_ERROR_H

#include "layout.h"

/* Why a routine of the library ends the program: words, and lines that follow them, or "". */
typedef struct ErrorWords {
    const char *words;
    const char *lines;
} ErrorWords;

/* Only report it. */
void rt_error_report(Process *me, ErrorKind kind, const Site *site, int64_t a, int64_t b,
                     int64_t c);
void rt_error_report_closed(Process *me, const Site *site, const Site *close);
/* Report it and end; the site may be of another kind of error. */
_Noreturn void rt_error_at(Process *me, ErrorKind kind, const Site *site, int64_t a, int64_t b,
                           int64_t c);
/* The channel used at `site` was closed at `close`. */
_Noreturn void rt_error_closed(Process *me, const Site *site, const Site *close);
_Noreturn void rt_error_assertion(Process *me, const Site *site, const ErrorWords *words);
/* site may be NULL: the memory was not for a place in the text. */
_Noreturn void rt_error_no_memory(Process *me, const Site *site, size_t size_bytes);

#endif
