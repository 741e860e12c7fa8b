//===- Ptx.h - The parts of PTX that inline assembly uses -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types in PTX's mnemonics, and arithmetic on them. Private to
// lib/CpuDevice.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CPUDEVICE_PTX_H
#define ECHO_CPUDEVICE_PTX_H

#include "Analysis/Kernels/PtxParser.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>
#include <string>
#include <vector>

namespace echo::cpudevice {

/// A fundamental PTX type, `.f16x2` being two lanes of `.f16`.
struct PtxType {
  enum KindTy { Bits, Signed, Unsigned, Float, BFloat, Predicate } Kind = Bits;
  unsigned Width = 0; ///< bits per lane
  unsigned Lanes = 1;

  bool isFloat() const { return Kind == Float || Kind == BFloat; }
  unsigned totalBits() const { return Width * Lanes; }
  /// Reads `f32`, `u16x2` and so on.
  static std::optional<PtxType> parse(llvm::StringRef Text);
};

/// cvt of \p Number to an integer of \p Bits bits, rounding toward zero:
/// saturates (Conversions.cpp).
llvm::Value *saturatedInteger(llvm::IRBuilderBase &B, llvm::Value *Number,
                              unsigned Bits, bool Signed);

/// Emits arithmetic of one lane.
class PtxArithmetic {
public:
  PtxArithmetic(llvm::IRBuilder<> &B) : B(B) {}

  /// The value of \p Op with modifiers \p Mods on \p Args, or null where it is
  /// not known. Floats come as float, double or half (bf16 as float).
  llvm::Value *emit(llvm::StringRef Op, llvm::ArrayRef<std::string> Mods,
                    const PtxType &T, llvm::ArrayRef<llvm::Value *> Args);
  /// A comparison, or null.
  llvm::Value *compare(llvm::StringRef Relation, const PtxType &T,
                       llvm::Value *L, llvm::Value *R);
  /// cvt, or null.
  llvm::Value *convert(llvm::ArrayRef<std::string> Mods, const PtxType &To,
                       const PtxType &From, llvm::Value *V);
  /// bf16 bits of a float, rounded to nearest even, and back.
  llvm::Value *roundToBFloat(llvm::Value *V);
  llvm::Value *extendBFloat(llvm::Value *Bits);

private:
  llvm::Value *floating(llvm::StringRef Op, llvm::ArrayRef<std::string> Mods,
                        llvm::ArrayRef<llvm::Value *> Args);
  llvm::Value *product(llvm::ArrayRef<std::string> Mods, const PtxType &T,
                       llvm::Value *X, llvm::Value *Y);
  llvm::Value *shift(bool Left, const PtxType &T, llvm::Value *X,
                     llvm::Value *Y);
  llvm::Value *safeDivisor(llvm::Value *X, llvm::Value *Y, bool IsSigned);
  llvm::Value *integer(llvm::StringRef Op, llvm::ArrayRef<std::string> Mods,
                       const PtxType &T, llvm::ArrayRef<llvm::Value *> Args);
  llvm::Value *unary(llvm::Intrinsic::ID ID, llvm::Value *V);

  llvm::IRBuilder<> &B;
};

} // namespace echo::cpudevice

#endif
