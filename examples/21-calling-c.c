/* 21-calling-c: what 21-calling-c.occ calls. */
#include <math.h>
#include <stdint.h>
#include <unistd.h>

/* REAL64 FUNCTION C.mean (VAL []INT xs): an array with [] is its address and its size. */
double mean(const int32_t *xs, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        sum += xs[i];
    }
    return count > 0 ? sum / count : 0.0;
}

/* PROC C.to.upper ([]BYTE text, RESULT INT changed): what may be written comes by address. */
void to_upper(uint8_t *text, int32_t count, int32_t *changed) {
    *changed = 0;
    for (int32_t i = 0; i < count; i++) {
        if (text[i] >= 'a' && text[i] <= 'z') {
            text[i] -= 'a' - 'A';
            ++*changed;
        }
    }
}

/* PROC B.slow.answer (VAL INT n, RESULT INT answer): it waits in the kernel, and only its process
 * waits. */
void slow_answer(int32_t n, int32_t *answer) {
    usleep(200000);
    *answer = 6 * n;
}
