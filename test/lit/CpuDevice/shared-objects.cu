// An executable, a library that another tool linked, and one that is loaded,
// used and unloaded again and again. Each has all of echort or nothing of it,
// and what its pool keeps goes with it.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %echo_cc -w --device=cpu -O2 --min-bytes=1 -fPIC -DWORK=linked -c %s -o linked.o
// RUN: c++ -shared linked.o -o liblinked.so
// RUN: %echo_cc -w --device=cpu -cudart shared -O2 --min-bytes=1 -fPIC -shared -DWORK=loaded -DMORE %s -o libloaded.so
// RUN: %echo_cc -w --device=cpu -cudart shared -O2 --min-bytes=1 -DWORK=own -DMAIN %s ./liblinked.so -o app
// RUN: env ECHO_BACKING=system ./app | FileCheck %s
// RUN: env ECHO_BACKING=managed ./app | FileCheck %s
// RUN: env ECHO_BACKING=mapped ./app | FileCheck %s
// CHECK: own 1499999500000
// CHECK-NEXT: linked 1499999500000
// CHECK-NEXT: loaded 1499999500000
// CHECK-NEXT: kept: no
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

static __global__ void triple(int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] = d[i] * 3 + 1;
}

extern "C" long WORK() {
  constexpr int n = 1000000;
  int *h = (int *)malloc(n * sizeof(int)), *d;
  if (cudaMalloc(&d, n * sizeof(int)))
    return -1;
  for (int i = 0; i < n; ++i)
    h[i] = i;
  if (cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice))
    return -2;
  triple<<<(n + 255) / 256, 256>>>(d, n);
#ifdef MORE // calls that the others do not make
  if (cudaMemcpy(h + n / 2, d + n / 2, n / 4 * sizeof(int),
                 cudaMemcpyDeviceToHost))
    return -3;
#endif
  if (cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost))
    return -4;
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i];
  cudaFree(d);
#ifdef MORE
  if (int *larger = (int *)realloc(h, 2 * n * sizeof(int)))
    h = larger;
#endif
  free(h);
  return sum;
}

#ifdef MAIN
extern "C" long linked();

/// KiB that are resident.
static long resident() {
  long size = 0, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%ld %ld", &size, &pages) != 2)
    pages = 0;
  if (f)
    fclose(f);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  printf("own %ld\n", own());
  printf("linked %ld\n", linked());
  long first = 0;
  for (int round = 0; round < 12; ++round) {
    void *library = dlopen("./libloaded.so", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return puts(dlerror()), 1;
    long sum = ((long (*)())dlsym(library, "loaded"))();
    if (!round)
      printf("loaded %ld\n", sum);
    dlclose(library);
    if (round == 1)
      first = resident();
  }
  printf("kept: %s\n", resident() - first > 16 * 1024 ? "yes" : "no");
}
#endif
