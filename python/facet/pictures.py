"""Pictures of scenes and files, without a GPU, a window or a display."""

from __future__ import annotations

import base64
import html
import operator
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrays
from ._arrays import Array
from ._call import Call, format_named
from ._conversion import Animations, load_images
from ._facet import ffi, lib
from ._files import Destination, Input, Output, Siblings, Source
from ._options import helpful, take
from .errors import Findings, MalformedError
from .mesh import Mesh
from .parts import Animation
from .record import number
from .loading import load
from .scene import Scene

_VIEWS = {"front": (0.0, 0.0), "back": (180.0, 0.0), "left": (90.0, 0.0), "right": (-90.0, 0.0),
          "top": (0.0, 90.0), "bottom": (0.0, -90.0), "iso": (45.0, 35.264389682754654)}
_SIDES = 8192


@dataclass(frozen=True)
class Camera:
    """The camera of a picture. +Y is up, axes are right-handed, and the front of a model faces
    +Z."""

    position: Tuple[float, float, float]
    target: Tuple[float, float, float]
    up: Tuple[float, float, float] = (0, 1, 0)
    field_of_view: float = 30
    """Angle of the smaller side, in degrees. 0: orthographic."""
    height: float = 0
    """Size of the smaller side of an orthographic picture, in units."""


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """A drawn picture. numpy.asarray() gives its pixels."""

    def __eq__(self, other: object) -> bool:
        return _arrays.equal_members(self, other)

    pixels: Array
    """(height, width, 4) uint8: sRGB and straight alpha. The top row is first."""
    camera: Camera
    """The camera that was used."""
    triangles: int
    """Number of drawn triangles."""
    any: bool
    """True if something was visible. False only at a moment of an animation."""

    def __repr__(self) -> str:
        height, width = self.pixels.shape[:2]
        return f"<Picture {width} x {height}>"

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Array:
        found = self.pixels if dtype is None else self.pixels.astype(dtype, copy=False)
        return found.copy() if copy else found

    def save(self, path: Destination) -> None:
        """Write a PNG to a path or a binary file."""
        with Call() as call, Output(call, path, name="picture.png") as output:
            self._encode(call, output)
            output.commit()

    def png(self) -> bytes:
        """The bytes of a PNG."""
        with Call() as call, Output(call, None) as output:
            self._encode(call, output)
            output.commit()
            return output.data()

    _repr_png_ = png  # notebooks call it

    def _encode(self, call: Call, output: Any) -> None:
        image = ffi.new("facet_image *")
        image.height, image.width, image.channels = self.pixels.shape
        image.pixels = _arrays.address(self.pixels, "void *")
        call.check(lib.facet_image_encode(image, b"image/png", 0, call.options, output.output,
                                          call.error))


def _modes(mode: Union[str, Sequence[str]], call: Call, how: Any) -> None:
    for one in mode.split(",") if isinstance(mode, str) else mode:
        name, _, number = one.partition("=")
        bit = getattr(lib, f"FACET_RENDER_{name.upper()}", None)
        if bit is None or bool(number) != (name == "texture"):
            raise ValueError(f"there is no mode {one!r}")
        how.modes |= bit
        how.texture = int(number or 0)


def _background(given: Union[str, Sequence[int]]) -> Optional[bytes]:
    if given == "transparent":
        return None
    try:
        found = bytes.fromhex(given.lstrip("#")) if isinstance(given, str) else bytes(list(given))
    except (TypeError, ValueError):
        found = b""
    if len(found) not in (3, 4):
        raise ValueError("background is '#RRGGBB', '#RRGGBBAA', 'transparent', or 3 or 4 numbers from "
                         f"0 to 255, not {given!r}")
    return found + b"\xff" * (4 - len(found))


def _size(given: Tuple[int, int]) -> Tuple[int, int]:
    try:
        width, height = (operator.index(side) for side in given)
    except (TypeError, ValueError):
        raise TypeError(f"size is a pair of whole numbers, width and height, not {given!r}") from None
    if not (1 <= width <= _SIDES and 1 <= height <= _SIDES):
        raise ValueError(f"a picture has sides of 1 to {_SIDES}, not {given}")
    return width, height


