// Shared by the run tests: managed buffers and checks.
#include <cstdio>
#include <cstdlib>

template <typename T> T *managed(size_t N) {
  T *P = nullptr;
  if (cudaMallocManaged(&P, N * sizeof(T)) != cudaSuccess)
    exit(2);
  for (size_t I = 0; I != N; ++I)
    P[I] = T();
  return P;
}

#define CHECK(Condition)                                                       \
  do {                                                                         \
    if (cudaDeviceSynchronize() != cudaSuccess || !(Condition)) {              \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #Condition);                   \
      return 1;                                                                \
    }                                                                          \
  } while (0)
