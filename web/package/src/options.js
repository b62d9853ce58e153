// Made by tools/options from the tables of the command line. It lists the options of each
// function. For all others, it states why the function does not take them.

export const taken = {
  convert: new Set([
    "memoryLimit", "growthLimit", "from", "strict", "verify", "crease", "newNormals", "flat", "merge",
    "keepVertices", "tangents", "split", "up", "outputUp", "scale", "flipV", "formatVersion", "variant", "resize",
    "noOptimize", "allowExternal", "animations", "force", "compress", "simplify", "maxVertices", "simplifyError",
    "lods", "cluster", "hulls", "hullVertices", "hullsFrom", "occluder", "occluderFrom", "hullPrefix",
    "occluderName", "endian", "interleave", "textureFormat", "mips", "dither", "textureWrap", "textureFilter",
    "textureSet", "quantizeMesh", "compressMesh", "externalImages", "png", "materials", "textures", "oneJoint",
    "mergeMaterials", "weights", "root", "quantize", "like", "repair", "texture", "addTexture", "clip", "frame",
    "camera", "fps", "framesLimit", "tolerance", "angleTolerance", "loop", "plyEncoding", "stlEncoding",
  ]),
  check: new Set([
    "memoryLimit", "growthLimit", "profile", "from",
  ]),
  info: new Set([
    "from", "memoryLimit", "growthLimit",
  ]),
  extract: new Set([
    "memoryLimit", "growthLimit", "png", "from",
  ]),
  compare: new Set([
    "memoryLimit", "growthLimit", "tolerance", "ignore", "samples", "picture", "from",
  ]),
  pack: new Set([
    "memoryLimit", "growthLimit", "compress", "cube", "array", "mips", "gpuCompress", "resize", "vertex",
    "geometry", "pixel", "gl", "dx", "container", "archive",
  ]),
  render: new Set([
    "memoryLimit", "growthLimit", "size", "view", "orthographic", "camera", "background", "animation", "time",
    "mode", "samples", "lineWidth", "light", "sceneLights", "environment", "environmentRotation", "exposure",
    "shadow", "fog", "fileOrder", "from", "up", "variant", "sheet",
  ]),
};

// Options without a value: true or false.
export const flags = {
  convert: new Set([
    "strict", "verify", "newNormals", "flat", "keepVertices", "tangents", "split", "flipV", "resize", "noOptimize",
    "allowExternal", "force", "dither", "quantizeMesh", "compressMesh", "externalImages", "oneJoint",
    "mergeMaterials", "repair",
  ]),
  check: new Set(),
  info: new Set(),
  extract: new Set(),
  compare: new Set([
    "picture",
  ]),
  pack: new Set([
    "cube", "array", "gpuCompress", "resize",
  ]),
  render: new Set([
    "orthographic", "sceneLights", "fog", "fileOrder", "sheet",
  ]),
};

export const notTaken = {
  convert: {
    help: "the documentation of the library describes its functions",
    quiet: "findings are returned, not printed",
    verbose: "findings are returned, not printed",
    timeLimit: "an AbortSignal ends a call",
    timings: "the caller measures the call",
    threads: "the WebAssembly module has one thread",
    to: "it is the first argument of convert()",
    depfile: "only build tools read it, and they run the program",
    json: "results are objects",
    into: "the result is bytes, not a member of an archive",
    materialDir: "a host opens files by name, and lists no folders",
    textureDir: "a host opens files by name, and lists no folders",
  },
  check: {
    help: "the documentation of the library describes its functions",
    quiet: "findings are returned, not printed",
    verbose: "findings are returned, not printed",
    timeLimit: "an AbortSignal ends a call",
    timings: "the caller measures the call",
    threads: "the WebAssembly module has one thread",
    json: "results are objects",
    strict: "the result holds the number of warnings",
    deep: "the result is of one file: check each path in the archive",
    explain: "run(['rule', '--json', id]) explains the rule of a finding",
  },
  info: {
    help: "the documentation of the library describes its functions",
    quiet: "findings are returned, not printed",
    verbose: "findings are returned, not printed",
    timeLimit: "an AbortSignal ends a call",
    timings: "the caller measures the call",
    json: "results are objects",
    sizes: "detail holds the bytes of every part",
    threads: "the WebAssembly module has one thread",
  },
  extract: {
    help: "the documentation of the library describes its functions",
    quiet: "findings are returned, not printed",
    verbose: "findings are returned, not printed",
    timeLimit: "an AbortSignal ends a call",
    timings: "the caller measures the call",
    threads: "the WebAssembly module has one thread",
  },
  compare: {
    help: "the documentation of the library describes its functions",
    quiet: "findings are returned, not printed",
    verbose: "findings are returned, not printed",
    timeLimit: "an AbortSignal ends a call",
    timings: "the caller measures the call",
    threads: "the WebAssembly module has one thread",
    json: "results are objects",
  },
  pack: {
    help: "the documentation of the library describes its functions",
    quiet: "findings are returned, not printed",
    verbose: "findings are returned, not printed",
    timeLimit: "an AbortSignal ends a call",
    timings: "the caller measures the call",
    threads: "the WebAssembly module has one thread",
    into: "the result is bytes, not a member of an archive",
    without: "leave the member out of the map",
  },
  render: {
    help: "the documentation of the library describes its functions",
    quiet: "findings are returned, not printed",
    verbose: "findings are returned, not printed",
    timeLimit: "an AbortSignal ends a call",
    timings: "the caller measures the call",
    threads: "the WebAssembly module has one thread",
    compress: "the result is a PNG, not a texture",
    into: "the result is bytes, not a member of an archive",
    turntable: "render returns one picture: call it with a view for each azimuth, such as '45,20'",
    json: "results are objects",
    thumbnail: "memoryLimit is the limit of a call",
    force: "nothing is written to a terminal",
  },
};
