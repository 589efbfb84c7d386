/* grammar.y -- the syntax of the language, in the manual's order: specifications, types, routines,
 * processes, expressions (docs/language.md 1.4, 2, 4).
 *
 * Owns:   what may stand where; it only builds the tree.
 * Leaves: indentation to layout.c, what names mean to the checks, wording to syntax_error.c.
 * Holds:  no conflicts. A name is reduced only when the token after it is known, so no symbol table
 *         is needed: each shape that begins with a name has a production of its own. A list of
 *         specifications is never empty where it is optional, so a construct can start with
 *         `error` right there: every state after NL, INDENT or OUTDENT can shift it.
 * Long because: a grammar is one table; in pieces it could not be checked for conflicts. */

%define api.pure full
%define api.prefix {grammar_}
%define api.location.type {Location}
%define parse.error custom
%define parse.lac full
%locations
%param {Parse *parse}
%expect 0

%code requires {
#include "build.h"
}

%code {
#define YYLLOC_DEFAULT(Current, Rhs, N)                                      \
    do {                                                                     \
        if (N) {                                                             \
            (Current) = location_join(YYRHSLOC(Rhs, 1), YYRHSLOC(Rhs, N));   \
        } else {                                                             \
            (Current) = YYRHSLOC(Rhs, 0);                                    \
        }                                                                    \
    } while (0)
#define SPAN(first, last) location_join((first), (last))
#define MAKE(kind, at) node_create(parse->arena, NODE_##kind, (at))
#define LIST1(node) build_list(parse, (node))
#define NO_NODES ((NodeList){0})
#define APPEND(list, node) build_append(parse, (list), (node))
#define JOIN(first, second) build_concatenate(parse, (first), &(second))
#define NAME(text, at) build_name(parse, (text), (at))
#define DEF(text, at) build_def(parse, (text), (at), DIRECTION_NONE)
#define TYPE(text, at) build_named_type(parse, (text), (at), DIRECTION_NONE)
#define TYPE_END(text, at, direction) build_named_type(parse, (text), (at), (direction))
#define PRIMITIVE(word, at) build_primitive(parse, PRIMITIVE_##word, (at))
#define OPERATION(word) ((Operation){OPERATOR_##word, NULL})
#define ONE(block, construct) build_one_process(parse, &(block), (construct))
#define WITH(kind, child, at) build_with(parse, NODE_##kind, (child), (at))

static int grammar_lex(GRAMMAR_STYPE *value, Location *at, Parse *parse);
static void grammar_error(const Location *at, Parse *parse, const char *message);
}

%union {
    const Text *text;
    Node *node;
    NodeList list;
    Direction direction;
    bool flag;
    AbbreviationForm form;
    DeclarationTail *tail;
    FunctionMark mark;
    FunctionHead *function;
    Operation operation;
    Rounding rounding;
    ParForm par;
}

%token T_END 0 "end of file"
%token T_NL "NL" T_INDENT "INDENT" T_OUTDENT "OUTDENT"
%token T_BROKEN "BROKEN" T_BROKEN_HEAD "BROKEN_HEAD"
%token T_BROKEN_SPEC "BROKEN_SPEC" T_BROKEN_SPEC_HEAD "BROKEN_SPEC_HEAD"
%token T_BROKEN_COLON "BROKEN_COLON"
%token T_DIRECTIVE T_SUBSTITUTION
%token <text> T_PRAGMA "#PRAGMA" T_BODY "#BODY"
%token <text> T_NAME "NAME" T_STRING "STRING" T_REAL_LITERAL "REAL" T_USER_OPERATOR "USER_OPERATOR"
%token <node> T_INTEGER "INTEGER" T_BYTE_LITERAL "BYTE_LITERAL"
%token T_LPAREN "(" T_RPAREN ")" T_LBRACKET "[" T_CONSTRUCTOR "[|" T_RBRACKET "]" T_BOX "[]"
%token T_COMMA "," T_SEMICOLON ";" T_COLON ":" T_COUNT "::" T_ASSIGN ":="
%token T_QUERY "?" T_EXTENDED_QUERY "??" T_BANG "!" T_AMPERSAND "&" T_BAR "|"
%token T_EQUAL "=" T_NOT_EQUAL "<>" T_LESS "<" T_LESS_EQUAL "<=" T_GREATER ">"
%token T_GREATER_EQUAL ">=" T_ADD "+" T_SUBTRACT "-" T_MULTIPLY "*" T_DIVIDE "/"
%token T_REMAINDER "\\" T_BIT_AND "/\\" T_BIT_OR "\\/" T_BIT_XOR "><" T_TILDE "~"
%token T_SHIFT_LEFT "<<" T_SHIFT_RIGHT ">>"
%token T_AFTER "AFTER" T_ALT "ALT" T_AND "AND" T_ANY "ANY" T_ASM "ASM" T_AT "AT"
%token T_BITAND "BITAND" T_BITNOT "BITNOT" T_BITOR "BITOR" T_BOOL "BOOL" T_BYTE "BYTE"
%token T_BYTESIN "BYTESIN" T_CASE "CASE" T_CHAN "CHAN" T_DATA "DATA" T_ELSE "ELSE"
%token T_FALSE "FALSE" T_FOR "FOR" T_FROM "FROM" T_FUNCTION "FUNCTION" T_GUY "GUY" T_IF "IF"
%token T_IN "IN" T_INITIAL "INITIAL" T_INLINE "INLINE" T_INT "INT" T_INT16 "INT16"
%token T_INT32 "INT32" T_INT64 "INT64" T_IS "IS" T_MINUS "MINUS" T_MOSTNEG "MOSTNEG"
%token T_MOSTPOS "MOSTPOS" T_NOT "NOT" T_OF "OF" T_OFFSETOF "OFFSETOF" T_OR "OR"
%token T_PACKED "PACKED" T_PAR "PAR" T_PLACE "PLACE" T_PLACED "PLACED" T_PLUS "PLUS"
%token T_PORT "PORT" T_PRI "PRI" T_PROC "PROC" T_PROTOCOL "PROTOCOL" T_REAL32 "REAL32"
%token T_REAL64 "REAL64" T_RECORD "RECORD" T_REM "REM" T_RESHAPES "RESHAPES"
%token T_RESULT "RESULT" T_RETYPES "RETYPES" T_ROUND "ROUND" T_SEQ "SEQ" T_SIZE "SIZE"
%token T_SKIP "SKIP" T_STEP "STEP" T_STOP "STOP" T_TIMER "TIMER" T_TIMES "TIMES"
%token T_TRUE "TRUE" T_TRUNC "TRUNC" T_TYPE "TYPE" T_VAL "VAL" T_VALOF "VALOF"
%token T_VECSPACE "VECSPACE" T_WHILE "WHILE" T_WORKSPACE "WORKSPACE"
%token T_ADDROF "ADDROF" T_ALIGNED "ALIGNED" T_BARRIER "BARRIER" T_BUFFERED "BUFFERED"
%token T_CLAIM "CLAIM" T_CLONE "CLONE" T_DEFINED "DEFINED" T_DMA "DMA" T_DYNCALL "DYNCALL"
%token T_EMPTY "EMPTY" T_ENROLL "ENROLL" T_EXTENDS "EXTENDS" T_FIXED "FIXED" T_FORK "FORK"
%token T_FORKING "FORKING" T_HWADDROF "HWADDROF" T_IMPLEMENTS "IMPLEMENTS"
%token T_MOBILE "MOBILE" T_MOBILE_ANY "MOBILE.ANY" T_MOBILE_CHAN "MOBILE.CHAN"
%token T_MOBILE_PROC "MOBILE.PROC" T_REC "REC" T_RECURSIVE "RECURSIVE" T_RESIGN "RESIGN"
%token T_SHARED "SHARED" T_SUSPEND "SUSPEND" T_SYNC "SYNC" T_TRACES T_TYPEHASHCHECK
%token T_TYPEHASHOF "TYPEHASHOF" T_UINT "UINT" T_UINT16 "UINT16" T_UINT32 "UINT32"
%token T_UINT64 "UINT64" T_CLOCK "CLOCK" T_MUTEX "MUTEX" T_CLOSE "CLOSE" T_CLOSED "CLOSED"
%token T_DROP "DROP" T_NEXT "NEXT" T_PHASE "PHASE" T_PROCESSOR "PROCESSOR"
%token T_RESUME "RESUME" T_UNDEFINED "UNDEFINED"

/* A bare name used as an operand loses to "T a , b :" in the options of a CASE. */
%precedence LOW
%precedence ","

