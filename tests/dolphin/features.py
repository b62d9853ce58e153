"""Small J3D models, one for each feature: the scene of scene.py with a material in Facet's JSON."""
import json
import os
import random
import subprocess

FACET = 'facet'

# -- Short forms ------------------------------------------------------------------------------------------------------
UNLIT_VTX = {"lighting": False, "materialSource": "VTX", "lightMask": 0, "diffuse": "CLAMP", "attenuation": "SPOT",
             "ambientSource": "REG"}
UNLIT_REG = dict(UNLIT_VTX, materialSource="REG")
LIT = {"lighting": True, "materialSource": "REG", "lightMask": 1, "diffuse": "CLAMP", "attenuation": "SPOT",
       "ambientSource": "REG"}


def channels(*c):
    return list(c) + [UNLIT_REG] * (4 - len(c))


def comb(a, b, c, d, op="ADD", bias="ZERO", scale="SCALE_1", clamp=True, dest="PREV"):
    return {"inputs": [a, b, c, d], "operation": op, "bias": bias, "scale": scale, "clamp": clamp, "destination": dest}


def stages(*pairs):
    return [{"color": c, "alpha": a} for c, a in pairs]


PASS_A = comb("ZERO", "ZERO", "ZERO", "APREV")
RAS = (comb("ZERO", "ZERO", "ZERO", "RASC"), comb("ZERO", "ZERO", "ZERO", "RASA"))
TEX = (comb("ZERO", "ZERO", "ZERO", "TEXC"), comb("ZERO", "ZERO", "ZERO", "TEXA"))
MUL = (comb("ZERO", "TEXC", "RASC", "ZERO"), comb("ZERO", "TEXA", "RASA", "ZERO"))


def order(coord=0, map_=0, channel="COLOR0A0"):
    name = lambda p, x: "NULL" if x is None else p + str(x)
    return {"texcoord": name("TEXCOORD", coord), "texmap": name("TEXMAP", map_), "channel": channel}


def orders(*o):
    return [order(*x) for x in o]


IDENT = {"type": "MTX2X4", "source": "TEX0", "matrix": "IDENTITY"}
OPAQUE = {"mode": "OPAQUE", "blend": {"type": "NONE", "source": "ONE", "destination": "ZERO", "logic": "COPY"}}


def blend(type_="BLEND", s="SRCALPHA", d="INVSRCALPHA", logic="COPY"):
    return {"mode": "TRANSLUCENT", "blend": {"type": type_, "source": s, "destination": d, "logic": logic},
            "depth": {"test": True, "comparison": "LEQUAL", "write": False}, "earlyDepth": True}


def alpha(c0, r0, op, c1, r1):
    return {"alphaCompare": {"comparison0": c0, "reference0": r0, "operation": op, "comparison1": c1, "reference1": r1}}


def matrix(mode="NONE", proj="MTX2X4", scale=(1, 1), rot=0, tr=(0, 0), center=(.5, .5, .5), effect=None, maya=False):
    m = {"projection": proj, "mode": mode, "scale": list(scale), "rotation": rot, "translation": list(tr),
         "center": list(center)}
    if effect:
        m["effect"] = effect
    return m


EFFECT = [[.7, .2, -.1, .1], [-.3, .8, .15, -.2], [.1, -.1, .9, .3], [0, 0, 0, 1]]
SMALL = [[.006, .002, -.001, .1], [-.003, .007, .0015, -.2], [.001, -.001, .009, .3], [0, 0, 0, 1]]


def tex_material(texgen, m=None, **more):
    d = {"texgenCount": 1, "stageCount": 1, "texgens": [texgen], "tevStages": stages(TEX), "tevOrders": orders((0, 0)),
         "textures": ["body"], "channels": channels(LIT, UNLIT_REG), "channelCount": 1}
    if m:
        d["textureMatrices"] = [m]
    d.update(more)
    return d


