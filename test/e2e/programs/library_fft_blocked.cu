// The host fills the signal again while the transform may still be reading it: cuFFT
// is work of the plan's stream and waits for nothing.
// EXPECT: signal d declined S2|host-write-in-flight
// EXPECT: spectrum e unified
// NEEDS: cufft
// FLAGS: -lcufft
#include <cstdio>
#include <cstdlib>
#include <cufft.h>

int main() {
  const int n = 1 << 15;
  const size_t bytes = n * sizeof(cufftComplex);
  cufftComplex *signal = (cufftComplex *)malloc(bytes), *d, *e;
  cufftComplex *spectrum = (cufftComplex *)malloc(bytes);
  cudaMalloc(&d, bytes);
  cudaMalloc(&e, bytes);
  for (int i = 0; i < n; ++i) {
    signal[i].x = i % 5;
    signal[i].y = 0;
  }
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cufftHandle plan;
  if (cufftPlan1d(&plan, n, CUFFT_C2C, 1) != CUFFT_SUCCESS)
    return 1;
  cufftSetStream(plan, stream);
  cudaMemcpy(d, signal, bytes, cudaMemcpyHostToDevice);
  cufftExecC2C(plan, d, e, CUFFT_FORWARD);
  for (int i = 0; i < n; ++i)
    signal[i].x = signal[i].y = 100;
  cudaStreamSynchronize(stream);
  cudaMemcpy(spectrum, e, bytes, cudaMemcpyDeviceToHost);
  std::printf("%.0f %.0f\n", spectrum[0].x, signal[7].x);
  cufftDestroy(plan);
  cudaStreamDestroy(stream);
  cudaFree(d);
  cudaFree(e);
  free(signal);
  free(spectrum);
  return 0;
}
