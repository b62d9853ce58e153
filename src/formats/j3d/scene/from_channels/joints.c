/* formats/j3d/scene/from_channels/joints.c - an animation of nodes to a BCK.
 *
 * The joints are the model's, with the model's transform if no channel moves them. Each joint is
 * sampled at every frame (joints_sample.c), and keys are fitted to the samples (joints_keys.c).
 * Tracks that move like the stored file keep its keys. */
#include "formats/j3d/scene/from_channels/joints.h"
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/scene/from_channels/channels.h"
#include "formats/j3d/scene/from_channels/file.h"
#include "formats/j3d/scene/from_scene/unnamed.h"
#include "formats/j3d/scene/to_scene/animation.h"
#include "formats/j3d/scene/to_scene/scene.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"
#include "formats/j3d/scene/from_channels/rate.h"
#include "scene/axis_nodes.h"
#include "scene/loop.h"
#include "scene/rate.h"
#include "scene/scene.h"
#include "scene/units.h"

#include <facet/pose.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_FRAMES 32767

/* -- Selection of the animation ----------------------------------------- */

static const facet_animation *find_named(const facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        if (strcmp(scene->animations[i]->name, name) == 0)
            return scene->animations[i];
    }
    return NULL;
}

static facet_status find_clip(facet_j3d_joint_weaving *b, const char *clip)
{
    const facet_scene *scene = b->scene;
    char names[200] = "";
    facet_quoted quoted;
    b->animation = clip                          ? find_named(scene, clip)
                   : scene->animation_count == 1 ? scene->animations[0]
                                                 : NULL;
    if (b->animation)
        return FACET_OK;
    for (uint32_t i = 0; i < scene->animation_count && strlen(names) < 150; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s'%.40s'", i ? ", " : "",
                 scene->animations[i]->name);
    }
    return facet_fail(
        b->error, FACET_ERROR_ARGUMENT, "J3D-CLIP", FACET_NO_OFFSET, "%s; there are %s",
        clip ? "no animation has this name" : "several animations, and none is chosen",
        facet_quote(&quoted, names, strlen(names)));
}

/* -- Joints and nodes --------------------------------------------------- */

/* Nodes without a joint, by name; those with one name are in their order. */
typedef struct node_list {
    facet_names names;
    uint32_t *first; /* per name: the first node without a joint */
    uint32_t *next;  /* per node: the next with the same name */
} node_list;

/* Forms of the names of nodes. BARE ignores the ".001" that Blender appends to duplicates. NUMBERED
 * expects the joint's number, which Facet's writer of FBX and COLLADA appends to them. */
typedef enum name_form { EXACT, BARE, NUMBERED, FORMS } name_form;

/* `joints` is the joint of each node, or FACET_NONE. */
static bool list_nodes(const facet_j3d_joint_weaving *b, const uint32_t *joints, name_form form,
                       node_list *list)
{
    uint32_t count = b->scene->node_count;
    list->names = facet_names_make(b->scratch);
    list->first = facet_arena_allocate(b->scratch, count, sizeof *list->first);
    list->next = facet_arena_allocate(b->scratch, count, sizeof *list->next);
    for (uint32_t i = count; i-- > 0 && list->first && list->next;) {
        const char *name = b->scene->nodes[i]->name;
        size_t length = form == BARE ? facet_bare_length(name) : strlen(name);
        uint32_t before = list->names.count;
        if (joints[i] != FACET_NONE)
            continue;
        uint32_t number = facet_names_put(&list->names, name, length);
        if (number == UINT32_MAX)
            return false;
        list->next[i] = number == before ? FACET_NONE : list->first[number];
        list->first[number] = i;
    }
    return list->first && list->next;
}

/* Give each joint without a node the first remaining node with its name. `missing` counts joints
 * without a match. */
