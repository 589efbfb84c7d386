/* fft: the twin of fft.occ. */
#include "bench.h"

#include <math.h>

enum { N = 65536 };
static double re[N], im[N], co[N / 2], si[N / 2];
static void transform(int n, double *restrict re, double *restrict im, const double *restrict co,
                      const double *restrict si) {
    int j = 0;
    for (int i = 0; i < n - 1; i++) {
        if (i < j) {
            double t = re[i];
            re[i] = re[j];
            re[j] = t;
            t = im[i];
            im[i] = im[j];
            im[j] = t;
        }
        int bit = n / 2;
        while (bit >= 1 && (j & bit) != 0) {
            j -= bit;
            bit /= 2;
        }
        j += bit;
    }
    for (int length = 2; length <= n; length *= 2) {
        int half = length / 2, step = n / length;
        for (int i = 0; i < n; i += length) {
            for (int k = 0; k < half; k++) {
                double wr = co[k * step], wi = si[k * step];
                double xr = re[i + k + half] * wr - im[i + k + half] * wi;
                double xi = re[i + k + half] * wi + im[i + k + half] * wr;
                re[i + k + half] = re[i + k] - xr;
                im[i + k + half] = im[i + k] - xi;
                re[i + k] += xr;
                im[i + k] += xi;
            }
        }
    }
}

int main(void) {
    int sum;

    long began = now_us();

    for (int i = 0; i < N / 2; i++) {
        co[i] = cos(6.283185307179586 * i / 65536.0);
        si[i] = -sin(6.283185307179586 * i / 65536.0);
    }
    for (int i = 0; i < N; i++) {
        re[i] = i & 255;
        im[i] = 0;
    }
    began = now_us();
    for (int r = 0; r < 30; r++) {
        transform(N, re, im, co, si);
        for (int i = 0; i < N; i++) {
            re[i] *= 0.00390625;
            im[i] *= 0.00390625;
        }
    }
    sum = 0;
    for (int i = 0; i < N; i++)
        sum = (int)((unsigned)sum + (unsigned)(int)lrint(re[i]));

    long took = now_us() - began;
    printf("CHECK %d\n", sum);
    result("fft", took, 1);
    return 0;
}
