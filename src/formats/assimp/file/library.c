/* formats/assimp/file/library.c - calls of assimp's import and export, one at a time, and the files
 * that it reads and writes during a call. */
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/module.h"
#include "base/output.h"
#include "base/size.h"
#include "formats/assimp/file/calls.h"
#include "formats/assimp/file/file.h"
#include "formats/assimp/file/scan.h"

#include <assimp/cfileio.h>
#include <assimp/config.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

/* Serializes all calls. assimp stores its last error in one buffer per process, and its exporters
 * call localtime, which has one result per process. Both are unprotected. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

#ifdef FACET_MODULES
static facet_module module = {"assimp", "FBX, COLLADA and others", NULL};
#else
extern const facet_assimp_calls facet_assimp_table;
static facet_module module = {"assimp", "", &facet_assimp_table};
#endif

const facet_assimp_calls *facet_assimp_table_now(void)
{
    return facet_module_table(&module);
}

/* -- Common part of files ---------------------------------------------- */

/* The first part of every file: assimp's callbacks, and the current position. */
typedef struct open_file {
    struct aiFile face;
    size_t size, position;
} open_file;

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
    /* assimp passes negative offsets from the end or the position as huge numbers, which wrap. */
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

static size_t refuse_to_read(struct aiFile *file, char *to, size_t size, size_t count)
{
    (void)file, (void)to, (void)size, (void)count;
    return 0;
}

static size_t refuse_to_write(struct aiFile *file, const char *from, size_t size, size_t count)
{
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static struct aiFile *show(open_file *file, aiFileReadProc read, aiFileWriteProc write)
{
    file->face.ReadProc = read;
    file->face.WriteProc = write;
    file->face.TellProc = tell;
    file->face.FileSizeProc = size_of;
    file->face.SeekProc = seek;
    file->face.FlushProc = flush;
    file->face.UserData = (char *)file;
    return &file->face;
}

/* -- Input files ------------------------------------------------------- */

typedef struct reading {
    struct aiFileIO io;
    const facet_source *source;
    const char *name; /* name of the main file in assimp */
    facet_arena *scratch;
    const facet_options *options;
    bool out_of_memory;
    facet_error refused; /* a sibling that assimp must not read */
} reading;

typedef struct input_file {
    open_file open;
    const uint8_t *data;
    facet_source sibling; /* all zero for the main file */
} input_file;

static size_t read_items(struct aiFile *file, char *to, size_t size, size_t count)
{
    input_file *f = (input_file *)file->UserData;
    size_t left = size > 0 ? (f->open.size - f->open.position) / size : 0;
    if (count > left)
        count = left;
    if (count > 0)
        memcpy(to, f->data + f->open.position, count * size);
    f->open.position += count * size;
    return count;
}

static struct aiFile *open_input(struct aiFileIO *io, const char *name, const char *mode)
{
    reading *in = (reading *)io->UserData;
    if (strchr(mode, 'w') || strchr(mode, 'a'))
        return NULL;
    facet_source sibling = {0};
    bool main_file = strcmp(name, in->name) == 0;
    const uint8_t *data = in->source->data;
    size_t size = in->source->size;
    if (!main_file) {
        facet_status status = facet_source_open_sibling(in->source, name, &sibling, NULL);
        in->out_of_memory |= facet_lacks_memory(status);
        data = sibling.data;
        size = sibling.size;
        facet_fbx *fbx;
        if (!status && facet_assimp_scan(&data, &size, name, in->scratch, in->options, NULL, &fbx,
                                         NULL, &in->refused)) {
            facet_source_close(&sibling);
            return NULL;
        }
        if (status)
            return NULL;
    }
    input_file *f = facet_arena_allocate_zeroed(in->scratch, 1, sizeof *f);
    if (!f) {
        in->out_of_memory = true;
        facet_source_close(&sibling);
        return NULL;
    }
    f->data = data;
    f->open.size = size;
    f->sibling = sibling;
    return show(&f->open, read_items, refuse_to_write);
}

static void close_input(struct aiFileIO *io, struct aiFile *file)
{
    input_file *f = (input_file *)file->UserData;
    facet_source_close(&f->sibling);
    facet_arena_release(((reading *)io->UserData)->scratch, f, 1, sizeof *f);
}

/* -- Import ------------------------------------------------------------- */

/* Copy one line of assimp's message. */
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

/* Let assimp read while no other call runs. `reason` gets the message of a failure, up to `space`
 * bytes. */
static const struct aiScene *import_alone(reading *in, const struct aiPropertyStore *properties,
                                          char *reason, size_t space)
{
    pthread_mutex_lock(&one_at_a_time);
    const struct aiScene *imported = aiImportFileExWithProperties(in->name, 0, &in->io, properties);
    if (!imported)
        copy_reason(reason, space, aiGetErrorString());
    pthread_mutex_unlock(&one_at_a_time);
    return imported;
}

facet_status facet_assimp_import(const facet_source *source, const char *extension,
                                 const facet_options *options, facet_arena *scratch,
                                 const struct aiScene **imported, facet_fbx **fbx,
                                 facet_dae_clips **clips, facet_error *error)
{
    *fbx = NULL;
    *clips = NULL;
    /* Use the base name: assimp needs its extension, and siblings are relative to it. */
    const char *slash = source->name ? strrchr(source->name, '/') : NULL;
    const char *name = slash ? slash + 1 : source->name;
    const char *dot = name ? strrchr(name, '.') : NULL;
    reading in = {{open_input, close_input, NULL}, source, NULL, scratch, options, false, {0}};
    in.io.UserData = (char *)&in;
    in.name = name && *name ? name : "input";
    if (extension && (!dot || strcasecmp(dot, extension) != 0))
        in.name = facet_arena_format(scratch, "input%s", extension);
    if (!in.name)
        return facet_fail_arena(scratch, error);
    if (source->size == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "ASSIMP", 0, "the file is empty");
    facet_source plain;
    TRY(facet_assimp_open_package(source, options, scratch, &plain, error));
    in.source = &plain;
    if (plain.data == source->data) /* the files of an archive are already examined */
        TRY(facet_assimp_scan(&plain.data, &plain.size, in.name, scratch, options,
                              options ? options->report : NULL, fbx, clips, error));
    TRY(facet_module_open(&module, error));
    /* Without this, assimp creates meshes of bones for files without meshes. */
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (!properties)
        return facet_fail_arena(scratch, error);
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    /* Bones have their names, which other files refer to, instead of ids. */
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, 1);
    char reason[300] = "";
    *imported = import_alone(&in, properties, reason, sizeof reason);
    aiReleasePropertyStore(properties);
    if (in.refused.status) {
        if (error)
            *error = in.refused;
        return in.refused.status;
    }
    if (*imported && !in.out_of_memory)
        return FACET_OK;
    /* The module catches exceptions; the message can be empty. */
    if (in.out_of_memory || !*reason || strstr(reason, "bad_alloc") ||
        strstr(reason, "nsufficient memory") || strstr(reason, "length_error"))
        return facet_fail_arena(scratch, error);
    bool is_blend = plain.size >= 7 && memcmp(plain.data, "BLENDER", 7) == 0;
    return facet_fail(error, FACET_ERROR_MALFORMED, "ASSIMP", FACET_NO_OFFSET, "%s: %s",
                      is_blend
                          ? "assimp reads only old .blend files; export a glTF from Blender instead"
                          : "assimp cannot read the file",
                      reason);
}

