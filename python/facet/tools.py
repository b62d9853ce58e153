"""The commands of the program as functions."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Tuple, Union

import numpy as np

from . import _option_files  # noqa: F401: it registers itself
from . import _arrays
from ._arrays import Array
from ._call import Call, Progress, format_named, keep_raised
from ._conversion import Animations, Writer, add_animations, load_scene, move_paths, override, \
    refuse_losses, target
from ._facet import ffi, lib
from ._files import Destination, Input, Siblings, Source, check_destination
from ._options import helpful, listing, needs_scene, take
from .errors import Findings, text
from .pictures import picture_of_difference
from .record import number
from .report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from ._option_table import ConvertOptions

# -- Formats ---------------------------------------------------------------


@dataclass(frozen=True)
class Format:
    """A format that the library supports."""

    name: str
    """Name for `from_` and `to`, for example "glb"."""
    title: str
    extensions: Tuple[str, ...]
    """Extensions with a dot. The first is the usual one."""
    can_read: bool
    can_write: bool
    is_archive: bool
    needs: Tuple[str, ...]
    """Names of what a mesh needs before it is written in this format."""


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
    ['bsm', 'iqm', 'binarymesh', 'bpx']
    """
    return [_format(lib.facet_format_get(i)) for i in range(lib.facet_format_count())]


def probe(src: Source, *, name: Optional[str] = None) -> Optional[Format]:
    """Detect the format of a file by its content, also if it is compressed. None if it is unknown.

    >>> facet.probe(b"ply\\nformat ascii 1.0\\nend_header\\n").name
    'ply'
    """
    with Call() as call, Input(call, src, name=name, decompress=True) as opened:
        found = lib.facet_format_probe(opened.source)
        return _format(found) if found else None


# -- Check -----------------------------------------------------------------


@helpful
def check(src: Source, *, from_: Optional[str] = None, siblings: Siblings = None,
          name: Optional[str] = None, profile: Optional[str] = None, threads: int = 1, memory_limit: Optional[float] = None, growth_limit: Optional[int] = None,
          progress: Optional[Progress] = None, warn: bool = False) -> Findings:
    """Check a file against all rules of its format. The result is a list; its properties `errors`,
    `warnings` and `notes` have the findings of one severity. `profile` is for J3D: "superbmd" or
    "console" (none) selects the program whose habits are not warnings. Without it, the signature of
    the file selects it.

    >>> for finding in facet.check(b"v 0 0 0\\nf 1 2 3\\n", from_="obj").errors:
    ...     print(finding.rule, finding.line)
    OBJ-INDEX 2
    OBJ-INDEX 2
    """
    with Call(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, progress=progress, warn=warn) as call, \
            Input(call, src, siblings=siblings, name=name) as opened:
        call.apply("check", take("check", {"profile": profile}))
        call.check(lib.facet_check(opened.source, format_named(from_), call.options, call.report,
                                   call.error))
        return call.findings()


# -- Info ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Info:
    """A summary of a file. Counts are 0 if the format has no such objects."""

    def __eq__(self, other: object) -> bool:
        return _arrays.equal_members(self, other)

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
    """(2, 3): minimum and maximum, or None."""
    detail: Dict[str, Any]
    """The format's own description, as a tree."""

    def to_dict(self) -> Dict[str, Any]:
        """All members as JSON values."""
        bounds = None if self.bounds is None else self.bounds.tolist()
        return {**vars(self), "bounds": bounds}


@helpful
def info(src: Source, *, from_: Optional[str] = None, siblings: Siblings = None,
         name: Optional[str] = None, threads: int = 1, memory_limit: Optional[float] = None, growth_limit: Optional[int] = None,
         progress: Optional[Progress] = None) -> Info:
    """Describe a file: counts, bounds, and the format's own tree.

    >>> found = facet.info(model)
    >>> found.format, found.faces, found.bounds[1].tolist()
    ('obj', 4, [1.0, 2.0, 3.0])
    """
    with Call(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, progress=progress) as call, \
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
    """A facet_tree as Python values."""
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


