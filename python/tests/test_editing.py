"""Changes, copies, comparison and pickles of scenes and meshes; notebooks and other libraries."""

import copy
import io
import pickle
import sys
import types
import warnings

import numpy as np
import pytest

import facet
from facet import _state
from facet._facet import ffi, lib
from test_scene import VARIANTS

MODELS = ["gltf/CesiumMan.glb", "j3d/greenman_skinned.bdl", "obj/spider.obj", "bsm/test.bsm"]


def grid(side=2):
    """side x side unit squares in the xy plane, with one texture coordinate per face."""
    x, y = np.meshgrid(np.arange(side + 1.0), np.arange(side + 1.0))
    points = np.stack([x, y, 0 * x], -1).reshape(-1, 3)
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).reshape(-1)
    faces = np.stack([corner, corner + 1, corner + side + 2, corner + side + 1], -1)
    scene = facet.Scene()
    for name in ("red", "green"):
        scene.add_material(name)
    mesh = scene.add_mesh(points, faces, name="grid", materials=[0, 1, 1, 0] if side == 2 else 0,
                          normal=np.tile([0.0, 0, 1], (len(points), 1)))
    mesh.add_stream("texcoord", np.arange(2 * side * side).reshape(-1, 2), of="faces")
    return scene, mesh


# -- Console materials -----------------------------------------------------

def painted(path, change):
    """Change a BDL with one textured material, and write it without the original. Returns the
    material, its scene and the findings."""
    scene = facet.load(path)
    change(scene)
    report = scene.save(path.with_name("again.bdl"))
    again = facet.load(path.with_name("again.bdl"))
    return again.materials[0], again, report.findings


def set_new_image(scene):
    pixels = np.full((16, 16, 3), (255, 0, 0), np.uint8)
    scene.materials[0].maps["diffuse"].image = scene.add_image("red", pixels)


EDITS = {
    "color": (lambda scene: setattr(scene.materials[0], "base_color", (0, 0, 1, 1)),
              lambda material, scene: material.base_color == (0, 0, 1, 1)),
    "sides": (lambda scene: setattr(scene.materials[0], "double_sided", True),
              lambda material, scene: material.double_sided),
    "light": (lambda scene: setattr(scene.materials[0], "unlit", True),
              lambda material, scene: material.unlit),
    "alpha": (lambda scene: setattr(scene.materials[0], "alpha_mode", "blend"),
              lambda material, scene: material.gx["translucent"]),
    "image": (set_new_image,
              lambda material, scene: scene.images[material.maps["diffuse"].image].name == "red"),
    "transform": (lambda scene: setattr(scene.materials[0].maps["diffuse"], "scale", (4, 4)),
                  lambda material, scene: material.maps["diffuse"].scale == (4, 4)),
    "no texture": (lambda scene: scene.materials[0].maps.remove("diffuse"),
                   lambda material, scene: "diffuse" not in material.maps),
    "extras": (lambda scene: [setattr(scene.materials[0], "extras", None),
                              setattr(scene.materials[0], "base_color", (0, 1, 0, 1))],
               lambda material, scene: material.base_color == (0, 1, 0, 1)),
}


@pytest.fixture
def textured_bdl(tmp_path):
    scene = facet.Scene()
    pixels = np.tile(np.uint8([[0, 90], [180, 255]]), (8, 8))
    scene.add_material("skin").maps.set("diffuse", image=scene.add_image("checker", pixels))
    scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], name="face", materials=0,
                   normal=[[0.0, 0, 1]] * 3, texcoord=[[0.0, 0], [1, 0], [0, 1]])
    scene.save(tmp_path / "skin.bdl")
    return tmp_path / "skin.bdl"


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("through", ["", "glb"])
def test_edited_console_materials_are_written(textured_bdl, edit, through):
    path = textured_bdl
    if through:  # the state is then in the extras of the file
        path = textured_bdl.with_suffix(".glb")
        facet.convert(textured_bdl, path)
    change, is_there = EDITS[edit]
    material, scene, findings = painted(path, change)
    assert is_there(material, scene)
    if edit != "extras":
        assert [one.rule for one in findings].count("J3D-MATERIAL-EDITED") == 1


