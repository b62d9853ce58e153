/* formats/j3d/patch/flat_triangles.c - triangles without area in the shapes of the original. A
 * program cannot compute the direction of one: Blender spoils the normals of its corners on export.
 */
#include "formats/j3d/patch/compare.h"

#include "base/arena.h"
#include "base/error.h"

#include <math.h>

/* True if a triangle has no area, to a millionth of its longest side. */
static bool is_line(const facet_j3d_known_shape *known, uint32_t triangle)
{
    const float *at[3];
    double sides[3][3], longest = 0, cross = 0;
    for (int k = 0; k < 3; k++)
        at[k] = known->places +
                (size_t)known->group[known->corners[triangle * (size_t)3 + (size_t)k]] * 3;
    for (int k = 0; k < 3; k++) {
        double square = 0;
        for (int i = 0; i < 3; i++) {
            sides[k][i] = (double)at[(k + 1) % 3][i] - (double)at[k][i];
            square += sides[k][i] * sides[k][i];
        }
        longest = fmax(longest, square);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double part = sides[0][j] * sides[1][k] - sides[0][k] * sides[1][j];
        cross += part * part;
    }
    return cross <= 1e-12 * longest * longest;
}

facet_status facet_j3d_like_find_flat(const facet_j3d_builder *b, facet_j3d_known_shape *known)
{
    known->is_flat = facet_j3d_builder_scratch(b, known->vertex_count, sizeof *known->is_flat);
    if (!known->is_flat)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t t = 0; t < known->triangle_count; t++) {
        bool flat = is_line(known, t);
        for (int i = 0; i < 3 && flat; i++)
            known->is_flat[known->group[known->corners[(size_t)t * 3 + (size_t)i]]] = true;
    }
    return FACET_OK;
}

bool facet_j3d_like_is_flat(const facet_j3d_known_shape *known, uint32_t v)
{
    return known->is_flat[known->group[v]];
}
