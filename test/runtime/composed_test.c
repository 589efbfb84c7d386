/* composed_test -- channels with owners, ALTs, CLOSE and CLAIM on the scheduler that is alone,
 * shares and ends: runtime/scheduler and runtime/channel together, as they are, every interleaving
 * of whose atomics may come (fibre.h). Lines of processes pass numbers on, by operations that are
 * inlined, called, or chosen by an ALT with guards of both kinds, CLOSED, a timer and SKIP; they
 * compute, sleep and claim what all share. A line ends by closing, from either side or from within,
 * or stands for ever. Nobody is resumed unsaved, each number arrives once and in order, everybody
 * sees the close; the end, or the deadlock, is found. What fails prints the seed that repeats it.
 */
#define RT_DETERMINISTIC

typedef enum Fault { /* the controls: what one part relies on in another */
                     FAULT_NONE,
                     FAULT_UNASKED,       /* an operation takes a channel that is another's */
                     FAULT_CLOSE_UNASKED, /* so does CLOSE */
                     FAULT_ALT_UNASKED,   /* and an ALT */
                     FAULT_DEAF_SLEEP,    /* who falls asleep does not look what is asked of him */
                     FAULT_STILL_RESTS, /* who gets up does not say so: others take his channels */
                     FAULT_LAST
} Fault;

static Fault fault;

#include "fibre_scheduler.h"

#define OWNERSHIP_MEETINGS 1
#include "../../runtime/core/error.h"
#include "../../runtime/scheduler/stop.h"

bool rest_awake(Worker *worker);
void rise_rested(Worker *worker);
#define ownership_rest rest_awake
#define ownership_rise rise_rested
#include "../../runtime/scheduler/ownership.c"
#undef ownership_rest
#undef ownership_rise

static bool waits_in(const Worker *worker, Channel *channel);
static void take_for_close(Worker *worker, Channel *channel);
#define ownership_is_given_up waits_in
#include "../../runtime/channel/alt.c"
#include "../../runtime/channel/alt_look.c"
#undef ownership_is_given_up
#include "../../runtime/channel/channel.c"
#define turn_round turn_claims_round
#include "../../runtime/channel/claim.c"
#undef turn_round
#define ownership_take take_for_close
#include "../../runtime/channel/close.c"
#undef ownership_take

#include <sys/wait.h>
#include <unistd.h>

enum {
    LINES = 3,
    PLACES = 4, /* at most, in a line */
    PROCESSES = LINES * PLACES + 1,
    GUARDS = 7,
    NUMBERS = 40,
    NUMBERS_LONG = 400, /* so that workers retire */
    LEAD = 2,           /* numbers that a process has taken and not yet passed on */
    SEEDS = 1500,
    TICK_NS = 20000,
    NAP_US = 200
};

/* What it was about to do when it parked. */
typedef enum Doing {
    DOES_NOTHING,
    DOES_INPUT,
    DOES_OUTPUT,
    DOES_ALT,
    DOES_AWAIT,
    DOES_LOOK,
    DOES_CLAIM
} Doing;

typedef struct Line {
    int length;
    int numbers; /* that its first process has */
    int enough;  /* that its last one wants: then it closes, or stands */
    bool closes_early;
    bool stands;
    bool moves_words; /* the message is in the process, else elsewhere */
    Channel channels[PLACES - 1];
    Channel nobody;
} Line;

/* Body -- what a process does, and what is known of it. */
typedef struct Body {
    bool is_alive;
    bool runs; /* else its context is saved */
    Doing doing;
    Line *line; /* NULL: of the root, which waits for all */
    int place;
    int received;
    int sent;
    bool is_over; /* before it: nothing comes any more */
    bool is_shut; /* after it: nobody takes any more */
    bool stands;
    Ticks due;      /* while it sleeps */
    uintptr_t held; /* the partner of an extended input, as in the word; else 0 */
    int64_t value;
    _Alignas(16) char record[sizeof(Alt) + GUARDS * sizeof(AltGuard)];
} Body;

