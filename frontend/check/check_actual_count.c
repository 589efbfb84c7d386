/* check_actual_count -- a call with another number of actuals than its routine has formals: which
 * one is missing, or is one too many.
 *
 * Holds:  says which only where the types leave no choice; else it lists what the routine takes. */
#include "checker.h"

enum { MAX_COUNTED = 24 };

/* fits[i][j]: the actual i could stand for the formal j. */
typedef struct Fits {
    bool may[MAX_COUNTED][MAX_COUNTED];
    size_t actuals;
    size_t formals;
} Fits;

static const Symbol *formal_symbol(const NodeList *formals, size_t index) {
    const Node *formal = formals->items[index];
    return formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
}

static bool literal_fits(const Node *actual, const Type *wanted) {
    switch (actual->kind) {
    case NODE_INTEGER: return type_is_integer(wanted) || type_base(wanted)->kind == TYPE_BYTE;
    case NODE_BYTE: return type_is_integer(wanted) || type_base(wanted)->kind == TYPE_BYTE;
    case NODE_REAL: return type_is_real(wanted);
    default: return true;
    }
}

static bool may_stand_for(const Node *actual, const Symbol *formal) {
    if (!formal || !formal->type || type_is_error(formal->type)) {
        return true;
    }
    bool is_by_value = formal->formal_mode == FORMAL_VAL || formal->formal_mode == FORMAL_INITIAL;
    bool is_channel = type_is_channel(formal->type);
    if (expression_is_untyped(actual) && actual->kind != NODE_STRING) {
        return is_by_value && !is_channel && literal_fits(actual, formal->type);
    }
    if (!is_by_value && !is_channel && !element_is_element(actual) &&
        !type_is_mobile(formal->type)) {
        return false;
    }
    if (!actual->type || type_is_error(actual->type)) {
        return true;
    }
    Direction given = is_channel ? element_direction(actual) : DIRECTION_NONE;
    bool is_other_end = given != DIRECTION_NONE && formal->direction != DIRECTION_NONE &&
                        given != formal->direction;
    return !is_other_end && type_may_accept(formal->type, actual->type);
}

/* Actuals in order for formals in order, as early as possible, or as late: matched[j] says that the
 * formal j got one. Returns how many actuals found their place. */
static size_t match_early(const Fits *fits, bool *formal_matched, bool *actual_matched) {
    size_t next = 0;
    size_t count = 0;
    for (size_t i = 0; i < fits->actuals; i++) {
        size_t j = next;
        while (j < fits->formals && !fits->may[i][j]) {
            j++;
        }
        if (j < fits->formals) {
            formal_matched[j] = actual_matched[i] = true;
            next = j + 1;
            count++;
        }
    }
    return count;
}

static size_t match_late(const Fits *fits, bool *formal_matched, bool *actual_matched) {
    size_t next = fits->formals;
    size_t count = 0;
    for (size_t i = fits->actuals; i-- > 0;) {
        size_t j = next;
        while (j > 0 && !fits->may[i][j - 1]) {
            j--;
        }
        if (j > 0) {
            formal_matched[j - 1] = actual_matched[i] = true;
            next = j - 1;
            count++;
        }
    }
    return count;
}

static const char *formal_words(Checker *checker, const Symbol *formal) {
    static const char *const modes[] = {[FORMAL_REFERENCE] = "",
                                        [FORMAL_VAL] = "VAL ",
                                        [FORMAL_RESULT] = "RESULT ",
                                        [FORMAL_INITIAL] = "INITIAL "};
    const char *mark = formal->direction == DIRECTION_INPUT    ? "?"
                       : formal->direction == DIRECTION_OUTPUT ? "!"
                                                               : "";
    return arena_format(checker->arena, "%s%s %s%s", modes[formal->formal_mode],
                        type_name(checker->arena, formal->type), formal->name->bytes, mark);
}

static void list_formals(Checker *checker, const Symbol *callee, const NodeList *formals) {
    StringBuilder words = {.arena = checker->arena};
    string_append_format(&words, "%s (", callee->name->bytes);
    for (size_t i = 0; i < formals->count; i++) {
        const Symbol *formal = formal_symbol(formals, i);
        string_append_format(&words, "%s%s", i ? ", " : "",
                             formal ? formal_words(checker, formal) : "..");
    }
    diag_hint(checker->diag, "it is called as %s)", words.bytes);
}

/* Which formals got nothing, as words; NULL when the types leave a choice. */
static const char *missing_words(Checker *checker, const Fits *fits, const NodeList *formals) {
    bool early[MAX_COUNTED] = {false};
    bool late[MAX_COUNTED] = {false};
    bool unused[MAX_COUNTED];
    if (match_early(fits, early, unused) != fits->actuals ||
        match_late(fits, late, unused) != fits->actuals) {
        return NULL;
    }
    StringBuilder words = {.arena = checker->arena};
    size_t count = 0;
    for (size_t j = 0; j < fits->formals; j++) {
        const Symbol *formal = formal_symbol(formals, j);
        if (early[j] != late[j] || !formal) {
            return NULL;
        }
        if (!early[j]) {
            string_append_format(&words, "%s'%s'", count++ ? ", " : "",
                                 formal_words(checker, formal));
        }
    }
    return words.bytes;
}

static const Node *surplus_actual(const Fits *fits, const NodeList *actuals) {
    bool unused[MAX_COUNTED];
    bool early[MAX_COUNTED] = {false};
    bool late[MAX_COUNTED] = {false};
    if (fits->actuals != fits->formals + 1 || match_early(fits, unused, early) != fits->formals ||
        match_late(fits, unused, late) != fits->formals) {
        return NULL;
    }
    for (size_t i = 0; i < fits->actuals; i++) {
        if (!early[i] && !late[i]) {
            return actuals->items[i];
        }
    }
    return NULL;
}

void report_actual_count(Checker *checker, const Node *call, const Symbol *callee,
                         const NodeList *formals, const NodeList *actuals) {
    diag_report(checker->diag, DIAG_TYPES_ACTUAL_COUNT, call->at, callee->name->bytes,
                formals->count, formals->count == 1 ? "" : "s", actuals->count);
    symbol_label(checker, callee, "is defined here");
    if (formals->count == 0 || formals->count > MAX_COUNTED || actuals->count > MAX_COUNTED) {
        return;
    }
    Fits fits = {.actuals = actuals->count, .formals = formals->count};
    for (size_t i = 0; i < actuals->count; i++) {
        for (size_t j = 0; j < formals->count; j++) {
            fits.may[i][j] = may_stand_for(actuals->items[i], formal_symbol(formals, j));
        }
    }
    bool is_short = actuals->count < formals->count;
    const char *missing = is_short ? missing_words(checker, &fits, formals) : NULL;
    const Node *surplus = is_short ? NULL : surplus_actual(&fits, actuals);
    if (missing) {
        diag_hint(checker->diag, "nothing is given for %s", missing);
    } else if (surplus) {
        diag_label(checker->diag, surplus->at, "stands for no parameter");
    } else {
        list_formals(checker, callee, formals);
    }
}
