/* setting -- numbers and words of the environment. See setting.h. */
#include "setting.h"

#include "activity.h"
#include "ending.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

typedef struct Setting {
    const char *name;
    const char *wanted; /* in words */
    const char *word;   /* the value, or NULL: a number */
    uint64_t first, last;
} Setting;

static const Setting settings[] = {
    {"OCC_SEED", "a number from 0 to 18446744073709551615", NULL, 0, UINT64_MAX},
    {"OCC_WORKERS", "a number from 1 to 56", NULL, 1, WORKERS_MAX},
    {"OCC_WATCH", "a number from 0 to 1000000", NULL, 0, 1000000},
    {"OCC_RANKS", "a number from 1 to 4096", NULL, 1, 4096},
    {"OCC_LOSE", "a number from 0 to 4095", NULL, 0, 4095},
    {"OCC_TIME", "'virtual'", "virtual", 0, 0},
    {"OCC_PAINT", "0 or 1", NULL, 0, 1},
    {"OCC_TOP", "0 or 1", NULL, 0, 1},
    {"OCC_COUNT_MOBILES", "0 or 1", NULL, 0, 1},
};

static int digit_of(char character) {
    if (character >= '0' && character <= '9') {
        return character - '0';
    }
    int letter = character | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 16;
}

/* Decimal, or hexadecimal after 0x; nothing else. False: it is none, or too large. */
static bool read_number(const char *text, uint64_t *number) {
    unsigned base = text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10;
    text += base == 16 ? 2 : 0;
    *number = 0;
    for (const char *at = text; *at != '\0'; at++) {
        unsigned digit = (unsigned)digit_of(*at);
        if (digit >= base || *number > (UINT64_MAX - digit) / base) {
            return false;
        }
        *number = *number * base + digit;
    }
    return *text != '\0';
}

static bool is_right(const Setting *setting, const char *text) {
    uint64_t number;
    if (setting->word != NULL) {
        return strcmp(text, setting->word) == 0;
    }
    return read_number(text, &number) && number >= setting->first && number <= setting->last;
}

void setting_check(void) {
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *text = getenv(settings[i].name);
        if (text != NULL && !is_right(&settings[i], text)) {
            ReportText what = {.length = 0};
            report_add(&what, "%s is not %s", settings[i].name, settings[i].wanted);
            rt_fatal(what.bytes, 0);
        }
    }
}

bool setting_is_there(const char *name) {
    return getenv(name) != NULL;
}

uint64_t setting_number(const char *name) {
    uint64_t number = 0;
    const char *text = getenv(name);
    return text != NULL && read_number(text, &number) ? number : 0;
}

bool setting_is(const char *name, const char *word) {
    const char *is = getenv(name);
    return is != NULL && strcmp(is, word) == 0;
}
