/* ast_check -- checks the tree against ast.def: every required child is there.
 *
 * Leaves: which kinds may stand where to the grammar and the checks; when to check to pass.h. */
#include "ast.h"
#include "diag.h"

static void check_child(const Node *parent, const char *member, const Node *child) {
    if (!child) {
        bug("%s (file %u, line %u) has no '%s'", node_title(parent->kind), parent->at.file,
            parent->at.line, member);
    }
    ast_check(child);
}

static void check_list(const Node *parent, const char *member, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        check_child(parent, member, list->items[i]);
    }
}

static void check_optional(const Node *child) {
    if (child) {
        ast_check(child);
    }
}

#define CHILD(x)         check_child(node, #x, fields->x);
#define OPTIONAL(x)      check_optional(fields->x);
#define LIST(x)          check_list(node, #x, &fields->x);
#define FIELDS_QUALIFIER const

void ast_check(const Node *node) {
#include "each_field.def"
}
