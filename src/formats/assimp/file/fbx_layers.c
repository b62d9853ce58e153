/* formats/assimp/file/fbx_layers.c - normals, colors and other data of corners whose mapping assimp
 * does not know, so that it drops them. They get one value per corner. */
#include "formats/assimp/file/fbx_edits.h"

#include <math.h>
#include <string.h>

typedef struct layer_kind {
    const char *record, *values, *indices;
    uint32_t width;
} layer_kind;

static const layer_kind kinds[] = {
    {"LayerElementNormal", "Normals", "NormalsIndex", 3},
    {"LayerElementTangent", "Tangents", "TangentsIndex", 3},
    {"LayerElementBinormal", "Binormals", "BinormalsIndex", 3},
    {"LayerElementUV", "UV", "UVIndex", 2},
    {"LayerElementColor", "Colors", "ColorIndex", 4},
};

#define KIND_COUNT (sizeof kinds / sizeof *kinds)
#define MAX_LAYERS 8 /* of one kind, that assimp reads */

/* Reads the layers of a geometry. */
typedef struct layer_reader {
    facet_fbx_edits *edits;
    double *corners; /* vertices of the corners; that of the last one of a face is -1 - number */
    size_t corner_count;
    bool has_corners;
    facet_fbx_span geometry;
} layer_reader;

static bool has_text(const facet_fbx *fbx, facet_fbx_span list, const char *name, const char *text,
                     facet_fbx_record *record)
{
    facet_fbx_value value;
    facet_fbx_span values;
    if (!facet_fbx_find(fbx, list, name, record))
        return false;
    values = record->values;
    return facet_fbx_next_value(fbx, &values, &value) && facet_fbx_is(value.text, text);
}

static bool read_corners(layer_reader *l)
{
    const facet_fbx *fbx = l->edits->fbx;
    facet_fbx_record record;
    if (l->has_corners)
        return true;
    l->has_corners = true;
    return !facet_fbx_find(fbx, l->geometry, "PolygonVertexIndex", &record) ||
           facet_fbx_numbers(fbx, &record, &l->corners, &l->corner_count);
}

/* Mapping of values to corners. */
enum { BY_CORNER, BY_FACE, BY_VERTEX, BY_MESH, UNKNOWN };

static int mapping_of(const facet_fbx *fbx, const facet_fbx_record *layer,
                      facet_fbx_record *mapping)
{
    static const struct {
        const char *text;
        int mapping;
    } names[] = {{"ByPolygonVertex", BY_CORNER},
                 {"ByPolygon", BY_FACE},
                 {"ByVertice", BY_VERTEX},
                 {"ByVertex", BY_VERTEX},
                 {"AllSame", BY_MESH}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (has_text(fbx, layer->list, "MappingInformationType", names[i].text, mapping))
            return names[i].mapping;
    }
    return UNKNOWN;
}

/* The values of all corners, or NULL if an index is out of range, or out of memory. */
static double *expand(const layer_reader *l, int mapping, const double *values, size_t count,
                      const double *indices, size_t index_count, uint32_t width)
{
    double *all = facet_arena_allocate(l->edits->fbx->arena, l->corner_count, width * sizeof *all);
    size_t face = 0;
    for (size_t i = 0; all && i < l->corner_count; i++) {
        double corner = l->corners[i], vertex = corner < 0 ? -1 - corner : corner;
        double at = mapping == BY_FACE ? (double)face : mapping == BY_VERTEX ? vertex : 0;
        face += corner < 0;
        if (indices && at < (double)index_count)
            at = indices[(size_t)at];
        else if (indices)
            return NULL;
        if (!(at >= 0 && at < (double)(count / width)))
            return NULL;
        memcpy(all + i * width, values + (size_t)at * width, width * sizeof *all);
    }
    return all;
}

static bool replace(facet_fbx_edits *edits, const facet_fbx_record *record, uint8_t *bytes,
                    size_t size)
{
    return bytes && facet_fbx_replace(edits, record, bytes, size);
}

/* Replace the mapping and the values of a layer. False if out of memory. */
static bool read_layer(layer_reader *l, const facet_fbx_record *layer, const layer_kind *kind)
{
    facet_fbx_edits *edits = l->edits;
    const facet_fbx *fbx = edits->fbx;
    facet_fbx_record mapping, reference, values, index;
    double *numbers, *indices = NULL;
    size_t count, index_count = 0, size;
    int by = mapping_of(fbx, layer, &mapping);
    bool is_direct = has_text(fbx, layer->list, "ReferenceInformationType", "Direct", &reference);
    bool has_index = !is_direct && facet_fbx_find(fbx, layer->list, kind->indices, &index);
    /* assimp reads values per corner, and per vertex without indices. */
    bool is_vertice = has_text(fbx, layer->list, "MappingInformationType", "ByVertice", &mapping);
    if (by == UNKNOWN || by == BY_CORNER || (is_vertice && !has_index))
        return true;
    if (!facet_fbx_find(fbx, layer->list, "ReferenceInformationType", &reference) ||
        !facet_fbx_find(fbx, layer->list, kind->values, &values))
        return true;
    if (!read_corners(l) || !facet_fbx_numbers(fbx, &values, &numbers, &count) ||
        (has_index && !facet_fbx_numbers(fbx, &index, &indices, &index_count)))
        return false;
    double *all = l->corner_count > 0
                      ? expand(l, by, numbers, count, indices, index_count, kind->width)
                      : NULL;
    if (!all)
        return facet_arena_status(fbx->arena, NULL) == FACET_OK;
    uint8_t *array =
        facet_fbx_make_array(fbx, kind->values, 'd', all, l->corner_count * kind->width, &size);
    if (!replace(edits, &values, array, size))
        return false;
    uint8_t *text = facet_fbx_make_text(fbx, "MappingInformationType", "ByPolygonVertex", &size);
    if (!replace(edits, &mapping, text, size))
        return false;
    text = facet_fbx_make_text(fbx, "ReferenceInformationType", "Direct", &size);
    return replace(edits, &reference, text, size);
}

bool facet_fbx_expand_layers(facet_fbx_edits *edits)
{
    const facet_fbx *fbx = edits->fbx;
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        const facet_fbx_object *o = &fbx->objects[i];
        layer_reader l = {.edits = edits, .geometry = o->list};
        facet_fbx_span list = o->list;
        facet_fbx_record record;
        uint32_t counts[KIND_COUNT] = {0};
        if (!facet_fbx_is(o->kind, "Geometry") || !facet_fbx_is(o->type, "Mesh"))
            continue;
        while (facet_fbx_next(fbx, &list, &record)) {
            for (size_t k = 0; k < KIND_COUNT; k++) {
                if (facet_fbx_is(record.name, kinds[k].record) && counts[k]++ < MAX_LAYERS &&
                    !read_layer(&l, &record, &kinds[k]))
                    return false;
            }
        }
    }
    return true;
}