@pytest.mark.parametrize("through", ["", "glb"])
def test_other_console_materials_keep_their_state(textured_bdl, through):
    model = facet.load(textured_bdl)
    extras = model.materials[0].extras
    extras["j3d"]["material"]["fog"]["type"] = 2  # LINEAR; no value of the material shows it
    model.materials[0].extras = extras
    model.save(textured_bdl)
    path = textured_bdl
    if through:
        path = textured_bdl.with_suffix(".glb")
        facet.convert(textured_bdl, path)
    material, _, findings = painted(path, lambda scene: None)
    assert material.gx["fog"]["type"] == 2
    assert "J3D-MATERIAL-EDITED" not in [one.rule for one in findings]


# -- Faces -----------------------------------------------------------------

def test_deleted_faces_take_what_only_they_used():
    scene, mesh = grid()
    mesh.delete_faces(mesh.face_materials == 1)  # the other two share the vertex in the middle
    assert mesh.face_count == 2 and mesh.face_materials.tolist() == [0, 0]
    assert len(mesh.positions) == 7 and len(mesh.normals) == 7 and len(mesh.texcoords) == 2
    seen = mesh.positions[mesh.faces].mean(1).tolist()
    assert seen == [[0.5, 0.5, 0], [1.5, 1.5, 0]]
    assert mesh.streams["texcoord"].corners.tolist() == [[0, 1]] * 4 + [[6, 7]] * 4
    mesh.keep_faces([False, True])
    assert mesh.bounds().tolist() == [[1, 1, 0], [2, 2, 0]]
    scene.save_bytes("glb")


def test_deleted_faces_leave_runs_with_names():
    obj = b"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\no b\nf 2 3 1\no c\nf 3 1 2\nf 3 2 1\n"
    mesh = facet.load(obj, from_="obj").meshes[0]
    names = [part.name for part in mesh.parts]
    assert [part.face_count for part in mesh.parts] == [2, 1, 2]
    mesh.delete_faces([0, 2, -1])
    assert [(part.name, part.first_face, part.face_count) for part in mesh.parts] == \
        [(names[0], 0, 1), (names[2], 1, 1)]


def test_faces_are_replaced_by_any_others():
    scene, mesh = grid()
    with pytest.raises(ValueError, match="several indices"):
        mesh.faces = [[0, 1, 2]]
    mesh.remove_stream("texcoord")
    with pytest.warns(facet.FacetWarning, match="no materials"):
        mesh.faces = [[0, 1, 4], [0, 4, 3, 6]]
    assert mesh.face_sizes.tolist() == [3, 4] and mesh.face_materials is None
    assert [face.tolist() for face in mesh.faces] == [[0, 1, 4], [0, 4, 3, 6]]
    with pytest.raises(ValueError, match="there are 9"):
        mesh.faces = [[0, 1, 9]]
    assert facet.load(scene.save_bytes("binarymesh")).meshes[0].face_sizes.tolist() == [3, 4]
    for wrong in ([True], [4], "x", [0.5]):
        with pytest.raises((ValueError, IndexError, TypeError)):
            mesh.delete_faces(wrong)


def test_transforms_move_points_and_turn_faces_where_they_mirror():
    scene, mesh = grid(1)
    area = mesh.faces[0].tolist()
    mesh.transform([[2, 0, 0, 5], [0, 1, 0, 0], [0, 0, -1, 3], [0, 0, 0, 1]])
    assert mesh.bounds().tolist() == [[5, 0, 3], [7, 1, 3]]
    assert mesh.normals.tolist() == [[0, 0, -1]] * 4
    assert mesh.faces[0].tolist() == [area[0], area[3], area[2], area[1]]
    a, b, c = mesh.positions[mesh.faces[0][:3]]
    assert np.cross(b - a, c - a)[2] < 0  # same direction as the normals
    for wrong in (np.eye(3), np.zeros((4, 4)), np.diag([1, 1, 0, 1])):
        with pytest.raises(ValueError):
            mesh.transform(wrong)


def test_refused_transform_changes_nothing():
    scene, mesh = grid(1)
    mesh.add_stream("morph_normal", np.zeros((4, 3)))
    before = mesh.bounds().tolist()
    with pytest.raises(ValueError, match="morph"):
        mesh.transform(np.diag([2, 2, 2, 1]))
    assert mesh.bounds().tolist() == before


