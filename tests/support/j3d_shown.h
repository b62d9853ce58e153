/* tests/support/j3d_shown.h - materials of J3D models, converted to those of a scene. */
#ifndef FACET_TESTS_SUPPORT_J3D_SHOWN_H
#define FACET_TESTS_SUPPORT_J3D_SHOWN_H

#include "base/arena.h"
#include "formats/j3d/scene/to_scene/material.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include <facet/convert.h>
#include <math.h>
#include <stdlib.h>

/* 8 x 8 of I4: rows of FF 00 FF 00 ... and 00 FF 00 FF ... */
static const uint8_t checker[32] = {
    0xF0, 0xF0, 0xF0, 0xF0, 0x0F, 0x0F, 0x0F, 0x0F, 0xF0, 0xF0, 0xF0, 0xF0, 0x0F, 0x0F, 0x0F, 0x0F,
    0xF0, 0xF0, 0xF0, 0xF0, 0x0F, 0x0F, 0x0F, 0x0F, 0xF0, 0xF0, 0xF0, 0xF0, 0x0F, 0x0F, 0x0F, 0x0F};

/* A material that was converted to a scene. */
typedef struct shown {
    facet_j3d *document;
    facet_scene *scene;
    facet_material *material;
    facet_texture *map;
    facet_j3d_vertex_wants *wants;
    facet_report *report;
    facet_j3d_extras extras;
} shown;

static inline shown show_with(const facet_j3d_material *material, const uint8_t *colors)
{
    static const char *const names[] = {"checker", "other", "checker"};
    static const uint8_t nothing[12];
    facet_error error;
    shown s = {0};
    s.document = test_j3d_document(NULL);
    assert_true(test_j3d_textures(s.document, names, 3, checker));
    s.document->vertices.arrays[FACET_J3D_ARRAY_TEXCOORD0].bytes = nothing;
    s.document->vertices.arrays[FACET_J3D_ARRAY_TEXCOORD0 + 1].bytes = nothing;
    s.document->vertices.arrays[FACET_J3D_ARRAY_COLOR0].bytes = colors;
    TEST_OK(facet_j3d_set_materials(s.document, material, 1, &error), &error);
    TEST_OK(facet_scene_create(NULL, &s.scene, &error), &error);
    TEST_OK(facet_report_create(NULL, &s.report, &error), &error);
    facet_options options = {.report = s.report};
    TEST_OK(facet_j3d_scene_materials(s.document, s.scene, &s.wants, &options, &error), &error);
    assert_int_equal(s.scene->material_count, 1);
    s.material = s.scene->materials[0];
    s.map = s.material->maps[FACET_MAP_DIFFUSE];
    s.extras = facet_j3d_extras_make(s.scene->arena);
    return s;
}

static inline shown show(const facet_j3d_material *material)
{
    return show_with(material, NULL);
}

static inline void finish(shown *s)
{
    facet_report_free(s->report);
    facet_j3d_extras_free(&s->extras);
    facet_scene_free(s->scene);
    facet_j3d_free(s->document);
}

/* Set stage 0 to texture times raster, for color and alpha. */
static inline void modulate(facet_j3d_material *m)
{
    const facet_gx_tev_stage stage = {
        255, {{15, 8, 10, 15}, 0, 0, 0, 1, 0}, {{7, 4, 5, 7}, 0, 0, 0, 1, 0}, 255};
    m->gx.tev_stages[0] = stage;
}

static inline void near(float value, float expected)
{
    if (!(fabsf(value - expected) < 1e-4f))
        fail_msg("%g is not %g", (double)value, (double)expected);
}

#endif
