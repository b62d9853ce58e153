/* render/light.c - the color of samples: metallic and roughness under one light and an environment,
 * which move with the camera, or under the lights of the scene. Loops over many samples are written
 * for vectorization: each lane computes the same operations. */
#include "render/environment.h"
#include "render/render.h"

#include <math.h>
#include <string.h>

void facet_render_no_points(facet_render_points *p, uint32_t lanes)
{
    p->count = p->bent_count = p->look_count = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        for (int k = 0; k < 3; k++) {
            p->normal[k][i] = p->toward[k][i] = k == 2 ? 1.0f : 0.0f;
            p->side[k][i] = p->color[k][i] = p->light[k][i] = 0;
        }
        p->metallic[i] = 0;
        p->roughness[i] = p->occlusion[i] = p->alpha[i] = 1;
    }
}

/* -- Directions --------------------------------------------------------- */

/* Compute unit directions in the camera's axes, with normals on the viewer's side. */
static void turn(const facet_render_view *view, facet_render_points *p, uint32_t lanes)
{
    float c[3][3];
    for (int k = 0; k < 9; k++)
        c[k / 3][k % 3] = view->camera[k / 3][k % 3];
    for (uint32_t i = 0; i < lanes; i++) {
        float x = p->normal[0][i], y = p->normal[1][i], z = p->normal[2][i];
        float length = sqrtf(x * x + y * y + z * z);
        x /= length, y /= length, z /= length;
        float side = p->side[0][i] * x + p->side[1][i] * y + p->side[2][i] * z;
        float sign = side < 0 ? -1.0f : 1.0f;
        x *= sign, y *= sign, z *= sign;
        p->normal[0][i] = c[0][0] * x + c[0][1] * y + c[0][2] * z;
        p->normal[1][i] = c[1][0] * x + c[1][1] * y + c[1][2] * z;
        p->normal[2][i] = c[2][0] * x + c[2][1] * y + c[2][2] * z;
    }
    for (uint32_t i = 0; i < lanes; i++) {
        float x = p->toward[0][i], y = p->toward[1][i], z = p->toward[2][i];
        float length = sqrtf(x * x + y * y + z * z);
        length = length > 1e-20f ? length : 1;
        p->toward[0][i] = x / length;
        p->toward[1][i] = y / length;
        p->toward[2][i] = z / length;
    }
    for (uint32_t b = 0; b < p->bent_count; b++) {
        for (int k = 0; k < 3; k++)
            p->normal[k][p->bent[b]] = p->bent_normal[b][k];
    }
}

/* -- Light -------------------------------------------------------------- */

static inline float clamp(float value)
{
    value = value > 0 ? value : 0;
    return value < 1 ? value : 1;
}

static inline float fifth_power(float x)
{
    return x * x * x * x * x;
}

/* Add the key light: GGX, Smith's correlated visibility and Schlick's Fresnel, by appendix B of
 * glTF 2.0. */
static void add_key(const facet_render_view *view, facet_render_points *p, uint32_t lanes)
{
    const float lx = view->light[0], ly = view->light[1], lz = view->light[2];
    for (uint32_t i = 0; i < lanes; i++) {
        float nx = p->normal[0][i], ny = p->normal[1][i], nz = p->normal[2][i];
        float tx = p->toward[0][i], ty = p->toward[1][i], tz = p->toward[2][i];
        float hx = lx + tx, hy = ly + ty, hz = lz + tz;
        float length = sqrtf(hx * hx + hy * hy + hz * hz);
        hx /= length, hy /= length, hz /= length;
        float nl = nx * lx + ny * ly + nz * lz, nv = nx * tx + ny * ty + nz * tz;
        float nh = clamp(nx * hx + ny * hy + nz * hz), vh = clamp(tx * hx + ty * hy + tz * hz);
        nv = nv > 1e-3f ? nv : 1e-3f;
        float alpha = p->roughness[i] * p->roughness[i], a2 = alpha * alpha;
        float d = nh * nh * (a2 - 1) + 1;
        float distribution = a2 / (d * d); /* the factor pi is part of the light */
        float visibility =
            0.5f / (nl * sqrtf(nv * nv * (1 - a2) + a2) + nv * sqrtf(nl * nl * (1 - a2) + a2));
        float fresnel = fifth_power(1 - vh);
        bool lit = (nl > 0) & (length > 1e-20f);
        for (int c = 0; c < 3; c++) {
            float color = p->color[c][i], f0 = 0.04f + (color - 0.04f) * p->metallic[i];
            float f = f0 + (1 - f0) * fresnel;
            float diffuse = (1 - f) * color * (1 - p->metallic[i]);
            float more = view->key * nl * (diffuse + f * distribution * visibility);
            p->light[c][i] += lit ? more : 0;
        }
    }
}

/* Add the diffuse and specular light of the studio. */
static void add_ambient(facet_render_points *p, uint32_t lanes)
{
    for (uint32_t i = 0; i < lanes; i++) {
        float nx = p->normal[0][i], ny = p->normal[1][i], nz = p->normal[2][i];
        float tx = p->toward[0][i], ty = p->toward[1][i], tz = p->toward[2][i];
        float along = nx * tx + ny * ty + nz * tz, r = p->roughness[i];
        float nv = along > 1e-3f ? along : 1e-3f;
        float a, b, diffuse = facet_environment_diffuse(nx, ny, nz);
        facet_environment_share(r, nv, &a, &b);
        float specular = facet_environment_reflected(2 * along * nx - tx, 2 * along * ny - ty,
                                                     2 * along * nz - tz, r, nv);
        float occlusion = p->occlusion[i], soft = clamp(occlusion + (1 - occlusion) * 0.3f);
        for (int c = 0; c < 3; c++) {
            float color = p->color[c][i], f0 = 0.04f + (color - 0.04f) * p->metallic[i];
            p->light[c][i] += color * (1 - p->metallic[i]) * diffuse * occlusion;
            p->light[c][i] += (f0 * a + b) * specular * soft;
        }
    }
}

