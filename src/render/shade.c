/* render/shade.c - the properties of a physically based material at a sample: colors, textures,
 * directions. light.c computes the color from them. */
#include "base/vec.h"
#include "render/render.h"

#include <math.h>
#include <string.h>

static bool make_unit(float v[3])
{
    float length = sqrtf(facet_dot_f(v, v));
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
    memcpy(normal, at->triangle->front, 3 * sizeof *normal);
    return make_unit(normal);
}

static const float *texcoord_of(const facet_render_instance *instance, uint32_t set,
                                uint32_t vertex)
{
    return instance->texcoords[set] +
           (size_t)(vertex - instance->first_vertex) * instance->texcoord_components[set];
}

/* Texture coordinates of a set at a sample, and their change to the next sample. `most` is the
 * change along the screen axis where it is larger. The squares are those of its length, and of the
 * length of the change along the other axis. */
typedef struct footprint {
    float uv[2], most[2], most_squared, least_squared;
} footprint;

static void texcoord_at(const facet_render_sample_at *at, uint32_t set, footprint *f)
{
    static const float none[2] = {0, 0};
    const facet_render_triangle *t = at->triangle;
    const facet_render_instance *instance = t->draw->instance;
    const float *c[3] = {none, none, none};
    for (int i = 0; i < 3 && instance->texcoords[set]; i++)
        c[i] = texcoord_of(instance, set, t->corners[i]);
    facet_render_mix(at, c[0], c[1], c[2], 2, f->uv);
    f->most_squared = -1;
    for (int axis = 0; axis < 2; axis++) {
        facet_render_sample_at next = *at;
        float moved[2];
        facet_render_shares(t, at->x + (axis == 0), at->y + (axis == 1), next.shares);
        facet_render_mix(&next, c[0], c[1], c[2], 2, moved);
        float u = moved[0] - f->uv[0], v = moved[1] - f->uv[1], length = u * u + v * v;
        if (length > f->most_squared) {
            f->least_squared = f->most_squared;
            f->most_squared = length;
            f->most[0] = u, f->most[1] = v;
        } else {
            f->least_squared = length;
        }
    }
    if (f->least_squared < 0)
        f->least_squared = f->most_squared;
}

/* Texture coordinates that a material has used at a sample. */
typedef struct surface {
    const facet_render_sample_at *at;
    bool known[8];
    footprint prints[8];
} surface;

/* Number of reads of a texture. A surface at an oblique angle covers more texels along one axis.
 * Several reads along it keep the detail along the other axis. */
static int looks_of(const facet_render_map *map, const footprint *f)
{
    enum { MAX_LOOKS = 8 };
    const facet_gx_level *whole = &map->image->levels[0];
    float side = (float)(whole->width > whole->height ? whole->width : whole->height);
    int looks = 1;
    if (!map->mips || !(f->most_squared * side * side > 1))
        return 1;
    while (looks < MAX_LOOKS && (float)(looks * looks) * f->least_squared < f->most_squared * 0.7f)
        looks++;
    return looks;
}

