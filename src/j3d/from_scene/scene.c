/* j3d/from_scene/scene.c - a scene becomes a document: the order of the work, and
 * what all of it shares. */
#include "j3d/from_scene/from_scene.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "j3d/hooks.h"
#include "j3d/json/json.h"

#include <inttypes.h>
#include <string.h>

/* -- Shared ------------------------------------------------------------- */

static void *allocate(const j3d_build *w, facet_arena *arena, size_t count, size_t size)
{
    void *block = facet_arena_allocate_zeroed(arena, count, size);
    if (!block)
        facet_fail_memory(w->error, count * size);
    return block;
}

void *facet_j3d_writer_keep(const j3d_build *w, size_t count, size_t size)
{
    return allocate(w, w->document->arena, count, size);
}

void *facet_j3d_writer_scratch(const j3d_build *w, size_t count, size_t size)
{
    return allocate(w, w->scratch, count, size);
}

facet_report *facet_j3d_writer_report(const j3d_build *w)
{
    return w->options ? w->options->report : NULL;
}

facet_status facet_j3d_writer_limit(const j3d_build *w, const char *rule, uint64_t value,
                                    uint64_t most, const char *what, const char *advice)
{
    if (value <= most)
        return FACET_OK;
    return facet_fail(w->error, FACET_ERROR_LIMIT, rule, FACET_NO_OFFSET,
                      "the model needs %" PRIu64 " %s, and J3D counts to %" PRIu64 ": %s", value,
                      what, most, advice);
}

facet_status facet_j3d_writer_name(const j3d_build *w, const char *text, facet_j3d_name *name,
                                   size_t *lost)
{
    size_t gone = 0, size = facet_j3d_name_bytes(text, NULL, 0, NULL) + 1;
    char *bytes = facet_j3d_writer_keep(w, size, 1);
    if (!bytes)
        return FACET_ERROR_MEMORY;
    facet_j3d_name_bytes(text, bytes, size, &gone);
    *lost += gone;
    name->bytes = bytes;
    name->hash = facet_j3d_hash(bytes);
    return FACET_OK;
}

facet_status facet_j3d_writer_extras(const j3d_build *w, facet_status status, bool *found)
{
    if (status != FACET_ERROR_MALFORMED)
        return status;
    *found = false;
    facet_report_add(facet_j3d_writer_report(w), "LOSS-EXTRAS", FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET, "%s; these extras are done without",
                     w->error ? w->error->message : "wrong");
    return FACET_OK;
}

/* Names that the runtime cannot tell by their hashes, which come out alike for
 * "bone08" and "bone15" already: it compares letters then. */
static facet_status note_hashes(const j3d_build *w, const facet_j3d_names *names, const char *what)
{
    uint32_t *first = facet_j3d_writer_scratch(w, 65536, sizeof *first); /* + 1, by hash */
    facet_tally alike = {0, 0};
    if (!first)
        return FACET_ERROR_MEMORY;
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t known = first[names->items[i].hash];
        if (!known)
            first[names->items[i].hash] = i + 1;
        else if (strcmp(names->items[known - 1].bytes, names->items[i].bytes) != 0)
            facet_tally_hit(&alike, i);
    }
    facet_arena_release(w->scratch, first, 65536, sizeof *first);
    if (alike.count == 0)
        return FACET_OK;
    const facet_j3d_name *name = &names->items[alike.first];
    facet_quoted quoted;
    facet_report_add_tally(
        facet_j3d_writer_report(w), "J3D-NAMES-ALIKE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &alike,
        "the name '%s' of a %s has the hash 0x%04X of another one: games find "
        "both, if they compare letters",
        facet_quote(&quoted, name->bytes, strlen(name->bytes)), what, (unsigned)name->hash);
    return FACET_OK;
}

static facet_status note_all_hashes(j3d_build *w)
{
    facet_status status = note_hashes(w, &w->document->joints.names, "joint");
    return status ? status : note_hashes(w, &w->document->materials.names, "material");
}

/* -- What is lost ------------------------------------------------------- */

static void report_mesh(const facet_mesh *mesh, facet_tally *lines, facet_tally *morphs,
                        facet_tally *tangents, facet_tally *streams, uint32_t index)
{
    if (mesh->line_count > 0)
        facet_tally_hit(lines, index);
    if (mesh->morph_count > 0)
        facet_tally_hit(morphs, index);
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *s = &mesh->streams[i];
        if (s->semantic == FACET_TANGENT)
            facet_tally_hit(tangents, index);
        else if ((s->semantic == FACET_CUSTOM && !facet_j3d_is_color_stream(s, 0) &&
                  !facet_j3d_is_color_stream(s, 1)) ||
                 (s->semantic == FACET_COLOR && s->set > 1) ||
                 (s->semantic == FACET_TEXCOORD && s->set > 7))
            facet_tally_hit(streams, index);
    }
}

