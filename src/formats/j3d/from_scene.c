/* formats/j3d/from_scene.c - a scene to a document: order of the steps, and losses. */
#include "formats/j3d/scene/from_scene/builder.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/patch/like.h"
#include "formats/j3d/patch/project.h"
#include "formats/j3d/patch/replace.h"
#include "gx/json/file_state.h"
#include "scene/losses.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Names -------------------------------------------------------------- */

/* Report names with equal hashes, for example "bone08" and "bone15". The runtime distinguishes them
 * only if it compares letters. */
static facet_status note_hashes(const facet_j3d_builder *b, const facet_j3d_names *names,
                                const char *what)
{
    facet_records hashes = facet_records_make(b->scratch, sizeof names->items->hash);
    uint32_t *first = facet_j3d_builder_scratch(b, names->count, sizeof *first); /* by number */
    facet_tally alike = {0, 0};
    if (!first)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t count = hashes.count, number = facet_records_put(&hashes, &names->items[i].hash);
        if (number == UINT32_MAX)
            return facet_fail_arena(b->scratch, b->error);
        if (number == count)
            first[number] = i;
        else if (strcmp(names->items[first[number]].bytes, names->items[i].bytes) != 0)
            facet_tally_hit(&alike, i);
    }
    facet_records_free(&hashes);
    facet_arena_release(b->scratch, first, names->count, sizeof *first);
    if (alike.count == 0)
        return FACET_OK;
    const facet_j3d_name *name = &names->items[alike.first];
    facet_quoted quoted;
    facet_report_add_tally(facet_j3d_builder_report(b), "J3D-NAMES-ALIKE", FACET_SEVERITY_NOTE,
                           FACET_NO_OFFSET, &alike,
                           "the name '%s' of a %s has the same hash 0x%04X as another one: games "
                           "find both only if they compare letters",
                           facet_quote(&quoted, name->bytes, strlen(name->bytes)), what,
                           (unsigned)name->hash);
    return FACET_OK;
}

static facet_status note_all_hashes(facet_j3d_builder *b)
{
    TRY(note_hashes(b, &b->document->joints.names, "joint"));
    return note_hashes(b, &b->document->materials.names, "material");
}

/* -- Losses ------------------------------------------------------------- */

static const facet_capacity capacity = {
    "a J3D model",
    FACET_LACKS_ASSET | FACET_LACKS_LOOKS | FACET_LACKS_LINES | FACET_LACKS_POINTS |
        FACET_LACKS_MORPHS | FACET_LACKS_CAMERAS | FACET_LACKS_HULLS | FACET_LACKS_OCCLUDER |
        FACET_LACKS_MESH_NAMES | FACET_LACKS_PART_NAMES | FACET_LACKS_LODS | FACET_LACKS_FACTORS,
    2,
    8,
    UINT8_MAX,
    FACET_CLASSIC_UNUSUAL,
    FACET_UNUSED_MESHES | FACET_UNUSED_MATERIALS,
    false,
    false};

static void report_mesh(const facet_mesh *mesh, facet_tally *tangents, facet_lost_streams *streams,
                        uint32_t index)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *s = &mesh->streams[i];
        if (s->semantic == FACET_TANGENT)
            facet_tally_hit(tangents, index);
        else if (s->semantic == FACET_CUSTOM && !facet_j3d_is_own_stream(s))
            facet_lost_streams_add(streams, s);
    }
}

static void report_nodes(const facet_j3d_builder *b)
{
    facet_tally folded = {0};
    facet_scene_report_hidden(b->scene, b->seen, facet_j3d_builder_report(b));
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        const facet_node *node = b->scene->nodes[i];
        bool is_place = node->camera != FACET_NONE || node->light != FACET_NONE;
        if (!is_place && b->joint_of_node[i] == FACET_NONE && !b->is_j3d)
            facet_tally_hit(&folded, i);
    }
    facet_report_add_tally(
        facet_j3d_builder_report(b), "J3D-NODES", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &folded,
        "node %" PRIu64
        " does not become a joint: it has a skinned mesh, moves nothing or is hidden",
        folded.first);
}

static void note_unit(const facet_j3d_builder *b)
{
    double units = b->units.unit;
    if (units != 1 && !b->like)
        facet_report_add(facet_j3d_builder_report(b), "J3D-UNITS", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET,
                         "a unit of the model is a centimeter: a length of 1 becomes %.6g; --scale "
                         "%.6g keeps the numbers of the scene",
                         units, 1 / units);
}

static void tally_foreign(const facet_gx_file_part *file, uint32_t index, facet_tally *found)
{
    if (file && file->has_others)
        facet_tally_hit(found, index);
}

