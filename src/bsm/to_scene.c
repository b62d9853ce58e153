/* bsm/to_scene.c - a BSM to the neutral scene: one mesh with four streams
 * that share one index, hulls, occluder. Vectors are given their length. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "bsm/scene.h"
#include "bsm/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Unit vectors ------------------------------------------------------- */

facet_bsm_units facet_bsm_normalize(const float *from, float *to, size_t count, size_t components)
{
    facet_bsm_units found = {0, 0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const float *v = from + i * components;
        double x = (double)v[0], y = (double)v[1], z = (double)v[2];
        double length = sqrt(x * x + y * y + z * z), error = fabs(length - 1);
        bool zero = length < FACET_BSM_NO_LENGTH, off = !zero && error > 1e-6;
        bool hand = components == 4 && v[3] != 1 && v[3] != -1;
        found.zero += zero;
        found.scaled += off;
        found.wrong += off && error > 1e-3;
        found.hands += hand;
        if (!to)
            continue;
        float *w = to + i * components;
        w[0] = off ? (float)(x / length) : v[0];
        w[1] = off ? (float)(y / length) : v[1];
        w[2] = off ? (float)(z / length) : v[2];
        if (components == 4)
            w[3] = hand ? (v[3] >= 0 ? 1.0F : -1.0F) : v[3];
    }
    return found;
}

/* -- Reading ------------------------------------------------------------ */

typedef struct reading {
    facet_bsm_layout layout;
    facet_scene *scene;
    facet_mesh *mesh;
    facet_report *report;
    facet_error *error;
} reading;

static void report_count(const reading *r, facet_bsm_array array, const char *rule, uint64_t count,
                         const char *what)
{
    facet_tally tally = {count, 0};
    facet_report_add_tally(r->report, rule, FACET_SEVERITY_WARNING, r->layout.offset[array], &tally,
                           "%s among the %s", what, facet_bsm_array_infos[array].name);
}

static facet_status read_stream(const reading *r, facet_bsm_array array, facet_semantic semantic)
{
    facet_stream *stream = NULL;
    uint32_t count = r->layout.count[array], components = facet_bsm_array_infos[array].words;
    facet_status status = facet_mesh_add_stream(r->mesh, semantic, 0, NULL, FACET_FLOAT32,
                                                components, count, &stream, r->error);
    if (!status)
        status = facet_bsm_copy_finite(&r->layout, array, stream->data, r->error);
    if (status || (semantic != FACET_NORMAL && semantic != FACET_TANGENT))
        return status;
    bool normals = semantic == FACET_NORMAL;
    facet_bsm_units found = facet_bsm_normalize(stream->data, stream->data, count, components);
    report_count(r, array, normals ? "BSM-NORMAL-ZERO" : "BSM-TANGENT-ZERO", found.zero,
                 "a vector without length");
    report_count(r, array, normals ? "BSM-NORMAL-LENGTH" : "BSM-TANGENT-LENGTH", found.wrong,
                 "a vector whose length was not 1");
    report_count(r, array, "BSM-TANGENT-HAND", found.hands, "a handedness other than +1 and -1");
    return FACET_OK;
}

static facet_status read_indices(const reading *r, facet_bsm_array array, facet_mesh *mesh)
{
    uint32_t count = r->layout.count[array];
    if (count > UINT32_MAX / 3)
        return facet_fail(r->error, FACET_ERROR_LIMIT, NULL, r->layout.offset[array],
                          "%" PRIu32 " triangles have more corners than a mesh can count", count);
    uint32_t *indices = facet_scene_allocate(r->scene, (size_t)count * 3, sizeof *indices);
    if (!indices)
        return facet_fail_memory(r->error, (size_t)count * 3 * sizeof *indices);
    mesh->face_count = count;
    mesh->corner_count = count * 3;
    for (uint32_t i = 0; i < mesh->stream_count; i++)
        mesh->streams[i].indices = indices;
    return facet_bsm_copy(&r->layout, array, 0, count, indices, r->error);
}

static facet_status read_mesh(reading *r)
{
    facet_status status = facet_scene_add_mesh(r->scene, &r->mesh, r->error);
    if (!status)
        status = read_stream(r, FACET_BSM_POSITIONS, FACET_POSITION);
    if (!status)
        status = read_stream(r, FACET_BSM_NORMALS, FACET_NORMAL);
    if (!status)
        status = read_stream(r, FACET_BSM_TANGENTS, FACET_TANGENT);
    if (!status)
        status = read_stream(r, FACET_BSM_TEXCOORDS, FACET_TEXCOORD);
    return status ? status : read_indices(r, FACET_BSM_TRIANGLES, r->mesh);
}

