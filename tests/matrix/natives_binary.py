"""BSM, BGA, BPX and BinaryMesh files, packed byte by byte from their specifications."""
import struct
import zlib

from back import any_row, both, named, near, placed

CORNERS = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)]
UVS = [(0, 0), (1, 0), (1, 1), (0, 1)]


def bsm(materials=(('paint', 0, 2),), triangles=((0, 1, 2), (0, 2, 3)), hulls=()):
    """The header of 132 bytes, then the arrays in the order of the header."""
    arrays = [b''.join(struct.pack('<3f', *p) for p in CORNERS),
              b''.join(struct.pack('<2f', *p) for p in UVS),
              struct.pack('<3f', 0, 0, 1) * 4, struct.pack('<4f', 1, 0, 0, 1) * 4,
              b''.join(struct.pack('<3i', *t) for t in triangles),
              b''.join(struct.pack('<2i256s', first, count, name.encode()) for name, first, count
                       in materials),
              b''.join(struct.pack('<3f', *p) for hull in hulls for p in hull),
              b''.join(struct.pack('<2i', sum(map(len, hulls[:i])), len(hull))
                       for i, hull in enumerate(hulls)), b'', b'']
    offsets, at = [], 132
    for array in arrays:
        offsets.append(at)
        at += len(array)
    head = b'BINARYSTATICMESH' + struct.pack('<2i', 1, 0)
    head += struct.pack('<10f', .5, 1, 0, 1.25 ** .5, 0, 0, 0, 1, 2, 0)
    head += struct.pack('<5i', 4, *offsets[:4]) + struct.pack('<2i', len(triangles), offsets[4])
    head += struct.pack('<2i', len(materials), offsets[5])
    head += struct.pack('<4i', sum(map(len, hulls)), offsets[6], len(hulls), offsets[7])
    head += struct.pack('<4i', 0, offsets[8], 0, offsets[9])
    return {'in.bsm': head + b''.join(arrays)}


def bga(lines, data, version='2.0', order='little'):
    head = (f'BGA {version}\n{order} endian\n' + '\n'.join(lines) + '\n\n').encode()
    return {'in.bga': head + (b'\0' * (-len(head) % 4) if version == '2.0' else b'') + data}


POINTS = b''.join(struct.pack('<3f', *p) for p in CORNERS)
BIG = b''.join(struct.pack('>3f', *p) for p in CORNERS)
SQUARE = ['vec3 vertex.position', 'uint32 triangle.cell[3]', '4 vertex', '2 triangle']


def binarymesh(version, normals=(), uvs=(), slots=('paint',), corners=None, name=b'square'):
    """Version 1: the data block is stored unchanged."""
    real = {1: 'd'}[version]
    corners = corners or [(i, 0 if normals else 2**32 - 1, i if uvs else 2**32 - 1) for i in range(4)]
    block = struct.pack('<H', len(name)) + name
    for rows, width in ((CORNERS, 3), (normals, 3), (uvs, 2)):
        block += struct.pack('<I', len(rows)) + b''.join(
            struct.pack(f'<{width}{real}', *r) for r in rows)
    block += struct.pack('<H', len(slots)) + b''.join(
        struct.pack('<H', len(s)) + s for s in (slot.encode() for slot in slots))
    block += struct.pack('<IH', 1, len(corners)) + b''.join(
        struct.pack('<3I', *c) for c in corners) + struct.pack('<H', 0)
    return {'in.binarymesh': b'BINARYMESH' + struct.pack('<H', version) + block}


def bpx(components, vertices, strings=b'\0paint\0', materials=(1,), packed=False):
    """A model of version 0: `components` are codes, `vertices` the floats of six corners."""
    layout = struct.pack('<HBB', sum(c >> 4 for c in components) * 4, len(components), 0) \
        + bytes(components)
    arrays = [struct.pack('<2I', m, 6) + struct.pack(f'<{len(vertices)}f', *vertices)
              for m in materials]
    parts = [(0, layout)] + [(1, a) for a in arrays] + [(5, strings)]
    at, table, bodies = 24 + 16 * len(parts), b'', b''
    for kind, body in parts:
        stored = zlib.compress(body) if packed and kind == 1 else body
        table += struct.pack('<QIBBH', at, len(stored), kind, 2 if stored != body else 0, 0)
        bodies += stored
        at += len(stored)
    rest = struct.pack('<QHB5x', at - 24, len(parts), 0) + table + bodies
    return {'in.bpx': b'BPXM' + struct.pack('<I', zlib.crc32(b'BPXM' + rest)) + rest}


