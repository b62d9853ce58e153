/* render/work.c - the limit of the work of a picture. */
#include "render/render.h"

#include "base/budget.h"
#include "base/error.h"

#include <inttypes.h>

void facet_render_limit_work(facet_render_view *view)
{
    uint64_t samples = (uint64_t)view->columns * view->rows;
    uint64_t input = FACET_RENDER_WORK_FIXED + FACET_RENDER_WORK_SAMPLE * samples +
                     FACET_RENDER_WORK_TRIANGLE * (uint64_t)view->triangle_count;
    uint64_t most = facet_budget_of(view->options, input, 0).most / FACET_RENDER_WORK_BLOCK;
    /* The sum of all threads must not wrap. */
    view->max_work = most < SIZE_MAX / 64 ? (size_t)most : SIZE_MAX / 64;
    atomic_store(&view->work, 0);
}

bool facet_render_works_too_long(facet_render_view *view)
{
    return atomic_load_explicit(&view->work, memory_order_relaxed) > view->max_work;
}

facet_status facet_render_fail_work(const facet_render_view *view)
{
    uint64_t most = (uint64_t)view->max_work * FACET_RENDER_WORK_BLOCK;
    return facet_fail(view->error, FACET_ERROR_LIMIT, "RENDER-LIMIT", FACET_NO_OFFSET,
                      "the triangles cover the picture too often: drawing takes more than %" PRIu64
                      " million steps, the limit for %" PRIu32 " x %" PRIu32 " pixels",
                      most / 1000000, view->width, view->height);
}