static struct {
    Process processes[PROCESSES];
    Body bodies[PROCESSES];
    Line lines[LINES];
    Claim claim;
    Process *inside; /* holds it */
    Random random;
    uint32_t coarse_most;
    int coarse_steps; /* so many that take long are to come */
    bool stands;      /* the end is a deadlock */
    bool has_ended;
    int alive;
    Join join;
} play;

static struct {   /* over all seeds: did it come to that? */
    long owned;   /* operations on a channel of one's own while several were active */
    long shared;  /* times that the program was several */
    long returns; /* and solo again */
    long held;    /* partners of extended inputs */
    long closed;  /* channels closed while another owned them */
    long asked;   /* ALTs on such a channel */
} seen;

const char rt_arch_alt_resumed[1]; /* never resumed there: no partner is on another machine */

static Join program_join;
static const Site input_site = {.kind = WAIT_UNTIL_CLOSED};
static const Site chosen_site = {.kind = WAIT_INPUT};
static const Site output_site = {.kind = WAIT_OUTPUT};
static const Site alt_site = {.kind = WAIT_ALT};
static const Site claim_site = {.kind = WAIT_CLAIM};
static const Site close_site;
static const Site site;

static uint32_t choose(uint32_t limit) {
    return random_below(&play.random, limit);
}

static Body *body_of(const Process *process) {
    return &play.bodies[process - play.processes];
}

/* ---- the runtime round it ---- */

static bool is_another_s(const Worker *worker, const Channel *channel) {
    uint16_t owner = channel->owner;
    return !worker_is_solo(worker) && owner != 0 && owner != worker_mark(worker);
}

bool ownership_rest(Worker *worker) {
    return rest_awake(worker) || fault == FAULT_DEAF_SLEEP;
}

void ownership_rise(Worker *worker) {
    if (fault != FAULT_STILL_RESTS) {
        rise_rested(worker);
    }
}

static bool waits_in(const Worker *worker, Channel *channel) {
    seen.asked += is_another_s(worker, channel);
    return fault == FAULT_ALT_UNASKED || ownership_is_given_up(worker, channel);
}

static void take_for_close(Worker *worker, Channel *channel) {
    seen.closed += is_another_s(worker, channel);
    if (fault != FAULT_CLOSE_UNASKED) {
        ownership_take(worker, channel);
    }
}

static bool gets_up(Activity *activity, unsigned worker) {
    return activity_get_up(activity, worker);
}

void block_store_check(const BlockStore *store, const Worker *worker) {
    (void)store, (void)worker;
}

void block_give_back(BlockStore *store, Worker *worker, Process *process) {
    (void)store, (void)worker;
    Body *body = body_of(process);
    fibre_check(body->is_alive && !body->runs);
    body->is_alive = false;
    play.alive--;
}

_Noreturn void rt_fail(Process *me, ErrorKind kind, const Site *at, int64_t a, int64_t b,
                       int64_t c) {
    (void)me, (void)at, (void)a, (void)b, (void)c;
    rt_bug(__FILE__, (int)kind, "an error");
}

void rt_stop_closed(Process *process, const Site *at, const Site *closing) {
    (void)process, (void)at, (void)closing;
    rt_bug(__FILE__, __LINE__, "used after it was closed");
}

/* ---- the ends ---- */

static void check_line(const Line *line) {
    for (int i = 0; i < line->length - 1; i++) {
        fibre_check(channel_tag(line->channels[i].word) == TAG_CLOSED);
        fibre_check(first_watcher(&line->channels[i]) == NULL);
    }
}

