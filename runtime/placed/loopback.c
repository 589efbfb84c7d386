/* loopback -- the carrier of one process: virtual machines (OCC_RANKS), for tests.
 *
 * Holds:  messages between two machines keep their order. Otherwise the seed of the program chooses
 *         the pair whose message is next, and may delay it while there is other work. It also
 *         chooses which machines are lost (OCC_LOSE: how many), and when; what a lost one has sent
 *         before still arrives. */
#include "carrier.h"
#include "machine.h"
#include "random.h"
#include "setting.h"

/* Pair -- what one machine has sent another. */
typedef struct Pair {
    Message *first;
    Message **end;
} Pair;

static struct {
    uint32_t count;
    Pair *pairs;      /* [from * count + to] */
    uint32_t *filled; /* those with messages */
    uint32_t filled_count;
    Random random;
    uint64_t to_lose; /* how many machines */
    uint64_t next;    /* messages until a machine is lost */
} loopback;

enum { LOSS_WITHIN = 64 };

static bool loopback_begin(uint32_t *count, uint32_t *number) {
    loopback.count = setting_is_there("OCC_RANKS") ? (uint32_t)setting_number("OCC_RANKS") : 1;
    if (loopback.count <= 1) {
        return false;
    }
    size_t pairs = (size_t)loopback.count * loopback.count;
    loopback.pairs = machine_memory(pairs * sizeof(Pair));
    loopback.filled = machine_memory(pairs * sizeof *loopback.filled);
    random_seed(&loopback.random, rt_root.seed);
    loopback.to_lose = setting_is_there("OCC_LOSE") ? setting_number("OCC_LOSE") : 0;
    loopback.next = random_below(&loopback.random, LOSS_WITHIN);
    *count = loopback.count;
    *number = 0;
    return true;
}

static void loopback_send(Message *message) {
    uint32_t at = message->from * loopback.count + message->to;
    Pair *pair = &loopback.pairs[at];
    if (pair->first == NULL) {
        pair->end = &pair->first;
        loopback.filled[loopback.filled_count++] = at;
    }
    message->next = NULL;
    *pair->end = message;
    pair->end = &message->next;
}

static void lose(uint32_t lost) {
    rt_machines.lost[lost] = true;
    rt_machines.lost_count++;
    for (uint32_t i = 0; i < loopback.count; i++) {
        if (!rt_machines.lost[i]) {
            Message *message = message_make(MESSAGE_LOST, 0, 0);
            message->from = lost;
            message->to = i;
            message->number = lost;
            loopback_send(message);
        }
    }
}

/* Any machine but the first, which has the program. */
static void lose_one(void) {
    uint32_t lost = 1 + random_below(&loopback.random, loopback.count - 1);
    loopback.to_lose--;
    loopback.next = random_below(&loopback.random, LOSS_WITHIN);
    if (!rt_machines.lost[lost]) {
        lose(lost);
    }
}

static Message *loopback_receive(bool is_idle) {
    if (loopback.filled_count == 0 || (!is_idle && random_below(&loopback.random, 2) == 0)) {
        return NULL;
    }
    if (loopback.to_lose > 0 && rt_machines.survives && loopback.next-- == 0) {
        lose_one();
    }
    uint32_t place = random_below(&loopback.random, loopback.filled_count);
    Pair *pair = &loopback.pairs[loopback.filled[place]];
    Message *message = pair->first;
    pair->first = message->next;
    if (pair->first == NULL) {
        loopback.filled[place] = loopback.filled[--loopback.filled_count];
    }
    return message;
}

static bool loopback_has_more(void) {
    return loopback.filled_count > 0;
}

/* Nothing comes from elsewhere. */
static int64_t loopback_idle(void) {
    return loopback.filled_count > 0 ? 0 : -1;
}

static bool loopback_can_leave(void) {
    return true;
}

/* Nothing to do: the seed decides what is late. */
static void loopback_flush(void) {
}

static void loopback_lose(uint32_t machine) {
    (void)machine;
}

static void loopback_end(int status) {
    (void)status;
}

const Carrier placed_carrier = {.begin = loopback_begin,
                                .is_virtual = true,
                                .send = loopback_send,
                                .flush = loopback_flush,
                                .receive = loopback_receive,
                                .has_more = loopback_has_more,
                                .fetch = NULL, /* all bulks are here */
                                .fetch_all = NULL,
                                .lose = loopback_lose,
                                .can_leave = loopback_can_leave,
                                .idle = loopback_idle,
                                .end = loopback_end};
