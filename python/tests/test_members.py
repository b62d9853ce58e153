"""Members of records: a value that is set is written, read back or reported. Members that nothing
reads cannot be set."""

import numpy as np
import pytest

import facet
from facet.record import Count, Extras, Flag, Index, Number, OptionalText, Text, Vector, Whole, Word, words

FORMATS = ["bsm", "binarymesh", "bpx", "bga", "bmd", "bdl", "obj", "gltf", "glb", "ply", "stl", "fbx",
           "dae"]


def scene_of_all():
    """A scene with one record of each kind, all of them in use."""
    scene = facet.Scene()
    image = scene.add_image("picture", np.arange(64, dtype=np.uint8).reshape(4, 4, 4))
    material = scene.add_material("paint")
    material.maps.set("diffuse", image=image)
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    mesh = scene.add_mesh(corners, [[0, 1, 2], [0, 2, 3]], name="square", materials=0,
                          texcoord=corners[:, :2], normal=np.tile([0.0, 0, 1], (4, 1)))
    scene.add_node("stand", mesh=mesh)
    scene.add_camera("eye", field_of_view=1, near_distance=0.5, far_distance=9)
    scene.add_light("lamp", kind="spot", outer_cone_angle=0.5)
    scene.add_node("post").camera = 0
    scene.nodes[1].light = 0
    return scene


RECORDS = {
    "material": lambda scene: scene.materials[0], "mesh": lambda scene: scene.meshes[0],
    "texture": lambda scene: scene.materials[0].maps["diffuse"],
    "node": lambda scene: next(node for node in scene.nodes if node.mesh is not None), "camera": lambda scene: scene.cameras[0],
    "light": lambda scene: scene.lights[0], "image": lambda scene: scene.images[0],
    "scene": lambda scene: scene,
}
# Values for members where other() does not return a valid value.
VALUES = {
    ("texture", "path"): None, ("texture", "image"): None,
    ("texture", "uv_set"): 0, ("node", "parent"): 1, ("node", "skin"): None,
    ("node", "matrix"): np.array([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]),
    ("node", "rotation"): (0, 0, 0.6, 0.8), ("node", "camera"): 0, ("node", "light"): 0,
    ("node", "has_matrix"): True, ("image", "media_type"): "image/png", ("image", "path"): None,
    ("material", "base_color"): (0.25, 0.5, 0.75, 1), ("light", "kind"): "point", ("light", "outer_cone_angle"): 0.75,
    ("texture", "magnify"): "nearest", ("texture", "minify"): "nearest",
    ("material", "ior"): 1.25, ("material", "iridescence_ior"): 1.5,
    ("scene", "asset"): {"copyright": "A"},
    **{(kind, "extensions"): {"VENDOR_words": {"key": [1, "two"]}}
       for kind in ("material", "mesh", "node", "scene", "camera", "light", "image", "texture")},
}
# Rules for formats that cannot store a kind.
ABOUT = {
    "material": {"LOSS-MATERIALS", "LOSS-MATERIALS", "LOSS-MATERIALS"},
    "texture": {"LOSS-MATERIALS", "LOSS-MATERIALS", "LOSS-IMAGES"},
    "image": {"LOSS-IMAGES"}, "mesh": {"LOSS-NAMES"}, "scene": set(),
    "node": {"SCENE-FLATTENED", "LOSS-NODES"}, "camera": {"LOSS-CAMERA"}, "light": {"LOSS-CAMERA"},
}
# Members that only qualify another member, or do not apply to the map of the test.
NO_CONTENT = {("material", "sides_unknown"), ("material", "alpha_cutoff"), ("texture", "strength"),
              ("texture", "has_transform"), ("node", "has_matrix"), ("node", "mesh"),
              ("camera", "width"), ("camera", "height"), ("image", "media_type"),
              ("scene", "generator"), ("scene", "name"), ("material", "emissive_strength")}
# Members that a format stores differently. J3D: texture coordinates are turned, a mesh is below the
# joint of its node, and extras are kept separately. MTL: the opacity decides the blend mode.
OTHERWISE = {
    "bmd": {"texture.rotation", "node.name", "node.translation", "node.rotation", "image.extras",
            "scene.extras"},
    "obj": {"material.alpha_mode", "image.name"}, "dae": {"image.name"}, "fbx": {"image.name"},
}
OTHERWISE["bdl"] = OTHERWISE["bmd"]


