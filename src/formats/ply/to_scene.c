/* formats/ply/to_scene.c - a PLY document to a scene. */
#include "formats/ply/to_scene.h"
#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "formats/ply/ply.h"

#include "formats/ply/to_scene_names.h"
#include "scene/material.h"

#include <inttypes.h>
#include <string.h>

/* Maximum number of properties with unknown names that become custom streams. */
#define MAX_CUSTOM 32

static facet_status no_memory(const facet_ply_making *m)
{
    return facet_fail_arenas(m->scratch, m->scene->arena, m->error);
}

/* -- Vertices ----------------------------------------------------------- */

/* True if these are adjacent floats, so that a record needs one copy. */
static bool are_adjacent(const facet_ply_property *const *found, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        if (!found[i]->data || found[i]->type != FACET_PLY_FLOAT32 || found[i]->swapped ||
            found[i]->stride != found[0]->stride || found[i]->data != found[0]->data + i * 4)
            return false;
    }
    return true;
}

static inline void copy_records(float *to, const facet_ply_property *first, uint32_t count,
                                uint32_t width)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * width, first->data + i * first->stride, width * sizeof *to);
}

static facet_status fill(const facet_ply_making *m, const facet_stream *stream,
                         const facet_ply_property *const *found)
{
    uint32_t count = stream->count, width = stream->components;
    float *to = stream->data, tile[1024];
    if (are_adjacent(found, width)) {
        if (width == 3)
            copy_records(to, found[0], count, 3);
        else
            copy_records(to, found[0], count, width);
        return FACET_OK;
    }
    for (uint32_t k = 0; k < width; k++) {
        float unit = stream->semantic == FACET_COLOR    ? facet_ply_color_unit(found[k]->type)
                     : stream->semantic == FACET_NORMAL ? facet_ply_unit(found[k]->type)
                                                        : 1;
        for (uint32_t first = 0; first < count; first += 1024) {
            uint32_t some = count - first < 1024 ? count - first : 1024;
            facet_ply_read_values(found[k], first, some, FACET_PLY_FLOAT32, tile);
            for (uint32_t i = 0; i < some; i++)
                to[((size_t)first + i) * width + k] = tile[i] / unit;
        }
        if (found[k]->type == FACET_PLY_FLOAT64)
            facet_report_add(m->report, "LOSS-PRECISION", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                             "property '%s' has doubles, which become the nearest floats",
                             found[k]->name);
    }
    return FACET_OK;
}

static facet_status add_known(facet_ply_making *m, bool *used)
{
    facet_status status = FACET_OK;
    for (size_t i = 0; i < facet_ply_stream_count && !status; i++) {
        const facet_ply_stream_names *names = &facet_ply_streams[i];
        const facet_ply_property *found[4];
        uint32_t width = facet_ply_match(m->vertices, names, found);
        facet_stream *stream = NULL;
        if (width == 0 || facet_mesh_find(m->mesh, names->semantic, 0))
            continue;
        TRY(facet_mesh_add_stream(m->mesh, names->semantic, 0, NULL, FACET_FLOAT32, width,
                                  m->vertices->count, &stream, m->error));
        stream->indices = m->corners;
        status = fill(m, stream, found);
        if (!status && stream->semantic == FACET_COLOR) {
            facet_ply_scale_colors(found, stream->data, stream->count, width, m->report);
            facet_srgb_decode_colors(stream->data, stream->count, width);
        }
        for (uint32_t k = 0; k < width; k++)
            used[found[k] - m->vertices->properties] = true;
    }
    return status;
}

/* Add numbers with other names as custom streams. */
static facet_status add_custom(facet_ply_making *m, const bool *used)
{
    static const facet_component components[] = {
        [FACET_PLY_INT8] = FACET_INT8,       [FACET_PLY_UINT8] = FACET_UINT8,
        [FACET_PLY_INT16] = FACET_INT16,     [FACET_PLY_UINT16] = FACET_UINT16,
        [FACET_PLY_INT32] = FACET_INT32,     [FACET_PLY_UINT32] = FACET_UINT32,
        [FACET_PLY_FLOAT32] = FACET_FLOAT32, [FACET_PLY_FLOAT64] = FACET_FLOAT64};
    facet_tally lost = {0};
    facet_quoted quoted;
    uint32_t made = 0;
    for (uint32_t i = 0; i < m->vertices->property_count; i++) {
        const facet_ply_property *p = &m->vertices->properties[i];
        facet_stream *stream = NULL;
        if (used[i])
            continue;
        if (p->is_list || made == MAX_CUSTOM || facet_ply_find(m->vertices, p->name) != p) {
            facet_tally_hit(&lost, i);
            continue;
        }
        facet_status status =
            facet_mesh_add_stream(m->mesh, FACET_CUSTOM, 0, p->name, components[p->type], 1,
                                  m->vertices->count, &stream, m->error);
        if (status)
            return status;
        made++;
        stream->indices = m->corners;
        facet_ply_read_values(p, 0, m->vertices->count, p->type, stream->data);
    }
    const char *name = lost.count ? m->vertices->properties[lost.first].name : "";
    facet_report_add_tally(m->report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lost,
                           "property '%s' of the vertices is left out",
                           facet_quote(&quoted, name, strlen(name)));
    return FACET_OK;
}

