/* archive/zip_calls.h - table of the libzip functions that Facet calls. They are in a module that
 * facet_zip_read opens. Files that include this header call them by their own names. */
#ifndef FACET_ARCHIVE_ZIP_CALLS_H
#define FACET_ARCHIVE_ZIP_CALLS_H

#include <zip.h>

#define FACET_ZIP_CALLS(CALL)  \
    CALL(discard)              \
    CALL(error_fini)           \
    CALL(error_init)           \
    CALL(error_strerror)       \
    CALL(fclose)               \
    CALL(fopen_index)          \
    CALL(fread)                \
    CALL(get_num_entries)      \
    CALL(open_from_source)     \
    CALL(source_buffer_create) \
    CALL(source_free)          \
    CALL(stat_index)           \
    CALL(strerror)

typedef struct facet_zip_calls {
#define CALL(name) __typeof__(&zip_##name) name;
    FACET_ZIP_CALLS(CALL)
#undef CALL
} facet_zip_calls;

#if defined(FACET_MODULES) && !defined(FACET_IS_MODULE)
static const facet_zip_calls *zip_table(void);
#define zip_discard zip_table()->discard
#define zip_error_fini zip_table()->error_fini
#define zip_error_init zip_table()->error_init
#define zip_error_strerror zip_table()->error_strerror
#define zip_fclose zip_table()->fclose
#define zip_fopen_index zip_table()->fopen_index
#define zip_fread zip_table()->fread
#define zip_get_num_entries zip_table()->get_num_entries
#define zip_open_from_source zip_table()->open_from_source
#define zip_source_buffer_create zip_table()->source_buffer_create
#define zip_source_free zip_table()->source_free
#define zip_stat_index zip_table()->stat_index
#define zip_strerror zip_table()->strerror
#endif

#endif
