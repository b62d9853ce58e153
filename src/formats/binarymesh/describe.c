/* formats/binarymesh/describe.c - the description of a file, as a tree. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "base/tree.h"
#include "formats/binarymesh/binarymesh.h"

#include <inttypes.h>
#include <string.h>

/* Maximum number of listed objects and slots; the rest are counted. */
#define MAX_LISTED 1000

typedef struct describing {
    const facet_binarymesh *document;
    facet_description *description;
    facet_arena *arena; /* owned by the description */
    uint32_t *sizes;    /* number of faces, by number of corners; all 0 between two uses */
    facet_names materials;
} describing;

static void add_count(describing *d, facet_tree *parent, const char *key, uint64_t value)
{
    facet_tree_integer(d->arena, parent, key, (int64_t)value);
}

/* -- Sub-blocks ----------------------------------------------------------- */

static void add_blocks(describing *d)
{
    const facet_binarymesh *document = d->document;
    if (document->version == 1)
        return;
    uint64_t compressed = 0, largest = 0, smallest = UINT64_MAX;
    for (size_t i = 0; i < document->block_count; i++) {
        const facet_binarymesh_block *block = &document->blocks[i];
        compressed += block->compressed_size;
        largest = block->size > largest ? block->size : largest;
        smallest = block->size < smallest ? block->size : smallest;
    }
    facet_tree *blocks = facet_tree_object(d->arena, d->description->detail, "blocks");
    facet_tree_string(d->arena, blocks, "compression", document->version == 2 ? "LZO" : "LZ4");
    add_count(d, blocks, "count", document->block_count);
    add_count(d, blocks, "bytes", document->data_size);
    add_count(d, blocks, "compressed", compressed);
    if (document->block_count == 0 || compressed == 0)
        return;
    add_count(d, blocks, "smallest", smallest);
    add_count(d, blocks, "largest", largest);
    facet_tree_real(d->arena, blocks, "ratio", (double)document->data_size / (double)compressed);
}

/* -- Objects -------------------------------------------------------------- */

/* Add a histogram of the corners per face: {"3": 12, "4": 100}. */
static void add_histogram(describing *d, const facet_binarymesh_object *object, facet_tree *line)
{
    facet_tree *histogram = facet_tree_object(d->arena, line, "corners_per_face");
    uint32_t most = 0;
    for (uint32_t face = 0; face < object->face_count; face++) {
        uint32_t size =
            facet_binarymesh_face_end(object, face) - facet_binarymesh_face_begin(object, face);
        d->sizes[size]++;
        most = size > most ? size : most;
    }
    for (uint32_t size = 0; size <= most; size++) {
        if (d->sizes[size] == 0)
            continue;
        const char *key = facet_arena_format(d->arena, "%" PRIu32, size);
        if (key)
            add_count(d, histogram, key, d->sizes[size]);
        d->sizes[size] = 0;
    }
}

static void add_text(describing *d, facet_tree *parent, const char *key, facet_binarymesh_text text)
{
    facet_tree_text(d->arena, parent, key, text.text, text.length);
}

static void add_object(describing *d, const facet_binarymesh_object *object, facet_tree *objects)
{
    facet_tree *line = facet_tree_object(d->arena, objects, NULL);
    add_text(d, line, "name", object->name);
    add_count(d, line, "positions", object->position_count);
    add_count(d, line, "normals", object->normal_count);
    add_count(d, line, "texcoords", object->texcoord_count);
    add_count(d, line, "faces", object->face_count);
    add_count(d, line, "corners", object->corner_count);
    add_histogram(d, object, line);
    facet_tree *slots = facet_tree_array(d->arena, line, "slots");
    for (uint32_t i = 0; i < object->slot_count && i < MAX_LISTED; i++)
        add_text(d, slots, NULL, object->slots[i]);
}

/* -- Totals --------------------------------------------------------------- */

static void count_object(describing *d, const facet_binarymesh_object *object)
{
    facet_description *sum = d->description;
    sum->vertices += object->position_count;
    sum->faces += object->face_count;
    sum->triangles += object->corner_count - (uint64_t)object->face_count * 2;
    for (uint32_t i = 0; i < object->slot_count; i++) {
        const facet_binarymesh_text name = object->slots[i];
        if (name.length > 0)
            facet_names_put(&d->materials, name.text, name.length);
    }
    for (size_t i = 0; i < (size_t)object->position_count * 3; i++) {
        double value = facet_binarymesh_real(d->document, object->positions, i);
        if (!sum->has_bounds || value < sum->minimum[i % 3])
            sum->minimum[i % 3] = value;
        if (!sum->has_bounds || value > sum->maximum[i % 3])
            sum->maximum[i % 3] = value;
        sum->has_bounds = sum->has_bounds || i == 2;
    }
}

static void describe(describing *d)
{
    const facet_binarymesh *document = d->document;
    facet_description *description = d->description;
    facet_tree_string(d->arena, description->detail, "precision",
                      document->double_precision ? "double" : "single");
    add_blocks(d);
    facet_tree *objects = facet_tree_array(d->arena, description->detail, "objects");
    for (uint32_t i = 0; i < document->object_count; i++) {
        count_object(d, &document->objects[i]);
        if (i < MAX_LISTED)
            add_object(d, &document->objects[i], objects);
    }
    description->meshes = document->object_count;
    description->materials = d->materials.count;
    description->version = facet_arena_format(d->arena, "%" PRIu32, document->version);
}

facet_status facet_binarymesh_fill_description(const facet_source *source,
                                               const facet_options *options,
                                               facet_description *description, facet_error *error)
{
    facet_binarymesh *document = NULL;
    TRY(facet_binarymesh_read(source, options, &document, error));
    describing d = {.document = document, .description = description, .arena = description->arena};
    d.materials = facet_names_make(document->arena);
    size_t sizes = (size_t)facet_binarymesh_max_corners(document) + 1;
    d.sizes = facet_arena_allocate_zeroed(document->arena, sizes, sizeof *d.sizes);
    if (d.sizes)
        describe(&d);
    facet_status status = facet_arena_status(document->arena, error);
    facet_binarymesh_free(document);
    return status;
}
