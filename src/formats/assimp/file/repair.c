/* formats/assimp/file/repair.c - corrections to the output of assimp 5.2.
 *
 * FBX and COLLADA contain the time of writing. To give the same bytes for the same scene, it
 * becomes SOURCE_DATE_EPOCH, or 1970 if that is not set. */
#include "base/bytes.h"
#include "formats/assimp/file/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* -- The time of writing ------------------------------------------------ */

/* The time to write. https://reproducible-builds.org/specs/source-date-epoch: seconds since 1970,
 * in decimal. Invalid numbers, and times after the year 9999, count as 0. */
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

/* Number of bytes to search: both formats have the time near the start. */
#define SEARCHED 4096

/* Address after the first occurrence of `text`, from `at`, or NULL. */
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

/* Set the time in an FBX. Each number is a separate record in CreationTimeStamp: length of the
 * name, name, 'I', and an i32. */
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

/* Set the frame rate in an FBX. */
static void set_fbx_rate(uint32_t mode, uint8_t *data, const uint8_t *end)
{
    /* The properties of the record: name, type, two empty texts, and an i32. */
    static const char record[] = "TimeModeS\4\0\0\0enumS\0\0\0\0S\0\0\0\0I";
    uint8_t *at = find_after(data, end, record, sizeof record - 1);
    if (at && end - at >= 4)
        facet_store_u32le(at, mode);
}

bool facet_assimp_repair(facet_arena *arena, const struct aiScene *from,
                         const facet_assimp_added *added, uint8_t **data, size_t *size)
{
    bool is_fbx = *size >= 18 && memcmp(*data, "Kaydara FBX Binary", 18) == 0;
    bool is_xml = *size >= 5 && memcmp(*data, "<?xml", 5) == 0;
    if (is_fbx && (!facet_assimp_repair_records(arena, from, data, size) ||
                   !facet_assimp_set_binds(arena, from, data, size)))
        return false;
    if (is_xml && (!facet_assimp_add_sides(arena, added, data, size) ||
                   !facet_assimp_set_names(arena, added, data, size)))
        return false;
    if (is_xml) {
        facet_assimp_restore_names(added, *data, size);
        if (from->mNumLights > 0)
            facet_assimp_clear_falloff(*data, *size);
    }
    if (is_xml && !facet_assimp_set_bind_shapes(arena, from, added->bind_shapes, data, size))
        return false;
    const uint8_t *end = *data + (*size < SEARCHED ? *size : SEARCHED);
    if (is_fbx) {
        set_fbx_time(*data, end);
        set_fbx_rate(added->time_mode, *data, end);
    } else if (is_xml)
        set_collada_time(*data, end);
    return true;
}
