/* formats/bsm/to_scene.c - a document to a scene: one mesh with four streams that share one index,
 * hulls, occluder. Vectors are normalized (scene_units.c). The document's arrays become the
 * scene's: they are already in its arena. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"
#include "formats/bsm/scene.h"
#include "scene/material.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

/* -- Streams ------------------------------------------------------------ */

typedef struct reading {
    const facet_bsm *document; /* the scene owns its arrays and can change them */
    facet_scene *scene;
    facet_mesh *mesh;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
} reading;

/* Offset of an array in the file. */
static uint64_t place_of(const reading *r, facet_bsm_array array)
{
    uint32_t offset = r->document->offset[array];
    return offset ? offset : FACET_NO_OFFSET;
}

/* Remove const: these arrays belong to the scene, not to a caller. */
static void *own(const void *array)
{
    return (void *)(uintptr_t)array;
}

static void report_count(const reading *r, facet_bsm_array array, const char *rule, uint64_t count,
                         const char *what)
{
    facet_tally tally = {count, 0};
    facet_report_add_tally(r->report, rule, FACET_SEVERITY_WARNING, place_of(r, array), &tally,
                           "%s among the %s", what, facet_bsm_array_infos[array].name);
}

/* Add a stream of existing floats. */
static facet_status add_stream(const reading *r, facet_mesh *mesh, facet_semantic semantic,
                               uint32_t components, uint32_t count, const float *values)
{
    facet_stream *stream = NULL;
    TRY(facet_mesh_add_stream(mesh, semantic, 0, NULL, FACET_FLOAT32, components, 0, &stream,
                              r->error));
    stream->data = own(values);
    stream->count = count;
    return FACET_OK;
}

/* Add unit vectors, normalized in place. */
static facet_status add_vectors(const reading *r, facet_bsm_array array, facet_semantic semantic,
                                const float *values)
{
    bool normals = semantic == FACET_NORMAL;
    uint32_t count = r->document->vertex_count, components = facet_bsm_array_infos[array].words;
    facet_bsm_units found = facet_bsm_normalize(values, own(values), count, components, r->options);
    report_count(r, array, normals ? "BSM-NORMAL-ZERO" : "BSM-TANGENT-ZERO", found.zero,
                 "a vector without length");
    report_count(r, array, normals ? "BSM-NORMAL-LENGTH" : "BSM-TANGENT-LENGTH", found.wrong,
                 "a vector whose length was not 1");
    report_count(r, array, "BSM-TANGENT-HAND", found.hands, "a handedness other than +1 and -1");
    return add_stream(r, r->mesh, semantic, components, count, values);
}

static facet_status set_triangles(const reading *r, facet_mesh *mesh, facet_bsm_array array,
                                  uint32_t count, const uint32_t *triangles)
{
    if (count > UINT32_MAX / 3)
        return facet_fail(r->error, FACET_ERROR_LIMIT, NULL, place_of(r, array),
                          "%" PRIu32 " triangles have more corners than a mesh can count", count);
    mesh->face_count = count;
    mesh->corner_count = count * 3;
    for (uint32_t i = 0; i < mesh->stream_count; i++)
        mesh->streams[i].indices = own(triangles);
    return FACET_OK;
}

static facet_status add_mesh(reading *r)
{
    const facet_bsm *d = r->document;
    TRY(facet_scene_add_mesh(r->scene, &r->mesh, r->error));
    TRY(add_stream(r, r->mesh, FACET_POSITION, 3, d->vertex_count, d->positions));
    TRY(add_vectors(r, FACET_BSM_NORMALS, FACET_NORMAL, d->normals));
    TRY(add_vectors(r, FACET_BSM_TANGENTS, FACET_TANGENT, d->tangents));
    TRY(add_stream(r, r->mesh, FACET_TEXCOORD, 2, d->vertex_count, d->texcoords));
    TRY(set_triangles(r, r->mesh, FACET_BSM_TRIANGLES, d->triangle_count, d->triangles));
    return facet_mesh_show_vertices(r->mesh, r->error);
}

