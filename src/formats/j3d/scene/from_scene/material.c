/* formats/j3d/scene/from_scene/material.c - a scene's material to stages of the texture
 * environment. */
#include "formats/j3d/scene/from_scene/material.h"

#include "base/color.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "scene/axes.h"
#include "scene/material.h"

#include <math.h>
#include <string.h>

enum { MODE_OPAQUE = 1, MODE_TRANSLUCENT = 4, CULL_NONE = 0, CULL_BACK = 2 };

static uint8_t alpha_byte(float alpha)
{
    return alpha >= 1 ? 255 : alpha > 0 ? (uint8_t)lrintf(alpha * 255) : 0;
}

/* -- State of every material -------------------------------------------- */

static void set_frame(facet_j3d_material *m)
{
    m->given.cull_mode = m->given.channel_count = m->given.texgen_count = true;
    m->given.stage_count = m->given.early_depth = m->given.depth = m->given.dither = true;
    m->given.fog = m->given.alpha_compare = m->given.blend = m->given.nbt_scale = true;
    m->given.indirect = true;
    m->given.material_colors = m->given.ambient_colors = 3;
    m->given.channels = m->given.konst_colors = m->given.tev_registers = m->given.swap_tables = 15;
    m->gx.channel_count = 1;
    memset(&m->gx.fog, 0, sizeof m->gx.fog);
    memset(&m->gx.fog.color, 0xFF, sizeof m->gx.fog.color);
}

static void set_alpha(facet_j3d_material *m, facet_alpha_mode mode, float cutoff)
{
    static const facet_gx_blend covers = {0, 1, 0, 3}, blends = {1, 4, 5, 3};
    bool masks = mode == FACET_ALPHA_MASK, is_blended = mode == FACET_ALPHA_BLEND;
    m->mode = is_blended ? MODE_TRANSLUCENT : MODE_OPAQUE;
    m->gx.blend = is_blended ? blends : covers;
    m->gx.depth.write = !is_blended;
    /* Depth must not be written where the alpha test fails. */
    m->gx.early_depth = !masks;
    m->gx.alpha_compare = (facet_gx_alpha_compare){7, 0, 1, 7, 0, {0xFF, 0xFF, 0xFF}};
    if (masks)
        m->gx.alpha_compare =
            (facet_gx_alpha_compare){6, alpha_byte(cutoff), 0, 3, 255, {0xFF, 0xFF, 0xFF}};
    if (masks && cutoff > 1) /* no alpha passes */
        m->gx.alpha_compare = (facet_gx_alpha_compare){0, 0, 0, 0, 0, {0xFF, 0xFF, 0xFF}};
}

/* Set the channels: color from vertices or the register, with all lights or none. */
static void set_channels(facet_j3d_material *m, const facet_j3d_material_source *from, bool lit)
{
    static const facet_gx_channel unused = {0, 0, 0, 0, 2, 0, {0xFF, 0xFF}};
    m->gx.channels[0] =
        (facet_gx_channel){lit, from->has_color, lit ? 0xFF : 0, 2, 1, 0, {255, 255}};
    m->gx.channels[1] = (facet_gx_channel){0, from->has_alpha, 0, 2, 1, 0, {255, 255}};
    m->gx.channels[2] = m->gx.channels[3] = unused;
}

/* -- Stages ------------------------------------------------------------- */

enum { TEXC = 8, RASC = 10, KONST_COLOR = 14, ZERO_COLOR = 15, PREV = 0 };
enum { TEXA = 4, RASA = 5, KONST_ALPHA = 6, ZERO_ALPHA = 7 };

/* Add a stage that multiplies color by color2, and alpha by alpha2. If the second is ZERO_COLOR and
 * ZERO_ALPHA, the result is the first. */
static void add_stage(facet_j3d_material *m, uint8_t texcoord, uint8_t texmap, uint8_t channel,
                      uint8_t color, uint8_t color2, uint8_t alpha, uint8_t alpha2)
{
    unsigned i = m->gx.stage_count;
    facet_gx_tev_stage *s = &m->gx.tev_stages[i];
    bool one_color = color2 == ZERO_COLOR, one_alpha = alpha2 == ZERO_ALPHA;
    const uint8_t c[4] = {ZERO_COLOR, one_color ? ZERO_COLOR : color,
                          one_color ? ZERO_COLOR : color2, one_color ? color : ZERO_COLOR};
    const uint8_t a[4] = {ZERO_ALPHA, one_alpha ? ZERO_ALPHA : alpha,
                          one_alpha ? ZERO_ALPHA : alpha2, one_alpha ? alpha : ZERO_ALPHA};
    memcpy(s->color.inputs, c, sizeof c);
    memcpy(s->alpha.inputs, a, sizeof a);
    m->gx.tev_orders[i] = (facet_gx_tev_order){texcoord, texmap, channel, 0xFF};
    uint16_t bit = (uint16_t)(1u << i);
    m->given.tev_orders |= bit;
    m->given.tev_stages |= bit;
    m->given.swap_modes |= bit;
    m->gx.stage_count = (uint8_t)(i + 1);
}

