"""Documents: the complete content of a file, in the structs of its format. Views: BSM and BGA files
as NumPy arrays, without a copy."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from ._arrays import Array, Handle, dtype_of, view
from ._call import Call, format_named
from ._conversion import refuse_losses
from ._facet import ffi, lib
from ._files import Destination, Input, Output, Siblings, Source
from ._options import helpful, take
from .errors import Findings, text
from .record import number, words
from .report import Report

# -- Structs by reflection -------------------------------------------------

# Arrays whose length is not NAME_count: the count member, numbers per item, extra items.
_LENGTHS: Dict[Tuple[str, str], Tuple[str, int, int]] = {
    ("facet_bsm", "positions"): ("vertex_count", 3, 0),
    ("facet_bsm", "texcoords"): ("vertex_count", 2, 0),
    ("facet_bsm", "normals"): ("vertex_count", 3, 0),
    ("facet_bsm", "tangents"): ("vertex_count", 4, 0),
    ("facet_bsm", "triangles"): ("triangle_count", 3, 0),
    ("facet_bsm", "hull_points"): ("hull_point_count", 3, 0),
    ("facet_bsm", "occluder_positions"): ("occluder_vertex_count", 3, 0),
    ("facet_bsm", "occluder_triangles"): ("occluder_triangle_count", 3, 0),
    ("facet_bsm", "secondary"): ("secondary_size", 1, 0),
    ("facet_iqm", "triangles"): ("triangle_count", 3, 0),
    ("facet_iqm", "adjacency"): ("triangle_count", 3, 0),
    ("facet_iqm", "bounds"): ("frame_count", 1, 0),
    ("facet_binarymesh_object", "face_offsets"): ("face_count", 1, 1),
    ("facet_binarymesh_object", "face_slots"): ("face_count", 1, 0),
    ("facet_binarymesh_object", "position_indices"): ("corner_count", 1, 0),
    ("facet_binarymesh_object", "normal_indices"): ("corner_count", 1, 0),
    ("facet_binarymesh_object", "texcoord_indices"): ("corner_count", 1, 0),
    ("facet_j3d_materials", "remap"): ("slot_count", 1, 0),
    ("facet_j3d_elements", "reals"): ("count", 1, 0),
    ("facet_j3d_elements", "integers"): ("count", 1, 0),
    ("facet_j3d_array", "bytes"): ("size", 1, 0),
}
# Members that are private, or that other members present.
_HIDDEN = {"arena", "zip", "lookup", "layout"}
_SHOWN_LATER = {("facet_j3d_animation_set", "tracks"), ("facet_ply_property", "data"),
                ("facet_ply_property", "offsets"), ("facet_stl", "triangles"),
                ("facet_iqm", "text"), ("facet_iqm", "comment"), ("facet_iqm", "frames"),
                ("facet_iqm_array", "data"), ("facet_bga", "data"), ("facet_j3d_array", "format"),
                ("facet_binarymesh_object", "positions"), ("facet_binarymesh_object", "normals"),
                ("facet_binarymesh_object", "texcoords")}
_RECORDS_OF_STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)),
                            ("attributes", "<u2")])


def _name(kind: Any) -> str:
    return str(kind.cname).replace("struct ", "").replace("enum ", "")


def _count_member(struct: str, fields: List[str], name: str) -> Optional[Tuple[str, int, int]]:
    if (struct, name) in _LENGTHS:
        return _LENGTHS[struct, name]
    stems = [name, name[:-1], name[:-2], name[:-3] + "y", name[:-4] + "ix", name[:-4] + "ex",
             name + "s"]
    for stem in stems:
        if f"{stem}_count" in fields:
            return f"{stem}_count", 1, 0
    if name in ("data", "bytes", "stored", "padding") and "size" in fields:
        return "size", 1, 0
    return ("count", 1, 0) if "count" in fields else None


class Record:
    """A struct of a document. Its members are attributes: numbers, words, strings, arrays, other
    records, and lists of records. Plain structs are NumPy structured arrays."""

    def __init__(self, document: Optional["Document"], struct: Any) -> None:
        object.__setattr__(self, "_parent", document)
        object.__setattr__(self, "_c", struct)

    _parent: Optional["Document"]
    _c: Any

    @property
    def _document(self) -> "Document":
        """The document that this record is a part of. For a document: itself."""
        found = self._parent or self
        assert isinstance(found, Document)
        return found

    def _members(self) -> Dict[str, Any]:
        kind = ffi.typeof(self._c)
        kind = kind.item if kind.kind == "pointer" else kind
        return dict(kind.fields)

    def _kind(self) -> str:
        kind = ffi.typeof(self._c)
        return _name(kind.item if kind.kind == "pointer" else kind)

    def __dir__(self) -> List[str]:
        return [name for name in self._members()
                if name not in _HIDDEN and (self._kind(), name) not in _SHOWN_LATER]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        members = self._members()
        if name not in members or name in _HIDDEN or (self._kind(), name) in _SHOWN_LATER:
            raise AttributeError(f"{self._kind()} has no '{name}'")
        return self._show(name, members[name].type, getattr(self._c, name))

    def _show(self, name: str, kind: Any, value: Any) -> Any:
        if kind.kind == "primitive":
            return value
        if kind.kind == "enum":
            return words(_name(kind)).get(value, value)
        if kind.kind == "struct":
            if _name(kind) == "facet_j3d_names":
                return [_shift_jis(value.items[i].bytes) for i in range(value.count)]
            return Record(self._document, value)
        if kind.kind == "array":
            return self._show_array(kind, value)
        return self._show_pointer(name, kind.item, value) if kind.kind == "pointer" else None

    def _show_array(self, kind: Any, value: Any) -> Any:
        if kind.item.cname == "char":
            return text(value)
        dtype = dtype_of(kind.item)
        if dtype is None:
            return [Record(self._document, value[i]) for i in range(kind.length)]
        return self._document._view(value, (kind.length, *dtype.shape), dtype.base)

    def _show_pointer(self, name: str, item: Any, value: Any) -> Any:
        if not value:
            return None
        if item.cname == "char":
            return text(value)
        length = _count_member(self._kind(), list(self._members()), name)
        if length is None:
            return Record(self._document, value) if item.kind == "struct" else None
        member, width, more = length
        count = int(getattr(self._c, member)) + more
        if item.kind == "pointer" and item.item.cname == "char":
            return [text(value[i]) for i in range(count)]
        dtype = dtype_of(item)
        if dtype is None:
            return [Record(self._document, value[i]) for i in range(count)]
        shape = (count,) if width == 1 else (count, width)
        return self._document._view(value, (*shape, *dtype.shape), dtype.base)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a number, a word or a short array. Errors appear when you write the document, because
        every writer checks all of it."""
        members = self._members()
        kind = members[name].type if name in members else None
        counts = {found[0] for found in (
            _count_member(self._kind(), list(members), other) for other, field in members.items()
            if field.type.kind == "pointer") if found}
        if kind is None or name in counts or kind.kind not in ("primitive", "enum", "array"):
            raise AttributeError(f"'{name}' cannot be set")
        if kind.kind == "array":
            if len(value) != kind.length:
                raise ValueError(f"{name} has {kind.length} items, not {len(value)}")
            getattr(self._c, name)[0:kind.length] = list(value)
        else:
            setattr(self._c, name, number(_name(kind), value) if kind.kind == "enum" else value)

    def __repr__(self) -> str:
        return f"<{self._kind()}: {', '.join(dir(self))}>"


