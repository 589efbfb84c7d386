/* foreign_word -- words of other languages, and their equivalents in this one. */
#ifndef OCCC_FOREIGN_WORD_H
#define OCCC_FOREIGN_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* Words that often come in pairs: only the first of a group is reported. */
typedef enum WordGroup { GROUP_NONE, GROUP_BEGIN = 1, GROUP_REPEAT = 2, GROUP_TRY = 4 } WordGroup;

typedef struct ForeignWord {
    const char *word;
    const char *hint;
    WordGroup group;
} ForeignWord;

/* foreign_statement -- a word that begins a statement, in any case of letters; NULL: none. */
const ForeignWord *foreign_statement(const char *word, size_t length);
/* foreign_operator -- a word that stands after an operand. */
const ForeignWord *foreign_operator(const char *word, size_t length);
/* foreign_operand -- a word that begins an operand. */
const ForeignWord *foreign_operand(const char *word, size_t length);
/* foreign_line -- the word that a line of text begins with. */
const ForeignWord *foreign_line(const char *line, size_t length);

#endif
