/* rendezvous -- the inlined half of channels, run queue and parking.
 *
 * Owns:   the only generated code that reads channel words and the run queue (runtime.md A2).
 * Leaves: every case but an empty channel and a plain partner to the runtime's slow paths.
 * Holds:  first to arrive: its data and site are stored, then it is published, then it parks and
 *         never touches its stack before it is resumed. Second: copies, clears the word, makes the
 *         partner ready on its own queue and goes on running. The worker and the head of its
 *         queue are reached by me, or are what a routine that parked returned; never kept over a
 *         park, nor the head over a call of the runtime, which may have made something ready.
 *
 *         A message of one word travels in the descriptor of whoever waits (decision 0007).
 *
 * The empty branch of the insert is a volatile store on purpose: LLVM would turn the branch into a
 * selected store address, which costs 17 ns per communication (runtime.md B4.2). */
#include "alt_probe.h"
#include "emit.h"
#include "layout_offsets.h"

#include <llvm-c/Target.h>

LLVMValueRef emit_field(Emitter *emitter, LLVMValueRef base, unsigned offset, const char *name) {
    if (offset == 0) {
        return base;
    }
    LLVMValueRef index = emit_i64(emitter, offset);
    return LLVMBuildInBoundsGEP2(emitter->builder, emitter->i8, base, &index, 1, name);
}

LLVMValueRef emit_load_field(Emitter *emitter, LLVMTypeRef type, LLVMValueRef base, unsigned offset,
                             const char *name) {
    LLVMValueRef field = emit_field(emitter, base, offset, "");
    return LLVMBuildLoad2(emitter->builder, type, field, name);
}

static LLVMValueRef load_pointer(Emitter *emitter, LLVMValueRef base, unsigned offset,
                                 const char *name) {
    return emit_load_field(emitter, emitter->ptr, base, offset, name);
}

LLVMValueRef emit_store_field(Emitter *emitter, LLVMValueRef value, LLVMValueRef base,
                              unsigned offset) {
    return LLVMBuildStore(emitter->builder, value, emit_field(emitter, base, offset, ""));
}

static LLVMValueRef is_null(Emitter *emitter, LLVMValueRef pointer) {
    return LLVMBuildIsNull(emitter->builder, pointer, "");
}

void emit_enqueue(Emitter *emitter, LLVMValueRef process) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef empty = emit_block(emitter, "queue.empty");
    LLVMBasicBlockRef behind = emit_block(emitter, "queue.behind");
    LLVMBasicBlockRef done = emit_block(emitter, "queue.done");
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef head = emit_head(emitter);
    emit_store_field(emitter, LLVMConstNull(emitter->ptr), process, OFFSET_Process_next);
    LLVMBuildCondBr(builder, is_null(emitter, head), empty, behind);
    emit_enter(emitter, empty);
    emit_set_head(emitter, process);
    LLVMValueRef first = emit_store_field(emitter, process, worker, OFFSET_Worker_head);
    LLVMSetVolatile(first, 1);
    emit_jump(emitter, done);
    emit_enter(emitter, behind);
    LLVMValueRef tail = load_pointer(emitter, worker, OFFSET_Worker_tail, "tail");
    emit_store_field(emitter, process, tail, OFFSET_Process_next);
    emit_jump(emitter, done);
    emit_enter(emitter, done);
    emit_store_field(emitter, process, worker, OFFSET_Worker_tail);
    emit_store_field(emitter, worker, process, OFFSET_Process_worker);
}

static LLVMValueRef load_mode(Emitter *emitter) {
    LLVMValueRef mode =
        emit_load_field(emitter, emitter->i32, emit_worker(emitter), OFFSET_Worker_mode, "mode");
    LLVMSetVolatile(mode, 1); /* a signal handler sets MODE_ATTENTION */
    return mode;
}

/* Alone, and nobody asks for attention: else C does it. */
static LLVMValueRef is_alone(Emitter *emitter) {
    return LLVMBuildIsNull(emitter->builder, load_mode(emitter), "alone");
}

