/* Vertex and index buffers of a mesh, compared with literal bytes and numbers. */
#include "mesh/pack_values.h"
#include "support/mesh.h"
#include "support/models.h"

#include <facet/facet.h>
#include <math.h>

/* Two triangles of materials 1 and 0 over four vertices. */
static facet_mesh *make_pair(facet_scene *scene)
{
    static const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, -2};
    static const float normals[12] = {0, 0, 1, 1, 0, 0, 0, -1, 0, 0, 0, -1};
    static const float texcoords[8] = {0, 0, 1, 0, 0.25F, 1, 0.5F, 0.75F};
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 4, positions, indices) &&
                test_stream(scene, mesh, FACET_NORMAL, 3, 4, normals, indices) &&
                test_stream(scene, mesh, FACET_TEXCOORD, 2, 4, texcoords, indices));
    mesh->streams[1].indices = mesh->streams[2].indices = mesh->streams[0].indices;
    mesh->face_materials = facet_scene_allocate(scene, 2, 4);
    mesh->face_materials[0] = 1;
    mesh->face_materials[1] = 0;
    return mesh;
}

static facet_packed *pack(const facet_mesh *mesh, const facet_pack_attribute *attributes,
                          uint32_t count)
{
    facet_pack_layout layout = {sizeof layout, attributes, count, 0, 0, false};
    facet_packed *packed = NULL;
    facet_error error;
    TEST_OK(facet_mesh_pack(mesh, &layout, NULL, &packed, &error), &error);
    return packed;
}

/* Check bytes, given in little-endian order. On a big-endian machine each number of `size` bytes is
 * swapped. */
static void expect_bytes(const void *found, const uint8_t *little, size_t count, size_t size)
{
    const uint16_t one = 1;
    bool is_little = *(const uint8_t *)&one == 1;
    for (size_t i = 0; i < count; i++) {
        size_t at = is_little ? i : i / size * size + (size - 1 - i % size);
        if (((const uint8_t *)found)[i] != little[at])
            fail_msg("byte %zu is 0x%02X, expected 0x%02X", i, ((const uint8_t *)found)[i],
                     little[at]);
    }
}

/* -- Layout ------------------------------------------------------------- */

/* Without a layout: 3 + 3 + 2 floats in one buffer, 16-bit indices, one draw per material. */
TEST(default_layout_interleaves_floats)
{
    static const float last[8] = {1, 1, -2, 0, 0, -1, 0.5F, 0.75F};
    static const uint16_t indices[6] = {0, 1, 2, 2, 1, 3};
    facet_scene *scene = test_scene();
    const facet_mesh *mesh = make_pair(scene);
    facet_packed *packed = NULL;
    facet_error error;
    TEST_OK(facet_mesh_pack(mesh, NULL, NULL, &packed, &error), &error);
    assert_int_equal(packed->buffer_count, 1);
    assert_int_equal(packed->buffers[0].stride, 32);
    assert_int_equal(packed->buffers[0].size, 4 * 32);
    assert_memory_equal((uint8_t *)packed->buffers[0].data + 96, last, sizeof last);
    assert_int_equal(packed->attribute_count, 3);
    assert_int_equal(packed->attributes[2].offset, 24);
    assert_int_equal(packed->attributes[2].components, 2);
    assert_int_equal(packed->index_size, 2);
    assert_int_equal(packed->index_bytes, 12);
    assert_memory_equal(packed->indices, indices, sizeof indices);
    assert_int_equal(packed->draw_count, 2);
    static const facet_packed_draw draws[2] = {{1, 0, 3, 0, 0, 3}, {0, 3, 3, 0, 1, 3}};
    assert_memory_equal(packed->draws, draws, sizeof draws);
    facet_packed_free(packed);

    facet_pack_layout separate = {.separate = true, .index_size = 4};
    TEST_OK(facet_mesh_pack(mesh, &separate, NULL, &packed, &error), &error);
    assert_int_equal(packed->buffer_count, 3);
    assert_int_equal(packed->buffers[1].stride, 12);
    assert_memory_equal(packed->buffers[0].data, mesh->streams[0].data, 48);
    assert_memory_equal(packed->buffers[2].data, mesh->streams[2].data, 32);
    assert_memory_equal(packed->indices, mesh->streams[0].indices, 24);
    facet_packed_free(packed);
    facet_scene_free(scene);
}