def _shift_jis(stored: Any) -> str:
    size = lib.facet_j3d_name_text(stored, ffi.NULL, 0)
    space = ffi.new("char[]", size + 1)
    lib.facet_j3d_name_text(stored, space, size + 1)
    return text(space)


# -- Documents -------------------------------------------------------------

_FAMILIES = {
    "bsm": "bsm", "iqm": "iqm", "binarymesh": "binarymesh", "bga": "bga", "bpx": "bpx", "bti": "bti",
    "bmd": "j3d", "bdl": "j3d", "bmt": "j3d", "ply": "ply", "stl": "stl",
    **{name: "j3d_animation" for name in "bck bca btk brk bpk bpa btp bva blk bla bxk bxa".split()},
}


def documents() -> List[str]:
    """The names of the formats that read() accepts."""
    return list(_FAMILIES)


class Document(Record):
    """A whole file in the structs of its format. write() writes what read() read; for J3D, byte for
    byte."""

    _family: str
    findings: Findings
    """Findings of the reader."""

    def __init__(self, family: str, handle: Handle, findings: Findings, opened: Optional[Input],
                 writable: bool) -> None:
        super().__init__(None, handle.pointer)
        for name, value in (("_family", family), ("_handle", handle), ("findings", findings),
                            ("_opened", opened), ("_writable", writable)):
            object.__setattr__(self, name, value)

    _handle: Handle
    _opened: Optional[Input]
    _writable: bool

    def _view(self, pointer: Any, shape: Tuple[int, ...], dtype: Any) -> Array:
        return view(self._handle, pointer, shape, dtype,
                    writable=self._writable and not self._in_source(pointer))

    def _in_source(self, pointer: Any) -> bool:
        """True if a pointer refers to the bytes of the file. These may be a read-only map."""
        if self._opened is None:
            return False
        source = self._opened.source
        at, begin = (int(ffi.cast("uintptr_t", one)) for one in (pointer, source.data))
        return begin <= at <= begin + int(source.size)

    @property
    def family(self) -> str:
        """The family: "bsm", "j3d", "j3d_animation", ..."""
        return self._family

    def write(self, path: Destination, *, strict: bool = False, compress: Optional[str] = None,
              into: bool = False, **options: Any) -> Report:
        """Write the document to a path or a binary file. If any part of it is invalid, nothing is
        written."""
        where = os.fsdecode(path) if isinstance(path, (str, os.PathLike)) else None
        with Call(where) as call, Output(call, path, compress=compress, into=into) as output:
            self._write(call, output, strict, options)
            return Report((), call.findings(), output.commit())

    def write_bytes(self, *, strict: bool = False, **options: Any) -> bytes:
        """The document as the bytes of a file."""
        with Call() as call, Output(call, None) as output:
            self._write(call, output, strict, options)
            output.commit()
            return output.data()

    def _write(self, call: Call, output: Output, strict: bool, options: Dict[str, Any]) -> None:
        call.apply("write", take("write", options))
        call.check(getattr(lib, f"facet_{self._family}_write")(self._c, call.options, output.output,
                                                               call.error))
        refuse_losses(call, strict)

    # -- Members whose length or type depends on others

    @property
    def stl_triangles(self) -> Array:
        """STL: a structured array with the normal, the corners and the attributes of each
        triangle."""
        if self._family != "stl":
            raise AttributeError(f"{self._family} has no 'stl_triangles'")
        return self._view(self._c.triangles, (self._c.triangle_count,), _RECORDS_OF_STL)

    def iqm_name(self, offset: int) -> str:
        """IQM: the string at this offset of the text. Records refer to names by offset."""
        self._expect("iqm", "iqm_name")
        stored = bytes(ffi.buffer(self._c.text, self._c.text_size)) if self._c.text_size else b"\0"
        if not 0 <= offset < len(stored):
            raise IndexError(f"the text has {len(stored)} bytes, not {offset}")
        return stored[offset:].split(b"\0", 1)[0].decode("utf-8", "replace")

    @property
    def iqm_comment(self) -> str:
        """IQM: the comment."""
        self._expect("iqm", "iqm_comment")
        size = self._c.comment_size
        stored = bytes(ffi.buffer(self._c.comment, size)) if size else b""
        return stored.split(b"\0", 1)[0].decode("utf-8", "replace")

    @property
    def iqm_frames(self) -> Array:
        """IQM: (frames, channels) uint16: the values of each frame."""
        self._expect("iqm", "iqm_frames")
        return self._view(self._c.frames, (self._c.frame_count, self._c.channel_count), np.uint16)

    def iqm_values(self, index: int) -> Array:
        """IQM: (vertices, components): the values of a vertex array."""
        self._expect("iqm", "iqm_values")
        if not 0 <= index < self._c.array_count:
            raise IndexError(f"there are {self._c.array_count} vertex arrays, not {index}")
        array = self._c.arrays[index]
        kinds = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.float16,
                 np.float32, np.float64)
        return self._view(array.data, (self._c.vertex_count, array.size), kinds[array.format])

    def _expect(self, family: str, name: str) -> None:
        if self._family != family:
            raise AttributeError(f"{self._family} has no '{name}'")

    def reals(self, record: Record, name: str) -> Array:
        """BinaryMesh: "positions", "normals" or "texcoords" of an object, in the precision of the
        file."""
        if self._family != "binarymesh" or name not in ("positions", "normals", "texcoords"):
            raise AttributeError(f"{self._family} has no '{name}'")
        width = 2 if name == "texcoords" else 3
        return self._view(getattr(record._c, name), (getattr(record._c, f"{name[:-1]}_count"), width),
                          np.float64 if self._c.double_precision else np.float32)


