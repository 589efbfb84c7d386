/* ast -- the tree: kind, place, type first; then a union of small structs described in ast.def.
 *
 * Owns:   node kinds, constructors, the walker.
 * Leaves: what names mean to symbol.h, types to types.h, building to grammar.y.
 * Holds:  each construct of the language has one node kind, and no node has a second meaning.
 *         `type` and `constant` are set by check_types on every expression; a node that failed has
 *         the error type, and later passes report nothing about it. */
#ifndef OCCC_AST_H
#define OCCC_AST_H

#include "arena.h"
#include "array.h"
#include "source.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Node Node;
typedef struct Symbol Symbol;
typedef struct Type Type;
typedef struct Constant Constant;
typedef ARRAY_OF(Node *) NodeList;

typedef enum NodeKind {
#define NODE(KIND, member, title, FIELDS) NODE_##KIND,
#include "ast.def"
#undef NODE
    NODE_KIND_COUNT
} NodeKind;

/* Kinds for the labels of a switch that treats a family alike: case NODE_KINDS_OF_TYPE: ..
 * A switch over kinds has no default and no cast, so that it does not build until it handles a new
 * kind; one that is about a family names its members. */
#define NODE_KINDS_OF_TYPE                                                                         \
    NODE_TYPE_PRIMITIVE:                                                                           \
    case NODE_TYPE_NAMED:                                                                          \
    case NODE_TYPE_ARRAY:                                                                          \
    case NODE_TYPE_CHANNEL:                                                                        \
    case NODE_TYPE_PORT:                                                                           \
    case NODE_TYPE_MOBILE:                                                                         \
    case NODE_TYPE_COUNTED:                                                                        \
    case NODE_TYPE_BUFFERED
/* of protocols and types */
#define NODE_KINDS_OF_DEFINITION                                                                   \
    NODE_PROTOCOL:                                                                                 \
    case NODE_DATA_TYPE:                                                                           \
    case NODE_CHAN_TYPE:                                                                           \
    case NODE_PROC_TYPE:                                                                           \
    case NODE_PRAGMA
#define NODE_KINDS_OF_SPECIFICATION                                                                \
    NODE_KINDS_OF_DEFINITION:                                                                      \
    case NODE_DECLARATION:                                                                         \
    case NODE_ABBREVIATION:                                                                        \
    case NODE_PROC:                                                                                \
    case NODE_FUNCTION:                                                                            \
    case NODE_PLACE
/* of a specification, of a routine */
#define NODE_KINDS_OF_PART                                                                         \
    NODE_DEF:                                                                                      \
    case NODE_TAG:                                                                                 \
    case NODE_TAG_FROM:                                                                            \
    case NODE_RECORD:                                                                              \
    case NODE_FIELD_DEF:                                                                           \
    case NODE_FORMAL:                                                                              \
    case NODE_REPLICATOR:                                                                          \
    case NODE_ELSEWHERE
/* of a construct: one of several ways */
#define NODE_KINDS_OF_WAY                                                                          \
    NODE_VARIANT:                                                                                  \
    case NODE_ALTERNATIVE:                                                                         \
    case NODE_CHOICE:                                                                              \
    case NODE_OPTION
#define NODE_KINDS_OF_PROCESS                                                                      \
    NODE_BLOCK:                                                                                    \
    case NODE_SKIP:                                                                                \
    case NODE_STOP:                                                                                \
    case NODE_SUSPEND:                                                                             \
    case NODE_ASSIGN:                                                                              \
    case NODE_OUTPUT:                                                                              \
    case NODE_INPUT:                                                                               \
    case NODE_INPUT_CASE:                                                                          \
    case NODE_DELAY:                                                                               \
    case NODE_EXTENDED_INPUT:                                                                      \
    case NODE_CALL:                                                                                \
    case NODE_SEQ:                                                                                 \
    case NODE_PAR:                                                                                 \
    case NODE_ALT:                                                                                 \
    case NODE_IF:                                                                                  \
    case NODE_CASE:                                                                                \
    case NODE_WHILE:                                                                               \
    case NODE_WHILE_INPUT:                                                                         \
    case NODE_FORK:                                                                                \
    case NODE_FORKING:                                                                             \
    case NODE_CLAIM:                                                                               \
    case NODE_SYNC:                                                                                \
    case NODE_RESIGN:                                                                              \
    case NODE_ENROLL:                                                                              \
    case NODE_NEXT:                                                                                \
    case NODE_RESUME:                                                                              \
    case NODE_DROP:                                                                                \
    case NODE_CLOSE:                                                                               \
    case NODE_PROCESSOR:                                                                           \
    case NODE_ASM:                                                                                 \
    case NODE_DYNCALL
