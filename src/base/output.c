/* base/output.c - outputs. A file appears whole or not at all. */
#include "base/output.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/sha256.h"
#include "base/size.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)256 * 1024)

typedef enum output_kind {
    TO_FILE,       /* temporary file, renamed on commit */
    TO_DESCRIPTOR, /* written at once: pipes, devices, standard output */
    TO_MEMORY,
    TO_CALLBACKS
} output_kind;

struct facet_output {
    facet_arena *arena;
    output_kind kind;
    int descriptor; /* -1 when there is none to close */
    char *path, *temporary;
    const char *name; /* of a sibling, before links were followed; NULL: that of `path` */
    bool close_descriptor;
    bool temporary_exists;
    bool unsynced; /* facet_output_set_sync */
    bool hashed;   /* facet_output_begin_hash */
    facet_sha256 hash;
    facet_error failure; /* the first one */
    uint64_t written;
    uint8_t *buffer; /* pending bytes; in memory, all of them */
    size_t used, capacity;
    facet_output_callbacks callbacks;
    facet_output *sibling;
};

/* -- Writing ------------------------------------------------------------ */

static void fail_system(facet_output *output, int code)
{
    facet_fail_system(&output->failure, code, "write", output->path);
}

/* The failure of a callback. One that left no sentence gets one. */
static facet_status failed_callback(const facet_output *output, facet_status status,
                                    const char *verb, facet_error *fault)
{
    if (fault->status == FACET_OK)
        return facet_fail(fault, status, NULL, FACET_NO_OFFSET, "cannot %s '%s': %s", verb,
                          output->path, facet_status_name(status));
    return fault->status;
}

static void write_through(facet_output *output, const uint8_t *data, size_t size)
{
    if (output->hashed)
        facet_sha256_add(&output->hash, data, size);
    if (output->kind == TO_CALLBACKS) {
        facet_error fault = {0};
        facet_status status = output->callbacks.write(output->callbacks.user, data, size, &fault);
        if (status) {
            failed_callback(output, status, "write", &fault);
            output->failure = fault;
        }
        return;
    }
    while (size > 0 && output->failure.status == FACET_OK) {
        ssize_t done = write(output->descriptor, data, size < SSIZE_MAX ? size : SSIZE_MAX);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            fail_system(output, errno);
            return;
        }
        data += done;
        size -= (size_t)done;
    }
}

static void flush(facet_output *output)
{
    size_t used = output->used;
    output->used = 0;
    if (used > 0)
        write_through(output, output->buffer, used);
}

static void append_memory(facet_output *output, const void *data, size_t size)
{
    size_t needed;
    if (!facet_size_add(output->used, size, &needed)) {
        facet_fail_memory(&output->failure, SIZE_MAX);
        return;
    }
    if (needed > output->capacity) {
        size_t capacity = output->capacity <= SIZE_MAX / 2 ? output->capacity * 2 : SIZE_MAX;
        if (capacity < needed)
            capacity = needed;
        uint8_t *grown =
            facet_arena_resize(output->arena, output->buffer, output->capacity, capacity, 1);
        if (!grown) {
            facet_fail_memory(&output->failure, capacity);
            return;
        }
        output->buffer = grown;
        output->capacity = capacity;
    }
    memcpy(output->buffer + output->used, data, size);
    output->used = needed;
}

void facet_output_write(facet_output *output, const void *data, size_t size)
{
    if (size == 0 || output->failure.status != FACET_OK)
        return;
    output->written += size;
    if (output->kind == TO_MEMORY) {
        append_memory(output, data, size);
        return;
    }
    if (size > output->capacity - output->used)
        flush(output);
    if (size >= output->capacity) {
        write_through(output, data, size);
        return;
    }
    memcpy(output->buffer + output->used, data, size);
    output->used += size;
}

/* -- Opening ------------------------------------------------------------ */

static facet_status create(output_kind kind, const facet_allocator *allocator,
                           facet_output **output, facet_error *error)
{
    facet_options options = {0};
    options.allocator = allocator;
    facet_arena *arena = NULL;
    facet_status status = facet_arena_create(&options, &arena, error);
    if (status)
        return status;
    size_t capacity = kind == TO_MEMORY ? 4096 : BUFFER_SIZE;
    facet_output *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    uint8_t *buffer = facet_arena_allocate(arena, capacity, 1);
    char *path = facet_arena_string(arena, "", 0);
    if (!made || !buffer || !path) {
        facet_arena_free(arena);
        return facet_fail_memory(error, capacity);
    }
    made->arena = arena;
    made->kind = kind;
    made->descriptor = -1;
    made->path = path;
    made->buffer = buffer;
    made->capacity = capacity;
    *output = made;
    return FACET_OK;
}

/* Open `output->path` itself: it is a device or a pipe, which a rename must not
 * replace. */
static facet_status open_in_place(facet_output *output, facet_error *error)
{
    output->kind = TO_DESCRIPTOR;
    output->descriptor = open(output->path, O_WRONLY | O_CLOEXEC);
    if (output->descriptor < 0)
        return facet_fail_system(error, errno, "open", output->path);
    output->close_descriptor = true;
    return FACET_OK;
}

