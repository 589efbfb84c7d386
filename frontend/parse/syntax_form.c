/* syntax_form -- hints for forms that are nearly right: what is written, and in which place.
 *
 * Holds: only hints, added to the message of syntax_error.c; the rules are tried in order and only
 *        the first that fits is used. A rule looks at the token found and the statement before. */
#include "syntax_hint.h"

#include "among.h"
#include "foreign_word.h"

#include <string.h>

static TokenKind line_kind(const Slip *slip, size_t index) {
    return index < slip->count ? slip->line[index].kind : TOKEN_NL;
}

static const char *line_name(const Slip *slip, size_t index, const char *otherwise) {
    bool is_name = line_kind(slip, index) == TOKEN_NAME && slip->line[index].text;
    return is_name ? slip->line[index].text->bytes : otherwise;
}

/* The sizes after the name, moved before the type. */
static void offer_sizes(const Slip *slip) {
    Location sizes = slip->found->at;
    const char *rest = slip_text_behind(slip, slip_before(sizes), false);
    size_t length = 0;
    while (rest[length] == '[' && strcspn(rest + length, "]") < strcspn(rest + length, "\n")) {
        length += strcspn(rest + length, "]") + 1;
    }
    if (length > 0) {
        sizes.end_column = sizes.column + (uint32_t)length;
        diag_fixit(slip->diag, slip_before(slip->line[0].at),
                   arena_format(slip->parse->arena, "%.*s", (int)length, rest));
        diag_fixit(slip->diag, sizes, "");
    }
}

/* INT x[3]:   INT [3]x: */
static bool hint_array(const Slip *slip) {
    bool is_behind_name = slip->count == 3 && line_kind(slip, 1) == TOKEN_NAME;
    if (slip->found->kind == TOKEN_BOX && is_behind_name &&
        token_class(line_kind(slip, 0)) == CLASS_TYPE) {
        diag_hint(slip->diag,
                  "the size of an array stands before its type, [n]%s %s:, that of one "
                  "whose size is known later is MOBILE []%s %s:",
                  slip_spelling(&slip->line[0]), line_name(slip, 1, "x"),
                  slip_spelling(&slip->line[0]), line_name(slip, 1, "x"));
        return true;
    }
    if (slip->found->kind != TOKEN_LBRACKET || (!is_behind_name && slip->count != 2) ||
        token_class(line_kind(slip, 0)) != CLASS_TYPE) {
        return false;
    }
    diag_hint(slip->diag, "the sizes of an array stand before its type: [n]%s %s:",
              slip_spelling(&slip->line[0]), line_name(slip, 1, "x"));
    if (is_behind_name) {
        offer_sizes(slip);
    }
    return true;
}

/* CHAN c:   CHAN OF c: */
static bool hint_channel(const Slip *slip) {
    if (slip->found->kind != TOKEN_COLON || line_kind(slip, 0) != TOKEN_CHAN || slip->count > 4) {
        return false;
    }
    diag_hint(slip->diag, "a channel has a protocol and a name: CHAN INT c:");
    return true;
}

/* In (VAL x) and PROC p (x), x was taken for a type. */
static bool begins_formal(const Slip *slip) {
    TokenKind before = line_kind(slip, slip->count - 3);
    return before == TOKEN_VAL ||
           (before == TOKEN_LPAREN && slip->expected->has[TOKEN_NAME] &&
            (slip_line_has(slip, TOKEN_PROC) || slip_line_has(slip, TOKEN_FUNCTION)));
}

