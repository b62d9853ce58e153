/* facet/gx_material.h - the state of the GameCube and Wii graphics chip that a material sets:
 * lights, texture coordinates, the texture environment, tests and blending. Enumerations are
 * numbers; the values and their names are those of the GX library.
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

/* Records of a material, as stored. Enumerations are numbers; the values and their names are those
 * of the GX library. */
typedef struct facet_gx_rgba8 {
    uint8_t r, g, b, a;
} facet_gx_rgba8;
typedef struct facet_gx_rgba16 {
    int16_t r, g, b, a; /* 255 means 1; the hardware stores -1024 to 1023 */
} facet_gx_rgba16;
typedef struct facet_gx_channel {
    uint8_t lighting;             /* 1: lighting is enabled */
    uint8_t material_source;      /* 0 register, 1 vertex */
    uint8_t light_mask;           /* bit i enables light i */
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
    uint8_t source; /* 0 position, 1 normal, 2 binormal, 3 tangent, 4 to 11 texcoord 0 to 7, ... */
    uint8_t matrix; /* 30 + 3i: texture matrix i; 60: identity */
    uint8_t reserved;
} facet_gx_texgen;
typedef struct facet_gx_texture_matrix {
    uint8_t projection; /* 0: three rows, 1: two */
    uint8_t mode;       /* bits 0 to 5: mode; bit 7: Maya's convention */
    uint16_t reserved;
    float center[3], scale[2];
    int16_t rotation; /* 32768 is half a turn */
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
    uint8_t s, t, reserved[2]; /* s, t: divide coordinates by 2^s, 2^t */
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

/* Lookup parameters of a texture. In J3D they belong to the texture, not to the material: the owner
 * of the material sets them. */
typedef struct facet_gx_sampler {
    uint8_t wrap_s, wrap_t;         /* 0 clamp, 1 repeat, 2 mirror */
    uint8_t min_filter, mag_filter; /* 0 nearest, 1 linear, 2 to 5 with mip levels */
    uint8_t edge_lod;
    int8_t min_lod, max_lod; /* in eighths of a level */
    int16_t lod_bias;        /* in hundredths of a level */
} facet_gx_sampler;

/* The complete state of the chip that a material sets, for any file format. channel_count,
 * texgen_count and stage_count define the elements in use; others may have any value. The struct
 * contains no pointers, so it can be copied. */
typedef struct facet_gx_material {
    uint32_t cull_mode; /* faces that are not drawn: 0 none, 1 front, 2 back, 3 all */

    /* Lighting: the two raster colors of a vertex. */
    uint8_t channel_count;                                /* number of raster colors, 0 to 2 */
    facet_gx_channel channels[4];                         /* color 0, alpha 0, color 1, alpha 1 */
    facet_gx_rgba8 material_colors[2], ambient_colors[2]; /* values of the registers */
    facet_gx_light lights[8];

    /* Texture coordinates. */
    uint8_t texgen_count; /* 0 to 8 */
    facet_gx_texgen texgens[8], post_texgens[8];
    facet_gx_texture_matrix texture_matrices[10], post_matrices[20];
    facet_gx_nbt_scale nbt_scale; /* scale of normals and tangents, for bump texgens */

    /* The texture environment. */
    uint8_t stage_count;          /* 1 to 16 */
    uint16_t textures[8];         /* texture of each texture map: a number whose meaning the owner
                                     defines. In J3D it is an index into the textures of the file, in a
                                     scene an index into its images; FACET_GX_NO_TEXTURE: none */
    facet_gx_sampler samplers[8]; /* one per texture map */
    facet_gx_tev_order tev_orders[16];
    facet_gx_tev_stage tev_stages[16];
    facet_gx_rgba16 tev_registers[4]; /* C0, C1, C2, and one that is not loaded: PREV is
                                         initially 255 */
    facet_gx_rgba8 konst_colors[4];
    uint8_t konst_color_selections[16], konst_alpha_selections[16]; /* one per stage; 0xFF, in
                                                                       the oldest files, means
                                                                       0x0C and 0x1C */
    facet_gx_swap_mode swap_modes[16];                              /* one per stage */
    facet_gx_swap_table swap_tables[4];
    facet_gx_indirect indirect;

    /* Steps from the last stage to the picture. */
    facet_gx_fog fog;
    facet_gx_alpha_compare alpha_compare;
    uint8_t early_depth; /* the depth test runs before texturing */
    facet_gx_depth depth;
    facet_gx_blend blend;
    uint8_t dither;
    uint8_t translucent; /* drawn after all opaque materials, from far to near; set by the owner
                            of the material */
} facet_gx_material;

/* One bit for each member of facet_gx_material that a J3D material may leave out. Bit `i` of a mask
 * is for element i. */
typedef struct facet_gx_given {
    bool cull_mode, channel_count, texgen_count, stage_count, early_depth, depth, dither;
    bool fog, alpha_compare, blend, nbt_scale, indirect;
    uint8_t material_colors, channels, ambient_colors, lights, texgens, post_texgens, textures,
        konst_colors, tev_registers, swap_tables;
    uint16_t texture_matrices, tev_orders, tev_stages, swap_modes;
    uint32_t post_matrices;
} facet_gx_given;

/* Set the default material: white without light, no texture, one stage that outputs the raster
 * color, back faces culled, depth tested and written, blended by alpha. */
FACET_EXPERIMENTAL_API void facet_gx_material_init(facet_gx_material *material);

/* Check the numbers of a material. Counts must be within the arrays (rule GX-COUNT), enumerations
 * must fit into the bits of the chip (GX-NUMBER), and the floats of matrices and fog must be finite
 * (GX-FLOAT). Only elements in use are checked. Returns FACET_ERROR_ARGUMENT with a description in
 * *error. A material read from a file has the values of the file, so check materials of unknown
 * origin. */
FACET_EXPERIMENTAL_API facet_status facet_gx_material_check(const facet_gx_material *material,
                                                            facet_error *error);

/* -- Data of files ------------------------------------------------------- */

/* A texture as a model or a texture file stores it. */
typedef struct facet_gx_file_texture {
    const char *name; /* UTF-8; in models with ":1" after the second texture of that name, and so
                         on; NULL: no name */
    uint32_t index;   /* in the file */
    bool has_header;
    facet_bti_header header; /* without its offsets, which are 0 */
} facet_gx_file_texture;

/* The appearance of a material when its state was read: members of facet_material and of its
 * texture of the base color. A writer of J3D uses the state only as long as the material has this
 * appearance. */
typedef struct facet_gx_file_look {
    float base_color[4], alpha_cutoff;
    uint8_t alpha_mode; /* facet_alpha_mode */
    bool double_sided, unlit;
    bool has_texture;
    const char *texture; /* name of the texture; NULL: its image is computed */
    uint32_t uv_set;
    float offset[2], rotation, scale[2]; /* its transform, for v from the top */
} facet_gx_file_look;

/* A material as its file stores it: the numbers of facet_gx_material unchanged, and data that this
 * struct has no member for. It is created by the reader of J3D, or by facet_load from the JSON text
 * in the extras of a glTF material. */
typedef struct facet_gx_file_material {
    const char *extras; /* the text that it was created from; NULL: none, it was read from a file */
    bool has_others;    /* `extras` has data that is not stored here */
    bool is_known;      /* the state is valid; if false, there may still be textures */
    facet_gx_given given;
    uint8_t mode; /* drawing list: 1 opaque, 2 texture edge, 4 translucent */
    uint16_t unused[12];
    facet_gx_material gx; /* as in the file: numbers may be infinite; textures are indices into
                             `textures` */
    facet_gx_file_texture *textures; /* the textures that it uses, each once */
    uint32_t texture_count;
    const char *wrong, *wrong_textures; /* reason why the state or the textures of the text were
                                           rejected; NULL: none */
    facet_gx_file_look *shown;          /* NULL: unknown */
} facet_gx_file_material;

/* An image as its file stores it: the textures that show it. */
typedef struct facet_gx_file_image {
    const char *extras;
    bool has_others;
    bool is_computed; /* not from a texture: it shows the colors that a material computes */
    facet_gx_file_texture *textures;
    uint32_t texture_count;
    const char *wrong_textures;
} facet_gx_file_image;

/* A joint of a J3D model as stored: the members of facet_j3d_joint. */
typedef struct facet_gx_file_joint {
    uint16_t kind;
    uint8_t scale_compensate, unknown;
    float scale[3]; /* numbers may be infinite */
    int16_t rotation[3];
    uint16_t unknown2;
    float translation[3], radius, minimum[3], maximum[3];
} facet_gx_file_joint;

/* A shape of a J3D model as stored: the members of facet_j3d_shape. */
typedef struct facet_gx_file_shape {
    uint8_t type, unknown;
    uint16_t unknown2;
    float radius, minimum[3], maximum[3];
} facet_gx_file_shape;

/* Data of a whole J3D model as stored. */
typedef struct facet_gx_file_model {
    uint8_t kind;   /* facet_j3d_kind */
    uint16_t flags; /* flags of the hierarchy; the lower four bits are the scaling rule */
    bool generation_a;
} facet_gx_file_model;

/* An animation file. */
typedef struct facet_gx_file_animation {
    const char *name;     /* NULL: the name of the scene's animation */
    const char *kind;     /* such as "bck"; NULL: unknown */
    int32_t loop;         /* the mode as stored; -1: not given */
    int32_t frames;       /* number of frames; valid if `loop` is given */
    double rate;          /* frames per second; 0: not given */
    const uint8_t *bytes; /* the file; NULL: missing, or invalid base64 in the text */
    size_t size;
} facet_gx_file_animation;

/* Data of GameCube and Wii files about a node, a mesh, an animation or a scene. It is created by
 * the reader of J3D, or by facet_load from the JSON text in extras. Members are NULL if the data is
 * missing or invalid. */
typedef struct facet_gx_file_part {
    const char *extras;               /* the text that it was created from; NULL: none */
    bool has_others;                  /* `extras` has data that is not stored here */
    facet_gx_file_joint *joint;       /* for a node */
    facet_gx_file_shape *shape;       /* for a mesh, or for its node */
    facet_gx_file_model *model;       /* for a scene */
    facet_gx_file_animation *motion;  /* for an animation */
    facet_gx_file_animation *carried; /* for a scene: animation files that the scene has no
                                         channels for */
    uint32_t carried_count;
    const char *wrong_joint, *wrong_shape, *wrong_model; /* reason why a part of the text was
                                                            rejected; NULL: none */
} facet_gx_file_part;

/* -- Shaders ------------------------------------------------------------ */

/* Write the material as shaders in GLSL ES 3.00 for WebGL 2 and OpenGL ES 3, which compute in the
 * chip's integers. As with snprintf, `text` gets at most `size` bytes with a NUL, and the full
 * length is returned.
 *
 * Vertex shader attributes, as the material needs them: position, normal, tangent (w is the sign of
 * the bitangent), color0 and color1 (0 to 1), texcoord0 to texcoord7. Uniforms: world, view and
 * projection (mat4). For eight lights in view space, vec4 arrays: light_position, light_direction
 * (against the light), light_color (0 to 255), light_cosine and light_distance.
 *
 * The fragment shader uses samplers texmap0 to texmap7 without sRGB decoding, and discards
 * fragments that fail the alpha comparison. With `fog` it needs a depth from 0 to 1. The caller
 * sets the state of culling, depth and blending from facet_gx_material. Both shaders use the
 * uniforms of facet_gx_shader_values. */
FACET_EXPERIMENTAL_API size_t facet_gx_vertex_shader(const facet_gx_material *material, char *text,
                                                     size_t size);
FACET_EXPERIMENTAL_API size_t facet_gx_fragment_shader(const facet_gx_material *material, bool fog,
                                                       char *text, size_t size);

/* Values that animations change, as uniforms: `registers` (ivec4[3]: C0, C1, C2), `konst`
 * (ivec4[4]), `material_color` and `ambient_color` (vec4[2], 0 to 255), and `texture_rows`
 * (vec4[30]). The latter has three rows of each of ten texture matrices, before the transforms that
 * the shader multiplies in. */
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
