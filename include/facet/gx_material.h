/* facet/gx_material.h - the state of the GameCube and Wii graphics chip that a
 * material sets: lights, texture coordinates, the texture environment, tests and
 * blending. Enumerations are by number; the values and their names are those of
 * the GX library.
 *
 * Stability: experimental. */
#ifndef FACET_GX_MATERIAL_H
#define FACET_GX_MATERIAL_H

#include <facet/base.h>
#include <facet/gx_bti.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Records ------------------------------------------------------------ */

/* What material records are made of; as stored, enumerations by number. The
 * values and their names are those of the GX library. */
typedef struct facet_gx_rgba8 {
    uint8_t r, g, b, a;
} facet_gx_rgba8;
typedef struct facet_gx_rgba16 {
    int16_t r, g, b, a; /* 255 is 1; the hardware holds -1024 to 1023 */
} facet_gx_rgba16;
typedef struct facet_gx_channel {
    uint8_t lighting;             /* enabled */
    uint8_t material_source;      /* 0 register, 1 vertex */
    uint8_t light_mask;           /* bit i: light i */
    uint8_t diffuse_function;     /* 0 none, 1 signed, 2 clamp */
    uint8_t attenuation_function; /* 0 specular, 1 spot, 2 none */
    uint8_t ambient_source;       /* 0 register, 1 vertex */
    uint8_t reserved[2];
} facet_gx_channel;
typedef struct facet_gx_light {
    float position[3], direction[3];
    facet_gx_rgba8 color;
    float cosine_attenuation[3], distance_attenuation[3];
} facet_gx_light;
typedef struct facet_gx_texgen {
    uint8_t type;   /* 0 matrix 3x4, 1 matrix 2x4, 2 to 9 bump, 10 from a color channel */
    uint8_t source; /* 0 position, 1 normal, 2 binormal, 3 tangent, 4 to 11 texcoords, ... */
    uint8_t matrix; /* 30 + 3i: texture matrix i; 60 identity */
    uint8_t reserved;
} facet_gx_texgen;
typedef struct facet_gx_texture_matrix {
    uint8_t projection; /* 0: three rows, 1: two */
    uint8_t mode;       /* bits 0 to 5; bit 7: Maya's convention */
    uint16_t reserved;
    float center[3], scale[2];
    int16_t rotation; /* half a turn is 32768 */
    uint16_t reserved2;
    float translation[2];
    float effect[16]; /* row-major */
} facet_gx_texture_matrix;
typedef struct facet_gx_tev_order {
    uint8_t texcoord, texmap; /* 0xFF: none */
    uint8_t channel;          /* 4: color and alpha 0, ... */
    uint8_t reserved;
} facet_gx_tev_order;
typedef struct facet_gx_tev_combiner {
    uint8_t inputs[4]; /* A, B, C, D */
    uint8_t operation, bias, scale, clamp, destination;
} facet_gx_tev_combiner;
typedef struct facet_gx_tev_stage {
    uint8_t reserved;
    facet_gx_tev_combiner color, alpha;
    uint8_t reserved2;
} facet_gx_tev_stage;
typedef struct facet_gx_swap_mode {
    uint8_t raster_table, texture_table;
    uint8_t reserved[2];
} facet_gx_swap_mode;
typedef struct facet_gx_swap_table {
    uint8_t r, g, b, a; /* 0 red to 3 alpha */
} facet_gx_swap_table;
typedef struct facet_gx_indirect_order {
    uint8_t texcoord, texmap, reserved[2];
} facet_gx_indirect_order;
typedef struct facet_gx_indirect_matrix {
    float rows[2][3];
    int8_t exponent;
    uint8_t reserved[3];
} facet_gx_indirect_matrix;
typedef struct facet_gx_indirect_scale {
    uint8_t s, t, reserved[2]; /* divided by 2^s, 2^t */
} facet_gx_indirect_scale;
typedef struct facet_gx_indirect_stage {
    uint8_t stage, format, bias, matrix, wrap_s, wrap_t, add_previous, unmodified_lod, bump_alpha;
    uint8_t reserved[3];
} facet_gx_indirect_stage;
typedef struct facet_gx_indirect {
    uint8_t enabled, stage_count;
    uint16_t reserved;
    facet_gx_indirect_order orders[4];
    facet_gx_indirect_matrix matrices[3];
    facet_gx_indirect_scale scales[4];
    facet_gx_indirect_stage stages[16];
} facet_gx_indirect;
typedef struct facet_gx_fog {
    uint8_t type, range_adjust;
    uint16_t range_center;
    float start, end, near_z, far_z; /* distances from the eye */
    facet_gx_rgba8 color;
    uint16_t range_table[10];
} facet_gx_fog;
typedef struct facet_gx_alpha_compare {
    uint8_t comparison0, reference0, operation, comparison1, reference1;
    uint8_t reserved[3];
} facet_gx_alpha_compare;
typedef struct facet_gx_blend {
    uint8_t type, source, destination, logic;
} facet_gx_blend;
typedef struct facet_gx_depth {
    uint8_t test, comparison, write, reserved;
} facet_gx_depth;
typedef struct facet_gx_nbt_scale {
    uint8_t enabled, reserved[3];
    float scale[3];
} facet_gx_nbt_scale;

