#!/usr/bin/env python3
"""Compare the vertices of animated characters that Facet writes as FBX, as Blender's importer poses
them, with those that the glTF specification defines.

    poses.py FACET [BLENDER]

Exit status 77 if Blender is missing. This script computes the expected vertices itself.
"""
import base64
import json
import math
import os
import struct
import sys
import tempfile

from animation import programs, run

TIMES = [0, 0.25, 0.5, 1]  # seconds; the keys are at 0, 0.5 and 1
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
SCRIPT = r'''
import bpy, json, sys
for path in json.load(open(sys.argv[sys.argv.index('--') + 1])):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.fbx(filepath=path)
    scene, shown = bpy.context.scene, []
    for time in TIMES:
        frame = 1 + time * scene.render.fps / scene.render.fps_base
        scene.frame_set(int(frame), subframe=frame - int(frame))
        graph, points = bpy.context.evaluated_depsgraph_get(), []
        for o in bpy.data.objects:
            if o.type == 'MESH':
                made = o.evaluated_get(graph)
                points += [list(made.matrix_world @ v.co) for v in made.to_mesh().vertices]
                made.to_mesh_clear()
        shown.append(points)
    json.dump(shown, open(path + '.json', 'w'))
'''


# -- Matrices, column-major ------------------------------------------------

def times(a, b):
    return [sum(a[k * 4 + r] * b[c * 4 + k] for k in range(4)) for c in range(4) for r in range(4)]


def placed(translation=(0, 0, 0), rotation=(0, 0, 0, 1), scale=(1, 1, 1)):
    x, y, z, w = rotation
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [v for c in range(3) for v in [rows[r][c] * scale[c] for r in range(3)] + [0]] + \
        list(translation) + [1]


