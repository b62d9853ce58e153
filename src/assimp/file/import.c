/* assimp/file/import.c - the bytes of a source, and the files beside it, as assimp
 * wants to read them; and its answer. */
#include "assimp/file/file.h"
#include "base/error.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* -- Files for assimp --------------------------------------------------- */

typedef struct file_system {
    struct aiFileIO io;
    const facet_source *source;
    const char *name; /* of the main file, as assimp knows it */
    facet_arena *scratch;
    bool out_of_memory;
} file_system;

typedef struct open_file {
    struct aiFile file;
    const uint8_t *data;
    size_t size, position;
    facet_source sibling; /* all zero for the main file */
} open_file;

static size_t read_items(struct aiFile *file, char *to, size_t size, size_t count)
{
    open_file *f = (open_file *)file->UserData;
    size_t left = size > 0 ? (f->size - f->position) / size : 0;
    if (count > left)
        count = left;
    if (count > 0)
        memcpy(to, f->data + f->position, count * size);
    f->position += count * size;
    return count;
}

static size_t refuse_items(struct aiFile *file, const char *from, size_t size, size_t count)
{
    (void)file, (void)from, (void)size, (void)count;
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
    /* Offsets back from the end or the position come as huge numbers that wrap. */
    size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? f->position : f->size;
    size_t position = base + offset;
    if (position > f->size)
        return aiReturn_FAILURE;
    f->position = position;
    return aiReturn_SUCCESS;
}

static void flush(struct aiFile *file)
{
    (void)file;
}

static struct aiFile *open_proc(struct aiFileIO *io, const char *name, const char *mode)
{
    file_system *system = (file_system *)io->UserData;
    if (strchr(mode, 'w') || strchr(mode, 'a'))
        return NULL;
    facet_source sibling = {0};
    bool main_file = strcmp(name, system->name) == 0;
    if (!main_file) {
        facet_status status = facet_source_open_sibling(system->source, name, &sibling, NULL);
        system->out_of_memory |= status == FACET_ERROR_MEMORY;
        if (status)
            return NULL;
    }
    open_file *f = facet_arena_allocate_zeroed(system->scratch, 1, sizeof *f);
    if (!f) {
        system->out_of_memory = true;
        facet_source_close(&sibling);
        return NULL;
    }
    f->data = main_file ? system->source->data : sibling.data;
    f->size = main_file ? system->source->size : sibling.size;
    f->sibling = sibling;
    f->file.ReadProc = read_items;
    f->file.WriteProc = refuse_items;
    f->file.TellProc = tell;
    f->file.FileSizeProc = size_of;
    f->file.SeekProc = seek;
    f->file.FlushProc = flush;
    f->file.UserData = (char *)f;
    return &f->file;
}

static void close_proc(struct aiFileIO *io, struct aiFile *file)
{
    open_file *f = (open_file *)file->UserData;
    facet_source_close(&f->sibling);
    facet_arena_release(((file_system *)io->UserData)->scratch, f, 1, sizeof *f);
}

/* -- Import ------------------------------------------------------------- */

/* assimp keeps the sentence of its last failure in one place for the whole
 * process and does not guard it, so that two imports which fail at the same
 * time would destroy it. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* One line of what assimp said. */
static void copy_reason(char *reason, size_t space, const char *said)
{
    size_t used = 0;
    for (; said && *said && used + 1 < space; said++)
        reason[used++] = (unsigned char)*said < 0x20 || *said == 0x7F ? ' ' : *said;
    while (used > 0 && (reason[used - 1] == ' ' || reason[used - 1] == '.'))
        used--;
    while (used > 0 && !facet_utf8_valid(reason, used))
        used--;
    reason[used] = '\0';
}

facet_status facet_assimp_import(const facet_source *source, const char *extension,
                                 facet_arena *scratch, const struct aiScene **imported,
                                 facet_error *error)
{
    /* The base name, for its extension, and because siblings are relative to it. */
    const char *slash = source->name ? strrchr(source->name, '/') : NULL;
    const char *name = slash ? slash + 1 : source->name;
    file_system system = {{open_proc, close_proc, NULL}, source, NULL, scratch, false};
    system.io.UserData = (char *)&system;
    const char *dot = name ? strrchr(name, '.') : NULL;
    system.name = name && *name ? name : "input";
    if (extension && (!dot || strcasecmp(dot, extension) != 0))
        system.name = facet_arena_format(scratch, "input%s", extension);
    if (!system.name)
        return facet_fail_memory(error, 16);
    if (source->size == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "ASSIMP", 0, "the file is empty");
    facet_status status = facet_assimp_guard_ply(source, error);
    if (status)
        return status;
    char reason[300] = "";
    /* No meshes that only show where the bones of a file without meshes are. */
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (!properties)
        return facet_fail_memory(error, sizeof(void *));
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    pthread_mutex_lock(&one_at_a_time);
    *imported = aiImportFileExWithProperties(system.name, 0, &system.io, properties);
    if (!*imported)
        copy_reason(reason, sizeof reason, aiGetErrorString());
    pthread_mutex_unlock(&one_at_a_time);
    aiReleasePropertyStore(properties);
    if (*imported && !system.out_of_memory)
        return FACET_OK;
    if (system.out_of_memory)
        return facet_fail_memory(error, sizeof(open_file));
    return facet_fail(error, FACET_ERROR_MALFORMED, "ASSIMP", FACET_NO_OFFSET,
                      "assimp cannot read the file: %s",
                      *reason ? reason : "it gives no reason, memory may have run out");
}
