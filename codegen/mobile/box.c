/* box -- MOBILE.CHAN, MOBILE.PROC, MOBILE.ANY: mobiles whose type is known only at run time.
 *
 * Owns:   the box, a mobile object that holds another owner and says its type; putting in, taking
 *         out, release.
 * Leaves: when that happens to mobile_value.c and item.c.
 * Holds:  behind the header of a box are the name of a type, the object, and the kind of owner it
 *         is. Two types are equal when their names are: a name tells what the type is made of, so
 *         that separately compiled units agree. A mobile with mobile parts comes with the function
 *         that releases it and its block size: it runs on a block of its own, as recursion does,
 *         since boxes may be nested to any depth. */
#include "emit_sharing.h"
#include "layout_offsets.h"

enum {
    BOX_TYPE = LAYOUT_MOBILE_DATA,
    BOX_OBJECT = BOX_TYPE + 8,
    BOX_KIND = BOX_OBJECT + 8,  /* int32_t */
    BOX_BLOCK = BOX_KIND + 4,   /* int32_t: bytes; BOX_DEEP */
    BOX_RELEASE = BOX_KIND + 8, /* body (me, object); BOX_DEEP */
    BOX_BYTES = BOX_RELEASE + 8
};

typedef enum BoxKind { BOX_PLAIN, BOX_SERVER, BOX_CLIENT, BOX_PROCESS, BOX_DEEP } BoxKind;

static BoxKind kind_of(const Type *held) {
    const Type *base = type_base(held);
    if (base->kind == TYPE_BUNDLE_END) {
        return base->bundle_end.direction == DIRECTION_INPUT ? BOX_SERVER : BOX_CLIENT;
    }
    if (type_owns(type_content(held))) {
        return BOX_DEEP;
    }
    return type_content(held)->kind == TYPE_PROC_TYPE ? BOX_PROCESS : BOX_PLAIN;
}

/* ---- names ---- */

static const Type *innermost(const Type *type) {
    const Type *leaf = type_base(type_leaf(type));
    while (leaf->kind == TYPE_MOBILE) {
        leaf = type_base(type_leaf(leaf->element));
    }
    return leaf->kind == TYPE_BUNDLE_END ? leaf->bundle_end.bundle : leaf;
}

/* Fields, and their fields. What may contain itself is expanded once: its fields have the names of
 * types. */
static const char *fields_text(Emitter *emitter, const Type *record) {
    const char *text = "";
    for (size_t i = 0; i < record->record.field_count; i++) {
        const TypeField *field = &record->record.fields[i];
        const Type *leaf = innermost(field->type);
        text = arena_format(emitter->arena, "%s; %s %s %d", text,
                            type_name(emitter->arena, field->type), field->name->bytes,
                            (int)field->direction);
        if (leaf->kind == TYPE_RECORD && !type_is_recursive(leaf)) {
            text = arena_format(emitter->arena, "%s (%s)", text, fields_text(emitter, leaf));
        }
    }
    return text;
}

static const char *type_text(Emitter *emitter, const Type *held) {
    const Type *leaf = innermost(held);
    bool has_fields = leaf->kind == TYPE_BUNDLE || leaf->kind == TYPE_RECORD;
    return arena_format(emitter->arena, "%s%s", type_name(emitter->arena, held),
                        has_fields ? fields_text(emitter, leaf) : "");
}

static LLVMValueRef field_at(Emitter *emitter, LLVMValueRef box, unsigned offset) {
    return emit_field(emitter, box, offset, "");
}

/* ---- undefined stays undefined ---- */

typedef struct Present {
    LLVMBasicBlockRef before;
    LLVMBasicBlockRef done;
} Present;

/* What follows, until present_end, is done only if the object is not NULL. */
static Present present_begin(Emitter *emitter, LLVMValueRef object) {
    LLVMBuilderRef builder = emitter->builder;
    Present present = {LLVMGetInsertBlock(builder), NULL};
    LLVMBasicBlockRef some = emit_block(emitter, "box.some");
    present.done = emit_block(emitter, "box.done");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, object, ""), present.done, some);
    emit_enter(emitter, some);
    return present;
}

/* `made`, or NULL where there was no object. */
static LLVMValueRef present_end(Emitter *emitter, Present present, LLVMValueRef made) {
    LLVMValueRef none = LLVMConstNull(emitter->ptr);
    return emit_merge(emitter, present.done, none, present.before, made, "object");
}

/* ---- putting in ---- */

LLVMValueRef emit_box(Emitter *emitter, const Type *held, LLVMValueRef object, Location at) {
    LLVMBuilderRef builder = emitter->builder;
    Present present = present_begin(emitter, object);
    LLVMValueRef site = emit_site(emitter, ERROR_NO_MEMORY, at, NULL);
    LLVMValueRef box = emit_mobile_block(emitter, emit_i64(emitter, BOX_BYTES), NULL, 0, site);
    LLVMValueRef type = emit_string(emitter, type_text(emitter, held));
    LLVMBuildStore(builder, type, field_at(emitter, box, BOX_TYPE));
    LLVMBuildStore(builder, object, field_at(emitter, box, BOX_OBJECT));
    LLVMBuildStore(builder, emit_i32(emitter, kind_of(held)), field_at(emitter, box, BOX_KIND));
    if (kind_of(held) == BOX_DEEP) {
        LLVMValueRef release = emit_release_body(emitter, held);
        LLVMValueRef block =
            LLVMBuildLoad2(builder, emitter->i32, emit_block_size(emitter, release), "");
        LLVMBuildStore(builder, block, field_at(emitter, box, BOX_BLOCK));
        LLVMBuildStore(builder, release, field_at(emitter, box, BOX_RELEASE));
    }
    return present_end(emitter, present, box);
}

