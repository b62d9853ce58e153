/* formats/assimp/from_scene/cameras.c - cameras and lights of a COLLADA. assimp finds the node of
 * each by its name. */
#include "base/error.h"
#include "formats/assimp/from_scene/from_scene.h"
#include "scene/axes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* assimp compares each of them with each node. */
#define MAX_OPTICS 1000

/* Values of COLLADA for cameras that see without an end, in meters, and for pictures of any form.
 */
#define FARTHEST 1000
#define ASPECT 1

/* The difference of the angles of a spot light, from which assimp computes an exponent of 1. It
 * becomes 0 in the file (file/restore_dae.c). */
#define CONE_EDGE acos(0.1)

typedef struct losses {
    facet_tally orthographic, aspects, ends, ranges, cones, colors, unused, many, names;
} losses;

static void set_vector(struct aiVector3D *to, float x, float y, float z)
{
    to->x = x;
    to->y = y;
    to->z = z;
}

static void note_name(losses *lost, const char *name, const facet_assimp_writer *w, uint32_t node)
{
    if (*name && strcmp(name, w->node_names[node]) != 0)
        facet_tally_hit(&lost->names, node);
}

static void put_camera(facet_assimp_writer *w, uint32_t node, losses *lost)
{
    const facet_camera *from = w->scene->cameras[w->scene->nodes[node]->camera];
    struct aiCamera *to = w->to.mCameras[w->to.mNumCameras];
    if (from->is_orthographic) {
        facet_tally_hit(&lost->orthographic, node);
        return;
    }
    w->to.mNumCameras++;
    facet_assimp_set_text(&to->mName, w->node_names[node]);
    set_vector(&to->mUp, 0, 1, 0);
    set_vector(&to->mLookAt, 0, 0, -1);
    to->mAspect = from->aspect_ratio > 0 ? from->aspect_ratio : ASPECT;
    to->mHorizontalFOV = 2 * atanf(tanf(from->field_of_view / 2) * to->mAspect);
    to->mClipPlaneNear = from->near_distance;
    double end = fmax(FARTHEST / facet_axes_unit(&w->scene->axes), 10 * from->near_distance);
    to->mClipPlaneFar = from->far_distance > 0 ? from->far_distance : (float)end;
    if (!(from->aspect_ratio > 0))
        facet_tally_hit(&lost->aspects, node);
    if (!(from->far_distance > 0))
        facet_tally_hit(&lost->ends, node);
    note_name(lost, from->name, w, node);
}

static void put_light(facet_assimp_writer *w, uint32_t node, losses *lost)
{
    const facet_light *from = w->scene->lights[w->scene->nodes[node]->light];
    struct aiLight *to = w->to.mLights[w->to.mNumLights++];
    facet_assimp_set_text(&to->mName, w->node_names[node]);
    to->mType = from->kind == FACET_LIGHT_POINT  ? aiLightSource_POINT
                : from->kind == FACET_LIGHT_SPOT ? aiLightSource_SPOT
                                                 : aiLightSource_DIRECTIONAL;
    set_vector(&to->mDirection, 0, 0, -1);
    set_vector(&to->mUp, 0, 1, 0);
    to->mColorDiffuse.r = from->color[0] * from->intensity;
    to->mColorDiffuse.g = from->color[1] * from->intensity;
    to->mColorDiffuse.b = from->color[2] * from->intensity;
    if (fmaxf(from->color[0], fmaxf(from->color[1], from->color[2])) != 1)
        facet_tally_hit(&lost->colors, node);
    to->mAttenuationQuadratic = 1; /* a scene's light fades with the square of the distance */
    if (from->kind == FACET_LIGHT_SPOT) {
        /* assimp writes its inner angle as the whole angle where the light ends. */
        to->mAngleInnerCone = 2 * from->outer_cone_angle;
        to->mAngleOuterCone = to->mAngleInnerCone + (float)CONE_EDGE;
        if (from->inner_cone_angle > 0)
            facet_tally_hit(&lost->cones, node);
    }
    if (from->range > 0)
        facet_tally_hit(&lost->ranges, node);
    note_name(lost, from->name, w, node);
}

