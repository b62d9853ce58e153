"""Documents, views of files, archives."""

import mmap
import struct

import numpy as np
import pytest

import facet
from facet._facet import ffi
from facet.documents import _FAMILIES, _HIDDEN, _SHOWN_LATER, _count_member


@pytest.mark.parametrize("name", ["j3d/fish_static.bmd", "j3d/greenman_skinned.bdl",
                                  "bga/fish.big-endian.v2.bga", "bsm/test.bsm"])
def test_what_is_read_is_written(corpus, name):
    data = (corpus / name).read_bytes()
    document = facet.read(corpus / name)
    written = document.write_bytes(**({"endian": "big"} if name.endswith(".bga") else {}))
    if not name.endswith(".bga"):  # its header is always written in the same form
        assert written == data
    again = facet.read(written)
    assert again.family == document.family and dir(again) == dir(document)


def test_every_pointer_of_a_document_is_shown_or_known_not_to_be():
    """The length of every new member of a header is found by its name or listed."""
    seen, missing = set(), []

    def visit(kind):
        if kind.kind in ("pointer", "array"):
            return visit(kind.item)
        if kind.kind != "struct" or kind.cname in seen or kind.fields is None:
            return
        seen.add(kind.cname)
        struct = kind.cname.replace("struct ", "")
        names = [name for name, _ in kind.fields]
        for name, field in kind.fields:
            if name in _HIDDEN or (struct, name) in _SHOWN_LATER:
                continue
            if field.type.kind == "pointer" and field.type.item.cname not in ("char", "void") \
                    and _count_member(struct, names, name) is None:
                missing.append(f"{struct}.{name}")
            visit(field.type)
    for family in set(_FAMILIES.values()):
        visit(ffi.typeof(f"struct facet_{family}"))
    assert not missing


def test_an_iqm_has_names_and_values(tmp_path):
    made = tmp_path / "a.obj"
    made.write_text("o leaf\nv 0 0 0\nv 0 0 1\nv 1 0 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl green\n"
                    "f 1/1 2/2 3/3\n")
    written = facet.load(made).save_bytes("iqm")
    document = facet.read(written)
    assert document.family == "iqm" and document.write_bytes() == written
    assert document.iqm_name(int(document.meshes["name"][0])) == "leaf"
    assert document.iqm_name(int(document.meshes["material"][0])) == "green"
    # Z is up, and v is 0 at the top.
    kinds = {array.type: i for i, array in enumerate(document.arrays)}
    assert sorted(document.iqm_values(kinds[0]).tolist()) == [[0, -1, 0], [0, 0, 0], [1, 0, 0]]
    assert sorted(document.iqm_values(kinds[1]).tolist()) == [[0, 0], [0, 1], [1, 1]]
    assert document.iqm_frames.size == 0 and document.iqm_comment == ""
    with pytest.raises(IndexError):
        document.iqm_values(99)
    with pytest.raises(AttributeError):
        facet.read(facet.load(made).save_bytes("ply")).iqm_comment


def test_a_model_can_be_changed(corpus):
    model = facet.read(corpus / "j3d/fish_static.bmd", writable=True)
    names, joints = model.joints.names, model.joints.items
    assert len(names) == len(joints)
    joints["translation"][0] += (1, 0, 0)
    model.hierarchy.unknown = 7
    again = facet.read(model.write_bytes())
    assert again.hierarchy.unknown == 7
    before = facet.read(corpus / "j3d/fish_static.bmd").joints.items["translation"][0]
    assert (again.joints.items["translation"][0] - before).tolist() == [1, 0, 0]
    with pytest.raises(AttributeError):
        model.joints.count = 99
    with pytest.raises(ValueError, match="read-only"):
        facet.read(corpus / "j3d/fish_static.bmd").joints.items["radius"] = 0
    # The writer rejects an index beyond its array.
    model.hierarchy.nodes["index"][0] = 60000
    with pytest.raises(facet.FacetError):
        model.write_bytes()


