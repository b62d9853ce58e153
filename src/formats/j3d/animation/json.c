/* formats/j3d/animation/json.c - a document as JSON with editable numbers. If these cannot
 * reproduce the file, the JSON also has its bytes. */
#include "formats/j3d/animation/json.h"

#include "base/arena.h"
#include "base/base64.h"
#include "base/budget.h"
#include "base/error.h"
#include "gx/json/record.h"
#include "gx/json/text.h"

#include <string.h>

/* -- Tracks ------------------------------------------------------------- */

typedef struct writer {
    const facet_j3d_animation *document;
    const facet_j3d_animation_format *format;
} writer;

static facet_json *number_of(const facet_j3d_elements *elements, uint32_t index, double unit)
{
    if (elements->reals)
        return facet_gx_json_float(elements->reals[index]);
    return unit == 1 ? facet_json_integer(elements->integers[index])
                     : facet_gx_json_float((float)(elements->integers[index] * unit));
}

/* A constant is a number, keys are arrays of numbers, values per frame are one array. A default of
 * the runtime is null. */
static facet_json *track_of(const writer *w, uint32_t set, uint32_t index)
{
    const facet_j3d_track *track = &w->document->sets[set].tracks[index];
    uint32_t component = facet_j3d_component_of(w->format, index % w->format->tracks);
    const facet_j3d_elements *elements = facet_j3d_elements_of(w->document, set, component);
    double unit = facet_j3d_json_unit(w->document, component);
    bool keyed = w->format->has_keys;
    if (track->count == 0)
        return facet_json_null();
    if (track->count == 1)
        return number_of(elements, track->first, unit);
    facet_json *list = facet_json_array(), *key = NULL;
    bool ok = list != NULL;
    uint32_t size = facet_j3d_track_size(w->format, track), step = facet_j3d_key_size(track);
    for (uint32_t i = 0; i < size && ok; i++) {
        bool is_time = facet_j3d_json_is_time(w->format, track, i);
        facet_json *number = number_of(elements, track->first + i, is_time ? 1 : unit);
        if (keyed && i % step == 0) {
            key = facet_json_array();
            if (!facet_gx_json_append(list, key))
                key = NULL;
        }
        ok = facet_gx_json_append(keyed ? key : list, number);
    }
    return facet_gx_json_if(ok, list);
}

/* -- Entries ------------------------------------------------------------ */

static bool put_name(facet_json *object, const facet_j3d_name *name)
{
    char text[3072]; /* a name has up to 1,023 bytes, and each can need three in UTF-8 */
    facet_j3d_name_text(name->bytes, text, sizeof text);
    return facet_gx_json_put(object, "material", facet_json_string(text));
}

static bool put_indices(facet_json *object, const facet_j3d_animation_set *set, uint32_t entry)
{
    const facet_j3d_color_run *run = &set->color_runs[entry];
    facet_json *list = facet_json_array();
    bool ok = list != NULL;
    for (uint32_t i = 0; i < run->count && ok; i++)
        ok = facet_gx_json_append(list, facet_json_integer(set->color_indices[run->first + i]));
    return facet_gx_json_put(object, "indices", list) && ok;
}

static bool put_center(facet_json *object, const float center[3])
{
    facet_json *list = facet_json_array();
    bool ok = list != NULL;
    for (uint32_t i = 0; i < 3 && ok; i++)
        ok = facet_gx_json_append(list, facet_gx_json_float(center[i]));
    return facet_gx_json_put(object, "center", list) && ok;
}

static bool put_transform(const writer *w, facet_json *object, uint32_t set, uint32_t entry)
{
    bool ok = true;
    for (uint32_t c = 0; c < 3 && ok; c++) {
        facet_json *axes = facet_json_array();
        for (uint32_t axis = 0; axis < 3 && ok; axis++)
            ok = facet_gx_json_append(axes, track_of(w, set, entry * 9 + axis * 3 + c));
        ok = facet_gx_json_put(object, facet_j3d_json_components[c], axes) && ok;
    }
    return ok;
}

static facet_json *entry_of(const writer *w, uint32_t s, uint32_t entry)
{
    const facet_j3d_animation_set *set = &w->document->sets[s];
    facet_json *object = facet_json_object();
    bool ok = object != NULL;
    if (ok && set->names.items)
        ok = put_name(object, &set->names.items[entry]);
    if (ok && set->slots)
        ok = facet_gx_json_put(object, facet_j3d_json_slot(w->document->kind),
                               facet_json_integer(set->slots[entry]));
    if (ok && set->centers)
        ok = put_center(object, set->centers[entry]);
    if (ok && set->color_runs)
        ok = put_indices(object, set, entry);
    if (ok && w->format->tracks == 9)
        ok = put_transform(w, object, s, entry);
    for (uint32_t i = 0; i < w->format->tracks && ok && w->format->tracks != 9; i++)
        ok = facet_gx_json_put(object, facet_j3d_json_track(w->document->kind, i),
                               track_of(w, s, entry * w->format->tracks + i));
    return facet_gx_json_if(ok, object);
}

