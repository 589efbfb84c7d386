/* graph_dot -- a view of a network in Graphviz's language. See graph.h.
 *
 * Holds: every name goes through `quoted`: occam's have dots, texts may have quotes. */
#include "graph.h"

#include "view.h"

#include <inttypes.h>

typedef struct DotWriter {
    const View *view;
    const SourceMap *sources;
    StringBuilder out;
} DotWriter;

static void append_quoted(StringBuilder *out, const char *text) {
    string_append(out, "\"", 1);
    for (; *text; text++) {
        if (*text == '\n') {
            string_append(out, "\\n", 2);
        } else {
            if (*text == '"' || *text == '\\') {
                string_append(out, "\\", 1);
            }
            string_append(out, text, 1);
        }
    }
    string_append(out, "\"", 1);
}

static void append_attribute(DotWriter *writer, const char *name, const char *value) {
    string_append_format(&writer->out, " %s=", name);
    append_quoted(&writer->out, value);
}

static const char *place_text(DotWriter *writer, Location at) {
    const SourceFile *file = at.file ? source_file(writer->sources, at.file) : NULL;
    return file ? arena_format(writer->out.arena, "%s:%" PRIu32 ":%" PRIu32, file->path, at.line,
                               at.column)
                : "";
}

/* ---- boxes ---- */

static bool stands_for_many(const NetBox *box) {
    return box->count_text || box->folded_text;
}

static const char *box_title(DotWriter *writer, const NetBox *box) {
    Arena *arena = writer->out.arena;
    const char *title = box->title;
    if (box->kind == BOX_FORK) {
        title = arena_format(arena, "%s\nforked", title);
    } else if (box->count_text) {
        title = arena_format(arena, "%s\n× %s", title, box->count_text);
    }
    if (box->folded_text) {
        title = arena_format(arena, "%s\n× %s", title, box->folded_text);
    }
    size_t hidden = view_hidden(writer->view, box);
    if (hidden) {
        title = arena_format(arena, "%s\n(%zu inside)", title, hidden);
    }
    return box->is_recursive ? arena_format(arena, "%s\nrecursive", title)
           : box->is_closed  ? arena_format(arena, "%s\n(not opened)", title)
                             : title;
}

static const char *box_style(const NetBox *box) {
    return box->kind == BOX_FORK   ? "rounded,filled,dashed"
           : box->kind == BOX_REST ? "rounded,dotted"
                                   : "rounded,filled";
}

static void write_leaf(DotWriter *writer, const NetBox *box) {
    string_append_format(&writer->out, "b%" PRIu32 " [", box->id);
    append_attribute(writer, "label", box_title(writer, box));
    append_attribute(writer, "tooltip", place_text(writer, box->at));
    if (box->kind == BOX_OUTSIDE) {
        string_append_format(&writer->out, " shape=plaintext");
    } else {
        append_attribute(writer, "style", box_style(box));
        if (stands_for_many(box)) {
            string_append_format(&writer->out, " peripheries=2");
        }
        if (view_hidden(writer->view, box)) {
            string_append_format(&writer->out, " fillcolor=\"#d5deee\"");
        }
    }
    string_append_format(&writer->out, "];\n");
}

static const char *wire_kind_name(WireKind kind) {
    switch (kind) {
    case WIRE_CHANNEL: return "CHAN";
    case WIRE_BUNDLE: return "CHAN TYPE";
    case WIRE_CLOCK: return "CLOCK";
    case WIRE_BARRIER: return "BARRIER";
    case WIRE_OBJECT: return "";
    }
    return "";
}

static void write_bar_node(DotWriter *writer, const ViewBar *bar) {
    const NetWire *wire = bar->wire;
    bool is_bar = wire->kind >= WIRE_CLOCK;
    const char *kind = wire->kind == WIRE_OBJECT ? wire->type : wire_kind_name(wire->kind);
    bool is_nameless = strcmp(kind, wire->name) == 0; /* it came in a message */
    const char *label =
        is_nameless ? kind
        : wire->kind == WIRE_CHANNEL
            ? arena_format(writer->out.arena, "%s%s%s: %s", wire->is_shared ? "SHARED " : "",
                           wire->name, wire->extent, wire->type)
            : arena_format(writer->out.arena, "%s %s%s", kind, wire->name, wire->extent);
    string_append_format(&writer->out, "w%" PRIu32 " [", wire->id);
    append_attribute(writer, "label", label);
    append_attribute(writer, "tooltip", place_text(writer, wire->at));
    string_append_format(&writer->out,
                         is_bar ? " shape=box style=filled fillcolor=\"#444444\" "
                                  "fontcolor=white height=0.2 width=1.2"
                                : " shape=cds style=filled fillcolor=\"#f6e7c1\" height=0.3");
    string_append_format(&writer->out, "];\n");
}

static void write_box(DotWriter *writer, const NetBox *box);

static void write_inside(DotWriter *writer, const NetBox *box) {
    const View *view = writer->view;
    for (size_t i = 0; i < box->children.count; i++) {
        if (view->is_drawn[box->children.items[i]->id]) {
            write_box(writer, box->children.items[i]);
        }
    }
    for (size_t i = 0; i < view->bars.count; i++) {
        if (view->bars.items[i]->within == box) {
            write_bar_node(writer, view->bars.items[i]);
        }
    }
}

