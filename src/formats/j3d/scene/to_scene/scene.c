/* formats/j3d/scene/to_scene/scene.c - a model to the neutral scene, as described in to_scene.h. */
#include "formats/j3d/scene/to_scene/to_scene.h"

#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/to_scene/scene.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Reset transforms that are not finite, because they would affect all descendants. */
static void make_joints_finite(facet_j3d *document, facet_report *report)
{
    facet_tally replaced = {0, 0};
    for (uint32_t j = 0; j < document->joints.count; j++) {
        for (int i = 0; i < 3; i++) {
            float *at = &document->joints.items[j].translation[i];
            if (!isfinite(*at)) {
                facet_tally_hit(&replaced, j);
                *at = 0;
            }
        }
    }
    facet_report_add_tally(report, "J3D-FLOAT", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &replaced,
                           "the translation of joint %" PRIu64 " is not finite, and becomes 0",
                           replaced.first);
}

static facet_status read_model(facet_j3d_reading *r, facet_error *error)
{
    const facet_j3d *document = r->document;
    facet_status status = facet_j3d_skeleton_create(document, document->arena, &r->skeleton, error);
    if (!status)
        status = facet_j3d_prepare_skin(r, error);
    if (!status)
        status = facet_j3d_add_joints(r, error);
    r->decoder.document = document;
    r->decoder.arena = r->scene->arena; /* share its memory pages */
    for (uint32_t i = 0; i < document->shapes.count && !status; i++)
        status = facet_j3d_add_shape(r, i, error);
    facet_j3d_decoder_free(&r->decoder);
    if (!status && r->skinned)
        status = facet_j3d_add_skin(r, error);
    return status;
}

facet_status facet_j3d_to_scene(facet_j3d *document, const facet_options *options,
                                facet_scene **scene, facet_error *error)
{
    facet_j3d_reading r;
    memset(&r, 0, sizeof r);
    r.report = options ? options->report : NULL;
    r.document = document;
    make_joints_finite(document, r.report);
    facet_status status = facet_scene_create(options, &r.scene, error);
    if (!status) {
        r.scene->axes.uv_origin_top = true;
        r.scene->axes.unit = FACET_J3D_UNIT;
        r.scene->gx_file = facet_j3d_file_model(document, r.scene->arena);
        if (!r.scene->gx_file)
            status = facet_fail_arena(r.scene->arena, error);
    }
    if (!status)
        status = facet_j3d_scene_materials(document, r.scene, &r.wants, options, error);
    /* The console multiplies gamma-encoded colors, a scene linear ones. */
    facet_srgb_linear_of_bytes(r.linear);
    if (!status)
        status = read_model(&r, error);
    if (!status)
        status = facet_scene_replace_nonfinite(r.scene, options, error);
    if (!status)
        status = facet_report_status(r.report, error);
    if (status)
        facet_scene_free(r.scene);
    else
        *scene = r.scene;
    return status;
}