/* Two buffers, one with a gap: 3 halves are 6 bytes, so the next attribute is at 8. Two snorm8 end
 * at 10, and the stride is 12. Buffer 1 has no attribute. */
TEST(attributes_are_aligned_to_4_bytes)
{
    static const facet_pack_attribute attributes[] = {
        {FACET_POSITION, 0, NULL, FACET_PACK_FLOAT16, 3, 0, false, false},
        {FACET_TEXCOORD, 0, NULL, FACET_PACK_UNORM16, 0, 2, false, false},
        {FACET_NORMAL, 0, NULL, FACET_PACK_OCTAHEDRAL8, 0, 0, false, false}};
    /* 1, 1, -2 as halves are 0x3C00, 0x3C00, 0xC000. Two bytes of padding follow. */
    static const uint8_t position[8] = {0x00, 0x3C, 0x00, 0x3C, 0x00, 0xC0, 0, 0};
    facet_scene *scene = test_scene();
    facet_packed *packed = pack(make_pair(scene), attributes, 3);
    assert_int_equal(packed->buffer_count, 3);
    assert_int_equal(packed->buffers[0].stride, 12);
    assert_int_equal(packed->buffers[1].stride, 0);
    assert_int_equal(packed->buffers[1].size, 0);
    assert_int_equal(packed->buffers[2].stride, 4);
    assert_int_equal(packed->attributes[2].offset, 8);
    expect_bytes((uint8_t *)packed->buffers[0].data + 36, position, 8, 2);
    /* +z is the middle of the square, +x its right side, -y its lower side, and -z a corner: x = y
     * = 0 folds to (1 - 0) * sign(0) twice. */
    static const int8_t normals[4][2] = {{0, 0}, {127, 0}, {0, -127}, {127, 127}};
    for (size_t v = 0; v < 4; v++)
        assert_memory_equal((uint8_t *)packed->buffers[0].data + v * 12 + 8, normals[v], 2);
    /* 0.25 * 65535 = 16383.75 and 1 give 0x4000 0xFFFF. 0.5 gives 32767.5, which rounds to even. */
    static const uint8_t texcoords[8] = {0x00, 0x40, 0xFF, 0xFF, 0x00, 0x80, 0xFF, 0xBF};
    expect_bytes((uint8_t *)packed->buffers[2].data + 8, texcoords, 8, 2);
    facet_packed_free(packed);

    facet_pack_layout tight = {.attributes = attributes, .attribute_count = 3, .alignment = 1};
    facet_error error;
    TEST_OK(facet_mesh_pack(scene->meshes[0], &tight, NULL, &packed, &error), &error);
    assert_int_equal(packed->attributes[2].offset, 6);
    assert_int_equal(packed->buffers[0].stride, 8);
    facet_packed_free(packed);
    facet_scene_free(scene);
}

/* -- Numbers ------------------------------------------------------------ */

/* One triangle whose first position and normal are given. */
static facet_scene *one_vertex(const float position[3], const float normal[3])
{
    float positions[9] = {0}, normals[9] = {0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    memcpy(positions, position, 12);
    memcpy(normals, normal, 12);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL) &&
                test_stream(scene, mesh, FACET_NORMAL, 3, 3, normals, NULL));
    mesh->streams[1].indices = mesh->streams[0].indices;
    return scene;
}

