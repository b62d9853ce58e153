/* formats/ply/pieces.c - text records on several threads.
 *
 * The file is cut into blocks, whose line feeds are counted. If every record is a line, this gives
 * the first record of each block, and each thread reads records to their final positions. If that
 * assumption is wrong, ascii.c continues after the last record for which it was right. The result
 * is the same. */
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/threads.h"
#include "formats/ply/ascii.h"

/* Smaller only in fuzzing. */
#ifndef FACET_PLY_BLOCK
#define FACET_PLY_BLOCK ((size_t)1 << 19)
#endif

/* -- Blocks ------------------------------------------------------------- */

/* Count line feeds; sums of bytes are added before they can overflow. The compiler vectorizes
 * this. */
static uint32_t count_line_feeds(const uint8_t *from, size_t size)
{
    uint32_t lines = 0;
    for (size_t i = 0; i < size;) {
        uint8_t some = 0;
        for (size_t stop = size - i < 255 ? size : i + 255; i < stop; i++)
            some = (uint8_t)(some + (from[i] == '\n'));
        lines += some;
    }
    return lines;
}

static size_t block_count(const facet_ply_text *t)
{
    return ((size_t)(t->end - t->body->blocks) + FACET_PLY_BLOCK - 1) / FACET_PLY_BLOCK;
}

static const uint8_t *block_at(const facet_ply_text *t, size_t block)
{
    return block < block_count(t) ? t->body->blocks + block * FACET_PLY_BLOCK : t->end;
}

/* Bytes on the stack of a thread for a copy of a part of the file. */
#define COPY ((size_t)8 << 10)

static void count_block(void *argument, size_t index)
{
    const facet_ply_text *t = *(const facet_ply_text *const *)argument;
    const facet_source *source = t->body->source;
    const uint8_t *from = block_at(t, index), *end = block_at(t, index + 1);
    uint8_t copy[COPY];
    uint32_t lines = 0;
    for (size_t size; from < end; from += size) {
        size = (size_t)(end - from) < COPY ? (size_t)(end - from) : COPY;
        facet_source_copy(source, (size_t)(from - source->data), copy, size);
        lines += count_line_feeds(copy, size);
    }
    t->body->line_feeds[index] = lines;
}

/* Count blocks once for all elements, at the first one. */
static facet_status count_blocks(const facet_ply_text *t)
{
    facet_ply_body *body = t->body;
    if (body->line_feeds)
        return FACET_OK;
    body->blocks = t->at;
    size_t count = block_count(t);
    body->line_feeds = facet_arena_allocate(t->arena, count, sizeof *body->line_feeds);
    if (!body->line_feeds)
        return facet_fail_arena(t->arena, body->error);
    facet_run(body->options, count_block, &t, count);
    return FACET_OK;
}

/* -- Cutting ------------------------------------------------------------ */

/* Set the start of each piece: one per block, up to the end of the records or of the lines. Returns
 * their number. */
static uint32_t cut(const facet_ply_text *t, facet_ply_piece *pieces)
{
    size_t block = (size_t)(t->at - t->body->blocks) / FACET_PLY_BLOCK;
    uint64_t record = t->record;
    const uint8_t *at = t->at;
    uint32_t count = 0;
    while (at && record < t->element->count) {
        pieces[count++] = (facet_ply_piece){.begin = at, .first = (uint32_t)record};
        const uint8_t *next = block_at(t, block + 1);
        record +=
            count > 1 ? t->body->line_feeds[block] : count_line_feeds(at, (size_t)(next - at));
        at = next < t->end ? memchr(next, '\n', (size_t)(t->end - next)) : NULL;
        block++;
    }
    return count;
}

/* True if every record can be stored before the previous ones are read. */
static bool is_regular(const facet_ply_text *t)
{
    bool regular = t->four_count > 0 && t->at < t->end && *t->at == '\n';
    for (uint32_t i = 0; i < t->element->property_count && regular; i++) {
        const facet_ply_column *c = &t->columns[i];
        regular = !c->offsets && (uint64_t)t->element->count * c->length <= c->capacity;
    }
    return regular;
}

/* -- Reading ------------------------------------------------------------ */

static void read_piece(void *argument, size_t index)
{
    facet_ply_piece *p = (facet_ply_piece *)argument + index;
    uint8_t bytes[COPY];
    p->text.block = facet_block_make(p->text.body->source, bytes, sizeof bytes);
    facet_ply_run_lines(&p->text, p->last, p->text.end);
    p->text.block = (facet_block){0};
}

static void begin_piece(const facet_ply_text *t, facet_ply_piece *p, facet_ply_column *columns)
{
    p->text = *t;
    p->text.columns = columns;
    p->text.at = p->begin;
    p->text.record = p->first;
    p->text.lines = 0;
    for (uint32_t i = 0; i < t->element->property_count; i++) {
        columns[i] = t->columns[i];
        columns[i].value_count = p->first * columns[i].length;
    }
}

facet_status facet_ply_run_pieces(const facet_ply_text *t, facet_ply_piece **pieces,
                                  uint32_t *count)
{
    uint32_t properties = t->element->property_count;
    *pieces = NULL;
    *count = 0;
    if (facet_thread_count(t->body->options) == 1 || t->record >= t->element->count ||
        (size_t)(t->end - t->at) < 2 * FACET_PLY_BLOCK || !is_regular(t))
        return FACET_OK;
    TRY(count_blocks(t));
    size_t most = block_count(t);
    *pieces = facet_arena_allocate(t->arena, most, sizeof **pieces);
    facet_ply_column *columns = facet_arena_allocate(t->arena, most, properties * sizeof *columns);
    if (!*pieces || !columns)
        return facet_fail_arena(t->arena, t->body->error);
    *count = cut(t, *pieces);
    for (uint32_t i = 0; i < *count; i++) {
        facet_ply_piece *p = &(*pieces)[i];
        p->last = i + 1 < *count ? p[1].first : t->element->count;
        begin_piece(t, p, columns + (size_t)i * properties);
    }
    double size = (double)t->body->source->size, range[2];
    range[0] = (double)(t->at - t->body->source->data) / size;
    range[1] = (double)((*pieces)[*count - 1].begin - t->body->source->data) / size;
    return facet_run_steps(t->body->options, read_piece, *pieces, *count, "read", range,
                           t->body->error);
}

void facet_ply_adopt(facet_ply_text *t, const facet_ply_piece *piece)
{
    bool holds = t->at == piece->begin && t->record == piece->first;
    for (uint32_t i = 0; i < t->element->property_count && holds; i++)
        holds = !t->columns[i].offsets;
    if (!holds)
        return;
    t->at = piece->text.at;
    t->record = piece->text.record;
    t->lines += piece->text.lines;
    for (uint32_t i = 0; i < t->element->property_count; i++)
        t->columns[i].value_count = t->record * t->columns[i].length;
}
