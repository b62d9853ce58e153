"""growth.py FACET [NAME...]: check that work grows almost linearly with the input.

Each attack creates an input of a size n, here for n, 2n and 4n, and names a command. The measure is
the number of instructions, by callgrind, minus those of a program that does nothing. It is the same
on every run, whatever else the machine does. Work that grows faster than n^1.15 from 2n to 4n is an
error. An attack is a function: it writes the file and returns the words of the command.
"""

import base64
import json
import math
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

MAX = 1.15
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"


def grid(n):
    """About 2 n triangles of a bumpy square, as OBJ, with texture coordinates."""
    side = max(2, math.isqrt(n))
    text = []
    for y in range(side + 1):
        for x in range(side + 1):
            text.append(f"v {x} {y} {x * y % 7 / 10}\nvt {x / side} {y / side}\n")
    for y in range(side):
        for x in range(side):
            a = y * (side + 1) + x + 1
            b, c, d = a + 1, a + side + 2, a + side + 1
            text.append(f"f {a}/{a} {b}/{b} {c}/{c} {d}/{d}\n")
    return "".join(text)


def write(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


# -- Valid files -----------------------------------------------------------------


def obj_to_bsm(folder, n):
    return ["convert", write(folder, "a.obj", grid(n)), folder / "a.bsm"]


def obj_to_glb(folder, n):
    return ["convert", write(folder, "a.obj", grid(n)), folder / "a.glb"]


def clusters(folder, n):
    return ["convert", write(folder, "a.obj", grid(n)), folder / "a.glb", "--cluster", "1000"]


def clusters_of_a_growing_mesh(folder, n):
    """Each triangle is farther away, from 1e-38 to 1e38: cells are joined as often as possible."""
    text = []
    for i in range(n):
        far = 10 ** (76 * i / n - 38)
        text.append(f"v {far:.6g} 0 0\nv 0 {far:.6g} 0\nv 0 0 {far:.6g}\nf -3 -2 -1\n")
    return ["convert", write(folder, "a.obj", "".join(text)), folder / "a.glb", "--cluster", "64"]


def clusters_of_equal_triangles(folder, n):
    """All triangles are between three cells, with another material each."""
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + "".join(f"usemtl m{i % 1000}\nf 1 2 3\n" for i in range(n))
    return ["convert", write(folder, "a.obj", text), folder / "a.glb", "--cluster", "64"]


def obj_to_bga(folder, n):
    return ["convert", write(folder, "a.obj", grid(n)), folder / "a.bga"]


def obj_to_binarymesh(folder, n):
    return ["convert", write(folder, "a.obj", grid(n)), folder / "a.binarymesh"]


def obj_to_bmd(folder, n):
    return ["convert", write(folder, "a.obj", grid(min(n, 16000))), folder / "a.bmd"]


def check_of_obj(folder, n):
    return ["check", write(folder, "a.obj", grid(n))]


def soup_of_stl(folder, n):
    side = math.isqrt(n)
    triangles = []
    for i in range(n):
        x, y = i % side, i // side
        triangles.append(struct.pack("<12fH", 0, 0, 1, x, y, 0, x + 1, y, 0, x, y + 1, 0, 0))
    data = bytes(80) + struct.pack("<I", n) + b"".join(triangles)
    return ["convert", write(folder, "a.stl", data), folder / "a.bsm"]


def ascii_ply(folder, n):
    text = ["ply\nformat ascii 1.0\n", f"element vertex {n + 2}\n",
            "property float x\nproperty float y\nproperty float z\n", f"element face {n}\n",
            "property list uchar int vertex_indices\nend_header\n"]
    text += [f"{i % 100} {i // 100} {i % 7}\n" for i in range(n + 2)]
    text += [f"3 {i} {i + 1} {i + 2}\n" for i in range(n)]
    return ["check", write(folder, "a.ply", "".join(text))]


def files_in_an_archive(folder, n):
    (folder / "in").mkdir()
    for i in range(n // 8):
        write(folder / "in", f"file{i}.txt", "some text\n" * 3)
    return ["pack", folder / "a.arc", folder / "in"]


# -- Corners and polygons (T1) ---------------------------------------------------


def T1_polygons_that_repeat_corners(folder, n):
    text = TRIANGLE + "f 1 1 1 2 2 2 3 3 3 1 1 2 2 3 3\n" * n
    return ["convert", write(folder, "a.obj", text), folder / "a.bsm"]


def T1_one_position_for_all_corners(folder, n):
    text = "v 0 0 0\n" * n + "v 1 0 0\nv 0 1 0\nf " + " ".join(map(str, range(1, n + 3))) + "\n"
    return ["convert", write(folder, "a.obj", text), folder / "a.bsm"]


def T1_a_fan_of_triangles(folder, n):
    text = ["v 0 0 0\n"]
    for i in range(n):
        text.append(f"v {math.cos(i)} {math.sin(i)} {i / n}\n")
    text += [f"f 1 {i + 2} {(i + 1) % n + 2}\n" for i in range(n)]
    return ["convert", write(folder, "a.obj", "".join(text)), folder / "a.bsm"]


def T1_a_star_of_many_corners(folder, n):
    n = min(n, 16000)
    text = [f"v {math.cos(i / n * 6.28) * (1 + i % 2)} {math.sin(i / n * 6.28) * (1 + i % 2)} 0\n"
            for i in range(n)]
    text.append("f " + " ".join(map(str, range(1, n + 1))) + "\n")
    return ["convert", write(folder, "a.obj", "".join(text)), folder / "a.bsm"]


# -- Texts that are searched ------------------------------------------------------


def chunks_of_a_cob_without_blanks(folder, n):
    head = "Caligari V00.01ALH".ljust(31) + "\n"
    return ["check", write(folder, "a.cob", head + "Grou" * n)]


def digits_far_from_the_origin(folder, n):
    far = "v 4500000.5 550000 10\nv 4500000.5 550000.5 10\nv 4500000 550000.5 11\nf 1 2 3\n"
    return ["convert", write(folder, "a.obj", f"{far}# {'1' * 10 * n}\n"), folder / "a.glb"]


# -- Lines and libraries (T2, T3) ------------------------------------------------


def T2_bad_lines(folder, n):
    return ["check", write(folder, "a.obj", "v x 0 0\n" * n)]


def T3_a_library_named_often(folder, n):
    write(folder, "a.mtl", "".join(f"newmtl m{i}\nKd 1 0 0\n" for i in range(n)))
    text = "mtllib a.mtl\n" * n + TRIANGLE + "f 1 2 3\n"
    return ["convert", write(folder, "a.obj", text), folder / "a.bsm"]


def T3_missing_libraries(folder, n):
    text = "mtllib " + " ".join(f"m{i}" for i in range(n)) + "\n" + TRIANGLE + "f 1 2 3\n"
    return ["convert", write(folder, "a.obj", text), folder / "a.bsm"]


def T3_missing_files_of_a_full_folder(folder, n):
    """A folder with more than 4096 names is not searched."""
    for i in range(n):
        write(folder, f"other-{i}", "")
    write(folder, "a.mtl", "".join(f"newmtl n{i}\nmap_Kd t{i}.png\n" for i in range(n // 2)))
    text = "mtllib a.mtl " + " ".join(f"m{i}.mtl" for i in range(n // 2)) + "\n" + TRIANGLE + "vt 0 0\n"
    text += "".join(f"usemtl n{i}\nf 1/1 2/1 3/1\n" for i in range(n // 2))
    return ["convert", write(folder, "a.obj", text), folder / "a.glb"]


# -- Names in archives (T4), loose triangles (T5), hulls (T7) --------------------


def missing_textures_in_a_depfile(folder, n):
    """Each texture is searched in any case of letters, and stored once for the depfile."""
    write(folder, "in.mtl", "".join(f"newmtl m{i}\nmap_Kd missing-{i}.png\n" for i in range(n // 8)))
    write(folder, "in.obj", "mtllib in.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n" + "".join(
        f"usemtl m{i}\nf 1/1 2/1 3/1\n" for i in range(n // 8)))
    return ["convert", "--depfile", folder / "out.d", folder / "in.obj", folder / "out.glb"]


def T4_files_of_one_name(folder, n):
    """A U8 archive, byte by byte: the root, then n files "a" that share their bytes."""
    n //= 4
    names, head = b"\0a\0", 0x20
    nodes_size = (n + 1) * 12 + len(names)
    data = (head + nodes_size + 31) // 32 * 32
    nodes = struct.pack(">III", 0x01000000, 0, n + 1) + struct.pack(">III", 1, data, 4) * n
    whole = struct.pack(">IIII16x", 0x55AA382D, head, nodes_size, data) + nodes + names
    return ["extract", write(folder, "a.arc", whole.ljust(data, b"\0") + b"text"), folder / "out"]


def T5_an_occluder_of_a_flat_soup(folder, n):
    """Separate triangles in one plane."""
    n //= 4
    side = math.isqrt(n)
    text = []
    for i in range(n):
        x, y = i % side * 3, i // side * 3
        text.append(f"v {x} {y} 0\nv {x + 1} {y} 0\nv {x} {y + 1} 0\n")
    text += [f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i in range(n)]
    return ["convert", "--occluder", "0.5", write(folder, "a.obj", "".join(text)), folder / "a.bsm"]


def T5_an_occluder_of_a_flat_star(folder, n):
    """Needles around a disk: boxes around them overlap. The disk's triangles double inward."""
    n = 1 << n.bit_length() - 1
    text = [f"v {math.cos(i / n * 2 * math.pi) * (1 + i % 2)} "
            f"{math.sin(i / n * 2 * math.pi) * (1 + i % 2)} 0\n" for i in range(n)]
    step = 1
    while step < n // 2:
        text += [f"f {i + 1} {i + step + 1} {(i + 2 * step) % n + 1}\n"
                 for i in range(0, n, 2 * step)]
        step *= 2
    return ["convert", "--occluder", "0.5", write(folder, "a.obj", "".join(text)), folder / "a.bsm"]


def T7_hulls_of_many_points(folder, n):
    """Hulls of 64 points on a sphere: each point is compared with many planes."""
    text, hulls = [], n // 1000
    for hull in range(hulls):
        text.append(f"o collision_mesh{hull}\n")
        for i in range(64):
            height, turn = 1 - (2 * i + 1) / 64, i * 2.399963
            radius = math.sqrt(1 - height * height)
            text.append(f"v {radius * math.cos(turn) + 3 * hull} {radius * math.sin(turn)} {height}\n")
        first = 64 * hull + 1
        text += [f"f {first + i} {first + i + 1} {first + (i + 2) % 64}\n" for i in range(63)]
    at = write(folder, "a.obj", "".join(text) + "o rest\n" + TRIANGLE + "f -3 -2 -1\n")
    made = folder / "a.bsm"
    subprocess.run([sys.argv[1], "convert", "-q", at, made], check=True)
    return ["check", made]


def hull_of_points(folder, points):
    """The convex hull of all vertices, whose corners are not limited."""
    text = "".join(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points)
    text += "".join(f"f {i + 1} {i + 2} {i + 3}\n" for i in range(len(points) - 2))
    return ["convert", "--hulls", 1, "--hull-vertices", 65536, write(folder, "a.obj", text),
            folder / "a.bsm"]


def T7_a_hull_of_a_sphere(folder, n):
    def point(i):
        height, turn = 1 - (2 * i + 1) / n, i * 2.399963
        radius = math.sqrt(1 - height * height)
        return radius * math.cos(turn), radius * math.sin(turn), height
    return hull_of_points(folder, [point(i) for i in range(n)])


def T7_a_hull_of_a_cone(folder, n):
    """The corners of the base are in one plane."""
    return hull_of_points(folder, [(0, 0, 1)] + [
        (math.cos(2 * math.pi * i / n), math.sin(2 * math.pi * i / n), 0) for i in range(n - 1)])


def T7_a_hull_of_a_grid(folder, n):
    side = math.ceil(n ** (1 / 3))
    return hull_of_points(folder, [(i % side, i // side % side, i // side ** 2) for i in range(n)])


def T7_a_hull_of_coplanar_points(folder, n):
    side = math.isqrt(n)
    return hull_of_points(folder, [(i % side, i // side, 0) for i in range(n)])


def T7_a_hull_of_collinear_points(folder, n):
    return hull_of_points(folder, [(i, 2 * i, 3 * i) for i in range(n)])


def T7_a_hull_of_equal_points(folder, n):
    return hull_of_points(folder, [(i & 1, i >> 1 & 1, i >> 2 & 1) for i in range(n)])


# -- Many things (T6) ------------------------------------------------------------


def T6_materials_with_images(folder, n):
    n //= 4
    library = "".join(f"newmtl m{i}\nmap_Kd t{i}.png\nmap_Ke e{i}.png\n" for i in range(n))
    write(folder, "a.mtl", library)
    text = "mtllib a.mtl\n" + TRIANGLE + "".join(f"usemtl m{i}\nf 1 2 3\n" for i in range(n))
    return ["convert", write(folder, "a.obj", text), folder / "a.glb"]


def siblings_of_an_output(folder, n):
    """Each image of a GLTF becomes a file next to the OBJ."""
    n //= 4
    triangle = base64.b64encode(struct.pack("<9f6f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1))
    image = "data:image/png;base64,"
    images = [{"name": f"i{i}", "uri": image + base64.b64encode(b"\x89PNG\r\n\x1a\n%d" % i).decode()}
              for i in range(n)]
    part = {"attributes": {"POSITION": 0, "TEXCOORD_0": 1}}
    return ["convert", write(folder, "a.gltf", json.dumps({
        "asset": {"version": "2.0"}, "images": images,
        "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0,
        "meshes": [{"primitives": [dict(part, material=i) for i in range(n)]}],
        "buffers": [{"byteLength": 60, "uri": "data:;base64," + triangle.decode()}],
        "bufferViews": [{"buffer": 0, "byteLength": 60}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                      {"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3,
                       "type": "VEC2"}],
        "textures": [{"source": i} for i in range(n)],
        "materials": [{"emissiveTexture": {"index": i}} for i in range(n)]})), folder / "a.obj"]


def groups(folder, n):
    text = TRIANGLE + "".join(f"g g{i}\nf 1 2 3\n" for i in range(n))
    return ["convert", write(folder, "a.obj", text), folder / "a.glb"]


def parts_that_share_vertices(folder, n):
    """Objects whose first two corners are welded: their ranges of vertices grow."""
    text = "".join(f"o o{i}\nv 0 0 0\nv 1 0 0\nv 0 1 {i}\nf -1 -2 -3\n" for i in range(n))
    return ["convert", write(folder, "a.obj", text), folder / "a.glb"]


def materials_to_bpx(folder, n):
    text = TRIANGLE + "".join(f"usemtl material_{i}\nf 1 2 3\n" for i in range(n))
    return ["convert", write(folder, "a.obj", text), folder / "a.bpx"]


def attributes_of_gltf(folder, n, name="_A", components="SCALAR"):
    """A primitive whose attributes have the same bytes."""
    size = 12 if components == "SCALAR" else 24
    floats = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    buffer = {"byteLength": 36, "uri": "data:application/octet-stream;base64,"
              + base64.b64encode(floats).decode()}
    attributes = {"POSITION": 0, **{f"{name}{i}": 1 for i in range(n)}}
    document = {"asset": {"version": "2.0"}, "buffers": [buffer],
                "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteLength": size}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                               "min": [0, 0, 0], "max": [1, 1, 0]},
                              {"bufferView": 1, "componentType": 5126, "count": 3,
                               "type": components}],
                "meshes": [{"primitives": [{"attributes": attributes}]}],
                "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0}
    return ["convert", write(folder, "a.gltf", json.dumps(document)), folder / "a.glb"]


def texture_coordinate_sets_of_gltf(folder, n):
    return attributes_of_gltf(folder, n // 4, "TEXCOORD_", "VEC2")  # sets below 1,000, then custom


def glb_of(nodes, **more):
    document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                "nodes": nodes, **more}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    return b"glTF" + struct.pack("<III", 2, 20 + len(text), len(text)) + b"JSON" + text


def check_of_extensions_of_gltf(folder, n):
    names = [f"E_{i}" for i in range(n)]
    return ["check", write(folder, "a.glb", glb_of(
        [{}], extensionsUsed=names, extensions={name: {} for name in names}))]


def a_chain_of_nodes(folder, n):
    n = min(n, 16000)
    nodes = [{"children": [i + 1], "translation": [0, 1, 0]} for i in range(n)] + [{"name": "end"}]
    return ["info", write(folder, "a.glb", glb_of(nodes))]


def nodes_of_one_name(folder, n):
    nodes = [{"children": list(range(1, n + 1))}] + [{"name": "same"}] * n
    return ["check", write(folder, "a.glb", glb_of(nodes))]


def parts_of_one_name(folder, n, nodes=True):
    """Meshes and materials of one name as a COLLADA: assimp makes unique ids of names."""
    count = n // 16
    floats = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    uri = "data:;base64," + base64.b64encode(floats).decode()
    document = {"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": uri}],
                "bufferViews": [{"buffer": 0, "byteLength": 36}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                               "min": [0, 0, 0], "max": [1, 1, 0]}],
                "materials": [{"name": "same", "alphaCutoff": i} for i in range(count)],
                "meshes": [{"name": "same", "primitives": [{"attributes": {"POSITION": 0},
                                                            "material": i}]} for i in range(count)]}
    if nodes:
        document["nodes"] = [{"name": "same", "mesh": i} for i in range(count)]
        document["scenes"], document["scene"] = [{"nodes": list(range(count))}], 0
    return ["convert", write(folder, "a.gltf", json.dumps(document)), folder / "a.dae"]


def parts_without_nodes(folder, n):
    return parts_of_one_name(folder, n, False)


def meshes_to_dae(folder, n):
    """Nodes with a mesh each: assimp searches names of nodes in all meshes."""
    count = n // 2
    meshes = [{"primitives": [{"attributes": {"POSITION": 0}}]}] * count
    nodes = [{"name": f"n{i}", "mesh": i} for i in range(count)]
    glb = glb_of_points(folder, [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], nodes, meshes=meshes)
    return ["convert", glb, folder / "a.dae"]


def glb_of_points(folder, points, primitives, nodes, **more):
    """Meshes of one primitive each, or of a list, whose accessor 0 has the positions."""
    data = struct.pack(f"<{3 * len(points)}f", *(x for point in points for x in point))
    low, high = ([f(point[i] for point in points) for i in range(3)] for f in (min, max))
    document = {"asset": {"version": "2.0"}, "buffers": [{"byteLength": len(data)}],
                "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(points),
                               "type": "VEC3", "min": low, "max": high}],
                "meshes": [{"primitives": primitives}], "nodes": nodes,
                "scenes": [{"nodes": list(range(len(nodes)))}], "scene": 0, **more}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I", len(text)) + b"JSON" + text + struct.pack("<I", len(data)) + b"BIN\0" + data
    return write(folder, "a.glb", b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)


def bounds_of_nodes_of_one_mesh(folder, n):
    points = [(i, i % 7, i % 3) for i in range(3 * (n // 8))]
    nodes = [{"mesh": 0, "translation": [i, 0, 0]} for i in range(n // 8)]
    return ["info", glb_of_points(folder, points, [{"attributes": {"POSITION": 0}}], nodes)]


def nodes_of_one_skin(folder, n):
    """Nodes of one mesh and one skin, whose joints are as many nodes."""
    count = n // 16
    nodes = [{"mesh": 0, "skin": 0}] * count + [{}] * count
    joints = {"bufferView": 0, "componentType": 5121, "count": 3, "type": "VEC4"}
    weights = {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC4"}
    data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + bytes(12) + struct.pack("<12f", *[1, 0, 0, 0] * 3)
    buffer = {"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}
    views = [{"buffer": 0, "byteOffset": o, "byteLength": s} for o, s in ((36, 12), (48, 48), (0, 36))]
    positions = {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3",
                 "min": [0, 0, 0], "max": [1, 1, 0]}
    part = {"attributes": {"POSITION": 2, "JOINTS_0": 0, "WEIGHTS_0": 1}}
    return ["convert", write(folder, "a.glb", glb_of(
        nodes, buffers=[buffer], bufferViews=views, accessors=[joints, weights, positions],
        meshes=[{"primitives": [part]}], scenes=[{"nodes": list(range(2 * count))}],
        skins=[{"joints": list(range(count, 2 * count))}])), folder / "a.bsm"]


def materials_that_alternate_to_bmd(folder, n):
    """Each material has many triangles at the same vertices, which become strips."""
    text = TRIANGLE + "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n" * (n // 2)
    return ["convert", write(folder, "a.obj", text), folder / "a.bmd"]


def comparing_grids(folder, n):
    moved = grid(n).replace("v 1 1 0.1", "v 1 1 0.2")
    return ["compare", "--samples", 100, write(folder, "a.obj", grid(n)),
            write(folder, "b.obj", moved)]


def comparing_triangles_in_one_place(folder, n):
    a, b = TRIANGLE + "f 1 2 3\n" * n, TRIANGLE + "f 2 3 1\n" * (n + 1)
    return ["compare", "--samples", 100, write(folder, "a.obj", a), write(folder, "b.obj", b)]


def corners_of_triangles(n, radius):
    """Tiny triangles on a sphere, at the directions of a spiral."""
    text = []
    for i in range(n):
        for corner in range(3):
            height, turn = 1 - (2 * i + 1) / n + corner * 1e-5, i * 2.399963 + corner * corner * 1e-5
            around = math.sqrt(max(0, 1 - height * height))
            text.append(f"v {radius * around * math.cos(turn):.9g} {radius * around * math.sin(turn):.9g} "
                        f"{radius * height:.9g}\n")
    return "".join(text) + "".join(f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i in range(n))


def comparing_equally_far_triangles(folder, n):
    return ["compare", "-j", 1, "--samples", 200,
            write(folder, "a.obj", corners_of_triangles(n // 4, 1)),
            write(folder, "b.obj", corners_of_triangles(n // 4, 1e-6))]


def comparing_nodes_of_one_name(folder, n):
    nodes = [{"children": list(range(1, n + 1))}] + [{"name": "same"}] * n
    other = [{"children": list(range(1, n + 1))}] + [{"name": "same", "scale": [2, 2, 2]}] * n
    return ["compare", write(folder, "a.glb", glb_of(nodes)), write(folder, "b.glb", glb_of(other))]


def joint_keys(n):
    """The JSON of a BCK: n keys, distributed over joints."""
    def track(j):
        return [[f, (j * 7 + f) % 90, 1] for f in range(0, 80, 10)]
    joints = [{"scale": [1, 1, 1], "rotation": [track(j), 0, 0], "translation": [0, track(j), 0]}
              for j in range(max(1, n // 16))]
    return json.dumps({"format": "facet-j3d-animation", "kind": "bck", "frames": 80,
                       "rotation_shift": 1, "joints": joints})


def animation_of_many_joints(folder, n):
    return ["pack", folder / "a.bck", write(folder, "a.json", joint_keys(n))]


def animation_of_many_shapes(folder, n):
    shapes = [{"visible": [i >> f & 1 for f in range(4)]} for i in range(n)]
    text = json.dumps({"format": "facet-j3d-animation", "kind": "bva", "frames": 4,
                       "shapes": shapes})
    return ["pack", folder / "a.bva", write(folder, "a.json", text)]


def animation_of_many_materials(folder, n):
    colors = [{"material": f"m{i % 100}", "R": [[0, i % 256, 1, 1], [8, 9, 1, 1]], "G": i % 200,
               "B": 0, "A": 255} for i in range(n // 2)]
    text = json.dumps({"format": "facet-j3d-animation", "kind": "bpk", "frames": 8,
                       "material_colors": colors})
    return ["pack", folder / "a.bpk", write(folder, "a.json", text)]


def channels_of_gltf(folder, n):
    """Equal numbers of nodes and channels, and pointers to materials."""
    times = struct.pack("<8f", 0, 1, 0, 0, 0, 1, 1, 1)
    data = "data:application/octet-stream;base64," + base64.b64encode(times).decode()
    targets = [{"node": i, "path": "translation"} for i in range(n // 2)]
    targets += [{"path": "pointer", "extensions": {"KHR_animation_pointer": {
        "pointer": f"/materials/{i}/emissiveFactor"}}} for i in range(n // 2)]
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(n // 2))}],
        "nodes": [{}] * (n // 2), "materials": [{}] * (n // 2),
        "buffers": [{"byteLength": 32, "uri": data}], "bufferViews": [{"buffer": 0, "byteLength": 32}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
                      {"bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2,
                       "type": "VEC3"}],
        "animations": [{"samplers": [{"input": 0, "output": 1}],
                        "channels": [{"sampler": 0, "target": t} for t in targets]}]}
    return ["convert", write(folder, "a.gltf", json.dumps(document)), folder / "a.glb"]


def facet(*words):
    subprocess.run([sys.argv[1], *map(str, words), "-q"], check=True)


def model_of_materials(folder, count):
    """A BMD with a triangle, a shape and a material for each of m0, m1 ..."""
    write(folder, "a.mtl", "".join(f"newmtl m{i}\nKd 1 1 0.{i + 1}\n" for i in range(count)))
    text = "mtllib a.mtl\n" + TRIANGLE
    text += "".join(f"usemtl m{i}\nf 1 2 3\n" for i in range(count))
    facet("convert", write(folder, "a.obj", text), folder / "a.bmd")
    return folder / "a.bmd"


def colors_of_gltf(folder, materials, frames):
    """A glTF whose materials m0, m1 ... change their colors at every frame."""
    rows = [(i / 30,) for i in range(frames)]
    rows += [(i * 7 % 11 / 10, 0.5, i * 3 % 5 / 4, 1) for i in range(frames)]
    data = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{}],
        "materials": [{"name": f"m{i}"} for i in range(materials)],
        "buffers": [{"byteLength": len(data), "uri": uri}],
        "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": frames, "type": "SCALAR"},
                      {"bufferView": 0, "byteOffset": 4 * frames, "componentType": 5126,
                       "count": frames, "type": "VEC4"}],
        "animations": [{"samplers": [{"input": 0, "output": 1}], "channels": [
            {"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {
                "pointer": f"/materials/{i}/pbrMetallicRoughness/baseColorFactor"}}}}
            for i in range(materials)]}]}
    return write(folder, "a.gltf", json.dumps(document))


def materials_to_bpk(folder, n):
    like = model_of_materials(folder, n // 64)
    return ["convert", colors_of_gltf(folder, n // 64, 4), folder / "a.bpk", "--like", like]


def frames_to_bpk(folder, n):
    like = model_of_materials(folder, 2)
    return ["convert", colors_of_gltf(folder, 2, n // 2), folder / "a.bpk", "--like", like]


def bpk_to_gltf(folder, n):
    colors = [{"material": f"m{i}", "R": [[0, i % 256, 1, 1], [8, 9, 1, 1]], "G": i % 200,
               "B": 0, "A": 255} for i in range(n // 64)]
    text = json.dumps({"format": "facet-j3d-animation", "kind": "bpk", "frames": 8,
                       "material_colors": colors})
    facet("pack", folder / "a.bpk", write(folder, "a.json", text))
    return ["convert", model_of_materials(folder, n // 64), folder / "a.bpk", folder / "b.glb"]


def bva_and_back(folder, n):
    like = model_of_materials(folder, n // 64)
    shapes = [{"visible": [i >> f & 1 for f in range(4)]} for i in range(n // 64)]
    text = json.dumps({"format": "facet-j3d-animation", "kind": "bva", "frames": 4,
                       "shapes": shapes})
    facet("pack", folder / "a.bva", write(folder, "a.json", text))
    facet("convert", like, folder / "a.bva", folder / "b.glb")
    return ["convert", folder / "b.glb", folder / "b.bva", "--like", like]


def empty_joint_sources_of_dae(folder, n):
    """A controller with many sources, and many inputs that name no source."""
    sources = "".join(f'<source id="s{i}"/>' for i in range(n))
    inputs = '<input semantic="JOINT" source=""/>' * n
    return ["check", write(folder, "a.dae", f"""<COLLADA version="1.4.1"><library_controllers>
<controller id="c"><skin>{sources}<joints>{inputs}</joints></skin></controller>
</library_controllers></COLLADA>""")]


def morphs_of_dae(folder, n):
    """Many morphs of a large geometry, whose target has one position more."""
    def geometry(name, count):
        return (f'<geometry id="{name}"><mesh><source id="{name}p"><float_array id="{name}a" '
                f'count="{count}">{"0 " * count}</float_array></source><vertices id="{name}v">'
                f'<input semantic="POSITION" source="#{name}p"/></vertices></mesh></geometry>')
    morphs = "".join(f"""<controller id="c{i}"><morph source="#g"><source id="t{i}">
<IDREF_array id="ta{i}" count="1">h</IDREF_array></source><targets>
<input semantic="MORPH_TARGET" source="#t{i}"/></targets></morph></controller>"""
                     for i in range(n // 8))
    return ["check", write(folder, "a.dae", f"""<COLLADA version="1.4.1"><library_geometries>
{geometry("g", 3 * n)}{geometry("h", 3 * n + 3)}</library_geometries><library_controllers>{morphs}
</library_controllers></COLLADA>""")]


def curves_of_dae(folder, n):
    """Samplers with curves that share their arrays."""
    def source(name, kind, words, stride):
        return (f'<source id="{name}"><{kind} id="{name}a" count="{len(words)}">{" ".join(words)}'
                f'</{kind}><technique_common><accessor source="#{name}a" '
                f'count="{len(words) // stride}" stride="{stride}"/></technique_common></source>')
    keys = n // 8
    times = [str(i) for i in range(keys)]
    tangents = [word for i in range(keys) for word in (str(i), str(i * 37 % 90))]
    sources = (source("t", "float_array", times, 1) + source("x", "float_array", times, 1) +
               source("i", "Name_array", ["BEZIER"] * keys, 1) +
               source("f", "float_array", tangents, 2) + source("o", "float_array", tangents, 2))
    samplers = "".join(f"""<sampler id="s{i}"><input semantic="INPUT" source="#t"/>
<input semantic="OUTPUT" source="#x"/><input semantic="INTERPOLATION" source="#i"/>
<input semantic="IN_TANGENT" source="#f"/><input semantic="OUT_TANGENT" source="#o"/></sampler>"""
                       for i in range(n // 8))
    return ["check", write(folder, "a.dae", f"""<COLLADA version="1.4.1"><library_animations>
<animation id="a">{sources}{samplers}</animation></library_animations></COLLADA>""")]


def frames_to_bck(folder, n):
    """One joint of a model whose motion cannot be simplified."""
    like = model_of_materials(folder, 1)
    frames = n // 2
    keys = [[f, f * 37 % 90, 1] for f in range(frames)]
    text = json.dumps({"format": "facet-j3d-animation", "kind": "bck", "frames": frames,
                       "rotation_shift": 1, "joints": [
                           {"scale": [1, 1, 1], "rotation": [keys, 0, 0],
                            "translation": [0, keys, 0]}]})
    facet("pack", folder / "a.bck", write(folder, "a.json", text))
    facet("convert", like, folder / "a.bck", folder / "b.glb", "--fps", 60)
    return ["convert", folder / "b.glb", folder / "b.bck", "--like", like, "--fps", 61]


ATTACKS = [obj_to_bsm, obj_to_glb, clusters, clusters_of_a_growing_mesh,
           clusters_of_equal_triangles, obj_to_bga, obj_to_binarymesh, obj_to_bmd, check_of_obj,
           soup_of_stl, ascii_ply, files_in_an_archive,
           T1_polygons_that_repeat_corners, T1_one_position_for_all_corners, T1_a_fan_of_triangles,
           T1_a_star_of_many_corners, chunks_of_a_cob_without_blanks,
           digits_far_from_the_origin, T2_bad_lines, T3_a_library_named_often, T3_missing_libraries,
           T3_missing_files_of_a_full_folder,
           T4_files_of_one_name, T5_an_occluder_of_a_flat_soup,
           T5_an_occluder_of_a_flat_star, T7_hulls_of_many_points,
           T7_a_hull_of_a_sphere, T7_a_hull_of_a_cone, T7_a_hull_of_a_grid,
           T7_a_hull_of_coplanar_points, T7_a_hull_of_collinear_points, T7_a_hull_of_equal_points,
           T6_materials_with_images, siblings_of_an_output, groups, parts_that_share_vertices, materials_to_bpx,
           attributes_of_gltf, texture_coordinate_sets_of_gltf, a_chain_of_nodes, nodes_of_one_name,
           parts_of_one_name, parts_without_nodes, meshes_to_dae, bounds_of_nodes_of_one_mesh, nodes_of_one_skin,
           materials_that_alternate_to_bmd,
           animation_of_many_joints, animation_of_many_shapes, animation_of_many_materials,
           channels_of_gltf, materials_to_bpk, frames_to_bpk, bpk_to_gltf, bva_and_back, frames_to_bck,
           comparing_grids, comparing_triangles_in_one_place,
           comparing_nodes_of_one_name, comparing_equally_far_triangles,
           check_of_extensions_of_gltf, empty_joint_sources_of_dae, morphs_of_dae,
           curves_of_dae]


def count_instructions(words):
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         text=True, errors="replace")
    found = re.search(r"Collected : (\d+)", run.stderr)
    if not found or run.returncode not in (0, 1):
        sys.exit(f"growth: {' '.join(map(str, words))}: status {run.returncode}\n"
                 f"{run.stderr[-2000:]}")
    return int(found.group(1))


# Attacks with much work per element begin with fewer.
STARTS = {materials_to_bpk: 1000, T3_missing_files_of_a_full_folder: 1000, comparing_triangles_in_one_place: 2000,
          **{attack: 16384 for attack in ATTACKS if attack.__name__.startswith("T7_a_hull")}}


def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    idle, faults = count_instructions([program, "--version"]), 0
    print(f"{'attack':32} {'n':>6} {'instructions':>14} {'2n':>14} {'4n':>14}  exponent")
    for attack in ATTACKS:
        if wanted and attack.__name__ not in wanted:
            continue
        counts = []
        start = STARTS.get(attack, 4000)
        for n in (start, 2 * start, 4 * start):
            with tempfile.TemporaryDirectory() as folder:
                words = attack(Path(folder), n)
                counts.append(count_instructions([program, *words, "-q"]) - idle)
        exponent = math.log2(counts[2] / counts[1])
        bad = exponent > MAX
        faults += bad
        print(f"{attack.__name__:32} {start:6} {counts[0]:14,} {counts[1]:14,} {counts[2]:14,}  "
              f"{exponent:5.2f}{'  TOO MUCH' if bad else ''}", flush=True)
    print(f"{faults} grow faster than n^{MAX}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    if not shutil.which("valgrind"):
        sys.exit("growth: valgrind is not there")
    main()
