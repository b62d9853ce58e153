/* formats/j3d/json/presets.c - match of entries in SuperBMD's materials.json with materials, and
 * conversion of its older numbering. */
#include "formats/j3d/json/presets.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_NAME "__MatDefault"
#define ENDING "-material"

/* -- Lists -------------------------------------------------------------- */

bool facet_j3d_is_superbmd_list(const char *text)
{
    return text && text[strspn(text, " \t\r\n")] == '[';
}

const char *facet_j3d_preset_name(const facet_json *list, size_t i)
{
    const facet_json *name = facet_json_object_get(facet_json_array_get(list, i), "Name");
    return facet_json_is_string(name) ? facet_json_string_value(name) : "";
}

/* -- Names -------------------------------------------------------------- */

static char sanitized(char c)
{
    return c && strchr("# ():-", c) ? '_' : c;
}

static bool is_sanitized(const char *name, size_t length, const char *entry)
{
    for (size_t i = 0; i < length; i++) {
        if (!entry[i] || name[i] != sanitized(entry[i]))
            return false;
    }
    return entry[length] == '\0';
}

/* True if an entry equals the first `length` bytes of a name. */
static bool matches(const char *entry, const char *name, size_t length)
{
    if (strlen(entry) == length && memcmp(entry, name, length) == 0)
        return true;
    if (length == 0 || name[0] != 'm')
        return false;
    size_t digits = strspn(name + 1, "0123456789");
    for (size_t skip = 1; skip <= digits && 1 + skip < length; skip++) {
        if (is_sanitized(name + 1 + skip, length - 1 - skip, entry))
            return true;
    }
    return false;
}

bool facet_j3d_preset_matches(const char *entry, const char *name)
{
    size_t length = strlen(name), ending = strlen(ENDING);
    if (matches(entry, name, length))
        return true;
    if (length <= ending || strcmp(name + length - ending, ENDING) != 0)
        return false;
    length -= ending;
    return matches(entry, name, length) || is_sanitized(name, length, entry);
}

bool facet_j3d_is_default_preset(const char *entry)
{
    size_t length = strlen(DEFAULT_NAME);
    return strncmp(entry, DEFAULT_NAME, length) == 0 &&
           (entry[length] == '\0' || entry[length] == ':');
}

size_t facet_j3d_preset_of(const facet_json *list, const char *name, uint32_t before)
{
    size_t first = SIZE_MAX, near = SIZE_MAX;
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        const char *entry = facet_j3d_preset_name(list, i);
        if (facet_j3d_is_default_preset(entry))
            continue;
        if (strcmp(entry, name) == 0) {
            if (before-- == 0)
                return i;
            first = first == SIZE_MAX ? i : first;
        } else if (near == SIZE_MAX && facet_j3d_preset_matches(entry, name)) {
            near = i;
        }
    }
    return first != SIZE_MAX ? first : near;
}

size_t facet_j3d_preset_default(const facet_json *list, const char *name)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        const char *entry = facet_j3d_preset_name(list, i);
        if (!facet_j3d_is_default_preset(entry))
            continue;
        entry += strlen(DEFAULT_NAME);
        if (*entry == '\0' && found == SIZE_MAX)
            found = i;
        for (const char *at = name; *entry == ':' && (at = strchr(at, '_')) != NULL; at++) {
            if (strncmp(at + 1, entry + 1, strlen(entry + 1)) == 0)
                return i;
        }
    }
    return found;
}

/* -- The older numbering ------------------------------------------------ */

static const char *const biases[] = {"None",  "ITB_S",  "ITB_T",  "ITB_ST",
                                     "ITB_U", "ITB_SU", "ITB_TU", "ITB_STU"};

/* The number of a bias in newer versions; 8 for the number 7, 9 if missing. */
static unsigned bias_of(const facet_json *json)
{
    if (facet_json_is_integer(json))
        return facet_json_integer_value(json) == 7 ? 8 : 9;
    for (unsigned i = 0; facet_json_is_string(json) && i < 8; i++) {
        if (strcmp(facet_json_string_value(json), biases[i]) == 0)
            return i;
    }
    return 9;
}

static facet_json *stages_of(const facet_json *list, size_t i)
{
    return facet_json_object_get(
        facet_json_object_get(facet_json_array_get(list, i), "IndTexEntry"), "TevStages");
}

bool facet_j3d_presets_renumber(const facet_json *list, bool *fits)
{
    static const char key[] = "IndTexBiasSel";
    bool has[10] = {false};
    *fits = true;
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        const facet_json *stages = stages_of(list, i);
        for (size_t k = 0; k < facet_json_array_size(stages); k++)
            has[bias_of(facet_json_object_get(facet_json_array_get(stages, k), key))] = true;
    }
    if (has[0] || !(has[1] || has[8]))
        return false;
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        const facet_json *stages = stages_of(list, i);
        for (size_t k = 0; k < facet_json_array_size(stages); k++) {
            facet_json *stage = facet_json_array_get(stages, k);
            unsigned bias = bias_of(facet_json_object_get(stage, key));
            if (bias >= 1 && bias <= 7)
                *fits &= facet_json_set(stage, key, facet_json_string(biases[bias - 1]));
        }
    }
    return true;
}

/* -- Similar names ------------------------------------------------------ */

enum { MAX_LETTERS = 48, MAX_NAMES = 1000, NEAREST = 3 };

/* Number of letters to insert, remove or change (Levenshtein distance). */
static unsigned difference(const char *a, const char *b)
{
    unsigned row[MAX_LETTERS + 1];
    size_t a_length = strnlen(a, MAX_LETTERS), b_length = strnlen(b, MAX_LETTERS);
    for (unsigned k = 0; k <= b_length; k++)
        row[k] = k;
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned corner = row[0];
        row[0] = i;
        for (unsigned k = 1; k <= b_length; k++) {
            unsigned changed = corner + (a[i - 1] != b[k - 1]);
            unsigned fewer = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
            corner = row[k];
            row[k] = changed < fewer ? changed : fewer;
        }
    }
    return row[b_length];
}

void facet_j3d_nearest_names(const facet_j3d_names *names, const char *name, char *text,
                             size_t size)
{
    struct {
        char name[MAX_LETTERS * 4];
        unsigned difference;
    } best[NEAREST];
    unsigned count = 0;
    size_t used = 0;
    for (uint32_t i = 0; i < names->count && i < MAX_NAMES; i++) {
        char known[MAX_LETTERS * 4];
        facet_j3d_name_text(names->items[i].bytes, known, sizeof known);
        unsigned far = difference(name, known), at = count;
        bool is_there = false;
        for (unsigned k = 0; k < count; k++)
            is_there |= strcmp(best[k].name, known) == 0;
        while (at > 0 && best[at - 1].difference > far)
            at--;
        if (is_there || at == NEAREST)
            continue;
        count += count < NEAREST;
        memmove(&best[at + 1], &best[at], (count - 1 - at) * sizeof *best);
        memcpy(best[at].name, known, sizeof known);
        best[at].difference = far;
    }
    *text = '\0';
    for (unsigned i = 0; i < count && used < size; i++) {
        facet_quoted quoted;
        const char *between = i == 0 ? "" : i + 1 < count ? ", " : " and ";
        used += (size_t)snprintf(text + used, size - used, "%s\"%s\"", between,
                                 facet_quote(&quoted, best[i].name, strlen(best[i].name)));
    }
}
