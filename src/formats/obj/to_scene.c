/* formats/obj/to_scene.c - conversion of the reader's data to a scene, with findings about skipped
 * data. */
#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf16.h"
#include "formats/obj/reader.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Streams ------------------------------------------------------------ */

/* Release the unused end of a block. A large block keeps up to an eighth of it: a copy would cost
 * more than untouched memory. */
static facet_status trim(facet_obj_reader *r, void **block, uint32_t count, uint32_t capacity,
                         size_t size)
{
    if (!*block || count == capacity ||
        (count >= capacity - capacity / 8 && count * size >= 2 * FACET_ARENA_LARGE))
        return FACET_OK;
    return facet_obj_resize(r, r->arena, block, capacity, count, size);
}

/* Merge texture coordinates of two and of one component to three. */
static facet_status merge_depths(facet_obj_reader *r)
{
    facet_obj_elements *e = &r->elements[FACET_OBJ_TEXCOORD];
    float *merged = facet_arena_allocate(r->arena, e->count, 3 * sizeof *merged);
    if (!merged)
        return facet_obj_no_memory(r);
    for (size_t i = 0; i < e->count; i++) {
        memcpy(merged + i * 3, e->data + i * 2, 2 * sizeof *merged);
        merged[i * 3 + 2] = r->depths[i];
    }
    facet_arena_release(r->arena, e->data, e->capacity, 2 * sizeof *merged);
    facet_arena_release(r->arena, r->depths, e->capacity, sizeof *merged);
    r->depths = NULL;
    e->data = merged;
    e->width = 3;
    e->capacity = e->count;
    return FACET_OK;
}

/* Add a stream with these arrays, which already belong to the arena. */
static facet_status add_stream(facet_obj_reader *r, facet_mesh *mesh, facet_semantic semantic,
                               uint32_t width, uint32_t count, float *data, uint32_t *indices)
{
    facet_stream *stream = NULL;
    TRY(facet_mesh_add_stream(mesh, semantic, 0, NULL, FACET_FLOAT32, width, 0, &stream, r->error));
    facet_arena_release(r->arena, stream->data, 0, width * sizeof(float));
    stream->data = data;
    stream->count = count;
    stream->indices = indices;
    return FACET_OK;
}

/* Drop the elements of a kind that no corner uses, with a finding. */
static void drop_unused(facet_obj_reader *r, int kind)
{
    facet_obj_elements *e = &r->elements[kind];
    if (e->count > 0)
        facet_report_add(r->options ? r->options->report : NULL, "OBJ-UNUSED", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET, "no face uses any %s (%" PRIu32 " of them)",
                         facet_obj_kind_names[kind], e->count);
    facet_arena_release(r->arena, e->data, e->capacity, e->width * sizeof(float));
}

static bool is_cloud(const facet_obj_reader *r)
{
    return r->face_count == 0 && r->lines.count == 0 && r->points.count == 0;
}

static facet_status finish_kind(facet_obj_reader *r, facet_mesh *mesh, int kind,
                                facet_semantic semantic)
{
    facet_obj_elements *e = &r->elements[kind];
    uint32_t **indices = &r->indices[kind], *positions = r->indices[FACET_OBJ_POSITION];
    /* Without faces, lines and points, vertices become points. Normals belong to them in order. */
    bool has_cloud = is_cloud(r) && kind == FACET_OBJ_NORMAL && e->count > 0 &&
                     e->count == r->elements[FACET_OBJ_POSITION].count;
    if (has_cloud)
        return add_stream(r, mesh, semantic, e->width, e->count, e->data, positions);
    if (!*indices || (kind != FACET_OBJ_POSITION && r->corner_count == 0)) {
        drop_unused(r, kind);
        return FACET_OK;
    }
    facet_status status = FACET_OK;
    if (kind == FACET_OBJ_TEXCOORD && r->depths)
        status = merge_depths(r);
    if (!status)
        status = trim(r, (void **)&e->data, e->count, e->capacity, e->width * sizeof(float));
    if (!status && kind != FACET_OBJ_POSITION && !r->different[kind]) {
        facet_arena_release(r->arena, *indices, r->corner_capacity, sizeof **indices);
        *indices = positions;
    } else if (!status) {
        status = trim(r, (void **)indices, r->corner_count, r->corner_capacity, sizeof **indices);
    }
    return status ? status : add_stream(r, mesh, semantic, e->width, e->count, e->data, *indices);
}

