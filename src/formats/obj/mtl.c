/* formats/obj/mtl.c - statements of material libraries, and their reader. */
#include "formats/obj/mtl.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/numbers.h"
#include "formats/obj/obj.h"
#include "scene/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- The statements ----------------------------------------------------- */

#define VALUE(word, bit, field, count)                                   \
    {                                                                    \
        word, FACET_CLASSIC_##bit, offsetof(facet_classic, field), count \
    }

const facet_mtl_value facet_mtl_values[] = {
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
    {NULL, 0, 0, 0}, /* the end */
};

const facet_mtl_map facet_mtl_maps[] = {
    {"map_Ka", FACET_MAP_AMBIENT},    {"map_Kd", FACET_MAP_DIFFUSE},
    {"map_Ks", FACET_MAP_SPECULAR},   {"map_Ke", FACET_MAP_EMISSIVE},
    {"map_Ns", FACET_MAP_SHININESS},  {"map_d", FACET_MAP_OPACITY},
    {"map_Bump", FACET_MAP_BUMP},     {"bump", FACET_MAP_BUMP},
    {"norm", FACET_MAP_NORMAL},       {"map_Kn", FACET_MAP_NORMAL},
    {"disp", FACET_MAP_DISPLACEMENT}, {"map_disp", FACET_MAP_DISPLACEMENT},
    {"decal", FACET_MAP_DECAL},       {"map_decal", FACET_MAP_DECAL},
    {"refl", FACET_MAP_REFLECTION},   {"map_refl", FACET_MAP_REFLECTION},
    {"map_Pr", FACET_MAP_ROUGHNESS},  {"map_Pm", FACET_MAP_METALLIC},
    {"map_Ps", FACET_MAP_SHEEN},      {NULL, FACET_MAP_AMBIENT}, /* the end */
};

bool facet_obj_has_map(int map)
{
    for (const facet_mtl_map *each = facet_mtl_maps; each->word; each++) {
        if ((int)each->map == map)
            return true;
    }
    return false;
}

/* -- Reading ------------------------------------------------------------ */

typedef struct library {
    facet_obj_materials *materials;
    const facet_source *source;
    const uint8_t *end;
    facet_error *error;
    facet_material *material; /* NULL: not used by the OBJ */
    facet_classic classic;    /* values of `material` */
    bool skip;                /* true inside a material that is not used */
    bool has_dissolve;        /* d was present; it has priority over Tr */
    bool has_transparency;    /* Tr was present */
    float transparency;
    bool is_blender;
    /* `first` is a byte offset. */
    facet_tally unknown, unknown_maps, spectra, numbers, maps, options, latin, opacities, halos;
    facet_tally unused, duplicates; /* materials */
} library;

static void tally(const library *l, facet_tally *tally, const uint8_t *at)
{
    facet_tally_hit(tally, (uint64_t)(at - l->source->data));
}

/* Store the values of a material, before the next one begins. */
static facet_status end_material(library *l)
{
    if (!l->material)
        return FACET_OK;
    facet_material *material = l->material;
    l->material = NULL;
    return facet_scene_set_classic(l->materials->scene, material, &l->classic, l->error);
}

static facet_status read_newmtl(library *l, facet_text name)
{
    facet_obj_materials *m = l->materials;
    TRY(end_material(l));
    bool changed = false;
    const char *string = facet_text_string(m->scratch, name, &changed);
    if (!string)
        return facet_fail_arena(m->scratch, l->error);
    uint32_t known = facet_names_find(&m->names, string, strlen(string));
    l->has_dissolve = l->has_transparency = false;
    facet_classic_init(&l->classic);
    l->skip = true;
    if (known == FACET_NONE) {
        tally(l, &l->unused, name.at);
    } else if (m->defined[known]) {
        tally(l, &l->duplicates, name.at);
    } else {
        m->defined[known] = true;
        l->material = m->scene->materials[known];
    }
    return FACET_OK;
}

/* Read up to `most` numbers at *at; false if something else follows. */
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

/* Compare Tr with d. Some programs write Tr as a synonym of d; programs differ in which one they
 * read. */
