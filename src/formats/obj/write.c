/* formats/obj/write.c - writer of a scene as OBJ. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/color.h"
#include "base/error.h"
#include "base/output.h"
#include "base/text_output.h"
#include "formats/obj/obj.h"
#include "scene/axes.h"
#include "scene/losses.h"
#include "scene/material.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

/* -- State -------------------------------------------------------------- */

typedef struct writer {
    const facet_scene *scene;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    facet_arena *scratch;
    facet_text_output out;
    const char *const *materials; /* names in the file */
    uint64_t lost_images;         /* that no map names */
    uint64_t bases[3];            /* number of elements of previous meshes: position, texcoord,
                                   * normal */
    uint32_t material;            /* material of the last face */
    uint32_t texcoord_set;        /* the set of texture coordinates that is written */
    uint64_t smoothing;           /* smoothing of the last face; UINT64_MAX before the first */
    const char *object, *group;   /* current names; "" before the first */
    bool turned;                  /* the scene's axes differ from OBJ's */
    facet_lost_streams lost_streams;
    uint64_t lines, all_lines; /* written lines and total lines: one per element and face */
} writer;

/* Lines between two progress calls. */
#define STEP 32768

/* Count one line. */
static facet_status count_line(writer *w)
{
    if (w->lines++ % STEP != 0)
        return FACET_OK;
    return facet_step(w->options, "write", (double)w->lines / (double)w->all_lines, w->error);
}

/* -- Names -------------------------------------------------------------- */

/* A name that reads back unchanged: control characters, and blanks at its ends, become '_'. The
 * same pointer if nothing changes. */
static const char *clean_name(writer *w, const char *name)
{
    size_t length = strlen(name);
    bool clean = true;
    for (size_t i = 0; i < length; i++) {
        bool edge = i == 0 || i == length - 1;
        bool bad = (unsigned char)name[i] < ' ' || (edge && name[i] == ' ') ||
                   (i == length - 1 && name[i] == '\\');
        clean &= !bad;
    }
    if (clean)
        return name;
    char *copy = facet_arena_string(w->scratch, name, length);
    for (size_t i = 0; copy && i < length; i++) {
        bool edge = i == 0 || i == length - 1;
        if ((unsigned char)copy[i] < ' ' || (edge && copy[i] == ' ') ||
            (i == length - 1 && copy[i] == '\\'))
            copy[i] = '_';
    }
    facet_quoted quoted;
    facet_report_add(w->report, "OBJ-NAME", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "the name '%s' is written with '_' for what a line cannot hold",
                     facet_quote(&quoted, name, length));
    return copy;
}

/* Add a name to the table. False without memory, or if the table has it. */
static bool take_name(facet_names *known, const char *name)
{
    uint32_t before = known->count;
    return facet_names_put(known, name, strlen(name)) == before;
}

/* Choose a free name for a material without a name, or whose name another has. After a number was
 * not free, *next is the next one: all calls together are linear. */
static const char *free_name(writer *w, facet_names *known, const char *wanted, uint32_t index,
                             uint32_t *next)
{
    const char *name = NULL;
    for (uint32_t n = index > *next ? index : *next;; *next = ++n) {
        name = *wanted ? facet_arena_format(w->scratch, "%s_%" PRIu32, wanted, n)
                       : facet_arena_format(w->scratch, "material_%" PRIu32, n);
        if (!name || facet_names_find(known, name, strlen(name)) == FACET_NONE)
            break;
    }
    const char *old = w->scene->materials[index]->name;
    facet_quoted quoted;
    if (name)
        facet_report_add(w->report, "OBJ-NAME", *old ? FACET_SEVERITY_WARNING : FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET, "material %" PRIu32 ", called '%s', is written as '%s'",
                         index, facet_quote(&quoted, old, strlen(old)), name);
    return name && take_name(known, name) ? name : NULL;
}

/* Choose unique names for all materials. The first of each name keeps it, so that only others are
 * renamed. */
