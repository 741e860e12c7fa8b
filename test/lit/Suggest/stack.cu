// An array of the stack becomes memory of malloc(), where a pointer does the same.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --min-bytes=1 --suggest a.patch --report - --report-json a.json a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: FileCheck --check-prefix=JSON --input-file=a.json %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --min-bytes=1 --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w -O1 --device=cpu --no-unify a.cu -o patched && ./plain > plain.txt && ./patched | diff plain.txt -
// RUN: ./merged | diff plain.txt - && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt - && env ECHO_CPU_SCHED=random:5 ./merged | diff plain.txt -
// RUN: %echo_cc -w -O1 --device=cpu --min-bytes=1 --check a.cu -o checked && ./checked 2> checked.txt | diff plain.txt - && FileCheck --check-prefix=CHECKED --input-file=checked.txt %s
// The note counts the copies.
// RUN: cp %s b.cu && %echo_cc -O1 --device=cpu --min-bytes=1 --suggest b.patch -c b.cu 2>&1 | FileCheck --check-prefix=NOTE %s
// Where control leaves the block, the memory is freed; a result must not come from there.
// RUN: sed 's/^  LEAVE$/  if (argc > 3) return argc; else if (argc > 4) return 1;/' %s > b.cu
// RUN: %echo_cc -w -O1 --device=cpu --min-bytes=1 --suggest b.patch -c b.cu && FileCheck --check-prefix=LEAVE --input-file=b.patch %s
// RUN: sed 's/^  LEAVE$/  if (argc > 3) return h[3] > 1;/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  if (argc > 3) return look();/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  if (argc > 3) goto end; end:/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  FAIL(argc > 3)/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  try { throw argc; } catch (int) { }/' %s > b.cu && %suggest_none
// An object may look at the array when it is destroyed.
// RUN: sed 's/^  LEAVE$/  Last last{h};/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  const Last \&last = Last{h};/' %s > b.cu && %suggest_none
// In a loop an address must not outlive the iteration; else `break` and `continue` free.
// RUN: sed -e 's/^  float h.N.*/  float *p = nullptr; while (argc++ < 3) { &/' -e 's/^  cudaFree(d);/& }/' %s > c.cu
// RUN: sed 's/^  LEAVE$/  if (argc == 7) break; for (;;) break;/' c.cu > b.cu
// RUN: %echo_cc -w -O1 --device=cpu --min-bytes=1 --suggest b.patch -c b.cu && FileCheck --check-prefix=BREAK --input-file=b.patch %s
// RUN: sed 's/^  LEAVE$/  p = h; p[1] = 2;/' c.cu > b.cu && %suggest_none
// Zeros come from calloc(); a file with vectors gets one.
// RUN: sed 's/float h.N./float h[N] = {}/' %s > b.cu
// RUN: %echo_cc -w -O1 --device=cpu --min-bytes=1 --suggest b.patch -c b.cu && FileCheck --check-prefix=CALLOC --input-file=b.patch %s
// RUN: sed 's/^int look/#include <vector>\nstd::vector<int> many;\n&/; s/, c.4.;/; float c[4];/; s/^  LEAVE$/  if (argc > 3) return h[3] > 1;/' %s > b.cu
// RUN: %echo_cc -w -O1 --device=cpu --min-bytes=1 --suggest b.patch -c b.cu && FileCheck --check-prefix=VECTOR --input-file=b.patch %s
#include <cstdio>
#include <cstdlib>
#define N 4096
#define FAIL(x) if (x) return 1;
#define CHECK(x) do { if ((x) != cudaSuccess) { puts(#x); exit(1); } } while (0)
#define LEAVE
struct Last {
  float *p;
  ~Last() { printf("%g\n", p[2]); }
};
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
int look() { return 1; }
int main(int argc, char **argv) {
  float h[N], c[4];
  float *d;
  CHECK(cudaMalloc(&d, N * sizeof(float)));
  for (int i = 0; i < N; ++i)
    h[i] = i;
  c[0] = h[1];
  LEAVE
  CHECK(cudaMemcpy(d, &h, sizeof(h), cudaMemcpyHostToDevice));
  twice<<<N / 256, 256>>>(d);
  cudaMemcpy(h, d, N * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g %zu\n", h[N - 1], c[0], sizeof h);
  cudaFree(d);
}
// CHECK: 2 copies stay: the host side is no buffer
// CHECK-NEXT: suggested: allocate 'h' by malloc, not on the stack in line
// PATCH: {{^}}-  float h[N], c[4];
// PATCH: {{^}}+  float *h = (float *)malloc(sizeof(float[N])), c[4];
// PATCH: {{^}}+  CHECK(cudaMemcpy(d, h, sizeof(float[N]), cudaMemcpyHostToDevice));
// PATCH: {{^}}+  printf("%g %g %zu\n", h[N - 1], c[0], sizeof(float[N]));
// PATCH-NEXT: {{^}}   cudaFree(d);
// PATCH-NEXT: {{^}}+  free(h);
// PATCH-NEXT: {{^}} }
// JSON: "copies_kept": [
// JSON: "suggested": {
// JSON: "what": "allocate 'h' by malloc
// MERGED: 2 copies removed
// CHECKED: 1 safe in this run, 0 refuted
// NOTE: 0 of 0 declined pairs would merge with the changes in 'b.patch', which give a pair to 2 copies more
// LEAVE: {{^}}+  if (argc > 3) { free(h); return argc; } else if (argc > 4) { free(h); return 1; }
// BREAK: {{^}}+  if (argc == 7) { free(h); break; } for (;;) break;
// CALLOC: {{^}}+  float *h = (float *)calloc(1, sizeof(float[N])), c[4];
// VECTOR: {{^}}+  std::vector<float> h_elements(N);
// VECTOR-NEXT: {{^}}+  float *h = h_elements.data();
// VECTOR-NOT: free(h)
