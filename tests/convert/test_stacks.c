/* Tasks and calls on a caller's threads with stacks of 64 KiB. The bytes that they overwrite give
 * their use of stack. */
#include "support/support.h"

#include <facet/facet.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(SANITIZED)
#undef SANITIZED
#define SANITIZED 1 /* whose frames are larger */
#else
#define SANITIZED 0
#endif

enum { STACK = 64 << 10, PAGE = 4096, PAINT = 0xA5 };
/* The parts of it for the C library and a task, and for the C library and a call. */
enum { MAX_TASK = (32 + 6) << 10, MAX_CALL = (40 + 6) << 10 };

/* -- Threads ------------------------------------------------------------ */

typedef struct job {
    void (*task)(void *argument, size_t index);
    void *argument;
    size_t count;
} job;

typedef struct measured {
    uint8_t *stack;
    const char *step; /* current step */
    size_t runs, deepest;
    const char *deepest_step;
} measured;

static void *work(void *argument)
{
    const job *j = argument;
    for (size_t i = 0; i < j->count; i++)
        j->task(j->argument, i);
    return NULL;
}

static void measure(measured *m, void *(*main)(void *), void *argument)
{
    pthread_t thread;
    pthread_attr_t with;
    memset(m->stack, PAINT, STACK);
    pthread_attr_init(&with);
    if (pthread_attr_setstack(&with, m->stack, STACK) ||
        pthread_create(&thread, &with, main, argument))
        abort();
    pthread_join(thread, NULL);
    pthread_attr_destroy(&with);
    size_t untouched = 0;
    while (untouched < STACK && m->stack[untouched] == PAINT)
        untouched++;
    m->runs++;
    if (STACK - untouched > m->deepest) {
        m->deepest = STACK - untouched;
        m->deepest_step = m->step;
    }
}

/* Run all indices on one thread whose stack is filled with a pattern first. */
static void run(void *user, void (*task)(void *argument, size_t index), void *argument,
                size_t count)
{
    job j = {task, argument, count};
    measure(user, work, &j);
}

/* A stack below which a guard page makes deeper use crash. */
static measured make_stack(void)
{
    uint8_t *memory =
        mmap(NULL, STACK + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    assert_int_equal(mprotect(memory, PAGE, PROT_NONE), 0);
    return (measured){.stack = memory + PAGE};
}

static void release_stack(const measured *m, const char *what, size_t limit)
{
    munmap(m->stack - PAGE, STACK + PAGE);
    print_message("%zu runs; at most %zu bytes, of %s\n", m->runs, m->deepest, m->deepest_step);
    if (m->deepest > limit)
        fail_msg("a %s of %s takes %zu bytes of stack", what, m->deepest_step, m->deepest);
}

/* -- Inputs ------------------------------------------------------------- */

/* A bumpy square of 2 * side * side triangles in two materials, one of them transparent. Its
 * texture coordinates rotate, so that tangents differ within a vertex. */
static char *make_obj(uint32_t side, size_t *size)
{
    char *text = malloc((size_t)side * side * 160 + 4096), *at = text;
    assert_non_null(text);
    at += sprintf(at, "mtllib a.mtl\n");
    for (uint32_t y = 0; y <= side; y++) {
        for (uint32_t x = 0; x <= side; x++)
            at += sprintf(at, "v %u %u %.3f\nvt %.3f %.3f\n", x, y, sin(x * 0.3) * cos(y * 0.2) * 3,
                          (double)(x % 7) / 7, (double)(y % 5) / 5);
    }
    for (uint32_t y = 0; y < side; y++) {
        at += sprintf(at, "usemtl %s\n", y % 16 < 8 ? "a" : "b");
        for (uint32_t x = 0; x < side; x++) {
            uint32_t a = y * (side + 1) + x + 1, b = a + 1, c = a + side + 2, d = a + side + 1;
            at += sprintf(at, "f %u/%u %u/%u %u/%u\nf %u/%u %u/%u %u/%u\n", a, a, b, b, c, c, a, a,
                          c, c, d, d);
        }
    }
    *size = (size_t)(at - text);
    return text;
}

static facet_status open_material(const facet_source *source, const char *name,
                                  facet_source *sibling, facet_error *error)
{
    static const char text[] = "newmtl a\nKd 1 0 0\nnewmtl b\nKd 0 1 0\nd 0.5\n";
    (void)source, (void)name, (void)error;
    sibling->data = (const uint8_t *)text;
    sibling->size = sizeof text - 1;
    return FACET_OK;
}

static facet_scene *load(const void *data, size_t size, const char *name,
                         const facet_options *options)
{
    facet_source source = {.data = data, .size = size, .name = name, .open_sibling = open_material};
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_load(&source, facet_format_from_path(name), NULL, options, &scene, &error),
            &error);
    return scene;
}

/* The size of a picture that several tasks encode. */
enum { LARGE = 512 };

