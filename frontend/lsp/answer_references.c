/* answer_references -- where else does this name stand: references, highlights, another name.
 *
 * Holds:  a name is renamed only when the text could be read, so that no use is missed, and only
 *         when the new one is a name that means nothing yet where the old one is used. */
#include "answer.h"

#include "token.h"

#include <ctype.h>
#include <string.h>

/* The same definition in the survey of another document. */
static const SurveyName *same_name(const Query *query, const View *view, const SurveyName *name,
                                   const Document *other, uint32_t *number) {
    const char *path = name->at.file == 1
                           ? query->document->path
                           : survey_text(view->survey, view->survey->files[name->at.file - 1].path);
    const Survey *survey = other->latest ? other->latest->survey : NULL;
    for (uint32_t i = 0; survey && i < survey->count.names; i++) {
        const SurveyName *each = &survey->names[i];
        if (each->at.file && each->at.file <= survey->count.files &&
            each->at.line == name->at.line && each->at.column == name->at.column &&
            strcmp(survey_text(survey, survey->files[each->at.file - 1].path), path) == 0) {
            *number = i;
            return each;
        }
    }
    return NULL;
}

static void visit_uses(const Query *query, const View *view, uint32_t name, UseVisitor *visit,
                       void *context) {
    for (uint32_t i = 0; i < view->survey->count.uses; i++) {
        if (view->survey->uses[i].name == name) {
            visit(query, view, &view->survey->uses[i], context);
        }
    }
}

/* Also in the other documents that know the name. */
void query_visit_all_uses(Query *query, const View *view, uint32_t name, UseVisitor *visit,
                          void *context) {
    Document *own = query->document;
    const SurveyName *found = &view->survey->names[name];
    visit_uses(query, view, name, visit, context);
    for (size_t i = 0; location_is_known(found->at) && i < query->server->documents.count; i++) {
        Document *other = query->server->documents.items[i];
        uint32_t number = 0;
        if (other != own && same_name(query, view, found, other, &number)) {
            View others = view_of(other, other->latest);
            query->document = other;
            visit_uses(query, &others, number, visit, context);
            query->document = own;
        }
    }
}

/* ---- references ---- */

typedef struct Found {
    json_t *list;
    bool with_definition;
} Found;

static bool is_listed(const json_t *list, const json_t *value) {
    size_t index = 0;
    json_t *each = NULL;
    json_array_foreach(list, index, each) {
        if (json_equal(each, value)) {
            return true;
        }
    }
    return false;
}

static void add_reference(const Query *query, const View *view, const SurveyUse *use,
                          void *context) {
    Found *found = context;
    if (use->role == USE_DEFINITION && !found->with_definition) {
        return;
    }
    json_t *value = query_location(query, view, use->at);
    if (value && !is_listed(found->list, value)) {
        json_array_append(found->list, value);
    }
    json_decref(value);
}

json_t *answer_references(Query *query) {
    View view;
    const SurveyUse *use = query_use(query, &view);
    if (!use) {
        return NULL;
    }
    const json_t *context = json_object_get(query->params, "context");
    Found found = {json_array(), json_is_true(json_object_get(context, "includeDeclaration"))};
    query_visit_all_uses(query, &view, use->name, add_reference, &found);
    return found.list;
}

static void add_highlight(const Query *query, const View *view, const SurveyUse *use,
                          void *context) {
    enum { TEXT = 1, READ = 2, WRITE = 3 };
    Location at = use->at;
    if (at.file != 1 || !view_now(view, &at)) {
        return;
    }
    bool is_written = use->role == USE_WRITE || use->role == USE_OUTPUT;
    bool is_read = use->role == USE_READ || use->role == USE_INPUT;
    json_array_append_new(context, json_pack("{s:o, s:i}", "range",
                                             range_value(&query->document->lines, at), "kind",
                                             is_written ? WRITE
                                             : is_read  ? READ
                                                        : TEXT));
}

json_t *answer_highlights(Query *query) {
    View view;
    const SurveyUse *use = query_use(query, &view);
    json_t *list = use ? json_array() : NULL;
    if (use) {
        visit_uses(query, &view, use->name, add_highlight, list);
    }
    return list;
}

