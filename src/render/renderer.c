/* render/renderer.c - a scene prepared for drawing: instances of meshes, divided into batches of
 * one material. Hulls and occluders become separate meshes. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "mesh/hulls/convex.h"
#include "scene/axes.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

/* -- Instances ---------------------------------------------------------- */

static const void *data_of(const facet_stream *stream)
{
    return stream ? stream->data : NULL;
}

static facet_status set_instance(const facet_mesh *mesh, facet_render_instance *to,
                                 facet_error *error)
{
    to->mesh = mesh;
    to->positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    if (!to->positions || (mesh->corner_count == 0 && facet_render_count_strokes(mesh) == 0)) {
        to->mesh = NULL;
        return FACET_OK;
    }
    if (!facet_mesh_is_triangles(mesh) || !facet_mesh_is_indexed(mesh))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "RENDER-MESH", FACET_NO_OFFSET,
                          "a mesh has polygons or several indices: call facet_prepare first");
    to->corners = to->positions->indices;
    to->vertex_count = to->positions->count;
    to->normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    to->tangents = facet_mesh_find(mesh, FACET_TANGENT, 0);
    to->joints = facet_mesh_find(mesh, FACET_JOINTS, 0);
    to->weights = facet_mesh_find(mesh, FACET_WEIGHTS, 0);
    to->colors = facet_mesh_find(mesh, FACET_COLOR, 0);
    to->color1 = facet_mesh_find(mesh, FACET_COLOR, 1);
    to->stored[0] = data_of(facet_mesh_find_custom(mesh, "J3D_COLOR_0", FACET_UINT8, 4));
    to->stored[1] = data_of(facet_mesh_find_custom(mesh, "J3D_COLOR_1", FACET_UINT8, 4));
    to->normal_lengths =
        data_of(facet_mesh_find_custom(mesh, "J3D_NORMAL_LENGTH", FACET_FLOAT32, 1));
    char matrices[] = "J3D_TEXTURE_MATRIX_0";
    for (uint32_t i = 0; i < 8; i++) {
        matrices[sizeof matrices - 2] = (char)('0' + i);
        to->texture_matrices[i] = data_of(facet_mesh_find_custom(mesh, matrices, FACET_UINT8, 1));
        const facet_stream *s = facet_mesh_find(mesh, FACET_TEXCOORD, i);
        to->texcoords[i] = s ? s->data : NULL;
        to->texcoord_components[i] = s ? s->components : 2;
    }
    return FACET_OK;
}

static facet_status add_instances(facet_renderer *r, const bool *seen, uint32_t extra,
                                  facet_error *error)
{
    const facet_scene *scene = r->scene;
    uint32_t meshes = scene->node_count ? scene->node_count : scene->mesh_count;
    uint64_t most = (uint64_t)meshes + extra;
    for (uint32_t i = 0; i < meshes; i++) {
        uint32_t mesh = scene->node_count ? scene->nodes[i]->mesh : i;
        most += mesh == FACET_NONE ? 0 : facet_render_count_strokes(scene->meshes[mesh]);
    }
    r->instances = facet_arena_allocate_zeroed(r->arena, (size_t)most, sizeof *r->instances);
    if (!r->instances)
        return facet_fail_arena(r->arena, error);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < meshes && !status; i++) {
        uint32_t mesh = scene->node_count ? scene->nodes[i]->mesh : i;
        if (mesh == FACET_NONE || (scene->node_count && !seen[i]))
            continue;
        facet_render_instance *to = &r->instances[r->instance_count];
        to->node = scene->node_count ? i : FACET_NONE;
        status = set_instance(scene->meshes[mesh], to, error);
        r->instance_count += to->mesh != NULL;
    }
    return status ? status : facet_render_add_strokes(r, error);
}

/* -- Hulls and occluder -------------------------------------------------- */

