/* survey_walk -- one walk over a checked tree: every definition, every use of a name, and in which
 * role. See surveyor.h.
 *
 * Holds: interfaces of units are only looked through for what they define; names in them are not
 *        used. The scope of a name ends with the node whose handler began it. */
#include "surveyor.h"
#include "unit.h"

#include <inttypes.h>
#include <string.h>

typedef void Handler(Surveyor *surveyor, Node *node);

static void walk(Surveyor *surveyor, Node *node);

static void walk_child(Node **child, void *surveyor) {
    walk(surveyor, *child);
}

static void walk_children(Surveyor *surveyor, Node *node) {
    node_visit_children(node, walk_child, surveyor);
}

static void walk_list(Surveyor *surveyor, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        walk(surveyor, list->items[i]);
    }
}

/* ---- names ---- */

static bool is_type_symbol(const Symbol *symbol) {
    return symbol->kind == SYMBOL_PROTOCOL || symbol->kind == SYMBOL_DATA_TYPE ||
           symbol->kind == SYMBOL_CHAN_TYPE || symbol->kind == SYMBOL_PROC_TYPE;
}

static void walk_name(Surveyor *surveyor, Node *node) {
    const Symbol *symbol = node->name.symbol;
    if (symbol) {
        UseRole role = is_type_symbol(symbol) ? USE_TYPE : surveyor_role(surveyor, node);
        surveyor_use_symbol(surveyor, node->at, node->name.name, symbol, role);
    }
}

static void walk_type_name(Surveyor *surveyor, Node *node) {
    const Symbol *symbol = node->type_named.symbol;
    uint32_t name = symbol ? surveyor_name(surveyor, symbol) : SURVEY_NONE;
    if (!symbol && node->type && node->type->name == node->type_named.name) {
        name = surveyor_known(surveyor, node->type->at);
    }
    surveyor_use(surveyor, surveyor_place(surveyor, node->at, node->type_named.name, false), name,
                 USE_TYPE);
}

static void walk_def(Surveyor *surveyor, Node *node) {
    if (node->def.symbol && node->def.name) {
        surveyor_use_symbol(surveyor, node->at, node->def.name, node->def.symbol, USE_DEFINITION);
        surveyor_name(surveyor, node->def.symbol);
    }
}

static void walk_field(Surveyor *surveyor, Node *node) {
    walk(surveyor, node->field.base);
    const Type *type =
        node->field.base->type ? type_base(type_value(node->field.base->type)) : NULL;
    type = type && type->kind == TYPE_BUNDLE_END ? type->bundle_end.bundle : type;
    const TypeField *field = type && (type->kind == TYPE_RECORD || type->kind == TYPE_BUNDLE)
                                 ? type_field(type, node->field.name, NULL)
                                 : NULL;
    if (field) {
        surveyor_use(surveyor, surveyor_place(surveyor, node->at, node->field.name, true),
                     surveyor_known(surveyor, field->at),
                     surveyor_role(surveyor, element_root(node)));
    }
}

static void walk_tag_use(Surveyor *surveyor, Node *node) {
    bool is_variant = node->type && node->type->kind == TYPE_VARIANT;
    const TypeTag *tag = is_variant ? type_tag(node->type, node->tag_use.name, NULL) : NULL;
    if (tag) {
        surveyor_use(surveyor, surveyor_place(surveyor, node->at, node->tag_use.name, false),
                     surveyor_known(surveyor, tag->at), USE_READ);
    }
}

/* ---- definitions ---- */

static void open_part(Surveyor *surveyor, Node *def, NameKind kind, const char *signature) {
    if (def->def.name) {
        uint32_t part = surveyor_part(surveyor, def->def.name, def->at, kind, signature);
        surveyor_use(surveyor, def->at, part, USE_DEFINITION);
    }
}

static void walk_field_line(Surveyor *surveyor, Node *node) {
    const Node *type_node = node->field_def.type_expr;
    walk(surveyor, node->field_def.type_expr);
    for (size_t i = 0; i < node->field_def.names.count; i++) {
        Node *def = node->field_def.names.items[i];
        const Type *type = def->type ? def->type : type_node->type;
        open_part(surveyor, def, NAME_FIELD,
                  arena_format(surveyor->arena, "%s %s",
                               type ? type_name(surveyor->arena, type) : "?",
                               def->def.name ? def->def.name->bytes : ""));
    }
}

