/* reference -- the predefined routines once more, in C: 128-bit integers, bits by loops, IEEE by
 * the machine under its own rounding modes, quadruple precision where one rounding is wanted.
 *
 * Owns:   the expected hashes: reference <cases> prints what the program of make_program.py prints.
 * Leaves: drawing operands and mixing results to be the same on both sides. */
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FENV_ACCESS ON

enum { CHUNKS = 8 };

static uint32_t state;
static uint32_t hash;

/* ---- drawing ---- */

static const uint32_t specials[16] = {
    0,          1,      -1u,     2,  -2u, 0x80000000, 0x7FFFFFFF, 0x55555555,
    0xAAAAAAAA, 0xFFFF, 0x10000, 31, 32,  33,         100,        -100u};
static const uint32_t short_specials[16] = {
    0,          0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 1,
    0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x3F000000, 0x40200000, 0x4B000000, 0x4F000000, 0xCF000000};
static const uint32_t long_specials[16] = {
    0,          0x80000000, 0x3FF00000, 0xBFF00000, 0x7FF00000, 0xFFF00000, 0x7FF80000, 1,
    0x000FFFFF, 0x00100000, 0x7FEFFFFF, 0x3FE00000, 0x40040000, 0x43300000, 0x41E00000, 0xC1E00000};

