/* item -- the items of a message, one after the other. See item.c. */
#ifndef OCCC_ITEM_H
#define OCCC_ITEM_H

#include "wire.h"

/* item_scalar -- what is evaluated before the message begins: the whole item if it is a scalar, or
 * the count of n::a; NULL for anything else. */
Node *item_scalar(Node *item);
/* item_value -- of that scalar, from the slot when it lies there (not NULL); else NULL. */
LLVMValueRef item_value(Emitter *emitter, Node *item, LLVMValueRef slot);
/* item_is_kept -- of an output guard: others may change it while the ALT waits, so it is copied. */
bool item_is_kept(Node *item, const Type *wanted);
/* item_check -- an item that is evaluated but not yet sent has the size the protocol says. */
void item_check(Emitter *emitter, Node *item, const Type *wanted, LLVMValueRef value);
/* item_send -- wanted: what the protocol says of it, NULL when it does not matter. */
void item_send(Emitter *emitter, const Wire *wire, Node *item, const Type *wanted,
               LLVMValueRef slot);
void item_receive(Emitter *emitter, const Wire *wire, Node *item, const Type *wanted);

#endif
