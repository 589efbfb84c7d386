/* runner -- runs in place, or forked. See runner.h. */
#define _GNU_SOURCE
#include "runner.h"

#include "behaviour_tree.h"
#include "end_table.h"
#include "ending.h"
#include "explored_run.h"
#include "reached.h"
#include "run_size.h"
#include "snapshot.h"
#include "state_table.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    RUN_SECONDS = 10,
    STACK_BYTES = 1 << 18,
    IDLE_NS = 100000,
    DEATHS = 3,        /* of runners, until each run gets a process of its own */
    EXIT_AS_FORKED = 9 /* of a runner whose order is to be done by forked runs */
};

/* Runner -- in common memory. */
typedef struct Runner {
    uint32_t number; /* from 0 */
    pid_t process;
    int streams[2]; /* what runs write to 1 and 2 */
    bool is_in_place;
    int status;           /* of its last run, as from wait */
    int64_t allowed_ns;   /* when it was last given processor time */
    ucontext_t beginning; /* where a run begins */
    ucontext_t between;   /* where it ends */
    char *stack;
    char text[2][EXPLORE_TEXT_BYTES + 1];
} Runner;

/* The same for all runs. */
static struct {
    ExploreRegion *region;
    uint32_t count;
    Runner **runners;
    SearchRun **orders;
    Runner *self;
} here;

/* ---- the result of a run ---- */

/* What was written to the stream since it was rewound; returns how much. */
static size_t read_stream(Runner *runner, int which) {
    int fd = here.self != NULL ? STDOUT_FILENO + which : runner->streams[which];
    off_t bytes = lseek(fd, 0, SEEK_CUR);
    char *text = runner->text[which];
    ssize_t count = bytes > 0 ? pread(fd, text, EXPLORE_TEXT_BYTES, 0) : 0;
    count = count > bytes ? (ssize_t)bytes : count;
    text[count > 0 ? count : 0] = '\0';
    return bytes > 0 ? (size_t)bytes : 0;
}

static void rewind_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        (void)lseek(fd, 0, SEEK_SET);
    }
}

static void note_taken(uint16_t site, uint16_t alternative) {
    if (alternative < EXPLORE_ALTERNATIVES) {
        here.region->taken[site] |= UINT64_C(1) << alternative;
    }
}

/* The last step of the prefix is new too. */
static void note_all_taken(const SearchRun *run) {
    for (uint32_t i = run->prefix_count > 0 ? run->prefix_count - 1 : 0; i < run->step_count; i++) {
        uint32_t chosen;
        uint32_t count;
        const ExploreEvent *event = search_chosen(run, i, &chosen, &count);
        note_taken(event->site, event->alternative);
        if (event->partner != 0) {
            note_taken(event->partner_site, event->partner_alternative);
        }
    }
}

static bool is_in(uint16_t site, const char *proc) {
    return strcmp(here.region->sites[site].proc, proc) == 0;
}

/* Is one of its steps in that PROC? */
static bool comes_to(const SearchRun *run, const char *proc) {
    for (uint32_t i = 0; i < run->step_count; i++) {
        uint32_t chosen;
        uint32_t count;
        const ExploreEvent *event = search_chosen(run, i, &chosen, &count);
        if (is_in(event->site, proc) || is_in(event->partner_site, proc)) {
            return true;
        }
    }
    return false;
}

static bool is_looked_for(const Runner *runner, const SearchRun *run) {
    const char *until = here.region->until;
    return until[0] != '\0' && (strstr(runner->text[0], until) != NULL ||
                                strstr(runner->text[1], until) != NULL || comes_to(run, until));
}

static bool is_wanted_end(const SearchRun *run, int status, const char *text, size_t text_bytes) {
    const ExploreRegion *region = here.region;
    size_t kept = text_bytes < EXPLORE_TEXT_BYTES ? text_bytes : EXPLORE_TEXT_BYTES;
    return region->wants_end != 0 && run->end == EXPLORE_RUNS && status == region->wanted_status &&
           text_bytes == region->wanted_text_bytes && memcmp(text, region->wanted_text, kept) == 0;
}

/* Record how the run ended; NULL: in a state. */
static const ExploreEnd *keep_end(const Runner *runner, const SearchRun *run, const char *text,
                                  size_t text_bytes) {
    if (run->end == EXPLORE_STATE || run->end == EXPLORE_KNOWN) {
        here.region->returns += run->end == EXPLORE_KNOWN;
        return NULL;
    }
    here.region->behaviours++;
    return end_table_add(run, runner->status, text, text_bytes);
}

