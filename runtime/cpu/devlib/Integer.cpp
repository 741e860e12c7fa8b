//===- Integer.cpp - Integer functions and bits ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdevice's integer functions and NVVM's integer intrinsics.
//
//===----------------------------------------------------------------------===//
#include "DeviceLibrary.h"

using echo::device::bits;

ECHO_DEVICE int __nv_abs(int X) { return X < 0 ? int(0u - unsigned(X)) : X; }
ECHO_DEVICE int64_t __nv_llabs(int64_t X) {
  return X < 0 ? int64_t(0ull - uint64_t(X)) : X;
}
#define MINMAX(Name, Type, Op)                                                 \
  ECHO_DEVICE Type __nv_##Name(Type X, Type Y) { return X Op Y ? X : Y; }
MINMAX(min, int, <)
MINMAX(max, int, >)
MINMAX(umin, unsigned, <)
MINMAX(umax, unsigned, >)
MINMAX(llmin, int64_t, <)
MINMAX(llmax, int64_t, >)
MINMAX(ullmin, uint64_t, <)
MINMAX(ullmax, uint64_t, >)
#undef MINMAX

ECHO_DEVICE int __nv_brev(int X) {
  return int(__builtin_bitreverse32(unsigned(X)));
}
ECHO_DEVICE int64_t __nv_brevll(int64_t X) {
  return int64_t(__builtin_bitreverse64(uint64_t(X)));
}
ECHO_DEVICE int __nv_clz(int X) { return __builtin_clzg(unsigned(X), 32); }
ECHO_DEVICE int __nv_clzll(int64_t X) {
  return __builtin_clzg(uint64_t(X), 64);
}
ECHO_DEVICE int __nv_ffs(int X) { return __builtin_ffs(X); }
ECHO_DEVICE int __nv_ffsll(int64_t X) { return __builtin_ffsll(X); }
ECHO_DEVICE int __nv_popc(int X) { return __builtin_popcount(unsigned(X)); }
ECHO_DEVICE int __nv_popcll(int64_t X) {
  return __builtin_popcountll(uint64_t(X));
}
ECHO_DEVICE int __nv_hadd(int X, int Y) { return int((int64_t(X) + Y) >> 1); }
ECHO_DEVICE int __nv_rhadd(int X, int Y) {
  return int((int64_t(X) + Y + 1) >> 1);
}
ECHO_DEVICE unsigned __nv_uhadd(unsigned X, unsigned Y) {
  return unsigned((uint64_t(X) + Y) >> 1);
}
ECHO_DEVICE unsigned __nv_urhadd(unsigned X, unsigned Y) {
  return unsigned((uint64_t(X) + Y + 1) >> 1);
}

// Multiplication.
ECHO_DEVICE int __nv_mulhi(int X, int Y) { return int((int64_t(X) * Y) >> 32); }
ECHO_DEVICE unsigned __nv_umulhi(unsigned X, unsigned Y) {
  return unsigned((uint64_t(X) * Y) >> 32);
}
ECHO_DEVICE int64_t __nv_mul64hi(int64_t X, int64_t Y) {
  return int64_t((__int128(X) * Y) >> 64);
}
ECHO_DEVICE uint64_t __nv_umul64hi(uint64_t X, uint64_t Y) {
  return uint64_t((static_cast<unsigned __int128>(X) * Y) >> 64);
}
ECHO_DEVICE int __nv_mul24(int X, int Y) {
  int A = int(unsigned(X) << 8) >> 8, B = int(unsigned(Y) << 8) >> 8;
  return int(int64_t(A) * B);
}
ECHO_DEVICE unsigned __nv_umul24(unsigned X, unsigned Y) {
  return (X & 0xffffffu) * (Y & 0xffffffu);
}
ECHO_DEVICE int16_t echo_nvvm_mulhi_s(int16_t X, int16_t Y) {
  return int16_t((int(X) * Y) >> 16);
}
ECHO_DEVICE uint16_t echo_nvvm_mulhi_us(uint16_t X, uint16_t Y) {
  return uint16_t((unsigned(X) * Y) >> 16);
}
ECHO_DEVICE int echo_nvvm_mulhi_i(int X, int Y) { return __nv_mulhi(X, Y); }
ECHO_DEVICE unsigned echo_nvvm_mulhi_ui(unsigned X, unsigned Y) {
  return __nv_umulhi(X, Y);
}
ECHO_DEVICE int64_t echo_nvvm_mulhi_ll(int64_t X, int64_t Y) {
  return __nv_mul64hi(X, Y);
}
ECHO_DEVICE uint64_t echo_nvvm_mulhi_ull(uint64_t X, uint64_t Y) {
  return __nv_umul64hi(X, Y);
}
ECHO_DEVICE int echo_nvvm_mul24_i(int X, int Y) { return __nv_mul24(X, Y); }
ECHO_DEVICE unsigned echo_nvvm_mul24_ui(unsigned X, unsigned Y) {
  return __nv_umul24(X, Y);
}

// Sums of absolute differences.
ECHO_DEVICE unsigned __nv_sad(int X, int Y, unsigned Z) {
  return Z + (X > Y ? unsigned(X) - unsigned(Y) : unsigned(Y) - unsigned(X));
}
ECHO_DEVICE unsigned __nv_usad(unsigned X, unsigned Y, unsigned Z) {
  return Z + (X > Y ? X - Y : Y - X);
}
ECHO_DEVICE int echo_nvvm_sad_i(int X, int Y, int Z) {
  return int(__nv_sad(X, Y, unsigned(Z)));
}
ECHO_DEVICE unsigned echo_nvvm_sad_ui(unsigned X, unsigned Y, unsigned Z) {
  return __nv_usad(X, Y, Z);
}

