/* item -- the items of a message, one after the other. See item.c. */
#ifndef OCCC_ITEM_H
#define OCCC_ITEM_H

#include "wire.h"

/* item_scalar -- the part that is evaluated before the message begins: the item itself if it is a
 * scalar, or the count of n::a; else NULL. */
Node *item_scalar(Node *item);
/* item_value -- its value, from the slot unless that is NULL; NULL if there is no such part. */
LLVMValueRef item_value(Emitter *emitter, Node *item, LLVMValueRef slot);
/* item_is_kept -- an item of an output guard that others may change while the ALT waits: a copy. */
bool item_is_kept(Node *item, const Type *wanted);
/* item_check -- an item that is evaluated but not yet sent has the size the protocol says. */
void item_check(Emitter *emitter, Node *item, const Type *wanted, LLVMValueRef value);
/* item_send -- wanted: what the protocol says of it, NULL when it does not matter. */
void item_send(Emitter *emitter, const Wire *wire, Node *item, const Type *wanted,
               LLVMValueRef slot);
void item_receive(Emitter *emitter, const Wire *wire, Node *item, const Type *wanted);

#endif
