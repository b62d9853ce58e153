/* Writing OBJ and MTL: the text is read back to the same scene. */
#include "formats/obj/obj.h"
#include "support/mesh.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

static facet_scene *read_source(facet_source source)
{
    facet_error error;
    facet_scene *scene = NULL;
    TEST_OK(facet_obj_read(&source, NULL, NULL, &scene, &error), &error);
    return scene;
}

static facet_scene *read_text(const char *text, size_t size)
{
    facet_source source = {0};
    source.data = (const uint8_t *)text;
    source.size = size;
    return read_source(source);
}

/* Write to memory; the caller frees the output. */
static facet_output *write_scene(const facet_scene *scene, facet_report *report)
{
    facet_error error;
    facet_output *output = NULL;
    facet_options options = {0};
    options.report = report;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_obj_write(scene, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* The bytes of an output as a string; the caller frees it. */
static char *text_of(const facet_output *output)
{
    size_t size = (size_t)facet_output_size(output);
    char *copy = calloc(size + 1, 1);
    assert_non_null(copy);
    memcpy(copy, facet_output_data(output), size);
    return copy;
}

static void expect_text(const facet_output *output, const char *text)
{
    char *copy = text_of(output);
    assert_string_equal(copy, text);
    free(copy);
}

static void same_mesh(const facet_mesh *a, const facet_mesh *b)
{
    assert_int_equal(a->face_count, b->face_count);
    assert_int_equal(a->corner_count, b->corner_count);
    assert_int_equal(a->stream_count, b->stream_count);
    for (uint32_t i = 0; i < a->stream_count; i++) {
        const facet_stream *s = &a->streams[i], *t = &b->streams[i];
        assert_int_equal(s->semantic, t->semantic);
        assert_int_equal(s->components, t->components);
        assert_int_equal(s->count, t->count);
        assert_memory_equal(s->data, t->data, s->count * s->components * sizeof(float));
        assert_memory_equal(s->indices, t->indices, a->corner_count * sizeof *s->indices);
    }
    for (uint32_t face = 0; face < a->face_count; face++) {
        assert_int_equal(facet_face_end(a, face), facet_face_end(b, face));
        assert_int_equal(a->face_materials ? a->face_materials[face] : FACET_NONE,
                         b->face_materials ? b->face_materials[face] : FACET_NONE);
        assert_int_equal(a->face_smoothing ? a->face_smoothing[face] : 0,
                         b->face_smoothing ? b->face_smoothing[face] : 0);
    }
    assert_int_equal(a->part_count, b->part_count);
    for (uint32_t i = 0; i < a->part_count; i++) {
        assert_string_equal(a->parts[i].name, b->parts[i].name);
        assert_string_equal(a->parts[i].group, b->parts[i].group);
        assert_int_equal(a->parts[i].first_face, b->parts[i].first_face);
        assert_int_equal(a->parts[i].face_count, b->parts[i].face_count);
    }
}

/* Texts that are written exactly as they were read. */
TEST(texts_come_back)
{
    static const char *const texts[] = {
        "# facet\nv 0 0 0\nv 1 0 0\nv -0.1 1e-20 16777216\nf 1 2 3\n",
        "# facet\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 2 3 4\n",
        "# facet\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 0.3\nvt 0 0\nvt 1 0.5\nvn 0 0 1\n"
        "f 1/1/1 2/2/1 3/1/1\nf 1 2/1 3//1\n",
        "# facet\nv 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0 0.5\nf 1/1 2/1 3/1\n",
        "# facet\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\no box\ns 4\nf 1 2 3\ng a b\ns off\n"
        "f 3 2 1\no\ng\nf 1 2 3\n",
        "# facet\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        facet_scene *scene = read_text(texts[i], strlen(texts[i]));
        facet_output *output = write_scene(scene, NULL);
        assert_true(facet_output_size(output) > 0);
        facet_scene *again =
            read_text((const char *)facet_output_data(output), (size_t)facet_output_size(output));
        if (scene->mesh_count > 0)
            same_mesh(scene->meshes[0], again->meshes[0]);
        if (i != 4) /* here smoothing begins late: a later "s" means the same */
            expect_text(output, texts[i]);
        facet_scene_free(again);
        facet_scene_free(scene);
        facet_output_free(output);
    }
}

TEST(material_library_is_written_as_read)
{
    static const char library[] = "newmtl a b\nKa 0.1 0.2 0.3\nKd 0.5 0.25 0.125\nNs 96.07843\n"
                                  "d 0.5\nillum 2\nmap_Kd -s 2 2 my wood.png\nmap_Bump b.png\n"
                                  "\nnewmtl plain\n";
    FILE *file = fopen(test_temporary("in.mtl"), "wb");
    fputs(library, file);
    fclose(file);
    file = fopen(test_temporary("in.obj"), "wb");
    fputs("mtllib in.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a b\nf 1 2 3\nusemtl plain\nf 1 2 3\n"
          "usemtl\nf 3 2 1\n",
          file);
    fclose(file);
    facet_error error;
    facet_file *input = NULL;
    TEST_OK(facet_file_open(test_temporary("in.obj"), NULL, &input, &error), &error);
    facet_scene *scene = read_source(facet_file_source(input));
    facet_file_close(input);

    facet_output *output = NULL;
    TEST_OK(facet_output_open(test_temporary("out put.obj"), &output, &error), &error);
    TEST_OK(facet_obj_write(scene, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);

    TEST_OK(facet_file_open(test_temporary("out put.obj"), NULL, &input, &error), &error);
    facet_scene *again = read_source(facet_file_source(input));
    same_mesh(scene->meshes[0], again->meshes[0]);
    assert_int_equal(again->material_count, 2);
    assert_int_equal(again->materials[0]->classic->stated, scene->materials[0]->classic->stated);
    assert_true(again->materials[0]->classic->shininess == 96.07843f);
    assert_string_equal(again->materials[0]->maps[FACET_MAP_DIFFUSE]->path, "my wood.png");
    assert_true(again->materials[0]->maps[FACET_MAP_DIFFUSE]->scale[0] == 2);
    facet_file_close(input);

    TEST_OK(facet_file_open(test_temporary("out put.mtl"), NULL, &input, &error), &error);
    assert_int_equal(facet_file_source(input).size, sizeof library - 1);
    assert_memory_equal(facet_file_source(input).data, library, sizeof library - 1);
    facet_file_close(input);
    facet_scene_free(again);
    facet_scene_free(scene);
}

static facet_mesh *add_triangle(facet_scene *scene, const char *name)
{
    facet_error error;
    facet_mesh *mesh;
    facet_stream *stream;
    static const float points[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->name = name;
    TEST_OK(
        facet_mesh_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3, &stream, &error),
        &error);
    memcpy(stream->data, points, sizeof points);
    stream->indices = facet_scene_allocate(scene, 3, sizeof(uint32_t));
    for (uint32_t i = 0; i < 3; i++)
        stream->indices[i] = i;
    mesh->face_count = 1;
    mesh->corner_count = 3;
    return mesh;
}

/* A glTF material in MTL terms: diffuse, specular 0.04 + (c - 0.04) * metallic, Ns 1000 * (1 -
 * roughness)^2. The texture options belong to a scene whose v begins at the top. There, 1 - v on
 * both sides of v' = 0.25 + 2 v gives v' = 1 - 2 - 0.25 + 2 v. */
TEST(pbr_becomes_mtl)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_report *report = NULL;
    facet_material *m = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "pbr", &m, &error), &error);
    memcpy(m->base_color, (float[]){1, 0.5F, 0.25F, 0.5F}, 16); /* 0.04 + 0.96 / 2 = 0.52 */
    m->alpha_mode = FACET_ALPHA_BLEND;
    m->metallic = 0.5F;
    m->roughness = 0.5F;
    memcpy(m->emissive, (float[]){0.25F, 0, 0}, 12);
    m->emissive_strength = 2;
    facet_texture *map = test_map(scene, m, FACET_MAP_DIFFUSE);
    map->path = "a.png";
    map->has_transform = true;
    memcpy(map->offset, (float[]){0.5F, 0.25F}, 8);
    map->scale[0] = 3;
    map->scale[1] = 2;
    map->wrap_u = map->wrap_v = FACET_WRAP_CLAMP;
    test_map(scene, m, FACET_MAP_NORMAL)->path = "n.png";
    m->maps[FACET_MAP_NORMAL]->strength = 0.5F;
    TEST_OK(facet_scene_add_material(scene, "default", &m, &error), &error);
    add_triangle(scene, "");
    scene->axes.uv_origin_top = true;
    facet_output *output = write_scene(scene, report);
    expect_text(facet_output_next_sibling(output),
                "newmtl pbr\nKd 1 0.5 0.25\nKs 0.52 0.27 0.145\nKe 0.5 0 0\nNs 250\nd 0.5\n"
                "Pr 0.5\nPm 0.5\nmap_Kd -o 0.5 -1.25 -s 3 2 -clamp on a.png\n"
                "norm -bm 0.5 n.png\n\nnewmtl default\n"
                "Kd 1 1 1\nKs 1 1 1\nNs 0\nPr 1\nPm 1\n"); /* glTF's default is a metal */
    assert_null(test_finding(report, "LOSS-TEXTURES"));
    facet_output_free(output);
    static const struct {
        facet_wrap u, v;
        float rotation;
        uint32_t uv_set;
        facet_filter magnify;
    } lost[] = {{FACET_WRAP_CLAMP, FACET_WRAP_REPEAT, 0, 0, FACET_FILTER_DEFAULT},
                {FACET_WRAP_MIRROR, FACET_WRAP_MIRROR, 0, 0, FACET_FILTER_DEFAULT},
                {FACET_WRAP_REPEAT, FACET_WRAP_REPEAT, 0.5F, 0, FACET_FILTER_DEFAULT},
                {FACET_WRAP_REPEAT, FACET_WRAP_REPEAT, 0, 1, FACET_FILTER_DEFAULT},
                {FACET_WRAP_REPEAT, FACET_WRAP_REPEAT, 0, 0, FACET_FILTER_NEAREST}};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        map = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
        map->wrap_u = lost[i].u, map->wrap_v = lost[i].v;
        map->rotation = lost[i].rotation;
        map->uv_set = lost[i].uv_set;
        map->magnify = lost[i].magnify;
        facet_report *losses = NULL;
        TEST_OK(facet_report_create(NULL, &losses, &error), &error);
        facet_output_free(write_scene(scene, losses));
        assert_non_null(test_finding(losses, "LOSS-TEXTURES"));
        facet_report_free(losses);
    }
    facet_report_free(report);
    facet_scene_free(scene);
}

