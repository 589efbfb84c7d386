/* usage_text -- the summary of a routine as text, for the interface of its unit, and back.
 *
 * Holds: words separated by blanks. A summary is a sequence of accesses:
 *          r|w|i|o|c|n  formal  loops {name count value}  guards {guard}
 *          parts {part}  locks {formal parts {part}}  phases {phase}
 *          block (1 and the formal, or 0)
 *        and, where the routine goes on to other phases:  t  phases {phase}  (at its end)
 *        phase: formal (or their count: clocks it does not see)  number  flags
 *        guard: operator negated left right  |  c  guards {guard}  guards {guard}
 *        part: *  |  e from  |  s from length  |  E, S: the same, then from and length of the
 *        segment it was chosen from.
 *        Expressions in prefix form: kN constant, lN the N-th loop, pN the N-th formal, zN its
 *        size, oN operator and two operands, ? unknown. Numbers of operators are this compiler's:
 *        an interface of another version is not read. */
#include "usage_phase.h"

#include <stdio.h>
#include <stdlib.h>

#define DEPTH_LIMIT 200

static Symbol *formal_symbol(const Node *routine, size_t index) {
    return node_formal(node_formals(routine), index);
}

/* ---- to text ---- */

typedef struct Writer {
    StringBuilder text;
    const Node *routine;
} Writer;

static void write_expression(Writer *writer, const IndexExpr *expr, unsigned depth) {
    size_t count = node_formals(writer->routine)->count;
    switch (depth > DEPTH_LIMIT || expr->is_assigned ? INDEX_UNKNOWN : expr->kind) {
    case INDEX_CONSTANT:
        string_append_format(&writer->text, " k%lld", (long long)expr->value);
        return;
    case INDEX_LOOP: string_append_format(&writer->text, " l%u", expr->loop->depth); return;
    case INDEX_PARAMETER:
        for (size_t i = 0; i < count; i++) {
            const Symbol *formal = formal_symbol(writer->routine, i);
            bool is_size = formal && expr->name == &formal->type && expr->row == 0;
            if (formal && (expr->name == formal || is_size)) {
                string_append_format(&writer->text, " %c%zu", expr->name == formal ? 'p' : 'z', i);
                return;
            }
        }
        break;
    case INDEX_OPERATOR:
        string_append_format(&writer->text, " o%d", (int)expr->op);
        write_expression(writer, expr->left, depth + 1);
        write_expression(writer, expr->right, depth + 1);
        return;
    case INDEX_ELEMENT:
        string_append_format(&writer->text, " e");
        write_expression(writer, expr->right, depth + 1);
        write_expression(writer, expr->left, depth + 1);
        return;
    case INDEX_LOOKUP:
    case INDEX_UNKNOWN: break;
    }
    string_append_format(&writer->text, " ?");
}

static const Symbol *clock_of(const Node *routine, size_t index) {
    return index == node_formals(routine)->count ? NULL : formal_symbol(routine, index);
}

/* How many, then each. */
static void write_phases(Writer *writer, const UsagePhase *list) {
    size_t formals = node_formals(writer->routine)->count;
    StringBuilder *text = &writer->text;
    size_t count = 0;
    for (size_t i = 0; i <= formals; i++) {
        bool is_clock = i == formals || clock_of(writer->routine, i) != NULL;
        count += is_clock && usage_phase_find(list, clock_of(writer->routine, i));
    }
    string_append_format(text, " %zu", count);
    for (size_t i = 0; i <= formals; i++) {
        bool is_clock = i == formals || clock_of(writer->routine, i) != NULL;
        const UsagePhase *phase =
            is_clock ? usage_phase_find(list, clock_of(writer->routine, i)) : NULL;
        if (phase) {
            const IndexExpr *number = usage_phase_number(text->arena, phase);
            string_append_format(text, " %zu", i);
            write_expression(writer, number ? number : index_unknown(), 0);
            string_append_format(text, " %d", phase->is_resumed + 2 * phase->is_left);
        }
    }
}

/* The count of a WHILE says nothing. */
static bool is_open_loop(const IndexLoop *loop) {
    return loop->count->kind == INDEX_PARAMETER && loop->count->name == loop;
}

static void write_loops(Writer *writer, const IndexLoop *loop) {
    if (loop) {
        write_loops(writer, loop->outer);
        string_append_format(&writer->text, " %s", loop->name ? loop->name : ".");
        if (is_open_loop(loop)) {
            string_append_format(&writer->text, " w");
        } else if (loop->is_some) {
            string_append_format(&writer->text, " s");
        } else {
            write_expression(writer, loop->count, 0);
        }
        write_expression(writer, loop->value ? loop->value : index_unknown(), 0);
    }
}

