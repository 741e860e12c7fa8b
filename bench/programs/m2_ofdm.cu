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

  float *sent = static_cast<float *>(HOST_ALLOC(Bytes));
  float *received = static_cast<float *>(HOST_ALLOC(Bytes));
  if (sent == nullptr || received == nullptr)
    return 2;
  float *devSent, *devReceived;
  DEVICE_ALLOC(devSent, sent, Bytes);
  DEVICE_ALLOC(devReceived, received, Bytes);
  cufftHandle Plan;
  CHECK(cufftPlan1d(&Plan, Carriers, CUFFT_C2C, Symbols));
  bench::fill(sent, Count);

  bench::Recorder Record(O);
  double Checksum = 0;
  for (int Round = 0; Round < Record.rounds(); ++Round) {
    Record.begin(Round);
    bench::touchInput(sent, Count, Round);
    Record.enterRegion();
    UPLOAD(devSent, sent, Bytes);
    CHECK(cufftExecC2C(Plan, reinterpret_cast<cufftComplex *>(devSent),
                       reinterpret_cast<cufftComplex *>(devReceived),
                       CUFFT_INVERSE));
    CHECK(cufftExecC2C(Plan, reinterpret_cast<cufftComplex *>(devReceived),
                       reinterpret_cast<cufftComplex *>(devReceived),
                       CUFFT_FORWARD));
    DOWNLOAD(received, devReceived, Bytes);
    Record.leaveRegion();
    Checksum += bench::touchOutput(received, Count);
    Record.end();
  }

  CHECK(cufftDestroy(Plan));
  DEVICE_FREE(devSent);
  DEVICE_FREE(devReceived);
  HOST_FREE(sent);
  HOST_FREE(received);
  return Record.finish("M2", Checksum, 2 * Bytes);
}
