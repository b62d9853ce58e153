#!/usr/bin/env python3
"""Read files like those of other programs, one feature each: the result must match their format.

    natives.py FACET

Each is converted to glTF, which is checked.
"""
import os
import struct
import subprocess
import sys
import tempfile

from back import (Back, any_row, both, has_texture, info_of, near, pbr, placed, sampler_of, sees_uv)
from natives_binary import NATIVES as BINARY
from natives_bmd import NATIVES as BMD
from natives_dae import NATIVES as COLLADA
from natives_fbx import NATIVES as FBX
from readers import linear
from scenes import PNG, png

SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\n'
FACE = 'f 1 2 3 4\n'
UVS = 'vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n'
MAPPED = SQUARE + UVS + 'usemtl paint\nf 1/1 2/2 3/3 4/4\n'
WHITE = (1, 1, 1, 1)


def obj(text, mtl=None, **files):
    files = {name.replace('__', '.'): data for name, data in files.items()}
    if mtl is not None:
        files['in.mtl'] = 'newmtl paint\n' + mtl
        text = 'mtllib in.mtl\n' + text
    return dict({'in.obj': text}, **files)


def cube_corner(smoothing):
    """Two faces that meet at a right angle along the edge from 0 0 0 to 0 1 0."""
    return obj(f'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 1 -1\nv 0 0 -1\n{smoothing}'
               'f 1 2 3 4\nf 1 4 5 6\n')


def ply(vertices, faces='', kind='ascii', extra='', body=None):
    """`vertices`: (properties, rows of text)."""
    properties, rows = vertices
    head = f'ply\nformat {kind} 1.0\n{extra}element vertex {len(rows)}\n' + ''.join(
        f'property {p}\n' for p in properties)
    if faces:
        head += f'element face {len(faces)}\nproperty list uchar int vertex_indices\n'
    return {'in.ply': (head + 'end_header\n').encode() + (
        body if body is not None else '\n'.join(list(rows) + list(faces)).encode() + b'\n')}


XYZ = ['float x', 'float y', 'float z']
CORNERS = ['0 0 0', '1 0 0', '1 2 0', '0 2 0']
QUAD = ['4 0 1 2 3']


def with_color(properties, color):
    return ply((XYZ + properties, [f'{c} {color}' for c in CORNERS]), QUAD)


def ascii_stl(text):
    return {'in.stl': text}


FACET = ('facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 2 0\nendloop\nendfacet\n'
         'facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 2 0\nvertex 0 2 0\nendloop\nendfacet\n')


def binary_stl(header=b'', attributes=(0, 0), tail=b''):
    corners = [((0, 0, 0), (1, 0, 0), (1, 2, 0)), ((0, 0, 0), (1, 2, 0), (0, 2, 0))]
    data = header.ljust(80, b'\0') + struct.pack('<I', 2)
    for corner, attribute in zip(corners, attributes):
        data += struct.pack('<12fH', 0, 0, 1, *(x for p in corner for x in p), attribute)
    return {'in.stl': data + tail}


GRAY = linear(128 / 255)


def primitives(count, mode=4):
    return lambda b: len([p for p in b.primitives() if p.get('mode', 4) == mode]) == count


def no(name):
    return lambda b: b.attribute(name) is None


def area(expected):
    def look(b):
        total = 0
        for p in b.primitives():
            at, order = b.rows(p['attributes']['POSITION']), [i[0] for i in b.rows(p['indices'])]
            for i in range(0, len(order), 3):
                (ax, ay, _), (bx, by, _), (cx, cy, _) = (at[k] for k in order[i:i + 3])
                total += ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2
        return near([total], [expected])
    return look


