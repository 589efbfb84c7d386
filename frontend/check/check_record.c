/* check_record -- DATA TYPE: records, types that contain themselves, new names for types
 * (language.md 1.4, decision 0047).
 *
 * Leaves: which fields there are to types.h, CHAN TYPE to check_bundle.c.
 * Holds:  a type that contains itself is always the mobile of a record, so what its name stands for
 *         is known before its fields are: the record is completed in place. Until then it is
 *         announced, and what is made of it is recursive too. */
#include "checker.h"

Type *check_new_type(Checker *checker, TypeKind kind, const Node *def) {
    Type *type = arena_new(checker->arena, Type);
    type->kind = kind;
    type->name = def->def.name;
    type->at = def->at;
    return type;
}

/* ---- fields ---- */

static void add_fields(Checker *checker, Type *type, Node *line, TypeField **fields,
                       size_t *count) {
    const Type *field_type = check_data_type(checker, line->field_def.type_expr, false);
    for (size_t i = 0; i < line->field_def.names.count; i++) {
        const Node *def = line->field_def.names.items[i];
        if (def->kind != NODE_DEF) {
            continue;
        }
        TypeField field = {.name = def->def.name,
                           .type = field_type,
                           .direction = def->def.direction,
                           .at = def->at};
        type->record.field_count = *count;
        const TypeField *first = type_field(type, field.name, NULL);
        if (first) {
            diag_report(checker->diag, DIAG_NAMES_DUPLICATE, def->at, def->def.name->bytes);
            diag_label(checker->diag, first->at, "the first is here");
            continue;
        }
        (*fields)[(*count)++] = field;
    }
}

static size_t count_fields(const NodeList *lines) {
    size_t count = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (lines->items[i]->kind == NODE_FIELD_DEF) {
            count += lines->items[i]->field_def.names.count;
        }
    }
    return count;
}

/* The fields of an empty record; false after a message. */
static bool complete_record(Checker *checker, Type *type, const Node *node, const Node *def) {
    const Ast_record *record = &node->record;
    size_t count = 0;
    type->record.fields =
        arena_new_array(checker->arena, TypeField, count_fields(&record->fields) + 1);
    type->record.is_packed = record->is_packed;
    for (size_t i = 0; i < record->fields.count; i++) {
        if (record->fields.items[i]->kind == NODE_FIELD_DEF) {
            add_fields(checker, type, record->fields.items[i], &type->record.fields, &count);
        }
    }
    type->record.field_count = count;
    if (node_list_has_broken(&record->fields)) {
        return false;
    }
    if (!type_lay_out(type)) {
        diag_report(checker->diag, DIAG_TYPES_RECORD_SIZE, def->at, def->def.name->bytes,
                    UINT32_MAX);
        return false;
    }
    return true;
}

static const Type *record_type(Checker *checker, Node *node, const Node *def) {
    Type *type = check_new_type(checker, TYPE_RECORD, def);
    type->record.is_mobile = node->record.is_mobile;
    if (!complete_record(checker, type, node, def)) {
        return type_primitive(TYPE_ERROR);
    }
    for (size_t i = 0; i < type->record.field_count; i++) {
        type->record.is_recursive |= type_reaches_announced(type->record.fields[i].type);
    }
    node->type = type;
    return node->record.is_mobile ? type_mobile(checker->arena, type) : type;
}

/* ---- types that contain themselves ---- */

static Symbol *announced(Checker *checker, const Node *def) {
    Symbol *symbol = scope_find(checker->scope, def->def.name);
    bool is_open = symbol && symbol->kind == SYMBOL_DATA_TYPE && symbol->definition &&
                   symbol->definition->kind == NODE_DATA_TYPE &&
                   !symbol->definition->data_type.type_expr;
    return is_open ? symbol : NULL;
}

/* The name stands for the mobile of a record whose fields are to come. */
static Symbol *announce(Checker *checker, Node *node) {
    Type *record = check_new_type(checker, TYPE_RECORD, node->data_type.def);
    record->record.is_mobile = true;
    record->record.is_recursive = true;
    record->record.is_announced = true;
    record->record.owns = true;
    Type *type = arena_new(checker->arena, Type);
    type->kind = TYPE_MOBILE;
    type->element = record;
    Symbol *symbol = symbol_define(checker, SYMBOL_DATA_TYPE, node->data_type.def, type, node);
    array_push(checker->arena, &checker->announced, symbol);
    return symbol;
}

static void report_not_mobile(Checker *checker, const Node *written, const Node *def) {
    diag_report(checker->diag, DIAG_TYPES_RECURSIVE_MOBILE, written->at, def->def.name->bytes);
    diag_hint(checker->diag,
              "a value cannot hold a value of its own size; a MOBILE RECORD holds the address of "
              "another one, or none");
    if (written->kind == NODE_RECORD) {
        Location before = {written->at.file, written->at.line, written->at.column, written->at.line,
                           written->at.column};
        diag_fixit(checker->diag, before, "MOBILE ");
    }
}

static void check_recursive_definition(Checker *checker, Node *node, Symbol *symbol) {
    Node *written = node->data_type.type_expr;
    Node *def = node->data_type.def;
    Type *record = (Type *)symbol->type->element;
    if (written->kind != NODE_RECORD || !written->record.is_mobile) {
        report_not_mobile(checker, written, def);
    }
    if (written->kind == NODE_RECORD && complete_record(checker, record, written, def)) {
        written->type = record;
        symbol->type = check_included_type(checker, def, symbol->type);
    } else {
        symbol->type = type_primitive(TYPE_ERROR);
    }
    record->record.is_announced = false;
    symbol->definition = node;
    def->def.symbol = symbol;
}

void check_announced(Checker *checker) {
    for (size_t i = 0; i < checker->announced.count; i++) {
        const Symbol *symbol = checker->announced.items[i];
        if (type_is_mobile(symbol->type) && type_content(symbol->type)->record.is_announced) {
            diag_report(checker->diag, DIAG_TYPES_ANNOUNCED, symbol->at, symbol->name->bytes);
        }
    }
}

/* ---- DATA TYPE ---- */

/* Of what is no data only the objects of module sync have names of their own: SEMAPHORE, CREW. */
static const Type *renamed_type(Checker *checker, Node *node, const Node *def) {
    bool is_sync = check_type(checker, node)->kind == TYPE_SYNC;
    const Type *underlying = is_sync ? node->type : check_data_type(checker, node, false);
    if (type_is_error(underlying)) {
        return underlying;
    }
    Type *type = check_new_type(checker, TYPE_NAMED, def);
    type->underlying = underlying;
    return type;
}

void check_data_type_definition(Checker *checker, Node *node) {
    Node *written = node->data_type.type_expr;
    Node *def = node->data_type.def;
    if (def->kind != NODE_DEF) {
        return;
    }
    const Node *outside = checker->defined_type;
    checker->defined_type = node;
    Symbol *open = written ? announced(checker, def) : NULL;
    if (!written) {
        announce(checker, node);
    } else if (open || node->data_type.is_recursive) {
        check_recursive_definition(checker, node, open ? open : announce(checker, node));
    } else {
        const Type *type = written->kind == NODE_RECORD ? record_type(checker, written, def)
                                                        : renamed_type(checker, written, def);
        type = check_included_type(checker, def, type);
        symbol_define(checker, SYMBOL_DATA_TYPE, def, type, node);
    }
    checker->defined_type = outside;
}