static void write_guards(Writer *writer, const IndexGuard *guard);

static void write_guard(Writer *writer, const IndexGuard *guard) {
    if (guard->is_choice) {
        string_append_format(&writer->text, " c");
        write_guards(writer, guard->either);
        write_guards(writer, guard->other);
        return;
    }
    string_append_format(&writer->text, " %d %d", (int)guard->op, guard->is_negated);
    write_expression(writer, guard->left, 0);
    write_expression(writer, guard->right, 0);
}

/* How many, then each, the outermost last. */
static void write_guards(Writer *writer, const IndexGuard *guards) {
    unsigned count = 0;
    for (const IndexGuard *guard = guards; guard; guard = guard->outer) {
        count++;
    }
    string_append_format(&writer->text, " %u", count);
    for (const IndexGuard *guard = guards; guard; guard = guard->outer) {
        write_guard(writer, guard);
    }
}

static void write_part(Writer *writer, const IndexDimension *part) {
    const IndexDimension *within = part->within && part->within->length ? part->within : NULL;
    if (!part->from) {
        string_append_format(&writer->text, " *");
        return;
    }
    const char *letters = part->length ? "sS" : "eE";
    string_append_format(&writer->text, " %c", letters[within != NULL]);
    write_expression(writer, part->from, 0);
    if (part->length) {
        write_expression(writer, part->length, 0);
    }
    if (within) {
        write_expression(writer, within->from, 0);
        write_expression(writer, within->length, 0);
    }
}

static size_t formal_index(const Node *routine, const Symbol *symbol) {
    size_t index = 0;
    while (index < node_formals(routine)->count && formal_symbol(routine, index) != symbol) {
        index++;
    }
    return index;
}

/* Those that the caller knows. */
static void write_locks(Writer *writer, const UsageLock *locks) {
    unsigned known = 0;
    for (const UsageLock *at = locks; at; at = at->outer) {
        known += formal_index(writer->routine, at->root) < node_formals(writer->routine)->count;
    }
    string_append_format(&writer->text, " %u", known);
    for (const UsageLock *at = locks; at; at = at->outer) {
        size_t formal = formal_index(writer->routine, at->root);
        if (formal < node_formals(writer->routine)->count) {
            string_append_format(&writer->text, " %zu %zu", formal, at->count);
            for (size_t i = 0; i < at->count; i++) {
                write_part(writer, &at->dimensions[i]);
            }
        }
    }
}

static void write_block(Writer *writer, const Symbol *clock) {
    size_t formal = 0;
    for (size_t i = 0; clock && i < node_formals(writer->routine)->count; i++) {
        formal = formal_symbol(writer->routine, i) == clock ? i + 1 : formal;
    }
    string_append_format(&writer->text, " %zu", formal);
}

static void write_access(Writer *writer, const UsageAccess *access, size_t formal) {
    unsigned loops = access->region.loops ? access->region.loops->depth + 1 : 0;
    string_append_format(&writer->text, "%s%c %zu %u", writer->text.length ? " " : "",
                         "rmwiocn"[access->kind], formal, loops);
    write_loops(writer, access->region.loops);
    write_guards(writer, access->region.guards);
    string_append_format(&writer->text, " %zu", access->region.count);
    for (size_t i = 0; i < access->region.count; i++) {
        write_part(writer, &access->region.dimensions[i]);
    }
    write_locks(writer, access->locks);
    write_phases(writer, access->phases);
    write_block(writer, access->block);
}

const char *usage_text_encode(Arena *arena, const Node *routine, const RoutineUsage *usage) {
    Writer writer = {{.arena = arena}, routine};
    string_append(&writer.text, "", 0);
    for (size_t i = 0; usage && i < usage->accesses.count; i++) {
        const UsageAccess *access = &usage->accesses.items[i];
        for (size_t k = 0; k < node_formals(routine)->count; k++) {
            if (formal_symbol(routine, k) == access->root) {
                write_access(&writer, access, k);
            }
        }
    }
    if (usage && usage->after) {
        string_append_format(&writer.text, "%st", writer.text.length ? " " : "");
        write_phases(&writer, usage->after);
    }
    return writer.text.length ? writer.text.bytes : "";
}

/* ---- from text ---- */

typedef struct Reader {
    Arena *arena;
    const char *at;
    const Node *routine;
    const IndexLoop *loops;
    unsigned loop_depth; /* of the outermost loop */
    bool failed;
} Reader;

