/* build -- tree building for the grammar's actions, where one node_create is not enough.
 *
 * Owns:   lists, names and types as written; the places where one production reads more than the
 *         language allows and the surplus is refused here (blocks of one process, left sides).
 * Leaves: which productions there are to grammar.y. */
#ifndef OCCC_BUILD_H
#define OCCC_BUILD_H

#include "parse_state.h"

/* What follows a type in a specification: names, or a name and what it abbreviates. */
typedef struct DeclarationTail {
    NodeList names; /* DEF */
    bool is_abbreviation;
    AbbreviationForm form;
    Node *value;
} DeclarationTail;

/* REC, INLINE before FUNCTION. */
typedef struct FunctionMark {
    bool is_recursive;
    bool is_inline;
} FunctionMark;

typedef struct FunctionHead {
    Node *def;
    const Text *operator_text;
    NodeList formals;
    Node *body; /* VALOF */
} FunctionHead;

typedef struct Operation {
    Operator op;
    const Text *text; /* of OPERATOR_USER */
} Operation;

/* ---- lists ---- */
NodeList build_list(Parse *parse, Node *node);
NodeList build_append(Parse *parse, NodeList list, Node *node);
NodeList build_prepend(Parse *parse, Node *first, const NodeList *rest);
NodeList build_concatenate(Parse *parse, NodeList first, const NodeList *second);

/* ---- names and types ---- */
Node *build_name(Parse *parse, const Text *name, Location at);
Node *build_def(Parse *parse, const Text *name, Location at, Direction direction);
Node *build_primitive(Parse *parse, Primitive primitive, Location at);
Node *build_named_type(Parse *parse, const Text *name, Location at, Direction direction);
Node *build_shared_type(Parse *parse, Node *type, Location at);
Node *build_mobile_chan(Parse *parse, Direction direction, bool is_shared, Location at);
Node *build_array_type(Parse *parse, Node *size, Node *element, Location at);
Node *build_channel_type(Parse *parse, Node *protocol, bool is_shared, Direction direction,
                         Location at);
Node *build_mobile_type(Parse *parse, Node *element, Location at);
Node *build_counted_type(Parse *parse, Node *count, Node *element, Location at);

/* reports types that were read where only values, or variables, are allowed */
void build_check_values(Parse *parse, const NodeList *list);
void build_check_targets(Parse *parse, const NodeList *list);

/* ---- specifications ---- */
DeclarationTail *build_tail(Parse *parse, NodeList names);
DeclarationTail *build_abbreviation_tail(Parse *parse, Node *def, AbbreviationForm form,
                                         Node *value);
NodeList build_declaration(Parse *parse, Node *type, const DeclarationTail *tail, Location at);
Node *build_abbreviation(Parse *parse, AbbreviationMode mode, AbbreviationForm form, Node *type,
                         Node *def, Node *value, Location at);
NodeList build_initials(Parse *parse, Node *type, NodeList names, NodeList values, Location at);
Node *build_protocol(Parse *parse, Node *def, NodeList extends, Location at);
Node *build_proc(Parse *parse, Node *def, NodeList formals, Node *body, Location at);
Node *build_function(Parse *parse, NodeList results, FunctionMark mark, const FunctionHead *head,
                     Location at);
/* results of a FUNCTION read as expressions: T, U, ... */
NodeList build_result_types(Parse *parse, NodeList list);
FunctionHead *build_function_head(Parse *parse, const Text *name, bool is_operator, Location at,
                                  NodeList formals, Node *body);
Node *build_valof(Parse *parse, NodeList specs, Node *process, NodeList results, Location at);
/* processes where a VALOF should be */
Node *build_bad_function_body(Parse *parse, NodeList processes);
Node *build_formal(Parse *parse, FormalMode mode, Node *type, const Text *name, Location at,
                   Direction direction);
/* append a formal; one without a type takes mode and type of the one before */
NodeList build_formals(Parse *parse, NodeList formals, Node *formal);
Node *build_place(Parse *parse, Node *element, PlaceForm form, Node *address, Location at);