/* -- Material ----------------------------------------------------------- */

#define FACET_GX_NO_TEXTURE 0xFFFFu

/* How a texture is looked up, which goes with the texture and not with the material
 * in J3D: whoever owns the material fills it in. */
typedef struct facet_gx_sampler {
    uint8_t wrap_s, wrap_t;         /* 0 clamp, 1 repeat, 2 mirror */
    uint8_t min_filter, mag_filter; /* 0 nearest, 1 linear, 2 to 5 with mip levels */
    uint8_t edge_lod;
    int8_t min_lod, max_lod; /* in eighths of a level */
    int16_t lod_bias;        /* in hundredths of a level */
} facet_gx_sampler;

/* The whole state of the chip that a material sets, whatever file it comes from.
 * Of channels, texgens and stages as many are in use as their counts say; what is
 * behind them may be anything. It points to nothing, so it can be copied. */
typedef struct facet_gx_material {
    uint32_t cull_mode; /* which faces are not drawn: 0 none, 1 front, 2 back, 3 all */

    /* Lighting: the two raster colors of a vertex. */
    uint8_t channel_count;                                /* raster colors: 0 to 2 */
    facet_gx_channel channels[4];                         /* color 0, alpha 0, color 1, alpha 1 */
    facet_gx_rgba8 material_colors[2], ambient_colors[2]; /* the registers */
    facet_gx_light lights[8];

    /* Texture coordinates. */
    uint8_t texgen_count; /* 0 to 8 */
    facet_gx_texgen texgens[8], post_texgens[8];
    facet_gx_texture_matrix texture_matrices[10], post_matrices[20];
    facet_gx_nbt_scale nbt_scale; /* of normals and tangents, for bump texgens */

    /* The texture environment. */
    uint8_t stage_count;  /* 1 to 16 */
    uint16_t textures[8]; /* of each texture map: a number that the material's owner gives its
                             meaning, of J3D the index into the textures of the file, of a
                             scene into its images; FACET_GX_NO_TEXTURE */
    facet_gx_sampler samplers[8]; /* of each texture map */
    facet_gx_tev_order tev_orders[16];
    facet_gx_tev_stage tev_stages[16];
    facet_gx_rgba16 tev_registers[4]; /* C0, C1, C2, and one that is not loaded: PREV
                                         is 255 at first */
    facet_gx_rgba8 konst_colors[4];
    uint8_t konst_color_selections[16], konst_alpha_selections[16]; /* by stage; 0xFF, of the oldest
                                                       files, stands for 0x0C and 0x1C */
    facet_gx_swap_mode swap_modes[16];                              /* by stage */
    facet_gx_swap_table swap_tables[4];
    facet_gx_indirect indirect;

    /* From the last stage to the picture. */
    facet_gx_fog fog;
    facet_gx_alpha_compare alpha_compare;
    uint8_t early_depth; /* the depth test comes before texturing */
    facet_gx_depth depth;
    facet_gx_blend blend;
    uint8_t dither;
    uint8_t translucent; /* drawn after all that is not, what is far before what is near; whoever
                            owns the material says so */
} facet_gx_material;

