"""BMD files, packed byte by byte from the formats' descriptions: one square in clockwise strips,
with one feature each. A unit is a centimeter."""
import struct

from back import any_row, both, info_of, near, pbr, pixels_of, placed, sampler_of, weighs

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)]
UVS = [(0, 0), (1, 0), (1, 1), (0, 1)]
NUMBERS = 'BbHhf'  # component types 0 to 4
COLOR_SIZES = {0: 2, 1: 3, 2: 4, 3: 2, 4: 3, 5: 4}
IDENTITY = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)


def aligned(data, size=32):
    return data + b'\0' * (-len(data) % size)


def names(*strings):
    """A table of names: hashes, offsets, strings."""
    head, text = struct.pack('>2H', len(strings), 0xFFFF), b''
    for string in strings:
        code = 0
        for byte in string.encode():
            code = (code * 3 + byte) & 0xFFFF
        head += struct.pack('>2H', code, 4 + 4 * len(strings) + len(text))
        text += string.encode() + b'\0'
    return head + text


def section(tag, head, parts, align=4):
    """`head` follows magic and size. Then come an offset of each part (None: 0) and the parts."""
    at = 8 + len(head) + 4 * len(parts)
    offsets, body = b'', b''
    for part in parts:
        body += b'\0' * (-(at + len(body)) % align)
        offsets += struct.pack('>I', 0 if part is None else at + len(body))
        body += part or b''
    whole = aligned(tag + b'\0' * 4 + head + offsets + body)
    return tag + struct.pack('>I', len(whole)) + whole[8:]


def scene_graph(joints):
    nodes = [(0x10, 0), (1, 0), (0x11, 0), (1, 0), (0x12, 0), (2, 0)]
    nodes += [(0x10, 1)] * (joints > 1) + [(2, 0), (0, 0)]
    return section(b'INF1', struct.pack('>2H2I', 0, 0xFFFF, 1, 4),
                   [b''.join(struct.pack('>2H', *n) for n in nodes)])


def packed(rows, kind, bits):
    form = NUMBERS[kind]
    return b''.join(struct.pack(f'>{len(r)}{form}', *(
        x if form == 'f' else round(x * 2**bits) for x in r)) for r in rows)


def vertices(arrays):
    """`arrays`: {attribute: (count code, type code, fraction bits, bytes)}."""
    formats = b''.join(struct.pack('>3IB3x', a, count, kind, bits)
                       for a, (count, kind, bits, _) in sorted(arrays.items()))
    formats += struct.pack('>3IB3x', 0xFF, 1, 0, 0)
    slots = [9, 10, None, 11, 12] + list(range(13, 21))
    return section(b'VTX1', b'', [formats] + [
        aligned(arrays[s][3]) if s in arrays else None for s in slots], 32)


def joint(scale=(1, 1, 1), angles=(0, 0, 0), place=(0, 0, 0)):
    return struct.pack('>HBB3f3hH3f7f', 0, 0, 255, *scale, *angles, 0xFFFF, *place, 9, -9, -9, -9, 9, 9, 9)


def shape(attributes, kind, multi):
    """One packet: a strip of the four corners. Its vertices have a 16-bit index per stream."""
    order = (0, 3, 1, 2)  # clockwise from the front
    strip = b'\x98\0\4' + b''.join(
        (b'\0' if multi else b'') + struct.pack(f'>{len(attributes)}H', *[v] * len(attributes))
        for v in order)
    described = ([(0, 1)] if multi else []) + [(a, 3) for a in attributes] + [(255, 0)]
    lists = aligned(strip)
    entry = struct.pack('>BBH4H7f', kind, 255, 1, 0, 0, 0, 0xFFFF, 9, -9, -9, -9, 9, 9, 9)
    return section(b'SHP1', struct.pack('>2H', 1, 0xFFFF), [
        entry, b'\0\0', None, b''.join(struct.pack('>2I', *d) for d in described), b'\0\0', lists,
        struct.pack('>2HI', 0, 1, 0), struct.pack('>2I', len(lists), 0)])


