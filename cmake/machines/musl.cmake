# This machine with the C library musl, linked statically: the program is one file.
set(CMAKE_C_COMPILER musl-gcc)
# The headers of the kernel, which musl-gcc does not search.
execute_process(COMMAND gcc -print-multiarch OUTPUT_VARIABLE machine
  OUTPUT_STRIP_TRAILING_WHITESPACE)
set(CMAKE_C_FLAGS_INIT "-idirafter /usr/include -idirafter /usr/include/${machine}")
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