static void look_up(surface *s, const facet_render_map *map, float out[4])
{
    if (!s->known[map->uv_set]) {
        s->known[map->uv_set] = true;
        texcoord_at(s->at, map->uv_set, &s->prints[map->uv_set]);
    }
    const footprint *f = &s->prints[map->uv_set];
    int looks = looks_of(map, f);
    float step_squared = f->most_squared / (float)(looks * looks);
    for (int i = 0; i < looks; i++) {
        float part = ((float)i + 0.5f) / (float)looks - 0.5f, texel[4];
        const float uv[2] = {f->uv[0] + part * f->most[0], f->uv[1] + part * f->most[1]};
        facet_render_sample(map, uv, step_squared, i == 0 ? out : texel);
        for (int c = 0; c < 4 && i > 0; c++) /* compute the mean so that equal texels stay equal */
            out[c] += (texel[c] - out[c]) / (float)(i + 1);
    }
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

static float clamp(float value)
{
    return value > 1 ? 1 : value > 0 ? value : 0;
}

/* -- Normals ------------------------------------------------------------ */

/* Directions along u and v of a map on the surface, from the mesh's tangents, or from the
 * triangle's coordinates with the map's transform. Without an image, those of set 0. */
static bool tangent_frame(const facet_render_sample_at *at, const float normal[3],
                          const facet_render_map *map, float tangent[3], float bitangent[3])
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
        facet_cross_f(normal, tangent, bitangent);
        for (int i = 0; i < 3; i++)
            bitangent[i] *= mixed[3] < 0 ? -1.0f : 1.0f;
        return true;
    }
    uint32_t set = map->image ? map->uv_set : 0;
    if (!instance->texcoords[set])
        return false;
    float e[2][3], uv[2][2];
    const float *first = texcoord_of(instance, set, t->corners[0]);
    for (int k = 0; k < 2; k++) {
        const float *c = texcoord_of(instance, set, t->corners[k + 1]);
        for (int i = 0; i < 3; i++)
            e[k][i] = view->positions[t->corners[k + 1]][i] - view->positions[t->corners[0]][i];
        const float u = c[0] - first[0], v = c[1] - first[1];
        for (int i = 0; i < 2; i++)
            uv[k][i] = map->image ? map->rows[i][0] * u + map->rows[i][1] * v : i ? v : u;
        /* Coordinates in the image go down; those of the mesh may go up. */
        if (map->image && !t->draw->material->v_down)
            uv[k][1] = -uv[k][1];
    }
    float area = uv[0][0] * uv[1][1] - uv[1][0] * uv[0][1], sign = area < 0 ? -1.0f : 1.0f;
    for (int i = 0; i < 3; i++) {
        tangent[i] = sign * (e[0][i] * uv[1][1] - e[1][i] * uv[0][1]);
        bitangent[i] = sign * (e[1][i] * uv[0][0] - e[0][i] * uv[1][0]);
    }
    return make_unit(tangent) && make_unit(bitangent);
}

/* Bend the normal by a normal map. */
static void bend(surface *s, const facet_render_map *map, float scale, float normal[3])
{
    const facet_render_material *m = s->at->triangle->draw->material;
    float texel[4], tangent[3], bitangent[3];
    if (!map->image || !tangent_frame(s->at, normal, map, tangent, bitangent))
        return;
    look_up(s, map, texel);
    float x = (texel[0] * 2 - 1) * scale, y = (texel[1] * 2 - 1) * scale;
    float z = texel[2] * 2 - 1;
    y = m->v_down ? -y : y; /* green points up in the image */
    float bent[3];
    for (int i = 0; i < 3; i++)
        bent[i] = tangent[i] * x + bitangent[i] * y + normal[i] * z;
    if (make_unit(bent))
        memcpy(normal, bent, 3 * sizeof *normal);
}

