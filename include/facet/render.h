/* facet/render.h - rendering of a scene to a picture, without a GPU, window or display.
 *
 * The result is bit for bit the same on every machine and with any number of threads. Edges use
 * integers. Floats use only addition, multiplication, division and square root, in a fixed order.
 *
 * Materials from the GameCube and Wii (facet_material.gx) are drawn by the state of their graphics
 * chip, with its integers and its order. All others are physically based (metallic and roughness,
 * as in glTF). A built-in light, which moves with the camera, or the lights of the scene light
 * them. docs/how-to/render.md shows every mode.
 *
 * Stability: experimental. */
#ifndef FACET_RENDER_H
#define FACET_RENDER_H

#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Camera ------------------------------------------------------------- */

/* Position and direction of the camera in the axes of glTF: +Y up, right-handed. The front of a
 * model is at +Z. */
typedef struct facet_render_camera {
    double position[3], target[3], up[3];
    double field_of_view; /* for the smaller side, in degrees; 0: orthographic */
    double height;        /* of an orthographic picture's smaller side, in units of the scene */
} facet_render_camera;

/* -- What to draw ------------------------------------------------------- */

/* Bits. Choose one of the first group, which fills faces; those of the second are drawn over it. */
typedef enum facet_render_mode {
    FACET_RENDER_SHADED = 1 << 0,   /* with materials and light */
    FACET_RENDER_CLAY = 1 << 1,     /* gray and lit, to show the shape */
    FACET_RENDER_NORMALS = 1 << 2,  /* x, y, z as red, green, blue, in the model's axes */
    FACET_RENDER_TANGENTS = 1 << 3, /* tangents like FACET_RENDER_NORMALS; magenta if missing */
    FACET_RENDER_UV = 1 << 4,       /* a checkerboard with squares of 0.1, u in red and v in
                                       green */
    FACET_RENDER_WEIGHTS = 1 << 5,  /* the largest weight of a vertex, from blue to red */
    FACET_RENDER_JOINTS = 1 << 6,   /* one color per joint, mixed by the weights */
    FACET_RENDER_FACING = 1 << 7,   /* front faces blue, back faces red */
    FACET_RENDER_OVERDRAW = 1 << 8, /* number of faces behind each other */
    FACET_RENDER_MATERIAL = 1 << 9, /* one color per material */
    FACET_RENDER_TEXTURE = 1 << 10, /* one image of the scene, unlit, with texcoord set 0 */

    FACET_RENDER_WIREFRAME = 1 << 16, /* edges of visible triangles */
    FACET_RENDER_HULLS = 1 << 17,     /* hulls, translucent */
    FACET_RENDER_OCCLUDER = 1 << 18   /* the occluder, translucent */
} facet_render_mode;

