/* sequence -- SEQ, IF, CASE, WHILE.
 *
 * Owns:   the control flow of the sequential constructs.
 * Leaves: the loop of a replicator to replicator.c, := to assignment.c.
 * Holds:  an IF is one list of choices, nested IFs included, tried in order; where none is taken,
 *         and where no option of a CASE matches, the process fails as STOP does. */
#include "emit.h"

static void emit_body(Emitter *emitter, Node *seq) {
    const NodeList *body = &seq->seq.body;
    for (size_t i = 0; i < body->count; i++) {
        i += emit_defer_readings(emitter, body, i);
        emit_process(emitter, body->items[i]);
    }
}

void emit_seq(Emitter *emitter, Node *seq) {
    ReplicatorLoop loop;
    if (emit_has_parts(emitter, seq->seq.parts)) {
        emit_seq_parts(emitter, seq);
        return;
    }
    if (seq->seq.replicator == NULL) {
        emit_body(emitter, seq);
        return;
    }
    unsigned unrolled = loop_unrolled_count(emitter, seq);
    emit_replicator_values(emitter, seq->seq.replicator, &loop);
    for (unsigned i = 0; i < unrolled; i++) {
        emit_replicator_iteration(emitter, seq->seq.replicator, &loop, i);
        emit_body(emitter, seq);
    }
    if (unrolled == 0) {
        loop.look = loop_look_counted(emitter, seq, &loop.block);
        emit_replicator_begin(emitter, seq->seq.replicator, &loop);
        emitter->routine->loops++;
        emit_body(emitter, seq);
        emitter->routine->loops--;
        emit_replicator_end(emitter, &loop);
    }
}

/* ---- IF: each function returns false if control cannot reach the code behind the choices ---- */

static bool emit_if_choices(Emitter *emitter, Node *if_, LLVMBasicBlockRef end);

/* An IF as a choice: its own choices join the list. When one is taken, what the specifications
 * before it hold is given back on the way to the end. */
static bool emit_nested_if(Emitter *emitter, Node *choice, LLVMBasicBlockRef end) {
    const NodeList *specs = &choice->choice.specs;
    if (specs->count == 0) {
        return emit_if_choices(emitter, choice->choice.process, end);
    }
    LLVMBasicBlockRef taken = emit_block(emitter, "if.taken");
    LLVMBasicBlockRef next = NULL;
    bool falls = emit_if_choices(emitter, choice->choice.process, taken);
    if (falls) {
        next = emit_block(emitter, "if.next");
        emit_scope_end(emitter, specs);
        emit_jump(emitter, next);
    }
    emit_enter(emitter, taken);
    emit_scope_end(emitter, specs);
    emit_jump(emitter, end);
    if (falls) {
        emit_enter(emitter, next);
    }
    return falls;
}

static void emit_taken(Emitter *emitter, Node *choice, LLVMBasicBlockRef end) {
    emit_coverage(emitter, COVERAGE_CHOICE, choice->at, choice->at);
    emit_process(emitter, choice->choice.process);
    emit_scope_end(emitter, &choice->choice.specs);
    emit_jump(emitter, end);
}

static bool emit_choice(Emitter *emitter, Node *choice, LLVMBasicBlockRef end) {
    Node *condition = choice->choice.condition;
    emit_specifications(emitter, &choice->choice.specs, choice);
    if (condition == NULL) {
        return emit_nested_if(emitter, choice, end);
    }
    if (condition->constant != NULL && condition->constant->integer != 0) {
        emit_taken(emitter, choice, end);
        return false;
    }
    LLVMBasicBlockRef then = emit_block(emitter, "if.then");
    LLVMBasicBlockRef next = emit_block(emitter, "if.next");
    emit_jump_if(emitter, condition, then, next);
    emit_enter(emitter, then);
    emit_taken(emitter, choice, end);
    emit_enter(emitter, next);
    emit_scope_end(emitter, &choice->choice.specs);
    return true;
}

bool emit_choices(Emitter *emitter, const NodeList *choices, size_t first, size_t past,
                  LLVMBasicBlockRef end) {
    for (size_t i = first; i < past; i++) {
        if (!emit_choice(emitter, choices->items[i], end)) {
            return false;
        }
    }
    return true;
}

static bool emit_if_choices(Emitter *emitter, Node *if_, LLVMBasicBlockRef end) {
    const NodeList *choices = &if_->if_.choices;
    if (if_->if_.replicator != NULL) {
        ReplicatorLoop loop;
        emit_replicator_values(emitter, if_->if_.replicator, &loop);
        loop.look = loop_look_counted(emitter, if_, &loop.block);
        emit_replicator_begin(emitter, if_->if_.replicator, &loop);
        if (!emit_choice(emitter, choices->items[0], end)) {
            emit_enter(emitter, emit_block(emitter, "if.unreachable"));
        }
        emit_replicator_end(emitter, &loop);
        return true;
    }
    if (emit_has_parts(emitter, if_->if_.parts)) {
        return emit_if_parts(emitter, if_, end);
    }
    return emit_choices(emitter, choices, 0, choices->count, end);
}

