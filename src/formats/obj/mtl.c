/* formats/obj/mtl.c - material libraries, in and out. */
#include "base/arena.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/text_output.h"
#include "formats/obj/obj.h"

#include <stdio.h>
#include <string.h>

/* -- The statements ----------------------------------------------------- */

/* Statements with numbers: where they go in a facet_material. */
typedef struct value_statement {
    const char *word;
    uint32_t given;
    size_t offset;
    int count; /* 1, or 3 for a color */
} value_statement;

#define VALUE(word, bit, field, count)                                     \
    {                                                                      \
        word, FACET_MATERIAL_##bit, offsetof(facet_material, field), count \
    }

static const value_statement value_statements[] = {
    VALUE("Ka", AMBIENT, ambient, 3),
    VALUE("Kd", DIFFUSE, diffuse, 3),
    VALUE("Ks", SPECULAR, specular, 3),
    VALUE("Ke", EMISSIVE, emissive, 3),
    VALUE("Tf", TRANSMISSION, transmission, 3),
    VALUE("Ns", SHININESS, shininess, 1),
    VALUE("Ni", REFRACTION, refraction_index, 1),
    VALUE("d", OPACITY, opacity, 1),
    VALUE("Pr", ROUGHNESS, roughness, 1),
    VALUE("Pm", METALLIC, metallic, 1),
    VALUE("Ps", SHEEN, sheen, 1),
    VALUE("Pc", CLEARCOAT, clearcoat, 1),
    VALUE("Pcr", CLEARCOAT_ROUGHNESS, clearcoat_roughness, 1),
    VALUE("aniso", ANISOTROPY, anisotropy, 1),
    VALUE("anisor", ANISOTROPY_ROTATION, anisotropy_rotation, 1),
};

/* Statements with a texture; the first spelling of each is the one written. */
static const struct {
    const char *word;
    facet_map map;
} map_statements[] = {
    {"map_Ka", FACET_MAP_AMBIENT},    {"map_Kd", FACET_MAP_DIFFUSE},
    {"map_Ks", FACET_MAP_SPECULAR},   {"map_Ke", FACET_MAP_EMISSIVE},
    {"map_Ns", FACET_MAP_SHININESS},  {"map_d", FACET_MAP_OPACITY},
    {"map_Bump", FACET_MAP_BUMP},     {"bump", FACET_MAP_BUMP},
    {"norm", FACET_MAP_NORMAL},       {"map_Kn", FACET_MAP_NORMAL},
    {"disp", FACET_MAP_DISPLACEMENT}, {"map_disp", FACET_MAP_DISPLACEMENT},
    {"decal", FACET_MAP_DECAL},       {"map_decal", FACET_MAP_DECAL},
    {"refl", FACET_MAP_REFLECTION},   {"map_refl", FACET_MAP_REFLECTION},
    {"map_Pr", FACET_MAP_ROUGHNESS},  {"map_Pm", FACET_MAP_METALLIC},
    {"map_Ps", FACET_MAP_SHEEN},
};

/* -- Reading ------------------------------------------------------------ */

typedef struct library {
    facet_obj_materials *materials;
    const facet_source *source;
    const uint8_t *end;
    facet_error *error;
    facet_material *material;                  /* NULL: one that is not used */
    bool skip;                                 /* between newmtl and newmtl of an unused one */
    bool has_dissolve;                         /* d, which counts more than Tr */
    facet_tally unknown, numbers, maps, latin; /* `first` is a byte offset */
} library;

static void tally(const library *l, facet_tally *tally, const uint8_t *at)
{
    facet_tally_hit(tally, (uint64_t)(at - l->source->data));
}

static facet_status read_newmtl(library *l, facet_text name)
{
    facet_obj_materials *m = l->materials;
    bool changed = false;
    const char *string = facet_text_string(m->scratch, name, &changed);
    if (!string)
        return facet_fail_memory(l->error, facet_text_length(name));
    uint32_t known = facet_names_find(&m->names, string, strlen(string));
    l->material = NULL;
    l->has_dissolve = false;
    l->skip = true;
    if (known == FACET_NONE) {
        facet_tally_hit(&m->unused, 0);
    } else if (m->defined[known]) {
        facet_tally_hit(&m->duplicates, 0);
    } else {
        m->defined[known] = true;
        l->material = &m->scene->materials[known];
    }
    return FACET_OK;
}

/* Up to `most` numbers at *at; false when something else follows. */
static bool read_numbers(const uint8_t *at, const uint8_t *end, float *values, int most, int *count)
{
    for (*count = 0; *count < most; ++*count) {
        at = facet_text_skip_blanks(at, end);
        if (facet_text_at_end(at, end))
            break;
        facet_text word = facet_text_word(at, end);
        if (facet_number_parse(word.at, word.end, &values[*count]) != word.end)
            return false;
        at = word.end;
    }
    at = facet_text_skip_blanks(at, end);
    return *count > 0 && facet_text_at_end(at, end);
}

