/* type_hash -- a number for the structure of a type (TYPEHASHOF, PROTOCOL.HASH).
 *
 * Owns:  the order in which the parts of a type are hashed.
 * Holds: the number is the same in every program and however the type is reached; names count,
 *        places of definition do not. A named type is expanded once, after that its name stands for
 *        it: so types that contain themselves have a number, in linear time. */
#include "array.h"
#include "symbol.h"
#include "types.h"

#define FNV_BASIS UINT32_C(2166136261)
#define FNV_PRIME UINT32_C(16777619)

typedef struct Hashing {
    Arena *arena;
    uint32_t hash;
    ARRAY_OF(const Type *) met;
} Hashing;

static void hash_type(Hashing *hashing, const Type *type);

static void hash_number(Hashing *hashing, uint64_t number) {
    for (unsigned i = 0; i < 64; i += 8) {
        hashing->hash = (hashing->hash ^ (uint8_t)(number >> i)) * FNV_PRIME;
    }
}

static void hash_name(Hashing *hashing, const Text *name) {
    if (name == NULL) {
        return;
    }
    hash_number(hashing, name->length);
    for (size_t i = 0; i < name->length; i++) {
        hashing->hash = (hashing->hash ^ (unsigned char)name->bytes[i]) * FNV_PRIME;
    }
}

static void hash_types(Hashing *hashing, const Type *const *types, size_t count) {
    hash_number(hashing, count);
    for (size_t i = 0; i < count; i++) {
        hash_type(hashing, types[i]);
    }
}

static void hash_fields(Hashing *hashing, const Type *record) {
    hash_number(hashing, record->record.field_count);
    hash_number(hashing, record->record.is_packed);
    for (size_t i = 0; i < record->record.field_count; i++) {
        const TypeField *field = &record->record.fields[i];
        hash_name(hashing, field->name);
        hash_number(hashing, field->direction);
        hash_type(hashing, field->type);
    }
}

static void hash_tags(Hashing *hashing, const Type *variant) {
    hash_number(hashing, variant->variant.tag_count);
    for (size_t i = 0; i < variant->variant.tag_count; i++) {
        const TypeTag *tag = &variant->variant.tags[i];
        hash_name(hashing, tag->name);
        hash_number(hashing, tag->value);
        hash_types(hashing, tag->items, tag->item_count);
    }
}

static void hash_formals(Hashing *hashing, const NodeList *formals) {
    hash_number(hashing, formals->count);
    for (size_t i = 0; i < formals->count; i++) {
        const Symbol *symbol = formals->items[i]->formal.def->def.symbol;
        if (symbol != NULL && symbol->type != NULL) {
            hash_number(hashing, symbol->formal_mode);
            hash_type(hashing, symbol->type);
        }
    }
}

static void hash_end(Hashing *hashing, const Type *end) {
    hash_number(hashing, end->bundle_end.direction);
    hash_number(hashing, end->bundle_end.is_shared);
    if (end->bundle_end.bundle != NULL) {
        hash_type(hashing, end->bundle_end.bundle);
    }
}

static void hash_channel(Hashing *hashing, const Type *channel) {
    hash_number(hashing, channel->channel.direction);
    hash_number(hashing, channel->channel.is_shared_input);
    hash_number(hashing, channel->channel.is_shared_output);
    hash_type(hashing, channel->channel.protocol);
}

/* Has this named type been expanded? From now on it has. */
static bool has_met(Hashing *hashing, const Type *type) {
    for (size_t i = 0; i < hashing->met.count; i++) {
        if (hashing->met.items[i] == type) {
            return true;
        }
    }
    array_push(hashing->arena, &hashing->met, type);
    return false;
}

static void hash_parts(Hashing *hashing, const Type *type) {
    switch (type->kind) {
    case TYPE_ARRAY:
        hash_number(hashing, (uint64_t)type->array.count);
        hash_type(hashing, type->array.element);
        return;
    case TYPE_RECORD:
    case TYPE_BUNDLE: hash_fields(hashing, type); return;
    case TYPE_NAMED: hash_type(hashing, type->underlying); return;
    case TYPE_CHANNEL: hash_channel(hashing, type); return;
    case TYPE_PORT:
    case TYPE_MOBILE: hash_type(hashing, type->element); return;
    case TYPE_COUNTED:
        hash_type(hashing, type->counted.count);
        hash_type(hashing, type->counted.element);
        return;
    case TYPE_SEQUENCE:
    case TYPE_TUPLE: hash_types(hashing, type->sequence.items, type->sequence.item_count); return;
    case TYPE_VARIANT: hash_tags(hashing, type); return;
    case TYPE_BUNDLE_END:
    case TYPE_MOBILE_CHAN: hash_end(hashing, type); return;
    case TYPE_PROC_TYPE: hash_formals(hashing, type->proc_type.formals); return;
    case TYPE_KINDS_OF_SCALAR:
    case TYPE_KINDS_WITHOUT_PARTS: return;
    }
}

static void hash_type(Hashing *hashing, const Type *type) {
    hash_number(hashing, (uint64_t)type->kind);
    hash_name(hashing, type->name);
    if (type->name == NULL || !has_met(hashing, type)) {
        hash_parts(hashing, type);
    }
}

int32_t type_hash(Arena *arena, const Type *type) {
    Hashing hashing = {.arena = arena, .hash = FNV_BASIS};
    hash_type(&hashing, type);
    return (int32_t)hashing.hash;
}
