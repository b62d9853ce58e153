"""Readers that share no code with Facet: they convert a file to the glTF that `Back` checks.

Each implements the part of its specification that the features need. `READERS` lists the features
that the reader of each format supports. For other features Facet's own reader is used.
"""
import os
import re
import struct
import xml.etree.ElementTree as xml
import zlib

from back import Back


class Made:
    """A glTF under construction whose accessors contain their rows."""

    def __init__(self, path):
        self.path = path
        self.json = {'scene': 0, 'scenes': [{'nodes': []}], 'nodes': [], 'meshes': [],
                     'materials': [], 'accessors': [], 'textures': [], 'images': []}

    def accessor(self, rows):
        self.json['accessors'].append({'values': rows, 'count': len(rows)})
        return len(self.json['accessors']) - 1

    def mesh(self, name, primitives):
        """`primitives`: ({attribute: rows}, material or None, mode)."""
        made = []
        for attributes, material, mode in primitives:
            primitive = {'attributes': {k: self.accessor(v) for k, v in attributes.items()},
                         'mode': mode}
            if material is not None:
                primitive['material'] = material
            made.append(primitive)
        self.json['meshes'].append({'name': name, 'primitives': made})
        return len(self.json['meshes']) - 1

    def node(self, **values):
        self.json['nodes'].append(values)
        return len(self.json['nodes']) - 1

    def show(self, mesh, name=None):
        self.json['scenes'][0]['nodes'].append(self.node(name=name, mesh=mesh))

    def texture(self, file):
        self.json['images'].append({'uri': file})
        self.json['textures'].append({'source': len(self.json['images']) - 1})
        return {'index': len(self.json['textures']) - 1}

    def done(self):
        return Back(self.path, self.json)


