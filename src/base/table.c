/* base/table.c - growth of tables, and the overflow of tables with many equal hashes. */
#include "base/table.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/size.h"

#include <string.h>

/* -- Hashes ------------------------------------------------------------- */

uint32_t facet_hash_bytes(const void *bytes, size_t size)
{
    const uint8_t *at = (const uint8_t *)bytes;
    uint64_t hash = facet_hash_word(0, size);
    for (; size >= 8; size -= 8, at += 8)
        hash = facet_hash_word(hash, facet_load_u64le(at));
    if (size > 0) {
        uint8_t last[8] = {0};
        memcpy(last, at, size);
        hash = facet_hash_word(hash, facet_load_u64le(last));
    }
    return facet_hash_end(hash);
}

/* -- Overflow ----------------------------------------------------------- */

/* Sorted runs, longest first. The bits of the count are the lengths: 13 entries are runs of 8, 4
 * and 1. A new entry is a run of 1, and runs of equal length are merged, so each entry is moved at
 * most log n times. */

typedef struct comparing {
    facet_table *table;
    facet_table_order order;
    const void *user;
} comparing;

static uint32_t item_of(uint64_t entry)
{
    return (uint32_t)entry - 1;
}

static int compare(const comparing *c, uint64_t a, uint64_t b)
{
    c->table->steps++;
    if (a >> 32 != b >> 32)
        return a < b ? -1 : 1;
    return c->order(c->user, item_of(a), item_of(b));
}

static uint32_t find_in_run(const comparing *c, const uint64_t *run, size_t length, uint64_t entry)
{
    size_t low = 0;
    while (length > 0) {
        size_t half = length / 2;
        int order = compare(c, run[low + half], entry);
        if (order == 0)
            return item_of(run[low + half]);
        if (order < 0)
            low += half + 1;
        length = order < 0 ? length - half - 1 : half;
    }
    return UINT32_MAX;
}

static uint32_t find_in_overflow(const comparing *c, uint64_t entry)
{
    const facet_table *table = c->table;
    uint32_t found = UINT32_MAX;
    size_t end = table->overflow_count;
    for (size_t run = 1; end > 0 && found == UINT32_MAX; run *= 2) {
        if (end & run) {
            end -= run;
            found = find_in_run(c, table->overflow + end, run, entry);
        }
    }
    return found;
}

/* Merge two adjacent runs of `length` entries. */
static void merge(const comparing *c, uint64_t *runs, size_t length, uint64_t *scratch)
{
    size_t left = length, right = length;
    memcpy(scratch, runs + length, length * sizeof *scratch);
    while (right > 0) {
        bool take_left = left > 0 && compare(c, runs[left - 1], scratch[right - 1]) > 0;
        runs[left + right - 1] = take_left ? runs[left - 1] : scratch[right - 1];
        left -= take_left;
        right -= !take_left;
    }
}

static bool add_to_overflow(const comparing *c, uint64_t entry)
{
    facet_table *table = c->table;
    if (table->overflow_count == table->overflow_capacity) {
        size_t old = table->overflow_capacity, capacity = old ? old * 2 : 64;
        /* The second half is used for merging. */
        uint64_t *grown =
            facet_arena_resize(table->arena, table->overflow, old * 2, capacity * 2, sizeof *grown);
        if (!grown)
            return false;
        table->overflow = grown;
        table->overflow_capacity = capacity;
    }
    uint64_t *end = table->overflow + table->overflow_count;
    *end++ = entry;
    for (size_t run = 1; table->overflow_count & run; run *= 2)
        merge(c, end - 2 * run, run, table->overflow + table->overflow_capacity);
    table->overflow_count++;
    return true;
}

/* -- Tables ------------------------------------------------------------- */

void facet_table_free(facet_table *table)
{
    facet_arena_release(table->arena, table->slots, table->slot_count, sizeof *table->slots);
    facet_arena_release(table->arena, table->overflow, table->overflow_capacity * 2,
                        sizeof *table->overflow);
    *table = facet_table_make(table->arena);
}

/* Add an entry that the table does not have. */
static bool add(const comparing *c, uint64_t entry)
{
    facet_table *table = c->table;
    size_t hash = (size_t)(entry >> 32);
    table->count++;
    for (size_t probe = 0; probe < FACET_TABLE_MAX_PROBES; probe++) {
        uint64_t *slot = &table->slots[(hash + probe) & (table->slot_count - 1)];
        table->steps++;
        if (*slot == 0) {
            *slot = entry;
            return true;
        }
    }
    return add_to_overflow(c, entry);
}

