//===- Precompiled.h - Headers that most files need -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsed once (ECHO_PRECOMPILE). Every file still includes what it uses: the
// project builds without this one, too.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_PRECOMPILED_H
#define ECHO_CC_PRECOMPILED_H

#include "clang/Driver/Driver.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <optional>
#include <string>
#include <vector>

#endif
