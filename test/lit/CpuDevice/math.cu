// RUN: %echo_cc --device=cpu --no-unify -O0 -g %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O3 %s -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// Device functions of CUDA against values known from their definition.
#include "Inputs/check.h"
#include <cmath>

__global__ void integers(long long *O) {
  int I = 0;
  O[I++] = __float2int_rn(2.5f), O[I++] = __double2uint_rz(-3.0);
  O[I++] = __clz(1), O[I++] = __popc(255), O[I++] = __ffs(8);
  O[I++] = __brev(1u), O[I++] = __byte_perm(0x01020304, 0x05060708, 0x3715);
  O[I++] = __mulhi(1 << 30, 8), O[I++] = __sad(3, -4, 1);
  O[I++] = __umul64hi(1ull << 63, 4),
  O[I++] = __dp4a(0x01020304, 0x01010101, 5);
  O[I++] = __funnelshift_l(0x80000000, 1, 4);
  O[I++] = __vadd4(0x01020304, 0x01010101);
  O[I++] = __vabsdiffu4(0x01020304, 0x03010101);
  O[I++] = __float_as_int(1.f), O[I++] = __float2int_rz(NAN);
  O[I++] = __float2int_rz(1e20f), O[I++] = llrint(2.5);
}
__global__ void reals(double X, float Y, double *O) {
  int I = 0;
  double S, C;
  sincos(X, &S, &C);
  O[I++] = S * S + C * C, O[I++] = erfinv(0.5), O[I++] = normcdfinv(0.975);
  O[I++] = rsqrt(4.0), O[I++] = sinpi(0.25), O[I++] = __fdividef(Y, 2.f);
  O[I++] = __fadd_ru(1.f, 1e-10f) > 1, O[I++] = __fadd_rd(1.f, 1e-10f) > 1;
  O[I++] = pow(X, 2.0), O[I++] = fmodf(7.5f, 2.f), O[I++] = __saturatef(2.f);
  O[I++] = norm3d(1, 2, 2), O[I++] = cyl_bessel_i0(1.0), O[I++] = lgamma(5.0);
  O[I++] = cbrt(27.0), O[I++] = exp10(2.0), O[I++] = fminf(NAN, 1.f);
  O[I++] = copysign(1.0, -2.0), O[I++] = __expf(0.f), O[I++] = rint(2.5);
  O[I++] = ldexp(1.5, 3), O[I++] = isnan(X / 0 - 1 / 0.0);
}

int main() {
  auto *L = managed<long long>(32);
  double *D = managed<double>(32);
  integers<<<1, 1>>>(L);
  reals<<<1, 1>>>(1.5, 0.5f, D);
  const long long Integers[] = {
      2, 0,  31, 8,          4,          0x80000000, 0x01050307, 2,          8,
      2, 15, 24, 0x02030405, 0x02010203, 0x3f800000, 0,          2147483647, 2};
  for (int I = 0; I != sizeof(Integers) / 8; ++I)
    CHECK(L[I] == Integers[I]);
  const double Reals[] = {1,
                          0.476936276204469873,
                          1.95996398454005423,
                          0.5,
                          0.707106781186547524,
                          0.25,
                          1,
                          0,
                          2.25,
                          1.5,
                          1,
                          3,
                          1.26606587775200834,
                          3.17805383034794562,
                          3,
                          100,
                          1,
                          -1,
                          1,
                          2,
                          12,
                          1};
  for (int I = 0; I != sizeof(Reals) / 8; ++I)
    CHECK(fabs(D[I] - Reals[I]) < 1e-14);
}
