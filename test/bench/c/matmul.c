/* matmul: the twin of matmul.occ. */
#include "bench.h"

enum { N = 512 };

static double a[N][N], b[N][N], c[N][N];

int main(void) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 3 + j * 7) % 11;
            b[i][j] = (i * 5 + j * 2) % 13;
        }
    }
    long began = now_us();
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            c[i][j] = 0.0;
        }
        for (int k = 0; k < N; k++) {
            double x = a[i][k];
            for (int j = 0; j < N; j++) {
                c[i][j] += x * b[k][j];
            }
        }
    }
    long took = now_us() - began;
    double trace = 0.0;
    for (int i = 0; i < N; i++) {
        trace += c[i][i];
    }
    printf("CHECK %.0f\n", trace);
    result("matmul", took, 1);
    return 0;
}
