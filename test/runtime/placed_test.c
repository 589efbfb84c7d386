/* What machines keep: a table finds each of its entries, whatever else came and went; a message that
 * travelled in a frame says what it said before. */
#include "frame.h"
#include "machine.h"
#include "random.h"
#include "world.h"

enum { ENTRIES = 5000, KEYS = 3000, MESSAGES = 20000 };

static TableEntry entries[ENTRIES];
static bool is_in[ENTRIES];

static uint64_t key_of(size_t i) {
    return UINT64_C(7) << 40 | i % KEYS;
}

static void expect_found(const Table *table, size_t i) {
    size_t times = 0;
    for (TableEntry *at = table_find(table, key_of(i)); at != NULL;
         at = table_more(at, key_of(i))) {
        times += at == &entries[i];
    }
    expect(times == is_in[i]);
}

static void test_table__finds_what_is_in_it(void) {
    Table table = {0};
    size_t in = 0;
    expect(table_find(&table, 1) == NULL && table_first(&table) == NULL);
    Random random = {1};
    for (size_t step = 0; step < 20 * (size_t)ENTRIES; step++) {
        size_t i = random_next(&random) % ENTRIES;
        if (is_in[i]) {
            table_remove(&table, &entries[i]);
        } else {
            table_add(&table, &entries[i], key_of(i));
        }
        in += is_in[i] ? (size_t)-1 : 1;
        is_in[i] = !is_in[i];
        expect_found(&table, i);
    }
    for (size_t i = 0; i < ENTRIES; i++) {
        expect_found(&table, i);
    }
    size_t seen = 0;
    for (TableEntry *at = table_first(&table); at != NULL; at = table_after(&table, at)) {
        seen++;
    }
    expect(seen == in && table.count == in);
}

/* Every third says more than its channel; some are too large for a frame. */
static Message *message_of(Random *random) {
    static const size_t sizes[] = {
        0, 1, 7, 8, 9, 64, 65, 400, FRAME_LARGE_BYTES, FRAME_LARGE_BYTES + 1, 70000};
    size_t size = sizes[random_next(random) % (sizeof sizes / sizeof *sizes)];
    MessageKind kind = (MessageKind)(random_next(random) % (MESSAGE_REPORTED + 1));
    Message *message = message_make(kind, random_next(random), size);
    message->side = (uint32_t)(random_next(random) % 3);
    message->origin = (uint32_t)random_next(random);
    if (random_next(random) % 3 == 0) {
        message->number = random_next(random) % 2 * UINT64_MAX;
        message->turn = random_next(random);
        message->place = (uint32_t)random_next(random);
        message->bulk_tag = message->bulk_count = (uint32_t)random_next(random) % 3;
    }
    for (size_t i = 0; i < size; i++) {
        message->bytes[i] = (unsigned char)random_next(random);
    }
    return message;
}

static void expect_same(const Message *one, const Message *other) {
    expect(one->kind == other->kind && one->side == other->side && one->origin == other->origin);
    expect(one->channel == other->channel && one->size_bytes == other->size_bytes);
    expect(one->number == other->number && one->turn == other->turn && one->place == other->place);
    expect(one->bulk_count == other->bulk_count && one->bulk_tag == other->bulk_tag);
    expect(message_is_large(one) || memcmp(one->bytes, other->bytes, one->size_bytes) == 0);
}

static void discard(Message *message) {
    message->bulk_count = message->bulk_tag = 0; /* there are none */
    message_free(message);
}

static void test_frame__messages_come_out_as_they_went_in(void) {
    static Frame frame;
    static Message *sent[FRAME_BYTES];
    Random random = {2};
    size_t count = 0;
    for (int i = 0; i < MESSAGES; i++) {
        Message *message = message_of(&random);
        if (!frame_put(&frame, message)) {
            size_t at = 0;
            for (size_t k = 0; k < count; k++) {
                Message *got = frame_get(&frame, &at);
                expect_same(got, sent[k]);
                discard(got);
                discard(sent[k]);
            }
            expect(at == frame.size);
            frame.size = count = 0;
            expect(frame_put(&frame, message));
        }
        sent[count++] = message;
    }
    while (count > 0) {
        discard(sent[--count]);
    }
}

int main(void) {
    test_table__finds_what_is_in_it();
    test_frame__messages_come_out_as_they_went_in();
    return 0;
}
