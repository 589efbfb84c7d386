/* test_file -- a file of tests: which there are, and the program that runs any of them.
 *
 * Owns:   what a test is: a PROC of the outermost level of the file itself whose name begins with
 *         test. and whose parameters are those that a main PROC may have; the main PROC that calls
 *         the one that OCC_TEST names by its number.
 * Leaves: passes and linking to driver.h, where programs are kept to run_cache.h.
 * Holds:  a file is read by a child process (child_pool.h); what it finds out comes back as lines
 *         in a nameless file. */
#ifndef OCCC_TEST_FILE_H
#define OCCC_TEST_FILE_H

#include "driver.h"
#include "run_cache.h"

typedef struct TestCase {
    const char *name;
    unsigned line;
    unsigned column;
    unsigned number; /* in its program */
    /* The end that the line `-- EXPECT: error words` (or deadlock) above it promises, "error" or
     * "deadlock", and what the report must say; NULL: it ends well. */
    const char *expected_end;
    const char *expected_words;
} TestCase;

typedef struct TestFile {
    const char *path;
    ARRAY_OF(TestCase) tests;
    Words sources;       /* what the program is made from, as far as it was read */
    Words objects;       /* with units that it uses */
    const char *program; /* its path; NULL: the file has errors */
    bool is_made;        /* the program is there */
    bool is_settled;     /* its tests have passed before: they need not run again */
    const char *said;    /* what the compiler printed; "": nothing */
    int status;          /* of reading it, or of making the program */
} TestFile;

typedef struct TestFiles {
    TestFile *items;
    size_t count;
    size_t capacity;
    Words folders; /* that were looked into */
} TestFiles;

/* test_files_find -- the files that the options name, or that are in the folders they name. False
 * after a message: one is not there. */
bool test_files_find(Arena *arena, const Options *options, TestFiles *files);
/* test_files_read -- which tests they have, and which programs are there already. */
void test_files_read(Arena *arena, const Options *options, const RunCache *cache, TestFiles *files);
/* test_file_parse -- when it has no errors, its tests are in *file. */
Unit *test_file_parse(Arena *arena, const Options *options, const Installation *installation,
                      TestFile *file);
/* test_jobs -- how much is done at once. */
unsigned test_jobs(const Options *options);
/* test_files_make -- the programs that are not there (test_make.c). Several may be one executable,
 * which runs the one whose unit OCC_TEST names. */
void test_files_make(Arena *arena, const Options *options, TestFiles *files);

#endif
