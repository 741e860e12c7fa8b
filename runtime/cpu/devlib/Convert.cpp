//===- Convert.cpp - Conversions between numbers --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float to integer with a chosen rounding and PTX's saturation, integer to
// float, double to float, half precision. libdevice's and NVVM's names.
//
//===----------------------------------------------------------------------===//
#include "DeviceLibrary.h"

using echo::device::bits;
using echo::device::toInteger;

#define ROUND_rn(Suffix, X) __builtin_rint##Suffix(X)
#define ROUND_rz(Suffix, X) __builtin_trunc##Suffix(X)
#define ROUND_rd(Suffix, X) __builtin_floor##Suffix(X)
#define ROUND_ru(Suffix, X) __builtin_ceil##Suffix(X)
// PTX calls down and up minus and plus.
#define ROUND_rm(Suffix, X) __builtin_floor##Suffix(X)
#define ROUND_rp(Suffix, X) __builtin_ceil##Suffix(X)

#define FLOAT_TO(Name, Int, Mode)                                              \
  ECHO_DEVICE Int __nv_float2##Name##_##Mode(float X) {                        \
    return toInteger<Int>(ROUND_##Mode(f, X));                                 \
  }                                                                            \
  ECHO_DEVICE Int __nv_double2##Name##_##Mode(double X) {                      \
    return toInteger<Int>(ROUND_##Mode(, X));                                  \
  }
#define NVVM_TO(Name, Int, Mode)                                               \
  ECHO_DEVICE Int echo_nvvm_f2##Name##_##Mode(float X) {                       \
    return toInteger<Int>(ROUND_##Mode(f, X));                                 \
  }                                                                            \
  ECHO_DEVICE Int echo_nvvm_f2##Name##_##Mode##_ftz(float X) {                 \
    return toInteger<Int>(ROUND_##Mode(f, X));                                 \
  }                                                                            \
  ECHO_DEVICE Int echo_nvvm_d2##Name##_##Mode(double X) {                      \
    return toInteger<Int>(ROUND_##Mode(, X));                                  \
  }
#define ALL_MODES(Macro, Name, Int)                                            \
  Macro(Name, Int, rn) Macro(Name, Int, rz) Macro(Name, Int, rd)               \
      Macro(Name, Int, ru)
#define ALL_NVVM(Name, Int)                                                    \
  NVVM_TO(Name, Int, rn)                                                       \
  NVVM_TO(Name, Int, rz) NVVM_TO(Name, Int, rm) NVVM_TO(Name, Int, rp)
ALL_MODES(FLOAT_TO, int, int32_t)
ALL_MODES(FLOAT_TO, uint, uint32_t)
ALL_MODES(FLOAT_TO, ll, int64_t)
ALL_MODES(FLOAT_TO, ull, uint64_t)
ALL_NVVM(i, int32_t)
ALL_NVVM(ui, uint32_t)
ALL_NVVM(ll, int64_t)
ALL_NVVM(ull, uint64_t)

// Exact, or rounded to nearest.
ECHO_DEVICE double __nv_int2double_rn(int X) { return X; }
ECHO_DEVICE double __nv_uint2double_rn(unsigned X) { return X; }
ECHO_DEVICE double __nv_ll2double_rn(int64_t X) { return double(X); }
ECHO_DEVICE double __nv_ull2double_rn(uint64_t X) { return double(X); }
ECHO_DEVICE float __nv_int2float_rn(int X) { return float(X); }
ECHO_DEVICE float __nv_uint2float_rn(unsigned X) { return float(X); }
ECHO_DEVICE float __nv_ll2float_rn(int64_t X) { return float(X); }
ECHO_DEVICE float __nv_ull2float_rn(uint64_t X) { return float(X); }
ECHO_DEVICE float __nv_double2float_rn(double X) { return float(X); }
ECHO_DEVICE float echo_nvvm_d2f_rn(double X) { return float(X); }
ECHO_DEVICE float echo_nvvm_d2f_rn_ftz(double X) { return float(X); }
#define EXACT(Mode)                                                            \
  ECHO_DEVICE double echo_nvvm_i2d_##Mode(int X) { return X; }                 \
  ECHO_DEVICE double echo_nvvm_ui2d_##Mode(unsigned X) { return X; }
EXACT(rn)
EXACT(rz)
EXACT(rm)
EXACT(rp)
#undef EXACT
ECHO_DEVICE double echo_nvvm_ll2d_rn(int64_t X) { return double(X); }
ECHO_DEVICE double echo_nvvm_ull2d_rn(uint64_t X) { return double(X); }
ECHO_DEVICE float echo_nvvm_i2f_rn(int X) { return float(X); }
ECHO_DEVICE float echo_nvvm_ui2f_rn(unsigned X) { return float(X); }
ECHO_DEVICE float echo_nvvm_ll2f_rn(int64_t X) { return float(X); }
ECHO_DEVICE float echo_nvvm_ull2f_rn(uint64_t X) { return float(X); }

ECHO_DEVICE float __nv_half2float(uint16_t X) {
  return float(bits<_Float16>(X));
}
ECHO_DEVICE uint16_t __nv_float2half_rn(float X) {
  return bits<uint16_t>(_Float16(X));
}
ECHO_DEVICE uint16_t echo_nvvm_f2h_rn(float X) {
  return bits<uint16_t>(_Float16(X));
}
ECHO_DEVICE uint16_t echo_nvvm_f2h_rn_ftz(float X) {
  return bits<uint16_t>(_Float16(X));
}

// Saturation to [0, 1]; NaN is 0.
ECHO_DEVICE float __nv_saturatef(float X) {
  return X > 0 ? (X < 1 ? X : 1.0f) : 0.0f;
}
ECHO_DEVICE float echo_nvvm_saturate_f(float X) { return __nv_saturatef(X); }
ECHO_DEVICE float echo_nvvm_saturate_ftz_f(float X) {
  return __nv_saturatef(X);
}
ECHO_DEVICE double echo_nvvm_saturate_d(double X) {
  return X > 0 ? (X < 1 ? X : 1.0) : 0.0;
}
