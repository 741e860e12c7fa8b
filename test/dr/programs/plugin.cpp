// A program without CUDA that loads one with it, for itself alone, and unloads
// it again: the CUDA runtime is in no global scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <dlfcn.h>

// Whoever finds out where code lies asks this. What libecho-dr.so found out
// about a call it keeps: doing it for each one would make every copy slow.
static int LookUps;
extern "C" int dladdr(const void *Address, Dl_info *Info) noexcept {
  static auto *Real = reinterpret_cast<int (*)(const void *, Dl_info *)>(
      dlsym(RTLD_NEXT, "dladdr"));
  ++LookUps;
  return Real(Address, Info);
}

int main(int, char **Args) {
  for (int I = 0; I != 3; ++I) {
    void *Handle = dlopen(Args[1], RTLD_NOW | RTLD_LOCAL);
    if (!Handle)
      return std::printf("%s\n", dlerror()), 1;
    reinterpret_cast<void (*)(const int *)>(dlsym(Handle, "run"))(&LookUps);
    dlclose(Handle);
  }
  // Names that are not there are not there.
  std::printf("%d %d %d\n",
              dlsym(RTLD_DEFAULT, "cudaNoSuchFunction") == nullptr,
              dlsym(RTLD_DEFAULT, "cuInit") == nullptr,
              dlsym(RTLD_DEFAULT, "cudaMalloc") == nullptr);
  return 0;
}
