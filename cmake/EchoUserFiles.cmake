# What shells and man(1) read: completions as they are, and manual pages of what
# the programs' --help says.
set(programs echo-run)
if(TARGET echo-cc)
  list(APPEND programs echo-cc)
endif()
set(pages_of ${programs})
if(TARGET echo-survey)
  list(APPEND pages_of echo-survey)
endif()
foreach(program IN LISTS programs)
  set(words ${PROJECT_SOURCE_DIR}/tools/${program}/completion)
  install(FILES ${words}/${program} DESTINATION share/bash-completion/completions)
  install(FILES ${words}/_${program} DESTINATION share/zsh/site-functions)
  install(FILES ${words}/${program}.fish DESTINATION share/fish/vendor_completions.d)
endforeach()

find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
  set(pages)
  foreach(program IN LISTS pages_of)
    set(page ${PROJECT_BINARY_DIR}/man/${program}.1)
    add_custom_command(OUTPUT ${page} DEPENDS ${program} ${PROJECT_SOURCE_DIR}/scripts/man-page
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
      COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/man-page $<TARGET_FILE:${program}>
        > ${page})
    list(APPEND pages ${page})
    install(FILES ${page} DESTINATION share/man/man1)
  endforeach()
  add_custom_target(echo-pages ALL DEPENDS ${pages})
  add_dependencies(echo echo-pages)
endif()