class Animation(Document):
    """A J3D animation: its tracks, and its values at a frame.

    >>> walk = facet.read(bck)
    >>> walk.kind, walk.frames
    ('bck', 20)
    >>> walk.joints(2.5)["translation"].shape
    (1, 3)
    >>> walk.write_bytes() == bck
    True
    """

    _TRACKS = {"bck": 9, "bca": 9, "btk": 9, "brk": 4, "bpk": 4, "bpa": 4, "bxk": 4, "bxa": 4}

    def tracks(self, set: int = 0) -> Array:
        """(entries, tracks per entry): a structured array with count, first and type of each
        track."""
        chosen, width = self._c.sets[set], self._TRACKS.get(self.kind, 1)
        return self._view(chosen.tracks, (chosen.count, width),
                          dtype_of(ffi.typeof("facet_j3d_track")))

    def _moment(self, frame: float, runtime: int, exact: bool) -> Any:
        return ffi.new("facet_j3d_moment *", {
            "frame": frame, "runtime": {1: lib.FACET_J3D_RUNTIME_1,
                                        2: lib.FACET_J3D_RUNTIME_2}[runtime], "exact": exact})

    def joints(self, frame: float, *, runtime: int = 2, exact: bool = False) -> Array:
        """Pose of each joint of a bck or bca: a structured array with scale, rotation, angles (in
        degrees) and translation. With exact=True, computed in the console's own floats."""
        if self.kind not in ("bck", "bca"):
            raise ValueError(f"a {self.kind} moves no joints")
        count = self._c.sets[0].count
        poses = np.zeros(count, dtype_of(ffi.typeof("facet_j3d_joint_pose")))
        if count:
            lib.facet_j3d_animation_joints(self._c, self._moment(frame, runtime, exact),
                                           ffi.cast("facet_j3d_joint_pose *", poses.ctypes.data))
        return poses

    def curve(self, track: int, frame: float, *, set: int = 0) -> float:
        """The value of one track at a frame, in stored units. `track` is an index into all tracks
        of the set."""
        if not 0 <= track < self.tracks(set).size:
            raise IndexError(f"there are {self.tracks(set).size} tracks")
        return float(lib.facet_j3d_animation_curve(self._c, set, track, frame, ffi.NULL))

    def to_json(self) -> Dict[str, Any]:
        """The whole animation as JSON values that you can edit. Angles are in degrees."""
        holder = _arena()
        found = lib.facet_j3d_animation_to_json(self._c, holder.arena)
        if not found:
            raise MemoryError("the animation is too large as JSON")
        value: Dict[str, Any] = json.loads(text(found))
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Animation":
        """Create an animation from the values of to_json(). If nothing was edited, it writes the
        same file."""
        encoded, made = json.dumps(value).encode(), ffi.new("facet_j3d_animation **")
        with Call() as call:
            call.check(lib.facet_j3d_animation_from_json(encoded, len(encoded), call.options, made,
                                                         call.error))
            return cls._of(made[0], call.findings(), None)

    @classmethod
    def _of(cls, pointer: Any, findings: Findings, opened: Optional[Input],
            writable: bool = False) -> "Animation":
        return cls("j3d_animation", Handle(ffi.gc(pointer, lib.facet_j3d_animation_free), opened),
                   findings, opened, writable)

    def convert(self, kind: str, *, tolerance: float = 0) -> "Animation":
        """Convert to the other storage of the same kind: a bck to "bca", a bca to "bck", and so
        on."""
        made = ffi.new("facet_j3d_animation **")
        with Call() as call:
            call.check(lib.facet_j3d_animation_convert(
                self._c, number("facet_j3d_animation_kind", kind), tolerance, call.options, made,
                call.error))
            return self._of(made[0], call.findings(), None)

    def fits(self, model: Document) -> Tuple[bool, Findings]:
        """True if the animation fits a model, and the findings if it does not."""
        fits = ffi.new("bool *")
        with Call() as call:
            call.check(lib.facet_j3d_animation_check_fit(self._c, model._c, call.options,
                                                         call.report, fits, call.error))
            return bool(fits[0]), call.findings()


