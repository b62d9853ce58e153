/* render/scene_camera.c - a camera of the scene: found by name, in its pose. */
#include "render/render.h"

#include "base/error.h"
#include "base/exact.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Finding ------------------------------------------------------------ */

static bool is_called(const facet_scene *scene, const facet_node *node, const char *name)
{
    return strcmp(scene->cameras[node->camera]->name, name) == 0 || strcmp(node->name, name) == 0;
}

/* Find the node of a camera by name, or else by the camera's number. */
static uint32_t find(const facet_scene *scene, const char *name)
{
    char *end = NULL;
    unsigned long number = strtoul(name, &end, 10);
    bool is_number = *name >= '0' && *name <= '9' && !*end;
    uint32_t numbered = FACET_NONE;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        if (node->camera == FACET_NONE)
            continue;
        if (is_called(scene, node, name))
            return i;
        if (is_number && node->camera == number && numbered == FACET_NONE)
            numbered = i;
    }
    return numbered;
}

static facet_status refuse(const facet_render_view *view)
{
    const facet_scene *scene = view->renderer->scene;
    const char *name = view->how.scene_camera;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        if (node->camera == FACET_NONE)
            continue;
        const facet_camera *camera = scene->cameras[node->camera];
        return facet_fail(view->error, FACET_ERROR_ARGUMENT, "RENDER-CAMERA", FACET_NO_OFFSET,
                          "no camera '%s'; number %u of %u is '%s'", name, (unsigned)node->camera,
                          (unsigned)scene->camera_count, *camera->name ? camera->name : node->name);
    }
    return facet_fail(view->error, FACET_ERROR_ARGUMENT, "RENDER-CAMERA", FACET_NO_OFFSET,
                      "no camera '%s': the scene has none", name);
}

/* -- Field of view ------------------------------------------------------ */

/* Angle in degrees, below 90, with this tangent. The result is the same on every machine. */
static double angle_of(double tangent)
{
    double degrees = 45;
    for (int i = 0; i < 16; i++) { /* Newton's method for sine - tangent * cosine = 0 */
        double sine, cosine;
        facet_exact_sine_cosine(degrees, &sine, &cosine);
        degrees -= (sine - tangent * cosine) / (cosine + tangent * sine) * 57.29577951308232;
        degrees = degrees < 0 ? 0 : degrees > 90 ? 90 : degrees;
    }
    return degrees;
}

/* Half of the size that a picture shows, so that it contains the camera's. The camera's own is
 * `half`; 0: any width. */
static double smaller_half(const double half[2], double aspect)
{
    double height = half[1];
    if (half[0] > height * aspect)
        height = half[0] / aspect;
    return aspect < 1 ? height * aspect : height;
}

static void set_lens(const facet_camera *from, double aspect, facet_render_camera *to)
{
    double half[2] = {(double)from->width, (double)from->height};
    if (from->is_orthographic) {
        to->field_of_view = 0;
        to->height = 2 * smaller_half(half, aspect);
        return;
    }
    double degrees = (double)from->field_of_view * 57.29577951308232, sine, cosine;
    facet_exact_sine_cosine(degrees / 2, &sine, &cosine);
    half[1] = cosine > 1e-9 ? sine / cosine : 1e9;
    half[0] = half[1] * (double)from->aspect_ratio;
    double smaller = smaller_half(half, aspect);
    to->field_of_view = smaller == half[1] ? degrees : 2 * angle_of(smaller);
}

/* -- Placing ------------------------------------------------------------ */

/* Convert a column of a matrix to +Y up. */
static void to_y_up(const facet_render_view *view, const float v[3], double out[3])
{
    const float *t = view->renderer->turn;
    for (int k = 0; k < 3; k++)
        out[k] = (double)(t[k] * v[0] + t[4 + k] * v[1] + t[8 + k] * v[2]);
}

facet_status facet_render_find_camera(const facet_render_view *view, const facet_picture *picture,
                                      facet_render_camera *camera)
{
    const facet_scene *scene = view->renderer->scene;
    uint32_t node = find(scene, view->how.scene_camera);
    if (node == FACET_NONE)
        return refuse(view);
    const float *global = view->pose.global + (size_t)node * 16;
    double back[3], toward_center = 0;
    to_y_up(view, global + 12, camera->position);
    to_y_up(view, global + 8, back); /* cameras look along -z */
    to_y_up(view, global + 4, camera->up);
    double length = sqrt(facet_dot(back, back));
    /* The target is at the depth of the model's center, so that a viewer can turn about it. */
    for (int k = 0; k < 3 && picture->any && length > 0; k++)
        toward_center -= back[k] / length *
                         ((picture->minimum[k] + picture->maximum[k]) / 2 - camera->position[k]);
    double distance = toward_center > 0 ? toward_center : 1;
    for (int k = 0; k < 3; k++)
        camera->target[k] = camera->position[k] - (length > 0 ? back[k] / length : 0) * distance;
    set_lens(scene->cameras[scene->nodes[node]->camera], (double)view->width / (double)view->height,
             camera);
    return FACET_OK;
}
