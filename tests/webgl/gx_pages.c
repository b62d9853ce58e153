/* gx_pages COUNT: print a page that draws one pixel with the shaders of each of COUNT random
 * materials. The page compares it with the result of gx/tev.c. */
#include "gx/pixel.h"
#include "gx/sample.h"
#include "gx/tev.h"
#include "gx/vertex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed = 1;

static uint32_t below(uint32_t count)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % count;
}

/* -- A material --------------------------------------------------------- */

static facet_gx_rgba8 random_color(void)
{
    return (facet_gx_rgba8){(uint8_t)below(256), (uint8_t)below(256), (uint8_t)below(256),
                            (uint8_t)below(256)};
}

static void random_combiner(facet_gx_tev_combiner *c, uint32_t inputs)
{
    for (int i = 0; i < 4; i++)
        c->inputs[i] = (uint8_t)below(inputs);
    c->operation = (uint8_t)(below(3) ? below(2) : 8 + below(8));
    c->bias = (uint8_t)below(3);
    c->scale = (uint8_t)below(4);
    c->clamp = (uint8_t)below(2);
    c->destination = (uint8_t)below(4);
}

static void random_indirect(facet_gx_indirect *in)
{
    in->enabled = 1;
    in->stage_count = (uint8_t)(1 + below(4));
    for (unsigned i = 0; i < 4; i++) {
        in->orders[i] = (facet_gx_indirect_order){(uint8_t)i, (uint8_t)below(8), {0}};
        in->scales[i] = (facet_gx_indirect_scale){(uint8_t)below(3), (uint8_t)below(3), {0}};
    }
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 6; k++)
            in->matrices[i].rows[k / 3][k % 3] = (float)((int)below(2048) - 1024) / 1024;
        in->matrices[i].exponent = (int8_t)((int)below(6) - 2);
    }
    for (unsigned i = 0; i < 16; i++) {
        static const uint8_t kinds[8] = {0, 1, 2, 3, 5, 6, 9, 11};
        in->stages[i] = (facet_gx_indirect_stage){(uint8_t)below(4), (uint8_t)below(4),
                                                  (uint8_t)below(8), kinds[below(8)],
                                                  (uint8_t)below(7), (uint8_t)below(7),
                                                  (uint8_t)below(2), 0,
                                                  (uint8_t)below(4), {0}};
    }
}

/* Lights and a stage that shows their result. More stages would amplify rounding errors. */
static void light(facet_gx_material *m)
{
    m->stage_count = 1;
    m->tev_stages[0] = (facet_gx_tev_stage){
        0, {{15, 15, 15, 10}, 0, 0, 0, 1, 0}, {{7, 7, 7, 5}, 0, 0, 0, 1, 0}, 0};
    for (unsigned i = 0; i < 8; i++) {
        facet_gx_light *l = &m->lights[i];
        for (unsigned k = 0; k < 3; k++) {
            l->position[k] = (float)((int)below(2001) - 1000) / 100;
            l->direction[k] = (float)((int)below(2001) - 1000) / 1000;
            l->cosine_attenuation[k] = (float)below(1000) / 1000;
            l->distance_attenuation[k] = (float)(1 + below(1000)) / 2000;
        }
        l->color = random_color();
    }
    for (unsigned i = 0; i < 4; i++)
        m->channels[i] = (facet_gx_channel){1,
                                            (uint8_t)below(2),
                                            (uint8_t)below(256),
                                            (uint8_t)below(3),
                                            (uint8_t)below(3),
                                            (uint8_t)below(2),
                                            {0}};
}

static void random_material(facet_gx_material *m, uint32_t number)
{
    facet_gx_material_init(m);
    m->channel_count = 2;
    m->texgen_count = 8;
    for (unsigned i = 0; i < 8; i++)
        m->texgens[i] = (facet_gx_texgen){1, (uint8_t)(4 + i), 60, 0};
    for (unsigned i = 0; i < 4; i++) {
        m->tev_registers[i] = (facet_gx_rgba16){
            (int16_t)((int)below(2048) - 1024), (int16_t)((int)below(2048) - 1024),
            (int16_t)below(256), (int16_t)((int)below(2048) - 1024)};
        m->konst_colors[i] = random_color();
        m->swap_tables[i] = (facet_gx_swap_table){(uint8_t)below(4), (uint8_t)below(4),
                                                  (uint8_t)below(4), (uint8_t)below(4)};
        m->channels[i] = (facet_gx_channel){0, (uint8_t)below(2), 0, 0, 2, 0, {0}};
    }
    for (unsigned i = 0; i < 2; i++)
        m->material_colors[i] = m->ambient_colors[i] = random_color();
    m->stage_count = (uint8_t)(1 + below(4));
    for (unsigned i = 0; i < m->stage_count; i++) {
        random_combiner(&m->tev_stages[i].color, 16);
        random_combiner(&m->tev_stages[i].alpha, 8);
        m->tev_orders[i] =
            (facet_gx_tev_order){(uint8_t)below(8), (uint8_t)below(8), (uint8_t)below(9), 0};
        m->konst_color_selections[i] = (uint8_t)below(32);
        m->konst_alpha_selections[i] = (uint8_t)below(32);
        m->swap_modes[i] = (facet_gx_swap_mode){(uint8_t)below(4), (uint8_t)below(4), {0}};
    }
    if (below(2))
        random_indirect(&m->indirect);
    if (below(3) == 0)
        m->alpha_compare =
            (facet_gx_alpha_compare){(uint8_t)below(8), (uint8_t)below(256), (uint8_t)below(4),
                                     (uint8_t)below(8), (uint8_t)below(256), {0}};
    if (number % 5 == 4)
        light(m);
}

