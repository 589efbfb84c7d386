/* permutation: the twin of permutation.occ. */
#include "bench.h"

#include <stdbool.h>
enum { N = 10 };
static bool next_permutation(int *p, int n) {
    int i = n - 2;
    while (i >= 0 && p[i] > p[i + 1])
        i--;
    bool more = i >= 0;
    if (more) {
        int j = n - 1;
        while (p[j] < p[i])
            j--;
        int t = p[i];
        p[i] = p[j];
        p[j] = t;
    }
    for (int low = i + 1, high = n - 1; low < high; low++, high--) {
        int t = p[low];
        p[low] = p[high];
        p[high] = t;
    }
    return more;
}
int main(void) {
    int p[N];
    unsigned sum = 0;
    long began = now_us();
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < N; i++)
            p[i] = i;
        bool more = true;
        while (more) {
            sum = sum * 3 + (unsigned)p[N / 2];
            more = next_permutation(p, N);
        }
    }
    long took = now_us() - began;
    printf("CHECK %d\n", (int)sum);
    result("permutation", took, 1);
    return 0;
}
