# cpack: a Debian package and an archive of what `cmake --install` puts under a prefix.
#   cpack --config build/CPackConfig.cmake
set(CPACK_PACKAGE_NAME echo-cc)
set(CPACK_PACKAGE_VENDOR "The developers of Echo")
set(CPACK_PACKAGE_CONTACT "${CPACK_PACKAGE_VENDOR}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "CUDA compiler and runner that spare copies where CPU and GPU share one memory")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TZST)
set(CPACK_STRIP_FILES OFF) # libecho_cpu.a has kernels' tables
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What echo-cc runs, and what its programs are linked with.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-22, clang-tools-22, lld-22, libc6-dev, libstdc++-12-dev | libstdc++-dev")
# CUDA's libraries on the CPU device.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libopenblas-pthread-dev, libfftw3-dev, libdnnl-dev")
install(FILES LICENSE README.md CHANGELOG.md DESTINATION share/doc/echo-cc)
include(CPack)
