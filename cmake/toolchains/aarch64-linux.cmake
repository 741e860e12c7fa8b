# Builds Echo for aarch64 Linux (Jetson, DGX Spark, Grace Hopper) on another
# machine with clang and lld. ECHO_SYSROOT names the root folder of an aarch64
# system with the packages of scripts/setup (scripts/test-aarch64 makes one).
# Tests run under qemu-aarch64, where that is installed.
if(NOT ECHO_SYSROOT)
  set(ECHO_SYSROOT "$ENV{ECHO_SYSROOT}")
endif()
if(NOT EXISTS "${ECHO_SYSROOT}/usr/include")
  message(FATAL_ERROR "ECHO_SYSROOT names no root folder of an aarch64 system: '${ECHO_SYSROOT}'")
endif()
set(ECHO_SYSROOT "${ECHO_SYSROOT}" CACHE PATH "Root folder of the system that is built for")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ECHO_SYSROOT)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_SYSROOT "${ECHO_SYSROOT}")
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
foreach(kind IN ITEMS EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld")
endforeach()

set(CMAKE_FIND_ROOT_PATH "${ECHO_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

find_program(ECHO_QEMU NAMES qemu-aarch64 qemu-aarch64-static)
if(ECHO_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${ECHO_QEMU};-L;${ECHO_SYSROOT}")
endif()
