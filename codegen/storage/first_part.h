/* first_part -- the part of a variable that is tracked, and how much of it is certainly written.
 *
 * Holds: a Part is the variable, or an element of an outer Part whose subscript is a replicator
 *        plus or minus a constant: in a loop that writes a[i] the Part is a[i], and in one that
 *        writes m[i][j] it is m[i], then m[i][j].
 *        Elements are written from the first on, so one number says which. */
#ifndef OCCC_FIRST_PART_H
#define OCCC_FIRST_PART_H

#include "emit.h"

typedef struct Part {
    const Symbol *symbol; /* the variable */
    const Symbol *alias;  /* another name for just this part, in scope; or NULL */
    const Type *type;
    struct Part *outer; /* NULL: the part is the variable */
    /* its subscript in outer: offset + index, or offset - index */
    const Symbol *index;
    int64_t offset;
    bool is_negative;
    /* in a loop that writes elements in order: those below counter + below are written */
    const Symbol *counter;
    int64_t below;
    bool relies; /* a read has relied on that */
    /* what the process did so far, on every path */
    int64_t filled; /* this many elements from the first on are written */
    bool is_whole;  /* all is written, or control does not get further */
    bool fails;     /* something that is not written may be read */
} Part;

/* The subscript that one write in a loop has. */
typedef struct LoopSubscript {
    int64_t offset;
    bool is_negative;
    bool is_found;
} LoopSubscript;

/* part_is_named -- does the text name the variable, or call a routine that uses it from outside? */
bool part_is_named(const Part *part, Node *text);
/* part_is_element -- is the element one of the variable? */
bool part_is_element(Part *part, const Node *element);
/* part_is_exactly -- is the element the part itself? */
bool part_is_exactly(Part *part, const Node *element);
/* part_read -- the contents of the element are used; elements of other variables are ignored. */
void part_read(Part *part, const Node *element);
/* part_write -- the whole of the element is written. */
void part_write(Part *part, const Node *element);
/* part_fill -- elements from `first` to before `end` are written. */
void part_fill(Part *part, int64_t first, int64_t end);
/* part_join -- merge with `other`, the state at the end of another path. */
void part_join(Part *part, const Part *other);
/* part_loop_subscript -- that of the element, if the index chooses it within the part. */
LoopSubscript part_loop_subscript(Part *part, const Node *element, const Symbol *index);

#endif
