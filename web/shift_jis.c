/* shift_jis.c - rows of Shift-JIS from the TextDecoder of the host, with FACET_HOST_SHIFT_JIS. */
#include "formats/j3d/file/shift_jis.h"

#ifdef FACET_HOST_SHIFT_JIS
#include <stdbool.h>

#define ROW_BYTES (3 * FACET_SHIFT_JIS_CELLS + 1) /* UTF-8 of a row, and its NUL */

/* Write a row, at most ROW_BYTES. */
__attribute__((import_module("env"), import_name("facet_shift_jis_row"))) void
host_shift_jis_row(unsigned row, char *text);

/* The module has one thread. */
static char rows[FACET_SHIFT_JIS_ROWS][ROW_BYTES];
static bool known[FACET_SHIFT_JIS_ROWS];

const char *facet_shift_jis_row(unsigned row)
{
    if (!known[row])
        host_shift_jis_row(row, rows[row]);
    known[row] = true;
    return rows[row];
}
#endif
