/* error -- wording and reporting of run-time errors. See error.h. */
#include "error.h"

#include "backtrace.h"
#include "ending.h"
#include "report.h"
#include "world.h"

#include <inttypes.h>
#include <string.h>

enum { FRAMES_MAX = 24, PATH_MAX_PROCESSES = 16 };

static const char *const messages[ERROR_KIND_COUNT] = {
#define OCC_ERROR(KIND, name, message) [ERROR_##KIND] = message,
#include "occ/error.def"
#undef OCC_ERROR
};

/* ---- the message ---- */

typedef struct Message {
    const Site *site;
    int64_t values[3];      /* %a %b %c */
    const Site *closing;    /* of a closed channel: who closed it; else NULL */
    const ErrorWords *said; /* %w; else NULL */
} Message;

static void add_directive(ReportText *text, const Message *message, char directive) {
    const char *object = message->site != NULL ? message->site->object : NULL;
    switch (directive) {
    case 'a':
    case 'b':
    case 'c': report_add(text, "%" PRId64, message->values[directive - 'a']); break;
    case 'w': report_add(text, "%s", message->said->words); break;
    case 'n':
    case 'o': report_add(text, "%s", object != NULL ? object : "?"); break;
    default: report_add(text, "%%%c", directive); break;
    }
}

/* Put the message together; {parts} only when the site names an object. */
static void add_message(ReportText *text, const Message *message, const char *form) {
    bool has_object = message->site != NULL && message->site->object != NULL;
    bool is_left_out = false;
    for (const char *at = form; *at != '\0'; at++) {
        if (*at == '{' || *at == '}') {
            is_left_out = *at == '{' && !has_object;
        } else if (is_left_out) {
            continue;
        } else if (*at == '%' && at[1] != '\0') {
            add_directive(text, message, *++at);
        } else {
            report_add(text, "%c", *at);
        }
    }
}

static void add_place(ReportText *text, const Site *site) {
    if (site == NULL) {
        report_add(text, "occ: error: ");
    } else {
        report_add(text, "%s:%" PRIu32 ":%u: error: ", site->file, site->line,
                   (unsigned)site->column);
    }
}

/* ---- the process path ---- */

static bool same_name(const RoutineName *name, const char *other) {
    return other != NULL && strlen(other) == (size_t)name->length &&
           memcmp(name->text, other, (size_t)name->length) == 0;
}

/* The routine's own name, without those it is nested in. */
static bool ends_with(const RoutineName *name, const char *end) {
    size_t length = end != NULL ? strlen(end) : 0;
    return length > 0 && (size_t)name->length > length + 1 &&
           name->text[(size_t)name->length - length - 1] == '.' &&
           memcmp(name->text + name->length - length, end, length) == 0;
}

/* The outermost call of a process that is a branch is the branch itself: which one of the PAR. */
static void add_index(ReportText *text, const Process *process, const RoutineName *name,
                      bool is_outermost) {
    if (is_outermost && name->is_branch && process_is_replicated(process)) {
        report_add(text, " [%" PRId32 "]", process->index);
    }
}

/* A branch run by its own parent, or a loop, is a frame of its own below the routine's. */
static bool repeats(const Frame *frames, size_t i) {
    if (i == 0) {
        return false;
    }
    RoutineName name = backtrace_name(frames[i].row);
    RoutineName below = backtrace_name(frames[i - 1].row);
    return (below.is_branch || below.is_loop) && below.length == name.length &&
           memcmp(below.text, name.text, (size_t)name.length) == 0;
}

/* "in PROC p, called from q, r" of the process itself. */
static void add_own_calls(ReportText *text, const Process *process, const char *proc) {
    Frame frames[FRAMES_MAX];
    size_t count = backtrace(process, frames, FRAMES_MAX);
    static const char *const words[] = {"  in PROC ", ", called from ", ", "};
    size_t innermost = backtrace_innermost(frames, count);
    size_t said = 0;
    if (proc != NULL) {
        report_add(text, "%s%s", words[said++], proc);
    }
    for (size_t i = 0; i < count; i++) {
        RoutineName name = backtrace_name(frames[i].row);
        bool is_first = i == innermost && (same_name(&name, proc) || ends_with(&name, proc));
        if (!is_first && !name.is_hidden && !repeats(frames, i)) {
            report_add(text, "%s%.*s", words[said], name.length, name.text);
            said += said < 2;
        }
        add_index(text, process, &name, i + 1 == count);
    }
    if (count == FRAMES_MAX) {
        report_add(text, ", ...");
    }
}

