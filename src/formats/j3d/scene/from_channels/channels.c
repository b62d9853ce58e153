/* formats/j3d/scene/from_channels/channels.c - channels of materials and of visibility to a BTK,
 * BRK, BPK, BPA, BTP or BVA.
 *
 * The reference is the model (--like) as a scene, with the file in the animation's extras as its
 * animation. If a part of the scene moves like the reference, the file's tracks are kept; if all
 * parts do, so is the file. Other parts are sampled at every frame. solve.c computes the state of a
 * material that gives the sampled appearance, and keys are fitted. */
#include "formats/j3d/scene/from_channels/channels.h"

#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/vec.h"
#include "formats/j3d/scene/from_channels/file.h"
#include "formats/j3d/scene/from_channels/rate.h"
#include "formats/j3d/scene/to_scene/animation.h"
#include "formats/j3d/scene/to_scene/scene.h"
#include "gx/json/file_part.h"
#include "scene/loop.h"
#include "scene/rate.h"

#include <facet/pose.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static facet_status no_memory(const facet_j3d_weaving *w)
{
    return facet_fail_arenas(w->scratch, w->document ? w->document->arena : NULL, w->error);
}

/* -- Selection of the animation ----------------------------------------- */

static bool suits(facet_channel_target target, facet_j3d_animation_kind kind)
{
    switch (kind) {
    case FACET_J3D_BTK:
        return target >= FACET_TARGET_TEXTURE_OFFSET && target <= FACET_TARGET_TEXTURE_SCALE;
    case FACET_J3D_BTP:
        return target == FACET_TARGET_TEXTURE_IMAGE;
    case FACET_J3D_BVA:
        return target == FACET_TARGET_VISIBILITY;
    default:
        return target == FACET_TARGET_BASE_COLOR;
    }
}

static facet_status is_candidate(const facet_j3d_weaving *w, const facet_animation *animation,
                                 bool *found)
{
    facet_gx_file_part *part;
    TRY(facet_gx_file_part_now(animation->extras, animation->gx_file, w->scratch, &part, w->error));
    const char *said = part && part->motion ? part->motion->kind : NULL;
    *found = said && strcmp(said, facet_j3d_animation_kind_name(w->kind)) == 0;
    for (uint32_t i = 0; i < animation->channel_count && !said; i++)
        *found |= suits(animation->channels[i].target, w->kind);
    return FACET_OK;
}

/* Find the animation; NULL if the scene has none. Several are an error. */
static facet_status find_animation(facet_j3d_weaving *w, const char *clip)
{
    const facet_animation *named = NULL, *any = NULL;
    uint32_t count = 0, same = 0;
    for (uint32_t i = 0; i < w->scene->animation_count; i++) {
        const facet_animation *each = w->scene->animations[i];
        bool found;
        TRY(is_candidate(w, each, &found));
        if (!found)
            continue;
        any = each;
        count++;
        if (clip && strcmp(each->name, clip) == 0) {
            named = each;
            same++;
        }
    }
    if (same > 1 || (!clip && count > 1))
        return facet_fail(w->error, FACET_ERROR_ARGUMENT, "J3D-CLIP", FACET_NO_OFFSET,
                          "%" PRIu32 " animations of the scene may become a %s%s",
                          clip ? same : count, facet_j3d_animation_kind_name(w->kind),
                          clip ? " and have this name" : "; add --clip to choose one");
    w->animation = clip ? named : any;
    return FACET_OK;
}

/* -- Objects of the model ----------------------------------------------- */

typedef const char *(*name_of)(const facet_scene *scene, uint32_t index);

static const char *material_name(const facet_scene *scene, uint32_t index)
{
    return scene->materials[index]->name;
}

static const char *node_name(const facet_scene *scene, uint32_t index)
{
    return scene->nodes[index]->name;
}

static const char *image_name(const facet_scene *scene, uint32_t index)
{
    return scene->images[index]->name;
}

/* Match objects by name with those of the model's scene. Return their numbers there, or FACET_NONE.
 * Objects with one name match in their order. */
static uint32_t *pair(const facet_j3d_weaving *w, name_of name, uint32_t here, uint32_t there)
{
    facet_names names = facet_names_make(w->scratch);
    uint32_t *first = facet_arena_allocate(w->scratch, there, sizeof *first);
    uint32_t *next = facet_arena_allocate(w->scratch, there, sizeof *next);
    uint32_t *made = facet_arena_allocate(w->scratch, here, sizeof *made);
    bool ok = first && next && made;
    for (uint32_t i = there; i-- > 0 && ok;) {
        const char *text = name(w->reference, i);
        uint32_t before = names.count, number = facet_names_put(&names, text, strlen(text));
        ok = number != UINT32_MAX;
        if (!ok)
            break;
        next[i] = number == before ? FACET_NONE : first[number];
        first[number] = i;
    }
    for (uint32_t i = 0; i < here && ok; i++) {
        const char *text = name(w->scene, i);
        uint32_t number = facet_names_find(&names, text, strlen(text));
        made[i] = number == UINT32_MAX ? FACET_NONE : first[number];
        if (made[i] != FACET_NONE)
            first[number] = next[made[i]];
    }
    facet_names_free(&names);
    return ok ? made : NULL;
}