static bool take_nodes(facet_j3d_joint_weaving *b, uint32_t *joints, name_form form,
                       facet_tally *missing)
{
    node_list list;
    facet_names stored = facet_names_make(b->scratch);
    *missing = (facet_tally){0};
    if (!list_nodes(b, joints, form, &list))
        return false;
    for (uint32_t j = 0; j < b->joints; j++) {
        char name[FACET_J3D_JOINT_NAME + 16];
        facet_j3d_joint_name(b->model, j, name);
        if (form == NUMBERED) {
            uint32_t before = stored.count;
            uint32_t known = facet_names_put_copy(&stored, name, strlen(name));
            if (known == UINT32_MAX)
                return false;
            if (known < before)
                sprintf(name + strlen(name), "_%" PRIu32, j);
        }
        if (b->nodes[j] != FACET_NONE)
            continue;
        uint32_t number = facet_names_find(&list.names, name, strlen(name));
        b->nodes[j] = number == UINT32_MAX ? FACET_NONE : list.first[number];
        if (b->nodes[j] == FACET_NONE) {
            facet_tally_hit(missing, j);
            continue;
        }
        list.first[number] = list.next[b->nodes[j]];
        joints[b->nodes[j]] = j;
    }
    return true;
}

static facet_status take_unnamed(facet_j3d_joint_weaving *b, facet_tally *missing)
{
    TRY(facet_j3d_match_unnamed(b->scene, b->model, b->joint_of_node, b->scratch, b->error));
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        if (b->joint_of_node[i] != FACET_NONE)
            b->nodes[b->joint_of_node[i]] = i;
    }
    *missing = (facet_tally){0};
    for (uint32_t j = 0; j < b->joints; j++) {
        if (b->nodes[j] == FACET_NONE)
            facet_tally_hit(missing, j);
    }
    return FACET_OK;
}

static facet_status find_nodes(facet_j3d_joint_weaving *b)
{
    facet_tally missing;
    uint32_t count = b->scene->node_count;
    b->joint_of_node = facet_arena_allocate(b->scratch, count, sizeof *b->joint_of_node);
    b->nodes = facet_arena_allocate(b->scratch, b->joints, sizeof *b->nodes);
    if (!b->nodes || !b->joint_of_node)
        return facet_j3d_joints_no_memory(b);
    for (uint32_t i = 0; i < count; i++)
        b->joint_of_node[i] = FACET_NONE;
    for (uint32_t j = 0; j < b->joints; j++)
        b->nodes[j] = FACET_NONE;
    TRY(facet_j3d_match_joint_tree(b));
    missing.count = 1;
    for (name_form form = EXACT; form < FORMS && missing.count > 0; form++) {
        if (!take_nodes(b, b->joint_of_node, form, &missing))
            return facet_j3d_joints_no_memory(b);
    }
    if (missing.count > 0)
        TRY(take_unnamed(b, &missing));
    facet_report_add_tally(b->options ? b->options->report : NULL, "J3D-JOINT-MISSING",
                           FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &missing,
                           "no node has the name of joint %" PRIu64
                           " of the model, which keeps its rest pose",
                           missing.first);
    return FACET_OK;
}

/* Remove the nodes that the model's writer removes, so that only joints are above joints, and use
 * its unit. */
static facet_status fold_carriers(facet_j3d_joint_weaving *b)
{
    size_t count = b->scene->node_count;
    uint32_t index = 0;
    uint32_t *below = facet_arena_allocate(b->scratch, count, sizeof *below);
    uint32_t *order = facet_arena_allocate(b->scratch, count, sizeof *order);
    bool *is_joint = facet_arena_allocate(b->scratch, count, sizeof *is_joint);
    float *own = facet_arena_allocate(b->scratch, count, sizeof *own);
    if (!below || !order || !is_joint || !own)
        return facet_j3d_joints_no_memory(b);
    for (size_t i = 0; i < count; i++) {
        uint32_t joint = b->joint_of_node[i];
        is_joint[i] = joint != FACET_NONE;
        own[i] = is_joint[i] ? facet_units_own_scale(b->model->joints.items[joint].scale) : 1;
    }
    while (b->scene->animations[index] != b->animation)
        index++;
    TRY(facet_scene_order(b->scene, below, order, b->error));
    b->units = facet_units_of_scene(b->scene, FACET_J3D_UNIT, order, own, below);
    TRY(facet_scene_fold_axis_nodes(b->scene, is_joint, order, b->units.top, b->scratch, &b->scene,
                                    b->error));
    b->units = facet_units_of_scene(b->scene, FACET_J3D_UNIT, order, own, below);
    b->animation = b->scene->animations[index];
    return FACET_OK;
}

