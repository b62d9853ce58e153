/** Names of files with models: the extensions of `formats()` for meshes. */
export const modelFile = /\.(bdl|bmd|bsm|iqm|bpx|glb|gltf|obj|ply|stl|bga|binarymesh|mesh)$/i;
