/* parse -- the tokens on their way to the grammar, recovery, and the whole tree.
 *
 * Holds: `depth` counts the INDENTs handed out, so recovery knows which block it stands in. */
#define _POSIX_C_SOURCE 200809L

#include "parse.h"

#include "build.h"
#include "parse_state.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MAX_TREE_DEPTH = 2000 };

/* ---- tokens ---- */

static void begin_file(Parse *parse) {
    const SourceFile *file = parse->files[parse->next_file++];
    preprocess_begin(parse->preprocessor, file);
    layout_begin(parse->layout);
}

/* Is the token a name with this spelling, in letters of any case? */
static bool is_named(const Token *token, const char *word) {
    return token->kind == TOKEN_NAME && token->text && strcasecmp(token->text->bytes, word) == 0;
}

/* Is the token the word, or the word in lower case, which was reported? */
static bool is_word(const Token *token, TokenKind kind) {
    return token->kind == kind || is_named(token, token_shown(kind));
}

static bool line_has(const Parse *parse, TokenKind kind) {
    for (size_t i = 0; i < parse->line.count; i++) {
        if (is_word(&parse->line.items[i], kind)) {
            return true;
        }
    }
    return false;
}

/* The line has ended: what does it define, if a block may follow? */
static void track_heading(Parse *parse) {
    const Token *line = parse->line.items;
    size_t count = parse->line.count;
    if (line[count - 1].kind == TOKEN_COLON) {
        return;
    }
    for (size_t i = 1; i < count; i++) {
        TokenKind before = line[i - 1].kind;
        bool is_heading = before == TOKEN_PROTOCOL || before == TOKEN_TYPE ||
                          before == TOKEN_PROC || before == TOKEN_FUNCTION;
        if (is_heading && line[i].kind == TOKEN_NAME) {
            parse->heading_name = line[i];
            parse->bare_depth = before == TOKEN_FUNCTION ? parse->depth : 0;
            parse->said_bare = false;
            return;
        }
    }
}

static void track(Parse *parse, const Token *token) {
    if (token->kind == TOKEN_NL) {
        parse->line_has_ended = true;
    } else if (token->kind == TOKEN_INDENT) {
        parse->block_depth = ++parse->depth;
        Token head = parse->line.count == 1 ? parse->line.items[0] : (Token){0};
        array_push(parse->arena, &parse->block_heads, head);
    } else if (token->kind == TOKEN_OUTDENT) {
        parse->depth--;
        parse->block_heads.count -= parse->block_heads.count > 0;
        parse->bare_depth = parse->depth < parse->bare_depth ? 0 : parse->bare_depth;
    } else if (token->kind != TOKEN_END) {
        if (parse->line_has_ended && parse->line.count) {
            track_heading(parse);
            parse->above = parse->line.items[0];
            parse->above_is_guard =
                line_has(parse, TOKEN_QUERY) || line_has(parse, TOKEN_AMPERSAND);
            parse->line.count = 0;
        }
        parse->line_has_ended = false;
        parse->bare_depth = token->kind == TOKEN_VALOF ? 0 : parse->bare_depth;
        array_push(parse->arena, &parse->line, *token);
    }
}

static void fetch(Parse *parse, Token *token) {
    if (parse->has_held) {
        parse->has_held = false;
        *token = parse->held;
        return;
    }
    layout_next(parse->layout, token);
    while (token->kind == TOKEN_END && parse->next_file < parse->file_count) {
        begin_file(parse);
        layout_next(parse->layout, token);
    }
}

/* `SKIP :` was reported: hand out its ':' where the blocks end, unless there is one anyway. */
static bool pay_colon(Parse *parse, Token *token) {
    if (parse->owed_colon == 2) {
        fetch(parse, &parse->held);
        parse->has_held = true;
        parse->owed_colon = parse->held.kind == TOKEN_COLON ? 0 : 2;
    }
    bool must_wait =
        parse->owed_colon == 3 || (parse->has_held && parse->held.kind == TOKEN_OUTDENT);
    if (parse->owed_colon == 0 || must_wait) {
        return false;
    }
    TokenKind kind = parse->owed_colon == 2 ? TOKEN_COLON : TOKEN_NL;
    parse->owed_colon--;
    *token = (Token){.kind = kind, .at = parse->last.at, .starts_line = kind == TOKEN_COLON};
    return true;
}