/* Blender leaves bones that do not move out of a COLLADA, even if they are posed. */
static bool is_blender_collada(const char *generator)
{
    return generator && strncmp(generator, "Blender ", 8) == 0 && generator[8] >= '0' &&
           generator[8] <= '9';
}

static void report_still(const facet_j3d_joint_weaving *b)
{
    facet_tally still = {0};
    for (uint32_t j = 0; j < b->joints; j++) {
        const facet_channel *const *channels =
            b->nodes[j] == FACET_NONE ? NULL : b->channels[b->nodes[j]];
        if (channels && !channels[0] && !channels[1] && !channels[2])
            facet_tally_hit(&still, j);
    }
    if (is_blender_collada(b->scene->generator))
        facet_report_add_tally(b->options ? b->options->report : NULL, "J3D-JOINT-STILL",
                               FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &still,
                               "joint %" PRIu64 " has no keys in the COLLADA and rests; Blender "
                               "leaves out bones that do not move, even if they are posed",
                               still.first);
}

static facet_status find_channels(facet_j3d_joint_weaving *b)
{
    b->channels =
        facet_arena_allocate_zeroed(b->scratch, b->scene->node_count, sizeof *b->channels);
    if (!b->channels)
        return facet_j3d_joints_no_memory(b);
    for (uint32_t i = 0; i < b->animation->channel_count; i++) {
        const facet_channel *channel = &b->animation->channels[i];
        if (facet_channel_target_is_place(channel->target) && channel->node < b->scene->node_count)
            b->channels[channel->node][channel->target] = channel;
    }
    report_still(b);
    return FACET_OK;
}

/* -- The document ------------------------------------------------------- */

/* True if the animation ends as it began. */
static bool is_round(const facet_j3d_joint_weaving *b)
{
    for (uint32_t j = 0; j < b->joints; j++) {
        const double *first = facet_j3d_joint_samples(b, j)[0],
                     *last = facet_j3d_joint_samples(b, j)[b->frames];
        const double begin[3] = {first[1], first[4], first[7]},
                     end[3] = {last[1], last[4], last[7]};
        if (facet_j3d_angle_between(begin, end) > b->angle)
            return false;
        for (int i = 0; i < 9; i++) {
            if (i % 3 != 1 && fabs(first[i] - last[i]) > b->distance)
                return false;
        }
    }
    return true;
}

/* True if all tracks of the file are kept. Its joints beyond the model's do not matter. */
static bool every_joint_kept(const facet_j3d_joint_weaving *b, bool (*kept)[3])
{
    for (uint32_t j = 0; j < b->joints; j++) {
        if (!kept[j][0] || !kept[j][1] || !kept[j][2])
            return false;
    }
    return true;
}

/* Sample the stored file as a scene shows it. Nodes have no shear, so a joint below scaled ones can
 * have other numbers there than in the file. */
static facet_status sample_stored(facet_j3d_joint_weaving *b, facet_scene *scene)
{
    TRY(facet_j3d_animation_to_scene(b->stored, b->model, b->options, scene, b->error));
    b->scene = scene;
    b->animation = scene->animations[0];
    b->begin = 0;
    TRY(find_nodes(b));
    TRY(fold_carriers(b));
    TRY(find_channels(b));
    return facet_j3d_sample_joints(b);
}

