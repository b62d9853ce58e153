#!/usr/bin/env python3
"""Use facet view like a person: under Xvfb, with xdotool.

    view.py FACET [FOLDER]

It tests turning, modes, animation, the next file, reloading, comparing, pictures, dropped files, an
unreadable file, an untrusted file, git difftool and textconv. The expected result is a color, or
the picture of 'facet render'. FOLDER keeps the screens. Exit status 77 if Xvfb, xdotool or
python3-xlib is missing.
"""
import base64
import ctypes
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

import numpy

try:
    from drop import Desktop
except ImportError:
    Desktop = None

WIDTH, HEIGHT = 640, 480
SLATE, RED, BLUE, GREEN = (48, 52, 58), (255, 0, 0), (0, 0, 255), (0, 255, 0)

# -- Models -----------------------------------------------------------------


def square(color, moves=False, side=1.0, z=0.0):
    """An unlit square as glTF. With `moves`, it moves 100 to the right in a second."""
    points = struct.pack('<12f', -side, -side, z, side, -side, z, side, side, z, -side, side, z)
    corners = struct.pack('<6H', 0, 1, 2, 0, 2, 3)
    motion = struct.pack('<8f', 0, 1, 0, 0, 0, 100, 0, 0)
    data = points + corners + motion
    document = {
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}],
        'nodes': [{'mesh': 0, 'name': 'square'}],
        'extensionsUsed': ['KHR_materials_unlit'],
        'materials': [{'pbrMetallicRoughness': {'baseColorFactor': [*(c / 255 for c in color), 1]},
                       'extensions': {'KHR_materials_unlit': {}}}],
        'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1, 'material': 0}]}],
        'buffers': [{'byteLength': len(data),
                     'uri': 'data:application/octet-stream;base64,' + base64.b64encode(data).decode()}],
        'bufferViews': [{'buffer': 0, 'byteOffset': 0, 'byteLength': 48},
                        {'buffer': 0, 'byteOffset': 48, 'byteLength': 12},
                        {'buffer': 0, 'byteOffset': 60, 'byteLength': 8},
                        {'buffer': 0, 'byteOffset': 68, 'byteLength': 24}],
        'accessors': [{'bufferView': 0, 'componentType': 5126, 'type': 'VEC3', 'count': 4,
                       'min': [-side, -side, z], 'max': [side, side, z]},
                      {'bufferView': 1, 'componentType': 5123, 'type': 'SCALAR', 'count': 6},
                      {'bufferView': 2, 'componentType': 5126, 'type': 'SCALAR', 'count': 2,
                       'min': [0], 'max': [1]},
                      {'bufferView': 3, 'componentType': 5126, 'type': 'VEC3', 'count': 2}]}
    if moves:
        document['animations'] = [{'name': 'go', 'channels': [
            {'sampler': 0, 'target': {'node': 0, 'path': 'translation'}}],
            'samplers': [{'input': 2, 'output': 3}]}]
    return json.dumps(document)


# -- The screen -------------------------------------------------------------


