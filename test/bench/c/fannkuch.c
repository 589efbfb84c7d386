/* fannkuch: the twin of fannkuch.occ. */
#include "bench.h"

enum { N = 10 };
static void fannkuch(int *checksum_out, int *flips_out) {
    int perm[N], first[N], count[N];
    int checksum = 0, flips = 0, parity = 0, r = N;
    for (int i = 0; i < N; i++)
        first[i] = i;
    for (;;) {
        for (; r != 1; r--)
            count[r - 1] = r;
        for (int i = 0; i < N; i++)
            perm[i] = first[i];
        int f = 0;
        for (int k = perm[0]; k != 0; k = perm[0]) {
            for (int i = 0, j = k; i < j; i++, j--) {
                int t = perm[i];
                perm[i] = perm[j];
                perm[j] = t;
            }
            f++;
        }
        if (f > flips)
            flips = f;
        checksum += parity == 0 ? f : -f;
        for (;;) {
            if (r == N) {
                *checksum_out = checksum;
                *flips_out = flips;
                return;
            }
            int p = first[0];
            for (int i = 0; i < r; i++)
                first[i] = first[i + 1];
            first[r] = p;
            if (--count[r] > 0)
                break;
            r++;
        }
        parity = 1 - parity;
    }
}
int main(void) {
    int checksum, flips;
    long began = now_us();
    fannkuch(&checksum, &flips);
    long took = now_us() - began;
    printf("CHECK %d\n", checksum * 100 + flips);
    result("fannkuch", took, 1);
    return 0;
}
