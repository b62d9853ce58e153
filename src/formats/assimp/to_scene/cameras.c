/* formats/assimp/to_scene/cameras.c - cameras and lights. */
#include "base/error.h"
#include "formats/assimp/to_scene/to_scene.h"
#include "scene/transform.h"

#include <math.h>
#include <string.h>

/* Aim a camera or light. In a scene it looks along -z of its node. If assimp's has another
 * direction or position, it gets a child node. */
static facet_status aim(facet_assimp_reader *r, uint32_t place, const char *name,
                        const struct aiVector3D *position, const struct aiVector3D *direction,
                        const struct aiVector3D *up, facet_node **node)
{
    const float at[3] = {position->x, position->y, position->z};
    float z[3] = {-direction->x, -direction->y, -direction->z}, x[3], y[3];
    float tops[3][3] = {{up->x, up->y, up->z}, {0, 1, 0}, {1, 0, 0}};
    *node = r->scene->nodes[place];
    double length = sqrt((double)z[0] * z[0] + (double)z[1] * z[1] + (double)z[2] * z[2]);
    if (!(length > 0) || !isfinite(length) || !isfinite(at[0] + at[1] + at[2]))
        return FACET_OK;
    for (int i = 0; i < 3; i++)
        z[i] = (float)(z[i] / length);
    for (int k = 0; k < 3; k++) { /* find an up direction that is not along z */
        double across = 0;
        for (int i = 0; i < 3; i++) {
            x[i] = tops[k][(i + 1) % 3] * z[(i + 2) % 3] - tops[k][(i + 2) % 3] * z[(i + 1) % 3];
            across += (double)x[i] * x[i];
        }
        if (isfinite(across) && across > 1e-12) {
            for (int i = 0; i < 3; i++)
                x[i] = (float)(x[i] / sqrt(across));
            break;
        }
    }
    for (int i = 0; i < 3; i++)
        y[i] = z[(i + 1) % 3] * x[(i + 2) % 3] - z[(i + 2) % 3] * x[(i + 1) % 3];
    const float matrix[16] = {x[0], x[1], x[2], 0, y[0],  y[1],  y[2],  0,
                              z[0], z[1], z[2], 0, at[0], at[1], at[2], 1};
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float apart = 0;
    for (int i = 0; i < 16; i++)
        apart = fmaxf(apart, fabsf(matrix[i] - identity[i]));
    if (apart < 1e-5F)
        return FACET_OK;
    TRY(facet_scene_add_node(r->scene, name, node, r->error));
    (*node)->parent = place;
    facet_transform_of_matrix(matrix, FACET_MIRROR_LEAST, &(*node)->transform);
    return FACET_OK;
}

static float finite_or(float value, float otherwise)
{
    return isfinite(value) ? value : otherwise;
}

/* True for an orthographic camera of a COLLADA (file/cameras_dae.h). */
static bool is_parallel_of_dae(const facet_assimp_reader *r, const struct aiCamera *from)
{
    return from->mHorizontalFOV < 0 && isfinite(from->mHorizontalFOV) && from->mAspect > 0 &&
           isfinite(from->mAspect) && facet_assimp_is_dae(r->from);
}

static facet_status add_camera(facet_assimp_reader *r, const struct aiCamera *from,
                               const char *name, uint32_t place)
{
    facet_camera *camera = NULL;
    facet_node *node = NULL;
    facet_status status = facet_scene_add_camera(r->scene, name, &camera, r->error);
    if (!status)
        status = aim(r, place, name, &from->mPosition, &from->mLookAt, &from->mUp, &node);
    if (status)
        return status;
    node->camera = r->scene->camera_count - 1;
    float aspect = finite_or(from->mAspect, 0);
    bool is_dae_parallel = is_parallel_of_dae(r, from);
    camera->aspect_ratio = aspect > 0 && !is_dae_parallel ? aspect : 0;
    camera->is_orthographic =
        is_dae_parallel || (from->mOrthographicWidth > 0 && isfinite(from->mOrthographicWidth));
    /* glTF requires 0 < near < far, or no far. */
    if (from->mClipPlaneNear > 0 && isfinite(from->mClipPlaneNear))
        camera->near_distance = from->mClipPlaneNear;
    if (from->mClipPlaneFar > camera->near_distance && isfinite(from->mClipPlaneFar))
        camera->far_distance = from->mClipPlaneFar;
    else if (camera->is_orthographic)
        camera->far_distance = camera->near_distance + 1000;
    if (is_dae_parallel) {
        camera->width = aspect;
        camera->height = (float)(-(double)from->mHorizontalFOV * 57.295779513082321);
    } else if (camera->is_orthographic) {
        camera->width = from->mOrthographicWidth;
        camera->height = camera->width / (aspect > 0 ? aspect : 1);
    } else if (from->mHorizontalFOV > 0 && from->mHorizontalFOV < 3.14F) {
        float across = tanf(from->mHorizontalFOV / 2);
        camera->field_of_view = 2 * atanf(across / (aspect > 0 ? aspect : 1));
    }
    return FACET_OK;
}

