"""Objects of a scene other than meshes: materials, images, nodes, skins, animations, hulls,
cameras, lights, axes, poses."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np

from ._arrays import Array, Memory, dtype_of, equal_members, matrices
from ._call import Call
from ._facet import ffi, lib
from ._files import Output, forget_files
from ._records import AnimationFields, AxesFields, CameraFields, ChannelFields, ClassicFields, HullFields, \
    ImageFields, LightFields, MaterialFields, \
    NodeFields, SkinFields, TextureFields
from ._transforms import decomposed, matrix_of
from .errors import text
from .record import Extras, Index, Number, OptionalText, Owner, Record, Records, Vector, listed, words


@dataclass(frozen=True, eq=False)
class Pose:
    """Transforms of the nodes at one time. Matrices are for column vectors."""

    def __eq__(self, other: object) -> bool:
        return equal_members(self, other)

    local: Array
    """(n, 4, 4): from the node to its parent."""
    world: Array
    """(n, 4, 4): from the node to the scene."""
    seen: Array
    """(n,): True if the node is a root of the scene or below one, and nothing hides it."""


class Axes(AxesFields):
    """The axes, unit and UV origin of a scene, as read."""

    _owner: Memory

    def __init__(self, owner: Memory) -> None:
        self._owner = owner

    def _struct(self) -> Any:
        return self._owner.scene.axes

    def __repr__(self) -> str:
        return f"<Axes {', '.join(f'{name}={value!r}' for name, value in self.to_dict().items())}>"


class Part(Record):
    """A struct in one of the scene's arrays."""

    _array = ""
    _owner: Memory

    def __init__(self, owner: Memory, index: int) -> None:
        self._owner, self._index = owner, index

    @property
    def index(self) -> int:
        """Index in the scene."""
        return self._index

    def _struct(self) -> Any:
        scene = self._owner.scene
        if self._index >= getattr(scene, f"{self._array[:-1]}_count"):
            raise ReferenceError(f"the scene has no longer {self._index + 1} {self._array}")
        return getattr(scene, self._array)[self._index][0]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Part) and \
            other._owner is self._owner and other._index == self._index

    def __hash__(self) -> int:
        return hash((self._array, self._index))


# -- Materials -------------------------------------------------------------


class _TransformNumber(Number):
    """A number of a texture's transform. Setting it sets has_transform."""

    def __set__(self, record: Any, value: float) -> None:
        super().__set__(record, value)
        record._struct().has_transform = True


class _TransformVector(Vector):
    """A vector of a texture's transform. Setting it sets has_transform."""

    def __set__(self, record: Any, value: Sequence[float]) -> None:
        super().__set__(record, value)
        record._struct().has_transform = True


class _ImageIndex(Index):
    """The index of a texture's image, or None."""

    def __get__(self, record: Any, owner: Any) -> Any:
        if record is None:
            return self
        struct = record._struct()
        return int(struct.image) if struct.has_image else None

    def __set__(self, record: Any, value: Any) -> None:
        number = self.write(record, value)
        struct = record._struct()
        struct.has_image, struct.image = value is not None, 0 if value is None else number
        record._owner.changed()


class _MapPath(OptionalText):
    """The path of a texture. Setting None removes the map."""

    def __get__(self, record: Any, owner: Any) -> Any:
        return None if record is not None and not record._is_there() else \
            super().__get__(record, owner)

    def __set__(self, record: Any, value: Optional[str]) -> None:
        if value is None:
            record._material._struct().maps[record._map] = ffi.NULL
            record._owner.changed()
        else:
            super().__set__(record, value)


