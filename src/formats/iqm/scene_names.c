/* formats/iqm/scene_names.c - names of a file as strings of a scene, and the reverse. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/iqm/from_scene.h"
#include "formats/iqm/scene.h"

#include <string.h>

/* -- To a scene --------------------------------------------------------- */

facet_status facet_iqm_add_name(const facet_iqm_scene_reader *r, uint32_t offset, const char **name)
{
    const char *text = facet_iqm_name(r->layout, offset);
    *name = facet_arena_utf8(r->scene->arena, text, strlen(text));
    return *name ? FACET_OK : facet_fail_arena(r->scene->arena, r->error);
}

/* -- Names -------------------------------------------------------------- */

typedef struct name_order {
    const facet_iqm_names *names;
    const char *added; /* the string that is searched */
} name_order;

static const char *string_of(const name_order *order, uint32_t item)
{
    return item < order->names->count ? order->names->text + order->names->offsets[item]
                                      : order->added;
}

static int compare_names(const void *user, uint32_t a, uint32_t b)
{
    return strcmp(string_of(user, a), string_of(user, b));
}

static facet_status append_name(facet_iqm_scene_writer *w, const char *name, size_t length)
{
    facet_iqm_names *n = &w->names;
    if (n->capacity - n->size < length + 1) {
        size_t capacity = n->capacity * 2 + length + 64;
        char *text = facet_arena_resize(w->arena, n->text, n->capacity, capacity, 1);
        if (!text)
            return facet_fail_arena(w->arena, w->error);
        n->text = text;
        n->capacity = capacity;
    }
    if (n->count == n->offset_capacity) {
        size_t capacity = n->offset_capacity * 2 + 64;
        uint32_t *offsets = facet_arena_resize(w->scratch, n->offsets, n->offset_capacity, capacity,
                                               sizeof *offsets);
        if (!offsets)
            return facet_fail_arena(w->scratch, w->error);
        n->offsets = offsets;
        n->offset_capacity = capacity;
    }
    n->offsets[n->count++] = (uint32_t)n->size;
    memcpy(n->text + n->size, name, length + 1);
    n->size += length + 1;
    return FACET_OK;
}

facet_status facet_iqm_intern(facet_iqm_scene_writer *w, const char *name, uint32_t *offset)
{
    name_order order = {&w->names, name};
    size_t length = strlen(name);
    if (length > UINT32_MAX / 2 - w->names.size)
        return facet_fail(w->error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the names need more than 2 GiB");
    uint32_t item = facet_table_put(&w->names.table, facet_hash_bytes(name, length), w->names.count,
                                    compare_names, &order);
    if (item == FACET_NONE)
        return facet_fail_arena(w->scratch, w->error);
    if (item == w->names.count)
        TRY(append_name(w, name, length));
    *offset = w->names.offsets[item];
    return FACET_OK;
}

facet_status facet_iqm_finish_text(facet_iqm_scene_writer *w)
{
    while (w->names.size % 4 != 0)
        TRY(append_name(w, "", 0));
    w->document->text = w->names.text;
    w->document->text_size = (uint32_t)w->names.size;
    return FACET_OK;
}
