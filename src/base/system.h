/* base/system.h - functions that differ between systems: system_posix.c and system_win32.c. Paths
 * are UTF-8. On failure they return -1 or false and set errno. */
#ifndef FACET_BASE_SYSTEM_H
#define FACET_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- Paths -------------------------------------------------------------- */

/* Maximum length of a path that is built on the stack, including its NUL. */
#define FACET_PATH_MAX 4096

/* The part of a path after the last separator: / and, on Windows, \ and the colon of a drive. */
const char *facet_path_name(const char *path);
static inline size_t facet_path_folder_length(const char *path)
{
    return (size_t)(facet_path_name(path) - path);
}
bool facet_path_is_absolute(const char *path);

/* The file at a path. */
typedef struct facet_file_info {
    bool is_file, is_folder; /* both false: a device, a pipe ... */
    uint64_t size;
    unsigned mode; /* permission bits */
    /* Identity of a file, and its time of change (ns). On Windows only paths identify files: device
     * and number are 0. */
    uint64_t device, number;
    int64_t changed;
} facet_file_info;

/* Get the file at a path, with or without following symbolic links; false if it does not exist. */
bool facet_system_get_file_info(const char *path, facet_file_info *place);
bool facet_system_get_link_info(const char *path, facet_file_info *place);
bool facet_system_get_open_file_info(int descriptor, facet_file_info *place);

/* Create one folder; fails if it exists. */
bool facet_system_make_folder(const char *path);
/* Remove a folder; fails if it is not empty. */
bool facet_system_remove_folder(const char *path);
/* Call `each` for every name in a folder except . and .., in no order, until it returns false. That
 * is not a failure. */
bool facet_system_list(const char *folder, bool (*each)(void *user, const char *name), void *user);

/* -- Files -------------------------------------------------------------- */

/* Open a descriptor for binary reading, which child processes do not inherit. */
int facet_system_open(const char *path);
/* Like facet_system_open, for a path from another file: opening a pipe must not wait. If `folder`
 * is not NULL, the path cannot leave it, neither by .. nor by a link (EXDEV, ELOOP). `path` is
 * modified temporarily. */
int facet_system_open_named(const char *folder, char *path);
/* Read up to `size` bytes, fewer at the end; -1 on failure. */
int64_t facet_system_read(int descriptor, void *to, size_t size);
/* Duplicate a descriptor of a file. Returns -1 if few descriptors are left, or if the file cannot
 * be read at an offset. */
int facet_system_keep(int descriptor);
/* Read `size` bytes at an offset of a file; false if it has fewer. */
bool facet_system_read_at(int descriptor, void *to, size_t size, uint64_t offset);
/* Write as many bytes as the system accepts at once. */
int64_t facet_system_write(int descriptor, const void *from, size_t size);
/* Wait until the disk has all files of the file system of an open file. False if that fails, or if
 * the system has no such call. */
bool facet_system_sync_file_system(int descriptor);
/* Map the first `size` bytes of a file read-only. NULL if it cannot be mapped. */
void *facet_system_map(int descriptor, size_t size);
void facet_system_unmap(void *bytes, size_t size);
/* Request large pages for bytes that are filled next, because fewer pages are then created. */
void facet_system_prefer_large_pages(void *bytes, size_t size);
/* Allow the system to drop whole pages of a mapping within these bytes. Their content stays the
 * same when they are read again. */
void facet_system_forget(const void *bytes, size_t size);

/* -- Processes ---------------------------------------------------------- */

/* Initialize a program; call it first. Arguments become UTF-8 with / between folders, and standard
 * input and output become binary, on systems where they are not. */
void facet_system_begin(int *count, char ***words);

/* Wait for a signal, or a short time. */
void facet_system_pause(void);
/* Number of threads of this process that can run at once, at least 1. */
unsigned facet_system_processors(void);
/* True for an errno that neither the file nor its path causes: a full disk, no more descriptors, a
 * failing disk. */
bool facet_system_is_at_fault(int code);
/* Write the message of an errno. */
void facet_system_reason(int code, char *text, size_t size);

#endif
