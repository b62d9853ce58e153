# Linux on x86-64, linked statically: one file to copy. tools/release gives it musl by -specs.
set(CMAKE_C_COMPILER gcc)
set(CMAKE_CXX_COMPILER g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