static facet_status open_temporary(facet_output *output, mode_t mode, facet_error *error)
{
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        output->temporary = facet_arena_format(output->arena, "%s.%ld-%u.tmp", output->path,
                                               (long)getpid(), attempt);
        if (!output->temporary)
            return facet_fail_memory(error, strlen(output->path));
        output->descriptor =
            open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
        if (output->descriptor >= 0) {
            output->close_descriptor = true;
            output->temporary_exists = true;
            return FACET_OK;
        }
        if (errno != EEXIST)
            break;
    }
    return facet_fail_system(error, errno, "create", output->path);
}

static facet_status open_path(facet_output *output, const char *path, facet_error *error)
{
    /* A symbolic link stays one: what it points to is replaced. */
    char resolved[PATH_MAX];
    struct stat status;
    bool exists = lstat(path, &status) == 0;
    bool link = exists && S_ISLNK(status.st_mode) && realpath(path, resolved);
    const char *target = link ? resolved : path;
    output->path = facet_arena_string(output->arena, target, strlen(target));
    if (!output->path)
        return facet_fail_memory(error, strlen(target));
    if (!exists || (S_ISLNK(status.st_mode) && stat(target, &status) != 0))
        return open_temporary(output, 0666, error);
    if (S_ISDIR(status.st_mode))
        return facet_fail_system(error, EISDIR, "write", path);
    if (!S_ISREG(status.st_mode))
        return open_in_place(output, error);
    facet_status result = open_temporary(output, status.st_mode, error);
    if (result == FACET_OK && fchmod(output->descriptor, status.st_mode & 0777) != 0)
        result = facet_fail_system(error, errno, "write", path);
    return result;
}

facet_status facet_output_open(const char *path, facet_output **output, facet_error *error)
{
    facet_output *made = NULL;
    facet_status status = create(TO_FILE, NULL, &made, error);
    if (status)
        return status;
    status = open_path(made, path, error);
    if (status)
        facet_output_free(made);
    else
        *output = made;
    return status;
}

facet_status facet_output_open_descriptor(int descriptor, facet_output **output, facet_error *error)
{
    facet_status status = create(TO_DESCRIPTOR, NULL, output, error);
    if (status == FACET_OK)
        (*output)->descriptor = descriptor;
    return status;
}

facet_status facet_output_open_memory(const facet_allocator *allocator, facet_output **output,
                                      facet_error *error)
{
    return create(TO_MEMORY, allocator, output, error);
}

facet_status facet_output_open_callbacks(const facet_output_callbacks *callbacks, const char *name,
                                         facet_output **output, facet_error *error)
{
    if (!callbacks || !callbacks->write)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "an output by callbacks needs one that writes");
    facet_output *made = NULL;
    facet_status status = create(TO_CALLBACKS, NULL, &made, error);
    if (status)
        return status;
    made->callbacks = *callbacks;
    made->path = facet_arena_string(made->arena, name, strlen(name));
    if (!made->path) {
        made->callbacks.close = NULL; /* on failure the caller closes it */
        facet_output_free(made);
        return facet_fail_memory(error, strlen(name));
    }
    *output = made;
    return FACET_OK;
}

/* -- Siblings ----------------------------------------------------------- */

static facet_status open_memory_sibling(const facet_output *output, const char *name,
                                        facet_output **sibling, facet_error *error)
{
    facet_output *made = NULL;
    facet_status status = create(TO_MEMORY, facet_arena_allocator(output->arena), &made, error);
    if (!status)
        status = facet_output_set_name(made, name, error);
    if (status)
        facet_output_free(made);
    else
        *sibling = made;
    return status;
}

static facet_status open_callback_sibling(const facet_output *output, const char *name,
                                          facet_output **sibling, facet_error *error)
{
    facet_output_callbacks callbacks = {0};
    facet_error fault = {0};
    facet_status status =
        output->callbacks.open_sibling(output->callbacks.user, name, &callbacks, &fault);
    if (status) {
        failed_callback(output, status, "create a file beside", &fault);
        if (error)
            *error = fault;
        return status;
    }
    status = facet_output_open_callbacks(&callbacks, name, sibling, error);
    if (status && callbacks.close)
        callbacks.close(callbacks.user);
    return status;
}

/* The whole path of a sibling: that of the output with another extension. */
static facet_status name_sibling(const facet_output *output, const char *extension,
                                 char path[PATH_MAX], facet_error *error)
{
    const char *name = facet_output_name(output);
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot > name ? (size_t)(dot - output->path) : strlen(output->path);
    int used = snprintf(path, PATH_MAX, "%.*s%s", (int)stem, output->path, extension);
    if (used < 0 || used >= PATH_MAX)
        return facet_fail_system(error, ENAMETOOLONG, "create", output->path);
    for (const facet_output *each = output; each && *name; each = each->sibling) {
        if (strcmp(each->path, path) == 0)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "OUTPUT-NAMES", FACET_NO_OFFSET,
                              "'%s' writes a second file of the same name; give the output "
                              "another extension",
                              path);
    }
    return FACET_OK;
}

