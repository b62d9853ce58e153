/* gx/vertex.c - lighting per light and component, and generation of texture coordinates. */
#include "gx/vertex.h"
#include "base/vec.h"

#include "gx/matrix.h"
#include "gx/texture_matrix.h"

#include <math.h>
#include <string.h>

/* Normalize a vector and return its length. A zero vector is unchanged. */
static float normalize(float v[3])
{
    float length = sqrtf(facet_dot_f(v, v));
    if (length > 0) {
        v[0] /= length;
        v[1] /= length;
        v[2] /= length;
    }
    return length;
}

/* -- Lights ------------------------------------------------------------- */

enum { SPECULAR = 0, SPOT = 1, NO_ATTENUATION = 2 };

static float quadratic(const float k[3], float x, float y)
{
    return k[0] + k[1] * x + k[2] * y;
}

/* The attenuation of a light at the vertex. Set *toward to the direction to the light. */
static float attenuation(const facet_gx_channel *channel, const facet_gx_light *light,
                         const facet_gx_vertex *vertex, float toward[3])
{
    float above, below;
    for (int i = 0; i < 3; i++)
        toward[i] = light->position[i] - vertex->view_position[i];
    float distance = normalize(toward);
    if (channel->attenuation_function == SPOT) {
        float x = facet_dot_f(toward, light->direction);
        x = x > 0 ? x : 0;
        above = quadratic(light->cosine_attenuation, x, x * x);
        below = quadratic(light->distance_attenuation, distance, distance * distance);
    } else if (channel->attenuation_function == SPECULAR) {
        float x = facet_dot_f(vertex->view_normal, toward) >= 0
                      ? facet_dot_f(vertex->view_normal, light->direction)
                      : 0;
        x = x > 0 ? x : 0;
        above = quadratic(light->cosine_attenuation, x, x * x);
        below = quadratic(light->distance_attenuation, x, x * x);
    } else {
        if (distance == 0)
            memcpy(toward, vertex->view_normal, 3 * sizeof *toward);
        return 1;
    }
    above = above > 0 ? above : 0;
    return below != 0 ? above / below : above > 0 ? 1 : 0;
}

/* Add the lights of the mask to the ambient color. Components are 0 to 255. */
static void add_lights(const facet_gx_channel *channel, const facet_gx_light lights[8],
                       const facet_gx_vertex *vertex, int first, int end, int sum[4])
{
    for (unsigned l = 0; l < 8; l++) {
        if (!(channel->light_mask >> l & 1))
            continue;
        const facet_gx_light *light = &lights[l];
        const uint8_t color[4] = {light->color.r, light->color.g, light->color.b, light->color.a};
        float toward[3], factor = attenuation(channel, light, vertex, toward);
        /* Specular lights have no diffuse function: the runtime disables it. */
        unsigned diffuse =
            channel->attenuation_function == SPECULAR ? 0 : channel->diffuse_function;
        if (diffuse) {
            float cosine = facet_dot_f(toward, vertex->view_normal);
            factor *= diffuse == 2 && cosine < 0 ? 0 : cosine;
        }
        for (int c = first; c < end; c++) {
            float v = factor * color[c];
            v = v > 1e6f ? 1e6f : v > -1e6f ? v : -1e6f;
            sum[c] += (int)floorf(v + 0.5f);
        }
    }
}

static void light_channel(const facet_gx_channel *channel, const facet_gx_rgba8 *material,
                          const facet_gx_rgba8 *ambient, const facet_gx_light lights[8],
                          const facet_gx_vertex *vertex, const uint8_t color[4], int first, int end,
                          uint8_t out[4])
{
    const uint8_t m[4] = {material->r, material->g, material->b, material->a};
    const uint8_t a[4] = {ambient->r, ambient->g, ambient->b, ambient->a};
    const uint8_t *base = channel->material_source ? color : m;
    if (!channel->lighting) {
        memcpy(out + first, base + first, (size_t)(end - first));
        return;
    }
    const uint8_t *from = channel->ambient_source ? color : a;
    int sum[4] = {from[0], from[1], from[2], from[3]};
    add_lights(channel, lights, vertex, first, end, sum);
    for (int c = first; c < end; c++) {
        int light = sum[c] < 0 ? 0 : sum[c] > 255 ? 255 : sum[c];
        out[c] = (uint8_t)((base[c] * (light + (light >> 7))) >> 8);
    }
}

