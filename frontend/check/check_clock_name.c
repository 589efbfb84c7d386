/* check_clock_name -- the processes of CLOCK and BARRIER: which names stand there.
 *
 * Leaves: states, and who is enrolled, to check_clock.c.
 * Holds:  what remains in the lists of these nodes is a NAME of a clock, or an element that is a
 *         MOBILE one (ENROLL: a NAME); others are taken out. */
#include "checker.h"

/* A name, or an element that is a MOBILE one. False after a message. */
static bool check_clock_name(Checker *checker, Node **slot, const char *wanted) {
    const Type *type = check_element(checker, slot);
    element_mark_used(*slot);
    if (type_is_error(type)) {
        return false;
    }
    if (!type_is_clock(type_content(type))) {
        diag_report(checker->diag, DIAG_CLOCK_NAME, (*slot)->at, wanted,
                    type_name(checker->arena, type));
        if (node_root(*slot) != NULL) {
            symbol_label(checker, node_root(*slot), "is declared here");
        }
        return false;
    }
    element_mark_read(*slot);
    return true;
}

bool report_clock_no_data(Checker *checker, const Node *node, const Type *type) {
    const Type *leaf = type_leaf(type);
    if (!type_is_clock(leaf)) {
        return false;
    }
    diag_report(checker->diag, DIAG_CLOCK_NO_DATA, node->at, type_name(checker->arena, leaf));
    const Symbol *symbol = node_is_type(node) ? NULL : node_root(node);
    if (symbol != NULL) {
        symbol_label(checker, symbol, "is declared here");
    }
    diag_hint(checker->diag,
              "a MOBILE %s can be assigned, sent, stored and given to a FORKed process",
              type_name(checker->arena, leaf));
    return true;
}

/* False when nothing is left of what was named. */
static bool check_clock_names(Checker *checker, NodeList *list, const char *wanted) {
    bool names_some = list->count > 0;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (check_clock_name(checker, &list->items[i], wanted)) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
    return kept > 0 || !names_some;
}

void check_enrols(Checker *checker, NodeList *clocks) {
    (void)check_clock_names(checker, clocks, "a CLOCK or BARRIER");
}

const Type *check_phase(Checker *checker, Node *node) {
    if (!check_clock_name(checker, &node->phase.clock, "a CLOCK")) {
        return expression_fail(checker, node);
    }
    return type_primitive(TYPE_INT);
}

static void check_single(Checker *checker, Node **slot, Node **process, Node *node) {
    if (!check_clock_name(checker, slot, "a BARRIER")) {
        node->kind = NODE_BROKEN;
    }
    if (process != NULL) {
        check_process(checker, process);
    }
}

/* NEXT and its relatives; ENROLL is for the branch of a PAR. */
void check_clock_process(Checker *checker, Node *node) {
    if (checker->in_valof) {
        diag_report(checker->diag, DIAG_CLOCK_VALUE, node->at, node_title(node->kind));
    }
    if (node->kind == NODE_SYNC) {
        check_single(checker, &node->sync.element, NULL, node);
    } else if (node->kind == NODE_RESIGN) {
        check_single(checker, &node->resign.element, &node->resign.process, node);
    } else if (node->kind == NODE_ENROLL) {
        check_enrols(checker, &node->enroll.clocks);
        check_process(checker, &node->enroll.process);
    } else if (node->kind == NODE_RESUME) {
        (void)check_clock_names(checker, &node->resume.clocks, "a CLOCK");
    } else if (node->kind == NODE_DROP) {
        (void)check_clock_names(checker, &node->drop.clocks, "a CLOCK");
    } else if (!check_clock_names(checker, &node->next.clocks, "a CLOCK")) {
        node->kind = NODE_BROKEN;
    } else if (node->next.process) {
        check_process(checker, &node->next.process);
    }
}
