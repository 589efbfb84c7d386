/* machine_clock -- members of clocks come, arrive and go. See machine_run.h.
 *
 * Holds:  a phase ends when a member is left, and all have arrived; by whoever came last, in the same
 *         step. What is not known of a member is that it has never been there. */
#include "machine_state.h"

static Word *word_of(const Machine *machine, Word *state, const SkeletonVariable *variable) {
    return &state[machine->variable_words[variable->number]];
}

Word *machine_member(const Machine *machine, Word *state, const SkeletonMember *member) {
    return word_of(machine, state, member->state);
}

static bool have_arrived(const Machine *machine, Word *state, const SkeletonClock *clock) {
    bool is_any = false;
    for (size_t i = 0; i < clock->members.count; i++) {
        Word member = *machine_member(machine, state, clock->members.items[i]);
        if (member == MEMBER_ACTIVE || member == MEMBER_OVER) {
            return false;
        }
        is_any = is_any || member == MEMBER_RESUMED;
    }
    return is_any;
}

static void end_phase(const Machine *machine, Word *state, const SkeletonClock *clock) {
    bool is_over = have_arrived(machine, state, clock);
    for (size_t i = 0; is_over && i < clock->members.count; i++) {
        Word *member = machine_member(machine, state, clock->members.items[i]);
        *member = *member == MEMBER_RESUMED ? MEMBER_OVER : *member;
    }
}

static void begin(const Machine *machine, Word *state, const SkeletonMember *member) {
    for (size_t i = 0; i < member->clock->members.count; i++) {
        *machine_member(machine, state, member->clock->members.items[i]) = MEMBER_NONE;
        *word_of(machine, state, member->clock->members.items[i]->lent) = 0;
    }
    *machine_member(machine, state, member) = MEMBER_ACTIVE;
}

static void lend(const Machine *machine, Word *state, const SkeletonStep *step) {
    *machine_member(machine, state, step->member) = MEMBER_NONE;
    *word_of(machine, state, step->member->lent) = (Word)step->members.count;
    for (size_t i = 0; i < step->members.count; i++) {
        *machine_member(machine, state, step->members.items[i]) = MEMBER_ACTIVE;
    }
}

static void leave(const Machine *machine, Word *state, const SkeletonMember *member) {
    *machine_member(machine, state, member) = MEMBER_NONE;
    end_phase(machine, state, member->clock);
}

static void hand_back(const Machine *machine, Word *state, const SkeletonMember *member) {
    Word *mine = machine_member(machine, state, member);
    if (*mine == MEMBER_NONE) {
        return;
    }
    if (--*word_of(machine, state, member->lender->lent) == 0) {
        *machine_member(machine, state, member->lender) = *mine;
        *mine = MEMBER_NONE;
    } else {
        leave(machine, state, member);
    }
}

void machine_clock(const Machine *machine, Word *state, unsigned task) {
    const SkeletonStep *step = machine_at(machine, state, task)->step;
    Word *mine = machine_member(machine, state, step->member);
    switch (step->clock_op) {
    case CLOCK_BEGIN: begin(machine, state, step->member); break;
    case CLOCK_LEND: lend(machine, state, step); break;
    case CLOCK_HAND_BACK: hand_back(machine, state, step->member); break;
    case CLOCK_LEAVE: leave(machine, state, step->member); break;
    case CLOCK_JOIN: *mine = MEMBER_ACTIVE; break;
    case CLOCK_ARRIVE:
        if (*mine == MEMBER_ACTIVE) {
            *mine = MEMBER_RESUMED;
            end_phase(machine, state, step->member->clock);
        }
    }
    state[task]++;
}

/* Who has arrived waits until all have, and one of them is elected; or until the phase is over. */
Local machine_elect(const Machine *machine, Word *state, unsigned task, const Instruction *at) {
    Word *mine = machine_member(machine, state, at->step->member);
    if (*mine == MEMBER_ACTIVE) {
        *mine = MEMBER_RESUMED;
        return LOCAL_MOVES;
    }
    if (*mine == MEMBER_OVER) {
        state[task] = (Word)at->target;
        return LOCAL_MOVES;
    }
    return have_arrived(machine, state, at->step->member->clock) ? LOCAL_FORKS : LOCAL_WAITS;
}

bool machine_fork_elect(const Machine *machine, Word *state, unsigned task, size_t way) {
    const SkeletonClock *clock = machine_at(machine, state, task)->step->member->clock;
    for (unsigned i = 0; i < machine->skeleton->tasks.count; i++) {
        const Instruction *at = machine_at(machine, state, i);
        if (at->op == OP_ELECT && at->step->member->clock == clock && way-- == 0) {
            *machine_member(machine, state, at->step->member) = MEMBER_ACTIVE;
            state[i]++;
            return true;
        }
    }
    return false;
}
