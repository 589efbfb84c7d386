/* surveyor -- what the files share that fill a survey from a checked tree.
 *
 * Holds: a name is known by the place of its definition; what is built in, by its symbol. */
#ifndef OCCC_SURVEYOR_H
#define OCCC_SURVEYOR_H

#include "compiler.h"
#include "survey.h"
#include "symbol.h"

/* A slot of the table from places to names. */
typedef struct NameSlot {
    uint32_t file;
    uint32_t line;
    uint32_t column;
    uint32_t name; /* and 1; 0: free */
} NameSlot;

/* The role in which the name at the root of an element is about to be met. */
typedef struct PendingRole {
    const Node *root;
    UseRole role;
} PendingRole;

typedef struct Surveyor {
    SurveyBuilder builder;
    Arena *arena;
    const Compiler *compiler;
    NameSlot *slots;
    size_t slot_count; /* a power of two */
    ARRAY_OF(PendingRole) roles;
    uint32_t parent;      /* the definition that the walk is in */
    bool is_broken;       /* a construct of the text could not be read */
    uint32_t *last_lines; /* of each file, so far */
} Surveyor;

/* survey_make -- of the tree of a unit, after as many checks as there were; `diagnostics` is a JSON
 * text. */
void survey_make(SurveyBuilder *result, Compiler *compiler, Node *unit, const char *diagnostics);

/* ---- survey_names.c ---- */

/* surveyor_name -- of a symbol, made when it is met first. */
uint32_t surveyor_name(Surveyor *surveyor, const Symbol *symbol);
/* surveyor_part -- of a field or tag. */
uint32_t surveyor_part(Surveyor *surveyor, const Text *text, Location at, NameKind kind,
                       const char *signature);
/* surveyor_known -- the name defined at a place; SURVEY_NONE: none. */
uint32_t surveyor_known(const Surveyor *surveyor, Location at);

/* ---- survey_uses.c ---- */

/* surveyor_is_interface -- what is there was not written by hand, or is nowhere. */
bool surveyor_is_interface(const Surveyor *surveyor, Location at);
/* surveyor_place -- where the name stands in a construct: its first place in the line where that
 * begins, or its last where that ends; file 0: it does not. */
Location surveyor_place(const Surveyor *surveyor, Location within, const Text *name, bool is_last);
void surveyor_use(Surveyor *surveyor, Location at, uint32_t name, UseRole role);
void surveyor_use_symbol(Surveyor *surveyor, Location at, const Text *text, const Symbol *symbol,
                         UseRole role);
/* surveyor_expect -- the role in which the root of an element is about to be met. */
void surveyor_expect(Surveyor *surveyor, const Node *element, UseRole role);
void surveyor_expect_writes(Surveyor *surveyor, const NodeList *list);
UseRole surveyor_role(const Surveyor *surveyor, const Node *node);
UseRole role_of_direction(Direction direction);
/* surveyor_sort -- the uses in order, and each once: types that several names share were met for
 * each. */
void surveyor_sort(SurveyBuilder *builder);

/* ---- survey_words.c ---- */

/* symbol_signature -- as it would be declared: VAL INT n IS 5, CHAN BYTE out!, PROC p (...). */
const char *symbol_signature(Surveyor *surveyor, const Symbol *symbol);
/* formal_signature -- one parameter. */
const char *formal_signature(Surveyor *surveyor, const Node *formal);
/* comment_above -- the comment that ends in the line before, without its dashes. */
const char *comment_above(Surveyor *surveyor, uint32_t file, uint32_t line);
/* library_place -- where the source of a unit defines what its interface declares; `at` itself
 * where that is not found. */
Location library_place(Surveyor *surveyor, const Symbol *symbol);

#endif