/* -- Materials ---------------------------------------------------------- */

static const char *name_of(const facet_bsm_layout *layout, uint32_t mesh)
{
    size_t size = facet_bsm_array_infos[FACET_BSM_MESHES].record_size;
    return (const char *)layout->raw[FACET_BSM_MESHES] + mesh * size + 8;
}

/* Equal names are one material. */
static bool same_name(const void *user, uint32_t a, uint32_t b)
{
    const char *one = name_of(user, a), *other = name_of(user, b);
    size_t length = facet_bsm_name_length(one);
    return length == facet_bsm_name_length(other) && memcmp(one, other, length) == 0;
}

/* The material of each mesh: none for an empty name. */
static facet_status find_materials(const reading *r, uint64_t *ranges, uint32_t *materials)
{
    facet_arena *arena = r->scene->arena;
    uint32_t count = r->layout.count[FACET_BSM_MESHES];
    facet_bsm_table names;
    facet_status status =
        facet_bsm_table_create(arena, count, same_name, &r->layout, &names, r->error);
    if (status)
        return status;
    for (uint32_t i = 0; i < count && !status; i++) {
        facet_bsm_mesh record;
        facet_material *made;
        status = facet_bsm_get_mesh(&r->layout, i, &record, r->error);
        if (status)
            break;
        uint64_t hash = facet_bsm_hash_bytes(record.material, strlen(record.material));
        uint32_t first = facet_bsm_table_put(&names, hash, i);
        materials[i] = first < i ? materials[first] : FACET_NONE;
        if (first == i && record.material[0] != '\0') {
            status = facet_scene_add_material(r->scene, record.material, &made, r->error);
            materials[i] = r->scene->material_count - 1;
        }
        ranges[i] = (uint64_t)record.first_triangle << 32 | i;
    }
    facet_bsm_table_release(arena, &names);
    return status;
}

/* Give each triangle the material of its mesh; where meshes overlap, of the one
 * that begins first. `ranges` are first triangles and meshes in one number. */
static facet_status assign_materials(const reading *r, uint64_t *ranges, const uint32_t *materials)
{
    uint32_t *faces = r->mesh->face_materials, reached = 0;
    uint32_t count = r->layout.count[FACET_BSM_MESHES];
    facet_tally shared = {0, 0};
    memset(faces, 0xFF, r->mesh->face_count * sizeof *faces);
    facet_bsm_sort(ranges, count);
    for (uint32_t i = 0; i < count; i++) {
        facet_bsm_mesh record;
        uint32_t index = (uint32_t)ranges[i];
        facet_status status = facet_bsm_get_mesh(&r->layout, index, &record, r->error);
        if (status)
            return status;
        uint32_t end = record.first_triangle + record.triangle_count;
        if (record.triangle_count > 0 && record.first_triangle < reached)
            facet_tally_hit(&shared, index);
        uint32_t face = record.first_triangle > reached ? record.first_triangle : reached;
        for (; face < end; face++)
            faces[face] = materials[index];
        reached = end > reached ? end : reached;
    }
    facet_report_add_tally(
        r->report, "BSM-MESH-OVERLAP", FACET_SEVERITY_WARNING, r->layout.offset[FACET_BSM_MESHES],
        &shared, "mesh %" PRIu64 " has triangles that another mesh has too", shared.first);
    return FACET_OK;
}

static facet_status read_materials(const reading *r)
{
    facet_arena *arena = r->scene->arena;
    uint32_t count = r->layout.count[FACET_BSM_MESHES];
    uint64_t *ranges = facet_arena_allocate(arena, count, sizeof *ranges);
    uint32_t *materials = facet_arena_allocate(arena, count, sizeof *materials);
    if (!ranges || !materials)
        return facet_fail_memory(r->error, count * sizeof *ranges);
    facet_status status = find_materials(r, ranges, materials);
    /* A mesh where no face has a material says so by having no array. */
    if (!status && r->scene->material_count > 0) {
        size_t faces = r->mesh->face_count;
        r->mesh->face_materials =
            facet_arena_allocate(arena, faces, sizeof *r->mesh->face_materials);
        status = r->mesh->face_materials
                     ? assign_materials(r, ranges, materials)
                     : facet_fail_memory(r->error, faces * sizeof *r->mesh->face_materials);
    }
    facet_arena_release(arena, materials, count, sizeof *materials);
    facet_arena_release(arena, ranges, count, sizeof *ranges);
    return status;
}

/* -- Hulls, occluder ---------------------------------------------------- */

/* Hulls may share points, so that a small file could stand for a huge scene.
 * They share memory here too, and those that a writer would have to multiply
 * beyond the file's own size are refused. */