/* Pack only the position. False if it is out of range. */
static bool pack_position(const float position[3], facet_pack_format format, uint8_t bytes[12])
{
    const facet_pack_attribute attribute = {FACET_POSITION, 0, NULL, format, 3, 0, false, false};
    facet_pack_layout layout = {sizeof layout, &attribute, 1, 0, 0, false};
    facet_scene *scene = one_vertex(position, position);
    facet_packed *packed = NULL;
    facet_error error;
    facet_status status = facet_mesh_pack(scene->meshes[0], &layout, NULL, &packed, &error);
    if (status) {
        assert_int_equal(status, FACET_ERROR_LIMIT);
        assert_string_equal(error.rule, "PACK-RANGE");
        assert_null(packed);
    } else {
        memcpy(bytes, packed->buffers[0].data, 3 * facet_pack_format_size(format));
    }
    facet_packed_free(packed);
    facet_scene_free(scene);
    return status == FACET_OK;
}

/* Rounding to binary16. 1 + 2^-11 is halfway between 1 and 1 + 2^-10 and goes to the even one; 1 +
 * 3 * 2^-11 goes to 1 + 2^-9. 2^-24 is the smallest number: half of it goes to 0, and a little more
 * to 2^-24. 2047.5 / 2048 * 2^-14 rounds up to a normal number. */
TEST(halves_round_to_even)
{
    static const struct {
        float value;
        uint16_t bits;
    } cases[] = {{0, 0x0000},        {-0.0F, 0x8000},        {1, 0x3C00},
                 {-2, 0xC000},       {0x1.002p0F, 0x3C00},   {0x1.006p0F, 0x3C02},
                 {0x1p-24F, 0x0001}, {0x1p-25F, 0x0000},     {0x1.02p-25F, 0x0001},
                 {0x1p-14F, 0x0400}, {0x1.FFFp-15F, 0x0400}, {0x1.FF8p-15F, 0x03FF},
                 {65504, 0x7BFF},    {65519, 0x7BFF},        {0.1F, 0x2E66}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float position[3] = {cases[i].value, 0, 0};
        uint8_t bytes[12];
        uint16_t bits;
        assert_true(pack_position(position, FACET_PACK_FLOAT16, bytes));
        memcpy(&bits, bytes, 2);
        if (bits != cases[i].bits)
            fail_msg("%a is 0x%04X, expected 0x%04X", (double)cases[i].value, bits, cases[i].bits);
    }
    static const float beyond[3] = {0, 65520, 0};
    uint8_t bytes[12];
    assert_false(pack_position(beyond, FACET_PACK_FLOAT16, bytes));
}

/* Every half survives the round trip. Its value is (-1)^s * 2^(e - 15) * (1 + m / 1024); if e is 0,
 * without the 1 and with e = 1. */
TEST(every_half_survives_the_round_trip)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    static const uint32_t indices[3] = {0, 1, 2};
    static float values[0x7C00 * 3];
    for (int i = 0; i < 0x7C00; i++) {
        int e = i >> 10, m = i & 1023;
        values[i * 3] = (float)ldexp(e ? 1024 + m : m, (e ? e : 1) - 25);
        values[i * 3 + 1] = -values[i * 3];
    }
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 0x7C00, values, indices));
    const facet_pack_attribute attribute = {FACET_POSITION, 0,    NULL, FACET_PACK_FLOAT16, 2, 0,
                                            false,          false};
    facet_packed *packed = pack(mesh, &attribute, 1);
    const uint16_t *halves = packed->buffers[0].data;
    for (int i = 0; i < 0x7C00; i++) {
        assert_int_equal(halves[i * 2], i);
        assert_int_equal(halves[i * 2 + 1], i | 0x8000);
    }
    facet_packed_free(packed);
    facet_scene_free(scene);
}

