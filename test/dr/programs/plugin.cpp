// A program without CUDA that loads one with it, for itself alone, and unloads
// it again: the CUDA runtime is in no global scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <dlfcn.h>

int main(int, char **Args) {
  for (int I = 0; I != 3; ++I) {
    void *Handle = dlopen(Args[1], RTLD_NOW | RTLD_LOCAL);
    if (!Handle)
      return std::printf("%s\n", dlerror()), 1;
    reinterpret_cast<void (*)()>(dlsym(Handle, "run"))();
    dlclose(Handle);
  }
  // Names that are not there are not there.
  std::printf("%d %d\n", dlsym(RTLD_DEFAULT, "cudaNoSuchFunction") == nullptr,
              dlsym(RTLD_DEFAULT, "cuInit") == nullptr);
  return 0;
}
