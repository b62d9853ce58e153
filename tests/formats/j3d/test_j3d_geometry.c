/* Tests of display lists that become triangles and streams, and of the rest pose. The expected
 * values follow from the description of each model and the formulas of the format. */
#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/gpu/skeleton.h"

#include "base/arena.h"
#include "support/j3d_geometry.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

/* -- Primitives --------------------------------------------------------- */

/* Triangles of the small model's first shape as indices of its position array, by the table of
 * windings. Quads 0 3 2 1 and 4 5 6 7, triangle 1 2 6, strip 0 4 3 7 7 2, fan 8 1 2 6. */
TEST(primitives_become_triangles_in_order)
{
    static const uint32_t expected[][3] = {{0, 2, 3}, {0, 1, 2}, /* quad v0 v2 v1, v0 v3 v2 */
                                           {4, 6, 5}, {4, 7, 6}, /* the second quad opcode */
                                           {1, 6, 2},            /* v0 v2 v1 */
                                           {0, 3, 4}, {3, 7, 4}, /* strip v0 v2 v1, then v2 v3 v1 */
                                           {8, 2, 1}, {8, 6, 2}}; /* fan v0 v2 v1, v0 v3 v2 */
    static const double at[10][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},   {0, 0, 1},
                                     {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {2, 0.5, 0}, {2, 0.5, 1}};
    subject s = read_model(test_j3d_small());
    facet_j3d_geometry g = decode(&s, 0);
    /* Two of the strip's four triangles use vertex 7 twice. */
    assert_int_equal(g.triangle_count, 9);
    assert_int_equal(g.degenerate, 2);
    assert_int_equal(g.points, 2);
    assert_int_equal(g.left_over, 0);
    assert_int_equal(g.draw_matrix, 0);
    float *positions = malloc(sizeof *positions * 3 * g.vertex_count);
    facet_j3d_geometry_positions(&g, positions);
    for (uint32_t t = 0; t < 9; t++) {
        for (uint32_t c = 0; c < 3; c++)
            assert_points(positions + (size_t)g.corners[t * 3 + c] * 3, at[expected[t][c]], 3, 0);
    }
    /* Two lines of the lines 8 9 0 1, two of the line strip 8 9 0. */
    static const uint32_t lines[4][2] = {{8, 9}, {0, 1}, {8, 9}, {9, 0}};
    assert_int_equal(g.line_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t c = 0; c < 2; c++)
            assert_points(positions + (size_t)g.lines[i * 2 + c] * 3, at[lines[i][c]], 3, 0);
    }
    free(positions);
    end(&s);
}

TEST(surplus_primitive_vertices_draw_nothing)
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 2, 2};
    static const uint16_t indices[] = {0, 1, 2, 3, 4};
    test_j3d *model = plain_model();
    uint32_t shape = plain_shape(model);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 5);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_draw(model, shape, 0x80, indices, 5); /* 1 surplus vertex */
    test_j3d_draw(model, shape, 0x90, indices, 5); /* 2 */
    test_j3d_draw(model, shape, 0x98, indices, 2); /* 2 */
    test_j3d_draw(model, shape, 0xA0, indices, 1); /* 1 */
    test_j3d_draw(model, shape, 0xA8, indices, 3); /* 1 */
    test_j3d_draw(model, shape, 0xB0, indices, 1); /* 1 */
    test_j3d_draw(model, shape, 0x98, indices, 0);
    test_j3d_draw(model, shape, 0x90 | 7, indices, 3); /* the vertex format number does not
                                                        * matter */
    subject s = read_model(model);
    facet_j3d_geometry g = decode(&s, 0);
    assert_int_equal(g.left_over, 8);
    assert_int_equal(g.triangle_count, 4);
    assert_int_equal(g.line_count, 1);
    assert_int_equal(g.drawn, 20);
    end(&s);
}

/* -- Unique vertices ---------------------------------------------------- */

/* Vertices of the multi shape. Packet 1 has slots 0 3 4, packet 2 slots 0 1 2, of which it keeps
 * the first. Its strip is (slot 0, pos 0) (1, 1) (2, 3) (1, 2), its triangle (0, 2) (1, 8) (2,
 * 9). */