static facet_status read_hulls(const reading *r)
{
    uint32_t count = r->layout.count[FACET_BSM_HULL_POINTS];
    uint64_t total = 0;
    if (r->layout.count[FACET_BSM_HULLS] == 0)
        return FACET_OK;
    float *points = facet_scene_allocate(r->scene, count, 3 * sizeof *points);
    if (!points)
        return facet_fail_memory(r->error, (size_t)count * 3 * sizeof *points);
    facet_status status =
        facet_bsm_copy_finite(&r->layout, FACET_BSM_HULL_POINTS, points, r->error);
    for (uint32_t i = 0; i < r->layout.count[FACET_BSM_HULLS] && !status; i++) {
        facet_bsm_hull record;
        facet_hull *hull;
        status = facet_bsm_get_hull(&r->layout, i, &record, r->error);
        if (!status)
            status = facet_scene_add_hull(r->scene, "", 0, &hull, r->error);
        if (status)
            return status;
        hull->points = points + (size_t)record.first_point * 3;
        hull->point_count = record.point_count;
        total += record.point_count;
        if (total > r->layout.size)
            return facet_fail(r->error, FACET_ERROR_LIMIT, NULL,
                              r->layout.offset[FACET_BSM_HULLS] + (uint64_t)i * 8,
                              "hulls share %" PRIu32 " points so often that they would grow beyond "
                              "the file",
                              count);
    }
    return status;
}

static facet_status read_occluder(const reading *r)
{
    facet_mesh *occluder = NULL;
    facet_stream *stream = NULL;
    uint32_t count = r->layout.count[FACET_BSM_OCCLUDER_POSITIONS];
    if (r->layout.count[FACET_BSM_OCCLUDER_TRIANGLES] == 0)
        return FACET_OK;
    facet_status status = facet_scene_add_occluder(r->scene, &occluder, r->error);
    if (!status)
        status = facet_mesh_add_stream(occluder, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, count,
                                       &stream, r->error);
    if (!status)
        status =
            facet_bsm_copy_finite(&r->layout, FACET_BSM_OCCLUDER_POSITIONS, stream->data, r->error);
    return status ? status : read_indices(r, FACET_BSM_OCCLUDER_TRIANGLES, occluder);
}

/* What the scene has no place for. */
static void report_losses(const reading *r)
{
    const facet_bsm_layout *layout = &r->layout;
    if (layout->extension != 0)
        facet_report_add(r->report, "LOSS-EXTENSION", FACET_SEVERITY_WARNING,
                         FACET_BSM_AT_EXTENSION,
                         "what the extension %" PRId32 " adds to the core format is not read",
                         layout->extension);
    if (layout->count[FACET_BSM_HULL_POINTS] > 0 && layout->count[FACET_BSM_HULLS] == 0)
        facet_report_add(r->report, "LOSS-HULL-POINTS", FACET_SEVERITY_WARNING,
                         layout->offset[FACET_BSM_HULL_POINTS],
                         "%" PRIu32 " hull points that belong to no hull are not read",
                         layout->count[FACET_BSM_HULL_POINTS]);
    if (layout->count[FACET_BSM_OCCLUDER_POSITIONS] > 0 &&
        layout->count[FACET_BSM_OCCLUDER_TRIANGLES] == 0)
        facet_report_add(r->report, "LOSS-OCCLUDER", FACET_SEVERITY_WARNING,
                         layout->offset[FACET_BSM_OCCLUDER_POSITIONS],
                         "%" PRIu32 " occluder positions without a triangle are not read",
                         layout->count[FACET_BSM_OCCLUDER_POSITIONS]);
}

facet_status facet_bsm_read_scene(const facet_source *source, const facet_load_options *load,
                                  const facet_options *options, facet_scene **scene,
                                  facet_error *error)
{
    (void)load; /* hulls and occluder have places of their own in the file */
    reading r;
    memset(&r, 0, sizeof r);
    r.report = options ? options->report : NULL;
    r.error = error;
    facet_status status = facet_bsm_view(source->data, source->size, &r.layout, error);
    if (!status)
        status = facet_bsm_verify(&r.layout, error);
    if (!status)
        status = facet_scene_create(options, &r.scene, error);
    if (status)
        return status;
    status = read_mesh(&r);
    if (!status)
        status = read_materials(&r);
    if (!status)
        status = read_hulls(&r);
    if (!status)
        status = read_occluder(&r);
    report_losses(&r);
    if (!status)
        status = facet_report_status(r.report, error);
    if (status)
        facet_scene_free(r.scene);
    else
        *scene = r.scene;
    return status;
}
