"""Write Dolphin FIFO logs (.dff): a recorded command stream of the GX chip, with the memory that it
reads.

No game and no PowerPC code is needed: the emulator's FIFO player feeds the bytes to its graphics
pipeline, like a console's processor. Layout (little-endian, file version 4): a header of 128 bytes
and a list of frames of 64 bytes each. Then BP (256), CP (256), XF memory (4096) and XF registers
(88) as 32-bit words, and texture memory (1 MiB). Then, for each frame, its FIFO bytes and its
memory updates (24 bytes each, and their data).
"""
import struct

FIFO_START, FIFO_END = 0x00100000, 0x00180000      # ring buffer of the player in emulated memory


def f32(x):
    return struct.unpack('>I', struct.pack('>f', x))[0]


class Stream:
    """Commands of the graphics FIFO, big-endian."""

    def __init__(self):
        self.b = bytearray()

    def raw(self, data):
        self.b += data

    def bp(self, reg, value):
        self.b += struct.pack('>BI', 0x61, (reg << 24) | (value & 0xFFFFFF))

    def bp_masked(self, reg, value, mask):
        self.bp(0xFE, mask)
        self.bp(reg, value)

    def cp(self, reg, value):
        self.b += struct.pack('>BBI', 0x08, reg, value & 0xFFFFFFFF)

    def xf(self, addr, *words):
        for i in range(0, len(words), 16):          # at most 16 words per command
            part = words[i:i + 16]
            self.b += struct.pack('>BHH', 0x10, len(part) - 1, addr + i)
            for w in part:
                self.b += struct.pack('>I', w & 0xFFFFFFFF)

    def xf_floats(self, addr, floats):
        self.xf(addr, *[f32(x) for x in floats])

    def nops(self, n):
        self.b += bytes(n)


class Dff:
    def __init__(self):
        self.frames = []                            # (fifo bytes, [(position, address, data, type)])
        self.bpmem = [0] * 256
        self.cpmem = [0] * 256
        self.xfmem = [0] * 4096
        self.xfregs = [0] * 88
        self.bpmem[0xFE] = 0xFFFFFF

    def frame(self, fifo, memory=()):
        """memory: (address, bytes[, position in fifo[, type]]), written before the byte at that
        position"""
        ups = []
        for m in memory:
            address, data = m[0], m[1]
            ups.append((m[2] if len(m) > 2 else 0, address, bytes(data), m[3] if len(m) > 3 else 4))
        ups.sort(key=lambda u: u[0])
        self.frames.append((bytes(fifo), ups))

    def save(self, path):
        n = len(self.frames)
        pos = 128 + 64 * n
        out = bytearray(pos)

        def put(words):
            at = len(out)
            out.extend(struct.pack('<%dI' % len(words), *[w & 0xFFFFFFFF for w in words]))
            return at
        bpo, cpo, xfo, xro = put(self.bpmem), put(self.cpmem), put(self.xfmem), put(self.xfregs)
        txo = len(out)
        out.extend(bytes(1 << 20))
        struct.pack_into('<IIIQIQIQIQIQIIQI', out, 0, 0x0d01f1f0, 4, 1, bpo, 256, cpo, 256, xfo, 4096, xro, 88,
                         128, n, 0, txo, 1 << 20)
        for i, (fifo, ups) in enumerate(self.frames):
            fo = len(out)
            out.extend(fifo)
            uo = len(out)
            out.extend(bytes(24 * len(ups)))
            for k, (position, address, data, kind) in enumerate(ups):
                do = len(out)
                out.extend(data)
                struct.pack_into('<IIQIB', out, uo + 24 * k, position, address, do, len(data), kind)
            struct.pack_into('<QIIIQI', out, 128 + 64 * i, fo, len(fifo), FIFO_START, FIFO_END, uo, len(ups))
        with open(path, 'wb') as f:
            f.write(out)


def read(path):
    """Return [(FIFO bytes, [(address, data)])] of the frames of a log."""
    with open(path, 'rb') as f:
        b = f.read()
    magic, = struct.unpack_from('<I', b, 0)
    assert magic == 0x0d01f1f0, 'no FIFO log'
    at, count = struct.unpack_from('<QI', b, 60)
    frames = []
    for i in range(count):
        offset, size, _, _, ups, n = struct.unpack_from('<QIIIQI', b, at + 64 * i)
        memory = []
        for k in range(n):
            position, address, data, length, _ = struct.unpack_from('<IIQIB', b, ups + 24 * k)
            assert position == 0 and data + length <= len(b)
            memory.append((address, b[data:data + length]))
        assert offset + size <= len(b)
        frames.append((b[offset:offset + size], memory))
    return frames


# --- the state that a program sets before it draws ------------------------------------------------------------------
XFB = 0x01600000


def setup(s, width=640, height=480, clear=(0, 0, 0, 0), alpha_frame=False, zfar=0xFFFFFF):
    """viewport, scissor, frame format, copy registers, no textures, and the defaults of GXInit that
    matter"""
    s.bp(0xFE, 0xFFFFFF)
    s.bp(0x20, (342 << 12) | 342)                                       # scissor: top left, +342
    s.bp(0x21, ((342 + width - 1) << 12) | (342 + height - 1))
    s.bp(0x59, ((342 >> 1) << 10) | (342 >> 1))                         # scissor offset
    s.bp(0x22, 0x000606)                                                # line and point width
    s.bp(0x43, (1 if alpha_frame else 0))                               # RGB8 or RGBA6, Z24, late Z
    s.bp(0x42, 0)
    s.bp(0x44, 0x000003)
    s.bp(0x68, 0)
    s.bp(0xF4, 0)
    s.bp(0xF5, 0)
    s.bp(0xE8, 342)                                                     # fog range off
    s.bp(0xEE, 0), s.bp(0xEF, 0), s.bp(0xF0, 0), s.bp(0xF1, 0), s.bp(0xF2, 0)
    s.bp(0x40, 0x17)                                                    # Z LEQUAL write
    s.bp(0x41, 0x18)                                                    # no blend, color and alpha update
    s.bp(0xF3, 0x3F0000)                                                # alpha always
    s.bp(0x0F, 0)
    for i in range(16):
        s.bp(0x10 + i, 0)
    s.xf(0x1000, 0x3F)
    s.xf(0x1005, 0)                                                     # clipping on
    s.xf(0x1012, 1)                                                     # dual texture transform
    s.xf_floats(0x101A, [width / 2, -height / 2, 16777215.0, 342 + width / 2, 342 + height / 2, 16777215.0])
    for i in range(8):
        s.xf(0x1050 + i, 0x3D)                                          # post matrix: identity at row 61
    s.xf_floats(60 * 4, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])
    s.xf_floats(0x500 + 61 * 4, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])
    copy_setup(s, width, height, clear, zfar)


def copy_setup(s, width, height, clear, zfar=0xFFFFFF):
    r, g, b, a = clear
    s.bp(0x49, 0)
    s.bp(0x4A, ((height - 1) << 10) | (width - 1))
    s.bp(0x4B, XFB >> 5)
    s.bp(0x4D, (width * 2) >> 5)
    s.bp(0x4E, 256)
    s.bp(0x4F, (a << 8) | r)
    s.bp(0x50, (g << 8) | b)
    s.bp(0x51, zfar)
    s.bp(0x53, 0x595000)
    s.bp(0x54, 0x000015)


def copy_xfb(s, clear=True):
    s.bp(0x52, 0x4000 | (0x800 if clear else 0) | 0x3)
