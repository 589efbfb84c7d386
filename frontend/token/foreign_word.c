/* foreign_word -- words of other languages, and their equivalents in this one.
 *
 * Owns:   the words of statements and operators. Names that could be a program's own (print, len)
 *         are in check/check_foreign.c. */
#include "foreign_word.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define ROUTINE_HINT  "a routine is PROC p (VAL INT x) or INT FUNCTION f (VAL INT x)"
#define BLOCK_HINT    "a block is the lines two columns deeper than the line above it"
#define VARIABLE_HINT "a variable is INT x: or, with a first value, INITIAL INT x IS 5:"
#define CHOICE_HINT   "each condition stands on a line of its own below IF; the last is TRUE"
#define TRY_HINT      "an error ends the program: what may go wrong is tested by IF before it is done"
#define REST_HINT                                                                                  \
    "what is left over is ELSE in a CASE, TRUE in an IF, TRUE & SKIP at the end of a PRI ALT"
#define LOOP_HINT                                                                                  \
    "a loop that is left at its end is WHILE over a SEQ whose last process sets the condition"
#define FILE_HINT    "another file is read by #INCLUDE \"file\" or #USE \"unit\""
#define HEADING_HINT "a file needs no heading; another one reads it by #USE \"unit\""
#define VALUE_HINT   "a choice by value is CASE x over its options"
#define CALL_HINT                                                                                  \
    "what has a life of its own is a PROC with channels; what others ask of it comes as messages"
#define PAR_HINT  "processes run at the same time under PAR"
#define GONE_HINT "a variable ends with its block: nothing is freed by hand"
#define WHEN_HINT                                                                                  \
    "the condition of a guard stands before it, ready & c ? x; a time is waited for by tim ? "     \
    "AFTER t PLUS n"
#define TYPES_HINT  "integers have a sign and a width: INT, INT16, INT32, INT64; a BYTE is 0 to 255"
#define LAMBDA_HINT "a routine has a name, and is no value: INT FUNCTION f (VAL INT x) IS x + 1:"

#define VALUES_HINT "a choice of values is made by IF or CASE, each with an assignment"

static const ForeignWord statements[] = {
    {"return", "a FUNCTION gives its values in the RESULT of its VALOF, a PROC in its parameters",
     GROUP_NONE},
    {"break", "a loop ends by its condition: WHILE going", GROUP_NONE},
    {"continue", "a loop ends by its condition: WHILE going", GROUP_NONE},
    {"repeat", LOOP_HINT, GROUP_REPEAT},
    {"until", LOOP_HINT, GROUP_REPEAT},
    {"loop", "a loop is written SEQ i = 0 FOR 10, or WHILE condition", GROUP_NONE},
    {"switch", VALUE_HINT, GROUP_NONE},
    {"match", VALUE_HINT, GROUP_NONE},
    {"select", "a choice between communications is ALT over its guards", GROUP_NONE},
    {"receive", "a message is taken by c ? x; a choice between several channels is ALT",
     GROUP_NONE},
    {"when", WHEN_HINT, GROUP_NONE},
    {"after", WHEN_HINT, GROUP_NONE},
    {"elseif", CHOICE_HINT, GROUP_NONE},
    {"elif", CHOICE_HINT, GROUP_NONE},
    {"elsif", CHOICE_HINT, GROUP_NONE},
    {"default", REST_HINT, GROUP_NONE},
    {"otherwise", REST_HINT, GROUP_NONE},
    {"pass", "a process that does nothing is SKIP", GROUP_NONE},
    {"var", VARIABLE_HINT, GROUP_NONE},
    {"let", VARIABLE_HINT, GROUP_NONE},
    {"auto", VARIABLE_HINT, GROUP_NONE},
    {"static", VARIABLE_HINT, GROUP_NONE},
    {"global", "what several routines use is declared before them, or is their parameter",
     GROUP_NONE},
    {"unsigned", TYPES_HINT, GROUP_NONE},
    {"signed", TYPES_HINT, GROUP_NONE},
    {"const", "a constant is VAL INT x IS 5:", GROUP_NONE},
    {"streaming", "every channel is a CHAN: its messages follow one another without a gap",
     GROUP_NONE},
    {"interface", "what clients ask of a server are the channels of a CHAN TYPE", GROUP_NONE},
    {"par", "a replicated PAR is PAR i = 0 FOR 4; what runs in parallel stands below it",
     GROUP_NONE},
    {"on", "where a process runs is for the runtime to choose; SETAFF (set) is a hint", GROUP_NONE},
    {"import", FILE_HINT, GROUP_NONE},
    {"include", FILE_HINT, GROUP_NONE},
    {"using", FILE_HINT, GROUP_NONE},
    {"use", FILE_HINT, GROUP_NONE},
    {"from", FILE_HINT, GROUP_NONE},
    {"extern", "a function of C is made known by #PRAGMA EXTERNAL \"PROC C.name (VAL INT x) = 0\"",
     GROUP_NONE},
    {"package", HEADING_HINT, GROUP_NONE},
    {"module", HEADING_HINT, GROUP_NONE},
    {"namespace", HEADING_HINT, GROUP_NONE},
    {"program", "a file needs no heading; the program is the last PROC of its file", GROUP_NONE},
    {"func", ROUTINE_HINT, GROUP_NONE},
    {"fun", ROUTINE_HINT, GROUP_NONE},
    {"def", ROUTINE_HINT, GROUP_NONE},
    {"fn", ROUTINE_HINT, GROUP_NONE},
    {"void", ROUTINE_HINT, GROUP_NONE},
    {"public", ROUTINE_HINT, GROUP_NONE},
    {"pub", ROUTINE_HINT, GROUP_NONE},
    {"private", ROUTINE_HINT, GROUP_NONE},
    {"async", PAR_HINT, GROUP_NONE},
    {"await", "an input waits until its message is there: c ? x", GROUP_NONE},
    {"procedure", ROUTINE_HINT, GROUP_NONE},
    {"struct", "a record is DATA TYPE name over RECORD", GROUP_NONE},
    {"class",
     "a record is DATA TYPE name over RECORD; what has a life of its own is a PROC with channels",
     GROUP_NONE},
    {"impl", CALL_HINT, GROUP_NONE},
    {"trait", CALL_HINT, GROUP_NONE},
    {"typedef", "a type of its own is DATA TYPE name IS INT:", GROUP_NONE},
    {"type",
     "a record is DATA TYPE name over RECORD; another name is DATA TYPE name IS INT:", GROUP_NONE},
    {"enum", "names for numbers are constants, VAL INT red IS 0:, or the tags of a PROTOCOL",
     GROUP_NONE},
    {"union", "the messages of several kinds are the tags of a PROTOCOL", GROUP_NONE},
    {"go", PAR_HINT, GROUP_NONE},
    {"spawn", PAR_HINT, GROUP_NONE},
    {"defer", "what is done last is the last process of a SEQ", GROUP_NONE},
    {"with", "what is done last is the last process of a SEQ", GROUP_NONE},
    {"assert", "what must be true is ASSERT (x = 3)", GROUP_NONE},
    {"del", GONE_HINT, GROUP_NONE},
    {"delete", GONE_HINT, GROUP_NONE},
    {"raise", TRY_HINT, GROUP_TRY},
    {"throw", TRY_HINT, GROUP_TRY},
    {"try", TRY_HINT, GROUP_TRY},
    {"except", TRY_HINT, GROUP_TRY},
    {"catch", TRY_HINT, GROUP_TRY},
    {"finally", TRY_HINT, GROUP_TRY},
    {"goto", "there are no jumps: processes are put together by SEQ, IF, CASE and WHILE",
     GROUP_NONE},
    {"begin", BLOCK_HINT, GROUP_BEGIN},
    {"end", BLOCK_HINT, GROUP_BEGIN},
    {"end.", BLOCK_HINT, GROUP_BEGIN},
    {"then", BLOCK_HINT, GROUP_NONE},
    {"do", LOOP_HINT, GROUP_REPEAT},
};