def linear(value):
    """sRGB to linear (IEC 61966-2-1)."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


# -- OBJ ----------------------------------------------------------------------

def read_mtl(made, path):
    """{name: index}. Reads Kd, d, Ke, Pr, Pm and the maps of base color, emission and normals."""
    found, material = {}, None
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    for line in lines:
        word, _, rest = line.strip().partition(' ')
        if word == 'newmtl':
            material = {'name': rest, 'pbrMetallicRoughness': {'metallicFactor': 0, 'roughnessFactor': 1,
                                                               'baseColorFactor': [1, 1, 1, 1]}}
            found[rest] = len(made.json['materials'])
            made.json['materials'].append(material)
        if not material:
            continue
        pbr = material['pbrMetallicRoughness']
        if word == 'Kd':
            pbr['baseColorFactor'][:3] = map(float, rest.split())
        elif word == 'd':
            pbr['baseColorFactor'][3] = float(rest)
            material['alphaMode'] = 'BLEND' if float(rest) < 1 else 'OPAQUE'
        elif word == 'Ke':
            material['emissiveFactor'] = [float(v) for v in rest.split()]
        elif word == 'illum' and rest == '0':
            material['extensions'] = {'KHR_materials_unlit': {}}
        elif word in ('Pr', 'Pm'):
            pbr['roughnessFactor' if word == 'Pr' else 'metallicFactor'] = float(rest)
        elif word.startswith('map_') or word == 'norm':
            slot = {'map_Kd': 'baseColorTexture', 'map_Ke': 'emissiveTexture',
                    'norm': 'normalTexture'}.get(word)
            if slot:
                (pbr if slot == 'baseColorTexture' else material)[slot] = made.texture(
                    re.sub(r'-(bm|clamp) \S+ |-[os] \S+ \S+ \S+ ', '', rest))
    return found


def read_obj(path):
    made, lists = Made(path), {'v': [], 'vt': [], 'vn': []}
    names, parts, shape, paint = {}, {}, '', None
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    for line in lines:
        word, _, rest = line.strip().partition(' ')
        if word == 'mtllib':
            names = read_mtl(made, os.path.join(os.path.dirname(path), rest))
        elif word in lists:
            lists[word].append([float(v) for v in rest.split()])
        elif word == 'o':
            shape = rest
        elif word == 'usemtl':
            paint = names.get(rest)
        elif word in ('f', 'l', 'p'):
            corners = [[int(i) if i else None for i in corner.split('/')] for corner in rest.split()]
            corners = [c + [None] * (3 - len(c)) for c in corners]
            given = tuple(c is not None for c in corners[0])
            parts.setdefault((shape, paint, {'f': 4, 'l': 1, 'p': 0}[word], given), []).append(corners)
    meshes = {}
    for (name, material, mode, _), elements in parts.items():
        corners = [c for e in elements for c in e]
        attributes = {'POSITION': [tuple(lists['v'][c[0] - 1][:3]) for c in corners]}
        if len(lists['v'][0]) >= 6:
            attributes['COLOR_0'] = [tuple(map(linear, lists['v'][c[0] - 1][3:6])) for c in corners]
        if all(c[1] for c in corners):
            attributes['TEXCOORD_0'] = [(lists['vt'][c[1] - 1][0], 1 - lists['vt'][c[1] - 1][1])
                                        for c in corners]
        if all(c[2] for c in corners):
            attributes['NORMAL'] = [tuple(lists['vn'][c[2] - 1]) for c in corners]
        meshes.setdefault(name, []).append((attributes, material, mode))
    for name, primitives in meshes.items():
        made.show(made.mesh(name, primitives), name)
    return made.done()


# -- PLY and STL --------------------------------------------------------------

def read_ply(path):
    made = Made(path)
    with open(path, 'rb') as file:
        head, data = file.read().split(b'end_header\n', 1)
    codes = {'char': 'b', 'uchar': 'B', 'short': 'h', 'ushort': 'H', 'int': 'i', 'uint': 'I',
             'float': 'f', 'double': 'd'}
    elements, at = [], 0
    for line in head.decode().split('\n'):
        words = line.split()
        if words[:1] == ['element']:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ['property']:
            elements[-1][2].append((words[-1], words[1:-1]))
    table = {}
    for name, count, properties in elements:
        rows = table[name] = []
        for _ in range(count):
            row = {}
            for key, kind in properties:
                if kind[0] == 'list':
                    size = struct.unpack_from('<' + codes[kind[1]], data, at)[0]
                    at += struct.calcsize(codes[kind[1]])
                    row[key] = struct.unpack_from(f'<{size}{codes[kind[2]]}', data, at)
                    at += size * struct.calcsize(codes[kind[2]])
                else:
                    row[key] = struct.unpack_from('<' + codes[kind[0]], data, at)[0]
                    at += struct.calcsize(codes[kind[0]])
            rows.append(row)
    vertices = table['vertex']
    attributes = {'POSITION': [(v['x'], v['y'], v['z']) for v in vertices]}
    if vertices and 'nx' in vertices[0]:
        attributes['NORMAL'] = [(v['nx'], v['ny'], v['nz']) for v in vertices]
    if vertices and 'red' in vertices[0]:
        attributes['COLOR_0'] = [tuple(linear(v[c] / 255) for c in ('red', 'green', 'blue'))
                                 + (v.get('alpha', 255) / 255,) for v in vertices]
    for pair in (('s', 't'), ('u', 'v'), ('texture_u', 'texture_v')):
        if vertices and pair[0] in vertices[0]:
            attributes['TEXCOORD_0'] = [(v[pair[0]], 1 - v[pair[1]]) for v in vertices]
    made.show(made.mesh('', [(attributes, None, 4 if table.get('face') else 0)]))
    return made.done()


def read_stl(path):
    made = Made(path)
    with open(path, 'rb') as file:
        data = file.read()
    count = struct.unpack_from('<I', data, 80)[0]
    assert len(data) == 84 + 50 * count
    rows = [struct.unpack_from('<12f', data, 84 + 50 * i) for i in range(count)]
    made.show(made.mesh('', [({
        'POSITION': [r[k:k + 3] for r in rows for k in (3, 6, 9)],
        'NORMAL': [r[:3] for r in rows for _ in range(3)]}, None, 4)]))
    return made.done()


# -- BSM ----------------------------------------------------------------------

def read_bsm(path):
    made = Made(path)
    with open(path, 'rb') as file:
        data = file.read()
    assert data[:16] == b'BINARYSTATICMESH'
    count, positions, texcoords, normals, tangents, _, triangles, meshes, mesh = struct.unpack_from(
        '<9i', data, 0x40)

    def rows(at, n, width, code='f'):
        return [struct.unpack_from(f'<{width}{code}', data, at + i * width * 4) for i in range(n)]

    whole = {'POSITION': rows(positions, count, 3), 'NORMAL': rows(normals, count, 3),
             'TEXCOORD_0': [(u, 1 - v) for u, v in rows(texcoords, count, 2)],
             'TANGENT': rows(tangents, count, 4)}
    primitives = []
    for i in range(meshes):
        first, size = struct.unpack_from('<2i', data, mesh + i * 264)
        name = data[mesh + i * 264 + 8:mesh + i * 264 + 264].split(b'\0')[0].decode()
        corners = [v for t in rows(triangles + first * 12, size, 3, 'i') for v in t]
        made.json['materials'].append({'name': name, 'pbrMetallicRoughness': {'metallicFactor': 0}})
        primitives.append(({k: [v[c] for c in corners] for k, v in whole.items()}, i, 4))
    made.show(made.mesh('', primitives))
    return made.done()


# -- IQM ----------------------------------------------------------------------

def upright(x, y, z):
    """+Z up to +Y up."""
    return x, z, -y


def transform(values):
    """Translation, rotation and scale of a joint, with +Y up and w >= 0."""
    x, y, z, w = values[3:7]
    turn = upright(x, y, z) + (w,)
    return {'translation': upright(*values[:3]), 'scale': [values[7], values[9], values[8]],
            'rotation': tuple(-v for v in turn) if w < 0 else turn}


class Iqm:
    """Version 2. The skeleton becomes nodes and a skin, frames become clips. Vertices are in the
    base pose."""
    COMPONENTS = 'bBhHiIefd'

    def __init__(self, path):
        with open(path, 'rb') as file:
            self.data = file.read()
        assert self.data[:16] == b'INTERQUAKEMODEL\0'
        (version, size, _, text_size, text, self.mesh_count, self.meshes, self.array_count,
         self.vertex_count, self.arrays, _, self.triangles, _, self.joint_count, self.joints,
         self.pose_count, self.poses, self.clip_count, self.clips, self.frame_count,
         self.channels, self.frames, _, _, _, _, _) = struct.unpack_from('<27I', self.data, 16)
        assert version == 2 and size == len(self.data)
        self.text = self.data[text:text + text_size]
        self.made = Made(path)

    def name(self, at):
        return self.text[at:self.text.index(b'\0', at)].decode()

    def rows(self, at, count, form):
        size = struct.calcsize('<' + form)
        return [struct.unpack_from('<' + form, self.data, at + i * size) for i in range(count)]

    def vertices(self):
        """Attributes by glTF's names: one row per vertex."""
        found = {}
        for kind, _, form, width, at in self.rows(self.arrays, self.array_count, '5I'):
            rows = self.rows(at, self.vertex_count, f'{width}{self.COMPONENTS[form]}')
            if kind == 0:
                found['POSITION'] = [upright(*row) for row in rows]
            elif kind == 1:
                found['TEXCOORD_0'] = rows
            elif kind == 2:
                found['NORMAL'] = [upright(*row) for row in rows]
            elif kind == 3:
                found['TANGENT'] = [upright(*row[:3]) + row[3:] for row in rows]
            elif kind == 4:
                found['JOINTS_0'] = rows
            elif kind == 5:
                assert all(sum(row) == 255 for row in rows)
                found['WEIGHTS_0'] = [[value / 255 for value in row] for row in rows]
            elif kind == 6:
                found['COLOR_0'] = [[linear(v / 255) for v in row[:3]] + [row[3] / 255]
                                    for row in rows]
            else:
                found['_' + self.name(kind - 16).lstrip('_')] = rows
        return found

    def skeleton(self):
        """The joints as nodes, and the skin of all meshes."""
        for name, parent, *values in self.rows(self.joints, self.joint_count, 'Ii10f'):
            node = self.made.node(name=self.name(name), **transform(values))
            assert parent < node  # parents come first
            if parent < 0:
                self.made.json['scenes'][0]['nodes'].append(node)
            else:
                self.made.json['nodes'][parent].setdefault('children', []).append(node)
        if self.joint_count:
            self.made.json['skins'] = [{'joints': list(range(self.joint_count))}]

    def channels_of(self, frame):
        """The ten channels of each pose in a frame."""
        numbers = iter(self.rows(self.frames + frame * self.channels * 2, self.channels, 'H'))
        for _, mask, *values in self.rows(self.poses, self.pose_count, 'iI20f'):
            yield [values[c] + (values[10 + c] * next(numbers)[0] if mask >> c & 1 else 0)
                   for c in range(10)]
        assert next(numbers, None) is None

    def motion(self):
        self.made.json['animations'] = []
        for name, first, count, rate, _ in self.rows(self.clips, self.clip_count, '3IfI'):
            frames = [[transform(values) for values in self.channels_of(first + f)]
                      for f in range(count)]
            times = self.made.accessor([(f / rate,) for f in range(count)])
            clip = {'name': self.name(name), 'samplers': [], 'channels': []}
            for joint in range(self.pose_count):
                for path in ('translation', 'rotation', 'scale'):
                    rows = [tuple(frame[joint][path]) for frame in frames]
                    if all(row == rows[0] for row in rows):
                        continue
                    clip['channels'].append({'sampler': len(clip['samplers']),
                                             'target': {'node': joint, 'path': path}})
                    clip['samplers'].append({'input': times, 'output': self.made.accessor(rows)})
            self.made.json['animations'].append(clip)

    def read(self):
        whole = self.vertices()
        self.skeleton()
        self.motion()
        for i, record in enumerate(self.rows(self.meshes, self.mesh_count, '6I')):
            name, material, first_vertex, vertices, first, count = record
            corners = []
            for a, b, c in self.rows(self.triangles + first * 12, count, '3I'):
                assert all(first_vertex <= v < first_vertex + vertices for v in (a, b, c))
                corners += [a, c, b]  # clockwise in the file
            self.made.json['materials'].append({'name': self.name(material),
                                                'pbrMetallicRoughness': {'metallicFactor': 0}})
            attributes = {k: [v[c] for c in corners] for k, v in whole.items()}
            mesh = self.made.mesh(self.name(name), [(attributes, i, 4)])
            self.made.show(mesh, self.name(name))
            if self.joint_count:
                self.made.json['nodes'][-1]['skin'] = 0
        return self.made.done()


