// A loop whose pair is declined: it uploads by a helper, and downloads.
#include <cstdlib>
constexpr size_t Size = 1 << 20;
__global__ void step(float *x) { x[threadIdx.x] += 1; }
static void upload(float *to, const float *from) {
  cudaMemcpy(to, from, Size, cudaMemcpyHostToDevice);
}
int main() {
  float *h = (float *)calloc(1, Size), *d, last[4];
  cudaMalloc(&d, Size);
  for (int i = 0; i < 20; ++i) {
    upload(d, h);
    step<<<1, 256>>>(d);
    h[1] = i;
#ifdef ON_ONE_LINE
    cudaMemcpy(h, d, Size, cudaMemcpyDeviceToHost); cudaMemcpy(last, d, sizeof last, cudaMemcpyDeviceToHost);
#else
    cudaMemcpy(h, d, Size, cudaMemcpyDeviceToHost);
    cudaMemcpy(last, d, sizeof last, cudaMemcpyDeviceToHost);
#endif
  }
  cudaFree(d);
  free(h);
  return last[0] != 20;
}
