/* gx/glsl_fragment.c - the texture environment as GLSL. Each stage is written out with the integers
 * of gx/tev.c. */
#include "gx/glsl.h"
#include "gx/pixel.h"
#include "gx/tev.h"

#include <stdio.h>

/* -- Stages ------------------------------------------------------------- */

static const char functions[] =
    "int wide(int c) { return c + (c >> 7); }\n"
    "ivec3 wide(ivec3 c) { return c + (c >> 7); }\n"
    "int fixed_of(float c, int size) {\n"
    "  int v = int(trunc(clamp(c * float(size) * 128.0, -2.0e9, 2.0e9)));\n"
    "  return (v << 8) >> 8;\n"
    "}\n"
    "ivec2 fixed_of(vec3 c, ivec2 size) {\n"
    "  vec2 v = c.xy / c.z;\n"
    "  return ivec2(fixed_of(v.x, size.x), fixed_of(v.y, size.y));\n"
    "}\n";

/* Write the inputs of a combiner: "ivec3" expressions for color, "int" ones for alpha. */
static void put_input(facet_gx_text *out, const uint8_t inputs[4], bool alpha)
{
    static const char *const names[] = {"prev", "c0", "c1", "c2", "texel", "raster", "k"};
    uint8_t first = inputs[alpha ? 3 : 0];
    if (first >= FACET_GX_ONE)
        facet_gx_put(out, alpha ? "%d" : "ivec3(%d)",
                     first == FACET_GX_ONE    ? 255
                     : first == FACET_GX_HALF ? 128
                                              : 0);
    else if (alpha)
        facet_gx_put(out, "%s.a", names[first / 4]);
    else
        facet_gx_put(out, "%s.%s", names[first / 4], first % 4 == 3 ? "aaa" : "rgb");
}

static void put_blend(facet_gx_text *out, const facet_gx_combination *c, const char *type)
{
    int half = c->half ? 0 : c->operation == 1 ? 127 : 128;
    facet_gx_put(out, "    mix_ = (((a << 8) + (b - a) * wide(c)) << %d) + %d >> 8;\n", c->shift,
                 half);
    facet_gx_put(out, "    %s r = ((d + %d) << %d) %s mix_;\n", type, c->bias, c->shift,
                 c->operation == 1 ? "-" : "+");
    if (c->half)
        facet_gx_put(out, "    r >>= 1;\n");
}

/* Write a comparison. `a` and `b` of the color combiner stay in ca and cb for comparisons of
 * alpha. */
static void put_comparison(facet_gx_text *out, const facet_gx_combination *c, bool alpha)
{
    static const char *const weights[3] = {"ivec3(1, 0, 0)", "ivec3(1, 256, 0)",
                                           "ivec3(1, 256, 65536)"};
    const char *type = alpha ? "int" : "ivec3";
    const char *how = c->operation & 1 ? "==" : ">";
    unsigned kind = c->operation >> 1 & 3;
    if (kind < 3)
        facet_gx_put(out,
                     "    bool yes = weigh(ca, %s) %s weigh(cb, %s);\n"
                     "    %s r = d + (yes ? c : %s(0));\n",
                     weights[kind], how, weights[kind], type, type);
    else if (alpha)
        facet_gx_put(out, "    int r = d + (a %s b ? c : 0);\n", how);
    else
        facet_gx_put(out,
                     "    ivec3 r = d + ivec3(a.r %s b.r ? c.r : 0, a.g %s b.g ? c.g : 0, a.b %s "
                     "b.b ? c.b : 0);\n",
                     how, how, how);
}

static void put_combiner(facet_gx_text *out, const facet_gx_program_stage *stage, bool alpha)
{
    const facet_gx_combination *c = alpha ? &stage->alpha : &stage->color;
    const char *type = alpha ? "int" : "ivec3";
    facet_gx_put(out, "  {\n");
    for (int i = 0; i < 4; i++) {
        facet_gx_put(out, "    %s %c = ", type, "abcd"[i]);
        put_input(out, stage->inputs[i], alpha);
        facet_gx_put(out, i < 3 ? " & 255;\n" : ";\n");
    }
    if (!alpha)
        facet_gx_put(out, "    ca = a; cb = b;\n");
    facet_gx_put(out, "    %s mix_;\n", type);
    if (c->operation >= 8)
        put_comparison(out, c, alpha);
    else
        put_blend(out, c, type);
    facet_gx_put(out, "    next%s = clamp(r, %s);\n  }\n", alpha ? ".a" : ".rgb",
                 c->clamp ? "0, 255" : "-1024, 1023");
}