static void read_value(library *l, const value_statement *statement, const uint8_t *line,
                       facet_text rest)
{
    facet_text first = facet_text_word(rest.at, rest.end);
    if (statement->count == 3 &&
        (facet_text_is(first, "spectral") || facet_text_is(first, "xyz"))) {
        tally(l, &l->unknown, line);
        return;
    }
    if (statement->given == FACET_MATERIAL_OPACITY && facet_text_is(first, "-halo"))
        rest.at = first.end;
    float values[3];
    int count;
    if (!read_numbers(rest.at, rest.end, values, statement->count, &count)) {
        tally(l, &l->numbers, line);
        return;
    }
    /* "If only r is specified, then g and b are assumed to be equal to r." */
    for (int i = count; i < statement->count; i++)
        values[i] = values[i - 1];
    memcpy((char *)l->material + statement->offset, values,
           (size_t)statement->count * sizeof *values);
    l->material->given |= statement->given;
    l->has_dissolve |= statement->given == FACET_MATERIAL_OPACITY;
}

/* Tr and illum. False when it is neither. */
static bool read_special(library *l, facet_text word, const uint8_t *line, facet_text rest)
{
    bool transparency = facet_text_is_any_case(word, "Tr");
    if (!transparency && !facet_text_is_any_case(word, "illum"))
        return false;
    float value;
    int count;
    if (!read_numbers(rest.at, rest.end, &value, 1, &count) || value < -1000 || value > 1000) {
        tally(l, &l->numbers, line);
    } else if (!transparency) {
        l->material->illumination = (int32_t)value;
        l->material->given |= FACET_MATERIAL_ILLUMINATION;
    } else if (!l->has_dissolve) {
        l->material->opacity = 1 - value;
        l->material->given |= FACET_MATERIAL_OPACITY;
    }
    return true;
}

/* -- Textures ----------------------------------------------------------- */

/* Words that an option takes: -o, -s and -t take one to three numbers (-3). */
static int option_words(facet_text option)
{
    static const struct {
        const char *option;
        int words;
    } options[] = {{"-blendu", 1},  {"-blendv", 1}, {"-boost", 1},  {"-mm", 2},        {"-o", -3},
                   {"-s", -3},      {"-t", -3},     {"-texres", 1}, {"-clamp", 1},     {"-bm", 1},
                   {"-imfchan", 1}, {"-type", 1},   {"-cc", 1},     {"-colorspace", 1}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (facet_text_is_any_case(option, options[i].option))
            return options[i].words;
    }
    return 0;
}

/* Split what follows a map statement: options, then a path that may hold blanks. */
static void split_texture(facet_text rest, facet_text *options, facet_text *path)
{
    options->at = options->end = rest.at;
    path->at = rest.at;
    path->end = rest.end;
    for (;;) {
        facet_text word = facet_text_word(path->at, path->end);
        int words = option_words(word);
        if (words == 0)
            return;
        const uint8_t *at = word.end;
        for (int i = 0; i < (words < 0 ? -words : words); i++) {
            facet_text value = facet_text_word(facet_text_skip_blanks(at, rest.end), rest.end);
            float number;
            if (words < 0 && i > 0 && facet_number_parse(value.at, value.end, &number) != value.end)
                break;
            at = value.end;
        }
        const uint8_t *next = facet_text_skip_blanks(at, rest.end);
        if (next == rest.end)
            return; /* no path would be left: what looks like an option is one */
        options->end = at;
        path->at = next;
    }
}

static facet_status read_map(library *l, facet_map map, const uint8_t *line, facet_text rest)
{
    facet_texture *texture = &l->material->maps[map];
    facet_text options, path;
    split_texture(rest, &options, &path);
    if (facet_text_length(path) == 0 || texture->path) {
        tally(l, &l->maps, line);
        return FACET_OK;
    }
    bool changed = false;
    facet_arena *arena = l->materials->scene->arena;
    texture->options = facet_text_string(arena, options, &changed);
    texture->path = facet_text_string(arena, path, &changed);
    if (!texture->options || !texture->path)
        return facet_fail_memory(l->error, facet_text_length(rest));
    if (changed)
        tally(l, &l->latin, line);
    return FACET_OK;
}

/* -- Statements --------------------------------------------------------- */

static facet_status read_statement(library *l, facet_text word)
{
    facet_text rest = facet_text_rest(word.end, l->end);
    if (facet_text_is_any_case(word, "newmtl"))
        return read_newmtl(l, rest);
    if (!l->material) {
        if (!l->skip)
            tally(l, &l->unknown, word.at);
        return FACET_OK;
    }
    for (size_t i = 0; i < sizeof value_statements / sizeof *value_statements; i++) {
        if (facet_text_is_any_case(word, value_statements[i].word)) {
            read_value(l, &value_statements[i], word.at, rest);
            return FACET_OK;
        }
    }
    for (size_t i = 0; i < sizeof map_statements / sizeof *map_statements; i++) {
        if (facet_text_is_any_case(word, map_statements[i].word))
            return read_map(l, map_statements[i].map, word.at, rest);
    }
    if (!read_special(l, word, word.at, rest))
        tally(l, &l->unknown, word.at);
    return FACET_OK;
}

