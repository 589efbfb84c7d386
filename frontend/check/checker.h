/* checker -- what the files of check_types share: the state of the walk and one door per concept.
 *
 * Owns:   nothing that outlives check_types but the symbols and types it makes.
 * Holds:  names and types are found in one walk, because tags and fields need types to be found
 *         and a scope begins after its specification. Each function reports its own mistakes; an
 *         expression that failed has the error type, which fits everywhere and stays silent.
 *         A slot is the pointer a child hangs on: a check may put another node in its place. */
#ifndef OCCC_CHECKER_H
#define OCCC_CHECKER_H

#include "compiler.h"
#include "scope.h"
#include "symbol.h"

/* A name was found to have one of the types where the other is needed. */
typedef struct Blame {
    const void *name; /* a symbol, or the declaration it stands in with others */
    const Type *one;
    const Type *other;
} Blame;

typedef struct PlacedPort {
    Symbol *symbol;
    int64_t address;
} PlacedPort;

#define RUN_SIZE_HINT "a size that is known when the program runs: MOBILE []T, made by MOBILE [n]T"

typedef struct Checker {
    Compiler *compiler;
    Arena *arena;
    Diag *diag;
    Scope *scope;
    Node *unit;
    Node *routine;            /* innermost PROC or FUNCTION; NULL at the outermost level */
    const Node *defined_type; /* the CHAN TYPE or DATA TYPE whose fields are read */
    size_t routine_level;     /* of the scope, where its formals stand */
    uint32_t symbol_count;
    unsigned depth;    /* of the walk: a tree deeper than DEPTH_LIMIT is refused */
    bool is_outermost; /* the specifications of the file itself */
    bool has_invariants;
    bool in_pri_par; /* of the same routine */
    Symbol *forking; /* of the innermost FORKING round this text; NULL: the program's */
    struct ClaimedElement *claimed; /* elements claimed round this text; check_claim.c */
    struct HeldChannel *held; /* channels of the extended inputs we are in; check_extended.c */
    bool holds_variants;      /* the CASE input that follows is extended */
    bool in_valof; /* no communication, no change of symbols numbered below valof_first */
    uint32_t valof_first;
    bool permits_sharing;         /* #OPTION "N": of every name */
    bool permits_aliases;         /* #OPTION "A": of every name */
    ARRAY_OF(Location) callers;   /* each #PRAGMA CALLER: of the file that it stands in */
    ARRAY_OF(Blame) blames;       /* check_repeated.c */
    ARRAY_OF(PlacedPort) placed;  /* PORTs at constant addresses (check_place.c) */
    ARRAY_OF(Symbol *) announced; /* DATA TYPEs that were named before their fields */
    const Node *failed;           /* the first expression without a type, which has had an error */
    const Node *item;             /* of a communication or assignment, while its type is compared */
    const Symbol *receiver;       /* the channel or variable it goes to, or comes from */
    bool takes_run_sizes;         /* of RETYPES and RESHAPES: sizes need not be constant */
    NodeList run_sizes;           /* names for such sizes, to stand before the specification */
    bool is_excluded;             /* constants switch this text off; check_constant.c */
    const Node *choice; /* the condition of the choice being checked: lists may be compared */
} Checker;

#define DEPTH_LIMIT        2000
#define ABBREVIATION_LIMIT 500  /* of abbreviations of abbreviations */
#define CHECK_ITEM_LIMIT   1024 /* of one message, flattened: doubling protocols stay bounded */

/* check_depth -- one level deeper; true, and the node is BROKEN, when that is too deep. Pair with
 * checker->depth--. */
bool check_depth(Checker *checker, Node *node);

/* ---- check_repeated.c ---- */
/* check_repeats -- the name in `node`, `against` (NULL: none) or what an item goes to were
 * blamed for these two scalar types before: the error is the same. Otherwise they now are. */
bool check_repeats(Checker *checker, const Node *node, const Symbol *against, const Type *one,
                   const Type *other);
/* check_named_in -- the name at the root of an element, or of the first operand that has one. */
const Symbol *check_named_in(const Node *node);

/* ---- check_names.c: defining and finding names ---- */
/* symbol_define -- make a symbol for a DEF and bring it into scope. */
Symbol *symbol_define(Checker *checker, SymbolKind kind, Node *def, const Type *type,
                      Node *definition);