/* INITIAL x IS 3:   y RETYPES x:   PROC p (VAL x)   d! IS c!: */
static bool hint_type(const Slip *slip) {
    TokenKind found = slip->found->kind;
    bool is_retyped = found == TOKEN_RETYPES || found == TOKEN_RESHAPES;
    bool is_end = found == TOKEN_IS &&
                  (line_kind(slip, 1) == TOKEN_BANG || line_kind(slip, 1) == TOKEN_QUERY);
    if (found == TOKEN_IS && slip->count == 3 && line_kind(slip, 0) == TOKEN_INITIAL) {
        diag_hint(slip->diag, "INITIAL says the type: INITIAL INT %s IS ..",
                  line_name(slip, 1, "x"));
    } else if (is_retyped && slip->count == 2) {
        diag_hint(slip->diag, "%s says the type: INT %s %s ..", slip_spelling(slip->found),
                  line_name(slip, 0, "x"), slip_spelling(slip->found));
        slip->parse->broken_is_spec = true;
    } else if (is_end && slip->count == 3) {
        diag_hint(slip->diag, "the direction stands behind IS: %s IS c%s:", line_name(slip, 0, "d"),
                  slip_spelling(&slip->line[1]));
        slip->parse->broken_is_spec = true;
    } else if ((found == TOKEN_RPAREN || found == TOKEN_COMMA) && slip->count > 3 &&
               line_kind(slip, slip->count - 2) == TOKEN_NAME && begins_formal(slip)) {
        diag_label(slip->diag, slip->before->at, "taken for the type of a parameter");
        diag_hint(slip->diag, "a parameter says its type: VAL INT %s",
                  line_name(slip, slip->count - 2, "x"));
    } else {
        return false;
    }
    return true;
}

/* x[0 FOR 2] */
static bool hint_segment(const Slip *slip) {
    TokenKind found = slip->found->kind;
    if ((found != TOKEN_FOR && found != TOKEN_FROM) || !slip->expected->has[TOKEN_RBRACKET]) {
        return false;
    }
    diag_hint(slip->diag, "a segment begins with its bracket: [x FROM i FOR n]");
    return true;
}

/* MOSTPOS (INT)   BYTESIN INT   INT (ROUND x)   x := ROUND y */
static bool hint_type_operand(const Slip *slip) {
    TokenKind found = slip->found->kind;
    TokenKind before = slip->before ? slip->before->kind : TOKEN_NL;
    if (found == TOKEN_LPAREN && (before == TOKEN_MOSTPOS || before == TOKEN_MOSTNEG)) {
        diag_hint(slip->diag, "the type stands without brackets: %s INT",
                  slip_spelling(slip->before));
    } else if (before == TOKEN_BYTESIN && token_class(found) == CLASS_TYPE) {
        diag_hint(slip->diag, "the type stands in brackets: BYTESIN (%s)",
                  slip_spelling(slip->found));
    } else if ((found == TOKEN_ROUND || found == TOKEN_TRUNC) && slip_expects_operand(slip)) {
        diag_hint(slip->diag, "the type comes first: INT %s x", slip_spelling(slip->found));
    } else {
        return false;
    }
    return true;
}

/* SEQ i = 0   SEQ i = range (10) */
static bool hint_replicator(const Slip *slip) {
    TokenKind first = line_kind(slip, 0);
    bool is_replicated = AMONG(first, TOKEN_SEQ, TOKEN_PAR, TOKEN_ALT, TOKEN_IF, TOKEN_PRI) &&
                         slip_line_has(slip, TOKEN_EQUAL);
    if (!is_replicated || !slip->expected->has[TOKEN_FOR]) {
        return false;
    }
    diag_hint(slip->diag,
              "a replicator has a first value and a count: %s = 0 FOR 10, or with "
              "STEP 2 behind it",
              line_name(slip, first == TOKEN_PRI ? 2 : 1, "i"));
    return true;
}

/* (INT, BOOL) FUNCTION   (a, b) := (1, 2)   f (X) -> */
static bool hint_brackets(const Slip *slip) {
    const char *behind = slip_text_behind(slip, slip->found->at, false);
    size_t length = strcspn(behind, "\n");
    const char *closing = memchr(behind, ')', length);
    if (slip->found->kind != TOKEN_LPAREN || !closing) {
        return false;
    }
    closing += 1 + strspn(closing + 1, " ");
    if (slip->found->starts_line && strncmp(closing, "FUNCTION", 8) == 0) {
        diag_hint(slip->diag, "the types of several results stand without brackets: INT, BOOL "
                              "FUNCTION f (VAL INT x)");
    } else if (slip->found->starts_line && (closing[0] == '=' || strncmp(closing, ":=", 2) == 0)) {
        diag_hint(slip->diag, "several are assigned at once without brackets: a, b := x, y");
    } else if (slip->parse->depth == 0 && slip->count == 2) {
        diag_hint(slip->diag,
                  "outside of every PROC are only definitions, such as PROC %s (VAL "
                  "INT x)",
                  line_name(slip, 0, "p"));
    } else {
        return false;
    }
    return true;
}