/* literals, or expressions about types alone */
#define NODE_KINDS_OF_LITERAL                                                                      \
    NODE_INTEGER:                                                                                  \
    case NODE_REAL:                                                                                \
    case NODE_BYTE:                                                                                \
    case NODE_BOOLEAN:                                                                             \
    case NODE_STRING:                                                                              \
    case NODE_LIMIT:                                                                               \
    case NODE_OFFSETOF:                                                                            \
    case NODE_TYPEHASHOF:                                                                          \
    case NODE_TAG_USE
/* expressions that compute a value from their operands and do nothing else */
#define NODE_KINDS_OF_VALUE                                                                        \
    NODE_KINDS_OF_LITERAL:                                                                         \
    case NODE_COUNTED:                                                                             \
    case NODE_TABLE:                                                                               \
    case NODE_CONSTRUCTOR:                                                                         \
    case NODE_CONVERSION:                                                                          \
    case NODE_SIZE:                                                                                \
    case NODE_BYTESIN:                                                                             \
    case NODE_ADDROF:                                                                              \
    case NODE_SUBSCRIPT:                                                                           \
    case NODE_FIELD:                                                                               \
    case NODE_SEGMENT:                                                                             \
    case NODE_END:                                                                                 \
    case NODE_EXPRESSION_LIST:                                                                     \
    case NODE_ALLOCATION:                                                                          \
    case NODE_CLONE:                                                                               \
    case NODE_DEFINED:                                                                             \
    case NODE_CLOCKS
#define NODE_KINDS_OF_EXPRESSION                                                                   \
    NODE_KINDS_OF_VALUE:                                                                           \
    case NODE_NAME:                                                                                \
    case NODE_MONADIC:                                                                             \
    case NODE_DYADIC:                                                                              \
    case NODE_FUNCTION_CALL:                                                                       \
    case NODE_VALOF:                                                                               \
    case NODE_MOVE:                                                                                \
    case NODE_CLOSED:                                                                              \
    case NODE_PHASE

typedef enum Direction { DIRECTION_NONE, DIRECTION_INPUT, DIRECTION_OUTPUT } Direction; /* - ? ! */
typedef enum AbbreviationMode {
    ABBREVIATION_REFERENCE, /* x IS y: */
    ABBREVIATION_VAL,
    ABBREVIATION_INITIAL,
    ABBREVIATION_RESULT
} AbbreviationMode;
typedef enum AbbreviationForm { FORM_IS, FORM_RETYPES, FORM_RESHAPES } AbbreviationForm;
typedef enum FormalMode { FORMAL_REFERENCE, FORMAL_VAL, FORMAL_RESULT, FORMAL_INITIAL } FormalMode;
typedef enum ParForm { PAR_PLAIN, PAR_PRI, PAR_PLACED } ParForm;
typedef enum PlaceForm {
    PLACE_AT,
    PLACE_AT_WORKSPACE,
    PLACE_IN_WORKSPACE,
    PLACE_IN_VECSPACE,
    PLACED_TYPE
} PlaceForm;
typedef enum Rounding { ROUNDING_NONE, ROUNDING_ROUND, ROUNDING_TRUNC } Rounding;

typedef enum Primitive {
    PRIMITIVE_BOOL,
    PRIMITIVE_BYTE,
    PRIMITIVE_INT,
    PRIMITIVE_INT16,
    PRIMITIVE_INT32,
    PRIMITIVE_INT64,
    PRIMITIVE_UINT,
    PRIMITIVE_UINT16,
    PRIMITIVE_UINT32,
    PRIMITIVE_UINT64,
    PRIMITIVE_REAL32,
    PRIMITIVE_REAL64,
    PRIMITIVE_TIMER,
    PRIMITIVE_ANY, /* as a protocol, and of a formal */
    PRIMITIVE_BARRIER,
    PRIMITIVE_CLOCK,
    PRIMITIVE_MUTEX,
    PRIMITIVE_MOBILE_CHAN,
    PRIMITIVE_MOBILE_PROC,
    PRIMITIVE_MOBILE_ANY
} Primitive;

