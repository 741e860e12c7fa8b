//===- NvccArch.h - nvcc's GPU architecture flags ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects what -arch, -code and -gencode ask for and says it in clang's
// words. An architecture that the toolkit cannot compile for becomes the
// nearest that it can, with a note.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_NVCCARCH_H
#define ECHO_TOOLS_ECHOCC_NVCCARCH_H

#include "nvcc/NvccFlags.h"

namespace echo {

class ArchRequest {
public:
  explicit ArchRequest(const ArchLimits &Limits) : Limits(Limits) {}

  /// -arch NAME: sm_XX, compute_XX, native, all or all-major.
  llvm::Error arch(llvm::StringRef Name);
  /// -code NAME.
  llvm::Error code(llvm::StringRef Name);
  /// -gencode arch=...,code=...
  llvm::Error gencode(llvm::StringRef Spec);
  /// All that can be compiled for, as 75 for sm_75, the oldest first.
  std::vector<unsigned> all() const;
  /// clang's words for all that was asked; notes are added to \p Notes.
  llvm::Expected<std::vector<std::string>>
  finish(std::vector<std::string> &Notes);

private:
  llvm::Error add(llvm::StringRef Flag, llvm::StringRef Name, bool WithPtx);
  llvm::Error addAll(bool MajorOnly);
  std::string nearest(llvm::StringRef Name, unsigned Number);

  const ArchLimits &Limits;
  std::string Arch; ///< -arch, used if there is no -code
  bool HasCode = false;
  std::vector<std::string> Images; ///< "sm_XX", in order
  std::vector<std::string> Ptx;    ///< those whose PTX goes along
  std::vector<std::string> Found;  ///< notes
};

} // namespace echo

#endif
