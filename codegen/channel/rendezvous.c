/* rendezvous -- the inlined half of channels.
 *
 * Owns:   the only generated code that reads and writes channel words, except for ALTs and
 *         extended inputs.
 * Leaves: every case but an empty channel and a plain partner to the runtime's slow paths, parking
 *         to run_queue.c.
 * Holds:  the first to arrive stores its data and site, then publishes itself, then parks; it never
 *         touches its stack before it is resumed. The second copies, clears the word, makes the
 *         partner ready on its own queue and goes on running.
 *
 *         A message of one word travels in the descriptor of the one that waits (decision 0007). */
#include "rendezvous.h"

#include "layout_offsets.h"

#include <llvm-c/Target.h>

/* The channel is used by plain operations of this worker, and nobody asks for attention. */
static void emit_if_own(Emitter *emitter, LLVMValueRef channel, LLVMBasicBlockRef own,
                        LLVMBasicBlockRef otherwise) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef owner = emit_load_field(emitter, emitter->i16, channel, OFFSET_Channel_owner, "");
    LLVMSetOrdering(owner, LLVMAtomicOrderingMonotonic); /* others may change it */
    LLVMValueRef field = emit_field(emitter, emit_worker(emitter), OFFSET_Worker_mode, "");
    LLVMValueRef mode = LLVMBuildLoad2(builder, emitter->i16, field, "mode");
    LLVMSetVolatile(mode, 1);
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntEQ, owner, mode, "own"), own, otherwise);
}

/* ---- the message ---- */

LLVMValueRef message_load_word(Emitter *emitter, const Message *message, LLVMValueRef process) {
    LLVMValueRef field = emit_field(emitter, process, OFFSET_Process_data, "");
    return LLVMBuildLoad2(emitter->builder, message->type, field, "received");
}

/* What the runtime takes as `data`: for a word, its place in my descriptor. */
static LLVMValueRef message_data(Emitter *emitter, const Message *message) {
    return message->type != NULL
               ? emit_field(emitter, emit_me(emitter), OFFSET_Process_data, "message")
               : message->data;
}

/* Before waiting: put what the partner will look for into my descriptor. */
static void lay_out(Emitter *emitter, const Message *message) {
    if (message->type == NULL) {
        emit_store_field(emitter, message->data, emit_me(emitter), OFFSET_Process_data);
    } else if (message->is_output) {
        emit_store_field(emitter, message->word, emit_me(emitter), OFFSET_Process_data);
    }
}

void message_copy(Emitter *emitter, Message *message, LLVMValueRef partner) {
    if (message->type != NULL && message->is_output) {
        emit_store_field(emitter, message->word, partner, OFFSET_Process_data);
    } else if (message->type != NULL) {
        message->word = message_load_word(emitter, message, partner);
    } else {
        LLVMValueRef theirs = emit_load_pointer(emitter, partner, OFFSET_Process_data, "theirs");
        LLVMBuildMemCpy(emitter->builder, message->is_output ? theirs : message->data, 1,
                        message->is_output ? message->data : theirs, 1, message->size_bytes);
    }
}

/* ---- the rendezvous ---- */

/* The partner is parked in the matching operation: copy, clear, make it ready. */
static void emit_meet(Emitter *emitter, LLVMValueRef channel, Message *message,
                      LLVMValueRef partner) {
    message_copy(emitter, message, partner);
    emit_store_field(emitter, LLVMConstNull(emitter->i64), channel, OFFSET_Channel_word);
    emit_enqueue(emitter, partner);
}

/* Nobody is there: publish me and park. */
static void emit_wait_for_partner(Emitter *emitter, LLVMValueRef channel, const Message *message,
                                  LLVMValueRef site) {
    LLVMValueRef me = emit_me(emitter);
    lay_out(emitter, message);
    unsigned tag = message->is_output ? LAYOUT_TAG_OUTPUT_WAITING : LAYOUT_TAG_INPUT_WAITING;
    LLVMValueRef word = emit_field(emitter, me, tag, "published");
    emit_store_field(emitter, LLVMBuildPtrToInt(emitter->builder, word, emitter->i64, ""), channel,
                     OFFSET_Channel_word);
    emit_park(emitter, channel, site);
}

