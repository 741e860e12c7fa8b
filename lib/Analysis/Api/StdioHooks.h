//===- StdioHooks.h - Files and streams of the program ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program can give stdio and the C++ library's streams functions of its own
// (fopencookie, a class derived from std::streambuf). What the library then
// does is what these do, and no model says that. This decides which models are
// none in such a program.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_STDIOHOOKS_H
#define ECHO_ANALYSIS_API_STDIOHOOKS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace echo {
class ModelTable;

/// True if \p Name is a function of stdio that works with a FILE.
bool usesFile(llvm::StringRef Name);

/// True if \p Name is a function of the C++ library that works with a stream.
bool usesStream(llvm::StringRef Name);

/// Takes out of \p Models what calls functions of \p M that no argument names:
/// stdio where M makes files or conversions of its own, streams where it has a
/// class that is a stream's buffer or a facet, or registers callbacks.
void forgetOwnStreams(const llvm::Module &M, ModelTable &Models);

} // namespace echo

#endif