static uint32_t next(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static int32_t pick_i(void) {
    next();
    switch (state & 7) {
    case 0: return (int32_t)specials[(state >> 3) & 15];
    case 1: return (int32_t)(state >> ((state >> 8) & 31));
    default: return (int32_t)next();
    }
}

static int32_t pick_p(int32_t bound) {
    next();
    return (int32_t)((state >> 4) & 0x7FFFFFF) % (bound + 1);
}

static int32_t pick_n(void) {
    next();
    int32_t n = (int32_t)((state >> 4) & 0x7FFFFFF) % 400 - 200;
    return (state & 7) == 0 ? n * 1000000 : n;
}

static int32_t pick_e(void) {
    next();
    return (int32_t)((state >> 4) & 0x7FFFFFF) % 400 - 50;
}

static int32_t pick_m(void) {
    next();
    return (int32_t)(state >> 7) & 3;
}

static float pick_f(void) {
    uint32_t bits;
    float value;
    next();
    switch (state & 3) {
    case 0: bits = short_specials[(state >> 3) & 15]; break;
    case 1: bits = (state & 0x807FFFFF) | ((107 + ((state >> 8) & 31)) << 23); break;
    default: bits = next(); break;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double pick_d(void) {
    uint32_t words[2];
    double value;
    words[0] = next();
    next();
    switch (state & 3) {
    case 0:
        words[1] = long_specials[(state >> 3) & 15];
        words[0] = 0 - ((state >> 9) & 1);
        break;
    case 1: words[1] = (state & 0x800FFFFF) | ((1003 + ((state >> 8) & 31)) << 20); break;
    default: words[1] = next(); break;
    }
    memcpy(&value, words, sizeof value);
    return value;
}

/* ---- mixing ---- */

static void mix_i(uint32_t x) {
    hash = (((hash << 5) | (hash >> 27)) ^ x) * 16777619u;
}

static void mix_f(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    mix_i(isnan(x) ? 0x7FC00000 : bits);
}

static void mix_d(double x) {
    uint32_t words[2];
    memcpy(words, &x, sizeof words);
    if (isnan(x)) {
        mix_i(0x7FF80000);
    } else {
        mix_i(words[0]);
        mix_i(words[1]);
    }
}

/* ---- words ---- */

static bool fits(__int128 x) {
    return x >= INT32_MIN && x <= INT32_MAX;
}

static unsigned __int128 join(int32_t high, int32_t low) {
    return (unsigned __int128)(uint32_t)high << 32 | (uint32_t)low;
}

static void mix_pair(unsigned __int128 pair) {
    mix_i((uint32_t)(pair >> 32));
    mix_i((uint32_t)pair);
}

static void do_long_add(void) {
    __int128 a = pick_i(), b = pick_i(), c = pick_i() & 1;
    if (fits(a + b + c)) {
        mix_i((uint32_t)(a + b + c));
    }
}

static void do_long_sub(void) {
    __int128 a = pick_i(), b = pick_i(), c = pick_i() & 1;
    if (fits(a - b - c)) {
        mix_i((uint32_t)(a - b - c));
    }
}

static void do_long_sum(void) {
    __int128 a = (uint32_t)pick_i(), b = (uint32_t)pick_i(), c = pick_i() & 1;
    __int128 sum = a + b + c;
    mix_i(sum >> 32 != 0);
    mix_i((uint32_t)sum);
}

static void do_long_diff(void) {
    __int128 a = (uint32_t)pick_i(), b = (uint32_t)pick_i(), c = pick_i() & 1;
    __int128 difference = a - b - c;
    mix_i(difference < 0);
    mix_i((uint32_t)difference);
}

static void do_long_prod(void) {
    unsigned __int128 a = (uint32_t)pick_i(), b = (uint32_t)pick_i(), c = (uint32_t)pick_i();
    mix_pair(a * b + c);
}

static void do_long_div(void) {
    int32_t a = pick_i(), b = pick_i(), c = pick_i();
    if ((uint32_t)a < (uint32_t)c) {
        mix_i((uint32_t)(join(a, b) / (uint32_t)c));
        mix_i((uint32_t)(join(a, b) % (uint32_t)c));
    }
}

static void do_shift_left(void) {
    int32_t a = pick_i(), b = pick_i(), n = pick_p(64);
    mix_pair((uint64_t)(join(a, b) << n));
}

static void do_shift_right(void) {
    int32_t a = pick_i(), b = pick_i(), n = pick_p(64);
    mix_pair(join(a, b) >> n);
}

static void do_normalise(void) {
    int32_t a = pick_i(), b = pick_i();
    uint64_t pair = (uint64_t)join(a, b);
    uint32_t places = 0;
    while (places < 64 && pair >> 63 == 0) {
        pair <<= 1;
        places++;
    }
    mix_i(places);
    mix_pair(pair);
}

static void do_ashift_right(void) {
    __int128 a = pick_i();
    int n = pick_p(32);
    mix_i((uint32_t)(a >> n));
}

static void do_ashift_left(void) {
    __int128 a = pick_i();
    int n = pick_p(32);
    if (fits(a * ((__int128)1 << n))) {
        mix_i((uint32_t)(a * ((__int128)1 << n)));
    }
}

static void do_rotate_left(void) {
    uint32_t a = (uint32_t)pick_i();
    for (int n = pick_p(32); n > 0; n--) {
        a = a << 1 | a >> 31;
    }
    mix_i(a);
}

static void do_rotate_right(void) {
    uint32_t a = (uint32_t)pick_i();
    for (int n = pick_p(32); n > 0; n--) {
        a = a >> 1 | a << 31;
    }
    mix_i(a);
}

static void do_fracmul(void) {
    __int128 a = pick_i(), b = pick_i(), product = a * b, unit = (__int128)1 << 31;
    __int128 whole = product >= 0 ? product / unit : -((-product + unit - 1) / unit);
    __int128 rest = product - whole * unit;
    bool is_up = rest * 2 > unit || (rest * 2 == unit && (whole & 1) != 0);
    if (a != INT32_MIN || b != INT32_MIN) {
        mix_i((uint32_t)(whole + is_up));
    }
}

static void do_bitcount(void) {
    uint32_t a = (uint32_t)pick_i(), sum = (uint32_t)pick_i();
    for (int i = 0; i < 32; i++) {
        sum += a >> i & 1;
    }
    mix_i(sum);
}

static uint32_t reversed(uint32_t a, int bits) {
    uint32_t result = 0;
    for (int i = 0; i < bits; i++) {
        result |= (a >> i & 1) << (bits - 1 - i);
    }
    return result;
}

static void do_bitrevword(void) {
    mix_i(reversed((uint32_t)pick_i(), 32));
}

static void do_bitrevnbits(void) {
    uint32_t a = (uint32_t)pick_i();
    mix_i(reversed(a, pick_p(32)));
}

static void crc(int bits) {
    uint32_t data = (uint32_t)pick_i(), sum = (uint32_t)pick_i(), generator = (uint32_t)pick_i();
    for (int i = 0; i < bits; i++) {
        bool leaves = sum >> 31;
        sum = sum << 1 | (data >> (31 - i) & 1);
        sum ^= leaves ? generator : 0;
    }
    mix_i(sum);
}

static void do_crcword(void) {
    crc(32);
}

static void do_crcbyte(void) {
    crc(8);
}

static void do_unpacksn(void) {
    uint32_t a = (uint32_t)pick_i();
    uint32_t fraction = a & 0x7FFFFF, exponent = a >> 23 & 255;
    bool is_normal = exponent != 0 && exponent != 255;
    mix_i((fraction | (is_normal ? 0x800000u : 0)) << 8);
    mix_i(exponent == 0 && fraction != 0 ? 1 : exponent);
    mix_i(exponent == 255 ? (fraction == 0 ? 2 : 3) : exponent == 0 && fraction == 0 ? 0 : 1);
}

/* Scaled in quadruple precision, where it is exact, and rounded once. */
static void do_roundsn(void) {
    int32_t exponent = pick_e(), a = pick_i(), b = pick_i();
    __float128 value = (__float128)(uint64_t)join(a, b);
    for (int places = exponent - 127 - 63; places != 0; places += places < 0 ? 1 : -1) {
        value *= places < 0 ? 0.5Q : 2.0Q;
    }
    mix_f((float)value);
}

/* ---- reals: the same for both widths ---- */

static const int modes[4] = {FE_TOWARDZERO, FE_TONEAREST, FE_UPWARD, FE_DOWNWARD};

#define REALS(T, W, suffix, mix, pick, ipart, BIG)                                                 \
    static void do_abs_##W(void) {                                                                 \
        mix(fabs##suffix(pick()));                                                                 \
    }                                                                                              \
    static void do_isnan_##W(void) {                                                               \
        mix_i(isnan(pick()) != 0);                                                                 \
    }                                                                                              \
    static void do_notfinite_##W(void) {                                                           \
        mix_i(isfinite(pick()) == 0);                                                              \
    }                                                                                              \
    static void do_ordered_##W(void) {                                                             \
        T a = pick(), b = pick();                                                                  \
        mix_i(!isnan(a) && !isnan(b));                                                             \
    }                                                                                              \
    static void do_minusx_##W(void) {                                                              \
        mix(-pick());                                                                              \
    }                                                                                              \
    static void do_mulby2_##W(void) {                                                              \
        mix(pick() * 2);                                                                           \
    }                                                                                              \
    static void do_divby2_##W(void) {                                                              \
        mix(pick() / 2);                                                                           \
    }                                                                                              \
    static void do_sqrt_##W(void) {                                                                \
        mix(sqrt##suffix(pick()));                                                                 \
    }                                                                                              \
    static void do_fpint_##W(void) {                                                               \
        mix(rint##suffix(pick()));                                                                 \
    }                                                                                              \
    static void do_scaleb_##W(void) {                                                              \
        T a = pick();                                                                              \
        mix(scalbln##suffix(a, pick_n()));                                                         \
    }                                                                                              \
    static void do_copysign_##W(void) {                                                            \
        T a = pick(), b = pick();                                                                  \
        mix(copysign##suffix(a, b));                                                               \
    }                                                                                              \
    static void do_nextafter_##W(void) {                                                           \
        T a = pick(), b = pick();                                                                  \
        mix(nextafter##suffix(a, b));                                                              \
    }                                                                                              \
    static void do_logb_##W(void) {                                                                \
        mix(logb##suffix(pick()));                                                                 \
    }                                                                                              \
    static void do_unpack_##W(void) {                                                              \
        T a = pick();                                                                              \
        if (a == 0 || !isfinite(a)) {                                                              \
            mix_i(a == 0 ? 0 : (BIG) + 1);                                                         \
            mix(a);                                                                                \
        } else {                                                                                   \
            mix_i((uint32_t)ilogb##suffix(a));                                                     \
            mix(scalbn##suffix(a, -ilogb##suffix(a)));                                             \
        }                                                                                          \
    }                                                                                              \
    static void do_reduce_##W(void) {                                                              \
        T a = pick(), b = pick(), c = pick();                                                      \
        if (!isfinite(a) || !isfinite(b) || !isfinite(c) || !(fabs##suffix(b) > (T)1.0e-5) ||      \
            !(fabs##suffix(a) < (T)1.0e4) || !(fabs##suffix(c) < (T)1.0e-5)) {                     \
            return;                                                                                \
        }                                                                                          \
        __int128 n = (__int128)((__float128)a / b);                                                \
        __int128 best = n;                                                                         \
        for (__int128 k = n - 1; k <= n + 1; k++) {                                                \
            __float128 rest = (__float128)a - (__float128)k * b;                                   \
            __float128 least = (__float128)a - (__float128)best * b;                               \
            rest = rest < 0 ? -rest : rest;                                                        \
            least = least < 0 ? -least : least;                                                    \
            best = rest < least || (rest == least && (k & 1) == 0) ? k : best;                     \
        }                                                                                          \
        double rest = (double)((__float128)a - (__float128)best * b);                              \
        rest = rest == 0 ? copysign(0.0, (double)a) : rest;                                        \
        double corrected = rest - (double)best * (double)c;                                        \
        __int128 limit = (__int128)1 << ((W) == 32 ? 20 : 30);                                     \
        bool accurate = fabs((double)a / (double)b) < (double)limit;                               \
        mix_i(accurate);                                                                           \
        mix_i(accurate ? (uint32_t)best : 0);                                                      \
        mix((T)(accurate ? corrected : rest));                                                     \
    }                                                                                              \
    static void do_sin_##W(void) {                                                                 \
        mix((T)sin((double)pick()));                                                               \
    }                                                                                              \
    static void do_cos_##W(void) {                                                                 \
        mix((T)cos((double)pick()));                                                               \
    }                                                                                              \
    static void do_tan_##W(void) {                                                                 \
        mix((T)tan((double)pick()));                                                               \
    }                                                                                              \
    static T calculate_##W(volatile T a, int op, volatile T b) {                                   \
        switch (op) {                                                                              \
        case 0: return a + b;                                                                      \
        case 1: return a - b;                                                                      \
        case 2: return a * b;                                                                      \
        default: return a / b;                                                                     \
        }                                                                                          \
    }                                                                                              \
    static void do_op_##W(void) {                                                                  \
        T a = pick();                                                                              \
        int op = pick_m();                                                                         \
        mix(calculate_##W(a, op, pick()));                                                         \
    }                                                                                              \
    static void do_ieee_##W(void) {                                                                \
        T a = pick();                                                                              \
        int mode = pick_m(), op = pick_m();                                                        \
        T b = pick();                                                                              \
        feclearexcept(FE_ALL_EXCEPT);                                                              \
        fesetround(modes[mode]);                                                                   \
        volatile T result = calculate_##W(a, op, b);                                               \
        int raised = fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO);                        \
        fesetround(FE_TONEAREST);                                                                  \
        mix_i(raised != 0);                                                                        \
        mix(result);                                                                               \
    }                                                                                              \
    static void do_rem_##W(void) {                                                                 \
        T a = pick(), b = pick();                                                                  \
        mix(remainder##suffix(a, b));                                                              \
    }                                                                                              \
    static void do_ieeerem_##W(void) {                                                             \
        T a = pick(), b = pick();                                                                  \
        mix_i(isnan(remainder##suffix(a, b)) != 0);                                                \
        mix(remainder##suffix(a, b));                                                              \
    }                                                                                              \
    static void do_eq_##W(void) {                                                                  \
        T a = pick(), b = pick();                                                                  \
        mix_i(a == b);                                                                             \
    }                                                                                              \
    static void do_gt_##W(void) {                                                                  \
        T a = pick(), b = pick();                                                                  \
        mix_i(a > b);                                                                              \
    }                                                                                              \
    static void do_compare_##W(void) {                                                             \
        T a = pick(), b = pick();                                                                  \
        mix_i(isnan(a) || isnan(b) ? 2 : a < b ? -1u : a > b);                                     \
    }