/* Any other state of the channel is left to the runtime. */
void emit_transfer_slow(Emitter *emitter, LLVMValueRef channel, const Message *message,
                        LLVMValueRef site) {
    if (message->type != NULL && message->is_output) {
        lay_out(emitter, message);
    }
    LLVMValueRef arguments[] = {channel, message_data(emitter, message), message->size_bytes, site};
    emit_runtime_call(emitter, message->is_output ? RT_channel_output : RT_channel_input,
                      arguments);
}

/* The word of the channel. What an ALT has found there is not read again: the load would
 * delay the partner. */
static LLVMValueRef find_word(Emitter *emitter, LLVMValueRef channel, LLVMValueRef met) {
    LLVMBuilderRef builder = emitter->builder;
    if (met == NULL) {
        return emit_load_field(emitter, emitter->i64, channel, OFFSET_Channel_word, "word");
    }
    LLVMBasicBlockRef unknown = emit_block(emitter, "channel.unknown");
    LLVMBasicBlockRef known = emit_block(emitter, "channel.known");
    LLVMValueRef found = LLVMBuildLoad2(builder, emitter->i64, met, "met");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, found, ""), unknown, known);
    emit_enter(emitter, unknown);
    LLVMValueRef word =
        emit_load_field(emitter, emitter->i64, channel, OFFSET_Channel_word, "word");
    return emit_merge(emitter, known, found, before, word, "word");
}

/* Go to `wait`, `meet` or `slow` by the channel's word; the partner, valid in `meet`. */
static LLVMValueRef emit_look(Emitter *emitter, LLVMValueRef word, bool is_output,
                              LLVMBasicBlockRef wait, LLVMBasicBlockRef meet,
                              LLVMBasicBlockRef slow) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef other = emit_block(emitter, "channel.look");
    LLVMValueRef empty = LLVMBuildIsNull(builder, word, "");
    unsigned expected = is_output ? LAYOUT_TAG_INPUT_WAITING : LAYOUT_TAG_OUTPUT_WAITING;
    LLVMValueRef partner =
        LLVMBuildIntToPtr(builder, LLVMBuildSub(builder, word, emit_i64(emitter, expected), ""),
                          emitter->ptr, "partner");
    if (expected != 0) { /* LLVM would compare the tag with `expected`: two instructions more */
        partner =
            emit_intrinsic(emitter, "llvm.launder.invariant.group", emitter->ptr, &partner, 1);
    }
    LLVMValueRef bits = LLVMBuildPtrToInt(builder, partner, emitter->i64, "");
    LLVMValueRef tag = LLVMBuildAnd(builder, bits, emit_i64(emitter, LAYOUT_TAG_MASK), "tag");
    LLVMValueRef plain = LLVMBuildIsNull(builder, tag, "plain");
    if (expected == 0) { /* an empty channel has the tag too */
        LLVMBuildCondBr(builder, empty, wait, other);
        emit_enter(emitter, other);
        LLVMBuildCondBr(builder, plain, meet, slow);
    } else {
        LLVMBuildCondBr(builder, plain, meet, other);
        emit_enter(emitter, other);
        LLVMBuildCondBr(builder, empty, wait, slow);
    }
    return partner;
}

/* The word received: from the partner I met, or from my descriptor if I waited. */
static LLVMValueRef join_words(Emitter *emitter, const Message *message, LLVMBasicBlockRef *from,
                               LLVMValueRef *words) {
    LLVMValueRef received = LLVMBuildPhi(emitter->builder, message->type, "received");
    LLVMAddIncoming(received, words, from, 3);
    return received;
}

