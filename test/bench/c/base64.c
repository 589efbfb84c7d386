/* base64: the twin of base64.occ. */
#include "bench.h"
#include <stdlib.h>

enum { SIZE = 3000000, ROUNDS = 10 };
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int __attribute__((noinline)) encode(const unsigned char *in, int size, unsigned char *out) {
    int length = 0;
    for (int i = 0; i < size / 3; i++) {
        int word = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
        for (int k = 0; k < 4; k++)
            out[length + k] = (unsigned char)digits[word >> (18 - 6 * k) & 63];
        length += 4;
    }
    return length;
}
int main(void) {
    unsigned char *bytes = malloc(SIZE), *text = malloc(SIZE / 3 * 4);
    int length = 0, sum = 0;
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(i * 7);
    long began = now_us();
    for (int round = 0; round < ROUNDS; round++)
        length = encode(bytes, SIZE, text);
    long took = now_us() - began;
    for (int i = 0; i < length; i++)
        sum += text[i];
    printf("CHECK %d\n", sum);
    result("base64", took, ROUNDS * SIZE);
    return 0;
}
