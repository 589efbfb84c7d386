/* condition -- values of #IF, laziness, and what is refused. */
#define _POSIX_C_SOURCE 200809L

#include "condition.h"
#include "frontend_test.h"

#include <assert.h>

static void expect(const char *text, bool value, unsigned errors) {
    Bench bench;
    bench_begin(&bench);
    Compiler *compiler = &bench.compiler;
    DefineTable *defines = define_table_create(compiler->arena, compiler->texts);
    define_from_option(defines, "THREE=3");
    define_from_option(defines, "NAME=\"kroc\"");
    define_from_option(defines, "PLAIN");
    define_from_option(defines, "ZERO=0");
    source_add_text(compiler->sources, "t", text, strlen(text));
    ConditionContext context = {compiler->texts, compiler->diag, defines};
    Location at = {1, 1, 1, 1, 1};
    assert(condition_evaluate(&context, text, strlen(text), at) == value);
    assert(diag_error_count(compiler->diag) == errors);
    bench_end(&bench);
}

static void test_condition__values(void) {
    expect("TRUE", true, 0);
    expect("FALSE", false, 0);
    expect("NOT TRUE", false, 0);
    expect("DEFINED (THREE)", true, 0);
    expect("NOT DEFINED (FOUR)", true, 0);
    expect("(TRUE) AND (FALSE)", false, 0);
    expect("(TRUE) OR (FALSE)", true, 0);
    expect("(THREE = 3) AND ((NAME = \"kroc\") AND (THREE <> 4))", true, 0);
    expect("THREE < 4", true, 0);
    expect("THREE >= 4", false, 0);
    expect("THREE = #3", true, 0);
    expect("NAME <> \"tvm\"", true, 0);
    expect("PLAIN", true, 0);
    expect("ZERO", false, 0);
    expect("TARGET.BITS.PER.WORD = 32", true, 0);
}

static void test_condition__is_lazy(void) {
    expect("(DEFINED (FOUR)) AND (FOUR = 4)", false, 0);
    expect("(DEFINED (THREE)) OR (FOUR = 4)", true, 0);
    expect("(FOUR = 4) OR (TRUE)", true, 0); /* a name that nobody defined is false */
    expect("FOUR", false, 0);
    expect("FOUR <> 4", false, 0);
}

static void test_condition__faults(void) {
    expect("", false, 1);
    expect("(TRUE", false, 1);
    expect("TRUE TRUE", false, 1);
    expect("THREE = \"3\"", false, 1);
    expect("PLAIN = 3", false, 1);
    expect("THREE =", false, 1);
    expect("DEFINED", false, 1);
    expect("\"open", false, 1);
}

int main(void) {
    test_condition__values();
    test_condition__is_lazy();
    test_condition__faults();
    return 0;
}
