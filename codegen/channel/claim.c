/* claim -- CLAIM: taking and leaving a shared end, or a MUTEX, which is nothing but the lock.
 *
 * Owns:   the inlined half of the lock of layout.def's Claim.
 * Leaves: everything but a free end and handing on in order to the runtime; the run queue to
 *         run_queue.c.
 * Holds:  the word of a Claim is touched here only while the worker is alone (mode 0): plain loads
 *         and stores. Many workers go through the runtime. */
#include "emit_sharing.h"
#include "layout_offsets.h"

/* Somebody holds it: join the waiting line and park. Whoever hands it on stores me as holder. */
static void emit_wait_in_line(Emitter *emitter, LLVMValueRef lock, LLVMValueRef word,
                              LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef me = emit_me(emitter);
    LLVMValueRef before =
        LLVMBuildAnd(builder, word, emit_i64(emitter, ~(int64_t)LAYOUT_CLAIM_HELD), "before");
    emit_store_field(emitter, before, me, OFFSET_Process_data);
    LLVMValueRef mine = emit_field(emitter, me, LAYOUT_CLAIM_HELD, "");
    emit_store_field(emitter, LLVMBuildPtrToInt(builder, mine, emitter->i64, "mine"), lock,
                     OFFSET_Claim_word);
    emit_park(emitter, lock, site);
}

/* A process that holds a MUTEX and claims it again would wait for itself. */
static void emit_check_nested(Emitter *emitter, LLVMValueRef lock, const Node *mutex) {
    LLVMValueRef holder = emit_load_field(emitter, emitter->ptr, lock, OFFSET_Claim_holder, "");
    LLVMValueRef is_other =
        LLVMBuildICmp(emitter->builder, LLVMIntNE, holder, emit_me(emitter), "");
    emit_trap_unless(emitter, is_other, ERROR_NESTED_CLAIM, mutex->at,
                     emit_object_name(emitter, mutex->claim.element), NULL, NULL, NULL);
}

/* mutex: the CLAIM, if it is of a MUTEX; NULL for the end of a channel. */
static void emit_take(Emitter *emitter, LLVMValueRef lock, LLVMValueRef site, const Node *mutex) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "claim.look");
    LLVMBasicBlockRef take = emit_block(emitter, "claim.take");
    LLVMBasicBlockRef wait = emit_block(emitter, "claim.wait");
    LLVMBasicBlockRef slow = emit_block(emitter, "claim.slow");
    LLVMBasicBlockRef taken = emit_block(emitter, "claim.taken");
    emit_if_alone(emitter, look, slow);
    emit_enter(emitter, look);
    LLVMValueRef word = emit_load_field(emitter, emitter->i64, lock, OFFSET_Claim_word, "claim");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, word, "free"), take, wait);
    emit_enter(emitter, take);
    emit_store_field(emitter, emit_i64(emitter, LAYOUT_CLAIM_HELD), lock, OFFSET_Claim_word);
    emit_store_field(emitter, emit_me(emitter), lock, OFFSET_Claim_holder);
    emit_jump(emitter, taken);
    emit_enter(emitter, wait);
    if (mutex != NULL) {
        emit_check_nested(emitter, lock, mutex);
    }
    emit_wait_in_line(emitter, lock, word, site);
    emit_jump(emitter, taken);
    emit_enter(emitter, slow);
    LLVMValueRef arguments[] = {lock, site};
    emit_runtime_call(emitter, mutex != NULL ? RT_claim_mutex : RT_claim, arguments);
    emit_continue(emitter, taken);
}

static void emit_hand_on(Emitter *emitter, LLVMValueRef lock, LLVMValueRef next) {
    emit_store_field(emitter,
                     emit_load_field(emitter, emitter->ptr, next, OFFSET_Process_data, "behind"),
                     lock, OFFSET_Claim_queue);
    emit_store_field(emitter, next, lock, OFFSET_Claim_holder);
    emit_enqueue(emitter, next);
}