@helpful
def render(what: Union[Scene, Source], *, size: Tuple[int, int] = (512, 512),
           view: Union[str, Tuple[float, float], None] = None, camera: Union[Camera, str, None] = None,
           orthographic: bool = False, mode: Union[str, Sequence[str]] = "shaded",
           background: Union[str, Sequence[int]] = "transparent",
           animation: Union[Animation, int, str, None] = None, time: float = 0, samples: int = 4,
           light: Optional[Sequence[float]] = None, fog: bool = False, file_order: bool = False,
           from_: Optional[str] = None, up: Optional[str] = None, siblings: Siblings = None,
           animations: Animations = (), threads: int = 1, memory_limit: Optional[float] = None, growth_limit: Optional[int] = None,
           line_width: Optional[float] = None, environment: Union[str, "os.PathLike[str]", bytes, None] = None,
           environment_rotation: float = 0, exposure: float = 0, scene_lights: bool = False,
           shadow: float = 0) -> Picture:
    """Draw a scene or a file. A scene is not changed. See docs/how-to/render.md for examples.

    size          width and height, 1 to 8192
    view          "front", "back", "left", "right", "top", "bottom", "iso", or azimuth and
                  elevation in degrees; the whole model fits into the picture
    orthographic  parallel rays instead of perspective
    camera        a camera, instead of a view; or one of the scene: its name, that of its node, or
                  its number as text
    scene_lights  use the scene's lights instead of the built-in one
    mode          "shaded", "clay", "normals", "uv", "uv,wireframe" ..., or a list of modes
    background    "transparent", a color such as "#ffffff", or numbers from 0 to 255
    animation     index or name; it moves nodes, skins, colors and textures
    time          the moment of the animation, in seconds
    samples       samples per pixel: 1, 4 or 16
    light         direction to the light: right, up, toward the viewer
    environment   a panorama as light, instead of the studio: a file or its bytes (HDR, PNG, JPEG)
    environment_rotation  angle of the panorama in degrees
    exposure      brightness in stops: a factor of 2 to this power
    shadow        strength of a soft shadow on the ground, 0 to 1
    fog           draw the fog of console materials
    file_order    draw console materials in the order of the file, unsorted
    from_         format of a file; None: detected by content
    up            axis that points up, "x", "y" or "z", regardless of the file; default for STL: z
    line_width    width of lines in pixels; points are twice as wide; default 1.5
    siblings, animations, memory_limit, growth_limit  as of load(), for a file
    threads       number of threads; 0: one per processor

    >>> picture = facet.render(model, size=(64, 48), view="front", background="#ffffff")
    >>> picture.pixels.shape, picture.triangles
    ((48, 64, 4), 4)
    >>> picture.png()[:4]
    b'\\x89PNG'
    """
    if isinstance(what, Scene):
        scene = what.copy()
    else:
        scene = load(what, from_=from_, siblings=siblings, animations=animations, images=True,
                     memory_limit=memory_limit, growth_limit=growth_limit)
    values = take("render", {"samples": samples, "up": up})
    if "up" in values:
        scene._struct().axes.up = number("facet_axis", values["up"])
    elif isinstance(what, (str, bytes, bytearray, memoryview, os.PathLike)):
        if _is_z_up(what, from_):
            scene._struct().axes.up = number("facet_axis", "z")
    with Call(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit) as call:
        load_images(call, scene._struct(), scene._origin, ffi.NULL)
        how = ffi.new("facet_render_options *")
        how.struct_size = ffi.sizeof("facet_render_options")
        how.width, how.height = _size(size)
        how.samples, how.orthographic, how.fog, how.file_order = \
            values.get("samples", 0), orthographic, fog, file_order
        how.scene_lights = scene_lights
        if isinstance(camera, str):
            call.kept.append(ffi.new("char[]", camera.encode()))
            how.scene_camera = call.kept[-1]
        elif camera is not None:
            call.kept.append(ffi.new("facet_render_camera *", {
                "position": camera.position, "target": camera.target, "up": camera.up,
                "field_of_view": camera.field_of_view, "height": camera.height}))
            how.camera = call.kept[-1]
        elif view is not None:
            if isinstance(view, str) and view not in _VIEWS:
                raise ValueError(f"a view is one of {', '.join(_VIEWS)}, not {view!r}")
            how.has_direction = True
            how.azimuth, how.elevation = _VIEWS[view] if isinstance(view, str) else view
        _modes(mode, call, how)
        if line_width is not None:
            if not 0 < line_width <= _SIDES:
                raise ValueError(f"a line has a width of more than 0 to {_SIDES} pixels, not {line_width}")
            how.line_width = line_width
        color = _background(background)
        if color is not None:
            call.kept.append(ffi.new("uint8_t[4]", color))
            how.background = call.kept[-1]
        if light is not None:
            call.kept.append(ffi.new("double[3]", list(light)))
            how.light = call.kept[-1]
        how.environment_rotation, how.exposure = environment_rotation, exposure
        how.shadow = shadow
        if environment is not None:
            data = environment if isinstance(environment, bytes) else Path(environment).read_bytes()
            empty = ffi.new("char[]", b"")
            call.kept += [empty, ffi.from_buffer("uint8_t[]", data)]
            call.kept.append(ffi.new("facet_image *", {
                "name": empty, "media_type": empty, "data": call.kept[-1], "size": len(data)}))
            how.environment = call.kept[-1]
        if animation is not None:
            how.has_time, how.time, how.animation = True, time, scene._animation(animation)
            _move_console(call, scene, how)
        scene.prepare(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, no_optimize=True,
                      keep_vertices=True)
        picture = _draw(call, scene, how)
    if not picture.any and animation is None:  # an animation can hide everything for a time
        raise MalformedError("the scene has no faces with an area from 1e-44 to 1e38, no lines and no points",
                             status="malformed input", rule="RENDER-EMPTY",
                             path=os.fsdecode(what) if isinstance(what, (str, os.PathLike)) else None)
    return picture


