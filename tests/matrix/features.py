"""The features: a scene, a check of the converted scene, and the losses that may replace the
feature."""
import math

from back import *
from scenes import *

TWO_SQUARES = {tuple(float(x) for x in p) for p in POSITIONS} | \
              {(float(p[0]) + 3, float(p[1]), float(p[2])) for p in POSITIONS}
WHITE = (1, 1, 1, 1)
MATERIAL = ('LOSS-MATERIALS', 'LOSS-MATERIALS', 'LOSS-MATERIALS', 'LOSS-MATERIALS', 'LOSS-MATERIALS', 'LOSS-FACE-MATERIALS')
TEXTURE = ('LOSS-TEXTURES', 'LOSS-TEXTURES', 'LOSS-IMAGES', 'LOSS-TEXTURES',
                      'LOSS-TEXCOORDS')
ANIMATION = ('LOSS-ANIMATIONS', 'LOSS-NAMES', 'LOSS-ANIMATIONS', 'LOSS-ANIMATION')
NODES = ('LOSS-NODES', 'LOSS-NAMES', 'SCENE-FLATTENED')


def feature_of_looks(name, textures=(), title=None, **values):
    return (title or name.replace('_', ' '), lambda: looks(name, textures, **values),
            keeps_looks(name, textures, **values), MATERIAL + ('LOSS-LOOKS',))


