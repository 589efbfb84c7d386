/* check_foreign -- names that are there in C, Go, Python and Pascal, and what does their work here.
 *
 * Holds: asked only when a name is not declared, so a user's own `print` is never meant; words that
 *        no expression or type could be are the parser's (syntax_foreign.c). */
#include "checker.h"

#include <string.h>
#include <strings.h>

#define PRINT_HINT                                                                                 \
    "text goes to the channel 'screen': screen ! 'a', or out.string (\"...\", 0, screen!) of "     \
    "course.module"
#define READ_HINT "characters come from the channel 'keyboard': keyboard ? ch"
#define EMPTY_HINT                                                                                 \
    "no type has an empty value: a BOOL of its own says whether there is one; of a mobile, "       \
    "DEFINED m asks"
#define TEXT_HINT   "a text is an array of BYTE: [20]BYTE s:, as a parameter VAL []BYTE s"
#define WAIT_HINT   "a process waits on a TIMER: tim ? AFTER t PLUS n, or delay (n) of #USE \"time\""
#define MEMORY_HINT "an array is declared with its size, [10]INT a:, or made by MOBILE [n]INT"
#define CLAIM_HINT                                                                                 \
    "what processes share is claimed: CLAIM m above the process that uses it, two columns deeper"
#define REST_HINT "the last choice of an IF is TRUE, the last option of a CASE is ELSE"
#define JOIN_HINT "a PAR ends when all its processes have, a FORKING when all that were FORKed have"
#define MAIN_HINT                                                                                  \
    "the channels to the world are parameters of the program, and of whoever uses them: PROC "     \
    "main "                                                                                        \
    "(CHAN BYTE keyboard?, screen!)"
#define TYPE_HINT "the type is called"

/* hint: for a name that is replaced by another, what comes before it; else all there is to say. */
static const struct {
    const char *word;
    const char *hint;
    const char *replacement; /* NULL: none stands in its place */
} foreign_names[] = {
    {"printf", PRINT_HINT, NULL},
    {"print", PRINT_HINT, NULL},
    {"println", PRINT_HINT, NULL},
    {"fmt.println", PRINT_HINT, NULL},
    {"fmt.printf", PRINT_HINT, NULL},
    {"puts", PRINT_HINT, NULL},
    {"putchar", PRINT_HINT, NULL},
    {"write", PRINT_HINT, NULL},
    {"writeln", PRINT_HINT, NULL},
    {"cout", PRINT_HINT, NULL},
    {"scanf", READ_HINT, NULL},
    {"getchar", READ_HINT, NULL},
    {"input", READ_HINT, NULL},
    {"read", READ_HINT, NULL},
    {"readln", READ_HINT, NULL},
    {"nil", EMPTY_HINT, NULL},
    {"null", EMPTY_HINT, NULL},
    {"none", EMPTY_HINT, NULL},
    {"some", EMPTY_HINT, NULL},
    {"option", EMPTY_HINT, NULL},
    {"clone", "a copy of a mobile is", "CLONE"},
    {"len", "the number of elements is", "SIZE"},
    {"length", "the number of elements is", "SIZE"},
    {"sizeof", "the number of bytes is", "BYTESIN"},
    {"append", MEMORY_HINT, NULL},
    {"malloc", MEMORY_HINT, NULL},
    {"new", MEMORY_HINT, NULL},
    {"sleep", WAIT_HINT, NULL},
    {"usleep", WAIT_HINT, NULL},
    {"time.sleep", WAIT_HINT, NULL},
    {"lock", CLAIM_HINT, NULL},
    {"unlock", CLAIM_HINT, NULL},
    {"inc", "a variable counts by x := x + 1", NULL},
    {"dec", "a variable counts by x := x - 1", NULL},
    {"exit", "a program ends when its last process has ended; STOP ends it as an error", NULL},
    {"panic", "STOP ends the program as an error", NULL},
    {"assert", "the routine is called", "ASSERT"},
    {"close", "a channel is closed by CLOSE c! or CLOSE c?", NULL},
    {"default", REST_HINT, NULL},
    {"otherwise", REST_HINT, NULL},
    {"float", TYPE_HINT, "REAL32"},
    {"float32", TYPE_HINT, "REAL32"},
    {"real", TYPE_HINT, "REAL32"},
    {"double", TYPE_HINT, "REAL64"},
    {"float64", TYPE_HINT, "REAL64"},
    {"char", TYPE_HINT, "BYTE"},
    {"uint8", TYPE_HINT, "BYTE"},
    {"rune", TYPE_HINT, "BYTE"},
    {"boolean", TYPE_HINT, "BOOL"},
    {"integer", TYPE_HINT, "INT"},
    {"short", TYPE_HINT, "INT16"},
    {"long", TYPE_HINT, "INT64"},
    {"i16", TYPE_HINT, "INT16"},
    {"int16", TYPE_HINT, "INT16"},
    {"i32", TYPE_HINT, "INT32"},
    {"int32", TYPE_HINT, "INT32"},
    {"i64", TYPE_HINT, "INT64"},
    {"int64", TYPE_HINT, "INT64"},
    {"u8", TYPE_HINT, "BYTE"},
    {"f32", TYPE_HINT, "REAL32"},
    {"f64", TYPE_HINT, "REAL64"},
    {"usize", TYPE_HINT, "INT"},
    {"isize", TYPE_HINT, "INT"},
    {"uint", TYPE_HINT, "INT"},
    {"chanend", "the end of a channel is CHAN INT c? or CHAN INT c!", NULL},
    {"map", "a map is of the module map: #INCLUDE \"map.module\"", NULL},
    {"dict", "a map is of the module map: #INCLUDE \"map.module\"", NULL},
    {"vec", MEMORY_HINT, NULL},
    {"list", MEMORY_HINT, NULL},
    {"max", "the larger of two is chosen by an IF", NULL},
    {"min", "the smaller of two is chosen by an IF", NULL},
    {"spawn", "processes run at the same time under PAR", NULL},
    {"thread", "processes run at the same time under PAR", NULL},
    {"wait", JOIN_HINT, NULL},
    {"join", JOIN_HINT, NULL},
    {"self", "a process has no name: who is to answer is given the end of a channel", NULL},
    {"sync.waitgroup", JOIN_HINT, NULL},
    {"waitgroup", JOIN_HINT, NULL},
    {"screen", MAIN_HINT, NULL},
    {"keyboard", MAIN_HINT, NULL},
    {"error", MAIN_HINT, NULL},
    {"scr", MAIN_HINT, NULL},
    {"kyb", MAIN_HINT, NULL},
    {"err", MAIN_HINT, NULL},
    {"void", "a routine without a result is a PROC", NULL},
    {"string", TEXT_HINT, NULL},
    {"str", TEXT_HINT, NULL},
};