def test_simplify_and_hulls(corpus):
    scene = facet.load(corpus / "obj/spider.obj")
    scene.prepare()
    mesh = max(scene.meshes, key=lambda one: one.face_count)
    before = mesh.face_count
    assert mesh.simplify(0.5) and mesh.face_count <= before / 2 * 1.1
    hulls = scene.add_hulls(1, max_vertices=16)
    assert len(hulls) == len(scene.hulls) > 0 and all(len(one.points) <= 16 for one in hulls)


def test_prepare_reduces_as_convert_does(corpus, tmp_path):
    for options in ({"simplify": 0.5}, {"max_vertices": 300}, {"simplify": 0.1, "simplify_error": 0.01}):
        scene = facet.load(corpus / "obj/spider.obj")
        scene.prepare("bsm", **options)
        scene.save(tmp_path / "ours.bsm")
        facet.convert(corpus / "obj/spider.obj", tmp_path / "theirs.bsm", **options)
        ours, theirs = (facet.load(tmp_path / name).meshes[0] for name in ("ours.bsm", "theirs.bsm"))
        assert ours.face_count == theirs.face_count


def test_points_and_lines_of_arrays():
    corners = np.arange(12.0).reshape(4, 3)
    scene = facet.Scene()
    cloud = scene.add_mesh(corners, np.empty((0, 3), int), color=np.eye(4)[:, :3])
    assert cloud.points.tolist() == [0, 1, 2, 3] and cloud.face_count == 0
    wires = facet.Scene()
    wires.add_mesh(corners, lines=[[0, 1], [2, 3]])
    for to in ("glb", "ply", "obj"):
        back = [facet.load(one.save_bytes(to), from_=to).meshes[0] for one in (scene, wires)]
        assert [(len(mesh.points), len(mesh.lines)) for mesh in back] == [(4, 0), (0, 2)], to
    assert "LOSS-POINTS" in [one.rule for one in scene.save(io.BytesIO(), to="stl").warnings]
    cloud.points = []
    assert len(cloud.points) == 0
    for wrong in ([[0, 4]], [0, 1, 2]):
        with pytest.raises(ValueError):
            cloud.lines = wrong
    with pytest.raises(ValueError):
        cloud.points = [4]


def test_lines_and_points_have_materials():
    corners = np.arange(12.0).reshape(4, 3)
    scene = facet.Scene()
    red, blue = scene.add_material("red"), scene.add_material("blue")
    mesh = scene.add_mesh(corners, lines=[[0, 1], [2, 3]], points=[1], materials=red)
    assert mesh.line_materials.tolist() == [0, 0] and mesh.point_materials.tolist() == [0]
    mesh.line_materials = ["blue", None]
    for to in ("glb", "obj"):
        back = facet.load(scene.save_bytes(to), from_=to)
        names = {"" if one == 2**32 - 1 else back.materials[one].name
                 for one in back.meshes[0].line_materials}
        assert names == {"blue", ""}, to
    with pytest.raises(ValueError, match=r"line_materials has the shape \(3,\), and the mesh 2 line"):
        mesh.line_materials = [0, 1, 0]
    with pytest.raises(ValueError):
        mesh.point_materials = [2]
        scene.check()
    mesh.point_materials = blue
    scene.remove_materials("red")
    assert mesh.line_materials.tolist() == [0, 2**32 - 1] and mesh.point_materials.tolist() == [0]
    with pytest.warns(UserWarning, match="the new lines have no materials"):
        mesh.lines = [[0, 1]]
    mesh.points = [0, 3]
    assert mesh.line_materials is None and mesh.point_materials.tolist() == [0, 0]
    one = facet.Scene()
    one.add_scene(scene)
    one.add_scene(scene)
    assert one.meshes[1].point_materials.tolist() == [1, 1]


# -- Streams ---------------------------------------------------------------

def test_streams_are_replaced():
    scene, mesh = grid()
    mesh.positions  # this view exists until the end
    old = mesh.positions
    mesh.set_stream("position", old * 2)
    assert mesh.bounds()[1].tolist() == [4, 4, 0] and old.max() == 2
    with pytest.raises(ValueError, match="9 elements, not 8"):
        mesh.set_stream("normal", np.ones((8, 3)))
    mesh.set_stream("normal", [[0, 0, -1.0]], np.zeros(16, int))
    assert mesh.streams["normal"].corners.tolist() == [[0, 0, -1]] * 16
    with pytest.raises(ValueError, match="set_stream"):
        mesh.remove_stream("position")
    scene.save_bytes("glb")


