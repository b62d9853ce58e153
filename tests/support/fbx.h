/* tests/support/fbx.h - writes small FBX files of version 7.4, as text or binary. */
#ifndef FACET_TESTS_FBX_H
#define FACET_TESTS_FBX_H

#include "base/bytes.h"
#include "support/models.h"

#include <stdarg.h>

enum { FBX_SPACE = 4 << 20, FBX_DEPTH = 8, FBX_HEAD = 13 };

typedef struct fbx_writer {
    bool is_binary;
    char *data;
    size_t used;
    size_t begin[FBX_DEPTH]; /* of the open records */
    uint32_t values[FBX_DEPTH];
    bool has_list[FBX_DEPTH];
    int depth;
} fbx_writer;

static inline void fbx_put(fbx_writer *w, const void *bytes, size_t size)
{
    assert_true(w->used + size < FBX_SPACE);
    memcpy(w->data + w->used, bytes, size);
    w->used += size;
}

static inline void fbx_print(fbx_writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(w->data + w->used, FBX_SPACE - w->used, format, arguments);
    va_end(arguments);
    assert_true(size >= 0 && w->used + (size_t)size < FBX_SPACE);
    w->used += (size_t)size;
}

/* -- Records ------------------------------------------------------------ */

static inline void fbx_begin(fbx_writer *w, const char *name)
{
    assert_true(w->depth < FBX_DEPTH);
    w->begin[w->depth] = w->used;
    w->values[w->depth] = 0;
    w->has_list[w->depth++] = false;
    if (w->is_binary) {
        uint8_t head[FBX_HEAD] = {0};
        head[FBX_HEAD - 1] = (uint8_t)strlen(name);
        fbx_put(w, head, sizeof head);
        fbx_put(w, name, strlen(name));
    } else {
        fbx_print(w, "\n%s: ", name);
    }
}

/* Begin the list of records in the open record. */
static inline void fbx_list(fbx_writer *w)
{
    char *head = w->data + w->begin[w->depth - 1];
    w->has_list[w->depth - 1] = true;
    if (w->is_binary) {
        size_t size = w->used - w->begin[w->depth - 1] - FBX_HEAD - (uint8_t)head[FBX_HEAD - 1];
        facet_store_u32le(head + 4, w->values[w->depth - 1]);
        facet_store_u32le(head + 8, (uint32_t)size);
    } else {
        fbx_print(w, " {");
    }
}

static inline void fbx_end(fbx_writer *w)
{
    bool has_list = w->has_list[w->depth - 1];
    if (w->is_binary) {
        static const uint8_t empty[FBX_HEAD];
        if (!has_list)
            fbx_list(w);
        else
            fbx_put(w, empty, sizeof empty);
        facet_store_u32le(w->data + w->begin[w->depth - 1], (uint32_t)w->used);
    } else if (has_list) {
        fbx_print(w, "\n}");
    }
    w->depth--;
}

/* -- Values ------------------------------------------------------------- */

static inline void fbx_value(fbx_writer *w, char type, const void *bytes, size_t size)
{
    if (w->values[w->depth - 1]++ > 0 && !w->is_binary)
        fbx_print(w, ",");
    if (w->is_binary) {
        fbx_put(w, &type, 1);
        fbx_put(w, bytes, size);
    }
}

static inline void fbx_integer(fbx_writer *w, char type, int64_t value)
{
    uint8_t bytes[8];
    facet_store_u64le(bytes, (uint64_t)value);
    fbx_value(w, type, bytes, type == 'L' ? 8 : type == 'I' ? 4 : 1);
    if (!w->is_binary)
        fbx_print(w, "%lld", (long long)value);
}

static inline void fbx_double(fbx_writer *w, double value)
{
    fbx_value(w, 'D', &value, sizeof value); /* on the little-endian hosts of the tests */
    if (!w->is_binary)
        fbx_print(w, "%.17g", value);
}

static inline void fbx_bytes(fbx_writer *w, const char *text, size_t size)
{
    uint8_t length[4];
    facet_store_u32le(length, (uint32_t)size);
    fbx_value(w, 'S', length, sizeof length);
    if (w->is_binary)
        fbx_put(w, text, size);
    else
        fbx_print(w, "\"%.*s\"", (int)size, text);
}