static void compare_opacities(library *l, const uint8_t *line)
{
    const float rounding = 0.001F;
    if (l->has_dissolve && l->has_transparency &&
        fabsf(l->classic.opacity - (1 - l->transparency)) > rounding)
        tally(l, &l->opacities, line);
}

/* Convert a CIE XYZ color to the linear primaries of sRGB (IEC 61966-2-1); colors beyond them are
 * clamped. */
static void rgb_of_xyz(float color[3])
{
    static const float rows[3][3] = {
        {3.2406F, -1.5372F, -0.4986F}, {-0.9689F, 1.8758F, 0.0415F}, {0.0557F, -0.2040F, 1.0570F}};
    float xyz[3];
    memcpy(xyz, color, sizeof xyz);
    for (int i = 0; i < 3; i++) {
        float value = rows[i][0] * xyz[0] + rows[i][1] * xyz[1] + rows[i][2] * xyz[2];
        color[i] = value < 0 ? 0 : value;
    }
}

static void read_value(library *l, const facet_mtl_value *statement, const uint8_t *line,
                       facet_text rest)
{
    facet_text first = facet_text_word(rest.at, rest.end);
    if (statement->count == 3 && facet_text_is(first, "spectral")) {
        tally(l, &l->spectra, line);
        return;
    }
    bool is_xyz = statement->count == 3 && facet_text_is(first, "xyz");
    if (is_xyz)
        rest.at = first.end;
    if (statement->stated == FACET_CLASSIC_OPACITY && facet_text_is(first, "-halo")) {
        rest.at = first.end;
        tally(l, &l->halos, line);
    }
    float values[3];
    int count;
    if (!read_numbers(rest.at, rest.end, values, statement->count, &count)) {
        tally(l, &l->numbers, line);
        return;
    }
    /* "If only r is specified, then g and b are assumed to be equal to r." */
    for (int i = count; i < statement->count; i++)
        values[i] = values[i - 1];
    if (is_xyz)
        rgb_of_xyz(values);
    memcpy((char *)&l->classic + statement->offset, values,
           (size_t)statement->count * sizeof *values);
    l->classic.stated |= statement->stated;
    if (statement->stated == FACET_CLASSIC_OPACITY) {
        l->has_dissolve = true;
        compare_opacities(l, line);
    }
}

/* True for statements at their default, which change nothing. */
static bool is_default(facet_text word, facet_text rest)
{
    const float sharpness = 60;
    float value;
    int count;
    if (facet_text_is_any_case(word, "map_aat"))
        return facet_text_is_any_case(rest, "off");
    return facet_text_is_any_case(word, "sharpness") &&
           read_numbers(rest.at, rest.end, &value, 1, &count) && value == sharpness;
}

/* Read Tr and illum. False for other statements. */
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
        l->classic.illumination = (int32_t)value;
        l->classic.stated |= FACET_CLASSIC_ILLUMINATION;
    } else {
        if (!l->has_dissolve)
            l->classic.opacity = 1 - value;
        l->classic.stated |= FACET_CLASSIC_OPACITY;
        l->has_transparency = true;
        l->transparency = value;
        compare_opacities(l, line);
    }
    return true;
}

/* -- Textures ----------------------------------------------------------- */

/* The options before the path of a map statement. A texture coordinate is multiplied by -s, then -o
 * is added: the transform of facet_texture without rotation. */
typedef enum map_option {
    OPTION_OFFSET,
    OPTION_SCALE,
    OPTION_CLAMP,
    OPTION_STRENGTH,
    OPTION_OTHER
} map_option;

