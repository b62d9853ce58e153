/* fuzz/fuzz_scene.c - harness for any valid scene: unused vertices, several index
 * arrays, streams that share an array but differ in count, lines, every semantic.
 *
 * A scene is prepared, written, read and checked, or it is drawn, reduced, compared or flattened.
 * It is valid after each step. */
#include "bytes.h"
#include "mesh/passes.h"

#include <facet/facet.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void be_whole(const facet_scene *scene)
{
    facet_error error;
    must(facet_scene_check(scene, NULL, &error) == FACET_OK);
}

/* -- Meshes ------------------------------------------------------------- */

/* Index arrays of a mesh. All values of of[i] are less than below[i]. */
typedef struct index_arrays {
    uint32_t *of[3];
    uint32_t below[3], count;
} index_arrays;

static void make_indices(facet_scene *scene, const facet_mesh *mesh, index_arrays *a, bytes *b)
{
    a->count = 1 + take(b) % 3;
    for (uint32_t i = 0; i < a->count; i++) {
        a->below[i] = 1 + take(b) % 24;
        a->of[i] = facet_scene_allocate(scene, mesh->corner_count, sizeof(uint32_t));
        must(a->of[i] != NULL);
        for (uint32_t k = 0; k < mesh->corner_count; k++)
            a->of[i][k] = take(b) % a->below[i];
    }
}

static void fill_stream(facet_stream *stream, bytes *b)
{
    size_t values = (size_t)stream->count * stream->components;
    for (size_t i = 0; i < values; i++) {
        uint8_t byte = take(b);
        switch (stream->component) {
        case FACET_FLOAT32:
            ((float *)stream->data)[i] = (float)(byte - 100) / 16;
            break;
        case FACET_FLOAT64:
            ((double *)stream->data)[i] = byte / 7.0;
            break;
        case FACET_UINT16:
        case FACET_INT16:
            ((uint16_t *)stream->data)[i] = byte % 3;
            break;
        case FACET_UINT32:
        case FACET_INT32:
            ((uint32_t *)stream->data)[i] = byte;
            break;
        default:
            ((uint8_t *)stream->data)[i] = byte;
        }
    }
}

static void make_unit(facet_stream *stream)
{
    float *v = stream->data;
    for (uint32_t i = 0; i < stream->count; i++, v += stream->components) {
        memset(v, 0, stream->components * sizeof *v);
        v[i % 3] = 1;
        if (stream->components == 4)
            v[3] = i % 2 ? 1 : -1;
    }
}

static void add_stream(facet_mesh *mesh, facet_semantic semantic, uint32_t set,
                       facet_component component, uint32_t components, index_arrays *a, bytes *b)
{
    uint32_t array = semantic == FACET_POSITION ? 0 : take(b) % a->count;
    uint32_t count = a->below[array] + take(b) % 4; /* a few vertices that no corner uses */
    facet_stream *stream = NULL;
    must(facet_mesh_add_stream(mesh, semantic, set, semantic == FACET_CUSTOM ? "custom" : NULL,
                               component, components, count, &stream, NULL) == FACET_OK);
    stream->indices = a->of[array];
    fill_stream(stream, b);
    if (semantic == FACET_NORMAL || semantic == FACET_TANGENT)
        make_unit(stream);
    if (semantic == FACET_WEIGHTS)
        for (uint32_t i = 0; i < count; i++)
            memcpy((float *)stream->data + 4 * (size_t)i, (const float[4]){0.5F, 0.5F, 0, 0}, 16);
    if (semantic == FACET_COLOR)
        for (size_t i = 0; i < (size_t)count * components; i++)
            ((float *)stream->data)[i] = (float)(i % 5) / 4;
}

static void add_streams(facet_scene *scene, facet_mesh *mesh, bytes *b)
{
    index_arrays a;
    unsigned which = take(b) | (unsigned)take(b) << 8;
    make_indices(scene, mesh, &a, b);
    add_stream(mesh, FACET_POSITION, 0, FACET_FLOAT32, 3, &a, b);
    if (which & 1)
        add_stream(mesh, FACET_NORMAL, 0, FACET_FLOAT32, 3, &a, b);
    if (which & 2)
        add_stream(mesh, FACET_TEXCOORD, 0, FACET_FLOAT32, which & 4 ? 3 : 2, &a, b);
    if (which & 8)
        add_stream(mesh, FACET_TEXCOORD, 1, FACET_FLOAT32, 2, &a, b);
    if (which & 16)
        add_stream(mesh, FACET_COLOR, 0, FACET_FLOAT32, which & 32 ? 3 : 4, &a, b);
    if (which & 64)
        add_stream(mesh, FACET_TANGENT, 0, FACET_FLOAT32, 4, &a, b);
    if (which & 128) {
        add_stream(mesh, FACET_JOINTS, 0, FACET_UINT16, 4, &a, b);
        add_stream(mesh, FACET_WEIGHTS, 0, FACET_FLOAT32, 4, &a, b);
    }
    if (which & 256)
        add_stream(mesh, FACET_CUSTOM, 0, (facet_component)(take(b) % (FACET_UINT32 + 1)),
                   1 + take(b) % 16, &a, b);
    if (which & 512) {
        mesh->morphs = facet_scene_allocate(scene, 1, sizeof *mesh->morphs);
        must(mesh->morphs != NULL);
        mesh->morphs[0] = (facet_morph){"morph", 0.5F};
        mesh->morph_count = 1;
        add_stream(mesh, FACET_MORPH_POSITION, 0, FACET_FLOAT32, 3, &a, b);
        if (which & 1024)
            add_stream(mesh, FACET_MORPH_NORMAL, 0, FACET_FLOAT32, 3, &a, b);
    }
}