def inverse(m):
    rows = [[m[c * 4 + r] for c in range(4)] + [float(r == c) for c in range(4)] for r in range(4)]
    for i in range(4):
        best = max(range(i, 4), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for r in range(4):
            if r != i:
                rows[r] = [a - rows[r][i] * b for a, b in zip(rows[r], rows[i])]
    return [rows[r][4 + c] for c in range(4) for r in range(4)]


def point(m, p):
    return [sum(m[c * 4 + r] * v for c, v in enumerate(list(p) + [1])) for r in range(3)]


def about(axis, degrees):
    half = math.radians(degrees) / 2
    return [math.sin(half) * (i == axis) for i in range(3)] + [math.cos(half)]


# -- Models ----------------------------------------------------------------

class Model:
    """Nodes, strips of vertices that follow joints, and keys at 0, 0.5 and 1 second."""

    def __init__(self):
        self.nodes, self.parents, self.skins, self.meshes, self.channels = [], [], [], [], []

    def node(self, name, parent=None, **more):
        self.nodes.append({'name': name, **more})
        self.parents.append(parent)
        return len(self.nodes) - 1

    def move(self, node, path, *keys):
        self.channels.append((node, path, keys))

    def transform(self, i, time=None):
        node = dict(self.nodes[i])
        for target, path, keys in self.channels if time is not None else ():
            if target == i:
                k = min(int(time * 2), 1)
                t = time * 2 - k
                value = [(1 - t) * a + t * b for a, b in zip(keys[k], keys[k + 1])]
                if path == 'rotation':  # these keys turn about one axis
                    dot = sum(a * b for a, b in zip(keys[k], keys[k + 1]))
                    angle = math.acos(min(1, abs(dot)))
                    if angle > 1e-6:
                        parts = [math.sin((1 - t) * angle), math.sin(t * angle)]
                        value = [(parts[0] * a + math.copysign(parts[1], dot) * b) / math.sin(angle)
                                 for a, b in zip(keys[k], keys[k + 1])]
                node[path] = value
        return placed(node.get('translation', (0, 0, 0)), node.get('rotation', (0, 0, 0, 1)),
                      node.get('scale', (1, 1, 1)))

    def world(self, i, time=None):
        made = self.transform(i, time)
        return made if self.parents[i] is None else times(self.world(self.parents[i], time), made)

    def skin(self, joints, strip=None, bound_at=IDENTITY, pose=None):
        """Bind a strip to joints. Each joint moves two vertices next to it, except those that
        `strip` leaves out. `bound_at` is the transform of the mesh in the bind pose; `pose` has other
        local transforms of the joints in that pose."""
        rest = {}
        for joint in range(len(self.nodes)):
            local = (pose or {}).get(joint) or self.transform(joint)
            parent = self.parents[joint]
            rest[joint] = local if parent is None else times(rest[parent], local)
        self.skins.append((joints, [times(inverse(rest[j]), bound_at) for j in joints]))
        back = inverse(bound_at)
        used = [k for k, j in enumerate(joints) if strip is None or j in strip]
        at = [(k, point(back, [rest[joints[k]][12 + i] + d * (i == 0) for i in range(3)]))
              for k in used for d in (-0.5, 0.5)]
        self.meshes.append(at)
        self.node('mesh%d' % len(self.meshes), mesh=len(self.meshes) - 1, skin=len(self.skins) - 1)

    def rigid(self, node):
        self.meshes.append([(None, p) for p in ((0, 0, 0), (0.3, 0, 0), (0, 0.4, 0), (0, 0, 0.5))])
        self.nodes[node]['mesh'] = len(self.meshes) - 1

    def posed(self, time):
        made = []
        for i, node in enumerate(self.nodes):
            for joint, p in self.meshes[node['mesh']] if 'mesh' in node else ():
                if joint is None:
                    made.append(point(self.world(i, time), p))
                else:
                    joints, binds = self.skins[node['skin']]
                    made.append(point(times(self.world(joints[joint], time), binds[joint]), p))
        return made

    def write(self, path):
        views, accessors, data = [], [], b''

        def accessor(code, kind, shape, values, **more):
            nonlocal data
            chunk = struct.pack('<%d%s' % (len(values), code), *values)
            views.append({'buffer': 0, 'byteOffset': len(data), 'byteLength': len(chunk)})
            size = {'SCALAR': 1, 'VEC3': 3, 'VEC4': 4, 'MAT4': 16}[shape]
            accessors.append({'bufferView': len(views) - 1, 'componentType': kind, 'type': shape,
                              'count': len(values) // size, **more})
            data += chunk + bytes(-len(chunk) % 4)
            return len(accessors) - 1
        meshes, skins, samplers, channels = [], [], [], []
        for at in self.meshes:
            flat = [v for _, p in at for v in p]
            attributes = {'POSITION': accessor('f', 5126, 'VEC3', flat,
                                               min=[min(flat[i::3]) for i in range(3)],
                                               max=[max(flat[i::3]) for i in range(3)])}
            if at[0][0] is not None:
                attributes['JOINTS_0'] = accessor('B', 5121, 'VEC4',
                                                  [v for k, _ in at for v in (k, 0, 0, 0)])
                attributes['WEIGHTS_0'] = accessor('f', 5126, 'VEC4', [1, 0, 0, 0] * len(at))
            faces = [i + k for i in range(len(at) - 2) for k in (0, 1, 2)]
            meshes.append({'primitives': [{'attributes': attributes,
                                           'indices': accessor('H', 5123, 'SCALAR', faces)}]})
        for joints, binds in self.skins:
            skins.append({'joints': joints, 'inverseBindMatrices':
                          accessor('f', 5126, 'MAT4', [v for m in binds for v in m])})
        if self.channels:
            key_times = accessor('f', 5126, 'SCALAR', [0, 0.5, 1], min=[0], max=[1])
        for node, kind, keys in self.channels:
            shape = 'VEC4' if kind == 'rotation' else 'VEC3'
            samplers.append({'input': key_times,
                             'output': accessor('f', 5126, shape, [v for k in keys for v in k])})
            channels.append({'sampler': len(samplers) - 1, 'target': {'node': node, 'path': kind}})
        nodes = [dict(node) for node in self.nodes]
        for i, parent in enumerate(self.parents):
            if parent is not None:
                nodes[parent].setdefault('children', []).append(i)
        document = {'asset': {'version': '2.0'}, 'scene': 0, 'nodes': nodes, 'meshes': meshes,
                    'scenes': [{'nodes': [i for i, p in enumerate(self.parents) if p is None]}],
                    'buffers': [{'byteLength': len(data), 'uri': 'data:application/octet-stream;'
                                 'base64,' + base64.b64encode(data).decode()}],
                    'bufferViews': views, 'accessors': accessors}
        document.update({k: v for k, v in (('skins', skins), ('animations', [
            {'name': 'move', 'samplers': samplers, 'channels': channels}] if channels else []))
            if v})
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(document, file)


def chain(m, parent=None, names=('hip', 'knee', 'foot'), **more):
    joints = []
    for name in names:
        own = {'translation': [0, 1, 0]} if joints else more
        joints.append(m.node(name, joints[-1] if joints else parent, **own))
    return joints


def walk(m, joints):
    """Turn and move the joints."""
    m.move(joints[0], 'translation', (0, 0, 0), (1, 2, 3), (4, -1, 0))
    m.move(joints[1], 'rotation', *[about(0, a) for a in (0, 40, -30)])
    m.move(joints[-1], 'translation', (0, 1, 0), (0.5, 2, 0), (0, 1, 1))
    return m


def plain():
    m = Model()
    joints = chain(m)
    m.skin(joints)
    return walk(m, joints)


def below(**more):
    """Joints below a node, such as an armature."""
    m = Model()
    joints = chain(m, m.node('armature', m.node('world', **more), translation=[1, 2, 3]))
    m.skin(joints, bound_at=m.world(1))
    return walk(m, joints)


def moved_armature():
    m = below(rotation=about(0, -90))
    m.move(1, 'translation', (1, 2, 3), (2, 2, 2), (0, 5, 0))
    return m


def without_weights():
    m = Model()
    joints = chain(m, m.node('armature'), ('root', 'hip', 'spine', 'neck', 'head'))
    m.skin(joints, strip=[joints[1], joints[4]])
    return walk(m, joints)


def between():
    """A node between joints that is not a joint."""
    m = Model()
    nodes = chain(m, m.node('armature'), ('hip', 'between', 'knee', 'foot'))
    m.skin([nodes[0], nodes[2], nodes[3]])
    return walk(m, nodes)


def other_pose(mesh=IDENTITY):
    m = Model()
    joints = chain(m, m.node('armature', translation=[0, 1, 0]))
    m.skin(joints, bound_at=mesh, pose={joints[1]: placed([0, 1, 0], about(2, 50)),
                                        joints[2]: placed([1, 1, 0], about(0, 30))})
    return walk(m, joints)


def two_in_other_pose():
    """Two skins with one bind pose, whose meshes have other transforms in it."""
    m = other_pose()
    m.skin([2, 3], bound_at=placed([3, 0, 0]), pose={2: placed([0, 1, 0], about(2, 50)),
                                                     3: placed([1, 1, 0], about(0, 30))})
    return m


def two_skins():
    m = Model()
    joints = chain(m, m.node('armature', scale=[2, 2, 2]))
    m.skin(joints)
    m.skin(joints[1:], bound_at=placed([0, 5, 0], about(1, 30)))
    return walk(m, joints)


def carried():
    """Rigid meshes: at a joint, and at a node below a joint."""
    m = below(rotation=about(0, -90))
    m.rigid(3)
    m.rigid(m.node('hat', 4, translation=[0, 0.5, 0], rotation=about(2, 20)))
    return m


def two_characters():
    m = Model()
    for side in (-2, 2):
        joints = chain(m, m.node('armature%d' % side, translation=[side, 0, 0]),
                       ['%s%d' % (name, side) for name in ('hip', 'knee', 'foot')])
        m.skin(joints)
        walk(m, joints)
    return m


def mirrored():
    return below(scale=[-1, 1, 1])


def growing():
    m = plain()
    m.move(1, 'scale', (1, 1, 1), (2, 2, 2), (0.5, 0.5, 0.5))
    return m


def branches():
    """Joints below nodes that are not joints, in two branches."""
    m = Model()
    top = m.node('armature', translation=[0, 1, 0])
    joints = []
    for side in (-1, 1):
        branch = m.node('branch%d' % side, top, translation=[side, 0, 0], rotation=about(2, 30))
        joints += chain(m, branch, ['%s%d' % (name, side) for name in ('hip', 'knee', 'foot')])
    m.skin(joints)
    m.move(joints[0] - 1, 'translation', (-1, 0, 0), (-2, 1, 0), (-1, 0, 2))
    walk(m, joints[:3])
    return walk(m, joints[3:])


def joint_and_branch():
    """A joint, and a sibling node above the other joints."""
    m = Model()
    top = m.node('armature', translation=[0, 1, 0])
    first = m.node('spine', top)
    joints = chain(m, m.node('branch', top, translation=[1, 0, 0], rotation=about(2, 30)))
    m.skin([first] + joints)
    m.move(first, 'translation', (0, 0, 0), (1, 1, 0), (0, 0, 0))
    return walk(m, joints)


def branches_in_other_pose():
    """The same, bound in another pose than at rest."""
    m = Model()
    top = m.node('armature')
    upper = m.node('upper', m.node('left', top, translation=[-1, 0, 0]), translation=[0, 1, 0])
    lower = m.node('lower', m.node('arm', upper, translation=[0, 1, 0]), translation=[0, 1, 0])
    other = m.node('other', m.node('right', top, translation=[1, 0, 0]))
    m.skin([lower, upper, other], pose={upper: placed([0, 1, 0], about(2, 50)),
                                        lower: placed([0, 1, 0], about(0, 30))})
    return walk(m, [upper, lower, other])


def below_a_mesh():
    m = below(rotation=about(0, -90))
    m.rigid(1)
    return m


def with_head():
    """Rigid meshes at all joints."""
    m = plain()
    for joint in range(3):
        m.rigid(joint)
    return m


def below_its_joint():
    """The node of the skinned mesh is below a joint."""
    m = Model()
    joints = chain(m, m.node('armature', translation=[0, 1, 0], rotation=about(1, 70)))
    m.skin(joints)
    m.parents[-1] = joints[1]
    return walk(m, joints)


MODELS = {
    'joints at the root': plain,
    'armature': below,
    'turned world': lambda: below(rotation=about(0, -90)),
    'world of scale 100': lambda: below(scale=[100, 100, 100]),
    'world of scale 0.01': lambda: below(rotation=about(0, -90), scale=[0.01, 0.01, 0.01]),
    'moving armature': moved_armature,
    'joints without weights': without_weights,
    'a node between joints': between,
    'bound in another pose': other_pose,
    'bound in another pose and place': lambda: other_pose(placed([0, 2, 1], about(0, 90))),
    'two skins bound in another pose': two_in_other_pose,
    'two skins': two_skins,
    'meshes below joints': carried,
    'two characters': two_characters,
    'mirrored world': mirrored,
    'joints in two branches': branches,
    'a joint and a branch': joint_and_branch,
    'branches bound in another pose': branches_in_other_pose,
    'joints below a mesh': below_a_mesh,
    'meshes at all joints': with_head,
    'a skinned mesh below a joint': below_its_joint,
    'growing joint': growing,
}


def distance(wanted, found):
    """Largest distance from a point to the nearest one of the other list, in both directions."""
    def one_way(a, b):
        return max(min(math.dist(p, q) for q in b) for p in a)
    return max(one_way(wanted, found), one_way(found, wanted)) if found else math.inf


def main():
    facet, blender = programs()
    faults = 0
    with tempfile.TemporaryDirectory() as work:
        paths = []
        for number, (name, make) in enumerate(MODELS.items()):
            path = os.path.join(work, '%d' % number)
            make().write(path + '.gltf')
            said = run(facet, 'convert', path + '.gltf', path + '.fbx')
            if 'warning' in said:
                print(f'{name}: {said}')
                faults += 1
            paths.append(path + '.fbx')
        plan, script = os.path.join(work, 'plan.json'), os.path.join(work, 'run.py')
        with open(plan, 'w', encoding='utf-8') as file:
            json.dump(paths, file)
        with open(script, 'w', encoding='utf-8') as file:
            file.write(SCRIPT.replace('TIMES', repr(TIMES)))
        run(blender, '-b', '--factory-startup', '-noaudio', '--python-exit-code', '1', '--python',
            script, '--', plan)
        for path, (name, make) in zip(paths, MODELS.items()):
            with open(path + '.json', encoding='utf-8') as file:
                shown = json.load(file)
            off = []
            for time, points in zip(TIMES, shown):
                # Blender has +Z up.
                wanted = [[x, -z, y] for x, y, z in make().posed(time)]
                size = max(abs(v) for p in wanted for v in p)
                off.append(distance(wanted, points) / size)
            print('%s: off by %s' % (name, ' '.join('%.6f' % o for o in off)))
            faults += max(off) > 1e-4
    print(f'{len(MODELS)} models, {faults} faults')
    sys.exit(faults > 0)


main()
