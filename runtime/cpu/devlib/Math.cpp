//===- Math.cpp - Functions that libm has ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdevice's names for functions of the C library, and the fast variants of
// CUDA, which here are the accurate ones.
//
//===----------------------------------------------------------------------===//
#include "DeviceLibrary.h"

extern "C" {
double j0(double), j1(double), jn(int, double);
double y0(double), y1(double), yn(int, double);
float j0f(float), j1f(float), jnf(int, float);
float y0f(float), y1f(float), ynf(int, float);
}

// One argument, result of the same type.
#define UNARY(Name)                                                            \
  ECHO_DEVICE double __nv_##Name(double X) { return __builtin_##Name(X); }     \
  ECHO_DEVICE float __nv_##Name##f(float X) { return __builtin_##Name##f(X); }
#define BINARY(Name)                                                           \
  ECHO_DEVICE double __nv_##Name(double X, double Y) {                         \
    return __builtin_##Name(X, Y);                                             \
  }                                                                            \
  ECHO_DEVICE float __nv_##Name##f(float X, float Y) {                         \
    return __builtin_##Name##f(X, Y);                                          \
  }
UNARY(acos)
UNARY(acosh)
UNARY(asin)
UNARY(asinh)
UNARY(atan)
UNARY(atanh)
UNARY(cbrt)
UNARY(ceil)
UNARY(cos)
UNARY(cosh)
UNARY(erf)
UNARY(erfc)
UNARY(exp)
UNARY(exp10)
UNARY(exp2)
UNARY(expm1)
UNARY(fabs)
UNARY(floor)
UNARY(lgamma)
UNARY(log)
UNARY(log10)
UNARY(log1p)
UNARY(log2)
UNARY(logb)
UNARY(nearbyint)
UNARY(rint)
UNARY(round)
UNARY(sin)
UNARY(sinh)
UNARY(sqrt)
UNARY(tan)
UNARY(tanh)
UNARY(tgamma)
UNARY(trunc)
BINARY(atan2)
BINARY(copysign)
BINARY(fdim)
BINARY(fmax)
BINARY(fmin)
BINARY(fmod)
BINARY(hypot)
BINARY(nextafter)
BINARY(pow)
BINARY(remainder)
#undef UNARY
#undef BINARY

#define BESSEL(Name)                                                           \
  ECHO_DEVICE double __nv_##Name(double X) { return Name(X); }                 \
  ECHO_DEVICE float __nv_##Name##f(float X) { return Name##f(X); }
BESSEL(j0)
BESSEL(j1)
BESSEL(y0)
BESSEL(y1)
#undef BESSEL
ECHO_DEVICE double __nv_jn(int N, double X) { return jn(N, X); }
ECHO_DEVICE float __nv_jnf(int N, float X) { return jnf(N, X); }
ECHO_DEVICE double __nv_yn(int N, double X) { return yn(N, X); }
ECHO_DEVICE float __nv_ynf(int N, float X) { return ynf(N, X); }

