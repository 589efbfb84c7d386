/* ownership -- asking for channels and giving them up. See ownership.h. */
#include "ownership.h"

#include "error.h"
#include "os.h"
#include "runqueue.h"

#include <stdlib.h>

/* ChannelTake -- a channel that somebody waits for without parking. */
struct ChannelTake {
    ChannelTake *next;
    Channel *channel;
    uint32_t is_done;
};

static Worker *owner_of(const Channel *channel) {
    uint16_t owner = atomic_get_acquire(&channel->owner);
    return owner == 0 ? NULL : atomic_get_acquire(&rt_root.workers[owner - 1]);
}

static void give_up(const Worker *worker, Channel *channel) {
    if (atomic_get_relaxed(&channel->owner) == worker_mark(worker)) {
        atomic_set_release(&channel->owner, 0);
    }
}

/* ---- requests, under the guard of the worker they are for ---- */

static void leave_request(Worker *owner, ChannelRequest *request) {
    request->next = owner->requests;
    owner->requests = request;
    mode_set(owner, MODE_ASKED);
}

/* A request that may go back to its process's own worker, if that is awake. */
static bool send_home(Worker *home, ChannelRequest *request) {
    lock_take(&home->guard);
    bool is_awake = !home->rests;
    if (is_awake) {
        leave_request(home, request);
    }
    lock_release(&home->guard);
    return is_awake;
}

static ChannelRequest *copy_of(const ChannelRequest *request) {
    ChannelRequest *copy = malloc(sizeof *copy);
    if (copy == NULL) {
        rt_error_no_memory(request->process, request->site, sizeof *copy);
    }
    *copy = *request;
    return copy;
}

bool ownership_ask(Worker *worker, const ChannelRequest *request) {
    Channel *channel = request->channel;
    Worker *owner = owner_of(channel);
    if (owner == NULL) { /* given up meanwhile; only this worker can make itself the owner */
        return false;
    }
    ChannelRequest *copy = copy_of(request);
    copy->home = worker;
    lock_take(&owner->guard);
    bool rests = owner->rests;
    if (rests) {
        give_up(owner, channel);
    } else {
        leave_request(owner, copy);
    }
    lock_release(&owner->guard);
    if (rests) {
        free(copy);
    }
    return !rests;
}

/* ---- waiting without parking ---- */

static void do_takes(Worker *worker) {
    ChannelTake *take = worker->takes;
    worker->takes = NULL;
    while (take != NULL) {
        ChannelTake *next = take->next;
        give_up(worker, take->channel);
        atomic_set_release(&take->is_done, 1u);
        os_futex_wake(&take->is_done, 1); /* the word may be gone: nobody is woken then */
        take = next;
    }
}

/* While this worker waits it runs no process: others may take its channels. */
static void wait_for(Worker *worker, ChannelTake *take) {
    lock_take(&worker->guard);
    worker->rests = true;
    do_takes(worker);
    lock_release(&worker->guard);
    while (atomic_get_acquire(&take->is_done) == 0) {
        os_futex_wait(&take->is_done, 0, -1);
    }
    ownership_rise(worker);
}

void ownership_take(Worker *worker, Channel *channel) {
    while (!ownership_is_given_up(worker, channel)) {
        Worker *owner = owner_of(channel);
        if (owner == NULL) {
            continue;
        }
        ChannelTake take = {NULL, channel, 0};
        lock_take(&owner->guard);
        bool rests = owner->rests;
        if (rests) {
            give_up(owner, channel);
        } else {
            take.next = owner->takes;
            owner->takes = &take;
            mode_set(owner, MODE_ASKED);
        }
        lock_release(&owner->guard);
        if (!rests) {
            wait_for(worker, &take);
        }
    }
}

/* ---- serving ---- */

/* While MODE_SERVING is set the scheduler returns main_process: the process has parked. */
static void do_again(Worker *worker, const ChannelRequest *request) {
    Process *process = request->process;
    process->worker = worker;
    mode_set(worker, MODE_SERVING);
    Process *next = request->again(request);
    mode_clear(worker, MODE_SERVING);
    if (next != &worker->main_process) {
        rt_check(next == process);
        runqueue_append(worker, process);
    }
}

static void serve(Worker *worker, ChannelRequest *request) {
    give_up(worker, request->channel);
    if (request->home != worker && send_home(request->home, request)) {
        return;
    }
    ChannelRequest here = *request;
    free(request);
    do_again(worker, &here);
}

/* Reverse the list: oldest first. */
static ChannelRequest *turn_round(ChannelRequest *newest) {
    ChannelRequest *first = NULL;
    while (newest != NULL) {
        ChannelRequest *before = newest->next;
        newest->next = first;
        first = newest;
        newest = before;
    }
    return first;
}

void ownership_serve(Worker *worker) {
    mode_clear(worker, MODE_ASKED);
    lock_take(&worker->guard);
    do_takes(worker);
    ChannelRequest *request = turn_round(worker->requests);
    worker->requests = NULL;
    lock_release(&worker->guard);
    while (request != NULL) {
        ChannelRequest *next = request->next;
        serve(worker, request);
        request = next;
    }
}

bool ownership_rest(Worker *worker) {
    lock_take(&worker->guard);
    bool has_requests = worker->requests != NULL || worker->takes != NULL;
    worker->rests = !has_requests;
    lock_release(&worker->guard);
    return !has_requests;
}

void ownership_rise(Worker *worker) {
    lock_take(&worker->guard);
    worker->rests = false;
    lock_release(&worker->guard);
}