%type <node> processor
%type <list> named_function specs specs0 spec spec0 broken_spec namelist name_types result_types protocols
%type <list> opttags tags fields initials exprlist rhslist actuals actlist formals formallist
%type <list> opt_extends andchain orchain
%type <list> processes opt_processes block choices opt_choices options opt_options optspecs
%type <list> alternatives opt_alternatives variants opt_variants inlist outlist pmore elements
%type <list> lhs lhsmore enrols dims
%type <node> primtype type othertype arrtype protocol ptype mtype limit arrtype2 dectype atype boxed
%type <node> fixed tag field definition record recmods fieldlist procdef protdef typedef placement
%type <node> formal fspec valof process action input variant choice choice_head alternative
%type <node> guarded option option_head replicator initem outitem element subel segment
%type <node> expr operand nonel nonelsub actual rhs allocation allocmods alloctype call literal lit
%type <node> conversion convop table constructor typeorop pitem lhsitem broken
%type <node> variant_head alternative_head step input_tail extended_tail guard_tail other_guard
%type <node> guarded_process function_body
%type <tail> declnames
%type <direction> dir optdir
%type <form> isret
%type <mark> funmark
%type <function> fundef
%type <operation> dop mop
%type <rounding> rt
%type <par> par
%type <flag> alt fixed_or_not

%start program
%%

program: %empty | unit ;
unit:
    spec                        { parse->specs = JOIN(parse->specs, $1); }
  | unit spec                   { parse->specs = JOIN(parse->specs, $2); }
;

/* ================= specifications ================= */

specs:
    spec
  | specs spec                  { $$ = JOIN($1, $2); }
;
specs0:                         /* in brackets: ( specs0 VALOF ... ) */
    spec0
  | expr "," pmore funmark fundef /* of ( it is not known yet whether a list or types begin */
        { NodeList all = build_prepend(parse, $1, &$3);
          $$ = LIST1(build_function(parse, build_result_types(parse, all), $4, $5, SPAN(@1, @5))); }
  | specs0 spec0                { $$ = JOIN($1, $2); }
  | specs0 named_function       { $$ = JOIN($1, $2); }
;
spec: spec0 | broken_spec | named_function ;
named_function:                 /* several results, the first of a type with a name */
    "NAME" "," name_types funmark fundef
        { $$ = LIST1(build_function(parse, build_prepend(parse, TYPE($1, @1), &$3), $4, $5,
              SPAN(@1, @5))); }
;
name_types: lhsmore             { $$ = build_result_types(parse, $1); } ;

spec0:
    primtype declnames          { $$ = build_declaration(parse, $1, $2, @$); }
  | "NAME" declnames            { $$ = build_declaration(parse, TYPE($1, @1), $2, @$); }
  | "NAME" "?" declnames
        { $$ = build_declaration(parse, TYPE_END($1, SPAN(@1, @2), DIRECTION_INPUT), $3, @$); }
  | "NAME" "!" declnames
        { $$ = build_declaration(parse, TYPE_END($1, SPAN(@1, @2), DIRECTION_OUTPUT), $3, @$); }
  | othertype declnames         { $$ = build_declaration(parse, $1, $2, @$); }
  | arrtype declnames           { $$ = build_declaration(parse, $1, $2, @$); }
  | "FIXED" type declnames
        { $$ = build_declaration(parse, $2, $3, @$);
          if ($$.items[0]->kind == NODE_DECLARATION) { $$.items[0]->declaration.is_fixed = true; } }
  | "NAME" "IS" actual ":" "NL"
        { $$ = LIST1(build_abbreviation(parse, ABBREVIATION_REFERENCE, FORM_IS, NULL, DEF($1, @1),
              $3, SPAN(@1, @4))); }
  | "VAL" "NAME" "IS" expr ":" "NL"
        { $$ = LIST1(build_abbreviation(parse, ABBREVIATION_VAL, FORM_IS, NULL, DEF($2, @2), $4,
              SPAN(@1, @5))); }
  | "VAL" type "NAME" isret expr ":" "NL"
        { $$ = LIST1(build_abbreviation(parse, ABBREVIATION_VAL, $4, $2, DEF($3, @3), $5,
              SPAN(@1, @6))); }
  | "INITIAL" type initials "IS" rhslist ":" "NL"
        { $$ = build_initials(parse, $2, $3, $5, SPAN(@1, @6)); }
  | "RESULT" type "NAME" "IS" element ":" "NL"
        { $$ = LIST1(build_abbreviation(parse, ABBREVIATION_RESULT, FORM_IS, $2, DEF($3, @3), $5,
              SPAN(@1, @6))); }
  | definition                  { $$ = LIST1($1); }
  | primtype funmark fundef
        { $$ = LIST1(build_function(parse, LIST1($1), $2, $3, SPAN(@1, @3))); }
  | "NAME" funmark fundef
        { $$ = LIST1(build_function(parse, LIST1(TYPE($1, @1)), $2, $3, SPAN(@1, @3))); }
  | othertype funmark fundef
        { $$ = LIST1(build_function(parse, LIST1($1), $2, $3, SPAN(@1, @3))); }
  | arrtype funmark fundef
        { $$ = LIST1(build_function(parse, LIST1($1), $2, $3, SPAN(@1, @3))); }
  | primtype "," result_types funmark fundef
        { $$ = LIST1(build_function(parse, build_prepend(parse, $1, &$3), $4, $5, SPAN(@1, @5))); }
  | othertype "," result_types funmark fundef
        { $$ = LIST1(build_function(parse, build_prepend(parse, $1, &$3), $4, $5, SPAN(@1, @5))); }
  | arrtype "," result_types funmark fundef
        { $$ = LIST1(build_function(parse, build_prepend(parse, $1, &$3), $4, $5, SPAN(@1, @5))); }
  | "NAME" dir funmark fundef
        { $$ = LIST1(build_function(parse, LIST1(TYPE_END($1, SPAN(@1, @2), $2)), $3, $4, SPAN(@1, @4))); }
  | "NAME" dir "," result_types funmark fundef
        { $$ = LIST1(build_function(parse,
              build_prepend(parse, TYPE_END($1, SPAN(@1, @2), $2), &$4), $5, $6, SPAN(@1, @6))); }
  | "#PRAGMA" "NL"
        { Node *pragma = MAKE(PRAGMA, @1);
          pragma->pragma.text = $1;
          $$ = LIST1(pragma); }
;
/* not in brackets: an error there is an error of the whole line */
broken_spec:
    error "BROKEN_SPEC"         { yyerrok; $$ = LIST1(MAKE(BROKEN, @2)); }
  | broken_spec_head "INDENT" processes "OUTDENT" opt_colon { $$ = LIST1(MAKE(BROKEN, @1)); }
;
broken_spec_head: error "BROKEN_SPEC_HEAD" { yyerrok; @$ = @2; } ;
opt_colon: %empty | ":" "NL" ;
/* where only ':' can stand its absence breaks nothing: the definition is known all the same */
definition_end: ":" "NL" | error "BROKEN_COLON" { yyerrok; } ;

declnames:
    "NAME" ":" "NL"             { $$ = build_tail(parse, LIST1(DEF($1, @1))); @$ = SPAN(@1, @2); }
  | "NAME" dir ":" "NL"
        { $$ = build_tail(parse, LIST1(build_def(parse, $1, SPAN(@1, @2), $2)));
          @$ = SPAN(@1, @3); }
  | "NAME" "," namelist ":" "NL"
        { $$ = build_tail(parse, build_prepend(parse, DEF($1, @1), &$3)); @$ = SPAN(@1, @4); }
  | "NAME" isret actual ":" "NL"
        { $$ = build_abbreviation_tail(parse, DEF($1, @1), $2, $3); @$ = SPAN(@1, @4); }
  | "NAME" dir isret actual ":" "NL"
        { $$ = build_abbreviation_tail(parse, build_def(parse, $1, SPAN(@1, @2), $2), $3, $4);
          @$ = SPAN(@1, @5); }
;
initials: namelist ;
namelist:
    "NAME"                      { $$ = LIST1(DEF($1, @1)); }
  | namelist "," "NAME"         { $$ = APPEND($1, DEF($3, @3)); }
;
isret:
    "IS"                        { $$ = FORM_IS; }
  | "RETYPES"                   { $$ = FORM_RETYPES; }
  | "RESHAPES"                  { $$ = FORM_RESHAPES; }
;
dir:
    "?"                         { $$ = DIRECTION_INPUT; }
  | "!"                         { $$ = DIRECTION_OUTPUT; }
;
optdir:
    %empty                      { $$ = DIRECTION_NONE; }
  | dir
;
definition: procdef | protdef | typedef | placement ;

placement:
    "PLACE" element optdir "AT" expr ":" "NL"
        { $$ = build_place(parse, build_end(parse, $2, $3, SPAN(@2, @3)), PLACE_AT, $5,
              SPAN(@1, @6)); }
  | "PLACE" element optdir "AT" "WORKSPACE" expr ":" "NL"
        { $$ = build_place(parse, build_end(parse, $2, $3, SPAN(@2, @3)), PLACE_AT_WORKSPACE, $6,
              SPAN(@1, @7)); }
  | "PLACE" element "IN" "WORKSPACE" ":" "NL"
        { $$ = build_place(parse, $2, PLACE_IN_WORKSPACE, NULL, SPAN(@1, @5)); }
  | "PLACE" element "IN" "VECSPACE" ":" "NL"
        { $$ = build_place(parse, $2, PLACE_IN_VECSPACE, NULL, SPAN(@1, @5)); }
  | "PLACED" type "NAME" optdir opt_at expr ":" "NL"
        { $$ = build_place(parse, build_def(parse, $3, @3, $4), PLACED_TYPE, $6, SPAN(@1, @7));
          $$->place.type_expr = $2; }