void facet_gx_light_vertex(const facet_gx_material *material, const facet_gx_light lights[8],
                           const facet_gx_vertex *vertex, uint8_t rasters[2][4])
{
    memset(rasters, 0, 8);
    for (unsigned i = 0; i < 2 && i < material->channel_count; i++) {
        for (unsigned alpha = 0; alpha < 2; alpha++)
            light_channel(&material->channels[i * 2 + alpha], &material->material_colors[i],
                          &material->ambient_colors[i], lights, vertex, vertex->colors[i],
                          alpha ? 3 : 0, alpha ? 4 : 3, rasters[i]);
    }
}

/* -- Texture coordinates ------------------------------------------------ */

enum { TYPE_3X4 = 0, TYPE_2X4 = 1, FIRST_BUMP = 2, LAST_BUMP = 9, TYPE_COLOR = 10 };
enum { FIRST_TEXTURE_MATRIX = 30, IDENTITY_MATRIX = 60 };
enum {
    FROM_POSITION = 0,
    FROM_NORMAL = 1,
    FROM_BINORMAL = 2,
    FROM_TANGENT = 3,
    FROM_TEXCOORD = 4,
    FROM_MADE = 12,
    FROM_COLOR = 19
};

static void rotation_of(float m[3][4])
{
    m[0][3] = m[1][3] = m[2][3] = 0;
}

/* Multiply in the matrix that a mode uses in addition to its record: the view, the joint, or
 * both. */
static void multiply_places(unsigned mode, const float world[3][4], const float view[3][4],
                            float rows[3][4])
{
    float place[3][4];
    bool turns = mode == 1 || mode == 5 || mode == 6 || mode == 7 || mode == 10 || mode == 11;
    bool views = mode == 1 || mode == 3 || mode == 6 || mode == 7 || mode == 9;
    if (mode == 0 || mode == 4 || mode > 11)
        return;
    if (views) {
        memcpy(place, view, sizeof place);
        facet_gx_multiply(place, world);
    } else {
        memcpy(place, world, sizeof place);
    }
    if (turns)
        rotation_of(place);
    facet_gx_multiply(rows, (const float(*)[4])place);
}

static void record_rows(const facet_gx_texture_matrix *record, const float world[3][4],
                        const float view[3][4], float rows[3][4])
{
    facet_gx_texture_matrix_rows(record, facet_gx_exact_rotation(record->rotation), rows);
    multiply_places(record->mode & 0x3F, world, view, rows);
}

void facet_gx_texture_rows(const facet_gx_material *material, uint8_t matrix,
                           const float world[3][4], const float view[3][4], float rows[3][4])
{
    static const float identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    memcpy(rows, identity, sizeof identity);
    if (matrix >= FIRST_TEXTURE_MATRIX && matrix < IDENTITY_MATRIX)
        record_rows(&material->texture_matrices[(matrix - FIRST_TEXTURE_MATRIX) / 3], world, view,
                    rows);
    if (matrix < FIRST_TEXTURE_MATRIX) { /* the matrix of positions, to the axes of the camera */
        memcpy(rows, view, sizeof identity);
        facet_gx_multiply(rows, world);
    }
}

