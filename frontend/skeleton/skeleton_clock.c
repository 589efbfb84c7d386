/* skeleton_clock -- CLOCK and BARRIER: who is enrolled, and what is done to a phase. See
 * skeleton_walk.h.
 *
 * Holds:  each process has its own member of a clock, also each branch to which a PAR lends; names
 *         stand for the member of the process whose text is walked over. */
#include "skeleton_walk.h"

static SkeletonMember *add_member(SkeletonWalk *walk, SkeletonClock *clock,
                                  const SkeletonMember *lender) {
    SkeletonMember *member = arena_new(walk->arena, SkeletonMember);
    member->clock = clock;
    member->lender = lender;
    member->state = skeleton_add_lasting(walk, clock->name, 1);
    member->lent = skeleton_add_lasting(walk, clock->name, 1);
    array_push(walk->arena, &clock->members, member);
    return member;
}

static SkeletonStep *add_op(SkeletonWalk *walk, SkeletonClockOp op, const SkeletonMember *member,
                            Location at) {
    SkeletonStep *step = skeleton_add_step(walk, STEP_CLOCK, at);
    step->clock_op = op;
    step->member = member;
    return step;
}

void skeleton_declare_clock(SkeletonWalk *walk, const Symbol *symbol) {
    skeleton_beyond(walk, symbol->at, "a CLOCK or BARRIER in a model");
    SkeletonClock *clock = arena_new(walk->arena, SkeletonClock);
    clock->name = symbol->name->bytes;
    clock->at = symbol->at;
    array_push(walk->arena, &walk->skeleton->clocks, clock);
    const SkeletonMember *member = add_member(walk, clock, NULL);
    symbol_map_set(walk->arena, &walk->names.members, symbol, member);
    add_op(walk, CLOCK_BEGIN, member, symbol->at);
}

/* ---- names ---- */

static const SkeletonMember *member_of(SkeletonWalk *walk, const Node *name) {
    const Symbol *symbol = name->kind == NODE_NAME ? name->name.symbol : NULL;
    const SkeletonMember *member = symbol ? symbol_map_get(&walk->names.members, symbol) : NULL;
    if (!member) {
        skeleton_refuse(walk, name->at, "a CLOCK or BARRIER that moves, in a model");
    }
    return member;
}

static void add_once(SkeletonWalk *walk, SkeletonMembers *members, const SkeletonMember *member) {
    for (size_t i = 0; i < members->count; i++) {
        if (members->items[i] == member) {
            return;
        }
    }
    if (member) {
        array_push(walk->arena, members, member);
    }
}

static void add_named(SkeletonWalk *walk, SkeletonMembers *members, const NodeList *names) {
    for (size_t i = 0; i < names->count; i++) {
        add_once(walk, members, member_of(walk, names->items[i]));
    }
}

static void add_hidden(SkeletonWalk *walk, SkeletonMembers *members) {
    for (size_t i = 0; i < walk->hidden.count; i++) {
        add_once(walk, members, walk->hidden.items[i]);
    }
}

void skeleton_bind_clock(SkeletonWalk *walk, const Symbol *symbol, const Node *actual) {
    symbol_map_set(walk->arena, &walk->names.members, symbol, member_of(walk, actual));
}

SkeletonMembers skeleton_hidden_of(SkeletonWalk *walk, const Node *clocks) {
    SkeletonMembers members = {0};
    add_named(walk, &members, &clocks->clocks.names);
    if (clocks->clocks.continues) {
        add_hidden(walk, &members);
    }
    return members;
}

/* ---- what is done to a phase ---- */

static const SkeletonValue *is_over(SkeletonWalk *walk, const SkeletonMember *member) {
    return skeleton_operation(walk->arena, skeleton_of_variable(walk->arena, member->state, NULL),
                              OPERATOR_EQUAL, skeleton_number(walk->arena, MEMBER_OVER), NULL);
}

static void cross(SkeletonWalk *walk, const SkeletonMember *member, Location at) {
    SkeletonStep *step = skeleton_add_step(walk, STEP_UNTIL, at);
    step->member = member;
    step->condition = is_over(walk, member);
    step->slot = (SkeletonSlot){member->state, skeleton_number(walk->arena, 0)};
    step->value = skeleton_number(walk->arena, MEMBER_ACTIVE);
}

static void refuse_both(SkeletonWalk *walk, const SkeletonClock *clock, Location at) {
    if (clock->has_block && clock->is_joined_again) {
        skeleton_refuse(walk, at, "RESIGN from a clock, and a NEXT with a block on it, in a model");
    }
}

static void elect(SkeletonWalk *walk, const SkeletonMember *member, const Node *next) {
    SkeletonStep *step = skeleton_add_step(walk, STEP_ELECT, next->at);
    step->member = member;
    member->clock->has_block = true;
    refuse_both(walk, member->clock, next->at);
    skeleton_within(walk, &step->steps, next->next.process);
}

static SkeletonMembers members_of(SkeletonWalk *walk, const Node *node) {
    SkeletonMembers members = {0};
    NodeList names = node_clocks((Node *)node);
    add_named(walk, &members, &names);
    if (node->kind == NODE_NEXT && node->next.is_hidden) {
        add_hidden(walk, &members);
    }
    return members;
}