;
opt_at: %empty | "AT" ;

/* ---- types by name ---- */

protdef:
    "PROTOCOL" "NAME" "IS" protocols ":" "NL"
        { $$ = build_protocol(parse, DEF($2, @2), NO_NODES, SPAN(@1, @5));
          $$->protocol.items = $4; }
  | "PROTOCOL" "NAME" "EXTENDS" elements ":" "NL"
        { $$ = build_protocol(parse, DEF($2, @2), $4, SPAN(@1, @5));
          $$->protocol.is_variant = true; }
  | "PROTOCOL" "NAME" opt_extends "NL" "INDENT" "CASE" "NL" opttags "OUTDENT" definition_end
        { $$ = build_protocol(parse, DEF($2, @2), $3, SPAN(@1, @2));
          $$->protocol.is_variant = true;
          $$->protocol.tags = $8; }
;
opt_extends:
    %empty                      { $$ = NO_NODES; }
  | "EXTENDS" elements          { $$ = $2; }
;
opttags:
    %empty                      { $$ = NO_NODES; }
  | "INDENT" tags "OUTDENT"     { $$ = $2; }
;
tags:
    tag                         { $$ = LIST1($1); }
  | tags tag                    { $$ = APPEND($1, $2); }
;
tag:
    "NAME" "NL"                 { $$ = MAKE(TAG, @1); $$->tag.def = DEF($1, @1); }
  | "NAME" ";" protocols "NL"
        { $$ = MAKE(TAG, SPAN(@1, @3));
          $$->tag.def = DEF($1, @1);
          $$->tag.items = $3; }
  | "NAME" "=" "INTEGER" "NL"
        { $$ = MAKE(TAG, SPAN(@1, @3));
          $$->tag.def = DEF($1, @1);
          $$->tag.value = $3; }
  | "NAME" "=" "INTEGER" ";" protocols "NL"
        { $$ = MAKE(TAG, SPAN(@1, @5));
          $$->tag.def = DEF($1, @1);
          $$->tag.value = $3;
          $$->tag.items = $5; }
  | "FROM" "NAME" "NL"
        { $$ = MAKE(TAG_FROM, SPAN(@1, @2));
          $$->tag_from.protocol = NAME($2, @2); }
  | "#PRAGMA" "NL"              { $$ = MAKE(PRAGMA, @1); $$->pragma.text = $1; }
  | broken
;

typedef:
    "DATA" "TYPE" "NAME" "IS" type ":" "NL"
        { $$ = MAKE(DATA_TYPE, SPAN(@1, @6));
          $$->data_type.def = DEF($3, @3);
          $$->data_type.type_expr = $5; }
  | "DATA" "TYPE" "NAME" record
        { $$ = MAKE(DATA_TYPE, SPAN(@1, @3));
          $$->data_type.def = DEF($3, @3);
          $$->data_type.type_expr = $4;
          $$->data_type.is_recursive = $4->record.is_recursive; }
  | "DATA" "TYPE" "NAME" ":" "NL"
        { $$ = MAKE(DATA_TYPE, SPAN(@1, @4)); $$->data_type.def = DEF($3, @3); }
  | rec "DATA" "TYPE" "NAME" record
        { $$ = MAKE(DATA_TYPE, SPAN(@1, @4));
          $$->data_type.def = DEF($4, @4);
          $$->data_type.type_expr = $5;
          $$->data_type.is_recursive = true; }
  | "CHAN" "TYPE" "NAME" ":" "NL"
        { $$ = MAKE(CHAN_TYPE, SPAN(@1, @4)); $$->chan_type.def = DEF($3, @3); }
  | "CHAN" "TYPE" "NAME" record
        { $$ = MAKE(CHAN_TYPE, SPAN(@1, @3));
          $$->chan_type.def = DEF($3, @3);
          $$->chan_type.record = $4;
          $$->chan_type.is_recursive = $4->record.is_recursive; }
  | rec "CHAN" "TYPE" "NAME" record
        { $$ = MAKE(CHAN_TYPE, SPAN(@1, @4));
          $$->chan_type.def = DEF($4, @4);
          $$->chan_type.record = $5;
          $$->chan_type.is_recursive = true; }
  | "PROC" "TYPE" "NAME" opt_is "(" formals ")" ":" "NL"
        { $$ = MAKE(PROC_TYPE, SPAN(@1, @7));
          $$->proc_type.def = DEF($3, @3);
          $$->proc_type.formals = $6; }
;
opt_is: %empty | "IS" ;
record: "NL" "INDENT" recmods fieldlist definition_end
        { $$ = $3; $$->record.fields = $4->record.fields; }
;
recmods:
    "RECORD" "NL"               { $$ = MAKE(RECORD, @1); }
  | "MOBILE" recmods            { $$ = $2; $$->record.is_mobile = true; }
  | "PACKED" recmods            { $$ = $2; $$->record.is_packed = true; }
  | rec recmods                 { $$ = $2; $$->record.is_recursive = true; }
;
fieldlist: "INDENT" fields "OUTDENT" "OUTDENT" { $$ = MAKE(RECORD, @2); $$->record.fields = $2; } ;
fields:
    field                       { $$ = LIST1($1); }
  | fields field                { $$ = APPEND($1, $2); }
;
field:
    type namelist ":" "NL"
        { $$ = MAKE(FIELD_DEF, SPAN(@1, @3));
          $$->field_def.type_expr = $1;
          $$->field_def.names = $2; }
  | type "NAME" dir ":" "NL"
        { $$ = MAKE(FIELD_DEF, SPAN(@1, @4));
          $$->field_def.type_expr = $1;
          $$->field_def.names = LIST1(build_def(parse, $2, SPAN(@2, @3), $3)); }
  | "#PRAGMA" "NL"              { $$ = MAKE(PRAGMA, @1); $$->pragma.text = $1; }
  | error "BROKEN_SPEC"         { yyerrok; $$ = MAKE(BROKEN, @2); }
;
rec: "REC" | "RECURSIVE" ;

/* ================= types ================= */

primtype:
    "BOOL"                      { $$ = PRIMITIVE(BOOL, @1); }
  | "BYTE"                      { $$ = PRIMITIVE(BYTE, @1); }
  | "INT"                       { $$ = PRIMITIVE(INT, @1); }
  | "INT16"                     { $$ = PRIMITIVE(INT16, @1); }
  | "INT32"                     { $$ = PRIMITIVE(INT32, @1); }
  | "INT64"                     { $$ = PRIMITIVE(INT64, @1); }
  | "REAL32"                    { $$ = PRIMITIVE(REAL32, @1); }
  | "REAL64"                    { $$ = PRIMITIVE(REAL64, @1); }
  | "UINT"                      { $$ = PRIMITIVE(UINT, @1); }
  | "UINT16"                    { $$ = PRIMITIVE(UINT16, @1); }
  | "UINT32"                    { $$ = PRIMITIVE(UINT32, @1); }
  | "UINT64"                    { $$ = PRIMITIVE(UINT64, @1); }
;
type:
    primtype
  | "NAME"                      { $$ = TYPE($1, @1); }
  | "NAME" dir                  { $$ = TYPE_END($1, @$, $2); }
  | arrtype
  | othertype
;
arrtype: "[" expr "]" type      { $$ = build_array_type(parse, $2, $4, @$); } ;
othertype:
    "[]" type                   { $$ = build_array_type(parse, NULL, $2, @$); }
  | "CHAN" opt_of protocol      { $$ = build_channel_type(parse, $3, false, DIRECTION_NONE, @$); }
  | "PORT" opt_of protocol      { $$ = MAKE(TYPE_PORT, @$); $$->type_port.element = $3; }
  | "TIMER"                     { $$ = PRIMITIVE(TIMER, @1); }
  | "BARRIER"                   { $$ = PRIMITIVE(BARRIER, @1); }
  | "CLOCK"                     { $$ = PRIMITIVE(CLOCK, @1); }
  | "MUTEX"                     { $$ = PRIMITIVE(MUTEX, @1); }
  | "MOBILE" type               { $$ = build_mobile_type(parse, $2, @$); }
  | "SHARED" "NAME" dir         { $$ = build_shared_type(parse, TYPE_END($2, @$, $3), @$); }
  | "SHARED" optdir "CHAN" opt_of protocol { $$ = build_channel_type(parse, $5, true, $2, @$); }
  | "SHARED" "MOBILE.CHAN" optdir { $$ = build_mobile_chan(parse, $3, true, @$); }
  | "MOBILE.CHAN" optdir        { $$ = build_mobile_chan(parse, $2, false, @$); }
  | "MOBILE.PROC"               { $$ = PRIMITIVE(MOBILE_PROC, @1); }
  | "MOBILE.ANY"                { $$ = PRIMITIVE(MOBILE_ANY, @1); }
  | "BUFFERED" "(" expr ")" type
        { $$ = MAKE(TYPE_BUFFERED, @$);
          $$->type_buffered.size = $3;
          $$->type_buffered.element = $5; }
