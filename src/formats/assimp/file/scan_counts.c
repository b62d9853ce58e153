/* formats/assimp/file/scan_counts.c - limits of counts. assimp reads nested nodes by recursion, and
 * some lists in quadratic time. A count of the text that begins each node bounds the depth, however
 * a file hides its nesting in comments or texts. */
#include "base/bytes.h"
#include "formats/assimp/file/scan.h"

#include <string.h>

/* Limits per format. Each is at most half of the depth at which assimp 5.2 overflows a stack of
 * 8 MiB; that of LWO takes it about 1.5 s. */
static const struct {
    const char *extensions, *magic;
    const char *mark; /* begins each node */
    uint32_t max;
    const char *sentence;
} counts[] = {
    {".x", "xof ", "Frame", 10000, "more than 10,000 frames"},
    {".bvh .mot", "HIERARCHY", "{", 8000, "more than 8,000 joints"},
    {".b3d", "BB3D", "NODE", 8000, "more than 8,000 nodes"},
    {".ogex", "Metric", "Node", 10000, "more than 10,000 nodes"},
    {".lwo .lxo", "FORM", "LAYR", 5000, "more than 5,000 layers"},
    {".lws .mot", "LWSC", "Parent", 2000, "more than 2,000 parents"},
    {".lws .mot", "LWSC", "{", 30000, "more than 30,000 blocks"},
    {".lws .mot", "LWMO", "{", 30000, "more than 30,000 blocks"},
};

static facet_status fail_count(facet_error *error, size_t at, const char *sentence)
{
    return facet_fail(error, FACET_ERROR_LIMIT, "ASSIMP", at, "%s, which assimp cannot read safely",
                      sentence);
}

static facet_status limit_marks(const uint8_t *data, size_t size, const char *mark, uint32_t max,
                                const char *sentence, facet_error *error)
{
    size_t length = strlen(mark);
    uint32_t count = 0;
    const uint8_t *at = data, *end = data + size;
    while ((at = memchr(at, mark[0], (size_t)(end - at)))) {
        if ((size_t)(end - at) >= length && memcmp(at, mark, length) == 0 && ++count > max)
            return fail_count(error, (size_t)(at - data), sentence);
        at++;
    }
    return FACET_OK;
}

/* An object of AC has others below it if its line "kids" has a number other than 0. */
static facet_status limit_kids(const uint8_t *data, size_t size, facet_error *error)
{
    enum { MAX_GROUPS = 2000 };
    uint32_t count = 0;
    for (size_t i = 0; i + 4 < size; i++) {
        if (memcmp(data + i, "kids", 4) != 0)
            continue;
        size_t at = i + 4;
        while (at < size && (data[at] <= ' ' || data[at] == '0'))
            at++;
        if (at < size && data[at] >= '1' && data[at] <= '9' && ++count > MAX_GROUPS)
            return fail_count(error, i, "more than 2,000 groups");
    }
    return FACET_OK;
}

/* assimp divides each face of an AC, and each sphere, cylinder and cone of an NFF, into four parts
 * as often as the number after a keyword says. */
typedef struct division {
    const char *keyword;
    uint32_t number;      /* if the keyword is missing */
    const char *parts[3]; /* words at the start of a line: each is divided */
    uint64_t max;
    const char *sentence;
} division;

static bool begins(const uint8_t *data, size_t size, const char *word)
{
    size_t length = strlen(word);
    return size > length && memcmp(data, word, length) == 0 && data[length] <= ' ';
}

static facet_status limit_division(const uint8_t *data, size_t size, const division *d,
                                   facet_error *error)
{
    enum { MAX_NUMBER = 12 };
    uint32_t most = d->number;
    uint64_t count = 0;
    for (size_t i = 0; i < size; i++) {
        while (i < size && data[i] <= ' ')
            i++;
        for (int k = 0; k < 3 && d->parts[k]; k++)
            count += begins(data + i, size - i, d->parts[k]);
        if (begins(data + i, size - i, d->keyword)) {
            uint32_t number = 0;
            for (i += strlen(d->keyword); i < size && data[i] <= ' ' && data[i] != '\n'; i++)
                continue;
            for (; i < size && data[i] >= '0' && data[i] <= '9' && number < MAX_NUMBER; i++)
                number = number * 10 + (uint32_t)(data[i] - '0');
            most = number > most ? number : most;
        }
        if (most >= MAX_NUMBER || count << 2 * most > d->max)
            return fail_count(error, i, d->sentence);
        while (i < size && data[i] != '\n' && data[i] != '\r')
            i++;
    }
    return FACET_OK;
}