def frame_buffer(path):
    """Rows of red, green, blue of the X server's screen."""
    data = Path(path).read_bytes()
    size, _, _, _, width, height, _, order = struct.unpack_from('>8I', data, 0)
    line, colors = struct.unpack_from('>I', data, 48)[0], struct.unpack_from('>I', data, 76)[0]
    pixels = numpy.frombuffer(data, numpy.uint8, line * height, size + colors * 12)
    rows = pixels.reshape(height, line // 4, 4)
    return rows[:, :width, [1, 2, 3] if order else [2, 1, 0]].astype(int)


class Screen:
    def __init__(self, folder):
        self.folder = folder
        receive, send = os.pipe()
        self.server = subprocess.Popen(
            ['Xvfb', '-displayfd', str(send), '-screen', '0', f'{WIDTH}x{HEIGHT}x24', '-nocursor',
             '-nolisten', 'tcp', '-fbdir', str(folder)], pass_fds=[send], stderr=subprocess.DEVNULL)
        os.close(send)
        with os.fdopen(receive) as file:
            self.env = dict(os.environ, DISPLAY=':' + file.readline().strip(), SDL_VIDEODRIVER='x11')

    def pixels(self):
        return frame_buffer(self.folder / 'Xvfb_screen0')

    def tool(self, *words):
        return subprocess.run(['xdotool', *map(str, words)], env=self.env, check=True,
                              capture_output=True, text=True).stdout

    def end(self):
        self.server.terminate()
        self.server.wait()


class Window:
    """A running 'facet view'. The constructor waits until it shows something."""

    def __init__(self, screen, command, **how):
        self.screen = screen
        self.process = subprocess.Popen(command, env=screen.env, stdout=subprocess.PIPE, text=True, **how)
        self.number = screen.tool('search', '--sync', '--onlyvisible', '--name', 'Facet').split()[0]
        screen.tool('windowfocus', self.number)
        screen.tool('windowmove', self.number, 0, 0)

    def key(self, *names):
        for name in names:
            self.screen.tool('key', name)
            time.sleep(.05)

    def drag(self, dx, dy):
        self.screen.tool('mousemove', WIDTH // 2, HEIGHT // 2, 'mousedown', 1)
        for i in range(1, 6):
            self.screen.tool('mousemove', WIDTH // 2 + dx * i // 5, HEIGHT // 2 + dy * i // 5)
        self.screen.tool('mouseup', 1)

    def title(self):
        return self.screen.tool('getwindowname', self.number).strip()

    def end(self):
        self.key('Escape')
        out = self.process.communicate(timeout=30)[0]
        return self.process.returncode, out


# -- Checks -----------------------------------------------------------------

faults = []
kept = None


def near(color, other):
    return max(abs(a - b) for a, b in zip(color, other)) <= 2


def middle(pixels, x=WIDTH // 2, y=HEIGHT // 2):
    return tuple(int(c) for c in pixels[y, x])


def wait_for(screen, what, holds, seconds=20):
    """The first screen for which it is true; otherwise an error."""
    for _ in range(seconds * 20):
        pixels = screen.pixels()
        if holds(pixels):
            break
        time.sleep(.05)
    else:
        faults.append(f'{what}: not within {seconds} seconds')
    print(('FAILED: ' if faults and faults[-1].startswith(what) else 'ok: ') + what)
    if kept:
        (kept / (what.replace(' ', '-') + '.ppm')).write_bytes(
            b'P6 %d %d 255\n' % (WIDTH, HEIGHT) + pixels.astype(numpy.uint8).tobytes())
    return pixels


def expect(what, holds):
    print(('ok: ' if holds else 'FAILED: ') + what)
    if not holds:
        faults.append(what)


def shows(color, x=WIDTH // 2, y=HEIGHT // 2):
    return lambda pixels: near(middle(pixels, x, y), color)


# -- Actions ----------------------------------------------------------------


def look(screen, facet, folder):
    (folder / 'a.gltf').write_text(square(RED, True))
    (folder / 'b.gltf').write_text(square(BLUE, z=.5))
    window = Window(screen, [facet, 'view', 'a.gltf', 'b.gltf', '--size', f'{WIDTH}x{HEIGHT}',
                             '--view', 'front'], cwd=folder)
    first = wait_for(screen, 'the first file', shows(RED))
    expect('the title has the file', 'a.gltf' in window.title())
    window.drag(100, 20)
    turned = wait_for(screen, 'turned by the mouse', lambda p: (p != first).any(axis=2).sum() > 2000)
    window.key('p')
    window.key('m')
    wait_for(screen, 'another mode', lambda p: not near(middle(p), RED) and not near(middle(p), SLATE))
    window.key('shift+m', '1')
    wait_for(screen, 'from the front', shows(RED))
    time.sleep(1)  # the camera is fitted before the square moves
    window.key('space')
    wait_for(screen, 'the animation moves it away', shows(SLATE))
    window.key('t')
    wait_for(screen, 'at rest again', shows(RED))
    (folder / 'a.gltf').write_text(square(GREEN, True))
    wait_for(screen, 'read again when it changes', shows(GREEN))
    (folder / 'a.gltf').write_text(square(GREEN)[:200])
    time.sleep(1)
    wait_for(screen, 'half a file changes nothing', shows(GREEN))
    (folder / 'a.gltf').write_text(square(RED, True))
    wait_for(screen, 'read again when it is whole', shows(RED))
    window.key('c')
    wait_for(screen, 'side by side', lambda p: near(middle(p, WIDTH // 4), RED) and
             near(middle(p, WIDTH * 3 // 4), BLUE))
    window.key('c')
    wait_for(screen, 'in turn the second', shows(BLUE))
    wait_for(screen, 'in turn the first', shows(RED))
    window.key('c')
    wait_for(screen, 'the distance is the greatest', shows((215, 40, 40)))
    window.key('c', 'n')
    wait_for(screen, 'the next file', shows(BLUE))
    expect('the title has the next file', 'b.gltf' in window.title())
    for panel in range(1, 8):
        window.key(f'F{panel}')
        wait_for(screen, f'panel {panel}', lambda p: not near(middle(p, 10, 60), SLATE))
        window.key('Escape')
    status, out = window.end()
    expect('the end is quiet', status == 0)
    repeat(facet, folder, out, turned)


def repeat(facet, folder, out, turned):
    """The printed arguments draw the saved picture again, bit for bit."""
    saved = json.loads(out)
    (folder / 'camera.json').write_text(out)
    words = [*saved['arguments'], '--camera', 'camera.json']
    words[words.index(saved['picture'])] = 'again.png'
    # The saved picture shows the red square; the file has changed since.
    subprocess.run([facet, 'render', *words], cwd=folder, check=True)
    one, two = (folder / saved['picture']).read_bytes(), (folder / 'again.png').read_bytes()
    expect('facet render draws the saved picture to the bit', one == two)
    expect('the picture is of what was turned', len(zlib.compress(one)) > 100 and turned is not None)


def has_landlock():
    """The version of landlock_create_ruleset, on machines where its number is 444."""
    return ctypes.CDLL(None, use_errno=True).syscall(444, None, ctypes.c_size_t(0), 1) > 0


def look_at_stranger(screen, facet, folder):
    """Operations that the process may still do, and a link that leads out of the folder."""
    for each in ('in', 'out', 'shots'):
        (folder / each).mkdir()
    (folder / 'in/a.gltf').write_text(square(RED))
    (folder / 'out/b.gltf').write_text(square(BLUE))
    window = Window(screen, [facet, 'view', '--untrusted', 'in/a.gltf', '--size', f'{WIDTH}x{HEIGHT}',
                             '--screenshot', 'shots/a.png'],
                    cwd=folder)
    wait_for(screen, 'a file of a stranger', shows(RED))
    state = Path(f'/proc/{window.process.pid}/status').read_text()
    expect('no new privileges', 'NoNewPrivs:\t1' in state)
    if 'Seccomp:\t2' not in state:
        print('the system has no seccomp filters: nothing more is tried')
    elif not has_landlock():
        print('the system has no Landlock: links are followed')
    else:
        (folder / 'in/new').symlink_to('../out/b.gltf')
        (folder / 'in/new').replace(folder / 'in/a.gltf')
        time.sleep(1.5)
        wait_for(screen, 'a link out of the folder is not followed', shows(RED))
    window.drag(100, 0)
    wait_for(screen, 'it turns', lambda p: near(middle(p), RED))
    window.key('p')
    expect('the end of a stranger', window.end()[0] == 0)
    expect('the picture of a stranger is saved', (folder / 'shots/a.png').exists())


def drop(screen, facet, folder):
    """Drop files from another program on the window. It then shows the dropped file."""
    (folder / 'a.gltf').write_text(square(RED))
    (folder / 'other files').mkdir()
    (folder / 'other files/b.gltf').write_text(square(BLUE))
    (folder / 'broken.gltf').write_text('{"asset"')
    window = Window(screen, [facet, 'view', 'a.gltf', '--size', f'{WIDTH}x{HEIGHT}'], cwd=folder)
    wait_for(screen, 'before the drop', shows(RED))
    desktop = Desktop(screen.env)
    expect('the window takes a file', desktop.drop(int(window.number), f'{folder}/other%20files/b.gltf'))
    wait_for(screen, 'the dropped file', shows(BLUE))
    expect('the title has the dropped file', 'b.gltf' in window.title())
    expect('the window takes a broken file', desktop.drop(int(window.number), f'{folder}/broken.gltf'))
    time.sleep(1)
    expect('the window is still there after a broken file', window.process.poll() is None)
    desktop.end()
    expect('the end after drops', window.end()[0] == 0)


def open_late(screen, facet, folder):
    """A window appears with its first picture. An unreadable file opens none."""
    (folder / 'a.gltf').write_text(square(RED))
    (folder / 'broken.gltf').write_text('{"asset"')
    desktop = Desktop(screen.env)
    desktop.watch()
    failed = subprocess.run([facet, 'view', 'broken.gltf'], cwd=folder, env=screen.env,
                            capture_output=True, text=True, timeout=30)
    expect('a broken file gives its error', failed.returncode == 1 and 'broken.gltf' in failed.stderr)
    expect('a broken file brings no window', desktop.appeared() == 0)
    window = Window(screen, [facet, 'view', 'a.gltf', '--size', f'{WIDTH}x{HEIGHT}'], cwd=folder)
    expect('a file brings a window', desktop.appeared() > 0)
    desktop.end()
    expect('the end of a window', window.end()[0] == 0)


def look_by_git(screen, facet, folder):
    env = dict(screen.env, HOME=str(folder), GIT_CONFIG_NOSYSTEM='1')

    def git(*words):
        return subprocess.run(['git', '-c', 'user.name=a', '-c', 'user.email=a@b', *words], cwd=folder,
                              env=env, check=True, capture_output=True, text=True).stdout

    git('init', '-q')
    (folder / '.gitattributes').write_text('*.gltf diff=facet\n')
    git('config', 'diff.facet.textconv', f'{facet} info')
    (folder / 'model.gltf').write_text(square(RED))
    git('add', 'model.gltf', '.gitattributes')
    git('commit', '-q', '-m', 'red')
    (folder / 'model.gltf').write_text(square(BLUE, True))
    difference = git('diff')
    expect('git diff shows what changed in the model',
           any(line[0] == '+' and 'animation' in line for line in difference.splitlines() if line))
    window = Window(screen, ['git', 'difftool', '-y', '-x', f'{facet} view --compare --size '
                             f'{WIDTH}x{HEIGHT} --view front'], cwd=folder)
    wait_for(screen, 'git difftool opens both', lambda p: near(middle(p, WIDTH // 4), RED) and
             near(middle(p, WIDTH * 3 // 4), BLUE))
    expect('git difftool ends well', window.end()[0] == 0)


def main():
    global kept
    if not shutil.which('Xvfb') or not shutil.which('xdotool') or not Desktop:
        print('skipped: Xvfb, xdotool and python3-xlib are not all installed')
        return 77
    facet = str(Path(sys.argv[1]).resolve())
    kept = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    for each in (look, drop, open_late, look_at_stranger, look_by_git):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as screens:
            screen = Screen(Path(screens))
            try:
                each(screen, facet, Path(folder))
            finally:
                screen.end()
    print(f'{len(faults)} faults')
    return int(len(faults) > 0)


if __name__ == '__main__':
    sys.exit(main())
