/* base/output.c - outputs. A file appears complete or not at all. */
#include "base/arena.h"
#include "base/error.h"
#include "base/output_state.h"
#include "base/size.h"
#include "base/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* After this number of bytes, the disk starts to write them, so that closing waits less. */
#define LARGE_WRITE ((size_t)1 << 20)
/* Maximum number of siblings whose files are open at the same time. */
#define MAX_OPEN 32
/* Initial size of a memory output. */
#define LEAST_MEMORY ((size_t)4096)

/* -- Cleanup on signals ------------------------------------------------- */

/* The list of uncommitted files. It is the only state that the library keeps per process, because a
 * signal handler gets no argument except a number. The list can be read at any moment: an output is
 * complete when it is added, and is removed by one store. Writers take a lock; the signal handler
 * reads without one. */
static FACET_ATOMIC(facet_output *) files_on_their_way;
static atomic_flag list_in_use = ATOMIC_FLAG_INIT;
static atomic_bool process_ends;

static void lock_list(void)
{
    while (atomic_flag_test_and_set(&list_in_use))
        continue;
}

static void unlock_list(void)
{
    atomic_flag_clear(&list_in_use);
    /* The signal handler may be reading an output that is about to be freed. Wait: the process ends
     * after it. */
    while (atomic_load(&process_ends))
        facet_system_pause();
}

static void enter_list(facet_output *output)
{
    lock_list();
    facet_output *first = atomic_load(&files_on_their_way);
    atomic_store(&output->next, first);
    if (first)
        first->previous = output;
    atomic_store(&files_on_their_way, output);
    output->listed = true;
    unlock_list();
}

static void leave_list(facet_output *output)
{
    if (!output->listed)
        return;
    lock_list();
    facet_output *next = atomic_load(&output->next);
    if (next)
        next->previous = output->previous;
    atomic_store(output->previous ? &output->previous->next : &files_on_their_way, next);
    unlock_list();
}

static bool is_committed(const facet_output *output)
{
    return output->group ? output->group->committed : output->committed;
}

void facet_outputs_abandon(void)
{
    atomic_store(&process_ends, true);
    for (facet_output *each = atomic_load(&files_on_their_way); each;
         each = atomic_load(&each->next)) {
        if (!is_committed(each))
            facet_new_file_undo(&each->file);
    }
}

/* -- Open files --------------------------------------------------------- */

static void release_buffer(facet_output *output)
{
    facet_arena_release(output->arena, output->buffer, output->capacity, 1);
    output->buffer = NULL;
    output->capacity = 0;
}

/* Close the file of a sibling, which then has a temporary name, and free its buffer. */
static void park(facet_output *output)
{
    if (output->file.descriptor < 0)
        return;
    facet_output_flush(output);
    facet_error fault = {0};
    if (!output->unsynced)
        facet_new_file_start_sync(&output->file);
    if (facet_new_file_close(&output->file, false, &fault) && !output->failure.status)
        output->failure = fault;
    output->is_parked = true;
    release_buffer(output);
}

void facet_output_note_open(facet_output *output)
{
    facet_output *first = output->first;
    output->next_open = NULL;
    if (first->newest_open)
        first->newest_open->next_open = output;
    else
        first->oldest_open = output;
    first->newest_open = output;
    if (++first->open_count <= MAX_OPEN)
        return;
    facet_output *oldest = first->oldest_open;
    first->oldest_open = oldest->next_open;
    first->open_count--;
    park(oldest);
}

/* Open the file of a parked sibling again, to append to it. False if that fails. */
static bool unpark(facet_output *output)
{
    output->buffer = facet_arena_allocate(output->arena, FACET_OUTPUT_BUFFER_SIZE, 1);
    if (!output->buffer) {
        facet_fail_arena(output->arena, &output->failure);
        return false;
    }
    output->capacity = FACET_OUTPUT_BUFFER_SIZE;
    if (facet_new_file_reopen(&output->file, &output->failure))
        return false;
    output->is_parked = false;
    facet_output_note_open(output);
    return true;
}

/* -- Writing ------------------------------------------------------------ */

static void fail_system(facet_output *output, int code)
{
    facet_fail_system(&output->failure, code, "write", output->file.path);
}

facet_status facet_output_fail_callback(const facet_output *output, facet_status status,
                                        const char *verb, facet_error *fault)
{
    if (fault->status == FACET_OK)
        return facet_fail(fault, status, NULL, FACET_NO_OFFSET, "cannot %s '%s': %s", verb,
                          output->file.path, facet_status_name(status));
    return fault->status;
}

