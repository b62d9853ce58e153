/* base/module.h - modules: tables of functions of libraries by others, opened
 * when a file needs them. */
#ifndef FACET_BASE_MODULE_H
#define FACET_BASE_MODULE_H

#include <facet/base.h>
#include <stdatomic.h>

/* One module, kept by whoever calls it. Once it is open it stays so. */
typedef struct facet_module {
    const char *name;   /* "assimp": the file facet-assimp.so with the table facet_assimp_table */
    const char *serves; /* "FBX, COLLADA and others": what takes it */
    _Atomic(const void *) table;
} facet_module;

/* Its table; from then on facet_module_table has it. Looked for in folders that carry the
 * version, for another version's table may have other functions: beside what this code is
 * part of, a library or a program (facet-0.2.0/, lib/facet-0.2.0/, ../lib/facet-0.2.0/), and
 * where the library was configured to be installed; before that in the folder that the
 * environment variable FACET_MODULE_PATH names. */
facet_status facet_module_open(facet_module *module, facet_error *error);

static inline const void *facet_module_table(const facet_module *module)
{
    return atomic_load_explicit(&module->table, memory_order_acquire);
}

#endif
