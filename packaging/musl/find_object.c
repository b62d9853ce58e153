/* packaging/musl/find_object.c - search for the table of frames, for the unwinder of Debian's
 * compiler.
 *
 * libgcc_eh.a calls _dl_find_object, which glibc has since 2.35. This version needs only
 * dl_iterate_phdr, which musl and every glibc have. Without it, C++ exceptions do not link to musl,
 * and a shared library needs glibc 2.35. */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* The members of glibc's struct dl_find_object for x86-64 and arm64. */
struct found_object {
    unsigned long long flags;
    void *map_start, *map_end;
    struct link_map *link_map;
    void *eh_frame;
    unsigned long long reserved[7];
};

struct search {
    uintptr_t address;
    struct found_object *found;
};

static int is_inside_object(struct dl_phdr_info *info, size_t size, void *pointer)
{
    struct search *search = pointer;
    int is_inside = 0, has_frames = 0;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME)
            search->found->eh_frame = (void *)at, has_frames = 1;
        if (part->p_type == PT_LOAD && search->address - at < part->p_memsz) {
            is_inside = 1;
            search->found->map_start = (void *)at;
            search->found->map_end = (void *)(at + part->p_memsz);
        }
    }
    return is_inside && has_frames;
}

/* Another name in C, because glibc's <dlfcn.h> declares _dl_find_object. */
__attribute__((visibility("hidden"))) int
find_object(void *address, struct found_object *found) __asm__("_dl_find_object");

int find_object(void *address, struct found_object *found)
{
    struct search search = {(uintptr_t)address, found};
    *found = (struct found_object){0};
    return dl_iterate_phdr(is_inside_object, &search) ? 0 : -1;
}

/* A variable of glibc since 2.32. It is 0, so that the C++ library's counters are atomic. */
__attribute__((visibility("hidden"))) char single_threaded __asm__("__libc_single_threaded");
char single_threaded = 0;