/* Count a channel that moves no object of the model, and keep the name of the first. */
static void count_lost(facet_j3d_weaving *w, const facet_channel *channel, bool reference)
{
    const facet_scene *scene = reference ? w->reference : w->scene;
    if (w->lost.count == 0)
        w->lost_name = channel->target == FACET_TARGET_VISIBILITY
                           ? scene->nodes[channel->node]->name
                           : scene->materials[channel->material]->name;
    facet_tally_hit(&w->lost, 0);
}

/* Assign the channels of the scene and of the reference to the model's objects. */
static bool sort_channels(facet_j3d_weaving *w, const facet_animation *reference)
{
    uint32_t slots = w->model->materials.slot_count, shapes = w->model->shapes.count;
    uint32_t *materials = pair(w, material_name, w->scene->material_count, slots);
    uint32_t *nodes = pair(w, node_name, w->scene->node_count, w->reference->node_count);
    w->images = pair(w, image_name, w->scene->image_count, w->reference->image_count);
    w->tracks = facet_arena_allocate_zeroed(w->scratch, slots, sizeof *w->tracks);
    w->shapes = facet_arena_allocate_zeroed(w->scratch, shapes, sizeof *w->shapes);
    w->kept = facet_arena_allocate_zeroed(w->scratch, slots, sizeof *w->kept);
    if (!materials || !nodes || !w->images || !w->tracks || !w->shapes || !w->kept)
        return false;
    for (uint32_t i = 0; i < w->scene->material_count; i++) {
        if (materials[i] != FACET_NONE)
            w->tracks[materials[i]].material = w->scene->materials[i];
    }
    for (int which = 0; which < 2; which++) {
        const facet_animation *from = which ? reference : w->animation;
        for (uint32_t i = 0; from && i < from->channel_count; i++) {
            const facet_channel *channel = &from->channels[i];
            uint32_t shape;
            if (!suits(channel->target, w->kind))
                continue;
            if (channel->target == FACET_TARGET_VISIBILITY) {
                uint32_t node = which ? channel->node : nodes[channel->node];
                if (node != FACET_NONE &&
                    facet_j3d_shape_of_name(w->reference->nodes[node]->name, &shape) &&
                    shape < shapes)
                    w->shapes[shape].channels[which] = channel;
                else
                    count_lost(w, channel, which);
                continue;
            }
            uint32_t slot = which ? channel->material : materials[channel->material];
            if (slot != FACET_NONE && slot < slots &&
                (channel->target == FACET_TARGET_BASE_COLOR || channel->map == FACET_MAP_DIFFUSE))
                w->tracks[slot].channels[which][channel->target - FACET_TARGET_BASE_COLOR] =
                    channel;
            else
                count_lost(w, channel, which);
        }
    }
    return true;
}

/* -- Unchanged tracks --------------------------------------------------- */

static bool is_seen(const facet_j3d_weaving *w, uint32_t shape, bool reference, uint32_t frame)
{
    const facet_channel *channel = w->shapes[shape].channels[reference];
    float seen = 1;
    if (channel)
        facet_channel_sample(channel, facet_j3d_time_of(w, reference, frame), &seen);
    return seen != 0;
}

static bool same_look(const facet_j3d_weaving *w, const float *a, const float *b)
{
    double angle = w->angle * FACET_PI / 180, uv = w->distance / 10;
    switch (w->kind) {
    case FACET_J3D_BTK:
        return fabs(remainder((double)a[6] - (double)b[6], 2 * FACET_PI)) <= angle &&
               fabs((double)a[4] - (double)b[4]) <= uv && fabs((double)a[5] - (double)b[5]) <= uv &&
               fabs((double)a[7] - (double)b[7]) <= uv && fabs((double)a[8] - (double)b[8]) <= uv;
    case FACET_J3D_BTP:
        return a[9] == b[9];
    default:
        for (int i = 0; i < 3; i++) {
            if (fabs(facet_srgb_encode((double)a[i]) - facet_srgb_encode((double)b[i])) >
                0.75 / 255)
                return false;
        }
        return fabs((double)a[3] - (double)b[3]) <= 0.75 / 255;
    }
}