def cases():
    """Return name -> dict(ball=, pane=, textures=, args=)."""
    C = {}

    def add(name, ball=None, pane=None, textures=None, args=(), **more):
        C[name] = dict(ball=ball, pane=pane, textures=textures, args=args, **more)
    add('base')
    # lights and channels
    ras = {"stageCount": 1, "texgenCount": 0, "tevStages": stages(RAS), "tevOrders": orders((None, None)),
           "textures": [], "texgens": []}
    add('chan-unlit-vertex', dict(ras, channels=channels(UNLIT_VTX, UNLIT_VTX)))
    add('chan-unlit-register', dict(ras, channels=channels(UNLIT_REG, UNLIT_REG), materialColors=[[200, 120, 30, 90]] * 2))
    add('chan-lit-spot-clamp', dict(ras, channels=channels(LIT, UNLIT_REG), ambientColors=[[40, 10, 70, 50]] * 2))
    add('chan-lit-sign', dict(ras, channels=channels(dict(LIT, diffuse="SIGN"), UNLIT_REG),
                              ambientColors=[[140, 110, 170, 50]] * 2))
    add('chan-lit-diffuse-none', dict(ras, channels=channels(dict(LIT, diffuse="NONE"), UNLIT_REG)))
    add('chan-lit-attn-none', dict(ras, channels=channels(dict(LIT, attenuation="NONE"), UNLIT_REG)))
    add('chan-lit-spec', dict(ras, channels=channels(dict(LIT, attenuation="SPEC"), UNLIT_REG)))
    add('chan-lit-mask0-amb-vtx', dict(ras, channels=channels(dict(LIT, lightMask=0, ambientSource="VTX"), UNLIT_REG),
                                       materialColors=[[220, 180, 90, 255]] * 2))
    add('chan-lit-all-vertex', dict(ras, channels=channels(dict(LIT, materialSource="VTX", ambientSource="VTX"), UNLIT_VTX)))
    add('chan-alpha-lit', dict(ras, channels=channels(UNLIT_REG, LIT), tevStages=stages(
        (comb("ZERO", "ZERO", "ZERO", "RASA"), RAS[1])), ambientColors=[[50, 50, 50, 30]] * 2))
    two = dict(ras, channelCount=2, stageCount=2, swapModes=[{}, {}],
               channels=channels(LIT, UNLIT_REG, dict(LIT, attenuation="SPEC", lightMask=4), UNLIT_REG),
               materialColors=[[180, 90, 60, 255], [255, 240, 200, 255]], ambientColors=[[50, 50, 50, 50], [0, 0, 0, 0]],
               tevOrders=orders((None, None, "COLOR0A0"), (None, None, "COLOR1A1")),
               tevStages=stages(RAS, (comb("RASC", "ZERO", "ZERO", "CPREV"), PASS_A)))
    add('chan-two-specular', two)
    add('chan-count0-reads-ras', dict(ras, channelCount=0))
    add('chan-order-zero', dict(ras, tevOrders=orders((None, None, "ZERO"))))
    # TEV
    add('tev-lerp-konst', {"stageCount": 2, "swapModes": [{}, {}], "konstColors": [[220, 40, 90, 130]] + [[255] * 4] * 3,
                           "konstColorSelections": ["K0", "K0_A"], "konstAlphaSelections": ["K0_A", "1_2"],
                           "tevOrders": orders((0, 0), (0, 0)), "tevStages": stages(
        MUL, (comb("CPREV", "TEXC", "KONST", "ZERO"), comb("APREV", "KONST", "TEXA", "ZERO")))})
    add('tev-negative-registers', {"stageCount": 3, "swapModes": [{}, {}, {}], "tevRegisters": [[-100, 300, -5, 255],
        [700, -700, 40, 0], [20, 20, 20, 20], [0, 0, 0, 0]], "tevOrders": orders((0, 0), (0, 0), (0, 0)),
        "tevStages": stages((comb("ZERO", "ZERO", "ZERO", "C0", clamp=False, dest="REG2"), TEX[1]),
                            (comb("TEXC", "C2", "HALF", "C1", scale="DIVIDE_2", clamp=False), PASS_A),
                            (comb("CPREV", "TEXC", "A0", "CPREV", op="SUB", bias="SUBHALF", scale="SCALE_2"), PASS_A))})
    for s in ("SCALE_2", "SCALE_4", "DIVIDE_2"):
        add('tev-' + s.lower(), {"tevStages": stages((comb("ZERO", "TEXC", "RASC", "ZERO", scale=s, bias="ADDHALF"), TEX[1]))})
        add('tev-sub-' + s.lower(), {"tevStages": stages((comb("ZERO", "TEXC", "RASC", "ONE", op="SUB", scale=s,
                                                                bias="SUBHALF"), TEX[1]))})
    add('tev-unclamped-last', {"tevStages": stages((comb("ONE", "TEXC", "RASC", "TEXC", scale="SCALE_2", clamp=False), TEX[1]))})
    add('tev-last-dest-reg1', {"stageCount": 2, "swapModes": [{}, {}], "tevOrders": orders((0, 0), (0, 0)),
                               "tevStages": stages(MUL, (comb("CPREV", "ONE", "TEXC", "ZERO", dest="REG1"),
                                                         comb("ZERO", "ZERO", "ZERO", "APREV", dest="REG1")))})
    for op in ("COMP_R8_GT", "COMP_R8_EQ", "COMP_GR16_GT", "COMP_GR16_EQ", "COMP_BGR24_GT", "COMP_BGR24_EQ",
               "COMP_RGB8_GT", "COMP_RGB8_EQ"):
        add('tev-' + op.lower(), {"tevStages": stages((comb("TEXC", "RASC", "ONE", "ZERO", op=op), TEX[1])),
                                  "channels": channels(UNLIT_VTX, UNLIT_VTX)})
    add('tev-alpha-comp', {"tevStages": stages((comb("TEXC", "RASC", "HALF", "ZERO", op="COMP_R8_GT"),
                                                comb("TEXA", "RASA", "KONST", "ZERO", op="COMP_A8_GT"))),
                           "channels": channels(UNLIT_VTX, UNLIT_VTX), "konstAlphaSelections": ["1"],
                           **alpha("GREATER", 10, "AND", "ALWAYS", 0)})
    sel = ["1", "7_8", "3_4", "5_8", "1_2", "3_8", "1_4", "1_8", "K0", "K1", "K2_R", "K3_G", "K0_B", "K1_A", "K3", "K2"]
    kc = [[13, 200, 77, 31], [90, 22, 160, 240], [255, 0, 128, 60], [3, 99, 180, 120]]
    add('tev-16-stages-konst', {"stageCount": 16, "swapModes": [{}] * 16, "konstColors": kc, "konstColorSelections": sel,
                                "konstAlphaSelections": [x if len(x) > 2 or x == "1" else "K1_G" for x in sel],
                                "tevOrders": orders(*[(0, 0)] * 16), "tevStages": stages(
        *[MUL] + [(comb("CPREV", "KONST", "TEXC", "ZERO", op="ADD"), comb("APREV", "KONST", "TEXA", "ZERO"))] * 15)})
    add('tev-swap-tables', {"stageCount": 2, "swapTables": [["R", "G", "B", "A"], ["G", "B", "R", "A"], ["A", "R", "R", "G"], ["B", "B", "A", "R"]],
                            "swapModes": [{"rasterTable": 1, "textureTable": 3}, {"rasterTable": 2, "textureTable": 1}],
                            "tevOrders": orders((0, 0), (0, 0)), "channels": channels(UNLIT_VTX, UNLIT_VTX),
                            "tevStages": stages(MUL, (comb("CPREV", "TEXC", "RASA", "ZERO"), MUL[1])), "textures": ["leaf"]})
    add('tev-map-null-reads-tex', {"tevOrders": orders((None, None)), "tevStages": stages(MUL)})
    # Coordinate 3 does not exist, so coordinate 0 is sampled, with the size that the first stage
    # sets. With only the second stage, the size would be left over from the material before.
    add('tev-texcoord-too-high', {"stageCount": 2, "swapModes": [{}, {}], "textures": ["body", "gray"],
                                  "tevOrders": orders((0, 0), (3, 1)),
                                  "tevStages": stages(TEX, (comb("CPREV", "TEXC", "HALF", "ZERO"), PASS_A))})
    add('tev-two-sizes-one-coord', {"stageCount": 2, "swapModes": [{}, {}], "textures": ["body", "gray"],
                                    "tevOrders": orders((0, 0), (0, 1)),
                                    "tevStages": stages(TEX, (comb("CPREV", "TEXC", "HALF", "ZERO"), PASS_A))})
    add('tev-two-coords', {"stageCount": 2, "swapModes": [{}, {}], "textures": ["body", "leaf"], "texgenCount": 2,
                           "texgens": [IDENT, dict(IDENT, source="TEX1")], "tevOrders": orders((0, 0), (1, 1)),
                           "tevStages": stages(MUL, (comb("CPREV", "TEXC", "TEXA", "ZERO"), PASS_A))})
    # alpha test and depth
    leaf = {"textures": ["leaf"], "channels": channels(UNLIT_VTX, UNLIT_VTX), "cullMode": "NONE"}
    for n, a in dict(ge=("GEQUAL", 128, "AND", "LEQUAL", 255), out=("GEQUAL", 190, "OR", "LEQUAL", 60),
                     xor=("LESS", 70, "XOR", "LESS", 150), xnor=("GEQUAL", 180, "XNOR", "GEQUAL", 60),
                     eq=("EQUAL", 80, "OR", "NEQUAL", 0)).items():
        add('alpha-' + n, dict(leaf, earlyDepth=False, **alpha(*a)))
    add('alpha-early-depth', dict(leaf, earlyDepth=True, **alpha("GEQUAL", 128, "AND", "LEQUAL", 255)),
        {"mode": "OPAQUE", "depth": {"test": True, "comparison": "LEQUAL", "write": True}})
    add('alpha-early-depth-pane', None, dict(leaf, earlyDepth=True, mode="OPAQUE", **alpha("GEQUAL", 128, "AND", "LEQUAL", 255)),
        file_order=False, first='pane')
    for z in ("NEVER", "LESS", "EQUAL", "GREATER", "NEQUAL", "GEQUAL", "ALWAYS"):
        add('depth-' + z.lower(), None, {"mode": "OPAQUE", "depth": {"test": True, "comparison": z, "write": True}})
    add('depth-off', None, {"depth": {"test": False, "comparison": "LEQUAL", "write": True}})
    # blending: the pane over the ball
    pane = {"textures": ["leaf"], "channels": channels(UNLIT_VTX, UNLIT_VTX), "cullMode": "NONE"}
    for n, b in {'alpha': blend(), 'add': blend(d="ONE"), 'one-one': blend(s="ONE", d="ONE"),
                 'dstclr-zero': blend(s="DSTCLR", d="ZERO"), 'dstclr-invsrcalpha': blend(s="DSTCLR", d="INVSRCALPHA"),
                 'one-invsrcclr': blend(s="ONE", d="INVSRCCLR"), 'zero-srcclr': blend(s="ZERO", d="SRCCLR"),
                 'invdstclr-one': blend(s="INVDSTCLR", d="ONE"), 'invsrcalpha-srcalpha': blend(s="INVSRCALPHA", d="SRCALPHA"),
                 'dstalpha': blend(s="DSTALPHA", d="INVDSTALPHA"), 'subtract': blend("SUBTRACT")}.items():
        add('blend-' + n, None, dict(pane, **b))
    for i, l in enumerate(("CLEAR", "AND", "REVAND", "COPY", "INVAND", "NOOP", "XOR", "OR", "NOR", "EQUIV", "INV", "REVOR",
                           "INVCOPY", "INVOR", "NAND", "SET")):
        add('logic-' + l.lower(), None, dict(pane, **blend("LOGIC", logic=l)))
    # culling
    for c in ("NONE", "FRONT", "BACK", "ALL"):
        add('cull-' + c.lower(), {"cullMode": c}, {"cullMode": c})
    # texture coordinates
    srt = matrix(scale=(1.5, .7), rot=30, tr=(.2, -.1))
    add('texgen-srt', tex_material(dict(IDENT, matrix="TEXMTX0"), srt))
    add('texgen-srt-3x4', tex_material(dict(IDENT, type="MTX3X4", matrix="TEXMTX0"), dict(srt, projection="MTX3X4")))
    add('texgen-srtg', tex_material({"type": "SRTG", "source": "COLOR0", "matrix": "IDENTITY"}, textures=["ramp"]))
    add('texgen-srtg-color1', dict(two, texgenCount=1, texgens=[{"type": "SRTG", "source": "COLOR1", "matrix": "IDENTITY"}],
                                   textures=["ramp"], tevOrders=orders((0, 0), (None, None, "COLOR1A1")),
                                   tevStages=stages(TEX, (comb("RASC", "ZERO", "ZERO", "CPREV"), PASS_A))))
    add('texgen-toon', {"texgenCount": 2, "stageCount": 3, "textures": ["body", "ramp"], "channels": channels(LIT, UNLIT_REG),
                        "texgens": [IDENT, {"type": "SRTG", "source": "COLOR0", "matrix": "IDENTITY"}],
                        "tevRegisters": [[60, 70, 90, 255]] + [[0] * 4] * 3, "konstColors": [[250, 240, 220, 255], [160, 90, 0, 255]] +
                        [[255] * 4] * 2, "konstColorSelections": ["K0", "K0", "K1"],
                        "swapTables": [["R", "G", "B", "A"], ["R", "R", "R", "A"], ["G", "G", "G", "A"], ["B", "B", "B", "A"]],
                        "swapModes": [{"rasterTable": 0, "textureTable": 1}, {}, {"rasterTable": 0, "textureTable": 2}],
                        "tevOrders": orders((1, 1, "NULL"), (0, 0, "NULL"), (1, 1, "NULL")), "tevStages": stages(
        (comb("C0", "KONST", "TEXC", "ZERO"), TEX[1]), (comb("ZERO", "CPREV", "TEXC", "ZERO"), TEX[1]),
        (comb("ZERO", "KONST", "TEXC", "CPREV"), PASS_A))})
    for mode in ("ENV_BASIC", "ENV_OLD", "ENV", "EFFECT_MODEL", "ENV_OLD_EFFECT", "ENV_EFFECT"):
        for proj in ("MTX2X4", "MTX3X4"):
            add('texgen-nrm-%s-%s' % (mode.lower(), proj[3:].lower()), tex_material(
                {"type": proj, "source": "NRM", "matrix": "TEXMTX0"},
                matrix(mode, proj, scale=(1.2, .8), rot=20, tr=(.1, .05), effect=EFFECT), textures=["shine"]))
    for mode in ("PROJ_BASIC", "VIEW_PROJ_BASIC", "EFFECT", "PROJ", "VIEW_PROJ"):
        for proj in ("MTX2X4", "MTX3X4"):
            add('texgen-pos-%s-%s' % (mode.lower(), proj[3:].lower()), tex_material(
                {"type": proj, "source": "POS", "matrix": "TEXMTX0"},
                matrix(mode, proj, scale=(1.2, .8), rot=20, tr=(.1, .05), effect=SMALL)))
    add('texgen-pos-identity-3x4', tex_material({"type": "MTX3X4", "source": "POS", "matrix": "IDENTITY"}))
    add('texgen-nrm-identity-2x4', tex_material({"type": "MTX2X4", "source": "NRM", "matrix": "IDENTITY"}))
    add('texgen-pnmtx0', tex_material({"type": "MTX2X4", "source": "TEX0", "matrix": "PNMTX0"}))
    # indirect
    for n, q in {'itm': {}, 'exp-4': {"e": -4}, 'exp+3': {"e": 3}, 'matrix1-skew': {"matrix": "ITM_1"}, 's': {"matrix": "ITM_S0"},
                 't': {"matrix": "ITM_T0"}, 'itf5': {"format": "ITF_5"}, 'itf4': {"format": "ITF_4"}, 'itf3': {"format": "ITF_3"},
                 'nobias': {"bias": "NONE"}, 'bias-s': {"bias": "S"}, 'wrap32-16': {"wrapS": "ITW_32", "wrapT": "ITW_16"},
                 'wrap0': {"wrapS": "ITW_0"}, 'scale4-2': {"scale": ("ITS_4", "ITS_2")}, 'addprev': {"addprev": True},
                 'bump-s': {"bump": "S"}, 'bump-t-itf4': {"bump": "T", "format": "ITF_4"},
                 'bump-u-itf3': {"bump": "U", "format": "ITF_3"}, 'other-coord': {"coord": 1}}.items():
        st = {"stage": 0, "format": q.get("format", "ITF_8"), "bias": q.get("bias", "STU"), "matrix": q.get("matrix", "ITM_0"),
              "wrapS": q.get("wrapS", "OFF"), "wrapT": q.get("wrapT", "OFF"), "addPrevious": False, "unmodifiedLod": False,
              "bumpAlpha": q.get("bump", "OFF")}
        n_stages = 2 if q.get("addprev") or q.get("bump") else 1
        sts = [st]
        tev = [TEX]
        ords = [order(0, 0)]
        if q.get("addprev"):
            sts.append(dict(st, addPrevious=True))
            tev.append((comb("CPREV", "TEXC", "HALF", "ZERO"), PASS_A))
            ords.append(order(0, 0))
        if q.get("bump"):
            tev.append((comb("CPREV", "RASA", "HALF", "ZERO"), PASS_A))
            ords.append(order(0, 0, "BUMP" if "itf4" not in n else "BUMPN"))
        scale = q.get("scale", ("ITS_1", "ITS_1"))
        add('ind-' + n, {"texgenCount": 2, "stageCount": n_stages, "swapModes": [{}] * n_stages, "textures": ["body", "bump"],
                         "texgens": [IDENT, dict(IDENT, source="TEX1")], "tevOrders": ords, "tevStages": stages(*tev),
                         "indirect": {"enabled": True, "stageCount": 1,
                                      "orders": [{"texcoord": "TEXCOORD%d" % q.get("coord", 0), "texmap": "TEXMAP1"}],
                                      "matrices": [{"rows": [[.5, 0, 0], [0, .5, 0]], "exponent": q.get("e", 0)},
                                                   {"rows": [[.3, -.4, .2], [.1, .6, -.7]], "exponent": q.get("e", 0)}],
                                      "scales": [{"s": scale[0], "t": scale[1]}], "stages": sts}})
    # textures: format, wrap, filter
    for f in ("I4", "I8", "IA4", "IA8", "RGB565", "RGB5A3", "RGBA32", "C4", "C8", "C14X2", "CMPR"):
        add('format-' + f.lower(), None, dict(pane, **blend()), {"format": f})
    for p in ("IA8", "RGB565", "RGB5A3"):
        add('palette-' + p.lower(), None, dict(pane, **blend()), {"format": "C8", "paletteFormat": p})
    for w in ("CLAMP", "REPEAT", "MIRROR"):
        add('wrap-' + w.lower(), None, None, {"wrapS": w, "wrapT": w})
    add('wrap-mixed', None, None, {"wrapS": "CLAMP", "wrapT": "MIRROR"})
    add('filter-near', None, None, {"minFilter": "NEAR", "magFilter": "NEAR"})
    add('filter-near-min', None, None, {"minFilter": "NEAR", "magFilter": "LINEAR"})
    for n, t in {'lin-lin': {}, 'lin-near': {"minFilter": "LIN_MIP_NEAR"}, 'near-lin': {"minFilter": "NEAR_MIP_LIN"},
                 'near-near': {"minFilter": "NEAR_MIP_NEAR"}, 'bias+1': {"lodBias": 1.0}, 'bias-1': {"lodBias": -1.0},
                 'minlod2': {"minLod": 2}, 'maxlod1': {"maxLod": 1}, 'edge': {"edgeLod": True}}.items():
        add('mip-' + n, None, None, dict({"levelCount": 3, "hasMipmaps": True, "minFilter": "LIN_MIP_LIN", "maxLod": 2},
                                         format="RGBA32", **t), zoom=3.0)
    # fog
    for n in ("LINEAR", "EXP", "EXP2", "REVEXP", "REVEXP2"):
        f = {"fog": {"type": n, "rangeAdjust": False, "rangeCenter": 320, "start": 450, "end": 900, "near": 50, "far": 2000,
                     "color": [200, 60, 120, 255]}}
        add('fog-' + n.lower(), f, f, fog=True, planes=(50.0, 2000.0))
    add('orthographic', None, None, args=['--orthographic'])
    add('orthographic-env', tex_material({"type": "MTX2X4", "source": "NRM", "matrix": "TEXMTX0"}, matrix("ENV_OLD")),
        args=['--orthographic'])
    return C