/* The luminance of (1, 0, 0) is 0.2126. -pi / 2 is a quarter turn back. MTL has the coat as glTF
 * has it; sheen and anisotropy are those of another shader; iridescence has no statement. */
TEST(looks_become_mtl)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_report *report = NULL;
    facet_material *m = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "coat", &m, &error), &error);
    m->clearcoat = 0.75F;
    m->clearcoat_roughness = 0.25F;
    m->metallic = 0; /* all else is as in a file without values */
    TEST_OK(facet_scene_add_material(scene, "cloth", &m, &error), &error);
    m->sheen_color[0] = 1;
    m->anisotropy = 0.5F;
    m->anisotropy_rotation = -1.57079633F;
    m->iridescence = 1;
    add_triangle(scene, "");
    facet_output *output = write_scene(scene, report);
    expect_text(facet_output_next_sibling(output),
                "newmtl coat\nKd 1 1 1\nKs 0.04 0.04 0.04\nNs 0\nPr 1\nPm 0\nPc 0.75\nPcr 0.25\n\n"
                "newmtl cloth\nKd 1 1 1\nKs 1 1 1\nNs 0\nPr 1\nPm 1\nPs 0.2126\naniso 0.5\n"
                "anisor -0.25\n");
    static const char *const sentences[] = {
        "OBJ cannot hold these material extensions: iridescence",
        "OBJ approximates these material extensions: anisotropy, sheen (2 times)"};
    size_t found = 0;
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (strcmp(finding->rule, "LOSS-LOOKS") == 0)
            assert_string_equal(finding->message, sentences[found++]);
    }
    assert_int_equal(found, 2);
    facet_output_free(output);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* `usemtl` also applies to lines and points. Each begins with the material of the last element. */
