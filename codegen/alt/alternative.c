/* alternative -- ALT and PRI ALT: the guards of the text and the processes behind them.
 *
 * Owns:   collecting the guards, the dispatch to the chosen one.
 * Leaves: conditions and items to alt_guard.c, finding a ready guard to alt_probe.c, waiting to
 *         alt_record.c and occ_alt_select, the transfer itself to communication.c: the partner of
 *         the chosen guard is waiting, so it is an ordinary input or output.
 * Holds:  specifications before a guard are emitted when the record is filled and again for the
 *         guarded process: they have no side effects. */
#include "alternative.h"
#include "emit_clock.h"
#include "layout_offsets.h"

#include <string.h>

/* A look at the guards has as many blocks as so many communications have. */
enum { PROBE_COMMUNICATIONS = 3 };

LLVMValueRef alt_load_i32(Emitter *emitter, LLVMValueRef slot) {
    return LLVMBuildLoad2(emitter->builder, emitter->i32, slot, "");
}

Symbol *alt_replicator(const Node *alt) {
    return alt->alt.replicator->replicator.def->def.symbol;
}

Node *alt_channel(const Node *guard) {
    if (guard->kind == NODE_EXTENDED_INPUT) {
        guard = guard->extended_input.input;
    }
    if (guard->kind == NODE_INPUT) {
        return guard->input.is_timer ? NULL : guard->input.channel;
    }
    if (guard->kind == NODE_INPUT_CASE) {
        return guard->input_case.channel;
    }
    if (guard->kind == NODE_CLOSED) {
        return guard->closed.end->end.channel;
    }
    return guard->kind == NODE_OUTPUT ? guard->output.channel : NULL;
}

Node *alt_timer(const Node *guard) {
    if (guard->kind == NODE_DELAY) {
        return guard->delay.timer;
    }
    return guard->kind == NODE_INPUT && guard->input.is_timer ? guard->input.channel : NULL;
}

/* ---- collecting ---- */

static void collect(Emitter *emitter, AltPlan *plan, Node *alt, const AltEntry *round) {
    AltEntry inside = *round;
    if (alt->alt.replicator != NULL) {
        inside.alts[inside.depth++] = alt;
    }
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        Node *alternative = alt->alt.alternatives.items[i];
        AltEntry *entry = arena_new(emitter->arena, AltEntry);
        *entry = inside;
        entry->alternative = alternative;
        memset(&entry->specs, 0, sizeof entry->specs);
        for (size_t k = 0; k < inside.specs.count; k++) {
            array_push(emitter->arena, &entry->specs, inside.specs.items[k]);
        }
        const NodeList *specs = &alternative->alternative.specs;
        for (size_t k = 0; k < specs->count; k++) {
            array_push(emitter->arena, &entry->specs, specs->items[k]);
        }
        Node *guard = alternative->alternative.guard;
        if (guard->kind == NODE_ALT) {
            plan->has_groups = plan->has_groups || guard->alt.is_pri != alt->alt.is_pri;
            collect(emitter, plan, guard, entry);
        } else {
            array_push(emitter->arena, &plan->guards, entry);
        }
    }
}

/* ---- the chosen guard ---- */

static void bind_replicators(Emitter *emitter, const AltPlan *plan, const AltEntry *entry,
                             LLVMValueRef position, LLVMValueRef address) {
    for (size_t i = 0; i < entry->depth; i++) {
        bool is_innermost = i + 1 == entry->depth;
        LLVMValueRef from = plan->index_slot;
        if (from == NULL) {
            from = is_innermost ? emit_field(emitter, address, OFFSET_AltGuard_index, "")
                                : alt_outer_address(emitter, plan, position, i);
        }
        emit_bind_value(emitter, alt_replicator(entry->alts[i]), alt_load_i32(emitter, from));
    }
}

static void emit_guarded(Emitter *emitter, const AltEntry *entry, LLVMValueRef met) {
    Node *alternative = entry->alternative;
    Node *guard = alternative->alternative.guard;
    if (guard->kind == NODE_INPUT && guard->input.is_timer) {
        emit_time(emitter, guard); /* the timer was chosen at entry */
    } else if (guard->kind == NODE_INPUT) {
        emit_input(emitter, guard, met);
    } else if (guard->kind == NODE_INPUT_CASE) {
        emit_input_case(emitter, guard, met);
    } else if (guard->kind == NODE_EXTENDED_INPUT) {
        emit_extended_input(emitter, guard);
    } else if (guard->kind == NODE_OUTPUT) {
        emit_output_evaluated(emitter, guard, entry->slots, met);
    } else if (guard->kind == NODE_NEXT) {
        emit_clock_next(emitter, guard);
    }
    if (alternative->alternative.process != NULL) {
        emit_process(emitter, alternative->alternative.process);
    }
}

static void free_record(Emitter *emitter, const AltPlan *plan) {
    if (plan->heap != NULL) {
        LLVMValueRef heap = plan->heap;
        emit_runtime_call(emitter, RT_heap_free, &heap);
    }
}

/* The items of a replicated output guard lie in the record. */
static void fetch_items(Emitter *emitter, const AltPlan *plan, const AltEntry *entry,
                        LLVMValueRef position) {
    const Node *guard = entry->alternative->alternative.guard;
    if (entry->slots == NULL || entry->depth == 0) {
        return;
    }
    size_t word = 0;
    for (size_t i = 0; i < guard->output.items.count; i++) {
        const Type *type = emit_item_slot_type(guard, i);
        if (type != NULL) {
            Place from = {.address = alt_payload_address(emitter, plan, position, word),
                          .type = type};
            Place to = {.address = entry->slots[i], .type = type};
            emit_copy(emitter, to, from, guard->at);
            word += alt_payload_words(type);
        }
    }
}

