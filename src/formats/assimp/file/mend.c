/* formats/assimp/file/mend.c - what assimp 5.2 writes is made right.
 *
 * A binary FBX lacks the empty record that ends a list of records within a
 * record. Without it no program reads the file, nor does assimp. A record
 * (version 7.5): u64 where it ends, u64 count and u64 bytes of its properties,
 * u8 length and characters of its name, the properties, and a list of records,
 * up to an empty one of 25 zero bytes. After the list at the top stand 16 bytes,
 * zeros up to a multiple of 16 (at least one), and 144 bytes.
 *
 * FBX and COLLADA hold the time of writing. The same scene is to give the same
 * bytes, so it becomes that of SOURCE_DATE_EPOCH, or else the year 1970. */
#include "base/bytes.h"
#include "base/size.h"
#include "formats/assimp/file/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* -- Lists of an FBX ---------------------------------------------------- */

#define FILE_HEADER 27
#define EMPTY_RECORD 25 /* also what every record has before its name */
#define FOOT_BEGIN 16
#define FOOT_END 144
#define DEEPEST 32 /* assimp's go six deep */

typedef struct level {
    size_t end;   /* of the record, as assimp wrote it */
    size_t begin; /* as it is written here */
} level;

typedef struct repair {
    const uint8_t *from;
    size_t size, at;
    uint8_t *to;
    size_t used;
    level levels[DEEPEST];
    size_t depth;
} repair;

static void copy(repair *r, size_t count)
{
    memcpy(r->to + r->used, r->from + r->at, count);
    r->used += count;
    r->at += count;
}

static void zeros(repair *r, size_t count)
{
    memset(r->to + r->used, 0, count);
    r->used += count;
}

/* Bytes of the record at r->at before those within it; 0 when there is none that
 * ends by `end`. */
static size_t head_of(const repair *r, size_t end)
{
    const uint8_t *at = r->from + r->at;
    if (end - r->at < EMPTY_RECORD)
        return 0;
    uint64_t stop = facet_load_u64le(at), bytes = facet_load_u64le(at + 16);
    size_t head = EMPTY_RECORD + (size_t)at[24];
    if (stop > end || stop < r->at + head || bytes > stop - r->at - head)
        return 0;
    return head + (size_t)bytes;
}

/* Records that have a list even when nothing is in it. */
static bool has_empty_list(const uint8_t *record)
{
    static const char *const names[] = {"References", "AnimationStack", "AnimationLayer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (record[24] == strlen(names[i]) && memcmp(record + 25, names[i], record[24]) == 0)
            return true;
    }
    return false;
}

/* Copy all records, and end the lists. False when nothing is to be done: a list
 * has its end already, or the bytes are not those that assimp writes. */
static bool copy_records(repair *r)
{
    for (;;) {
        size_t end = r->depth > 0 ? r->levels[r->depth - 1].end : r->size;
        if (r->depth > 0 && r->at == end) {
            zeros(r, EMPTY_RECORD);
            facet_store_u64le(r->to + r->levels[--r->depth].begin, r->used);
            continue;
        }
        size_t head = head_of(r, end);
        if (head == 0)
            return r->depth == 0;
        level record = {(size_t)facet_load_u64le(r->from + r->at), r->used};
        bool empty_list = has_empty_list(r->from + r->at);
        copy(r, head);
        if (r->at == record.end && empty_list)
            zeros(r, EMPTY_RECORD);
        if (r->at == record.end)
            facet_store_u64le(r->to + record.begin, r->used);
        else if (r->depth < DEEPEST)
            r->levels[r->depth++] = record;
        else
            return false;
    }
}

/* *data and *size stay as they are when nothing is to be done. False without
 * memory. */