/* 0.5 * 127 = 63.5 and 0.5 * 255 = 127.5 round to even: 64 and 128. */
TEST(normalized_numbers_round_to_even)
{
    static const float signs[3] = {-1, 0.5F, 1}, shares[3] = {0, 0.5F, 1}, more[3] = {0, 0, 1.01F};
    static const float wholes[3] = {-128, 127, 3}, broken[3] = {1, 2, 2.5F}, large[3] = {0, 256, 0};
    static const float minus[3] = {0, -1, 0};
    static const int8_t signed_bytes[3] = {-127, 64, 127}, whole_bytes[3] = {-128, 127, 3};
    static const uint8_t share_bytes[3] = {0, 128, 255};
    uint8_t bytes[12];
    assert_true(pack_position(signs, FACET_PACK_SNORM8, bytes));
    assert_memory_equal(bytes, signed_bytes, 3);
    assert_true(pack_position(shares, FACET_PACK_UNORM8, bytes));
    assert_memory_equal(bytes, share_bytes, 3);
    assert_true(pack_position(wholes, FACET_PACK_SINT8, bytes));
    assert_memory_equal(bytes, whole_bytes, 3);
    assert_false(pack_position(more, FACET_PACK_UNORM8, bytes));
    assert_false(pack_position(more, FACET_PACK_SNORM16, bytes));
    assert_false(pack_position(signs, FACET_PACK_UNORM16, bytes));
    assert_false(pack_position(broken, FACET_PACK_UINT16, bytes));
    assert_false(pack_position(large, FACET_PACK_UINT8, bytes));
    assert_false(pack_position(minus, FACET_PACK_UINT32, bytes));
    assert_true(pack_position(large, FACET_PACK_UINT32, bytes));
    uint32_t number;
    memcpy(&number, bytes + 4, 4);
    assert_int_equal(number, 256);
    assert_true(pack_position(minus, FACET_PACK_SINT32, bytes));
    assert_memory_equal(bytes + 4, "\xFF\xFF\xFF\xFF", 4);
}

/* x from -3 to 5, y always 2, z from 0 to 1, in 16 bits. Unsigned: base is the minimum and scale
 * the range. Signed: the middle and half the range. */
TEST(fit_maps_values_to_the_full_range)
{
    static const float positions[9] = {-3, 2, 0, 5, 2, 1, 1, 2, 0.5F};
    static const float normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    static const facet_pack_attribute attributes[] = {
        {FACET_POSITION, 0, NULL, FACET_PACK_UNORM16, 3, 0, true, false},
        {FACET_POSITION, 0, NULL, FACET_PACK_SNORM8, 3, 1, true, false}};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL) &&
                test_stream(scene, mesh, FACET_NORMAL, 3, 3, normals, NULL));
    mesh->streams[1].indices = mesh->streams[0].indices;
    facet_packed *packed = pack(mesh, attributes, 2);
    /* (1 + 3) / 8 = 0.5 gives 32767.5, which rounds to the even 32768. */
    static const uint16_t expected[12] = {0, 0, 0, 0, 65535, 0, 65535, 0, 32768, 0, 32768, 0};
    assert_memory_equal(packed->buffers[0].data, expected, sizeof expected);
    static const float base[4] = {-3, 2, 0, 0}, scale[4] = {8, 0, 1, 1};
    assert_memory_equal(packed->attributes[0].base, base, sizeof base);
    assert_memory_equal(packed->attributes[0].scale, scale, sizeof scale);
    static const int8_t signed_bytes[12] = {-127, 0, -127, 0, 127, 0, 127, 0, 0, 0, 0, 0};
    assert_memory_equal(packed->buffers[1].data, signed_bytes, sizeof signed_bytes);
    static const float middle[4] = {1, 2, 0.5F, 0}, half[4] = {4, 0, 0.5F, 1};
    assert_memory_equal(packed->attributes[1].base, middle, sizeof middle);
    assert_memory_equal(packed->attributes[1].scale, half, sizeof half);
    facet_packed_free(packed);
    facet_scene_free(scene);
}

/* Directions all over the sphere survive the round trip by the formula of the header. "A Survey of
 * Efficient Representations" gives the largest angles, for the best of four pairs. They are 0.627
 * degrees for two times 8 bits, and 0.0024 for two times 16. */