# +X left, +Y forward, +Z up: the square is vertical, and its front is visible in this order.
STANDING = [(p[0], 0, p[1]) for p in (CORNERS[i] for i in (0, 1, 2, 0, 2, 3))]
FLAT = [x for p in STANDING for x in p]
MAPPED = [x for p, uv in zip(STANDING, (UVS[i] for i in (0, 1, 2, 0, 2, 3))) for x in p + uv]

NATIVES = [
    ('BPX', bpx([0x31], FLAT), both(placed(), named('materials', 'paint'))),
    ('BPX with coordinates', bpx([0x31, 0x21], MAPPED), both(placed(), any_row('TEXCOORD_0', (1, 0)))),
    ('BPX compressed', bpx([0x31, 0x21], MAPPED, packed=True), placed()),
    ('BPX of two materials', bpx([0x31], FLAT, b'\0a\0b\0', (1, 3)), named('materials', 'a', 'b')),
    ('BPX with UTF-8 names', bpx([0x31], FLAT, '\0Größe\0'.encode()), named('materials', 'Größe')),
    ('BSM', bsm(), both(placed(), any_row('NORMAL', (0, 0, 1)), any_row('TANGENT', (1, 0, 0, 1)),
                        any_row('TEXCOORD_0', (1, 0)), named('materials', 'paint'))),
    ('BSM of two materials', bsm((('a', 0, 1), ('b', 1, 1))), named('materials', 'a', 'b')),
    ('BSM with a hull', bsm(hulls=[[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]]), placed()),
    ('BSM with a name of 255 letters', bsm((('x' * 255, 0, 2),)), named('materials', 'x' * 255)),
    ('BGA', bga(SQUARE, POINTS + struct.pack('<6I', 0, 1, 2, 0, 2, 3)), placed()),
    ('BGA big-endian', bga(SQUARE, BIG + struct.pack('>6I', 0, 1, 2, 0, 2, 3), order='big'), placed()),
    ('BGA of 16-bit cells', bga(['vec3 vertex.position', 'uint16 triangle.cell[3]', '4 vertex', '2 triangle'],
                                POINTS + struct.pack('<6H', 0, 1, 2, 0, 2, 3)), placed()),
    ('BGA of 8-bit cells', bga(['vec3 vertex.position', 'uint8 triangle.cell[3]', '4 vertex', '2 triangle'],
                               POINTS + struct.pack('<6B', 0, 1, 2, 0, 2, 3)), placed()),
    ('BGA of vec4 colors', bga(
        ['vec3 vertex.position', 'vec4 vertex.color', 'uint32 triangle.cell[3]', '4 vertex', '2 triangle'],
        b''.join(struct.pack('<7f', *p, 1, .5, 0, .25) for p in CORNERS)
        + struct.pack('<6I', 0, 1, 2, 0, 2, 3)), any_row('COLOR_0', (1, .5, 0, .25))),
    ('BGA with comments', bga(['// made by hand'] + SQUARE, POINTS + struct.pack('<6I', 0, 1, 2, 0, 2, 3)),
     placed()),
    ('BGA of quads', bga(['vec3 vertex.position', 'uint32 quad.cell[4]', '4 vertex', '1 quad'],
                         POINTS + struct.pack('<4I', 0, 1, 2, 3)), placed()),
    ('BGA of points', bga(['vec3 vertex.position', '4 vertex'], POINTS),
     lambda b: any(p.get('mode') == 0 for p in b.primitives())),
    ('BGA of edges', bga(['vec3 vertex.position', 'uint32 edge.cell[2]', '4 vertex', '2 edge'],
                         POINTS + struct.pack('<4I', 0, 1, 1, 2)),
     lambda b: any(p.get('mode') == 1 for p in b.primitives())),
    ('BGA of point cells', bga(['vec3 vertex.position', 'uint32 point.cell', '4 vertex', '2 point'],
                               POINTS + struct.pack('<2I', 0, 2)),
     lambda b: any(p.get('mode') == 0 and b.rows(p['indices']) == [(0,), (2,)]
                   for p in b.primitives())),
    ('BinaryMesh 1', binarymesh(1), both(placed(), named('meshes', 'square'), named('materials', 'paint'))),
    ('BinaryMesh 1 with normals', binarymesh(1, normals=[(0, .6, .8)]), any_row('NORMAL', (0, .6, .8))),
    ('BinaryMesh 1 with coordinates', binarymesh(1, uvs=UVS), any_row('TEXCOORD_0', (1, 0))),
    ('BinaryMesh 1 without slots', binarymesh(1, slots=()), placed()),
    ('BinaryMesh 1 with UTF-8 names', binarymesh(1, slots=('Größe',), name='面'.encode()),
     both(named('meshes', '面'), named('materials', 'Größe'))),
]
