/* Scenes as Inter-Quake models, and the errors of both ways. */
#include "support/iqm_scene.h"

/* -- From a scene ------------------------------------------------------- */

/* The document of the scene has everything that the file has; the bounds are computed again. */
TEST(scene_of_a_file_becomes_its_document)
{
    uint8_t file[IQM_SIZE];
    facet_report *report = make_report();
    facet_error error;
    facet_iqm *original = NULL;
    iqm_build(file);
    facet_scene *scene = load_built(file, NULL);
    facet_iqm *made = document_of(scene, report);
    TEST_OK(facet_iqm_read(TEST_SOURCE(file, IQM_SIZE), NULL, &original, &error), &error);
    assert_int_equal(made->array_count, original->array_count);
    for (uint32_t i = 0; i < made->array_count; i++) {
        const facet_iqm_array *a = &made->arrays[i], *b = &original->arrays[i];
        assert_int_equal(a->format, b->format);
        size_t size = 4 * (size_t)a->size * facet_iqm_component_size(a->format);
        assert_memory_equal(a->data, b->data, size);
    }
    assert_memory_equal(made->triangles, original->triangles, 24);
    assert_memory_equal(made->adjacency, original->adjacency, 24);
    for (int j = 0; j < 2; j++) {
        assert_string_equal(made->text + made->joints[j].name,
                            original->text + original->joints[j].name);
        assert_int_equal(made->joints[j].parent, original->joints[j].parent);
        expect_near(made->joints[j].translation, original->joints[j].translation, 10, 0);
        assert_int_equal(made->poses[j].mask, original->poses[j].mask);
        expect_near(made->poses[j].offset, original->poses[j].offset, 20, 1e-7F);
    }
    assert_memory_equal(made->frames, original->frames, 12);
    expect_near(made->bounds[0].minimum, original->bounds[0].minimum, 16, 3e-6F);
    assert_true(made->animations[0].rate == 10 && made->animations[0].flags == FACET_IQM_LOOP);
    assert_string_equal(made->comment, "hello");
    facet_iqm_free(original);
    facet_iqm_free(made);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* A triangle in the plane of x and z that faces +Y, in a scene with +Y up. */
static facet_mesh *add_triangle(facet_scene *scene, const char *name)
{
    static const float positions[] = {0, 0, 0, 0, 0, 1, 1, 0, 0},
                       normals[] = {0, 1, 0, 0, 1, 0, 0, 1, 0}, uvs[] = {0, 0, 0, 1, 1, 0};
    facet_mesh *mesh = NULL;
    assert_int_equal(facet_scene_add_mesh(scene, &mesh, NULL), FACET_OK);
    mesh->name = name;
    mesh->face_count = 1;
    mesh->corner_count = 3;
    assert_int_equal(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3,
                                                positions, NULL, NULL, NULL),
                     FACET_OK);
    assert_int_equal(facet_mesh_add_stream_copy(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, 3,
                                                normals, NULL, NULL, NULL),
                     FACET_OK);
    assert_int_equal(facet_mesh_add_stream_copy(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, 3,
                                                uvs, NULL, NULL, NULL),
                     FACET_OK);
    return mesh;
}

static void add_skin_streams(facet_mesh *mesh, const float *weights)
{
    static const uint16_t joints[] = {0, 1, 2, 0, 0, 1, 2, 0, 0, 1, 2, 0};
    float all[12];
    for (int i = 0; i < 12; i++)
        all[i] = weights[i % 4];
    assert_int_equal(facet_mesh_add_stream_copy(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 3,
                                                joints, NULL, NULL, NULL),
                     FACET_OK);
    assert_int_equal(facet_mesh_add_stream_copy(mesh, FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4, 3,
                                                all, NULL, NULL, NULL),
                     FACET_OK);
}

static facet_node *add_node(facet_scene *scene, const char *name, uint32_t parent)
{
    facet_node *node = NULL;
    assert_int_equal(facet_scene_add_node(scene, name, &node, NULL), FACET_OK);
    node->parent = parent;
    return node;
}

static facet_scene *make_scene(void)
{
    facet_scene *scene = NULL;
    assert_int_equal(facet_scene_create(NULL, &scene, NULL), FACET_OK);
    return scene;
}

/* `count` joints at the origin in a chain, each the child of the one before, the first below
 * `top`. */
