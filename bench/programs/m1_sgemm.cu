//===- m1_sgemm.cu - M1: a matrix product by cuBLAS -------------*- CUDA
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B. The host changes A and looks at C in every iteration; B stays on
// the device. Two pairs can share storage: A, which is uploaded, and C, which
// is downloaded.
//
//===----------------------------------------------------------------------===//
#include "generated.h"
#include <cublas_v2.h>

int main(int Argc, char **Argv) {
  const bench::Options O = bench::parseOptions(Argc, Argv, "[size]");
  const int N = O.size(0, 2048);
  const size_t Count = static_cast<size_t>(N) * N;
  const size_t Bytes = Count * sizeof(float);

  PAIR(a, devA, Bytes);
  PAIR(c, devC, Bytes);
  float *devB = bench::generated(Count, 1, 1.0f);
  cublasHandle_t Handle;
  CHECK(cublasCreate(&Handle));
  bench::fill(a, Count);

  bench::Recorder Record(O);
  const float One = 1, Zero = 0;
  const auto Multiply = [&] {
    UPLOAD(devA, a, Bytes);
    CHECK(cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &One, devA, N,
                      devB, N, &Zero, devC, N));
    DOWNLOAD(c, devC, Bytes);
  };
  const double Checksum = bench::loop(
      Record, a, Count, Multiply, [&] { return bench::touchOutput(c, Count); });

  CHECK(cublasDestroy(Handle));
  FREE_PAIR(a, devA);
  FREE_PAIR(c, devC);
  CHECK(cudaFree(devB));
  return Record.finish("M1", Checksum, 2 * Bytes);
}
