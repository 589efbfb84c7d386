/* spectral: the twin of spectral.occ. */
#include "bench.h"

#include <math.h>

enum { N = 2000 };

static double a(int i, int j) {
    return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

static void times(const double *v, double *w) {
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int j = 0; j < N; j++) {
            sum += a(i, j) * v[j];
        }
        w[i] = sum;
    }
}

static void times_transposed(const double *v, double *w) {
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int j = 0; j < N; j++) {
            sum += a(j, i) * v[j];
        }
        w[i] = sum;
    }
}

int main(void) {
    static double u[N], v[N], w[N];
    long began = now_us();
    for (int i = 0; i < N; i++) {
        u[i] = 1.0;
    }
    for (int i = 0; i < 10; i++) {
        times(u, w);
        times_transposed(w, v);
        times(v, w);
        times_transposed(w, u);
    }
    double uv = 0.0, vv = 0.0;
    for (int i = 0; i < N; i++) {
        uv += u[i] * v[i];
        vv += v[i] * v[i];
    }
    long took = now_us() - began;
    printf("CHECK %.9f\n", sqrt(uv / vv));
    result("spectral", took, 1);
    return 0;
}
