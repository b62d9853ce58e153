/* formats/j3d/animation/json_read.c - JSON to a document. */
#include "formats/j3d/animation/json.h"
#include "formats/j3d/animation/share.h"

#include "base/arena.h"
#include "base/base64.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    facet_j3d_animation *document;
    const facet_j3d_animation_format *format;
    facet_arena *scratch;
    facet_j3d_sharing sharing[2][4];
    double *elements; /* of the current track */
    size_t capacity;
    const char *list; /* for messages: the list, for example "joints", and the entry */
    size_t entry;
    facet_error *error;
} reader;

static facet_status fault(const reader *r, const char *what)
{
    if (!r->list)
        return facet_fail(r->error, FACET_ERROR_MALFORMED, "J3D-JSON", FACET_NO_OFFSET, "%s", what);
    return facet_fail(r->error, FACET_ERROR_MALFORMED, "J3D-JSON", FACET_NO_OFFSET, "%s[%zu]: %s",
                      r->list, r->entry, what);
}

static facet_status no_memory(const reader *r)
{
    return facet_fail_arenas(r->scratch, r->document->arena, r->error);
}

/* Get an integer of an object in *value; `otherwise` if it is missing. */
static facet_status whole(const reader *r, const facet_json *object, const char *key, int64_t least,
                          int64_t most, int64_t otherwise, int64_t *value)
{
    const facet_json *found = facet_json_object_get(object, key);
    *value = found ? facet_json_integer_value(found) : otherwise;
    if (found && (!facet_json_is_integer(found) || *value < least || *value > most)) {
        char what[120];
        snprintf(what, sizeof what, "\"%s\" is not a whole number of %" PRId64 " to %" PRId64, key,
                 least, most);
        return fault(r, what);
    }
    return FACET_OK;
}

/* -- Tracks ------------------------------------------------------------- */

static bool reserve(reader *r, size_t count)
{
    if (count <= r->capacity)
        return true;
    double *grown =
        facet_arena_resize(r->scratch, r->elements, r->capacity, count * 2, sizeof *grown);
    if (!grown)
        return false;
    r->elements = grown;
    r->capacity = count * 2;
    return true;
}

static facet_status take_number(const reader *r, const facet_json *json, double unit, double *to)
{
    if (!facet_json_is_number(json))
        return fault(r, "a track is a number, an array of keys or of values, or null");
    *to = facet_json_number_value(json) / unit;
    return FACET_OK;
}

/* Read keys of three or four numbers. */
static facet_status take_keys(reader *r, const facet_json *json, double unit, size_t count,
                              uint16_t *type)
{
    size_t size = facet_json_array_size(facet_json_array_get(json, 0));
    facet_status status = FACET_OK;
    if (size != 3 && size != 4)
        return fault(r, "a key is [time, value, tangent] or [time, value, in, out]");
    *type = size == 4;
    if (!reserve(r, count * size))
        return no_memory(r);
    for (size_t k = 0; k < count; k++) {
        const facet_json *key = facet_json_array_get(json, k);
        if (facet_json_array_size(key) != size)
            return fault(r, "the keys of a track have three numbers each, or four");
        for (size_t i = 0; i < size && !status; i++)
            status = take_number(r, facet_json_array_get(key, i), i == 0 ? 1 : unit,
                                 &r->elements[k * size + i]);
    }
    return status;
}

static facet_status take_track(reader *r, const facet_json *json, uint32_t set, uint32_t component,
                               facet_j3d_track *track)
{
    bool shared = r->document->kind == FACET_J3D_BXK || r->document->kind == FACET_J3D_BXA;
    double unit = facet_j3d_json_unit(r->document, component);
    size_t count = facet_json_is_array(json)    ? facet_json_array_size(json)
                   : facet_json_is_number(json) ? 1
                                                : 0;
    uint16_t type = r->format->constant_type;
    facet_status status = FACET_OK;
    if (!json || (count == 0 && (!facet_json_is_null(json) || !r->format->has_keys)))
        return fault(r, "a track is missing, or empty");
    if (count > UINT16_MAX || !reserve(r, count))
        return count > UINT16_MAX ? fault(r, "a track has more than 65,535 keys") : no_memory(r);
    if (facet_json_is_number(json)) {
        status = take_number(r, json, unit, r->elements);
    } else if (count > 0 && r->format->has_keys) {
        if (count == 1)
            return fault(r, "a track of one key is a number");
        status = take_keys(r, json, unit, count, &type);
    } else {
        for (size_t i = 0; i < count && !status; i++)
            status = take_number(r, facet_json_array_get(json, i), unit, &r->elements[i]);
    }
    return status ? status
                  : facet_j3d_sharing_put(&r->sharing[shared ? 0 : set][component], r->elements,
                                          (uint32_t)count, type, track, r->error);
}

