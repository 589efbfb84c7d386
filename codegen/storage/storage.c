/* storage -- where objects live: the frame, the heap of the worker, and what names are bound to.
 *
 * Owns:   allocas, heap objects, declarations, bindings and their restoring.
 * Leaves: abbreviations to abbreviation.c, addresses of elements to access.c.
 * Holds:  a frame object has constant size; more than FRAME_OBJECT_LIMIT bytes go to the heap and
 *         are freed at the end of their scope. Frame objects that may be read before they are
 *         written (first_use.c) start as zero: such a program gets a value, not undefined
 *         behaviour. Heap memory is opaque to LLVM, so reading it gives some value as well. */
#include "emit_clock.h"
#include "emit_sharing.h"
#include "layout_offsets.h"
#include "port.h"

#include <llvm-c/Target.h>

LLVMValueRef emit_zeroed_alloca(Emitter *emitter, LLVMTypeRef type, const char *name) {
    LLVMValueRef slot = emit_alloca(emitter, type, name);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(emitter->builder);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(emitter->builder);
    LLVMPositionBuilderAtEnd(emitter->builder, emitter->routine->entry);
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL);
    LLVMSetAlignment(slot, 8);
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        LLVMBuildMemSet(emitter->builder, slot, LLVMConstNull(emitter->i8), LLVMSizeOf(type), 8);
    } else {
        LLVMBuildStore(emitter->builder, LLVMConstNull(type), slot);
    }
    LLVMPositionBuilderAtEnd(emitter->builder, here);
    LLVMSetCurrentDebugLocation2(emitter->builder, location);
    return slot;
}

static void emit_lifetime(Emitter *emitter, const char *intrinsic, LLVMValueRef slot) {
    if (emitter->options->optimisation == 0 || emit_is_terminated(emitter)) {
        return;
    }
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(emitter->module);
    uint64_t size = LLVMABISizeOfType(layout, LLVMGetAllocatedType(slot));
    LLVMValueRef arguments[] = {emit_i64(emitter, (int64_t)size), slot};
    emit_intrinsic(emitter, intrinsic, emitter->ptr, arguments, 2);
}

void emit_lifetime_start(Emitter *emitter, LLVMValueRef slot) {
    emit_lifetime(emitter, "llvm.lifetime.start", slot);
}

void emit_lifetime_end(Emitter *emitter, LLVMValueRef slot) {
    emit_lifetime(emitter, "llvm.lifetime.end", slot);
}

LLVMValueRef emit_heap(Emitter *emitter, LLVMValueRef size_bytes, Location at, const char *name) {
    LLVMValueRef arguments[] = {size_bytes, emit_site(emitter, ERROR_NO_MEMORY, at, name)};
    return emit_runtime_call(emitter, RT_heap_allocate, arguments);
}

static LLVMValueRef emit_bytes(Emitter *emitter, uint64_t size_bytes, unsigned align,
                               const char *name, LLVMValueRef *heap, Location at) {
    if (size_bytes > FRAME_OBJECT_LIMIT) {
        *heap = emit_heap(emitter, emit_i64(emitter, (int64_t)size_bytes), at, name);
        return *heap;
    }
    *heap = NULL;
    LLVMTypeRef type = LLVMArrayType2(emitter->i8, size_bytes);
    LLVMValueRef slot = emit_alloca(emitter, type, name);
    LLVMSetAlignment(slot, align);
    emit_lifetime_start(emitter, slot);
    return slot;
}

Place emit_object(Emitter *emitter, const Type *type, const char *name, LLVMValueRef *heap,
                  Location at) {
    Place place = {.type = type};
    *heap = NULL;
    if (type_is_scalar(type) || type_is_mobile(type)) {
        place.address = emit_alloca(emitter, lower_memory(emitter, type), name);
        emit_lifetime_start(emitter, place.address);
        return place;
    }
    uint64_t size = type_size(type);
    uint32_t align = type_align(type) < 8 && size >= 8 ? 8 : type_align(type);
    place.address = emit_bytes(emitter, size, align ? align : 1, name, heap, at);
    return place;
}

