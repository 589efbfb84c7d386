/* clock_table_test -- the state table of language.md 4.3 as a model, and runtime/clock/clock.c
 * beside it: in every state that up to four processes can reach, every operation is accepted or
 * refused, waits or goes on, and wakes the same processes in both. Alone and on a shared worker. */
#define rt_scheduler_ready test_ready
#define rt_scheduler_next  test_next
#include "../../runtime/clock/clock.c"

#include "world.h"

enum { PROCESSES = 4, STATES_MAX = 1 << 20, PHASES_TOLD_APART = 4 };

/* ---- the model: the sets of the v4 note, corrected (models/clock_v4.py) ---- */

typedef enum Control {
    CONTROL_UNBORN,
    CONTROL_RUNS,
    CONTROL_WAITS,
    CONTROL_WOKEN,  /* not yet across */
    CONTROL_PARENT, /* at the end of its PAR */
    CONTROL_ENDED
} Control;

typedef struct Member {
    uint8_t control;
    uint8_t is_registered; /* activities */
    uint8_t has_resumed;   /* resumed */
    uint8_t is_ahead;      /* nextResumed */
    int8_t lender;         /* or -1 */
    uint8_t lent;
    uint8_t branches; /* of its PAR that have not ended */
    int32_t phase;
} Member;

typedef struct Model {
    Member members[PROCESSES];
    bool is_split;
    int32_t phase;
} Model;

static int count(const Model *model, bool of_resumed) {
    int found = 0;
    for (int i = 0; i < PROCESSES; i++) {
        found += of_resumed ? model->members[i].has_resumed : model->members[i].is_registered;
    }
    return found;
}

static void try_split(Model *model) {
    int members = count(model, false);
    if (model->is_split || members == 0 || members != count(model, true)) {
        return;
    }
    model->is_split = true;
    model->phase++;
    for (int i = 0; i < PROCESSES; i++) {
        if (model->members[i].control == CONTROL_WAITS) {
            model->members[i].control = CONTROL_WOKEN;
        }
    }
}

static void try_whole(Model *model) {
    if (!model->is_split || count(model, true) > 0) {
        return;
    }
    model->is_split = false;
    for (int i = 0; i < PROCESSES; i++) {
        model->members[i].has_resumed = model->members[i].is_ahead;
        model->members[i].is_ahead = 0;
    }
    try_split(model);
}

static void model_resume(Model *model, Member *member) {
    if (member->has_resumed || member->is_ahead) {
        return;
    }
    if (model->is_split) {
        member->is_ahead = 1;
    } else {
        member->has_resumed = 1;
        try_split(model);
    }
}

static void cross(Model *model, Member *member) {
    expect(model->is_split && member->has_resumed);
    member->has_resumed = 0;
    member->phase++;
    member->control = CONTROL_RUNS;
    try_whole(model);
}

static void model_next(Model *model, Member *member) {
    model_resume(model, member);
    if (model->is_split && member->has_resumed) {
        cross(model, member);
    } else {
        member->control = CONTROL_WAITS;
    }
}

static void forget(Model *model, Member *member) {
    member->is_registered = member->has_resumed = member->is_ahead = 0;
    if (count(model, false) == 0) {
        model->is_split = false;
    }
    try_split(model);
    try_whole(model);
}

static void model_end(Model *model, Member *member) {
    Member *lender = &model->members[member->lender];
    member->control = CONTROL_ENDED;
    if (member->is_registered && --lender->lent == 0) {
        lender->is_registered = 1;
        lender->has_resumed = member->has_resumed;
        lender->is_ahead = member->is_ahead;
        lender->phase = member->phase;
        member->is_registered = member->has_resumed = member->is_ahead = 0;
    } else if (member->is_registered) {
        forget(model, member);
    }
    if (--lender->branches == 0) {
        lender->control = CONTROL_RUNS;
    }
}

/* ---- the runtime beside it ---- */

typedef struct Real {
    Clock clock;
    Process processes[PROCESSES];
    Registration registrations[PROCESSES];
    bool is_ready[PROCESSES];
} Real;

static Real real;
static Worker worker;
static Process somebody_else;

void test_ready(Worker *on, Process *process) {
    expect(on == &worker);
    long index = process - real.processes;
    expect(index >= 0 && index < PROCESSES && !real.is_ready[index]);
    real.is_ready[index] = true;
}

Process *test_next(Worker *on) {
    expect(on == &worker);
    return &somebody_else;
}

/* What was appended as a chain. */
static void empty_queue(void) {
    for (Process *process = worker.head; process != NULL; process = process->next) {
        test_ready(&worker, process);
        expect(process->next != NULL || worker.tail == process);
    }
    worker.head = NULL;
}

static void born(Model *model, int child, const Member *parent, int lender) {
    Member *member = &model->members[child];
    *member = (Member){.control = CONTROL_RUNS,
                       .is_registered = 1,
                       .lender = (int8_t)lender,
                       .phase = parent->phase};
    real.registrations[child] = (Registration){
        .clock = &real.clock,
        .lender = lender >= 0 ? &real.registrations[lender] : NULL,
        .phase = (uint32_t)parent->phase,
        .state = REGISTRATION_ACTIVE,
    };
}