static uint32_t *make_ends(facet_scene *scene, const facet_mesh *mesh, uint32_t count, bytes *b)
{
    uint32_t *ends = facet_scene_allocate(scene, count, sizeof *ends);
    must(ends != NULL);
    for (uint32_t i = 0; i < count; i++)
        ends[i] = take(b) % mesh->streams[0].count;
    return ends;
}

static uint32_t *make_materials(facet_scene *scene, uint32_t count, bytes *b)
{
    uint32_t *materials = facet_scene_allocate(scene, count, sizeof *materials);
    must(materials != NULL);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t material = take(b) % (scene->material_count + 1);
        materials[i] = material < scene->material_count ? material : FACET_NONE;
    }
    return materials;
}

static void add_mesh(facet_scene *scene, bytes *b)
{
    facet_mesh *mesh = NULL;
    must(facet_scene_add_mesh(scene, &mesh, NULL) == FACET_OK);
    uint8_t flags = take(b);
    mesh->face_count = take(b) % 24;
    mesh->corner_count = mesh->face_count * 3;
    if (flags & 1) {
        mesh->face_offsets =
            facet_scene_allocate(scene, (size_t)mesh->face_count + 1, sizeof(uint32_t));
        must(mesh->face_offsets != NULL);
        mesh->face_offsets[0] = 0;
        for (uint32_t i = 0; i < mesh->face_count; i++)
            mesh->face_offsets[i + 1] = mesh->face_offsets[i] + take(b) % 7;
        mesh->corner_count = mesh->face_offsets[mesh->face_count];
    }
    add_streams(scene, mesh, b);
    if (flags & 2)
        mesh->face_materials = make_materials(scene, mesh->face_count, b);
    if (flags & 4) {
        mesh->face_smoothing = facet_scene_allocate(scene, mesh->face_count, sizeof(uint32_t));
        for (uint32_t i = 0; i < mesh->face_count; i++)
            mesh->face_smoothing[i] = take(b) % 3;
    }
    if (flags & 8) {
        mesh->line_count = take(b) % 8;
        mesh->lines = make_ends(scene, mesh, mesh->line_count * 2, b);
    }
    if (flags & 16) {
        mesh->point_count = take(b) % 8;
        mesh->points = make_ends(scene, mesh, mesh->point_count, b);
    }
    if (flags & 32) {
        mesh->parts = facet_scene_allocate(scene, 1, sizeof *mesh->parts);
        mesh->parts[0] = (facet_part){"part", "group", 0, mesh->face_count / 2};
        mesh->part_count = 1;
    }
    if (flags & 64 && mesh->line_count > 0)
        mesh->line_materials = make_materials(scene, mesh->line_count, b);
    if (flags & 64 && mesh->point_count > 0)
        mesh->point_materials = make_materials(scene, mesh->point_count, b);
}

/* -- Scenes ------------------------------------------------------------- */

static void add_nodes(facet_scene *scene, bytes *b)
{
    uint32_t count = take(b) % 6;
    for (uint32_t i = 0; i < count; i++) {
        facet_node *node = NULL;
        uint32_t parent = take(b) % (i + 1), mesh = take(b) % (scene->mesh_count + 1);
        must(facet_scene_add_node(scene, "node", &node, NULL) == FACET_OK);
        node->parent = parent < i ? parent : FACET_NONE;
        node->mesh = mesh < scene->mesh_count ? mesh : FACET_NONE;
        for (int c = 0; c < 3; c++) {
            node->transform.translation[c] = (float)(take(b) % 8);
            node->transform.scale[c] = take(b) % 16 == 0 ? -1.0F : 1.0F;
        }
    }
}

static facet_scene *make_scene(bytes b)
{
    facet_scene *scene = NULL;
    facet_options options = {.memory_limit = (uint64_t)64 << 20};
    must(facet_scene_create(&options, &scene, NULL) == FACET_OK);
    uint32_t materials = take(&b) % 3, meshes = take(&b) % 4;
    for (uint32_t i = 0; i < materials; i++) {
        facet_material *material = NULL;
        must(facet_scene_add_material(scene, "material", &material, NULL) == FACET_OK);
        material->base_color[3] = i ? 0.5F : 1.0F;
        material->alpha_mode = i ? FACET_ALPHA_BLEND : FACET_ALPHA_OPAQUE;
    }
    for (uint32_t i = 0; i < meshes; i++)
        add_mesh(scene, &b);
    add_nodes(scene, &b);
    return scene;
}