TEST(slots_keep_matrices_of_earlier_packets)
{
    static const uint16_t draws[7] = {0, 3, 4, 3, 0, 1, 2};
    static const uint32_t corners[9] = {0, 2, 1, 2, 3, 1, 4, 6, 5};
    subject s = read_model(test_j3d_small());
    facet_j3d_geometry g = decode(&s, 1);
    assert_int_equal(g.vertex_count, 7);
    assert_int_equal(g.triangle_count, 3);
    assert_int_equal(g.draw_matrix, FACET_J3D_NONE);
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(facet_j3d_geometry_draw_matrix(&g, i), draws[i]);
    for (uint32_t i = 0; i < 9; i++)
        assert_int_equal(g.corners[i], corners[i]);
    end(&s);
}

/* The same joint in another slot gives the same vertex; another joint does not. A texture matrix
 * that differs from the position matrix also makes another vertex. */
TEST(vertices_merge_only_within_one_joint)
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t first[2] = {0, 1}, second[2] = {1, 0};
    static const uint16_t zero[] = {0, 30, 0, 0, 30, 1, 0, 30, 2};
    static const uint16_t one[] = {3, 33, 0, 3, 33, 1, 3, 33, 2};
    static const uint16_t odd[] = {3, 60, 0, 3, 33, 1, 3, 33, 2};
    for (int strange = 0; strange < 2; strange++) {
        test_j3d *model = plain_model();
        test_j3d_add_joint(model, "other", 0);
        test_j3d_add_draw(model, 0, 1);
        uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_MULTI, 0, 0);
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION_MATRIX, FACET_J3D_INPUT_DIRECT);
        test_j3d_add_part(model, shape, FACET_J3D_TEXTURE_MATRIX0, FACET_J3D_INPUT_DIRECT);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_packet(model, shape, first, 2);
        test_j3d_draw(model, shape, 0x90, zero, 3);
        test_j3d_add_packet(model, shape, second, 2);
        test_j3d_draw(model, shape, 0x90, one, 3);                  /* joint 0 again */
        test_j3d_draw(model, shape, 0x90, strange ? odd : zero, 3); /* or joint 1 */
        subject s = read_model(model);
        facet_j3d_geometry g = decode(&s, 0);
        /* Texture matrices count as soon as one vertex has a different one. Then joint 0 with 30
         * and with 33 are two vertices: 3, 3, and one more. */
        assert_int_equal(g.vertex_count, strange ? 7 : 6);
        assert_int_equal(g.triangle_count, 3);
        end(&s);
    }
}

/* Vertices on one position with texture matrices 0 and 1 are two vertices. If they also have
 * position matrices, the numbers are those of the slots. */
TEST(texture_matrices_of_vertices)
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t root[2] = {0, 0};
    static const uint16_t alone[] = {30, 0, 30, 1, 30, 2, 33, 0, 60, 1, 33, 2};
    static const uint16_t beside[] = {0, 30, 0, 0, 30, 1, 0, 60, 2};
    static const uint8_t expected[6] = {30, 30, 30, 33, 60, 33};
    for (int positions = 0; positions < 2; positions++) {
        test_j3d *model = plain_model();
        uint32_t shape = test_j3d_add_shape(
            model, positions ? FACET_J3D_SHAPE_MULTI : FACET_J3D_SHAPE_SINGLE, 0, 0);
        uint8_t found[6];
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
        if (positions)
            test_j3d_add_part(model, shape, FACET_J3D_POSITION_MATRIX, FACET_J3D_INPUT_DIRECT);
        test_j3d_add_part(model, shape, FACET_J3D_TEXTURE_MATRIX0 + 1, FACET_J3D_INPUT_DIRECT);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_packet(model, shape, root, 1);
        test_j3d_draw(model, shape, 0x90, positions ? beside : alone, positions ? 3 : 6);
        subject s = read_model(model);
        facet_j3d_geometry g = decode(&s, 0);
        assert_int_equal(g.vertex_count, positions ? 3 : 6);
        assert_false(facet_j3d_geometry_texture_matrices(&g, 0, NULL));
        assert_int_equal(facet_j3d_geometry_texture_matrices(&g, 1, found), !positions);
        if (!positions)
            assert_memory_equal(found, expected, 6);
        end(&s);
    }
}

