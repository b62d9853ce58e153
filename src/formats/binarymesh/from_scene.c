/* formats/binarymesh/from_scene.c - a scene to a document. The arrays of a mesh with one object are
 * not copied; cut.c splits a mesh with several objects. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/binarymesh/cut.h"
#include "formats/binarymesh/scene.h"
#include "scene/axes.h"
#include "scene/losses.h"
#include "scene/material.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

typedef struct writing {
    const facet_scene *scene;
    facet_binarymesh *document;
    facet_arena *arena;
    facet_report *report;
    facet_error *error;
    uint32_t object_capacity;
    bool moved;           /* positions and normals need a change of axes */
    bool mirrored;        /* winding is reversed */
    uint32_t *slot_of;    /* slot of each material, and of "none" (last) */
    uint32_t *slot_stamp; /* slot_of is valid for the object with this number plus one */
    facet_tally small_faces, small_meshes;
} writing;

static void *allocate(const writing *w, size_t count, size_t size)
{
    return facet_arena_allocate(w->arena, count, size);
}

/* -- Frame: +Y up, right-handed, meters, v = 0 at the bottom ----------- */

static void move(const facet_axes *axes, double scale, float *v)
{
    facet_axes_turn(axes, v);
    for (int axis = 0; axis < 3 && scale != 1; axis++)
        v[axis] = (float)((double)v[axis] * scale);
}

/* Numbers of a stream in the document's frame, `width` per element; the stream's data if they are
 * equal. */
static facet_status take_reals(const writing *w, const facet_stream *stream, uint32_t width,
                               float **reals)
{
    const facet_axes *axes = &w->scene->axes;
    bool flip = width == 2 && facet_axes_flips_v(axes, false);
    bool turn = width == 3 && w->moved;
    *reals = stream->data;
    if (!flip && !turn && stream->components == width)
        return FACET_OK;
    float *copy = allocate(w, stream->count, width * sizeof *copy);
    if (!copy)
        return facet_fail_arena(w->arena, w->error);
    double scale = stream->semantic == FACET_POSITION ? facet_axes_unit(axes) : 1;
    for (size_t i = 0; i < stream->count; i++) {
        const float *from = (const float *)stream->data + i * stream->components;
        memcpy(copy + i * width, from, width * sizeof *copy);
        if (turn)
            move(axes, scale, copy + i * 3);
        if (flip)
            copy[i * 2 + 1] = 1 - copy[i * 2 + 1];
    }
    *reals = copy;
    return FACET_OK;
}

/* Convert the mesh to one object, without name and slots. */
static facet_status take_mesh(const writing *w, const facet_mesh *mesh,
                              facet_binarymesh_object *object)
{
    const facet_stream *position = facet_mesh_find(mesh, FACET_POSITION, 0);
    const facet_stream *normal = facet_mesh_find(mesh, FACET_NORMAL, 0);
    const facet_stream *texcoord = facet_mesh_find(mesh, FACET_TEXCOORD, 0);
    facet_status status = FACET_OK;
    float *reals = NULL;
    memset(object, 0, sizeof *object);
    object->face_count = mesh->face_count;
    object->corner_count = mesh->corner_count;
    object->face_offsets = facet_mesh_is_triangles(mesh) ? NULL : mesh->face_offsets;
    if (position) {
        status = take_reals(w, position, 3, &reals);
        object->positions = reals;
        object->position_count = position->count;
        object->position_indices = position->indices;
    }
    if (normal && !status) {
        status = take_reals(w, normal, 3, &reals);
        object->normals = reals;
        object->normal_count = normal->count;
        object->normal_indices = normal->indices;
    }
    if (texcoord && !status) {
        status = take_reals(w, texcoord, 2, &reals);
        object->texcoords = reals;
        object->texcoord_count = texcoord->count;
        object->texcoord_indices = texcoord->indices;
    }
    return status;
}

/* -- Slots --------------------------------------------------------------- */

static facet_binarymesh_text text_of(const char *text)
{
    size_t length = strlen(text);
    facet_binarymesh_text made = {text, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX};
    return made;
}