/* ---- renaming ---- */

/* NULL: the name may get another one. */
static const char *why_not(const Query *query, const View *view, const SurveyUse *use) {
    const Document *document = query->document;
    if (!use) {
        return "there is no name that is known here";
    }
    if (!document->is_current || !document->latest->survey->is_whole ||
        view->reading != document->latest) {
        return "the text cannot be read as it is: mend its errors first";
    }
    const SurveyName *name = &view->survey->names[use->name];
    if (!location_is_known(name->at)) {
        return "the name is predefined";
    }
    const char *path = survey_text(view->survey, view->survey->files[name->at.file - 1].path);
    const char *library = query->server->installation.stdlib;
    return strncmp(path, library, strlen(library)) == 0 ? "the name is one of the library's" : NULL;
}

json_t *answer_prepare_rename(Query *query) {
    View view;
    const SurveyUse *use = query_use(query, &view);
    query->refusal = why_not(query, &view, use);
    return query->refusal ? NULL
                          : json_pack("{s:o, s:s}", "range",
                                      range_value(&query->document->lines, use->at), "placeholder",
                                      survey_text(view.survey, view.survey->names[use->name].name));
}

static bool is_name(Arena *arena, const char *text) {
    if (!isalpha((unsigned char)text[0])) {
        return false;
    }
    for (const char *at = text; *at; at++) {
        if (!is_name_character(*at)) {
            return false;
        }
    }
    TextTable *texts = text_table_create(arena);
    const KeywordTable *keywords = keyword_table_create(arena, texts);
    return keyword_find(keywords, text_intern_string(texts, text)) == TOKEN_NAME;
}

/* Does the new name mean something already where the old one stands? */
static bool is_taken(const View *view, uint32_t renamed, const char *text) {
    const SurveyName *old = &view->survey->names[renamed];
    for (uint32_t i = 0; i < view->survey->count.names; i++) {
        const SurveyName *name = &view->survey->names[i];
        if (i == renamed || strcmp(survey_text(view->survey, name->name), text) != 0) {
            continue;
        }
        bool is_part = old->kind == NAME_FIELD || old->kind == NAME_TAG;
        bool is_other_part = name->kind == NAME_FIELD || name->kind == NAME_TAG;
        bool is_apart =
            name->at.file == old->at.file && old->scope_end_line && name->scope_end_line &&
            (name->at.line > old->scope_end_line || name->scope_end_line < old->at.line);
        if (is_part == is_other_part && (is_part ? name->parent == old->parent : !is_apart)) {
            return true;
        }
    }
    return false;
}

/* A new text for each use, by document. */
typedef struct Renaming {
    json_t *changes;
    const char *text;
} Renaming;

static void rename_use(const Query *query, const View *view, const SurveyUse *use, void *context) {
    Renaming *renaming = context;
    json_t *place = query_location(query, view, use->at);
    if (!place) {
        return;
    }
    const char *uri = json_string_value(json_object_get(place, "uri"));
    json_t *edits = json_object_get(renaming->changes, uri);
    if (!edits) {
        edits = json_array();
        json_object_set_new(renaming->changes, uri, edits);
    }
    json_t *edit = json_pack("{s:O, s:s}", "range", json_object_get(place, "range"), "newText",
                             renaming->text);
    if (!is_listed(edits, edit)) {
        json_array_append(edits, edit);
    }
    json_decref(edit);
    json_decref(place);
}

json_t *answer_rename(Query *query) {
    View view;
    const SurveyUse *use = query_use(query, &view);
    const char *text = json_string_value(json_object_get(query->params, "newName"));
    query->refusal = why_not(query, &view, use);
    if (!query->refusal && (!text || !is_name(query->arena, text))) {
        query->refusal = "that is no name: a letter, then letters, digits and dots";
    }
    if (!query->refusal && is_taken(&view, use->name, text)) {
        query->refusal = "that name means something here already";
    }
    if (query->refusal) {
        return NULL;
    }
    Renaming renaming = {json_object(), text};
    query_visit_all_uses(query, &view, use->name, rename_use, &renaming);
    return json_pack("{s:o}", "changes", renaming.changes);
}