/* Everybody who is left is of the line that stands, or the root. */
void rt_deadlock(void) {
    fibre_check(play.stands && play.inside == NULL);
    for (int i = 0; i < PROCESSES; i++) {
        const Body *body = &play.bodies[i];
        fibre_check(!body->is_alive || !body->runs);
        fibre_check(!body->is_alive || body->line == NULL || body->line->stands);
    }
    for (int i = 0; i < LINES; i++) {
        const Line *line = &play.lines[i];
        if (!line->stands) {
            check_line(line);
        }
    }
    play.has_ended = true;
    fibre_stop();
}

static void end(void) {
    fibre_check(!play.stands && play.alive == 0);
    for (int i = 0; i < LINES; i++) {
        check_line(&play.lines[i]);
    }
    play.has_ended = true;
    fibre_stop();
}

/* ---- what compiled code does ---- */

static void save(Process *me, Doing doing) {
    Body *body = body_of(me);
    fibre_check(body->runs);
    body->runs = false;
    body->doing = doing;
}

/* As it is inlined: to the next one without any C, if nothing asks for it. */
static Process *park(Worker *worker, Process *me) {
    rt_atomic_point();
    bool is_short = (worker->mode & ~(uint32_t)MODE_SHARED) == 0 && worker->head != NULL;
    return is_short ? runqueue_take(worker) : rt_park(me);
}

static void *message_of(Process *me) {
    Body *body = body_of(me);
    return body->line->moves_words ? (void *)&me->data : &body->value;
}

static void check_owned(const Worker *worker, const Channel *channel, uintptr_t word) {
    bool is_own = channel->owner == (uint16_t)(worker->mode & MODE_SHARED);
    fibre_check(channel->word == word && is_own);
}

/* The time that a few instructions may take. */
static void linger(void) {
    for (uint32_t i = choose(8); i > 0; i--) {
        rt_atomic_point();
    }
}

/* As rendezvous.c inlines it: published first, saved afterwards. False: that is for C. */
static bool operate_inline(Process *me, Channel *channel, bool is_output, const Site *at,
                           Process **next) {
    Worker *worker = me->worker;
    uintptr_t word = channel->word;
    uintptr_t tag = channel_tag(word);
    if (channel->owner != (uint16_t)worker->mode ||
        (word != 0 && tag != (is_output ? TAG_INPUT_WAITING : TAG_OUTPUT_WAITING))) {
        return false;
    }
    seen.owned += channel->owner != 0;
    linger();
    check_owned(worker, channel, word);
    if (word == 0) {
        if (!body_of(me)->line->moves_words) {
            me->data = message_of(me);
        }
        me->next = (void *)channel;
        me->wait = at;
        channel->word = (uintptr_t)me | (is_output ? TAG_OUTPUT_WAITING : TAG_INPUT_WAITING);
        linger();
        save(me, is_output ? DOES_OUTPUT : DOES_INPUT);
        *next = park(worker, me);
        return true;
    }
    Process *partner = channel_pointer(word);
    void *from = message_of(is_output ? me : partner);
    memcpy(message_of(is_output ? partner : me), from, sizeof(int64_t));
    linger();
    check_owned(worker, channel, word);
    channel->word = 0;
    runqueue_append(worker, partner);
    body_of(me)->doing = is_output ? DOES_OUTPUT : DOES_INPUT;
    *next = NULL;
    return true;
}

/* NULL: it is over, and the process goes on. */
static Process *operate(Process *me, bool is_output, const Site *at) {
    Body *body = body_of(me);
    Channel *channel = &body->line->channels[is_output ? body->place : body->place - 1];
    int64_t value = is_output ? body->sent : -1;
    memcpy(message_of(me), &value, sizeof value);
    Process *next;
    if (choose(8) != 0 && operate_inline(me, channel, is_output, at, &next)) {
        return next;
    }
    if (fault == FAULT_UNASKED) {
        atomic_set_relaxed(&channel->owner, 0);
    }
    save(me, is_output ? DOES_OUTPUT : DOES_INPUT); /* calls.S saves before C runs */
    return is_output ? rt_channel_output(me, channel, message_of(me), sizeof value, at)
                     : rt_channel_input(me, channel, message_of(me), sizeof value, at);
}