/* -- Inputs of a stage -------------------------------------------------- */

static void put_konst(facet_gx_text *out, const facet_gx_material *m, uint32_t stage)
{
    static const char *const parts[4] = {"rrr", "ggg", "bbb", "aaa"};
    uint8_t known[4];
    uint8_t color = m->konst_color_selections[stage], alpha = m->konst_alpha_selections[stage];
    color = color == 0xFF ? 0x0C : color;
    alpha = alpha == 0xFF ? 0x1C : alpha;
    facet_gx_tev_konst(m, stage, known);
    if (color >= 16 && color < 32)
        facet_gx_put(out, "  k.rgb = konst[%d].%s;\n", color & 3, parts[(color - 16) >> 2]);
    else if (color >= 12 && color < 16)
        facet_gx_put(out, "  k.rgb = konst[%d].rgb;\n", color & 3);
    else
        facet_gx_put(out, "  k.rgb = ivec3(%d);\n", known[0]);
    if (alpha >= 16 && alpha < 32)
        facet_gx_put(out, "  k.a = konst[%d].%c;\n", alpha & 3, "rgba"[(alpha - 16) >> 2]);
    else if (alpha >= 12 && alpha < 16)
        facet_gx_put(out, "  k.a = konst[%d].a;\n", alpha & 3);
    else
        facet_gx_put(out, "  k.a = %d;\n", known[3]);
}

static void swap_name(const uint8_t swap[4], char name[5])
{
    for (int i = 0; i < 4; i++)
        name[i] = "rgba"[swap[i]];
    name[4] = '\0';
}

static void put_raster(facet_gx_text *out, const facet_gx_program_stage *stage)
{
    char swap[5];
    swap_name(stage->raster_swap, swap);
    if (stage->raster < FACET_GX_NO_RASTER)
        facet_gx_put(out, "  raster = rasters%u.%s;\n", stage->raster, swap);
    else if (stage->raster == FACET_GX_NO_RASTER)
        facet_gx_put(out, "  raster = ivec4(0);\n");
    else
        facet_gx_put(out, "  raster = ivec4(%s);\n",
                     stage->raster == FACET_GX_BUMP ? "bump" : "bump | bump >> 5");
}

static void put_offset(facet_gx_text *out, const facet_gx_program *p,
                       const facet_gx_program_stage *s)
{
    static const int shifts[4] = {0, 3, 4, 5};
    const int exponent = p->matrices[s->matrix - 1].exponent;
    facet_gx_put(out, "  parts = indirect%d.abg >> %d;\n", s->table, shifts[s->format]);
    int bias = s->format == 0 ? -128 : 1;
    facet_gx_put(out, "  parts += ivec3(%d, %d, %d);\n", s->bias & 1 ? bias : 0,
                 s->bias & 2 ? bias : 0, s->bias & 4 ? bias : 0);
    if (s->matrix_kind == 0) {
        const int16_t(*rows)[3] = p->matrices[s->matrix - 1].rows;
        for (int i = 0; i < 2; i++)
            facet_gx_put(out, "  offset.%c = (%d * parts.x + %d * parts.y + %d * parts.z) >> 3;\n",
                         "xy"[i], rows[i][0], rows[i][1], rows[i][2]);
    } else {
        facet_gx_put(out, "  offset = (from * parts.%c) >> 8;\n", s->matrix_kind == 1 ? 'x' : 'y');
    }
    if (exponent)
        facet_gx_put(out, "  offset = offset %s %d;\n", exponent < 0 ? ">>" : "<<",
                     exponent < 0 ? (exponent < -31 ? 31 : -exponent)
                                  : (exponent > 31 ? 31 : exponent));
}