// Bytes and bits.
ECHO_DEVICE unsigned __nv_byte_perm(unsigned X, unsigned Y, unsigned S) {
  uint64_t Pool = uint64_t(Y) << 32 | X;
  unsigned Result = 0;
  for (int Byte = 0; Byte != 4; ++Byte) {
    unsigned Select = S >> (4 * Byte) & 7;
    Result |= unsigned(Pool >> (8 * Select) & 0xff) << (8 * Byte);
  }
  return Result;
}
ECHO_DEVICE unsigned echo_nvvm_prmt(unsigned X, unsigned Y, unsigned S) {
  uint64_t Pool = uint64_t(Y) << 32 | X;
  unsigned Result = 0;
  for (int Byte = 0; Byte != 4; ++Byte) {
    unsigned Select = S >> (4 * Byte) & 15;
    unsigned Value = unsigned(Pool >> (8 * (Select & 7)) & 0xff);
    // The top bit of the selector asks for the sign instead.
    if (Select & 8)
      Value = Value & 0x80 ? 0xff : 0;
    Result |= Value << (8 * Byte);
  }
  return Result;
}
ECHO_DEVICE unsigned echo_nvvm_fshl_clamp_i32(unsigned High, unsigned Low,
                                              unsigned N) {
  return N >= 32 ? Low : unsigned(((uint64_t(High) << 32 | Low) << N) >> 32);
}
ECHO_DEVICE unsigned echo_nvvm_fshr_clamp_i32(unsigned High, unsigned Low,
                                              unsigned N) {
  return N >= 32 ? High : unsigned((uint64_t(High) << 32 | Low) >> N);
}
/// Position of the n-th set bit from Base, forward or backward.
ECHO_DEVICE unsigned echo_nvvm_fns(unsigned Mask, unsigned Base, int N) {
  if (N == 0)
    return Mask >> (Base & 31) & 1 ? Base : ~0u;
  const int Step = N > 0 ? 1 : -1;
  for (int Bit = int(Base & 31); Bit >= 0 && Bit < 32; Bit += Step)
    if (Mask >> Bit & 1 && (N -= Step) == 0)
      return unsigned(Bit);
  return ~0u;
}
ECHO_DEVICE unsigned echo_nvvm_flo_u_i32(unsigned X, bool Shift) {
  if (!X)
    return ~0u;
  unsigned Zeros = unsigned(__builtin_clz(X));
  return Shift ? Zeros : 31 - Zeros;
}

// Dot products of packed bytes and half words.
#define DOT(Name, A, B)                                                        \
  ECHO_DEVICE int echo_nvvm_idp4a_##Name(unsigned X, unsigned Y, int Sum) {    \
    unsigned Result = unsigned(Sum);                                           \
    for (int I = 0; I != 32; I += 8)                                           \
      Result += unsigned(int(A##8_t(X >> I)) * int(B##8_t(Y >> I)));           \
    return int(Result);                                                        \
  }                                                                            \
  ECHO_DEVICE int echo_nvvm_idp2a_##Name(unsigned X, unsigned Y, bool High,    \
                                         int Sum) {                            \
    unsigned Result = unsigned(Sum), Bytes = High ? Y >> 16 : Y;               \
    for (int I = 0; I != 2; ++I)                                               \
      Result += unsigned(int(A##16_t(X >> (16 * I))) *                         \
                         int(B##8_t(Bytes >> (8 * I))));                       \
    return int(Result);                                                        \
  }
DOT(s_s, int, int)
DOT(s_u, int, uint)
DOT(u_s, uint, int)
DOT(u_u, uint, uint)
#undef DOT

// The same bits as another type.
ECHO_DEVICE int64_t __nv_double_as_longlong(double X) {
  return bits<int64_t>(X);
}
ECHO_DEVICE double __nv_longlong_as_double(int64_t X) {
  return bits<double>(X);
}
ECHO_DEVICE int __nv_float_as_int(float X) { return bits<int>(X); }
ECHO_DEVICE unsigned __nv_float_as_uint(float X) { return bits<unsigned>(X); }
ECHO_DEVICE float __nv_int_as_float(int X) { return bits<float>(X); }
ECHO_DEVICE float __nv_uint_as_float(unsigned X) { return bits<float>(X); }
ECHO_DEVICE int __nv_double2hiint(double X) {
  return int(bits<uint64_t>(X) >> 32);
}
ECHO_DEVICE int __nv_double2loint(double X) { return int(bits<uint64_t>(X)); }
ECHO_DEVICE double __nv_hiloint2double(int High, int Low) {
  return bits<double>(uint64_t(unsigned(High)) << 32 | unsigned(Low));
}
ECHO_DEVICE int echo_nvvm_d2i_hi(double X) { return __nv_double2hiint(X); }
ECHO_DEVICE int echo_nvvm_d2i_lo(double X) { return __nv_double2loint(X); }
ECHO_DEVICE double echo_nvvm_lohi_i2d(int Low, int High) {
  return __nv_hiloint2double(High, Low);
}