static Process *close_channel(Process *me, Channel *channel) {
    rt_channel_close(me, channel, &close_site);
    return NULL;
}

/* ---- ALTs ---- */

static void add_guard(Alt *alt, unsigned kind, void *object) {
    alt->guards[alt->count++] = (AltGuard){.object = object, .kind = (uint16_t)kind};
    if (kind == GUARD_CLOSED) {
        AltGuard link = {.kind = GUARD_OFF, .index = (int32_t)alt->count - 1};
        alt->guards[alt->count++] = link;
    }
}

static void add_both(Alt *alt, unsigned kind, Channel *channel) {
    bool is_closed_first = choose(2) == 0;
    if (is_closed_first) {
        add_guard(alt, GUARD_CLOSED, channel);
    }
    add_guard(alt, kind, channel);
    if (!is_closed_first) {
        add_guard(alt, GUARD_CLOSED, channel);
    }
}

static Process *take_chosen(Process *me) {
    Body *body = body_of(me);
    const Alt *alt = (const Alt *)(void *)body->record;
    fibre_check(alt->chosen < alt->count);
    AltGuard chosen = alt->guards[alt->chosen];
    memset(body->record, 0xAA, sizeof body->record);
    body->doing = DOES_NOTHING;
    bool is_before =
        body->place > 0 && chosen.object == (void *)&body->line->channels[body->place - 1];
    switch (chosen.kind) {
    case GUARD_INPUT: return operate(me, false, &chosen_site);
    case GUARD_OUTPUT: return operate(me, true, &output_site);
    case GUARD_CLOSED: *(is_before ? &body->is_over : &body->is_shut) = true; return NULL;
    default: return NULL;
    }
}

static Process *choose_guard(Process *me, bool inputs, bool outputs) {
    Body *body = body_of(me);
    Alt *alt = (Alt *)(void *)body->record;
    memset(body->record, 0, sizeof body->record);
    alt->is_pri = choose(3) == 0;
    if (inputs) {
        add_both(alt, GUARD_INPUT, &body->line->channels[body->place - 1]);
    }
    if (outputs) {
        add_both(alt, GUARD_OUTPUT, &body->line->channels[body->place]);
    }
    if (choose(3) == 0) {
        int32_t due = (int32_t)(machine.now_ns / NS_PER_US) + (int32_t)choose(NAP_US);
        add_guard(alt, GUARD_TIMER, (void *)(intptr_t)due);
    } else if (choose(4) == 0) {
        add_guard(alt, GUARD_SKIP, NULL);
    }
    save(me, DOES_ALT);
    Process *next = rt_alt_select(me, alt, &alt_site);
    if (next != NULL) {
        return next;
    }
    body->runs = true;
    return take_chosen(me);
}

/* ---- extended inputs, as extended_input.c has them ---- */

static Process *await_output(Process *me, Channel *channel);

/* Over, or parked; NULL: the partner is held, and the process goes on. */
static Process *hold(Process *me) {
    Body *body = body_of(me);
    Channel *channel = &body->line->channels[body->place - 1];
    bool is_owned = channel->owner != 0 && me->worker->mode != 0;
    rt_atomic_point();
    uintptr_t word = is_owned ? 0 : atomic_get_acquire(&channel->word);
    if (!is_owned && channel_tag(word) == TAG_CLOSED) {
        return operate(me, false, &input_site);
    }
    if (channel_tag(word) != TAG_OUTPUT_WAITING) {
        return await_output(me, channel);
    }
    seen.held++;
    int64_t value;
    memcpy(&value, message_of(channel_pointer(word)), sizeof value);
    fibre_check(value == body->received);
    body->received++;
    body->held = word;
    return NULL;
}