REALS(float, 32, f, mix_f, pick_f, int32_t, 127)
REALS(double, 64, , mix_d, pick_d, int64_t, 1023)

/* ---- all of them, in the program's order ---- */

typedef struct Routine {
    const char *name;
    void (*once)(void);
} Routine;

#define OF_WIDTH(P, W)                                                                             \
    {P "ABS", do_abs_##W}, {P "ISNAN", do_isnan_##W}, {P "NOTFINITE", do_notfinite_##W},           \
        {P "ORDERED", do_ordered_##W}, {P "MINUSX", do_minusx_##W}, {P "MULBY2", do_mulby2_##W},   \
        {P "DIVBY2", do_divby2_##W}, {P "SQRT", do_sqrt_##W}, {P "FPINT", do_fpint_##W},           \
        {P "SCALEB", do_scaleb_##W}, {P "COPYSIGN", do_copysign_##W},                              \
        {P "NEXTAFTER", do_nextafter_##W}, {P "LOGB", do_logb_##W},                                \
        {P "FLOATING.UNPACK", do_unpack_##W}, {P "ARGUMENT.REDUCE", do_reduce_##W},                \
        {P "SIN", do_sin_##W}, {P "COS", do_cos_##W}, {P "TAN", do_tan_##W},                       \
        {"REAL" #W "OP", do_op_##W}, {"IEEE" #W "OP", do_ieee_##W}, {"REAL" #W "REM", do_rem_##W}, \
        {"IEEE" #W "REM", do_ieeerem_##W}, {"REAL" #W "EQ", do_eq_##W},                            \
        {"REAL" #W "GT", do_gt_##W}, {                                                             \
        P "IEEECOMPARE", do_compare_##W                                                            \
    }

static const Routine routines[] = {
    {"LONGADD", do_long_add},
    {"LONGSUB", do_long_sub},
    {"LONGSUM", do_long_sum},
    {"LONGDIFF", do_long_diff},
    {"LONGPROD", do_long_prod},
    {"LONGDIV", do_long_div},
    {"SHIFTLEFT", do_shift_left},
    {"SHIFTRIGHT", do_shift_right},
    {"NORMALISE", do_normalise},
    {"ASHIFTRIGHT", do_ashift_right},
    {"ASHIFTLEFT", do_ashift_left},
    {"ROTATELEFT", do_rotate_left},
    {"ROTATERIGHT", do_rotate_right},
    {"FRACMUL", do_fracmul},
    {"BITCOUNT", do_bitcount},
    {"BITREVWORD", do_bitrevword},
    {"BITREVNBITS", do_bitrevnbits},
    {"CRCWORD", do_crcword},
    {"CRCBYTE", do_crcbyte},
    {"UNPACKSN", do_unpacksn},
    {"ROUNDSN", do_roundsn},
    OF_WIDTH("", 32),
    OF_WIDTH("D", 64),
};

int main(int count, char **words) {
    long cases = count > 1 ? atol(words[1]) : 1000;
    for (size_t r = 0; r < sizeof routines / sizeof *routines; r++) {
        state = 12345;
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            hash = 0;
            for (long i = 0; i < cases / CHUNKS; i++) {
                routines[r].once();
            }
            printf("%s #%08X\n", routines[r].name, hash);
        }
    }
    return 0;
}