;
opt_of: %empty | "OF" ;
result_types:
    type                        { $$ = LIST1($1); }
  | result_types "," type       { $$ = APPEND($1, $3); }
;
protocol:
    ptype
  | primtype "::" "[]" ptype
        { $$ = build_counted_type(parse, $1, build_array_type(parse, NULL, $4, SPAN(@3, @4)), @$); }
  | "NAME" "::" "[]" ptype      /* a named type of integers */
        { $$ = build_counted_type(parse, TYPE($1, @1),
                                  build_array_type(parse, NULL, $4, SPAN(@3, @4)), @$); }
;
ptype:
    primtype
  | "NAME"                      { $$ = TYPE($1, @1); }
  | "NAME" dir                  { $$ = TYPE_END($1, @$, $2); }
  | "[" expr "]" ptype          { $$ = build_array_type(parse, $2, $4, @$); }
  | "[]" ptype                  { $$ = build_array_type(parse, NULL, $2, @$); }
  | "MOBILE" ptype              { $$ = build_mobile_type(parse, $2, @$); }
  | "CHAN" opt_of ptype         { $$ = build_channel_type(parse, $3, false, DIRECTION_NONE, @$); }
  | "BARRIER"                   { $$ = PRIMITIVE(BARRIER, @1); }
  | "CLOCK"                     { $$ = PRIMITIVE(CLOCK, @1); }
  | "ANY"                       { $$ = PRIMITIVE(ANY, @1); }
  | "SHARED" "NAME" dir         { $$ = build_shared_type(parse, TYPE_END($2, @$, $3), @$); }
  | "SHARED" "MOBILE.CHAN" optdir { $$ = build_mobile_chan(parse, $3, true, @$); }
  | "MOBILE.CHAN" optdir        { $$ = build_mobile_chan(parse, $2, false, @$); }
  | "MOBILE.PROC"               { $$ = PRIMITIVE(MOBILE_PROC, @1); }
  | "MOBILE.ANY"                { $$ = PRIMITIVE(MOBILE_ANY, @1); }
;
protocols:
    protocol                    { $$ = LIST1($1); }
  | protocols ";" protocol      { $$ = APPEND($1, $3); }
;

/* ================= routines ================= */

procdef:
    "PROC" "NAME" "(" formals ")" "NL" block definition_end
        { $$ = build_proc(parse, DEF($2, @2), $4, ONE($7, "PROC"), SPAN(@1, @5)); }
  | "INLINE" "PROC" "NAME" "(" formals ")" "NL" block definition_end
        { $$ = build_proc(parse, DEF($3, @3), $5, ONE($8, "PROC"), SPAN(@1, @6));
          $$->proc.is_inline = true; }
  | rec "PROC" "NAME" "(" formals ")" "NL" block definition_end
        { $$ = build_proc(parse, DEF($3, @3), $5, ONE($8, "PROC"), SPAN(@1, @6));
          $$->proc.is_recursive = true; }
  | "MOBILE" "PROC" "NAME" "(" formals ")" "IMPLEMENTS" "NAME" "NL" block definition_end
        { $$ = build_proc(parse, DEF($3, @3), $5, ONE($10, "PROC"), SPAN(@1, @8));
          $$->proc.is_mobile = true;
          $$->proc.implements = TYPE($8, @8); }
;
formals:
    %empty                      { $$ = NO_NODES; }
  | formallist
;
formallist:
    formal                      { $$ = build_formals(parse, NO_NODES, $1); }
  | formallist "," formal       { $$ = build_formals(parse, $1, $3); }
;
formal: fixed_or_not fspec      { $$ = $2; $$->formal.is_fixed = $1; } ;
fixed_or_not:
    %empty                      { $$ = false; }
  | "FIXED"                     { $$ = true; }
  | "UNDEFINED"                 { $$ = false; }
;
fspec:
    "VAL" type "NAME"
        { $$ = build_formal(parse, FORMAL_VAL, $2, $3, @3, DIRECTION_NONE); }
  | "RESULT" type "NAME"
        { $$ = build_formal(parse, FORMAL_RESULT, $2, $3, @3, DIRECTION_NONE); }
  | "INITIAL" type "NAME"
        { $$ = build_formal(parse, FORMAL_INITIAL, $2, $3, @3, DIRECTION_NONE); }
  | "VAL" "ANY" "NAME"
        { $$ = build_formal(parse, FORMAL_VAL, PRIMITIVE(ANY, @2), $3, @3, DIRECTION_NONE); }
  | "RESULT" "ANY" "NAME"
        { $$ = build_formal(parse, FORMAL_RESULT, PRIMITIVE(ANY, @2), $3, @3, DIRECTION_NONE); }
  | "ANY" "NAME"
        { $$ = build_formal(parse, FORMAL_REFERENCE, PRIMITIVE(ANY, @1), $2, @2, DIRECTION_NONE); }
  | "NAME"
        { $$ = build_formal(parse, FORMAL_REFERENCE, NULL, $1, @1, DIRECTION_NONE); }
  | "NAME" dir                  { $$ = build_formal(parse, FORMAL_REFERENCE, NULL, $1, @$, $2); }
  | "NAME" "NAME"
        { $$ = build_formal(parse, FORMAL_REFERENCE, TYPE($1, @1), $2, @2, DIRECTION_NONE); }
  | "NAME" dir "NAME"
        { $$ = build_formal(parse, FORMAL_REFERENCE, TYPE_END($1, SPAN(@1, @2), $2), $3, @3,
              DIRECTION_NONE); }
  | "NAME" "NAME" dir
        { $$ = build_formal(parse, FORMAL_REFERENCE, TYPE($1, @1), $2, SPAN(@2, @3), $3); }
  | primtype "NAME"
        { $$ = build_formal(parse, FORMAL_REFERENCE, $1, $2, @2, DIRECTION_NONE); }
  | othertype "NAME" optdir
        { $$ = build_formal(parse, FORMAL_REFERENCE, $1, $2, SPAN(@2, @3), $3); }
  | arrtype "NAME" optdir
        { $$ = build_formal(parse, FORMAL_REFERENCE, $1, $2, SPAN(@2, @3), $3); }
;

funmark:
    "FUNCTION"                  { $$ = (FunctionMark){false, false}; }
  | "INLINE" "FUNCTION"         { $$ = (FunctionMark){false, true}; }
  | rec "FUNCTION"              { $$ = (FunctionMark){true, false}; }
;
fundef:
    "NAME" "(" formals ")" "IS" exprlist ":" "NL"
        { $$ = build_function_head(parse, $1, false, @1, $3, build_valof(parse, NO_NODES, NULL,
              $6, @6));
          @$ = SPAN(@1, @4); }
  | "STRING" "(" formals ")" "IS" exprlist ":" "NL"
        { $$ = build_function_head(parse, $1, true, @1, $3, build_valof(parse, NO_NODES, NULL, $6,
              @6));
          @$ = SPAN(@1, @4); }
  | "NAME" "(" formals ")" "NL" "INDENT" function_body "OUTDENT" definition_end
        { $$ = build_function_head(parse, $1, false, @1, $3, $7); @$ = SPAN(@1, @4); }
  | "STRING" "(" formals ")" "NL" "INDENT" function_body "OUTDENT" definition_end
        { $$ = build_function_head(parse, $1, true, @1, $3, $7); @$ = SPAN(@1, @4); }
;
function_body:
    valof
  | specs valof                 { $2->valof.specs = $1; $$ = $2; }
  | processes                   { $$ = build_bad_function_body(parse, $1); }
;
valof:
    "VALOF" "NL" "INDENT" process "RESULT" exprlist "NL" "OUTDENT"
        { $$ = build_valof(parse, NO_NODES, $4, $6, @1); }
  | "VALOF" "NL" "INDENT" process "RESULT" broken "OUTDENT"
        { $$ = build_valof(parse, NO_NODES, $4, LIST1($6), @1); }
  | "VALOF" "NL" "INDENT" process "OUTDENT"
        { diag_report(parse->compiler->diag, DIAG_SYNTAX_NO_RESULT, @1);
          $$ = build_valof(parse, NO_NODES, $4, LIST1(MAKE(BROKEN, @1)), @1); }
;

/* ================= processes ================= */

process:
    action
  | specs action                { $$ = build_block(parse, $1, $2); }
;
processes:
    process                     { $$ = LIST1($1); }
  | processes process           { $$ = APPEND($1, $2); }
