/* linear_form -- sums of multiples of integer values: a * x + b * y + ... + constant.
 *
 * Holds:  a form is about unbounded integers, whatever the width of the values in it, each read as
 *         signed. Every operation returns whether its result fits the limits; one that does not is
 *         never used. */
#ifndef OCCC_LINEAR_FORM_H
#define OCCC_LINEAR_FORM_H

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdint.h>

#define LINEAR_TERMS 6
#define LINEAR_LIMIT (INT64_C(1) << 40) /* of factors and of the constant */

typedef struct LinearTerm {
    LLVMValueRef value;
    int64_t factor; /* never 0 */
} LinearTerm;

typedef struct LinearForm {
    int64_t constant;
    unsigned count;
    LinearTerm terms[LINEAR_TERMS];
} LinearForm;

LinearForm form_constant(int64_t constant);
/* form_add_value -- form + factor * value. */
bool form_add_value(LinearForm *form, LLVMValueRef value, int64_t factor);
/* form_add -- form + factor * other. */
bool form_add(LinearForm *form, const LinearForm *other, int64_t factor);
/* form_factor -- 0 when the value is not in the form. */
int64_t form_factor(const LinearForm *form, LLVMValueRef value);
/* form_remove -- remove the value and return its factor. */
int64_t form_remove(LinearForm *form, LLVMValueRef value);

#endif
