/* ast -- constructors, titles and the walker, all expanded from ast.def and operator.def. */
#include "ast.h"

#include "diag.h"

Node *node_create(Arena *arena, NodeKind kind, Location at) {
    Node *node = arena_new(arena, Node);
    node->kind = kind;
    node->at = at;
    return node;
}

const char *node_title(NodeKind kind) {
    static const char *const titles[] = {
#define NODE(KIND, member, title, FIELDS) title,
#include "ast.def"
#undef NODE
    };
    return titles[kind];
}

const char *operator_spelling(Operator op) {
    static const char *const spellings[] = {
#define OPERATOR(NAME, spelling) spelling,
#include "operator.def"
#undef OPERATOR
    };
    return spellings[op];
}

static void visit_one(Node **child, NodeVisitor *visit, void *context) {
    if (*child) {
        visit(child, context);
    }
}

static void visit_list(NodeList *list, NodeVisitor *visit, void *context) {
    for (size_t i = 0; i < list->count; i++) {
        visit_one(&list->items[i], visit, context);
    }
}

#define CHILD(x)    visit_one(&fields->x, visit, context);
#define OPTIONAL(x) visit_one(&fields->x, visit, context);
#define LIST(x)     visit_list(&fields->x, visit, context);

void node_visit_children(Node *node, NodeVisitor *visit, void *context) {
#include "each_field.def"
}

typedef struct AnySearch {
    NodeTest *test;
    bool is_found;
} AnySearch;

static void search_any(Node **slot, void *context) {
    AnySearch *search = context;
    search->is_found = search->is_found || search->test(*slot);
    if (!search->is_found) {
        node_visit_children(*slot, search_any, search);
    }
}

bool node_any(const Node *node, NodeTest *test) {
    AnySearch search = {test, false};
    Node *found = (Node *)node; /* which the search does not change */
    search_any(&found, &search);
    return search.is_found;
}

Symbol *node_root(const Node *element) {
    for (;;) {
        switch ((int)element->kind) {
        case NODE_NAME: return element->name.symbol;
        case NODE_SUBSCRIPT: element = element->subscript.base; break;
        case NODE_FIELD: element = element->field.base; break;
        case NODE_SEGMENT: element = element->segment.base; break;
        case NODE_END: element = element->end.channel; break;
        default: return NULL;
        }
    }
}

bool node_is_type(const Node *node) {
    switch ((int)node->kind) {
    case NODE_TYPE_PRIMITIVE:
    case NODE_TYPE_NAMED:
    case NODE_TYPE_ARRAY:
    case NODE_TYPE_CHANNEL:
    case NODE_TYPE_PORT:
    case NODE_TYPE_MOBILE:
    case NODE_TYPE_COUNTED:
    case NODE_TYPE_BUFFERED: return true;
    }
    return false;
}

const Node *node_enroll(const Node *component) {
    while (component->kind == NODE_BLOCK) {
        component = component->block.process;
    }
    return component->kind == NODE_ENROLL ? component : NULL;
}

NodeList node_clocks(Node *node) {
    switch ((int)node->kind) {
    case NODE_NEXT: return node->next.clocks;
    case NODE_RESUME: return node->resume.clocks;
    case NODE_DROP: return node->drop.clocks;
    case NODE_SYNC: return (NodeList){&node->sync.element, 1, 1};
    case NODE_RESIGN: return (NodeList){&node->resign.element, 1, 1};
    }
    return (NodeList){NULL, 0, 0};
}