static void keep_picture(const SearchRun *run, const ExploreEnd *end) {
    ExploreRegion *region = here.region;
    if (region->node_limit > 0 && region->recognises_states != 0) {
        state_table_add_steps(run, end);
    } else if (region->node_limit > 0) {
        behaviour_tree_add(region, run, end);
    }
}

static void count_run(Runner *runner, const SearchRun *run, size_t written, size_t reported) {
    ExploreRegion *region = here.region;
    bool prints = runner->status == 0;
    const char *text = runner->text[prints ? 0 : 1];
    size_t text_bytes = prints ? written : reported;
    if (run->end == EXPLORE_SLEEPS) {
        region->given_up++;
        return;
    }
    keep_picture(run, keep_end(runner, run, text, text_bytes));
    if (is_looked_for(runner, run) || is_wanted_end(run, runner->status, text, text_bytes)) {
        end_table_find(run, runner->status, text, text_bytes);
        region->stop = EXPLORE_UNTIL;
    } else if (region->behaviour_limit > 0 && region->behaviours >= region->behaviour_limit) {
        region->stop = EXPLORE_ENOUGH;
    }
}

static void take_back(Runner *runner) {
    ExploreRegion *region = here.region;
    SearchRun *run = here.orders[runner->number];
    size_t written = read_stream(runner, 0);
    size_t reported = read_stream(runner, 1);
    common_memory_lock(runner->number + 1);
    search_take(runner->number, end_is_cut_short(run, runner->status));
    if (region->stop == EXPLORE_GOES_ON) {
        note_all_taken(run);
        region->limits |= run->limits;
        region->processes = run->processes > region->processes ? run->processes : region->processes;
        region->most_steps =
            run->step_count > region->most_steps ? run->step_count : region->most_steps;
        run_size_add(region, run);
        count_run(runner, run, written, reported);
    }
    common_memory_unlock();
}

/* ---- a run ---- */

static void allow_time(int64_t seconds, bool is_hard) {
    rlim_t most = (rlim_t)seconds;
    struct rlimit processor = {most, is_hard ? most + 1 : RLIM_INFINITY};
    (void)setrlimit(RLIMIT_CPU, &processor);
}

/* Limit the run's processor time: a process that computes without an event must not block all. */
static void allow_run_time(Runner *self) {
    int64_t now = os_clock_coarse_ns();
    if (now - self->allowed_ns > 1000000000) {
        struct rusage used;
        self->allowed_ns = now;
        (void)getrusage(RUSAGE_SELF, &used);
        allow_time(used.ru_utime.tv_sec + used.ru_stime.tv_sec + RUN_SECONDS + 1, false);
    }
}

static void run_in_place(Runner *self) {
    allow_run_time(self);
    if (!snapshot_restore()) {
        _exit(EXIT_AS_FORKED);
    }
    rewind_streams();
    (void)swapcontext(&self->between, &self->beginning);
}

/* No process outlives its parent. */
static void end_with(pid_t parent) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(STATUS_WORLD);
    }
}

static void run_forked(Runner *self) {
    rewind_streams();
    pid_t mine = getpid();
    pid_t child = fork();
    if (child == 0) {
        end_with(mine);
        allow_time(RUN_SECONDS, true);
        (void)setcontext(&self->beginning);
    }
    if (child < 0) {
        rt_fatal("exploring: cannot start a run", errno);
    }
    while (waitpid(child, &self->status, 0) < 0 && errno == EINTR) {
    }
}

/* rt_root.leave: the program, or a run that is no longer wanted, ends. */
static void leave(int status) {
    Runner *self = here.self;
    reached_note();
    if (here.region->tells_sizes != 0) {
        run_size_note(here.orders[self->number]);
    }
    if (!self->is_in_place) {
        if (here.orders[self->number]->end != EXPLORE_RUNS) {
            _exit(status);
        }
        return;
    }
    (void)fflush(NULL); /* the output of C functions */
    self->status = W_EXITCODE(status, 0);
    (void)setcontext(&self->between);
}

/* False: there are no more orders. An order under way is done again. */
static bool next_order(const Runner *self) {
    SearchNext next = SEARCH_WAIT;
    while (next == SEARCH_WAIT) {
        common_memory_lock(self->number + 1);
        bool is_there = here.orders[self->number]->is_under_way;
        next = is_there                               ? SEARCH_RUN
               : here.region->stop != EXPLORE_GOES_ON ? SEARCH_DONE
                                                      : search_next(self->number);
        common_memory_unlock();
        if (next == SEARCH_WAIT) {
            os_pause(IDLE_NS);
        }
    }
    return next == SEARCH_RUN;
}

