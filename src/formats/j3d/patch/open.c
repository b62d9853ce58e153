/* formats/j3d/patch/open.c - the original: its document, which becomes the result, and its form as
 * a scene, used to find edits. */
#include "formats/j3d/patch/like.h"

#include "base/arena.h"
#include "base/error.h"
#include "formats/j3d/patch/blends.h"
#include "formats/j3d/patch/compare.h"
#include "formats/j3d/scene/to_scene/scene.h"

#include <string.h>

/* The options of the caller, without those for writing. */
static facet_options options_for_reading(const facet_j3d_builder *b)
{
    facet_options options = b->options ? *b->options : (facet_options){0};
    options.report = NULL;
    options.j3d = NULL;
    return options;
}

/* Convert a second document to the scene, because the conversion changes it. */
static facet_status look(facet_j3d_builder *b)
{
    facet_options options = options_for_reading(b);
    facet_j3d *document;
    TRY(facet_j3d_read(b->options->j3d->like, &options, &document, b->error));
    facet_status status = facet_j3d_to_scene(document, &options, &b->like->scene, b->error);
    facet_j3d_free(document);
    return status;
}

/* Offsets and rules in the error belong to the original, not to the output. */
static facet_status refuse_file(const facet_j3d_builder *b, facet_status status)
{
    const facet_error why = *b->error;
    if (!status || facet_lacks_memory(status))
        return status;
    if (strcmp(why.rule, "J3D-MAGIC") == 0)
        return facet_fail(b->error, FACET_ERROR_ARGUMENT, "J3D-LIKE", FACET_NO_OFFSET,
                          "the original is not a BMD or BDL model: %s", why.message);
    return facet_fail(b->error, FACET_ERROR_ARGUMENT, "J3D-LIKE", why.offset,
                      "the original cannot be read [%s]: %s", why.rule, why.message);
}

static facet_status refuse(const facet_j3d_builder *b)
{
    return facet_fail(b->error, FACET_ERROR_ARGUMENT, "J3D-LIKE", FACET_NO_OFFSET,
                      "the original is not a complete model: it has no joints, or no vertices");
}

static facet_status measure(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    facet_j3d *o = like->document;
    like->joint_count = o->joints.count;
    like->shape_count = o->shapes.count;
    like->slot_count = o->materials.slot_count;
    like->draw_count = o->draw_matrices.count;
    like->single_joint = facet_j3d_builder_scratch(b, o->shapes.count, sizeof *like->single_joint);
    like->material_of_shape =
        facet_j3d_builder_scratch(b, o->shapes.count, sizeof *like->material_of_shape);
    if (!like->single_joint || !like->material_of_shape)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < o->shapes.count; i++)
        like->material_of_shape[i] = FACET_NONE;
    TRY(facet_j3d_skeleton_create(o, b->scratch, &like->skeleton, b->error));
    TRY(facet_j3d_like_decode_blends(b));
    TRY(facet_j3d_like_decode(b));
    return facet_j3d_like_decode_colors(b);
}

/* The builder uses the memory of the original, which owns all results. */
static facet_status adopt(facet_j3d_builder *b)
{
    facet_j3d *old = b->document, *o = b->like->document;
    b->document = facet_arena_allocate_zeroed(o->arena, 1, sizeof *b->document);
    if (!b->document) {
        b->document = old;
        facet_status status = facet_fail_arena(o->arena, b->error);
        facet_j3d_free(o);
        return status;
    }
    b->document->arena = o->arena;
    b->document->kind = old->kind;
    facet_j3d_free(old);
    return FACET_OK;
}

static const facet_j3d_like_steps steps = {
    .match_joints = facet_j3d_like_match_joints,
    .choose_joints = facet_j3d_like_choose_joints,
    .take_places = facet_j3d_like_copy_transforms,
    .binds = facet_j3d_like_binds,
    .placing = facet_j3d_like_placing,
    .hang = facet_j3d_like_hang,
    .shape = facet_j3d_like_shape,
    .is_recolored = facet_j3d_like_is_recolored,
    .find_own_materials = facet_j3d_like_find_own_materials,
};

facet_status facet_j3d_like_open(facet_j3d_builder *b)
{
    const facet_source *source = b->options && b->options->j3d ? b->options->j3d->like : NULL;
    facet_options options = options_for_reading(b);
    if (!source)
        return FACET_OK;
    facet_j3d_like *like = facet_j3d_builder_scratch(b, 1, sizeof *like);
    if (!like)
        return facet_j3d_builder_no_memory(b);
    like->steps = &steps;
    b->like = like;
    facet_status status =
        refuse_file(b, facet_j3d_read(source, &options, &like->document, b->error));
    if (!status)
        status = adopt(b);
    if (status)
        return status;
    const facet_j3d *o = like->document;
    if (o->joints.count == 0 || o->shapes.count == 0 || o->draw_matrices.count == 0 ||
        !o->has_hierarchy || !o->vertices.arrays[FACET_J3D_ARRAY_POSITION].bytes)
        return refuse(b);
    status = look(b);
    return status ? status : measure(b);
}

void facet_j3d_like_close(facet_j3d_builder *b)
{
    if (b->like)
        facet_scene_free(b->like->scene);
}