/* -- Entries ------------------------------------------------------------ */

static facet_status take_tracks(reader *r, const facet_json *object, uint32_t s, uint32_t entry)
{
    const uint32_t per_entry = r->format->tracks;
    facet_j3d_track *tracks = r->document->sets[s].tracks + (size_t)entry * per_entry;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < per_entry && !status; i++) {
        const facet_json *track =
            per_entry == 9
                ? facet_json_array_get(
                      facet_json_object_get(object, facet_j3d_json_components[i % 3]), i / 3)
                : facet_json_object_get(object, facet_j3d_json_track(r->document->kind, i));
        status = take_track(r, track, s, facet_j3d_component_of(r->format, i), &tracks[i]);
        status = per_entry == 9
                     ? facet_j3d_sharing_name(status, r->error, "%s[%zu], %s[%" PRIu32 "]", r->list,
                                              r->entry, facet_j3d_json_components[i % 3], i / 3)
                     : facet_j3d_sharing_name(status, r->error, "%s[%zu], %s", r->list, r->entry,
                                              facet_j3d_json_track(r->document->kind, i));
    }
    return status;
}

static facet_status take_name(const reader *r, const facet_json *object, facet_j3d_name *name)
{
    const char *text = facet_json_string_value(facet_json_object_get(object, "material"));
    if (!text)
        return fault(r, "\"material\" is missing");
    return facet_j3d_animation_set_name(r->document, name, text) ? FACET_OK : no_memory(r);
}

static facet_status take_center(const reader *r, const facet_json *object, float center[3])
{
    const facet_json *list = facet_json_object_get(object, "center");
    for (size_t i = 0; i < 3; i++) {
        const facet_json *number = facet_json_array_get(list, i);
        center[i] = number ? (float)facet_json_number_value(number) : 0.5F;
        if (number && (!facet_json_is_number(number) || !isfinite(center[i])))
            return fault(r, "\"center\" is three numbers");
    }
    return FACET_OK;
}

static facet_status take_indices(const reader *r, const facet_json *object,
                                 facet_j3d_animation_set *set, uint32_t entry)
{
    const facet_json *list = facet_json_object_get(object, "indices");
    size_t count = facet_json_array_size(list);
    uint32_t first = set->color_index_count;
    set->color_index_count += (uint32_t)count;
    set->color_runs[entry] = (facet_j3d_color_run){(uint16_t)count, 0xFFFF, first};
    for (size_t i = 0; i < count; i++) {
        int64_t index = facet_json_integer_value(facet_json_array_get(list, i));
        if (!facet_json_is_integer(facet_json_array_get(list, i)) || index < 0 ||
            index > UINT16_MAX)
            return fault(r, "\"indices\" are whole numbers of 0 to 65535");
        set->color_indices[first + i] = (uint16_t)index;
    }
    return FACET_OK;
}

static bool has_block(const reader *r, uint32_t set, facet_j3d_block_content content)
{
    for (uint32_t i = 0; i < r->format->block_count; i++) {
        if (r->format->blocks[i].content == content && r->format->blocks[i].set == set)
            return true;
    }
    return false;
}

static facet_status take_entry(reader *r, const facet_json *object, uint32_t s, uint32_t entry)
{
    facet_j3d_animation_set *set = &r->document->sets[s];
    facet_status status = FACET_OK;
    int64_t slot;
    if (set->names.items)
        status = take_name(r, object, &set->names.items[entry]);
    if (!status && set->slots) {
        status = whole(r, object, facet_j3d_json_slot(r->document->kind), 0, UINT8_MAX, 0, &slot);
        set->slots[entry] = (uint8_t)slot;
    }
    if (!status && set->centers)
        status = take_center(r, object, set->centers[entry]);
    if (!status && set->color_runs)
        status = take_indices(r, object, set, entry);
    return status ? status : take_tracks(r, object, s, entry);
}