static bool has_other_extras(const facet_j3d_builder *b, const facet_material *material)
{
    const facet_gx_file_material *file = material->gx_file;
    if (file && file->extras == material->extras)
        return file->has_others;
    return material->extras &&
           facet_gx_has_other_extras(facet_j3d_builder_json(b, material->extras));
}

/* Report extras of other programs, and properties that the console's lights cannot show. */
static void report_words(const facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene;
    facet_tally extras = {0}, physical = {0};
    for (uint32_t i = 0; i < scene->node_count; i++)
        tally_foreign(b->node_files[i], i, &extras);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        tally_foreign(b->mesh_files[i], i, &extras);
    for (uint32_t i = 0; i < scene->material_count; i++)
        if (has_other_extras(b, scene->materials[i]))
            facet_tally_hit(&extras, i);
    tally_foreign(b->scene_file, 0, &extras);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const facet_material *m = scene->materials[i];
        if (!m->gx && !b->extras_data[i].state && (m->metallic > 0 || m->roughness < 1))
            facet_tally_hit(&physical, i);
    }
    facet_report_add_tally(facet_j3d_builder_report(b), "LOSS-EXTRAS", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &extras,
                           "extras of nodes, meshes or materials are dropped");
    facet_report_add_tally(facet_j3d_builder_report(b), "LOSS-MATERIALS", FACET_SEVERITY_NOTE,
                           FACET_NO_OFFSET, &physical,
                           "roughness and metallic of material %" PRIu64
                           " are dropped: the lighting of consoles does not use them",
                           physical.first);
}

static void report_losses(const facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene;
    facet_report *report = facet_j3d_builder_report(b);
    facet_tally tangents = {0};
    facet_lost_streams streams = {0};
    report_nodes(b);
    report_words(b);
    note_unit(b);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        report_mesh(scene->meshes[i], &tangents, &streams, i);
    facet_capacity lacking = capacity;
    if (!b->like) /* an original keeps its textures */
        lacking.lacks |= FACET_LACKS_MIP_LEVELS;
    facet_scene_report_losses(scene, &lacking, report);
    facet_lost_streams_report(&streams, capacity.name, report);
    facet_report_add_tally(report, "LOSS-TANGENTS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &tangents,
                           "the tangents of mesh %" PRIu64 " are dropped: no material uses them",
                           tangents.first);
    if (scene->animation_count > 0)
        facet_report_add(report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "animations are dropped, %" PRIu32
                         " of them: they are separate files (BCK and others)",
                         scene->animation_count);
}

/* -- Conversion --------------------------------------------------------- */

/* Read the state of the source file that the scene keeps. */
static facet_status take_model_state(facet_j3d_builder *b)
{
    const facet_gx_file_model *model = b->scene_file ? b->scene_file->model : NULL;
    if (b->scene_file)
        facet_j3d_builder_report_wrong(b, b->scene_file->wrong_model);
    b->is_j3d = model != NULL;
    if (!model) { /* some programs keep only the extras of nodes */
        for (uint32_t i = 0; i < b->scene->node_count && !b->is_j3d; i++)
            b->is_j3d = facet_j3d_is_joint_file(b->node_files[i]);
        return FACET_OK;
    }
    b->document->hierarchy.flags = model->flags;
    b->document->layout.generation_a = model->generation_a;
    return FACET_OK;
}

/* Make the textures of a SuperBMD project: those of its list, in its order. */
static facet_status make_listed_textures(facet_j3d_builder *b)
{
    uint32_t *moved;
    const facet_j3d_textures *textures = &b->document->textures;
    facet_status status =
        facet_j3d_make_listed_textures(b->document, b->options, b->scratch, &moved, b->error);
    if (status || !moved)
        return status;
    b->label_of = NULL;
    for (uint32_t m = 0; m < b->scene->material_count; m++) {
        if (b->texture_of[m] != FACET_NONE)
            b->texture_of[m] = moved[b->texture_of[m]];
    }
    for (uint32_t i = 0; i < textures->count; i++) {
        const facet_bti_header *header = &textures->items[i].header;
        uint32_t side = header->width > header->height ? header->width : header->height;
        b->largest_texture = side > b->largest_texture ? side : b->largest_texture;
    }
    facet_j3d_drop_unused_texels(&b->document->textures, b->scratch);
    return FACET_OK;
}

/* Merge with the original; this replaces the last steps. */
static facet_status merge(facet_j3d_builder *b)
{
    TRY(facet_j3d_like_merge(b));
    return note_all_hashes(b);
}

