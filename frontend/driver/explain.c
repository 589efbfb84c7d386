/* explain -- see the header.
 *
 * Holds: a page is Markdown of a narrow kind: "# id", paragraphs, "## Wrong" and "## Right" over
 *        fenced programs. On a terminal the headings are bold and the fences become an indent. */
#define _POSIX_C_SOURCE 200809L

#include "explain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_COLUMN 32
#define LINE_LIMIT  256 /* check_explain.py allows 100 */

/* ---- pages ---- */

static FILE *open_page(Arena *arena, const Installation *installation, const char *name) {
    return fopen(arena_format(arena, "%s/%s.md", installation->explain, name), "re");
}

static bool wants_bold(const Options *options) {
    const char *no_colour = getenv("NO_COLOR");
    bool is_plain = (no_colour && no_colour[0]) || !isatty(STDOUT_FILENO);
    return options->colour < 0 ? !is_plain : options->colour > 0;
}

static void print_heading(const char *words, int length, bool is_bold) {
    printf("%s%.*s%s\n", is_bold ? "\033[1m" : "", length, words, is_bold ? "\033[0m" : "");
}

static void print_page(FILE *page, bool is_bold) {
    char line[LINE_LIMIT];
    bool is_program = false;
    while (fgets(line, sizeof line, page)) {
        int visible = (int)strcspn(line, "\n");
        if (strncmp(line, "```", 3) == 0) {
            is_program = !is_program;
        } else if (is_program) {
            printf("%s%.*s\n", visible ? "    " : "", visible, line);
        } else if (line[0] == '#') {
            int mark = (int)strspn(line, "# ");
            print_heading(line + mark, visible - mark, is_bold);
        } else {
            printf("%.*s\n", visible, line);
        }
    }
}

/* ---- lists ---- */

/* The first sentence below the heading of a page; it ends with its paragraph at the latest. */
static void print_summary(FILE *page) {
    char line[LINE_LIMIT];
    bool has_begun = false;
    while (fgets(line, sizeof line, page)) {
        int length = (int)strcspn(line, "\n");
        if (line[0] == '#' || (length == 0 && !has_begun)) {
            continue;
        }
        const char *end = strstr(line, ". ");
        printf("%s%.*s", has_begun && length ? " " : "", end ? (int)(end - line + 1) : length,
               line);
        has_begun = true;
        if (end || length == 0 || line[length - 1] == '.') {
            break;
        }
    }
}

static bool begins_with(const char *name, const char *area) {
    return strncmp(name, area, strlen(area)) == 0;
}

static bool holds(const char *name, const char *word) {
    return strstr(name, word) != NULL;
}

/* Every id that fits `word`, a line each; how many there are. */
static unsigned print_list(Arena *arena, const Installation *installation, const char *word,
                           bool (*fits)(const char *name, const char *word)) {
    unsigned count = 0;
    for (unsigned id = 0; id < DIAG_COUNT; id++) {
        const char *name = diag_name((DiagId)id);
        if (!fits(name, word)) {
            continue;
        }
        count++;
        printf("%-*s ", NAME_COLUMN, name);
        FILE *page = open_page(arena, installation, name);
        if (page) {
            print_summary(page);
            fclose(page);
        }
        putchar('\n');
    }
    return count;
}

/* ---- the command ---- */

static const char *nearest_name(Arena *arena, const char *word) {
    TextTable *texts = text_table_create(arena);
    const Text *said = text_intern_string(texts, word);
    const char *nearest = NULL;
    unsigned best = said->length > 8 ? 5 : 3;
    for (unsigned id = 0; id < DIAG_COUNT; id++) {
        const char *name = diag_name((DiagId)id);
        unsigned distance = text_distance(said, text_intern_string(texts, name), best);
        if (distance < best) {
            best = distance;
            nearest = name;
        }
    }
    return nearest;
}

/* error[usage-self], as it stands in a message, is usage-self. */
static const char *without_brackets(Arena *arena, const char *word) {
    const char *opening = strchr(word, '[');
    const char *closing = opening ? strchr(opening, ']') : NULL;
    return closing ? arena_format(arena, "%.*s", (int)(closing - opening - 1), opening + 1) : word;
}

static bool explain_one(Arena *arena, const Options *options, const Installation *installation,
                        const char *said) {
    const char *word = without_brackets(arena, said);
    if (diag_id_of_name(word) == DIAG_COUNT) {
        if (print_list(arena, installation, word, begins_with) > 0 ||
            print_list(arena, installation, word, holds) > 0) {
            return true; /* an area: usage, types-main, ...; or a word: unused */
        }
        const char *near = nearest_name(arena, word);
        if (near) {
            driver_error("there is no message '%s'; did you mean '%s'?", word, near);
        } else {
            driver_error("there is no message '%s'; occc explain lists them all", word);
        }
        return false;
    }
    FILE *page = open_page(arena, installation, word);
    if (!page) {
        fatal("cannot read the page '%s/%s.md':", installation->explain, word);
    }
    print_page(page, wants_bold(options));
    fclose(page);
    return true;
}

int explain_run(Arena *arena, const Options *options, const Installation *installation) {
    int status = EXIT_OK;
    if (options->topics.count == 0) {
        print_list(arena, installation, "", begins_with);
    }
    for (size_t i = 0; i < options->topics.count; i++) {
        if (i > 0) {
            putchar('\n');
        }
        if (!explain_one(arena, options, installation, options->topics.items[i])) {
            status = EXIT_USAGE;
        }
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fatal("cannot write to standard output:");
    }
    return status;
}
