/* render/console.c - triangles of console materials. Vertices are lit by the chip's lights. Samples
 * pass through its texture environment, tests and blending, in its order. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/floats.h"
#include "base/threads.h"
#include "gx/default_lights.h"
#include "gx/matrix.h"
#include "gx/pixel.h"

#include <math.h>
#include <string.h>

enum { SIDE = FACET_RENDER_TILE };

/* -- Vertices ----------------------------------------------------------- */

/* State of a draw while its vertices are lit. */
typedef struct lighting {
    facet_render_view *view;
    facet_render_draw *draw;
    facet_gx_light lights[8];
    facet_gx_texgens texgens;
    float world[3][4], camera[3][4];
    bool local; /* positions and normals are the mesh's; false: already transformed by a skin */
} lighting;

static void put_rows(const float m[16], float rows[3][4])
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++)
            rows[row][column] = m[column * 4 + row];
    }
}

/* Copy the lights of a material, and place them for this camera: far away, in the renderer's
 * direction. */
static void set_lights(const facet_render_view *view, const facet_render_material *material,
                       facet_gx_light lights[8])
{
    memcpy(lights, material->lights, 8 * sizeof *lights);
    facet_gx_place_default_lights(view->light, view->half, lights);
}

static void set_lighting(lighting *l)
{
    const facet_render_view *view = l->view;
    const facet_scene *scene = view->renderer->scene;
    uint32_t node = l->draw->instance->node;
    set_lights(view, l->draw->material, l->lights);
    put_rows(view->renderer->turn, l->world);
    memcpy(l->camera, view->camera, sizeof l->camera);
    l->local = node != FACET_NONE && scene->nodes[node]->skin == FACET_NONE;
    if (l->local) {
        float place[3][4];
        put_rows(view->pose.global + (size_t)node * 16, place);
        facet_gx_multiply(l->world, (const float(*)[4])place);
    } else { /* a skin's vertices are already transformed */
        static const float identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
        memcpy(l->world, identity, sizeof identity);
    }
    facet_gx_texgens_make(l->draw->material->gx, (const float(*)[4])l->world,
                          (const float(*)[4])l->camera, &l->texgens);
}

/* Select the matrices of a vertex. Neighbors usually choose the same ones: `chosen` has the choice
 * of the vertex before, 255 at first. */
static void choose_matrices(lighting *l, uint32_t i, uint8_t chosen[8])
{
    for (uint32_t t = 0; t < l->texgens.count; t++) {
        const uint8_t *numbers = l->draw->instance->texture_matrices[t];
        if (!numbers || (numbers[i] & 63) == chosen[t])
            continue;
        chosen[t] = numbers[i] & 63; /* the chip has this number of bits */
        facet_gx_texture_rows(l->draw->material->gx, chosen[t], (const float(*)[4])l->world,
                              (const float(*)[4])l->camera, l->texgens.items[t].rows);
    }
}

static void stored_color(const facet_stream *stream, const uint8_t *stored, uint32_t i,
                         uint8_t out[4])
{
    memset(out, 255, 4);
    if (stored) {
        memcpy(out, stored + (size_t)i * 4, 4);
    } else if (stream) {
        const float *from = (const float *)stream->data + (size_t)i * stream->components;
        for (uint32_t c = 0; c < 3; c++)
            out[c] = facet_render_to_byte(from[c]);
        if (stream->components > 3)
            out[3] = (uint8_t)((from[3] > 1 ? 1 : from[3] > 0 ? from[3] : 0) * 255 + 0.5f);
    }
}

