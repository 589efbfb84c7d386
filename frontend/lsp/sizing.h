/* sizing -- how much memory the routines of a text need, found out by making code of it.
 *
 * Owns:  the child that does so, the only one that loads libLLVM, and the pipe it answers through.
 * Holds: one is under way at most, of a text that has no errors, after it was opened or saved, and
 *        only when the editor has asked for lenses or about a routine. The sizes are those of the options' -O. */
#ifndef OCCC_SIZING_H
#define OCCC_SIZING_H

#include "document.h"

#include <sys/types.h>

typedef struct Sizing {
    Document *document; /* NULL: none is under way */
    pid_t child;
    int pipe;
    Arena *arena; /* of what has come */
    const char *text;
} Sizing;

struct Server;

/* sizing_start -- if some document needs it. */
void sizing_start(struct Server *server);
/* sizing_read -- more has come. */
void sizing_read(struct Server *server);
/* sizing_cancel -- of this document, NULL: of any. */
void sizing_cancel(struct Server *server, const Document *document);
/* sizing_words -- "stack 120 bytes, process 256"; NULL: not known. */
const char *sizing_words(Arena *arena, const Document *document, const char *routine);

#endif