static void put_wrap(facet_gx_text *out, char part, uint8_t wrap)
{
    if (wrap > 5)
        facet_gx_put(out, "  from.%c = 0;\n", part);
    else if (wrap > 0)
        facet_gx_put(out, "  from.%c &= %d;\n", part, (256 >> (wrap - 1) << 7) - 1);
}

/* Write `at`, the coordinate of a stage in 128ths of a texel. */
static void put_coordinate(facet_gx_text *out, const facet_gx_program *p,
                           const facet_gx_program_stage *s)
{
    static const int bumps[4] = {0, 5, 4, 3};
    if (p->texgen_count == 0)
        facet_gx_put(out, "  from = ivec2(0);\n");
    else
        facet_gx_put(out, "  from = fixed%u;\n", s->texcoord);
    facet_gx_put(out, "  offset = ivec2(0);\n");
    if (s->indirect && s->bump)
        facet_gx_put(out, "  bump = (indirect%d.%c << %d) & 248;\n", s->table, "abg"[s->bump - 1],
                     bumps[s->format]);
    if (s->indirect && s->matrix)
        put_offset(out, p, s);
    if (s->indirect) {
        put_wrap(out, 'x', s->wrap[0]);
        put_wrap(out, 'y', s->wrap[1]);
    }
    facet_gx_put(out, "  at = (from + offset%s) << 8 >> 8;\n",
                 s->indirect && s->add_previous ? " + at" : "");
}

static void put_lookup(facet_gx_text *out, const char *to, unsigned map, const char *swap)
{
    facet_gx_put(out,
                 "  %s = ivec4(round(texture(texmap%u, vec2(at) / (128.0 * "
                 "vec2(textureSize(texmap%u, 0)))) * 255.0))%s%s;\n",
                 to, map, map, *swap ? "." : "", swap);
}

static void put_stage(facet_gx_text *out, const facet_gx_material *m, const facet_gx_program *p,
                      uint32_t index)
{
    static const char *const registers[4] = {"prev", "c0", "c1", "c2"};
    const facet_gx_program_stage *s = &p->stages[index];
    char swap[5];
    swap_name(s->texture_swap, swap);
    put_coordinate(out, p, s);
    if (s->samples && s->map != FACET_GX_NO_MAP)
        put_lookup(out, "texel", s->map, swap);
    else
        facet_gx_put(out, "  texel = ivec4(255);\n");
    put_raster(out, s);
    put_konst(out, m, index);
    put_combiner(out, s, false);
    put_combiner(out, s, true);
    facet_gx_put(out, "  %s.rgb = next.rgb;\n  %s.a = next.a;\n",
                 registers[s->color.destination / 4], registers[s->alpha.destination / 4]);
}

/* -- After the last stage ----------------------------------------------- */

static void put_comparison_of_alpha(facet_gx_text *out, const facet_gx_alpha_compare *c)
{
    static const char *const how[8] = {"false && 0 <", "color.a <",  "color.a ==", "color.a <=",
                                       "color.a >",    "color.a !=", "color.a >=", "true || 0 <"};
    static const char *const both[4] = {"&&", "||", "^^", "=="};
    facet_gx_put(out, "  if (!((%s %d) %s (%s %d))) discard;\n", how[c->comparison0 & 7],
                 c->reference0, both[c->operation & 3], how[c->comparison1 & 7], c->reference1);
}

static void put_fog(facet_gx_text *out, const facet_gx_fog *fog)
{
    static const char *const curves[8] = {"f",
                                          "f",
                                          "f",
                                          "f",
                                          "1.0 - exp2(-8.0 * f)",
                                          "1.0 - exp2(-8.0 * f * f)",
                                          "exp2(-8.0 * (1.0 - f))",
                                          "exp2(-8.0 * (1.0 - f) * (1.0 - f))"};
    facet_gx_fog_registers r;
    if (!facet_gx_fog_make(fog, &r))
        return;
    facet_gx_put(out, "  int depth = int(gl_FragCoord.z * 16777215.0);\n");
    if (r.orthographic)
        facet_gx_put(out, "  float f = %.9e * float(depth) / 16777216.0;\n", (double)r.a);
    else
        facet_gx_put(out, "  float f = %.9e * 16777216.0 / float(%d - (depth >> %u));\n",
                     (double)r.a, (int)r.b, r.shift);
    facet_gx_put(out,
                 "  f = clamp(f - %.9e, 0.0, 1.0);\n"
                 "  int amount = int(floor(256.0 * (%s) + 0.5));\n"
                 "  color.rgb = (color.rgb * (256 - amount) + ivec3(%d, %d, %d) * amount) >> 8;\n",
                 (double)r.c, curves[r.type], r.color[0], r.color[1], r.color[2]);
}

