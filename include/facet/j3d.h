/* facet/j3d.h - J3D models of GameCube and Wii games: BMD and BDL, and the
 * material files BMT that go with them.
 *
 * A J3D file is a header of 32 bytes and sections: the hierarchy (INF1), vertex
 * arrays (VTX1), envelopes and inverse bind matrices (EVP1), the table of draw
 * matrices (DRW1), joints (JNT1), shapes with their display lists (SHP1),
 * materials (MAT3, older MAT2), baked material display lists (MDL3, of BDL
 * alone) and textures (TEX1). All numbers are big-endian; here they are in host
 * order, but for the runs of bytes that are said to be "as stored".
 *
 * The document below is complete: what facet_j3d_read takes in,
 * facet_j3d_write gives back, byte for byte where the file is laid out as the
 * console makers' exporters do. It is a plain struct: read it, change it, or
 * fill one in by hand. Indices say "absent" by 0xFF (8 bits) and 0xFFFF (16).
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

struct facet_scene; /* facet/scene.h */

typedef enum facet_j3d_kind {
    FACET_J3D_BMD2 = 2, /* read only: written as BMD3 */
    FACET_J3D_BMD3 = 3,
    FACET_J3D_BDL4 = 4,
    FACET_J3D_BMT3 = 5 /* materials and textures alone */
} facet_j3d_kind;

/* Meters that one unit of a model counts as where a scene or another format has a unit:
 * no file says it, and in the games a character is 100 to 200 units tall. Numbers of formats
 * without unit are taken, and given, as they are. */
#define FACET_J3D_UNIT 0.01

/* -- Options ------------------------------------------------------------ */

/* How numbers of vertices are stored. */
typedef enum facet_j3d_quantize {
    FACET_J3D_QUANTIZE_AUTO = 0, /* 16 bits where that is precise enough, else floats */
    FACET_J3D_QUANTIZE_NONE,     /* floats */
    FACET_J3D_QUANTIZE_S16       /* 16 bits wherever they reach far enough */
} facet_j3d_quantize;

/* Whose files are checked: what its writer always does is told in one note. */
typedef enum facet_j3d_profile {
    FACET_J3D_PROFILE_AUTO = 0, /* SuperBMD's when the signature says so */
    FACET_J3D_PROFILE_CONSOLE,  /* the console makers': all is told */
    FACET_J3D_PROFILE_SUPERBMD,
    FACET_J3D_PROFILE_WIND_WAKER /* a game whose loader takes envelopes that are listed once */
} facet_j3d_profile;

/* A texture of a model that is to be another, or a new one. */
typedef struct facet_j3d_texture_change {
    const char *name;    /* "eye", or "eye:1" for the second of that name */
    facet_source source; /* a picture, or a BTI when its name ends so */
    uint32_t level;      /* 0: the texture; else that mip level alone, from a picture */
    bool is_new;         /* the model has none of this name yet: it is added */
} facet_j3d_texture_change;

/* Where a FIFO log is seen from, in the axes and units of the model's file. */
typedef struct facet_j3d_camera {
    double position[3], target[3], up[3];
    double field_of_view; /* of the smaller side, in degrees, below 179; 0: orthographic */
    double height;        /* of an orthographic picture's smaller side, in units */
} facet_j3d_camera;

/* How scenes become J3D (facet_options.j3d). All zero: the defaults. Textures
 * follow facet_options.bti. */
