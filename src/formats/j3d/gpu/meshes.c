/* formats/j3d/gpu/meshes.c - all shapes of a document as meshes, for programs with their own
 * renderer. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/j3d/gpu/check.h"
#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/gpu/skeleton.h"

#include <facet/j3d_geometry.h>
#include <string.h>

/* -- One mesh ----------------------------------------------------------- */

/* Allocator of the results. If memory runs out, it sets `failed` and nothing is written; the caller
 * checks once. */
typedef struct result {
    facet_arena *arena;
    bool failed;
} result;

/* Allocate an array of `count` elements; NULL if count is 0. */
static void *make(result *r, size_t count, size_t size)
{
    if (count == 0)
        return NULL;
    void *array = facet_arena_allocate(r->arena, count, size);
    r->failed |= !array;
    return array;
}

static uint32_t *copy_indices(result *r, const uint32_t *indices, size_t count)
{
    uint32_t *copy = (uint32_t *)make(r, count, sizeof *copy);
    if (copy)
        memcpy(copy, indices, count * sizeof *copy);
    return copy;
}

static void make_vectors(result *r, const facet_j3d_geometry *g, facet_j3d_mesh *mesh)
{
    size_t count = g->vertex_count;
    mesh->positions = (float *)make(r, count, 3 * sizeof(float));
    if (mesh->positions)
        facet_j3d_geometry_positions(g, mesh->positions);
    if (facet_j3d_geometry_has(g, FACET_J3D_NORMAL))
        mesh->normals = (float *)make(r, count, 3 * sizeof(float));
    if (mesh->normals)
        facet_j3d_geometry_normals(g, mesh->normals);
    if (mesh->normals && facet_j3d_geometry_has_tangents(g))
        mesh->tangents = (float *)make(r, count, 4 * sizeof(float));
    if (mesh->tangents)
        facet_j3d_geometry_tangents(g, mesh->normals, mesh->tangents);
}

static void make_streams(result *r, const facet_j3d_geometry *g, facet_j3d_mesh *mesh)
{
    size_t count = g->vertex_count;
    for (uint32_t i = 0; i < 2; i++) {
        if (facet_j3d_geometry_has(g, FACET_J3D_COLOR0 + i))
            mesh->colors[i] = (uint8_t *)make(r, count, 4);
        if (mesh->colors[i])
            facet_j3d_geometry_colors(g, i, mesh->colors[i]);
    }
    for (uint32_t i = 0; i < 8; i++) {
        if (facet_j3d_geometry_has(g, FACET_J3D_TEXCOORD0 + i))
            mesh->texcoords[i] = (float *)make(r, count, 2 * sizeof(float));
        if (mesh->texcoords[i])
            facet_j3d_geometry_texcoords(g, i, NULL, mesh->texcoords[i]);
    }
    mesh->draw_matrices = (uint16_t *)make(r, count, sizeof *mesh->draw_matrices);
    for (uint32_t v = 0; v < count && mesh->draw_matrices; v++)
        mesh->draw_matrices[v] = facet_j3d_geometry_draw_matrix(g, v);
}

static void make_mesh(result *r, const facet_j3d_geometry *g, const facet_j3d_shape *shape,
                      facet_j3d_mesh *mesh)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->vertex_count = g->vertex_count;
    mesh->triangle_count = g->triangle_count;
    mesh->line_count = g->line_count;
    mesh->point_count = g->points;
    mesh->material = shape->material;
    mesh->joint = shape->joint;
    make_vectors(r, g, mesh);
    make_streams(r, g, mesh);
    mesh->triangles = copy_indices(r, g->corners, (size_t)g->triangle_count * 3);
    mesh->lines = copy_indices(r, g->lines, (size_t)g->line_count * 2);
}

/* -- All of them -------------------------------------------------------- */

static facet_status make_meshes(const facet_j3d *document, facet_j3d_meshes *meshes,
                                facet_error *error)
{
    result r = {meshes->arena, false};
    facet_j3d_decoder decoder = {0};
    decoder.document = document;
    decoder.arena = meshes->arena; /* share its memory pages */
    meshes->items = (facet_j3d_mesh *)make(&r, document->shapes.count, sizeof *meshes->items);
    for (uint32_t i = 0; i < document->shapes.count && !r.failed; i++) {
        facet_j3d_geometry geometry;
        TRY(facet_j3d_decode_shape(&decoder, i, &geometry, error));
        make_mesh(&r, &geometry, &document->shapes.items[i], &meshes->items[i]);
        meshes->count = i + 1;
    }
    facet_j3d_decoder_free(&decoder);
    return r.failed ? facet_fail_arena(meshes->arena, error) : FACET_OK;
}

static facet_status make_matrices(const facet_j3d *document, facet_arena *scratch,
                                  facet_j3d_meshes *meshes, facet_error *error)
{
    facet_j3d_skeleton skeleton = {0};
    uint32_t count = document->draw_matrices.count;
    TRY(facet_j3d_skeleton_create(document, scratch, &skeleton, error));
    meshes->matrices = facet_arena_allocate(meshes->arena, count, sizeof *meshes->matrices);
    if (!meshes->matrices)
        return facet_fail_arena(meshes->arena, error);
    meshes->matrix_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const double *matrix = facet_j3d_skeleton_draw_matrix(document, &skeleton, i);
        for (int k = 0; k < 12; k++)
            meshes->matrices[i][k] = (float)matrix[k];
    }
    return FACET_OK;
}

static facet_status start(const facet_options *options, facet_j3d_meshes **meshes,
                          facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    *meshes = facet_arena_allocate_zeroed(arena, 1, sizeof **meshes);
    if (!*meshes) {
        return facet_arena_abandon(arena, error);
    }
    (*meshes)->arena = arena;
    return FACET_OK;
}

facet_status facet_j3d_decode(const facet_j3d *document, const facet_options *options,
                              facet_j3d_meshes **meshes, facet_error *error)
{
    facet_arena *scratch = NULL;
    facet_j3d_meshes *made = NULL;
    facet_status status = facet_j3d_check_geometry(document, error);
    if (!status)
        status = facet_arena_create(options, &scratch, error);
    if (!status)
        status = start(options, &made, error);
    if (!status)
        status = make_matrices(document, scratch, made, error);
    if (!status)
        status = make_meshes(document, made, error);
    facet_arena_free(scratch);
    if (status)
        facet_j3d_meshes_free(made);
    else
        *meshes = made;
    return status;
}

void facet_j3d_meshes_free(facet_j3d_meshes *meshes)
{
    if (meshes)
        facet_arena_free(meshes->arena);
}
