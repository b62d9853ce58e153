"""References between records, as objects, indices or names; pairs of values and indices; pixels."""

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
    scene.add_node("body", mesh=mesh, skin=skin)
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
