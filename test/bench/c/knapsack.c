/* knapsack: the twin of knapsack.occ. */
#include "bench.h"

enum { THINGS = 500, CAPACITY = 10000 };
static int best_value(const int *weight, const int *worth, int n, int room) {
    int best[CAPACITY + 1];
    for (int w = 0; w <= CAPACITY; w++)
        best[w] = 0;
    for (int i = 0; i < n; i++) {
        for (int w = room; w >= weight[i]; w--) {
            int with = best[w - weight[i]] + worth[i];
            if (with > best[w])
                best[w] = with;
        }
    }
    return best[room];
}
int main(void) {
    static int weight[THINGS], worth[THINGS];
    unsigned seed = 7, sum = 0;
    for (int i = 0; i < THINGS; i++) {
        seed = seed * 1103515245u + 12345u;
        weight[i] = (int)(seed >> 8 & 127) + 1;
        worth[i] = (int)(seed >> 16 & 255);
    }
    long began = now_us();
    for (int round = 0; round < 40; round++) {
        sum += (unsigned)best_value(weight, worth, THINGS, CAPACITY - round);
        worth[round] += 3;
    }
    long took = now_us() - began;
    printf("CHECK %d\n", (int)sum);
    result("knapsack", took, 1);
    return 0;
}