static void add_chain(facet_scene *scene, uint32_t count, uint32_t top)
{
    facet_skin *skin = NULL;
    assert_int_equal(facet_scene_add_skin(scene, "", count, &skin, NULL), FACET_OK);
    for (uint32_t i = 0; i < count; i++) {
        add_node(scene, "joint", i == 0 ? top : scene->node_count - 1);
        skin->joints[i] = scene->node_count - 1;
    }
}

static const void *array_of(const facet_iqm *document, uint32_t type)
{
    for (uint32_t i = 0; i < document->array_count; i++) {
        if (document->arrays[i].type == type)
            return document->arrays[i].data;
    }
    fail_msg("there is no array of type %u", (unsigned)type);
    return NULL;
}

/* The arm's rest pose differs from its bind pose. Joints get the pose that the inverse bind
 * matrices undo, and nothing is lost. */
TEST(joints_stay_where_they_are_bound)
{
    uint8_t file[IQM_SIZE];
    facet_report *report = make_report();
    iqm_build(file);
    facet_scene *scene = load_built(file, NULL);
    for (uint32_t n = 0; n < scene->node_count; n++) {
        if (strcmp(scene->nodes[n]->name, "arm") == 0)
            scene->nodes[n]->transform.translation[1] = 0.5F;
    }
    facet_iqm *made = document_of(scene, report);
    static const float bound[] = {1, 0, 0};
    expect_near(made->joints[1].translation, bound, 3, 1e-6F);
    assert_null(test_finding(report, "LOSS-NODES"));
    facet_iqm_free(made);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* Both frames equal frame 1: the arm differs from its rest pose, in one key. */
TEST(channels_that_stay_have_one_key)
{
    uint8_t file[IQM_SIZE];
    iqm_build(file);
    memcpy(file + IQM_FRAMES, file + IQM_FRAMES + 6, 6);
    facet_scene *scene = load_built(file, NULL);
    size_t moved = 0;
    for (uint32_t c = 0; c < scene->animations[0]->channel_count; c++) {
        const facet_channel *channel = &scene->animations[0]->channels[c];
        if (strcmp(scene->nodes[channel->node]->name, "arm") != 0)
            continue;
        assert_int_equal(channel->key_count, 1);
        moved++;
    }
    assert_int_equal(moved, 2); /* translation, rotation */
    facet_scene_free(scene);
}

/* An array of a reserved type and the extension are dropped. Data after the last extension is not
 * read. */
TEST(what_a_scene_has_no_place_for_is_reported)
{
    uint8_t file[IQM_SIZE];
    facet_report *report = make_report();
    iqm_build(file);
    facet_scene_free(load_built(file, report));
    size_t lost = 0;
    for (size_t i = 0; i < facet_report_count(report); i++)
        lost += strcmp(facet_report_get(report, i)->rule, "LOSS-UNREAD") == 0;
    assert_int_equal(lost, 1);
    iqm_put(file + IQM_ARRAYS + 20 * 7, 9);
    facet_scene *scene = load_built(file, report);
    for (uint32_t s = 0; s < scene->meshes[0]->stream_count; s++)
        assert_true(scene->meshes[0]->streams[s].semantic != FACET_CUSTOM);
    facet_scene_free(scene);
    facet_report_free(report);
}

TEST(nodes_without_animation_only_place_their_meshes)
{
    facet_report *report = make_report();
    facet_scene *scene = make_scene();
    add_triangle(scene, "floor");
    facet_node *node = add_node(scene, "hall", FACET_NONE);
    node->mesh = 0;
    node->transform.translation[1] = 2;
    facet_iqm *document = document_of(scene, report);
    assert_int_equal(document->joint_count, 0);
    /* +Z up: (x, y, z) becomes (x, -z, y). Clockwise: the last two corners are swapped. */
    static const float positions[] = {0, 0, 2, 0, -1, 2, 1, 0, 2}, normal[] = {0, 0, 1},
                       uvs[] = {0, 1, 0, 0, 1, 1};
    static const uint32_t triangle[] = {0, 2, 1};
    expect_near(array_of(document, FACET_IQM_POSITION), positions, 9, 0);
    expect_near(array_of(document, FACET_IQM_NORMAL), normal, 3, 0);
    expect_near(array_of(document, FACET_IQM_TEXCOORD), uvs, 6, 0);
    assert_memory_equal(document->triangles, triangle, sizeof triangle);
    assert_string_equal(document->text + document->meshes[0].name, "floor");
    assert_non_null(test_finding(report, "LOSS-NODES"));
    facet_iqm_free(document);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* A mirrored mesh keeps its triangles clockwise from outside. */
TEST(mirrored_meshes_turn_their_triangles)
{
    facet_scene *scene = make_scene();
    add_triangle(scene, "floor");
    facet_node *node = add_node(scene, "", FACET_NONE);
    node->mesh = 0;
    node->transform.scale[0] = -1;
    facet_iqm *document = document_of(scene, NULL);
    static const float positions[] = {0, 0, 0, 0, -1, 0, -1, 0, 0}, normal[] = {0, 0, 1};
    static const uint32_t triangle[] = {0, 1, 2};
    expect_near(array_of(document, FACET_IQM_POSITION), positions, 9, 0);
    expect_near(array_of(document, FACET_IQM_NORMAL), normal, 3, 0);
    assert_memory_equal(document->triangles, triangle, sizeof triangle);
    facet_iqm_free(document);
    facet_scene_free(scene);
}

static void expect_weights(const float weights[4], const uint8_t expected[4])
{
    facet_report *report = make_report();
    facet_scene *scene = make_scene();
    facet_mesh *mesh = add_triangle(scene, "cloth");
    add_skin_streams(mesh, weights);
    add_chain(scene, 3, FACET_NONE);
    facet_node *node = add_node(scene, "cloth", FACET_NONE);
    node->mesh = node->skin = 0;
    facet_iqm *document = document_of(scene, report);
    assert_memory_equal(array_of(document, FACET_IQM_BLEND_WEIGHTS), expected, 4);
    assert_int_equal(test_finding(report, "IQM-WEIGHTS-ROUNDED") != NULL, weights[0] != 1);
    facet_iqm_free(document);
    facet_scene_free(scene);
    facet_report_free(report);
}

TEST(weights_have_the_sum_255)
{
    /* Parts of 255: 127.5, 63.75 and 63.75. The remainder is added to the weights that lost most
     * by rounding. */
    expect_weights((const float[]){0.5F, 0.25F, 0.25F, 0}, (const uint8_t[]){127, 64, 64, 0});
    expect_weights((const float[]){1, 0, 0, 0}, (const uint8_t[]){255, 0, 0, 0});
    /* 254.49, 0.255, 0.255 */
    expect_weights((const float[]){0.998F, 0.001F, 0.001F, 0}, (const uint8_t[]){255, 0, 0, 0});
}

static void add_move(facet_scene *scene, uint32_t node, float end, float far)
{
    facet_animation *animation = NULL;
    assert_int_equal(facet_scene_add_animation(scene, "move", 1, &animation, NULL), FACET_OK);
    float *times = facet_scene_allocate(scene, 2, sizeof *times);
    float *values = facet_scene_allocate(scene, 6, sizeof *values);
    memcpy(times, (const float[]){0, end}, 2 * sizeof *times);
    memcpy(values, (const float[]){0, 0, 0, 0, far, 0}, 6 * sizeof *values);
    animation->channels[0] = (facet_channel){.node = node,
                                             .target = FACET_TARGET_TRANSLATION,
                                             .width = 3,
                                             .key_count = 2,
                                             .times = times,
                                             .values = values};
}

enum { CLOUD = 999 };

/* Triangles at arbitrary positions, whose vertices follow joint 1 by weights[v], a multiple of
 * 1/255. */
static facet_mesh *add_cloud(facet_scene *scene, float positions[CLOUD * 3], float weights[CLOUD])
{
    facet_mesh *mesh = NULL;
    uint32_t random = 1;
    assert_int_equal(facet_scene_add_mesh(scene, &mesh, NULL), FACET_OK);
    mesh->face_count = CLOUD / 3;
    mesh->corner_count = CLOUD;
    uint32_t *indices = facet_scene_allocate(scene, CLOUD, sizeof *indices);
    void *data[3];
    static const uint32_t widths[] = {3, 4, 4};
    static const facet_semantic semantics[] = {FACET_POSITION, FACET_JOINTS, FACET_WEIGHTS};
    for (int i = 0; i < 3; i++) {
        facet_component type = i == 1 ? FACET_UINT16 : FACET_FLOAT32;
        facet_stream *stream; /* valid until the next is added */
        assert_int_equal(facet_mesh_add_stream(mesh, semantics[i], 0, NULL, type, widths[i], CLOUD,
                                               &stream, NULL),
                         FACET_OK);
        stream->indices = indices;
        data[i] = stream->data;
    }
    for (uint32_t i = 0; i < CLOUD * 3; i++) {
        random = random * 1664525U + 1013904223U;
        positions[i] = (float)(random >> 16) / 65536 - 0.5F;
    }
    for (uint32_t v = 0; v < CLOUD; v++) {
        indices[v] = v;
        weights[v] = (float)(v * 7 % 256) / 255;
        memcpy((uint16_t *)data[1] + v * 4, (const uint16_t[]){0, 1, 0, 0}, 8);
        memcpy((float *)data[2] + v * 4, (const float[]){1 - weights[v], weights[v], 0, 0}, 16);
    }
    memcpy(data[0], positions, CLOUD * 3 * sizeof *positions);
    return mesh;
}

/* Joint 1 moves by 3 along +Y, which is +Z of the file, in 12 frames: a vertex moves by 3 times
 * its weight. */
TEST(bounds_are_those_of_the_farthest_of_many_vertices)
{
    static float positions[CLOUD * 3], weights[CLOUD];
    facet_scene *scene = make_scene();
    add_cloud(scene, positions, weights);
    add_chain(scene, 2, FACET_NONE);
    facet_node *node = add_node(scene, "cloud", FACET_NONE);
    node->mesh = node->skin = 0;
    add_move(scene, 1, 0.5F, 3);
    facet_iqm *document = document_of(scene, NULL);
    assert_int_equal(document->frame_count, 13);
    assert_int_equal(document->vertex_count, CLOUD);
    for (int frame = 0; frame < 13; frame++) {
        const facet_iqm_bounds *bounds = &document->bounds[frame];
        float least[3] = {9, 9, 9}, most[3] = {-9, -9, -9}, flat = 0, radius = 0;
        for (int v = 0; v < CLOUD; v++) {
            const float *p = positions + v * 3;
            float up = weights[v] * 3 * (float)frame / 12;
            const float moved[] = {p[0], -p[2], p[1] + up};
            for (int axis = 0; axis < 3; axis++) {
                least[axis] = fminf(least[axis], moved[axis]);
                most[axis] = fmaxf(most[axis], moved[axis]);
            }
            flat = fmaxf(flat, hypotf(moved[0], moved[1]));
            radius = fmaxf(radius, hypotf(hypotf(moved[0], moved[1]), moved[2]));
        }
        /* A frame stores the translation in steps of 3 / 65535, with an error of at most half a
         * step. */
        expect_near(bounds->minimum, least, 3, 3e-5F);
        expect_near(bounds->maximum, most, 3, 3e-5F);
        expect_near(&bounds->xy_radius, &flat, 1, 3e-5F);
        expect_near(&bounds->radius, &radius, 1, 3e-5F);
    }
    facet_iqm_free(document);
    facet_scene_free(scene);
}

/* The bytes of a file with CLOUD vertices: several blocks of the check. */
static uint8_t *write_cloud(size_t *size)
{
    static float positions[CLOUD * 3], weights[CLOUD];
    facet_scene *scene = make_scene();
    facet_output *output = NULL;
    add_cloud(scene, positions, weights);
    add_chain(scene, 2, FACET_NONE);
    facet_node *node = add_node(scene, "cloud", FACET_NONE);
    node->mesh = node->skin = 0;
    facet_iqm *document = document_of(scene, NULL);
    assert_int_equal(facet_output_open_memory(NULL, &output, NULL), FACET_OK);
    assert_int_equal(facet_iqm_write(document, NULL, output, NULL), FACET_OK);
    assert_int_equal(facet_output_commit(output, NULL), FACET_OK);
    *size = (size_t)facet_output_size(output);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    memcpy(bytes, facet_output_data(output), *size);
    facet_output_free(output);
    facet_iqm_free(document);
    facet_scene_free(scene);
    return bytes;
}

/* Assert that the check reports a rule at an offset after `count` bytes of the file are
 * replaced. */
static void expect_found(uint8_t *file, size_t size, size_t at, const uint8_t *bytes, size_t count,
                         const char *rule)
{
    facet_report *report = make_report();
    facet_source source = facet_source_from_memory(file, size, "a.iqm");
    uint8_t before[4];
    memcpy(before, file + at, count);
    memcpy(file + at, bytes, count);
    assert_int_equal(facet_check(&source, NULL, NULL, report, NULL), FACET_OK);
    const facet_finding *found = test_finding(report, rule);
    if (!found)
        fail_msg("%s is not found at %zu", rule, at);
    assert_int_equal(found->offset, at);
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 1);
    facet_report_free(report);
    memcpy(file + at, before, count);
}

static size_t offset_of_array(const uint8_t *file, size_t size, uint32_t type)
{
    facet_iqm_layout layout;
    facet_iqm_array array = {.type = FACET_NONE};
    assert_int_equal(facet_iqm_view(file, size, &layout, NULL), FACET_OK);
    assert_int_equal(facet_iqm_verify(&layout, NULL), FACET_OK);
    for (uint32_t i = 0; array.type != type; i++)
        assert_int_equal(facet_iqm_get(&layout, FACET_IQM_ARRAYS, i, &array, sizeof array, NULL),
                         FACET_OK);
    return array.offset;
}

TEST(check_finds_a_bad_value_in_any_block)
{
    static const uint8_t nan[] = {0, 0, 0xC0, 0x7F}, infinity[] = {0, 0, 0x80, 0xFF}, joint[] = {2},
                         index[] = {CLOUD & 255, CLOUD >> 8, 0, 0};
    size_t size;
    uint8_t *file = write_cloud(&size);
    facet_iqm_layout layout;
    assert_int_equal(facet_iqm_view(file, size, &layout, NULL), FACET_OK);
    size_t positions = offset_of_array(file, size, FACET_IQM_POSITION),
           indexes = offset_of_array(file, size, FACET_IQM_BLEND_INDEXES);
    for (size_t v = 0; v < CLOUD; v += 37) {
        expect_found(file, size, positions + v * 12 + 4, v % 2 ? nan : infinity, 4,
                     "IQM-FLOAT-NONFINITE");
        expect_found(file, size, layout.offset[FACET_IQM_TRIANGLES] + v * 4, index, 4,
                     "IQM-TRIANGLE-RANGE");
        /* The second weight of vertex v is 0 if v * 7 % 256 is 0 or 255. */
        if (v * 7 % 256 % 255 > 0)
            expect_found(file, size, indexes + v * 4 + 1, joint, 1, "IQM-BLEND-RANGE");
    }
    free(file);
}

/* Triangle 0, and two other triangles that share its edge from the origin to +X. */
static facet_iqm *document_of_sheets(uint32_t count)
{
    static const float points[3][9] = {
        {0, 0, 0, 0, 0, 1, 1, 0, 0}, {0, 0, 0, 1, 0, 0, 0, 0, -1}, {0, 0, 0, 1, 0, 0, 0, 1, 0}};
    facet_scene *scene = make_scene();
    for (uint32_t i = 0; i < count; i++) {
        facet_mesh *mesh = add_triangle(scene, "sheet");
        memcpy(mesh->streams[0].data, points[i], sizeof points[i]);
        add_node(scene, "sheet", FACET_NONE)->mesh = i;
    }
    facet_iqm *document = document_of(scene, NULL);
    facet_scene_free(scene);
    return document;
}

TEST(neighbors_share_an_edge_that_no_third_triangle_has)
{
    facet_iqm *two = document_of_sheets(2), *three = document_of_sheets(3);
    int found = 0;
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t *v = two->triangles + i / 3 * 3, neighbor = two->adjacency[i];
        const float *p = array_of(two, FACET_IQM_POSITION), *a = p + v[i % 3] * 3,
                    *b = p + v[(i + 1) % 3] * 3;
        bool shared = a[1] == 0 && a[2] == 0 && b[1] == 0 && b[2] == 0;
        assert_int_equal(neighbor, shared ? 1 - i / 3 : FACET_NONE);
        found += shared;
    }
    assert_int_equal(found, 2);
    for (uint32_t i = 0; i < 9; i++)
        assert_int_equal(three->adjacency[i], FACET_NONE);
    facet_iqm_free(two);
    facet_iqm_free(three);
}

