"""memory.py FACET [NAME...]: check the memory that the program uses for a file.

Each attack creates a small file that tries to become large, and names a command. The measure is the
maximum resident memory (ru_maxrss of the process), minus that of a program that does nothing. It is
at most 16 times the input plus 32 MiB, for any result of the command, and no signal ends it. If an
output is necessarily large, the attack has its own limit and a reason. An attack is a function, as
in growth.py.
"""

import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import growth

MIB = 1 << 20
TIMES, PLUS = 16, 32 * MIB


def bpx_package(folder, zeros):
    """BPX-P version 1: a data section of zeros, 8.7 million entries of no bytes (M1)."""
    data, strings = zlib.compress(bytes(zeros), 9), b"a\0"
    head, count, entry = 40, 2, 24
    at = head + count * entry
    sections = [(at, len(data), zeros, zlib.crc32(bytes(zeros)), 1, 1),
                (at + len(data), len(strings), len(strings), zlib.crc32(strings), 0xFF, 0)]
    table = b"".join(struct.pack("<QIIIBBH", o, s, u, c, t, f, 0) for o, s, u, c, t, f in sections)
    body = table + data + strings
    header = (b"BPXP" + struct.pack("<I", zlib.crc32(body)) + struct.pack("<Q", head + len(body)) +
              struct.pack("<II", count, 1) + bytes(16))
    return growth.write(folder, "a.bpx", header + body)


def M1_package_of_zeros_info(folder):
    return ["info", "--json", bpx_package(folder, 104_000_000)]


def M1_package_of_zeros_check(folder):
    return ["check", bpx_package(folder, 104_000_000)]


def M2_baked_frames(folder):
    import base64
    import json
    data = (struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + struct.pack("<2f", 0, 1e6) +
            struct.pack("<6f", 0, 0, 0, 1, 1, 1) + struct.pack("<12B", *[0] * 12) +
            struct.pack("<12f", *[1, 0, 0, 0] * 3))
    views = [(0, 36), (36, 8), (44, 24), (68, 12), (80, 48)]
    text = json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "joint"}], "skins": [{"joints": [1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 3, "WEIGHTS_0": 4}}]}],
        "animations": [{"samplers": [{"input": 1, "output": 2}], "channels": [
            {"sampler": 0, "target": {"node": 1, "path": "translation"}}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0],
             "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0],
             "max": [1e6]},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"},
            {"bufferView": 3, "componentType": 5121, "count": 3, "type": "VEC4"},
            {"bufferView": 4, "componentType": 5126, "count": 3, "type": "VEC4"}],
        "bufferViews": [{"buffer": 0, "byteOffset": o, "byteLength": s} for o, s in views],
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," +
                     base64.b64encode(data).decode()}]})
    return ["convert", growth.write(folder, "a.gltf", text), folder / "a.bpx"]


def M3_unaligned_big_endian_ply(folder):
    head = (b"ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty uchar a\n"
            b"property float x\nproperty float y\nproperty float z\nelement face 1\n"
            b"property list uchar int vertex_indices\nend_header\n")
    data = b"".join(struct.pack(">Bfff", 1, x, y, 0) for x, y in ((0, 0), (1, 0), (0, 1)))
    return ["convert", growth.write(folder, "a.ply", head + data + struct.pack(">Biii", 3, 0, 1, 2)),
            folder / "a.glb"]


