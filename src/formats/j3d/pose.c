/* formats/j3d/pose.c - the console materials of a scene at a time of animations whose files it
 * keeps in its extras. */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "formats/j3d/scene/from_channels/file.h"
#include "formats/j3d/scene/to_scene/motion.h"

#include <facet/gx_material.h>

#include <string.h>

typedef struct posing {
    const facet_scene *scene;
    double time;
    const facet_options *options;
    facet_gx_material *states;
    uint32_t count;
    facet_error *error;
} posing;

static facet_status apply(posing *p, const facet_j3d_animation *document, double rate)
{
    facet_arena *scratch = NULL;
    facet_j3d_motion motion;
    facet_status status = facet_j3d_animation_check_sharing(document, p->error);
    if (!status)
        status = facet_arena_create(p->options, &scratch, p->error);
    if (!status && !facet_j3d_motion_make(p->scene, document, scratch, &motion))
        status = facet_fail_arena(scratch, p->error);
    for (uint32_t i = 0; i < p->scene->material_count && !status; i++) {
        double frame = p->time * rate;
        frame = frame > 0 ? frame < motion.frames ? frame : motion.frames : 0;
        if (p->scene->materials[i]->gx)
            facet_j3d_motion_apply(&motion, i, frame, &p->states[i]);
    }
    facet_arena_free(scratch);
    return status;
}

/* {"kind", "file", "rate"}: other kinds are passed over. */
static facet_status apply_file(posing *p, const facet_json *file)
{
    const char *kind = facet_json_string_value(facet_json_object_get(file, "kind"));
    bool moves = false;
    for (int k = FACET_J3D_BTK; k <= FACET_J3D_BTP; k++)
        moves |= kind && strcmp(kind, facet_j3d_animation_kind_name(k)) == 0;
    if (!moves)
        return FACET_OK;
    facet_j3d_animation *document = NULL;
    TRY(facet_j3d_animation_unpack_file(file, p->options, &document, p->error));
    facet_status status = FACET_OK;
    const facet_json *rate = facet_json_object_get(file, "rate");
    if (facet_j3d_moves_materials(document->kind)) {
        double given = facet_json_is_number(rate) ? facet_json_number_value(rate) : 30;
        status = apply(p, document, given > 0 && given < 1e6 ? given : 30);
        p->count += !status;
    }
    facet_j3d_animation_free(document);
    return status;
}

static bool is_called(const char *found, const char *name)
{
    return !name || (found && strcmp(found, name) == 0);
}

facet_status facet_j3d_pose_materials(const facet_scene *scene, const char *name, double time,
                                      const facet_options *options, facet_gx_material *states,
                                      uint32_t *count, facet_error *error)
{
    posing p = {scene, time, options, states, 0, error};
    facet_status status = FACET_OK;
    facet_json *root = NULL;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (scene->materials[i]->gx)
            states[i] = *scene->materials[i]->gx;
    }
    for (uint32_t i = 0; i < scene->animation_count && !status; i++) {
        if (!is_called(scene->animations[i]->name, name))
            continue;
        const facet_json *file =
            facet_gx_json_of_extras(scene->animations[i]->extras, "animation", &root);
        status = file ? apply_file(&p, file) : FACET_OK;
        facet_json_free(root);
    }
    const facet_json *list = facet_gx_json_of_extras(scene->extras, "animations", &root);
    for (size_t i = 0; i < facet_json_array_size(list) && !status; i++) {
        const facet_json *file = facet_json_array_get(list, i);
        if (is_called(facet_json_string_value(facet_json_object_get(file, "name")), name))
            status = apply_file(&p, file);
    }
    facet_json_free(root);
    *count = p.count;
    return status;
}