static facet_status name_materials(writer *w)
{
    const facet_scene *scene = w->scene;
    const char **names =
        facet_arena_allocate_zeroed(w->scratch, scene->material_count, sizeof *names);
    const char **wanted = facet_arena_allocate(w->scratch, scene->material_count, sizeof *wanted);
    facet_names known = facet_names_make(w->scratch);
    uint32_t next = 0;
    if (!names || !wanted)
        return facet_fail_arena(w->scratch, w->error);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        wanted[i] = clean_name(w, scene->materials[i]->name);
        if (!wanted[i])
            return facet_fail_arena(w->scratch, w->error);
        if (*wanted[i] && take_name(&known, wanted[i]))
            names[i] = wanted[i];
    }
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (!names[i])
            names[i] = free_name(w, &known, wanted[i], i, &next);
        if (!names[i])
            return facet_fail_arena(w->scratch, w->error);
    }
    w->materials = names;
    return FACET_OK;
}

/* -- Materials ---------------------------------------------------------- */

/* Count the images that no map in the library names. `pictures` has the names of written ones. */
static facet_status count_lost_images(writer *w, const char *const *pictures)
{
    const facet_scene *scene = w->scene;
    bool *named = facet_arena_allocate_zeroed(w->scratch, scene->image_count, sizeof *named);
    if (!named)
        return facet_fail_arena(w->scratch, w->error);
    facet_obj_mark_images(scene, true, named);
    for (uint32_t i = 0; i < scene->image_count; i++)
        w->lost_images += !pictures[i] && !named[i];
    return FACET_OK;
}

/* Write the library next to the output, and its name into the OBJ. */
static facet_status write_library(writer *w, facet_output *output)
{
    if (w->scene->material_count == 0)
        return FACET_OK;
    facet_output *library = NULL;
    facet_status status = facet_output_open_sibling(output, ".mtl", &library, w->error);
    if (status == FACET_ERROR_UNSUPPORTED) {
        facet_report_add(
            w->report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "materials are written by name only: a stream cannot have a second file next to it");
        return FACET_OK;
    }
    if (!status && !*facet_output_name(library)) /* a memory output without a name */
        status = facet_output_set_name(library, "scene.mtl", w->error);
    if (status)
        return status;
    facet_put_text(&w->out, "mtllib ");
    facet_put_text(&w->out, facet_output_name(library));
    facet_put_text(&w->out, "\n");
    const char **pictures;
    TRY(facet_obj_write_pictures(w->scene, w->options, output, w->scratch, &pictures, w->error));
    facet_obj_write_library(w->scene, w->materials, pictures, w->options, library);
    return count_lost_images(w, pictures);
}

/* -- Elements ----------------------------------------------------------- */

static facet_status write_vectors(writer *w, const char *word, const facet_stream *stream,
                                  const float *colors, uint32_t color_width)
{
    const float *data = stream->data;
    facet_status status = FACET_OK;
    for (size_t i = 0; i < stream->count && !(status = count_line(w)); i++) {
        float v[3];
        memcpy(v, data + i * 3, sizeof v);
        if (w->turned)
            facet_axes_turn(&w->scene->axes, v);
        facet_put_text(&w->out, word);
        facet_put_numbers(&w->out, v, 3);
        if (colors)
            facet_put_numbers(&w->out, colors + i * color_width, 3);
        facet_put_text(&w->out, "\n");
    }
    return status;
}

static facet_status write_texcoords(writer *w, const facet_stream *stream)
{
    const float *data = stream->data;
    facet_status status = FACET_OK;
    for (size_t i = 0; i < stream->count && !(status = count_line(w)); i++) {
        float v[3];
        memcpy(v, data + i * stream->components, stream->components * sizeof *v);
        if (facet_axes_flips_v(&w->scene->axes, false))
            v[1] = 1 - v[1];
        facet_put_text(&w->out, "vt");
        facet_put_numbers(&w->out, v, stream->components);
        facet_put_text(&w->out, "\n");
    }
    return status;
}