static void rotate(const float rows[3][4], const float v[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = rows[k][0] * v[0] + rows[k][1] * v[1] + rows[k][2] * v[2];
}

static void get_vertex(const lighting *l, uint32_t i, facet_gx_vertex *v)
{
    const facet_render_view *view = l->view;
    const facet_render_instance *instance = l->draw->instance;
    size_t at = (size_t)instance->first_vertex + i;
    const float *position = view->positions[at], *normal = view->normals[at];
    memset(v, 0, sizeof *v);
    memcpy(v->view_position, view->places[at], sizeof v->view_position);
    rotate((const float(*)[4])view->camera, normal, v->view_normal);
    if (l->local) {
        position = (const float *)instance->positions->data + (size_t)i * 3;
        normal =
            instance->normals ? (const float *)instance->normals->data + (size_t)i * 3 : normal;
    }
    memcpy(v->position, position, sizeof v->position);
    float length = instance->normal_lengths ? instance->normal_lengths[i] : 1;
    for (int k = 0; k < 3 && instance->normals; k++)
        v->normal[k] = normal[k] * length;
    if (!instance->normals) /* without normals, lights that depend on an angle add nothing */
        memset(v->view_normal, 0, sizeof v->view_normal);
    if (instance->tangents) {
        const float *t = view->tangents[at], *n = view->normals[at];
        const float b[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                            n[0] * t[1] - n[1] * t[0]};
        memcpy(v->tangent, t, sizeof v->tangent);
        for (int k = 0; k < 3; k++)
            v->binormal[k] = b[k] * t[3];
        rotate((const float(*)[4])view->camera, v->tangent, v->view_tangent);
        rotate((const float(*)[4])view->camera, v->binormal, v->view_binormal);
    }
    for (int set = 0; set < 8; set++) {
        const float *from = instance->texcoords[set];
        if (from)
            memcpy(v->texcoords[set], from + (size_t)i * instance->texcoord_components[set],
                   sizeof v->texcoords[set]);
        if (from && !view->renderer->scene->axes.uv_origin_top)
            v->texcoords[set][1] = 1 - v->texcoords[set][1];
    }
    stored_color(instance->colors, instance->stored[0], i, v->colors[0]);
    stored_color(instance->color1, instance->stored[1], i, v->colors[1]);
    /* If a mesh has only the second color, show it as the first. */
    if (!instance->colors && !instance->stored[0] && (instance->color1 || instance->stored[1]))
        memcpy(v->colors[0], v->colors[1], 4);
}

static void light_vertices(void *argument, size_t index)
{
    facet_render_view *view = argument;
    lighting l = {.view = view, .draw = &view->draws[view->solid_end + index]};
    set_lighting(&l);
    uint32_t texgens = l.texgens.count;
    uint8_t chosen[8];
    memset(chosen, 255, sizeof chosen);
    for (uint32_t i = 0; i < l.draw->instance->vertex_count; i++) {
        facet_gx_vertex vertex;
        float coordinates[8][3];
        get_vertex(&l, i, &vertex);
        choose_matrices(&l, i, chosen);
        facet_gx_light_vertex(l.draw->material->gx, l.lights, &vertex, l.draw->rasters[i].colors);
        facet_gx_texgens_run(&l.texgens, l.lights, &vertex,
                             (const uint8_t(*)[4])l.draw->rasters[i].colors, coordinates);
        memcpy(l.draw->coordinates + (size_t)i * texgens, coordinates,
               texgens * sizeof *coordinates);
    }
}

facet_status facet_render_light_vertices(facet_render_view *view)
{
    for (uint32_t d = view->solid_end; d < view->console_end; d++) {
        facet_render_draw *draw = &view->draws[d];
        uint32_t count = draw->instance->vertex_count;
        uint32_t texgens = draw->material->program.texgen_count;
        draw->rasters = facet_arena_allocate(view->arena, count, sizeof *draw->rasters);
        draw->coordinates =
            facet_arena_allocate(view->arena, (size_t)count * texgens, sizeof *draw->coordinates);
        if (!draw->rasters || !draw->coordinates)
            return facet_fail_arena(view->arena, view->error);
    }
    facet_run(view->options, light_vertices, view, view->console_end - view->solid_end);
    return FACET_OK;
}

/* -- Samples ------------------------------------------------------------ */

/* Four values at the first corner of a triangle, and the differences of the others to it. */
typedef struct corner_values {
    facet_floats first, differences[2];
} corner_values;

static void set_values(corner_values *to, float corners[3][FACET_FLOATS])
{
    to->first = facet_floats_load(corners[0]);
    for (int i = 0; i < 2; i++)
        to->differences[i] = facet_floats_subtract(facet_floats_load(corners[i + 1]), to->first);
}

static inline facet_floats values_at(const corner_values *values, const float shares[2])
{
    facet_floats at = facet_floats_add_product(values->first, facet_floats_all(shares[0]),
                                               values->differences[0]);
    return facet_floats_add_product(at, facet_floats_all(shares[1]), values->differences[1]);
}

/* State of a triangle while its samples are drawn. */
typedef struct drawing {
    const facet_render_view *view;
    const facet_render_triangle *triangle;
    const facet_render_material *material;
    const facet_gx_program *program;
    corner_values colors[2], coordinates[8];
    uint32_t sizes[8][2]; /* size in texels, for each coordinate */
    bool mips;            /* a texture uses mip levels */
    float steps[8][4];    /* change of each coordinate to the next pixel: u, v by x, y */
    facet_gx_fog_registers fog;
    bool has_fog;
} drawing;

static void set_corners(drawing *d)
{
    const facet_render_draw *draw = d->triangle->draw;
    uint32_t texgens = d->program->texgen_count;
    for (uint32_t k = 0; k < 2 + texgens; k++) {
        float corners[3][FACET_FLOATS] = {{0}};
        for (int i = 0; i < 3; i++) {
            uint32_t v = d->triangle->corners[i] - draw->instance->first_vertex;
            for (int c = 0; c < 4 && k < 2; c++)
                corners[i][c] = draw->rasters[v].colors[k][c];
            if (k >= 2)
                memcpy(corners[i], draw->coordinates + (size_t)v * texgens + (k - 2),
                       sizeof *draw->coordinates);
        }
        set_values(k < 2 ? &d->colors[k] : &d->coordinates[k - 2], corners);
    }
    for (uint32_t i = 0; i < texgens; i++) {
        uint8_t map = d->program->coordinate_maps[i];
        const facet_gx_texture_unit *unit = &d->material->units[map < 8 ? map : 0];
        d->sizes[i][0] = unit->levels[0].width;
        d->sizes[i][1] = unit->levels[0].height;
    }
    d->mips = false;
    for (uint32_t i = 0; i < 8; i++)
        d->mips |= d->material->units[i].min_filter != d->material->units[i].mag_filter;
}

/* Compute s / q and t / q of a coordinate. */
static inline void coordinate_at(const drawing *d, const float shares[2], uint32_t i, float out[2])
{
    facet_floats c = values_at(&d->coordinates[i], shares);
    float q = facet_floats_lane(c, 2);
    out[0] = facet_floats_lane(c, 0);
    out[1] = facet_floats_lane(c, 1);
    if (q != 0 && q != 1) {
        out[0] /= q;
        out[1] /= q;
    }
}

static float absolute(float v)
{
    return v < 0 ? -v : v;
}

/* Set the change of each coordinate per pixel, whatever the number of samples per pixel. `at` has
 * the coordinates at x, y. */
static void set_steps(drawing *d, float x, float y, float at[8][2])
{
    float grid = (float)d->view->grid, next_x[2], next_y[2];
    facet_render_shares(d->triangle, x + grid, y, next_x);
    facet_render_shares(d->triangle, x, y + grid, next_y);
    for (uint32_t i = 0; i < d->program->texgen_count; i++) {
        const float *here = at[i];
        float right[2], below[2];
        coordinate_at(d, next_x, i, right);
        coordinate_at(d, next_y, i, below);
        float width = (float)d->sizes[i][0], height = (float)d->sizes[i][1];
        d->steps[i][0] = absolute(right[0] - here[0]) * width;
        d->steps[i][1] = absolute(right[1] - here[1]) * height;
        d->steps[i][2] = absolute(below[0] - here[0]) * width;
        d->steps[i][3] = absolute(below[1] - here[1]) * height;
    }
}

static void look_up(void *user, unsigned map, unsigned texcoord, const int32_t at[2],
                    uint8_t texel[4])
{
    const drawing *d = user;
    const facet_gx_texture_unit *unit = &d->material->units[map];
    int lod = 0;
    bool smaller = false;
    if (unit->min_filter != unit->mag_filter) {
        const float *s = d->steps[texcoord];
        lod =
            facet_gx_lod(unit, facet_gx_movement(unit->edge_lod, s[0], s[1], s[2], s[3]), &smaller);
    }
    facet_gx_sample(unit, at, lod, smaller, texel);
}

static void run(drawing *d, float x, float y, uint8_t out[4])
{
    facet_gx_fragment fragment;
    float shares[2], coordinates[8][2];
    facet_render_shares(d->triangle, x, y, shares);
    for (int k = 0; k < 2; k++) {
        facet_floats v = values_at(&d->colors[k], shares);
        v = facet_floats_smaller(facet_floats_larger(v, facet_floats_all(0)),
                                 facet_floats_all(255));
        v = facet_floats_add(v, facet_floats_all(0.5f));
        for (int c = 0; c < 4; c++)
            fragment.rasters[k][c] = (uint8_t)facet_floats_lane(v, c);
    }
    for (uint32_t i = 0; i < d->program->texgen_count; i++) {
        const float *c = coordinates[i];
        coordinate_at(d, shares, i, coordinates[i]);
        fragment.coordinates[i][0] = facet_gx_fixed((double)c[0], d->sizes[i][0]);
        fragment.coordinates[i][1] = facet_gx_fixed((double)c[1], d->sizes[i][1]);
    }
    if (d->mips)
        set_steps(d, x, y, coordinates);
    facet_gx_program_run(d->program, &fragment, look_up, d, out);
}

/* -- Tests and the frame ------------------------------------------------ */

/* Here depths grow toward the viewer; on the chip they grow away from the viewer. */
static bool passes(const facet_gx_depth *how, float depth, float stored)
{
    bool nearer = how->comparison & 1, same = how->comparison & 2, farther = how->comparison & 4;
    return depth > stored ? nearer : depth == stored ? same : farther;
}

/* Coverage of a sample, for pictures without background. */
static uint8_t cover(const facet_gx_blend *blend, const uint8_t color[4], uint8_t covered)
{
    uint32_t alpha = 255;
    if (blend->type == 1 && (blend->source == 4 || blend->destination == 5))
        alpha = color[3];
    else if (blend->type == 3 || (blend->type == 1 && blend->destination == 1))
        alpha = 0;
    return (uint8_t)(255 - (255 - covered) * (255 - alpha) / 255);
}

/* Depth of a sample, from 0 (near) to 2^24 (far), in the projection of the fog. Fog depends on the
 * distance, not on the near and far planes of this camera. */
static uint32_t fog_depth(const drawing *d, float depth)
{
    const facet_render_view *view = d->view;
    const facet_gx_fog *fog = &d->material->gx->fog;
    float near_z = view->near_z, far_z = view->far_z, span = far_z - near_z;
    float away =
        view->is_perspective ? near_z * far_z / (depth * span + near_z) : far_z - depth * span;
    float fog_span = fog->far_z - fog->near_z, part = 0;
    if (d->fog.orthographic)
        part = (away - fog->near_z) / fog_span;
    else
        part = fog->far_z / fog_span * (1 - fog->near_z / away);
    return part > 0 ? (uint32_t)((part < 1 ? part : 1) * 16777215) : 0; /* also if `part` is NaN */
}

static void put_sample(drawing *d, int32_t i, float depth, float *depths, facet_render_frame *frame,
                       const uint8_t drawn[4])
{
    const facet_gx_material *gx = d->material->gx;
    uint8_t color[4];
    memcpy(color, drawn, 4);
    if (!facet_gx_alpha_passes(&gx->alpha_compare, color[3]))
        return;
    if (d->has_fog)
        facet_gx_fog_apply(&d->fog, fog_depth(d, depth), color);
    if (gx->depth.test && gx->depth.write && !gx->early_depth)
        depths[i] = depth;
    frame->covered[i] = cover(&gx->blend, color, frame->covered[i]);
    uint8_t alpha = frame->color[i][3];
    facet_gx_blend_into(&gx->blend, color, frame->color[i]);
    frame->color[i][3] = alpha; /* stays 255: the game's content is unknown */
}

uint32_t facet_render_console_triangle(const facet_render_view *view,
                                       const facet_render_triangle *triangle, float *depths,
                                       facet_render_frame *frame)
{
    const facet_gx_material *gx = triangle->draw->material->gx;
    drawing d = {.view = view,
                 .triangle = triangle,
                 .material = triangle->draw->material,
                 .program = &triangle->draw->material->program};
    bool ready = false;
    uint32_t colored = 0;
    for (int32_t y = triangle->top; y < triangle->bottom; y++) {
        for (int32_t x = triangle->left; x < triangle->right; x++) {
            int32_t i = y * SIDE + x;
            if (!facet_render_covers(triangle, x, y))
                continue;
            float depth = facet_render_depth_at(triangle, x, y);
            if (gx->depth.test && !passes(&gx->depth, depth, depths[i]))
                continue;
            if (!ready) {
                ready = true;
                set_corners(&d);
                d.has_fog = view->how.fog && facet_gx_fog_make(&gx->fog, &d.fog);
            }
            if (gx->depth.test && gx->depth.write && gx->early_depth)
                depths[i] = depth;
            uint8_t color[4];
            run(&d, (float)facet_render_sample_x(triangle, x, y) * (1.0f / 256),
                (float)facet_render_sample_y(triangle, x, y) * (1.0f / 256), color);
            put_sample(&d, i, depth, depths, frame, color);
            colored++;
        }
    }
    return colored;
}