def random_material(rng, most=6, indirect=False):
    """a random program of stages over both textures, channels and konst colors, optionally with
    indirect stages"""
    n = rng.randint(1, most)
    ci = ["CPREV", "APREV", "C0", "A0", "C1", "A1", "C2", "A2", "TEXC", "TEXA", "RASC", "RASA", "ONE", "HALF", "KONST", "ZERO"]
    ai = ["APREV", "A0", "A1", "A2", "TEXA", "RASA", "KONST", "ZERO"]
    dests = ["PREV", "REG0", "REG1", "REG2"]

    def c(ins, last):
        comp = rng.random() < .2
        return comb(*[rng.choice(ins) for _ in range(4)],
                    op=rng.choice(["COMP_R8_GT", "COMP_GR16_GT", "COMP_BGR24_GT", "COMP_RGB8_GT" if ins is ci else "COMP_A8_GT",
                                   "COMP_R8_EQ"]) if comp else rng.choice(["ADD", "ADD", "SUB"]),
                    bias="ZERO" if comp else rng.choice(["ZERO", "ZERO", "ADDHALF", "SUBHALF"]),
                    scale="SCALE_1" if comp else rng.choice(["SCALE_1", "SCALE_1", "SCALE_2", "SCALE_4", "DIVIDE_2"]),
                    clamp=rng.random() < .6, dest="PREV" if last else rng.choice(dests))
    ksel = ["1", "7_8", "3_4", "5_8", "1_2", "3_8", "1_4", "1_8", "K0", "K1", "K2", "K3"] + [
        "K%d_%s" % (k, x) for k in range(4) for x in "RGBA"]
    asel = [k for k in ksel if k not in ("K0", "K1", "K2", "K3")]
    lit = dict(LIT, materialSource=rng.choice(["REG", "VTX"]), diffuse=rng.choice(["NONE", "SIGN", "CLAMP"]),
               attenuation=rng.choice(["SPOT", "NONE", "SPEC"]), ambientSource=rng.choice(["REG", "VTX"]))
    chans = [rng.choice([UNLIT_REG, UNLIT_VTX, lit]) for _ in range(4)]
    ind = {}
    if indirect:
        k = rng.randint(1, 3)
        ind = {"indirect": {"enabled": True, "stageCount": k,
                            "orders": [{"texcoord": "TEXCOORD%d" % rng.randrange(2), "texmap": "TEXMAP2"} for _ in range(k)],
                            "matrices": [{"rows": [[rng.uniform(-.9, .9) for _ in range(3)] for _ in range(2)],
                                          "exponent": rng.randint(-6, -2)} for _ in range(k)],
                            "scales": [{"s": rng.choice(["ITS_1", "ITS_2", "ITS_4"]), "t": rng.choice(["ITS_1", "ITS_2"])}
                                       for _ in range(k)],
                            "stages": [{"stage": rng.randrange(k), "format": rng.choice(["ITF_8", "ITF_8", "ITF_5", "ITF_4", "ITF_3"]),
                                        "bias": rng.choice(["NONE", "S", "T", "ST", "STU", "U"]),
                                        "matrix": rng.choice(["OFF"] + ["ITM_%d" % i for i in range(k)] +
                                                             ["ITM_S%d" % i for i in range(k)] + ["ITM_T%d" % i for i in range(k)]),
                                        "wrapS": rng.choice(["OFF", "OFF", "ITW_64", "ITW_32"]), "wrapT": rng.choice(["OFF", "ITW_16"]),
                                        "addPrevious": rng.random() < .2, "unmodifiedLod": False, "bumpAlpha": "OFF"}
                                       for _ in range(n)]}}
    return {**ind, "channelCount": 2, "channels": chans,
            "materialColors": [[rng.randrange(256) for _ in range(4)] for _ in range(2)],
            "ambientColors": [[rng.randrange(256) for _ in range(4)] for _ in range(2)],
            "texgenCount": 2, "texgens": [IDENT, rng.choice([dict(IDENT, source="TEX1"),
                                                             {"type": "MTX2X4", "source": "NRM", "matrix": "IDENTITY"}])],
            "textures": ["body", "leaf"] + (["bump"] if indirect else []), "stageCount": n,
            "tevOrders": [order(k := rng.randrange(2), k, rng.choice(["COLOR0A0", "COLOR1A1", "ZERO"])) for _ in range(n)],
            "tevRegisters": [[rng.randint(-1024, 1023) if rng.random() < .5 else rng.randrange(256) for _ in range(4)]
                             for _ in range(4)],
            "konstColors": [[rng.randrange(256) for _ in range(4)] for _ in range(4)],
            "konstColorSelections": [rng.choice(ksel) for _ in range(n)],
            "konstAlphaSelections": [rng.choice(asel) for _ in range(n)],
            "swapTables": [[rng.choice("RGBA") for _ in range(4)] for _ in range(4)],
            "swapModes": [{"rasterTable": rng.randrange(4), "textureTable": rng.randrange(4)} for _ in range(n)],
            "tevStages": stages(*[(c(ci, k == n - 1), c(ai, k == n - 1)) for k in range(n)])}


def make(name, spec, folder, gltf):
    """the model of a case, as a BDL"""
    materials = [dict(spec[k], name=k) for k in ('ball', 'pane') if spec.get(k)]
    out, j = os.path.join(folder, name + '.bdl'), os.path.join(folder, name + '.json')
    args = [FACET, 'convert', gltf, out, '-q']
    if materials:
        json.dump({"format": "facet-j3d-materials", "version": 1, "materials": materials}, open(j, 'w'))
        args += ['--materials', j]
    if spec.get('textures'):
        t = os.path.join(folder, name + '-textures.json')
        json.dump({"format": "facet-j3d-textures", "version": 1,
                   "textures": [dict(spec['textures'], name=n) for n in ('body', 'leaf', 'gray', 'shine')]}, open(t, 'w'))
        args += ['--textures', t]
    done = subprocess.run(args, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError('%s: %s' % (name, done.stderr.strip()))
    return out
