/* linear_form -- sums of multiples of values, and when they cannot be held. */
#include "linear_form.h"

#include <assert.h>
#include <stdio.h>

/* Values -- two parameters to make sums of. */
typedef struct Values {
    LLVMValueRef x, y;
} Values;

static void test_form_add_value__gathers_multiples(const Values *values) {
    LinearForm form = form_constant(7);
    assert(form_add_value(&form, values->x, 3));
    assert(form_add_value(&form, values->y, -1));
    assert(form_add_value(&form, values->x, 2));
    assert(form.count == 2 && form.constant == 7);
    assert(form_factor(&form, values->x) == 5 && form_factor(&form, values->y) == -1);
}

static void test_form_add_value__what_is_left_of_nothing_is_no_term(const Values *values) {
    LinearForm form = form_constant(0);
    assert(form_add_value(&form, values->x, 4));
    assert(form_add_value(&form, values->y, 1));
    assert(form_add_value(&form, values->x, -4));
    assert(form.count == 1 && form.terms[0].value == values->y);
    assert(form_factor(&form, values->x) == 0);
    assert(form_add_value(&form, values->x, 0) && form.count == 1);
}

static void test_form_add__scales_the_other(const Values *values) {
    LinearForm form = form_constant(1);
    LinearForm other = form_constant(-5);
    assert(form_add_value(&form, values->x, 6));
    assert(form_add_value(&other, values->x, 2));
    assert(form_add_value(&other, values->y, 1));
    assert(form_add(&form, &other, -3));
    assert(form.constant == 16 && form.count == 1);
    assert(form_factor(&form, values->y) == -3);
}

static void test_form_remove__gives_the_factor(const Values *values) {
    LinearForm form = form_constant(2);
    assert(form_add_value(&form, values->x, 9));
    assert(form_add_value(&form, values->y, 8));
    assert(form_remove(&form, values->x) == 9);
    assert(form.count == 1 && form_factor(&form, values->y) == 8);
    assert(form_remove(&form, values->x) == 0);
}

static void test_form_add__says_what_it_cannot_hold(const Values *values) {
    LinearForm form = form_constant(LINEAR_LIMIT - 1);
    LinearForm one = form_constant(1);
    assert(!form_add(&form, &one, 1));
    LinearForm large = form_constant(0);
    assert(form_add_value(&large, values->x, LINEAR_LIMIT - 1));
    assert(!form_add_value(&large, values->x, 1));
    LinearForm scaled = form_constant(0);
    LinearForm factor = form_constant(0);
    assert(form_add_value(&factor, values->x, INT64_C(1) << 21));
    assert(!form_add(&scaled, &factor, INT64_C(1) << 21));
    LinearForm wide = form_constant(0);
    assert(!form_add(&wide, &one, INT64_MIN));
    assert(!form_add_value(&wide, values->x, LINEAR_LIMIT));
}

static void test_form_add_value__holds_so_many_terms(LLVMTypeRef type, LLVMValueRef function) {
    LinearForm form = form_constant(0);
    for (unsigned i = 0; i < LINEAR_TERMS; i++) {
        assert(form_add_value(&form, LLVMGetParam(function, i), 1));
    }
    assert(!form_add_value(&form, LLVMGetParam(function, LINEAR_TERMS), 1));
    assert(form_add_value(&form, LLVMGetParam(function, 0), 1));
    (void)type;
}

int main(void) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("linear_form", context);
    LLVMTypeRef types[LINEAR_TERMS + 1];
    for (unsigned i = 0; i <= LINEAR_TERMS; i++) {
        types[i] = LLVMInt32TypeInContext(context);
    }
    LLVMTypeRef type = LLVMFunctionType(types[0], types, LINEAR_TERMS + 1, 0);
    LLVMValueRef function = LLVMAddFunction(module, "f", type);
    Values values = {LLVMGetParam(function, 0), LLVMGetParam(function, 1)};
    test_form_add_value__gathers_multiples(&values);
    test_form_add_value__what_is_left_of_nothing_is_no_term(&values);
    test_form_add__scales_the_other(&values);
    test_form_remove__gives_the_factor(&values);
    test_form_add__says_what_it_cannot_hold(&values);
    test_form_add_value__holds_so_many_terms(type, function);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    puts("ok");
    return 0;
}
