# vcpkg: an overlay port. SOURCE_PATH is this tree. A feature for stb is missing, because vcpkg's
# port lacks the compiled library that Facet links to.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES
  assimp FACET_ASSIMP
  bzip2 FACET_BZIP2
  deflate FACET_DEFLATE
  draco FACET_DRACO
  jpeg FACET_JPEG
  lz4 FACET_LZ4
  lzma FACET_LZMA
  meshopt FACET_MESHOPT
  png FACET_PNG
  qhull FACET_QHULL
  webp FACET_WEBP
  zip FACET_ZIP
  zlib FACET_ZLIB
  zstd FACET_ZSTD)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" shared)
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_find_acquire_program(PYTHON3)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DFACET_DEPENDENCIES=OFF -DFACET_CLI=OFF -DFACET_MODULES=OFF -DFACET_SHARED=${shared}
    "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}" "-DPython3_EXECUTABLE=${PYTHON3}" ${options})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/facet)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
