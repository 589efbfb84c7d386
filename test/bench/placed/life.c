/* life.c -- the peer of life.occ: one half on each of two processes of MPI, both on one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 4096, ROW = WIDTH + 2, GENERATIONS = 10 };

static int height;

static void generation(const unsigned char *restrict old, unsigned char *restrict new) {
    for (int y = 1; y <= height; y++) {
        const unsigned char *above = old + (size_t)(y - 1) * ROW;
        const unsigned char *here = above + ROW;
        const unsigned char *below = here + ROW;
        unsigned char *to = new + (size_t)y *ROW;
        for (int x = 1; x <= WIDTH; x++) {
            unsigned char n = (unsigned char)(above[x - 1] + above[x] + above[x + 1] + here[x - 1] +
                                              here[x + 1] + below[x - 1] + below[x] + below[x + 1]);
            to[x] = (unsigned char)((n == 3) | ((n == 2) & here[x]));
        }
    }
}

static void wrap(unsigned char *cells, int count, int rank) {
    for (int y = 1; y <= height; y++) {
        cells[(size_t)y * ROW] = cells[(size_t)y * ROW + WIDTH];
        cells[(size_t)y * ROW + WIDTH + 1] = cells[(size_t)y * ROW + 1];
    }
    int other = (rank + 1) % count;
    MPI_Sendrecv(cells + ROW, ROW, MPI_BYTE, other, 0, cells + (size_t)(height + 1) * ROW, ROW,
                 MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(cells + (size_t)height * ROW, ROW, MPI_BYTE, other, 1, cells, ROW, MPI_BYTE, other,
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank = 0;
    int count = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    height = 4096 / count;
    unsigned char *a = calloc((size_t)(height + 2), ROW);
    unsigned char *b = calloc((size_t)(height + 2), ROW);
    for (int y = 1; y <= height; y++) {
        for (int x = 1; x <= WIDTH; x++) {
            a[(size_t)y * ROW + x] = ((((rank * height + y) * 7 + x * 13) >> 2) & 3) == 1;
        }
    }
    double before = MPI_Wtime();
    for (int g = 0; g < GENERATIONS / 2; g++) {
        wrap(a, count, rank);
        generation(a, b);
        wrap(b, count, rank);
        generation(b, a);
    }
    double seconds = MPI_Wtime() - before;
    long alive = 0;
    for (int y = 1; y <= height; y++) {
        for (int x = 1; x <= WIDTH; x++) {
            alive += a[(size_t)y * ROW + x];
        }
    }
    long all = 0;
    MPI_Reduce(&alive, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("RESULT life %.0f %ld\n", seconds * 1e6, all);
    }
    MPI_Finalize();
    return 0;
}
