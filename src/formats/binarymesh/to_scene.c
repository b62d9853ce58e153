/* formats/binarymesh/to_scene.c - a document to a scene. The document is in the scene's arena, and
 * its arrays become the scene's: nothing is copied for a version 4 file. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "formats/binarymesh/scene.h"
#include "scene/material.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct reading {
    facet_scene *scene;
    facet_binarymesh *document;
    facet_report *report;
    facet_error *error;
    facet_names materials;
    facet_tally rounded, long_normals, zero_normals, cut_names, stray_slots; /* counted by object */
} reading;

/* Truncate a name at its first NUL, like appleseed. */
static const char *take_name(reading *r, facet_binarymesh_text name, uint32_t object)
{
    if (strlen(name.text) < name.length)
        facet_tally_hit(&r->cut_names, object);
    return name.text;
}

/* -- Reals --------------------------------------------------------------- */

/* Convert an array of reals to single precision. It replaces the array. */
static facet_status take_floats(reading *r, uint32_t object, void *reals, uint32_t count,
                                uint32_t width, float **floats)
{
    if (!r->document->double_precision) {
        *floats = reals;
        return FACET_OK;
    }
    const double *from = reals;
    size_t total = (size_t)count * width, rounded = 0;
    float *to = facet_arena_allocate(r->scene->arena, count, width * sizeof *to);
    if (!to)
        return facet_fail_arena(r->scene->arena, r->error);
    for (size_t i = 0; i < total; i++) {
        to[i] = (float)from[i];
        rounded += (double)to[i] != from[i];
        if (isinf(to[i]))
            return facet_fail(
                r->error, FACET_ERROR_LIMIT, "BM-FLOAT-RANGE", r->document->objects[object].offset,
                "%g in object %" PRIu32 " is too large for single precision", from[i], object);
    }
    if (rounded > 0)
        facet_tally_hit(&r->rounded, object);
    facet_arena_release(r->scene->arena, reals, count, width * sizeof(double));
    *floats = to;
    return FACET_OK;
}

/* Normalize normals whose length is off by more than a thousandth. Others are only rounded, and
 * stay unchanged. */
static void make_unit(reading *r, uint32_t object, float *normals, uint32_t count)
{
    bool found_long = false, found_zero = false;
    for (size_t i = 0; i < count; i++) {
        float *n = normals + i * 3;
        double square = (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2];
        double length = sqrt(square);
        if (fabs(length - 1) <= FACET_BINARYMESH_UNIT_TOLERANCE)
            continue;
        found_zero |= length < FACET_BINARYMESH_ZERO_LENGTH;
        found_long |= length >= FACET_BINARYMESH_ZERO_LENGTH;
        for (int axis = 0; axis < 3; axis++)
            n[axis] = length < FACET_BINARYMESH_ZERO_LENGTH ? axis == 0 : (float)(n[axis] / length);
    }
    if (found_long)
        facet_tally_hit(&r->long_normals, object);
    if (found_zero)
        facet_tally_hit(&r->zero_normals, object);
}

/* -- Streams ------------------------------------------------------------- */

static facet_status add_stream(const reading *r, facet_mesh *mesh, facet_semantic semantic,
                               uint32_t components, uint32_t count, float *data, uint32_t *indices)
{
    facet_stream *stream = NULL;
    TRY(facet_mesh_add_stream(mesh, semantic, 0, NULL, FACET_FLOAT32, components, 0, &stream,
                              r->error));
    stream->data = data;
    stream->count = count;
    stream->indices = indices;
    return FACET_OK;
}

static facet_status take_streams(reading *r, uint32_t index, facet_mesh *mesh)
{
    const facet_binarymesh_object *o = &r->document->objects[index];
    float *data = NULL;
    facet_status status = take_floats(r, index, o->positions, o->position_count, 3, &data);
    if (!status)
        status =
            add_stream(r, mesh, FACET_POSITION, 3, o->position_count, data, o->position_indices);
    if (!status && o->normal_indices) {
        TRY(take_floats(r, index, o->normals, o->normal_count, 3, &data));
        make_unit(r, index, data, o->normal_count);
        status = add_stream(r, mesh, FACET_NORMAL, 3, o->normal_count, data, o->normal_indices);
    }
    if (!status && o->texcoord_indices) {
        status = take_floats(r, index, o->texcoords, o->texcoord_count, 2, &data);
        if (!status)
            status = add_stream(r, mesh, FACET_TEXCOORD, 2, o->texcoord_count, data,
                                o->texcoord_indices);
    }
    return status;
}

