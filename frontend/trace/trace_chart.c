/* trace_chart -- the first messages of a trace as a message sequence chart (svg): a line downwards
 * for each process, an arrow for each message, in the order of time. The bytes of a text, to the
 * outside or from there, are one arrow. See trace.h. */
#include "trace.h"

#include <string.h>

enum { ROWS_SHOWN = 200, PROCESSES_SHOWN = 24, COLUMN = 150, ROW = 22, TOP = 50, LEFT = 90 };

/* The processes of the chart, in the order in which they come to communicate; column 0 is outside.
 */
typedef struct Chart {
    const TraceProcess *columns[PROCESSES_SHOWN];
    size_t count;
} Chart;

/* Its column; PROCESSES_SHOWN: there is no room for it. */
static size_t column_of(Chart *chart, const TraceProcess *process) {
    for (size_t i = 0; i < chart->count; i++) {
        if (chart->columns[i] == process) {
            return i;
        }
    }
    if (chart->count == PROCESSES_SHOWN) {
        return PROCESSES_SHOWN;
    }
    chart->columns[chart->count] = process;
    return chart->count++;
}

static void put_text(FILE *out, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        default: putc(*text, out);
        }
    }
}

static size_t x_of(size_t column) {
    return LEFT + column * COLUMN;
}

static const char *object_of(const TraceMessage *message) {
    const TraceSite *site = message->output ? message->output : message->input;
    return site ? site->object : "";
}

/* How many messages from this one on are drawn as one. */
static size_t run_from(const Trace *trace, size_t first) {
    const TraceMessage *message = &trace->messages.items[first];
    size_t next = first + 1;
    bool is_outside = !message->from || !message->to;
    while (is_outside && next < trace->messages.count) {
        const TraceMessage *other = &trace->messages.items[next];
        if (other->from != message->from || other->to != message->to ||
            strcmp(object_of(other), object_of(message)) != 0) {
            break;
        }
        next++;
    }
    return next - first;
}

static void put_message(FILE *out, const TraceMessage *message, size_t run, size_t from, size_t to,
                        size_t y) {
    fprintf(out,
            "<line x1=\"%zu\" y1=\"%zu\" x2=\"%zu\" y2=\"%zu\" stroke=\"#335577\" "
            "marker-end=\"url(#tip)\"/>\n<text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\">",
            x_of(from), y, x_of(to), y, (x_of(from) + x_of(to)) / 2, y - 4);
    put_text(out, object_of(message));
    if (run > 1) {
        fprintf(out, " &#215; %zu", run);
    }
    fprintf(out, "</text>\n<text x=\"4\" y=\"%zu\" fill=\"#888888\">%.1f</text>\n", y + 3,
            message->at_us);
}

static void put_processes(FILE *out, const Trace *trace, const Chart *chart, size_t height) {
    for (size_t i = 0; i < chart->count; i++) {
        const TraceProcess *process = chart->columns[i];
        fprintf(out,
                "<line x1=\"%zu\" y1=\"%d\" x2=\"%zu\" y2=\"%zu\" stroke=\"#bbbbbb\"/>\n"
                "<text x=\"%zu\" y=\"20\" text-anchor=\"middle\" font-weight=\"bold\">",
                x_of(i), TOP - 20, x_of(i), height, x_of(i));
        put_text(out, process ? trace_process_name(trace->arena, process) : "outside");
        fputs("</text>\n", out);
    }
}

/* How many arrows are drawn: those before the one that needs a column too many are. */
static size_t lay_out(Chart *chart, const Trace *trace) {
    size_t rows = 0;
    for (size_t i = 0; i < trace->messages.count && rows < ROWS_SHOWN; i += run_from(trace, i)) {
        size_t from = column_of(chart, trace->messages.items[i].from);
        size_t to = column_of(chart, trace->messages.items[i].to);
        rows += from < PROCESSES_SHOWN && to < PROCESSES_SHOWN;
    }
    return rows;
}

void trace_chart(FILE *out, const Trace *trace) {
    Chart chart = {.count = 0};
    size_t rows = lay_out(&chart, trace);
    size_t height = TOP + (rows + 2) * ROW;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" "
            "font-family=\"Helvetica\" font-size=\"11\">\n"
            "<defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"7\" refX=\"8\" "
            "refY=\"3.5\" orient=\"auto\"><path d=\"M0,0 L8,3.5 L0,7 z\" fill=\"#335577\"/>"
            "</marker></defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            x_of(chart.count) + LEFT, height);
    put_processes(out, trace, &chart, height - ROW);
    size_t row = 0;
    size_t shown = 0;
    size_t run;
    for (size_t i = 0; i < trace->messages.count && row < rows; i += run) {
        run = run_from(trace, i);
        const TraceMessage *message = &trace->messages.items[i];
        size_t from = column_of(&chart, message->from);
        size_t to = column_of(&chart, message->to);
        if (from < PROCESSES_SHOWN && to < PROCESSES_SHOWN) {
            put_message(out, message, run, from, to, TOP + row++ * ROW);
            shown += run;
        }
    }
    if (shown < trace->messages.count) {
        fprintf(out,
                "<text x=\"4\" y=\"%zu\">%zu of %zu messages (microseconds on the left)</text>\n",
                height - 6, shown, trace->messages.count);
    }
    fputs("</svg>\n", out);
}
