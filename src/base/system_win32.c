/* base/system_win32.c - functions for Windows. Paths are UTF-8 in Facet and UTF-16 in Windows, and
 * may be longer than 260 characters. */
#include "base/system.h"

#define WIN32_LEAN_AND_MEAN
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>

#include "base/system_win32.h"

/* -- Names -------------------------------------------------------------- */

/* Longer paths must be absolute, with a prefix that disables interpretation. */
#define SHORT_PATH 240

wchar_t *facet_win32_path(const char *path)
{
    int count = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *wide = count > 0 ? malloc((size_t)count * sizeof *wide) : NULL;
    if (!wide) {
        errno = count > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, count);
    if (count < SHORT_PATH || wcsncmp(wide, L"\\\\?\\", 4) == 0)
        return wide;
    DWORD whole = GetFullPathNameW(wide, 0, NULL, NULL);
    wchar_t *longer = whole ? malloc(((size_t)whole + 8) * sizeof *longer) : NULL;
    if (longer) {
        wcscpy(longer, L"\\\\?\\");
        GetFullPathNameW(wide, whole, longer + 4, NULL);
    } else {
        errno = ENOMEM;
    }
    free(wide);
    return longer;
}

void facet_win32_set_errno(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_NOT_ENOUGH_MEMORY:
        errno = ENOMEM;
        break;
    case ERROR_DISK_FULL:
        errno = ENOSPC;
        break;
    default:
        errno = EIO;
    }
}

const char *facet_path_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++) {
        if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1))
            name = at + 1;
    }
    return name;
}

