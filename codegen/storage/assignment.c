/* assignment -- := in all its forms.
 *
 * Owns:   the order of evaluation: every right side and every subscript on the left before the
 *         first store; what must go through a temporary; overlap.
 * Leaves: copying to access.c, writing of values to table.c, temporaries to temporary.c.
 * Holds:  two elements of one object are the same or disjoint unless a segment is involved; then
 *         a partial overlap is an error at run time (language.md 3.3). */
#include "emit_sharing.h"

/* ---- what an expression reads ---- */

/* Whether evaluating the expression may read the object that `target` is part of. */
static bool may_read(Node *expression, const Node *target) {
    const Symbol *root = node_root(target);
    return root == NULL || emit_is_named(expression, root);
}

/* ---- overlap ---- */

static bool has_segment(const Node *element) {
    for (;;) {
        switch (element->kind) {
        case NODE_SEGMENT: return true;
        case NODE_SUBSCRIPT: element = element->subscript.base; break;
        case NODE_FIELD: element = element->field.base; break;
        default: return false;
        }
    }
}

static bool may_overlap(const Node *target, const Node *value) {
    return node_root(target) == node_root(value) && (has_segment(target) || has_segment(value));
}

/* The same object copied to itself does no harm. */
static void check_overlap(Emitter *emitter, Node *target, Place to, Place from) {
    LLVMValueRef same = LLVMBuildICmp(emitter->builder, LLVMIntEQ, to.address, from.address, "");
    LLVMValueRef disjoint = emit_are_disjoint(emitter, to, from);
    emit_trap_unless(emitter, LLVMBuildOr(emitter->builder, same, disjoint, ""), ERROR_OVERLAP,
                     target->at, emit_object_name(emitter, target), NULL, NULL, NULL);
}

/* ---- subscripts before moves: a[SIZE b] := b ---- */

static bool is_move(const Node *node) {
    return node->kind == NODE_MOVE;
}

static bool has_move(const NodeList *values) {
    for (size_t i = 0; i < values->count; i++) {
        if (node_any(values->items[i], is_move)) {
            return true;
        }
    }
    return false;
}

/* Held -- an expression that has been evaluated, and its place in the tree, where a name for its
 * value stands meanwhile. */
typedef struct Held {
    Node **slot;
    Node *expression;
} Held;

typedef ARRAY_OF(Held) HeldList;

static void hold_expression(Emitter *emitter, HeldList *held, Node **slot) {
    Node *expression = *slot;
    if (expression == NULL || expression->constant != NULL) {
        return;
    }
    Symbol *symbol = arena_new(emitter->arena, Symbol);
    symbol->kind = SYMBOL_VALUE;
    symbol->type = expression->type;
    emit_bind_value(emitter, symbol, emit_scalar(emitter, expression));
    Node *name = node_create(emitter->arena, NODE_NAME, expression->at);
    name->name.symbol = symbol;
    name->type = expression->type;
    Held one = {slot, expression};
    array_push(emitter->arena, held, one);
    *slot = name;
}

static void hold_subscripts(Emitter *emitter, HeldList *held, Node *element) {
    switch (element->kind) {
    case NODE_SUBSCRIPT:
        hold_subscripts(emitter, held, element->subscript.base);
        hold_expression(emitter, held, &element->subscript.index);
        break;
    case NODE_SEGMENT:
        hold_subscripts(emitter, held, element->segment.base);
        hold_expression(emitter, held, &element->segment.from);
        hold_expression(emitter, held, &element->segment.length);
        break;
    case NODE_FIELD: hold_subscripts(emitter, held, element->field.base); break;
    default: break;
    }
}

/* Restore the tree: it may be emitted again. */
static void release_held(const HeldList *held) {
    for (size_t i = 0; i < held->count; i++) {
        *held->items[i].slot = held->items[i].expression;
    }
}

/* ---- one target ---- */

static void assign_element(Emitter *emitter, Node *target, Node *value, Location at) {
    Place from = emit_data_place(emitter, value);
    Place to = emit_data_target(emitter, target);
    if (may_overlap(target, value)) {
        check_overlap(emitter, target, to, from);
        emit_copy_over(emitter, to, from, at);
    } else {
        emit_copy(emitter, to, from, at);
    }
}

static void assign_one(Emitter *emitter, Node *target, Node *value, Location at) {
    if (type_owns(target->type)) {
        Place loose = emit_loose_value(emitter, value, target->type);
        emit_own(emitter, emit_target(emitter, target), loose);
    } else if (type_is_scalar(target->type)) {
        LLVMValueRef scalar = emit_scalar(emitter, value);
        emit_store(emitter, scalar, emit_target(emitter, target));
    } else if (type_is_mobile(value->type) || value->constant != NULL || emit_is_element(value)) {
        assign_element(emitter, target, value, at);
    } else if (may_read(value, target)) {
        Place temporary = emit_temporary(emitter, value->type, at);
        emit_into(emitter, value, temporary);
        emit_copy(emitter, emit_target(emitter, target), temporary, at);
    } else {
        emit_into(emitter, value, emit_target(emitter, target));
    }
}

/* ---- several targets ---- */

/* Operand -- a right side that has been evaluated: a scalar, or a place nobody writes meanwhile. */
typedef struct Operand {
    LLVMValueRef scalar;
    Place place;
    LLVMValueRef source; /* where it was read, if it is an element */
    LLVMValueRef heap;   /* to be freed after the stores */
} Operand;

