/* mobile_form -- the structure of a data type with the names of its fields, as a constant of the
 * unit: for routines with a formal ANY, which read and write variables of any type.
 *
 * Owns:   the Form of each type (runtime/core/form.h).
 * Holds:  a type may contain itself, so a Form exists before its parts. That of an array whose
 *         counts are known only at run time is made where it is passed. */
#include "emit.h"
#include "layout_offsets.h"

enum { FORM_FIELDS = 6 };

static LLVMTypeRef field_type(Emitter *emitter) {
    LLVMTypeRef members[] = {emitter->ptr, emitter->ptr, emitter->i64};
    return LLVMStructTypeInContext(emitter->context, members, 3, 0);
}

static LLVMTypeRef form_type(Emitter *emitter, size_t fields) {
    LLVMTypeRef members[FORM_FIELDS] = {emitter->i32, emitter->i32,
                                        emitter->i64, emitter->i64,
                                        emitter->ptr, LLVMArrayType2(field_type(emitter), fields)};
    return LLVMStructTypeInContext(emitter->context, members, FORM_FIELDS, 0);
}

static size_t count_fields(const Type *base) {
    return base->kind == TYPE_RECORD ? base->record.field_count : 0;
}

static unsigned kind_of_number(const Type *base) {
    if (base->kind == TYPE_BOOL) {
        return LAYOUT_FORM_BOOL;
    }
    if (base->kind == TYPE_BYTE) {
        return LAYOUT_FORM_BYTE;
    }
    if (base->kind == TYPE_REAL32 || base->kind == TYPE_REAL64) {
        return LAYOUT_FORM_REAL;
    }
    return type_is_signed(base) ? LAYOUT_FORM_INT : LAYOUT_FORM_UINT;
}

static unsigned kind_of(const Type *base) {
    return base->kind == TYPE_ARRAY    ? LAYOUT_FORM_ARRAY
           : base->kind == TYPE_RECORD ? LAYOUT_FORM_RECORD
           : base->kind == TYPE_MOBILE ? LAYOUT_FORM_MOBILE
                                       : kind_of_number(base);
}

static LLVMValueRef part_of(Emitter *emitter, const Type *base) {
    if (base->kind == TYPE_ARRAY) {
        return emit_form(emitter, base->array.element);
    }
    return base->kind == TYPE_MOBILE ? emit_form(emitter, type_content(base))
                                     : LLVMConstNull(emitter->ptr);
}

static LLVMValueRef field_of(Emitter *emitter, const TypeField *field) {
    LLVMValueRef members[] = {emit_string(emitter, field->name->bytes),
                              emit_form(emitter, field->type), emit_i64(emitter, field->offset)};
    return LLVMConstStructInContext(emitter->context, members, 3, 0);
}

static void fill(Emitter *emitter, LLVMValueRef form, const Type *base) {
    size_t count = count_fields(base);
    LLVMValueRef *fields = arena_new_array(emitter->arena, LLVMValueRef, count + 1);
    for (size_t i = 0; i < count; i++) {
        fields[i] = field_of(emitter, &base->record.fields[i]);
    }
    bool is_mobile = base->kind == TYPE_MOBILE;
    unsigned open = is_mobile ? type_open_dimensions(type_content(base)) : 0;
    bool is_open = type_has_open_dimension(base) && !is_mobile;
    int64_t elements = base->kind == TYPE_ARRAY ? base->array.count : (int64_t)count;
    LLVMValueRef members[FORM_FIELDS] = {
        emit_i32(emitter, kind_of(base)),
        emit_i32(emitter, is_mobile ? (int64_t)emit_mobile_header_bytes(open) : 0),
        emit_i64(emitter, is_open ? 0 : (int64_t)type_size(base)),
        emit_i64(emitter, elements),
        part_of(emitter, base),
        LLVMConstArray2(field_type(emitter), fields, count)};
    LLVMSetInitializer(form, LLVMConstStructInContext(emitter->context, members, FORM_FIELDS, 0));
}

LLVMValueRef emit_form(Emitter *emitter, const Type *type) {
    for (size_t i = 0; i < emitter->forms.count; i++) {
        if (type_equal(emitter->forms.items[i].type, type)) {
            return emitter->forms.items[i].function;
        }
    }
    const Type *base = type_base(type);
    LLVMTypeRef record = form_type(emitter, count_fields(base));
    LLVMValueRef form = LLVMAddGlobal(emitter->module, record, "form");
    LLVMSetLinkage(form, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(form, 1);
    MobileFunction one = {type, form};
    array_push(emitter->arena, &emitter->forms, one);
    fill(emitter, form, base);
    return form;
}

/* ---- arrays whose counts are known only at run time ---- */

/* A Form in the frame, and its bytes (i64). */
typedef struct OpenForm {
    LLVMValueRef form, bytes;
} OpenForm;

static OpenForm open_form(Emitter *emitter, Place place, const Type *type, unsigned dimension) {
    if (!type_has_open_dimension(type)) {
        return (OpenForm){emit_form(emitter, type), emit_i64(emitter, (int64_t)type_size(type))};
    }
    OpenForm part = open_form(emitter, place, type_base(type)->array.element, dimension + 1);
    LLVMValueRef count = LLVMBuildZExt(
        emitter->builder, emit_place_count(emitter, place, dimension), emitter->i64, "");
    LLVMValueRef bytes = emit_multiply_size(emitter, count, part.bytes);
    LLVMTypeRef record = form_type(emitter, 0);
    LLVMValueRef form = emit_alloca(emitter, record, "form");
    LLVMValueRef members[] = {emit_i32(emitter, LAYOUT_FORM_ARRAY), emit_i32(emitter, 0), bytes,
                              count, part.form};
    for (unsigned i = 0; i < sizeof members / sizeof members[0]; i++) {
        LLVMBuildStore(emitter->builder, members[i],
                       LLVMBuildStructGEP2(emitter->builder, record, form, i, ""));
    }
    return (OpenForm){form, bytes};
}

LLVMValueRef emit_form_of(Emitter *emitter, Place place) {
    return type_is_mobile(place.type) ? emit_form(emitter, place.type)
                                      : open_form(emitter, place, place.type, 0).form;
}