/* symbol_make -- the same, not yet in scope. */
Symbol *symbol_make(Checker *checker, SymbolKind kind, Node *def, const Type *type,
                    Node *definition);
/* name_resolve -- the symbol of a NAME in use; NULL after a message. Sets name.symbol. */
Symbol *name_resolve(Checker *checker, Node *name);
/* name_is_unread -- it stands in a specification that could not be read, which was reported. */
bool name_is_unread(const Checker *checker, const Text *name);
/* check_is_defined_anywhere -- some definition in the program has this name, visible or not. */
bool check_is_defined_anywhere(const Checker *checker, const Text *name);
/* check_suggest -- hints to the report of an unknown name (check_suggest.c). */
void check_suggest(Checker *checker, const Text *name, Location at);
/* check_suggest_library -- the directive that brings it; false: the library does not have it. */
bool check_suggest_library(Checker *checker, const Text *name);
/* check_suggest_foreign -- what does the work of a name of another language (check_foreign.c). */
bool check_suggest_nothing(Checker *checker, const Text *name);
bool check_suggest_foreign(Checker *checker, const Text *name, Location at);
/* name_find -- the same by text, for TYPE_NAMED and pragmas. */
Symbol *name_find(Checker *checker, const Text *name, Location at);
/* symbol_words -- "a PROC", "a variable"... for messages. */
const char *symbol_words(const Symbol *symbol);
bool symbol_names_type(const Symbol *symbol);
bool symbol_is_routine(const Symbol *symbol);
/* symbol_label -- point at where the symbol is defined, saying `words` of it. */
void symbol_label(Checker *checker, const Symbol *symbol, const char *words);
void check_pragma(Checker *checker, Node *pragma);
void report_not_supported(Checker *checker, Location at, const char *construct);

/* ---- check_type_node.c: types as written ---- */
/* check_type -- the type of a type node; also set in it. Open dimensions are for the caller. */
const Type *check_type(Checker *checker, Node *node);
/* check_protocol_type -- of what stands after CHAN or in a PROTOCOL. */
const Type *check_protocol_type(Checker *checker, Node *node);
/* check_value_type -- of a variable or result: data, no open dimension unless allowed. */
const Type *check_data_type(Checker *checker, Node *node, bool open_allowed);
/* check_is_whole_type -- no bare CHAN TYPE or PROC TYPE; else reported, and the node is in error.
 */
bool check_is_whole_type(Checker *checker, Node *node, const Type *type);
/* check_array_size -- the type of so many; an error type after a message when no memory holds it.
 */
const Type *check_array_size(Checker *checker, Location at, const Type *element, int64_t count);

/* ---- check_types_specification.c, check_retypes.c, check_definition.c, check_routine.c ---- */
void check_specifications(Checker *checker, NodeList *specifications);
void check_abbreviation(Checker *checker, Node *node);
/* check_run_size -- the size of a dimension that only the run knows becomes a name: the INITIAL
 * that sets it goes to checker->run_sizes. */
void check_run_size(Checker *checker, Node **size);
/* check_retypes -- value and type of RETYPES and RESHAPES; the complete type. */
const Type *check_retypes(Checker *checker, Node *node, const Type *wanted);
void check_place(Checker *checker, Node *node);
void check_protocol_definition(Checker *checker, Node *node);
/* check_new_type -- a type of that kind with the name of its definition. */
Type *check_new_type(Checker *checker, TypeKind kind, const Node *def);
void check_data_type_definition(Checker *checker, Node *node);
/* check_announced -- at the end: every DATA TYPE that was announced has been defined. */
void check_announced(Checker *checker);
void check_chan_type_definition(Checker *checker, Node *node);
void check_proc_type_definition(Checker *checker, Node *node);
/* note_same_name -- to a message about two types that read alike: they are two definitions. */
void note_same_name(Checker *checker, const Type *left, const Type *right);
/* check_included_type -- the type just defined, or the same one that was defined before by the
 * included file that `def` stands in. */
const Type *check_included_type(Checker *checker, const Node *def, const Type *type);
void check_proc(Checker *checker, Node *node);
/* check_heading -- of a routine whose body is a #BODY line: what that tells. */
void check_heading(Checker *checker, const Node *body, ProcInfo *info, const NodeList *formals);
void check_function(Checker *checker, Node *node);

