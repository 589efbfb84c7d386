/* rendezvous -- what the files of transfers know of a message. */
#ifndef OCCC_RENDEZVOUS_H
#define OCCC_RENDEZVOUS_H

#include "emit.h"

/* Message -- what a transfer moves. A word (type not NULL: a value of 1, 2, 4 or 8 bytes) travels
 * in Process.data of the one that waits, so that it need not be in memory; anything else lies at
 * `data`, and Process.data points to it. Both ends know from the protocol which it is. */
typedef struct Message {
    bool is_output;
    LLVMTypeRef type;
    LLVMValueRef word; /* of an output; of an input once it is received */
    LLVMValueRef data;
    LLVMValueRef size_bytes;
    LLVMValueRef met; /* emit_channel.h */
} Message;

/* message_word_bytes -- the size of a word of this type, as i64. */
LLVMValueRef message_word_bytes(Emitter *emitter, LLVMTypeRef type);
/* message_load_word -- the word that lies in the descriptor of a process. */
LLVMValueRef message_load_word(Emitter *emitter, const Message *message, LLVMValueRef process);
/* message_copy -- to or from the memory or descriptor of the partner. */
void message_copy(Emitter *emitter, Message *message, LLVMValueRef partner);
/* emit_transfer_slow -- let the runtime do the transfer, whatever the state of the channel. */
void emit_transfer_slow(Emitter *emitter, LLVMValueRef channel, const Message *message,
                        LLVMValueRef site);

/* emit_rendezvous -- inlined; returns the word that is received, or NULL. */
LLVMValueRef emit_rendezvous(Emitter *emitter, LLVMValueRef channel, Message *message,
                             LLVMValueRef site);

/* ---- rendezvous_call.c ---- */
/* emit_rendezvous_call -- the same as emit_rendezvous; what an ALT has found is not used. */
LLVMValueRef emit_rendezvous_call(Emitter *emitter, LLVMValueRef channel, const Message *message,
                                  LLVMValueRef site);

#endif