static void write_box(DotWriter *writer, const NetBox *box) {
    if (!writer->view->is_open[box->id]) {
        write_leaf(writer, box);
        return;
    }
    string_append_format(&writer->out, "subgraph cluster%" PRIu32 " {\n", box->id);
    append_attribute(writer, "label", box_title(writer, box));
    append_attribute(writer, "tooltip", place_text(writer, box->at));
    append_attribute(writer, "style", box->kind == BOX_FORK ? "rounded,dashed" : "rounded");
    string_append_format(&writer->out, " color=\"#7788aa\" penwidth=%d;\n",
                         stands_for_many(box) ? 3 : 1);
    write_inside(writer, box);
    string_append_format(&writer->out, "}\n");
}

/* ---- arrows ---- */

static const char *arrow_text(DotWriter *writer, const ViewArrow *arrow, size_t limit) {
    StringBuilder text = {.arena = writer->out.arena};
    for (size_t i = 0; i < arrow->labels.count && i < limit; i++) {
        string_append_format(&text, "%s%s", i ? "\n" : "", arrow->labels.items[i]);
    }
    if (arrow->labels.count > limit) {
        string_append_format(&text, "\nand %zu more", arrow->labels.count - limit);
    }
    return text.bytes ? text.bytes : "";
}

static void write_arrow(DotWriter *writer, const ViewArrow *arrow) {
    enum { SHOWN = 3, TOLD = 40 };
    string_append_format(&writer->out, "b%" PRIu32 " -> b%" PRIu32 " [", arrow->from->id,
                         arrow->to->id);
    if (!view_is_crowded(writer->view)) {
        append_attribute(writer, "label", arrow_text(writer, arrow, SHOWN));
    }
    append_attribute(writer, "tooltip", arrow_text(writer, arrow, TOLD));
    append_attribute(writer, "labeltooltip", arrow_text(writer, arrow, TOLD));
    if (arrow->kind == WIRE_BUNDLE) {
        string_append_format(&writer->out, " dir=both arrowtail=dot color=\"#8a5a00\"");
    }
    unsigned width = arrow->messages ? (unsigned)(64 - __builtin_clzll(arrow->messages)) / 3 : 0;
    if (width > 1) { /* hot ones are thick */
        string_append_format(&writer->out, " penwidth=%u", width);
    } else if (arrow->is_shared) {
        string_append_format(&writer->out, " style=bold");
    }
    if (arrow->is_mobile) {
        string_append_format(&writer->out, " style=dashed");
    }
    string_append_format(&writer->out, "];\n");
}

static void write_spokes(DotWriter *writer, const ViewBar *bar) {
    for (size_t i = 0; i < bar->spokes.count; i++) {
        const ViewSpoke *spoke = &bar->spokes.items[i];
        bool comes_out = spoke->direction == DIRECTION_INPUT;
        uint32_t first = comes_out ? bar->wire->id : spoke->box->id;
        uint32_t second = comes_out ? spoke->box->id : bar->wire->id;
        string_append_format(&writer->out, "%c%" PRIu32 " -> %c%" PRIu32 " [style=dashed%s];\n",
                             comes_out ? 'w' : 'b', first, comes_out ? 'b' : 'w', second,
                             spoke->direction == DIRECTION_NONE ? " dir=none" : "");
    }
}

/* ---- the whole ---- */

static void write_head(DotWriter *writer) {
    string_append_format(
        &writer->out,
        "digraph network {\n"
        "rankdir=LR; compound=true; fontname=\"Helvetica\"; fontsize=11; nodesep=0.25; "
        "ranksep=0.6;\n"
        "node [shape=box style=\"rounded,filled\" fillcolor=\"#eef2fa\" color=\"#7788aa\" "
        "fontname=\"Helvetica\" fontsize=11 margin=\"0.12,0.06\" height=0.35];\n"
        "edge [fontname=\"Helvetica\" fontsize=9 color=\"#335577\" arrowsize=0.7];\n");
}

const char *graph_dot(Arena *arena, const SourceMap *sources, const View *view) {
    DotWriter writer = {.view = view, .sources = sources, .out = {.arena = arena}};
    const Network *network = view->network;
    write_head(&writer);
    for (size_t i = 0; i < network->boxes.count; i++) {
        if (!network->boxes.items[i]->parent) {
            write_box(&writer, network->boxes.items[i]);
        }
    }
    for (size_t i = 0; i < view->bars.count; i++) {
        if (!view->bars.items[i]->within) {
            write_bar_node(&writer, view->bars.items[i]);
        }
    }
    for (size_t i = 0; i < view->arrows.count; i++) {
        write_arrow(&writer, view->arrows.items[i]);
    }
    for (size_t i = 0; i < view->bars.count; i++) {
        write_spokes(&writer, view->bars.items[i]);
    }
    string_append_format(&writer.out, "}\n");
    return writer.out.bytes;
}
