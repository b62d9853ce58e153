// Made by tools/options from the tables of the command line.

/** Options of `facet convert`. */
export interface ConvertOptions {
  /** limit memory use to MIB (default: half of the machine's) */
  memoryLimit?: number | null;
  /** limit output and extracted data to TIMES the input's size (default: 16) */
  growthLimit?: number | null;
  /** read IN as this format (default: by content) */
  from?: string | null;
  /** write nothing if anything would be lost */
  strict?: boolean | null;
  /** check the output and its bounds; write nothing on errors */
  verify?: boolean | null;
  /** compute missing normals, with hard edges above DEGREES (default: 40, where OUT needs normals) */
  crease?: number | null;
  /** compute all normals again, also those that IN has */
  newNormals?: boolean | null;
  /** compute one normal per face */
  flat?: boolean | null;
  /** join positions closer than this fraction of the diagonal, up to 0.1 */
  merge?: number | null;
  /** keep duplicate vertices */
  keepVertices?: boolean | null;
  /** compute tangents for meshes with normal maps [glb, gltf] */
  tangents?: boolean | null;
  /** write one file per mesh: OUT-0-NAME.bsm, OUT-1-NAME.bsm ... */
  split?: boolean | null;
  /** set the up axis of IN: x, y or z (default: as IN says) */
  up?: "y" | "z" | "x" | null;
  /** turn the model so that AXIS points up in OUT (default: y) [obj, ply, stl, bga] */
  outputUp?: "y" | "z" | "x" | null;
  /** scale by FACTOR */
  scale?: number | null;
  /** flip texture coordinates vertically */
  flipV?: boolean | null;
  /** set the format version to write; BinaryMesh: 1, 3 or 4 [binarymesh] */
  formatVersion?: number | null;
  /** apply this material variant */
  variant?: string | null;
  /** resize images and BMD or BDL textures to powers of two */
  resize?: boolean | null;
  /** keep the order of triangles and vertices */
  noOptimize?: boolean | null;
  /** follow file names that leave the directory of IN */
  allowExternal?: boolean | null;
  /** add all animations of a folder or archive that fit IN, a J3D model */
  animations?: string | null;
  /** write to a terminal; with --like, accept a different model */
  force?: boolean | null;
  /** compress OUT: official (the usual effort), best, fast or none (default: like the file it replaces, or by the extension: .szs .szp .gz .bz2 .xz .zst .lz4) */
  compress?: "official" | "best" | "fast" | "none" | null;
  /** reduce to this fraction of the triangles (0.5), or to N triangles */
  simplify?: number | null;
  /** simplify until at most N vertices are left */
  maxVertices?: number | null;
  /** limit the surface error to this fraction of the diagonal (0.01) */
  simplifyError?: number | null;
  /** make N levels of detail, each with half the triangles; GLB and glTF hold them, others get files OUT-lod1 ... */
  lods?: number | null;
  /** join vertices while IN is read, to at most N: for an OBJ, PLY or STL that is larger than memory */
  cluster?: number | null;
  /** make up to N convex collision hulls, 1 to 256 */
  hulls?: number | null;
  /** limit the points of a hull to N, 8 to 65536 (default: 64) */
  hullVertices?: number | null;
  /** use the hulls of FILE, or its objects as hulls */
  hullsFrom?: string | null;
  /** make an occluder with this fraction of the triangles (0.02) */
  occluder?: number | null;
  /** use the occluder of FILE, or its mesh */
  occluderFrom?: string | null;
  /** convert objects whose names begin with NAME to hulls (default: collision_mesh) */
  hullPrefix?: string | null;
  /** use the object NAME as the occluder (default: occlusion_mesh) */
  occluderName?: string | null;
  /** set the byte order: little or big (default: little) [bga] */
  endian?: "little" | "big" | null;
  /** store all attributes in one buffer: yes or no (default: yes) [bga] */
  interleave?: "yes" | "no" | null;
  /** set the format: auto, I4, I8, IA4, IA8, RGB565, RGB5A3, RGBA32, C4, C8, C14X2 or CMPR (default: the image's previous format, or auto: by content) [bti, bmd, bdl] */
  textureFormat?: "auto" | "I4" | "I8" | "IA4" | "IA8" | "RGB565" | "RGB5A3" | "RGBA32" | "C4" | "C8" | "C14X2" | "CMPR" | "RGBA8" | "CI4" | "CI8" | "CI14X2" | null;
  /** store N mip levels, 1 to 11, or auto (default: as before, or 1) [bti, bmd, bdl] */
  mips?: number | "auto" | null;
  /** dither colors [bti, bmd, bdl] */
  dither?: boolean | null;
  /** set the wrap mode: clamp, repeat or mirror (default: as before, or as in the scene) [bti, bmd, bdl, bmt] */
  textureWrap?: "clamp" | "repeat" | "mirror" | null;
  /** set the filter: near, linear, near_mip_near, lin_mip_near, near_mip_lin or lin_mip_lin (default: as before, or as in the scene) [bti, bmd, bdl, bmt] */
  textureFilter?: "near" | "linear" | "near_mip_near" | "lin_mip_near" | "near_mip_lin" | "lin_mip_lin" | null;
  /** set format, mips, wrap, wrapS, wrapT or filter of textures by name, with * and ? [bti, bmd, bdl, bmt] */
  textureSet?: string | string[] | null;
  /** store small integers instead of floats: KHR_mesh_quantization [glb, gltf] */
  quantizeMesh?: boolean | null;
  /** compress meshes and key frames: EXT_meshopt_compression [glb, gltf] */
  compressMesh?: boolean | null;
  /** write images as files next to OUT; not for GLB [gltf] */
  externalImages?: boolean | null;
  /** compress PNGs: fast, small or none (default: between fast and small) */
  png?: "fast" | "small" | "none" | null;
  /** apply a materials.json of Facet or SuperBMD [bmd, bdl, bmt] */
  materials?: string | null;
  /** apply a textures.json, or a tex_headers.json of SuperBMD [bmd, bdl, bmt] */
  textures?: string | null;
  /** write one joint for all static meshes, one shape per material [bmd, bdl] */
  oneJoint?: boolean | null;
  /** merge materials that differ only in their names [bmd, bdl] */
  mergeMaterials?: boolean | null;
  /** keep the N largest weights of each vertex, 1 to 32 (default: all) [bmd, bdl] */
  weights?: number | null;
  /** use the tree below node NAME as joints (default: below skeleton_root, if it exists) [bmd, bdl] */
  root?: string | null;
  /** store 16-bit numbers where precise enough (auto), always (s16) or never (none); not for BMT [bmd, bdl] */
  quantize?: "auto" | "none" | "s16" | null;
  /** keep everything of MODEL that IN does not change; for animations, the model they move [bmd, bdl, bck, bca, btk, brk, bpk, bpa, btp, bva] */
  like?: string | null;
  /** fix what games cannot load, also in archives; keep the rest [bmd, bdl, rarc, u8] */
  repair?: boolean | null;
  /** replace texture NAME with a PNG or BTI; NAME:1 is the second of that name [bmd, bdl, bmt] */
  texture?: string | string[] | null;
  /** add a texture that the model does not have yet [bmd, bdl, bmt] */
  addTexture?: string | string[] | null;
  /** write this animation (default: the one named like OUT, or the only one) [bck, bca, btk, brk, bpk, bpa, btp, bva, blk, bla, bxk, bxa, dff] */
  clip?: string | null;
  /** pose the model at frame N of its animations (default: 0) [dff] */
  frame?: number | null;
  /** use the camera of a JSON file that facet render --json printed [dff] */
  camera?: string | null;
  /** set the frames per second of animations (default: 30, or as IN says) [bck, bca, btk, brk, bpk, bpa, btp, bva, glb, gltf, bpx, fbx, dae, dff] */
  fps?: number | null;
  /** limit baked animations to MIB (default: 256) [bpx] */
  framesLimit?: number | null;
  /** set the error allowed for translation keys (default: 0.01) [bck, bca, btk] */
  tolerance?: number | null;
  /** set the error allowed for rotation keys (default: 0.05) [bck, bca, btk] */
  angleTolerance?: number | null;
  /** set the loop mode: once, reset, repeat, mirror-once or mirror-repeat (default: as IN says) [bck, bca, btk, brk, bpk, bpa, btp, bva] */
  loop?: "once" | "reset" | "repeat" | "mirror-once" | "mirror-repeat" | null;
  /** set the encoding: little-endian, big-endian or ascii (default: little-endian) [ply] */
  plyEncoding?: "little-endian" | "big-endian" | "ascii" | null;
  /** set the encoding: binary or ascii (default: binary) [stl] */
  stlEncoding?: "binary" | "ascii" | null;
}

