"""What the commands of the program do, as functions."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

import numpy as np

from ._arrays import Array
from ._call import Call, Progress, format_named
from ._facet import ffi, lib
from ._files import Destination, Input, Output, Siblings, Source
from .errors import Findings, text
from .record import number
from .scene import NONE, Report, add_animation, load_scene, prepare, prepare_options, \
    refuse_losses, target

# -- Formats ---------------------------------------------------------------


@dataclass(frozen=True)
class Format:
    """A line of the format table."""

    name: str
    title: str
    extensions: Tuple[str, ...]
    can_read: bool
    can_write: bool
    is_archive: bool
    needs: Tuple[str, ...]
    """What the format wants of a mesh before it is written."""


def _format(line: Any) -> Format:
    extensions: List[str] = []
    listed = lib.facet_format_extensions(line)
    while listed and listed[len(extensions)]:
        extensions.append(text(listed[len(extensions)]))
    bits = lib.facet_format_needs(line)
    needs = [text(lib.facet_need_name(1 << i)) for i in range(32)
             if bits >> i & 1 and 1 << i <= lib.FACET_NEED_LAST]
    return Format(text(lib.facet_format_name(line)), text(lib.facet_format_title(line)),
                  tuple(extensions), bool(lib.facet_format_can_read(line)),
                  bool(lib.facet_format_can_write(line)),
                  bool(lib.facet_format_is_folder(line)), tuple(needs))


def formats() -> List[Format]:
    """All formats, in the order of the documentation.

    >>> [one.name for one in facet.formats()][:4]
    ['bsm', 'binarymesh', 'bpx', 'bga']
    """
    return [_format(lib.facet_format_get(i)) for i in range(lib.facet_format_count())]


def probe(src: Source, *, name: Optional[str] = None) -> Optional[Format]:
    """The format of a file by its content, compressed or not; None when none knows it.

    >>> facet.probe(b"ply\\nformat ascii 1.0\\nend_header\\n").name
    'ply'
    """
    with Call() as call, Input(call, src, name=name, decompress=True) as opened:
        found = lib.facet_format_probe(opened.source)
        return _format(found) if found else None


# -- Check -----------------------------------------------------------------


def check(src: Source, *, from_: Optional[str] = None, siblings: Siblings = None,
          name: Optional[str] = None, threads: int = 1, memory_limit: Optional[float] = None,
          progress: Optional[Progress] = None, warn: bool = False) -> Findings:
    """Apply every rule of the file's format. What is found is a list; `errors`, `warnings` and
    `notes` are those of one severity.

    >>> for finding in facet.check(b"v 0 0 0\\nf 1 2 3\\n", from_="obj").errors:
    ...     print(finding.rule, finding.line)
    OBJ-INDEX 2
    OBJ-INDEX 2
    """
    with Call(threads=threads, memory_limit=memory_limit, progress=progress, warn=warn) as call, \
            Input(call, src, siblings=siblings, name=name) as opened:
        call.check(lib.facet_check(opened.source, format_named(from_), call.options, call.report,
                                   call.error))
        return call.findings()


# -- Info ------------------------------------------------------------------


@dataclass(frozen=True)
class Info:
    """What is in a file."""

    format: str
    version: str
    bytes: int
    meshes: int
    vertices: int
    faces: int
    triangles: int
    materials: int
    images: int
    joints: int
    hulls: int
    animations: int
    bounds: Optional[Array]
    """(2, 3), or None."""
    detail: Dict[str, Any]
    """What the format has to say of its own."""


def info(src: Source, *, from_: Optional[str] = None, siblings: Siblings = None,
         name: Optional[str] = None, threads: int = 1, memory_limit: Optional[float] = None,
         progress: Optional[Progress] = None) -> Info:
    """Say what is in a file: counts, bounds, and the format's own tree.

    >>> found = facet.info(model)
    >>> found.format, found.faces, found.bounds[1].tolist()
    ('obj', 4, [1.0, 2.0, 3.0])
    """
    with Call(threads=threads, memory_limit=memory_limit, progress=progress) as call, \
            Input(call, src, siblings=siblings, name=name) as opened:
        made = ffi.new("facet_description **")
        call.check(lib.facet_describe(opened.source, format_named(from_), call.options, made,
                                      call.error))
        try:
            return _info(made[0])
        finally:
            lib.facet_description_free(made[0])


def _info(found: Any) -> Info:
    counts = {name: int(getattr(found, name)) for name in (
        "bytes", "meshes", "vertices", "faces", "triangles", "materials", "images", "joints",
        "hulls", "animations")}
    bounds = np.array([list(found.minimum), list(found.maximum)]) if found.has_bounds else None
    return Info(format=text(lib.facet_format_name(found.format)), version=text(found.version),
                bounds=bounds, detail=tree(found.detail) if found.detail else {}, **counts)


def tree(node: Any) -> Any:
    """A facet_tree as Python has it."""
    kind = node.kind
    if kind in (lib.FACET_TREE_OBJECT, lib.FACET_TREE_ARRAY):
        pairs, child = [], node.first
        while child:
            pairs.append((text(child.key), tree(child)))
            child = child.next
        return dict(pairs) if kind == lib.FACET_TREE_OBJECT else [value for _, value in pairs]
    if kind == lib.FACET_TREE_STRING:
        return text(node.string)
    if kind == lib.FACET_TREE_REAL:
        return float(node.real)
    return bool(node.integer) if kind == lib.FACET_TREE_BOOLEAN else int(node.integer)


# -- Extract ---------------------------------------------------------------


@ffi.def_extern(name="facet_python_put", error=lib.FACET_ERROR_IO)  # type: ignore[misc]
def _put(user: Any, name: Any, data: Any, size: int, error: Any) -> int:
    found = ffi.from_handle(user)
    found.append((ffi.string(name).decode("utf-8", "surrogateescape"),
                  bytes(ffi.buffer(data, size)) if size else b""))
    return int(lib.FACET_OK)


def extract(src: Source, *, from_: Optional[str] = None, siblings: Siblings = None,
            name: Optional[str] = None, threads: int = 1, memory_limit: Optional[float] = None,
            progress: Optional[Progress] = None, warn: bool = False) -> Dict[str, bytes]:
    """What is inside a file, by name: textures as PNG, those of J3D as BTI, too, with their
    materials as JSON; shaders, sections, the files of an archive. Names come from the file:
    they may hold anything, and are no paths to write to unseen."""
    with Call(threads=threads, memory_limit=memory_limit, progress=progress, warn=warn) as call, \
            Input(call, src, siblings=siblings, name=name) as opened:
        found: List[Tuple[str, bytes]] = []
        handle = ffi.new_handle(found)
        extractor = ffi.new("facet_extractor *", {"put": lib.facet_python_put, "user": handle})
        call.check(lib.facet_extract(opened.source, format_named(from_), call.options, extractor,
                                     call.error))
    return dict(found)


# -- Convert ---------------------------------------------------------------

_MAX_GX_SIDE = 1024


def convert(src: Source, path: Destination, *, from_: Optional[str] = None,
            to: Optional[str] = None, siblings: Siblings = None, name: Optional[str] = None,
            animations: Sequence[Source] = (), strict: bool = False, crease: float = 0,
            new_normals: bool = False, flat: bool = False, merge: float = 0,
            keep_vertices: bool = False, no_optimize: bool = False, up: Optional[str] = None,
            scale: Optional[float] = None, flip_v: bool = False, resize: bool = False,
            allow_external: bool = False, compress: Optional[str] = None, into: bool = False,
            hulls: Optional[int] = None, hull_vertices: int = 0,
            hulls_from: Optional[Source] = None, occluder: Optional[float] = None,
            occluder_from: Optional[Source] = None, hull_prefix: Optional[str] = None,
            occluder_name: Optional[str] = None, threads: int = 1,
            memory_limit: Optional[float] = None, progress: Optional[Progress] = None,
            warn: bool = False, **options: Any) -> Report:
    """Convert a file to another, as `facet convert` does, with options of the same names:
    - is _, and `from_` is --from. From a format to itself, or to one of its family, all that the
    format can hold is kept; otherwise the way is by a scene, and the passes that the target
    needs are run and named. The file appears whole or not at all.

    >>> report = facet.convert(model, folder / "model.bsm", hulls=1)
    >>> report.passes
    ('normals', 'index', 'tangents', 'split', 'optimize')
    >>> facet.info(folder / "model.bsm").hulls
    1
    """
    where = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    line = target(to, where if where is not None else name)
    collision = bool(hulls or hulls_from is not None or occluder or occluder_from is not None)
    through = collision or crease or new_normals or flat or merge or keep_vertices or up or \
        scale or flip_v or resize or animations or hull_prefix or occluder_name or any(
            options.get(key) is not None for key in ("quantize", "texture_format", "mips", "dither"))
    with ExitStack() as stack:
        call = stack.enter_context(Call(threads=threads, memory_limit=memory_limit,
                                        progress=progress, warn=warn))
        opened = stack.enter_context(Input(call, src, siblings=siblings, name=name,
                                           allow_external=allow_external))
        call.apply(options, text(lib.facet_format_name(line)))
        read = format_named(from_) or lib.facet_format_probe(opened.source)
        passes: Tuple[str, ...] = ()
        made = ffi.NULL
        if through or not read or not lib.facet_format_copies(read, line):
            needs_images = bool(lib.facet_format_needs(line) & lib.FACET_NEED_IMAGES)
            made = load_scene(call, opened, format_named(from_), images=needs_images,
                              hull_prefix=hull_prefix, occluder_name=occluder_name)
            for animation in animations:
                add_animation(call, opened, made, animation)
            made = stack.enter_context(ffi.gc(made, lib.facet_scene_free))
            _override(made, up, scale, flip_v)
            if resize:
                _resize(call, made, text(lib.facet_format_name(line)))
            how = prepare_options(call, crease=crease, new_normals=new_normals, flat=flat,
                                  merge=merge, keep_vertices=keep_vertices,
                                  no_optimize=no_optimize)
            if collision:
                how.extra = lib.FACET_NEED_FLAT | lib.FACET_NEED_ONE_MESH | \
                    lib.FACET_NEED_TRIANGLES
            passes = prepare(call, made, line, how)
            _take(call, made, hulls_from, lib.facet_scene_take_hulls)
            _take(call, made, occluder_from, lib.facet_scene_take_occluder)
            if hulls:
                _make_hulls(call, made, hulls, hull_vertices)
            if occluder:
                _make_occluder(call, made, occluder)
        output = stack.enter_context(Output(call, path, compress=compress, into=into, name=name))
        if made:
            call.check(lib.facet_save(made, line, call.options, output.output, call.error), where)
        else:
            call.check(lib.facet_copy(opened.source, line, call.options, output.output,
                                      call.error))
        refuse_losses(call, strict)
        report = Report(passes, call.findings(), output.commit())
    return report


def _override(scene: Any, up: Optional[str], scale: Optional[float], flip_v: bool) -> None:
    if up is not None:
        scene.axes.up = number("facet_axis", up)
    if flip_v:
        scene.axes.uv_origin_top = not scene.axes.uv_origin_top
    if scale is not None:
        lib.facet_scene_scale(scene, scale)


def _resize(call: Call, scene: Any, to: str) -> None:
    """Images alone, and the textures of models whose format wants powers of two."""
    model = to in ("bmd", "bdl")
    most = _MAX_GX_SIDE if model or to == "bti" else NONE
    for i in range(scene.image_count):
        image = ffi.addressof(scene.images[i])
        if (scene.mesh_count and not model) or (not image.data and not image.pixels):
            continue
        call.check(lib.facet_image_decode(scene.arena, image, call.options, call.error))
        width, height = (min(lib.facet_image_nearest_power_of_two(side), most)
                         for side in (image.width, image.height))
        call.check(lib.facet_image_resize(scene.arena, image, width, height, True, call.error))


def _take(call: Call, scene: Any, given: Optional[Source], take: Any) -> None:
    if given is None:
        return
    with Input(call, given) as opened:
        other = load_scene(call, opened, ffi.NULL, images=False, hull_prefix=None,
                           occluder_name=None)
        try:
            call.check(take(scene, other, call.options, call.error), opened.name)
        finally:
            lib.facet_scene_free(other)


def _make_hulls(call: Call, scene: Any, count: int, vertices: int) -> None:
    how = ffi.new("facet_hulls_options *")
    how.struct_size = ffi.sizeof("facet_hulls_options")
    how.max_hulls, how.max_vertices = count, vertices
    scene.hull_count = 0  # those that came with the file make way
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


# -- Compare ---------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """What differs between two files."""

    same_bytes: bool
    same_triangles: bool
    """To the last bit, whatever their order."""
    distance: Optional[float]
    """The greatest distance between the surfaces that was found, in units of the first file;
    None when one of them has no surface."""
    distance_bound: Optional[float]
    """No point is farther."""
    findings: Findings
    """Each difference: an error, or a note where it was ignored."""

    @property
    def equal(self) -> bool:
        """Nothing differs, but for what was ignored."""
        return not self.findings.errors


def compare(a: Source, b: Source, *, ignore: Iterable[str] = (), tolerance: float = 0,
            samples: int = 0, from_: Optional[str] = None, threads: int = 1,
            memory_limit: Optional[float] = None,
            progress: Optional[Progress] = None) -> Comparison:
    """Compare two files: bytes, the surfaces with a proven bound, attributes, structure,
    images, and the fields of two files of one family. `ignore` has parts: "positions",
    "normals", "tangents", "texcoords", "colors", "weights", "counts", "names", "materials",
    "nodes", "animations", "images", "document".

    >>> report = facet.convert(model, folder / "again.ply")
    >>> found = facet.compare(model, folder / "again.ply", ignore=["counts", "names"])
    >>> found.same_bytes, found.distance
    (False, 0.0)
    """
    with Call(threads=threads, memory_limit=memory_limit, progress=progress) as call, \
            Input(call, a) as first, Input(call, b) as second:
        how = ffi.new("facet_compare_options *")
        how.struct_size = ffi.sizeof("facet_compare_options")
        how.tolerance, how.samples = tolerance, samples
        for part in ignore:
            how.ignore |= number("facet_compare_part", part)
        made, line = ffi.new("facet_comparison *"), format_named(from_)
        call.check(lib.facet_compare(first.source, line, second.source, line, how, call.options,
                                     call.report, made, call.error))
        surfaces = bool(made.has_surfaces)
        return Comparison(
            bool(made.same_bytes), bool(made.same_triangles),
            max(made.forward.greatest, made.backward.greatest) if surfaces else None,
            max(made.forward.greatest_bound, made.backward.greatest_bound) if surfaces else None,
            call.findings())