/* More vertices on one position than the search compares: all texcoords are distinct, and each is
 * drawn twice. */
TEST(distinct_texcoords_on_one_position_stay_vertices)
{
    enum { COUNT = 3000 };
    static double st[COUNT * 2];
    static uint16_t values[COUNT * 2 * 2];
    static const double xyz[3] = {1, 2, 3};
    for (uint32_t i = 0; i < COUNT; i++) {
        st[i * 2] = i;
        st[i * 2 + 1] = -(double)i;
        values[i * 2 + 1] = values[(COUNT + i) * 2 + 1] = (uint16_t)i;
    }
    test_j3d *model = plain_model();
    uint32_t shape = plain_shape(model);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 1);
    test_j3d_add_values(model, FACET_J3D_ARRAY_TEXCOORD0, 1, FACET_J3D_F32, 0, st, COUNT);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, shape, FACET_J3D_TEXCOORD0, FACET_J3D_INPUT_INDEX16);
    test_j3d_draw(model, shape, 0x90, values, COUNT);
    test_j3d_draw(model, shape, 0x90, values, COUNT);
    uint32_t after = plain_shape(model);
    test_j3d_add_part(model, after, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, after, FACET_J3D_TEXCOORD0, FACET_J3D_INPUT_INDEX16);
    test_j3d_draw(model, after, 0x90, values, 6);
    subject s = read_model(model);
    facet_j3d_geometry g = decode(&s, 0);
    assert_int_equal(g.vertex_count, COUNT);
    assert_int_equal(g.triangle_count, COUNT / 3 * 2);
    float *found = malloc(sizeof *found * 2 * COUNT);
    facet_j3d_geometry_texcoords(&g, 0, NULL, found);
    for (uint32_t i = 0; i < COUNT; i += 3) {
        uint32_t again = COUNT + i; /* corner 3k + 1 is the third vertex */
        assert_int_equal(found[g.corners[i] * 2], i);
        assert_int_equal(found[g.corners[i + 1] * 2], i + 2);
        assert_int_equal(g.corners[again], g.corners[i]);
        assert_int_equal(g.corners[again + 1], g.corners[i + 1]);
    }
    free(found);
    g = decode(&s, 1); /* the next shape is not affected */
    assert_int_equal(g.vertex_count, 6);
    end(&s);
}

/* Random strips, fans and quads over few vertices, compared with a simple decoder. */
enum { PARTS = 4, DRAWN = 600 };

static uint32_t next_random(uint32_t *state)
{
    return (*state = *state * 1664525u + 1013904223u) >> 16;
}

static bool same_vertex(const uint16_t *a, const uint16_t *b)
{
    return memcmp(a, b, PARTS * sizeof *a) == 0;
}

static uint32_t number_of(uint16_t (*unique)[PARTS], uint32_t *count, const uint16_t *vertex)
{
    uint32_t i = 0;
    while (i < *count && !same_vertex(unique[i], vertex))
        i++;
    if (i == *count)
        memcpy(unique[(*count)++], vertex, sizeof *unique);
    return i;
}

static uint32_t plain_triangles(unsigned opcode, uint32_t n, uint32_t (*out)[3])
{
    uint32_t made = 0;
    for (uint32_t k = 0; opcode == 0x90 && k + 2 < n; k += 3, made++)
        out[made][0] = k, out[made][1] = k + 2, out[made][2] = k + 1;
    for (uint32_t k = 0; opcode == 0x98 && k + 2 < n; k++, made++) {
        /* odd: k+1 k k+2; then the last two are exchanged */
        out[made][0] = k + (k & 1);
        out[made][1] = k + 2;
        out[made][2] = k + 1 - (k & 1);
    }
    for (uint32_t k = 0; opcode == 0xA0 && k + 2 < n; k++, made++)
        out[made][0] = 0, out[made][1] = k + 2, out[made][2] = k + 1;
    for (uint32_t k = 0; opcode == 0x80 && k + 3 < n; k += 4) {
        out[made][0] = k, out[made][1] = k + 2, out[made++][2] = k + 1;
        out[made][0] = k, out[made][1] = k + 3, out[made++][2] = k + 2;
    }
    return made;
}

