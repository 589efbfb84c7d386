/* linear_form -- see the header. */
#include "linear_form.h"

#include <stddef.h>

LinearForm form_constant(int64_t constant) {
    return (LinearForm){.constant = constant};
}

static bool is_held(int64_t number) {
    return number < LINEAR_LIMIT && number > -LINEAR_LIMIT;
}

/* *a += factor * b, if the result is within the limit. */
static bool add_scaled(int64_t *a, int64_t factor, int64_t b) {
    int64_t product;
    return is_held(factor) && !__builtin_mul_overflow(factor, b, &product) && is_held(product) &&
           is_held(*a += product);
}

static LinearTerm *find_term(LinearForm *form, LLVMValueRef value) {
    for (unsigned i = 0; i < form->count; i++) {
        if (form->terms[i].value == value) {
            return &form->terms[i];
        }
    }
    return NULL;
}

bool form_add_value(LinearForm *form, LLVMValueRef value, int64_t factor) {
    LinearTerm *term = find_term(form, value);
    if (term == NULL) {
        if (form->count == LINEAR_TERMS || factor == 0) {
            return factor == 0;
        }
        form->terms[form->count++] = (LinearTerm){value, factor};
        return is_held(factor);
    }
    if (!add_scaled(&term->factor, 1, factor)) {
        return false;
    }
    if (term->factor == 0) {
        *term = form->terms[--form->count];
    }
    return true;
}

bool form_add(LinearForm *form, const LinearForm *other, int64_t factor) {
    bool is_good = add_scaled(&form->constant, factor, other->constant);
    for (unsigned i = 0; is_good && i < other->count; i++) {
        int64_t scaled = 0;
        is_good = add_scaled(&scaled, factor, other->terms[i].factor) &&
                  form_add_value(form, other->terms[i].value, scaled);
    }
    return is_good;
}

int64_t form_factor(const LinearForm *form, LLVMValueRef value) {
    for (unsigned i = 0; i < form->count; i++) {
        if (form->terms[i].value == value) {
            return form->terms[i].factor;
        }
    }
    return 0;
}

int64_t form_remove(LinearForm *form, LLVMValueRef value) {
    LinearTerm *term = find_term(form, value);
    if (term == NULL) {
        return 0;
    }
    int64_t factor = term->factor;
    *term = form->terms[--form->count];
    return factor;
}
