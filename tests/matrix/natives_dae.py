"""COLLADA like that of other programs, one feature each."""
from back import any_row, has_texture, moves, near, pbr, placed, any_node, named
from scenes import PNG

WHITE = (1, 1, 1, 1)
SOURCES = '''<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 2 0 0 2 0</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="t"><float_array id="ta" count="8">0 0 1 0 1 1 0 1</float_array>
<technique_common><accessor source="#ta" count="4" stride="2"><param name="S" type="float"/>
<param name="T" type="float"/></accessor></technique_common></source>
<source id="c"><float_array id="ca" count="12">1 .5 0 1 .5 0 1 .5 0 1 .5 0</float_array>
<technique_common><accessor source="#ca" count="4" stride="3"><param name="R" type="float"/>
<param name="G" type="float"/><param name="B" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'''
VERTEX = '<input semantic="VERTEX" source="#v" offset="0"/>'
TRIANGLES = f'<triangles count="2" material="m">{VERTEX}<p>0 1 2 0 2 3</p></triangles>'


def dae(primitives=TRIANGLES, node='', asset='', effect='', images='', scene=None, extra='',
        geometry='<instance_geometry url="#g">%s</instance_geometry>', **files):
    bound = ('<bind_material><technique_common><instance_material symbol="m" target="#m">'
             '<bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/>'
             '</instance_material></technique_common></bind_material>') if effect else ''
    shown = geometry % bound if '%s' in geometry else geometry
    text = f'''<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2020-01-01T00:00:00</created><modified>2020-01-01T00:00:00</modified>{asset}</asset>
{images}<library_effects>{f'<effect id="e"><profile_COMMON>{effect}</profile_COMMON></effect>' if effect else ''}</library_effects>
<library_materials>{'<material id="m" name="paint"><instance_effect url="#e"/></material>' if effect else ''}</library_materials>
<library_geometries><geometry id="g" name="square"><mesh>{SOURCES}{primitives}</mesh></geometry></library_geometries>
{extra}<library_visual_scenes><visual_scene id="s">{scene or f'<node id="n" name="place">{node}{shown}</node>'}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>'''
    return dict({'in.dae': text}, **{k.replace('__', '.'): v for k, v in files.items()})


def phong(inside):
    return f'<technique sid="t"><phong>{inside}</phong></technique>'


TEXTURED = ('<newparam sid="surface"><surface type="2D"><init_from>i</init_from></surface></newparam>'
            '<newparam sid="sampler"><sampler2D><source>surface</source></sampler2D></newparam>'
            + phong('<diffuse><texture texture="sampler" texcoord="UV"/></diffuse>'))
MAPPED = ('<triangles count="2" material="m">' + VERTEX + '<input semantic="TEXCOORD" source="#t" '
          'offset="1" set="0"/><p>0 0 1 1 2 2 0 0 2 2 3 3</p></triangles>')


def image(path):
    return f'<library_images><image id="i"><init_from>{path}</init_from></image></library_images>'


def opacity(inside, alpha):
    return dae(effect=phong('<diffuse><color>1 1 1 1</color></diffuse>' + inside)), \
        lambda b: near([pbr('baseColorFactor', WHITE)(b)[3]], [alpha])


ANIMATION = '''<library_animations><animation id="a" name="move">
<source id="ti"><float_array id="tia" count="2">0 1</float_array><technique_common>
<accessor source="#tia" count="2" stride="1"><param name="TIME" type="float"/></accessor></technique_common></source>
<source id="o"><float_array id="oa" count="%d">%s</float_array><technique_common>
<accessor source="#oa" count="2" stride="%d"><param name="X" type="%s"/></accessor></technique_common></source>
<source id="in"><Name_array id="ina" count="2">LINEAR LINEAR</Name_array><technique_common>
<accessor source="#ina" count="2" stride="1"><param name="INTERPOLATION" type="name"/></accessor></technique_common></source>
<sampler id="sa"><input semantic="INPUT" source="#ti"/><input semantic="OUTPUT" source="#o"/>
<input semantic="INTERPOLATION" source="#in"/></sampler><channel source="#sa" target="n/%s"/></animation></library_animations>'''
SKIN = '''<library_controllers><controller id="k"><skin source="#g">
<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
<source id="j"><Name_array id="ja" count="2">hip knee</Name_array><technique_common>
<accessor source="#ja" count="2" stride="1"><param name="JOINT" type="name"/></accessor></technique_common></source>
<source id="b"><float_array id="ba" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1</float_array>
<technique_common><accessor source="#ba" count="2" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>
<source id="w"><float_array id="wa" count="2">.75 .25</float_array><technique_common>
<accessor source="#wa" count="2" stride="1"><param name="WEIGHT" type="float"/></accessor></technique_common></source>
<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#b"/></joints>
<vertex_weights count="4"><input semantic="JOINT" source="#j" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/>
<vcount>2 2 2 2</vcount><v>0 0 1 1 0 0 1 1 0 0 1 1 0 0 1 1</v></vertex_weights></skin></controller></library_controllers>'''
SKINNED = '''<node id="hip" name="hip" sid="hip" type="JOINT"><node id="knee" name="knee" sid="knee" type="JOINT">
<translate>0 1 0</translate></node></node><node id="n" name="place"><instance_controller url="#k">
<skeleton>#hip</skeleton></instance_controller></node>'''

