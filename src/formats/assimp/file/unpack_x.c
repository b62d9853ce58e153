/* formats/assimp/file/unpack_x.c - compressed X files ("tzip" and "bzip"). Facet unpacks them, so
 * that it can examine the text. assimp takes 32 KiB for each block of four bytes. */
#include "base/budget.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/assimp/file/scan.h"

#include <string.h>
#ifdef FACET_HAVE_ZLIB
#include <zlib.h>
#endif

/* After the head is the size of the unpacked file. Blocks follow. Each has its unpacked size, its
 * packed size with the bytes "CK", and a deflate stream. Its window is the text before it. */
enum { HEAD = 16, FIRST = HEAD + 4, BLOCK_HEAD = 6, MAX_BLOCK = 32768 };

static bool is_packed(const uint8_t *data, size_t size)
{
    return size > FIRST && memcmp(data, "xof ", 4) == 0 &&
           (memcmp(data + 8, "tzip", 4) == 0 || memcmp(data + 8, "bzip", 4) == 0);
}

#ifdef FACET_HAVE_ZLIB
typedef struct unpacker {
    uint8_t *text;
    size_t used, capacity, first; /* first: end of the head, where no window begins */
    facet_budget budget;
    facet_arena *scratch;
    facet_error *error;
} unpacker;

static facet_status unpack_block(unpacker *u, const uint8_t *data, size_t size, size_t offset)
{
    size_t window = u->used - u->first < MAX_BLOCK ? u->used - u->first : MAX_BLOCK;
    if (u->capacity - u->used < MAX_BLOCK) {
        size_t capacity = u->capacity * 2 + MAX_BLOCK;
        uint8_t *grown = facet_arena_resize(u->scratch, u->text, u->capacity, capacity, 1);
        if (!grown)
            return facet_fail_arena(u->scratch, u->error);
        u->text = grown;
        u->capacity = capacity;
    }
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)data,
                       .avail_in = (uInt)size,
                       .next_out = u->text + u->used,
                       .avail_out = MAX_BLOCK};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return facet_fail_memory(u->error, MAX_BLOCK);
    int result = Z_OK;
    if (window > 0)
        result = inflateSetDictionary(&stream, u->text + u->used - window, (uInt)window);
    if (result == Z_OK)
        result = inflate(&stream, Z_FINISH);
    size_t made = MAX_BLOCK - stream.avail_out;
    inflateEnd(&stream);
    if (result == Z_MEM_ERROR)
        return facet_fail_memory(u->error, MAX_BLOCK);
    if (result != Z_STREAM_END)
        return facet_fail(u->error, FACET_ERROR_MALFORMED, "ASSIMP", offset,
                          "a compressed block is damaged, or longer than 32,768 bytes");
    u->used += made;
    return facet_budget_spend(&u->budget, made, "blocks of the compressed file", u->error);
}

static facet_status unpack(const uint8_t *data, size_t size, unpacker *u)
{
    bool is_text = data[8] == 't';
    u->capacity = MAX_BLOCK;
    u->text = facet_arena_allocate(u->scratch, u->capacity, 1);
    if (!u->text)
        return facet_fail_arena(u->scratch, u->error);
    memcpy(u->text, data, HEAD);
    memcpy(u->text + 8, is_text ? "txt " : "bin ", 4);
    u->text[HEAD] = '\n';
    u->first = u->used = HEAD + is_text;
    for (size_t at = FIRST; size - at >= BLOCK_HEAD;) {
        size_t packed = facet_load_u16le(data + at + 2);
        if (packed < 2 || packed > size - at - 4 || memcmp(data + at + 4, "CK", 2) != 0)
            return facet_fail(u->error, FACET_ERROR_MALFORMED, "ASSIMP", at,
                              "the file is cut, or a compressed block does not begin with 'CK'");
        TRY(unpack_block(u, data + at + BLOCK_HEAD, packed - 2, at));
        at += 4 + packed;
    }
    return FACET_OK;
}
#endif

facet_status facet_assimp_unpack_x(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   const facet_options *options, facet_error *error)
{
    if (!is_packed(*data, *size))
        return FACET_OK;
#ifdef FACET_HAVE_ZLIB
    unpacker u = {.budget = facet_budget_of(options, *size, FACET_BUDGET_WORK),
                  .scratch = scratch,
                  .error = error};
    TRY(unpack(*data, *size, &u));
    *data = u.text;
    *size = u.used;
    return FACET_OK;
#else
    (void)scratch, (void)options;
    return facet_fail_absent(error, "compressed X files need", "zlib", "");
#endif
}