/* Convert colors from 0..255 to 0..1: some programs write bytes for all vertices. */
static void settle_bytes(facet_obj_reader *r, size_t count)
{
    float most = r->colorless == 0 ? facet_color_bytes(r->colors, count, 1, 1) : 0;
    if (most == 0)
        return;
    facet_report_add(r->options ? r->options->report : NULL, "OBJ-COLOR-BYTES",
                     FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "colors are whole numbers up to %g, expected 0 to 1; they are divided by 255",
                     (double)most);
    for (size_t i = 0; i < count; i++)
        r->colors[i] /= 255;
}

static facet_status finish_colors(facet_obj_reader *r, facet_mesh *mesh, uint32_t capacity)
{
    if (!r->colors)
        return FACET_OK;
    uint32_t count = r->elements[FACET_OBJ_POSITION].count;
    facet_status status = trim(r, (void **)&r->colors, count, capacity, 3 * sizeof(float));
    if (!status) {
        settle_bytes(r, (size_t)count * 3);
        facet_srgb_decode_colors(r->colors, count, 3);
    }
    if (!status)
        status =
            add_stream(r, mesh, FACET_COLOR, 3, count, r->colors, r->indices[FACET_OBJ_POSITION]);
    return status;
}

static facet_status finish_streams(facet_obj_reader *r, facet_mesh *mesh)
{
    uint32_t capacity = r->elements[FACET_OBJ_POSITION].capacity;
    TRY(finish_kind(r, mesh, FACET_OBJ_POSITION, FACET_POSITION));
    TRY(finish_kind(r, mesh, FACET_OBJ_NORMAL, FACET_NORMAL));
    TRY(finish_kind(r, mesh, FACET_OBJ_TEXCOORD, FACET_TEXCOORD));
    return finish_colors(r, mesh, capacity);
}

/* -- Faces -------------------------------------------------------------- */

/* Expand runs to one value for each of `count` faces, lines or points: `before` up to the first
 * run.
 */
static facet_status spread(facet_obj_reader *r, const facet_obj_runs *runs, uint32_t count,
                           uint32_t before, uint32_t **values)
{
    uint32_t *spread_out = facet_arena_allocate(r->arena, count, sizeof *spread_out);
    if (!spread_out)
        return facet_obj_no_memory(r);
    uint32_t value = before, face = 0;
    for (uint32_t i = 0; i <= runs->count; i++) {
        uint32_t end = i < runs->count ? runs->items[i].first_face : count;
        for (; face < end; face++)
            spread_out[face] = value;
        if (i < runs->count)
            value = runs->items[i].value;
    }
    *values = spread_out;
    return FACET_OK;
}

/* Expand the materials of faces, lines or points, if one of them has a material. */
static facet_status spread_materials(facet_obj_reader *r, const facet_obj_runs *runs,
                                     uint32_t count, uint32_t **materials)
{
    bool any = false;
    for (uint32_t i = 0; i < runs->count; i++)
        any |= runs->items[i].value != FACET_NONE && runs->items[i].first_face < count;
    return any ? spread(r, runs, count, FACET_NONE, materials) : FACET_OK;
}

static facet_status finish_ends(facet_obj_reader *r, facet_mesh *mesh)
{
    facet_obj_ends *const all[2] = {&r->lines, &r->points};
    uint32_t **const to[2] = {&mesh->lines, &mesh->points};
    for (int i = 0; i < 2; i++) {
        const facet_obj_ends *ends = all[i];
        if (ends->count == 0)
            continue;
        *to[i] = facet_arena_allocate(r->arena, ends->count, sizeof *ends->items);
        if (!*to[i])
            return facet_obj_no_memory(r);
        memcpy(*to[i], ends->items, ends->count * sizeof *ends->items);
    }
    mesh->line_count = r->lines.count / 2;
    mesh->point_count = r->points.count;
    TRY(spread_materials(r, &r->lines.materials, mesh->line_count, &mesh->line_materials));
    TRY(spread_materials(r, &r->points.materials, mesh->point_count, &mesh->point_materials));
    return is_cloud(r) ? facet_mesh_show_vertices(mesh, r->error) : FACET_OK;
}

static facet_status finish_faces(facet_obj_reader *r, facet_mesh *mesh)
{
    mesh->face_count = r->face_count;
    mesh->corner_count = r->corner_count;
    facet_status status = FACET_OK;
    if (r->offsets)
        status = trim(r, (void **)&r->offsets, r->face_count + 1, r->face_capacity + 1,
                      sizeof *r->offsets);
    mesh->face_offsets = r->offsets;
    if (!status)
        status = spread_materials(r, &r->materials, r->face_count, &mesh->face_materials);
    if (!status && r->smoothing.count > 0)
        status = spread(r, &r->smoothing, r->face_count, 0, &mesh->face_smoothing);
    return status;
}

