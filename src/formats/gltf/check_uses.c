/* formats/gltf/check_uses.c - the uses of accessors and buffer views: one purpose each,
 * with its alignment and stride (glTF 2.0, 3.6.2.4 and 3.11). */
#include "formats/gltf/check.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

/* OpenGL's constants for a view's target. */
#define TARGET_VERTICES 34962
#define TARGET_INDICES 34963

/* Uses of a buffer view. They exclude one another. */
enum { FOR_VERTICES = 1, FOR_INDICES = 2, FOR_BINDS = 4, FOR_KEYS = 8, FOR_IMAGE = 16 };

typedef struct use_checker {
    const facet_gltf_document *document;
    facet_report *report;
    uint8_t *accessors, *views; /* bits of uses of each accessor and view */
    uint32_t *shares;           /* number of accessors with vertices in each view */
} use_checker;

/* -- Collecting --------------------------------------------------------- */

static void use_view(use_checker *c, uint32_t view, uint8_t use)
{
    if (view < c->document->view_count)
        c->views[view] |= use;
}

static void use_accessor(use_checker *c, uint32_t index, uint8_t use)
{
    if (index >= c->document->accessor_count)
        return;
    uint32_t view = c->document->accessors[index].view;
    bool is_new = (use & ~c->accessors[index] & FACET_GLTF_AS_VERTICES) != 0;
    c->accessors[index] |= use;
    use_view(c, view,
             use & FACET_GLTF_AS_VERTICES  ? FOR_VERTICES
             : use & FACET_GLTF_AS_INDICES ? FOR_INDICES
             : use & FACET_GLTF_AS_BINDS   ? FOR_BINDS
                                           : FOR_KEYS);
    if (is_new && view < c->document->view_count)
        c->shares[view]++;
}

static void use_attributes(use_checker *c, const facet_gltf_attribute *attributes, uint32_t count,
                           bool is_morph)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *name = attributes[i].name;
        uint8_t use = FACET_GLTF_AS_VERTICES;
        if (!is_morph && strcmp(name, "NORMAL") == 0)
            use |= FACET_GLTF_AS_NORMALS;
        if (!is_morph && strcmp(name, "TANGENT") == 0)
            use |= FACET_GLTF_AS_TANGENTS;
        use_accessor(c, attributes[i].accessor, use);
    }
}

static void use_mesh(use_checker *c, const facet_gltf_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        const facet_gltf_primitive *primitive = &mesh->primitives[i];
        use_attributes(c, primitive->attributes, primitive->attribute_count, false);
        for (uint32_t t = 0; t < primitive->target_count; t++)
            use_attributes(c, primitive->targets[t].attributes,
                           primitive->targets[t].attribute_count, true);
        use_accessor(c, primitive->indices, FACET_GLTF_AS_INDICES);
    }
}

static void collect(use_checker *c)
{
    const facet_gltf_document *document = c->document;
    for (uint32_t i = 0; i < document->mesh_count; i++)
        use_mesh(c, &document->meshes[i]);
    for (uint32_t i = 0; i < document->animation_count; i++) {
        const facet_gltf_animation *animation = &document->animations[i];
        for (uint32_t s = 0; s < animation->sampler_count; s++) {
            use_accessor(c, animation->samplers[s].input, FACET_GLTF_AS_TIMES);
            use_accessor(c, animation->samplers[s].output, FACET_GLTF_AS_KEYS);
        }
    }
    for (uint32_t i = 0; i < document->skin_count; i++)
        use_accessor(c, document->skins[i].inverse_bind, FACET_GLTF_AS_BINDS);
    for (uint32_t i = 0; i < document->image_count; i++)
        use_view(c, document->images[i].view, FOR_IMAGE);
    for (uint32_t i = 0; i < document->accessor_count; i++) {
        const facet_gltf_sparse *sparse = document->accessors[i].sparse;
        if (!sparse)
            continue;
        use_view(c, sparse->indices_view, FOR_KEYS);
        use_view(c, sparse->values_view, FOR_KEYS);
    }
}

/* -- Rules -------------------------------------------------------------- */

