/* hidden_clock -- the clocks of a process that a PROC does not see, for its NEXT without names.
 *
 * Owns:   the list that a caller passes: { Registration *, next }, in its frame, the last with NULL
 *         or the list it was given itself.
 * Leaves: which PROCs and clocks to frontend/clock/clock_hidden.c. */
#include "emit_clock.h"
#include "layout_offsets.h"

#define ENTRY_BYTES 16
#define OFFSET_NEXT 8

/* The list of nobody's clocks: for FORK, and for callers without other clocks. */
static LLVMValueRef empty_list(Emitter *emitter) {
    static const char name[] = "occ.no.clocks";
    LLVMValueRef list = LLVMGetNamedGlobal(emitter->module, name);
    if (list == NULL) {
        LLVMTypeRef type = LLVMArrayType2(emitter->ptr, 2);
        list = emit_constant_global(emitter, LLVMConstNull(type), name);
    }
    return list;
}

static LLVMValueRef own_list(Emitter *emitter) {
    Symbol *symbol = emitter->routine->node->proc.info->hidden_clocks;
    return emit_find_binding(emitter, symbol)->place.address;
}

/* The list with one clock more; an undefined MOBILE CLOCK variable adds none. */
static LLVMValueRef add_clock(Emitter *emitter, Node *name, LLVMValueRef rest) {
    LLVMValueRef entry =
        emit_alloca(emitter, LLVMArrayType2(emitter->i64, ENTRY_BYTES / 8), "clocks");
    emit_store_field(emitter, rest, entry, OFFSET_NEXT);
    if (!type_is_mobile(name->type)) {
        emit_store_field(emitter, emit_clock_registration(emitter, name), entry, 0);
        return entry;
    }
    LLVMValueRef object = emit_load(emitter, emit_place(emitter, name));
    LLVMValueRef is_defined = emit_mobile_clock_defined(emitter, object);
    emit_store_field(emitter, emit_field(emitter, object, LAYOUT_MOBILE_DATA, ""), entry, 0);
    return LLVMBuildSelect(emitter->builder, is_defined, entry, rest, "clocks");
}

LLVMValueRef emit_hidden_clocks(Emitter *emitter, Node *clocks) {
    const NodeList *names = &clocks->clocks.names;
    LLVMValueRef rest = clocks->clocks.continues ? own_list(emitter) : empty_list(emitter);
    for (size_t i = 0; i < names->count; i++) {
        rest = add_clock(emitter, names->items[i], rest);
    }
    return rest;
}

typedef void EachClock(Emitter *emitter, LLVMValueRef registration, LLVMValueRef site);

static void for_each(Emitter *emitter, EachClock *each, LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "clocks.look");
    LLVMBasicBlockRef one = emit_block(emitter, "clocks.one");
    LLVMBasicBlockRef done = emit_block(emitter, "clocks.done");
    LLVMValueRef at = emit_alloca(emitter, emitter->ptr, "clocks.at");
    LLVMBuildStore(builder, own_list(emitter), at);
    emit_continue(emitter, look);
    LLVMValueRef entry = LLVMBuildLoad2(builder, emitter->ptr, at, "entry");
    LLVMValueRef registration = emit_load_field(emitter, emitter->ptr, entry, 0, "registration");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, registration, ""), done, one);
    emit_enter(emitter, one);
    LLVMBuildStore(builder, emit_load_field(emitter, emitter->ptr, entry, OFFSET_NEXT, "next"), at);
    each(emitter, registration, site);
    emit_jump(emitter, look);
    emit_enter(emitter, done);
}

static void resume_one(Emitter *emitter, LLVMValueRef registration, LLVMValueRef site) {
    (void)site;
    emit_runtime_call(emitter, RT_clock_resume, &registration);
}

/* NEXT after RESUME: a clock that is active again stood in the list twice. */
static void next_one(Emitter *emitter, LLVMValueRef registration, LLVMValueRef site) {
    LLVMBasicBlockRef resumed = emit_block(emitter, "clocks.next");
    LLVMBasicBlockRef done = emit_block(emitter, "clocks.waited");
    LLVMValueRef arguments[] = {registration, site};
    LLVMValueRef state =
        emit_load_field(emitter, emitter->i32, registration, OFFSET_Registration_state, "state");
    LLVMBuildCondBr(emitter->builder, LLVMBuildIsNull(emitter->builder, state, ""), done, resumed);
    emit_enter(emitter, resumed);
    emit_runtime_call(emitter, RT_clock_next, arguments);
    emit_continue(emitter, done);
}

void emit_hidden_resume(Emitter *emitter) {
    for_each(emitter, resume_one, NULL);
}

void emit_hidden_next(Emitter *emitter, Location at) {
    for_each(emitter, next_one, emit_site(emitter, WAIT_CLOCK, at, "NEXT"));
}