static inline void fbx_text(fbx_writer *w, const char *text)
{
    fbx_bytes(w, text, strlen(text));
}

/* An array of type 'd', 'f', 'i' or 'l'; "*2 { a: 1,2 }" in a text. */
static inline void fbx_array(fbx_writer *w, const char *name, char type, const double *values,
                             size_t count)
{
    fbx_begin(w, name);
    size_t size = type == 'd' || type == 'l' ? 8 : 4;
    uint8_t head[12] = {0};
    facet_store_u32le(head, (uint32_t)count);
    facet_store_u32le(head + 8, (uint32_t)(count * size));
    fbx_value(w, type, head, sizeof head);
    if (!w->is_binary)
        fbx_print(w, "*%zu {\na: ", count);
    for (size_t i = 0; i < count; i++) {
        float narrow = (float)values[i];
        int64_t whole = (int64_t)values[i];
        if (!w->is_binary)
            fbx_print(w, i ? ",%.17g" : "%.17g", values[i]);
        else
            fbx_put(w,
                    type == 'd'   ? (const void *)&values[i]
                    : type == 'f' ? (void *)&narrow
                                  : &whole,
                    size);
    }
    if (!w->is_binary)
        fbx_print(w, "\n}");
    fbx_end(w);
}

/* -- Objects ------------------------------------------------------------ */

/* Begin an object with its list. */
static inline void fbx_object(fbx_writer *w, const char *kind, int64_t id, const char *class,
                              const char *name, const char *type)
{
    char text[200];
    fbx_begin(w, kind);
    fbx_integer(w, 'L', id);
    int size = w->is_binary ? snprintf(text, sizeof text, "%s%c%c%s", name, 0, 1, class)
                            : snprintf(text, sizeof text, "%s::%s", class, name);
    fbx_bytes(w, text, (size_t)size);
    fbx_text(w, type);
    fbx_list(w);
}

/* A property with `count` numbers; integers have type "int". */
static inline void fbx_property(fbx_writer *w, const char *name, const char *type, uint32_t count,
                                const double *values)
{
    fbx_begin(w, "P");
    fbx_text(w, name);
    fbx_text(w, type);
    fbx_text(w, "");
    fbx_text(w, "A");
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(type, "int") == 0 || strcmp(type, "enum") == 0 || strcmp(type, "bool") == 0)
            fbx_integer(w, 'I', (int64_t)values[i]);
        else
            fbx_double(w, values[i]);
    }
    fbx_end(w);
}

static inline void fbx_number(fbx_writer *w, const char *name, const char *type, double value)
{
    fbx_property(w, name, type, 1, &value);
}

static inline void fbx_link(fbx_writer *w, int64_t from, int64_t to, const char *property)
{
    fbx_begin(w, "C");
    fbx_text(w, property ? "OP" : "OO");
    fbx_integer(w, 'L', from);
    fbx_integer(w, 'L', to);
    if (property)
        fbx_text(w, property);
    fbx_end(w);
}

/* -- Files -------------------------------------------------------------- */

