/* sort: the twin of sort.occ. */
#include "bench.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
enum { SIZE = 1000000, LIMIT = 8000000 };
static void fill(int *v, int n) {
    unsigned seed = 42;
    for (int i = 0; i < n; i++) {
        seed = seed * 1103515245u + 12345u;
        v[i] = (int)(seed >> 8 & 0xFFFFF);
    }
}
static void shell_sort(int *v, int n) {
    for (int gap = n / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < n; i++) {
            int x = v[i], j = i;
            while (j >= gap && v[j - gap] > x) {
                v[j] = v[j - gap];
                j -= gap;
            }
            v[j] = x;
        }
    }
}
static void quick_sort(int *v, int n) {
    int lows[64], highs[64], depth = 1;
    lows[0] = 0;
    highs[0] = n - 1;
    while (depth > 0) {
        depth--;
        int low = lows[depth], high = highs[depth];
        while (low < high) {
            int i = low, j = high, pivot = v[low + (high - low) / 2];
            while (i <= j) {
                while (v[i] < pivot)
                    i++;
                while (v[j] > pivot)
                    j--;
                if (i <= j) {
                    int t = v[i];
                    v[i] = v[j];
                    v[j] = t;
                    i++;
                    j--;
                }
            }
            if (j - low < high - i) {
                lows[depth] = i;
                highs[depth++] = high;
                high = j;
            } else {
                lows[depth] = low;
                highs[depth++] = j;
                low = i;
            }
        }
    }
}
static int primes(void) {
    bool *crossed = malloc(LIMIT);
    memset(crossed, 0, LIMIT);
    int count = 0;
    for (int i = 2; i < LIMIT; i++) {
        if (!crossed[i]) {
            count++;
            for (int j = i + i; j < LIMIT; j += i)
                crossed[j] = true;
        }
    }
    free(crossed);
    return count;
}
int main(void) {
    static int v[SIZE], w[SIZE];
    fill(v, SIZE);
    memcpy(w, v, sizeof v);
    long began = now_us();
    shell_sort(v, SIZE);
    quick_sort(w, SIZE);
    int count = primes();
    long took = now_us() - began;
    unsigned sum = (unsigned)count;
    for (int i = 0; i < SIZE; i++) {
        sum += (unsigned)v[i] ^ (unsigned)w[SIZE - 1 - i] * (unsigned)i;
    }
    printf("CHECK %d\n", (int)sum);
    result("sort", took, 1);
    return 0;
}
