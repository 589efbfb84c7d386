/* histogram: the twin of histogram.occ. */
#include "bench.h"

enum { N = 1000000, BUCKETS = 1024 };
static void fill(int *v, unsigned char *text, int n) {
    unsigned seed = 42;
    for (int i = 0; i < n; i++) {
        seed = seed * 1103515245u + 12345u;
        v[i] = (int)(seed >> 8 & (BUCKETS - 1));
        text[i] = (unsigned char)(seed >> 16);
    }
}
static void count_bytes(const unsigned char *restrict text, int n, int *restrict histogram) {
    for (int i = 0; i < 256; i++)
        histogram[i] = 0;
    for (int i = 0; i < n; i++)
        histogram[text[i]] = histogram[text[i]] + 1;
}
static void distribute(const int *restrict v, int n, int *restrict w) {
    int start[BUCKETS];
    for (int i = 0; i < BUCKETS; i++)
        start[i] = 0;
    for (int i = 0; i < n; i++)
        start[v[i]] = start[v[i]] + 1;
    int sum = 0;
    for (int i = 0; i < BUCKETS; i++) {
        int here = start[i];
        start[i] = sum;
        sum += here;
    }
    for (int i = 0; i < n; i++) {
        w[start[v[i]]] = v[i];
        start[v[i]] = start[v[i]] + 1;
    }
}
int main(void) {
    static int v[N], w[N], histogram[256];
    static unsigned char text[N];
    fill(v, text, N);
    unsigned sum = 0;
    long began = now_us();
    for (int round = 0; round < 100; round++) {
        count_bytes(text, N, histogram);
        distribute(v, N, w);
        sum += (unsigned)histogram[round] + (unsigned)w[round * 1000];
        text[round * 7]++;
        v[round * 9] = (v[round * 9] + 1) & (BUCKETS - 1);
    }
    long took = now_us() - began;
    for (int i = 0; i < N; i++)
        sum += (unsigned)w[i] * (unsigned)i;
    printf("CHECK %d\n", (int)sum);
    result("histogram", took, 1);
    return 0;
}
