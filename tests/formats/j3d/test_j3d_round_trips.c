/* Tests of round trips from other formats to J3D models and back, and from J3D through others. */
#include "support/j3d_make.h"
#include "support/j3d_random.h"
#include "support/support.h"

#include <facet/convert.h>
#include <facet/gx.h>
#include <facet/j3d.h>
#include <facet/pose.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Conversions -------------------------------------------------------- */

static facet_scene *load(const char *path, const char *format)
{
    facet_error error;
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    facet_load_options how = {.images = true};
    TEST_OK(facet_file_open(path, NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    TEST_OK(
        facet_load(&source, format ? facet_format_named(format) : NULL, &how, NULL, &scene, &error),
        &error);
    facet_file_close(file);
    return scene;
}

static facet_scene *load_bytes(const uint8_t *data, size_t size, const char *format)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_source source = {.data = data, .size = size};
    facet_load_options how = {.images = true};
    TEST_OK(facet_load(&source, facet_format_named(format), &how, NULL, &scene, &error), &error);
    return scene;
}

/* Prepare and save to memory. */
static facet_output *save(facet_scene *scene, const char *format, const facet_options *options)
{
    facet_error error;
    facet_output *output = NULL;
    const facet_format *to = facet_format_named(format);
    TEST_OK(facet_prepare(scene, to, NULL, options, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, to, options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static facet_scene *reload(const facet_output *output, const char *format)
{
    return load_bytes(facet_output_data(output), (size_t)facet_output_size(output), format);
}

/* The written file passes its own check without a warning. */
static void assert_clean(const facet_output *output, const char *format)
{
    facet_error error;
    facet_report *report = NULL;
    facet_source source = {.data = facet_output_data(output),
                           .size = (size_t)facet_output_size(output)};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_check(&source, facet_format_named(format), NULL, report, &error), &error);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity != FACET_SEVERITY_NOTE)
            fail_msg("%s: %s %s", format, finding->rule, finding->message);
    }
    facet_report_free(report);
}

/* -- Visible triangles -------------------------------------------------- */

typedef struct influence {
    const char *joint; /* name of the joint's node */
    float weight;
} influence;

typedef struct corner {
    float position[3], normal[3], texcoord[2], color[4];
    influence influences[8];
    uint32_t influence_count;
} corner;

typedef struct triangle {
    corner corners[3];
    const char *material;
    bool used;
} triangle;

typedef struct soup {
    triangle *items;
    size_t count, space;
    bool has_normals, has_texcoords, has_colors;
    double size; /* size of the bounding box */
} soup;

static const float *value_of(const facet_stream *stream, uint32_t index)
{
    return (const float *)stream->data + (size_t)stream->indices[index] * stream->components;
}

static void add_influences(const facet_scene *scene, const facet_node *node, const facet_mesh *mesh,
                           uint32_t at, corner *c)
{
    const facet_skin *skin = scene->skins[node->skin];
    for (uint32_t set = 0; set < 2; set++) {
        const facet_stream *joints = facet_mesh_find(mesh, FACET_JOINTS, set);
        const facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, set);
        if (!joints || !weights)
            return;
        const uint16_t *numbers = (const uint16_t *)joints->data + (size_t)joints->indices[at] * 4;
        const float *w = value_of(weights, at);
        for (int i = 0; i < 4; i++) {
            if (w[i] > 1e-6F)
                c->influences[c->influence_count++] =
                    (influence){scene->nodes[skin->joints[numbers[i]]]->name, w[i]};
        }
    }
}

