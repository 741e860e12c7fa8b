// Host loops in a program whose buffers merge: what merging, or being ready to merge, costs
// code that only the CPU runs. Prints the smallest CPU time of each loop, in nanoseconds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

static double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

// Memory for a host buffer of a pair.
#ifdef PLACED
#define BUFFER(bytes) aligned_alloc(4096, bytes)
#else
#define BUFFER(bytes) malloc(bytes)
#endif

template <typename Work> static void time(const char *name, int rounds, Work work) {
  double best = 1e30;
  for (int r = 0; r < rounds; ++r) {
    double start = now();
    work();
    double took = now() - start;
    best = took < best ? took : best;
  }
  printf("%s %.0f\n", name, best);
}

__global__ void scale(float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] *= 1.0001f;
}

struct Part {
  int n, m;
  float *x, *y;
  double w;
};

// No pair has anything to do with these two.
__attribute__((noinline)) static void update(Part *p) {
  for (int i = 0; i < p->n; ++i)
    p->x[i] = p->x[i] * (float)p->w + p->y[i];
}
__attribute__((noinline)) static void rows(Part *p, float *sums) {
  for (int i = 0; i < p->n; ++i)
    for (int j = 0; j < p->m; ++j)
      sums[i] += p->x[i * p->m + j];
}

static inline void blend(float *__restrict__ to, const float *__restrict__ a, const float *__restrict__ b, int n) {
  for (int i = 0; i < n; ++i)
    to[i] = a[i] * 0.5f + b[i] * 0.25f + to[i];
}

static void unrelated(int n) {
  size_t bytes = n * sizeof(float);
  Part p{n, 1, (float *)malloc(bytes), (float *)malloc(bytes), 0.5};
  for (int i = 0; i < n; ++i)
    p.x[i] = p.y[i] = i & 7;
  Part q = p;
  q.n = n / 64, q.m = 64;
  float *sums = (float *)calloc(n, sizeof(float));
  time("unrelated-update", 200, [&] { update(&p); });
  time("unrelated-rows", 200, [&] { rows(&q, sums); });
  fprintf(stderr, "%g\n", p.x[3] + sums[4]);
  free(p.x), free(p.y), free(sums);
}

// Two host buffers that share one device buffer.
static void turns(int n) {
  size_t bytes = n * sizeof(float);
  float *in = (float *)BUFFER(bytes), *out = (float *)BUFFER(bytes), *d;
  cudaMalloc(&d, bytes);
  for (int i = 0; i < n; ++i)
    in[i] = i & 7;
  cudaMemcpy(d, in, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d, n);
  cudaMemcpy(out, d, bytes, cudaMemcpyDeviceToHost);
  float sum = 0;
  time("sum", 200, [&] {
    for (int i = 0; i < n; ++i)
      sum += out[i];
  });
  fprintf(stderr, "%g\n", sum);
  cudaFree(d), free(in), free(out);
}

// Loops over the host buffers of three pairs.
static void merged(int n) {
  size_t bytes = n * sizeof(float);
  float *a = (float *)BUFFER(bytes), *b = (float *)BUFFER(bytes), *c = (float *)BUFFER(bytes), *da, *db, *dc;
  cudaMalloc(&da, bytes), cudaMalloc(&db, bytes), cudaMalloc(&dc, bytes);
  float *other = (float *)malloc(bytes);
  for (int i = 0; i < n; ++i)
    a[i] = b[i] = c[i] = i & 7;
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(da, n);
  scale<<<(n + 255) / 256, 256>>>(db, n);
  scale<<<(n + 255) / 256, 256>>>(dc, n);
  cudaMemcpy(a, da, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(b, db, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
  time("memcpy-out", 200, [&] { memcpy(other, a, bytes); });
  time("restrict", 200, [&] { blend(c, a, b, n); });
  time("saxpy", 200, [&] {
    for (int i = 0; i < n; ++i)
      b[i] += 0.5f * a[i];
  });
  time("stencil", 200, [&] {
    for (int i = 1; i < n - 1; ++i)
      c[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
  });
  int side = 96;
  time("product-ijk", 30, [&] {
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        for (int k = 0; k < side; ++k)
          c[i * side + j] += a[i * side + k] * b[k * side + j];
  });
  time("product-ikj", 30, [&] {
    for (int i = 0; i < side; ++i)
      for (int k = 0; k < side; ++k)
        for (int j = 0; j < side; ++j)
          c[i * side + j] += a[i * side + k] * b[k * side + j];
  });
  time("row-sums", 100, [&] {
    for (int i = 0; i < n / 64; ++i)
      for (int j = 0; j < 64; ++j)
        c[i] += a[i * 64 + j];
  });
  fprintf(stderr, "%g %g %g %g\n", a[3], b[4], c[5], other[6]);
  cudaFree(da), cudaFree(db), cudaFree(dc);
  free(a), free(b), free(c), free(other);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 32768;
  unrelated(n);
  turns(n);
  merged(n);
}