static bool end_lists(facet_arena *arena, uint8_t **data, size_t *size)
{
    size_t space;
    if (*size < FILE_HEADER || !facet_size_multiply(*size, 2, &space) ||
        !facet_size_add(space, 64, &space))
        return true;
    /* Every list belongs to a record, which is as long as the end of a list or
     * longer: twice the size is enough. */
    repair r = {.from = *data, .size = *size, .to = facet_arena_allocate(arena, space, 1)};
    if (!r.to)
        return false;
    copy(&r, FILE_HEADER);
    const size_t least = EMPTY_RECORD + FOOT_BEGIN + 1 + FOOT_END;
    /* The list of all records has its end already. */
    if (!copy_records(&r) || r.size - r.at < least || r.size - r.at > least + 15) {
        facet_arena_release(arena, r.to, space, 1);
        return true;
    }
    copy(&r, EMPTY_RECORD);
    copy(&r, FOOT_BEGIN);
    zeros(&r, 16 - r.used % 16);
    r.at = r.size - FOOT_END;
    copy(&r, FOOT_END);
    *data = r.to;
    *size = r.used;
    return true;
}

/* -- The time of writing ------------------------------------------------ */

/* https://reproducible-builds.org/specs/source-date-epoch: seconds since 1970,
 * in decimal; what is no such number up to the year 9999 counts as 0. */
static struct tm time_to_write(void)
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    const uint64_t most = UINT64_C(253402300799);
    uint64_t seconds = 0;
    for (; text && *text && seconds <= most; text++)
        seconds =
            *text >= '0' && *text <= '9' ? seconds * 10 + (uint64_t)(*text - '0') : UINT64_MAX;
    time_t time = seconds <= most ? (time_t)seconds : 0;
    struct tm parts = {0};
    gmtime_r(&time, &parts);
    return parts;
}

/* Both formats say it near the start. */
#define SEARCHED 4096

/* What follows the first `text` from `at` on, or NULL. */
static uint8_t *find_after(uint8_t *at, const uint8_t *end, const char *text, size_t length)
{
    for (; (size_t)(end - at) >= length; at++) {
        if (memcmp(at, text, length) == 0)
            return at + length;
    }
    return NULL;
}

static void set_collada_time(uint8_t *data, const uint8_t *end)
{
    static const char *const tags[] = {"<created>", "<modified>"};
    struct tm t = time_to_write();
    char text[64];
    int length = snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d", t.tm_year + 1900,
                          t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        uint8_t *at = find_after(data, end, tags[i], strlen(tags[i]));
        if (at && end - at > length && at[length] == '<')
            memcpy(at, text, (size_t)length);
    }
}

/* Each number is a record of its own within CreationTimeStamp: the length of the
 * name, the name, I, and an i32. */
static void set_fbx_time(uint8_t *data, const uint8_t *end)
{
    struct tm t = time_to_write();
    const struct {
        const char *name;
        int value;
    } numbers[] = {{"\4YearI", t.tm_year + 1900}, {"\5MonthI", t.tm_mon + 1},
                   {"\3DayI", t.tm_mday},         {"\4HourI", t.tm_hour},
                   {"\6MinuteI", t.tm_min},       {"\6SecondI", t.tm_sec}};
    uint8_t *at = find_after(data, end, "CreationTimeStamp", 17);
    for (size_t i = 0; at && i < sizeof numbers / sizeof *numbers; i++) {
        at = find_after(at, end, numbers[i].name, strlen(numbers[i].name));
        if (at && end - at >= 4)
            facet_store_u32le(at, (uint32_t)numbers[i].value);
    }
}

bool facet_assimp_mend(facet_arena *arena, uint8_t **data, size_t *size)
{
    bool is_fbx = *size >= 18 && memcmp(*data, "Kaydara FBX Binary", 18) == 0;
    bool is_xml = *size >= 5 && memcmp(*data, "<?xml", 5) == 0;
    if (is_fbx && !end_lists(arena, data, size))
        return false;
    const uint8_t *end = *data + (*size < SEARCHED ? *size : SEARCHED);
    if (is_fbx)
        set_fbx_time(*data, end);
    else if (is_xml)
        set_collada_time(*data, end);
    return true;
}
