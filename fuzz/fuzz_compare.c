/* fuzz/fuzz_compare.c - harness that compares two files. The first two bytes are the size of the
 * first file. Equal files have no differences. */
#include <facet/compare.h>
#include <facet/convert.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static bool is_ordered(const facet_distance *d)
{
    return d->samples == 0 || (d->greatest >= 0 && d->greatest <= d->greatest_bound &&
                               d->mean <= d->greatest && d->median <= d->percentile99);
}

static void compare(const facet_source *a, const facet_source *b)
{
    facet_options options = {.memory_limit = (uint64_t)256 << 20};
    facet_compare_options how = {.struct_size = sizeof how, .samples = 100};
    facet_comparison result = {0};
    facet_report *report = NULL;
    facet_error error = {0};
    /* Skip assimp: its own errors are not tested here. */
    const facet_format *first = facet_format_probe(a), *second = facet_format_probe(b);
    if (!first || !second || strcmp(facet_format_name(first), "assimp") == 0 ||
        strcmp(facet_format_name(second), "assimp") == 0)
        return;
    require(facet_report_create(NULL, &report, NULL) == FACET_OK);
    facet_status status =
        facet_compare(a, first, b, second, &how, &options, report, &result, &error);
    if (status == FACET_OK) {
        require(is_ordered(&result.forward) && is_ordered(&result.backward));
        bool same = a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
        require(result.same_bytes == same);
        require(!same || facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0);
    } else {
        require(error.message[0] != '\0');
    }
    facet_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t first = (size_t)data[0] | (size_t)data[1] << 8;
    first = first < size - 2 ? first : size - 2;
    facet_source a = facet_source_from_memory(data + 2, first, "a");
    facet_source b = facet_source_from_memory(data + 2 + first, size - 2 - first, "b");
    compare(&a, &b);
    return 0;
}
