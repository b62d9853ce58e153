/* tests/support/j3d_geometry.h - models that are decoded. */
#ifndef FACET_TESTS_SUPPORT_J3D_GEOMETRY_H
#define FACET_TESTS_SUPPORT_J3D_GEOMETRY_H

#include "base/arena.h"
#include "formats/j3d/gpu/geometry.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

typedef struct subject {
    test_bytes file;
    facet_j3d *document;
    facet_j3d_decoder decoder;
    facet_error error;
} subject;

/* Read the model and free it. */
static inline subject read_model(test_j3d *model)
{
    subject s;
    memset(&s, 0, sizeof s);
    s.file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    TEST_OK(facet_j3d_read(TEST_SOURCE(s.file.data, s.file.size), NULL, &s.document, &s.error),
            &s.error);
    s.decoder.document = s.document;
    s.decoder.arena = s.document->arena;
    return s;
}

static inline facet_j3d_geometry decode(subject *s, uint32_t shape)
{
    facet_j3d_geometry geometry;
    TEST_OK(facet_j3d_decode_shape(&s->decoder, shape, &geometry, &s->error), &s->error);
    return geometry;
}

static inline void end(subject *s)
{
    facet_j3d_decoder_free(&s->decoder);
    facet_j3d_free(s->document);
    test_bytes_free(&s->file);
}

static inline void assert_near(double value, double expected, double most)
{
    if (!(fabs(value - expected) <= most))
        fail_msg("%.9g where %.9g is right", value, expected);
}

static inline void assert_points(const float *values, const double *expected, uint32_t count,
                                 double most)
{
    for (uint32_t i = 0; i < count; i++)
        assert_near((double)values[i], expected[i], most);
}

/* A model with one joint and one material, and without vertices. */
static inline test_j3d *plain_model(void)
{
    test_j3d *model = test_j3d_new();
    facet_j3d_material material = test_j3d_minimal_material("m");
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_draw(model, 0, 0);
    test_j3d_add_material(model, &material);
    return model;
}

static inline uint32_t plain_shape(test_j3d *model)
{
    static const uint16_t root = 0;
    uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
    test_j3d_add_packet(model, shape, &root, 1);
    return shape;
}

#endif