static facet_status add_vertices(facet_ply_making *m)
{
    uint32_t count = m->vertices->property_count;
    bool *used = facet_arena_allocate_zeroed(m->scratch, count, sizeof *used);
    if (!used)
        return no_memory(m);
    TRY(add_known(m, used));
    return add_custom(m, used);
}

/* -- Textures ----------------------------------------------------------- */

/* Add a texture per "comment TextureFile NAME": their indices are values of "texnumber". */
static facet_status add_textures(facet_ply_making *m)
{
    static const char word[] = "TextureFile";
    for (uint32_t i = 0; i < m->ply->comment_count; i++) {
        const char *comment = m->ply->comments[i];
        comment += strspn(comment, " \t");
        if (strncmp(comment, word, sizeof word - 1) != 0)
            continue;
        const char *name = comment + sizeof word - 1;
        size_t blanks = strspn(name, " \t"), length = strlen(name + blanks);
        while (length > 0 &&
               (name[blanks + length - 1] == ' ' || name[blanks + length - 1] == '\t'))
            length--;
        if (blanks == 0 || length == 0)
            continue;
        char *path = facet_arena_string(m->scene->arena, name + blanks, length);
        facet_material *material = NULL;
        facet_texture *color;
        if (!path)
            return no_memory(m);
        TRY(facet_scene_add_named_material(m->scene, path, &material, m->error));
        TRY(facet_scene_add_map(m->scene, material, FACET_MAP_DIFFUSE, &color, m->error));
        color->path = path;
    }
    return FACET_OK;
}

/* -- Losses ------------------------------------------------------------ */

/* Count the properties of faces that a scene cannot store. */
static facet_status count_lost(const facet_ply_making *m, facet_tally *lost)
{
    static const char *const lists[] = {"vertex_indices", "vertex_index", "texcoord"};
    uint32_t count = m->faces ? m->faces->property_count : 0;
    bool *used = facet_arena_allocate_zeroed(m->scratch, count, sizeof *used);
    if (!used)
        return no_memory(m);
    const facet_ply_property *found[4];
    size_t taken = sizeof lists / sizeof *lists - m->drops_texcoords;
    for (size_t i = 0; count > 0 && i < taken; i++) {
        found[0] = facet_ply_find(m->faces, lists[i]);
        if (found[0] && found[0]->is_list)
            used[found[0] - m->faces->properties] = true;
    }
    found[0] = count > 0 ? facet_ply_find(m->faces, "texnumber") : NULL;
    if (found[0] && !found[0]->is_list)
        used[found[0] - m->faces->properties] = true;
    for (size_t i = 0; count > 0 && i < facet_ply_stream_count; i++) {
        uint32_t width = facet_ply_streams[i].semantic == FACET_COLOR && !m->drops_colors
                             ? facet_ply_match(m->faces, &facet_ply_streams[i], found)
                             : 0;
        for (uint32_t k = 0; k < width; k++)
            used[found[k] - m->faces->properties] = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!used[i])
            facet_tally_hit(lost, i);
    }
    return FACET_OK;
}

/* Report properties of edges or strips that are not their vertices. */
static void say_unread(const facet_ply_making *m, const char *what, const char *one,
                       const char *other)
{
    const facet_ply_element *element = facet_ply_find_element(m->ply, what);
    facet_tally lost = {0};
    facet_quoted quoted;
    for (uint32_t i = 0; element && element->count > 0 && i < element->property_count; i++) {
        const char *name = element->properties[i].name;
        if (strcmp(name, one) != 0 && strcmp(name, other) != 0)
            facet_tally_hit(&lost, i);
    }
    const char *name = lost.count ? element->properties[lost.first].name : "";
    facet_report_add_tally(m->report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lost,
                           "property '%s' of element '%s' is left out",
                           facet_quote(&quoted, name, strlen(name)), what);
}