NATIVES = [
    ('COLLADA triangles', dae(), placed()),
    ('COLLADA with Z up', dae(asset='<up_axis>Z_UP</up_axis>'), placed(lambda p: (p[0], p[2], -p[1]))),
    ('COLLADA with X up', dae(asset='<up_axis>X_UP</up_axis>'), placed(lambda p: (-p[1], p[0], p[2]))),
    ('COLLADA in inches', dae(asset='<unit name="inch" meter="0.0254"/>'), placed(unit=.0254)),
    ('COLLADA in centimeters', dae(asset='<unit name="centimeter" meter="0.01"/>'), placed(unit=.01)),
    ('COLLADA polygons', dae(f'<polygons count="1">{VERTEX}<p>0 1 2 3</p></polygons>'), placed()),
    ('COLLADA polylist', dae(f'<polylist count="1">{VERTEX}<vcount>4</vcount><p>0 1 2 3</p></polylist>'),
     placed()),
    ('COLLADA strips', dae(f'<tristrips count="1">{VERTEX}<p>0 1 3 2</p></tristrips>'), placed()),
    ('COLLADA fans', dae(f'<trifans count="1">{VERTEX}<p>0 1 2 3</p></trifans>'), placed()),
    ('COLLADA lines', dae(f'<lines count="2">{VERTEX}<p>0 1 2 3</p></lines>'), lambda b: any(
        p.get('mode') == 1 for p in b.primitives())),
    ('COLLADA colors', dae(f'<triangles count="2">{VERTEX}<input semantic="COLOR" source="#c" offset="0"/>'
                           '<p>0 1 2 0 2 3</p></triangles>'), any_row('COLOR_0', (1, .214, 0))),
    ('COLLADA translate, rotate, scale', dae(node='<translate>1 2 3</translate><rotate>0 0 1 90</rotate>'
                                             '<scale>2 2 2</scale>'),
     placed(lambda p: (1 - 2 * p[1], 2 + 2 * p[0], 3))),
    ('COLLADA matrix', dae(node='<matrix>1 0 0 5 0 1 0 6 0 0 1 7 0 0 0 1</matrix>'),
     placed(lambda p: (p[0] + 5, p[1] + 6, p[2] + 7))),
    ('COLLADA node of a library', dae(
        scene='<node id="n"><translate>1 0 0</translate><instance_node url="#l"/></node>',
        extra='<library_nodes><node id="l"><instance_geometry url="#g"/></node></library_nodes>'),
     placed(lambda p: (p[0] + 1, p[1], p[2]))),
    ('COLLADA names', dae(), any_node(lambda n: n.get('name') == 'place')),
    ('COLLADA diffuse', dae(effect=phong('<diffuse><color>.5 .25 .75 1</color></diffuse>')),
     lambda b: near(pbr('baseColorFactor', WHITE)(b)[:3], (.5, .25, .75))),
    ('COLLADA lambert', dae(effect='<technique sid="t"><lambert><diffuse><color>.5 .25 .75 1</color>'
                            '</diffuse></lambert></technique>'),
     lambda b: near(pbr('baseColorFactor', WHITE)(b)[:3], (.5, .25, .75))),
    ('COLLADA lambert is rough', dae(effect='<technique sid="t"><lambert><diffuse><color>.5 .25 .75 1'
                                     '</color></diffuse></lambert></technique>'),
     lambda b: near([pbr('roughnessFactor', 1)(b), pbr('metallicFactor', 1)(b)], [1, 0])),
    ('COLLADA phong without specular is rough',
     dae(effect=phong('<diffuse><color>.5 .25 .75 1</color></diffuse>')),
     lambda b: near([pbr('roughnessFactor', 1)(b), pbr('metallicFactor', 1)(b)], [1, 0])),
    ('COLLADA emission', dae(effect=phong('<emission><color>1 .5 0 1</color></emission>')),
     lambda b: near(b.material().get('emissiveFactor', ()), (1, .5, 0))),
    ('COLLADA transparency, A_ONE',) + opacity(
        '<transparent opaque="A_ONE"><color>1 1 1 1</color></transparent>'
        '<transparency><float>.5</float></transparency>', .5),
    ('COLLADA alpha of transparent',) + opacity(
        '<transparent opaque="A_ONE"><color>1 1 1 .25</color></transparent>'
        '<transparency><float>1</float></transparency>', .25),
    ('COLLADA transparency, RGB_ZERO',) + opacity(
        '<transparent opaque="RGB_ZERO"><color>1 1 1 1</color></transparent>'
        '<transparency><float>.25</float></transparency>', .75),
    ('COLLADA texture', dae(MAPPED, effect=TEXTURED, images=image('t.png'), t__png=PNG),
     has_texture('baseColorTexture', (1, 0, 0))),
    ('COLLADA texture by URI', dae(MAPPED, effect=TEXTURED, images=image('./my%20t.png'),
                                   **{'my t.png': PNG}), has_texture('baseColorTexture', (1, 0, 0))),
    ('COLLADA texture by a file URI', dae(MAPPED, effect=TEXTURED, images=image('file:///C:/a/t.png'),
                                          t__png=PNG), has_texture('baseColorTexture', (1, 0, 0))),
    ('COLLADA animated matrix', dae(
        node='<matrix sid="at">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>', extra=ANIMATION % (
            32, '1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 4 0 1 0 0 0 0 1 0 0 0 0 1', 16, 'float4x4', 'at')),
     moves('translation', .5, (2, 0, 0))),
    ('COLLADA animated angle', dae(node='<rotate sid="turn">0 0 1 0</rotate>', extra=ANIMATION % (
        2, '0 90', 1, 'float', 'turn.ANGLE')), moves('rotation', 1, (0, 0, .7071, .7071))),
    ('COLLADA animated coordinate', dae(node='<translate sid="go">1 2 3</translate>', extra=ANIMATION % (
        2, '1 5', 1, 'float', 'go.X')), moves('translation', .5, (3, 2, 3))),
    ('COLLADA skin', dae(extra=SKIN, scene=SKINNED), lambda b: named('nodes', 'hip', 'knee')(b)
     and any_row('WEIGHTS_0', (.75, .25))(b)),
]