/* [INT; 5] a:   a := [0; 5] */
static bool hint_semicolon(const Slip *slip) {
    if (slip->found->kind != TOKEN_SEMICOLON || !slip_line_has(slip, TOKEN_LBRACKET)) {
        return false;
    }
    diag_hint(slip->diag,
              "an array of five is [5]INT a:, and five equal values are [i = 0 FOR 5 | 0]");
    return true;
}

/* INT x, INT y: */
static bool hint_second_type(const Slip *slip) {
    if (token_class(slip->found->kind) != CLASS_TYPE || !slip->before ||
        slip->before->kind != TOKEN_COMMA || token_class(line_kind(slip, 0)) != CLASS_TYPE) {
        return false;
    }
    diag_hint(slip->diag, "names of one type are parted by ',': INT x, y: and another type has a "
                          "line of its own");
    return true;
}

/* [1, 2, 3,]   INT a, b, */
static bool hint_last_comma(const Slip *slip) {
    bool is_closed = AMONG(slip->found->kind, TOKEN_RBRACKET, TOKEN_RPAREN);
    if (!slip->before || slip->before->kind != TOKEN_COMMA ||
        !(is_closed || slip->found->kind == TOKEN_NL || slip->found->starts_line)) {
        return false;
    }
    bool is_declaration = !is_closed && token_class(line_kind(slip, 0)) == CLASS_TYPE;
    diag_hint(slip->diag, is_declaration
                              ? "a ',' promises another name; a declaration ends with ':'"
                              : "a ',' stands between two of a list, none behind the last");
    if (is_closed || is_declaration) {
        diag_fixit(slip->diag, slip->before->at, is_closed ? "" : ":");
    }
    return true;
}

/* "say \"hi\"" */
static bool hint_quote(const Slip *slip) {
    if (!slip->before || slip->before->kind != TOKEN_STRING || slip->before->at.end_column < 4) {
        return false;
    }
    Location last = slip->before->at;
    last.end_column -= 2;
    if (slip_text_behind(slip, last, false)[0] != '\\') {
        return false;
    }
    diag_hint(slip->diag, "a quote in a text is *\", a new line *n");
    return true;
}

/* SEQ where a guard stands */
static bool hint_guard(const Slip *slip) {
    size_t count = slip->parse->block_heads.count;
    if (count == 0 || slip->parse->block_heads.items[count - 1].kind != TOKEN_ALT ||
        !slip->found->starts_line) {
        return false;
    }
    diag_hint(slip->diag, "below ALT stand guards, such as c ? x, each with its process below it, "
                          "two columns deeper");
    return true;
}

/* a := [10]INT */
static bool hint_new_array(const Slip *slip) {
    if (token_class(slip->found->kind) != CLASS_TYPE || !slip->before ||
        slip->before->kind != TOKEN_RBRACKET || !slip_line_has(slip, TOKEN_ASSIGN)) {
        return false;
    }
    diag_hint(slip->diag, "a new array is MOBILE [n]%s", slip_spelling(slip->found));
    return true;
}

/* 1 screen ! 'a' */
static bool hint_option(const Slip *slip) {
    TokenKind first = line_kind(slip, 0);
    bool is_option =
        slip->count == 2 && AMONG(first, TOKEN_INTEGER, TOKEN_BYTE_LITERAL, TOKEN_TRUE);
    if (!is_option || !slip->expected->has[TOKEN_NL] || slip_is_layout(slip->found->kind)) {
        return false;
    }
    diag_hint(slip->diag,
              "what an option or a condition chooses stands below it, two columns deeper");
    return true;
}