static Process *await_output(Process *me, Channel *channel) {
    Body *body = body_of(me);
    Alt *alt = (Alt *)(void *)body->record;
    memset(body->record, 0, sizeof body->record);
    alt->flags = ALT_HOLDS;
    add_guard(alt, GUARD_INPUT, channel);
    save(me, DOES_AWAIT);
    Process *next = rt_alt_select(me, alt, &alt_site);
    if (next != NULL) {
        return next;
    }
    body->runs = true;
    body->doing = DOES_LOOK;
    return NULL;
}

static void end_hold(Process *me) {
    Body *body = body_of(me);
    Channel *channel = &body->line->channels[body->place - 1];
    fibre_check(channel->word == body->held);
    atomic_set_release(&channel->word, 0u);
    runqueue_append(me->worker, channel_pointer(body->held));
    body->held = 0;
}

/* ---- processes ---- */

/* One at a time. */
static void use_claim(Process *me) {
    fibre_check(play.inside == NULL);
    play.inside = me;
    rt_atomic_point();
    fibre_check(play.inside == me);
    play.inside = NULL;
    rt_claim_release(me, &play.claim);
}

/* What was begun is over. NULL: the process goes on. */
static Process *finish(Process *me) {
    Body *body = body_of(me);
    Doing doing = body->doing;
    body->doing = DOES_NOTHING;
    if (doing == DOES_INPUT && (me->flags & PROCESS_SAW_CLOSE) != 0) {
        me->flags = 0;
        body->is_over = true;
    } else if (doing == DOES_INPUT) {
        int64_t value;
        memcpy(&value, message_of(me), sizeof value);
        fibre_check(value == body->received);
        body->received++;
    } else if (doing == DOES_OUTPUT) {
        body->sent++;
    } else if (doing == DOES_CLAIM) {
        use_claim(me);
    } else if (doing == DOES_ALT) {
        (void)rt_alt_resumed(me);
        return take_chosen(me);
    } else if (doing == DOES_AWAIT) {
        (void)rt_alt_resumed(me);
        return hold(me);
    } else if (doing == DOES_LOOK) {
        return hold(me);
    }
    return NULL;
}

static Process *end_process(Process *me) {
    save(me, DOES_NOTHING);
    return rt_process_end(me);
}

static Process *stand(Process *me) {
    Body *body = body_of(me);
    body->stands = true;
    Channel *nobody = &body->line->nobody;
    me->next = (void *)nobody;
    me->wait = &input_site;
    nobody->word = (uintptr_t)me | TAG_INPUT_WAITING;
    save(me, DOES_NOTHING);
    return park(me->worker, me);
}

static bool has_enough(const Body *body) {
    bool is_last = body->place == body->line->length - 1;
    return is_last && body->received == body->line->enough;
}

/* It has seen the end, or makes it: both of its channels are closed by it or by others. */
static Process *leave_line(Process *me) {
    Body *body = body_of(me);
    Line *line = body->line;
    bool was_cut = line->closes_early;
    fibre_check(body->place == 0 || body->received == line->numbers || was_cut);
    fibre_check(body->place == line->length - 1 || body->sent == line->numbers || was_cut);
    if (body->place > 0) {
        (void)close_channel(me, &line->channels[body->place - 1]);
    }
    if (body->place < line->length - 1) {
        (void)close_channel(me, &line->channels[body->place]);
    }
    return end_process(me);
}

static Process *sleep_for_a_while(Process *me) {
    Body *body = body_of(me);
    save(me, DOES_NOTHING);
    int32_t deadline = (int32_t)(machine.now_ns / NS_PER_US) + (int32_t)choose(NAP_US);
    body->due = (Ticks){deadline + 1};
    return rt_timer_wait(me, deadline, &site);
}

static Process *let_others(Process *me) {
    save(me, DOES_NOTHING);
    return rt_reschedule(me);
}