def test_rows_are_told_apart_by_what_they_are_of():
    _, mesh = grid()
    mesh.add_stream("id", np.arange(4), of="faces")
    mesh.add_stream("number", np.arange(16), of="corners")
    assert mesh.streams["id"].corners[:, 0].tolist() == np.repeat(np.arange(4), 4).tolist()
    assert mesh.streams["number"].corners[:, 0].tolist() == list(range(16))
    for values, of in ((np.arange(16), "positions"), (np.arange(9), "faces"), (np.arange(4), "x")):
        with pytest.raises(ValueError):
            mesh.add_stream("other", values, of=of)


def test_types_of_python_are_taken():
    _, mesh = grid()
    mesh.add_stream("whole", np.arange(9, dtype=np.int64) - 4)
    mesh.add_stream("flag", np.arange(9) % 2 == 0)
    assert mesh.stream("whole").dtype == np.int32 and mesh.stream("whole")[0, 0] == -4
    assert mesh.stream("flag").dtype == np.uint8 and mesh.stream("flag").ravel().tolist()[:2] == [1, 0]
    with pytest.raises(ValueError, match="32 bits"):
        mesh.add_stream("big", np.full(9, 2**40))
    mesh.add_stream("colors", np.full((9, 3), 65535, np.uint16))  # name of the property
    assert mesh.colors.tolist() == [[1, 1, 1]] * 9 and "color" in mesh.streams
    with pytest.raises(TypeError):
        mesh.add_stream("text", np.full(9, "x"))


# -- Scenes ----------------------------------------------------------------

def test_meshes_are_removed_with_their_uses():
    scene = facet.Scene()
    meshes = [scene.add_mesh([[i, 0, 0], [1, 0, 0], [0, 1, 0]], name=str(i)) for i in range(4)]
    for mesh in meshes:
        scene.add_node(mesh.name, mesh=mesh)
    scene.remove_meshes([True, False, True, False])
    assert [mesh.name for mesh in scene.meshes] == ["1", "3"]
    assert [node.mesh for node in scene.nodes] == [None, 0, None, 1]
    scene.remove_meshes(-1)
    assert [mesh.name for mesh in scene.meshes] == ["1"]
    assert scene.add_mesh([[9, 0, 0], [1, 0, 0], [0, 1, 0]], name="new").name == "new"
    assert [mesh.name for mesh in facet.load(scene.save_bytes("glb")).meshes] == ["1", "new"]
    with pytest.raises(IndexError):
        scene.remove_meshes(7)


def test_materials_are_removed_and_merged():
    scene, mesh = grid()
    scene.add_material("blue")
    mesh.face_materials = [0, 1, 2, 1]
    scene.remove_materials(1, instead=scene.materials["blue"])
    assert [one.name for one in scene.materials] == ["red", "blue"]
    assert mesh.face_materials.tolist() == [0, 1, 1, 1]
    scene.remove_materials([0])
    assert mesh.face_materials.tolist() == [2**32 - 1, 0, 0, 0]
    with pytest.raises(ValueError):
        scene.remove_materials(0, instead=0)
    scene.add_material("red", roughness=0.5)
    scene.add_material("red")
    scene.add_material("red")
    mesh.face_materials = [3, 2, 1, 0]
    assert scene.merge_materials() == 1 and mesh.face_materials.tolist() == [2, 2, 1, 0]


def test_animations_of_removed_materials_go(corpus):
    scene, mesh = grid()
    node = scene.add_node("n", mesh=mesh)
    scene.add_animation("a", [(node, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])])
    scene.remove_materials([0, 1])
    assert len(scene.animations[0].channels) == 1
    scene.save_bytes("glb")


# -- Copies ----------------------------------------------------------------

