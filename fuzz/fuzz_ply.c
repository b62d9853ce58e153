/* fuzz/fuzz_ply.c - harness for PLY: read, check, describe. Each document is written in each
 * encoding, read, and written again; also through a scene. */
#include "base/tree.h"
#include "formats/ply/ply.h"
#include "scene/format.h"

#include <facet/convert.h>
#include <facet/ply.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static facet_output *write(const facet_ply *ply, facet_ply_encoding encoding)
{
    facet_ply_options how = {.encoding = encoding};
    facet_options options = {.ply = &how};
    facet_output *output = NULL;
    require(!facet_output_open_memory(NULL, &output, NULL));
    if (!facet_ply_write(ply, &options, output, NULL))
        return output;
    facet_output_free(output);
    return NULL;
}

static facet_ply *read(const facet_output *output)
{
    facet_source source = {.data = facet_output_data(output),
                           .size = (size_t)facet_output_size(output)};
    facet_ply *ply = NULL;
    require(!facet_ply_read(&source, NULL, &ply, NULL));
    return ply;
}

/* Write, read and write again in one encoding: the same bytes. */
static void rewrite(const facet_ply *ply, facet_ply_encoding encoding)
{
    facet_output *first = write(ply, encoding);
    if (!first) /* a name that is not UTF-8 grows, and may exceed the limit */
        return;
    facet_ply *again = read(first);
    facet_output *second = write(again, encoding);
    require(second && facet_output_size(first) == facet_output_size(second));
    require(memcmp(facet_output_data(first), facet_output_data(second),
                   (size_t)facet_output_size(first)) == 0);
    facet_output_free(second);
    facet_ply_free(again);
    facet_output_free(first);
}

/* False if ASCII would be too large. Records without properties take no bytes in binary files, but
 * a line each in text. */
static bool is_small(const facet_ply *ply)
{
    uint64_t lines = 0;
    for (uint32_t i = 0; i < ply->element_count; i++)
        lines += ply->elements[i].count;
    return lines < 1 << 16;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_source source = {.data = data, .size = size, .name = "a.ply"};
    facet_options options = {.memory_limit = 64 << 20};
    facet_ply *ply = NULL;
    facet_scene *scene = NULL;
    facet_report *report = NULL;
    facet_description *description = NULL;
    if (!facet_ply_read(&source, &options, &ply, NULL)) {
        for (int encoding = 0; encoding <= FACET_PLY_ASCII && is_small(ply); encoding++)
            rewrite(ply, (facet_ply_encoding)encoding);
        facet_ply_free(ply);
    }
    require(!facet_report_create(NULL, &report, NULL));
    facet_ply_check(&source, &options, report, NULL);
    facet_report_free(report);
    if (!facet_description_make(&source, &options, facet_ply_fill_description, &description, NULL))
        facet_description_free(description);
    if (!facet_load(&source, &facet_format_ply, NULL, &options, &scene, NULL)) {
        require(!facet_scene_check(scene, NULL, NULL));
        facet_scene_free(scene);
    }
    return 0;
}
