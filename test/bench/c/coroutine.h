/* coroutine.h -- what a C programmer writes by hand for the communication benchmarks: coroutines on
 * fixed stacks, a FIFO run queue, channels of one word. x86-64 only: elsewhere the runner has no C
 * twin for them. */
#ifndef COROUTINE_H
#define COROUTINE_H

#include <stddef.h>
#include <stdlib.h>

#ifndef __x86_64__
#error "the coroutines are written for x86-64"
#endif

typedef struct Task {
    void *sp;
    struct Task *next;
    int data;
    void (*body)(void *);
    void *argument;
    char *stack;
} Task;

typedef struct Channel {
    Task *waiting;
} Channel;

static Task *current;
static Task *head;
static Task *tail;

void coroutine_switch(void **from, void *to);
__asm__(".text\n.globl coroutine_switch\ncoroutine_switch:\n"
        "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  mov %rsp, (%rdi)\n  mov %rsi, %rsp\n"
        "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n  ret\n");

static inline void ready(Task *task) {
    task->next = NULL;
    if (head) {
        tail->next = task;
    } else {
        head = task;
    }
    tail = task;
}

static inline void park(void) {
    Task *me = current;
    Task *next = head;
    head = next->next;
    current = next;
    if (next != me) {
        coroutine_switch(&me->sp, next->sp);
    }
}

static Task *free_tasks;

static void task_entry(void) {
    for (;;) {
        current->body(current->argument);
        current->next = free_tasks;
        free_tasks = current;
        Task *me = current;
        Task *next = head;
        head = next->next;
        current = next;
        coroutine_switch(&me->sp, next->sp);
    }
}

/* A task that ended waits inside task_entry, so it starts again with a switch. */
static inline void start(void (*body)(void *), void *argument) {
    enum { STACK_BYTES = 4096 + 192 };
    Task *task = free_tasks;
    if (task) {
        free_tasks = task->next;
    } else {
        task = malloc(sizeof *task);
        task->stack = malloc(STACK_BYTES);
        void **top = (void **)(((size_t)task->stack + STACK_BYTES) & ~(size_t)15);
        *--top = NULL;
        *--top = (void *)task_entry;
        task->sp = top - 6;
    }
    task->body = body;
    task->argument = argument;
    ready(task);
}

static inline int channel_in(Channel *c) {
    if (!c->waiting) {
        c->waiting = current;
        park();
        return current->data;
    }
    Task *sender = c->waiting;
    c->waiting = NULL;
    ready(sender);
    return sender->data;
}

static inline void channel_out(Channel *c, int value) {
    if (!c->waiting) {
        current->data = value;
        c->waiting = current;
        park();
        return;
    }
    Task *receiver = c->waiting;
    c->waiting = NULL;
    receiver->data = value;
    ready(receiver);
}

static Task main_task;
static inline void coroutines_begin(void) {
    current = &main_task;
}

#endif