bool facet_path_is_absolute(const char *path)
{
    return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

/* -- Files and folders -------------------------------------------------- */

/* Windows counts in units of 100 ns. */
static int64_t changed_at(const FILETIME *time)
{
    return (int64_t)((uint64_t)time->dwHighDateTime << 32 | time->dwLowDateTime) * 100;
}

static bool look(const char *path, bool follow, facet_file_info *place)
{
    WIN32_FILE_ATTRIBUTE_DATA data;
    wchar_t *wide = facet_win32_path(path);
    if (!wide)
        return false;
    bool there = GetFileAttributesExW(wide, GetFileExInfoStandard, &data);
    if (!there)
        facet_win32_set_errno();
    free(wide);
    if (!there)
        return false;
    bool link = (data.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) && !follow;
    place->is_folder = !link && (data.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY);
    place->is_file = !link && !place->is_folder && !(data.dwFileAttributes & FILE_ATTRIBUTE_DEVICE);
    place->size = (uint64_t)data.nFileSizeHigh << 32 | data.nFileSizeLow;
    place->mode = data.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? 0444 : 0666;
    place->device = place->number = 0;
    place->changed = changed_at(&data.ftLastWriteTime);
    return true;
}

bool facet_system_get_file_info(const char *path, facet_file_info *place)
{
    return look(path, true, place);
}

bool facet_system_get_link_info(const char *path, facet_file_info *place)
{
    return look(path, false, place);
}

bool facet_system_get_open_file_info(int descriptor, facet_file_info *place)
{
    HANDLE handle = (HANDLE)_get_osfhandle(descriptor);
    LARGE_INTEGER size = {.QuadPart = 0};
    FILETIME changed = {0};
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    place->is_folder = false;
    place->is_file = GetFileType(handle) == FILE_TYPE_DISK;
    if (place->is_file && !GetFileSizeEx(handle, &size))
        place->is_file = false;
    GetFileTime(handle, NULL, NULL, &changed);
    place->size = (uint64_t)size.QuadPart;
    place->mode = 0666;
    place->device = place->number = 0;
    place->changed = changed_at(&changed);
    return true;
}

bool facet_system_make_folder(const char *path)
{
    wchar_t *wide = facet_win32_path(path);
    if (!wide)
        return false;
    bool made = CreateDirectoryW(wide, NULL);
    if (!made)
        facet_win32_set_errno();
    free(wide);
    return made;
}

bool facet_system_remove_folder(const char *path)
{
    wchar_t *wide = facet_win32_path(path);
    if (!wide)
        return false;
    bool removed = RemoveDirectoryW(wide);
    if (!removed)
        facet_win32_set_errno();
    free(wide);
    return removed;
}

bool facet_system_sync_file_system(int descriptor)
{
    (void)descriptor;
    return false;
}

bool facet_system_list(const char *folder, bool (*each)(void *user, const char *name), void *user)
{
    size_t length = strlen(folder);
    char *pattern = malloc(length + 3);
    if (!pattern)
        return false;
    memcpy(pattern, folder, length);
    memcpy(pattern + length, "/*", 3);
    wchar_t *wide = facet_win32_path(pattern);
    free(pattern);
    if (!wide)
        return false;
    WIN32_FIND_DATAW found;
    HANDLE search = FindFirstFileW(wide, &found);
    if (search == INVALID_HANDLE_VALUE)
        facet_win32_set_errno();
    free(wide);
    if (search == INVALID_HANDLE_VALUE)
        return false;
    bool go_on = true;
    do {
        char name[1024];
        if (WideCharToMultiByte(CP_UTF8, 0, found.cFileName, -1, name, sizeof name, NULL, NULL) >
                0 &&
            strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            go_on = each(user, name);
    } while (go_on && FindNextFileW(search, &found));
    FindClose(search);
    return true;
}

/* -- Files -------------------------------------------------------------- */

int facet_system_open(const char *path)
{
    wchar_t *wide = facet_win32_path(path);
    int descriptor = wide ? _wopen(wide, _O_RDONLY | _O_BINARY | _O_NOINHERIT) : -1;
    free(wide);
    return descriptor;
}

/* Check that no part of the path is a link or "..". */
static bool stays_beneath(const char *folder, char *path)
{
    char whole[FACET_PATH_MAX];
    facet_file_info place;
    if (facet_path_is_absolute(path))
        return false;
    for (char *part = path, *end; part; part = end ? end + 1 : NULL) {
        end = strpbrk(part, "/\\");
        int length = end ? (int)(end - path) : (int)strlen(path);
        size_t of_part = end ? (size_t)(end - part) : strlen(part);
        if (of_part == 2 && memcmp(part, "..", 2) == 0)
            return false;
        if (snprintf(whole, sizeof whole, "%s%.*s", folder, length, path) >= (int)sizeof whole)
            return false;
        if (facet_system_get_link_info(whole, &place) && !place.is_file && !place.is_folder)
            return false;
    }
    return true;
}

int facet_system_open_named(const char *folder, char *path)
{
    char whole[FACET_PATH_MAX];
    if (folder && !stays_beneath(folder, path)) {
        errno = EXDEV;
        return -1;
    }
    if (snprintf(whole, sizeof whole, "%s%s", folder ? folder : "", path) >= (int)sizeof whole) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return facet_system_open(whole);
}

int64_t facet_system_write(int descriptor, const void *from, size_t size)
{
    return _write(descriptor, from, size < INT_MAX ? (unsigned)size : INT_MAX);
}

int64_t facet_system_read(int descriptor, void *to, size_t size)
{
    return _read(descriptor, to, size < INT_MAX ? (unsigned)size : INT_MAX);
}

int facet_system_keep(int descriptor)
{
    (void)descriptor;
    return -1;
}

bool facet_system_read_at(int descriptor, void *to, size_t size, uint64_t offset)
{
    (void)descriptor, (void)to, (void)size, (void)offset;
    return false;
}

void *facet_system_map(int descriptor, size_t size)
{
    if (_lseeki64(descriptor, 0, SEEK_CUR) != 0)
        return NULL;
    HANDLE mapping =
        CreateFileMappingW((HANDLE)_get_osfhandle(descriptor), NULL, PAGE_READONLY, 0, 0, NULL);
    if (!mapping)
        return NULL;
    void *bytes = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size);
    CloseHandle(mapping); /* the view keeps it open */
    return bytes;
}

void facet_system_unmap(void *bytes, size_t size)
{
    (void)size;
    UnmapViewOfFile(bytes);
}

void facet_system_prefer_large_pages(void *bytes, size_t size)
{
    (void)bytes, (void)size; /* large pages need a privilege on Windows */
}

void facet_system_forget(const void *bytes, size_t size)
{
    (void)bytes, (void)size;
}

/* -- Processes ---------------------------------------------------------- */

static char *word_of(const wchar_t *wide)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *word = size > 0 ? malloc((size_t)size) : NULL;
    if (!word)
        return NULL;
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, word, size, NULL, NULL);
    for (char *at = word; *at; at++) {
        if (*at == '\\')
            *at = '/';
    }
    return word;
}

void facet_system_begin(int *count, char ***words)
{
    int made = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &made);
    char **list = wide ? calloc((size_t)made + 1, sizeof *list) : NULL;
    bool whole = list != NULL;
    for (int i = 0; i < made && whole; i++) {
        list[i] = word_of(wide[i]);
        whole = list[i] != NULL;
    }
    if (whole) { /* otherwise the arguments stay as the C library has them */
        *count = made;
        *words = list;
    }
    LocalFree(wide);
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
}

void facet_system_pause(void)
{
    Sleep(10);
}

unsigned facet_system_processors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? info.dwNumberOfProcessors : 1;
}

bool facet_system_is_at_fault(int code)
{
    return code == ENOSPC || code == EIO || code == EMFILE || code == ENFILE || code == ENOMEM;
}

void facet_system_reason(int code, char *text, size_t size)
{
    if (strerror_s(text, size, code) != 0)
        snprintf(text, size, "error %d", code);
}
