// An array of the stack becomes memory of malloc(), where a pointer does the same.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -O1 --device=cpu --min-bytes=1 --suggest a.patch --report - --report-json a.json a.cu -o plain 2> note.txt | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: FileCheck --check-prefix=JSON --input-file=a.json %s
// The note counts the copies.
// RUN: FileCheck --check-prefix=NOTE --input-file=note.txt %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --min-bytes=1 --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w -O1 --device=cpu --no-unify a.cu -o patched && ./plain > plain.txt && ./patched | diff plain.txt -
// RUN: ./merged | diff plain.txt - && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt - && env ECHO_CPU_SCHED=random:5 ./merged | diff plain.txt -
// RUN: %echo_cc -w -O1 --device=cpu --min-bytes=1 --check a.cu -o checked && ./checked 2> checked.txt | diff plain.txt - && FileCheck --check-prefix=CHECKED --input-file=checked.txt %s
// Functions that differ from main() in a line, all in one file.
// RUN: sed -n '/^int main/,/^}/ { s/^}/  return 0;\n}/; p; }' %s > main.inc && sed '/^int main/,/^}/d; s/^int look/#include <vector>\nstd::vector<int> many;\n&/' %s > b.cu
// Where control leaves the block, the memory is freed; a result must not come from there.
// RUN: sed 's/main/leave/; s/^  LEAVE$/  if (argc > 3) return argc; else if (argc > 4) return 1;/' main.inc >> b.cu
// RUN: sed 's/main/element/; s/^  LEAVE$/  if (argc > 3) return h[3] > 1;/' main.inc >> b.cu
// RUN: sed 's/main/call/; s/^  LEAVE$/  if (argc > 3) return look();/' main.inc >> b.cu
// RUN: sed 's/main/jump/; s/^  LEAVE$/  if (argc > 3) goto end; end:/' main.inc >> b.cu
// RUN: sed 's/main/macro/; s/^  LEAVE$/  FAIL(argc > 3)/' main.inc >> b.cu
// RUN: sed 's/main/unwind/; s/^  LEAVE$/  try { throw argc; } catch (int) { }/' main.inc >> b.cu
// RUN: sed -e 's/main/caught/; s/^  float h.N.*/  try { &/' -e 's/^  cudaFree(d);/& } catch (int) { }/' main.inc >> b.cu
// An object may look at the array when it is destroyed.
// RUN: sed 's/main/object/; s/^  LEAVE$/  Last last{h};/' main.inc >> b.cu
// RUN: sed 's/main/extended/; s/^  LEAVE$/  const Last \&last = Last{h};/' main.inc >> b.cu
// A pointer is a variable; where an array decays, it is a temporary.
// RUN: sed 's/main/temporary/; s/^  LEAVE$/  take(h);/' main.inc >> b.cu
// In a loop an address must not outlive the iteration; else `break` and `continue` free.
// RUN: sed -e 's/^  float h.N.*/  float *p = nullptr; while (argc++ < 3) { &/' -e 's/^  cudaFree(d);/& }/' main.inc > loop.inc
// RUN: sed 's/main/loop/; s/^  LEAVE$/  if (argc == 7) break; for (;;) break;/' loop.inc >> b.cu
// RUN: sed 's/main/outlive/; s/^  LEAVE$/  p = h; p[1] = 2;/' loop.inc >> b.cu
// Zeros come from calloc(); a file with vectors gets one.
// RUN: sed 's/main/zero/; s/float h.N./float h[N] = {}/' main.inc >> b.cu
// RUN: sed 's/main/elements/; s/, c.4.;/; float c[4];/; s/^  LEAVE$/  if (argc > 3) return h[3] > 1;/' main.inc >> b.cu
// RUN: %echo_cc -w -O1 --device=cpu --min-bytes=1 --suggest b.patch -c b.cu
// RUN: FileCheck --check-prefix=TWINS --implicit-check-not=')malloc(' --implicit-check-not=')calloc(' --implicit-check-not='_elements(' --input-file=b.patch %s
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
void take(float *&&p) { puts("temporary"); }
void take(float *&p) { puts("variable"); }
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
// NOTE: 0 of 0 declined pairs would merge with the changes in 'a.patch', which give a pair to 2 copies more
// TWINS: {{^}} int leave(
// TWINS-NEXT: {{^}}-  float h[N], c[4];
// TWINS-NEXT: {{^}}+  float *h = (float *)malloc(sizeof(float[N])), c[4];
// TWINS: {{^}}+  if (argc > 3) { free(h); return argc; } else if (argc > 4) { free(h); return 1; }
// TWINS: {{^}} int loop(
// TWINS: {{^}}+  float *p = nullptr; while (argc++ < 3) { float *h = (float *)malloc(sizeof(float[N])), c[4];
// TWINS: {{^}}+  if (argc == 7) { free(h); break; } for (;;) break;
// TWINS: {{^}} int zero(
// TWINS-NEXT: {{^}}-  float h[N] = {}, c[4];
// TWINS-NEXT: {{^}}+  float *h = (float *)calloc(1, sizeof(float[N])), c[4];
// TWINS: {{^}} int elements(
// TWINS-NEXT: {{^}}-  float h[N]; float c[4];
// TWINS-NEXT: {{^}}+  std::vector<float> h_elements(N);
// TWINS-NEXT: {{^}}+  float *h = h_elements.data(); float c[4];
// TWINS-NOT: free(h)
