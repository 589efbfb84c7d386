/* lexer -- kinds, values and places of tokens. */
#define _POSIX_C_SOURCE 200809L

#include "frontend_test.h"
#include "lexer.h"

#include <assert.h>

typedef struct Lexing {
    Bench bench;
    SyntaxGate gate;
    Lexer *lexer;
} Lexing;

static void begin(Lexing *lexing, const char *text) {
    memset(lexing, 0, sizeof *lexing);
    bench_begin(&lexing->bench);
    Compiler *compiler = &lexing->bench.compiler;
    LexerContext context = {compiler->arena, compiler->texts, compiler->diag,
                            keyword_table_create(compiler->arena, compiler->texts), &lexing->gate};
    const SourceFile *file = source_add_text(compiler->sources, "t", text, strlen(text));
    lexing->lexer = lexer_create(&context, file, 0);
}

static void end(Lexing *lexing, unsigned errors) {
    assert(diag_error_count(lexing->bench.compiler.diag) == errors);
    lexer_destroy(lexing->lexer);
    bench_end(&lexing->bench);
}

static Token next(Lexing *lexing) {
    Token token;
    lexer_next(lexing->lexer, &token);
    return token;
}

static void expect(Lexing *lexing, TokenKind kind, uint32_t line, uint32_t column,
                   uint32_t end_column) {
    Token token = next(lexing);
    assert(token.kind == kind);
    assert(token.at.line == line && token.at.column == column);
    assert(token.at.end_column == end_column);
}

static void test_lexer__places_tokens(void) {
    Lexing lexing;
    begin(&lexing, "PROC p.1 (a)\n  x := #1F -- end\n:\n");
    expect(&lexing, TOKEN_PROC, 1, 1, 5);
    expect(&lexing, TOKEN_NAME, 1, 6, 9);
    expect(&lexing, TOKEN_LPAREN, 1, 10, 11);
    expect(&lexing, TOKEN_NAME, 1, 11, 12);
    expect(&lexing, TOKEN_RPAREN, 1, 12, 13);
    expect(&lexing, TOKEN_NAME, 2, 3, 4);
    expect(&lexing, TOKEN_ASSIGN, 2, 5, 7);
    expect(&lexing, TOKEN_INTEGER, 2, 8, 11);
    expect(&lexing, TOKEN_COLON, 3, 1, 2);
    expect(&lexing, TOKEN_END, 4, 1, 1);
    expect(&lexing, TOKEN_END, 4, 1, 1);
    end(&lexing, 0);
}

static void test_lexer__takes_the_longest_symbol(void) {
    static const TokenKind kinds[] = {TOKEN_COUNT,      TOKEN_ASSIGN,        TOKEN_EXTENDED_QUERY,
                                      TOKEN_QUERY,      TOKEN_NOT_EQUAL,     TOKEN_LESS_EQUAL,
                                      TOKEN_SHIFT_LEFT, TOKEN_BIT_AND,       TOKEN_BIT_OR,
                                      TOKEN_BIT_XOR,    TOKEN_BOX,           TOKEN_USER_OPERATOR,
                                      TOKEN_REMAINDER,  TOKEN_USER_OPERATOR, TOKEN_END};
    Lexing lexing;
    begin(&lexing, "::  := ??? <><=<</\\\\/><[]<] \\ ==");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert(next(&lexing).kind == kinds[i]);
    }
    end(&lexing, 0);
}

static void test_lexer__values(void) {
    Lexing lexing;
    begin(&lexing, "2147483648 #FFFFFFFFFFFFFFFF $10 'a' '*n' \"a*nb\" 1.5E-3 9223372036854775808");
    assert(next(&lexing).value == 2147483648);
    Token hex = next(&lexing);
    assert(hex.value == -1 && hex.is_hex);
    assert(next(&lexing).value == 16);
    assert(next(&lexing).value == 'a');
    assert(next(&lexing).value == '\n');
    Token string = next(&lexing);
    assert(string.kind == TOKEN_STRING && strcmp(string.text->bytes, "a\nb") == 0);
    assert(strcmp(next(&lexing).text->bytes, "1.5E-3") == 0);
    assert(next(&lexing).is_too_big);
    end(&lexing, 0);
}

