/* formats/j3d/pose.c - the console materials of a scene at a time of its embedded animations. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/j3d/scene/from_channels/file.h"
#include "formats/j3d/scene/to_scene/motion.h"
#include "gx/json/file_part.h"

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

/* Skip other kinds. */
static facet_status apply_file(posing *p, const facet_gx_file_animation *file)
{
    bool moves = false;
    for (int k = FACET_J3D_BTK; k <= FACET_J3D_BTP; k++)
        moves |= file->kind && strcmp(file->kind, facet_j3d_animation_kind_name(k)) == 0;
    if (!moves)
        return FACET_OK;
    facet_j3d_animation *document = NULL;
    TRY(facet_j3d_animation_unpack_file(file, p->options, &document, p->error));
    facet_status status = FACET_OK;
    if (facet_j3d_moves_materials(document->kind)) {
        status = apply(p, document, file->rate > 0 && file->rate < 1e6 ? file->rate : 30);
        p->count += !status;
    }
    facet_j3d_animation_free(document);
    return status;
}

static bool is_called(const char *found, const char *name)
{
    return !name || (found && strcmp(found, name) == 0);
}

static facet_status apply_all(posing *p, const char *name, facet_arena *scratch)
{
    const facet_scene *scene = p->scene;
    facet_gx_file_part *part;
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        if (!is_called(animation->name, name))
            continue;
        TRY(facet_gx_file_part_now(animation->extras, animation->gx_file, scratch, &part,
                                   p->error));
        if (part && part->motion)
            TRY(apply_file(p, part->motion));
    }
    TRY(facet_gx_file_part_now(scene->extras, scene->gx_file, scratch, &part, p->error));
    for (uint32_t i = 0; part && i < part->carried_count; i++) {
        if (is_called(part->carried[i].name, name))
            TRY(apply_file(p, &part->carried[i]));
    }
    return FACET_OK;
}

facet_status facet_j3d_pose_materials(const facet_scene *scene, const char *name, double time,
                                      const facet_options *options, facet_gx_material *states,
                                      uint32_t *count, facet_error *error)
{
    posing p = {scene, time, options, states, 0, error};
    facet_arena *scratch;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (scene->materials[i]->gx)
            states[i] = *scene->materials[i]->gx;
    }
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = apply_all(&p, name, scratch);
    facet_arena_free(scratch);
    *count = p.count;
    return status;
}
