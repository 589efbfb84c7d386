/* search -- breadth first. See the header. */
#include "search.h"

enum {
    STATES_MOST = 300000,
    BYTES_MOST = 400000000, /* of states */
    LOCAL_MOST = 10000,     /* steps of tasks alone before a state is kept */
    CHUNK = 1024,
    STEPS_MOST = 50000000 /* of them in all */
};

typedef struct Search {
    Machine *machine;
    SearchTest *is_fine;
    Arena *arena;
    ARRAY_OF(Word *) chunks; /* of CHUNK states each, in the order in which they were found */
    size_t count;
    uint32_t *table; /* of numbers of states and one more; its size is a power of two */
    size_t table_size;
    Word *work;
    size_t steps;
    Offers offers;
    SearchResult result;
} Search;

static Word *state_of(const Search *search, size_t number) {
    return search->chunks.items[number / CHUNK] + number % CHUNK * search->machine->words;
}

/* ---- states that are known ---- */

static size_t hash_of(const Search *search, const Word *state) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < search->machine->words; i++) {
        hash = (hash ^ (uint32_t)state[i]) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return (size_t)hash;
}

static size_t slot_of(const Search *search, const Word *state) {
    size_t bytes = search->machine->words * sizeof *state;
    size_t slot = hash_of(search, state) & (search->table_size - 1);
    while (search->table[slot] != 0 &&
           memcmp(state_of(search, search->table[slot] - 1), state, bytes) != 0) {
        slot = (slot + 1) & (search->table_size - 1);
    }
    return slot;
}

static void grow_table(Search *search) {
    search->table_size *= 2;
    search->table = arena_new_array(search->arena, uint32_t, search->table_size);
    for (size_t i = 0; i < search->count; i++) {
        search->table[slot_of(search, state_of(search, i))] = (uint32_t)i + 1;
    }
}

static void keep(Search *search, const Word *state) {
    size_t bytes = search->machine->words * sizeof *state;
    size_t slot = slot_of(search, state);
    if (search->table[slot] != 0) {
        return;
    }
    if (search->count >= STATES_MOST || search->steps > STEPS_MOST ||
        (search->count + 1) * bytes > BYTES_MOST) {
        search->result.end = SEARCH_TOO_MANY;
        return;
    }
    if (search->count == search->chunks.count * CHUNK) {
        array_push(search->arena, &search->chunks, arena_allocate(search->arena, CHUNK * bytes));
    }
    memcpy(state_of(search, search->count++), state, bytes);
    search->table[slot] = (uint32_t)search->count;
    if (search->count * 2 > search->table_size) {
        grow_table(search);
    }
}

/* ---- steps of tasks alone ---- */

static Local run(const Search *search, Word *state, unsigned task, unsigned *steps) {
    Local local = machine_local(search->machine, state, task);
    while (local == LOCAL_MOVES && ++*steps < LOCAL_MOST) {
        local = machine_local(search->machine, state, task);
    }
    return local;
}

/* Each task as far as it goes alone; false: the program ends. *forks: one that has several ways,
 * or the number of tasks. */
static bool settle(Search *search, Word *state, unsigned *forks) {
    unsigned tasks = (unsigned)search->machine->skeleton->tasks.count;
    unsigned waiting = 0;
    unsigned steps = 0;
    *forks = tasks;
    for (unsigned task = 0; waiting < tasks && steps < LOCAL_MOST; task = (task + 1) % tasks) {
        unsigned before = steps;
        Local local = run(search, state, task, &steps);
        if (local == LOCAL_ENDS) {
            return false;
        }
        *forks = local == LOCAL_FORKS ? task : *forks;
        waiting = steps == before ? waiting + 1 : 1;
    }
    search->steps += steps;
    return true;
}

static bool is_running(const Search *search, Word *state) {
    for (unsigned task = 0; task < search->machine->skeleton->tasks.count; task++) {
        memcpy(search->work, state, search->machine->words * sizeof *state);
        if (machine_local(search->machine, search->work, task) == LOCAL_MOVES) {
            return true;
        }
    }
    return false;
}

static void add(Search *search, Word *state) {
    unsigned forks;
    if (settle(search, state, &forks)) {
        keep(search, state);
    }
}

/* ---- steps together ---- */

static void take_both(Search *search, size_t number, const Offer *output, const Offer *input) {
    memcpy(search->work, state_of(search, number), search->machine->words * sizeof(Word));
    machine_meet(search->machine, search->work, output, input);
    add(search, search->work);
}

static bool meet(const Offer *output, const Offer *input) {
    return output->is_output && !input->is_output && output->element == input->element &&
           output->element >= 0 && output->task != input->task && !output->is_closed;
}

static bool fits(const Offer *output, const Offer *input) {
    return input->tag == 0 || input->tag == output->tag;
}

/* A message between two that wait for nothing else: no other step is tried. */
static bool try_plain(Search *search, size_t number) {
    const Offers *offers = &search->offers;
    for (size_t i = 0; i < offers->count; i++) {
        for (size_t k = 0; k < offers->count; k++) {
            const Offer *output = &offers->items[i];
            const Offer *input = &offers->items[k];
            if (output->is_plain && input->is_plain && meet(output, input) && fits(output, input)) {
                take_both(search, number, output, input);
                return true;
            }
        }
    }
    return false;
}

