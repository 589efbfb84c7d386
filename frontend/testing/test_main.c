/* test_main -- see the header. */
#include "test_main.h"

#include "check.h"
#include "parse.h"

#include <string.h>

#define PREFIX "test."

static const char *const role_formals[] = {"keyboard?", "screen!", "error!"};

/* ---- which PROCs are tests ---- */

static bool is_test(const Unit *unit, const Node *node) {
    if (node->kind != NODE_PROC || node->proc.body->kind == NODE_ELSEWHERE) {
        return false;
    }
    const char *name = node->proc.def->def.name->bytes;
    const SourceFile *file = source_file(unit->compiler.sources, node->at.file);
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0 &&
           strcmp(file->path, unit->paths.items[0]) == 0;
}

/* The PROC of that name that the main PROC would call: the last one. */
static const Node *find_test(const Unit *unit, const char *name) {
    const NodeList *specs = &unit->tree->unit.specs;
    for (size_t i = specs->count; i > 0; i--) {
        const Node *node = specs->items[i - 1];
        if (is_test(unit, node) && strcmp(node->proc.def->def.name->bytes, name) == 0) {
            return node;
        }
    }
    return NULL;
}

/* The comment `-- EXPECT: error words` in the lines right above the PROC. */
static void find_expected(Unit *unit, const Node *proc, TestCase *test) {
    static const char mark[] = "-- EXPECT: ";
    for (uint32_t line = proc->at.line - 1; line > 0; line--) {
        size_t length = 0;
        const char *text = source_line(unit->compiler.sources, proc->at.file, line, &length);
        if (length < 2 || strncmp(text, "--", 2) != 0) {
            return;
        }
        if (length <= strlen(mark) || strncmp(text, mark, strlen(mark)) != 0) {
            continue;
        }
        const char *words =
            arena_format(unit->arena, "%.*s", (int)(length - strlen(mark)), text + strlen(mark));
        size_t end = strcspn(words, " \r");
        test->expected_end = arena_format(unit->arena, "%.*s", (int)end, words);
        const char *rest = words + end + strspn(words + end, " ");
        test->expected_words = arena_format(unit->arena, "%.*s", (int)strcspn(rest, "\r"), rest);
        return;
    }
}

void test_main_find(Unit *unit, TestFile *file) {
    const NodeList *specs = &unit->tree->unit.specs;
    for (size_t i = 0; i < specs->count; i++) {
        const Node *node = specs->items[i];
        const Node *def = is_test(unit, node) ? node->proc.def : NULL;
        if (def && find_test(unit, def->def.name->bytes) == node) {
            TestCase test = {.name = def->def.name->bytes,
                             .line = def->at.line,
                             .column = def->at.column,
                             .number = (unsigned)file->tests.count};
            find_expected(unit, node, &test);
            array_push(unit->arena, &file->tests, test);
        }
    }
}

/* ---- the main PROC ---- */

/* What the test is called with, as words; NULL: nothing fits (test_main_check says it). */
static const char *actuals_of(Unit *unit, const Node *proc, bool *is_used) {
    const NodeList *formals = &proc->proc.formals;
    const char *list = "";
    for (size_t i = 0; i < formals->count; i++) {
        const Node *formal = formals->items[i];
        const Node *type = formal->kind == NODE_FORMAL ? formal->formal.type_expr : NULL;
        MainChannel role;
        if (!type || type->kind != NODE_TYPE_CHANNEL) {
            return NULL;
        }
        const Node *def = formal->formal.def;
        Direction direction = def->def.direction != DIRECTION_NONE ? def->def.direction
                                                                   : type->type_channel.direction;
        if (!check_main_role(def->def.name->bytes, direction, &role)) {
            return NULL;
        }
        is_used[role] = true;
        list = arena_format(unit->arena, "%s%s%s", list, i > 0 ? ", " : "", role_formals[role]);
    }
    return list;
}

static const char *main_text(Unit *unit, const TestFile *file) {
    bool is_used[MAIN_CHANNEL_LIMIT] = {false};
    const char *calls = "";
    for (size_t i = 0; i < file->tests.count; i++) {
        const TestCase *test = &file->tests.items[i];
        const char *actuals = actuals_of(unit, find_test(unit, test->name), is_used);
        if (actuals) {
            calls = arena_format(unit->arena, "%s    %u\n      %s (%s)\n", calls, test->number,
                                 test->name, actuals);
        }
    }
    const char *formals = "";
    for (size_t i = 0; i < MAIN_CHANNEL_LIMIT; i++) {
        if (is_used[i]) {
            formals = arena_format(unit->arena, "%s%sCHAN BYTE %s", formals, *formals ? ", " : "",
                                   role_formals[i]);
        }
    }
    return arena_format(unit->arena,
                        "#PRAGMA EXTERNAL \"INT FUNCTION C.occ.test.number () = 0\"\n"
                        "PROC occ.test.main (%s)\n"
                        "  CASE C.occ.test.number ()\n"
                        "%s"
                        "    ELSE\n"
                        "      STOP\n"
                        ":\n",
                        formals, calls);
}

void test_main_add(Unit *unit, const TestFile *file) {
    Compiler *compiler = &unit->compiler;
    const char *text = main_text(unit, file);
    const Node *added = parse_text(compiler, "the program of tests", text, strlen(text));
    for (size_t i = 0; i < added->unit.specs.count; i++) {
        array_push(unit->arena, &unit->tree->unit.specs, added->unit.specs.items[i]);
    }
}

bool test_main_check(Unit *unit, const TestFile *file) {
    bool all = true;
    for (size_t i = 0; i < file->tests.count; i++) {
        MainChannel roles[MAIN_CHANNEL_LIMIT];
        const Node *proc = find_test(unit, file->tests.items[i].name);
        all = check_main_formals(&unit->compiler, proc, roles) && all;
    }
    return all;
}
