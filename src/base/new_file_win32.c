/* base/new_file_win32.c - the system calls that put a new file at its path, on Windows. */
#include "base/arena.h"
#include "base/error.h"
#include "base/new_file.h"
#include "base/system.h"
#include "base/system_win32.h"

#define WIN32_LEAN_AND_MEAN
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

/* Maximum length of ".PROCESS-NUMBER.tmp". */
#define TAIL 40
#define MAX_ATTEMPTS 1000

static void put_name(char *name, const facet_new_file *file, unsigned number, const char *extension)
{
    snprintf(name, strlen(file->path) + TAIL, "%s.%d-%u.%s", file->path, _getpid(), number,
             extension);
}

static int open_bytes(const char *path, int flags)
{
    wchar_t *wide = facet_win32_path(path);
    int descriptor =
        wide ? _wopen(wide, flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE) : -1;
    free(wide);
    return descriptor;
}

static bool move(const char *from, const char *to, bool replace)
{
    wchar_t *one = facet_win32_path(from), *other = facet_win32_path(to);
    bool moved =
        one && other &&
        MoveFileExW(one, other, MOVEFILE_WRITE_THROUGH | (replace ? MOVEFILE_REPLACE_EXISTING : 0));
    if (one && other && !moved)
        facet_win32_set_errno();
    free(one);
    free(other);
    return moved;
}

static void remove_file(const char *path)
{
    wchar_t *wide = facet_win32_path(path);
    if (wide)
        DeleteFileW(wide);
    free(wide);
}

/* Get the volume and the number of a file; 0 if unknown. */
static void identify(facet_new_file *file)
{
    BY_HANDLE_FILE_INFORMATION info;
    wchar_t *wide = facet_win32_path(file->path);
    HANDLE handle =
        wide ? CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                           OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
             : INVALID_HANDLE_VALUE;
    free(wide);
    if (handle == INVALID_HANDLE_VALUE)
        return;
    if (GetFileInformationByHandle(handle, &info)) {
        file->device = info.dwVolumeSerialNumber;
        file->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    }
    CloseHandle(handle);
}

/* Links are not replaced: their target is, or they are rejected. */
facet_status facet_new_file_open(facet_arena *arena, const char *path, bool follow,
                                 facet_new_file *file, facet_error *error)
{
    facet_file_info place;
    *file = (facet_new_file){.descriptor = -1};
    file->path = facet_arena_string(arena, path, strlen(path));
    file->temporary = facet_arena_allocate(arena, strlen(path) + TAIL, 1);
    file->backup = facet_arena_allocate(arena, strlen(path) + TAIL, 1);
    if (!file->path || !file->temporary || !file->backup)
        return facet_fail_arena(arena, error);
    file->replaces = follow ? facet_system_get_file_info(path, &place)
                            : facet_system_get_link_info(path, &place);
    if (file->replaces)
        identify(file);
    if (file->replaces && place.is_folder)
        return facet_fail_system(error, EISDIR, "write", path);
    if (file->replaces && !place.is_file && !follow)
        return facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET,
                          "'%s' is a device, a pipe or a link", path);
    if (file->replaces && !place.is_file) {
        file->in_place = true;
        file->descriptor = open_bytes(path, _O_WRONLY);
        return file->descriptor < 0 ? facet_fail_system(error, errno, "open", path) : FACET_OK;
    }
    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        put_name(file->temporary, file, attempt, "tmp");
        file->descriptor = open_bytes(file->temporary, _O_WRONLY | _O_CREAT | _O_EXCL);
        if (file->descriptor >= 0) {
            file->has_temporary = 1;
            return FACET_OK;
        }
        if (errno != EEXIST)
            break;
    }
    return facet_fail_system(error, errno, "create", path);
}

void facet_new_file_start_sync(const facet_new_file *file)
{
    (void)file;
}

facet_status facet_new_file_sync(const facet_new_file *file, facet_error *error)
{
    if (_commit(file->descriptor) != 0 && errno != EINVAL && errno != EBADF)
        return facet_fail_system(error, errno, "write", file->path);
    return FACET_OK;
}

bool facet_new_file_is_nameless(const facet_new_file *file)
{
    (void)file; /* each file has a temporary name */
    return false;
}

facet_status facet_new_file_close(facet_new_file *file, bool sync, facet_error *error)
{
    facet_status status = sync ? facet_new_file_sync(file, error) : FACET_OK;
    if (_close(file->descriptor) != 0 && !status)
        status = facet_fail_system(error, errno, "write", file->path);
    file->descriptor = -1;
    return status;
}

facet_status facet_new_file_reopen(facet_new_file *file, facet_error *error)
{
    file->descriptor = open_bytes(file->temporary, _O_WRONLY | _O_APPEND);
    return file->descriptor < 0 ? facet_fail_system(error, errno, "open", file->temporary)
                                : FACET_OK;
}

facet_status facet_new_file_keep_old(facet_new_file *file, bool away, facet_error *error)
{
    if (file->has_backup)
        return FACET_OK;
    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        facet_file_info place;
        put_name(file->backup, file, attempt, "old");
        if (facet_system_get_link_info(file->backup, &place))
            continue;
        wchar_t *from = facet_win32_path(file->path), *to = facet_win32_path(file->backup);
        file->has_backup = 1;
        bool kept = from && to && !away && CreateHardLinkW(to, from, NULL);
        free(from);
        free(to);
        if (kept || move(file->path, file->backup, false))
            return FACET_OK;
        file->has_backup = 0;
        if (errno == ENOENT)
            return FACET_OK;
        if (errno != EEXIST)
            break;
    }
    return facet_fail_system(error, errno, "replace", file->path);
}

facet_status facet_new_file_place(facet_new_file *file, facet_error *error)
{
    file->placed = 1;
    if (!move(file->temporary, file->path, true)) {
        file->placed = 0;
        return facet_fail_system(error, errno, "create", file->path);
    }
    file->has_temporary = 0;
    return FACET_OK;
}

facet_status facet_new_file_sync_folder(const facet_new_file *file, facet_error *error)
{
    /* Not needed: MOVEFILE_WRITE_THROUGH has waited. */
    (void)file;
    (void)error;
    return FACET_OK;
}

bool facet_new_file_is_same(const facet_new_file *one, const facet_new_file *other)
{
    return one->replaces && other->replaces && one->number != 0 && one->device == other->device &&
           one->number == other->number;
}

void facet_new_file_remove_backup(facet_new_file *file)
{
    if (file->has_backup)
        remove_file(file->backup);
    file->has_backup = 0;
    file->placed = 0;
}

void facet_new_file_undo(facet_new_file *file)
{
    if (file->has_backup) {
        if (!move(file->backup, file->path, true))
            remove_file(file->backup);
    } else if (file->placed && !file->replaces) {
        remove_file(file->path);
    }
    if (file->has_temporary)
        remove_file(file->temporary);
    file->has_backup = file->placed = file->has_temporary = 0;
}