static void walk_tag(Surveyor *surveyor, Node *node) {
    const Text *name = node->tag.def->def.name;
    StringBuilder words = {.arena = surveyor->arena};
    string_append_format(&words, "%s", name ? name->bytes : "");
    for (size_t i = 0; i < node->tag.items.count; i++) {
        const Type *type = node->tag.items.items[i]->type;
        string_append_format(&words, "; %s", type ? type_name(surveyor->arena, type) : "?");
    }
    open_part(surveyor, node->tag.def, NAME_TAG, words.bytes);
    walk_list(surveyor, &node->tag.items);
}

/* The last line of a definition: its lines are deeper than the first, up to the ':'. */
static uint32_t last_line_of(const Surveyor *surveyor, Location at) {
    const SourceFile *source = source_file(surveyor->compiler->sources, at.file);
    uint32_t last = at.line;
    for (uint32_t line = at.line + 1; source && line <= source->line_count; line++) {
        size_t length = 0;
        const char *text = source_line(surveyor->compiler->sources, at.file, line, &length);
        size_t indent = 0;
        while (indent < length && text[indent] == ' ') {
            indent++;
        }
        if (indent < length && text[indent] == ':' && indent + 1 == at.column) {
            return line;
        }
        bool is_comment = indent + 1 < length && strncmp(text + indent, "--", 2) == 0;
        if (indent < length && !is_comment && indent + 1 <= at.column) {
            break;
        }
        last = indent < length && indent + 1 > at.column ? line : last;
    }
    return last;
}

/* Names made since `first` that are seen until here. */
static void end_scopes(Surveyor *surveyor, size_t first) {
    for (size_t i = first; i < surveyor->builder.names.count; i++) {
        SurveyName *name = &surveyor->builder.names.items[i];
        if (name->scope_end_line == 0 && !name->is_library && location_is_known(name->at)) {
            name->scope_end_line = surveyor->last_lines[name->at.file];
        }
    }
}

/* A definition with parts: they are inside of it. */
static void walk_definition(Surveyor *surveyor, Node *node, Node *def) {
    walk(surveyor, def);
    const Symbol *symbol = def->def.symbol;
    uint32_t outer = surveyor->parent;
    uint32_t own = symbol ? surveyor_name(surveyor, symbol) : SURVEY_NONE;
    size_t first = surveyor->builder.names.count;
    surveyor->parent = own == SURVEY_NONE ? outer : own;
    walk_children(surveyor, node);
    surveyor->parent = outer;
    end_scopes(surveyor, first);
    if (own != SURVEY_NONE && !surveyor_is_interface(surveyor, node->at)) {
        surveyor->builder.names.items[own].end_line = last_line_of(surveyor, node->at);
    }
}

static void walk_protocol(Surveyor *surveyor, Node *node) {
    walk_definition(surveyor, node, node->protocol.def);
}

static void walk_data_type(Surveyor *surveyor, Node *node) {
    walk_definition(surveyor, node, node->data_type.def);
}

static void walk_chan_type(Surveyor *surveyor, Node *node) {
    walk_definition(surveyor, node, node->chan_type.def);
}

static void walk_proc(Surveyor *surveyor, Node *node) {
    if (surveyor_is_interface(surveyor, node->at)) {
        walk(surveyor, node->proc.def);
        return;
    }
    walk_definition(surveyor, node, node->proc.def);
}

static void walk_function(Surveyor *surveyor, Node *node) {
    if (surveyor_is_interface(surveyor, node->at)) {
        walk(surveyor, node->function.def);
        return;
    }
    walk_definition(surveyor, node, node->function.def);
}

static void walk_scope(Surveyor *surveyor, Node *node) {
    size_t first = surveyor->builder.names.count;
    walk_children(surveyor, node);
    end_scopes(surveyor, first);
}

