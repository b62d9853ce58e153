/* base/new_file_posix.c - the system calls that put a new file at its path. */
#define _GNU_SOURCE /* for O_TMPFILE */
#include "base/arena.h"
#include "base/error.h"
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- Names -------------------------------------------------------------- */

/* Maximum length of ".PROCESS-NUMBER.tmp"; a file name has at most 255 bytes. */
#define TAIL 40
#define MAX_NAME 255
#define MAX_ATTEMPTS 1000

/* Allocate space for a name next to the file's own. */
static char *make_name(facet_arena *arena, const facet_new_file *file)
{
    return facet_arena_allocate(arena, strlen(file->path) + TAIL, 1);
}

/* Write "PATH.PROCESS-NUMBER.EXTENSION"; the end of a long name is cut. */
static void put_name(char *name, const facet_new_file *file, unsigned number, const char *extension)
{
    const char *slash = strrchr(file->path, '/'), *base = slash ? slash + 1 : file->path;
    size_t kept = strlen(base) < MAX_NAME - TAIL ? strlen(base) : MAX_NAME - TAIL;
    while (kept < strlen(base) && kept > 0 && ((unsigned char)base[kept] & 0xC0) == 0x80)
        kept--; /* do not cut inside a character */
    int length = (int)((size_t)(base - file->path) + kept);
    snprintf(name, strlen(file->path) + TAIL, "%.*s.%ld-%u.%s", length, file->path, (long)getpid(),
             number, extension);
}

/* Get the folder of a path; false if its name is too long. */
static bool folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 1;
    if (length >= PATH_MAX)
        return false;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
    return true;
}

/* -- Opening ------------------------------------------------------------ */

static void path_of_descriptor(const facet_new_file *file, char path[32])
{
    snprintf(path, 32, "/proc/self/fd/%d", file->descriptor);
}

/* Open a file without a name, if it can get one later. */
static bool open_nameless(facet_new_file *file, mode_t mode)
{
#if defined(O_TMPFILE) && defined(__linux__)
    char folder[PATH_MAX], self[32];
    if (!folder_of(file->path, folder))
        return false;
    file->descriptor = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
    if (file->descriptor < 0)
        return false;
    path_of_descriptor(file, self);
    if (access(self, F_OK) == 0)
        return true;
    close(file->descriptor);
    file->descriptor = -1;
#else
    (void)path_of_descriptor;
    (void)mode;
#endif
    return false;
}

static facet_status open_named(facet_new_file *file, mode_t mode, facet_error *error)
{
    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        put_name(file->temporary, file, attempt, "tmp");
        file->has_temporary = 1; /* set before the call, because a signal may arrive directly after
                                    it */
        file->descriptor =
            open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
        if (file->descriptor >= 0)
            return FACET_OK;
        file->has_temporary = 0;
        if (errno != EEXIST)
            break;
    }
    return facet_fail_system(error, errno, "create", file->path);
}

facet_status facet_new_file_open(facet_arena *arena, const char *path, bool follow,
                                 facet_new_file *file, facet_error *error)
{
    char resolved[PATH_MAX];
    struct stat info;
    bool exists = lstat(path, &info) == 0, link = exists && S_ISLNK(info.st_mode);
    const char *target = link && follow && realpath(path, resolved) ? resolved : path;
    if (link && follow)
        exists = stat(target, &info) == 0;
    *file = (facet_new_file){.descriptor = -1};
    file->path = facet_arena_string(arena, target, strlen(target));
    file->temporary = file->path ? make_name(arena, file) : NULL;
    file->backup = file->path ? make_name(arena, file) : NULL;
    if (!file->temporary || !file->backup)
        return facet_fail_arena(arena, error);
    file->replaces = exists;
    if (exists) {
        file->device = (uint64_t)info.st_dev;
        file->number = (uint64_t)info.st_ino;
    }
    if (file->replaces && S_ISDIR(info.st_mode))
        return facet_fail_system(error, EISDIR, "write", path);
    bool regular = file->replaces && S_ISREG(info.st_mode);
    if (file->replaces && !follow && !regular && !S_ISLNK(info.st_mode))
        return facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET,
                          "'%s' is a device or a pipe", path);
    if (file->replaces && follow && !regular) {
        file->in_place = true;
        file->descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
        return file->descriptor < 0 ? facet_fail_system(error, errno, "open", path) : FACET_OK;
    }
    mode_t mode = regular ? info.st_mode & 0777 : 0666;
    facet_status status = open_nameless(file, mode) ? FACET_OK : open_named(file, mode, error);
    if (!status && regular && fchmod(file->descriptor, mode) != 0)
        status = facet_fail_system(error, errno, "write", path);
    return status;
}

void facet_new_file_start_sync(const facet_new_file *file)
{
#if defined(__linux__) && defined(SYNC_FILE_RANGE_WRITE)
    sync_file_range(file->descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)file;
#endif
}

