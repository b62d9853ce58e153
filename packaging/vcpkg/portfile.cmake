# vcpkg: an overlay port; SOURCE_PATH is this tree.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES
  lz4 FACET_LZ4
  meshopt FACET_MESHOPT
  qhull FACET_QHULL
  assimp FACET_ASSIMP)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" shared)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DFACET_DEPENDENCIES=OFF -DFACET_CLI=OFF -DFACET_MODULES=OFF -DFACET_SHARED=${shared} ${options})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/facet)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
