/* alt_deadline -- which deadlines are so late that an ALT need not tell the runtime of them yet.
 *
 * Owns:   the comparison of deadlines with the worker's next alarm.
 * Leaves: setting the alarm to scheduler.c; what follows to alt_probe.c.
 * Holds:  an ALT that lets the others run once is in the run queue. When the alarm rings, the
 *         running process yields, and the ALT looks again: before its deadline, or as soon as if
 *         the alarm had woken it. So no deadline after the alarm is missed, and no clock is read
 *         for it. One before the alarm must be told at once, for the alarm to be set. */
#include "alt_probe.h"
#include "layout_offsets.h"

bool alt_can_be_late(const AltPlan *plan) {
    bool has_timer = false;
    for (size_t i = 0; i < plan->guards.count; i++) {
        const AltEntry *entry = plan->guards.items[i];
        const Node *guard = entry->alternative->alternative.guard;
        bool is_timer = alt_timer(guard) != NULL;
        has_timer = has_timer || is_timer;
        if ((is_timer && (guard->kind != NODE_DELAY || entry->depth > 0)) ||
            (plan->alt->alt.is_pri && has_timer && !is_timer)) {
            return false;
        }
    }
    return true;
}

static void look_at_deadline(Emitter *emitter, const Node *guard, LLVMBasicBlockRef other) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef later = emit_block(emitter, "deadline.later");
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef alarm =
        emit_load_field(emitter, emitter->i32, worker, OFFSET_Worker_alarm_at, "alarm");
    LLVMValueRef reach =
        emit_load_field(emitter, emitter->i32, worker, OFFSET_Worker_alarm_reach, "reach");
    LLVMValueRef distance =
        LLVMBuildSub(builder, emit_scalar(emitter, guard->delay.time), alarm, "distance");
    LLVMValueRef is_later = LLVMBuildICmp(builder, LLVMIntULT, distance, reach, "later");
    LLVMBuildCondBr(builder, is_later, later, other);
    emit_enter(emitter, later);
}

void alt_look_at_deadlines(Emitter *emitter, const AltPlan *plan, LLVMBasicBlockRef other) {
    LLVMBasicBlockRef alone = emit_block(emitter, "deadline.alone");
    emit_if_alone(emitter, alone, other);
    emit_enter(emitter, alone);
    for (size_t i = 0; i < plan->guards.count; i++) {
        const AltEntry *entry = plan->guards.items[i];
        const Node *guard = entry->alternative->alternative.guard;
        if (alt_timer(guard) == NULL) {
            continue;
        }
        LLVMBasicBlockRef off = emit_block(emitter, "deadline.off");
        alt_look_at_condition(emitter, alt_is_on(emitter, entry), off);
        look_at_deadline(emitter, guard, other);
        emit_continue(emitter, off);
    }
}