static void write_through(facet_output *output, const uint8_t *data, size_t size)
{
    if (output->hashed)
        facet_sha256_add(&output->hash, data, size);
    if (output->kind == FACET_OUTPUT_TO_CALLBACKS) {
        facet_error fault = {0};
        facet_status status = output->callbacks.write(output->callbacks.user, data, size, &fault);
        if (status) {
            facet_output_fail_callback(output, status, "write", &fault);
            output->failure = fault;
        }
        return;
    }
    while (size > 0 && output->failure.status == FACET_OK) {
        int64_t done = facet_system_write(output->file.descriptor, data, size);
        if (done < 0) {
            fail_system(output, errno);
            return;
        }
        data += done;
        size -= (size_t)done;
        if ((size_t)done >= LARGE_WRITE && output->kind == FACET_OUTPUT_TO_FILE &&
            !output->unsynced)
            facet_new_file_start_sync(&output->file);
    }
}

void facet_output_flush(facet_output *output)
{
    size_t used = output->used;
    output->used = 0;
    if (used > 0)
        write_through(output, output->buffer, used);
}

/* Maximum size of a memory output within the limit, given the size of its siblings. While it grows,
 * old and new bytes exist at once for a moment; only the new size counts. */
static size_t allowed_memory(const facet_output *output)
{
    const facet_output *first = output->first ? output->first : output;
    size_t others = first->family_used - output->used;
    if (first->limit == 0)
        return SIZE_MAX;
    return first->limit > others ? first->limit - others : 0;
}

/* Bytes in memory have a separate block, so that they can be taken. */
static bool grow_memory(facet_output *output, size_t capacity)
{
    const facet_allocator *allocator = facet_arena_allocator(output->arena);
    uint8_t *grown = allocator->allocate(allocator->user, capacity);
    if (!grown)
        return false;
    if (output->used > 0)
        memcpy(grown, output->buffer, output->used);
    if (output->buffer)
        allocator->release(allocator->user, output->buffer, output->capacity);
    output->buffer = grown;
    output->capacity = capacity;
    return true;
}

static void append_memory(facet_output *output, const void *data, size_t size)
{
    facet_output *first = output->first ? output->first : output;
    size_t needed;
    if (!facet_size_add(output->used, size, &needed)) {
        facet_fail_memory(&output->failure, SIZE_MAX);
        return;
    }
    size_t allowed = allowed_memory(output);
    if (needed > allowed) {
        facet_fail(&output->failure, FACET_ERROR_MEMORY_LIMIT, "MEMORY-LIMIT", FACET_NO_OFFSET,
                   "the output takes more than the limit of %zu bytes of memory", first->limit);
        return;
    }
    if (needed > output->capacity) {
        size_t capacity = output->capacity <= SIZE_MAX / 2 ? output->capacity * 2 : SIZE_MAX;
        capacity = capacity > allowed ? allowed : capacity;
        capacity = capacity < needed ? needed : capacity < LEAST_MEMORY ? LEAST_MEMORY : capacity;
        if (!grow_memory(output, capacity)) {
            facet_fail_memory(&output->failure, capacity);
            return;
        }
    }
    memcpy(output->buffer + output->used, data, size);
    output->used = needed;
    first->family_used += size;
}

void facet_output_write(facet_output *output, const void *data, size_t size)
{
    if (size == 0 || output->failure.status != FACET_OK)
        return;
    output->written += size;
    if (output->kind == FACET_OUTPUT_TO_MEMORY) {
        append_memory(output, data, size);
        return;
    }
    if (!output->buffer && !output->is_parked) { /* it is finished */
        fail_system(output, EBADF);
        return;
    }
    if (!output->buffer && !unpark(output))
        return;
    if (size > output->capacity - output->used)
        facet_output_flush(output);
    if (size >= output->capacity) {
        write_through(output, data, size);
        return;
    }
    memcpy(output->buffer + output->used, data, size);
    output->used += size;
}

/* -- Opening ------------------------------------------------------------ */

facet_status facet_output_create(facet_output_kind kind, const facet_allocator *allocator,
                                 facet_output **output, facet_error *error)
{
    facet_options options = {0};
    options.allocator = allocator;
    facet_arena *arena = NULL;
    TRY(facet_arena_create(&options, &arena, error));
    size_t capacity = kind == FACET_OUTPUT_TO_MEMORY ? 0 : FACET_OUTPUT_BUFFER_SIZE;
    facet_output *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    uint8_t *buffer = capacity > 0 ? facet_arena_allocate(arena, capacity, 1) : NULL;
    char *path = facet_arena_string(arena, "", 0);
    if (!made || (capacity > 0 && !buffer) || !path) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    made->kind = kind;
    made->file.descriptor = -1;
    made->file.path = path;
    made->last_sibling = made;
    made->buffer = buffer;
    made->capacity = capacity;
    made->names = facet_output_names_make(arena);
    if (kind == FACET_OUTPUT_TO_MEMORY && !grow_memory(made, LEAST_MEMORY)) {
        return facet_arena_abandon(arena, error);
    }
    *output = made;
    return FACET_OK;
}

