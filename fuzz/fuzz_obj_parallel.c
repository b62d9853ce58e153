/* OBJ on several threads: what is read of any bytes, and what is said of them, is the same as
 * on one. Pieces are small here; they run one after the other, in an order of their own. */
#define FACET_OBJ_LEAST_PIECE ((ptrdiff_t)600)
#define FACET_OBJ_LEAST_PARALLEL ((ptrdiff_t)1200)
#include "obj/parallel.c"
#include "obj/read.c"

#include "threads.h"

typedef struct reading {
    facet_scene *scene;
    facet_report *report;
    facet_status status;
    facet_error error;
} reading;

static void read_by(const facet_source *source, unsigned threads, reading *r)
{
    const facet_threads pool = threads_backwards(threads);
    facet_options options = {.threads = &pool};
    *r = (reading){.status = FACET_OK};
    if (facet_report_create(NULL, &r->report, NULL) != FACET_OK)
        abort();
    options.report = r->report;
    r->status = facet_obj_read(source, NULL, &options, &r->scene, &r->error);
    if (r->status == FACET_OK ? facet_scene_check(r->scene, NULL, &r->error) != FACET_OK
                              : !r->error.message[0])
        abort();
}

static void expect_numbers(const uint32_t *a, const uint32_t *b, size_t count)
{
    expect(!a == !b && (!a || count == 0 || memcmp(a, b, count * sizeof *a) == 0));
}

static void expect_mesh(const facet_mesh *a, const facet_mesh *b)
{
    expect(a->face_count == b->face_count && a->corner_count == b->corner_count &&
           a->stream_count == b->stream_count && a->part_count == b->part_count &&
           a->line_count == b->line_count);
    expect_numbers(a->face_offsets, b->face_offsets, (size_t)a->face_count + 1);
    expect_numbers(a->face_materials, b->face_materials, a->face_count);
    expect_numbers(a->face_smoothing, b->face_smoothing, a->face_count);
    expect_numbers(a->lines, b->lines, (size_t)a->line_count * 2);
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

static void expect_same(const reading *a, const reading *b)
{
    expect(a->status == b->status);
    expect_same_findings(a->report, b->report);
    if (a->status != FACET_OK) {
        expect_same_errors(&a->error, &b->error);
        return;
    }
    expect(a->scene->mesh_count == b->scene->mesh_count &&
           a->scene->material_count == b->scene->material_count &&
           a->scene->hull_count == b->scene->hull_count);
    for (uint32_t i = 0; i < a->scene->mesh_count; i++)
        expect_mesh(a->scene->meshes[i], b->scene->meshes[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_source source = facet_source_from_memory(data, size, NULL);
    reading one, several;
    read_by(&source, 1, &one);
    read_by(&source, 2 + (unsigned)(size % 4), &several);
    expect_same(&one, &several);
    facet_scene_free(one.scene);
    facet_scene_free(several.scene);
    facet_report_free(one.report);
    facet_report_free(several.report);
    return 0;
}