/* A variable that may be read before it is written. */
static Place emit_zeroed_object(Emitter *emitter, Symbol *symbol, LLVMValueRef *heap) {
    const Type *type = symbol->type;
    const char *name = symbol->name->bytes;
    uint64_t size = type_size(type);
    if (size > FRAME_OBJECT_LIMIT) {
        LLVMValueRef arguments[] = {emit_i64(emitter, (int64_t)size),
                                    emit_site(emitter, ERROR_NO_MEMORY, symbol->at, name)};
        *heap = emit_runtime_call(emitter, RT_heap_allocate_zero, arguments);
        return (Place){.type = type, .address = *heap};
    }
    Place place = emit_object(emitter, type, name, heap, symbol->at);
    if (type_is_scalar(type)) {
        LLVMValueRef zero = LLVMConstNull(lower_memory(emitter, type));
        LLVMBuildStore(emitter->builder, zero, place.address);
    } else if (size > 0) {
        LLVMBuildMemSet(emitter->builder, place.address, LLVMConstNull(emitter->i8),
                        emit_i64(emitter, (int64_t)size), 1);
    }
    return place;
}

/* ---- channels ---- */

void emit_channel_pointers(Emitter *emitter, LLVMValueRef stores, LLVMValueRef pointers,
                           LLVMValueRef count, uint64_t each, LLVMValueRef owner) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef loop = emit_block(emitter, "channels.init");
    LLVMBasicBlockRef done = emit_block(emitter, "channels.done");
    emit_continue(emitter, loop);
    LLVMValueRef index = LLVMBuildPhi(builder, emitter->i64, "");
    LLVMTypeRef channel = LLVMArrayType2(emitter->i8, each);
    LLVMValueRef store = LLVMBuildInBoundsGEP2(builder, channel, stores, &index, 1, "");
    LLVMValueRef pointer = LLVMBuildInBoundsGEP2(builder, emitter->ptr, pointers, &index, 1, "");
    LLVMBuildStore(builder, store, pointer);
    if (owner != NULL) {
        emit_store_field(emitter, owner, store, OFFSET_Channel_owner);
    }
    LLVMValueRef next = LLVMBuildAdd(builder, index, emit_i64(emitter, 1), "");
    LLVMValueRef values[] = {emit_i64(emitter, 0), next};
    LLVMBasicBlockRef blocks[] = {before, loop};
    LLVMAddIncoming(index, values, blocks, 2);
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntULT, next, count, "");
    LLVMBuildCondBr(builder, more, loop, done);
    emit_enter(emitter, done);
}

/* A channel of a recursive PROC carries few messages, and a worker takes whole subtrees: so it has
 * an owner from the start while several workers are active (decision 0025). NULL: elsewhere. */
static LLVMValueRef emit_first_owner(Emitter *emitter, const Type *channel) {
    const Node *routine = emitter->routine->node;
    bool is_recursive =
        routine != NULL && routine->kind == NODE_PROC && routine->proc.info->is_recursive_used;
    if (!is_recursive || type_is_shared(channel)) {
        return NULL;
    }
    LLVMValueRef mode =
        emit_load_field(emitter, emitter->i32, emit_worker(emitter), OFFSET_Worker_mode, "mode");
    LLVMSetVolatile(mode, 1);
    LLVMValueRef mark =
        LLVMBuildAnd(emitter->builder, mode, emit_i32(emitter, LAYOUT_MODE_SHARED), "");
    return LLVMBuildTrunc(emitter->builder, mark, emitter->i16, "owner");
}

/* The locks of shared ends lie behind the channel. */
static uint64_t channel_bytes(const Type *channel) {
    return type_is_shared(channel) ? SIZE_SharedChannel : SIZE_Channel;
}

static void emit_declare_channel(Emitter *emitter, Symbol *symbol) {
    if (emit_is_kept_channel(emitter, symbol->type)) {
        emit_declare_kept(emitter, symbol);
        return;
    }
    Place place = {.type = symbol->type};
    uint64_t size = channel_bytes(symbol->type);
    place.address = emit_alloca(emitter, LLVMArrayType2(emitter->i8, size), symbol->name->bytes);
    LLVMSetAlignment(place.address, 8);
    emit_lifetime_start(emitter, place.address);
    LLVMBuildMemSet(emitter->builder, place.address, LLVMConstNull(emitter->i8),
                    emit_i64(emitter, (int64_t)size), 8);
    LLVMValueRef owner = emit_first_owner(emitter, symbol->type);
    if (owner != NULL) {
        emit_store_field(emitter, owner, place.address, OFFSET_Channel_owner);
    }
    emit_bind_place(emitter, symbol, place);
}

