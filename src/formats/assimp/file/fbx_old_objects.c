/* formats/assimp/file/fbx_old_objects.c - objects of an FBX of version 6.
 *
 * A node contains its geometry and shapes, or the attributes of a light, camera or joint. They
 * become separate objects. */
#include "formats/assimp/file/fbx_old.h"

#include <inttypes.h>
#include <string.h>

/* -- Names -------------------------------------------------------------- */

/* Begin an object: its kind, id, class and name, and type. */
static void begin(facet_fbx_old *o, facet_fbx_span kind, uint64_t id, const char *class,
                  facet_fbx_span label, const char *type, facet_fbx_span own_type)
{
    facet_fbx_old_put(o, kind.at, facet_fbx_size(kind));
    facet_fbx_old_print(o, ": %" PRIu64 ", \"%s::", id, class);
    for (const uint8_t *at = label.at; at < label.end; at++)
        facet_fbx_old_put(o, *at == '"' ? (const void *)"'" : at, *at != 0);
    facet_fbx_old_print(o, "\", ");
    if (type)
        facet_fbx_old_print(o, "\"%s\"", type);
    else
        facet_fbx_old_quote(o, own_type);
    facet_fbx_old_print(o, " {\n");
}

static facet_fbx_span span_of(const char *text)
{
    return (facet_fbx_span){(const uint8_t *)text, (const uint8_t *)text + strlen(text)};
}

static void begin_own(facet_fbx_old *o, const char *kind, uint64_t id, const char *class,
                      facet_fbx_span label, const char *type)
{
    begin(o, span_of(kind), id, class, label, type, span_of(""));
}

static void end(facet_fbx_old *o)
{
    facet_fbx_old_print(o, "}\n");
}

/* -- Shapes ------------------------------------------------------------- */

/* Numbers of a node by the names of its properties: the weights of its shapes. */
typedef struct weights {
    facet_names names;
    double *percent;
    uint32_t count, capacity;
} weights;

static void list_weights(facet_fbx_old *o, facet_fbx_span node, weights *w)
{
    facet_fbx_record properties, property;
    w->names = facet_names_make(o->arena);
    if (!facet_fbx_find(o->fbx, node, "Properties60", &properties))
        return;
    while (facet_fbx_next(o->fbx, &properties.list, &property) && !o->failed) {
        facet_fbx_value value = {.number = 0};
        facet_fbx_span name = facet_fbx_old_text_of(o->fbx, &property);
        for (int i = 0; i < 4; i++) /* the name, the type, the flags, the number */
            facet_fbx_next_value(o->fbx, &property.values, &value);
        uint32_t number = facet_names_put(&w->names, (const char *)name.at, facet_fbx_size(name));
        o->failed |= number == UINT32_MAX;
        if (o->failed || number < w->count)
            continue;
        o->failed |= !FACET_GROW(o->arena, w->percent, w->count, w->capacity);
        if (!o->failed)
            w->percent[w->count++] = value.is_text ? 0 : value.number;
    }
}

/* Note the channel of a shape, for animations. */
static void note_channel(facet_fbx_old *o, uint64_t node, facet_fbx_span shape, uint64_t channel)
{
    size_t size = sizeof node + facet_fbx_size(shape);
    char *key = facet_arena_allocate(o->arena, size, 1);
    if (key) {
        memcpy(key, &node, sizeof node);
        memcpy(key + sizeof node, shape.at, facet_fbx_size(shape));
    }
    uint32_t number = key ? facet_names_put(&o->shapes, key, size) : UINT32_MAX;
    o->failed |= number == UINT32_MAX;
    if (o->failed || number < o->channel_count)
        return;
    o->failed |= !FACET_GROW(o->arena, o->channels, o->channel_count, o->channel_capacity);
    if (!o->failed)
        o->channels[o->channel_count++] = channel;
}

static void put_shape(facet_fbx_old *o, const facet_fbx_named *node, const weights *w,
                      const facet_fbx_record *shape, uint64_t deformer)
{
    facet_fbx_span name = facet_fbx_old_text_of(o->fbx, shape), list = shape->list;
    facet_fbx_record record;
    uint64_t geometry = o->next_id++, channel = o->next_id++;
    begin_own(o, "Geometry", geometry, "Geometry", name, "Shape");
    facet_fbx_old_print(o, "Version: 100\n");
    while (facet_fbx_next(o->fbx, &list, &record))
        facet_fbx_old_copy(o, &record, 1);
    end(o);
    begin_own(o, "Deformer", channel, "SubDeformer", name, "BlendShapeChannel");
    uint32_t number = facet_names_find(&w->names, (const char *)name.at, facet_fbx_size(name));
    double percent = number == UINT32_MAX || number >= w->count ? 0 : w->percent[number];
    facet_fbx_old_print(o, "Version: 100\nProperties70: {\nP: \"DeformPercent\", \"Number\", \"\", "
                           "\"A\",");
    facet_fbx_old_double(o, percent);
    facet_fbx_old_print(o, "\n}\nDeformPercent: ");
    facet_fbx_old_double(o, percent);
    facet_fbx_old_print(o, "\nFullWeights: *1 {\na: 100\n}\n");
    end(o);
    facet_fbx_old_link(o, channel, deformer, NULL);
    facet_fbx_old_link(o, geometry, channel, NULL);
    note_channel(o, node->id, name, channel);
}

