/* facet/j3d.h - J3D models of GameCube and Wii games: BMD and BDL, and the material files BMT that
 * go with them.
 *
 * A J3D file is a header of 32 bytes followed by sections:
 *
 *  - the hierarchy (INF1) and joints (JNT1);
 *  - vertex arrays (VTX1), and shapes with their display lists (SHP1);
 *  - envelopes and inverse bind matrices (EVP1), and the table of draw matrices (DRW1);
 *  - materials (MAT3, older MAT2), and, only in BDL, baked material display lists (MDL3);
 *  - textures (TEX1).
 *
 * All numbers are big-endian in the file. Here they are in host byte order, except runs of bytes
 * that are marked "as stored". The document is complete: facet_j3d_write writes what facet_j3d_read
 * has read. The result is the same byte for byte if the file has the layout of the console makers'
 * exporters. The document is a plain struct that you can read, change and fill in. Absent indices
 * are 0xFF (8 bits) and 0xFFFF (16 bits).
 *
 * Stability: experimental. */
#ifndef FACET_J3D_H
#define FACET_J3D_H

#include <facet/base.h>
#include <facet/gx.h>
#include <facet/gx_bti.h>
#include <facet/j3d_material.h>

#ifdef __cplusplus
extern "C" {
#endif

struct facet_scene; /* see facet/scene.h */

typedef enum facet_j3d_kind {
    FACET_J3D_BMD2 = 2, /* read only: written as BMD3 */
    FACET_J3D_BMD3 = 3,
    FACET_J3D_BDL4 = 4,
    FACET_J3D_BMT3 = 5 /* only materials and textures */
} facet_j3d_kind;

/* Meters per unit of a model, used if a scene or another format has a unit. Files do not define it;
 * in the games, a character is 100 to 200 units tall. Numbers of formats without unit are not
 * scaled. */
#define FACET_J3D_UNIT 0.01

/* -- Options ------------------------------------------------------------ */

/* Storage of vertex numbers. */
typedef enum facet_j3d_quantize {
    FACET_J3D_QUANTIZE_AUTO = 0, /* 16 bits if precise enough, otherwise floats */
    FACET_J3D_QUANTIZE_NONE,     /* floats */
    FACET_J3D_QUANTIZE_S16       /* 16 bits wherever their range suffices */
} facet_j3d_quantize;

/* Expected writer of checked files. Deviations that its writer always has are combined in one note.
 */
typedef enum facet_j3d_profile {
    FACET_J3D_PROFILE_AUTO = 0, /* SuperBMD if the signature names it */
    FACET_J3D_PROFILE_CONSOLE,  /* the console makers' exporters: every deviation is reported */
    FACET_J3D_PROFILE_SUPERBMD,
    FACET_J3D_PROFILE_WIND_WAKER /* a game whose loader accepts only envelopes that are listed
                                    once */
} facet_j3d_profile;

/* A texture of a model to replace or to add. */
typedef struct facet_j3d_texture_change {
    const char *name;    /* "eye", or "eye:1" for the second texture of that name */
    facet_source source; /* a picture, or a BTI if its name ends in .bti */
    uint32_t level;      /* 0: the whole texture; otherwise only this mip level, from a picture */
    bool is_new;         /* add the texture; the model has none of this name */
} facet_j3d_texture_change;

/* Camera of a FIFO log, in the axes and units of the model's file. */
typedef struct facet_j3d_camera {
    double position[3], target[3], up[3];
    double field_of_view; /* for the smaller side, in degrees, below 179; 0: orthographic */
    double height;        /* of an orthographic picture's smaller side, in units of the model */
} facet_j3d_camera;

/* Options to convert scenes to J3D (facet_options.j3d). All zero: the defaults. facet_options.bti
 * applies to textures. */
typedef struct facet_j3d_options {
    uint32_t struct_size; /* sizeof(facet_j3d_options), or 0: that of release 0.2 */
    /* Kind that facet_j3d_from_scene creates: FACET_J3D_BMD3 (or 0) or FACET_J3D_BDL4. Functions
     * that take a format, such as facet_save, ignore it. */
    facet_j3d_kind kind;
    facet_j3d_quantize quantize; /* for positions, normals and texture coordinates */
    /* Texts of a materials.json and a textures.json (or SuperBMD's tex_headers.json) that override
     * the written values; NULL: none. Errors in them are FACET_ERROR_ARGUMENT with
     * J3D-JSON-MATERIALS or J3D-JSON-TEXTURES, and the line if it is not JSON. */
    const char *materials, *textures;
    /* Animations (facet/j3d_animation.h), to and from a scene. */
    double rate; /* frames per second; 0: from the scene's extras, or 30 */
    /* The original. For a BMD or BDL, everything that the scene does not change is copied from it,
     * and the document points to its bytes. For a BCK or BCA, it is the model whose joints move. */
    const facet_source *like;
    const char *clip;       /* name of the animation to convert; NULL: that of the file to write,
                               or the only one */
    double distance, angle; /* tolerance of keys: units (0: 0.01), degrees (0: 0.05) */
    unsigned loop;          /* facet_j3d_loop + 1; 0: from the extras; otherwise repeat if the
                               end equals the beginning, else once */
    /* The animation file that is replaced: parts that move like it keep its keys, if the scene's
     * extras have no original. NULL: none. */
    const facet_source *replaced;
    /* Textures to replace, in a copy or in a converted scene. Format and levels stay unless
     * facet_options.bti sets them; nothing else changes. */
    const facet_j3d_texture_change *texture_changes;
    uint32_t texture_change_count;
    /* A source whose siblings are named like textures: "eye.png" or "eye.bti", "eye-1.png" for the
     * second texture of that name, "eye_mip1.png" for a level. NULL: none. */
    const facet_source *texture_folder;
    /* The files that `materials` and `textures` were read from. SuperBMD's lists name textures next
     * to them: NAME.png (or .jpg, .tga, .bmp), with NAME_mip1.png for levels. They are created if
     * the model has no texture of that name; texture_folder has priority. NULL: none. */
    const facet_source *materials_file, *textures_file;
    /* More files like `materials`. Each material uses its entry in them; unused entries are not
     * reported (SuperBMD's --matfolder). */
    const facet_source *material_files;
    uint32_t material_file_count;
    bool one_joint;            /* nodes that nothing animates do not become joints: their meshes
                                  are attached to the root, with one shape per material */
    bool merge_materials;      /* merge materials of the scene that differ only in their names */
    facet_j3d_profile profile; /* writer whose deviations facet_check accepts */
    const char *root; /* the node whose descendants become joints; everything else is attached to
                         it. NULL: the first child of a node "skeleton_root", if it exists */
    uint32_t weights; /* maximum number of joints per vertex: the smallest weights are dropped, and
                         the others scaled to their sum; 0: all */
    bool repair;      /* in copies: fix what games' loaders cannot read */
    bool force;       /* write even if `like` is not the original of the scene */
    /* For FIFO logs: animations of J3D files whose pose at `frame` (0 or more) is applied to the
     * model. Animations of a scene are selected by `clip`, at `rate`. */
    const facet_source *poses;
    uint32_t pose_count;
    double frame;
    const facet_j3d_camera *camera; /* NULL: one that shows the whole model */
    uint32_t width, height;         /* of the picture: multiples of 16, at most 640 and 528; 0:
                                       640 and 480 */
    uint8_t background[3];          /* red, green, blue */
} facet_j3d_options;

/* -- Hierarchy: INF1 ---------------------------------------------------- */

typedef enum facet_j3d_node_type {
    FACET_J3D_NODE_END = 0x00,
    FACET_J3D_NODE_OPEN = 0x01,  /* the following nodes are one level deeper */
    FACET_J3D_NODE_CLOSE = 0x02, /* the following nodes are one level higher */
    FACET_J3D_NODE_JOINT = 0x10,
    FACET_J3D_NODE_MATERIAL = 0x11,
    FACET_J3D_NODE_SHAPE = 0x12
} facet_j3d_node_type;

typedef struct facet_j3d_node {
    uint16_t type; /* facet_j3d_node_type */
    uint16_t index;
} facet_j3d_node;

/* Rule that computes joint matrices from those of their parents: the low four bits of the
 * hierarchy's flags. */
typedef enum facet_j3d_scaling {
    FACET_J3D_SCALING_BASIC = 0,
    FACET_J3D_SCALING_SOFTIMAGE = 1,
    FACET_J3D_SCALING_MAYA = 2
} facet_j3d_scaling;

typedef struct facet_j3d_hierarchy {
    uint16_t flags;   /* facet_j3d_scaling in the low four bits */
    uint16_t unknown; /* at 0x0A, 0xFFFF */
    /* Written as stored if shapes and vertices are unchanged, otherwise computed. */
    uint32_t packet_count; /* total of all shapes */
    uint32_t vertex_count; /* number of elements of the position array */
    facet_j3d_node *nodes; /* without the END that terminates the list */
    uint32_t node_count;
} facet_j3d_hierarchy;

/* -- Vertex arrays: VTX1 ------------------------------------------------ */

typedef enum facet_j3d_attribute {
    FACET_J3D_POSITION_MATRIX = 0x00, /* index of a slot; only in display lists */
    FACET_J3D_TEXTURE_MATRIX0 = 0x01, /* the first of eight; only in display lists */
    FACET_J3D_POSITION = 0x09,
    FACET_J3D_NORMAL = 0x0A,
    FACET_J3D_COLOR0 = 0x0B,
    FACET_J3D_COLOR1 = 0x0C,
    FACET_J3D_TEXCOORD0 = 0x0D, /* the first of eight */
    FACET_J3D_NBT = 0x19,       /* normal, binormal and tangent in one element */
    FACET_J3D_ATTRIBUTE_END = 0xFF
} facet_j3d_attribute;

/* Vertex arrays of a file, in this order: position, normal, NBT, two colors, eight texcoords. */
enum {
    FACET_J3D_ARRAY_POSITION = 0,
    FACET_J3D_ARRAY_NORMAL = 1,
    FACET_J3D_ARRAY_NBT = 2,
    FACET_J3D_ARRAY_COLOR0 = 3,
    FACET_J3D_ARRAY_TEXCOORD0 = 5,
    FACET_J3D_ARRAY_COUNT = 13
};

/* Storage of numbers. */
typedef enum facet_j3d_component {
    FACET_J3D_U8 = 0,
    FACET_J3D_S8 = 1,
    FACET_J3D_U16 = 2,
    FACET_J3D_S16 = 3,
    FACET_J3D_F32 = 4
} facet_j3d_component;

/* Storage of colors. */
typedef enum facet_j3d_color {
    FACET_J3D_RGB565 = 0,
    FACET_J3D_RGB8 = 1,
    FACET_J3D_RGBX8 = 2,
    FACET_J3D_RGBA4 = 3,
    FACET_J3D_RGBA6 = 4,
    FACET_J3D_RGBA8 = 5
} facet_j3d_color;

/* One entry of the list of vertex formats, as stored. */
typedef struct facet_j3d_vertex_format {
    uint32_t attribute;    /* facet_j3d_attribute */
    uint32_t count_code;   /* position: 0 XY, 1 XYZ; normal: 0 XYZ, 1 NBT, 2 NBT with three
                              indices; color: 0 RGB, 1 RGBA; texcoord: 0 S, 1 ST */
    uint32_t component;    /* facet_j3d_component or facet_j3d_color */
    uint8_t fraction_bits; /* for integers: value = raw / 2^fraction_bits */
    uint8_t reserved[3];   /* 0xFF */
} facet_j3d_vertex_format;

/* One vertex array. */
typedef struct facet_j3d_array {
    const uint8_t *bytes; /* elements as stored; NULL: no such array */
    uint32_t count;       /* used elements: highest index in any display list + 1; for positions,
                             the hierarchy's vertex_count if that is more */
    uint32_t stride;      /* bytes of one element */
    size_t size;          /* bytes up to the next part of the file, at least count * stride; the
                             rest is padding, or unused elements */
    const facet_j3d_vertex_format *format; /* the entry that defines how it is stored */
} facet_j3d_array;

typedef struct facet_j3d_vertices {
    facet_j3d_vertex_format *formats; /* without the entry that terminates the list */
    uint32_t format_count;
    facet_j3d_array arrays[FACET_J3D_ARRAY_COUNT];
} facet_j3d_vertices;

/* -- Envelopes, draw matrices, joints: EVP1, DRW1, JNT1 ----------------- */

typedef struct facet_j3d_influence {
    uint16_t joint;
    float weight;
} facet_j3d_influence;

/* A weighted blend of joints: a run of influences. */
typedef struct facet_j3d_envelope {
    uint32_t first;
    uint8_t count;
} facet_j3d_envelope;

typedef struct facet_j3d_envelopes {
    facet_j3d_envelope *items;
    uint32_t count;
    facet_j3d_influence *influences;
    uint32_t influence_count;
    float (*inverse_bind)[12]; /* row-major 3x4, from model to joint space, one per joint */
    uint32_t inverse_bind_count;
} facet_j3d_envelopes;

/* A matrix that transforms vertices when drawing: that of a joint or an envelope. */
typedef struct facet_j3d_draw_matrix {
    uint8_t is_envelope; /* 0 or 1 */
    uint16_t index;      /* index of a joint or an envelope */
} facet_j3d_draw_matrix;

typedef struct facet_j3d_draw_matrices {
    facet_j3d_draw_matrix *items;
    uint32_t count;           /* as stored */
    uint32_t effective_count; /* without the second copy of all envelopes that exporters append */
} facet_j3d_draw_matrices;

typedef struct facet_j3d_joint {
    uint16_t kind;            /* low nibble: 0 with shapes, 1 skeleton, 2 group; bits 4 to 7:
                                 billboard; the rest as stored */
    uint8_t scale_compensate; /* 1: the parent's own scale is divided out; 0xFF is treated as 0 */
    uint8_t unknown;          /* at 0x03, 0xFF */
    float scale[3];
    int16_t rotation[3]; /* x, then y, then z; 32767 is half a turn */
    uint16_t unknown2;   /* at 0x16, 0xFFFF */
    float translation[3];
    float radius; /* distance around the joint's origin */
    float minimum[3], maximum[3];
    uint16_t parent; /* joint, or FACET_J3D_NONE; derived from the hierarchy, not stored */
} facet_j3d_joint;

typedef struct facet_j3d_joints {
    facet_j3d_joint *items;
    uint32_t count;
    uint16_t *remap; /* one per joint; identity in all known files */
    facet_j3d_names names;
} facet_j3d_joints;

/* -- Shapes: SHP1 ------------------------------------------------------- */

typedef enum facet_j3d_shape_type {
    FACET_J3D_SHAPE_SINGLE = 0, /* one matrix */
    FACET_J3D_SHAPE_BILLBOARD = 1,
    FACET_J3D_SHAPE_Y_BILLBOARD = 2,
    FACET_J3D_SHAPE_MULTI = 3 /* up to ten matrices per packet */
} facet_j3d_shape_type;

/* Encoding of an attribute in a display list. */
typedef enum facet_j3d_input {
    FACET_J3D_INPUT_NONE = 0,
    FACET_J3D_INPUT_DIRECT = 1, /* only for matrix indices */
    FACET_J3D_INPUT_INDEX8 = 2,
    FACET_J3D_INPUT_INDEX16 = 3
} facet_j3d_input;

typedef struct facet_j3d_descriptor {
    uint32_t attribute; /* facet_j3d_attribute; FACET_J3D_ATTRIBUTE_END terminates a list */
    uint32_t input;     /* facet_j3d_input */
} facet_j3d_descriptor;

typedef struct facet_j3d_matrix_group {
    uint16_t use_matrix; /* draw matrix of a single-matrix shape */
    uint16_t count;      /* 1 to 10 */
    uint32_t first;      /* index into matrix_table */
} facet_j3d_matrix_group;

typedef struct facet_j3d_display_list {
    const uint8_t *bytes; /* GX commands as stored, including padding */
    uint32_t size;
} facet_j3d_display_list;

typedef struct facet_j3d_shape {
    uint8_t type;    /* facet_j3d_shape_type */
    uint8_t unknown; /* at 0x01, 0xFF */
    uint16_t packet_count;
    uint16_t first_descriptor;   /* index into descriptors: the list up to ATTRIBUTE_END */
    uint16_t first_group;        /* packet k uses matrix group first_group + k */
    uint16_t first_display_list; /* packet k uses display list first_display_list + k */
    uint16_t unknown2;           /* at 0x0A, 0xFFFF */
    float radius;
    float minimum[3], maximum[3];
    uint16_t material, joint; /* slot and owner, derived from the hierarchy and not stored; or
                                 FACET_J3D_NONE */
} facet_j3d_shape;

typedef struct facet_j3d_shapes {
    facet_j3d_shape *items;
    uint32_t count;
    uint16_t *remap; /* one per shape */
    facet_j3d_descriptor *descriptors;
    uint32_t descriptor_count; /* includes terminating entries */
    uint16_t *matrix_table;    /* indices of draw matrices; 0xFFFF: the slot is unchanged */
    uint32_t matrix_table_count;
    facet_j3d_matrix_group *groups;
    uint32_t group_count;
    facet_j3d_display_list *display_lists;
    uint32_t display_list_count;
} facet_j3d_shapes;

/* -- Baked materials: MDL3 ---------------------------------------------- */

/* One material as GX register writes. */
typedef struct facet_j3d_packet {
    const uint8_t *bytes; /* as stored, including padding */
    uint32_t size;
    uint16_t channel_colors, channel_control, texgens, textures, tev,
        pixel_engine;           /* byte offsets of the parts in the packet */
    uint8_t reserved[4];        /* 0xFF */
    uint32_t matrix_indices[2]; /* for the CP registers 0x30 and 0x40 */
    uint8_t mode;               /* of the material entry */
} facet_j3d_packet;

typedef struct facet_j3d_packets {
    facet_j3d_packet *items;
    uint32_t count; /* one per material slot */
    uint16_t *remap;
    facet_j3d_names names;
} facet_j3d_packets;

/* -- Textures: TEX1 ----------------------------------------------------- */

/* Palette or image data in the file; several textures may share it. */
typedef struct facet_j3d_texels {
    const uint8_t *bytes; /* as stored; NULL if size is 0 */
    size_t size;
} facet_j3d_texels;

typedef struct facet_j3d_texture {
    facet_bti_header header; /* as stored; its two offsets are computed when writing */
    uint32_t image;          /* index into texels; FACET_J3D_NO_TEXELS: the file has no image
                                data */
    uint32_t palette;        /* index into texels; FACET_J3D_NO_TEXELS: no palette */
} facet_j3d_texture;

#define FACET_J3D_NO_TEXELS UINT32_MAX

typedef struct facet_j3d_textures {
    facet_j3d_texture *items;
    uint32_t count;
    facet_j3d_texels *texels; /* palettes and images, each once, in the order of the file */
    uint32_t texels_count;
    facet_j3d_names names;
} facet_j3d_textures;

/* -- Document ----------------------------------------------------------- */

#define FACET_J3D_KNOWN_SECTIONS 9 /* INF1, VTX1, EVP1, DRW1, JNT1, SHP1, MAT3, MDL3, TEX1 */

/* A section as read, with its header of 8 bytes. */
typedef struct facet_j3d_stored_section {
    const uint8_t *bytes; /* NULL: the file has no such section */
    size_t size;
} facet_j3d_stored_section;

/* Differences between exporters, which a copy keeps. All zero: like the console makers' exporter,
 * except that of the earliest games. */
typedef struct facet_j3d_quirks {
    bool generation_a;              /* as in Sunshine and Wind Waker: one run of padding before
                                       SHP1's descriptors; false: two */
    bool narrow_blend_mask;         /* as in those two games: MDL3 masks the blend register by
                                       001FE7; false: by 00FFE7 */
    uint8_t padding_size;           /* bytes of `padding`; 0: "This is padding data to alignme" */
    uint8_t padding[32];            /* bytes that fill gaps; each gap begins with the first one */
    bool unaligned_draw_matrices;   /* indices of DRW1 may begin at an odd byte */
    bool unaligned_material_names;  /* names of MAT3 may begin at half a word */
    uint32_t empty_material_arrays; /* bit i: MAT3's value array i is empty and its offset is not
                                       the usual one. The usual one is that of the next array for
                                       lights and texgen counts, 0 for others. Bit 31: the offset
                                       of indirect textures is 0 instead of that of the names */
    bool zeros_between_materials;   /* zeros pad the arrays of MAT3 */
    /* The first exporters use offsets in the channels as those of ambient colors, and the runtime
     * reads the values there. Their real ambient colors are after the channels, where nothing reads
     * them; they are stored here. 0: not so. */
    facet_gx_rgba8 *hidden_ambient_colors;
    uint32_t hidden_ambient_color_count;
    /* Quirks of SuperBMD. */
    bool bare_packet_names;      /* an empty name table of MDL3 is only a count */
    bool wide_material_names;    /* data after MAT3's names begins at a multiple of 8 */
    bool wide_weights;           /* EVP1's weights begin at a multiple of 8 */
    const uint8_t *short_lights; /* bytes of MAT3's light array, if they are too few for one
                                    light; NULL: not so. `lights` then includes bytes of the
                                    following data, as in the runtime, and is not written.
                                    facet_j3d_set_materials resets it */
    uint32_t short_light_size;   /* in bytes */
    /* The sections as read. If all else of a section is unchanged, its gaps are written unchanged
     * as well: some files change the text of their padding between sections. The offsets of empty
     * tables count as gaps. */
    facet_j3d_stored_section sections[FACET_J3D_KNOWN_SECTIONS];
} facet_j3d_quirks;

/* A section that is not one of the nine. */
typedef struct facet_j3d_unknown_section {
    char magic[4];
    const uint8_t *bytes; /* with its header of 8 bytes */
    size_t size;
} facet_j3d_unknown_section;

/* A complete file. A section that the file does not have is all zero, with its `present` bit clear.
 */
struct facet_j3d {
    facet_arena *arena; /* owner of the arrays; NULL: filled in by the caller */
    facet_j3d_kind kind;
    uint8_t signature[16]; /* the bytes at 0x10: "SVR3" and 0xFF, or the name of an exporter */
    facet_j3d_quirks layout;
    bool textures_before_packets; /* TEX1 is before MDL3 */

    bool has_hierarchy, has_vertices, has_envelopes, has_draw_matrices, has_joints, has_shapes,
        has_materials, has_packets, has_textures;
    facet_j3d_hierarchy hierarchy;
    facet_j3d_vertices vertices;
    facet_j3d_envelopes envelopes;
    facet_j3d_draw_matrices draw_matrices;
    facet_j3d_joints joints;
    facet_j3d_shapes shapes;
    facet_j3d_materials materials;
    facet_j3d_packets packets;
    facet_j3d_textures textures;
    facet_j3d_unknown_section *unknown_sections; /* kept, and written last */
    uint32_t unknown_section_count;
};

/* Read a document from the bytes of a source. All counts and indices are in range:
 *
 *  - hierarchy, joints, envelopes, draw matrices;
 *  - matrix groups, and every command, matrix slot and vertex index of every display list;
 *  - material indices in use; unused ones, such as texgens beyond the count, may have any value and
 *    are absent;
 *  - the sizes of palettes and images.
 *
 * Runs of bytes "as stored" point into the source's bytes, which must outlive the document. Linear
 * in the file's size; options may be NULL. Errors: FACET_ERROR_MALFORMED with a rule J3D-*;
 * FACET_ERROR_UNSUPPORTED for other formats with the same extension (a Nintendo DS model, a
 * compressed file); FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_read(const facet_source *source,
                                                   const facet_options *options,
                                                   facet_j3d **document, facet_error *error);
/* Free a document that was read. NULL is allowed. */
FACET_EXPERIMENTAL_API void facet_j3d_free(facet_j3d *document);

/* Write a document as its kind, with the layout of the console makers' exporters, or as `layout`
 * defines. Counts, sizes and offsets are computed; hashes of names are written as stored. Packets
 * are left out if the kind has none (LOSS-MATERIALS). A BDL needs packets: facet_j3d_bake_materials
 * creates them. Nothing is written unless the whole document is valid, also one that you filled in:
 * a counted array must not be NULL, and every index must be inside its array. Linear in the
 * document. Errors: FACET_ERROR_ARGUMENT with the rule that the document would break, or
 * J3D-DOCUMENT for NULL, J3D-KIND, J3D-LAYOUT; FACET_ERROR_LIMIT if a value does not fit its field.
 */
FACET_EXPERIMENTAL_API facet_status facet_j3d_write(const facet_j3d *document,
                                                    const facet_options *options,
                                                    facet_output *output, facet_error *error);

/* Get texture `index` in the form of facet_gx_decode. It points to the document's bytes, and has
 * the levels and palette entries that exist. Errors: FACET_ERROR_ARGUMENT if the index is out of
 * range; FACET_ERROR_MALFORMED with BTI-FORMAT, BTI-SIZE, BTI-PALETTE or BTI-IMAGE if it cannot be
 * decoded, for example without image data. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_get_texture(const facet_j3d *document, uint32_t index,
                                                          facet_gx_texture *texture,
                                                          facet_error *error);

/* Create the packets of MDL3 from materials and textures, which makes the document a BDL. The bytes
 * are the same as from the console makers' exporter. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_bake_materials(facet_j3d *document,
                                                             const facet_options *options,
                                                             facet_error *error);

/* -- From a scene ------------------------------------------------------- */

/* Create a document from a scene, of the kind in options->j3d; a BDL gets its packets. The scene
 * must be valid (facet_scene_check) and prepared for the format "bmd" (facet_prepare): triangles
 * with a single index and normals. Nodes become joints, images become textures, materials become
 * stages of the texture environment. J3D data that an earlier conversion put into `extras` is
 * restored (docs/reference/formats/j3d.md). Nothing in the document points into the scene. Free it
 * with facet_j3d_free. Data that J3D cannot store becomes a warning LOSS-* in options->report;
 * options may be NULL. Errors: FACET_ERROR_ARGUMENT with J3D-NOT-READY, with J3D-KIND for another
 * kind, or with J3D-JSON-* for the options' text; FACET_ERROR_LIMIT with J3D-LIMIT-*, J3D-NO-MESH
 * or J3D-VTX1-FINITE; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_from_scene(const struct facet_scene *scene,
                                                         const facet_options *options,
                                                         facet_j3d **document, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
