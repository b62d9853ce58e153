/* base/system_win32.h - functions shared by the files for Windows. */
#ifndef FACET_BASE_SYSTEM_WIN32_H
#define FACET_BASE_SYSTEM_WIN32_H

#include <wchar.h>

/* Convert a path to the form of Windows; release it with free(). NULL, with errno, if it is not
 * UTF-8 or out of memory. */
wchar_t *facet_win32_path(const char *path);
/* Set errno from the last error of Windows. */
void facet_win32_set_errno(void);

#endif