/* Colors by position, in sRGB; NULL if a position has two colors, or none. */
static facet_status position_colors(writer *w, const facet_mesh *mesh, const facet_stream *stream,
                                    const float **colors)
{
    const facet_stream *positions = &mesh->streams[0];
    *colors = NULL;
    uint32_t *used = facet_arena_allocate(w->scratch, positions->count, sizeof *used);
    uint32_t width = stream->components;
    float *gathered = facet_arena_allocate(w->scratch, positions->count, width * sizeof *gathered);
    if (!used || !gathered)
        return facet_fail_arena(w->scratch, w->error);
    memset(used, 0xFF, positions->count * sizeof *used);
    for (size_t i = 0; i < (size_t)positions->count * width; i++)
        gathered[i] = 1;
    const float *data = stream->data;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        uint32_t position = positions->indices[corner], color = stream->indices[corner];
        if (color == FACET_NONE || used[position] == color)
            continue;
        float *to = gathered + (size_t)position * width;
        const float *from = data + (size_t)color * width;
        if (used[position] != FACET_NONE && memcmp(to, from, width * sizeof *to) != 0) {
            facet_report_add(w->report, "LOSS-COLORS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "colors are left out: a vertex has several, OBJ holds one");
            return FACET_OK;
        }
        used[position] = color;
        memcpy(to, from, width * sizeof *to);
    }
    facet_srgb_encode_colors(gathered, positions->count, width);
    *colors = gathered;
    return FACET_OK;
}

static facet_status write_elements(writer *w, const facet_mesh *mesh)
{
    const facet_stream *colors = facet_mesh_find(mesh, FACET_COLOR, 0),
                       *texcoords = facet_mesh_find(mesh, FACET_TEXCOORD, w->texcoord_set),
                       *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    const float *by_position = NULL;
    facet_status status = colors ? position_colors(w, mesh, colors, &by_position) : FACET_OK;
    if (status)
        return status;
    status = write_vectors(w, "v", &mesh->streams[0], by_position, colors ? colors->components : 0);
    if (!status && texcoords)
        status = write_texcoords(w, texcoords);
    if (!status && normals)
        status = write_vectors(w, "vn", normals, NULL, 0);
    return status;
}

/* -- Faces -------------------------------------------------------------- */

static void write_corner(writer *w, const facet_stream *const streams[3], uint32_t corner)
{
    bool texcoord = streams[1] && streams[1]->indices[corner] != FACET_NONE;
    bool normal = streams[2] && streams[2]->indices[corner] != FACET_NONE;
    facet_put_text(&w->out, " ");
    facet_put_integer(&w->out, w->bases[0] + streams[0]->indices[corner] + 1);
    if (texcoord || normal)
        facet_put_text(&w->out, "/");
    if (texcoord)
        facet_put_integer(&w->out, w->bases[1] + streams[1]->indices[corner] + 1);
    if (normal) {
        facet_put_text(&w->out, "/");
        facet_put_integer(&w->out, w->bases[2] + streams[2]->indices[corner] + 1);
    }
}

static void write_material(writer *w, uint32_t material)
{
    if (material == w->material)
        return;
    facet_put_text(&w->out, "usemtl ");
    facet_put_text(&w->out, material == FACET_NONE ? "" : w->materials[material]);
    facet_put_text(&w->out, "\n");
    w->material = material;
}

static void write_face_state(writer *w, const facet_mesh *mesh, uint32_t face)
{
    write_material(w, mesh->face_materials ? mesh->face_materials[face] : FACET_NONE);
    uint32_t group = mesh->face_smoothing ? mesh->face_smoothing[face] : 0;
    if (w->smoothing == UINT64_MAX ? mesh->face_smoothing != NULL : w->smoothing != group) {
        facet_put_text(&w->out, "s ");
        if (group == 0)
            facet_put_text(&w->out, "off");
        else
            facet_put_integer(&w->out, group);
        facet_put_text(&w->out, "\n");
        w->smoothing = group;
    }
}

