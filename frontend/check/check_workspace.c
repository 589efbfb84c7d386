/* check_workspace -- WSSIZEOF (p), VSSIZEOF (p), PROTOCOL.HASH (c): what programs ask about a
 * routine or a channel (language.md 1.6).
 *
 * Owns:  which objects of a routine are counted as its workspace, and which as its vector space;
 *        that a channel asks for its protocol.
 * Holds: the call becomes an expression with a constant value, so no later pass meets the name of
 *        a routine among actuals. Words have 4 bytes; what a routine calls is not counted, so a
 *        recursive one has a number too, and it takes linear time.
 */
#include "checker.h"
#include "predefined.h"

#define WORD_BYTES 4
#define CALL_WORDS 4 /* of every routine: where it returns to, and the process */

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
        if (!type_is_error(actual->type)) {
            diag_report(checker->diag, DIAG_TYPES_MISMATCH, actual->at, "the name of a routine",
                        type_name(checker->arena, actual->type));
        }
    }
}

/* In its own body, where not all that it declares has been seen. */
static bool is_inside(const Checker *checker, const Node *routine) {
    const Node *at = checker->routine;
    while (at && at != routine) {
        at = node_def(at)->def.symbol->owner;
    }
    return at != NULL;
}

/* Of a routine of another unit only the heading is known, even if its source is here. */
static bool is_of_this_unit(const Checker *checker, const Node *call, const Symbol *routine) {
    const SourceMap *sources = checker->compiler->sources;
    const SourceFile *here = source_file(sources, call->at.file);
    const SourceFile *there = source_file(sources, routine->at.file);
    return here && there && here->unit == there->unit;
}

static uint64_t count_words(const Checker *checker, const Node *call, const Symbol *routine,
                            bool of_vectors) {
    Workspace workspace = {of_vectors, of_vectors ? 0 : CALL_WORDS};
    Node *definition = routine->definition;
    const NodeList *formals = node_formals(definition);
    if (is_of_this_unit(checker, call, routine)) {
        node_visit_children(definition, visit, &workspace);
        return workspace.words;
    }
    for (size_t i = 0; i < formals->count; i++) {
        visit(&formals->items[i], &workspace);
    }
    return workspace.words;
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
    if (is_inside(checker, routine->definition)) {
        diag_report(checker->diag, DIAG_TYPES_NOT_CONSTANT, node->at);
        diag_hint(checker->diag, "what '%s' declares is known after its end", routine->name->bytes);
        return expression_fail(checker, node);
    }
    int64_t words =
        (int64_t)count_words(checker, node, routine, callee->predefined == PREDEFINED_VSSIZEOF);
    AskedSize asked = {node->at, words};
    array_push(checker->arena, &checker->compiler->asked_sizes, asked);
    node->kind = NODE_INTEGER;
    node->integer = (Ast_integer){.value = words};
    node->integer.decoration = node_create(checker->arena, NODE_TYPE_PRIMITIVE, node->at);
    node->integer.decoration->type_primitive.primitive = PRIMITIVE_INT;
    return check_expression(checker, slot, type_primitive(TYPE_INT));
}

/* Of a protocol by its name, or that of a channel. */
static const Type *protocol_of(Checker *checker, Node **slot) {
    const Type *type = check_measured_type(checker, slot);
    const Symbol *symbol = (*slot)->kind == NODE_NAME ? (*slot)->name.symbol : NULL;
    bool is_name = symbol && symbol_names_type(symbol);
    const Type *leaf = is_name ? type : type_leaf(type);
    if (type_is_error(type) ||
        (is_name && (symbol->kind == SYMBOL_PROTOCOL || symbol->kind == SYMBOL_DATA_TYPE))) {
        return type;
    }
    if (leaf->kind == TYPE_CHANNEL) {
        return leaf->channel.protocol;
    }
    diag_report(checker->diag, DIAG_TYPES_MISMATCH, (*slot)->at, "a protocol or a channel",
                is_name ? symbol_words(symbol) : type_name(checker->arena, type));
    return type_primitive(TYPE_ERROR);
}

static const Type *become_hash(Checker *checker, Node *node) {
    Node *operand = node->function_call.actuals.items[0];
    node->kind = NODE_TYPEHASHOF;
    node->typehashof = (Ast_typehashof){.operand = operand};
    const Type *protocol = protocol_of(checker, &node->typehashof.operand);
    if (type_is_error(protocol)) {
        return expression_fail(checker, node);
    }
    node->constant = constant_integer(checker->arena, type_primitive(TYPE_INT),
                                      type_hash(checker->arena, protocol));
    return type_primitive(TYPE_INT);
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
        check_asked_loosely(checker, actuals);
        return expression_fail(checker, node);
    }
    return callee->predefined == PREDEFINED_PROTOCOL_HASH ? become_hash(checker, node)
                                                          : become_words(checker, slot, callee);
}
