//===- PtxValues.h - Registers of inline PTX --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that one piece of inline PTX has in its registers, and their
// conversion between PTX's view (bits of a width) and LLVM's types. Private to
// lib/CpuDevice.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CPUDEVICE_PTXVALUES_H
#define ECHO_CPUDEVICE_PTXVALUES_H

#include "DeviceUnit.h"
#include "Ptx.h"
#include "llvm/ADT/StringMap.h"

namespace echo::cpudevice {

/// Base of the translator.
class PtxValues {
public:
  PtxValues(DeviceUnit &Unit, llvm::CallBase &Call)
      : Unit(Unit), Call(Call), B(&Call), Arithmetic(B) {}

  /// NVVM calls that were emitted and still need lowering.
  llvm::ArrayRef<llvm::CallInst *> emitted() const { return Emitted; }

protected:
  /// The same bits as another type; integers are extended or truncated. Null
  /// where there is no such value.
  llvm::Value *as(llvm::Value *V, llvm::Type *T);
  /// A number as PTX writes it, or null.
  llvm::Value *immediate(llvm::StringRef Text, unsigned Bits);
  /// A register or immediate of \p Bits bits, or null.
  llvm::Value *read(llvm::StringRef Name, unsigned Bits);
  /// %laneid, %tid.x and the like, or null.
  llvm::Value *special(llvm::StringRef Name, unsigned Bits);
  /// Remembers an NVVM call for lowering, when nothing can change any more.
  llvm::Value *keep(llvm::CallInst *New);
  /// The lanes of a value of type \p T, ready for arithmetic.
  llvm::SmallVector<llvm::Value *> lanes(llvm::Value *V, const PtxType &T);
  /// Lanes (or parts) as one value; the first is the low one.
  llvm::Value *pack(llvm::ArrayRef<llvm::Value *> Values, const PtxType &T);

  /// Stores a result, under the statement's predicate; false where \p V is
  /// null.
  bool write(const PtxStatement &S, llvm::StringRef Name, llvm::Value *V);

  DeviceUnit &Unit;
  llvm::CallBase &Call;
  llvm::IRBuilder<> B;
  PtxArithmetic Arithmetic;
  llvm::StringMap<llvm::Value *> Registers;

private:
  llvm::SmallVector<llvm::CallInst *> Emitted;
};

} // namespace echo::cpudevice

#endif