static facet_status write_faces(writer *w, const facet_mesh *mesh, uint32_t first, uint32_t end)
{
    const facet_stream *streams[3] = {&mesh->streams[0],
                                      facet_mesh_find(mesh, FACET_TEXCOORD, w->texcoord_set),
                                      facet_mesh_find(mesh, FACET_NORMAL, 0)};
    bool mirrored = w->scene->axes.left_handed;
    facet_status status = FACET_OK;
    for (uint32_t face = first; face < end && !(status = count_line(w)); face++) {
        write_face_state(w, mesh, face);
        facet_put_text(&w->out, "f");
        uint32_t from = facet_face_begin(mesh, face), to = facet_face_end(mesh, face);
        for (uint32_t corner = from; corner < to; corner++)
            write_corner(w, streams, mirrored ? to - 1 - (corner - from) : corner);
        facet_put_text(&w->out, "\n");
    }
    return status;
}

/* -- Parts -------------------------------------------------------------- */

/* Write the object (o) or group (g) of the next faces, unless it equals *now. */
static facet_status write_name(writer *w, const char *word, const char *name, const char **now)
{
    if (strcmp(name, *now) == 0)
        return FACET_OK;
    const char *clean = clean_name(w, name);
    if (!clean)
        return facet_fail_arena(w->scratch, w->error);
    facet_put_text(&w->out, word);
    facet_put_text(&w->out, *clean ? " " : "");
    facet_put_text(&w->out, clean);
    facet_put_text(&w->out, "\n");
    *now = name;
    return FACET_OK;
}

static facet_status write_part(writer *w, const facet_mesh *mesh, facet_part part)
{
    if (part.face_count == 0)
        return FACET_OK;
    TRY(write_name(w, "o", part.name, &w->object));
    TRY(write_name(w, "g", part.group, &w->group));
    return write_faces(w, mesh, part.first_face, part.first_face + part.face_count);
}

static facet_status write_parts(writer *w, const facet_mesh *mesh)
{
    facet_status status = FACET_OK;
    uint32_t end = 0;
    for (uint32_t i = 0; i < mesh->part_count && !status; i++) {
        const facet_part *part = &mesh->parts[i];
        facet_part gap = {"", "", end, part->first_face - end};
        status = write_part(w, mesh, gap);
        if (!status)
            status = write_part(w, mesh, *part);
        end = part->first_face + part->face_count;
    }
    facet_part rest = {mesh->part_count > 0 ? "" : mesh->name, "", end, mesh->face_count - end};
    return status ? status : write_part(w, mesh, rest);
}

/* -- Meshes ------------------------------------------------------------- */

static void list_lost_streams(writer *w, const facet_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        bool kept = stream->semantic == FACET_TEXCOORD
                        ? stream->set == w->texcoord_set
                        : stream->set == 0 &&
                              (stream->semantic == FACET_POSITION ||
                               stream->semantic == FACET_NORMAL || stream->semantic == FACET_COLOR);
        if (!kept)
            facet_lost_streams_add(&w->lost_streams, stream);
    }
}

/* Check that every float is finite: text cannot store others. */
static facet_status check_finite(writer *w, const facet_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream->component != FACET_FLOAT32 || stream->semantic == FACET_CUSTOM)
            continue;
        size_t count = (size_t)stream->count * stream->components;
        size_t bad = facet_find_nonfinite_float(stream->data, count);
        if (bad < count)
            return facet_fail(w->error, FACET_ERROR_ARGUMENT, "OBJ-NUMBER", FACET_NO_OFFSET,
                              "mesh '%s' has a value that is not finite, element %zu", mesh->name,
                              bad / stream->components);
    }
    return FACET_OK;
}

/* Write lines and points. They have no material, and not the name of another mesh. */
static facet_status write_lines(writer *w, const facet_mesh *mesh)
{
    if (mesh->line_count + mesh->point_count == 0)
        return FACET_OK;
    if (mesh->face_count == 0) {
        TRY(write_name(w, "o", mesh->name, &w->object));
        TRY(write_name(w, "g", "", &w->group));
    }
    write_material(w, FACET_NONE);
    for (int kind = 0; kind < FACET_END_KINDS; kind++) {
        facet_ends ends = facet_mesh_ends(mesh, kind);
        size_t size = kind == 0 ? 2 : 1;
        for (size_t i = 0; i < ends.count; i += size) {
            facet_put_text(&w->out, kind == 0 ? "l" : "p");
            for (size_t end = 0; end < size; end++) {
                facet_put_text(&w->out, " ");
                facet_put_integer(&w->out, w->bases[0] + ends.indices[i + end] + 1);
            }
            facet_put_text(&w->out, "\n");
        }
    }
    return FACET_OK;
}

