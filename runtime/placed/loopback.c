/* loopback -- the carrier of one process: virtual machines (OCC_RANKS), for tests.
 *
 * Holds:  messages between two machines keep their order; else the next one is that of any pair,
 *         and while there is other work, it may be late: both by the seed of the program. */
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
} loopback;

static bool loopback_begin(uint32_t *count, uint32_t *number) {
    loopback.count = setting_is_there("OCC_RANKS") ? (uint32_t)setting_number("OCC_RANKS") : 1;
    if (loopback.count <= 1) {
        return false;
    }
    size_t pairs = (size_t)loopback.count * loopback.count;
    loopback.pairs = machine_memory(pairs * sizeof(Pair));
    loopback.filled = machine_memory(pairs * sizeof *loopback.filled);
    random_seed(&loopback.random, rt_root.seed);
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

static Message *loopback_receive(bool is_idle) {
    if (loopback.filled_count == 0 || (!is_idle && random_below(&loopback.random, 2) == 0)) {
        return NULL;
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

/* Nothing comes from elsewhere. */
static int64_t loopback_idle(void) {
    return loopback.filled_count > 0 ? 0 : -1;
}

static void loopback_end(int status) {
    (void)status;
}

const Carrier placed_carrier = {.begin = loopback_begin,
                                .is_virtual = true,
                                .send = loopback_send,
                                .receive = loopback_receive,
                                .idle = loopback_idle,
                                .end = loopback_end};
