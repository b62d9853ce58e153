"""Small glTF scenes, one feature each."""
import base64
import json
import math
import struct
import zlib

PNG = base64.b64decode(  # one red pixel
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC')
JPEG = base64.b64decode(  # 8 x 8 red pixels
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsL'
    'EBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU'
    'FBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAIAAgDAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcI'
    'CQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRol'
    'JicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ip'
    'qrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAA'
    'AAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLR'
    'ChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaX'
    'mJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEA'
    'PwD50r8MP9Uz/9k=')
WEBP = base64.b64decode(  # 8 x 8 red pixels, lossless
    'UklGRhwAAABXRUJQVlA4TA8AAAAvB8ABAAcQ/Y/+ByKi/wEA')
CUT = base64.b64decode(  # 4 x 4 red pixels, half of them transparent
    'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAFElEQVR42mP4z8DwH4oZQJiBdAEAWRUX6XOeFGYA'
    'AAAASUVORK5CYII=')


def png(width, height, color, bits, pixels, palette=b'', clear=b''):
    """A PNG of rows without filters (PNG specification, second edition, 11.2)."""
    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    size = len(pixels) // height
    rows = b''.join(b'\0' + pixels[y * size:(y + 1) * size] for y in range(height))
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack(
        '>IIBBBBB', width, height, bits, color, 0, 0, 0)) + (chunk(b'PLTE', palette) if palette else b'') \
        + (chunk(b'tRNS', clear) if clear else b'') \
        + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b'')


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
                    'type': shape, 'componentType': {'f': 5126, 'H': 5123, 'B': 5121, 'I': 5125,
                                                   'b': 5120, 'h': 5122}[code]}
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

    def texture(self, slot, info=None, sampler=None, picture=PNG, kind='png', **values):
        self.primitive['attributes'].setdefault(
            'TEXCOORD_0', self.put([(0, 0), (1, 0), (1, 1), (0, 1)], 'VEC2'))
        self.json['images'] = [{'name': 'picture', 'uri': f'data:image/{kind};base64,'
                                + base64.b64encode(picture).decode()}]
        self.json['textures'] = [{'source': 0} if kind != 'webp' else {
            'extensions': {'EXT_texture_webp': {'source': 0}}}]
        if kind == 'webp':
            self.json['extensionsUsed'] = self.json['extensionsRequired'] = ['EXT_texture_webp']
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

    def animate(self, path, values, shape, node=0, name='move', interpolation='LINEAR'):
        times = self.put([0.0, 1.0], 'SCALAR', bounds=True)
        self.json.setdefault('animations', []).append({'name': name, 'samplers': [
            {'input': times, 'output': self.put(values, shape), 'interpolation': interpolation}],
            'channels': [{'sampler': 0, 'target': {'node': node, 'path': path}}]})
        return self

    def also(self, **attributes):
        """A second primitive, three units to the right."""
        right = [(x + 3, y, z) for x, y, z in POSITIONS]
        made = {'attributes': {'POSITION': self.put(right, 'VEC3', bounds=True)},
                'indices': self.put(FACES, 'SCALAR', 'H')}
        for name, (rows, shape) in attributes.items():
            made['attributes'][name] = self.put(rows, shape)
        self.json['meshes'][0]['primitives'].append(made)
        return made

    def text(self):
        made = dict(self.json)
        made['buffers'] = [{'byteLength': len(self.blob), 'uri':
                            'data:application/octet-stream;base64,'
                            + base64.b64encode(self.blob).decode()}]
        return json.dumps(made)


def skinned(weights=((.75, .25, 0, 0),), joints=2, scene=None):
    """A skin of a chain of joints, with bone0 at the origin and each joint one unit above the last.
    The weights of every vertex come in sets of four, for the joints in order."""
    scene = scene or Scene()
    for i, row in enumerate(weights):
        numbers = [min(i * 4 + k, joints - 1) if row[k] else 0 for k in range(4)]
        scene.primitive['attributes'][f'JOINTS_{i}'] = scene.put([tuple(numbers)] * 4, 'VEC4', 'B')
        scene.primitive['attributes'][f'WEIGHTS_{i}'] = scene.put([tuple(map(float, row))] * 4, 'VEC4')
    first, nodes = len(scene.json['nodes']), scene.json['nodes']
    binds = [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -float(i), 0, 1) for i in range(joints)]
    scene.json.setdefault('skins', []).append({
        'joints': list(range(first, first + joints)), 'inverseBindMatrices': scene.put(binds, 'MAT4')})
    nodes[0]['skin'] = 0
    for i in range(joints):
        nodes.append(dict({'name': f'bone{i}'}, **({'translation': [0, 1, 0]} if i else {}),
                          **({'children': [first + i + 1]} if i + 1 < joints else {})))
    scene.json['scenes'][0]['nodes'].append(first)
    return scene