/* Convert a direction from the model's to the camera's axes. */
static void to_camera(const facet_render_view *view, const float v[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = view->camera[k][0] * v[0] + view->camera[k][1] * v[1] + view->camera[k][2] * v[2];
}

/* Bent normal on the visible side, in the camera's axes. */
static void bent_normal(surface *s, const facet_render_map *map, float scale, float out[3])
{
    const facet_render_triangle *t = s->at->triangle;
    float normal[3] = {0, 0, 1};
    facet_render_normal_at(s->at, normal);
    float side = t->is_back ? -facet_dot_f(t->front, normal) : facet_dot_f(t->front, normal);
    bend(s, map, scale, normal);
    for (int k = 0; k < 3 && side < 0; k++)
        normal[k] = -normal[k];
    to_camera(s->at->view, normal, out);
}

/* Set the directions of surface and viewer. The back of a surface is lit like the front, regardless
 * of the normals' direction. */
static void set_directions(surface *s, bool bends, facet_render_points *p)
{
    const facet_render_sample_at *at = s->at;
    const facet_render_view *view = at->view;
    const facet_render_triangle *t = at->triangle;
    const uint32_t *v = t->corners;
    uint32_t i = p->count;
    float raw[3] = {0, 0, 1}, place[3] = {0, 0, -1};
    bool is_whole = t->draw->instance->normals != NULL;
    if (is_whole) {
        facet_render_mix(at, view->normals[v[0]], view->normals[v[1]], view->normals[v[2]], 3, raw);
        is_whole = facet_dot_f(raw, raw) > 1e-38f;
    }
    if (!is_whole)
        facet_render_normal_at(at, raw);
    if (view->is_perspective)
        facet_render_mix(at, view->places[v[0]], view->places[v[1]], view->places[v[2]], 3, place);
    for (int k = 0; k < 3; k++) {
        p->normal[k][i] = raw[k];
        p->side[k][i] = t->is_back ? -t->front[k] : t->front[k];
        p->toward[k][i] = -place[k];
    }
    if (view->lamp_count > 0) {
        facet_render_mix(at, view->places[v[0]], view->places[v[1]], view->places[v[2]], 3, place);
        for (int k = 0; k < 3; k++)
            p->place[k][i] = place[k];
    }
    if (!bends || !t->draw->material->normal.image)
        return;
    /* Bent normals are few: store each index. */
    p->bent[p->bent_count] = i;
    const facet_render_material *m = t->draw->material;
    bent_normal(s, &m->normal, m->normal_scale, p->bent_normal[p->bent_count]);
    p->bent_count++;
}

/* -- Material extensions ------------------------------------------------ */

/* Texel of a map; all ones without a map. */
static void look_up_look(surface *s, const facet_render_coating *coating, facet_map map,
                         float out[4])
{
    const facet_render_map *from = &coating->maps[map - FACET_MAP_SPECULAR_FACTOR];
    out[0] = out[1] = out[2] = out[3] = 1;
    if (from->image)
        look_up(s, from, out);
}

/* Scale of lengths by the instance's transform. */
static float size_of(const facet_render_sample_at *at)
{
    uint32_t node = at->triangle->draw->instance->node;
    const float *m = node == FACET_NONE ? NULL : at->view->pose.global + (size_t)node * 16;
    return m ? sqrtf(facet_dot_f(m, m)) : 1;
}

static void set_volume(surface *s, const facet_render_coating *from, facet_render_look *to)
{
    float texel[4];
    look_up_look(s, from, FACET_MAP_THICKNESS, texel);
    float thickness = from->thickness * texel[1] * size_of(s->at);
    for (int c = 0; c < 3; c++)
        to->tint[c] = facet_render_attenuation(from->attenuation_color[c],
                                               from->attenuation_distance, thickness);
}

/* Set the direction of anisotropy, from the texture and the rotation. */
static void set_grooves(surface *s, const facet_render_coating *from, facet_render_look *to)
{
    const facet_render_map *map = &from->maps[FACET_MAP_ANISOTROPY - FACET_MAP_SPECULAR_FACTOR];
    float texel[4], normal[3], tangent[3], bitangent[3], along[3], across[3];
    facet_render_normal_at(s->at, normal);
    if (!tangent_frame(s->at, normal, map, tangent, bitangent)) {
        to->anisotropy = 0;
        return;
    }
    look_up_look(s, from, FACET_MAP_ANISOTROPY, texel);
    float x = map->image ? texel[0] * 2 - 1 : 1, y = map->image ? texel[1] * 2 - 1 : 0;
    float c = from->rotation[0], sine = from->rotation[1];
    float u = c * x - sine * y, v = sine * x + c * y;
    v = s->at->triangle->draw->material->v_down ? -v : v; /* green points up in the image */
    to->anisotropy *= texel[2];
    for (int k = 0; k < 3; k++)
        along[k] = tangent[k] * u + bitangent[k] * v;
    facet_cross_f(normal, along, across);
    if (!make_unit(across)) {
        to->anisotropy = 0;
        return;
    }
    facet_cross_f(across, normal, along);
    to_camera(s->at->view, along, to->tangent);
    to_camera(s->at->view, across, to->bitangent);
}

static void set_look(surface *s, const facet_render_coating *from, const float emitted[3],
                     facet_render_look *to)
{
    float factor[4], color[4], rough[4];
    *to = from->look;
    memcpy(to->emitted, emitted, sizeof to->emitted);
    look_up_look(s, from, FACET_MAP_SPECULAR_FACTOR, factor);
    look_up_look(s, from, FACET_MAP_SPECULAR_COLOR, color);
    to->specular *= factor[3];
    for (int c = 0; c < 3; c++)
        to->f0[c] *= color[c];
    if (to->clearcoat > 0) {
        look_up_look(s, from, FACET_MAP_CLEARCOAT, factor);
        look_up_look(s, from, FACET_MAP_CLEARCOAT_ROUGHNESS, rough);
        to->clearcoat *= factor[0];
        to->clearcoat_roughness *= rough[1];
        bent_normal(s, &from->maps[FACET_MAP_CLEARCOAT_NORMAL - FACET_MAP_SPECULAR_FACTOR],
                    from->clearcoat_normal_scale, to->clearcoat_normal);
    }
    if (to->sheen[0] > 0 || to->sheen[1] > 0 || to->sheen[2] > 0) {
        look_up_look(s, from, FACET_MAP_SHEEN_COLOR, color);
        look_up_look(s, from, FACET_MAP_SHEEN_ROUGHNESS, rough);
        for (int c = 0; c < 3; c++)
            to->sheen[c] *= color[c];
        to->sheen_roughness *= rough[3];
    }
    if (to->transmission > 0) {
        look_up_look(s, from, FACET_MAP_TRANSMISSION, factor);
        to->transmission *= factor[0];
        set_volume(s, from, to);
    }
    if (to->iridescence > 0) {
        bool mapped = from->maps[FACET_MAP_IRIDESCENCE_THICKNESS - FACET_MAP_SPECULAR_FACTOR].image;
        look_up_look(s, from, FACET_MAP_IRIDESCENCE, factor);
        look_up_look(s, from, FACET_MAP_IRIDESCENCE_THICKNESS, rough);
        const float *range = from->film_thickness;
        to->iridescence *= factor[0];
        to->film_thickness = mapped ? range[0] + (range[1] - range[0]) * rough[1] : range[1];
    }
    if (to->anisotropy > 0)
        set_grooves(s, from, to);
    if (to->diffuse_transmission > 0) {
        look_up_look(s, from, FACET_MAP_DIFFUSE_TRANSMISSION, factor);
        look_up_look(s, from, FACET_MAP_DIFFUSE_TRANSMISSION_COLOR, color);
        to->diffuse_transmission *= factor[3];
        for (int c = 0; c < 3; c++)
            to->diffuse_transmission_color[c] *= color[c];
    }
}

/* -- The color ---------------------------------------------------------- */

/* Coverage of a surface: 1, unless the material is blended or cut out before blending. */
static float alpha_of(const facet_render_material *m, float alpha)
{
    if (m->kind != FACET_RENDER_BLENDED)
        return 1;
    if (m->masked)
        return alpha >= m->cutoff ? 1 : 0;
    return m->blended ? clamp(alpha) : 1;
}

bool facet_render_add(const facet_render_sample_at *at, facet_render_points *p, float out[4])
{
    const facet_render_material *m = at->triangle->draw->material;
    surface s = {.at = at};
    float base[4], texel[4], emitted[3];
    base_color(&s, base);
    float alpha = alpha_of(m, base[3]);
    memcpy(emitted, m->emissive, sizeof emitted);
    if (m->emits.image) {
        look_up(&s, &m->emits, texel);
        for (int c = 0; c < 3; c++)
            emitted[c] *= texel[c];
    }
    if (m->unlit) {
        for (int c = 0; c < 3; c++)
            out[c] = clamp(base[c] + emitted[c]) * alpha;
        out[3] = alpha;
        return false;
    }
    uint32_t i = p->count;
    p->metallic[i] = m->metallic;
    p->roughness[i] = m->roughness;
    p->occlusion[i] = 1;
    p->alpha[i] = alpha;
    for (int c = 0; c < 3; c++) {
        p->color[c][i] = base[c];
        p->light[c][i] = emitted[c];
    }
    if (m->metal_rough.image) {
        look_up(&s, &m->metal_rough, texel);
        p->roughness[i] *= texel[1];
        p->metallic[i] *= texel[2];
    }
    if (m->rough.image) {
        look_up(&s, &m->rough, texel);
        p->roughness[i] = texel[0];
    }
    if (m->metal.image) {
        look_up(&s, &m->metal, texel);
        p->metallic[i] = texel[0];
    }
    if (m->occluded.image) {
        look_up(&s, &m->occluded, texel);
        p->occlusion[i] = 1 + m->occlusion * (texel[0] - 1);
    }
    set_directions(&s, true, p);
    if (m->coating) {
        p->look_of[p->look_count] = i;
        set_look(&s, m->coating, emitted, &p->looks[p->look_count]);
        p->look_count++;
    }
    p->count++;
    return true;
}

/* -- Plain triangles ------------------------------------------------------ */

static bool is_plain(const facet_render_view *view, const facet_render_triangle *t)
{
    const facet_render_material *m = t->draw->material;
    const facet_render_instance *instance = t->draw->instance;
    return !m->unlit && !m->coating && !m->needs_uv && !instance->colors && instance->normals &&
           view->lamp_count == 0;
}

void facet_render_make_ready(const facet_render_view *view, facet_render_ready *ready)
{
    const facet_render_triangle *t = &ready->triangle;
    facet_render_set_front(view, &ready->triangle);
    ready->is_plain = is_plain(view, t);
    if (!ready->is_plain)
        return;
    ready->alpha = alpha_of(t->draw->material, t->draw->material->base[3]);
    memset(ready->planes, 0, sizeof ready->planes);
    ready->planes[0][5] = -1; /* no perspective */
    for (int k = 0; k < 3; k++) {
        float first = view->normals[t->corners[0]][k], place = view->places[t->corners[0]][k];
        for (int i = 0; i < 3; i++) {
            const uint32_t v = t->corners[i];
            ready->planes[i][k] = view->normals[v][k] - (i > 0 ? first : 0);
            if (view->is_perspective)
                ready->planes[i][3 + k] = view->places[v][k] - (i > 0 ? place : 0);
        }
    }
}

void facet_render_add_plain(const facet_render_ready *ready, const float shares[2],
                            facet_render_points *p)
{
    const facet_render_triangle *t = &ready->triangle;
    const facet_render_material *m = t->draw->material;
    uint32_t i = p->count++;
    float v[FACET_RENDER_PLANES];
    for (int k = 0; k < FACET_RENDER_PLANES; k++)
        v[k] =
            ready->planes[0][k] + shares[0] * ready->planes[1][k] + shares[1] * ready->planes[2][k];
    if (!(facet_dot_f(v, v) > 1e-38f) && !make_unit(v)) {
        memcpy(v, t->front, sizeof t->front);
        make_unit(v);
    }
    for (int k = 0; k < 3; k++) {
        p->normal[k][i] = v[k];
        p->side[k][i] = t->is_back ? -t->front[k] : t->front[k];
        p->toward[k][i] = -v[3 + k];
        p->color[k][i] = m->base[k];
        p->light[k][i] = m->emissive[k];
    }
    p->metallic[i] = m->metallic;
    p->roughness[i] = m->roughness;
    p->occlusion[i] = 1;
    p->alpha[i] = ready->alpha;
}

void facet_render_shade(const facet_render_sample_at *at, float out[4], float tint[3])
{
    facet_render_points p;
    facet_render_no_points(&p, FACET_RENDER_LANES);
    if (facet_render_add(at, &p, out))
        facet_render_light(at->view, &p, (float(*)[4])out, (float(*)[3])tint);
}

void facet_render_shade_plain(const facet_render_sample_at *at, const float color[3], float out[4])
{
    surface s = {.at = at};
    facet_render_points p;
    facet_render_no_points(&p, FACET_RENDER_LANES);
    p.roughness[0] = 0.6f;
    for (int c = 0; c < 3; c++)
        p.color[c][0] = color[c];
    set_directions(&s, false, &p);
    p.count = 1;
    facet_render_light(at->view, &p, (float(*)[4])out, NULL);
}