/* ---- check_types.c and its relatives: processes ---- */
void check_process(Checker *checker, Node **slot);
void check_replicator(Checker *checker, Node *replicator); /* opens no scope */
void check_if(Checker *checker, Node *node);
void check_case(Checker *checker, Node *node);
void check_alt(Checker *checker, Node *node);
void check_output(Checker *checker, Node *node);
void check_input(Checker *checker, Node *node);
void check_input_case(Checker *checker, Node *node);
void check_delay(Checker *checker, Node *node);
void check_call(Checker *checker, Node *node);
void check_claim(Checker *checker, Node *node);        /* check_claim.c */
void check_enrols(Checker *checker, NodeList *clocks); /* check_clock_name.c */
/* check_enrolled_elements -- names for the elements that a PAR enrols its branches on:
 * abbreviations for before it, in scope from here on (check_enroll.c). */
NodeList check_enrolled_elements(Checker *checker, Node *par);
void check_clock_process(Checker *checker, Node *node);
/* report_clock_no_data -- true: the type is CLOCK or BARRIER, and that it cannot be where the node
 * stands is said. Else the caller reports. */
bool report_clock_no_data(Checker *checker, const Node *node, const Type *type);
const Type *check_phase(Checker *checker, Node *node);
void check_fork(Checker *checker, Node *node); /* check_fork.c */
void check_forking(Checker *checker, Node *node);
void check_unsupported(Checker *checker, Node *node); /* occam-pi and ours that are not built yet */

/* ---- check_types_expression.c and its relatives ---- */
/* check_expression -- type an expression. `expected` gives untyped literals their type; whether the
 * type found fits is the caller's question. NULL: no context. */
const Type *check_expression(Checker *checker, Node **slot, const Type *expected);
/* check_value -- an expression that must fit `wanted`; reports when it does not. */
const Type *check_value(Checker *checker, Node **slot, const Type *wanted);
/* check_integer -- an INT expression: subscripts, counts, bounds. */
void check_integer(Checker *checker, Node **slot);
/* check_invariant -- the pragma, with the words behind its name. */
void check_invariant(Checker *checker, Node *pragma, const char *words);
/* check_invariants -- of the whole tree, when its names are known: who changes what. */
void check_invariants(Checker *checker);
void check_condition(Checker *checker, Node **slot); /* a BOOL */
/* check_fits -- report unless the type of the node fits `wanted`; the type to go on with. */
const Type *check_fits(Checker *checker, Node *node, const Type *wanted);
/* check_receives -- a variable that takes a value of type `sent`. */
void check_receives(Checker *checker, Node *variable, const Type *sent);
/* check_copies -- the same for a copy, where counts unknown on either side are left to run time. */
void check_copies(Checker *checker, Node *node, const Type *wanted);
const Type *expression_fail(Checker *checker, Node *node); /* give it the error type */
bool expression_is_untyped(const Node *node);              /* only literals without a decoration */
const Type *literal_default_type(Checker *checker, const Node *node);
const Type *check_literal(Checker *checker, Node *node, const Type *expected);
const Type *check_table(Checker *checker, Node *node, const Type *expected);
const Type *check_constructor(Checker *checker, Node *node, const Type *expected);
const Type *check_monadic(Checker *checker, Node *node, const Type *expected);
const Type *check_dyadic(Checker *checker, Node *node, const Type *expected);
const Type *check_conversion(Checker *checker, Node *node);
/* conversion_rounds -- a conversion that needs ROUND or TRUNC. */
bool conversion_rounds(const Type *to, const Type *from);
/* expression_text -- as an operand: n, (n + 1); "(...)" when it is long. */
const char *expression_text(Checker *checker, Location at);
const Type *check_limit(Checker *checker, Node *node);
/* check_measured_type -- what SIZE, BYTESIN, TYPEHASHOF ask about: a type node, a name of a type,
 * or an element. */
const Type *check_measured_type(Checker *checker, Node **slot);
const Type *check_size(Checker *checker, Node *node);
const Type *check_bytesin(Checker *checker, Node *node);
const Type *check_typehashof(Checker *checker, Node *node);
const Type *check_offsetof(Checker *checker, Node *node);
const Type *check_function_call(Checker *checker, Node **slot, const Type *expected);
const Type *check_valof(Checker *checker, Node *node, const Type *const *wanted, size_t count);

