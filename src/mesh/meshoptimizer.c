/* mesh/meshoptimizer.c - opening the module of meshoptimizer, or a replacement in a build
 * without it. */
#include "mesh/meshoptimizer.h"

#ifdef FACET_HAVE_MESHOPT
#include "base/module.h"

#ifdef FACET_MODULES
static facet_module module = {"meshoptimizer", "order for the GPU, strips and simplification",
                              NULL};
#else
extern const facet_meshoptimizer facet_meshoptimizer_table;
static facet_module module = {"meshoptimizer", "", &facet_meshoptimizer_table};
#endif

facet_status facet_meshoptimizer_open(const facet_meshoptimizer **functions, facet_error *error)
{
    facet_status status = facet_module_open(&module, error);
    *functions = facet_module_table(&module);
    return status;
}
#else
#include <string.h>

/* Keep the order of the triangles. The vertices are still put in the order of their use. */
static bool cache(uint32_t *to, const uint32_t *from, size_t count, size_t vertex_count,
                  unsigned size)
{
    (void)vertex_count, (void)size;
    memmove(to, from, count * sizeof *to);
    return true;
}

static bool in_strips(uint32_t *to, const uint32_t *from, size_t count, size_t vertex_count)
{
    return cache(to, from, count, vertex_count, 0);
}

static bool overdraw(uint32_t *to, const uint32_t *from, size_t count, const float (*positions)[3],
                     size_t vertex_count, float threshold)
{
    (void)positions, (void)vertex_count, (void)threshold;
    memmove(to, from, count * sizeof *to);
    return true;
}

/* A strip continues while the next triangle shares its last edge. */
static bool strips(uint32_t *to, uint32_t *scratch, const uint32_t *from, size_t count,
                   size_t vertex_count, uint32_t restart, size_t *strip_count)
{
    size_t used = 0, length = 0; /* length of the whole, and of the last strip */
    (void)scratch, (void)vertex_count;
    for (size_t i = 0; i < count; i += 3) {
        const uint32_t *t = from + i;
        bool goes_on = false;
        for (int k = 0; k < 3 && length > 0 && !goes_on; k++) {
            /* Every second triangle of a strip has the opposite winding. */
            uint32_t a = to[used - 2], b = to[used - 1];
            goes_on = t[k] == (length % 2 ? b : a) && t[(k + 1) % 3] == (length % 2 ? a : b);
            if (goes_on)
                to[used] = t[(k + 2) % 3];
        }
        if (goes_on) {
            used++;
            length++;
            continue;
        }
        if (length > 0)
            to[used++] = restart;
        memcpy(to + used, t, 3 * sizeof *t);
        used += 3;
        length = 3;
    }
    *strip_count = used;
    return true;
}

static size_t strip_bound(size_t count)
{
    return count / 3 * 4;
}

facet_status facet_meshoptimizer_open(const facet_meshoptimizer **functions, facet_error *error)
{
    static const facet_meshoptimizer own = {.cache = cache,
                                            .in_strips = in_strips,
                                            .overdraw = overdraw,
                                            .strips = strips,
                                            .strip_bound = strip_bound};
    (void)error;
    *functions = &own;
    return FACET_OK;
}
#endif
