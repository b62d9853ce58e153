/* facet/render.h - a scene becomes a picture, without a GPU, window or display.
 *
 * The result is the same to the bit on every machine and with any number of threads:
 * edges are integers, and floats are only added, multiplied, divided and rooted, in one
 * order. Materials from the GameCube and Wii (facet_material.gx) are drawn by the state
 * of their graphics chip, in its integers and its order; all others are physically based
 * (metallic and roughness, as glTF has them) under a built-in light that goes with the
 * camera. docs/how-to/render.md shows every mode.
 *
 * Stability: experimental. */
#ifndef FACET_RENDER_H
#define FACET_RENDER_H

#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Camera ------------------------------------------------------------- */

/* Where the picture is taken from, in the axes of glTF: +Y up, right-handed; a model's
 * front looks to +Z. */
typedef struct facet_render_camera {
    double position[3], target[3], up[3];
    double field_of_view; /* of the smaller side, in degrees; 0: orthographic */
    double height;        /* of an orthographic picture's smaller side, in units */
} facet_render_camera;

/* -- What to draw ------------------------------------------------------- */

/* Bits: one of the first line fills faces, those of the second lie over it. */
typedef enum facet_render_mode {
    FACET_RENDER_SHADED = 1 << 0,   /* as it looks */
    FACET_RENDER_CLAY = 1 << 1,     /* gray, lit: the shape alone */
    FACET_RENDER_NORMALS = 1 << 2,  /* x, y, z as red, green, blue, in the model's axes */
    FACET_RENDER_TANGENTS = 1 << 3, /* the same of tangents; magenta where there are none */
    FACET_RENDER_UV = 1 << 4,       /* checks of a tenth, u red and v green */
    FACET_RENDER_WEIGHTS = 1 << 5,  /* the largest weight of a vertex, from blue to red */
    FACET_RENDER_JOINTS = 1 << 6,   /* a color for each joint, mixed by the weights */
    FACET_RENDER_FACING = 1 << 7,   /* fronts blue, backs red */
    FACET_RENDER_OVERDRAW = 1 << 8, /* how many faces lie over one another */
    FACET_RENDER_MATERIAL = 1 << 9, /* a color for each material */
    FACET_RENDER_TEXTURE = 1 << 10, /* one image of the scene, unlit, over the first texcoords */

    FACET_RENDER_WIREFRAME = 1 << 16, /* edges of triangles that are seen */
    FACET_RENDER_HULLS = 1 << 17,     /* hulls, translucent */
    FACET_RENDER_OCCLUDER = 1 << 18   /* the occluder, translucent */
} facet_render_mode;

typedef struct facet_render_options {
    uint32_t struct_size;              /* sizeof(facet_render_options), or 0: that of release 0.2 */
    uint32_t width, height;            /* 1 to 8,192, with 16 samples 1 to 4,096; 0: 512 */
    uint32_t samples;                  /* 1, 4 or 16 a pixel; 0: 4 */
    const facet_render_camera *camera; /* NULL: all that is seen, fitted from the direction below */
    bool has_direction;                /* false: from the right front, above (32, 22) */
    double azimuth, elevation;         /* degrees: 0, 0 from the front, 90 from the model's left */
    bool orthographic;                 /* when fitted */
    const uint8_t *background;         /* RGBA; NULL: transparent */
    bool has_time;                     /* in the pose of `animation` at `time`, as its materials are
                                         then; otherwise at rest */
    uint32_t animation;
    double time;
    unsigned modes;      /* facet_render_mode bits; 0: shaded */
    uint32_t texture;    /* image of FACET_RENDER_TEXTURE */
    bool fog;            /* of console materials: off unless asked for */
    bool file_order;     /* console materials in the order of the scene, unsorted */
    const double *light; /* direction to the light in the camera's axes, 3 numbers: right,
                            up, toward the viewer; NULL: from above, on the left */
    /* States of the scene's console materials at the time, one for each of its materials, as
     * facet_j3d_pose_materials gives them; NULL: as they are. Those of materials without one are
     * not looked at. */
    const struct facet_gx_material *console;
    double line_width; /* of lines, in pixels; points are twice as wide; 0: 1.5 */
    /* Light from all around, in the place of the studio and, unless `light` is given, of the key
     * light: an image of the whole sphere, twice as wide as high, its middle column in the
     * direction +X and +Z to the right of it. Encoded (Radiance HDR, or any image) or decoded,
     * floats or sRGB bytes. NULL: the studio. Console materials do not see it. */
    const facet_image *environment;
    double environment_rotation; /* degrees, counterclockwise as seen from above */
    double exposure;             /* stops: lit surfaces are 2 to this power as bright; -32 to 32 */
} facet_render_options;

/* -- Drawing ------------------------------------------------------------ */

/* A scene made ready to be drawn, once for many pictures: textures are decoded. */
typedef struct facet_renderer facet_renderer;

/* `scene` outlives the renderer and stays as it is; its meshes are GPU-ready
 * (facet_prepare with format NULL). Images that cannot be decoded are left out, with a
 * warning RENDER-IMAGE. Errors: FACET_ERROR_ARGUMENT for meshes that are not GPU-ready,
 * FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_renderer_create(const facet_scene *scene,
                                                          const facet_options *options,
                                                          facet_renderer **renderer,
                                                          facet_error *error);
/* NULL is fine. */
FACET_EXPERIMENTAL_API void facet_renderer_free(facet_renderer *renderer);

typedef struct facet_picture {
    facet_arena *arena; /* holds the pixels */
    facet_image image;  /* RGBA, 8 bits, not premultiplied; sRGB */
    facet_render_camera camera;
    bool any;                      /* something was there to be seen */
    double minimum[3], maximum[3]; /* of it, in the camera's axes of the model: +Y up */
    uint64_t vertices, triangles;
} facet_picture;

/* Draw one picture; render and options may be NULL. Errors: FACET_ERROR_ARGUMENT for a
 * size, an animation or an image that is not there, FACET_ERROR_MEMORY. To be released with
 * facet_picture_free. Linear in vertices, triangles and the pixels that they cover. */
FACET_EXPERIMENTAL_API facet_status facet_renderer_draw(const facet_renderer *renderer,
                                                        const facet_render_options *render,
                                                        const facet_options *options,
                                                        facet_picture *picture, facet_error *error);
FACET_EXPERIMENTAL_API void facet_picture_free(facet_picture *picture);

typedef struct facet_picture_difference {
    uint32_t pixels; /* that differ, of 512 x 512 */
    int greatest;    /* difference of a channel, of 255 */
} facet_picture_difference;

/* Draw two scenes with the camera that fits the larger one: an RGB picture of 1536 x 512 pixels
 * that shows the first, the second, and four times their difference on white, with labels. The
 * caller scales both to one unit first. `options` may be NULL. Errors: those of
 * facet_renderer_create and facet_renderer_draw; release it with facet_picture_free. */
FACET_EXPERIMENTAL_API facet_status facet_render_difference(const facet_scene *const scenes[2],
                                                            const facet_options *options,
                                                            facet_picture *picture,
                                                            facet_picture_difference *difference,
                                                            facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
