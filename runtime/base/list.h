/* list -- an intrusive doubly linked list.
 *
 * Owns:   link, unlink, iteration; nothing is allocated.
 * Holds:  the list itself is the link before the first and after the last element; an empty list
 *         points at itself. An element is in at most one list through one link. */
#ifndef RT_LIST_H
#define RT_LIST_H

#include "check.h"

typedef struct ListLink {
    struct ListLink *previous;
    struct ListLink *next;
} ListLink;

static inline void list_init(ListLink *list) {
    list->previous = list;
    list->next = list;
}

static inline bool list_is_empty(const ListLink *list) {
    return list->next == list;
}

static inline void list_append(ListLink *list, ListLink *element) {
    element->previous = list->previous;
    element->next = list;
    list->previous->next = element;
    list->previous = element;
}

static inline void list_remove(ListLink *element) {
    element->previous->next = element->next;
    element->next->previous = element->previous;
    list_init(element);
}

#define LIST_ENTRY(link, Type, field) ((Type *)(void *)((char *)(link)-offsetof(Type, field)))

#define LIST_EACH(link, list) for (ListLink *link = (list)->next; link != (list); link = link->next)

#endif
