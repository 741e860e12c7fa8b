//===- Surfaces.cpp - Surface loads and stores ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What suld.b and sust.b of PTX do. The first coordinate counts bytes, the last
// is a layer, a face or a plane. No format is applied. It must never access
// what lies outside of the image.
//
//===----------------------------------------------------------------------===//
#include "DeviceLibrary.h"
#include "runtime/abi/CpuTexture.h"

extern "C" void echo_cpu_trap(void);

namespace {

/// True if [At, At + Count) lies in [0, Size).
bool inside(int At, unsigned Count, uint64_t Size) {
  return At >= 0 && uint64_t(At) + Count <= Size;
}

uint64_t nearest(int At, unsigned Count, uint64_t Size) {
  if (At < 0 || Count > Size)
    return 0;
  return uint64_t(At) + Count <= Size ? uint64_t(At) : Size - Count;
}

/// The address of \p Bytes bytes, or null where nothing is to be accessed.
char *place(const EchoCpuImage &I, int X, int Y, int Z, unsigned Bytes,
            unsigned Boundary) {
  const uint64_t Row = uint64_t(I.width) * I.texelBytes;
  if (inside(X, Bytes, Row) && inside(Y, 1, I.height) && inside(Z, 1, I.depth))
    return I.data + uint64_t(Z) * I.slice + uint64_t(Y) * I.pitch + uint64_t(X);
  if (Boundary == ECHO_CPU_TRAP)
    echo_cpu_trap();
  if (Boundary != ECHO_CPU_NEAREST || Bytes > Row)
    return nullptr;
  return I.data + nearest(Z, 1, I.depth) * I.slice +
         nearest(Y, 1, I.height) * I.pitch + nearest(X, Bytes, Row);
}

template <typename T> uint64_t load(const char *P) {
  T V;
  __builtin_memcpy(&V, P, sizeof(T));
  return V;
}
template <typename T> void store(char *P, uint64_t Value) {
  const T V = T(Value);
  __builtin_memcpy(P, &V, sizeof(T));
}

} // namespace

/// Part \p Part of an element of \p Parts parts of \p Bytes bytes each.
ECHO_DEVICE uint64_t echo_surface_load(const EchoCpuSurface *S, int X, int Y,
                                       int Z, unsigned Boundary, unsigned Bytes,
                                       unsigned Parts, unsigned Part) {
  const char *P = place(S->image, X, Y, Z, Bytes * Parts, Boundary);
  if (!P)
    return 0;
  P += uint64_t(Part) * Bytes;
  return Bytes == 1   ? load<uint8_t>(P)
         : Bytes == 2 ? load<uint16_t>(P)
         : Bytes == 4 ? load<uint32_t>(P)
                      : load<uint64_t>(P);
}

ECHO_DEVICE void echo_surface_store(const EchoCpuSurface *S, int X, int Y,
                                    int Z, unsigned Boundary, unsigned Bytes,
                                    unsigned Parts, unsigned Part,
                                    uint64_t Value) {
  char *P = place(S->image, X, Y, Z, Bytes * Parts, Boundary);
  if (!P)
    return;
  P += uint64_t(Part) * Bytes;
  if (Bytes == 1)
    store<uint8_t>(P, Value);
  else if (Bytes == 2)
    store<uint16_t>(P, Value);
  else if (Bytes == 4)
    store<uint32_t>(P, Value);
  else
    store<uint64_t>(P, Value);
}
