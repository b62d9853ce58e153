/* tests/support/ply.h - PLY files from text. */
#ifndef FACET_TESTS_SUPPORT_PLY_H
#define FACET_TESTS_SUPPORT_PLY_H

#include "formats/ply/ply.h"
#include "support/mesh.h"
#include "support/models.h"

#define ASCII "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define LITTLE "ply\nformat binary_little_endian 1.0\n"
#define THREE ASCII "element vertex 3\n" XYZ
#define POINTS "0 0 0\n1 0 0\n0 1 0\n"

static const char small[] = "ply\nformat ascii 1.0\ncomment  two words\nobj_info by hand\n"
                            "element vertex 5\n"
                            "property float x\nproperty float y\nproperty float z\n"
                            "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                            "property int quality\n"
                            "element face 2\nproperty list uchar int vertex_indices\n"
                            "end_header\n"
                            "0 0 0 255 0 0 -7\n1 0 0 0 255 0 8\n1 1 0 0 0 255 9\n"
                            "0 1 0 51 0 0 10\n2 0.5 0.25 0 102 0 2147483647\n"
                            "4 0 1 2 3\n3 1 4 2\n";

static inline facet_ply *read_document(const void *data, size_t size, facet_report *report)
{
    facet_error error;
    facet_options options = {.report = report};
    facet_ply *document = NULL;
    TEST_OK(facet_ply_read(TEST_SOURCE(data, size), &options, &document, &error), &error);
    return document;
}

static inline facet_scene *load_text(const char *text, facet_report *report)
{
    facet_options options = {.report = report};
    return load_bytes(text, strlen(text), "a.ply", &options);
}

static inline facet_output *write_document(const facet_ply *ply, facet_ply_encoding encoding)
{
    facet_error error;
    facet_output *output = NULL;
    facet_ply_options how = {.encoding = encoding};
    facet_options options = {.ply = &how};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_ply_write(ply, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static inline facet_report *new_report(void)
{
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    return report;
}

#endif
