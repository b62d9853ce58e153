"""A glTF that was converted back, and functions that check its content."""
import base64
import json
import math
import operator
import os
import struct
import urllib.parse
import zlib

from scenes import POSITIONS


class Back:
    """A glTF: a text or GLB file on the disk, or one that an independent reader built."""

    def __init__(self, path, made=None, blob=b''):
        self.path, self.json, self.blob = path, made, blob
        if made is None and path.endswith('.glb'):
            with open(path, 'rb') as file:
                data = file.read()
            size = struct.unpack_from('<I', data, 12)[0]
            self.json, self.blob = json.loads(data[20:20 + size]), data[20 + size + 8:]
        elif made is None:
            with open(path, encoding='utf-8') as file:
                self.json = json.load(file)
            uri = self.json.get('buffers', [{}])[0].get('uri')
            self.blob = self.content(uri) if uri else b''

    def content(self, uri):
        """The bytes of a data URI or of a file next to this one."""
        if uri.startswith('data:'):
            return base64.b64decode(uri.split(',', 1)[1])
        with open(os.path.join(os.path.dirname(self.path), urllib.parse.unquote(uri)), 'rb') as file:
            return file.read()

    def image(self, index):
        """The bytes of an image file."""
        image = self.json['images'][index]
        if 'uri' in image:
            return self.content(image['uri'])
        view = self.json['bufferViews'][image['bufferView']]
        start = view.get('byteOffset', 0)
        return self.blob[start:start + view['byteLength']]

    def rows(self, index):
        """The elements of an accessor as tuples. Normalized integers become fractions."""
        accessor = self.json['accessors'][index]
        if 'values' in accessor:  # an independent reader needs no bytes
            return accessor['values']
        view = self.json['bufferViews'][accessor['bufferView']]
        code, size = {5120: 'b1', 5121: 'B1', 5122: 'h2', 5123: 'H2', 5125: 'I4',
                      5126: 'f4'}[accessor['componentType']]
        count = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT4': 16}[accessor['type']]
        stride = view.get('byteStride', count * int(size))
        start = view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
        scale = {'B': 255, 'H': 65535, 'b': 127, 'h': 32767}.get(code, 1) \
            if accessor.get('normalized') else 1
        return [tuple(x / scale if scale > 1 else x for x in
                      struct.unpack_from(f'<{count}{code}', self.blob, start + i * stride))
                for i in range(accessor['count'])]

    def primitives(self):
        for mesh in self.json.get('meshes', []):
            yield from mesh['primitives']

    def attribute(self, name):
        """The rows of the first primitive that has the attribute, or None."""
        for primitive in self.primitives():
            if name in primitive['attributes']:
                return self.rows(primitive['attributes'][name])
        return None

    def material(self):
        """The material of the first primitive, or the default one."""
        primitive = next(self.primitives(), {})
        if 'material' not in primitive:
            return {}
        return self.json['materials'][primitive['material']]

    def parts(self):
        """(primitive, material) of all meshes."""
        for primitive in self.primitives():
            at = primitive.get('material')
            yield primitive, {} if at is None else self.json['materials'][at]

    def animated(self, path, time, name=None):
        """The value of the first channel of a path at a time, or None."""
        for animation in self.json.get('animations', []):
            for channel in animation['channels']:
                target = channel['target']
                if target.get('path') != path or name not in (
                        None, self.json['nodes'][target['node']].get('name')):
                    continue
                sampler = animation['samplers'][channel['sampler']]
                value = sampled(sampler.get('interpolation', 'LINEAR'),
                                [t[0] for t in self.rows(sampler['input'])],
                                self.rows(sampler['output']), time)
                return self.in_frame(target['node'], path, value)
        return None

    def in_frame(self, node, path, value):
        """A value of a node below the node 'frame', which rotates another up axis to +Y, converted
        to the axes above it. For a rotation, the quaternion with w >= 0."""
        parents = {child: i for i, n in enumerate(self.json['nodes'])
                   for child in n.get('children', [])}
        while node in parents:
            node = parents[node]
        top = self.json['nodes'][node]
        if path in ('translation', 'rotation') and top.get('name') == 'frame':
            x, y, z, w = top['rotation']
            u, v = (x, y, z), value[:3]
            dot, square = sum(map(operator.mul, u, v)), sum(a * a for a in u)
            cross = (y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0])
            value = tuple(2 * dot * a + (w * w - square) * b + 2 * w * c
                          for a, b, c in zip(u, v, cross)) + tuple(value[3:])
        return tuple(-a for a in value) if path == 'rotation' and value[3] < 0 else value

    def matrices(self):
        """Yield (node, matrix by rows) for all nodes of the scene."""
        def local(node):
            if 'matrix' in node:
                m = node['matrix']
                return [[m[c * 4 + r] for c in range(4)] for r in range(4)]
            x, y, z, w = node.get('rotation', [0, 0, 0, 1])
            s, t = node.get('scale', [1, 1, 1]), node.get('translation', [0, 0, 0])
            turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
            return [[turn[r][c] * s[c] for c in range(3)] + [t[r]] for r in range(3)] \
                + [[0, 0, 0, 1]]

        def times(a, b):
            return [[sum(a[r][k] * b[k][c] for k in range(4)) for c in range(4)] for r in range(4)]

        one = [[float(r == c) for c in range(4)] for r in range(4)]
        stack = [(i, one) for i in self.json['scenes'][self.json.get('scene', 0)].get('nodes', [])]
        while stack:
            index, above = stack.pop()
            node = self.json['nodes'][index]
            whole = times(above, local(node))
            yield node, whole
            stack += [(child, whole) for child in node.get('children', [])]

    def points(self):
        """All visible positions in the scene's axes, rounded and sorted."""
        found = set()
        places = list(self.matrices())
        globals_ = {id(node): m for node, m in places}
        for node, m in places:
            if 'mesh' not in node:
                continue
            if node.get('extensions', {}).get('KHR_node_visibility', {}).get('visible') is False:
                continue
            joints = self.joint_matrices(node['skin'], globals_) if 'skin' in node else None
            for primitive in self.json['meshes'][node['mesh']]['primitives']:
                skinned = joints and 'JOINTS_0' in primitive['attributes']
                followed = self.followed(primitive) if skinned else None
                for v, p in enumerate(self.rows(primitive['attributes']['POSITION'])):
                    shares = [(m, 1)] if not skinned else [(joints[j], w) for j, w in followed[v]]
                    found.add(tuple(round(sum(w * (sum(a[r][k] * p[k] for k in range(3)) + a[r][3])
                                              for a, w in shares), digits()) + 0.0
                                    for r in range(3)))
        return found

    def joint_matrices(self, skin, globals_):
        """Each joint's global matrix times its inverse bind matrix (glTF 2.0, 3.7.3.3)."""
        skin = self.json['skins'][skin]
        binds = self.rows(skin['inverseBindMatrices']) if 'inverseBindMatrices' in skin else None
        made = []
        for number, node in enumerate(skin['joints']):
            matrix = globals_[id(self.json['nodes'][node])]
            if binds:
                bind = [[binds[number][c * 4 + r] for c in range(4)] for r in range(4)]
                matrix = [[sum(matrix[r][k] * bind[k][c] for k in range(4)) for c in range(4)]
                          for r in range(4)]
            made.append(matrix)
        return made

    def followed(self, primitive):
        """Per vertex: its joints with their weights, whose sum is 1."""
        rows = []
        for number in range(8):
            if f'JOINTS_{number}' in primitive['attributes']:
                joints, weights = (self.rows(primitive['attributes'][f'{name}_{number}'])
                                   for name in ('JOINTS', 'WEIGHTS'))
                rows.append([list(zip(j, w)) for j, w in zip(joints, weights)])
        whole = [sum(parts, []) for parts in zip(*rows)]
        return [[(j, w / (sum(x for _, x in row) or 1)) for j, w in row if w] for row in whole]


