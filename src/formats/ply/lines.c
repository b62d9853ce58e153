/* formats/ply/lines.c - text records in the common spelling: one line each, single blanks, plain
 * numbers, short lists. Numbers are read four at a time, like those of OBJ (base/lanes.h). ascii.c
 * reads all others. */
#include "base/lanes.h"
#include "formats/ply/ascii.h"

/* Maximum number of bytes read after the start of a line: the line, and the bytes read after the
 * start of its last number. */
#define REACH (129 + 64 + FACET_NUMBER_REACH)

/* -- Four numbers ------------------------------------------------------- */

/* Set a window of 64 bytes for the next four numbers. These have at most twelve other bytes, so the
 * end of the window is marked as twelve of them: there is always one to find. A number that ends at
 * such a mark does not end with a blank, and is rejected. */
static FACET_ALWAYS_INLINE void look_at(facet_digit_scanner *w, const uint8_t *at, uint64_t others)
{
    *w = (facet_digit_scanner){at, 0, (others | UINT64_C(0xFFF) << 52) & ~UINT64_C(1)};
}

/* Move the window if the next numbers may be outside it. */
static FACET_ALWAYS_INLINE void look_on(facet_digit_scanner *w)
{
    const uint8_t *at = w->text + w->at;
    if (w->at > 15)
        look_at(w, at, facet_window_of(at).others);
}

static FACET_ALWAYS_INLINE bool is_blank_here(const facet_digit_scanner *w)
{
    return w->text[w->at] == ' ';
}

/* Read numbers with more digits one by one, from the byte before them. Returns their end, or
 * NULL. */
static const uint8_t *take_long_floats(const uint8_t *at, uint32_t count, uint8_t *to)
{
    for (uint32_t i = 0; i < count; i++) {
        float value;
        if ((i > 0 && *at != ' ') || !(at = facet_number_fast(at + 1, &value)))
            return NULL;
        memcpy(to + i * sizeof value, &value, sizeof value);
    }
    return at;
}

/* Read the next numbers. Each follows a blank, except the first, which may begin a line. Unrolled,
 * to keep words and powers in registers. */
static FACET_ALWAYS_INLINE bool take_floats(facet_digit_scanner *w, const uint32_t count,
                                            uint8_t *to)
{
    size_t before = w->at;
    uint64_t words[4] = {0};
    double powers[4] = {0};
    float values[4];
    bool plain = facet_digit_scanner_number(w, &words[0], &powers[0]);
    if (count > 1)
        plain = plain && is_blank_here(w) && facet_digit_scanner_number(w, &words[1], &powers[1]);
    if (count > 2)
        plain = plain && is_blank_here(w) && facet_digit_scanner_number(w, &words[2], &powers[2]);
    if (count > 3)
        plain = plain && is_blank_here(w) && facet_digit_scanner_number(w, &words[3], &powers[3]);
    if (plain && facet_four_scale(words, powers, values)) {
        memcpy(to, values, count * sizeof *values);
        return true;
    }
    const uint8_t *next = take_long_floats(w->text + before, count, to);
    if (next)
        look_at(w, next, facet_window_of(next).others);
    return next != NULL;
}

static FACET_ALWAYS_INLINE bool take_wholes(facet_digit_scanner *w, const uint32_t count,
                                            uint32_t values[4])
{
    uint64_t words[4] = {0};
    bool plain = facet_digit_scanner_index(w, &words[0]);
    if (count > 1)
        plain = plain && is_blank_here(w) && facet_digit_scanner_index(w, &words[1]);
    if (count > 2)
        plain = plain && is_blank_here(w) && facet_digit_scanner_index(w, &words[2]);
    if (count > 3)
        plain = plain && is_blank_here(w) && facet_digit_scanner_index(w, &words[3]);
    if (count == 1)
        values[0] = facet_digits_sum(words[0]);
    else
        facet_four_store(values, facet_four_digits(words));
    return plain;
}

