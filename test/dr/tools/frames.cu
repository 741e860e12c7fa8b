// A frame loop: upload, kernel, download; prints a checksum of all frames.
//   frames [FRAMES] [keep|fresh] [status]
// fresh: the output buffer is allocated anew for each frame. Ends with status.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__global__ void brighten(const float *in, float *out, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 2 + by;
}

static void check(cudaError_t e) {
  if (e != cudaSuccess) {
    fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(e));
    exit(9);
  }
}

int main(int argc, char **argv) {
  int frames = argc > 1 ? atoi(argv[1]) : 20;
  bool fresh = argc > 2 && !strcmp(argv[2], "fresh");
  const int n = 1 << 18;
  size_t bytes = n * sizeof(float);
  float *in = (float *)malloc(bytes), *out = fresh ? nullptr : (float *)malloc(bytes);
  float *din, *dout;
  check(cudaMalloc(&din, bytes));
  check(cudaMalloc(&dout, bytes));
  double sum = 0;
  for (int f = 0; f < frames; ++f) {
    for (int i = 0; i < n; ++i)
      in[i] = float(i % 1000 + f);
    check(cudaMemcpy(din, in, bytes, cudaMemcpyHostToDevice));
    brighten<<<(n + 255) / 256, 256>>>(din, dout, n, float(f));
    check(cudaGetLastError());
    if (fresh)
      out = (float *)malloc(bytes);
    check(cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i += 97)
      sum += out[i];
    if (fresh)
      free(out);
  }
  printf("%.1f\n", sum);
  check(cudaFree(din));
  check(cudaFree(dout));
  free(in);
  if (!fresh)
    free(out);
  return argc > 3 ? atoi(argv[3]) : 0;
}
