/* gx/palette.c - palettes of images, and search for their nearest entries. */
#include "base/arena.h"
#include "base/error.h"
#include "gx/texels.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ENTRIES 16384u
#define WORDS 65536u /* number of possible entries of 16 bits */

/* -- The nearest entry -------------------------------------------------- */

static uint32_t sum_of(uint32_t texel)
{
    return facet_gx_red(texel) + facet_gx_green(texel) + facet_gx_blue(texel) +
           facet_gx_alpha(texel);
}

facet_status facet_gx_finder_make(facet_arena *arena, const facet_gx_palette *palette,
                                  facet_gx_finder *finder, facet_error *error)
{
    uint32_t count = palette->count, starts[1022] = {0};
    finder->count = count;
    finder->texels = facet_arena_allocate(arena, count, sizeof *finder->texels);
    finder->sums = facet_arena_allocate(arena, count, sizeof *finder->sums);
    finder->indices = facet_arena_allocate(arena, count, sizeof *finder->indices);
    if (!finder->texels || !finder->sums || !finder->indices)
        return facet_fail_arena(arena, error);
    for (int pass = 0; pass < 2; pass++) { /* counting sort: count, then place; stable */
        for (uint32_t i = 0; i < count; i++) {
            uint32_t texel = facet_gx_decode_entry(
                palette->format, facet_load_u16be(palette->entries + (size_t)i * 2));
            uint32_t sum = sum_of(texel);
            if (pass == 0) {
                starts[sum + 1]++;
                continue;
            }
            uint32_t at = starts[sum]++;
            finder->texels[at] = texel;
            finder->sums[at] = (uint16_t)sum;
            finder->indices[at] = (uint16_t)i;
        }
        for (uint32_t i = 1; pass == 0 && i < 1022; i++)
            starts[i] += starts[i - 1];
    }
    return FACET_OK;
}

void facet_gx_finder_free(facet_arena *arena, facet_gx_finder *finder)
{
    facet_arena_release(arena, finder->indices, finder->count, sizeof *finder->indices);
    facet_arena_release(arena, finder->sums, finder->count, sizeof *finder->sums);
    facet_arena_release(arena, finder->texels, finder->count, sizeof *finder->texels);
}

