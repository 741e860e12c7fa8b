//===- PtxTextures.h - Inline PTX of textures and surfaces ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture fetches and surface accesses become calls of cpu_devlib, whose loads
// are then those of the kernel. Private to lib/CpuDevice.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CPUDEVICE_PTXTEXTURES_H
#define ECHO_CPUDEVICE_PTXTEXTURES_H

#include "PtxAtomics.h"

namespace echo::cpudevice {

/// The part of the translator that concerns textures and surfaces.
class PtxTextures : public PtxAtomics {
protected:
  using PtxAtomics::PtxAtomics;

  /// tex, tex.level and tex.grad; false where a form is not known.
  bool texture(const PtxStatement &S);
  /// tld4.r.2d and the like.
  bool gather(const PtxStatement &S);
  /// suld.b and sust.b.
  bool surface(const PtxStatement &S);

private:
  struct Geometry;
  static const Geometry *geometryOf(llvm::StringRef Name);
  llvm::Value *number(llvm::StringRef Name);
  llvm::Value *index(llvm::StringRef Name);
  /// The object that an address names, or null.
  llvm::Value *object(const PtxOperand &O);
  /// Three numbers from \p From on, 0 where \p Dims is less; empty where one
  /// is missing.
  llvm::SmallVector<llvm::Value *> numbers(llvm::ArrayRef<std::string> From,
                                           unsigned Dims);
  /// The level of the mipmap that operands from the third on name, or null.
  llvm::Value *level(const PtxStatement &S, llvm::StringRef How,
                     const Geometry &G, llvm::Value *Object);
  llvm::Value *call(llvm::StringRef Name, llvm::ArrayRef<llvm::Value *> Args);
  /// Stores the four channels of \p Texel.
  bool writeTexel(const PtxStatement &S, llvm::Value *Texel);
};

} // namespace echo::cpudevice

#endif