static void report_nodes(const j3d_build *w)
{
    facet_tally cameras = {0}, folded = {0};
    for (uint32_t i = 0; i < w->scene->node_count; i++) {
        const facet_node *node = &w->scene->nodes[i];
        if (node->camera || node->light)
            facet_tally_hit(&cameras, i);
        else if (w->joint_of_node[i] == FACET_NONE && !w->is_j3d)
            facet_tally_hit(&folded, i);
    }
    facet_report_add_tally(
        facet_j3d_writer_report(w), "LOSS-CAMERA", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
        &cameras, "the camera or light at node %" PRIu64 " is dropped: a J3D model has none",
        cameras.first);
    facet_report_add_tally(facet_j3d_writer_report(w), "J3D-NODES", FACET_SEVERITY_NOTE,
                           FACET_NO_OFFSET, &folded,
                           "node %" PRIu64 " becomes no joint: it carries a skinned mesh, moves "
                           "nothing or is not seen",
                           folded.first);
}

static void report_losses(const j3d_build *w)
{
    const facet_scene *scene = w->scene;
    facet_report *report = facet_j3d_writer_report(w);
    facet_tally lines = {0}, morphs = {0}, tangents = {0}, streams = {0};
    report_nodes(w);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        report_mesh(scene->meshes[i], &lines, &morphs, &tangents, &streams, i);
    facet_report_add_tally(report, "LOSS-LINES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lines,
                           "the lines of mesh %" PRIu64 " are dropped: games draw strips alone",
                           lines.first);
    facet_report_add_tally(
        report, "LOSS-MORPHS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &morphs,
        "the morph targets of mesh %" PRIu64 " are dropped: a J3D model has none", morphs.first);
    facet_report_add_tally(report, "LOSS-STREAM", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &streams,
                           "an attribute of mesh %" PRIu64 " is dropped: J3D has two colors, eight "
                           "texture coordinates and none of other names",
                           streams.first);
    facet_report_add_tally(report, "LOSS-TANGENTS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &tangents,
                           "the tangents of mesh %" PRIu64 " are dropped: no material uses them",
                           tangents.first);
    if (scene->animation_count > 0)
        facet_report_add(report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "animations are dropped, %" PRIu32 " of them: they are files of their own "
                         "(BCK), which are not written",
                         scene->animation_count);
    if (scene->hull_count > 0)
        facet_report_add(report, "LOSS-HULLS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%" PRIu32 " collision hulls are dropped: a J3D model has none",
                         scene->hull_count);
    if (scene->occluder)
        facet_report_add(report, "LOSS-OCCLUDER", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the occluder is dropped: a J3D model has none");
}

/* -- The work ----------------------------------------------------------- */

/* What the scene's extras say of the file that it was. */
static facet_status take_model_state(j3d_build *w)
{
    facet_j3d_model_state model;
    facet_status status =
        facet_j3d_model_from_extras(w->scene->extras, &model, &w->is_j3d, w->error);
    status = facet_j3d_writer_extras(w, status, &w->is_j3d);
    if (status)
        return status;
    if (!w->is_j3d) { /* some programs keep the extras of nodes alone */
        for (uint32_t i = 0; i < w->scene->node_count && !w->is_j3d; i++)
            w->is_j3d = facet_j3d_is_joint_extras(w->scene->nodes[i].extras);
        return FACET_OK;
    }
    w->document->hierarchy.flags = model.flags;
    w->document->layout.generation_a = model.generation_a;
    return FACET_OK;
}

static facet_status build(j3d_build *w, facet_j3d_kind kind)
{
    static facet_status (*const steps[])(j3d_build *) = {
        take_model_state,          facet_j3d_build_joints,
        facet_j3d_build_textures,  facet_j3d_find_own_materials,
        facet_j3d_find_copies,     facet_j3d_build_matrices,
        facet_j3d_build_vertices,  facet_j3d_build_shapes,
        facet_j3d_build_materials, facet_j3d_build_display_lists,
        facet_j3d_build_hierarchy, facet_j3d_build_bounds,
        note_all_hashes,
    };
    facet_status status = FACET_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++) {
        status =
            facet_step(w->options, "write", (double)i / (sizeof steps / sizeof *steps), w->error);
        if (!status)
            status = steps[i](w);
    }
    bool changed = false;
    if (!status)
        status = facet_j3d_apply_json(w->document, w->options, &changed, w->error);
    if (!status && kind == FACET_J3D_BDL4)
        status = facet_j3d_bake_materials(w->document, w->options, w->error);
    if (!status)
        report_losses(w);
    return status;
}

facet_status facet_j3d_from_scene(const facet_scene *scene, facet_j3d_kind kind,
                                  const facet_options *options, facet_j3d **document,
                                  facet_error *error)
{
    j3d_build w = {.scene = scene, .options = options, .error = error};
    facet_arena *arena = NULL;
    facet_status status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    status = facet_arena_create(options, &w.scratch, error);
    if (!status) {
        w.document = facet_arena_allocate_zeroed(arena, 1, sizeof *w.document);
        if (!w.document)
            status = facet_fail_memory(error, sizeof *w.document);
    }
    if (!status) {
        w.document->arena = arena;
        w.document->kind = kind;
        memset(w.document->signature, 0xFF, sizeof w.document->signature);
        memcpy(w.document->signature, "SVR3", 4);
        status = build(&w, kind);
    }
    facet_arena_free(w.scratch);
    if (status)
        facet_arena_free(arena);
    else
        *document = w.document;
    return status;
}