static TokenKind peek_kind(Parse *parse) {
    if (!parse->has_pushed_back && !pay_colon(parse, &parse->pushed_back)) {
        fetch(parse, &parse->pushed_back);
        TokenKind kind = parse->pushed_back.kind;
        if (parse->owed_colon == 3 && kind == TOKEN_OUTDENT) {
            parse->owed_colon--;
        } else if (parse->owed_colon == 3 && parse->pushed_back.starts_line) {
            parse->owed_colon = 0; /* the block continues */
        }
    }
    parse->has_pushed_back = true;
    return parse->pushed_back.kind;
}

static void take(Parse *parse, Token *token) {
    peek_kind(parse);
    *token = parse->pushed_back;
    parse->has_pushed_back = false;
    track(parse, token);
    if (parse->compiler->tape) {
        TokenTape *tape = parse->compiler->tape;
        array_push(tape->arena, &tape->tokens, *token);
    }
}

/* A layout token, or the first token of a line. */
static void put_back(Parse *parse, Token token) {
    parse->depth += token.kind == TOKEN_OUTDENT;
    parse->depth -= token.kind == TOKEN_INDENT;
    if (token.starts_line && parse->line.count == 1) {
        parse->line.count = 0;
    }
    parse->pushed_back = token;
    parse->has_pushed_back = true;
}

/* ---- recovery ---- */

static TokenKind line_kind(const Parse *parse, size_t index) {
    return index < parse->line.count ? parse->line.items[index].kind : TOKEN_END;
}

static bool line_is_specification(const Parse *parse) {
    if (parse->depth == 0 || parse->line.count == 0) {
        return true;
    }
    if (token_class(line_kind(parse, 0)) == CLASS_PROCESS) {
        return false;
    }
    return parse->line.items[parse->line.count - 1].kind == TOKEN_COLON ||
           token_class(line_kind(parse, 0)) == CLASS_SPEC ||
           (token_class(line_kind(parse, 0)) == CLASS_TYPE && line_has(parse, TOKEN_COLON)) ||
           line_has(parse, TOKEN_FUNCTION) || line_has(parse, TOKEN_PROC) ||
           (line_kind(parse, 0) == TOKEN_CHAN && line_kind(parse, 1) == TOKEN_TYPE);
}

/* IFF, CASEE n, ALLT: conditions, options or guards stand below. */
static bool line_is_misspelt_choice(const Parse *parse) {
    const Token *first = &parse->line.items[0];
    if (is_named(first, "select") || is_named(first, "switch") || is_named(first, "match")) {
        return true;
    }
    if (first->kind != TOKEN_NAME || !first->text || !strchr("IiCcAa", first->text->bytes[0])) {
        return false;
    }
    bool is_capital = first->text->length > 1 && isupper((unsigned char)first->text->bytes[1]);
    return parse->line.count == 1 ||
           (is_capital && !line_has(parse, TOKEN_ASSIGN) && !line_has(parse, TOKEN_BANG) &&
            !line_has(parse, TOKEN_QUERY));
}

/* The block below a broken line holds processes, so it is worth parsing. */
static bool line_heads_processes(const Parse *parse, bool is_spec) {
    bool has_other_lines = line_has(parse, TOKEN_CASE) || line_has(parse, TOKEN_EXTENDED_QUERY) ||
                           line_has(parse, TOKEN_ALT) || line_has(parse, TOKEN_TYPE) ||
                           line_has(parse, TOKEN_FUNCTION) || line_has(parse, TOKEN_VALOF) ||
                           line_has(parse, TOKEN_PROTOCOL) || line_has(parse, TOKEN_IF);
    return !has_other_lines && !parse->broken_is_choice && !line_is_misspelt_choice(parse) &&
           (!is_spec || line_has(parse, TOKEN_PROC));
}

/* The ':' line that ends a definition whose block was skipped, or the rest of a line after the
 * lines of a VALOF in brackets. */
static void skip_line_end(Parse *parse) {
    TokenKind next = peek_kind(parse);
    if (next != TOKEN_COLON && next != TOKEN_RPAREN) {
        return;
    }
    Token token = {.kind = next};
    while (token.kind != TOKEN_NL && peek_kind(parse) != TOKEN_END) {
        take(parse, &token);
    }
}

static void note_unread(Parse *parse, const Token *token) {
    if (token->kind == TOKEN_NAME && token->text) {
        array_push(parse->arena, &parse->compiler->unread_names, token->text);
    }
}

