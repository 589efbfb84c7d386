/* type_name -- types for messages, as the user writes them. */
#include "types.h"

#include <inttypes.h>

static void append_type(StringBuilder *builder, const Type *type);

static void append_string(StringBuilder *builder, const char *string) {
    string_append(builder, string, strlen(string));
}

static void append_name(StringBuilder *builder, const Type *type, const char *otherwise) {
    if (type->name) {
        string_append(builder, type->name->bytes, type->name->length);
    } else {
        append_string(builder, otherwise);
    }
}

static void append_list(StringBuilder *builder, const Type *list, const char *separator) {
    for (size_t i = 0; i < list->sequence.item_count; i++) {
        append_string(builder, i == 0 ? "" : separator);
        append_type(builder, list->sequence.items[i]);
    }
}

static void append_channel(StringBuilder *builder, const Type *type) {
    if (type->channel.is_shared_input && type->channel.is_shared_output) {
        append_string(builder, "SHARED ");
    } else if (type->channel.is_shared_input || type->channel.is_shared_output) {
        append_string(builder, type->channel.is_shared_input ? "SHARED? " : "SHARED! ");
    }
    append_string(builder, "CHAN ");
    append_type(builder, type->channel.protocol);
}

static void append_array(StringBuilder *builder, const Type *type) {
    if (type->array.count == ARRAY_OPEN) {
        append_string(builder, "[]");
    } else {
        string_append_format(builder, "[%" PRId64 "]", type->array.count);
    }
    append_type(builder, type->array.element);
}

static void append_type(StringBuilder *builder, const Type *type) {
    switch (type->kind) {
    case TYPE_ERROR: append_string(builder, "an unknown type"); break;
    case TYPE_BOOL: append_string(builder, "BOOL"); break;
    case TYPE_BYTE: append_string(builder, "BYTE"); break;
    case TYPE_INT: append_string(builder, "INT"); break;
    case TYPE_INT16: append_string(builder, "INT16"); break;
    case TYPE_INT32: append_string(builder, "INT32"); break;
    case TYPE_INT64: append_string(builder, "INT64"); break;
    case TYPE_UINT: append_string(builder, "UINT"); break;
    case TYPE_UINT16: append_string(builder, "UINT16"); break;
    case TYPE_UINT32: append_string(builder, "UINT32"); break;
    case TYPE_UINT64: append_string(builder, "UINT64"); break;
    case TYPE_REAL32: append_string(builder, "REAL32"); break;
    case TYPE_REAL64: append_string(builder, "REAL64"); break;
    case TYPE_ARRAY: append_array(builder, type); break;
    case TYPE_RECORD: append_name(builder, type, type == type_any_data() ? "ANY" : "RECORD"); break;
    case TYPE_NAMED: append_name(builder, type, "DATA TYPE"); break;
    case TYPE_CHANNEL: append_channel(builder, type); break;
    case TYPE_PORT:
        append_string(builder, "PORT ");
        append_type(builder, type->element);
        break;
    case TYPE_TIMER: append_string(builder, "TIMER"); break;
    case TYPE_ANY: append_string(builder, "ANY"); break;
    case TYPE_COUNTED:
        append_type(builder, type->counted.count);
        append_string(builder, "::[]");
        append_type(builder, type->counted.element);
        break;
    case TYPE_SEQUENCE:
        if (type->name) {
            append_name(builder, type, "");
        } else {
            append_list(builder, type, "; ");
        }
        break;
    case TYPE_VARIANT: append_name(builder, type, "PROTOCOL"); break;
    case TYPE_MOBILE:
        if (type->element->kind != TYPE_RECORD || !type->element->record.is_mobile) {
            append_string(builder, "MOBILE ");
        }
        append_type(builder, type_value(type));
        break;
    case TYPE_BUNDLE: append_name(builder, type, "CHAN TYPE"); break;
    case TYPE_BUNDLE_END:
        append_string(builder, type->bundle_end.is_shared ? "SHARED " : "");
        append_type(builder, type->bundle_end.bundle);
        append_string(builder, direction_mark(type->bundle_end.direction));
        break;
    case TYPE_PROC_TYPE: append_name(builder, type, "PROC TYPE"); break;
    case TYPE_BARRIER: append_string(builder, "BARRIER"); break;
    case TYPE_CLOCK: append_string(builder, "CLOCK"); break;
    case TYPE_MUTEX: append_string(builder, "MUTEX"); break;
    case TYPE_SYNC: append_string(builder, "SYNC.OBJECT"); break;
    case TYPE_MOBILE_CHAN:
        append_string(builder, type->bundle_end.is_shared ? "SHARED " : "");
        append_string(builder, "MOBILE.CHAN");
        append_string(builder, direction_mark(type->bundle_end.direction));
        break;
    case TYPE_MOBILE_PROC: append_string(builder, "MOBILE.PROC"); break;
    case TYPE_MOBILE_ANY: append_string(builder, "MOBILE.ANY"); break;
    case TYPE_TUPLE: append_list(builder, type, ", "); break;
    }
}

const char *type_name(Arena *arena, const Type *type) {
    StringBuilder builder = {.arena = arena};
    append_type(&builder, type);
    return builder.bytes ? builder.bytes : "";
}
