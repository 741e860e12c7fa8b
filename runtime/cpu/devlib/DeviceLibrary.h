//===- DeviceLibrary.h - What the device library's files share --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device library is CUDA's device functions (`__nv_*`), NVVM's value
// intrinsics (`echo_nvvm_*`) and PTX instructions (`echo_ptx_*`) as host code.
// It is compiled to bitcode and linked into each program by echo-cc, so that
// functions inline and vectorize. It holds no state, calls only libm, and uses
// no header of the host beyond the compiler's own.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_DEVLIB_DEVICELIBRARY_H
#define ECHO_RUNTIME_CPU_DEVLIB_DEVICELIBRARY_H

#include <stdint.h>

/// A function that echo-cc looks up by name.
#define ECHO_DEVICE extern "C"
/// Directed rounding needs the rounding mode, which inlining would lose.
#define ECHO_ROUNDED extern "C" __attribute__((noinline))

/// A function that is too large for kernels to take in.
#define ECHO_LARGE extern "C" __attribute__((noinline))

namespace echo::device {

template <typename To, typename From> inline To bits(From V) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, V);
}

/// A float-to-integer conversion as PTX does it: out of range is the nearest
/// end, NaN is 0, or the highest bit alone where 64 bits go in or out (PTX ISA,
/// cvt). \p V is already rounded to an integer.
template <typename Int, typename Float> inline Int toInteger(Float V) {
  constexpr bool Signed = Int(-1) < Int(0);
  constexpr int Bits = sizeof(Int) * 8 - (Signed ? 1 : 0);
  constexpr Int Max = Signed ? Int((uint64_t(1) << (Bits % 64)) - 1) : Int(-1);
  constexpr Int Min = Signed ? Int(-Max - 1) : Int(0);
  const Float Limit =
      Float(Bits == 64 ? 0x1p64 : double(uint64_t(1) << (Bits % 64)));
  if (__builtin_isnan(V))
    return sizeof(Int) == 8 || sizeof(Float) == 8
               ? Int(uint64_t(1) << (sizeof(Int) * 8 - 1))
               : Int(0);
  if (V >= Limit)
    return Max;
  if (V <= (Signed ? -Limit : Float(0)))
    return Min;
  return Int(V);
}

} // namespace echo::device

#endif
