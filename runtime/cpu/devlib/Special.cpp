//===- Special.cpp - Functions that libm does not have --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms, pi-scaled trigonometry, inverse error functions and modified Bessel
// functions. The float versions round the double ones.
//
//===----------------------------------------------------------------------===//
#include "DeviceLibrary.h"

namespace {

constexpr double Pi = 3.14159265358979323846;
constexpr double Sqrt2 = 1.41421356237309504880;
constexpr double SqrtPi = 1.77245385090551602730;

double sinPi(double X) {
  if (!__builtin_isfinite(X))
    return __builtin_nan("");
  double N = __builtin_nearbyint(2 * X);
  double R = __builtin_fma(-0.5, N, X) * Pi;
  switch (int64_t(__builtin_fmod(N, 4)) & 3) {
  case 0:
    return X == __builtin_trunc(X) ? X * 0 : __builtin_sin(R);
  case 1:
    return __builtin_cos(R);
  case 2:
    return X == __builtin_trunc(X) ? X * 0 : -__builtin_sin(R);
  default:
    return -__builtin_cos(R);
  }
}

double cosPi(double X) {
  if (!__builtin_isfinite(X))
    return __builtin_nan("");
  double N = __builtin_nearbyint(2 * X);
  double R = __builtin_fma(-0.5, N, X) * Pi;
  switch (int64_t(__builtin_fmod(N, 4)) & 3) {
  case 0:
    return __builtin_cos(R);
  case 1:
    return 0 - __builtin_sin(R);
  case 2:
    return -__builtin_cos(R);
  default:
    return 0 + __builtin_sin(R);
  }
}

/// Inverse of erfc by a start value and Halley steps.
double inverseErfc(double X) {
  if (!(X >= 0 && X <= 2))
    return __builtin_nan("");
  if (X == 0)
    return __builtin_inf();
  if (X == 2)
    return -__builtin_inf();
  double P = X < 1 ? X : 2 - X;
  double T = __builtin_sqrt(-2 * __builtin_log(P / 2));
  double R = -0.70711 *
             ((2.30753 + T * 0.27061) / (1 + T * (0.99229 + T * 0.04481)) - T);
  for (int Step = 0; Step != 4; ++Step) {
    double Density = 2 / SqrtPi * __builtin_exp(-R * R);
    if (!(Density > 0))
      break;
    double E = (__builtin_erfc(R) - P) / Density;
    R += E / (1 - R * E);
  }
  return X < 1 ? R : -R;
}

double inverseErf(double X) {
  if (__builtin_fabs(X) > 0.5)
    return X > 0 ? inverseErfc(1 - X) : -inverseErfc(1 + X);
  if (!(X == X) || X == 0)
    return X;
  double R = X * SqrtPi / 2;
  for (int Step = 0; Step != 5; ++Step) {
    double E = (__builtin_erf(R) - X) * SqrtPi / 2 * __builtin_exp(R * R);
    R -= E / (1 + R * E);
  }
  return R;
}

/// exp(x^2) * erfc(x), by a continued fraction where the product would lose.
double scaledErfc(double X) {
  if (X < 10)
    return __builtin_exp(X * X) * __builtin_erfc(X);
  double T = 0;
  for (int N = 60; N > 0; --N)
    T = N / 2.0 / (X + T);
  return 1 / (SqrtPi * (X + T));
}

/// Modified Bessel function of the first kind, order 0 or 1.
double besselI(int Order, double X) {
  double A = __builtin_fabs(X);
  double Result;
  if (A < 30) {
    double Q = A * A / 4, Term = Order ? A / 2 : 1, Sum = Term;
    for (int K = 1; K != 120; ++K) {
      Term *= Q / (double(K) * (K + Order));
      Sum += Term;
      if (Term < Sum * 1e-17)
        break;
    }
    Result = Sum;
  } else {
    double Mu = 4.0 * Order * Order, Term = 1, Sum = 1;
    for (int K = 1; K != 30; ++K) {
      double Odd = 2 * K - 1;
      double Next = -Term * (Mu - Odd * Odd) / (K * 8 * A);
      if (__builtin_fabs(Next) > __builtin_fabs(Term))
        break;
      Term = Next;
      Sum += Term;
    }
    double Half = __builtin_exp(A / 2);
    Result = Half / __builtin_sqrt(2 * Pi * A) * Half * Sum;
  }
  return Order && X < 0 ? -Result : Result;
}

template <typename T> T norm(int N, const T *V) {
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum = __builtin_hypot(Sum, double(V[I]));
  return T(Sum);
}

} // namespace