def material(color=(255, 255, 255, 255), from_vertex=False, sets=0, cull=2, mode=1,
             compare=(7, 0, 0, 7, 0)):
    """One stage: the raster color, times texture 0 if there are coordinates."""
    none = b'\xff' * 2
    entry = struct.pack('>8B', mode, 0, 0, 0, 0, 0, 0, 0) + struct.pack(
        '>2H4H2H', 0, 0xFFFF, 0, 0, 0xFFFF, 0xFFFF, 0, 0xFFFF) + none * 8
    entry += (b'\0\0' if sets else none) + none * 7 + none * 8 + none * 10 + none * 20
    entry += (b'\0\0' if sets else none) + none * 7 + none * 4 + b'\x0c' * 16 + b'\x1c' * 16
    entry += b'\0\0' + none * 15 + none * 4 + b'\0\0' + none * 15 + b'\0\0' + none * 15
    entry += b'\0\0' + none * 3 + none * 12 + none + b'\0\0' * 2 + none
    assert len(entry) == 0x14C
    channel = bytes([0, from_vertex, 0, 2, 2, 0, 255, 255])
    # lerp(ZERO, TEX, RAS, 0) = TEX * RAS, or only RAS
    stage = bytes([255] + ([15, 8, 10, 15] if sets else [10, 15, 15, 15]) + [0, 0, 0, 1, 0]
                  + ([7, 4, 5, 7] if sets else [5, 7, 7, 7]) + [0, 0, 0, 1, 0, 255])
    return section(b'MAT3', struct.pack('>2H', 1, 0xFFFF), [
        entry, b'\0\0', names('paint'), None, struct.pack('>I', cull), bytes(color), b'\1', channel,
        b'\x32' * 4, None, bytes([bool(sets)]), bytes([1, 3 + sets, 60, 255]) if sets else None, None,
        None, None, b'\0\0' if sets else None, bytes([0, 0, 4, 255] if sets else [255, 255, 4, 255]),
        None, None, b'\1', stage, b'\0\0\xff\xff', b'\0\1\2\3', None, bytes(compare) + b'\xff' * 3,
        bytes([1 if mode == 4 else 0, 4, 5, 3]), b'\1\3\1\xff', b'\0', b'\0', None])


def texture(code, side, texels, wrap=(1, 1)):
    head = struct.pack('>BBHHBB', code, 0, side, side, *wrap) + b'\0' * 12
    head += bytes([1, 1, 0, 0, 1, 0]) + struct.pack('>hI', 0, 32)
    return section(b'TEX1', struct.pack('>2H', 1, 0xFFFF), [head + texels, names('picture')], 32)


def bmd(place=(4, 0), normals=None, colors=None, uvs=None, uv_set=0, picture=None, joints=None,
        envelope=None, kind=0, **paint):
    """`place` and `normals`: type code and fraction bits; `colors`: type code and the bytes of one."""
    arrays = {9: (1, place[0], place[1], packed(SQUARE, *place))}
    if normals:
        arrays[10] = (0, *normals, packed([(0, .6, .8)] * 4, *normals))
    if colors:
        arrays[11] = (colors[0] in (3, 4, 5), colors[0], 0, colors[1] * 4)
    for i, (code, bits) in enumerate(uvs or ()):
        arrays[13 + i] = (1, code, bits, packed([(u / (i + 1), v / (i + 1)) for u, v in UVS], code, bits))
    joints = joints or [joint()]
    pool = section(b'EVP1', struct.pack('>2H', 0, 0xFFFF), [None] * 4)
    drawn = section(b'DRW1', struct.pack('>2H', 1, 0xFFFF), [b'\0', b'\0\0'])
    if envelope:
        binds = [IDENTITY, (1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0)]
        pool = section(b'EVP1', struct.pack('>2H', 1, 0xFFFF), [
            b'\2', b'\0\0\0\1', struct.pack('>2f', *envelope),
            b''.join(struct.pack('>12f', *m) for m in binds)])
        drawn = section(b'DRW1', struct.pack('>2H', 2, 0xFFFF), [b'\1\1', b'\0\0\0\0'])
    sections = [
        scene_graph(len(joints)), vertices(arrays), pool, drawn,
        section(b'JNT1', struct.pack('>2H', len(joints), 0xFFFF), [
            b''.join(joints), b'\0\0\0\1'[:2 * len(joints)],
            names(*(f'bone{i}' for i in range(len(joints))))]),
        shape(sorted(arrays), 3 if envelope else kind, bool(envelope)),
        material(from_vertex=bool(colors), sets=uv_set + 1 if picture else 0, **paint),
        picture or section(b'TEX1', struct.pack('>2H', 0, 0xFFFF), [b'', names()])]
    body = b''.join(sections)
    return {'in.bmd': b'J3D2bmd3' + struct.pack('>2I', 32 + len(body), len(sections)) + b'SVR3'
            + b'\xff' * 12 + body}


def linear(byte):
    value = byte / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


RED, RGB5A3 = (1, 0, 0), struct.pack('>H', 0x8000 | 31 << 10)  # opaque red
# CMPR: 8 x 8 texels of four sub-blocks, two colors of 565 and indices of 2 bits: all of color 0
CMPR = struct.pack('>2HI', 0xF800, 0, 0) * 4
# The colors in the other order: index 3 is transparent, for half of the texels.
HOLES = struct.pack('>2HI', 0, 0xF800, 0x5555FFFF) * 4


def first_pixel(color):
    return lambda b: near((pixels_of(b, 'baseColorTexture') or [None])[0], color)


def wraps(s, t):
    return info_of('baseColorTexture', lambda b, i: (
        sampler_of(b, i).get('wrapS', 10497), sampler_of(b, i).get('wrapT', 10497)) == (s, t))


def of_type(name):
    return lambda b: b.json['meshes'][0]['extras']['j3d']['shape']['type'] == name


