/* debug_type -- the types of the language in DWARF.
 *
 * Owns:   one description per type record.
 * Holds:  a channel is shown as its words (who waits there), an array of channels as pointers to
 *         such; an open array has no count, so the debugger wants `print a[0]@n`. A mobile is the
 *         address of its counts and contents: `print *m`, `print m->content[2]`. */
#include "debug.h"
#include "layout_offsets.h"

#include <string.h>

enum { TAG_STRUCTURE_TYPE = 0x13 }; /* DW_TAG_structure_type */

/* DW_ATE_... of DWARF 4, section 7.8. */
enum {
    ENCODING_BOOLEAN = 2,
    ENCODING_FLOAT = 4,
    ENCODING_SIGNED = 5,
    ENCODING_UNSIGNED = 7,
    ENCODING_UNSIGNED_CHAR = 8
};

static LLVMMetadataRef basic_type(Emitter *emitter, const Type *type, unsigned encoding) {
    const char *name = type_name(emitter->arena, type);
    uint64_t bits = type_size(type) * 8;
    return LLVMDIBuilderCreateBasicType(emitter->debug->builder, name, strlen(name), bits, encoding,
                                        LLVMDIFlagZero);
}

static LLVMMetadataRef member(Emitter *emitter, LLVMMetadataRef file, const char *name,
                              uint32_t line, uint64_t bits, uint64_t offset_bits,
                              LLVMMetadataRef type) {
    return LLVMDIBuilderCreateMemberType(emitter->debug->builder, file, name, strlen(name), file,
                                         line, bits, 0, offset_bits, LLVMDIFlagZero, type);
}

static LLVMMetadataRef structure(Emitter *emitter, const char *name, LLVMMetadataRef file,
                                 uint32_t line, uint64_t bits, LLVMMetadataRef *members,
                                 size_t count) {
    return LLVMDIBuilderCreateStructType(emitter->debug->builder, emitter->debug->unit, name,
                                         strlen(name), file, line, bits, 0, LLVMDIFlagZero, NULL,
                                         members, (unsigned)count, 0, NULL, "", 0);
}

/* An ANY parameter has a type without a name, which the debugger does not show. */
static LLVMMetadataRef record_type(Emitter *emitter, const Type *type) {
    if (type->name == NULL) {
        return LLVMDIBuilderCreateUnspecifiedType(emitter->debug->builder, "ANY", 3);
    }
    LLVMMetadataRef file = debug_file(emitter, type->at.file);
    size_t count = type->record.field_count;
    LLVMMetadataRef *members = arena_new_array(emitter->arena, LLVMMetadataRef, count + 1);
    for (size_t i = 0; i < count; i++) {
        const TypeField *field = &type->record.fields[i];
        members[i] =
            member(emitter, file, field->name->bytes, field->at.line, type_size(field->type) * 8,
                   (uint64_t)field->offset * 8, debug_type(emitter, field->type));
    }
    return structure(emitter, type->name->bytes, file, type->at.line,
                     (uint64_t)type->record.size_bytes * 8, members, count);
}

static LLVMMetadataRef channel_type(Emitter *emitter, const Type *type) {
    LLVMDIBuilderRef builder = emitter->debug->builder;
    LLVMMetadataRef word =
        LLVMDIBuilderCreateBasicType(builder, "WORD", 4, 64, ENCODING_UNSIGNED, LLVMDIFlagZero);
    LLVMMetadataRef file = debug_file(emitter, 0);
    LLVMMetadataRef members[] = {
        member(emitter, file, "word", 0, 64, OFFSET_Channel_word * 8, word),
        member(emitter, file, "watchers", 0, 64, OFFSET_Channel_watchers * 8, word),
    };
    return structure(emitter, type_name(emitter->arena, type), file, 0, SIZE_Channel * 8, members,
                     2);
}

/* All dimensions in one description, as C has it. */
static LLVMMetadataRef array_type(Emitter *emitter, const Type *type) {
    LLVMDIBuilderRef builder = emitter->debug->builder;
    LLVMMetadataRef ranges[MAX_RANK];
    unsigned rank = 0;
    uint64_t bits = type_size(type) * 8;
    while (type->kind == TYPE_ARRAY && rank < MAX_RANK) {
        int64_t count = type->array.count == ARRAY_OPEN ? -1 : type->array.count;
        ranges[rank++] = LLVMDIBuilderGetOrCreateSubrange(builder, 0, count);
        type = type->array.element;
    }
    LLVMMetadataRef element = debug_type(emitter, type);
    if (type->kind == TYPE_CHANNEL) {
        element = LLVMDIBuilderCreatePointerType(builder, element, 64, 0, 0, "", 0);
    }
    return LLVMDIBuilderCreateArrayType(builder, bits, 0, element, ranges, rank);
}

static LLVMMetadataRef unspecified_type(Emitter *emitter, const Type *type) {
    const char *name = type_name(emitter->arena, type);
    return LLVMDIBuilderCreateUnspecifiedType(emitter->debug->builder, name, strlen(name));
}