/* Add stages for texture times raster color. The raster color is the register with the factor, or
 * the vertex colors. In the second case, another stage multiplies by the factor. */
static void set_stages(facet_j3d_material *m, const facet_j3d_material_source *from,
                       const float color[4])
{
    bool textured = from->texture != FACET_J3D_NONE;
    facet_gx_rgba8 factor = {facet_srgb_byte((double)color[0]), facet_srgb_byte((double)color[1]),
                             facet_srgb_byte((double)color[2]), alpha_byte(color[3])};
    facet_gx_rgba8 white = {255, 255, 255, 255}, rest = white;
    m->gx.material_colors[0] = factor;
    m->gx.material_colors[1] = white;
    if (from->has_color)
        rest.r = factor.r, rest.g = factor.g, rest.b = factor.b;
    if (from->has_alpha)
        rest.a = factor.a;
    m->gx.stage_count = 0;
    if (textured)
        add_stage(m, 0, 0, 4, TEXC, RASC, TEXA, RASA);
    else
        add_stage(m, 0xFF, 0xFF, 4, RASC, ZERO_COLOR, RASA, ZERO_ALPHA);
    if (memcmp(&rest, &white, sizeof rest) != 0) {
        m->gx.konst_colors[0] = rest;
        /* Selections are K0 for color and alpha by default. */
        add_stage(m, 0xFF, 0xFF, 0xFF, PREV, KONST_COLOR, PREV, KONST_ALPHA);
    }
}

/* -- Texture coordinates ------------------------------------------------ */

void facet_j3d_texture_rows(const facet_texture *t, bool flipped, float rows[2][3])
{
    float c = (float)cos((double)t->rotation), s = (float)sin((double)t->rotation);
    float m[2][3] = {{c * t->scale[0], s * t->scale[1], t->offset[0]},
                     {-s * t->scale[0], c * t->scale[1], t->offset[1]}};
    if (flipped) { /* v = 1 - v before and after */
        m[0][2] += m[0][1];
        m[0][1] = -m[0][1];
        m[1][2] = 1 - m[1][1] - m[1][2];
        m[1][0] = -m[1][0];
    }
    memcpy(rows, m, sizeof m);
}

static void set_coordinates(facet_j3d_material *m, const facet_j3d_material_source *from,
                            const facet_texture *texture)
{
    enum { IDENTITY = 60, FIRST_MATRIX = 30, EFFECT = 4 };
    float rows[2][3];
    m->gx.texgen_count = 1;
    m->given.texgens = m->given.textures = 1;
    m->given.texture_matrices = 1;
    m->gx.textures[0] = from->texture;
    m->gx.texgens[0] = (facet_gx_texgen){1, (uint8_t)(4 + from->texcoord), IDENTITY, 0xFF};
    if (!texture->has_transform)
        return;
    facet_gx_texture_matrix *matrix = &m->gx.texture_matrices[0];
    m->gx.texgens[0].matrix = FIRST_MATRIX;
    facet_j3d_texture_rows(texture, facet_axes_flips_v(&from->scene->axes, true), rows);
    memset(matrix->center, 0, sizeof matrix->center);
    if (rows[0][1] == 0 && rows[1][0] == 0) {
        matrix->scale[0] = rows[0][0];
        matrix->scale[1] = rows[1][1];
        matrix->translation[0] = rows[0][2];
        matrix->translation[1] = rows[1][2];
        return;
    }
    /* A record rotates before it scales, but this texture after. So store its matrix directly. */
    matrix->mode = EFFECT;
    for (int i = 0; i < 2; i++) {
        matrix->effect[i * 4] = rows[i][0];
        matrix->effect[i * 4 + 1] = rows[i][1];
        matrix->effect[i * 4 + 2] = rows[i][2];
    }
}

/* -- The material ------------------------------------------------------- */