TEST(random_shapes_decode_like_the_reference)
{
    static const unsigned opcodes[4] = {0x80, 0x90, 0x98, 0xA0};
    static const uint32_t attributes[PARTS] = {FACET_J3D_POSITION, FACET_J3D_NORMAL,
                                               FACET_J3D_COLOR0, FACET_J3D_TEXCOORD0};
    uint32_t random = 7;
    for (uint32_t run = 0; run < 40; run++) {
        static double zeros[300 * 3];
        static uint8_t colors[300 * 4];
        static uint16_t unique[DRAWN][PARTS], values[DRAWN][PARTS];
        uint32_t expected[DRAWN * 2][3], count = 0, triangles = 0, dropped = 0;
        uint32_t range = run % 2 ? 3 : 300; /* in a small range, whole vertices coincide */
        test_j3d *model = plain_model();
        uint32_t shape = plain_shape(model);
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_S8, 0, zeros, 300);
        test_j3d_add_values(model, FACET_J3D_ARRAY_NORMAL, 0, FACET_J3D_S8, 0, zeros, 300);
        test_j3d_add_colors(model, FACET_J3D_ARRAY_COLOR0, 1, FACET_J3D_RGBA8, colors, 300);
        test_j3d_add_values(model, FACET_J3D_ARRAY_TEXCOORD0, 1, FACET_J3D_S16, 0, zeros, 300);
        for (uint32_t p = 0; p < PARTS; p++) {
            bool wide = range > 256 || (run >> p & 1);
            test_j3d_add_part(model, shape, attributes[p],
                              wide ? FACET_J3D_INPUT_INDEX16 : FACET_J3D_INPUT_INDEX8);
        }
        for (uint32_t first = 0; first + 40 <= DRAWN;) {
            uint32_t n = next_random(&random) % 40, made;
            unsigned opcode = opcodes[next_random(&random) % 4];
            uint32_t local[80][3], ids[40];
            for (uint32_t i = 0; i < n; i++) {
                for (uint32_t p = 0; p < PARTS; p++)
                    values[first + i][p] = (uint16_t)(next_random(&random) % range);
                ids[i] = number_of(unique, &count, values[first + i]);
            }
            test_j3d_draw(model, shape, opcode, values[first], n);
            made = plain_triangles(opcode, n, local);
            for (uint32_t t = 0; t < made; t++) {
                uint32_t a = ids[local[t][0]], b = ids[local[t][1]], c = ids[local[t][2]];
                if (a == b || b == c || a == c) {
                    dropped++;
                    continue;
                }
                expected[triangles][0] = a, expected[triangles][1] = b;
                expected[triangles++][2] = c;
            }
            first += n;
        }
        subject s = read_model(model);
        facet_j3d_geometry g = decode(&s, 0);
        assert_int_equal(g.vertex_count, count);
        assert_int_equal(g.triangle_count, triangles);
        assert_int_equal(g.degenerate, dropped);
        assert_memory_equal(g.corners, expected, triangles * sizeof *expected);
        end(&s);
    }
}

/* -- Streams ------------------------------------------------------------ */

