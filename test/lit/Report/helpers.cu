// Pairs that helpers allocate: each place that calls them, in any function, is a
// pair, named by it. One that lies in one function as a whole is named there.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O2 --min-bytes=1 --report - -c a.cu | FileCheck %s
// RUN: %echo_cc -w -O0 --min-bytes=1 --report - -c a.cu | FileCheck %s
// RUN: %echo_cc -w -O2 --min-bytes=1 --report-json - -c a.cu | FileCheck --check-prefix=JSON %s
#include <cstdlib>
template <class T> static void grow(T **h, T **d, int n) {
  *h = (T *)malloc(n * sizeof(T));
  cudaMalloc(d, n * sizeof(T));
}
static void init(double **h, double **d) {
  grow(h, d, 64);
}
static void up(double *d, double *h) {
  cudaMemcpy(d, h, 64 * sizeof(double), cudaMemcpyHostToDevice);
}
__global__ void use(const double *d, int *y) { *y = d[threadIdx.x] > 0; }
static void whole(int *y) {
  double *in, *dev;
  init(&in, &dev);
  in[0] = 1;
  up(dev, in);
  use<<<1, 64>>>(dev, y);
  cudaFree(dev);
  free(in);
}
void f(int *y) {
  double *a, *da, *b, *db;
  init(&a, &da);
  grow(&b, &db, 64);
  a[0] = 1;
  b[0] = 2;
  up(da, a);
  up(db, b);
  use<<<1, 64>>>(da, y);
  use<<<1, 64>>>(db, y);
  whole(y);
  whole(y);
  cudaFree(da);
  cudaFree(db);
  free(a);
  free(b);
}
void g(int *y) {
  double *c, *dc;
  init(&c, &dc);
  c[0] = 3;
  up(dc, c);
  use<<<1, 64>>>(dc, y);
  cudaFree(dc);
  free(c);
}
// CHECK: # unit a.cu
// CHECK-DAG: a.cu:31:3 a  + a.cu:31:3 da {{.*}}unified    1 copy removed (35:3 H2D){{.*}}, by grow<double> 10:13, called by init 14:3
// CHECK-DAG: a.cu:32:3 b  + a.cu:32:3 db {{.*}}unified    1 copy removed (36:3 H2D){{.*}}, by grow<double> 10:13{{$}}
// CHECK-DAG: a.cu:22:3 in + a.cu:22:3 dev {{.*}}unified    1 copy removed (24:3 H2D){{.*}}, by grow<double> 10:13, called by init 14:3
// CHECK-DAG: a.cu:48:3 c  + a.cu:48:3 dc {{.*}}, by grow<double> 10:13, called by init 14:3
// CHECK: 4 pairs: 4 unified
// JSON: "callers"
// JSON: "line": 10,
