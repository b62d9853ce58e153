/* base/system.h - what systems do each in their own way: system_posix.c and
 * system_win32.c. Paths are UTF-8. What fails returns -1 or false and sets errno. */
#ifndef FACET_BASE_SYSTEM_H
#define FACET_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- Paths -------------------------------------------------------------- */

/* Longest path, with its NUL, that is put together on the stack. */
#define FACET_PATH_MAX 4096

/* What is behind the last separator: / and, on Windows, \ and the colon of a drive. */
const char *facet_path_name(const char *path);
static inline size_t facet_path_folder_length(const char *path)
{
    return (size_t)(facet_path_name(path) - path);
}
bool facet_path_is_absolute(const char *path);

/* What stands in a place. */
typedef struct facet_place {
    bool is_file, is_folder; /* neither: a device, a pipe ... */
    uint64_t size;
    unsigned mode; /* permissions */
    /* What tells files apart, and an older one from a newer (ns). On Windows paths
     * alone tell files apart: device and number are 0. */
    uint64_t device, number;
    int64_t changed;
} facet_place;

/* Symbolic links are followed, or not; false when nothing is there. */
bool facet_system_look(const char *path, facet_place *place);
bool facet_system_look_at_link(const char *path, facet_place *place);
bool facet_system_look_at_file(int descriptor, facet_place *place);

/* Make one folder; fails when it is there. */
bool facet_system_make_folder(const char *path);
/* Each name in a folder but . and .., in no order, until `each` returns false, which
 * is no failure. */
bool facet_system_list(const char *folder, bool (*each)(void *user, const char *name), void *user);

/* -- Files -------------------------------------------------------------- */

/* A descriptor for reading bytes, not text; not for child processes. */
int facet_system_open(const char *path);
/* The same for what another file names, and a pipe must not make us wait. With a
 * folder, the path does not leave it, neither by .. nor by a link (EXDEV, ELOOP).
 * `path` is written to meanwhile. */
int facet_system_open_named(const char *folder, char *path);
/* Up to `size` bytes, fewer at the end; -1 on failure. */
int64_t facet_system_read(int descriptor, void *to, size_t size);
/* A descriptor of the caller's own for the same file, or -1: none where few are left, or
 * where files are not read at a place. */
int facet_system_keep(int descriptor);
/* `size` bytes from a place in a file on; false when they are not all there. */
bool facet_system_read_at(int descriptor, void *to, size_t size, uint64_t offset);
/* As many as the system takes at once. */
int64_t facet_system_write(int descriptor, const void *from, size_t size);
/* The first `size` bytes of a file, which may only be read, or NULL: not everything
 * can be mapped. */
void *facet_system_map(int descriptor, size_t size);
void facet_system_unmap(void *bytes, size_t size);
/* These bytes are filled at once: of large pages there are fewer to be made. */
void facet_system_prefer_large_pages(void *bytes, size_t size);
/* Whole pages of a mapping within these bytes need not stay in memory; looked at again they
 * are what they were. */
void facet_system_forget(const void *bytes, size_t size);

/* -- Processes ---------------------------------------------------------- */

/* First of all in a program: its words become UTF-8 with / between folders, and
 * standard input and output are bytes, where they are not so already. */
void facet_system_begin(int *count, char ***words);

/* Wait for a signal, or a little. */
void facet_system_pause(void);
/* How many threads of this process can run at once, at least 1. */
unsigned facet_system_processors(void);
/* True of an errno that is neither a file's nor its path's fault: a full disk, no more
 * descriptors, a disk that fails. */
bool facet_system_is_at_fault(int code);
/* The sentence of an errno. */
void facet_system_reason(int code, char *text, size_t size);

#endif
