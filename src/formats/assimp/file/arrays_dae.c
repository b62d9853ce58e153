/* formats/assimp/file/arrays_dae.c - arrays of a COLLADA and the accessors that read them. */
#include "formats/assimp/file/arrays_dae.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>

/* Read an attribute that is a natural number of at most 32 bits. assimp reads any other text as a
 * number also, such as 0.5 as 0. `fallback` is the value if the attribute is missing. */
static facet_status read_number(facet_xml_part tag, const char *key, uint64_t fallback,
                                uint64_t line, uint64_t *number, facet_error *error)
{
    facet_xml_part text = facet_xml_attribute(tag, key), rest = text;
    facet_xml_part digits = facet_xml_next_word(&rest);
    *number = fallback;
    if (text.size == 0)
        return FACET_OK;
    uint64_t value = 0;
    bool is_number = digits.size > 0 && facet_xml_next_word(&rest).size == 0;
    for (size_t i = 0; i < digits.size && is_number; i++) {
        is_number = digits.at[i] >= '0' && digits.at[i] <= '9' && value <= UINT32_MAX / 10;
        value = value * 10 + (uint64_t)(digits.at[i] - '0');
    }
    if (!is_number || value > UINT32_MAX)
        return facet_fail_line(error, FACET_ERROR_MALFORMED, "ASSIMP", line,
                               "the attribute %s of an array or <accessor> is not a natural number",
                               key);
    *number = value;
    return FACET_OK;
}

static facet_status note_array(facet_dae_arrays *all, facet_xml_part tag, uint64_t line,
                               facet_error *error)
{
    facet_xml_part id = facet_xml_attribute(tag, "id");
    uint64_t count;
    TRY(read_number(tag, "count", 0, line, &count, error));
    uint32_t before = all->ids.count;
    uint32_t number = facet_names_put(&all->ids, (const char *)id.at, id.size);
    if (number == UINT32_MAX ||
        !FACET_GROW(all->arena, all->counts, all->ids.count, all->count_capacity))
        return facet_fail_arena(all->arena, error);
    if (number == before || count < all->counts[number])
        all->counts[number] = count;
    return FACET_OK;
}

static facet_status note_accessor(facet_dae_arrays *all, facet_xml_part tag, uint64_t line,
                                  facet_error *error)
{
    facet_xml_part source = facet_xml_attribute(tag, "source");
    uint64_t count, offset, stride;
    TRY(read_number(tag, "count", 0, line, &count, error));
    TRY(read_number(tag, "offset", 0, line, &offset, error));
    TRY(read_number(tag, "stride", 1, line, &stride, error));
    if (count == 0 || source.size < 2)
        return FACET_OK;
    if (!FACET_GROW(all->arena, all->accessors, all->accessor_count, all->accessor_capacity))
        return facet_fail_arena(all->arena, error);
    const facet_xml_part id = {source.at + 1, source.size - 1};
    uint64_t values = count * stride; /* below 2^64, because both are below 2^32 */
    all->accessors[all->accessor_count++] = (facet_dae_accessor){
        id, values <= UINT64_MAX - offset ? offset + values : UINT64_MAX, line};
    return FACET_OK;
}

facet_status facet_dae_note_array(facet_dae_arrays *all, facet_xml_part name, facet_xml_part tag,
                                  uint64_t line, facet_error *error)
{
    static const char *const arrays[] = {"float_array", "int_array", "bool_array", "IDREF_array",
                                         "Name_array"};
    if (facet_xml_is(name, "accessor"))
        return note_accessor(all, tag, line, error);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (facet_xml_is(name, arrays[i]))
            return note_array(all, tag, line, error);
    }
    return FACET_OK;
}

facet_status facet_dae_check_arrays(const facet_dae_arrays *all, facet_error *error)
{
    for (uint32_t i = 0; i < all->accessor_count; i++) {
        const facet_dae_accessor *a = &all->accessors[i];
        uint32_t array = facet_names_find(&all->ids, (const char *)a->source.at, a->source.size);
        if (array != UINT32_MAX && a->needed > all->counts[array])
            return facet_fail_line(error, FACET_ERROR_MALFORMED, "ASSIMP", a->line,
                                   "an <accessor> reads %" PRIu64
                                   " values of an array with the count %" PRIu64,
                                   a->needed, all->counts[array]);
    }
    return FACET_OK;
}