/* -- Operations --------------------------------------------------------- */

static void read_back(facet_output *output, const facet_format *format,
                      const facet_options *options)
{
    facet_source source = {.data = facet_output_data(output), .size = facet_output_size(output)};
    facet_scene *again = NULL;
    facet_report *report = NULL;
    facet_error error = {0};
    must(facet_report_create(NULL, &report, NULL) == FACET_OK);
    must(facet_check(&source, format, options, report, &error) == FACET_OK);
    must(facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0);
    if (facet_format_can_read(format)) {
        must(facet_load(&source, format, NULL, options, &again, &error) == FACET_OK);
        be_whole(again);
        facet_scene_free(again);
    }
    facet_report_free(report);
}

static void save(facet_scene *scene, const facet_format *format, uint8_t flags)
{
    facet_options options = {.memory_limit = (uint64_t)256 << 20};
    facet_prepare_options prepare = {.keep_vertices = flags & 1, .tangents = flags & 2};
    facet_error error = {0};
    facet_output *output = NULL;
    if (facet_prepare(scene, format, &prepare, &options, NULL, &error) == FACET_OK) {
        be_whole(scene);
        must(facet_output_open_memory(NULL, &output, NULL) == FACET_OK);
        if (facet_save(scene, format, &options, output, &error) == FACET_OK) {
            must(facet_output_commit(output, &error) == FACET_OK);
            read_back(output, format, &options);
            facet_output_free(output);
            return;
        }
        facet_output_free(output);
    }
    must(error.message[0] != '\0');
}

static void draw(facet_scene *scene)
{
    facet_renderer *renderer = NULL;
    facet_picture picture;
    facet_error error;
    facet_render_options how = {.width = 24, .height = 24, .samples = 1};
    if (facet_prepare(scene, NULL, NULL, NULL, NULL, &error))
        return;
    be_whole(scene);
    if (facet_renderer_create(scene, NULL, &renderer, &error))
        return;
    if (facet_renderer_draw(renderer, &how, NULL, &picture, &error) == FACET_OK)
        facet_picture_free(&picture);
    facet_renderer_free(renderer);
}

static void simplify(facet_scene *scene, uint8_t flags)
{
    facet_error error;
    const facet_hulls_options few = {.max_hulls = 3, .resolution = 8};
    const facet_reduce_options reduce = {.ratio = 0.5F};
    if (facet_prepare(scene, NULL, NULL, NULL, NULL, &error))
        return;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        facet_mesh *mesh = scene->meshes[i];
        if (flags & 1)
            facet_mesh_hulls(mesh, &few, NULL, scene, NULL, &error);
        if (flags & 2)
            facet_mesh_occluder(mesh, NULL, NULL, scene, NULL, &error);
        if (flags & 4)
            facet_mesh_reduce(mesh, &reduce, NULL, NULL, NULL, &error);
        if (flags & 8)
            facet_mesh_facing(mesh, NULL, NULL, &error);
        be_whole(scene);
    }
    if (flags & 16)
        facet_scene_make_lods(scene, 3, 0, NULL, &error);
    be_whole(scene);
}

static void compare(bytes b, facet_scene *scene)
{
    facet_scene *other = make_scene(b);
    facet_compare_options how = {.struct_size = sizeof how, .samples = 50};
    facet_comparison result = {0};
    facet_report *report = NULL;
    facet_error error;
    must(facet_report_create(NULL, &report, NULL) == FACET_OK);
    if (facet_compare_scenes(scene, other, &how, NULL, report, &result, &error) == FACET_OK)
        must(result.forward.greatest >= 0 &&
             result.forward.greatest <= result.forward.greatest_bound);
    facet_report_free(report);
    facet_scene_free(other);
}

static void flatten(facet_scene *scene, uint8_t flags)
{
    facet_error error;
    const facet_flatten_options how = {.merge = flags & 1};
    if (facet_scene_flatten(scene, &how, NULL, &error) == FACET_OK)
        be_whole(scene);
    draw(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size};
    size_t formats = facet_format_count();
    uint8_t what = take(&b), flags = take(&b);
    facet_scene *scene = make_scene(b);
    be_whole(scene);
    const facet_format *format =
        facet_format_get(what % (formats + 4) < formats ? what % (formats + 4) : 0);
    switch (what % (formats + 4) < formats ? 4 : what % (formats + 4) - formats) {
    case 0:
        draw(scene);
        break;
    case 1:
        simplify(scene, flags);
        break;
    case 2:
        compare(b, scene);
        break;
    case 3:
        flatten(scene, flags);
        break;
    default: /* skip assimp: its own errors are not tested */
        if (strcmp(facet_format_name(format), "fbx") != 0 &&
            strcmp(facet_format_name(format), "dae") != 0)
            save(scene, format, flags);
    }
    facet_scene_free(scene);
    return 0;
}