/* On its own stack, which is not restored. */
static void serve(void) {
    Runner *self = here.self;
    self->is_in_place = here.region->is_forked == 0 && snapshot_save(self->stack) && os_confine();
    while (next_order(self)) {
        if (!self->is_in_place) {
            run_forked(self);
        } else if (here.region->is_forked != 0) {
            _exit(EXIT_AS_FORKED);
        } else {
            run_in_place(self);
        }
        take_back(self);
    }
    _exit(STATUS_DONE);
}

/* ---- runners ---- */

static int memory_file(void) {
    int file = memfd_create("occ-run", MFD_CLOEXEC);
    if (file < 0) {
        rt_fatal("exploring: no memory for the output", errno);
    }
    return file;
}

static Runner *new_runner(uint32_t number) {
    Runner *runner = common_memory_take(sizeof *runner);
    runner->number = number;
    runner->streams[0] = memory_file();
    runner->streams[1] = memory_file();
    here.orders[number] = common_memory_take(sizeof(SearchRun));
    return runner;
}

/* Reopen the input, with a file offset of its own. */
static void open_input(void) {
    int file = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)dup2(file, STDIN_FILENO);
        (void)close(file);
    }
}

/* Between inaccessible pages, so that it is a mapping of its own. */
static char *new_stack(void) {
    size_t page = os_page_bytes();
    char *memory = os_memory_reserve(STACK_BYTES + 2 * page);
    if (memory == NULL || !os_memory_commit(memory + page, STACK_BYTES)) {
        rt_fatal("exploring: no memory for a runner", 0);
    }
    return memory + page;
}

static void become(Runner *runner) {
    struct rlimit core = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &core);
    here.self = runner;
    rt_root.leave = leave;
    (void)dup2(runner->streams[0], STDOUT_FILENO);
    (void)dup2(runner->streams[1], STDERR_FILENO);
    open_input();
    runner->stack = new_stack();
    ucontext_t loop;
    (void)getcontext(&loop);
    loop.uc_stack.ss_sp = runner->stack;
    loop.uc_stack.ss_size = STACK_BYTES;
    loop.uc_link = NULL;
    makecontext(&loop, serve, 0);
    (void)swapcontext(&runner->beginning, &loop);
    explored_run_begin(here.region, here.orders[runner->number]);
}

/* True: in the runner, each time a run begins. */
static bool start(Runner *runner) {
    pid_t mine = getpid();
    pid_t process = fork();
    if (process < 0) {
        rt_fatal("exploring: cannot start a runner", errno);
    }
    if (process == 0) {
        end_with(mine);
        become(runner);
        return true;
    }
    runner->process = process;
    return false;
}

/* A runner has ended: must another one go on with its work? */
static bool goes_on(Runner *runner, int status) {
    static unsigned deaths;
    const SearchRun *run = here.orders[runner->number];
    if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_DONE && !run->is_under_way) {
        return false;
    }
    bool leaves_confinement = WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
    if (leaves_confinement || (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_AS_FORKED)) {
        here.region->is_forked = 1;
        return true;
    }
    if (!run->is_under_way || common_memory_holder() == runner->number + 1) {
        rt_fatal("exploring: a runner has been ended from outside", 0);
    }
    runner->status = status;
    take_back(runner);
    here.region->is_forked |= ++deaths == DEATHS;
    return true;
}

static Runner *wait_for_any(int *status) {
    pid_t process;
    do {
        process = waitpid(-1, status, 0);
    } while (process < 0 && errno == EINTR);
    for (uint32_t i = 0; i < here.count; i++) {
        if (here.runners[i]->process == process) {
            return here.runners[i];
        }
    }
    rt_unreachable("no runner");
}

static void prepare(void) {
    here.region = common_memory_begin();
    here.count = here.region->runner_count;
    here.runners = common_memory_take(here.count * sizeof *here.runners);
    here.orders = common_memory_take(here.count * sizeof *here.orders);
    for (uint32_t i = 0; i < here.count; i++) {
        here.runners[i] = new_runner(i);
    }
    search_begin(here.region, here.orders, here.count);
    end_table_begin(here.region);
    reached_begin(here.region);
    state_table_begin(here.region);
    snapshot_prepare();
}

void runner_begin(void) {
    prepare();
    for (uint32_t i = 0; i < here.count; i++) {
        if (start(here.runners[i])) {
            return;
        }
    }
    for (uint32_t left = here.count; left > 0;) {
        int status;
        Runner *runner = wait_for_any(&status);
        if (!goes_on(runner, status)) {
            left--;
        } else if (start(runner)) {
            return;
        }
    }
    here.region->is_complete = here.region->stop == EXPLORE_GOES_ON;
    _exit(STATUS_DONE);
}
