/* stencil: the twin of stencil.occ. */
#include "bench.h"

enum { N = 1000 };
static int a[N][N], b[N][N];
static void blur(int h, int w, int (*restrict a)[N], int (*restrict b)[N]) {
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            b[y][x] = (a[y - 1][x - 1] + 2 * a[y - 1][x] + a[y - 1][x + 1] + 2 * a[y][x - 1] +
                       4 * a[y][x] + 2 * a[y][x + 1] + a[y + 1][x - 1] + 2 * a[y + 1][x] +
                       a[y + 1][x + 1]) /
                      16;
}

int main(void) {
    int sum;

    long began = now_us();

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j * 13) % 256;
            b[i][j] = 0;
        }
    for (int r = 0; r < 50; r++) {
        blur(N, N, a, b);
        blur(N, N, b, a);
    }
    sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum = (int)((unsigned)sum + (unsigned)a[i][j]);

    long took = now_us() - began;
    printf("CHECK %d\n", sum);
    result("stencil", took, 1);
    return 0;
}
