/* wire -- one side of a communication: its transfers, each one rendezvous.
 *
 * Owns:   how bytes and scalars go over the channel of a statement, also on CHAN OF ANY, in an
 *         extended input and in WHILE c ? x.
 * Leaves: what a message consists of to item.c, the rendezvous itself to rendezvous.c.
 * Holds:  only the first transfer of a message may find the channel closed, or the partner that an
 *         ALT has found; `until` and `met` say whether it has been emitted. */
#ifndef OCCC_WIRE_H
#define OCCC_WIRE_H

#include "emit.h"

/* Wire -- one side of a communication. */
typedef struct Wire {
    bool is_output;
    LLVMValueRef channel;
    const Type *protocol;
    const char *name;
    Location at;
    bool is_field;     /* the channel belongs to a bundle */
    const Hold *hold;  /* of an extended input, whose transfers keep the partner; else NULL */
    Until *until;      /* of WHILE c ? x; else NULL */
    const Type *owned; /* the item's type, when it owns something; else NULL */
    LLVMValueRef *met; /* for the first transfer of a chosen guard, which sets it to NULL */
} Wire;

Wire wire_open(Emitter *emitter, Node *channel, bool is_output, Location at, LLVMValueRef *met);
/* wire_site -- where a process waits in this communication, and for what. */
LLVMValueRef wire_site(Emitter *emitter, const Wire *wire);
/* wire_transfer -- move `size` (i64) bytes from or to `data`. */
void wire_transfer(Emitter *emitter, const Wire *wire, LLVMValueRef data, LLVMValueRef size);
/* wire_send, wire_receive -- a scalar by value: tags, counts, items of one word. type: the one it
 * has in memory. */
void wire_send(Emitter *emitter, const Wire *wire, LLVMValueRef value);
LLVMValueRef wire_receive(Emitter *emitter, const Wire *wire, LLVMTypeRef type);

#endif
