// Made by tools/options from the tables of the command line.

/** Options of `facet convert`. */
export interface ConvertOptions {
  /** refuse to use more memory than this (default: half of the machine's) */
  memoryLimit?: number | null;
  /** refuse to make more than TIMES the input's size of it (default: 16) */
  growthLimit?: number | null;
  /** read IN as this format (default: by its content) */
  from?: string | null;
  /** write nothing if anything would be lost */
  strict?: boolean | null;
  /** check what is written, as facet check does, and write nothing if it has errors */
  verify?: boolean | null;
  /** compute missing normals, with hard edges above this angle (default: 40, where OUT needs them) */
  crease?: number | null;
  /** compute all normals, also those that are there */
  newNormals?: boolean | null;
  /** one normal per face */
  flat?: boolean | null;
  /** join positions so near to each other, as a share of the diagonal, up to 0.1 */
  merge?: number | null;
  /** keep vertices apart that are equal in everything */
  keepVertices?: boolean | null;
  /** give tangents to meshes whose materials have normal maps [glb, gltf] */
  tangents?: boolean | null;
  /** one file per mesh: OUT-0-NAME.bsm, OUT-1-NAME.bsm ... */
  split?: boolean | null;
  /** the axis that points up in IN, x, y or z, whatever IN says */
  up?: "y" | "z" | "x" | null;
  /** make everything so many times as large */
  scale?: number | null;
  /** turn texture coordinates upside down */
  flipV?: boolean | null;
  /** version of the format to write; BinaryMesh: 1, 3 or 4 [binarymesh] */
  formatVersion?: number | null;
  /** give materials their appearance in this variant */
  variant?: string | null;
  /** resize images, BMD and BDL textures too, to the nearest powers of two */
  resize?: boolean | null;
  /** keep the order of triangles and vertices */
  noOptimize?: boolean | null;
  /** follow names that leave the directory of IN */
  allowExternal?: boolean | null;
  /** add the animations in a folder or archive that fit IN, a J3D model */
  animations?: string | null;
  /** write to a terminal, and with --like when IN is another model */
  force?: boolean | null;
  /** compress OUT: official, as the console makers' tools (Yaz0, Yay0), or at the codec's usual level; best; fast; or none (default: as the file was that is replaced, or as .szs, .szp, .gz, .bz2, .xz, .zst and .lz4 say) */
  compress?: "official" | "best" | "fast" | "none" | null;
  /** keep this share of the triangles, such as 0.5, or N of them */
  simplify?: number | null;
  /** simplify until there are no more vertices than that */
  maxVertices?: number | null;
  /** let the surface move no farther than this share of the diagonal, such as 0.01 */
  simplifyError?: number | null;
  /** make N levels of detail, each of half the triangles: in a GLB or glTF, or else as files OUT-lod1 ... */
  lods?: number | null;
  /** make up to N convex collision hulls, 1 to 256 */
  hulls?: number | null;
  /** points of a hull at most, 8 to 65536 (default: 64) */
  hullVertices?: number | null;
  /** take the hulls, or the objects as hulls, of this file */
  hullsFrom?: string | null;
  /** make an occluder of this share of the triangles, such as 0.02 */
  occluder?: number | null;
  /** take the occluder, or the mesh, of this file */
  occluderFrom?: string | null;
  /** objects so named become hulls (default: collision_mesh) */
  hullPrefix?: string | null;
  /** the object so named is the occluder (default: occlusion_mesh) */
  occluderName?: string | null;
  /** byte order, little or big (default: little) [bga] */
  endian?: "little" | "big" | null;
  /** one buffer for all attributes, yes or no (default: yes) [bga] */
  interleave?: "yes" | "no" | null;
  /** auto, I4, I8, IA4, IA8, RGB565, RGB5A3, RGBA32, C4, C8, C14X2 or CMPR (default: what the image was before, or auto, by content) [bti, bmd, bdl] */
  textureFormat?: "auto" | "I4" | "I8" | "IA4" | "IA8" | "RGB565" | "RGB5A3" | "RGBA32" | "C4" | "C8" | "C14X2" | "CMPR" | "RGBA8" | "CI4" | "CI8" | "CI14X2" | null;
  /** mip levels, 1 to 11, or auto (default: as before, or 1) [bti, bmd, bdl] */
  mips?: number | "auto" | null;
  /** spread the error of rounding colors [bti, bmd, bdl] */
  dither?: boolean | null;
  /** small integers instead of floats: KHR_mesh_quantization [glb, gltf] */
  quantizeMesh?: boolean | null;
  /** order triangles and vertices, and compress them and key frames: EXT_meshopt_compression [glb, gltf] */
  compressMesh?: boolean | null;
  /** images in files of their own, NAME.png beside OUT; not for GLB [gltf] */
  externalImages?: boolean | null;
  /** how PNGs are compressed: fast, small or none (default: in between) */
  png?: "fast" | "small" | "none" | null;
  /** materials.json, ours or SuperBMD's, to put over [bmd, bdl, bmt] */
  materials?: string | null;
  /** the same with textures.json, or SuperBMD's tex_headers.json [bmd, bdl, bmt] */
  textures?: string | null;
  /** one joint for all that nothing moves, one shape for each material [bmd, bdl] */
  oneJoint?: boolean | null;
  /** materials that differ in their names alone are one [bmd, bdl] */
  mergeMaterials?: boolean | null;
  /** the node whose tree the joints are (default: what is below skeleton_root, if there is one) [bmd, bdl] */
  root?: string | null;
  /** 16-bit numbers where precise enough (auto), always (s16), never (none); not for BMT [bmd, bdl] */
  quantize?: "auto" | "none" | "s16" | null;
  /** the model to keep what IN does not change of; for animations: that which moves [bmd, bdl, bck, bca, btk, brk, bpk, bpa, btp, bva] */
  like?: string | null;
  /** fix what games cannot load, also in archives; keep all else [bmd, bdl, rarc, u8] */
  repair?: boolean | null;
  /** a PNG or BTI in the place of a texture; NAME:1 is the second of a name [bmd, bdl, bmt] */
  texture?: string | string[] | null;
  /** a texture that the model does not have yet [bmd, bdl, bmt] */
  addTexture?: string | string[] | null;
  /** the animation to write (default: that called like OUT, or the only one) [bck, bca, btk, brk, bpk, bpa, btp, bva, blk, bla, bxk, bxa, dff] */
  clip?: string | null;
  /** draw the model in the pose of this frame of its animations (default: 0) [dff] */
  frame?: number | null;
  /** see the model by the camera of a JSON file, as render --json prints it [dff] */
  camera?: string | null;
  /** frames a second of animations (default: 30, or what IN says) [bck, bca, btk, brk, bpk, bpa, btp, bva, glb, gltf, bpx, fbx, dae, dff] */
  fps?: number | null;
  /** refuse baked animations that take more than this (default: 256) [bpx] */
  framesLimit?: number | null;
  /** error allowed to the keys of places (default: 0.01) [bck, bca, btk] */
  tolerance?: number | null;
  /** error allowed to the keys of angles (default: 0.05) [bck, bca, btk] */
  angleTolerance?: number | null;
  /** once, reset, repeat, mirror-once, mirror-repeat (default: what IN says) [bck, bca, btk, brk, bpk, bpa, btp, bva] */
  loop?: "once" | "reset" | "repeat" | "mirror-once" | "mirror-repeat" | null;
  /** little-endian, big-endian or ascii (default: little-endian) [ply] */
  plyEncoding?: "little-endian" | "big-endian" | "ascii" | null;
  /** binary or ascii (default: binary) [stl] */
  stlEncoding?: "binary" | "ascii" | null;
}

