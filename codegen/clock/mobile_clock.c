/* mobile_clock -- MOBILE CLOCK and MOBILE BARRIER as values.
 *
 * Owns:   making one, enrolling whoever it is sent to, RESIGN, the variable of a branch of PAR
 *         ENROLL, the run-time checks of state in place of CK2 to CK4 (not enrolled, resumed).
 * Leaves: moves and the end of a variable to mobile_parts.c, the operations of clocks to clock.c.
 * Holds:  a variable is the address of a MobileRegistration (runtime/clock/mobile_clock.h), NULL
 *         when undefined; its Registration is the contents. In a branch of PAR ENROLL the name
 *         denotes a variable of the branch. */
#include "emit_clock.h"
#include "layout_offsets.h"

static LLVMValueRef memory_site(Emitter *emitter, Location at, const char *name) {
    return emit_site(emitter, ERROR_NO_MEMORY, at, name);
}

static LLVMValueRef registration_in(Emitter *emitter, LLVMValueRef object) {
    return emit_field(emitter, object, LAYOUT_MOBILE_DATA, "registration");
}

static LLVMValueRef load_state(Emitter *emitter, LLVMValueRef registration) {
    return emit_load_field(emitter, emitter->i32, registration, OFFSET_Registration_state, "state");
}

static LLVMValueRef is_state(Emitter *emitter, LLVMIntPredicate predicate, LLVMValueRef state,
                             int64_t wanted) {
    return LLVMBuildICmp(emitter->builder, predicate, state, emit_i32(emitter, wanted), "");
}

/* ---- elements ---- */

static LLVMValueRef enrolled(Emitter *emitter, LLVMValueRef object, Node *element) {
    const char *name = emit_object_name(emitter, element);
    emit_trap_unless(emitter, LLVMBuildIsNotNull(emitter->builder, object, ""), ERROR_NOT_ENROLLED,
                     element->at, name, NULL, NULL, NULL);
    LLVMValueRef registration = registration_in(emitter, object);
    LLVMValueRef state = load_state(emitter, registration);
    emit_trap_unless(emitter, is_state(emitter, LLVMIntNE, state, LAYOUT_REGISTRATION_NONE),
                     ERROR_NOT_ENROLLED, element->at, name, NULL, NULL, NULL);
    return registration;
}

LLVMValueRef emit_mobile_registration(Emitter *emitter, Node *element) {
    return enrolled(emitter, emit_load(emitter, emit_place(emitter, element)), element);
}

void emit_clock_is_in_state(Emitter *emitter, LLVMValueRef registration, unsigned state,
                            ErrorKind error, Location at, const char *name) {
    LLVMValueRef is_there = is_state(emitter, LLVMIntEQ, load_state(emitter, registration), state);
    emit_trap_unless(emitter, is_there, error, at, name, NULL, NULL, NULL);
}

void emit_clock_is_active(Emitter *emitter, LLVMValueRef registration, Node *element) {
    emit_clock_is_in_state(emitter, registration, LAYOUT_REGISTRATION_ACTIVE, ERROR_RESUMED,
                           element->at, emit_object_name(emitter, element));
}

LLVMValueRef emit_mobile_clock_defined(Emitter *emitter, LLVMValueRef object) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef some = emit_block(emitter, "clock.some");
    LLVMBasicBlockRef done = emit_block(emitter, "clock.defined");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, object, ""), done, some);
    emit_enter(emitter, some);
    LLVMValueRef state = load_state(emitter, registration_in(emitter, object));
    LLVMValueRef is_one = is_state(emitter, LLVMIntNE, state, LAYOUT_REGISTRATION_NONE);
    return emit_merge(emitter, done, LLVMConstNull(emitter->i1), before, is_one, "defined");
}

/* ---- values ---- */

LLVMValueRef emit_mobile_clock(Emitter *emitter, Location at) {
    LLVMValueRef site = memory_site(emitter, at, NULL);
    return emit_runtime_call(emitter, RT_mobile_clock_make, &site);
}

/* Nobody is enrolled on an undefined clock: its enrolment is undefined too. */
void emit_mobile_clock_enrol(Emitter *emitter, Node *element, Place to) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef some = emit_block(emitter, "clock.enrol");
    LLVMBasicBlockRef done = emit_block(emitter, "clock.enrolled");
    LLVMValueRef object = emit_load(emitter, emit_place(emitter, element));
    LLVMValueRef is_defined = emit_mobile_clock_defined(emitter, object);
    emit_forget(emitter, to);
    LLVMBuildCondBr(builder, is_defined, some, done);
    emit_enter(emitter, some);
    emit_clock_is_active(emitter, registration_in(emitter, object), element);
    LLVMValueRef arguments[] = {
        object, memory_site(emitter, element->at, emit_object_name(emitter, element))};
    emit_store(emitter, emit_runtime_call(emitter, RT_mobile_clock_enrol, arguments), to);
    emit_continue(emitter, done);
}

LLVMValueRef emit_mobile_clock_copy(Emitter *emitter, LLVMValueRef object, LLVMValueRef site) {
    LLVMValueRef arguments[] = {object, site};
    return emit_runtime_call(emitter, RT_mobile_clock_enrol, arguments);
}

/* ---- DROP ---- */

void emit_mobile_clock_drop(Emitter *emitter, Node *element) {
    Place place = emit_place(emitter, element);
    (void)enrolled(emitter, emit_load(emitter, place), element);
    emit_release(emitter, place);
    emit_forget(emitter, place);
}

/* ---- RESIGN ---- */

/* The block may put another clock into the variable, enrolled already, or leave it undefined: the
 * old one may be gone, so it is not looked at again. */
void emit_mobile_clock_resign(Emitter *emitter, Node *resign) {
    Node *element = resign->resign.element;
    Place place = emit_place(emitter, element);
    LLVMValueRef mine = enrolled(emitter, emit_load(emitter, place), element);
    emit_runtime_call(emitter, RT_clock_leave, &mine);
    emit_process(emitter, resign->resign.process);
    LLVMBasicBlockRef some = emit_block(emitter, "clock.rejoin");
    LLVMBasicBlockRef done = emit_block(emitter, "clock.rejoined");
    LLVMValueRef object = emit_load(emitter, place);
    LLVMBuildCondBr(emitter->builder, LLVMBuildIsNull(emitter->builder, object, ""), done, some);
    emit_enter(emitter, some);
    mine = registration_in(emitter, object);
    emit_runtime_call(emitter, RT_clock_rejoin, &mine);
    emit_continue(emitter, done);
}

/* ---- branches ---- */

void emit_mobile_clock_enter(Emitter *emitter, Node *name) {
    Place outer = emit_place(emitter, name);
    Place mine = {.type = outer.type};
    mine.address = emit_zeroed_alloca(emitter, emitter->ptr, name->name.symbol->name->bytes);
    LLVMValueRef arguments[] = {
        emit_load(emitter, outer),
        memory_site(emitter, name->at, emit_object_name(emitter, name)),
    };
    emit_store(emitter, emit_runtime_call(emitter, RT_mobile_clock_branch, arguments), mine);
    emit_bind_place(emitter, name->name.symbol, mine);
}

void emit_mobile_clock_end(Emitter *emitter, Place mine, Place outer) {
    LLVMValueRef arguments[] = {emit_load(emitter, mine), emit_load(emitter, outer)};
    emit_runtime_call(emitter, RT_mobile_clock_end, arguments);
    emit_forget(emitter, mine);
}