TEST(lines_and_points_are_written_with_their_materials)
{
    static uint32_t ends[4] = {0, 1, 1, 2}, faces[1] = {0}, lines[2] = {0, 1},
                    points[2] = {1, FACET_NONE};
    facet_error error;
    facet_scene *scene = NULL;
    facet_material *m = NULL;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "a", &m, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "b", &m, &error), &error);
    add_triangle(scene, "first");
    facet_mesh *mesh = scene->meshes[0];
    mesh->face_materials = faces;
    mesh->lines = mesh->points = ends;
    mesh->line_count = mesh->point_count = 2;
    mesh->line_materials = lines;
    mesh->point_materials = points;
    scene->axes = (facet_axes){0};
    facet_output *output = write_scene(scene, NULL);
    expect_text(output, "# facet\nmtllib scene.mtl\nv 1 2 3\nv 4 5 6\nv 7 8 10\no first\n"
                        "usemtl a\nf 1 2 3\nl 1 2\nusemtl b\nl 2 3\np 1\nusemtl \np 2\n");
    facet_output_free(output);
    facet_scene_free(scene);
}

/* These lines and points have no material: that of the faces before them would color them. A mesh
 * without faces keeps its name. */
TEST(lines_do_not_get_the_material_of_faces)
{
    static uint32_t ends[2] = {0, 1}, materials[1] = {0};
    facet_error error;
    facet_scene *scene = NULL;
    facet_material *m = NULL;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "a", &m, &error), &error);
    add_triangle(scene, "first");
    add_triangle(scene, "second");
    scene->meshes[0]->face_materials = materials;
    scene->meshes[0]->lines = ends;
    scene->meshes[0]->line_count = 1;
    scene->meshes[1]->face_count = scene->meshes[1]->corner_count = 0;
    scene->meshes[1]->points = ends;
    scene->meshes[1]->point_count = 1;
    scene->axes = (facet_axes){0};
    facet_output *output = write_scene(scene, NULL);
    expect_text(output, "# facet\nmtllib scene.mtl\nv 1 2 3\nv 4 5 6\nv 7 8 10\no first\n"
                        "usemtl a\nf 1 2 3\nusemtl \nl 1 2\nv 1 2 3\nv 4 5 6\nv 7 8 10\n"
                        "o second\np 4\n");
    facet_output_free(output);
    facet_scene_free(scene);
}