/* ---- check_mobile.c ---- */
const Type *check_mobile_type(Checker *checker, Node *node);
const Type *check_allocation(Checker *checker, Node *node);
/* check_is_plain -- a dynamic mobile array is reported where a plain type is written for it. */
bool check_is_plain(Checker *checker, Node *value, const Type *wanted, const char *hint);
/* check_formal_mobile -- VAL MOBILE []T x is reported. */
void check_formal_mobile(Checker *checker, const Node *formal, const Type *type);
const Type *check_clone(Checker *checker, Node **slot); /* may put the operand in its place */
const Type *check_defined(Checker *checker, Node *node);
/* ---- check_mobile_process.c ---- */
/* check_mobile_proc -- what a PROC that is MOBILE must be, after its body. */
void check_mobile_proc(Checker *checker, Node *node, Symbol *symbol);
void check_suspend(Checker *checker, const Node *node);
/* check_process_allocation -- MOBILE p of a MOBILE PROC; NULL when it is something else. */
const Type *check_process_allocation(Checker *checker, Node *node);
/* check_activation -- a call through a variable; false when the symbol is no mobile process. */
bool check_activation(Checker *checker, Node *node, Symbol *symbol);
/* check_content -- a checked element that is a mobile scalar becomes the scalar that it holds, the
 * one element of an array of one (NODE_SUBSCRIPT.is_content); anything else stays. Returns its
 * type. */
const Type *check_content(Checker *checker, Node **slot);
/* check_move -- a checked value goes into an object of type `wanted`: what has a name and owns
 * something moves. */
void check_move(Checker *checker, Node **slot, const Type *wanted);

/* ---- check_claim.c: elements that are claimed ---- */
/* check_claimed_element -- where the element is claimed it becomes the NAME of that; else NULL. */
const Type *check_claimed_element(const Checker *checker, Node *node);
/* check_claim_add -- the element is meant by the symbol from here on. */
void check_claim_add(Checker *checker, const Node *element, Symbol *symbol);
/* check_claim_unchanged -- false after a message: the variable chooses a claimed element. */
bool check_claim_unchanged(Checker *checker, const Node *node, const Symbol *symbol);

/* ---- check_bundle.c: channel bundles ---- */
const Type *check_bundle_end_type(Checker *checker, Node *node);
/* check_bundle_field -- of a FIELD whose base is this end. */
const Type *check_bundle_field(Checker *checker, Node *node, const TypeField *field,
                               const Type *end);
bool check_is_bundle_allocation(Checker *checker, const Node *value);
/* check_bundle_allocation -- MOBILE T for the variables of these types; TUPLE of them. */
const Type *check_bundle_allocation(Checker *checker, Node *value, const Type *const *wanted,
                                    size_t count);

/* ---- check_element.c: names, subscripts, fields, segments, channel ends ---- */
/* check_element -- what is named, of any type; nothing is marked as used yet. Other expressions
 * are checked as values. */
const Type *check_element(Checker *checker, Node **slot);
/* check_is_no_any -- the type of an element, which is an error for what ANY was given: it has none. */
const Type *check_is_no_any(Checker *checker, Node *node);
/* check_variable -- an element that can be assigned to. */
const Type *check_variable(Checker *checker, Node **slot);
/* check_variable_use -- the same of an element already checked. */
const Type *check_variable_use(Checker *checker, Node *node);
/* check_channel -- an element that is one channel (PORT too if allowed), used in a direction. */
const Type *check_channel(Checker *checker, Node **slot, Direction direction);
/* check_channel_use -- the same of an element already checked. */
const Type *check_channel_use(Checker *checker, Node *node, Direction direction);
/* check_end_direction -- false after a message: the element is known to be the other end. */
bool check_end_direction(Checker *checker, const Node *node, Direction direction, Location at);
bool element_is_element(const Node *node);
/* element_check_changeable -- the element at whose root `symbol` stands may be changed here; else
 * false, after a message. */
bool element_check_changeable(Checker *checker, const Node *node, Symbol *symbol);
/* element_is_claimed -- the name of an end inside of its CLAIM: it stays where it is. */
bool element_is_claimed(const Symbol *symbol);
Direction element_direction(const Node *node);
void element_mark_read(const Node *node);
void element_mark_used(const Node *node);
/* check_timer -- an element that is one TIMER. */
void check_timer(Checker *checker, Node **slot);