/** Options of `facet check`. */
export interface CheckOptions {
  /** limit memory use to MIB (default: half of the machine's) */
  memoryLimit?: number | null;
  /** limit output and extracted data to TIMES the input's size (default: 16) */
  growthLimit?: number | null;
  /** check J3D models for superbmd, wind-waker or console (default: by the signature) */
  profile?: "console" | "superbmd" | "wind-waker" | null;
  /** read the files as this format (default: by content) */
  from?: string | null;
}

/** Options of `facet info`. */
export interface InfoOptions {
  /** read the files as this format (default: by content) */
  from?: string | null;
  /** limit memory use to MIB (default: half of the machine's) */
  memoryLimit?: number | null;
  /** limit output and extracted data to TIMES the input's size (default: 16) */
  growthLimit?: number | null;
}

/** Options of `facet extract`. */
export interface ExtractOptions {
  /** limit memory use to MIB (default: half of the machine's) */
  memoryLimit?: number | null;
  /** limit output and extracted data to TIMES the input's size (default: 16) */
  growthLimit?: number | null;
  /** compress PNGs: fast, small or none (default: between fast and small) */
  png?: "fast" | "small" | "none" | null;
  /** read FILE as this format (default: by content) */
  from?: string | null;
}

/** Options of `facet compare`. */
export interface CompareOptions {
  /** limit memory use to MIB (default: half of the machine's) */
  memoryLimit?: number | null;
  /** limit output and extracted data to TIMES the input's size (default: 16) */
  growthLimit?: number | null;
  /** ignore distances up to this, in units of A (default: a millionth of its diagonal) */
  tolerance?: number | null;
  /** ignore differences of positions, normals, tangents, texcoords, colors, weights, counts, names, materials, nodes, animations, images or document */
  ignore?: string | null;
  /** sample N points of each surface (default: 20,000) */
  samples?: number | null;
  /** write a PNG: both files, and their difference times four */
  picture?: boolean | null;
  /** read both files as this format (default: by content) */
  from?: string | null;
}