/* Add a mesh at its node, or untransformed if the scene has no nodes. */
static void add_mesh(soup *s, facet_scene *scene, const facet_pose *pose, uint32_t node,
                     const facet_mesh *mesh)
{
    facet_error error;
    const facet_node *n = node == FACET_NONE ? NULL : scene->nodes[node];
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    const facet_stream *texcoords = facet_mesh_find(mesh, FACET_TEXCOORD, 0);
    const facet_stream *colors = facet_mesh_find(mesh, FACET_COLOR, 0);
    float *placed = malloc((size_t)positions->count * 3 * sizeof *placed);
    if (n)
        TEST_OK(facet_pose_positions(scene, pose, node, NULL, placed, &error), &error);
    else
        memcpy(placed, positions->data, (size_t)positions->count * 3 * sizeof *placed);
    s->has_normals |= normals != NULL;
    s->has_texcoords |= texcoords != NULL;
    s->has_colors |= colors != NULL;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        if (s->count == s->space) {
            s->space = s->space ? s->space * 2 : 256;
            s->items = realloc(s->items, s->space * sizeof *s->items);
        }
        triangle *t = &s->items[s->count++];
        memset(t, 0, sizeof *t);
        uint32_t material = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
        t->material = material == FACET_NONE ? "" : scene->materials[material]->name;
        for (uint32_t k = 0; k < 3; k++) {
            corner *c = &t->corners[k];
            uint32_t at = face * 3 + k;
            memcpy(c->position, placed + (size_t)positions->indices[at] * 3, sizeof c->position);
            if (normals)
                memcpy(c->normal, value_of(normals, at), sizeof c->normal);
            if (texcoords) {
                const float *uv = value_of(texcoords, at);
                c->texcoord[0] = uv[0];
                c->texcoord[1] = scene->axes.uv_origin_top ? uv[1] : 1 - uv[1];
            }
            for (int i = 0; i < 4; i++)
                c->color[i] = 1;
            if (colors)
                memcpy(c->color, value_of(colors, at), colors->components * sizeof *c->color);
            if (n && n->skin != FACET_NONE)
                add_influences(scene, n, mesh, at, c);
            else if (n && n->parent != FACET_NONE) /* a mesh below a joint */
                c->influences[c->influence_count++] = (influence){scene->nodes[n->parent]->name, 1};
        }
    }
    free(placed);
}

/* All triangles of a scene at rest, with the normals of the meshes. */
static soup gather(facet_scene *scene)
{
    facet_error error;
    facet_pose pose = {0};
    soup s = {0};
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error), &error);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (pose.seen[i] && scene->nodes[i]->mesh != FACET_NONE)
            add_mesh(&s, scene, &pose, i, scene->meshes[scene->nodes[i]->mesh]);
    }
    for (uint32_t i = 0; i < scene->mesh_count && scene->node_count == 0; i++)
        add_mesh(&s, scene, &pose, FACET_NONE, scene->meshes[i]);
    facet_pose_free(&pose);
    for (size_t i = 0; i < s.count * 3; i++) {
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], s.items[i / 3].corners[i % 3].position[k]);
            high[k] = fmaxf(high[k], s.items[i / 3].corners[i % 3].position[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        s.size = fmax(s.size, (double)high[k] - (double)low[k]);
    return s;
}

/* -- Comparing ---------------------------------------------------------- */

typedef struct tolerance {
    double position, texcoord, color, weight;
} tolerance;

static bool are_near(const float *a, const float *b, int count, double most)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs((double)a[i] - (double)b[i]) <= most))
            return false;
    }
    return true;
}

/* The writer names nodes that have no name. */
static bool same_influences(const corner *a, const corner *b, double most)
{
    if (a->influence_count != b->influence_count)
        return false;
    for (uint32_t i = 0; i < a->influence_count; i++) {
        const influence *one = &a->influences[i];
        bool found = false;
        for (uint32_t k = 0; k < b->influence_count && !found; k++) {
            const influence *two = &b->influences[k];
            found = (!*one->joint || strcmp(one->joint, two->joint) == 0) &&
                    fabs((double)one->weight - (double)two->weight) <= most;
        }
        if (!found)
            return false;
    }
    return true;
}

static bool same_corner(const corner *a, const corner *b, const soup *of, const tolerance *most,
                        bool skinned)
{
    return are_near(a->position, b->position, 3, most->position) &&
           (!of->has_texcoords || are_near(a->texcoord, b->texcoord, 2, most->texcoord)) &&
           (!of->has_colors || are_near(a->color, b->color, 4, most->color)) &&
           (!skinned || same_influences(a, b, most->weight));
}

