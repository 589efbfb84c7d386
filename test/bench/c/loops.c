/* loops: the twin of loops.occ. */
#include "bench.h"

enum { N = 2000, ROUNDS = 20000, ROWS = 30, COLUMNS = 64 };
#define APART static __attribute__((noinline))

APART int total(const int *a, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
APART int dot(const int *a, const int *b, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
APART void add(const int *restrict a, const int *restrict b, int *restrict c, int n) {
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}
APART int weighted(const int *a, int n, int w) {
    int sum = 0, i = 0;
    while (i < n) {
        sum += a[i] * w;
        i++;
    }
    return sum;
}
APART void narrow(const int *restrict a, unsigned char *restrict u, int n) {
    for (int i = 0; i < n; i++)
        u[i] = (unsigned char)(a[i] / 2);
}
APART void distance(const int *restrict a, const int *restrict b, int *restrict c, int n) {
    for (int i = 0; i < n; i++)
        c[i] = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
}
APART void rows(const int (*restrict m)[COLUMNS], int *restrict c, int n) {
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int j = 0; j < COLUMNS; j++)
            sum += m[i][j];
        c[i] = sum;
    }
}
int main(void) {
    static int a[N], b[N], c[N], m[ROWS][COLUMNS];
    static unsigned char u[N];
    unsigned sum = 0;
    long began;
    for (int i = 0; i < N; i++) {
        a[i] = i % 7;
        b[i] = i * 3 % 5;
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            m[i][j] = i + j;
#define MEASURE(name, ...)                                                                         \
    began = now_us();                                                                              \
    for (int round = 0; round < ROUNDS; round++) {                                                 \
        a[round % N] = round % 11;                                                                 \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    result(name, now_us() - began, ROUNDS)
    MEASURE("loop-sum", sum += (unsigned)total(a, N));
    MEASURE("loop-dot", sum += (unsigned)dot(a, b, N));
    MEASURE("loop-add", add(a, b, c, N); sum += (unsigned)c[round % N]);
    MEASURE("loop-while", sum += (unsigned)weighted(a, N, round % 3));
    MEASURE("loop-narrow", narrow(a, u, N); sum += u[round % N]);
    MEASURE("loop-distance", distance(a, b, c, N); sum += (unsigned)c[round % N]);
    MEASURE("loop-rows", m[round % ROWS][round % COLUMNS] = round % 11; rows(m, c, ROWS);
            sum += (unsigned)c[round % ROWS]);
    printf("CHECK %d\n", (int)sum);
    return 0;
}
