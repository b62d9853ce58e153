/* base/new_file.h - a file on its way to its place: it is written without a name
 * where the system can (so that nothing is left of it, whatever ends the process),
 * else beside its place under a temporary one. */
#ifndef FACET_BASE_NEW_FILE_H
#define FACET_BASE_NEW_FILE_H

#include "base/arena.h"

#include <signal.h>

typedef struct facet_new_file {
    char *path;     /* of its place, symbolic links followed */
    int descriptor; /* -1: none */
    bool in_place;  /* it is a device or a pipe, which a rename must not replace */
    bool replaces;  /* something stood in its place when it was opened: */
    uint64_t device, number;
    /* Beside its place; each in use while its flag says so. A signal handler reads
     * them: the flag is set when the name is complete. */
    char *temporary, *backup;
    volatile sig_atomic_t has_temporary, has_backup, placed;
} facet_new_file;

/* Open a file for what is to stand at `path`. A link there stays one, and what it points
 * to is replaced; without `follow` the link itself is. */
facet_status facet_new_file_open(facet_arena *arena, const char *path, bool follow,
                                 facet_new_file *file, facet_error *error);
/* Begin to bring what was written to the disk, and do not wait for it. */
void facet_new_file_start_sync(const facet_new_file *file);
/* All is written: wait for the disk when `sync` says so, and close. From here on it
 * has a temporary name. */
facet_status facet_new_file_close(facet_new_file *file, bool sync, facet_error *error);
/* Keep what stands in its place until facet_new_file_settle; `away`: and let nothing
 * stand there meanwhile. */
facet_status facet_new_file_keep_old(facet_new_file *file, bool away, facet_error *error);
/* Put the file in its place. */
facet_status facet_new_file_place(facet_new_file *file, facet_error *error);
/* Wait until the disk has the names of the file's folder. */
facet_status facet_new_file_sync_folder(const facet_new_file *file, facet_error *error);
/* True when two files replace one and the same, by whatever names. */
bool facet_new_file_is_same(const facet_new_file *one, const facet_new_file *other);
/* Forget what stood in its place before. */
void facet_new_file_settle(facet_new_file *file);
/* Put all back as it was. A signal handler may call this. */
void facet_new_file_undo(facet_new_file *file);

#endif
