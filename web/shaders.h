/* shaders.h - what is asked of console materials, and parts of the answers. */
#ifndef FACET_WEB_SHADERS_H
#define FACET_WEB_SHADERS_H

#include "base/json.h"

#include <facet/gx_material.h>
#include <facet/scene.h>

/* A scene with the materials and images of {"materials": [{"name", "extras"}], "images":
 * [...]}, as a glTF has them, where extras are objects: those of the console have their
 * state. NULL without memory. */
facet_scene *facet_web_read_materials(const facet_json *root);

/* The text of a shader. NULL without memory. */
facet_json *facet_web_shader(const facet_gx_material *material, bool vertex);
/* A texture map with its sampler, null when it is not used. */
facet_json *facet_web_map(const facet_gx_material *material, int map);

#endif
