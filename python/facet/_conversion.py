"""From a scene to files: passes, collision hulls, levels of detail, outputs. It does the same as
src/cli/convert_run.c."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ._call import Call, format_named
from ._facet import ffi, lib
from ._files import Destination, Input, Origin, Output, Source, forget_files
from ._options import Values
from .errors import Finding, Findings, LossError, UnsupportedError, text
from .mesh import normals_options
from .record import number

Animations = Union[Sequence[Source], str, "os.PathLike[str]"]
"""Animation files, or a folder or an archive that contains some."""

NONE = 2**32 - 1


# -- Formats ---------------------------------------------------------------


def target(to: Optional[str], path: Optional[str]) -> Any:
    """The format to write."""
    if isinstance(path, bytes):
        raise TypeError(f"{path!r} is of bytes, and a name is a str: give os.fsdecode(name)")
    if to is not None:
        return format_named(to)
    found = lib.facet_format_from_path(os.fsencode(path)) if path else ffi.NULL
    if not found:
        if path and lib.facet_format_named(os.fsencode(path)):
            raise ValueError(f"{os.fsdecode(path)!r} is a format, not a file: give a name such as "
                             f"'scene.{os.fsdecode(path)}', or to={os.fsdecode(path)!r}")
        raise ValueError((f"no format is named like {path!r}" if path else "no output format given")
                         + "; name one with to=")
    return found


# -- Loading ---------------------------------------------------------------


def load_scene(call: Call, opened: Input, format_: Any, values: Values, *, images: bool,
               images_for: Any = None) -> Any:
    """Load a facet_scene, which the caller must free."""
    how = ffi.new("facet_load_options *")
    how.struct_size, how.images = ffi.sizeof("facet_load_options"), images
    how.images_for = images_for or ffi.NULL
    how.texture_folder = texture_folder(call)
    how.keep_missing_images = has_original(call)
    for name in ("hull_prefix", "occluder_name", "variant"):
        if values.get(name) is not None:
            setattr(how, name, call.string(values[name]))
    how.max_clusters = values.get("cluster") or 0
    made = ffi.new("facet_scene **")
    call.check(lib.facet_load(opened.source, format_, how, call.options, made, call.error))
    status = lib.facet_scene_print_extras(made[0], call.error)
    if status:
        lib.facet_scene_free(made[0])
    call.check(status)
    return made[0]


def texture_folder(call: Call) -> Any:
    """The folder of the option texture_dir: images that are not where the source names them."""
    return call.options.j3d.texture_folder if call.options.j3d else ffi.NULL


def has_original(call: Call) -> bool:
    """True if the options name an original, which has the images that are missing."""
    return bool(call.options.j3d and call.options.j3d.like)


def load_images(call: Call, scene: Any, origin: Optional[Origin], format_: Any, *,
                keep_missing: bool = False) -> None:
    """Load images that the scene only names. For a format or a picture that needs them."""
    if origin is None or not _names_images(scene):
        return
    how = ffi.new("facet_load_options *")
    how.struct_size, how.images, how.images_for = ffi.sizeof("facet_load_options"), True, format_
    how.texture_folder = texture_folder(call)
    how.keep_missing_images = keep_missing or has_original(call)
    with origin.open(call) as opened:
        call.check(lib.facet_scene_load_images(scene, opened.source, how, call.options, call.error))


def _names_images(scene: Any) -> bool:
    images = (scene.images[i] for i in range(scene.image_count))
    maps = (one for i in range(scene.material_count) for one in scene.materials[i].maps)
    return any(not image.data and not image.pixels for image in images) or \
        any(one and not one.has_image for one in maps)


def embed_images(call: Call, scene: Any, origin: Optional[Origin]) -> None:
    """Load all images of a scene and remove the paths of files, which are relative to the source of
    this scene. Another file may have the same path next to another source. Missing images stay, by
    their names."""
    load_images(call, scene, origin, ffi.NULL, keep_missing=True)
    forget_files(scene)


def move_paths(call: Call, scene: Any, source: Any, path: Any, format_: Any) -> None:
    """Change the paths of textures next to the source, so that they are valid for the output."""
    if isinstance(source, (str, os.PathLike)) and isinstance(path, (str, os.PathLike)) \
            and not lib.facet_format_needs(format_) & lib.FACET_NEED_IMAGES:
        call.check(lib.facet_scene_move_paths(scene, os.fsencode(source), os.fsencode(path),
                                              call.error))


def _check_model(call: Call, model: Input, animation: Any) -> None:
    """Refuse a model of another family before its bytes are read as those of a J3D model."""
    found = lib.facet_format_probe(model.source)
    wanted = b"iqm" if animation == "iqm" else b"bmd"
    if found and lib.facet_format_can_read(found) and not lib.facet_format_is_folder(found) and \
            not lib.facet_format_copies(found, lib.facet_format_named(wanted)):
        status = lib.facet_status_name(lib.FACET_ERROR_UNSUPPORTED)
        raise UnsupportedError(
            f"animations of format {animation} are added to models of format {wanted.decode()} or its "
            f"family; the model is of format {text(lib.facet_format_name(found))}",
            status=text(status), rule="FORMAT-DIRECTION", path=model.name or None)


def add_animations(call: Call, model: Input, scene: Any, animations: Animations) -> None:
    """Add the named animations, or those in a folder or an archive that fit the model."""
    if isinstance(animations, (str, os.PathLike)):
        _add_fitting(call, model, scene, os.fsdecode(animations))
    else:
        for animation in animations:
            _add_animation(call, model, scene, animation)


def _add_animation(call: Call, model: Input, scene: Any, animation: Source) -> None:
    with Input(call, animation, decompress=True) as opened:
        found = lib.facet_format_probe(opened.source)
        if lib.facet_format_can_load_animation(found):
            _check_model(call, model, text(lib.facet_format_name(found)))
        call.check(lib.facet_load_animation(opened.source, ffi.NULL, model.source, call.options, scene,
                                 call.error), opened.name)


def _add_fitting(call: Call, model: Input, scene: Any, folder: str) -> None:
    """Add the animations in a folder or an archive that fit the model."""
    made = ffi.new("facet_j3d **")
    _check_model(call, model, "j3d")
    call.check(lib.facet_j3d_read(model.source, ffi.NULL, made, call.error), model.name)
    added = False
    try:
        for path in _members(folder):
            if _fits(made[0], path):
                _add_animation(call, model, scene, path)
                added = True
    finally:
        lib.facet_j3d_free(made[0])
    if not added:
        call.added.append(Finding("ANIMATIONS-NONE", "warning",
                                  f"no animation in '{folder}' fits the model"))


def _members(folder: str) -> List[str]:
    if os.path.isdir(folder):
        names = sorted(os.listdir(os.fsencode(folder)))
        return [os.path.join(folder, os.fsdecode(one)) for one in names if one[:1] != b"."]
    from .archives import Archive
    return [f"{folder}/{path}" for path in Archive(folder)]


def _fits(model: Any, path: str) -> bool:
    """True if a file is an animation that moves a part of the model."""
    opened, source = ffi.new("facet_input **"), ffi.new("facet_source *")
    made, fits = ffi.new("facet_j3d_animation **"), ffi.new("bool *")
    if lib.facet_input_open(os.fsencode(path), ffi.NULL, opened, ffi.NULL):
        return False
    try:
        if lib.facet_input_decompress(opened[0], source, ffi.NULL):
            return False
        found = lib.facet_format_probe(source)
        if not found or not lib.facet_format_can_load_animation(found) or \
                lib.facet_j3d_animation_read(source, ffi.NULL, made, ffi.NULL):
            return False
        status = lib.facet_j3d_animation_check_fit(made[0], model, ffi.NULL, ffi.NULL, fits,
                                                   ffi.NULL)
        return not status and bool(fits[0])
    finally:
        lib.facet_j3d_animation_free(made[0])
        lib.facet_input_close(opened[0])


def override(call: Call, scene: Any, values: Values, format_: Any) -> None:
    """Apply options that replace properties of the file."""
    if "up" in values:
        scene.axes.up = number("facet_axis", values["up"])
    if "flip_v" in values:
        scene.axes.uv_origin_top = not scene.axes.uv_origin_top
    if "scale" in values:
        lib.facet_scene_scale(scene, values["scale"])
    if "output_up" in values:
        # Writers of such formats expect +Y up.
        axes = ffi.new("facet_axes *", scene.axes)
        axes.up, axes.left_handed, axes.unit = number("facet_axis", values["output_up"]), False, 0
        call.check(lib.facet_scene_set_axes(scene, axes, call.error))
        scene.axes.up = number("facet_axis", "y")
    if "resize" in values:
        _resize(call, scene, format_)


def _resize(call: Call, scene: Any, format_: Any) -> None:
    """Resize the images of a scene without meshes. If the format needs powers of two, also resize
    the textures of a model."""
    most = lib.facet_format_max_texture_side(format_)
    for i in range(scene.image_count):
        image = scene.images[i]
        if (scene.mesh_count and not most) or (not image.data and not image.pixels):
            continue
        call.check(lib.facet_image_decode(scene.arena, image, call.options, call.error))
        width, height = (max(2, min(lib.facet_image_nearest_power_of_two(side), most or NONE))
                         for side in (image.width, image.height))
        call.check(lib.facet_image_resize(scene.arena, image, width, height, True, call.error))


# -- Passes ----------------------------------------------------------------


def wants_collision(values: Values) -> bool:
    return any(name in values for name in ("hulls", "hulls_from", "occluder", "occluder_from"))


def prepare_options(call: Call, values: Values) -> Any:
    how = ffi.new("facet_prepare_options *")
    how.struct_size = ffi.sizeof("facet_prepare_options")
    optimize = "no_optimize" not in values
    how.skip = 0 if optimize else lib.FACET_NEED_OPTIMIZED
    if wants_collision(values):
        how.extra = lib.FACET_NEED_FLAT | lib.FACET_NEED_ONE_MESH | lib.FACET_NEED_TRIANGLES
    if "compress_mesh" in values and optimize:
        how.extra |= lib.FACET_NEED_STRIPS  # strips compress best
    how.tangents = "tangents" in values
    how.keep_vertices, how.weld_distance = "keep_vertices" in values, values.get("merge", 0)
    flat = "flat" in values
    normals = normals_options(values.get("crease", 0), flat, "new_normals" in values or flat)
    how.normals = normals
    call.kept += [how, normals]
    if "simplify" in values or "max_vertices" in values:
        reduction = _reduction(values)
        how.reduce = reduction
        call.kept.append(reduction)
    elif "lods" in values:
        how.extra |= lib.FACET_NEED_TRIANGLES | lib.FACET_NEED_SINGLE_INDEX
    return how


def _reduction(values: Values) -> Any:
    how = ffi.new("facet_reduce_options *")
    how.struct_size = ffi.sizeof("facet_reduce_options")
    share = values.get("simplify", 0)
    if share > 1 and (share > NONE or share != int(share)):
        raise ValueError(f"simplify is a fraction up to 1, or a whole number of triangles, not {share!r}")
    if share > 1:
        how.max_triangles = int(share)
    else:
        how.ratio = share
    how.max_vertices, how.max_error = values.get("max_vertices", 0), values.get("simplify_error", 0)
    return how


def prepare(call: Call, scene: Any, format_: Any, how: Any) -> Tuple[str, ...]:
    passes = ffi.new("facet_passes *")
    call.check(lib.facet_prepare(scene, format_, how, call.options, passes, call.error))
    return tuple(text(passes.names[i]) for i in range(passes.count))


# -- Collision -------------------------------------------------------------


def add_collision(call: Call, scene: Any, values: Values) -> None:
    _take(call, scene, values.get("hulls_from"), lib.facet_scene_take_hulls)
    _take(call, scene, values.get("occluder_from"), lib.facet_scene_take_occluder)
    if "hulls" in values:
        make_hulls(call, scene, values["hulls"], values.get("hull_vertices", 0))
    if "occluder" in values:
        _make_occluder(call, scene, values["occluder"])


def _take(call: Call, scene: Any, given: Optional[Source], take: Any) -> None:
    if given is None:
        return
    with Input(call, given) as opened:
        other = load_scene(call, opened, ffi.NULL, {}, images=False)
        try:
            call.check(take(scene, other, call.options, call.error), opened.name)
        finally:
            lib.facet_scene_free(other)


def make_hulls(call: Call, scene: Any, count: int, vertices: int) -> None:
    how = ffi.new("facet_hulls_options *")
    how.struct_size = ffi.sizeof("facet_hulls_options")
    how.max_hulls, how.max_vertices = count, vertices
    scene.hull_count = 0  # new hulls replace those of the file
    for i in range(scene.mesh_count):
        call.check(lib.facet_mesh_hulls(scene.meshes[i], how, call.options, scene, ffi.NULL,
                                        call.error))


def _make_occluder(call: Call, scene: Any, ratio: float) -> None:
    simplify = ffi.new("facet_simplify_options *")
    simplify.struct_size, simplify.ratio = ffi.sizeof("facet_simplify_options"), ratio
    how = ffi.new("facet_occluder_options *")
    how.struct_size, how.simplify = ffi.sizeof("facet_occluder_options"), simplify
    scene.occluder = ffi.NULL
    if scene.mesh_count:
        call.check(lib.facet_mesh_occluder(scene.meshes[0], how, call.options, scene, ffi.NULL,
                                           call.error))


# -- Writing ---------------------------------------------------------------


class Writer:
    """The outputs of a scene: one file, one per mesh, or one per level of detail. All are written
    before the first of them appears."""

    def __init__(self, call: Call, format_: Any, path: Destination, name: Optional[str],
                 values: Values) -> None:
        self.call, self.format, self.path, self.name, self.values = call, format_, path, name, values
        self.outputs: List[Output] = []
        self.passes: Tuple[str, ...] = ()
        self.split, self.levels = "split" in values, values.get("lods", 0)
        self.holds_levels = bool(lib.facet_format_can_hold_levels(format_))
        if self.split and wants_collision(values):
            raise ValueError("split goes without hulls and occluder, which are the whole model's")
        if self.split and self.levels:
            raise ValueError("split and lods do not go together")
        if (self.split or (self.levels and not self.holds_levels)) and not self._many():
            raise ValueError(f"{'split' if self.split else 'lods'} makes several files: give a path "
                             "outside archives, or use save_files()")

    def _many(self) -> bool:
        if isinstance(self.path, (str, os.PathLike)):
            return not lib.facet_archive_in_path(os.fsencode(self.path))
        return self.path is None and self.name is not None

    def write(self, scene: Any) -> None:
        self._first = self.call.finding_count()
        if self.split:
            return self._write_pieces(scene)
        read = ffi.NULL
        if self.levels and not self.holds_levels:
            read = self._copy(scene)
        self._write_whole(scene)
        for level in range(1, self.levels + 1 if read else 1):
            self._write_level(read, level)

    def copy(self, source: Any) -> None:
        """Write with the document of the family, without a scene."""
        self.call.check(lib.facet_copy(source, self.format, self.call.options, self._open("").output,
                                       self.call.error))

    def commit(self) -> int:
        self.call.warn_now()
        return sum(output.commit() for output in self.outputs)

    def files(self) -> Dict[str, bytes]:
        return {name: data for output in self.outputs for name, data in output.files().items()}

    # -- One output

    def _open(self, suffix: str) -> Output:
        """Open an output. The suffix goes before the extension of its name."""
        path, name = self.path, self.name
        if suffix and isinstance(path, (str, os.PathLike)):
            path = _with_suffix(os.fsdecode(path), suffix)
        elif suffix and name is not None:
            name = _with_suffix(name, suffix)
        output = self.call.stack.enter_context(Output(
            self.call, path, compress=self.values.get("compress"), into="into" in self.values,
            name=name))
        self.outputs.append(output)
        return output

    def _save(self, scene: Any, suffix: str) -> None:
        output = self._open(suffix)
        where = os.fsdecode(output.path) if output.path is not None else None
        self.call.check(lib.facet_save(scene, self.format, self.call.options, output.output,
                                       self.call.error), where)
        name = where if where is not None else output.name
        if (self.split or (self.levels and not self.holds_levels)) and name:
            end = self.call.finding_count()
            self.call.output_findings.append((self._first, end, os.path.basename(name)))
            self._first = end

    def _copy(self, scene: Any) -> Any:
        made = ffi.new("facet_scene **")
        self.call.check(lib.facet_scene_copy(scene, self.call.options, made, self.call.error))
        return ffi.gc(made[0], lib.facet_scene_free)

    def _write_whole(self, scene: Any) -> None:
        call = self.call
        self.passes = prepare(call, scene, self.format, prepare_options(call, self.values))
        add_collision(call, scene, self.values)
        if self.levels and self.holds_levels:
            call.check(lib.facet_scene_make_lods(scene, self.levels, self.values.get("simplify_error", 0),
                                           call.options, call.error))
        self._save(scene, "")

    def _write_level(self, read: Any, level: int) -> None:
        """Write a coarser level. It starts from the scene as read, because normals of flat faces do
        not fit a coarser level. The finest level has the hulls and the occluder."""
        scene, how = self._copy(read), _reduction(self.values)
        how.ratio = (how.ratio if how.ratio > 0 else 1) / (1 << level)
        how.max_triangles = (how.max_triangles >> level) + 1 if how.max_triangles else 0
        options = prepare_options(self.call, self.values)
        options.reduce = how
        scene.hull_count, scene.occluder = 0, ffi.NULL
        prepare(self.call, scene, self.format, options)
        self._save(scene, f"-lod{level}")
        ffi.release(scene)

    def _write_pieces(self, scene: Any) -> None:
        """Write one file per mesh. The first file also has the hulls and the occluder."""
        call, options = self.call, prepare_options(self.call, self.values)
        call.check(lib.facet_scene_flatten(scene, ffi.NULL, call.options, call.error))
        for i in range(scene.mesh_count):
            piece = ffi.new("facet_scene *", scene[0])
            meshes = ffi.new("facet_mesh *[]", [scene.meshes[i]])
            piece.meshes, piece.mesh_count = meshes, 1
            if i > 0:
                piece.hull_count, piece.occluder = 0, ffi.NULL
            passes = prepare(call, piece, self.format, options)
            self.passes = passes if i == 0 else self.passes
            name = text(meshes[0].name)
            self._save(piece, f"-{i}" + (f"-{_tame(name)}" if name else ""))


def _tame(name: str) -> str:
    """At most 63 bytes, with characters that are safe in file names."""
    encoded = name.encode("utf-8", "surrogateescape")[:63]
    return re.sub(rb"[^A-Za-z0-9.-]", b"_", encoded).decode()


def _with_suffix(path: str, suffix: str) -> str:
    slash = path.rfind("/")
    dot = path.rfind(".", max(slash, 0))
    return path + suffix if dot < 0 else path[:dot] + suffix + path[dot:]


def refuse_losses(call: Call, strict: bool) -> None:
    lost = call.findings().warnings if strict else []
    if lost:
        raise LossError(f"not written: {lost[0].message}"
                        + (f", and {len(lost) - 1} more" if len(lost) > 1 else ""),
                        status="loss", rule=lost[0].rule, path=call.path,
                        losses=Findings(lost))