/* -- Expected results --------------------------------------------------- */

enum { SIDE = 16 };

typedef struct textures {
    uint8_t pixels[8][SIDE * SIDE * 4];
} textures;

static void look_up(void *user, unsigned map, unsigned texcoord, const int32_t at[2],
                    uint8_t texel[4])
{
    textures *t = user;
    facet_gx_texture_unit unit = {.levels = {{t->pixels[map], SIDE, SIDE}}, .level_count = 1};
    (void)texcoord;
    unit.wrap_s = unit.wrap_t = 1;
    facet_gx_sample(&unit, at, 0, false, texel);
}

static bool compute(const facet_gx_material *m, const facet_gx_vertex *v, textures *t,
                    uint8_t out[4])
{
    facet_gx_program program;
    facet_gx_fragment fragment;
    facet_gx_program_make(m, &program);
    facet_gx_light_vertex(m, m->lights, v, fragment.rasters);
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned k = 0; k < 2; k++)
            fragment.coordinates[i][k] = program.coordinate_maps[i] == FACET_GX_NO_MAP
                                             ? 0
                                             : facet_gx_fixed(v->texcoords[i][k], SIDE);
    }
    facet_gx_program_run(&program, &fragment, look_up, t, out);
    return facet_gx_alpha_passes(&m->alpha_compare, out[3]);
}

/* -- The page ----------------------------------------------------------- */

static void print_text(const char *key, const char *text)
{
    printf("\"%s\":`%s`,", key, text);
}

static void print_floats(const char *key, const float *values, unsigned count)
{
    printf("\"%s\":[", key);
    for (unsigned i = 0; i < count; i++)
        printf("%s%.9g", i ? "," : "", (double)values[i]);
    printf("],");
}

static void print_lights(const facet_gx_material *m)
{
    float values[5][8][4];
    memset(values, 0, sizeof values);
    for (unsigned i = 0; i < 8; i++) {
        const facet_gx_light *l = &m->lights[i];
        memcpy(values[0][i], l->position, 12);
        memcpy(values[1][i], l->direction, 12);
        values[2][i][0] = l->color.r, values[2][i][1] = l->color.g;
        values[2][i][2] = l->color.b, values[2][i][3] = l->color.a;
        memcpy(values[3][i], l->cosine_attenuation, 12);
        memcpy(values[4][i], l->distance_attenuation, 12);
    }
    static const char *const names[5] = {"light_position", "light_direction", "light_color",
                                         "light_cosine", "light_distance"};
    for (unsigned i = 0; i < 5; i++)
        print_floats(names[i], values[i][0], 32);
}

static void print_case(uint32_t number, textures *t)
{
    static char text[200000];
    facet_gx_material m;
    facet_gx_shader_values values;
    facet_gx_vertex v = {.view_normal = {0, 0, 1}, .normal = {0, 0, 1}};
    uint8_t wanted[4] = {0, 0, 0, 0}, color[4];
    float floats[16];
    random_material(&m, number);
    for (unsigned i = 0; i < 16; i++) /* the middle of a texel */
        floats[i] = v.texcoords[i / 2][i % 2] = ((float)below(SIDE) + 0.5f) / SIDE;
    for (unsigned i = 0; i < 8; i++)
        v.colors[i / 4][i % 4] = (uint8_t)below(256);
    if (compute(&m, &v, t, color))
        memcpy(wanted, color, 4);
    printf("{");
    facet_gx_vertex_shader(&m, text, sizeof text);
    print_text("vertex", text);
    facet_gx_fragment_shader(&m, false, text, sizeof text);
    print_text("fragment", text);
    facet_gx_material_shader_values(&m, &values);
    print_floats("texcoords", floats, 16);
    for (unsigned i = 0; i < 8; i++)
        floats[i] = (float)v.colors[i / 4][i % 4] / 255;
    print_floats("colors", floats, 8);
    print_floats("material_color", values.material_color[0], 8);
    print_floats("ambient_color", values.ambient_color[0], 8);
    print_floats("texture_rows", values.texture_rows[0], 120);
    print_lights(&m);
    for (unsigned i = 0; i < 28; i++)
        printf("%s%d",
               i == 0    ? "\"registers\":["
               : i == 12 ? "],\"konst\":["
                         : ",",
               i < 12 ? values.registers[i / 4][i % 4] : values.konst[(i - 12) / 4][i % 4]);
    printf("],\"wanted\":[%u,%u,%u,%u]},\n", wanted[0], wanted[1], wanted[2], wanted[3]);
}

int main(int count, char **words)
{
    static textures t;
    uint32_t cases = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 1000;
    printf("<!doctype html><pre id=result>not run</pre><script>\nconst textures = [");
    for (unsigned i = 0; i < 8; i++) {
        printf("[");
        for (unsigned k = 0; k < SIDE * SIDE * 4; k++)
            printf("%u,", t.pixels[i][k] = (uint8_t)below(256));
        printf("],\n");
    }
    printf("];\nconst side = %d, cases = [\n", SIDE);
    for (uint32_t i = 0; i < cases; i++)
        print_case(i, &t);
    printf("];\n</script><script src=gx_page.js></script>\n");
    return 0;
}
