/* clock -- CLOCK and BARRIER: registrations, and the inlined half of NEXT.
 *
 * Owns:   where a Clock and its Registrations lie; which registration a name denotes; while the
 *         worker is alone, an arrival that is not the last, and crossing after RESUME.
 * Leaves: the protocol to runtime/clock/clock.h, states and rules to check_clock.c, PAR to
 *         parallel.c.
 * Holds:  the name of a clock is bound to the address of a Registration: that of the declaration,
 *         of the enrolled branch, or of a caller. A clock and its first registration lie in the
 *         frame of the declaring process, which outlives all that are enrolled: their PARs end
 *         before it does. */
#include "emit_clock.h"
#include "layout_offsets.h"

static LLVMValueRef new_registration(Emitter *emitter) {
    return emit_alloca(emitter, LLVMArrayType2(emitter->i64, SIZE_Registration / 8),
                       "registration");
}

static void bind_registration(Emitter *emitter, Symbol *symbol, LLVMValueRef registration) {
    Place place = {.address = registration, .type = symbol->type};
    emit_bind_place(emitter, symbol, place);
}

LLVMValueRef emit_clock_registration(Emitter *emitter, Node *clock) {
    if (type_is_mobile(clock->type)) {
        return emit_mobile_registration(emitter, clock);
    }
    return emit_find_binding(emitter, clock->name.symbol)->place.address;
}

void emit_clock_declaration(Emitter *emitter, Symbol *symbol) {
    LLVMValueRef registration = new_registration(emitter);
    LLVMValueRef clock =
        emit_alloca(emitter, LLVMArrayType2(emitter->i64, SIZE_Clock / 8), symbol->name->bytes);
    LLVMValueRef arguments[] = {registration, clock};
    emit_runtime_call(emitter, RT_clock_begin, arguments);
    bind_registration(emitter, symbol, registration);
}

/* ---- PAR ENROLL ---- */

void emit_clocks_lend(Emitter *emitter, const NodeList *clocks, LLVMValueRef branches) {
    for (size_t i = 0; i < clocks->count; i++) {
        LLVMValueRef arguments[] = {emit_clock_registration(emitter, clocks->items[i]), branches};
        emit_clock_is_active(emitter, arguments[0], clocks->items[i]);
        emit_runtime_call(emitter, RT_clock_lend, arguments);
    }
}

/* Bind the name again to what it was bound to before the latest binding. */
static void unbind(Emitter *emitter, Symbol *symbol) {
    Routine *routine = emitter->routine;
    size_t last = routine->saved.count - 1;
    while (routine->saved.items[last].symbol != symbol) {
        last--;
    }
    symbol->backend = routine->saved.items[last].backend;
    for (size_t i = last + 1; i < routine->saved.count; i++) {
        routine->saved.items[i - 1] = routine->saved.items[i];
    }
    routine->saved.count--;
}

void emit_clocks_enter(Emitter *emitter, const NodeList *clocks) {
    for (size_t i = 0; i < clocks->count; i++) {
        if (type_is_mobile(clocks->items[i]->type)) {
            emit_mobile_clock_enter(emitter, clocks->items[i]);
            continue;
        }
        LLVMValueRef lender = emit_clock_registration(emitter, clocks->items[i]);
        LLVMValueRef mine = new_registration(emitter);
        LLVMValueRef clock =
            emit_load_field(emitter, emitter->ptr, lender, OFFSET_Registration_clock, "clock");
        LLVMValueRef phase =
            emit_load_field(emitter, emitter->i32, lender, OFFSET_Registration_phase, "phase");
        emit_store_field(emitter, clock, mine, OFFSET_Registration_clock);
        emit_store_field(emitter, lender, mine, OFFSET_Registration_lender);
        emit_store_field(emitter, phase, mine, OFFSET_Registration_phase);
        emit_store_field(emitter, emit_i32(emitter, LAYOUT_REGISTRATION_ACTIVE), mine,
                         OFFSET_Registration_state);
        bind_registration(emitter, clocks->items[i]->name.symbol, mine);
    }
}

void emit_clocks_end(Emitter *emitter, const NodeList *clocks) {
    for (size_t i = clocks->count; i-- > 0;) {
        Symbol *symbol = clocks->items[i]->name.symbol;
        Place mine = emit_find_binding(emitter, symbol)->place;
        unbind(emitter, symbol);
        if (type_is_mobile(symbol->type)) {
            emit_mobile_clock_end(emitter, mine, emit_find_binding(emitter, symbol)->place);
        } else {
            emit_runtime_call(emitter, RT_clock_hand_back, &mine.address);
        }
    }
}