void emit_if(Emitter *emitter, Node *if_) {
    LLVMBasicBlockRef end = emit_block(emitter, "if.end");
    if (emit_if_choices(emitter, if_, end)) {
        emit_error(emitter, ERROR_NO_CHOICE, if_->at, NULL, NULL);
        emit_jump(emitter, end);
    }
    emit_enter(emitter, end);
}

/* ---- CASE ---- */

static void emit_option(Emitter *emitter, Node *option, LLVMBasicBlockRef end) {
    emit_specifications(emitter, &option->option.specs, option->option.process);
    emit_coverage(emitter, COVERAGE_OPTION, option->at, option->at);
    emit_process(emitter, option->option.process);
    emit_scope_end(emitter, &option->option.specs);
    emit_jump(emitter, end);
}

static void add_cases(Emitter *emitter, LLVMValueRef switch_, Node *option,
                      LLVMBasicBlockRef block) {
    const NodeList *values = &option->option.values;
    for (size_t i = 0; i < values->count; i++) {
        if (values->items[i]->constant == NULL) {
            emit_not_supported(emitter, values->items[i]->at, "CASE option that is not constant");
            continue;
        }
        LLVMAddCase(switch_, emit_constant_scalar(emitter, values->items[i]->constant), block);
    }
}

void emit_case(Emitter *emitter, Node *case_) {
    const NodeList *options = &case_->case_.options;
    const Type *type = case_->case_.selector->type;
    LLVMValueRef selector = emit_scalar(emitter, case_->case_.selector);
    LLVMBasicBlockRef otherwise = emit_block(emitter, "case.else");
    LLVMBasicBlockRef end = emit_block(emitter, "case.end");
    LLVMValueRef switch_ =
        LLVMBuildSwitch(emitter->builder, selector, otherwise, (unsigned)options->count);
    Node *else_option = NULL;
    for (size_t i = 0; i < options->count; i++) {
        if (options->items[i]->option.is_else) {
            else_option = options->items[i];
            continue;
        }
        LLVMBasicBlockRef block = emit_block(emitter, "case.option");
        add_cases(emitter, switch_, options->items[i], block);
        emit_enter(emitter, block);
        emit_option(emitter, options->items[i], end);
    }
    emit_enter(emitter, otherwise);
    if (else_option != NULL) {
        emit_option(emitter, else_option, end);
    } else {
        emit_error(emitter, ERROR_NO_OPTION, case_->at, NULL,
                   emit_report_value(emitter, selector, type));
        emit_jump(emitter, end);
    }
    emit_enter(emitter, end);
}

/* ---- WHILE ---- */

/* Look for attention every `block` iterations, which *left counts down. After a look the condition
 * is evaluated once more, which has no effect: so the look is outside the loop that does the work,
 * which can still be hoisted from and vectorised. */
static void emit_counted_look(Emitter *emitter, LLVMValueRef left, unsigned block,
                              LLVMBasicBlockRef again) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "while.look");
    LLVMBasicBlockRef next = emit_block(emitter, "while.next");
    LLVMValueRef now = LLVMBuildLoad2(builder, emitter->i32, left, "");
    now = LLVMBuildSub(builder, now, emit_i32(emitter, 1), "left");
    LLVMBuildStore(builder, now, left);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, now, ""), look, next);
    emit_enter(emitter, look);
    LLVMBuildStore(builder, emit_i32(emitter, block), left);
    emit_look_for_attention(emitter);
    emit_jump(emitter, again);
    emit_enter(emitter, next);
}

void emit_while(Emitter *emitter, Node *while_) {
    LLVMBasicBlockRef test = emit_block(emitter, "while");
    LLVMBasicBlockRef body = emit_block(emitter, "while.body");
    LLVMBasicBlockRef end = emit_block(emitter, "while.end");
    unsigned block = 1;
    LoopLook look = loop_look_while(emitter, while_, &block);
    LLVMValueRef left = NULL;
    if (look == LOOK_IN_BLOCKS && emitter->options->keeps_no_turns) {
        look = LOOK_ALWAYS;
    }
    if (look == LOOK_IN_BLOCKS) {
        left = emit_alloca(emitter, emitter->i32, "while.left");
        LLVMBuildStore(emitter->builder, emit_i32(emitter, block), left);
    }
    LLVMBasicBlockRef blocks = test;
    if (look == LOOK_IN_BLOCKS) {
        blocks = emit_block(emitter, "while.blocks");
        emit_continue(emitter, blocks);
    }
    emit_continue(emitter, test);
    emit_jump_if(emitter, while_->while_.condition, body, end);
    emit_enter(emitter, body);
    /* The look comes first: where the body ends with what decides the condition (going := FALSE),
     * the optimiser can jump straight to the exit or the header only if nothing is in between. */
    if (look == LOOK_ALWAYS) {
        emit_look_for_attention(emitter);
    } else if (look == LOOK_IN_BLOCKS) {
        emit_counted_look(emitter, left, block, blocks);
    }
    emitter->routine->loops++;
    emit_process(emitter, while_->while_.process);
    emitter->routine->loops--;
    emit_jump(emitter, test);
    emit_enter(emitter, end);
}