/* -- The shader --------------------------------------------------------- */

static void put_head(facet_gx_text *out, const facet_gx_program *p)
{
    facet_gx_put(out, "#version 300 es\n"
                      "precision highp float;\n"
                      "precision highp int;\n"
                      "precision highp sampler2D;\n"
                      "in vec4 raster0;\n"
                      "in vec4 raster1;\n");
    for (uint32_t i = 0; i < p->texgen_count; i++)
        facet_gx_put(out, "in vec3 coordinate%u;\n", i);
    for (int i = 0; i < 8; i++)
        facet_gx_put(out, "uniform sampler2D texmap%d;\n", i);
    facet_gx_put(out,
                 "uniform ivec4 registers[3], konst[4];\n"
                 "out vec4 pixel;\n"
                 "%s"
                 "int weigh(ivec3 c, ivec3 w) { return c.r * w.r + c.g * w.g + c.b * w.b; }\n"
                 "void main() {\n"
                 "  ivec4 prev = ivec4(255), c0 = registers[0], c1 = registers[1], "
                 "c2 = registers[2];\n"
                 "  ivec4 texel, raster, k, next;\n"
                 "  ivec3 ca, cb, parts;\n"
                 "  ivec2 at = ivec2(0), from, offset;\n"
                 "  int bump = 0;\n"
                 /* Samples outside of a triangle have extrapolated colors. */
                 "  ivec4 rasters0 = ivec4(round(clamp(raster0, 0.0, 255.0)));\n"
                 "  ivec4 rasters1 = ivec4(round(clamp(raster1, 0.0, 255.0)));\n",
                 functions);
}

static void put_coordinates(facet_gx_text *out, const facet_gx_program *p)
{
    for (uint32_t i = 0; i < p->texgen_count; i++) {
        if (p->coordinate_maps[i] == FACET_GX_NO_MAP)
            facet_gx_put(out, "  ivec2 fixed%u = ivec2(0);\n", i);
        else
            facet_gx_put(out,
                         "  ivec2 fixed%u = fixed_of(coordinate%u, textureSize(texmap%u, 0));\n", i,
                         i, p->coordinate_maps[i]);
    }
    for (uint32_t i = 0; i < p->indirect_count; i++) {
        char name[24];
        snprintf(name, sizeof name, "indirect%u", i);
        facet_gx_put(out, "  ivec4 %s = ivec4(255);\n", name);
        if (p->indirects[i].map == FACET_GX_NO_MAP || p->texgen_count == 0)
            continue;
        facet_gx_put(out, "  at = ivec2(fixed%u.x >> %d, fixed%u.y >> %d);\n",
                     p->indirects[i].texcoord, p->indirects[i].shift[0], p->indirects[i].texcoord,
                     p->indirects[i].shift[1]);
        put_lookup(out, name, p->indirects[i].map, "");
    }
    facet_gx_put(out, "  at = ivec2(0);\n");
}

size_t facet_gx_fragment_shader(const facet_gx_material *material, bool fog, char *text,
                                size_t size)
{
    static const char *const registers[4] = {"prev", "c0", "c1", "c2"};
    facet_gx_text out = {text, size, 0};
    facet_gx_program program;
    facet_gx_program_make(material, &program);
    put_head(&out, &program);
    put_coordinates(&out, &program);
    for (uint32_t i = 0; i < program.stage_count; i++)
        put_stage(&out, material, &program, i);
    facet_gx_put(&out, "  ivec4 color = ivec4(%s.rgb, %s.a) & 255;\n",
                 registers[program.color_result / 4], registers[program.alpha_result / 4]);
    put_comparison_of_alpha(&out, &material->alpha_compare);
    if (fog)
        put_fog(&out, &material->fog);
    facet_gx_put(&out, "  pixel = vec4(color) / 255.0;\n}\n");
    return out.length;
}