def _is_z_up(what: Source, from_: Optional[str]) -> bool:
    """True if pictures of a format have z up. For formats that do not define an up axis."""
    if from_ is not None:
        return bool(lib.facet_format_is_z_up(format_named(from_)))
    with Call() as call, Input(call, what, decompress=True) as opened:
        return bool(lib.facet_format_is_z_up(lib.facet_format_probe(opened.source)))


def _move_console(call: Call, scene: Scene, how: Any) -> None:
    """Set the states of console materials at the time. For an animation that keeps its original
    file."""
    with scene._owner.lock:
        pointer, count = scene._struct(), ffi.new("uint32_t *")
        if how.animation >= pointer.animation_count:
            return
        states = ffi.new("facet_gx_material[]", pointer.material_count + 1)
        call.check(lib.facet_j3d_pose_materials(pointer, pointer.animations[how.animation].name,
                                                how.time, call.options, states, count, call.error))
    if count[0] > 0:
        call.kept.append(states)
        how.console = states


def _draw(call: Call, scene: Scene, how: Any) -> Picture:
    renderer, made = ffi.new("facet_renderer **"), ffi.new("facet_picture *")
    with scene._owner.lock:
        call.check(lib.facet_renderer_create(scene._struct(), call.options, renderer, call.error))
        try:
            call.check(lib.facet_renderer_draw(renderer[0], how, call.options, made, call.error))
            image, seen = made.image, made.camera
            pixels = np.frombuffer(ffi.buffer(image.pixels, image.width * image.height * 4),
                                   np.uint8).reshape(image.height, image.width, 4).copy()
            position, target, up = ((float(one[0]), float(one[1]), float(one[2]))
                                    for one in (seen.position, seen.target, seen.up))
            camera = Camera(position, target, up, seen.field_of_view, seen.height)
            return Picture(pixels, camera, int(made.triangles), bool(made.any))
        finally:
            lib.facet_picture_free(made)
            lib.facet_renderer_free(renderer[0])


# -- Notebooks -------------------------------------------------------------

_NOTEBOOK = (320, 240)


def picture_of_scene(scene: Scene) -> Optional[bytes]:
    """A PNG for notebooks, or None if nothing is visible."""
    if not any(mesh.face_count or mesh.line_count or mesh.point_count for mesh in scene.meshes):
        return None
    try:
        return render(scene, size=_NOTEBOOK).png()
    except MalformedError as error:
        if error.rule != "RENDER-EMPTY":
            raise
        return None


def picture_of_mesh(mesh: Mesh) -> Optional[bytes]:
    """A PNG of one mesh without its nodes, or None if nothing is visible."""
    if mesh._index < 0:
        return None
    with mesh._owner.lock, Call() as call:
        alone = Scene._of(mesh._owner.copy(call), Findings())
    alone._struct().node_count = alone._struct().skin_count = 0
    alone._struct().animation_count = alone._struct().root_count = 0
    alone._struct().roots = ffi.NULL
    alone.remove_meshes(np.arange(alone.mesh_count) != mesh._index)
    return picture_of_scene(alone)


def html_of(title: str, counts: Mapping[str, Any], png: Optional[bytes]) -> str:
    """HTML with a picture and a table of the counts that are not 0."""
    rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(count))}</td></tr>"
                   for name, count in counts.items() if count)
    shown = f'<img alt="" src="data:image/png;base64,{base64.b64encode(png).decode()}">' if png else ""
    return f"<div><b>{html.escape(title)}</b><br>{shown}<table>{rows}</table></div>"


# -- Differences -----------------------------------------------------------


def picture_of_difference(call: Call, a: Input, b: Input, format_: Any, path: Destination) -> None:
    """Write a PNG: both files from the same camera, in units of the first file, and four times
    their difference on white."""
    scenes = [_loaded(call, opened, format_) for opened in (a, b)]
    first, second = (scene.axes.unit for scene in scenes)
    if first > 0 and second > 0 and first != second:
        lib.facet_scene_scale(scenes[1], second / first)
    made, difference = ffi.new("facet_picture *"), ffi.new("facet_picture_difference *")
    call.check(lib.facet_render_difference(scenes, call.options, made, difference, call.error))
    try:
        with Output(call, path, name="picture.png") as output:
            call.check(lib.facet_image_encode(ffi.addressof(made.image), b"image/png", 0, call.options,
                                              output.output, call.error))
            output.commit()
    finally:
        lib.facet_picture_free(made)


def _loaded(call: Call, opened: Input, format_: Any) -> Any:
    how, made = ffi.new("facet_load_options *"), ffi.new("facet_scene **")
    how.struct_size, how.image_files = ffi.sizeof("facet_load_options"), True
    call.check(lib.facet_load(opened.source, format_, how, call.options, made, call.error),
               opened.name)
    scene, prepare = ffi.gc(made[0], lib.facet_scene_free), ffi.new("facet_prepare_options *")
    prepare.struct_size = ffi.sizeof("facet_prepare_options")
    prepare.skip, prepare.keep_vertices = lib.FACET_NEED_OPTIMIZED, True
    call.check(lib.facet_prepare(scene, ffi.NULL, prepare, call.options, ffi.NULL, call.error))
    return scene