;
block: "INDENT" processes "OUTDENT" { $$ = $2; } ;
opt_processes:
    %empty                      { $$ = NO_NODES; }
  | block
;
broken:
    error "BROKEN"              { yyerrok; $$ = MAKE(BROKEN, @2); }
  | broken_head "INDENT" processes "OUTDENT" { $$ = MAKE(BROKEN, @1); }
;
broken_head: error "BROKEN_HEAD" { yyerrok; @$ = @2; } ;

action:
    broken
  | "SKIP" "NL"                 { $$ = MAKE(SKIP, @1); }
  | "STOP" "NL"                 { $$ = MAKE(STOP, @1); }
  | "SUSPEND" "NL"              { $$ = MAKE(SUSPEND, @1); }
  | "#BODY" "NL"                { $$ = MAKE(ELSEWHERE, @1); $$->elsewhere.text = $1; }
  | lhs ":=" rhslist "NL"       { $$ = build_assignment(parse, $1, $3, SPAN(@1, @3)); }
  | "NAME" "!" outlist "NL"
        { $$ = build_on_channel(parse, NAME($1, @1), build_output(parse, $3, SPAN(@2, @3))); }
  | subel "!" outlist "NL"
        { $$ = build_on_channel(parse, $1, build_output(parse, $3, SPAN(@2, @3))); }
  | input
  | "NAME" "(" actuals ")" "NL" { $$ = build_call(parse, NODE_CALL, $1, @1, $3, SPAN(@1, @4)); }
  | "FORK" "NAME" "(" actuals ")" "NL"
        { $$ = build_call(parse, NODE_FORK, $2, @2, $4, SPAN(@1, @5)); }
  | "DYNCALL" "NAME" "(" actuals ")" "NL"
        { $$ = build_call(parse, NODE_DYNCALL, $2, @2, $4, SPAN(@1, @5)); }
  | "DYNCALL" "NAME" "(" actuals ")" "AT" expr "NL"
        { $$ = build_call(parse, NODE_DYNCALL, $2, @2, $4, SPAN(@1, @7)); $$->dyncall.at = $7; }
  | "SEQ" "NL" opt_processes    { $$ = build_seq(parse, NULL, $3, @1); }
  | "SEQ" replicator "NL" block
        { $$ = build_seq(parse, $2, LIST1(ONE($4, "a replicated SEQ")), SPAN(@1, @2)); }
  | par "NL" opt_processes      { $$ = build_par(parse, $1, NULL, NO_NODES, $3, @1); }
  | par enrols "NL" opt_processes { $$ = build_par(parse, $1, NULL, $2, $4, SPAN(@1, @2)); }
  | par replicator "NL" block
        { $$ = build_par(parse, $1, $2, NO_NODES, LIST1(ONE($4, "a replicated PAR")),
              SPAN(@1, @2)); }
  | par replicator enrols "NL" block
        { $$ = build_par(parse, $1, $2, $3, LIST1(ONE($5, "a replicated PAR")), SPAN(@1, @3)); }
  | processor "NL" block        { $$ = $1; $$->processor.process = ONE($3, "PROCESSOR"); }
  | alt "NL" opt_alternatives   { $$ = build_alt(parse, $1, NULL, $3, @1); }
  | alt replicator "NL" "INDENT" alternatives "OUTDENT"
        { build_check_one(parse, &$5, "a replicated ALT", "alternative");
          $$ = build_alt(parse, $1, $2, $5, SPAN(@1, @2)); }
  | "IF" "NL" opt_choices       { $$ = build_if(parse, NULL, $3, @1); }
  | "IF" replicator "NL" "INDENT" choices "OUTDENT"
        { build_check_one(parse, &$5, "a replicated IF", "choice");
          $$ = build_if(parse, $2, $5, SPAN(@1, @2)); }
  | "CASE" expr "NL" opt_options
        { $$ = MAKE(CASE, SPAN(@1, @2));
          $$->case_.selector = $2;
          $$->case_.options = $4; }
  | "WHILE" expr "NL" block
        { $$ = MAKE(WHILE, SPAN(@1, @2));
          $$->while_.condition = $2;
          $$->while_.process = ONE($4, "WHILE"); }
  | "WHILE" element "?" inlist "NL" block
        { $$ = build_while_input(parse, build_on_channel(parse, $2, build_input(parse, $4,
              SPAN(@3, @4))), ONE($6, "WHILE"), SPAN(@1, @4)); }
  | "WHILE" element "?" "CASE" inlist "NL" block
        { Node *process = ONE($7, "WHILE");
          $$ = build_while_input(parse, build_on_channel(parse, $2, build_single_case(parse, &$5,
              process, SPAN(@3, @5))), NULL, SPAN(@1, @5)); }
  | "WHILE" element "?" "CASE" "NL" opt_variants
        { $$ = build_while_input(parse, build_on_channel(parse, $2, build_input_case(parse, $6,
              SPAN(@3, @4))), NULL, SPAN(@1, @4)); }
  | "CLAIM" element optdir "NL" block
        { $$ = build_claim(parse, $2, $3, ONE($5, "CLAIM"), SPAN(@1, @3)); }
  | "CLAIM" element "!" outlist "NL"
        { $$ = build_claim(parse, $2, DIRECTION_OUTPUT, build_on_channel(parse,
              node_copy(parse->arena, $2), build_output(parse, $4, SPAN(@3, @4))), SPAN(@1, @4)); }
  | "CLAIM" element "?" inlist "NL"
        { $$ = build_claim(parse, $2, DIRECTION_INPUT, build_on_channel(parse,
              node_copy(parse->arena, $2), build_input(parse, $4, SPAN(@3, @4))), SPAN(@1, @4)); }
  | "FORKING" "NL" block        { $$ = WITH(FORKING, ONE($3, "FORKING"), @1); }
  | "SYNC" element "NL"         { $$ = WITH(SYNC, $2, SPAN(@1, @2)); }
  | "RESIGN" element "NL" block
        { $$ = MAKE(RESIGN, SPAN(@1, @2));
          $$->resign.element = $2;
          $$->resign.process = ONE($4, "RESIGN"); }
  | "ENROLL" elements "NL" block
        { $$ = MAKE(ENROLL, SPAN(@1, @2));
          $$->enroll.clocks = $2;
          $$->enroll.process = ONE($4, "ENROLL"); }
  | "NEXT" "NL"                 { $$ = build_next(parse, NO_NODES, NULL, @1); }
  | "NEXT" elements "NL"        { $$ = build_next(parse, $2, NULL, SPAN(@1, @2)); }
  | "NEXT" "NL" block           { $$ = build_next(parse, NO_NODES, ONE($3, "NEXT"), @1); }
  | "NEXT" elements "NL" block  { $$ = build_next(parse, $2, ONE($4, "NEXT"), SPAN(@1, @2)); }
  | "RESUME" elements "NL"      { $$ = build_with_list(parse, NODE_RESUME, $2, SPAN(@1, @2)); }
  | "DROP" elements "NL"        { $$ = build_with_list(parse, NODE_DROP, $2, SPAN(@1, @2)); }
  | "CLOSE" element dir "NL"
        { $$ = WITH(CLOSE, build_end(parse, $2, $3, SPAN(@2, @3)), SPAN(@1, @3)); }
  | "ASM" "NL"                  { $$ = MAKE(ASM, @1); }
  | "GUY" "NL"                  { $$ = MAKE(ASM, @1); $$->asm_.is_guy = true; }
;
processor:
    "PROCESSOR" expr            { $$ = MAKE(PROCESSOR, @$); $$->processor.number = $2; }
  | "PROCESSOR" "INTEGER" "NAME" /* T8: which transputer, of no meaning here */
        { $$ = MAKE(PROCESSOR, @$); $$->processor.number = $2; }
;
par:
    "PAR"                       { $$ = PAR_PLAIN; }
  | "PRI" "PAR"                 { $$ = PAR_PRI; }
  | "PLACED" "PAR"              { $$ = PAR_PLACED; }
;
alt:
    "ALT"                       { $$ = false; }
  | "PRI" "ALT"                 { $$ = true; }
;
enrols: enrol_word elements     { $$ = $2; } ;
enrol_word: "BARRIER" | "ENROLL" | "CLOCK" ;
elements:
    element                     { $$ = LIST1($1); }
  | elements "," element        { $$ = APPEND($1, $3); }
;
replicator: "NAME" "=" expr "FOR" expr step
        { $$ = build_replicator(parse, $1, @1, $3, $5, $6, @$); } ;
step:
    %empty                      { $$ = NULL; }
  | "STEP" expr                 { $$ = $2; }
;

/* the left side of :=, or the result types of a FUNCTION: told apart where the list ends */
lhs:
    "NAME"                      { $$ = LIST1(NAME($1, @1)); }
  | subel                       { $$ = LIST1($1); }
  | "NAME" "," lhsmore          { $$ = build_prepend(parse, NAME($1, @1), &$3); }
  | subel "," lhsmore           { $$ = build_prepend(parse, $1, &$3); }