/* -- Materials ----------------------------------------------------------- */

/* Find the material of each slot; an empty name means FACET_NONE. */
static facet_status map_slots(reading *r, uint32_t index, uint32_t *materials, bool *any)
{
    const facet_binarymesh_object *object = &r->document->objects[index];
    *any = false;
    for (uint32_t slot = 0; slot < object->slot_count; slot++) {
        facet_binarymesh_text name = object->slots[slot];
        name.text = take_name(r, name, index);
        name.length = (uint32_t)strlen(name.text);
        materials[slot] = FACET_NONE;
        if (name.length == 0)
            continue;
        materials[slot] = facet_names_put(&r->materials, name.text, name.length);
        if (materials[slot] == FACET_NONE)
            return facet_fail_arena(r->scene->arena, r->error);
        *any = true;
        facet_material *made = NULL;
        facet_status status =
            materials[slot] == r->scene->material_count
                ? facet_scene_add_named_material(r->scene, name.text, &made, r->error)
                : FACET_OK;
        if (status)
            return status;
    }
    return FACET_OK;
}

static facet_status take_face_materials(reading *r, uint32_t index, const uint32_t *materials,
                                        facet_mesh *mesh)
{
    const facet_binarymesh_object *object = &r->document->objects[index];
    mesh->face_materials =
        facet_arena_allocate(r->scene->arena, object->face_count, sizeof *mesh->face_materials);
    if (!mesh->face_materials)
        return facet_fail_arena(r->scene->arena, r->error);
    for (uint32_t face = 0; face < object->face_count; face++) {
        uint32_t slot = object->face_slots ? object->face_slots[face] : 0;
        bool known = slot < object->slot_count;
        mesh->face_materials[face] = known ? materials[slot] : FACET_NONE;
        if (!known && slot != FACET_BINARYMESH_NO_SLOT)
            facet_tally_hit(&r->stray_slots, index);
    }
    return FACET_OK;
}

static facet_status take_materials(reading *r, uint32_t index, facet_mesh *mesh)
{
    facet_binarymesh_object *object = &r->document->objects[index];
    uint32_t *materials =
        facet_arena_allocate(r->scene->arena, object->slot_count, sizeof *materials);
    bool any = false;
    if (!materials)
        return facet_fail_arena(r->scene->arena, r->error);
    facet_status status = map_slots(r, index, materials, &any);
    if (!status && any)
        status = take_face_materials(r, index, materials, mesh);
    facet_arena_release(r->scene->arena, materials, object->slot_count, sizeof *materials);
    facet_arena_release(r->scene->arena, object->face_slots, object->face_count,
                        sizeof *object->face_slots);
    return status;
}

/* -- The conversion ---------------------------------------------------- */

static facet_status take_object(reading *r, uint32_t index)
{
    const facet_binarymesh_object *object = &r->document->objects[index];
    facet_mesh *mesh = NULL;
    TRY(facet_scene_add_mesh(r->scene, &mesh, r->error));
    mesh->name = take_name(r, object->name, index);
    mesh->face_count = object->face_count;
    mesh->corner_count = object->corner_count;
    mesh->face_offsets = object->face_offsets;
    TRY(take_streams(r, index, mesh));
    return take_materials(r, index, mesh);
}