void emit_if_alone(Emitter *emitter, LLVMBasicBlockRef alone, LLVMBasicBlockRef otherwise) {
    LLVMBuildCondBr(emitter->builder, is_alone(emitter), alone, otherwise);
}

LLVMValueRef emit_if_several(Emitter *emitter, LLVMBasicBlockRef several, LLVMBasicBlockRef alone) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef mark =
        LLVMBuildAnd(builder, load_mode(emitter), emit_i32(emitter, LAYOUT_MODE_SHARED), "mark");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, mark, ""), alone, several);
    return mark;
}

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

/* Run something else: the next ready process, if there is one. The caller has found the worker
 * alone, or undisturbed. */
static void emit_dispatch(Emitter *emitter) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef fast = emit_block(emitter, "park.fast");
    LLVMBasicBlockRef slow = emit_block(emitter, "park.slow");
    LLVMBasicBlockRef resumed = emit_block(emitter, "park.resumed");
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef head = emit_head(emitter);
    LLVMBuildCondBr(builder, is_null(emitter, head), slow, fast);
    emit_enter(emitter, fast);
    LLVMValueRef next = load_pointer(emitter, head, OFFSET_Process_next, "next");
    emit_store_field(emitter, next, worker, OFFSET_Worker_head);
    LLVMValueRef arguments[] = {head, worker, next};
    emit_runtime_call(emitter, RT_switch, arguments);
    emit_jump(emitter, resumed);
    emit_enter(emitter, slow);
    emit_runtime_call(emitter, RT_park, NULL);
    emit_jump(emitter, resumed);
    emit_enter(emitter, resumed);
}

void emit_let_others_run(Emitter *emitter, LLVMBasicBlockRef nobody) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef others = emit_block(emitter, "yield");
    LLVMBasicBlockRef calm = emit_block(emitter, "yield.calm");
    LLVMBasicBlockRef asked = emit_block(emitter, "yield.asked");
    LLVMBasicBlockRef resumed = emit_block(emitter, "yield.resumed");
    LLVMBuildCondBr(builder, is_null(emitter, emit_head(emitter)), nobody, others);
    emit_enter(emitter, others);
    LLVMValueRef asks =
        LLVMBuildAnd(builder, load_mode(emitter), emit_i32(emitter, ~LAYOUT_MODE_SHARED), "");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, asks, ""), calm, asked);
    emit_enter(emitter, asked);
    emit_runtime_call(emitter, RT_reschedule, NULL);
    emit_jump(emitter, resumed);
    emit_enter(emitter, calm);
    emit_enqueue(emitter, emit_me(emitter));
    emit_dispatch(emitter);
    emit_jump(emitter, resumed);
    emit_enter(emitter, resumed);
}

void emit_park(Emitter *emitter, LLVMValueRef object, LLVMValueRef site) {
    LLVMValueRef me = emit_me(emitter);
    emit_store_field(emitter, object, me, OFFSET_Process_next);
    emit_store_field(emitter, site, me, OFFSET_Process_wait);
    emit_dispatch(emitter);
}

/* ---- branches that wait for their parent to come to them (parallel.c) ---- */

void emit_defer(Emitter *emitter, LLVMValueRef process) {
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef earlier = load_pointer(emitter, worker, OFFSET_Worker_deferred, "deferred");
    emit_store_field(emitter, earlier, process, OFFSET_Process_next);
    emit_store_field(emitter, worker, process, OFFSET_Process_worker);
    emit_store_field(emitter, process, worker, OFFSET_Worker_deferred);
}

