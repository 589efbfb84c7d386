/* check_suggest -- what the user may have meant by a name that is not declared: a definition
 * further down, one whose scope has ended, the routine itself, a keyword, something of the library
 * or of another language, a near name. The first that fits is said. */
#include "checker.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- definitions elsewhere in the program ---- */

/* The DEF of a routine or type that a specification introduces; NULL for variables. */
static const Node *specification_def(const Node *node) {
    return node->kind == NODE_PROC           ? node->proc.def
           : node->kind == NODE_FUNCTION     ? node->function.def
           : node->kind == NODE_PROTOCOL     ? node->protocol.def
           : node->kind == NODE_DATA_TYPE    ? node->data_type.def
           : node->kind == NODE_ABBREVIATION ? node->abbreviation.def
           : node->kind == NODE_CHAN_TYPE    ? node->chan_type.def
           : node->kind == NODE_PROC_TYPE    ? node->proc_type.def
                                             : NULL;
}

static const Node *find_later(const Checker *checker, const Text *name) {
    const NodeList *specs = &checker->unit->unit.specs;
    for (size_t i = 0; i < specs->count; i++) {
        const Node *def = specification_def(specs->items[i]);
        if (def && def->def.name == name) {
            return def;
        }
    }
    return NULL;
}

static const Node *find_enclosing(const Checker *checker, const Text *name) {
    const Node *routine = checker->routine;
    while (routine) {
        const Node *def = specification_def(routine);
        if (def->def.name == name) {
            return routine;
        }
        routine = def->def.symbol ? def->def.symbol->owner : NULL;
    }
    return NULL;
}

/* The last definition of a name above a place. */
typedef struct Search {
    const Text *name;
    Location before;
    bool is_anywhere;
    const Node *found;
} Search;

static void search_node(Node **child, void *context) {
    Search *search = context;
    const Node *node = *child;
    if (node->kind == NODE_DEF && node->def.name == search->name &&
        (search->is_anywhere ||
         (node->at.file == search->before.file && node->at.line < search->before.line))) {
        search->found = node;
    }
    node_visit_children(*child, search_node, search);
}

static const Node *find_ended(const Checker *checker, const Text *name, Location at) {
    Search search = {.name = name, .before = at};
    if (checker->routine) {
        node_visit_children(checker->routine, search_node, &search);
    }
    return search.found;
}

bool check_is_defined_anywhere(const Checker *checker, const Text *name) {
    Search search = {.name = name, .is_anywhere = true};
    node_visit_children(checker->unit, search_node, &search);
    return search.found != NULL;
}

/* ---- one way of being meant each; true when it was ---- */

/* The word FUNCTION or PROC in the line of the definition gets its REC. */
static void offer_rec(Checker *checker, const Node *routine) {
    bool is_proc = routine->kind == NODE_PROC;
    const Node *def = specification_def(routine);
    size_t length = 0;
    const char *line = source_line(checker->compiler->sources, def->at.file, def->at.line, &length);
    const char *word = is_proc ? "PROC " : "FUNCTION ";
    const char *at = strstr(line, word);
    if (at && (size_t)(at - line) < length) {
        uint32_t column = (uint32_t)(at - line) + 1;
        Location here = {def->at.file, def->at.line, column, def->at.line, column};
        diag_fixit(checker->diag, here, "REC ");
    }
}

static bool suggest_recursive_type(Checker *checker, const Text *name) {
    const Node *type = checker->defined_type;
    if (!type || specification_def(type)->def.name != name) {
        return false;
    }
    if (type->kind == NODE_CHAN_TYPE) {
        diag_hint(checker->diag,
                  "a CHAN TYPE is not visible in its own fields; write REC CHAN TYPE to let '%s' "
                  "carry ends of itself",
                  name->bytes);
    } else if (type->data_type.type_expr->kind == NODE_RECORD) {
        diag_hint(checker->diag,
                  "a DATA TYPE is not visible in its own fields; write REC DATA TYPE and MOBILE "
                  "RECORD to let '%s' hold others of its type",
                  name->bytes);
    } else {
        return false;
    }
    Location before = {type->at.file, type->at.line, type->at.column, type->at.line,
                       type->at.column};
    diag_fixit(checker->diag, before, "REC ");
    return true;
}

static bool suggest_recursion(Checker *checker, const Text *name) {
    if (suggest_recursive_type(checker, name)) {
        return true;
    }
    const Node *enclosing = find_enclosing(checker, name);
    if (!enclosing) {
        return false;
    }
    if (enclosing->kind == NODE_PROC && enclosing->proc.is_mobile) {
        diag_hint(checker->diag, "a MOBILE PROC is not visible in its own body");
        return true;
    }
    diag_hint(checker->diag,
              "a routine is not visible in its own body; write %s to make '%s' recursive",
              enclosing->kind == NODE_PROC ? "REC PROC" : "REC FUNCTION", name->bytes);
    offer_rec(checker, enclosing);
    return true;
}