/* The file has no "d" and no map of opacity, so most programs draw it opaque: a note, which
 * --strict allows. Lost alpha cut-out is a warning. */
TEST(unused_alpha_is_a_note)
{
    static const uint8_t png[33] = {0x89, 'P', 'N', 'G', [24] = 8, [25] = 6}; /* RGBA */
    facet_error error;
    facet_scene *scene = NULL;
    facet_material *m = NULL;
    facet_image *image = NULL;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "m", &m, &error), &error);
    TEST_OK(facet_scene_add_image(scene, "i", &image, &error), &error);
    image->data = png;
    image->size = sizeof png;
    image->path = test_map(scene, m, FACET_MAP_DIFFUSE)->path = "a.png";
    m->maps[FACET_MAP_DIFFUSE]->has_image = true;
    add_triangle(scene, "");
    for (int masked = 0; masked < 2; masked++) {
        facet_report *report = NULL;
        m->alpha_mode = masked ? FACET_ALPHA_MASK : FACET_ALPHA_OPAQUE;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_output_free(write_scene(scene, report));
        const facet_finding *finding = test_finding(report, "LOSS-MATERIALS");
        assert_non_null(finding);
        assert_int_equal(finding->severity, masked ? FACET_SEVERITY_WARNING : FACET_SEVERITY_NOTE);
        facet_report_free(report);
    }
    facet_scene_free(scene);
}