TEST(octahedral_directions_are_within_the_published_error)
{
    enum { COUNT = 20000 };
    static float directions[COUNT * 3];
    static const uint32_t indices[3] = {0, 1, 2};
    for (int i = 0; i < COUNT; i++) { /* a spiral from pole to pole */
        double z = 1 - 2.0 * i / (COUNT - 1), r = sqrt(1 - z * z), turn = i * 2.399963229728653;
        directions[i * 3] = (float)(r * cos(turn));
        directions[i * 3 + 1] = (float)(r * sin(turn));
        directions[i * 3 + 2] = (float)z;
    }
    static const facet_pack_attribute attributes[] = {
        {FACET_NORMAL, 0, NULL, FACET_PACK_OCTAHEDRAL8, 0, 0, false, false},
        {FACET_NORMAL, 0, NULL, FACET_PACK_OCTAHEDRAL16, 0, 1, false, false}};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_NORMAL, 3, COUNT, directions, indices));
    facet_packed *packed = pack(mesh, attributes, 2);
    double worst[2] = {0, 0};
    for (int i = 0; i < COUNT * 2; i++) {
        int which = i / COUNT, v = i % COUNT;
        const int8_t *bytes = packed->buffers[0].data;
        const int16_t *shorts = packed->buffers[1].data;
        double x = which ? shorts[v * 2] / 32767.0 : bytes[v * 4] / 127.0;
        double y = which ? shorts[v * 2 + 1] / 32767.0 : bytes[v * 4 + 1] / 127.0;
        double z = 1 - fabs(x) - fabs(y), u = x, w = y;
        if (z < 0) {
            u = (1 - fabs(y)) * (x < 0 ? -1 : 1);
            w = (1 - fabs(x)) * (y < 0 ? -1 : 1);
        }
        const float *d = directions + (size_t)v * 3;
        double cross[3] = {w * d[2] - z * d[1], z * d[0] - u * d[2], u * d[1] - w * d[0]};
        double dot = u * d[0] + w * d[1] + z * d[2];
        double sine = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
        worst[which] = fmax(worst[which], atan2(sine, dot) * 57.29577951308232);
    }
    assert_true(worst[0] > 0.3 && worst[0] < 0.63);
    assert_true(worst[1] > 0.001 && worst[1] < 0.0025);
    facet_packed_free(packed);
    facet_scene_free(scene);
}

/* A tangent's sign is the third number, and the fourth is 0. */
TEST(octahedral_tangents_keep_their_sign)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float tangents[12] = {1, 0, 0, -1, 0, 1, 0, 1, 0, 0, 1, -1};
    static const facet_pack_attribute attribute = {
        FACET_TANGENT, 0, NULL, FACET_PACK_OCTAHEDRAL8, 0, 0, false, false};
    static const int8_t expected[12] = {127, 0, -127, 0, 0, 127, 127, 0, 0, 0, -127, 0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL) &&
                test_stream(scene, mesh, FACET_TANGENT, 4, 3, tangents, NULL));
    mesh->streams[1].indices = mesh->streams[0].indices;
    facet_packed *packed = pack(mesh, &attribute, 1);
    assert_int_equal(packed->buffers[0].stride, 4);
    assert_memory_equal(packed->buffers[0].data, expected, sizeof expected);
    facet_packed_free(packed);
    facet_scene_free(scene);
}

/* -- Missing and invalid attributes ------------------------------------- */