/** Options of `facet check`. */
export interface CheckOptions {
  /** refuse to use more memory than this (default: half of the machine's) */
  memoryLimit?: number | null;
  /** refuse to make more than TIMES the input's size of it (default: 16) */
  growthLimit?: number | null;
  /** J3D: accept what superbmd writes, what wind-waker loads, or neither (console) (default: by the signature) */
  profile?: "console" | "superbmd" | "wind-waker" | null;
  /** take the files as this format, whatever their content */
  from?: string | null;
}

/** Options of `facet info`. */
export interface InfoOptions {
  /** take the files as this format, whatever their content */
  from?: string | null;
  /** refuse to use more memory than this (default: half of the machine's) */
  memoryLimit?: number | null;
  /** refuse to make more than TIMES the input's size of it (default: 16) */
  growthLimit?: number | null;
}

/** Options of `facet extract`. */
export interface ExtractOptions {
  /** refuse to use more memory than this (default: half of the machine's) */
  memoryLimit?: number | null;
  /** refuse to make more than TIMES the input's size of it (default: 16) */
  growthLimit?: number | null;
  /** how PNGs are compressed: fast, small or none (default: in between) */
  png?: "fast" | "small" | "none" | null;
  /** read FILE as this format (default: by its content) */
  from?: string | null;
}