def colored(code, data, row):
    return f'BMD colors of type {code}', bmd(colors=(code, data), mode=4), any_row('COLOR_0', row)


AT = placed(unit=.01)
UV = [(4, 0)]
NATIVES = [
    ('BMD', bmd(), AT),
] + [(f'BMD positions of type {code}, {bits} bits of fraction', bmd(place=(code, bits)), AT)
     for code, bits in ((0, 0), (0, 6), (1, 0), (1, 5), (2, 0), (2, 14), (3, 0), (3, 13), (4, 0))
     ] + [
    ('BMD normals of 8 bits', bmd(normals=(1, 6)), any_row('NORMAL', (0, .6, .8))),
    ('BMD normals of 16 bits', bmd(normals=(3, 14)), any_row('NORMAL', (0, .6, .8), .001)),
    ('BMD normals of floats', bmd(normals=(4, 0)), any_row('NORMAL', (0, .6, .8), .0001)),
    # 16 of 5 bits is 132, 32 of 6 bits is 130, 8 of 4 bits is 136
    colored(0, struct.pack('>H', 31 << 11 | 32 << 5 | 16), (1, linear(130), linear(132))),
    colored(1, bytes([255, 128, 0]), (1, linear(128), 0)),
    colored(2, bytes([255, 128, 0, 7]), (1, linear(128), 0)),
    colored(3, struct.pack('>H', 0xF804), (1, linear(136), 0, 4 * 17 / 255)),
    colored(4, (63 << 18 | 32 << 12 | 16).to_bytes(3, 'big'), (1, linear(130), 0, 65 / 255)),
    colored(5, bytes([255, 128, 0, 64]), (1, linear(128), 0, 64 / 255)),
    ('BMD two sets of coordinates', bmd(uvs=[(3, 8), (4, 0)]), both(
        any_row('TEXCOORD_0', (1, 1)), any_row('TEXCOORD_1', (.5, .5)))),
    ('BMD texture of the second set', bmd(uvs=[(3, 8), (4, 0)], uv_set=1, picture=texture(14, 8, CMPR)),
     info_of('baseColorTexture', lambda b, i: any(
         near(uv, (.5, .5)) for uv in b.attribute(f"TEXCOORD_{i.get('texCoord', 0)}")))),
    ('BMD material color', bmd(color=(255, 128, 0, 255)), lambda b: near(
        pbr('baseColorFactor', (1, 1, 1, 1))(b), (1, linear(128), 0, 1))),
    ('BMD white material', bmd(), lambda b: near(
        pbr('baseColorFactor', (1, 1, 1, 1))(b), (1, 1, 1, 1))),
    ('BMD translucent', bmd(color=(255, 255, 255, 128), mode=4), lambda b: near(
        [pbr('baseColorFactor', (1, 1, 1, 1))(b)[3]], [128 / 255])
     and b.material().get('alphaMode') == 'BLEND'),
    # alpha >= 128 and always
    ('BMD cut-out', bmd(uvs=UV, picture=texture(14, 8, HOLES), compare=(6, 128, 0, 7, 0)),
     lambda b: b.material().get('alphaMode') == 'MASK'
     and near([b.material().get('alphaCutoff', .5)], [128 / 255])),
    ('BMD both sides', bmd(cull=0), lambda b: b.material().get('doubleSided', False)),
    ('BMD one side', bmd(cull=2), lambda b: not b.material().get('doubleSided', False)),
    ('BMD cut from the front', bmd(cull=1), lambda b: not b.material().get('doubleSided', False)),
    ('BMD joint with scale, angle and place', bmd(joints=[joint((2, 2, 2), (0, 0, 16383), (1, 0, 0))]),
     placed(lambda p: (1 - 2 * p[1], 2 * p[0], 0), unit=.01)),
    ('BMD envelope', bmd(joints=[joint(), joint(place=(0, 1, 0))], envelope=(.75, .25)),
     weighs({'bone0': .75, 'bone1': .25})),
    ('BMD billboard', bmd(kind=1), both(AT, of_type('BILLBOARD'))),
    ('BMD billboard about Y', bmd(kind=2), both(AT, of_type('Y_BILLBOARD'))),
    ('BMD CMPR', bmd(uvs=UV, picture=texture(14, 8, CMPR)), first_pixel(RED)),
    ('BMD RGB5A3', bmd(uvs=UV, picture=texture(5, 4, RGB5A3 * 16)), first_pixel(RED)),
    ('BMD I4', bmd(uvs=UV, picture=texture(0, 8, b'\x88' * 32)), first_pixel((8 / 15,) * 3)),
    ('BMD repeated', bmd(uvs=UV, picture=texture(14, 8, CMPR)), wraps(10497, 10497)),
    ('BMD clamped and mirrored', bmd(uvs=UV, picture=texture(14, 8, CMPR, (0, 2))), wraps(33071, 33648)),
]