/* "; branch of r [2]; branch of main": the calls of each ancestor when it started the PAR;
 * meanwhile it may run a branch itself. */
static void add_ancestors(ReportText *text, const Process *process) {
    Frame frames[FRAMES_MAX];
    const Process *parent = backtrace_parent(process);
    for (int depth = 0; parent != NULL && parent->sp != NULL; depth++) {
        if (depth == PATH_MAX_PROCESSES) {
            report_add(text, "; ...");
            return;
        }
        size_t count = backtrace_around(parent, process->join, frames, FRAMES_MAX);
        const char *separator = "; branch of ";
        for (size_t i = 0; i < count; i++) {
            RoutineName name = backtrace_name(frames[i].row);
            if (!name.is_hidden && !repeats(frames, i)) {
                report_add(text, "%s%.*s", separator, name.length, name.text);
                separator = ", called from ";
            }
            add_index(text, parent, &name, i + 1 == count);
        }
        process = parent;
        parent = backtrace_parent(process);
    }
}

/* The other side of an error that has two. */
static void write_closing(const Site *closing) {
    ReportText text = {.length = 0};
    if (closing->line == 0) { /* placed/lost.h */
        report_line("note: the machine of its other end is lost\n");
        return;
    }
    report_add(&text, "%s:%" PRIu32 ":%u: note: it was closed here, in PROC %s\n", closing->file,
               closing->line, (unsigned)closing->column,
               closing->proc != NULL ? closing->proc : "?");
    report_write(&text);
}

/* ---- the end ---- */

/* No other worker runs processes from now on. A second error waits for ever. */
static void stop_the_world(void) {
    Worker *worker = worker_of_thread();
    if (worker != NULL && atomic_get_relaxed(&rt_root.is_running)) {
        world_enter(worker);
        world_stop(worker);
    }
}

static void report(Process *me, ErrorKind kind, const Message *message) {
    stop_the_world();
    rt_root.is_reporting = true;
    ending_flush(false);
    rt_root.is_reporting = false;
    ReportText text = {.length = 0};
    add_place(&text, message->site);
    add_message(&text, message, messages[kind]);
    report_add(&text, "\n");
    report_write(&text);
    if (message->said != NULL) {
        report_add(&text, "%s", message->said->lines);
        report_write(&text);
    }
    if (me != NULL && me->sp != NULL) {
        add_own_calls(&text, me, message->site != NULL ? message->site->proc : NULL);
        add_ancestors(&text, me);
        report_add(&text, "\n");
        report_write(&text);
    }
    if (message->closing != NULL) {
        write_closing(message->closing);
    }
}

void rt_error_report(Process *me, ErrorKind kind, const Site *site, int64_t a, int64_t b,
                     int64_t c) {
    rt_check(kind < ERROR_KIND_COUNT);
    Message message = {site, {a, b, c}, NULL, NULL};
    report(me, kind, &message);
}

void rt_error_report_closed(Process *me, const Site *site, const Site *close) {
    Message message = {site, {0, 0, 0}, close, NULL};
    report(me, ERROR_CLOSED, &message);
}

_Noreturn static void report_and_end(Process *me, ErrorKind kind, const Message *message) {
    report(me, kind, message);
    bool is_of_world = kind == ERROR_NO_MEMORY || kind == ERROR_NO_THREAD;
    rt_end(is_of_world ? STATUS_WORLD : STATUS_ERROR);
}

_Noreturn void rt_error_at(Process *me, ErrorKind kind, const Site *site, int64_t a, int64_t b,
                           int64_t c) {
    Message message = {site, {a, b, c}, NULL, NULL};
    report_and_end(me, kind, &message);
}

_Noreturn void rt_error_closed(Process *me, const Site *site, const Site *close) {
    Message message = {site, {0, 0, 0}, close, NULL};
    report_and_end(me, ERROR_CLOSED, &message);
}

_Noreturn void rt_error_assertion(Process *me, const Site *site, const ErrorWords *words) {
    Message message = {site, {0, 0, 0}, NULL, words};
    report_and_end(me, ERROR_ASSERTION, &message);
}

_Noreturn void rt_error_no_memory(Process *me, const Site *site, size_t size_bytes) {
    rt_error_at(me, ERROR_NO_MEMORY, site, (int64_t)size_bytes, 0, 0);
}
