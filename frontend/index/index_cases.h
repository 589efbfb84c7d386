/* index_cases -- a question as linear systems, case by case (index_cases.c, index_quotient.c). */
#ifndef OCCC_INDEX_CASES_H
#define OCCC_INDEX_CASES_H

#include "index_question.h"

typedef struct CasesRow {
    LinearRow row;
    struct CasesRow *next;
} CasesRow;

typedef struct CasesFact CasesFact;

/* All of it holds. */
typedef struct CasesConjunction {
    CasesRow *rows;
    CasesFact *facts;
} CasesConjunction;

/* One of the pieces holds. */
struct CasesFact {
    CasesConjunction *pieces;
    size_t count;
    CasesFact *next;
};

typedef enum CasesTermKind {
    TERM_TRUNCATED,    /* expr / by, towards zero */
    TERM_ROUNDED_DOWN, /* expr / by, downwards */
    TERM_WRAPPED,      /* what the INT of expr has lost, / by */
    TERM_SHIFTED,      /* the value of expr, a shift to the right */
    TERM_EXTREME       /* the value of expr, the smaller or larger of two */
} CasesTermKind;

/* What a dimension behind those of the question stands for. */
typedef struct CasesTerm {
    CasesTermKind kind;
    const IndexExpr *expr;
    int64_t by;
    IndexSide side;
} CasesTerm;

struct Cases {
    CasesConjunction root;
    CasesConjunction *target; /* what is written down belongs to it */
    CasesTerm terms[LINEAR_VARIABLES];
    size_t term_count;
};

#endif