TEST(axes_and_names)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    facet_material *material;
    TEST_OK(facet_scene_add_material(scene, "", &material, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "a\nb", &material, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "a_b", &material, &error), &error);
    facet_mesh *first = add_triangle(scene, "first");
    facet_mesh *second = add_triangle(scene, "");
    first->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
    first->face_materials[0] = 2;
    facet_stream *stream;
    TEST_OK(facet_mesh_add_stream(second, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, 1, &stream,
                                  &error),
            &error);
    ((float *)stream->data)[0] = 0.25f;
    ((float *)stream->data)[1] = 0.25f;
    stream->indices = facet_scene_allocate(scene, 3, sizeof(uint32_t));
    memset(stream->indices, 0, 3 * sizeof(uint32_t));
    TEST_OK(
        facet_mesh_add_stream(second, FACET_TANGENT, 0, NULL, FACET_FLOAT32, 4, 1, &stream, &error),
        &error);
    memset(stream->data, 0, 16);
    stream->indices = second->streams[1].indices;
    scene->axes.up = FACET_AXIS_Z;
    scene->axes.uv_origin_top = true;
    facet_output *output = write_scene(scene, report);
    /* +Z up to +Y up, both right-handed: (x, y, z) becomes (x, z, -y). */
    expect_text(output,
                "# facet\nmtllib scene.mtl\nv 1 3 -2\nv 4 6 -5\nv 7 10 -8\no first\n"
                "usemtl a_b_2\nf 1 2 3\nv 1 3 -2\nv 4 6 -5\nv 7 10 -8\nvt 0.25 0.75\no mesh_1\n"
                "usemtl \nf 4/1 5/1 6/1\n");
    expect_text(facet_output_next_sibling(output),
                "newmtl material_0\nKd 1 1 1\nKs 1 1 1\nNs 0\nPr 1\nPm 1\n"
                "\nnewmtl a_b\nKd 1 1 1\nKs 1 1 1\nNs 0\nPr 1\nPm 1\n"
                "\nnewmtl a_b_2\nKd 1 1 1\nKs 1 1 1\nNs 0\nPr 1\nPm 1\n");
    assert_non_null(test_finding(report, "OBJ-NAME"));
    assert_non_null(test_finding(report, "LOSS-CUSTOM"));
    facet_output_free(output);

    /* Left-handed, +Y up: z changes sign, and faces turn round. */
    scene->axes.up = FACET_AXIS_Y;
    scene->axes.left_handed = true;
    scene->mesh_count = 1;
    scene->material_count = 0;
    scene->meshes[0]->face_materials = NULL;
    output = write_scene(scene, NULL);
    expect_text(output, "# facet\nv 1 2 -3\nv 4 5 -6\nv 7 8 -10\no first\nf 3 2 1\n");
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* The first material of a name keeps it; others are renamed with a warning. Names that are chosen
 * for materials without one are a note, and do not take a name that a later material has. */