/* Operator -- OPERATOR(NAME, "spelling"); AND and OR chains are left-nested DYADIC nodes. */
typedef enum Operator {
#define OPERATOR(NAME, spelling) OPERATOR_##NAME,
#include "operator.def"
#undef OPERATOR
    OPERATOR_COUNT
} Operator;

/* The structs of the union, from ast.def. */
#define CHILD(x)    Node *x;
#define OPTIONAL(x) Node *x;
#define LIST(x)     NodeList x;
#define NAME(x)     const Text *x;
#define FLAG(x)     bool x;
#define NUMBER(x)   int64_t x;
#define ENUM(T, x)  T x;
#define SYMBOL(x)   Symbol *x;
#define OTHER(T, x) T x;
#define NODE(KIND, member, title, FIELDS)                                                          \
    typedef struct Ast_##member {                                                                  \
        FIELDS char end_of_fields_;                                                                \
    } Ast_##member;
#include "ast.def"
#undef NODE
#undef CHILD
#undef OPTIONAL
#undef LIST
#undef NAME
#undef FLAG
#undef NUMBER
#undef ENUM
#undef SYMBOL
#undef OTHER

struct Node {
    NodeKind kind;
    Location at;              /* the whole construct; for processes the first line */
    const Type *type;         /* expressions and type nodes, after check_types */
    const Constant *constant; /* expressions whose value is known at compile time */
    union {
#define NODE(KIND, member, title, FIELDS) Ast_##member member;
#include "ast.def"
#undef NODE
    };
};

Node *node_create(Arena *arena, NodeKind kind, Location at);
const char *node_title(NodeKind kind);
const char *operator_spelling(Operator op);

/* node_copy -- the node and all below it; shares what later passes fill in. NULL gives NULL. */
Node *node_copy(Arena *arena, const Node *node);

/* node_visit_children -- call visit on every child in source order; visit may replace the child
 * through the pointer. NULL children are skipped. */
typedef void NodeVisitor(Node **child, void *context);
void node_visit_children(Node *node, NodeVisitor *visit, void *context);
/* node_any -- does the test hold for the node, or for one below it? */
typedef bool NodeTest(const Node *node);
bool node_any(const Node *node, NodeTest *test);

/* element_base -- the operand of a subscript, field, segment or end; NULL for anything else. */
const Node *element_base(const Node *element);

/* element_root -- the name, table or expression at the bottom of an element. */
const Node *element_root(const Node *element);

/* node_root -- the symbol at the root of an element: x of x[i], [x FROM a FOR n], x[field], x!;
 * NULL if there is none, or the name is not declared. */
Symbol *node_root(const Node *element);

/* node_def, node_formals, node_body, node_info -- of a PROC or FUNCTION. */
Node *node_def(const Node *routine);
const NodeList *node_formals(const Node *routine);
Node *node_body(const Node *routine);
struct ProcInfo *node_info(const Node *routine);
/* node_is_foreign -- is it a PROC or FUNCTION written in C? */
bool node_is_foreign(const Node *specification);

/* node_list_has_broken -- could a part of it not be read, so that something may be missing? */
bool node_list_has_broken(const NodeList *list);

/* direction_mark -- ? or !, or nothing. */
const char *direction_mark(Direction direction);

/* node_formal -- the formal of that index; NULL: there is none, or it was not understood. */
Symbol *node_formal(const NodeList *formals, size_t index);

/* node_is_type -- is it a type rather than an expression? */
bool node_is_type(const Node *node);

/* node_enroll -- the ENROLL of a component of a PAR, after its specifications; or NULL. */
const Node *node_enroll(const Node *component);

/* node_last_proc -- the last PROC with a body in the text of a unit, where a program begins; NULL:
 * there is none, or the node is no unit. */
Node *node_last_proc(const Node *unit);

/* node_clocks -- the clocks that NEXT, RESUME, DROP, SYNC or RESIGN names; else empty. */
NodeList node_clocks(Node *node);

/* ast_print -- a readable dump, one node a line, children indented (used by --print-after). */
void ast_print(const Node *node, FILE *stream);
/* ast_check -- every child that must be there is there; a fault is a bug (). */
void ast_check(const Node *node);

#endif