void facet_gx_texgens_make(const facet_gx_material *material, const float world[3][4],
                           const float view[3][4], facet_gx_texgens *texgens)
{
    static const float identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    memset(texgens, 0, sizeof *texgens);
    texgens->count = material->texgen_count < 8 ? material->texgen_count : 8;
    for (uint32_t i = 0; i < texgens->count; i++) {
        const facet_gx_texgen *from = &material->texgens[i];
        texgens->items[i].type = from->type;
        texgens->items[i].source = from->source;
        memcpy(texgens->items[i].post, identity, sizeof identity);
        facet_gx_texture_rows(material, from->matrix, world, view, texgens->items[i].rows);
    }
}

void facet_gx_texgen_run(const float rows[3][4], bool has_q, const float (*post)[4],
                         bool normalizes, const float in[4], float out[3])
{
    float v[3] = {0, 0, 1};
    for (int row = 0; row < (has_q ? 3 : 2); row++)
        v[row] = rows[row][0] * in[0] + rows[row][1] * in[1] + rows[row][2] * in[2] +
                 rows[row][3] * in[3];
    if (normalizes)
        normalize(v);
    if (post) {
        float p[3];
        for (int row = 0; row < 3; row++)
            p[row] = post[row][0] * v[0] + post[row][1] * v[1] + post[row][2] * v[2] + post[row][3];
        memcpy(v, p, sizeof v);
    }
    if (v[2] == 0) {
        for (int i = 0; i < 2; i++) {
            float half = v[i] / 2;
            v[i] = half < -1 ? -1 : half > 1 ? 1 : half;
        }
    }
    memcpy(out, v, sizeof v);
}

static void source_of(const facet_gx_vertex *vertex, uint8_t source, float in[4])
{
    const float *from = source == FROM_POSITION   ? vertex->position
                        : source == FROM_NORMAL   ? vertex->normal
                        : source == FROM_BINORMAL ? vertex->binormal
                                                  : vertex->tangent;
    in[3] = 1;
    if (source >= FROM_TEXCOORD && source < FROM_TEXCOORD + 8) {
        memcpy(in, vertex->texcoords[source - FROM_TEXCOORD], 2 * sizeof *in);
        in[2] = 1;
        return;
    }
    memcpy(in, from, 3 * sizeof *in);
}

/* Move an earlier coordinate by the direction of a light (bump mapping). */
static void bump(const facet_gx_light *light, const facet_gx_vertex *vertex, const float from[3],
                 float out[3])
{
    float toward[3];
    for (int i = 0; i < 3; i++)
        toward[i] = light->position[i] - vertex->view_position[i];
    normalize(toward);
    out[0] = from[0] + facet_dot_f(toward, vertex->view_tangent);
    out[1] = from[1] + facet_dot_f(toward, vertex->view_binormal);
    out[2] = from[2];
}

void facet_gx_texgens_run(const facet_gx_texgens *texgens, const facet_gx_light lights[8],
                          const facet_gx_vertex *vertex, const uint8_t rasters[2][4],
                          float out[8][3])
{
    for (uint32_t i = 0; i < texgens->count; i++) {
        uint8_t type = texgens->items[i].type, source = texgens->items[i].source;
        float in[4];
        if (type == TYPE_COLOR) {
            const uint8_t *color = rasters[source > FROM_COLOR ? 1 : 0];
            out[i][0] = (float)color[0] / 255;
            out[i][1] = (float)color[1] / 255;
            out[i][2] = 1;
        } else if (type >= FIRST_BUMP && type <= LAST_BUMP) {
            static const float none[3] = {0, 0, 1};
            uint32_t from = (uint32_t)source - FROM_MADE;
            bump(&lights[type - FIRST_BUMP], vertex, from < i ? out[from] : none, out[i]);
        } else {
            source_of(vertex, source, in);
            facet_gx_texgen_run(
                (const float(*)[4])texgens->items[i].rows, type == TYPE_3X4,
                texgens->items[i].has_post ? (const float(*)[4])texgens->items[i].post : NULL,
                texgens->items[i].normalizes, in, out[i]);
        }
    }
}
