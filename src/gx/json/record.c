/* gx/json/record.c - structs as JSON and back. */
#include "gx/json/record.h"

#include "gx/json/text.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Floats ------------------------------------------------------------- */

/* The double nearest to the shortest decimal that reads back as this float. Printed with nine
 * digits, it is that decimal. */
static double shortest(float value)
{
    double magnitude = fabs((double)value);
    if (magnitude < 1e-12 || magnitude > 1e12) { /* powers of ten that doubles cannot store
                                                    exactly */
        char text[32];
        double number = (double)value;
        size_t length = (size_t)snprintf(text, sizeof text, "%.9g", number);
        char *comma = strchr(text, ','); /* in some locales */
        if (comma)
            *comma = '.';
        const uint8_t *at = (const uint8_t *)text, *end = at + length;
        return facet_number_parse_double(at, end, &number) == end ? number : (double)value;
    }
    int exponent = (int)floor(log10(magnitude));
    for (int digits = 6; digits <= 9; digits++) {
        int places = digits - 1 - exponent;
        double power = pow(10, abs(places));
        double scaled = places >= 0 ? (double)value * power : (double)value / power;
        double rounded = places >= 0 ? round(scaled) / power : round(scaled) * power;
        if ((float)rounded == value)
            return rounded;
    }
    return (double)value;
}

facet_json *facet_gx_json_float(float value)
{
    if (!isfinite(value)) {
        char text[16];
        snprintf(text, sizeof text, "0x%08" PRIX32, facet_bits_of_float(value));
        return facet_json_string(text);
    }
    if (value == floorf(value) && fabsf(value) < 1e9f && !(value == 0 && signbit(value)))
        return facet_json_integer((int64_t)value);
    return facet_json_real(shortest(value));
}

/* -- Numbers in structs ------------------------------------------------- */

static int64_t load(const uint8_t *at, unsigned size, bool is_signed)
{
    uint16_t two;
    uint32_t four;
    switch (size) {
    case 1:
        return is_signed ? (int8_t)*at : *at;
    case 2:
        memcpy(&two, at, sizeof two);
        return is_signed ? (int16_t)two : two;
    default:
        memcpy(&four, at, sizeof four);
        return is_signed ? (int32_t)four : (int64_t)four;
    }
}

static void store(uint8_t *at, unsigned size, int64_t value)
{
    uint16_t two = (uint16_t)value;
    uint32_t four = (uint32_t)value;
    if (size == 1)
        *at = (uint8_t)value;
    else if (size == 2)
        memcpy(at, &two, sizeof two);
    else
        memcpy(at, &four, sizeof four);
}

static bool is_signed(const facet_gx_json_field *f)
{
    return f->kind == FACET_GX_JSON_SIGNED || f->kind == FACET_GX_JSON_SCALED_SIGNED;
}

static bool is_scaled(const facet_gx_json_field *f)
{
    return f->kind == FACET_GX_JSON_SCALED_UNSIGNED || f->kind == FACET_GX_JSON_SCALED_SIGNED;
}

static bool is_optional(const facet_gx_json_field *f)
{
    return f->given_bytes > 0;
}

static size_t element_bytes(const facet_gx_json_field *f)
{
    return f->outer ? f->bytes / f->outer : f->bytes;
}

static unsigned number_bytes(const facet_gx_json_field *f)
{
    return (unsigned)(f->inner ? element_bytes(f) / f->inner : element_bytes(f));
}

/* -- To JSON ------------------------------------------------------------ */

static facet_json *encode_number(const facet_gx_json_context *context, const facet_gx_json_field *f,
                                 const uint8_t *at)
{
    int64_t value = f->kind == FACET_GX_JSON_FLOAT ? 0 : load(at, number_bytes(f), is_signed(f));
    float real;
    const char *name;
    switch (f->kind) {
    case FACET_GX_JSON_FLOAT:
        memcpy(&real, at, sizeof real);
        return facet_gx_json_float(real);
    case FACET_GX_JSON_FLAG:
        return value == 0   ? facet_json_boolean(false)
               : value == 1 ? facet_json_boolean(true)
                            : facet_json_integer(value);
    case FACET_GX_JSON_NAME:
        name = facet_gx_enumeration_name(f->names, (uint32_t)value);
        return name ? facet_json_string(name) : facet_json_integer(value);
    case FACET_GX_JSON_SCALED_UNSIGNED:
    case FACET_GX_JSON_SCALED_SIGNED:
        return facet_gx_json_float((float)((double)value / f->scale));
    case FACET_GX_JSON_TEXTURE:
        return context->textures && (uint32_t)value < context->textures->count
                   ? context->textures->name(context->textures->user, (uint32_t)value)
                   : facet_json_integer(value);
    default:
        return facet_json_integer(value);
    }
}