;
lhsmore:
    lhsitem                     { $$ = LIST1($1); }
  | lhsmore "," lhsitem         { $$ = APPEND($1, $3); }
;
lhsitem:
    "NAME"                      { $$ = NAME($1, @1); }
  | subel | primtype | arrtype | othertype
;

/* ---- input ---- */

input:
    "NAME" input_tail           { $$ = build_on_channel(parse, NAME($1, @1), $2); }
  | subel input_tail            { $$ = build_on_channel(parse, $1, $2); }
;
input_tail:
    "?" inlist "NL"             { $$ = build_input(parse, $2, SPAN(@1, @2)); }
  | "?" "CASE" inlist "NL"      { $$ = build_single_case(parse, &$3, NULL, SPAN(@1, @3)); }
  | "?" "CASE" "NL" opt_variants { $$ = build_input_case(parse, $4, SPAN(@1, @2)); }
  | "?" "AFTER" expr "NL"       { $$ = build_delay(parse, $3, SPAN(@1, @3)); }
  | extended_tail
;
extended_tail:
    "??" inlist "NL" block
        { $$ = build_extended(parse, build_input(parse, $2, SPAN(@1, @2)), &$4); }
  | "??" "CASE" inlist "NL" block
        { $$ = build_extended(parse, build_single_case(parse, &$3, NULL, SPAN(@1, @3)), &$5); }
  | "??" "CASE" "NL" "INDENT" variants "OUTDENT"
        { $$ = build_extended_case(parse, $5, SPAN(@1, @2)); }
;
inlist:
    initem                      { $$ = LIST1($1); }
  | inlist ";" initem           { $$ = APPEND($1, $3); }
;
initem:
    element
  | element "::" element
        { $$ = MAKE(COUNTED, @$);
          $$->counted.count = $1;
          $$->counted.array = $3; }
;
outlist:
    outitem                     { $$ = LIST1($1); }
  | outlist ";" outitem         { $$ = APPEND($1, $3); }
;
outitem:
    rhs
  | rhs "::" rhs
        { $$ = MAKE(COUNTED, @$);
          $$->counted.count = $1;
          $$->counted.array = $3; }
;
opt_variants:
    %empty                      { $$ = NO_NODES; }
  | "INDENT" variants "OUTDENT" { $$ = $2; }
;
variants:
    variant                     { $$ = LIST1($1); }
  | variants variant            { $$ = APPEND($1, $2); }
;
variant:
    variant_head
  | specs variant_head          { $$ = build_variant_with(parse, $1, $2); }
;
variant_head:
    "NAME" "NL" block           { $$ = build_variant(parse, $1, @1, NO_NODES, &$3, @1); }
  | "NAME" ";" inlist "NL" block { $$ = build_variant(parse, $1, @1, $3, &$5, SPAN(@1, @3)); }
  | broken
;

/* ---- IF, CASE ---- */

opt_choices:
    %empty                      { $$ = NO_NODES; }
  | "INDENT" choices "OUTDENT"  { $$ = $2; }
;
choices:
    choice                      { $$ = LIST1($1); }
  | choices choice              { $$ = APPEND($1, $2); }
;
choice:
    choice_head
  | specs choice_head           { $$ = $2; if ($$->kind == NODE_CHOICE) { $$->choice.specs = $1; } }
;
choice_head:
    expr "NL" block             { $$ = build_choice(parse, $1, syntax_error_no_if(parse, $1, &$3) ? $3.items[0] : ONE($3, "a choice"), @1); }
  | "IF" "NL" opt_choices
        { $$ = build_choice(parse, NULL, build_if(parse, NULL, $3, @1), @1); }
  | "IF" replicator "NL" "INDENT" choices "OUTDENT"
        { build_check_one(parse, &$5, "a replicated IF", "choice");
          $$ = build_choice(parse, NULL, build_if(parse, $2, $5, SPAN(@1, @2)), SPAN(@1, @2)); }
  | broken
;
opt_options:
    %empty                      { $$ = NO_NODES; }
  | "INDENT" options "OUTDENT"  { $$ = $2; }
;
options:
    option                      { $$ = LIST1($1); }
  | options option              { $$ = APPEND($1, $2); }
;
option:
    option_head
  | optspecs option_head        { $$ = $2; if ($$->kind == NODE_OPTION) { $$->option.specs = $1; } }
;
optspecs:
    spec0
  | broken_spec
  | expr "," pmore funmark fundef
        { NodeList all = build_prepend(parse, $1, &$3);
          $$ = LIST1(build_function(parse, build_result_types(parse, all), $4, $5, SPAN(@1, @5))); }
  | optspecs spec0              { $$ = JOIN($1, $2); }
  | optspecs broken_spec        { $$ = JOIN($1, $2); }
  | optspecs expr "," pmore funmark fundef
        { NodeList all = build_prepend(parse, $2, &$4);
          $$ = APPEND($1, build_function(parse, build_result_types(parse, all), $5, $6,
              SPAN(@2, @6))); }
;
option_head:
    expr "NL" block
        { $$ = build_option(parse, LIST1($1), false, ONE($3, "an option"), @1); }
  | expr "," pmore "NL" block
        { $$ = build_option(parse, build_prepend(parse, $1, &$3), false, ONE($5, "an option"),
              SPAN(@1, @3)); }
  | "ELSE" "NL" block
        { $$ = build_option(parse, NO_NODES, true, ONE($3, "an option"), @1); }
  | broken
;
pmore:
    pitem                       { $$ = LIST1($1); }
  | pmore "," pitem             { $$ = APPEND($1, $3); }
;
pitem: expr | primtype ;

/* ---- ALT ---- */

opt_alternatives:
    %empty                      { $$ = NO_NODES; }
  | "INDENT" alternatives "OUTDENT" { $$ = $2; }
;
alternatives:
    alternative                 { $$ = LIST1($1); }
  | alternatives alternative    { $$ = APPEND($1, $2); }
;
alternative:
    alternative_head
  | specs alternative_head
        { $$ = $2;
          if ($$->kind == NODE_ALTERNATIVE) { $$->alternative.specs = $1; } }
;
alternative_head:
    "NAME" guard_tail           { $$ = build_on_channel(parse, NAME($1, @1), $2); }
  | subel guard_tail            { $$ = build_on_channel(parse, $1, $2); }
  | expr "&" guarded            { $$ = build_condition(parse, $1, $3); }
  | other_guard
  | alt "NL" opt_alternatives
        { $$ = build_alternative(parse, build_alt(parse, $1, NULL, $3, @1), NULL, @1); }
  | alt replicator "NL" "INDENT" alternatives "OUTDENT"
        { build_check_one(parse, &$5, "a replicated ALT", "alternative");
          $$ = build_alternative(parse, build_alt(parse, $1, $2, $5, SPAN(@1, @2)), NULL,
              SPAN(@1, @2)); }
  | broken
;
guarded:
    element guard_tail          { $$ = build_on_channel(parse, $1, $2); }
  | other_guard
;
guard_tail:
    "?" inlist "NL" guarded_process
        { $$ = build_alternative(parse, build_input(parse, $2, SPAN(@1, @2)), $4, SPAN(@1, @2)); }
  | "?" "CASE" inlist "NL" guarded_process
        { $$ = build_alternative(parse, build_single_case(parse, &$3, $5, SPAN(@1, @3)), NULL,
              SPAN(@1, @3)); }
  | "?" "CASE" "NL" opt_variants
        { $$ = build_alternative(parse, build_input_case(parse, $4, SPAN(@1, @2)), NULL,
              SPAN(@1, @2)); }
  | "?" "AFTER" expr "NL" guarded_process
        { $$ = build_alternative(parse, build_delay(parse, $3, SPAN(@1, @3)), $5, SPAN(@1, @3)); }
  | extended_tail
        { $$ = build_alternative(parse, $1, NULL, $1->at); }
  | "!" outlist "NL" guarded_process
        { $$ = build_alternative(parse, build_output(parse, $2, SPAN(@1, @2)), $4, SPAN(@1, @2)); }
;
other_guard:
    "SKIP" "NL" guarded_process { $$ = build_alternative(parse, MAKE(SKIP, @1), $3, @1); }
  | "NEXT" "NL" guarded_process
        { $$ = build_alternative(parse, build_next(parse, NO_NODES, NULL, @1), $3, @1); }
  | "NEXT" elements "NL" guarded_process
        { $$ = build_alternative(parse, build_next(parse, $2, NULL, SPAN(@1, @2)), $4,
              SPAN(@1, @2)); }
  | "CLOSED" element dir "NL" guarded_process
        { $$ = build_alternative(parse, WITH(CLOSED, build_end(parse, $2, $3, SPAN(@2, @3)),
              SPAN(@1, @3)), $5, SPAN(@1, @3)); }
;
guarded_process: block          { $$ = ONE($1, "an alternative"); } ;

/* ================= expressions ================= */

