/* binarymesh/to_scene.c - document to scene. The document is read into the
 * scene's own arena, and its arrays become the scene's: of a version 4 file
 * nothing is copied. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "binarymesh/binarymesh.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct reading {
    facet_scene *scene;
    facet_binarymesh *document;
    facet_report *report;
    facet_error *error;
    facet_names materials;
    facet_tally rounded, long_normals, zero_normals, cut_names, stray_slots; /* by object */
} reading;

/* A name ends at its first NUL, as it does for appleseed. */
static const char *take_name(reading *r, facet_binarymesh_text name, uint32_t object)
{
    if (strlen(name.text) < name.length)
        facet_tally_hit(&r->cut_names, object);
    return name.text;
}

/* -- Reals --------------------------------------------------------------- */

/* Give an array of reals in single precision, at the cost of the array. */
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
        return facet_fail_memory(r->error, total * sizeof *to);
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

/* Bring normals to unit length where they are not by more than a thousandth:
 * those that are were rounded, and stay as they are written. */
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

static void add_stream(facet_mesh *mesh, facet_semantic semantic, uint32_t components,
                       uint32_t count, float *data, uint32_t *indices)
{
    facet_stream *stream = &mesh->streams[mesh->stream_count++];
    memset(stream, 0, sizeof *stream);
    stream->semantic = semantic;
    stream->component = FACET_FLOAT32;
    stream->components = components;
    stream->count = count;
    stream->data = data;
    stream->indices = indices;
}

static facet_status take_streams(reading *r, uint32_t index, facet_mesh *mesh)
{
    facet_binarymesh_object *object = &r->document->objects[index];
    /* The capacity that the scene expects of so many streams. */
    uint32_t streams = 1u + (object->normal_indices != NULL) + (object->texcoord_indices != NULL);
    mesh->streams =
        facet_arena_allocate(r->scene->arena, streams == 3 ? 4 : streams, sizeof *mesh->streams);
    if (!mesh->streams)
        return facet_fail_memory(r->error, 4 * sizeof *mesh->streams);
    float *data = NULL;
    facet_status status =
        take_floats(r, index, object->positions, object->position_count, 3, &data);
    if (status)
        return status;
    add_stream(mesh, FACET_POSITION, 3, object->position_count, data, object->position_indices);
    if (object->normal_indices) {
        status = take_floats(r, index, object->normals, object->normal_count, 3, &data);
        if (status)
            return status;
        make_unit(r, index, data, object->normal_count);
        add_stream(mesh, FACET_NORMAL, 3, object->normal_count, data, object->normal_indices);
    }
    if (object->texcoord_indices) {
        status = take_floats(r, index, object->texcoords, object->texcoord_count, 2, &data);
        if (status)
            return status;
        add_stream(mesh, FACET_TEXCOORD, 2, object->texcoord_count, data, object->texcoord_indices);
    }
    return FACET_OK;
}

/* -- Materials ----------------------------------------------------------- */

/* The scene's material of each slot; an empty name is no material. */
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
            return facet_fail_memory(r->error, name.length);
        *any = true;
        facet_material *made = NULL;
        facet_status status = materials[slot] == r->scene->material_count
                                  ? facet_scene_add_material(r->scene, name.text, &made, r->error)
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
        return facet_fail_memory(r->error, object->face_count * sizeof *mesh->face_materials);
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
        return facet_fail_memory(r->error, object->slot_count * sizeof *materials);
    facet_status status = map_slots(r, index, materials, &any);
    if (!status && any)
        status = take_face_materials(r, index, materials, mesh);
    facet_arena_release(r->scene->arena, materials, object->slot_count, sizeof *materials);
    facet_arena_release(r->scene->arena, object->face_slots, object->face_count,
                        sizeof *object->face_slots);
    return status;
}

/* -- The whole ----------------------------------------------------------- */

static facet_status take_object(reading *r, uint32_t index)
{
    const facet_binarymesh_object *object = &r->document->objects[index];
    facet_mesh *mesh = NULL;
    facet_status status = facet_scene_add_mesh(r->scene, &mesh, r->error);
    if (status)
        return status;
    mesh->name = take_name(r, object->name, index);
    mesh->face_count = object->face_count;
    mesh->corner_count = object->corner_count;
    mesh->face_offsets = object->face_offsets;
    status = take_streams(r, index, mesh);
    return status ? status : take_materials(r, index, mesh);
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
                           " has a material slot that is not there, and so no material",
                           r->stray_slots.first);
}

facet_status facet_binarymesh_read_scene(const void *data, size_t size,
                                         const facet_options *options, facet_scene **scene,
                                         facet_error *error)
{
    reading r = {.report = options ? options->report : NULL, .error = error};
    facet_status status = facet_scene_create(options, &r.scene, error);
    if (status)
        return status;
    r.materials = facet_names_make(r.scene->arena);
    status =
        facet_binarymesh_read_into(r.scene->arena, data, size, options, NULL, &r.document, error);
    for (uint32_t i = 0; !status && i < r.document->object_count; i++)
        status = take_object(&r, i);
    if (status) {
        facet_scene_free(r.scene);
        return status;
    }
    report(&r);
    *scene = r.scene;
    return FACET_OK;
}
