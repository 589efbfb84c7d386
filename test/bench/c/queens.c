/* queens: the twin of queens.occ. */
#include "bench.h"

#include <stdbool.h>

enum { N = 11 };
static void solve(int *solutions) {
    int col[N];
    bool used[N], up[2 * N], down[2 * N];
    int row = 0;
    *solutions = 0;
    for (int i = 0; i < N; i++) {
        used[i] = false;
        col[i] = -1;
    }
    for (int i = 0; i < 2 * N; i++) {
        up[i] = down[i] = false;
    }
    while (row >= 0) {
        int c = col[row];
        if (c >= 0) {
            used[c] = false;
            up[row + c] = false;
            down[row - c + N] = false;
        }
        c++;
        bool placed = false;
        while (c < N && !placed) {
            if (used[c] || up[row + c] || down[row - c + N])
                c++;
            else
                placed = true;
        }
        if (!placed) {
            col[row] = -1;
            row--;
        } else if (row == N - 1) {
            *solutions += 1;
            col[row] = -1;
            row--;
        } else {
            col[row] = c;
            used[c] = up[row + c] = down[row - c + N] = true;
            row++;
        }
    }
}

int main(void) {
    int sum;

    long began = now_us();

    sum = 0;
    for (int r = 0; r < 3; r++) {
        int s;
        solve(&s);
        sum += s;
    }

    long took = now_us() - began;
    printf("CHECK %d\n", sum);
    result("queens", took, 1);
    return 0;
}