/* -- Output files ------------------------------------------------------ */

/* A file that an exporter writes. It stays in memory until all files are complete, because
 * exporters seek back, which an output cannot, and because errors are fixed at the end. */
typedef struct output_file {
    open_file open;
    struct writing *out;
    const char *name;
    uint8_t *data;
    size_t capacity;
    struct output_file *next;
} output_file;

typedef struct writing {
    struct aiFileIO io;
    const char *name; /* name of the main file in assimp */
    facet_arena *scratch;
    output_file *first, **end; /* in the order in which the exporter opened them */
    bool out_of_memory;
} writing;

static bool grow(output_file *f, size_t end)
{
    size_t capacity; /* files that are written at once, such as images, get no more space */
    if (!facet_size_add(f->capacity, f->capacity / 2, &capacity))
        return false;
    capacity = capacity < end ? end : capacity;
    uint8_t *grown = facet_arena_resize(f->out->scratch, f->data, f->capacity, capacity, 1);
    if (!grown)
        return false;
    f->data = grown;
    f->capacity = capacity;
    return true;
}

/* Append bytes. Exporters end the process if a write fails, so this reports success always;
 * out_of_memory is tested after the export. */
static size_t write_items(struct aiFile *file, const char *from, size_t size, size_t count)
{
    output_file *f = (output_file *)file->UserData;
    open_file *open = &f->open;
    size_t bytes, end;
    if (!facet_size_multiply(size, count, &bytes) || !facet_size_add(open->position, bytes, &end)) {
        f->out->out_of_memory = true;
        return count;
    }
    if (end > f->capacity && !f->out->out_of_memory)
        f->out->out_of_memory = !grow(f, end);
    if (!f->out->out_of_memory) {
        if (open->position > open->size)
            memset(f->data + open->size, 0, open->position - open->size);
        if (bytes > 0)
            memcpy(f->data + open->position, from, bytes);
    }
    open->position = end;
    open->size = end > open->size ? end : open->size;
    return count;
}