/* Begin a file with the list of objects. */
static inline void fbx_start(fbx_writer *w, bool is_binary)
{
    *w = (fbx_writer){.is_binary = is_binary, .data = malloc(FBX_SPACE)};
    assert_non_null(w->data);
    if (is_binary)
        fbx_put(w, "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27); /* 7400 */
    else
        fbx_print(w, "; FBX 7.4.0 project file");
    fbx_begin(w, "FBXHeaderExtension");
    fbx_list(w);
    fbx_begin(w, "FBXVersion");
    fbx_integer(w, 'I', 7400);
    fbx_end(w);
    fbx_end(w);
    fbx_begin(w, "Definitions");
    fbx_list(w);
    fbx_begin(w, "Version");
    fbx_integer(w, 'I', 100);
    fbx_end(w);
    fbx_end(w);
    fbx_begin(w, "Objects");
    fbx_list(w);
}

/* End the objects, and begin the connections. */
static inline void fbx_links(fbx_writer *w)
{
    fbx_end(w);
    fbx_begin(w, "Connections");
    fbx_list(w);
}

/* End the file and load it. The writer is freed. */
static inline facet_status fbx_load(fbx_writer *w, facet_report *report, facet_scene **scene,
                                    facet_error *error)
{
    static const uint8_t empty[FBX_HEAD];
    fbx_end(w);
    fbx_put(w, w->is_binary ? (const void *)empty : "\n", w->is_binary ? sizeof empty : 1);
    facet_source source = {.data = (uint8_t *)w->data, .size = w->used, .name = "a.fbx"};
    facet_options options = {.report = report};
    *scene = NULL;
    facet_status status = facet_load(&source, NULL, NULL, &options, scene, error);
    free(w->data);
    return status;
}

/* A triangle at 0 0 0, 1 0 0 and 0 1 0. */
static inline void fbx_triangle(fbx_writer *w, int64_t id)
{
    static const double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, corners[3] = {0, 1, -3};
    fbx_object(w, "Geometry", id, "Geometry", "g", "Mesh");
    fbx_array(w, "Vertices", 'd', positions, 9);
    fbx_array(w, "PolygonVertexIndex", 'i', corners, 3);
    fbx_end(w);
}

/* -- Scenes ------------------------------------------------------------- */

#define SECOND 46186158000.0 /* ticks */

static facet_report *report;

/* End and load the file. The caller frees the scene; free_report frees `report`. */
static inline facet_scene *load(fbx_writer *w)
{
    facet_error error = {0};
    facet_scene *scene;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(fbx_load(w, report, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

static inline void release(facet_scene *scene)
{
    facet_scene_free(scene);
    facet_report_free(report);
}

static inline uint32_t node_called(const facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, name) == 0)
            return i;
    }
    fail_msg("no node is called '%s'", name);
    return 0;
}

static inline const facet_channel *channel_of(const facet_scene *scene, facet_channel_target target)
{
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        for (uint32_t k = 0; k < scene->animations[i]->channel_count; k++) {
            if (scene->animations[i]->channels[k].target == target)
                return &scene->animations[i]->channels[k];
        }
    }
    fail_msg("no animation has target %d", (int)target);
    return NULL;
}

/* Begin a node with its list of properties. */
static inline void begin_node(fbx_writer *w, int64_t id, const char *name)
{
    fbx_object(w, "Model", id, "Model", name, "Mesh");
    fbx_begin(w, "Version");
    fbx_integer(w, 'I', 232);
    fbx_end(w);
    fbx_begin(w, "Properties70");
    fbx_list(w);
}

static inline void end_node(fbx_writer *w)
{
    fbx_end(w);
    fbx_end(w);
}

/* An animation of the property of an object: a stack 20, a layer 21, and a curve node and a curve
 * with further ids. Flags of keys: 2 is constant, 4 linear, 256 with 2 the value of the next key.
 */
static inline void add_stack(fbx_writer *w)
{
    fbx_object(w, "AnimationStack", 20, "AnimStack", "take", "");
    fbx_end(w);
    fbx_object(w, "AnimationLayer", 21, "AnimLayer", "base", "");
    fbx_end(w);
}

static inline void add_curve(fbx_writer *w, int id, const char *name, const double *seconds,
                             const double *values, size_t count, double flags)
{
    double times[8];
    const double data[4] = {0, 0, 0, 0}, number = (double)count;
    for (size_t i = 0; i < count; i++)
        times[i] = seconds[i] * SECOND;
    fbx_object(w, "AnimationCurveNode", id, "AnimCurveNode", name, "");
    fbx_end(w);
    fbx_object(w, "AnimationCurve", id + 1, "AnimCurve", "", "");
    fbx_array(w, "KeyTime", 'l', times, count);
    fbx_array(w, "KeyValueFloat", 'f', values, count);
    fbx_array(w, "KeyAttrFlags", 'i', &flags, 1);
    fbx_array(w, "KeyAttrDataFloat", 'f', data, 4);
    fbx_array(w, "KeyAttrRefCount", 'i', &number, 1);
    fbx_end(w);
}

static inline void link_curve(fbx_writer *w, int id, int64_t object, const char *property)
{
    char curve[64];
    snprintf(curve, sizeof curve, "d|%s", property);
    fbx_link(w, id, 21, NULL);
    fbx_link(w, id, object, property);
    fbx_link(w, id + 1, id, curve);
}

#endif
