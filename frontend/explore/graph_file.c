/* graph_file -- the graph of behaviours for other tools. See behaviour_graph.h.
 *
 * Holds:  a state from which nothing leads on is a deadlock, and nothing else is: where a behaviour
 *         has ended in another way a step leads from the state to itself, and says how. */
#include "behaviour_graph.h"
#include "file.h"
#include "text_builder.h"

enum { OUTPUT_BYTES = 60 };

/* How a behaviour has ended, and the list that leads there; or what it has printed. */
static const char *words_of(Arena *arena, const End *end) {
    if (end->schedule) {
        return arena_format(arena, "%s: %s", end_words(end), end->schedule);
    }
    if (end->kind == END_FINISHED && end->text[0]) {
        size_t length = strlen(end->text);
        bool is_long = length > OUTPUT_BYTES;
        return arena_format(arena, "finished, printed '%.*s'", is_long ? OUTPUT_BYTES : (int)length,
                            end->text);
    }
    return end_words(end);
}

/* In double quotes: what both forms read, a line without double quotes and backslashes. */
static void add_quoted(TextBuilder *text, const char *words) {
    text_add(text, "\"");
    for (; *words; words++) {
        unsigned char byte = (unsigned char)*words;
        char shown = byte == '"' ? '\'' : byte < ' ' || byte >= 127 || byte == '\\' ? ' ' : *words;
        text_add(text, "%c", shown);
    }
    text_add(text, "\"");
}

/* ---- Graphviz ---- */

static void add_dot_state(TextBuilder *text, size_t number, const GraphState *state) {
    if (!state->end) {
        text_add(text, "  s%zu [label=\"%zu\"];\n", number, number);
        return;
    }
    text_add(text, "  s%zu [shape=box, label=", number);
    add_quoted(text, words_of(text->arena, state->end));
    text_add(text, "%s];\n", end_is_bad(state->end) ? ", color=red" : "");
}

static void add_dot_edges(TextBuilder *text, const BehaviourGraph *graph, size_t number) {
    const GraphState *state = &graph->states.items[number];
    for (size_t i = 0; i < state->count; i++) {
        const GraphEdge *edge = &graph->edges.items[state->first + i];
        text_add(text, "  s%zu -> s%u [label=", number, edge->target);
        add_quoted(text, graph->labels[edge->label]);
        text_add(text, "];\n");
    }
}

bool graph_write_dot(Arena *arena, const BehaviourGraph *graph, const char *path) {
    TextBuilder text = {.arena = arena};
    text_add(&text, "digraph behaviours {\n  node [shape=circle];\n");
    for (size_t i = 0; i < graph->states.count; i++) {
        add_dot_state(&text, i, &graph->states.items[i]);
        add_dot_edges(&text, graph, i);
    }
    text_add(&text, "}\n");
    return file_write(path, text.items, text.count);
}

/* ---- Aldebaran ---- */

/* Is there a step that says how it has ended? */
static bool says_end(const GraphState *state) {
    return state->end && state->end->kind != END_DEADLOCK;
}

static size_t count_steps(const BehaviourGraph *graph) {
    size_t count = graph->edges.count;
    for (size_t i = 0; i < graph->states.count; i++) {
        count += says_end(&graph->states.items[i]);
    }
    return count;
}

static void add_aut_step(TextBuilder *text, size_t from, const char *label, size_t to) {
    text_add(text, "(%zu, ", from);
    add_quoted(text, label);
    text_add(text, ", %zu)\n", to);
}

bool graph_write_aut(Arena *arena, const BehaviourGraph *graph, const char *path) {
    TextBuilder text = {.arena = arena};
    text_add(&text, "des (0, %zu, %zu)\n", count_steps(graph), graph->states.count);
    for (size_t i = 0; i < graph->states.count; i++) {
        const GraphState *state = &graph->states.items[i];
        for (size_t k = 0; k < state->count; k++) {
            const GraphEdge *edge = &graph->edges.items[state->first + k];
            add_aut_step(&text, i, graph->labels[edge->label], edge->target);
        }
        if (says_end(state)) {
            add_aut_step(&text, i, words_of(arena, state->end), i);
        }
    }
    return file_write(path, text.items, text.count);
}