ECHO_DEVICE double __nv_fma(double X, double Y, double Z) {
  return __builtin_fma(X, Y, Z);
}
ECHO_DEVICE float __nv_fmaf(float X, float Y, float Z) {
  return __builtin_fmaf(X, Y, Z);
}
ECHO_DEVICE double __nv_ldexp(double X, int E) { return __builtin_ldexp(X, E); }
ECHO_DEVICE float __nv_ldexpf(float X, int E) { return __builtin_ldexpf(X, E); }
ECHO_DEVICE double __nv_scalbn(double X, int E) {
  return __builtin_scalbn(X, E);
}
ECHO_DEVICE float __nv_scalbnf(float X, int E) {
  return __builtin_scalbnf(X, E);
}
ECHO_DEVICE double __nv_powi(double X, int N) { return __builtin_pow(X, N); }
ECHO_DEVICE float __nv_powif(float X, int N) {
  return __builtin_powf(X, float(N));
}
ECHO_DEVICE double __nv_frexp(double X, int *E) {
  return __builtin_frexp(X, E);
}
ECHO_DEVICE float __nv_frexpf(float X, int *E) {
  return __builtin_frexpf(X, E);
}
ECHO_DEVICE double __nv_modf(double X, double *I) {
  return __builtin_modf(X, I);
}
ECHO_DEVICE float __nv_modff(float X, float *I) {
  return __builtin_modff(X, I);
}
ECHO_DEVICE double __nv_remquo(double X, double Y, int *Q) {
  return __builtin_remquo(X, Y, Q);
}
ECHO_DEVICE float __nv_remquof(float X, float Y, int *Q) {
  return __builtin_remquof(X, Y, Q);
}
ECHO_DEVICE int __nv_ilogb(double X) { return __builtin_ilogb(X); }
ECHO_DEVICE int __nv_ilogbf(float X) { return __builtin_ilogbf(X); }
ECHO_DEVICE int64_t __nv_llrint(double X) { return __builtin_llrint(X); }
ECHO_DEVICE int64_t __nv_llrintf(float X) { return __builtin_llrintf(X); }
ECHO_DEVICE int64_t __nv_llround(double X) { return __builtin_llround(X); }
ECHO_DEVICE int64_t __nv_llroundf(float X) { return __builtin_llroundf(X); }
ECHO_DEVICE void __nv_sincos(double X, double *S, double *C) {
  *S = __builtin_sin(X);
  *C = __builtin_cos(X);
}
ECHO_DEVICE void __nv_sincosf(float X, float *S, float *C) {
  *S = __builtin_sinf(X);
  *C = __builtin_cosf(X);
}
ECHO_DEVICE double __nv_nan(const signed char *) { return __builtin_nan(""); }
ECHO_DEVICE float __nv_nanf(const signed char *) { return __builtin_nanf(""); }

// Classification.
ECHO_DEVICE int __nv_isnand(double X) { return __builtin_isnan(X); }
ECHO_DEVICE int __nv_isnanf(float X) { return __builtin_isnan(X); }
ECHO_DEVICE int __nv_isinfd(double X) { return __builtin_isinf(X) != 0; }
ECHO_DEVICE int __nv_isinff(float X) { return __builtin_isinf(X) != 0; }
ECHO_DEVICE int __nv_isfinited(double X) { return __builtin_isfinite(X); }
ECHO_DEVICE int __nv_finitef(float X) { return __builtin_isfinite(X); }
ECHO_DEVICE int __nv_signbitd(double X) { return __builtin_signbit(X) != 0; }
ECHO_DEVICE int __nv_signbitf(float X) { return __builtin_signbitf(X) != 0; }

// Fast variants.
ECHO_DEVICE float __nv_fast_cosf(float X) { return __builtin_cosf(X); }
ECHO_DEVICE float __nv_fast_sinf(float X) { return __builtin_sinf(X); }
ECHO_DEVICE float __nv_fast_tanf(float X) { return __builtin_tanf(X); }
ECHO_DEVICE float __nv_fast_tanhf(float X) { return __builtin_tanhf(X); }
ECHO_DEVICE float __nv_fast_expf(float X) { return __builtin_expf(X); }
ECHO_DEVICE float __nv_fast_exp10f(float X) { return __builtin_exp10f(X); }
ECHO_DEVICE float __nv_fast_logf(float X) { return __builtin_logf(X); }
ECHO_DEVICE float __nv_fast_log2f(float X) { return __builtin_log2f(X); }
ECHO_DEVICE float __nv_fast_log10f(float X) { return __builtin_log10f(X); }
ECHO_DEVICE float __nv_fast_powf(float X, float Y) {
  return __builtin_powf(X, Y);
}
ECHO_DEVICE float __nv_fast_fdividef(float X, float Y) { return X / Y; }
ECHO_DEVICE void __nv_fast_sincosf(float X, float *S, float *C) {
  __nv_sincosf(X, S, C);
}

