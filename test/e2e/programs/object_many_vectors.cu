// An object whose constructor resizes many vectors: as clang writes it, all of
// that is more code than Echo looks at; without variables it is not. x and
// result merge, and y, which the host reads after a kernel wrote dy, does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: at-least 2
// EXPECT: at-most 2
#include "e2e.h"

#define EIGHT(A) A(0) A(1) A(2) A(3) A(4) A(5) A(6) A(7)
#define MEMBER(I) std::vector<float> a##I, b##I, c##I, d##I, e##I, f##I;
#define RESIZE(I)                                                              \
  a##I.resize(n), b##I.resize(n), c##I.resize(n), d##I.resize(n),              \
      e##I.resize(n), f##I.resize(n);

struct Domain {
  int count;
  std::vector<float> x, y;
  EIGHT(MEMBER)
  explicit Domain(int n) : count(n) {
    x.resize(n);
    y.resize(n);
    EIGHT(RESIZE)
  }
};

int main() {
  Domain *domain = new Domain(N);
  fill(domain->x.data(), domain->count, 1);
  fill(domain->y.data(), domain->count, 2);
  float *dx, *dy, *result = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemcpy(dx, &domain->x[0], Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dy, &domain->y[0], Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2);
  addInPlace<<<Blocks, Threads>>>(dy, N, 1.0f);
  CHECK(cudaMemcpy(result, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(result, N), sum(&domain->y[0], N));
  delete domain;
  free(result);
  cudaFree(dx);
  cudaFree(dy);
}