/* Run the newest that is deferred if it is a branch of this join, else something else. */
void emit_park_for_branch(Emitter *emitter, LLVMValueRef join, LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef some = emit_block(emitter, "branch.some");
    LLVMBasicBlockRef mine = emit_block(emitter, "branch.mine");
    LLVMBasicBlockRef other = emit_block(emitter, "branch.other");
    LLVMBasicBlockRef resumed = emit_block(emitter, "branch.resumed");
    emit_store_field(emitter, join, emit_me(emitter), OFFSET_Process_next);
    emit_store_field(emitter, site, emit_me(emitter), OFFSET_Process_wait);
    LLVMValueRef worker = emit_worker(emitter);
    LLVMValueRef head = emit_head(emitter);
    LLVMValueRef first = load_pointer(emitter, worker, OFFSET_Worker_deferred, "deferred");
    LLVMBuildCondBr(builder, is_null(emitter, first), other, some);
    emit_enter(emitter, some);
    LLVMValueRef its = load_pointer(emitter, first, OFFSET_Process_join, "join");
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntEQ, its, join, ""), mine, other);
    emit_enter(emitter, mine);
    emit_store_field(emitter, load_pointer(emitter, first, OFFSET_Process_next, "rest"), worker,
                     OFFSET_Worker_deferred);
    LLVMValueRef taken =
        emit_load_field(emitter, emitter->i32, worker, OFFSET_Worker_deferred_taken, "");
    emit_store_field(emitter, LLVMBuildAdd(builder, taken, emit_i32(emitter, 1), ""), worker,
                     OFFSET_Worker_deferred_taken);
    LLVMValueRef arguments[] = {first, worker, head};
    emit_runtime_call(emitter, RT_switch, arguments);
    emit_jump(emitter, resumed);
    emit_enter(emitter, other);
    emit_dispatch(emitter);
    emit_jump(emitter, resumed);
    emit_enter(emitter, resumed);
}

/* ---- the message ---- */

/* Message -- what a transfer moves. A word (type not NULL: a value of 1, 2, 4 or 8 bytes) travels
 * in Process.data of whoever waits, so that it need not be in memory; anything else lies at `data`,
 * and Process.data points to it. Both ends know from the protocol which it is. */
typedef struct Message {
    bool is_output;
    LLVMTypeRef type;
    LLVMValueRef word; /* of an output; of an input once it is received */
    LLVMValueRef data;
    LLVMValueRef size_bytes;
    LLVMValueRef met; /* emit.h */
} Message;

static LLVMValueRef load_word(Emitter *emitter, const Message *message, LLVMValueRef process) {
    LLVMValueRef field = emit_field(emitter, process, OFFSET_Process_data, "");
    return LLVMBuildLoad2(emitter->builder, message->type, field, "received");
}

/* What the runtime takes for `data`: for a word, where it is in me. */
static LLVMValueRef message_data(Emitter *emitter, const Message *message) {
    return message->type != NULL
               ? emit_field(emitter, emit_me(emitter), OFFSET_Process_data, "message")
               : message->data;
}

/* Before waiting: what the partner will look for in me. */
static void lay_out(Emitter *emitter, const Message *message) {
    if (message->type == NULL) {
        emit_store_field(emitter, message->data, emit_me(emitter), OFFSET_Process_data);
    } else if (message->is_output) {
        emit_store_field(emitter, message->word, emit_me(emitter), OFFSET_Process_data);
    }
}

static void copy_message(Emitter *emitter, Message *message, LLVMValueRef partner) {
    if (message->type != NULL && message->is_output) {
        emit_store_field(emitter, message->word, partner, OFFSET_Process_data);
    } else if (message->type != NULL) {
        message->word = load_word(emitter, message, partner);
    } else {
        LLVMValueRef theirs = load_pointer(emitter, partner, OFFSET_Process_data, "theirs");
        LLVMBuildMemCpy(emitter->builder, message->is_output ? theirs : message->data, 1,
                        message->is_output ? message->data : theirs, 1, message->size_bytes);
    }
}

/* ---- the rendezvous ---- */

