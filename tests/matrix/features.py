"""One small scene per feature, and how to see the feature in a glTF that came back."""
import base64
import json
import math
import struct

PNG = base64.b64decode(  # one red pixel
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC')
CUT = base64.b64decode(  # 4 x 4 red pixels, half of them gone
    'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAFElEQVR42mP4z8DwH4oZQJiBdAEAWRUX6XOeFGYA'
    'AAAASUVORK5CYII=')
POSITIONS = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)]
FACES = [0, 1, 2, 0, 2, 3]


class Scene:
    """A glTF under construction: a square of one by two."""

    def __init__(self, **attributes):
        self.blob = b''
        self.json = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}],
                     'nodes': [{'name': 'place', 'mesh': 0}], 'bufferViews': [], 'accessors': [],
                     'meshes': [{'name': 'square', 'primitives': [{}]}]}
        self.primitive = self.json['meshes'][0]['primitives'][0]
        self.primitive['attributes'] = {'POSITION': self.put(POSITIONS, 'VEC3', bounds=True)}
        self.primitive['indices'] = self.put(FACES, 'SCALAR', 'H')
        for name, (rows, shape) in attributes.items():
            self.primitive['attributes'][name] = self.put(rows, shape)

    def put(self, rows, shape, code='f', bounds=False):
        flat = [x for row in rows for x in (row if isinstance(row, (tuple, list)) else [row])]
        self.blob += b'\0' * (-len(self.blob) % 4)
        data = struct.pack(f'<{len(flat)}{code}', *flat)
        self.json['bufferViews'].append(
            {'buffer': 0, 'byteOffset': len(self.blob), 'byteLength': len(data)})
        self.blob += data
        accessor = {'bufferView': len(self.json['bufferViews']) - 1, 'count': len(rows),
                    'type': shape, 'componentType': {'f': 5126, 'H': 5123, 'B': 5121}[code]}
        if bounds:
            columns = list(zip(*[row if isinstance(row, (tuple, list)) else [row] for row in rows]))
            accessor['min'] = [min(c) for c in columns]
            accessor['max'] = [max(c) for c in columns]
        self.json['accessors'].append(accessor)
        return len(self.json['accessors']) - 1

    def material(self, **values):
        self.json['materials'] = [dict({'name': 'paint', 'pbrMetallicRoughness': {
            'metallicFactor': 0, 'roughnessFactor': 1}}, **values)]
        self.primitive['material'] = 0
        return self

    def texture(self, slot, info=None, sampler=None, picture=PNG, **values):
        self.primitive['attributes'].setdefault(
            'TEXCOORD_0', self.put([(0, 0), (1, 0), (1, 1), (0, 1)], 'VEC2'))
        self.json['images'] = [{'name': 'picture', 'uri': 'data:image/png;base64,'
                                + base64.b64encode(picture).decode()}]
        self.json['textures'] = [{'source': 0}]
        if sampler:
            self.json['samplers'] = [sampler]
            self.json['textures'][0]['sampler'] = 0
        self.material(**values)
        material = self.json['materials'][0]
        at = material['pbrMetallicRoughness'] if slot in (
            'baseColorTexture', 'metallicRoughnessTexture') else material
        at[slot] = dict({'index': 0}, **(info or {}))
        if slot == 'metallicRoughnessTexture':
            at.update(metallicFactor=1)
        if slot == 'emissiveTexture':
            material['emissiveFactor'] = [1, 1, 1]
        return self

    def used(self, *extensions):
        self.json['extensionsUsed'] = list(extensions)
        return self

    def animate(self, path, values, shape, node=0):
        times = self.put([0.0, 1.0], 'SCALAR', bounds=True)
        self.json['animations'] = [{'name': 'move', 'samplers': [
            {'input': times, 'output': self.put(values, shape)}], 'channels': [
                {'sampler': 0, 'target': {'node': node, 'path': path}}]}]
        return self

    def text(self):
        made = dict(self.json)
        made['buffers'] = [{'byteLength': len(self.blob), 'uri':
                            'data:application/octet-stream;base64,'
                            + base64.b64encode(self.blob).decode()}]
        return json.dumps(made)


# -- What came back -----------------------------------------------------------