/* Skip to the end of the broken line, that is to a NL at depth `target`, and over every deeper
 * block. True when the line has ended and a block follows. */
static bool skip_line(Parse *parse, int target, TokenKind last) {
    for (;;) {
        if (last == TOKEN_NL && parse->depth <= target) {
            return peek_kind(parse) == TOKEN_INDENT;
        }
        if (last == TOKEN_OUTDENT && parse->depth <= target) {
            skip_line_end(parse);
            return false;
        }
        Token token;
        take(parse, &token);
        note_unread(parse, &token);
        if (token.kind == TOKEN_END || (token.kind == TOKEN_OUTDENT && parse->depth < target)) {
            put_back(parse, token);
            return false;
        }
        last = token.kind;
    }
}

/* In a VALOF: the lines up to its RESULT; else to the end of the block. */
static void skip_to_result(Parse *parse, int target) {
    for (;;) {
        TokenKind next = peek_kind(parse);
        if (next == TOKEN_RESULT || next == TOKEN_END ||
            (next == TOKEN_OUTDENT && parse->depth <= target)) {
            return;
        }
        Token token;
        take(parse, &token);
        if (skip_line(parse, target, token.kind)) {
            skip_line(parse, target, TOKEN_INDENT);
        }
    }
}

/* V FUNCTION "+" (.. : the operator is defined, for unknown types. */
static void note_unread_operator(Parse *parse, size_t index) {
    const Token *token = &parse->line.items[index];
    bool is_name = index > 0 && line_kind(parse, index - 1) == TOKEN_FUNCTION;
    if (is_name && token->kind == TOKEN_STRING && token->text) {
        array_push(parse->arena, &parse->compiler->unread_names, token->text);
        array_push(parse->arena, &parse->operator_definitions, token->text);
    }
}

/* What a broken specification would have declared; its whole line, as the name in it is unknown. */
static void note_unread_line(Parse *parse) {
    note_unread(parse, &parse->heading_name); /* the line may belong to its definition */
    TokenClass first = token_class(line_kind(parse, 0));
    if (parse->broken_is_spec || first == CLASS_TYPE || first == CLASS_SPEC ||
        line_is_specification(parse)) {
        for (size_t i = 0; i < parse->line.count; i++) {
            note_unread(parse, &parse->line.items[i]);
            note_unread_operator(parse, i);
        }
    }
}

static bool is_stuck(Parse *parse, const Token *token) {
    bool is_same = parse->recovered_from == token->kind &&
                   parse->recovered_at.file == token->at.file &&
                   parse->recovered_at.line == token->at.line &&
                   parse->recovered_at.column == token->at.column;
    parse->recovered_from = token->kind;
    parse->recovered_at = token->at;
    return is_same && location_is_known(token->at);
}

static TokenKind broken_kind(const Recovery *recovery, bool is_spec, bool is_head) {
    if (is_head && is_spec && recovery->takes_spec_head) {
        return TOKEN_BROKEN_SPEC_HEAD;
    }
    if (is_head && !is_spec && recovery->takes_process_head) {
        return TOKEN_BROKEN_HEAD;
    }
    if (is_spec ? recovery->takes_spec : !recovery->takes_process) {
        return TOKEN_BROKEN_SPEC;
    }
    return TOKEN_BROKEN;
}

static bool is_head_kind(TokenKind kind) {
    return kind == TOKEN_BROKEN_HEAD || kind == TOKEN_BROKEN_SPEC_HEAD;
}

static Token recover(Parse *parse) {
    Recovery recovery = parse->recovery;
    parse->recovery.is_on = false;
    Token found = parse->last;
    note_unread_line(parse);
    if (is_stuck(parse, &found)) {
        parse->has_given_up = true;
        return (Token){.kind = TOKEN_END, .at = found.at};
    }
    if (recovery.takes_colon) {
        put_back(parse, found);
        return (Token){.kind = TOKEN_BROKEN_COLON, .at = found.at};
    }
    int shifted_depth = parse->depth - (found.kind == TOKEN_INDENT);
    if (found.kind == TOKEN_OUTDENT) {
        put_back(parse, found);
        shifted_depth = parse->depth;
    }
    int target = shifted_depth - recovery.dropped_levels;
    bool has_block = false;
    if (found.kind != TOKEN_OUTDENT || shifted_depth != target) {
        has_block = skip_line(parse, target, found.kind == TOKEN_OUTDENT ? TOKEN_END : found.kind);
    }
    /* At the end of a block it is the process that is missing. */
    bool is_spec = (line_is_specification(parse) || parse->broken_is_spec) &&
                   !parse->broken_is_process &&
                   !(found.kind == TOKEN_OUTDENT && recovery.takes_process);
    parse->broken_is_process = false;
    parse->broken_is_spec = false;
    TokenKind kind =
        broken_kind(&recovery, is_spec, has_block && line_heads_processes(parse, is_spec));
    if (has_block && !is_head_kind(kind)) {
        skip_line(parse, target, TOKEN_END);
    }
    if (peek_kind(parse) == TOKEN_COLON && found.kind != TOKEN_OUTDENT) {
        skip_line_end(parse); /* the ':' of a definition whose block is not one */
    }
    if ((recovery.wants_result || parse->broken_is_choice) && !is_head_kind(kind)) {
        skip_to_result(parse, target);
    }
    parse->broken_is_choice = false;
    return (Token){.kind = kind, .at = found.at};
}