static void put_shapes(facet_fbx_old *o, const facet_fbx_named *node)
{
    facet_fbx_span list = node->record.list;
    facet_fbx_record record;
    weights w = {.count = 0};
    uint64_t deformer = 0;
    while (facet_fbx_next(o->fbx, &list, &record)) {
        if (!facet_fbx_is(record.name, "Shape"))
            continue;
        if (deformer == 0) {
            deformer = o->next_id++;
            list_weights(o, node->record.list, &w);
            begin_own(o, "Deformer", deformer, "Deformer", facet_fbx_label(o->fbx, node->key),
                      "BlendShape");
            facet_fbx_old_print(o, "Version: 100\n");
            end(o);
            facet_fbx_old_link(o, deformer, node->geometry, NULL);
        }
        put_shape(o, node, &w, &record, deformer);
    }
}

/* -- Nodes -------------------------------------------------------------- */

static void put_geometry(facet_fbx_old *o, facet_fbx_named *node, const char *type)
{
    facet_fbx_span list = node->record.list;
    facet_fbx_record record;
    node->geometry = o->next_id++;
    begin_own(o, "Geometry", node->geometry, "Geometry", facet_fbx_label(o->fbx, node->key), type);
    while (facet_fbx_next(o->fbx, &list, &record)) {
        if (!facet_fbx_is(record.name, "Properties60") && !facet_fbx_is(record.name, "Shape") &&
            !facet_fbx_is(record.name, "Version"))
            facet_fbx_old_copy(o, &record, 1);
    }
    end(o);
    facet_fbx_old_link(o, node->geometry, node->id, NULL);
}

static void put_attributes(facet_fbx_old *o, facet_fbx_named *node, const char *type)
{
    facet_fbx_record properties;
    uint64_t id = o->next_id++;
    begin_own(o, "NodeAttribute", id, "NodeAttribute", facet_fbx_label(o->fbx, node->key), type);
    facet_fbx_old_print(o, "TypeFlags: \"%s\"\n", type);
    if (facet_fbx_find(o->fbx, node->record.list, "Properties60", &properties))
        facet_fbx_old_copy(o, &properties, 1);
    end(o);
    facet_fbx_old_link(o, id, node->id, NULL);
}

static void put_node(facet_fbx_old *o, facet_fbx_named *node)
{
    static const struct {
        const char *type, *attributes; /* NULL: none */
    } types[] = {{"Light", "Light"},
                 {"Camera", "Camera"},
                 {"Limb", "LimbNode"},
                 {"LimbNode", "LimbNode"},
                 {"Root", "Root"}};
    facet_fbx_record record;
    const char *type = facet_fbx_is(node->type, "Limb") ? "LimbNode" : NULL;
    begin(o, node->record.name, node->id, "Model", facet_fbx_label(o->fbx, node->key), type,
          node->type);
    facet_fbx_old_print(o, "Version: 232\n");
    if (facet_fbx_find(o->fbx, node->record.list, "Properties60", &record))
        facet_fbx_old_copy(o, &record, 1);
    end(o);
    if (facet_fbx_find(o->fbx, node->record.list, "Vertices", &record)) {
        put_geometry(o, node, "Mesh");
        put_shapes(o, node);
    } else if (facet_fbx_find(o->fbx, node->record.list, "KnotVectorU", &record)) {
        put_geometry(o, node, "NurbsSurface");
    } else if (facet_fbx_find(o->fbx, node->record.list, "KnotVector", &record)) {
        put_geometry(o, node, "NurbsCurve");
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (facet_fbx_is(node->type, types[i].type))
            put_attributes(o, node, types[i].attributes);
    }
}

/* -- All objects -------------------------------------------------------- */

/* The class of a name: "Model::cube" in a text, "cube\0\1Model" in a binary file. */
static void class_of(const facet_fbx *fbx, facet_fbx_span key, char class[40])
{
    facet_fbx_span label = facet_fbx_label(fbx, key);
    facet_fbx_span part = {key.at, label.at - 2};
    if (fbx->is_binary)
        part = (facet_fbx_span){label.end + 2, key.end};
    size_t size = label.at == key.at && label.end == key.end ? 0 : facet_fbx_size(part);
    size = size < 40 ? size : 0;
    memcpy(class, part.at, size);
    class[size] = '\0';
}

void facet_fbx_old_put_object(facet_fbx_old *o, facet_fbx_named *object)
{
    char class[40];
    facet_fbx_span list = object->record.list;
    facet_fbx_record record;
    if (facet_fbx_is(object->record.name, "Model")) {
        put_node(o, object);
        return;
    }
    class_of(o->fbx, object->key, class);
    begin(o, object->record.name, object->id, class, facet_fbx_label(o->fbx, object->key), NULL,
          object->type);
    while (facet_fbx_next(o->fbx, &list, &record))
        facet_fbx_old_copy(o, &record, 1);
    end(o);
}