def placed_skin():
    """A skinned square and its joints below an armature, as Blender exports them: positions are those
    in the world, and the transform of the mesh's node has no meaning."""
    scene = skinned()
    nodes = scene.json['nodes']
    nodes.append({'name': 'armature', 'translation': [1, 2, 3], 'scale': [.5, .5, .5],
                  'rotation': [math.sqrt(.5), 0, 0, math.sqrt(.5)], 'children': [0, 1]})
    scene.json['scenes'][0]['nodes'] = [3]
    # The armature turns (x, y, z) to (x, -z, y), halves it and adds (1, 2, 3). Its inverse gives
    # (2 (x - 1), 2 (z - 3), -2 (y - 2)). The second joint is one unit above the first.
    scene.json['skins'][0]['inverseBindMatrices'] = scene.put([
        (2, 0, 0, 0, 0, 0, -2, 0, 0, 2, 0, 0, -2, -6 - i, 4, 1) for i in range(2)], 'MAT4')
    return scene


def morphed(weights=None):
    scene = Scene()
    scene.primitive['targets'] = [{'POSITION': scene.put([(0, 0, 1)] * 4, 'VEC3', bounds=True)}]
    if weights:
        scene.json['meshes'][0]['weights'] = weights
    return scene


def fine():
    """A corner at thirds and sevenths, which are not exact in binary."""
    scene = Scene()
    rows = [(1 / 3, 2 / 3, 1 / 7)] + [tuple(map(float, p)) for p in POSITIONS[1:]]
    scene.primitive['attributes']['POSITION'] = scene.put(rows, 'VEC3', bounds=True)
    return scene


def drawn(mode, order=(0, 1, 2, 3)):
    scene = Scene()
    scene.primitive['mode'] = mode
    scene.primitive['indices'] = scene.put(list(order), 'SCALAR', 'H')
    return scene


def painted(mode):
    """Two primitives of lines or points, with the materials 'red' and 'blue'."""
    scene = Scene().material(name='red', pbrMetallicRoughness={
        'baseColorFactor': [1, 0, 0, 1], 'metallicFactor': 0})
    scene.json['materials'].append({'name': 'blue', 'pbrMetallicRoughness': {
        'baseColorFactor': [0, 0, 1, 1], 'metallicFactor': 0}})
    scene.also()['material'] = 1
    for primitive in scene.json['meshes'][0]['primitives']:
        primitive['mode'] = mode
        primitive['indices'] = scene.put([0, 1, 2, 3], 'SCALAR', 'H')
    return scene


def with_node(**values):
    scene = Scene()
    scene.json['nodes'][0].update(values)
    return scene


PERSPECTIVE = {'type': 'perspective', 'perspective': {
    'yfov': 0.7, 'znear': 0.1, 'zfar': 10, 'aspectRatio': 1.5}}
ORTHOGRAPHIC = {'type': 'orthographic', 'orthographic': {
    'xmag': 2, 'ymag': 1, 'znear': 0.1, 'zfar': 10}}


def with_camera(camera):
    scene = Scene()
    scene.json['cameras'] = [camera]
    scene.json['nodes'].append({'name': 'eye', 'camera': 0})
    scene.json['scenes'][0]['nodes'].append(1)
    return scene


def with_light(**light):
    scene = Scene().used('KHR_lights_punctual')
    scene.json['extensions'] = {'KHR_lights_punctual': {'lights': [light]}}
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


def levels():
    scene = Scene().used('MSFT_lod')
    scene.json['nodes'].append({'name': 'far', 'mesh': 1})
    scene.json['meshes'].append({'name': 'coarse', 'primitives': [dict(scene.primitive)]})
    scene.json['nodes'][0]['extensions'] = {'MSFT_lod': {'ids': [1]}}
    return scene