void parse_recover_from(Parse *parse, const Recovery *recovery) {
    parse->recovery = *recovery;
}

void parse_next_token(Parse *parse, Token *token) {
    if (parse->has_given_up || diag_limit_reached(parse->compiler->diag)) {
        parse->has_given_up = true;
        *token = (Token){.kind = TOKEN_END, .at = parse->last.at};
    } else if (parse->recovery.is_on) {
        *token = recover(parse);
    } else {
        take(parse, token);
    }
    parse->last = *token;
}

/* ---- the tree as a whole ---- */

typedef struct DepthCheck {
    Parse *parse;
    int depth;
} DepthCheck;

/* Brackets, subscripts and blocks may be deep trees; later passes recurse over them. */
static void check_depth(Node **child, void *context) {
    DepthCheck *check = context;
    if (check->depth >= MAX_TREE_DEPTH) {
        syntax_error_depth(check->parse, (*child)->at);
        *child = node_create(check->parse->arena, NODE_BROKEN, (*child)->at);
        return;
    }
    check->depth++;
    node_visit_children(*child, check_depth, check);
    check->depth--;
}

static void prepare(Parse *parse, Compiler *compiler) {
    parse->compiler = compiler;
    parse->arena = compiler->arena;
    KeywordTable *keywords = keyword_table_create(compiler->arena, compiler->texts);
    LexerContext context = {compiler->arena, compiler->texts, compiler->diag, keywords,
                            &parse->gate};
    parse->preprocessor = preprocess_create(compiler, keywords, &parse->gate);
    parse->layout = layout_create(&context, parse->preprocessor);
}

static Node *parse_files(Compiler *compiler, const SourceFile *const *files, size_t count) {
    Parse *parse = arena_new(compiler->arena, Parse);
    prepare(parse, compiler);
    parse->files = files;
    parse->file_count = count;
    Node *unit = node_create(compiler->arena, NODE_UNIT, (Location){0});
    if (count > 0) {
        unit->at = (Location){files[0]->number, 1, 1, 1, 1};
        begin_file(parse);
        grammar_parse(parse);
        compiler->has_missing_names |= layout_has_lost_heading(parse->layout);
        if (compiler->tape) {
            preprocess_list_defines(parse->preprocessor, compiler->tape);
        }
        preprocess_end(parse->preprocessor);
        build_report_surplus(parse);
        syntax_error_operators(parse);
    }
    unit->unit.specs = parse->specs;
    DepthCheck check = {parse, 0};
    node_visit_children(unit, check_depth, &check);
    return unit;
}

Node *parse_program(Compiler *compiler, const char *const *paths, size_t path_count) {
    const SourceFile **files = arena_new_array(compiler->arena, const SourceFile *, path_count);
    for (size_t i = 0; i < path_count; i++) {
        files[i] = source_open(compiler->sources, paths[i], (Location){0});
        if (!files[i]) {
            fatal("cannot read %s:", paths[i]);
        }
    }
    return parse_files(compiler, files, path_count);
}

Node *parse_file(Compiler *compiler, const SourceFile *file) {
    struct TokenTape *tape = compiler->tape;
    compiler->tape = NULL;
    Node *unit = parse_files(compiler, &file, 1);
    compiler->tape = tape;
    return unit;
}

Node *parse_text(Compiler *compiler, const char *path, const char *bytes, size_t length) {
    return parse_file(compiler, source_add_text(compiler->sources, path, bytes, length));
}
