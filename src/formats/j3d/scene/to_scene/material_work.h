/* formats/j3d/scene/to_scene/material_work.h - what the files share that make a scene's material of
 * the texture environment. They run in this order on each material, and what one has
 * settled, the next no longer sees:
 *
 *   alpha      blending, comparison          -> alpha mode and cut-off
 *   inputs     orders of the stages          -> textures and raster colors of each
 *   textures   what follows view or light    -> colors in its place
 *   vertices   raster colors                -> color and alpha of the vertices
 *   textures   what lies otherwise           -> the one texture that is shown
 *   result     the formulas that are left    -> base color, texture, computed image
 *   opacity    alpha of all these            -> no alpha mode where nothing is seen through */
#ifndef FACET_J3D_TO_SCENE_MATERIAL_WORK_H
#define FACET_J3D_TO_SCENE_MATERIAL_WORK_H

#include "base/report.h"
#include "base/table.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/to_scene/material.h"
#include "gx/tev.h"

#include <facet/scene.h>

/* -- Textures ----------------------------------------------------------- */

/* How a stage's texture lies on the surface. */
typedef struct j3d_mapping {
    bool is_uv;       /* on texture coordinates of the vertices */
    bool from_light;  /* on the colors of a channel: a ramp from dark to light */
    bool mirrors;     /* on normals or what is seen: what is around is reflected */
    uint8_t texcoord; /* of the document */
    float rows[2][4]; /* u' and v' of (u, v, 1, 1) */
} j3d_mapping;

/* A texture as stages sample it. */
typedef struct j3d_sampled {
    uint16_t texture; /* of the document */
    j3d_mapping map;
} j3d_sampled;

/* -- Materials ---------------------------------------------------------- */

/* All materials of a document on their way. */
typedef struct j3d_painter {
    const facet_j3d *document;
    facet_scene *scene;
    const facet_options *options;
    facet_error *error;
    facet_arena *scratch;
    facet_j3d_naming naming;
    uint32_t *image_of;
    uint32_t first_material; /* of the scene: slot 0 */
    uint64_t baked_texels;
    facet_table computed;         /* images of the scene */
    const facet_image *candidate; /* for the next of them */
    uint8_t (*mean_colors)[2][4]; /* per slot, of colors 0 and 1; NULL: not known yet */
    struct j3d_average {
        bool is_known, solid_is_known;
        uint8_t color[4];
        bool is_solid;    /* no texel lets anything through */
    } * averages;         /* per texture: of all its texels */
    uint8_t *least_alpha; /* per slot, of colors 0; with mean_colors; 0 when there are none */
    facet_tally unbaked;
} j3d_painter;

/* What a scene's material cannot say, in the words of the report: material.c. */
typedef enum j3d_doubt {
    J3D_DOUBT_ADDED = 1 << 0,       /* drawn by adding, or subtracting */
    J3D_DOUBT_MIXED = 1 << 1,       /* blended otherwise than by alpha */
    J3D_DOUBT_HOLES = 1 << 2,       /* blended, and hides what is behind */
    J3D_DOUBT_TEST = 1 << 3,        /* a test of alpha that is no cut-off */
    J3D_DOUBT_REFLECTION = 1 << 4,  /* on normals or the view */
    J3D_DOUBT_RAMP = 1 << 5,        /* on the light */
    J3D_DOUBT_COORDINATES = 1 << 6, /* several textures that lie otherwise */
    J3D_DOUBT_VERTICES = 1 << 7,    /* vertex colors that are no factor */
    J3D_DOUBT_SCALE = 1 << 8,       /* made brighter than light and colors allow */
    J3D_DOUBT_INDIRECT = 1 << 9
} j3d_doubt;

/* How a color is put over what was drawn before when it neither covers nor is mixed. */
typedef enum j3d_addition { J3D_NO_ADDITION = 0, J3D_ADDS, J3D_SUBTRACTS } j3d_addition;

/* One material on its way. */
typedef struct j3d_material_work {
    uint32_t slot;
    facet_gx_material gx;
    j3d_sampled textures[FACET_GX_TEV_TEXTURES];
    uint32_t texture_count;
    facet_gx_tev_leaf leaves[16];
    int base;        /* the texture that the scene's material shows, or -1 */
    uint32_t doubts; /* j3d_doubt; 0: nothing had to be left out */
    j3d_addition addition;
    bool ignores_alpha; /* what is added is the color as it is */
    facet_j3d_vertex_wants *wants;
    facet_material *out;
} j3d_material_work;

/* The scene's image of a texture. */
static inline const facet_image *facet_j3d_sampled_image(const j3d_painter *p,
                                                         const j3d_sampled *texture)
{
    return p->scene->images[p->image_of[texture->texture]];
}

/* -- material.c --------------------------------------------------------- */

/* All steps but the last, of a state in w->gx; `formulas` are those of what is left. */
facet_status facet_j3d_settle_material(j3d_painter *p, j3d_material_work *w,
                                       facet_gx_tev_formula formulas[4]);

/* -- material_alpha.c --------------------------------------------------- */

/* Blending and the comparison of alpha as an alpha mode, with its cut-off. */
void facet_j3d_settle_alpha(j3d_material_work *w);

bool facet_j3d_passes_alpha(const facet_gx_alpha_compare *test, unsigned alpha);

/* -- material_opacity.c ------------------------------------------------- */

/* The last step: OPAQUE where alpha is 1 everywhere. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_settle_opacity(j3d_painter *p, j3d_material_work *w);

/* -- material_inputs.c -------------------------------------------------- */

bool facet_j3d_same_mapping(const j3d_mapping *a, const j3d_mapping *b);
/* The textures and raster colors that come into each stage: w->leaves. */
void facet_j3d_find_leaves(const j3d_painter *p, j3d_material_work *w);

/* -- material_textures.c ------------------------------------------------ */

/* What does not lie on texture coordinates goes first: without it, vertex colors
 * may be a factor of all that is left. Then it is known whether light falls on it. */
void facet_j3d_settle_reflections(const j3d_painter *p, j3d_material_work *w);
/* Choose the texture whose coordinates the material takes: the first that the
 * color depends on, else the alpha. Textures that lie otherwise become colors.
 * `formulas` are those of what is left. */
void facet_j3d_settle_textures(const j3d_painter *p, j3d_material_work *w, bool with_alpha,
                               facet_gx_tev_formula formulas[4]);

/* -- material_vertices.c ------------------------------------------------ */

/* Decide what comes from the vertices; what remains is computed with numbers: a
 * register's color, and in place of the vertices' white where they are a factor,
 * else their mean. */
facet_status facet_j3d_settle_rasters(j3d_painter *p, j3d_material_work *w);

/* -- material_means.c --------------------------------------------------- */

/* Fill in p->mean_colors: of a slot's shapes, the mean over the corners of all
 * triangles, whatever their size; white when they have no colors. The first call
 * decodes every shape, later ones do nothing. */
facet_status facet_j3d_find_mean_colors(j3d_painter *p);

/* -- material_result.c -------------------------------------------------- */

/* The base color, linear, when color and texture can be taken as they are; *textured is
 * true when the texture is shown. What is brighter than 1 goes to the vertex colors. */
bool facet_j3d_plain_color(const j3d_painter *p, j3d_material_work *w,
                           const facet_gx_tev_formula formulas[4], float color[4], bool *textured);
/* Base color and texture of the scene's material, by the formulas; what they
 * cannot say is computed into an image. */
facet_status facet_j3d_set_color(j3d_painter *p, j3d_material_work *w,
                                 const facet_gx_tev_formula formulas[4]);

#endif
