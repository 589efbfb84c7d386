/* links.c -- the peer of links.occ: the same between two processes of MPI, by hand. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PINGS = 20000, MEGABYTES = 400, MEGABYTE = 1048576, MANY = 1000, ROUNDS = 400 };

static void result(const char *name, double seconds, int count) {
    printf("RESULT %s %.0f %d\n", name, seconds * 1e6, count);
}

static void ping(int rank) {
    int x = 0;
    double before = MPI_Wtime();
    for (int i = 0; i < PINGS; i++) {
        if (rank == 0) {
            MPI_Ssend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0) {
        result("ping", MPI_Wtime() - before, PINGS);
    }
}

/* As a mobile is made anew each time. */
static void blocks(int rank) {
    double before = 0;
    for (int i = 0; i < MEGABYTES; i++) {
        char *block = malloc(MEGABYTE);
        if (rank == 1) {
            memset(block, 0, MEGABYTE);
            block[i] = 1;
            MPI_Send(block, MEGABYTE, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(block, MEGABYTE, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        free(block);
        before = i == 0 ? MPI_Wtime() : before;
    }
    if (rank == 0) {
        result("megabyte", MPI_Wtime() - before, MEGABYTES - 1);
    }
}

static void many(int rank) {
    static int values[MANY];
    static MPI_Request requests[MANY];
    double before = MPI_Wtime();
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < MANY; k++) {
            if (rank == 1) {
                MPI_Isend(&values[k], 1, MPI_INT, 0, k, MPI_COMM_WORLD, &requests[k]);
            } else {
                MPI_Irecv(&values[k], 1, MPI_INT, 1, k, MPI_COMM_WORLD, &requests[k]);
            }
        }
        MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    }
    if (rank == 0) {
        result("many", MPI_Wtime() - before, MANY * ROUNDS);
    }
}

int main(int argc, char **argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1) { /* only the start of a job is of interest */
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        ping(rank);
        MPI_Barrier(MPI_COMM_WORLD);
        blocks(rank);
        MPI_Barrier(MPI_COMM_WORLD);
        many(rank);
    }
    MPI_Finalize();
    return 0;
}