/* Add the light of an environment, which has colors. */
static void add_surroundings(const facet_render_view *view, facet_render_points *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        float n[3], v[3], mirrored[3], diffuse[3], specular[3], along = 0, a, b;
        for (int k = 0; k < 3; k++) {
            n[k] = p->normal[k][i];
            v[k] = p->toward[k][i];
            along += n[k] * v[k];
        }
        for (int k = 0; k < 3; k++)
            mirrored[k] = 2 * along * n[k] - v[k];
        float r = p->roughness[i], nv = along > 1e-3f ? along : 1e-3f;
        facet_environment_share(r, nv, &a, &b);
        facet_render_surroundings_diffuse(view->surroundings, n, diffuse);
        facet_render_surroundings_reflected(view->surroundings, mirrored, r, specular);
        float occlusion = p->occlusion[i], soft = clamp(occlusion + (1 - occlusion) * 0.3f);
        for (int c = 0; c < 3; c++) {
            float color = p->color[c][i], f0 = 0.04f + (color - 0.04f) * p->metallic[i];
            p->light[c][i] += color * (1 - p->metallic[i]) * diffuse[c] * occlusion;
            p->light[c][i] += (f0 * a + b) * specular[c] * soft;
        }
    }
}

static void expose(const facet_render_view *view, facet_render_points *p, uint32_t lanes)
{
    for (int c = 0; c < 3 && view->exposure != 1; c++) {
        for (uint32_t i = 0; i < lanes; i++)
            p->light[c][i] *= view->exposure;
    }
}

/* Apply the Khronos PBR neutral tone curve. It subtracts the reflection that every surface adds (at
 * most 0.04). The rest is unchanged up to 0.76; brighter colors fade to white. */
static void show(facet_render_points *p, uint32_t lanes)
{
    for (uint32_t i = 0; i < lanes; i++) {
        float red = p->light[0][i], green = p->light[1][i], blue = p->light[2][i];
        float least = red < green ? red : green;
        least = least < blue ? least : blue;
        float offset = least < 0.08f ? least - 6.25f * least * least : 0.04f;
        red -= offset, green -= offset, blue -= offset;
        float peak = red > 0 ? red : 0;
        peak = green > peak ? green : peak;
        peak = blue > peak ? blue : peak;
        float new_peak = 1 - 0.0576f / (peak + 1 - 1.52f);
        float g = 1 / (0.15f * (peak - new_peak) + 1);
        float scale = new_peak / peak, white = new_peak * (1 - g);
        bool fades = !(peak < 0.76f);
        p->light[0][i] = fades ? red * scale * g + white : red;
        p->light[1][i] = fades ? green * scale * g + white : green;
        p->light[2][i] = fades ? blue * scale * g + white : blue;
    }
}

/* Replace the light of surfaces that have material extensions. */
static void add_looks(const facet_render_view *view, facet_render_points *p, float (*tints)[3])
{
    for (uint32_t k = 0; k < p->look_count; k++) {
        uint32_t i = p->look_of[k];
        facet_render_look *look = &p->looks[k];
        float n[3], v[3], light[3], passed[3], alpha = p->alpha[i];
        for (int c = 0; c < 3; c++) {
            n[c] = p->normal[c][i];
            v[c] = p->toward[c][i];
            look->color[c] = p->color[c][i];
        }
        look->metallic = p->metallic[i];
        look->roughness = p->roughness[i];
        look->occlusion = p->occlusion[i];
        facet_render_light_look(view, look, n, v, light);
        for (int c = 0; c < 3; c++)
            p->light[c][i] = light[c];
        if (!tints || look->transmission <= 0)
            continue;
        facet_render_pass(look, n, v, passed);
        float most = passed[0] > passed[1] ? passed[0] : passed[1];
        most = most > passed[2] ? most : passed[2];
        most = 1 - alpha + alpha * most;
        for (int c = 0; c < 3 && most > 0; c++)
            tints[i][c] = (1 - alpha + alpha * passed[c]) / most;
        p->passed[i] = most;
    }
}

void facet_render_light(const facet_render_view *view, facet_render_points *p, float (*out)[4],
                        float (*tints)[3])
{
    uint32_t lanes = (p->count + FACET_RENDER_LANES - 1) & ~(FACET_RENDER_LANES - 1u);
    turn(view, p, lanes);
    for (uint32_t i = 0; i < lanes; i++)
        p->roughness[i] = p->roughness[i] > 0.045f ? p->roughness[i] : 0.045f;
    for (uint32_t i = 0; i < p->count; i++) {
        p->passed[i] = 1 - p->alpha[i];
        for (int c = 0; c < 3 && tints; c++)
            tints[i][c] = 1;
    }
    add_key(view, p, lanes);
    if (view->surroundings)
        add_surroundings(view, p);
    else
        add_ambient(p, lanes);
    add_looks(view, p, tints);
    facet_render_add_lamps(view, p);
    expose(view, p, lanes);
    show(p, lanes);
    for (uint32_t i = 0; i < p->count; i++) {
        for (int c = 0; c < 3; c++)
            out[i][c] = p->light[c][i] * p->alpha[i];
        out[i][3] = p->passed[i] == 1 - p->alpha[i] ? p->alpha[i] : 1 - p->passed[i];
    }
    p->count = p->bent_count = p->look_count = 0;
}