static const struct {
    const char *word;
    map_option option;
    int least, most;     /* number of values */
    const char *neutral; /* for OPTION_OTHER: values without effect */
} map_options[] = {{"-o", OPTION_OFFSET, 1, 3, NULL},     {"-s", OPTION_SCALE, 1, 3, NULL},
                   {"-clamp", OPTION_CLAMP, 1, 1, NULL},  {"-bm", OPTION_STRENGTH, 1, 1, NULL},
                   {"-t", OPTION_OTHER, 1, 3, "0 0 0"},   {"-mm", OPTION_OTHER, 2, 2, "0 1"},
                   {"-boost", OPTION_OTHER, 1, 1, "0"},   {"-blendu", OPTION_OTHER, 1, 1, "on"},
                   {"-blendv", OPTION_OTHER, 1, 1, "on"}, {"-cc", OPTION_OTHER, 1, 1, "off"},
                   {"-texres", OPTION_OTHER, 1, 1, ""},   {"-imfchan", OPTION_OTHER, 1, 1, ""},
                   {"-type", OPTION_OTHER, 1, 1, ""},     {"-colorspace", OPTION_OTHER, 1, 1, ""}};

enum { MAX_OPTION_VALUES = 3 };

/* An option of the file. */
typedef struct option_text {
    size_t number; /* index in map_options */
    facet_text values[MAX_OPTION_VALUES];
    float numbers[MAX_OPTION_VALUES]; /* those values that are numbers */
    int count, number_count;
} option_text;

/* Read the option at *at and advance. False without an option. */
static bool parse_option(const uint8_t **at, const uint8_t *end, option_text *option)
{
    size_t count = sizeof map_options / sizeof *map_options;
    facet_text word = facet_text_word(*at, end);
    memset(option, 0, sizeof *option);
    while (option->number < count &&
           !facet_text_is_any_case(word, map_options[option->number].word))
        option->number++;
    if (option->number == count)
        return false;
    const uint8_t *next = facet_text_skip_blanks(word.end, end);
    for (int i = 0; i < map_options[option->number].most; i++) {
        facet_text value = facet_text_word(next, end);
        bool is_number = value.at < value.end &&
                         facet_number_parse(value.at, value.end, &option->numbers[i]) == value.end;
        if (!is_number && i >= map_options[option->number].least)
            break;
        option->number_count += is_number && option->number_count == i;
        option->values[option->count++] = value;
        next = facet_text_skip_blanks(value.end, end);
    }
    *at = next;
    return true;
}

/* Read an option before a path. If nothing follows it, the text is the path. */
static bool next_option(const uint8_t **at, const uint8_t *end, option_text *option)
{
    const uint8_t *next = *at;
    if (!parse_option(&next, end, option) || next >= end)
        return false;
    *at = next;
    return true;
}

static bool is_neutral(const option_text *option)
{
    const uint8_t *at = (const uint8_t *)map_options[option->number].neutral;
    const uint8_t *end = at + strlen((const char *)at);
    for (int i = 0; i < option->count; i++) {
        facet_text word = facet_text_word(facet_text_skip_blanks(at, end), end);
        float neutral;
        bool is_number =
            word.at < word.end && facet_number_parse(word.at, word.end, &neutral) == word.end;
        bool same = is_number ? option->number_count > i && option->numbers[i] == neutral
                              : facet_text_is_any_case(option->values[i], (const char *)word.at);
        if (word.at == word.end || !same)
            return false;
        at = word.end;
    }
    return true;
}

/* Read a transform. The third value is for volume textures, which image files are not. */
static void set_transform(const option_text *option, float to[2])
{
    for (int i = 0; i < 2 && i < option->number_count; i++)
        to[i] = option->numbers[i];
}

/* Apply an option to a texture; *lost becomes true if the texture cannot store it. */
static void apply_option(const option_text *option, facet_map map, facet_texture *texture,
                         bool *lost)
{
    switch (map_options[option->number].option) {
    case OPTION_OFFSET:
    case OPTION_SCALE:
        *lost |= option->number_count == 0;
        texture->has_transform = true;
        set_transform(option, map_options[option->number].option == OPTION_SCALE ? texture->scale
                                                                                 : texture->offset);
        break;
    case OPTION_CLAMP:
        texture->wrap_u = texture->wrap_v =
            facet_text_is_any_case(option->values[0], "on") ? FACET_WRAP_CLAMP : FACET_WRAP_REPEAT;
        *lost |= !facet_text_is_any_case(option->values[0], "on") &&
                 !facet_text_is_any_case(option->values[0], "off");
        break;
    case OPTION_STRENGTH:
        *lost |= option->number_count == 0 || (map != FACET_MAP_BUMP && map != FACET_MAP_NORMAL);
        if (option->number_count > 0)
            texture->strength = option->numbers[0];
        break;
    default:
        *lost |= !is_neutral(option);
    }
}