typedef struct facet_j3d_options {
    uint32_t struct_size; /* sizeof(facet_j3d_options), or 0: that of release 0.2 */
    /* What facet_j3d_from_scene makes: FACET_J3D_BMD3 (0 is the same) or
     * FACET_J3D_BDL4. Where a format is named, as for facet_save, that decides. */
    facet_j3d_kind kind;
    facet_j3d_quantize quantize; /* positions, normals and texture coordinates */
    /* The text of a materials.json and a textures.json (or SuperBMD's
     * tex_headers.json), which are put over what is written; NULL: none.
     * What is wrong in them is FACET_ERROR_ARGUMENT with J3D-JSON-MATERIALS or
     * J3D-JSON-TEXTURES, and the line if it is not JSON */
    const char *materials, *textures;
    /* Animations (facet/j3d_animation.h), to and from a scene. */
    double rate; /* frames per second; 0: what the scene's extras say, or 30 */
    /* The original: of a BMD or BDL all that the scene does not change is taken from it, and the
     * document points to its bytes; of a BCK or BCA it is the model whose joints move. */
    const facet_source *like;
    const char *clip;       /* the name of the animation to take; NULL: that of the file to
                               write, or the only one */
    double distance, angle; /* error allowed to keys: units (0: 0.01), degrees (0: 0.05) */
    unsigned loop;          /* facet_j3d_loop + 1; 0: what the extras say, or repeat when the
                               end is like the beginning, else once */
    /* Textures put in the place of others, in a copy or in what a scene becomes: format and levels
     * as before unless facet_options.bti says otherwise; nothing else changes. */
    const facet_j3d_texture_change *texture_changes;
    uint32_t texture_change_count;
    /* Files beside this source that are called like textures: "eye.png" or "eye.bti", "eye-1.png"
     * for the second of that name, "eye_mip1.png" for a level; NULL: none */
    const facet_source *texture_folder;
    /* What `materials` and `textures` were read from: SuperBMD's lists name textures that lie
     * beside them, NAME.png (or .jpg, .tga, .bmp) with NAME_mip1.png for levels, and are made
     * when the model has none of the name; texture_folder goes first. NULL: none */
    const facet_source *materials_file, *textures_file;
    /* Further files like `materials`, of which each material takes the entry for it; nothing is
     * said of entries that no material takes (SuperBMD's --matfolder) */
    const facet_source *material_files;
    uint32_t material_file_count;
    bool one_joint;            /* nodes that nothing moves become no joints: what hangs on them
                                  hangs on the root, one shape for each material */
    bool merge_materials;      /* materials of the scene that differ in their names alone are one */
    facet_j3d_profile profile; /* whose habits facet_check accepts */
    const char *root; /* the node whose tree the joints are; all else hangs on it. NULL: the
                         first child of a node "skeleton_root", if there is one */
    bool repair;      /* copies: mend what games' loaders cannot take */
    bool force;       /* write although `like` is another model than the scene's */
    /* Of FIFO logs. Animations of J3D files whose pose at `frame` (0 or more) the model is drawn
     * in; those of a scene are chosen by `clip`, at `rate` */
    const facet_source *poses;
    uint32_t pose_count;
    double frame;
    const facet_j3d_camera *camera; /* NULL: one that sees all of the model */
    uint32_t width, height;         /* of the picture: multiples of 16, at most 640 and 528; 0: 640
                                       and 480 */
    uint8_t background[3];          /* red, green, blue */
} facet_j3d_options;

/* -- Hierarchy: INF1 ---------------------------------------------------- */

typedef enum facet_j3d_node_type {
    FACET_J3D_NODE_END = 0x00,
    FACET_J3D_NODE_OPEN = 0x01,  /* what follows is one level deeper */
    FACET_J3D_NODE_CLOSE = 0x02, /* one level up again */
    FACET_J3D_NODE_JOINT = 0x10,
    FACET_J3D_NODE_MATERIAL = 0x11,
    FACET_J3D_NODE_SHAPE = 0x12
} facet_j3d_node_type;

typedef struct facet_j3d_node {
    uint16_t type; /* facet_j3d_node_type */
    uint16_t index;
} facet_j3d_node;

/* How joint matrices are computed from their parents': the low four bits of
 * the hierarchy's flags. */
typedef enum facet_j3d_scaling {
    FACET_J3D_SCALING_BASIC = 0,
    FACET_J3D_SCALING_SOFTIMAGE = 1,
    FACET_J3D_SCALING_MAYA = 2
} facet_j3d_scaling;

