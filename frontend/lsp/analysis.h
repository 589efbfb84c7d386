/* analysis -- a text read and checked, in a process of its own.
 *
 * Owns:  the child and the pipe that its survey comes through.
 * Holds: the child checks as `occc check` does, with the buffers of the editor in the place of
 *        files, so the diagnostics are the same. It gets ANALYSIS_SECONDS; what it does, a crash
 *        too, is its own. */
#ifndef OCCC_ANALYSIS_H
#define OCCC_ANALYSIS_H

#include "document.h"
#include "options.h"

#include <sys/types.h>

enum { ANALYSIS_SECONDS = 30, TRIAL_SECONDS = 2 };

typedef struct Analysis {
    Document *document; /* NULL: none is under way */
    pid_t child;
    int pipe;
    Arena *arena; /* of what has come */
    char *bytes;
    size_t length;
    size_t capacity;
} Analysis;

struct Server;

/* analysis_child -- what a child does first. */
void analysis_child(pid_t parent);
/* analysis_unit -- of a document, with the buffers of the editor in the place of files; `text`: as
 * the document would be, NULL: as it is. */
struct Unit *analysis_unit(Arena *arena, const Options *options, const struct Server *server,
                           const Document *document, const char *text);
/* analysis_start -- of the document as it is now. */
void analysis_start(struct Server *server, Document *document);
/* analysis_read -- more has come. True: it is over, and the document has what came of it. */
bool analysis_read(struct Server *server);
/* analysis_try -- another text of the document would have no errors. Waits for the answer. */
bool analysis_try(struct Server *server, const Document *document, const char *text);
/* analysis_cancel -- nobody wants to know any more. */
void analysis_cancel(Analysis *analysis);

#endif