/* ---- the operations, on both ---- */

typedef enum Operation {
    OPERATION_RESUME,
    OPERATION_NEXT,
    OPERATION_DROP,
    OPERATION_REJOIN, /* the end of RESIGN */
    OPERATION_END,    /* of a branch */
    OPERATION_ENROL,  /* MOBILE CLOCK */
    OPERATION_LEND_1,
    OPERATION_LEND_2,
    OPERATION_GO_ON, /* one that was woken runs */
    OPERATION_COUNT
} Operation;

static int unborn(const Model *model, int from) {
    while (from < PROCESSES && model->members[from].control != CONTROL_UNBORN) {
        from++;
    }
    return from;
}

static void lend(Model *model, int index, int branches) {
    Member parent = model->members[index];
    rt_clock_lend(&real.processes[index], &real.registrations[index], branches);
    model->members[index].is_registered = 0;
    model->members[index].control = CONTROL_PARENT;
    model->members[index].lent = model->members[index].branches = (uint8_t)branches;
    for (int i = 0; i < branches; i++) {
        born(model, unborn(model, 0), &parent, index);
    }
}

static void enrol(Model *model, int index) {
    clock_join(&real.registrations[index], 1);
    born(model, unborn(model, 0), &model->members[index], -1);
}

/* Is the operation possible here? As compiled code and the checks have it. */
static bool is_possible(const Model *model, int index, Operation operation) {
    const Member *member = &model->members[index];
    bool is_quiet = member->has_resumed || member->is_ahead;
    int free_places = 0;
    for (int i = 0; i < PROCESSES; i++) {
        free_places += model->members[i].control == CONTROL_UNBORN;
    }
    if (operation == OPERATION_GO_ON) {
        return member->control == CONTROL_WOKEN;
    }
    if (member->control != CONTROL_RUNS) {
        return false;
    }
    switch (operation) {
    case OPERATION_RESUME:
    case OPERATION_NEXT:
    case OPERATION_DROP: return member->is_registered;
    case OPERATION_REJOIN: return !member->is_registered;
    case OPERATION_END: return member->lender >= 0;
    case OPERATION_ENROL:
    case OPERATION_LEND_1: return member->is_registered && !is_quiet && free_places > 0;
    case OPERATION_LEND_2: return member->is_registered && !is_quiet && free_places > 1;
    case OPERATION_GO_ON:
    case OPERATION_COUNT: break;
    }
    return false;
}

static void apply(Model *model, int index, Operation operation) {
    static const Site site = {.kind = WAIT_CLOCK};
    Member *member = &model->members[index];
    Process *me = &real.processes[index];
    Registration *mine = &real.registrations[index];
    switch (operation) {
    case OPERATION_RESUME:
        model_resume(model, member);
        rt_clock_resume(me, mine);
        break;
    case OPERATION_NEXT: {
        model_next(model, member);
        bool goes_on = rt_clock_next(me, mine, &site) == me;
        empty_queue();
        bool is_back = goes_on || real.is_ready[index]; /* taken with the others: as good */
        expect(is_back == (member->control != CONTROL_WAITS));
        real.is_ready[index] = false;
        break;
    }
    case OPERATION_DROP:
        forget(model, member);
        rt_clock_leave(me, mine);
        break;
    case OPERATION_REJOIN:
        member->is_registered = 1;
        member->phase = model->phase;
        rt_clock_rejoin(me, mine);
        break;
    case OPERATION_END:
        model_end(model, member);
        rt_clock_hand_back(me, mine);
        break;
    case OPERATION_ENROL: enrol(model, index); break;
    case OPERATION_LEND_1: lend(model, index, 1); break;
    case OPERATION_LEND_2: lend(model, index, 2); break;
    case OPERATION_GO_ON:
        cross(model, member);
        real.is_ready[index] = false;
        break;
    case OPERATION_COUNT: break;
    }
    empty_queue();
}

/* The same in both, as far as anybody can see. */
static void compare(const Model *model) {
    for (int i = 0; i < PROCESSES; i++) {
        const Member *member = &model->members[i];
        const Registration *mine = &real.registrations[i];
        expect(real.is_ready[i] == (member->control == CONTROL_WOKEN));
        if (member->control != CONTROL_RUNS) {
            continue;
        }
        bool is_quiet = member->has_resumed || member->is_ahead;
        uint32_t state = !member->is_registered ? REGISTRATION_NONE
                         : is_quiet             ? REGISTRATION_RESUMED
                                                : REGISTRATION_ACTIVE;
        expect(mine->state == state);
        expect(state == REGISTRATION_NONE || mine->phase == (uint32_t)member->phase);
    }
    uint64_t word = real.clock.word;
    expect(clock_registered_in(word) == (uint64_t)count(model, false));
    expect(clock_registered_in(word) == 0 || clock_phase_in(word) == (unsigned)model->phase);
}

