/* tests/support/gltf.h - glTF files with base64 and GLB encoders that are independent of the code
 * under test. */
#ifndef FACET_TESTS_SUPPORT_GLTF_H
#define FACET_TESTS_SUPPORT_GLTF_H

#include "formats/gltf/format.h"
#include "support/support.h"

#include <facet/gltf.h>
#include <facet/pose.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* RFC 4648, section 4. The text is valid until the next call. */
static inline const char *test_base64(const void *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static char text[8192];
    const uint8_t *bytes = data;
    size_t used = 0;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16;
        group |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
        group |= i + 2 < size ? bytes[i + 2] : 0;
        for (size_t d = 0; d < 4; d++)
            text[used++] = i + d > size ? '=' : digits[group >> (18 - 6 * d) & 63];
    }
    text[used] = '\0';
    return text;
}

static inline facet_status test_gltf_read(const void *data, size_t size, facet_report *report,
                                          facet_scene **scene, facet_error *error)
{
    facet_source source = {0};
    facet_options options = {0};
    source.data = data;
    source.size = size;
    options.report = report;
    return facet_gltf_read(&source, NULL, &options, scene, error);
}

/* The same for a path, to a file of the corpus or of the test. */
static inline facet_status test_gltf_read_path(const char *path, facet_scene **scene,
                                               facet_error *error)
{
    facet_file *file = NULL;
    TEST_OK(facet_file_open(path, NULL, &file, error), error);
    facet_source source = facet_file_source(file);
    facet_status status = facet_gltf_read(&source, NULL, NULL, scene, error);
    facet_file_close(file);
    return status;
}

/* Read a file that must be valid. */
static inline facet_scene *test_gltf_load(const char *path)
{
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(test_gltf_read_path(path, &scene, &error), &error);
    return scene;
}

/* A JSON text in which the buffer replaces %B, as a data URI with its length:
 * {"byteLength":..,"uri":".."}. The text is valid until the next call. */
static inline const char *test_gltf_text(const char *json, const void *buffer, size_t size)
{
    static char text[20000];
    const char *place = strstr(json, "%B");
    if (!place) {
        snprintf(text, sizeof text, "%s", json);
        return text;
    }
    snprintf(text, sizeof text,
             "%.*s{\"byteLength\":%zu,\"uri\":\"data:application/octet-stream;base64,%s\"}%s",
             (int)(place - json), json, size, test_base64(buffer, size), place + 2);
    return text;
}

/* A GLB 2 of a JSON text and a buffer. The caller frees it. */
static inline uint8_t *test_glb(const char *json, const void *buffer, size_t size, size_t *total)
{
    size_t json_size = (strlen(json) + 3) / 4 * 4, chunk = (size + 3) / 4 * 4;
    *total = 12 + 8 + json_size + 8 + chunk;
    uint8_t *bytes = calloc(*total, 1);
    assert_non_null(bytes);
    uint32_t header[5] = {0x46546C67, 2, (uint32_t)*total, (uint32_t)json_size, 0x4E4F534A};
    memcpy(bytes, header, 20);
    memset(bytes + 20, ' ', json_size);
    memcpy(bytes + 20, json, strlen(json));
    uint32_t second[2] = {(uint32_t)chunk, 0x004E4942};
    memcpy(bytes + 20 + json_size, second, 8);
    memcpy(bytes + 28 + json_size, buffer, size);
    return bytes;
}

/* True if node and the package gltf-validator under FACET_NPM are installed. */
static inline bool test_gltf_validator_is_there(void)
{
    const char *npm = getenv("FACET_NPM");
    char package[4096];
    snprintf(package, sizeof package, "%s/node_modules/gltf-validator", npm ? npm : "");
    return npm && access(package, R_OK) == 0 && system("node --version >/dev/null 2>&1") == 0;
}

/* Check that the Khronos validator reports nothing about these files, quoted and separated by
 * blanks. */
static inline void test_gltf_expect_valid(const char *files)
{
    static char command[70000], line[1000];
    snprintf(command, sizeof command, "node '%s' '%s/node_modules'%s",
             test_path("formats/gltf/gltf_validate.js"), getenv("FACET_NPM"), files);
    FILE *validator = popen(command, "r");
    assert_non_null(validator);
    unsigned lines = 0;
    while (fgets(line, sizeof line, validator) && ++lines < 10)
        print_message("%s", line);
    assert_int_equal(pclose(validator), 0);
    assert_int_equal(lines, 0);
}

/* Corners of a rectangle, 2 wide and 1 high. */
static const float test_gltf_square[12] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1, 0};

/* Read a text with the data of its buffer, which must be valid. */
static inline facet_scene *test_gltf_read_text(const char *json, const void *buffer, size_t size,
                                               facet_report *report)
{
    facet_scene *scene = NULL;
    facet_error error;
    const char *text = test_gltf_text(json, buffer, size);
    TEST_OK(test_gltf_read(text, strlen(text), report, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

#endif
