//===- Precompiled.h - Headers that most files need -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsed once (ECHO_PRECOMPILE). Every file still includes what it uses: the
// project builds without this one, too.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_SURVEY_PRECOMPILED_H
#define ECHO_SURVEY_PRECOMPILED_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#endif