def read_iqm(path):
    return Iqm(path).read()


# -- BGA ----------------------------------------------------------------------

def read_bga(path):
    made = Made(path)
    with open(path, 'rb') as file:
        data = file.read()
    end = data.index(b'\n\n') + 2
    buffers, counts, names = {}, {}, {}
    for line in data[:end].decode().split('\n')[2:]:
        comment = line.partition('//')[2].split()
        words = re.split(r'[ .\[\]]+', line.partition('//')[0].strip())
        if comment[:1] == ['material']:
            names[int(comment[1])] = comment[2]
        if words[0].isdigit():
            counts[words[1]] = int(words[0])
        elif words[0]:
            kind, size = re.fullmatch(r'(float|vec|uint8|uint16|uint32)([234]?)', words[0]).groups()
            code = {'float': 'f', 'vec': 'f', 'uint8': 'B', 'uint16': 'H', 'uint32': 'I'}[kind]
            width = int(size or 1) * int(words[3] if len(words) > 3 and words[3] else 1)
            buffers.setdefault(words[1], []).append((words[2], code, width))
    at, tables = end, {}
    for buffer, count in counts.items():
        sizes = [struct.calcsize(code) for _, code, _ in buffers[buffer]]
        at += -at % max(sizes)
        stride = sum(size * a[2] for size, a in zip(sizes, buffers[buffer]))
        offset = at
        for size, (name, code, width) in zip(sizes, buffers[buffer]):
            tables[buffer, name] = [struct.unpack_from(f'<{width}{code}', data, offset + i * stride)
                                    for i in range(count)]
            offset += size * width
        at += stride * count
    words = {'position': 'POSITION', 'normal': 'NORMAL', 'tangent': 'TANGENT', 'color': 'COLOR_0',
             'uv': 'TEXCOORD_0'}
    whole = {words.get(n, n): rows for (b, n), rows in tables.items() if b == 'vertex'}
    if 'TEXCOORD_0' in whole:
        whole['TEXCOORD_0'] = [(u, 1 - v) for u, v in whole['TEXCOORD_0']]
    cells = tables.get(('triangle', 'cell'), [])
    slots = [m[0] for m in tables.get(('face', 'material'), [])] or [0] * len(cells)
    primitives = []
    for slot in sorted(set(slots)):
        made.json['materials'].append({'name': names.get(slot, '')})
        corners = [v for cell, m in zip(cells, slots) if m == slot for v in cell]
        primitives.append(({k: [v[c] for c in corners] for k, v in whole.items()},
                           len(primitives), 4))
    made.show(made.mesh('', primitives))
    return made.done()


