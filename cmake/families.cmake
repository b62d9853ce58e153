# The families of formats. Each has a switch, FACET_NAME; the format table has those that are built.
# Sets FACET_ABSENT_FOLDERS, and writes the header format_table.h in FACET_GENERATED.

set(FACET_GENERATED ${CMAKE_CURRENT_BINARY_DIR}/generated)
# Families that can be disabled, and their titles.
set(families BSM IQM BINARYMESH BPX BGA J3D OBJ GLTF PLY STL BTI)
set(title_BSM "Binary Static Mesh")
set(title_IQM "Inter-Quake Model")
set(title_BINARYMESH "appleseed's BinaryMesh")
set(title_BPX "BlockProject eXtended")
set(title_BGA "Binary GPU Attributes")
set(title_J3D "models and animations of GameCube and Wii")
set(title_OBJ "Wavefront OBJ")
set(title_GLTF "glTF 2.0")
set(title_PLY "Stanford PLY")
set(title_STL "STL")
set(title_BTI "textures of GameCube and Wii")
# Lines of the table in the order of the documentation: FAMILY:FORMAT.
set(lines
  BSM:bsm IQM:iqm BINARYMESH:binarymesh BPX:bpx BGA:bga
  J3D:bmd J3D:bdl J3D:bmt J3D:bck J3D:bca J3D:btk J3D:brk J3D:bpk J3D:bpa J3D:btp J3D:bva J3D:blk
  J3D:bla J3D:bxk J3D:bxa J3D:dff
  OBJ:obj GLTF:gltf GLTF:glb PLY:ply STL:stl ANY:fbx ANY:dae ANY:3ds
  BTI:bti ANY:png ANY:jpeg ANY:tga ANY:bmp ANY:psd ANY:hdr ANY:assimp ANY:rarc ANY:u8 ANY:zip ANY:tar)

set(FACET_ANY TRUE)
set(FACET_ABSENT_FOLDERS)
set(built)
set(absent)
foreach(family ${families})
  option(FACET_${family} "${title_${family}}" ON)
  if(FACET_${family})
    string(APPEND built "#define FACET_HAVE_${family}\n")
  else()
    string(TOLOWER ${family} folder)
    list(APPEND FACET_ABSENT_FOLDERS ${folder})
    string(APPEND absent " \\\n    {\"${folder}\", \"${title_${family}}\", \"FACET_${family}\"},")
  endif()
endforeach()
set(table)
foreach(line ${lines})
  string(REGEX REPLACE ":.*" "" family ${line})
  string(REGEX REPLACE ".*:" "" name ${line})
  if(FACET_${family})
    string(APPEND table " \\\n    &facet_format_${name},")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${FACET_GENERATED}/format_table.h CONTENT
"/* Made by cmake/families.cmake: what of the format table is built. */
#define FACET_FORMATS @table@

/* Families that are not, and the switches that bring them. */
#define FACET_ABSENT_FAMILIES @absent@

@built@
" @ONLY)