static void report_losses(const facet_material *material, facet_report *report)
{
    unsigned maps = 0;
    for (int i = 0; i < FACET_MAP_COUNT; i++)
        maps += i != FACET_MAP_DIFFUSE && material->maps[i] != NULL;
    if (maps)
        facet_report_add(report, "LOSS-TEXTURES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "material '%s': %u texture%s dropped, only that of the base color is kept",
                         material->name, maps, facet_plural(maps, " is", "s are"));
    const float *e = material->emissive;
    if (e[0] > 0 || e[1] > 0 || e[2] > 0)
        facet_report_add(report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "material '%s': its emission is dropped", material->name);
}

static void set_up(const facet_j3d_material_source *from, const facet_material *material,
                   facet_j3d_material *m)
{
    facet_j3d_material_init(m);
    set_frame(m);
    set_alpha(m, material->alpha_mode, material->alpha_cutoff);
    set_channels(m, from, from->has_normals && !material->unlit);
    m->gx.cull_mode = material->double_sided ? CULL_NONE : CULL_BACK;
    float color[4];
    memcpy(color, material->base_color, sizeof color);
    if (material->alpha_mode == FACET_ALPHA_OPAQUE)
        color[3] = 1;
    set_stages(m, from, color);
    if (from->texture != FACET_J3D_NONE)
        set_coordinates(m, from, material->maps[FACET_MAP_DIFFUSE]);
}

/* Set the chip state from the scene. Textures with their samplers come from the file. */
static void set_state(const facet_gx_material *gx, facet_j3d_material *m)
{
    facet_gx_material known = m->gx;
    m->gx = *gx;
    memcpy(m->gx.textures, known.textures, sizeof known.textures);
    memcpy(m->gx.samplers, known.samplers, sizeof known.samplers);
    m->gx.translucent = known.translucent;
    if (gx->translucent != (m->mode == MODE_TRANSLUCENT))
        m->mode = gx->translucent ? MODE_TRANSLUCENT : MODE_OPAQUE;
}

/* Set a state without extras. A texture is known only if it is the base color's image. */
static void set_whole_state(const facet_j3d_material_source *from, const facet_material *material,
                            facet_j3d_material *m)
{
    const facet_texture *base = material->maps[FACET_MAP_DIFFUSE];
    const facet_gx_material *gx = material->gx;
    m->mode = gx->translucent ? MODE_TRANSLUCENT : MODE_OPAQUE;
    facet_gx_material neutral;
    facet_gx_material_init(&neutral);
    m->given.lights = m->given.textures = 0xFF;
    m->given.texture_matrices = 0x3FF;
    /* Elements beyond the counts can have any value. */
    m->given.texgens = (uint8_t)((1u << gx->texgen_count) - 1);
    m->given.tev_orders = m->given.tev_stages = m->given.swap_modes =
        (uint16_t)((1u << gx->stage_count) - 1);
    m->gx = *gx;
    for (uint32_t i = 2u * gx->channel_count; i < 4; i++)
        m->gx.channels[i] = neutral.channels[i];
    for (int i = 0; i < 8; i++) {
        bool known = base && base->has_image && gx->textures[i] == base->image;
        m->gx.textures[i] = known ? from->texture : FACET_J3D_NONE;
    }
}

/* True if the state has invalid values. A console could react to them in any way. */
static bool is_wrong(const facet_gx_material *gx, const char *name, facet_report *report)
{
    facet_error why;
    facet_quoted quoted;
    if (!facet_gx_material_check(gx, &why))
        return false;
    facet_report_add(report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "material '%s' is built from its color and maps, as its console state is "
                     "wrong: %s",
                     facet_quote(&quoted, name, strlen(name)), why.message);
    return true;
}

void facet_j3d_material_from_scene(const facet_j3d_material_source *from,
                                   const facet_options *options, facet_j3d_material *material)
{
    facet_report *report = options ? options->report : NULL;
    facet_material given;
    facet_material_init(&given);
    if (from->material != FACET_NONE)
        given = *from->scene->materials[from->material];
    const facet_j3d_extras_data *extras_data = from->extras_data;
    if (given.gx && is_wrong(given.gx, given.name, report))
        given.gx = NULL;
    if (extras_data && extras_data->wrong) {
        facet_quoted quoted;
        facet_report_add(
            report, "LOSS-EXTRAS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "material '%s' is built from the scene, because its J3D extras are wrong: %s",
            facet_quote(&quoted, given.name, strlen(given.name)), extras_data->wrong);
    }
    if (extras_data && extras_data->state) {
        *material = *extras_data->state;
        if (given.gx) /* extras define the members that were given, and the textures */
            set_state(given.gx, material);
        if (!is_wrong(&material->gx, given.name, report))
            return;
    }
    report_losses(&given, report);
    set_up(from, &given, material);
    if (given.gx && extras_data)
        set_whole_state(from, &given, material);
}
