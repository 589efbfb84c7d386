/* check_types -- names and types of the whole tree in one walk; here the processes.
 *
 * Leaves: choices to check_choice.c, communication to check_protocol.c, calls to check_call.c,
 *         specifications to check_types_specification.c, expressions to check_types_expression.c.
 * Holds:  a specification's scope is the one process it stands before; a component of PAR and a
 *         guarded process are scopes of their own because each is one process. */
#include "check.h"

#include "checker.h"

/* The parser has a limit of its own, so after an error nothing more is said. */
bool check_depth(Checker *checker, Node *node) {
    if (++checker->depth <= DEPTH_LIMIT) {
        return false;
    }
    if (diag_error_count(checker->diag) == 0) {
        diag_report(checker->diag, DIAG_TYPES_DEPTH, node->at);
    }
    node->kind = NODE_BROKEN;
    return true;
}

static void check_process_list(Checker *checker, NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        check_process(checker, &list->items[i]);
    }
}

static void check_block(Checker *checker, Node *node) {
    scope_open(checker->scope);
    check_specifications(checker, &node->block.specs);
    check_process(checker, &node->block.process);
    scope_close(checker->scope);
}

void check_replicator(Checker *checker, Node *node) {
    if (node->kind != NODE_REPLICATOR) {
        return;
    }
    Ast_replicator *replicator = &node->replicator;
    check_integer(checker, &replicator->base);
    check_integer(checker, &replicator->count);
    if (replicator->step) {
        check_integer(checker, &replicator->step);
    }
    const Constant *count = replicator->count->constant;
    if (count && count->integer < 0) {
        diag_report(checker->diag, DIAG_TYPES_REPLICATOR_COUNT, replicator->count->at,
                    (long long)count->integer);
        expression_fail(checker, replicator->count);
    }
    Symbol *known = replicator->def->def.symbol;
    if (known && known->definition == node) { /* of a constructor that is looked at again */
        scope_add(checker->scope, known);
    } else {
        symbol_define(checker, SYMBOL_REPLICATOR, replicator->def, type_primitive(TYPE_INT), node);
    }
}

static void check_components(Checker *checker, Node *replicator, NodeList *body) {
    scope_open(checker->scope);
    if (replicator) {
        check_replicator(checker, replicator);
    }
    check_process_list(checker, body);
    scope_close(checker->scope);
}

static void check_par(Checker *checker, Node *node) {
    if (checker->in_valof) {
        diag_report(checker->diag, DIAG_TYPES_VALOF_CONSTRUCT, node->at, "PAR");
    }
    bool was_in_pri_par = checker->in_pri_par;
    if (node->par.form == PAR_PRI) {
        if (checker->in_pri_par) {
            diag_report(checker->diag, DIAG_TYPES_PRI_PAR, node->at);
        }
        checker->in_pri_par = true;
    }
    check_enrols(checker, &node->par.enrols);
    check_components(checker, node->par.replicator, &node->par.body);
    checker->in_pri_par = was_in_pri_par;
}

/* The names of elements that it enrols branches on stand in a block before it. */
static void check_par_block(Checker *checker, Node *node) {
    struct ClaimedElement *claimed = checker->claimed;
    scope_open(checker->scope);
    NodeList specs = check_enrolled_elements(checker, node);
    check_par(checker, node);
    scope_close(checker->scope);
    checker->claimed = claimed;
    if (specs.count > 0) {
        Node *par = node_create(checker->arena, NODE_PAR, node->at);
        par->par = node->par;
        node->kind = NODE_BLOCK;
        node->block = (Ast_block){.specs = specs, .process = par};
    }
}

static void check_while(Checker *checker, Node *node) {
    check_condition(checker, &node->while_.condition);
    bool outside = check_exclude(checker, constant_is(node->while_.condition, false));
    check_process(checker, &node->while_.process);
    checker->is_excluded = outside;
}

/* ---- assignment ---- */

