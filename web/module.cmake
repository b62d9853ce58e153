# The program as a WebAssembly module without Emscripten's JavaScript: web/package
# loads it by itself. Included by the main CMakeLists when Emscripten compiles.
add_executable(facet_module ${FACET_CLI_SOURCES} web/program.c web/shaders.c web/motion.c web/overlays.c)
target_include_directories(facet_module PRIVATE src)
target_link_libraries(facet_module PRIVATE facet_flags facet_static)
set_target_properties(facet_module PROPERTIES OUTPUT_NAME facet SUFFIX .wasm)
# Names that are imported are compared with those that the package answers by a test:
# a misspelt call would be one of them.
target_link_options(facet_module PRIVATE --no-entry -sSTANDALONE_WASM
  -sEXPORTED_FUNCTIONS=_facet_program,_facet_shaders,_facet_motion,_facet_overlays,_malloc,_free
  -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0
  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=1MB)
