/* layout -- the tokens the grammar sees, written as words: names and symbols as themselves, layout
 * as NL, > and <. */
#define _POSIX_C_SOURCE 200809L

#include "frontend_test.h"
#include "layout.h"

#include <assert.h>

static void append_token(StringBuilder *words, const Token *token) {
    const char *word = NULL;
    switch ((int)token->kind) {
    case TOKEN_NL: word = "NL"; break;
    case TOKEN_INDENT: word = ">"; break;
    case TOKEN_OUTDENT: word = "<"; break;
    case TOKEN_NAME: word = token->text->bytes; break;
    case TOKEN_PRAGMA: word = "#PRAGMA"; break;
    case TOKEN_CONSTRUCTOR: word = "[|"; break;
    case TOKEN_INTEGER: word = "0"; break;
    default: word = token_shown(token->kind); break;
    }
    string_append_format(words, "%s%s", words->length ? " " : "", word);
}

/* The stream for a text, and how many errors it has; INDENTs and OUTDENTs must always match. */
static void expect(const char *text, unsigned errors, const char *expected) {
    Bench bench;
    bench_begin(&bench);
    Compiler *compiler = &bench.compiler;
    SyntaxGate gate = {0};
    KeywordTable *keywords = keyword_table_create(compiler->arena, compiler->texts);
    LexerContext context = {compiler->arena, compiler->texts, compiler->diag, keywords, &gate};
    Preprocessor *preprocessor = preprocess_create(compiler, keywords, &gate);
    Layout *layout = layout_create(&context, preprocessor);
    preprocess_begin(preprocessor, source_add_text(compiler->sources, "t", text, strlen(text)));
    layout_begin(layout);
    StringBuilder words = {.arena = compiler->arena};
    int depth = 0;
    Token token;
    for (layout_next(layout, &token); token.kind != TOKEN_END; layout_next(layout, &token)) {
        append_token(&words, &token);
        depth += (token.kind == TOKEN_INDENT) - (token.kind == TOKEN_OUTDENT);
        assert(depth >= 0);
    }
    const char *found = words.bytes ? words.bytes : "";
    if (strcmp(found, expected) != 0 || diag_error_count(compiler->diag) != errors) {
        fprintf(stderr, "text:\n%s\nexpected: %s\nfound:    %s\n%s", text, expected, found,
                bench_messages(&bench));
        abort();
    }
    assert(depth == 0);
    preprocess_end(preprocessor);
    bench_end(&bench);
}

static void test_layout__blocks(void) {
    expect("", 0, "");
    expect("-- only a comment\n\n", 0, "");
    expect("a\nb\n", 0, "a NL b NL");
    expect("SEQ\n  a\n  b\nc", 0, "SEQ NL > a NL b NL < c NL");
    expect("SEQ\n  SEQ\n    a\nb\n", 0, "SEQ NL > SEQ NL > a NL < < b NL");
    expect("SEQ\n      -- deep\n  a\n-- shallow\n  b\n", 0, "SEQ NL > a NL b NL <");
}

static void test_layout__continuation(void) {
    expect("a := b +\n  c\n", 0, "a := b + c NL");
    expect("a := b +\nc\n", 0, "a := b + c NL");
    expect("a := b + -- x\n -- y\n\n   c\n", 0, "a := b + c NL");
    expect("a,\n  b :=\n    c AND\n  d\n", 0, "a , b := c AND d NL");
    expect("f (\n  a,\n  b)\n", 0, "f ( a , b ) NL");
    expect("f (a\n  , b\n)\n", 0, "f ( a , b ) NL");
    expect("MOBILE PROC p ()\n  IMPLEMENTS q\n", 0, "MOBILE PROC p ( ) IMPLEMENTS q NL");
    expect("SEQ\n  a := b +\n c\n", 1, "SEQ NL > a := b + c NL <");
    expect("a := b\n  + c\n", 1, "a := b + c NL");
    expect("RESULT a +\n:\n", 0, "RESULT a + NL : NL");
}

static void test_layout__valof_in_brackets(void) {
    expect("x := (VALOF\n"
           "        a\n"
           "        RESULT b\n"
           "     )\n"
           "y\n",
           0, "x := ( VALOF NL > a NL RESULT b NL < ) NL y NL");
    expect("x := 0 + (INT y:\n"
           "          VALOF\n"
           "            SEQ\n"
           "              a\n"
           "            RESULT b\n"
           "         )\n",
           0, "x := 0 + ( INT y : NL VALOF NL > SEQ NL > a NL < RESULT b NL < ) NL");
    expect("x := (VALOF\n        a\n        RESULT b)\ny\n", 0,
           "x := ( VALOF NL > a NL RESULT b NL < ) NL y NL");
}

