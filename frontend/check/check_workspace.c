/* check_workspace -- WSSIZEOF (p), VSSIZEOF (p), PROTOCOL.HASH (c): what programs ask about a
 * routine or a channel (language.md 1.7).
 *
 * Owns:  which objects of a routine are counted as its workspace, and which as its vector space.
 * Holds: the call becomes an expression with a constant value, so no later pass meets the name of
 *        a routine among actuals. Words have 4 bytes; what a routine calls is not counted, so a
 *        recursive one has a number too, and it takes linear time.
 */
#include "checker.h"
#include "predefined.h"

#define WORD_BYTES 4

typedef struct Workspace {
    bool of_vectors;
    uint64_t words;
} Workspace;

static uint64_t words_of(const Type *type) {
    return (type_size(type) + WORD_BYTES - 1) / WORD_BYTES;
}

static void add_object(Workspace *workspace, const Symbol *symbol) {
    bool is_vector = symbol->kind == SYMBOL_VARIABLE && type_is_array(symbol->type);
    if (symbol->kind == SYMBOL_REPLICATOR) {
        workspace->words += workspace->of_vectors ? 0 : 2; /* the index and the count */
    } else if (symbol->kind == SYMBOL_VARIABLE && is_vector == workspace->of_vectors) {
        workspace->words += words_of(symbol->type);
    } else if ((symbol->kind == SYMBOL_FORMAL || symbol->kind == SYMBOL_REFERENCE) &&
               !workspace->of_vectors) {
        workspace->words += 1;
    }
}

static void visit(Node **slot, void *context) {
    Node *node = *slot;
    if (node->kind == NODE_PROC || node->kind == NODE_FUNCTION) {
        return;
    }
    if (node->kind == NODE_DEF) {
        const Symbol *symbol = node->def.symbol;
        if (symbol && symbol->type && !type_is_error(symbol->type)) {
            add_object(context, symbol);
        }
        return;
    }
    node_visit_children(node, visit, context);
}

static void report_not_routine(Checker *checker, Node *actual, const Symbol *routine) {
    if (routine) {
        diag_report(checker->diag, DIAG_NAMES_KIND, actual->at, routine->name->bytes,
                    symbol_words(routine), "a PROC or FUNCTION");
    } else if (actual->kind != NODE_NAME) {
        check_unexpected(checker, &actual);
        diag_report(checker->diag, DIAG_TYPES_MISMATCH, actual->at, "the name of a routine",
                    type_name(checker->arena, actual->type));
    }
}

static const Type *become_words(Checker *checker, Node **slot, const Symbol *callee) {
    Node *node = *slot;
    Node *actual = node->function_call.actuals.items[0];
    Symbol *routine = actual->kind == NODE_NAME ? name_resolve(checker, actual) : NULL;
    if (!routine || !routine->definition ||
        (routine->kind != SYMBOL_PROC && routine->kind != SYMBOL_FUNCTION)) {
        report_not_routine(checker, actual, routine);
        return expression_fail(checker, node);
    }
    routine->is_used = true;
    Workspace workspace = {.of_vectors = callee->predefined == PREDEFINED_VSSIZEOF};
    node_visit_children(routine->definition, visit, &workspace);
    node->kind = NODE_INTEGER;
    node->integer = (Ast_integer){.value = (int64_t)workspace.words};
    node->integer.decoration = node_create(checker->arena, NODE_TYPE_PRIMITIVE, node->at);
    node->integer.decoration->type_primitive.primitive = PRIMITIVE_INT;
    return check_expression(checker, slot, type_primitive(TYPE_INT));
}

static const Type *become_hash(Checker *checker, Node *node) {
    Node *operand = node->function_call.actuals.items[0];
    node->kind = NODE_TYPEHASHOF;
    node->typehashof = (Ast_typehashof){.operand = operand};
    return check_typehashof(checker, node);
}

bool predefined_asks(const Symbol *callee) {
    return callee->predefined == PREDEFINED_WSSIZEOF || callee->predefined == PREDEFINED_VSSIZEOF ||
           callee->predefined == PREDEFINED_PROTOCOL_HASH;
}

const Type *check_asking(Checker *checker, Node **slot, const Symbol *callee) {
    Node *node = *slot;
    NodeList *actuals = &node->function_call.actuals;
    if (actuals->count != 1) {
        diag_report(checker->diag, DIAG_TYPES_ACTUAL_COUNT, node->at, callee->name->bytes,
                    (size_t)1, "", actuals->count);
        return expression_fail(checker, node);
    }
    return callee->predefined == PREDEFINED_PROTOCOL_HASH ? become_hash(checker, node)
                                                          : become_words(checker, slot, callee);
}
