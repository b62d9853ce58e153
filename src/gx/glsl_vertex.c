/* gx/glsl_vertex.c - the vertex stage as GLSL: lights, then texture coordinates. */
#include "gx/glsl.h"
#include "gx/texture_matrix.h"

#include <facet/gx_material.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void facet_gx_put(facet_gx_text *out, const char *format, ...)
{
    va_list arguments;
    size_t left = out->length < out->size ? out->size - out->length : 0;
    va_start(arguments, format);
    int written = vsnprintf(left ? out->text + out->length : NULL, left, format, arguments);
    va_end(arguments);
    out->length += written > 0 ? (size_t)written : 0;
}

/* -- Values ------------------------------------------------------------- */

static void put_color(const facet_gx_rgba8 *from, float to[4])
{
    to[0] = from->r, to[1] = from->g, to[2] = from->b, to[3] = from->a;
}

void facet_gx_material_shader_values(const facet_gx_material *material,
                                     facet_gx_shader_values *values)
{
    for (int i = 0; i < 3; i++) {
        const facet_gx_rgba16 *r = &material->tev_registers[i];
        const int32_t from[4] = {r->r, r->g, r->b, r->a};
        memcpy(values->registers[i], from, sizeof from);
    }
    for (int i = 0; i < 4; i++) {
        const facet_gx_rgba8 *k = &material->konst_colors[i];
        const int32_t from[4] = {k->r, k->g, k->b, k->a};
        memcpy(values->konst[i], from, sizeof from);
    }
    for (int i = 0; i < 2; i++) {
        put_color(&material->material_colors[i], values->material_color[i]);
        put_color(&material->ambient_colors[i], values->ambient_color[i]);
    }
    for (int i = 0; i < 10; i++) {
        const facet_gx_texture_matrix *m = &material->texture_matrices[i];
        float rows[3][4];
        facet_gx_texture_matrix_rows(m, facet_gx_exact_rotation(m->rotation), rows);
        memcpy(values->texture_rows[i * 3], rows, sizeof rows);
    }
}

/* -- Lights ------------------------------------------------------------- */

static const char light_functions[] =
    "vec3 toward(vec3 from, vec3 to, vec3 none) {\n"
    "  vec3 d = to - from;\n"
    "  float l = length(d);\n"
    "  return l > 0.0 ? d / l : none;\n"
    "}\n"
    "float fraction(float above, float below) {\n"
    "  above = max(above, 0.0);\n"
    "  return below != 0.0 ? above / below : above > 0.0 ? 1.0 : 0.0;\n"
    "}\n"
    "float spot(int i, vec3 p) {\n"
    "  float d = length(light_position[i].xyz - p);\n"
    "  float x = max(dot(toward(p, light_position[i].xyz, vec3(0.0)), light_direction[i].xyz), "
    "0.0);\n"
    "  return fraction(dot(light_cosine[i].xyz, vec3(1.0, x, x * x)),\n"
    "                  dot(light_distance[i].xyz, vec3(1.0, d, d * d)));\n"
    "}\n"
    "float specular(int i, vec3 p, vec3 n) {\n"
    "  float x = dot(n, toward(p, light_position[i].xyz, vec3(0.0))) >= 0.0\n"
    "                ? max(dot(n, light_direction[i].xyz), 0.0) : 0.0;\n"
    "  return fraction(dot(light_cosine[i].xyz, vec3(1.0, x, x * x)),\n"
    "                  dot(light_distance[i].xyz, vec3(1.0, x, x * x)));\n"
    "}\n";

static void put_light(facet_gx_text *out, const facet_gx_channel *c, unsigned light,
                      const char *part)
{
    static const char *const diffuse[3] = {"1.0", "dot(l, n)", "max(dot(l, n), 0.0)"};
    unsigned function = c->attenuation_function == 0 ? 0 : c->diffuse_function;
    facet_gx_put(out, "  l = toward(p, light_position[%u].xyz, n);\n", light);
    facet_gx_put(out, "  k = ");
    if (c->attenuation_function == 0)
        facet_gx_put(out, "specular(%u, p, n)", light);
    else if (c->attenuation_function == 1)
        facet_gx_put(out, "spot(%u, p)", light);
    else
        facet_gx_put(out, "1.0");
    facet_gx_put(out, " * %s;\n", diffuse[function < 3 ? function : 2]);
    facet_gx_put(out, "  sum.%s += floor(k * light_color[%u].%s + 0.5);\n", part, light, part);
}

static void put_channel(facet_gx_text *out, const facet_gx_material *m, unsigned channel,
                        bool alpha)
{
    const facet_gx_channel *c = &m->channels[channel * 2 + alpha];
    const char *part = alpha ? "a" : "rgb";
    char color[32], material[32], ambient[32];
    snprintf(color, sizeof color, "round(color%u * 255.0)", channel);
    snprintf(material, sizeof material, "material_color[%u]", channel);
    snprintf(ambient, sizeof ambient, "ambient_color[%u]", channel);
    const char *base = c->material_source ? color : material;
    if (!c->lighting) {
        facet_gx_put(out, "  raster%u.%s = %s.%s;\n", channel, part, base, part);
        return;
    }
    facet_gx_put(out, "  sum = %s;\n", c->ambient_source ? color : ambient);
    for (unsigned i = 0; i < 8; i++) {
        if (c->light_mask >> i & 1)
            put_light(out, c, i, part);
    }
    facet_gx_put(out,
                 "  sum = clamp(sum, 0.0, 255.0);\n"
                 "  sum += floor(sum / 128.0);\n"
                 "  raster%u.%s = floor(%s.%s * sum.%s / 256.0);\n",
                 channel, part, base, part, part);
}

/* -- Texture coordinates ------------------------------------------------ */