/* Correct the map for files by Blender: its exporter writes roughness, metallic and normal maps as
 * "Ns", "refl" and "Bump", which have another meaning in MTL. */
static facet_map meant_by_blender(facet_map map)
{
    switch (map) {
    case FACET_MAP_SHININESS:
        return FACET_MAP_ROUGHNESS;
    case FACET_MAP_REFLECTION:
        return FACET_MAP_METALLIC;
    case FACET_MAP_BUMP:
        return FACET_MAP_NORMAL;
    default:
        return map;
    }
}

/* True for a comment like "# Blender 3.4.1 MTL File: 'None'". */
static bool is_of_blender(const uint8_t *at, const uint8_t *end)
{
    static const char begin[] = "# Blender";
    return (size_t)(end - at) >= sizeof begin && memcmp(at, begin, sizeof begin - 1) == 0;
}

/* True if a text ends with an extension: a dot, then two to five letters or digits. */
static bool has_extension(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *dot = end;
    while (dot > at && ((dot[-1] >= '0' && dot[-1] <= '9') || (dot[-1] >= 'A' && dot[-1] <= 'Z') ||
                        (dot[-1] >= 'a' && dot[-1] <= 'z')))
        dot--;
    return dot > at && dot[-1] == '.' && end - dot >= 2 && end - dot <= 5;
}

const uint8_t *facet_obj_end_of_path(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *after;
    for (const uint8_t *c = at; c < end; c = after + 1) {
        after = facet_text_skip_blanks(c, end);
        const uint8_t *next = after;
        option_text option;
        if (c > at && after > c && after < end && (has_extension(at, c) || c[-1] == '"') &&
            (*after == '#' || parse_option(&next, end, &option)))
            return c;
    }
    return end;
}

static facet_status read_map(library *l, facet_map map, const uint8_t *line, facet_text rest)
{
    facet_scene *scene = l->materials->scene;
    facet_texture *texture = NULL;
    if (facet_text_length(rest) == 0 || l->material->maps[map]) {
        tally(l, &l->maps, line);
        return FACET_OK;
    }
    TRY(facet_scene_add_map(scene, l->material, map, &texture, l->error));
    const uint8_t *at = rest.at;
    option_text option;
    bool lost = false, changed = false;
    while (next_option(&at, rest.end, &option))
        apply_option(&option, map, texture, &lost);
    facet_text path = {at, facet_obj_end_of_path(at, rest.end)};
    at = facet_text_skip_blanks(path.end, rest.end);
    while (at < rest.end && parse_option(&at, rest.end, &option))
        apply_option(&option, map, texture, &lost);
    path = facet_text_unquoted(path);
    texture->path = facet_text_string(scene->arena, path, &changed);
    if (!texture->path)
        return facet_fail_arena(scene->arena, l->error);
    if (lost)
        tally(l, &l->options, line);
    if (changed)
        tally(l, &l->latin, line);
    return FACET_OK;
}

/* -- Statements --------------------------------------------------------- */

/* True for words like "map_opacity", which some programs write. */
static bool is_unknown_map(facet_text word)
{
    return facet_text_length(word) > 4 && !facet_text_is_any_case(word, "map_aat") &&
           facet_text_is_any_case((facet_text){word.at, word.at + 4}, "map_");
}

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
    for (const facet_mtl_value *each = facet_mtl_values; each->word; each++) {
        if (facet_text_is_any_case(word, each->word)) {
            read_value(l, each, word.at, rest);
            return FACET_OK;
        }
    }
    for (const facet_mtl_map *each = facet_mtl_maps; each->word; each++) {
        if (facet_text_is_any_case(word, each->word))
            return read_map(l, l->is_blender ? meant_by_blender(each->map) : each->map, word.at,
                            rest);
    }
    if (!is_default(word, rest) && !read_special(l, word, word.at, rest))
        tally(l, is_unknown_map(word) ? &l->unknown_maps : &l->unknown, word.at);
    return FACET_OK;
}