class Back:
    """A glTF as Facet writes it, with its buffer inside."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            self.json = json.load(file)
        uri = self.json.get('buffers', [{}])[0].get('uri', '')
        self.blob = b''
        if uri.startswith('data:'):
            self.blob = base64.b64decode(uri.split(',', 1)[1])
        elif uri:
            with open(path.rsplit('/', 1)[0] + '/' + uri, 'rb') as file:
                self.blob = file.read()

    def rows(self, index):
        accessor = self.json['accessors'][index]
        view = self.json['bufferViews'][accessor['bufferView']]
        code, size = {5120: 'b1', 5121: 'B1', 5122: 'h2', 5123: 'H2', 5125: 'I4',
                      5126: 'f4'}[accessor['componentType']]
        count = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT4': 16}[accessor['type']]
        stride = view.get('byteStride', count * int(size))
        start = view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
        scale = {'B': 255, 'H': 65535, 'b': 127, 'h': 32767}.get(code, 1) \
            if accessor.get('normalized') else 1
        return [tuple(x / scale for x in
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
        """The material of the first primitive; the default one without."""
        primitive = next(self.primitives(), {})
        if 'material' not in primitive:
            return {}
        return self.json['materials'][primitive['material']]

    def matrices(self):
        """(node, matrix by rows) of all nodes of the scene."""
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
        """All positions where they are seen, rounded and sorted."""
        found = set()
        for node, m in self.matrices():
            if 'mesh' not in node or 'skin' in node:
                continue
            if node.get('extensions', {}).get('KHR_node_visibility', {}).get('visible') is False:
                continue
            for primitive in self.json['meshes'][node['mesh']]['primitives']:
                for p in self.rows(primitive['attributes']['POSITION']):
                    found.add(tuple(round(sum(m[r][k] * p[k] for k in range(3)) + m[r][3], 3) + 0.0
                                    for r in range(3)))
        return found


def near(a, b, tolerance=0.01):
    return a is not None and b is not None and len(a) == len(b) and \
        all(math.isclose(x, y, abs_tol=tolerance) for x, y in zip(a, b))


def pbr(key, default):
    return lambda b: b.material().get('pbrMetallicRoughness', {}).get(key, default)


def placed(move=lambda p: p, unit=1):
    expected = [{tuple(round(x * unit, 3) + 0.0 for x in move(p)) for p in POSITIONS}]
    return lambda b: b.points() == expected[0]


def texture_of(material, slot):
    at = material.get('pbrMetallicRoughness', {}) if slot in (
        'baseColorTexture', 'metallicRoughnessTexture') else material
    return at.get(slot)


def has_texture(slot):
    def look(b):
        info = texture_of(b.material(), slot)
        if not info:
            return False
        source = b.json['textures'][info['index']].get('source')
        return source is not None and source < len(b.json.get('images', []))
    return look


def info_of(slot, look):
    def inner(b):
        info = texture_of(b.material(), slot)
        return bool(info) and look(b, info)
    return inner


def sampler_of(b, info):
    texture = b.json['textures'][info['index']]
    return b.json['samplers'][texture['sampler']] if 'sampler' in texture else {}


def extension(name):
    return lambda b: name in b.material().get('extensions', {})


def any_node(look):
    return lambda b: any(look(node) for node in b.json.get('nodes', []))


def channels(path):
    return lambda b: any(c['target'].get('path') == path for a in b.json.get('animations', [])
                         for c in a['channels'])


def skinned():
    scene = Scene(JOINTS_0=([(0, 1, 0, 0)] * 4, 'VEC4'), WEIGHTS_0=([(.75, .25, 0, 0)] * 4, 'VEC4'))
    accessor = scene.json['accessors'][scene.primitive['attributes']['JOINTS_0']]
    view = scene.json['bufferViews'][accessor['bufferView']]
    data = bytes([0, 1, 0, 0] * 4)
    scene.blob = scene.blob[:view['byteOffset']] + data + scene.blob[view['byteOffset'] + 16:]
    view['byteLength'] = 16
    accessor['componentType'] = 5121
    identity = tuple(float(i % 5 == 0) for i in range(16))
    moved = identity[:13] + (-1.0,) + identity[14:]
    scene.json['skins'] = [{'joints': [1, 2],
                            'inverseBindMatrices': scene.put([identity, moved], 'MAT4')}]
    scene.json['nodes'][0]['skin'] = 0
    scene.json['nodes'] += [{'name': 'hip', 'children': [2]},
                            {'name': 'knee', 'translation': [0, 1, 0]}]
    scene.json['scenes'][0]['nodes'] = [0, 1]
    return scene


def weights_kept(b):
    rows = b.attribute('WEIGHTS_0')
    return rows is not None and near(sorted(rows[0], reverse=True)[:2], (.75, .25))


def morphed(weights=None):
    scene = Scene()
    scene.primitive['targets'] = [{'POSITION': scene.put([(0, 0, 1)] * 4, 'VEC3', bounds=True)}]
    if weights:
        scene.json['meshes'][0]['weights'] = weights
    return scene


def drawn(mode):
    scene = Scene()
    scene.primitive['mode'] = mode
    scene.primitive['indices'] = scene.put([0, 1, 2, 3], 'SCALAR', 'H')
    return scene


def with_node(**values):
    scene = Scene()
    scene.json['nodes'][0].update(values)
    return scene


def with_camera():
    scene = Scene()
    scene.json['cameras'] = [{'type': 'perspective', 'perspective': {
        'yfov': 0.7, 'znear': 0.1, 'zfar': 10, 'aspectRatio': 1.5}}]
    scene.json['nodes'].append({'name': 'eye', 'camera': 0})
    scene.json['scenes'][0]['nodes'].append(1)
    return scene


def with_light():
    scene = Scene().used('KHR_lights_punctual')
    scene.json['extensions'] = {'KHR_lights_punctual': {'lights': [
        {'type': 'point', 'color': [1, 0.5, 0.25], 'intensity': 20}]}}
    scene.json['nodes'].append({'name': 'lamp', 'extensions': {'KHR_lights_punctual': {'light': 0}}})
    scene.json['scenes'][0]['nodes'].append(1)
    return scene


def hidden():
    scene = Scene().used('KHR_node_visibility')
    scene.json['nodes'].append({'name': 'ghost', 'mesh': 0, 'translation': [5, 0, 0], 'extensions': {
        'KHR_node_visibility': {'visible': False}}})
    scene.json['scenes'][0]['nodes'].append(1)
    return scene


def instances():
    scene = Scene()
    scene.json['nodes'].append({'name': 'second', 'mesh': 0, 'translation': [3, 0, 0]})
    scene.json['scenes'][0]['nodes'].append(1)
    return scene


def two_uvs():
    scene = Scene(TEXCOORD_1=([(0, 0), (.5, 0), (.5, .5), (0, .5)], 'VEC2'))
    return scene.texture('baseColorTexture', {'texCoord': 1})


TWO_SQUARES = {tuple(float(x) for x in p) for p in POSITIONS} | \
              {(float(p[0]) + 3, float(p[1]), float(p[2])) for p in POSITIONS}
WHITE = (1, 1, 1, 1)
MATERIAL = ('LOSS-PHYSICAL', 'LOSS-SIDES', 'LOSS-MATERIAL', 'LOSS-MATERIALS', 'LOSS-MATERIAL-VALUES', 'LOSS-FACE-MATERIALS')
TEXTURE = ('LOSS-TEXTURE', 'LOSS-TEXTURE-TRANSFORM', 'LOSS-IMAGES', 'LOSS-OBJ-MAP',
                      'LOSS-TEXCOORDS')
ANIMATION = ('LOSS-ANIMATIONS', 'LOSS-ASSIMP-CHANNEL', 'LOSS-ANIMATION')
NODES = ('LOSS-NODES', 'LOSS-NAME', 'SCENE-FLATTENED')

# name, scene, "is it there?", losses that may be told in its place
FEATURES = [
    ('geometry', Scene, placed(), ()),
    ('no material is white', Scene, lambda b: near(pbr('baseColorFactor', WHITE)(b), WHITE)
     and b.material().get('alphaMode', 'OPAQUE') == 'OPAQUE', ()),
    ('base color', lambda: Scene().material(pbrMetallicRoughness={
        'baseColorFactor': [.5, .25, .75, 1], 'metallicFactor': 0}),
     lambda b: near(pbr('baseColorFactor', WHITE)(b), (.5, .25, .75, 1)), MATERIAL),
    ('roughness', lambda: Scene().material(pbrMetallicRoughness={
        'roughnessFactor': .3, 'metallicFactor': 0}),
     lambda b: near([pbr('roughnessFactor', 1)(b)], [.3]), MATERIAL),
    ('metallic', lambda: Scene().material(pbrMetallicRoughness={
        'roughnessFactor': 1, 'metallicFactor': .25}),
     lambda b: near([pbr('metallicFactor', 1)(b)], [.25]), MATERIAL),
    ('emission', lambda: Scene().material(emissiveFactor=[.5, .25, 0]),
     lambda b: near(b.material().get('emissiveFactor', (0, 0, 0)), (.5, .25, 0)), MATERIAL),
    ('emissive strength', lambda: Scene().used('KHR_materials_emissive_strength').material(
        emissiveFactor=[1, .5, 0], extensions={
            'KHR_materials_emissive_strength': {'emissiveStrength': 4}}),
     lambda b: near([x * b.material().get('extensions', {}).get(
         'KHR_materials_emissive_strength', {}).get('emissiveStrength', 1)
         for x in b.material().get('emissiveFactor', (0, 0, 0))], (4, 2, 0)), MATERIAL),
    ('blending', lambda: Scene().material(alphaMode='BLEND', pbrMetallicRoughness={
        'baseColorFactor': [1, 1, 1, .5], 'metallicFactor': 0}),
     lambda b: b.material().get('alphaMode') == 'BLEND'
     and near([pbr('baseColorFactor', WHITE)(b)[3]], [.5]), MATERIAL),
    ('alpha mask', lambda: Scene().texture('baseColorTexture', picture=CUT, alphaMode='MASK',
                                            alphaCutoff=.25),
     lambda b: b.material().get('alphaMode') == 'MASK'
     and near([b.material().get('alphaCutoff', .5)], [.25]), MATERIAL + TEXTURE),
    ('two sides', lambda: Scene().material(doubleSided=True),
     lambda b: b.material().get('doubleSided', False), MATERIAL),
    ('unlit', lambda: Scene().used('KHR_materials_unlit').material(
        extensions={'KHR_materials_unlit': {}}), extension('KHR_materials_unlit'), MATERIAL),
    ('base color texture', lambda: Scene().texture('baseColorTexture'),
     has_texture('baseColorTexture'), TEXTURE),
    ('metallic-roughness texture', lambda: Scene().texture('metallicRoughnessTexture'),
     has_texture('metallicRoughnessTexture'), TEXTURE),
    ('normal texture', lambda: Scene().texture('normalTexture'), has_texture('normalTexture'),
     TEXTURE),
    ('occlusion texture', lambda: Scene().texture('occlusionTexture'),
     has_texture('occlusionTexture'), TEXTURE),
    ('emissive texture', lambda: Scene().texture('emissiveTexture'),
     has_texture('emissiveTexture'), TEXTURE),
    ('texture transform', lambda: Scene().used('KHR_texture_transform').texture(
        'baseColorTexture', {'extensions': {'KHR_texture_transform': {
            'offset': [.25, .5], 'scale': [2, 4]}}}),
     info_of('baseColorTexture', lambda b, i: near(i.get('extensions', {}).get(
         'KHR_texture_transform', {}).get('scale', (1, 1)), (2, 4))), TEXTURE),
    ('texture wrap', lambda: Scene().texture('baseColorTexture', sampler={
        'wrapS': 33071, 'wrapT': 33071}),
     info_of('baseColorTexture', lambda b, i: sampler_of(b, i).get('wrapS') == 33071), TEXTURE),
    ('texture filter', lambda: Scene().texture('baseColorTexture', sampler={
        'magFilter': 9728, 'minFilter': 9728}),
     info_of('baseColorTexture', lambda b, i: sampler_of(b, i).get('magFilter') == 9728), TEXTURE),
    ('second texture coordinates', two_uvs,
     info_of('baseColorTexture', lambda b, i: i.get('texCoord', 0) == 1), TEXTURE),
    ('material name', lambda: Scene().material(),
     lambda b: b.material().get('name') == 'paint', MATERIAL),
    ('vertex colors', lambda: Scene(COLOR_0=([(.5, .25, .75)] * 4, 'VEC3')),
     lambda b: b.attribute('COLOR_0') is not None
     and near(b.attribute('COLOR_0')[0][:3], (.5, .25, .75), .02), ('LOSS-COLORS',)),
    ('second vertex colors', lambda: Scene(COLOR_0=([WHITE] * 4, 'VEC4'),
                                           COLOR_1=([(.5, .25, .75, 1)] * 4, 'VEC4')),
     lambda b: b.attribute('COLOR_1') is not None, ('LOSS-COLORS', 'LOSS-STREAM')),
    ('texture coordinates', lambda: Scene(TEXCOORD_0=([(0, 0), (1, 0), (1, 1), (0, 1)], 'VEC2')),
     lambda b: b.attribute('TEXCOORD_0') is not None, ('LOSS-TEXCOORDS',)),
    ('normals', lambda: Scene(NORMAL=([(0, 0, 1)] * 4, 'VEC3')),
     lambda b: b.attribute('NORMAL') is not None and near(b.attribute('NORMAL')[0], (0, 0, 1), .02),
     ('LOSS-NORMALS', 'LOSS-STL')),
    ('tangents', lambda: Scene(NORMAL=([(0, 0, 1)] * 4, 'VEC3'), TANGENT=([(1, 0, 0, 1)] * 4, 'VEC4'),
                               TEXCOORD_0=([(0, 0), (1, 0), (1, 1), (0, 1)], 'VEC2')),
     lambda b: b.attribute('TANGENT') is not None, ('LOSS-TANGENTS', 'LOSS-STREAM')),
    ('custom attribute', lambda: Scene(_TEMPERATURE=([(1.5,)] * 4, 'SCALAR')),
     lambda b: b.attribute('_TEMPERATURE') is not None, ('LOSS-CUSTOM', 'LOSS-STREAM')),
    ('lines', lambda: drawn(1), lambda b: any(p.get('mode') == 1 for p in b.primitives()),
     ('LOSS-LINES',)),
    ('points', lambda: drawn(0), lambda b: any(p.get('mode') == 0 for p in b.primitives()),
     ('LOSS-POINTS',)),
    ('mesh name', Scene, lambda b: any(m.get('name') == 'square' for m in b.json['meshes']),
     ('LOSS-MESH-NAMES', 'LOSS-NAME')),
    ('node name', lambda: with_node(name='here'), any_node(lambda n: n.get('name') == 'here'), NODES),
    ('node translation', lambda: with_node(translation=[1, 2, 3]),
     placed(lambda p: (p[0] + 1, p[1] + 2, p[2] + 3)), ()),
    ('node rotation', lambda: with_node(rotation=[0, 0, math.sqrt(.5), math.sqrt(.5)]),
     placed(lambda p: (-p[1], p[0], p[2])), ()),
    ('node scale', lambda: with_node(scale=[2, 3, 4]),
     placed(lambda p: (2 * p[0], 3 * p[1], 4 * p[2])), ()),
    ('mirrored node', lambda: with_node(scale=[-1, 1, 1]), placed(lambda p: (-p[0], p[1], p[2])), ()),
    ('sheared node', lambda: with_node(matrix=[1, 0, 0, 0, .5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
     placed(lambda p: (p[0] + .5 * p[1], p[1], p[2])), ('LOSS-SHEAR', 'GLTF-NODE')),
    ('two instances', instances, lambda b: b.points() == TWO_SQUARES, ()),
    ('hidden node', hidden, lambda b: placed()(b), ()),
    ('camera', with_camera, lambda b: len(b.json.get('cameras', [])) == 1, ('LOSS-CAMERA',)),
    ('light', with_light, lambda b: any_node(lambda n: 'KHR_lights_punctual' in n.get(
        'extensions', {}))(b), ('LOSS-CAMERA',)),
    ('extras', lambda: with_node(extras={'secret': 7}),
     any_node(lambda n: n.get('extras', {}).get('secret') == 7), ('LOSS-EXTRAS', 'LOSS-NODES')),
    ('skin', skinned, weights_kept, ('LOSS-SKIN', 'LOSS-JOINTS')),
    ('morph target', lambda: morphed([0]),
     lambda b: any(p.get('targets') for p in b.primitives()), ('LOSS-MORPHS',)),
    ('morph weight at rest', lambda: morphed([1]),
     lambda b: near(b.json['meshes'][0].get('weights', [0]), [1])
     or placed(lambda p: (p[0], p[1], p[2] + 1))(b), ('LOSS-MORPHS', 'LOSS-MORPH-WEIGHTS')),
    ('animated translation', lambda: Scene().animate('translation', [(0, 0, 0), (1, 0, 0)], 'VEC3'),
     channels('translation'), ANIMATION),
    ('animated rotation', lambda: Scene().animate(
        'rotation', [(0, 0, 0, 1), (0, 0, math.sqrt(.5), math.sqrt(.5))], 'VEC4'),
     channels('rotation'), ANIMATION),
    ('animated scale', lambda: Scene().animate('scale', [(1, 1, 1), (2, 2, 2)], 'VEC3'),
     channels('scale'), ANIMATION),
    ('animated morph weights', lambda: morphed([0]).animate('weights', [0.0, 1.0], 'SCALAR'),
     channels('weights'), ANIMATION + ('LOSS-MORPHS',)),
]