/* The partner is parked in the matching operation: copy, clear, make it ready. */
static void emit_meet(Emitter *emitter, LLVMValueRef channel, Message *message,
                      LLVMValueRef partner) {
    copy_message(emitter, message, partner);
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

/* Any other state of the channel is the runtime's. */
static void emit_slow(Emitter *emitter, LLVMValueRef channel, const Message *message,
                      LLVMValueRef site) {
    if (message->type != NULL && message->is_output) {
        lay_out(emitter, message);
    }
    LLVMValueRef arguments[] = {channel, message_data(emitter, message), message->size_bytes, site};
    emit_runtime_call(emitter, message->is_output ? RT_channel_output : RT_channel_input,
                      arguments);
}

/* The word of the channel; what an ALT has found there is not read again: the partner would wait
 * for that. */
static LLVMValueRef find_word(Emitter *emitter, LLVMValueRef channel, LLVMValueRef met) {
    LLVMBuilderRef builder = emitter->builder;
    if (met == NULL) {
        return emit_load_field(emitter, emitter->i64, channel, OFFSET_Channel_word, "word");
    }
    LLVMBasicBlockRef unknown = emit_block(emitter, "channel.unknown");
    LLVMBasicBlockRef known = emit_block(emitter, "channel.known");
    LLVMValueRef words[2] = {LLVMBuildLoad2(builder, emitter->i64, met, "met"), NULL};
    LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(builder), unknown};
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, words[0], ""), unknown, known);
    emit_enter(emitter, unknown);
    words[1] = emit_load_field(emitter, emitter->i64, channel, OFFSET_Channel_word, "word");
    emit_jump(emitter, known);
    emit_enter(emitter, known);
    LLVMValueRef word = LLVMBuildPhi(builder, emitter->i64, "word");
    LLVMAddIncoming(word, words, from, 2);
    return word;
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

/* The word received: from the partner met, or from me when I waited. */
static LLVMValueRef join_words(Emitter *emitter, const Message *message, LLVMBasicBlockRef *from,
                               LLVMValueRef *words) {
    LLVMValueRef received = LLVMBuildPhi(emitter->builder, message->type, "received");
    LLVMAddIncoming(received, words, from, 3);
    return received;
}

static LLVMValueRef emit_rendezvous(Emitter *emitter, LLVMValueRef channel, Message *message,
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
    emit_slow(emitter, channel, message, site);
    words[1] = receives ? load_word(emitter, message, emit_me(emitter)) : NULL;
    from[1] = LLVMGetInsertBlock(emitter->builder);
    emit_jump(emitter, done);

    emit_enter(emitter, wait);
    emit_wait_for_partner(emitter, channel, message, site);
    words[2] = receives ? load_word(emitter, message, emit_me(emitter)) : NULL;
    from[2] = LLVMGetInsertBlock(emitter->builder);
    emit_jump(emitter, done);
    emit_enter(emitter, done);
    return receives ? join_words(emitter, message, from, words) : NULL;
}

/* ---- closed channels ---- */

void emit_unless_closed(Emitter *emitter, LLVMBasicBlockRef end) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef saw = emit_block(emitter, "channel.closed");
    LLVMBasicBlockRef open = emit_block(emitter, "channel.open");
    LLVMValueRef field = emit_field(emitter, emit_me(emitter), OFFSET_Process_flags, "");
    LLVMValueRef flags = LLVMBuildLoad2(builder, emitter->i8, field, "flags");
    LLVMValueRef bit = LLVMConstInt(emitter->i8, LAYOUT_PROCESS_SAW_CLOSE, 0);
    LLVMValueRef is_set = LLVMBuildAnd(builder, flags, bit, "");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, is_set, ""), open, saw);
    emit_enter(emitter, saw);
    LLVMBuildStore(builder, LLVMBuildXor(builder, flags, bit, ""), field);
    emit_jump(emitter, end);
    emit_enter(emitter, open);
}

void emit_close(Emitter *emitter, Node *close) {
    Node *channel = close->close.end->end.channel;
    LLVMValueRef arguments[] = {
        emit_channel(emitter, channel),
        emit_site(emitter, ERROR_CLOSED, close->at, emit_object_name(emitter, channel)),
    };
    emit_runtime_call(emitter, RT_channel_close, arguments);
}

LLVMValueRef emit_closed(Emitter *emitter, Node *closed) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef channel = emit_channel(emitter, closed->closed.end->end.channel);
    LLVMValueRef word = LLVMBuildLoad2(
        builder, emitter->i64, emit_field(emitter, channel, OFFSET_Channel_word, ""), "word");
    LLVMSetVolatile(word, 1); /* the partner may close it at any time */
    LLVMValueRef tag = LLVMBuildAnd(builder, word, emit_i64(emitter, LAYOUT_TAG_MASK), "tag");
    return LLVMBuildICmp(builder, LLVMIntEQ, tag, emit_i64(emitter, LAYOUT_TAG_CLOSED), "closed");
}