# -- BinaryMesh ---------------------------------------------------------------

def unpack_lz4(data, size):
    """Decode a block of LZ4 (the block format's description)."""
    out, at = bytearray(), 0
    while at < len(data):
        token, at = data[at], at + 1

        def length(short, at):
            if short == 15:
                while True:
                    short, at = short + data[at], at + 1
                    if data[at - 1] != 255:
                        break
            return short, at

        count, at = length(token >> 4, at)
        out += data[at:at + count]
        at += count
        if at == len(data):
            break
        back, at = struct.unpack_from('<H', data, at)[0], at + 2
        count, at = length(token & 15, at)
        for _ in range(count + 4):
            out.append(out[-back])
    assert len(out) == size
    return bytes(out)


def read_binarymesh(path):
    made = Made(path)
    with open(path, 'rb') as file:
        file = file.read()
    assert file[:12] == b'BINARYMESH\4\0'
    data, at = b'', 12
    while at < len(file):
        size, packed = struct.unpack_from('<QQ', file, at)
        data += unpack_lz4(file[at + 16:at + 16 + packed], size)
        at += 16 + packed
    at = 0

    def take(form):
        nonlocal at
        found = struct.unpack_from('<' + form, data, at)
        at += struct.calcsize('<' + form)
        return found

    def text():
        return take(f'{take("H")[0]}s')[0].decode()

    while at < len(data):
        name = text()
        positions, normals, uvs = ([take(f'{width}f') for _ in range(take('I')[0])]
                                   for width in (3, 3, 2))
        slots = [text() for _ in range(take('H')[0])]
        parts, first = {}, len(made.json['materials'])
        made.json['materials'] += [{'name': slot} for slot in slots]
        for _ in range(take('I')[0]):
            corners = [take('3I') for _ in range(take('H')[0])]
            parts.setdefault((take('H')[0], corners[0][1] < 2**32 - 1, corners[0][2] < 2**32 - 1),
                             []).extend(corners)
        primitives = []
        for (slot, smooth, mapped), corners in parts.items():
            attributes = {'POSITION': [positions[c[0]] for c in corners]}
            if smooth:
                attributes['NORMAL'] = [normals[c[1]] for c in corners]
            if mapped:
                attributes['TEXCOORD_0'] = [(uvs[c[2]][0], 1 - uvs[c[2]][1]) for c in corners]
            primitives.append((attributes, first + slot if slot < len(slots) else None, 4))
        made.show(made.mesh(name, primitives), name)
    return made.done()


