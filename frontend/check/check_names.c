/* check_names -- defining and finding names; unknown names with what the user may have meant.
 *
 * Leaves: nesting and shadowing to scope.c, fields and tags to the types that own them. */
#include "checker.h"
#include "unit.h"

#include <ctype.h>
#include <string.h>

void report_not_supported(Checker *checker, Location at, const char *construct) {
    diag_report(checker->diag, DIAG_NOT_SUPPORTED, at, construct);
}

/* Files that came in by #INCLUDE or #USE are not the user's to tidy. */
static bool is_from_library(const Checker *checker, Location at) {
    if (!location_is_known(at)) {
        return true;
    }
    const SourceFile *file = source_file(checker->compiler->sources, at.file);
    return file && location_is_known(file->included_at);
}

Symbol *symbol_make(Checker *checker, SymbolKind kind, Node *def, const Type *type,
                    Node *definition) {
    Symbol *symbol = arena_new(checker->arena, Symbol);
    symbol->kind = kind;
    symbol->name = def->def.name;
    symbol->type = type;
    symbol->at = def->at;
    symbol->definition = definition;
    symbol->owner = checker->routine;
    symbol->direction = def->def.direction;
    symbol->permits_sharing = checker->permits_sharing;
    symbol->permits_aliases = checker->permits_aliases;
    symbol->is_library = is_from_library(checker, def->at);
    symbol->number = checker->symbol_count++;
    def->def.symbol = symbol;
    def->type = type;
    return symbol;
}

Symbol *symbol_define(Checker *checker, SymbolKind kind, Node *def, const Type *type,
                      Node *definition) {
    Symbol *symbol = symbol_make(checker, kind, def, type, definition);
    scope_add(checker->scope, symbol);
    return symbol;
}

bool symbol_is_routine(const Symbol *symbol) {
    return symbol->kind == SYMBOL_PROC || symbol->kind == SYMBOL_FUNCTION;
}

const char *symbol_words(const Symbol *symbol) {
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
    case SYMBOL_REFERENCE:
    case SYMBOL_FORMAL:
        if (symbol->type && type_is_channel(symbol->type)) {
            return symbol->type->kind == TYPE_ARRAY ? "an array of channels" : "a channel";
        }
        if (symbol->type && type_is_timer(symbol->type)) {
            return "a TIMER";
        }
        if (symbol->type && type_leaf(symbol->type)->kind == TYPE_PORT) {
            return "a PORT";
        }
        return symbol->kind == SYMBOL_FORMAL ? "a parameter" : "a variable";
    case SYMBOL_VALUE: return "a VAL";
    case SYMBOL_REPLICATOR: return "a replicator";
    case SYMBOL_PROC: return "a PROC";
    case SYMBOL_FUNCTION: return "a FUNCTION";
    case SYMBOL_PREDEFINED: return "a predefined routine";
    case SYMBOL_PROTOCOL: return "a PROTOCOL";
    case SYMBOL_DATA_TYPE: return "a DATA TYPE";
    case SYMBOL_CHAN_TYPE: return "a CHAN TYPE";
    case SYMBOL_PROC_TYPE: return "a PROC TYPE";
    }
    return "a name";
}

void symbol_label(Checker *checker, const Symbol *symbol, const char *words) {
    if (location_is_known(symbol->at)) {
        diag_label(checker->diag, symbol->at, "'%s' %s", symbol->name->bytes, words);
    }
}

/* ---- resolving ---- */

/* So that further uses in the same routine stay silent. */
static void add_unknown(Checker *checker, const Text *name, Location at) {
    Symbol *symbol = arena_new(checker->arena, Symbol);
    symbol->kind = SYMBOL_VARIABLE;
    symbol->name = name;
    symbol->type = type_primitive(TYPE_ERROR);
    symbol->at = at;
    symbol->number = checker->symbol_count++;
    scope_add_at(checker->scope, checker->routine_level, symbol);
}

bool name_is_unread(const Checker *checker, const Text *name) {
    for (size_t i = 0; i < checker->compiler->unread_names.count; i++) {
        if (checker->compiler->unread_names.items[i] == name) {
            return true;
        }
    }
    return false;
}

/* Probably it is declared in what was not read; or it is declared and what could not be read has
 * moved it out of sight. */
static bool may_be_declared(const Checker *checker, const Text *name) {
    return name_is_unread(checker, name) ||
           (diag_form_is_wrong(checker->diag) && check_is_defined_anywhere(checker, name));
}

/* wg.add, where wg is of a type that is not there: that has been said. */
static bool is_part_of_unknown(const Checker *checker, const Text *name) {
    const char *dot = strrchr(name->bytes, '.');
    if (!dot) {
        return false;
    }
    size_t length = (size_t)(dot - name->bytes);
    const Symbol *whole =
        scope_find(checker->scope, text_intern(checker->compiler->texts, name->bytes, length));
    return whole && whole->type && type_is_error(whole->type);
}

