/* hold -- see hold.h. */
#include "hold.h"

#include "arch.h"
#include "atomic.h"
#include "carrier.h"

enum {
    HOLD_TICKS = 50000,  /* 15 to 25 us */
    HOLD_MESSAGES = 128, /* at most */
    LATE_COST = 16,
    EARNED_LEAST = 16,
    EARNED_MOST = 8192
};

static struct {
    uint32_t count; /* messages since the last flush */
    int64_t earned;
    uint64_t since; /* when the first came; or the last, if they are sent at once */
} hold;

bool hold_is_empty(void) {
    return atomic_get_relaxed(&hold.count) == 0;
}

static void account(uint64_t ticks) {
    uint64_t late = ticks / HOLD_TICKS;
    int64_t cost = (int64_t)(late < EARNED_MOST ? late : EARNED_MOST) * LATE_COST;
    int64_t earned = late == 0 ? hold.earned + 1 : hold.earned - cost;
    earned = earned < 0 ? 0 : earned;
    hold.earned = earned > EARNED_MOST ? EARNED_MOST : earned;
}

void hold_flush(void) {
    if (hold.count > 0) {
        atomic_set_relaxed(&hold.count, 0u);
        placed_carrier.flush();
        account(arch_ticks() - hold.since);
    }
}

/* Would a held message have left soon? The next message or a flush shows it. */
static void send_at_once(void) {
    placed_carrier.flush();
    if (hold.count > 1) {
        uint64_t now = arch_ticks();
        account(now - hold.since);
        hold.since = now;
    }
}

void hold_sent(void) {
    if (hold.count == 0) {
        hold.since = arch_ticks();
    }
    atomic_set_relaxed(&hold.count, hold.count + 1);
    if (hold.count == HOLD_MESSAGES) {
        hold_flush();
    } else if (hold.earned < EARNED_LEAST) {
        send_at_once();
    }
}