/* a, b := f (x)  takes the results of one call. */
static void check_unpacking(Checker *checker, Node *node) {
    NodeList *targets = &node->assign.targets;
    Node **value = &node->assign.values.items[0];
    const Type **wanted = arena_new_array(checker->arena, const Type *, targets->count);
    bool failed = false;
    for (size_t i = 0; i < targets->count; i++) {
        wanted[i] = check_variable(checker, &targets->items[i]);
        failed = failed || type_is_error(wanted[i]);
    }
    const Type *type = (*value)->kind == NODE_VALOF
                           ? check_valof(checker, *value, wanted, targets->count)
                       : check_is_bundle_allocation(checker, *value)
                           ? check_bundle_allocation(checker, *value, wanted, targets->count)
                           : check_expression(checker, value, NULL);
    (*value)->type = type;
    if (type_is_error(type) || failed) {
        return;
    }
    size_t count = type->kind == TYPE_TUPLE ? type->sequence.item_count : 1;
    if (count != targets->count) {
        diag_report(checker->diag, DIAG_TYPES_ASSIGN_COUNT, node->at, targets->count, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (!type_owns(type->sequence.items[i])) {
            wanted[i] = check_content(checker, &targets->items[i]);
        }
        if (!type_accepts(wanted[i], type->sequence.items[i])) {
            diag_report(checker->diag, DIAG_TYPES_MISMATCH, targets->items[i]->at,
                        type_name(checker->arena, type->sequence.items[i]),
                        type_name(checker->arena, wanted[i]));
            return; /* of b, a := f () the other does not fit either */
        }
    }
}

/* MOBILE INT x: x := 5 writes into the object that is there, and makes one where there is none. */
static const Type *store_in_content(Checker *checker, Node **target, Node **value) {
    *value = (*value)->table.items.items[0];
    return check_content(checker, target);
}

/* An assignment to an array of unknown count is checked at run time. */
static void check_assigned(Checker *checker, Node **target, Node **value) {
    const Type *wanted = check_variable(checker, target);
    if (type_is_error(wanted) && element_is_element(*value)) {
        check_element(checker, value); /* of what cannot be assigned to there is no value either */
        element_mark_used(*value);
        return;
    }
    bool is_scalar = !type_is_error(wanted) && type_mobile_scalar(wanted);
    const Type *type = check_expression(checker, value, wanted);
    if (is_scalar && !type_is_error(type) && !type_owns(type)) {
        wanted = store_in_content(checker, target, value);
    }
    checker->item = *value;
    checker->receiver = node_root(*target);
    check_copies(checker, *value, wanted);
    check_move(checker, value, wanted);
}

/* Too many or too few: nobody knows which value is meant for which target. A target only says what
 * literals of reals are. */
static void check_unpaired(Checker *checker, NodeList *targets, NodeList *values) {
    const Type *real = NULL;
    for (size_t i = 0; i < targets->count; i++) {
        const Type *type = type_leaf(check_variable(checker, &targets->items[i]));
        real = type_is_real(type) ? type : real;
    }
    for (size_t i = 0; i < values->count; i++) {
        bool is_literal = values->items[i]->kind == NODE_REAL;
        check_expression(checker, &values->items[i], is_literal ? real : NULL);
    }
}

static void check_assign(Checker *checker, Node *node) {
    NodeList *targets = &node->assign.targets;
    NodeList *values = &node->assign.values;
    if (values->count == 1 && targets->count > 1) {
        check_unpacking(checker, node);
        return;
    }
    if (values->count != targets->count) {
        diag_report(checker->diag, DIAG_TYPES_ASSIGN_COUNT, node->at, targets->count,
                    values->count);
        check_unpaired(checker, targets, values);
        return;
    }
    for (size_t i = 0; i < targets->count; i++) {
        check_assigned(checker, &targets->items[i], &values->items[i]);
    }
}

/* ---- the switch ---- */

static void type_process(Checker *checker, Node *node) {
    switch (node->kind) {
    case NODE_BLOCK: check_block(checker, node); return;
    case NODE_SKIP:
    case NODE_STOP:
    case NODE_ELSEWHERE:
    case NODE_BROKEN: return;
    case NODE_ASSIGN: check_assign(checker, node); return;
    case NODE_OUTPUT: check_output(checker, node); return;
    case NODE_INPUT: check_input(checker, node); return;
    case NODE_INPUT_CASE: check_input_case(checker, node); return;
    case NODE_DELAY: check_delay(checker, node); return;
    case NODE_CALL: check_call(checker, node); return;
    case NODE_SEQ: check_components(checker, node->seq.replicator, &node->seq.body); return;
    case NODE_PAR: check_par_block(checker, node); return;
    case NODE_ALT: check_alt(checker, node); return;
    case NODE_IF: check_if(checker, node); return;
    case NODE_CASE: check_case(checker, node); return;
    case NODE_WHILE: check_while(checker, node); return;
    case NODE_CLOSE: check_close(checker, node); return;
    case NODE_WHILE_INPUT: check_while_input(checker, node); return;
    case NODE_FORK: check_fork(checker, node); return;
    case NODE_FORKING: check_forking(checker, node); return;
    case NODE_SUSPEND: check_suspend(checker, node); return;
    case NODE_CLAIM: check_claim(checker, node); return;
    case NODE_EXTENDED_INPUT: check_extended_input(checker, node); return;
    case NODE_SYNC:
    case NODE_RESIGN:
    case NODE_ENROLL:
    case NODE_NEXT:
    case NODE_RESUME:
    case NODE_DROP: check_clock_process(checker, node); return;
    case NODE_PROCESSOR:
        check_integer(checker, &node->processor.number);
        check_process(checker, &node->processor.process);
        return;
    case NODE_ASM:
    case NODE_DYNCALL: check_unsupported(checker, node); return;
    case NODE_KINDS_OF_EXPRESSION:
    case NODE_KINDS_OF_SPECIFICATION:
    case NODE_KINDS_OF_TYPE:
    case NODE_KINDS_OF_WAY:
    case NODE_DEF:
    case NODE_TAG:
    case NODE_TAG_FROM:
    case NODE_RECORD:
    case NODE_FIELD_DEF:
    case NODE_FORMAL:
    case NODE_REPLICATOR:
    case NODE_UNIT:
    case NODE_KIND_COUNT: bug("%s is no process", node_title(node->kind));
    }
}

void check_process(Checker *checker, Node **slot) {
    check_depth(checker, *slot);
    type_process(checker, *slot);
    checker->depth--;
}

uint32_t check_types(Compiler *compiler, Node *unit) {
    Checker checker = {.compiler = compiler,
                       .arena = compiler->arena,
                       .diag = compiler->diag,
                       .scope = scope_create(compiler->arena),
                       .unit = unit,
                       .is_outermost = true};
    predefined_declare(&checker);
    scope_open(checker.scope);
    checker.routine_level = scope_level(checker.scope);
    if (unit->kind == NODE_UNIT) {
        check_specifications(&checker, &unit->unit.specs);
    }
    check_announced(&checker);
    if (checker.has_invariants) {
        check_invariants(&checker);
    }
    if (checker.failed && diag_error_count(compiler->diag) == 0) {
        bug("what stands in line %u was refused without a message", checker.failed->at.line);
    }
    return checker.symbol_count;
}