typedef struct facet_render_options {
    uint32_t struct_size;              /* sizeof(facet_render_options), or 0: that of release 0.2 */
    uint32_t width, height;            /* 1 to 8,192, with 16 samples 1 to 4,096; 0: 512 */
    uint32_t samples;                  /* samples per pixel: 1, 4 or 16; 0: 4 */
    const facet_render_camera *camera; /* NULL: fitted to everything visible, from the direction
                                          below */
    bool has_direction;                /* false: use (32, 22), from the right front, above */
    double azimuth, elevation;         /* in degrees; 0, 0 is from the front, azimuth 90 from the
                                          model's left */
    bool orthographic;                 /* projection of a fitted camera */
    const uint8_t *background;         /* RGBA; NULL: transparent */
    bool has_time;                     /* draw the pose and materials of `animation` at `time`;
                                          otherwise at rest */
    uint32_t animation;
    double time;
    unsigned modes;      /* facet_render_mode bits; 0: shaded */
    uint32_t texture;    /* index of the image for FACET_RENDER_TEXTURE */
    bool fog;            /* draw the fog of console materials */
    bool file_order;     /* draw console materials in the order of the scene, unsorted */
    const double *light; /* direction to the light in the camera's axes, 3 numbers: right, up,
                            toward the viewer; NULL: from the upper left */
    /* States of the scene's console materials at the time, one per material of the scene, as
     * facet_j3d_pose_materials returns them. NULL: unchanged. Entries of materials without console
     * state are ignored. */
    const struct facet_gx_material *console;
    double line_width; /* width of lines, in pixels; points are twice as wide; 0: 1.5 */
    /* Environment light, which replaces the built-in studio and, unless `light` is set, the key
     * light. An image of the full sphere, twice as wide as high; its middle column is the direction
     * +X, and +Z is to the right of it. Encoded (Radiance HDR, or any image) or decoded, floats or
     * sRGB bytes. NULL: the studio. Console materials ignore it. */
    const facet_image *environment;
    double environment_rotation; /* in degrees, counterclockwise as seen from above */
    double exposure;             /* in stops: lit surfaces are multiplied by 2 to this power; -32
                                    to 32 */
    /* Draw from this camera of the scene, in its pose: the name of the camera or of its node, or a
     * number. All that it sees is in the picture, which shows more if its sides have another ratio.
     * The camera's near and far distances are not used. NULL, or with `camera`: none. */
    const char *scene_camera;
    /* Use the visible lights of the scene, at most 64, instead of the built-in key light (which
     * stays if `light` is set). They cast no shadows, and the environment remains. Console
     * materials ignore them. */
    bool scene_lights;
    /* Strength of a soft shadow on the ground below the model, on the background: 0 (none) to 1.
     * The ground is the horizontal plane through the lowest vertex, under an even sky. Blended
     * surfaces cast no shadow, cut-out ones that of whole triangles. Only in the modes shaded and
     * clay, and only seen from above. */
    double shadow;
} facet_render_options;

/* -- Drawing ------------------------------------------------------------ */

/* A scene prepared for drawing many pictures: its textures are decoded. */
typedef struct facet_renderer facet_renderer;

/* Prepare a scene for drawing. It must outlive the renderer and not change; its meshes must be
 * GPU-ready (facet_prepare with format NULL). Images that cannot be decoded are left out (warning
 * RENDER-IMAGE). Errors: FACET_ERROR_ARGUMENT for meshes that are not GPU-ready,
 * FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_renderer_create(const facet_scene *scene,
                                                          const facet_options *options,
                                                          facet_renderer **renderer,
                                                          facet_error *error);
/* Free a renderer. NULL is allowed. */
FACET_EXPERIMENTAL_API void facet_renderer_free(facet_renderer *renderer);

typedef struct facet_picture {
    facet_arena *arena; /* owner of the pixels */
    facet_image image;  /* RGBA, 8 bits, not premultiplied; sRGB */
    facet_render_camera camera;
    bool any;                      /* something is visible */
    double minimum[3], maximum[3]; /* box of everything visible, in the camera's axes: +Y up */
    uint64_t vertices, triangles;
} facet_picture;

/* Draw one picture; render and options may be NULL. Errors: FACET_ERROR_ARGUMENT for an invalid
 * size or an unknown animation, camera or image, FACET_ERROR_MEMORY. Free it with
 * facet_picture_free. Linear in vertices, triangles and the pixels that they cover. */
FACET_EXPERIMENTAL_API facet_status facet_renderer_draw(const facet_renderer *renderer,
                                                        const facet_render_options *render,
                                                        const facet_options *options,
                                                        facet_picture *picture, facet_error *error);
FACET_EXPERIMENTAL_API void facet_picture_free(facet_picture *picture);

typedef struct facet_picture_difference {
    uint32_t pixels; /* number of pixels that differ, of 512 x 512 */
    int greatest;    /* largest difference of a channel, 0 to 255 */
} facet_picture_difference;

/* Draw two scenes with the camera that fits the larger one. The result is an RGB picture of 1536 x
   512 pixels with labels: the first scene, the second, and four times their difference on white.
   Scale both scenes to one unit before the call. `options` may be NULL. Free it with
   facet_picture_free. Errors: those of facet_renderer_create and facet_renderer_draw.
 */
FACET_EXPERIMENTAL_API facet_status facet_render_difference(const facet_scene *const scenes[2],
                                                            const facet_options *options,
                                                            facet_picture *picture,
                                                            facet_picture_difference *difference,
                                                            facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
