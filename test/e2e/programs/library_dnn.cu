// A bottleneck with a dilated convolution, then bilinear upsampling by a kernel, as
// segmentation networks end: image, filter and result merge.
// EXPECT: image dimage unified
// EXPECT: filter dfilter unified
// EXPECT: result dresult unified
// NEEDS: cudnn
// FLAGS: -lcudnn
#include "library.h"
#include <cmath>
#include <cudnn.h>

__global__ void upsample(const float *in, float *out, int c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int w = i % (2 * n), h = i / (2 * n) % (2 * n), k = i / (4 * n * n);
  if (k >= c)
    return;
  float y = fmaxf(0, h * 0.5f - 0.25f), x = fmaxf(0, w * 0.5f - 0.25f);
  int y0 = (int)y, x0 = (int)x;
  int y1 = min(y0 + 1, n - 1), x1 = min(x0 + 1, n - 1);
  const float *p = in + k * n * n;
  float top = p[y0 * n + x0] + (x - x0) * (p[y0 * n + x1] - p[y0 * n + x0]);
  float low = p[y1 * n + x0] + (x - x0) * (p[y1 * n + x1] - p[y1 * n + x0]);
  out[i] = top + (y - y0) * (low - top);
}

int main() {
  const int c = 80, n = 32;
  const size_t pixels = c * n * n, weights = c * c * 9;
  float *image = (float *)malloc(pixels * sizeof(float));
  float *filter = (float *)malloc(weights * sizeof(float));
  float *result = (float *)malloc(4 * pixels * sizeof(float));
  float *dimage, *dfilter, *dmiddle, *dresult, *dbias;
  CHECK(cudaMalloc(&dimage, pixels * sizeof(float)));
  CHECK(cudaMalloc(&dfilter, weights * sizeof(float)));
  CHECK(cudaMalloc(&dmiddle, pixels * sizeof(float)));
  CHECK(cudaMalloc(&dresult, 4 * pixels * sizeof(float)));
  CHECK(cudaMalloc(&dbias, c * sizeof(float)));
  for (size_t i = 0; i < pixels; ++i)
    image[i] = (int)(i * 7 % 13) - 6;
  for (size_t i = 0; i < weights; ++i)
    filter[i] = ((int)(i * 5 % 11) - 5) / 64.0f;

  cudnnHandle_t handle;
  cudnnTensorDescriptor_t tensor, bias;
  cudnnFilterDescriptor_t filterDesc;
  cudnnConvolutionDescriptor_t convolution;
  cudnnActivationDescriptor_t relu;
  CHECK(cudnnCreate(&handle));
  CHECK(cudnnCreateTensorDescriptor(&tensor));
  CHECK(cudnnCreateTensorDescriptor(&bias));
  CHECK(cudnnCreateFilterDescriptor(&filterDesc));
  CHECK(cudnnCreateConvolutionDescriptor(&convolution));
  CHECK(cudnnCreateActivationDescriptor(&relu));
  CHECK(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                                   1, c, n, n));
  CHECK(cudnnSetTensor4dDescriptor(bias, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1,
                                   c, 1, 1));
  CHECK(cudnnSetFilter4dDescriptor(filterDesc, CUDNN_DATA_FLOAT,
                                   CUDNN_TENSOR_NCHW, c, c, 3, 3));
  CHECK(cudnnSetConvolution2dDescriptor(convolution, 2, 2, 1, 1, 2, 2,
                                        CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
  CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU,
                                     CUDNN_NOT_PROPAGATE_NAN, 0));
  cudnnConvolutionFwdAlgoPerf_t choice;
  int count;
  CHECK(cudnnGetConvolutionForwardAlgorithm_v7(
      handle, tensor, filterDesc, convolution, tensor, 1, &count, &choice));
  void *work;
  CHECK(cudaMalloc(&work, choice.memory + 1));

  float one = 1, zero = 0, half = 0.5f;
  CHECK(cudaMemcpy(dimage, image, pixels * sizeof(float),
                   cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dfilter, filter, weights * sizeof(float),
                   cudaMemcpyHostToDevice));
  CHECK(cudnnSetTensor(handle, bias, dbias, &half));
  CHECK(cudnnConvolutionForward(handle, &one, tensor, dimage, filterDesc,
                                dfilter, convolution, choice.algo, work,
                                choice.memory, &zero, tensor, dmiddle));
  CHECK(cudnnAddTensor(handle, &one, bias, dbias, &one, tensor, dmiddle));
  CHECK(cudnnAddTensor(handle, &half, tensor, dimage, &one, tensor, dmiddle));
  CHECK(cudnnActivationForward(handle, relu, &one, tensor, dmiddle, &zero,
                               tensor, dmiddle));
  upsample<<<4 * pixels / 256, 256>>>(dmiddle, dresult, c, n);
  CHECK(cudaMemcpy(result, dresult, 4 * pixels * sizeof(float),
                   cudaMemcpyDeviceToHost));
  double sum = 0;
  for (size_t i = 0; i < 4 * pixels; ++i)
    sum += result[i] * (i % 5);
  std::printf("%.3f %.3f %.0f\n", result[77], result[4 * pixels - 5], sum);

  CHECK(cudnnDestroyTensorDescriptor(tensor));
  CHECK(cudnnDestroyTensorDescriptor(bias));
  CHECK(cudnnDestroyFilterDescriptor(filterDesc));
  CHECK(cudnnDestroyConvolutionDescriptor(convolution));
  CHECK(cudnnDestroyActivationDescriptor(relu));
  CHECK(cudnnDestroy(handle));
  cudaFree(dimage);
  cudaFree(dfilter);
  cudaFree(dmiddle);
  cudaFree(dresult);
  cudaFree(dbias);
  cudaFree(work);
  free(image);
  free(filter);
  free(result);
  return 0;
}