/* -- Parts -------------------------------------------------------------- */

/* Add faces from `first` to `end`, if there are any, to the last part or a new one. Names are
 * unique, so pointers can be compared. */
static void add_part(facet_mesh *mesh, const char *name, const char *group, uint32_t first,
                     uint32_t end)
{
    facet_part *last = mesh->part_count > 0 ? &mesh->parts[mesh->part_count - 1] : NULL;
    if (first == end)
        return;
    if (last && last->name == name && last->group == group) {
        last->face_count += end - first;
        return;
    }
    facet_part part = {name, group, first, end - first};
    mesh->parts[mesh->part_count++] = part;
}

static facet_status finish_parts(facet_obj_reader *r, facet_mesh *mesh)
{
    const facet_obj_runs *runs = &r->parts;
    if (runs->count == 0)
        return FACET_OK;
    mesh->parts = facet_arena_allocate(r->arena, (size_t)runs->count + 1, sizeof *mesh->parts);
    if (!mesh->parts)
        return facet_obj_no_memory(r);
    add_part(mesh, "", "", 0, runs->items[0].first_face);
    for (uint32_t i = 0; i < runs->count; i++) {
        uint32_t end = i + 1 < runs->count ? runs->items[i + 1].first_face : r->face_count;
        const facet_part *names = &r->part_names[runs->items[i].value];
        add_part(mesh, names->name, names->group, runs->items[i].first_face, end);
    }
    if (mesh->part_count == 1)
        mesh->name = mesh->parts[0].name;
    return FACET_OK;
}

/* -- Materials ---------------------------------------------------------- */

/* Limit for all libraries together: an OBJ can refer to one file by many names. */
#define MAX_LIBRARY_BYTES ((uint64_t)1 << 28)

/* Open a library by an end of its path, which is often that of another machine. */
static bool open_nearby(facet_obj_reader *r, facet_text name, const char *path,
                        facet_source *library)
{
    facet_quoted quoted, found;
    const char *used;
    if (!facet_source_open_end(r->source, path, library, &used))
        return false;
    facet_report_add_line(r->options ? r->options->report : NULL, "OBJ-MTL-PLACE",
                          FACET_SEVERITY_NOTE, facet_obj_line_of(r, name.at),
                          "the material library '%s' does not exist: '%s' next to the file is used",
                          facet_quote(&quoted, path, strlen(path)),
                          facet_quote(&found, used, strlen(used)));
    return true;
}

/* Read a library once, even if it is named several times. `nearby`: search it by the ends of its
 * path, after its path failed. *found is true if it exists. */
static facet_status read_library(facet_obj_reader *r, facet_text name, bool nearby, bool *found,
                                 facet_error *reason)
{
    const char *text = (const char *)name.at;
    size_t length = facet_text_length(name);
    *found = facet_names_find(&r->libraries_read, text, length) != FACET_NONE;
    if (*found || (!nearby && facet_names_find(&r->libraries_missing, text, length) != FACET_NONE))
        return FACET_OK;
    char *path = facet_arena_string(r->scratch, text, length);
    if (!path)
        return facet_obj_no_memory(r);
    facet_source library = {0};
    facet_status status = FACET_OK;
    if (nearby)
        *found = open_nearby(r, name, path, &library);
    else
        *found = !(status = facet_source_open_sibling(r->source, path, &library, reason));
    if (facet_lacks_memory(status)) {
        *r->error = *reason;
        return status;
    }
    facet_names *known = *found ? &r->libraries_read : &r->libraries_missing;
    status = facet_names_put(known, text, length) == FACET_NONE ? facet_obj_no_memory(r) : FACET_OK;
    if (!*found)
        return status;
    r->library_bytes += library.size;
    if (!status && r->library_bytes > MAX_LIBRARY_BYTES)
        status = facet_obj_fail(r, FACET_ERROR_LIMIT, "OBJ-LIMIT", name.at,
                                "the material libraries have more than %" PRIu64 " bytes together",
                                MAX_LIBRARY_BYTES);
    facet_source plain = library;
    if (!status && facet_is_utf16(library.data, library.size)) {
        plain.data = facet_text_from_utf16(r->scratch, library.data, library.size, &plain.size);
        status = plain.data ? FACET_OK : facet_obj_no_memory(r);
    }
    if (!status)
        status = facet_obj_read_library(&r->library, &plain, r->options, r->error);
    facet_source_close(&library);
    return status;
}