Symbol *name_find(Checker *checker, const Text *name, Location at) {
    Symbol *symbol = scope_find(checker->scope, name);
    if (symbol) {
        bool is_unknown = !symbol->definition && symbol->type && type_is_error(symbol->type);
        return is_unknown ? NULL : symbol;
    }
    const UnitTable *units = checker->compiler->units;
    if (may_be_declared(checker, name) || (units && units->is_incomplete) ||
        checker->compiler->has_missing_names) { /* that has been reported */
        add_unknown(checker, name, at);
        return NULL;
    }
    if (is_part_of_unknown(checker, name)) {
        add_unknown(checker, name, at);
        return NULL;
    }
    diag_report(checker->diag, DIAG_NAMES_UNKNOWN, at, name->bytes);
    if (!diag_limit_reached(checker->diag)) {
        check_suggest(checker, name, at);
    }
    add_unknown(checker, name, at);
    return NULL;
}

Symbol *name_resolve(Checker *checker, Node *name) {
    Symbol *symbol = name_find(checker, name->name.name, name->at);
    name->name.symbol = symbol;
    return symbol;
}

/* ---- #PRAGMA SHARED a, b and #PRAGMA PERMITALIASES a, b ---- */

/* The next name of the list; NULL: there is none. */
static const Text *next_name(Checker *checker, const char **words) {
    const char *text = *words;
    while (*text && !text_is_of_name(*text)) {
        text++;
    }
    size_t length = 0;
    while (text_is_of_name(text[length])) {
        length++;
    }
    *words = text + length;
    return length ? text_intern(checker->compiler->texts, text, length) : NULL;
}

static void permit(Checker *checker, Node *pragma, const char *words, bool is_sharing) {
    const Text *name;
    while ((name = next_name(checker, &words)) != NULL) {
        Symbol *symbol = name_find(checker, name, pragma->at);
        if (symbol && is_sharing) {
            symbol->permits_sharing = true;
        } else if (symbol) {
            symbol->permits_aliases = true;
        }
    }
}

/* #PRAGMA SERVER ask?, answer! -- of the PROC that it stands in. */
static void check_server_pragma(Checker *checker, Node *pragma, const char *words) {
    const Text *name;
    Symbol *request = NULL;
    while ((name = next_name(checker, &words)) != NULL) {
        Symbol *symbol = name_find(checker, name, pragma->at);
        bool is_end = symbol && symbol->kind == SYMBOL_FORMAL && type_is_channel(symbol->type) &&
                      (symbol->direction == DIRECTION_INPUT ||
                       (symbol->direction == DIRECTION_OUTPUT && request));
        if (!is_end) {
            if (symbol) {
                diag_report(checker->diag, DIAG_SERVER_FORMAL, pragma->at, name->bytes);
            }
            return;
        }
        symbol->is_server = true;
        if (symbol->direction == DIRECTION_OUTPUT) {
            request->server_answer = symbol;
        }
        request = symbol->direction == DIRECTION_INPUT ? symbol : NULL;
    }
}

static const char *after_word(const char *text, const char *word) {
    size_t length = strlen(word);
    bool is_there = strncmp(text, word, length) == 0 && !text_is_of_name(text[length]);
    return is_there ? text + length : NULL;
}

/* #OPTION "AN": A as PERMITALIASES, N as SHARED, of every name that follows in the file. */
static void check_option(Checker *checker, const char *letters) {
    checker->permits_aliases |= strchr(letters, 'A') != NULL;
    checker->permits_sharing |= strchr(letters, 'N') != NULL;
}

void check_pragma(Checker *checker, Node *pragma) {
    const char *text = pragma->pragma.text->bytes;
    while (isspace((unsigned char)*text)) {
        text++;
    }
    const char *shared = after_word(text, "SHARED");
    const char *aliases = after_word(text, "PERMITALIASES");
    const char *invariant = after_word(text, "INVARIANT");
    if (shared) {
        permit(checker, pragma, shared, true);
    } else if (aliases) {
        permit(checker, pragma, aliases, false);
    } else if (invariant) {
        check_invariant(checker, pragma, invariant);
    } else if (after_word(text, "SERVER")) {
        check_server_pragma(checker, pragma, after_word(text, "SERVER"));
    } else if (after_word(text, "CALLER") && checker->is_outermost) {
        array_push(checker->arena, &checker->callers, pragma->at);
    } else if (after_word(text, "OPTION") && checker->is_outermost) {
        check_option(checker, after_word(text, "OPTION"));
    }
}