typedef struct facet_j3d_hierarchy {
    uint16_t flags;   /* facet_j3d_scaling in the low four bits */
    uint16_t unknown; /* at 0x0A, 0xFFFF */
    /* As stored; written so while shapes and vertices come out as they were read, else counted. */
    uint32_t packet_count; /* of all shapes together */
    uint32_t vertex_count; /* elements of the position array */
    facet_j3d_node *nodes; /* without the END that closes the list */
    uint32_t node_count;
} facet_j3d_hierarchy;

/* -- Vertex arrays: VTX1 ------------------------------------------------ */

typedef enum facet_j3d_attribute {
    FACET_J3D_POSITION_MATRIX = 0x00, /* index of a slot, in display lists only */
    FACET_J3D_TEXTURE_MATRIX0 = 0x01, /* to 7, in display lists only */
    FACET_J3D_POSITION = 0x09,
    FACET_J3D_NORMAL = 0x0A,
    FACET_J3D_COLOR0 = 0x0B,
    FACET_J3D_COLOR1 = 0x0C,
    FACET_J3D_TEXCOORD0 = 0x0D, /* to 7 */
    FACET_J3D_NBT = 0x19,       /* normal, binormal, tangent in one */
    FACET_J3D_ATTRIBUTE_END = 0xFF
} facet_j3d_attribute;

/* Arrays of one file, in this order: position, normal, NBT, two colors, eight
 * texcoords. */
enum {
    FACET_J3D_ARRAY_POSITION = 0,
    FACET_J3D_ARRAY_NORMAL = 1,
    FACET_J3D_ARRAY_NBT = 2,
    FACET_J3D_ARRAY_COLOR0 = 3,
    FACET_J3D_ARRAY_TEXCOORD0 = 5,
    FACET_J3D_ARRAY_COUNT = 13
};

/* How numbers are stored. */
typedef enum facet_j3d_component {
    FACET_J3D_U8 = 0,
    FACET_J3D_S8 = 1,
    FACET_J3D_U16 = 2,
    FACET_J3D_S16 = 3,
    FACET_J3D_F32 = 4
} facet_j3d_component;

/* How colors are stored. */
typedef enum facet_j3d_color {
    FACET_J3D_RGB565 = 0,
    FACET_J3D_RGB8 = 1,
    FACET_J3D_RGBX8 = 2,
    FACET_J3D_RGBA4 = 3,
    FACET_J3D_RGBA6 = 4,
    FACET_J3D_RGBA8 = 5
} facet_j3d_color;

/* One line of the list of vertex formats, as stored. */
typedef struct facet_j3d_vertex_format {
    uint32_t attribute;    /* facet_j3d_attribute */
    uint32_t count_code;   /* position 0 XY, 1 XYZ; normal 0 XYZ, 1 NBT, 2 NBT with three
                              indices; color 0 RGB, 1 RGBA; texcoord 0 S, 1 ST */
    uint32_t component;    /* facet_j3d_component, or facet_j3d_color */
    uint8_t fraction_bits; /* of integers: value = raw / 2^fraction_bits */
    uint8_t reserved[3];   /* 0xFF */
} facet_j3d_vertex_format;

/* One vertex array. */
typedef struct facet_j3d_array {
    const uint8_t *bytes; /* elements as stored; NULL when there is no such array */
    uint32_t count;       /* elements that are used: highest index in any display list + 1, of
                             positions the hierarchy's vertex_count if that is more */
    uint32_t stride;      /* bytes of one element */
    size_t size;          /* bytes up to what stands next in the file, at least count * stride:
                             what lies between is padding, or elements that nobody uses */
    const facet_j3d_vertex_format *format; /* the line that tells how it is stored */
} facet_j3d_array;

typedef struct facet_j3d_vertices {
    facet_j3d_vertex_format *formats; /* without the line that closes the list */
    uint32_t format_count;
    facet_j3d_array arrays[FACET_J3D_ARRAY_COUNT];
} facet_j3d_vertices;

/* -- Envelopes, draw matrices, joints: EVP1, DRW1, JNT1 ----------------- */