/* PROC p */
static bool hint_heading(const Slip *slip) {
    if (slip->found->kind != TOKEN_NL || !slip->expected->has[TOKEN_LPAREN] ||
        !(slip_line_has(slip, TOKEN_PROC) || slip_line_has(slip, TOKEN_FUNCTION))) {
        return false;
    }
    diag_hint(slip->diag, "a routine without parameters has its brackets all the same");
    diag_fixit(slip->diag, slip_after(slip->before->at), " ()");
    return true;
}

/* std::thread   Vec<INT> v:   -module(x). */
static bool hint_name(const Slip *slip) {
    TokenKind found = slip->found->kind;
    bool is_name = slip->before && slip->before->kind == TOKEN_NAME;
    const char *behind = slip_text_behind(slip, slip->found->at, false);
    const ForeignWord *word = foreign_line(behind, strcspn(behind, "\n"));
    if (found == TOKEN_COUNT && is_name && word) { /* thread::spawn */
        diag_hint(slip->diag, "%s", word->hint);
    } else if (found == TOKEN_COUNT && is_name) {
        diag_hint(slip->diag, "names have no '::'; another file is read by #INCLUDE \"file\" or "
                              "#USE \"unit\"");
    } else if (found == TOKEN_LESS && is_name && slip->count == 2) {
        diag_hint(slip->diag, "types have no parameters: an array is [n]INT, of a size known later "
                              "MOBILE []INT");
    } else if (found == TOKEN_SUBTRACT && slip->parse->depth == 0 && slip->count == 1) {
        diag_hint(slip->diag, "a file needs no heading; another one reads it by #USE \"unit\"");
    } else {
        return false;
    }
    return true;
}

/* x + 1 where a process stands */
static bool hint_value(const Slip *slip) {
    if (token_class(slip->found->kind) != CLASS_OPERATOR || slip->count != 2 ||
        line_kind(slip, 0) != TOKEN_NAME || !slip->expected->has[TOKEN_ASSIGN]) {
        return false;
    }
    diag_hint(slip->diag,
              "a value alone is not a process: y := .. keeps it, RESULT .. gives it at the "
              "end of a VALOF");
    return true;
}

/* x => y   x =< y   x =:= y   x =/= y */
static bool hint_operator(const Slip *slip) {
    TokenKind found = slip->found->kind;
    bool is_turned = slip->before && slip->before->kind == TOKEN_EQUAL;
    if (found == TOKEN_EQUAL && slip->before && slip->before->kind == TOKEN_DIVIDE) { /* x /= y */
        diag_hint(slip->diag, "'not equal' is written <>; a quotient is kept by x := x / y");
        return true;
    }
    if (is_turned && (found == TOKEN_DIVIDE || found == TOKEN_ASSIGN)) {
        diag_hint(slip->diag,
                  found == TOKEN_DIVIDE ? "'not equal' is written <>" : "'equal' is written =");
        return true;
    }
    if (!is_turned || (found != TOKEN_GREATER && found != TOKEN_LESS)) {
        return false;
    }
    const char *behind = slip_text_behind(slip, slip->found->at, false);
    if (found == TOKEN_GREATER && strchr(behind, '?') < behind + strcspn(behind, "\n") &&
        strchr(behind, '?')) {
        diag_hint(slip->diag, "the condition of a guard stands before '&': ready & c ? x");
        return true;
    }
    diag_hint(slip->diag, found == TOKEN_GREATER ? "'not less than' is written >="
                                                 : "'not more than' is written <=");
    return true;
}

void syntax_form_hint(const Slip *slip) {
    static bool (*const rules[])(const Slip *) = {
        hint_array,      hint_channel,    hint_type,     hint_segment,   hint_type_operand,
        hint_operator,   hint_replicator, hint_brackets, hint_semicolon, hint_second_type,
        hint_last_comma, hint_quote,      hint_option,   hint_guard,     hint_new_array,
        hint_heading,    hint_name,       hint_value};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i](slip)) {
            return;
        }
    }
}