def test_animations(bck):
    walk = facet.read(bck)
    # Halfway along a cubic from 0 to 90 degrees with tangents 9 and 0 over 20 frames: h00 * 0 + h10
    # * 20 * 9 + h01 * 90 = 180 / 8 + 45 = 67.5.
    assert walk.joints(10)["angles"][0].tolist() == pytest.approx([0, 67.5, 0], abs=0.01)
    assert walk.joints(10)["translation"][0].tolist() == [1, 10, 0]
    assert walk.tracks()["count"].tolist() == [[1, 1, 1, 1, 2, 1, 1, 1, 1]]
    baked = walk.convert("bca")
    assert baked.kind == "bca"
    assert baked.joints(10)["angles"][0, 1] == pytest.approx(67.5, abs=0.02)
    edited = walk.to_json()
    edited.pop("file", None)
    edited["joints"][0]["translation"][0] = 5
    assert facet.Animation.from_json(edited).joints(0)["translation"][0, 0] == 5
    with pytest.raises(facet.FacetError):
        facet.Animation.from_json({"kind": "bck"})


def test_animations_of_a_model(corpus, tmp_path, bck):
    model = corpus / "j3d/fish_static.bmd"
    (tmp_path / "turn.bck").write_bytes(bck)
    fits, findings = facet.read(bck).fits(facet.read(model))
    assert fits, findings
    scene = facet.load(model, animations=[tmp_path / "turn.bck"])
    assert scene.animations["turn"].duration == pytest.approx(20 / 30)
    # The scene, written with its model, gives the same bytes.
    scene.save(tmp_path / "out.bck", like=model, clip="turn")
    assert (tmp_path / "out.bck").read_bytes() == bck


def _parts(whole):
    """The model of an IQM, and its animations. Header bytes 76 to 108 (poses, animations, frames)
    and 36 to 76 (meshes to joints) are zero."""
    return (whole[:76] + bytes(32) + whole[108:], whole[:36] + bytes(40) + whole[76:])


def test_animations_of_an_iqm_apart(corpus, tmp_path):
    whole = facet.load(corpus / "gltf/CesiumMan.glb").save_bytes("iqm")
    for name, part in zip(("model.iqm", "moves.iqm"), _parts(whole)):
        (tmp_path / name).write_bytes(part)
    expected, bare = facet.load(whole), facet.load(tmp_path / "model.iqm")
    scene = facet.load(tmp_path / "model.iqm", animations=[tmp_path / "moves.iqm"])
    assert len(bare.animations) == 0 and len(expected.animations) == 1
    assert [a.duration for a in scene.animations] == [a.duration for a in expected.animations]
    assert scene.save_bytes("glb") == expected.save_bytes("glb")
    with pytest.raises(facet.FacetError, match="expected"):
        facet.load(tmp_path / "model.iqm", animations=[_parts(facet.load(
            corpus / "gltf/Fox.glb").save_bytes("iqm"))[1]])


def test_a_finding_names_its_element(corpus):
    whole = bytearray(facet.load(corpus / "gltf/CesiumMan.glb").save_bytes("iqm"))
    count, triangles = struct.unpack_from("<2I", whole, 56)
    whole[triangles + 7 * 12 + 4:triangles + 7 * 12 + 8] = whole[triangles + 7 * 12:triangles + 7 * 12 + 4]
    found = {f.rule: f for f in facet.check(bytes(whole))}
    assert count > 7 and found["IQM-TRIANGLE-DEGENERATE"].face == 7
    assert found["IQM-TRIANGLE-DEGENERATE"].vertex is None


# -- Views -----------------------------------------------------------------