TEST(missing_optional_attributes_are_filled)
{
    static const facet_pack_attribute attributes[] = {
        {FACET_COLOR, 0, NULL, FACET_PACK_UNORM8, 0, 0, false, true},
        {FACET_TEXCOORD, 1, NULL, FACET_PACK_FLOAT32, 0, 0, true, true},
        {FACET_POSITION, 0, NULL, FACET_PACK_FLOAT32, 4, 1, false, false}};
    facet_scene *scene = test_scene();
    const facet_mesh *mesh = make_pair(scene);
    facet_pack_layout layout = {sizeof layout, attributes, 3, 0, 0, false};
    facet_packed *packed = NULL;
    facet_error error;
    /* Floats cannot be fitted to a range. */
    assert_int_equal(facet_mesh_pack(mesh, &layout, NULL, &packed, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "PACK-LAYOUT");
    facet_pack_attribute right[3];
    memcpy(right, attributes, sizeof right);
    right[1].fit = false;
    packed = pack(mesh, right, 3);
    static const uint8_t filled[12] = {255, 255, 255, 255};
    assert_int_equal(packed->buffers[0].stride, 12);
    assert_memory_equal((uint8_t *)packed->buffers[0].data + 36, filled, sizeof filled);
    assert_true(packed->attributes[0].missing && packed->attributes[1].missing);
    assert_false(packed->attributes[2].missing);
    static const float fourth[4] = {1, 1, -2, 1}; /* w of a point is 1 */
    assert_memory_equal((uint8_t *)packed->buffers[1].data + 48, fourth, sizeof fourth);
    facet_packed_free(packed);
    packed = NULL;
    right[0].optional = false;
    layout.attributes = right;
    assert_int_equal(facet_mesh_pack(mesh, &layout, NULL, &packed, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "PACK-STREAM");
    assert_null(packed);
    facet_scene_free(scene);
}

TEST(pack_refuses_invalid_layouts)
{
    static const facet_pack_attribute bad[] = {
        {FACET_POSITION, 0, NULL, (facet_pack_format)99, 3, 0, false, false},
        {FACET_POSITION, 0, NULL, FACET_PACK_FLOAT32, 5, 0, false, false},
        {FACET_POSITION, 0, NULL, FACET_PACK_FLOAT32, 3, 16, false, false},
        {FACET_NORMAL, 0, NULL, FACET_PACK_OCTAHEDRAL8, 1, 0, false, false},
        {FACET_TEXCOORD, 0, NULL, FACET_PACK_OCTAHEDRAL8, 2, 0, false, false},
        {FACET_NORMAL, 0, NULL, FACET_PACK_OCTAHEDRAL8, 2, 0, true, false}};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_pair(scene);
    facet_packed *packed = NULL;
    facet_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        facet_pack_layout layout = {sizeof layout, &bad[i], 1, 0, 0, false};
        assert_int_equal(facet_mesh_pack(mesh, &layout, NULL, &packed, &error),
                         FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "PACK-LAYOUT");
    }
    static const facet_pack_layout layouts[] = {
        {.index_size = 3}, {.alignment = 3}, {.alignment = 32}};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(facet_mesh_pack(mesh, &layouts[i], NULL, &packed, &error),
                         FACET_ERROR_ARGUMENT);
    facet_pack_layout newer = {.struct_size = sizeof newer + 8};
    assert_int_equal(facet_mesh_pack(mesh, &newer, NULL, &packed, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "STRUCT-SIZE");
    /* One stream has a separate index. */
    uint32_t own[6] = {0, 1, 2, 2, 1, 3}, *shared = mesh->streams[2].indices;
    mesh->streams[2].indices = own;
    assert_int_equal(facet_mesh_pack(mesh, NULL, NULL, &packed, &error), FACET_ERROR_ARGUMENT);
    mesh->streams[2].indices = shared;
    shared[4] = FACET_NONE;
    assert_int_equal(facet_mesh_pack(mesh, NULL, NULL, &packed, &error), FACET_ERROR_ARGUMENT);
    assert_null(packed);
    facet_scene_free(scene);
}

/* -- 16-bit indices ----------------------------------------------------- */

/* Each triangle has its own vertices. The material changes at triangle `cut`. */
static facet_scene *make_soup(uint32_t triangles, uint32_t cut)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, triangles, NULL);
    float *positions = calloc((size_t)triangles * 9, sizeof *positions);
    assert_true(mesh && positions &&
                test_stream(scene, mesh, FACET_POSITION, 3, triangles * 3, positions, NULL));
    free(positions);
    mesh->face_materials = facet_scene_allocate(scene, triangles, 4);
    for (uint32_t f = 0; f < triangles; f++)
        mesh->face_materials[f] = f >= cut;
    return scene;
}