/* The writer names materials that have no name. */
static bool same_material(const char *a, const char *b)
{
    return !*a || strcmp(a, b) == 0;
}

/* Expect that both soups have the same triangles with the same winding. Triangles whose corners
 * are closer than twice the tolerance may be missing. */
static void assert_same(const char *name, soup *before, soup *after, const tolerance *most,
                        bool skinned)
{
    size_t missing = 0, small = 0;
    for (size_t i = 0; i < before->count; i++) {
        const triangle *b = &before->items[i];
        bool found = false, thin = false;
        for (int k = 0; k < 3; k++)
            thin |= are_near(b->corners[k].position, b->corners[(k + 1) % 3].position, 3,
                             most->position * 2);
        for (size_t j = 0; j < after->count && !found; j++) {
            triangle *a = &after->items[j];
            for (int turn = 0; turn < 3 && !found && !a->used; turn++) {
                found = same_material(b->material, a->material);
                for (int k = 0; k < 3 && found; k++)
                    found = same_corner(&b->corners[k], &a->corners[(k + turn) % 3], before, most,
                                        skinned);
            }
            a->used |= found;
        }
        missing += !found && !thin;
        small += !found && thin;
    }
    if (missing > 0 || after->count + small != before->count)
        fail_msg("%s: %zu triangles, %zu of them not there; %zu came out, %zu too thin to tell",
                 name, before->count, missing, after->count, small);
    free(before->items);
    free(after->items);
}

/* -- From other formats and back ---------------------------------------- */

/* Scale weights to a sum of 1: some files have other sums, which no format must keep. */
static void normalize_weights(facet_scene *scene)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        facet_stream *weights = facet_mesh_find(scene->meshes[i], FACET_WEIGHTS, 0);
        float *w = weights ? weights->data : NULL;
        for (uint32_t k = 0; w && k < weights->count; k++, w += 4) {
            float sum = w[0] + w[1] + w[2] + w[3];
            for (int n = 0; n < 4; n++)
                w[n] /= sum;
        }
    }
}

/* Tolerance for the numbers of a document: half a step along each axis, and the rounding of
 * floats. */
static tolerance tolerance_of(const facet_output *output, double size)
{
    facet_error error;
    facet_j3d *document = NULL;
    tolerance most = {size * 2e-6, 1e-6, 0.005, 1e-5};
    TEST_OK(
        facet_j3d_read(TEST_SOURCE(facet_output_data(output), (size_t)facet_output_size(output)),
                       NULL, &document, &error),
        &error);
    for (uint32_t i = 0; i < document->vertices.format_count; i++) {
        const facet_j3d_vertex_format *format = &document->vertices.formats[i];
        double step = 1 / (double)(1u << format->fraction_bits);
        if (format->component != FACET_J3D_S16)
            continue;
        if (format->attribute == FACET_J3D_POSITION)
            most.position += step / 2 * 1.7320509; /* rotated, an error along three axes can add
                                                    * up */
        if (format->attribute == FACET_J3D_TEXCOORD0)
            most.texcoord += step / 2;
    }
    facet_j3d_free(document);
    return most;
}

static void check_from(const char *path, const char *format, const facet_options *options)
{
    facet_scene *scene = load(test_corpus(path), NULL);
    normalize_weights(scene);
    scene->axes.unit = FACET_J3D_UNIT; /* both sides use the same unit */
    facet_output *model = save(scene, format, options);
    assert_clean(model, format);
    bool skinned = scene->skin_count > 0;
    soup before = gather(scene), again = gather(scene);
    tolerance most = tolerance_of(model, before.size);
    facet_scene *back = reload(model, format);
    soup after = gather(back);
    assert_same(path, &before, &after, &most, skinned);
    back->axes.unit = 1;
    facet_output *binary = save(back, "glb", NULL);
    facet_scene *last = reload(binary, "glb");
    soup end = gather(last);
    assert_same(path, &again, &end, &most, skinned);
    facet_scene_free(last);
    facet_output_free(binary);
    facet_scene_free(back);
    facet_output_free(model);
    facet_scene_free(scene);
}