/* A bit for each member of facet_gx_material that a material of J3D may leave out: bit `i` of a
 * mask is for element i. */
typedef struct facet_gx_given {
    bool cull_mode, channel_count, texgen_count, stage_count, early_depth, depth, dither;
    bool fog, alpha_compare, blend, nbt_scale, indirect;
    uint8_t material_colors, channels, ambient_colors, lights, texgens, post_texgens, textures,
        konst_colors, tev_registers, swap_tables;
    uint16_t texture_matrices, tev_orders, tev_stages, swap_modes;
    uint32_t post_matrices;
} facet_gx_given;

/* The material that says nothing yet: white without light, no texture, one stage
 * that shows the raster color, back faces culled, depth tested and written,
 * blended by alpha. */
FACET_EXPERIMENTAL_API void facet_gx_material_init(facet_gx_material *material);

/* Whether the numbers of the material stand for something: counts are within the arrays,
 * an enumeration's number fits into the bits that the chip has for it (rules GX-COUNT and
 * GX-NUMBER), and the floats of matrices and fog are finite (GX-FLOAT). Only what is in use
 * is looked at. FACET_ERROR_ARGUMENT; *error says which. A material that was read from a
 * file passes on what the file says, so one that is of unknown origin is to be asked. */
FACET_EXPERIMENTAL_API facet_status facet_gx_material_check(const facet_gx_material *material,
                                                            facet_error *error);

/* -- What a file says ---------------------------------------------------- */

/* A texture as a model or a texture file has it. */
typedef struct facet_gx_file_texture {
    const char *name; /* UTF-8, in models with ":1" after the second of that name, and so on; NULL:
                         it has none */
    uint32_t index;   /* in the file */
    bool has_header;
    facet_bti_header header; /* without its offsets, which are 0 */
} facet_gx_file_texture;

/* A material as its file stores it: the numbers of facet_gx_material unchanged, and what that
 * struct has no member for. The reader of J3D makes it, or facet_load from the JSON text in the
 * extras of a glTF material. */
typedef struct facet_gx_file_material {
    const char *extras; /* the text that it was made of; NULL: none, it was read from a file */
    bool has_others;    /* `extras` holds what is not said here */
    bool is_known;      /* there is a state; else there may be textures */
    facet_gx_given given;
    uint8_t mode; /* which list it is drawn in: 1 opaque, 2 texture edge, 4 translucent */
    uint16_t unused[12];
    facet_gx_material gx; /* as in the file: numbers may be infinite; textures, where they are
                             given, index `textures` */
    facet_gx_file_texture *textures; /* those that it uses, each once */
    uint32_t texture_count;
    const char *wrong, *wrong_textures; /* why the text's state, its textures are not here; NULL */
} facet_gx_file_material;

/* The same of an image: the textures that show it. */
typedef struct facet_gx_file_image {
    const char *extras;
    bool has_others;
    bool is_computed; /* of no texture: it shows what a material computes */
    facet_gx_file_texture *textures;
    uint32_t texture_count;
    const char *wrong_textures;
} facet_gx_file_image;

/* A joint of a J3D model as it stores it: the members of facet_j3d_joint. */
typedef struct facet_gx_file_joint {
    uint16_t kind;
    uint8_t scale_compensate, unknown;
    float scale[3]; /* numbers may be infinite */
    int16_t rotation[3];
    uint16_t unknown2;
    float translation[3], radius, minimum[3], maximum[3];
} facet_gx_file_joint;

