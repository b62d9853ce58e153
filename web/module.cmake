# The program as a WebAssembly module without Emscripten's JavaScript: web/package
# loads it by itself. Included by the main CMakeLists when Emscripten compiles.
function(facet_web_module name library file)
  add_executable(${name} ${FACET_CLI_SOURCES} web/program.c web/shaders.c web/motion.c web/overlays.c)
  target_include_directories(${name} PRIVATE src)
  target_link_libraries(${name} PRIVATE facet_flags ${library})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${file} SUFFIX .wasm)
  # Names that are imported are compared with those that the package answers by a test:
  # a misspelt call would be one of them.
  target_link_options(${name} PRIVATE --no-entry -sSTANDALONE_WASM
    -sEXPORTED_FUNCTIONS=_facet_program,_facet_shaders,_facet_motion,_facet_overlays,_malloc,_free
    -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=1MB)
endfunction()
facet_web_module(facet_module facet_static facet)
# Without libraries by others and what is read and written by them.
facet_web_module(facet_core_module facet_core facet-core)
