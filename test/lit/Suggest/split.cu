// A host buffer that is filled for one device buffer after the other becomes one for each.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w -O1 --device=cpu --no-unify a.cu -o patched && ./plain > plain.txt && ./patched | diff plain.txt -
// RUN: ./merged | diff plain.txt - && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt - && env ECHO_CPU_SCHED=random:5 ./merged | diff plain.txt -
// RUN: %echo_cc -w -O1 --device=cpu --check a.cu -o checked && ./checked 2> checked.txt | diff plain.txt - && FileCheck --check-prefix=CHECKED --input-file=checked.txt %s
// Functions with two fills, of which the second has to be one, all in one file.
// RUN: sed -n '/^int main/,/^}/ { s/^}/  return 0;\n}/; /^  memset(h, 0/d; /^  cudaMemcpy(c, h/d; /^  printf.*h.7/d; p; }' %s > two.inc && sed '/^int main/,/^}/d' %s > b.cu
// RUN: sed 's/main/two/' two.inc >> b.cu
// A fill that leaves an element as it was is none: by its bounds, its step, a test, a look at the buffer, or another size.
// RUN: sed 's/main/first/; s/^  for (size_t i = 0; i < n; ++i) h.i. = 2/  for (size_t i = 1; i < n; ++i) h[i] = 2/' two.inc >> b.cu
// RUN: sed 's/main/last/; s/^  for (size_t i = 0; i < n; ++i) h.i. = 2/  for (size_t i = 0; i < n - 1; ++i) h[i] = 2/' two.inc >> b.cu
// RUN: sed 's/main/step/; s/^  for (size_t i = 0; i < n; ++i) h.i. = 2/  for (size_t i = 0; i < n; i += 2) h[i] = 2/' two.inc >> b.cu
// RUN: sed 's/main/test/; s/ h.i. = 2/ if (i) h[i] = 2/' two.inc >> b.cu
// RUN: sed 's/main/leave/; s/ h.i. = 2 . i;/ { if (i == 9) break; h[i] = 2 * i; }/' two.inc >> b.cu
// RUN: sed 's/main/look/; s/ h.i. = 2/ h[i] = h[i] + 2/' two.inc >> b.cu
// RUN: sed 's/main/plus/; s/ h.i. = 2/ h[i] += 2/' two.inc >> b.cu
// RUN: sed 's/main/half/; s/malloc(bytes);$/malloc(2 * bytes);/' two.inc >> b.cu
// RUN: sed 's/main/size/; s/const size_t n = /size_t n = /; s/^  USE$/  n -= 1;/' two.inc >> b.cu
// Nor where the address goes elsewhere, memory is freed before, or control may come from elsewhere.
// RUN: sed 's/main/copied/; s/^  USE$/  float *p = h; p[0] = 3;/' two.inc >> b.cu
// RUN: sed 's/main/refer/; s/^  USE$/  float \&first = h[0];/; s/^  LATER$/  first = 5;/' two.inc >> b.cu
// RUN: sed 's/main/passed/; s/^  USE$/  qsort(h, 2, 4, compare);/' two.inc >> b.cu
// RUN: sed 's/main/result/; s/^  cudaMemcpy(a, h/  float *p = (float *)memset(h, 0, bytes);\n&/; s/^  LATER$/  if (p[3] > 1) puts("p");/' two.inc >> b.cu
// RUN: sed 's/main/maybe/; s/^  free(h);$/  if (argc < 9) free(h);/' two.inc >> b.cu
// RUN: sed 's/main/early/; s/^  LATER$/  if (argc == 7) { free(h); return 1; }/' two.inc >> b.cu
// RUN: sed 's/main/jump/; s/^  LATER$/  if (argc == 7) goto end; end:/' two.inc >> b.cu
// RUN: sed 's/main/unseen/; s/^  USE$/#ifdef NEVER\n  h[1] = 4;\n#endif/' two.inc >> b.cu
// RUN: %echo_cc -w -O1 --device=cpu --min-bytes=1 --suggest b.patch -c b.cu && FileCheck --check-prefix=TWINS --implicit-check-not='h_a = ' --input-file=b.patch %s
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define USE
#define LATER
int compare(const void *, const void *) { return 0; }
__global__ void add(const float *a, const float *b, const float *c, float *s) {
  int i = blockIdx.x * 256 + threadIdx.x;
  s[i] = a[i] + b[i] + c[i];
}
int main(int argc, char **argv) {
  const size_t n = 65536, bytes = n * sizeof(float);
  float *h = (float *)malloc(bytes);
  float *out = (float *)malloc(bytes), *a, *b, *c, *s;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMalloc(&s, bytes);
  for (size_t i = 0; i < n; ++i)
    h[i] = i;
  cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
  printf("%g\n", h[7]);
  USE
  for (size_t i = 0; i < n; ++i) h[i] = 2 * i;
  cudaMemcpy(b, h, bytes, cudaMemcpyHostToDevice);
  memset(h, 0, bytes);
  LATER
  cudaMemcpy(c, h, bytes, cudaMemcpyHostToDevice);
  add<<<n / 256, 256>>>(a, b, c, s);
  cudaMemcpy(out, s, bytes, cudaMemcpyDeviceToHost);
  printf("%g %g\n", out[5], out[n - 1]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(s);
  free(h);
  free(out);
}
// CHECK: a {{.*}}declined   S1 host-write-live-device
// CHECK: suggested: fill 'h_a' for 'a', and 'h' from line
// CHECK: b {{.*}}declined   S1 host-write-live-device
// CHECK: suggested: fill 'h_b' for 'b', and 'h' from line
// PATCH: {{^}}+  float *h_a = (float *)malloc(bytes);
// PATCH-NEXT: {{^}}+  float *h_b = (float *)malloc(bytes);
// PATCH: {{^}}+    h_a[i] = i;
// PATCH: {{^}}+  cudaMemcpy(a, h_a, bytes, cudaMemcpyHostToDevice);
// What is read before the next fill is read from the new buffer.
// PATCH: {{^}}+  printf("%g\n", h_a[7]);
// PATCH: {{^}}+  for (size_t i = 0; i < n; ++i) h_b[i] = 2 * i;
// PATCH: {{^}}+  cudaMemcpy(b, h_b, bytes, cudaMemcpyHostToDevice);
// PATCH: {{^}}   memset(h, 0, bytes);
// PATCH: {{^}}   free(h);
// PATCH-NEXT: {{^}}+  free(h_a);
// PATCH-NEXT: {{^}}+  free(h_b);
// MERGED: 4 pairs: 4 unified
// CHECKED: 4 safe in this run, 0 refuted
// TWINS: {{^}} int two(
// TWINS: {{^}}+  float *h_a = (float *)malloc(bytes);
// TWINS: {{^}}+    h_a[i] = i;
// TWINS: {{^}}+  cudaMemcpy(a, h_a, bytes, cudaMemcpyHostToDevice);
// TWINS: {{^}}+  free(h_a);
// TWINS-NOT: {{^[+]}}