/* Of other units, what the text may use. */
static bool is_offered(const Surveyor *surveyor, const Node *spec) {
    const SourceFile *file = source_file(surveyor->compiler->sources, spec->at.file);
    return !file || !file->is_generated || !file->unit ||
           (file->unit->is_global && !node_is_foreign(spec));
}

static void walk_unit(Surveyor *surveyor, Node *node) {
    for (size_t i = 0; i < node->unit.specs.count; i++) {
        Node *spec = node->unit.specs.items[i];
        if (is_offered(surveyor, spec)) {
            walk(surveyor, spec);
        }
    }
}

/* ---- processes ---- */

static void walk_assign(Surveyor *surveyor, Node *node) {
    surveyor_expect_writes(surveyor, &node->assign.targets);
    walk_children(surveyor, node);
}

static void walk_output(Surveyor *surveyor, Node *node) {
    surveyor_expect(surveyor, node->output.channel, USE_OUTPUT);
    walk_children(surveyor, node);
}

static void walk_input(Surveyor *surveyor, Node *node) {
    surveyor_expect(surveyor, node->input.channel, USE_INPUT);
    surveyor_expect_writes(surveyor, &node->input.items);
    walk_children(surveyor, node);
}

static void walk_input_case(Surveyor *surveyor, Node *node) {
    surveyor_expect(surveyor, node->input_case.channel, USE_INPUT);
    walk_children(surveyor, node);
}

static void walk_variant(Surveyor *surveyor, Node *node) {
    surveyor_expect_writes(surveyor, &node->variant.items);
    walk_scope(surveyor, node);
}

static void walk_end(Surveyor *surveyor, Node *node) {
    surveyor_expect(surveyor, node->end.channel, role_of_direction(node->end.direction));
    walk_children(surveyor, node);
}

/* Which end it is that a call is given, where the text does not say it. */
static void hint_direction(Surveyor *surveyor, const Node *actual, Direction direction) {
    bool is_bare = actual->kind == NODE_NAME || actual->kind == NODE_SUBSCRIPT;
    if (!is_bare || direction == DIRECTION_NONE || actual->at.file != 1) {
        return;
    }
    SurveyHint hint = {actual->at.end_line, actual->at.end_column, 0};
    hint.words = survey_add_text(&surveyor->builder, direction == DIRECTION_INPUT ? "?" : "!");
    array_push(surveyor->arena, &surveyor->builder.hints, hint);
}

static void expect_actuals(Surveyor *surveyor, Node *callee, const NodeList *actuals) {
    surveyor_expect(surveyor, callee, USE_CALL);
    const Symbol *symbol = callee->kind == NODE_NAME ? callee->name.symbol : NULL;
    const Node *routine = symbol ? symbol->definition : NULL;
    if (!routine || (routine->kind != NODE_PROC && routine->kind != NODE_FUNCTION)) {
        return;
    }
    const NodeList *formals = node_formals(routine);
    for (size_t i = 0; i < actuals->count && i < formals->count; i++) {
        const Symbol *formal = node_formal(formals, i);
        if (!formal || !formal->type || actuals->items[i]->kind == NODE_END) {
            continue;
        }
        if (type_is_channel(formal->type)) {
            surveyor_expect(surveyor, actuals->items[i], role_of_direction(formal->direction));
            hint_direction(surveyor, actuals->items[i], formal->direction);
        } else if (formal->formal_mode == FORMAL_REFERENCE ||
                   formal->formal_mode == FORMAL_RESULT) {
            surveyor_expect(surveyor, actuals->items[i], USE_WRITE);
        }
    }
}

static void walk_call(Surveyor *surveyor, Node *node) {
    expect_actuals(surveyor, node->call.callee, &node->call.actuals);
    walk_children(surveyor, node);
}

static void walk_fork(Surveyor *surveyor, Node *node) {
    expect_actuals(surveyor, node->fork.callee, &node->fork.actuals);
    walk_children(surveyor, node);
}

static void walk_function_call(Surveyor *surveyor, Node *node) {
    surveyor_expect(surveyor, node->function_call.callee, USE_CALL);
    walk_children(surveyor, node);
}