typedef struct facet_j3d_influence {
    uint16_t joint;
    float weight;
} facet_j3d_influence;

/* A blend of joints: a run of influences. */
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

/* A matrix that vertices are drawn with: a joint's, or an envelope's. */
typedef struct facet_j3d_draw_matrix {
    uint8_t is_envelope; /* 0 or 1 */
    uint16_t index;      /* of a joint, or an envelope */
} facet_j3d_draw_matrix;

typedef struct facet_j3d_draw_matrices {
    facet_j3d_draw_matrix *items;
    uint32_t count;           /* as stored */
    uint32_t effective_count; /* without the second copy of all envelopes that exporters append */
} facet_j3d_draw_matrices;

typedef struct facet_j3d_joint {
    uint16_t kind;            /* low nibble 0 with shapes, 1 skeleton, 2 group; bits 4 to 7
                                 billboard; the rest as stored */
    uint8_t scale_compensate; /* 1: the parent's own scale is divided out; 0xFF counts as 0 */
    uint8_t unknown;          /* at 0x03, 0xFF */
    float scale[3];
    int16_t rotation[3]; /* x, then y, then z; half a turn is 32767 */
    uint16_t unknown2;   /* at 0x16, 0xFFFF */
    float translation[3];
    float radius; /* around the joint's origin */
    float minimum[3], maximum[3];
    uint16_t parent; /* joint, or FACET_J3D_NONE: from the hierarchy, not stored */
} facet_j3d_joint;

typedef struct facet_j3d_joints {
    facet_j3d_joint *items;
    uint32_t count;
    uint16_t *remap; /* one per joint; identity in all files known */
    facet_j3d_names names;
} facet_j3d_joints;

/* -- Shapes: SHP1 ------------------------------------------------------- */

typedef enum facet_j3d_shape_type {
    FACET_J3D_SHAPE_SINGLE = 0, /* one matrix */
    FACET_J3D_SHAPE_BILLBOARD = 1,
    FACET_J3D_SHAPE_Y_BILLBOARD = 2,
    FACET_J3D_SHAPE_MULTI = 3 /* up to ten matrices a packet */
} facet_j3d_shape_type;

/* How a display list holds an attribute. */
typedef enum facet_j3d_input {
    FACET_J3D_INPUT_NONE = 0,
    FACET_J3D_INPUT_DIRECT = 1, /* matrix indices only */
    FACET_J3D_INPUT_INDEX8 = 2,
    FACET_J3D_INPUT_INDEX16 = 3
} facet_j3d_input;

typedef struct facet_j3d_descriptor {
    uint32_t attribute; /* facet_j3d_attribute; FACET_J3D_ATTRIBUTE_END closes a list */
    uint32_t input;     /* facet_j3d_input */
} facet_j3d_descriptor;

typedef struct facet_j3d_matrix_group {
    uint16_t use_matrix; /* the draw matrix of a single-matrix shape */
    uint16_t count;      /* 1 to 10 */
    uint32_t first;      /* into matrix_table */
} facet_j3d_matrix_group;

typedef struct facet_j3d_display_list {
    const uint8_t *bytes; /* GX commands as stored, padding included */
    uint32_t size;
} facet_j3d_display_list;

typedef struct facet_j3d_shape {
    uint8_t type;    /* facet_j3d_shape_type */
    uint8_t unknown; /* at 0x01, 0xFF */
    uint16_t packet_count;
    uint16_t first_descriptor;   /* into descriptors: the list up to ATTRIBUTE_END */
    uint16_t first_group;        /* packet k has matrix group first_group + k */
    uint16_t first_display_list; /* and display list first_display_list + k */
    uint16_t unknown2;           /* at 0x0A, 0xFFFF */
    float radius;
    float minimum[3], maximum[3];
    uint16_t material, joint; /* slot and owner by the hierarchy, or FACET_J3D_NONE: not stored */
} facet_j3d_shape;

