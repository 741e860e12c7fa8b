// cuBLASLt between kernels: a product with bias and GELU, and the gradient of
// the bias. The descriptor keeps the bias, whose pair merges as the others do.
// EXPECT: in din unified
// EXPECT: bias dbias unified
// EXPECT: out dout unified
// NEEDS: cublas
// FLAGS: -lcublasLt --min-bytes=0
#include "library_blas.h"
#include <cstdint>
#include <cublasLt.h>

int main() {
  const int n = 64;
  const size_t bytes = n * n * sizeof(float);
  float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes);
  float *bias = (float *)malloc(n * sizeof(float));
  float *din, *dout, *dbias;
  CHECK(cudaMalloc(&din, bytes));
  CHECK(cudaMalloc(&dout, bytes));
  CHECK(cudaMalloc(&dbias, n * sizeof(float)));
  for (int i = 0; i < n * n; ++i)
    in[i] = (i % 7 - 3) / 8.0f;
  for (int i = 0; i < n; ++i)
    bias[i] = i % 5 - 2;
  CHECK(cudaMemcpy(din, in, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dbias, bias, n * sizeof(float), cudaMemcpyHostToDevice));
  cublasLtHandle_t handle;
  cublasLtMatmulDesc_t operation;
  cublasLtMatrixLayout_t layout;
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t found;
  int results = 0;
  int32_t transposed = CUBLAS_OP_T;
  uint32_t epilogue = CUBLASLT_EPILOGUE_GELU_BIAS;
  const float one = 1, zero = 0;
  CHECK(cublasLtCreate(&handle));
  CHECK(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA,
                                       &transposed, sizeof(transposed)));
  CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE,
                                       &epilogue, sizeof(epilogue)));
  CHECK(cublasLtMatmulDescSetAttribute(
      operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &dbias, sizeof(dbias)));
  CHECK(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, n, n, n));
  CHECK(cublasLtMatmulPreferenceCreate(&preference));
  CHECK(cublasLtMatmulAlgoGetHeuristic(handle, operation, layout, layout,
                                       layout, layout, preference, 1, &found,
                                       &results));
  for (int round = 0; round < 3; ++round) {
    CHECK(cublasLtMatmul(handle, operation, &one, din, layout, din, layout,
                         &zero, dout, layout, dout, layout, &found.algo,
                         nullptr, 0, 0));
    addDiagonal<<<1, n>>>(dout, n, round);
    CHECK(cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < n * n; ++i)
      sum += out[i] * (i % 11);
    std::printf("%d: %.2f %.1f\n", round, out[3 * n + 3], sum);
    for (int i = 0; i < n; ++i)
      bias[i] = i % 5 - round;
    CHECK(cudaMemcpy(dbias, bias, n * sizeof(float), cudaMemcpyHostToDevice));
  }
  CHECK(cublasLtMatmulPreferenceDestroy(preference));
  CHECK(cublasLtMatrixLayoutDestroy(layout));
  CHECK(cublasLtMatmulDescDestroy(operation));
  CHECK(cublasLtDestroy(handle));
  cudaFree(din);
  cudaFree(dout);
  cudaFree(dbias);
  free(in);
  free(out);
  free(bias);
  return results != 1;
}
