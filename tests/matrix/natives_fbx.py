"""FBX 7.4 as text, like that of the SDK, one feature each."""
from back import any_node, both, has_texture, moves, near, pbr, placed
from scenes import PNG

WHITE = (1, 1, 1, 1)
TICKS = 46186158000  # per second


def growing(model):
    """The scale changes from 0 to 1 in a second."""
    zero = ''.join(f'\t\t\tP: "d|{axis}", "Number", "", "A",0\n' for axis in 'XYZ')
    objects = f'''\tAnimationStack: 10, "AnimStack::grow", "" {{
\t\tProperties70:  {{
\t\t\tP: "LocalStop", "KTime", "Time", "",{TICKS}
\t\t}}
\t}}
\tAnimationLayer: 11, "AnimLayer::base", "" {{
\t}}
\tAnimationCurveNode: 12, "AnimCurveNode::S", "" {{
\t\tProperties70:  {{
{zero}\t\t}}
\t}}
'''
    connections = '\tC: "OO",10,0\n\tC: "OO",11,10\n\tC: "OO",12,11\n\tC: "OP",12,2, "Lcl Scaling"\n'
    for i, axis in enumerate('XYZ'):
        objects += f'''\tAnimationCurve: {20 + i}, "AnimCurve::", "" {{
\t\tDefault: 0
\t\tKeyVer: 4008
\t\tKeyTime: *2 {{
\t\t\ta: 0,{TICKS}
\t\t}}
\t\tKeyValueFloat: *2 {{
\t\t\ta: 0,1
\t\t}}
\t\tKeyAttrFlags: *1 {{
\t\t\ta: 24836
\t\t}}
\t\tKeyAttrDataFloat: *4 {{
\t\t\ta: 0,0,0,0
\t\t}}
\t\tKeyAttrRefCount: *1 {{
\t\t\ta: 2
\t\t}}
\t}}
'''
        connections += f'\tC: "OP",{20 + i},12, "d|{axis}"\n'
    return fbx(model, objects=objects, connections=connections)


def fbx(model='', material='', settings='', objects='', connections='', **files):
    """A square under a model, with a material. Arguments are lines of Properties70."""
    text = f"""; FBX 7.4.0 project file
FBXHeaderExtension:  {{
\tFBXHeaderVersion: 1003
\tFBXVersion: 7400
\tCreator: "by hand"
}}
GlobalSettings:  {{
\tVersion: 1000
\tProperties70:  {{
{settings or axes()}
\t}}
}}
Objects:  {{
\tGeometry: 1, "Geometry::square", "Mesh" {{
\t\tVertices: *12 {{
\t\t\ta: 0,0,0,1,0,0,1,2,0,0,2,0
\t\t}}
\t\tPolygonVertexIndex: *4 {{
\t\t\ta: 0,1,2,-4
\t\t}}
\t\tGeometryVersion: 124
\t\tLayerElementUV: 0 {{
\t\t\tVersion: 101
\t\t\tName: "map1"
\t\t\tMappingInformationType: "ByPolygonVertex"
\t\t\tReferenceInformationType: "Direct"
\t\t\tUV: *8 {{
\t\t\t\ta: 0,0,1,0,1,1,0,1
\t\t\t}}
\t\t}}
\t\tLayerElementMaterial: 0 {{
\t\t\tVersion: 101
\t\t\tName: ""
\t\t\tMappingInformationType: "AllSame"
\t\t\tReferenceInformationType: "IndexToDirect"
\t\t\tMaterials: *1 {{
\t\t\t\ta: 0
\t\t\t}}
\t\t}}
\t\tLayer: 0 {{
\t\t\tVersion: 100
\t\t\tLayerElement:  {{
\t\t\t\tType: "LayerElementMaterial"
\t\t\t\tTypedIndex: 0
\t\t\t}}
\t\t\tLayerElement:  {{
\t\t\t\tType: "LayerElementUV"
\t\t\t\tTypedIndex: 0
\t\t\t}}
\t\t}}
\t}}
\tModel: 2, "Model::place", "Mesh" {{
\t\tVersion: 232
\t\tProperties70:  {{
{model}
\t\t}}
\t\tShading: T
\t\tCulling: "CullingOff"
\t}}
\tMaterial: 3, "Material::paint", "" {{
\t\tVersion: 102
\t\tShadingModel: "phong"
\t\tMultiLayer: 0
\t\tProperties70:  {{
{material}
\t\t}}
\t}}
{objects}
}}
Connections:  {{
\tC: "OO",2,0
\tC: "OO",1,2
\tC: "OO",3,2
{connections}
}}
"""
    return dict({'in.fbx': text}, **{k.replace('__', '.'): v for k, v in files.items()})


