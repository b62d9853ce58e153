/* gx/tev.h - results of the texture environment: exact, for given colors, and as a formula of
 * textures and vertex colors. */
#ifndef FACET_GX_TEV_H
#define FACET_GX_TEV_H

#include <facet/gx_material.h>
#include <stdbool.h>
#include <stdint.h>

/* -- Programs ----------------------------------------------------------- */

/* Numbers of the values that a stage can read. First are red, green, blue and alpha of PREV, C0,
 * C1, C2, the texel, the raster color and konst; then come constants. */
enum {
    FACET_GX_TEXEL = 16,
    FACET_GX_RASTER = 20,
    FACET_GX_KONST = 24,
    FACET_GX_ONE = 28, /* the constant 255 */
    FACET_GX_HALF = 29,
    FACET_GX_ZERO = 30,
    FACET_GX_VALUES = 31
};

/* The operation of a color or alpha combiner. */
typedef struct facet_gx_combination {
    uint8_t operation; /* 0 add, 1 subtract, 8 to 15 compare */
    uint8_t shift;     /* 0, 1 or 2: number of doublings */
    bool half, clamp;
    int16_t bias;
    uint8_t destination; /* value number of the register's red */
} facet_gx_combination;

enum { FACET_GX_NO_MAP = 8, FACET_GX_NO_RASTER = 2, FACET_GX_BUMP = 3, FACET_GX_BUMP_NORMAL = 4 };

typedef struct facet_gx_program_stage {
    uint8_t inputs[4][4]; /* value numbers of A, B, C, D for red, green, blue, alpha */
    facet_gx_combination color, alpha;
    uint8_t konst[4];
    uint8_t texture_swap[4], raster_swap[4];
    uint8_t texcoord;
    uint8_t map;                         /* FACET_GX_NO_MAP: the texel is white */
    uint8_t raster;                      /* 0, 1, or a constant above */
    bool samples;                        /* true if an input reads the texel */
    bool indirect;                       /* the stage moves a coordinate, or makes a bump alpha */
    int8_t table;                        /* indirect texture, or -1 */
    uint8_t format, bias, wrap[2], bump; /* values of facet_gx_indirect_stage */
    bool add_previous;
    uint8_t matrix;      /* 0 none, 1 to 3: indirect matrix, by s, or by t */
    uint8_t matrix_kind; /* 0 the full matrix, 1 the coordinate times s, 2 times t */
} facet_gx_program_stage;

/* A material's texture environment, prepared for many fragments. */
typedef struct facet_gx_program {
    uint32_t stage_count, texgen_count;
    facet_gx_program_stage stages[16];
    int16_t registers[16];              /* initial values */
    uint8_t color_result, alpha_result; /* value number of the result */
    uint32_t indirect_count;
    struct {
        uint8_t texcoord, map, shift[2];
    } indirects[4];
    struct {
        int16_t rows[2][3]; /* matrix rows; 1024 means 1 */
        int8_t exponent;
    } matrices[3];
    uint8_t coordinate_maps[8]; /* map whose size scales each texcoord: the one of its last use;
                                   FACET_GX_NO_MAP if unused */
} facet_gx_program;

void facet_gx_program_make(const facet_gx_material *material, facet_gx_program *program);

/* -- Fragments ---------------------------------------------------------- */

/* Inputs of a fragment: texture coordinates in 128ths of a texel, in 24 bits with sign, and the
 * raster colors. */
typedef struct facet_gx_fragment {
    int32_t coordinates[8][2];
    uint8_t rasters[2][4];
} facet_gx_fragment;

/* Look up texture `map` at the coordinate `at`, which comes from texcoord `texcoord`. */
typedef void facet_gx_lookup(void *user, unsigned map, unsigned texcoord, const int32_t at[2],
                             uint8_t texel[4]);

/* Compute the output color of the last stage in the hardware's integers. */
void facet_gx_program_run(const facet_gx_program *program, const facet_gx_fragment *fragment,
                          facet_gx_lookup *lookup, void *user, uint8_t out[4]);

/* -- Single steps ------------------------------------------------------- */

/* Run one stage. It reads and writes values[FACET_GX_VALUES]. */
void facet_gx_stage_run(const facet_gx_program_stage *stage, int values[FACET_GX_VALUES]);

/* Move a coordinate by an indirect texel. Set *bump if the stage makes a bump alpha. `previous` is
 * the coordinate of the stage before. */
void facet_gx_indirect_move(const facet_gx_program *program, const facet_gx_program_stage *stage,
                            const uint8_t texel[4], const int32_t at[2], const int32_t previous[2],
                            int32_t out[2], uint8_t *bump);

/* -- Evaluation --------------------------------------------------------- */

/* The inputs of the stages in RGBA, before swap tables. */
typedef struct facet_gx_tev_inputs {
    uint8_t texels[16][4];
    uint8_t rasters[16][4];
} facet_gx_tev_inputs;

/* Compute the output color of the last stage for these inputs. */
void facet_gx_program_evaluate(const facet_gx_program *program, const facet_gx_tev_inputs *inputs,
                               uint8_t out[4]);
void facet_gx_tev_evaluate(const facet_gx_material *material, const facet_gx_tev_inputs *inputs,
                           uint8_t out[4]);

/* -- Formulas ----------------------------------------------------------- */

/* Numbers of variables: component c of texture t is t * 4 + c, component c of vertex color v is
 * FACET_GX_TEV_RASTER + v * 4 + c. */
enum {
    FACET_GX_TEV_TEXTURES = 16,
    FACET_GX_TEV_RASTER = FACET_GX_TEV_TEXTURES * 4,
    FACET_GX_TEV_FACTORS = 5, /* maximum number of variables in one term */
    FACET_GX_TEV_TERMS = 12
};

typedef struct facet_gx_tev_term {
    float factor;
    uint8_t count;
    uint8_t variables[FACET_GX_TEV_FACTORS]; /* ascending */
} facet_gx_tev_term;

/* A sum of products; 1 means 255. */
typedef struct facet_gx_tev_formula {
    uint32_t count;
    bool complex;      /* not a sum of products, or too long: only `textures` and `rasters` are
                          valid */
    bool clamps;       /* an intermediate value can be clamped to 0 to 1 */
    uint32_t textures; /* bit t: the result depends on texture t */
    uint32_t rasters;  /* bit v: the result depends on vertex color v */
    facet_gx_tev_term terms[FACET_GX_TEV_TERMS];
} facet_gx_tev_formula;

/* The texture and raster color of a stage, each as a variable or as numbers. */
typedef struct facet_gx_tev_leaf {
    int texture; /* 0 to 15; -1: `texel` has the numbers */
    uint8_t texel[4];
    int raster; /* 0 or 1; -1: `color` has the numbers */
    uint8_t color[4];
    bool alpha_is_known; /* alpha of the raster color is color[3], for any `raster` */
} facet_gx_tev_leaf;

/* Compute the formulas of red, green, blue and alpha after the last stage. */
void facet_gx_tev_analyze(const facet_gx_material *material, const facet_gx_tev_leaf leaves[16],
                          facet_gx_tev_formula out[4]);

/* The number of active stages: 1 to 16. */
uint32_t facet_gx_tev_stage_count(const facet_gx_material *material);

/* Get the konst color of a stage: RGB by its color selection, alpha by its alpha selection. */
void facet_gx_tev_konst(const facet_gx_material *material, uint32_t stage, uint8_t out[4]);

#endif