static bool is_one_bit(uint32_t bits)
{
    return (bits & (bits - 1)) == 0;
}

/* Names of the two lowest bits. */
static void name_two(uint32_t bits, const char *const *names, const char *found[2])
{
    uint32_t bit = 0;
    for (int i = 0; i < 2; i++, bit++) {
        while (!(bits >> bit & 1))
            bit++;
        found[i] = names[bit];
    }
}

static void check_accessor(const use_checker *c, uint32_t index)
{
    static const char *const names[] = {"vertices", "indices", "times of keys", "values of keys",
                                        "inverse bind matrices"};
    const facet_gltf_accessor *accessor = &c->document->accessors[index];
    const facet_gltf_view *view =
        accessor->view < c->document->view_count ? &c->document->views[accessor->view] : NULL;
    uint32_t uses = c->accessors[index] & FACET_GLTF_AS_ANY;
    size_t size = facet_gltf_element_size(accessor);
    if (!is_one_bit(uses)) {
        const char *found[2];
        name_two(uses, names, found);
        facet_gltf_fault(c->report, "GLTF-ACCESSOR",
                         "accessor %" PRIu32 " is used as %s and as %s, expected one of them",
                         index, found[0], found[1]);
    }
    if (!view)
        return;
    if (view->stride > 0 && view->stride < size)
        facet_gltf_fault(c->report, "GLTF-ACCESSOR",
                         "accessor %" PRIu32 " has elements of %zu bytes, and a byteStride of "
                         "%" PRIu64 ", expected at least as many",
                         index, size, view->stride);
    if (uses & FACET_GLTF_AS_VERTICES &&
        (accessor->offset % 4 != 0 || (size % 4 != 0 && view->stride == 0)))
        facet_gltf_fault(c->report, "GLTF-ALIGN",
                         "the vertices of accessor %" PRIu32
                         " do not start and step at multiples of 4 bytes",
                         index);
}

static void check_view(const use_checker *c, uint32_t index)
{
    static const char *const names[] = {"vertices", "indices", "inverse bind matrices",
                                        "keys or sparse values", "an image"};
    const facet_gltf_view *view = &c->document->views[index];
    uint32_t uses = c->views[index], all = uses;
    all |= view->target == TARGET_VERTICES ? FOR_VERTICES : 0;
    all |= view->target == TARGET_INDICES ? FOR_INDICES : 0;
    if (!is_one_bit(all)) {
        const char *found[2];
        name_two(all, names, found);
        facet_gltf_fault(c->report, "GLTF-VIEW",
                         "buffer view %" PRIu32 " is used for or has a target of %s and %s, "
                         "expected one of them",
                         index, found[0], found[1]);
    }
    /* If the target is indices, the check of the JSON has already reported the stride. */
    if (view->stride > 0 && uses & ~(uint32_t)FOR_VERTICES && view->target != TARGET_INDICES)
        facet_gltf_fault(c->report, "GLTF-VIEW",
                         "buffer view %" PRIu32 " has a byteStride, which only vertices have",
                         index);
    if (view->stride == 0 && c->shares[index] > 1)
        facet_gltf_fault(c->report, "GLTF-VIEW",
                         "buffer view %" PRIu32 " has vertices of %" PRIu32
                         " accessors, expected a byteStride",
                         index, c->shares[index]);
}

facet_status facet_gltf_check_uses(facet_gltf_file *file, facet_report *report, uint8_t **uses,
                                   facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    use_checker c = {
        document, report, facet_arena_allocate_zeroed(file->arena, document->accessor_count, 1),
        facet_arena_allocate_zeroed(file->arena, document->view_count, 1),
        facet_arena_allocate_zeroed(file->arena, document->view_count, sizeof(uint32_t))};
    if (!c.accessors || !c.views || !c.shares)
        return facet_fail_arena(file->arena, error);
    collect(&c);
    for (uint32_t i = 0; i < document->accessor_count; i++)
        check_accessor(&c, i);
    for (uint32_t i = 0; i < document->view_count; i++)
        check_view(&c, i);
    *uses = c.accessors;
    return FACET_OK;
}