static facet_status build(facet_j3d_builder *b)
{
    static facet_status (*const like_steps[])(facet_j3d_builder *) = {
        facet_j3d_like_open,          facet_j3d_build_joints,
        facet_j3d_build_places,       facet_j3d_like_match,
        facet_j3d_build_binds,        facet_j3d_build_instances,
        facet_j3d_find_edited,        facet_j3d_build_textures,
        facet_j3d_find_own_materials, facet_j3d_find_copies,
        facet_j3d_build_matrices,     facet_j3d_build_vertices,
        facet_j3d_build_shapes,       merge,
    };
    static facet_status (*const steps[])(facet_j3d_builder *) = {
        take_model_state,
        facet_j3d_build_joints,
        facet_j3d_build_places,
        facet_j3d_build_binds,
        facet_j3d_build_instances,
        facet_j3d_find_edited,
        facet_j3d_build_textures,
        make_listed_textures,
        facet_j3d_find_own_materials,
        facet_j3d_find_copies,
        facet_j3d_merge_materials,
        facet_j3d_build_matrices,
        facet_j3d_build_vertices,
        facet_j3d_build_shapes,
        facet_j3d_drop_unused_elements,
        facet_j3d_build_materials,
        facet_j3d_build_display_lists,
        facet_j3d_build_hierarchy,
        facet_j3d_build_bounds,
        note_all_hashes,
    };
    bool like = b->options && b->options->j3d && b->options->j3d->like;
    facet_status (*const *step)(facet_j3d_builder *) = like ? like_steps : steps;
    size_t count = like ? sizeof like_steps / sizeof *like_steps : sizeof steps / sizeof *steps;
    facet_status status = like ? facet_j3d_like_give_nodes(b) : FACET_OK;
    if (!status)
        status = facet_j3d_builder_find_files(b);
    for (size_t i = 0; i < count && !status; i++) {
        status = facet_step(b->options, "write", (double)i / (double)count, b->error);
        if (!status)
            status = step[i](b);
    }
    bool changed = false;
    if (!status && like)
        status =
            facet_j3d_make_listed_textures(b->document, b->options, b->scratch, NULL, b->error);
    if (!status)
        status = facet_j3d_make_preset_textures(b->document, b->options, b->error);
    if (!status)
        status = facet_j3d_apply_json(b->document, b->options, &changed, b->error);
    if (!status)
        status = facet_j3d_replace_textures(b->document, b->options, b->error);
    if (!status && b->document->kind == FACET_J3D_BDL4 && (changed || !b->document->has_packets))
        status = facet_j3d_bake_materials(b->document, b->options, b->error);
    if (!status)
        report_losses(b);
    return status;
}

/* Create an empty document with a separate arena. */
static facet_status start(facet_j3d_builder *b, facet_j3d_kind kind)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(b->options, &arena, b->error));
    b->document = facet_arena_allocate_zeroed(arena, 1, sizeof *b->document);
    if (!b->document) {
        return facet_arena_abandon(arena, b->error);
    }
    b->document->arena = arena;
    b->document->kind = kind;
    memset(b->document->signature, 0xFF, sizeof b->document->signature);
    memcpy(b->document->signature, "SVR3", 4);
    return facet_arena_create(b->options, &b->scratch, b->error);
}

facet_status facet_j3d_from_scene(const facet_scene *scene, const facet_options *options,
                                  facet_j3d **document, facet_error *error)
{
    facet_j3d_extras extras;
    facet_j3d_builder b = {.scene = scene, .options = options, .error = error, .extras = &extras};
    facet_status status =
        FACET_CHECK_STRUCT(options ? options->j3d : NULL, facet_j3d_options, error);
    if (status)
        return status;
    facet_j3d_kind kind = options && options->j3d ? options->j3d->kind : 0;
    if (kind == 0)
        kind = FACET_J3D_BMD3;
    if (kind != FACET_J3D_BMD3 && kind != FACET_J3D_BDL4)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-KIND", FACET_NO_OFFSET,
                          "unknown kind of file %u, expected BMD (3) or BDL (4)", (unsigned)kind);
    status = start(&b, kind);
    extras = facet_j3d_extras_make(b.scratch);
    if (!status)
        status = build(&b);
    if (!status && extras.failed)
        status = facet_fail_arena(b.scratch, error);
    facet_j3d_extras_free(&extras);
    facet_j3d_like_close(&b);
    facet_arena_free(b.scratch);
    if (status)
        facet_j3d_free(b.document);
    else
        *document = b.document;
    return status;
}
