# Libraries by others. Each has a switch, FACET_NAME: ON (required), OFF (not used), AUTO (used if
# found). If a file needs a library that the build lacks, an error names it.
#
# Sets FACET_HAVE_NAME for each, and these lists:
#
# - FACET_LIBRARIES: link libraries of the library itself.
# - FACET_DEFINITIONS: FACET_HAVE_NAME for the compiler.
# - FACET_STATIC_NEEDS: dependencies of programs that link the static library, as lines of
#   facet-config.cmake: facet_needs(PACKAGE MODULE...), facet_needs(TARGET CMAKE-PACKAGE TARGET
#   NAME), facet_needs(LIBRARY NAME...).
# - FACET_PC_REQUIRES, FACET_PC_FLAGS: the same for pkg-config: names of its modules, and flags of
#   the other libraries. FACET_PC_ALL_FLAGS has the flags of all.

set(FACET_DEPENDENCIES AUTO CACHE STRING
  "What the switches of libraries that are not given are: ON, OFF or AUTO")
set(FACET_LIBRARIES)
set(FACET_DEFINITIONS)
set(FACET_STATIC_NEEDS)
set(FACET_PC_REQUIRES)
set(FACET_PC_FLAGS)
set(FACET_PC_ALL_FLAGS)

# Add a dependency of the static library: a package found by pkg-config, a CMake target, or names.
macro(facet_static_package name)
  string(APPEND FACET_STATIC_NEEDS "facet_needs(PACKAGE ${FACET_PC_${name}_MODULE_NAME})\n")
  list(APPEND FACET_PC_REQUIRES ${FACET_PC_${name}_MODULE_NAME})
  list(APPEND FACET_PC_ALL_FLAGS ${FACET_PC_${name}_LDFLAGS})
endmacro()
macro(facet_static_target package target library)
  string(APPEND FACET_STATIC_NEEDS "facet_needs(TARGET ${package} ${target} ${library})\n")
  facet_static_flags(${target} ${library})
endmacro()
macro(facet_static_libraries)
  string(REPLACE ";" " " names "${ARGN}")
  string(APPEND FACET_STATIC_NEEDS "facet_needs(LIBRARY ${names})\n")
  foreach(name ${ARGN})
    list(APPEND FACET_PC_FLAGS -l${name})
    list(APPEND FACET_PC_ALL_FLAGS -l${name})
  endforeach()
endmacro()
# Add -L of the folder of the target's file, so that the linker finds it, and -lNAME.
function(facet_static_flags target library)
  set(file)
  foreach(property IMPORTED_LOCATION_RELEASE IMPORTED_LOCATION_NONE IMPORTED_LOCATION_RELWITHDEBINFO IMPORTED_LOCATION)
    get_target_property(value ${target} ${property})
    if(value AND NOT file)
      set(file ${value})
    endif()
  endforeach()
  set(flags -l${library})
  if(file)
    get_filename_component(folder ${file} DIRECTORY)
    if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
      list(PREPEND flags -L${folder})
    endif()
  endif()
  set(FACET_PC_FLAGS ${FACET_PC_FLAGS} ${flags} PARENT_SCOPE)
  set(FACET_PC_ALL_FLAGS ${FACET_PC_ALL_FLAGS} ${flags} PARENT_SCOPE)
endfunction()

# facet_switch(NAME BRINGS): define the switch. FACET_WANTS_NAME is true if it is not OFF.
macro(facet_switch name brings)
  set(FACET_${name} ${FACET_DEPENDENCIES} CACHE STRING "${brings}: ON, OFF or AUTO")
  set_property(CACHE FACET_${name} PROPERTY STRINGS AUTO ON OFF)
  set(FACET_HAVE_${name} FALSE)
  set(FACET_WANTS_${name} FALSE)
  if(FACET_${name} STREQUAL "AUTO" OR FACET_${name})
    set(FACET_WANTS_${name} TRUE)
  endif()
endmacro()

# facet_found(NAME FOUND [NEEDS...]): record whether the library was found.
macro(facet_found name found)
  if(${found})
    set(FACET_HAVE_${name} TRUE)
    list(APPEND FACET_DEFINITIONS FACET_HAVE_${name})
  elseif(FACET_WANTS_${name} AND NOT FACET_${name} STREQUAL "AUTO")
    message(FATAL_ERROR "FACET_${name} is ON, but what it needs is not there")
  elseif(FACET_WANTS_${name})
    message(STATUS "FACET_${name}: what it needs is not there, it is left out")
  endif()
endmacro()

# facet_package(NAME MODULES BRINGS): find a library with pkg-config, under one of these names.
macro(facet_package name modules brings)
  facet_switch(${name} "${brings}")
  if(FACET_WANTS_${name} AND PKG_CONFIG_FOUND)
    pkg_search_module(FACET_PC_${name} QUIET IMPORTED_TARGET GLOBAL ${modules})
  endif()
  facet_found(${name} FACET_PC_${name}_FOUND)
endmacro()

# The same for a library that Facet itself links to.
macro(facet_linked_package name modules brings)
  facet_package(${name} "${modules}" "${brings}")
  if(FACET_HAVE_${name})
    list(APPEND FACET_LIBRARIES PkgConfig::FACET_PC_${name})
    facet_static_package(${name})
  endif()