/* 21,845 triangles have 65,535 vertices with a highest index of 65,534. This is the maximum for 16
 * bits, because 65,535 is the restart index. With one more triangle, a second draw must begin. */
TEST(indices_have_16_bits_where_they_fit)
{
    facet_packed *packed = NULL;
    facet_error error;
    facet_scene *scene = make_soup(21845, 5);
    TEST_OK(facet_mesh_pack(scene->meshes[0], NULL, NULL, &packed, &error), &error);
    assert_int_equal(packed->index_size, 2);
    assert_int_equal(((uint16_t *)packed->indices)[65534], 65534);
    facet_packed_free(packed);
    facet_scene_free(scene);

    scene = make_soup(21846, 5);
    TEST_OK(facet_mesh_pack(scene->meshes[0], NULL, NULL, &packed, &error), &error);
    assert_int_equal(packed->index_size, 4);
    facet_packed_free(packed);
    facet_pack_layout shorts = {.index_size = 2};
    TEST_OK(facet_mesh_pack(scene->meshes[0], &shorts, NULL, &packed, &error), &error);
    assert_int_equal(packed->draw_count, 2);
    assert_int_equal(packed->draws[1].base_vertex, 15);
    assert_int_equal(packed->draws[1].first_vertex, 15);
    assert_int_equal(packed->draws[1].vertex_count, 65538 - 15);
    assert_int_equal(((uint16_t *)packed->indices)[15], 0);
    assert_int_equal(((uint16_t *)packed->indices)[65537], 65537 - 15);
    facet_packed_free(packed);
    packed = NULL;
    facet_scene *most = make_soup(21846, 1); /* the second draw has 65,535 */
    TEST_OK(facet_mesh_pack(most->meshes[0], &shorts, NULL, &packed, &error), &error);
    assert_int_equal(packed->draws[1].vertex_count, 65535);
    assert_int_equal(((uint16_t *)packed->indices)[65537], 65534);
    facet_packed_free(packed);
    facet_scene_free(most);
    packed = NULL;
    scene->meshes[0]->face_materials = NULL; /* one draw: indices exceed 16 bits */
    assert_int_equal(facet_mesh_pack(scene->meshes[0], &shorts, NULL, &packed, &error),
                     FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "PACK-INDEX");
    assert_null(packed);
    facet_scene_free(scene);
}

/* Streams of more than four components are left out and reported. Streams of other types are stored
 * unchanged. */
TEST(joints_are_packed_and_wide_streams_left_out)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_pair(scene);
    facet_report *report = NULL;
    facet_stream *stream = NULL;
    facet_packed *packed = NULL;
    facet_error error;
    static const uint16_t joints[16] = {0, 1, 2, 3, 65535, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 4, joints,
                                       mesh->streams[0].indices, NULL, &error),
            &error);
    TEST_OK(
        facet_mesh_add_stream(mesh, FACET_CUSTOM, 0, "wide", FACET_FLOAT32, 5, 4, &stream, &error),
        &error);
    memset(stream->data, 0, 80);
    stream->indices = mesh->streams[0].indices;
    TEST_OK(facet_mesh_pack(mesh, NULL, &(facet_options){.report = report}, &packed, &error),
            &error);
    assert_int_equal(facet_report_count(report), 1);
    assert_string_equal(facet_report_get(report, 0)->rule, "PACK-COMPONENTS");
    assert_int_equal(packed->attribute_count, 4);
    assert_int_equal(packed->attributes[3].offset, 32);
    assert_memory_equal((uint8_t *)packed->buffers[0].data + 40 + 32, joints + 4, 8);
    facet_packed_free(packed);
    facet_report_free(report);
    facet_scene_free(scene);
}
