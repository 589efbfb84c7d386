/* check_bundle -- CHAN TYPE, its client and server ends, MOBILE T of a pair of ends
 * (language.md 2.8).
 *
 * Leaves: moves of ends to check_mobile.c, CLAIM to check_claim.c.
 * Holds:  fields are channels or arrays of channels, with the direction that the ? end sees; the
 *         client sees the other one. A bundle that is only announced has no fields yet: its type is
 *         completed in place, so ends of it may be used before. */
#include "checker.h"

/* ---- definitions ---- */

static bool check_field_line(Checker *checker, const Node *line) {
    const Type *type = check_type(checker, line->field_def.type_expr);
    if (type_is_error(type)) {
        return false;
    }
    const Type *leaf = type_leaf(type);
    if (leaf->kind != TYPE_CHANNEL || type_has_open_dimension(type) ||
        leaf->channel.is_shared_input || leaf->channel.is_shared_output) {
        diag_report(checker->diag, DIAG_TYPES_BUNDLE_FIELD, line->at,
                    type_name(checker->arena, type));
        return false;
    }
    return true;
}

static void add_field(Checker *checker, Type *bundle, const Type *type, const Node *def) {
    const TypeField *first = type_field(bundle, def->def.name, NULL);
    if (first) {
        diag_report(checker->diag, DIAG_NAMES_DUPLICATE, def->at, def->def.name->bytes);
        diag_label(checker->diag, first->at, "the first is here");
    } else if (def->def.direction == DIRECTION_NONE) {
        diag_report(checker->diag, DIAG_TYPES_BUNDLE_DIRECTION, def->at, def->def.name->bytes);
        diag_hint(checker->diag,
                  "write %s? for a channel the server inputs from, %s! for one it "
                  "outputs to",
                  def->def.name->bytes, def->def.name->bytes);
    } else {
        TypeField field = {
            .name = def->def.name, .type = type, .direction = def->def.direction, .at = def->at};
        bundle->record.fields[bundle->record.field_count++] = field;
    }
}

static void add_fields(Checker *checker, Type *bundle, const Node *record) {
    size_t count = 0;
    for (size_t i = 0; i < record->record.fields.count; i++) {
        const Node *line = record->record.fields.items[i];
        count += line->kind == NODE_FIELD_DEF ? line->field_def.names.count : 0;
    }
    bundle->record.fields = arena_new_array(checker->arena, TypeField, count + 1);
    for (size_t i = 0; i < record->record.fields.count; i++) {
        const Node *line = record->record.fields.items[i];
        if (line->kind != NODE_FIELD_DEF || !check_field_line(checker, line)) {
            continue;
        }
        for (size_t k = 0; k < line->field_def.names.count; k++) {
            const Node *def = line->field_def.names.items[k];
            if (def->kind == NODE_DEF) {
                add_field(checker, bundle, line->field_def.type_expr->type, def);
            }
        }
    }
}

/* A type of this name that was announced in the same scope, to be completed. */
static Symbol *announced(Checker *checker, const Node *def) {
    Symbol *symbol = scope_find(checker->scope, def->def.name);
    bool is_open = symbol && symbol->kind == SYMBOL_CHAN_TYPE && symbol->definition &&
                   symbol->definition->kind == NODE_CHAN_TYPE &&
                   !symbol->definition->chan_type.record;
    return is_open ? symbol : NULL;
}

static void check_is_mobile(Checker *checker, const Node *def, const Node *record) {
    if (!record->record.is_mobile) {
        diag_report(checker->diag, DIAG_TYPES_BUNDLE_MOBILE, record->at, def->def.name->bytes);
        diag_hint(checker->diag, "its ends move: write MOBILE RECORD");
        Location before = record->at;
        before.end_line = before.line;
        before.end_column = before.column;
        diag_fixit(checker->diag, before, "MOBILE ");
    }
}

void check_chan_type_definition(Checker *checker, Node *node) {
    Node *def = node->chan_type.def;
    const Node *record = node->chan_type.record;
    if (def->kind != NODE_DEF) {
        return;
    }
    Symbol *symbol = record ? announced(checker, def) : NULL;
    bool was_announced = symbol != NULL;
    if (!symbol) {
        Type *type = arena_new(checker->arena, Type);
        type->kind = TYPE_BUNDLE;
        type->name = def->def.name;
        type->at = def->at;
        symbol = symbol_make(checker, SYMBOL_CHAN_TYPE, def, type, node);
    }
    if (node->chan_type.is_recursive && !was_announced) {
        scope_add(checker->scope, symbol);
    }
    if (record && record->kind == NODE_RECORD) {
        check_is_mobile(checker, def, record);
        checker->defined_type = node;
        add_fields(checker, (Type *)symbol->type, record);
        checker->defined_type = NULL;
        symbol->definition = node;
        def->def.symbol = symbol;
    }
    if (!node->chan_type.is_recursive && !was_announced) {
        symbol->type = check_included_type(checker, def, symbol->type);
        scope_add(checker->scope, symbol);
    }
}