/* An array of channels is the channels followed by the pointers to them, in one object. */
static void emit_declare_channel_array(Emitter *emitter, Symbol *symbol) {
    if (emit_is_kept_channel(emitter, symbol->type)) {
        emit_declare_kept(emitter, symbol);
        return;
    }
    uint64_t count = 1;
    for (const Type *type = symbol->type; type->kind == TYPE_ARRAY; type = type->array.element) {
        count *= (uint64_t)type->array.count;
    }
    uint64_t each = channel_bytes(type_leaf(symbol->type));
    LLVMValueRef heap;
    LLVMValueRef stores =
        emit_bytes(emitter, count * (each + 8), 8, symbol->name->bytes, &heap, symbol->at);
    LLVMBuildMemSet(emitter->builder, stores, LLVMConstNull(emitter->i8),
                    emit_i64(emitter, (int64_t)(count * each)), 8);
    LLVMValueRef offset = emit_i64(emitter, (int64_t)(count * each));
    Place place = {.type = symbol->type};
    place.address = LLVMBuildInBoundsGEP2(emitter->builder, emitter->i8, stores, &offset, 1,
                                          symbol->name->bytes);
    if (count > 0) {
        LLVMValueRef owner = emit_first_owner(emitter, type_leaf(symbol->type));
        emit_channel_pointers(emitter, stores, place.address, emit_i64(emitter, (int64_t)count),
                              each, owner);
    }
    emit_bind_place(emitter, symbol, place)->heap = heap;
}

void emit_declare_symbol(Emitter *emitter, Symbol *symbol) {
    const Type *type = symbol->type;
    const Type *element = type_element(type, type_rank(type));
    if (element->kind == TYPE_TIMER) {
        return;
    }
    if (element->kind == TYPE_PORT) {
        emit_declare_port(emitter, symbol);
        return;
    }
    if (element->kind == TYPE_CHANNEL) {
        if (type->kind == TYPE_CHANNEL) {
            emit_declare_channel(emitter, symbol);
        } else {
            emit_declare_channel_array(emitter, symbol);
        }
        return;
    }
    if (type->kind == TYPE_CLOCK || type->kind == TYPE_BARRIER) {
        emit_clock_declaration(emitter, symbol);
        return;
    }
    if (!type_is_data(type) && !type_is_sync(type)) {
        emit_not_supported(emitter, symbol->at, type_name(emitter->arena, type));
        return;
    }
    LLVMValueRef heap;
    bool is_zero =
        type_is_sync(type) || (!type_is_mobile(type) && emit_needs_zero(emitter, symbol));
    Place place = is_zero ? emit_zeroed_object(emitter, symbol, &heap)
                          : emit_object(emitter, type, symbol->name->bytes, &heap, symbol->at);
    if (type_owns(type)) {
        emit_forget(emitter, place);
    }
    Binding *binding = emit_bind_place(emitter, symbol, place);
    binding->heap = heap;
    debug_variable(emitter, symbol, binding, 0);
}

void emit_declaration(Emitter *emitter, Node *declaration) {
    const NodeList *names = &declaration->declaration.names;
    for (size_t i = 0; i < names->count; i++) {
        if (names->items[i]->def.symbol != NULL) {
            emit_declare_symbol(emitter, names->items[i]->def.symbol);
        }
    }
}

/* ---- the end of a scope ---- */

static void emit_free_symbol(Emitter *emitter, Symbol *symbol) {
    if (symbol == NULL || symbol->backend == NULL || symbol->kind == SYMBOL_PROC ||
        symbol->kind == SYMBOL_FUNCTION) {
        return;
    }
    Binding *binding = symbol->backend;
    if (binding->is_kept && !emit_is_terminated(emitter)) {
        emit_end_kept(emitter, symbol, binding);
    }
    if (binding->heap != NULL && !emit_is_terminated(emitter)) {
        emit_runtime_call(emitter, RT_heap_free, &binding->heap);
    }
}

/* The object that was declared under this name, not one that it abbreviates. */
static void emit_end_symbol(Emitter *emitter, Symbol *symbol) {
    Binding *binding = symbol != NULL ? symbol->backend : NULL;
    if (binding != NULL && !binding->is_value && type_owns(binding->place.type) &&
        !emit_is_terminated(emitter)) {
        emit_release(emitter, binding->place);
    }
    emit_free_symbol(emitter, symbol);
    if (binding == NULL || binding->is_value || binding->place.address == NULL) {
        return;
    }
    LLVMValueRef slot = binding->place.address;
    if (LLVMIsAGetElementPtrInst(slot) != NULL) {
        slot = LLVMGetOperand(slot, 0); /* the pointers of an array of channels */
    }
    if (LLVMIsAAllocaInst(slot) != NULL) {
        emit_lifetime_end(emitter, slot);
    }
}

