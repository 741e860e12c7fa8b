// What stepped.cu does between its kernel and the download. LOOKS: it reads the
// host buffer while the GPU works on the device buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" int step(const int *h) {
#ifdef LOOKS
  return h[7];
#else
  return h != nullptr;
#endif
}
