/* emit_channel -- communication: statements, the rendezvous, ALT, the time.
 *
 * Leaves: ends, bundles and CLAIM to emit_sharing.h, NEXT to emit_clock.h. */
#ifndef OCCC_EMIT_CHANNEL_H
#define OCCC_EMIT_CHANNEL_H

#include "emitter.h"

/* ---- communication.c ---- */
void emit_output(Emitter *emitter, Node *output);
/* An output guard: its items are evaluated when the ALT is entered, the message is sent when the
 * guard has been chosen. slots: where the scalar of each item lies (also the count of n::a). */
const Type *emit_item_slot_type(const Node *output, size_t index); /* NULL: the item has no slot */
void emit_output_items(Emitter *emitter, Node *output, LLVMValueRef *slots);
void emit_output_evaluated(Emitter *emitter, Node *output, LLVMValueRef *slots, LLVMValueRef met);
void emit_input(Emitter *emitter, Node *input, LLVMValueRef met);
void emit_input_case(Emitter *emitter, Node *input_case, LLVMValueRef met);
void emit_extended_input(Emitter *emitter, Node *extended);
void emit_while_input(Emitter *emitter, Node *while_input);

/* ---- alternative.c, timer.c ---- */
void emit_alt(Emitter *emitter, Node *alt);
void emit_timer_read(Emitter *emitter, Node *input);
/* emit_time -- a delay or a reading whose timer has been chosen already. */
void emit_time(Emitter *emitter, Node *input);
/* emit_time_if_used -- the same, but the clock is not read when its value is unused. A channel must
 * change between this reading and the next, or LLVM could merge the two. */
void emit_time_if_used(Emitter *emitter, Node *input);
/* emit_defer_readings -- how many processes of the list, from `first` on, only read the time for
 * the ALT after them: that ALT emits them and must be emitted next. */
size_t emit_defer_readings(Emitter *emitter, const NodeList *body, size_t first);
void emit_delay(Emitter *emitter, Node *delay);

/* ---- rendezvous.c: the only inlined channel code ---- */
/* emit_channel_transfer -- move size_bytes from or to `data`. met: i64 in memory, the word of the
 * plain partner that an ALT has found there, or 0; NULL: no ALT has looked. */
void emit_channel_transfer(Emitter *emitter, bool is_output, LLVMValueRef channel,
                           LLVMValueRef data, LLVMValueRef size_bytes, LLVMValueRef site,
                           LLVMValueRef met);
/* emit_send_word, emit_receive_word -- a value of 1, 2, 4 or 8 bytes in memory form, which travels
 * in a descriptor. Both ends of a channel use the same pair for an item: the protocol decides. */
void emit_send_word(Emitter *emitter, LLVMValueRef channel, LLVMValueRef word, LLVMValueRef site,
                    LLVMValueRef met);
LLVMValueRef emit_receive_word(Emitter *emitter, LLVMValueRef channel, LLVMTypeRef type,
                               LLVMValueRef site, LLVMValueRef met);

/* ---- rendezvous_call.c ---- */
/* emit_is_long_text -- the code to be emitted is worth so many communications; true when the
 * routine has too many of them already. */
bool emit_is_long_text(Emitter *emitter, unsigned communications);

/* ---- closing.c ---- */
/* Until -- an input of WHILE c ? x: its first transfer goes to `end` when the channel is closed. */
typedef struct Until {
    LLVMBasicBlockRef end;
    bool is_past; /* the first transfer has been emitted */
} Until;
/* emit_unless_closed -- after that transfer: go to `end` if it found the channel closed. */
void emit_unless_closed(Emitter *emitter, LLVMBasicBlockRef end);
/* emit_close -- CLOSE c! */
void emit_close(Emitter *emitter, Node *close);

/* ---- extended_input.c ---- */
/* Hold -- an extended input. `partner` (a frame slot, i64) has the channel's word while the sender
 * is held; 0: nobody is held (the message came from a device, or the hold has ended). */
typedef struct Hold {
    LLVMValueRef partner;
    LLVMValueRef site;       /* of an ordinary input */
    LLVMValueRef await_site; /* WAIT_EXTENDED */
    Location at;
    const char *name;
    LLVMValueRef any_size;  /* on CHAN OF ANY: the bytes this input wants; else NULL */
    bool outlasts_variants; /* the process that runs while the partner is held follows the input */
} Hold;
/* emit_hold_transfer, emit_hold_word -- input that keeps the partner; emit_hold_end lets it go. */
void emit_hold_transfer(Emitter *emitter, LLVMValueRef channel, LLVMValueRef data,
                        LLVMValueRef size_bytes, const Hold *hold);
LLVMValueRef emit_hold_word(Emitter *emitter, LLVMValueRef channel, LLVMTypeRef type,
                            const Hold *hold);
void emit_hold_end(Emitter *emitter, LLVMValueRef channel, const Hold *hold);

#endif
