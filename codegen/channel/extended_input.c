/* extended_input -- the transfers of c ?? x: the partner stays where it is until the input ends.
 *
 * Owns:   looking for the partner, waiting for it as an ALT of one guard does, letting it go.
 * Leaves: the statement to communication.c, copying to rendezvous.c.
 * Holds:  while the partner is held its word stays in the channel, and in Hold.partner; nobody else
 *         may take it. */
#include "rendezvous.h"

#include "layout_offsets.h"

/* An ALT of one guard: a process that outputs then parks in the channel and wakes me. */
static void emit_await_output(Emitter *emitter, LLVMValueRef channel, LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef type = LLVMArrayType2(emitter->i8, SIZE_Alt + SIZE_AltGuard);
    LLVMValueRef alt = emit_alloca(emitter, type, "await");
    LLVMSetAlignment(alt, 16);
    LLVMBuildMemSet(builder, alt, LLVMConstNull(emitter->i8),
                    emit_i64(emitter, SIZE_Alt + SIZE_AltGuard), 16);
    emit_store_field(emitter, emit_i32(emitter, 1), alt, OFFSET_Alt_count);
    emit_store_field(emitter, emit_i32(emitter, LAYOUT_ALT_HOLDS), alt, OFFSET_Alt_flags);
    LLVMValueRef guard = emit_field(emitter, alt, SIZE_Alt, "");
    emit_store_field(emitter, channel, guard, OFFSET_AltGuard_object);
    emit_store_field(emitter, LLVMConstInt(emitter->i16, LAYOUT_GUARD_INPUT, 0), guard,
                     OFFSET_AltGuard_kind);
    LLVMValueRef arguments[] = {alt, site};
    emit_runtime_call(emitter, RT_alt_select, arguments);
}

static LLVMValueRef tag_of(Emitter *emitter, LLVMValueRef word) {
    LLVMValueRef mask = emit_i64(emitter, LAYOUT_TAG_MASK);
    return LLVMBuildAnd(emitter->builder, word, mask, "tag");
}

/* The process that outputs on the channel with this word. */
static LLVMValueRef partner_of(Emitter *emitter, LLVMValueRef word) {
    LLVMValueRef waiting = emit_i64(emitter, LAYOUT_TAG_OUTPUT_WAITING);
    LLVMValueRef bits = LLVMBuildSub(emitter->builder, word, waiting, "");
    return LLVMBuildIntToPtr(emitter->builder, bits, emitter->ptr, "partner");
}

static LLVMValueRef has_tag(Emitter *emitter, LLVMValueRef tag, int64_t wanted) {
    return LLVMBuildICmp(emitter->builder, LLVMIntEQ, tag, emit_i64(emitter, wanted), "");
}

/* On CHAN OF ANY: a partner that says how many bytes it sends must send as many as are wanted. */
static void check_any_size(Emitter *emitter, LLVMValueRef partner, const Hold *hold) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef sized = emit_block(emitter, "any.sized");
    LLVMBasicBlockRef agreed = emit_block(emitter, "any.agreed");
    LLVMValueRef site = emit_load_pointer(emitter, partner, OFFSET_Process_wait, "their.site");
    LLVMValueRef flags =
        LLVMBuildLoad2(builder, emitter->i8, emit_field(emitter, site, OFFSET_Site_flags, ""), "");
    LLVMValueRef bit = LLVMConstInt(emitter->i8, LAYOUT_SITE_SIZED, 0);
    LLVMValueRef unsized = LLVMBuildIsNull(builder, LLVMBuildAnd(builder, flags, bit, ""), "");
    LLVMBuildCondBr(builder, unsized, agreed, sized);
    emit_enter(emitter, sized);
    LLVMValueRef theirs =
        LLVMBuildLoad2(builder, emitter->i64, emit_field(emitter, site, SIZE_Site, ""), "");
    LLVMValueRef same = LLVMBuildICmp(builder, LLVMIntEQ, theirs, hold->any_size, "");
    emit_trap_unless(emitter, same, ERROR_MESSAGE_SIZE, hold->at, hold->name, theirs,
                     hold->any_size, NULL);
    emit_continue(emitter, agreed);
}

/* Go to `owned` when several workers are active and another owns the channel: only it may touch the
 * word. */
static void emit_unless_owned(Emitter *emitter, LLVMValueRef channel, LLVMBasicBlockRef owned) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef marked = emit_block(emitter, "extended.marked");
    LLVMBasicBlockRef free = emit_block(emitter, "extended.free");
    LLVMValueRef field = emit_field(emitter, channel, OFFSET_Channel_owner, "");
    LLVMValueRef owner = LLVMBuildLoad2(builder, emitter->i16, field, "owner");
    LLVMSetVolatile(owner, 1);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, owner, ""), free, marked);
    emit_enter(emitter, marked);
    emit_if_alone(emitter, free, owned);
    emit_enter(emitter, free);
}

/* From a device or a closed channel: nobody is held. */
static void transfer_unheld(Emitter *emitter, LLVMValueRef channel, const Message *message,
                            const Hold *hold, LLVMValueRef slot) {
    emit_transfer_slow(emitter, channel, message, hold->await_site);
    if (message->type != NULL) {
        LLVMValueRef received = message_load_word(emitter, message, emit_me(emitter));
        LLVMBuildStore(emitter->builder, received, slot);
    }
    LLVMBuildStore(emitter->builder, LLVMConstNull(emitter->i64), hold->partner);
}

