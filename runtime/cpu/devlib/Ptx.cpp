//===- Ptx.cpp - PTX instructions on bits and packed lanes ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that inline PTX names and that are not one LLVM operation. The
// name is the mnemonic: `shf.l.wrap.b32` is echo_ptx_shf_l_wrap_b32, and the
// parameters are its source operands.
//
//===----------------------------------------------------------------------===//
#include "DeviceLibrary.h"

namespace {

template <typename Lane> Lane lane(unsigned V, int I) {
  return Lane(V >> (I * sizeof(Lane) * 8));
}

/// Applies \p Op to each lane; the result is cut or clamped to the lane.
template <typename Lane, bool Saturate, typename Operation>
unsigned lanes(unsigned X, unsigned Y, Operation Op) {
  constexpr int Bits = sizeof(Lane) * 8;
  constexpr bool Signed = Lane(-1) < Lane(0);
  constexpr int Max = Signed ? (1 << (Bits - 1)) - 1 : (1 << Bits) - 1;
  constexpr int Min = Signed ? -Max - 1 : 0;
  unsigned Result = 0;
  for (int I = 0; I != 32 / Bits; ++I) {
    int V = Op(int(lane<Lane>(X, I)), int(lane<Lane>(Y, I)));
    if (Saturate)
      V = V > Max ? Max : V < Min ? Min : V;
    Result |= (unsigned(V) & ((1u << Bits) - 1)) << (I * Bits);
  }
  return Result;
}

/// The sum of \p Op over the lanes.
template <typename Lane, typename Operation>
unsigned sum(unsigned X, unsigned Y, unsigned Start, Operation Op) {
  for (int I = 0; I != int(4 / sizeof(Lane)); ++I)
    Start += unsigned(Op(int(lane<Lane>(X, I)), int(lane<Lane>(Y, I))));
  return Start;
}

int add(int X, int Y) { return X + Y; }
int subtract(int X, int Y) { return X - Y; }
int average(int X, int Y) { return (X + Y + (X + Y >= 0)) >> 1; }
int difference(int X, int Y) { return X > Y ? X - Y : Y - X; }
int smaller(int X, int Y) { return X < Y ? X : Y; }
int larger(int X, int Y) { return X > Y ? X : Y; }

} // namespace

// d = op(a, b) per lane; c would fill lanes that a mask leaves out.
#define PACKED(Name, Type, Lane, Suffix, Saturate, Op)                         \
  ECHO_DEVICE unsigned                                                         \
      echo_ptx_##Name##_##Type##32_##Type##32_##Type##32##Suffix(              \
          unsigned X, unsigned Y, unsigned) {                                  \
    return lanes<Lane, Saturate>(X, Y, Op);                                    \
  }