/* Every component type and fraction: raw / 2^fraction; floats are stored directly. */
TEST(every_component_type_decodes_its_fraction)
{
    static const double values[2][6] = {{1, 2.5, 0.25, 3, 0, 7.75}, {-1, 2.5, -0.25, 3, 0, -7.75}};
    static const uint16_t indices[3 * 2] = {0, 0, 1, 1, 0, 1};
    for (unsigned component = 0; component <= FACET_J3D_F32; component++) {
        for (unsigned width = 0; width < 4; width++) {
            const double *v = values[component == FACET_J3D_S8 || component == FACET_J3D_S16 ||
                                     component == FACET_J3D_F32];
            unsigned xyz = width & 1, st = width >> 1,
                     fraction = component == FACET_J3D_F32 ? 9 : 2;
            test_j3d *model = plain_model();
            uint32_t shape = plain_shape(model);
            test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, xyz, component, fraction, v, 2);
            test_j3d_add_values(model, FACET_J3D_ARRAY_TEXCOORD0 + 7, st, component, fraction, v,
                                2);
            test_j3d_add_part(model, shape, FACET_J3D_POSITION,
                              st ? FACET_J3D_INPUT_INDEX8 : FACET_J3D_INPUT_INDEX16);
            test_j3d_add_part(model, shape, FACET_J3D_TEXCOORD0 + 7,
                              xyz ? FACET_J3D_INPUT_INDEX8 : FACET_J3D_INPUT_INDEX16);
            test_j3d_draw(model, shape, 0x90, indices, 3);
            subject s = read_model(model);
            facet_j3d_geometry g = decode(&s, 0);
            assert_int_equal(g.vertex_count, 3);
            double p[9] = {v[0], v[1], xyz ? v[2] : 0, v[2 + xyz], v[3 + xyz], xyz ? v[5] : 0};
            double t[6] = {v[0], st ? v[1] : 0, v[1 + st], st ? v[3] : 0, v[1 + st], st ? v[3] : 0};
            float found[9];
            memcpy(p + 6, p, 3 * sizeof *p);
            facet_j3d_geometry_positions(&g, found);
            assert_points(found, p, 9, 0);
            assert_true(facet_j3d_geometry_has(&g, FACET_J3D_TEXCOORD0 + 7));
            assert_false(facet_j3d_geometry_has(&g, FACET_J3D_TEXCOORD0));
            facet_j3d_geometry_texcoords(&g, 7, NULL, found);
            assert_points(found, t, 6, 0);
            /* u' = 2u + 3v + 5, v' = 7u + 11v + 17: each adds both constants of its row. */
            static const float matrix[8] = {2, 3, 4, 1, 7, 11, 17, 0};
            facet_j3d_geometry_texcoords(&g, 7, matrix, found);
            assert_near((double)found[2], 2 * t[2] + 3 * t[3] + 5, 1e-5);
            assert_near((double)found[3], 7 * t[2] + 11 * t[3] + 17, 1e-5);
            end(&s);
        }
    }
}

/* Decoded normals have unit length for every type and fraction. */
TEST(decoded_normals_have_unit_length)
{
    static const double values[4 * 3] = {1, 0, 0, 0.36, 0.48, 0.8, 0, 0, 0, 0.3, 0.4, 0};
    static const uint16_t indices[4 * 2] = {0, 0, 0, 1, 0, 2, 0, 3};
    static const struct {
        unsigned component, fraction;
        double most;
    } kinds[] = {{FACET_J3D_S8, 6, 0.02},   {FACET_J3D_S16, 14, 1e-4}, {FACET_J3D_S16, 15, 1e-4},
                 {FACET_J3D_S16, 12, 4e-4}, {FACET_J3D_F32, 0, 1e-7},  {FACET_J3D_U8, 7, 0.02},
                 {FACET_J3D_U16, 15, 1e-4}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double scaled[12];
        /* 1 does not fit S16 with 15 bits of fraction: exporters store 32767. */
        for (int i = 0; i < 12; i++)
            scaled[i] = kinds[k].fraction == 15 && values[i] == 1 ? 32767.0 / 32768 : values[i];
        test_j3d *model = plain_model();
        uint32_t shape = plain_shape(model);
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, values, 1);
        test_j3d_add_values(model, FACET_J3D_ARRAY_NORMAL, 0, kinds[k].component, kinds[k].fraction,
                            scaled, 4);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_part(model, shape, FACET_J3D_NORMAL, FACET_J3D_INPUT_INDEX16);
        test_j3d_draw(model, shape, 0x80, indices, 4);
        subject s = read_model(model);
        facet_j3d_geometry g = decode(&s, 0);
        float found[12];
        assert_false(facet_j3d_geometry_has_tangents(&g));
        assert_int_equal(facet_j3d_geometry_normals(&g, found), 1);
        assert_points(found, values, 9, kinds[k].most);
        static const double longer[3] = {0.6, 0.8, 0}; /* 0.3 0.4 0 had half of this length */
        assert_points(found + 9, longer, 3, kinds[k].most * 2);
        for (int i = 0; i < 12; i += 3) {
            double length = sqrt((double)(found[i] * found[i] + found[i + 1] * found[i + 1] +
                                          found[i + 2] * found[i + 2]));
            assert_near(length, i == 6 ? 0 : 1, 1e-6);
        }
        end(&s);
    }
}