static bool put_set(const writer *w, facet_json *file, uint32_t s)
{
    const facet_j3d_animation_set *set = &w->document->sets[s];
    facet_json *list = facet_json_array();
    bool ok = list != NULL;
    if (s > 0 && set->count == 0) {
        facet_json_free(list);
        return true;
    }
    for (uint32_t i = 0; i < set->count && ok; i++)
        ok = facet_gx_json_append(list, entry_of(w, s, i));
    return facet_gx_json_put(file, facet_j3d_json_entries(w->document->kind, s), list) && ok;
}

facet_json *facet_j3d_animation_json(const facet_j3d_animation *document)
{
    writer w = {document, facet_j3d_animation_format_of(document->kind)};
    facet_json *file = facet_gx_json_file(FACET_J3D_ANIMATION_JSON);
    bool named = document->loop < sizeof facet_j3d_json_loops / sizeof *facet_j3d_json_loops;
    bool ok =
        facet_gx_json_put(file, "kind", facet_json_string(w.format->name)) &&
        facet_gx_json_put(file, "name", facet_json_string(document->name ? document->name : "")) &&
        facet_gx_json_put(file, "frames", facet_json_integer(document->frames)) &&
        facet_gx_json_put(file, "loop",
                          named ? facet_json_string(facet_j3d_json_loops[document->loop])
                                : facet_json_integer(document->loop));
    if (ok && w.format->has_keys && w.format->tracks == 9)
        ok =
            facet_gx_json_put(file, "rotation_shift", facet_json_integer(document->rotation_shift));
    if (ok && document->kind == FACET_J3D_BTK)
        ok = facet_gx_json_put(file, "maya", facet_json_boolean(document->convention == 1));
    if (ok && (document->kind == FACET_J3D_BLK || document->kind == FACET_J3D_BLA))
        ok = facet_gx_json_put(file, "clusters", facet_json_integer(document->cluster_count));
    for (uint32_t s = 0; s < w.format->sets && ok; s++)
        ok = put_set(&w, file, s);
    return facet_gx_json_if(ok, file);
}

/* -- Bytes of the file -------------------------------------------------- */

/* Test whether the numbers alone produce the same file. */
static facet_status is_reproducible(const facet_json *json, const facet_j3d_animation_image *image,
                                    bool *same)
{
    facet_j3d_animation *again = NULL;
    facet_j3d_animation_image other;
    facet_error ignored;
    *same = false;
    facet_status status = facet_j3d_animation_of_json(json, NULL, &again, &ignored);
    if (!status)
        status = facet_j3d_animation_image_make(again, NULL, &other, &ignored);
    facet_j3d_animation_free(again);
    if (status) /* exceeds the format's limits without the file's way of sharing */
        return facet_lacks_memory(status) ? status : FACET_OK;
    *same = other.size == image->size && memcmp(other.bytes, image->bytes, other.size) == 0;
    facet_j3d_animation_image_free(&other);
    return FACET_OK;
}

const char *facet_j3d_animation_to_json(const facet_j3d_animation *document, facet_arena *arena)
{
    facet_j3d_animation_image image;
    bool same = false;
    facet_json *json = facet_j3d_animation_check_sharing(document, NULL)
                           ? NULL
                           : facet_j3d_animation_json(document);
    bool ok = json && !facet_j3d_animation_image_make(document, NULL, &image, NULL);
    if (ok) {
        ok = !is_reproducible(json, &image, &same);
        if (ok && !same) {
            const char *text = facet_base64_encode(arena, image.bytes, image.size);
            ok = text && facet_gx_json_put(json, "file", facet_json_string(text));
        }
        facet_j3d_animation_image_free(&image);
    }
    return facet_gx_json_file_text(facet_gx_json_if(ok, json), arena);
}

/* Memory of a JSON number; as text, it needs about 10 bytes. */
#define NUMBER_BYTES 80

/* Check the size of the JSON. Tracks can share keys, but in JSON each track has its own. */
static facet_status check_growth(const facet_j3d_animation *document, const facet_options *options,
                                 facet_error *error)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    uint64_t stored = 0, written = 0;
    for (uint32_t s = 0; s < format->sets; s++) {
        const facet_j3d_animation_set *set = &document->sets[s];
        for (size_t c = 0; c < sizeof set->elements / sizeof *set->elements; c++)
            stored += set->elements[c].count;
        for (uint32_t i = 0; i < set->count * format->tracks; i++)
            written += facet_j3d_track_size(format, &set->tracks[i]);
    }
    facet_budget budget = facet_budget_of(options, stored * NUMBER_BYTES, FACET_BUDGET_WORK);
    return facet_budget_spend(&budget, written * NUMBER_BYTES, "keys of all tracks", error);
}

facet_status facet_j3d_animation_extract(const facet_source *source, const facet_options *options,
                                         const facet_extractor *extractor, facet_error *error)
{
    facet_j3d_animation *document = NULL;
    TRY(facet_j3d_animation_read(source, options, &document, error));
    facet_status status = facet_j3d_animation_check_sharing(document, error);
    if (!status)
        status = check_growth(document, options, error);
    if (status) {
        facet_j3d_animation_free(document);
        return status;
    }
    const char *text = facet_j3d_animation_to_json(document, document->arena);
    status = text ? extractor->put(extractor->user, "animation.json", text, strlen(text), error)
                  : facet_fail_arena(document->arena, error);
    facet_j3d_animation_free(document);
    return status;
}