@pytest.mark.parametrize("name", MODELS)
def test_copies_and_pickles_are_equal_and_apart(corpus, name):
    scene = facet.load(corpus / name)
    scene.add_material("last", extras={"a": 1}).maps.set("diffuse", "x.png")
    for other in (copy.copy(scene), copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
        assert other == scene and other.meshes[0] == scene.meshes[0]
        assert other.save_bytes("glb") == scene.save_bytes("glb")
        assert other.meshes[0].is_welded == scene.meshes[0].is_welded
        other.materials[-1].roughness = 0.25
        assert other != scene and scene.materials[-1].roughness == 1
        other.close()
    scene.save_bytes("glb")
    assert scene != 7 and scene.meshes[0] != "mesh"


def test_variants_are_copied_and_pickled():
    scene = facet.load(VARIANTS)
    for other in (copy.copy(scene), pickle.loads(pickle.dumps(scene))):
        assert other == scene and other.variants == ["day", "night"]
        other.choose_variant("night")
        assert other.meshes[0].face_materials.tolist() == [1] and other != scene


def test_variants_follow_materials_that_move():
    """Faces have material 1 ("night": 2), because a material is inserted first. It is removed."""
    scene = facet.load(VARIANTS.replace(b'"materials": [', b'"materials": [{"name": "first"}, ').replace(
        b'"material": 0', b'"material": 1').replace(b'"material": 1, "variants"', b'"material": 2, "variants"'))
    scene.remove_materials(0)
    assert facet.load(scene.save_bytes("glb")).variants == ["day", "night"]
    scene.choose_variant("night")
    assert scene.materials[scene.meshes[0].face_materials[0]].name == "black"


def test_variant_without_its_material_shows_the_usual_one():
    scene = facet.load(VARIANTS)
    scene.remove_materials(1)
    scene.choose_variant("night")
    assert scene.meshes[0].face_materials.tolist() == [0] and scene.material_count == 1


def test_equality_is_by_content():
    (one, a), (other, b) = grid(), grid()
    assert one == other and a == b
    b.stream("texcoord", writable=True)[0, 0] += 1
    assert one != other and a != b
    with pytest.raises(TypeError):
        hash(one)


def test_every_pointer_of_a_scene_is_known_to_pickles():
    """Every pointer of a struct, also a new one, must be in a table."""
    seen, waiting = set(), [ffi.typeof("facet_scene")]
    while waiting:
        kind = waiting.pop()
        if kind.cname in seen:
            continue
        seen.add(kind.cname)
        for name, field in kind.fields:
            type_ = field.type
            while type_.kind in ("array", "pointer"):
                type_ = type_.item
            if name in _state._OWN or type_.kind not in ("struct", "primitive", "void"):
                continue
            key = (kind.cname.replace("struct ", ""), name)
            if field.type.kind == "pointer" and field.type.item.cname != "char":
                assert key in _state.COUNTS or key in _state.UNTYPED, key
            if type_.kind == "struct" and "gx_material" not in type_.cname:
                waiting.append(type_)
    assert len(seen) > 15


# -- Notebooks -------------------------------------------------------------

def test_notebooks_show_a_picture_and_counts():
    scene, mesh = grid()
    for one in (scene, mesh):
        assert one._repr_png_()[:4] == b"\x89PNG"
        shown = one._repr_html_()
        assert "<img" in shown and "<td>4</td>" in shown
    scene.name = "<script>"
    assert "<script>" not in scene._repr_html_()
    assert facet.Scene()._repr_png_() is None and "<img" not in facet.Scene()._repr_html_()


# -- Other libraries: stand-ins with the members that their documentation names ----


@pytest.fixture
def trimesh(monkeypatch):
    module = types.ModuleType("trimesh")

    class Trimesh:
        def __init__(self, **values):
            self.values, self.metadata = values, {}
            self.vertices, self.faces, self._cache = values["vertices"], values["faces"], {}
            self.visual = values.get("visual")

    class TextureVisuals:
        kind = "texture"

        def __init__(self, uv):
            self.uv = uv
    module.Trimesh = Trimesh
    module.visual = types.SimpleNamespace(TextureVisuals=TextureVisuals)
    monkeypatch.setitem(sys.modules, "trimesh", module)
    return module


def test_trimesh_there_and_back(trimesh, model):
    scene = facet.load(model)
    scene.prepare()
    mesh = scene.meshes[0]
    given = mesh.to_trimesh()
    assert given.values["process"] is False and given.metadata["name"] == mesh.name
    assert given.vertices.flags.writeable and given.faces.dtype == np.int64
    back = facet.Scene().add_trimesh(given)
    assert back.name == mesh.name and back.triangles.tolist() == mesh.triangles.tolist()
    assert back.positions.tolist() == mesh.positions.tolist()
    assert back.texcoords.tolist() == mesh.texcoords.tolist()


def test_colors_of_trimesh_are_srgb(trimesh):
    """sRGB 188 is 0.5029 linear: ((188 / 255 + 0.055) / 1.055) ** 2.4."""
    given = trimesh.Trimesh(vertices=np.eye(3), faces=np.array([[0, 1, 2]]))
    given.visual = types.SimpleNamespace(kind="vertex", vertex_colors=np.full((3, 4), 188, np.uint8))
    mesh = facet.Scene().add_trimesh(given)
    assert mesh.colors[0].tolist() == pytest.approx([0.5029] * 3 + [188 / 255], abs=1e-4)
    assert mesh.to_trimesh().values["vertex_colors"].tolist() == [[188] * 4] * 3


def test_meshio_has_faces_by_their_corners(monkeypatch):
    module = types.ModuleType("meshio")
    module.Mesh = lambda points, cells, point_data, cell_data: types.SimpleNamespace(
        points=points, cells=cells, point_data=point_data, cell_data=cell_data)
    monkeypatch.setitem(sys.modules, "meshio", module)
    scene = facet.Scene()
    scene.add_material("m")
    corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0]]
    mesh = scene.add_mesh(corners, [[0, 1, 2, 3], [1, 4, 2]], materials=[0, -1], heat=np.arange(5.0))
    found = mesh.to_meshio()
    assert [(name, cells.tolist()) for name, cells in found.cells] == \
        [("triangle", [[1, 4, 2]]), ("quad", [[0, 1, 2, 3]])]
    assert [one.tolist() for one in found.cell_data["material"]] == [[-1], [0]]
    assert found.point_data["heat"].ravel().tolist() == [0, 1, 2, 3, 4]


