/* formats/assimp/file/fbx_old_takes.c - animations of an FBX of version 6.
 *
 * A take has a list per object, and each of these a list per property. A property has the keys of a
 * curve: time, value, and letters and numbers for the part after the key. The format has no public
 * specification; ufbx (https://github.com/ufbx/ufbx) found the letters. */
#include "formats/assimp/file/fbx_curves.h"
#include "formats/assimp/file/fbx_old.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- Keys --------------------------------------------------------------- */

enum {
    LINEAR = 4,
    AUTO = 0x100,
    USER = 0x400,
    BREAK = 0x800,
    EVEN = 0x2000,
    LIMITED = 0x4000,
    WEIGHTED_RIGHT = 0x1000000,
    WEIGHTED_LEFT = 0x2000000
};

typedef struct old_key {
    double time, value;
    uint32_t flags;
    float slopes[2];   /* after this key, and before the next */
    double weights[2]; /* of both */
} old_key;

/* Reads the values of a record "Key". */
typedef struct key_reader {
    const facet_fbx *fbx;
    facet_fbx_span values;
    int version; /* KeyVer */
    bool failed;
} key_reader;

static double next_number(key_reader *r)
{
    facet_fbx_value value;
    if (!facet_fbx_next_value(r->fbx, &r->values, &value) || value.is_text ||
        !isfinite(value.number)) {
        r->failed = true;
        return 0;
    }
    return value.number;
}

/* A letter, which is a number in a binary file. */
static char next_letter(key_reader *r)
{
    facet_fbx_value value;
    if (!facet_fbx_next_value(r->fbx, &r->values, &value)) {
        r->failed = true;
        return 0;
    }
    if (value.is_text)
        return facet_fbx_size(value.text) == 1 ? (char)*value.text.at : 0;
    return value.number > 0 && value.number < 128 ? (char)value.number : 0;
}

static void read_weights(key_reader *r, old_key *key)
{
    char mode = next_letter(r);
    bool right = mode == 'a' || mode == 'r', left = mode == 'a' || mode == 'l';
    if (right) {
        key->weights[0] = next_number(r);
        key->flags |= WEIGHTED_RIGHT;
    }
    if (left) {
        key->weights[1] = next_number(r);
        key->flags |= WEIGHTED_LEFT;
    }
    r->failed |= !right && !left && mode != 'n' && mode != 'c';
}

static void read_cubic(key_reader *r, old_key *key)
{
    enum { NEW = 4005 };
    char mode = next_letter(r);
    int numbers = 2, weights = 1;
    key->flags = FACET_FBX_CUBIC | AUTO | EVEN | LIMITED;
    if (mode == 's' || mode == 'b') {
        key->flags = FACET_FBX_CUBIC | USER | BREAK;
        weights = r->version != 4003;
    } else if (mode == 'a') {
        numbers = 0;
        weights = r->version >= NEW;
    } else if (mode == 'p' || mode == 'q') {
        weights = r->version >= NEW ? 2 : 1;
    } else if (mode == 't') {
        numbers = 3;
        weights = 0;
    } else {
        numbers = 1;
        r->failed |= mode != 'd';
    }
    for (int i = 0; i < numbers; i++) {
        double number = next_number(r);
        if (key->flags & USER)
            key->slopes[i] = (float)number;
    }
    while (weights-- > 0 && !r->failed)
        read_weights(r, key);
}

static void read_key(key_reader *r, old_key *key)
{
    const double most = 4e18; /* fits an integer of 64 bits */
    key->time = next_number(r);
    r->failed |= !(fabs(key->time) < most);
    key->value = next_number(r);
    char mode = next_letter(r);
    if (mode == 'U') {
        read_cubic(r, key);
    } else if (mode == 'C') {
        char next = r->version >= 4004 ? next_letter(r) : 's';
        key->flags = FACET_FBX_CONSTANT | (next == 'n' ? FACET_FBX_NEXT : 0);
    } else {
        key->flags = LINEAR;
        r->failed |= mode != 'L';
    }
}

