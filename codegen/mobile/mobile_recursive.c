/* mobile_recursive -- objects that may own more of their own type are released and cloned by a
 * loop, so that no depth of them needs a deep stack (decision 0047).
 *
 * Owns:   the lists of objects that wait for the loop.
 * Leaves: what is done with each object to mobile_parts.c.
 * Holds:  types that contain each other form one group, with a list for each of them. A waiting
 *         object has the address of the next one behind its size class, in 48 bits; nothing else is
 *         kept there while an object of constant size lives. Arrays between two objects of a group
 *         are walked at once: they never wait. */
#include "emit.h"
#include "layout_offsets.h"

#include "array.h"

enum { LINK_SHIFT = 16 }; /* size_class is a uint16_t */

typedef struct WaitingList {
    const Type *mobile;
    LLVMValueRef first; /* where the address of the first object is */
} WaitingList;

struct TypeGroup {
    ARRAY_OF(WaitingList) lists;
};

/* ---- groups ---- */

static const Type *record_of(const Type *mobile) {
    return type_base(type_content(mobile));
}

static WaitingList *list_of(struct TypeGroup *group, const Type *mobile) {
    for (size_t i = 0; group != NULL && i < group->lists.count; i++) {
        if (type_equal(group->lists.items[i].mobile, mobile)) {
            return &group->lists.items[i];
        }
    }
    return NULL;
}

/* Mobiles that the type leads to and that lead back to `record`. */
static void gather(Emitter *emitter, struct TypeGroup *group, const Type *type,
                   const Type *record) {
    const Type *leaf = type_base(type_leaf(type));
    if (leaf->kind == TYPE_MOBILE && record_of(leaf)->kind == TYPE_RECORD) {
        bool leads_back = record_of(leaf) == record || type_reaches(record_of(leaf), record);
        if (!leads_back || list_of(group, leaf) != NULL) {
            return;
        }
        WaitingList list = {leaf, emit_alloca(emitter, emitter->ptr, "waiting")};
        array_push(emitter->arena, &group->lists, list);
        LLVMBuildStore(emitter->builder, LLVMConstNull(emitter->ptr), list.first);
    }
    const Type *content = type_base(type_leaf(type_content(leaf)));
    for (size_t i = 0; content->kind == TYPE_RECORD && i < content->record.field_count; i++) {
        gather(emitter, group, content->record.fields[i].type, record);
    }
    if (content->kind == TYPE_MOBILE && content != leaf) {
        gather(emitter, group, content, record);
    }
}

bool emit_is_nested(const Type *mobile) {
    const Type *record = record_of(mobile);
    return record->kind == TYPE_RECORD && type_reaches(record, record);
}

bool emit_leads_to_waiting(Emitter *emitter, const Type *mobile) {
    const struct TypeGroup *group = emitter->routine->group;
    return group != NULL && type_reaches(mobile, record_of(group->lists.items[0].mobile));
}

/* ---- lists ---- */

static LLVMValueRef header_of(Emitter *emitter, LLVMValueRef object) {
    return LLVMBuildLoad2(emitter->builder, emitter->i64, object, "header");
}

bool emit_wait_for_loop(Emitter *emitter, const Type *mobile, LLVMValueRef object) {
    LLVMBuilderRef builder = emitter->builder;
    const WaitingList *list = list_of(emitter->routine->group, mobile);
    if (list == NULL) {
        return false;
    }
    LLVMValueRef next = LLVMBuildLoad2(builder, emitter->ptr, list->first, "next");
    LLVMValueRef link = LLVMBuildPtrToInt(builder, next, emitter->i64, "");
    link = LLVMBuildShl(builder, link, emit_i64(emitter, LINK_SHIFT), "link");
    LLVMValueRef class = LLVMBuildAnd(builder, header_of(emitter, object),
                                      emit_i64(emitter, (1 << LINK_SHIFT) - 1), "class");
    LLVMBuildStore(builder, LLVMBuildOr(builder, link, class, ""), object);
    LLVMBuildStore(builder, object, list->first);
    return true;
}

static void take_first(Emitter *emitter, const WaitingList *list, LLVMValueRef object) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef link =
        LLVMBuildLShr(builder, header_of(emitter, object), emit_i64(emitter, LINK_SHIFT), "link");
    LLVMBuildStore(builder, LLVMBuildIntToPtr(builder, link, emitter->ptr, ""), list->first);
}

/* ---- the loop ---- */

void emit_nested_begin(Emitter *emitter, const Type *mobile) {
    struct TypeGroup *group = arena_new(emitter->arena, struct TypeGroup);
    gather(emitter, group, mobile, record_of(mobile));
    emitter->routine->group = group;
}

void emit_nested_each(Emitter *emitter, ObjectEmitter *emit_one, LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    const struct TypeGroup *group = emitter->routine->group;
    LLVMBasicBlockRef again = emit_block(emitter, "nested");
    emit_continue(emitter, again);
    for (size_t i = 0; i < group->lists.count; i++) {
        const WaitingList *list = &group->lists.items[i];
        LLVMBasicBlockRef some = emit_block(emitter, "nested.object");
        LLVMBasicBlockRef none = emit_block(emitter, "nested.none");
        LLVMValueRef object = LLVMBuildLoad2(builder, emitter->ptr, list->first, "object");
        LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, object, ""), none, some);
        emit_enter(emitter, some);
        take_first(emitter, list, object);
        emit_one(emitter, list->mobile, object, site);
        emit_jump(emitter, again);
        emit_enter(emitter, none);
    }
    emitter->routine->group = NULL;
}
