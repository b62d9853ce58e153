# Installation of headers, single headers and libraries, and of files for pkg-config and CMake.

install(DIRECTORY include/facet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The single headers, such as <facet/single/facet_bsm.h>. They are generated, which needs Python.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_Interpreter_FOUND)
  set(amalgamate ${PROJECT_SOURCE_DIR}/tools/amalgamate)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${amalgamate} --list OUTPUT_VARIABLE families
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "\n" ";" families "${families}")
  foreach(family ${families})
    set(single ${CMAKE_CURRENT_BINARY_DIR}/single/facet_${family}.h)
    install(CODE "file(MAKE_DIRECTORY \"${CMAKE_CURRENT_BINARY_DIR}/single\")
      execute_process(COMMAND \"${Python3_EXECUTABLE}\" \"${amalgamate}\" ${family}
        OUTPUT_FILE \"${single}\" RESULT_VARIABLE result)
      if(NOT result EQUAL 0)
        message(FATAL_ERROR \"facet_${family}.h could not be made\")
      endif()")
    install(FILES ${single} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/facet/single)
  endforeach()
else()
  message(STATUS "Python is not there, the single headers are left out")
endif()
install(TARGETS ${FACET_INSTALLED} EXPORT facet-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The paths in facet.pc are relative to its own folder.
file(RELATIVE_PATH FACET_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(FACET_PC_PREFIX_PATH "${CMAKE_INSTALL_PREFIX}")
else()
  set(FACET_PC_PREFIX_PATH "\${pcfiledir}/${FACET_PC_PREFIX}")
endif()
# Programs that link the shared library need no other packages; only static linking needs the flags.
# Without a shared library, every program needs the packages.
if(FACET_SHARED)
  set(FACET_NEEDS_ALL FALSE)
  set(FACET_PC_PUBLIC)
  set(FACET_PC_PRIVATE ${FACET_PC_ALL_FLAGS})
  set(FACET_PC_REQUIRES)
else()
  set(FACET_NEEDS_ALL TRUE)
  set(FACET_PC_PUBLIC ${FACET_PC_FLAGS})
  set(FACET_PC_PRIVATE)
endif()
list(REMOVE_DUPLICATES FACET_PC_PRIVATE)
foreach(list FACET_PC_PUBLIC FACET_PC_PRIVATE FACET_PC_REQUIRES)
  list(JOIN ${list} " " ${list})
endforeach()
configure_file(tools/facet.pc.in facet.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/facet.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/facet)
configure_package_config_file(tools/facet-config.cmake.in facet-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(facet-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/facet-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/facet-config-version.cmake DESTINATION ${package})
install(EXPORT facet-targets NAMESPACE facet:: DESTINATION ${package})
