/* usage_report -- what the user is told about a conflict: both places, one case in which they meet,
 * and what can be done. */
#include "usage_phase.h"

#include <string.h>

static const char *object_words(const Symbol *symbol) {
    return type_is_channel(type_content(symbol->type)) ? "channel"
           : type_is_port(symbol->type)                ? "port"
                                                       : "variable";
}

static const char *kind_words(UsageKind kind) {
    switch (kind) {
    case USAGE_READ: return "read";
    case USAGE_MEASURE: return "measured";
    case USAGE_WRITE: return "written";
    case USAGE_INPUT: return "input from";
    case USAGE_OUTPUT: return "output to";
    case USAGE_CLAIM: return "claimed";
    case USAGE_NEXT: return "waited for";
    }
    return "used";
}

/* ---- the two places ---- */

static void label_place(Diag *diag, const UsageAccess *access, bool is_primary) {
    const char *words = kind_words(access->kind);
    if (access->via && is_primary) {
        diag_primary_label(diag, "%s by '%s'", words, access->via->name->bytes);
    } else if (is_primary) {
        diag_primary_label(diag, "%s here", words);
    } else if (access->via) {
        diag_label(diag, access->at, "%s by '%s'", words, access->via->name->bytes);
    } else {
        diag_label(diag, access->at, "%s here", words);
    }
}

static bool same_place(Location left, Location right) {
    return left.file == right.file && left.line == right.line && left.column == right.column;
}

static void note_inner(Diag *diag, const UsageAccess *access) {
    if (access->via) {
        diag_note(diag, access->inner_at, "'%s' is %s there", access->root->name->bytes,
                  kind_words(access->kind));
    }
}

static void label_places(Diag *diag, const UsageAccess *first, const UsageAccess *second) {
    label_place(diag, second, true);
    if (!same_place(first->at, second->at)) {
        label_place(diag, first, false);
    }
    note_inner(diag, first);
    if (!first->via || !same_place(first->inner_at, second->inner_at)) {
        note_inner(diag, second);
    }
}

/* ---- MUTEXes ---- */

static const UsageLock *first_claim(const UsageWalk *walk, const UsageAccess *access) {
    return access->locks != walk->here.locks ? access->locks : NULL;
}

/* Of a routine in another unit only the heading is known: the call is shown. */
static bool is_seen(const UsageAccess *access) {
    const Node *routine = access->via ? access->via->definition : NULL;
    const ProcInfo *info = routine ? node_info(routine) : NULL;
    return info && !info->elsewhere;
}

static void note_unclaimed(UsageWalk *walk, const UsageAccess *access, const UsageLock *lock) {
    Location at = is_seen(access) ? access->inner_at : access->at;
    diag_note(walk->compiler->diag, at, "the access at line %u is not under CLAIM %s",
              (unsigned)at.line, usage_lock_words(walk, lock));
}

/* Why claims do not keep the two apart, if there are any. */
static void explain_claims(UsageWalk *walk, const UsageAccess *first, const UsageAccess *second) {
    const UsageLock *a = first_claim(walk, first);
    const UsageLock *b = first_claim(walk, second);
    if (!a && !b && walk->here.locks) {
        diag_hint(walk->compiler->diag,
                  "CLAIM %s is round the whole PAR: let each branch claim it for itself",
                  usage_lock_words(walk, walk->here.locks));
    }
    if (a && (!b || a->root != b->root)) {
        note_unclaimed(walk, second, a);
    }
    if (b && (!a || a->root != b->root)) {
        note_unclaimed(walk, first, b);
    }
    if (a && b && a->root == b->root) {
        diag_hint(walk->compiler->diag, "they may be under CLAIM of different MUTEXes");
    }
}

/* ---- a case in which they meet ---- */

typedef struct Sentence {
    UsageWalk *walk;
    const IndexPair *pair;
    StringBuilder words;
} Sentence;

