/* overlap -- two names for one object, where only the run can tell (language.md 3.3).
 *
 * Owns:   the run-time overlap check of actuals of one call and of abbreviations of one scope.
 * Leaves: what can be decided from the text to frontend/usage/check_alias.c: of what it lets pass,
 *         the pairs below are those with the same root; the others cannot meet.
 * Holds:  a scalar VAL is a copy and is not checked; two VALs may name the same. A name with
 *         #PRAGMA PERMITALIASES is exempt.
 */
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

/* Both with constant subscripts: the checks have compared them. */
static bool needs_check(const NamedPlace *first, const NamedPlace *second) {
    if (first->root == NULL || first->root != second->root || first->root->permits_aliases) {
        return false;
    }
    if (!first->is_written && !second->is_written) {
        return false;
    }
    return !is_constant_element(first->element) || !is_constant_element(second->element);
}

static LLVMValueRef is_empty(Emitter *emitter, Place place) {
    return LLVMBuildIsNull(emitter->builder, emit_size_bytes(emitter, place), "");
}

static void check_pair(Emitter *emitter, const NamedPlace *first, const NamedPlace *second) {
    if (!needs_check(first, second)) {
        return;
    }
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef ok = emit_are_disjoint(emitter, first->place, second->place);
    LLVMValueRef nothing =
        LLVMBuildOr(builder, is_empty(emitter, first->place), is_empty(emitter, second->place), "");
    emit_trap_unless(emitter, LLVMBuildOr(builder, ok, nothing, ""), ERROR_OVERLAP,
                     second->element->at, emit_object_name(emitter, second->element), NULL, NULL,
                     NULL);
}

NamedPlace emit_named_place(Node *element, Place place, bool is_written) {
    return (NamedPlace){
        .element = element,
        .root = node_root(element),
        .place = place,
        .is_written = is_written,
    };
}

void emit_check_overlap(Emitter *emitter, const NamedPlace *places, size_t count) {
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            check_pair(emitter, &places[k], &places[i]);
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