static void add_picture(facet_scene *scene, uint32_t size)
{
    facet_image *image = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_image(scene, "picture", &image, &error), &error);
    image->width = image->height = size;
    image->channels = 4;
    uint8_t *pixels = facet_scene_allocate(scene, (size_t)size * size, 4);
    for (size_t i = 0; i < (size_t)size * size * 4; i++)
        pixels[i] = (uint8_t)(i * 2654435761u >> 13);
    image->pixels = pixels;
    facet_texture *texture;
    TEST_OK(facet_scene_add_map(scene, scene->materials[0], FACET_MAP_DIFFUSE, &texture, &error),
            &error);
    texture->path = "picture";
    texture->has_image = true;
    texture->image = scene->image_count - 1;
}

/* -- Calls -------------------------------------------------------------- */

static void save_and_check(facet_scene *scene, const char *format, const facet_options *options)
{
    facet_error error;
    facet_output *output = NULL;
    facet_report *report = NULL;
    facet_scene *again = NULL;
    const facet_format *to = facet_format_named(format);
    TEST_OK(facet_prepare(scene, to, NULL, options, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, to, options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_source source = {.data = facet_output_data(output),
                           .size = facet_output_size(output),
                           .open_sibling = open_material};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_check(&source, to, options, report, &error), &error);
    TEST_OK(facet_load(&source, to, NULL, options, &again, &error), &error);
    facet_scene_free(again);
    facet_report_free(report);
    facet_output_free(output);
}

static void draw(facet_scene *scene, const facet_options *options)
{
    facet_error error;
    facet_renderer *renderer = NULL;
    static const facet_render_options ways[] = {
        {.width = 200, .height = 200, .samples = 16},
        {.width = 64, .height = 64, .modes = FACET_RENDER_WIREFRAME},
        {.width = 64, .height = 64, .modes = FACET_RENDER_OVERDRAW}};
    TEST_OK(facet_prepare(scene, NULL, NULL, options, NULL, &error), &error);
    TEST_OK(facet_renderer_create(scene, options, &renderer, &error), &error);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        facet_picture picture;
        TEST_OK(facet_renderer_draw(renderer, &ways[i], options, &picture, &error), &error);
        facet_picture_free(&picture);
    }
    facet_renderer_free(renderer);
}

static void simplify(facet_scene *scene, const facet_options *options)
{
    facet_error error;
    const facet_hulls_options few = {.max_hulls = 4, .resolution = 32};
    const facet_reduce_options half = {.ratio = 0.5f};
    facet_mesh *mesh = scene->meshes[0];
    facet_scene *collision = NULL;
    TEST_OK(facet_scene_create(NULL, &collision, &error), &error);
    TEST_OK(facet_mesh_hulls(mesh, &few, options, collision, NULL, &error), &error);
    TEST_OK(facet_mesh_occluder(mesh, NULL, options, collision, NULL, &error), &error);
    facet_scene_free(collision);
    TEST_OK(facet_mesh_reduce(mesh, &half, options, NULL, NULL, &error), &error);
}

static const char *const formats[] = {"bsm", "bga", "binarymesh", "bpx", "bmd", "bdl",
                                      "glb", "ply", "stl",        "obj", "iqm"};

TEST(tasks_run_on_64_KiB_of_stack)
{
    if (SANITIZED)
        skip();
    measured m = make_stack();
    const facet_threads threads = {run, &m, 4};
    const facet_options options = {.threads = &threads};
    size_t size;
    char *text = make_obj(120, &size);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        m.step = formats[i];
        const facet_format *format = facet_format_named(formats[i]);
        if (!format)
            continue;
        facet_scene *scene = load(text, size, "a.obj", &options);
        add_picture(scene, LARGE);
        save_and_check(scene, formats[i], &options);
        facet_scene_free(scene);
    }
    m.step = "draw";
    facet_scene *scene = load(text, size, "a.obj", &options);
    add_picture(scene, LARGE);
    draw(scene, &options);
    m.step = "simplify";
    simplify(scene, &options);
    facet_scene_free(scene);
    free(text);
    assert_true(m.runs > 100);
    release_stack(&m, "task", MAX_TASK);
}

typedef struct calls {
    const char *text, *format; /* format: NULL to draw and simplify */
    size_t size;
} calls;

static void *call(void *argument)
{
    const calls *c = argument;
    facet_scene *scene = load(c->text, c->size, "a.obj", NULL);
    add_picture(scene, 64);
    if (c->format) {
        save_and_check(scene, c->format, NULL);
    } else {
        draw(scene, NULL);
        simplify(scene, NULL);
    }
    facet_scene_free(scene);
    return NULL;
}

/* A job system's stacks: the library starts no thread, so each call uses that of its caller. */
TEST(calls_run_on_64_KiB_of_stack)
{
    if (SANITIZED)
        skip();
    measured m = make_stack();
    calls c = {.text = NULL};
    char *text = make_obj(24, &c.size);
    c.text = text;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        m.step = c.format = formats[i];
        if (facet_format_named(formats[i]))
            measure(&m, call, &c);
    }
    m.step = "draw and simplify";
    c.format = NULL;
    measure(&m, call, &c);
    free(text);
    release_stack(&m, "call", MAX_CALL);
}
