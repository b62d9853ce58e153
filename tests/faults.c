/* `faults.c` - a library that is loaded before a program (LD_PRELOAD) and lets one of its calls
 * fail.
 *
 * FACET_FAULT is "CALL:N", or "CALL:N:kill" (the process is killed before the call), or
 * "CALL:N:term" (it gets SIGTERM). CALL is memory, write, fsync, close, rename, link, truncate,
 * open or mkdir. N counts from 1, starting at main and without dlopen, because the program cannot
 * handle failures in the loader and in constructors of libraries. FACET_FAULT_LOG names a file that
 * gets a number for each allocation. The number identifies the call stack and does not depend on
 * addresses. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static const char *wanted;
static long wanted_number, counted;
static const char *how = "";
static int log_file = -1;
static int ready;
static __thread int within;

/* False before main: some libraries crash if their first allocations fail. */
static int in_main;
typedef int main_function(int, char **, char **);
static main_function *real_main;

static int counted_main(int count, char **words, char **environment)
{
    in_main = 1;
    return real_main(count, words, environment);
}

int __libc_start_main(main_function *program, int count, char **words, void (*start)(void),
                      void (*end)(void), void (*loader_end)(void), void *stack)
{
    __typeof__(__libc_start_main) *next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = program;
    return next(counted_main, count, words, start, end, loader_end, stack);
}

/* The loader allocates thread-local data when a thread first uses a library, and ends the process
 * if this fails. */
static int is_loader(const void *caller)
{
    const char *base = (const char *)getauxval(AT_BASE);
    const ElfW(Ehdr) *head = (const void *)base;
    const ElfW(Phdr) *part = (const void *)(base + (base ? head->e_phoff : 0));
    for (int i = 0; base && i < head->e_phnum; i++) {
        const char *begin = base + part[i].p_vaddr;
        if (part[i].p_type == PT_LOAD && (const char *)caller >= begin &&
            (const char *)caller < begin + part[i].p_memsz)
            return 1;
    }
    return 0;
}

static void get_ready(void)
{
    static char name[16];
    if (ready)
        return;
    ready = 1;
    const char *fault = getenv("FACET_FAULT"), *log = getenv("FACET_FAULT_LOG");
    const char *colon = fault ? strchr(fault, ':') : NULL;
    if (colon && colon - fault < (long)sizeof name) {
        memcpy(name, fault, (size_t)(colon - fault));
        wanted = name;
        wanted_number = atol(colon + 1);
        how = strchr(colon + 1, ':') ? strchr(colon + 1, ':') + 1 : "";
    }
    if (log)
        log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
}

/* True if this call must fail. */
static int fails(const char *call)
{
    get_ready();
    if (!in_main || !wanted || strcmp(call, wanted) != 0 ||
        __atomic_add_fetch(&counted, 1, __ATOMIC_SEQ_CST) != wanted_number)
        return 0;
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(how, "term") == 0) {
        kill(getpid(), SIGTERM);
        return 0;
    }
    return 1;
}

/* -- Call stack of an allocation ------------------------------------------ */

#define FRAMES 11

