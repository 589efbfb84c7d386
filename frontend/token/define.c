/* define -- a short list, searched from its end: programs define a handful of names. */
#include "define.h"

#include "array.h"
#include "literal.h"

#include <string.h>

typedef struct Define {
    const Text *name; /* NULL: taken away by #UNDEF */
    DefineValue value;
} Define;

struct DefineTable {
    Arena *arena;
    TextTable *texts;
    ARRAY_OF(Define) defines;
};

/* What KRoC predefines, so that programs written for it choose the same text here. */
typedef struct Predefined {
    const char *name;
    const char *text; /* "" for none; as in a #DEFINE line */
} Predefined;

static const Predefined predefined[] = {
    {"COMPILER.OCCC", ""},
    {"OCCAM2.5", ""},
    {"USER.DEFINED.OPERATORS", ""},
    {"INITIAL.DECL", ""},
    {"MOBILES", ""},
    {"MOBILE.DATA.TYPES", ""},
    {"MOBILE.PROC.TYPES", ""},
    {"EXTENDED.RENDEZVOUS", ""},
    {"OCCBUILD.KROC", ""},
    {"VERSION", "\"occc\""},
#if defined __x86_64__
    {"TARGET.CPU", "\"x86_64\""},
    {"TARGET.CANONICAL", "\"x86_64-pc-linux-gnu\""},
#elif defined __aarch64__
    {"TARGET.CPU", "\"aarch64\""},
    {"TARGET.CANONICAL", "\"aarch64-pc-linux-gnu\""},
#else
    {"TARGET.CPU", "\"unknown\""},
    {"TARGET.CANONICAL", "\"unknown-pc-linux-gnu\""},
#endif
    {"TARGET.OS", "\"linux\""},
    {"TARGET.VENDOR", "\"pc\""},
    {"TARGET.BITS.PER.WORD", "32"},
    {"TARGET.BYTES.PER.WORD", "4"},
    {"TARGET.HAS.FPU", ""},
    {"PROCESS.PRIORITY", "32"},
    {"PROCESSOR.AFFINITY", "32"},
};

DefineTable *define_table_create(Arena *arena, TextTable *texts) {
    DefineTable *table = arena_new(arena, DefineTable);
    table->arena = arena;
    table->texts = texts;
    for (size_t i = 0; i < sizeof predefined / sizeof predefined[0]; i++) {
        DefineValue value = {0};
        define_parse(texts, predefined[i].text, strlen(predefined[i].text), &value);
        define_set(table, text_intern_string(texts, predefined[i].name), value);
    }
    return table;
}

void define_from_option(DefineTable *table, const char *option) {
    const char *equals = strchr(option, '=');
    size_t length = equals ? (size_t)(equals - option) : strlen(option);
    DefineValue value = {0};
    if (equals && !define_parse(table->texts, equals + 1, strlen(equals + 1), &value)) {
        value = (DefineValue){DEFINE_STRING, 0, text_intern_string(table->texts, equals + 1)};
    }
    define_set(table, text_intern(table->texts, option, length), value);
}

static Define *find(const DefineTable *table, const Text *name) {
    for (size_t i = table->defines.count; i-- > 0;) {
        if (table->defines.items[i].name == name) {
            return &table->defines.items[i];
        }
    }
    return NULL;
}

void define_set(DefineTable *table, const Text *name, DefineValue value) {
    Define *old = find(table, name);
    if (old) {
        old->value = value;
        return;
    }
    Define define = {name, value};
    array_push(table->arena, &table->defines, define);
}

bool define_remove(DefineTable *table, const Text *name) {
    Define *old = find(table, name);
    if (old) {
        old->name = NULL;
    }
    return old != NULL;
}

const DefineValue *define_find(const DefineTable *table, const Text *name) {
    const Define *define = find(table, name);
    return define ? &define->value : NULL;
}

static bool parse_number(const char *text, size_t length, int64_t *number) {
    bool is_negative = length > 1 && text[0] == '-';
    bool is_hex = length > 1 && (text[0] == '#' || text[0] == '$');
    size_t sign = is_negative || is_hex ? 1 : 0;
    const char *digits = is_hex ? "0123456789ABCDEF" : "0123456789";
    if (length == sign || strspn(text + sign, digits) < length - sign) {
        return false;
    }
    uint64_t value = 0;
    bool fits = is_hex ? literal_hex(text + sign, length - sign, &value)
                       : literal_decimal(text + sign, length - sign, &value);
    *number = is_negative ? (int64_t)(0 - value) : (int64_t)value;
    return fits && (is_hex || value <= INT64_MAX);
}

bool define_parse(TextTable *texts, const char *text, size_t length, DefineValue *value) {
    *value = (DefineValue){0};
    if (length == 0) {
        return true;
    }
    if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
        *value = (DefineValue){DEFINE_STRING, 0, text_intern(texts, text + 1, length - 2)};
        return true;
    }
    if ((length == 4 && memcmp(text, "TRUE", 4) == 0) ||
        (length == 5 && memcmp(text, "FALSE", 5) == 0)) {
        *value = (DefineValue){DEFINE_NUMBER, length == 4, NULL};
        return true;
    }
    value->kind = DEFINE_NUMBER;
    return parse_number(text, length, &value->number);
}

size_t define_count(const DefineTable *table) {
    return table->defines.count;
}

const char *define_text(Arena *arena, const DefineTable *table, size_t index) {
    const Define *define = &table->defines.items[index];
    if (!define->name) {
        return NULL;
    }
    switch (define->value.kind) {
    case DEFINE_PLAIN: break;
    case DEFINE_NUMBER:
        return arena_format(arena, "%s %lld", define->name->bytes, (long long)define->value.number);
    case DEFINE_STRING:
        return arena_format(arena, "%s \"%s\"", define->name->bytes, define->value.string->bytes);
    }
    return define->name->bytes;
}
