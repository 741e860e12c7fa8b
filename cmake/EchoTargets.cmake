# Targets and who may depend on whom (docs/internals/architecture.md). A dependency that
# the table does not allow stops the configuration.
#   abi        tables and structs shared by compiler and runtimes; depends on nothing
#   rt         echort, linked into user programs
#   check      follows candidate pairs, linked into programs of --check
#   cpu        the CPU device, linked into user programs
#   cpulibs    CUDA's libraries on the CPU device, linked into user programs
#   Analysis   reads IR, changes none
#   Transform  changes IR; the only place that orders passes
#   dr         libecho-dr.so, preloaded into prebuilt programs
#   Dr         what echo-run knows of prebuilt programs: traces, pairs, plans
set(ECHO_ALLOW_abi "")
set(ECHO_ALLOW_rt abi)
set(ECHO_ALLOW_dr abi rt)
set(ECHO_ALLOW_check abi)
set(ECHO_ALLOW_cpu abi)
set(ECHO_ALLOW_cpulibs abi cpu)
set(ECHO_ALLOW_Analysis abi)
set(ECHO_ALLOW_Transform Analysis abi)
set(ECHO_ALLOW_Dr abi)
set(ECHO_ALLOW_tool Analysis Transform Dr abi)

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

# echo_add_library(Name LAYER <layer> SOURCES ... [USES <layers>] [LINK <libs>])
# A static library Echo<Name> of one layer; USES is checked against the table.
function(echo_add_library name)
  cmake_parse_arguments(A "" "LAYER" "SOURCES;USES;LINK" ${ARGN})
  echo_check_layer(${A_LAYER} ${A_USES})
  add_library(Echo${name} STATIC ${A_SOURCES})
  echo_common_flags(Echo${name})
  target_link_libraries(Echo${name} PUBLIC ${A_LINK})
  foreach(dep IN LISTS A_USES)
    if(TARGET Echo${dep})
      target_link_libraries(Echo${name} PUBLIC Echo${dep})
    endif()
  endforeach()
endfunction()

# Makes a target see LLVM's and Clang's headers, with LLVM's own conventions.
function(echo_use_llvm target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE ${LLVM_DEFINITIONS_LIST})
endfunction()
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")

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