/* ---- the first half of an extended input: the partner stays where it is ---- */

/* An ALT of one guard: who outputs then parks in the channel, and wakes me. */
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

static LLVMValueRef has_tag(Emitter *emitter, LLVMValueRef tag, int64_t wanted) {
    return LLVMBuildICmp(emitter->builder, LLVMIntEQ, tag, emit_i64(emitter, wanted), "");
}

/* On CHAN OF ANY: the partner, when it says how many bytes it means, must mean as many. */
static void check_any_size(Emitter *emitter, LLVMValueRef partner, const Hold *hold) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef sized = emit_block(emitter, "any.sized");
    LLVMBasicBlockRef agreed = emit_block(emitter, "any.agreed");
    LLVMValueRef site = load_pointer(emitter, partner, OFFSET_Process_wait, "their.site");
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
    emit_jump(emitter, agreed);
    emit_enter(emitter, agreed);
}

/* To `owned` when a worker owns the channel while several are active: its word is his alone then.
 */
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

/* Copy the message of the partner, which stays parked; its process in *partner. A device holds
 * nobody: then *partner is NULL. */
static void emit_hold(Emitter *emitter, LLVMValueRef channel, Message *message, const Hold *hold,
                      LLVMValueRef slot) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "extended.look");
    LLVMBasicBlockRef other = emit_block(emitter, "extended.other");
    LLVMBasicBlockRef wait = emit_block(emitter, "extended.wait");
    LLVMBasicBlockRef slow = emit_block(emitter, "extended.slow");
    LLVMBasicBlockRef held = emit_block(emitter, "extended.held");
    LLVMBasicBlockRef done = emit_block(emitter, "extended.done");
    emit_jump(emitter, look);
    emit_enter(emitter, look);
    emit_unless_owned(emitter, channel, wait);
    LLVMValueRef field = emit_field(emitter, channel, OFFSET_Channel_word, "");
    LLVMValueRef word = LLVMBuildLoad2(builder, emitter->i64, field, "word");
    LLVMSetVolatile(word, 1); /* the waiting in between is not seen */
    LLVMSetOrdering(word, LLVMAtomicOrderingAcquire);
    LLVMValueRef tag = LLVMBuildAnd(builder, word, emit_i64(emitter, LAYOUT_TAG_MASK), "tag");
    LLVMBuildCondBr(builder, has_tag(emitter, tag, LAYOUT_TAG_OUTPUT_WAITING), held, other);
    emit_enter(emitter, other);
    LLVMValueRef is_slow = LLVMBuildOr(builder, has_tag(emitter, tag, LAYOUT_TAG_DEVICE),
                                       has_tag(emitter, tag, LAYOUT_TAG_CLOSED), "");
    LLVMBuildCondBr(builder, is_slow, slow, wait);
    emit_enter(emitter, wait);
    emit_await_output(emitter, channel, hold->await_site);
    emit_jump(emitter, look);
    emit_enter(emitter, slow);
    emit_slow(emitter, channel, message, hold->site);
    if (message->type != NULL) {
        LLVMBuildStore(builder, load_word(emitter, message, emit_me(emitter)), slot);
    }
    LLVMBuildStore(builder, LLVMConstNull(emitter->i64), hold->partner);
    emit_jump(emitter, done);
    emit_enter(emitter, held);
    LLVMValueRef bits =
        LLVMBuildSub(builder, word, emit_i64(emitter, LAYOUT_TAG_OUTPUT_WAITING), "");
    LLVMValueRef partner = LLVMBuildIntToPtr(builder, bits, emitter->ptr, "partner");
    if (hold->any_size != NULL) {
        check_any_size(emitter, partner, hold);
    }
    copy_message(emitter, message, partner);
    if (message->type != NULL) {
        LLVMBuildStore(builder, message->word, slot);
    }
    LLVMBuildStore(builder, word, hold->partner);
    emit_jump(emitter, done);
    emit_enter(emitter, done);
}

