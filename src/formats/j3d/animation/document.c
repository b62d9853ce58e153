/* formats/j3d/animation/document.c - documents that are not read from a file. */
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/file/sections.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

/* -- Creation ----------------------------------------------------------- */

facet_status facet_j3d_animation_create(facet_j3d_animation_kind kind, const char *name,
                                        const facet_options *options,
                                        facet_j3d_animation **document, facet_error *error)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(kind);
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_j3d_animation *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    const char *text = name ? name : "";
    if (made)
        made->name = facet_arena_utf8(arena, text, strlen(text));
    if (!made || !made->name) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    made->kind = kind;
    made->rotation_shift = 0xFF;
    memset(made->signature, 0xFF, sizeof made->signature);
    if (format->is_signed)
        memcpy(made->signature, "SVR1", 4);
    *document = made;
    return FACET_OK;
}

bool facet_j3d_animation_set_name(facet_j3d_animation *document, facet_j3d_name *name,
                                  const char *text)
{
    size_t length = facet_j3d_name_bytes(text, NULL, 0, NULL);
    char *bytes = facet_arena_allocate(document->arena, length + 1, 1);
    if (!bytes)
        return false;
    facet_j3d_name_bytes(text, bytes, length + 1, NULL);
    name->bytes = bytes;
    name->hash = facet_j3d_hash(bytes);
    return true;
}

void facet_j3d_animation_move_bytes(facet_j3d_animation *document, const uint8_t *from,
                                    const uint8_t *to)
{
    for (uint32_t s = 0; s < 2; s++) {
        facet_j3d_names *names = &document->sets[s].names;
        for (uint32_t i = 0; i < names->count; i++)
            names->items[i].bytes = (const char *)to + (names->items[i].bytes - (const char *)from);
    }
    if (document->layout.bytes)
        document->layout.bytes = to;
}

bool facet_j3d_copy_array(facet_arena *arena, const void *from, size_t count, size_t size,
                          void *pointer_to_array)
{
    void *copy = from ? facet_arena_allocate(arena, count, size) : NULL;
    if (copy && count > 0)
        memcpy(copy, from, count * size);
    memcpy(pointer_to_array, &copy, sizeof copy);
    return copy != NULL || from == NULL;
}

/* Much more than in real files: 4,000 frames of 1,000 joints. */
#define MAX_TRACK_ELEMENTS ((uint64_t)1 << 25)

facet_status facet_j3d_animation_check_sharing(const facet_j3d_animation *document,
                                               facet_error *error)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    uint64_t frames = document->frames > 0 ? (uint64_t)document->frames : 0, total = 0;
    for (uint32_t s = 0; s < format->sets; s++) {
        for (uint32_t i = 0; i < document->sets[s].count * format->tracks; i++) {
            const facet_j3d_track *track = &document->sets[s].tracks[i];
            uint64_t size = facet_j3d_track_size(format, track);
            total += track->count > 1 && frames > size ? frames : size;
        }
    }
    if (total <= MAX_TRACK_ELEMENTS)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                      "all tracks together have %" PRIu64 " keys or frames; more than %" PRIu64
                      " are not taken apart",
                      total, MAX_TRACK_ELEMENTS);
}

/* -- Stored form -------------------------------------------------------- */

static bool is_same_track(const facet_j3d_animation_format *format, const facet_j3d_track *a,
                          const facet_j3d_elements *of_a, const facet_j3d_track *b,
                          const facet_j3d_elements *of_b)
{
    bool keyed = format->has_keys && a->count > 1;
    size_t size = facet_j3d_track_size(format, a) * sizeof(uint32_t);
    if (a->count != b->count || (keyed && (a->type == 0) != (b->type == 0)))
        return false;
    return of_a->reals ? memcmp(of_a->reals + a->first, of_b->reals + b->first, size) == 0
                       : memcmp(of_a->integers + a->first, of_b->integers + b->first, size) == 0;
}

/* True if the tracks of a component are equal in a set. */
static bool is_same_component(const facet_j3d_animation *document,
                              const facet_j3d_animation *stored, uint32_t s, uint32_t component)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    const facet_j3d_animation_set *a = &document->sets[s], *b = &stored->sets[s];
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count * format->tracks; i++) {
        if (facet_j3d_component_of(format, i % format->tracks) == component &&
            !is_same_track(format, &a->tracks[i], facet_j3d_elements_of(document, s, component),
                           &b->tracks[i], facet_j3d_elements_of(stored, s, component)))
            return false;
    }
    return true;
}

