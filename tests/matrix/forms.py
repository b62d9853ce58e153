"""Representation of a feature in a file. If a copy means the same but has another representation,
it was computed. A form is a function of a glTF; equal results are equal representations.
"""
from back import joint_weights, picture_of, texture_of


def places(b):
    """The matrices of the nodes that show a mesh."""
    return sorted(tuple(round(x, 4) + 0.0 for row in m for x in row)
                  for node, m in b.matrices() if 'mesh' in node)


def shown_meshes(b):
    return sorted(node['mesh'] for node, _ in b.matrices() if 'mesh' in node)


def hidden_nodes(b):
    return sum(node.get('extensions', {}).get('KHR_node_visibility', {}).get('visible') is False
               for node in b.json['nodes'])


def modes(b):
    return sorted(p.get('mode', 4) for p in b.primitives())


def weights_at_rest(b):
    return b.json['meshes'][0].get('weights')


def count(kind):
    return lambda b: len(b.json.get(kind, []))


def with_attribute(name):
    """Count the primitives that have the attribute."""
    return lambda b: sum(name in p['attributes'] for p in b.primitives())


def unpainted(b):
    return sum('material' not in p for p in b.primitives())


def weight_sums(b):
    return [round(sum(weights.values()), 2) for weights in joint_weights(b)]


def strength(b):
    return b.material().get('extensions', {}).get('KHR_materials_emissive_strength')


def transform(b):
    info = texture_of(b.material(), 'baseColorTexture') or {}
    given = info.get('extensions', {}).get('KHR_texture_transform', {})
    return {k: [round(x, 4) for x in (v if isinstance(v, list) else [v])] for k, v in given.items()}


def keys(b):
    """Interpolation and number of keys of the first channel."""
    for animation in b.json.get('animations', []):
        for channel in animation['channels']:
            sampler = animation['samplers'][channel['sampler']]
            return sampler.get('interpolation', 'LINEAR'), len(b.rows(sampler['input']))
    return None


def kind_of_image(slot):
    """The kind of the image file. For a PNG, also its bits and color type."""
    def form(b):
        info = texture_of(b.material(), slot)
        data = picture_of(b, info) if info else b''
        return data[:4] + (data[24:26] if data[:4] == b'\x89PNG' else b'')
    return form


# Words of files that store a value as such. A file without any of them has a value that was
# computed.
WORDS = {'roughness': (b'roughness', b'Pr '), 'metallic': (b'metal', b'Pm ')}
FORMS = {
    'two instances': shown_meshes, 'hidden node': hidden_nodes,
    'morph weight at rest': weights_at_rest, 'no material is white': unpainted,
    'a part without a material': unpainted, 'no normals': with_attribute('NORMAL'),
    'normals of one part': with_attribute('NORMAL'), 'no tangents': with_attribute('TANGENT'),
    'weights of sum 2': weight_sums, 'weights of zero': weight_sums, 'emissive strength': strength,
    'two skins': count('skins'),
    'metallic-roughness texture': kind_of_image('metallicRoughnessTexture'),
}
FORMS.update({name: places for name in (
    'node translation', 'node rotation', 'node scale', 'mirrored node', 'sheared node',
    'nodes below nodes', 'scale of zero')})
FORMS.update({name: modes for name in ('triangle strip', 'triangle fan', 'line strip', 'line loop')})
FORMS.update({name: transform for name in ('texture transform', 'texture rotation')})
FORMS.update({name: keys for name in (
    'animated translation', 'animated rotation', 'animated scale', 'animated morph weights',
    'moving skin', 'steps', 'cubic curves')})
FORMS.update({name: kind_of_image('baseColorTexture') for name in (
    'JPEG image', 'WebP image', 'gray image', 'image of 16 bits', 'image with a palette')})