/* position and address: of the guard in the record; NULL when number and index are in the slots. */
static void emit_chosen(Emitter *emitter, const AltPlan *plan, const AltEntry *entry,
                        LLVMValueRef position, LLVMValueRef address) {
    bind_replicators(emitter, plan, entry, position, address);
    if (plan->index_slot == NULL) {
        fetch_items(emitter, plan, entry, position);
        free_record(emitter, plan);
    }
    NodeList specs = {entry->specs.items, entry->specs.count, entry->specs.count};
    emit_specifications(emitter, &specs, entry->alternative);
    emit_coverage(emitter, COVERAGE_ALTERNATIVE, entry->alternative->at, plan->alt->at);
    emit_guarded(emitter, entry, plan->word_slot);
    emit_scope_end(emitter, &specs);
}

static void emit_dispatch(Emitter *emitter, const AltPlan *plan, LLVMValueRef number,
                          LLVMValueRef position, LLVMValueRef address) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef never = emit_block(emitter, "alt.never");
    LLVMBasicBlockRef done = emit_block(emitter, "alt.done");
    LLVMValueRef choice = LLVMBuildSwitch(builder, number, never, (unsigned)plan->guards.count);
    for (size_t i = 0; i < plan->guards.count; i++) {
        LLVMBasicBlockRef block = emit_block(emitter, "alt.chosen");
        LLVMAddCase(choice, emit_i32(emitter, (int64_t)i), block);
        emit_enter(emitter, block);
        emit_chosen(emitter, plan, plan->guards.items[i], position, address);
        emit_jump(emitter, done);
    }
    emit_enter(emitter, never);
    LLVMBuildUnreachable(builder);
    emit_enter(emitter, done);
}

static LLVMValueRef chosen_number(Emitter *emitter, LLVMValueRef address) {
    LLVMValueRef field = emit_field(emitter, address, OFFSET_AltGuard_alternative, "");
    LLVMValueRef number = LLVMBuildLoad2(emitter->builder, emitter->i16, field, "");
    return LLVMBuildZExt(emitter->builder, number, emitter->i32, "chosen");
}

static LLVMValueRef chosen_position(Emitter *emitter, const AltPlan *plan) {
    return alt_load_i32(emitter, emit_field(emitter, plan->record, OFFSET_Alt_chosen, ""));
}

/* With nested replicators, or items in the record, everything is read from the record. */
static void emit_deep_alt(Emitter *emitter, AltPlan *plan) {
    alt_read_before(emitter, plan);
    alt_select(emitter, plan);
    LLVMValueRef position = chosen_position(emitter, plan);
    LLVMValueRef address = alt_guard_address(emitter, plan, position);
    emit_dispatch(emitter, plan, chosen_number(emitter, address), position, address);
}

static void emit_flat_alt(Emitter *emitter, AltPlan *plan) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef found = emit_block(emitter, "alt.found");
    plan->number_slot = emit_alloca(emitter, emitter->i32, "alt.number");
    plan->index_slot = emit_alloca(emitter, emitter->i32, "alt.index");
    plan->word_slot = emit_alloca(emitter, emitter->i64, "alt.word");
    plan->has_looked = alt_can_probe(plan) && !emit_is_long_text(emitter, PROBE_COMMUNICATIONS);
    if (plan->has_looked) {
        alt_expect_reading(emitter, plan);
        for (size_t i = 0; i < plan->guards.count; i++) {
            AltEntry *entry = plan->guards.items[i];
            if (entry->depth == 0) {
                alt_evaluate(emitter, entry);
            } else {
                alt_check_row(emitter, entry);
            }
            entry->is_evaluated = true;
        }
        alt_probe(emitter, plan, found);
    } else {
        alt_read_before(emitter, plan);
    }
    alt_select(emitter, plan);
    LLVMValueRef address = alt_guard_address(emitter, plan, chosen_position(emitter, plan));
    LLVMBuildStore(builder, chosen_number(emitter, address), plan->number_slot);
    LLVMValueRef index = emit_field(emitter, address, OFFSET_AltGuard_index, "");
    LLVMBuildStore(builder, alt_load_i32(emitter, index), plan->index_slot);
    LLVMBuildStore(builder, emit_i64(emitter, 0), plan->word_slot);
    free_record(emitter, plan);
    emit_continue(emitter, found);
    if (plan->has_looked) {
        alt_read_late(emitter, plan, true);
    }
    emit_dispatch(emitter, plan, alt_load_i32(emitter, plan->number_slot), NULL, NULL);
}

void emit_alt(Emitter *emitter, Node *alt) {
    AltPlan plan;
    AltEntry outermost;
    memset(&plan, 0, sizeof plan);
    memset(&outermost, 0, sizeof outermost);
    plan.alt = alt;
    plan.late = emitter->routine->late;
    emitter->routine->late.count = 0;
    plan.max_depth = alt_nesting(alt);
    if (plan.max_depth > ALT_MAX_DEPTH) {
        emit_not_supported(emitter, alt->at, "an ALT nested this deep");
        return;
    }
    collect(emitter, &plan, alt, &outermost);
    if (plan.guards.count == 0) {
        emit_error(emitter, ERROR_NO_GUARD, alt->at, NULL, NULL);
        return;
    }
    alt_make_slots(emitter, &plan);
    if (plan.max_depth > 1 || plan.payload_words > 0) {
        emit_deep_alt(emitter, &plan);
    } else {
        emit_flat_alt(emitter, &plan);
    }
}
