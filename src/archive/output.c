/* archive/output.c - outputs into archives and through compression. Written data stays in memory
 * until the commit. */
#include "base/output.h"
#include "archive/chain.h"
#include "archive/codec.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/report.h"

#include <string.h>

/* One output, or one of its siblings. */
typedef struct part part;

/* Data that an output and its siblings share; freed with the last of them. */
typedef struct job {
    facet_arena *arena; /* owns this struct and the parts */
    unsigned users;
    facet_archive_output_options how;
    facet_options options;
    const char *path;
    bool in_archive;
    facet_chain chain;
    part *first;
    /* For a file outside of archives: */
    facet_layers layers;  /* compression of the new file */
    facet_file *old;      /* the replaced file, or NULL */
    facet_layers was;     /* compression of the replaced file */
    facet_output *output; /* the file; it has uncompressed siblings */
} job;

struct part {
    job *job;
    const char *member; /* its path in the last archive */
    facet_output *bytes;
    part *next;
};

/* -- Compression -------------------------------------------------------- */

static void push_layer(facet_layers *layers, const facet_codec *codec,
                       facet_compression compression)
{
    if (codec || compression)
        layers->each[layers->count++] = (facet_layer){.codec = codec, .compression = compression};
}

/* The compression for the first `length` bytes of a path. */
static facet_compression compression_by_name(const char *path, size_t length)
{
    const char *end = length >= 4 ? path + length - 4 : "";
    return strncmp(end, ".szs", 4) == 0   ? FACET_COMPRESSION_YAZ0
           : strncmp(end, ".szp", 4) == 0 ? FACET_COMPRESSION_YAY0
                                          : FACET_COMPRESSION_NONE;
}

/* The Yaz0 or Yay0 layer, or NULL. */
static const facet_layer *console_layer(const facet_layers *layers)
{
    for (unsigned i = 0; layers && i < layers->count; i++) {
        if (!layers->each[i].codec)
            return &layers->each[i];
    }
    return NULL;
}

/* The layers by the name: "a.szs.gz" is Yaz0 in gzip. The inner layer of a replaced file is
 * kept. */
static facet_layers layers_by_name(const facet_layers *was, const char *path)
{
    facet_layers layers = {0};
    const facet_layer *inner = console_layer(was);
    push_layer(&layers, facet_codec_from_path(path), FACET_COMPRESSION_NONE);
    push_layer(&layers, NULL,
               inner ? inner->compression
               : was ? FACET_COMPRESSION_NONE
                     : compression_by_name(path, facet_codec_stem(path)));
    return layers;
}

/* The layers by the options. `was` has those of the file or member that is replaced, or is NULL. */
static facet_layers wanted_layers(const facet_archive_output_options *how, const facet_layers *was,
                                  const char *path)
{
    facet_layers layers = {0};
    switch (how->compression) {
    case FACET_COMPRESS_NEVER:
        break;
    case FACET_COMPRESS_YAZ0:
        push_layer(&layers, NULL, FACET_COMPRESSION_YAZ0);
        break;
    case FACET_COMPRESS_YAY0:
        push_layer(&layers, NULL, FACET_COMPRESSION_YAY0);
        break;
    case FACET_COMPRESS_AS_IT_WAS:
    case FACET_COMPRESS_ALWAYS:
        if (was && was->count > 0 && !facet_codec_from_path(path))
            return *was;
        return layers_by_name(was, path);
    }
    return layers;
}

/* The compression of bytes that are replaced; none for a damaged stream. */
static facet_layers old_layers(const job *j, const uint8_t *data, size_t size)
{
    facet_layers layers = {0};
    if (!facet_codec_of(data, size)) {
        push_layer(&layers, NULL, facet_get_compression(data, size));
        layers.each[0].data = data;
        layers.each[0].size = size;
        return layers;
    }
    if (facet_layers_decode(j->arena, &j->options, &data, &size, &layers, NULL)) {
        facet_arena_forget_failure(j->arena);
        layers.count = 0;
    }
    return layers;
}

