/* fuzz/fuzz_j3d_animation.c - harness for J3D animations. An animation that can be read can be
 * written and read again, also as JSON and in the other storage. It has values at any frame. */
#include "base/tree.h"
#include "formats/j3d/animation/animation.h"
#include <facet/j3d_animation.h>

#include <facet/format.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition)
{
    if (!condition)
        abort();
}

static facet_output *write(const facet_j3d_animation *document)
{
    facet_output *output;
    expect(facet_output_open_memory(NULL, &output, NULL) == FACET_OK);
    expect(facet_j3d_animation_write(document, NULL, output, NULL) == FACET_OK);
    expect(facet_output_commit(output, NULL) == FACET_OK);
    return output;
}

/* Write, read, write again: the same bytes. */
static void again(const facet_j3d_animation *document)
{
    facet_output *first = write(document), *second;
    facet_j3d_animation *read = NULL;
    facet_source source =
        facet_source_from_memory(facet_output_data(first), (size_t)facet_output_size(first), NULL);
    expect(facet_j3d_animation_read(&source, NULL, &read, NULL) == FACET_OK);
    second = write(read);
    expect(facet_output_size(first) == facet_output_size(second));
    expect(memcmp(facet_output_data(first), facet_output_data(second),
                  (size_t)facet_output_size(first)) == 0);
    facet_output_free(second);
    facet_output_free(first);
    facet_j3d_animation_free(read);
}

static void values(const facet_j3d_animation *a, double frame)
{
    facet_j3d_moment moment = {.frame = frame, .exact = true, .interpolate = true};
    facet_j3d_texture_pose texture;
    int16_t color[4];
    for (uint32_t s = 0; s < 2; s++) {
        for (uint32_t e = 0; e < a->sets[s].count && e < 100; e++) {
            if (a->kind == FACET_J3D_BTK)
                facet_j3d_animation_texture(a, s, e, &moment, &texture);
            else if (a->kind == FACET_J3D_BTP)
                facet_j3d_animation_texture_number(a, e, &moment);
            else if (a->kind == FACET_J3D_BVA)
                facet_j3d_animation_visible(a, e, &moment);
            else if (a->kind == FACET_J3D_BLK || a->kind == FACET_J3D_BLA)
                facet_j3d_animation_weight(a, e, &moment);
            else if (a->kind > FACET_J3D_BCA)
                facet_j3d_animation_color(a, s, e, &moment, color);
        }
    }
    if (a->kind > FACET_J3D_BCA)
        return;
    facet_j3d_joint_pose *joints = malloc(a->sets[0].count * sizeof *joints + 1);
    facet_j3d_animation_joints(a, &moment, joints);
    free(joints);
}

static void use(facet_j3d_animation *document, const facet_options *options)
{
    facet_j3d_animation *other = NULL;
    again(document);
    values(document, -3.5);
    values(document, 1.25);
    values(document, 1e30);
    const char *text = facet_j3d_animation_to_json(document, document->arena);
    if (text && facet_j3d_animation_from_json(text, strlen(text), options, &other, NULL) == 0) {
        again(other);
        facet_j3d_animation_free(other);
    }
    for (int kind = FACET_J3D_BCK; kind <= FACET_J3D_BXA; kind++) {
        if (facet_j3d_animation_convert(document, (facet_j3d_animation_kind)kind, 0, options,
                                        &other, NULL) == FACET_OK) {
            again(other);
            facet_j3d_animation_free(other);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_source source = facet_source_from_memory(data, size, NULL);
    facet_options options = {.memory_limit = 64 << 20};
    facet_j3d_animation *document = NULL;
    facet_description *description = NULL;
    facet_report *report = NULL;
    expect(facet_report_create(NULL, &report, NULL) == FACET_OK);
    facet_j3d_animation_check(&source, &options, report, NULL);
    if (facet_description_make(&source, &options, facet_j3d_animation_fill_description,
                               &description, NULL) == FACET_OK)
        facet_description_free(description);
    if (facet_j3d_animation_read(&source, &options, &document, NULL) == FACET_OK) {
        use(document, &options);
        facet_j3d_animation_free(document);
    }
    if (size > 0 && data[0] == '{' &&
        facet_j3d_animation_from_json((const char *)data, size, &options, &document, NULL) ==
            FACET_OK) {
        again(document);
        facet_j3d_animation_free(document);
    }
    facet_report_free(report);
    return 0;
}
