/* survey_names -- the names of a survey, each once. See surveyor.h. */
#include "surveyor.h"

enum { FIRST_SLOTS = 1024 };

/* ---- the table from places to names ---- */

static size_t slot_of(const Surveyor *surveyor, uint32_t file, uint32_t line, uint32_t column) {
    size_t mask = surveyor->slot_count - 1;
    size_t slot = (file * 2654435761u ^ line * 40503u ^ column * 9176u) & mask;
    const NameSlot *at = &surveyor->slots[slot];
    while (at->name && (at->file != file || at->line != line || at->column != column)) {
        slot = (slot + 1) & mask;
        at = &surveyor->slots[slot];
    }
    return slot;
}

static void grow_table(Surveyor *surveyor) {
    NameSlot *old = surveyor->slots;
    size_t old_count = surveyor->slot_count;
    surveyor->slot_count = old_count ? old_count * 4 : FIRST_SLOTS;
    surveyor->slots = arena_new_array(surveyor->arena, NameSlot, surveyor->slot_count);
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].name) {
            surveyor->slots[slot_of(surveyor, old[i].file, old[i].line, old[i].column)] = old[i];
        }
    }
}

/* The slot of a place, with room for one more. */
static NameSlot *slot_for(Surveyor *surveyor, uint32_t file, uint32_t line, uint32_t column) {
    if (surveyor->builder.names.count * 2 >= surveyor->slot_count) {
        grow_table(surveyor);
    }
    NameSlot *slot = &surveyor->slots[slot_of(surveyor, file, line, column)];
    if (!slot->name) {
        *slot = (NameSlot){file, line, column, 0};
    }
    return slot;
}

uint32_t surveyor_known(const Surveyor *surveyor, Location at) {
    if (!surveyor->slot_count) {
        return SURVEY_NONE;
    }
    size_t slot = slot_of(surveyor, at.file, at.line, at.column);
    return surveyor->slots[slot].name - 1; /* 0 - 1 is SURVEY_NONE */
}

/* ---- names ---- */

static NameKind object_kind(const Symbol *symbol, NameKind otherwise) {
    const Type *type = symbol->type;
    bool is_end = type && (type_is_channel(type) || type_leaf(type)->kind == TYPE_BUNDLE_END);
    return is_end ? NAME_CHANNEL : otherwise;
}

static NameKind kind_of(const Symbol *symbol) {
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
    case SYMBOL_REFERENCE: return object_kind(symbol, NAME_VARIABLE);
    case SYMBOL_VALUE: return symbol->constant ? NAME_CONSTANT : NAME_VARIABLE;
    case SYMBOL_REPLICATOR: return NAME_REPLICATOR;
    case SYMBOL_FORMAL: return object_kind(symbol, NAME_PARAMETER);
    case SYMBOL_PROC: return NAME_PROC;
    case SYMBOL_FUNCTION: return NAME_FUNCTION;
    case SYMBOL_PREDEFINED: return symbol->type ? NAME_FUNCTION : NAME_PROC;
    case SYMBOL_PROTOCOL: return NAME_PROTOCOL;
    case SYMBOL_DATA_TYPE:
    case SYMBOL_CHAN_TYPE:
    case SYMBOL_PROC_TYPE: return NAME_TYPE;
    }
    return NAME_VARIABLE;
}

static uint32_t protocol_of(const Surveyor *surveyor, const Type *type) {
    const Type *leaf = type ? type_leaf(type) : NULL;
    bool is_channel = leaf && leaf->kind == TYPE_CHANNEL && leaf->channel.protocol;
    return is_channel && leaf->channel.protocol->name
               ? surveyor_known(surveyor, leaf->channel.protocol->at)
               : SURVEY_NONE;
}

static bool has_formals(const Symbol *symbol) {
    return (symbol->kind == SYMBOL_PROC || symbol->kind == SYMBOL_FUNCTION) && symbol->definition &&
           (symbol->definition->kind == NODE_PROC || symbol->definition->kind == NODE_FUNCTION);
}

static void add_formals(Surveyor *surveyor, SurveyName *name, const Symbol *symbol) {
    SurveyBuilder *builder = &surveyor->builder;
    name->first_formal = (uint32_t)builder->formals.count;
    if (!has_formals(symbol)) {
        return;
    }
    const NodeList *formals = node_formals(symbol->definition);
    for (size_t i = 0; i < formals->count; i++) {
        const char *words = formal_signature(surveyor, formals->items[i]);
        array_push(surveyor->arena, &builder->formals, survey_add_text(builder, words));
    }
    name->formal_count = (uint32_t)formals->count;
}

static uint32_t start_line_of(const Symbol *symbol, Location at) {
    const Node *definition = symbol->definition;
    return definition && definition->at.file == at.file && definition->at.line &&
                   definition->at.line <= at.line
               ? definition->at.line
               : at.line;
}

static SurveyName name_of_symbol(Surveyor *surveyor, const Symbol *symbol) {
    SurveyBuilder *builder = &surveyor->builder;
    const SourceFile *file = source_file(surveyor->compiler->sources, symbol->at.file);
    bool is_library = symbol->is_library && file;
    Location at = is_library && file->is_generated ? library_place(surveyor, symbol) : symbol->at;
    if (symbol->name) { /* without the mark of a direction */
        at.end_line = at.line;
        at.end_column = at.column + symbol->name->length;
    }
    SurveyName name = {.at = at, .kind = kind_of(symbol), .is_library = is_library};
    name.name = survey_add_text(builder, symbol->name ? symbol->name->bytes : "");
    name.signature = survey_add_text(builder, symbol_signature(surveyor, symbol));
    name.start_line = start_line_of(symbol, at);
    name.end_line = at.line;
    if (symbol->kind != SYMBOL_FORMAL && symbol->kind != SYMBOL_REPLICATOR) {
        name.comment = survey_add_text(builder, comment_above(surveyor, at.file, name.start_line));
    }
    name.parent = surveyor->parent;
    name.protocol = protocol_of(surveyor, symbol->type);
    add_formals(surveyor, &name, symbol);
    return name;
}

uint32_t surveyor_name(Surveyor *surveyor, const Symbol *symbol) {
    bool is_built_in = !location_is_known(symbol->at);
    NameSlot *slot =
        slot_for(surveyor, symbol->at.file, is_built_in ? symbol->predefined : symbol->at.line,
                 is_built_in ? (uint32_t)symbol->kind : symbol->at.column);
    if (!slot->name) {
        SurveyName name = name_of_symbol(surveyor, symbol);
        array_push(surveyor->arena, &surveyor->builder.names, name);
        slot->name = (uint32_t)surveyor->builder.names.count;
    }
    return slot->name - 1;
}

uint32_t surveyor_part(Surveyor *surveyor, const Text *text, Location at, NameKind kind,
                       const char *signature) {
    SurveyBuilder *builder = &surveyor->builder;
    NameSlot *slot = slot_for(surveyor, at.file, at.line, at.column);
    if (!slot->name) {
        SurveyName name = {.at = at, .kind = kind, .parent = surveyor->parent};
        name.name = survey_add_text(builder, text->bytes);
        name.signature = survey_add_text(builder, signature);
        name.comment = survey_add_text(builder, comment_above(surveyor, at.file, at.line));
        name.start_line = at.line;
        name.end_line = at.line;
        name.protocol = SURVEY_NONE;
        array_push(surveyor->arena, &builder->names, name);
        slot->name = (uint32_t)builder->names.count;
    }
    return slot->name - 1;
}
