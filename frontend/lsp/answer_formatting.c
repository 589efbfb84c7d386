/* answer_formatting -- the text as `occc fmt` would have it: an edit for each line that differs.
 *
 * Holds: a text that cannot be read is left alone. */
#include "answer.h"

#include "diag_json.h"
#include "format.h"

#include <string.h>

static void add_edit(const Query *query, const Lines *formatted, uint32_t line, json_t *list) {
    size_t length = 0;
    size_t new_length = 0;
    const Lines *lines = &query->document->lines;
    const char *text = lines_line(lines, line, &length);
    const char *new_text = lines_line(formatted, line, &new_length);
    if (length == new_length && memcmp(text, new_text, length) == 0) {
        return;
    }
    Location whole = {1, line, 1, line, UINT32_MAX};
    const char *words = arena_format(query->arena, "%.*s", (int)new_length, new_text);
    json_array_append_new(list, json_pack("{s:o, s:o}", "range", range_value(lines, whole),
                                          "newText", json_words(words)));
}

json_t *answer_formatting(Query *query) {
    const Document *document = query->document;
    json_t *list = json_array();
    if (!document->is_current || !document->latest->survey->is_whole) {
        return list;
    }
    FormattedText text =
        format_text(query->arena, document->lines.bytes, document->lines.length, 0);
    Lines formatted = lines_of(query->arena, text.bytes, text.length);
    for (uint32_t line = 1; line <= document->lines.count; line++) {
        add_edit(query, &formatted, line, list);
    }
    return list;
}