def lz4_of_zeros(size):
    """An LZ4 block that expands to this number of zeros: a literal, one match, five literals."""
    length = size - 6
    rest = length - 4 - 15
    match = b"\x1f\0" + struct.pack("<H", 1) + b"\xff" * (rest // 255) + bytes([rest % 255])
    return match + b"\x50" + bytes(5)


def empty_objects(folder, size):
    block = lz4_of_zeros(size)
    data = b"BINARYMESH" + struct.pack("<H", 4) + struct.pack("<QQ", size, len(block)) + block
    return growth.write(folder, "a.binarymesh", data)


def M4_empty_objects_check(folder):
    return ["check", empty_objects(folder, 16_000_000)]


def M4_empty_objects_convert(folder):
    return ["convert", empty_objects(folder, 16_000_000), folder / "a.obj"]


def M4_many_materials(folder):
    text = growth.TRIANGLE + "".join(f"usemtl m{i}\nf 1 2 3\n" for i in range(50_000))
    return ["convert", growth.write(folder, "a.obj", text), folder / "a.glb"]


def M4_many_lines(folder):
    return ["convert", growth.write(folder, "a.obj", growth.TRIANGLE + "l 1 2\n" * 100_000),
            folder / "a.glb"]


def M4_many_groups(folder):
    text = growth.TRIANGLE + "".join(f"g g{i}\nf 1 2 3\n" for i in range(50_000))
    return ["convert", growth.write(folder, "a.obj", text), folder / "a.bga"]


def M4_chain_of_nodes(folder):
    nodes = ",".join(f'{{"children":[{i + 1}]}}' for i in range(50_000)) + ",{}"
    text = f'{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}]}}'
    return ["info", "--json", growth.write(folder, "a.gltf", text)]


def M4_primitives_of_one_accessor(folder):
    """2,000 primitives of 6,000 vertices each."""
    points = [(i, i % 7, i % 3) for i in range(6000)]
    return ["info", growth.glb_of_points(folder, points, [{"attributes": {"POSITION": 0}}] * 2000,
                                         [{"mesh": 0}])]


def M4_nodes_of_one_skin(folder):
    """2,000 nodes of a skin with 2,000 joints."""
    return ["render", growth.nodes_of_one_skin(folder, 32_000)[1], folder / "a.png"]


def M4_compressed_views_of_the_same_bytes(folder):
    """A mesh of 2,000 vertices, whose compressed views are listed 3,000 times."""
    plain, packed = growth.write(folder, "a.obj", growth.grid(2000)), folder / "a.glb"
    subprocess.run([sys.argv[1], "convert", "-q", "--compress-mesh", plain, packed], check=True)
    data = packed.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20:20 + size])
    document["bufferViews"] += document["bufferViews"] * 3000
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I", len(text)) + b"JSON" + text + data[20 + size:]
    packed.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)
    return ["info", packed]


def M4_records_of_one_long_name(folder):
    """An IQM of 2,000 meshes whose names and materials are the same 200,000 letters."""
    text, count = b"\0" + b"m" * 200_000 + b"\0\0\0", 2000
    names, meshes = 124, 124 + len(text)
    arrays = meshes + 24 * count
    points, triangles = arrays + 20, arrays + 20 + 36
    header = struct.pack("<27I", 2, triangles + 12, 0, len(text), names, count, meshes, 1, 3, arrays,
                         1, triangles, *[0] * 15)
    return ["info", "--json", growth.write(
        folder, "a.iqm", b"INTERQUAKEMODEL\0" + header + text +
        struct.pack("<6I", 1, 1, 0, 3, 0, 1) * count + struct.pack("<5I", 0, 0, 7, 3, points) +
        struct.pack("<9f3I", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2))]


def M4_files_of_one_long_name(folder):
    """A U8 of 4,000 files whose names end in the same 80,000 letters."""
    count, names = 4000, b"\0" + b"a" * 80_000 + b"\0"
    size = 12 * (count + 1) + len(names)
    data = (0x20 + size + 31) // 32 * 32
    nodes = struct.pack(">III", 0x01000000, 0, count + 1) + b"".join(
        struct.pack(">III", 1 + 20 * i, data, 0) for i in range(count))
    return ["info", "--json", growth.write(folder, "a.arc", (
        struct.pack(">IIII16x", 0x55AA382D, 0x20, size, data) + nodes + names).ljust(data, b"\0"))]


