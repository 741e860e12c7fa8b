//===- SystemFiles.h - Files that are no part of a program ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files of a link or a process are the system's or CUDA's, by their
// paths. What they do the models say, so nobody looks into them. A name must
// match whole: a program has libraries of its own whose names begin alike. It
// needs nothing of any library but comparisons of text.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_SYSTEMFILES_H
#define ECHO_RUNTIME_ABI_SYSTEMFILES_H

#include <string.h>

namespace echo {

/// Where the system keeps its libraries.
inline constexpr const char *SystemFolders[] = {
    "/usr/lib", "/lib",       "/usr/lib64", "/lib64",
    "/lib32",   "/usr/lib32", "/usr/libx32"};

/// The C and C++ libraries, allocators that take the place of theirs, and
/// sanitizers: nobody else's library has such a name.
inline constexpr const char *SystemLibraries[] = {"libc",
                                                  "linux-vdso",
                                                  "linux-gate",
                                                  "libstdc++",
                                                  "libc++",
                                                  "libc++abi",
                                                  "libgcc_s",
                                                  "libjemalloc",
                                                  "libtcmalloc",
                                                  "libtcmalloc_minimal",
                                                  "libmimalloc",
                                                  "libtbbmalloc",
                                                  "libtbbmalloc_proxy",
                                                  "libasan",
                                                  "libtsan",
                                                  "libhwasan",
                                                  "liblsan"};

/// Parts of the C library, and zlib: libraries of programs' own have such
/// names, too. The system's lie in its folders, or beside the C library.
inline constexpr const char *LibrariesBesideC[] = {
    "libm", "libmvec",   "libpthread", "librt", "libdl",
    "ld",   "libresolv", "libutil",    "libz"};

/// The runtime, the driver and the libraries that work with them, and Echo's
/// own library in their place.
inline constexpr const char *CudaLibraries[] = {
    "libecho-dr",
    "libcudart",
    "libcuda",
    "libcublas",
    "libcublasLt",
    "libcudnn",
    "libcudnn_adv",
    "libcudnn_cnn",
    "libcudnn_graph",
    "libcudnn_heuristic",
    "libcudnn_ops",
    "libcudnn_engines_precompiled",
    "libcudnn_engines_runtime_compiled",
    "libcufft",
    "libcufftw",
    "libcurand",
    "libcusolver",
    "libcusolverMg",
    "libcusparse",
    "libnccl",
    "libnppc",
    "libnppial",
    "libnppicc",
    "libnppidei",
    "libnppif",
    "libnppig",
    "libnppim",
    "libnppist",
    "libnppisu",
    "libnppitc",
    "libnpps",
    "libnvJitLink",
    "libnvjpeg",
    "libnvrtc",
    "libnvToolsExt"};

/// True if \p Rest, which follows the name of a library, begins with its suffix
/// or its version, as in libm.so.6 and libm-2.36.so.
inline bool endsLibraryName(const char *Rest) {
  return !strncmp(Rest, ".so", 3) ||
         (Rest[0] == '-' && Rest[1] >= '0' && Rest[1] <= '9');
}

/// True if the file \p Path has one of the \p Names of libraries.
template <size_t N>
bool isLibraryOf(const char *const (&Names)[N], const char *Path) {
  const char *Slash = strrchr(Path, '/');
  const char *File = Slash ? Slash + 1 : Path;
  for (const char *Name : Names)
    if (!strncmp(File, Name, strlen(Name)) &&
        endsLibraryName(File + strlen(Name)))
      return true;
  return false;
}

/// True if \p Path lies in \p Folder; both are real ones.
inline bool isInFolder(const char *Path, const char *Folder) {
  const size_t Length = strlen(Folder);
  return !strncmp(Path, Folder, Length) && Path[Length] == '/';
}

/// True if \p Path, a real one, lies in a folder of the system's.
inline bool isInSystemFolder(const char *Path) {
  for (const char *Folder : SystemFolders)
    if (isInFolder(Path, Folder))
      return true;
  return false;
}

} // namespace echo

#endif
