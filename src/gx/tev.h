/* gx/tev.h - what the texture environment computes: for given colors, exactly,
 * and as a formula of textures and vertex colors. */
#ifndef FACET_GX_TEV_H
#define FACET_GX_TEV_H

#include <facet/gx_material.h>
#include <stdbool.h>
#include <stdint.h>

/* -- Numbers ------------------------------------------------------------ */

/* What comes into the stages, before swap tables: RGBA. */
typedef struct facet_gx_tev_inputs {
    uint8_t texels[16][4];
    uint8_t rasters[16][4];
} facet_gx_tev_inputs;

/* The color that leaves the last stage, in the hardware's integers. */
void facet_gx_tev_evaluate(const facet_gx_material *material, const facet_gx_tev_inputs *inputs,
                           uint8_t out[4]);

/* -- Formulas ----------------------------------------------------------- */

/* A variable: component c of texture t is t * 4 + c, of vertex color v it is
 * FACET_GX_TEV_RASTER + v * 4 + c. */
enum {
    FACET_GX_TEV_TEXTURES = 16,
    FACET_GX_TEV_RASTER = FACET_GX_TEV_TEXTURES * 4,
    FACET_GX_TEV_FACTORS = 5, /* variables that one term multiplies at most */
    FACET_GX_TEV_TERMS = 12
};

typedef struct facet_gx_tev_term {
    float factor;
    uint8_t count;
    uint8_t variables[FACET_GX_TEV_FACTORS]; /* ascending */
} facet_gx_tev_term;

/* A sum of products, 1 for 255. */
typedef struct facet_gx_tev_formula {
    uint32_t count;
    bool complex;      /* no sum of products, or too long: only `textures` and `rasters` hold */
    bool clamps;       /* somewhere on the way numbers beyond 0 to 1 are cut */
    uint32_t textures; /* bit t: depends on texture t */
    uint32_t rasters;  /* bit v: depends on vertex color v */
    facet_gx_tev_term terms[FACET_GX_TEV_TERMS];
} facet_gx_tev_formula;

/* What a stage's texture and raster color are: variables, or numbers. */
typedef struct facet_gx_tev_leaf {
    int texture; /* 0 to 15; -1: `texel` */
    uint8_t texel[4];
    int raster; /* 0 or 1; -1: `color` */
    uint8_t color[4];
    bool alpha_is_known; /* of the raster color: color[3], whatever `raster` is */
} facet_gx_tev_leaf;

/* Red, green, blue and alpha that leave the last stage. */
void facet_gx_tev_analyze(const facet_gx_material *material, const facet_gx_tev_leaf leaves[16],
                          facet_gx_tev_formula out[4]);

/* Stages that run: 1 to 16. */
uint32_t facet_gx_tev_stage_count(const facet_gx_material *material);

/* The color that selection `value` of konst gives; of alpha selections the last. */
void facet_gx_tev_konst(const facet_gx_material *material, uint32_t stage, uint8_t out[4]);

#endif