/* Compress to an output like `old`, which can be NULL: with or without zeros after it, and with the
 * unused words of Yaz0's header. */
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

static facet_status compress_layer(const facet_layer *layer, const uint8_t *data, size_t size,
                                   const job *j, const facet_layers *was, facet_output *output,
                                   facet_error *error)
{
    const facet_layer *old = console_layer(was);
    if (layer->codec)
        return layer->codec->encode(data, size, j->how.effort, output, error);
    return compress_like(data, size, layer->compression, j, old ? old->data : NULL,
                         old ? old->size : 0, output, error);
}

/* Compress, innermost layer first. `was` can be NULL. */
static facet_status compress(const facet_layers *layers, const uint8_t *data, size_t size,
                             const job *j, const facet_layers *was, facet_output *output,
                             facet_error *error)
{
    facet_output *inner = NULL;
    facet_status status = FACET_OK;
    for (unsigned i = layers->count; i-- > 0 && !status;) {
        facet_output *outer = i > 0 ? NULL : output;
        if (i > 0)
            status = facet_output_open_memory(j->options.allocator, &outer, error);
        if (!status)
            status = compress_layer(&layers->each[i], data, size, j, was, outer, error);
        if (i > 0 && !status)
            status = facet_output_commit(outer, error);
        facet_output_free(inner);
        inner = i > 0 ? outer : NULL;
        data = inner ? facet_output_data(inner) : NULL;
        size = inner ? (size_t)facet_output_size(inner) : 0;
    }
    facet_output_free(inner);
    return status;
}

static facet_status check_codec(const facet_layers *layers, facet_error *error)
{
    const facet_codec *codec = layers->count > 0 ? layers->each[0].codec : NULL;
    if (!codec || codec->encode)
        return FACET_OK;
    const char *thing = "compressing an output by its extension needs";
    return facet_fail_absent(error, thing, codec->library, codec->build_switch);
}

/* Add an output in memory. The job's arena cannot own it, so it is in the list of parts. */
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

/* -- Writing archives back ---------------------------------------------- */

/* Report that a new member has another name than its path, which has capital letters. */
static void report_case(const job *j, const facet_archive *archive, const char *path,
                        uint32_t member)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    facet_quoted quoted, stored;
    if (strcmp(name, archive->members[member].name) != 0)
        facet_report_add(j->options.report, "ARCHIVE-CASE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "'%s' is stored as '%s', because games look for lower case",
                         facet_quote(&quoted, name, strlen(name)),
                         facet_quote(&stored, archive->members[member].name,
                                     strlen(archive->members[member].name)));
}

/* Store a written part as a member of the last archive. */
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
    facet_layers was = {0};
    if (old)
        was = old_layers(j, old, old_size);
    facet_layers layers = wanted_layers(&j->how, old ? &was : NULL, p->member);
    TRY(check_codec(&layers, error));
    if (layers.count > 0) {
        part *stream = NULL;
        status = add_buffer(j, NULL, &stream, error);
        if (!status)
            status = compress(&layers, data, size, j, &was, stream->bytes, error);
        if (!status)
            status = facet_output_commit(stream->bytes, error);
        if (status)
            return status;
        data = facet_output_data(stream->bytes);
        size = (size_t)facet_output_size(stream->bytes);
    }
    if (member != FACET_NONE)
        return facet_archive_replace(archive, member, data, size, error);
    TRY(facet_archive_add(archive, p->member, data, size, &member, error));
    report_case(j, archive, p->member, member);
    return FACET_OK;
}

/* Write an archive of the chain to an output, with its old compression. */
static facet_status write_link(job *j, const facet_chain_link *link, facet_output *output,
                               facet_error *error)
{
    if (link->layers.count == 0)
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
        status = compress(&link->layers, facet_output_data(plain), (size_t)facet_output_size(plain),
                          &like, &link->layers, output, error);
    }
    facet_output_free(plain);
    return status;
}

/* Store each archive as a member of the one before, and the first one as the file. */
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

