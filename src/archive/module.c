/* archive/module.c - the module of libzip: the functions that Facet calls. */
#define FACET_IS_MODULE
#include "archive/zip_calls.h"

extern __attribute__((visibility("default"))) const facet_zip_calls facet_zip_table;
const facet_zip_calls facet_zip_table = {
#define CALL(name) .name = zip_##name,
    FACET_ZIP_CALLS(CALL)
#undef CALL
};