/* Report a tally at the line of its first occurrence: "SUBJECT'TEXT' WHAT". */
static void say_text(const library *l, const facet_options *options, const char *rule,
                     facet_severity severity, const facet_tally *tally, const char *subject,
                     facet_text text, const char *what)
{
    facet_quoted quoted;
    const uint8_t *at = l->source->data + tally->first;
    if (tally->count > 0)
        facet_report_add_tally_line(
            options ? options->report : NULL, rule, severity,
            facet_text_line_number(l->source->data, at), tally, "%s'%s' %s", subject,
            facet_quote(&quoted, (const char *)text.at, facet_text_length(text)), what);
}

/* The first occurrence is a statement. */
static void say(const library *l, const facet_options *options, const char *rule,
                facet_severity severity, const facet_tally *tally, const char *what)
{
    facet_text word = facet_text_word(l->source->data + tally->first, l->end);
    say_text(l, options, rule, severity, tally, "", word, what);
}

/* The first occurrence is the name of a material. */
static void say_material(const library *l, const facet_options *options, const char *rule,
                         facet_severity severity, const facet_tally *tally, const char *what)
{
    facet_text name = facet_text_rest(l->source->data + tally->first, l->end);
    say_text(l, options, rule, severity, tally, "material ", name, what);
}

facet_status facet_obj_read_library(facet_obj_materials *materials, const facet_source *source,
                                    const facet_options *options, facet_error *error)
{
    library l = {0};
    l.materials = materials;
    l.source = source;
    l.end = facet_text_end(source);
    l.error = error;
    l.is_blender = is_of_blender(facet_text_begin(source), l.end);
    facet_status status = FACET_OK;
    for (const uint8_t *at = facet_text_begin(source); at < l.end && !status;) {
        at = facet_text_skip_blanks(at, l.end);
        if (!facet_text_at_end(at, l.end))
            status = read_statement(&l, facet_text_word(at, l.end));
        at = facet_text_next_line(at, l.end);
    }
    if (!status)
        status = end_material(&l);
    facet_report *report = options ? options->report : NULL;
    facet_report_set_file(report, source->name);
    say(&l, options, "OBJ-MTL-STATEMENT", FACET_SEVERITY_NOTE, &l.unknown, "is left out");
    say(&l, options, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, &l.spectra,
        "has its color in a spectral file, which is left out");
    say(&l, options, "LOSS-TEXTURES", FACET_SEVERITY_WARNING, &l.unknown_maps,
        "is a map of an unknown kind, it is left out");
    say(&l, options, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, &l.halos,
        "has an opacity that depends on the view (-halo), it is read as constant");
    say(&l, options, "OBJ-MTL-NUMBER", FACET_SEVERITY_WARNING, &l.numbers,
        "has no number where one is expected, it is left out");
    say(&l, options, "OBJ-MTL-OPACITY", FACET_SEVERITY_WARNING, &l.opacities,
        "has an opacity that d and Tr state differently, d is read");
    say(&l, options, "OBJ-MTL-MAP", FACET_SEVERITY_WARNING, &l.maps,
        "names no file or is the second of its kind, it is left out");
    say(&l, options, "OBJ-MTL-OPTION", FACET_SEVERITY_WARNING, &l.options,
        "has an option that a scene does not hold, it is left out");
    say(&l, options, "OBJ-ENCODING", FACET_SEVERITY_NOTE, &l.latin,
        "names a file in a text that is not UTF-8, taken for Latin-1");
    say_material(&l, options, "OBJ-MATERIAL-UNUSED", FACET_SEVERITY_NOTE, &l.unused,
                 "is used by no face and left out");
    say_material(&l, options, "OBJ-MATERIAL-DUPLICATE", FACET_SEVERITY_WARNING, &l.duplicates,
                 "is defined again, the first definition is used");
    facet_report_set_file(report, NULL);
    return status;
}