class Texture(TextureFields):
    """A texture of a material. Setting `offset`, `rotation` or `scale` sets `has_transform`."""

    _owner: Memory

    path: OptionalText = _MapPath(  # type: ignore[assignment]
        "path", "As the source names it. \"\": the image is in the scene. None: the "
                "material has no such map.")
    image: Index = _ImageIndex(  # type: ignore[assignment]
        "image", "Index of an image of the scene, or None.")
    offset: _TransformVector = _TransformVector(
        "offset", "Translation of texture coordinates, applied last.")
    rotation: _TransformNumber = _TransformNumber(
        "rotation", "Rotation of texture coordinates, in radians.")
    scale: _TransformVector = _TransformVector(
        "scale", "Scale of texture coordinates, applied first.")

    def __init__(self, material: "Material", map_number: int) -> None:
        self._material, self._map, self._owner = material, map_number, material._owner

    def _is_there(self) -> bool:
        return bool(self._material._struct().maps[self._map])

    def _struct(self) -> Any:
        if not self._is_there():
            raise ReferenceError("the material no longer has this map")
        return self._material._struct().maps[self._map][0]


class Maps:
    """The textures of a material by their purpose.

    "diffuse" is the base color; "normal", "emissive", "occlusion" and "metallic_roughness" are
    others of glTF. `maps["diffuse"]` is a texture, `"normal" in maps` is True or False, and
    `for name in maps` gives the names of those that the material has. `set` adds or replaces one:

    >>> scene = facet.Scene()
    >>> image = scene.add_image("paint", np.zeros((8, 8, 3), np.uint8))
    >>> maps = scene.add_material("red").maps
    >>> maps.set("diffuse", image=image)
    <Texture>
    >>> list(maps), maps["diffuse"].image
    (['diffuse'], 0)
    """

    def __init__(self, material: "Material") -> None:
        self._material = material

    def __getitem__(self, name: str) -> Texture:
        for number, word in words("facet_map").items():
            if word == name:
                found = Texture(self._material, number)
                if not found._is_there():
                    break
                return found
        known = [word for word in words("facet_map").values() if word != "count"]
        if name in known:
            raise KeyError(f"the material has no map {name!r}, but {listed(list(self))}; "
                           f"maps.set({name!r}, image=...) adds one")
        near = difflib.get_close_matches("diffuse" if name == "base_color" else str(name), known, 1)
        raise KeyError(f"{name!r} is not one of {', '.join(known)}"
                       + (f"; did you mean {near[0]!r}?" if near else ""))

    def __iter__(self) -> Any:
        maps = self._material._struct().maps
        return iter([word for number, word in sorted(words("facet_map").items())
                     if number < len(maps) and maps[number]])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        return name in list(iter(self))

    def set(self, name: str, path: str = "", *,
            image: Union["Image", int, None] = None) -> Texture:
        """Set a map to a file, or to an image of the scene."""
        for number, word in words("facet_map").items():
            if word == name and word != "count":
                found = Texture(self._material, number)
                if not found._is_there():
                    self._add(number)
                found.path = path
                if image is not None:
                    found.image = image  # type: ignore[assignment]
                return found
        raise ValueError(f"{name!r} is none of {', '.join(words('facet_map').values())}")

    def _add(self, number: int) -> None:
        owner = self._material._owner
        with owner.lock, Call() as call:
            call.check(lib.facet_scene_add_map(
                owner.scene, ffi.addressof(self._material._struct()), number,
                ffi.new("facet_texture **"), call.error))

    def remove(self, name: str) -> None:
        """Remove a map."""
        self[name].path = None

    def __repr__(self) -> str:
        return f"<Maps {', '.join(self)}>"


class Classic(ClassicFields):
    """A material in the terms of MTL, FBX and COLLADA. Values that you set are `stated`: writers
    write them."""

    def __init__(self) -> None:
        self._c = ffi.new("facet_classic *")
        self._owner = Owner()
        lib.facet_classic_init(self._c)

    def _struct(self) -> Any:
        return self._c

    def __setattr__(self, key: str, value: Any) -> None:
        super().__setattr__(key, value)
        bit = "REFRACTION" if key == "refraction_index" else key.upper()
        if not key.startswith("_"):
            self._c.stated |= getattr(lib, f"FACET_CLASSIC_{bit}", 0)