/* ---- taking out ---- */

LLVMValueRef emit_unbox(Emitter *emitter, LLVMValueRef box, const Type *wanted, Location at,
                        const char *name) {
    LLVMBuilderRef builder = emitter->builder;
    Present present = present_begin(emitter, box);
    LLVMValueRef types[] = {
        LLVMBuildLoad2(builder, emitter->ptr, field_at(emitter, box, BOX_TYPE), "type"),
        emit_string(emitter, type_text(emitter, wanted)),
    };
    LLVMValueRef answer = emit_runtime_call(emitter, RT_mobile_is, types);
    LLVMValueRef is_wanted = LLVMBuildIsNotNull(builder, answer, "");
    emit_trap_unless(emitter, is_wanted, ERROR_MOBILE_TYPE, at, name, NULL, NULL, NULL);
    LLVMValueRef object =
        LLVMBuildLoad2(builder, emitter->ptr, field_at(emitter, box, BOX_OBJECT), "held");
    emit_mobile_give(emitter, box);
    return present_end(emitter, present, object);
}

/* ---- release: (me, box, unused) ---- */

static void release_deep(Emitter *emitter, LLVMValueRef box, LLVMValueRef object) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef release =
        LLVMBuildLoad2(builder, emitter->ptr, field_at(emitter, box, BOX_RELEASE), "");
    LLVMValueRef block =
        LLVMBuildLoad2(builder, emitter->i32, field_at(emitter, box, BOX_BLOCK), "");
    LLVMValueRef arguments[] = {release, object, LLVMBuildZExt(builder, block, emitter->i64, ""),
                                LLVMConstNull(emitter->ptr)};
    emit_runtime_call(emitter, RT_call_on_segment_c, arguments);
}

static void release_held(Emitter *emitter, LLVMValueRef box, LLVMValueRef object, BoxKind kind) {
    switch (kind) {
    case BOX_SERVER:
    case BOX_CLIENT: {
        LLVMValueRef arguments[] = {object, emit_i32(emitter, kind == BOX_SERVER)};
        emit_runtime_call(emitter, RT_bundle_drop, arguments);
        break;
    }
    case BOX_PROCESS: emit_process_release(emitter, object); /* fall through */
    case BOX_PLAIN: emit_mobile_give(emitter, object); break;
    case BOX_DEEP: release_deep(emitter, box, object); break;
    }
}

static void fill_release(Emitter *emitter, LLVMValueRef function) {
    LLVMBuilderRef builder = emitter->builder;
    Routine state;
    emit_routine_begin(emitter, &state, function, NULL, emitter->routine->proc_name, false);
    LLVMValueRef box = LLVMGetParam(function, 1);
    LLVMValueRef object =
        LLVMBuildLoad2(builder, emitter->ptr, field_at(emitter, box, BOX_OBJECT), "held");
    LLVMValueRef kind =
        LLVMBuildLoad2(builder, emitter->i32, field_at(emitter, box, BOX_KIND), "kind");
    LLVMBasicBlockRef done = emit_block(emitter, "released");
    LLVMBasicBlockRef start = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef blocks[BOX_DEEP + 1];
    for (int i = BOX_PLAIN; i <= BOX_DEEP; i++) {
        blocks[i] = emit_block(emitter, "held");
        emit_enter(emitter, blocks[i]);
        release_held(emitter, box, object, (BoxKind)i);
        emit_jump(emitter, done);
    }
    LLVMPositionBuilderAtEnd(builder, start);
    LLVMValueRef choice = LLVMBuildSwitch(builder, kind, blocks[BOX_PLAIN], BOX_DEEP);
    for (int i = BOX_SERVER; i <= BOX_DEEP; i++) {
        LLVMAddCase(choice, emit_i32(emitter, i), blocks[i]);
    }
    emit_enter(emitter, done);
    emit_mobile_give(emitter, box);
    LLVMBuildRetVoid(builder);
    emit_routine_end(emitter);
}

void emit_box_release(Emitter *emitter, LLVMValueRef box) {
    LLVMTypeRef parameters[] = {emitter->ptr, emitter->ptr, emitter->ptr};
    if (emitter->box_release == NULL) {
        emitter->box_release =
            emit_helper(emitter, "occ.release.box", emitter->void_type, parameters, 3);
        fill_release(emitter, emitter->box_release);
    }
    LLVMValueRef arguments[] = {emit_me(emitter), box, LLVMConstNull(emitter->ptr)};
    emit_call_of(emitter, emitter->box_release, arguments, 3);
    emit_set_head(emitter, NULL); /* it may have made processes ready */
}