bool facet_table_reserve(facet_table *table, size_t count, facet_table_order order,
                         const void *user)
{
    const size_t most = (size_t)1 << (sizeof most > 4 ? 32 : 31);
    size_t slot_count = 16;
    while (slot_count / 2 < count && slot_count < most)
        slot_count *= 2;
    if (slot_count <= table->slot_count)
        return true;
    facet_table made = facet_table_make(table->arena);
    made.steps = table->steps;
    const comparing c = {&made, order, user};
    made.slots = facet_arena_allocate_zeroed(table->arena, slot_count, sizeof *made.slots);
    made.slot_count = slot_count;
    bool whole = made.slots != NULL;
    for (size_t i = 0; i < table->slot_count && whole; i++)
        whole = table->slots[i] == 0 || add(&c, table->slots[i]);
    for (size_t i = 0; i < table->overflow_count && whole; i++)
        whole = add(&c, table->overflow[i]);
    facet_table_free(whole ? table : &made);
    if (whole)
        *table = made;
    return whole;
}

uint32_t facet_table_probe(facet_table *table, uint64_t entry, bool add, facet_table_order order,
                           const void *user)
{
    const comparing c = {table, order, user};
    uint32_t found = find_in_overflow(&c, entry);
    if (found != UINT32_MAX || !add || !add_to_overflow(&c, entry))
        return found;
    table->count++;
    return item_of(entry);
}

/* -- Records ------------------------------------------------------------ */

static int compare_records(const void *user, uint32_t a, uint32_t b)
{
    const facet_records *r = user;
    const void *one = a == r->count ? r->candidate : r->items + a * r->size;
    const void *other = b == r->count ? r->candidate : r->items + b * r->size;
    return memcmp(one, other, r->size);
}

bool facet_records_reserve(facet_records *records, uint32_t count)
{
    if (count > records->capacity) {
        uint8_t *grown = facet_arena_resize(records->table.arena, records->items, records->capacity,
                                            count, records->size);
        if (!grown)
            return false;
        records->items = grown;
        records->capacity = count;
    }
    return facet_table_reserve(&records->table, count, compare_records, records);
}

uint32_t facet_records_put(facet_records *records, const void *record)
{
    void *items = records->items;
    if (records->count == records->capacity &&
        !facet_arena_grow(records->table.arena, &items, records->count, &records->capacity,
                          records->size))
        return UINT32_MAX;
    records->items = items;
    records->candidate = record;
    uint32_t number = facet_table_put(&records->table, facet_hash_bytes(record, records->size),
                                      records->count, compare_records, records);
    if (number == records->count)
        memcpy(records->items + records->count++ * records->size, record, records->size);
    return number;
}

uint32_t facet_records_find(const facet_records *records, const void *record)
{
    facet_records search = *records;
    search.candidate = record;
    return facet_table_find(&search.table, facet_hash_bytes(record, search.size), search.count,
                            compare_records, &search);
}

void facet_records_free(facet_records *records)
{
    facet_arena *arena = records->table.arena;
    facet_table_free(&records->table);
    facet_arena_release(arena, records->items, records->capacity, records->size);
    *records = facet_records_make(arena, records->size);
}

/* -- Names -------------------------------------------------------------- */

static int compare_names(const void *user, uint32_t a, uint32_t b)
{
    const facet_names *names = user;
    const facet_name *one = a == names->count ? &names->candidate : &names->items[a];
    const facet_name *other = b == names->count ? &names->candidate : &names->items[b];
    if (one->length != other->length)
        return one->length < other->length ? -1 : 1;
    return one->length > 0 ? memcmp(one->text, other->text, one->length) : 0;
}

uint32_t facet_names_put(facet_names *names, const char *text, size_t length)
{
    void *items = names->items;
    if (names->count == names->capacity &&
        !facet_arena_grow(names->table.arena, &items, names->count, &names->capacity,
                          sizeof *names->items))
        return UINT32_MAX;
    names->items = items;
    names->candidate = (facet_name){text, length};
    uint32_t number = facet_table_put(&names->table, facet_hash_bytes(text, length), names->count,
                                      compare_names, names);
    if (number == names->count)
        names->items[names->count++] = names->candidate;
    return number;
}

uint32_t facet_names_find(const facet_names *names, const char *text, size_t length)
{
    facet_names search = *names;
    search.candidate = (facet_name){text, length};
    return facet_table_find(&search.table, facet_hash_bytes(text, length), search.count,
                            compare_names, &search);
}

uint32_t facet_names_put_copy(facet_names *names, const char *text, size_t length)
{
    uint32_t known = facet_names_find(names, text, length);
    if (known != UINT32_MAX)
        return known;
    const char *copy = facet_arena_string(names->table.arena, text, length);
    return copy ? facet_names_put(names, copy, length) : UINT32_MAX;
}

void facet_names_free(facet_names *names)
{
    facet_arena *arena = names->table.arena;
    facet_table_free(&names->table);
    facet_arena_release(arena, names->items, names->capacity, sizeof *names->items);
    *names = facet_names_make(arena);
}