endmacro()

# Targets in another directory that link the static library need these targets there.
macro(facet_make_global target)
  get_target_property(is_global ${target} IMPORTED_GLOBAL)
  if(NOT is_global)
    set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
  endif()
endmacro()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
facet_make_global(Threads::Threads)
find_package(PkgConfig QUIET)

# -- C++ ------------------------------------------------------------------------

# A library in C++ that is set to ON turns on FACET_CXX, unless that is set explicitly.
foreach(name MESHOPT ASSIMP DRACO GLSLANG)
  if(FACET_${name} AND NOT FACET_${name} STREQUAL "AUTO")
    set(FACET_CXX ON CACHE STRING "")
  endif()
endforeach()
facet_switch(CXX "What is C++: glTF, Draco, assimp, shaders")
if(FACET_WANTS_CXX)
  include(CheckLanguage)
  check_language(CXX)
endif()
facet_found(CXX CMAKE_CXX_COMPILER)

# -- In the library --------------------------------------------------------------

# libspng is before zlib, because a static libspng needs it. Its own CMake build uses other names.
facet_linked_package(PNG "spng;libspng;libspng_static" "reading PNG")
facet_linked_package(LZ4 liblz4 "BinaryMesh 3 and 4 written, and read faster; files in LZ4's format")
facet_linked_package(DEFLATE libdeflate "compressed sections of BPX, writing PNG")
facet_linked_package(LZMA liblzma "files and sections of BPX in XZ's format")
facet_linked_package(ZLIB zlib "files in gzip's format; a first look into compressed sections of BPX")
facet_linked_package(ZSTD libzstd "files in Zstandard's format")
# On some systems, pkg-config does not find bzip2.
facet_switch(BZIP2 "files in bzip2's format")
if(FACET_WANTS_BZIP2)
  find_package(BZip2 QUIET)
endif()
facet_found(BZIP2 BZIP2_FOUND)
if(FACET_HAVE_BZIP2)
  facet_make_global(BZip2::BZip2)
  list(APPEND FACET_LIBRARIES BZip2::BZip2)
  facet_static_target(BZip2 BZip2::BZip2 bz2)
endif()
facet_linked_package(JPEG libturbojpeg "JPEG")
facet_linked_package(WEBP libwebp "reading WebP")
facet_linked_package(STB stb "TGA, BMP, PSD and HDR; other sizes of images")

# -- Loaded when a file needs them -----------------------------------------------

facet_switch(MESHOPT "order for the GPU, simplification, EXT_meshopt_compression")
if(FACET_WANTS_MESHOPT AND FACET_HAVE_CXX)
  find_package(meshoptimizer QUIET)
endif()
facet_found(MESHOPT meshoptimizer_FOUND)
if(FACET_HAVE_MESHOPT)
  facet_make_global(meshoptimizer::meshoptimizer)
endif()

facet_switch(QHULL "collision hulls")
if(FACET_WANTS_QHULL)
  find_package(Qhull QUIET)
endif()
facet_found(QHULL Qhull_FOUND)
if(FACET_HAVE_QHULL)
  facet_make_global(Qhull::qhull_r)
endif()

facet_package(ZIP libzip "ZIP archives")
facet_package(ASSIMP assimp "FBX, COLLADA, 3DS and others")
facet_switch(DRACO "KHR_draco_mesh_compression")
if(FACET_WANTS_DRACO AND FACET_HAVE_CXX AND PKG_CONFIG_FOUND)
  pkg_check_modules(FACET_PC_DRACO QUIET IMPORTED_TARGET GLOBAL draco)
endif()
facet_found(DRACO FACET_PC_DRACO_FOUND)
# The program opens windows only if it was built for the machine that it runs on.
facet_switch(SDL "the window of 'facet view'")
set(FACET_SDL_FOUND FALSE)
if(EMSCRIPTEN OR WIN32 OR FACET_READ_ONLY)
  set(FACET_WANTS_SDL FALSE)
endif()
if(FACET_WANTS_SDL AND PKG_CONFIG_FOUND)
  pkg_check_modules(FACET_PC_SDL QUIET IMPORTED_TARGET GLOBAL sdl2)
  set(FACET_SDL_FOUND ${FACET_PC_SDL_FOUND}) # that one is kept from one run to the next
endif()
facet_found(SDL FACET_SDL_FOUND)
facet_switch(GLSLANG "checking shaders of BPX")
if(FACET_WANTS_GLSLANG AND FACET_HAVE_CXX)
  find_path(GLSLANG_INCLUDE glslang/Include/glslang_c_interface.h)
  find_library(GLSLANG_LIBRARY glslang)
endif()
if(GLSLANG_INCLUDE AND GLSLANG_LIBRARY AND FACET_HAVE_CXX)
  set(FACET_GLSLANG_FOUND TRUE)
endif()
facet_found(GLSLANG FACET_GLSLANG_FOUND)
set(FACET_GLSLANG_LIBRARIES glslang MachineIndependent OGLCompiler GenericCodeGen OSDependent
  glslang-default-resource-limits)
