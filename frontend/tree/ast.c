/* ast -- constructors, titles and the walker, all expanded from ast.def and operator.def. */
#include "ast.h"

#include "diag.h"

#include <string.h>

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
    Node *found = (Node *)node; /* the search does not change it */
    search_any(&found, &search);
    return search.is_found;
}

const Node *element_base(const Node *element) {
    if (element->kind == NODE_SUBSCRIPT) {
        return element->subscript.base;
    }
    if (element->kind == NODE_FIELD) {
        return element->field.base;
    }
    if (element->kind == NODE_SEGMENT) {
        return element->segment.base;
    }
    return element->kind == NODE_END ? element->end.channel : NULL;
}

const Node *element_root(const Node *element) {
    const Node *base = element_base(element);
    while (base) {
        element = base;
        base = element_base(element);
    }
    return element;
}

Symbol *node_root(const Node *element) {
    const Node *root = element_root(element);
    return root->kind == NODE_NAME ? root->name.symbol : NULL;
}

const NodeList *node_formals(const Node *routine) {
    return routine->kind == NODE_PROC ? &routine->proc.formals : &routine->function.formals;
}

struct ProcInfo *node_info(const Node *routine) {
    return routine->kind == NODE_PROC ? routine->proc.info : routine->function.info;
}

Node *node_def(const Node *routine) {
    return routine->kind == NODE_PROC ? routine->proc.def : routine->function.def;
}

Node *node_body(const Node *routine) {
    return routine->kind == NODE_PROC ? routine->proc.body : routine->function.body;
}

bool node_is_foreign(const Node *specification) {
    bool is_routine = specification->kind == NODE_PROC || specification->kind == NODE_FUNCTION;
    const Node *body = is_routine ? node_body(specification) : NULL;
    return body && body->kind == NODE_ELSEWHERE && strchr("cbx", body->elsewhere.text->bytes[0]);
}

bool node_list_has_broken(const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i]->kind == NODE_BROKEN) {
            return true;
        }
    }
    return false;
}

const char *direction_mark(Direction direction) {
    switch (direction) {
    case DIRECTION_NONE: return "";
    case DIRECTION_INPUT: return "?";
    case DIRECTION_OUTPUT: return "!";
    }
    return "";
}

Symbol *node_formal(const NodeList *formals, size_t index) {
    const Node *formal = index < formals->count ? formals->items[index] : NULL;
    return formal && formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
}

bool node_is_type(const Node *node) {
    return node->kind >= NODE_TYPE_PRIMITIVE && node->kind <= NODE_TYPE_BUFFERED;
}

Node *node_last_proc(const Node *unit) {
    for (size_t i = unit->kind == NODE_UNIT ? unit->unit.specs.count : 0; i > 0; i--) {
        Node *node = unit->unit.specs.items[i - 1];
        if (node->kind == NODE_PROC && node->proc.body->kind != NODE_ELSEWHERE) {
            return node;
        }
    }
    return NULL;
}

const Node *node_enroll(const Node *component) {
    while (component->kind == NODE_BLOCK) {
        component = component->block.process;
    }
    return component->kind == NODE_ENROLL ? component : NULL;
}

NodeList node_clocks(Node *node) {
    Node **const one = node->kind == NODE_SYNC     ? &node->sync.element
                       : node->kind == NODE_RESIGN ? &node->resign.element
                                                   : NULL;
    if (one) {
        return (NodeList){one, 1, 1};
    }
    return node->kind == NODE_NEXT     ? node->next.clocks
           : node->kind == NODE_RESUME ? node->resume.clocks
           : node->kind == NODE_DROP   ? node->drop.clocks
                                       : (NodeList){NULL, 0, 0};
}
