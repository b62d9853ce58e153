/* fuzz/fuzz_obj_parallel.c - harness for the parallel reader of OBJ. It expects the results of one
 * thread: scene, findings, error. Pieces are small here, and run one after the other, the last
 * first. */
#define FACET_OBJ_LEAST_PIECE ((ptrdiff_t)600)
#define FACET_OBJ_LEAST_PARALLEL ((ptrdiff_t)1200)
#include "formats/obj/obj.h"
#include "formats/obj/parallel.c"
#include "formats/obj/read.c"

#include "threads.h"

static void expect_numbers(const uint32_t *a, const uint32_t *b, size_t count)
{
    expect(!a == !b && (!a || count == 0 || memcmp(a, b, count * sizeof *a) == 0));
}

static void expect_mesh(const facet_mesh *a, const facet_mesh *b)
{
    expect(a->face_count == b->face_count && a->corner_count == b->corner_count &&
           a->stream_count == b->stream_count && a->part_count == b->part_count &&
           a->line_count == b->line_count && a->point_count == b->point_count);
    expect_numbers(a->face_offsets, b->face_offsets, (size_t)a->face_count + 1);
    expect_numbers(a->face_materials, b->face_materials, a->face_count);
    expect_numbers(a->face_smoothing, b->face_smoothing, a->face_count);
    expect_numbers(a->lines, b->lines, (size_t)a->line_count * 2);
    expect_numbers(a->line_materials, b->line_materials, a->line_count);
    expect_numbers(a->points, b->points, a->point_count);
    expect_numbers(a->point_materials, b->point_materials, a->point_count);
    for (uint32_t i = 0; i < a->stream_count; i++) {
        const facet_stream *x = &a->streams[i], *y = &b->streams[i];
        size_t size = (size_t)x->count * x->components * sizeof(float);
        expect(x->semantic == y->semantic && x->count == y->count &&
               x->components == y->components);
        expect(size == 0 || memcmp(x->data, y->data, size) == 0);
        expect_numbers(x->indices, y->indices, a->corner_count);
    }
    for (uint32_t i = 0; i < a->part_count; i++)
        expect(a->parts[i].first_face == b->parts[i].first_face &&
               a->parts[i].face_count == b->parts[i].face_count &&
               strcmp(a->parts[i].name, b->parts[i].name) == 0 &&
               strcmp(a->parts[i].group, b->parts[i].group) == 0);
}

static void expect_scene(const void *first, const void *second)
{
    const facet_scene *a = first, *b = second;
    expect(a->mesh_count == b->mesh_count && a->material_count == b->material_count &&
           a->hull_count == b->hull_count);
    for (uint32_t i = 0; i < a->mesh_count; i++)
        expect_mesh(a->meshes[i], b->meshes[i]);
}

static facet_status read_scene_of(const facet_source *source, const facet_options *options,
                                  void **made, facet_error *error)
{
    facet_scene *scene = NULL;
    facet_status status = facet_obj_read(source, NULL, options, &scene, error);
    expect(status || facet_scene_check(scene, NULL, NULL) == FACET_OK);
    *made = scene;
    return status;
}

static void release(void *made)
{
    facet_scene_free(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const compared_reader reader = {read_scene_of, expect_scene, release};
    compare_readings(&reader, data, size);
    return 0;
}
