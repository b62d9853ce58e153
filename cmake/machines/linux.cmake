# Linux on x86-64, linked statically: the program is one file. tools/release adds musl by -specs.
set(CMAKE_C_COMPILER gcc)
set(CMAKE_CXX_COMPILER g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
