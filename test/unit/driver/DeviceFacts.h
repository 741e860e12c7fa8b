//===- DeviceFacts.h - Facts from device IR, as text ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of kernels' facts share: from a module's text to its facts. It
// judges nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_DRIVER_DEVICEFACTS_H
#define ECHO_TEST_UNIT_DRIVER_DEVICEFACTS_H

#include "Analysis/Kernels/KernelFacts.h"
#include "catch2/catch.hpp"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace echo {

/// The facts about the module's kernels and device functions.
inline std::string allFacts(llvm::StringRef IR, bool Unoptimized = false,
                            bool Whole = false) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Error;
  auto M = llvm::parseAssemblyString(IR, Error, Context);
  if (!M)
    return Error.getMessage().str();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  (Unoptimized ? collectKernelFactsUnoptimized(*M, Whole)
               : collectKernelFacts(*M, Whole))
      .print(OS);
  return Text;
}

/// The facts about the module's kernels alone.
inline std::string facts(llvm::StringRef IR, bool Unoptimized = false,
                         bool Whole = false) {
  std::string Text, All = allFacts(IR, Unoptimized, Whole);
  for (llvm::StringRef Rest = All; !Rest.empty();) {
    auto [Line, Next] = Rest.split('\n');
    if (!Line.starts_with("@"))
      Text += (Line + "\n").str();
    Rest = Next;
  }
  return Text;
}

/// The facts about a kernel with the pointer %p.
inline std::string body(llvm::StringRef Body, llvm::StringRef More = "") {
  return facts(("define ptx_kernel void @k(ptr captures(none) %p) {\n" + Body +
                "\nret void\n}\n" + More)
                   .str());
}

inline std::string given(const std::string &Functions) {
  return facts("@kept = global ptr null define ptx_kernel void @k(ptr %a) { "
               "call void @f(ptr %a) ret void } " +
               Functions);
}

} // namespace echo

#endif