static const ForeignWord operators[] = {
    {"mod", "the remainder is a \\ b or a REM b", GROUP_NONE},
    {"rem", "the remainder is a \\ b or a REM b", GROUP_NONE},
    {"div", "the quotient is a / b", GROUP_NONE},
    {"xor", "exclusive or of bits is a >< b", GROUP_NONE},
    {"shl", "a shift is a << b or a >> b", GROUP_NONE},
    {"shr", "a shift is a << b or a >> b", GROUP_NONE},
    {"in", "membership is asked by a loop or by CASE", GROUP_NONE},
    {"is", "equality is asked by =, whether a mobile has a value by DEFINED m", GROUP_NONE},
    {"as", "a conversion is the type before what it converts: BYTE x", GROUP_NONE},
    {"if", VALUES_HINT, GROUP_NONE},
    {"for", "values by a rule are [i = 0 FOR 10 | i * i]", GROUP_NONE},
    {"when", WHEN_HINT, GROUP_NONE},
    {"then", "what is done stands two columns deeper on the next line", GROUP_NONE},
    {"do", "what is done stands two columns deeper on the next line", GROUP_NONE},
    {"to", "a replicator counts: i = 0 FOR 10 is 0 to 9", GROUP_NONE},
    {"downto", "a replicator counts, down too: i = 9 FOR 10 STEP -1 is 9 to 0", GROUP_NONE},
    {"of", "the options of a CASE stand below it, two columns deeper", GROUP_NONE},
};

static const ForeignWord operands[] = {
    {"lambda", LAMBDA_HINT, GROUP_NONE},
    {"fun", LAMBDA_HINT, GROUP_NONE},
    {"func", LAMBDA_HINT, GROUP_NONE},
    {"new", "an array is declared with its size, [10]INT a:, or made by MOBILE [n]INT", GROUP_NONE},
    {"await", "an input waits until its message is there: c ? x", GROUP_NONE},
    {"yield", "a value goes to another process by an output: c ! x", GROUP_NONE},
    {"if", VALUES_HINT, GROUP_NONE},
    {"match", VALUES_HINT, GROUP_NONE},
    {"switch", VALUES_HINT, GROUP_NONE},
    {"mut", "a parameter without VAL is the variable itself", GROUP_NONE},
};

static const ForeignWord *find(const ForeignWord *words, size_t count, const char *word,
                               size_t length) {
    for (size_t i = 0; i < count; i++) {
        if (strlen(words[i].word) == length && strncasecmp(words[i].word, word, length) == 0) {
            return &words[i];
        }
    }
    return NULL;
}

const ForeignWord *foreign_statement(const char *word, size_t length) {
    return find(statements, sizeof statements / sizeof statements[0], word, length);
}

const ForeignWord *foreign_operator(const char *word, size_t length) {
    return find(operators, sizeof operators / sizeof operators[0], word, length);
}

const ForeignWord *foreign_operand(const char *word, size_t length) {
    return find(operands, sizeof operands / sizeof operands[0], word, length);
}

const ForeignWord *foreign_line(const char *line, size_t length) {
    size_t start = 0;
    while (start < length && line[start] == ' ') {
        start++;
    }
    size_t end = start;
    while (end < length && (isalnum((unsigned char)line[end]) || line[end] == '.')) {
        end++;
    }
    return foreign_statement(line + start, end - start);
}
