//===- Translate.h - Command lines as one text ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets a test write command lines as it would in a shell, one space between
// words ("~" stands for a space inside of a word).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_TRANSLATE_H
#define ECHO_TEST_TRANSLATE_H

#include "nvcc/NvccFlags.h"
#include "llvm/ADT/StringExtras.h"
#include <catch2/catch.hpp>
#include <sstream>

/// A toolkit as CUDA 13.0 is, on a machine with one sm_87 GPU.
inline echo::ArchLimits cuda13() {
  return {75, 121, [] { return std::vector<std::string>{"sm_87"}; }};
}

inline std::vector<std::string> words(const std::string &Line) {
  std::vector<std::string> Words;
  std::istringstream Stream(Line);
  for (std::string Word; Stream >> Word;) {
    std::replace(Word.begin(), Word.end(), '~', ' ');
    Words.push_back(Word);
  }
  return Words;
}

inline echo::Translated full(const std::string &Line,
                             const echo::ArchLimits &Limits = cuda13()) {
  auto Result = echo::translateNvccFlags(words(Line), Limits);
  INFO(Line);
  if (!Result)
    FAIL(llvm::toString(Result.takeError()));
  return std::move(*Result);
}

/// What clang gets, without the marks around words for device code.
inline std::string flags(const std::string &Line) {
  std::vector<std::string> Kept;
  for (const std::string &Arg : full(Line).Args)
    if (Arg.find("-no-unused-arguments") == std::string::npos)
      Kept.push_back(Arg);
  return llvm::join(Kept, " ");
}

/// The refusal of \p Line, or "" if it was taken.
inline std::string refusal(const std::string &Line) {
  auto Result = echo::translateNvccFlags(words(Line), cuda13());
  return Result ? "" : llvm::toString(Result.takeError());
}

#endif