/* Write a file that is only compressed. */
static facet_status write_file(job *j, facet_error *error)
{
    facet_output *bytes = j->first->bytes;
    TRY(facet_output_commit(bytes, error));
    TRY(compress(&j->layers, facet_output_data(bytes), (size_t)facet_output_size(bytes), j, &j->was,
                 j->output, error));
    return facet_output_commit(j->output, error);
}

/* -- Callbacks ---------------------------------------------------------- */

static facet_status write_part(void *user, const void *data, size_t size, facet_error *error)
{
    part *p = user;
    (void)error;
    facet_output_write(p->bytes, data, size);
    return FACET_OK;
}

/* Commit all parts; the output itself is last. */
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
    facet_output_free(j->output);
    facet_file_close(j->old);
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

/* Write to a sibling of a compressed file. It is committed with that file, without compression. */
static facet_status write_beside(void *user, const void *data, size_t size, facet_error *error)
{
    (void)error;
    facet_output_write(user, data, size);
    return FACET_OK;
}

static facet_status open_beside(void *user, const char *name, facet_output_callbacks *sibling,
                                facet_error *error)
{
    facet_output *made = NULL;
    TRY(facet_output_open_beside(((part *)user)->job->output, name, &made, error));
    *sibling = (facet_output_callbacks){.write = write_beside, .user = made};
    return FACET_OK;
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
    TRY(check_member(j, path, error));
    TRY(add_buffer(j, path, &made, error));
    *sibling = (facet_output_callbacks){.write = write_part, .close = close_part, .user = made};
    j->users++;
    return FACET_OK;
}

/* -- Opening ------------------------------------------------------------ */

static facet_status create_job(const char *path, const facet_archive_output_options *how,
                               const facet_options *options, job **made, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_check_options(options, error));
    TRY(FACET_CHECK_STRUCT(how, facet_archive_output_options, error));
    TRY(facet_arena_create(options, &arena, error));
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
    /* A commit cannot be canceled. */
    j->options.progress = NULL;
    j->options.threads = NULL;
    *made = j;
    return FACET_OK;
}

/* Resolve the path. */
static facet_status look(job *j, facet_error *error)
{
    bool is_regular;
    size_t length = facet_file_look(j->path, &is_regular);
    j->in_archive = length > 0;
    if (j->in_archive) {
        facet_error own = {0};
        facet_status status = facet_chain_open(j->path, length, &j->options, &j->chain, &own);
        if (status && error)
            *error = own;
        return status;
    }
    if (is_regular)
        facet_file_open(j->path, &j->options, &j->old, NULL);
    if (j->old) {
        const facet_source old = facet_file_source(j->old);
        j->was = old_layers(j, old.data, old.size);
    }
    j->layers = wanted_layers(&j->how, j->old ? &j->was : NULL, j->path);
    if (j->layers.count == 0 && j->how.compression == FACET_COMPRESS_ALWAYS)
        push_layer(&j->layers, NULL,
                   compression_by_name(j->path, strlen(j->path)) == FACET_COMPRESSION_YAY0
                       ? FACET_COMPRESSION_YAY0
                       : FACET_COMPRESSION_YAZ0);
    return check_codec(&j->layers, error);
}

/* The path of the output in the last archive. */
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
    const char *member = NULL, *slash = strrchr(j->path, '/'), *name = slash ? slash + 1 : j->path;
    facet_status status = FACET_OK;
    if (j->in_archive) {
        callbacks.open_sibling = open_sibling;
        member = member_path(j);
        status = member ? check_member(j, member, error) : facet_fail_arena(j->arena, error);
    } else {
        /* Writers name siblings without the compression: "a.mtl" next to "a.obj.gz". */
        callbacks.open_sibling = open_beside;
        name = facet_arena_string(j->arena, name, facet_codec_stem(name));
        status = name ? facet_output_open(j->path, &j->output, error)
                      : facet_fail_arena(j->arena, error);
    }
    if (!status)
        status = add_buffer(j, member, &made, error);
    if (status)
        return status;
    callbacks.user = made;
    j->users = 1;
    return facet_output_open_callbacks(&callbacks, name, output, error);
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
    bool plain = !j->in_archive && j->layers.count == 0;
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
