/* fuzz/fuzz_binarymesh.c - harness for BinaryMesh: read, check, describe, convert to a scene. A
 * document does not change when it is written and read again. The check reports an error exactly if
 * the reader fails. */
#include "formats/binarymesh/binarymesh.h"
#include "formats/binarymesh/scene.h"
#include <facet/facet.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY ((uint64_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Write in the precision of the document. A build without LZ4 writes only version 1. */
static facet_output *write_once(const facet_binarymesh *document)
{
    facet_options write = {.format_version = document->double_precision ? 3 : 4};
    facet_output *output = NULL;
    require(!facet_output_open_memory(NULL, &output, NULL));
    facet_status status = facet_binarymesh_write(document, &write, output, NULL);
    if (status == FACET_ERROR_UNSUPPORTED) {
        write.format_version = 1;
        status = facet_binarymesh_write(document, &write, output, NULL);
    }
    require(!status);
    require(!facet_output_commit(output, NULL));
    return output;
}

static void expect_same_bytes(const facet_binarymesh *a, const facet_binarymesh *b)
{
    facet_output *first = write_once(a), *second = write_once(b);
    require(facet_output_size(first) == facet_output_size(second));
    require(memcmp(facet_output_data(first), facet_output_data(second),
                   (size_t)facet_output_size(first)) == 0);
    facet_output_free(first);
    facet_output_free(second);
}

/* Write, read, write again: the same bytes. */
static void write_twice(const facet_binarymesh *document)
{
    facet_binarymesh *back = NULL;
    facet_output *first = write_once(document);
    require(!facet_binarymesh_read(
        &(facet_source){.data = facet_output_data(first), .size = (size_t)facet_output_size(first)},
        NULL, &back, NULL));
    expect_same_bytes(document, back);
    facet_output_free(first);
    facet_binarymesh_free(back);
}

/* Read with threads that decompress ahead: the same document or the same error. */
static void read_by_threads(const facet_source *source, const facet_options *options,
                            const facet_binarymesh *document, facet_status status,
                            const facet_error *error)
{
    static const facet_threads *pool;
    if (!pool)
        require(!facet_threads_create(3, &pool, NULL));
    facet_options several = *options;
    several.threads = pool;
    facet_binarymesh *other = NULL;
    facet_error failure = {0};
    facet_status same = facet_binarymesh_read(source, &several, &other, &failure);
    if (status == FACET_ERROR_LIMIT || same == FACET_ERROR_LIMIT || status == FACET_ERROR_MEMORY ||
        same == FACET_ERROR_MEMORY) {
        facet_binarymesh_free(other);
        return;
    }
    require(same == status);
    if (status) {
        require(strcmp(error->message, failure.message) == 0 && error->offset == failure.offset);
        return;
    }
    expect_same_bytes(document, other);
    facet_binarymesh_free(other);
}

/* A document and its file give the same scene. */
static void through_scene(const facet_binarymesh *document, const facet_source *source,
                          const facet_options *options)
{
    facet_scene *scene = NULL, *loaded = NULL;
    facet_binarymesh *back = NULL;
    facet_status status = facet_binarymesh_to_scene(document, NULL, options, &scene, NULL);
    facet_status other = facet_load(source, NULL, NULL, options, &loaded, NULL);
    require(status == other || status == FACET_ERROR_MEMORY || other == FACET_ERROR_MEMORY);
    if (!status) {
        require(!facet_scene_check(scene, NULL, NULL));
        require(other || scene->mesh_count == loaded->mesh_count);
        status = facet_binarymesh_from_scene(scene, options, &back, NULL);
        require(status == FACET_OK || scene->mesh_count == 0 || status == FACET_ERROR_MEMORY);
        if (!status)
            write_twice(back);
    }
    facet_binarymesh_free(back);
    facet_scene_free(loaded);
    facet_scene_free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_options options = {.memory_limit = MEMORY};
    facet_source source = {.data = data, .size = size};
    const facet_format *format = facet_format_named("binarymesh");
    facet_binarymesh *document = NULL;
    facet_report *report = NULL;
    facet_description *description = NULL;
    require(!facet_report_create(NULL, &report, NULL));
    facet_error error = {0};
    facet_status status = facet_binarymesh_read(&source, &options, &document, &error);
    read_by_threads(&source, &options, document, status, &error);
    if (!facet_binarymesh_check(&source, &options, report, NULL) && status != FACET_ERROR_MEMORY)
        require((facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0) ==
                (status != FACET_OK));
    if (!facet_describe(&source, format, &options, &description, NULL))
        facet_description_free(description);
    if (!status) {
        write_twice(document);
        through_scene(document, &source, &options);
    }
    facet_binarymesh_free(document);
    facet_report_free(report);
    return 0;
}