// NVVM's names for the same.
#define ONE(Name, Type, Function)                                              \
  ECHO_DEVICE Type echo_nvvm_##Name(Type X) { return Function(X); }
#define ONE_F(Name, Function)                                                  \
  ONE(Name##_f, float, Function##f) ONE(Name##_ftz_f, float, Function##f)
#define ONE_FD(Name, Function)                                                 \
  ONE_F(Name, Function) ONE(Name##_d, double, Function)
ONE_FD(ceil, __builtin_ceil)
ONE_FD(floor, __builtin_floor)
ONE_FD(trunc, __builtin_trunc)
ONE_FD(round, __builtin_rint)
ONE_F(sin_approx, __builtin_sin)
ONE_F(cos_approx, __builtin_cos)
ONE_F(lg2_approx, __builtin_log2)
ONE(lg2_approx_d, double, __builtin_log2)
ONE(ex2_approx_f, float, __builtin_exp2f)
ONE(ex2_approx_ftz_f, float, __builtin_exp2f)
ONE(ex2_approx_f32, float, __builtin_exp2f)
ONE(ex2_approx_ftz_f32, float, __builtin_exp2f)
ONE_F(sqrt_approx, __builtin_sqrt)
ONE(sqrt_f, float, __builtin_sqrtf)
#define RECIPROCAL(X) (1 / (X))
#define RECIPROCALf(X) (1 / (X))
ONE_F(rcp_approx, RECIPROCAL)
ONE(rcp_approx_ftz_d, double, RECIPROCAL)
#define RSQRT(X) (1 / __builtin_sqrt(X))
#define RSQRTf(X) (1 / __builtin_sqrtf(X))
ONE_FD(rsqrt_approx, RSQRT)
ONE(rsqrt_approx_ftz_d, double, RSQRT)
#undef ONE_FD
#undef ONE_F
#undef ONE

#define FABS(Suffix, Type, Function)                                           \
  ECHO_DEVICE Type echo_nvvm_fabs##Suffix(Type X) { return Function(X); }
FABS(_f, float, __builtin_fabsf)
FABS(_f32, float, __builtin_fabsf)
FABS(_ftz_f, float, __builtin_fabsf)
FABS(_ftz_f32, float, __builtin_fabsf)
FABS(_d, double, __builtin_fabs)
FABS(_f64, double, __builtin_fabs)
#undef FABS

#define MINMAX(Op)                                                             \
  ECHO_DEVICE float echo_nvvm_f##Op##_f(float X, float Y) {                    \
    return __builtin_f##Op##f(X, Y);                                           \
  }                                                                            \
  ECHO_DEVICE float echo_nvvm_f##Op##_ftz_f(float X, float Y) {                \
    return __builtin_f##Op##f(X, Y);                                           \
  }                                                                            \
  ECHO_DEVICE double echo_nvvm_f##Op##_d(double X, double Y) {                 \
    return __builtin_f##Op(X, Y);                                              \
  }                                                                            \
  ECHO_DEVICE float echo_nvvm_f##Op##_nan_f(float X, float Y) {                \
    return X != X || Y != Y ? __builtin_nanf("") : __builtin_f##Op##f(X, Y);   \
  }                                                                            \
  ECHO_DEVICE float echo_nvvm_f##Op##_ftz_nan_f(float X, float Y) {            \
    return echo_nvvm_f##Op##_nan_f(X, Y);                                      \
  }
MINMAX(min)
MINMAX(max)
#undef MINMAX

#define DIVIDE(Suffix)                                                         \
  ECHO_DEVICE float echo_nvvm_div_##Suffix(float X, float Y) { return X / Y; }
DIVIDE(approx_f)
DIVIDE(approx_ftz_f)
DIVIDE(full)
DIVIDE(full_ftz)
#undef DIVIDE