def M4_many_files_of_one_model(folder):
    """Finished files wait for the last one without their buffers."""
    text = "".join(f"solid s{i}\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                   f"vertex 0 1 {i}\nendloop\nendfacet\nendsolid s{i}\n" for i in range(500))
    return ["convert", "--split", growth.write(folder, "a.stl", text), folder / "a.bsm"]


def M5_endless_input(folder):
    return ["check", "--memory-limit", "24", "-"]


def M6_view_of_a_surface(folder):
    """A wave of 320 x 320 fields, two triangles each, in a window of 1280 x 720 pixels."""
    side = 320
    head = (f"ply\nformat binary_little_endian 1.0\nelement vertex {(side + 1) ** 2}\n"
            "property float x\nproperty float y\nproperty float z\n"
            f"element face {2 * side * side}\nproperty list uchar int vertex_indices\nend_header\n")
    points = b"".join(struct.pack("<fff", x, y, 5 * math.sin(x / 9) * math.cos(y / 7))
                      for y in range(side + 1) for x in range(side + 1))
    faces = b"".join(struct.pack("<BiiiBiii", 3, at, at + 1, at + side + 1,
                                 3, at + 1, at + side + 2, at + side + 1)
                     for y in range(side) for at in range(y * (side + 1), y * (side + 1) + side))
    return ["view", "--frames", "5", "--json", growth.write(folder, "a.ply", head.encode() + points + faces)]


# Larger by nature, or by a known defect: TIMES the input, and the reason.
LARGER = {
    "M1": (16, 160 * MIB, "the section itself, 104 MB, is decompressed"),
    "M4_empty": (16, 64 * MIB, "the block itself, 16 MB, is decompressed"),
    "M4_many_materials": (96, PLUS, "a material of the scene is a public struct of 464 bytes, and "
                          "its primitive, accessor and material of glTF's JSON take twice as much: its two lines "
                          "have 22; and of large blocks that are released some stay. Lists of JSON grow in an arena, "
                          "where their former blocks stay"),
    "M4_compressed": (16, 40 * MIB, "the limit, 16 times the input and 32 MiB, is reached, and the "
                      "document has 8 MiB"),
    "M6": (4, 2 * 1280 * 720 * 4 + 64 * MIB, "the scene with normals is four times the file; two "
           "pictures, and 64 MiB for all else"),
    "M5": (16, 40 * MIB, "the 24 MiB of the option, and 16 for the program itself"),
}


# A new process inherits the resident memory of the one that forked it. This small one in between
# keeps the memory of the attack itself out of the measure.
RUN = """
import os, sys
child = os.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
sys.stdout.write(f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss * 1024}")
"""


def run(words, stdin):
    done = subprocess.run([sys.executable, "-S", "-c", RUN, *map(str, words)], stdin=stdin,
                          capture_output=True, check=False)
    status, peak = map(int, done.stdout.split()[-2:])
    return status, peak, done.stderr.decode(errors="replace")


# Attacks that end with this rule.
LIMITED = {"M4_primitives_of_one_accessor": "GROWTH-LIMIT",
           "M4_compressed_views_of_the_same_bytes": "GROWTH-LIMIT",
           "M4_records_of_one_long_name": "GROWTH-LIMIT", "M4_files_of_one_long_name": "GROWTH-LIMIT"}


def measure(facet, attack, idle):
    with tempfile.TemporaryDirectory() as name:
        words = attack(Path(name))
        size = sum(path.stat().st_size for path in Path(name).rglob("*"))
        endless = open("/dev/zero") if "-" in words else subprocess.DEVNULL
        status, peak, said = run([facet, *words], endless)
    times, plus, why = next((LARGER[key] for key in LARGER if attack.__name__.startswith(key)),
                            (TIMES, PLUS, ""))
    most = times * size + plus
    reached = LIMITED.get(attack.__name__, "") in said  # the code that the attack is for
    good = status >= 0 and peak - idle <= most and reached
    print(f"{'ok  ' if good else 'FAIL'} {attack.__name__:<34} {size:>9} bytes, "
          f"{(peak - idle) / MIB:7.1f} MiB of {most / MIB:7.1f}, status {status}"
          f"{'; ' + why if why else ''}")
    if not good:
        print(said[-300:])
    return good


def main():
    facet, names = sys.argv[1], sys.argv[2:]
    _, idle, _ = run([facet, "--version"], subprocess.DEVNULL)
    attacks = [value for key, value in globals().items() if key[0] == "M" and key[1].isdigit()]
    chosen = [a for a in attacks if not names or any(part in a.__name__ for part in names)]
    results = [measure(facet, attack, idle) for attack in chosen]
    print(f"{sum(results)} of {len(results)} within their limit; an idle program takes "
          f"{idle / MIB:.1f} MiB")
    return not all(results)


if __name__ == "__main__":
    sys.exit(main())
