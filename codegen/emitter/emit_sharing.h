/* emit_sharing -- what has several users: forked processes, shared channels, bundles, CLAIM.
 *
 * Leaves: everything else to emit.h. */
#ifndef OCCC_EMIT_SHARING_H
#define OCCC_EMIT_SHARING_H

#include "emit.h"

/* ---- start.c, par_site.c: starting and joining, for FORK too ---- */
/* emit_new_process -- a process that will run body (me, environment, index), not yet in a queue.
 * block_size: emit_block_size of the body; site: who asks for the memory. Its environment is the
 * join; or, for a FORK, more_bytes (i64, a multiple of 16; else NULL) at the start of its own
 * block, at Process.data, and then others may run first. */
LLVMValueRef emit_new_process(Emitter *emitter, LLVMValueRef body, LLVMValueRef block_size,
                              LLVMValueRef more_bytes, LLVMValueRef join, LLVMValueRef index,
                              LLVMValueRef site);
enum { PAR_USE_WORDS = 4 };
/* emit_site_of_par -- a ParSite (runtime/base/layout.h): given has the words of each ParUse. */
LLVMValueRef emit_site_of_par(Emitter *emitter, Location at, unsigned others, LLVMValueRef *given,
                              unsigned given_words);
/* emit_par_site -- of a PAR whose environment has the values of `names` at those offsets. */
LLVMValueRef emit_par_site(Emitter *emitter, const Node *par, Symbol *const *names,
                           const unsigned *offsets, size_t count);
/* site: that of a PAR, NULL for a FORKING. */
void emit_join_begin(Emitter *emitter, LLVMValueRef join, LLVMValueRef count, LLVMValueRef site);
void emit_join_end(Emitter *emitter, LLVMValueRef join, LLVMValueRef site);

/* ---- bundle.c: channel bundles ---- */
/* emit_bundle -- a new bundle, each end held once. */
LLVMValueRef emit_bundle(Emitter *emitter, const Type *bundle, Location where);
/* emit_bundle_object -- the bundle of the end; an undefined end is an error. */
LLVMValueRef emit_bundle_object(Emitter *emitter, Node *end);
Place emit_bundle_field(Emitter *emitter, Node *field);
LLVMValueRef emit_bundle_claim(Emitter *emitter, const Type *end, LLVMValueRef object);
void emit_bundle_keep(Emitter *emitter, const Type *end, LLVMValueRef object);
void emit_bundle_drop(Emitter *emitter, const Type *end, LLVMValueRef object);
/* emit_bundle_copy -- a shared end, or CLONE of one, to an empty variable. */
void emit_bundle_copy(Emitter *emitter, Node *value, Place to);
/* emit_end_shape -- the EndShape (runtime/core/machines.h) of an end that may leave its machine. */
LLVMValueRef emit_end_shape(Emitter *emitter, const Type *end);

/* ---- box.c: MOBILE.CHAN, MOBILE.PROC, MOBILE.ANY ---- */
/* emit_box -- a new box that holds the object; NULL: it holds nothing. */
LLVMValueRef emit_box(Emitter *emitter, const Type *held, LLVMValueRef object, Location at);
/* emit_unbox -- the object in the box, which must have the type `wanted`; the box is given back. */
LLVMValueRef emit_unbox(Emitter *emitter, LLVMValueRef box, const Type *wanted, Location at,
                        const char *name);
/* emit_box_release -- of a box that is not NULL. */
void emit_box_release(Emitter *emitter, LLVMValueRef box);

/* ---- shared_channel.c: shared channels that may outlive their scope ---- */
bool emit_is_kept_channel(Emitter *emitter, const Type *type);
void emit_declare_kept(Emitter *emitter, Symbol *symbol);
void emit_end_kept(Emitter *emitter, const Symbol *symbol, const Binding *binding);
void emit_keep_channel(Emitter *emitter, LLVMValueRef channel);
void emit_drop_channel(Emitter *emitter, LLVMValueRef channel);
/* emit_keep_channels, emit_drop_channels -- for all channels of an array. */
void emit_keep_channels(Emitter *emitter, Place table);
void emit_drop_channels(Emitter *emitter, Place table);

/* ---- fork.c ---- */
void emit_fork(Emitter *emitter, Node *fork);
void emit_forking(Emitter *emitter, Node *forking);

/* ---- claim.c ---- */
void emit_claim(Emitter *emitter, Node *claim);

/* ---- sync.c ---- */
/* emit_sync_call -- a CALL of a PROC of module sync. */
void emit_sync_call(Emitter *emitter, Node *call, SyncRoutine routine);

#endif