static bool makes_object(const Node *abbreviation) {
    return abbreviation->abbreviation.mode == ABBREVIATION_INITIAL;
}

void emit_scope_end(Emitter *emitter, const NodeList *specifications) {
    emit_leave_abbreviations(emitter, specifications);
    emit_scope_release(emitter, specifications);
}

void emit_scope_release(Emitter *emitter, const NodeList *specifications) {
    for (size_t i = specifications->count; i-- > 0;) {
        Node *specification = specifications->items[i];
        if (specification->kind == NODE_DECLARATION) {
            const NodeList *names = &specification->declaration.names;
            for (size_t k = names->count; k-- > 0;) {
                emit_end_symbol(emitter, names->items[k]->def.symbol);
            }
        } else if (specification->kind == NODE_ABBREVIATION && makes_object(specification)) {
            emit_end_symbol(emitter, specification->abbreviation.def->def.symbol);
        }
    }
}

/* ---- bindings ---- */

static Binding *bind(Emitter *emitter, Symbol *symbol) {
    SavedBinding saved = {symbol, symbol->backend};
    array_push(emitter->arena, &emitter->routine->saved, saved);
    Binding *binding = arena_new(emitter->arena, Binding);
    symbol->backend = binding;
    return binding;
}

Binding *emit_bind_value(Emitter *emitter, Symbol *symbol, LLVMValueRef value) {
    Binding *binding = bind(emitter, symbol);
    binding->is_value = true;
    binding->value = value;
    return binding;
}

Binding *emit_bind_place(Emitter *emitter, Symbol *symbol, Place place) {
    Binding *binding = bind(emitter, symbol);
    binding->place = place;
    return binding;
}

/* A VAL of the outermost level whose value the checks did not compute is evaluated at each use:
 * there is no process at that level that could do it. */
static Binding *bind_global_value(Emitter *emitter, Symbol *symbol) {
    Node *value = symbol->definition->abbreviation.value;
    Binding *binding = arena_new(emitter->arena, Binding);
    if (type_is_scalar(symbol->type)) {
        binding->is_value = true;
        binding->value = emit_scalar(emitter, value);
    } else {
        binding->place = emit_place(emitter, value);
    }
    return binding;
}

Binding *emit_find_binding(Emitter *emitter, Symbol *symbol) {
    Binding *bound = symbol->backend;
    if (bound != NULL) {
        return bound->object != NULL ? emit_binding_of_actual(emitter, symbol, bound) : bound;
    }
    if (symbol->constant != NULL) {
        Binding *binding = arena_new(emitter->arena, Binding);
        if (type_is_scalar(symbol->constant->type)) {
            binding->is_value = true;
            binding->value = emit_constant_scalar(emitter, symbol->constant);
        } else {
            binding->place = emit_constant_place(emitter, symbol->constant);
        }
        return binding;
    }
    if (symbol->kind == SYMBOL_VALUE && symbol->owner == NULL) {
        return bind_global_value(emitter, symbol);
    }
    bug("'%s' is not bound in %s", symbol->name->bytes, emitter->routine->proc_name);
}

/* ---- counts ---- */

void emit_counts_for(Emitter *emitter, const Type *wanted, Place from, Location at,
                     LLVMValueRef *counts) {
    unsigned rank = type_rank(wanted);
    unsigned open = 0;
    for (unsigned i = 0; i < rank && i < type_rank(from.type); i++) {
        LLVMValueRef count = emit_place_count(emitter, from, i);
        int64_t fixed = dimension_type(wanted, i)->array.count;
        if (fixed == ARRAY_OPEN) {
            counts[open++] = count;
        } else if (dimension_type(from.type, i)->array.count == ARRAY_OPEN) {
            LLVMValueRef same =
                LLVMBuildICmp(emitter->builder, LLVMIntEQ, count, emit_i32(emitter, fixed), "");
            emit_trap_unless(emitter, same, ERROR_SIZE_MISMATCH, at, NULL, count,
                             emit_i32(emitter, fixed), NULL);
        }
    }
}
