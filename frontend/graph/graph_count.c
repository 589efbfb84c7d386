/* graph_count -- the messages of a run, back on the wires they went over. See graph.h.
 *
 * Holds:  a message says at which place of the text it was output. A PROC that is called several
 *         times has one text: each of its calls shows the messages of all. */
#include "graph.h"

static bool is_at(const SourceMap *sources, Location at, const TraceSite *site) {
    const SourceFile *file = site->line == at.line && site->column == at.column && at.file
                                 ? source_file(sources, at.file)
                                 : NULL;
    return file && strcmp(path_name(file->path), path_name(site->file)) == 0;
}

/* The places of the trace that are places of the end; NULL: none. */
static const bool *sites_of(const SourceMap *sources, const NetEnd *end, const Trace *trace) {
    bool *is_there = NULL;
    for (size_t i = 0; i < end->places.count; i++) {
        for (size_t k = 0; k < trace->sites.count; k++) {
            if (is_at(sources, end->places.items[i], &trace->sites.items[k])) {
                is_there =
                    is_there ? is_there : arena_new_array(trace->arena, bool, trace->sites.count);
                is_there[k] = true;
            }
        }
    }
    return is_there;
}

static ptrdiff_t index_of(const Trace *trace, const TraceSite *site) {
    return site ? site - trace->sites.items : -1;
}

static NetTraffic *traffic_between(Network *network, ptrdiff_t output, ptrdiff_t input) {
    for (size_t i = 0; i < network->traffic.count; i++) {
        NetTraffic *traffic = &network->traffic.items[i];
        if (traffic->output == output && traffic->input == input) {
            return traffic;
        }
    }
    NetTraffic made = {output, input, 0};
    array_push(network->arena, &network->traffic, made);
    return &network->traffic.items[network->traffic.count - 1];
}

void graph_count(const SourceMap *sources, Network *network, const Trace *trace) {
    NetTraffic *last = NULL;
    for (size_t i = 0; i < trace->messages.count; i++) {
        const TraceMessage *message = &trace->messages.items[i];
        ptrdiff_t output = index_of(trace, message->output);
        ptrdiff_t input = index_of(trace, message->input);
        if (!last || last->output != output || last->input != input) {
            last = traffic_between(network, output, input);
        }
        last->messages++;
    }
    for (size_t i = 0; i < network->wires.count; i++) {
        const NetWire *wire = network->wires.items[i];
        for (size_t k = 0; k < wire->ends.count; k++) {
            wire->ends.items[k]->sites = sites_of(sources, wire->ends.items[k], trace);
        }
    }
}