# -- What stays when something is replaced -----------------------------------

def test_other_faces_keep_a_material_that_all_faces_had():
    scene, mesh = grid(1)
    mesh.remove_stream("texcoord")
    mesh.face_materials, mesh.face_smoothing = 1, 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mesh.faces = [[0, 1, 3], [0, 3, 2], [1, 3, 2]]
    assert mesh.face_materials.tolist() == [1] * 3 and mesh.face_smoothing.tolist() == [3] * 3
    mesh.face_materials, mesh.face_smoothing = [0, 1, 1], [0, 0, 0]
    with pytest.warns(facet.FacetWarning, match="no materials") as found:
        mesh.faces = [[0, 1, 3]]
    assert found[0].filename == __file__ and len(found) == 1
    assert mesh.face_materials is None and mesh.face_smoothing.tolist() == [0]
    scene.check()


def test_other_faces_keep_a_part_of_all_faces():
    obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\no a\nf 1 2 3\nf 1 3 2\n"
    mesh = facet.load(obj, from_="obj").meshes[0]
    mesh.faces = [[0, 1, 2]]
    assert [(part.name, part.first_face, part.face_count) for part in mesh.parts] == [("a", 0, 1)]
    mesh = facet.load(obj + b"o b\nf 2 3 1\n", from_="obj").meshes[0]
    assert len(mesh.parts) == 2
    with pytest.warns(facet.FacetWarning, match="no parts"):
        mesh.faces = [[0, 1, 2]]
    assert len(mesh.parts) == 0


def morphing():
    """Two nodes with one mesh each, whose weights and positions are animated."""
    scene = facet.load(facet.Scene().save_bytes("glb"))
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    for name in ("a", "b"):
        mesh = scene.add_mesh(corners, [[0, 1, 2]], name=name)
        with scene._owner.lock:
            struct, morph = mesh._struct(), ffi.new("facet_morph *", {"name": ffi.NULL, "weight": 0})
            morph.name = scene._owner.string("up")
            struct.morphs = ffi.cast("facet_morph *", lib.facet_scene_allocate(
                scene._struct(), 1, ffi.sizeof("facet_morph")))
            struct.morphs[0], struct.morph_count = morph[0], 1
        mesh.add_stream("morph_position", [[0, 0, 1]] * 3)
        scene.add_node(name, mesh=mesh)
    scene.add_animation("wave", [(node, target, [0, 1], values) for node in (0, 1) for target, values in (
        ("weights", [[0], [1]]), ("translation", [[0, 0, 0], [1, 2, 3]]))])
    scene.check()
    return scene


def test_a_removed_mesh_takes_its_animated_weights_along():
    scene = morphing()
    scene.remove_meshes(0)
    scene.check()
    assert [(one.node, one.target) for one in scene.animations[0].channels] == [
        (0, "translation"), (1, "weights"), (1, "translation")]
    assert scene.nodes[1].mesh == 0 and scene.meshes[0].name == "b"
    read = facet.load(scene.save_bytes("glb"))
    assert sorted((one.node, one.target) for one in read.animations[0].channels) == [
        (0, "translation"), (1, "translation"), (1, "weights")]


