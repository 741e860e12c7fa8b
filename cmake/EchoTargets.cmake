# Targets and who may depend on whom (docs/internals/architecture.md). A dependency that
# the table does not allow stops the configuration.
#   abi        tables and structs shared by compiler and runtimes; depends on nothing
#   rt         echort, linked into user programs
#   check      follows candidate pairs, linked into programs of --check
#   cpu        the CPU device, linked into user programs
#   cpulibs    CUDA's libraries on the CPU device, linked into user programs
#   lib        the compiler's rooms, which have an order of their own (echo_add_room)
#   dr         libecho-dr.so, preloaded into prebuilt programs
#   Profile    what echo-run knows of prebuilt programs: traces, pairs, plans
set(ECHO_ALLOW_abi "")
set(ECHO_ALLOW_rt abi)
set(ECHO_ALLOW_dr abi rt)
set(ECHO_ALLOW_check abi)
set(ECHO_ALLOW_cpu abi)
set(ECHO_ALLOW_cpulibs abi cpu)
set(ECHO_ALLOW_tool lib Profile abi)

set(ECHO_WARNINGS -Wall -Wextra -Wno-unused-parameter -Wno-deprecated-declarations)

# Applies the flags every target of the project shares.
function(echo_common_flags target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/lib
    ${PROJECT_BINARY_DIR}/generated)
  target_compile_options(${target} PRIVATE ${ECHO_WARNINGS})
  target_compile_definitions(${target} PRIVATE ECHO_VERSION="${PROJECT_VERSION}")
  if(ECHO_ASSERTIONS)
    target_compile_options(${target} PRIVATE -UNDEBUG)
  endif()
  if(ECHO_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ECHO_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${ECHO_SANITIZE})
  endif()
endfunction()

# Fails unless layer LAYER may use every layer in ARGN.
function(echo_check_layer layer)
  foreach(dep IN LISTS ARGN)
    if(NOT dep IN_LIST ECHO_ALLOW_${layer})
      message(FATAL_ERROR "layer '${layer}' may not depend on '${dep}' (cmake/EchoTargets.cmake)")
    endif()
  endforeach()
endfunction()

# Makes a target see LLVM's and Clang's headers, with LLVM's own conventions.
function(echo_use_llvm target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE ${LLVM_DEFINITIONS_LIST})
endfunction()
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")

# Fails unless the files of the current folder, which is room ROOM of lib/, include files of ROOM, of the rooms in ARGN
# and of runtime/abi only.
function(echo_check_includes room)
  file(GLOB files CONFIGURE_DEPENDS *.cpp *.h)
  foreach(file IN LISTS files)
    file(STRINGS ${file} lines REGEX "^#include \"(Support|Analysis|Transform|Report|Pipeline|CpuDevice|Profile|runtime)/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"(.*)/[^/]*\".*" "\\1" other "${line}")
      if(NOT other IN_LIST ARGN AND NOT other STREQUAL room AND NOT other STREQUAL runtime/abi)
        message(FATAL_ERROR "${file} includes a file of ${other}, which lib/${room}/CMakeLists.txt does not name")
      endif()
    endforeach()
  endforeach()
endfunction()

# echo_add_room(<folder of lib> SOURCES ... [USES <folders>] [LINK <libraries>] [NO_LLVM]): a static library, Echo and
# the folder's name without slashes. It may use rooms that were added before, and of those only what USES names.
function(echo_add_room room)
  cmake_parse_arguments(A "NO_LLVM" "" "SOURCES;USES;LINK" ${ARGN})
  string(REPLACE "/" "" name ${room})
  echo_check_includes(${room} ${A_USES})
  add_library(Echo${name} STATIC ${A_SOURCES})
  echo_common_flags(Echo${name})
  target_link_libraries(Echo${name} PUBLIC ${A_LINK})
  foreach(other IN LISTS A_USES)
    string(REPLACE "/" "" other_name ${other})
    if(NOT TARGET Echo${other_name})
      message(FATAL_ERROR "room ${room} uses ${other}, which comes after it (lib/CMakeLists.txt)")
    endif()
    target_link_libraries(Echo${name} PUBLIC Echo${other_name})
  endforeach()
  if(NOT room STREQUAL Support)
    echo_compile_together(Echo${name})
  endif()
  if(A_NO_LLVM)
    echo_precompile(Echo${name} ${PROJECT_SOURCE_DIR}/lib/${room}/Precompiled.h)
    return()
  endif()
  echo_use_llvm(Echo${name})
  if(NOT ECHO_PRECOMPILE)
    return()
  endif()
  if(room STREQUAL Support)
    echo_precompile(Echo${name})
  else()
    target_precompile_headers(Echo${name} REUSE_FROM EchoSupport)
  endif()
endfunction()

# Parses headers once for all files of a target: those that ARGN names, or LLVM's.
function(echo_precompile target)
  if(NOT ECHO_PRECOMPILE)
    return()
  endif()
  if(ARGN)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib/Precompiled.h)
  endif()
endfunction()

# Compiles several files of a target at a time, as they parse and instantiate the same templates. Their names with
# internal linkage must differ.
function(echo_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ECHO_UNITY} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# For code that compiles for longer than it runs.
function(echo_compile_fast target)
  echo_compile_together(${target})
  target_compile_options(${target} PRIVATE -O1)
endfunction()