/* True for a spot light of a COLLADA without an outer angle. COLLADA's <falloff_angle>, which is
 * assimp's inner angle, is where the light ends. assimp adds acos(0.1^(1 / exponent)) to it: 84 to
 * 90 degrees for exponents up to 1. */
static bool has_derived_cone(const facet_assimp_reader *r, const struct aiLight *from)
{
    float apart = from->mAngleOuterCone - from->mAngleInnerCone;
    return from->mType == aiLightSource_SPOT && apart > 1.4705F && apart < 1.5709F &&
           from->mAngleInnerCone > 0 && from->mAngleInnerCone <= 3.1415927F &&
           facet_assimp_is_dae(r->from);
}

/* Read how a point or spot light fades: in a scene, with the square of the distance. A COLLADA
 * states three factors of the distance; by default a light does not fade. */
static void set_attenuation(const facet_assimp_reader *r, const struct aiLight *from,
                            facet_light *light)
{
    facet_quoted quoted;
    float factor = from->mAttenuationQuadratic;
    if (!facet_assimp_is_dae(r->from) || light->kind == FACET_LIGHT_DIRECTIONAL)
        return;
    if (from->mAttenuationConstant == 0 && from->mAttenuationLinear == 0 && factor > 0 &&
        isfinite(light->intensity / factor))
        light->intensity /= factor;
    else
        facet_report_add(r->report, "LOSS-CAMERA", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the light '%s' fades by %g + %g d + %g d^2 with the distance d, and is "
                         "read as one that fades by d^2",
                         facet_quote(&quoted, light->name, strlen(light->name)),
                         (double)from->mAttenuationConstant, (double)from->mAttenuationLinear,
                         (double)factor);
}

/* Add a light. assimp multiplies colors by the intensity; its cone angles are full angles. */
static facet_status add_light(facet_assimp_reader *r, const struct aiLight *from, const char *name,
                              uint32_t place)
{
    facet_light *light = NULL;
    facet_node *node = NULL;
    facet_status status = facet_scene_add_light(r->scene, name, &light, r->error);
    if (!status)
        status = aim(r, place, name, &from->mPosition, &from->mDirection, &from->mUp, &node);
    if (status)
        return status;
    node->light = r->scene->light_count - 1;
    light->kind = from->mType == aiLightSource_POINT  ? FACET_LIGHT_POINT
                  : from->mType == aiLightSource_SPOT ? FACET_LIGHT_SPOT
                                                      : FACET_LIGHT_DIRECTIONAL;
    const float color[3] = {finite_or(from->mColorDiffuse.r, 1),
                            finite_or(from->mColorDiffuse.g, 1),
                            finite_or(from->mColorDiffuse.b, 1)};
    float most = fmaxf(color[0], fmaxf(color[1], color[2]));
    light->intensity = most > 0 ? most : 0;
    for (int i = 0; i < 3 && most > 0; i++)
        light->color[i] = color[i] > 0 ? color[i] / most : 0;
    set_attenuation(r, from, light);
    if (has_derived_cone(r, from)) {
        light->outer_cone_angle = from->mAngleInnerCone / 2;
        light->inner_cone_angle = 0;
    } else if (light->kind == FACET_LIGHT_SPOT && from->mAngleOuterCone > 0 &&
               from->mAngleOuterCone <= 3.1415927F) {
        light->outer_cone_angle = from->mAngleOuterCone / 2;
        light->inner_cone_angle =
            from->mAngleInnerCone >= 0 && from->mAngleInnerCone < from->mAngleOuterCone
                ? from->mAngleInnerCone / 2
                : 0;
    }
    return FACET_OK;
}

facet_status facet_assimp_cameras_to_scene(facet_assimp_reader *r)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->from->mNumCameras + r->from->mNumLights && !status; i++) {
        const struct aiCamera *camera = i < r->from->mNumCameras ? r->from->mCameras[i] : NULL;
        const struct aiLight *light = camera ? NULL : r->from->mLights[i - r->from->mNumCameras];
        const char *name =
            facet_assimp_text(r->scene->arena, camera ? &camera->mName : &light->mName);
        if (!name)
            return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
        uint32_t place = facet_assimp_names_find(&r->place_names, name);
        facet_quoted quoted;
        if (place == FACET_NONE)
            facet_report_add(r->report, "LOSS-CAMERA", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "the %s '%s' has no node and is dropped", camera ? "camera" : "light",
                             facet_quote(&quoted, name, strlen(name)));
        else
            status = camera ? add_camera(r, camera, r->node_names[place], place)
                            : add_light(r, light, r->node_names[place], place);
    }
    return status;
}
