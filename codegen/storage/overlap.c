/* overlap -- two names for one object, where only run time can tell (language.md 3.3).
 *
 * Owns:   the run-time overlap check of actuals of one call, of abbreviations of one scope and of
 *         targets of one assignment.
 * Leaves: what can be decided from the text to frontend/usage/check_alias.c. Of the pairs that it
 *         lets pass, those with the same root are checked here; the others cannot overlap.
 * Holds:  a scalar VAL is a copy and is not checked; two VALs may overlap. A name with
 *         #PRAGMA PERMITALIASES is exempt. What a mobile points to belongs to it, at any depth: a
 *         place that holds the pointer to a mobile overlaps all that is reached through that
 *         pointer. Two channel ends are the same only if they have the same direction. */
#include "emit.h"

/* first + size <= second or second + size <= first, as unsigned addresses. */
LLVMValueRef emit_are_disjoint(Emitter *emitter, Place first, Place second) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef a = LLVMBuildPtrToInt(builder, first.address, emitter->i64, "");
    LLVMValueRef b = LLVMBuildPtrToInt(builder, second.address, emitter->i64, "");
    LLVMValueRef a_end = LLVMBuildAdd(builder, a, emit_size_bytes(emitter, first), "");
    LLVMValueRef b_end = LLVMBuildAdd(builder, b, emit_size_bytes(emitter, second), "");
    LLVMValueRef before = LLVMBuildICmp(builder, LLVMIntULE, a_end, b, "");
    LLVMValueRef behind = LLVMBuildICmp(builder, LLVMIntULE, b_end, a, "");
    return LLVMBuildOr(builder, before, behind, "");
}

/* ---- pairs ---- */

static bool is_constant_element(const Node *element) {
    for (;;) {
        switch (element->kind) {
        case NODE_NAME: return true;
        case NODE_FIELD: element = element->field.base; break;
        case NODE_SUBSCRIPT:
            if (element->subscript.index->constant == NULL) {
                return false;
            }
            element = element->subscript.base;
            break;
        default: return false;
        }
    }
}

/* Not if both have only constant subscripts: the checks have compared them. */
static bool needs_check(const NamedPlace *first, const NamedPlace *second) {
    if (first->root == NULL || first->root != second->root || first->root->permits_aliases) {
        return false;
    }
    bool are_ends = first->direction != DIRECTION_NONE && second->direction != DIRECTION_NONE;
    if ((!first->is_written && !second->is_written) ||
        (are_ends && first->direction != second->direction)) {
        return false;
    }
    return !is_constant_element(first->element) || !is_constant_element(second->element);
}

static LLVMValueRef is_empty(Emitter *emitter, Place place) {
    return LLVMBuildIsNull(emitter->builder, emit_size_bytes(emitter, place), "");
}

/* address < first or first + size <= address, as unsigned addresses. */
static LLVMValueRef lies_outside(Emitter *emitter, LLVMValueRef address, Place first) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef at = LLVMBuildPtrToInt(builder, address, emitter->i64, "");
    LLVMValueRef start = LLVMBuildPtrToInt(builder, first.address, emitter->i64, "");
    LLVMValueRef offset = LLVMBuildSub(builder, at, start, "");
    return LLVMBuildICmp(builder, LLVMIntUGE, offset, emit_size_bytes(emitter, first), "");
}

/* Nothing of `inner` is reached through a mobile whose pointer lies in `outer`. The path to it is
 * evaluated again: its subscripts are in range and have no effects. */
static LLVMValueRef is_not_led_to(Emitter *emitter, const NamedPlace *outer,
                                  const NamedPlace *inner, LLVMValueRef ok) {
    bool leads_on = !type_is_channel(outer->place.type) && type_owns(outer->place.type);
    const Type *type = inner->place.type;
    bool is_content = !type_is_mobile(type) && !type_is_bundle_end(type);
    for (Node *part = inner->element; leads_on && part != NULL; part = (Node *)element_base(part)) {
        bool is_pointer =
            part->type != NULL && (type_is_mobile(part->type) || type_is_bundle_end(part->type));
        bool is_slot = is_pointer && (part != inner->element || is_content);
        if (is_slot) {
            LLVMValueRef slot = emit_place(emitter, part).address;
            ok = LLVMBuildAnd(emitter->builder, ok, lies_outside(emitter, slot, outer->place), "");
        }
    }
    return ok;
}

static void check_pair(Emitter *emitter, const NamedPlace *first, const NamedPlace *second) {
    if (!needs_check(first, second)) {
        return;
    }
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef ok = emit_are_disjoint(emitter, first->place, second->place);
    LLVMValueRef nothing =
        LLVMBuildOr(builder, is_empty(emitter, first->place), is_empty(emitter, second->place), "");
    ok = LLVMBuildOr(builder, ok, nothing, "");
    ok = is_not_led_to(emitter, first, second, ok);
    ok = is_not_led_to(emitter, second, first, ok);
    emit_trap_unless(emitter, ok, ERROR_OVERLAP, second->element->at,
                     emit_object_name(emitter, second->element), NULL, NULL, NULL);
}