/* -- Closing ------------------------------------------------------------ */

static bool give_name(facet_new_file *file)
{
    char self[32];
    path_of_descriptor(file, self);
    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        put_name(file->temporary, file, attempt, "tmp");
        file->has_temporary = 1; /* set before the call, for the same reason */
        if (linkat(AT_FDCWD, self, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0)
            return true;
        file->has_temporary = 0;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

facet_status facet_new_file_sync(const facet_new_file *file, facet_error *error)
{
    if (fsync(file->descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        return facet_fail_system(error, errno, "write", file->path);
    return FACET_OK;
}

bool facet_new_file_is_nameless(const facet_new_file *file)
{
    return file->descriptor >= 0 && !file->in_place && !file->has_temporary && !file->replaces;
}

facet_status facet_new_file_close(facet_new_file *file, bool sync, facet_error *error)
{
    facet_status status = sync ? facet_new_file_sync(file, error) : FACET_OK;
    if (!status && !file->has_temporary && !give_name(file))
        status = facet_fail_system(error, errno, "write", file->path);
    if (close(file->descriptor) != 0 && !status)
        status = facet_fail_system(error, errno, "write", file->path);
    file->descriptor = -1;
    return status;
}

facet_status facet_new_file_reopen(facet_new_file *file, facet_error *error)
{
    file->descriptor = open(file->temporary, O_WRONLY | O_APPEND | O_CLOEXEC);
    return file->descriptor < 0 ? facet_fail_system(error, errno, "open", file->temporary)
                                : FACET_OK;
}

/* -- Placing ------------------------------------------------------------ */

/* Give an existing file a second name (a hard link). If the file system does not support that,
 * rename it. */
static bool keep(facet_new_file *file, bool away)
{
    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        struct stat info;
        put_name(file->backup, file, attempt, "old");
        if (lstat(file->backup, &info) == 0)
            continue;
        file->has_backup = 1; /* set before the call, for the same reason */
        if (!away && link(file->path, file->backup) == 0)
            return true;
        if ((away || errno != EEXIST) && rename(file->path, file->backup) == 0)
            return true;
        file->has_backup = 0;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

facet_status facet_new_file_keep_old(facet_new_file *file, bool away, facet_error *error)
{
    if (file->has_backup)
        return FACET_OK;
    if (!keep(file, away))
        return errno == ENOENT ? FACET_OK : facet_fail_system(error, errno, "replace", file->path);
    return FACET_OK;
}

/* Give a file without a name its path. False if it has a temporary name or there is another file
 * by now. */
static bool name_directly(facet_new_file *file)
{
    char self[32];
    if (!facet_new_file_is_nameless(file))
        return false;
    path_of_descriptor(file, self);
    file->placed = 1; /* set before the call, because a signal may arrive directly after it */
    if (linkat(AT_FDCWD, self, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0)
        return true;
    file->placed = 0;
    return false;
}

facet_status facet_new_file_place(facet_new_file *file, facet_error *error)
{
    if (name_directly(file)) {
        int closed = close(file->descriptor);
        file->descriptor = -1;
        return closed == 0 ? FACET_OK : facet_fail_system(error, errno, "write", file->path);
    }
    if (file->descriptor >= 0)
        TRY(facet_new_file_close(file, false, error));
    file->placed = 1; /* set before the call, for the same reason */
    if (rename(file->temporary, file->path) != 0) {
        file->placed = 0;
        return facet_fail_system(error, errno, "create", file->path);
    }
    file->has_temporary = 0;
    return FACET_OK;
}

facet_status facet_new_file_sync_folder(const facet_new_file *file, facet_error *error)
{
    char folder[PATH_MAX];
    if (!folder_of(file->path, folder))
        return FACET_OK;
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fault = 0;
    if (descriptor < 0) /* a writable folder need not be readable */
        return FACET_OK;
    if (fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        fault = errno;
    close(descriptor);
    return fault ? facet_fail_system(error, fault, "sync the folder of", file->path) : FACET_OK;
}

bool facet_new_file_is_same(const facet_new_file *one, const facet_new_file *other)
{
    return one->replaces && other->replaces && one->device == other->device &&
           one->number == other->number;
}

void facet_new_file_remove_backup(facet_new_file *file)
{
    if (file->has_backup)
        unlink(file->backup);
    file->has_backup = 0;
    file->placed = 0;
}

void facet_new_file_undo(facet_new_file *file)
{
    /* If both names are the same file, rename does nothing and keeps both. */
    if (file->has_backup && rename(file->backup, file->path) == 0)
        unlink(file->backup);
    else if (file->placed && !file->replaces)
        unlink(file->path);
    if (file->has_temporary)
        unlink(file->temporary);
    file->has_backup = file->placed = file->has_temporary = 0;
}