# name, files (the first is read), check
NATIVES = [
    # -- OBJ
    ('faces without groups are smooth where they say so', cube_corner('s 1\n'),
     any_row('NORMAL', (-.7071, 0, .7071))),
    ('s off is flat', cube_corner('s off\n'), no('NORMAL')),  # flat, by glTF 3.7.2.1
    ('groups that differ are flat', obj(
        'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 1 -1\nv 0 0 -1\ns 1\nf 1 2 3 4\ns 2\nf 1 4 5 6\n'),
     both(any_row('NORMAL', (0, 0, 1)), any_row('NORMAL', (-1, 0, 0)))),
    ('negative indices', obj(SQUARE + 'f -4 -3 -2 -1\n'), placed()),
    ('continued lines', obj(SQUARE + 'f 1 2 \\\n3 4\n'), placed()),
    ('a library in quotes', dict({'in.obj': 'mtllib "in.mtl"\nusemtl paint\n' + SQUARE + FACE},
                                 **{'in.mtl': 'newmtl paint\nKd 1 0 0\n'}),
     lambda b: near(pbr('baseColorFactor', WHITE)(b)[:3], (1, 0, 0))),
    ('a library in UTF-16', dict({'in.obj': 'mtllib in.mtl\nusemtl paint\n' + SQUARE + FACE},
                                 **{'in.mtl': '\ufeffnewmtl paint\nKd 1 0 0\n'.encode('utf-16-le')}),
     lambda b: near(pbr('baseColorFactor', WHITE)(b)[:3], (1, 0, 0))),
    ('comments after values', obj(SQUARE.replace('\n', ' # here\n') + FACE), placed()),
    ('lines end by CR LF', obj((SQUARE + FACE).replace('\n', '\r\n')), placed()),
    ('lines end by CR', obj((SQUARE + FACE).replace('\n', '\r')), placed()),
    ('byte order mark', obj('\ufeff' + SQUARE + FACE), placed()),
    ('UTF-16 little-endian', obj(('\ufeff' + SQUARE + FACE).encode('utf-16-le')), placed()),
    ('UTF-16 big-endian', obj(('\ufeff' + SQUARE + FACE).encode('utf-16-be')), placed()),
    ('tabs and spaces', obj((SQUARE + FACE).replace(' ', ' \t ')), placed()),
    ('fo is f', obj(SQUARE + 'fo 1 2 3 4\n'), placed()),
    ('weights of vertices', obj('v 0 0 0 1\nv 2 0 0 2\nv 1 2 0 1\nv 0 2 0 1\n' + FACE),
     lambda b: len(b.points()) == 4),
    ('concave polygon', obj('v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\nf 1 2 3 4 5\n'), area(10)),
    ('colors of 0 to 1', obj(SQUARE.replace(' 0\n', ' 0 1 .5 0\n') + FACE),
     any_row('COLOR_0', (1, linear(.5), 0))),
    ('colors of 0 to 255', obj(SQUARE.replace(' 0\n', ' 0 255 128 0\n') + FACE),
     any_row('COLOR_0', (1, GRAY, 0))),
    ('colors with alpha of 0 to 255', obj(SQUARE.replace(' 0\n', ' 0 255 128 0 255\n') + FACE),
     any_row('COLOR_0', (1, GRAY, 0))),
    ('colors of ZBrush', obj(SQUARE + '#MRGB ffff8000ffff8000ffff8000ffff8000\n' + FACE),
     any_row('COLOR_0', (1, GRAY, 0))),
    ('lines of several vertices', obj(SQUARE + 'l 1 2 3\n'), lambda b: any(
        p.get('mode') in (1, 3) for p in b.primitives())),
    ('points', obj(SQUARE + 'p 1 2 3 4\n'), lambda b: any(p.get('mode') == 0 for p in b.primitives())),
    ('texture coordinates of one number', obj(
        SQUARE + 'vt .25\nf 1/1 2/1 3/1 4/1\n'), any_row('TEXCOORD_0', (.25, 1))),
    ('texture coordinates of three numbers', obj(
        SQUARE + 'vt .25 .75 0\nf 1/1 2/1 3/1 4/1\n'), any_row('TEXCOORD_0', (.25, .25))),
    ('normals of some corners', obj(SQUARE + 'vn 0 .6 .8\nf 1//1 2//1 3//1\nf 1 3 4\n'),
     any_row('NORMAL', (0, .6, .8))),
    ('a library with spaces in its name', dict({'in.obj': 'mtllib my paint.mtl\nusemtl paint\n' + SQUARE + FACE},
                                               **{'my paint.mtl': 'newmtl paint\nKd 1 0 0\n'}),
     lambda b: near(pbr('baseColorFactor', WHITE)(b)[:3], (1, 0, 0))),
    ('two libraries', dict({'in.obj': 'mtllib a.mtl b.mtl\nusemtl paint\n' + SQUARE + FACE},
                           **{'a.mtl': 'newmtl other\n', 'b.mtl': 'newmtl paint\nKd 1 0 0\n'}),
     lambda b: near(pbr('baseColorFactor', WHITE)(b)[:3], (1, 0, 0))),
    ('a library in another case', dict({'in.obj': 'mtllib IN.MTL\nusemtl paint\n' + SQUARE + FACE},
                                       **{'in.mtl': 'newmtl paint\nKd 1 0 0\n'}),
     lambda b: near(pbr('baseColorFactor', WHITE)(b)[:3], (1, 0, 0))),
    ('a material that no library has', obj('usemtl paint\n' + SQUARE + FACE),
     lambda b: b.material().get('name') == 'paint' and near(pbr('baseColorFactor', WHITE)(b), WHITE)),
    # -- MTL
    ('d', obj('usemtl paint\n' + SQUARE + FACE, 'd .5\n'), lambda b: near(
        [pbr('baseColorFactor', WHITE)(b)[3]], [.5]) and b.material().get('alphaMode') == 'BLEND'),
    ('Tr', obj('usemtl paint\n' + SQUARE + FACE, 'Tr .25\n'), lambda b: near(
        [pbr('baseColorFactor', WHITE)(b)[3]], [.75])),
    ('Ke', obj('usemtl paint\n' + SQUARE + FACE, 'Ke 1 .5 0\n'), lambda b: near(
        b.material().get('emissiveFactor'), (1, .5, 0))),
    ('Pr and Pm', obj('usemtl paint\n' + SQUARE + FACE, 'Pr .25\nPm .75\n'), lambda b: near(
        [pbr('roughnessFactor', 1)(b), pbr('metallicFactor', 1)(b)], [.25, .75])),
    ('illum 0', obj('usemtl paint\n' + SQUARE + FACE, 'illum 0\n'),
     lambda b: 'KHR_materials_unlit' in b.material().get('extensions', {})),
    ('map_Kd', obj(MAPPED, 'map_Kd t.png\n', t__png=PNG), has_texture('baseColorTexture', (1, 0, 0))),
    ('a picture with spaces in its name', dict(obj(MAPPED, 'map_Kd my t.png\n'), **{'my t.png': PNG}),
     has_texture('baseColorTexture', (1, 0, 0))),
    ('a picture in quotes', dict(obj(MAPPED, 'map_Kd "my t.png"\n'), **{'my t.png': PNG}),
     has_texture('baseColorTexture', (1, 0, 0))),
    ('a picture by a path of Windows', dict(obj(MAPPED, 'map_Kd maps\\t.png\n'), **{'maps/t.png': PNG}),
     has_texture('baseColorTexture', (1, 0, 0))),
    ('a picture of another machine', obj(MAPPED, 'map_Kd C:\\Users\\me\\t.png\n', t__png=PNG),
     has_texture('baseColorTexture', (1, 0, 0))),
    ('a picture in another case', obj(MAPPED, 'map_Kd T.PNG\n', t__png=PNG),
     has_texture('baseColorTexture', (1, 0, 0))),
    ('scale and offset', obj(MAPPED, 'map_Kd -s 2 4 1 -o .25 .5 0 t.png\n', t__png=PNG),
     sees_uv('baseColorTexture', (2.25, -3.5))),
    ('one number of scale', obj(MAPPED, 'map_Kd -s 2 t.png\n', t__png=PNG),
     sees_uv('baseColorTexture', (2, 0))),
    ('clamp', obj(MAPPED, 'map_Kd -clamp on t.png\n', t__png=PNG), info_of(
        'baseColorTexture', lambda b, i: sampler_of(b, i).get('wrapS') == 33071)),
    ('options without a word in glTF', obj(
        MAPPED, 'map_Kd -blendu on -blendv off -boost 2 -texres 64 -cc on -mm 0 1 -t 0 0 0 t.png\n',
        t__png=PNG), has_texture('baseColorTexture', (1, 0, 0))),
    ('norm', obj(MAPPED, 'norm t.png\n', t__png=png(1, 1, 2, 8, bytes([128, 128, 255]))),
     has_texture('normalTexture', (.5, .5, 1))),
    ('map_Ke', obj(MAPPED, 'Ke 1 1 1\nmap_Ke t.png\n', t__png=PNG), has_texture('emissiveTexture', (1, 0, 0))),
    ('map_d', obj(MAPPED, 'map_Kd t.png\nmap_d a.png\n', t__png=PNG, a__png=png(1, 1, 0, 8, b'\x80')),
     lambda b: b.material().get('alphaMode') == 'BLEND'),
    ('map_Pr and map_Pm', obj(MAPPED, 'map_Pr r.png\nmap_Pm m.png\n', r__png=png(1, 1, 0, 8, b'\x40'),
                              m__png=png(1, 1, 0, 8, b'\xc0')),
     has_texture('metallicRoughnessTexture', (1, .251, .753))),
    # -- PLY
    ('PLY text', ply((XYZ, CORNERS), QUAD), placed()),
    ('PLY with CR LF', {'in.ply': ply((XYZ, CORNERS), QUAD)['in.ply'].replace(b'\n', b'\r\n')}, placed()),
    ('PLY big-endian', ply((XYZ, CORNERS), QUAD, 'binary_big_endian', body=struct.pack(
        '>12fB4i', 0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0, 4, 0, 1, 2, 3)), placed()),
    ('PLY of doubles', ply((['double x', 'double y', 'double z'], CORNERS), QUAD), placed()),
    ('PLY names of sizes', ply((['float32 x', 'float32 y', 'float64 z'], CORNERS), QUAD), placed()),
    ('PLY colors', with_color(['uchar red', 'uchar green', 'uchar blue'], '255 128 0'),
     any_row('COLOR_0', (1, GRAY, 0))),
    ('PLY alpha', with_color(['uchar red', 'uchar green', 'uchar blue', 'uchar alpha'], '255 128 0 64'),
     any_row('COLOR_0', (1, GRAY, 0, .251))),
    ('PLY colors r g b', with_color(['uchar r', 'uchar g', 'uchar b'], '255 128 0'),
     any_row('COLOR_0', (1, GRAY, 0))),
    ('PLY diffuse colors', with_color(['uchar diffuse_red', 'uchar diffuse_green', 'uchar diffuse_blue'],
                                      '255 128 0'), any_row('COLOR_0', (1, GRAY, 0))),
    ('PLY colors of 16 bits', with_color(['ushort red', 'ushort green', 'ushort blue'], '65535 32896 0'),
     any_row('COLOR_0', (1, GRAY, 0))),
    ('PLY colors of floats', with_color(['float red', 'float green', 'float blue'], '1 .5 0'),
     any_row('COLOR_0', (1, linear(.5), 0))),
    ('PLY colors of 0 to 255 as int', with_color(['int red', 'int green', 'int blue'], '255 128 0'),
     any_row('COLOR_0', (1, GRAY, 0))),
    ('PLY colors of 0 to 255 as float', with_color(['float red', 'float green', 'float blue'], '255 128 0'),
     any_row('COLOR_0', (1, GRAY, 0))),
    ('PLY colors of 0 to 255 as double', with_color(['double red', 'double green', 'double blue'], '255 128 0'),
     any_row('COLOR_0', (1, GRAY, 0))),
    ('PLY texture coordinates', with_color(['float s', 'float t'], '.25 .75'),
     any_row('TEXCOORD_0', (.25, .25))),
    ('PLY texture_u', with_color(['float texture_u', 'float texture_v'], '.25 .75'),
     any_row('TEXCOORD_0', (.25, .25))),
    ('PLY points', ply((XYZ, CORNERS)), lambda b: any(p.get('mode') == 0 for p in b.primitives())),
    ('PLY strips', {'in.ply': (ply((XYZ, CORNERS))['in.ply'].decode().replace(
        'end_header', 'element tristrips 1\nproperty list int int vertex_indices\nend_header')
        + '4 0 1 3 2\n').encode()}, area(2)),
    ('PLY corners with coordinates', {'in.ply': (ply((XYZ, CORNERS))['in.ply'].decode().replace(
        'end_header', 'comment TextureFile t.png\nelement face 1\nproperty list uchar int vertex_indices\n'
        'property list uchar float texcoord\nend_header')
        + '4 0 1 2 3 8 0 0 1 0 1 1 0 1\n').encode(), 't.png': PNG},
     both(any_row('TEXCOORD_0', (1, 0)), has_texture('baseColorTexture', (1, 0, 0)))),
    ('PLY colors of faces', {'in.ply': (ply((XYZ, CORNERS))['in.ply'].decode().replace(
        'end_header', 'element face 2\nproperty list uchar int vertex_indices\nproperty uchar red\n'
        'property uchar green\nproperty uchar blue\nend_header')
        + '3 0 1 2 255 0 0\n3 0 2 3 0 0 255\n').encode()},
     both(any_row('COLOR_0', (1, 0, 0)), any_row('COLOR_0', (0, 0, 1)))),
    # -- STL
    ('STL text', ascii_stl('solid a\n' + FACET + 'endsolid a\n'), placed()),
    ('STL in capitals', ascii_stl(('solid a\n' + FACET + 'endsolid a\n').upper()), placed()),
    ('STL of two solids', ascii_stl('solid a\n' + FACET + 'endsolid a\nsolid b\n' + FACET.replace(
        'vertex 0 0 0', 'vertex 0 0 3') + 'endsolid b\n'), lambda b: (0, 0, 3) in b.points()),
    ('STL without an end', ascii_stl('solid a\n' + FACET), placed()),
    ('STL with CR LF', ascii_stl(('solid a\n' + FACET + 'endsolid a\n').replace('\n', '\r\n')), placed()),
    ('STL indented', ascii_stl('  solid a\n' + FACET.replace('\n', '\n    ') + 'endsolid a\n'), placed()),
    ('STL binary', binary_stl(), placed()),
    ('STL binary that begins with solid', binary_stl(b'solid from a program'), placed()),
    ('STL colors of VisCAM', binary_stl(attributes=(0x8000 | 31 << 10, 0x8000 | 31)),  # red; blue
     both(any_row('COLOR_0', (1, 0, 0)), any_row('COLOR_0', (0, 0, 1)))),
    ('STL colors of Materialise', binary_stl(b'COLOR=\xff\xff\xff\xff', (31, 31 << 10)),  # red; blue
     both(any_row('COLOR_0', (1, 0, 0)), any_row('COLOR_0', (0, 0, 1)))),
    ('STL that counts no triangle and has two', {'in.stl': binary_stl()['in.stl'][:80] + bytes(4)
                                                + binary_stl()['in.stl'][84:]}, placed()),
    ('STL with end solid and comments', ascii_stl(
        'solid a\n# made by hand\n' + FACET.replace('endloop', 'end loop').replace('endfacet', 'end facet')
        + 'end solid a\n'), placed()),
    ('STL with bytes at the end', binary_stl(tail=b'\0' * 6), placed()),
]


def write_files(folder, files):
    for name, data in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(data.encode('utf-8') if isinstance(data, str) else data)


def main():
    facet, faults = os.path.abspath(sys.argv[1]), 0
    reads = subprocess.run([facet, 'formats'], stdout=subprocess.PIPE, text=True).stdout
    files_of = NATIVES + BINARY + BMD + (COLLADA + FBX if '\ndae ' in reads else [])
    for name, files, look in files_of:
        with tempfile.TemporaryDirectory() as folder:
            write_files(folder, files)
            back = os.path.join(folder, 'out.gltf')
            done = subprocess.run([facet, 'convert', os.path.join(folder, next(iter(files))), back],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            try:
                fine = done.returncode == 0 and look(Back(back))
            except (KeyError, IndexError, ValueError) as error:
                fine, done.stdout = False, repr(error)
            if not fine:
                faults += 1
                print(f'{name}:\n    {done.stdout.strip()[:300]}')
    print(f'{len(files_of)} files, {faults} faults')
    sys.exit(faults > 0)


main()