LLVMValueRef emit_rendezvous(Emitter *emitter, LLVMValueRef channel, Message *message,
                             LLVMValueRef site) {
    LLVMBasicBlockRef own = emit_block(emitter, "channel.own");
    LLVMBasicBlockRef wait = emit_block(emitter, "channel.wait");
    LLVMBasicBlockRef meet = emit_block(emitter, "channel.meet");
    LLVMBasicBlockRef slow = emit_block(emitter, "channel.slow");
    LLVMBasicBlockRef done = emit_block(emitter, "channel.done");
    bool receives = message->type != NULL && !message->is_output;
    LLVMBasicBlockRef from[3];
    LLVMValueRef words[3];
    emit_if_own(emitter, channel, own, slow);
    emit_enter(emitter, own);
    LLVMValueRef word = find_word(emitter, channel, message->met);
    LLVMValueRef partner = emit_look(emitter, word, message->is_output, wait, meet, slow);

    emit_enter(emitter, meet);
    emit_meet(emitter, channel, message, partner);
    words[0] = message->word;
    from[0] = LLVMGetInsertBlock(emitter->builder);
    emit_jump(emitter, done);

    emit_enter(emitter, slow);
    emit_transfer_slow(emitter, channel, message, site);
    words[1] = receives ? message_load_word(emitter, message, emit_me(emitter)) : NULL;
    from[1] = LLVMGetInsertBlock(emitter->builder);
    emit_jump(emitter, done);

    emit_enter(emitter, wait);
    emit_wait_for_partner(emitter, channel, message, site);
    words[2] = receives ? message_load_word(emitter, message, emit_me(emitter)) : NULL;
    from[2] = LLVMGetInsertBlock(emitter->builder);
    emit_continue(emitter, done);
    return receives ? join_words(emitter, message, from, words) : NULL;
}

/* ---- what the two sides call ---- */

/* Code that runs once per call of its routine calls a routine too, as all code does at -Os. */
static bool is_worth_its_code(const Emitter *emitter) {
    const CodegenOptions *options = emitter->options;
    return options->optimisation >= 3 ||
           (options->optimisation > 0 && !options->for_size && emitter->routine->loops > 0);
}

static LLVMValueRef meet_partner(Emitter *emitter, LLVMValueRef channel, Message *message,
                                 LLVMValueRef site) {
    return is_worth_its_code(emitter) && !emit_is_long_text(emitter, 1)
               ? emit_rendezvous(emitter, channel, message, site)
               : emit_rendezvous_call(emitter, channel, message, site);
}

void emit_channel_transfer(Emitter *emitter, bool is_output, LLVMValueRef channel,
                           LLVMValueRef data, LLVMValueRef size_bytes, LLVMValueRef site,
                           LLVMValueRef met) {
    Message message = {.is_output = is_output, .data = data, .size_bytes = size_bytes, .met = met};
    (void)meet_partner(emitter, channel, &message, site);
}

LLVMValueRef message_word_bytes(Emitter *emitter, LLVMTypeRef type) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(emitter->module);
    return emit_i64(emitter, (int64_t)LLVMStoreSizeOfType(layout, type));
}

void emit_send_word(Emitter *emitter, LLVMValueRef channel, LLVMValueRef word, LLVMValueRef site,
                    LLVMValueRef met) {
    LLVMTypeRef type = LLVMTypeOf(word);
    Message message = {.is_output = true,
                       .type = type,
                       .word = word,
                       .size_bytes = message_word_bytes(emitter, type),
                       .met = met};
    (void)meet_partner(emitter, channel, &message, site);
}

LLVMValueRef emit_receive_word(Emitter *emitter, LLVMValueRef channel, LLVMTypeRef type,
                               LLVMValueRef site, LLVMValueRef met) {
    Message message = {.type = type, .size_bytes = message_word_bytes(emitter, type), .met = met};
    return meet_partner(emitter, channel, &message, site);
}
