"""Scenes: create from arrays, change, prepare, save."""

from __future__ import annotations

import io
import math
import os
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Dict, Iterable, List, Mapping, Optional, Sequence, \
    Tuple, Type, TypeVar, Union

import numpy as np

from . import _arrays
from ._arrays import Array, Memory, matrices
from ._call import Call, Progress, format_named
from ._conversion import Writer, embed_images, load_images, make_hulls, move_paths, override, prepare, prepare_options, \
    refuse_losses, target
from ._editing import chosen, corners_of, equal_materials, keep_meshes, replace_materials
from ._facet import ffi, lib
from ._files import Destination, Origin, check_destination, names_files
from ._options import helpful, listing, take
from ._records import SceneFields
from ._state import Filler, equal, state_of
from .errors import Finding, Findings, text
from .mesh import Mesh
from .parts import Animation, Axes, Camera, Hull, Image, Light, Material, Node, Part, Pose, Skin
from .record import Records, index_of, number
from .report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from ._option_table import SaveOptions

NONE = 2**32 - 1

P = TypeVar("P", bound=Part)


class Scene(SceneFields):
    """Meshes, and the nodes that place them. `Scene()` is empty.

    >>> scene = facet.load(model)
    >>> scene.meshes
    [<Mesh 'body' 4 faces, position, texcoord>]
    >>> [material.name for material in scene.materials]
    ['red', 'blue']
    >>> scene.bounds().tolist()
    [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]
    """

    _owner: Memory
    _origin: Optional[Origin] = None
    def __init__(self) -> None:
        call, made = Call(), ffi.new("facet_scene **")
        call.check(lib.facet_scene_create(ffi.NULL, made, call.error))
        self._adopt(made[0])

    def _adopt(self, pointer: Any) -> None:
        self._owner = Memory(pointer)
        self._findings = Findings()

    @classmethod
    def _of(cls, pointer: Any, findings: Findings) -> "Scene":
        scene = cls.__new__(cls)
        scene._adopt(pointer)
        scene._findings = findings
        return scene

    def _struct(self) -> Any:
        return self._owner.scene

    def close(self) -> None:
        """Release the memory. Arrays that use it stay valid; the last of them frees it."""
        self._owner.close()

    # -- Notebooks

    def _repr_html_(self) -> str:
        """Counts and a picture, for notebooks."""
        from .pictures import html_of
        counts = {name: len(getattr(self, name)) for name in (
            "meshes", "materials", "images", "nodes", "skins", "animations", "cameras", "lights",
            "hulls")}
        counts["faces"] = sum(mesh.face_count for mesh in self.meshes)
        return html_of(self.name or "scene", counts, self._repr_png_())

    def _repr_png_(self) -> Optional[bytes]:
        """A picture for notebooks, or None if nothing is visible."""
        from .pictures import picture_of_scene
        return picture_of_scene(self)

    # -- Copies and comparison

    def copy(self) -> "Scene":
        """A copy of the scene with separate memory."""
        with self._owner.lock, Call() as call:
            made = Scene._of(self._owner.copy(call), Findings(self.findings))
            made._origin = self._origin
            return made

    __copy__ = copy

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Scene":
        return self.copy()

    def __getstate__(self) -> Dict[str, Any]:
        with self._owner.lock:
            origin = self._origin
            if origin is not None and callable(origin.siblings):
                origin = None
            return {"version": text(lib.facet_version()), "scene": state_of(self._struct()),
                    "findings": self.findings, "origin": origin}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        if state["version"] != text(lib.facet_version()):
            raise ValueError(f"the scene was pickled by Facet {state['version']}, and this is "
                             f"{text(lib.facet_version())}: pickles are for one version")
        Scene.__init__(self)
        Filler(self._owner).fill(self._struct(), state["scene"])
        self._findings, self._origin = state["findings"], state["origin"]
        self._owner.changed()

    def __eq__(self, other: object) -> bool:
        """True if all content is equal, bit for bit. facet.compare lists the differences of
        files."""
        if not isinstance(other, Scene):
            return NotImplemented
        return self is other or equal(self.__getstate__()["scene"], other.__getstate__()["scene"])

    __hash__: ClassVar[None]  # type: ignore[assignment]

    def __enter__(self) -> "Scene":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], raised: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._owner.handle is None:
            return "<Scene closed>"
        counts = ((len(getattr(self, name)), name) for name in (
            "meshes", "materials", "nodes", "skins", "images", "animations", "hulls"))
        return f"<Scene {', '.join(f'{count} {name}' for count, name in counts if count)}>"

    @property
    def findings(self) -> Findings:
        """Findings of the reader."""
        return self._findings

    @property
    def warnings(self) -> List[Finding]:
        """Warnings of the reader."""
        return self.findings.warnings

    # -- Contents

    @property
    def axes(self) -> Axes:
        """Up axis, handedness, unit and origin of v, as read."""
        return Axes(self._owner)

    @property
    def meshes(self) -> Records[Mesh]:
        """The meshes, by index or by name."""
        return Records(lambda: self.mesh_count, lambda i: Mesh(self._owner, i))

    @property
    def materials(self) -> Records[Material]:
        """The materials. Faces, lines, points and animations refer to them by index."""
        return Records(lambda: self.material_count, lambda i: Material(self._owner, i))

    @property
    def images(self) -> Records[Image]:
        """The images. Textures refer to them by index."""
        return Records(lambda: self.image_count, lambda i: Image(self._owner, i))

    @property
    def nodes(self) -> Records[Node]:
        """The nodes, which place the meshes. Without nodes, each mesh is at the origin."""
        return Records(lambda: self.node_count, lambda i: Node(self._owner, i))

    @property
    def roots(self) -> List[Node]:
        """The visible nodes without a parent."""
        scene = self._struct()
        if scene.roots:
            return [self.nodes[scene.roots[i]] for i in range(scene.root_count)]
        structs = [node._struct() for node in self.nodes]
        levels = {struct.lods[i] for struct in structs for i in range(struct.lod_count)}
        return [node for node in self.nodes if node.parent is None and node.index not in levels]

    @property
    def skins(self) -> Records[Skin]:
        """The skins. Nodes refer to them by index."""
        return Records(lambda: self.skin_count, lambda i: Skin(self._owner, i))

    @property
    def animations(self) -> Records[Animation]:
        """The animations."""
        return Records(lambda: self.animation_count, lambda i: Animation(self._owner, i))

    @property
    def cameras(self) -> Records[Camera]:
        """The cameras. Nodes refer to them by index."""
        return Records(lambda: self.camera_count, lambda i: Camera(self._owner, i))

    @property
    def lights(self) -> Records[Light]:
        """The lights. Nodes refer to them by index."""
        return Records(lambda: self.light_count, lambda i: Light(self._owner, i))

    @property
    def hulls(self) -> Records[Hull]:
        """The convex collision hulls."""
        return Records(lambda: self.hull_count, lambda i: Hull(self._owner, i))

    @property
    def variants(self) -> List[str]:
        """Names of the variants that choose_variant() accepts."""
        scene = self._struct()
        return [ffi.string(scene.variants[i]).decode("utf-8", "surrogateescape")
                for i in range(scene.variant_count)]

    @property
    def occluder(self) -> Optional[Mesh]:
        """A coarse mesh that hides objects behind it, or None."""
        return Mesh(self._owner, -1) if self._struct().occluder else None

    # -- Creation from arrays

    def _add(self, function: Any, kind: str, *arguments: Any) -> Any:
        with self._owner.lock:
            call, made = Call(), ffi.new(f"{kind} **")
            call.check(function(self._struct(), *arguments, made, call.error))
            self._owner.changed()
            return made[0]

    def _fill(self, made: P, values: Dict[str, Any]) -> P:
        """Set the members of a new record. If one is invalid, remove the record."""
        try:
            for key, value in values.items():
                if key not in list(made._members()):
                    raise TypeError(f"a {type(made).__name__.lower()} has no '{key}'")
                setattr(made, key, value)
        except BaseException:
            setattr(self._struct(), f"{made._array[:-1]}_count", made._index)
            raise
        return made

    def add_mesh(self, positions: Any, faces: Any = None, *, face_sizes: Any = None,
                 name: str = "", materials: Any = None, lines: Any = None, points: Any = None,
                 **streams: Any) -> Mesh:
        """Add a mesh from arrays, which are copied.

        positions    (n, 3)
        faces        (m, k): m faces of k corners, a list of lists, or a flat array with face_sizes;
                     without faces, every three positions are a triangle
        face_sizes   number of corners of each face
        materials    a Material or its index per face, or one for all faces, lines and points
        lines        (n, 2): indices of positions
        points       (n,): indices of positions
        streams      keywords: an array with a row per position, or a pair of an array and an index
                     per corner

        If faces are empty, and lines and points are not given, all positions are points.

        >>> scene = facet.Scene()
        >>> square = scene.add_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]],
        ...                         [[0, 1, 2, 3]], normal=([[0, 0, 1]], [0, 0, 0, 0]))
        >>> square.face_sizes.tolist(), square.is_welded
        ([4], False)
        >>> scene.save_bytes("bsm")[:4]
        b'BINA'
        """
        places = _arrays.floats(positions, (3,), "positions")
        only_others = faces is None and not (lines is None and points is None)
        corners, sizes = corners_of([] if only_others else faces, face_sizes, len(places))
        if not len(sizes) and lines is None and points is None:
            points = np.arange(len(places))
        mesh = self._add(lib.facet_scene_add_mesh, "facet_mesh")
        made = Mesh(self._owner, self.mesh_count - 1)
        try:
            with self._owner.lock:
                mesh.corner_count = len(corners)
                mesh.face_count = len(sizes)
                if (sizes != 3).any():
                    offsets = np.zeros(len(sizes) + 1, np.uint32)
                    np.cumsum(sizes, out=offsets[1:])
                    mesh.face_offsets = self._owner.allocate(offsets, "uint32_t *")
                if name:
                    mesh.name = self._owner.string(name)
            made.add_stream("position", places, corners)
            if lines is not None:
                made.lines = lines
            if points is not None:
                made.points = points
            if materials is not None:
                made.face_materials = materials
                if _arrays.indices(materials, "materials", "materials", self._owner).size == 1:
                    made.line_materials = materials if len(made.lines) else None
                    made.point_materials = materials if len(made.points) else None
            for key, value in streams.items():
                made.add_stream(key, value)
        except BaseException:
            self._struct().mesh_count -= 1
            raise
        return made

    def add_trimesh(self, given: Any, name: str = "") -> Mesh:
        """Add a trimesh.Trimesh, or any object with `vertices` and `faces`. Texture coordinates or
        colors are copied, and normals if trimesh already has them."""
        from .interop import from_trimesh
        return from_trimesh(self, given, name)

    def add_material(self, name: str = "", **values: Any) -> Material:
        """Add a material with values: add_material("red", base_color=(1, 0, 0, 1))."""
        self._add(lib.facet_scene_add_material, "facet_material", self._owner.string(name))
        return self._fill(Material(self._owner, self.material_count - 1), values)

    def add_image(self, name: str, data: Any) -> Image:
        """Add an image. `data` is the bytes of a PNG or JPEG, or an array of pixels. Pixels are
        uint8 or floats, (height, width) or (height, width, channels), with the top row first."""
        self._add(lib.facet_scene_add_image, "facet_image", self._owner.string(name))
        made = Image(self._owner, self.image_count - 1)
        try:
            if isinstance(data, np.ndarray) and data.ndim >= 2:
                made.pixels = data
            else:
                made._set_data(data)
        except BaseException:
            self._struct().image_count -= 1
            raise
        return made

    def add_node(self, name: str = "", *, parent: Union[Node, int, str, None] = None,
                 mesh: Union[Mesh, int, str, None] = None,
                 skin: Union[Skin, int, str, None] = None,
                 matrix: Any = None, translation: Optional[Sequence[float]] = None,
                 rotation: Optional[Sequence[float]] = None,
                 scale: Optional[Sequence[float]] = None, extras: Any = None) -> Node:
        """Add a node. In a scene with nodes, only meshes of nodes are visible. `parent`, `mesh` and
        `skin` must exist."""
        indices = [None if value is None else self._existing(kind, value) for kind, value in (
            ("nodes", parent), ("meshes", mesh), ("skins", skin))]
        self._add(lib.facet_scene_add_node, "facet_node", self._owner.string(name))
        made = Node(self._owner, self.node_count - 1)
        made.parent, made.mesh, made.skin = indices
        try:
            for key, value in (("translation", translation), ("rotation", rotation),
                               ("scale", scale), ("matrix", matrix), ("extras", extras)):
                if value is not None:
                    setattr(made, key, value)
        except BaseException:
            self._struct().node_count -= 1
            raise
        return made

    def add_skin(self, joints: Iterable[Union[Node, int, str]], inverse_bind: Any = None, *,
                 name: str = "", skeleton: Union[Node, int, str, None] = None) -> Skin:
        """Add a skin with these nodes as joints. `inverse_bind` is (n, 4, 4), for column
        vectors."""
        indices = [self._existing("nodes", one) for one in joints]
        root = NONE if skeleton is None else self._existing("nodes", skeleton)
        bind = np.empty((0, 4, 4), np.float32)
        if inverse_bind is not None:
            bind = np.asarray(inverse_bind, np.float32)
            if bind.shape != (len(indices), 4, 4) or not np.isfinite(bind).all():
                raise ValueError(f"inverse_bind is ({len(indices)}, 4, 4) finite numbers, not "
                                 f"{bind.shape}{'' if np.isfinite(bind).all() else ' with others'}")
        skin = self._add(lib.facet_scene_add_skin, "facet_skin", self._owner.string(name),
                         len(indices))
        skin.joints[0:len(indices)] = indices
        flat = np.ascontiguousarray(bind.swapaxes(1, 2))
        ffi.memmove(skin.inverse_bind, ffi.cast("char *", flat.ctypes.data), flat.nbytes)
        skin.skeleton = root
        return Skin(self._owner, self.skin_count - 1)

    def add_animation(self, name: str,
                      channels: Sequence[Tuple[Union[Node, int, str], str, Any, Any]], *,
                      interpolation: str = "linear") -> Animation:
        """Add an animation. A channel is (node, target, times, values). The target is
        "translation", "rotation", "scale" or "weights". Values of cubic channels are (keys, 3,
        width)."""
        ready = []
        how = number("facet_interpolation", interpolation)
        for node, target, times, values in channels:
            at = np.ascontiguousarray(times, np.float32)
            keys = np.ascontiguousarray(values, np.float32)
            if how == lib.FACET_INTERPOLATION_CUBIC and (keys.ndim != 3 or keys.shape[1] != 3):
                raise ValueError(f"cubic values are (keys, 3, width), not {keys.shape}")
            if at.ndim != 1 or keys.ndim < 2 or len(at) != len(keys):
                raise ValueError(f"{at.shape} times for {keys.shape} values")
            if len(at) and (not np.isfinite(at).all() or (np.diff(at) <= 0).any()):
                raise ValueError("times of keys increase from one to the next, and are finite")
            ready.append((self._existing("nodes", node), number("facet_channel_target", target), at, keys))
        made = self._add(lib.facet_scene_add_animation, "facet_animation",
                         self._owner.string(name), len(ready))
        for i, (moved, target_number, at, keys) in enumerate(ready):
            channel = made.channels[i]
            channel.node, channel.target, channel.interpolation = moved, target_number, how
            channel.width, channel.key_count = keys.shape[-1], len(at)
            channel.times = self._owner.allocate(at, "float *")
            channel.values = self._owner.allocate(keys, "float *")
        return Animation(self._owner, self.animation_count - 1)

    def add_camera(self, name: str = "", **values: Any) -> Camera:
        """Add a camera with values: add_camera("eye", field_of_view=0.8)."""
        self._add(lib.facet_scene_add_camera, "facet_camera", self._owner.string(name))
        return self._fill(Camera(self._owner, self.camera_count - 1), values)

    def add_light(self, name: str = "", **values: Any) -> Light:
        """Add a light with values: add_light("lamp", kind="point", intensity=40)."""
        self._add(lib.facet_scene_add_light, "facet_light", self._owner.string(name))
        return self._fill(Light(self._owner, self.light_count - 1), values)

    def add_hull(self, points: Any, name: str = "") -> Hull:
        """Add a convex collision hull of points."""
        array = _arrays.floats(points, (3,), "points")
        hull = self._add(lib.facet_scene_add_hull, "facet_hull", self._owner.string(name),
                         len(array))
        ffi.memmove(hull.points, ffi.cast("char *", array.ctypes.data), array.nbytes)
        return Hull(self._owner, self.hull_count - 1)

    def add_scene(self, other: "Scene") -> Findings:
        """Add a copy of another scene: meshes, materials, images, nodes, skins, animations, cameras,
        lights, hulls, the occluder and the variants. The copy is converted to the axes and the unit
        of this scene. If only one of the scenes has nodes, the meshes of the other get nodes.

        If the sources of the scenes differ, images that `other` only names are read now. Missing
        images stay as names, and are reported. A scene without content gets the name, the extras and the other data of `other` as a whole. For other
        scenes, the findings report these as lost.

        >>> scene, other = facet.load(model), facet.load(model)
        >>> scene.add_scene(other)
        []
        >>> [mesh.name for mesh in scene.meshes], len(scene.materials)
        (['body', 'body'], 4)
        """
        if not isinstance(other, Scene):
            raise TypeError(f"the added scene is a facet.Scene, not {type(other).__name__}")
        first, second = sorted((self._owner, other._owner), key=id)  # no two calls wait forever
        with first.lock, second.lock, Call() as call:
            self._owner.check(call)
            other._owner.check(call)
            added, origin = other._struct(), self._origin
            if origin is None and self._is_empty():
                origin = other._origin
            elif origin != other._origin and names_files(added):
                added = ffi.gc(other._owner.copy(call), lib.facet_scene_free)
                embed_images(call, added, other._origin)
            call.check(lib.facet_scene_add_scene(self._struct(), added, call.options, call.error))
            self._origin = origin
            self._owner.changed()
            return call.findings()

    def _is_empty(self) -> bool:
        return not (self.mesh_count or self.material_count or self.image_count)

    # -- Queries

    def check(self) -> None:
        """Check everything that writers rely on. Raises ArgumentError with the reason. If you
        change a scene, it is also checked before it is prepared or saved."""
        with self._owner.lock, Call() as call:
            call.check(lib.facet_scene_check(self._struct(), call.options, call.error))

    def bounds(self) -> Optional[Array]:
        """(2, 3): the box of everything visible, at rest. None if nothing is visible."""
        with self._owner.lock, Call() as call:
            self._owner.check(call)
            low, high, any_ = ffi.new("double[3]"), ffi.new("double[3]"), ffi.new("bool *")
            call.check(lib.facet_scene_bounds(self._struct(), call.options, low, high, any_,
                                              call.error))
            return np.array([list(low), list(high)]) if any_[0] else None

    def _animation(self, animation: Union[Animation, int, str, None]) -> int:
        return NONE if animation is None else self._existing("animations", animation)

    def _existing(self, kind: str, value: Any) -> int:
        """The index of an item of the list `kind`, given as the record, its name or its index."""
        index, count = index_of(value, kind, self._owner), self._owner.count(kind)
        if not 0 <= index < count:
            raise ValueError(f"{'mesh' if kind == 'meshes' else kind[:-1]} {index} does not exist; "
                             f"the scene has {count}")
        return index

    def pose(self, animation: Union[Animation, int, str, None] = None, time: float = 0) -> Pose:
        """Transforms of the nodes at `time` seconds of an animation, or at rest."""
        with self._owner.lock, Call() as call:
            self._owner.check(call)
            pose = ffi.new("facet_pose *")
            call.check(lib.facet_scene_pose(self._struct(), self._animation(animation), time,
                                            call.options, pose, call.error))
            try:
                count = pose.node_count
                return Pose(matrices(_copy(pose.local, count * 64, np.float32).reshape(count, 16)),
                            matrices(_copy(getattr(pose, "global"), count * 64,
                                           np.float32).reshape(count, 16)),
                            _copy(pose.seen, count, np.bool_))
            finally:
                lib.facet_pose_free(pose)

    def posed_positions(self, node: Union[Node, int, str],
                        animation: Union[Animation, int, str, None] = None,
                        time: float = 0) -> Array:
        """(n, 3): positions of a node's mesh in the scene, with morph targets and skin applied."""
        with self._owner.lock, Call() as call:
            self._owner.check(call)
            scene, pose = self._struct(), ffi.new("facet_pose *")
            index = self._existing("nodes", node)
            of = self.nodes[index].mesh
            if of is None:
                raise ValueError("the node has no mesh")
            positions = np.empty((len(self.meshes[of].positions), 3), np.float32)
            call.check(lib.facet_scene_pose(scene, self._animation(animation), time, call.options,
                                            pose, call.error))
            try:
                call.check(lib.facet_pose_positions(
                    scene, pose, index, call.options, _arrays.address(positions, "float *"),
                    call.error))
            finally:
                lib.facet_pose_free(pose)
            return positions

    def bake(self, animation: Union[Animation, int, str], rate: float = 30) -> Array:
        """(frames, nodes, 4, 4): transforms of the nodes relative to their parents, at `rate`
        frames per second."""
        with self._owner.lock, Call() as call:
            self._owner.check(call)
            baked = ffi.new("facet_baked *")
            call.check(lib.facet_animation_bake(self._struct(), self._animation(animation), rate,
                                                call.options, baked, call.error))
            try:
                shape = (baked.frame_count, baked.node_count, 16)
                flat = _copy(baked.local, shape[0] * shape[1] * 64, np.float32)
                return matrices(flat.reshape(shape))
            finally:
                lib.facet_baked_free(baked)

    # -- Changes

    def remove_meshes(self, which: Any) -> None:
        """Remove meshes: an index, a list of indices, or a mask. Their nodes stay, without a mesh
        and without channels that animate its morph weights."""
        with self._owner.lock:
            keep_meshes(self._owner, ~chosen(which, self.mesh_count, "meshes", self._owner))

    def remove_materials(self, which: Any, *,
                         instead: Union[Material, int, str, None] = None) -> None:
        """Remove materials: an index, a list of indices, or a mask. Faces, lines and
        points with them get the material `instead`, or none."""
        with self._owner.lock:
            gone = chosen(which, self.material_count, "materials", self._owner)
            other = None if instead is None else self._existing("materials", instead)
            if other is not None and gone[other]:
                raise ValueError(f"material {other} is not one that stays")
            numbers = np.cumsum(~gone) - 1
            numbers[gone] = NONE if other is None else numbers[other]
            replace_materials(self._owner, self._all_meshes(), ~gone, numbers.astype(np.uint32))

    def merge_materials(self) -> int:
        """Merge materials that are equal, including their names. Returns the number of removed
        materials."""
        with self._owner.lock:
            first = equal_materials([state_of(one._struct(), self._struct())
                                     for one in self.materials], equal)
            kept = first == np.arange(len(first))
            replace_materials(self._owner, self._all_meshes(), kept,
                              (np.cumsum(kept) - 1)[first].astype(np.uint32))
            return int((~kept).sum())

    def _all_meshes(self) -> List[Mesh]:
        return [*self.meshes, *([self.occluder] if self.occluder is not None else [])]

    def add_hulls(self, count: int = 1, *, max_vertices: int = 0) -> List[Hull]:
        """Replace the hulls by up to `count` convex hulls around each mesh, with at most
        `max_vertices` corners each. 0: the default of the library."""
        with self._owner.lock, Call() as call:
            self._owner.check(call)
            make_hulls(call, self._struct(), count, max_vertices)
            self._owner.changed()
            return list(self.hulls)

    def scale(self, factor: float) -> None:
        """Scale everything by `factor`, a number above 0."""
        if not 0 < factor < math.inf:
            raise ValueError(f"factor is a number above 0, not {factor!r}")
        with self._owner.replacing() as scene:
            lib.facet_scene_scale(scene, factor)
            self._owner.changed()

    def set_axes(self, *, up: Optional[str] = None, left_handed: Optional[bool] = None,
                 unit: Optional[float] = None, uv_origin_top: Optional[bool] = None) -> None:
        """Convert everything to another up axis ("x", "y" or "z"), handedness, unit (in meters) or
        origin of v: meshes, nodes, skins, animations and hulls. None: unchanged."""
        with self._owner.replacing() as scene, Call() as call:
            axes = ffi.new("facet_axes *", scene.axes)
            if up is not None:
                axes.up = number("facet_axis", up)
            if left_handed is not None:
                axes.left_handed = left_handed
            if unit is not None:
                axes.unit = unit
            if uv_origin_top is not None:
                axes.uv_origin_top = uv_origin_top
            call.check(lib.facet_scene_set_axes(scene, axes, call.error))
            self._owner.changed()

    def choose_variant(self, name: str) -> None:
        """Give all faces, lines and points their materials of a variant. Then remove all variants."""
        with self._owner.replacing() as scene, Call() as call:
            call.check(lib.facet_scene_choose_variant(scene, name.encode(), call.error))
            self._owner.changed()

    def flatten(self, *, merge: bool = False, animation: Union[Animation, int, str, None] = None,
                time: float = 0) -> Findings:
        """Remove the nodes. Each mesh is transformed to its place in the scene, with morph targets
        and skin applied, at rest or at `time` seconds of an animation. With merge=True, all meshes
        become one."""
        with self._owner.replacing() as scene, Call() as call:
            how = ffi.new("facet_flatten_options *")
            how.struct_size = ffi.sizeof("facet_flatten_options")
            how.merge, how.has_time, how.time = merge, animation is not None, time
            how.animation = self._animation(animation)
            call.check(lib.facet_scene_flatten(scene, how, call.options, call.error))
            return call.findings()

    @helpful
    def prepare(self, to: Optional[str] = None, *, tangents: bool = False, crease: float = 0,
                new_normals: bool = False, flat: bool = False, merge: float = 0,
                keep_vertices: bool = False, no_optimize: bool = False, simplify: float = 0,
                max_vertices: int = 0, simplify_error: float = 0, threads: int = 1,
                memory_limit: Optional[float] = None, growth_limit: Optional[int] = None, progress: Optional[Progress] = None,
                warn: bool = False) -> Report:
        """Run the passes that a format needs and the meshes lack, in place. Without a format,
        prepare for a GPU: triangles with one index and normals, in an optimized order. Existing
        arrays keep their values. Options are those of `facet convert`.

        >>> scene = facet.load(model)
        >>> scene.prepare().passes
        ('normals', 'index', 'optimize')
        >>> scene.meshes[0].is_welded
        True
        """
        with self._owner.replacing(), \
                Call(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, progress=progress,
                     warn=warn) as call:
            how = prepare_options(call, take("convert", {
                "crease": crease, "new_normals": new_normals, "flat": flat, "merge": merge,
                "keep_vertices": keep_vertices, "no_optimize": no_optimize, "simplify": simplify,
                "max_vertices": max_vertices, "simplify_error": simplify_error}))
            how.extra = lib.FACET_NEED_TANGENTS if tangents else 0
            passes = prepare(call, self._struct(), format_named(to), how)
            return Report(passes, call.findings())

    # -- Saving

    def save(self, path: Destination, *, to: Optional[str] = None, name: Optional[str] = None,
             threads: int = 1, memory_limit: Optional[float] = None, growth_limit: Optional[int] = None,
             progress: Optional[Progress] = None, warn: bool = False,
             **options: Unpack[SaveOptions]) -> Report:
        """Write the scene to a path or a binary file. The format is `to`, or that of the extension.
        The passes that the format needs run on a copy: the scene is not changed. The file appears
        complete or not at all. Options are those of `facet convert`, with _ for -, except options
        for its input."""
        check_destination(path)
        where = os.fsdecode(path) if isinstance(path, (str, os.PathLike)) else None
        return self._write(target(to, where if where is not None else name), path, where, name,
                           options, dict(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit,
                                         progress=progress, warn=warn))[0]

    def save_bytes(self, to: str, *, threads: int = 1, memory_limit: Optional[float] = None, growth_limit: Optional[int] = None,
                   progress: Optional[Progress] = None, warn: bool = False,
                   **options: Unpack[SaveOptions]) -> bytes:
        """The scene as the bytes of a file. Options are those of save()."""
        file = io.BytesIO()
        self.save(file, to=to, threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, progress=progress,
                  warn=warn, **options)
        return file.getvalue()

    def save_files(self, name: str, *, to: Optional[str] = None, threads: int = 1,
                   memory_limit: Optional[float] = None, growth_limit: Optional[int] = None, progress: Optional[Progress] = None,
                   warn: bool = False, **options: Unpack[SaveOptions]) -> Dict[str, bytes]:
        """The scene as files in memory, by name; for example an OBJ and its MTL. Options are those
        of save().

        >>> sorted(facet.load(model).save_files("a.obj"))
        ['a.mtl', 'a.obj']
        """
        return self._write(target(to, name), None, None, name, options, dict(
            threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, progress=progress, warn=warn))[1]

    def _write(self, format_: Any, path: Destination, where: Optional[str], name: Optional[str],
               options: Mapping[str, Any], resources: Dict[str, Any]
               ) -> Tuple[Report, Dict[str, bytes]]:
        with self._owner.lock, Call(where, **resources) as call:
            to = text(lib.facet_format_name(format_))
            values = take("save", options, to)
            call.apply("save", values)
            made = ffi.gc(self._owner.copy(call), lib.facet_scene_free)
            if lib.facet_format_needs(format_) & lib.FACET_NEED_IMAGES:
                load_images(call, made, self._origin, format_)
            override(call, made, values, format_)
            if self._origin is not None:
                move_paths(call, made, self._origin.path, path, format_)
            writer = Writer(call, format_, path, name, values)
            writer.write(made)
            refuse_losses(call, "strict" in values)
            size = writer.commit()
            files = writer.files() if path is None else {}
            ffi.release(made)
            return Report(writer.passes, call.findings(), size), files


Scene.save.__doc__ = (Scene.save.__doc__ or "") + listing("save")

def _copy(pointer: Any, size: int, dtype: Any) -> Array:
    return np.frombuffer(bytes(ffi.buffer(pointer, size)) if size else b"", dtype).copy()
