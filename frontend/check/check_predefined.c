/* check_predefined -- the routines of predefined.def: into scope, and their actuals.
 *
 * Holds: a name of a group that is refused is known, so using it says what is wrong and not that
 *        it is unknown; a program may define the name anew and shadow it. */
#include "checker.h"
#include "predefined.h"

typedef enum PredefinedGroup {
    PREDEFINED_BUILT,
    PREDEFINED_VALUE,
    PREDEFINED_REFUSED,
    PREDEFINED_ADDRESS
} PredefinedGroup;

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

bool predefined_is_refused(unsigned id) {
    return routines[id].group == PREDEFINED_REFUSED || routines[id].group == PREDEFINED_ADDRESS;
}

/* The name of a value becomes a call of the FUNCTION that gives it. */
bool check_predefined_value(Checker *checker, Node *name) {
    Symbol *symbol = scope_find(checker->scope, name->name.name);
    if (!symbol || symbol->kind != SYMBOL_PREDEFINED ||
        routines[symbol->predefined].group != PREDEFINED_VALUE) {
        return false;
    }
    Node *callee = node_create(checker->arena, NODE_NAME, name->at);
    callee->name = name->name;
    name->kind = NODE_FUNCTION_CALL;
    name->function_call = (Ast_function_call){.callee = callee};
    return true;
}

bool predefined_may_wait(unsigned id) {
    return id == PREDEFINED_RESCHEDULE || id == PREDEFINED_SETPRI || id == PREDEFINED_INCPRI ||
           id == PREDEFINED_DECPRI || id == PREDEFINED_RAISE_PRIORITY ||
           id == PREDEFINED_LOWER_PRIORITY;
}

/* ---- what is refused ---- */

void check_asked_loosely(Checker *checker, NodeList *actuals) {
    for (size_t i = 0; i < actuals->count; i++) {
        Node *actual = actuals->items[i];
        Symbol *symbol =
            actual->kind == NODE_NAME ? scope_find(checker->scope, actual->name.name) : NULL;
        if (symbol && (symbol_is_routine(symbol) || symbol_names_type(symbol))) {
            symbol->is_used = true;
            expression_fail(checker, actual);
        } else {
            check_unexpected(checker, &actuals->items[i]);
        }
    }
}

/* What does the same without an address. */
static const char *words_instead(unsigned id) {
    switch (id) {
    case PREDEFINED_DECODE_DATA: return "VAL []BYTE b RETYPES x: names the bytes of x";
    case PREDEFINED_ALLOC_CHAN_TYPE: return "a, b := MOBILE T makes both ends of a CHAN TYPE T";
    case PREDEFINED_KERNEL_RUN:
        return "a MOBILE PROC is code that is chosen while the program runs";
    case PREDEFINED_LOAD_INPUT_CHANNEL:
    case PREDEFINED_LOAD_OUTPUT_CHANNEL:
    case PREDEFINED_LOAD_INPUT_VECTOR:
    case PREDEFINED_LOAD_OUTPUT_VECTOR:
        return "a CHAN TYPE has ends that are kept in variables and sent";
    case PREDEFINED_LOAD_BYTE_VECTOR: return "#PRAGMA EXTERNAL gives an array to a routine in C";
    case PREDEFINED_MEMORY_BARRIER:
    case PREDEFINED_READ_MEMORY_BARRIER:
    case PREDEFINED_WRITE_MEMORY_BARRIER:
        return "a communication, the end of a PAR or a CLAIM orders memory";
    case PREDEFINED_MPBARSYNC:
    case PREDEFINED_MPBARRESIGN: return "SYNC and RESIGN are those of a BARRIER";
    }
    return NULL;
}

static const char *words_for_channel(unsigned id) {
    bool is_channel = id == PREDEFINED_DECODE_CHANNEL || id == PREDEFINED_DECODE_CHANNEL3 ||
                      id == PREDEFINED_ENCODE_CHANNEL;
    return is_channel ? "a message travels as bytes by RETYPES, on a CHAN MOBILE []BYTE" : NULL;
}

static const Type *refuse(Checker *checker, const Node *call, const Symbol *callee,
                          NodeList *actuals) {
    const PredefinedRoutine *routine = &routines[callee->predefined];
    check_asked_loosely(checker, actuals);
    diag_report(checker->diag,
                routine->group == PREDEFINED_ADDRESS ? DIAG_TYPES_PREDEFINED_ADDRESS
                                                     : DIAG_TYPES_PREDEFINED_REFUSED,
                call->at, routine->name);
    const char *words = words_for_channel(callee->predefined);
    words = words ? words : words_instead(callee->predefined);
    if (words) {
        diag_hint(checker->diag, "%s", words);
    }
    return routine->results[0] ? type_primitive(TYPE_ERROR) : NULL;
}

/* ---- actuals ---- */

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

static void check_mobile_bytes(Checker *checker, Node *actual) {
    const Type *content = type_content(actual->type);
    bool is_bytes = type_is_mobile(actual->type) && content->kind == TYPE_ARRAY &&
                    content->array.count == ARRAY_OPEN && content->array.element->kind == TYPE_BYTE;
    if (!is_bytes) {
        diag_report(checker->diag, DIAG_TYPES_MISMATCH, actual->at, "a MOBILE []BYTE",
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
        if (letter == 'c') {
            check_channel(checker, &actuals->items[i], DIRECTION_NONE);
        } else if (!wanted) {
            check_expression(checker, &actuals->items[i], NULL);
        } else if (!is_reference) {
            check_value(checker, &actuals->items[i], wanted);
        } else if (!type_is_error(check_variable(checker, &actuals->items[i]))) {
            check_fits(checker, actuals->items[i], wanted);
            if (letter == 'm') {
                check_mobile_array(checker, actuals->items[i]);
            } else if (letter == 'M') {
                check_mobile_bytes(checker, actuals->items[i]);
            }
        }
    }
}

const Type *check_predefined(Checker *checker, Node *call, const Symbol *callee,
                             NodeList *actuals) {
    const PredefinedRoutine *routine = &routines[callee->predefined];
    if (predefined_is_refused(callee->predefined)) {
        return refuse(checker, call, callee, actuals);
    }
    if (predefined_asks(callee)) { /* as a process: its result is missed */
        check_asked_loosely(checker, actuals);
        return result_type(checker, routine->results);
    }
    size_t count = count_formals(routine->formals);
    if (actuals->count != count) {
        diag_report(checker->diag, DIAG_TYPES_ACTUAL_COUNT, call->at, routine->name, count,
                    count == 1 ? "" : "s", actuals->count);
    }
    check_against(checker, routine->formals, actuals);
    return result_type(checker, routine->results);
}