static FACET_ALWAYS_INLINE bool take_row_of_wholes(const facet_ply_column *columns,
                                                   facet_digit_scanner *w, const uint32_t count,
                                                   uint8_t *row)
{
    uint32_t values[4];
    bool fit = take_wholes(w, count, values);
    for (uint32_t i = 0; i < count && fit; i++)
        fit = facet_ply_store_whole(row + columns[i].offset, columns[i].property->type, values[i]);
    return fit;
}

/* Read a list of `count` values, after its length. */
static FACET_ALWAYS_INLINE bool take_values(facet_ply_column *c, facet_digit_scanner *w,
                                            const uint32_t count)
{
    uint32_t values[4];
    if (!take_wholes(w, count, values))
        return false;
    memcpy(c->values + (size_t)c->value_count * 4, values, count * sizeof *values);
    c->value_count += count;
    return true;
}

/* Read a list whose length is one digit. */
static FACET_ALWAYS_INLINE bool take_indices(facet_ply_column *c, uint32_t record,
                                             facet_digit_scanner *w)
{
    uint32_t length = (uint32_t)w->text[w->at + 1] - '0';
    w->at += 2;
    w->others &= w->others - 1;
    if ((length != c->length && !c->offsets) || c->capacity - c->value_count < 4 ||
        !is_blank_here(w) ||
        !(length == 3 ? take_values(c, w, 3) : length == 4 && take_values(c, w, 4)))
        return false;
    if (c->offsets)
        c->offsets[record + 1] = c->value_count;
    return true;
}

/* -- Records ------------------------------------------------------------ */

/* Read up to four numbers; the count is constant in each case. */
static FACET_ALWAYS_INLINE bool take_four(facet_ply_text *t, const facet_ply_four *four,
                                          facet_digit_scanner *w, uint8_t *row)
{
    facet_ply_column *columns = t->columns + four->first;
    switch (four->kind * 4 + four->count) {
    case FACET_PLY_FLOATS * 4 + 1:
        return take_floats(w, 1, row + columns->offset);
    case FACET_PLY_FLOATS * 4 + 2:
        return take_floats(w, 2, row + columns->offset);
    case FACET_PLY_FLOATS * 4 + 3:
        return take_floats(w, 3, row + columns->offset);
    case FACET_PLY_FLOATS * 4 + 4:
        return take_floats(w, 4, row + columns->offset);
    case FACET_PLY_INDICES * 4 + 1:
        return take_indices(columns, t->record, w);
    case FACET_PLY_WHOLES * 4 + 1:
        return take_row_of_wholes(columns, w, 1, row);
    case FACET_PLY_WHOLES * 4 + 2:
        return take_row_of_wholes(columns, w, 2, row);
    case FACET_PLY_WHOLES * 4 + 3:
        return take_row_of_wholes(columns, w, 3, row);
    default:
        return take_row_of_wholes(columns, w, 4, row);
    }
}

/* True at the end of a line: only a blank and a carriage return may be left. */
static FACET_ALWAYS_INLINE bool is_over(const uint8_t *at, const uint8_t *line_feed)
{
    at += *at == ' ';
    at += *at == '\r';
    return at == line_feed;
}

/* Read the line after the line feed `at`. Returns the line feed at its end, or NULL if it is not
 * plain. The end is found first, so that the processor can start the next line early. */
static FACET_ALWAYS_INLINE const uint8_t *take_line(facet_ply_text *t, const uint8_t *at)
{
    uint8_t *row = t->rows + t->record * t->row_size;
    facet_window window = facet_window_of(at);
    const uint8_t *line_feed = at;
    uint64_t feeds = window.newlines & ~UINT64_C(1);
    if (!feeds) {
        line_feed += 64;
        feeds = facet_window_of(line_feed).newlines;
    }
    if (!feeds)
        return NULL;
    line_feed += facet_lowest_bit(feeds);
    facet_digit_scanner w;
    look_at(&w, at, window.others);
    for (uint32_t i = 0; i < t->four_count; i++) {
        if (i > 0) {
            if (!is_blank_here(&w))
                return NULL;
            look_on(&w);
        }
        if (!take_four(t, &t->fours[i], &w, row))
            return NULL;
    }
    return is_over(w.text + w.at, line_feed) ? line_feed : NULL;
}