static bool is_read_by_others(Node *value, const NodeList *targets) {
    for (size_t i = 0; i < targets->count; i++) {
        if (may_read(value, targets->items[i])) {
            return true;
        }
    }
    return false;
}

static Operand evaluate(Emitter *emitter, Node *value, const Type *wanted,
                        const NodeList *targets) {
    Operand operand = {0};
    if (type_owns(wanted)) {
        operand.place = emit_loose_value(emitter, value, wanted);
        return operand;
    }
    if (type_is_scalar(value->type)) {
        operand.scalar = emit_scalar(emitter, value);
        return operand;
    }
    operand.place = emit_data_place(emitter, value);
    operand.source = emit_is_element(value) ? operand.place.address : NULL;
    if (operand.source != NULL && is_read_by_others(value, targets)) {
        if (type_has_open_dimension(operand.place.type)) {
            operand.place = emit_heap_copy(emitter, operand.place, value->at, NULL);
            operand.heap = operand.place.address;
            return operand;
        }
        Place copy = emit_temporary(emitter, operand.place.type, value->at);
        emit_copy(emitter, copy, operand.place, value->at);
        operand.place = copy;
    }
    return operand;
}

static void store_operands(Emitter *emitter, const NodeList *targets, const Operand *operands,
                           Location at) {
    Place *places = arena_new_array(emitter->arena, Place, targets->count);
    AssignedPlace *assigned = arena_new_array(emitter->arena, AssignedPlace, targets->count);
    for (size_t i = 0; i < targets->count; i++) {
        places[i] = emit_target(emitter, targets->items[i]);
        assigned[i] = (AssignedPlace){emit_named_place(targets->items[i], places[i], true),
                                      operands[i].scalar, operands[i].source};
    }
    emit_check_targets(emitter, assigned, targets->count);
    for (size_t i = 0; i < targets->count; i++) {
        if (type_owns(places[i].type)) {
            emit_own(emitter, places[i], operands[i].place);
        } else if (operands[i].scalar != NULL) {
            emit_store(emitter, operands[i].scalar, places[i]);
        } else {
            emit_copy(emitter, places[i], operands[i].place, at);
        }
    }
    for (size_t i = 0; i < targets->count; i++) {
        if (operands[i].heap != NULL) {
            LLVMValueRef heap = operands[i].heap;
            emit_runtime_call(emitter, RT_heap_free, &heap);
        }
    }
}

static void evaluate_some(Emitter *emitter, const Node *assign, bool moves, Operand *operands) {
    const NodeList *targets = &assign->assign.targets;
    const NodeList *values = &assign->assign.values;
    for (size_t i = 0; i < values->count; i++) {
        if (is_move(values->items[i]) == moves) {
            const Type *wanted = targets->items[i]->type;
            operands[i] = evaluate(emitter, values->items[i], wanted, targets);
        }
    }
}

/* Moves are evaluated last, so that b, n := a, SIZE a reads SIZE a before the move. */
static void assign_each(Emitter *emitter, Node *assign) {
    Operand *operands = arena_new_array(emitter->arena, Operand, assign->assign.values.count);
    evaluate_some(emitter, assign, false, operands);
    evaluate_some(emitter, assign, true, operands);
    store_operands(emitter, &assign->assign.targets, operands, assign->at);
}

/* a, b := f (x)   or a VALOF with several results. */
static void assign_results(Emitter *emitter, Node *assign) {
    const NodeList *targets = &assign->assign.targets;
    Node *value = assign->assign.values.items[0];
    size_t count = targets->count;
    Place *results = arena_new_array(emitter->arena, Place, count);
    LLVMValueRef *scalars = arena_new_array(emitter->arena, LLVMValueRef, count);
    Operand *operands = arena_new_array(emitter->arena, Operand, count);
    for (size_t i = 0; i < count; i++) {
        const Type *type = value->type->kind == TYPE_TUPLE ? value->type->sequence.items[i]
                                                           : targets->items[i]->type;
        results[i] = emit_temporary(emitter, type, assign->at);
        if (type_owns(type)) {
            emit_forget(emitter, results[i]);
        }
    }
    if (value->kind == NODE_VALOF) {
        emit_valof(emitter, value, results, scalars, count);
    } else if (value->kind == NODE_ALLOCATION) { /* the two ends of a bundle */
        const Type *bundle = type_base(results[0].type)->bundle_end.bundle;
        LLVMValueRef object = emit_bundle(emitter, bundle, value->at);
        emit_store(emitter, object, results[0]);
        emit_store(emitter, object, results[1]);
    } else {
        emit_function_call(emitter, value, results, count);
    }
    for (size_t i = 0; i < count; i++) {
        operands[i].place = results[i];
        if (type_is_scalar(results[i].type)) {
            operands[i].scalar = scalars[i] != NULL ? scalars[i] : emit_load(emitter, results[i]);
        }
    }
    store_operands(emitter, targets, operands, assign->at);
}

void emit_assign(Emitter *emitter, Node *assign) {
    const NodeList *targets = &assign->assign.targets;
    const NodeList *values = &assign->assign.values;
    HeldList held = {0};
    if (has_move(values)) {
        for (size_t i = 0; i < targets->count; i++) {
            hold_subscripts(emitter, &held, targets->items[i]);
        }
    }
    if (values->count < targets->count) {
        assign_results(emitter, assign);
    } else if (targets->count == 1) {
        assign_one(emitter, targets->items[0], values->items[0], assign->at);
    } else {
        assign_each(emitter, assign);
    }
    release_held(&held);
}