def sampled(interpolation, times, rows, time):
    """Interpolate by glTF 2.0, appendix C. For near rotations, linear interpolation is as good as a
    slerp."""
    per_key = len(rows) // len(times)
    if interpolation != 'CUBICSPLINE' and per_key > 1:  # morph weights: one row per target
        rows = [sum(rows[i * per_key:(i + 1) * per_key], ()) for i in range(len(times))]
    after = next((i for i, t in enumerate(times) if t > time), None)
    if after is None or after == 0:
        at = 0 if after == 0 else len(times) - 1
        return rows[at * 3 + 1] if interpolation == 'CUBICSPLINE' else rows[at]
    t = (time - times[after - 1]) / (times[after] - times[after - 1])
    if interpolation == 'STEP':
        return rows[after - 1]
    if interpolation == 'LINEAR':
        return tuple(a + (b - a) * t for a, b in zip(rows[after - 1], rows[after]))
    step = times[after] - times[after - 1]
    p0, m0, m1, p1 = (rows[after * 3 - 2], rows[after * 3 - 1], rows[after * 3], rows[after * 3 + 1])
    return tuple((2 * t**3 - 3 * t**2 + 1) * a + step * (t**3 - 2 * t**2 + t) * u
                 + (3 * t**2 - 2 * t**3) * b + step * (t**3 - t**2) * v
                 for a, u, v, b in zip(p0, m0, m1, p1))


