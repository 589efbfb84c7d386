/* graph -- `occc graph FILE`: the network of a program as a picture.
 *
 * Owns:   the command, and the forms of its output: dot, svg, html, json.
 * Leaves: which network that is to network.h, what of it is drawn to view.h, where boxes lie to
 *         Graphviz's dot (svg) and to the page itself (html).
 * Holds:  the program is checked as by `occc check`; what has errors is not drawn. */
#ifndef OCCC_GRAPH_H
#define OCCC_GRAPH_H

#include "driver.h"
#include "trace_file.h"
#include "view.h"

#include <jansson.h>

/* graph_run -- exit status. */
int graph_run(Arena *arena, const Options *options, const Installation *installation);

/* ---- graph_dot.c, graph_json.c ---- */
const char *graph_dot(Arena *arena, const SourceMap *sources, const View *view);
json_t *graph_json(const SourceMap *sources, const Network *network);

/* ---- graph_count.c ---- */
/* graph_count -- how many messages of the run went over each wire. */
void graph_count(const SourceMap *sources, Network *network, const Trace *trace);

/* ---- graph_svg.c ---- */
/* graph_has_layout -- Graphviz's dot is on the path. */
bool graph_has_layout(void);
/* graph_svg -- what Graphviz makes of `dot`, into the file `path`; false after a message.
 * is_crowded: by forces, as its layers take hours. */
bool graph_svg(Arena *arena, const char *dot, bool is_crowded, const char *path);

#endif
