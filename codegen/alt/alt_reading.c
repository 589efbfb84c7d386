/* alt_reading -- a clock reading just before an ALT, for its deadlines.
 *
 * Owns:   which readings, and assignments after them, may move into the ALT: those that only its
 *         deadlines and the processes behind its guards use.
 * Leaves: the reading itself to channel/timer.c; when it is needed to alt_probe.c.
 * Holds:  between the reading and the choice nothing happens that anybody could see, so ready
 *         channels are looked for first. If one is found, the time is read only if it is used
 *         later, which LLVM knows; else it is read once, before the deadlines are looked at. */
#include "alternative.h"

#include "layout_offsets.h"

/* ---- which readings ---- */

static bool is_own_name(const Node *node) {
    return node->kind == NODE_NAME && !symbol_is_shared(node->name.symbol);
}

static Node *target_of(const Node *process) {
    return process->kind == NODE_ASSIGN ? process->assign.targets.items[0]
                                        : process->input.items.items[0];
}

static bool is_target(const NodeList *late, const Node *name) {
    for (size_t i = 0; i < late->count; i++) {
        if (target_of(late->items[i])->name.symbol == name->name.symbol) {
            return true;
        }
    }
    return false;
}

/* A sum of times before it and of values that do not change, without checks: it may be computed
 * twice, and from any time. */
static bool is_sum(const NodeList *late, const Node *expression) {
    if (expression->constant != NULL) {
        return true;
    }
    if (expression->kind == NODE_NAME) {
        const Symbol *symbol = expression->name.symbol;
        bool is_fixed = symbol->kind == SYMBOL_VALUE ||
                        (symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_VAL);
        return is_own_name(expression) && (is_fixed || is_target(late, expression));
    }
    return expression->kind == NODE_DYADIC &&
           (expression->dyadic.op == OPERATOR_PLUS || expression->dyadic.op == OPERATOR_MINUS) &&
           is_sum(late, expression->dyadic.left) && is_sum(late, expression->dyadic.right);
}

static bool is_reading(const Node *process) {
    return process->kind == NODE_INPUT && process->input.is_timer &&
           process->input.channel->kind == NODE_NAME && is_own_name(target_of(process));
}

static bool is_assigned_sum(const NodeList *late, const Node *process) {
    return process->kind == NODE_ASSIGN && process->assign.invariants == NULL &&
           process->assign.targets.count == 1 && is_own_name(target_of(process)) &&
           is_sum(late, process->assign.values.items[0]);
}

typedef struct NameUse {
    const NodeList *late;
    bool is_found;
} NameUse;

/* Only deadlines that are sums, and the processes behind the guards, may use the time. */
static void search_use(Node **child, void *context) {
    NameUse *use = context;
    Node *node = *child;
    if (node->kind == NODE_NAME) {
        use->is_found = use->is_found || is_target(use->late, node);
    } else if (node->kind == NODE_ALTERNATIVE) {
        for (size_t i = 0; i < node->alternative.specs.count; i++) {
            search_use(&node->alternative.specs.items[i], use);
        }
        if (node->alternative.condition != NULL) {
            search_use(&node->alternative.condition, use);
        }
        search_use(&node->alternative.guard, use);
    } else if (node->kind != NODE_DELAY || !is_sum(use->late, node->delay.time)) {
        node_visit_children(node, search_use, use);
    }
}

static bool has_deadline(const Node *alt) {
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        if (alt->alt.alternatives.items[i]->alternative.guard->kind == NODE_DELAY) {
            return true;
        }
    }
    return false;
}

/* How many processes at the head of the list may move into the ALT after it. */
static size_t count_late(const NodeList *body) {
    NodeList late = {body->items, 1, 1};
    while (late.count < body->count && is_assigned_sum(&late, body->items[late.count])) {
        late.count++;
    }
    if (late.count == body->count || body->items[late.count]->kind != NODE_ALT ||
        !has_deadline(body->items[late.count])) {
        return 0;
    }
    NameUse use = {&late, false};
    search_use(&body->items[late.count], &use);
    return use.is_found ? 0 : late.count;
}