def png_pixels(data):
    """Return (width, height, channels, rows of values from 0 to 1) of a PNG without interlacing.
    Gray pictures have 8 or 16 bits."""
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, packed, palette = 8, b'', None
    while at < len(data):
        size, kind = struct.unpack_from('>I4s', data, at)
        body = data[at + 8:at + 8 + size]
        if kind == b'IHDR':
            width, height, bits, color = struct.unpack_from('>IIBB', body)
        elif kind == b'PLTE':
            palette = body
        elif kind == b'IDAT':
            packed += body
        at += 12 + size
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    unit, raw, above, rows = max(1, channels * bits // 8), zlib.decompress(packed), None, []
    stride = (width * channels * bits + 7) // 8
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        above = above or bytearray(stride)
        for x in range(stride):
            a, b = line[x - unit] if x >= unit else 0, above[x]
            c = above[x - unit] if x >= unit else 0
            paeth = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[x] = (line[x] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
        above = line
        rows.append(line)
    if color == 3:
        rows = [[i >> shift & (1 << bits) - 1 for i in line
                 for shift in range(8 - bits, -1, -bits)][:width] for line in rows]
        return width, height, 3, [[v / 255 for i in line for v in palette[i * 3:i * 3 + 3]]
                                  for line in rows]
    if bits == 16:
        return width, height, channels, [[v / 65535 for v in struct.unpack(
            f'>{width * channels}H', line)] for line in rows]
    return width, height, channels, [[v / 255 for v in line] for line in rows]


class Exact:
    """Inside `with Exact()`, comparisons allow only the rounding of a 32-bit number that is written
    as text."""
    ROUNDING = 1e-5
    on = False

    def __enter__(self):
        Exact.on = True

    def __exit__(self, *_):
        Exact.on = False


def near(a, b, tolerance=0.01):
    tolerance = min(tolerance, Exact.ROUNDING) if Exact.on else tolerance
    return a is not None and b is not None and len(a) == len(b) and \
        all(math.isclose(x, y, abs_tol=tolerance) for x, y in zip(a, b))


def digits():
    """Number of decimals for the comparison of positions."""
    return 5 if Exact.on else 3


def pbr(key, default):
    return lambda b: b.material().get('pbrMetallicRoughness', {}).get(key, default)


def placed(move=lambda p: p, unit=1):
    def look(b):
        return b.points() == {tuple(round(x * unit, digits()) + 0.0 for x in move(p))
                              for p in POSITIONS}
    return look


def texture_of(material, slot):
    at = material.get('pbrMetallicRoughness', {}) if slot in (
        'baseColorTexture', 'metallicRoughnessTexture') else material
    return at.get(slot)


def picture_of(b, info):
    """The image file of a texture, also if an extension names the image."""
    texture = b.json['textures'][info['index']]
    sources = [texture.get('source')] + [e.get('source') for e in texture.get('extensions', {}).values()]
    return next((b.image(i) for i in sources if i is not None), None)


def has_texture(slot, pixel=None):
    """Check that the slot has an image. A pixel, R G B from 0 to 1, is its first one as PNG."""
    def look(b):
        if pixel is None:
            info = texture_of(b.material(), slot)
            return bool(info and picture_of(b, info))
        return near((pixels_of(b, slot) or [None])[0], pixel)
    return look


def has_pixels(slot, expected, tolerance):
    """All pixels of the slot's image, R G B from 0 to 1."""
    def look(b):
        found = pixels_of(b, slot)
        return len(found) == len(expected) and all(
            near(a, e, tolerance) for a, e in zip(found, expected))
    return look


def pixels_of(b, slot):
    """R G B of the pixels of a slot's image, which is a PNG. Empty without an image."""
    info = texture_of(b.material(), slot)
    data = picture_of(b, info) if info else None
    if not data:
        return []
    width, _, channels, rows = png_pixels(data)
    return [tuple(row[x * channels:x * channels + 3] if channels > 2 else row[x * channels:][:1] * 3)
            for row in rows for x in range(width)]


def info_of(slot, look):
    def inner(b):
        info = texture_of(b.material(), slot)
        return bool(info) and look(b, info)
    return inner


def sees_uv(slot, expected):
    """Check that a vertex has these coordinates of the texture, after the texture transform."""
    def look(b, info):
        given = info.get('extensions', {}).get('KHR_texture_transform', {})
        (x, y), (w, h), r = given.get('offset', (0, 0)), given.get('scale', (1, 1)), given.get(
            'rotation', 0)
        rows = b.attribute(f"TEXCOORD_{given.get('texCoord', info.get('texCoord', 0))}")
        seen = [(x + math.cos(r) * u * w + math.sin(r) * v * h,
                 y - math.sin(r) * u * w + math.cos(r) * v * h) for u, v in rows or []]
        return any(near(uv, expected) for uv in seen)
    return info_of(slot, look)


def sampler_of(b, info):
    texture = b.json['textures'][info['index']]
    return b.json['samplers'][texture['sampler']] if 'sampler' in texture else {}


def extension(name):
    return lambda b: name in b.material().get('extensions', {})


def any_node(look):
    return lambda b: any(look(node) for node in b.json.get('nodes', []))


def moves(path, time, value, name=None):
    return lambda b: near(b.animated(path, time, name), value)


def any_row(name, row, tolerance=0.02):
    """Check that some vertex has this value."""
    return lambda b: any(near(found[:len(row)], row, tolerance) for found in b.attribute(name) or [])


def is_painted(mode):
    """Check that the primitives of a mode, 0 or 1, are red at the square and blue at its right."""
    def look(b):
        found = {tuple(m.get('pbrMetallicRoughness', {}).get('baseColorFactor', (1, 1, 1, 1))):
                 {x > 2 for x, _, _ in b.rows(p['attributes']['POSITION'])}
                 if 'indices' not in p else
                 {b.rows(p['attributes']['POSITION'])[i][0] > 2 for i, in b.rows(p['indices'])}
                 for p, m in b.parts() if p.get('mode') == mode}
        return found == {(1, 0, 0, 1): {False}, (0, 0, 1, 1): {True}}
    return look


def named(kind, *names):
    """Check that all names exist, of nodes, meshes, materials, animations or scenes."""
    return lambda b: set(names) <= {x.get('name') for x in b.json.get(kind, [])}


def both(*looks):
    return lambda b: all(look(b) for look in looks)


def joint_weights(b):
    """For each vertex of the skinned meshes: {name of the joint: weight}, without zeros."""
    found = []
    for node in b.json.get('nodes', []):
        if 'skin' not in node or 'mesh' not in node:
            continue
        joints = b.json['skins'][node['skin']]['joints']
        for primitive in b.json['meshes'][node['mesh']]['primitives']:
            attributes = primitive['attributes']
            sets = [(b.rows(attributes[f'JOINTS_{i}']), b.rows(attributes[f'WEIGHTS_{i}']))
                    for i in range(8) if f'JOINTS_{i}' in attributes]
            for vertex in range(len(sets[0][0]) if sets else 0):
                weights = {}
                for who, much in sets:
                    for j, w in zip(who[vertex], much[vertex]):
                        if w > 0:
                            name = b.json['nodes'][joints[j]].get('name')
                            weights[name] = weights.get(name, 0) + w
                found.append(weights)
    return found


def weighs(expected, tolerance=0.01):
    """Check that each vertex has these weights by names of joints."""
    def look(b):
        found = joint_weights(b)
        return bool(found) and all(
            set(v) == set(expected) and near(list(v.values()), [expected[k] for k in v], tolerance)
            for v in found)
    return look


def keeps_looks(name, textures=(), **values):
    def look(b):
        found = b.material().get('extensions', {}).get('KHR_materials_' + name)
        if found is None or 'KHR_materials_' + name not in b.json.get('extensionsUsed', []):
            return False
        for key, value in values.items():
            pair = (found.get(key), value) if isinstance(value, list) else ([found.get(key)], [value])
            if None in pair[0] or not near(pair[0], pair[1], 1e-6):
                return False
        return all(slot in found and found[slot].get('texCoord') == 1
                   and sampler_of(b, found[slot]).get('wrapS') == 33071
                   and sampler_of(b, found[slot]).get('wrapT') == 33648
                   and sampler_of(b, found[slot]).get('magFilter') == 9728
                   and near(found[slot]['extensions']['KHR_texture_transform'].get('scale'), (2, 4))
                   for slot in textures)
    return look


def keeps_variants(b):
    names = [v['name'] for v in b.json.get('extensions', {}).get(
        'KHR_materials_variants', {}).get('variants', [])]
    shown = {}
    for primitive in b.primitives():
        for mapping in primitive.get('extensions', {}).get(
                'KHR_materials_variants', {}).get('mappings', []):
            for variant in mapping['variants']:
                shown[variant] = b.json['materials'][mapping['material']]['name']
    return names == ['clean', 'dusty'] and shown == {0: 'paint', 1: 'dust'}


def keeps_xmp(b):
    return 'KHR_xmp_json_ld' in b.json.get('extensionsUsed', []) \
        and b.json['asset'].get('extensions', {}).get('KHR_xmp_json_ld') == {'packet': 0} \
        and b.json.get('extensions', {}).get('KHR_xmp_json_ld', {}).get('packets', [{}])[0].get(
            'dc:creator') == {'@list': ['A']}
