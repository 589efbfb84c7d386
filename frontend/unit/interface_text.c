/* interface_text -- see the header. */
#include "interface_text.h"

#include "among.h"
#include "version.h"

#include <stdlib.h>

/* A specification of the outermost level: tokens first .. end - 1. */
typedef struct Piece {
    size_t first;
    size_t end;
} Piece;

typedef struct UnitText {
    const UsedUnit *unit; /* NULL: the one being compiled */
    StringBuilder text;
    const char *origin; /* file of the last piece, when that was included; else NULL */
} UnitText;

typedef struct Writer {
    Compiler *compiler;
    Arena *arena;
    const TokenTape *tape;
    NodeList routines; /* of the outermost level, in order */
    size_t next_routine;
    ARRAY_OF(UnitText *) units; /* in the order in which they begin */
} Writer;

static const Token *token_at(const Writer *writer, size_t index) {
    return &writer->tape->tokens.items[index];
}

/* ---- names for the linker ---- */

static bool is_routine(const Node *node) {
    return node->kind == NODE_PROC || node->kind == NODE_FUNCTION;
}

/* A routine of the outermost level, by name (interned), then by place. */
typedef struct Named {
    const Text *name;
    size_t place;
    Node *routine;
} Named;

static int compare_named(const void *left, const void *right) {
    const Named *a = left;
    const Named *b = right;
    if (a->name != b->name) {
        return (uintptr_t)a->name < (uintptr_t)b->name ? -1 : 1;
    }
    return a->place < b->place ? -1 : 1;
}

/* A later definition of the same name gets a number. */
void interface_text_name(Compiler *compiler, Node *unit, const char *unit_name) {
    ARRAY_OF(Named) named = {0};
    for (size_t i = 0; i < unit->unit.specs.count; i++) {
        Node *node = unit->unit.specs.items[i];
        if (is_routine(node) && node_info(node) && !node_info(node)->elsewhere) {
            array_push(compiler->arena, &named, ((Named){node_def(node)->def.name, i, node}));
        }
    }
    if (named.count) {
        qsort(named.items, named.count, sizeof *named.items, compare_named);
    }
    unsigned earlier = 0;
    for (size_t i = 0; i < named.count; i++) {
        const Text *text = named.items[i].name;
        earlier = i > 0 && named.items[i - 1].name == text ? earlier + 1 : 0;
        const char *name = text_link_name(compiler->arena, unit_name, text->bytes);
        node_info(named.items[i].routine)->link_name =
            earlier ? arena_format(compiler->arena, "%s$%u", name, earlier + 1) : name;
    }
}

/* ---- tokens as text ---- */

static void print_character(StringBuilder *out, unsigned char c) {
    bool is_plain = c >= ' ' && c < 127 && c != '*' && c != '"' && c != '\'';
    if (is_plain) {
        string_append(out, (const char *)&c, 1);
    } else {
        string_append_format(out, "*#%02X", c);
    }
}

static void print_string(StringBuilder *out, const Text *text) {
    string_append(out, "\"", 1);
    for (uint32_t i = 0; i < text->length; i++) {
        print_character(out, (unsigned char)text->bytes[i]);
    }
    string_append(out, "\"", 1);
}

static void print_token(StringBuilder *out, const Token *token) {
    const char *directive = token->kind == TOKEN_PRAGMA ? "PRAGMA"
                            : token->kind == TOKEN_BODY ? "BODY"
                                                        : NULL;
    if (AMONG(token->kind, TOKEN_NAME, TOKEN_REAL_LITERAL, TOKEN_USER_OPERATOR)) {
        string_append(out, token->text->bytes, token->text->length);
    } else if (token->kind == TOKEN_INTEGER) {
        string_append_format(out, token->is_hex ? "#%llX" : "%llu",
                             (unsigned long long)token->value);
    } else if (token->kind == TOKEN_BYTE_LITERAL) {
        string_append(out, "'", 1);
        print_character(out, (unsigned char)token->value);
        string_append(out, "'", 1);
    } else if (token->kind == TOKEN_STRING) {
        print_string(out, token->text);
    } else if (directive) {
        string_append_format(out, "#%s %s", directive, token->text->bytes);
    } else {
        string_append_format(out, "%s", token_shown(token->kind));
    }
}

/* WSSIZEOF (p) as the number that it was here; how many tokens that are, or 0. */
static size_t print_asked_size(const Writer *writer, StringBuilder *out, size_t first) {
    Location at = token_at(writer, first)->at;
    for (size_t i = 0; i < writer->compiler->asked_sizes.count; i++) {
        const AskedSize *asked = &writer->compiler->asked_sizes.items[i];
        if (asked->at.file == at.file && asked->at.line == at.line &&
            asked->at.column == at.column) {
            string_append_format(out, "%lld", (long long)asked->words);
            return 4; /* the name, and another one in brackets */
        }
    }
    return 0;
}