/* -- Materials ---------------------------------------------------------- */

static int compare_names(const void *user, uint32_t a, uint32_t b)
{
    const facet_bsm_mesh *meshes = user;
    return strcmp(meshes[a].material, meshes[b].material);
}

/* Find the material of each mesh: none for an empty name, the same for equal names. */
static facet_status find_materials(const reading *r, uint64_t *ranges, uint32_t *materials)
{
    const facet_bsm_mesh *meshes = r->document->meshes;
    uint32_t count = r->document->mesh_count;
    facet_table names = facet_table_make(r->scene->arena);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        const char *name = meshes[i].material;
        facet_material *made;
        uint32_t hash = facet_hash_bytes(name, strlen(name));
        uint32_t first = facet_table_put(&names, hash, i, compare_names, meshes);
        if (first == FACET_NONE)
            status = facet_fail_arena(r->scene->arena, r->error);
        materials[i] = first < i ? materials[first] : FACET_NONE;
        if (first == i && name[0] != '\0') {
            status = facet_scene_add_named_material(r->scene, name, &made, r->error);
            materials[i] = r->scene->material_count - 1;
        }
        ranges[i] = (uint64_t)meshes[i].first_triangle << 32 | i;
    }
    facet_table_free(&names);
    return status;
}

/* Assign to each triangle the material of its mesh; if meshes overlap, of the one that begins
 * first. An element of `ranges` is a first triangle and its mesh, in one integer. */
static void assign_materials(const reading *r, uint64_t *ranges, const uint32_t *materials)
{
    uint32_t *faces = r->mesh->face_materials, reached = 0;
    uint32_t count = r->document->mesh_count;
    facet_tally shared = {0, 0};
    memset(faces, 0xFF, r->mesh->face_count * sizeof *faces);
    facet_bsm_sort(ranges, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)ranges[i];
        const facet_bsm_mesh *mesh = &r->document->meshes[index];
        uint32_t end = mesh->first_triangle + mesh->triangle_count;
        if (mesh->triangle_count > 0 && mesh->first_triangle < reached)
            facet_tally_hit(&shared, index);
        uint32_t face = mesh->first_triangle > reached ? mesh->first_triangle : reached;
        for (; face < end; face++)
            faces[face] = materials[index];
        reached = end > reached ? end : reached;
    }
    facet_report_add_tally(
        r->report, "BSM-MESH-OVERLAP", FACET_SEVERITY_WARNING, place_of(r, FACET_BSM_MESHES),
        &shared, "mesh %" PRIu64 " has triangles that another mesh has too", shared.first);
}

static facet_status add_materials(const reading *r)
{
    facet_arena *arena = r->scene->arena;
    uint32_t count = r->document->mesh_count;
    uint64_t *ranges = facet_arena_allocate(arena, count, sizeof *ranges);
    uint32_t *materials = facet_arena_allocate(arena, count, sizeof *materials);
    if (!ranges || !materials)
        return facet_fail_arena(arena, r->error);
    facet_status status = find_materials(r, ranges, materials);
    /* A mesh without materials has no array of them. */
    if (!status && r->scene->material_count > 0) {
        size_t faces = r->mesh->face_count;
        r->mesh->face_materials =
            facet_arena_allocate(arena, faces, sizeof *r->mesh->face_materials);
        if (r->mesh->face_materials)
            assign_materials(r, ranges, materials);
        else
            status = facet_fail_arena(arena, r->error);
    }
    facet_arena_release(arena, materials, count, sizeof *materials);
    facet_arena_release(arena, ranges, count, sizeof *ranges);
    return status;
}

/* -- Hulls, occluder ---------------------------------------------------- */

/* Add hulls, which share points as in the file: a small file could produce a huge scene. Hulls that
 * a writer would have to duplicate to more than `most` points together are rejected. */