static facet_json *encode_element(const facet_gx_json_context *context,
                                  const facet_gx_json_field *f, const uint8_t *at,
                                  const uint8_t *standard)
{
    if (f->kind == FACET_GX_JSON_RECORD)
        return facet_gx_json_encode(context, f->record, at, standard);
    if (!f->inner)
        return encode_number(context, f, at);
    facet_json *array = facet_json_array();
    bool ok = array != NULL;
    for (unsigned i = 0; i < f->inner && ok; i++)
        ok = facet_gx_json_append(array,
                                  encode_number(context, f, at + i * (size_t)number_bytes(f)));
    if (!ok) {
        facet_json_free(array);
        return NULL;
    }
    return array;
}

/* Number of elements of a list to write: up to the last that is not a default. */
static unsigned list_length(const facet_gx_json_context *context, const facet_gx_json_field *f,
                            uint32_t given, const uint8_t *at, const uint8_t *standard)
{
    unsigned length = f->outer;
    while (length > 0 && (is_optional(f) || !context->whole) &&
           (is_optional(f) ? !(given & UINT32_C(1) << (length - 1))
                           : f->trim && memcmp(at + (length - 1) * element_bytes(f),
                                               standard + (length - 1) * element_bytes(f),
                                               element_bytes(f)) == 0))
        length--;
    return length;
}

static facet_json *encode_list(const facet_gx_json_context *context, const facet_gx_json_field *f,
                               uint32_t given, const uint8_t *at, const uint8_t *standard)
{
    unsigned length = list_length(context, f, given, at, standard);
    facet_json *array = facet_json_array();
    bool ok = array != NULL;
    for (unsigned i = 0; i < length && ok; i++) {
        size_t offset = (size_t)i * element_bytes(f);
        ok = facet_gx_json_append(array,
                                  is_optional(f) && !(given & UINT32_C(1) << i)
                                      ? facet_json_null()
                                      : encode_element(context, f, at + offset, standard + offset));
    }
    if (!ok) {
        facet_json_free(array);
        return NULL;
    }
    return array;
}

facet_json *facet_gx_json_encode(const facet_gx_json_context *context,
                                 const facet_gx_json_record *record, const void *value,
                                 const void *standard)
{
    facet_json *object = facet_json_object();
    bool ok = object != NULL;
    for (size_t i = 0; i < record->count && ok; i++) {
        const facet_gx_json_field *f = &record->fields[i];
        const uint8_t *at = (const uint8_t *)value + f->offset;
        const uint8_t *normal = (const uint8_t *)standard + f->offset;
        uint32_t given = is_optional(f) ? (uint32_t)load((const uint8_t *)value + f->given,
                                                         f->given_bytes, false)
                                        : 1;
        if (f->quiet && memcmp(at, normal, f->bytes) == 0)
            continue;
        if (given == 0 && !context->whole)
            continue;
        ok = facet_gx_json_put(object, f->key,
                               given == 0 ? facet_json_null()
                               : f->outer ? encode_list(context, f, given, at, normal)
                                          : encode_element(context, f, at, normal));
    }
    if (!ok) {
        facet_json_free(object);
        return NULL;
    }
    return object;
}

/* -- Errors and their paths --------------------------------------------- */

static size_t print_place(const facet_gx_json_path *place, char *text, size_t size)
{
    size_t used = place->up ? print_place(place->up, text, size) : 0;
    if (used >= size)
        return used;
    int length = place->key
                     ? snprintf(text + used, size - used, used ? ".%.60s" : "%.60s", place->key)
                     : snprintf(text + used, size - used, "[%zu]", place->index);
    return used + (length > 0 ? (size_t)length : 0);
}

facet_status facet_gx_json_fail(const facet_gx_json_context *context,
                                const facet_gx_json_path *place, const char *format, ...)
{
    char where[160] = "", message[240];
    facet_quoted quoted;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (place)
        print_place(place, where, sizeof where);
    const char *between = *context->what && *where ? ", " : "";
    return facet_fail(context->error, context->status, context->rule, FACET_NO_OFFSET, "%s%s%s%s%s",
                      context->what, between, facet_quote(&quoted, where, strlen(where)),
                      *context->what || *where ? ": " : "", message);
}