static bool suggest_later(Checker *checker, const Text *name, Location at) {
    const Node *later = find_later(checker, name);
    if (!later || later->at.file != at.file || later->at.line <= at.line) {
        return false;
    }
    diag_label(checker->diag, later->at, "'%s' is defined here, further down", name->bytes);
    diag_hint(checker->diag, "a name is visible only after its definition: move it up");
    return true;
}

static bool suggest_ended(Checker *checker, const Text *name, Location at) {
    const Node *ended = find_ended(checker, name, at);
    if (!ended) {
        return false;
    }
    diag_label(checker->diag, ended->at, "this '%s' was visible in one process only", name->bytes);
    diag_hint(checker->diag,
              "a specification belongs to the one process that follows it: put all "
              "that uses '%s' under one SEQ, below the specification",
              name->bytes);
    return true;
}

static bool suggest_keyword(Checker *checker, const Text *name, Location at) {
    static const char *const words[] = {
        "seq",   "par",   "alt",    "if",     "while", "case", "skip",  "stop", "proc", "val",
        "int",   "byte",  "bool",   "chan",   "timer", "true", "false", "else", "pri",  "int16",
        "int32", "int64", "real32", "real64", "for",   "from", "size",  "not",  "and",  "or"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(words[i], name->bytes) == 0) {
            char upper[8] = "";
            for (uint32_t j = 0; j < name->length && j < sizeof upper - 1; j++) {
                upper[j] = (char)toupper((unsigned char)name->bytes[j]);
            }
            if (strcmp(upper, "ELSE") == 0) { /* a condition: of an IF */
                diag_hint(checker->diag, "the condition of the last choice of an IF is TRUE");
                diag_fixit(checker->diag, at, "TRUE");
                return true;
            }
            diag_hint(checker->diag, "keywords are written in capitals: %s", upper);
            diag_fixit(checker->diag, at, upper);
            return true;
        }
    }
    return false;
}

static bool suggest_near(Checker *checker, const Text *name, Location at) {
    const Symbol *nearest = scope_nearest(checker->scope, name);
    if (nearest) {
        diag_hint(checker->diag, "did you mean '%s'?", nearest->name->bytes);
        diag_fixit(checker->diag, at, nearest->name->bytes);
    }
    return nearest != NULL;
}

static bool has_field(const Type *record, const char *field) {
    for (size_t i = 0; i < record->record.field_count; i++) {
        if (strcmp(record->record.fields[i].name->bytes, field) == 0) {
            return true;
        }
    }
    return false;
}

/* lift.at for the field of a record, as in other languages. */
static bool suggest_field(Checker *checker, const Text *name, Location at) {
    for (const char *dot = strchr(name->bytes, '.'); dot; dot = strchr(dot + 1, '.')) {
        size_t length = (size_t)(dot - name->bytes);
        const Text *record = text_intern(checker->compiler->texts, name->bytes, length);
        const Symbol *symbol = scope_find(checker->scope, record);
        const Type *type = symbol && symbol->type ? type_base(type_content(symbol->type)) : NULL;
        if (type && type->kind == TYPE_RECORD && has_field(type, dot + 1)) {
            diag_hint(checker->diag, "a field is chosen as an element of an array is");
            diag_fixit(checker->diag, at,
                       arena_format(checker->arena, "%s[%s]", record->bytes, dot + 1));
            return true;
        }
    }
    return false;
}

/* x int, as other languages declare: the name was taken for the type. */
static bool suggest_order(Checker *checker, Location at) {
    static const char *const types[] = {"int", "INT", "byte", "bool", "string", "float"};
    size_t length = 0;
    const char *line = source_line(checker->compiler->sources, at.file, at.line, &length);
    bool is_apart = at.end_column <= length && line[at.end_column - 1] == ' ';
    const char *next = is_apart ? line + at.end_column : "";
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t size = strlen(types[i]);
        if (strncmp(next, types[i], size) == 0 && !isalnum((unsigned char)next[size])) {
            diag_hint(checker->diag, "the type stands before the name: INT x");
            return true;
        }
    }
    return false;
}

/* x := 5 with nothing like it anywhere. */
static bool suggest_declaration(Checker *checker, const Text *name, Location at) {
    size_t length = 0;
    const char *line = source_line(checker->compiler->sources, at.file, at.line, &length);
    size_t after = at.end_column - 1;
    while (after < length && line[after] == ' ') {
        after++;
    }
    if (after + 1 >= length || line[after] != ':' || line[after + 1] != '=') {
        return false;
    }
    diag_hint(
        checker->diag,
        "a variable is declared before the process that uses it, for example INT %s:", name->bytes);
    return true;
}

void check_suggest(Checker *checker, const Text *name, Location at) {
    (void)(suggest_recursion(checker, name) || suggest_later(checker, name, at) ||
           suggest_keyword(checker, name, at) || suggest_order(checker, at) ||
           suggest_ended(checker, name, at) || check_suggest_nothing(checker, name) ||
           check_suggest_library(checker, name) || suggest_field(checker, name, at) ||
           check_suggest_foreign(checker, name, at) || suggest_near(checker, name, at) ||
           suggest_declaration(checker, name, at));
}
