//===- m2_ofdm.cu - M2: OFDM symbols by cuFFT -------------------*- CUDA
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse transform makes the time signal of each symbol, the forward
// transform brings the carriers back. The host changes what is sent and looks
// at what is received in every iteration. Both pairs can share storage.
//
//===----------------------------------------------------------------------===//
#include "bench.h"
#include <cufft.h>

int main(int Argc, char **Argv) {
  const bench::Options O =
      bench::parseOptions(Argc, Argv, "[carriers] [symbols]");
  const int Carriers = O.size(0, 2048), Symbols = O.size(1, 1024);
  const size_t Count = static_cast<size_t>(Carriers) * Symbols * 2;
  const size_t Bytes = Count * sizeof(float);

  PAIR(sent, devSent, Bytes);
  PAIR(received, devReceived, Bytes);
  cufftHandle Plan;
  CHECK(cufftPlan1d(&Plan, Carriers, CUFFT_C2C, Symbols));
  bench::fill(sent, Count);

  bench::Recorder Record(O);
  const auto Transmit = [&] {
    UPLOAD(devSent, sent, Bytes);
    CHECK(cufftExecC2C(Plan, reinterpret_cast<cufftComplex *>(devSent),
                       reinterpret_cast<cufftComplex *>(devReceived),
                       CUFFT_INVERSE));
    CHECK(cufftExecC2C(Plan, reinterpret_cast<cufftComplex *>(devReceived),
                       reinterpret_cast<cufftComplex *>(devReceived),
                       CUFFT_FORWARD));
    DOWNLOAD(received, devReceived, Bytes);
  };
  const double Checksum = bench::loop(Record, sent, Count, Transmit, [&] {
    return bench::touchOutput(received, Count);
  });

  CHECK(cufftDestroy(Plan));
  FREE_PAIR(sent, devSent);
  FREE_PAIR(received, devReceived);
  return Record.finish("M2", Checksum, 2 * Bytes);
}
