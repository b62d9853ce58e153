/* formats/j3d/file/shift_jis.h - table of Shift-JIS characters. */
#ifndef FACET_J3D_FILE_SHIFT_JIS_H
#define FACET_J3D_FILE_SHIFT_JIS_H

#define FACET_SHIFT_JIS_ROWS 84
#define FACET_SHIFT_JIS_CELLS 94

/* A row as UTF-8 text of up to 94 characters; a space marks an unused cell. With
 * FACET_HOST_SHIFT_JIS, the host of a web module returns it (web/shift_jis.c). */
const char *facet_shift_jis_row(unsigned row);

#endif
