/* check -- the passes between the parser and the code generator, with their contracts.
 *
 * Run them in this order; each takes the tree of the whole compilation and tolerates a tree with
 * errors (BROKEN nodes, error types), so that one run shows the mistakes of every kind. Code is
 * generated only when no error was reported.
 *
 * What they leave in the tree for the code generator:
 *   names        DEF.symbol, NAME.symbol, TYPE_NAMED.symbol are set. A NAME whose symbol is a VALUE
 *                with a constant also has the constant itself.
 *   types        every expression and every type node has `type`; untyped literals have taken the
 *                type of their place (default INT, BYTE). A DEF's symbol has kind, type, owner.
 *                A call of a FUNCTION with several results, and a VALOF with several, have TUPLE.
 *                A name abbreviating with [] keeps the count of what it names when that is fixed;
 *                so does an actual of a formal with []. A NAME of a PROC or type has the error
 *                type.
 *   constants    every expression whose value is known has `constant`, arrays and records too
 *                (their memory image); `VAL x IS constant` gives the symbol the constant.
 *   rewritten    NAME e, NAME (e) with a type: CONVERSION. r[field]: FIELD. The first item of an
 *                output to a variant protocol, VARIANT.tag: TAG_USE. INPUT of a TIMER: is_timer.
 *   protocols    items of a communication stand one to one to the items of the protocol, nested
 *                sequential protocols flattened into it (TYPE_SEQUENCE holds no sequences).
 *   operators    MONADIC and DYADIC with user_operator set are calls of that FUNCTION; then op does
 *                not matter. Comparing lists: DYADIC EQUAL of two EXPRESSION_LISTs, BOOL.
 *   RETYPES      the type of the abbreviation's symbol is complete except that one dimension may be
 *                open when the size of the value is known only at run time.
 *   calls        callee is NAME with a symbol of kind PROC, FUNCTION or PREDEFINED; the actuals fit
 *                the formals one to one. A channel actual is NAME, SUBSCRIPT, SEGMENT, FIELD, END
 *                of one of them, or a TABLE of such. */
#ifndef OCCC_CHECK_H
#define OCCC_CHECK_H

#include "compiler.h"
#include "symbol.h"

/* check_types -- every name means something, every expression has a type that its place accepts.
 * Needs:  the tree of parse_program.
 * Gives:  the fields above; diagnostics names-*, types-*, not-supported. Returns how many symbols
 *         there are: every Symbol.number is smaller.
 * Breaks: nothing.
 * Source: language.md 1.3 to 1.8, 2, 3.1, 3.5. */
uint32_t check_types(Compiler *compiler, Node *unit);

/* check_effects -- what routines and branches of PAR use from outside.
 * Needs:  check_types.
 * Gives:  ProcInfo of every PROC and FUNCTION, ParInfo of every PAR; the rules of VALOF that look
 *         through calls (types-valof-*), channel directions that only the calls reveal
 *         (types-direction); the tree is otherwise unchanged.
 * Breaks: nothing.
 * Source: language.md 2.1, 3.4. */
void check_effects(Compiler *compiler, Node *unit);

/* check_clock -- every process is enrolled on the clocks it names, in a state that allows what it
 * does.
 * Needs:  check_effects.
 * Gives:  diagnostics clock-*; NEXT without names has the names of all clocks of its process.
 * Breaks: nothing.
 * Source: language.md 4.3. */
void check_clock(Compiler *compiler, Node *unit);
/* clock_is -- the symbol of a CLOCK or BARRIER. */
bool clock_is(const Symbol *symbol);

/* check_alias -- no object is used under two names at once.
 * Needs:  check_effects.
 * Gives:  diagnostics alias-*; the tree is unchanged.
 * Breaks: nothing.
 * Source: language.md 3.3. */
void check_alias(Compiler *compiler, Node *unit);

/* check_usage -- no variable or channel end is used by two branches of a PAR against the rules.
 * Needs:  check_effects.
 * Gives:  diagnostics usage-*; the tree is unchanged.
 * Breaks: nothing.
 * Source: language.md 3.2, decision 0009. */
void check_usage(Compiler *compiler, Node *unit);

/* check_placed -- a PLACED PAR has PROCESSORs, and what they share can go to another machine.
 * Needs:  check_effects.
 * Gives:  diagnostics placed-*; the tree is unchanged.
 * Breaks: nothing.
 * Source: extensions.md 8. */
void check_placed(Compiler *compiler, Node *unit);

/* check_unused -- warnings about names that nothing uses.
 * Needs:  check_types, and no errors: a program with errors may lack the uses.
 * Gives:  warnings names-unused. */
void check_unused(Compiler *compiler, Node *unit);

/* check_flow -- warnings about variables without a value and processes that nothing reaches.
 * Needs:  check_effects, and no errors.
 * Gives:  warnings flow-*; the tree is unchanged.
 * Source: language.md 3.1. */
void check_flow(Compiler *compiler, Node *unit);

/* What a formal of the main PROC stands for. */
typedef enum MainChannel { MAIN_KEYBOARD, MAIN_SCREEN, MAIN_ERROR } MainChannel;

#define MAIN_CHANNEL_LIMIT 3

/* check_find_main -- the last PROC of the outermost level and the roles of its formals.
 * Needs:  check_effects (formals without a direction have one then, when their use shows it).
 * Gives:  the symbol and one role per formal; NULL after a diagnostic types-main-*, also when there
 *         is no PROC. Call it only when a program is linked.
 * Source: language.md 5.1. */
Symbol *check_find_main(Compiler *compiler, Node *unit, MainChannel roles[MAIN_CHANNEL_LIMIT],
                        size_t *role_count);
/* check_main_formals -- the same of any PROC: false after a diagnostic.
 * check_main_role -- the role of a formal by its name and direction alone; false: unclear. */
bool check_main_formals(Compiler *compiler, const Node *proc,
                        MainChannel roles[MAIN_CHANNEL_LIMIT]);
bool check_main_role(const char *name, Direction direction, MainChannel *role);

#endif