/* The chip reads 8 bits as 64ths and 16 bits as 16384ths, whatever the format says: 32767 gives a
 * length of 32767 / 16384, about 2. Floats keep their length: (0, 3, 4) has 5. Normals with unit
 * length within rounding, like 63 of 64, do not differ. */
TEST(lengths_of_normals_are_those_of_the_chip)
{
    static const double position[3] = {0};
    static const uint16_t indices[4 * 2] = {0, 0, 0, 1, 0, 2, 0, 3};
    static const struct {
        unsigned component, fraction;
        double x, y, z, length;
        bool differs;
    } kinds[] = {{FACET_J3D_S16, 15, 32767 / 32768.0, 0, 0, 32767 / 16384.0, true},
                 {FACET_J3D_S16, 14, 0, 1, 0, 1, false},
                 {FACET_J3D_S16, 12, 0, 0, 1, 0.25, true},
                 {FACET_J3D_S8, 6, 63 / 64.0, 0, 0, 63 / 64.0, false},
                 {FACET_J3D_S8, 7, 64 / 128.0, 0, 0, 1, false},
                 {FACET_J3D_F32, 0, 0, 3, 4, 5, true},
                 {FACET_J3D_F32, 0, 0, 0, 0, 0, false}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double normals[12];
        for (int i = 0; i < 4; i++) {
            normals[3 * i] = kinds[k].x;
            normals[3 * i + 1] = kinds[k].y;
            normals[3 * i + 2] = kinds[k].z;
        }
        test_j3d *model = plain_model();
        uint32_t shape = plain_shape(model);
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, position, 1);
        test_j3d_add_values(model, FACET_J3D_ARRAY_NORMAL, 0, kinds[k].component, kinds[k].fraction,
                            normals, 4);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_part(model, shape, FACET_J3D_NORMAL, FACET_J3D_INPUT_INDEX16);
        test_j3d_draw(model, shape, 0x80, indices, 4);
        subject s = read_model(model);
        facet_j3d_geometry g = decode(&s, 0);
        float lengths[4];
        assert_int_equal(facet_j3d_geometry_normal_lengths(&g, NULL), kinds[k].differs);
        assert_int_equal(facet_j3d_geometry_normal_lengths(&g, lengths), kinds[k].differs);
        for (int i = 0; i < 4; i++)
            assert_near((double)lengths[i], kinds[k].length, 1e-6);
        end(&s);
    }
}

/* Normal, binormal and tangent: once right-handed (normal x cross tangent y is binormal z), once
 * left-handed. */
TEST(tangents_keep_their_handedness)
{
    static const double values[2 * 9] = {1, 0, 0, 0, 0, 1, 0, 2, 0, 1, 0, 0, 0, 0, -1, 0, 1, 0};
    static const uint16_t one[3 * 2] = {0, 0, 0, 1, 0, 0};
    static const uint16_t three[3 * 4] = {0, 0, 1, 2, 0, 3, 4, 5, 0, 0, 1, 2};
    for (unsigned kind = 0; kind < 3; kind++) {
        /* 0: nine numbers per element; 1: three indices; 2: the array and attribute NBT */
        test_j3d *model = plain_model();
        uint32_t shape = plain_shape(model);
        uint32_t array = kind == 2 ? FACET_J3D_ARRAY_NBT : FACET_J3D_ARRAY_NORMAL;
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, values, 1);
        test_j3d_add_values(model, array, kind == 1 ? 2 : 1, FACET_J3D_F32, 0, values,
                            kind == 1 ? 6 : 2);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX8);
        test_j3d_add_part(model, shape, kind == 2 ? FACET_J3D_NBT : FACET_J3D_NORMAL,
                          FACET_J3D_INPUT_INDEX8);
        test_j3d_draw(model, shape, 0x98, kind == 1 ? three : one, 3);
        subject s = read_model(model);
        facet_j3d_geometry g = decode(&s, 0);
        assert_int_equal(g.vertex_count, 2);
        assert_true(facet_j3d_geometry_has_tangents(&g));
        float normals[6], tangents[8];
        static const double expected[8] = {0, 1, 0, 1, 0, 1, 0, -1};
        assert_int_equal(facet_j3d_geometry_normals(&g, normals), 0);
        facet_j3d_geometry_tangents(&g, normals, tangents);
        assert_points(normals, values, 3, 0);
        assert_points(tangents, expected, 8, 0);
        end(&s);
    }
}

