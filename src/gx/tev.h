/* gx/tev.h - what the texture environment computes: for given colors, exactly,
 * and as a formula of textures and vertex colors. */
#ifndef FACET_GX_TEV_H
#define FACET_GX_TEV_H

#include <facet/gx_material.h>
#include <stdbool.h>
#include <stdint.h>

/* -- Programs ----------------------------------------------------------- */

/* Values that a stage can read, by number: the registers PREV, C0, C1 and C2, the
 * texel, the raster color, konst; each red, green, blue, alpha; then constants. */
enum {
    FACET_GX_TEXEL = 16,
    FACET_GX_RASTER = 20,
    FACET_GX_KONST = 24,
    FACET_GX_ONE = 28, /* 255 */
    FACET_GX_HALF = 29,
    FACET_GX_ZERO = 30,
    FACET_GX_VALUES = 31
};

/* How one of color and alpha is combined. */
typedef struct facet_gx_combination {
    uint8_t operation; /* 0 add, 1 subtract, 8 to 15 compare */
    uint8_t shift;     /* 0, 1, 2: doubled so often */
    bool half, clamp;
    int16_t bias;
    uint8_t destination; /* number of the register's first value */
} facet_gx_combination;

enum { FACET_GX_NO_MAP = 8, FACET_GX_NO_RASTER = 2, FACET_GX_BUMP = 3, FACET_GX_BUMP_NORMAL = 4 };

typedef struct facet_gx_program_stage {
    uint8_t inputs[4][4]; /* A, B, C, D by red, green, blue, alpha: values */
    facet_gx_combination color, alpha;
    uint8_t konst[4];
    uint8_t texture_swap[4], raster_swap[4];
    uint8_t texcoord;
    uint8_t map;                         /* FACET_GX_NO_MAP: white */
    uint8_t raster;                      /* 0, 1, or one of the above */
    bool samples;                        /* an input reads the texel */
    bool indirect;                       /* the coordinate is moved, or a bump alpha made */
    int8_t table;                        /* which indirect texture, or -1 */
    uint8_t format, bias, wrap[2], bump; /* as facet_gx_indirect_stage has them */
    bool add_previous;
    uint8_t matrix;      /* 0 none, 1 to 3: indirect matrix, by s, or by t */
    uint8_t matrix_kind; /* 0 whole, 1 the coordinate times s, 2 times t */
} facet_gx_program_stage;

/* A material's texture environment made ready to run for many fragments. */
typedef struct facet_gx_program {
    uint32_t stage_count, texgen_count;
    facet_gx_program_stage stages[16];
    int16_t registers[16];              /* at first */
    uint8_t color_result, alpha_result; /* number of the value that leaves the last stage */
    uint32_t indirect_count;
    struct {
        uint8_t texcoord, map, shift[2];
    } indirects[4];
    struct {
        int16_t rows[2][3]; /* 1024 is 1 */
        int8_t exponent;
    } matrices[3];
    uint8_t coordinate_maps[8]; /* of each texcoord: the map whose size scales it, the last that
                                   uses it; FACET_GX_NO_MAP */
} facet_gx_program;

void facet_gx_program_make(const facet_gx_material *material, facet_gx_program *program);

/* -- Fragments ---------------------------------------------------------- */

/* What a fragment brings along: texture coordinates in 128ths of a texel, in 24 bits
 * with sign, and the raster colors. */
typedef struct facet_gx_fragment {
    int32_t coordinates[8][2];
    uint8_t rasters[2][4];
} facet_gx_fragment;

/* Look up texture `map` at a coordinate; `texcoord` is where it comes from. */
typedef void facet_gx_lookup(void *user, unsigned map, unsigned texcoord, const int32_t at[2],
                             uint8_t texel[4]);

/* The color that leaves the last stage, in the hardware's integers. */
void facet_gx_program_run(const facet_gx_program *program, const facet_gx_fragment *fragment,
                          facet_gx_lookup *lookup, void *user, uint8_t out[4]);

/* -- Parts of it -------------------------------------------------------- */

/* Combine what one stage reads: values[FACET_GX_VALUES] is read and written. */
void facet_gx_stage_run(const facet_gx_program_stage *stage, int values[FACET_GX_VALUES]);

/* Where an indirect texel moves a coordinate to; *bump is set when the stage makes a
 * bump alpha. `previous` is the stage before's. */
void facet_gx_indirect_move(const facet_gx_program *program, const facet_gx_program_stage *stage,
                            const uint8_t texel[4], const int32_t at[2], const int32_t previous[2],
                            int32_t out[2], uint8_t *bump);

/* -- Numbers ------------------------------------------------------------ */

/* What comes into the stages, before swap tables: RGBA. */
typedef struct facet_gx_tev_inputs {
    uint8_t texels[16][4];
    uint8_t rasters[16][4];
} facet_gx_tev_inputs;

/* The color that leaves the last stage when these come into the stages. */
void facet_gx_program_evaluate(const facet_gx_program *program, const facet_gx_tev_inputs *inputs,
                               uint8_t out[4]);
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