static void emit_leave(Emitter *emitter, LLVMValueRef lock) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "release.look");
    LLVMBasicBlockRef last = emit_block(emitter, "release.last");
    LLVMBasicBlockRef free = emit_block(emitter, "release.free");
    LLVMBasicBlockRef hand = emit_block(emitter, "release.hand");
    LLVMBasicBlockRef slow = emit_block(emitter, "release.slow");
    LLVMBasicBlockRef done = emit_block(emitter, "release.done");
    emit_if_alone(emitter, look, slow);
    emit_enter(emitter, look);
    LLVMValueRef next = emit_load_field(emitter, emitter->ptr, lock, OFFSET_Claim_queue, "next");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, next, ""), last, hand);
    emit_enter(emitter, last);
    LLVMValueRef word = emit_load_field(emitter, emitter->i64, lock, OFFSET_Claim_word, "claim");
    LLVMValueRef nobody =
        LLVMBuildICmp(builder, LLVMIntEQ, word, emit_i64(emitter, LAYOUT_CLAIM_HELD), "");
    LLVMBuildCondBr(builder, nobody, free, slow);
    emit_enter(emitter, free);
    emit_store_field(emitter, LLVMConstNull(emitter->ptr), lock, OFFSET_Claim_holder);
    emit_store_field(emitter, emit_i64(emitter, 0), lock, OFFSET_Claim_word);
    emit_jump(emitter, done);
    emit_enter(emitter, hand);
    emit_hand_on(emitter, lock, next);
    emit_jump(emitter, done);
    emit_enter(emitter, slow);
    emit_runtime_call(emitter, RT_claim_release, &lock);
    emit_continue(emitter, done);
}

/* ---- the end ---- */

/* The slot that holds the claimed end of a bundle: a PROC that is given it must leave it there. */
static Place bind_bundle_end(Emitter *emitter, Node *claim, LLVMValueRef object) {
    Symbol *claimed = claim->claim.claimed;
    Place slot = {.type = claimed->type};
    slot.address = emit_alloca(emitter, emitter->ptr, "claimed");
    emit_store(emitter, object, slot);
    emit_bind_place(emitter, claimed, slot);
    return slot;
}

static void check_still_there(Emitter *emitter, Node *claim, Place slot, LLVMValueRef object) {
    LLVMValueRef now = emit_load(emitter, slot);
    LLVMValueRef same = LLVMBuildICmp(emitter->builder, LLVMIntEQ, now, object, "");
    emit_trap_unless(emitter, same, ERROR_CLAIM_MOVED, claim->at,
                     emit_object_name(emitter, claim->claim.element), NULL, NULL, NULL);
}

static LLVMValueRef claim_site(Emitter *emitter, Node *claim) {
    return emit_wait_site(emitter, WAIT_CLAIM, claim->at,
                          emit_object_name(emitter, claim->claim.element));
}

static void emit_claim_of_bundle(Emitter *emitter, Node *claim) {
    Node *element = claim->claim.element;
    LLVMValueRef object = emit_bundle_object(emitter, element);
    LLVMValueRef lock = emit_bundle_claim(emitter, element->type, object);
    emit_take(emitter, lock, claim_site(emitter, claim), NULL);
    Place slot = bind_bundle_end(emitter, claim, object);
    emit_process(emitter, claim->claim.process);
    if (!emit_is_terminated(emitter)) {
        check_still_there(emitter, claim, slot, object);
        emit_leave(emitter, lock);
    }
}

static void emit_claim_of_mutex(Emitter *emitter, Node *claim) {
    LLVMValueRef lock = emit_place(emitter, claim->claim.element).address;
    emit_take(emitter, lock, claim_site(emitter, claim), claim);
    emit_process(emitter, claim->claim.process);
    if (!emit_is_terminated(emitter)) {
        emit_leave(emitter, lock);
    }
}

void emit_claim(Emitter *emitter, Node *claim) {
    if (type_is_mutex(claim->claim.element->type)) {
        emit_claim_of_mutex(emitter, claim);
        return;
    }
    if (type_is_bundle_end(claim->claim.element->type)) {
        emit_claim_of_bundle(emitter, claim);
        return;
    }
    Place end = emit_place(emitter, claim->claim.element);
    unsigned offset = claim->claim.direction == DIRECTION_INPUT ? OFFSET_SharedChannel_input
                                                                : OFFSET_SharedChannel_output;
    LLVMValueRef lock = emit_field(emitter, end.address, offset, "lock");
    emit_take(emitter, lock, claim_site(emitter, claim), NULL);
    end.type = claim->claim.claimed->type;
    emit_bind_place(emitter, claim->claim.claimed, end);
    emit_process(emitter, claim->claim.process);
    if (!emit_is_terminated(emitter)) {
        emit_leave(emitter, lock);
    }
}
