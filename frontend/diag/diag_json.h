/* diag_json -- diagnostics as JSON values (jansson).
 *
 * Leaves: streams and when to write to diag_sink.c.
 * Holds:  every string is valid UTF-8: other bytes are replaced by U+FFFD. */
#ifndef OCCC_DIAG_JSON_H
#define OCCC_DIAG_JSON_H

#include "diag_print.h"

#include <jansson.h>

/* json_words -- a string; never NULL. */
json_t *json_words(const char *text);

/* One diagnostic for a JSON line:
 *   {"id", "severity", "message", "location", "labels": [{"location", "message"}],
 *    "notes": [{"location", "message"}], "help": [..], "fixits": [{"location", "replacement"}]}
 * a location is {"file", "line", "column", "endLine", "endColumn"}, in characters from 1, end
 * exclusive; it is missing where there is none. */
json_t *json_record(const DiagRecord *record, const SourceMap *sources);

/* What one SARIF run has collected: arrays as the standard names them. */
typedef struct SarifRun {
    json_t *results;
    json_t *rules;
    json_t *artifacts;
    json_t *notifications;
} SarifRun;

void sarif_begin(SarifRun *run);
void sarif_add(SarifRun *run, const DiagRecord *record, const SourceMap *sources);
/* sarif_notify -- a line of the driver or of a tool it ran. */
void sarif_notify(SarifRun *run, const char *level, const char *words);
/* sarif_end -- the whole document (SARIF 2.1.0). */
json_t *sarif_end(SarifRun *run, int status);

#endif