def _arena() -> Any:
    """A scene that is used only for its arena."""
    call, made = Call(), ffi.new("facet_scene **")
    call.check(lib.facet_scene_create(ffi.NULL, made, call.error))
    return ffi.gc(made[0], lib.facet_scene_free)


@helpful
def read(src: Source, *, from_: Optional[str] = None, siblings: Siblings = None,
         name: Optional[str] = None, writable: bool = False, threads: int = 1,
         memory_limit: Optional[float] = None, growth_limit: Optional[int] = None, warn: bool = False) -> Document:
    """Read a file as a document: complete, in the structs of its format. With writable=True you can
    change arrays, except those that are views of the file's bytes.

    >>> bsm = facet.read(facet.load(model).save_bytes("bsm"))
    >>> bsm.vertex_count, bsm.triangles.shape, bsm.meshes["material"].tolist()
    (12, (4, 3), [b'red', b'blue'])
    """
    with Call(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, warn=warn) as call:
        opened = Input(call, src, siblings=siblings, name=name, decompress=True).__enter__()
        line = format_named(from_) or lib.facet_format_probe(opened.source)
        family = _FAMILIES.get(text(lib.facet_format_name(line)) if line else "")
        if family is None:
            opened.close()
            raise ValueError(f"a document is one of {', '.join(_FAMILIES)}"
                             + (f", not {text(lib.facet_format_name(line))}" if line else ""))
        made = ffi.new(f"facet_{family} **")
        call.check(getattr(lib, f"facet_{family}_read")(opened.source, call.options, made,
                                                        call.error))
        opened.finish()
        if family == "j3d_animation":
            return Animation._of(made[0], call.findings(), opened, writable)
        handle = Handle(ffi.gc(made[0], getattr(lib, f"facet_{family}_free")), opened)
        return Document(family, handle, call.findings(), opened, writable)