class _MaterialExtras(Extras):
    """The extras of a material. They replace the console state that was read with the old ones."""

    def __set__(self, record: Any, value: Any) -> None:
        super().__set__(record, value)
        struct = record._struct()
        struct.gx = struct.gx_file = ffi.NULL


class Material(Part, MaterialFields):
    """A material. Colors are linear floats.

    A material of a GameCube or Wii model has its console state in `gx` and `extras`. Writers of
    those formats use the state as long as the visible values are those of the file. After a change
    of a visible value, the material is built from the values.
    """

    _array = "materials"

    extras: _MaterialExtras = _MaterialExtras(
        "extras", "JSON with other data of the source, or None. Setting it removes `gx`: J3D writers "
                  "then read the state from it.")

    @property
    def maps(self) -> Maps:
        """The textures, by purpose: maps["diffuse"] is that of the base color. See Maps."""
        return Maps(self)

    @property
    def gx(self) -> Optional[Array]:
        """State of the graphics chip, for a material from a GameCube or Wii; None for others. It is
        a structured array without dimensions and has the members of facet_gx_material, for example
        material.gx["cull_mode"]."""
        struct = self._struct()
        if not struct.gx:
            return None
        return self._owner.view(struct.gx, (), dtype_of(ffi.typeof("struct facet_gx_material")))

    @property
    def classic(self) -> Classic:
        """The material in the terms of MTL, FBX and COLLADA: a copy. Values that the source does
        not state are computed. Assign a changed copy to set base color, roughness and the other
        values of the material from it."""
        with self._owner.lock:
            made = Classic()
            lib.facet_material_get_classic(ffi.addressof(self._struct()), made._struct())
            return made

    @classic.setter
    def classic(self, value: Classic) -> None:
        with self._owner.lock, Call() as call:
            call.check(lib.facet_scene_set_classic(
                self._owner.scene, ffi.addressof(self._struct()), value._struct(), call.error))
            self._owner.changed()


# -- Images ----------------------------------------------------------------


class Image(Part, ImageFields):
    """An image: encoded bytes, pixels, or the name of a file."""

    _array = "images"

    @property
    def data(self) -> Optional[memoryview]:
        """A view of the encoded bytes (PNG, JPEG), or None."""
        with self._owner.lock:
            struct = self._struct()
            if not struct.data:
                return None
            return self._owner.view(struct.data, (struct.size,), np.uint8).data

    @property
    def pixels(self) -> Array:
        """(height, width, channels): uint8, or float32 for HDR images. The top row is first. A
        view; the image is decoded at first use. Assign other pixels to replace the image."""
        with self._owner.lock:
            struct = self._struct()
            if not struct.pixels:
                if not struct.data:
                    raise ValueError("the image has no bytes here"
                                     + (f"; it is the file {self.path}" if self.path else ""))
                call = Call()
                call.check(lib.facet_image_decode(self._owner.scene.arena, ffi.addressof(struct),
                                                  call.options, call.error))
            return self._owner.view(
                struct.pixels, (struct.height, struct.width, struct.channels),
                np.float32 if struct.is_float else np.uint8)

    @pixels.setter
    def pixels(self, value: Any) -> None:
        value = np.asarray(value)
        array = value.reshape(*value.shape[:2], -1) if value.ndim in (2, 3) and value.size else None
        if array is None or array.shape[2] > 4 or \
                not (array.dtype.kind == "f" or array.dtype == np.uint8):
            raise TypeError("pixels are (height, width) or (height, width, 1 to 4), of uint8 or "
                            f"floats, not {value.shape} of {value.dtype}")
        is_float = array.dtype.kind == "f"
        with self._owner.lock:
            image = self._struct()
            before = ffi.new("facet_image *", image)
            array = np.ascontiguousarray(array, np.float32 if is_float else np.uint8)
            try:
                image.pixels = self._owner.allocate(array, "void *")
                image.height, image.width, image.channels = array.shape
                image.is_float, image.smaller, image.smaller_count = is_float, ffi.NULL, 0
                image.data, image.size = ffi.NULL, 0
                image.media_type = self._owner.string("")
                if not is_float:  # formats that store images write them as PNG
                    self._set_data(self.encode())
                forget_files(self._owner.scene, self._index)
            except BaseException:
                ffi.memmove(ffi.addressof(image), before, ffi.sizeof(before[0]))
                raise
            self._owner.changed()

    def _set_data(self, data: Any) -> None:
        image, array = self._struct(), np.frombuffer(data, np.uint8)
        image.data = self._owner.allocate(array, "uint8_t *")
        image.size = len(array)
        image.media_type = self._owner.string(text(
            lib.facet_image_media_type(image.data, image.size)))

    def encode(self, media_type: str = "image/png", quality: int = 0) -> bytes:
        """Encode the pixels as "image/png", "image/jpeg" or "image/vnd.radiance". `quality` is 1 to
        100, for JPEG."""
        with self._owner.lock, Call() as call, Output(call, None) as output:
            keep = self.pixels
            call.check(lib.facet_image_encode(
                ffi.addressof(self._struct()), media_type.encode(), quality, call.options,
                output.output, call.error))
            output.commit()
            del keep
            return output.data()


