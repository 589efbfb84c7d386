/* search: the twin of search.occ. */
#include "bench.h"

#include <stdbool.h>
#include <string.h>
enum { SIZE = 4000000, ROUNDS = 20 };
static unsigned char text[SIZE];
__attribute__((noinline)) static int find(const unsigned char *t, int n, const unsigned char *p,
                                          int m) {
    int skip[256], last = m - 1, count = 0;
    for (int i = 0; i < 256; i++)
        skip[i] = m;
    for (int i = 0; i < last; i++)
        skip[p[i]] = last - i;
    for (int at = last; at < n; at += skip[t[at]]) {
        int k = 0;
        while (k <= last && t[at - k] == p[last - k])
            k++;
        count += k > last;
    }
    return count;
}
__attribute__((noinline)) static int words(const unsigned char *t, int n) {
    int count = 0;
    bool inside = false;
    for (int i = 0; i < n; i++) {
        if (t[i] == ' ' || t[i] == '\n')
            inside = false;
        else if (!inside) {
            inside = true;
            count++;
        }
    }
    return count;
}
int main(void) {
    unsigned seed = 7;
    int total = 0;
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1103515245u + 12345u;
        text[i] = (unsigned char)" abcdea\n"[seed >> 16 & 7];
    }
    long began = now_us();
    for (int r = 0; r < ROUNDS; r++) {
        __asm__ volatile("" ::: "memory"); /* each round anew */
        total +=
            find(text, SIZE, (const unsigned char *)"abacabad", 8) + (words(text, SIZE) & 0xFFFF);
    }
    long took = now_us() - began;
    printf("CHECK %d\n", total);
    result("search", took, 1);
    return 0;
}
