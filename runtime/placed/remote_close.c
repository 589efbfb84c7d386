/* remote_close -- CLOSE of a channel that has ends on several machines. See remote_end.h.
 *
 * Holds:  a message that was sent is answered, by ACK or, if the channel is closed before it is
 *         input, by CLOSE. News of the CLOSE from the home may come before that answer; it then
 *         shows only after the answer. */
#include "close.h"
#include "remote_end.h"
#include "scheduler.h"
#include "stop.h"

/* Tell the home too: it has the channel when the PLACED PAR has ended. */
static void tell_closing(RemoteEnd *end) {
    Message *closing = message_make(MESSAGE_CLOSING, end->number, 0);
    const Site *site = closed_by(end->device.channel->word);
    closing->turn = (uintptr_t)site;
    bool knows_peer = end->peer >= 0 && end->twin == NULL;
    closing->number = knows_peer;
    if (knows_peer) {
        remote_close_answer(end, (uint32_t)end->peer, site);
    } else if (end->pending != NULL) {
        remote_close_answer(end, end->pending->origin, site);
    }
    message_send(end->machine, link_home(end->number), closing);
}

void remote_close_answer(const RemoteEnd *end, uint32_t machine, const Site *site) {
    Message *close = message_make(MESSAGE_CLOSE, end->number, 0);
    close->turn = (uintptr_t)site;
    remote_end_answer(end, machine, close);
}

/* Wake whoever uses the other end here. */
static void wake_closed(Worker *worker, RemoteEnd *end) {
    Device *device = &end->device;
    Process *process = device->waiter;
    Alt *alt = device->alt;
    device->waiter = NULL;
    device->alt = NULL;
    if (alt != NULL && rt_alt_claim(alt, end->device.channel)) {
        rt_scheduler_ready(worker, alt->process);
    } else if (alt == NULL && process != NULL &&
               rt_find_closed(process, end->device.channel->word, process->wait)) {
        rt_scheduler_ready(worker, process);
    }
}

void remote_close_here(Worker *worker, Device *device) {
    RemoteEnd *end = remote_end_of(device);
    tell_closing(end);
    wake_closed(worker, end);
    if (end->twin != NULL) {
        wake_closed(worker, end->twin);
    }
}

static RemoteEnd *output_of(RemoteEnd *end) {
    return end->twin != NULL ? end->twin : end;
}

/* Has an ALT chosen to output here, or can it be chosen, and has not output yet? Then the reader is
 * lost (lost.h): it could not have closed the channel. */
static bool is_won(const RemoteEnd *output) {
    const Alt *alt = output->device.alt;
    bool is_chosen =
        alt == NULL || (alt->state == ALT_WON && alt->winner == output->device.channel);
    return output->reader_waits && is_chosen;
}

/* A message was sent and not answered. A lost machine (line 0) does not answer. */
static bool awaits_answer(const RemoteEnd *output, const Site *closed) {
    return output->side == END_OUTPUT && output->device.waiter != NULL &&
           output->device.alt == NULL && output->held == NULL && closed->line != 0;
}

static void show(Worker *worker, RemoteEnd *end, bool is_answer) {
    const RemoteEnd *output = output_of(end);
    if (remote_end_is_open(end) && end->pending == NULL && end->asked == 0 && !is_won(output) &&
        (is_answer || !awaits_answer(output, end->closed))) {
        rt_close_device(worker, &end->device, end->closed);
    }
}

void remote_close_show(Worker *worker, RemoteEnd *end) {
    end = end->is_twin ? end->twin : end;
    if (end->closed != NULL) {
        show(worker, end, false);
    }
}

void remote_close_hear(Worker *worker, RemoteEnd *end, const Site *site, bool is_answer) {
    end = end->is_twin ? end->twin : end;
    if (!remote_end_is_open(end)) {
        return;
    }
    bool is_news = end->closed == NULL;
    end->closed = is_news ? site : end->closed;
    if (is_news && output_of(end)->is_chosen) {
        remote_end_acknowledged(worker, output_of(end));
    }
    show(worker, end, is_answer);
}

void remote_close_all(Worker *worker, const Machine *machine, const Message *message) {
    TableEntry *next;
    for (TableEntry *at = table_find(&machine->ends, message->channel); at != NULL; at = next) {
        next = table_more(at, message->channel);
        remote_close_hear(worker, remote_end_of_entry(at), (const Site *)(uintptr_t)message->turn,
                          false);
    }
}