static facet_status add_hulls(const reading *r, uint64_t most)
{
    const facet_bsm *d = r->document;
    uint64_t total = 0;
    for (uint32_t i = 0; i < d->hull_count; i++) {
        facet_hull *hull;
        facet_status status = facet_scene_add_hull(r->scene, "", 0, &hull, r->error);
        if (status)
            return status;
        hull->points = (float *)own(d->hull_points) + (size_t)d->hulls[i].first_point * 3;
        hull->point_count = d->hulls[i].point_count;
        total += d->hulls[i].point_count;
        if (total > most) {
            uint64_t offset = d->offset[FACET_BSM_HULLS];
            return facet_fail(r->error, FACET_ERROR_LIMIT, NULL,
                              offset ? offset + (uint64_t)i * 8 : FACET_NO_OFFSET,
                              "hulls share %" PRIu32 " points so often that they would grow beyond "
                              "the file",
                              d->hull_point_count);
        }
    }
    return FACET_OK;
}

static facet_status add_occluder(const reading *r)
{
    const facet_bsm *d = r->document;
    facet_mesh *occluder = NULL;
    if (d->occluder_triangle_count == 0)
        return FACET_OK;
    facet_status status = facet_scene_add_occluder(r->scene, &occluder, r->error);
    if (!status)
        status = add_stream(r, occluder, FACET_POSITION, 3, d->occluder_vertex_count,
                            d->occluder_positions);
    return status ? status
                  : set_triangles(r, occluder, FACET_BSM_OCCLUDER_TRIANGLES,
                                  d->occluder_triangle_count, d->occluder_triangles);
}

/* -- The conversion ---------------------------------------------------- */

/* Report data that a scene cannot store. */
static void report_losses(const facet_bsm *d, facet_report *report)
{
    if (d->extension != 0)
        facet_report_add(report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, FACET_BSM_AT_EXTENSION,
                         "what the extension %" PRId32 " adds to the core format is not read",
                         d->extension);
    if (d->hull_point_count > 0 && d->hull_count == 0)
        facet_report_add(
            report, "LOSS-HULLS", FACET_SEVERITY_WARNING, d->offset[FACET_BSM_HULL_POINTS],
            "%" PRIu32 " hull points that belong to no hull are not read", d->hull_point_count);
    if (d->occluder_vertex_count > 0 && d->occluder_triangle_count == 0)
        facet_report_add(report, "LOSS-OCCLUDER", FACET_SEVERITY_WARNING,
                         d->offset[FACET_BSM_OCCLUDER_POSITIONS],
                         "%" PRIu32 " occluder position%s without a triangle %s not read",
                         d->occluder_vertex_count, facet_plural(d->occluder_vertex_count, "", "s"),
                         facet_plural(d->occluder_vertex_count, "is", "are"));
}

/* Build the scene of a document whose arrays are in the scene's arena. */
static facet_status build(facet_scene *scene, const facet_bsm *document, uint64_t most_hull_points,
                          const facet_options *options, facet_error *error)
{
    reading r = {document, scene, NULL, options, options ? options->report : NULL, error};
    scene->axes.unit = 1;
    facet_status status = add_mesh(&r);
    if (!status)
        status = add_materials(&r);
    if (!status)
        status = add_hulls(&r, most_hull_points);
    if (!status)
        status = add_occluder(&r);
    report_losses(document, r.report);
    /* The scene has these in another form. */
    facet_arena_release(scene->arena, own(document->hulls), document->hull_count,
                        sizeof *document->hulls);
    facet_arena_release(scene->arena, own(document->meshes), document->mesh_count,
                        sizeof *document->meshes);
    return status ? status : facet_report_status(r.report, error);
}

/* Copy an array; zeros without an array. NULL and *whole false if out of memory. */
static void *copy_array(facet_arena *arena, const void *items, size_t count, size_t size,
                        bool *whole)
{
    void *copy = items ? facet_arena_allocate(arena, count, size)
                       : facet_arena_allocate_zeroed(arena, count, size);
    *whole = *whole && copy;
    if (copy && items && count > 0)
        memcpy(copy, items, count * size);
    return copy;
}