/* One line for each line of the language, two columns for each level. */
static void print_tokens(const Writer *writer, StringBuilder *out, size_t first, size_t end) {
    int depth = 0;
    bool starts_line = true;
    for (size_t i = first; i < end; i++) {
        const Token *token = token_at(writer, i);
        if (AMONG(token->kind, TOKEN_INDENT, TOKEN_OUTDENT)) {
            depth += token->kind == TOKEN_INDENT ? 1 : -1;
            continue;
        }
        if (token->kind == TOKEN_NL) {
            string_append(out, "\n", 1);
            starts_line = true;
            continue;
        }
        if (starts_line) {
            string_append_format(out, "%*s", depth * 2, "");
        } else {
            string_append(out, " ", 1);
        }
        starts_line = false;
        size_t printed = token->kind == TOKEN_NAME ? print_asked_size(writer, out, i) : 0;
        if (printed > 0) {
            i += printed - 1;
        } else {
            print_token(out, token);
        }
    }
}

/* ---- pieces ---- */

/* The piece that begins at `first`: to a NL at depth 0 behind a ':' or a directive. */
static Piece piece_at(const Writer *writer, size_t first) {
    int depth = 0;
    size_t at = first;
    size_t count = writer->tape->tokens.count;
    for (; at < count && token_at(writer, at)->kind != TOKEN_END; at++) {
        TokenKind kind = token_at(writer, at)->kind;
        depth += kind == TOKEN_INDENT;
        depth -= kind == TOKEN_OUTDENT;
        bool ends = kind == TOKEN_NL && depth == 0 && at > first &&
                    (token_at(writer, at - 1)->kind == TOKEN_COLON ||
                     token_at(writer, at - 1)->kind == TOKEN_PRAGMA);
        if (ends) {
            return (Piece){first, at + 1};
        }
    }
    return (Piece){first, at};
}

/* The heading of a routine ends with the bracket round its formals, or with what it implements;
 * `first` is returned when this is no routine. */
static size_t heading_end(const Writer *writer, Piece piece, size_t *name) {
    int depth = 0;
    for (size_t at = piece.first; at < piece.end; at++) {
        TokenKind kind = token_at(writer, at)->kind;
        if (kind == TOKEN_NL) {
            return piece.first;
        }
        bool is_word = (kind == TOKEN_PROC || kind == TOKEN_FUNCTION) && depth == 0;
        if (is_word && at + 2 < piece.end && token_at(writer, at + 1)->kind != TOKEN_TYPE) {
            *name = at + 1;
            at += 2;
            kind = token_at(writer, at)->kind;
        }
        depth += kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_CONSTRUCTOR;
        depth -= kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET;
        if (*name && depth == 0) {
            bool implements =
                at + 2 < piece.end && token_at(writer, at + 1)->kind == TOKEN_IMPLEMENTS;
            return at + (implements ? 3 : 1);
        }
    }
    return piece.first;
}

/* Lines inside of brackets: their columns are those of the brackets, which are not kept. */
static bool has_bracketed_lines(const Writer *writer, Piece piece) {
    int depth = 0;
    for (size_t at = piece.first; at < piece.end; at++) {
        TokenKind kind = token_at(writer, at)->kind;
        depth += kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_CONSTRUCTOR;
        depth -= kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET;
        if (kind == TOKEN_NL && depth > 0) {
            return true;
        }
    }
    return false;
}

/* ---- routines ---- */

static Node *routine_named_at(Writer *writer, Location at) {
    for (size_t i = writer->next_routine; i < writer->routines.count; i++) {
        Location its = node_def(writer->routines.items[i])->at;
        if (its.file == at.file && its.line == at.line && its.column == at.column) {
            writer->next_routine = i + 1;
            return writer->routines.items[i];
        }
    }
    return NULL;
}

enum { SERVER_FORMALS_MOST = 26 };

static size_t request_of(const NodeList *formals, const Symbol *answer) {
    for (size_t i = 0; i < formals->count && i < SERVER_FORMALS_MOST; i++) {
        if (formals->items[i]->formal.def->def.symbol->server_answer == answer) {
            return i;
        }
    }
    return SERVER_FORMALS_MOST;
}

static bool is_too_far(const NodeList *formals, const Symbol *answer) {
    return answer && request_of(formals, answer) == SERVER_FORMALS_MOST;
}