/* The next word, which ends at a blank or at the end of the text. */
static const char *next_word(Reader *reader) {
    while (*reader->at == ' ') {
        reader->at++;
    }
    const char *word = reader->at;
    while (*reader->at && *reader->at != ' ') {
        reader->at++;
    }
    reader->failed = reader->failed || reader->at == word;
    return word;
}

static unsigned long next_number(Reader *reader, unsigned long limit) {
    unsigned long number = strtoul(next_word(reader), NULL, 10);
    reader->failed = reader->failed || number > limit;
    return reader->failed ? 0 : number;
}

static const IndexExpr *read_loop(Reader *reader, unsigned long number) {
    for (const IndexLoop *loop = reader->loops; loop; loop = loop->outer) {
        if (loop->depth == reader->loop_depth + number) {
            return index_loop(reader->arena, loop);
        }
    }
    return index_unknown();
}

static const IndexExpr *read_parameter(const Reader *reader, const Symbol *formal) {
    bool is_int = formal->type && type_base(formal->type)->kind == TYPE_INT;
    return (is_int ? index_int : index_parameter)(reader->arena, formal, formal->number,
                                                  formal->name->bytes);
}

static const IndexExpr *read_expression(Reader *reader, unsigned depth) {
    const char *word = next_word(reader);
    long long number = strtoll(word + (*word != 0), NULL, 10);
    if (reader->failed || depth > DEPTH_LIMIT) {
        reader->failed = true;
        return index_unknown();
    }
    Symbol *formal = number >= 0 ? formal_symbol(reader->routine, (size_t)number) : NULL;
    switch (*word) {
    case 'k': return index_constant(reader->arena, number);
    case 'l': return read_loop(reader, (unsigned long)number);
    case 'p': return formal ? read_parameter(reader, formal) : index_unknown();
    case 'z': return formal ? region_size_parameter(reader->arena, formal) : index_unknown();
    case 'e': {
        const IndexExpr *array = read_expression(reader, depth + 1);
        const IndexExpr *at = read_expression(reader, depth + 1);
        bool is_array = array->kind == INDEX_PARAMETER || array->kind == INDEX_ELEMENT;
        return is_array ? index_element(reader->arena, array, at) : index_unknown();
    }
    case 'o': {
        const IndexExpr *left = read_expression(reader, depth + 1);
        const IndexExpr *right = read_expression(reader, depth + 1);
        bool is_operator = number >= 0 && number < INDEX_OPERATOR_COUNT;
        return is_operator ? index_operator(reader->arena, (IndexOperator)number, left, right)
                           : index_unknown();
    }
    }
    return index_unknown();
}

static void read_loops(Reader *reader) {
    unsigned long count = next_number(reader, 1000);
    reader->loops = NULL;
    for (unsigned long i = 0; i < count && !reader->failed; i++) {
        IndexLoop *loop = arena_new(reader->arena, IndexLoop);
        const char *name = next_word(reader);
        loop->name = arena_format(reader->arena, "%.*s", (int)(reader->at - name), name);
        const char *written = reader->at + strspn(reader->at, " ");
        loop->count = read_expression(reader, 0);
        if (*written == 'w') {
            loop->name = NULL;
            loop->count = index_parameter(reader->arena, loop, 0, NULL);
        }
        loop->is_some = *written == 's';
        loop->depth = reader->loop_depth + (unsigned)i;
        loop->outer = reader->loops;
        reader->loops = loop;
        const IndexExpr *value = read_expression(reader, 0);
        loop->value = value->kind == INDEX_UNKNOWN ? NULL : value;
    }
}

static const IndexGuard *read_guards(Reader *reader, unsigned depth);

/* False: it says nothing. */
static bool read_guard(Reader *reader, IndexGuard *guard, unsigned depth) {
    const char *word = next_word(reader);
    if (*word == 'c') {
        guard->is_choice = true;
        guard->either = read_guards(reader, depth + 1);
        guard->other = read_guards(reader, depth + 1);
        return guard->either && guard->other;
    }
    unsigned long op = strtoul(word, NULL, 10);
    guard->op = op < OPERATOR_COUNT ? (Operator)op : OPERATOR_EQUAL;
    guard->is_negated = next_number(reader, 1) == 1;
    guard->left = read_expression(reader, 0);
    guard->right = read_expression(reader, 0);
    return guard->left->kind != INDEX_UNKNOWN && guard->right->kind != INDEX_UNKNOWN;
}