static facet_status open_file(const char *path, bool follow, facet_output **output,
                              facet_error *error)
{
    facet_output *made = NULL;
    TRY(facet_output_create(FACET_OUTPUT_TO_FILE, NULL, &made, error));
    enter_list(made);
    facet_status status = facet_new_file_open(made->arena, path, follow, &made->file, error);
    if (status) {
        facet_output_free(made);
        return status;
    }
    if (made->file.in_place)
        made->kind = FACET_OUTPUT_TO_DESCRIPTOR;
    *output = made;
    return FACET_OK;
}

facet_status facet_output_open(const char *path, facet_output **output, facet_error *error)
{
    return open_file(path, true, output, error);
}

facet_status facet_output_open_unlinked(const char *path, facet_output **output, facet_error *error)
{
    return open_file(path, false, output, error);
}

facet_status facet_output_open_descriptor(int descriptor, facet_output **output, facet_error *error)
{
    facet_status status = facet_output_create(FACET_OUTPUT_TO_DESCRIPTOR, NULL, output, error);
    if (status == FACET_OK)
        (*output)->file.descriptor = descriptor;
    return status;
}

facet_status facet_output_open_memory(const facet_allocator *allocator, facet_output **output,
                                      facet_error *error)
{
    return facet_output_create(FACET_OUTPUT_TO_MEMORY, allocator, output, error);
}

facet_status facet_output_open_callbacks(const facet_output_callbacks *callbacks, const char *name,
                                         facet_output **output, facet_error *error)
{
    if (!callbacks || !callbacks->write)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "an output by callbacks needs a write callback");
    facet_output *made = NULL;
    TRY(facet_output_create(FACET_OUTPUT_TO_CALLBACKS, NULL, &made, error));
    made->callbacks = *callbacks;
    made->file.path = facet_arena_string(made->arena, name, strlen(name));
    if (!made->file.path) {
        made->callbacks.close = NULL; /* on failure the caller closes it */
        facet_status status = facet_fail_arena(made->arena, error);
        facet_output_free(made);
        return status;
    }
    *output = made;
    return FACET_OK;
}

/* -- Access ------------------------------------------------------------- */

uint64_t facet_output_size(const facet_output *output)
{
    return output->written;
}

const char *facet_output_name(const facet_output *output)
{
    const char *path = output->name ? output->name : output->file.path;
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

facet_status facet_output_set_name(facet_output *output, const char *name, facet_error *error)
{
    if (output->kind != FACET_OUTPUT_TO_MEMORY)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "only an output in memory can be named; this one is '%s'",
                          output->file.path);
    char *copy = facet_arena_string(output->arena, name, strlen(name));
    if (!copy)
        return facet_fail_arena(output->arena, error);
    output->file.path = copy;
    return FACET_OK;
}

void facet_output_begin_hash(facet_output *output)
{
    /* Bytes written to callbacks are not hashed. */
    output->hashed = output->kind == FACET_OUTPUT_TO_FILE;
    facet_sha256_begin(&output->hash);
}

bool facet_output_end_hash(const facet_output *output, char text[65])
{
    facet_sha256 hash = output->hash;
    if (output->kind == FACET_OUTPUT_TO_MEMORY)
        facet_sha256_text(output->buffer, output->used, text);
    else if (output->hashed)
        facet_sha256_end_text(&hash, text);
    return output->kind == FACET_OUTPUT_TO_MEMORY || output->hashed;
}

const facet_output *facet_output_next_sibling(const facet_output *output)
{
    return output->sibling;
}

const uint8_t *facet_output_data(const facet_output *output)
{
    static const uint8_t nothing[1];
    if (output->kind != FACET_OUTPUT_TO_MEMORY)
        return NULL;
    return output->buffer ? output->buffer : nothing;
}