/* `?` `!` `.`; of a server `q` for requests, for their answers a letter: A, those of the first
 * formal. */
static char direction_of(const NodeList *formals, const Symbol *formal) {
    if (!formal->is_server || is_too_far(formals, formal->server_answer)) {
        return ".?!"[formal->direction];
    }
    if (formal->direction == DIRECTION_INPUT) {
        return 'q';
    }
    size_t request = request_of(formals, formal);
    return request < SERVER_FORMALS_MOST ? (char)('A' + request) : '!';
}

static void print_body(StringBuilder *out, const Node *routine) {
    const ProcInfo *info = node_info(routine);
    const NodeList *formals = node_formals(routine);
    string_append_format(out, "  #BODY occ %s%s%s%s%s%s %s ", info->may_wait ? "w" : ".",
                         info->communicates ? "c" : ".", info->crosses_phase ? "n" : ".",
                         info->needs_clocks ? "A"
                         : info->nexts_all  ? "a"
                                            : ".",
                         info->suspends ? "s" : ".", routine_is_told_at_call(info) ? "t" : ".",
                         info->link_name);
    for (size_t i = 0; i < formals->count; i++) {
        const Symbol *formal = formals->items[i]->formal.def->def.symbol;
        char direction = direction_of(formals, formal);
        string_append(out, &direction, 1);
    }
    string_append_format(out, "- %s\n:\n", info->usage_text ? info->usage_text : "");
}

/* Kept whole: what is to be inlined, what constants may call, and mobile processes, whose code is
 * part of how they are made. */
static bool travels_whole(const Writer *writer, const Node *routine, Piece piece, size_t heading) {
    bool is_inline = routine->kind == NODE_PROC ? routine->proc.is_inline || routine->proc.is_mobile
                                                : routine->function.is_inline;
    bool is_expression =
        routine->kind == NODE_FUNCTION && token_at(writer, heading)->kind == TOKEN_IS;
    return node_info(routine)->elsewhere ||
           ((is_inline || is_expression) && !has_bracketed_lines(writer, piece));
}

static void print_piece(Writer *writer, StringBuilder *out, Piece piece) {
    size_t name = 0;
    size_t heading = heading_end(writer, piece, &name);
    Node *routine =
        heading > piece.first ? routine_named_at(writer, token_at(writer, name)->at) : NULL;
    if (routine && !travels_whole(writer, routine, piece, heading)) {
        print_tokens(writer, out, piece.first, heading);
        string_append(out, "\n", 1);
        print_body(out, routine);
    } else if (has_bracketed_lines(writer, piece)) {
        diag_report(writer->compiler->diag, DIAG_NOT_SUPPORTED, token_at(writer, piece.first)->at,
                    "a VALOF in a constant of a separately compiled unit");
    } else {
        print_tokens(writer, out, piece.first, piece.end);
    }
}

/* ---- units ---- */

static UnitText *text_of(Writer *writer, const SourceFile *file) {
    for (size_t i = 0; i < writer->units.count; i++) {
        if (writer->units.items[i]->unit == file->unit) {
            return writer->units.items[i];
        }
    }
    UnitText *text = arena_new(writer->arena, UnitText);
    text->unit = file->unit;
    text->text.arena = writer->arena;
    array_push(writer->arena, &writer->units, text);
    return text;
}

/* Types out of one included file are the same types in all units (check_included.c). */
static void print_origin(const Writer *writer, UnitText *text, Location at) {
    const char *name = source_included_name(writer->compiler->sources, at);
    bool is_same = name ? text->origin && strcmp(name, text->origin) == 0 : !text->origin;
    if (!is_same && name) {
        string_append_format(&text->text, "#FROM \"%s\"\n", name);
    } else if (!is_same) {
        string_append_format(&text->text, "#FROM\n");
    }
    text->origin = name;
}

static void print_pieces(Writer *writer) {
    size_t count = writer->tape->tokens.count;
    Piece piece = {0, 0};
    while (piece.end < count && token_at(writer, piece.end)->kind != TOKEN_END) {
        piece = piece_at(writer, piece.end);
        const SourceFile *file =
            source_file(writer->compiler->sources, token_at(writer, piece.first)->at.file);
        bool is_layout = token_at(writer, piece.first)->kind < TOKEN_PRAGMA;
        bool is_pragma = token_at(writer, piece.first)->kind == TOKEN_PRAGMA;
        if (file && !is_layout && !is_pragma && !(file->unit && file->unit->interface)) {
            UnitText *text = text_of(writer, file);
            print_origin(writer, text, token_at(writer, piece.first)->at);
            print_piece(writer, &text->text, piece);
        }
    }
}

