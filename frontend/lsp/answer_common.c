/* answer_common -- finding names, and places for answers. See answer.h. */
#include "answer.h"

#include "file.h"

#include <ctype.h>
#include <string.h>

bool is_name_character(char c) {
    return isalnum((unsigned char)c) || c == '.' || c == '_';
}

/* ---- what stands there ---- */

static bool comes_before(Location at, Spot spot) {
    return at.line < spot.line || (at.line == spot.line && at.end_column < spot.column);
}

/* Uses of the text itself come first, in order. */
static const SurveyUse *use_at(const Survey *survey, Spot spot) {
    uint32_t low = 0;
    uint32_t high = survey->count.uses;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const SurveyUse *use = &survey->uses[middle];
        if (use->at.file == 1 && comes_before(use->at, spot)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const SurveyUse *use = low < survey->count.uses ? &survey->uses[low] : NULL;
    return use && use->at.file == 1 && location_has(use->at, spot) ? use : NULL;
}

bool query_view(const Query *query, View *view) {
    const Reading *reading = query->document->latest;
    if (reading) {
        *view = view_of(query->document, reading);
    }
    return reading != NULL;
}

/* In a line that was edited behind the name: the line is what it was up to there. */
static const SurveyUse *use_before_edit(const Query *query, const View *view) {
    const SurveyUse *use = view->now == view->then ? use_at(view->survey, query->spot) : NULL;
    if (!use) {
        return NULL;
    }
    Spot end = {use->at.end_line, use->at.end_column};
    size_t size = spot_byte(&view->reading->lines, end);
    size_t length = 0;
    const char *now = lines_line(&query->document->lines, end.line, &length);
    size_t length_then = 0;
    const char *then = lines_line(&view->reading->lines, end.line, &length_then);
    bool is_same = size <= length && memcmp(now, then, size) == 0 &&
                   (size == length || !is_name_character(now[size]));
    return is_same ? use : NULL;
}

const SurveyUse *query_use(const Query *query, View *view) {
    const Document *document = query->document;
    const Reading *readings[] = {document->latest, document->whole};
    for (size_t i = 0; i < 2; i++) {
        if (!readings[i] || (i == 1 && readings[1] == readings[0])) {
            continue;
        }
        *view = view_of(document, readings[i]);
        Spot spot = {view_line_then(view, query->spot.line), query->spot.column};
        const SurveyUse *use =
            spot.line ? use_at(view->survey, spot) : use_before_edit(query, view);
        if (use) {
            return use;
        }
    }
    return NULL;
}

size_t query_word(const Query *query, const char **start) {
    size_t length = 0;
    const char *line = lines_line(&query->document->lines, query->spot.line, &length);
    size_t end = spot_byte(&query->document->lines, query->spot);
    size_t first = end;
    while (first > 0 && is_name_character(line[first - 1])) {
        first--;
    }
    *start = line + first;
    return end - first;
}

/* ---- scopes ---- */

static int column_of_line(const Lines *lines, uint32_t line) {
    for (; line <= lines->count; line++) {
        int indent = lines_indent(lines, line);
        if (indent >= 0) {
            return indent;
        }
    }
    return 0;
}

/* Are all lines from one to another indented deeper than `indent`, or empty? */
static bool goes_on(const Lines *lines, uint32_t from, uint32_t to, int indent) {
    for (uint32_t line = from; line <= to; line++) {
        int own = lines_indent(lines, line);
        if (own >= 0 && own <= indent) {
            return false;
        }
    }
    return true;
}

bool name_is_seen(const Query *query, const View *view, const SurveyName *name) {
    if (name->kind == NAME_FIELD || name->kind == NAME_TAG) {
        return false;
    }
    if (name->at.file != 1) {
        return name->parent == SURVEY_NONE;
    }
    const Lines *lines = &query->document->lines;
    uint32_t then = view_near(view, query->spot.line);
    uint32_t start = view_line_now(view, name->at.line);
    if (name->at.line > then || (start && start > query->spot.line)) {
        return false;
    }
    if (name->scope_end_line == 0 || then < name->scope_end_line) {
        return true;
    }
    uint32_t last = view_line_now(view, name->scope_end_line);
    int indent = start ? column_of_line(lines, start) : 0;
    bool is_blank = lines_indent(lines, query->spot.line) < 0;
    bool is_deeper = spot_byte(lines, query->spot) > (size_t)indent;
    return last &&
           (query->spot.line <= last ||
            (goes_on(lines, last + 1, query->spot.line, indent) && (!is_blank || is_deeper)));
}

const SurveyName *query_lookup(const Query *query, const char *text, size_t length, View *view) {
    const Document *document = query->document;
    const Reading *readings[] = {document->latest, document->whole};
    const SurveyName *best = NULL;
    for (size_t i = 0; i < 2 && !best; i++) {
        if (!readings[i]) {
            continue;
        }
        *view = view_of(document, readings[i]);
        for (uint32_t k = 0; k < view->survey->count.names; k++) {
            const SurveyName *name = &view->survey->names[k];
            const char *own = survey_text(view->survey, name->name);
            bool is_named = strlen(own) == length && memcmp(own, text, length) == 0;
            if (is_named && name_is_seen(query, view, name) &&
                (!best || name->at.file != best->at.file || name->at.line >= best->at.line)) {
                best = name;
            }
        }
    }
    return best;
}

/* ---- places ---- */

static Lines query_lines(const Query *query, const char *path) {
    const Document *document = documents_at_path(&query->server->documents, path);
    FileText text;
    if (document) {
        return document->lines;
    }
    if (file_read(query->arena, path, &text)) {
        return lines_of(query->arena, text.bytes, text.length);
    }
    return lines_of(query->arena, "", 0);
}

json_t *query_location(const Query *query, const View *view, Location at) {
    if (!location_is_known(at) || at.file > view->survey->count.files) {
        return NULL;
    }
    if (at.file == 1) {
        return view_now(view, &at) ? json_pack("{s:s, s:o}", "uri", query->document->uri, "range",
                                               range_value(&query->document->lines, at))
                                   : NULL;
    }
    const char *path = survey_text(view->survey, view->survey->files[at.file - 1].path);
    const Document *other = documents_at_path(&query->server->documents, path);
    if (!other && !file_is_there(path)) {
        return NULL;
    }
    Lines lines = query_lines(query, path);
    return json_pack("{s:s, s:o}", "uri", other ? other->uri : path_uri(query->arena, path),
                     "range", range_value(&lines, at));
}