# name, scene, check of the converted scene, losses that may be reported instead
FEATURES = [
    ('geometry', Scene, placed(), ()),
    ('fine positions', fine, lambda b: any(near(p, (1 / 3, 2 / 3, 1 / 7), .001) for p in b.points()), ()),
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
     has_texture('baseColorTexture', (1, 0, 0)), TEXTURE),
    ('metallic-roughness texture', lambda: Scene().texture('metallicRoughnessTexture'),
     has_texture('metallicRoughnessTexture'), TEXTURE),
    ('normal texture', lambda: Scene().texture('normalTexture'), has_texture('normalTexture'),
     TEXTURE),
    ('occlusion texture', lambda: Scene().texture('occlusionTexture'),
     has_texture('occlusionTexture'), TEXTURE),
    ('emissive texture', lambda: Scene().texture('emissiveTexture'),
     has_texture('emissiveTexture', (1, 0, 0)), TEXTURE),
    ('texture transform', lambda: Scene().used('KHR_texture_transform').texture(
        'baseColorTexture', {'extensions': {'KHR_texture_transform': {
            'offset': [.25, .5], 'scale': [2, 4]}}}),
     sees_uv('baseColorTexture', (2.25, 4.5)), TEXTURE),
    ('texture wrap', lambda: Scene().texture('baseColorTexture', sampler={
        'wrapS': 33071, 'wrapT': 33071}),
     info_of('baseColorTexture', lambda b, i: sampler_of(b, i).get('wrapS') == 33071), TEXTURE),
    ('texture filter', lambda: Scene().texture('baseColorTexture', sampler={
        'magFilter': 9728, 'minFilter': 9728}),
     info_of('baseColorTexture', lambda b, i: sampler_of(b, i).get('magFilter') == 9728), TEXTURE),
    ('second texture coordinates', two_uvs,
     sees_uv('baseColorTexture', (.5, .5)), TEXTURE),
    ('material name', lambda: Scene().material(),
     lambda b: b.material().get('name') == 'paint', MATERIAL),
    ('vertex colors', lambda: Scene(COLOR_0=([(.5, .25, .75)] * 4, 'VEC3')),
     lambda b: b.attribute('COLOR_0') is not None
     and near(b.attribute('COLOR_0')[0][:3], (.5, .25, .75), .02), ('LOSS-COLORS',)),
    ('second vertex colors', lambda: Scene(COLOR_0=([WHITE] * 4, 'VEC4'),
                                           COLOR_1=([(.5, .25, .75, 1)] * 4, 'VEC4')),
     any_row('COLOR_1', (.5, .25, .75)), ('LOSS-COLORS', 'LOSS-CUSTOM')),
    ('texture coordinates', lambda: Scene(TEXCOORD_0=([(0, 0), (1, 0), (1, .3), (0, .3)], 'VEC2')),
     any_row('TEXCOORD_0', (1, .3)), ('LOSS-TEXCOORDS',)),
    ('normals', lambda: Scene(NORMAL=([(0, .6, .8)] * 4, 'VEC3')), any_row('NORMAL', (0, .6, .8)),
     ('LOSS-NORMALS', 'LOSS-STL')),
    ('no normals', Scene, lambda b: near((b.attribute('NORMAL') or [(0, 0, 1)])[0], (0, 0, 1)), ()),
    ('tangents', lambda: Scene(NORMAL=([(0, 0, 1)] * 4, 'VEC3'), TANGENT=([(1, 0, 0, 1)] * 4, 'VEC4'),
                               TEXCOORD_0=([(0, 0), (1, 0), (1, 1), (0, 1)], 'VEC2')),
     lambda b: b.attribute('TANGENT') is not None, ('LOSS-TANGENTS', 'LOSS-CUSTOM')),
    ('no tangents', lambda: Scene(NORMAL=([(0, 0, 1)] * 4, 'VEC3'), TEXCOORD_0=(
        [(0, 0), (1, 0), (1, 1), (0, 1)], 'VEC2')),
     lambda b: near((b.attribute('TANGENT') or [(1, 0, 0)])[0][:3], (1, 0, 0)), ()),
    ('custom attribute', lambda: Scene(_TEMPERATURE=([(1.5,)] * 4, 'SCALAR')),
     any_row('_TEMPERATURE', (1.5,)), ('LOSS-CUSTOM', 'LOSS-CUSTOM')),
    ('lines', lambda: drawn(1), lambda b: any(p.get('mode') == 1 for p in b.primitives()),
     ('LOSS-LINES',)),
    ('points', lambda: drawn(0), lambda b: any(p.get('mode') == 0 for p in b.primitives()),
     ('LOSS-POINTS',)),
    ('materials of lines', lambda: painted(1), is_painted(1), ('LOSS-LINES',) + MATERIAL),
    ('materials of points', lambda: painted(0), is_painted(0), ('LOSS-POINTS',) + MATERIAL),
    ('mesh name', Scene, lambda b: any(m.get('name') == 'square' for m in b.json['meshes']),
     ('LOSS-NAMES', 'LOSS-NAMES')),
    ('node name', lambda: with_node(name='here'), any_node(lambda n: n.get('name') == 'here'), NODES),
    ('node translation', lambda: with_node(translation=[1, 2, 3]),
     placed(lambda p: (p[0] + 1, p[1] + 2, p[2] + 3)), ()),
    ('node rotation', lambda: with_node(rotation=[0, 0, math.sqrt(.5), math.sqrt(.5)]),
     placed(lambda p: (-p[1], p[0], p[2])), ()),
    ('node scale', lambda: with_node(scale=[2, 3, 4]),
     placed(lambda p: (2 * p[0], 3 * p[1], 4 * p[2])), ()),
    ('mirrored node', lambda: with_node(scale=[-1, 1, 1]), placed(lambda p: (-p[0], p[1], p[2])), ()),
    ('sheared node', lambda: with_node(matrix=[1, 0, 0, 0, .5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
     placed(lambda p: (p[0] + .5 * p[1], p[1], p[2])), ('LOSS-NODES', 'GLTF-NODE')),
    ('two instances', instances, lambda b: b.points() == TWO_SQUARES, ()),
    ('hidden node', hidden, lambda b: placed()(b), ()),
    ('camera', lambda: with_camera(PERSPECTIVE), lambda b: len(b.json.get('cameras', [])) == 1, ('LOSS-CAMERA',)),
    ('light', lambda: with_light(type='point', color=[1, .5, .25], intensity=20), lambda b: any_node(lambda n: 'KHR_lights_punctual' in n.get(
        'extensions', {}))(b), ('LOSS-CAMERA',)),
    ('extras', lambda: with_node(extras={'secret': 7}),
     any_node(lambda n: n.get('extras', {}).get('secret') == 7), ('LOSS-EXTRAS', 'LOSS-NODES')),
    ('skin', skinned, weighs({'bone0': .75, 'bone1': .25}), ('LOSS-SKIN', 'LOSS-SKIN')),
    ('morph target', lambda: morphed([0]),
     lambda b: any(p.get('targets') for p in b.primitives()), ('LOSS-MORPHS',)),
    ('morph weight at rest', lambda: morphed([1]),
     lambda b: near(b.json['meshes'][0].get('weights', [0]), [1])
     or placed(lambda p: (p[0], p[1], p[2] + 1))(b), ('LOSS-MORPHS', 'LOSS-MORPHS')),
    ('animated translation', lambda: Scene().animate('translation', [(0, 0, 0), (1, 0, 0)], 'VEC3'),
     moves('translation', .5, (.5, 0, 0)), ANIMATION),
    ('animated rotation', lambda: Scene().animate(
        'rotation', [(0, 0, 0, 1), (0, 0, math.sqrt(.5), math.sqrt(.5))], 'VEC4'),
     moves('rotation', 1, (0, 0, math.sqrt(.5), math.sqrt(.5))), ANIMATION),
    ('animated scale', lambda: Scene().animate('scale', [(1, 1, 1), (2, 2, 2)], 'VEC3'),
     moves('scale', .5, (1.5, 1.5, 1.5)), ANIMATION),
    ('animated morph weights', lambda: morphed([0]).animate('weights', [0.0, 1.0], 'SCALAR'),
     moves('weights', .5, (.5,)), ANIMATION + ('LOSS-MORPHS',)),
    feature_of_looks('ior', ior=1.25),
    feature_of_looks('specular', ('specularTexture', 'specularColorTexture'),
                     specularFactor=.5, specularColorFactor=[2, .5, .25]),
    feature_of_looks('clearcoat', ('clearcoatTexture', 'clearcoatRoughnessTexture',
                                   'clearcoatNormalTexture'),
                     clearcoatFactor=.75, clearcoatRoughnessFactor=.25),
    feature_of_looks('sheen', ('sheenColorTexture', 'sheenRoughnessTexture'),
                     sheenColorFactor=[.5, .25, 1], sheenRoughnessFactor=.5),
    feature_of_looks('transmission', ('transmissionTexture',), transmissionFactor=.75),
    feature_of_looks('volume', ('thicknessTexture',), thicknessFactor=2, attenuationDistance=.5,
                     attenuationColor=[.25, .5, 1]),
    feature_of_looks('iridescence', ('iridescenceTexture', 'iridescenceThicknessTexture'),
                     iridescenceFactor=.5, iridescenceIor=1.5, iridescenceThicknessMinimum=200,
                     iridescenceThicknessMaximum=600),
    feature_of_looks('anisotropy', ('anisotropyTexture',), anisotropyStrength=.5,
                     anisotropyRotation=.75),
    feature_of_looks('dispersion', dispersion=.25),
    feature_of_looks('clearcoat', title='clearcoat without textures', clearcoatFactor=.75,
                     clearcoatRoughnessFactor=.25),
    feature_of_looks('sheen', title='gray sheen of roughness 0.5', sheenColorFactor=[.5, .5, .5],
                     sheenRoughnessFactor=.5),
    feature_of_looks('anisotropy', title='anisotropy without a texture', anisotropyStrength=.5,
                     anisotropyRotation=.75),
    feature_of_looks('diffuse_transmission',
                     ('diffuseTransmissionTexture', 'diffuseTransmissionColorTexture'),
                     diffuseTransmissionFactor=.5, diffuseTransmissionColorFactor=[1, .5, .25]),
    ('specular-glossiness color', lambda: looks(
        'pbrSpecularGlossiness', diffuseFactor=[.5, .25, .75, 1], specularFactor=[.25, .5, .75],
        glossinessFactor=.75),
     lambda b: near(pbr('baseColorFactor', WHITE)(b), (.5, .25, .75, 1)), MATERIAL),
    ('specular-glossiness reflection', lambda: looks(
        'pbrSpecularGlossiness', diffuseFactor=[.5, .25, .75, 1], specularFactor=[.25, .5, .75],
        glossinessFactor=.75),
     both(lambda b: near([pbr('metallicFactor', 1)(b), pbr('roughnessFactor', 1)(b)], [0, .25]),
          keeps_looks('ior', ior=0), keeps_looks('specular', specularColorFactor=[.25, .5, .75])),
     MATERIAL + ('LOSS-LOOKS',)),
    ('variants', with_variants, keeps_variants, MATERIAL + ('LOSS-LOOKS',)),
    ('copyright', with_asset, lambda b: b.json['asset'].get('copyright') == '2024 A. Smith, CC-BY 4.0'
     and b.json['asset'].get('extras') == {'license': 'CC-BY'}, ('LOSS-ASSET',)),
    ('XMP metadata', with_xmp, keeps_xmp, ('LOSS-ASSET',)),
    # -- Materials: several, and the context of their values
    ('two materials', two_materials, lambda b: {m.get('name') for _, m in b.parts()}
     == {'first', 'second'}, MATERIAL),
    ('a part without a material', one_unpainted, lambda b: len({
        tuple(round(x, 2) for x in m.get('pbrMetallicRoughness', {}).get('baseColorFactor', WHITE))
        for _, m in b.parts()}) == 2, MATERIAL),
    ('factor and texture', lambda: Scene().texture('baseColorTexture', pbrMetallicRoughness={
        'baseColorFactor': [.5, .25, .75, 1], 'metallicFactor': 0}),
     lambda b: has_texture('baseColorTexture')(b)
     and near(pbr('baseColorFactor', WHITE)(b), (.5, .25, .75, 1)), MATERIAL + TEXTURE),
    ('alpha of a texture', lambda: Scene().texture('baseColorTexture', picture=png(
        1, 1, 6, 8, bytes([255, 0, 0, 128])), alphaMode='BLEND'),
     lambda b: b.material().get('alphaMode') == 'BLEND' and has_texture('baseColorTexture')(b),
     MATERIAL + TEXTURE),
    ('unused alpha of a texture', lambda: Scene().texture('baseColorTexture', picture=CUT),
     lambda b: b.material().get('alphaMode', 'OPAQUE') == 'OPAQUE', MATERIAL + TEXTURE),
    ('normal scale', lambda: Scene().texture('normalTexture', {'scale': .5}),
     info_of('normalTexture', lambda b, i: near([i.get('scale', 1)], [.5])), TEXTURE + MATERIAL),
    ('occlusion strength', lambda: Scene().texture('occlusionTexture', {'strength': .5}),
     info_of('occlusionTexture', lambda b, i: near([i.get('strength', 1)], [.5])),
     TEXTURE + MATERIAL),
    ('texture rotation', lambda: Scene().used('KHR_texture_transform').texture(
        'baseColorTexture', {'extensions': {'KHR_texture_transform': {'rotation': .5}}}),
     # u' = u cos r + v sin r, v' = v cos r - u sin r (KHR_texture_transform)
     sees_uv('baseColorTexture', (math.cos(.5) + math.sin(.5), math.cos(.5) - math.sin(.5))), TEXTURE),
    ('texture mirrored', lambda: Scene().texture('baseColorTexture', sampler={
        'wrapS': 33648, 'wrapT': 33648}),
     info_of('baseColorTexture', lambda b, i: sampler_of(b, i).get('wrapS') == 33648), TEXTURE),
    ('material extras', lambda: Scene().material(extras={'secret': 7}),
     lambda b: b.material().get('extras', {}).get('secret') == 7, ('LOSS-EXTRAS',) + MATERIAL),
    # -- Images
    ('shades of an image', shaded, has_pixels('baseColorTexture', [
        tuple(c / 255 for c in rgb) for rgb in SHADES], 8 / 255), TEXTURE),
    ('JPEG image', lambda: Scene().texture('baseColorTexture', picture=JPEG, kind='jpeg'),
     has_texture('baseColorTexture'), TEXTURE),
    ('WebP image', lambda: Scene().texture('baseColorTexture', picture=WEBP, kind='webp'),
     has_texture('baseColorTexture'), TEXTURE),
    ('gray image', lambda: Scene().texture('baseColorTexture', picture=png(
        1, 1, 0, 8, bytes([128]))), has_texture('baseColorTexture', (128 / 255,) * 3), TEXTURE),
    ('image of 16 bits', lambda: Scene().texture('baseColorTexture', picture=png(
        1, 1, 2, 16, struct.pack('>3H', 65535, 0, 32768))),
     has_texture('baseColorTexture', (1, 0, 32768 / 65535)), TEXTURE),
    ('image with a palette', lambda: Scene().texture('baseColorTexture', picture=png(
        2, 1, 3, 4, b'\x10', palette=bytes([0, 255, 0, 255, 0, 0]))),
     has_texture('baseColorTexture', (1, 0, 0)), TEXTURE),
    # -- Vertices
    ('vertex alpha', lambda: Scene(COLOR_0=([(1, 1, 1, .5)] * 4, 'VEC4')).material(alphaMode='BLEND'),
     any_row('COLOR_0', (1, 1, 1, .5)), ('LOSS-COLORS', 'LOSS-COLORS') + MATERIAL),
    ('colors of 8 bits', lambda: normalized('COLOR_0', [(128, 64, 191)] * 4, 'VEC3', 'B'),
     any_row('COLOR_0', (128 / 255, 64 / 255, 191 / 255)), ('LOSS-COLORS',)),
    ('colors of 16 bits', lambda: normalized('COLOR_0', [(32768, 16384, 49151, 65535)] * 4, 'VEC4', 'H'),
     any_row('COLOR_0', (32768 / 65535, 16384 / 65535, 49151 / 65535)), ('LOSS-COLORS',)),
    ('quantized normals', lambda: normalized('NORMAL', [(0, 76, 102)] * 4, 'VEC3', 'b').used(
        'KHR_mesh_quantization'), any_row('NORMAL', tuple(x / math.hypot(76, 102) for x in (0, 76, 102))), ('LOSS-NORMALS', 'LOSS-STL')),
    ('texture coordinates beyond 1', lambda: Scene(
        TEXCOORD_0=([(-3, -2), (4, -2), (4, 5), (-3, 5)], 'VEC2')),
     any_row('TEXCOORD_0', (4, 5)), ('LOSS-TEXCOORDS',)),
    ('normals of one part', lambda: one_smooth(), lambda b: any_row('NORMAL', (0, .6, .8))(b),
     ('LOSS-NORMALS', 'LOSS-STL')),
    ('sparse accessor', sparse, lambda b: (1, 5, 0) in b.points(), ()),
    ('more than 65,536 vertices', many_vertices, lambda b: len(b.points()) >= 69000,
     ('LOSS-LIMIT', 'J3D-LIMIT')),
    # -- Shapes
    ('triangle strip', lambda: drawn(5, (0, 1, 3, 2)), placed(), ()),
    ('triangle fan', lambda: drawn(6), placed(), ()),
    ('line strip', lambda: drawn(3), lambda b: any(p.get('mode') in (1, 3) for p in b.primitives()),
     ('LOSS-LINES',)),
    ('line loop', lambda: drawn(2), lambda b: any(p.get('mode') in (1, 2) for p in b.primitives()),
     ('LOSS-LINES',)),
    # -- Skins and targets
    ('eight influences', lambda: skinned(((.2, .2, .1, .1), (.1, .1, .1, .1)), 8),
     weighs({f'bone{i}': .2 if i < 2 else .1 for i in range(8)}, .02),
     ('LOSS-SKIN', 'LOSS-SKIN')),
    ('twelve influences', lambda: skinned(((.1,) * 4, (.1,) * 4, (.05,) * 4), 12),
     weighs({f'bone{i}': .1 if i < 8 else .05 for i in range(12)}, .02),
     ('LOSS-SKIN', 'LOSS-SKIN')),
    ('weights of sum 2', lambda: skinned(((1.5, .5, 0, 0),)), weighs({'bone0': .75, 'bone1': .25}),
     ('LOSS-SKIN', 'LOSS-SKIN')),
    ('weights of zero', lambda: skinned(((0, 0, 0, 0),)), weighs({'bone0': 1}),
     ('LOSS-SKIN', 'LOSS-SKIN', 'J3D-UNWEIGHTED')),
    ('two skins', two_skins, lambda b: {'bone0', 'bone1', 'wing0', 'wing1'} <= {
        b.json['nodes'][n].get('name') for s in b.json.get('skins', []) for n in s['joints']}
     and {x for v in joint_weights(b) for x in v} == {'bone0', 'bone1', 'wing0', 'wing1'}, ('LOSS-SKIN', 'LOSS-SKIN')),
    ('skin below a placed node', placed_skin, placed(), ()),
    ('moving skin', lambda: skinned().animate('rotation', [
        (0, 0, 0, 1), (0, 0, math.sqrt(.5), math.sqrt(.5))], 'VEC4', node=2),
     moves('rotation', 1, (0, 0, math.sqrt(.5), math.sqrt(.5)), 'bone1'),
     ANIMATION + ('LOSS-SKIN', 'LOSS-SKIN')),
    ('joint names', skinned, named('nodes', 'bone0', 'bone1'), ('LOSS-SKIN', 'LOSS-SKIN')),
    ('names of targets', targets, lambda b: b.json['meshes'][0].get('extras', {}).get('targetNames')
     == ['smile', 'frown'], ('LOSS-MORPHS',)),
    ('normals of targets', targets, lambda b: any(
        near(b.rows(t['NORMAL'])[0], (.6, 0, -.2), .02) for p in b.primitives()
        for t in p.get('targets', []) if 'NORMAL' in t), ('LOSS-MORPHS', 'LOSS-MORPH-NORMALS')),
    # -- Transforms
    ('nodes below nodes', nested, lambda b: b.points() == {(-4.0, 0.0, 0.0), (-4.0, 2.0, 0.0),
     (-8.0, 2.0, 0.0), (-8.0, 0.0, 0.0)}, ()),
    ('names below names', nested, named('nodes', 'arm', 'hand'), NODES),
    ('scale of zero', lambda: with_node(scale=[1, 1, 0]), placed(), ()),
    ('two scenes', two_scenes, lambda b: len(b.json['scenes']) == 2, ('GLTF-SCENE',)),
    ('nodes of other scenes are not drawn', two_scenes, placed(), ()),
    ('levels of detail', levels, lambda b: any_node(lambda n: 'MSFT_lod' in n.get('extensions', {}))(b)
     and len(b.json['meshes']) == 2, ('LOSS-LODS',)),
    ('levels below are not drawn', levels, placed(), ()),
    ('orthographic camera', lambda: with_camera(ORTHOGRAPHIC),
     lambda b: any(c['type'] == 'orthographic' for c in b.json.get('cameras', [])),
     ('LOSS-CAMERA',)),
    ('spot light', lambda: with_light(type='spot', spot={
        'innerConeAngle': .25, 'outerConeAngle': .5}),
     lambda b: any(near([x.get('spot', {}).get('outerConeAngle', 0)], [.5])
                   for x in b.json.get('extensions', {}).get('KHR_lights_punctual', {}).get('lights', [])),
     ('LOSS-CAMERA',)),
    ('directional light', lambda: with_light(type='directional'),
     lambda b: any(x.get('type') == 'directional' for x in b.json.get('extensions', {}).get(
         'KHR_lights_punctual', {}).get('lights', [])), ('LOSS-CAMERA',)),
    ('mesh extras', lambda: extras_of('meshes'), lambda b: any(
        m.get('extras', {}).get('secret') == 7 for m in b.json['meshes']),
     ('LOSS-EXTRAS', 'LOSS-NODES')),
    # -- Animations
    ('steps', lambda: Scene().animate('translation', [(0, 0, 0), (1, 0, 0)], 'VEC3',
                                      interpolation='STEP'),
     moves('translation', .8, (0, 0, 0)), ANIMATION),
    # Hermite: x = 3 t^2 - 2 t^3, y = 4 (t^3 - 2 t^2 + t)
    ('cubic curves', lambda: Scene().animate('translation', [
        (0, 0, 0), (0, 0, 0), (0, 4, 0), (0, 0, 0), (1, 0, 0), (0, 0, 0)], 'VEC3',
        interpolation='CUBICSPLINE'),
     both(*(moves('translation', t, (3 * t**2 - 2 * t**3, 4 * (t**3 - 2 * t**2 + t), 0))
            for t in (.1, .37, .5, .9))), ANIMATION),
    ('two animations', lambda: Scene().animate('translation', [(0, 0, 0), (1, 0, 0)], 'VEC3', name='walk')
     .animate('translation', [(0, 0, 0), (0, 1, 0)], 'VEC3', name='run'),
     named('animations', 'walk', 'run'), ANIMATION),
    ('visibility in time', visible_for_a_while, lambda b: any(
        'visible' in c['target'].get('extensions', {}).get('KHR_animation_pointer', {}).get('pointer', '')
        for a in b.json.get('animations', []) for c in a['channels']),
     ANIMATION + ('GLTF-POINTER', 'LOSS-VISIBILITY')),
] + [(f'names: {what}', lambda name=name: with_names(name), lambda b, name=name:
      named('nodes', 'n' + name)(b) and named('meshes', 's' + name)(b)
      and named('materials', 'm' + name)(b), NODES + MATERIAL + ('LOSS-NAMES',))
     for what, name in (('Latin', 'Größe'), ('Japanese', '日本語'), ('emoji', '🐢'), ('spaces', ' a  b '),
                        ('quotes', 'a"b\'c'), ('slashes', 'a/b\\c'), ('numbers', '#1;2=3'),
                        ('lines', 'a\nb\tc'), ('markup', '<a>&amp;'), ('200 letters', 'x' * 200))]