/* Allocate the indices of all entries together. */
static facet_status make_indices(const reader *r, facet_j3d_animation_set *set,
                                 const facet_json *list)
{
    size_t count = 0;
    for (size_t i = 0; i < facet_json_array_size(list); i++)
        count +=
            facet_json_array_size(facet_json_object_get(facet_json_array_get(list, i), "indices"));
    if (count > UINT16_MAX)
        return fault(r, "there are more than 65,535 \"indices\"");
    set->color_indices =
        facet_arena_allocate(r->document->arena, count, sizeof *set->color_indices);
    return set->color_indices ? FACET_OK : no_memory(r);
}

static facet_status make_set(reader *r, uint32_t s, size_t count)
{
    facet_j3d_animation_set *set = &r->document->sets[s];
    facet_arena *arena = r->document->arena;
    bool ok = true;
    set->tracks =
        facet_arena_allocate_zeroed(arena, count * r->format->tracks, sizeof *set->tracks);
    if (has_block(r, s, FACET_J3D_BLOCK_NAMES)) {
        set->names.items = facet_arena_allocate_zeroed(arena, count, sizeof *set->names.items);
        ok = set->names.items != NULL;
    }
    if (ok && (r->format->slot_at || has_block(r, s, FACET_J3D_BLOCK_SLOTS))) {
        set->slots = facet_arena_allocate_zeroed(arena, count, 1);
        ok = set->slots != NULL;
    }
    if (ok && has_block(r, s, FACET_J3D_BLOCK_CENTERS)) {
        set->centers = facet_arena_allocate_zeroed(arena, count, sizeof *set->centers);
        ok = set->centers != NULL;
    }
    if (ok && has_block(r, s, FACET_J3D_BLOCK_RUNS)) {
        set->color_runs = facet_arena_allocate_zeroed(arena, count, sizeof *set->color_runs);
        ok = set->color_runs != NULL;
    }
    if (!set->tracks || !ok)
        return no_memory(r);
    set->count = (uint32_t)count;
    set->names.count = set->names.items ? set->count : 0;
    return FACET_OK;
}

static facet_status take_set(reader *r, const facet_json *json, uint32_t s)
{
    const facet_json *list =
        facet_json_object_get(json, facet_j3d_json_entries(r->document->kind, s));
    size_t count = facet_json_array_size(list);
    r->list = NULL;
    if (list ? !facet_json_is_array(list) : s == 0)
        return fault(r, "the list of entries of the kind is missing");
    if (count > UINT16_MAX)
        return fault(r, "there are more than 65,535 entries");
    facet_status status = make_set(r, s, count);
    if (!status && r->document->sets[s].color_runs)
        status = make_indices(r, &r->document->sets[s], list);
    r->list = facet_j3d_json_entries(r->document->kind, s);
    for (r->entry = 0; r->entry < count && !status; r->entry++)
        status = take_entry(r, facet_json_array_get(list, r->entry), s, (uint32_t)r->entry);
    return status;
}

/* -- The document ------------------------------------------------------- */

static facet_status take_loop(const reader *r, const facet_json *json)
{
    const facet_json *loop = facet_json_object_get(json, "loop");
    int64_t value;
    for (uint8_t i = 0; i < 5 && facet_json_is_string(loop); i++) {
        if (strcmp(facet_json_string_value(loop), facet_j3d_json_loops[i]) == 0) {
            r->document->loop = i;
            return FACET_OK;
        }
    }
    facet_status status = whole(r, json, "loop", 0, UINT8_MAX, 0, &value);
    r->document->loop = (uint8_t)value;
    return status;
}

static facet_status take_head(const reader *r, const facet_json *json)
{
    facet_j3d_animation *document = r->document;
    bool rotates = r->format->has_keys && r->format->tracks == 9;
    int64_t frames, shift, clusters;
    TRY(whole(r, json, "frames", INT16_MIN, INT16_MAX, 1, &frames));
    TRY(whole(r, json, "rotation_shift", 0, UINT8_MAX, rotates ? 1 : 0xFF, &shift));
    TRY(whole(r, json, "clusters", 0, UINT16_MAX, 0, &clusters));
    TRY(take_loop(r, json));
    document->frames = (int16_t)frames;
    document->rotation_shift = (uint8_t)shift;
    document->cluster_count = (uint16_t)clusters;
    document->convention = facet_json_is_true(facet_json_object_get(json, "maya"));
    return FACET_OK;
}

