/* Every pair of formats: one accepts the output of the other, or refuses it with a reason. */
#include "support/support.h"

#include <facet/convert.h>
#include <facet/image.h>
#include <facet/pose.h>
#include <math.h>
#include <stdio.h>

/* A tetrahedron with texture coordinates and two materials. Its bounding box is 0 to 1, 2 and 3. */
static const char *const tetrahedron = "o body\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\n"
                                       "vt 0 0\nvt 1 0\nvt 0 1\n"
                                       "usemtl red\nf 1/1 3/2 2/3\nf 1/1 2/2 4/3\n"
                                       "usemtl blue\nf 2/1 3/2 4/3\nf 1/1 4/2 3/3\n";

static bool holds_images_only(const facet_format *format)
{
    static const char *const names[] = {"png", "jpeg", "tga", "bmp", "psd", "hdr", "bti"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(facet_format_name(format), names[i]) == 0)
            return true;
    }
    return false;
}

/* A new scene: the tetrahedron, or a picture for image formats. */
static facet_scene *make_scene(bool picture)
{
    facet_scene *scene = NULL;
    facet_error error;
    if (!picture) {
        facet_source source = {.data = (const uint8_t *)tetrahedron, .size = strlen(tetrahedron)};
        TEST_OK(facet_load(&source, facet_format_named("obj"), NULL, NULL, &scene, &error), &error);
        return scene;
    }
    facet_image *image = NULL;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_image(scene, "picture", &image, &error), &error);
    image->width = image->height = 8;
    image->channels = 3;
    image->pixels = facet_scene_allocate(scene, 8 * 8, 3);
    memset(image->pixels, 100, 8 * 8 * 3);
    return scene;
}

static facet_status save(facet_scene *scene, const facet_format *format, facet_output **output,
                         facet_error *error)
{
    facet_status status = facet_prepare(scene, format, NULL, NULL, NULL, error);
    if (!status)
        status = facet_output_open_memory(NULL, output, error);
    if (!status)
        status = facet_save(scene, format, NULL, *output, error);
    return status ? status : facet_output_commit(*output, error);
}

/* Check that the tetrahedron is unchanged. `unit` is the unit of its coordinates in meters, 0 if
 * unknown. */
static void assert_tetrahedron(facet_scene *scene, double unit, const char *from, const char *to)
{
    facet_error error;
    double minimum[3], maximum[3];
    bool any = false;
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    TEST_OK(facet_scene_bounds(scene, NULL, minimum, maximum, &any, &error), &error);
    uint32_t faces = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        faces += scene->meshes[i]->face_count;
    if (faces != 4)
        fail_msg("%s to %s: %u faces instead of 4", from, to, faces);
    /* Up axes may differ: the sides of the box are 1, 2 and 3 in some order. */
    double sides[3], product = 1, sum = 0;
    double longer = unit > 0 && scene->axes.unit > 0 ? scene->axes.unit / unit : 1;
    for (int i = 0; i < 3; i++) {
        sides[i] = (maximum[i] - minimum[i]) * longer;
        product *= sides[i];
        sum += sides[i];
    }
    if (!any || fabs(product - 6) > 1e-3 || fabs(sum - 6) > 1e-3)
        fail_msg("%s to %s: the box is %g by %g by %g", from, to, sides[0], sides[1], sides[2]);
}

static void assert_checks(const facet_source *source, const facet_format *format, const char *from)
{
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_check(source, format, NULL, report, &error), &error);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity == FACET_SEVERITY_ERROR)
            fail_msg("%s to %s: [%s] %s", from, facet_format_name(format), finding->rule,
                     finding->message);
    }
    facet_report_free(report);
}

/* Convert `bytes` from format `from` to format `to`, then read the result. */
static void walk(const facet_source *bytes, const facet_format *from, const facet_format *to)
{
    const char *from_name = facet_format_name(from), *to_name = facet_format_name(to);
    bool picture = holds_images_only(from);
    facet_scene *scene = NULL, *back = NULL;
    facet_output *output = NULL;
    facet_error error;
    if (facet_load(bytes, from, NULL, NULL, &scene, &error))
        fail_msg("%s cannot be read again: %s", from_name, error.message);
    double unit = scene->axes.unit;
    facet_status status = save(scene, to, &output, &error);
    if (picture != holds_images_only(to)) {
        /* A scene without a picture cannot become an image file. A scene format can store a picture
         * without a mesh. */
        if (!picture && status == FACET_OK)
            fail_msg("%s to %s: a mesh became a picture", from_name, to_name);
        if (status != FACET_OK)
            assert_true(strlen(error.message) > 0);
    } else if (status) {
        fail_msg("%s to %s: %s", from_name, to_name, error.message);
    } else {
        facet_source source = {.data = facet_output_data(output),
                               .size = (size_t)facet_output_size(output)};
        if (facet_load(&source, to, NULL, NULL, &back, &error))
            fail_msg("%s to %s cannot be read: %s", from_name, to_name, error.message);
        if (picture)
            assert_int_equal(back->images[0]->width, 8);
        else
            assert_tetrahedron(back, unit, from_name, to_name);
        assert_checks(&source, to, from_name);
    }
    facet_scene_free(back);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(every_pair_of_formats_converts_or_refuses)
{
    size_t pairs = 0;
    for (size_t i = 0; i < facet_format_count(); i++) {
        const facet_format *from = facet_format_get(i);
        if (!facet_format_can_read(from) || !facet_format_can_write(from))
            continue;
        facet_scene *scene = make_scene(holds_images_only(from));
        facet_output *output = NULL;
        facet_error error;
        if (save(scene, from, &output, &error))
            fail_msg("%s cannot be written: %s", facet_format_name(from), error.message);
        facet_source bytes = {.data = facet_output_data(output),
                              .size = (size_t)facet_output_size(output)};
        for (size_t j = 0; j < facet_format_count(); j++) {
            if (!facet_format_can_write(facet_format_get(j)) ||
                !facet_format_can_read(facet_format_get(j)))
                continue;
            walk(&bytes, from, facet_format_get(j));
            pairs++;
        }
        facet_output_free(output);
        facet_scene_free(scene);
    }
    print_message("%zu pairs\n", pairs);
    assert_true(pairs >= 64);
}