# -- BPX ----------------------------------------------------------------------

def read_bpx(path):
    """A model. The first three floats are the position, the next three the normal, and two are
    coordinates. +X is left, +Y forward and +Z up. In glTF these are left, up and forward."""
    made = Made(path)
    with open(path, 'rb') as file:
        data = file.read()
    assert data[:4] == b'BPXM' and data[18] == 0
    assert struct.unpack_from('<I', data, 4)[0] == zlib.crc32(data[:4] + data[8:])
    parts = []
    for i in range(struct.unpack_from('<H', data, 16)[0]):
        at, size, kind, flags = struct.unpack_from('<QIBB', data, 24 + 16 * i)
        body = data[at:at + size]
        parts.append((kind, zlib.decompress(body) if flags & 2 else body))
    strings = next((b for k, b in parts if k == 5), b'\0')
    layout = next(b for k, b in parts if k == 0)
    stride, count = struct.unpack_from('<HB', layout)
    widths = [code >> 4 for code in layout[4:4 + count] if code & 15 == 1]
    primitives = []
    for kind, body in parts:
        if kind != 1:
            continue
        name, vertices = struct.unpack_from('<2I', body)
        name = strings[name:].split(b'\0')[0].decode()
        made.json['materials'].append({'name': name, 'pbrMetallicRoughness': {'metallicFactor': 0}})
        attributes, offset, sets = {}, 8, 0
        for number, width in enumerate(widths):
            rows = [struct.unpack_from(f'<{width}f', body, offset + v * stride)
                    for v in range(vertices)]
            offset += width * 4
            if width == 3 and number < 2:
                attributes['NORMAL' if number else 'POSITION'] = [(x, z, y) for x, y, z in rows]
            elif width == 2:
                attributes[f'TEXCOORD_{sets}'] = rows
                sets += 1
        primitives.append((attributes, len(made.json['materials']) - 1, 4))
    made.show(made.mesh('', primitives))
    return made.done()


