/* archive/output.c - outputs into archives and through compression. What is written
 * is kept in memory until the commit. */
#include "archive/chain.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <string.h>

/* One output, or a sibling of it. */
typedef struct part part;

/* What an output and its siblings have in common; freed with the last of them. */
typedef struct job {
    facet_arena *arena; /* owns this and the parts */
    unsigned users;
    facet_archive_output_options how;
    facet_options options;
    const char *path;
    bool in_archive;
    facet_chain chain;
    facet_compression compression; /* of a file that is in no archive */
    part *first;
} job;

struct part {
    job *job;
    const char *member; /* its path in the last archive */
    facet_output *bytes;
    part *next;
};

/* -- Compressing -------------------------------------------------------- */

/* What the name of a new file asks for. */
static facet_compression compression_by_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".szs") == 0   ? FACET_COMPRESSION_YAZ0
           : dot && strcmp(dot, ".szp") == 0 ? FACET_COMPRESSION_YAY0
                                             : FACET_COMPRESSION_NONE;
}

/* What is asked for, where the file or member `old` (NULL: there is none) stands. */
static facet_compression wanted_compression(const facet_archive_output_options *how,
                                            const uint8_t *old, size_t old_size, const char *path)
{
    switch (how->compression) {
    case FACET_COMPRESS_NEVER:
        return FACET_COMPRESSION_NONE;
    case FACET_COMPRESS_YAZ0:
        return FACET_COMPRESSION_YAZ0;
    case FACET_COMPRESS_YAY0:
        return FACET_COMPRESSION_YAY0;
    case FACET_COMPRESS_AS_IT_WAS:
    case FACET_COMPRESS_ALWAYS:
        break;
    }
    return old ? facet_get_compression(old, old_size) : compression_by_name(path);
}

/* Compress to an output in the way of `old`, which may be NULL: with zeros behind
 * it or not, and with the words of the header that Yaz0 leaves free. */
static facet_status compress_like(const uint8_t *data, size_t size, facet_compression compression,
                                  const job *j, const uint8_t *old, size_t old_size,
                                  facet_output *output, facet_error *error)
{
    enum { SIZE_END = 8, HEADER = 16 };
    size_t alignment = j->how.alignment;
    bool was = old && facet_get_compression(old, old_size) == compression;
    facet_output *stream = NULL;
    if (alignment == 0)
        alignment = was && old_size % FACET_ARCHIVE_ALIGNMENT != 0 ? 1 : FACET_ARCHIVE_ALIGNMENT;
    if (!was || compression != FACET_COMPRESSION_YAZ0 || old_size < HEADER)
        return facet_compress(data, size, compression, j->how.effort, alignment, &j->options,
                              output, error);
    facet_status status = facet_output_open_memory(j->options.allocator, &stream, error);
    if (!status)
        status = facet_compress(data, size, compression, j->how.effort, alignment, &j->options,
                                stream, error);
    if (!status)
        status = facet_output_commit(stream, error);
    if (!status) {
        const uint8_t *bytes = facet_output_data(stream);
        facet_output_write(output, bytes, SIZE_END);
        facet_output_write(output, old + SIZE_END, HEADER - SIZE_END);
        facet_output_write(output, bytes + HEADER, (size_t)facet_output_size(stream) - HEADER);
    }
    facet_output_free(stream);
    return status;
}

/* A new output in memory, which the job's arena cannot own: it is listed among its
 * parts. */
static facet_status add_buffer(job *j, const char *member, part **made, facet_error *error)
{
    part *p = facet_arena_allocate_zeroed(j->arena, 1, sizeof *p);
    if (!p)
        return facet_fail_arena(j->arena, error);
    TRY(facet_output_open_memory(j->options.allocator, &p->bytes, error));
    p->job = j;
    p->member = member;
    p->next = j->first;
    j->first = p;
    *made = p;
    return FACET_OK;
}

/* -- Putting archives back ---------------------------------------------- */