/* The first entry whose sum is at least `sum`. */
static uint32_t lower_bound(const facet_gx_finder *finder, uint32_t sum)
{
    uint32_t low = 0, high = finder->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (finder->sums[middle] < sum)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Start at the entries with the same sum and search outwards on both sides. If two sums differ by
 * d, the squared distance is at least d * d / 4, because there are four channels. */
uint32_t facet_gx_find(const facet_gx_finder *finder, uint32_t texel, uint32_t guess)
{
    if (finder->texels[guess] == texel)
        return guess;
    uint32_t sum = sum_of(texel), start = lower_bound(finder, sum);
    uint32_t best = guess, nearest = facet_gx_distance(finder->texels[guess], texel);
    uint32_t up = start, down = start;
    bool more_up = true, more_down = true;
    while (more_up || more_down) {
        more_up = more_up && up < finder->count;
        if (more_up) {
            uint32_t gap = finder->sums[up] - sum;
            more_up = gap * gap < nearest * 4;
            uint32_t distance = facet_gx_distance(finder->texels[up], texel);
            if (distance < nearest) {
                nearest = distance;
                best = up;
            }
            up++;
        }
        more_down = more_down && down > 0;
        if (more_down) {
            down--;
            uint32_t gap = sum - finder->sums[down];
            more_down = gap * gap < nearest * 4;
            uint32_t distance = facet_gx_distance(finder->texels[down], texel);
            if (distance < nearest) {
                nearest = distance;
                best = down;
            }
        }
    }
    return best;
}

/* -- Colors of an image ------------------------------------------------ */

/* A color that the palette can store, and the number of texels nearest to it. */
typedef struct color {
    uint32_t texel;
    uint32_t weight;
} color;

typedef struct colors {
    color *list;
    color *sorted; /* temporary copy, same size */
    uint32_t count;
} colors;

static uint16_t word_at(const facet_gx_pixels *pixels, uint32_t x, uint32_t y,
                        facet_gx_palette_format format)
{
    uint32_t texel = facet_load_u32le(pixels->rgba + y * pixels->stride + (size_t)x * 4);
    return (uint16_t)facet_gx_encode_entry(format, texel);
}

static facet_status make_lists(facet_arena *arena, colors *found, facet_error *error)
{
    found->list = facet_arena_allocate(arena, found->count, sizeof *found->list);
    found->sorted = facet_arena_allocate(arena, found->count, sizeof *found->sorted);
    return found->list && found->sorted ? FACET_OK : facet_fail_arena(arena, error);
}

/* For at most this many texels, sorting is faster than clearing a table of all words. */
#define FEW_TEXELS 1024

static int compare_words(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static facet_status count_few_colors(facet_arena *arena, const facet_gx_pixels *pixels,
                                     facet_gx_palette_format format, colors *found,
                                     facet_error *error)
{
    uint16_t words[FEW_TEXELS];
    uint32_t texels = 0;
    for (uint32_t y = 0; y < pixels->height; y++) {
        for (uint32_t x = 0; x < pixels->width; x++)
            words[texels++] = word_at(pixels, x, y, format);
    }
    qsort(words, texels, sizeof *words, compare_words);
    found->count = 1;
    for (uint32_t i = 1; i < texels; i++)
        found->count += words[i] != words[i - 1];
    facet_status status = make_lists(arena, found, error);
    color *next = found->list;
    for (uint32_t i = 0; i < texels && !status; next++) {
        *next = (color){facet_gx_decode_entry(format, words[i]), 0};
        for (uint16_t word = words[i]; i < texels && words[i] == word; i++)
            next->weight++;
    }
    return status;
}

static facet_status count_colors(facet_arena *arena, const facet_gx_pixels *pixels,
                                 facet_gx_palette_format format, colors *found, facet_error *error)
{
    if ((uint64_t)pixels->width * pixels->height <= FEW_TEXELS)
        return count_few_colors(arena, pixels, format, found, error);
    uint32_t *weights = facet_arena_allocate_zeroed(arena, WORDS, sizeof *weights);
    if (!weights)
        return facet_fail_arena(arena, error);
    for (uint32_t y = 0; y < pixels->height; y++) {
        for (uint32_t x = 0; x < pixels->width; x++)
            weights[word_at(pixels, x, y, format)]++;
    }
    found->count = 0;
    for (uint32_t v = 0; v < WORDS; v++)
        found->count += weights[v] > 0;
    TRY(make_lists(arena, found, error));
    uint32_t next = 0;
    for (uint32_t v = 0; v < WORDS; v++) {
        if (weights[v] > 0) {
            color c = {facet_gx_decode_entry(format, v), weights[v]};
            found->list[next++] = c;
        }
    }
    facet_arena_release(arena, weights, WORDS, sizeof *weights);
    return FACET_OK;
}

/* -- Median cut --------------------------------------------------------- */

typedef struct box {
    uint32_t first, count;
    uint32_t axis;   /* channel with the largest variance */
    double variance; /* along `axis`, times the weight; 0 for a single color */
} box;

static void measure(const colors *all, box *b)
{
    b->variance = 0;
    b->axis = 0;
    for (uint32_t c = 0; c < 4; c++) {
        double weight = 0, sum = 0, squares = 0;
        for (uint32_t i = b->first; i < b->first + b->count; i++) {
            double v = all->list[i].texel >> (c * 8) & 255, w = all->list[i].weight;
            weight += w;
            sum += w * v;
            squares += w * v * v;
        }
        double variance = squares - sum * sum / weight;
        if (variance > b->variance) {
            b->variance = variance;
            b->axis = c;
        }
    }
    if (b->count < 2)
        b->variance = 0;
}

/* Sort a box by its axis with a counting sort, and cut it at half of its weight. */
static void cut(colors *all, box *b, box *upper)
{
    uint32_t starts[257] = {0}, shift = b->axis * 8;
    uint64_t weight = 0, below = 0;
    color *list = all->list + b->first;
    for (uint32_t i = 0; i < b->count; i++) {
        starts[(list[i].texel >> shift & 255) + 1]++;
        weight += list[i].weight;
    }
    for (uint32_t v = 1; v < 257; v++)
        starts[v] += starts[v - 1];
    for (uint32_t i = 0; i < b->count; i++)
        all->sorted[starts[list[i].texel >> shift & 255]++] = list[i];
    memcpy(list, all->sorted, b->count * sizeof *list);
    uint32_t lower = 0;
    while (lower + 1 < b->count && (lower == 0 || below + list[lower].weight / 2 < weight / 2))
        below += list[lower++].weight;
    upper->first = b->first + lower;
    upper->count = b->count - lower;
    b->count = lower;
}

static uint32_t cut_boxes(colors *all, box *boxes, uint32_t most)
{
    uint32_t count = 1;
    boxes[0].first = 0;
    boxes[0].count = all->count;
    measure(all, &boxes[0]);
    while (count < most) {
        uint32_t widest = 0;
        for (uint32_t i = 1; i < count; i++)
            widest = boxes[i].variance > boxes[widest].variance ? i : widest;
        if (boxes[widest].variance <= 0)
            break;
        cut(all, &boxes[widest], &boxes[count]);
        measure(all, &boxes[widest]);
        measure(all, &boxes[count]);
        count++;
    }
    return count;
}

/* -- Means -------------------------------------------------------------- */

typedef struct mean {
    uint64_t sums[4], weight;
} mean;

static void add_to_mean(mean *m, const color *c)
{
    for (uint32_t k = 0; k < 4; k++)
        m->sums[k] += (uint64_t)(c->texel >> (k * 8) & 255) * c->weight;
    m->weight += c->weight;
}

static void put_mean(const mean *m, facet_gx_palette_format format, uint8_t *entry)
{
    uint32_t v[4];
    if (m->weight == 0)
        return; /* no texel uses it: it stays unchanged */
    for (uint32_t k = 0; k < 4; k++)
        v[k] = (uint32_t)((m->sums[k] + m->weight / 2) / m->weight);
    facet_store_u16be(
        entry, (uint16_t)facet_gx_encode_entry(format, facet_gx_texel(v[0], v[1], v[2], v[3])));
}

/* Move every entry to the mean of the colors for which it is nearest. */
static facet_status move_entries(facet_arena *arena, const colors *all, mean *means,
                                 const facet_gx_palette *palette, uint8_t *entries,
                                 facet_error *error)
{
    facet_gx_finder finder;
    TRY(facet_gx_finder_make(arena, palette, &finder, error));
    memset(means, 0, palette->count * sizeof *means);
    uint32_t guess = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        guess = facet_gx_find(&finder, all->list[i].texel, guess);
        add_to_mean(&means[finder.indices[guess]], &all->list[i]);
    }
    for (uint32_t i = 0; i < palette->count; i++)
        put_mean(&means[i], palette->format, entries + (size_t)i * 2);
    facet_gx_finder_free(arena, &finder);
    return FACET_OK;
}

static facet_status cut_palette(facet_arena *arena, colors *all, facet_gx_palette_format format,
                                uint32_t most, uint8_t *entries, uint32_t *count,
                                facet_error *error)
{
    box *boxes = facet_arena_allocate(arena, most, sizeof *boxes);
    mean *means = facet_arena_allocate_zeroed(arena, most, sizeof *means);
    if (!boxes || !means)
        return facet_fail_arena(arena, error);
    uint32_t made = cut_boxes(all, boxes, most);
    for (uint32_t i = 0; i < made; i++) {
        for (uint32_t k = 0; k < boxes[i].count; k++)
            add_to_mean(&means[i], &all->list[boxes[i].first + k]);
        put_mean(&means[i], format, entries + (size_t)i * 2);
    }
    facet_gx_palette palette = {format, entries, made};
    facet_status status = FACET_OK;
    for (int round = 0; round < 4 && !status; round++)
        status = move_entries(arena, all, means, &palette, entries, error);
    if (!status)
        *count = made;
    return status;
}

/* -- Palette of an image ------------------------------------------------ */

facet_status facet_gx_make_palette(const facet_gx_pixels *pixels, facet_gx_palette_format format,
                                   uint32_t most, const facet_options *options, uint8_t *entries,
                                   uint32_t *count, facet_error *error)
{
    if (!pixels->rgba || !entries || pixels->width == 0 || pixels->height == 0 ||
        pixels->stride / 4 < pixels->width || most == 0 || most > MAX_ENTRIES ||
        !facet_gx_palette_format_name(format))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "a palette of format %u with %u entries for %u x %u texels",
                          (unsigned)format, most, pixels->width, pixels->height);
    facet_arena *scratch = NULL;
    TRY(facet_arena_create(options, &scratch, error));
    colors all;
    facet_status status = count_colors(scratch, pixels, format, &all, error);
    if (!status && all.count <= most) {
        for (uint32_t i = 0; i < all.count; i++)
            facet_store_u16be(entries + (size_t)i * 2,
                              (uint16_t)facet_gx_encode_entry(format, all.list[i].texel));
        *count = all.count;
    } else if (!status) {
        status = cut_palette(scratch, &all, format, most, entries, count, error);
    }
    facet_arena_free(scratch);
    return status;
}