static struct aiFile *open_output(struct aiFileIO *io, const char *name, const char *mode)
{
    writing *out = (writing *)io->UserData;
    if (!strchr(mode, 'w'))
        return NULL;
    output_file *f = facet_arena_allocate_zeroed(out->scratch, 1, sizeof *f);
    char *copy = facet_arena_string(out->scratch, name, strlen(name));
    if (!f || !copy) {
        out->out_of_memory = true;
        return NULL;
    }
    f->out = out;
    f->name = copy;
    *out->end = f;
    out->end = &f->next;
    return show(&f->open, refuse_to_read, write_items);
}

static void close_output(struct aiFileIO *io, struct aiFile *file)
{
    (void)io, (void)file;
}

/* -- Export ------------------------------------------------------------- */

/* Write the files next to the main one: for the main file "a.dae", the file "a_texture_0000.png"
 * becomes the sibling "_texture_0000.png". */
static facet_status write_siblings(const writing *out, facet_output *output, facet_error *error)
{
    const char *dot = strrchr(out->name, '.');
    size_t stem = dot && dot > out->name ? (size_t)(dot - out->name) : strlen(out->name);
    for (const output_file *f = out->first; f; f = f->next) {
        if (strcmp(f->name, out->name) == 0)
            continue;
        const char *slash = strrchr(f->name, '/'); /* "a.dae/a_texture_0000.png" */
        const char *base = slash ? slash + 1 : f->name;
        if (strncmp(base, out->name, stem) != 0)
            return facet_fail(error, FACET_ERROR_UNSUPPORTED, "ASSIMP-EXPORT", FACET_NO_OFFSET,
                              "assimp writes '%s', which is not named like '%s'", base, out->name);
        facet_output *sibling = NULL;
        facet_status status = facet_output_open_sibling(output, base + stem, &sibling, error);
        if (!status && !*facet_output_name(sibling)) /* a memory output without a name */
            status = facet_output_set_name(sibling, base, error);
        if (status)
            return status;
        facet_output_write(sibling, f->data, f->open.size);
    }
    return FACET_OK;
}

static facet_status write_main_file(const writing *out, const struct aiScene *from,
                                    const facet_assimp_added *added, facet_output *output,
                                    facet_error *error)
{
    for (output_file *f = out->first; f; f = f->next) {
        if (strcmp(f->name, out->name) != 0)
            continue;
        if (!facet_assimp_repair(out->scratch, from, added, &f->data, &f->open.size))
            return facet_fail_arena(out->scratch, error);
        facet_output_write(output, f->data, f->open.size);
    }
    return FACET_OK;
}

facet_status facet_assimp_export(const struct aiScene *from, const facet_assimp_added *added,
                                 const char *id, const char *name, facet_arena *scratch,
                                 facet_output *output, bool *images_refused, facet_error *error)
{
    const char *file_name = facet_output_sibling_name(output, scratch);
    if (!file_name)
        return facet_fail_arena(scratch, error);
    writing out = {.name = *file_name ? file_name : "scene", .scratch = scratch};
    TRY(facet_module_open(&module, error));
    facet_status status = FACET_OK;
    out.io.OpenProc = open_output;
    out.io.CloseProc = close_output;
    out.io.UserData = (char *)&out;
    out.end = &out.first;
    pthread_mutex_lock(&one_at_a_time);
    enum aiReturn result = aiExportSceneEx(from, id, out.name, &out.io, 0);
    pthread_mutex_unlock(&one_at_a_time);
    if (result == aiReturn_OUTOFMEMORY || out.out_of_memory)
        return facet_fail_arena(scratch, error);
    if (result == aiReturn_SUCCESS && out.first) {
        status = write_siblings(&out, output, error);
        *images_refused = status == FACET_ERROR_UNSUPPORTED;
        return status ? status : write_main_file(&out, from, added, output, error);
    }
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "ASSIMP-EXPORT", FACET_NO_OFFSET,
                      "assimp cannot write this scene as %s and does not say why", name);
}