/* A value as text for a message. */
static const char *shown(const facet_json *value, char text[64])
{
    facet_quoted quoted;
    if (facet_json_is_string(value))
        snprintf(text, 64, "\"%.40s\"",
                 facet_quote(&quoted, facet_json_string_value(value),
                             strlen(facet_json_string_value(value))));
    else if (facet_json_is_integer(value))
        snprintf(text, 64, "%" PRId64, facet_json_integer_value(value));
    else if (facet_json_is_real(value))
        snprintf(text, 64, "%g", facet_json_number_value(value));
    else
        snprintf(text, 64, "%s",
                 facet_json_is_object(value)  ? "an object"
                 : facet_json_is_array(value) ? "an array"
                 : facet_json_is_null(value)  ? "null"
                 : facet_json_is_true(value)  ? "true"
                                              : "false");
    return text;
}

static facet_status fail_found(const facet_gx_json_context *context,
                               const facet_gx_json_path *place, const facet_json *found,
                               const char *expected)
{
    char text[64];
    return facet_gx_json_fail(context, place, "found %s, expected %s", shown(found, text),
                              expected);
}

static facet_status fail_name(const facet_gx_json_context *context, const facet_gx_json_path *place,
                              const facet_gx_json_field *f, const facet_json *found)
{
    char allowed[160] = "";
    size_t used = 0;
    for (size_t i = 0; i < f->names->count && used < sizeof allowed; i++) {
        const char *name =
            context->superbmd ? f->names->values[i].superbmd : f->names->values[i].name;
        if (name)
            used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s",
                                     used ? ", " : "", name);
    }
    if (used >= sizeof allowed)
        memcpy(allowed + sizeof allowed - 4, "...", 4);
    char text[64], expected[240];
    snprintf(expected, sizeof expected, "a %s: %s", f->names->title, allowed);
    return facet_gx_json_fail(context, place, "found %s, expected %s", shown(found, text),
                              expected);
}

static facet_status fail_texture(const facet_gx_json_context *context,
                                 const facet_gx_json_path *place, const facet_json *found)
{
    char known[140] = "", text[64];
    if (context->textures)
        context->textures->list(context->textures->user, known, sizeof known);
    facet_quoted quoted;
    return facet_gx_json_fail(context, place, "texture %s does not exist; the model has %s",
                              shown(found, text),
                              *known ? facet_quote(&quoted, known, strlen(known)) : "none");
}

/* -- From JSON ---------------------------------------------------------- */

/* Read an integer, also as 3.0: some programs have only one kind of number. */
static bool integer_of(const facet_json *json, double scale, int64_t *value)
{
    double real = facet_json_number_value(json) * scale;
    if (!facet_json_is_number(json) || !(fabs(real) < 1e15))
        return false;
    *value = (int64_t)(scale == 1 ? real : round(real));
    return scale != 1 || (double)*value == real;
}

static bool fits(const facet_gx_json_field *f, int64_t value)
{
    unsigned bits = number_bytes(f) * 8u;
    if (is_signed(f))
        return value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1);
    return value >= 0 && value < INT64_C(1) << bits;
}

static facet_status decode_float(const facet_gx_json_context *context,
                                 const facet_gx_json_path *place, const facet_json *json,
                                 uint8_t *at)
{
    const char *text = facet_json_string_value(json);
    float value = (float)facet_json_number_value(json);
    if (text && strlen(text) == 10 && text[0] == '0' && text[1] == 'x' &&
        strspn(text + 2, "0123456789abcdefABCDEF") == 8)
        value = facet_float_of_bits((uint32_t)strtoul(text + 2, NULL, 16));
    else if (!facet_json_is_number(json))
        return fail_found(context, place, json, "a number");
    memcpy(at, &value, sizeof value);
    return FACET_OK;
}

static facet_status decode_texture(const facet_gx_json_context *context,
                                   const facet_gx_json_path *place, const facet_json *json,
                                   uint8_t *at)
{
    int64_t number = -1;
    uint32_t index = UINT32_MAX, count = context->textures ? context->textures->count : 0;
    if (facet_json_is_string(json) && count)
        index = context->textures->find(context->textures->user, facet_json_string_value(json));
    else if (integer_of(json, 1, &number) && number >= 0 && number < count)
        index = (uint32_t)number;
    if (index >= UINT16_MAX)
        return fail_texture(context, place, json);
    store(at, 2, index);
    return FACET_OK;
}

