/* server -- what the files of the language server share.
 *
 * Holds: one analysis is under way at most; a request about a document waits until its survey is
 *        current, but never longer than WAIT_MOST_MS. */
#ifndef OCCC_SERVER_H
#define OCCC_SERVER_H

#include "analysis.h"
#include "backend.h"
#include "document.h"
#include "options.h"
#include "sizing.h"
#include "transport.h"

enum { WAIT_MOST_MS = 600 };

/* A request that waits for the survey of its document. */
typedef struct Waiting {
    json_t *message;
    int64_t deadline_ms;
} Waiting;

typedef struct Server {
    Arena *arena; /* as long as the server */
    const Options *options;
    Installation installation;
    Transport transport;
    Documents documents; /* the one changed last is the last */
    Analysis analysis;
    Sizing sizing;
    ARRAY_OF(Waiting) waiting;
    const char *workspace; /* the folder that the editor has open; NULL: none */
    bool is_initialized;
    bool is_shut_down;
    bool has_exited;
    bool has_snippets; /* what the editor can do */
    bool has_related;
    bool refreshes_lenses;
    bool wants_sizes; /* it has asked for lenses, or about a routine */
} Server;

int64_t now_ms(void);

/* ---- dispatch.c ---- */

/* server_handle -- a message, which it takes. */
void server_handle(Server *server, json_t *message);
/* server_answer_waiting -- what can be answered now. */
void server_answer_waiting(Server *server);
/* server_next_deadline -- of those that wait; -1: none does. */
int64_t server_next_deadline(const Server *server);

/* ---- workspace.c ---- */

/* workspace_open -- the folder that `initialize` names: its sources are closed documents. */
void workspace_open(Server *server, const json_t *params);
/* workspace_hide -- the editor opens this file: its text is the editor's from now on. */
void workspace_hide(Server *server, const char *path);
/* workspace_show -- the editor has closed it. */
void workspace_show(Server *server, const char *path);
/* workspace_refresh -- files have changed, come or gone. */
void workspace_refresh(Server *server);

/* ---- diagnose.c ---- */

/* diagnose_publish -- what the survey of the document says is wrong. */
void diagnose_publish(Server *server, const Document *document);
/* diagnose_clear -- nothing is wrong any more with what was closed. */
void diagnose_clear(Server *server, const char *uri);
/* diagnose_value -- one diagnostic of the survey. */
json_t *diagnose_value(const Server *server, const Document *document, const Survey *survey,
                       const json_t *diagnostic);
/* diagnose_location -- of a location of json_record, as if in file 1. */
Location diagnose_location(const json_t *value);
/* diagnose_failure -- the compiler came to no end with this text. */
void diagnose_failure(Server *server, const Document *document);

#endif
