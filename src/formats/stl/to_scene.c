/* formats/stl/to_scene.c - an STL document to a scene. */
#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/stl/stl.h"
#include "mesh/values.h"
#include "scene/material.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

#define NO_COLOR 65536 /* larger than all attributes */

/* Triangles between two progress calls. */
#define STRIDE 65536

typedef struct making {
    const facet_stl *stl;
    const facet_options *options;
    facet_scene *scene;
    bool is_uniform; /* the material has the color of all triangles */
    facet_error *error;
} making;

static facet_status no_memory(const making *m)
{
    return facet_fail_arena(m->scene->arena, m->error);
}

/* -- Positions ---------------------------------------------------------- */

/* Add the distinct corners of a solid. */
static facet_status add_positions(const making *m, facet_mesh *mesh, const facet_stl_solid *solid)
{
    facet_arena *arena = m->scene->arena;
    uint32_t corners = mesh->corner_count, distinct = 0;
    facet_stream *stream = NULL;
    TRY(facet_mesh_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, corners, &stream,
                              m->error));
    facet_status status = FACET_OK;
    /* The solid's share of the total progress, in two halves. */
    const double all = m->stl->triangle_count, begin = solid->first_triangle / all,
                 end = (solid->first_triangle + solid->triangle_count) / all,
                 middle = (begin * 2 + end) / 3, copying[2] = {begin, middle};
    const facet_stretch numbering = {m->options, "read meshes", {middle, end}};
    float(*points)[3] = stream->data;
    for (uint32_t i = 0; i < solid->triangle_count; i++) {
        if (i % STRIDE == 0 && (status = facet_step_within(m->options, "read meshes", copying, i,
                                                           solid->triangle_count, m->error)))
            return status;
        facet_stl_triangle triangle = facet_stl_get(m->stl, solid->first_triangle + i);
        memcpy(points[(size_t)i * 3], triangle.corners, sizeof triangle.corners);
    }
    stream->indices = facet_arena_allocate(arena, corners, sizeof *stream->indices);
    if (!stream->indices)
        return no_memory(m);
    facet_column column = {points, FACET_FLOAT32, 3};
    TRY(facet_values_number(&column, 1, corners, arena, &numbering, stream->indices, &distinct,
                            m->error));
    /* First occurrences are in order, so they can be moved down in place. */
    uint32_t next = 0;
    for (uint32_t i = 0; i < corners; i++) {
        if (stream->indices[i] == next)
            memmove(points[next++], points[i], sizeof points[0]);
    }
    void *fitted = facet_arena_resize(arena, stream->data, corners, distinct, sizeof points[0]);
    if (!fitted)
        return no_memory(m);
    stream->data = fitted;
    stream->count = distinct;
    return FACET_OK;
}

/* -- Colors ------------------------------------------------------------- */

/* Number the distinct attributes of a solid. Returns their count. */
static uint32_t number_colors(const making *m, const facet_stl_solid *solid, uint32_t *elements)
{
    uint32_t count = 0;
    float rgb[3];
    memset(elements, 0xFF, NO_COLOR * sizeof *elements);
    for (uint32_t i = 0; i < solid->triangle_count; i++) {
        uint16_t attributes = facet_stl_get(m->stl, solid->first_triangle + i).attributes;
        if (elements[attributes] == FACET_NONE && facet_stl_color(m->stl, attributes, rgb))
            elements[attributes] = count++;
    }
    return count;
}

static facet_status fill_colors(const making *m, facet_mesh *mesh, const facet_stl_solid *solid,
                                const uint32_t *elements, uint32_t count)
{
    const bool alpha = facet_stl_has_alpha(m->stl);
    const uint32_t width = alpha ? 4 : 3;
    facet_stream *stream = NULL;
    TRY(facet_mesh_add_stream(mesh, FACET_COLOR, 0, NULL, FACET_FLOAT32, width, count, &stream,
                              m->error));
    stream->indices =
        facet_arena_allocate(m->scene->arena, mesh->corner_count, sizeof *stream->indices);
    if (!stream->indices)
        return no_memory(m);
    float *colors = stream->data;
    for (uint32_t value = 0; value < NO_COLOR; value++) {
        if (elements[value] == FACET_NONE)
            continue;
        float *color = colors + (size_t)elements[value] * width;
        facet_stl_color(m->stl, (uint16_t)value, color);
        if (alpha)
            color[3] = (float)m->stl->object_color[3] / 255;
    }
    facet_srgb_decode_colors(colors, count, width);
    for (uint32_t i = 0; i < mesh->corner_count; i++)
        stream->indices[i] =
            elements[facet_stl_get(m->stl, solid->first_triangle + i / 3).attributes];
    return FACET_OK;
}