TEST(first_material_of_a_name_keeps_it)
{
    static const char *const names[] = {"m", "m", "", "", "material_2"};
    facet_error error;
    facet_scene *scene = NULL;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    for (int i = 0; i < 5; i++) {
        facet_material *material;
        TEST_OK(facet_scene_add_material(scene, names[i], &material, &error), &error);
    }
    add_triangle(scene, "mesh");
    facet_output *output = write_scene(scene, report);
    const char *library = (const char *)facet_output_data(facet_output_next_sibling(output));
    static const char *const written[] = {"newmtl m\n", "newmtl m_1\n", "newmtl material_3\n",
                                          "newmtl material_4\n", "newmtl material_2\n"};
    for (int i = 0; i < 5; i++) {
        library = strstr(library, written[i]);
        assert_non_null(library);
    }
    assert_int_equal(test_finding_saying(report, "OBJ-NAME", "material 1, called 'm'")->severity,
                     FACET_SEVERITY_WARNING);
    assert_int_equal(test_finding_saying(report, "OBJ-NAME", "material 2, called ''")->severity,
                     FACET_SEVERITY_NOTE);
    assert_null(test_finding_saying(report, "OBJ-NAME", "material 4"));
    facet_output_free(output);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* If all maps use set 1, that set is written and nothing of the map is lost. If all diffuse maps
 * do, it is written as well, and the other maps lose their set. Otherwise set 0 is written. */
TEST(set_of_all_maps_is_written)
{
    static const float texcoords[2][6] = {{0.25F, 0.25F, 0.25F, 0.25F, 0.25F, 0.25F},
                                          {0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F}};
    for (int i = 0; i < 3; i++) {
        uint32_t second = i > 0;
        facet_error error;
        facet_scene *scene = NULL;
        facet_report *report = NULL;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        facet_mesh *mesh = add_triangle(scene, "mesh");
        for (uint32_t set = 0; set < 2; set++) {
            facet_material *material;
            TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_TEXCOORD, set, NULL, FACET_FLOAT32, 2, 3,
                                               texcoords[set], NULL, NULL, &error),
                    &error);
            TEST_OK(facet_scene_add_material(scene, set ? "b" : "a", &material, &error), &error);
            facet_texture *map = test_map(scene, material, FACET_MAP_DIFFUSE);
            map->path = "a.png";
            map->uv_set = set == 0 ? 1 : second;
            if (i == 2)
                test_map(scene, material, FACET_MAP_EMISSIVE)->path = "a.png";
        }
        facet_output *output = write_scene(scene, report);
        char *text = text_of(output);
        assert_non_null(strstr(text, second ? "vt 0.5 0.5" : "vt 0.25 0.25"));
        assert_null(strstr(text, second ? "vt 0.25 0.25" : "vt 0.5 0.5"));
        free(text);
        assert_int_equal(test_finding(report, "LOSS-TEXTURES") == NULL, i == 1);
        assert_non_null(test_finding_saying(report, "LOSS-CUSTOM",
                                            second ? "streams: texcoord" : "streams: texcoord 1"));
        facet_output_free(output);
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

TEST(occluder_comes_back)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\no seen\nf 1 2 3\n"
                               "o occlusion_mesh\nf 1 2 3 4\n";
    facet_scene *scene = read_text(text, sizeof text - 1);
    assert_non_null(scene->occluder);
    facet_output *output = write_scene(scene, NULL);
    facet_scene *again =
        read_text((const char *)facet_output_data(output), (size_t)facet_output_size(output));
    same_mesh(scene->occluder, again->occluder);
    facet_scene_free(again);
    facet_scene_free(scene);
    facet_output_free(output);
}

TEST(real_files_come_back)
{
    TEST_NEEDS_CORPUS();
    static const char *const names[] = {"obj/boat.obj",       "obj/mixed_attribs_reverse.obj",
                                        "obj/quadknot.obj",   "obj/rabbit.obj",
                                        "obj/spider.obj",     "obj/fish_control_mesh.obj",
                                        "obj/wallhole.obj",   "obj/testmixed.obj",
                                        "obj/cube_usemtl.obj"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        facet_error error;
        facet_file *file = NULL;
        TEST_OK(facet_file_open(test_corpus(names[i]), NULL, &file, &error), &error);
        facet_scene *scene = read_source(facet_file_source(file));
        facet_output *output = write_scene(scene, NULL);
        facet_scene *again =
            read_text((const char *)facet_output_data(output), (size_t)facet_output_size(output));
        same_mesh(scene->meshes[0], again->meshes[0]);
        facet_scene_free(again);
        facet_scene_free(scene);
        facet_output_free(output);
        facet_file_close(file);
    }
}

