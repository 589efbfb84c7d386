/* shared_channel -- shared channels of units that FORK: they live as long as any process has them.
 *
 * Owns:   their blocks, the inlined half of the reference count.
 * Leaves: the last drop, and several active workers, to the runtime; their locks to claim.c.
 * Holds:  the scope of the declaration keeps a channel, and so does each forked process that was
 *         given it. Without FORK in the unit a shared channel lies in the frame, not counted. */
#include "emit_sharing.h"
#include "layout_offsets.h"

#define POINTER_BYTES 8

/* A PROC of another unit that is given a shared channel may fork with it. */
static bool may_fork_elsewhere(const Node *node) {
    if (node->kind != NODE_PROC || node->proc.info == NULL || node->proc.info->elsewhere == NULL) {
        return false;
    }
    for (size_t i = 0; i < node->proc.formals.count; i++) {
        if (type_is_shared(node->proc.formals.items[i]->formal.def->def.symbol->type)) {
            return true;
        }
    }
    return false;
}

static bool forks(const Node *node) {
    return node->kind == NODE_FORK || may_fork_elsewhere(node);
}

/* A process may be forked with the channel and outlive its scope: then every holder keeps the
 * channel (runtime/channel/bundle.h). */
bool emit_is_kept_channel(Emitter *emitter, const Type *type) {
    const Type *channel = type_leaf(type);
    if (!emitter->is_forks_known) {
        emitter->has_forks = node_any(emitter->unit, forks);
        emitter->is_forks_known = true;
    }
    return emitter->has_forks && type_is_shared(channel);
}

/* ---- one more user, one less ---- */

/* The reference count, in block `alone`; `otherwise` leaves it to C. */
static LLVMValueRef look_at_references(Emitter *emitter, LLVMValueRef channel,
                                       LLVMBasicBlockRef otherwise) {
    LLVMBasicBlockRef alone = emit_block(emitter, "kept.alone");
    emit_if_alone(emitter, alone, otherwise);
    emit_enter(emitter, alone);
    LLVMValueRef field = emit_field(emitter, channel, OFFSET_SharedChannel_references, "");
    return LLVMBuildLoad2(emitter->builder, emitter->i64, field, "references");
}

static void store_references(Emitter *emitter, LLVMValueRef channel, LLVMValueRef count) {
    LLVMBuildStore(emitter->builder, count,
                   emit_field(emitter, channel, OFFSET_SharedChannel_references, ""));
}

void emit_keep_channel(Emitter *emitter, LLVMValueRef channel) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef slow = emit_block(emitter, "keep.slow");
    LLVMBasicBlockRef done = emit_block(emitter, "keep.done");
    LLVMValueRef count = look_at_references(emitter, channel, slow);
    store_references(emitter, channel, LLVMBuildAdd(builder, count, emit_i64(emitter, 1), ""));
    emit_jump(emitter, done);
    emit_enter(emitter, slow);
    emit_runtime_call(emitter, RT_shared_keep, &channel);
    emit_continue(emitter, done);
}

void emit_drop_channel(Emitter *emitter, LLVMValueRef channel) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef others = emit_block(emitter, "drop.others");
    LLVMBasicBlockRef slow = emit_block(emitter, "drop.slow");
    LLVMBasicBlockRef done = emit_block(emitter, "drop.done");
    LLVMValueRef count = look_at_references(emitter, channel, slow);
    LLVMValueRef one = emit_i64(emitter, 1);
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntEQ, count, one, "last"), slow, others);
    emit_enter(emitter, others);
    store_references(emitter, channel, LLVMBuildSub(builder, count, one, ""));
    emit_jump(emitter, done);
    emit_enter(emitter, slow);
    emit_runtime_call(emitter, RT_shared_drop, &channel);
    emit_continue(emitter, done);
}

/* ---- declarations ---- */