TEST(skinned_models_survive_a_round_trip)
{
    TEST_NEEDS_CORPUS();
    check_from("gltf/CesiumMan.glb", "bmd", NULL);
    check_from("gltf/Fox.glb", "bdl", NULL);
    check_from("gltf/greenman.glb", "bdl", NULL);
    check_from("gltf/robot.glb", "bmd", NULL);
    check_from("gltf/simple_skin.gltf", "bmd", NULL);
}

TEST(static_models_survive_a_round_trip)
{
    TEST_NEEDS_CORPUS();
    check_from("obj/spider.obj", "bdl", NULL);
    check_from("gltf/cakeBirthday.glb", "bmd", NULL);
    facet_j3d_options how = {.quantize = FACET_J3D_QUANTIZE_NONE};
    facet_options options = {.j3d = &how};
    check_from("gltf/greenman.glb", "bmd", &options);
}

/* -- From J3D and back -------------------------------------------------- */

static facet_j3d *read_document(const uint8_t *data, size_t size)
{
    facet_error error;
    facet_j3d *document = NULL;
    TEST_OK(facet_j3d_read(TEST_SOURCE(data, size), NULL, &document, &error), &error);
    return document;
}

static void assert_same_joints(const facet_j3d *a, const facet_j3d *b)
{
    assert_int_equal(a->joints.count, b->joints.count);
    assert_int_equal(a->hierarchy.flags, b->hierarchy.flags);
    for (uint32_t i = 0; i < a->joints.count; i++) {
        const facet_j3d_joint *one = &a->joints.items[i], *two = &b->joints.items[i];
        assert_string_equal(a->joints.names.items[i].bytes, b->joints.names.items[i].bytes);
        assert_int_equal(one->parent, two->parent);
        assert_int_equal(one->scale_compensate, two->scale_compensate);
        assert_memory_equal(one->scale, two->scale, sizeof one->scale);
        assert_memory_equal(one->rotation, two->rotation, sizeof one->rotation);
        assert_memory_equal(one->translation, two->translation, sizeof one->translation);
    }
    /* Conversion to meters and back can change the last bit of a length, and so the file. */
    for (uint32_t i = 0; i < a->envelopes.inverse_bind_count && b->envelopes.count > 0; i++) {
        for (int k = 0; k < 12; k++) {
            float one = a->envelopes.inverse_bind[i][k], two = b->envelopes.inverse_bind[i][k];
            assert_true(fabsf(one - two) <= (k % 4 == 3 ? 1.2e-7F * fabsf(one) : 0));
        }
    }
}

static void assert_same_materials(const facet_j3d *a, const facet_j3d *b)
{
    facet_error error;
    /* A slot draws one shape. A slot that drew two is split, and the new one is at the end. */
    assert_true(a->materials.slot_count <= b->materials.slot_count);
    for (uint32_t i = 0; i < a->materials.slot_count; i++) {
        facet_j3d_material *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
        TEST_OK(facet_j3d_get_material(a, i, one, &error), &error);
        TEST_OK(facet_j3d_get_material(b, i, two, &error), &error);
        test_j3d_same_material(one, two);
        assert_string_equal(one->name.bytes, two->name.bytes);
        free(one);
        free(two);
    }
}

/* Compare the headers, and the largest level bit by bit: the other levels are generated again. */
static void assert_same_textures(const facet_j3d *a, const facet_j3d *b)
{
    assert_int_equal(a->textures.count, b->textures.count);
    for (uint32_t i = 0; i < a->textures.count; i++) {
        facet_bti_header one = a->textures.items[i].header, two = b->textures.items[i].header;
        size_t size = 0;
        one.image_offset = two.image_offset = one.palette_offset = two.palette_offset = 0;
        uint8_t bytes[2][FACET_BTI_HEADER_SIZE];
        facet_bti_header_store(&one, bytes[0]);
        facet_bti_header_store(&two, bytes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizeof bytes[0]);
        assert_string_equal(a->textures.names.items[i].bytes, b->textures.names.items[i].bytes);
        assert_int_equal(facet_gx_texture_size((facet_gx_format)one.format, one.width, one.height,
                                               1, &size, NULL),
                         FACET_OK);
        assert_memory_equal(a->textures.texels[a->textures.items[i].image].bytes,
                            b->textures.texels[b->textures.items[i].image].bytes, size);
    }
}