/* ---- NEXT ---- */

/* The first process on a stack is remembered, so that the last to arrive can move all. */
static void emit_note_oldest(Emitter *emitter, LLVMValueRef mine, LLVMValueRef clock,
                             LLVMValueRef parity, LLVMValueRef newest) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef first = emit_block(emitter, "next.first");
    LLVMBasicBlockRef noted = emit_block(emitter, "next.push");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, newest, ""), first, noted);
    emit_enter(emitter, first);
    LLVMValueRef epoch = emit_load_field(emitter, emitter->i64, emit_worker(emitter),
                                         OFFSET_Worker_solo_epoch, "epoch");
    emit_store_field(emitter, epoch, mine, OFFSET_Registration_solo_epoch);
    LLVMValueRef oldest = emit_field(emitter, clock, OFFSET_Clock_oldest, "");
    LLVMBuildStore(builder, emit_me(emitter),
                   LLVMBuildInBoundsGEP2(builder, emitter->ptr, oldest, &parity, 1, ""));
    emit_continue(emitter, noted);
}

/* The clock's word counts my arrival. */
static void emit_count_arrival(Emitter *emitter, LLVMValueRef clock, LLVMValueRef word) {
    emit_store_field(emitter, LLVMBuildSub(emitter->builder, word, emit_i64(emitter, 1), ""), clock,
                     OFFSET_Clock_word);
}

static void emit_store_state(Emitter *emitter, LLVMValueRef mine, int64_t state) {
    emit_store_field(emitter, emit_i32(emitter, state), mine, OFFSET_Registration_state);
}

static void emit_count_phase(Emitter *emitter, LLVMValueRef mine, LLVMValueRef phase) {
    LLVMValueRef next = LLVMBuildAdd(emitter->builder, phase, emit_i32(emitter, 1), "");
    emit_store_field(emitter, next, mine, OFFSET_Registration_phase);
}

/* Alone, and the phase goes on: push me on its stack. */
static void emit_wait_for_phase(Emitter *emitter, LLVMValueRef mine, LLVMValueRef clock,
                                LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef phase =
        emit_load_field(emitter, emitter->i32, mine, OFFSET_Registration_phase, "phase");
    LLVMValueRef wide = LLVMBuildZExt(builder, phase, emitter->i64, "");
    LLVMValueRef index = LLVMBuildAnd(builder, wide, emit_i64(emitter, 1), "parity");
    LLVMValueRef stacks = emit_field(emitter, clock, OFFSET_Clock_waiting, "");
    LLVMValueRef stack = LLVMBuildInBoundsGEP2(builder, emitter->ptr, stacks, &index, 1, "stack");
    LLVMValueRef me = emit_me(emitter);
    LLVMValueRef newest = LLVMBuildAnd(builder, LLVMBuildLoad2(builder, emitter->i64, stack, "top"),
                                       emit_i64(emitter, ~(int64_t)LAYOUT_CLOCK_TURN), "newest");
    LLVMValueRef turn =
        LLVMBuildAnd(builder, LLVMBuildLShr(builder, wide, emit_i64(emitter, 1), ""),
                     emit_i64(emitter, LAYOUT_CLOCK_TURN), "turn");
    emit_note_oldest(emitter, mine, clock, index, newest);
    emit_count_phase(emitter, mine, phase);
    emit_store_field(emitter, mine, me, OFFSET_Process_data);
    LLVMValueRef bits = LLVMBuildPtrToInt(builder, me, emitter->i64, "");
    LLVMBuildStore(builder, LLVMBuildOr(builder, bits, turn, ""), stack);
    emit_park(emitter, LLVMBuildIntToPtr(builder, newest, emitter->ptr, ""), site);
}

/* Where a member is in the phase: its clock, and the clock's word. */
typedef struct Standing {
    LLVMValueRef clock;
    LLVMValueRef word;
    LLVMValueRef is_active; /* i1 */
    LLVMValueRef is_last;   /* i1: the others have arrived */
} Standing;

