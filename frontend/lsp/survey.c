/* survey -- see the header. */
#include "survey.h"

#include "file.h"

#include <string.h>

/* What goes before the tables; they follow in the order of SurveyCounts. */
typedef struct SurveyHead {
    uint64_t size; /* of all */
    SurveyCounts count;
    SurveyText diagnostics;
    uint32_t is_whole;
} SurveyHead;

SurveyText survey_add_text(SurveyBuilder *builder, const char *text) {
    if (builder->pool.count == 0) {
        array_push(builder->arena, &builder->pool, '\0');
    }
    if (!text || !*text) {
        return 0;
    }
    size_t start = builder->pool.count;
    size_t length = strlen(text) + 1;
    while (builder->pool.count + length > builder->pool.capacity) {
        size_t capacity = (builder->pool.capacity + length) * 2;
        char *grown = arena_allocate(builder->arena, capacity);
        memcpy(grown, builder->pool.items, builder->pool.count);
        builder->pool.items = grown;
        builder->pool.capacity = capacity;
    }
    memcpy(builder->pool.items + start, text, length);
    builder->pool.count += length;
    return (SurveyText)start;
}

static size_t table_size(size_t count, size_t item) {
    return (count * item + 7) & ~(size_t)7;
}

static size_t whole_size(const SurveyCounts *count) {
    return sizeof(SurveyHead) + table_size(count->files, sizeof(SurveyFile)) +
           table_size(count->names, sizeof(SurveyName)) +
           table_size(count->uses, sizeof(SurveyUse)) +
           table_size(count->formals, sizeof(SurveyText)) +
           table_size(count->hints, sizeof(SurveyHint)) + table_size(count->pool, 1);
}

static char *put(char *at, const void *items, size_t count, size_t item) {
    if (count) {
        memcpy(at, items, count * item);
    }
    return at + table_size(count, item);
}

#define PUT(at, table) put(at, (table).items, (table).count, sizeof *(table).items)

bool survey_write(SurveyBuilder *builder, int descriptor) {
    survey_add_text(builder, "");
    SurveyHead head = {
        .count = {(uint32_t)builder->files.count, (uint32_t)builder->names.count,
                  (uint32_t)builder->uses.count, (uint32_t)builder->formals.count,
                  (uint32_t)builder->hints.count, (uint32_t)builder->pool.count},
        .diagnostics = builder->diagnostics,
        .is_whole = builder->is_whole,
    };
    head.size = whole_size(&head.count);
    char *bytes = arena_allocate(builder->arena, head.size);
    char *at = put(bytes, &head, 1, sizeof head);
    at = PUT(at, builder->files);
    at = PUT(at, builder->names);
    at = PUT(at, builder->uses);
    at = PUT(at, builder->formals);
    at = PUT(at, builder->hints);
    PUT(at, builder->pool);
    return file_write_all(descriptor, bytes, head.size);
}

static const void *take(const char **at, size_t count, size_t item) {
    const void *items = *at;
    *at += table_size(count, item);
    return items;
}

const Survey *survey_read(Arena *arena, const char *bytes, size_t length) {
    SurveyHead head;
    if (length < sizeof head) {
        return NULL;
    }
    memcpy(&head, bytes, sizeof head);
    if (head.size != length || whole_size(&head.count) != length || head.count.pool == 0) {
        return NULL;
    }
    Survey *survey = arena_new(arena, Survey);
    const char *at = bytes + table_size(1, sizeof head);
    survey->count = head.count;
    survey->is_whole = head.is_whole;
    survey->files = take(&at, head.count.files, sizeof(SurveyFile));
    survey->names = take(&at, head.count.names, sizeof(SurveyName));
    survey->uses = take(&at, head.count.uses, sizeof(SurveyUse));
    survey->formals = take(&at, head.count.formals, sizeof(SurveyText));
    survey->hints = take(&at, head.count.hints, sizeof(SurveyHint));
    survey->pool = take(&at, head.count.pool, 1);
    survey->diagnostics = head.diagnostics;
    return survey;
}