/* RARC tells in its flags how a member is compressed. */
static void set_flags(facet_archive *archive, uint32_t member, facet_compression compression)
{
    uint8_t *flags = &archive->members[member].flags;
    if (archive->kind != FACET_ARCHIVE_RARC)
        return;
    *flags &= (uint8_t) ~(FACET_ARCHIVE_COMPRESSED | FACET_ARCHIVE_YAZ0);
    if (compression != FACET_COMPRESSION_NONE)
        *flags |= FACET_ARCHIVE_COMPRESSED;
    if (compression == FACET_COMPRESSION_YAZ0)
        *flags |= FACET_ARCHIVE_YAZ0;
}

/* What was written becomes a member of the last archive. */
static facet_status put_part(job *j, part *p, facet_error *error)
{
    facet_archive *archive = facet_chain_last(&j->chain)->archive;
    TRY(facet_output_commit(p->bytes, error));
    facet_status status = FACET_OK;
    const uint8_t *data = facet_output_data(p->bytes);
    size_t size = (size_t)facet_output_size(p->bytes);
    uint32_t member = facet_archive_find(archive, FACET_NONE, p->member);
    const uint8_t *old = member == FACET_NONE ? NULL : archive->members[member].data;
    size_t old_size = old ? archive->members[member].size : 0;
    facet_compression compression = wanted_compression(&j->how, old, old_size, p->member);
    if (compression != FACET_COMPRESSION_NONE) {
        part *stream = NULL;
        status = add_buffer(j, NULL, &stream, error);
        if (!status)
            status = compress_like(data, size, compression, j, old, old_size, stream->bytes, error);
        if (!status)
            status = facet_output_commit(stream->bytes, error);
        if (status)
            return status;
        data = facet_output_data(stream->bytes);
        size = (size_t)facet_output_size(stream->bytes);
    }
    bool changed =
        compression != (old ? facet_get_compression(old, old_size) : FACET_COMPRESSION_NONE);
    status = member == FACET_NONE
                 ? facet_archive_add(archive, p->member, data, size, &member, error)
                 : facet_archive_replace(archive, member, data, size, error);
    if (!status && changed)
        set_flags(archive, member, compression);
    return status;
}

/* Write an archive of the chain, compressed as it was, to an output. */
static facet_status write_link(job *j, const facet_chain_link *link, facet_output *output,
                               facet_error *error)
{
    facet_compression compression = facet_get_compression(link->stored, link->stored_size);
    if (compression == FACET_COMPRESSION_NONE)
        return facet_archive_write(link->archive, &j->options, output, error);
    facet_output *plain = NULL;
    facet_status status = facet_output_open_memory(j->options.allocator, &plain, error);
    if (!status)
        status = facet_archive_write(link->archive, &j->options, plain, error);
    if (!status)
        status = facet_output_commit(plain, error);
    if (!status) {
        job like = *j;
        like.how.alignment = 0;
        status = compress_like(facet_output_data(plain), (size_t)facet_output_size(plain),
                               compression, &like, link->stored, link->stored_size, output, error);
    }
    facet_output_free(plain);
    return status;
}

/* Each archive becomes a member of the one before, and the first one the file. */
static facet_status write_chain(job *j, facet_error *error)
{
    facet_chain *chain = &j->chain;
    facet_status status = FACET_OK;
    for (unsigned i = chain->count; i-- > 1 && !status;) {
        const facet_chain_link *before = &chain->links[i - 1];
        part *inner = NULL;
        status = add_buffer(j, NULL, &inner, error);
        if (!status)
            status = write_link(j, &chain->links[i], inner->bytes, error);
        if (!status)
            status = facet_output_commit(inner->bytes, error);
        if (!status)
            status = facet_archive_replace(before->archive, before->member,
                                           facet_output_data(inner->bytes),
                                           (size_t)facet_output_size(inner->bytes), error);
    }
    facet_output *output = NULL;
    if (!status)
        status = facet_output_open(chain->path, &output, error);
    if (!status)
        status = write_link(j, &chain->links[0], output, error);
    if (!status)
        status = facet_output_commit(output, error);
    facet_output_free(output);
    return status;
}