exprlist:
    expr                        { $$ = LIST1($1); }
  | exprlist "," expr           { $$ = APPEND($1, $3); }
;
rhslist:
    rhs                         { $$ = LIST1($1); }
  | rhslist "," rhs             { $$ = APPEND($1, $3); }
;
actuals:
    %empty                      { $$ = NO_NODES; }
  | actlist
;
actlist:
    actual                      { $$ = LIST1($1); }
  | actlist "," actual          { $$ = APPEND($1, $3); }
;
actual:
    rhs
  | element "?"                 { $$ = build_end(parse, $1, DIRECTION_INPUT, @$); }
  | element "!"                 { $$ = build_end(parse, $1, DIRECTION_OUTPUT, @$); }
;
rhs: expr | allocation ;

expr:
    operand %prec LOW
  | operand dop operand         { $$ = build_dyadic(parse, $2, $1, $3, @$); }
  | andchain                    { $$ = build_chain(parse, OPERATION(AND), &$1, @$); }
  | orchain                     { $$ = build_chain(parse, OPERATION(OR), &$1, @$); }
  | mop operand                 { $$ = build_monadic(parse, $1, $2, @$); }
  | conversion
  | "SIZE" operand optdir       { $$ = WITH(SIZE, build_end(parse, $2, $3, SPAN(@2, @3)), @$); }
  | "SIZE" arrtype2             { $$ = WITH(SIZE, $2, @$); }
  | "CLONE" operand             { $$ = WITH(CLONE, $2, @$); }
  | "DEFINED" operand           { $$ = WITH(DEFINED, $2, @$); }
  | "CLOSED" element dir        { $$ = WITH(CLOSED, build_end(parse, $2, $3, SPAN(@2, @3)), @$); }
  | "PHASE" element             { $$ = WITH(PHASE, $2, @$); }
;
andchain:
    operand "AND" operand       { $$ = APPEND(LIST1($1), $3); }
  | andchain "AND" operand      { $$ = APPEND($1, $3); }
;
orchain:
    operand "OR" operand        { $$ = APPEND(LIST1($1), $3); }
  | orchain "OR" operand        { $$ = APPEND($1, $3); }
;
dop:
    "+"                         { $$ = OPERATION(ADD); }
  | "-"                         { $$ = OPERATION(SUBTRACT); }
  | "*"                         { $$ = OPERATION(MULTIPLY); }
  | "/"                         { $$ = OPERATION(DIVIDE); }
  | "\\"                        { $$ = OPERATION(REMAINDER); }
  | "REM"                       { $$ = OPERATION(REMAINDER); }
  | "PLUS"                      { $$ = OPERATION(PLUS); }
  | "MINUS"                     { $$ = OPERATION(MINUS); }
  | "TIMES"                     { $$ = OPERATION(TIMES); }
  | "/\\"                       { $$ = OPERATION(BITAND); }
  | "BITAND"                    { $$ = OPERATION(BITAND); }
  | "\\/"                       { $$ = OPERATION(BITOR); }
  | "BITOR"                     { $$ = OPERATION(BITOR); }
  | "><"                        { $$ = OPERATION(BITXOR); }
  | "<<"                        { $$ = OPERATION(SHIFT_LEFT); }
  | ">>"                        { $$ = OPERATION(SHIFT_RIGHT); }
  | "="                         { $$ = OPERATION(EQUAL); }
  | "<>"                        { $$ = OPERATION(NOT_EQUAL); }
  | "<"                         { $$ = OPERATION(LESS); }
  | "<="                        { $$ = OPERATION(LESS_EQUAL); }
  | ">"                         { $$ = OPERATION(GREATER); }
  | ">="                        { $$ = OPERATION(GREATER_EQUAL); }
  | "AFTER"                     { $$ = OPERATION(AFTER); }
  | "USER_OPERATOR"             { $$ = (Operation){OPERATOR_USER, $1}; }
;
mop:
    "-"                         { $$ = OPERATION(NEGATE); }
  | "MINUS"                     { $$ = OPERATION(MINUS); }
  | "~"                         { $$ = OPERATION(BITNOT); }
  | "BITNOT"                    { $$ = OPERATION(BITNOT); }
  | "NOT"                       { $$ = OPERATION(NOT); }
  | "USER_OPERATOR"             { $$ = (Operation){OPERATOR_USER, $1}; }
  | "??"
        { $$ = (Operation){OPERATOR_USER, text_intern_string(parse->compiler->texts, "?\?")}; }
;
conversion:
    primtype operand            { $$ = build_conversion(parse, $1, ROUNDING_NONE, $2, @$); }
  | primtype rt operand         { $$ = build_conversion(parse, $1, $2, $3, @$); }
  | "NAME" rt operand           { $$ = build_conversion(parse, TYPE($1, @1), $2, $3, @$); }
  | "NAME" convop
        { $$ = build_conversion(parse, TYPE($1, @1), ROUNDING_NONE, $2, @$); }
;
rt:
    "ROUND"                     { $$ = ROUNDING_ROUND; }
  | "TRUNC"                     { $$ = ROUNDING_TRUNC; }
;
convop:
    element %prec LOW
  | call
  | literal
  | limit
  | literal "[" expr "]"        { $$ = build_subscript(parse, $1, $3, @$); }
  | call "[" expr "]"           { $$ = build_subscript(parse, $1, $3, @$); }
;
limit:
    "MOSTPOS" mtype             { $$ = build_limit(parse, false, $2, @$); }
  | "MOSTNEG" mtype             { $$ = build_limit(parse, true, $2, @$); }
;
mtype:
    primtype
  | "NAME"                      { $$ = TYPE($1, @1); }
;
arrtype2:
    "[" expr "]" primtype       { $$ = build_array_type(parse, $2, $4, @$); }
  | "[" expr "]" "NAME"         { $$ = build_array_type(parse, $2, TYPE($4, @4), @$); }
  | "[" expr "]" arrtype2       { $$ = build_array_type(parse, $2, $4, @$); }
;

operand: element | nonel ;
element:
    "NAME" %prec LOW            { $$ = NAME($1, @1); }
  | subel
;
subel:
    "NAME" "[" expr "]"         { $$ = build_subscript(parse, NAME($1, @1), $3, @$); }
  | subel "[" expr "]"          { $$ = build_subscript(parse, $1, $3, @$); }
  | segment
;
segment:
    "[" actual "FROM" expr "FOR" expr "]" { $$ = build_segment(parse, $2, $4, $6, @$); }
  | "[" actual "FROM" expr "]"  { $$ = build_segment(parse, $2, $4, NULL, @$); }
  | "[" actual "FOR" expr "]"   { $$ = build_segment(parse, $2, NULL, $4, @$); }
;
nonel:
    literal
  | limit
  | call
  | "(" expr ")"                { $$ = $2; }
  | "(" expr "," pmore ")"
        { $$ = build_expression_list(parse, build_prepend(parse, $2, &$4), @$); }
  | "(" valof ")"               { $$ = $2; $$->at = @$; }
  | "(" specs0 valof ")"        { $$ = $3; $$->valof.specs = $2; $$->at = @$; }
  | table
  | constructor
  | "[" expr "]"                { $$ = build_table(parse, LIST1($2), NULL, @$); }
  | "[" element dir "]"
        { $$ = build_table(parse, LIST1(build_end(parse, $2, $3, SPAN(@2, @3))), NULL, @$); }
  | "[]"                        { $$ = build_table(parse, NO_NODES, NULL, @$); }
  | "BYTESIN" "(" typeorop ")"  { $$ = WITH(BYTESIN, $3, @$); }
  | "OFFSETOF" "(" "NAME" "," "NAME" ")"
        { $$ = MAKE(OFFSETOF, @$);
          $$->offsetof_.type_expr = TYPE($3, @3);
          $$->offsetof_.field = $5; }
  | "TYPEHASHOF" "(" typeorop ")" { $$ = WITH(TYPEHASHOF, $3, @$); }
  | "ADDROF" "(" operand ")"    { $$ = WITH(ADDROF, $3, @$); }
  | "HWADDROF" "(" operand ")"  { $$ = WITH(ADDROF, $3, @$); $$->addrof.is_hardware = true; }
  | nonelsub
;
nonelsub:
    literal "[" expr "]"        { $$ = build_subscript(parse, $1, $3, @$); }
  | call "[" expr "]"           { $$ = build_subscript(parse, $1, $3, @$); }
  | table "[" expr "]"          { $$ = build_subscript(parse, $1, $3, @$); }
  | constructor "[" expr "]"    { $$ = build_subscript(parse, $1, $3, @$); }
  | "(" expr ")" "[" expr "]"   { $$ = build_subscript(parse, $2, $5, @$); }
  | nonelsub "[" expr "]"       { $$ = build_subscript(parse, $1, $3, @$); }