static const division faces_of_ac = {
    "subdiv", 0, {"refs"}, 1000000, "faces are divided into more than 1,000,000"};
/* The sphere has 20 faces for each part. A scene of 7,381 spheres is common. */
static const division spheres_of_nff = {"tess",
                                        4,
                                        {"s", "c"},
                                        2000000,
                                        "spheres and cones are divided into more than 2,000,000 "
                                        "parts"};

/* Objects of 3DS are below one another by their position in the list. A record has the type 0xB010,
 * its size, and a name. */
static facet_status limit_tracks(const uint8_t *data, size_t size, facet_error *error)
{
    enum { MAX_TRACKS = 8000, MAX_NAME = 65535 };
    uint32_t count = 0;
    for (size_t i = 0; i + 6 <= size; i++) {
        if (data[i] == 0x10 && data[i + 1] == 0xB0 && facet_load_u32le(data + i + 2) <= MAX_NAME &&
            ++count > MAX_TRACKS)
            return fail_count(error, i, "more than 8,000 objects");
    }
    return FACET_OK;
}

/* Nodes in a dump of assimp. A dump can be compressed; then the nodes are not visible. */
static facet_status limit_dump(const uint8_t *data, size_t size, facet_error *error)
{
    enum { COMPRESSED = 62 };
    if (size > COMPRESSED + 1 && facet_load_u16le(data + COMPRESSED) != 0)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "ASSIMP", COMPRESSED,
                          "compressed dumps of assimp are not supported");
    uint32_t count = 0;
    for (size_t i = 0; i + 4 <= size; i++) {
        if (facet_load_u32le(data + i) == 0x123C && ++count > 2000)
            return fail_count(error, i, "more than 2,000 nodes");
    }
    return FACET_OK;
}

/* The joints of MS3D are after four lists. Each group has a list of triangles. */
static facet_status limit_joints(const uint8_t *data, size_t size, facet_error *error)
{
    enum { HEAD = 14, VERTEX = 15, TRIANGLE = 70, GROUP = 36, MATERIAL = 361, TIMES = 12 };
    enum { MAX_JOINTS = 1000 }; /* the format allows 128 */
    static const size_t sizes[] = {VERTEX, TRIANGLE, 0, MATERIAL};
    size_t at = HEAD;
    for (int list = 0; list < 4; list++) {
        if (at + 2 > size)
            return FACET_OK;
        uint32_t count = facet_load_u16le(data + at);
        at += 2 + count * sizes[list];
        for (uint32_t i = 0; list == 2 && i < count; i++) {
            if (size < GROUP || at > size - GROUP)
                return FACET_OK;
            at += GROUP + 2 * (size_t)facet_load_u16le(data + at + 33);
        }
    }
    if (at + TIMES + 2 <= size && facet_load_u16le(data + at + TIMES) > MAX_JOINTS)
        return fail_count(error, at + TIMES, "more than 1,000 joints");
    return FACET_OK;
}

facet_status facet_assimp_scan_counts(const uint8_t *data, size_t size, const char *extension,
                                      facet_error *error)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (facet_assimp_is_format(data, size, extension, counts[i].extensions, counts[i].magic))
            TRY(limit_marks(data, size, counts[i].mark, counts[i].max, counts[i].sentence, error));
    }
    if (facet_assimp_is_format(data, size, extension, ".ac .acc .ac3d", "AC3D")) {
        TRY(limit_kids(data, size, error));
        TRY(limit_division(data, size, &faces_of_ac, error));
    }
    if (facet_assimp_is_format(data, size, extension, ".nff .enff", NULL))
        TRY(limit_division(data, size, &spheres_of_nff, error));
    if (facet_assimp_is_format(data, size, extension, ".3ds .prj", "MM"))
        TRY(limit_tracks(data, size, error));
    if (facet_assimp_is_format(data, size, extension, ".assbin", "ASSIMP.binary"))
        TRY(limit_dump(data, size, error));
    if (facet_assimp_is_format(data, size, extension, ".ms3d", "MS3D000000"))
        TRY(limit_joints(data, size, error));
    return FACET_OK;
}