static facet_status add_colors(const making *m, facet_mesh *mesh, const facet_stl_solid *solid)
{
    if (m->stl->colors == FACET_STL_COLORS_NONE)
        return FACET_OK;
    facet_arena *arena = m->scene->arena;
    uint32_t *elements = facet_arena_allocate(arena, NO_COLOR, sizeof *elements);
    if (!elements)
        return no_memory(m);
    uint32_t count = number_colors(m, solid, elements);
    facet_status status = count > 0 ? fill_colors(m, mesh, solid, elements, count) : FACET_OK;
    facet_arena_release(arena, elements, NO_COLOR, sizeof *elements);
    return status;
}

/* -- Materials ---------------------------------------------------------- */

static void read_color(const uint8_t bytes[3], float color[3])
{
    for (int i = 0; i < 3; i++)
        color[i] = (float)bytes[i] / 255;
    facet_srgb_decode_colors(color, 1, 3);
}

/* True if all triangles have the color of the object. */
static bool have_one_color(const facet_stl *stl)
{
    uint32_t i = 0;
    while (i < stl->triangle_count && facet_stl_get(stl, i).attributes & 0x8000)
        i++;
    return i == stl->triangle_count;
}

bool facet_stl_has_material(const facet_stl *stl)
{
    return stl->encoding == FACET_STL_BINARY && facet_stl_material(stl);
}

/* Its diffuse color is that of the material, if no triangle has its own; otherwise it is a color of
 * vertices, which the material must not change. */
facet_status facet_stl_add_material(const facet_stl *stl, facet_scene *scene, bool *is_uniform,
                                    facet_error *error)
{
    facet_material *material = NULL;
    facet_classic classic;
    *is_uniform = false;
    if (!facet_stl_has_material(stl))
        return FACET_OK;
    const uint8_t *colors = facet_stl_material(stl);
    TRY(facet_scene_add_named_material(scene, "", &material, error));
    facet_classic_init(&classic);
    *is_uniform = have_one_color(stl);
    if (*is_uniform) {
        read_color(colors, classic.diffuse);
        classic.opacity = (float)colors[3] / 255;
        classic.stated = FACET_CLASSIC_DIFFUSE | (colors[3] < 255 ? FACET_CLASSIC_OPACITY : 0);
    }
    read_color(colors + 4, classic.specular);
    read_color(colors + 8, classic.ambient);
    classic.stated |= FACET_CLASSIC_SPECULAR | FACET_CLASSIC_AMBIENT;
    return facet_scene_set_classic(scene, material, &classic, error);
}

static facet_status set_material(const making *m, facet_mesh *mesh)
{
    if (m->scene->material_count == 0)
        return FACET_OK;
    mesh->face_materials = facet_arena_allocate_zeroed(m->scene->arena, mesh->face_count,
                                                       sizeof *mesh->face_materials);
    return mesh->face_materials ? FACET_OK : no_memory(m);
}

/* -- Meshes ------------------------------------------------------------- */

static facet_status add_solid(const making *m, const facet_stl_solid *solid)
{
    facet_mesh *mesh = NULL;
    if (solid->triangle_count == 0)
        return FACET_OK;
    TRY(facet_scene_add_mesh(m->scene, &mesh, m->error));
    mesh->name = facet_scene_string(m->scene, solid->name);
    if (!mesh->name)
        return no_memory(m);
    mesh->face_count = solid->triangle_count;
    mesh->corner_count = solid->triangle_count * 3;
    TRY(add_positions(m, mesh, solid));
    TRY(set_material(m, mesh));
    return m->is_uniform ? FACET_OK : add_colors(m, mesh, solid);
}

static facet_status make(making *m, const facet_load_options *load, const facet_options *options)
{
    facet_stl_solid whole = {"", 0, m->stl->triangle_count};
    facet_status status = FACET_OK;
    if (m->stl->triangle_count > FACET_NONE / 3 - 1)
        return facet_fail(m->error, FACET_ERROR_LIMIT, "STL-LIMIT", FACET_NO_OFFSET,
                          "%" PRIu32 " triangles have more corners than 32 bits can count",
                          m->stl->triangle_count);
    if (m->stl->triangle_count > 0)
        status = facet_stl_add_material(m->stl, m->scene, &m->is_uniform, m->error);
    for (uint32_t i = 0; i < m->stl->solid_count && !status; i++)
        status = add_solid(m, &m->stl->solids[i]);
    if (!status && m->stl->solid_count == 0)
        status = add_solid(m, &whole);
    if (!status)
        status = facet_scene_replace_nonfinite(m->scene, options, m->error);
    return status ? status : facet_scene_extract_collision(m->scene, load, options, m->error);
}

facet_status facet_stl_to_scene(const facet_stl *document, const facet_load_options *load,
                                const facet_options *options, facet_scene **scene,
                                facet_error *error)
{
    making m = {.stl = document, .options = options, .error = error};
    facet_status status = facet_stl_check_document(document, error);
    if (!status)
        status = facet_scene_create(options, &m.scene, error);
    if (status)
        return status;
    status = make(&m, load, options);
    if (status) {
        facet_scene_free(m.scene);
        return status;
    }
    *scene = m.scene;
    return FACET_OK;
}
