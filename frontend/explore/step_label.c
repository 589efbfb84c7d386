/* step_label -- see the header. */
#include "step_label.h"

#include "text_builder.h"

static bool is_alt(const ExploreEvent *event) {
    return event->kind <= EXPLORE_NEXT;
}

/* ---- objects of one name ---- */

static bool is_object(const StepObject *object, const ExploreSite *site, uint64_t address) {
    return object->address == address && strcmp(object->name, site->object) == 0;
}

void step_label_see(StepLabels *labels, const ExploreEvent *event) {
    const ExploreSite *site = &labels->region->sites[event->site];
    if (is_alt(event)) {
        labels->has_positions[event->site] |= event->guard != event->alternative;
        labels->has_positions[event->partner_site] |=
            event->partner != 0 && event->partner_guard != event->partner_alternative;
        return;
    }
    for (size_t i = 0; i < labels->objects.count; i++) {
        if (is_object(&labels->objects.items[i], site, event->object)) {
            return;
        }
    }
    StepObject object = {site->object, event->object};
    array_push(labels->arena, &labels->objects, object);
}

/* Among those of its name, by address, from 0 on; -1: it is the only one. */
static int number_of_object(const StepLabels *labels, const ExploreEvent *event) {
    const ExploreSite *site = &labels->region->sites[event->site];
    int number = 0;
    bool has_others = false;
    for (size_t i = 0; i < labels->objects.count; i++) {
        const StepObject *object = &labels->objects.items[i];
        bool is_other = strcmp(object->name, site->object) == 0 && object->address != event->object;
        has_others |= is_other;
        number += is_other && object->address < event->object;
    }
    return has_others ? number : -1;
}

/* ---- alternatives ---- */

static const char *alternative_text(const StepLabels *labels, const ExploreSite *site,
                                    uint32_t number) {
    for (size_t i = 0; i < labels->bounds->alternative_count; i++) {
        const ExploreAlternative *one = &labels->bounds->alternatives[i];
        if (one->number == number && one->alt_line == site->line &&
            one->alt_column == site->column &&
            strncmp(site->file, one->file, sizeof site->file - 1) == 0) {
            return one->text;
        }
    }
    return NULL;
}

static void add_place(const StepLabels *labels, TextBuilder *text, const ExploreSite *site) {
    if (strncmp(site->file, labels->source, sizeof site->file - 1) != 0) {
        text_add(text, "%s:", site->file);
    }
    text_add(text, "%u:%u", site->line, site->column);
}

static void add_partner(const StepLabels *labels, TextBuilder *text, const ExploreEvent *event) {
    if (event->partner_site == 0) {
        return;
    }
    text_add(text, ", with ");
    add_place(labels, text, &labels->region->sites[event->partner_site]);
    if (labels->has_positions[event->partner_site]) {
        text_add(text, ", its guard %u", event->partner_guard + 1u);
    } else if (event->partner != 0) {
        text_add(text, ", its alternative %u", event->partner_alternative + 1u);
    }
}

static void add_alternative(const StepLabels *labels, TextBuilder *text,
                            const ExploreEvent *event) {
    const ExploreSite *site = &labels->region->sites[event->site];
    const char *guard = alternative_text(labels, site, event->alternative);
    if (guard) {
        text_add(text, "%s", guard);
    } else {
        text_add(text, "alternative %u", event->alternative + 1u);
    }
    text_add(text, " (");
    add_place(labels, text, site);
    if (labels->has_positions[event->site]) {
        text_add(text, ", guard %u", event->guard + 1u);
    }
}

static void add_object(const StepLabels *labels, TextBuilder *text, const ExploreEvent *event) {
    static const char *const words[] = {
#define EXPLORE_KIND(ID, text) text,
#include "occ/explore_kind.def"
#undef EXPLORE_KIND
    };
    const ExploreSite *site = &labels->region->sites[event->site];
    int number = number_of_object(labels, event);
    text_add(text, "%s", words[event->kind]);
    if (site->object[0]) {
        text_add(text, " %s", site->object);
    }
    if (number >= 0) {
        text_add(text, "#%d", number + 1);
    }
    text_add(text, " (");
    add_place(labels, text, site);
}

const char *step_label(const StepLabels *labels, const ExploreEvent *event) {
    TextBuilder text = {.arena = labels->arena};
    if (is_alt(event)) {
        add_alternative(labels, &text, event);
    } else {
        add_object(labels, &text, event);
    }
    if (event->index != 0) {
        text_add(&text, ", [%u]", event->index - 1u);
    }
    add_partner(labels, &text, event);
    text_add(&text, ")");
    array_push(labels->arena, &text, '\0');
    return text.items;
}