#define BOTH_SIGNS(Name, N, Bits, Op)                                          \
  PACKED(Name##N, s, int##Bits##_t, , false, Op)                               \
  PACKED(Name##N, u, uint##Bits##_t, , false, Op)                              \
  PACKED(Name##N, s, int##Bits##_t, _sat, true, Op)                            \
  PACKED(Name##N, u, uint##Bits##_t, _sat, true, Op)
#define SUMMED(Name, N, Type, Lane, Op)                                        \
  ECHO_DEVICE unsigned                                                         \
      echo_ptx_##Name##N##_##Type##32_##Type##32_##Type##32_add(               \
          unsigned X, unsigned Y, unsigned Start) {                            \
    return sum<Lane>(X, Y, Start, Op);                                         \
  }
#define BOTH_WIDTHS(Name, Op)                                                  \
  BOTH_SIGNS(Name, 2, 16, Op)                                                  \
  BOTH_SIGNS(Name, 4, 8, Op)                                                   \
  SUMMED(Name, 2, s, int16_t, Op)                                              \
  SUMMED(Name, 2, u, uint16_t, Op)                                             \
  SUMMED(Name, 4, s, int8_t, Op)                                               \
  SUMMED(Name, 4, u, uint8_t, Op)
BOTH_WIDTHS(vadd, add)
BOTH_WIDTHS(vsub, subtract)
BOTH_WIDTHS(vavrg, average)
BOTH_WIDTHS(vabsdiff, difference)
BOTH_WIDTHS(vmin, smaller)
BOTH_WIDTHS(vmax, larger)

#define SET(Name, Type, Lane, Relation, Op)                                    \
  ECHO_DEVICE unsigned echo_ptx_##Name##_##Type##32_##Type##32_##Relation(     \
      unsigned X, unsigned Y, unsigned) {                                      \
    return lanes<Lane, false>(X, Y, [](int A, int B) { return int(A Op B); }); \
  }
#define ALL_SETS(Relation, Op)                                                 \
  SET(vset2, s, int16_t, Relation, Op)                                         \
  SET(vset2, u, uint16_t, Relation, Op)                                        \
  SET(vset4, s, int8_t, Relation, Op)                                          \
  SET(vset4, u, uint8_t, Relation, Op)
ALL_SETS(eq, ==)
ALL_SETS(ne, !=)
ALL_SETS(lt, <)
ALL_SETS(le, <=)
ALL_SETS(gt, >)
ALL_SETS(ge, >=)

// Funnel shifts of b:a.
ECHO_DEVICE unsigned echo_ptx_shf_l_wrap_b32(unsigned A, unsigned B,
                                             unsigned N) {
  return unsigned(((uint64_t(B) << 32 | A) << (N & 31)) >> 32);
}
ECHO_DEVICE unsigned echo_ptx_shf_l_clamp_b32(unsigned A, unsigned B,
                                              unsigned N) {
  return N >= 32 ? A : echo_ptx_shf_l_wrap_b32(A, B, N);
}
ECHO_DEVICE unsigned echo_ptx_shf_r_wrap_b32(unsigned A, unsigned B,
                                             unsigned N) {
  return unsigned((uint64_t(B) << 32 | A) >> (N & 31));
}
ECHO_DEVICE unsigned echo_ptx_shf_r_clamp_b32(unsigned A, unsigned B,
                                              unsigned N) {
  return N >= 32 ? B : echo_ptx_shf_r_wrap_b32(A, B, N);
}

// Bit fields.
ECHO_DEVICE unsigned echo_ptx_bfe_u32(unsigned X, unsigned Pos, unsigned Len) {
  Pos &= 255;
  Len &= 255;
  if (Pos > 31 || !Len)
    return 0;
  return Len > 31 ? X >> Pos : X >> Pos & ((1u << Len) - 1);
}
ECHO_DEVICE unsigned echo_ptx_bfe_s32(unsigned X, unsigned Pos, unsigned Len) {
  Pos &= 255;
  Len &= 255;
  if (!Len)
    return 0;
  unsigned Top = Pos + Len - 1 < 31 ? Pos + Len - 1 : 31;
  unsigned Sign = X >> Top & 1 ? ~0u : 0;
  unsigned Field = Pos > 31 ? Sign : unsigned(int(X) >> Pos);
  if (Len > 31 || Pos + Len > 32)
    return Field;
  unsigned Mask = (1u << Len) - 1;
  return (Field & Mask) | (Sign & ~Mask);
}
ECHO_DEVICE unsigned echo_ptx_bfi_b32(unsigned X, unsigned Y, unsigned Pos,
                                      unsigned Len) {
  Pos &= 255;
  Len &= 255;
  if (Pos > 31 || !Len)
    return Y;
  unsigned Mask = (Len > 31 ? ~0u : (1u << Len) - 1) << Pos;
  return (X << Pos & Mask) | (Y & ~Mask);
}
/// Any function of three bits, as a truth table.
ECHO_DEVICE unsigned echo_ptx_lop3_b32(unsigned A, unsigned B, unsigned C,
                                       unsigned Table) {
  unsigned Result = 0;
  for (unsigned Row = 0; Row != 8; ++Row)
    if (Table >> Row & 1)
      Result |= (Row & 4 ? A : ~A) & (Row & 2 ? B : ~B) & (Row & 1 ? C : ~C);
  return Result;
}

extern "C" {
unsigned echo_nvvm_prmt(unsigned, unsigned, unsigned);
int echo_nvvm_idp4a_s_s(unsigned, unsigned, int);
int echo_nvvm_idp4a_u_u(unsigned, unsigned, int);
}
ECHO_DEVICE unsigned echo_ptx_prmt_b32(unsigned X, unsigned Y, unsigned S) {
  return echo_nvvm_prmt(X, Y, S);
}
ECHO_DEVICE unsigned echo_ptx_dp4a_s32_s32(unsigned X, unsigned Y, unsigned Z) {
  return unsigned(echo_nvvm_idp4a_s_s(X, Y, int(Z)));
}
ECHO_DEVICE unsigned echo_ptx_dp4a_u32_u32(unsigned X, unsigned Y, unsigned Z) {
  return unsigned(echo_nvvm_idp4a_u_u(X, Y, int(Z)));
}

// Masks of Len bits from Pos.
ECHO_DEVICE unsigned echo_ptx_bmsk_clamp_b32(unsigned Pos, unsigned Len) {
  if (Pos > 31)
    return 0;
  return (Len > 31 ? ~0u : (1u << Len) - 1) << Pos;
}
ECHO_DEVICE unsigned echo_ptx_bmsk_wrap_b32(unsigned Pos, unsigned Len) {
  return ((1u << (Len & 31)) - 1) << (Pos & 31);
}
ECHO_DEVICE unsigned echo_nvvm_bmsk_clamp(unsigned Pos, unsigned Len) {
  return echo_ptx_bmsk_clamp_b32(Pos, Len);
}
ECHO_DEVICE unsigned echo_nvvm_bmsk_wrap(unsigned Pos, unsigned Len) {
  return echo_ptx_bmsk_wrap_b32(Pos, Len);
}
