// The unit beside other-units-apart.cu, which no compiler of Echo's makes.
#include <cstddef>
extern "C" int cudaDeviceReset();
extern "C" int cudaMemcpyAsync(void *, const void *, size_t, int, void *);
extern "C" int cudaDeviceSynchronize();
#ifdef NEEDS
#pragma comment(lib, "x")
#else
void other() {
#ifdef RESET
  cudaDeviceReset();
#endif
}
#endif
#ifdef COPIES
extern "C" int my_copy(void *to, const void *from, size_t bytes, int kind) {
  cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  return cudaDeviceSynchronize();
}
#endif