static Standing emit_standing(Emitter *emitter, LLVMValueRef mine) {
    LLVMBuilderRef builder = emitter->builder;
    Standing standing;
    LLVMValueRef state =
        emit_load_field(emitter, emitter->i32, mine, OFFSET_Registration_state, "state");
    standing.is_active = LLVMBuildIsNull(builder, state, "active");
    standing.clock =
        emit_load_field(emitter, emitter->ptr, mine, OFFSET_Registration_clock, "clock");
    standing.word =
        emit_load_field(emitter, emitter->i64, standing.clock, OFFSET_Clock_word, "word");
    LLVMValueRef unarrived = LLVMBuildAnd(builder, standing.word,
                                          emit_i64(emitter, LAYOUT_CLOCK_COUNT_MASK), "unarrived");
    standing.is_last = LLVMBuildICmp(builder, LLVMIntEQ, unarrived, emit_i64(emitter, 1), "last");
    return standing;
}

/* A member that has resumed goes to `done` when the phase is over, and to `wait` when not. */
static void emit_cross(Emitter *emitter, LLVMValueRef mine, LLVMBasicBlockRef done,
                       LLVMBasicBlockRef wait) {
    LLVMBasicBlockRef over = emit_block(emitter, "next.over");
    LLVMBasicBlockRef late = emit_block(emitter, "next.late");
    LLVMBuildCondBr(emitter->builder, emit_clock_is_over(emitter, mine), over, late);
    emit_enter(emitter, over);
    emit_store_state(emitter, mine, LAYOUT_REGISTRATION_ACTIVE);
    emit_count_phase(emitter, mine,
                     emit_load_field(emitter, emitter->i32, mine, OFFSET_Registration_phase, ""));
    emit_jump(emitter, done);
    emit_enter(emitter, late);
    emit_store_state(emitter, mine, LAYOUT_REGISTRATION_ACTIVE);
    emit_jump(emitter, wait);
}

static void emit_next(Emitter *emitter, Node *name, Location at) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef alone = emit_block(emitter, "next.alone");
    LLVMBasicBlockRef active = emit_block(emitter, "next.active");
    LLVMBasicBlockRef resumed = emit_block(emitter, "next.resumed");
    LLVMBasicBlockRef arrive = emit_block(emitter, "next.arrive");
    LLVMBasicBlockRef wait = emit_block(emitter, "next.wait");
    LLVMBasicBlockRef slow = emit_block(emitter, "next.slow");
    LLVMBasicBlockRef done = emit_block(emitter, "next.done");
    LLVMValueRef mine = emit_clock_registration(emitter, name);
    LLVMValueRef site = emit_site(emitter, WAIT_CLOCK, at, emit_object_name(emitter, name));
    emit_if_alone(emitter, alone, slow);
    emit_enter(emitter, alone);
    Standing standing = emit_standing(emitter, mine);
    LLVMBuildCondBr(builder, standing.is_active, active, resumed);

    emit_enter(emitter, active);
    LLVMBuildCondBr(builder, standing.is_last, slow, arrive);
    emit_enter(emitter, arrive);
    emit_count_arrival(emitter, standing.clock, standing.word);
    emit_jump(emitter, wait);

    emit_enter(emitter, resumed);
    emit_cross(emitter, mine, done, wait);

    emit_enter(emitter, wait);
    emit_wait_for_phase(emitter, mine, standing.clock, site);
    emit_jump(emitter, done);

    emit_enter(emitter, slow);
    LLVMValueRef arguments[] = {mine, site};
    emit_runtime_call(emitter, RT_clock_next, arguments);
    emit_continue(emitter, done);
}

static void emit_resume(Emitter *emitter, LLVMValueRef mine) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef alone = emit_block(emitter, "resume.alone");
    LLVMBasicBlockRef arrive = emit_block(emitter, "resume.arrive");
    LLVMBasicBlockRef slow = emit_block(emitter, "resume.slow");
    LLVMBasicBlockRef done = emit_block(emitter, "resume.done");
    emit_if_alone(emitter, alone, slow);
    emit_enter(emitter, alone);
    Standing standing = emit_standing(emitter, mine);
    LLVMValueRef is_plain = LLVMBuildAnd(builder, standing.is_active,
                                         LLVMBuildNot(builder, standing.is_last, ""), "plain");
    LLVMBuildCondBr(builder, is_plain, arrive, slow);
    emit_enter(emitter, arrive);
    emit_count_arrival(emitter, standing.clock, standing.word);
    emit_store_state(emitter, mine, LAYOUT_REGISTRATION_RESUMED);
    emit_jump(emitter, done);
    emit_enter(emitter, slow);
    emit_runtime_call(emitter, RT_clock_resume, &mine);
    emit_continue(emitter, done);
}

