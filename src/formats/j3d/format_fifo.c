/* formats/j3d/format_fifo.c - line of the format table for FIFO logs. They are only written: a
 * model as commands for the chip, for the Dolphin emulator. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/fifo/frame.h"
#include "formats/j3d/fifo/log.h"
#include "formats/j3d/format.h"
#include "gx/texels.h"
#include "scene/format.h"

#include <facet/pose.h>
#include <inttypes.h>
#include <string.h>

static int probe(const facet_source *source)
{
    return facet_j3d_log_is(source->data, source->size) ? 100 : 0;
}

/* -- From a model ------------------------------------------------------- */

static facet_status copy(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error)
{
    facet_j3d *document;
    if (facet_j3d_log_is(source->data, source->size)) {
        facet_output_write(output, source->data, source->size);
        return FACET_OK;
    }
    TRY(facet_j3d_read(source, options, &document, error));
    facet_status status = facet_j3d_write_log(document, options, output, error);
    facet_j3d_free(document);
    return status;
}

/* -- From a scene ------------------------------------------------------- */

static bool moves_nodes(const facet_animation *animation)
{
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        if (animation->channels[i].target <= FACET_TARGET_SCALE)
            return true;
    }
    return false;
}

/* Find the animation with that name, or the first; FACET_NONE if missing. Only one of several
 * with the same name can move nodes. */
static facet_status find_clip(const facet_scene *scene, const char *clip, uint32_t *found,
                              facet_error *error)
{
    uint32_t moving = 0;
    facet_quoted quoted;
    *found = clip || scene->animation_count == 0 ? FACET_NONE : 0;
    for (uint32_t i = 0; clip && i < scene->animation_count; i++) {
        if (strcmp(scene->animations[i]->name, clip) != 0)
            continue;
        bool moves = moves_nodes(scene->animations[i]);
        if (*found == FACET_NONE || (moves && moving == 0))
            *found = i;
        moving += moves;
    }
    if (moving > 1)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-CLIP", FACET_NO_OFFSET,
                          "%" PRIu32 " animations are named '%s'; expected one, so rename the "
                          "others",
                          moving, facet_quote(&quoted, clip, strlen(clip)));
    return FACET_OK;
}

/* Set the transforms of nodes to one frame of the animation. */
static void place_nodes(facet_scene *scene, const facet_animation *animation, double time)
{
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_channel *channel = &animation->channels[i];
        if (channel->node >= scene->node_count)
            continue;
        facet_transform *place = &scene->nodes[channel->node]->transform;
        float *to = channel->target == FACET_TARGET_TRANSLATION ? place->translation
                    : channel->target == FACET_TARGET_ROTATION  ? place->rotation
                    : channel->target == FACET_TARGET_SCALE     ? place->scale
                                                                : NULL;
        if (to)
            facet_channel_sample(channel, time, to);
    }
}

/* Copy the scene in the pose of the options; *posed is NULL at rest. */
static facet_status pose(const facet_scene *scene, const facet_options *options,
                         facet_scene **posed, facet_error *error)
{
    const facet_j3d_options *j3d = options->j3d;
    *posed = NULL;
    if (!j3d->clip && !(j3d->frame > 0))
        return FACET_OK;
    uint32_t clip;
    TRY(find_clip(scene, j3d->clip, &clip, error));
    if (clip == FACET_NONE)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-CLIP", FACET_NO_OFFSET,
                          j3d->clip ? "no animation is named '%s'" : "no animation for a frame%s",
                          j3d->clip ? j3d->clip : "");
    TRY(facet_scene_copy(scene, options, posed, error));
    place_nodes(*posed, scene->animations[clip], j3d->frame / (j3d->rate > 0 ? j3d->rate : 30));
    return FACET_OK;
}

static facet_status write(const facet_scene *scene, const facet_options *options,
                          facet_output *output, facet_counts *counts, facet_error *error)
{
    facet_options with = options ? *options : (facet_options){0};
    facet_j3d_options j3d = with.j3d ? *with.j3d : (facet_j3d_options){0};
    facet_scene *posed = NULL;
    facet_j3d *document = NULL;
    (void)counts;
    j3d.kind = FACET_J3D_BDL4;
    with.j3d = &j3d;
    TRY(pose(scene, &with, &posed, error));
    facet_status status = facet_j3d_from_scene(posed ? posed : scene, &with, &document, error);
    if (!status)
        status = facet_j3d_write_log(document, &with, output, error);
    facet_j3d_free(document);
    facet_scene_free(posed);
    return status;
}

/* -- Line of the table -------------------------------------------------- */

static const char *const extensions[] = {".dff", NULL};

const facet_format facet_format_dff = {
    .name = "dff",
    .title = "FIFO log of the Dolphin emulator",
    .extensions = extensions,
    .family = "j3d",
    .max_texture_side = FACET_GX_HARDWARE_SIDE,
    .poses = true,
    .needs = FACET_J3D_NEEDS,
    .probe = probe,
    .check = facet_j3d_log_check,
    .describe = facet_j3d_log_describe,
    .write = FACET_WRITER(write),
    .copy = FACET_WRITER(copy),
};