/* The 8-bit expansions of the reference: 5 bits v<<3|v>>2, 6 bits v<<2|v>>4, 4 bits times 17. The
 * source color is 0xB7 0x5A 0xC3 0x9D. */
TEST(color_formats_expand_to_eight_bits)
{
    static const uint8_t source[8] = {0xB7, 0x5A, 0xC3, 0x9D, 0xFF, 0x00, 0xFF, 0xFF};
    static const uint8_t expected[6][4] = {
        {0xB5, 0x59, 0xC6, 0xFF}, /* 0xB7>>3 = 22: 176|5; 0x5A>>2 = 22: 88|1; 24: 192|6 */
        {0xB7, 0x5A, 0xC3, 0xFF}, {0xB7, 0x5A, 0xC3, 0xFF}, {0xBB, 0x55, 0xCC, 0x99},
        {0xB6, 0x59, 0xC3, 0x9E}, /* 45: 180|2; 22: 88|1; 48: 192|3; 39: 156|2 */
        {0xB7, 0x5A, 0xC3, 0x9D}};
    static const double xyz[3] = {0, 0, 0};
    static const uint16_t indices[3 * 2] = {0, 0, 0, 1, 0, 0};
    for (unsigned run = 0; run < 24; run++) {
        unsigned type = run % 6, count_code = run / 6 % 2, cells = run / 12;
        uint8_t found[8];
        test_j3d *model = plain_model();
        uint32_t shape = plain_shape(model);
        model->colors_in_cells = cells;
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 1);
        test_j3d_add_colors(model, FACET_J3D_ARRAY_COLOR0 + 1, count_code, type, source, 2);
        if (cells) { /* enough of them to show that these are cells */
            for (int i = 0; i < 38; i++)
                test_j3d_add_colors(model, FACET_J3D_ARRAY_COLOR0 + 1, count_code, type, source, 1);
        }
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX8);
        test_j3d_add_part(model, shape, FACET_J3D_COLOR0 + 1, FACET_J3D_INPUT_INDEX16);
        test_j3d_draw(model, shape, 0x90, indices, 3);
        subject s = read_model(model);
        if (cells) /* the document gives the stride; the decoder interprets the bytes */
            s.document->vertices.arrays[FACET_J3D_ARRAY_COLOR0 + 1].stride = 4;
        facet_j3d_geometry g = decode(&s, 0);
        assert_int_equal(g.vertex_count, 2);
        facet_j3d_geometry_colors(&g, 1, found);
        assert_memory_equal(found, expected[type], 3);
        assert_int_equal(found[3], expected[type][3]); /* for every count code */
        assert_int_equal(found[4], 0xFF);
        assert_int_equal(found[5], 0);
        assert_int_equal(found[7], 0xFF);
        end(&s);
    }
}

/* -- Failed allocations ------------------------------------------------- */

static facet_status attempt(const facet_allocator *allocator, void *user)
{
    const test_bytes *file = user;
    facet_options options = {0};
    facet_j3d *document;
    facet_error error;
    options.allocator = allocator;
    facet_status status =
        facet_j3d_read(TEST_SOURCE(file->data, file->size), &options, &document, &error);
    if (status)
        return status;
    facet_j3d_decoder decoder = {0};
    decoder.document = document;
    decoder.arena = document->arena;
    facet_j3d_geometry geometry;
    facet_j3d_skeleton skeleton;
    status = facet_j3d_skeleton_create(document, document->arena, &skeleton, &error);
    for (uint32_t i = 0; i < document->shapes.count && !status; i++)
        status = facet_j3d_decode_shape(&decoder, i, &geometry, &error);
    facet_j3d_decoder_free(&decoder);
    facet_j3d_free(document);
    return status;
}

TEST(decoder_survives_failed_allocations)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BDL4);
    test_j3d_free(model);
    test_every_allocation(attempt, &file);
    test_bytes_free(&file);
}
