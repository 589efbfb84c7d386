/* check_predefined -- the routines of predefined.def: into scope, and their actuals.
 *
 * Holds: a name of the group REFUSED is known, so using it says what is wrong and not that
 *        it is unknown; a program may define the name anew and shadow it. */
#include "checker.h"
#include "predefined.h"

typedef enum PredefinedGroup { PREDEFINED_BUILT, PREDEFINED_REFUSED } PredefinedGroup;

typedef struct PredefinedRoutine {
    const char *name;
    const char *results;
    const char *formals;
    PredefinedGroup group;
} PredefinedRoutine;

static const PredefinedRoutine routines[] = {
#define PREDEFINED(ID, name, results, formals, group) {name, results, formals, PREDEFINED_##group},
#include "predefined.def"
#undef PREDEFINED
};

static Symbol *declare(Checker *checker, SymbolKind kind, const char *name, const Type *type) {
    Symbol *symbol = arena_new(checker->arena, Symbol);
    symbol->kind = kind;
    symbol->name = text_intern_string(checker->compiler->texts, name);
    symbol->type = type;
    symbol->is_library = true;
    symbol->number = checker->symbol_count++;
    scope_add(checker->scope, symbol);
    return symbol;
}

/* PROTOCOL SIGNAL with the one tag SIGNAL. */
static void declare_signal(Checker *checker) {
    Type *type = arena_new(checker->arena, Type);
    type->kind = TYPE_VARIANT;
    type->name = text_intern_string(checker->compiler->texts, "SIGNAL");
    type->variant.tags = arena_new(checker->arena, TypeTag);
    type->variant.tags->name = type->name;
    type->variant.tag_count = 1;
    declare(checker, SYMBOL_PROTOCOL, "SIGNAL", type);
}

void predefined_declare(Checker *checker) {
    for (unsigned i = 0; i < PREDEFINED_COUNT; i++) {
        declare(checker, SYMBOL_PREDEFINED, routines[i].name, NULL)->predefined = i;
    }
    declare_signal(checker);
    declare(checker, SYMBOL_DATA_TYPE, "SYNC.OBJECT", type_primitive(TYPE_SYNC));
}

static const Type *letter_type(char letter) {
    switch (letter) {
    case 'b': return type_primitive(TYPE_BOOL);
    case 'y': return type_primitive(TYPE_BYTE);
    case 'i': return type_primitive(TYPE_INT);
    case '6': return type_primitive(TYPE_INT16);
    case '3': return type_primitive(TYPE_INT32);
    case '8': return type_primitive(TYPE_INT64);
    case 'f': return type_primitive(TYPE_REAL32);
    case 'd': return type_primitive(TYPE_REAL64);
    default: return type_primitive(TYPE_ERROR);
    }
}

static const Type *result_type(Checker *checker, const char *results) {
    size_t count = strlen(results);
    if (count <= 1) {
        return count == 0 ? NULL : letter_type(results[0]);
    }
    Type *type = arena_new(checker->arena, Type);
    type->kind = TYPE_TUPLE;
    type->sequence.items = arena_new_array(checker->arena, const Type *, count);
    type->sequence.item_count = count;
    for (size_t i = 0; i < count; i++) {
        type->sequence.items[i] = letter_type(results[i]);
    }
    return type;
}

static size_t count_formals(const char *formals) {
    size_t count = 0;
    for (; *formals; formals++) {
        count += strchr("&![", *formals) == NULL;
    }
    return count;
}

/* The mode and type of a formal: what stands at `formals` up to its letter. */
static size_t formal_length(const char *formals) {
    return strspn(formals, "&![") + 1;
}

bool predefined_is_reference(unsigned id, size_t index) {
    const char *formals = routines[id].formals;
    if (formals[0] == '?') {
        return true;
    }
    for (; *formals; formals += formal_length(formals)) {
        if (index-- == 0) {
            return *formals == '&' || *formals == '!';
        }
    }
    return false;
}

bool predefined_may_wait(unsigned id) {
    return id == PREDEFINED_RESCHEDULE || id == PREDEFINED_SETPRI || id == PREDEFINED_INCPRI ||
           id == PREDEFINED_DECPRI || id == PREDEFINED_RAISE_PRIORITY ||
           id == PREDEFINED_LOWER_PRIORITY;
}

static void check_loosely(Checker *checker, NodeList *actuals) {
    for (size_t i = 0; i < actuals->count; i++) {
        check_element(checker, &actuals->items[i]);
        element_mark_used(actuals->items[i]);
    }
}

/* The type at `*formals`, which is moved behind it; NULL at the end. */
static const Type *formal_type(Checker *checker, const char **formals) {
    unsigned dimensions = 0;
    for (; **formals == '['; (*formals)++) {
        dimensions++;
    }
    const Type *type = **formals ? letter_type(*(*formals)++) : NULL;
    for (; dimensions > 0; dimensions--) {
        type = type_array(checker->arena, type, ARRAY_OPEN);
    }
    return type;
}

/* 'm' is a mobile array of one dimension, of anything but channels, which are where they are. */
static void check_mobile_array(Checker *checker, Node *actual) {
    const Type *content = type_content(actual->type);
    bool has_channels = type_is_channel(content);
    if (!type_is_mobile(actual->type) || type_rank(content) != 1 || has_channels ||
        !type_has_open_dimension(content)) {
        diag_report(checker->diag, DIAG_TYPES_MISMATCH, actual->at,
                    has_channels ? "a mobile array of data" : "a mobile array of one dimension",
                    type_name(checker->arena, actual->type));
        expression_fail(checker, actual);
    }
}

static void check_against(Checker *checker, const char *formals, NodeList *actuals) {
    for (size_t i = 0; i < actuals->count; i++) {
        bool is_reference = *formals == '&' || *formals == '!';
        formals += is_reference;
        char letter = *formals;
        const Type *wanted = formal_type(checker, &formals);
        if (!wanted) {
            check_expression(checker, &actuals->items[i], NULL);
        } else if (!is_reference) {
            check_value(checker, &actuals->items[i], wanted);
        } else if (!type_is_error(check_variable(checker, &actuals->items[i]))) {
            check_fits(checker, actuals->items[i], wanted);
            if (letter == 'm') {
                check_mobile_array(checker, actuals->items[i]);
            }
        }
    }
}

const Type *check_predefined(Checker *checker, Node *call, const Symbol *callee,
                             NodeList *actuals) {
    const PredefinedRoutine *routine = &routines[callee->predefined];
    if (routine->group == PREDEFINED_REFUSED) {
        check_loosely(checker, actuals);
        diag_report(checker->diag, DIAG_TYPES_PREDEFINED_REFUSED, call->at, routine->name);
        return routine->results[0] ? type_primitive(TYPE_ERROR) : NULL;
    }
    size_t count = count_formals(routine->formals);
    if (actuals->count != count) {
        diag_report(checker->diag, DIAG_TYPES_ACTUAL_COUNT, call->at, routine->name, count,
                    count == 1 ? "" : "s", actuals->count);
    }
    check_against(checker, routine->formals, actuals);
    return result_type(checker, routine->results);
}