# -- COLLADA ------------------------------------------------------------------

NS = '{http://www.collada.org/2005/11/COLLADASchema}'


class Collada:
    """COLLADA 1.4.1, as far as one mesh with its transform, material and animation needs it."""

    def __init__(self, path):
        self.made, self.root = Made(path), xml.parse(path).getroot()
        self.by_id = {e.get('id'): e for e in self.root.iter() if e.get('id')}
        self.materials = {}
        for element in self.root.iter(NS + 'material'):
            self.materials[element.get('id')] = len(self.made.json['materials'])
            self.made.json['materials'].append(self.material(element))
        for node in self.root.find(f'{NS}library_visual_scenes/{NS}visual_scene'):
            if node.tag == NS + 'node':
                self.made.json['scenes'][0]['nodes'].append(self.node(node))

    def at(self, url):
        return self.by_id[url.lstrip('#')]

    def numbers(self, url):
        """The rows of a source."""
        source = self.at(url)
        accessor = source.find(f'{NS}technique_common/{NS}accessor')
        values = [float(v) for v in (self.at(accessor.get('source')).text or '').split()]
        stride = int(accessor.get('stride', 1))
        return [tuple(values[i:i + stride]) for i in range(0, len(values), stride)]

    def material(self, element):
        effect = self.at(element.find(NS + 'instance_effect').get('url'))
        made = {'name': element.get('name') or element.get('id'), 'pbrMetallicRoughness': {
            'metallicFactor': 0, 'baseColorFactor': [1, 1, 1, 1]}}
        params = {p.get('sid'): p for p in effect.iter(NS + 'newparam')}
        for slot, key in (('diffuse', 'baseColorTexture'), ('emission', 'emissiveTexture')):
            for part in effect.iter(NS + slot):
                color, texture = part.find(NS + 'color'), part.find(NS + 'texture')
                if color is not None:
                    values = [float(v) for v in color.text.split()]
                    if slot == 'diffuse':
                        made['pbrMetallicRoughness']['baseColorFactor'][:3] = values[:3]
                    else:
                        made['emissiveFactor'] = values[:3]
                if texture is not None:
                    surface = params[texture.get('texture')].find(f'{NS}sampler2D/{NS}source').text
                    image = params[surface].find(f'{NS}surface/{NS}init_from').text
                    where = made['pbrMetallicRoughness'] if slot == 'diffuse' else made
                    where[key] = self.made.texture(self.at(image).find(NS + 'init_from').text)
                    if slot == 'emission':
                        made['emissiveFactor'] = [1, 1, 1]
        for part in effect.iter(NS + 'transparency'):
            alpha = float(part.find(NS + 'float').text)
            made['pbrMetallicRoughness']['baseColorFactor'][3] = alpha
            if alpha < 1:
                made['alphaMode'] = 'BLEND'
        return made

    def geometry(self, element, material):
        mesh, primitives = element.find(NS + 'mesh'), []
        for kind, mode in (('polylist', 4), ('triangles', 4), ('lines', 1)):
            for part in mesh.findall(NS + kind):
                inputs = [(i.get('semantic'), int(i.get('offset')), i.get('source'), i.get('set') or '0')
                          for i in part.findall(NS + 'input')]
                step = 1 + max(i[1] for i in inputs)
                order = [int(v) for v in part.find(NS + 'p').text.split()]
                attributes = {}
                for semantic, offset, source, number in inputs:
                    wanted = order[offset::step]
                    if semantic == 'VERTEX':
                        inner = [(i.get('semantic'), i.get('source')) for i in
                                 self.at(source).findall(NS + 'input')]
                    else:
                        inner = [(semantic, source)]
                    for name, url in inner:
                        rows = self.numbers(url)
                        rows = [rows[i] for i in wanted]
                        if name == 'TEXCOORD':
                            rows = [(r[0], 1 - r[1]) for r in rows]
                        if name == 'COLOR':
                            rows = [tuple(map(linear, r[:3])) + r[3:] for r in rows]
                        key = name if name in ('POSITION', 'NORMAL') else f'{name}_{int(number)}'
                        attributes[key] = rows
                primitives.append((attributes, material, mode))
        return self.made.mesh(element.get('name'), primitives)

    def node(self, element):
        matrix = element.find(NS + 'matrix')
        rows = [float(v) for v in matrix.text.split()]
        made = self.made.node(name=element.get('name'), children=[],
                              matrix=[rows[c * 4 + r] for r in range(4) for c in range(4)])
        for kind in ('instance_geometry', 'instance_controller'):
            for instance in element.findall(NS + kind):
                target = self.at(instance.get('url'))
                bound = instance.find(f'.//{NS}instance_material')
                material = None if bound is None else self.materials[bound.get('target').lstrip('#')]
                if kind == 'instance_controller':  # its mesh, in the rest position
                    target = self.at(target.find(NS + 'skin').get('source'))
                index = self.made.node(mesh=self.geometry(target, material))
                self.made.json['nodes'][made]['children'].append(index)
        for child in element.findall(NS + 'node'):
            self.made.json['nodes'][made]['children'].append(self.node(child))
        return made