static void say_missing(facet_obj_reader *r, facet_text name, const facet_error *reason)
{
    facet_quoted quoted;
    r->library.library_missing = true;
    facet_report_add_line(
        r->options ? r->options->report : NULL, "OBJ-MTL-MISSING", FACET_SEVERITY_WARNING,
        facet_obj_line_of(r, name.at), "the material library '%s' cannot be read: %s",
        facet_quote(&quoted, (const char *)name.at, facet_text_length(name)), reason->message);
}

/* End of the first word of `names` that ends in ".mtl"; NULL without one. */
static const uint8_t *end_of_mtl(facet_text names)
{
    for (facet_text word = facet_text_word(names.at, names.end); facet_text_length(word) > 0;
         word = facet_text_word(facet_text_skip_blanks(word.end, names.end), names.end)) {
        facet_text tail = {word.end - (facet_text_length(word) < 4 ? 0 : 4), word.end};
        if (facet_text_is_any_case(tail, ".mtl"))
            return word.end;
    }
    return NULL;
}

static bool is_missing(facet_obj_reader *r, facet_text name)
{
    return facet_names_find(&r->libraries_missing, (const char *)name.at,
                            facet_text_length(name)) != FACET_NONE;
}

/* Read the libraries of an mtllib statement. It has one file name with blanks, or several. Each
 * name ends after ".mtl", or after its first word if no ".mtl" follows. The existing files decide.
 * A file that is missing at its path is searched by the ends of its path, and reported once. */
static facet_status read_libraries(facet_obj_reader *r, facet_text names)
{
    if (is_missing(r, names))
        return FACET_OK;
    bool found = false;
    facet_error reason = {0};
    facet_text name = names;
    const uint8_t *whole = names.at;
    facet_status status = read_library(r, facet_text_unquoted(names), false, &found, &reason);
    if (status || found)
        return status;
    for (const uint8_t *mtl = end_of_mtl(names); !status && facet_text_length(names) > 0;) {
        name = (facet_text){names.at, mtl ? mtl : facet_text_word(names.at, names.end).end};
        bool is_whole = name.at == whole && name.end == names.end;
        if (is_whole || !is_missing(r, name)) {
            if (!is_whole)
                status = read_library(r, name, false, &found, &reason);
            facet_error ignored;
            if (!status && !found)
                status = read_library(r, facet_text_unquoted(name), true, &found, &ignored);
            if (!status && !found)
                say_missing(r, name, &reason);
        }
        found = false;
        names.at = facet_text_skip_blanks(name.end, names.end);
        mtl = mtl ? end_of_mtl(names) : NULL;
    }
    return status;
}

facet_status facet_obj_finish_materials(facet_obj_reader *r)
{
    facet_report *report = r->options ? r->options->report : NULL;
    facet_scene *scene = r->scene;
    r->library.defined =
        facet_arena_allocate_zeroed(r->scratch, scene->material_count, sizeof(bool));
    if (!r->library.defined)
        return facet_obj_no_memory(r);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->library_count && !status; i++)
        status = read_libraries(r, r->libraries[i]);
    if (status)
        return status;
    facet_tally undefined = {0, 0};
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (!r->library.defined[i])
            facet_tally_hit(&undefined, i);
    }
    facet_quoted quoted;
    if (undefined.count > 0 && !r->library.library_missing) {
        const char *name = scene->materials[undefined.first]->name;
        facet_report_add_tally(report, "OBJ-MATERIAL-UNDEFINED", FACET_SEVERITY_WARNING,
                               FACET_NO_OFFSET, &undefined,
                               "no library defines the material '%s', it gets default values",
                               facet_quote(&quoted, name, strlen(name)));
    }
    return FACET_OK;
}

/* Lines and points have no parts: their names are those of the mesh, or are lost. */
static void name_lines(const facet_obj_reader *r, facet_mesh *mesh)
{
    const facet_tally *names = &r->tallies[FACET_OBJ_LINE_NAMES];
    if (names->count == 0 || (names->count == 1 && !*r->line_object && !*r->line_group))
        return;
    const facet_part *part = mesh->part_count == 1 ? &mesh->parts[0] : NULL;
    bool kept =
        names->count == 1 && (part ? part->name == r->line_object && part->group == r->line_group
                                   : mesh->part_count == 0 && !*r->line_group);
    if (kept)
        mesh->name = r->line_object;
    else
        facet_report_add_tally_line(
            r->options ? r->options->report : NULL, "LOSS-NAMES", FACET_SEVERITY_WARNING,
            facet_text_line_number(r->source->data, r->source->data + names->first), names,
            "the name of an object or group of lines or points is left out");
}