class _Found:
    """The files that extract() receives."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.files: Dict[str, bytes] = {}


@ffi.def_extern(name="facet_python_put", error=lib.FACET_ERROR_IO,
                onerror=keep_raised)  # type: ignore[misc]
def _put(user: Any, name: Any, data: Any, size: int, error: Any) -> int:
    name = ffi.string(name).decode("utf-8", "surrogateescape")
    ffi.from_handle(user).files[name] = bytes(ffi.buffer(data, size)) if size else b""
    return int(lib.FACET_OK)


@helpful
def extract(src: Source, *, from_: Optional[str] = None, siblings: Siblings = None,
            name: Optional[str] = None, png: Optional[str] = None, threads: int = 1,
            memory_limit: Optional[float] = None, growth_limit: Optional[int] = None, progress: Optional[Progress] = None,
            warn: bool = False) -> Dict[str, bytes]:
    """The content of a file, by name: textures as PNG, shaders, sections, or files of an archive.
    J3D textures are also included as BTI, and materials as JSON. Names come from the file and are
    untrusted: check them before you use them as paths. `png` is the compression of PNGs: "fast",
    "small" or "none"."""
    with Call(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, progress=progress, warn=warn) as call, \
            Input(call, src, siblings=siblings, name=name) as opened:
        call.apply("extract", take("extract", {"png": png}))
        found = _Found(call)
        handle = ffi.new_handle(found)
        extractor = ffi.new("facet_extractor *", {"put": lib.facet_python_put, "user": handle})
        call.check(lib.facet_extract(opened.source, format_named(from_), call.options, extractor,
                                     call.error))
    return found.files


# -- Convert ---------------------------------------------------------------


def convert(src: Source, path: Destination, *, from_: Optional[str] = None,
            to: Optional[str] = None, siblings: Siblings = None, name: Optional[str] = None,
            animations: Animations = (), threads: int = 1, memory_limit: Optional[float] = None, growth_limit: Optional[int] = None,
            progress: Optional[Progress] = None, warn: bool = False,
            **options: Unpack[ConvertOptions]) -> Report:
    """Convert a file to another format, like `facet convert`. Options have the same names, with _
    for -; `from_` is --from. A conversion within a format or family keeps everything that the
    format can store. Others go through a scene: the passes that the target needs run, and the
    report names them. The file appears complete or not at all.

    >>> report = facet.convert(model, folder / "model.bsm", hulls=1)
    >>> report.passes
    ('normals', 'index', 'tangents', 'optimize')
    >>> facet.info(folder / "model.bsm").hulls
    1
    """
    check_destination(path)
    where = os.fsdecode(path) if isinstance(path, (str, os.PathLike)) else None
    line = target(to, where if where is not None else name)
    to = text(lib.facet_format_name(line))
    values = take("convert", options, to)
    animated = isinstance(animations, (str, os.PathLike)) or len(animations) > 0
    with Call(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, progress=progress, warn=warn) as call:
        opened = call.stack.enter_context(Input(call, src, siblings=siblings, name=name,
                                                allow_external="allow_external" in values))
        call.apply("convert", values)
        read = format_named(from_) or lib.facet_format_probe(opened.source)
        writer = Writer(call, line, path, name, values)
        if animated or needs_scene(values) or not read or not lib.facet_format_copies(read, line):
            needs_images = bool(lib.facet_format_needs(line) & lib.FACET_NEED_IMAGES)
            scene = ffi.gc(load_scene(call, opened, format_named(from_), values,
                                      images=needs_images, images_for=line),
                           lib.facet_scene_free)
            add_animations(call, opened, scene, animations)
            override(call, scene, values, line)
            move_paths(call, scene, src, path, line)
            writer.write(scene)
            ffi.release(scene)
        else:
            writer.copy(opened.source)
        refuse_losses(call, "strict" in values)
        size = writer.commit()
        return Report(writer.passes, call.findings(), size)


convert.__doc__ = (convert.__doc__ or "") + listing("convert")


# -- Compare ---------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """The differences between two files."""

    same_bytes: bool
    same_triangles: bool
    """True if the triangles are equal, bit for bit, in any order. True for the same bytes."""
    distance: Optional[float]
    """Largest distance found between the surfaces, in units of the first file. 0 for the same
    bytes, which are not read. None if a file has no surface."""
    distance_bound: Optional[float]
    """Upper bound: no point is farther. 0 or None like `distance`."""
    findings: Findings
    """The differences: errors, or notes if they are ignored. Warnings: data that cannot be compared."""

    @property
    def equal(self) -> bool:
        """True if nothing differs, except what was ignored, and everything could be compared."""
        return not self.findings.errors and not self.findings.warnings


@helpful
def compare(a: Source, b: Source, *, ignore: Union[str, Iterable[str]] = (), tolerance: float = 0,
            samples: int = 0, picture: Destination = None, from_: Optional[str] = None,
            threads: int = 1,
            memory_limit: Optional[float] = None, growth_limit: Optional[int] = None,
            progress: Optional[Progress] = None) -> Comparison:
    """Compare two files: bytes, surfaces with a proven bound, attributes, structure, and images.
    For two files of one family, also their fields.

    `ignore` lists parts: "positions", "normals", "tangents", "texcoords", "colors", "weights",
    "counts", "names", "materials", "nodes", "animations", "images", "document". `picture` is the
    path of a PNG with both files from the same camera, and four times their difference on white.

    >>> report = facet.convert(model, folder / "again.ply")
    >>> found = facet.compare(model, folder / "again.ply", ignore=["counts", "names"])
    >>> found.same_bytes, found.distance
    (False, 0.0)
    """
    with Call(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, progress=progress) as call, \
            Input(call, a) as first, Input(call, b) as second:
        how = ffi.new("facet_compare_options *")
        how.struct_size = ffi.sizeof("facet_compare_options")
        values = take("compare", {"tolerance": tolerance, "samples": samples})
        how.tolerance, how.samples = values.get("tolerance", 0), values.get("samples", 0)
        for part in ignore.split(",") if isinstance(ignore, str) else ignore:
            how.ignore |= number("facet_compare_part", part)
        made, line = ffi.new("facet_comparison *"), format_named(from_)
        call.check(lib.facet_compare(first.source, line, second.source, line, how, call.options,
                                     call.report, made, call.error))
        if picture is not None:
            picture_of_difference(call, first, second, line, picture)
        measured = bool(made.has_surfaces or made.same_bytes)  # all zero for the same bytes
        return Comparison(
            bool(made.same_bytes), bool(made.same_triangles),
            max(made.forward.greatest, made.backward.greatest) if measured else None,
            max(made.forward.greatest_bound, made.backward.greatest_bound) if measured else None,
            call.findings())

