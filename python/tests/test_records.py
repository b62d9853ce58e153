"""References between records, as objects, indices or names; pairs of values and indices; pixels."""

import base64
import io
import json
import os

import numpy as np
import pytest

import facet


def test_materials_of_faces_are_records_or_indices():
    scene = facet.Scene()
    red, green = scene.add_material("red"), scene.add_material("green")
    points, faces = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 3, 2]]
    mesh = scene.add_mesh(points, faces, materials=green)
    assert mesh.face_materials.tolist() == [1, 1]
    mesh.face_materials = [None, red]
    assert mesh.face_materials.tolist() == [2**32 - 1, 0]
    assert scene.add_mesh(points, faces, materials=[green, 0]).face_materials.tolist() == [1, 0]
    scene.remove_materials([red], instead=green)
    assert mesh.face_materials.tolist() == [2**32 - 1, 0] and scene.materials[0].name == "green"


def test_streams_are_replaced_by_pairs_as_they_are_added():
    scene = facet.Scene()
    mesh = scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 3, 2]])
    for _ in range(2):  # added, then replaced
        mesh.set_stream("normal", ([[0, 0, 1], [0, 1, 0]], [0, 0, 0, 1, 1, 1]))
        assert mesh.streams["normal"].corners.reshape(-1, 3)[:, 1].tolist() == [0, 0, 0, 1, 1, 1]


def test_axes_show_their_values():
    assert repr(facet.Scene().axes) == "<Axes up='y', left_handed=False, unit=0.0, uv_origin_top=False>"


def test_nodes_are_given_by_name():
    scene = facet.Scene()
    mesh = scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]],
                          joints=np.zeros((3, 4), np.uint16), weights=[[1, 0, 0, 0]] * 3)
    scene.add_node("hip")
    skin = scene.add_skin(["hip"])
    body = scene.add_node("body", parent="hip", mesh=mesh, skin=skin)
    assert body.parent == 0
    scene.add_animation("rise", [("hip", "translation", [0, 1], [[0, 0, 0], [0, 2, 0]])])
    assert scene.posed_positions("body", "rise", 1)[:, 1].tolist() == [2, 2, 3]
    for call in (lambda: scene.posed_positions("bodi"), lambda: scene.add_skin(["hop"]),
                 lambda: scene.add_animation("x", [("hop", "scale", [0], [[1, 1, 1]])])):
        with pytest.raises(KeyError, match="'hip', 'body'"):
            call()


def test_numbers_of_vectors_are_named():
    with pytest.raises(TypeError, match="scale has 3 numbers, not only 2"):
        facet.Scene().add_node("a").scale = 2


@pytest.mark.parametrize("like", [False, True])
def test_pixels_of_an_image_are_replaced(corpus, tmp_path, like):
    """The texture is I8: gray without loss, and alpha is the intensity."""
    model = corpus / "j3d/fish_static.bmd"
    scene = facet.load(model)
    pixels = scene.images[0].pixels.copy()
    pixels[...] = 255 - pixels[..., :1]
    scene.images[0].pixels = pixels
    assert (scene.images[0].pixels == pixels).all()
    scene.save(tmp_path / "a.bmd", **({"like": model} if like else {}))
    found = facet.load(tmp_path / "a.bmd").images[0]
    assert found.name == "checker" and (found.pixels == pixels).all()
    scene.images[0].pixels = np.full((4, 2), 0.5, np.float32)
    assert scene.images[0].is_float and scene.images[0].pixels.shape == (4, 2, 1)
    for wrong in (np.zeros(3), np.zeros((2, 2, 5), np.uint8), "x.png", np.zeros((2, 2, 3), int)):
        with pytest.raises(TypeError, match=r"pixels are \(height, width\)"):
            scene.images[0].pixels = wrong