/* Add a mesh that has only positions. */
static facet_status add_overlay(facet_renderer *r, const float *points, uint32_t count,
                                const uint32_t *corners, uint32_t corner_count, facet_error *error)
{
    facet_render_instance *to = &r->instances[r->instance_count];
    facet_stream *stream = facet_arena_allocate_zeroed(r->arena, 1, sizeof *stream);
    facet_mesh *mesh = facet_arena_allocate_zeroed(r->arena, 1, sizeof *mesh);
    uint32_t *indices = facet_arena_allocate(r->arena, corner_count, sizeof *indices);
    if (!stream || !mesh || !indices)
        return facet_fail_arena(r->arena, error);
    memcpy(indices, corners, corner_count * sizeof *indices);
    *stream = (facet_stream){.semantic = FACET_POSITION,
                             .component = FACET_FLOAT32,
                             .components = 3,
                             .count = count,
                             .data = (void *)(uintptr_t)points,
                             .indices = indices};
    mesh->streams = stream;
    mesh->stream_count = 1;
    mesh->face_count = corner_count / 3;
    mesh->corner_count = corner_count;
    to->node = FACET_NONE;
    to->is_overlay = true;
    facet_status status = set_instance(mesh, to, error);
    r->instance_count += to->mesh != NULL;
    return status;
}

static facet_status add_hull(facet_renderer *r, const facet_convex *convex, const facet_hull *hull,
                             facet_error *error)
{
    uint32_t count = hull->point_count;
    if (count < 4 || count > UINT32_MAX / 8)
        return FACET_OK;
    double *points = facet_arena_allocate(r->arena, count, 3 * sizeof *points);
    uint32_t *triangles = facet_arena_allocate(r->arena, count, 6 * sizeof *triangles);
    if (!points || !triangles)
        return facet_fail_arena(r->arena, error);
    for (size_t i = 0; i < (size_t)count * 3; i++)
        points[i] = (double)hull->points[i];
    facet_convex_job job = {.points = points, .count = count, .triangles = triangles};
    facet_convex_solve(convex, &job);
    facet_status status = FACET_OK;
    if (!job.failed && !job.is_flat)
        status = add_overlay(r, hull->points, count, triangles, job.triangle_count * 3, error);
    facet_arena_release(r->arena, points, count, 3 * sizeof *points);
    return status;
}

static facet_status add_overlays(facet_renderer *r, uint32_t *hull_end, facet_error *error)
{
    const facet_scene *scene = r->scene;
    facet_status status = FACET_OK;
    facet_convex convex = {0};
    if (scene->hull_count > 0)
        status = facet_convex_open(&convex, error);
    for (uint32_t i = 0; i < scene->hull_count && !status; i++)
        status = add_hull(r, &convex, scene->hulls[i], error);
    if (scene->hull_count > 0 && convex.sink)
        facet_convex_close(&convex);
    *hull_end = r->instance_count;
    const facet_mesh *occluder = scene->occluder;
    const facet_stream *points = occluder ? facet_mesh_find(occluder, FACET_POSITION, 0) : NULL;
    if (!status && points && facet_mesh_is_triangles(occluder))
        status = add_overlay(r, points->data, points->count, points->indices,
                             occluder->corner_count, error);
    return status;
}

/* -- Batches ------------------------------------------------------------ */

static uint32_t material_at(const facet_render_instance *instance, uint32_t face)
{
    return instance->mesh->face_materials ? instance->mesh->face_materials[face] : FACET_NONE;
}

static uint32_t count_runs(const facet_render_instance *instance)
{
    uint32_t runs = instance->mesh->face_count > 0;
    for (uint32_t f = 1; f < instance->mesh->face_count; f++)
        runs += material_at(instance, f) != material_at(instance, f - 1);
    return runs;
}

/* Extra material for faces without a material of the scene. */
static enum facet_render_extra extra_of(const facet_render_instance *instance, bool is_hull)
{
    if (instance->ends && !instance->colors)
        return FACET_RENDER_PLAIN_STROKE;
    if (instance->ends)
        return instance->normals ? FACET_RENDER_STROKE : FACET_RENDER_FLAT_STROKE;
    if (!instance->is_overlay)
        return FACET_RENDER_NO_MATERIAL;
    return is_hull ? FACET_RENDER_HULL : FACET_RENDER_OCCLUDERS;
}