# -- Views -----------------------------------------------------------------


class BSM:
    """A view of a BSM file: arrays refer to the mapped file. Created by open_bsm()."""

    def __init__(self, src: Source, verify: bool = True) -> None:
        call = Call()
        opened = Input(call, src, decompress=True).__enter__()
        self._layout = ffi.new("facet_bsm_layout *")
        call.check(lib.facet_bsm_view(opened.source.data, opened.source.size, self._layout,
                                      call.error))
        if verify:
            call.check(lib.facet_bsm_verify(self._layout, call.error))
        opened.finish()
        self._handle = Handle(self._layout, opened)

    def _array(self, array: int, width: int, kind: str = "<f4") -> Array:
        return view(self._handle, self._layout.raw[array], (self._layout.count[array], width), kind)

    def _indices(self, array: int) -> Array:
        if not self._layout.verified:
            raise ValueError("indices of a file that was opened with verify=False are not looked at")
        return self._array(array, 3, "<u4")

    @property
    def positions(self) -> Array:
        """(n, 3) float32."""
        return self._array(lib.FACET_BSM_POSITIONS, 3)

    @property
    def texcoords(self) -> Array:
        """(n, 2) float32; v increases upward."""
        return self._array(lib.FACET_BSM_TEXCOORDS, 2)

    @property
    def normals(self) -> Array:
        """(n, 3) float32."""
        return self._array(lib.FACET_BSM_NORMALS, 3)

    @property
    def tangents(self) -> Array:
        """(n, 4) float32."""
        return self._array(lib.FACET_BSM_TANGENTS, 4)

    @property
    def triangles(self) -> Array:
        """(m, 3) uint32. ValueError if the file was opened with verify=False."""
        return self._indices(lib.FACET_BSM_TRIANGLES)

    @property
    def hull_points(self) -> Array:
        """(n, 3) float32: the points of all hulls."""
        return self._array(lib.FACET_BSM_HULL_POINTS, 3)

    @property
    def occluder_positions(self) -> Array:
        """(n, 3) float32."""
        return self._array(lib.FACET_BSM_OCCLUDER_POSITIONS, 3)

    @property
    def occluder_triangles(self) -> Array:
        """(m, 3) uint32. ValueError if the file was opened with verify=False."""
        return self._indices(lib.FACET_BSM_OCCLUDER_TRIANGLES)

    @property
    def meshes(self) -> List[Tuple[str, int, int]]:
        """Runs of triangles with one material: (material, first triangle, number of triangles)."""
        call, found, made = Call(), [], ffi.new("facet_bsm_mesh *")
        for i in range(self._layout.count[lib.FACET_BSM_MESHES]):
            call.check(lib.facet_bsm_copy(self._layout, lib.FACET_BSM_MESHES, i, 1, made,
                                          call.error))
            found.append((text(made.material), int(made.first_triangle), int(made.triangle_count)))
        return found

    @property
    def hulls(self) -> List[Tuple[int, int]]:
        """Runs of hull points: (first point, number of points)."""
        call, found, made = Call(), [], ffi.new("facet_bsm_hull *")
        for i in range(self._layout.count[lib.FACET_BSM_HULLS]):
            call.check(lib.facet_bsm_copy(self._layout, lib.FACET_BSM_HULLS, i, 1, made,
                                          call.error))
            found.append((int(made.first_point), int(made.point_count)))
        return found

    @property
    def version(self) -> int:
        """Version of the format."""
        return int(self._layout.version)

    @property
    def bounds(self) -> Array:
        """(2, 3): minimum and maximum of the box, as stored in the header."""
        return np.array([list(self._layout.minimum), list(self._layout.maximum)], np.float32)

    @property
    def sphere(self) -> Tuple[Array, float]:
        """Center and radius, as stored in the header."""
        return np.array(list(self._layout.center), np.float32), float(self._layout.radius)

    def __repr__(self) -> str:
        return f"<BSM {len(self.positions)} vertices, " \
               f"{self._layout.count[lib.FACET_BSM_TRIANGLES]} triangles>"