static void report(const reading *r)
{
    if (r->document->object_count == 0)
        facet_report_add(r->report, "BM-FILE-EMPTY", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the file has no object");
    facet_report_add_tally(
        r->report, "LOSS-PRECISION", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &r->rounded,
        "numbers of object %" PRIu64 " were rounded from double to single precision",
        r->rounded.first);
    facet_report_add_tally(
        r->report, "BM-NORMAL-LENGTH", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &r->long_normals,
        "normals of object %" PRIu64 " were brought to unit length", r->long_normals.first);
    facet_report_add_tally(r->report, "BM-NORMAL-ZERO", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &r->zero_normals,
                           "normals without a direction in object %" PRIu64 " became (1, 0, 0)",
                           r->zero_normals.first);
    facet_report_add_tally(r->report, "BM-NAME-NUL", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &r->cut_names, "a name of object %" PRIu64 " was cut at its NUL",
                           r->cut_names.first);
    facet_report_add_tally(r->report, "BM-FACE-MATERIAL-RANGE", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &r->stray_slots,
                           "a face of object %" PRIu64
                           " has a material slot that does not exist, and gets no material",
                           r->stray_slots.first);
}

/* Build the scene of a document in the scene's arena. */
static facet_status build(facet_scene *scene, facet_binarymesh *document,
                          const facet_load_options *load, const facet_options *options,
                          facet_error *error)
{
    reading r = {.scene = scene,
                 .document = document,
                 .report = options ? options->report : NULL,
                 .error = error};
    facet_status status = FACET_OK;
    scene->axes.unit = 1;
    r.materials = facet_names_make(scene->arena);
    for (uint32_t i = 0; !status && i < document->object_count; i++)
        status = take_object(&r, i);
    if (status)
        return status;
    report(&r);
    return facet_scene_extract_collision(scene, load, options, error);
}

facet_status facet_binarymesh_load(const facet_source *source, const facet_load_options *load,
                                   const facet_options *options, facet_scene **scene,
                                   facet_error *error)
{
    facet_scene *made = NULL;
    facet_binarymesh *document = NULL;
    facet_status status = facet_scene_create(options, &made, error);
    if (!status)
        status = facet_binarymesh_read_into(made->arena, source->data, source->size, options, NULL,
                                            &document, error);
    if (!status)
        status = build(made, document, load, options, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}

/* -- Documents of a caller --------------------------------------------- */

/* Copy an array. NULL for no array, or if out of memory; then *whole is false. */
static void *copy_array(facet_arena *arena, const void *items, size_t count, size_t size,
                        bool *whole)
{
    void *copy = items ? facet_arena_allocate(arena, count, size) : NULL;
    if (copy && count > 0)
        memcpy(copy, items, count * size);
    *whole = *whole && (copy || !items);
    return copy;
}

static facet_binarymesh_text copy_text(facet_arena *arena, facet_binarymesh_text text, bool *whole)
{
    facet_binarymesh_text copy = {
        facet_arena_string(arena, text.length ? text.text : "", text.length), text.length};
    *whole = *whole && copy.text;
    return copy;
}

/* Copy all data of an object into the arena; false if out of memory. */
static bool copy_object(facet_arena *arena, bool double_precision, facet_binarymesh_object *o)
{
    bool whole = true;
    size_t real = double_precision ? sizeof(double) : sizeof(float);
    size_t corners = o->corner_count, faces = o->face_count;
    o->name = copy_text(arena, o->name, &whole);
    o->positions = copy_array(arena, o->positions, o->position_count, 3 * real, &whole);
    o->normals = copy_array(arena, o->normals, o->normal_count, 3 * real, &whole);
    o->texcoords = copy_array(arena, o->texcoords, o->texcoord_count, 2 * real, &whole);
    o->face_offsets = copy_array(arena, o->face_offsets, faces + 1, sizeof(uint32_t), &whole);
    o->face_slots = copy_array(arena, o->face_slots, faces, sizeof(uint16_t), &whole);
    o->position_indices = copy_array(arena, o->position_indices, corners, sizeof(uint32_t), &whole);
    o->normal_indices = copy_array(arena, o->normal_indices, corners, sizeof(uint32_t), &whole);
    o->texcoord_indices = copy_array(arena, o->texcoord_indices, corners, sizeof(uint32_t), &whole);
    o->slots = copy_array(arena, o->slots, o->slot_count, sizeof *o->slots, &whole);
    for (uint32_t i = 0; i < o->slot_count && whole; i++)
        o->slots[i] = copy_text(arena, o->slots[i], &whole);
    return whole;
}

facet_status facet_binarymesh_to_scene(const facet_binarymesh *document,
                                       const facet_load_options *load, const facet_options *options,
                                       facet_scene **scene, facet_error *error)
{
    facet_binarymesh copy = *document;
    facet_scene *made = NULL;
    bool whole = true;
    facet_status status = facet_binarymesh_check_document(document, error);
    if (!status)
        status = facet_scene_create(options, &made, error);
    if (status)
        return status;
    copy.arena = made->arena;
    copy.objects = copy_array(made->arena, document->objects, document->object_count,
                              sizeof *copy.objects, &whole);
    for (uint32_t i = 0; i < copy.object_count && whole; i++)
        whole = copy_object(made->arena, copy.double_precision, &copy.objects[i]);
    status =
        whole ? build(made, &copy, load, options, error) : facet_fail_arena(made->arena, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}
