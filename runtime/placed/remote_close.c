/* remote_close -- CLOSE of a channel that has ends on several machines. See remote_end.h. */
#include "close.h"
#include "remote_end.h"
#include "scheduler.h"
#include "stop.h"

/* The home as well: it has the channel when the PLACED PAR has ended. */
static void tell_closing(RemoteEnd *end) {
    Message *closing = message_make(MESSAGE_CLOSING, end->number, 0);
    closing->turn = (uintptr_t)closed_by(end->device.channel->word);
    bool knows_peer = end->peer >= 0 && end->twin == NULL;
    closing->number = knows_peer;
    if (knows_peer) {
        Message *close = message_make(MESSAGE_CLOSE, end->number, 0);
        close->turn = closing->turn;
        remote_end_send(end, close);
    }
    message_send(end->machine, link_home(end->number), closing);
}

/* Who uses the other end here. */
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

/* Has an ALT chosen to output here, or may it have, which has not done so yet? Then the reader is lost
 * (lost.h): it could not have closed the channel. */
static bool is_won(const RemoteEnd *end) {
    const RemoteEnd *output = end->twin != NULL ? end->twin : end;
    const Alt *alt = output->device.alt;
    bool is_chosen =
        alt == NULL || (alt->state == ALT_WON && alt->winner == output->device.channel);
    return output->reader_waits && is_chosen;
}

void remote_close_hear(Worker *worker, RemoteEnd *end, const Site *site) {
    end = end->is_twin ? end->twin : end;
    if (!remote_end_is_open(end) || end->closed != NULL) {
        return;
    }
    end->closed = site;
    RemoteEnd *output = end->twin != NULL ? end->twin : end;
    if (output->is_chosen) {
        remote_end_acknowledged(worker, output);
    }
    if (end->pending == NULL && end->asked == 0 && !is_won(end)) {
        rt_close_device(worker, &end->device, end->closed);
    }
}

void remote_close_all(Worker *worker, const Machine *machine, const Message *message) {
    RemoteEnd *next;
    for (RemoteEnd *end = machine->ends[table_slot(message->channel)]; end != NULL; end = next) {
        next = end->next;
        if (end->number == message->channel) {
            remote_close_hear(worker, end, (const Site *)(uintptr_t)message->turn);
        }
    }
}
