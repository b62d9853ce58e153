/* tests/support/obj_read.h - an OBJ file read with its report. */
#ifndef FACET_TESTS_OBJ_READ_H
#define FACET_TESTS_OBJ_READ_H

#include "formats/obj/obj.h"
#include "support/support.h"

#include <facet/convert.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct fixture {
    facet_scene *scene;
    facet_report *report;
    facet_error error;
    facet_status status;
} fixture;

static inline void done(fixture f)
{
    facet_scene_free(f.scene);
    facet_report_free(f.report);
}

static inline void write_file(const char *name, const char *text)
{
    FILE *file = fopen(test_temporary(name), "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Read a file; after success the scene must be valid. */
static inline fixture read_file(const char *path)
{
    fixture f = {0};
    facet_file *file = NULL;
    TEST_OK(facet_report_create(NULL, &f.report, &f.error), &f.error);
    TEST_OK(facet_file_open(path, NULL, &file, &f.error), &f.error);
    facet_source source = facet_file_source(file);
    facet_options options = {0};
    options.report = f.report;
    f.status = facet_obj_read(&source, NULL, &options, &f.scene, &f.error);
    facet_file_close(file);
    if (f.status == FACET_OK) {
        facet_error error;
        TEST_OK(facet_scene_check(f.scene, NULL, &error), &error);
    }
    return f;
}

static inline const facet_mesh *mesh_of(fixture f)
{
    assert_int_equal(f.scene->mesh_count, 1);
    return f.scene->meshes[0];
}

static inline const float *values(const facet_mesh *mesh, facet_semantic semantic)
{
    const facet_stream *stream = facet_mesh_find(mesh, semantic, 0);
    assert_non_null(stream);
    return stream->data;
}

static inline const uint32_t *indices(const facet_mesh *mesh, facet_semantic semantic)
{
    const facet_stream *stream = facet_mesh_find(mesh, semantic, 0);
    assert_non_null(stream);
    return stream->indices;
}

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

#endif