/* Check that a model survives a conversion to glTF and back. */
static void check_j3d(const char *name, const uint8_t *data, size_t size, const char *format)
{
    facet_scene *scene = load_bytes(data, size, format);
    soup before = gather(scene);
    facet_output *binary = save(scene, "glb", NULL);
    facet_scene *back = reload(binary, "glb");
    facet_output *model = save(back, format, NULL);
    facet_j3d *a = read_document(data, size);
    facet_j3d *b = read_document(facet_output_data(model), (size_t)facet_output_size(model));
    assert_same_joints(a, b);
    assert_same_materials(a, b);
    assert_same_textures(a, b);
    facet_scene *last = reload(model, format);
    soup after = gather(last);
    tolerance most = tolerance_of(model, before.size);
    assert_same(name, &before, &after, &most, false);
    facet_scene_free(last);
    facet_j3d_free(a);
    facet_j3d_free(b);
    facet_output_free(model);
    facet_scene_free(back);
    facet_output_free(binary);
    facet_scene_free(scene);
}

TEST(j3d_models_survive_a_round_trip)
{
    TEST_NEEDS_CORPUS();
    static const char *const names[] = {"j3d/greenman_skinned.bmd", "j3d/greenman_skinned.bdl",
                                        "j3d/fish_static.bmd"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        facet_error error;
        facet_file *file = NULL;
        TEST_OK(facet_file_open(test_corpus(names[i]), NULL, &file, &error), &error);
        check_j3d(names[i], facet_file_source(file).data, facet_file_source(file).size,
                  strrchr(names[i], '.') + 1);
        facet_file_close(file);
    }
}

TEST(small_model_survives_a_round_trip)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    check_j3d("made by hand", file.data, file.size, "bmd");
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* Textured materials draw shapes without texture coordinates: glTF needs each of them with and
 * without its texture, and J3D only once. The number of equal materials of the file stays the
 * same. */
TEST(copies_of_materials)
{
    static const double xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint8_t texels[32] = {0, 255};
    static const uint16_t root = 0, values[3] = {0, 1, 2};
    test_j3d *model = test_j3d_new();
    facet_j3d_material skin = test_j3d_textured_material("skin", 0);
    facet_j3d_material plain = test_j3d_minimal_material("plain");
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_draw(model, 0, 0);
    test_j3d_add_texture(model, "t", 1, 8, 4, texels, sizeof texels); /* I8 */
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
    for (uint32_t i = 0; i < 4; i++) {
        test_j3d_add_material(model, i > 1 ? &plain : &skin);
        test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, i, 0);
        test_j3d_add_part(model, i, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_packet(model, i, &root, 1);
        test_j3d_draw(model, i, 0x90, values, 3);
    }
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    facet_scene *scene = load_bytes(file.data, file.size, "bmd");
    facet_output *binary = save(scene, "glb", NULL);
    facet_scene *copied = reload(binary, "glb");
    assert_int_equal(scene->material_count, 4);
    assert_int_equal(copied->material_count, 6);
    facet_output *out = save(copied, "bmd", NULL);
    facet_j3d *a = read_document(file.data, file.size);
    facet_j3d *b = read_document(facet_output_data(out), (size_t)facet_output_size(out));
    assert_int_equal(b->materials.slot_count, 4);
    assert_same_materials(a, b);
    assert_int_equal(b->shapes.count, 4);
    bool drawn[4] = {false, false, false, false};
    for (uint32_t i = 0; i < 4; i++)
        drawn[b->shapes.items[i].material] = true;
    assert_true(drawn[0] && drawn[1] && drawn[2] && drawn[3]);
    facet_j3d_free(b);
    facet_j3d_free(a);
    facet_output_free(out);
    facet_scene_free(copied);
    facet_output_free(binary);
    facet_scene_free(scene);
    test_bytes_free(&file);
}
