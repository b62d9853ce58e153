# What is installed: headers, single headers, libraries, and how they are found.

install(DIRECTORY include/facet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The single headers: <facet/single/facet_bsm.h> and so on. Without Python there are none.
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
endif()
install(TARGETS ${FACET_INSTALLED} EXPORT facet-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Where the file lies tells where the rest does.
file(RELATIVE_PATH FACET_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(FACET_PC_PREFIX_PATH "${CMAKE_INSTALL_PREFIX}")
else()
  set(FACET_PC_PREFIX_PATH "\${pcfiledir}/${FACET_PC_PREFIX}")
endif()
set(FACET_PC_LIBRARIES ${FACET_STATIC_NEEDS})
list(REMOVE_DUPLICATES FACET_PC_LIBRARIES)
list(TRANSFORM FACET_PC_LIBRARIES PREPEND -l)
list(JOIN FACET_PC_LIBRARIES " " FACET_PC_LIBRARIES)
# Without the shared library who links has to name what the static one needs.
set(FACET_PC_STATIC_LIBRARIES "")
if(NOT FACET_SHARED)
  set(FACET_PC_STATIC_LIBRARIES " ${FACET_PC_LIBRARIES}")
endif()
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