/* ---- every reachable state ---- */

typedef struct Key {
    uint8_t bytes[PROCESSES * 8];
} Key;

typedef struct State {
    Model model;
    Real real;
} State;

static Key key_of(const Model *model) {
    Key key = {{0}};
    for (int i = 0; i < PROCESSES; i++) {
        const Member *member = &model->members[i];
        uint8_t *at = &key.bytes[i * 8];
        at[0] = member->control;
        at[1] = (uint8_t)(member->is_registered | member->has_resumed << 1 | member->is_ahead << 2);
        at[2] = (uint8_t)member->lender;
        at[3] = member->lent;
        at[4] = member->branches;
        at[5] = member->is_registered ? (uint8_t)(model->phase - member->phase) : 0;
    }
    key.bytes[6] = (uint8_t)(model->phase % PHASES_TOLD_APART); /* parities and turns */
    key.bytes[7] = model->is_split;
    return key;
}

static struct {
    Key keys[STATES_MAX * 2];
    bool is_used[STATES_MAX * 2];
} known;

/* True: it was not known. */
static bool add(const Key *key) {
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < sizeof key->bytes; i++) {
        hash = (hash ^ key->bytes[i]) * 1099511628211u;
    }
    size_t at = (size_t)(hash >> 20) % (STATES_MAX * 2);
    while (known.is_used[at] && memcmp(&known.keys[at], key, sizeof *key) != 0) {
        at = (at + 1) % (STATES_MAX * 2);
    }
    if (known.is_used[at]) {
        return false;
    }
    known.is_used[at] = true;
    known.keys[at] = *key;
    return true;
}

/* U A Ax R Rs Rx of the table. */
static int class_of(const Model *model, const Member *member) {
    bool is_whole = !model->is_split;
    return !member->is_registered ? 0
           : member->is_ahead     ? 5
           : member->has_resumed  ? (is_whole ? 3 : 4)
           : is_whole             ? 1
                                  : 2;
}

static bool is_met[6][OPERATION_COUNT];

static State *states;
static size_t state_count;

static void explore(const State *from) {
    for (int i = 0; i < PROCESSES; i++) {
        for (Operation operation = 0; operation < OPERATION_COUNT; operation++) {
            if (!is_possible(&from->model, i, operation)) {
                continue;
            }
            is_met[class_of(&from->model, &from->model.members[i])][operation] = true;
            State to = *from;
            real = from->real;
            apply(&to.model, i, operation);
            compare(&to.model);
            Key key = key_of(&to.model);
            if (add(&key)) {
                expect(state_count < STATES_MAX);
                to.real = real;
                states[state_count++] = to;
            }
        }
    }
}

static size_t explore_all(uint32_t mode) {
    memset(&known, 0, sizeof known);
    memset(&real, 0, sizeof real);
    worker = (Worker){.mode = mode, .solo_epoch = 7};
    State first = {
        .model = {.members = {{.control = CONTROL_RUNS, .is_registered = 1, .lender = -1}}}};
    for (int i = 0; i < PROCESSES; i++) {
        real.processes[i].worker = &worker;
    }
    rt_clock_begin(&real.processes[0], &real.registrations[0], &real.clock);
    first.real = real;
    state_count = 0;
    states[state_count++] = first;
    for (size_t i = 0; i < state_count; i++) {
        State state = states[i];
        explore(&state);
    }
    return state_count;
}

/* Every row and column of the table has been met; nobody waits where nothing can come. */
static void expect_whole_table(void) {
    for (int class = 1; class < 6; class ++) {
        expect(is_met[class][OPERATION_RESUME] && is_met[class][OPERATION_NEXT] &&
               is_met[class][OPERATION_DROP] && is_met[class][OPERATION_END]);
    }
    expect(is_met[0][OPERATION_END] && is_met[0][OPERATION_REJOIN]);
    expect(is_met[1][OPERATION_ENROL] && is_met[2][OPERATION_ENROL]);
    expect(is_met[1][OPERATION_LEND_2] && is_met[2][OPERATION_LEND_2]);
}

static void expect_no_deadlock(void) {
    for (size_t s = 0; s < state_count; s++) {
        bool somebody_waits = false;
        bool somebody_goes_on = false;
        for (int i = 0; i < PROCESSES; i++) {
            Control control = states[s].model.members[i].control;
            somebody_waits = somebody_waits || control == CONTROL_WAITS;
            somebody_goes_on =
                somebody_goes_on || control == CONTROL_RUNS || control == CONTROL_WOKEN;
        }
        expect(!somebody_waits || somebody_goes_on);
    }
}

int main(void) {
    states = malloc(STATES_MAX * sizeof *states);
    expect(states != NULL);
    size_t alone = explore_all(0);
    expect_whole_table();
    expect_no_deadlock();
    size_t shared = explore_all(MODE_SHARED);
    expect(alone == shared && alone > 30000);
    free(states);
    return 0;
}
