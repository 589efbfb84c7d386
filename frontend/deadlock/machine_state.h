/* machine_state -- what the files share that make steps: values in a state.
 *
 * Owns:   reading and writing them.
 * Leaves: the steps to machine_run.h. */
#ifndef OCCC_MACHINE_STATE_H
#define OCCC_MACHINE_STATE_H

#include "machine_run.h"

typedef enum Truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_EITHER } Truth;

/* machine_truth -- of a condition; NULL: true. */
Truth machine_truth(const Machine *machine, const Word *state, const SkeletonValue *condition);
void machine_set(const Machine *machine, Word *state, SkeletonSlot slot, bool is_known,
                 int64_t number);
/* machine_store -- slot := value; NULL: any. */
void machine_store(const Machine *machine, Word *state, SkeletonSlot slot,
                   const SkeletonValue *value);
/* machine_element -- a number that no other channel has; -1: none. */
int64_t machine_element(const Machine *machine, const Word *state, const SkeletonPlace *place);
/* machine_elect, machine_fork_elect -- OP_ELECT as a step that may fork. */
Local machine_elect(const Machine *machine, Word *state, unsigned task, const Instruction *at);
bool machine_fork_elect(const Machine *machine, Word *state, unsigned task, size_t way);

#endif