# -- Nodes and skins -------------------------------------------------------


class _OfTransform(Vector):
    """A member of a node's transform."""

    def __get__(self, record: Any, owner: Any) -> Any:
        if record is None:
            return self
        struct = record._struct()
        if not struct.has_matrix:
            return self.read(getattr(struct.transform, self.member))
        matrix = record.matrix
        if self.member == "translation":
            return self.read(matrix[:3, 3].tolist())
        _, rotation, scale = decomposed(matrix)
        return self.read((rotation if self.member == "rotation" else scale).tolist())

    def array(self, record: Any) -> Any:
        struct = record._struct()
        if struct.has_matrix:
            raise ValueError("the node's place is a matrix; set that")
        return getattr(struct.transform, self.member)


class Node(Part, NodeFields):
    """A node of the scene, with a transform. `parent`, `mesh` and `skin` are indices, or None.

    If has_matrix is True, the transform is a matrix. Then translation, rotation and scale are
    computed from it and cannot be set; rotation and scale are a ValueError if the matrix has
    shear. Setting has_matrix to False sets them from the matrix.
    """

    _array = "nodes"

    translation: _OfTransform = _OfTransform("translation", "Position in the parent.")
    rotation: _OfTransform = _OfTransform("rotation", "Unit quaternion x y z w.")
    scale: _OfTransform = _OfTransform("scale", "Scale, applied first.")

    @property
    def children(self) -> List["Node"]:
        """The nodes whose parent is this node."""
        scene = self._owner.scene
        return [Node(self._owner, i) for i in range(scene.node_count)
                if scene.nodes[i].parent == self.index]

    @property  # type: ignore[override]
    def matrix(self) -> Array:
        """(4, 4): maps column vectors from the node to its parent: matrix @ [x, y, z, 1]."""
        struct = self._struct()
        if struct.has_matrix:
            return np.array(list(struct.matrix), np.float32).reshape(4, 4).T
        return matrix_of(struct.transform)

    @matrix.setter
    def matrix(self, value: Any) -> None:
        array = np.asarray(value, np.float32)
        if array.shape != (4, 4):
            raise ValueError(f"a matrix has the shape (4, 4), not {array.shape}")
        struct = self._struct()
        struct.matrix[0:16] = array.T.reshape(-1).tolist()
        struct.has_matrix = True
        self._owner.changed()

    def to_dict(self) -> Dict[str, Any]:
        """All plain members by name. If has_matrix is True, `matrix` is among them instead of
        translation, rotation and scale."""
        if not self.has_matrix:
            return super().to_dict()
        parts = ("translation", "rotation", "scale")
        return {**{name: getattr(self, name) for name in self._members() if name not in parts},
                "matrix": self.matrix.tolist()}

    @property
    def weights(self) -> Optional[Array]:
        """Weights of the mesh's morph targets, a view. None: the default weights of the mesh."""
        struct, scene = self._struct(), self._owner.scene
        if not struct.weights or struct.mesh >= scene.mesh_count:
            return None
        return self._owner.view(struct.weights, (scene.meshes[struct.mesh].morph_count,),
                                np.float32)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "has_matrix" and value:
            name, value = "matrix", self.matrix
        elif name == "has_matrix" and self.has_matrix:
            transform = self._struct().transform
            transform.translation, transform.rotation, transform.scale = (
                part.tolist() for part in decomposed(self.matrix))
        super().__setattr__(name, value)
        if name == "mesh":  # weights belong to the old mesh
            self._struct().weights = ffi.NULL