/* ---- ends ---- */

const Type *check_bundle_end_type(Checker *checker, Node *node) {
    Symbol *symbol = name_find(checker, node->type_named.name, node->at);
    node->type_named.symbol = symbol;
    if (!symbol) {
        return type_primitive(TYPE_ERROR);
    }
    symbol->is_used = true;
    if (symbol->kind != SYMBOL_CHAN_TYPE) {
        diag_report(checker->diag, DIAG_NAMES_KIND, node->at, symbol->name->bytes,
                    symbol_words(symbol), "a CHAN TYPE");
        symbol_label(checker, symbol, "is defined here");
        return type_primitive(TYPE_ERROR);
    }
    return type_bundle_end(checker->arena, symbol->type, node->type_named.direction,
                           node->type_named.is_shared);
}

static Direction seen_direction(const TypeField *field, const Type *end) {
    if (end->bundle_end.direction == DIRECTION_INPUT) {
        return field->direction;
    }
    return field->direction == DIRECTION_INPUT ? DIRECTION_OUTPUT : DIRECTION_INPUT;
}

/* The type of the channel, or array of them, as this end sees it. */
static const Type *with_direction(Checker *checker, const Type *type, Direction direction) {
    if (type->kind == TYPE_ARRAY) {
        return type_array(checker->arena, with_direction(checker, type->array.element, direction),
                          type->array.count);
    }
    return type_channel(checker->arena, type->channel.protocol, direction);
}

const Type *check_bundle_field(Checker *checker, Node *node, const TypeField *field,
                               const Type *end) {
    const Symbol *symbol = node_root(node->field.base);
    if (end->bundle_end.is_shared) {
        diag_report(checker->diag, DIAG_TYPES_CLAIM, node->at, symbol ? symbol->name->bytes : "");
        diag_hint(checker->diag, "CLAIM the end first: others may be using it");
        return expression_fail(checker, node);
    }
    element_mark_used(node->field.base);
    element_mark_read(node->field.base);
    return with_direction(checker, field->type, seen_direction(field, end));
}

/* ---- client, server := MOBILE T ---- */

bool check_is_bundle_allocation(Checker *checker, const Node *value) {
    if (value->kind != NODE_ALLOCATION || value->allocation.dimensions.count > 0 ||
        value->allocation.type_expr->kind != NODE_TYPE_NAMED) {
        return false;
    }
    const Ast_type_named *name = &value->allocation.type_expr->type_named;
    const Symbol *symbol = scope_find(checker->scope, name->name);
    return symbol && symbol->kind == SYMBOL_CHAN_TYPE && name->direction == DIRECTION_NONE;
}

const Type *check_bundle_allocation(Checker *checker, Node *value, const Type *const *wanted,
                                    size_t count) {
    const Type *bundle = check_type(checker, value->allocation.type_expr);
    for (size_t i = 0; i < count; i++) {
        if (type_is_error(wanted[i])) {
            return expression_fail(checker, value);
        }
    }
    bool is_pair = count == 2 && wanted[0]->kind == TYPE_BUNDLE_END &&
                   wanted[1]->kind == TYPE_BUNDLE_END && wanted[0]->bundle_end.bundle == bundle &&
                   wanted[1]->bundle_end.bundle == bundle &&
                   wanted[0]->bundle_end.direction != wanted[1]->bundle_end.direction;
    if (!is_pair) {
        const char *name = bundle->name->bytes;
        diag_report(checker->diag, DIAG_TYPES_BUNDLE_PAIR, value->at, name);
        diag_hint(checker->diag, "%s! client: %s? server: client, server := MOBILE %s", name, name,
                  name);
        return expression_fail(checker, value);
    }
    Type *type = arena_new(checker->arena, Type);
    type->kind = TYPE_TUPLE;
    type->sequence.items = arena_new_array(checker->arena, const Type *, 2);
    type->sequence.items[0] = wanted[0];
    type->sequence.items[1] = wanted[1];
    type->sequence.item_count = 2;
    return type;
}
