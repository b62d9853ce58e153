/* assimp/file/export.c - what assimp writes, to an output and its siblings. */
#include "assimp/file/file.h"
#include "base/error.h"
#include "base/size.h"

#include <assimp/cexport.h>
#include <assimp/cfileio.h>
#include <stdio.h>
#include <string.h>

/* -- Files for assimp --------------------------------------------------- */

/* Exporters may go back in a file, which an output cannot: bytes are kept until
 * the file is closed. */
typedef struct open_file {
    struct aiFile file;
    facet_arena *arena;
    facet_output *output;
    uint8_t *data;
    size_t size, capacity, position;
    bool failed;
} open_file;

typedef struct file_system {
    struct aiFileIO io;
    const char *name; /* of the main file, as assimp knows it */
    size_t stem;      /* its length without the extension */
    facet_output *output;
    facet_arena *arena;
    bool written, failed, sibling_refused;
    facet_error *error;
} file_system;

static bool grow(open_file *f, size_t end)
{
    size_t capacity = f->capacity;
    while (capacity < end) {
        if (!facet_size_add(capacity, capacity / 2 + 65536, &capacity))
            return false;
    }
    uint8_t *grown = facet_arena_resize(f->arena, f->data, f->capacity, capacity, 1);
    if (!grown)
        return false;
    f->data = grown;
    f->capacity = capacity;
    return true;
}

static size_t write_items(struct aiFile *file, const char *from, size_t size, size_t count)
{
    open_file *f = (open_file *)file->UserData;
    size_t bytes, end;
    if (!facet_size_multiply(size, count, &bytes) || !facet_size_add(f->position, bytes, &end)) {
        f->failed = true;
        return count;
    }
    /* Exporters end the process when a file does not grow: to them it does. */
    f->failed |= end > f->capacity && !grow(f, end);
    if (f->failed) {
        f->position = end;
        f->size = end > f->size ? end : f->size;
        return count;
    }
    if (f->position > f->size)
        memset(f->data + f->size, 0, f->position - f->size);
    if (bytes > 0)
        memcpy(f->data + f->position, from, bytes);
    f->position = end;
    f->size = end > f->size ? end : f->size;
    return count;
}

static size_t refuse_items(struct aiFile *file, char *to, size_t size, size_t count)
{
    (void)file, (void)to, (void)size, (void)count;
    return 0;
}

static size_t tell(struct aiFile *file)
{
    return ((open_file *)file->UserData)->position;
}

static size_t size_of(struct aiFile *file)
{
    return ((open_file *)file->UserData)->size;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    open_file *f = (open_file *)file->UserData;
    size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? f->position : f->size;
    if (base + offset > f->size)
        return aiReturn_FAILURE;
    f->position = base + offset;
    return aiReturn_SUCCESS;
}

static void flush(struct aiFile *file)
{
    (void)file;
}

/* "a_texture_0000.png" beside "a.dae" is the sibling "_texture_0000.png". */
static facet_output *sibling_of(file_system *system, const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    facet_output *sibling = NULL;
    if (strlen(base) <= system->stem)
        return NULL;
    facet_status status =
        facet_output_open_sibling(system->output, base + system->stem, &sibling, system->error);
    system->sibling_refused |= status == FACET_ERROR_UNSUPPORTED;
    return status ? NULL : sibling;
}

static struct aiFile *open_proc(struct aiFileIO *io, const char *name, const char *mode)
{
    file_system *system = (file_system *)io->UserData;
    if (!strchr(mode, 'w'))
        return NULL;
    bool main_file = strcmp(name, system->name) == 0;
    facet_output *output = main_file ? system->output : sibling_of(system, name);
    open_file *f = output ? facet_arena_allocate_zeroed(system->arena, 1, sizeof *f) : NULL;
    system->failed |= output && !f;
    if (!f)
        return NULL;
    system->written |= main_file;
    f->arena = system->arena;
    f->output = output;
    f->file.ReadProc = refuse_items;
    f->file.WriteProc = write_items;
    f->file.TellProc = tell;
    f->file.FileSizeProc = size_of;
    f->file.SeekProc = seek;
    f->file.FlushProc = flush;
    f->file.UserData = (char *)f;
    return &f->file;
}

static void close_proc(struct aiFileIO *io, struct aiFile *file)
{
    file_system *system = (file_system *)io->UserData;
    open_file *f = (open_file *)file->UserData;
    uint8_t *data = f->data;
    size_t size = f->size;
    f->failed |= !f->failed && !facet_assimp_end_fbx_lists(f->arena, &data, &size);
    system->failed |= f->failed;
    if (!f->failed && size > 0)
        facet_output_write(f->output, data, size);
    facet_arena_release(f->arena, f->data, f->capacity, 1);
}

/* -- Export ------------------------------------------------------------- */

facet_status facet_assimp_export(const struct aiScene *from, const char *id, const char *name,
                                 facet_arena *scratch, facet_output *output, bool *images_refused,
                                 facet_error *error)
{
    const char *file_name = facet_output_name(output);
    const char *dot = strrchr(file_name, '.');
    file_system system = {
        .name = *file_name ? file_name : "scene", .output = output, .arena = scratch};
    system.io.OpenProc = open_proc;
    system.io.CloseProc = close_proc;
    system.io.UserData = (char *)&system;
    system.stem = dot && dot > file_name ? (size_t)(dot - file_name) : strlen(system.name);
    enum aiReturn result = aiExportSceneEx(from, id, system.name, &system.io, 0);
    *images_refused = system.sibling_refused;
    if (result == aiReturn_SUCCESS && system.written && !system.failed)
        return FACET_OK;
    if (result == aiReturn_OUTOFMEMORY || system.failed)
        return facet_fail_memory(error, 1);
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "ASSIMP-EXPORT", FACET_NO_OFFSET,
                      "assimp cannot write this scene as %s and does not say why", name);
}