static double number_in(const facet_fbx *fbx, facet_fbx_span list, const char *name,
                        double otherwise)
{
    facet_fbx_record record;
    facet_fbx_value value;
    bool is_found = facet_fbx_find(fbx, list, name, &record) &&
                    facet_fbx_next_value(fbx, &record.values, &value) && !value.is_text;
    return is_found && isfinite(value.number) ? value.number : otherwise;
}

/* Read the keys of a channel. NULL if it has none, or damaged ones, or out of memory. */
static old_key *read_keys(facet_fbx_old *o, facet_fbx_span channel, size_t *count)
{
    facet_fbx_record record;
    if (!facet_fbx_find(o->fbx, channel, "Key", &record))
        return NULL;
    double number = number_in(o->fbx, channel, "KeyCount", 0);
    /* Each key has three values of at least two bytes. */
    if (!(number >= 1 && number <= (double)facet_fbx_size(record.values))) {
        facet_tally_hit(&o->damaged, 0);
        return NULL;
    }
    *count = (size_t)number;
    old_key *keys = facet_arena_allocate_zeroed(o->arena, *count, sizeof *keys);
    key_reader r = {.fbx = o->fbx, .values = record.values};
    r.version = (int)fmax(0, fmin(9999, number_in(o->fbx, channel, "KeyVer", 4005)));
    o->failed |= !keys;
    for (size_t i = 0; keys && i < *count && !r.failed; i++)
        read_key(&r, &keys[i]);
    if (r.failed)
        facet_tally_hit(&o->damaged, 0);
    return r.failed ? NULL : keys;
}

/* -- Curves ------------------------------------------------------------- */

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Weights are decimal numbers of four digits. */
static uint32_t packed(const old_key *key)
{
    uint32_t right = (uint32_t)(fmax(0, fmin(1, key->weights[0])) * 9999);
    uint32_t left = (uint32_t)(fmax(0, fmin(1, key->weights[1])) * 9999);
    return right | left << 16;
}

static void put_curve(facet_fbx_old *o, uint64_t id, facet_fbx_span channel, const old_key *keys,
                      size_t count)
{
    static const char *const ends[] = {"Pre-Extrapolation", "Post-Extrapolation"};
    facet_fbx_record record;
    facet_fbx_old_print(o, "AnimationCurve: %" PRIu64 ", \"AnimCurve::\", \"\" {\n", id);
    facet_fbx_old_print(o, "KeyTime: *%zu {\na: ", count);
    for (size_t i = 0; i < count; i++)
        facet_fbx_old_print(o, i ? ",%.0f" : "%.0f", keys[i].time);
    facet_fbx_old_print(o, "\n}\nKeyValueFloat: *%zu {\na: ", count);
    for (size_t i = 0; i < count; i++) {
        facet_fbx_old_put(o, ",", i > 0);
        facet_fbx_old_double(o, keys[i].value);
    }
    facet_fbx_old_print(o, "\n}\nKeyAttrFlags: *%zu {\na: ", count);
    for (size_t i = 0; i < count; i++)
        facet_fbx_old_print(o, i ? ",%" PRIu32 : "%" PRIu32, keys[i].flags);
    facet_fbx_old_print(o, "\n}\nKeyAttrDataFloat: *%zu {\na: ", count * 4);
    for (size_t i = 0; i < count; i++)
        facet_fbx_old_print(o, "%s%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",0", i ? "," : "",
                            bits_of(keys[i].slopes[0]), bits_of(keys[i].slopes[1]),
                            packed(&keys[i]));
    facet_fbx_old_print(o, "\n}\nKeyAttrRefCount: *%zu {\na: ", count);
    for (size_t i = 0; i < count; i++)
        facet_fbx_old_print(o, i ? ",1" : "1");
    facet_fbx_old_print(o, "\n}\n");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (facet_fbx_find(o->fbx, channel, ends[i], &record))
            facet_fbx_old_copy(o, &record, 1);
    }
    facet_fbx_old_print(o, "}\n");
}