/* The slot of a material in the last object of the document; added if it is new. */
static facet_status slot_of(const writing *w, facet_binarymesh_object *object, uint32_t material,
                            uint32_t *capacity, uint32_t *slot)
{
    uint32_t stamp = w->document->object_count;
    uint32_t key = material == FACET_NONE ? w->scene->material_count : material;
    if (w->slot_stamp[key] != stamp) {
        if (!FACET_GROW(w->arena, object->slots, object->slot_count, *capacity))
            return facet_fail_arena(w->arena, w->error);
        w->slot_stamp[key] = stamp;
        w->slot_of[key] = object->slot_count;
        object->slots[object->slot_count++] =
            text_of(material == FACET_NONE ? "" : w->scene->materials[material]->name);
    }
    *slot = w->slot_of[key];
    return FACET_OK;
}

/* Create slots in the order of use. If only some faces have a material, the others get a slot
 * without a name. */
static facet_status take_slots(const writing *w, facet_binarymesh_object *object,
                               const uint32_t *materials)
{
    bool any = false;
    for (uint32_t face = 0; materials && face < object->face_count && !any; face++)
        any = materials[face] != FACET_NONE;
    if (!any)
        return FACET_OK;
    uint16_t *slots = allocate(w, object->face_count, sizeof *slots);
    if (!slots)
        return facet_fail_arena(w->arena, w->error);
    uint32_t capacity = 0, slot = 0;
    for (uint32_t face = 0; face < object->face_count; face++) {
        TRY(slot_of(w, object, materials[face], &capacity, &slot));
        slots[face] = (uint16_t)slot;
    }
    /* The writer rejects more slots than the format allows. */
    object->face_slots = slots;
    return FACET_OK;
}

/* -- Objects ------------------------------------------------------------- */

/* A run of faces that becomes an object. */
typedef struct run {
    const char *name;
    uint32_t first_face, face_count;
} run;

static const char *name_of(const facet_mesh *mesh, const facet_part *part)
{
    if (part->name[0] == '\0')
        return part->group[0] != '\0' ? part->group : mesh->name;
    return part->name;
}

static void add_run(run *runs, uint32_t *count, const char *name, uint32_t first, uint32_t end)
{
    if (first == end)
        return;
    run *last = *count > 0 ? &runs[*count - 1] : NULL;
    if (last && strcmp(last->name, name) == 0) {
        last->face_count += end - first;
        return;
    }
    run made = {name, first, end - first};
    runs[(*count)++] = made;
}

/* Find the runs. Consecutive parts with the same name are one run; faces between parts get the name
 * of the mesh. A mesh without faces is one run. */
static facet_status find_runs(writing *w, const facet_mesh *mesh, run **runs, uint32_t *count)
{
    uint32_t end = 0;
    *count = 0;
    *runs = allocate(w, (size_t)mesh->part_count * 2 + 1, sizeof **runs);
    if (!*runs)
        return facet_fail_arena(w->arena, w->error);
    for (uint32_t i = 0; i < mesh->part_count; i++) {
        const facet_part *part = &mesh->parts[i];
        add_run(*runs, count, mesh->name, end, part->first_face);
        end = part->first_face + part->face_count;
        if (part->face_count > 0)
            add_run(*runs, count, name_of(mesh, part), part->first_face, end);
    }
    add_run(*runs, count, mesh->name, end, mesh->face_count);
    if (*count == 0) {
        run empty = {mesh->name, 0, 0};
        (*runs)[(*count)++] = empty;
    }
    return FACET_OK;
}

static facet_status add_object(writing *w, const facet_binarymesh_object *whole,
                               const facet_mesh *mesh, const run *faces,
                               facet_binarymesh_cutter *cut)
{
    facet_binarymesh_object *object = &w->document->objects[w->document->object_count++];
    const uint32_t *materials =
        mesh->face_materials ? mesh->face_materials + faces->first_face : NULL;
    *object = *whole;
    facet_status status = FACET_OK;
    if (cut) {
        uint32_t dropped = 0;
        status = facet_binarymesh_cut(cut, faces->first_face, faces->face_count, object, &materials,
                                      &dropped);
        if (dropped > 0) {
            facet_tally_hit(&w->small_meshes, w->document->object_count - 1);
            w->small_faces.count += dropped;
        }
    }
    object->name = text_of(faces->name);
    return status ? status : take_slots(w, object, materials);
}

static bool has_small_faces(const facet_mesh *mesh)
{
    for (uint32_t face = 0; mesh->face_offsets && face < mesh->face_count; face++) {
        if (mesh->face_offsets[face + 1] - mesh->face_offsets[face] < 3)
            return true;
    }
    return false;
}