/** Options of `facet compare`. */
export interface CompareOptions {
  /** refuse to use more memory than this (default: half of the machine's) */
  memoryLimit?: number | null;
  /** refuse to make more than TIMES the input's size of it (default: 16) */
  growthLimit?: number | null;
  /** distance that counts as none, in units of the first file (default: a millionth of its diagonal) */
  tolerance?: number | null;
  /** what may differ: positions, normals, tangents, texcoords, colors, weights, counts, names, materials, nodes, animations, images, document */
  ignore?: string | null;
  /** points to take of each surface (default: 20,000) */
  samples?: number | null;
  /** write a PNG: both files from one place, and four times their difference on white */
  picture?: boolean | null;
  /** take both files as this format, whatever their content */
  from?: string | null;
}

/** Options of `facet pack`. */
export interface PackOptions {
  /** refuse to use more memory than this (default: half of the machine's) */
  memoryLimit?: number | null;
  /** refuse to make more than TIMES the input's size of it (default: 16) */
  growthLimit?: number | null;
  /** compress OUT: official, as the console makers' tools (Yaz0, Yay0), or at the codec's usual level; best; fast; or none (default: as the file was that is replaced, or as .szs, .szp, .gz, .bz2, .xz, .zst and .lz4 say) */
  compress?: "official" | "best" | "fast" | "none" | null;
  /** a cube map of six images: +X -X +Y -Y +Z -Z */
  cube?: boolean | null;
  /** a texture array, also of a single image */
  array?: boolean | null;
  /** mip levels that a loader is to make */
  mips?: number | null;
  /** ask loaders to compress for the GPU */
  gpuCompress?: boolean | null;
  /** resize images to the nearest powers of two */
  resize?: boolean | null;
  /** vertex shader */
  vertex?: string | null;
  /** geometry shader */
  geometry?: string | null;
  /** pixel shader */
  pixel?: string | null;
  /** least OpenGL, 33 is 3.3 (default: what the sources say) */
  gl?: number | null;
  /** least DirectX, 110 is 11.0, of the compiled shaders that follow OUT */
  dx?: number | null;
  /** a file of this type: each FILE is a section, as TYPE=FILE, or a BPX */
  container?: "T" | "M" | "S" | "C" | "P" | null;
  /** the kind of archive, rarc or u8 (default: by archive.json, or the name) */
  archive?: "rarc" | "u8" | null;
}

/** Options of `facet render`. */
export interface RenderOptions {
  /** refuse to use more memory than this (default: half of the machine's) */
  memoryLimit?: number | null;
  /** refuse to make more than TIMES the input's size of it (default: 16) */
  growthLimit?: number | null;
  /** pixels (default: 512x512) */
  size?: string | null;
  /** front, back, left, right, top, bottom, iso, or AZIMUTH,ELEVATION in degrees */
  view?: string | null;
  /** without perspective */
  orthographic?: boolean | null;
  /** take the camera from a JSON file, as --json prints it */
  camera?: string | null;
  /** #RRGGBB, #RRGGBBAA, or transparent, which is the default */
  background?: string | null;
  /** in the pose of this animation, by name or number */
  animation?: string | null;
  /** the time of the pose (default: 0) */
  time?: string | null;
  /** shaded, clay, normals, tangents, uv, weights, joints, facing, overdraw, material or texture=N, and over it wireframe, hulls and occluder */
  mode?: string | null;
  /** samples a pixel: 1, 4 or 16 (default: 4) */
  samples?: number | null;
  /** width of lines; points are twice as wide (default: 1.5) */
  lineWidth?: string | null;
  /** direction to the light: right, up, toward the viewer */
  light?: string | null;
  /** light from a panorama (HDR, PNG or JPEG), in the place of the studio */
  environment?: string | null;
  /** turn the environment about the upright axis (default: 0) */
  environmentRotation?: string | null;
  /** 2 to the power of STOPS as bright (default: 0) */
  exposure?: string | null;
  /** with the fog of console materials */
  fog?: boolean | null;
  /** console materials in the order of the file, unsorted */
  fileOrder?: boolean | null;
  /** read IN as this format (default: by its content) */
  from?: string | null;
  /** the axis that points up in IN, x, y or z, whatever IN says; default for STL: z */
  up?: "y" | "z" | "x" | null;
  /** with materials as they are in this variant */
  variant?: string | null;
  /** six views in one picture, each of the size */
  sheet?: boolean | null;
}