/* How many there are, where the text gives it by a name. */
static void walk_replicator(Surveyor *surveyor, Node *node) {
    const Node *count = node->replicator.count;
    if (count->constant && count->kind != NODE_INTEGER && count->at.file == 1 &&
        type_is_integer(count->constant->type)) {
        SurveyHint hint = {count->at.end_line, count->at.end_column, 0};
        hint.words =
            survey_add_text(&surveyor->builder,
                            arena_format(surveyor->arena, " = %" PRId64, count->constant->integer));
        array_push(surveyor->arena, &surveyor->builder.hints, hint);
    }
    walk_children(surveyor, node);
}

static void walk_broken(Surveyor *surveyor, Node *node) {
    surveyor->is_broken = surveyor->is_broken || node->at.file == 1;
}

/* ---- the walk ---- */

static Handler *const handlers[NODE_KIND_COUNT] = {
    [NODE_BROKEN] = walk_broken,
    [NODE_NAME] = walk_name,
    [NODE_TYPE_NAMED] = walk_type_name,
    [NODE_DEF] = walk_def,
    [NODE_FIELD] = walk_field,
    [NODE_TAG_USE] = walk_tag_use,
    [NODE_FIELD_DEF] = walk_field_line,
    [NODE_TAG] = walk_tag,
    [NODE_PROTOCOL] = walk_protocol,
    [NODE_DATA_TYPE] = walk_data_type,
    [NODE_CHAN_TYPE] = walk_chan_type,
    [NODE_PROC] = walk_proc,
    [NODE_FUNCTION] = walk_function,
    [NODE_UNIT] = walk_unit,
    [NODE_BLOCK] = walk_scope,
    [NODE_SEQ] = walk_scope,
    [NODE_PAR] = walk_scope,
    [NODE_ALT] = walk_scope,
    [NODE_IF] = walk_scope,
    [NODE_CONSTRUCTOR] = walk_scope,
    [NODE_ALTERNATIVE] = walk_scope,
    [NODE_CHOICE] = walk_scope,
    [NODE_OPTION] = walk_scope,
    [NODE_VALOF] = walk_scope,
    [NODE_VARIANT] = walk_variant,
    [NODE_ASSIGN] = walk_assign,
    [NODE_OUTPUT] = walk_output,
    [NODE_INPUT] = walk_input,
    [NODE_INPUT_CASE] = walk_input_case,
    [NODE_END] = walk_end,
    [NODE_CALL] = walk_call,
    [NODE_FORK] = walk_fork,
    [NODE_FUNCTION_CALL] = walk_function_call,
    [NODE_REPLICATOR] = walk_replicator,
};

static void walk(Surveyor *surveyor, Node *node) {
    size_t roles = surveyor->roles.count;
    uint32_t *last = &surveyor->last_lines[node->at.file];
    *last = node->at.line > *last ? node->at.line : *last;
    Handler *handler = handlers[node->kind] ? handlers[node->kind] : walk_children;
    handler(surveyor, node);
    surveyor->roles.count = roles;
}

/* ---- the whole ---- */

/* After the walk: looking names up in the library reads files. */
static void add_files(Surveyor *surveyor) {
    SurveyBuilder *builder = &surveyor->builder;
    const SourceMap *sources = surveyor->compiler->sources;
    for (uint32_t i = 1; i <= source_file_count(sources); i++) {
        const SourceFile *file = source_file(sources, i);
        SurveyFile entry = {survey_add_text(builder, file->path), file->included_at};
        array_push(surveyor->arena, &builder->files, entry);
    }
}

void survey_make(SurveyBuilder *result, Compiler *compiler, Node *unit, const char *diagnostics) {
    Surveyor surveyor = {.builder = {.arena = compiler->arena},
                         .arena = compiler->arena,
                         .compiler = compiler,
                         .parent = SURVEY_NONE};
    surveyor.last_lines =
        arena_new_array(compiler->arena, uint32_t, source_file_count(compiler->sources) + 1);
    walk(&surveyor, unit);
    surveyor_sort(&surveyor.builder);
    add_files(&surveyor);
    surveyor.builder.diagnostics = survey_add_text(&surveyor.builder, diagnostics);
    surveyor.builder.is_whole = !surveyor.is_broken && !diag_form_is_wrong(compiler->diag);
    *result = surveyor.builder;
}