;
typeorop: operand | primtype | othertype | arrtype2 ;
call: "NAME" "(" actuals ")"    { $$ = build_call(parse, NODE_FUNCTION_CALL, $1, @1, $3, @$); } ;
literal:
    "TRUE"                      { $$ = build_boolean(parse, true, @1); }
  | "FALSE"                     { $$ = build_boolean(parse, false, @1); }
  | lit
  | lit "(" dectype ")"         { $$ = build_decorated($1, $3, @$); }
  | "STRING"                    { $$ = build_string(parse, $1, @1); }
  | "STRING" "(" "NAME" ")"
        { $$ = build_decorated(build_string(parse, $1, @1), TYPE($3, @3), @$); }
;
lit:
    "INTEGER"
  | "BYTE_LITERAL"
  | "REAL"                      { $$ = build_real(parse, $1, @1); }
;
dectype:
    primtype
  | "NAME"                      { $$ = TYPE($1, @1); }
;
table:
    "[" actual "," actlist "]"
        { $$ = build_table(parse, build_prepend(parse, $2, &$4), NULL, @$); }
  | "[" actual "," actlist "]" "(" "NAME" ")"
        { $$ = build_table(parse, build_prepend(parse, $2, &$4), TYPE($7, @7), @$); }
  | "[" expr "]" "(" "NAME" ")"
        { $$ = build_table(parse, LIST1($2), TYPE($5, @5), @$); }
;
constructor:
    "[|" replicator "|" expr "]"
        { $$ = MAKE(CONSTRUCTOR, @$); $$->constructor.replicator = $2; $$->constructor.value = $4; }
;

/* ---- mobile allocation ---- */

allocation: "MOBILE" allocmods  { $$ = $2; $$->at = @$; } ;
allocmods:
    alloctype
  | "DMA" allocmods             { $$ = $2; $$->allocation.is_dma = true; }
  | "EMPTY" allocmods           { $$ = $2; $$->allocation.is_empty = true; }
  | "ALIGNED" "(" operand ")" allocmods { $$ = $5; $$->allocation.aligned = $3; }
;
alloctype:
    "NAME"
        { $$ = MAKE(ALLOCATION, @$);
          $$->allocation.type_expr = TYPE($1, @1); }
  | primtype
        { $$ = MAKE(ALLOCATION, @$);
          $$->allocation.type_expr = $1; }
  | "BARRIER"
        { $$ = MAKE(ALLOCATION, @$);
          $$->allocation.type_expr = PRIMITIVE(BARRIER, @1); }
  | "CLOCK"
        { $$ = MAKE(ALLOCATION, @$);
          $$->allocation.type_expr = PRIMITIVE(CLOCK, @1); }
  | dims atype
        { $$ = MAKE(ALLOCATION, @$);
          $$->allocation.dimensions = $1;
          $$->allocation.type_expr = $2; }
;
dims:
    "[" expr "]"                { $$ = LIST1($2); }
  | dims "[" expr "]"           { $$ = APPEND($1, $3); }
;
atype:
    primtype
  | "NAME"                      { $$ = TYPE($1, @1); }
  | "NAME" dir                  { $$ = TYPE_END($1, @$, $2); }
  | "SHARED" "NAME" dir         { $$ = build_shared_type(parse, TYPE_END($2, @$, $3), @$); }
  | "CHAN" opt_of ptype         { $$ = build_channel_type(parse, $3, false, DIRECTION_NONE, @$); }
  | "MOBILE" boxed              { $$ = build_mobile_type(parse, $2, @$); }
  | "MOBILE" fixed              { $$ = build_mobile_type(parse, $2, @$); }
  | "SHARED" "MOBILE.CHAN" optdir { $$ = build_mobile_chan(parse, $3, true, @$); }
  | "MOBILE.CHAN" optdir        { $$ = build_mobile_chan(parse, $2, false, @$); }
  | "MOBILE.PROC"               { $$ = PRIMITIVE(MOBILE_PROC, @1); }
  | "MOBILE.ANY"                { $$ = PRIMITIVE(MOBILE_ANY, @1); }
  | "MOBILE" primtype           { $$ = build_mobile_type(parse, $2, @$); }
  | "MOBILE" "NAME"             { $$ = build_mobile_type(parse, TYPE($2, @2), @$); }
  | "MOBILE" "BARRIER"          { $$ = build_mobile_type(parse, PRIMITIVE(BARRIER, @2), @$); }
  | "MOBILE" "CLOCK"            { $$ = build_mobile_type(parse, PRIMITIVE(CLOCK, @2), @$); }
;
boxed:
    "[]" atype                  { $$ = build_array_type(parse, NULL, $2, @$); }
  | "[]" boxed                  { $$ = build_array_type(parse, NULL, $2, @$); }
;
fixed:
    "[" expr "]" atype          { $$ = build_array_type(parse, $2, $4, @$); }
;
%%

/* ---- tokens ---- */

static const int bison_tokens[] = {
#define TOKEN(NAME, shown, CLASS) [TOKEN_##NAME] = T_##NAME,
#define KEYWORD(NAME, word, CLASS) [TOKEN_##NAME] = T_##NAME,
#define CONTEXTUAL(NAME, word, CLASS) [TOKEN_##NAME] = T_##NAME,
#include "token.def"
#undef TOKEN
#undef KEYWORD
#undef CONTEXTUAL
};

static int grammar_lex(GRAMMAR_STYPE *value, Location *at, Parse *parse) {
    Token token;
    parse_next_token(parse, &token);
    *at = token.at;
    if (token.kind == TOKEN_INTEGER) {
        value->node = build_integer(parse, &token);
    } else if (token.kind == TOKEN_BYTE_LITERAL) {
        value->node = build_byte(parse, &token);
    } else {
        value->text = token.text;
    }
    return bison_tokens[token.kind];
}

/* ---- errors ---- */

static TokenKind kind_of_symbol(yysymbol_kind_t symbol) {
    static const unsigned char kinds[YYNTOKENS] = {
#define TOKEN(NAME, shown, CLASS) [YYSYMBOL_T_##NAME] = TOKEN_##NAME,
#define KEYWORD(NAME, word, CLASS) [YYSYMBOL_T_##NAME] = TOKEN_##NAME,
#define CONTEXTUAL(NAME, word, CLASS) [YYSYMBOL_T_##NAME] = TOKEN_##NAME,
#define YYSYMBOL_T_END YYSYMBOL_YYEOF
#include "token.def"
#undef TOKEN
#undef KEYWORD
#undef CONTEXTUAL
    };
    return (TokenKind)kinds[symbol];
}

static bool state_shifts(int state, yysymbol_kind_t symbol, int *next) {
    int index = yypact[state];
    if (yypact_value_is_default(index)) {
        return false;
    }
    index += (int)symbol;
    if (index < 0 || index > YYLAST || yycheck[index] != (int)symbol || yytable[index] <= 0) {
        return false;
    }
    *next = yytable[index];
    return true;
}

/* What bison is about to do: drop states until one shifts `error`. How many INDENTs go too? */
static void plan_recovery(const yypcontext_t *context, Recovery *recovery) {
    int next = 0;
    for (const yy_state_t *state = context->yyssp;; state--) {
        if (state_shifts(*state, YYSYMBOL_YYerror, &next)) {
            break;
        }
        if (*state == 0) {
            return;
        }
        yysymbol_kind_t symbol = (yysymbol_kind_t)yystos[*state];
        recovery->dropped_levels += symbol == YYSYMBOL_T_INDENT;
        recovery->dropped_levels -= symbol == YYSYMBOL_T_OUTDENT;
    }
    int unused = 0;
    recovery->takes_process = state_shifts(next, YYSYMBOL_T_BROKEN, &unused);
    recovery->takes_process_head = state_shifts(next, YYSYMBOL_T_BROKEN_HEAD, &unused);
    recovery->takes_spec = state_shifts(next, YYSYMBOL_T_BROKEN_SPEC, &unused);
    recovery->takes_spec_head = state_shifts(next, YYSYMBOL_T_BROKEN_SPEC_HEAD, &unused);
    recovery->takes_colon = state_shifts(next, YYSYMBOL_T_BROKEN_COLON, &unused);
}

static int yyreport_syntax_error(const yypcontext_t *context, Parse *parse) {
    yysymbol_kind_t symbols[YYNTOKENS];
    int count = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
    ExpectedSet expected = {0};
    for (int i = 0; i < count; i++) {
        expected.has[kind_of_symbol(symbols[i])] = true;
        expected.count++;
    }
    syntax_error_report(parse, &expected);
    /* after the process of a VALOF only RESULT can stand, or the end of the block */
    bool wants_result =
        expected.has[TOKEN_RESULT] && expected.has[TOKEN_OUTDENT] && expected.count == 2;
    Recovery recovery = {.is_on = true, .wants_result = wants_result};
    plan_recovery(context, &recovery);
    parse_recover_from(parse, &recovery);
    return 0;
}

/* Bison itself calls this only when its stack is full. */
static void grammar_error(const Location *at, Parse *parse, const char *message) {
    (void)message;
    syntax_error_depth(parse, *at);
}
