/* graph -- the command. See the header. */
#include "graph.h"

#include "driver_file.h"
#include "file.h"

typedef enum GraphForm { GRAPH_DOT, GRAPH_SVG, GRAPH_HTML, GRAPH_JSON, GRAPH_UNKNOWN } GraphForm;

static GraphForm form_of(const char *path) {
    static const struct {
        const char *suffix;
        GraphForm form;
    } forms[] = {{".dot", GRAPH_DOT},
                 {".gv", GRAPH_DOT},
                 {".svg", GRAPH_SVG},
                 {".html", GRAPH_HTML},
                 {".json", GRAPH_JSON}};
    if (strcmp(path, "-") == 0) {
        return GRAPH_DOT;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (string_has_suffix(path, forms[i].suffix)) {
            return forms[i].form;
        }
    }
    return GRAPH_UNKNOWN;
}

/* ---- the PROC that is drawn ---- */

static bool is_ours(const Symbol *symbol) {
    const Node *routine = symbol ? symbol->definition : NULL;
    return routine && routine->kind == NODE_PROC && !symbol->is_library &&
           routine->proc.body->kind != NODE_ELSEWHERE;
}

/* That of the name; without a name the last one, as the program begins there. */
static Symbol *find_root(const Node *tree, const char *name) {
    Symbol *found = NULL;
    for (size_t i = 0; i < tree->unit.specs.count; i++) {
        const Node *spec = tree->unit.specs.items[i];
        Symbol *symbol = spec->kind == NODE_PROC ? spec->proc.def->def.symbol : NULL;
        if (is_ours(symbol) && (!name || strcmp(symbol->name->bytes, name) == 0)) {
            found = symbol;
        }
    }
    return found;
}

/* ---- forms ---- */

static char *json_text(Arena *arena, const json_t *value, size_t flags, size_t *size) {
    *size = json_dumpb(value, NULL, 0, flags);
    char *text = arena_allocate(arena, *size + 2);
    json_dumpb(value, text, *size, flags);
    text[*size] = '\n';
    return text;
}

/* The page with the network in the place of its mark. */
static bool write_page(Arena *arena, const Installation *installation, const json_t *network,
                       const char *path) {
    static const char mark[] = "\"@NETWORK@\"";
    FileText page;
    if (!file_read(arena, installation->graph_page, &page)) {
        fatal("cannot read '%s':", installation->graph_page);
    }
    const char *at = strstr(page.bytes, mark);
    if (!at) {
        fatal("'%s' is no page of this compiler", installation->graph_page);
    }
    size_t size;
    /* with its slashes escaped nothing in it ends the script */
    const char *text = json_text(arena, network, JSON_COMPACT | JSON_ESCAPE_SLASH, &size);
    StringBuilder whole = {.arena = arena};
    string_append(&whole, page.bytes, (size_t)(at - page.bytes));
    string_append(&whole, text, size);
    const char *rest = at + sizeof mark - 1;
    string_append(&whole, rest, strlen(rest));
    return file_publish(arena, path, whole.bytes, whole.length);
}

typedef struct Graph {
    Unit *unit;
    Network *network;
    GraphForm form;
    const char *path;
} Graph;

static bool write_graph(Arena *arena, const Options *options, const Installation *installation,
                        const Graph *graph) {
    const SourceMap *sources = graph->unit->compiler.sources;
    const View *view = view_make(graph->network, options->depth);
    switch (graph->form) {
    case GRAPH_JSON: {
        size_t size;
        const char *text =
            json_text(arena, graph_json(sources, graph->network), JSON_INDENT(1), &size);
        return file_publish(arena, graph->path, text, size + 1);
    }
    case GRAPH_HTML:
        return write_page(arena, installation, graph_json(sources, graph->network), graph->path);
    case GRAPH_DOT:
    case GRAPH_SVG: {
        const char *dot = graph_dot(arena, sources, view);
        return graph->form == GRAPH_SVG ? graph_svg(arena, dot, view_is_crowded(view), graph->path)
                                        : file_publish(arena, graph->path, dot, strlen(dot));
    }
    case GRAPH_UNKNOWN: break;
    }
    driver_error("'%s': a graph is a .dot, .svg, .html or .json file", graph->path);
    return false;
}

int graph_run(Arena *arena, const Options *options, const Installation *installation) {
    Graph graph = {.path = options->output ? options->output : "-"};
    graph.form = form_of(graph.path);
    graph.unit = unit_create(arena, options, installation);
    for (size_t i = 0; i < options->inputs.count; i++) {
        array_push(arena, &graph.unit->paths, options->inputs.items[i].word);
    }
    unit_parse(graph.unit);
    bool is_ready = unit_check(graph.unit);
    if (unit_has_errors(graph.unit) || !is_ready) {
        return EXIT_ERRORS;
    }
    Symbol *root = find_root(graph.unit->tree, options->proc);
    graph.network = root ? network_make(&graph.unit->compiler, root) : NULL;
    if (!graph.network && options->proc) {
        driver_error("there is no PROC '%s' at the outermost level of '%s'", options->proc,
                     options->inputs.items[0].word);
    } else if (!graph.network) {
        driver_error("'%s' has no PROC to draw", options->inputs.items[0].word);
    }
    if (graph.network && options->trace) {
        const Trace *trace = trace_read(arena, options->trace);
        if (!trace) {
            return EXIT_ERRORS;
        }
        graph_count(graph.unit->compiler.sources, graph.network, trace);
    }
    return graph.network && write_graph(arena, options, installation, &graph) ? EXIT_OK
                                                                              : EXIT_ERRORS;
}