static facet_status write_mesh(writer *w, const facet_mesh *mesh)
{
    if (mesh->stream_count == 0)
        return FACET_OK;
    TRY(check_finite(w, mesh));
    TRY(write_elements(w, mesh));
    TRY(write_parts(w, mesh));
    TRY(write_lines(w, mesh));
    list_lost_streams(w, mesh);
    static const facet_semantic semantics[3] = {FACET_POSITION, FACET_TEXCOORD, FACET_NORMAL};
    for (int i = 0; i < 3; i++) {
        const facet_stream *stream =
            facet_mesh_find(mesh, semantics[i], i == 1 ? w->texcoord_set : 0);
        w->bases[i] += stream ? stream->count : 0;
    }
    return FACET_OK;
}

static uint64_t lines_of(const writer *w, const facet_mesh *mesh)
{
    static const facet_semantic semantics[3] = {FACET_POSITION, FACET_TEXCOORD, FACET_NORMAL};
    uint64_t lines = mesh->face_count;
    for (int i = 0; i < 3; i++) {
        const facet_stream *stream =
            facet_mesh_find(mesh, semantics[i], i == 1 ? w->texcoord_set : 0);
        lines += stream ? stream->count : 0;
    }
    return lines;
}

static const facet_capacity capacity = {
    "OBJ",
    FACET_LACKS_MIP_LEVELS | FACET_LACKS_BILLBOARDS | FACET_LACKS_ASSET | FACET_LACKS_OTHER_LOOKS |
        FACET_LACKS_SKINS | FACET_LACKS_NODES | FACET_LACKS_CAMERAS | FACET_LACKS_HULLS |
        FACET_LACKS_ANIMATIONS | FACET_LACKS_EXTRAS | FACET_LACKS_COLOR_ALPHA,
    UINT8_MAX, UINT8_MAX, UINT8_MAX}; /* losses of streams are reported per mesh */

static facet_status write_scene(writer *w, facet_output *output)
{
    w->texcoord_set = facet_scene_texcoord_set(w->scene);
    facet_put_text(&w->out, "# facet\n");
    facet_status status = name_materials(w);
    if (!status)
        status = write_library(w, output);
    w->all_lines = 1;
    for (uint32_t i = 0; i < w->scene->mesh_count; i++)
        w->all_lines += lines_of(w, w->scene->meshes[i]);
    if (w->scene->occluder)
        w->all_lines += lines_of(w, w->scene->occluder);
    for (uint32_t i = 0; i < w->scene->mesh_count && !status; i++)
        status = write_mesh(w, w->scene->meshes[i]);
    if (!status && w->scene->occluder) {
        /* The name by which a reader recognizes it. */
        facet_mesh occluder = *w->scene->occluder;
        if (!*occluder.name)
            occluder.name = "occlusion_mesh";
        status = write_mesh(w, &occluder);
    }
    facet_put_flush(&w->out);
    facet_lost_streams_report(&w->lost_streams, "OBJ", w->report);
    facet_scene_report_losses(w->scene, &capacity, w->report);
    facet_tally images = {w->lost_images, 0};
    facet_report_add_tally(w->report, "LOSS-IMAGES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &images, "OBJ cannot hold images that no map of a material uses");
    return status;
}

facet_status facet_obj_write(const facet_scene *scene, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    facet_arena *scratch = NULL;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = FACET_OK;
    writer *w = facet_arena_allocate_zeroed(scratch, 1, sizeof *w);
    if (w) {
        w->scene = scene;
        w->options = options;
        w->report = options ? options->report : NULL;
        w->error = error;
        w->scratch = scratch;
        w->out.output = output;
        w->object = w->group = "";
        w->material = FACET_NONE;
        w->smoothing = UINT64_MAX;
        w->turned = facet_axes_is_turned(&scene->axes);
        status = write_scene(w, output);
    } else {
        status = facet_fail_arena(scratch, error);
    }
    facet_arena_free(scratch);
    return status;
}
