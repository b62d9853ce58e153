/* tests/support/iqm_scene.h - the file of iqm.h as a scene. Also compares numbers. */
#ifndef FACET_TESTS_IQM_SCENE_H
#define FACET_TESTS_IQM_SCENE_H

#include "formats/iqm/scene.h"
#include "support/iqm.h"
#include "support/support.h"
#include <facet/convert.h>
#include <facet/iqm.h>
#include <facet/pose.h>
#include <facet/scene.h>
#include <math.h>
#include <stdlib.h>

static inline facet_report *make_report(void)
{
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    return report;
}

static inline facet_status load(const uint8_t *bytes, size_t size, facet_report *report,
                                facet_scene **scene, facet_error *error)
{
    facet_options options = {.report = report};
    facet_source source = facet_source_from_memory(bytes, size, "a.iqm");
    return facet_load(&source, NULL, NULL, &options, scene, error);
}

static inline facet_scene *load_built(const uint8_t *file, facet_report *report)
{
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(load(file, IQM_SIZE, report, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

static inline facet_iqm *document_of(const facet_scene *scene, facet_report *report)
{
    facet_options options = {.report = report};
    facet_iqm *document = NULL;
    facet_error error;
    TEST_OK(facet_iqm_from_scene(scene, &options, &document, &error), &error);
    return document;
}

static inline void expect_near(const float *found, const float *expected, size_t count,
                               float tolerance)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabsf(found[i] - expected[i]) <= tolerance))
            fail_msg("number %zu is %g, expected %g", i, (double)found[i], (double)expected[i]);
    }
}

#endif