/* -- Findings ---------------------------------------------------------- */

void facet_obj_say_tallies(facet_obj_reader *r)
{
    static const struct {
        int what;
        const char *rule;
        facet_severity severity;
        const char *sentence;
    } table[] = {
        {FACET_OBJ_FACE_SMALL, "OBJ-FACE-SMALL", FACET_SEVERITY_WARNING,
         "a face has fewer than three corners and is left out"},
        {FACET_OBJ_EXTRA_NUMBERS, "OBJ-NUMBERS-EXTRA", FACET_SEVERITY_WARNING,
         "a statement has more numbers than it can have, the others are left out"},
        {FACET_OBJ_WEIGHTS, "LOSS-UNREAD", FACET_SEVERITY_WARNING,
         "a vertex has a weight (w) other than 1, which is left out"},
        {FACET_OBJ_BAD_SMOOTHING, "OBJ-SMOOTHING", FACET_SEVERITY_WARNING,
         "a smoothing group is neither a number nor off, it is read as off"},
        {FACET_OBJ_LINE_TEXCOORDS, "LOSS-LINES", FACET_SEVERITY_WARNING,
         "a line (l) has texture coordinates, which are left out"},
        {FACET_OBJ_CURVES, "LOSS-UNREAD", FACET_SEVERITY_WARNING,
         "a statement of a curve or surface is left out"},
        {FACET_OBJ_DISPLAY, "LOSS-UNREAD", FACET_SEVERITY_NOTE,
         "a statement about display or grouping is left out"},
        {FACET_OBJ_LATIN_NAMES, "OBJ-ENCODING", FACET_SEVERITY_NOTE,
         "a name is not UTF-8 and taken for Latin-1"},
    };
    facet_report *report = r->options ? r->options->report : NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const facet_tally *tally = &r->tallies[table[i].what];
        if (tally->count > 0)
            facet_report_add_tally_line(
                report, table[i].rule, table[i].severity,
                facet_text_line_number(r->source->data, r->source->data + tally->first), tally,
                "%s", table[i].sentence);
    }
    const facet_tally *unknown = &r->tallies[FACET_OBJ_UNKNOWN];
    if (unknown->count > 0) {
        facet_quoted quoted;
        facet_text word = facet_text_word(r->source->data + unknown->first, r->end);
        facet_report_add_tally_line(
            report, "OBJ-STATEMENT", FACET_SEVERITY_WARNING,
            facet_text_line_number(r->source->data, word.at), unknown,
            "'%s' is not an OBJ statement; the line is ignored",
            facet_quote(&quoted, (const char *)word.at, facet_text_length(word)));
    }
}

/* Report what is missing. */
static void say_missing_data(const facet_obj_reader *r)
{
    facet_report *report = r->options ? r->options->report : NULL;
    if (r->colors && r->colorless > 0)
        facet_report_add(report, "OBJ-COLOR-MISSING", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "%" PRIu32 " of %" PRIu32 " vertices %s no color: white is used",
                         r->colorless, r->elements[FACET_OBJ_POSITION].count,
                         facet_plural(r->colorless, "has", "have"));
    if (is_cloud(r))
        facet_report_add(report, "OBJ-EMPTY", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the file has no faces");
}

facet_status facet_obj_to_scene(facet_obj_reader *r, const facet_load_options *load)
{
    TRY(facet_obj_finish_painted(r));
    facet_obj_say_tallies(r);
    say_missing_data(r);
    if (r->errors > 0)
        return FACET_OK; /* for a check, the mesh is not needed */
    facet_status status = facet_obj_finish_materials(r);
    facet_mesh *mesh = NULL;
    if (!status && r->elements[FACET_OBJ_POSITION].count > 0) {
        status = facet_scene_add_mesh(r->scene, &mesh, r->error);
        if (!status)
            status = finish_streams(r, mesh);
        if (!status)
            status = finish_faces(r, mesh);
        if (!status)
            status = finish_ends(r, mesh);
        if (!status)
            status = finish_parts(r, mesh);
        if (!status)
            name_lines(r, mesh);
    }
    if (!status)
        status = facet_scene_extract_collision(r->scene, load, r->options, r->error);
    return status;
}