/* As the user wrote it, when it stands in one line. */
static const char *words_of(UsageWalk *walk, const UsageAccess *access) {
    Location at = access->at;
    size_t length = 0;
    const char *line = source_line(walk->compiler->sources, at.file, at.line, &length);
    bool is_there =
        line && at.end_line == at.line && at.end_column > at.column && at.end_column <= length + 1;
    for (size_t i = 0; is_there && i < length; i++) {
        is_there = (unsigned char)line[i] < 0x80; /* else columns are not bytes */
    }
    for (size_t i = at.column - 1; is_there && access->via && i + 1 < at.end_column; i++) {
        is_there = line[i] != '('; /* the whole call: its PROC uses a free name */
        if (line[i] == '[') {
            break; /* c[(2 * i) + 1] */
        }
    }
    return is_there ? arena_format(walk->arena, "%.*s", (int)(at.end_column - at.column),
                                   line + at.column - 1)
                    : access->name->name->bytes;
}

static bool is_it(const IndexExpr *leaf, const void *data) {
    const IndexSampleValue *value = data;
    return leaf->kind == INDEX_LOOP        ? value->loop == leaf->loop
           : leaf->kind == INDEX_PARAMETER ? !value->loop && index_equal(value->parameter, leaf)
                                           : false;
}

static bool mentions(const IndexExpr *expr, const IndexSampleValue *value) {
    return expr && index_any(expr, is_it, value);
}

static bool region_mentions(const IndexRegion *region, const IndexSampleValue *value) {
    for (size_t i = 0; i < region->count; i++) {
        if (mentions(region->dimensions[i].from, value) ||
            mentions(region->dimensions[i].length, value)) {
            return true;
        }
    }
    return false;
}

/* The replicator of the PAR is named even where the subscript has nothing of it. */
static bool is_named(const Sentence *sentence, const IndexSampleValue *value,
                     const IndexRegion *region) {
    bool is_branch = sentence->pair->is_replicated && value->loop &&
                     value->loop->depth == sentence->pair->shared_depth;
    return is_branch || region_mentions(region, value);
}

/* False: it has no name in the program. */
static bool add_value(Sentence *sentence, const IndexSampleValue *value, IndexSide side,
                      const char *before) {
    const char *name = value->loop ? value->loop->name : value->parameter->label;
    int64_t number = value->value;
    bool is_given = !value->loop || !value->loop->value ||
                    index_sample_value(&sentence->pair->sample, value->loop->value, side, &number);
    if (name && is_given) {
        string_append_format(&sentence->words, "%s%s=%lld", before, name, (long long)number);
    }
    return name && is_given;
}

static void add_access(Sentence *sentence, const UsageAccess *access, IndexSide side) {
    const IndexSample *sample = &sentence->pair->sample;
    string_append_format(&sentence->words, "%s", words_of(sentence->walk, access));
    if (access->via) {
        string_append_format(&sentence->words, " by '%s'", access->via->name->bytes);
    }
    bool is_first = true;
    for (size_t i = 0; i < sample->count; i++) {
        const IndexSampleValue *value = &sample->values[i];
        if ((value->side == side || value->side == SIDE_BOTH) &&
            is_named(sentence, value, &access->region) &&
            add_value(sentence, value, side, is_first ? " with " : ", ")) {
            is_first = false;
        }
    }
}

static bool is_one_element(const UsageAccess *access) {
    const IndexRegion *region = &access->region;
    return region->count > 0 && !region->dimensions[region->count - 1].length &&
           region->dimensions[region->count - 1].from;
}

static const char *meeting_words(const UsageAccess *a, const UsageAccess *b) {
    bool is_channel = type_is_channel(type_content(a->root->type));
    if (a->region.count != b->region.count || !is_one_element(a) || !is_one_element(b)) {
        return is_channel ? "share a channel" : "overlap";
    }
    return is_channel ? "are the same channel" : "are the same element";
}

/* For what happens inside of a PROC the text shows no subscript: ": x[1][2]". */
static const char *element_of(const Sentence *sentence, const UsageAccess *access) {
    StringBuilder words = {.arena = sentence->walk->arena};
    const Type *type = type_base(access->root->type);
    string_append_format(&words, ": %s", access->root->name->bytes);
    for (size_t i = 0; i < access->region.count; i++) {
        int64_t at = 0;
        if (!type_is_array(type) || !access->region.dimensions[i].from ||
            !index_sample_value(&sentence->pair->sample, access->region.dimensions[i].from,
                                SIDE_LEFT, &at)) {
            return "";
        }
        string_append_format(&words, "[%lld]", (long long)at);
        type = type_base(type->array.element);
    }
    return words.bytes;
}

