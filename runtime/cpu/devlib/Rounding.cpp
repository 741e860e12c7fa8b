//===- Rounding.cpp - Arithmetic with a chosen rounding -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's __fadd_rd and the like. Nearest is plain arithmetic; the directed
// modes set the host's rounding mode around one operation, in functions that
// are never inlined, so that no optimizer moves the operation.
//
//===----------------------------------------------------------------------===//
#include "DeviceLibrary.h"
#include <fenv.h>

#define MODE_rd FE_DOWNWARD
#define MODE_ru FE_UPWARD
#define MODE_rz FE_TOWARDZERO

// One directed operation under libdevice's name and under NVVM's.
#define DIRECTED(Mode, Nv, Nvvm, Type, Params, Args, Expression)               \
  ECHO_ROUNDED Type Nv Params {                                                \
    _Pragma("STDC FENV_ACCESS ON") int Old = fegetround();                     \
    fesetround(MODE_##Mode);                                                   \
    Type Result = Expression;                                                  \
    fesetround(Old);                                                           \
    return Result;                                                             \
  }                                                                            \
  ECHO_DEVICE Type Nvvm Params { return Nv Args; }
#define NEAREST(Nv, Nvvm, Type, Params, Args, Expression)                      \
  ECHO_DEVICE Type Nv Params { return Expression; }                            \
  ECHO_DEVICE Type Nvvm Params { return Expression; }

#define OPERATION(P, S, Name, Type, Params, Args, Expression)                  \
  NEAREST(__nv_##P##Name##_rn, echo_nvvm_##Name##_rn_##S, Type, Params, Args,  \
          Expression)                                                          \
  DIRECTED(rd, __nv_##P##Name##_rd, echo_nvvm_##Name##_rm_##S, Type, Params,   \
           Args, Expression)                                                   \
  DIRECTED(ru, __nv_##P##Name##_ru, echo_nvvm_##Name##_rp_##S, Type, Params,   \
           Args, Expression)                                                   \
  DIRECTED(rz, __nv_##P##Name##_rz, echo_nvvm_##Name##_rz_##S, Type, Params,   \
           Args, Expression)

#define BINARY(Name, Op)                                                       \
  OPERATION(f, f, Name, float, (float X, float Y), (X, Y), X Op Y)             \
  OPERATION(d, d, Name, double, (double X, double Y), (X, Y), X Op Y)
BINARY(add, +)
BINARY(mul, *)
BINARY(div, /)
OPERATION(f, f, rcp, float, (float X), (X), 1.0f / X)
OPERATION(d, d, rcp, double, (double X), (X), 1.0 / X)
OPERATION(f, f, sqrt, float, (float X), (X), __builtin_sqrtf(X))
OPERATION(d, d, sqrt, double, (double X), (X), __builtin_sqrt(X))

#define SUBTRACT(P, Type)                                                      \
  ECHO_DEVICE Type __nv_##P##sub_rn(Type X, Type Y) { return X - Y; }          \
  ECHO_DEVICE Type __nv_##P##sub_rd(Type X, Type Y) {                          \
    return __nv_##P##add_rd(X, -Y);                                            \
  }                                                                            \
  ECHO_DEVICE Type __nv_##P##sub_ru(Type X, Type Y) {                          \
    return __nv_##P##add_ru(X, -Y);                                            \
  }                                                                            \
  ECHO_DEVICE Type __nv_##P##sub_rz(Type X, Type Y) {                          \
    return __nv_##P##add_rz(X, -Y);                                            \
  }
SUBTRACT(f, float)
SUBTRACT(d, double)

#define FMA(Mode, Nvvm)                                                        \
  DIRECTED(Mode, __nv_fmaf_##Mode, echo_nvvm_fma_##Nvvm##_f, float,            \
           (float X, float Y, float Z), (X, Y, Z), __builtin_fmaf(X, Y, Z))    \
  DIRECTED(Mode, __nv_fma_##Mode, echo_nvvm_fma_##Nvvm##_d, double,            \
           (double X, double Y, double Z), (X, Y, Z), __builtin_fma(X, Y, Z))
FMA(rd, rm)
FMA(ru, rp)
FMA(rz, rz)
NEAREST(__nv_fmaf_rn, echo_nvvm_fma_rn_f, float, (float X, float Y, float Z),
        (X, Y, Z), __builtin_fmaf(X, Y, Z))
NEAREST(__nv_fma_rn, echo_nvvm_fma_rn_d, double, (double X, double Y, double Z),
        (X, Y, Z), __builtin_fma(X, Y, Z))
#define IEEE(Mode)                                                             \
  ECHO_DEVICE float __nv_fmaf_ieee_##Mode(float X, float Y, float Z) {         \
    return __nv_fmaf_##Mode(X, Y, Z);                                          \
  }
IEEE(rn)
IEEE(rd)
IEEE(ru)
IEEE(rz)

#define CONVERT(Nv, Nvvm, To, From)                                            \
  DIRECTED(rd, __nv_##Nv##_rd, echo_nvvm_##Nvvm##_rm, To, (From X), (X),       \
           To(X))                                                              \
  DIRECTED(ru, __nv_##Nv##_ru, echo_nvvm_##Nvvm##_rp, To, (From X), (X),       \
           To(X))                                                              \
  DIRECTED(rz, __nv_##Nv##_rz, echo_nvvm_##Nvvm##_rz, To, (From X), (X), To(X))
CONVERT(double2float, d2f, float, double)
CONVERT(int2float, i2f, float, int32_t)
CONVERT(uint2float, ui2f, float, uint32_t)
CONVERT(ll2float, ll2f, float, int64_t)
CONVERT(ull2float, ull2f, float, uint64_t)
CONVERT(ll2double, ll2d, double, int64_t)
CONVERT(ull2double, ull2d, double, uint64_t)