#define BOTH(Name, Expression)                                                 \
  ECHO_DEVICE double __nv_##Name(double X) { return Expression; }              \
  ECHO_DEVICE float __nv_##Name##f(float X) { return float(Expression); }
BOTH(sinpi, sinPi(X))
BOTH(cospi, cosPi(X))
BOTH(erfinv, inverseErf(X))
BOTH(erfcinv, inverseErfc(X))
BOTH(erfcx, scaledErfc(X))
BOTH(normcdf, 0.5 * __builtin_erfc(-double(X) / Sqrt2))
BOTH(normcdfinv, -Sqrt2 *inverseErfc(2 * double(X)))
BOTH(cyl_bessel_i0, besselI(0, X))
BOTH(cyl_bessel_i1, besselI(1, X))
BOTH(rcbrt, 1 / __builtin_cbrt(X))
#undef BOTH

ECHO_DEVICE double __nv_rsqrt(double X) { return 1 / __builtin_sqrt(X); }
ECHO_DEVICE float __nv_rsqrtf(float X) { return 1 / __builtin_sqrtf(X); }
ECHO_DEVICE float __nv_frsqrt_rn(float X) {
  return float(1 / __builtin_sqrt(double(X)));
}
ECHO_DEVICE double __nv_rcp64h(double X) {
  uint64_t High = echo::device::bits<uint64_t>(1 / X) & 0xffffffff00000000u;
  return echo::device::bits<double>(High);
}
ECHO_DEVICE void __nv_sincospi(double X, double *S, double *C) {
  *S = sinPi(X);
  *C = cosPi(X);
}
ECHO_DEVICE void __nv_sincospif(float X, float *S, float *C) {
  *S = float(sinPi(X));
  *C = float(cosPi(X));
}

ECHO_DEVICE double __nv_rhypot(double X, double Y) {
  return 1 / __builtin_hypot(X, Y);
}
ECHO_DEVICE float __nv_rhypotf(float X, float Y) {
  return 1 / __builtin_hypotf(X, Y);
}
ECHO_DEVICE double __nv_norm3d(double X, double Y, double Z) {
  return __builtin_hypot(__builtin_hypot(X, Y), Z);
}
ECHO_DEVICE double __nv_norm4d(double X, double Y, double Z, double W) {
  return __builtin_hypot(__nv_norm3d(X, Y, Z), W);
}
ECHO_DEVICE float __nv_norm3df(float X, float Y, float Z) {
  return float(__builtin_sqrt(double(X) * X + double(Y) * Y + double(Z) * Z));
}
ECHO_DEVICE float __nv_norm4df(float X, float Y, float Z, float W) {
  return float(__builtin_sqrt(double(X) * X + double(Y) * Y + double(Z) * Z +
                              double(W) * W));
}
ECHO_DEVICE double __nv_rnorm3d(double X, double Y, double Z) {
  return 1 / __nv_norm3d(X, Y, Z);
}
ECHO_DEVICE double __nv_rnorm4d(double X, double Y, double Z, double W) {
  return 1 / __nv_norm4d(X, Y, Z, W);
}
ECHO_DEVICE float __nv_rnorm3df(float X, float Y, float Z) {
  return 1 / __nv_norm3df(X, Y, Z);
}
ECHO_DEVICE float __nv_rnorm4df(float X, float Y, float Z, float W) {
  return 1 / __nv_norm4df(X, Y, Z, W);
}
ECHO_DEVICE double __nv_norm(int N, const double *V) { return norm(N, V); }
ECHO_DEVICE float __nv_normf(int N, const float *V) { return norm(N, V); }
ECHO_DEVICE double __nv_rnorm(int N, const double *V) { return 1 / norm(N, V); }
ECHO_DEVICE float __nv_rnormf(int N, const float *V) { return 1 / norm(N, V); }