/* How many steps there are. A message that no variant takes is an error, which ends the program. */
static size_t try_messages(Search *search, size_t number) {
    size_t count = 0;
    const Offers offers = search->offers;
    for (size_t i = 0; i < offers.count; i++) {
        const Offer *one = &offers.items[i];
        if (one->element < 0) {
            memcpy(search->work, state_of(search, number), search->machine->words * sizeof(Word));
            machine_take(search->machine, search->work, one);
            add(search, search->work);
            count += !one->is_unsure;
        }
        count += one->is_closed; /* and an error, which ends the program */
        for (size_t k = 0; k < offers.count; k++) {
            const Offer *input = &offers.items[k];
            if (meet(one, input)) {
                count++;
                if (fits(one, input)) {
                    take_both(search, number, one, input);
                }
            }
        }
    }
    return count;
}

static size_t try_locks(Search *search, size_t number) {
    size_t count = 0;
    for (unsigned task = 0; task < search->machine->skeleton->tasks.count; task++) {
        memcpy(search->work, state_of(search, number), search->machine->words * sizeof(Word));
        bool is_at_lock = machine_at(search->machine, search->work, task)->op == OP_LOCK;
        Word *lock = is_at_lock ? machine_lock(search->machine, search->work, task) : NULL;
        if (lock && *lock == 0) {
            *lock = (Word)task + 1;
            search->work[task]++;
            add(search, search->work);
            count++;
        }
    }
    return count;
}

static size_t try_turns(Search *search, size_t number) {
    size_t count = 0;
    for (unsigned task = 0; task < search->machine->skeleton->tasks.count; task++) {
        if (machine_waits_for_turn(search->machine, state_of(search, number), task)) {
            memcpy(search->work, state_of(search, number), search->machine->words * sizeof(Word));
            machine_take_turn(search->machine, search->work, task);
            add(search, search->work);
            count++;
        }
    }
    return count;
}

static void try_ways(Search *search, size_t number, unsigned task) {
    for (size_t way = 0;; way++) {
        memcpy(search->work, state_of(search, number), search->machine->words * sizeof(Word));
        if (!machine_fork(search->machine, search->work, task, way)) {
            return;
        }
        add(search, search->work);
    }
}

static void found_deadlock(Search *search, size_t number) {
    size_t bytes = search->machine->words * sizeof(Word);
    search->result.end = SEARCH_DEADLOCK;
    search->result.deadlock = arena_allocate(search->machine->arena, bytes);
    memcpy(search->result.deadlock, state_of(search, number), bytes);
}

/* Who waits at a FORK does so for a task of its pool, for which the program does not wait. */
static bool lacks_a_task(const Search *search, const Word *state) {
    bool lacks_any = false;
    for (unsigned task = 0; task < search->machine->skeleton->tasks.count; task++) {
        lacks_any = lacks_any || machine_at(search->machine, state, task)->op == OP_FORK;
    }
    return lacks_any;
}

static void expand(Search *search, size_t number) {
    unsigned forks;
    memcpy(search->work, state_of(search, number), search->machine->words * sizeof(Word));
    bool goes_on = settle(search, search->work, &forks);
    if (goes_on && forks < search->machine->skeleton->tasks.count) {
        search->result.has_choices = true;
        try_ways(search, number, forks);
        return;
    }
    if (is_running(search, state_of(search, number))) {
        memcpy(search->work, state_of(search, number), search->machine->words * sizeof(Word));
        add(search, search->work);
        return;
    }
    if (lacks_a_task(search, state_of(search, number))) {
        search->result.end = SEARCH_TOO_MANY_FORKED;
        return;
    }
    machine_offers(search->machine, state_of(search, number), &search->offers);
    if (try_plain(search, number)) {
        return;
    }
    size_t steps =
        try_messages(search, number) + try_locks(search, number) + try_turns(search, number);
    search->result.has_choices = search->result.has_choices || steps > 1;
    if (steps == 0 && !search->is_fine(search->machine, state_of(search, number))) {
        found_deadlock(search, number);
    }
}

/* ---- the whole ---- */

SearchResult search_states(Machine *machine, SearchTest *is_fine) {
    Arena *arena = arena_create();
    Search search = {.machine = machine, .is_fine = is_fine, .arena = arena, .table_size = CHUNK};
    search.work = arena_new_array(arena, Word, machine->words);
    grow_table(&search);
    machine_begin(machine, search.work);
    add(&search, search.work);
    for (size_t i = 0; i < search.count && search.result.end == SEARCH_SAFE; i++) {
        expand(&search, i);
    }
    search.result.states = search.count;
    arena_destroy(arena);
    return search.result;
}

static bool has_ended(const Machine *machine, const Word *state) {
    return machine->words > 0 && state[0] == 0;
}

SearchResult search_deadlock(Machine *machine) {
    return search_states(machine, has_ended);
}
