/* diag -- the form of messages, what is kept back, and the options. */
#define _POSIX_C_SOURCE 200809L

#include "frontend_test.h"

#include <assert.h>

static const char program[] = "PROC p ()\n  x := 1\n  y := 2\n  z := 3\n  w := 4\n:\n";

static void expect_messages(Bench *bench, const char *expected) {
    const char *found = bench_messages(bench);
    if (strcmp(found, expected) != 0) {
        fprintf(stderr, "expected:\n%s\nfound:\n%s\n", expected, found);
        abort();
    }
}

static Location at(uint32_t line, uint32_t column, uint32_t end_column) {
    return (Location){1, line, column, line, end_column};
}

static void test_diag__one_excerpt_with_all_marks(void) {
    Bench bench;
    bench_begin(&bench);
    Diag *diag = bench.compiler.diag;
    source_add_text(bench.compiler.sources, "p.occ", program, strlen(program));
    diag_report(diag, DIAG_NOT_SUPPORTED, at(5, 3, 9), "this");
    diag_primary_label(diag, "here");
    diag_label(diag, at(2, 3, 4), "first");
    diag_label(diag, at(2, 8, 9), "second");
    diag_note(diag, (Location){0}, "a note");
    diag_hint(diag, "some %s", "help");
    diag_fixit(diag, at(5, 5, 7), "IS");
    expect_messages(&bench, "p.occ:5:3: error[not-supported]: not supported yet: this\n"
                            "   |\n"
                            " 2 |   x := 1\n"
                            "   |   ~    ~ second\n"
                            "   |   first\n"
                            " ...\n"
                            " 5 |   w := 4\n"
                            "   |   ^~~~~~ here\n"
                            "   = note: a note\n"
                            "   = help: some help\n"
                            "   = help: write\n"
                            " 5 |   w IS 4\n"
                            "1 error\n");
    bench_end(&bench);
}

static void test_diag__repeats_are_kept_back(void) {
    Bench bench;
    bench_begin(&bench);
    Diag *diag = bench.compiler.diag;
    source_add_text(bench.compiler.sources, "p.occ", program, strlen(program));
    for (int i = 0; i < 3; i++) {
        diag_report(diag, DIAG_NOT_SUPPORTED, at(2, 3, 4), "this");
        diag_hint(diag, "help");
    }
    assert(diag_error_count(diag) == 1);
    diag_report(diag, DIAG_DIRECTIVE_WARNING, at(2, 3, 4), "that");
    assert(diag_error_count(diag) == 1);
    expect_messages(&bench, "p.occ:2:3: error[not-supported]: not supported yet: this\n"
                            "   |\n"
                            " 2 |   x := 1\n"
                            "   |   ^\n"
                            "   = help: help\n"
                            "p.occ:2:3: warning[directive-warning]: that\n"
                            "   |\n"
                            " 2 |   x := 1\n"
                            "   |   ^\n"
                            "1 error, 1 warning\n");
    bench_end(&bench);
}

static void test_diag__stops_at_the_limit(void) {
    Bench bench;
    bench_begin(&bench);
    Diag *diag = bench.compiler.diag;
    for (unsigned i = 0; i < 30; i++) {
        diag_report(diag, DIAG_NOT_SUPPORTED, (Location){1, i + 1, 1, i + 1, 1}, "this");
    }
    assert(diag_error_count(diag) == 20 && diag_limit_reached(diag));
    assert(strstr(bench_messages(&bench), "too many errors, stopped after 20\n20 errors\n"));
    bench_end(&bench);
}

static void test_diag__options(void) {
    Bench bench;
    bench_begin(&bench);
    Diag *diag = bench.compiler.diag;
    assert(diag_set_warning(diag, "-Wdirective-warning"));
    assert(diag_set_warning(diag, "-Wno-directive-warning"));
    assert(!diag_set_warning(diag, "-Wno-such-warning"));
    assert(!diag_set_warning(diag, "-Wno-not-supported"));
    assert(!diag_set_warning(diag, "-Wno-error=not-supported"));
    diag_report(diag, DIAG_DIRECTIVE_WARNING, (Location){0}, "off");
    assert(diag_set_warning(diag, "-Wdirective-warning"));
    assert(diag_set_warning(diag, "-Werror=directive-warning"));
    diag_report(diag, DIAG_DIRECTIVE_WARNING, (Location){0}, "on");
    assert(diag_error_count(diag) == 1);
    expect_messages(&bench, "occc: error[directive-warning]: on\n1 error\n");
    bench_end(&bench);
}

static void test_diag__columns_are_characters(void) {
    Bench bench;
    bench_begin(&bench);
    const char text[] = "\t\xC3\xA4 x\n";
    source_add_text(bench.compiler.sources, "p.occ", text, strlen(text));
    diag_report(bench.compiler.diag, DIAG_NOT_SUPPORTED, at(1, 4, 5), "this");
    expect_messages(&bench, "p.occ:1:4: error[not-supported]: not supported yet: this\n"
                            "   |\n"
                            " 1 |  \xC3\xA4 x\n"
                            "   |    ^\n"
                            "1 error\n");
    bench_end(&bench);
}

int main(void) {
    test_diag__one_excerpt_with_all_marks();
    test_diag__repeats_are_kept_back();
    test_diag__stops_at_the_limit();
    test_diag__options();
    test_diag__columns_are_characters();
    return 0;
}
