/* base/system_win32.h - what the files for Windows share. */
#ifndef FACET_BASE_SYSTEM_WIN32_H
#define FACET_BASE_SYSTEM_WIN32_H

#include <wchar.h>

/* A path as Windows takes it: release it by free(). NULL and errno when it is not
 * UTF-8, or without memory. */
wchar_t *facet_win32_path(const char *path);
/* errno from what went wrong last. */
void facet_win32_set_errno(void);

#endif
