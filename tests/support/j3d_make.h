/* tests/support/j3d_make.h - J3D files for tests, written from a small description.
 * It is independent of the library's reader and writer, except for the structs that describe a
 * material and a texture header. It also writes invalid values, because tests need broken files.
 *
 *     test_j3d *model = test_j3d_new();
 *     test_j3d_add_joint(model, "root", TEST_J3D_NONE);
 *     test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
 *
 *     uint32_t draw = test_j3d_add_draw(model, 0, 0);
 *     uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
 *     test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
 *     test_j3d_add_packet(model, shape, &matrix, 1);
 *     test_j3d_draw(model, shape, 0x90, indices, 3);
 *
 *     facet_j3d_material material = test_j3d_minimal_material("mat0");
 *     test_j3d_add_material(model, &material);
 *
 *     test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
 *     ...
 *     test_bytes_free(&file);
 *     test_j3d_free(model); */
#ifndef FACET_TESTS_J3D_MAKE_H
#define FACET_TESTS_J3D_MAKE_H

#include <facet/j3d.h>

#define TEST_J3D_NONE 0xFFFFu

/* -- Bytes -------------------------------------------------------------- */

/* Growing bytes, big-endian. Initialize with zeros. */
typedef struct test_bytes {
    uint8_t *data;
    size_t size, space;
} test_bytes;

void test_bytes_free(test_bytes *bytes);
void test_bytes_put(test_bytes *bytes, const void *data, size_t size);
void test_bytes_u8(test_bytes *bytes, unsigned value);
void test_bytes_u16(test_bytes *bytes, unsigned value);
void test_bytes_u32(test_bytes *bytes, uint32_t value);
void test_bytes_f32(test_bytes *bytes, float value);
/* Pad the size, counted from `from`, to a multiple of `alignment`: with the padding text of the
 * exporters, or with zeros. */
void test_bytes_pad(test_bytes *bytes, size_t from, size_t alignment);
void test_bytes_zeros(test_bytes *bytes, size_t from, size_t alignment);
/* Overwrite 16 or 32 bits at an offset. */
void test_bytes_set16(test_bytes *bytes, size_t at, unsigned value);
void test_bytes_set32(test_bytes *bytes, size_t at, uint32_t value);
/* Offset of a section by its magic; SIZE_MAX if the file does not have it. */
size_t test_j3d_section(const test_bytes *file, const char *magic);

/* -- A model ------------------------------------------------------------ */

typedef struct test_j3d_array {
    test_bytes bytes;
    unsigned count_code, component, fraction;
    uint32_t count;
    bool present;
} test_j3d_array;

typedef struct test_j3d_joint {
    char name[64];
    uint32_t parent;
    uint16_t kind;
    uint8_t scale_compensate;
    float scale[3];
    int16_t rotation[3];
    float translation[3];
    float radius, minimum[3], maximum[3];
} test_j3d_joint;

typedef struct test_j3d_envelope {
    uint32_t count;
    uint16_t joints[16];
    float weights[16];
} test_j3d_envelope;

typedef struct test_j3d_draw_matrix {
    unsigned is_envelope, index;
} test_j3d_draw_matrix;

typedef struct test_j3d_packet {
    uint16_t matrices[16]; /* 0xFFFF: keep the slot's matrix */
    unsigned matrix_count, use_matrix;
    test_bytes commands; /* of the display list, without padding */
} test_j3d_packet;

typedef struct test_j3d_shape {
    unsigned type, material, joint;
    facet_j3d_descriptor parts[24];
    uint32_t part_count;
    test_j3d_packet *packets;
    uint32_t packet_count;
    float radius, minimum[3], maximum[3];
} test_j3d_shape;

typedef struct test_j3d_texture {
    char name[64];
    facet_bti_header header; /* offsets are computed */
    test_bytes palette, image;
} test_j3d_texture;

