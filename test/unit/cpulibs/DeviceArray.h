//===- DeviceArray.h - Device memory in tests ----------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array on the device that tests fill and read through copies, and small
// random numbers, which arithmetic keeps exact.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_CPULIBS_DEVICEARRAY_H
#define ECHO_TEST_UNIT_CPULIBS_DEVICEARRAY_H

#include "Dense.h"

#include <catch2/catch.hpp>
#include <cuda_runtime_api.h>
#include <vector>

inline Cx toCx(float X) { return X; }
inline Cx toCx(double X) { return X; }
inline Cx toCx(float2 X) { return {X.x, X.y}; }
inline Cx toCx(double2 X) { return {X.x, X.y}; }
template <typename T> T fromCx(Cx X) {
  if constexpr (std::is_arithmetic_v<T>)
    return T(X.real());
  else
    return T{decltype(T::x)(X.real()), decltype(T::y)(X.imag())};
}
template <typename T>
inline constexpr bool IsComplex = !std::is_arithmetic_v<T>;

/// A whole number of -3 to 3, with an imaginary part if T has one.
template <typename T> Cx small() {
  static unsigned State = 1;
  auto Next = [] {
    State = State * 1664525 + 1013904223;
    return int(State >> 16) % 4 * (State & (1u << 30) ? 1 : -1);
  };
  double Re = Next();
  return {Re, IsComplex<T> ? double(Next()) : 0};
}

template <typename T> class DeviceArray {
public:
  explicit DeviceArray(size_t Count) : Count(Count) {
    REQUIRE(cudaMalloc(reinterpret_cast<void **>(&P), Count * sizeof(T)) ==
            cudaSuccess);
    std::vector<T> Random(Count);
    for (T &X : Random)
      X = fromCx<T>(small<T>());
    write(Random);
  }
  ~DeviceArray() { cudaFree(P); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  T *get() const { return P; }
  operator T *() const { return P; }
  void write(const std::vector<T> &V) {
    REQUIRE(V.size() == Count);
    REQUIRE(cudaMemcpy(P, V.data(), Count * sizeof(T),
                       cudaMemcpyHostToDevice) == cudaSuccess);
  }
  /// What is there, behind all work of the default stream.
  std::vector<T> read() const {
    std::vector<T> V(Count);
    REQUIRE(cudaMemcpy(V.data(), P, Count * sizeof(T),
                       cudaMemcpyDeviceToHost) == cudaSuccess);
    return V;
  }
  std::vector<Cx> values() const {
    std::vector<Cx> Result;
    for (T X : read())
      Result.push_back(toCx(X));
    return Result;
  }

private:
  size_t Count;
  T *P = nullptr;
};

#endif