/* Undo the lists of a record that was rejected. */
static void give_back(facet_ply_text *t)
{
    for (uint32_t i = 0; i < t->element->property_count; i++) {
        facet_ply_column *c = &t->columns[i];
        c->value_count = c->offsets ? c->offsets[t->record] : t->record * c->length;
    }
}

static FACET_ALWAYS_INLINE void run(facet_ply_text *t, uint32_t last, const uint8_t *limit)
{
    if (t->four_count == 0 || t->end - t->at < REACH)
        return;
    const uint8_t *reach = t->end - REACH;
    limit = limit < reach ? limit : reach;
    while (t->record < last && t->at < limit && *t->at == '\n') {
        const uint8_t *line_feed = take_line(t, t->at);
        if (!line_feed) {
            give_back(t);
            return;
        }
        t->at = line_feed;
        t->lines++;
        t->record++;
    }
}

static FACET_WIDE void run_wide(facet_ply_text *t, uint32_t last, const uint8_t *limit)
{
    run(t, last, limit);
}

static void run_plain(facet_ply_text *t, uint32_t last, const uint8_t *limit)
{
    run(t, last, limit);
}

static void run_here(facet_ply_text *t, uint32_t last, const uint8_t *limit)
{
    if (facet_is_wide())
        run_wide(t, last, limit);
    else
        run_plain(t, last, limit);
}

/* Read lines from copies of the file's blocks. */
void facet_ply_run_lines(facet_ply_text *t, uint32_t last, const uint8_t *limit)
{
    const uint8_t *const end = t->end, *copy, *copy_end;
    while (t->record < last && t->at < limit && t->four_count > 0 && end - t->at > REACH &&
           (copy = facet_block_find(&t->block, t->at, REACH + 1, &copy_end)) != NULL) {
        ptrdiff_t reach = copy_end - copy - REACH, left = limit - t->at;
        const uint8_t *stop = copy + (left < reach ? left : reach);
        t->at = copy;
        t->end = copy_end;
        run_here(t, last, stop);
        bool odd = t->record < last && t->at < stop;
        t->at = facet_block_original(&t->block, t->at);
        t->end = end;
        if (odd) {
            facet_block_note_odd(&t->block);
            return;
        }
    }
    run_here(t, last, limit);
}

/* -- Columns ------------------------------------------------------------ */

static facet_ply_four_kind kind_of(const facet_ply_property *p)
{
    bool index = p->type == FACET_PLY_INT32 || p->type == FACET_PLY_UINT32;
    if (p->is_list)
        return index ? FACET_PLY_INDICES : FACET_PLY_OTHERS;
    if (p->type == FACET_PLY_FLOAT32)
        return FACET_PLY_FLOATS;
    return p->type == FACET_PLY_FLOAT64 ? FACET_PLY_OTHERS : FACET_PLY_WHOLES;
}

void facet_ply_plan_lines(facet_ply_text *t)
{
    t->four_count = 0;
    for (uint32_t i = 0; i < t->element->property_count; i++) {
        facet_ply_four_kind kind = kind_of(t->columns[i].property);
        facet_ply_four *four = t->four_count > 0 ? &t->fours[t->four_count - 1] : NULL;
        if (kind == FACET_PLY_OTHERS) {
            t->four_count = 0;
            return;
        }
        if (four && four->kind == kind && kind != FACET_PLY_INDICES && four->count < 4)
            four->count++;
        else
            t->fours[t->four_count++] = (facet_ply_four){kind, i, 1};
    }
}
