/* base/module.h - modules: tables of functions of other libraries, opened when a file needs them.
 */
#ifndef FACET_BASE_MODULE_H
#define FACET_BASE_MODULE_H

#include "base/atomic.h"

#include <facet/base.h>

/* One module, owned by its caller. Once open, it stays open. */
typedef struct facet_module {
    const char *name;   /* such as "assimp": the file facet-assimp.so with the table
                           facet_assimp_table */
    const char *serves; /* formats that need it, such as "FBX, COLLADA and others" */
    FACET_ATOMIC(const void *) table;
} facet_module;

/* Open a module and find its table; afterwards facet_module_table returns it. The folders that are
 * searched have the version in their name, because the table of another version may have other
 * functions. They are, in this order:
 *  - the folder in the environment variable FACET_MODULE_PATH;
 *  - facet-0.2.0/, lib/facet-0.2.0/ and ../lib/facet-0.2.0/, next to the library or program that
 *    contains this code;
 *  - the folder where the library was configured to be installed. */
facet_status facet_module_open(facet_module *module, facet_error *error);

static inline const void *facet_module_table(const facet_module *module)
{
    return atomic_load_explicit(&module->table, memory_order_acquire);
}

#endif
