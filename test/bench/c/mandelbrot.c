/* mandelbrot: the twin of mandelbrot.occ. */
#include "bench.h"

enum { SIZE = 1000, LIMIT = 255 };

static int iterations(double cx, double cy) {
    double x = 0.0, y = 0.0, xx = 0.0, yy = 0.0;
    int n = 0;
    while (n < LIMIT && xx + yy < 4.0) {
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
        xx = x * x;
        yy = y * y;
        n++;
    }
    return n;
}

int main(void) {
    long began = now_us();
    int sum = 0;
    double cy = -1.3;
    for (int row = 0; row < SIZE; row++) {
        double cx = -2.1;
        for (int column = 0; column < SIZE; column++) {
            sum += iterations(cx, cy);
            cx += 3.1 / SIZE;
        }
        cy += 2.6 / SIZE;
    }
    long took = now_us() - began;
    printf("CHECK %d\n", sum);
    result("mandelbrot", took, 1);
    return 0;
}