typedef struct walk {
    uint64_t hash;
    int frames;
} walk;

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *user)
{
    walk *w = user;
    Dl_info info;
    void *at = (void *)_Unwind_GetIP(context);
    /* Skip the first two frames, which are these functions. */
    if (w->frames++ >= 2 && dladdr(at, &info))
        w->hash = (w->hash ^ (uint64_t)((char *)at - (char *)info.dli_fbase)) * 1099511628211u;
    return w->frames < FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static int memory_fails(const void *caller)
{
    get_ready();
    if (is_loader(caller))
        return 0;
    if (in_main && log_file >= 0 && !within) {
        walk w = {14695981039346656037u, 0};
        char line[24];
        within = 1;
        _Unwind_Backtrace(step, &w);
        int length = snprintf(line, sizeof line, "%016llx\n", (unsigned long long)w.hash);
        syscall(SYS_write, log_file, line, length);
        within = 0;
    }
    return !within && fails("memory");
}

/* -- Guarded blocks ------------------------------------------------------- */

/* A use of a freed block must end the process. A block that is allocated shortly before the
 * failure, or after it, has its own pages, and free() makes them inaccessible. The blocks are few,
 * because each needs a mapping. */
#define GUARDED_BEFORE 3000
#define GUARDED_SPACE ((size_t)1 << 36)
#define PAGE ((size_t)4096)
#define HEAD ((size_t)16) /* the size is stored in front of a block */

static char *guarded;
static size_t guarded_used;

static int is_guarded(const void *block)
{
    const char *at = block;
    return guarded && at >= guarded && at < guarded + GUARDED_SPACE;
}

static size_t pages_of(size_t size)
{
    return (size + HEAD + PAGE - 1) / PAGE * PAGE;
}

/* A block on its own pages; NULL if it needs none. */
static void *guard(size_t size)
{
    if (!in_main || within || !wanted || strcmp(wanted, "memory") != 0 || size > PAGE * 16 ||
        __atomic_load_n(&counted, __ATOMIC_SEQ_CST) + GUARDED_BEFORE < wanted_number)
        return NULL;
    if (!__atomic_load_n(&guarded, __ATOMIC_SEQ_CST)) {
        char *made = (char *)syscall(SYS_mmap, NULL, GUARDED_SPACE, PROT_NONE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        char *none = NULL;
        if (made == MAP_FAILED)
            return NULL;
        __atomic_compare_exchange_n(&guarded, &none, made, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    size_t at = __atomic_fetch_add(&guarded_used, pages_of(size), __ATOMIC_SEQ_CST);
    if (at > GUARDED_SPACE - PAGE * 32 ||
        mprotect(guarded + at, pages_of(size), PROT_READ | PROT_WRITE) != 0)
        return NULL;
    memcpy(guarded + at, &size, sizeof size);
    return guarded + at + HEAD;
}

static size_t guarded_size(const void *block)
{
    size_t size;
    memcpy(&size, (const char *)block - HEAD, sizeof size);
    return size;
}

void free(void *block)
{
    if (is_guarded(block))
        mprotect((char *)block - HEAD, pages_of(guarded_size(block)), PROT_NONE);
    else
        __libc_free(block);
}

/* -- Memory --------------------------------------------------------------- */

void *malloc(size_t size)
{
    if (memory_fails(__builtin_return_address(0)))
        return errno = ENOMEM, NULL;
    void *made = guard(size);
    return made ? made : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (memory_fails(__builtin_return_address(0)))
        return errno = ENOMEM, NULL;
    void *made = count == 0 || size <= PAGE * 16 / count ? guard(count * size) : NULL;
    return made ? made : __libc_calloc(count, size); /* new pages are zero */
}

void *realloc(void *old, size_t size)
{
    if (memory_fails(__builtin_return_address(0)))
        return errno = ENOMEM, NULL;
    void *made = !old || is_guarded(old) ? guard(size) : NULL;
    if (!is_guarded(old))
        return made ? made : __libc_realloc(old, size);
    if (!made)
        made = __libc_malloc(size);
    if (made) {
        memcpy(made, old, size < guarded_size(old) ? size : guarded_size(old));
        free(old);
    }
    return made;
}

int posix_memalign(void **made, size_t alignment, size_t size)
{
    if (memory_fails(__builtin_return_address(0)))
        return ENOMEM;
    *made = __libc_memalign(alignment, size);
    return *made ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memory_fails(__builtin_return_address(0)) ? (errno = ENOMEM, NULL)
                                                     : __libc_memalign(alignment, size);
}

/* The loader ends the process if it has no memory; base/module.c checks before. */
void *dlopen(const char *path, int mode)
{
    __typeof__(&dlopen) next = (__typeof__(&dlopen))dlsym(RTLD_NEXT, "dlopen");
    within++;
    void *opened = next(path, mode);
    within--;
    return opened;
}

/* Fresh pages are memory. Mapped files do not count, because the program can read them instead. */
void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if ((flags & MAP_ANONYMOUS) && memory_fails(__builtin_return_address(0)))
        return errno = ENOMEM, MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

/* -- System calls --------------------------------------------------------- */

#define INSTEAD(call, code, otherwise) (fails(call) ? (errno = (code), -1) : (otherwise))

ssize_t write(int file, const void *data, size_t size)
{
    return INSTEAD("write", ENOSPC, syscall(SYS_write, file, data, size));
}

int fsync(int file)
{
    return (int)INSTEAD("fsync", EIO, syscall(SYS_fsync, file));
}

int close(int file)
{
    /* The write-back fails, but the descriptor is closed. */
    if (fails("close"))
        return syscall(SYS_close, file), errno = EIO, -1;
    return (int)syscall(SYS_close, file);
}

int rename(const char *from, const char *to)
{
    return (int)INSTEAD("rename", EACCES, syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}

int link(const char *from, const char *to)
{
    return (int)INSTEAD("link", EPERM, syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int linkat(int a, const char *from, int b, const char *to, int flags)
{
    return (int)INSTEAD("link", EACCES, syscall(SYS_linkat, a, from, b, to, flags));
}

int ftruncate(int file, off_t size)
{
    return (int)INSTEAD("truncate", EIO, syscall(SYS_ftruncate, file, size));
}

int mkdir(const char *path, mode_t mode)
{
    return (int)INSTEAD("mkdir", EACCES, syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    /* "nameless" makes O_TMPFILE fail, as on systems without it, so that files have names. */
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("FACET_FAULT_NAMED"))
        return errno = EOPNOTSUPP, -1;
    return (int)INSTEAD("open", EACCES, syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