static bool suggest_word(Checker *checker, const char *word, const Location *at) {
    for (size_t i = 0; i < sizeof foreign_names / sizeof foreign_names[0]; i++) {
        if (strcasecmp(foreign_names[i].word, word) != 0) {
            continue;
        }
        const char *replacement = foreign_names[i].replacement;
        diag_hint(checker->diag, "%s%s%s", foreign_names[i].hint, replacement ? " " : "",
                  replacement ? replacement : "");
        if (replacement && at) {
            diag_fixit(checker->diag, *at, replacement);
        }
        return true;
    }
    return false;
}

/* NULL of the library is a BYTE, which is hardly meant. */
bool check_suggest_nothing(Checker *checker, const Text *name) {
    bool is_nothing = strcasecmp(name->bytes, "null") == 0 || strcasecmp(name->bytes, "nil") == 0 ||
                      strcasecmp(name->bytes, "none") == 0;
    return is_nothing && suggest_word(checker, name->bytes, NULL);
}

/* wg.Wait (), os.Exit (1): what stands behind the last '.' says what is meant. */
static bool suggest_member(Checker *checker, const Text *name, char next) {
    const char *dot = strrchr(name->bytes, '.');
    return dot && next == '(' && suggest_word(checker, dot + 1, NULL);
}

/* f"x is {x}" */
static bool suggest_filled_text(Checker *checker, const Text *name, char next) {
    if (name->length != 1 || next != '"') {
        return false;
    }
    diag_hint(checker->diag, "a text holds no values: they are written one by one, out.int (x, 0, "
                             "screen!), or by format.print of the module useful");
    return true;
}

/* A method: what stands before the last '.' is a name of the program. */
static const char *method_of(Checker *checker, const Text *name) {
    const char *dot = strrchr(name->bytes, '.');
    if (!dot) {
        return NULL;
    }
    const Text *object =
        text_intern(checker->compiler->texts, name->bytes, (size_t)(dot - name->bytes));
    return scope_find(checker->scope, object) ? dot + 1 : NULL;
}

bool check_suggest_foreign(Checker *checker, const Text *name, Location at) {
    const char *method = method_of(checker, name);
    size_t length = 0;
    const char *line = source_line(checker->compiler->sources, at.file, at.end_line, &length);
    size_t next = at.end_column - 1;
    char touching = next < length ? line[next] : '\0';
    next += touching == ' ';
    char behind = next < length ? line[next] : '\0';
    if (suggest_word(checker, name->bytes, &at) ||
        (method && suggest_word(checker, method, NULL)) || suggest_member(checker, name, behind) ||
        suggest_filled_text(checker, name, touching)) {
        return true;
    }
    if (method && behind == '(') {
        diag_hint(checker->diag,
                  "nothing has methods: a routine is called with what it works on, "
                  "%s (%.*s)",
                  method, (int)(method - name->bytes) - 1, name->bytes);
        return true;
    }
    return false;
}