static bool is_kept(const facet_j3d_weaving *w, uint32_t slot)
{
    float here[FACET_J3D_LOOK], there[FACET_J3D_LOOK];
    bool moves = false;
    for (int i = 0; i < 6; i++)
        moves |= w->tracks[slot].channels[0][i] || w->tracks[slot].channels[1][i];
    for (uint32_t frame = 0; frame <= w->frames && moves; frame++) {
        facet_j3d_get_appearance(w, slot, false, frame, here);
        facet_j3d_get_appearance(w, slot, true, frame, there);
        if (!same_look(w, here, there))
            return false;
    }
    return true;
}

static bool keep_shapes(const facet_j3d_weaving *w)
{
    for (uint32_t i = 0; i < w->model->shapes.count; i++) {
        for (uint32_t frame = 0; frame <= w->frames; frame++) {
            if (is_seen(w, i, false, frame) != is_seen(w, i, true, frame))
                return false;
        }
    }
    return true;
}

/* True if the animation ends as it began. A texture that moves by whole repeats looks the same. */
static bool is_round(const facet_j3d_weaving *w)
{
    float first[FACET_J3D_LOOK], last[FACET_J3D_LOOK];
    uint32_t shapes = w->kind == FACET_J3D_BVA ? w->model->shapes.count : 0;
    uint32_t slots = w->kind == FACET_J3D_BVA ? 0 : w->model->materials.slot_count;
    for (uint32_t i = 0; i < shapes; i++) {
        if (is_seen(w, i, false, 0) != is_seen(w, i, false, w->frames))
            return false;
    }
    for (uint32_t i = 0; i < slots; i++) {
        facet_j3d_get_appearance(w, i, false, 0, first);
        facet_j3d_get_appearance(w, i, false, w->frames, last);
        for (int k = 4; k < 6; k++)
            last[k] -= nearbyintf(last[k] - first[k]);
        if (!same_look(w, first, last))
            return false;
    }
    return true;
}

/* -- Shapes ------------------------------------------------------------- */

static facet_status weave_shapes(facet_j3d_weaving *w)
{
    uint32_t count = w->model->shapes.count;
    facet_j3d_animation_set *set = &w->document->sets[0];
    facet_j3d_sharing sharing =
        facet_j3d_sharing_make(FACET_J3D_BVA, 0, w->document->arena, w->scratch);
    set->count = count;
    set->tracks = facet_arena_allocate_zeroed(w->document->arena, count, sizeof *set->tracks);
    facet_status status = set->tracks ? FACET_OK : no_memory(w);
    for (uint32_t i = 0; i < count && !status; i++) {
        bool moves = false;
        for (uint32_t f = 0; f < w->frames; f++) {
            w->column[f] = is_seen(w, i, false, f);
            moves |= w->column[f] != w->column[0];
        }
        status = facet_j3d_sharing_put(&sharing, w->column, moves ? w->frames : 1, 0,
                                       &set->tracks[i], w->error);
    }
    return status ? status : facet_j3d_sharing_end(&sharing, &set->elements[0], w->error);
}

/* -- The document ------------------------------------------------------- */

/* True if a step is on the last frame. Kinds with values per frame have none for the frame where
 * the animation ends, so the step would be lost. A return to the first value is the next round. */
static bool has_last_step(const facet_j3d_weaving *w, double frames)
{
    for (uint32_t i = 0; i < w->animation->channel_count; i++) {
        const facet_channel *channel = &w->animation->channels[i];
        uint32_t last = channel->key_count - 1;
        if (suits(channel->target, w->kind) && last > 0 &&
            channel->interpolation == FACET_INTERPOLATION_STEP &&
            facet_frames_of((double)channel->times[last] - w->begin, w->rate) == frames &&
            channel->values[last] != channel->values[last - 1] &&
            channel->values[last] != channel->values[0])
            return true;
    }
    return false;
}

/* If the last key is before the end of the file, the file defines the length. */
static facet_status find_frames(facet_j3d_weaving *w, const facet_animation *reference)
{
    double here = facet_frames_of(facet_animation_duration(w->animation) - w->begin, w->rate);
    if (reference && here == facet_frames_of(facet_animation_duration(reference), w->rate))
        here = w->stored->frames;
    else if ((w->kind == FACET_J3D_BVA || w->kind == FACET_J3D_BTP) && has_last_step(w, here))
        here++;
    if (here > 32767)
        return facet_fail(w->error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                          "the animation has %.0f frames; the format holds 32767", here);
    w->frames = here < 1 ? 1 : (uint32_t)here;
    w->column = facet_arena_allocate(w->scratch, w->frames + (size_t)1, sizeof *w->column);
    w->elements = facet_arena_allocate(w->scratch, w->frames + (size_t)2, 4 * sizeof(double));
    return w->column && w->elements ? FACET_OK : no_memory(w);
}