/* The memory that a mobile points to: SIZE of each open dimension, then the contents. */
static LLVMMetadataRef object_type(Emitter *emitter, const Type *mobile) {
    const Type *content = type_content(mobile);
    LLVMMetadataRef file = debug_file(emitter, 0);
    LLVMMetadataRef members[MAX_RANK + 1];
    unsigned open = type_open_dimensions(content);
    for (unsigned i = 0; i < open; i++) {
        const char *name = i == 0 ? "SIZE" : arena_format(emitter->arena, "SIZE.%u", i);
        members[i] = member(emitter, file, name, 0, 32, (OFFSET_Mobile_counts + 4 * i) * 8,
                            debug_type(emitter, type_primitive(TYPE_INT)));
    }
    uint64_t header = emit_mobile_header_bytes(open);
    members[open] = member(emitter, file, "content", 0, type_size(content) * 8, header * 8,
                           debug_type(emitter, content));
    return structure(emitter, type_name(emitter->arena, mobile), file, 0,
                     (header + type_size(content)) * 8, members, open + 1);
}

/* A type that contains itself is entered before it is described. */
static LLVMMetadataRef recursive_type(Emitter *emitter, const Type *mobile) {
    LLVMDIBuilderRef builder = emitter->debug->builder;
    const char *name = type_name(emitter->arena, mobile);
    LLVMMetadataRef unknown = LLVMDIBuilderCreateReplaceableCompositeType(
        builder, TAG_STRUCTURE_TYPE, name, strlen(name), emitter->debug->unit,
        debug_file(emitter, 0), 0, 0, 0, 0, LLVMDIFlagZero, "", 0);
    LLVMMetadataRef pointer = LLVMDIBuilderCreatePointerType(builder, unknown, 64, 0, 0, "", 0);
    *name_map_at(&emitter->debug->types, &mobile, sizeof mobile) = pointer;
    LLVMMetadataReplaceAllUsesWith(unknown, object_type(emitter, mobile));
    return pointer;
}

static LLVMMetadataRef mobile_type(Emitter *emitter, const Type *type) {
    const Type *content = type_content(type);
    if (!type_is_data(content) && !type_is_channel(content)) {
        return unspecified_type(emitter, type);
    }
    if (type_is_recursive(type)) {
        return recursive_type(emitter, type);
    }
    LLVMMetadataRef object = object_type(emitter, type);
    return LLVMDIBuilderCreatePointerType(emitter->debug->builder, object, 64, 0, 0, "", 0);
}

static LLVMMetadataRef named_type(Emitter *emitter, const Type *type) {
    LLVMMetadataRef file = debug_file(emitter, type->at.file);
    return LLVMDIBuilderCreateTypedef(emitter->debug->builder,
                                      debug_type(emitter, type->underlying), type->name->bytes,
                                      type->name->length, file, type->at.line, NULL, 0);
}

static LLVMMetadataRef make_type(Emitter *emitter, const Type *type) {
    switch (type->kind) {
    case TYPE_BOOL: return basic_type(emitter, type, ENCODING_BOOLEAN);
    case TYPE_BYTE: return basic_type(emitter, type, ENCODING_UNSIGNED_CHAR);
    case TYPE_INT:
    case TYPE_INT16:
    case TYPE_INT32:
    case TYPE_INT64: return basic_type(emitter, type, ENCODING_SIGNED);
    case TYPE_UINT:
    case TYPE_UINT16:
    case TYPE_UINT32:
    case TYPE_UINT64: return basic_type(emitter, type, ENCODING_UNSIGNED);
    case TYPE_REAL32:
    case TYPE_REAL64: return basic_type(emitter, type, ENCODING_FLOAT);
    case TYPE_ARRAY: return array_type(emitter, type);
    case TYPE_RECORD: return record_type(emitter, type);
    case TYPE_NAMED: return named_type(emitter, type);
    case TYPE_CHANNEL: return channel_type(emitter, type);
    case TYPE_MOBILE: return mobile_type(emitter, type);
    case TYPE_PORT: return debug_type(emitter, type->element);
    case TYPE_KINDS_WITHOUT_PARTS:
    case TYPE_COUNTED:
    case TYPE_SEQUENCE:
    case TYPE_VARIANT:
    case TYPE_BUNDLE:
    case TYPE_BUNDLE_END:
    case TYPE_PROC_TYPE:
    case TYPE_MOBILE_CHAN:
    case TYPE_TUPLE: return unspecified_type(emitter, type);
    }
    return unspecified_type(emitter, type);
}

LLVMMetadataRef debug_type(Emitter *emitter, const Type *type) {
    void *known = name_map_find(&emitter->debug->types, &type, sizeof type);
    if (!known) {
        known = make_type(emitter, type);
        *name_map_at(&emitter->debug->types, &type, sizeof type) = known;
    }
    return known;
}