def test_new_pixels_replace_a_file(tmp_path):
    """The OBJ names a picture with the new pixels, not the file of the old ones."""
    old = np.zeros((1, 1, 3), np.uint8)
    (tmp_path / "old.png").write_bytes(facet.Scene().add_image("old", old).encode())
    corners = base64.b64encode(np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]]).tobytes()).decode()
    (tmp_path / "a.gltf").write_text(json.dumps({
        "asset": {"version": "2.0"}, "images": [{"uri": "old.png"}], "textures": [{"source": 0}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "buffers": [{"byteLength": 36, "uri": "data:;base64," + corners}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                       "min": [0, 0, 0], "max": [1, 1, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
        "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0}))
    scene = facet.load(tmp_path / "a.gltf")
    scene.images[0].pixels = old + 200
    (tmp_path / "new").mkdir()
    scene.save(tmp_path / "new/b.obj")
    name = facet.load(tmp_path / "new/b.obj").materials[0].maps["diffuse"].path
    pixels = facet.Scene().add_image("new", (tmp_path / "new" / name).read_bytes()).pixels
    assert pixels.tolist() == [[[200, 200, 200]]]


def test_two_rows_are_no_pair_of_values_and_indices():
    scene = facet.Scene()
    mesh = scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 3, 2]])
    mesh.add_stream("normal", ([0, 0, 1], [0, 1, 0]), of="faces")
    assert mesh.streams["normal"].corners.reshape(-1, 3)[:, 1].tolist() == [0, 0, 0, 1, 1, 1]


def test_records_of_another_scene_are_refused():
    one, other = facet.Scene(), facet.Scene()
    node = other.add_node("n")
    one.add_node("own")
    for call in (lambda: one.add_skin([node]), lambda: setattr(one.nodes[0], "parent", node)):
        with pytest.raises(ValueError, match="of another scene"):
            call()


def test_values_of_an_empty_model_differ_from_others(tmp_path):
    """One has no bounds, the other has an array of them."""
    full = facet.Scene()
    full.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    full.save(tmp_path / "a.obj")
    facet.Scene().save(tmp_path / "b.obj")
    a, b = facet.info(tmp_path / "a.obj"), facet.info(tmp_path / "b.obj")
    assert a != b and b != a


def test_quoted_names_in_messages_stay_as_they_are(tmp_path):
    (tmp_path / "a.obj").write_text("mtllib x--scale.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert any("x--scale.mtl" in one.message for one in facet.load(tmp_path / "a.obj").findings)


def test_a_wrong_image_is_not_added():
    scene = facet.Scene()
    with pytest.raises(TypeError):
        scene.add_image("x", np.zeros((2, 2, 5), np.uint8))
    assert scene.image_count == 0


def test_messages_have_keywords(corpus, tmp_path):
    scene = facet.load(corpus / "j3d/greenman_skinned.bdl")
    scene.add_animation("x", [(1, "translation", [0, 1], [[0, 0, 0], [0, 1, 0]])])
    with pytest.raises(facet.ArgumentError, match=r"needs its model \(like=\)"):
        scene.save(tmp_path / "x.bck")
    with pytest.raises(TypeError, match=r"not Scene; save_bytes\(\) gives the bytes"):
        facet.check(scene)
    mesh = facet.Scene()
    mesh.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    mesh.set_axes(unit=1)
    assert any("scale=0.01 keeps" in one.message
               for one in mesh.save(tmp_path / "x.bmd").findings)


def test_records_of_another_kind_are_refused():
    """The index of a material is not that of a mesh."""
    scene = facet.Scene()
    mesh = scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    material, image = scene.add_material("m"), scene.add_image("i", np.zeros((1, 1, 3), np.uint8))
    node = scene.add_node("n", mesh=mesh)
    animation = scene.add_animation("a", [(node, "translation", [0], [[0, 0, 0]])])
    for call in (lambda: setattr(mesh, "face_materials", mesh),
                 lambda: setattr(mesh, "face_materials", [image]),
                 lambda: setattr(mesh, "points", [material]),
                 lambda: setattr(mesh, "lines", [[material, material]]),
                 lambda: setattr(node, "mesh", material),
                 lambda: setattr(node, "parent", mesh),
                 lambda: setattr(node, "skin", node),
                 lambda: material.maps.set("diffuse", image=material),
                 lambda: scene.add_node("x", mesh=node),
                 lambda: scene.add_skin([mesh]),
                 lambda: scene.add_animation("x", [(mesh, "translation", [0], [[0, 0, 0]])]),
                 lambda: scene.pose(node), lambda: scene.posed_positions(animation),
                 lambda: scene.remove_meshes(material), lambda: scene.remove_materials([mesh]),
                 lambda: scene.remove_materials(0, instead=mesh),
                 lambda: mesh.delete_faces(material), lambda: scene.remove_meshes(None),
                 lambda: scene.remove_meshes([0, None]), lambda: scene.add_mesh(
                     [[0, 0, 0]] * 3, [[node, node, node]])):
        with pytest.raises(TypeError):
            call()
    assert (scene.mesh_count, scene.material_count, scene.node_count) == (1, 1, 1)
    assert mesh.face_materials is None and node.mesh == 0


def test_records_in_lists_are_of_this_scene():
    scene, other = facet.Scene(), facet.Scene()
    mesh = scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    scene.add_material("own")
    material = other.add_material("m")
    for call in (lambda: setattr(mesh, "face_materials", [material]),
                 lambda: scene.remove_materials(material),
                 lambda: scene.remove_materials(0, instead=material)):
        with pytest.raises(ValueError, match="of another scene"):
            call()


def test_names_are_taken_where_indices_are():
    scene = facet.Scene()
    mesh = scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], name="body")
    red, blue = scene.add_material("red"), scene.add_material("blue")
    hip, leg = scene.add_node("hip"), scene.add_node("leg", parent="hip")
    skin = scene.add_skin(["leg", 0, hip], name="rig", skeleton="hip")
    assert skin.joints.tolist() == [1, 0, 0] and skin.skeleton == 0
    leg.mesh, leg.skin, mesh.face_materials = "body", "rig", ["blue"]
    assert (leg.mesh, leg.skin, mesh.face_materials.tolist()) == (0, 0, [1])
    scene.remove_materials("blue", instead="red")
    assert scene.materials[:] == [red] and mesh.face_materials.tolist() == [0]
    for call in (lambda: setattr(leg, "mesh", "bodi"), lambda: scene.add_skin(["legg"]),
                 lambda: scene.remove_materials("rot")):
        with pytest.raises(KeyError, match="is not one of 'body'|of 'hip', 'leg'|of 'red'"):
            call()


def test_a_wrong_argument_adds_nothing():
    """All arguments are checked before the scene changes."""
    scene, bind = facet.Scene(), np.zeros((1, 4, 4))
    scene.add_node("hip")
    for error, call in (
            (ValueError, lambda: scene.add_skin([1])), (ValueError, lambda: scene.add_skin([-1])),
            (KeyError, lambda: scene.add_skin(["leg"])), (TypeError, lambda: scene.add_skin([None])),
            (ValueError, lambda: scene.add_skin([0], bind[0])),
            (ValueError, lambda: scene.add_skin([0], bind + np.nan)),
            (ValueError, lambda: scene.add_skin([0], skeleton=3)),
            (TypeError, lambda: scene.add_skin([0], name=1)),
            (ValueError, lambda: scene.add_node("n", matrix=[1])),
            (ValueError, lambda: scene.add_node("n", translation=[1])),
            (ValueError, lambda: scene.add_animation("a", [(7, "scale", [0], [[1, 1, 1]])])),
            (ValueError, lambda: scene.pose(3))):
        with pytest.raises(error):
            call()
    assert (scene.node_count, scene.skin_count, scene.animation_count) == (1, 0, 0)


def test_the_occluder_is_not_a_mesh_of_nodes():
    scene = facet.load(b"v 0 0 0\nv 1 0 0\nv 0 1 0\no occ\nf 1 2 3\n", name="a.obj",
                       occluder_name="occ")
    with pytest.raises(TypeError, match="not one of the meshes"):
        scene.add_node("n", mesh=scene.occluder)


def test_bytes_are_not_a_path(model, monkeypatch):
    """Bytes are the content of a file. If they end like a path, the error explains that, whether
    the file exists or not."""
    for call in (facet.load, facet.info, facet.check, facet.probe):
        for path in (str(model).encode(), b"missing.obj", b"a.szs/b.bmd", b"c.bsm.bz2"):
            with pytest.raises(TypeError, match="is a path, and bytes are the content.*os.fsdecode"):
                call(path)
    monkeypatch.chdir(model.parent)
    (model.parent / "v 0 0 0").write_text("")
    for content in (b"v 0 0 0", b"v 0 0 0 # a.obj\n"):
        assert len(facet.load(content, from_="obj").meshes[0].positions) == 1


def test_names_of_bytes_are_refused(model, tmp_path):
    """The format is that of a name, which is a str. A path object may hold bytes."""
    scene, entry = facet.load(model), next(os.scandir(os.fsencode(tmp_path)))
    for call in (lambda: scene.save_files(b"a.obj"), lambda: scene.save(io.BytesIO(), name=b"a.obj"),
                 lambda: facet.convert(model, io.BytesIO(), name=b"a.obj")):
        with pytest.raises(TypeError, match="of bytes, and a name is a str: give os.fsdecode"):
            call()
    with pytest.raises(TypeError, match="give a path or a binary file, not bytes"):
        scene.save(os.fsencode(tmp_path / "x.glb"))
    assert not (tmp_path / "x.glb").exists()
    assert os.path.isfile(entry) and scene.save(entry, to="obj").size > 0


@pytest.fixture
def small():
    scene = facet.Scene()
    mesh = scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], name="m")
    scene.add_material("a")
    scene.add_node("n", mesh=mesh)
    return scene


