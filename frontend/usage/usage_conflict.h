/* usage_conflict -- what the files of the check of one PAR share. */
#ifndef OCCC_USAGE_CONFLICT_H
#define OCCC_USAGE_CONFLICT_H

#include "usage_phase.h"

typedef struct Candidate {
    const UsageAccess *access;
    size_t component;
    int64_t low; /* bounds of one dimension, the same one for all of an object */
    int64_t high;
    unsigned offset_class; /* of index_offset.c */
    int64_t offset;
} Candidate;

typedef ARRAY_OF(Candidate) CandidateList;

typedef struct ParCheck {
    UsageWalk *walk;
    IndexPair pair;
    uint64_t budget;
    IndexOffsetTable *offsets; /* of an object with many accesses */
    uint32_t pairs;            /* looked at so far */
    uint32_t last_comparison;  /* of the object */
    uint32_t latest;           /* symbols numbered above it are defined inside of the PAR */
    const Node *par;
    PhaseClocks clocks;
    const UsagePhase *before;
} ParCheck;

/* ---- usage_pair.c ---- */
bool pair_uses_conflict(const UsageAccess *a, const UsageAccess *b);
/* pair_are_claimed -- a MUTEX keeps the two apart. */
bool pair_are_claimed(const ParCheck *check, const Candidate *a, const Candidate *b);
/* pair_is_exhausted -- too many pairs of the object have been compared. */
bool pair_is_exhausted(const ParCheck *check);
IndexAnswer pair_compare(ParCheck *check, const Candidate *a, const Candidate *b);
/* pair_are_separated -- all accesses of the object choose another element in each branch. */
bool pair_are_separated(ParCheck *check, const Candidate *group, size_t count);

#endif