/* A number from before or to what is after. */
static Process *communicate_in_line(Process *me) {
    Body *body = body_of(me);
    const Line *line = body->line;
    bool is_first = body->place == 0;
    bool is_last = body->place == line->length - 1;
    int sent = is_last ? body->received : body->sent;
    int taken = is_first ? line->numbers : body->received;
    bool outputs = !is_last && taken > sent;
    bool inputs = !is_first && !body->is_over && taken - sent < LEAD;
    if (body->held != 0 && choose(2) == 0) {
        end_hold(me);
        return NULL;
    }
    if (body->held != 0) {
        return choose(2) == 0 ? let_others(me) : sleep_for_a_while(me);
    }
    if (has_enough(body) && choose(4) != 0) {
        return choose(2) == 0 ? let_others(me) : sleep_for_a_while(me); /* and goes elsewhere */
    }
    if (has_enough(body)) {
        return line->stands ? stand(me) : leave_line(me);
    }
    if (line->closes_early && choose(64) == 0) {
        return leave_line(me);
    }
    if (body->is_shut || (!outputs && !inputs)) {
        return leave_line(me);
    }
    if (choose(3) == 0 || (inputs && outputs && choose(2) == 0) ||
        (!inputs && line->closes_early)) {
        return choose_guard(me, inputs, outputs);
    }
    bool is_output = outputs && !line->closes_early && (!inputs || choose(2) == 0);
    if (!is_output && !inputs) {
        return choose_guard(me, inputs, outputs);
    }
    if (!is_output && choose(4) == 0) {
        return hold(me);
    }
    return operate(me, is_output, is_output ? &output_site : &input_site);
}

/* A loop that looks at its back-edge. NULL: nobody asks for the worker. */
static Process *compute(Process *me) {
    machine.now_ns += choose(2000);
    rt_atomic_point();
    if ((me->worker->mode & MODE_URGENT) == 0) {
        return NULL;
    }
    save(me, DOES_NOTHING);
    return rt_yield(me);
}

static Process *claim(Process *me) {
    save(me, DOES_CLAIM);
    return rt_claim(me, &play.claim, &claim_site);
}

/* One step of the process that runs. NULL: it goes on. */
static Process *step(Process *me) {
    Body *body = body_of(me);
    if (play.coarse_steps > 0) {
        play.coarse_steps--;
    } else if (choose(100) == 0) {
        play.coarse_steps = (int)choose(play.coarse_most);
    }
    machine.cpu_ns[fibres.current] += play.coarse_steps > 0 ? 5000 : 20;
    if (body->doing != DOES_NOTHING) {
        return finish(me);
    }
    if (body->line == NULL) {
        save(me, DOES_NOTHING);
        return play.alive == 1 ? rt_process_end(me) : rt_join(me, &play.join, &site);
    }
    switch (choose(24)) {
    case 0: return sleep_for_a_while(me);
    case 5: return let_others(me);
    case 1:
    case 2: return claim(me);
    case 3:
    case 4: return compute(me);
    default: return communicate_in_line(me);
    }
}

static void resume(Worker *worker, Process *me) {
    Body *body = body_of(me);
    fibre_check(body->is_alive && !body->runs && me->worker == worker);
    fibre_check(machine.now_ns / NS_PER_US >= body->due.us && !body->stands);
    fibre_check(body->line != NULL || play.alive == 1 || play.join.count > 1);
    body->due = (Ticks){0};
    body->runs = true;
}

/* ---- threads ---- */

/* The thread of a worker: main's in the first place. */
void rt_arch_enter(Process *main_process, Process *first) {
    Worker *worker = main_process->worker;
    Process *next = first;
    bool was_solo = true;
    while (next != &rt_root.worker.main_process) {
        Process *me = next;
        resume(worker, me);
        do {
            check_solo(worker);
            bool is_solo = worker_is_solo(worker);
            seen.shared += was_solo && !is_solo;
            seen.returns += !was_solo && is_solo;
            was_solo = is_solo;
            next = step(me);
        } while (next == NULL);
    }
    end();
}

