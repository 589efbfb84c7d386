/* condition -- the expression of #IF and #ELIF.
 *
 *   condition = primary { ("AND" | "OR") primary }
 *   primary   = "(" condition ")" | "NOT" primary | "TRUE" | "FALSE" | "DEFINED" "(" name ")"
 *             | operand [ ("=" | "<>" | "<" | "<=" | ">" | ">=") operand ]
 *   operand   = name | number | string
 *
 * A name alone is true when it is defined and not 0. A comparison with a name that nobody defined
 * is false, with a warning, whatever the operator. Evaluation is lazy: a part that does not matter
 * may name what is not defined. */
#ifndef OCCC_CONDITION_H
#define OCCC_CONDITION_H

#include "define.h"
#include "diag.h"

typedef struct ConditionContext {
    TextTable *texts;
    Diag *diag;
    const DefineTable *defines;
} ConditionContext;

/* condition_evaluate -- `at` is where `text` begins. A malformed one is reported, and false. */
bool condition_evaluate(const ConditionContext *context, const char *text, size_t length,
                        Location at);

#endif
