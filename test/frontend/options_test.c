/* options -- what a command line means. Messages are tested in test/driver. */
#define _POSIX_C_SOURCE 200809L

#include "options.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The words after the compiler's name, parted by blanks. */
static Options *parse(Arena *arena, const char *line) {
    char *words[64] = {"occc"};
    int count = 1;
    char *rest = arena_format(arena, "%s", line);
    for (char *word = strtok(rest, " "); word; word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    return options_parse(arena, count, words);
}

static void test_options__defaults(Arena *arena) {
    Options *options = parse(arena, "a.occ");
    assert(options->command == COMMAND_COMPILE && options->stage == STAGE_PROGRAM);
    assert(options->optimisation == 2 && !options->debug && options->error_limit == 20);
    assert(options->inputs.count == 1 && options->inputs.items[0].kind == INPUT_SOURCE);
    assert(options->colour == -1 && !options->output);
}

static void test_options__values_joined_and_apart(Arena *arena) {
    Options *options = parse(arena, "-oout -o out2 -Iinc -I inc2 -DN=1 -D M a.occ -lm -L lib");
    assert(strcmp(options->output, "out2") == 0);
    assert(options->include_directories.count == 2 && options->defines.count == 2);
    assert(strcmp(options->include_directories.items[1], "inc2") == 0);
    assert(options->inputs.count == 2 && options->inputs.items[1].kind == INPUT_WORD);
    assert(strcmp(options->inputs.items[1].word, "-lm") == 0);
}

static void test_options__levels(Arena *arena) {
    assert(parse(arena, "-O0 a.occ")->optimisation == 0);
    assert(parse(arena, "-O a.occ")->optimisation == 1);
    assert(parse(arena, "-O3 -O1 a.occ")->optimisation == 1);
    assert(parse(arena, "-Os a.occ")->optimises_for_size);
    assert(parse(arena, "-g a.occ")->optimisation == 0);
    assert(parse(arena, "-g -O2 a.occ")->optimisation == 2);
    assert(!parse(arena, "-O4 a.occ") && !parse(arena, "-Ofast a.occ"));
}

static void test_options__warnings_keep_their_order(Arena *arena) {
    Options *options = parse(arena, "-Wa -Wno-b -Werror -Werror=c -Wno-error=d -Wall -w a.occ");
    assert(options->warnings_are_errors && options->no_warnings && options->warnings.count == 4);
    assert(strcmp(options->warnings.items[2], "-Werror=c") == 0);
}

static void test_options__kinds_of_inputs(Arena *arena) {
    Options *options = parse(arena, "a.occ b.o c.a d.so -Wl,-q -x occam e -x none f.o -");
    assert(!options); /* standard input wants -x occam */
    options = parse(arena, "a.occ b.o -Wl,-q -x occam e - -x none f.o");
    static const InputKind kinds[] = {INPUT_SOURCE, INPUT_OBJECT, INPUT_WORD,
                                      INPUT_SOURCE, INPUT_SOURCE, INPUT_OBJECT};
    assert(options->inputs.count == 6);
    for (size_t i = 0; i < 6; i++) {
        assert(options->inputs.items[i].kind == kinds[i]);
    }
}

static void test_options__words_behind_two_dashes_are_files(Arena *arena) {
    Options *options = parse(arena, "-c -- -odd.occ -g.occ");
    assert(options->inputs.count == 2 && !options->debug);
    assert(strcmp(options->inputs.items[0].word, "-odd.occ") == 0);
}

static void test_options__run_hands_words_on(Arena *arena) {
    Options *options = parse(arena, "run -O1 prog -o x --help");
    assert(options->command == COMMAND_RUN && options->optimisation == 1);
    assert(options->inputs.count == 1 && options->program_words.count == 3);
    assert(!options->output);
    assert(parse(arena, "check a.occ")->stage == STAGE_CHECK);
}

static void test_options__wrong_usage(Arena *arena) {
    static const char *const lines[] = {"",
                                        "-c",
                                        "-q a.occ",
                                        "a.occ -o",
                                        "-c -o x a.occ b.occ",
                                        "-x fortran a.occ",
                                        "-march=none a.occ",
                                        "-ferror-limit=many a.occ",
                                        "-fdiagnostics-color=pink a.occ",
                                        "-emit-llvm a.occ",
                                        "file.txt",
                                        "run -c a.occ"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert(!parse(arena, lines[i]));
    }
}

static void test_options__files_of_words(Arena *arena) {
    char path[] = "/tmp/occ-options-XXXXXX";
    int file = mkstemp(path);
    assert(file >= 0);
    static const char text[] = "-g 'a b'.occ\n\"-o\" x\\ y ''";
    assert(write(file, text, sizeof text - 1) == (ssize_t)(sizeof text - 1));
    close(file);
    Options *options = parse(arena, arena_format(arena, "-x occam @%s", path));
    unlink(path);
    assert(options->debug && strcmp(options->output, "x y") == 0);
    assert(options->inputs.count == 2);
    assert(strcmp(options->inputs.items[0].word, "a b.occ") == 0);
    assert(strcmp(options->inputs.items[1].word, "") == 0);
    options = parse(arena, "-x occam @/nonexistent");
    assert(strcmp(options->inputs.items[0].word, "@/nonexistent") == 0);
}

int main(void) {
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO); /* messages of wrong usage; assert ends the test all the same */
    Arena *arena = arena_create();
    test_options__defaults(arena);
    test_options__values_joined_and_apart(arena);
    test_options__levels(arena);
    test_options__warnings_keep_their_order(arena);
    test_options__kinds_of_inputs(arena);
    test_options__words_behind_two_dashes_are_files(arena);
    test_options__run_hands_words_on(arena);
    test_options__wrong_usage(arena);
    test_options__files_of_words(arena);
    arena_destroy(arena);
    return 0;
}