SHADES = [(x * 6 + y + 100, x * 6 + y + 150, x * 6 + y + 50) for y in range(4) for x in range(4)]


def shaded():
    """A picture of 16 colors, most of which are not exact with five or six bits per channel."""
    return Scene().texture('baseColorTexture', picture=png(4, 4, 2, 8, bytes(sum(SHADES, ()))))


def two_uvs():
    scene = Scene(TEXCOORD_1=([(0, 0), (.5, 0), (.5, .5), (0, .5)], 'VEC2'))
    return scene.texture('baseColorTexture', {'texCoord': 1})


def two_skins():
    scene = skinned()
    nodes, skins = scene.json['nodes'], scene.json['skins']
    nodes.append({'name': 'other', 'mesh': 0, 'skin': 1})
    nodes.append({'name': 'wing0', 'translation': [5, 0, 0], 'children': [len(nodes) + 1]})
    nodes.append({'name': 'wing1', 'translation': [0, 1, 0]})
    skins.append({'joints': [len(nodes) - 2, len(nodes) - 1],
                  'inverseBindMatrices': skins[0]['inverseBindMatrices']})
    scene.json['scenes'][0]['nodes'] += [len(nodes) - 3, len(nodes) - 2]
    return scene


def two_materials():
    scene = Scene().material(name='first')
    scene.json['materials'].append({'name': 'second', 'pbrMetallicRoughness': {
        'baseColorFactor': [0, .5, 0, 1], 'metallicFactor': 0}})
    scene.also()['material'] = 1
    return scene


def one_unpainted():
    scene = Scene().material(pbrMetallicRoughness={
        'baseColorFactor': [0, .5, 0, 1], 'metallicFactor': 0})
    scene.also()
    return scene


def nested():
    scene = with_node(name='arm', translation=[1, 0, 0], rotation=[0, 0, math.sqrt(.5), math.sqrt(.5)])
    del scene.json['nodes'][0]['mesh']
    scene.json['nodes'][0]['children'] = [1]
    scene.json['nodes'].append({'name': 'hand', 'translation': [0, 5, 0], 'scale': [2, 2, 2], 'mesh': 0})
    return scene


def two_scenes():
    scene = Scene()
    scene.json['nodes'].append({'name': 'elsewhere', 'mesh': 0, 'translation': [9, 0, 0]})
    scene.json['scenes'].append({'name': 'second', 'nodes': [1]})
    return scene


