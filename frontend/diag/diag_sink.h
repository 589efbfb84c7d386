/* diag_sink -- where diagnostics go that programs read: JSON lines, or one SARIF document.
 *
 * Owns:  the stream of -fdiagnostics-format=json, sarif-stderr and sarif-file; one sink serves all
 *        units of the command line.
 * Holds: nothing else comes onto that stream. While a sink that writes to standard error is open,
 *        descriptor 2 leads into memory; what the driver, the linker or anybody wrote there becomes
 *        part of the output when the sink is closed. It is closed too when the process exits. */
#ifndef OCCC_DIAG_SINK_H
#define OCCC_DIAG_SINK_H

#include "diag_print.h"

#include <jansson.h>

/* diag_sink_open -- NULL for DIAG_FORMAT_TEXT. `source` names the file of sarif-file: its name
 * without folders, and .sarif. */
DiagSink *diag_sink_open(DiagFormat format, const char *source);
/* diag_sink_collect -- a sink without a stream, for a caller in this process: each diagnostic is
 * appended to the JSON array `into`, as diag_json.h has it. */
DiagSink *diag_sink_collect(Arena *arena, json_t *into);
void diag_sink_take(DiagSink *sink, const DiagRecord *record, const SourceMap *sources);
/* diag_sink_close -- writes what is left; `status` is the exit status. Again, or NULL: nothing. */
void diag_sink_close(DiagSink *sink, int status);

#endif
