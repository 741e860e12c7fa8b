//===- Precompiled.h - LLVM's headers that most files need ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsed once per library (ECHO_PRECOMPILE). It holds LLVM's and the standard
// library's headers alone, and every file still includes what it uses: the
// project builds without this one, too.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PRECOMPILED_H
#define ECHO_PRECOMPILED_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

#endif
