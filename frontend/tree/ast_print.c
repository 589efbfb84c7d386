/* ast_print -- a readable dump of the tree, one node a line, expanded from ast.def.
 *
 * Form: `member: Kind (attributes) @line:column`, children two columns deeper. A false flag, an
 *       absent optional child and an enum's first value are left out, so that a dump shows what the
 *       source says. Lists print as `member[]:` over their items. Names of members and kinds are
 *       those of ast.def; tests may rely on them. */
#include "ast.h"
#include "diag.h"

#include <ctype.h>
#include <inttypes.h>

typedef struct Printer {
    FILE *stream;
    int depth;
} Printer;

static void print_node(Printer *printer, const char *member, const Node *node);

static void print_indent(const Printer *printer) {
    fprintf(printer->stream, "%*s", printer->depth * 2, "");
}

/* The bytes of a name or a string, quoted, with C escapes for what does not print. */
static void print_text(FILE *stream, const Text *text) {
    fputc('"', stream);
    for (uint32_t i = 0; i < text->length; i++) {
        unsigned char byte = (unsigned char)text->bytes[i];
        if (byte == '"' || byte == '\\') {
            fprintf(stream, "\\%c", byte);
        } else if (isprint(byte)) {
            fputc(byte, stream);
        } else {
            fprintf(stream, "\\x%02X", byte);
        }
    }
    fputc('"', stream);
}

static void print_name(const Printer *printer, const char *member, const Text *text) {
    if (text) {
        fprintf(printer->stream, " %s=", member);
        print_text(printer->stream, text);
    }
}

static void print_flag(const Printer *printer, const char *member, bool flag) {
    if (flag) {
        fprintf(printer->stream, " %s", member);
    }
}

static void print_number(const Printer *printer, const char *member, int64_t number) {
    fprintf(printer->stream, " %s=%" PRId64, member, number);
}

/* The spelling of each enum's members, in the order of ast.h. */
static const char *const Direction_words[] = {"", "?", "!"};
static const char *const AbbreviationMode_words[] = {"", "VAL", "INITIAL", "RESULT"};
static const char *const AbbreviationForm_words[] = {"", "RETYPES", "RESHAPES"};
static const char *const FormalMode_words[] = {"", "VAL", "RESULT", "INITIAL"};
static const char *const ParForm_words[] = {"", "PRI", "PLACED"};
static const char *const PlaceForm_words[] = {"AT", "AT WORKSPACE", "IN WORKSPACE", "IN VECSPACE",
                                              "PLACED"};
static const char *const Rounding_words[] = {"", "ROUND", "TRUNC"};
static const char *const Primitive_words[] = {
    "BOOL",    "BYTE",   "INT",    "INT16",       "INT32",       "INT64",     "UINT",
    "UINT16",  "UINT32", "UINT64", "REAL32",      "REAL64",      "TIMER",     "ANY",
    "BARRIER", "CLOCK",  "MUTEX",  "MOBILE.CHAN", "MOBILE.PROC", "MOBILE.ANY"};
static const char *const Operator_words[] = {
#define OPERATOR(NAME, spelling) #NAME,
#include "operator.def"
#undef OPERATOR
};

static void print_word(const Printer *printer, const char *word) {
    if (word[0]) {
        fprintf(printer->stream, " %s", word);
    }
}

static void print_child(Printer *printer, const char *member, const Node *child) {
    if (child) {
        print_node(printer, member, child);
    }
}

static void print_list(Printer *printer, const char *member, const NodeList *list) {
    if (list->count == 0) {
        return;
    }
    print_indent(printer);
    fprintf(printer->stream, "%s[]:\n", member);
    printer->depth++;
    for (size_t i = 0; i < list->count; i++) {
        print_node(printer, NULL, list->items[i]);
    }
    printer->depth--;
}

/* First the attributes, on the node's own line ... */
#define NAME(x)          print_name(printer, #x, fields->x);
#define FLAG(x)          print_flag(printer, #x, fields->x);
#define NUMBER(x)        print_number(printer, #x, fields->x);
#define ENUM(T, x)       print_word(printer, T##_words[fields->x]);
#define FIELDS_QUALIFIER const

static void print_attributes(Printer *printer, const Node *node) {
#include "each_field.def"
}

/* ... then the children, below it. */
#define CHILD(x)         print_child(printer, #x, fields->x);
#define OPTIONAL(x)      print_child(printer, #x, fields->x);
#define LIST(x)          print_list(printer, #x, &fields->x);
#define FIELDS_QUALIFIER const

static void print_children(Printer *printer, const Node *node) {
#include "each_field.def"
}

static void print_node(Printer *printer, const char *member, const Node *node) {
    static const char *const kinds[] = {
#define NODE(KIND, member, title, FIELDS) #KIND,
#include "ast.def"
#undef NODE
    };
    print_indent(printer);
    if (member) {
        fprintf(printer->stream, "%s: ", member);
    }
    fputs(kinds[node->kind], printer->stream);
    print_attributes(printer, node);
    if (location_is_known(node->at)) {
        fprintf(printer->stream, " @%u:%u", node->at.line, node->at.column);
    }
    fputc('\n', printer->stream);
    printer->depth++;
    print_children(printer, node);
    printer->depth--;
}

void ast_print(const Node *node, FILE *stream) {
    Printer printer = {.stream = stream, .depth = 0};
    print_node(&printer, NULL, node);
}
