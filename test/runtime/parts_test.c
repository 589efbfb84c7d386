/* Who meets whom makes parts; parts that have nothing to do with each other are told from one net.
 */
#include "parts.h"

#include "random.h"
#include "world.h"

enum { PROCESSES = 600, LOOKS = 64 };

static Parts parts;
static Process processes[PROCESSES];

static void meet(int one, int other) {
    parts_meet(&parts, &processes[one], &processes[other]);
}

static void test_parts__a_net_is_one_part(void) {
    parts_begin(&parts);
    for (int round = 0; round < 8; round++) {
        meet(0, 1);
        meet(2, 3);
        meet(1, 2);
    }
    for (int i = 1; i < 4; i++) {
        expect(parts_of(&parts, &processes[i]) == parts_of(&parts, &processes[0]));
    }
    expect(parts_of(&parts, &processes[4]) == -1);
    expect(!parts_are_apart(&parts));
}

static void test_parts__two_chains_are_apart(void) {
    parts_begin(&parts);
    for (int i = 0; i < 20; i++) {
        meet(i, i + 1);
        meet(50 + i, 51 + i);
    }
    expect(parts_of(&parts, &processes[0]) == parts_of(&parts, &processes[20]));
    expect(parts_of(&parts, &processes[0]) != parts_of(&parts, &processes[70]));
    expect(parts_are_apart(&parts));
    meet(20, 50);
    expect(parts_of(&parts, &processes[0]) == parts_of(&parts, &processes[70]));
    expect(!parts_are_apart(&parts));
}

static void test_parts__who_meets_seldom_is_no_part(void) {
    parts_begin(&parts);
    for (int i = 0; i < 28; i++) {
        meet(i % 3, (i + 1) % 3);
    }
    meet(10, 11);
    meet(10, 11);
    expect(!parts_are_apart(&parts));
}

static void test_parts__few_meetings_tell_nothing(void) {
    parts_begin(&parts);
    expect(!parts_are_apart(&parts) && parts_of(&parts, &processes[0]) == -1);
    meet(0, 1);
    meet(2, 3);
    expect(!parts_are_apart(&parts));
}

/* Against numbers that are written anew at each meeting; more processes than are told apart. */
static void test_parts__any_meetings(void) {
    Random random;
    random_seed(&random, 1);
    for (int look = 0; look < LOOKS; look++) {
        int number[PROCESSES];
        bool is_known[PROCESSES] = {false};
        parts_begin(&parts);
        for (int i = 0; i < PROCESSES; i++) {
            number[i] = i;
        }
        for (int i = 0; i < look; i++) {
            int one = (int)random_below(&random, PROCESSES);
            int other = (int)random_below(&random, PROCESSES);
            int before = number[other];
            meet(one, other);
            is_known[one] = is_known[other] = true;
            for (int k = 0; k < PROCESSES; k++) {
                number[k] = number[k] == before ? number[one] : number[k];
            }
        }
        for (int i = 0; i < PROCESSES; i++) {
            int part = parts_of(&parts, &processes[i]);
            expect((part >= 0) == is_known[i]);
            for (int k = 0; k < i && part >= 0; k++) {
                bool is_same = parts_of(&parts, &processes[k]) == part;
                expect(is_same == (number[i] == number[k]));
            }
        }
    }
}

static void test_parts__more_than_there_is_room_for(void) {
    parts_begin(&parts);
    for (int i = 0; i < PROCESSES - 1; i += 2) {
        meet(i, i + 1);
    }
    expect(parts.processes == PARTS_LIMIT && parts_of(&parts, &processes[PROCESSES - 1]) == -1);
}

int main(void) {
    test_parts__a_net_is_one_part();
    test_parts__two_chains_are_apart();
    test_parts__who_meets_seldom_is_no_part();
    test_parts__few_meetings_tell_nothing();
    test_parts__any_meetings();
    test_parts__more_than_there_is_room_for();
    return 0;
}