/* -- Channels ----------------------------------------------------------- */

enum { AXES = 3 };

/* Find the channels of the axes. A property with one axis has its curve in the channel itself. */
static void find_axes(const facet_fbx *fbx, facet_fbx_span channel, bool is_single,
                      facet_fbx_span lists[AXES])
{
    static const char *const names[AXES] = {"X", "Y", "Z"};
    facet_fbx_record record;
    for (int i = 0; i < AXES; i++)
        lists[i] = (facet_fbx_span){channel.end, channel.end};
    if (is_single) {
        lists[0] = channel;
        return;
    }
    while (facet_fbx_next(fbx, &channel, &record)) {
        for (int i = 0; i < AXES && facet_fbx_is(record.name, "Channel"); i++) {
            if (facet_fbx_is(facet_fbx_old_text_of(fbx, &record), names[i]))
                lists[i] = record.list;
        }
    }
}

/* Add a node of curves for a property of an object. A property with one axis has the name of the
 * property. */
static void put_channel(facet_fbx_old *o, facet_fbx_span channel, uint64_t object, uint64_t layer,
                        const char *property, bool is_single, double otherwise)
{
    static const char *const axes[AXES] = {"d|X", "d|Y", "d|Z"};
    facet_fbx_span lists[AXES];
    old_key *keys[AXES];
    size_t counts[AXES];
    bool has_keys = false;
    find_axes(o->fbx, channel, is_single, lists);
    for (int i = 0; i < AXES; i++) {
        keys[i] = read_keys(o, lists[i], &counts[i]);
        has_keys |= keys[i] != NULL;
    }
    if (!has_keys || o->failed)
        return;
    uint64_t node = o->next_id++;
    facet_fbx_old_print(o, "AnimationCurveNode: %" PRIu64 ", \"AnimCurveNode::\", \"\" {\n", node);
    facet_fbx_old_print(o, "Properties70: {\n");
    for (int i = 0; i < AXES && !is_single; i++) {
        facet_fbx_old_print(o, "P: \"%s\", \"Number\", \"\", \"A\",", axes[i]);
        facet_fbx_old_double(o, number_in(o->fbx, lists[i], "Default", otherwise));
        facet_fbx_old_print(o, "\n");
    }
    facet_fbx_old_print(o, "}\n}\n");
    facet_fbx_old_link(o, node, layer, NULL);
    facet_fbx_old_link(o, node, object, property);
    for (int i = 0; i < AXES; i++) {
        if (!keys[i])
            continue;
        uint64_t curve = o->next_id++;
        char name[40];
        snprintf(name, sizeof name, "d|%s", property);
        put_curve(o, curve, lists[i], keys[i], counts[i]);
        facet_fbx_old_link(o, curve, node, is_single ? name : axes[i]);
    }
}

static void put_transform(facet_fbx_old *o, facet_fbx_span list, uint64_t object, uint64_t layer)
{
    static const struct {
        const char *name, *property;
        double otherwise;
    } parts[] = {{"T", "Lcl Translation", 0}, {"R", "Lcl Rotation", 0}, {"S", "Lcl Scaling", 1}};
    facet_fbx_record record;
    while (facet_fbx_next(o->fbx, &list, &record)) {
        facet_fbx_span name = facet_fbx_old_text_of(o->fbx, &record);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            if (facet_fbx_is(record.name, "Channel") && facet_fbx_is(name, parts[i].name))
                put_channel(o, record.list, object, layer, parts[i].property, false,
                            parts[i].otherwise);
        }
    }
}

/* The channel of a shape of a node; 0: it has no shape with this name. */
static uint64_t shape_of(facet_fbx_old *o, uint64_t node, facet_fbx_span name)
{
    char key[200];
    size_t size = sizeof node + facet_fbx_size(name);
    if (size > sizeof key)
        return 0;
    memcpy(key, &node, sizeof node);
    memcpy(key + sizeof node, name.at, facet_fbx_size(name));
    uint32_t number = facet_names_find(&o->shapes, key, size);
    return number == UINT32_MAX ? 0 : o->channels[number];
}

