/* formats/assimp/file/fbx_movers.c - lists what the layers of animations of an FBX move. */
#include "formats/assimp/file/fbx_movers.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>

/* -- Layers ------------------------------------------------------------- */

static bool add_layer(const facet_fbx *fbx, facet_fbx_movers *m, uint32_t stack, uint32_t object,
                      uint32_t order)
{
    if (!FACET_GROW(fbx->arena, m->layers, m->layer_count, m->layer_capacity))
        return false;
    double mode = facet_fbx_number(fbx, object, "BlendMode", 0);
    double weight = facet_fbx_number(fbx, object, "Weight", 100) / 100;
    m->layers[m->layer_count++] = (facet_fbx_layer){
        .stack = stack,
        .object = object,
        .order = order,
        .mode = mode == 0   ? FACET_FBX_ADDITIVE
                : mode == 2 ? FACET_FBX_PASS_THROUGH
                            : FACET_FBX_OVERRIDE,
        .weight = fmax(0, fmin(1, weight)),
        .is_off = facet_fbx_number(fbx, object, "Mute", 0) != 0,
        .by_channel = facet_fbx_number(fbx, object, "RotationAccumulationMode", 0) != 0,
        .adds_scales = facet_fbx_number(fbx, object, "ScaleAccumulationMode", 0) != 0,
    };
    return true;
}

/* Add the layers of a stack. If one is solo, only such ones have an effect. */
static facet_status add_layers(const facet_fbx *fbx, facet_fbx_movers *m, uint32_t stack,
                               facet_error *error)
{
    uint32_t first = m->layer_count;
    bool is_solo = false;
    double start = facet_fbx_number(fbx, stack, "LocalStart", 0);
    double stop = facet_fbx_number(fbx, stack, "LocalStop", 0);
    for (uint32_t i = 0; (i = facet_fbx_next_link(fbx, stack, "AnimationLayer", i)) != FACET_NONE;
         i++) {
        uint32_t object = fbx->links[i].from;
        size_t work = facet_fbx_size(fbx->objects[object].list);
        TRY(facet_budget_spend(fbx->key_budget, work, "layers of animations", error));
        if (!add_layer(fbx, m, stack, object, m->layer_count - first))
            return facet_fail_arena(fbx->arena, error);
        is_solo |= facet_fbx_number(fbx, object, "Solo", 0) != 0;
    }
    for (uint32_t i = first; i < m->layer_count; i++) {
        m->layers[i].start = start;
        m->layers[i].stop = stop;
        m->layers[i].is_off |=
            is_solo && facet_fbx_number(fbx, m->layers[i].object, "Solo", 0) == 0;
    }
    return FACET_OK;
}

/* -- Movers ------------------------------------------------------------- */

facet_fbx_property_kind facet_fbx_kind_of(facet_fbx_span property)
{
    static const char *const names[FACET_FBX_KIND_COUNT] = {
        "Lcl Translation", "Lcl Rotation", "Lcl Scaling", "Visibility", "DeformPercent", "Weight"};
    int kind = 0;
    while (kind < FACET_FBX_KIND_COUNT && !facet_fbx_is(property, names[kind]))
        kind++;
    return (facet_fbx_property_kind)kind;
}

/* Bytes of the curves of a node. */
static uint64_t curve_bytes(const facet_fbx *fbx, const facet_fbx_object *node)
{
    uint64_t bytes = 0;
    for (uint32_t i = node->first_link; i < node->first_link + node->link_count; i++)
        bytes += facet_fbx_size(fbx->objects[fbx->links[i].from].list);
    return bytes;
}

/* A file can name layers, nodes and curves many times. assimp copies the keys for each, so they are
 * counted. */
static facet_status add_movers(const facet_fbx *fbx, facet_fbx_movers *m, uint32_t layer,
                               uint32_t node, facet_error *error)
{
    const facet_fbx_object *o = &fbx->objects[node];
    const uint64_t bytes = curve_bytes(fbx, o);
    for (uint32_t i = 0; i < o->from_count; i++) {
        uint32_t link = fbx->from[o->first_from + i];
        facet_fbx_property_kind kind = facet_fbx_kind_of(fbx->links[link].property);
        uint64_t work = (uint64_t)o->link_count + o->from_count;
        if (kind != FACET_FBX_KIND_COUNT)
            work += bytes;
        TRY(facet_budget_spend(fbx->key_budget, work, "layers of animations", error));
        if (kind == FACET_FBX_KIND_COUNT)
            continue;
        if (!FACET_GROW(fbx->arena, m->items, m->count, m->capacity))
            return facet_fail_arena(fbx->arena, error);
        m->items[m->count++] = (facet_fbx_mover){kind, layer, fbx->links[link].to, node, link};
    }
    return FACET_OK;
}

static int by_property(const void *a, const void *b)
{
    /* Layers of one stack have consecutive numbers. */
    const facet_fbx_mover *left = a, *right = b;
    const uint32_t keys[][2] = {{left->object, right->object},
                                {left->kind, right->kind},
                                {left->layer, right->layer},
                                {left->link, right->link}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return 0;
}

facet_status facet_fbx_list_movers(const facet_fbx *fbx, facet_fbx_movers *movers,
                                   facet_error *error)
{
    *movers = (facet_fbx_movers){.count = 0};
    for (uint32_t stack = 1; stack < fbx->object_count; stack++) {
        uint32_t first = movers->layer_count, begin = movers->count;
        if (!facet_fbx_is(fbx->objects[stack].kind, "AnimationStack"))
            continue;
        TRY(add_layers(fbx, movers, stack, error));
        for (uint32_t layer = first; layer < movers->layer_count; layer++) {
            uint32_t object = movers->layers[layer].object;
            for (uint32_t i = 0;
                 (i = facet_fbx_next_link(fbx, object, "AnimationCurveNode", i)) != FACET_NONE; i++)
                TRY(add_movers(fbx, movers, layer, fbx->links[i].from, error));
        }
        if (movers->count > begin)
            qsort(movers->items + begin, movers->count - begin, sizeof *movers->items, by_property);
    }
    return FACET_OK;
}

uint32_t facet_fbx_count_alike(const facet_fbx_movers *movers, uint32_t first)
{
    const facet_fbx_mover *items = movers->items;
    uint32_t stack = movers->layers[items[first].layer].stack, end = first;
    while (end < movers->count && items[end].object == items[first].object &&
           items[end].kind == items[first].kind && movers->layers[items[end].layer].stack == stack)
        end++;
    return end - first;
}

uint32_t facet_fbx_find_mover(const facet_fbx_movers *movers, uint32_t stack, uint32_t object,
                              facet_fbx_property_kind kind)
{
    uint32_t low = 0, high = movers->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const facet_fbx_mover *m = &movers->items[middle];
        uint32_t own = movers->layers[m->layer].stack;
        bool is_before = own != stack          ? own < stack
                         : m->object != object ? m->object < object
                                               : m->kind < kind;
        if (is_before)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == movers->count)
        return FACET_NONE;
    const facet_fbx_mover *m = &movers->items[low];
    bool is_same =
        m->object == object && m->kind == kind && movers->layers[m->layer].stack == stack;
    return is_same ? low : FACET_NONE;
}
