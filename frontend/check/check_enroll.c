/* check_enroll -- ENROLL of an element of an array or record of MOBILE CLOCKs: it gets a name.
 *
 * Owns:   the abbreviation before the PAR; the element is evaluated there, once.
 * Leaves: names to check_clock_name.c, which clock a branch knows to frontend/clock.
 * Holds:  a branch has a variable of its own under a name, so the element must have one. Wherever
 *         it is written in the same way in the PAR that name is meant; what chooses it does not
 *         change there, as for every abbreviation. */
#include "checker.h"

static const char *index_text(Checker *checker, const Node *index) {
    if (index->constant && type_is_integer(index->type)) {
        return arena_format(checker->arena, "%lld", (long long)index->constant->integer);
    }
    return index->kind == NODE_NAME ? index->name.name->bytes : "..";
}

static const char *element_text(Checker *checker, const Node *element) {
    if (element->kind == NODE_NAME) {
        return element->name.name->bytes;
    }
    if (element->kind == NODE_SUBSCRIPT) {
        return arena_format(checker->arena, "%s[%s]",
                            element_text(checker, element->subscript.base),
                            index_text(checker, element->subscript.index));
    }
    return element->kind == NODE_FIELD
               ? arena_format(checker->arena, "%s[%s]", element_text(checker, element->field.base),
                              element->field.name->bytes)
               : "..";
}

static Node *abbreviate(Checker *checker, Node *element) {
    Node *def = node_create(checker->arena, NODE_DEF, element->at);
    def->def.name = text_intern_string(checker->compiler->texts, element_text(checker, element));
    Node *node = node_create(checker->arena, NODE_ABBREVIATION, element->at);
    node->abbreviation.mode = ABBREVIATION_REFERENCE;
    node->abbreviation.def = def;
    node->abbreviation.value = element;
    check_abbreviation(checker, node);
    if (def->def.symbol) {
        def->def.symbol->is_used = true;
    }
    return node;
}

static bool is_error(const Node *node) {
    return node->type && type_is_error(node->type);
}

/* The element as it is before the PAR; NULL after a message. */
static Node *element_before(Checker *checker, const Node *written) {
    Node *element = node_copy(checker->arena, written);
    bool failed = type_is_error(check_element(checker, &element)) || node_any(element, is_error);
    if (failed) {
        diag_hint(checker->diag, "an element to enrol on is chosen before the PAR begins: its "
                                 "branches and their replicator are not known there");
    }
    return failed ? NULL : element;
}

/* Elements that have no name yet. What is wrong with one is reported here alone. */
static void name_elements(Checker *checker, NodeList *clocks, NodeList *specs) {
    size_t kept = 0;
    for (size_t i = 0; i < clocks->count; i++) {
        Node *element = clocks->items[i];
        if (element->kind != NODE_SUBSCRIPT) {
            clocks->items[kept++] = element;
            continue;
        }
        element = element_before(checker, element);
        if (element == NULL) {
            continue;
        }
        clocks->items[kept++] = clocks->items[i];
        if (element->kind != NODE_NAME && type_is_clock(type_content(element->type))) {
            Node *spec = abbreviate(checker, element);
            array_push(checker->arena, specs, spec);
            check_claim_add(checker, spec->abbreviation.value, spec->abbreviation.def->def.symbol);
        }
    }
    clocks->count = kept;
}

static bool has_elements(const NodeList *clocks) {
    for (size_t i = 0; i < clocks->count; i++) {
        if (clocks->items[i]->kind == NODE_SUBSCRIPT) {
            return true;
        }
    }
    return false;
}

static bool enrols_elements(const Node *par) {
    bool found = has_elements(&par->par.enrols);
    for (size_t i = 0; i < par->par.body.count; i++) {
        const Node *enroll = node_enroll(par->par.body.items[i]);
        found = found || (enroll && has_elements(&enroll->enroll.clocks));
    }
    return found;
}

NodeList check_enrolled_elements(Checker *checker, Node *par) {
    NodeList specs = {NULL, 0, 0};
    if (!enrols_elements(par)) {
        return specs;
    }
    name_elements(checker, &par->par.enrols, &specs);
    for (size_t i = 0; i < par->par.body.count; i++) {
        Node *enroll = (Node *)node_enroll(par->par.body.items[i]);
        if (enroll) {
            name_elements(checker, &enroll->enroll.clocks, &specs);
        }
    }
    return specs;
}
