//===- OwnAnalyses.h - LLVM's analyses for a module of our own --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis managers that LLVM's passes need, for running a few passes on a
// module outside of clang's own pipeline. It decides nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_SUPPORT_OWNANALYSES_H
#define ECHO_SUPPORT_OWNANALYSES_H

#include "llvm/Passes/PassBuilder.h"

namespace echo {

/// All four managers with LLVM's analyses registered. Members are destroyed in
/// the order that their references to each other need.
struct OwnAnalyses {
  OwnAnalyses() {
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }
  OwnAnalyses(const OwnAnalyses &) = delete;
  OwnAnalyses &operator=(const OwnAnalyses &) = delete;

  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
  llvm::PassBuilder PB;
};

} // namespace echo

#endif