static facet_status attempt_write(const facet_allocator *allocator, void *user)
{
    facet_options options = {0};
    options.allocator = allocator;
    facet_output *output = NULL;
    facet_status status = facet_output_open_memory(allocator, &output, NULL);
    if (status)
        return status;
    status = facet_obj_write(user, &options, output, NULL);
    if (!status)
        status = facet_output_commit(output, NULL);
    facet_output_free(output);
    return status;
}

TEST(write_reports_every_failed_allocation)
{
    static const char text[] = "v 0 0 0 1 1 1\nv 1 0 0\nv 1 1 0\no a\nusemtl x\nf 1 2 3\nusemtl y\n"
                               "f 1 2 3\n";
    facet_scene *scene = read_text(text, sizeof text - 1);
    test_every_allocation(attempt_write, scene);
    facet_scene_free(scene);
}

TEST(what_cannot_be_written)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    facet_mesh *mesh = add_triangle(scene, "x");
    ((uint32_t *)mesh->streams[0].data)[4] = 0x7F800000; /* infinity */
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_obj_write(scene, NULL, output, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "OBJ-NUMBER");
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Paths of maps that MTL can hold are read back. Others are losses: a blank or a backslash at the
 * end, a line end, and what looks like an option or a comment after a file name. */
TEST(paths_of_maps_are_read_back)
{
    static const struct {
        const char *path, *line; /* NULL: lost */
    } cases[] = {{"a b.png", "map_Kd a b.png\n"},
                 {" a.png", "map_Kd ./ a.png\n"},
                 {"-s 2 a.png", "map_Kd ./-s 2 a.png\n"},
                 {"maps\\a.png", "map_Kd maps\\a.png\n"},
                 {"a#b.png", "map_Kd a#b.png\n"},
                 {"a.png ", NULL},
                 {"a\\", NULL},
                 {"a\nb.png", NULL},
                 {"a.png -s 2.png", NULL},
                 {"a.png #b.png", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_scene *scene = NULL;
        facet_material *material = NULL;
        facet_report *report = NULL;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
        test_map(scene, material, FACET_MAP_DIFFUSE)->path = cases[i].path;
        facet_mesh *mesh = add_triangle(scene, "");
        mesh->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
        mesh->face_materials[0] = 0;
        facet_output *output = write_scene(scene, report);
        char *library = text_of(facet_output_next_sibling(output));
        assert_int_equal(test_finding(report, "LOSS-TEXTURES") != NULL, cases[i].line == NULL);
        assert_true(cases[i].line ? strstr(library, cases[i].line) != NULL
                                  : strstr(library, "map_") == NULL);
        if (cases[i].line) {
            const facet_memory_file files[] = {
                {"scene.obj", facet_output_data(output), (size_t)facet_output_size(output)},
                {"scene.mtl", (const uint8_t *)library, strlen(library)}};
            const facet_memory_folder folder = {files, 2};
            facet_scene *again = read_source(facet_source_from_folder(&folder, 0));
            const char *path = again->materials[0]->maps[FACET_MAP_DIFFUSE]->path;
            const char *written = strchr(cases[i].line, ' ') + 1;
            assert_memory_equal(path, written, strlen(path));
            assert_int_equal(written[strlen(path)], '\n');
            facet_scene_free(again);
        }
        free(library);
        facet_output_free(output);
        facet_report_free(report);
        facet_scene_free(scene);
    }
}