facet_status facet_output_take(facet_output *output, facet_bytes *bytes, facet_error *error)
{
    if (output->kind != FACET_OUTPUT_TO_MEMORY)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "only the bytes of an output in memory can be taken; this one is '%s'",
                          output->file.path);
    if (output->failure.status) {
        if (error)
            *error = output->failure;
        return output->failure.status;
    }
    (output->first ? output->first : output)->family_used -= output->used;
    *bytes = (facet_bytes){output->buffer, output->used, output->capacity,
                           *facet_arena_allocator(output->arena)};
    output->buffer = NULL;
    output->used = output->capacity = 0;
    return FACET_OK;
}

void facet_bytes_free(facet_bytes *bytes)
{
    if (bytes && bytes->data)
        bytes->allocator.release(bytes->allocator.user, bytes->data, bytes->capacity);
    if (bytes)
        *bytes = (facet_bytes){0};
}

void facet_output_set_limit(facet_output *output, uint64_t bytes)
{
    output->limit = bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
}

/* -- Commit ------------------------------------------------------------- */

void facet_output_set_sync(facet_output *output, bool sync)
{
    for (; output; output = output->sibling)
        output->unsynced = !sync;
}

static facet_status finish(facet_output *output, facet_error *error)
{
    if (output->kind != FACET_OUTPUT_TO_MEMORY)
        facet_output_flush(output);
    if (output->is_parked && !output->unsynced && output->failure.status == FACET_OK)
        facet_new_file_reopen(&output->file, &output->failure); /* to wait for the disk */
    output->is_parked = false;
    if (output->kind == FACET_OUTPUT_TO_FILE && output->failure.status == FACET_OK &&
        output->file.descriptor >= 0)
        facet_new_file_close(&output->file, !output->unsynced, &output->failure);
    if (output->kind == FACET_OUTPUT_TO_FILE)
        release_buffer(output); /* many finished outputs wait for their commit */
    if (output->failure.status != FACET_OK && error)
        *error = output->failure;
    return output->failure.status;
}

facet_status facet_output_finish(facet_output *output, facet_error *error)
{
    facet_status status = FACET_OK;
    for (facet_output *each = output; each && !status; each = each->sibling)
        status = finish(each, error);
    return status;
}

const char *facet_output_temporary(const facet_output *output)
{
    return output->kind == FACET_OUTPUT_TO_FILE && output->file.has_temporary
               ? output->file.temporary
               : NULL;
}

bool facet_output_failed(const facet_output *output)
{
    while (output && output->failure.status == FACET_OK)
        output = output->sibling;
    return output != NULL;
}

static facet_status commit_callbacks(const facet_output *output, facet_error *error)
{
    facet_error fault = {0};
    facet_status status = output->callbacks.commit
                              ? output->callbacks.commit(output->callbacks.user, &fault)
                              : FACET_OK;
    if (status) {
        facet_output_fail_callback(output, status, "complete", &fault);
        if (error)
            *error = fault;
    }
    return status;
}

/* Make one output visible. `alone`: nothing must be undone if another output fails. */
static facet_status publish(facet_output *output, bool alone, facet_error *error)
{
    facet_status status = FACET_OK;
    if (output->kind == FACET_OUTPUT_TO_CALLBACKS)
        return commit_callbacks(output, error);
    if (output->kind != FACET_OUTPUT_TO_FILE || output->file.placed)
        return FACET_OK;
    if (output->file.replaces && !alone)
        status = facet_new_file_keep_old(&output->file, false, error);
    return status ? status : facet_new_file_place(&output->file, error);
}

/* Make an output and its siblings visible. Siblings are first, so the file that names them appears
 * last. If existing siblings are replaced, the old file is moved away first: a reader of the old
 * file must not find new siblings. If the process is killed at any time, the file either exists
 * with its siblings, or does not exist, and its old content is next to it. (Siblings named by their
 * content would not need this order. But each change would leave one more file, and their names
 * would not be known in advance.) */
static facet_status publish_family(facet_output *output, bool alone, facet_error *error)
{
    bool replaces = false;
    facet_status status = FACET_OK;
    for (const facet_output *each = output->sibling; each; each = each->sibling)
        replaces = replaces || each->file.replaces;
    if (replaces && output->file.replaces && output->kind == FACET_OUTPUT_TO_FILE)
        status = facet_new_file_keep_old(&output->file, true, error);
    for (facet_output *each = output->sibling; each && !status; each = each->sibling)
        status = publish(each, false, error);
    return status ? status : publish(output, alone && !output->sibling, error);
}