static const IndexGuard *read_guards(Reader *reader, unsigned depth) {
    unsigned long count = next_number(reader, 10000);
    const IndexGuard *first = NULL;
    const IndexGuard **next = &first;
    reader->failed = reader->failed || depth > DEPTH_LIMIT;
    for (unsigned long i = 0; i < count && !reader->failed; i++) {
        IndexGuard *guard = arena_new(reader->arena, IndexGuard);
        if (read_guard(reader, guard, depth)) {
            *next = guard;
            next = &guard->outer;
        }
    }
    return first;
}

static void read_part(Reader *reader, IndexDimension *part) {
    char letter = *next_word(reader);
    if (letter == '*' || reader->failed) {
        return;
    }
    part->from = read_expression(reader, 0);
    part->length = letter == 's' || letter == 'S' ? read_expression(reader, 0) : NULL;
    if (letter == 'E' || letter == 'S') {
        IndexDimension *within = arena_new(reader->arena, IndexDimension);
        within->from = read_expression(reader, 0);
        within->length = read_expression(reader, 0);
        part->within = within;
    }
}

/* A part that is not known makes a lock that is none (usage_call.c). */
static const UsageLock *read_locks(Reader *reader) {
    unsigned long count = next_number(reader, 1000);
    const UsageLock *locks = NULL;
    for (unsigned long i = 0; i < count && !reader->failed; i++) {
        UsageLock *lock = arena_new(reader->arena, UsageLock);
        lock->outer = locks;
        lock->root = formal_symbol(reader->routine, next_number(reader, 1000));
        lock->count = next_number(reader, 1000);
        IndexDimension *parts = arena_new_array(reader->arena, IndexDimension, lock->count + 1);
        for (size_t k = 0; k < lock->count; k++) {
            read_part(reader, &parts[k]);
            parts[k].from = parts[k].from ? parts[k].from : index_unknown();
        }
        lock->dimensions = parts;
        reader->failed = reader->failed || !lock->root;
        locks = lock;
    }
    return locks;
}

static const UsagePhase *read_phases(Reader *reader) {
    unsigned long count = next_number(reader, 1000);
    const UsagePhase *list = NULL;
    for (unsigned long i = 0; i < count && !reader->failed; i++) {
        UsagePhase *phase = arena_new(reader->arena, UsagePhase);
        phase->clock = clock_of(reader->routine, next_number(reader, 1000));
        phase->base = index_constant(reader->arena, 0);
        phase->steps = read_expression(reader, 0);
        unsigned long flags = next_number(reader, 3);
        phase->is_resumed = (flags & 1) != 0;
        phase->is_left = (flags & 2) != 0;
        phase->next = list;
        list = phase;
    }
    return list;
}

static void read_access(Reader *reader, RoutineUsage *usage) {
    static const char kinds[] = "rmwiocn";
    const char *word = next_word(reader);
    if (*word == 't') {
        usage->after = read_phases(reader);
        return;
    }
    const char *kind = *word ? strchr(kinds, *word) : NULL;
    Symbol *formal = formal_symbol(reader->routine, next_number(reader, 1000));
    read_loops(reader);
    UsageAccess access = {.root = formal, .name = formal};
    access.region.guards = read_guards(reader, 0);
    access.region.loops = reader->loops;
    access.region.count = next_number(reader, 1000);
    IndexDimension *parts = arena_new_array(reader->arena, IndexDimension, access.region.count + 1);
    for (size_t i = 0; i < access.region.count; i++) {
        read_part(reader, &parts[i]);
    }
    access.region.dimensions = parts;
    access.locks = read_locks(reader);
    access.phases = read_phases(reader);
    unsigned long block = next_number(reader, 1000);
    access.block = block > 0 ? formal_symbol(reader->routine, block - 1) : NULL;
    if (!kind || !formal || reader->failed) {
        reader->failed = true;
        return;
    }
    access.kind = (UsageKind)(kind - kinds);
    if (access.kind == USAGE_NEXT && access.region.count > 0 && parts[0].from) { /* of that unit */
        parts[0].from =
            index_constant(reader->arena, parts[0].from->value + ((int64_t)formal->at.file << 52));
    }
    access.at = formal->at;
    array_push(reader->arena, &usage->accesses, access);
}

void usage_text_decode(Arena *arena, const Node *routine, const char *text, RoutineUsage *usage) {
    Reader reader = {
        .arena = arena, .at = text, .routine = routine, .loop_depth = usage->loop_depth};
    while (*reader.at && !reader.failed) {
        read_access(&reader, usage);
    }
    usage->is_known = true;
}
