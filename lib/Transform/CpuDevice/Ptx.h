//===- Ptx.h - The parts of PTX that inline assembly uses -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX as parsed statements, and the types in its mnemonics. Private to
// lib/Transform/CpuDevice.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_CPUDEVICE_PTX_H
#define ECHO_TRANSFORM_CPUDEVICE_PTX_H

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

/// One operand: `$1`, a name, an immediate, `{a,b}` or `[a+4]`.
struct PtxOperand {
  std::vector<std::string> Parts; ///< several for a vector or `a|p`
  bool IsVector = false;
  bool IsAddress = false;
  int64_t Offset = 0; ///< of an address
};

/// One instruction.
struct PtxStatement {
  std::string Predicate;             ///< register after '@', or ""
  bool Negated = false;              ///< `@!p`
  std::vector<std::string> Mnemonic; ///< split at dots
  std::vector<PtxOperand> Operands;
};

/// Parses an inline assembly string; nothing if it has a form that is not
/// understood. Register declarations are skipped.
std::optional<std::vector<PtxStatement>> parsePtx(llvm::StringRef Text);

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
  llvm::Value *integer(llvm::StringRef Op, llvm::ArrayRef<std::string> Mods,
                       const PtxType &T, llvm::ArrayRef<llvm::Value *> Args);
  llvm::Value *unary(llvm::Intrinsic::ID ID, llvm::Value *V);

  llvm::IRBuilder<> &B;
};

} // namespace echo::cpudevice

#endif