def many_vertices(count=70000):
    scene = Scene()
    rows = [(float(i % 300), float(i // 300), 0.0) for i in range(count)]
    scene.primitive['attributes']['POSITION'] = scene.put(rows, 'VEC3', bounds=True)
    faces = [v for i in range(0, count - 301, 2) for v in (i, i + 1, i + 300)]
    scene.primitive['indices'] = scene.put(faces, 'SCALAR', 'I')
    return scene


def sparse():
    """Sparse substitution moves the third corner."""
    scene = Scene()
    accessor = scene.json['accessors'][0]
    accessor['sparse'] = {'count': 1, 'indices': {
        'bufferView': len(scene.json['bufferViews']), 'componentType': 5123}, 'values': {
        'bufferView': len(scene.json['bufferViews']) + 1}}
    for data in (struct.pack('<H', 2), struct.pack('<3f', 1, 5, 0)):
        scene.blob += b'\0' * (-len(scene.blob) % 4)
        scene.json['bufferViews'].append(
            {'buffer': 0, 'byteOffset': len(scene.blob), 'byteLength': len(data)})
        scene.blob += data
    accessor['max'] = [1, 5, 0]
    return scene


def normalized(name, rows, shape, code, **attributes):
    """An attribute of integers that represent fractions."""
    scene = Scene(**attributes)
    index = scene.put(rows, shape, code)
    accessor = scene.json['accessors'][index]
    accessor['normalized'] = True
    view = scene.json['bufferViews'][accessor['bufferView']]
    size = view['byteLength'] // len(rows)
    if size % 4:  # elements begin at multiples of four
        data = scene.blob[view['byteOffset']:]
        scene.blob = scene.blob[:view['byteOffset']] + b''.join(
            data[i:i + size] + b'\0' * (-size % 4) for i in range(0, len(data), size))
        view['byteStride'] = size + -size % 4
        view['byteLength'] = view['byteStride'] * len(rows)
    scene.primitive['attributes'][name] = index
    return scene


def with_names(name):
    scene = Scene().material(name='m' + name)
    scene.json['nodes'][0]['name'] = 'n' + name
    scene.json['meshes'][0]['name'] = 's' + name
    return scene


def targets(names=('smile', 'frown')):
    scene = Scene(NORMAL=([(0, 0, 1)] * 4, 'VEC3'))
    scene.primitive['targets'] = [
        {'POSITION': scene.put([(0, 0, float(i + 1))] * 4, 'VEC3', bounds=True),
         'NORMAL': scene.put([(.6, 0, -.2)] * 4, 'VEC3')} for i in range(len(names))]
    scene.json['meshes'][0].update(weights=[0] * len(names), extras={'targetNames': list(names)})
    return scene


def one_smooth():
    """Normals only in the second part; none of them is that of a face."""
    scene = Scene()
    scene.also(NORMAL=([(0, .6, .8)] * 4, 'VEC3'))
    return scene


def extras_of(kind):
    scene = Scene()
    scene.json[kind][0]['extras'] = {'secret': 7}
    return scene


def visible_for_a_while():
    scene = Scene().animate('translation', [(0, 0, 0), (0, 0, 0)], 'VEC3').used(
        'KHR_animation_pointer', 'KHR_node_visibility')
    scene.json['nodes'][0]['extensions'] = {'KHR_node_visibility': {'visible': True}}
    animation = scene.json['animations'][0]
    values = scene.put([1, 0], 'SCALAR', 'B')
    animation['samplers'].append({'input': animation['samplers'][0]['input'], 'output': values,
                                  'interpolation': 'STEP'})
    animation['channels'].append({'sampler': 1, 'target': {
        'path': 'pointer', 'extensions': {'KHR_animation_pointer': {
            'pointer': '/nodes/0/extensions/KHR_node_visibility/visible'}}}})
    return scene


def looks(name, textures=(), **values):
    """A material with a material extension. Its textures are slots of the extension, with a second
    set of coordinates, a transform and clamping."""
    scene = Scene()
    extension_ = dict(values)
    used = ['KHR_materials_' + name]
    if textures:
        scene = Scene(TEXCOORD_0=([(0, 0), (1, 0), (1, 1), (0, 1)], 'VEC2'),
                      TEXCOORD_1=([(0, 0), (.5, 0), (.5, .5), (0, .5)], 'VEC2'))
        scene.json['images'] = [{'name': 'picture', 'uri': 'data:image/png;base64,'
                                 + base64.b64encode(PNG).decode()}]
        scene.json['samplers'] = [{'wrapS': 33071, 'wrapT': 33648, 'magFilter': 9728}]
        scene.json['textures'] = [{'source': 0, 'sampler': 0}]
        used.append('KHR_texture_transform')
        for slot in textures:
            extension_[slot] = {'index': 0, 'texCoord': 1, 'extensions': {
                'KHR_texture_transform': {'offset': [.25, .5], 'scale': [2, 4]}}}
    return scene.used(*used).material(extensions={'KHR_materials_' + name: extension_})


def with_variants():
    scene = Scene().material().used('KHR_materials_variants')
    scene.json['materials'].append({'name': 'dust', 'pbrMetallicRoughness': {
        'baseColorFactor': [1, .5, 0, 1]}})
    scene.json['extensions'] = {'KHR_materials_variants': {
        'variants': [{'name': 'clean'}, {'name': 'dusty'}]}}
    scene.primitive['extensions'] = {'KHR_materials_variants': {'mappings': [
        {'material': 1, 'variants': [1]}, {'material': 0, 'variants': [0]}]}}
    return scene


def with_asset():
    scene = Scene()
    scene.json['asset'].update(copyright='2024 A. Smith, CC-BY 4.0', extras={'license': 'CC-BY'})
    return scene


def with_xmp():
    scene = Scene().used('KHR_xmp_json_ld')
    scene.json['extensions'] = {'KHR_xmp_json_ld': {'packets': [
        {'@context': {'dc': 'http://purl.org/dc/elements/1.1/'}, 'dc:creator': {'@list': ['A']}}]}}
    scene.json['asset']['extensions'] = {'KHR_xmp_json_ld': {'packet': 0}}
    return scene
