/* tests/support/shapes.h - meshes with known volumes and insides. */
#ifndef FACET_TESTS_SHAPES_H
#define FACET_TESTS_SHAPES_H

#include <facet/scene.h>

#define TEST_PI 3.14159265358979323846

typedef struct test_shape {
    float points[20000][3];
    uint32_t triangles[20000][3];
    uint32_t point_count, triangle_count;
} test_shape;

/* An empty shape. Free with free(). */
test_shape *test_shape_new(void);
uint32_t test_shape_point(test_shape *shape, double x, double y, double z);
void test_shape_triangle(test_shape *shape, uint32_t a, uint32_t b, uint32_t c);
/* A closed box, faces outward. */
void test_shape_box(test_shape *shape, double x0, double y0, double z0, double x1, double y1,
                    double z1);
/* A closed profile of (radius, height), counter-clockwise, rotated around the y axis; faces
 * outward. */
void test_shape_turned(test_shape *shape, double (*profile)[2], uint32_t count, uint32_t segments);
/* A torus around the y axis. `ring` 0 gives a sphere that is covered twice. */
void test_shape_torus(test_shape *shape, double ring, double tube, uint32_t segments,
                      uint32_t sides);
/* A sphere of radius 1 with poles. */
void test_shape_sphere(test_shape *shape, uint32_t segments, uint32_t rings);

/* Length of the diagonal of its box. */
double test_shape_diagonal(const test_shape *shape);
/* A scene with the shape as its only mesh. */
facet_scene *test_shape_scene(const test_shape *shape);

#endif
