/* cli/render_options.c - parsing of sizes, views, colors, modes and cameras. */
#include "cli/record.h"
#include "cli/render.h"

#include "base/error.h"
#include "base/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int refuse(cli_record *record, const char *option, const char *text, const char *expected)
{
    cli_complain(record, "--%s '%s' is not %s", option, text, expected);
    return EXIT_USAGE;
}

/* Parse `count` numbers with commas between them. */
static bool read_numbers(const char *text, double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtod(text, &end);
        if (end == text || !isfinite(numbers[i]) || *end != (i + 1 < count ? ',' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

static int read_size(cli_rendering *r, const char *text)
{
    unsigned long sides[2];
    char *end;
    sides[0] = sides[1] = strtoul(text, &end, 10);
    if (end != text && *end == 'x') {
        text = end + 1;
        sides[1] = strtoul(text, &end, 10);
    }
    if (end == text || *end || sides[0] < 1 || sides[1] < 1 || sides[0] > 8192 || sides[1] > 8192)
        return refuse(r->arguments->record, "size", r->picture->size,
                      "WIDTHxHEIGHT from 1 to 8192");
    r->how.width = (uint32_t)sides[0];
    r->how.height = (uint32_t)sides[1];
    return EXIT_DONE;
}

static int read_view(cli_rendering *r, const char *text)
{
    static const struct {
        const char *name;
        double azimuth, elevation;
    } views[] = {{"front", 0, 0},
                 {"back", 180, 0},
                 {"left", 90, 0},
                 {"right", -90, 0},
                 {"top", 0, 90},
                 {"bottom", 0, -90},
                 {"iso", 45, 35.264389682754654}};
    double angles[2];
    r->how.has_direction = true;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        if (strcmp(text, views[i].name) != 0)
            continue;
        r->how.azimuth = views[i].azimuth;
        r->how.elevation = views[i].elevation;
        return EXIT_DONE;
    }
    if (!read_numbers(text, angles, 2) || fabs(angles[0]) > 36000 || fabs(angles[1]) > 90)
        return refuse(r->arguments->record, "view", text,
                      "front, back, left, right, top, bottom, iso or AZIMUTH,ELEVATION");
    r->how.azimuth = angles[0];
    r->how.elevation = angles[1];
    return EXIT_DONE;
}

static int read_background(cli_rendering *r, const char *text)
{
    size_t length = strlen(text);
    if (strcmp(text, "transparent") == 0)
        return EXIT_DONE;
    if (*text != '#' || (length != 7 && length != 9) ||
        strspn(text + 1, "0123456789abcdefABCDEF") != length - 1)
        return refuse(r->arguments->record, "background", text,
                      "#RRGGBB, #RRGGBBAA or transparent");
    r->background[3] = 255;
    for (size_t i = 0; i < length / 2; i++) {
        char pair[3] = {text[1 + i * 2], text[2 + i * 2], '\0'};
        r->background[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    r->how.background = r->background;
    return EXIT_DONE;
}

/* -- Modes -------------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned bit;
} modes[] = {{"shaded", FACET_RENDER_SHADED},
             {"clay", FACET_RENDER_CLAY},
             {"normals", FACET_RENDER_NORMALS},
             {"tangents", FACET_RENDER_TANGENTS},
             {"uv", FACET_RENDER_UV},
             {"weights", FACET_RENDER_WEIGHTS},
             {"joints", FACET_RENDER_JOINTS},
             {"facing", FACET_RENDER_FACING},
             {"overdraw", FACET_RENDER_OVERDRAW},
             {"material", FACET_RENDER_MATERIAL},
             {"wireframe", FACET_RENDER_WIREFRAME},
             {"hulls", FACET_RENDER_HULLS},
             {"occluder", FACET_RENDER_OCCLUDER}};

const char *cli_mode_name(unsigned bit)
{
    if (bit == FACET_RENDER_TEXTURE)
        return "texture=";
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (modes[i].bit == bit)
            return modes[i].name;
    }
    return NULL;
}

static bool read_mode(cli_rendering *r, const char *name, size_t length)
{
    if (length > 8 && strncmp(name, "texture=", 8) == 0) {
        char *end;
        r->how.texture = (uint32_t)strtoul(name + 8, &end, 10);
        r->how.modes |= FACET_RENDER_TEXTURE;
        return end == name + length;
    }
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strlen(modes[i].name) == length && memcmp(modes[i].name, name, length) == 0) {
            r->how.modes |= modes[i].bit;
            return true;
        }
    }
    return false;
}

static int read_modes(cli_rendering *r, const char *text)
{
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (!read_mode(r, at, length)) {
            cli_nearest nearest = {.given = at, .length = length};
            for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
                cli_nearest_try(&nearest, modes[i].name);
            if (nearest.name)
                cli_complain(r->arguments->record, "unknown mode '%.*s'; did you mean '%s'?",
                             (int)length, at, nearest.name);
            else
                cli_complain(r->arguments->record,
                             "unknown mode '%.*s'; 'facet render --help' lists them", (int)length,
                             at);
            return EXIT_USAGE;
        }
        at += length;
        if (!*at)
            break;
    }
    unsigned fills = r->how.modes & 0xFFFF;
    if (fills & (fills - 1)) {
        cli_complain(
            r->arguments->record,
            "--mode '%s': only wireframe, hulls and occluder can be drawn over another mode", text);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* -- Cameras ------------------------------------------------------------ */

/* A file, or else the name of a camera of the scene. */
static int read_camera(cli_rendering *r, const char *path)
{
    facet_error error;
    facet_file_info place;
    if (!facet_system_get_file_info(path, &place)) {
        r->how.scene_camera = path;
        return EXIT_DONE;
    }
    if (cli_read_camera(path, &r->camera, &error))
        return cli_render_complain(r, r->out, path, &error);
    r->how.camera = &r->camera;
    return EXIT_DONE;
}

/* -- Light -------------------------------------------------------------- */

static int read_environment(cli_rendering *r, const char *path)
{
    facet_error error;
    facet_source source;
    facet_status status =
        cli_open_side(r->arguments->record, path, &r->options, &r->panorama, &error);
    if (!status)
        status = facet_input_decompress(r->panorama, &source, &error);
    if (!status)
        status = cli_record_source(r->arguments->record, &source, &error);
    if (status)
        return cli_render_complain(r, r->out, path, &error);
    r->environment =
        (facet_image){.name = path, .media_type = "", .data = source.data, .size = source.size};
    r->how.environment = &r->environment;
    return EXIT_DONE;
}

static int read_light(cli_rendering *r)
{
    const cli_picture_settings *s = r->picture;
    if (s->light && !read_numbers(s->light, r->light, 3))
        return refuse(r->arguments->record, "light", s->light, "X,Y,Z");
    if (s->light && r->light[0] == 0 && r->light[1] == 0 && r->light[2] == 0)
        return refuse(r->arguments->record, "light", s->light, "a direction, which is not 0,0,0");
    if (s->light)
        r->how.light = r->light;
    if (s->environment_rotation &&
        (!read_numbers(s->environment_rotation, &r->how.environment_rotation, 1) ||
         fabs(r->how.environment_rotation) > 36000))
        return refuse(r->arguments->record, "environment-rotation", s->environment_rotation,
                      "a number of degrees from -36000 to 36000");
    if (s->exposure &&
        (!read_numbers(s->exposure, &r->how.exposure, 1) || fabs(r->how.exposure) > 32))
        return refuse(r->arguments->record, "exposure", s->exposure,
                      "a number of stops from -32 to 32");
    if (s->shadow && (!read_numbers(s->shadow, &r->how.shadow, 1) ||
                      !(r->how.shadow >= 0 && r->how.shadow <= 1)))
        return refuse(r->arguments->record, "shadow", s->shadow, "a number from 0 to 1");
    return s->environment ? read_environment(r, s->environment) : EXIT_DONE;
}

/* -- All options -------------------------------------------------------- */

int cli_render_options(cli_rendering *r)
{
    const cli_picture_settings *s = r->picture;
    int result = EXIT_DONE;
    r->how.samples = s->samples;
    if (r->settings->thumbnail && !s->samples) /* cheap for small pictures */
        r->how.samples = 16;
    r->how.orthographic = s->orthographic;
    r->how.scene_lights = s->scene_lights;
    r->how.fog = s->fog;
    r->how.file_order = s->file_order;
    if (s->samples && s->samples != 1 && s->samples != 4 && s->samples != 16) {
        cli_complain(r->arguments->record, "--samples takes 1, 4 or 16, not %u",
                     (unsigned)s->samples);
        return EXIT_USAGE;
    }
    if (s->size)
        result = read_size(r, s->size);
    if (result == EXIT_DONE && s->view)
        result = read_view(r, s->view);
    if (result == EXIT_DONE && s->background)
        result = read_background(r, s->background);
    if (result == EXIT_DONE && s->mode)
        result = read_modes(r, s->mode);
    if (result == EXIT_DONE && s->camera)
        result = read_camera(r, s->camera);
    if (result == EXIT_DONE && s->time && !read_numbers(s->time, &r->how.time, 1))
        result = refuse(r->arguments->record, "time", s->time, "a number of seconds");
    if (result == EXIT_DONE && s->line_width &&
        (!read_numbers(s->line_width, &r->how.line_width, 1) || !(r->how.line_width > 0) ||
         r->how.line_width > 8192))
        result = refuse(r->arguments->record, "line-width", s->line_width,
                        "a number of pixels from 0 to 8192");
    return result == EXIT_DONE ? read_light(r) : result;
}