/* Find the tracks of the stored file that can be kept. */
static facet_status find_kept(const facet_j3d_joint_weaving *b, bool (*kept)[3])
{
    facet_scene *scene = NULL;
    TRY(facet_j3d_compare_joints(b, kept));
    if (every_joint_kept(b, kept))
        return FACET_OK;
    facet_j3d_joint_weaving reference = *b;
    facet_options quiet = b->options ? *b->options : (facet_options){0};
    facet_j3d_options j3d = {.rate = b->rate};
    quiet.report = NULL;
    quiet.j3d = &j3d;
    reference.options = &quiet;
    TRY(facet_j3d_to_scene(b->model, &quiet, &scene, b->error));
    facet_status status = sample_stored(&reference, scene);
    if (!status)
        facet_j3d_compare_samples(b, &reference, kept);
    facet_scene_free(scene);
    return status;
}

static void report_kept(const facet_j3d_joint_weaving *b, bool (*kept)[3])
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < b->joints; j++)
        count += kept[j][0] && kept[j][1] && kept[j][2];
    facet_report_add(b->options ? b->options->report : NULL, "J3D-KEYS-KEPT", FACET_SEVERITY_NOTE,
                     FACET_NO_OFFSET,
                     "%" PRIu32 " of %" PRIu32
                     " joints %s as in the original file: its keys are kept",
                     count, b->joints, facet_plural(count, "moves", "move"));
}

static facet_status build(facet_j3d_joint_weaving *b, int loop)
{
    bool(*kept)[3] = NULL;
    facet_status status = facet_j3d_sample_joints(b);
    b->column = facet_arena_allocate(b->scratch, b->frames + (size_t)1, sizeof *b->column);
    b->elements = facet_arena_allocate(b->scratch, b->frames + (size_t)2, 4 * sizeof(double));
    if (!status && (!b->column || !b->elements))
        status = facet_j3d_joints_no_memory(b);
    if (!status && b->stored) {
        kept = facet_arena_allocate(b->scratch, b->joints, sizeof *kept);
        status = kept ? find_kept(b, kept) : facet_j3d_joints_no_memory(b);
    }
    if (status)
        return status;
    bool same = kept && every_joint_kept(b, kept) && b->stored->frames == (int32_t)b->frames;
    if (kept && (b->kind == FACET_J3D_BCK || same))
        report_kept(b, kept);
    if (same) {
        facet_j3d_animation_free(b->document);
        b->document = b->stored;
        b->stored = NULL;
        if (loop >= 0)
            b->document->loop = (uint8_t)loop;
        return FACET_OK;
    }
    if (b->kind == FACET_J3D_BCA) /* a BCA has no keys to keep; fit keys first */
        kept = NULL;
    uint32_t shift = facet_j3d_find_rotation_shift(b, kept);
    /* Kept angles use their own shift, if it is sufficient for the others. */
    if (kept && shift > b->stored->rotation_shift) {
        for (uint32_t j = 0; j < b->joints; j++)
            kept[j][1] = false;
        shift = facet_j3d_find_rotation_shift(b, kept);
    } else if (kept && b->stored->rotation_shift <= 15) {
        shift = b->stored->rotation_shift;
    }
    b->document->frames = (int16_t)b->frames;
    b->document->rotation_shift = (uint8_t)shift;
    b->document->loop =
        (uint8_t)(loop >= 0                                          ? loop
                  : facet_animation_loops(b->animation, is_round(b)) ? FACET_J3D_LOOP_REPEAT
                                                                     : FACET_J3D_LOOP_ONCE);
    status = facet_j3d_fit_joints(b, kept);
    if (!status && kept) /* copy the rest of the file: sounds and signature, but not its layout */
        status = facet_j3d_animation_adopt(b->document, b->stored, b->error);
    memset(&b->document->layout, 0, sizeof b->document->layout);
    return status;
}

