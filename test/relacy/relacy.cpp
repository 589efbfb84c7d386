// relacy -- the door to Relacy: a shadow word for each atomic word of the code under test.
//
// Memory always holds the newest value of a word, so what is allowed to look at it without atomics,
// as the owner of a channel is, sees that. A control makes one order weaker than it is
// written: the test must then fail, or it shows nothing.
//
//   relacy [runs] [CONTROL]     CONTROL: fence, release, acquire, swap, seq, or one of the test's own
#include "relacy.h"

#include <cstring>
#include <string>

#include <relacy/relacy.hpp>

#ifndef THREADS
#define THREADS 3
#endif

namespace {

enum { WORDS = 64, SLOTS = 64 };

std::string control;

struct Suite : rl::test_suite<Suite, THREADS> {
    static Suite *now;
    rl::atomic<uint64_t> words[WORDS];
    rl::var<int> data[SLOTS];
    const void *known[WORDS];
    unsigned count;

    rl::atomic<uint64_t> &word(const void *address) {
        for (unsigned i = 0; i < count; i++) {
            if (known[i] == address) {
                return words[i];
            }
        }
        fprintf(stderr, "relacy: a word that was not made known: %p\n", address);
        abort();
    }

    void before() {
        now = this;
        count = 0;
        for (auto &one : data) {
            one($) = 0;
        }
        relacy_test.before();
    }
    void thread(unsigned number) {
        relacy_test.thread(number);
    }
    void after() {
        relacy_test.after();
    }
};

Suite *Suite::now;

rl::memory_order weakened(rl::memory_order order) {
    bool acquires = control == "acquire" || control == "swap";
    bool releases = control == "release" || control == "swap";
    if (order == rl::mo_acquire && control == "acquire") {
        return rl::mo_relaxed;
    }
    if (order == rl::mo_release && control == "release") {
        return rl::mo_relaxed;
    }
    if (order == rl::mo_acq_rel) {
        return acquires && releases ? rl::mo_relaxed
               : acquires           ? rl::mo_release
               : releases           ? rl::mo_acquire
                                    : order;
    }
    return order == rl::mo_seq_cst && control == "seq" ? rl::mo_relaxed : order;
}

rl::memory_order order_of(RelacyOrder order) {
    static const rl::memory_order orders[] = {rl::mo_relaxed, rl::mo_acquire, rl::mo_release,
                                              rl::mo_acq_rel, rl::mo_seq_cst};
    return weakened(orders[order]);
}

uint64_t mask_of(size_t size) {
    return size == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * size)) - 1;
}

void write_through(void *word, uint64_t value, size_t size) {
    memcpy(word, &value, size);
}

} // namespace

extern "C" {

uint64_t relacy_get(const void *word, RelacyOrder order) {
    return Suite::now->word(word).load(order_of(order), $);
}

void relacy_set(void *word, uint64_t value, size_t size, RelacyOrder order) {
    Suite::now->word(word).store(value & mask_of(size), order_of(order), $);
    write_through(word, value, size);
}

uint64_t relacy_change(void *word, uint64_t value, size_t size, RelacyChange change) {
    uint64_t seen = Suite::now->word(word).load(rl::mo_relaxed, $);
    for (;;) {
        uint64_t after = change == RELACY_EXCHANGE ? value
                         : change == RELACY_ADD    ? seen + value
                         : change == RELACY_OR     ? seen | value
                                                   : seen & value;
        if (relacy_cas(word, &seen, after & mask_of(size), size, RELACY_SWAP)) {
            return seen;
        }
    }
}

bool relacy_cas(void *word, uint64_t *expected, uint64_t value, size_t size, RelacyOrder order) {
    rl::memory_order failing = order == RELACY_SEQ ? weakened(rl::mo_seq_cst) : weakened(rl::mo_acquire);
    *expected &= mask_of(size);
    bool done = Suite::now->word(word).compare_exchange_strong(*expected, value & mask_of(size),
                                                               order_of(order), $, failing, $);
    if (done) {
        write_through(word, value, size);
    }
    return done;
}

void relacy_fence(void) {
    if (control != "fence") {
        rl::atomic_thread_fence(rl::mo_seq_cst, $);
    }
}

void relacy_word(const void *word, size_t size) {
    Suite *suite = Suite::now;
    RL_ASSERT(suite->count < WORDS);
    uint64_t value = 0;
    memcpy(&value, word, size);
    suite->known[suite->count] = word;
    suite->words[suite->count++].store(value, rl::mo_relaxed, $);
}

void relacy_write(unsigned slot, int value) {
    Suite::now->data[slot]($) = value;
}

int relacy_read(unsigned slot) {
    return Suite::now->data[slot]($);
}

bool relacy_lacks(const char *what) {
    return control == what;
}

void relacy_wait(void) {
    rl::yield(1, $);
}

void relacy_expect(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%s: expected: %s\n", relacy_test.name, what);
    }
    RL_ASSERT(holds);
}
}

int main(int count, char **words) {
    rl::test_params params;
    params.iteration_count = count > 1 ? (rl::iteration_t)atoll(words[1]) : 100000;
    params.search_type = rl::random_scheduler_type;
    params.execution_depth_limit = 20000;
    control = count > 2 ? words[2] : "";
    bool holds = rl::simulate<Suite>(params);
    printf("%s%s%s: %s in %llu runs\n", relacy_test.name, control.empty() ? "" : " without ",
           control.c_str(), holds ? "holds" : "fails", (unsigned long long)params.stop_iteration);
    return holds ? 0 : 1;
}