def other(record, name, field):
    """A valid value that differs from the current one."""
    value = getattr(record, name)
    if isinstance(field, Flag):
        return not value
    if isinstance(field, Word):
        return next(word for word in words(field.kind).values() if word != value)
    if isinstance(field, (Text, OptionalText)):
        return "other"
    if isinstance(field, Extras):
        return {"key": [1, "two"]}
    if isinstance(field, Vector):
        return tuple(0.25 + 0.125 * i for i in range(len(value)))
    return 0.5 if isinstance(field, Number) and value != 0.5 else 0.75


def members():
    scene = scene_of_all()
    for kind, of in RECORDS.items():
        record = of(scene)
        for name in record._members():
            field = getattr(type(record), name)
            if isinstance(field, Count) or getattr(field, "fixed", False) or \
                    (kind, name) in NO_CONTENT:
                continue
            value = VALUES[kind, name] if (kind, name) in VALUES else other(record, name, field)
            yield kind, name, value


def same(a, b):
    if a is None or b is None:
        return a is b
    if isinstance(a, (tuple, float, np.ndarray)):
        return np.shape(a) == np.shape(b) and np.allclose(a, b, atol=1 / 250)
    return a == b


def written(scene, format_):
    """(scene read back, findings)."""
    main = "a." + format_
    try:
        report, files = scene._write(facet._call.format_named(format_), None, None, main, {}, {})
    except facet.FacetError as error:
        return facet.Scene(), {(error.rule, error.message)}
    loaded = facet.load(files[main], name=main, siblings=files)
    loaded.set_axes(up="y", left_handed=False, uv_origin_top=False)
    return loaded, {(one.rule, one.message) for one in report.findings}


def value_of(scene, kind, name):
    try:
        return getattr(RECORDS[kind](scene), name)
    except (IndexError, KeyError, StopIteration):
        return None


@pytest.mark.parametrize("format_", FORMATS)
def test_what_is_set_is_read_back_or_reported(format_):
    plain, reported = written(scene_of_all(), format_)
    silent = []
    for kind, name, value in members():
        scene = scene_of_all()
        setattr(RECORDS[kind](scene), name, value)
        loaded, found = written(scene, format_)
        if not same(value, value_of(loaded, kind, name)) and found <= reported and \
                not {rule for rule, _ in found} & ABOUT[kind]:
            silent.append(f"{kind}.{name}")
    assert set(silent) <= OTHERWISE.get(format_, set())


def test_unknown_members_are_refused_by_every_record():
    scene = scene_of_all()
    for kind, of in RECORDS.items():
        record = of(scene)
        for name in ("rougness", "triangulate", "index", "_members"):
            if name.startswith("_"):
                continue
            with pytest.raises(AttributeError):
                setattr(record, name, 1)
    with pytest.raises(AttributeError, match="did you mean 'roughness'"):
        scene.materials[0].rougness = 1
    with pytest.raises(AttributeError):
        scene.meshes[0].streams["position"].offset = 1
    with pytest.raises(ValueError, match="3 numbers, not 4"):
        scene.nodes[0].translation = (1, 2, 3, 4)


def test_records_stand_for_their_numbers():
    scene = scene_of_all()
    child = scene.add_node("child")
    child.parent, child.mesh, child.camera = scene.nodes[1], scene.meshes[0], scene.cameras[0]
    assert (child.parent, child.mesh, child.camera) == (1, 0, 0)
    material = scene.materials[0]
    material.maps.set("normal", image=scene.images[0])
    assert material.maps["normal"].image == 0
    material.maps.remove("normal")
    assert list(material.maps) == ["diffuse"]


def test_refused_additions_leave_nothing():
    scene = facet.Scene()
    for values in ({"rougness": 1}, {"base_color": (1, 2)}, {"alpha_mode": "glass"}):
        with pytest.raises((TypeError, ValueError)):
            scene.add_material("x", **values)
    assert len(scene.materials) == 0