static void explain_meeting(UsageWalk *walk, const IndexPair *pair, const UsageConflict *conflict) {
    Sentence sentence = {.walk = walk, .pair = pair};
    const UsageAccess *a = conflict->a;
    const UsageAccess *b = conflict->b;
    if (pair->sample.count == 0 || a->region.count == 0 || b->region.count == 0) {
        return;
    }
    sentence.words = (StringBuilder){.arena = walk->arena};
    if (!conflict->is_proved) {
        string_append_format(&sentence.words, "perhaps ");
    }
    add_access(&sentence, a, SIDE_LEFT);
    string_append_format(&sentence.words, " and ");
    add_access(&sentence, b, SIDE_RIGHT);
    bool is_inside = (a->via || b->via) && is_one_element(a);
    diag_hint(walk->compiler->diag, "%s %s%s", sentence.words.bytes, meeting_words(a, b),
              is_inside ? element_of(&sentence, a) : "");
}

static void explain_iterations(UsageWalk *walk, const IndexPair *pair, const UsageAccess *access) {
    const IndexLoop *loop = index_loop_at(access->region.loops, pair->shared_depth);
    if (pair->has_witness && loop && access->region.count > 0 && pair->sample.count == 0) {
        diag_hint(walk->compiler->diag,
                  "iterations %lld and %lld of the replicator '%s' use the same part",
                  (long long)pair->witness[0], (long long)pair->witness[1], loop->name);
    }
}

/* ---- what can be done ---- */

static bool is_unknown(const IndexExpr *expr) {
    return expr && (expr->kind == INDEX_UNKNOWN || index_has_element(expr));
}

/* A subscript is looked up, or made of a variable that the branch changes; or a count is. */
static bool has_unknown(const UsageAccess *access) {
    for (size_t i = 0; i < access->region.count; i++) {
        const IndexDimension *part = &access->region.dimensions[i];
        if (is_unknown(part->from) || is_unknown(part->length)) {
            return true;
        }
    }
    for (const IndexLoop *loop = access->region.loops; loop; loop = loop->outer) {
        if (is_unknown(loop->count) || is_unknown(loop->value)) {
            return true;
        }
    }
    return false;
}

/* Calls use more parts than are kept apart, or a recursion some for which no bounds were found. */
static bool is_some_part(const UsageAccess *access) {
    return access->region.count == 0 && access->region.loops && access->region.loops->is_some;
}

static void hint_unproved(UsageWalk *walk, const UsageConflict *conflict, bool has_case) {
    Diag *diag = walk->compiler->diag;
    const char *name = conflict->a->root->name->bytes;
    if (is_some_part(conflict->a) || is_some_part(conflict->b)) {
        diag_hint(
            diag,
            "which part of '%s' the calls use is not known: let a call use only what "
            "lies between its bounds, as VAL parameters say, or give it its part: [%s FROM ..]",
            name, name);
    } else if (!has_case && (has_unknown(conflict->a) || has_unknown(conflict->b))) {
        diag_hint(diag,
                  "what is looked up in an array, or made of a variable that the branch changes, "
                  "is not known: choose with replicators and VAL names, or from a part of its own: "
                  "part IS [%s FROM ..]:",
                  name);
    }
    diag_hint(diag,
              "if the parts are different, say so: #PRAGMA SHARED %s, or compile with "
              "-Wno-error=usage-unproved",
              name);
}

/* Who wants to print from several processes needs a shared end. */
static void hint_turns(UsageWalk *walk, DiagId id, const Symbol *channel) {
    bool is_output = id == DIAG_USAGE_PARALLEL_OUTPUT;
    if (!channel->type || channel->type->kind != TYPE_CHANNEL) {
        return;
    }
    bool is_end = channel->kind == SYMBOL_FORMAL;
    const char *mark = is_output ? "!" : "?";
    diag_hint(walk->compiler->diag,
              "to take turns, declare it shared, SHARED%s %s %s%s, and %s under CLAIM %s%s",
              is_end ? "" : mark, type_name(walk->arena, channel->type), channel->name->bytes,
              is_end ? mark : ":", is_output ? "output" : "input", channel->name->bytes, mark);
}

