/* render/shade.c - physically based color of a sample: metallic and roughness under one
 * light and an environment, both of which go with the camera. */
#include "render/render.h"

#include <math.h>
#include <string.h>

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool make_unit(float v[3])
{
    float length = sqrtf(dot(v, v));
    if (!(length > 1e-20f))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

/* -- Values at a sample ------------------------------------------------- */

void facet_render_mix(const facet_render_sample_at *at, const float *a, const float *b,
                      const float *c, uint32_t count, float *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = a[i] + at->shares[0] * (b[i] - a[i]) + at->shares[1] * (c[i] - a[i]);
}

/* Of the model's axes into the camera's. */
static void to_camera(const facet_render_view *view, const float v[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = view->camera[k][0] * v[0] + view->camera[k][1] * v[1] + view->camera[k][2] * v[2];
}

/* Out of the triangle's front, in the model's axes. */
static void face_direction(const facet_render_sample_at *at, float out[3])
{
    const facet_render_view *view = at->view;
    const uint32_t *v = at->triangle->corners;
    float a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = view->positions[v[1]][i] - view->positions[v[0]][i];
        b[i] = view->positions[v[2]][i] - view->positions[v[0]][i];
    }
    cross(a, b, out);
}

bool facet_render_normal_at(const facet_render_sample_at *at, float normal[3])
{
    const facet_render_view *view = at->view;
    const uint32_t *v = at->triangle->corners;
    if (at->triangle->draw->instance->normals) {
        facet_render_mix(at, view->normals[v[0]], view->normals[v[1]], view->normals[v[2]], 3,
                         normal);
        if (make_unit(normal))
            return true;
    }
    face_direction(at, normal);
    return make_unit(normal);
}

static const float *texcoord_of(const facet_render_instance *instance, uint32_t set,
                                uint32_t vertex)
{
    return instance->texcoords[set] +
           (size_t)(vertex - instance->first_vertex) * instance->texcoord_components[set];
}

/* Texture coordinates of a set here, and how far a step of one sample moves them. */
static void texcoord_at(const facet_render_sample_at *at, uint32_t set, float uv[2],
                        float *step_squared)
{
    static const float none[2] = {0, 0};
    const facet_render_triangle *t = at->triangle;
    const facet_render_instance *instance = t->draw->instance;
    const float *c[3] = {none, none, none};
    for (int i = 0; i < 3 && instance->texcoords[set]; i++)
        c[i] = texcoord_of(instance, set, t->corners[i]);
    facet_render_mix(at, c[0], c[1], c[2], 2, uv);
    float most = 0;
    for (int axis = 0; axis < 2; axis++) {
        facet_render_sample_at next = *at;
        float moved[2];
        facet_render_shares(t, at->x + (axis == 0), at->y + (axis == 1), next.shares);
        facet_render_mix(&next, c[0], c[1], c[2], 2, moved);
        float u = moved[0] - uv[0], v = moved[1] - uv[1], length = u * u + v * v;
        most = length > most ? length : most;
    }
    *step_squared = most;
}

/* Coordinates of the sets that a material has looked at. */
typedef struct surface {
    const facet_render_sample_at *at;
    bool known[8];
    float uv[8][2], step[8];
} surface;

static void look_up(surface *s, const facet_render_map *map, float out[4])
{
    if (!s->known[map->uv_set]) {
        s->known[map->uv_set] = true;
        texcoord_at(s->at, map->uv_set, s->uv[map->uv_set], &s->step[map->uv_set]);
    }
    facet_render_sample(map, s->uv[map->uv_set], s->step[map->uv_set], out);
}

/* -- Base color --------------------------------------------------------- */

static void base_color(surface *s, float out[4])
{
    const facet_render_triangle *t = s->at->triangle;
    const facet_render_material *m = t->draw->material;
    const facet_render_instance *instance = t->draw->instance;
    memcpy(out, m->base, 4 * sizeof *out);
    if (m->color.image) {
        float texel[4];
        look_up(s, &m->color, texel);
        for (int c = 0; c < 4; c++)
            out[c] *= texel[c];
    }
    if (m->opacity.image) {
        float texel[4];
        look_up(s, &m->opacity, texel);
        out[3] *= m->opacity.image->has_alpha ? texel[3] : texel[0];
    }
    if (instance->colors) {
        const facet_stream *stream = instance->colors;
        const float *values[3];
        float color[4] = {1, 1, 1, 1};
        for (int i = 0; i < 3; i++)
            values[i] = (const float *)stream->data +
                        (size_t)(t->corners[i] - instance->first_vertex) * stream->components;
        facet_render_mix(s->at, values[0], values[1], values[2],
                         stream->components < 4 ? stream->components : 4, color);
        for (int c = 0; c < 4; c++)
            out[c] *= color[c];
    }
}

float facet_render_alpha(const facet_render_sample_at *at)
{
    surface s = {.at = at};
    float color[4];
    base_color(&s, color);
    return color[3];
}

/* -- Light -------------------------------------------------------------- */

/* Light from all around in nine numbers, as a polynomial of the direction: as of
 * bright walls, brighter above and in front. Bands 1 and 2 are dimmed for rough
 * reflections. */
static float ambient(const float n[3], float band1, float band2)
{
    float x = n[0], y = n[1], z = n[2];
    float first = 0.3261f * y + 0.3322f * z + 0.0465f * x;
    float second = 0.0387f * x * y + 0.2803f * y * z + 0.0303f * (3 * z * z - 1) - 0.0412f * x * z -
                   0.1056f * (x * x - y * y);
    float sum = 1 + band1 * first + band2 * second;
    return 0.45f * (sum > 0 ? sum : 0);
}

static float clamp(float value)
{
    return value > 1 ? 1 : value > 0 ? value : 0;
}

/* 2 to the power of x, at most 0, to a few millionths. */
static float power_of_two(float x)
{
    if (x < -100)
        return 0;
    int n = (int)(x - 0.5f);
    float t = x - (float)n;
    uint32_t bits = (uint32_t)(n + 127) << 23;
    float whole;
    memcpy(&whole, &bits, sizeof whole);
    return whole *
           (1 + t * (0.69314718f +
                     t * (0.24022651f + t * (0.05550411f + t * (0.00961813f + t * 0.00133336f)))));
}

static float fifth_power(float x)
{
    return x * x * x * x * x;
}

typedef struct point {
    float color[3], f0[3], metallic, roughness, occlusion;
    float normal[3], toward[3]; /* in the camera's axes; toward the viewer */
} point;

/* The key light: GGX, the correlated visibility of Smith, Schlick's Fresnel, as appendix B
 * of glTF 2.0 has them. */
static void add_key(const facet_render_view *view, const point *p, float out[3])
{
    float half[3];
    for (int i = 0; i < 3; i++)
        half[i] = view->light[i] + p->toward[i];
    float nl = dot(p->normal, view->light);
    if (nl <= 0 || !make_unit(half))
        return;
    float nv = dot(p->normal, p->toward), nh = clamp(dot(p->normal, half));
    float vh = clamp(dot(p->toward, half));
    nv = nv > 1e-3f ? nv : 1e-3f;
    float alpha = p->roughness * p->roughness, a2 = alpha * alpha;
    float d = nh * nh * (a2 - 1) + 1;
    float distribution = a2 / (d * d); /* pi goes into the light */
    float visibility =
        0.5f / (nl * sqrtf(nv * nv * (1 - a2) + a2) + nv * sqrtf(nl * nl * (1 - a2) + a2));
    float fresnel = fifth_power(1 - vh);
    for (int c = 0; c < 3; c++) {
        float f = p->f0[c] + (1 - p->f0[c]) * fresnel;
        float diffuse = (1 - f) * p->color[c] * (1 - p->metallic);
        out[c] += 0.6f * nl * (diffuse + f * distribution * visibility);
    }
}

/* The environment: diffuse, and specular by a fit of its sum over directions (Karis). */
static void add_ambient(const point *p, float out[3])
{
    float nv = dot(p->normal, p->toward), r = p->roughness;
    nv = nv > 1e-3f ? nv : 1e-3f;
    float rx = 1 - r, ry = 0.0425f - 0.0275f * r, rz = 1.04f - 0.572f * r, rw = 0.022f * r - 0.04f;
    float square = rx * rx, exponent = power_of_two(-9.28f * nv);
    float t = (square < exponent ? square : exponent) * rx + ry;
    float a = -1.04f * t + rz, b = 1.04f * t + rw;
    float reflected[3];
    for (int i = 0; i < 3; i++)
        reflected[i] = 2 * dot(p->normal, p->toward) * p->normal[i] - p->toward[i];
    float alpha = r * r;
    float band1 = power_of_two(-2.8854f * alpha * alpha * nv);
    float band2 = power_of_two(-8.6562f * alpha * alpha * nv);
    float diffuse = ambient(p->normal, 1, 1), specular = ambient(reflected, band1 * 1.5f, band2);
    float soft = clamp(p->occlusion + (1 - p->occlusion) * 0.3f);
    for (int c = 0; c < 3; c++) {
        out[c] += p->color[c] * (1 - p->metallic) * diffuse * p->occlusion;
        out[c] += (p->f0[c] * a + b) * specular * soft;
    }
}

/* Khronos' neutral curve: colors below 0.8 stay as they are, brighter ones fade to white. */
static void show(float color[3])
{
    float x = color[0] < color[1] ? color[0] : color[1];
    x = x < color[2] ? x : color[2];
    float offset = x < 0.08f ? x - 6.25f * x * x : 0.04f;
    float peak = 0;
    for (int c = 0; c < 3; c++) {
        color[c] -= offset;
        peak = color[c] > peak ? color[c] : peak;
    }
    if (peak < 0.76f)
        return;
    float new_peak = 1 - 0.0576f / (peak + 1 - 1.52f);
    float g = 1 / (0.15f * (peak - new_peak) + 1);
    for (int c = 0; c < 3; c++)
        color[c] = color[c] * (new_peak / peak) * g + new_peak * (1 - g);
}

/* -- Normals ------------------------------------------------------------ */

/* Along u and v on the surface: the mesh's tangents, else of the triangle's coordinates. */
static bool tangent_frame(const facet_render_sample_at *at, const float normal[3], uint32_t set,
                          float tangent[3], float bitangent[3])
{
    const facet_render_triangle *t = at->triangle;
    const facet_render_instance *instance = t->draw->instance;
    const facet_render_view *view = at->view;
    if (instance->tangents) {
        float mixed[4];
        facet_render_mix(at, view->tangents[t->corners[0]], view->tangents[t->corners[1]],
                         view->tangents[t->corners[2]], 4, mixed);
        memcpy(tangent, mixed, 3 * sizeof *tangent);
        if (!make_unit(tangent))
            return false;
        cross(normal, tangent, bitangent);
        for (int i = 0; i < 3; i++)
            bitangent[i] *= mixed[3] < 0 ? -1.0f : 1.0f;
        return true;
    }
    if (!instance->texcoords[set])
        return false;
    float e[2][3], uv[2][2];
    const float *first = texcoord_of(instance, set, t->corners[0]);
    for (int k = 0; k < 2; k++) {
        const float *c = texcoord_of(instance, set, t->corners[k + 1]);
        for (int i = 0; i < 3; i++)
            e[k][i] = view->positions[t->corners[k + 1]][i] - view->positions[t->corners[0]][i];
        uv[k][0] = c[0] - first[0];
        uv[k][1] = c[1] - first[1];
    }
    float area = uv[0][0] * uv[1][1] - uv[1][0] * uv[0][1], sign = area < 0 ? -1.0f : 1.0f;
    for (int i = 0; i < 3; i++) {
        tangent[i] = sign * (e[0][i] * uv[1][1] - e[1][i] * uv[0][1]);
        bitangent[i] = sign * (e[1][i] * uv[0][0] - e[0][i] * uv[1][0]);
    }
    return make_unit(tangent) && make_unit(bitangent);
}

static void bend(surface *s, float normal[3])
{
    const facet_render_material *m = s->at->triangle->draw->material;
    float texel[4], tangent[3], bitangent[3];
    if (!m->normal.image || !tangent_frame(s->at, normal, m->normal.uv_set, tangent, bitangent))
        return;
    look_up(s, &m->normal, texel);
    float x = (texel[0] * 2 - 1) * m->normal_scale, y = (texel[1] * 2 - 1) * m->normal_scale;
    float z = texel[2] * 2 - 1;
    y = m->v_down ? -y : y; /* green is up in the image */
    float bent[3];
    for (int i = 0; i < 3; i++)
        bent[i] = tangent[i] * x + bitangent[i] * y + normal[i] * z;
    if (make_unit(bent))
        memcpy(normal, bent, 3 * sizeof *normal);
}

/* In the camera's axes, toward the viewer's side. */
static void set_directions(surface *s, bool bends, point *p)
{
    const facet_render_sample_at *at = s->at;
    const facet_render_view *view = at->view;
    const uint32_t *v = at->triangle->corners;
    float normal[3] = {0, 0, 1};
    facet_render_normal_at(at, normal);
    /* What is seen of a back is lit like a front, whichever way normals point. */
    float side[3];
    face_direction(at, side);
    float toward = at->triangle->is_back ? -dot(side, normal) : dot(side, normal);
    if (bends)
        bend(s, normal);
    for (int i = 0; i < 3 && toward < 0; i++)
        normal[i] = -normal[i];
    to_camera(view, normal, p->normal);
    p->toward[0] = p->toward[1] = 0, p->toward[2] = 1;
    if (view->is_perspective) {
        facet_render_mix(at, view->places[v[0]], view->places[v[1]], view->places[v[2]], 3,
                         p->toward);
        for (int i = 0; i < 3; i++)
            p->toward[i] = -p->toward[i];
        make_unit(p->toward);
    }
}

/* -- The color ---------------------------------------------------------- */

static void shade(surface *s, point *p, const float emitted[3], float alpha, float out[4])
{
    float light[3];
    memcpy(light, emitted, sizeof light);
    p->roughness = p->roughness > 0.045f ? p->roughness : 0.045f;
    for (int c = 0; c < 3; c++)
        p->f0[c] = 0.04f + (p->color[c] - 0.04f) * p->metallic;
    add_key(s->at->view, p, light);
    add_ambient(p, light);
    show(light);
    for (int c = 0; c < 3; c++)
        out[c] = light[c] * alpha;
    out[3] = alpha;
}

void facet_render_shade(const facet_render_sample_at *at, float out[4])
{
    const facet_render_material *m = at->triangle->draw->material;
    surface s = {.at = at};
    float base[4], texel[4], emitted[3];
    base_color(&s, base);
    float alpha = m->kind == FACET_RENDER_BLENDED ? clamp(base[3]) : 1;
    memcpy(emitted, m->emissive, sizeof emitted);
    if (m->emits.image) {
        look_up(&s, &m->emits, texel);
        for (int c = 0; c < 3; c++)
            emitted[c] *= texel[c];
    }
    if (m->unlit) {
        for (int c = 0; c < 3; c++)
            out[c] = clamp(base[c]) * alpha;
        out[3] = alpha;
        return;
    }
    point p = {.metallic = m->metallic, .roughness = m->roughness, .occlusion = 1};
    memcpy(p.color, base, sizeof p.color);
    if (m->metal_rough.image) {
        look_up(&s, &m->metal_rough, texel);
        p.roughness *= texel[1];
        p.metallic *= texel[2];
    }
    if (m->rough.image) {
        look_up(&s, &m->rough, texel);
        p.roughness = texel[0];
    }
    if (m->metal.image) {
        look_up(&s, &m->metal, texel);
        p.metallic = texel[0];
    }
    if (m->occluded.image) {
        look_up(&s, &m->occluded, texel);
        p.occlusion = 1 + m->occlusion * (texel[0] - 1);
    }
    set_directions(&s, true, &p);
    shade(&s, &p, emitted, alpha, out);
}

void facet_render_shade_plain(const facet_render_sample_at *at, const float color[3], float out[4])
{
    static const float dark[3] = {0, 0, 0};
    surface s = {.at = at};
    point p = {.roughness = 0.6f, .occlusion = 1};
    memcpy(p.color, color, sizeof p.color);
    set_directions(&s, false, &p);
    shade(&s, &p, dark, 1, out);
}