static void test_layout__bad_columns_are_said_once(void) {
    expect("SEQ\n   a\n   b\nc\n", 1, "SEQ NL > a NL b NL < c NL");
    expect("SEQ\n   a\n  b\nc\n", 1, "SEQ NL > a NL b NL < c NL");
    expect("SEQ\n  a := b\n    c\n    d\n", 1, "SEQ NL > a := b NL c NL d NL <");
    expect("SEQ\n  SEQ\n    a\n   b\n", 1, "SEQ NL > SEQ NL > a NL b NL < <");
    expect("SEQ\n\ta\n", 1, "SEQ NL > a NL <");
    expect("  a\n  b\n", 1, "a NL b NL");
}

static void test_layout__closing_colon(void) {
    expect("PROC p ()\n  a\n:\nb\n", 0, "PROC p ( ) NL > a NL < : NL b NL");
    expect("PROC p ()\n  a\n  :\nb\n", 1, "PROC p ( ) NL > a NL < : NL b NL");
    expect("PROC p ()\n  SEQ\n    a\n :\nb\n", 1, "PROC p ( ) NL > SEQ NL > a NL < < : NL b NL");
}

static void test_layout__lost_brackets(void) {
    expect("x := (a\ny := b\n", 1, "x := ( a ) NL y := b NL");
    expect("SEQ\n  x := f (a, [b\n  SKIP\n", 1, "SEQ NL > x := f ( a , [ b ] ) NL SKIP NL <");
    expect("x := (a", 1, "x := ( a ) NL");
    expect("x := a)\ny\n", 0, "x := a ) NL y NL");
}

static void test_layout__pragmas_follow_their_neighbours(void) {
    expect("PROC p ()\n#PRAGMA SHARED x\n  a\n:\n", 0, "PROC p ( ) NL > #PRAGMA NL a NL < : NL");
    expect("SEQ\n  a\n  #PRAGMA SHARED x\nb\n", 0, "SEQ NL > a NL #PRAGMA NL < b NL");
    expect("SEQ\n  a\n     #PRAGMA SHARED x\n  b\n", 0, "SEQ NL > a NL #PRAGMA NL b NL <");
    expect("a\n#PRAGMA UNDEFINED x\n#COMMENT \"c\"\n", 0, "a NL");
}

static void test_layout__words_by_position(void) {
    expect("SEQ\n  NEXT\n  NEXT c\n  NEXT c, d\n  NEXT := c\n  NEXT c:\n", 0,
           "SEQ NL > NEXT NL NEXT c NL NEXT c , d NL NEXT := c NL NEXT c : NL <");
    expect("SEQ\n  CLOSE c!\n  CLOSE c!:\n  CLOSE (c)\n", 0,
           "SEQ NL > CLOSE c ! NL CLOSE c ! : NL CLOSE ( c ) NL <");
    expect("x := [i = 0 FOR n | i]\nx := [i = n, m]\nx := [a FROM b FOR c]\n", 0,
           "x := [| i = 0 FOR n | i ] NL x := [ i = n , m ] NL x := [ a FROM b FOR c ] NL");
}

static void test_layout__assembly_is_swallowed(void) {
    expect("SEQ\n  ASM\n    ld 'x \" @\n      y\n  a\n", 0, "SEQ NL > ASM NL a NL <");
}

static void test_layout__depth_is_limited(void) {
    char text[4096];
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    Bench bench;
    bench_begin(&bench);
    Compiler *compiler = &bench.compiler;
    SyntaxGate gate = {0};
    KeywordTable *keywords = keyword_table_create(compiler->arena, compiler->texts);
    LexerContext context = {compiler->arena, compiler->texts, compiler->diag, keywords, &gate};
    Preprocessor *preprocessor = preprocess_create(compiler, keywords, &gate);
    Layout *layout = layout_create(&context, preprocessor);
    preprocess_begin(preprocessor, source_add_text(compiler->sources, "t", text, strlen(text)));
    layout_begin(layout);
    Token token;
    do {
        layout_next(layout, &token);
    } while (token.kind != TOKEN_END);
    assert(diag_error_count(compiler->diag) == 1);
    preprocess_end(preprocessor);
    bench_end(&bench);
}

int main(void) {
    test_layout__blocks();
    test_layout__continuation();
    test_layout__valof_in_brackets();
    test_layout__bad_columns_are_said_once();
    test_layout__closing_colon();
    test_layout__lost_brackets();
    test_layout__pragmas_follow_their_neighbours();
    test_layout__words_by_position();
    test_layout__assembly_is_swallowed();
    test_layout__depth_is_limited();
    return 0;
}
