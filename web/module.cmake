# The program as a WebAssembly module without Emscripten's JavaScript: web/package loads it. The
# main CMakeLists.txt includes this file if the compiler is Emscripten.
option(FACET_HOST_SHIFT_JIS "Get the characters of Shift-JIS from the host, without a table in the module" OFF)
option(FACET_CORE_MODULE "Leave out what the core module does not need: help, options and passes of other outputs"
  OFF)
if(FACET_HOST_SHIFT_JIS)
  target_compile_definitions(facet_flags INTERFACE FACET_HOST_SHIFT_JIS)
endif()

add_executable(facet_module ${FACET_CLI_SOURCES} web/program.c web/shaders.c web/motion.c web/overlays.c
  web/shift_jis.c)
target_include_directories(facet_module PRIVATE src)
target_link_libraries(facet_module PRIVATE facet_flags facet_static)
set_target_properties(facet_module PROPERTIES OUTPUT_NAME facet SUFFIX .wasm)
# The read-only module must be small: emmalloc has 8 KB less than dlmalloc. Arenas call it rarely.
# Undefined symbols become imports. A test compares the imports with those of the package, and so
# finds misspelled function names.
target_link_options(facet_module PRIVATE --no-entry -sSTANDALONE_WASM
  -sEXPORTED_FUNCTIONS=_facet_program,_facet_shaders,_facet_motion,_facet_overlays,_malloc,_free
  -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0
  $<$<BOOL:${FACET_READ_ONLY}>:-sMALLOC=emmalloc>
  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=1MB)
if(FACET_CORE_MODULE)
  target_compile_definitions(facet_module PRIVATE FACET_CORE_MODULE)
  set_source_files_properties(src/convert/prepare.c PROPERTIES COMPILE_DEFINITIONS FACET_CORE_MODULE)
endif()
