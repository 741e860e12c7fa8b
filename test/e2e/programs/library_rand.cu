// Numbers of cuRAND's, looked at by a kernel and by the host.
// EXPECT: points dpoints unified
// NEEDS: curand
// FLAGS: -lcurand
#include <cstdio>
#include <cstdlib>
#include <curand.h>

__global__ void mirror(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 2 * x[i] - 1;
}

int main() {
  const int n = 1 << 17;
  float *points = (float *)malloc(n * sizeof(float)), *dpoints;
  cudaMalloc(&dpoints, n * sizeof(float));
  curandGenerator_t generator;
  if (curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) != 0)
    return 1;
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  for (int round = 0; round < 2; ++round) {
    curandGenerateUniform(generator, dpoints, n);
    mirror<<<n / 256, 256>>>(dpoints, n);
    cudaMemcpy(points, dpoints, n * sizeof(float), cudaMemcpyDeviceToHost);
    int inside = 0;
    for (int i = 0; i < n; i += 2)
      inside += points[i] * points[i] + points[i + 1] * points[i + 1] <= 1;
    std::printf("%.1f\n", 8.0 * inside / n);
  }
  curandDestroyGenerator(generator);
  cudaFree(dpoints);
  free(points);
  return 0;
}
