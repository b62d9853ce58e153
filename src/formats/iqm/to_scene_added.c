/* formats/iqm/to_scene_added.c - the animations of one file for the model of another. Engines store
 * them separately, and match poses with joints by their numbers. */
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "formats/iqm/scene.h"

#include <facet/iqm.h>
#include <inttypes.h>
#include <string.h>

static facet_status open_layout(const facet_source *source, const facet_options *options,
                                facet_iqm_layout *layout, facet_error *error)
{
    TRY(facet_iqm_view(source->data, source->size, layout, error));
    TRY(facet_iqm_check_name_growth(layout, options, error));
    return facet_iqm_verify(layout, error);
}

static uint64_t offset_of(const facet_iqm_layout *layout, facet_iqm_section section, uint32_t index)
{
    return layout->offset[section] + (uint64_t)index * layout->record_size[section];
}

static facet_status check_parent(const facet_iqm_layout *layout, const facet_iqm_joint *joint,
                                 uint32_t index, facet_error *error)
{
    facet_iqm_pose pose;
    facet_iqm_load_pose(layout, index, &pose);
    if (pose.parent == joint->parent || (pose.parent < 0 && joint->parent < 0))
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "IQM-ANIMATION-FIT",
                      offset_of(layout, FACET_IQM_POSES, index),
                      "the parent of pose %" PRIu32 " is %" PRId32 ", expected %" PRId32
                      " as in the model",
                      index, pose.parent, joint->parent);
}

/* Check a joint's name. Only files with joints have names. */
static facet_status check_name(const facet_iqm_layout *layout, const char *name, uint32_t index,
                               facet_error *error)
{
    facet_iqm_joint joint;
    facet_quoted found, expected;
    if (index >= layout->count[FACET_IQM_JOINTS])
        return FACET_OK;
    facet_iqm_load_joint(layout, index, &joint);
    const char *own = facet_iqm_name(layout, joint.name);
    if (strcmp(own, name) == 0)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "IQM-ANIMATION-FIT",
                      offset_of(layout, FACET_IQM_JOINTS, index),
                      "joint %" PRIu32 " is '%s', expected '%s' as in the model", index,
                      facet_quote(&found, own, strlen(own)),
                      facet_quote(&expected, name, strlen(name)));
}

/* Check that every pose has a joint of the model with the same number. */
static facet_status check_fit(const facet_iqm_layout *layout, const facet_iqm_layout *model,
                              facet_error *error)
{
    uint32_t poses = layout->count[FACET_IQM_POSES], joints = model->count[FACET_IQM_JOINTS];
    if (layout->count[FACET_IQM_ANIMATIONS] == 0)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "IQM-ANIMATION-FIT", FACET_NO_OFFSET,
                          "the file has no animations");
    if (poses != joints)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "IQM-ANIMATION-FIT",
                          facet_iqm_section_infos[FACET_IQM_POSES].count_at,
                          "the file has %" PRIu32 " poses, expected %" PRIu32
                          ", one for each joint of the model",
                          poses, joints);
    for (uint32_t i = 0; i < joints; i++) {
        facet_iqm_joint joint;
        facet_iqm_load_joint(model, i, &joint);
        const char *name = facet_iqm_name(model, joint.name);
        TRY(check_parent(layout, &joint, i, error));
        TRY(check_name(layout, name, i, error));
    }
    return FACET_OK;
}

/* Report meshes, comment and flags of the animations' file: those of the model are kept. */
static void report_left_out(const facet_iqm_layout *layout, facet_report *report)
{
    uint32_t meshes = layout->count[FACET_IQM_MESHES];
    if (meshes > 0)
        facet_report_add(report, "LOSS-UNREAD", FACET_SEVERITY_WARNING,
                         layout->offset[FACET_IQM_MESHES],
                         "the file is added for its animations: %" PRIu32 " mesh%s left out",
                         meshes, facet_plural(meshes, " is", "es are"));
    if (layout->count[FACET_IQM_COMMENT] > 0 || layout->flags != 0)
        facet_report_add(report, "LOSS-EXTRAS", FACET_SEVERITY_WARNING,
                         layout->offset[FACET_IQM_COMMENT],
                         "the comment and the flags of a file of animations are left out");
}

facet_status facet_iqm_load_added(const facet_source *source, const facet_source *model,
                                  const facet_options *options, facet_scene *scene,
                                  facet_error *error)
{
    facet_iqm_layout layout, of;
    TRY(open_layout(source, options, &layout, error));
    if (open_layout(model, options, &of, NULL))
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "IQM-ANIMATION-FIT", FACET_NO_OFFSET,
                          "animations of an IQM are added to an IQM; the model is another file");
    TRY(check_fit(&layout, &of, error));
    uint32_t joints = of.count[FACET_IQM_JOINTS];
    if (scene->node_count < joints)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the scene has %" PRIu32 " nodes, expected the %" PRIu32
                          " joints of its model first",
                          scene->node_count, joints);
    facet_iqm_scene_reader r = {.layout = &layout,
                                .scene = scene,
                                .options = options,
                                .report = options ? options->report : NULL,
                                .error = error,
                                .joint_count = joints};
    TRY(facet_arena_create(options, &r.scratch, error));
    facet_status status = facet_iqm_add_animations(&r);
    if (!status)
        status = facet_iqm_report_extensions(&r);
    facet_arena_free(r.scratch);
    if (status)
        return status;
    report_left_out(&layout, r.report);
    return facet_report_status(r.report, error);
}