/* ---- the processes ---- */

void emit_clock_enroll(Emitter *emitter, Node *enroll) {
    emit_clocks_enter(emitter, &enroll->enroll.clocks);
    emit_process(emitter, enroll->enroll.process);
    emit_clocks_end(emitter, &enroll->enroll.clocks);
}

/* The last to arrive at the first clock runs the block; all the clocks have the same members. */
static void emit_next_block(Emitter *emitter, Node *next) {
    LLVMBuilderRef builder = emitter->builder;
    Node *name = next->next.clocks.items[0];
    LLVMBasicBlockRef elected = emit_block(emitter, "next.elected");
    LLVMBasicBlockRef done = emit_block(emitter, "next.all");
    LLVMValueRef site = emit_site(emitter, WAIT_CLOCK, next->at, emit_object_name(emitter, name));
    LLVMValueRef arguments[] = {emit_clock_registration(emitter, name), site};
    emit_runtime_call(emitter, RT_clock_elect, arguments);
    LLVMValueRef state =
        emit_load_field(emitter, emitter->i32, arguments[0], OFFSET_Registration_state, "state");
    LLVMValueRef is_elected = LLVMBuildICmp(
        builder, LLVMIntEQ, state, emit_i32(emitter, LAYOUT_REGISTRATION_ELECTED), "elected");
    LLVMBuildCondBr(builder, is_elected, elected, done);
    emit_enter(emitter, elected);
    emit_process(emitter, next->next.process);
    LLVMValueRef again[] = {emit_clock_registration(emitter, name), site};
    emit_runtime_call(emitter, RT_clock_next, again);
    emit_continue(emitter, done);
}

/* NEXT after RESUME on each. A clock may be named twice, or be two elements that are one: if it is
 * active again, it has been waited for already. */
static void emit_next_resumed(Emitter *emitter, Node *name, Location at) {
    LLVMBasicBlockRef resumed = emit_block(emitter, "next.one");
    LLVMBasicBlockRef done = emit_block(emitter, "next.waited");
    LLVMValueRef state =
        emit_load_field(emitter, emitter->i32, emit_clock_registration(emitter, name),
                        OFFSET_Registration_state, "state");
    LLVMBuildCondBr(emitter->builder, LLVMBuildIsNull(emitter->builder, state, ""), done, resumed);
    emit_enter(emitter, resumed);
    emit_next(emitter, name, at);
    emit_continue(emitter, done);
}

typedef void NextOne(Emitter *emitter, Node *name, Location at);

static void resume_one(Emitter *emitter, Node *name, Location at) {
    (void)at;
    emit_resume(emitter, emit_clock_registration(emitter, name));
}

/* NEXT without names passes over MOBILE CLOCK variables that are undefined. */
static void emit_one(Emitter *emitter, const Node *next, size_t number, NextOne *one) {
    Node *name = next->next.clocks.items[number];
    if (!next->next.is_all || !type_is_mobile(name->type)) {
        one(emitter, name, next->at);
        return;
    }
    LLVMBasicBlockRef some = emit_block(emitter, "next.mobile");
    LLVMBasicBlockRef done = emit_block(emitter, "next.passed");
    LLVMValueRef object = emit_load(emitter, emit_place(emitter, name));
    LLVMBuildCondBr(emitter->builder, emit_mobile_clock_defined(emitter, object), some, done);
    emit_enter(emitter, some);
    one(emitter, name, next->at);
    emit_continue(emitter, done);
}

/* Several at once: arrive at all, then wait for each. */
void emit_clock_next(Emitter *emitter, Node *next) {
    const NodeList *clocks = &next->next.clocks;
    bool has_block = next->next.process != NULL && clocks->count > 0;
    bool is_several = clocks->count > 1 || next->next.is_hidden;
    if (has_block) {
        emit_next_block(emitter, next);
    }
    for (size_t i = has_block; is_several && i < clocks->count; i++) {
        emit_one(emitter, next, i, resume_one);
    }
    if (next->next.is_hidden) {
        emit_hidden_resume(emitter);
    }
    for (size_t i = has_block; i < clocks->count; i++) {
        emit_one(emitter, next, i, is_several ? emit_next_resumed : emit_next);
    }
    if (next->next.is_hidden) {
        emit_hidden_next(emitter, next->at);
    }
}

