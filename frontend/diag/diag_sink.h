/* diag_sink -- where diagnostics for programs go: JSON lines, or one SARIF document.
 *
 * Owns:  the stream of -fdiagnostics-format=json, sarif-stderr and sarif-file; one sink serves all
 *        units of the command line.
 * Holds: nothing else is written to that stream. While a sink to standard error is open, descriptor
 *        2 is a file in memory; what the driver, the linker or anybody writes there becomes part of
 *        the output when the sink is closed, at the latest when the process exits. */
#ifndef OCCC_DIAG_SINK_H
#define OCCC_DIAG_SINK_H

#include "diag_print.h"

#include <jansson.h>

/* diag_sink_open -- NULL for DIAG_FORMAT_TEXT. The file of sarif-file is named after `source`,
 * without folders, with .sarif. */
DiagSink *diag_sink_open(DiagFormat format, const char *source);
/* diag_sink_collect -- a sink without a stream, for a caller in this process: each diagnostic is
 * appended to the JSON array `into`, as diag_json.h has it. */
DiagSink *diag_sink_collect(Arena *arena, json_t *into);
void diag_sink_take(DiagSink *sink, const DiagRecord *record, const SourceMap *sources);
/* diag_sink_close -- write what is left; `status` is the exit status. NULL or closed: no effect. */
void diag_sink_close(DiagSink *sink, int status);

#endif