/* True if a channel, or one of those in it, has keys of different values. */
static bool moves(facet_fbx_old *o, facet_fbx_span channel, int depth)
{
    enum { MAX_DEPTH = 3 };
    size_t count;
    facet_fbx_record record;
    const old_key *keys = read_keys(o, channel, &count);
    for (size_t i = 1; keys && i < count; i++) {
        if (keys[i].value != keys[0].value)
            return true;
    }
    while (depth < MAX_DEPTH && facet_fbx_next(o->fbx, &channel, &record)) {
        if (facet_fbx_is(record.name, "Channel") && moves(o, record.list, depth + 1))
            return true;
    }
    return false;
}

/* -- Takes -------------------------------------------------------------- */

static void put_object(facet_fbx_old *o, const facet_fbx_record *record, uint64_t layer)
{
    const facet_fbx_named *object = facet_fbx_old_find(o, facet_fbx_old_text_of(o->fbx, record));
    facet_fbx_span list = record->list;
    facet_fbx_record channel;
    while (object && facet_fbx_next(o->fbx, &list, &channel)) {
        if (!facet_fbx_is(channel.name, "Channel"))
            continue;
        facet_fbx_span name = facet_fbx_old_text_of(o->fbx, &channel);
        uint64_t shape = shape_of(o, object->id, name);
        if (facet_fbx_is(name, "Transform"))
            put_transform(o, channel.list, object->id, layer);
        else if (facet_fbx_is(name, "Visibility"))
            put_channel(o, channel.list, object->id, layer, "Visibility", true, 1);
        else if (shape)
            put_channel(o, channel.list, shape, layer, "DeformPercent", true, 0);
        else if (moves(o, channel.list, 0))
            facet_tally_hit(&o->others, 0);
    }
}

static void put_take(facet_fbx_old *o, const facet_fbx_record *take)
{
    facet_fbx_record record;
    facet_fbx_span list = take->list;
    double times[2] = {0, 0};
    uint64_t stack = o->next_id++, layer = o->next_id++;
    if (facet_fbx_find(o->fbx, list, "LocalTime", &record)) {
        for (int i = 0; i < 2; i++) {
            facet_fbx_value value;
            if (facet_fbx_next_value(o->fbx, &record.values, &value) && fabs(value.number) < 4e18)
                times[i] = value.number;
        }
    }
    facet_fbx_span name = facet_fbx_old_text_of(o->fbx, take);
    facet_fbx_old_print(o, "AnimationStack: %" PRIu64 ", \"AnimStack::", stack);
    for (const uint8_t *at = name.at; at < name.end; at++)
        facet_fbx_old_put(o, *at == '"' ? (const void *)"'" : at, *at != 0);
    facet_fbx_old_print(o, "\", \"\" {\nProperties70: {\n");
    facet_fbx_old_print(o, "P: \"LocalStart\", \"KTime\", \"Time\", \"\",%.0f\n", times[0]);
    facet_fbx_old_print(o, "P: \"LocalStop\", \"KTime\", \"Time\", \"\",%.0f\n}\n}\n", times[1]);
    facet_fbx_old_print(o, "AnimationLayer: %" PRIu64 ", \"AnimLayer::\", \"\" {\n}\n", layer);
    facet_fbx_old_link(o, layer, stack, NULL);
    while (facet_fbx_next(o->fbx, &list, &record)) {
        if (facet_fbx_is(record.name, "Model"))
            put_object(o, &record, layer);
        else if (moves(o, record.list, 0))
            facet_tally_hit(&o->others, 0);
    }
}

void facet_fbx_old_put_takes(facet_fbx_old *o)
{
    facet_fbx_record takes, record;
    if (!facet_fbx_find(o->fbx, facet_fbx_whole(o->fbx), "Takes", &takes))
        return;
    while (facet_fbx_next(o->fbx, &takes.list, &record)) {
        if (facet_fbx_is(record.name, "Take"))
            put_take(o, &record);
    }
}