static facet_status copy_arrays(facet_arena *arena, facet_bsm *d, facet_error *error)
{
    bool whole = true;
    d->positions = copy_array(arena, d->positions, d->vertex_count, 12, &whole);
    d->texcoords = copy_array(arena, d->texcoords, d->vertex_count, 8, &whole);
    d->normals = copy_array(arena, d->normals, d->vertex_count, 12, &whole);
    d->tangents = copy_array(arena, d->tangents, d->vertex_count, 16, &whole);
    d->triangles = copy_array(arena, d->triangles, d->triangle_count, 12, &whole);
    d->hull_points = copy_array(arena, d->hull_points, d->hull_point_count, 12, &whole);
    d->occluder_positions =
        copy_array(arena, d->occluder_positions, d->occluder_vertex_count, 12, &whole);
    d->occluder_triangles =
        copy_array(arena, d->occluder_triangles, d->occluder_triangle_count, 12, &whole);
    d->hulls = copy_array(arena, d->hulls, d->hull_count, sizeof *d->hulls, &whole);
    facet_bsm_mesh *meshes = copy_array(arena, d->meshes, d->mesh_count, sizeof *d->meshes, &whole);
    for (uint32_t i = 0; i < d->mesh_count && meshes; i++)
        meshes[i].material[FACET_BSM_NAME_SIZE] = '\0';
    d->meshes = meshes;
    return whole ? FACET_OK : facet_fail_arena(arena, error);
}

/* Size of the file for the document, without a secondary header. */
static uint64_t size_of(const facet_bsm *document)
{
    uint64_t size = FACET_BSM_HEADER_SIZE;
    const facet_bsm_arrays arrays = facet_bsm_arrays_of(document);
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT; array++)
        size += (uint64_t)arrays.count[array] * facet_bsm_array_infos[array].record_size;
    return size;
}

facet_status facet_bsm_to_scene(const facet_bsm *document, const facet_load_options *load,
                                const facet_options *options, facet_scene **scene,
                                facet_error *error)
{
    (void)load; /* BSM has arrays for hulls and occluder; names are not needed */
    facet_bsm copy = *document;
    facet_scene *made = NULL;
    facet_status status = facet_bsm_check_arrays(document, options, error);
    if (!status)
        status = facet_scene_create(options, &made, error);
    if (!status)
        status = copy_arrays(made->arena, &copy, error);
    if (!status)
        status = build(made, &copy, size_of(document), options, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}

facet_status facet_bsm_load(const facet_source *source, const facet_load_options *load,
                            const facet_options *options, facet_scene **scene, facet_error *error)
{
    (void)load;
    facet_bsm_layout layout;
    facet_bsm document;
    facet_scene *made = NULL;
    memset(&document, 0, sizeof document);
    facet_status status = facet_bsm_view(source->data, source->size, &layout, error);
    if (!status)
        status = facet_bsm_verify(&layout, error);
    if (!status)
        status = facet_scene_create(options, &made, error);
    if (!status) {
        /* Points that belong to no hull or occluder are not read. */
        facet_bsm_layout used = layout;
        if (used.count[FACET_BSM_HULLS] == 0)
            used.count[FACET_BSM_HULL_POINTS] = 0;
        if (used.count[FACET_BSM_OCCLUDER_TRIANGLES] == 0)
            used.count[FACET_BSM_OCCLUDER_POSITIONS] = 0;
        status = facet_bsm_read_into(made->arena, &used, &document, error);
        document.hull_point_count = layout.count[FACET_BSM_HULL_POINTS];
        document.occluder_vertex_count = layout.count[FACET_BSM_OCCLUDER_POSITIONS];
    }
    if (!status)
        status = build(made, &document, layout.size, options, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}