def open_bsm(src: Source, *, verify: bool = True) -> BSM:
    """Open a BSM file as a view. A path is mapped, and bytes or a mmap are used in place: nothing
    is copied. All indices are checked, unless verify=False.

    >>> data = facet.load(model).save_bytes("bsm")
    >>> bsm = facet.open_bsm(data)
    >>> bsm.positions.shape, bsm.meshes
    ((12, 3), [('red', 0, 2), ('blue', 2, 2)])
    """
    return BSM(src, verify)


_BASES = {"float32": "f4", "uint8": "u1", "int8": "i1", "uint16": "u2", "int16": "i2",
          "uint32": "u4", "int32": "i4"}


class BGA(Mapping[str, Mapping[str, Array]]):
    """A view of a BGA file. Each buffer maps attribute names to arrays (records, components), in
    the file's byte order. Created by open_bga()."""

    def __init__(self, src: Source, order: str = "auto", tolerant: bool = False,
                 verify: bool = True) -> None:
        call = Call()
        opened = Input(call, src, decompress=True).__enter__()
        how = ffi.new("facet_bga_view_options *")
        how.order, how.tolerant = number("facet_bga_order", order), tolerant
        self._bga = ffi.new("facet_bga *")
        call.check(lib.facet_bga_view(opened.source.data, opened.source.size, how, self._bga,
                                      call.error))
        if verify:
            call.check(lib.facet_bga_verify(self._bga, call.error))
        opened.finish()
        self._handle = Handle(self._bga, opened)

    @property
    def version(self) -> str:
        """Version of the format, as stored in the header."""
        return str(ffi.string(self._bga.version, self._bga.version_length).decode())

    @property
    def is_big_endian(self) -> bool:
        """True if the buffers are big-endian."""
        return bool(self._bga.big_endian)

    def _attribute(self, one: Any) -> Array:
        kind = _BASES[words("facet_bga_base")[one.base]]
        dtype = np.dtype((">" if self._bga.big_endian else "<") + kind)
        return view(self._handle, one.data, (one.count, one.components), dtype,
                    strides=(one.stride, dtype.itemsize))

    def __getitem__(self, name: str) -> Mapping[str, Array]:
        for i in range(self._bga.buffer_count):
            buffer = self._bga.buffers[i]
            if _bga_name(buffer) == name:
                first, count = buffer.first_attribute, buffer.attribute_count
                return {_bga_name(self._bga.attributes[k]): self._attribute(self._bga.attributes[k])
                        for k in range(first, first + count)}
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter([_bga_name(self._bga.buffers[i]) for i in range(self._bga.buffer_count)])

    def __len__(self) -> int:
        return int(self._bga.buffer_count)

    def __repr__(self) -> str:
        return f"<BGA {self.version}: {', '.join(self)}>"


def _bga_name(item: Any) -> str:
    return str(ffi.string(item.name, item.name_length).decode())


def open_bga(src: Source, *, order: str = "auto", tolerant: bool = False,
             verify: bool = True) -> BGA:
    """Open a BGA file as a view; see open_bsm().

    >>> bga = facet.open_bga(facet.load(model).save_bytes("bga"))
    >>> list(bga), sorted(bga["vertex"]), bga["triangle"]["cell"].shape
    (['vertex', 'triangle', 'face'], ['position', 'uv'], (4, 3))
    """
    return BGA(src, order, tolerant, verify)