/* Wait for the names, once for each folder. */
static facet_status sync_folders(facet_output *const *outputs, size_t count, facet_error *error)
{
    const char *last = "";
    size_t length = 0;
    facet_status status = FACET_OK;
    for (size_t i = 0; i < count; i++) {
        for (const facet_output *each = outputs[i]; each && !status; each = each->sibling) {
            const char *path = each->file.path, *slash = strrchr(path, '/');
            size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
            bool known = *last && folder == length && memcmp(path, last, length) == 0;
            if (each->kind != FACET_OUTPUT_TO_FILE || each->unsynced || known)
                continue;
            status = facet_new_file_sync_folder(&each->file, error);
            last = path;
            length = folder;
        }
    }
    return status;
}

/* Siblings first, in their order. */
static void undo(facet_output *output)
{
    for (facet_output *each = output->sibling; each; each = each->sibling)
        facet_new_file_undo(&each->file);
    facet_new_file_undo(&output->file);
}

/* True for a file without siblings that is still open. */
static bool is_open_alone(const facet_output *output)
{
    return output->kind == FACET_OUTPUT_TO_FILE && !output->sibling && output->file.descriptor >= 0;
}

/* From this number of files on, syncing the whole file system is faster. */
#define MANY_FILES 16

/* Wait until the disk has the bytes of these files. */
static facet_status sync_files(facet_output *const *outputs, size_t count, facet_error *error)
{
    size_t files = 0;
    uint64_t synced = 0;
    bool any = false;
    facet_status status = FACET_OK;
    for (size_t i = 0; i < count; i++)
        files += is_open_alone(outputs[i]) && !outputs[i]->unsynced;
    for (size_t i = 0; i < count && !status; i++) {
        facet_new_file *file = &outputs[i]->file;
        facet_file_info info;
        if (!is_open_alone(outputs[i]) || outputs[i]->unsynced)
            continue;
        bool many = files >= MANY_FILES && facet_system_get_open_file_info(file->descriptor, &info);
        if (many && any && info.device == synced)
            continue;
        if (many && facet_system_sync_file_system(file->descriptor)) {
            synced = info.device;
            any = true;
        } else {
            status = facet_new_file_sync(file, error);
        }
    }
    return status;
}

/* Complete the files of outputs. A file without siblings that has no name yet stays open, since it
 * gets its name directly. */
static facet_status finish_all(facet_output *const *outputs, size_t count, facet_error *error)
{
    facet_status status = FACET_OK;
    for (size_t i = 0; i < count && !status; i++) {
        facet_output *output = outputs[i];
        if (is_open_alone(output)) {
            facet_output_flush(output);
            status = output->failure.status;
            if (status && error)
                *error = output->failure;
        } else {
            status = facet_output_finish(output, error);
        }
    }
    if (!status)
        status = sync_files(outputs, count, error);
    for (size_t i = 0; i < count && !status; i++) {
        if (is_open_alone(outputs[i]) && !facet_new_file_is_nameless(&outputs[i]->file))
            status = facet_new_file_close(&outputs[i]->file, false, error);
    }
    return status;
}

facet_status facet_outputs_commit(facet_output *const *outputs, size_t count, facet_error *error)
{
    facet_status status = FACET_OK;
    for (size_t i = 0; i < count; i++) {
        for (facet_output *each = outputs[i]; each; each = each->sibling)
            each->group = outputs[0];
    }
    status = finish_all(outputs, count, error);
    for (size_t i = 0; i < count && !status; i++)
        status = publish_family(outputs[i], count == 1, error);
    if (!status)
        status = sync_folders(outputs, count, error);
    if (!status && count > 0)
        outputs[0]->committed = 1;
    for (size_t i = 0; i < count; i++) {
        if (status)
            undo(outputs[i]);
        for (facet_output *each = outputs[i]; each; each = each->sibling) {
            facet_new_file_remove_backup(&each->file);
            each->group = NULL;
        }
    }
    return status;
}

facet_status facet_output_commit(facet_output *output, facet_error *error)
{
    return facet_outputs_commit(&output, 1, error);
}

void facet_output_free(facet_output *output)
{
    while (output) {
        facet_output *next = output->sibling;
        if (output->kind == FACET_OUTPUT_TO_FILE || output->file.in_place) {
            if (output->file.descriptor >= 0)
                close(output->file.descriptor);
            output->file.descriptor = -1;
        }
        facet_new_file_undo(&output->file);
        leave_list(output);
        if (output->kind == FACET_OUTPUT_TO_CALLBACKS && output->callbacks.close)
            output->callbacks.close(output->callbacks.user);
        const facet_allocator *allocator = facet_arena_allocator(output->arena);
        if (output->kind == FACET_OUTPUT_TO_MEMORY && output->buffer)
            allocator->release(allocator->user, output->buffer, output->capacity);
        facet_arena_free(output->arena);
        output = next;
    }
}