static facet_status weave(facet_j3d_weaving *w, const facet_j3d_options *given)
{
    facet_animation *reference = NULL;
    facet_tally unshown = {0};
    facet_options quiet = w->options ? *w->options : (facet_options){0};
    facet_j3d_stored stored;
    quiet.report = NULL;
    TRY(facet_j3d_animation_read_stored(w->animation, w->kind, w->options, &stored, w->error));
    w->stored = stored.file;
    w->rate = given->rate > 0 ? given->rate : stored.rate > 0 ? stored.rate : 30;
    w->distance = given->distance > 0 ? given->distance : 0.01;
    w->angle = given->angle > 0 ? given->angle : 0.05;
    int loop = given->loop > 0 ? (int)given->loop - 1 : stored.loop;
    if (!(stored.rate > 0))
        w->begin = facet_j3d_look_at_rate(w->animation, w->rate, given->rate > 0,
                                          w->options ? w->options->report : NULL);
    facet_status status = facet_j3d_to_scene(w->model, &quiet, &w->reference, w->error);
    if (!status && w->stored)
        status = facet_j3d_animation_drive(w->stored, w->model, w->rate, &quiet, w->reference,
                                           &reference, &unshown, w->error);
    if (!status)
        status = find_frames(w, reference);
    if (!status && !sort_channels(w, reference))
        status = no_memory(w);
    if (status)
        return status;
    bool all = w->stored && w->stored->frames == (int32_t)w->frames && w->lost.count == 0;
    if (w->kind == FACET_J3D_BVA)
        all = all && w->stored->sets[0].count >= w->model->shapes.count && keep_shapes(w);
    for (uint32_t i = 0; i < w->model->materials.slot_count && w->kind != FACET_J3D_BVA; i++) {
        w->kept[i] = w->stored && is_kept(w, i);
        all &= w->stored ? w->kept[i] : false;
    }
    if (all) { /* the unchanged file */
        w->document = w->stored;
        w->stored = NULL;
    } else {
        status = facet_j3d_animation_create(w->kind, w->animation->name, w->options, &w->document,
                                            w->error);
        if (!status) {
            w->document->frames = (int16_t)w->frames;
            bool loops = facet_animation_loops(w->animation, is_round(w));
            w->document->loop = w->stored ? w->stored->loop
                                : loops   ? FACET_J3D_LOOP_REPEAT
                                          : FACET_J3D_LOOP_ONCE;
            status = w->kind == FACET_J3D_BVA ? weave_shapes(w) : facet_j3d_weave_materials(w);
        }
    }
    if (!status && loop >= 0)
        w->document->loop = (uint8_t)loop;
    return status;
}

static void report(const facet_j3d_weaving *w)
{
    facet_report *to = w->options ? w->options->report : NULL;
    facet_quoted quoted;
    if (w->lost.count > 0) {
        facet_quote(&quoted, w->lost_name, strlen(w->lost_name));
        facet_report_add_tally(to, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                               &w->lost, "%s '%s' of the animation has no counterpart in the model",
                               w->kind == FACET_J3D_BVA ? "shape" : "material", quoted.text);
    }
    if (w->unsolved.count > 0) {
        const char *name = w->reference->materials[w->unsolved.first]->name;
        facet_quote(&quoted, name, strlen(name));
        facet_report_add_tally(to, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                               &w->unsolved, "material '%s' of the model cannot show the animation",
                               quoted.text);
    }
}

facet_status facet_j3d_animation_from_channels(const facet_scene *scene,
                                               facet_j3d_animation_kind kind,
                                               const facet_options *options,
                                               facet_j3d_animation **document, facet_error *error)
{
    facet_j3d_weaving w = {.scene = scene, .kind = kind, .options = options, .error = error};
    const facet_j3d_options *given = options ? options->j3d : NULL;
    facet_options quiet = options ? *options : (facet_options){0};
    quiet.report = NULL;
    facet_status status = FACET_CHECK_STRUCT(given, facet_j3d_options, error);
    if (!status)
        status = facet_arena_create(options, &w.scratch, error);
    if (!status)
        status = find_animation(&w, given ? given->clip : NULL);
    if (!status && !w.animation) {
        facet_arena_free(w.scratch);
        return facet_j3d_animation_take_file(scene, kind, options, document, error);
    }
    if (!status && (!given || !given->like))
        status = facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-LIKE", FACET_NO_OFFSET,
                            "an animation of materials needs its model (--like)");
    if (!status)
        status = facet_j3d_read(given->like, &quiet, &w.model, error);
    if (!status)
        status = weave(&w, given);
    if (!status)
        report(&w);
    if (status)
        facet_j3d_animation_free(w.document);
    else
        *document = w.document;
    facet_j3d_animation_free(w.stored);
    facet_scene_free(w.reference);
    facet_arena_free(w.scratch);
    facet_j3d_free(w.model);
    return status;
}