static facet_status decode_number(const facet_gx_json_context *context,
                                  const facet_gx_json_path *place, const facet_gx_json_field *f,
                                  const facet_json *json, uint8_t *at)
{
    int64_t value = 0;
    uint32_t named;
    char expected[80];
    switch (f->kind) {
    case FACET_GX_JSON_IGNORED:
        return FACET_OK;
    case FACET_GX_JSON_FLOAT:
        return decode_float(context, place, json, at);
    case FACET_GX_JSON_TEXTURE:
        return decode_texture(context, place, json, at);
    case FACET_GX_JSON_FLAG:
        if (facet_json_is_boolean(json))
            value = facet_json_is_true(json);
        else if (!integer_of(json, 1, &value) || !fits(f, value))
            return fail_found(context, place, json, "true or false");
        break;
    case FACET_GX_JSON_NAME:
        if (facet_json_is_string(json) &&
            facet_gx_enumeration_value(f->names, facet_json_string_value(json), context->superbmd,
                                       &named))
            value = named;
        else if (!integer_of(json, 1, &value) || !fits(f, value))
            return fail_name(context, place, f, json);
        break;
    default:
        if (integer_of(json, is_scaled(f) ? f->scale : 1, &value) && fits(f, value))
            break;
        int64_t most = (INT64_C(1) << (number_bytes(f) * 8 - is_signed(f))) - 1;
        int64_t least = is_signed(f) ? -most - 1 : 0;
        if (is_scaled(f))
            snprintf(expected, sizeof expected, "a number from %g to %g", (double)least / f->scale,
                     (double)most / f->scale);
        else
            snprintf(expected, sizeof expected, "a whole number from %" PRId64 " to %" PRId64,
                     least, most);
        return fail_found(context, place, json, expected);
    }
    store(at, number_bytes(f), value);
    return FACET_OK;
}

static facet_status decode_letters(const facet_gx_json_context *context,
                                   const facet_gx_json_path *place, const facet_gx_json_field *f,
                                   const facet_json *json, uint8_t *at)
{
    static const char *const letters[] = {"R", "G", "B", "A"};
    facet_status status = FACET_OK;
    if (!facet_json_is_object(json))
        return fail_found(context, place, json, "an object with R, G, B and A");
    for (unsigned i = 0; i < 4 && !status; i++) {
        facet_gx_json_path here = {place, letters[i], 0};
        const facet_json *value = facet_json_object_get(json, letters[i]);
        if (value)
            status = decode_number(context, &here, f, value, at + i * (size_t)number_bytes(f));
    }
    return status;
}

static facet_status decode_element(facet_gx_json_context *context, const facet_gx_json_path *place,
                                   const facet_gx_json_field *f, const facet_json *json,
                                   uint8_t *at)
{
    if (f->kind == FACET_GX_JSON_RECORD)
        return facet_gx_json_decode(context, place, f->record, json, NULL, at);
    if (f->letters)
        return decode_letters(context, place, f, json, at);
    if (!f->inner)
        return decode_number(context, place, f, json, at);
    char expected[40];
    snprintf(expected, sizeof expected, "an array of %u", f->inner);
    if (facet_json_is_array(json) && facet_json_array_size(json) != f->inner)
        return facet_gx_json_fail(context, place, "found an array of %zu, expected %s",
                                  facet_json_array_size(json), expected);
    if (!facet_json_is_array(json))
        return fail_found(context, place, json, expected);
    facet_status status = FACET_OK;
    for (unsigned i = 0; i < f->inner && !status; i++) {
        facet_gx_json_path here = {place, NULL, i};
        status = decode_number(context, &here, f, facet_json_array_get(json, i),
                               at + i * (size_t)number_bytes(f));
    }
    return status;
}

/* SuperBMD writes "" for a missing texture. */
static bool is_absent(const facet_gx_json_context *context, const facet_gx_json_field *f,
                      const facet_json *json)
{
    return facet_json_is_null(json) ||
           (context->superbmd && f->kind == FACET_GX_JSON_TEXTURE && facet_json_is_string(json) &&
            facet_json_string_length(json) == 0);
}

/* Count the non-null values of a dropped value, or of a list from element `first` on. */
static void drop(facet_gx_json_context *context, const facet_gx_json_field *f,
                 const facet_json *json, size_t first)
{
    size_t dropped = !facet_json_is_array(json) && !facet_json_is_null(json);
    for (size_t i = first; i < facet_json_array_size(json); i++)
        dropped += !is_absent(context, f, facet_json_array_get(json, i));
    if (!context->dropped_values)
        context->dropped_key = f->key;
    context->dropped_values += dropped;
}