static bool adopt_elements(facet_j3d_animation *document, const facet_j3d_animation *stored,
                           uint32_t s, uint32_t component)
{
    const facet_j3d_elements *from = &stored->sets[s].elements[component];
    facet_j3d_elements *to = &document->sets[s].elements[component];
    void *copy = facet_arena_allocate(document->arena, from->count, sizeof(uint32_t));
    if (!copy)
        return false;
    if (from->count > 0)
        memcpy(copy, from->reals ? (const void *)from->reals : (const void *)from->integers,
               from->count * sizeof(uint32_t));
    to->count = from->count;
    if (from->reals)
        to->reals = copy;
    else
        to->integers = copy;
    return true;
}

static void adopt_tracks(facet_j3d_animation *document, const facet_j3d_animation *stored,
                         uint32_t s, uint32_t component)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    for (uint32_t i = 0; i < document->sets[s].count * format->tracks; i++) {
        if (facet_j3d_component_of(format, i % format->tracks) == component)
            document->sets[s].tracks[i] = stored->sets[s].tracks[i];
    }
}

/* Adopt components. Elements that two sets share are adopted if both have equal tracks. */
static bool adopt_components(facet_j3d_animation *document, const facet_j3d_animation *stored)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    bool shared = facet_j3d_elements_of(document, 1, 0) == document->sets[0].elements;
    bool ok = true;
    for (uint32_t s = 0; s < format->sets; s++) {
        for (uint32_t c = 0; c < 4 && ok; c++) {
            const facet_j3d_elements *elements = &document->sets[s].elements[c];
            bool used = elements->reals || elements->integers;
            if (!used || !is_same_component(document, stored, s, c) ||
                (shared && !is_same_component(document, stored, 1, c)))
                continue;
            ok = adopt_elements(document, stored, s, c);
            for (uint32_t t = s; t < (shared ? 2 : s + 1); t++)
                adopt_tracks(document, stored, t, c);
        }
    }
    return ok;
}

static void adopt_names(facet_j3d_names *names, const facet_j3d_names *stored)
{
    char name[3072], other[3072];
    for (uint32_t i = 0; i < names->count && i < stored->count; i++) {
        facet_j3d_name_text(names->items[i].bytes, name, sizeof name);
        facet_j3d_name_text(stored->items[i].bytes, other, sizeof other);
        if (strcmp(name, other) == 0)
            names->items[i] = stored->items[i];
    }
}

static bool adopt_set(facet_arena *arena, facet_j3d_animation_set *set,
                      const facet_j3d_animation_set *stored)
{
    bool ok = true;
    adopt_names(&set->names, &stored->names);
    if (set->count != stored->count)
        return true;
    if (stored->remap)
        ok =
            facet_j3d_copy_array(arena, stored->remap, set->count, sizeof *set->remap, &set->remap);
    bool same = set->color_index_count == stored->color_index_count && set->color_runs &&
                stored->color_runs;
    for (uint32_t i = 0; i < set->count && same; i++) {
        const facet_j3d_color_run *a = &set->color_runs[i], *b = &stored->color_runs[i];
        same = a->count == b->count &&
               memcmp(set->color_indices + a->first, stored->color_indices + b->first,
                      a->count * sizeof *set->color_indices) == 0;
    }
    if (ok && same)
        ok = facet_j3d_copy_array(arena, stored->color_runs, set->count, sizeof *set->color_runs,
                                  &set->color_runs) &&
             facet_j3d_copy_array(arena, stored->color_indices, set->color_index_count,
                                  sizeof *set->color_indices, &set->color_indices);
    return ok;
}

facet_status facet_j3d_animation_adopt(facet_j3d_animation *document,
                                       const facet_j3d_animation *stored, facet_error *error)
{
    bool ok = true;
    if (document->kind != stored->kind)
        return FACET_OK;
    for (uint32_t s = 0; s < 2 && ok; s++)
        ok = adopt_set(document->arena, &document->sets[s], &stored->sets[s]);
    if (ok)
        ok = adopt_components(document, stored);
    if (ok && stored->sounds) {
        ok = facet_j3d_copy_array(document->arena, stored->sounds, stored->sound_count,
                                  sizeof *document->sounds, &document->sounds);
        document->sound_count = stored->sound_count;
        document->sound_unknown = stored->sound_unknown;
        document->sound_unknown2 = stored->sound_unknown2;
    }
    if (!ok)
        return facet_fail_arena(document->arena, error);
    memcpy(document->signature, stored->signature, sizeof document->signature);
    if ((document->convention == 1) == (stored->convention == 1))
        document->convention = stored->convention;
    if (document->kind != FACET_J3D_BCK && document->kind != FACET_J3D_BTK)
        document->rotation_shift = stored->rotation_shift;
    document->layout = stored->layout;
    return FACET_OK;
}