static void hint_conflict(UsageWalk *walk, DiagId id, const Symbol *root) {
    Diag *diag = walk->compiler->diag;
    const char *name = root->name->bytes;
    if (id == DIAG_USAGE_PARALLEL_INPUT || id == DIAG_USAGE_PARALLEL_OUTPUT) {
        diag_hint(diag, "a channel joins one process that outputs and one that inputs: give each "
                        "branch a channel of its own, or use SEQ");
        hint_turns(walk, id, root);
    } else if (id == DIAG_USAGE_PARALLEL_WRITE || id == DIAG_USAGE_PARALLEL_READ) {
        diag_hint(diag, "let one branch own '%s' and send its value over a channel, or use SEQ",
                  name);
    }
}

static DiagId conflict_id(const UsageConflict *conflict) {
    const UsageAccess *a = conflict->a;
    if (!conflict->is_proved) {
        return DIAG_USAGE_UNPROVED;
    }
    bool is_written = a->kind == USAGE_WRITE || conflict->b->kind == USAGE_WRITE;
    if (a->kind == USAGE_INPUT && !is_written) {
        return DIAG_USAGE_PARALLEL_INPUT;
    }
    if (a->kind == USAGE_OUTPUT && !is_written) {
        return DIAG_USAGE_PARALLEL_OUTPUT;
    }
    bool both = a->kind == conflict->b->kind;
    return both ? DIAG_USAGE_PARALLEL_WRITE : DIAG_USAGE_PARALLEL_READ;
}

/* There is no case to show: it is the same in each branch. */
static void hint_same(UsageWalk *walk, const IndexPair *pair, const UsageConflict *conflict) {
    Diag *diag = walk->compiler->diag;
    const UsageAccess *a = conflict->a;
    const IndexLoop *loop = index_loop_at(a->region.loops, pair->shared_depth);
    if (pair->sample.count > 0 || pair->has_witness || !loop) {
        return;
    }
    if (a->kind == USAGE_INPUT || a->kind == USAGE_OUTPUT) {
        diag_hint(diag, "give each branch a channel of its own, one of an array, chosen by '%s'",
                  loop->name);
        hint_turns(walk, conflict_id(conflict), a->root);
        return;
    }
    bool is_part = a->region.count > 0;
    diag_hint(diag,
              "give each branch %s'%s'%s, %schosen by '%s', or let one branch own it and send its "
              "value over a channel",
              is_part ? "a part of " : "its own ", a->root->name->bytes,
              is_part ? " of its own" : "", is_part ? "" : "declared inside of the PAR or ",
              loop->name);
}

/* The later place is the primary one. */
void usage_report_conflict(UsageWalk *walk, const IndexPair *pair, const UsageConflict *conflict) {
    Diag *diag = walk->compiler->diag;
    const UsageAccess *a = conflict->a;
    if (walk->here.is_doubtful && a->kind != USAGE_INPUT && a->kind != USAGE_OUTPUT) {
        return;
    }
    const UsageAccess *b = conflict->b;
    const Symbol *root = a->root;
    bool a_first =
        a->at.line < b->at.line || (a->at.line == b->at.line && a->at.column <= b->at.column);
    const UsageAccess *first = a_first ? a : b;
    const UsageAccess *second = a_first ? b : a;
    DiagId id = conflict_id(conflict);
    const char *branches = pair->is_replicated ? "several branches" : "two branches";
    if (id == DIAG_USAGE_UNPROVED || id == DIAG_USAGE_PARALLEL_READ) {
        diag_report(diag, id, second->at, object_words(root), root->name->bytes);
    } else {
        diag_report(diag, id, second->at, object_words(root), root->name->bytes, branches);
    }
    label_places(diag, first, second);
    explain_claims(walk, first, second);
    explain_meeting(walk, pair, conflict);
    explain_iterations(walk, pair, a);
    usage_phase_explain(walk, conflict->clocks, first, second);
    if (!conflict->is_proved) {
        hint_unproved(walk, conflict, pair->sample.count > 0);
    } else if (pair->is_replicated) {
        hint_same(walk, pair, conflict);
    } else {
        hint_conflict(walk, id, root);
    }
}
