/* token -- the keyword table and what messages call the tokens. */
#include "token.h"

#include <string.h>

enum { SLOT_COUNT = 512 }; /* a power of two, more than twice the number of words */

typedef struct Slot {
    const Text *text;
    TokenKind kind;
    bool is_contextual;
} Slot;

struct KeywordTable {
    Slot slots[SLOT_COUNT];
};

static size_t find_slot(const KeywordTable *table, const Text *text) {
    size_t slot = text->hash & (SLOT_COUNT - 1);
    while (table->slots[slot].text && table->slots[slot].text != text) {
        slot = (slot + 1) & (SLOT_COUNT - 1);
    }
    return slot;
}

static void add_word(KeywordTable *table, const Text *text, TokenKind kind, bool is_contextual) {
    table->slots[find_slot(table, text)] = (Slot){text, kind, is_contextual};
}

KeywordTable *keyword_table_create(Arena *arena, TextTable *texts) {
    KeywordTable *table = arena_new(arena, KeywordTable);
#define TOKEN(NAME, shown, CLASS)
#define KEYWORD(NAME, word, CLASS)                                                                 \
    add_word(table, text_intern_string(texts, word), TOKEN_##NAME, false);
#define CONTEXTUAL(NAME, word, CLASS)                                                              \
    add_word(table, text_intern_string(texts, word), TOKEN_##NAME, true);
#include "token.def"
#undef TOKEN
#undef KEYWORD
#undef CONTEXTUAL
    return table;
}

TokenKind keyword_find(const KeywordTable *table, const Text *text) {
    const Slot *slot = &table->slots[find_slot(table, text)];
    return slot->text && !slot->is_contextual ? slot->kind : TOKEN_NAME;
}

TokenKind contextual_find(const KeywordTable *table, const Text *text) {
    const Slot *slot = &table->slots[find_slot(table, text)];
    return slot->text && slot->is_contextual ? slot->kind : TOKEN_NAME;
}

const char *keyword_numbered(size_t number) {
    static const char *const words[] = {
#define TOKEN(NAME, shown, CLASS)
#define KEYWORD(NAME, word, CLASS)    word,
#define CONTEXTUAL(NAME, word, CLASS) word,
#include "token.def"
#undef TOKEN
#undef KEYWORD
#undef CONTEXTUAL
    };
    return number < sizeof words / sizeof *words ? words[number] : NULL;
}

const char *token_shown(TokenKind kind) {
    static const char *const shown[] = {
#define TOKEN(NAME, shown, CLASS)     shown,
#define KEYWORD(NAME, word, CLASS)    word,
#define CONTEXTUAL(NAME, word, CLASS) word,
#include "token.def"
#undef TOKEN
#undef KEYWORD
#undef CONTEXTUAL
    };
    return shown[kind];
}

bool token_is_spelled(TokenKind kind) {
    const char *shown = token_shown(kind);
    return strncmp(shown, "a ", 2) != 0 && strncmp(shown, "the ", 4) != 0;
}

TokenClass token_class(TokenKind kind) {
    static const TokenClass classes[] = {
#define TOKEN(NAME, shown, CLASS)     CLASS_##CLASS,
#define KEYWORD(NAME, word, CLASS)    CLASS_##CLASS,
#define CONTEXTUAL(NAME, word, CLASS) CLASS_##CLASS,
#include "token.def"
#undef TOKEN
#undef KEYWORD
#undef CONTEXTUAL
    };
    return classes[kind];
}
