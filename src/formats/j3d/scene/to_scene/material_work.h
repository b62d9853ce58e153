/* formats/j3d/scene/to_scene/material_work.h - shared declarations of the files that convert the
 * texture environment to a scene's material. They run on each material in this order, and each step
 * removes the parts that it has converted:
 *
 * - alpha: blending, comparison -> alpha mode and cut-off
 * - inputs: orders of the stages -> textures and raster colors of each
 * - textures: dependence on view or light -> colors in their place
 * - vertices: raster colors -> color and alpha of the vertices
 * - textures: different mappings -> the one texture that is shown
 * - result: the remaining formulas -> base color, texture, computed image
 * - opacity: alpha of all these -> no alpha mode if nothing is transparent */
#ifndef FACET_J3D_TO_SCENE_MATERIAL_WORK_H
#define FACET_J3D_TO_SCENE_MATERIAL_WORK_H

#include "base/report.h"
#include "base/table.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/to_scene/material.h"
#include "gx/tev.h"

#include <facet/scene.h>

/* -- Textures ----------------------------------------------------------- */

/* The mapping of a stage's texture on the surface. */
typedef struct j3d_mapping {
    bool is_uv;       /* by texture coordinates of the vertices */
    bool from_light;  /* by the colors of a channel: a ramp from dark to light */
    bool mirrors;     /* by normals or the view: it reflects the surroundings */
    uint8_t texcoord; /* texcoord of the document */
    float rows[2][4]; /* u' and v' from (u, v, 1, 1) */
} j3d_mapping;

/* A texture as stages sample it. */
typedef struct j3d_sampled {
    uint16_t texture; /* index in the document */
    j3d_mapping map;
} j3d_sampled;

/* -- Materials ---------------------------------------------------------- */

/* State of the conversion of all materials of a document. */
typedef struct j3d_painter {
    const facet_j3d *document;
    facet_scene *scene;
    const facet_options *options;
    facet_error *error;
    facet_arena *scratch;
    facet_j3d_naming naming;
    uint32_t *image_of;
    uint32_t first_material; /* index of slot 0 in the scene */
    uint64_t baked_texels;
    facet_table computed;         /* computed images of the scene */
    const facet_image *candidate; /* image that the table compares as the next one */
    uint8_t (*mean_colors)[2][4]; /* per slot, for colors 0 and 1; NULL: not computed yet */
    struct j3d_average {
        bool is_known, solid_is_known;
        uint8_t color[4];
        bool is_solid;    /* all texels are opaque */
    } * averages;         /* per texture: average of all its texels */
    uint8_t *least_alpha; /* per slot: minimum alpha of color 0; computed with mean_colors; 0
                             without colors */
    facet_tally unbaked;
} j3d_painter;

/* Properties that a scene's material cannot express. material.c has the text of each. */
typedef enum j3d_doubt {
    J3D_DOUBT_ADDED = 1 << 0,       /* blended by addition or subtraction */
    J3D_DOUBT_MIXED = 1 << 1,       /* blended, but not by alpha */
    J3D_DOUBT_HOLES = 1 << 2,       /* blended, and writes depth */
    J3D_DOUBT_TEST = 1 << 3,        /* an alpha test that is not a cut-off */
    J3D_DOUBT_REFLECTION = 1 << 4,  /* mapped by normals or the view */
    J3D_DOUBT_RAMP = 1 << 5,        /* mapped by light */
    J3D_DOUBT_COORDINATES = 1 << 6, /* several textures with different mappings */
    J3D_DOUBT_VERTICES = 1 << 7,    /* vertex colors that are not a factor */
    J3D_DOUBT_SCALE = 1 << 8,       /* brighter than light and colors allow */
    J3D_DOUBT_INDIRECT = 1 << 9
} j3d_doubt;

/* Kind of blending that adds a color to the frame. */
typedef enum j3d_addition { J3D_NO_ADDITION = 0, J3D_ADDS, J3D_SUBTRACTS } j3d_addition;

/* State of the conversion of one material. */
typedef struct j3d_material_work {
    uint32_t slot;
    facet_gx_material gx;
    j3d_sampled textures[FACET_GX_TEV_TEXTURES];
    uint32_t texture_count;
    facet_gx_tev_leaf leaves[16];
    int base;        /* texture that the scene's material shows, or -1 */
    uint32_t doubts; /* bits of j3d_doubt; 0: everything was converted */
    j3d_addition addition;
    bool ignores_alpha; /* the color is added without a factor of alpha */
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

/* Run all steps except the last for the state in w->gx. `formulas` gets the remaining formulas. */
facet_status facet_j3d_convert_material(j3d_painter *p, j3d_material_work *w,
                                        facet_gx_tev_formula formulas[4]);

/* -- material_alpha.c --------------------------------------------------- */

/* Convert blending and alpha comparison to an alpha mode with its cut-off. */
void facet_j3d_convert_alpha(j3d_material_work *w);

bool facet_j3d_passes_alpha(const facet_gx_alpha_compare *test, unsigned alpha);

/* -- material_opacity.c ------------------------------------------------- */

/* Run the last step: OPAQUE if alpha is 1 everywhere. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_convert_opacity(j3d_painter *p, j3d_material_work *w);

/* -- material_inputs.c -------------------------------------------------- */

bool facet_j3d_same_mapping(const j3d_mapping *a, const j3d_mapping *b);
/* Find the textures and raster colors of each stage: w->leaves. */
void facet_j3d_find_leaves(const j3d_painter *p, j3d_material_work *w);

/* -- material_textures.c ------------------------------------------------ */

/* Replace textures that do not use texture coordinates. This runs first: vertex colors can then be
 * a factor of the rest. It also shows whether light affects the material. */
void facet_j3d_convert_reflections(const j3d_painter *p, j3d_material_work *w);
/* Choose the shown texture: the first that the color depends on, else the alpha. Textures with
 * other mappings become colors. `formulas` gets the remaining formulas. */
void facet_j3d_convert_textures(const j3d_painter *p, j3d_material_work *w, bool with_alpha,
                                facet_gx_tev_formula formulas[4]);

/* -- material_vertices.c ------------------------------------------------ */

/* Decide the parts that vertices provide. The rest uses numbers: a register's color, and for vertex
 * colors white if they are a factor, else their mean. */
facet_status facet_j3d_convert_rasters(j3d_painter *p, j3d_material_work *w);

/* -- material_means.c --------------------------------------------------- */

/* Fill in p->mean_colors: for each slot, the mean over the corners of all its triangles,
 * independent of their area; white without colors. The first call decodes every shape, later ones
 * do nothing. */
facet_status facet_j3d_find_mean_colors(j3d_painter *p);

/* -- material_result.c -------------------------------------------------- */

/* Get the linear base color if color and texture need no computed image. *textured is true if the
 * texture is shown. Values above 1 move to the vertex colors. */
bool facet_j3d_plain_color(const j3d_painter *p, j3d_material_work *w,
                           const facet_gx_tev_formula formulas[4], float color[4], bool *textured);
/* Set base color and texture of the scene's material from the formulas. If they are too complex,
 * compute an image. */
facet_status facet_j3d_set_color(j3d_painter *p, j3d_material_work *w,
                                 const facet_gx_tev_formula formulas[4]);

#endif