/* A mesh without a skin follows the node that moves it; a static one gets a joint. */
TEST(meshes_follow_the_nodes_that_move)
{
    facet_scene *scene = make_scene();
    add_triangle(scene, "door");
    add_triangle(scene, "wall");
    add_node(scene, "hinge", FACET_NONE);
    facet_node *door = add_node(scene, "door", 0);
    door->mesh = 0;
    door->transform.translation[0] = 5;
    add_node(scene, "wall", FACET_NONE)->mesh = 1;
    add_move(scene, 0, 0.5F, 3);
    facet_iqm *document = document_of(scene, NULL);
    assert_int_equal(document->joint_count, 2);
    assert_string_equal(document->text + document->joints[0].name, "hinge");
    assert_string_equal(document->text + document->joints[1].name, "wall");
    static const uint8_t indexes[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                      1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    assert_memory_equal(array_of(document, FACET_IQM_BLEND_INDEXES), indexes, sizeof indexes);
    static const float first[] = {5, 0, 0};
    expect_near(array_of(document, FACET_IQM_POSITION), first, 3, 0);
    /* +Y is +Z of the file. 0.5 s at 24 frames per second are 12 frames: 13 with the first. */
    assert_int_equal(document->frame_count, 13);
    assert_true(document->animations[0].rate == 24);
    assert_int_equal(document->poses[0].mask, 1 << 2);
    assert_int_equal(document->frames[12], 65535);
    assert_true(document->bounds[12].maximum[2] == 3 && document->bounds[12].maximum[0] == 6);
    facet_iqm_free(document);
    facet_scene_free(scene);
}

TEST(keys_between_frames_are_sampled)
{
    facet_report *report = make_report();
    facet_scene *scene = make_scene();
    add_node(scene, "a", FACET_NONE);
    add_move(scene, 0, 0.123F, 1);
    facet_iqm *document = document_of(scene, report);
    assert_non_null(test_finding(report, "IQM-SAMPLED"));
    /* At 30 per second 0.123 s are 3.69 frames: the fifth is at or after the end. */
    assert_int_equal(document->frame_count, 5);
    /* A third of the range 0 to 1 is not a multiple of 1 / 65535: the note gives the error. */
    assert_non_null(test_finding(report, "IQM-FRAMES-ROUNDED"));
    facet_iqm_free(document);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* The glTF writer turns the scene of an IQM by a node. Back in IQM the joints are as before. */
TEST(turn_above_a_skeleton_is_taken_out)
{
    facet_scene *scene = make_scene();
    facet_mesh *mesh = add_triangle(scene, "cloth");
    add_skin_streams(mesh, (const float[]){1, 0, 0, 0});
    facet_node *frame = add_node(scene, "frame", FACET_NONE);
    frame->transform.rotation[0] = -sqrtf(0.5F);
    frame->transform.rotation[3] = sqrtf(0.5F);
    add_chain(scene, 3, 0);
    scene->nodes[1]->transform.translation[2] = 7;
    scene->skins[0]->inverse_bind[14] = scene->skins[0]->inverse_bind[30] =
        scene->skins[0]->inverse_bind[46] = -7;
    facet_node *node = add_node(scene, "cloth", FACET_NONE);
    node->mesh = node->skin = 0;
    facet_iqm *document = document_of(scene, NULL);
    assert_int_equal(document->joint_count, 3);
    static const float joint[] = {0, 0, 7, 0, 0, 0, -1, 1, 1, 1},
                       positions[] = {0, 0, 0, 0, 0, 1, 1, 0, 0};
    expect_near(document->joints[0].translation, joint, 10, 0);
    expect_near(array_of(document, FACET_IQM_POSITION), positions, 9, 0);
    facet_iqm_free(document);
    facet_scene_free(scene);
}

TEST(many_joints_get_wide_indexes)
{
    facet_report *report = make_report();
    facet_scene *scene = make_scene();
    add_skin_streams(add_triangle(scene, "cloth"), (const float[]){0, 0, 0, 0});
    add_chain(scene, 300, FACET_NONE);
    facet_node *node = add_node(scene, "cloth", FACET_NONE);
    node->mesh = node->skin = 0;
    facet_iqm *document = document_of(scene, report);
    assert_non_null(test_finding(report, "IQM-JOINTS-WIDE"));
    assert_non_null(test_finding(report, "IQM-UNBOUND"));
    assert_int_equal(document->arrays[3].type, FACET_IQM_BLEND_INDEXES);
    assert_int_equal(document->arrays[3].format, FACET_IQM_UINT16);
    facet_iqm_free(document);
    facet_scene_free(scene);
    facet_report_free(report);
}

TEST(scene_that_is_not_ready_is_refused)
{
    facet_scene *scene = make_scene();
    facet_iqm *document = NULL;
    facet_error error;
    facet_mesh *mesh = add_triangle(scene, "floor");
    static uint32_t other[] = {2, 1, 0};
    mesh->streams[1].indices = other;
    assert_int_equal(facet_iqm_from_scene(scene, NULL, &document, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "IQM-NOT-READY");
    mesh->streams[1].indices = mesh->streams[0].indices;
    mesh->streams[0].semantic = FACET_NORMAL;
    assert_int_equal(facet_iqm_from_scene(scene, NULL, &document, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "IQM-NOT-READY");
    mesh->streams[0].semantic = FACET_POSITION;
    add_node(scene, "a", FACET_NONE);
    add_move(scene, 0, 1e9F, 1);
    assert_int_equal(facet_iqm_from_scene(scene, NULL, &document, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "IQM-FRAMES-LIMIT");
    facet_scene_free(scene);
}

/* Twice 3e38 exceeds the range of a float. */
TEST(places_beyond_a_float_are_refused)
{
    facet_scene *scene = make_scene();
    facet_iqm *document = NULL;
    facet_error error;
    add_triangle(scene, "floor");
    add_node(scene, "far", FACET_NONE)->transform.translation[0] = 3e38F;
    facet_node *node = add_node(scene, "farther", 0);
    node->transform.translation[0] = 3e38F;
    node->mesh = 0;
    assert_int_equal(facet_iqm_from_scene(scene, NULL, &document, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "IQM-FLOAT-NONFINITE");
    facet_scene_free(scene);
}

/* Twice 3e38 exceeds the range of a float, for any corner of the triangle. */
TEST(any_vertex_beyond_a_float_is_refused)
{
    for (uint32_t corner = 0; corner < 3; corner++) {
        facet_scene *scene = make_scene();
        facet_iqm *document = NULL;
        facet_error error;
        facet_mesh *mesh = add_triangle(scene, "floor");
        ((float *)mesh->streams[0].data)[3 * corner] = 3e38F;
        facet_node *node = add_node(scene, "twice", FACET_NONE);
        node->transform.scale[0] = 2;
        node->mesh = 0;
        assert_int_equal(facet_iqm_from_scene(scene, NULL, &document, &error), FACET_ERROR_LIMIT);
        assert_string_equal(error.rule, "IQM-FLOAT-NONFINITE");
        facet_scene_free(scene);
    }
}

/* An animation that only hides a node does not become an IQM animation. */
TEST(animation_without_motion_is_left_out)
{
    facet_report *report = make_report();
    facet_scene *scene = make_scene();
    add_node(scene, "a", FACET_NONE);
    add_move(scene, 0, 1, 1);
    add_move(scene, 0, 1, 1);
    scene->animations[0]->channels[0].target = FACET_TARGET_VISIBILITY;
    scene->animations[0]->channels[0].width = 1;
    facet_iqm *document = document_of(scene, report);
    assert_int_equal(document->animation_count, 1);
    assert_non_null(test_finding(report, "LOSS-ANIMATIONS"));
    facet_iqm_free(document);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* -- Errors ------------------------------------------------------------- */

/* Every scene that is read is valid, and the file written from it is read again. */
static void attempt(const uint8_t *data, size_t size, void *user)
{
    facet_scene *scene = NULL;
    facet_iqm *document = NULL;
    facet_error error;
    (void)user;
    if (load(data, size, NULL, &scene, NULL))
        return;
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    if (!facet_iqm_from_scene(scene, NULL, &document, NULL)) {
        facet_scene *again = NULL;
        TEST_OK(facet_iqm_to_scene(document, NULL, NULL, &again, &error), &error);
        facet_scene_free(again);
    }
    facet_iqm_free(document);
    facet_scene_free(scene);
}

TEST(any_change_of_a_byte_gives_a_whole_scene_or_none)
{
    uint8_t file[IQM_SIZE];
    iqm_build(file);
    test_every_mutation(file, sizeof file, attempt, NULL);
}

static facet_status convert_all(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_source source = facet_source_from_memory(user, IQM_SIZE, "a.iqm");
    facet_scene *scene = NULL;
    facet_iqm *document = NULL;
    facet_status status = facet_load(&source, NULL, NULL, &options, &scene, NULL);
    if (!status)
        status = facet_iqm_from_scene(scene, &options, &document, NULL);
    facet_iqm_free(document);
    facet_scene_free(scene);
    return status;
}

TEST(a_conversion_survives_failing_allocations)
{
    uint8_t file[IQM_SIZE];
    iqm_build(file);
    test_every_allocation(convert_all, file);
}
