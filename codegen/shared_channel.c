/* shared_channel -- shared channels of units that FORK: they live as long as somebody knows them.
 *
 * Owns:   their blocks, the inlined half of counting who keeps one.
 * Leaves: the last drop, and many workers, to the runtime; their locks to claim.c.
 * Holds:  the scope of the declaration keeps a channel, and so does each forked process that was
 *         given it. In a unit without FORK a shared channel lies in the frame and is not counted.
 */
#include "emit_sharing.h"
#include "layout_offsets.h"

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

static void find_fork(Node **child, void *context) {
    bool *is_found = context;
    *is_found = *is_found || (*child)->kind == NODE_FORK || may_fork_elsewhere(*child);
    if (!*is_found) {
        node_visit_children(*child, find_fork, context);
    }
}

/* A process may be forked with the channel and outlive its scope: then it is kept by whoever knows
 * it (runtime/shared.h). */
bool emit_is_kept_channel(Emitter *emitter, const Type *type) {
    const Type *channel = type_leaf(type);
    if (!emitter->is_forks_known) {
        node_visit_children(emitter->unit, find_fork, &emitter->has_forks);
        emitter->is_forks_known = true;
    }
    return emitter->has_forks && type_is_shared(channel);
}

/* ---- one more user, one less ---- */

/* The count of references as it is, in `alone`; `otherwise` is for C. */
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
    emit_jump(emitter, done);
    emit_enter(emitter, done);
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
    emit_jump(emitter, done);
    emit_enter(emitter, done);
}

/* ---- declarations ---- */

static uint64_t count_of(const Type *type) {
    uint64_t count = 1;
    for (; type->kind == TYPE_ARRAY; type = type->array.element) {
        count *= (uint64_t)type->array.count;
    }
    return count;
}

/* In a block of mobiles, so that it can go back wherever its last user is. */
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

/* For each of count words at `table`: make a channel (site not NULL), or drop it. */
static void for_each(Emitter *emitter, LLVMValueRef table, uint64_t count, LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef loop = emit_block(emitter, "kept.each");
    LLVMBasicBlockRef done = emit_block(emitter, "kept.done");
    emit_jump(emitter, loop);
    emit_enter(emitter, loop);
    LLVMValueRef index = LLVMBuildPhi(builder, emitter->i64, "");
    LLVMValueRef slot = LLVMBuildInBoundsGEP2(builder, emitter->ptr, table, &index, 1, "");
    if (site != NULL) {
        LLVMBuildStore(builder, make_channel(emitter, site), slot);
    } else {
        LLVMValueRef channel = LLVMBuildLoad2(builder, emitter->ptr, slot, "");
        emit_drop_channel(emitter, channel);
    }
    LLVMValueRef next = LLVMBuildAdd(builder, index, emit_i64(emitter, 1), "");
    LLVMValueRef values[] = {emit_i64(emitter, 0), next};
    LLVMBasicBlockRef blocks[] = {before, LLVMGetInsertBlock(builder)};
    LLVMAddIncoming(index, values, blocks, 2);
    LLVMValueRef more =
        LLVMBuildICmp(builder, LLVMIntULT, next, emit_i64(emitter, (int64_t)count), "");
    LLVMBuildCondBr(builder, more, loop, done);
    emit_enter(emitter, done);
}

void emit_declare_kept(Emitter *emitter, Symbol *symbol) {
    LLVMValueRef site = emit_site(emitter, ERROR_NO_MEMORY, symbol->at, symbol->name->bytes);
    LLVMValueRef heap = NULL;
    Place place = {.type = symbol->type};
    uint64_t count = count_of(symbol->type);
    if (symbol->type->kind == TYPE_CHANNEL) {
        place.address = make_channel(emitter, site);
    } else {
        place = emit_object(emitter, symbol->type, symbol->name->bytes, &heap, symbol->at);
        if (count > 0) {
            for_each(emitter, place.address, count, site);
        }
    }
    Binding *binding = emit_bind_place(emitter, symbol, place);
    binding->heap = heap;
    binding->is_kept = count > 0;
}

void emit_end_kept(Emitter *emitter, const Symbol *symbol, const Binding *binding) {
    LLVMValueRef address = binding->place.address;
    if (symbol->type->kind == TYPE_CHANNEL) {
        emit_drop_channel(emitter, address);
    } else {
        for_each(emitter, address, count_of(symbol->type), NULL);
    }
}