facet_status facet_output_open_sibling(facet_output *output, const char *extension,
                                       facet_output **sibling, facet_error *error)
{
    facet_output *made = NULL;
    char path[PATH_MAX];
    if (output->kind == TO_DESCRIPTOR ||
        (output->kind == TO_CALLBACKS && !output->callbacks.open_sibling))
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, NULL, FACET_NO_OFFSET,
                          "a second file (%s) cannot be written beside a stream", extension);
    facet_status status = name_sibling(output, extension, path, error);
    if (status)
        return status;
    if (output->kind == TO_FILE)
        status = facet_output_open(path, &made, error);
    else if (output->kind == TO_MEMORY)
        status = open_memory_sibling(output, *output->path ? path : "", &made, error);
    else
        status = open_callback_sibling(output, path, &made, error);
    if (status)
        return status;
    if (output->kind == TO_FILE) { /* what is there may be a link, which keeps its name */
        made->name = facet_arena_string(made->arena, path, strlen(path));
        if (!made->name) {
            facet_output_free(made);
            return facet_fail_memory(error, strlen(path));
        }
    }
    made->unsynced = output->unsynced;
    if (output->hashed)
        facet_output_begin_hash(made);
    facet_output **last = &output->sibling;
    while (*last)
        last = &(*last)->sibling;
    *last = made;
    *sibling = made;
    return FACET_OK;
}

/* -- Looking ------------------------------------------------------------ */

uint64_t facet_output_size(const facet_output *output)
{
    return output->written;
}

const char *facet_output_name(const facet_output *output)
{
    const char *path = output->name ? output->name : output->path;
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

facet_status facet_output_set_name(facet_output *output, const char *name, facet_error *error)
{
    if (output->kind != TO_MEMORY)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "only an output in memory can be named; this one is '%s'", output->path);
    char *copy = facet_arena_string(output->arena, name, strlen(name));
    if (!copy)
        return facet_fail_memory(error, strlen(name));
    output->path = copy;
    return FACET_OK;
}

void facet_output_begin_hash(facet_output *output)
{
    /* What callbacks make of the bytes is their own matter. */
    output->hashed = output->kind == TO_FILE;
    facet_sha256_begin(&output->hash);
}

bool facet_output_end_hash(const facet_output *output, char text[65])
{
    facet_sha256 hash = output->hash;
    if (output->kind == TO_MEMORY)
        facet_sha256_text(output->buffer, output->used, text);
    else if (output->hashed)
        facet_sha256_end_text(&hash, text);
    return output->kind == TO_MEMORY || output->hashed;
}

const facet_output *facet_output_next_sibling(const facet_output *output)
{
    return output->sibling;
}

const uint8_t *facet_output_data(const facet_output *output)
{
    return output->kind == TO_MEMORY ? output->buffer : NULL;
}

/* -- Ending ------------------------------------------------------------- */

void facet_output_set_sync(facet_output *output, bool sync)
{
    for (; output; output = output->sibling)
        output->unsynced = !sync;
}

/* Write and sync all bytes; nothing is visible yet. */
static facet_status finish(facet_output *output, facet_error *error)
{
    if (output->kind != TO_MEMORY)
        flush(output);
    if (output->kind == TO_FILE && output->failure.status == FACET_OK && output->descriptor >= 0) {
        if (!output->unsynced && fsync(output->descriptor) != 0 && errno != EINVAL &&
            errno != ENOTSUP)
            fail_system(output, errno);
        if (close(output->descriptor) != 0 && output->failure.status == FACET_OK)
            fail_system(output, errno);
        output->descriptor = -1;
    }
    if (output->failure.status != FACET_OK && error)
        *error = output->failure;
    return output->failure.status;
}

/* Make one output visible. */
static facet_status publish(facet_output *output, facet_error *error)
{
    if (output->temporary_exists && rename(output->temporary, output->path) != 0)
        return facet_fail_system(error, errno, "create", output->path);
    output->temporary_exists = false;
    if (output->kind == TO_CALLBACKS && output->callbacks.commit) {
        facet_error fault = {0};
        facet_status status = output->callbacks.commit(output->callbacks.user, &fault);
        if (status) {
            failed_callback(output, status, "complete", &fault);
            if (error)
                *error = fault;
            return status;
        }
    }
    return FACET_OK;
}

facet_status facet_output_commit(facet_output *output, facet_error *error)
{
    for (facet_output *each = output; each; each = each->sibling) {
        facet_status status = finish(each, error);
        if (status)
            return status;
    }
    /* Siblings first: the file that names them appears last. */
    for (facet_output *each = output->sibling; each; each = each->sibling) {
        facet_status status = publish(each, error);
        if (status)
            return status;
    }
    return publish(output, error);
}

void facet_output_free(facet_output *output)
{
    while (output) {
        facet_output *next = output->sibling;
        if (output->close_descriptor && output->descriptor >= 0)
            close(output->descriptor);
        if (output->temporary_exists)
            unlink(output->temporary);
        if (output->kind == TO_CALLBACKS && output->callbacks.close)
            output->callbacks.close(output->callbacks.user);
        facet_arena_free(output->arena);
        output = next;
    }
}
