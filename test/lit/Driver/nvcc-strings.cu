// std::string_view in device code stands on __builtin_strlen, __builtin_memchr
// and __builtin_memcmp: a GPU has no such functions, nvcc compiles loops.
// RUN: %precompiled_cc -w -std=c++17 -arch=sm_90 -c %s -o %t.o
// RUN: %precompiled_cc -w -std=c++17 -arch=sm_90 -O0 -G -c %s -o %t.o
// RUN: %precompiled_cc -w -std=c++17 -arch=sm_90 -rdc=true -c %s -o %t.a.o
// RUN: %precompiled_cc -w -std=c++17 -arch=sm_90 -rdc=true -DOTHER -c %s -o %t.b.o
// RUN: %precompiled_cc -w -std=c++17 -arch=sm_90 -rdc=true %t.a.o %t.b.o -o %t
// RUN: not %precompiled_cc -w -arch=sm_90 -DBY_NAME -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NAME %s
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %precompiled_cc -w -std=c++17 --device=cpu -O0 %s -o %t && %t
// RUN: %precompiled_cc -w -std=c++17 --device=cpu -O2 --min-bytes=0 --report %t.txt %s -o %t && %t
// RUN: FileCheck --check-prefix=REPORT --input-file=%t.txt %s

// Kernel facts know what the loops do. find() makes numbers of addresses.
// REPORT: devText {{.*}}declined   S3 captured-by-kernel
// REPORT: devOut {{.*}}unified    1 copy removed

// NAME: error: no matching function for call to 'strlen'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#ifdef OTHER
#define scan other
#define main otherMain
#endif

__global__ void scan(const char *text, int *out) {
#ifdef BY_NAME
  out[0] = strlen(text);
#else
  constexpr std::string_view known = "echo";
  std::string_view all(text), from(text + 3);
  out[0] = all.size();
  out[1] = all.find('o');
  out[2] = all.find('?') == all.npos;
  out[3] = std::string_view(text, 4) == known;
  out[4] = all.compare(from) < 0;
  out[5] = known.size() + (from == all);
#endif
}

int main() {
  auto *text = (char *)malloc(64);
  auto *out = (int *)malloc(6 * sizeof(int));
  char *devText;
  int *devOut;
  cudaMalloc(&devText, 64);
  cudaMalloc(&devOut, 6 * sizeof(int));
  memset(text, 0, 64);
  strcpy(text, "echo\xc3\xa9 ends");
  cudaMemcpy(devText, text, 64, cudaMemcpyHostToDevice);
  scan<<<1, 1>>>(devText, devOut);
  cudaMemcpy(out, devOut, 6 * sizeof(int), cudaMemcpyDeviceToHost);
  const int expected[] = {11, 3, 1, 1, 1, 4};
  int status = memcmp(out, expected, sizeof expected) != 0;
  for (int i = 0; status && i < 6; ++i)
    printf("%d\n", out[i]);
  cudaFree(devText);
  cudaFree(devOut);
  free(text);
  free(out);
  return status;
}
