# find_package(Echo): what a project needs whose programs another compiler than echo-cc links.
#
#   Echo::runtime   link it to a target with objects of echo-cc. The compiler that links it (g++, clang++, mpicxx) then
#                   calls its linker through Echo, which adds echort and looks at the other units, as echo-cc does.
#   Echo_COMPILER   echo-cc, for CMAKE_CUDA_COMPILER
get_filename_component(Echo_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Echo_COMPILER "${Echo_PREFIX}/bin/echo-cc")
if(NOT EXISTS "${Echo_COMPILER}")
  set(Echo_FOUND FALSE)
  set(Echo_NOT_FOUND_MESSAGE "${Echo_COMPILER} is not there")
  return()
endif()
if(NOT TARGET Echo::runtime)
  add_library(Echo::runtime INTERFACE IMPORTED)
  set_target_properties(Echo::runtime PROPERTIES INTERFACE_LINK_OPTIONS "-B${Echo_PREFIX}/lib/echo/ld")
endif()
