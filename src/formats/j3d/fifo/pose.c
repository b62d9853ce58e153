/* formats/j3d/fifo/pose.c - joints, materials and shapes of a model at one frame of animations. */
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/fifo/frame.h"
#include "formats/j3d/file/material_table.h"
#include "formats/j3d/file/sections.h"
#include "formats/j3d/scene/to_scene/animation.h"

#include <string.h>

typedef struct posing {
    facet_j3d_posed *posed;
    const facet_options *options;
    facet_arena *arena;
    facet_j3d_moment moment;
    facet_error *error;
} posing;

static facet_status pose_joints(posing *p, const facet_j3d_animation *animation)
{
    facet_j3d_joints *joints = &p->posed->document.joints;
    uint32_t count = animation->sets[0].count;
    facet_j3d_joint_pose *poses = facet_arena_allocate(p->arena, count, sizeof *poses);
    if (!poses)
        return facet_fail_arena(p->arena, p->error);
    facet_j3d_animation_joints(animation, &p->moment, poses);
    for (uint32_t i = 0; i < count && i < joints->count; i++) {
        memcpy(joints->items[i].scale, poses[i].scale, sizeof poses[i].scale);
        memcpy(joints->items[i].rotation, poses[i].rotation, sizeof poses[i].rotation);
        memcpy(joints->items[i].translation, poses[i].translation, sizeof poses[i].translation);
    }
    return FACET_OK;
}

static facet_status pose_materials(posing *p, const facet_j3d_animation *animation)
{
    uint32_t sets = animation->kind == FACET_J3D_BRK ? 2 : 1;
    for (uint32_t s = 0; s < sets; s++) {
        const facet_j3d_animation_set *set = &animation->sets[s];
        uint16_t *slots = facet_arena_allocate(p->arena, set->names.count, sizeof *slots);
        if (!slots)
            return facet_fail_arena(p->arena, p->error);
        TRY(facet_j3d_animation_bind(&set->names, &p->posed->document, p->arena, slots, p->error));
        for (uint32_t i = 0; i < set->count && i < set->names.count; i++) {
            if (slots[i] == FACET_J3D_NONE)
                continue;
            facet_j3d_animation_apply(animation, s, i, p->moment.frame,
                                      &p->posed->materials[slots[i]].gx);
            p->posed->is_moved[slots[i]] = true;
        }
    }
    return FACET_OK;
}

static void pose_shapes(posing *p, const facet_j3d_animation *animation)
{
    for (uint32_t i = 0; i < animation->sets[0].count && i < p->posed->document.shapes.count; i++)
        p->posed->is_hidden[i] = !facet_j3d_animation_visible(animation, i, &p->moment);
}

static facet_status apply(posing *p, const facet_j3d_animation *animation)
{
    switch (animation->kind) {
    case FACET_J3D_BCK:
    case FACET_J3D_BCA:
        return pose_joints(p, animation);
    case FACET_J3D_BTK:
    case FACET_J3D_BRK:
    case FACET_J3D_BPK:
    case FACET_J3D_BPA:
    case FACET_J3D_BTP:
        return pose_materials(p, animation);
    case FACET_J3D_BVA:
        pose_shapes(p, animation);
        return FACET_OK;
    default:
        facet_report_add(p->options ? p->options->report : NULL, "J3D-FIFO-ANIMATION",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "a %s changes vertices, but the log holds those of the model",
                         facet_j3d_animation_kind_name(animation->kind));
        return FACET_OK;
    }
}

/* Start with the model at rest. */
static facet_status begin(posing *p, const facet_j3d *document)
{
    facet_j3d_posed *posed = p->posed;
    uint32_t slots = document->materials.slot_count;
    facet_j3d_joint *joints =
        facet_arena_allocate(p->arena, document->joints.count, sizeof *joints);
    posed->document = *document;
    posed->materials = facet_arena_allocate(p->arena, slots, sizeof *posed->materials);
    posed->is_moved = facet_arena_allocate_zeroed(p->arena, slots, sizeof *posed->is_moved);
    posed->is_hidden =
        facet_arena_allocate_zeroed(p->arena, document->shapes.count, sizeof *posed->is_hidden);
    if (!joints || !posed->materials || !posed->is_moved || !posed->is_hidden)
        return facet_fail_arena(p->arena, p->error);
    if (document->joints.count > 0)
        memcpy(joints, document->joints.items, document->joints.count * sizeof *joints);
    posed->document.joints.items = joints;
    for (uint32_t i = 0; i < slots; i++)
        TRY(facet_j3d_get_material(document, i, &posed->materials[i], p->error));
    return FACET_OK;
}

/* The arena keeps the table, because the pose shares its textures. */
static facet_status pose_table(posing *p, const facet_source *source)
{
    facet_j3d *table = NULL;
    facet_j3d_posed *posed = p->posed;
    TRY(facet_j3d_read(source, p->options, &table, p->error));
    if (!facet_arena_adopt(p->arena, table->arena)) {
        facet_j3d_free(table);
        return facet_fail_arena(p->arena, p->error);
    }
    uint32_t before = posed->document.textures.count;
    TRY(facet_j3d_replace_materials(&posed->document, table, p->arena, posed->materials,
                                    posed->is_moved, p->error));
    /* Packets store the sizes of textures. */
    bool are_new = before != 0 && table->textures.count > 0;
    for (uint32_t i = 0; are_new && i < posed->document.materials.slot_count; i++)
        posed->is_moved[i] = true;
    return FACET_OK;
}

static bool is_table(const facet_source *source)
{
    facet_j3d_kind kind;
    return !facet_j3d_find_kind(source->data, source->size, &kind, NULL);
}

static facet_status pose_by(posing *p, const facet_source *source)
{
    facet_j3d_animation *animation = NULL;
    TRY(facet_j3d_animation_read(source, p->options, &animation, p->error));
    facet_status status = facet_j3d_animation_check_sharing(animation, p->error);
    if (!status)
        status = apply(p, animation);
    facet_j3d_animation_free(animation);
    return status;
}

facet_status facet_j3d_pose(const facet_j3d *document, const facet_options *options,
                            facet_arena *arena, facet_j3d_posed *posed, facet_error *error)
{
    const facet_j3d_options *j3d = options ? options->j3d : NULL;
    posing p = {.posed = posed, .options = options, .arena = arena, .error = error};
    p.moment.frame = j3d && j3d->frame > 0 ? j3d->frame : 0;
    facet_status status = begin(&p, document);
    uint32_t count = j3d ? j3d->pose_count : 0;
    for (uint32_t i = 0; i < count && !status; i++) /* animations change the materials of these */
        status = is_table(&j3d->poses[i]) ? pose_table(&p, &j3d->poses[i]) : FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++)
        status = is_table(&j3d->poses[i]) ? FACET_OK : pose_by(&p, &j3d->poses[i]);
    return status;
}