static facet_status decode_list(facet_gx_json_context *context, const facet_gx_json_path *place,
                                const facet_gx_json_field *f, const facet_json *json, uint8_t *at,
                                uint32_t *given)
{
    size_t length = facet_json_array_size(json);
    char expected[60];
    bool may_be_short = is_optional(f) || f->trim || context->superbmd;
    snprintf(expected, sizeof expected, "an array of %s%u", may_be_short ? "at most " : "",
             f->outer);
    if (!facet_json_is_array(json))
        return fail_found(context, place, json, expected);
    if ((length > f->outer && !context->superbmd) || (length < f->outer && !may_be_short))
        return facet_gx_json_fail(context, place, "found an array of %zu, expected %s", length,
                                  expected);
    *given = 0;
    facet_status status = FACET_OK;
    for (size_t i = 0; i < length && i < f->outer && !status; i++) {
        facet_gx_json_path here = {place, NULL, i};
        const facet_json *element = facet_json_array_get(json, i);
        if (is_absent(context, f, element) && (is_optional(f) || context->superbmd))
            continue;
        *given |= UINT32_C(1) << i;
        status = decode_element(context, &here, f, element, at + i * element_bytes(f));
    }
    drop(context, f, json, f->outer);
    return status;
}

static const facet_gx_json_field *find_field(const facet_gx_json_record *record, const char *key)
{
    for (size_t i = 0; i < record->count; i++) {
        if (strcmp(record->fields[i].key, key) == 0)
            return &record->fields[i];
    }
    return NULL;
}

static bool is_listed(const char *const *keys, const char *key)
{
    for (; keys && *keys; keys++) {
        if (strcmp(*keys, key) == 0)
            return true;
    }
    return false;
}

static facet_status fail_key(const facet_gx_json_context *context, const facet_gx_json_path *place,
                             const facet_gx_json_record *record)
{
    char known[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < record->count && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                 record->fields[i].key);
    if (used >= sizeof known)
        memcpy(known + sizeof known - 4, "...", 4);
    return facet_gx_json_fail(context, place, "unknown key; valid keys are %s", known);
}

facet_status facet_gx_json_decode(facet_gx_json_context *context, const facet_gx_json_path *place,
                                  const facet_gx_json_record *record, const facet_json *object,
                                  const char *const *keys, void *value)
{
    if (!facet_json_is_object(object))
        return fail_found(context, place, object, "an object");
    facet_status status = FACET_OK;
    for (size_t at = 0; at < facet_json_object_size(object) && !status; at++) {
        const char *key = facet_json_object_key(object, at);
        const facet_json *json = facet_json_object_value(object, at);
        const facet_gx_json_field *f = find_field(record, key);
        facet_gx_json_path here = {place, key, 0};
        uint32_t given = 0;
        if (!f && is_listed(keys, key))
            continue;
        if (!f && context->superbmd) {
            context->unknown_keys++;
            continue;
        }
        if (!f)
            return fail_key(context, &here, record);
        uint8_t *to = (uint8_t *)value + f->offset;
        if (f->kind == FACET_GX_JSON_IGNORED && !f->quiet)
            drop(context, f, json, 0);
        if (f->kind == FACET_GX_JSON_IGNORED || (context->superbmd && facet_json_is_null(json)))
            continue;
        if (!is_absent(context, f, json) || (!is_optional(f) && !context->superbmd)) {
            given = 1;
            status = f->outer ? decode_list(context, &here, f, json, to, &given)
                              : decode_element(context, &here, f, json, to);
        }
        if (is_optional(f) && !status)
            store((uint8_t *)value + f->given, f->given_bytes, given);
    }
    return status;
}

/* -- Comparing ---------------------------------------------------------- */

int facet_gx_json_compare(const facet_gx_json_record *record, const void *left, const void *right)
{
    int order = 0;
    for (size_t i = 0; i < record->count && !order; i++) {
        const facet_gx_json_field *f = &record->fields[i];
        const uint8_t *a = left, *b = right;
        if (is_optional(f))
            order = memcmp(a + f->given, b + f->given, f->given_bytes);
        a += f->offset;
        b += f->offset;
        if (f->kind != FACET_GX_JSON_RECORD && !order)
            order = memcmp(a, b, f->bytes);
        size_t bytes = element_bytes(f);
        for (size_t at = 0; f->kind == FACET_GX_JSON_RECORD && at < f->bytes && !order; at += bytes)
            order = facet_gx_json_compare(f->record, a + at, b + at);
    }
    return order;
}