static void copy_held(Emitter *emitter, LLVMValueRef word, Message *message, const Hold *hold,
                      LLVMValueRef slot) {
    LLVMValueRef partner = partner_of(emitter, word);
    if (hold->any_size != NULL) {
        check_any_size(emitter, partner, hold);
    }
    message_copy(emitter, message, partner);
    if (message->type != NULL) {
        LLVMBuildStore(emitter->builder, message->word, slot);
    }
    LLVMBuildStore(emitter->builder, word, hold->partner);
}

/* Copy the message of the partner, which stays parked; a word goes to the slot. */
static void emit_hold(Emitter *emitter, LLVMValueRef channel, Message *message, const Hold *hold,
                      LLVMValueRef slot) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "extended.look");
    LLVMBasicBlockRef other = emit_block(emitter, "extended.other");
    LLVMBasicBlockRef wait = emit_block(emitter, "extended.wait");
    LLVMBasicBlockRef slow = emit_block(emitter, "extended.slow");
    LLVMBasicBlockRef held = emit_block(emitter, "extended.held");
    LLVMBasicBlockRef done = emit_block(emitter, "extended.done");
    emit_continue(emitter, look);
    emit_unless_owned(emitter, channel, wait);
    LLVMValueRef field = emit_field(emitter, channel, OFFSET_Channel_word, "");
    LLVMValueRef word = LLVMBuildLoad2(builder, emitter->i64, field, "word");
    LLVMSetVolatile(word, 1); /* LLVM does not see that the process waits in between */
    LLVMSetOrdering(word, LLVMAtomicOrderingAcquire);
    LLVMValueRef tag = tag_of(emitter, word);
    LLVMBuildCondBr(builder, has_tag(emitter, tag, LAYOUT_TAG_OUTPUT_WAITING), held, other);
    emit_enter(emitter, other);
    LLVMValueRef is_slow = LLVMBuildOr(builder, has_tag(emitter, tag, LAYOUT_TAG_DEVICE),
                                       has_tag(emitter, tag, LAYOUT_TAG_CLOSED), "");
    LLVMBuildCondBr(builder, is_slow, slow, wait);
    emit_enter(emitter, wait);
    emit_await_output(emitter, channel, hold->await_site);
    emit_jump(emitter, look);
    emit_enter(emitter, slow);
    transfer_unheld(emitter, channel, message, hold, slot);
    emit_jump(emitter, done);
    emit_enter(emitter, held);
    copy_held(emitter, word, message, hold, slot);
    emit_continue(emitter, done);
}

void emit_hold_transfer(Emitter *emitter, LLVMValueRef channel, LLVMValueRef data,
                        LLVMValueRef size_bytes, const Hold *hold) {
    Message message = {.data = data, .size_bytes = size_bytes};
    emit_hold(emitter, channel, &message, hold, NULL);
}

LLVMValueRef emit_hold_word(Emitter *emitter, LLVMValueRef channel, LLVMTypeRef type,
                            const Hold *hold) {
    Message message = {.type = type, .size_bytes = message_word_bytes(emitter, type)};
    LLVMValueRef slot = emit_alloca(emitter, type, "message");
    emit_hold(emitter, channel, &message, hold, slot);
    return LLVMBuildLoad2(emitter->builder, type, slot, "received");
}

/* A device may hold a sender elsewhere. */
static void end_unheld(Emitter *emitter, LLVMValueRef channel, LLVMValueRef field,
                       LLVMBasicBlockRef done) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef device = emit_block(emitter, "extended.device");
    LLVMValueRef word = LLVMBuildLoad2(builder, emitter->i64, field, "word");
    LLVMSetVolatile(word, 1);
    LLVMValueRef is_device = has_tag(emitter, tag_of(emitter, word), LAYOUT_TAG_DEVICE);
    LLVMBuildCondBr(builder, is_device, device, done);
    emit_enter(emitter, device);
    emit_runtime_call(emitter, RT_extended_end, &channel);
    emit_jump(emitter, done);
}

void emit_hold_end(Emitter *emitter, LLVMValueRef channel, const Hold *hold) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "extended.end");
    LLVMBasicBlockRef wake = emit_block(emitter, "extended.wake");
    LLVMBasicBlockRef done = emit_block(emitter, "extended.ended");
    LLVMValueRef held = LLVMBuildLoad2(builder, emitter->i64, hold->partner, "held");
    LLVMBasicBlockRef unheld = emit_block(emitter, "extended.unheld");
    LLVMValueRef field = emit_field(emitter, channel, OFFSET_Channel_word, "");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, held, ""), unheld, look);
    emit_enter(emitter, unheld);
    end_unheld(emitter, channel, field, done);
    emit_enter(emitter, look);
    LLVMValueRef word = LLVMBuildLoad2(builder, emitter->i64, field, "word");
    LLVMSetVolatile(word, 1);
    LLVMBuildCondBr(builder, has_tag(emitter, tag_of(emitter, word), LAYOUT_TAG_CLOSED), done,
                    wake);
    emit_enter(emitter, wake);
    LLVMValueRef same = LLVMBuildICmp(builder, LLVMIntEQ, word, held, "same");
    emit_trap_unless(emitter, same, ERROR_EXTENDED, hold->at, hold->name, NULL, NULL, NULL);
    LLVMValueRef left = LLVMBuildStore(builder, LLVMConstNull(emitter->i64), field);
    LLVMSetOrdering(left, LLVMAtomicOrderingRelease);
    emit_enqueue(emitter, partner_of(emitter, held));
    emit_continue(emitter, done);
}