/* In a block for mobiles, so that it can be given back on whatever worker its last user runs. */
static LLVMValueRef make_channel(Emitter *emitter, LLVMValueRef site) {
    LLVMValueRef size = emit_i64(emitter, LAYOUT_MOBILE_DATA + SIZE_SharedChannel);
    LLVMValueRef block = emit_mobile_block(emitter, size, NULL, 0, site);
    LLVMValueRef channel = emit_field(emitter, block, LAYOUT_MOBILE_DATA, "shared");
    LLVMBuildMemSet(emitter->builder, channel, LLVMConstNull(emitter->i8),
                    emit_i64(emitter, SIZE_SharedChannel), 8);
    LLVMBuildStore(emitter->builder, emit_i64(emitter, 1),
                   emit_field(emitter, channel, OFFSET_SharedChannel_references, ""));
    return channel;
}

typedef enum KeptAction { KEPT_MAKE, KEPT_KEEP, KEPT_DROP } KeptAction;

static void act(Emitter *emitter, KeptAction action, LLVMValueRef slot, LLVMValueRef site) {
    if (action == KEPT_MAKE) {
        LLVMBuildStore(emitter->builder, make_channel(emitter, site), slot);
        return;
    }
    LLVMValueRef channel = LLVMBuildLoad2(emitter->builder, emitter->ptr, slot, "");
    if (action == KEPT_KEEP) {
        emit_keep_channel(emitter, channel);
    } else {
        emit_drop_channel(emitter, channel);
    }
}

/* Apply the action to each word of a table that is `bytes` (i64) long. */
static void for_each(Emitter *emitter, LLVMValueRef table, LLVMValueRef bytes, KeptAction action,
                     LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef test = emit_block(emitter, "kept.test");
    LLVMBasicBlockRef loop = emit_block(emitter, "kept.each");
    LLVMBasicBlockRef done = emit_block(emitter, "kept.done");
    emit_continue(emitter, test);
    LLVMValueRef offset = LLVMBuildPhi(builder, emitter->i64, "offset");
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, offset, bytes, ""), loop, done);
    emit_enter(emitter, loop);
    act(emitter, action, LLVMBuildInBoundsGEP2(builder, emitter->i8, table, &offset, 1, ""), site);
    LLVMValueRef next = LLVMBuildAdd(builder, offset, emit_i64(emitter, POINTER_BYTES), "");
    LLVMValueRef values[] = {emit_i64(emitter, 0), next};
    LLVMBasicBlockRef blocks[] = {before, LLVMGetInsertBlock(builder)};
    LLVMAddIncoming(offset, values, blocks, 2);
    emit_jump(emitter, test);
    emit_enter(emitter, done);
}

void emit_keep_channels(Emitter *emitter, Place table) {
    for_each(emitter, table.address, emit_size_bytes(emitter, table), KEPT_KEEP, NULL);
}

void emit_drop_channels(Emitter *emitter, Place table) {
    for_each(emitter, table.address, emit_size_bytes(emitter, table), KEPT_DROP, NULL);
}

void emit_declare_kept(Emitter *emitter, Symbol *symbol) {
    LLVMValueRef site = emit_site(emitter, ERROR_NO_MEMORY, symbol->at, symbol->name->bytes);
    LLVMValueRef heap = NULL;
    Place place = {.type = symbol->type};
    if (symbol->type->kind == TYPE_CHANNEL) {
        place.address = make_channel(emitter, site);
    } else {
        place = emit_object(emitter, symbol->type, symbol->name->bytes, &heap, symbol->at);
        for_each(emitter, place.address, emit_size_bytes(emitter, place), KEPT_MAKE, site);
    }
    Binding *binding = emit_bind_place(emitter, symbol, place);
    binding->heap = heap;
    binding->is_kept = true;
}

void emit_end_kept(Emitter *emitter, const Symbol *symbol, const Binding *binding) {
    if (symbol->type->kind == TYPE_CHANNEL) {
        emit_drop_channel(emitter, binding->place.address);
    } else {
        emit_drop_channels(emitter, binding->place);
    }
}
