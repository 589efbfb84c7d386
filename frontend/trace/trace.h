/* trace -- `occc trace FILE`: what OCC_TRACE=file has recorded, for people and for other tools.
 *
 * Owns:   the command, and the forms of its output: a profile as text, trace events as JSON for
 *         Perfetto and Chrome, a message sequence chart as svg.
 * Leaves: reading to trace_file.h. */
#ifndef OCCC_TRACE_H
#define OCCC_TRACE_H

#include "options.h"
#include "trace_file.h"

#include <stdio.h>

/* trace_run -- exit status. */
int trace_run(Arena *arena, const Options *options);

void trace_profile(FILE *out, const Trace *trace);
void trace_json(FILE *out, const Trace *trace);
void trace_chart(FILE *out, const Trace *trace);

#endif
