/* choice -- lists of choices. See choice.h. */
#include "choice.h"

#include "ending.h"
#include "explored_run.h"
#include "gate.h"
#include "report.h"
#include "runner.h"
#include "setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1024 };

typedef struct Choice {
    uint32_t chosen; /* counted from 0 */
    uint32_t count;
} Choice;

static struct {
    Choice *items;
    size_t count;
    size_t capacity;
    size_t next;
    size_t again; /* index to go on from after the end; SIZE_MAX: none */
} list = {.again = SIZE_MAX};

/* ---- the file ---- */

_Noreturn static void refuse(const char *path, unsigned line, const char *why) {
    ReportText text = {.length = 0};
    report_add(&text, "OCC_CHOICES: %s:%u: %s", path, line, why);
    rt_fatal(text.bytes, 0);
}

static void add_choice(Choice choice) {
    if (list.count == list.capacity) {
        list.capacity = list.capacity == 0 ? 256 : 2 * list.capacity;
        list.items = realloc(list.items, list.capacity * sizeof *list.items);
        if (list.items == NULL) {
            rt_fatal("OCC_CHOICES: out of memory", 0);
        }
    }
    list.items[list.count++] = choice;
}

/* "2/3 ..." */
static bool read_choice(const char *line, Choice *choice) {
    char *end;
    unsigned long chosen = strtoul(line, &end, 10);
    if (end == line || *end != '/') {
        return false;
    }
    char *rest;
    unsigned long count = strtoul(end + 1, &rest, 10);
    if (rest == end + 1 || chosen < 1 || chosen > count || count > UINT32_MAX) {
        return false;
    }
    *choice = (Choice){(uint32_t)chosen - 1, (uint32_t)count};
    return true;
}

static void read_list(const char *path) {
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        ReportText text = {.length = 0};
        report_add(&text, "OCC_CHOICES: %s: cannot be read", path);
        rt_fatal(text.bytes, 0);
    }
    char line[LINE_BYTES];
    unsigned number = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        Choice choice;
        number++;
        if (number == 1 && strncmp(line, "occ-choices 1", 13) != 0) {
            refuse(path, number, "this is no list of choices: it begins with 'occ-choices 1'");
        }
        if (number == 1 || line[0] == '#' || line[0] == '\n') {
            continue;
        }
        if (strncmp(line, "again", 5) == 0) {
            list.again = list.count;
            continue;
        }
        if (!read_choice(line, &choice)) {
            refuse(path, number, "a line begins with chosen/count, such as 2/3");
        }
        add_choice(choice);
    }
    (void)fclose(file);
    if (number == 0) {
        refuse(path, 1, "this is no list of choices: it begins with 'occ-choices 1'");
    }
}

/* ---- what was asked for ---- */

static uint32_t take(const GateEvent *events, uint32_t count) {
    (void)events;
    if (count > 1 && list.next == list.count && list.again < list.count) {
        list.next = list.again;
    }
    if (count == 1 || list.next == list.count) {
        return 0;
    }
    Choice choice = list.items[list.next++];
    if (choice.count != count) {
        ReportText text = {.length = 0};
        report_add(&text,
                   "OCC_CHOICES: choice %zu of the list is one of %u, the program has %u: the list "
                   "belongs to another program, or to other arguments",
                   list.next, choice.count, count);
        rt_fatal(text.bytes, 0);
    }
    return choice.chosen;
}

/* A replay does not report limits. */
static void note_limit(uint32_t limit) {
    (void)limit;
}

static const GateChooser list_chooser = {take, note_limit, NULL};
/* The explorer is linked into a program only by `occc explore`. */
#pragma weak explored_run_chooser
#pragma weak runner_begin

void choice_begin(void) {
    const char *path = getenv("OCC_CHOICES");
    if (setting_is_there("OCC_EXPLORE")) {
        if (runner_begin == NULL) {
            rt_fatal("OCC_EXPLORE is for programs that occc explore has linked", 0);
        }
        gate_begin(&explored_run_chooser);
        runner_begin();
    } else if (path != NULL) {
        gate_begin(&list_chooser);
        read_list(path);
    }
}