static facet_status begin(facet_j3d_joint_weaving *b, const facet_j3d_options *given, int *loop)
{
    facet_j3d_stored stored;
    TRY(facet_j3d_animation_read_stored(b->animation, b->kind, b->options, &stored, b->error));
    b->stored = stored.file;
    if (b->stored && b->stored->sets[0].count < b->joints) {
        facet_j3d_animation_free(b->stored);
        b->stored = NULL;
    }
    /* A rate in the extras means that Facet wrote the keys. */
    bool is_asked = given && given->rate > 0, is_own = stored.rate > 0;
    b->rate = is_asked ? given->rate : is_own ? stored.rate : 30;
    b->distance = given && given->distance > 0 ? given->distance : 0.01;
    b->angle = given && given->angle > 0 ? given->angle : 0.05;
    *loop = given && given->loop > 0 ? (int)given->loop - 1 : stored.loop;
    if (!is_own)
        b->begin = facet_j3d_look_at_rate(b->animation, b->rate, is_asked,
                                          b->options ? b->options->report : NULL);
    double frames = facet_frames_of(facet_animation_duration(b->animation) - b->begin, b->rate);
    /* If the joints do not move, no key defines the length of the file. */
    if (b->stored && frames < 1)
        frames = b->stored->frames;
    if (frames > MAX_FRAMES)
        return facet_fail(b->error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                          "the animation has %.0f frames; the format holds %d", frames, MAX_FRAMES);
    b->frames = frames < 1 ? 1 : (uint32_t)frames;
    TRY(find_nodes(b));
    TRY(fold_carriers(b));
    return find_channels(b);
}

static facet_status from_model(facet_j3d_joint_weaving *b, const facet_j3d_options *given)
{
    int loop = -1;
    b->joints = b->model->joints.count;
    TRY(facet_arena_create(b->options, &b->scratch, b->error));
    TRY(facet_j3d_skeleton_create(b->model, b->scratch, &b->skeleton, b->error));
    TRY(find_clip(b, given->clip));
    TRY(begin(b, given, &loop));
    TRY(facet_j3d_report_joint_losses(b));
    TRY(facet_j3d_animation_create(FACET_J3D_BCK, b->animation->name, b->options, &b->document,
                                   b->error));
    return build(b, loop);
}

static facet_status from_motion(const facet_scene *scene, facet_j3d_animation_kind kind,
                                const facet_options *options, facet_j3d_animation **document,
                                facet_error *error)
{
    facet_j3d_joint_weaving b = {.scene = scene, .kind = kind, .options = options, .error = error};
    const facet_j3d_options *given = options ? options->j3d : NULL;
    facet_options quiet = options ? *options : (facet_options){0};
    facet_j3d *model = NULL;
    TRY(FACET_CHECK_STRUCT(given, facet_j3d_options, error));
    if (scene->animation_count == 0)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "J3D-CLIP", FACET_NO_OFFSET,
                          "the scene has no animation");
    if (!given || !given->like)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-LIKE", FACET_NO_OFFSET,
                          "an animation of joints needs its model (--like)");
    quiet.report = NULL;
    TRY(facet_j3d_read(given->like, &quiet, &model, error));
    b.model = model;
    facet_status status = from_model(&b, given);
    facet_j3d_animation_free(b.stored);
    facet_arena_free(b.scratch);
    facet_j3d_free(model);
    if (status)
        facet_j3d_animation_free(b.document);
    else
        *document = b.document;
    return status;
}

facet_status facet_j3d_animation_from_scene(const facet_scene *scene, facet_j3d_animation_kind kind,
                                            const facet_options *options,
                                            facet_j3d_animation **document, facet_error *error)
{
    facet_j3d_animation *keys = NULL;
    if (!facet_j3d_animation_kind_name(kind))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-KIND", FACET_NO_OFFSET,
                          "unknown kind of animation");
    if (kind != FACET_J3D_BCK && kind != FACET_J3D_BCA)
        return facet_j3d_animation_has_channels(kind)
                   ? facet_j3d_animation_from_channels(scene, kind, options, document, error)
                   : facet_j3d_animation_take_file(scene, kind, options, document, error);
    facet_status status = from_motion(scene, kind, options, &keys, error);
    if (status || keys->kind == kind) {
        *document = keys;
        return status;
    }
    status = facet_j3d_animation_convert(keys, kind, 0, options, document, error);
    facet_j3d_animation_free(keys);
    return status;
}