static void be_main(int number) {
    (void)number;
    Worker *worker = &rt_root.worker;
    rt_arch_enter(&worker->main_process, runqueue_take(worker));
}

static void be_clock(int number) {
    (void)number;
    clock_go_on(&play.random, TICK_NS);
}

/* ---- tests ---- */

static Body *add_process(Join *join) {
    Process *process = &play.processes[play.alive];
    Body *body = &play.bodies[play.alive++];
    process->sp = process;
    process->join = join;
    body->is_alive = true;
    runqueue_append(&rt_root.worker, process);
    return body;
}

static void add_line(Line *line, bool is_long) {
    line->length = 2 + (int)choose(PLACES - 1);
    line->numbers = (int)choose(is_long ? NUMBERS_LONG : NUMBERS);
    line->closes_early = choose(4) != 0;
    line->enough = line->closes_early ? (int)choose((uint32_t)line->numbers + 1) : -1;
    line->moves_words = choose(2) == 0;
    for (int place = 0; place < line->length; place++) {
        Body *body = add_process(&play.join);
        body->line = line;
        body->place = place;
        play.join.count++;
    }
    for (int i = 0; i < line->length - 1; i++) { /* owned from its declaration on, or not */
        line->channels[i].owner = choose(2) == 0 ? 0 : worker_mark(&rt_root.worker);
    }
}

static void run(uint64_t seed, bool stands) {
    memset(&play, 0, sizeof play);
    random_seed(&play.random, seed);
    play.coarse_most = seed % 2 == 0 ? 100 : 1000;
    machine_begin(seed, 2 + (unsigned)choose(MACHINE_WORKERS - 1));
    program_join = (Join){1, &rt_root.worker.main_process};
    play.join.count = 1;
    play.stands = stands;
    (void)add_process(&program_join);
    for (int i = 0; i < LINES; i++) {
        add_line(&play.lines[i], seed % 16 == 1);
    }
    if (stands) {
        play.lines[0].stands = true;
        play.lines[0].closes_early = false;
        play.lines[0].enough = (int)choose((uint32_t)play.lines[0].numbers + 1);
    }
    fibre_add(be_main);
    for (unsigned number = 1; number < rt_root.worker_count; number++) {
        fibre_add(machine_be_thread);
    }
    fibre_add(be_clock);
    fibre_run(seed);
    fibre_check(play.has_ended && play.claim.word == 0);
    fibre_check(deadline_queue_is_empty(&rt_root.deadlines));
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        const Worker *worker = rt_root.workers[i];
        fibre_check(worker == NULL || (worker->requests == NULL && worker->takes == NULL));
    }
    deadline_queue_free(&rt_root.deadlines);
}

static void test_composed__every_line_comes_to_its_end(uint64_t seed) {
    run(seed, false);
}

static void test_composed__a_line_that_stands_is_found(uint64_t seed) {
    run(seed, true);
}

static void test_composed__the_harness_finds(Fault control) {
    pid_t child = fork();
    if (child == 0) {
        fibre_check(freopen("/dev/null", "w", stderr) != NULL);
        fault = control;
        fibre_each_seed(test_composed__every_line_comes_to_its_end,
                        64 * SEEDS); /* ends when found */
        _exit(0);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    fibre_check(WIFSIGNALED(status));
}

int main(void) {
    fibre_each_seed(test_composed__every_line_comes_to_its_end, SEEDS);
    fibre_each_seed(test_composed__a_line_that_stands_is_found, SEEDS);
    if (getenv("FIBRE_SEED") != NULL) {
        return 0;
    }
    fibre_check(seen.owned > SEEDS && seen.shared > SEEDS && seen.returns > SEEDS / 4);
    fibre_check(seen.held > SEEDS && seen.closed > SEEDS / 32 && seen.asked > SEEDS);
    for (Fault control = FAULT_UNASKED; control < FAULT_LAST; control++) {
        test_composed__the_harness_finds(control);
    }
    return 0;
}
