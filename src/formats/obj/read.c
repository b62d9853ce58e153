/* formats/obj/read.c - OBJ bytes to a scene: parse all lines, then check the indices. */
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "formats/obj/obj.h"
#include "formats/obj/shapes.h"

#include <inttypes.h>

/* -- Lines -------------------------------------------------------------- */

/* Minimum size for several threads, except in fuzzing. */
#ifndef FACET_OBJ_LEAST_PARALLEL
#define FACET_OBJ_LEAST_PARALLEL ((ptrdiff_t)8 << 20)
#endif

static facet_status run_all(facet_obj_reader *r)
{
    const uint8_t *at = r->start;
    bool large = facet_thread_count(r->options) > 1 && r->end - at > FACET_OBJ_LEAST_PARALLEL;
    TRY(large ? facet_obj_run_pieces(r, &at) : facet_obj_make_space(r, NULL));
    return facet_obj_run_lines(r, at, r->end);
}

/* -- Check of indices -------------------------------------------------- */

/* Find the face with a too large index, or all such faces. */
static facet_status find_bad_indices(facet_obj_reader *r)
{
    facet_obj_faces faces = {r->start, r->end, NULL, NULL};
    facet_status status = FACET_OK;
    while (!status && facet_obj_next_face(&faces)) {
        facet_obj_corner corner;
        for (const uint8_t *at = faces.corners;
             !status && (at = facet_obj_next_corner(at, faces.end, &corner)) != NULL;) {
            for (int kind = 0; kind < FACET_OBJ_KINDS && !status; kind++) {
                if (!r->indices[kind])
                    continue;
                uint32_t count = r->elements[kind].count;
                bool zero = corner.index[kind] == FACET_OBJ_ZERO;
                int64_t written = zero ? 0 : corner.index[kind];
                if (zero || (written > count && written <= FACET_OBJ_MAX))
                    status = facet_obj_report_error(
                        r, facet_obj_fail(r, FACET_ERROR_MALFORMED, "OBJ-INDEX", faces.statement,
                                          "face names %s %" PRId64 ", but the file has %" PRIu32
                                          ", counted from 1",
                                          facet_obj_kind_names[kind], written, count));
            }
        }
    }
    return status;
}

/* Drop indices to a kind of which the file has no elements, as in test files of another library. */
static void drop_indices(facet_obj_reader *r, int kind)
{
    facet_arena_release(r->arena, r->indices[kind], r->corner_capacity, sizeof *r->indices[kind]);
    r->indices[kind] = NULL;
    r->maxima[kind] = 0;
    facet_report_add(r->options ? r->options->report : NULL, "OBJ-INDEX-NONE",
                     FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "faces name %ss, of which the file has none; these indices are left out",
                     facet_obj_kind_names[kind]);
}

static facet_status check_ends(facet_obj_reader *r, const facet_obj_ends *ends)
{
    uint32_t count = r->elements[FACET_OBJ_POSITION].count;
    if (ends->count == 0 || ends->maximum < count)
        return FACET_OK;
    return facet_obj_report_error(
        r, facet_obj_fail(r, FACET_ERROR_MALFORMED, "OBJ-INDEX", ends->line,
                          "vertex %" PRIu64 " is named, but the file has %" PRIu32,
                          (uint64_t)ends->maximum + 1, count));
}

static facet_status check_maxima(facet_obj_reader *r)
{
    TRY(check_ends(r, &r->lines));
    TRY(check_ends(r, &r->points));
    for (int kind = FACET_OBJ_TEXCOORD; kind < FACET_OBJ_KINDS; kind++) {
        /* The index 0 is an error also then; it is stored as FACET_NONE. */
        if (r->indices[kind] && r->elements[kind].count == 0 && r->maxima[kind] != FACET_NONE)
            drop_indices(r, kind);
    }
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++) {
        if (r->indices[kind] && (r->corner_count > 0 || r->maxima[kind] > 0) &&
            r->maxima[kind] >= r->elements[kind].count)
            return find_bad_indices(r);
    }
    return FACET_OK;
}

/* -- Reading ------------------------------------------------------------ */

static facet_status read_scene(facet_obj_reader *r, const facet_load_options *load)
{
    facet_status status = run_all(r);
    if (!status)
        status = check_maxima(r);
    if (!status && r->errors > FACET_OBJ_SINGLE_ERRORS)
        facet_report_add(r->findings, "OBJ-ERRORS", FACET_SEVERITY_ERROR, FACET_NO_OFFSET,
                         "%" PRIu64 " more statement%s wrong", r->errors - FACET_OBJ_SINGLE_ERRORS,
                         facet_plural(r->errors - FACET_OBJ_SINGLE_ERRORS, " is", "s are"));
    return status ? status : facet_obj_to_scene(r, load);
}

facet_status facet_obj_read_with(facet_obj_scene_reader read, const facet_source *source,
                                 const facet_load_options *load, const facet_options *options,
                                 facet_report *findings, facet_scene **scene, facet_error *error)
{
    facet_error failure = {0};
    facet_obj_reader r = {0};
    r.source = source;
    r.options = options;
    r.error = &failure;
    r.findings = findings;
    r.start = facet_text_begin(source);
    r.end = facet_text_end(source);
    r.object = r.group = "";
    facet_status status = facet_scene_create(options, &r.scene, &failure);
    if (!status)
        status = facet_arena_create(options, &r.scratch, &failure);
    if (!status) {
        r.arena = r.scene->arena;
        r.library.scratch = r.scratch;
        r.strings = r.library.names = facet_names_make(r.scratch);
        r.libraries_read = r.libraries_missing = facet_names_make(r.scratch);
        r.library.scene = r.scene;
        r.shapes = facet_obj_make_shapes(r.scratch, (size_t)(r.end - r.start));
        facet_obj_make_block(&r);
        status = read(&r, load);
    }
    facet_arena_free(r.scratch);
    if (status) {
        facet_scene_free(r.scene);
        if (error)
            *error = failure;
        return status;
    }
    *scene = r.scene;
    return FACET_OK;
}

facet_status facet_obj_read_all(const facet_source *source, const facet_load_options *load,
                                const facet_options *options, facet_report *findings,
                                facet_scene **scene, facet_error *error)
{
    return facet_obj_read_with(read_scene, source, load, options, findings, scene, error);
}

facet_status facet_obj_read(const facet_source *source, const facet_load_options *load,
                            const facet_options *options, facet_scene **scene, facet_error *error)
{
    return facet_obj_read_all(source, load, options, NULL, scene, error);
}
