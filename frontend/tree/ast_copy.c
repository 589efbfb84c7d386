/* ast_copy -- a second tree of the same shape, for text that stands for two nodes: the type in
 * `VAL INT a, b`. */
#include "ast.h"
#include "diag.h"

static NodeList copy_list(Arena *arena, const NodeList *list) {
    NodeList copy = {0};
    for (size_t i = 0; i < list->count; i++) {
        array_push(arena, &copy, node_copy(arena, list->items[i]));
    }
    return copy;
}

#define CHILD(x)    fields->x = node_copy(arena, fields->x);
#define OPTIONAL(x) fields->x = node_copy(arena, fields->x);
#define LIST(x)     fields->x = copy_list(arena, &fields->x);

Node *node_copy(Arena *arena, const Node *original) {
    if (!original) {
        return NULL;
    }
    Node *node = arena_copy(arena, original, sizeof *original);
#include "each_field.def"
    return node;
}