void emit_hold_transfer(Emitter *emitter, LLVMValueRef channel, LLVMValueRef data,
                        LLVMValueRef size_bytes, const Hold *hold) {
    Message message = {.data = data, .size_bytes = size_bytes};
    emit_hold(emitter, channel, &message, hold, NULL);
}

void emit_hold_end(Emitter *emitter, LLVMValueRef channel, const Hold *hold) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "extended.end");
    LLVMBasicBlockRef wake = emit_block(emitter, "extended.wake");
    LLVMBasicBlockRef done = emit_block(emitter, "extended.ended");
    LLVMValueRef held = LLVMBuildLoad2(builder, emitter->i64, hold->partner, "held");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, held, ""), done, look);
    emit_enter(emitter, look);
    LLVMValueRef field = emit_field(emitter, channel, OFFSET_Channel_word, "");
    LLVMValueRef word = LLVMBuildLoad2(builder, emitter->i64, field, "word");
    LLVMSetVolatile(word, 1);
    LLVMValueRef tag = LLVMBuildAnd(builder, word, emit_i64(emitter, LAYOUT_TAG_MASK), "tag");
    LLVMBuildCondBr(builder, has_tag(emitter, tag, LAYOUT_TAG_CLOSED), done, wake);
    emit_enter(emitter, wake);
    LLVMValueRef same = LLVMBuildICmp(builder, LLVMIntEQ, word, held, "same");
    emit_trap_unless(emitter, same, ERROR_EXTENDED, hold->at, hold->name, NULL, NULL, NULL);
    LLVMValueRef left = LLVMBuildStore(builder, LLVMConstNull(emitter->i64), field);
    LLVMSetOrdering(left, LLVMAtomicOrderingRelease);
    LLVMValueRef bits =
        LLVMBuildSub(builder, held, emit_i64(emitter, LAYOUT_TAG_OUTPUT_WAITING), "");
    emit_enqueue(emitter, LLVMBuildIntToPtr(builder, bits, emitter->ptr, "partner"));
    emit_jump(emitter, done);
    emit_enter(emitter, done);
}

void emit_channel_transfer(Emitter *emitter, bool is_output, LLVMValueRef channel,
                           LLVMValueRef data, LLVMValueRef size_bytes, LLVMValueRef site,
                           LLVMValueRef met) {
    Message message = {.is_output = is_output, .data = data, .size_bytes = size_bytes, .met = met};
    (void)emit_rendezvous(emitter, channel, &message, site);
}

static LLVMValueRef word_bytes(Emitter *emitter, LLVMTypeRef type) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(emitter->module);
    return emit_i64(emitter, (int64_t)LLVMStoreSizeOfType(layout, type));
}

void emit_send_word(Emitter *emitter, LLVMValueRef channel, LLVMValueRef word, LLVMValueRef site,
                    LLVMValueRef met) {
    LLVMTypeRef type = LLVMTypeOf(word);
    Message message = {.is_output = true,
                       .type = type,
                       .word = word,
                       .size_bytes = word_bytes(emitter, type),
                       .met = met};
    (void)emit_rendezvous(emitter, channel, &message, site);
}

LLVMValueRef emit_receive_word(Emitter *emitter, LLVMValueRef channel, LLVMTypeRef type,
                               LLVMValueRef site, LLVMValueRef met) {
    Message message = {.type = type, .size_bytes = word_bytes(emitter, type), .met = met};
    return emit_rendezvous(emitter, channel, &message, site);
}

LLVMValueRef emit_hold_word(Emitter *emitter, LLVMValueRef channel, LLVMTypeRef type,
                            const Hold *hold) {
    Message message = {.type = type, .size_bytes = word_bytes(emitter, type)};
    LLVMValueRef slot = emit_alloca(emitter, type, "message");
    emit_hold(emitter, channel, &message, hold, slot);
    return LLVMBuildLoad2(emitter->builder, type, slot, "received");
}