def read_dae(path):
    return Collada(path).made.done()


# -- Features that each reader supports ---------------------------------------

PLACES = {'geometry', 'fine positions', 'nodes of other scenes are not drawn', 'node translation', 'node rotation', 'node scale', 'mirrored node',
          'sheared node', 'two instances', 'hidden node', 'nodes below nodes', 'scale of zero',
          'sparse accessor', 'triangle strip', 'triangle fan', 'more than 65,536 vertices',
          'morph weight at rest'}
COLORS = {'vertex colors', 'colors of 8 bits', 'colors of 16 bits'}
UVS = {'texture coordinates', 'texture coordinates beyond 1'}
NORMALS = {'normals', 'quantized normals', 'normals of one part', 'no normals', 'no tangents'}
RIGS = {'skin below a placed node'}
PAINT = {'no material is white', 'base color', 'emission', 'emissive strength', 'two materials',
         'a part without a material', 'material name', 'base color texture', 'emissive texture',
         'factor and texture', 'gray image', 'image of 16 bits', 'image with a palette',
         'JPEG image'}
READERS = {
    'gltf': (Back, None),
    'glb': (Back, None),
    'obj': (read_obj, PLACES | RIGS | COLORS | UVS | NORMALS | PAINT | {
        'roughness', 'metallic', 'normal texture', 'lines', 'line strip', 'line loop', 'points',
        'materials of lines', 'materials of points', 'mesh name', 'blending'}),
    'ply': (read_ply, PLACES | RIGS | COLORS | UVS | NORMALS | {'vertex alpha', 'points'}),
    'stl': (read_stl, PLACES | RIGS | {'normals'}),
    'bsm': (read_bsm, PLACES | RIGS | UVS | NORMALS | {'tangents', 'material name'}),
    'iqm': (read_iqm, PLACES | COLORS | UVS | NORMALS | {
        'tangents', 'custom attribute', 'material name', 'vertex alpha', 'mesh name', 'skin',
        'eight influences', 'twelve influences', 'weights of sum 2', 'two skins', 'joint names',
        'moving skin', 'animated translation', 'animated rotation', 'animated scale',
        'two animations', 'cubic curves'}),
    'bga': (read_bga, PLACES | RIGS | COLORS | UVS | NORMALS | {
        'tangents', 'custom attribute', 'material name', 'vertex alpha'}),
    'binarymesh': (read_binarymesh, PLACES | RIGS | UVS | NORMALS | {'material name', 'mesh name'}),
    'bpx': (read_bpx, PLACES | UVS | NORMALS | {'material name', 'two materials'}),
    'dae': (read_dae, PLACES | RIGS | COLORS | UVS | NORMALS | PAINT | {
        'mesh name', 'node name', 'names below names', 'blending'}),
}