/* A shape of a J3D model as it stores it: the members of facet_j3d_shape. */
typedef struct facet_gx_file_shape {
    uint8_t type, unknown;
    uint16_t unknown2;
    float radius, minimum[3], maximum[3];
} facet_gx_file_shape;

/* What a J3D model stores of itself as a whole. */
typedef struct facet_gx_file_model {
    uint8_t kind;   /* facet_j3d_kind */
    uint16_t flags; /* of the hierarchy; the lower four bits are the scaling rule */
    bool generation_a;
} facet_gx_file_model;

/* An animation file. */
typedef struct facet_gx_file_animation {
    const char *name;     /* NULL: that of the scene's animation */
    const char *kind;     /* "bck" and so on, or NULL */
    int32_t loop;         /* the mode as stored; -1: not said */
    int32_t frames;       /* where `loop` is said */
    double rate;          /* frames per second; 0: not said */
    const uint8_t *bytes; /* the file; NULL: missing, or not base64 in the text */
    size_t size;
} facet_gx_file_animation;

/* What files of GameCube and Wii say of a node, a mesh, an animation or a scene. The reader of J3D
 * makes it, or facet_load from the JSON text in extras. Members are NULL where nothing is said, or
 * something wrong. */
typedef struct facet_gx_file_part {
    const char *extras;               /* the text that it was made of; NULL: none */
    bool has_others;                  /* `extras` holds what is not said here */
    facet_gx_file_joint *joint;       /* of a node */
    facet_gx_file_shape *shape;       /* of a mesh, or of the node that has it */
    facet_gx_file_model *model;       /* of a scene */
    facet_gx_file_animation *motion;  /* of an animation */
    facet_gx_file_animation *carried; /* of a scene: files that it has no channels for */
    uint32_t carried_count;
    const char *wrong_joint, *wrong_shape, *wrong_model; /* why the text's are not here; NULL */
} facet_gx_file_part;

/* -- Shaders ------------------------------------------------------------ */

/* The material as shaders in GLSL ES 3.00 for WebGL 2 and OpenGL ES 3, which compute in
 * the chip's integers: `text` gets at most `size` bytes with a NUL, like snprintf, and
 * the whole length is returned.
 *
 * The vertex shader takes position, normal, tangent (w is the sign of the bitangent),
 * color0 and color1 (0 to 1), texcoord0 to texcoord7, as the material needs them, and
 * the uniforms world, view and projection (mat4), and of eight lights, where they are
 * in view, light_position, light_direction (against the light), light_color (0 to 255),
 * light_cosine and light_distance (vec4 arrays).
 * The fragment shader takes samplers texmap0 to texmap7 without sRGB decoding, and
 * discards what the comparison of alpha does; with `fog` it needs a depth from 0 to 1.
 * Culling, depth and blending are the caller's state: facet_gx_material's numbers.
 * Both take the uniforms of facet_gx_shader_values. */
FACET_EXPERIMENTAL_API size_t facet_gx_vertex_shader(const facet_gx_material *material, char *text,
                                                     size_t size);
FACET_EXPERIMENTAL_API size_t facet_gx_fragment_shader(const facet_gx_material *material, bool fog,
                                                       char *text, size_t size);

/* What animations change, as uniforms: `registers` (ivec4[3]: C0, C1, C2), `konst`
 * (ivec4[4]), `material_color` and `ambient_color` (vec4[2], 0 to 255), and
 * `texture_rows` (vec4[30]: three rows of each of ten texture matrices, before the
 * places that the shader multiplies in). */
typedef struct facet_gx_shader_values {
    int32_t registers[3][4], konst[4][4];
    float material_color[2][4], ambient_color[2][4];
    float texture_rows[30][4];
} facet_gx_shader_values;
FACET_EXPERIMENTAL_API void facet_gx_material_shader_values(const facet_gx_material *material,
                                                            facet_gx_shader_values *values);

#ifdef __cplusplus
}
#endif
#endif
