/* syntax_hint -- what the files with messages for common slips share; syntax_error.c calls them.
 *
 * Each try_... function looks at the token found, the statement up to it and what was expected, and
 * returns true when it has reported. */
#ifndef OCCC_SYNTAX_HINT_H
#define OCCC_SYNTAX_HINT_H

#include "parse_state.h"

typedef struct Slip {
    Parse *parse;
    Diag *diag;
    const ExpectedSet *expected;
    const Token *found;
    const Token *line; /* the statement up to found, found included unless it is layout */
    size_t count;
    const Token *before; /* the token before found in its statement; NULL when it is the first */
} Slip;

#define IF_HINT                                                                                    \
    "each condition stands on a line of its own, two columns deeper, over what it chooses; the "   \
    "last is TRUE"

/* slip_create -- for the token handed to the grammar last. */
Slip slip_create(Parse *parse, const ExpectedSet *expected);

/* Keywords in lower case and misspelt (syntax_keyword.c). */
bool try_lower_case(const Slip *slip);
bool try_choice_above(const Slip *slip);
bool try_misspelt_head(const Slip *slip);
/* try_misspelt_keyword -- a name that is alone as a process and resembles a keyword. */
bool try_misspelt_keyword(const Slip *slip, const Token *token);
/* Words of other languages (syntax_foreign.c). */
bool try_foreign_word(const Slip *slip);
bool try_else_if(const Slip *slip);
bool try_word_before_operand(const Slip *slip);
bool try_word_of_formal(const Slip *slip);
bool try_made_channel(const Slip *slip);
bool try_operator_word(const Slip *slip);
/* Forms of other languages (syntax_foreign_form.c). */
bool try_increment(const Slip *slip);
bool try_arrow(const Slip *slip);
bool try_arrow_of_xc(const Slip *slip);
bool try_input_value(const Slip *slip);
bool try_routine_of_c(const Slip *slip);
bool try_declaration_of_pascal(const Slip *slip);
bool try_function_without_type(const Slip *slip);
bool try_formal_order(const Slip *slip);
bool try_formal_value(const Slip *slip);
bool try_cast(const Slip *slip);
bool try_star(const Slip *slip);
bool try_ampersand(const Slip *slip);
bool try_not(const Slip *slip);
bool try_question_mark(const Slip *slip);
bool try_slice(const Slip *slip);
bool try_input_expression(const Slip *slip);
bool try_comment(const Slip *slip);
/* Operators without precedence (syntax_precedence.c). */
bool try_precedence(const Slip *slip);
/* slip_expression_start -- the first token of the expression that ends just before `end`. */
size_t slip_expression_start(const Slip *slip, size_t end);
/* slip_operand_end -- the column after the operand that follows the token found; 0: it is more than
 * a simple operand. */
uint32_t slip_operand_end(const Slip *slip);
/* && and || (syntax_conjunction.c). */
bool try_conjunction(const Slip *slip);
/* syntax_operator_is_defined -- does a FUNCTION of the program define it (syntax_foreign.c)? */
bool syntax_operator_is_defined(const Parse *parse, const Text *text);
/* ':' and blocks (syntax_block.c). */
bool try_missing_colon(const Slip *slip);
bool try_closing_colon(const Slip *slip);
bool try_body_beside(const Slip *slip);
bool try_process_beside(const Slip *slip);
bool try_missing_block(const Slip *slip);
bool try_unexpected_block(const Slip *slip);
bool try_specification_last(const Slip *slip);
/* syntax_form_hint -- a hint below the message just given, for a form that is nearly right
 * (syntax_form.c). */
void syntax_form_hint(const Slip *slip);
/* Constructs (syntax_construct.c). */
bool try_priority_behind(const Slip *slip);
bool try_if_line(const Slip *slip);
bool try_lone_name(const Slip *slip);
bool try_if_else(const Slip *slip);
bool try_function_mark(const Slip *slip);
bool try_valof_process(const Slip *slip);
bool try_bare_function(const Slip *slip);
bool try_result_alone(const Slip *slip);
bool try_outermost(const Slip *slip);
/* slip_is_layout -- NL, INDENT, OUTDENT or the end. */
bool slip_is_layout(TokenKind kind);
/* slip_spelling -- how a token of a fixed spelling, or an operator, is written. */
const char *slip_spelling(const Token *token);
bool slip_line_has(const Slip *slip, TokenKind kind);
/* slip_before, slip_after -- the empty places at both ends of a place. */
Location slip_before(Location at);
Location slip_after(Location at);
/* slip_expects_operand -- could an expression begin at the token found? */
bool slip_expects_operand(const Slip *slip);
/* slip_text_behind -- the text after a place, to the end of the line and beyond; with or without
 * the leading blanks. */
const char *slip_text_behind(const Slip *slip, Location at, bool skips_blanks);
bool slip_is_operator(const Token *token, const char *spelled);

#endif
