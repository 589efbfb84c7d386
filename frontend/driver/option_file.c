/* option_file -- see the header. */
#include "option_file.h"

#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_LIMIT 16

typedef struct Expander {
    Arena *arena;
    Words *words;
    unsigned error_count;
    bool is_run;      /* occc run: stop expanding at the first file */
    bool is_finished; /* the program's own words have begun */
} Expander;

static void expand(Expander *expander, const char *word, unsigned depth);

/* False: there is no such file. */
static bool read_file(Expander *expander, const char *path, FileText *text) {
    *text = (FileText){"", 0};
    if (file_read(expander->arena, path, text)) {
        return true;
    }
    bool is_there = file_is_there(path) || errno == EISDIR;
    if (is_there) {
        driver_error("cannot read '%s'", path);
        expander->error_count++;
    }
    return is_there;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/* One word from *at on; NULL at the end. */
static const char *next_word(Expander *expander, const char **at, const char *end) {
    while (*at < end && is_blank(**at)) {
        ++*at;
    }
    if (*at == end) {
        return NULL;
    }
    StringBuilder word = {.arena = expander->arena};
    string_append(&word, "", 0);
    char quote = '\0';
    for (; *at < end && (quote || !is_blank(**at)); ++*at) {
        if (**at == '\\' && *at + 1 < end) {
            ++*at;
            string_append(&word, *at, 1);
        } else if (quote ? **at == quote : **at == '\'' || **at == '"') {
            quote = quote ? '\0' : **at;
        } else {
            string_append(&word, *at, 1);
        }
    }
    return word.bytes;
}

static bool expand_file(Expander *expander, const char *path, unsigned depth) {
    FileText text;
    if (!read_file(expander, path, &text)) {
        return false;
    }
    if (depth >= DEPTH_LIMIT) {
        driver_error("'@%s' is nested too deep: does it name itself?", path);
        expander->error_count++;
        return true;
    }
    const char *at = text.bytes;
    const char *end = text.bytes + text.length;
    const char *word;
    while (expander->error_count == 0 && (word = next_word(expander, &at, end)) != NULL) {
        expand(expander, word, depth + 1);
    }
    return true;
}

static void expand(Expander *expander, const char *word, unsigned depth) {
    if (!expander->is_finished && word[0] == '@' && expand_file(expander, word + 1, depth)) {
        return;
    }
    bool is_first = expander->words->count == 0;
    if (is_first && strcmp(word, "run") == 0) {
        expander->is_run = true;
    } else if (expander->is_run && (word[0] != '-' || !word[1])) {
        expander->is_finished = true;
    }
    array_push(expander->arena, expander->words, word);
}

unsigned option_file_expand(Arena *arena, int count, char **words, Words *expanded) {
    Expander expander = {.arena = arena, .words = expanded};
    for (int i = 1; i < count; i++) {
        expand(&expander, words[i], 0);
    }
    return expander.error_count;
}
