/* option_file -- @file on the command line: more words from a file, quoted as gcc does it.
 *
 * Holds:  words are parted by white space; '...' and "..." keep it; a backslash takes the next
 *         character as it is, also inside quotes. A word @file that names no file stays as it is.
 *         For `occc run` nothing is expanded behind the program's file. */
#ifndef OCCC_OPTION_FILE_H
#define OCCC_OPTION_FILE_H

#include "options.h"

/* option_file_expand -- the words after the first, files put in; the number of errors reported. */
unsigned option_file_expand(Arena *arena, int count, char **words, Words *expanded);

#endif