enum { FIRST_TEXTURE_MATRIX = 30, IDENTITY_MATRIX = 60 };

/* The matrix that `mode` applies before its record, as GLSL, or NULL. */
static const char *place_of(unsigned mode)
{
    static const char *const places[12] = {NULL,
                                           "mat4(mat3(view * world))",
                                           "world",
                                           "view * world",
                                           NULL,
                                           "mat4(mat3(world))",
                                           "mat4(mat3(view * world))",
                                           "mat4(mat3(view * world))",
                                           "world",
                                           "view * world",
                                           "mat4(mat3(world))",
                                           "mat4(mat3(world))"};
    return mode < 12 ? places[mode] : NULL;
}

static void put_source(facet_gx_text *out, unsigned source)
{
    static const char *const names[4] = {"position", "normal",
                                         "cross(normal, tangent.xyz) * tangent.w", "tangent.xyz"};
    if (source >= 4 && source < 12)
        facet_gx_put(out, "vec4(texcoord%u, 1.0, 1.0)", source - 4);
    else
        facet_gx_put(out, "vec4(%s, 1.0)", names[source < 4 ? source : 0]);
}

static void put_texgen(facet_gx_text *out, const facet_gx_material *m, unsigned i)
{
    const facet_gx_texgen *g = &m->texgens[i];
    if (g->type == 10) {
        facet_gx_put(out, "  coordinate%u = vec3(raster%u.rg / 255.0, 1.0);\n", i,
                     g->source > 19 ? 1 : 0);
        return;
    }
    if (g->type >= 2) { /* a bump coordinate */
        unsigned from = g->source >= 12 && g->source - 12u < i ? g->source - 12u : i;
        facet_gx_put(out, "  l = toward(p, light_position[%u].xyz, vec3(0.0));\n",
                     (g->type - 2u) & 7);
        facet_gx_put(out, "  coordinate%u = ", i);
        facet_gx_put(out, from < i ? "coordinate%u" : "vec3(0.0, 0.0, 1.0)", from);
        facet_gx_put(out,
                     " + vec3(dot(l, mat3(view * world) * tangent.xyz),\n"
                     "      dot(l, mat3(view * world) * cross(normal, tangent.xyz) * tangent.w), "
                     "0.0);\n");
        return;
    }
    facet_gx_put(out, "  source = ");
    put_source(out, g->source);
    facet_gx_put(out, ";\n");
    if (g->matrix >= FIRST_TEXTURE_MATRIX && g->matrix < IDENTITY_MATRIX) {
        unsigned n = (g->matrix - FIRST_TEXTURE_MATRIX) / 3u;
        const char *place = place_of(m->texture_matrices[n].mode & 0x3F);
        if (place)
            facet_gx_put(out, "  source = (%s) * source;\n", place);
        facet_gx_put(out,
                     "  source.xyz = vec3(dot(texture_rows[%u], source), dot(texture_rows[%u], "
                     "source), dot(texture_rows[%u], source));\n",
                     n * 3, n * 3 + 1, n * 3 + 2);
    }
    facet_gx_put(out, "  coordinate%u = vec3(source.xy, %s);\n", i, g->type ? "1.0" : "source.z");
    if (!g->type)
        facet_gx_put(out,
                     "  if (coordinate%u.z == 0.0) coordinate%u = vec3(clamp(coordinate%u.xy / "
                     "2.0, -1.0, 1.0), 1.0);\n",
                     i, i, i);
}

/* -- The shader --------------------------------------------------------- */

static void put_inputs(facet_gx_text *out, unsigned texgens)
{
    facet_gx_put(out, "#version 300 es\n"
                      "precision highp float;\n"
                      "precision highp int;\n"
                      "in vec3 position;\n"
                      "in vec3 normal;\n"
                      "in vec4 tangent;\n"
                      "in vec4 color0;\n"
                      "in vec4 color1;\n");
    for (unsigned i = 0; i < 8; i++)
        facet_gx_put(out, "in vec2 texcoord%u;\n", i);
    facet_gx_put(out, "uniform mat4 world, view, projection;\n"
                      "uniform vec4 light_position[8], light_direction[8], light_color[8];\n"
                      "uniform vec4 light_cosine[8], light_distance[8];\n"
                      "uniform vec4 material_color[2], ambient_color[2], texture_rows[30];\n"
                      "out vec4 raster0;\n"
                      "out vec4 raster1;\n");
    for (unsigned i = 0; i < texgens; i++)
        facet_gx_put(out, "out vec3 coordinate%u;\n", i);
}

size_t facet_gx_vertex_shader(const facet_gx_material *material, char *text, size_t size)
{
    facet_gx_text out = {text, size, 0};
    unsigned texgens = material->texgen_count < 8 ? material->texgen_count : 8;
    put_inputs(&out, texgens);
    facet_gx_put(&out, "%s", light_functions);
    facet_gx_put(&out, "void main() {\n"
                       "  vec3 p = (view * world * vec4(position, 1.0)).xyz;\n"
                       "  vec3 n = transpose(inverse(mat3(view * world))) * normal;\n"
                       "  n = length(n) > 0.0 ? normalize(n) : n;\n"
                       "  vec3 l;\n"
                       "  vec4 sum, source;\n"
                       "  float k;\n"
                       "  raster0 = raster1 = vec4(0.0);\n");
    for (unsigned i = 0; i < material->channel_count && i < 2; i++) {
        put_channel(&out, material, i, false);
        put_channel(&out, material, i, true);
    }
    for (unsigned i = 0; i < texgens; i++)
        put_texgen(&out, material, i);
    facet_gx_put(&out, "  gl_Position = projection * vec4(p, 1.0);\n}\n");
    return out.length;
}