@pytest.mark.parametrize("value", [{1, 2, 3, 4}, {1: 1, 2: 2, 3: 3, 4: 4}, b"abcd", "1234"])
def test_numbers_in_no_order_are_refused(small, value):
    material = small.materials[0]
    with pytest.raises(TypeError, match="base_color has 4 numbers"):
        material.base_color = value
    assert material.base_color == (1, 1, 1, 1)


@pytest.mark.parametrize("value, error", [(7, ValueError), (-1, ValueError), (True, TypeError),
                                          (None, TypeError), (1.0, TypeError), (b"mask", TypeError)])
def test_values_that_are_no_words_are_refused(small, value, error):
    material = small.materials[0]
    with pytest.raises(error, match="blend, mask, opaque"):
        material.alpha_mode = value
    assert material.alpha_mode == "opaque"
    material.alpha_mode = np.int64(1)
    assert material.alpha_mode == "mask"


@pytest.mark.parametrize("value", [None, 1, b"x"])
def test_names_are_strings(small, value):
    with pytest.raises(TypeError, match="expected a str"):
        small.nodes[0].name = value
    with pytest.raises(TypeError, match="expected a str"):
        small.add_material(value)
    assert small.nodes[0].name == "n" and small.material_count == 1


@pytest.mark.parametrize("key", [None, True, 0.0, [0], (0,), ...])
def test_records_are_found_by_index_name_or_slice(small, key):
    with pytest.raises(TypeError, match="index, name or slice"):
        small.meshes[key]
    assert small.meshes[np.uint8(0)] == small.meshes[-1] == small.meshes["m"] == small.meshes[:][0]


def test_names_of_streams_are_whole(small):
    """C strings end at a NUL: two such names would be one."""
    for name in ("a\0b", ""):
        with pytest.raises(ValueError, match="without NUL"):
            small.meshes[0].add_stream(name, np.zeros((3, 1), np.float32))
    assert list(small.meshes[0].streams) == ["position"]


def test_values_of_faces_have_one_row_per_face(small):
    with pytest.raises(ValueError, match=r"face_materials has the shape \(2,\), and the mesh 1 face"):
        small.meshes[0].face_materials = [0, 0]