def test_a_joint_beyond_the_skin_is_not_saved():
    scene = facet.Scene()
    joints = [scene.add_node(name) for name in ("a", "b")]
    mesh = scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]],
                          joints=[[5, 0, 0, 0]] * 3, weights=[[1, 0, 0, 0]] * 3)
    scene.add_node("body", mesh=mesh, skin=scene.add_skin(joints))
    for to in ("glb", "bpx", "fbx", "dae", "iqm", "bmd"):
        with pytest.raises(facet.ArgumentError, match="mesh 0 uses joint 5, and skin 0 of node 2 has 2 joints"):
            scene.save_bytes(to)
    mesh.set_stream("joints", [[1, 9, 9, 9]] * 3)  # the others have no weight
    scene.check()


# -- Matrices of nodes -------------------------------------------------------

def turned(degrees):
    """A turn around z."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


@pytest.mark.parametrize("degrees", [0, 30, 90, 135, 180, 270])
@pytest.mark.parametrize("order", ["xyz", "zxy", "yzx"])
@pytest.mark.parametrize("scale", [(1, 1, 1), (2, 3, 4), (-2, 3, 4)])
def test_a_matrix_gives_translation_rotation_and_scale(degrees, order, scale):
    scene = facet.Scene()
    node = scene.add_node("a")
    turn = turned(degrees)[["xyz".index(one) for one in order]][:, ["xyz".index(one) for one in order]]
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn * scale, (5, 6, 7)
    node.matrix = matrix
    assert node.translation == (5, 6, 7)
    assert sorted(np.abs(node.scale)) == pytest.approx(sorted(np.abs(scale)))
    assert np.linalg.norm(node.rotation) == pytest.approx(1)
    assert node.to_dict()["matrix"] == node.matrix.tolist() and "scale" not in node.to_dict()
    read = node.translation + node.rotation + node.scale
    node.has_matrix = False
    assert node.translation + node.rotation + node.scale == pytest.approx(read) and not node.has_matrix
    assert np.allclose(node.matrix, matrix, atol=1e-5)  # of the transform: the product is the same
    node.translation = (1, 2, 3)
    assert node.to_dict()["translation"] == (1, 2, 3)


def test_half_a_turn_about_a_diagonal():
    """The matrix is symmetric, so w is 0: x = y = sin(90 degrees) / sqrt(2)."""
    node = facet.Scene().add_node("a")
    node.matrix = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]]
    assert node.rotation == pytest.approx((0.5 ** 0.5, 0.5 ** 0.5, 0, 0)) and node.scale == (1, 1, 1)


def test_a_matrix_with_shear_has_no_rotation():
    scene = facet.Scene()
    node = scene.add_node("a")
    node.matrix = [[1, 0.5, 0, 9], [0, 1, 0, 8], [0, 0, 1, 7], [0, 0, 0, 1]]
    assert node.translation == (9, 8, 7)
    for read in (lambda: node.rotation, lambda: node.scale, lambda: setattr(node, "has_matrix", False)):
        with pytest.raises(ValueError, match="shear"):
            read()
    assert node.has_matrix and node.to_dict()["matrix"][0] == [1, 0.5, 0, 9]
    node.matrix = np.diag([1, 0, 1, 1])
    with pytest.raises(ValueError, match="maps an axis to a point"):
        node.rotation


# -- Values of materials -------------------------------------------------------

@pytest.mark.parametrize("to", ["glb", "fbx", "dae", "bmd"])
@pytest.mark.parametrize("values", [{"metallic": -1.0}, {"base_color": (2, 0, 0, -1)},
                                    {"emissive": (-1, -1, -1)}, {"emissive_strength": -2.0}])
def test_values_outside_their_range_are_reported_once(to, values):
    found = []
    for given in ({}, values):
        scene = facet.Scene()
        for name in ("a", "b"):
            scene.add_material(name, **given)
        scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 1]], materials=[0, 1])
        found.append([one.count for one in scene.save(io.BytesIO(), to=to).findings
                      if "outside the ranges of glTF" in one.message])
    assert found == [[], [2]]