size_t emit_defer_readings(Emitter *emitter, const NodeList *body, size_t first) {
    if (emitter->options->optimisation == 0 || !is_reading(body->items[first])) {
        return 0;
    }
    NodeList rest = {body->items + first, body->count - first, body->count - first};
    rest.count = count_late(&rest);
    emitter->routine->late = rest;
    return rest.count;
}

/* ---- reading ---- */

static void assign_sums(Emitter *emitter, const AltPlan *plan) {
    for (size_t i = 1; i < plan->late.count; i++) {
        emit_assign(emitter, plan->late.items[i]);
    }
}

static void read_now(Emitter *emitter, const AltPlan *plan, bool is_chosen) {
    for (size_t i = 0; i < plan->late.count; i++) {
        Location at = plan->late.items[i]->at;
        emit_coverage(emitter, COVERAGE_PROCESS, at, at);
    }
    if (is_chosen) {
        emit_time_if_used(emitter, plan->late.items[0]);
    } else {
        emit_time(emitter, plan->late.items[0]);
    }
    assign_sums(emitter, plan);
}

void alt_read_before(Emitter *emitter, const AltPlan *plan) {
    if (plan->late.count > 0) {
        read_now(emitter, plan, false);
    }
}

static void store_time(Emitter *emitter, const Node *process, LLVMValueRef time) {
    emit_store(emitter, time, emit_target(emitter, target_of(process)));
}

/* Zeros, so that LLVM need not keep the old values for the ALT. */
void alt_expect_reading(Emitter *emitter, AltPlan *plan) {
    if (plan->late.count == 0) {
        return;
    }
    plan->has_read = emit_alloca(emitter, emitter->i1, "alt.has.read");
    LLVMBuildStore(emitter->builder, LLVMConstInt(emitter->i1, 0, 0), plan->has_read);
    for (size_t i = 0; i < plan->late.count; i++) {
        store_time(emitter, plan->late.items[i], emit_i32(emitter, 0));
    }
}

void alt_guess_or_read(Emitter *emitter, AltPlan *plan) {
    LLVMBuilderRef builder = emitter->builder;
    if (plan->late.count == 0) {
        return;
    }
    LLVMBasicBlockRef same = emit_block(emitter, "reading.same.slice");
    LLVMBasicBlockRef other = emit_block(emitter, "reading.other.slice");
    LLVMBasicBlockRef guessed = emit_block(emitter, "reading.guessed");
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef alarm =
        emit_load_field(emitter, emitter->i32, worker, OFFSET_Worker_alarm_at, "alarm");
    LLVMValueRef quick =
        emit_load_field(emitter, emitter->i32, worker, OFFSET_Worker_alarm_quick, "quick");
    plan->slice = emit_alloca(emitter, emitter->i32, "alt.slice");
    LLVMBuildStore(builder, alarm, plan->slice);
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntEQ, alarm, quick, ""), same, other);
    emit_enter(emitter, other);
    alt_read_late(emitter, plan, false);
    emit_jump(emitter, guessed);
    emit_enter(emitter, same);
    LLVMValueRef earliest = LLVMBuildSub(builder, alarm, emit_i32(emitter, LAYOUT_SLICE_US), "");
    store_time(emitter, plan->late.items[0], earliest);
    assign_sums(emitter, plan);
    emit_continue(emitter, guessed);
}

void alt_note_round(Emitter *emitter, const AltPlan *plan) {
    if (plan->late.count > 0) {
        emit_store_field(emitter, alt_load_i32(emitter, plan->slice), emit_worker(emitter),
                         OFFSET_Worker_alarm_quick);
    }
}

void alt_read_late(Emitter *emitter, AltPlan *plan, bool is_chosen) {
    LLVMBuilderRef builder = emitter->builder;
    if (plan->late.count == 0) {
        return;
    }
    LLVMBasicBlockRef due = emit_block(emitter, "reading.due");
    LLVMBasicBlockRef done = emit_block(emitter, "reading.done");
    LLVMBuildCondBr(builder, LLVMBuildLoad2(builder, emitter->i1, plan->has_read, ""), done, due);
    emit_enter(emitter, due);
    read_now(emitter, plan, is_chosen);
    LLVMBuildStore(builder, LLVMConstInt(emitter->i1, 1, 0), plan->has_read);
    emit_continue(emitter, done);
}