typedef struct facet_j3d_shapes {
    facet_j3d_shape *items;
    uint32_t count;
    uint16_t *remap; /* one per shape */
    facet_j3d_descriptor *descriptors;
    uint32_t descriptor_count; /* closing ones included */
    uint16_t *matrix_table;    /* draw matrices; 0xFFFF: what the slot held before */
    uint32_t matrix_table_count;
    facet_j3d_matrix_group *groups;
    uint32_t group_count;
    facet_j3d_display_list *display_lists;
    uint32_t display_list_count;
} facet_j3d_shapes;

/* -- Baked materials: MDL3 ---------------------------------------------- */

/* One material as GX register writes. */
typedef struct facet_j3d_packet {
    const uint8_t *bytes; /* as stored, padding included */
    uint32_t size;
    uint16_t channel_colors, channel_control, texgens, textures, tev,
        pixel_engine;           /* byte offsets of the parts inside the packet */
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

/* Palette or image data in the file; several textures may share one. */
typedef struct facet_j3d_texels {
    const uint8_t *bytes; /* as stored, NULL when size is 0 */
    size_t size;
} facet_j3d_texels;

typedef struct facet_j3d_texture {
    facet_bti_header header; /* as stored; its two offsets are computed anew when written */
    uint32_t image;          /* into texels, FACET_J3D_NO_TEXELS when the file has none */
    uint32_t palette;        /* into texels, FACET_J3D_NO_TEXELS for textures without palette */
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

/* A section as it was read, its head of 8 bytes first. */
typedef struct facet_j3d_stored_section {
    const uint8_t *bytes; /* NULL: there was none */
    size_t size;
} facet_j3d_stored_section;

/* What exporters do differently, and a copy keeps. All zero: as the console
 * makers' exporter of all but the earliest games. */
typedef struct facet_j3d_quirks {
    bool generation_a;            /* of Sunshine and Wind Waker: one run of padding before SHP1's
                                     descriptors; false: two */
    bool narrow_blend_mask;       /* MDL3 masks the blend register by 001FE7, as in those two games;
                                     false: by 00FFE7 */
    uint8_t padding_size;         /* bytes of `padding`; 0: "This is padding data to alignme" */
    uint8_t padding[32];          /* what space between things is filled with, from its beginning */
    bool unaligned_draw_matrices; /* DRW1's indices may begin at an odd byte */
    bool unaligned_material_names;  /* MAT3's names may begin at half a word */
    uint32_t empty_material_arrays; /* bit i: the offset of MAT3's i-th value array, which is empty,
                                is not what it usually is: that of the next array for lights and
                                texgen counts, 0 for others; bit 31: that of the records of
                                indirect textures is 0 in place of the names' */
    bool zeros_between_materials;   /* MAT3's arrays are padded with zeros */
    /* The first exporters point into the channels for ambient colors, and the
     * runtime takes what it finds there; their ambient colors stand behind the
     * channels, where nobody looks. 0: not so. */
    facet_gx_rgba8 *hidden_ambient_colors;
    uint32_t hidden_ambient_color_count;
    /* As SuperBMD has it */
    bool bare_packet_names;      /* MDL3's empty table of names is its count alone */
    bool wide_material_names;    /* what follows MAT3's names begins at a multiple of 8 */
    bool wide_weights;           /* EVP1's weights do */
    const uint8_t *short_lights; /* the bytes that stand where MAT3's lights should, and are
                                    fewer than one; NULL: not so. What `lights` then holds
                                    reaches into what follows, as runtimes have it, and is
                                    not written. facet_j3d_set_materials ends it */
    uint32_t short_light_size;   /* bytes */
    /* Where all else of a section comes out as it was read, what lies between things does,
     * too: some files change the text of their padding from one section to the next. */
    facet_j3d_stored_section sections[FACET_J3D_KNOWN_SECTIONS];
} facet_j3d_quirks;

/* A section that is not one of the nine. */
typedef struct facet_j3d_unknown_section {
    char magic[4];
    const uint8_t *bytes; /* with its head of 8 bytes */
    size_t size;
} facet_j3d_unknown_section;

/* A whole file. A section that the file does not have is all zero, and its
 * `present` bit unset. */
struct facet_j3d {
    facet_arena *arena; /* owner of the arrays; NULL when filled in by hand */
    facet_j3d_kind kind;
    uint8_t signature[16]; /* the bytes at 0x10: "SVR3" and 0xFF, or an exporter's name */
    facet_j3d_quirks layout;
    bool textures_before_packets; /* TEX1 stands before MDL3 */

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
    facet_j3d_unknown_section *unknown_sections; /* kept, written last */
    uint32_t unknown_section_count;
};

/* Read a document from the bytes of a source. Everything that counts or points is in range:
 * hierarchy, joints, envelopes, draw matrices; matrix groups and every command, matrix slot and
 * vertex index of every display list; the material indices in use (one that an entry does not use,
 * a texgen behind its count, may be anything, and counts as absent); the extent of palettes and
 * images. Runs of bytes "as stored" point into the source's bytes, which must outlive the document.
 * Linear in the file's size; options may be NULL. Errors: FACET_ERROR_MALFORMED with a rule J3D-*;
 * FACET_ERROR_UNSUPPORTED for what is something else by the same extension (a Nintendo DS model, a
 * compressed file); FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_read(const facet_source *source,
                                                   const facet_options *options,
                                                   facet_j3d **document, facet_error *error);
/* Free a document that was read. NULL is fine. */
FACET_EXPERIMENTAL_API void facet_j3d_free(facet_j3d *document);

/* Write a document as its kind says, laid out as the console makers' exporters
 * do, or as `layout` says. Counts, sizes and offsets are computed; names get their
 * hashes as stored. Packets of a kind that has none are left out (LOSS-MATERIALS).
 * A BDL needs its packets: facet_j3d_bake_materials makes them. Nothing is
 * written unless the whole document is valid, also one that was made by hand: no
 * array that is counted may be NULL, and no number may point beyond its array. Linear in the
 * document.
 * Errors: FACET_ERROR_ARGUMENT with the rule that the document would break, or
 * J3D-DOCUMENT for what is NULL, J3D-KIND, J3D-LAYOUT; FACET_ERROR_LIMIT when
 * something does not fit its field. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_write(const facet_j3d *document,
                                                    const facet_options *options,
                                                    facet_output *output, facet_error *error);

/* Texture `index` as facet_gx_decode takes it: it points to the document's bytes,
 * and has the levels and palette entries that are there. Errors:
 * FACET_ERROR_ARGUMENT when there is no such texture; FACET_ERROR_MALFORMED with
 * BTI-FORMAT, BTI-SIZE, BTI-PALETTE or BTI-IMAGE when it cannot be decoded, as
 * one without image. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_get_texture(const facet_j3d *document, uint32_t index,
                                                          facet_gx_texture *texture,
                                                          facet_error *error);

/* Make the packets of MDL3 from materials and textures, and the document a BDL:
 * the bytes that the console makers' exporter writes. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_bake_materials(facet_j3d *document,
                                                             const facet_options *options,
                                                             facet_error *error);

/* -- From a scene ------------------------------------------------------- */

/* Build a document from a scene, of the kind that options->j3d says; a BDL gets
 * its packets. The scene is one that facet_scene_check accepts and
 * facet_prepare has made ready for the format "bmd": triangles with a single
 * index and normals. Nodes become joints, images textures, materials the stages
 * of the texture environment; what was J3D's before comes back from the
 * `extras` (docs/reference/formats/j3d.md). Nothing in the document points into the scene. Free it
 * with facet_j3d_free.
 * What J3D cannot hold becomes a warning LOSS-* in options->report; options may
 * be NULL. Errors: FACET_ERROR_ARGUMENT with J3D-NOT-READY, with J3D-KIND for
 * another kind, or with J3D-JSON-* for the options' text; FACET_ERROR_LIMIT with
 * J3D-LIMIT-*, J3D-NO-MESH or J3D-VTX1-FINITE; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_from_scene(const struct facet_scene *scene,
                                                         const facet_options *options,
                                                         facet_j3d **document, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