/* ---- check_call.c, check_predefined.c: calls ---- */
/* check_actuals -- against the formals of a PROC, FUNCTION or PROC TYPE. */
void check_actuals(Checker *checker, Node *call, const Symbol *callee, const NodeList *formals,
                   NodeList *actuals);
/* check_unexpected -- an element or value of which nobody knows what is expected: literals have any
 * type. */
void check_unexpected(Checker *checker, Node **slot);
/* report_actual_count -- more or fewer actuals than formals; the actuals have been looked at. */
void report_actual_count(Checker *checker, const Node *call, const Symbol *callee,
                         const NodeList *formals, const NodeList *actuals);
void check_loose_actuals(Checker *checker, NodeList *actuals); /* nothing is known of formals */
void check_formals(Checker *checker, NodeList *formals, Node *routine);
/* predefined_declare -- bring the predefined routines and protocols into scope. */
void predefined_declare(Checker *checker);
/* check_predefined -- the actuals of a predefined routine; its result type (PROC: NULL). */
const Type *check_predefined(Checker *checker, Node *call, const Symbol *callee, NodeList *actuals);

/* check_asked_loosely -- actuals of a call that is wrong as a whole: names of routines and types
 * are no mistake of theirs. */
void check_asked_loosely(Checker *checker, NodeList *actuals);

/* ---- check_workspace.c: WSSIZEOF, VSSIZEOF, PROTOCOL.HASH ---- */
/* check_predefined_value -- a name of the group VALUE: now the node is a call of a FUNCTION. */
bool check_predefined_value(Checker *checker, Node *name);
/* predefined_asks -- a predefined FUNCTION about a routine or a channel, which is no value. */
bool predefined_asks(const Symbol *callee);
/* check_asking -- a call of one becomes an expression with a constant value. */
const Type *check_asking(Checker *checker, Node **slot, const Symbol *callee);

/* ---- check_protocol.c: items against protocols ---- */
/* check_input_items -- items against the items of a protocol. */
void check_input_items(Checker *checker, Node *node, NodeList *items, const Type *const *types,
                       size_t count);
/* check_loose_inputs -- into a channel that failed or carries ANY: any variables. */
void check_loose_inputs(Checker *checker, NodeList *items);
/* check_communicates -- report inside VALOF; `mark` is ? or !. */
void check_communicates(Checker *checker, const Node *node, const char *mark);

/* ---- check_close.c: CLOSE, CLOSED, WHILE c ? x ---- */
void check_close(Checker *checker, Node *node);
const Type *check_closed(Checker *checker, Node *node);
void check_while_input(Checker *checker, Node *node);

/* ---- check_extended.c: ?? ---- */
/* check_is_channel -- what is input from, when it has a type, is a channel: no timer, no port. */
void check_is_channel(Checker *checker, const Node *channel);
void check_extended_input(Checker *checker, Node *node);
/* check_during -- the process that runs while the partner at the other end of `channel` waits. */
void check_during(Checker *checker, const Node *channel, Node **process);
/* check_held -- report when this name is that of such a channel. */
void check_held(Checker *checker, const Node *name, const Symbol *symbol);

/* ---- check_variant.c: tags ---- */
/* check_tag_output -- the first item of an output to a variant protocol becomes TAG_USE; the tag.
 */
const TypeTag *check_tag_output(Checker *checker, Node *node, const Type *protocol);

/* ---- check_constant.c: folding ---- */
/* check_fold -- set node->constant when the operands are known; reports overflow and the like. */
void check_fold(Checker *checker, Node *node);
/* check_constant_integer -- the value of an expression that must be a constant INT. */
bool check_constant_integer(Checker *checker, Node **slot, int64_t *value);
/* constant_is -- a condition whose value is known to be this. */
bool constant_is(const Node *condition, bool value);
/* check_exclude -- what follows never runs, if is_excluded: errors of values in it are warnings.
 * What checker->is_excluded is to be set to behind it. */
bool check_exclude(Checker *checker, bool is_excluded);
/* check_excuses -- an error of values at this place: true, after a warning, when it never runs. */
bool check_excuses(Checker *checker, Location at, const char *words);

#endif
