/* merge: the twin of merge.occ. */
#include "bench.h"

enum { N = 1000000 };
static void merge(int *restrict v, int *restrict w, int low, int mid, int high) {
    int i = low, j = mid;
    for (int k = low; k < high; k++) {
        if (i < mid && (j >= high || v[i] <= v[j]))
            w[k] = v[i++];
        else
            w[k] = v[j++];
    }
    for (int k = low; k < high; k++)
        v[k] = w[k];
}
static void merge_sort(int *restrict v, int *restrict w, int low, int high) {
    if (high - low > 1) {
        int mid = (low + high) / 2;
        merge_sort(v, w, low, mid);
        merge_sort(v, w, mid, high);
        merge(v, w, low, mid, high);
    }
}
int main(void) {
    static int v[N], w[N];
    unsigned seed = 42, sum = 0;
    long took = 0;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < N; i++) {
            seed = seed * 1103515245u + 12345u;
            v[i] = (int)(seed >> 8 & 0xFFFFF);
        }
        long began = now_us();
        merge_sort(v, w, 0, N);
        took += now_us() - began;
        for (int i = 0; i < N; i++)
            sum += (unsigned)v[i] * (unsigned)i;
    }
    printf("CHECK %d\n", (int)sum);
    result("merge", took, 1);
    return 0;
}