/* A file that is only compressed. */
static facet_status write_file(job *j, facet_error *error)
{
    facet_output *output = NULL, *bytes = j->first->bytes;
    facet_input *old = NULL;
    facet_source was = {0};
    facet_status status = facet_output_commit(bytes, error);
    if (!status && facet_input_open(j->path, &j->options, &old, NULL) == FACET_OK)
        was = facet_input_source(old);
    if (!status)
        status = facet_output_open(j->path, &output, error);
    if (!status)
        status = compress_like(facet_output_data(bytes), (size_t)facet_output_size(bytes),
                               j->compression, j, was.data, was.size, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    facet_output_free(output);
    facet_input_close(old);
    return status;
}

/* -- As callbacks ------------------------------------------------------- */

static facet_status write_part(void *user, const void *data, size_t size, facet_error *error)
{
    part *p = user;
    (void)error;
    facet_output_write(p->bytes, data, size);
    return FACET_OK;
}

/* The output itself comes last. */
static facet_status commit_all(void *user, facet_error *error)
{
    job *j = ((part *)user)->job;
    facet_status status = FACET_OK;
    if (!j->in_archive)
        return write_file(j, error);
    for (part *p = j->first; p && !status; p = p->next) {
        if (p->member)
            status = put_part(j, p, error);
    }
    return status ? status : write_chain(j, error);
}

static void free_job(job *j)
{
    for (part *p = j->first; p; p = p->next)
        facet_output_free(p->bytes);
    facet_chain_close(&j->chain);
    facet_arena_free(j->arena);
}

static void close_part(void *user)
{
    job *j = ((part *)user)->job;
    if (--j->users == 0)
        free_job(j);
}

static facet_status check_member(job *j, const char *path, facet_error *error)
{
    const facet_chain_link *last = facet_chain_last(&j->chain);
    uint32_t found = facet_archive_find(last->archive, FACET_NONE, path);
    facet_quoted quoted, archive;
    if (last->archive->kind == FACET_ARCHIVE_ZIP || last->archive->kind == FACET_ARCHIVE_TAR)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-DIRECTION", FACET_NO_OFFSET,
                          "%s archives are read, not written",
                          last->archive->kind == FACET_ARCHIVE_ZIP ? "ZIP" : "tar");
    if (found == FACET_NONE ? j->how.add : !facet_archive_is_folder(&last->archive->members[found]))
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_IO,
                      found == FACET_NONE ? "ARCHIVE-MEMBER" : "ARCHIVE-FOLDER", FACET_NO_OFFSET,
                      found == FACET_NONE ? "'%s' is not in '%s'" : "'%s' is a folder in '%s'",
                      facet_quote(&quoted, path, strlen(path)),
                      facet_quote(&archive, last->path, strlen(last->path)));
}

static facet_status open_sibling(void *user, const char *name, facet_output_callbacks *sibling,
                                 facet_error *error)
{
    const part *main = user;
    job *j = main->job;
    const char *slash = strrchr(main->member, '/');
    int folder = slash ? (int)(slash - main->member) + 1 : 0;
    const char *path = facet_arena_format(j->arena, "%.*s%s", folder, main->member, name);
    part *made = NULL;
    if (!path)
        return facet_fail_arena(j->arena, error);
    facet_status status = check_member(j, path, error);
    if (!status)
        status = add_buffer(j, path, &made, error);
    if (status)
        return status;
    *sibling = (facet_output_callbacks){.write = write_part, .close = close_part, .user = made};
    j->users++;
    return FACET_OK;
}

/* -- Opening ------------------------------------------------------------ */

static facet_status create_job(const char *path, const facet_archive_output_options *how,
                               const facet_options *options, job **made, facet_error *error)
{
    facet_arena *arena = NULL;
    facet_status status = facet_check_options(options, error);
    if (!status)
        status = FACET_CHECK_STRUCT(how, facet_archive_output_options, error);
    if (!status)
        status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    job *j = facet_arena_allocate_zeroed(arena, 1, sizeof *j);
    const char *copy = facet_arena_string(arena, path, strlen(path));
    if (!j || !copy) {
        return facet_arena_abandon(arena, error);
    }
    j->arena = arena;
    j->path = copy;
    if (how)
        j->how = *how;
    if (options)
        j->options = *options;
    /* A commit is not stopped half-way. */
    j->options.progress = NULL;
    j->options.threads = NULL;
    *made = j;
    return FACET_OK;
}