class Skin(Part, SkinFields):
    """A skin. The stream "joints" of a mesh has indices into its joints."""

    _array = "skins"

    @property
    def joints(self) -> Array:
        """Indices of the nodes that are joints: a view."""
        struct = self._struct()
        return self._owner.view(struct.joints, (struct.joint_count,), np.uint32)

    @property
    def inverse_bind(self) -> Array:
        """(n, 4, 4): maps column vectors from the mesh to each joint at rest."""
        struct = self._struct()
        if not struct.inverse_bind:
            return np.broadcast_to(np.eye(4, dtype=np.float32), (struct.joint_count, 4, 4))
        return matrices(self._owner.view(struct.inverse_bind, (struct.joint_count, 16),
                                         np.float32))


# -- Animations ------------------------------------------------------------


class Channel(ChannelFields):
    """One animated property of one node or material."""

    _owner: Memory

    def __init__(self, animation: "Animation", index: int) -> None:
        self._animation, self._index, self._owner = animation, index, animation._owner

    def _struct(self) -> Any:
        return self._animation._struct().channels[self._index]

    @property
    def times(self) -> Array:
        """Times in seconds, ascending: a view."""
        struct = self._struct()
        return self._owner.view(struct.times, (struct.key_count,), np.float32)

    @property
    def values(self) -> Array:
        """(keys, width): a view. Cubic channels have (keys, 3, width): in-tangent, value,
        out-tangent."""
        struct = self._struct()
        cubic = struct.interpolation == lib.FACET_INTERPOLATION_CUBIC
        shape = (struct.key_count, 3, struct.width) if cubic else (struct.key_count, struct.width)
        return self._owner.view(struct.values, shape, np.float32)

    def sample(self, time: float) -> Array:
        """The values at a time in seconds."""
        struct = self._struct()
        values = np.empty(struct.width, np.float32)
        lib.facet_channel_sample(ffi.addressof(struct), time,
                                 ffi.cast("float *", values.ctypes.data))
        return values


class Animation(Part, AnimationFields):
    """An animation: a list of channels."""

    _array = "animations"

    @property
    def duration(self) -> float:
        """Seconds from 0 to the last key."""
        return float(lib.facet_animation_duration(ffi.addressof(self._struct())))

    @property
    def channels(self) -> Records[Channel]:
        """The channels."""
        return Records(lambda: self.channel_count, lambda i: Channel(self, i))


class Camera(Part, CameraFields):
    """A camera at the origin of its node. It looks along -z; +y is up."""

    _array = "cameras"


class Light(Part, LightFields):
    """A light at the origin of its node. It shines along -z, unless it is a point light."""

    _array = "lights"


class Hull(Part, HullFields):
    """A convex collision hull."""

    _array = "hulls"

    @property
    def points(self) -> Array:
        """(n, 3): the points of the hull, a view."""
        struct = self._struct()
        return self._owner.view(struct.points, (struct.point_count, 3), np.float32)
