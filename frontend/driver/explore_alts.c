/* explore_alts -- see the header. */
#include "explore_alts.h"

#include "array.h"

typedef struct AltWalk {
    Arena *arena;
    const SourceMap *sources;
    ARRAY_OF(ExploreAlternative) found;
} AltWalk;

static void walk(Node **slot, void *context);

/* The guard, or what of it stands in its first line. */
static const char *text_at(const AltWalk *alts, Location at) {
    size_t length = 0;
    const char *line = source_line(alts->sources, at.file, at.line, &length);
    size_t start = at.column - 1;
    size_t end = at.line == at.end_line ? at.end_column - 1 : length;
    end = end < length ? end : length;
    return start < end ? arena_format(alts->arena, "%.*s", (int)(end - start), line + start) : "";
}

static void add(AltWalk *alts, Location alt, Location guard, uint32_t number, ExploreOrder order) {
    const SourceFile *file = source_file(alts->sources, alt.file);
    if (file->unit == NULL) {
        ExploreAlternative entry = {file->path, alt.line,     alt.column, number,
                                    guard.line, guard.column, order,      text_at(alts, guard)};
        array_push(alts->arena, &alts->found, entry);
    }
}

static ExploreOrder order_of(const Node *alt) {
    return alt->alt.is_pri ? PRI_ALT_ALL : PRI_ALT_NONE;
}

/* The alternatives of the ALT at `outer`, or of one inside of it. */
static void walk_alt(AltWalk *alts, Node *alt, Location outer, ExploreOrder order,
                     uint32_t *number) {
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        Node *alternative = alt->alt.alternatives.items[i];
        Node *guard = alternative->alternative.guard;
        if (guard->kind == NODE_ALT) {
            walk_alt(alts, guard, outer, order == order_of(guard) ? order : PRI_ALT_SOME, number);
            continue;
        }
        add(alts, outer, guard->at, (*number)++, order);
        node_visit_children(alternative, walk, alts);
    }
}

static void walk(Node **slot, void *context) {
    Node *node = *slot;
    if (node->kind == NODE_ALT) {
        uint32_t number = 0;
        walk_alt(context, node, node->at, order_of(node), &number);
    } else {
        node_visit_children(node, walk, context);
    }
}

static void list_files(Arena *arena, const SourceMap *sources, ExploreBounds *bounds) {
    uint32_t count = source_file_count(sources);
    bounds->files = arena_new_array(arena, const char *, count);
    for (uint32_t number = 1; number <= count; number++) {
        const SourceFile *file = source_file(sources, number);
        if (file->unit == NULL) {
            bounds->files[bounds->file_count++] = file->path;
        }
    }
}

void explore_alts(Arena *arena, const SourceMap *sources, Node *tree, ExploreBounds *bounds) {
    list_files(arena, sources, bounds);
    AltWalk alts = {.arena = arena, .sources = sources};
    walk(&tree, &alts);
    bounds->alternatives = alts.found.items;
    bounds->alternative_count = alts.found.count;
}
