# Removes what the last `cmake --install` of this build folder put somewhere; folders stay.
#   cmake --build build --target uninstall
if(NOT EXISTS ${MANIFEST})
  message(FATAL_ERROR "${MANIFEST} is not there: nothing was installed from this folder")
endif()
file(STRINGS ${MANIFEST} files)
foreach(file IN LISTS files)
  if(EXISTS $ENV{DESTDIR}${file} OR IS_SYMLINK $ENV{DESTDIR}${file})
    file(REMOVE $ENV{DESTDIR}${file})
    message(STATUS "removed ${file}")
  endif()
endforeach()