NamedPlace emit_named_place(Node *element, Place place, bool is_written) {
    return (NamedPlace){
        .element = element,
        .root = node_root(element),
        .place = place,
        .is_written = is_written,
    };
}

NamedPlace emit_named_ends(Emitter *emitter, Node *element, Place place, Direction direction) {
    Node *channel = element->kind == NODE_END ? element->end.channel : element;
    bool is_one = place.type->kind == TYPE_CHANNEL;
    if (direction == DIRECTION_NONE || type_is_shared(place.type) ||
        (is_one && channel->kind == NODE_NAME)) {
        return (NamedPlace){.root = NULL}; /* check_alias.c has checked it */
    }
    if (is_one && channel->kind == NODE_SUBSCRIPT) {
        Place array = emit_data_place(emitter, channel->subscript.base);
        place = emit_element_slot(emitter, array, emit_scalar(emitter, channel->subscript.index));
    }
    NamedPlace named = emit_named_place(channel, place, true);
    named.direction = direction;
    return named;
}

void emit_check_overlap(Emitter *emitter, const NamedPlace *places, size_t count) {
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            check_pair(emitter, &places[k], &places[i]);
        }
    }
}

/* ---- targets of one assignment ---- */

/* The same bits, even of REALs. Values of two types are in two fields of one record. */
static LLVMValueRef are_equal(Emitter *emitter, LLVMValueRef first, LLVMValueRef second) {
    LLVMTypeRef type = LLVMTypeOf(first);
    if (type != LLVMTypeOf(second)) {
        return LLVMConstNull(emitter->i1);
    }
    if (type == emitter->f32 || type == emitter->f64) {
        LLVMTypeRef bits = type == emitter->f32 ? emitter->i32 : emitter->i64;
        first = LLVMBuildBitCast(emitter->builder, first, bits, "");
        second = LLVMBuildBitCast(emitter->builder, second, bits, "");
    }
    return LLVMBuildICmp(emitter->builder, LLVMIntEQ, first, second, "");
}

static LLVMValueRef get_the_same(Emitter *emitter, const AssignedPlace *first,
                                 const AssignedPlace *second) {
    if (first->scalar != NULL && second->scalar != NULL) {
        return are_equal(emitter, first->scalar, second->scalar);
    }
    if (first->source == NULL || second->source == NULL) {
        return LLVMConstNull(emitter->i1);
    }
    return LLVMBuildICmp(emitter->builder, LLVMIntEQ, first->source, second->source, "");
}

void emit_check_targets(Emitter *emitter, const AssignedPlace *places, size_t count) {
    LLVMBuilderRef builder = emitter->builder;
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            const AssignedPlace *first = &places[k];
            const AssignedPlace *second = &places[i];
            if (!needs_check(&first->named, &second->named)) {
                continue;
            }
            LLVMValueRef is_one = LLVMBuildICmp(builder, LLVMIntEQ, first->named.place.address,
                                                second->named.place.address, "");
            LLVMValueRef ok =
                first->scalar != NULL && second->scalar != NULL
                    ? LLVMBuildNot(builder, is_one, "")
                    : emit_are_disjoint(emitter, first->named.place, second->named.place);
            LLVMValueRef same =
                LLVMBuildAnd(builder, is_one, get_the_same(emitter, first, second), "");
            emit_trap_unless(emitter, LLVMBuildOr(builder, ok, same, ""), ERROR_OVERLAP,
                             second->named.element->at,
                             emit_object_name(emitter, second->named.element), NULL, NULL, NULL);
        }
    }
}

/* ---- abbreviations in scope ---- */

void emit_enter_abbreviation(Emitter *emitter, Symbol *symbol, NamedPlace named) {
    Routine *routine = emitter->routine;
    if (named.root == NULL) {
        return;
    }
    for (size_t i = 0; i < routine->abbreviations.count; i++) {
        check_pair(emitter, &routine->abbreviations.items[i], &named);
    }
    named.symbol = symbol;
    array_push(emitter->arena, &routine->abbreviations, named);
}

static bool introduces(const Node *specification, const Symbol *symbol) {
    return specification->kind == NODE_ABBREVIATION &&
           specification->abbreviation.def->def.symbol == symbol;
}

void emit_leave_abbreviations(Emitter *emitter, const NodeList *specifications) {
    Routine *routine = emitter->routine;
    for (size_t i = specifications->count; i-- > 0 && routine->abbreviations.count > 0;) {
        size_t last = routine->abbreviations.count - 1;
        if (introduces(specifications->items[i], routine->abbreviations.items[last].symbol)) {
            routine->abbreviations.count = last;
        }
    }
}
