#include "support/shapes.h"

#include "support/support.h"

#include <math.h>
#include <stdlib.h>

test_shape *test_shape_new(void)
{
    test_shape *shape = calloc(1, sizeof *shape);
    assert_non_null(shape);
    return shape;
}

uint32_t test_shape_point(test_shape *shape, double x, double y, double z)
{
    assert_true(shape->point_count < 20000);
    float *point = shape->points[shape->point_count];
    point[0] = (float)x;
    point[1] = (float)y;
    point[2] = (float)z;
    return shape->point_count++;
}

void test_shape_triangle(test_shape *shape, uint32_t a, uint32_t b, uint32_t c)
{
    assert_true(shape->triangle_count < 20000);
    uint32_t *triangle = shape->triangles[shape->triangle_count++];
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

void test_shape_box(test_shape *shape, double x0, double y0, double z0, double x1, double y1,
                    double z1)
{
    static const uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    uint32_t first = shape->point_count;
    for (int i = 0; i < 8; i++)
        test_shape_point(shape, i & 1 ? x1 : x0, i & 2 ? y1 : y0, i & 4 ? z1 : z0);
    for (int i = 0; i < 6; i++) {
        const uint32_t *q = quads[i];
        test_shape_triangle(shape, first + q[0], first + q[1], first + q[2]);
        test_shape_triangle(shape, first + q[0], first + q[2], first + q[3]);
    }
}

void test_shape_turned(test_shape *shape, double (*profile)[2], uint32_t count, uint32_t segments)
{
    uint32_t first = shape->point_count;
    for (uint32_t k = 0; k < segments; k++) {
        double angle = 2 * TEST_PI * k / segments;
        for (uint32_t i = 0; i < count; i++)
            test_shape_point(shape, profile[i][0] * cos(angle), profile[i][1],
                             profile[i][0] * sin(angle));
    }
    for (uint32_t k = 0; k < segments; k++) {
        uint32_t here = first + k * count, next = first + (k + 1) % segments * count;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t j = (i + 1) % count;
            test_shape_triangle(shape, here + i, here + j, next + j);
            test_shape_triangle(shape, here + i, next + j, next + i);
        }
    }
}

void test_shape_torus(test_shape *shape, double ring, double tube, uint32_t segments,
                      uint32_t sides)
{
    double profile[100][2];
    assert_true(sides <= 100);
    for (uint32_t i = 0; i < sides; i++) {
        profile[i][0] = ring + tube * cos(2 * TEST_PI * i / sides);
        profile[i][1] = tube * sin(2 * TEST_PI * i / sides);
    }
    test_shape_turned(shape, profile, sides, segments);
}

void test_shape_sphere(test_shape *shape, uint32_t segments, uint32_t rings)
{
    uint32_t south = test_shape_point(shape, 0, -1, 0), north = test_shape_point(shape, 0, 1, 0);
    uint32_t first = shape->point_count, inner = rings - 1;
    for (uint32_t k = 0; k < segments; k++) {
        double angle = 2 * TEST_PI * k / segments;
        for (uint32_t i = 1; i < rings; i++) {
            double r = sin(TEST_PI * i / rings);
            test_shape_point(shape, r * cos(angle), -cos(TEST_PI * i / rings), r * sin(angle));
        }
    }
    for (uint32_t k = 0; k < segments; k++) {
        uint32_t here = first + k * inner, next = first + (k + 1) % segments * inner;
        test_shape_triangle(shape, south, here, next);
        test_shape_triangle(shape, north, next + inner - 1, here + inner - 1);
        for (uint32_t i = 0; i + 1 < inner; i++) {
            test_shape_triangle(shape, here + i, here + i + 1, next + i + 1);
            test_shape_triangle(shape, here + i, next + i + 1, next + i);
        }
    }
}

double test_shape_diagonal(const test_shape *shape)
{
    double squares = 0;
    for (int k = 0; k < 3; k++) {
        float low = shape->points[0][k], high = low;
        for (uint32_t i = 1; i < shape->point_count; i++) {
            low = fminf(low, shape->points[i][k]);
            high = fmaxf(high, shape->points[i][k]);
        }
        squares += pow((double)high - (double)low, 2);
    }
    return sqrt(squares);
}

facet_scene *test_shape_scene(const test_shape *shape)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_mesh *mesh = NULL;
    facet_stream *stream = NULL;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    TEST_OK(facet_mesh_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3,
                                  shape->point_count, &stream, &error),
            &error);
    mesh->face_count = shape->triangle_count;
    mesh->corner_count = 3 * shape->triangle_count;
    stream->indices = facet_scene_allocate(scene, mesh->corner_count, sizeof *stream->indices);
    assert_non_null(stream->indices);
    if (shape->point_count > 0)
        memcpy(stream->data, shape->points, shape->point_count * sizeof shape->points[0]);
    if (shape->triangle_count > 0)
        memcpy(stream->indices, shape->triangles,
               shape->triangle_count * sizeof shape->triangles[0]);
    return scene;
}
