/* render/lamps.c - the lights of the scene: directional, point and spot lights by
 * KHR_lights_punctual. They cast no shadows. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/report.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

static const float PI = 3.14159265358979f;

/* -- Placing ------------------------------------------------------------ */

/* Convert a vector of the scene to the camera's axes; a point if `w` is 1. */
static void to_camera(const facet_render_view *view, const float v[3], float w, float out[3])
{
    float up[3];
    for (int k = 0; k < 3; k++)
        up[k] = view->renderer->turn[k] * v[0] + view->renderer->turn[4 + k] * v[1] +
                view->renderer->turn[8 + k] * v[2] - w * view->origin[k];
    for (int k = 0; k < 3; k++)
        out[k] = facet_dot_f(view->camera[k], up) + w * view->camera[k][3];
}

static double cosine_of(float radians)
{
    double sine, cosine;
    facet_exact_sine_cosine((double)radians * 57.29577951308232, &sine, &cosine);
    return cosine;
}

/* Set a lamp at the transform of its node. False for a node that is scaled to nothing. */
static bool place(const facet_render_view *view, const facet_light *light, const float global[16],
                  facet_render_lamp *to)
{
    to->kind = light->kind;
    to_camera(view, global + 12, 1, to->place);
    to_camera(view, global + 8, 0, to->toward); /* lights shine along -z */
    float length = sqrtf(facet_dot_f(to->toward, to->toward));
    if (light->kind != FACET_LIGHT_POINT && !(length > 1e-20f))
        return false;
    for (int i = 0; i < 3; i++) {
        to->toward[i] = length > 1e-20f ? to->toward[i] / length : 0;
        to->strength[i] = light->color[i] * light->intensity / PI;
    }
    double unit = view->renderer->scene->axes.unit;
    to->unit = unit > 0 ? (float)unit : 1;
    to->range = light->range > 0 ? light->range : 0;
    double outer = cosine_of(light->outer_cone_angle);
    double across = cosine_of(light->inner_cone_angle) - outer;
    to->cone_scale = (float)(1 / (across > 0.001 ? across : 0.001));
    to->cone_offset = (float)-outer * to->cone_scale;
    return true;
}

static bool shines(const facet_render_view *view, uint32_t node)
{
    return view->renderer->scene->nodes[node]->light != FACET_NONE && view->pose.seen[node];
}

facet_status facet_render_place_lamps(facet_render_view *view)
{
    const facet_scene *scene = view->renderer->scene;
    if (!view->how.scene_lights)
        return FACET_OK;
    view->lamps = facet_arena_allocate_zeroed(view->arena, FACET_RENDER_LAMPS, sizeof *view->lamps);
    if (!view->lamps)
        return facet_fail_arena(view->arena, view->error);
    for (uint32_t i = 0; i < scene->node_count && view->lamp_count < FACET_RENDER_LAMPS; i++) {
        if (shines(view, i) &&
            place(view, scene->lights[scene->nodes[i]->light], view->pose.global + (size_t)i * 16,
                  &view->lamps[view->lamp_count]))
            view->lamp_count++;
    }
    if (view->lamp_count > 0 && !view->how.light)
        view->key = 0;
    return FACET_OK;
}

void facet_render_report_lamps(const facet_render_view *view)
{
    facet_report *report = view->options ? view->options->report : NULL;
    const facet_scene *scene = view->renderer->scene;
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        count += shines(view, i);
    if (!view->how.scene_lights)
        return;
    if (count == 0)
        facet_report_add(report, "RENDER-LIGHTS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the scene has no visible light; the built-in light is drawn");
    else if (count > FACET_RENDER_LAMPS)
        facet_report_add(report, "RENDER-LIGHTS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "only the first %d of %u lights are drawn", FACET_RENDER_LAMPS,
                         (unsigned)count);
}

/* -- Lighting ----------------------------------------------------------- */

static float clamp(float value)
{
    value = value > 0 ? value : 0;
    return value < 1 ? value : 1;
}

/* Light beyond any exposure is still finite. */
static float bounded(float light)
{
    return light < 1e20f ? light : 1e20f;
}

/* Find the direction to a lamp and the share of its strength that arrives at a place. */
static float share_at(const facet_render_lamp *lamp, const float at[3], float toward[3])
{
    memcpy(toward, lamp->toward, 3 * sizeof *toward);
    if (lamp->kind == FACET_LIGHT_DIRECTIONAL)
        return 1;
    for (int i = 0; i < 3; i++)
        toward[i] = lamp->place[i] - at[i];
    float distance = sqrtf(facet_dot_f(toward, toward));
    if (!(distance > 1e-20f))
        return 0;
    for (int i = 0; i < 3; i++)
        toward[i] /= distance;
    float meters = distance * lamp->unit, share = 1 / (meters * meters);
    if (lamp->range > 0) {
        float part = distance / lamp->range;
        part *= part;
        share *= clamp(1 - part * part);
    }
    if (lamp->kind == FACET_LIGHT_SPOT) {
        float cone =
            clamp(facet_dot_f(lamp->toward, toward) * lamp->cone_scale + lamp->cone_offset);
        share *= cone * cone;
    }
    return share;
}

/* The look of a point without material extensions. */
static void set_plain(const facet_render_points *p, uint32_t i, facet_render_look *look)
{
    *look = (facet_render_look){
        .metallic = p->metallic[i], .roughness = p->roughness[i], .specular = 1};
    for (int c = 0; c < 3; c++) {
        look->color[c] = p->color[c][i];
        look->f0[c] = 0.04f;
    }
}

void facet_render_add_lamps(const facet_render_view *view, facet_render_points *p)
{
    facet_render_look plain;
    uint32_t next = 0;
    for (uint32_t i = 0; i < p->count && view->lamp_count > 0; i++) {
        const facet_render_look *look = &plain;
        float n[3], v[3], at[3], toward[3], out[3];
        if (next < p->look_count && p->look_of[next] == i)
            look = &p->looks[next++];
        else
            set_plain(p, i, &plain);
        for (int k = 0; k < 3; k++) {
            n[k] = p->normal[k][i];
            v[k] = p->toward[k][i];
            at[k] = p->place[k][i];
        }
        for (uint32_t l = 0; l < view->lamp_count; l++) {
            const facet_render_lamp *lamp = &view->lamps[l];
            float share = share_at(lamp, at, toward);
            if (!(share > 0))
                continue;
            facet_render_reflect(look, n, v, toward, out);
            for (int c = 0; c < 3; c++)
                p->light[c][i] += bounded(out[c] * lamp->strength[c] * share);
        }
    }
}