LLVMValueRef emit_clock_guard(Emitter *emitter, Node *name) {
    LLVMValueRef mine = emit_clock_registration(emitter, name);
    emit_clock_is_in_state(emitter, mine, LAYOUT_REGISTRATION_RESUMED, ERROR_NOT_RESUMED, name->at,
                           emit_object_name(emitter, name));
    return mine;
}

LLVMValueRef emit_clock_is_over(Emitter *emitter, LLVMValueRef registration) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef clock =
        emit_load_field(emitter, emitter->ptr, registration, OFFSET_Registration_clock, "clock");
    LLVMValueRef mine =
        emit_load_field(emitter, emitter->i32, registration, OFFSET_Registration_phase, "phase");
    LLVMValueRef word = emit_load_field(emitter, emitter->i64, clock, OFFSET_Clock_word, "word");
    LLVMValueRef high =
        LLVMBuildLShr(builder, word, emit_i64(emitter, LAYOUT_CLOCK_PHASE_SHIFT), "");
    return LLVMBuildICmp(builder, LLVMIntNE, LLVMBuildTrunc(builder, high, emitter->i16, ""),
                         LLVMBuildTrunc(builder, mine, emitter->i16, ""), "over");
}

static void check_left_active(Emitter *emitter, Symbol *symbol, const Node *proc) {
    if (symbol != proc->proc.info->hidden_clocks && type_is_clock(symbol->type) &&
        symbol->definition != NULL && symbol->definition->kind != NODE_FORKING) {
        emit_clock_is_in_state(emitter, emit_find_binding(emitter, symbol)->place.address,
                               LAYOUT_REGISTRATION_ACTIVE, ERROR_LEFT_RESUMED, proc->at,
                               symbol->name->bytes);
    }
}

void emit_clocks_left_active(Emitter *emitter, const Node *proc) {
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        check_left_active(emitter, proc->proc.formals.items[i]->formal.def->def.symbol, proc);
    }
    for (size_t i = 0; i < proc->proc.info->free_names.count; i++) {
        check_left_active(emitter, proc->proc.info->free_names.items[i], proc);
    }
}

void emit_clock_sync(Emitter *emitter, Node *sync) {
    emit_next(emitter, sync->sync.element, sync->at);
}

void emit_clock_resume(Emitter *emitter, Node *resume) {
    for (size_t i = 0; i < resume->resume.clocks.count; i++) {
        emit_resume(emitter, emit_clock_registration(emitter, resume->resume.clocks.items[i]));
    }
}

void emit_clock_drop(Emitter *emitter, Node *drop) {
    for (size_t i = 0; i < drop->drop.clocks.count; i++) {
        if (type_is_mobile(drop->drop.clocks.items[i]->type)) {
            emit_mobile_clock_drop(emitter, drop->drop.clocks.items[i]);
            continue;
        }
        LLVMValueRef mine = emit_clock_registration(emitter, drop->drop.clocks.items[i]);
        emit_runtime_call(emitter, RT_clock_leave, &mine);
    }
}

void emit_clock_resign(Emitter *emitter, Node *resign) {
    if (type_is_mobile(resign->resign.element->type)) {
        emit_mobile_clock_resign(emitter, resign);
        return;
    }
    LLVMValueRef mine = emit_clock_registration(emitter, resign->resign.element);
    emit_runtime_call(emitter, RT_clock_leave, &mine);
    emit_process(emitter, resign->resign.process);
    emit_runtime_call(emitter, RT_clock_rejoin, &mine);
}

/* Where explored states are compared, phases count modulo 4 unless the program asks for them. */
static void say_that_phases_are_asked(Emitter *emitter) {
    static const char name[] = "occ_asks_phases";
    if (LLVMGetNamedGlobal(emitter->module, name) == NULL) {
        LLVMValueRef mark = LLVMAddGlobal(emitter->module, emitter->i8, name);
        LLVMSetInitializer(mark, LLVMConstInt(emitter->i8, 1, 0));
        LLVMSetLinkage(mark, LLVMWeakAnyLinkage);
    }
}

LLVMValueRef emit_clock_phase(Emitter *emitter, Node *phase) {
    say_that_phases_are_asked(emitter);
    LLVMValueRef mine = emit_clock_registration(emitter, phase->phase.clock);
    return emit_load_field(emitter, emitter->i32, mine, OFFSET_Registration_phase, "phase");
}