def axes(up=1, up_sign=1, front=2, front_sign=1, coord=0, unit=100):
    """By default Y up and meters (an FBX is in centimeters)."""
    rows = [('UpAxis', up), ('UpAxisSign', up_sign), ('FrontAxis', front),
            ('FrontAxisSign', front_sign), ('CoordAxis', coord), ('CoordAxisSign', 1)]
    return '\n'.join([f'\t\tP: "{n}", "int", "Integer", "",{v}' for n, v in rows]
                     + [f'\t\tP: "UnitScaleFactor", "double", "Number", "",{unit}'])


def vector(name, x, y, z, kind='Lcl'):
    if kind == 'Lcl':
        return f'\t\t\tP: "{name}", "{name}", "", "A",{x},{y},{z}'
    return f'\t\t\tP: "{name}", "{kind}", "", "A",{x},{y},{z}'


def number(name, value):
    return f'\t\t\tP: "{name}", "Number", "", "A",{value}'


TEXTURE = """\tTexture: 4, "Texture::wood", "" {
\t\tType: "TextureVideoClip"
\t\tVersion: 202
\t\tTextureName: "Texture::wood"
\t\tFileName: "C:\\Users\\me\\t.png"
\t\tRelativeFilename: "t.png"
\t}"""

NATIVES = [
    ('FBX', fbx(), placed()),
    ('FBX in centimeters', fbx(settings=axes(unit=1)), placed(unit=.01)),
    ('FBX with Z up', fbx(settings=axes(up=2, front=1, front_sign=-1)),
     placed(lambda p: (p[0], p[2], -p[1]))),
    ('FBX translation', fbx(vector('Lcl Translation', 1, 2, 3)),
     placed(lambda p: (p[0] + 1, p[1] + 2, p[2] + 3))),
    ('FBX rotation', fbx(vector('Lcl Rotation', 0, 0, 90)), placed(lambda p: (-p[1], p[0], p[2]))),
    # FBX SDK: the pivot Rp does not move: p -> Rp + R (p - Rp)
    ('FBX rotation about a pivot', fbx(vector('Lcl Rotation', 0, 0, 90) + '\n'
                                       + vector('RotationPivot', 1, 0, 0, 'Vector3D')),
     placed(lambda p: (1 - p[1], p[0] - 1, p[2]))),
    ('FBX that grows from nothing and is turned', growing(vector('Lcl Rotation', 0, 0, 90)), both(
        *(moves('rotation', t, (0, 0, .7071, .7071)) for t in (0, .25, 1)),
        moves('scale', 0, (0, 0, 0)), moves('scale', .5, (.5, .5, .5)))),
    ('FBX geometric translation', fbx(vector('GeometricTranslation', 0, 0, 5, 'Vector3D')),
     placed(lambda p: (p[0], p[1], p[2] + 5))),
    ('FBX name', fbx(), any_node(lambda n: n.get('name') == 'place')),
    ('FBX color', fbx(material=vector('DiffuseColor', .5, .25, .75, 'Color')),
     lambda b: near(pbr('baseColorFactor', WHITE)(b)[:3], (.5, .25, .75))),
    ('FBX opacity', fbx(material=number('TransparencyFactor', .25) + '\n'
                        + vector('TransparentColor', 1, 1, 1, 'Color')),
     lambda b: near([pbr('baseColorFactor', WHITE)(b)[3]], [.75])),
    ('FBX texture', fbx(objects=TEXTURE, connections='\tC: "OP",4,3, "DiffuseColor"', t__png=PNG),
     has_texture('baseColorTexture', (1, 0, 0))),
    ('FBX property of an author', fbx(material=number('rust_amount', .5)),
     lambda b: b.material().get('extras', {}).get('$raw.rust_amount') == .5),
    ('FBX properties of FBX are no extras', fbx(material=vector('DiffuseColor', 1, 0, 0, 'Color')
                                                + '\n' + number('Shininess', 25)),
     lambda b: 'extras' not in b.material()),
]
