/* mesh/hulls/qhull_calls.h - a table of the functions of qhull that Facet calls.
 *
 * The functions are in a module that facet_convex_open opens. A file that includes this header
 * can call them by their original names. */
#ifndef FACET_MESH_HULLS_QHULL_CALLS_H
#define FACET_MESH_HULLS_QHULL_CALLS_H

#include <libqhull_r/qhull_ra.h>

#define FACET_QHULL_CALLS(CALL) \
    CALL(freeqhull)             \
    CALL(memfreeshort)          \
    CALL(new_qhull)             \
    CALL(pointid)               \
    CALL(zero)

typedef struct facet_qhull_calls {
#define CALL(name) __typeof__(&qh_##name) name;
    FACET_QHULL_CALLS(CALL)
#undef CALL
} facet_qhull_calls;

#if defined(FACET_MODULES) && !defined(FACET_IS_MODULE)
static const facet_qhull_calls *qhull_table(void);
#define qh_freeqhull qhull_table()->freeqhull
#define qh_memfreeshort qhull_table()->memfreeshort
#define qh_new_qhull qhull_table()->new_qhull
#define qh_pointid qhull_table()->pointid
#define qh_zero qhull_table()->zero
#endif

#endif