static facet_status take_document(reader *r, const facet_json *json)
{
    facet_status status = take_head(r, json);
    for (uint32_t s = 0; s < r->format->sets; s++) {
        for (uint32_t c = 0; c < 4; c++) {
            bool used = c < (r->format->tracks == 9 ? 3u : r->format->tracks == 4 ? 4u : 1u);
            if (used)
                r->sharing[s][c] =
                    facet_j3d_sharing_make(r->document->kind, c, r->document->arena, r->scratch);
            r->sharing[s][c].unit = facet_j3d_json_unit(r->document, c);
        }
    }
    for (uint32_t s = 0; s < r->format->sets && !status; s++)
        status = take_set(r, json, s);
    for (uint32_t s = 0; s < r->format->sets && !status; s++) {
        for (uint32_t c = 0; c < 4 && !status && r->sharing[s][c].arena; c++)
            status = facet_j3d_sharing_end(&r->sharing[s][c], &r->document->sets[s].elements[c],
                                           r->error);
    }
    return status;
}

static const facet_j3d_animation_format *format_named(const char *name)
{
    for (int kind = FACET_J3D_BCK; kind <= FACET_J3D_BXA && name; kind++) {
        const facet_j3d_animation_format *format =
            facet_j3d_animation_format_of((facet_j3d_animation_kind)kind);
        if (strcmp(format->name, name) == 0)
            return format;
    }
    return NULL;
}

facet_status facet_j3d_animation_of_json(const facet_json *json, const facet_options *options,
                                         facet_j3d_animation **document, facet_error *error)
{
    reader r = {.error = error};
    const char *name = facet_json_string_value(facet_json_object_get(json, "name"));
    r.format = format_named(facet_json_string_value(facet_json_object_get(json, "kind")));
    if (!r.format)
        return fault(&r, "\"kind\" is not a kind of animation");
    facet_status status = facet_arena_create(options, &r.scratch, error);
    if (!status)
        status = facet_j3d_animation_create(r.format->kind, name, options, &r.document, error);
    if (!status)
        status = take_document(&r, json);
    facet_arena_free(r.scratch);
    if (status)
        facet_j3d_animation_free(r.document);
    else
        *document = r.document;
    return status;
}

/* -- With the bytes of the file ----------------------------------------- */

/* Adopt the stored form of the file's bytes, which are in the document's arena. */
static facet_status adopt_file(facet_j3d_animation *document, const facet_json *file,
                               const facet_options *options, facet_error *error)
{
    reader r = {.error = error};
    uint8_t *bytes = NULL;
    size_t size = 0;
    facet_j3d_animation *stored = NULL;
    facet_options quiet = options ? *options : (facet_options){0};
    quiet.report = NULL;
    if (!facet_json_is_string(file) ||
        !facet_base64_decode(document->arena, facet_json_string_value(file),
                             facet_json_string_length(file), &bytes, &size))
        return fault(&r, "\"file\" is not base64");
    facet_source source = facet_source_from_memory(bytes, size, NULL);
    facet_status status = facet_j3d_animation_read(&source, &quiet, &stored, error);
    if (!status)
        status = facet_j3d_animation_adopt(document, stored, error);
    facet_j3d_animation_free(stored);
    return status;
}

facet_status facet_j3d_animation_from_json(const char *text, size_t size,
                                           const facet_options *options,
                                           facet_j3d_animation **document, facet_error *error)
{
    facet_json_fault said;
    reader r = {.error = error};
    facet_j3d_animation *made = NULL;
    facet_json *json = facet_json_read(text, size, 0, &said);
    if (!json && said.memory)
        return facet_fail_memory(error, size);
    if (!json)
        return facet_fail_line(error, FACET_ERROR_MALFORMED, "J3D-JSON",
                               said.line > 0 ? (uint64_t)said.line : 0, "%s", said.text);
    const char *format = facet_json_string_value(facet_json_object_get(json, "format"));
    facet_status status = format && strcmp(format, FACET_J3D_ANIMATION_JSON) == 0
                              ? facet_j3d_animation_of_json(json, options, &made, error)
                              : fault(&r, "\"format\" is not \"" FACET_J3D_ANIMATION_JSON "\"");
    const facet_json *file = facet_json_object_get(json, "file");
    if (!status && file)
        status = adopt_file(made, file, options, error);
    facet_json_free(json);
    if (status)
        facet_j3d_animation_free(made);
    else
        *document = made;
    return status;
}