/* Find out what the path leads to. */
static facet_status look(job *j, facet_error *error)
{
    facet_file *old = NULL;
    size_t length = facet_file_in_path(j->path);
    j->in_archive = length > 0;
    if (j->in_archive) {
        facet_error own = {0};
        facet_status status = facet_chain_open(j->path, length, &j->options, &j->chain, &own);
        if (status && error)
            *error = own;
        return status;
    }
    if (facet_file_is_regular(j->path))
        facet_file_open(j->path, &old, NULL);
    j->compression = wanted_compression(&j->how, old ? facet_file_data(old) : NULL,
                                        old ? facet_file_size(old) : 0, j->path);
    if (j->compression == FACET_COMPRESSION_NONE && j->how.compression == FACET_COMPRESS_ALWAYS)
        j->compression = compression_by_name(j->path) == FACET_COMPRESSION_YAY0
                             ? FACET_COMPRESSION_YAY0
                             : FACET_COMPRESSION_YAZ0;
    facet_file_close(old);
    return FACET_OK;
}

/* The path of what is written, in the last archive. */
static const char *member_path(job *j)
{
    const facet_chain_link *last = facet_chain_last(&j->chain);
    if (last->member == FACET_NONE)
        return facet_arena_string(j->arena, j->chain.rest, strlen(j->chain.rest));
    size_t length = facet_archive_path(last->archive, last->member, NULL, 0) + 1;
    char *path = facet_arena_allocate(j->arena, length, 1);
    if (path)
        facet_archive_path(last->archive, last->member, path, length);
    return path;
}

static facet_status open_part(job *j, facet_output **output, facet_error *error)
{
    facet_output_callbacks callbacks = {
        .write = write_part, .commit = commit_all, .close = close_part};
    part *made = NULL;
    const char *member = NULL, *slash = strrchr(j->path, '/');
    facet_status status = FACET_OK;
    if (j->in_archive) {
        callbacks.open_sibling = open_sibling;
        member = member_path(j);
        status = member ? check_member(j, member, error) : facet_fail_arena(j->arena, error);
    }
    if (!status)
        status = add_buffer(j, member, &made, error);
    if (status)
        return status;
    callbacks.user = made;
    j->users = 1;
    return facet_output_open_callbacks(&callbacks, slash ? slash + 1 : j->path, output, error);
}

size_t facet_archive_in_path(const char *path)
{
    return facet_file_in_path(path);
}

facet_status facet_archive_open_output(const char *path, const facet_archive_output_options *how,
                                       const facet_options *options, facet_output **output,
                                       facet_error *error)
{
    job *j = NULL;
    TRY(create_job(path, how, options, &j, error));
    facet_status status = look(j, error);
    bool plain = !j->in_archive && j->compression == FACET_COMPRESSION_NONE;
    if (!status && !plain)
        status = open_part(j, output, error);
    if (status || plain)
        free_job(j);
    return !status && plain ? facet_output_open(path, output, error) : status;
}

facet_status facet_archive_delete(const char *path, const facet_archive_output_options *how,
                                  const facet_options *options, facet_error *error)
{
    job *j = NULL;
    TRY(create_job(path, how, options, &j, error));
    facet_status status = look(j, error);
    if (!status && !j->in_archive)
        status = facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET,
                            "'%s' is not in an archive", path);
    if (!status) {
        const facet_chain_link *last = facet_chain_last(&j->chain);
        uint32_t member = last->member;
        if (member == FACET_NONE)
            member = facet_archive_find(last->archive, FACET_NONE, j->chain.rest);
        status = member == FACET_NONE ? facet_chain_fail(&j->chain, error)
                                      : facet_archive_remove(last->archive, member, error);
    }
    if (!status)
        status = write_chain(j, error);
    free_job(j);
    return status;
}
