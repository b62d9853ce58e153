/* base/system_posix.c - functions for Linux, macOS and similar systems. */
#undef _GNU_SOURCE /* its strerror_r differs */
#include "base/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#endif
#endif

#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif

/* -- Paths -------------------------------------------------------------- */

const char *facet_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool facet_path_is_absolute(const char *path)
{
    return path[0] == '/';
}

static bool take_place(int failed, const struct stat *info, facet_file_info *place)
{
    if (failed)
        return false;
    place->is_file = S_ISREG(info->st_mode);
    place->is_folder = S_ISDIR(info->st_mode);
    place->size = info->st_size > 0 ? (uint64_t)info->st_size : 0;
    place->mode = info->st_mode & 0777;
    place->device = (uint64_t)info->st_dev;
    place->number = (uint64_t)info->st_ino;
#ifdef __APPLE__
    const struct timespec *changed = &info->st_mtimespec;
#else
    const struct timespec *changed = &info->st_mtim;
#endif
    place->changed = (int64_t)changed->tv_sec * 1000000000 + changed->tv_nsec;
    return true;
}

bool facet_system_get_file_info(const char *path, facet_file_info *place)
{
    struct stat info;
    return take_place(stat(path, &info), &info, place);
}

bool facet_system_get_link_info(const char *path, facet_file_info *place)
{
    struct stat info;
    return take_place(lstat(path, &info), &info, place);
}

bool facet_system_get_open_file_info(int descriptor, facet_file_info *place)
{
    struct stat info;
    return take_place(fstat(descriptor, &info), &info, place);
}

bool facet_system_make_folder(const char *path)
{
    return mkdir(path, 0777) == 0;
}

bool facet_system_remove_folder(const char *path)
{
    return rmdir(path) == 0;
}

bool facet_system_list(const char *folder, bool (*each)(void *user, const char *name), void *user)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return false;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        if (!entry)
            break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !each(user, entry->d_name))
            break;
    }
    int code = errno;
    closedir(directory);
    errno = code;
    return code == 0;
}

/* -- Files -------------------------------------------------------------- */

int facet_system_open(const char *path)
{
    int descriptor;
    do
        descriptor = open(path, O_RDONLY | O_CLOEXEC);
    while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

#define BESIDE (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) /* opening a pipe must not wait */

/* Open a path below a folder, part by part. No part may be a symbolic link. */
static int open_by_parts(int folder, char *path)
{
    int at = folder;
    for (char *part = path, *slash; at >= 0; part = slash + 1) {
        slash = strchr(part, '/');
        if (slash)
            *slash = '\0';
        int next = *part ? openat(at, part,
                                  slash ? O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
                                        : BESIDE | O_NOFOLLOW)
                         : dup(at);
        int code = errno;
        if (at != folder)
            close(at);
        if (slash)
            *slash = '/';
        errno = code;
        at = next;
        if (!slash)
            break;
    }
    return at;
}

/* Open a path below a folder. If the kernel can restrict links to the folder, they are followed;
 * otherwise no part may be a link. */
static int open_beneath(int folder, char *path)
{
#if defined SYS_openat2 && defined RESOLVE_BENEATH
    struct open_how how = {.flags = BESIDE, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    int opened = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (opened >= 0 || (errno != ENOSYS && errno != EPERM))
        return opened;
#endif
    return open_by_parts(folder, path);
}

int facet_system_open_named(const char *folder, char *path)
{
    if (!folder)
        return open(path, BESIDE);
    int directory = open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return -1;
    int opened = open_beneath(directory, path), code = errno;
    close(directory);
    errno = code;
    return opened;
}

int64_t facet_system_read(int descriptor, void *to, size_t size)
{
    ssize_t got;
    do
        got = read(descriptor, to, size);
    while (got < 0 && errno == EINTR);
    return got;
}

/* A process may have only 256 to 1,024 descriptors, and hundreds of files may be mapped at once. */
#define MAX_KEPT 64

int facet_system_keep(int descriptor)
{
    int kept = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (kept < MAX_KEPT)
        return kept;
    close(kept);
    return -1;
}

bool facet_system_read_at(int descriptor, void *to, size_t size, uint64_t offset)
{
    uint8_t *at = to;
    while (size > 0) {
        ssize_t got = pread(descriptor, at, size, (off_t)offset);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        size_t read = got > 0 ? (size_t)got : 0;
        at += read;
        offset += read;
        size -= read;
    }
    return true;
}

int64_t facet_system_write(int descriptor, const void *from, size_t size)
{
    ssize_t done;
    do
        done = write(descriptor, from, size < SSIZE_MAX ? size : SSIZE_MAX);
    while (done < 0 && errno == EINTR);
    return done;
}

void *facet_system_map(int descriptor, size_t size)
{
    /* If it was read up to its middle, it must not be mapped from its start. */
    if (lseek(descriptor, 0, SEEK_CUR) != 0)
        return NULL;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

void facet_system_unmap(void *bytes, size_t size)
{
    munmap(bytes, size);
}

void facet_system_prefer_large_pages(void *bytes, size_t size)
{
#if defined(MADV_HUGEPAGE)
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)bytes + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)bytes + size) & ~(page - 1);
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)bytes, (void)size;
#endif
}

bool facet_system_sync_file_system(int descriptor)
{
#if defined(__linux__) && defined(SYS_syncfs)
    return syscall(SYS_syncfs, descriptor) == 0;
#else
    (void)descriptor;
    return false;
#endif
}

void facet_system_forget(const void *bytes, size_t size)
{
#if defined(MADV_DONTNEED) && defined(__linux__)
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)bytes + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)bytes + size) & ~(page - 1);
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_DONTNEED);
#else
    (void)bytes, (void)size;
#endif
}

/* -- Processes ---------------------------------------------------------- */

/* Occupy descriptors 0 to 2 if the parent closed them. Otherwise an output file would get one of
 * them, and messages would be written into it. Reading from 0 and writing to 1 and 2 still fail. A
 * folder fails the same way, for a system without /dev/null. */
static void occupy_standard_descriptors(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        if (fcntl(i, F_GETFD) >= 0 || errno != EBADF)
            continue;
        if (open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0 &&
            open("/", O_RDONLY) < 0)
            return;
    }
}

void facet_system_begin(int *count, char ***words)
{
    (void)count;
    (void)words;
    occupy_standard_descriptors();
}

void facet_system_pause(void)
{
    pause();
}

unsigned facet_system_processors(void)
{
#if defined(__linux__) && defined(SYS_sched_getaffinity)
    /* Containers, taskset and Slurm allow a process only some of the online processors. */
    unsigned char allowed[1024] = {0}; /* MemorySanitizer does not know the system call */
    unsigned allowed_count = 0;
    long size = syscall(SYS_sched_getaffinity, 0, sizeof allowed, allowed);
    for (long i = 0; i < size; i++)
        for (unsigned bits = allowed[i]; bits; bits &= bits - 1)
            allowed_count++;
    if (allowed_count > 0)
        return allowed_count;
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

bool facet_system_is_at_fault(int code)
{
    static const int codes[] = {ENOSPC, EFBIG, EIO, EMFILE, ENFILE,
#ifdef EDQUOT
                                EDQUOT,
#endif
#ifdef ESTALE
                                ESTALE,
#endif
                                ENOMEM};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (code == codes[i])
            return true;
    }
    return false;
}

void facet_system_reason(int code, char *text, size_t size)
{
    if (strerror_r(code, text, size) != 0)
        snprintf(text, size, "error %d", code);
}
