/* ast_copy -- a second tree with the same shape, for text that stands for two nodes: the type in
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
#define NAME(x)
#define FLAG(x)
#define NUMBER(x)
#define ENUM(T, x)
#define SYMBOL(x)
#define OTHER(T, x)

Node *node_copy(Arena *arena, const Node *node) {
    if (!node) {
        return NULL;
    }
    Node *copy = arena_copy(arena, node, sizeof *node);
    switch (copy->kind) {
#define NODE(KIND, member, title, FIELDS)                                                          \
    case NODE_##KIND: {                                                                            \
        Ast_##member *fields = &copy->member;                                                      \
        (void)fields;                                                                              \
        FIELDS break;                                                                              \
    }
#include "ast.def"
#undef NODE
    case NODE_KIND_COUNT: bug("node of no kind");
    }
    return copy;
}
