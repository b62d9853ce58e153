/* base/new_file.h - a file before it is visible at its path. If the system supports it, the file
 * has no name, so nothing is left if the process ends. Otherwise it has a temporary name next to
 * its path. */
#ifndef FACET_BASE_NEW_FILE_H
#define FACET_BASE_NEW_FILE_H

#include "base/arena.h"

#include <signal.h>

typedef struct facet_new_file {
    char *path;     /* final path, with symbolic links resolved */
    int descriptor; /* -1: none */
    bool in_place;  /* a device or a pipe, which a rename must not replace */
    bool replaces;  /* a file existed at the path when it was opened */
    uint64_t device, number;
    /* Names next to the path. A name is in use if its flag is set. Signal handlers read them: the
     * flag is set after the name is complete. */
    char *temporary, *backup;
    volatile sig_atomic_t has_temporary, has_backup, placed;
} facet_new_file;

/* Open a new file for `path`. With `follow`, a symbolic link at the path stays, and its target is
 * replaced; without it, the link itself is replaced. */
facet_status facet_new_file_open(facet_arena *arena, const char *path, bool follow,
                                 facet_new_file *file, facet_error *error);
/* Start writing the data to the disk, without waiting. */
void facet_new_file_start_sync(const facet_new_file *file);
/* Wait until the disk has the data. */
facet_status facet_new_file_sync(const facet_new_file *file, facet_error *error);
/* True for an open file that has no name and replaces no file: facet_new_file_place can name it
 * without a temporary name. */
bool facet_new_file_is_nameless(const facet_new_file *file);
/* Close a completely written file; with `sync`, wait for the disk first. Afterwards it has a
 * temporary name. */
facet_status facet_new_file_close(facet_new_file *file, bool sync, facet_error *error);
/* Open a closed file again, to append to it. */
facet_status facet_new_file_reopen(facet_new_file *file, facet_error *error);
/* Keep the existing file as a backup until facet_new_file_remove_backup. With `away`, it is also
 * removed from its path meanwhile. */
facet_status facet_new_file_keep_old(facet_new_file *file, bool away, facet_error *error);
/* Give the file its path: rename a closed file, or name one without a name, and close it. */
facet_status facet_new_file_place(facet_new_file *file, facet_error *error);
/* Wait until the disk has the names in the file's folder. */
facet_status facet_new_file_sync_folder(const facet_new_file *file, facet_error *error);
/* True if two files replace the same file, even under different names. */
bool facet_new_file_is_same(const facet_new_file *one, const facet_new_file *other);
/* Remove the backup of the existing file. */
void facet_new_file_remove_backup(facet_new_file *file);
/* Restore the previous state. A signal handler may call this. */
void facet_new_file_undo(facet_new_file *file);

#endif
