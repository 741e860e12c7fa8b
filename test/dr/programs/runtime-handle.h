//===- runtime-handle.h - The shared CUDA runtime of a process --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <dlfcn.h>
#include <link.h>
#include <string.h>

/// A handle of it; null if the runtime is inside of the program.
static void *runtimeHandle() {
  const char *Name = nullptr;
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Name) {
        if (!strstr(Info->dlpi_name, "libcudart.so"))
          return 0;
        *static_cast<const char **>(Name) = Info->dlpi_name;
        return 1;
      },
      &Name);
  return Name ? dlopen(Name, RTLD_NOW | RTLD_NOLOAD) : nullptr;
}