/** Options of `facet pack`. */
export interface PackOptions {
  /** limit memory use to MIB (default: half of the machine's) */
  memoryLimit?: number | null;
  /** limit output and extracted data to TIMES the input's size (default: 16) */
  growthLimit?: number | null;
  /** compress OUT: official (the usual effort), best, fast or none (default: like the file it replaces, or by the extension: .szs .szp .gz .bz2 .xz .zst .lz4) */
  compress?: "official" | "best" | "fast" | "none" | null;
  /** make a cube map of six images: +X -X +Y -Y +Z -Z */
  cube?: boolean | null;
  /** make a texture array, also of a single image */
  array?: boolean | null;
  /** have loaders make N mip levels */
  mips?: number | null;
  /** have loaders compress the texture for the GPU */
  gpuCompress?: boolean | null;
  /** resize images to powers of two */
  resize?: boolean | null;
  /** add a vertex shader */
  vertex?: string | null;
  /** add a geometry shader */
  geometry?: string | null;
  /** add a pixel shader */
  pixel?: string | null;
  /** require this OpenGL version, 33 is 3.3 (default: as the sources say) */
  gl?: number | null;
  /** require this DirectX version, 110 is 11.0, for the compiled shaders after OUT */
  dx?: number | null;
  /** make a file of this type; each FILE is a section (TYPE=FILE) or a BPX */
  container?: "T" | "M" | "S" | "C" | "P" | null;
  /** make a rarc or u8 archive (default: by archive.json, or the name) */
  archive?: "rarc" | "u8" | null;
}

/** Options of `facet render`. */
export interface RenderOptions {
  /** limit memory use to MIB (default: half of the machine's) */
  memoryLimit?: number | null;
  /** limit output and extracted data to TIMES the input's size (default: 16) */
  growthLimit?: number | null;
  /** set the size in pixels (default: 512x512; in a window 1280x720) */
  size?: string | null;
  /** look from front, back, left, right, top, bottom, iso, or AZIMUTH,ELEVATION in degrees */
  view?: string | null;
  /** draw without perspective */
  orthographic?: boolean | null;
  /** use a camera of IN, by name or number, or of a JSON file that --json printed */
  camera?: string | null;
  /** set the background: #RRGGBB, #RRGGBBAA or transparent (default: transparent) */
  background?: string | null;
  /** pose the model by this animation, a name or a number */
  animation?: string | number | null;
  /** set the time of the pose (default: 0) */
  time?: number | null;
  /** draw shaded, clay, normals, tangents, uv, weights, joints, facing, overdraw, material or texture=N; add wireframe, hulls or occluder on top */
  mode?: string | null;
  /** take N samples per pixel: 1, 4 or 16 (default: 4) */
  samples?: number | null;
  /** set the width of lines; points are twice as wide (default: 1.5) */
  lineWidth?: number | null;
  /** set the direction to the light: right, up, toward the viewer */
  light?: string | null;
  /** use the lights of IN instead of the built-in light */
  sceneLights?: boolean | null;
  /** light the scene with a panorama (HDR, PNG or JPEG) instead of the studio */
  environment?: string | null;
  /** turn the environment about the up axis (default: 0) */
  environmentRotation?: number | null;
  /** brighten by 2 to the power of STOPS (default: 0) */
  exposure?: number | null;
  /** draw a soft shadow on the ground, with a strength of 0 to 1 (default: 0) */
  shadow?: string | null;
  /** draw the fog of console materials */
  fog?: boolean | null;
  /** draw console materials in file order, unsorted */
  fileOrder?: boolean | null;
  /** read IN as this format (default: by content) */
  from?: string | null;
  /** set the up axis of IN: x, y or z (default: as IN says; STL: z) */
  up?: "y" | "z" | "x" | null;
  /** apply this material variant */
  variant?: string | null;
  /** draw six views in one picture, each of --size */
  sheet?: boolean | null;
}