/* Plain data: tests may change anything before writing. */
typedef struct test_j3d {
    uint16_t flags;        /* scaling rule of the hierarchy */
    char signature[17];    /* 16 characters at 0x10; "": SVR3 and 0xFF */
    bool single_envelopes; /* no second copy of the envelopes in DRW1 */
    bool colors_in_cells;  /* colors use cells of 4 bytes, for any type */

    test_j3d_array arrays[FACET_J3D_ARRAY_COUNT];
    test_j3d_joint *joints;
    uint32_t joint_count;
    test_j3d_envelope *envelopes;
    uint32_t envelope_count;
    float (*inverse_bind)[12]; /* one per joint, initially identity */
    test_j3d_draw_matrix *draws;
    uint32_t draw_count; /* written unchanged, followed by a second copy of the envelopes */
    test_j3d_shape *shapes;
    uint32_t shape_count;
    facet_j3d_material *materials;
    uint32_t material_count;
    test_j3d_texture *textures;
    uint32_t texture_count;
    test_bytes nodes;   /* of INF1, without end: u16 type, u16 index; empty: from the joints */
    test_bytes packets; /* the whole MDL3 section; empty: a section of empty packets */
} test_j3d;

test_j3d *test_j3d_new(void);
void test_j3d_free(test_j3d *model);

/* A joint at its parent's origin. Change model->joints[index] as needed. */
uint32_t test_j3d_add_joint(test_j3d *model, const char *name, uint32_t parent);
/* Encode `count` elements and append them to an array. The count code gives the numbers per
 * element: positions 2 or 3, normals 3 or 9, texcoords 1 or 2. Integers are rounded. Returns the
 * index of the first. */
uint32_t test_j3d_add_values(test_j3d *model, uint32_t array, unsigned count_code,
                             unsigned component, unsigned fraction, const double *values,
                             uint32_t count);
/* The same for colors of red, green, blue, alpha, 8 bits each. Bits that a type cannot store are
 * dropped. */
uint32_t test_j3d_add_colors(test_j3d *model, uint32_t array, unsigned count_code, unsigned type,
                             const uint8_t *rgba, uint32_t count);
uint32_t test_j3d_add_envelope(test_j3d *model, const uint16_t *joints, const float *weights,
                               uint32_t count);
/* A draw matrix: of a joint, or an envelope. */
uint32_t test_j3d_add_draw(test_j3d *model, unsigned is_envelope, unsigned index);
/* A shape of a joint, drawn with a material. */
uint32_t test_j3d_add_shape(test_j3d *model, unsigned type, unsigned material, unsigned joint);
/* The next attribute of its vertices. */
void test_j3d_add_part(test_j3d *model, uint32_t shape, uint32_t attribute, uint32_t input);
/* The next packet, with draw matrices (or 0xFFFF) in its slots. */
void test_j3d_add_packet(test_j3d *model, uint32_t shape, const uint16_t *matrices, uint32_t count);
/* A primitive at the end of the shape's last packet: `count` vertices, each of one value per part
 * (three for NBT with three indices), encoded as the parts require. */
void test_j3d_draw(test_j3d *model, uint32_t shape, unsigned opcode, const uint16_t *values,
                   uint32_t count);
/* Number of values per vertex that test_j3d_draw needs. */
uint32_t test_j3d_values_per_vertex(const test_j3d *model, uint32_t shape);

/* An opaque material, white or textured, lit only by vertex colors. */
facet_j3d_material test_j3d_minimal_material(const char *name);
facet_j3d_material test_j3d_textured_material(const char *name, unsigned texture);
/* Add a copy. Every given value becomes a separate element. The name is not copied. */
uint32_t test_j3d_add_material(test_j3d *model, const facet_j3d_material *material);
/* A texture of raw texels. */
uint32_t test_j3d_add_texture(test_j3d *model, const char *name, unsigned format, unsigned width,
                              unsigned height, const void *image, size_t size);

/* The file. BMD2 is not supported; BMT3 has only materials and textures. */
test_bytes test_j3d_write(const test_j3d *model, facet_j3d_kind kind);

/* -- Complete models ---------------------------------------------------- */

/* A model with a bit of everything. It has three joints, envelopes, single, multi and billboard
 * shapes, every primitive, index8 and index16, and slots that later packets reuse. It has two
 * colors, texture matrices, normals, two texcoords, two materials and a texture. It is small enough
 * to change byte by byte. */
test_j3d *test_j3d_small(void);
/* Wavy sheets of about `triangles` triangles in strips: 16-bit positions, normals, colors and
 * texcoords. With `skinned`, there are four joints and multi-matrix packets. Textures add
 * `texture_bytes` of texels. */
test_j3d *test_j3d_sheets(uint32_t triangles, bool skinned, size_t texture_bytes);

#endif