/* Make space for `count` more objects. */
static facet_status make_space(writing *w, uint32_t count)
{
    facet_binarymesh *document = w->document;
    if (count <= w->object_capacity - document->object_count)
        return FACET_OK;
    uint32_t capacity = UINT32_MAX / 2 - document->object_count;
    if (count <= capacity)
        capacity = (document->object_count + count) * 2;
    facet_binarymesh_object *objects = facet_arena_resize(
        w->arena, document->objects, w->object_capacity, capacity, sizeof *objects);
    if (!objects)
        return facet_fail_arena(w->arena, w->error);
    document->objects = objects;
    w->object_capacity = capacity;
    return FACET_OK;
}

static facet_status add_mesh(writing *w, const facet_mesh *mesh)
{
    facet_binarymesh_object whole;
    run *runs = NULL;
    uint32_t run_count = 0;
    facet_status status = find_runs(w, mesh, &runs, &run_count);
    if (!status)
        status = take_mesh(w, mesh, &whole);
    if (status)
        return status;
    TRY(make_space(w, run_count));
    facet_binarymesh_cutter cut = {.arena = w->arena,
                                   .error = w->error,
                                   .whole = &whole,
                                   .materials = mesh->face_materials,
                                   .mirrored = w->mirrored,
                                   .compact = run_count > 1};
    bool needed = run_count > 1 || w->mirrored || has_small_faces(mesh);
    if (needed)
        status = facet_binarymesh_cut_begin(&cut);
    for (uint32_t i = 0; i < run_count && !status; i++)
        status = add_object(w, &whole, mesh, &runs[i], needed ? &cut : NULL);
    return status;
}

/* -- Losses -------------------------------------------------------------- */

static const facet_capacity capacity = {
    "BinaryMesh",
    FACET_LACKS_BILLBOARDS | FACET_LACKS_ASSET | FACET_LACKS_TANGENTS | FACET_LACKS_SKINS |
        FACET_LACKS_JOINTS | FACET_LACKS_CUSTOM | FACET_LACKS_SMOOTHING | FACET_LACKS_LINES |
        FACET_LACKS_POINTS | FACET_LACKS_MORPHS | FACET_LACKS_MATERIAL_VALUES | FACET_LACKS_NODES |
        FACET_LACKS_CAMERAS | FACET_LACKS_HULLS | FACET_LACKS_OCCLUDER | FACET_LACKS_ANIMATIONS |
        FACET_LACKS_IMAGES | FACET_LACKS_EXTRAS | FACET_LACKS_GROUP_NAMES,
    0,
    1,
    2,
    0,
    FACET_UNUSED_MATERIALS,
    false,
    false};

static void report_losses(const writing *w)
{
    facet_scene_report_losses(w->scene, &capacity, w->report);
    facet_report_add_tally(
        w->report, "LOSS-FACES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &w->small_faces,
        "faces of fewer than 3 corners in object %" PRIu64 ": not written", w->small_meshes.first);
}

/* -- The conversion ---------------------------------------------------- */

static facet_status make_document(writing *w)
{
    const facet_scene *scene = w->scene;
    size_t keys = (size_t)scene->material_count + 1;
    if (scene->mesh_count == 0)
        return facet_fail(w->error, FACET_ERROR_UNSUPPORTED, "BM-FILE-EMPTY", FACET_NO_OFFSET,
                          "the scene has no mesh, which a BinaryMesh file needs");
    w->slot_of = allocate(w, keys, sizeof *w->slot_of);
    w->slot_stamp = allocate(w, keys, sizeof *w->slot_stamp);
    if (!w->slot_of || !w->slot_stamp)
        return facet_fail_arena(w->arena, w->error);
    memset(w->slot_stamp, 0, keys * sizeof *w->slot_stamp);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++)
        status = add_mesh(w, scene->meshes[i]);
    return status;
}

facet_status facet_binarymesh_from_scene(const facet_scene *scene, const facet_options *options,
                                         facet_binarymesh **document, facet_error *error)
{
    const facet_axes *axes = &scene->axes;
    writing w = {.scene = scene, .report = options ? options->report : NULL, .error = error};
    TRY(facet_binarymesh_create(false, options, &w.document, error));
    w.arena = w.document->arena;
    w.mirrored = axes->left_handed;
    w.moved = facet_axes_is_turned(axes) || facet_axes_unit(axes) != 1;
    facet_status status = make_document(&w);
    if (status) {
        facet_binarymesh_free(w.document);
        return status;
    }
    report_losses(&w);
    *document = w.document;
    return FACET_OK;
}
