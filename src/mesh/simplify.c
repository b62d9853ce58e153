/* mesh/simplify.c - simplification by meshoptimizer. */
#include "mesh/simplify.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "mesh/meshoptimizer.h"
#include "scene/scene.h"

#include <string.h>

#define DEFAULT_RATIO 0.02F
#define DEFAULT_ERROR 0.1F
#define FEWEST_TRIANGLES 4

/* -- Soups -------------------------------------------------------------- */

void facet_soup_drop_degenerate(facet_soup *soup)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < soup->triangle_count; i++) {
        const uint32_t *t = soup->triangles + 3 * (size_t)i;
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
            continue;
        memmove(soup->triangles + 3 * (size_t)kept++, t, 3 * sizeof *t);
    }
    soup->triangle_count = kept;
}

facet_status facet_soup_simplify(const facet_soup *soup, const facet_simplify_options *simplify,
                                 const facet_options *options, facet_arena *arena,
                                 uint32_t **triangles, uint32_t *triangle_count, facet_error *error)
{
    static const facet_simplify_options none = {0};
    simplify = simplify ? simplify : &none;
    facet_status status = facet_check_struct_size(simplify->struct_size, sizeof *simplify,
                                                  "facet_simplify_options", error);
    const facet_meshoptimizer *meshoptimizer;
    if (status || (status = facet_meshoptimizer_open(&meshoptimizer, error)))
        return status;
    if (!meshoptimizer->simplify)
        return facet_fail_absent(error, "simplifying needs", "meshoptimizer", "FACET_MESHOPT");
    size_t count = 3 * (size_t)soup->triangle_count;
    float ratio = simplify->ratio > 0 ? simplify->ratio : DEFAULT_RATIO;
    double wanted = (double)(ratio < 1 ? ratio : 1) * soup->triangle_count;
    wanted = wanted < FEWEST_TRIANGLES ? FEWEST_TRIANGLES : wanted;
    wanted = wanted < soup->triangle_count ? wanted : soup->triangle_count;
    uint32_t *kept = facet_arena_allocate(arena, count, sizeof *kept);
    float *positions = facet_arena_allocate(arena, soup->point_count, 3 * sizeof *positions);
    if (!kept || !positions)
        return facet_fail_arena(arena, error);
    for (size_t i = 0; i < 3 * (size_t)soup->point_count; i++)
        positions[i] = (float)soup->points[i];
    size_t left = 0;
    bool done = count == 0 ||
                meshoptimizer->simplify(
                    kept, soup->triangles, count, positions, soup->point_count, 3 * (size_t)wanted,
                    simplify->max_error > 0 ? simplify->max_error : DEFAULT_ERROR, &left);
    facet_arena_release(arena, positions, soup->point_count, 3 * sizeof *positions);
    if (!done)
        return facet_fail_arena(arena, error);
    *triangles = kept;
    *triangle_count = (uint32_t)(left / 3);
    if (*triangle_count > 1.5 * wanted)
        facet_report_add(options ? options->report : NULL, "SIMPLIFY-RATIO", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET, "%u triangle%s left, expected %.0f", *triangle_count,
                         facet_plural(*triangle_count, " is", "s are"), wanted);
    return FACET_OK;
}

facet_status facet_soup_fill_mesh(const facet_soup *soup, const double *points,
                                  const uint32_t *triangles, uint32_t triangle_count,
                                  facet_arena *arena, facet_mesh *mesh, facet_error *error)
{
    facet_stream *positions;
    uint32_t used = 0, corner_count = 3 * triangle_count;
    uint32_t *new_index = facet_arena_allocate(arena, soup->point_count, sizeof *new_index);
    uint32_t *indices = facet_arena_allocate(mesh->arena, corner_count, sizeof *indices);
    if (!new_index || !indices)
        return facet_fail_arena(mesh->arena, error);
    memset(new_index, 0xFF, soup->point_count * sizeof *new_index);
    for (uint32_t c = 0; c < corner_count; c++) {
        if (new_index[triangles[c]] == UINT32_MAX)
            new_index[triangles[c]] = used++;
        indices[c] = new_index[triangles[c]];
    }
    TRY(facet_mesh_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, used, &positions,
                              error));
    for (uint32_t i = 0; i < soup->point_count; i++) {
        if (new_index[i] != UINT32_MAX)
            facet_soup_position(soup, points + 3 * (size_t)i,
                                (float *)positions->data + 3 * (size_t)new_index[i]);
    }
    positions->indices = indices;
    mesh->face_count = triangle_count;
    mesh->corner_count = corner_count;
    facet_arena_release(arena, new_index, soup->point_count, sizeof *new_index);
    return FACET_OK;
}

/* -- The pass ----------------------------------------------------------- */

static facet_status simplify_mesh(const facet_mesh *mesh, const facet_simplify_options *simplify,
                                  const facet_options *options, facet_arena *arena,
                                  facet_mesh *simplified, facet_error *error)
{
    facet_soup soup;
    uint32_t *triangles = NULL, triangle_count = 0;
    facet_status status;
    if ((status = facet_soup_gather(mesh, arena, &soup, error)) ||
        (status = facet_step(options, "simplify", 0, error)))
        return status;
    facet_soup_drop_degenerate(&soup);
    if ((status = facet_soup_simplify(&soup, simplify, options, arena, &triangles, &triangle_count,
                                      error)) ||
        (status = facet_step(options, "simplify", 1, error)))
        return status;
    return facet_soup_fill_mesh(&soup, soup.points, triangles, triangle_count, arena, simplified,
                                error);
}

facet_status facet_mesh_simplify(const facet_mesh *mesh, const facet_simplify_options *simplify,
                                 const facet_options *options, facet_mesh *simplified,
                                 facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_status status = simplify_mesh(mesh, simplify, options, arena, simplified, error);
    facet_arena_free(arena);
    return status;
}