/* Index into r->materials of a material of the scene, or of one that replaces it. */
static uint32_t material_of(facet_renderer *r, const facet_render_instance *instance,
                            uint32_t material, enum facet_render_extra extra)
{
    if (material >= r->scene->material_count)
        return r->scene->material_count + extra;
    if (!instance->ends)
        return material;
    r->has_painted_strokes = true;
    return facet_render_stroke_material(r, material) +
           (instance->normals ? FACET_RENDER_LIT_STROKE : FACET_RENDER_UNLIT_STROKE);
}

static void add_runs(facet_renderer *r, uint32_t index, bool is_hull)
{
    enum facet_render_extra extra = extra_of(&r->instances[index], is_hull);
    const facet_render_instance *instance = &r->instances[index];
    uint32_t faces = instance->mesh->face_count;
    for (uint32_t begin = 0, end; begin < faces; begin = end) {
        uint32_t material = material_at(instance, begin);
        for (end = begin + 1; end < faces && material_at(instance, end) == material;)
            end++;
        facet_render_batch *batch = &r->batches[r->batch_count++];
        batch->instance = index;
        batch->scene_material = material;
        batch->material = material_of(r, instance, material, extra);
        batch->first_face = begin;
        batch->face_count = end - begin;
        batch->modes = extra == FACET_RENDER_HULL        ? FACET_RENDER_HULLS
                       : extra == FACET_RENDER_OCCLUDERS ? FACET_RENDER_OCCLUDER
                                                         : 0;
    }
}

static facet_status add_batches(facet_renderer *r, uint32_t hull_end, facet_error *error)
{
    size_t count = 0;
    uint64_t vertices = 0, triangles = 0;
    for (uint32_t i = 0; i < r->instance_count; i++) {
        count += count_runs(&r->instances[i]);
        r->instances[i].first_vertex = (uint32_t)vertices;
        vertices += r->instances[i].vertex_count;
        triangles += r->instances[i].mesh->face_count;
        if (vertices > INT32_MAX || triangles > INT32_MAX)
            return facet_fail(error, FACET_ERROR_LIMIT, "RENDER-COUNT", FACET_NO_OFFSET,
                              "more than 2^31 vertices or triangles to draw");
    }
    r->vertex_count = (uint32_t)vertices;
    r->batches = facet_arena_allocate_zeroed(r->arena, count, sizeof *r->batches);
    if (!r->batches)
        return facet_fail_arena(r->arena, error);
    for (uint32_t i = 0; i < r->instance_count; i++)
        add_runs(r, i, i < hull_end);
    return FACET_OK;
}

/* -- The renderer ------------------------------------------------------- */

static facet_status mark_seen(facet_renderer *r, bool **seen, facet_error *error)
{
    uint32_t count = r->scene->node_count;
    uint32_t *depth = facet_arena_allocate(r->arena, count, sizeof *depth);
    uint32_t *order = facet_arena_allocate(r->arena, count, sizeof *order);
    *seen = facet_arena_allocate(r->arena, count, sizeof **seen);
    if (!depth || !order || !*seen)
        return facet_fail_arena(r->arena, error);
    facet_status status = facet_scene_order(r->scene, depth, order, error);
    if (!status)
        facet_scene_mark_reached(r->scene, order, *seen);
    return status;
}

static facet_status make(facet_renderer *r, const facet_options *options, facet_error *error)
{
    bool *seen = NULL;
    uint32_t hull_end;
    facet_axes_matrix(&r->scene->axes, r->turn);
    TRY(mark_seen(r, &seen, error));
    TRY(facet_scene_check_growth(r->scene, seen, options, error));
    TRY(add_instances(r, seen, r->scene->hull_count + 1, error));
    TRY(add_overlays(r, &hull_end, error));
    TRY(add_batches(r, hull_end, error));
    return facet_render_materials(r, options, error);
}

facet_status facet_renderer_create(const facet_scene *scene, const facet_options *options,
                                   facet_renderer **renderer, facet_error *error)
{
    facet_arena *arena;
    TRY(facet_arena_create(options, &arena, error));
    facet_renderer *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    made->scene = scene;
    facet_status status = make(made, options, error);
    if (status)
        facet_renderer_free(made);
    else
        *renderer = made;
    return status;
}

void facet_renderer_free(facet_renderer *renderer)
{
    if (renderer)
        facet_arena_free(renderer->arena);
}
