/* mesh/hulls/module.c - the module of qhull: the functions that we call. */
#define FACET_IS_MODULE
#include "mesh/hulls/qhull_calls.h"

extern __attribute__((visibility("default"))) const facet_qhull_calls facet_qhull_table;
const facet_qhull_calls facet_qhull_table = {
#define CALL(name) .name = qh_##name,
    FACET_QHULL_CALLS(CALL)
#undef CALL
};