static void say(const library *l, const facet_options *options, const char *rule,
                facet_severity severity, const facet_tally *tally, const char *what)
{
    if (tally->count == 0)
        return;
    facet_quoted file, word;
    const char *name = l->source->name ? l->source->name : "";
    const uint8_t *at = l->source->data + tally->first;
    facet_text text = facet_text_word(at, l->end);
    facet_report_add_tally_line(options ? options->report : NULL, rule, severity,
                                facet_text_line_number(l->source->data, at), tally, "%s: '%s' %s",
                                facet_quote(&file, name, strlen(name)),
                                facet_quote(&word, (const char *)text.at, facet_text_length(text)),
                                what);
}

facet_status facet_obj_read_library(facet_obj_materials *materials, const facet_source *source,
                                    const facet_options *options, facet_error *error)
{
    library l = {0};
    l.materials = materials;
    l.source = source;
    l.end = facet_text_end(source);
    l.error = error;
    facet_status status = FACET_OK;
    for (const uint8_t *at = facet_text_begin(source); at < l.end && !status;) {
        at = facet_text_skip_blanks(at, l.end);
        if (!facet_text_at_end(at, l.end))
            status = read_statement(&l, facet_text_word(at, l.end));
        at = facet_text_next_line(at, l.end);
    }
    say(&l, options, "OBJ-MTL-STATEMENT", FACET_SEVERITY_NOTE, &l.unknown, "is left out");
    say(&l, options, "OBJ-MTL-NUMBER", FACET_SEVERITY_WARNING, &l.numbers,
        "has no number where one is expected, it is left out");
    say(&l, options, "OBJ-MTL-MAP", FACET_SEVERITY_WARNING, &l.maps,
        "names no file or is the second of its kind, it is left out");
    say(&l, options, "OBJ-ENCODING", FACET_SEVERITY_NOTE, &l.latin,
        "names a file in a text that is not UTF-8, taken for Latin-1");
    return status;
}

/* -- Writing ------------------------------------------------------------ */

static void write_values(facet_text_output *out, const facet_material *material)
{
    for (size_t i = 0; i < sizeof value_statements / sizeof *value_statements; i++) {
        const value_statement *statement = &value_statements[i];
        float values[3];
        bool finite = true;
        if (!(material->given & statement->given))
            continue;
        memcpy(values, (const char *)material + statement->offset,
               (size_t)statement->count * sizeof *values);
        for (int k = 0; k < statement->count; k++)
            finite &= values[k] - values[k] == 0;
        if (!finite)
            continue;
        facet_put_text(out, statement->word);
        facet_put_numbers(out, values, (uint32_t)statement->count);
        facet_put_text(out, "\n");
    }
    if (material->given & FACET_MATERIAL_ILLUMINATION && material->illumination >= 0) {
        facet_put_text(out, "illum ");
        facet_put_integer(out, (uint64_t)material->illumination);
        facet_put_text(out, "\n");
    }
}

static bool is_one_line(const char *text)
{
    return !strpbrk(text, "\r\n");
}

/* False when the scene has a map that MTL has no statement for, or no name. */
static bool write_maps(facet_text_output *out, const facet_material *material)
{
    bool written[FACET_MAP_COUNT] = {false};
    bool complete = true;
    for (size_t i = 0; i < sizeof map_statements / sizeof *map_statements; i++) {
        facet_map map = map_statements[i].map;
        const facet_texture *texture = &material->maps[map];
        if (written[map] || !texture->path || !*texture->path || !is_one_line(texture->path))
            continue;
        facet_put_text(out, map_statements[i].word);
        if (texture->options && *texture->options && is_one_line(texture->options)) {
            facet_put_text(out, " ");
            facet_put_text(out, texture->options);
        }
        facet_put_text(out, " ");
        facet_put_text(out, texture->path);
        facet_put_text(out, "\n");
        written[map] = true;
    }
    for (int map = 0; map < FACET_MAP_COUNT; map++)
        complete &= written[map] || !material->maps[map].path;
    return complete;
}

void facet_obj_write_library(const facet_scene *scene, const char *const *names,
                             const facet_options *options, facet_output *output)
{
    facet_text_output out;
    out.output = output;
    out.used = 0;
    facet_tally lost = {0, 0};
    for (uint32_t i = 0; i < scene->material_count; i++) {
        facet_put_text(&out, i > 0 ? "\nnewmtl " : "newmtl ");
        facet_put_text(&out, names[i]);
        facet_put_text(&out, "\n");
        write_values(&out, &scene->materials[i]);
        if (!write_maps(&out, &scene->materials[i]))
            facet_tally_hit(&lost, i);
    }
    facet_put_flush(&out);
    facet_quoted quoted;
    const char *first = lost.count > 0 ? scene->materials[lost.first].name : "";
    facet_report_add_tally(options ? options->report : NULL, "LOSS-OBJ-MAP", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &lost, "MTL cannot hold a map of the material '%s'",
                           facet_quote(&quoted, first, strlen(first)));
}