static void report(const facet_assimp_writer *w, const losses *lost)
{
    static const char *const texts[] = {
        "the orthographic camera of node %" PRIu64 " is left out: assimp writes perspective ones",
        "the camera of node %" PRIu64 " has no aspect ratio and gets 1",
        "the camera of node %" PRIu64 " sees without an end and gets a far distance of 1000 "
        "meters",
        "the range of the light of node %" PRIu64 " is lost",
        "the inner angle of the spot light of node %" PRIu64 " is lost",
        "a camera or light without a node is left out",
        "node %" PRIu64 " and others lose their cameras and lights: at most 1000 are written"};
    const facet_tally *tallies[] = {&lost->orthographic, &lost->aspects, &lost->ends, &lost->ranges,
                                    &lost->cones,        &lost->unused,  &lost->many};
    for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++)
        facet_report_add_tally(w->report, "LOSS-CAMERA", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                               tallies[i], texts[i], tallies[i]->first);
    facet_report_add_tally(w->report, "LOSS-CAMERA", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &lost->colors,
                           "the light of node %" PRIu64 " is written as the product of its color "
                           "and intensity",
                           lost->colors.first);
    facet_report_add_tally(
        w->report, "LOSS-NAMES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lost->names,
        "the camera or light of node %" PRIu64 " is written with its name", lost->names.first);
}

/* Count the cameras and lights that no node shows. */
static facet_status find_unused(const facet_assimp_writer *w, losses *lost)
{
    const facet_scene *scene = w->scene;
    uint32_t count = scene->camera_count + scene->light_count;
    bool *used = facet_arena_allocate_zeroed(w->scratch, count, sizeof *used);
    if (!used)
        return facet_assimp_no_memory(w->error, count, sizeof *used);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        if (node->camera != FACET_NONE)
            used[node->camera] = true;
        if (node->light != FACET_NONE)
            used[scene->camera_count + node->light] = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!used[i])
            facet_tally_hit(&lost->unused, i);
    }
    return FACET_OK;
}

facet_status facet_assimp_cameras_from_scene(facet_assimp_writer *w)
{
    const facet_scene *scene = w->scene;
    losses lost = {0};
    uint32_t count = scene->camera_count + scene->light_count;
    if (!w->target->has_cameras || count == 0)
        return FACET_OK;
    uint32_t most = scene->node_count < MAX_OPTICS ? scene->node_count : MAX_OPTICS;
    struct aiCamera *cameras = facet_arena_allocate_zeroed(w->scratch, most, sizeof *cameras);
    struct aiLight *lights = facet_arena_allocate_zeroed(w->scratch, most, sizeof *lights);
    w->to.mCameras = facet_arena_allocate(w->scratch, most, sizeof *w->to.mCameras);
    w->to.mLights = facet_arena_allocate(w->scratch, most, sizeof *w->to.mLights);
    if (!cameras || !lights || !w->to.mCameras || !w->to.mLights)
        return facet_assimp_no_memory(w->error, most, sizeof *lights);
    for (uint32_t i = 0; i < most; i++) {
        w->to.mCameras[i] = &cameras[i];
        w->to.mLights[i] = &lights[i];
    }
    TRY(find_unused(w, &lost));
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        if (node->camera == FACET_NONE && node->light == FACET_NONE)
            continue;
        if (w->to.mNumCameras == most || w->to.mNumLights == most) {
            facet_tally_hit(&lost.many, i);
            continue;
        }
        if (node->camera != FACET_NONE)
            put_camera(w, i, &lost);
        if (node->light != FACET_NONE)
            put_light(w, i, &lost);
    }
    report(w, &lost);
    return FACET_OK;
}