static const char *relative_path(Arena *arena, const char *path, const char *source) {
    size_t folder = path_folder_length(source);
    return strncmp(path, source, folder) == 0 ? arena_format(arena, "%s", path + folder) : path;
}

/* The unit's own file, then those it includes. */
static void add_sources(Writer *writer, Interface *interface, const UsedUnit *unit,
                        const char *source) {
    Arena *arena = writer->arena;
    for (uint32_t i = 1; i <= source_file_count(writer->compiler->sources); i++) {
        const SourceFile *file = source_file(writer->compiler->sources, i);
        if (file->unit != unit || file->path[0] == '<') {
            continue;
        }
        source = source ? source : file->path;
        InterfaceSource one = {interface_digest(arena, file->bytes, file->length),
                               relative_path(arena, file->path, source)};
        array_push(arena, &interface->sources, one);
    }
}

static void add_uses(Writer *writer, Interface *interface, const UsedUnit *user,
                     const Interfaces *written) {
    const UnitTable *table = writer->compiler->units;
    for (size_t i = 0; table && i < table->used.count; i++) {
        const UsedUnit *used = table->used.items[i];
        if (user && (used == user || !unit_sees(user, used))) {
            continue;
        }
        InterfaceUse use = {.name = used->name, .object = used->object};
        use.digest = used->interface ? used->interface->digest : NULL;
        for (size_t k = 0; k < written->count && !use.digest; k++) {
            bool is_it = unit_is_named(written->items[k]->name, used->name);
            use.digest = is_it ? written->items[k]->digest : NULL;
        }
        if (use.digest) {
            array_push(writer->arena, &interface->uses, use);
        }
    }
}

static void write_unit(Writer *writer, const UsedUnit *unit, const StringBuilder *text,
                       const InterfaceRequest *request, StringBuilder *out, Interfaces *written) {
    Interface *interface = arena_new(writer->arena, Interface);
    interface->compiler = OCCC_VERSION;
    interface->name = unit ? unit->name : request->unit_name;
    interface->within = unit ? request->unit_name : NULL;
    interface->mode = writer->compiler->units && writer->compiler->units->stops ? "stop" : "halt";
    interface->text = text && text->bytes ? text->bytes : "";
    interface->text_length = text ? text->length : 0;
    add_sources(writer, interface, unit, unit ? unit->origin : request->source);
    add_uses(writer, interface, unit, written);
    for (size_t i = 0; !unit && i < writer->tape->defines.count; i++) {
        array_push(writer->arena, &interface->defines, writer->tape->defines.items[i]);
    }
    size_t length = 0;
    const char *bytes = interface_encode(writer->arena, interface, &length);
    string_append(out, bytes, length);
    array_push(writer->arena, written, interface);
}

static const StringBuilder *find_text(const Writer *writer, const UsedUnit *unit) {
    for (size_t i = 0; i < writer->units.count; i++) {
        if (writer->units.items[i]->unit == unit) {
            return &writer->units.items[i]->text;
        }
    }
    return NULL;
}

/* Source units, those they use before them; *done says which are written. */
static void write_sources(Writer *writer, const UsedUnit *unit, bool *done,
                          const InterfaceRequest *request, StringBuilder *out,
                          Interfaces *written) {
    const UnitTable *table = writer->compiler->units;
    for (size_t i = 0; i < table->used.count; i++) {
        const UsedUnit *used = table->used.items[i];
        if (done[i] || used->interface || (unit && (used == unit || !unit_sees(unit, used)))) {
            continue;
        }
        done[i] = true;
        write_sources(writer, used, done, request, out, written);
        write_unit(writer, used, find_text(writer, used), request, out, written);
    }
}

const char *interface_text_write(Compiler *compiler, Node *unit, const InterfaceRequest *request,
                                 size_t *length) {
    Writer writer = {.compiler = compiler, .arena = compiler->arena, .tape = compiler->tape};
    for (size_t i = 0; i < unit->unit.specs.count; i++) {
        Node *node = unit->unit.specs.items[i];
        if (is_routine(node) && node_info(node)) {
            array_push(writer.arena, &writer.routines, node);
        }
    }
    print_pieces(&writer);
    StringBuilder out = {.arena = compiler->arena};
    Interfaces written = {0};
    if (compiler->units) {
        bool *done = arena_new_array(compiler->arena, bool, compiler->units->used.count + 1);
        write_sources(&writer, NULL, done, request, &out, &written);
    }
    write_unit(&writer, NULL, find_text(&writer, NULL), request, &out, &written);
    *length = out.length;
    return out.bytes;
}
