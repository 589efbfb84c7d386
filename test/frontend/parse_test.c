/* parse -- trees, places and recovery: one message for each slip, and the rest is read. */
#define _POSIX_C_SOURCE 200809L

#include "frontend_test.h"
#include "parse.h"

#include <assert.h>

static Node *parse(Bench *bench, const char *text) {
    return parse_text(&bench->compiler, "p.occ", text, strlen(text));
}

static void expect_errors(const char *text, unsigned errors, size_t spec_count) {
    Bench bench;
    bench_begin(&bench);
    Node *unit = parse(&bench, text);
    ast_check(unit);
    if (diag_error_count(bench.compiler.diag) != errors || unit->unit.specs.count != spec_count) {
        fprintf(stderr, "%s\n%s", text, bench_messages(&bench));
        abort();
    }
    bench_end(&bench);
}

static void test_parse__builds_the_tree(void) {
    Bench bench;
    bench_begin(&bench);
    const Node *unit = parse(&bench, "PROC p (VAL INT a, b)\n  INT x:\n  x := a + b\n:\n");
    const Node *proc = unit->unit.specs.items[0];
    assert(proc->kind == NODE_PROC && proc->at.line == 1 && proc->at.end_column == 22);
    assert(proc->proc.formals.count == 2);
    const Node *second = proc->proc.formals.items[1];
    assert(second->formal.mode == FORMAL_VAL);
    assert(second->formal.type_expr != proc->proc.formals.items[0]->formal.type_expr);
    const Node *block = proc->proc.body;
    assert(block->kind == NODE_BLOCK && block->block.specs.count == 1);
    const Node *assign = block->block.process;
    assert(assign->kind == NODE_ASSIGN && assign->at.line == 3 && assign->at.column == 3 &&
           assign->at.end_column == 13);
    assert(assign->assign.values.items[0]->dyadic.op == OPERATOR_ADD);
    bench_end(&bench);
}

static void test_parse__folds_negative_literals(void) {
    Bench bench;
    bench_begin(&bench);
    const Node *unit = parse(&bench, "VAL a IS -2147483648:\n"
                                     "VAL b IS -9223372036854775808:\n"
                                     "VAL c IS - (-1):\n"
                                     "VAL d IS -#1:\n");
    Node *const *specs = unit->unit.specs.items;
    assert(specs[0]->abbreviation.value->integer.value == -2147483648);
    assert(specs[1]->abbreviation.value->integer.value == INT64_MIN);
    assert(specs[2]->abbreviation.value->kind == NODE_MONADIC);
    assert(specs[3]->abbreviation.value->kind == NODE_MONADIC);
    assert(diag_error_count(bench.compiler.diag) == 0);
    bench_end(&bench);
    expect_errors("VAL a IS 18446744073709551616:\n", 1, 1);
    expect_errors("VAL a IS 1 - 18446744073709551616:\n", 1, 1);
}

static void test_parse__goes_on_after_a_slip(void) {
    expect_errors("PROC p ()\n  SEQ\n    x = 1\n    y = 2\n    z := 3\n:\nPROC q ()\n  SKIP\n:\n",
                  2, 2);
    expect_errors("PROC p ()\n  WHILE x = )\n    y := 1 +\n:\nPROC q ()\n  SKIP\n:\n", 2, 2);
    expect_errors("PROC p (INT x y)\n  SKIP\n:\nPROC q ()\n  SKIP\n:\n", 1, 2);
    expect_errors("PROTOCOL P\n  a; INT\n  b\n:\nPROC q ()\n  SKIP\n:\n", 1, 2);
    expect_errors("DATA TYPE R\n  RECORD\n    INT x\n    INT y:\n:\nVAL a IS 1:\n", 1, 2);
    expect_errors("PROC p ()\n  SKIP :\nPROC q ()\n  SKIP\n:\n", 1, 2);
    expect_errors("PROC p ()\n  x := 1 :\nPROC q ()\n  SKIP\n:\n", 1, 2);
    expect_errors("PROC p ()\n:\nPROC q ()\n  SKIP\n:\n", 1, 2);
    expect_errors("x := 1\nVAL a IS 1:\n", 1, 2);
}

static void test_parse__one_process_where_one_is_taken(void) {
    expect_errors("PROC p ()\n  SKIP\n  SKIP\n  SKIP\n:\n", 1, 1);
    expect_errors("PROC p ()\n  WHILE TRUE\n    SKIP\n    SKIP\n:\n", 1, 1);
    expect_errors("PROC p ()\n  ALT i = 0 FOR 3\n    c ? x\n      SKIP\n    d ? x\n      SKIP\n:\n",
                  1, 1);
}

static void test_parse__chains_may_be_long(void) {
    Bench bench;
    bench_begin(&bench);
    StringBuilder text = {.arena = bench.compiler.arena};
    string_append_format(&text, "VAL a IS b");
    for (int i = 0; i < 50000; i++) {
        string_append(&text, " AND b", 6);
    }
    string_append_format(&text, ":\n");
    Node *unit = parse_text(&bench.compiler, "p.occ", text.bytes, text.length);
    ast_check(unit);
    assert(diag_error_count(bench.compiler.diag) == 0);
    bench_end(&bench);
}

static void test_ast__copies_and_prints(void) {
    Bench bench;
    bench_begin(&bench);
    Node *unit = parse(&bench, "VAL a IS [1, 2]:\n");
    Node *copy = node_copy(bench.compiler.arena, unit);
    assert(copy != unit && copy->unit.specs.items[0] != unit->unit.specs.items[0]);
    char *dump = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&dump, &length);
    ast_print(copy, stream);
    fclose(stream);
    assert(strcmp(dump, "UNIT @1:1\n"
                        "  specs[]:\n"
                        "    ABBREVIATION VAL @1:1\n"
                        "      def: DEF name=\"a\" @1:5\n"
                        "      value: TABLE @1:10\n"
                        "        items[]:\n"
                        "          INTEGER value=1 @1:11\n"
                        "          INTEGER value=2 @1:14\n") == 0);
    free(dump);
    bench_end(&bench);
}

int main(void) {
    test_parse__builds_the_tree();
    test_parse__folds_negative_literals();
    test_parse__goes_on_after_a_slip();
    test_parse__one_process_where_one_is_taken();
    test_parse__chains_may_be_long();
    test_ast__copies_and_prints();
    return 0;
}