static void test_lexer__continues_strings(void) {
    Lexing lexing;
    begin(&lexing, "\"one *  \n  -- between\n\n   *two*\r\n*three\" x");
    Token string = next(&lexing);
    assert(string.kind == TOKEN_STRING);
    assert(strcmp(string.text->bytes, "one twothree") == 0);
    assert(string.at.line == 1 && string.at.end_line == 5);
    Token name = next(&lexing);
    assert(name.kind == TOKEN_NAME && !name.starts_line);
    end(&lexing, 0);
}

static void test_lexer__indentation(void) {
    Lexing lexing;
    begin(&lexing, "  a\n\tb\n  \tc d\n");
    Token a = next(&lexing);
    assert(a.indent == 2 && a.starts_line && !a.has_tab);
    Token b = next(&lexing);
    assert(b.indent == 8 && b.at.column == 2 && b.has_tab);
    Token c = next(&lexing);
    assert(c.indent == 8 && c.at.column == 4);
    Token d = next(&lexing);
    assert(d.indent == 10 && !d.starts_line);
    end(&lexing, 0);
}

static void test_lexer__tells_directives_from_numbers(void) {
    Lexing lexing;
    begin(&lexing, "#INCLUDE \"x\"\n#DEF\n  #E0\n #IF TRUE\n##N x #IF\n");
    Token include = next(&lexing);
    assert(include.kind == TOKEN_DIRECTIVE);
    assert(strcmp(include.text->bytes, "INCLUDE \"x\"") == 0);
    assert(next(&lexing).value == 0xDEF);
    Token hex = next(&lexing);
    assert(hex.value == 0xE0 && hex.at.column == 3 && hex.starts_line);
    Token condition = next(&lexing);
    assert(condition.kind == TOKEN_DIRECTIVE && condition.indent == 1);
    assert(next(&lexing).kind == TOKEN_SUBSTITUTION);
    assert(next(&lexing).kind == TOKEN_NAME);
    end(&lexing, 0);
}

static void test_lexer__skips_lines(void) {
    Lexing lexing;
    begin(&lexing, "#IF FALSE\n \" { _ not text\n#ENDIF\nx");
    assert(next(&lexing).kind == TOKEN_DIRECTIVE);
    lexer_skip_lines(lexing.lexer, true);
    Token end_if = next(&lexing);
    assert(end_if.kind == TOKEN_DIRECTIVE && end_if.at.line == 3);
    lexer_skip_lines(lexing.lexer, false);
    assert(next(&lexing).kind == TOKEN_NAME);
    end(&lexing, 0);
}

static void test_lexer__goes_on_after_faults(void) {
    Lexing lexing;
    begin(&lexing, "a_b\n#ff\n1.0E5\n'ab'\n\"abc\n\x01\n}\n");
    Token name = next(&lexing);
    assert(name.kind == TOKEN_NAME && strcmp(name.text->bytes, "a.b") == 0);
    assert(next(&lexing).kind == TOKEN_INTEGER);
    assert(next(&lexing).kind == TOKEN_REAL_LITERAL);
    assert(next(&lexing).kind == TOKEN_BYTE_LITERAL);
    assert(next(&lexing).kind == TOKEN_STRING);
    assert(next(&lexing).kind == TOKEN_END);
    end(&lexing, 7);
}

int main(void) {
    test_lexer__places_tokens();
    test_lexer__takes_the_longest_symbol();
    test_lexer__values();
    test_lexer__continues_strings();
    test_lexer__indentation();
    test_lexer__tells_directives_from_numbers();
    test_lexer__skips_lines();
    test_lexer__goes_on_after_faults();
    return 0;
}