/* True for a binary file whose positions are doubles. */
static bool has_doubles(const facet_ply *ply, const facet_ply_element *vertices)
{
    const facet_ply_property *x = facet_ply_find(vertices, "x");
    return ply->encoding != FACET_PLY_ASCII && x && x->type == FACET_PLY_FLOAT64;
}

static facet_status say_losses(const facet_ply_making *m)
{
    static const char *const known[] = {"vertex", "face", "tristrips", "edge"};
    facet_tally elements = {0}, properties = {0};
    facet_quoted quoted;
    for (uint32_t i = 0; i < m->ply->element_count; i++) {
        const facet_ply_element *element = &m->ply->elements[i];
        bool taken = element->count == 0;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            taken |= strcmp(element->name, known[k]) == 0 &&
                     facet_ply_find_element(m->ply, element->name) == element;
        if (!taken)
            facet_tally_hit(&elements, i);
    }
    TRY(count_lost(m, &properties));
    const char *name = elements.count ? m->ply->elements[elements.first].name : "";
    facet_report_add_tally(m->report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &elements, "element '%s' is left out",
                           facet_quote(&quoted, name, strlen(name)));
    name = properties.count ? m->faces->properties[properties.first].name : "";
    facet_report_add_tally(m->report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &properties, "property '%s' of the faces is left out",
                           facet_quote(&quoted, name, strlen(name)));
    facet_tally infos = {m->ply->info_count, 0};
    facet_report_add_tally(m->report, "LOSS-UNREAD", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &infos,
                           "a line of obj_info is left out");
    say_unread(m, "edge", "vertex1", "vertex2");
    say_unread(m, "tristrips", "vertex_indices", "vertex_index");
    if (m->vertices->count == 0)
        facet_report_add(m->report, "PLY-EMPTY", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the file has no vertex");
    return FACET_OK;
}

/* -- The conversion ---------------------------------------------------- */

/* True if faces have values besides their corners. */
static bool have_values(const facet_ply_making *m)
{
    const facet_ply_property *found[4];
    bool any = m->faces && (facet_ply_find(m->faces, "texcoord") || m->scene->material_count > 0);
    for (size_t i = 0; m->faces && i < facet_ply_stream_count; i++)
        any |= facet_ply_streams[i].semantic == FACET_COLOR &&
               facet_ply_match(m->faces, &facet_ply_streams[i], found) > 0;
    return any;
}

static facet_status make(facet_ply_making *m)
{
    const facet_ply_property *found[4];
    m->vertices = facet_ply_find_element(m->ply, "vertex");
    m->faces = facet_ply_find_element(m->ply, "face");
    m->strips = facet_ply_find_element(m->ply, "tristrips");
    if (!m->vertices || facet_ply_match(m->vertices, &facet_ply_streams[0], found) == 0)
        return facet_fail(m->error, FACET_ERROR_UNSUPPORTED, "PLY-VERTEX-MISSING", FACET_NO_OFFSET,
                          "no element 'vertex' with numbers x, y and z");
    facet_status status = add_textures(m);
    if (!status)
        status = facet_scene_add_mesh(m->scene, &m->mesh, m->error);
    if (status)
        return status;
    m->face_values = have_values(m);
    status = facet_ply_faces_to_scene(m);
    if (!status)
        status = add_vertices(m);
    if (!status)
        status = facet_mesh_show_vertices(m->mesh, m->error);
    if (!status)
        status = facet_ply_face_values_to_scene(m);
    return status ? status : say_losses(m);
}

facet_status facet_ply_to_scene(const facet_ply *document, const facet_load_options *load,
                                const facet_options *options, facet_scene **scene,
                                facet_error *error)
{
    facet_ply_making m = {
        .ply = document, .report = options ? options->report : NULL, .error = error};
    facet_status status = facet_ply_check_document(document, error);
    if (!status)
        status = facet_scene_create(options, &m.scene, error);
    if (status)
        return status;
    status = facet_arena_create(options, &m.scratch, error);
    if (!status)
        status = make(&m);
    facet_arena_free(m.scratch);
    if (!status)
        status = facet_scene_replace_nonfinite(m.scene, options, error);
    if (!status && has_doubles(document, m.vertices))
        facet_scene_report_rounding(m.scene, NULL, options);
    if (!status)
        status = facet_scene_extract_collision(m.scene, load, options, error);
    if (status) {
        facet_scene_free(m.scene);
        return status;
    }
    *scene = m.scene;
    return FACET_OK;
}