def test_bsm_from_a_map(corpus):
    path = corpus / "bsm/test.bsm"
    with open(path, "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    bsm, document = facet.open_bsm(mapped), facet.read(path)
    assert (bsm.positions == document.positions).all()
    assert (bsm.triangles == document.triangles).all()
    assert [one[0] for one in bsm.meshes] == \
        [name.decode() for name in document.meshes["material"].tolist()]
    # The header has 132 bytes; the arrays are inside the map.
    begin = np.frombuffer(mapped, np.uint8).__array_interface__["data"][0]
    at = bsm.positions.__array_interface__["data"][0] - begin
    assert 132 <= at < path.stat().st_size
    with pytest.raises(BufferError):
        mapped.close()
    positions = bsm.positions
    del bsm
    assert positions[0].tolist() == document.positions[0].tolist()
    with pytest.raises(ValueError):
        positions[0] = 0


def test_bsm_at_any_alignment_and_unverified(corpus):
    data = (corpus / "bsm/test.bsm").read_bytes()
    moved = memoryview(b"x" + data)[1:]
    assert (facet.open_bsm(moved).positions == facet.open_bsm(data).positions).all()
    with pytest.raises(ValueError, match="verify=False"):
        facet.open_bsm(data, verify=False).triangles
    broken = bytearray(data)
    first = facet.read(data)
    at = data.index(first.triangles.tobytes()[:24])
    broken[at:at + 4] = b"\xff\xff\xff\x7f"
    with pytest.raises(facet.MalformedError) as raised:
        facet.open_bsm(broken)
    assert raised.value.rule == "BSM-TRI-INDEX-RANGE"


def test_bga_in_both_orders_of_bytes(corpus):
    path = corpus / "bga/fish.big-endian.v2.bga"
    bga = facet.open_bga(path)
    assert bga.is_big_endian and bga["vertex"]["position"].dtype == np.dtype(">f4")
    little = facet.open_bga(facet.read(path).write_bytes(endian="little"))
    for buffer, attributes in bga.items():
        for name, values in attributes.items():
            assert (little[buffer][name] == values).all()
    assert bga["triangle"]["cell"].max() < len(bga["vertex"]["position"])


# -- Archives --------------------------------------------------------------

def test_archives_are_mappings(tmp_path, model):
    bsm = facet.load(model).save_bytes("bsm")
    archive = facet.Archive.new("rarc", "stage")
    archive["models/a.bsm"], archive["readme"] = bsm, b"hello"
    archive.save(tmp_path / "stage.szs", compress="best")
    back = facet.Archive(tmp_path / "stage.szs")
    assert back.kind == "rarc" and sorted(back) == ["models/a.bsm", "readme"]
    assert back["models/a.bsm"] == bsm and "nothing" not in back
    assert [one.path for one in back.members if one.is_folder] == ["models"]
    # Paths continue into the archive. Replacing a file does not change the others.
    assert len(facet.load(tmp_path / "stage.szs/models/a.bsm").meshes) == 1
    facet.convert(model, tmp_path / "stage.szs/models/a.bsm", no_optimize=True)
    facet.convert(model, tmp_path / "stage.szs/models/b.bsm", into=True)
    again = facet.Archive((tmp_path / "stage.szs").read_bytes())
    assert sorted(again) == ["models/a.bsm", "models/b.bsm", "readme"]
    assert again["readme"] == b"hello"
    with pytest.raises(FileNotFoundError):
        facet.load(tmp_path / "stage.szs/models/c.bsm")
    with pytest.raises(KeyError):
        again["c"]
    del again["models"]
    assert list(facet.Archive(again.save_bytes())) == ["readme"]


@pytest.mark.parametrize("kind", ["yaz0", "yay0"])
@pytest.mark.parametrize("effort", ["official", "fast", "best"])
def test_compression(kind, effort):
    data = bytes(range(256)) * 40 + b"end"
    packed = facet.compress(data, kind, effort=effort)
    assert len(packed) < len(data) / 4 and packed[:4] == kind.title().encode()
    assert facet.decompress(packed) == data
    with pytest.raises(facet.MalformedError):
        facet.decompress(packed[:40])


def test_nodes_without_names_are_joints_by_their_order(tmp_path):
    """The model names them joint0 and joint1. A quarter turn of joint 1 is 90 degrees about z."""
    rig = facet.Scene()
    bar = np.array([[x, y, 0] for y in (0, 1, 2) for x in (-0.1, 0.1)])
    mesh = rig.add_mesh(bar, [[0, 1, 3, 2], [2, 3, 5, 4]], name="bar",
                        joints=np.where(bar[:, 1:2] > 1, [[1, 0, 0, 0]], [[0] * 4]).astype(np.uint16),
                        weights=np.tile([1.0, 0, 0, 0], (6, 1)))
    inverse = np.stack([np.eye(4), np.eye(4)])
    inverse[1, 1, 3] = -1
    lower = rig.add_node()
    upper = rig.add_node(parent=lower, translation=[0, 1, 0])
    rig.add_node(mesh=mesh, skin=rig.add_skin([lower, upper], inverse))
    half = 0.5 ** 0.5
    rig.add_animation("bend", [(upper, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, half, half]])])
    rig.save(tmp_path / "rig.bdl")
    report = rig.save(tmp_path / "bend.bck", like=tmp_path / "rig.bdl")
    assert "J3D-JOINT-MISSING" not in [one.rule for one in report.findings]
    joints = facet.read(tmp_path / "bend.bck").to_json()["joints"]
    assert abs(joints[1]["rotation"][2][-1][1] - 90) < 0.05 and joints[0]["rotation"] == [0, 0, 0]
    report = rig.save(tmp_path / "again.bdl", like=tmp_path / "rig.bdl")
    assert facet.info(tmp_path / "again.bdl").joints == 2