/* First it arrives at all, then it waits for each. */
static void next(SkeletonWalk *walk, const Node *node, const SkeletonMembers *members) {
    for (size_t i = 0; i < members->count; i++) {
        bool has_block = i == 0 && node->kind == NODE_NEXT && node->next.process;
        if (has_block) {
            elect(walk, members->items[i], node);
        } else {
            add_op(walk, CLOCK_ARRIVE, members->items[i], node->at);
        }
    }
    for (size_t i = 0; i < members->count; i++) {
        cross(walk, members->items[i], node->at);
    }
}

static void resign(SkeletonWalk *walk, const Node *node, const SkeletonMembers *members) {
    for (size_t i = 0; i < members->count; i++) {
        members->items[i]->clock->is_joined_again = true;
        refuse_both(walk, members->items[i]->clock, node->at);
        add_op(walk, CLOCK_LEAVE, members->items[i], node->at);
    }
    skeleton_process(walk, node->resign.process);
    for (size_t i = 0; i < members->count; i++) {
        add_op(walk, CLOCK_JOIN, members->items[i], node->at);
    }
}

void skeleton_clock(SkeletonWalk *walk, const Node *node) {
    SkeletonMembers members = members_of(walk, node);
    if (node->kind == NODE_RESIGN) {
        resign(walk, node, &members);
    } else if (node->kind == NODE_NEXT || node->kind == NODE_SYNC) {
        next(walk, node, &members);
    } else {
        for (size_t i = 0; i < members.count; i++) {
            add_op(walk, node->kind == NODE_DROP ? CLOCK_LEAVE : CLOCK_ARRIVE, members.items[i],
                   node->at);
        }
    }
}

const SkeletonValue *skeleton_next_guard(SkeletonWalk *walk, const Node *node) {
    SkeletonMembers members = members_of(walk, node);
    const SkeletonValue *are_over = skeleton_number(walk->arena, 1);
    for (size_t i = 0; i < members.count; i++) {
        are_over = skeleton_operation(walk->arena, are_over, OPERATOR_AND,
                                      is_over(walk, members.items[i]), NULL);
    }
    return are_over;
}

void skeleton_next_taken(SkeletonWalk *walk, const Node *node) {
    SkeletonMembers members = members_of(walk, node);
    for (size_t i = 0; i < members.count; i++) {
        cross(walk, members.items[i], node->at);
    }
}

/* ---- PAR ---- */

static void lend_name(SkeletonWalk *walk, SkeletonLoan *loan, const Node *name) {
    const SkeletonMember *lender = member_of(walk, name);
    if (!lender) {
        return;
    }
    const SkeletonMember *borrower = add_member(walk, lender->clock, lender);
    SkeletonLent lent = {name->name.symbol, borrower};
    array_push(walk->arena, &loan->lent, lent);
    array_push(walk->arena, &loan->borrowers, borrower);
}

void skeleton_begin_branch(SkeletonWalk *walk, SkeletonLoan *loan, const Node *par,
                           const Node *branch) {
    const Node *enroll = node_enroll(branch);
    loan->lent.count = 0;
    loan->hidden = walk->hidden;
    walk->hidden = (SkeletonMembers){0};
    for (size_t i = 0; i < par->par.enrols.count; i++) {
        lend_name(walk, loan, par->par.enrols.items[i]);
    }
    for (size_t i = 0; enroll && i < enroll->enroll.clocks.count; i++) {
        lend_name(walk, loan, enroll->enroll.clocks.items[i]);
    }
    for (size_t i = 0; i < loan->lent.count; i++) {
        symbol_map_set(walk->arena, &walk->names.members, loan->lent.items[i].symbol,
                       loan->lent.items[i].borrower);
    }
}

void skeleton_end_branch(SkeletonWalk *walk, SkeletonLoan *loan, SkeletonSteps *steps,
                         Location at) {
    SkeletonSteps *around = walk->steps;
    walk->steps = steps;
    for (size_t i = 0; i < loan->lent.count; i++) {
        const SkeletonLent *lent = &loan->lent.items[i];
        add_op(walk, CLOCK_HAND_BACK, lent->borrower, at);
        symbol_map_set(walk->arena, &walk->names.members, lent->symbol, lent->borrower->lender);
    }
    walk->steps = around;
    walk->hidden = loan->hidden;
}

void skeleton_lend(SkeletonWalk *walk, const SkeletonLoan *loan, Location at) {
    SkeletonMembers lenders = {0};
    for (size_t i = 0; i < loan->borrowers.count; i++) {
        add_once(walk, &lenders, loan->borrowers.items[i]->lender);
    }
    for (size_t i = 0; i < lenders.count; i++) {
        SkeletonStep *step = add_op(walk, CLOCK_LEND, lenders.items[i], at);
        for (size_t k = 0; k < loan->borrowers.count; k++) {
            if (loan->borrowers.items[k]->lender == lenders.items[i]) {
                array_push(walk->arena, &step->members, loan->borrowers.items[k]);
            }
        }
    }
}