/* ---- processes ---- */
Node *build_block(Parse *parse, NodeList specs, Node *process);
/* the one process of a block; `construct` names its owner in the message */
Node *build_one_process(Parse *parse, const NodeList *processes, const char *construct);
/* a replicated ALT or IF takes one alternative or choice */
void build_check_one(Parse *parse, const NodeList *items, const char *construct, const char *what);
/* reports what these two found, when all is read */
void build_report_surplus(Parse *parse);
Node *build_assignment(Parse *parse, NodeList targets, NodeList values, Location at);
/* The tails of communications: the channel is filled in by build_on_channel. */
Node *build_output(Parse *parse, NodeList items, Location at);
Node *build_input(Parse *parse, NodeList items, Location at);
Node *build_input_case(Parse *parse, NodeList variants, Location at);
/* c ? CASE tag; x: `process` follows, or NULL for none */
Node *build_single_case(Parse *parse, const NodeList *items, Node *process, Location at);
Node *build_variant(Parse *parse, const Text *tag, Location tag_at, NodeList items,
                    const NodeList *processes, Location at);
Node *build_variant_with(Parse *parse, NodeList specs, Node *variant);
Node *build_delay(Parse *parse, Node *time, Location at);
Node *build_extended(Parse *parse, Node *input, const NodeList *processes);
Node *build_extended_case(Parse *parse, NodeList variants, Location at);
/* the communication, or the alternative guarded by it, with its channel or timer */
Node *build_on_channel(Parse *parse, Node *channel, Node *tail);
Node *build_call(Parse *parse, NodeKind kind, const Text *name, Location name_at, NodeList actuals,
                 Location at);
Node *build_par(Parse *parse, ParForm form, Node *replicator, NodeList enrols, NodeList body,
                Location at);
Node *build_seq(Parse *parse, Node *replicator, NodeList body, Location at);
Node *build_alt(Parse *parse, bool is_pri, Node *replicator, NodeList alternatives, Location at);
Node *build_if(Parse *parse, Node *replicator, NodeList choices, Location at);
Node *build_replicator(Parse *parse, const Text *name, Location name_at, Node *base, Node *count,
                       Node *step, Location at);
Node *build_alternative(Parse *parse, Node *guard, Node *process, Location at);
Node *build_condition(Parse *parse, Node *condition, Node *alternative);
Node *build_choice(Parse *parse, Node *condition, Node *process, Location at);
Node *build_option(Parse *parse, NodeList values, bool is_else, Node *process, Location at);
Node *build_claim(Parse *parse, Node *element, Direction direction, Node *process, Location at);
Node *build_while_input(Parse *parse, Node *input, Node *process, Location at);
Node *build_next(Parse *parse, NodeList clocks, Node *process, Location at);
/* a node whose only child or list is given: SYNC, RESUME, CLOSE, CLONE, DEFINED ... */
Node *build_with(Parse *parse, NodeKind kind, Node *child, Location at);
Node *build_with_list(Parse *parse, NodeKind kind, NodeList list, Location at);

/* ---- expressions ---- */
Node *build_integer(Parse *parse, const Token *token);
/* 9223372036854775808 exists only as the operand of a minus: report any other */
Node *build_byte(Parse *parse, const Token *token);
Node *build_boolean(Parse *parse, bool value, Location at);
Node *build_real(Parse *parse, const Text *digits, Location at);
Node *build_string(Parse *parse, const Text *text, Location at);
Node *build_decorated(Node *literal, Node *type, Location at);
Node *build_monadic(Parse *parse, Operation operation, Node *operand, Location at);
Node *build_dyadic(Parse *parse, Operation operation, Node *left, Node *right, Location at);
/* build_chain -- a AND b AND c ...; no deeper than it must be. */
Node *build_chain(Parse *parse, Operation operation, const NodeList *operands, Location at);
Node *build_conversion(Parse *parse, Node *type, Rounding rounding, Node *operand, Location at);
Node *build_limit(Parse *parse, bool is_negative, Node *type, Location at);
Node *build_subscript(Parse *parse, Node *base, Node *index, Location at);
Node *build_segment(Parse *parse, Node *base, Node *from, Node *length, Location at);
Node *build_end(Parse *parse, Node *channel, Direction direction, Location at);
Node *build_table(Parse *parse, NodeList items, Node *decoration, Location at);
Node *build_expression_list(Parse *parse, NodeList items, Location at);

#endif
